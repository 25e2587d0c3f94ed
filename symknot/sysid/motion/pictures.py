"""Pictures of a model: data, knots and simulations over time, and what is left of the data in units of their noise.

matplotlib is an optional companion (extra ``plot``), imported only when a picture is asked for; figures are made
without pyplot, as in `symknot.plotting`.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import numpy as np

from ...ground.errors import InvalidOption, MissingExtra, SimulationFailed
from ...ground.storage import write_atomically

MOST_RUNS = 6
"""Runs drawn; a note says how many there are."""
MOST_STEPS = 150
"""Steps of a map drawn: more make a black bar."""
BAND = 2.0
"""Most of the noise, 95 %, is within so many standard deviations."""
FINE = 600
"""Times at which a flow's simulation is drawn, at least."""


def draw(model):
    """A `Figure` with one row for each state; see `Model.plot`."""
    Figure = _figure_class()
    d, runs = len(model.names), model.runs[:MOST_RUNS]
    figure = Figure(figsize=(11.0, 1.0 + 2.3 * d), layout="constrained")
    axes = figure.subplots(d, 2, sharex="col", squeeze=False, gridspec_kw={"width_ratios": [1.7, 1.0]})
    for number, run in enumerate(runs):
        _draw_run(axes, model, run, f"C{number}", len(runs) > 1)
    for j, name in enumerate(model.names):
        # parse_math=False: a column called "cost_$" is a name, not the start of a formula
        axes[j, 0].set_ylabel(name, parse_math=False)
        if runs:
            axes[j, 0].set_ylim(*_limits(runs, j))
        axes[j, 1].set_ylabel(f"({name} - knot) / noise", parse_math=False)
        axes[j, 1].axhspan(-BAND, BAND, color="0.9", zorder=0)
        axes[j, 1].axhline(0, color="0.5", linewidth=0.8, zorder=1)
        for axis in axes[j]:
            axis.spines[["top", "right"]].set_visible(False)
            axis.margins(x=0.01)
    for axis in axes[-1]:
        axis.set_xlabel(_abscissa(model), parse_math=False)
    axes[0, 0].set_title(_title(model, runs), fontsize="medium", loc="left")
    axes[0, 1].set_title(f"what is left (band: +/- {BAND:g})", fontsize="medium", loc="left")
    _legend(figure, model, runs)
    return figure


def save_drawing(model, path):
    """Write `draw`'s picture to a file, whole or not at all; returns the figure."""
    picture_format, figure, picture = checked_format(path), draw(model), BytesIO()
    figure.savefig(picture, format=picture_format, dpi=150)
    write_atomically(path, picture.getvalue())
    return figure


def checked_format(path):
    """The format that a picture's file name asks for; complains before any work, also if there is no matplotlib."""
    known = _figure_class()().canvas.get_supported_filetypes()
    picture_format = Path(path).suffix[1:].lower() or "png"
    if picture_format not in known:
        raise InvalidOption("picture format", picture_format, f"one of {', '.join(sorted(known))}")
    return picture_format


def _figure_class():
    try:
        import matplotlib  # noqa: F401 (first, so that a missing package is told from a broken one)
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise MissingExtra("matplotlib", "plot") from error
    return Figure


def _draw_run(axes, model, run, color, several):
    count = min(len(run), MOST_STEPS) if model.kind == "map" else len(run)
    times = run.times[:count] if model.kind == "flow" else np.arange(count)
    if model.kind == "static" and len(model.input_names) == 1:
        times = run.inputs[:, 0]
    measured, knots = run.measured[:count], run.states[:count]
    clock, path = _simulated(model, run, count)
    size = 2.5 if count > 300 else 4.0
    for j in range(len(model.names)):
        left, right = axes[j]
        left.plot(times, measured[:, j], ".", color=color if several else "0.6", alpha=0.5 if several else 1.0,
                  markersize=size, markeredgewidth=0, zorder=1)
        left.plot(times, knots[:, j], "-" if model.kind == "flow" else "o", color=color, linewidth=2.4, markersize=3.5,
                  markerfacecolor="none", markeredgewidth=0.8, alpha=0.65 if model.kind == "flow" else 1.0, zorder=2)
        left.plot(clock, path[:, j], "--" if model.kind == "flow" else "-", color="black",
                  linewidth=1.0 if model.kind == "flow" else 0.6, alpha=0.8, zorder=3)
        off = measured[:, j] - knots[:, j]
        sigma = model.noise[j] if model.noise[j] > 0 else np.sqrt(np.mean(off**2)) or 1.0
        right.plot(times, off / sigma, ".", color=color, alpha=0.6, markersize=size, markeredgewidth=0, zorder=2)


def _abscissa(model):
    """What runs from left to right."""
    if model.kind == "static":
        return model.input_names[0] if len(model.input_names) == 1 else "row"
    return "t" if model.kind == "flow" else "step"


def _limits(runs, j):
    """Limits from data and knots alone: a simulation that leaves them would press them flat."""
    values = np.concatenate([np.r_[run.measured[:, j], run.states[:, j]] for run in runs])
    margin = 0.1 * (np.ptp(values) or 1.0)
    return values.min() - margin, values.max() + margin


def _simulated(model, run, count):
    """Simulation from the first knot, up to where it fails."""
    from .scoring import FIRST_SAMPLES, fitted_start

    nothing = np.empty(0), np.empty((0, len(model.names)))
    if not model.targets or count <= model.dynamics.reach:
        return nothing
    if model.kind == "static":
        if len(model.input_names) > 1:
            return np.arange(count), model.predict(run.inputs)
        inputs = np.linspace(run.inputs.min(), run.inputs.max(), FINE)
        return inputs, model.predict(inputs)
    inputs = run.inputs[:count] if model.input_names else None
    try:
        if model.kind == "map":
            return np.arange(count), model.simulate(run.states[: model.dynamics.reach], count, inputs)
        start = run.states[0] if model.dynamics.order == 1 else fitted_start(model, run, FIRST_SAMPLES)
        times = run.times
        if not model.input_names and len(times) < FINE:
            times = np.linspace(times[0], times[-1], FINE)
        return times, model.simulate(start, times, inputs, rtol=1e-8)
    except SimulationFailed as error:
        return error.times, error.states


def _title(model, runs):
    """What is drawn, and what of it is left out."""
    what = "data, knots and response" if model.kind == "static" else "data, knots and simulation"
    parts = [what if model.targets else "data"]
    if len(model.runs) > len(runs):
        parts.append(f"the first {len(runs)} of {len(model.runs)} runs")
    if model.kind == "map" and any(len(run) > MOST_STEPS for run in runs):
        parts.append(f"the first {MOST_STEPS} steps")
    return ", ".join(parts)


def _legend(figure, model, runs):
    from matplotlib.lines import Line2D

    several = len(runs) > 1
    flow = model.kind == "flow"
    handles = [Line2D([], [], linestyle="", marker=".", color="0.6", label="data"),
               Line2D([], [], linestyle="-" if flow else "", marker=None if flow else "o", markerfacecolor="none",
                      color="0.3" if several else "C0", linewidth=2.4, alpha=0.65,
                      label="knots" if model.targets else "smoothed")]
    if model.targets:
        handles.append(Line2D([], [], linestyle="--" if flow else "-", color="black", linewidth=0.9,
                              label="response" if model.kind == "static" else "simulation from the first knot"))
    if several:
        handles += [Line2D([], [], color=f"C{k}", linewidth=3, label=f"run {run.label}".replace("$", r"\$"))
                    for k, run in enumerate(runs)]
    figure.legend(handles=handles, loc="outside lower center", ncols=min(len(handles), 5), frameon=False)
