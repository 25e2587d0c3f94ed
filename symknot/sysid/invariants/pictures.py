"""Pictures of what is conserved: the values of each invariant and constraint along the runs; runs among the level sets.

Over time: one row for each equation.  On the left its values at the measured states, with its level in each run and a band
of what noise makes of them: the variance of g at one sample is, to first order, the sum over the states of
(dg/dx_j noise_j)^2, with derivatives at the run's states on the level sets.  On the right value less level in units of that
standard deviation, which shows a drift that the scale of the levels would hide.

In the space of the states: the runs, and of two states the curves on which each invariant has the level of a run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...ground.errors import InvalidOption
from ...ground.wording import counted
from ...showing.phase_pictures import PhaseLook, Track, draw_phase
from ...showing.pictures import add_legends, new_figure
from ...showing.style import (
    DATA_COLOUR,
    FAINT,
    LINE_WIDTH,
    PAGE_WIDTH,
    PANEL_HEIGHT,
    TEXT_SIZE,
    colour_of,
    data_size,
    dress,
    line_of,
    plain,
)
from ...showing.typesetting import equation_label, set_in_math_font
from .equations import ConservedEquation, RunOnLevels, values_and_slopes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_RUNS = 6
"""Runs drawn: their colours are still told apart.  A line says how many there are."""
MOST_EQUATIONS = 8
"""Equations drawn: a page of rows.  A line says how many there are."""
BAND = 2.0
"""Half the width of a band, in standard deviations: 95 % of normal noise is inside."""
LEAST_DEVIATION = 0.1
"""Share of its root-mean-square along a run below which the standard deviation of a value is not drawn: where a
gradient vanishes noise of second order is left, which is not counted here."""
BAND_INK = 0.2
"""Opacity of a band; bands of runs at the same level, as those of a constraint, lie on each other and share it."""
TITLE_SHARE = 0.58
"""Share of the picture's width that an equation may take above its row: the left panel."""
GRID_LINES = 301
"""Grid lines along each state on which invariants are evaluated to find their level sets: a convention."""


def draw(equations: Sequence[ConservedEquation], runs: Sequence[RunOnLevels], noise: np.ndarray) -> Figure:
    """A `Figure` with one row for each equation; see `Conserved.plot`.

    Parameters
    ----------
    equations : sequence of ConservedEquation
    runs : sequence of RunOnLevels
    noise : (d,) array
        Standard deviation of each state's noise.
    """
    groups = list(dict.fromkeys(run.group for run in runs))
    shown, drawn = equations[:MOST_EQUATIONS], groups[:MOST_RUNS]
    figure = new_figure(figsize=(PAGE_WIDTH, 0.4 + PANEL_HEIGHT * max(len(shown), 1)), layout="constrained")
    if not shown:
        figure.text(0.5, 0.5, "nothing conserved was found", ha="center", va="center", fontsize=TEXT_SIZE)
        return figure
    axes = figure.subplots(len(shown), 2, sharex="col", squeeze=False, gridspec_kw={"width_ratios": [1.7, 1.0]})
    pieces = [run for run in runs if run.group in drawn]
    for row, (equation, (left, right)) in enumerate(zip(shown, axes)):
        levels = {run.group: equation.level_in(run) for run in pieces}
        for run in pieces:
            ink = BAND_INK / list(levels.values()).count(levels[run.group])
            _draw_run(left, right, equation, run, noise, (colour_of(drawn.index(run.group)), ink))
        title = left.set_title(equation_label(equation, TITLE_SHARE * PAGE_WIDTH), fontsize=TEXT_SIZE, loc="left")
        set_in_math_font([title])
        last = row == len(shown) - 1
        dress(left, "time" if last else "", "value")
        dress(right, "time" if last else "", "(value - level) / noise")
        right.axhspan(-BAND, BAND, color=FAINT, zorder=0)
        right.axhline(0, color="0.5", linewidth=0.6, zorder=1)
        for axis in (left, right):
            axis.margins(x=0.01)
    figure.align_ylabels()
    add_legends(figure, _entries(drawn), [], _left_out(equations, shown, groups, drawn))
    return figure


def draw_levels(equations: Sequence[ConservedEquation], runs: Sequence[RunOnLevels], names: Sequence[str]) -> Figure:
    """A `Figure` of the runs in the space of their states, among the level sets; see `Conserved.plot`."""
    if len(names) < 2:
        raise InvalidOption("kind", "phase", "'time' for a single state: its level sets are points")
    groups = list(dict.fromkeys(run.group for run in runs))
    drawn = groups[:MOST_RUNS]
    pieces = [run for run in runs if run.group in drawn]
    tracks = [Track(drawn.index(run.group), run.measured, run.states) for run in pieces]
    left_out = f"the first {len(drawn)} of {len(groups)} runs" if len(groups) > len(drawn) else None
    look = PhaseLook(joined=True, states_name="states on the level sets" if equations else "smoothed",
                     run_names=drawn, left_out=left_out)

    def under(ax: Axes, lower: np.ndarray, upper: np.ndarray) -> list[Any]:
        _draw_level_curves(ax, equations, {run.group: run for run in pieces}, (lower, upper))
        return []

    return draw_phase(names, tracks, equations, look, under)


def _draw_level_curves(ax: Axes, equations: Sequence[ConservedEquation], run_of: dict[str, RunOnLevels],
                       corners: tuple[np.ndarray, np.ndarray]) -> None:
    """In a plane: where each equation has the level of each run."""
    x, y = (np.linspace(low, high, GRID_LINES) for low, high in zip(*corners))
    grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    for number, equation in enumerate(equations):
        heights = values_and_slopes(equation.terms, grid)[0].reshape(GRID_LINES, GRID_LINES)
        for place, run in enumerate(run_of.values()):
            level = equation.level_in(run)
            if heights.min() < level < heights.max():
                ax.contour(x, y, heights, levels=[level], colors=[colour_of(place)], linestyles=[line_of(number)],
                           linewidths=LINE_WIDTH / 2, zorder=1.5)


def deviations(equation: ConservedEquation, run: RunOnLevels, noise: np.ndarray) -> np.ndarray:
    """Standard deviation that noise gives the value of an equation at each sample of a run."""
    deviation = np.linalg.norm(values_and_slopes(equation.terms, run.states)[1] * noise, axis=1)
    floor = LEAST_DEVIATION * np.sqrt(np.mean(deviation**2))
    return np.maximum(deviation, max(floor, np.finfo(float).tiny))


def _draw_run(left: Axes, right: Axes, equation: ConservedEquation, run: RunOnLevels, noise: np.ndarray,
              colour: tuple[str, float]) -> None:
    """One run in one row; `colour` comes with the opacity of the band."""
    color, ink = colour
    values, _ = values_and_slopes(equation.terms, run.measured)
    deviation = deviations(equation, run, noise)
    level = equation.level_in(run)
    size = 0.8 * data_size(len(run))
    left.plot(run.times, values, ".", color=color, alpha=0.5, markersize=size, markeredgewidth=0, zorder=2)
    left.fill_between(run.times, level - BAND * deviation, level + BAND * deviation, color=color, alpha=ink,
                      linewidth=0, zorder=1)
    left.plot(run.times[[0, -1]], [level, level], color=color, linewidth=1.4, zorder=3)
    right.plot(run.times, (values - level) / deviation, ".", color=color, alpha=0.6, markersize=size, markeredgewidth=0,
               zorder=2)


def _left_out(equations, shown, groups, drawn):
    """What of the result is not in the picture."""
    parts = []
    if len(equations) > len(shown):
        parts.append(f"the first {len(shown)} of {counted(len(equations), 'equation')}")
    if len(groups) > len(drawn):
        parts.append(f"the first {len(drawn)} of {counted(len(groups), 'run')}")
    return ", ".join(parts) or None


def _entries(drawn: Sequence[str]) -> list[Any]:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    several = len(drawn) > 1
    colour = DATA_COLOUR if several else colour_of(0)
    entries: list[Any] = [
        Line2D([], [], linestyle="", marker=".", color=colour, label="at the data"),
        Line2D([], [], color=colour, linewidth=1.4, label="level"),
        Patch(color=colour, alpha=0.3, linewidth=0, label=f"noise, +/- {BAND:g} standard deviations")]
    if several:
        entries += [Line2D([], [], color=colour_of(k), linewidth=3, label=plain(f"run {group}"))
                    for k, group in enumerate(drawn)]
    return entries
