"""Pictures: they are written whole, they show something, and they refuse what cannot be drawn."""

import errno
import os
import sys

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.image import imread

import symknot
from symknot.ground.errors import InvalidOption, InvalidPoints, MissingExtra


def noisy_sphere(dimension, count=120, noise=0.02):
    rng = np.random.default_rng(7)
    directions = rng.normal(size=(count, dimension))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    return directions + rng.normal(scale=noise, size=directions.shape)


@pytest.fixture(scope="module")
def circle():
    points = noisy_sphere(2)
    return symknot.fit(points, 0.03, max_degree=2), points


@pytest.fixture(scope="module")
def sphere():
    points = noisy_sphere(3)
    return symknot.fit(points, 0.03, max_degree=2), points


def plot(ideal, points=None, ax=None):
    """The axes of a result's picture."""
    (axes,) = ideal.plot(points, ax=ax).axes
    return axes


def distinct_colours(path):
    picture = (255 * imread(path)[..., :3]).astype(np.int64)
    return len(np.unique(picture @ [1, 256, 256**2]))


def labels(ax):
    """What the legends say: those of the figure, or that of axes of one's own."""
    legends = ax.figure.legends or [ax.get_legend()]
    return [text.get_text() for legend in legends for text in legend.get_texts()]


@pytest.mark.parametrize("shape", ["circle", "sphere"])
def test_picture_is_written_and_shows_something(shape, request, tmp_path):
    ideal, points = request.getfixturevalue(shape)
    path = tmp_path / "picture.png"
    assert isinstance(ideal.plot(points, path), Figure)
    assert distinct_colours(path) > 20
    assert [file.name for file in tmp_path.iterdir()] == ["picture.png"]


def test_plane_shows_data_zero_curve_and_knots(circle):
    ideal, points = circle
    ax = plot(ideal, points)
    (equation,) = ideal.readable()
    assert labels(ax) == ["data", f"{len(ideal.knots)} knots (80 drawn)", f"${equation.latex()}$"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ideal.names
    curve = np.vstack([path.vertices for path in ax.collections[0].get_paths()])
    assert np.abs(np.linalg.norm(curve, axis=1) - 1).max() < 0.05
    assert np.ptp(curve, axis=0).min() > 1.9


def test_space_shows_data_surface_and_knots(sphere):
    ideal, points = sphere
    ax = plot(ideal, points)
    assert ax.name == "3d"
    (equation,) = ideal.readable()
    assert labels(ax) == ["data", f"{len(ideal.knots)} knots (80 drawn)", f"${equation.latex()}$"]


def test_points_are_optional_and_axes_can_be_given(circle):
    ideal, _ = circle
    own = Figure().add_subplot()
    assert plot(ideal, ax=own) is own
    assert "data" not in labels(own)


def test_a_fit_without_equations_is_drawn(tmp_path):
    cloud = np.random.default_rng(3).normal(size=(60, 2))
    ideal = symknot.fit(cloud, 1e-6, max_degree=1)
    assert ideal.polynomials == ()
    ideal.plot(cloud, tmp_path / "cloud.png")
    assert distinct_colours(tmp_path / "cloud.png") > 5


def test_many_equations_share_a_line_of_the_legend():
    # 28 points in general position: as many as there are monomials up to degree 6, so 8 equations of degree 7.
    scattered = np.random.default_rng(5).uniform(-1, 1, size=(28, 2))
    ideal = symknot.vca(scattered, 1e-8)
    assert [polynomial.degree for polynomial in ideal.polynomials] == [7] * 8
    equations = labels(plot(ideal, scattered))[2:]
    assert len(equations) == 7 and equations[6] == "and 2 more equations"
    for label, equation in zip(equations[:6], ideal._shown_equations()):
        assert label.splitlines()[0].strip("$ ") == equation.latex()[: len(label.splitlines()[0].strip("$ "))]


def test_very_unequal_units_do_not_flatten_the_picture():
    points = noisy_sphere(2) * [1.0, 1000.0]
    ideal = symknot.fit(points, noise=[0.02, 20.0], epsilon=1.5, max_degree=2, names=["cost_$", "gain_$"])
    ax = plot(ideal, points)
    assert ax.get_aspect() == "auto"
    ax.figure.canvas.draw()


def test_more_variables_have_a_panel_for_each_pair():
    points = noisy_sphere(4)
    ideal = symknot.fit(points, 0.03, max_degree=2)
    figure = ideal.plot(points)
    assert sum(ax.axison for ax in figure.axes) == 6
    with pytest.raises(InvalidOption, match="ax must be left out: 4 variables need one panel for each pair"):
        ideal.plot(points, ax=Figure().add_subplot())


def test_points_of_another_dimension_are_refused(circle):
    ideal, _ = circle
    with pytest.raises(InvalidPoints, match="need 2 variables as in the result, got 3"):
        plot(ideal, noisy_sphere(3))


def test_axes_of_another_dimension_are_refused(circle, sphere):
    with pytest.raises(InvalidOption, match="3 variables"):
        plot(sphere[0], ax=Figure().add_subplot())
    with pytest.raises(InvalidOption, match="2 variables"):
        plot(circle[0], ax=Figure().add_subplot(projection="3d"))


def test_unknown_format_is_refused_and_leaves_nothing(circle, tmp_path):
    with pytest.raises(InvalidOption, match="picture format must be one of .*png.* got 'xyz'"):
        circle[0].plot(circle[1], tmp_path / "picture.xyz")
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_keeps_the_old_picture(circle, tmp_path, monkeypatch):
    def broken(descriptor):
        raise OSError(errno.ENOSPC, "disk full")

    path = tmp_path / "picture.png"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", broken)
    with pytest.raises(OSError, match="disk full"):
        circle[0].plot(circle[1], path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_without_matplotlib_the_extra_is_named(circle, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r'needs matplotlib: pip install "symknot\[plot\]"'):
        plot(*circle)
