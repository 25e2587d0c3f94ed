"""The picture of equations and points: the data, the sets on which equations vanish, and the knots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ground.errors import InvalidOption
from .marks import equation_entries, mark_entries
from .pair_pictures import MOST_VARIABLES, draw_pairs
from .pictures import add_legends, new_figure
from .plane_pictures import draw_line, draw_plane, is_comparable
from .scene import Scene
from .space_pictures import draw_space, fill_figure
from .style import PAGE_WIDTH, TEXT_SIZE, dress
from .typesetting import set_in_math_font

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SHAPE_WIDTH = 4.8
"""Width in inches of a picture with one panel: a convention, between one and two columns of a journal."""
LINE_HEIGHT = 1.3
"""Height in inches of a picture of one variable: a convention."""
FREE_RATIO = 0.72
"""Height over width of a panel whose axes have units of their own: a convention."""
LABELS_HEIGHT = 0.35
"""Height in inches of what is written at an axis, about: two lines."""
EQUATION_SHARE = 0.86
"""Share of a picture's width that equations may take, beside the handle in front of them."""


def draw_shape(scene: Scene, ax: Axes | None = None, arrows: bool = False) -> Figure:
    """Draw equations, data and knots.

    One variable: zeros on a line. Two: the zero curve of each equation. Three: surfaces, and the curves in which they
    meet. More: every pair of variables, with curves or points of the variety.

    Parameters
    ----------
    scene : Scene
    ax : matplotlib.axes.Axes, optional
        Where to draw; three variables need axes made with ``projection="3d"``, more cannot be drawn on one.
    arrows : bool
        Draw an arrow from each data point to its knot.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    MissingExtra
        If matplotlib is not installed.
    InvalidOption
        If `ax` has another dimension.
    """
    if scene.dimension > 3:
        return _draw_grid(scene, ax, arrows)
    figure = None
    if ax is None:
        figure = new_figure(figsize=(SHAPE_WIDTH, _height(scene)), layout=None if scene.dimension == 3 else "constrained")
        options = {"projection": "3d", "computed_zorder": False} if scene.dimension == 3 else {}
        ax = figure.add_subplot(**options)
    elif (ax.name == "3d") != (scene.dimension == 3):
        raise InvalidOption("ax", ax.name, f"axes for the {scene.dimension} variables of the result")
    seen = scene.in_logarithms() if scene.logarithmic and scene.dimension == 3 else scene
    dress(ax, *seen.names)
    if scene.dimension == 3:
        (aspect, drawn), remarks = draw_space(ax, seen, arrows), []
    else:
        drawn, remarks = None, draw_line(ax, scene) if scene.dimension == 1 else draw_plane(ax, scene, arrows)
    marks = mark_entries(seen, arrows)
    equations = equation_entries(scene.equations, EQUATION_SHARE * SHAPE_WIDTH, remarks, drawn)
    if figure is not None:
        add_legends(figure, marks, equations)
        if scene.dimension == 3:
            fill_figure(figure, ax, aspect, bool(marks))
        return figure
    if marks or equations:
        legend = ax.legend(handles=[*marks, *equations], loc="upper left", bbox_to_anchor=(1.02, 1.0), frameon=False,
                           fontsize=TEXT_SIZE)
        set_in_math_font(legend.get_texts())
    # .figure of axes may be a part of a figure; .figure of that is the whole one
    return ax.figure.figure


def _draw_grid(scene, ax, arrows):
    if ax is not None:
        raise InvalidOption("ax", ax.name, f"left out: {scene.dimension} variables need one panel for each pair of them")
    figure = new_figure(figsize=(PAGE_WIDTH, 0.92 * PAGE_WIDTH), layout="constrained")
    draw_pairs(figure, scene, arrows)
    left_out = scene.dimension - MOST_VARIABLES
    title = f"the first {MOST_VARIABLES} of {scene.dimension} variables" if left_out > 0 else None
    add_legends(figure, mark_entries(scene, arrows),
                equation_entries(scene.equations, EQUATION_SHARE * PAGE_WIDTH, drawn=1), title)
    return figure


def _height(scene):
    """Of the panel, in inches."""
    if scene.dimension == 1:
        return LINE_HEIGHT
    if scene.dimension == 3:
        return 0.85 * SHAPE_WIDTH
    lower, upper = scene.box
    ratio = (upper - lower)[1] / (upper - lower)[0] if is_comparable(lower, upper) and not scene.logarithmic else FREE_RATIO
    return LABELS_HEIGHT + (SHAPE_WIDTH - LABELS_HEIGHT) * min(ratio, 1.0)
