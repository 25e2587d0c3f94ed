r"""What is left of the data: their signed distances from each equation, along the variety.

The distance of a point x from equation i is the part of x - z along the equation's gradient at the foot z, in units of
the noise.  If the equations are true it has mean zero wherever the foot lies; a mean that bends away from zero is lack of
fit, and the equations are too simple there.  The position is the length along the curve, or, where the variety is no
curve, each coordinate of the foot.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.spatial import cKDTree

from ..ground.errors import InvalidOption
from ..ground.wording import counted
from .curves import curves
from .pictures import add_legends, new_figure
from .scene import Scene
from .style import (
    BLACK,
    DATA_COLOUR,
    FAINT,
    KNOT_SIZE,
    LINE_WIDTH,
    OUTLIER_COLOUR,
    PAGE_WIDTH,
    PANEL_HEIGHT,
    TEXT_SIZE,
    data_size,
    dress,
)
from .typesetting import equation_label, set_in_math_font
from .zero_sets import ZeroSet

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_EQUATIONS, MOST_POSITIONS = 6, 4
"""Rows and columns of panels at most: a page, a convention."""
MOST_TICKS = (10, 4)
"""Numbers along a panel at most: of one that takes the whole width, and of one among several."""
BAND = 2.0
"""Half the width of the band, in standard deviations: 95 % of normal noise is inside."""
POINTS_PER_MEAN = 15
"""Points whose mean is drawn, at least: a convention; it is then known to a quarter of the noise."""
MOST_MEANS = 24
"""Means along a panel at most: a convention."""
SMALLEST_NOISE = 1e-10
"""Noise, as a share of the extent, of data that are exact: their rounding."""


def draw_residuals(scene: Scene) -> Figure:
    """Draw the distances of the data from each equation, in units of the noise, along the variety."""
    if not len(scene.data):
        raise InvalidOption("kind", "residuals", "given with points=, the data: a result does not keep them")
    if not scene.equations or scene.noise is None:
        raise InvalidOption("kind", "residuals", "'shape' for a result without equations: there is nothing to be off")
    if scene.logarithmic:
        raise InvalidOption("kind", "residuals", "'shape' for power laws, whose noise is relative")
    shown = scene.equations[:MOST_EQUATIONS]
    feet, distances = feet_and_distances(scene)
    labels, positions, breaks = positions_of(scene, feet)
    figure = new_figure(figsize=(PAGE_WIDTH, 0.3 + PANEL_HEIGHT * len(shown)), layout="constrained")
    axes = figure.subplots(len(shown), len(labels), sharex="col", sharey=True, squeeze=False)
    limit = max(1.15 * np.nanmax(np.abs(distances[~scene.is_outlier][:, : len(shown)]), initial=BAND), 1.5 * BAND)
    for i, equation in enumerate(shown):
        for j, label in enumerate(labels):
            ax = axes[i, j]
            _draw_panel(ax, positions[:, j], np.clip(distances[:, i], -limit, limit), scene.is_outlier, breaks)
            ax.set_ylim(-1.05 * limit, 1.05 * limit)
            ax.locator_params(axis="x", nbins=MOST_TICKS[len(labels) > 1])
            dress(ax, label if i == len(shown) - 1 else "", "distance / noise" if j == 0 else "")
        title = axes[i, 0].set_title(equation_label(equation, 0.9 * PAGE_WIDTH), fontsize=TEXT_SIZE, loc="left")
        set_in_math_font([title])
    add_legends(figure, _entries(scene, distances, limit), [], _left_out(scene, labels))
    return figure


def feet_and_distances(scene: Scene) -> tuple[np.ndarray, np.ndarray]:
    """The foot of each data point on the variety, and its signed distance (N, k) from each equation in units of noise."""
    lower, upper = scene.box
    noise = np.asarray(scene.noise, dtype=float)
    unit = np.where(np.isfinite(noise) & (noise > 0), noise, SMALLEST_NOISE * (upper - lower))
    zeros, middle = scene.zero_set(), (lower + upper) / 2
    rank = zeros.codimension
    # steps are shortest in the metric of the noise, so the set is seen in its units
    scaled = ZeroSet([equation.terms for equation in scene.equations], middle, unit * np.max((upper - lower) / unit) / 2,
                     scene.knots)
    length = np.max((upper - lower) / unit) / 2
    points = scaled.into(scene.data)
    feet = scaled.onto(points, rank)
    slopes = scaled.at(feet)[1]
    size = np.linalg.norm(slopes, axis=2, keepdims=True)
    normals = slopes / np.where(size > 0, size, 1.0)
    return scaled.out(feet), length * np.einsum("nd,nkd->nk", points - feet, normals)


def positions_of(scene: Scene, feet: np.ndarray) -> tuple[list[str], np.ndarray, list[float]]:
    """Labels of the columns, positions (N, columns), and where one piece of a curve ends and the next begins."""
    zeros = scene.zero_set()
    inside = zeros.into(feet)
    if zeros.codimension == scene.dimension - 1:
        pieces = curves(zeros, np.vstack([zeros.knots, inside[~scene.is_outlier]]))
        if pieces:
            return ["position along the curve"], *_along(pieces, inside)
    shown = min(scene.dimension, MOST_POSITIONS)
    return list(scene.names[:shown]), feet[:, :shown], []


def _along(pieces: Sequence[np.ndarray], points: np.ndarray) -> tuple[np.ndarray, list[float]]:
    """The length along the pieces, one after the other, at which each point lies."""
    lengths, start, breaks = [], 0.0, []
    for piece in pieces:
        steps = np.linalg.norm(np.diff(piece, axis=0), axis=1)
        lengths.append(start + np.r_[0.0, np.cumsum(steps)])
        start = lengths[-1][-1]
        breaks.append(start)
    nearest = cKDTree(np.vstack(pieces)).query(np.nan_to_num(points))[1]
    return np.concatenate(lengths)[nearest][:, None] / start, [place / start for place in breaks[:-1]]


def _draw_panel(ax: Axes, position: np.ndarray, distance: np.ndarray, outlier: np.ndarray, breaks: list[float]) -> None:
    ax.axhspan(-BAND, BAND, color=FAINT, zorder=0)
    ax.axhline(0, color="0.5", linewidth=0.6, zorder=1)
    usual = ~outlier & np.isfinite(distance)
    ax.plot(position[usual], distance[usual], ".", color=DATA_COLOUR, markersize=1.3 * data_size(usual.sum()),
            markeredgewidth=0, zorder=2)
    ax.plot(position[outlier], distance[outlier], "x", color=OUTLIER_COLOUR, markersize=KNOT_SIZE, markeredgewidth=1.1,
            zorder=4)
    ends = [-np.inf, *breaks, np.inf]
    for low, high in zip(ends[:-1], ends[1:]):
        own = usual & (position >= low) & (position < high)
        where, mean, error = local_means(position[own], distance[own])
        ax.errorbar(where, mean, BAND * error, color=BLACK, linewidth=LINE_WIDTH * 0.7, elinewidth=0.7, zorder=3)
    for place in breaks:
        ax.axvline(place, color="0.5", linewidth=0.6, linestyle=(0, (2, 2)), zorder=1)
    ax.margins(x=0.01)


def local_means(position: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Means of equally many neighbouring values: where, mean, standard error.

    Examples
    --------
    >>> where, mean, error = local_means(np.arange(30.0), np.r_[np.zeros(15), np.ones(15)])
    >>> where.tolist(), mean.tolist(), error.tolist()
    ([7.0, 22.0], [0.0, 1.0], [0.0, 0.0])
    """
    order = np.argsort(position, kind="stable")
    groups = np.array_split(order, min(max(len(order) // POINTS_PER_MEAN, 1), MOST_MEANS)) if len(order) else []
    rows = [(position[group].mean(), values[group].mean(), values[group].std() / np.sqrt(len(group))) for group in groups]
    where, mean, error = np.array(rows).reshape(-1, 3).T
    return where, mean, error


def _entries(scene: Scene, distances: np.ndarray, limit: float) -> list[Any]:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    entries: list[Any] = [
        Line2D([], [], linestyle="", marker=".", color=DATA_COLOUR, markersize=6, markeredgewidth=0, label="data"),
        Line2D([], [], color=BLACK, linewidth=LINE_WIDTH * 0.7, label=f"local mean, +/- {BAND:g} standard errors"),
        Patch(color=FAINT, linewidth=0, label=f"noise, +/- {BAND:g}")]
    if scene.is_outlier.any():
        beyond = int((np.abs(distances[scene.is_outlier]) > limit).any(axis=1).sum())
        said = f" ({beyond} farther than drawn)" if beyond else ""
        entries.append(Line2D([], [], linestyle="", marker="x", color=OUTLIER_COLOUR, markersize=KNOT_SIZE,
                              label=counted(int(scene.is_outlier.sum()), "outlier") + said))
    return entries


def _left_out(scene: Scene, labels: Sequence[str]) -> str | None:
    parts = []
    if len(scene.equations) > MOST_EQUATIONS:
        parts.append(f"the first {MOST_EQUATIONS} of {len(scene.equations)} equations")
    if 1 < len(labels) < scene.dimension:
        parts.append(f"along the first {len(labels)} of {scene.dimension} variables")
    return ", ".join(parts) or None
