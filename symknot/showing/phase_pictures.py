"""Runs in the space of their states: each pair of states, or three in space, with data and what was found of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..polynomials.equation import Equation
from .marks import BELOW, CURVES, DATA, equation_entries
from .pictures import add_legends, new_figure
from .plane_pictures import is_comparable
from .space_pictures import fill_figure, set_box
from .style import DATA_COLOUR, DATA_SIZE, KNOT_SIZE, PAGE_WIDTH, colour_of, data_size, dress, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PHASE_WIDTH = 4.8
"""Width in inches of a picture with one panel: a convention."""
FREE_RATIO = 0.75
"""Height over width of a panel whose axes have units of their own: a convention."""
PANEL_MARGIN = 0.08
"""Margin around the states, as a share of their extent: a convention."""
MOST_STATES = 5
"""States of which pairs are drawn: ten panels, a page.  A line says how many there are."""
TRACK_OPACITY = 0.5
"""Of the states found, so that data on them are seen: a convention."""


class Track(NamedTuple):
    """One run, or a piece of one, in the space of its states.

    Attributes
    ----------
    colour : int
        Number of the run whose piece it is.
    measured : (n, s) array
        Without rows where not all states were measured.
    states : (n, s) array
        What was found.
    """

    colour: int
    measured: np.ndarray
    states: np.ndarray


class PhaseLook(NamedTuple):
    """How tracks are drawn.

    Attributes
    ----------
    joined : bool
        Whether states follow each other along a curve; else each is a ring.
    states_name : str
        What the legend calls the states found.
    run_names : sequence of str
        Of the runs, by number; without them, or with one, the legend does not tell them apart.
    left_out : str or None
        What is said above the legend.
    """

    joined: bool
    states_name: str
    run_names: Sequence[str]
    left_out: str | None = None


def draw_phase(names: Sequence[str], tracks: Sequence[Track], equations: Sequence[Equation], look: PhaseLook,
               under: Callable[[Axes, np.ndarray, np.ndarray], list[Any]] | None = None) -> Figure:
    """Draw runs in the space of two or more states.

    Parameters
    ----------
    names : sequence of str
        Of the states.
    tracks : sequence of Track
    equations : sequence of Equation
        Written below.
    look : PhaseLook
    under : function, optional
        Given the axes of a plane and opposite corners of it, draws what lies below the runs; returns lines for the
        legend.
    """
    every = np.vstack([np.vstack([track.measured, track.states]) for track in tracks])
    lower, upper = every.min(axis=0), every.max(axis=0)
    extent = np.where(upper > lower, upper - lower, np.maximum(np.abs(upper), 1.0))
    lower, upper = lower - PANEL_MARGIN * extent, upper + PANEL_MARGIN * extent
    marks = _entries(tracks, look)
    if len(names) == 2:
        figure, added = _plane(names, tracks, look, (lower, upper), under)
        add_legends(figure, [*marks, *added], _written(equations, PHASE_WIDTH), look.left_out)
    elif len(names) == 3:
        figure = new_figure(figsize=(PHASE_WIDTH, PHASE_WIDTH))
        ax: Any = figure.add_subplot(projection="3d", computed_zorder=False)
        dress(ax, *names)
        aspect = set_box(ax, lower, upper)
        for track in tracks:
            _draw_track(ax, track, (0, 1, 2), look)
        add_legends(figure, marks, _written(equations, PHASE_WIDTH), look.left_out)
        fill_figure(figure, ax, aspect, bool(marks))
    else:
        figure = _pairs(names, tracks, look, (lower, upper))
        said = [look.left_out] if look.left_out else []
        said += [f"the first {MOST_STATES} of {len(names)} states"] if len(names) > MOST_STATES else []
        add_legends(figure, marks, _written(equations, PAGE_WIDTH), ", ".join(said) or None)
    return figure


def _plane(names, tracks, look, corners, under):
    lower, upper = corners
    equal = is_comparable(lower, upper)
    ratio = (upper - lower)[1] / (upper - lower)[0] if equal else FREE_RATIO
    figure = new_figure(figsize=(PHASE_WIDTH, 0.35 + (PHASE_WIDTH - 0.35) * min(ratio, 1.0)), layout="constrained")
    ax = figure.add_subplot()
    dress(ax, *names)
    ax.set_xlim(lower[0], upper[0])
    ax.set_ylim(lower[1], upper[1])
    added = under(ax, lower, upper) if under is not None else []
    for track in tracks:
        _draw_track(ax, track, (0, 1), look)
    if equal:
        ax.set_aspect("equal")
    return figure, added


def _pairs(names, tracks, look, corners):
    shown = min(len(names), MOST_STATES)
    figure = new_figure(figsize=(PAGE_WIDTH, 0.92 * PAGE_WIDTH), layout="constrained")
    axes = figure.subplots(shown - 1, shown - 1, sharex="col", sharey="row", squeeze=False)
    for row in range(shown - 1):
        for column in range(shown - 1):
            ax, pair = axes[row, column], (column, row + 1)
            if column > row:
                ax.set_axis_off()
                continue
            for track in tracks:
                _draw_track(ax, track, pair, look)
            ax.set_xlim(corners[0][pair[0]], corners[1][pair[0]])
            ax.set_ylim(corners[0][pair[1]], corners[1][pair[1]])
            dress(ax, names[pair[0]] if row == shown - 2 else "", names[pair[1]] if column == 0 else "")
    figure.align_labels()
    return figure


def _draw_track(ax: Any, track: Track, columns: Sequence[int], look: PhaseLook) -> None:
    several, colour = len(look.run_names) > 1, colour_of(track.colour)
    states, measured = track.states[:, columns].T, track.measured[:, columns].T
    if look.joined:
        ax.plot(*states, color=colour, linewidth=1.6, alpha=TRACK_OPACITY, zorder=BELOW)
    else:
        ax.plot(*states, "o", color=colour, markerfacecolor="none", markeredgewidth=0.7, markersize=0.8 * KNOT_SIZE,
                zorder=CURVES)
    ax.plot(*measured, ".", color=colour if several else DATA_COLOUR, markersize=0.7 * data_size(measured.shape[1]),
            markeredgewidth=0, zorder=DATA)


def _entries(tracks: Sequence[Track], look: PhaseLook) -> list[Any]:
    from matplotlib.lines import Line2D

    several = len(look.run_names) > 1
    colour = "0.3" if several else colour_of(0)
    ring = {"linestyle": "", "marker": "o", "markerfacecolor": "none", "markersize": 0.8 * KNOT_SIZE}
    line = {"linewidth": 1.6, "alpha": TRACK_OPACITY}
    entries = []
    if any(len(track.measured) for track in tracks):
        entries.append(Line2D([], [], linestyle="", marker=".", markeredgewidth=0, markersize=1.5 * DATA_SIZE,
                              color=DATA_COLOUR, label="data"))
    entries.append(Line2D([], [], color=colour, label=look.states_name, **(line if look.joined else ring)))
    if several:
        entries += [Line2D([], [], color=colour_of(k), linewidth=3, label=plain(f"run {name}"))
                    for k, name in enumerate(look.run_names)]
    return entries


def _written(equations: Sequence[Equation], width: float) -> list[Any]:
    return equation_entries(equations, 0.86 * width, drawn=0)
