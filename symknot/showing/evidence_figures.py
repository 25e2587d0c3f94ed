"""Views of what a fit rests on: what is left of the data along the variety, and the spectrum."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..fitting.spectrum import Spectrum
from ..ground.wording import counted
from .figures import (
    ABOVE,
    MARGINS,
    MOST_POINTS,
    View,
    axis_key,
    band,
    curve_role,
    heading,
    in_panel,
    joined,
    legend_text,
    numbers,
    panels,
    safe,
    thinned,
    titled,
)
from .residual_pictures import BAND, MOST_EQUATIONS, feet_and_distances, local_means, positions_of
from .scene import Scene
from .spectrum_pictures import HALF_DASH, SMALLEST_SHARE
from .style import data_size

SPECTRUM_HEIGHT = 380
"""Of a view, in pixels: a convention."""
FEW_DECADES = 3.0
"""Decades below which an axis has numbers inside of each: a convention."""


def has_residuals(scene: Scene) -> bool:
    """Whether distances of the data from the equations can be shown in units of the noise."""
    return bool(len(scene.data) and scene.equations and scene.noise is not None and not scene.logarithmic)


def residual_view(scene: Scene) -> tuple[View, list[str]]:
    """Distances of the data from each equation along the variety, and sentences about what is not shown."""
    shown = scene.equations[:MOST_EQUATIONS]
    feet, distances = feet_and_distances(scene)
    labels, positions, breaks = positions_of(scene, feet)
    usual = np.flatnonzero(~scene.is_outlier)
    limit = max(1.15 * np.nanmax(np.abs(distances[usual][:, : len(shown)]), initial=BAND), 1.5 * BAND)
    kept = thinned(np.ones(len(usual)), MOST_POINTS, "data points")
    layout: dict[str, Any] = {**panels(len(shown), [1.0] * len(labels)), "shapes": [], "annotations": []}
    traces = []
    for row, equation in enumerate(shown):
        for column, label in enumerate(labels):
            place, first = row * len(labels) + column, row == column == 0
            where, off = positions[:, column], np.clip(distances[:, row], -limit, limit)
            traces += _panel(place, usual[kept.rows], where, off, first)
            traces += _outliers(place, np.flatnonzero(scene.is_outlier), where, off, first)
            traces.append(_means(place, where[usual], off[usual], breaks, first))
            _dress(layout, place, limit, column == 0)
            titled(layout, f"xaxis{axis_key(place)}", label if row == len(shown) - 1 else "")
        layout["annotations"].append(heading(row * len(labels), legend_text(equation, row)))
    words = [kept.words]
    if len(scene.equations) > len(shown):
        words.append(f"The first {len(shown)} of {len(scene.equations)} equations are drawn.")
    return View({"data": traces, "layout": layout}), [sentence for sentence in words if sentence]


def _panel(place: int, rows: np.ndarray, where: np.ndarray, off: np.ndarray, first: bool) -> list[dict[str, Any]]:
    return [{"type": "scatter", "mode": "markers", "name": "data", "showlegend": first, "legendgroup": "data",
             "x": numbers(where[rows]), "y": numbers(off[rows]), "customdata": rows.tolist(), **in_panel(place),
             "marker": {"color": "@data", "size": data_size(len(rows))},
             "hovertemplate": "row %{customdata}: %{y:.3g} noises<extra></extra>"}]


def _outliers(place: int, rows: np.ndarray, where: np.ndarray, off: np.ndarray, first: bool) -> list[dict[str, Any]]:
    if not len(rows):
        return []
    return [{"type": "scatter", "mode": "markers", "name": "outliers", "showlegend": first, "legendgroup": "outliers",
             "x": numbers(where[rows]), "y": numbers(off[rows]), "customdata": rows.tolist(), **in_panel(place),
             "marker": {"color": "@outlier", "size": 6, "symbol": "x"},
             "hovertemplate": "outlier, row %{customdata}<extra></extra>"}]


def _means(place: int, where: np.ndarray, off: np.ndarray, breaks: list[float], first: bool) -> dict[str, Any]:
    """Means of neighbouring points, piece by piece of a curve."""
    pieces, ends = [], [-np.inf, *breaks, np.inf]
    for low, high in zip(ends[:-1], ends[1:]):
        own = (where >= low) & (where < high) & np.isfinite(off)
        pieces.append(np.column_stack(local_means(where[own], off[own])))
    line = joined(pieces, 3)
    return {"type": "scatter", "mode": "lines", "name": f"local mean, ± {BAND:g} standard errors", "showlegend": first,
            "legendgroup": "means", "x": numbers(line[:, 0]), "y": numbers(line[:, 1]), **in_panel(place),
            "line": {"color": "@knot", "width": 1.6}, "hovertemplate": "mean %{y:.3g}<extra></extra>",
            "error_y": {"type": "data", "array": numbers(BAND * line[:, 2]), "color": "@knot", "thickness": 1, "width": 0}}


def _dress(layout: dict[str, Any], place: int, limit: float, first: bool) -> None:
    key = axis_key(place)
    layout[f"yaxis{key}"] |= {"range": numbers([-1.05 * limit, 1.05 * limit]), "title": {"text": "distance / noise" * first}}
    layout["shapes"].append(band(place, BAND))


def spectrum_view(spectrum: Spectrum) -> View:
    """How nearly the best polynomials of each degree vanish, the gap, and epsilon."""
    gap, floor = spectrum.gap, SMALLEST_SHARE * (spectrum.spread or 1.0)
    parts: dict[bool, list[tuple[int, float]]] = {True: [], False: []}
    for row in spectrum.degrees:
        found = gap.count if gap is not None and gap.degree == row.degree else 0
        for number, value in enumerate(np.maximum(row.values, floor)):
            parts[number < found].append((row.degree, float(value)))
    traces = [_dashes(parts[False], "a polynomial", "@data", 1.5)]
    layout: dict[str, Any] = {"height": SPECTRUM_HEIGHT, "margin": {**MARGINS, "t": 45}, "hovermode": "closest",
                              "legend": ABOVE, "showlegend": True, "shapes": [],
                              "xaxis": {"tickvals": [row.degree for row in spectrum.degrees], "showgrid": False}}
    titled(layout, "xaxis", "degree")
    titled(layout, "yaxis", "value over gradient")
    every = [value for part in parts.values() for _, value in part]
    decades = np.log10(max(every) / min(every)) if every else 0.0
    layout["yaxis"] |= {"type": "log", "exponentformat": "power", "dtick": "D2" if decades < FEW_DECADES else 1}
    if gap is not None:
        said = f"{counted(gap.count, 'equation')} at noise {gap.noise:.2g}"
        traces.append(_dashes(parts[True], safe(said), curve_role(0), 4))
        layout["shapes"].append({"type": "rect", "x0": gap.degree - 1.3 * HALF_DASH, "x1": gap.degree + 1.3 * HALF_DASH,
                                 "y0": max(gap.below, floor), "y1": max(gap.above, floor), "fillcolor": "@gap",
                                 "line": {"width": 0}, "layer": "below"})
        epsilon = max(gap.epsilon, floor)
        ends = [spectrum.degrees[0].degree - 0.5, spectrum.degrees[-1].degree + 0.5]
        traces.append({"type": "scatter", "mode": "lines", "x": ends, "y": numbers([epsilon, epsilon]),
                       "name": f"epsilon = {gap.epsilon:.2g}", "hovertemplate": "epsilon %{y:.4g}<extra></extra>",
                       "line": {"color": "@knot", "width": 1, "dash": "dash"}})
    return View({"data": traces, "layout": layout})


def _dashes(places: list[tuple[int, float]], name: str, colour: str, width: float) -> dict[str, Any]:
    """One short line for each value."""
    line = joined([np.array([[degree - HALF_DASH, value], [degree + HALF_DASH, value]]) for degree, value in places], 2)
    return {"type": "scatter", "mode": "lines", "x": numbers(line[:, 0]), "y": numbers(line[:, 1]), "name": name,
            "line": {"color": colour, "width": width}, "hovertemplate": "value %{y:.4g}<extra></extra>"}
