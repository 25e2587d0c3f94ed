"""A picture of what is conserved: the values of each invariant and constraint along the runs, and what noise explains.

One row for each equation.  On the left its values at the measured states, with its level in each run and a band of what
noise makes of them: the variance of g at one sample is, to first order, the sum over the states of (dg/dx_j noise_j)^2,
with derivatives at the run's states on the level sets.  On the right value less level in units of that standard
deviation, which shows a drift that the scale of the levels would hide.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...ground.wording import counted
from ...showing.pictures import new_figure
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
LONGEST_TITLE = 70
"""Characters of an equation above its row: the width of the left panel."""
MANY_SAMPLES = 300
"""Samples of a run from which on smaller dots are drawn, so that they do not make one blot."""


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
    figure = new_figure(figsize=(11.0, 1.2 + 2.4 * max(len(shown), 1)), layout="constrained")
    if not shown:
        figure.text(0.5, 0.5, "nothing conserved was found", ha="center", va="center")
        return figure
    axes = figure.subplots(len(shown), 2, sharex="col", squeeze=False, gridspec_kw={"width_ratios": [1.7, 1.0]})
    pieces = [run for run in runs if run.group in drawn]
    for equation, (left, right) in zip(shown, axes):
        levels = {run.group: equation.level_in(run) for run in pieces}
        for run in pieces:
            ink = BAND_INK / list(levels.values()).count(levels[run.group])
            _draw_run(left, right, equation, run, noise, (f"C{drawn.index(run.group)}", ink))
        # parse_math=False: a column called "cost_$" is a name, not the start of a formula
        left.set_title(_shortened(equation.text()), fontsize="medium", loc="left", parse_math=False)
        left.set_ylabel("value")
        right.set_ylabel("(value - level) / noise")
        right.axhspan(-BAND, BAND, color="0.9", zorder=0)
        right.axhline(0, color="0.5", linewidth=0.8, zorder=1)
        for axis in (left, right):
            axis.spines[["top", "right"]].set_visible(False)
            axis.margins(x=0.01)
    for axis in axes[-1]:
        axis.set_xlabel("time")
    axes[0, 1].set_title(f"what is left (band: +/- {BAND:g})", fontsize="medium", loc="left")
    _legend(figure, drawn, _left_out(equations, shown, groups, drawn))
    return figure


def _draw_run(left: Axes, right: Axes, equation: ConservedEquation, run: RunOnLevels, noise: np.ndarray,
              colour: tuple[str, float]) -> None:
    """One run in one row; `colour` comes with the opacity of the band."""
    color, ink = colour
    values, _ = values_and_slopes(equation.terms, run.measured)
    deviation = np.linalg.norm(values_and_slopes(equation.terms, run.states)[1] * noise, axis=1)
    floor = LEAST_DEVIATION * np.sqrt(np.mean(deviation**2))
    deviation = np.maximum(deviation, max(floor, np.finfo(float).tiny))
    level = equation.level_in(run)
    size = 2.5 if len(run) > MANY_SAMPLES else 4.0
    left.plot(run.times, values, ".", color=color, alpha=0.5, markersize=size, markeredgewidth=0, zorder=2)
    left.fill_between(run.times, level - BAND * deviation, level + BAND * deviation, color=color, alpha=ink,
                      linewidth=0, zorder=1)
    left.plot(run.times[[0, -1]], [level, level], color=color, linewidth=1.4, zorder=3)
    right.plot(run.times, (values - level) / deviation, ".", color=color, alpha=0.6, markersize=size, markeredgewidth=0,
               zorder=2)


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST_TITLE else text[:LONGEST_TITLE] + " ..."


def _left_out(equations, shown, groups, drawn):
    """What of the result is not in the picture."""
    parts = []
    if len(equations) > len(shown):
        parts.append(f"the first {len(shown)} of {counted(len(equations), 'equation')}")
    if len(groups) > len(drawn):
        parts.append(f"the first {len(drawn)} of {counted(len(groups), 'run')}")
    return ", ".join(parts) or None


def _legend(figure, drawn, title):
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    several = len(drawn) > 1
    color = "0.4" if several else "C0"
    handles = [Line2D([], [], linestyle="", marker=".", color=color, label="at the data"),
               Line2D([], [], color=color, linewidth=1.4, label="level"),
               Patch(color=color, alpha=0.3, linewidth=0, label=f"noise, +/- {BAND:g} standard deviations")]
    if several:
        handles += [Line2D([], [], color=f"C{k}", linewidth=3, label=f"run {group}".replace("$", r"\$"))
                    for k, group in enumerate(drawn)]
    figure.legend(handles=handles, title=title, loc="outside lower center", ncols=min(len(handles), 5), frameon=False)
