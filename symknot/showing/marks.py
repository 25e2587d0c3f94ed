"""Data, knots, outliers and arrows, as every picture of points draws them; and their lines in a legend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..ground.wording import counted
from ..polynomials.equation import Equation
from .scene import Scene
from .style import (
    BLACK,
    DATA_COLOUR,
    DATA_SIZE,
    KNOT_SIZE,
    LINE_WIDTH,
    OUTLIER_COLOUR,
    colour_of,
    data_size,
    drawn_knots,
    knot_label,
    knot_sizes,
    line_of,
)
from .typesetting import equation_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAMED_EQUATIONS = 6
"""Equations named one by one in the legend, and drawn as surfaces; the rest share a line: a convention."""
BELOW, DATA, CURVES, KNOTS, ABOVE = 1.0, 2.0, 3.0, 4.0, 5.0
"""What lies above what."""


def draw_marks(ax: Axes, scene: Scene, columns: Sequence[int], arrows: bool = False, size: float = 1.0) -> None:
    """Draw these columns of data, outliers and knots.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    scene : Scene
    columns : sequence of int
        Two or three.
    arrows : bool
        From data to their knots.
    size : float
        Of the marks, times the usual one.
    """
    data, knots = scene.drawn_data[:, columns], scene.knots[:, columns]
    if len(data):
        draw_data(ax, data, size)
    chosen = drawn_knots(scene.weights)
    if len(chosen):
        draw_knots(ax, knots[chosen], size * knot_sizes(scene.weights)[chosen])
    draw_arrows_and_outliers(ax, scene, columns, arrows)


def draw_arrows_and_outliers(ax: Axes, scene: Scene, columns: Sequence[int], arrows: bool) -> None:
    """Draw outliers, and if asked for an arrow from each other data point to its knot."""
    if arrows:
        _draw_arrows(ax, *(ends[:, columns] for ends in scene.arrows))
    outliers = scene.data[scene.is_outlier][:, columns]
    if len(outliers):
        ax.plot(*outliers.T, "x", color=OUTLIER_COLOUR, markersize=KNOT_SIZE, markeredgewidth=1.1, zorder=ABOVE)


def draw_data(ax: Axes, data: np.ndarray, size: float = 1.0, opacity: float = 1.0) -> None:
    """Draw data points, in two or three variables."""
    ax.plot(*data.T, ".", color=DATA_COLOUR, markersize=size * data_size(len(data)), markeredgewidth=0, alpha=opacity,
            zorder=DATA)


def draw_knots(ax: Any, knots: np.ndarray, sizes: np.ndarray, opacity: float = 1.0) -> None:
    """Draw knots as rings of these diameters, in points."""
    depth = {"depthshade": False} if knots.shape[1] == 3 else {}
    ax.scatter(*knots.T, s=sizes**2, facecolors="none", edgecolors=BLACK, linewidths=0.7, alpha=opacity, zorder=KNOTS,
               **depth)


def mark_entries(scene: Scene, arrows: bool = False) -> list[Any]:
    """The lines of a legend that say what is drawn."""
    from matplotlib.lines import Line2D

    entries = []
    if len(scene.usual):
        thinned = len(scene.drawn_data) < len(scene.usual)
        said = f"data ({len(scene.drawn_data)} of {len(scene.usual)} drawn)" if thinned else "data"
        entries.append(Line2D([], [], linestyle="", marker=".", color=DATA_COLOUR, markersize=1.5 * DATA_SIZE,
                              markeredgewidth=0, label=said))
    if len(scene.knots):
        drawn = len(drawn_knots(scene.weights))
        entries.append(Line2D([], [], linestyle="", marker="o", markerfacecolor="none", markeredgecolor=BLACK,
                              markeredgewidth=0.7, markersize=KNOT_SIZE, label=knot_label(drawn, len(scene.knots))))
    if arrows:
        entries.append(Line2D([], [], color=DATA_COLOUR, linewidth=0.7, label="from a point to its knot"))
    if scene.is_outlier.any():
        lower, upper = scene.box
        placed = scene.placed(scene.data[scene.is_outlier])
        outside = int((~((placed >= lower) & (placed <= upper)).all(axis=1)).sum())
        said = f" ({outside} outside the picture)" if outside else ""
        entries.append(Line2D([], [], linestyle="", marker="x", color=OUTLIER_COLOUR, markersize=KNOT_SIZE,
                              label=counted(int(scene.is_outlier.sum()), "outlier") + said))
    return entries


def equation_entries(equations: Sequence[Equation], inches: float, remarks: Sequence[str] = (),
                     drawn: int | None = None) -> list[Any]:
    """The lines of a legend that say the equations.

    Parameters
    ----------
    equations : sequence of Equation
    inches : float
        Width of a line at most.
    remarks : sequence of str
        What is said behind each.
    drawn : int, optional
        How many have a line of their own; by default all.  Equations of one curve share the first one's, those of
        points have none.
    """
    from matplotlib.lines import Line2D

    entries = []
    for number, equation in enumerate(equations[:NAMED_EQUATIONS]):
        seen = drawn is None or number < drawn
        remark = remarks[number] if number < len(remarks) else ""
        entries.append(Line2D([], [], color=colour_of(number) if seen else "none", linestyle=line_of(number),
                              linewidth=LINE_WIDTH, label=equation_label(equation, inches) + remark))
    unnamed = len(equations) - NAMED_EQUATIONS
    if unnamed > 0:
        entries.append(Line2D([], [], color="none", label=f"and {counted(unnamed, 'more equation')}"))
    if not equations:
        entries.append(Line2D([], [], color="none", label="no equation"))
    return entries


def _draw_arrows(ax, start, end):
    gone = end - start
    if start.shape[1] == 2:
        ax.quiver(*start.T, *gone.T, angles="xy", scale_units="xy", scale=1, width=1.0, units="dots", headwidth=4,
                  headlength=4, headaxislength=4, minlength=0.5, color=DATA_COLOUR, zorder=DATA)
        return
    from mpl_toolkits.mplot3d.art3d import Line3DCollection

    ax.add_collection3d(Line3DCollection(np.stack([start, end], axis=1), colors=DATA_COLOUR, linewidths=0.7,
                                         zorder=DATA))
