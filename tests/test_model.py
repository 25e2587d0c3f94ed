"""A model of motion: solved, reported, drawn, saved and read back, exported."""

import copy
import dataclasses
import json
import sys

import numpy as np
import pytest
import sympy
from matplotlib.figure import Figure
from matplotlib.image import imread

import symknot
from symknot.engines import engine
from symknot.ground.errors import InconsistentEquations, InvalidModel, InvalidOption, MissingExtra, TimeLimit
from symknot.sysid.laws.identify import identify
from symknot.sysid.motion.kinds import Flow, Map
from symknot.sysid.motion.solving import reduced, solve_implicit
from symknot.sysid.runs.trajectories import Trajectories
from tests.dynamics import BY_NAME
from tests.motions import model_of, rotation, run_of, uptake

VARIABLES = x, y, dx, dy = sympy.symbols("x y x' y'")
TARGETS = (dx, dy)


def nothing():
    """What identify returns when no equation describes the data."""
    (times, values), = BY_NAME["van der pol"].data(2, 0)
    model = identify(Trajectories(values[:800, :1], time=times[1]), max_degree=1)
    assert model.targets == ()
    return model


def noisy_henon():
    (_, values), = BY_NAME["henon map"].data(1, 0)
    return identify(Trajectories(values[:400]), 2, kind="map", lags=1)


def driven():
    t = np.linspace(0, 3, 40)
    run = run_of(t, np.c_[np.exp(-t)], np.c_[np.zeros(40)])
    return model_of("x", [{(1, 0, 0): -1.0, (0, 1, 0): 0.25, (0, 0, 1): 1.0}], dynamics=Flow(2), inputs=["a $u_"],
                    runs=[run], message="by hand")


MODELS = {"rotation": rotation, "uptake": uptake, "driven, second order": driven, "henon": noisy_henon,
          "nothing": nothing, "without runs": lambda: model_of("x", [{(1,): -1.0}]),
          "nothing on the right": lambda: model_of("xy", [{(0, 1): 1.0}, {}]),
          "two ahead": lambda: model_of("x", [{(1,): 2.0}], dynamics=Map(0, 2))}


@pytest.fixture(scope="module", params=MODELS)
def model(request):
    return MODELS[request.param]()


# ----------------------------------------------------------------------------------------------------------- solving


@pytest.mark.parametrize("equations, name, answer", [
    ([dx + dy - x * y, dx - 2 * dy + y**2], "x'", 2 * x * y / 3 - y**2 / 3),
    ([dx + dy - x * y, dx - 2 * dy + y**2], dy, x * y / 3 + y**2 / 3),
    ([x * dx + y * dy - 1, y * dx - x * dy], "x'", x / (x**2 + y**2)),
    ([dx * (3 + x) + 5 * x, dy], "x'", -5 * x / (3 + x)),
    ([dx * (3 + x) + 5 * x, dy], "x", -3 * dx / (5 + dx)),
    ([dx * dy - x, dy - y], "x'", x / y),                                  # not linear: by elimination
    ([dx - x, dx - y, dy], "x'", x),                                       # more equations than targets
])
def test_solved_for_one_variable(equations, name, answer):
    assert sympy.cancel(solve_implicit(equations, VARIABLES, TARGETS, name) - answer) == 0


def test_branches_where_it_is_not_linear():
    assert set(solve_implicit([dx**2 - x, dy - y], VARIABLES, TARGETS, "x'")) == {sympy.sqrt(x), -sympy.sqrt(x)}
    assert solve_implicit([(dx - x) ** 2, dy], VARIABLES, TARGETS, "x'") == x
    branches = solve_implicit([dx**2 + dy - x, dx * dy - y], VARIABLES, TARGETS, "x'")
    at = {x: sympy.Rational(7, 5), y: sympy.Rational(1, 3)}
    values = [complex(branch.subs(at).evalf(30)) for branch in branches]
    assert len(values) == 3 and all(abs(v**3 - 1.4 * v + 1 / 3) < 1e-12 for v in values)


@pytest.mark.parametrize("equations, name, error, words", [
    ([dx**5 + dx - x, dy], "x'", InvalidOption, "degree 5"),
    ([dx + dy - x], "x'", InvalidOption, "leave it open"),
    ([dx * dy - x], "x'", InvalidOption, "leave it open"),
    ([dx - x, dy], "y", InvalidOption, "occurs in an equation"),
    ([dx - x, dy], "z", InvalidOption, "one of x, y, x', y'"),
    ([dx - x / 2.0, dy], "x'", InvalidOption, "without floating-point numbers"),
    ([dx - sympy.sin(x), dy], "x'", InvalidOption, "polynomial"),
    (["x' - x", dy], "x'", InvalidOption, "text is never evaluated"),
    ([dx - x, dx - x - 1, dy], "x'", InconsistentEquations, "contradict"),
    ([dx**2 - x, dx**2 - x - 1, dy], "x'", InconsistentEquations, "contradict"),
])
def test_what_cannot_be_solved_says_why(equations, name, error, words):
    with pytest.raises(error, match=words):
        solve_implicit(equations, VARIABLES, TARGETS, name)


def test_targets_must_be_variables():
    with pytest.raises(InvalidOption, match="targets must be some of the variables"):
        solve_implicit([dx - x], (x, dx), (dy,), "x'")


def test_the_time_limit_is_passed_on():
    a, b, c = sympy.symbols("a b c")
    hard = [a**7 * b - x**5 * c**6 + y, b**6 + c**7 * a - x * y**5 + 1, c**8 - a**5 * b**4 * x + y**3]
    with pytest.raises(TimeLimit):
        solve_implicit(hard, (x, y, a, b, c), (a, b, c), "a", timeout=0.2)


def test_equations_reduced_modulo_each_other_hold_one_target_each():
    mixed = [dx - sympy.Rational(48, 5) * y + sympy.Rational(9, 25) * dy + x, dy - 28 * x + y + x * dx]
    single = reduced(mixed, VARIABLES, TARGETS)
    assert [p.free_symbols & set(TARGETS) for p in single] == [{dx}, {dy}]
    ideal = engine("sympy").groebner(mixed, variables=[dx, dy, x, y], order="lex", timeout=60)
    for p in single:                                    # they follow from the given ones
        assert engine("sympy").contains([g.as_expr() for g in ideal], p, variables=[dx, dy, x, y])
    assert reduced(single, VARIABLES, TARGETS) == single


def test_reduction_keeps_what_it_cannot_take_apart():
    assert reduced([dx * dy - x, dx * dy - dx**2], VARIABLES, TARGETS) == (dx * dy - x, dx**2 - x)
    assert reduced([dx - x, 2 * dx - 2 * x], VARIABLES, TARGETS) == (dx - x,)
    assert reduced([dx + dy], VARIABLES, TARGETS) == (dx + dy,)
    assert reduced([dx - x, dx - y, dy], VARIABLES, TARGETS) == (dx - x, dy, x - y)
    assert reduced([], VARIABLES, TARGETS) == ()


def test_a_model_solved_for_its_targets_and_states():
    model = uptake()
    assert sympy.cancel(model.solve_for("x'") - (9 - 45 * x) / (50 * x + 15)) == 0
    assert sympy.cancel(model.solve_for("x") + (30 * dx - 18) / (100 * dx + 90)) == 0
    assert rotation().solve_for("y'") == -4 * x and rotation().solve_for("x") == -dy / 4
    with pytest.raises(InvalidOption, match="one with equations"):
        nothing().solve_for("x'")


# ------------------------------------------------------------------------------------------------- words and pictures


def test_a_report_of_everything(model):
    text = model.report()
    assert all(name in text for name in model.state_names) and model.message in text
    assert all(len(line) == len(line.rstrip()) for line in text.splitlines())
    for name, expression in ((g.target, g.sides()[1]) for g in model.polynomials):
        assert f"  {name} = {expression}\n" in text
    assert str(model) in (model.text(), model.text(None)) and repr(model).startswith("<Model of ")
    assert model.latex().count("&=") == len(model.targets)


def test_the_tables_of_a_report():
    lines = rotation().report().splitlines()
    assert ["x'", "y", "1", "0.0001", "1e+04"] in [line.split() for line in lines]
    assert ["y'", "x", "-4", "0.0001", "4e+04"] in [line.split() for line in lines]
    assert "2 runs, 400 samples, 400 knots" in lines
    assert ["degree", "x'", "y'"] in [line.split() for line in lines]
    assert ["1", "1", "1.02"] in [line.split() for line in lines]
    assert "1 (denominator)" in uptake().report() and "nothing" in repr(nothing())
    assert "no equation" in nothing().report() and "0 knots" in nothing().report()


def test_cuts_are_told():
    run = run_of(np.arange(9.0), np.ones((9, 1)), label="a", cuts=[3, 5])
    text = model_of("x", [{(1,): 1.0}], dynamics=Map(), runs=[run]).report()
    assert "2 places where the equations do not lead on: a after t = 3, a after t = 5" in text


def test_digits_of_numbers():
    model = model_of("x", [{(1,): 1 / 7}])
    assert model.text(2).startswith("x' = 0.14*x\n")
    assert model_of(["a b_c"], [{(1,): -1.0}]).latex() == \
        "\\begin{aligned}\n{\\text{a b}\\_\\text{c}}' &= - {\\text{a b}\\_\\text{c}}\n\\end{aligned}"
    with pytest.raises(InvalidOption, match="digits"):
        model.text(0)


def test_standard_errors_of_coefficients_of_very_different_size():
    model = rotation()
    model = dataclasses.replace(model, information=np.diag([1e-12, 1e12]))
    assert [term.error for term in model.estimates] == pytest.approx([1e6, 1e-6])


def test_every_model_can_be_drawn(model, tmp_path):
    figure = model.plot()
    # a static response of one input is drawn over it; other inputs have a row of their own
    inputs = [name for name in model.input_names if name != model.dynamics.abscissa_name(model)]
    assert isinstance(figure, Figure) and len(figure.axes) == 2 * len(model.state_names) + len(inputs)
    model.plot(tmp_path / "picture.png")
    assert imread(tmp_path / "picture.png").shape[1] > 1000
    assert [file.name for file in tmp_path.iterdir()] == ["picture.png"]


def test_a_picture_shows_data_knots_simulation_and_bands():
    model = rotation()
    left, right = model.plot().axes[:2]
    (data, knots, simulated), run = left.lines[:3], model.runs[0]
    np.testing.assert_array_equal(data.get_ydata(), run.measured[:, 0])
    np.testing.assert_array_equal(knots.get_ydata(), run.states[:, 0])
    np.testing.assert_allclose(simulated.get_ydata(), np.cos(2 * simulated.get_xdata()), atol=1e-5)
    np.testing.assert_allclose(right.lines[0].get_ydata(), (run.measured - run.states)[:, 0] / 0.01)
    assert left.get_ylabel() == "x" and "noise" in right.get_ylabel()
    words = [text.get_text() for text in model.plot().legends[0].get_texts()]
    assert words == ["data", "knots", "simulation from the first knot", "noise, +/- 2", "run 1", "run 1.5"]


def test_a_picture_says_how_many_runs_and_steps_it_leaves_out():
    assert rotation(8).plot().legends[0].get_title().get_text() == "the first 6 of 8 runs"
    assert rotation(8).plot(kind="phase").legends[0].get_title().get_text() == "the first 6 of 8 runs"
    assert noisy_henon().plot().legends[0].get_title().get_text() == "the first 150 steps"


def test_a_simulation_that_blows_up_ends_quietly_in_the_picture(tmp_path):
    t = np.linspace(0, 3, 60)
    model = model_of("x", [{(2,): 1.0}], runs=[run_of(t, np.full((60, 1), 1.0))])
    simulated = model.plot(tmp_path / "picture.svg").axes[0].lines[2]
    assert 0 < simulated.get_xdata().max() < 1.01
    low, high = model.plot().axes[0].get_ylim()
    assert 0 < low < high < 3


def test_pictures_need_matplotlib_and_a_format_it_knows(tmp_path, monkeypatch):
    with pytest.raises(InvalidOption, match="picture format must be one of .*png.*got 'xyz'"):
        rotation().plot(tmp_path / "picture.xyz")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"symknot\[plot\]"):
        rotation().plot()
    assert list(tmp_path.iterdir()) == []


# ------------------------------------------------------------------------------------------------------------- files


def assert_same(a, b):
    """Equal in every bit, through dataclasses, tuples and arrays."""
    assert type(a) is type(b)
    if isinstance(a, np.ndarray):
        assert a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    elif dataclasses.is_dataclass(a):
        for field in dataclasses.fields(a):
            assert_same(getattr(a, field.name), getattr(b, field.name))
    elif isinstance(a, tuple):
        assert len(a) == len(b)
        for p, q in zip(a, b):
            assert_same(p, q)
    else:
        assert a == b


def test_round_trip(model, tmp_path):
    model.save(tmp_path / "model.json")
    again = symknot.load(tmp_path / "model.json")
    assert_same(again, model)
    assert (str(again), again.report(), again.exprs) == (str(model), model.report(), model.exprs)
    again.save(str(tmp_path / "again.json"))
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "model.json").read_bytes()


def test_the_file_holds_numbers_and_names_only(model, tmp_path):
    model.save(tmp_path / "model.json")
    content = json.loads((tmp_path / "model.json").read_bytes().decode("ascii"))

    def leaves(node):
        children = node.values() if isinstance(node, dict) else node if isinstance(node, list) else None
        return [node] if children is None else [leaf for child in children for leaf in leaves(child)]

    texts = {leaf for leaf in leaves(content) if isinstance(leaf, str)}
    assert texts <= {"symknot model", "flow", "map", model.status.value, model.message, *model.arguments,
                     *model.targets, *(run.label for run in model.runs)}


def changed(place, value):
    """A function that changes the content of a file at a place."""
    def change(content):
        node = content
        for key in place[:-1]:
            node = node[key]
        node[place[-1]] = value
    return change


def removed(key):
    return lambda content: content.pop(key)


DAMAGES = {
    "format": changed(["format"], "symknot ideal"),
    "no format": removed("format"),
    "version": changed(["version"], 3),
    "version is a flag": changed(["version"], True),
    "no coefficients": removed("coefficients"),
    "no runs": removed("runs"),
    "NaN": changed(["coefficients", 0], float("nan")),
    "infinity": changed(["information", 0, 0], float("inf")),
    "infinite by size": changed(["coefficients", 0], 10**400),
    "text for a number": changed(["coefficients", 0], "0.18"),
    "code for a number": changed(["coefficients", 0], "__import__('os').abort()"),
    "flag for a number": changed(["coefficients", 0], True),
    "null for a number": changed(["coefficients", 0], None),
    "too few coefficients": changed(["coefficients"], [1.0]),
    "coefficients no list": changed(["coefficients"], {"0": 1.0}),
    "information not square": changed(["information"], [[1.0, 0.0, 0.0]]),
    "negative information": changed(["information", 0, 0], -1.0),
    "ragged information": changed(["information", 0], [1.0]),
    "name is a number": changed(["state_names"], [7]),
    "names is a text": changed(["state_names"], "x"),
    "no names": changed(["state_names"], []),
    "too many names": changed(["state_names"], ["x", "y"]),
    "target twice an argument": changed(["targets"], ["x"]),
    "too many targets": changed(["targets"], ["x'", "y'"]),
    "other arguments": changed(["arguments"], ["y"]),
    "inputs nobody has": changed(["input_names"], ["u"]),
    "kind": changed(["dynamics", "kind"], "flux"),
    "order": changed(["dynamics", "order"], 3),
    "order is a flag": changed(["dynamics", "order"], True),
    "dynamics is a text": changed(["dynamics"], "flow"),
    "lags": changed(["dynamics"], {"kind": "map", "lags": -1, "ahead": 1}),
    "many lags": changed(["dynamics"], {"kind": "map", "lags": 10**9, "ahead": 1}),
    "number of arguments": changed(["field", "arguments"], 2),
    "degree": changed(["field", "degree"], -1),
    "huge degree": changed(["field", "degree"], 10**30),
    "degree is no whole number": changed(["field", "degree"], 1.0),
    "monomial out of range": changed(["field", "numerators", 0, 1], 2),
    "negative monomial": changed(["field", "numerators", 0, 0], -1),
    "monomial is no whole number": changed(["field", "numerators", 0, 0], 0.5),
    "monomial twice": changed(["field", "numerators", 0], [1, 1]),
    "pivot out of range": changed(["field", "pivots", 0], 9),
    "pivot among the others": changed(["field", "pivots", 0], 0),
    "no pivots": changed(["field", "pivots"], []),
    "too many equations": changed(["field", "numerators"], [[0], [1]]),
    "negative noise": changed(["state_noise", 0], -0.1),
    "too much noise": changed(["state_noise"], [0.1, 0.1]),
    "values": changed(["values"], 1.0),
    "guesses": changed(["guesses"], {"1": [1.0]}),
    "guess of a degree that is none": changed(["guesses"], [["1", [1.0]]]),
    "guesses twice": changed(["guesses"], [[1, [1.0]], [1, [1.0]]]),
    "guesses of different length": changed(["guesses"], [[1, [1.0]], [2, [1.0, 2.0]]]),
    "times fall": changed(["runs", 0, "times", 3], -1.0),
    "times missing": changed(["runs", 0, "times"], []),
    "states of another shape": changed(["runs", 0, "states"], [[1.0]]),
    "measured text": changed(["runs", 0, "measured", 0], ["much"]),
    "label": changed(["runs", 0, "label"], 1),
    "inputs of a model without": changed(["runs", 0, "inputs"], [[1.0]] * 50),
    "cut outside": changed(["runs", 0, "cuts"], [50]),
    "run is a list": changed(["runs", 0], []),
    "message": changed(["message"], ["all well"]),
}


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("saved") / "model.json"
    uptake().save(path)
    return json.loads(path.read_text())


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_files_are_refused_in_words(damage, saved, tmp_path):
    content = copy.deepcopy(saved)
    DAMAGES[damage](content)
    path = tmp_path / "model.json"
    path.write_text(json.dumps(content))
    with pytest.raises(InvalidModel) as caught:
        symknot.load(path)
    assert len(str(caught.value)) < 500 + len(str(path))
    assert str(path) in str(caught.value) or "finite" in str(caught.value)


@pytest.mark.parametrize("text", ["", "{", "[]", "3", "\x00", "[" * 100_000, '{"format": "symknot model"}'])
def test_files_that_hold_something_else(text, tmp_path):
    (tmp_path / "model.json").write_text(text)
    with pytest.raises(InvalidModel):
        symknot.load(tmp_path / "model.json")


def test_a_saved_model_still_moves(tmp_path):
    model = uptake()
    model.save(tmp_path / "model.json")
    t = np.linspace(0, 2, 9)
    np.testing.assert_array_equal(symknot.load(tmp_path / "model.json").simulate([0.5], t), model.simulate([0.5], t))


# ------------------------------------------------------------------------------------------------------------ export


def test_a_model_is_exported_with_its_equations():
    text = uptake().to_singular()
    assert "x*xPrime + 9/10*x + 3/10*xPrime - 9/50;" in text and "note: x' = (0.18 - 0.9*x)/(x + 0.3)" in text
    with pytest.raises(InvalidOption, match="approximate"):
        uptake().export("singular", approximate=True)
    with pytest.raises(InvalidOption, match="equations to be exported"):
        nothing().to_singular()
