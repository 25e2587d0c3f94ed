"""Pictures of a model in the space of its states: the phase portrait.

Two states of a flow without inputs get the field of directions below the runs.  A single state is drawn against what its
equation gives: the derivative of a flow, the next state of a map.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...ground.errors import InvalidOption
from ...showing.marks import equation_entries
from ...showing.phase_pictures import PHASE_WIDTH, PhaseLook, Track, draw_phase
from ...showing.pictures import add_legends, new_figure
from ...showing.style import BLACK, DATA_COLOUR, DATA_SIZE, KNOT_SIZE, LINE_WIDTH, colour_of, data_size, dress
from .dynamics import Motion
from .pictures import MOST_DRAWN_RUNS, DrawnMotion, complete_rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FIELD_LINES = 25
"""Grid lines along each state on which directions are evaluated: a convention."""
CURVE_POINTS = 400
"""Points of a right-hand side's curve: one for every two or three pixels."""
MARGIN = 0.06
"""Margin of that curve beyond the states, as a share of their extent: a convention."""


def draw_phase_portrait(model: DrawnMotion) -> Figure:
    """A `Figure` of the runs in the space of their states; see `Model.plot`."""
    if not model.dynamics.moves:
        raise InvalidOption("kind", "phase", "'time' for responses, which have no states that move")
    if not model.runs:
        raise InvalidOption("kind", "phase", "'time' for a model without runs: there is nothing to draw")
    runs = model.runs[:MOST_DRAWN_RUNS]
    whole = [model.dynamics.whole_states(run) if model.targets else run.states for run in runs]
    if whole[0].shape[1] == 1:
        return _draw_single(model, runs)
    count = whole[0].shape[1]
    names = model.arguments[:count] if count > len(model.state_names) else model.state_names
    empty = np.empty((0, count))
    tracks = [Track(number, complete_rows(run.measured) if run.measured.shape[1] == count else empty, states)
              for number, (run, states) in enumerate(zip(runs, whole))]
    left_out = f"the first {len(runs)} of {len(model.runs)} runs" if len(model.runs) > len(runs) else None
    look = PhaseLook(model.dynamics.is_smooth, "knots" if model.targets else "smoothed", [run.label for run in runs], left_out)
    steady = model.dynamics.is_smooth and model.targets and not model.input_names
    return draw_phase(names, tracks, model.polynomials, look,
                      lambda ax, lower, upper: _draw_directions(ax, model, lower, upper) if steady else [])


def _draw_directions(ax: Axes, model: Motion, lower: np.ndarray, upper: np.ndarray) -> list[Any]:
    """Where the flow leads, as lines with arrows."""
    from matplotlib.lines import Line2D

    x, y = (np.linspace(low, high, FIELD_LINES) for low, high in zip(lower, upper))
    states = np.stack(np.meshgrid(x, y)).reshape(2, -1)
    with np.errstate(all="ignore"):
        rates = model.field.values(model.coefficients, states)
    known = len(states) - len(rates)                            # velocities are states, and rates of positions
    rates = np.vstack([states[len(states) - known:], rates]) if known else rates
    u, v = np.where(np.isfinite(rates), rates, np.nan).reshape(2, FIELD_LINES, FIELD_LINES)
    ax.streamplot(x, y, u, v, color="0.75", linewidth=0.6, arrowsize=0.7, density=1.1, zorder=0.5)
    return [Line2D([], [], color="0.75", linewidth=0.8, label="where the equations lead")]


def _draw_single(model: DrawnMotion, runs: Any) -> Figure:
    """One state against what its equation gives of it."""
    if not model.targets:
        raise InvalidOption("kind", "phase", "'time' for a single state without an equation")
    figure = new_figure(figsize=(PHASE_WIDTH, 0.8 * PHASE_WIDTH), layout="constrained")
    ax = figure.add_subplot()
    dress(ax, model.state_names[0], model.targets[0])
    dynamics, measured = model.dynamics, False
    size = data_size(sum(map(len, runs)))
    for number, run in enumerate(runs):
        colour = colour_of(number)
        points = dynamics.arguments(run.states.T, run.inputs.T)
        seen = dynamics.measured_targets(run)
        if seen is not None:
            measured = True
            ax.plot(dynamics.arguments(run.measured.T, run.inputs.T)[0], seen[:, 0], ".", color=DATA_COLOUR, markersize=size,
                    markeredgewidth=0, zorder=2)
        ax.plot(points[0], model.field.values(model.coefficients, points)[0], "o", color=colour, markerfacecolor="none",
                markeredgewidth=0.7, markersize=0.8 * KNOT_SIZE, zorder=3)
    _draw_right_hand_side(ax, model)
    add_legends(figure, _single_entries(measured), equation_entries(
        model.polynomials, 0.86 * PHASE_WIDTH, drawn=int(len(model.arguments) == 1)))
    return figure


def _draw_right_hand_side(ax: Axes, model: Motion) -> None:
    """The curve of a right-hand side of the state alone."""
    if len(model.arguments) > 1:
        return
    low, high = ax.get_xlim()
    x = np.linspace(low - MARGIN * (high - low), high + MARGIN * (high - low), CURVE_POINTS)
    with np.errstate(all="ignore"):
        y = model.field.values(model.coefficients, x[None])[0]
    limits = ax.get_ylim()
    ax.plot(x, y, color=colour_of(0), linewidth=LINE_WIDTH, zorder=1)
    ax.set_xlim(low, high)
    ax.set_ylim(*limits)


def _single_entries(measured: bool) -> list[Any]:
    from matplotlib.lines import Line2D

    data = Line2D([], [], linestyle="", marker=".", markeredgewidth=0, markersize=1.5 * DATA_SIZE, color=DATA_COLOUR,
                  label="data")
    knots = Line2D([], [], linestyle="", marker="o", markerfacecolor="none", color=BLACK, markeredgewidth=0.7,
                   markersize=0.8 * KNOT_SIZE, label="knots")
    return [data, knots] if measured else [knots]
