"""Pictures of more than three variables: each pair of them, with data, knots and points of the variety.

A curve is followed, and drawn as a line in every panel.  Of anything wider points are drawn: those between neighbouring
knots, put onto the equations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.spatial import cKDTree

from .curves import curves
from .marks import BELOW, draw_marks
from .scene import Scene
from .style import LINE_WIDTH, colour_of, dress
from .zero_sets import ZeroSet

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_VARIABLES = 6
"""Variables of a picture: 15 panels, a page.  A line says how many there are; a convention."""
NEIGHBOURS = 6
"""Knots next to each between which points of the variety are sought: a convention."""
PANEL_MARKS = 0.7
"""Size of marks in the panels, times the usual one: a convention."""
MOST_BETWEEN = 4000
"""Points of the variety drawn in each panel at most: a convention."""


def draw_pairs(figure: Figure, scene: Scene, arrows: bool = False) -> None:
    """Draw every pair of the first `MOST_VARIABLES` variables, one panel each."""
    shown = min(scene.dimension, MOST_VARIABLES)
    axes = figure.subplots(shown - 1, shown - 1, sharex="col", sharey="row", squeeze=False)
    pieces, cloud = variety_of(scene)
    lower, upper = scene.box
    for row in range(shown - 1):
        for column in range(shown - 1):
            ax, pair = axes[row, column], (column, row + 1)
            if column > row:
                ax.set_axis_off()
                continue
            for piece in pieces:
                ax.plot(*piece[:, pair].T, color=colour_of(0), linewidth=LINE_WIDTH, zorder=BELOW)
            if len(cloud):
                ax.plot(*cloud[:, pair].T, ".", color=colour_of(0), markersize=1.5, markeredgewidth=0, alpha=0.5, zorder=BELOW,
                        rasterized=True)
            draw_marks(ax, scene, pair, arrows, PANEL_MARKS)
            dress(ax, scene.names[pair[0]] if row == shown - 2 else "", scene.names[pair[1]] if column == 0 else "")
            if scene.logarithmic:
                ax.set_xscale("log")
                ax.set_yscale("log")
            low, high = (10.0**lower, 10.0**upper) if scene.logarithmic else (lower, upper)
            ax.set_xlim(low[pair[0]], high[pair[0]])
            ax.set_ylim(low[pair[1]], high[pair[1]])
    figure.align_labels()


def variety_of(scene: Scene) -> tuple[list[np.ndarray], np.ndarray]:
    """Curves of the variety, as arrays of points in the user's units, and where it is no curve points of it."""
    if not scene.equations or not len(scene.knots):
        return [], np.empty((0, scene.dimension))
    if scene.logarithmic:
        pieces, cloud = variety_of(scene.in_logarithms())
        return [10.0**piece for piece in pieces], 10.0**cloud
    zeros = scene.zero_set()
    if zeros.codimension == scene.dimension:
        return [], np.empty((0, scene.dimension))
    if zeros.codimension == scene.dimension - 1:
        return [zeros.out(piece) for piece in curves(zeros, zeros.knots)], np.empty((0, scene.dimension))
    return [], zeros.out(_between_knots(zeros))


def _between_knots(zeros: ZeroSet) -> np.ndarray:
    """Points of the variety between neighbouring knots, and up to half their distance beyond."""
    knots = zeros.knots[:: max(len(zeros.knots) * NEIGHBOURS // MOST_BETWEEN, 1)]
    if len(knots) < 2:
        return np.empty((0, zeros.dimension))
    near = cKDTree(knots).query(knots, min(NEIGHBOURS, len(knots) - 1) + 1)[1][:, 1:]
    share = np.random.default_rng(0).uniform(-0.5, 1.5, size=(*near.shape, 1))
    between = (knots[:, None] + share * (knots[near] - knots[:, None])).reshape(-1, zeros.dimension)
    found = zeros.onto(between)
    close = np.linalg.norm(found - between, axis=1) < 0.5
    return found[zeros.is_on(found) & close & (np.abs(found) <= 1).all(axis=1)]
