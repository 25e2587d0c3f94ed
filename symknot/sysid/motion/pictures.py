"""Pictures of a model: data, knots and simulations over time, and what is left of the data in units of their noise."""

from __future__ import annotations

import numpy as np

from ...ground.errors import SimulationFailed
from ...showing.pictures import new_figure

MOST_DRAWN_RUNS = 6
"""Runs drawn, in colours that can be told apart; a note says how many there are."""
BAND_DEVIATIONS = 2.0
"""Most of the noise, 95 %, is within so many standard deviations."""
MANY_SAMPLES = 300
"""Samples from which on they are drawn as smaller dots."""


def draw(model):
    """A `Figure` with one row for each state; see `Model.plot`."""
    d, runs = len(model.state_names), model.runs[:MOST_DRAWN_RUNS]
    figure = new_figure(figsize=(11.0, 1.0 + 2.3 * d), layout="constrained")
    axes = figure.subplots(d, 2, sharex="col", squeeze=False, gridspec_kw={"width_ratios": [1.7, 1.0]})
    for number, run in enumerate(runs):
        _draw_run(axes, model, run, f"C{number}", len(runs) > 1)
    for j, name in enumerate(model.state_names):
        # parse_math=False: a column called "cost_$" is a name, not the start of a formula
        axes[j, 0].set_ylabel(name, parse_math=False)
        if runs:
            axes[j, 0].set_ylim(*_limits(runs, j))
        axes[j, 1].set_ylabel(f"({name} - knot) / noise", parse_math=False)
        axes[j, 1].axhspan(-BAND_DEVIATIONS, BAND_DEVIATIONS, color="0.9", zorder=0)
        axes[j, 1].axhline(0, color="0.5", linewidth=0.8, zorder=1)
        for axis in axes[j]:
            axis.spines[["top", "right"]].set_visible(False)
            axis.margins(x=0.01)
    for axis in axes[-1]:
        axis.set_xlabel(model.dynamics.abscissa_name(model), parse_math=False)
    axes[0, 0].set_title(_title(model, runs), fontsize="medium", loc="left")
    axes[0, 1].set_title(f"what is left (band: +/- {BAND_DEVIATIONS:g})", fontsize="medium", loc="left")
    _legend(figure, model, runs)
    return figure


def _draw_run(axes, model, run, color, several):
    dynamics, style = model.dynamics, model.dynamics.style
    count = min(len(run), dynamics.most_drawn or len(run))
    times = dynamics.abscissa(model, run, count)
    measured, knots = run.measured[:count], run.states[:count]
    clock, path = _predicted(model, run, count)
    size = 2.5 if count > MANY_SAMPLES else 4.0
    for j in range(len(model.state_names)):
        left, right = axes[j]
        left.plot(times, measured[:, j], ".", color=color if several else "0.6", alpha=0.5 if several else 1.0,
                  markersize=size, markeredgewidth=0, zorder=1)
        left.plot(times, knots[:, j], linestyle=style.knot_line, marker=style.knot_marker, color=color, linewidth=2.4,
                  markersize=3.5, markerfacecolor="none", markeredgewidth=0.8, alpha=style.knot_alpha, zorder=2)
        left.plot(clock, path[:, j], style.path_line, color="black", linewidth=style.path_width, alpha=0.8, zorder=3)
        off = measured[:, j] - knots[:, j]
        sigma = model.state_noise[j] if model.state_noise[j] > 0 else np.sqrt(np.mean(off**2)) or 1.0
        right.plot(times, off / sigma, ".", color=color, alpha=0.6, markersize=size, markeredgewidth=0, zorder=2)


def _limits(runs, j):
    """Limits from data and knots alone: a simulation that leaves them would press them flat."""
    values = np.concatenate([np.r_[run.measured[:, j], run.states[:, j]] for run in runs])
    margin = 0.1 * (np.ptp(values) or 1.0)
    return values.min() - margin, values.max() + margin


def _predicted(model, run, count):
    """What the model makes of a run, up to where it fails."""
    if not model.targets or count <= model.dynamics.reach:
        return np.empty(0), np.empty((0, len(model.state_names)))
    try:
        return model.dynamics.drawn_path(model, run, count)
    except SimulationFailed as error:
        return error.times, error.states


def _title(model, runs):
    """What is drawn, and what of it is left out."""
    most = model.dynamics.most_drawn
    parts = [f"data, knots and {model.dynamics.path_name}" if model.targets else "data"]
    if len(model.runs) > len(runs):
        parts.append(f"the first {len(runs)} of {len(model.runs)} runs")
    if most is not None and any(len(run) > most for run in runs):
        parts.append(f"the first {most} steps")
    return ", ".join(parts)


def _legend(figure, model, runs):
    from matplotlib.lines import Line2D

    several, style = len(runs) > 1, model.dynamics.style
    handles = [Line2D([], [], linestyle="", marker=".", color="0.6", label="data"),
               Line2D([], [], linestyle=style.knot_line, marker=style.knot_marker, markerfacecolor="none",
                      color="0.3" if several else "C0", linewidth=2.4, alpha=0.65,
                      label="knots" if model.targets else "smoothed")]
    if model.targets:
        handles.append(Line2D([], [], linestyle=style.path_line, color="black", linewidth=0.9,
                              label=model.dynamics.path_label))
    if several:
        handles += [Line2D([], [], color=f"C{k}", linewidth=3, label=f"run {run.label}".replace("$", r"\$"))
                    for k, run in enumerate(runs)]
    figure.legend(handles=handles, loc="outside lower center", ncols=min(len(handles), 5), frameon=False)
