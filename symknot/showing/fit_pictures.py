"""Pictures of a fit: the data, the curves on which its equations vanish, and the knots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..fitting.fitted import Fitted
from ..ground.errors import InvalidOption, InvalidPoints
from ..ground.wording import counted
from ..reading.points import read_points
from ..symbolic.polynomial import compiled_for
from .pictures import new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GRID_LINES = 401
"""Grid lines per axis on which polynomials are evaluated to trace their zero curves: one for every two or three
pixels."""
FIGURE_INCHES = (7.0, 5.0)
"""Width and height of a new figure: a convention."""
MARGIN = 0.12
"""Margin around data and knots, as a share of their extent: a convention."""
NAMED_CURVES = 6
"""Zero curves named one by one in the legend; the rest share a line: a convention."""
LARGEST_EQUAL_RATIO = 5.0
"""Ratio of the variables' extents beyond which equal units on both axes would flatten the picture into a line: a
convention."""


def draw_fit(fitted: Fitted, points: Any = None, ax: Axes | None = None) -> Axes:
    """Draw a two- or three-dimensional fit.

    In the plane: the data, the zero curve of every polynomial and the knots. In space: the data and the knots.

    Parameters
    ----------
    fitted : Fitted
        A fit in two or three variables.
    points : array, DataFrame or path of a CSV file, optional
        The data, as `fit` takes them.
    ax : matplotlib.axes.Axes, optional
        Where to draw; three variables need axes made with ``projection="3d"``. By default, axes of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes; ``ax.figure.savefig(...)`` writes the picture.

    Raises
    ------
    MissingExtra
        If matplotlib is not installed.
    InvalidOption
        If the fit has neither two nor three variables, or `ax` has another dimension.
    InvalidPoints
        If `points` has another number of columns than the fit has variables.

    Notes
    -----
    A zero curve is traced where a polynomial changes sign, so a polynomial that only touches zero, such as
    ``(x - y)**2``, leaves no curve.
    """
    dimension = len(fitted.names)
    if dimension not in (2, 3):
        raise InvalidOption("ideal", fitted.names, "in 2 or 3 variables to be drawn")
    knots = np.asarray(fitted.knots, dtype=float).reshape(-1, dimension)
    data = _distinct_points(points, dimension)
    if ax is None:
        ax = _new_axes(dimension)
    elif (ax.name == "3d") != (dimension == 3):
        raise InvalidOption("ax", ax.name, f"axes for the {dimension} variables of the fit")

    _name_axes(ax, fitted.names)
    if dimension == 2:
        _draw_plane(ax, fitted, data, knots)
    else:
        _draw_space(ax, data, knots)
    if ax.get_legend_handles_labels()[0]:
        ax.legend(loc="upper left", bbox_to_anchor=(1.02, 1.0), frameon=False)
    return ax


def _distinct_points(points, dimension):
    if points is None:
        return np.empty((0, dimension))
    given = read_points(points)
    if len(given.names) != dimension:
        raise InvalidPoints(f"need {dimension} variables as in the fit, got {len(given.names)}")
    return given.outside(given.values)


def _new_axes(dimension):
    return new_figure(figsize=FIGURE_INCHES).add_subplot(projection="3d" if dimension == 3 else None)


def _name_axes(ax, names):
    # parse_math=False: a column called "cost_$" is a name, not the start of a formula.
    for letter, name in zip("xyz", names):
        getattr(ax, f"set_{letter}label")(name, parse_math=False)


def _draw_plane(ax, fitted, data, knots):
    lower, upper = _window(np.vstack([data, knots]))
    x, y = (np.linspace(lower[axis], upper[axis], GRID_LINES) for axis in (0, 1))
    if len(data):
        ax.plot(*data.T, ".", color="0.6", markersize=4, label="data", zorder=1)
    _draw_zero_curves(ax, fitted, x, y)
    if len(knots):
        ax.plot(*knots.T, "o", markerfacecolor="none", markeredgecolor="black", markeredgewidth=0.8, markersize=5,
                label=counted(len(knots), "knot"), zorder=3)
    if _comparable(upper - lower):
        ax.set_aspect("equal")
    ax.set_xlim(lower[0], upper[0])
    ax.set_ylim(lower[1], upper[1])


def _draw_zero_curves(ax, fitted, x, y):
    grid = np.stack(np.meshgrid(x, y), axis=-1)
    places = fitted.in_order()
    values = np.asarray(compiled_for(fitted, places).values(grid.reshape(-1, 2)), dtype=float)
    for index, place in enumerate(places):
        color = f"C{index % 10}"
        height = values[:, index].reshape(grid.shape[:2])
        if height.min() < 0 < height.max():
            ax.contour(x, y, height, levels=[0.0], colors=[color], linewidths=1.6, zorder=2)
        if index < NAMED_CURVES:
            ax.plot([], [], color=color, label=f"equation {index + 1}, degree {fitted.recursion.G_degrees[place]}")
    unnamed = len(places) - NAMED_CURVES
    if unnamed > 0:
        ax.plot([], [], color="none", label=f"and {counted(unnamed, 'more equation')}")


def _draw_space(ax, data, knots):
    if len(data):
        ax.scatter(*data.T, s=6, color="0.6", depthshade=False, label="data")
    if len(knots):
        ax.scatter(*knots.T, s=20, facecolors="none", edgecolors="black", linewidths=0.8, depthshade=False,
                   label=counted(len(knots), "knot"))
    lower, upper = _window(np.vstack([data, knots]))
    if _comparable(upper - lower):
        ax.set_aspect("equal")


def _window(points):
    """Opposite corners of a box around `points`; a box around the origin when there are none."""
    if not len(points):
        return -np.ones(points.shape[1]), np.ones(points.shape[1])
    lower, upper = points.min(axis=0), points.max(axis=0)
    extent = upper - lower
    # A variable that does not vary borrows the largest extent, or its own size, so that the box is not flat.
    extent = np.where(extent > 0, extent, extent.max() or max(1.0, np.abs(points).max()))
    return lower - MARGIN * extent, upper + MARGIN * extent


def _comparable(extents):
    """Whether equal units on all axes make a readable picture."""
    return extents.max() <= LARGEST_EQUAL_RATIO * extents.min()
