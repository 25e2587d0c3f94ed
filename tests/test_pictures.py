"""Pictures of every result: they say the equations, nothing leaves them, and they look as they did.

What a picture looks like is compared with small grey images in ``tests/data/pictures``: without any text and at a fixed
size, so that fonts do not matter, and within a tolerance, so that another version of matplotlib does not.  After a change
that is meant, look at the pictures, then write them anew: ``python -m tests.test_pictures``.
"""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from itertools import product
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.image import imread, imsave
from mpl_toolkits.mplot3d.proj3d import proj_transform
from scipy.integrate import solve_ivp
from scipy.ndimage import gaussian_filter

import symknot
from symknot.cli import main
from symknot.ground.errors import InvalidOption, InvalidPoints
from symknot.showing.residual_pictures import feet_and_distances
from symknot.showing.style import COLOURS, OUTLIER_COLOUR, drawn_knots, knot_sizes
from symknot.showing.surfaces import surface
from symknot.showing.typesetting import equation_label, typeset_lines

REFERENCES = Path(__file__).parent / "data" / "pictures"
INCHES, DOTS = 3.0, 50
"""Of the images compared: 150 x 150 pixels."""
BLUR = 2.5
"""Pixels over which images are blurred: a line that lies half a pixel lower looks the same."""
TOLERANCE = 0.08
"""Difference, as a share of a picture's ink.  Measured: 0.004 with the same matplotlib, 3.11, from eight bits; 0.012
with 3.7; 0.15 and more where a curve, a surface, the knots or the data are left out (the test below)."""


# ---------------------------------------------------------------------------------------------------------- results


def noisy(points, noise, seed=0):
    return points + noise * np.random.default_rng(seed).normal(size=points.shape)


def angles(count=200):
    return np.random.default_rng(1).uniform(0, 2 * np.pi, count)


def numbers(count=200, seed=2):
    return np.random.default_rng(seed).uniform(-1, 1, count)


def circle():
    return noisy(np.c_[np.cos(angles()), np.sin(angles())], 0.04)


def with_outliers():
    return np.vstack([circle(), [[1.8, 1.7], [0.1, 0.2], [40.0, 3.0]]])


def sphere():
    directions = np.random.default_rng(3).normal(size=(200, 3))
    return noisy(directions / np.linalg.norm(directions, axis=1)[:, None], 0.03)


def gas():
    """Pressure of one mole with 1 % noise, volume, temperature; and amounts to multiply it by."""
    V, T, n = 10 ** np.random.default_rng(7).uniform([[-1], [1.5], [-1]], [[2], [3], [1]], (3, 100))
    return np.c_[8.314 * T / V * (1 + 0.01 * np.random.default_rng(8).normal(size=100)), V, T, n]


NAMES = {"planets": ["a", "T"], "gas": ["p", "V", "T"], "gas of any amount": ["p", "V", "T", "n"]}
POINTS = {
    "circle": circle,
    "ellipse in units 1000 : 1": lambda: noisy(np.c_[2 * np.cos(angles()), np.sin(angles())], 0.03) * [1, 1000],
    "two circles": lambda: noisy((1 + np.arange(200) % 2)[:, None] / 2 * np.c_[np.cos(angles()), np.sin(angles())], 0.01),
    "figure eight": lambda: noisy(np.c_[np.sin(angles()), np.sin(angles()) * np.cos(angles())], 0.01),
    "outliers": with_outliers,
    "points": lambda: noisy(np.array([[0, 0], [1, 0], [0, 1], [1, 1], [0.5, 2]])[np.arange(200) % 5], 0.01),
    "line": lambda: noisy(np.array([[0.0], [1.0], [3.0]])[np.arange(90) % 3], 0.02),
    "sphere": sphere,
    "twisted cubic": lambda: noisy(np.c_[numbers(), numbers() ** 2, numbers() ** 3], 0.01),
    "three axes": lambda: noisy(np.eye(3)[np.arange(200) % 3] * numbers()[:, None], 0.01),
    "plane": lambda: noisy(np.c_[numbers(), numbers(seed=5), numbers() / 2 + numbers(seed=5)], 0.03),
    "plane and line": lambda: noisy(np.c_[numbers(), numbers(seed=5), numbers(seed=6)]
                                    * np.where((np.arange(200) % 3 > 0)[:, None], [1, 1, 0], [0, 0, 1]), 0.005),
    "curve in four variables": lambda: noisy(np.c_[np.cos(angles()), np.sin(angles()), np.cos(2 * angles()),
                                                   np.sin(2 * angles())], 0.01),
    "gas": lambda: gas()[:, :3],
    "gas of any amount": lambda: gas() * np.c_[gas()[:, 3], np.ones((100, 3))],
    "planets": lambda: np.array([[0.387, 0.2408], [0.723, 0.615], [1, 1], [1.524, 1.881], [5.203, 11.86], [9.58, 29.46],
                                 [19.2, 84.01], [30.05, 164.8]]),
}


@cache
def fitted(name):
    points = POINTS[name]()
    return symknot.fit(points, names=NAMES.get(name), form="binomial" if "gas" in name else "auto"), points


@cache
def oscillations():
    t = np.linspace(0, 10, 200)
    runs = [noisy(a * np.c_[np.cos(2 * t), -2 * np.sin(2 * t)], 0.02) for a in (1.0, 1.5)]
    return symknot.Trajectories(runs, time=t)


@cache
def models():
    t = np.linspace(0, 16, 400)
    forced = solve_ivp(lambda s, y: [y[1], -2 * y[0] - 0.3 * y[1] + np.cos(1.3 * s)], (0, 16), [1, 0], t_eval=t, rtol=1e-9).y.T
    lorenz = solve_ivp(lambda s, y: [10 * (y[1] - y[0]), y[0] * (28 - y[2]) - y[1], y[0] * y[1] - 8 / 3 * y[2]], (0, 8),
                       [-8, 7, 27], t_eval=np.arange(0, 8, 0.01), rtol=1e-9).y.T
    x = [0.3]
    for _ in range(50):                # chaos makes 1e-16 to 1e-7 by then, and whole pictures differ between machines later
        x.append(3.8 * x[-1] * (1 - x[-1]))
    drift = 0.1 * np.convolve(np.cumsum(np.random.default_rng(4).normal(size=800)), np.hanning(60) / 30, "same")
    s = np.linspace(0, 20, 800)
    led = solve_ivp(lambda u, y: [-y[0] + np.interp(u, s, drift)], (0, 20), [1], t_eval=s, rtol=1e-8, max_step=0.02).y.T
    return {
        "oscillator": symknot.identify(oscillations(), 2),
        "forced": symknot.identify(symknot.Trajectories(noisy(forced, 0.02), time=t, names=["x", "v"],
                                                        inputs=np.cos(1.3 * t)[:, None]), 2),
        "lorenz": symknot.identify(noisy(lorenz, 0.5), time=0.01, max_degree=2),
        "map": symknot.identify(noisy(np.array(x), 0.005), kind="map", max_degree=2),
        "partly": symknot.identify(symknot.Trajectories(noisy(np.c_[led, drift], 0.002), time=s, names=["x", "w"]), 1),
        "implicit": symknot.identify(oscillations(), 2, form="implicit"),
        "conserved": symknot.conserved(oscillations()),
    }


def shape(name, **options):
    ideal, points = fitted(name)
    return ideal.plot(points, **options)


LONG = {"$a$": 3, "b c": 7, "d": 11}


def long_equations():
    """Equations of many terms with long numbers, in variables with awkward names."""
    rng = np.random.default_rng(6)
    rows = [tuple(map(int, row)) for row in rng.integers(-9, 9, size=(12, 3))]
    return symknot.points_ideal(rows, list(LONG))


PICTURES = {
    **{name: (lambda name=name: shape(name)) for name in POINTS},
    "arrows": lambda: shape("circle", arrows=True),
    "residuals of a circle": lambda: shape("outliers", kind="residuals"),
    "residuals of a sphere": lambda: shape("sphere", kind="residuals"),
    "residuals of a cubic": lambda: shape("twisted cubic", kind="residuals"),
    "spectrum": lambda: shape("twisted cubic", kind="spectrum"),
    "readable": lambda: fitted("circle")[0].readable().plot(circle()),
    "exact": lambda: fitted("circle")[0].exact().plot(),
    "points ideal": lambda: symknot.points_ideal([(0, 0), (1, 0), (0, 1), (2, 1)], ["x", "y"]).plot(),
    "long equations": lambda: long_equations().plot(),
    "oscillator": lambda: models()["oscillator"].plot(),
    "oscillator, phase": lambda: models()["oscillator"].plot(kind="phase"),
    "forced": lambda: models()["forced"].plot(),
    "forced, phase": lambda: models()["forced"].plot(kind="phase"),
    "lorenz": lambda: models()["lorenz"].plot(),
    "lorenz, phase": lambda: models()["lorenz"].plot(kind="phase"),
    "map": lambda: models()["map"].plot(),
    "map, phase": lambda: models()["map"].plot(kind="phase"),
    "partly": lambda: models()["partly"].plot(),
    "implicit": lambda: models()["implicit"].plot(),
    "conserved": lambda: models()["conserved"].plot(),
    "conserved, phase": lambda: models()["conserved"].plot(kind="phase"),
}


@pytest.fixture(params=PICTURES)
def picture(request):
    return request.param


# ------------------------------------------------------------------------------------------------------------ looks


def grey(figure: Figure) -> np.ndarray:
    """A picture without text, small and grey, from 0 to 1."""
    for legend in list(figure.legends):
        legend.remove()
    figure.set_layout_engine("none")
    figure.set_size_inches(INCHES, INCHES)
    figure.set_dpi(DOTS)
    for text in figure.findobj(matplotlib.text.Text):
        text.set_visible(False)
    for ax in figure.axes:
        for part in ax.collections:
            part.set_linestyle("solid")                  # where dashes begin, and which pixel a line is rounded to,
            part.set_snap(False)                         # depends on the version
        if ax.name == "3d":
            ax.set_position((0, 0, 1, 1))
            ax.set_axis_off()
            _set_size_of_box(ax)
        else:
            ax.tick_params(which="both", left=False, bottom=False, labelleft=False, labelbottom=False)
            ax.set_position(ax.get_subplotspec().get_position(figure))
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3].mean(axis=2) / 255


def _set_size_of_box(ax):
    """A box of the same width in every version of matplotlib."""
    limits = np.array([ax.get_xlim(), ax.get_ylim(), ax.get_zlim()])
    ax.set_box_aspect(np.ptp(limits, axis=1), zoom=1.0)
    ax.apply_aspect()
    x, y, _ = proj_transform(*np.array(list(product(*limits))).T, ax.get_proj())
    width = np.ptp(ax.transData.transform(np.c_[x, y])[:, 0])
    ax.set_box_aspect(np.ptp(limits, axis=1), zoom=0.9 * INCHES * DOTS / width)


def difference(one: np.ndarray, other: np.ndarray) -> float:
    """Root-mean-square difference from the second image over that of its ink, both blurred by some pixels."""
    ink, expected = (gaussian_filter(1 - image, BLUR) for image in (one, other))
    return float(np.linalg.norm(ink - expected) / np.linalg.norm(expected))


def reference(name: str) -> np.ndarray:
    return imread(_path(name))[..., :3].mean(axis=2)


def _path(name):
    return REFERENCES / f"{name.replace(' ', '_').replace(',', '').replace(':', 'to')}.png"


def test_pictures_look_as_they_did(picture):
    assert difference(grey(PICTURES[picture]()), reference(picture)) < TOLERANCE


@pytest.mark.parametrize("name, part", [
    ("circle", "the curve"), ("circle", "the knots"), ("circle", "the data"), ("sphere", "the surface"),
    ("twisted cubic", "the curve"), ("oscillator, phase", "the field")])
def test_a_picture_without_a_part_of_it_does_not_look_the_same(name, part):
    figure = PICTURES[name]()
    (ax,) = figure.axes
    if name == "circle":
        contour, knots = ax.collections
        {"the curve": contour, "the knots": knots, "the data": ax.lines[0]}[part].remove()
    elif name == "twisted cubic":
        ax.lines[-1].remove()
    else:
        ax.collections[0].remove()
    assert difference(grey(figure), reference(name)) > 1.5 * TOLERANCE


# ------------------------------------------------------------------------------------------------- words and places


BORDER = 5
"""Pixels of a legend's border that are empty: 0.4 of the height of its letters."""


def outside(figure: Figure) -> list:
    """What of the texts and axes lies outside the figure."""
    FigureCanvasAgg(figure).draw()
    parts = [*figure.legends, *figure.texts]
    for ax in figure.axes:
        if ax.axison:
            axes = [ax.xaxis, ax.yaxis, *([ax.zaxis] if ax.name == "3d" else [])]
            parts += [*axes, ax.title, ax._left_title]
    found = []
    for part in parts:
        box = part.get_tightbbox() if hasattr(part, "get_tightbbox") else part.get_window_extent()
        if box is None or box.width == 0:
            continue
        if box.x0 < -1 or box.y0 < -1 or box.x1 > figure.bbox.width + 1 or box.y1 > figure.bbox.height + 1:
            found.append((part, box))
    return found


def overlaps(figure: Figure) -> bool:
    """Whether a legend lies on an axis, a title or another legend."""
    parts = []
    for ax in figure.axes:
        if ax.axison:
            axes = [ax.xaxis, ax.yaxis, *([ax.zaxis] if ax.name == "3d" else [])]
            parts += [part.get_tightbbox() for part in axes]
            parts += [ax._left_title.get_window_extent()] if ax._left_title.get_text() else []
    boxes = [legend.get_window_extent() for legend in figure.legends]
    parts += boxes[:-1]
    return any(box is not part and _area(box, part) > 1 for box in boxes for part in parts if part is not None)


def _area(one, other):
    """Shared by two boxes, in pixels, but for the empty border of a legend."""
    width = min(one.x1, other.x1) - max(one.x0, other.x0)
    height = min(one.y1, other.y1) - max(one.y0, other.y0)
    return max(width - BORDER, 0) * max(height - BORDER, 0)


def test_nothing_leaves_the_picture_or_lies_on_something(picture):
    figure = PICTURES[picture]()
    assert outside(figure) == [] and not overlaps(figure)


def test_what_leaves_a_picture_is_noticed():
    figure = Figure((2, 2))
    figure.add_subplot().set_xlabel("a label that is much longer than the picture is wide")
    figure.legend(handles=[matplotlib.lines.Line2D([], [], label="in the middle")], loc="lower center")
    assert outside(figure) and overlaps(figure)


def said(figure: Figure) -> list[str]:
    """Every text of legends and titles, lines of an equation joined."""
    texts = [text.get_text() for legend in figure.legends for text in legend.get_texts()]
    texts += [ax.get_title(loc="left") for ax in figure.axes]
    return [text.replace("$\n$\\quad ", "") for text in texts]


@pytest.mark.parametrize("name, result", [
    *((name, lambda name=name: fitted(name)[0]) for name in POINTS),
    ("readable", lambda: fitted("circle")[0].readable()), ("exact", lambda: fitted("circle")[0].exact()),
    *((name, lambda name=name: models()[name.split(",")[0]]) for name in PICTURES
      if name.split(",")[0] in ("oscillator", "forced", "lorenz", "map", "partly", "implicit", "conserved"))])
def test_a_picture_says_the_equations_as_they_are_printed(name, result):
    shown = result()._shown_equations()
    words = said(PICTURES[name]())
    # as text where matplotlib cannot set it: before 3.8 it cannot set names that are no letters
    assert shown and all(f"${equation.latex()}$" in words or str(equation) in words for equation in shown[:6])
    assert any(word.startswith("$") for word in words) or name == "implicit"
    assert all(str(equation).split(" = ")[0] in str(result()) for equation in shown)


@pytest.mark.slow
def test_all_results_can_be_drawn_without_a_window_and_leave_matplotlib_alone(tmp_path):
    script = ("import sys, matplotlib, symknot\n"
              "before = matplotlib.rcParams.copy()          # dict() would look for a window, and import pyplot\n"
              "ideal = symknot.vca([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], 1e-8)\n"
              "ideal.plot(path='picture.png'); ideal.readable().plot()\n"
              "assert matplotlib.rcParams.copy() == before and 'matplotlib.pyplot' not in sys.modules\n")
    subprocess.run([sys.executable, "-c", script], cwd=tmp_path, check=True, timeout=120,
                   env={"PYTHONPATH": str(Path(symknot.__file__).parents[1]), "PATH": "", "HOME": str(tmp_path)})
    assert (tmp_path / "picture.png").stat().st_size > 5000


# ------------------------------------------------------------------------------------------------------ typesetting


def test_long_equations_are_broken_and_end_in_dots():
    lines = typeset_lines(" + ".join(f"{k} x^{{{k}}}" for k in range(2, 90)) + " = 0", 3.0)
    assert len(lines) == 4 and lines[-1].endswith(r"\ldots") and lines[1].startswith(r"\quad  + ")
    assert typeset_lines("x + y = 0", 3.0) == ["x + y = 0"]


def test_what_cannot_be_typeset_is_written_as_printed():
    ideal = symknot.points_ideal([(0, 0), (1, 2)], ["長さ", "高さ"])
    for equation in ideal.polynomials:
        assert typeset_lines(equation.latex(), 5.0) is None
        assert equation_label(equation, 5.0) == str(equation)
    with pytest.warns(UserWarning, match="missing from"):              # matplotlib's own: it has no such letters
        assert outside(ideal.plot()) == []


def test_names_are_names_and_no_formulas():
    ax = long_equations().plot().axes[0]
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_zlabel()) == tuple(LONG)


# ---------------------------------------------------------------------------------------------------- marks and looks


def test_colours_can_be_told_apart_by_everyone():
    """Also without green or red receptors, by the matrices of Vienot, Brettel and Mollon (1999)."""
    linear = np.array([to_rgb(colour) for colour in (*COLOURS, OUTLIER_COLOUR)]) ** 2.2
    to_lms = np.array([[17.8824, 43.5161, 4.11935], [3.45565, 27.1554, 3.86714], [0.0299566, 0.184309, 1.46709]])
    for blind in (np.eye(3), np.array([[1, 0, 0], [0.494207, 0, 1.24827], [0, 0, 1]]),
                  np.array([[0, 2.02344, -2.52581], [0, 1, 0], [0, 0, 1]])):
        seen = np.clip(linear @ (np.linalg.inv(to_lms) @ blind @ to_lms).T, 0, 1) ** (1 / 2.2)
        apart = np.linalg.norm(seen[:, None] - seen[None], axis=2)[~np.eye(len(seen), dtype=bool)]
        assert apart.min() > 0.12


def test_knots_are_as_large_as_their_weight_and_thinned_where_many():
    sizes = knot_sizes(np.array([1.0, 1.0, 1.0, 4.0, 1e6]))
    assert (sizes / sizes[0]).tolist() == [1, 1, 1, 2, 4]            # areas; the largest is bounded
    weights = np.ones(1000)
    weights[[3, 500]] = 5
    chosen = drawn_knots(weights)
    assert len(chosen) == 80 and {3, 500} <= set(chosen.tolist())
    assert np.diff(np.r_[-1, chosen, 1000]).max() < 40                # evenly through the rows
    knots = shape("points").axes[0].collections[-1]
    assert len(knots.get_offsets()) == 5


def test_many_data_are_thinned_and_counted():
    points = noisy(np.tile(circle(), (20, 1)), 0.01)
    figure = fitted("circle")[0].plot(points)
    drawn = np.c_[figure.axes[0].lines[0].get_data()]
    assert len(drawn) == 3000 and set(map(tuple, drawn)) <= set(map(tuple, points))
    assert "data (3000 of 4000 drawn)" in said(figure)


def test_outliers_are_marked_as_such():
    ideal, points = fitted("outliers")
    figure = ideal.plot(points)
    assert ideal.outliers.tolist() == [200, 201, 202]
    (marked,) = [line for line in figure.axes[0].lines if line.get_marker() == "x"]
    np.testing.assert_array_equal(np.c_[marked.get_data()], points[200:])
    assert marked.get_color() == OUTLIER_COLOUR
    assert "3 outliers (1 outside the picture)" in said(figure)
    assert figure.axes[0].get_xlim()[1] < 3                           # the far one does not shrink the rest
    other = noisy(circle(), 0.01)
    assert not any("outlier" in text for text in said(ideal.plot(other)))


def test_arrows_lead_from_data_to_knots():
    ideal, points = fitted("circle")
    arrows = [part for part in shape("circle", arrows=True).axes[0].collections if hasattr(part, "U")]
    np.testing.assert_allclose(arrows[0].get_offsets(), points)
    np.testing.assert_allclose(np.c_[arrows[0].U, arrows[0].V], ideal.knots[ideal.assignment] - points)
    with pytest.raises(InvalidOption, match="arrows must be given with points="):
        ideal.plot(arrows=True)
    with pytest.raises(InvalidPoints, match="need the 200 points that were fitted"):
        ideal.plot(points[:50], arrows=True)
    with pytest.raises(InvalidOption, match="does not know which point belongs to which knot"):
        ideal.exact().plot(points, arrows=True)


def test_a_polynomial_that_touches_zero_is_drawn_and_one_without_zeros_says_so():
    touching = symknot.vca([[0, 0], [1, 1], [2, 2]], 1e-8, max_degree=1).readable()
    double = {tuple(e): v for e, v in zip([(2, 0), (1, 1), (0, 2)], [1, -2, 1])}
    from dataclasses import replace
    from fractions import Fraction

    terms = {e: Fraction(v) for e, v in double.items()}
    squared = replace(touching, polynomials=(replace(touching[0], terms=terms, digits={}),))
    figure = squared.plot()
    drawn = np.vstack([path.vertices for path in figure.axes[0].collections[0].get_paths()])
    np.testing.assert_allclose(drawn[:, 0], drawn[:, 1], atol=1e-9)
    terms = {(2, 0): Fraction(1), (0, 2): Fraction(1), (0, 0): Fraction(1)}
    empty = replace(touching, polynomials=(replace(touching[0], terms=terms, digits={}),))
    assert any("no zero in this picture" in text for text in said(empty.plot()))


def test_power_laws_have_logarithmic_axes():
    ax = shape("planets").axes[0]
    assert ax.get_xscale() == ax.get_yscale() == "log"
    (path,) = ax.collections[0].get_paths()
    np.testing.assert_allclose(path.vertices[:, 0] ** 3, path.vertices[:, 1] ** 2, rtol=1e-4)


def test_power_laws_of_three_variables_are_planes_of_logarithms():
    ideal, points = fitted("gas")
    ax = ideal.plot(points).axes[0]
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_zlabel()) == ("log10 p", "log10 V", "log10 T")
    ends = np.array([ax.get_xlim(), ax.get_ylim(), ax.get_zlim()]).T
    assert (ends[0] < np.log10(points).min(axis=0)).all() and (ends[1] > np.log10(points).max(axis=0)).all()
    zeros = ideal._scene().in_logarithms().zero_set()
    p, V, T = zeros.out(surface(zeros).vertices).T
    # vertices in edges of the box are cut off there
    assert np.quantile(np.abs(p + V - T - np.log10(8.314)), 0.99) < 0.05


def test_zeros_on_a_line():
    ax = shape("line").axes[0]
    lines = [line.get_xdata()[0] for line in ax.lines if len(line.get_xdata()) == 2]
    np.testing.assert_allclose(sorted(lines), [0, 1, 3], atol=1e-6)


def test_a_finite_set_in_space_has_knots_and_no_curve():
    corners = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)], dtype=float)
    ideal = symknot.vca(corners, 1e-8)
    (ax,) = ideal.plot().axes
    assert ax.lines[:] == [] and len(ax.collections) == 1


# ------------------------------------------------------------------------------------------- residuals and spectrum


def means(figure):
    """Local means in units of their standard errors."""
    out = []
    for container in figure.axes[0].containers:
        line, _, (bars,) = container
        half = np.array([np.ptp(segment[:, 1]) / 2 for segment in bars.get_segments()])
        out.append(np.asarray(line.get_ydata()) / (half / 2))
    return np.concatenate(out)


def test_residuals_of_the_right_equations_scatter_around_zero_and_of_too_simple_ones_bend_away():
    assert np.abs(means(shape("circle", kind="residuals"))).max() < 4
    square = np.c_[np.cos(angles(400)), np.sin(angles(400))]
    square = noisy(square / np.sum(square**4, axis=1)[:, None] ** 0.25, 0.02)
    simple = symknot.fit(square, 0.2, max_degree=2, noise="equal")
    assert [g.degree for g in simple.polynomials] == [2]
    assert np.abs(means(simple.plot(square, kind="residuals"))).max() > 10


def test_distances_are_those_from_the_variety_in_units_of_the_noise():
    ideal, points = fitted("circle")
    feet, distances = feet_and_distances(ideal._scene().with_data(points))
    np.testing.assert_allclose(np.linalg.norm(feet, axis=1), 1, atol=1e-6)
    exact = (np.linalg.norm(points, axis=1) - 1) / ideal.noise[0]
    # noise of the variables differs by a few per cent as it is estimated, so does what is nearest
    assert np.corrcoef(distances[:, 0], exact)[0, 1] > 0.999 and np.std(distances[:, 0]) == pytest.approx(1, abs=0.15)


def test_what_has_no_residuals_or_spectrum_says_so():
    ideal, points = fitted("circle")
    with pytest.raises(InvalidOption, match="kind must be given with points="):
        ideal.plot(kind="residuals")
    with pytest.raises(InvalidOption, match="kind must be one of 'shape' for ExactIdeal, got 'spectrum'"):
        ideal.exact().plot(kind="spectrum")
    with pytest.raises(InvalidOption, match="a fit whose epsilon was given"):
        symknot.fit(points, 0.04, max_degree=2).plot(kind="spectrum")
    with pytest.raises(InvalidOption, match="ax must be left out with kind='spectrum'"):
        ideal.plot(kind="spectrum", ax=Figure().add_subplot())
    with pytest.raises(InvalidOption, match="kind must be one of 'shape', 'residuals', 'spectrum' for Ideal, got 'phase'"):
        ideal.plot(kind="phase")


def test_the_spectrum_shows_values_gap_and_epsilon():
    ideal, _ = fitted("twisted cubic")
    gap, figure = ideal.spectrum.gap, shape("twisted cubic", kind="spectrum")
    (ax,) = figure.axes
    heights = {round(float(segment[0, 1]), 9) for part in ax.collections if hasattr(part, "get_segments")
               for segment in part.get_segments()}
    assert {round(float(value), 9) for row in ideal.spectrum.degrees for value in row.values} <= heights
    assert ax.lines[0].get_ydata()[0] == gap.epsilon
    assert f"3 equations at noise {gap.noise:.2g}" in said(figure) and f"epsilon = {gap.epsilon:.2g}" in said(figure)


# ----------------------------------------------------------------------------------------------------------- motion


def test_inputs_are_drawn_and_states_without_an_equation_are_told():
    forced, partly = models()["forced"], models()["partly"]
    below = forced.plot().axes[-1]
    np.testing.assert_allclose(below.lines[0].get_ydata(), forced.runs[0].inputs[:, 0])
    assert below.get_title(loc="left") == "input"
    assert partly.status is symknot.Status.PARTLY_FOUND and partly.states_without_equation == ("w",)
    assert forced.states_without_equation == ()
    last = partly.plot().axes[-1]
    assert last.get_ylabel() == "w" and last.get_title(loc="left") == "no equation, counts as an input"


def test_data_lie_above_the_knots():
    for ax in models()["oscillator"].plot().axes[::2]:
        data, knots, simulated = ax.lines[:3]
        assert data.get_zorder() > simulated.get_zorder() > knots.get_zorder() and knots.get_alpha() < 0.5


def test_the_phase_portrait_of_a_map_shows_its_curve_and_pairs_of_data():
    model = models()["map"]
    data, knots, curve = model.plot(kind="phase").axes[0].lines
    np.testing.assert_array_equal(data.get_ydata(), model.runs[0].measured[1:, 0])
    np.testing.assert_array_equal(data.get_xdata(), model.runs[0].measured[:-1, 0])
    x = curve.get_xdata()
    np.testing.assert_allclose(curve.get_ydata(), 3.8 * x * (1 - x), atol=0.05)


def test_level_curves_have_the_levels_of_the_runs():
    found = models()["conserved"]
    (invariant,) = found.invariants
    ax = found.plot(kind="phase").axes[0]
    levels = []
    for part in ax.collections:
        points = np.vstack([path.vertices for path in part.get_paths()])
        levels.append(np.mean([float(invariant.expr.subs(dict(zip(found.variables, point)))) for point in points[::20]]))
    np.testing.assert_allclose(levels, list(invariant.levels.values()), rtol=1e-3)


def test_kinds_of_pictures_of_runs():
    for result in (models()["oscillator"], models()["conserved"]):
        with pytest.raises(InvalidOption, match="kind must be one of 'time', 'phase' for"):
            result.plot(kind="shape")
    inputs = np.linspace(0, 1, 40)
    static = symknot.identify(symknot.Trajectories(noisy(inputs[:, None] ** 2, 1e-3), inputs=inputs[:, None]), 2, kind="static")
    with pytest.raises(InvalidOption, match="'time' for responses"):
        static.plot(kind="phase")
    assert len(static.plot().axes) == 2


# ----------------------------------------------------------------------------------------------------- command line


@pytest.mark.slow
def test_any_saved_result_is_drawn_from_a_shell(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    ideal, points = fitted("circle")
    np.savetxt("points.csv", points, delimiter=",", header="x,y", comments="")
    for name, result in {"fit": ideal, "readable": ideal.readable(), "exact": ideal.exact(), **models()}.items():
        result.save(f"{name}.json")
        assert main(["plot", f"{name}.json"]) == 0
        assert capsys.readouterr().out == f"picture saved as {name}.png\n" and Path(f"{name}.png").stat().st_size > 10000
    assert main(["plot", "fit.json", "--points", "points.csv", "--arrows", "-o", "arrows.pdf"]) == 0
    assert Path("arrows.pdf").read_bytes().startswith(b"%PDF")
    assert main(["plot", "fit.json", "--points", "points.csv", "--kind", "residuals", "-o", "residuals.svg"]) == 0
    assert main(["plot", "lorenz.json", "--kind", "phase"]) == 0


@pytest.mark.parametrize("words, complaint", [
    (["fit.json", "--kind", "phase"], "kind must be one of 'shape', 'residuals', 'spectrum' for Ideal, got 'phase'"),
    (["fit.json", "--kind", "residuals"], "kind must be given with points="),
    (["fit.json", "-o", "picture.xyz"], "picture format must be one of"),
    (["fit.json", "-o", "fit.json"], "another file than the model"),
    (["motion.json", "--points", "fit.json"], "a saved Model cannot be drawn with --points"),
])
def test_wrong_requests_from_a_shell(words, complaint, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    fitted("circle")[0].save("fit.json")
    models()["oscillator"].save("motion.json")
    assert main(["plot", *words]) == 2
    assert complaint in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fit.json", "motion.json"]


if __name__ == "__main__":
    REFERENCES.mkdir(parents=True, exist_ok=True)
    for name, draw in PICTURES.items():
        imsave(_path(name), grey(draw()), cmap="gray", vmin=0, vmax=1)
