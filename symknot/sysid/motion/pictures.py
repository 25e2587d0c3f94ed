"""Pictures of a model over time: equations, data, knots and simulations, inputs, and what is left of the data.

One row for each state, under its equation: on the left data, knots and the simulation, on the right what is left of the
data in units of their noise.  Below them one row for each input.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ...ground.errors import SimulationFailed
from ...showing.pictures import add_legends, new_figure
from ...showing.style import (
    BLACK,
    DATA_COLOUR,
    DATA_SIZE,
    FAINT,
    KNOT_SIZE,
    PAGE_WIDTH,
    PANEL_HEIGHT,
    TEXT_SIZE,
    colour_of,
    data_size,
    dress,
    plain,
)
from ...showing.typesetting import equation_label, set_in_math_font
from .dynamics import Motion
from .equation import MotionEquation
from .reporting import root_mean_square

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_DRAWN_RUNS = 6
"""Runs drawn, in colours that can be told apart; a note says how many there are."""
BAND_DEVIATIONS = 2.0
"""Most of the noise, 95 %, is within so many standard deviations."""
LEFT_SHARE = 1.7
"""Width of the left panels over that of the right ones: a convention."""
TITLE_SHARE = 0.58
"""Share of the picture's width that an equation may take above its row: the left panel."""
INPUT_HEIGHT = 0.6
"""Height of an input's row over that of a state's: a convention."""


class DrawnMotion(Motion, Protocol):
    """What a picture shows of a model; `Model` is one."""

    @property
    def polynomials(self) -> tuple[MotionEquation, ...]: ...
    @property
    def states_without_equation(self) -> tuple[str, ...]: ...


def draw(model: DrawnMotion) -> Figure:
    """A `Figure` with one row for each state and each input; see `Model.plot`."""
    d, runs = len(model.state_names), model.runs[:MOST_DRAWN_RUNS]
    inputs_drawn = drawn_inputs(model)
    rows = [1.0] * d + [INPUT_HEIGHT] * len(inputs_drawn)
    figure = new_figure(figsize=(PAGE_WIDTH, 0.4 + PANEL_HEIGHT * sum(rows)), layout="constrained")
    grid = figure.add_gridspec(len(rows), 2, width_ratios=[LEFT_SHARE, 1.0], height_ratios=rows)
    axes = np.empty((d, 2), dtype=object)
    for j, side in np.ndindex(d, 2):
        axes[j, side] = figure.add_subplot(grid[j, side], sharex=axes[0, side])
    below = [figure.add_subplot(grid[d + k, 0], sharex=axes[0, 0]) for k in range(len(inputs_drawn))]
    for number, run in enumerate(runs):
        _draw_run(axes, model, run, colour_of(number), len(runs) > 1)
        _draw_inputs(below, inputs_drawn, model, run, colour_of(number) if len(runs) > 1 else BLACK)
    _dress_states(axes, model, runs, bool(below))
    for number, (ax, place) in enumerate(zip(below, inputs_drawn)):
        name, last = model.input_names[place], number == len(below) - 1
        dress(ax, model.dynamics.abscissa_name(model) if last else "", name)
        ax.tick_params(labelbottom=last)
        said = "no equation, counts as an input" if name in model.states_without_equation else "input"
        ax.set_title(said, fontsize=TEXT_SIZE, loc="left")
    figure.align_ylabels([*axes[:, 0], *below])
    add_legends(figure, _entries(model, runs), [], _left_out(model, runs))
    return figure


def drawn_inputs(model: Motion) -> list[int]:
    """Places of the inputs that have a row: all, unless one is the abscissa itself."""
    return [place for place, name in enumerate(model.input_names) if name != model.dynamics.abscissa_name(model)]


def _dress_states(axes: np.ndarray, model: DrawnMotion, runs: Sequence[Any], inputs_below: bool) -> None:
    abscissa, d = model.dynamics.abscissa_name(model), len(axes)
    for j, name in enumerate(model.state_names):
        left, right = axes[j]
        last = j == d - 1
        dress(left, "" if inputs_below or not last else abscissa, name)
        dress(right, abscissa if last else "", f"({name} - {_found(model)}) / noise")
        left.tick_params(labelbottom=last and not inputs_below)
        right.tick_params(labelbottom=last)
        if runs:
            left.set_ylim(*_limits(runs, j))
        right.axhspan(-BAND_DEVIATIONS, BAND_DEVIATIONS, color=FAINT, zorder=0)
        right.axhline(0, color="0.5", linewidth=0.6, zorder=1)
        for axis in (left, right):
            axis.margins(x=0.01)
        words = equation_label(model.polynomials[j], TITLE_SHARE * PAGE_WIDTH) if model.targets else "no equation"
        set_in_math_font([left.set_title(words, fontsize=TEXT_SIZE, loc="left")])


def _found(model: Motion) -> str:
    return "knot" if model.targets else "smoothed"


def _draw_run(axes, model, run, colour, several):
    dynamics, style = model.dynamics, model.dynamics.style
    count = min(len(run), dynamics.most_drawn or len(run))
    times = dynamics.abscissa(model, run, count)
    measured, knots = run.measured[:count], run.states[:count]
    clock, path = predicted(model, run, count)
    size = data_size(count)
    for j in range(len(model.state_names)):
        left, right = axes[j]
        # data lie on top of the knots' broad line, where they are seen
        left.plot(times, measured[:, j], ".", color=colour if several else DATA_COLOUR, markersize=0.8 * size,
                  markeredgewidth=0, zorder=4)
        left.plot(times, knots[:, j], linestyle=style.knot_line, marker=style.knot_marker, color=colour, linewidth=2.6,
                  markersize=0.8 * KNOT_SIZE, markerfacecolor="none", markeredgewidth=0.7, alpha=style.knot_alpha,
                  zorder=2)
        left.plot(clock, path[:, j], style.path_line, color=BLACK, linewidth=style.path_width, zorder=3)
        off = measured[:, j] - knots[:, j]
        sigma = model.state_noise[j] if model.state_noise[j] > 0 else root_mean_square(off[np.isfinite(off)]) or 1.0
        right.plot(times, off / sigma, ".", color=colour, alpha=0.7, markersize=0.8 * size, markeredgewidth=0, zorder=2)


def _draw_inputs(below: Sequence[Axes], places: Sequence[int], model: Motion, run: Any, colour: str) -> None:
    count = min(len(run), model.dynamics.most_drawn or len(run))
    times = model.dynamics.abscissa(model, run, count)
    for ax, place in zip(below, places):
        ax.plot(times, run.inputs[:count, place], color=colour, linewidth=1.0)


def _limits(runs, j):
    """Limits from data and knots alone: a simulation that leaves them would press them flat."""
    values = np.concatenate([np.r_[run.measured[:, j], run.states[:, j]] for run in runs])
    values = values[np.isfinite(values)]
    margin = 0.1 * (np.ptp(values) or 1.0)
    return values.min() - margin, values.max() + margin


def complete_rows(measured: np.ndarray) -> np.ndarray:
    """Rows of which nothing is missing."""
    return measured[np.isfinite(measured).all(axis=1)]


def predicted(model: Motion, run: Any, count: int) -> tuple[np.ndarray, np.ndarray]:
    """What the model makes of a run, up to where it fails."""
    if not model.targets or count <= model.dynamics.reach:
        return np.empty(0), np.empty((0, len(model.state_names)))
    try:
        return model.dynamics.drawn_path(model, run, count)
    except SimulationFailed as error:
        return np.asarray(error.times), np.asarray(error.states)


def _left_out(model: Motion, runs: Sequence[Any]) -> str | None:
    """What of the runs is not drawn."""
    most, parts = model.dynamics.most_drawn, []
    if len(model.runs) > len(runs):
        parts.append(f"the first {len(runs)} of {len(model.runs)} runs")
    if most is not None and any(len(run) > most for run in runs):
        parts.append(f"the first {most} steps")
    return ", ".join(parts) or None


def _entries(model: Motion, runs: Sequence[Any]) -> list[Any]:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    several = len(runs) > 1
    style: Any = model.dynamics.style
    entries: list[Any] = [
        Line2D([], [], linestyle="", marker=".", color=DATA_COLOUR, markersize=1.5 * DATA_SIZE, markeredgewidth=0,
               label="data"),
        Line2D([], [], linestyle=style.knot_line, marker=style.knot_marker, markerfacecolor="none",
               color="0.3" if several else colour_of(0), linewidth=2.6, markersize=0.8 * KNOT_SIZE,
               alpha=style.knot_alpha, label="knots" if model.targets else "smoothed")]
    if model.targets:
        entries.append(Line2D([], [], linestyle=style.path_line, color=BLACK, linewidth=style.path_width,
                              label=model.dynamics.path_label))
    entries.append(Patch(color=FAINT, linewidth=0, label=f"noise, +/- {BAND_DEVIATIONS:g}"))
    if several:
        entries += [Line2D([], [], color=colour_of(k), linewidth=3, label=plain(f"run {run.label}"))
                    for k, run in enumerate(runs)]
    return entries
