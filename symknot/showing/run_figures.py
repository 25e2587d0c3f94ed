"""Views of runs: what was measured and what was found of it, over time and in the space of the states."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from .figures import (
    ABOVE_MARKS,
    MOST_POINTS,
    View,
    band,
    curve_role,
    heading,
    in_columns,
    in_panel,
    numbers,
    panels,
    placed,
    safe,
    space,
    titled,
)
from .phase_pictures import PANEL_MARGIN
from .plane_pictures import is_comparable

WIDTHS = (1.7, 1.0)
"""Relative widths of the panels of a row: a convention, as in pictures."""
PHASE_HEIGHT = 560
"""Of a view, in pixels: a convention."""


class Line(NamedTuple):
    """One thing over time in one panel.

    Attributes
    ----------
    run : int
        Number of the run, for its colour.
    kind : {"data", "knots", "rings", "path", "input"}
        How it is drawn.
    name : str
        What the legend calls it.
    x, y : arrays
    """

    run: int
    kind: str
    name: str
    x: np.ndarray
    y: np.ndarray


class Row(NamedTuple):
    """A variable over time: its name, words above, what is drawn on the left; on the right, if anything, what is left of the
    data."""

    name: str
    words: str
    left: Sequence[Line]
    right: Sequence[Line] = ()
    right_name: str = ""


def stride(count: int, most: int = MOST_POINTS) -> int:
    """Every which sample of a run is drawn.

    Examples
    --------
    >>> stride(100, 1000), stride(2500, 1000)
    (1, 3)
    """
    return max(-(-count // most), 1)


def stride_words(counts: Iterable[int]) -> list[str]:
    """What is said of runs with so many samples, where not all are drawn.

    Examples
    --------
    >>> stride_words([100, 9000]), stride_words([100])
    (['One sample in 3 is drawn.'], [])
    """
    step = max(map(stride, counts), default=1)
    return [f"One sample in {step} is drawn."] if step > 1 else []


def time_view(rows: Sequence[Row], run_names: Sequence[str], abscissa: str, half_band: float) -> View:
    """Panels from top to bottom, one row for each state; the legend switches runs on and off."""
    layout: dict[str, Any] = {**panels(len(rows), WIDTHS), "shapes": [], "annotations": []}
    traces, seen = [], set()
    for number, row in enumerate(rows):
        for place, lines in ((2 * number, row.left), (2 * number + 1, row.right)):
            for line in lines:
                label = _label(line, run_names)
                said = f"{safe(abscissa)}: %{{x:.6g}}<br>%{{y:.6g}}<extra>{label}</extra>"
                traces.append({**_drawn(line, len(run_names) > 1), **in_panel(place), "name": label, "legendgroup": label,
                               "showlegend": label not in seen, "hovertemplate": said})
                seen.add(label)
        key_left, key_right = (in_panel(place)["yaxis"].replace("y", "yaxis", 1) for place in (2 * number, 2 * number + 1))
        titled(layout, key_left, row.name)
        layout["annotations"].append(heading(2 * number, row.words))
        if row.right:
            titled(layout, key_right, row.right_name)
            layout["shapes"].append(band(2 * number + 1, half_band))
        else:
            layout[key_right] |= {"visible": False}
            layout[key_right.replace("y", "x", 1)] |= {"visible": False}
    lowest = max((number for number, row in enumerate(rows) if row.right), default=len(rows) - 1)      # on the right
    for place in (2 * len(rows) - 2, 2 * lowest + 1):
        key = in_panel(place)["xaxis"].replace("x", "xaxis", 1)
        titled(layout, key, abscissa)
        layout[key]["showticklabels"] = True
    return View({"data": traces, "layout": layout})


def _label(line: Line, run_names: Sequence[str]) -> str:
    return safe(f"{line.name}, run {run_names[line.run]}" if len(run_names) > 1 else line.name)


def _drawn(line: Line, several: bool) -> dict[str, Any]:
    colour = curve_role(line.run)
    looks: dict[str, dict[str, Any]] = {
        "data": {"mode": "markers", "marker": {"color": colour if several else "@data", "size": 4, "opacity": 0.75}},
        "knots": {"mode": "lines", "opacity": 0.5, "line": {"color": colour, "width": 4}},
        "rings": {"mode": "markers", "marker": {"symbol": "circle-open", "color": colour, "size": 7}},
        "input": {"mode": "lines", "line": {"color": colour if several else "@knot", "width": 1.4}},
        "path": {"mode": "lines", "line": {"color": "@knot", "width": 1.4, "dash": "dash"}}}
    return {"type": "scatter", "x": numbers(line.x), "y": numbers(line.y), **looks[line.kind]}


class Path(NamedTuple):
    """A run in the space of its states: number, what was measured (maybe nothing) and what was found, (n, s) arrays."""

    run: int
    measured: np.ndarray
    states: np.ndarray


def phase_view(names: Sequence[str], paths: Sequence[Path], run_names: Sequence[str], states_name: str, *, joined: bool,
               under: Sequence[dict[str, Any]] = ()) -> View:
    """Runs in a plane, in space, or over those states that the reader chooses; `under` are traces of a plane below them."""
    several = len(run_names) > 1
    place = placed if len(names) <= 3 else lambda points, _, **options: in_columns(points, **options)
    traces: list[dict[str, Any]] = list(under)
    for path in paths:
        run, colour = f", run {safe(run_names[path.run])}" if several else "", curve_role(path.run)
        look: dict[str, Any] = {"mode": "lines", "line": {"color": colour, "width": 3}, "opacity": 0.7} if joined else {
            "mode": "markers", "marker": {"symbol": "circle-open", "color": colour, "size": 5}}
        traces.append(place(path.states, names, name=f"{states_name}{run}", **look))
        if len(path.measured):
            traces.append(place(path.measured, names, name=f"data{run}", mode="markers", opacity=0.7,
                                marker={"color": colour if several else "@data", "size": 3}))
    layout: dict[str, Any] = {"height": PHASE_HEIGHT, "margin": {"l": 10, "r": 10, "t": 45, "b": 10}, "hovermode": "closest",
                              "legend": ABOVE_MARKS, "showlegend": True}
    if len(names) > 3:
        return View({"data": traces, "layout": layout}, tuple(names))
    lower, upper = corners(paths)
    equal = is_comparable(lower, upper)
    if len(names) == 3:
        layout["scene"] = space(names, lower, upper, equal)
        return View({"data": traces, "layout": layout})
    for letter, name, low, high in zip("xy", names, lower, upper):
        layout[f"{letter}axis"] = {"title": {"text": safe(name)}, "range": numbers([low, high])}
    layout["yaxis"] |= {"scaleanchor": "x"} if equal else {}
    return View({"data": traces, "layout": layout})


def corners(paths: Sequence[Path]) -> tuple[np.ndarray, np.ndarray]:
    """Opposite corners of what paths need, with a margin."""
    every = np.vstack([part for path in paths for part in (path.measured, path.states) if len(part)])
    every = every[np.isfinite(every).all(axis=1)]
    lower, upper = every.min(axis=0), every.max(axis=0)
    extent = np.where(upper > lower, upper - lower, np.maximum(np.abs(upper), 1.0))
    return lower - PANEL_MARGIN * extent, upper + PANEL_MARGIN * extent


def arrows(points: np.ndarray, steps: np.ndarray, names: Sequence[str], label: str) -> list[dict[str, Any]]:
    """Directions in a plane: short lines, each with a dot where it leads."""
    line = np.full((3 * len(points), 2), np.nan)
    line[0::3], line[1::3] = points, points + steps
    quiet: dict[str, Any] = {"hoverinfo": "skip", "hovertemplate": None, "legendgroup": label, "name": label}
    return [placed(line, names, mode="lines", line={"color": "@soft", "width": 1}, **quiet),
            placed(points + steps, names, mode="markers", marker={"color": "@soft", "size": 3}, showlegend=False, **quiet)]
