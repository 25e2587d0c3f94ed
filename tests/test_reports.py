"""Reports as pages: what they hold, that they keep to themselves, and that a real browser shows them."""

from __future__ import annotations

import json
import re
import sys
from functools import cache
from html.parser import HTMLParser

import numpy as np
import pytest
from plotly import graph_objects

import symknot
from symknot.cli import main
from symknot.ground.errors import InvalidOption, MissingExtra
from symknot.polynomials.latex import latex_names
from symknot.showing import figures, shape_figures
from symknot.showing.figures import PALETTES, View
from symknot.showing.mathml import equation_mathml, mathml_of
from symknot.showing.pages import script_json
from symknot.showing.reports import LABELS

from .browser import Opened, started
from .test_language import KINDS, circle_points, oscillator, rotations

HOSTILE = ["<img src=x onerror=\"document.title='broken'\">", "</script><script>document.title='broken'</script>",
           "a&lt;b %{x}", "$d$"]


@cache
def result_of(kind):
    """A result of each kind, and the data where the page needs them."""
    runs = oscillator()
    if kind == "Model":
        return symknot.identify(runs, max_degree=2), None
    if kind == "ImplicitModel":
        return symknot.identify(runs, max_degree=2, form="implicit"), None
    if kind == "Conserved":
        return symknot.conserved(rotations(), max_degree=2), None
    if kind == "PointsIdeal":
        return symknot.points_ideal([(0, 0), (1, 0), (0, 1)], ["x", "y"]), None
    points = circle_points()
    if kind == "Generators":
        return symknot.family.abm(points, 0.05, max_degree=2, names=["x", "y"]), points
    ideal = symknot.fit(points, names=["x", "y"])
    return {"Ideal": ideal, "Readable": ideal.readable(), "ExactIdeal": ideal.exact()}[kind], points


@cache
def hostile_fit():
    """A curve in four variables with names that want to break out."""
    angle = np.random.default_rng(0).uniform(0, 2 * np.pi, 200)
    points = np.c_[np.cos(angle), np.sin(angle), np.cos(2 * angle), np.sin(2 * angle)]
    points += 0.01 * np.random.default_rng(1).normal(size=points.shape)
    return symknot.fit(points, 0.03, max_degree=2, noise="equal", names=HOSTILE), points


def page_of(result, points, path, **options):
    assert result.report(path, points, **options) == path
    return path.read_text(encoding="utf-8")


class Parsed(HTMLParser):
    """Elements of a page, its texts outside of scripts and styles, and what its JSON holds."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.words, self.scripts, self.inside = [], [], [], [], None
        self.feed(text)
        self.text = " ".join(self.words)
        self.content = json.loads(next(script for kind, script in self.scripts if kind == "application/json"))

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += [name for name, _ in attributes]
        self.inside = dict(attributes).get("type", "") if tag == "script" else "style" if tag == "style" else None

    def handle_endtag(self, tag):
        self.inside = None

    def handle_data(self, data):
        if self.inside is None:
            self.words.append(data)
        elif self.inside != "style":
            self.scripts.append((self.inside, data))


def drawn(content):
    """The figures of a page as plotly.js would get them, and plotly checks them: unknown names and wrong values raise."""
    def coloured(value):
        if isinstance(value, str):
            return PALETTES["light"].get(value[1:], value) if value.startswith("@") else value
        if isinstance(value, list):
            return [coloured(part) for part in value]
        return {key: coloured(part) for key, part in value.items()} if isinstance(value, dict) else value

    found = []
    for view in content["views"]:
        traces = []
        for trace in view["figure"]["data"]:
            columns = trace.pop("columns", None)
            if columns is not None:
                assert len(columns) == len(view["names"])
                trace |= {"type": "scatter3d", **dict(zip("xyz", columns))}
            traces.append(trace)
        found.append(graph_objects.Figure(coloured({"data": traces, "layout": view["figure"]["layout"]})))
    return found


# ------------------------------------------------------------------------------------------------------------- pages


@pytest.mark.parametrize("kind", KINDS)
def test_every_result_has_a_page_that_plotly_understands(kind, tmp_path):
    result, points = result_of(kind)
    page = Parsed(page_of(result, points, tmp_path / "page.html"))
    found = drawn(page.content)
    assert found and all(len(figure.data) for figure in found)
    assert page.tags.count("math") >= len(result._shown_equations())
    assert page.content["texts"]["latex"] == result.latex()
    for target in set(LABELS) - {"latex"} if result.polynomials else ():
        assert page.content["texts"][target] == result.export(target)
    assert symknot.__version__ in page.text and "How it was made" in page.text


def test_without_a_path_it_is_the_text_as_ever():
    for kind in KINDS:
        assert str(result_of(kind)[0]).splitlines()[0] in result_of(kind)[0].report()


def test_what_the_page_of_a_fit_says(tmp_path):
    ideal, points = result_of("Ideal")
    page = Parsed(page_of(ideal, points, tmp_path / "page.html"))
    for heading in ("Equations", "Data, equations and knots", "What is left of the data", "Spectrum", "Coefficients", "Noise"):
        assert heading in page.words
    assert "symknot.fit(points, names=['x', 'y'])" in page.text
    assert f"{ideal.epsilon:.6g}" in page.text and f"{ideal.noise[0]:.3g}" in page.text
    error = ideal.uncertainty()[0].standard_errors
    assert all(f"{value:.2g}" in page.text for value in error.values() if value)
    shape = drawn(page.content)[0]
    assert [trace.name for trace in shape.data] == ["x<sup>2</sup> + y<sup>2</sup> = 1", "data", "knots"]
    curve = np.array([[a, b] for a, b in zip(shape.data[0].x, shape.data[0].y) if a is not None])
    np.testing.assert_allclose(np.hypot(*curve.T), 1.0, atol=1e-5)
    np.testing.assert_allclose(np.c_[shape.data[1].x, shape.data[1].y], points, rtol=1e-5)
    assert list(shape.data[1].customdata) == list(range(len(points)))


def test_surfaces_and_curves_lie_on_the_equations():
    directions = np.random.default_rng(3).normal(size=(200, 3))
    sphere = directions / np.linalg.norm(directions, axis=1)[:, None] + 0.02 * np.random.default_rng(4).normal(size=(200, 3))
    s = np.random.default_rng(5).uniform(-1, 1, 200)
    cubic = np.c_[s, s**2, s**3] + 0.01 * np.random.default_rng(6).normal(size=(200, 3))
    mesh = shape_figures.shape_view(symknot.fit(sphere)._scene().with_data(sphere))[0].figure["data"][0]
    assert mesh["type"] == "mesh3d" and max(map(max, (mesh["i"], mesh["j"], mesh["k"]))) < len(mesh["x"])
    np.testing.assert_allclose(np.linalg.norm(np.c_[mesh["x"], mesh["y"], mesh["z"]], axis=1), 1.0, atol=1e-3)
    line = shape_figures.shape_view(symknot.fit(cubic)._scene().with_data(cubic))[0].figure["data"][0]
    x, y, z = (np.array([value for value in line[letter] if value is not None]) for letter in "xyz")
    assert line["mode"] == "lines" and np.abs(y - x**2).max() < 1e-3 and np.abs(z - x**3).max() < 1e-3


def test_a_fit_without_equations_says_so(tmp_path):
    cloud = np.random.default_rng(0).normal(size=(300, 2))
    ideal = symknot.fit(cloud)
    assert not ideal.polynomials
    page = Parsed(page_of(ideal, cloud, tmp_path / "page.html"))
    assert "No equation was found." in page.text and "Here none does." in page.text
    assert page.content["texts"] == {} and "button" not in page.tags and "Noise" not in page.words
    assert [trace.name for trace in drawn(page.content)[0].data] == ["data"]


def test_outliers_and_alternatives_are_there(tmp_path):
    circle = np.delete(circle_points(), 78, axis=0)                         # 4.00 standard deviations off: on the verge
    points = np.vstack([circle, [[1.8, 1.7], [40.0, 3.0]]])
    ideal = symknot.fit(points, names=["x", "y"])
    assert ideal.outliers.tolist() == [149, 150]
    page = Parsed(page_of(ideal, points, tmp_path / "page.html"))
    outliers = next(trace for trace in drawn(page.content)[0].data if trace.name == "outliers")
    assert list(outliers.customdata) == [149] and "1 outlier far outside is not drawn." in page.text
    angle = np.random.default_rng(0).uniform(0, np.pi, 120)
    bent = np.c_[angle, 0.02 * angle**2] + 0.01 * np.random.default_rng(1).normal(size=(120, 2))
    rival = next((ideal for ideal in (symknot.fit(bent[: 40 + 20 * k]) for k in range(5)) if ideal.alternatives), None)
    assert rival is not None, "no fit has an alternative any more: choose other data"
    page = Parsed(page_of(rival, None, tmp_path / "page.html"))
    assert "Alternatives" in page.words and rival.alternatives[0].message in page.text


def test_big_data_are_thinned_and_the_page_says_so(tmp_path):
    angle = np.random.default_rng(0).uniform(0, 2 * np.pi, 6000)
    points = np.c_[np.cos(angle), np.sin(angle)] + 0.02 * np.random.default_rng(1).normal(size=(6000, 2))
    page = Parsed(page_of(symknot.fit(points).readable(), points, tmp_path / "page.html"))
    data = next(trace for trace in drawn(page.content)[0].data if trace.name == "data")
    assert len(data.x) == figures.MOST_POINTS
    assert f"{figures.MOST_POINTS} of 6000 data points are drawn" in page.text
    run = np.c_[np.cos(np.linspace(0, 60, 9000)), -np.sin(np.linspace(0, 60, 9000))]
    model = symknot.identify(run + 0.01 * np.random.default_rng(2).normal(size=run.shape), 1, time=60 / 8999)
    assert "One sample in 3 is drawn." in Parsed(page_of(model, None, tmp_path / "page.html")).text


def test_runs_and_their_simulation_are_drawn(tmp_path):
    model, _ = result_of("Model")
    page = Parsed(page_of(model, None, tmp_path / "page.html"))
    time, phase = drawn(page.content)
    names = {trace.name for trace in time.data}
    assert names == {f"{what}, run {run}" for what in ("data", "knots", "simulation") for run in (0, 1)}
    simulated = next(trace for trace in time.data if trace.name == "simulation, run 0")
    run = model.runs[0]
    np.testing.assert_allclose(np.interp(run.times, simulated.x, simulated.y), run.states[:, 0], atol=0.02)
    assert phase.data[0].name == "where the equations lead" and "Coefficients" in page.words
    found, _ = result_of("Conserved")
    page = Parsed(page_of(found, None, tmp_path / "page.html"))
    assert {"Along the runs", "Runs among the level sets"} <= set(page.words)


def test_inputs_are_drawn_below_the_states(tmp_path):
    t = np.linspace(0, 16, 400)
    push = np.sin(1.3 * t)
    x = np.zeros(400)
    for k in range(399):
        x[k + 1] = x[k] + (t[1] - t[0]) * (push[k] - x[k])
    runs = symknot.Trajectories(x[:, None] + 0.001 * np.random.default_rng(0).normal(size=(400, 1)), time=t,
                                inputs=push[:, None], names=["x"])
    model = symknot.identify(runs, 1)
    page = Parsed(page_of(model, None, tmp_path / "page.html"))
    time = drawn(page.content)[0]
    pushed = next(trace for trace in time.data if trace.name == "input")
    np.testing.assert_allclose(pushed.y, push, atol=1e-5)
    assert pushed.yaxis == "y3" and time.layout.yaxis4.visible is False


@pytest.mark.parametrize("options, complaint", [
    ({"path": "page.txt"}, "ends in .html"), ({"path": None, "points": [[0, 0]]}, "points must be given with path="),
    ({"path": None, "title": "a"}, "title must be given with path=")])
def test_wrong_options_are_refused(options, complaint, tmp_path):
    path = options.pop("path")
    with pytest.raises(InvalidOption, match=complaint):
        result_of("Ideal")[0].report(None if path is None else tmp_path / path, **options)


def test_runs_are_not_given_again(tmp_path):
    with pytest.raises(InvalidOption, match="points must be left out: a Model keeps its runs"):
        result_of("Model")[0].report(tmp_path / "page.html", [[0, 0]])
    assert not (tmp_path / "page.html").exists()


def test_a_page_is_written_whole_or_not_at_all(tmp_path):
    ideal, _ = result_of("Ideal")
    page = tmp_path / "page.html"
    page.write_text("before")
    with pytest.raises(symknot.InvalidPoints):
        ideal.report(page, [[1.0, 2.0, 3.0]])
    assert page.read_text() == "before" and list(tmp_path.iterdir()) == [page]


def test_without_plotly_the_error_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "plotly.offline", None)
    monkeypatch.setitem(sys.modules, "plotly", None)
    with pytest.raises(MissingExtra, match=re.escape('pip install "symknot[report]"')):
        result_of("Ideal")[0].report(tmp_path / "page.html")


# ------------------------------------------------------------------------------------------------- names and formulas


def test_names_stay_names(tmp_path):
    ideal, points = hostile_fit()
    page = Parsed(page_of(ideal, points, tmp_path / "page.html", title="<b>title</b> </title>"))
    assert "img" not in page.tags and page.tags.count("script") == 3
    assert not [name for name in page.attributes if name.startswith("on")]
    assert all(name in page.words for name in HOSTILE) and "<b>title</b> </title>" in page.words
    assert page.content["views"][0]["names"] == HOSTILE
    kinds = [kind for kind, _ in page.scripts]
    assert kinds.count("application/json") == 1
    assert not set("<>&") & set(next(script for kind, script in page.scripts if kind))


def test_json_in_a_script_ends_nothing():
    text = script_json(["</script>", "<!--", "&amp;", "\u2028"])
    assert not set("<>&\u2028") & set(text) and json.loads(text) == ["</script>", "<!--", "&amp;", "\u2028"]


@pytest.mark.parametrize("name, inside", [
    ("x", "<mi>x</mi>"), ("α", "<mi>α</mi>"), ("x_1", "<msub><mi>x</mi><mrow><mn>1</mn></mrow></msub>"),
    ("speed", "<mi>speed</mi>"), ("température (°C)", "<mtext>température\u00a0(</mtext>"), ("<b>", "&lt;"),
    ("a&lt;b", "<mi>&amp;</mi>"), ("x'", "′"), ("速度", "速度"), ("it's", "<mtext>it's</mtext>")])
def test_names_in_formulas(name, inside):
    assert inside in mathml_of(latex_names([name])[0])


def test_states_of_discrete_time_have_their_step():
    x = [0.3]
    for _ in range(60):
        x.append(3.7 * x[-1] * (1 - x[-1]))
    model = symknot.identify(np.array(x)[:, None], 2, kind="map")
    formula = equation_mathml(model.polynomials[0])
    assert "<mi>k</mi><mo>+</mo><mn>1</mn>" in formula and "<mfrac>" in formula


def test_a_minus_in_front_is_told_from_one_between():
    assert '<mo form="prefix">−</mo>' in mathml_of("x = - 4 y") and "prefix" not in mathml_of("x - y = 1")
    assert mathml_of("x'^{2}").count("<msup>") == 1 and "<msup>" not in mathml_of("x''")


def test_long_equations_can_be_broken():
    grid = [(a, b) for a in range(4) for b in range(3)]
    equation = max(symknot.points_ideal([*grid, (7, 5), (9, 2)], ["x", "y"]).polynomials, key=lambda g: len(g.terms))
    assert len(equation.terms) > 7
    formulas = re.findall("<math.*?</math>", equation_mathml(equation))
    assert len(formulas) >= len(equation.terms) and all('form="infix"' in formula for formula in formulas[1:])


# -------------------------------------------------------------------------------------------------------- command line


def test_pages_from_the_command_line(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    np.savetxt("circle.csv", circle_points(), delimiter=",", header="x,y", comments="")
    assert main(["fit", "circle.csv", "-o", "circle.json", "--report", "fit.html"]) == 0
    assert "report saved as fit.html" in capsys.readouterr().out
    assert "symknot fit circle.csv -o circle.json --report fit.html" in Parsed((tmp_path / "fit.html").read_text()).text
    assert main(["report", "circle.json", "--points", "circle.csv", "--title", "A < B"]) == 0
    page = Parsed((tmp_path / "circle.html").read_text())
    assert "A < B" in page.words and "What is left of the data" in page.words
    assert main(["report", "circle.csv", "-o", "data.html", "--json", "--quiet"]) == 0
    told = json.loads(capsys.readouterr().out.partition("\n")[2])
    assert (told["result"], told["files"]) == ({"kind": "Report", "of": "Ideal"}, ["data.html"])
    assert main(["exact", "circle.json", "--report", "exact.html"]) == 0 and (tmp_path / "exact.html").exists()
    capsys.readouterr()
    for words, complaint in [(["fit", "circle.csv", "--report", "a.txt"], "--report must be the name of a page"),
                             (["report", "circle.json", "-o", "a.png"], "--output must be the name of a page"),
                             (["report", "circle.csv", "--points", "circle.csv"], "--points must be left out"),
                             (["report", "circul.json"], "did you mean circle.json?")]:
        assert main(words) == 2 and complaint in capsys.readouterr().err


def test_pages_of_runs_from_the_command_line(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    t = np.linspace(0, 8, 200)
    run = np.c_[t, np.cos(t), -np.sin(t)] + np.c_[0 * t, 0.01 * np.random.default_rng(0).normal(size=(200, 2))]
    np.savetxt("spring.csv", run, delimiter=",", header="t,x,v", comments="")
    words = ["identify", "spring.csv", "--quiet", "--degree", "1"]
    assert main([*words, "-o", "spring.json", "--report", "spring.html"]) == 0 and (tmp_path / "spring.html").exists()
    assert main([*words, "--invariants", "--degree", "2", "--report", "kept.html"]) == 0 and (tmp_path / "kept.html").exists()
    capsys.readouterr()
    assert main([*words, "--report"]) == 0 and "standard error" in capsys.readouterr().out
    assert main(["report", "spring.json", "--points", "spring.csv"]) == 2
    assert "cannot be shown with --points" in capsys.readouterr().err


# ------------------------------------------------------------------------------------------------------ in a real browser


@pytest.fixture(scope="module")
def browser():
    with started() as browser:
        yield browser


@pytest.fixture(scope="module")
def plane(browser, tmp_path_factory):
    """The page of a circle."""
    ideal, points = result_of("Ideal")
    opened = Opened(browser, ideal.report(tmp_path_factory.mktemp("plane") / "page.html", points))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def space(browser, tmp_path_factory):
    """The page of a curve in four variables with hostile names."""
    ideal, points = hostile_fit()
    opened = Opened(browser, ideal.report(tmp_path_factory.mktemp("space") / "page.html", points))
    yield opened
    opened.close()


@pytest.mark.parametrize("name", ["plane", "space"])
def test_a_browser_has_nothing_to_complain_about_and_asks_for_nothing(name, request):
    opened = request.getfixturevalue(name)
    assert opened.complaints == [] and opened.from_elsewhere == [] and len(opened.requests) == 1


def test_formulas_are_typeset(plane):
    box = plane.page.locator("td.equation math").first.bounding_box()
    assert box["width"] > 60 and box["height"] > 15
    assert plane.page.evaluate("document.querySelector('math').namespaceURI") == "http://www.w3.org/1998/Math/MathML"
    raised, base = (plane.page.locator(f"td.equation msup > :nth-child({k})").first.bounding_box() for k in (2, 1))
    assert raised["height"] < base["height"] * 1.5 and raised["y"] < base["y"]


def test_values_are_shown_at_the_pointer(plane):
    points = circle_points()
    row = int(np.argmax(np.abs(np.hypot(*points.T) - 1)))               # nothing else is as near to the pointer
    plane.page.evaluate("document.getElementById('view0').scrollIntoView()")
    x, y = plane.page.evaluate("""point => {
        const view = document.getElementById("view0"), box = view.getBoundingClientRect(), {xaxis, yaxis} = view._fullLayout;
        return [box.x + xaxis._offset + xaxis.d2p(point[0]), box.y + yaxis._offset + yaxis.d2p(point[1])]; }""",
                               points[row].tolist())
    plane.page.mouse.move(x - 3, y)
    plane.page.mouse.move(x, y)
    plane.page.wait_for_selector(".hovertext")
    shown = plane.page.locator(".hovertext").first.text_content().replace("\u2212", "-")
    for part in (f"x: {points[row, 0]:.6g}", f"y: {points[row, 1]:.6g}", f"row {row}"):
        assert part in shown


@pytest.mark.parametrize("name", LABELS)
@pytest.mark.parametrize("clipboard", ["allowed", "refused"])
def test_buttons_copy_the_exact_text(plane, name, clipboard):
    ideal, _ = result_of("Ideal")
    plane.page.evaluate("navigator.clipboard.writeText('nothing')")
    plane.page.evaluate(f"""() => {{ delete navigator.clipboard.writeText;
        if ("{clipboard}" === "refused") navigator.clipboard.writeText = () => Promise.reject(new Error("refused")); }}""")
    plane.page.click(f"button[data-copy={name}]")
    plane.page.wait_for_selector(f"button[data-copy={name}].done")
    plane.page.evaluate("() => { delete navigator.clipboard.writeText; }")
    copied = plane.page.evaluate("navigator.clipboard.readText()")
    assert copied == (ideal.latex() if name == "latex" else ideal.export(name))


def test_colours_follow_the_readers_scheme(plane):
    def colours():
        return plane.page.evaluate("""[getComputedStyle(document.body).color,
                                      document.getElementById("view0")._fullLayout.font.color]""")

    light = colours()
    plane.page.emulate_media(color_scheme="dark")
    plane.page.wait_for_function("document.getElementById('view0')._fullLayout.font.color === '#e3e7ed'")
    dark = colours()
    assert light[0] != dark[0] and light[1] == PALETTES["light"]["ink"] and dark[1] == PALETTES["dark"]["ink"]
    plane.page.emulate_media(color_scheme="light")


def test_hostile_names_stay_inert(space):
    assert space.page.title().startswith("Equations of <img")
    assert space.page.locator("img").count() == 0 and space.page.locator("script").count() == 3
    assert space.page.locator("select >> nth=0").locator("option").all_text_contents() == HOSTILE
    assert HOSTILE[0] in space.page.locator("h1").text_content()
    # even markup that got in would not run: the page allows its own scripts only
    space.page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"document.title=1\">')")
    space.page.wait_for_timeout(100)
    assert space.page.title() != "1"
    assert space.complaints and all("Content Security Policy" in said for said in space.complaints)
    space.complaints.clear()


def test_space_turns_when_it_is_dragged(space):
    eye = """(() => { const {eye, center} = document.getElementById("view0")._fullLayout.scene._scene.getCamera();
                      return {x: eye.x - center.x, y: eye.y - center.y, z: eye.z - center.z}; })()"""
    space.page.evaluate("document.getElementById('view0').scrollIntoView()")
    before = space.page.evaluate(eye)
    box = space.page.locator("#view0").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    space.page.mouse.move(x, y)
    space.page.mouse.down()
    for step in range(1, 6):
        space.page.mouse.move(x + 30 * step, y + 5 * step)
    space.page.mouse.up()
    space.page.wait_for_timeout(300)                                        # it turns on for a moment
    after = space.page.evaluate(eye)
    assert sum((before[axis] - after[axis]) ** 2 for axis in "xyz") > 0.05
    assert sum(value**2 for value in after.values()) == pytest.approx(sum(value**2 for value in before.values()), rel=0.05)


def test_the_reader_chooses_the_axes(space):
    selects = space.page.locator("select[data-view=view0]")
    selects.nth(0).select_option("3")
    selects.nth(2).select_option("-1")
    space.page.wait_for_function("document.getElementById('view0').data[0].type === 'scatter'")
    title, kinds = space.page.evaluate("""(() => { const view = document.getElementById("view0");
        return [view.layout.xaxis.title.text, view.data.map(trace => trace.type)]; })()""")
    assert title == HOSTILE[3] and set(kinds) == {"scatter"} and space.complaints == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_the_page_of_every_result_opens(kind, browser, tmp_path):
    result, points = result_of(kind)
    opened = Opened(browser, result.report(tmp_path / "page.html", points), color_scheme="dark")
    assert opened.complaints == [] and opened.from_elsewhere == []
    opened.close()


def test_a_view_is_plain_data():
    """What goes into a page survives JSON unchanged."""
    view, _ = shape_figures.shape_view(result_of("Ideal")[0]._scene().with_data(circle_points()))
    assert isinstance(view, View) and json.loads(json.dumps(view.figure, allow_nan=False)) == view.figure
