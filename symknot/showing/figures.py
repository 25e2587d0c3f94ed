"""Interactive views as plain data: what a report's page gives to plotly.js, with roles in place of colours.

A colour is written as ``@role``; the page puts in that of the light or the dark scheme, whichever the reader has.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..polynomials.equation import Equation
from .style import BLACK, COLOURS, OUTLIER_COLOUR, data_size, evenly

PALETTES = {
    "light": {"data": "#7a828e", "knot": BLACK, "outlier": OUTLIER_COLOUR, "band": "rgba(120,130,145,0.16)", "ink": "#1d2430",
              "soft": "#8b95a3", "grid": "#e3e6eb", "paper": "#ffffff", "gap": "rgba(230,159,0,0.30)",
              **{f"curve{number}": colour for number, colour in enumerate(COLOURS)}},
    "dark": {"data": "#8f99a8", "knot": "#f2f4f7", "outlier": "#ff7a33", "band": "rgba(150,160,180,0.18)", "ink": "#e3e7ed",
             "soft": "#6f7a8a", "grid": "#2e3642", "paper": "#1a1f27", "gap": "rgba(230,159,0,0.35)",
             **{f"curve{number}": colour for number, colour in enumerate(
                 ("#3f9fe0", "#f0b030", "#12b886", "#d98cb8", "#9bd7f7", "#f2f4f7"))}},
}
"""Colours by role: those of `style` (Okabe and Ito's), on a dark ground made lighter in the same hues."""
DASHES = ("solid", "dash", "dashdot")
"""Of curves, one after the other, as in pictures."""
MOST_POINTS = 4000
"""Points of one kind in a view; a page of more is slow to open.  A convention; the page says of how many."""
MOST_KNOTS = 150
"""Knots in a view; of more of them rings hide the data.  A convention; the page says of how many."""
CAMERA = {"eye": {"x": 1.45, "y": -1.45, "z": 0.8}, "center": {"x": 0, "y": 0, "z": -0.12}}
"""From where space is seen at first: a convention, so that the box fills a view and nothing is cut off."""
DIGITS = 6
"""Significant digits of a coordinate in a page: a thousandth of a pixel."""
PANEL_PIXELS, MARGINS = 190, {"l": 60, "r": 10, "t": 70, "b": 45}
"""Height of one row of panels, and room around them in pixels: conventions."""
BETWEEN_PANELS = 0.09
"""Share of the width that is left between panels: a convention."""
BETWEEN_ROWS = 0.22
"""Share of a panel's height between rows: a line of text."""
ABOVE = {"orientation": "h", "x": 0, "y": 1, "yref": "container", "yanchor": "top"}
"""Where a legend stands."""
ABOVE_MARKS = {**ABOVE, "itemsizing": "constant"}
"""The same with marks that are large enough to be seen."""
LONGEST_LABEL = 60
"""Letters of an equation in a legend; a longer one is called by its number: a convention."""


class View(NamedTuple):
    """One interactive view.

    Attributes
    ----------
    figure : dict
        ``data`` and ``layout`` of plotly.js.
    names : tuple of str
        Of variables that the reader chooses the axes from; the traces then have ``columns``, one for each.
    logarithmic : bool
        Whether those axes are.
    """

    figure: dict[str, Any]
    names: tuple[str, ...] = ()
    logarithmic: bool = False


class Thinned(NamedTuple):
    """Which rows of a table are drawn, and what is said about the others."""

    rows: np.ndarray
    words: str


def thinned(weights: np.ndarray, most: int, what: str) -> Thinned:
    """All rows, or the `most` heaviest ones, evenly through the rows, with a sentence about it.

    Examples
    --------
    >>> thinned(np.ones(5), 2, "points").words
    '2 of 5 points are drawn, evenly chosen.'
    """
    rows = evenly(weights, most)
    words = f"{len(rows)} of {len(weights)} {what} are drawn, evenly chosen." if len(rows) < len(weights) else ""
    return Thinned(rows, words)


def numbers(values: Any) -> list[float | None]:
    """Numbers for a page: as many digits as are seen, None for gaps.

    Examples
    --------
    >>> numbers([1 / 3, float("nan"), 2.0])
    [0.333333, None, 2.0]
    """
    return [float(f"{value:.{DIGITS}g}") if np.isfinite(value) else None for value in np.asarray(values, dtype=float).tolist()]


def safe(text: str) -> str:
    """A text in which plotly.js finds neither tags nor placeholders.

    Examples
    --------
    >>> safe("<b>%{x}")
    '&lt;b&gt;%&#123;x}'
    """
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("%{", "%&#123;")


def safe_in_space(text: str) -> str:
    """The same at an axis in space, where plotly.js knows tags, but no references: a space without width breaks a tag.

    Examples
    --------
    >>> safe_in_space("a <b> &amp;").replace("\u200b", "|")
    'a <|b> &amp;'
    """
    return text.replace("<", "<\u200b")


def curve_role(number: int) -> str:
    """The colour of equation or run `number`."""
    return f"@curve{number % len(COLOURS)}"


def dash(number: int) -> str:
    """Its line style."""
    return DASHES[number % len(DASHES)]


def legend_text(equation: Equation, number: int) -> str:
    """An equation in a legend, powers raised; a long one by its number.

    Examples
    --------
    >>> import symknot
    >>> legend_text(symknot.points_ideal([(0,), (1,)], ["x"]).polynomials[0], 0)
    'x<sup>2</sup> - x = 0'
    """
    text = equation.text()
    if len(text) > LONGEST_LABEL:
        return f"equation {number + 1}"
    return re.sub(r"\*\*(\d+)", r"<sup>\1</sup>", safe(text)).replace("*", "\u2009")


def joined(pieces: Sequence[np.ndarray], width: int) -> np.ndarray:
    """Pieces of curves below each other with a gap after each, as one line."""
    gap = np.full((1, width), np.nan)
    return np.vstack([part for piece in pieces for part in (piece, gap)]) if pieces else np.empty((0, width))


def space(names: Sequence[str], lower: np.ndarray, upper: np.ndarray, equal: bool) -> dict[str, Any]:
    """Axes of three variables between two corners, as plotly.js's ``scene``; in equal units if they are to be."""
    axes = {f"{letter}axis": {"title": {"text": safe_in_space(name)}, "range": numbers([low, high])}
            for letter, name, low, high in zip("xyz", names, lower, upper)}
    return {**axes, "aspectmode": "data" if equal else "cube", "camera": CAMERA}


def placed(points: np.ndarray, names: Sequence[str], **trace: Any) -> dict[str, Any]:
    """A trace through points of two or three variables, whose values are shown at the pointer."""
    letters = "xyz"[: points.shape[1]]
    said = "<br>".join(f"{safe(name)}: %{{{letter}:.6g}}" for letter, name in zip(letters, names))
    more = trace.pop("hover", "")
    return {"type": "scatter3d" if len(letters) == 3 else "scatter",
            **{letter: numbers(column) for letter, column in zip(letters, points.T)},
            "hovertemplate": f"{said}{'<br>' * bool(more)}{more}<extra></extra>", **trace}


def in_columns(points: np.ndarray, **trace: Any) -> dict[str, Any]:
    """The same of any number of variables, of which the reader chooses two or three."""
    more = trace.pop("hover", "")
    return {"columns": [numbers(column) for column in points.T], "meta": {"hover": more}, **trace}


def data_trace(rows: Sequence[int] | np.ndarray) -> dict[str, Any]:
    """How data are drawn, with the number of each row at the pointer."""
    return {"mode": "markers", "name": "data", "marker": {"color": "@data", "size": data_size(len(rows))},
            "customdata": list(map(int, rows)), "hover": "row %{customdata}"}


def panels(rows: int, columns: Sequence[float], shares_x: bool = True) -> dict[str, Any]:
    """Axes of a grid of panels, from top to bottom; column widths are relative.  Numbers stand at the lowest row only.

    Examples
    --------
    >>> layout = panels(2, [2, 1])
    >>> sorted(key for key in layout if "axis" in key), layout["height"]
    (['xaxis', 'xaxis2', 'xaxis3', 'xaxis4', 'yaxis', 'yaxis2', 'yaxis3', 'yaxis4'], 495)
    """
    width = (1 - BETWEEN_PANELS * (len(columns) - 1)) / sum(columns)
    height = 1 / (rows + BETWEEN_ROWS * (rows - 1))
    layout: dict[str, Any] = {"height": MARGINS["t"] + MARGINS["b"] + PANEL_PIXELS * rows, "margin": MARGINS, "legend": ABOVE,
                              "hovermode": "closest"}
    for row in range(rows):
        left, top = 0.0, 1 - row * height * (1 + BETWEEN_ROWS)
        for column, share in enumerate(columns):
            key = axis_key(row * len(columns) + column)
            layout[f"xaxis{key}"] = {"domain": [left, min(left + share * width, 1.0)], "anchor": f"y{key}",
                                     "showticklabels": row == rows - 1}
            if shares_x and row < rows - 1:
                layout[f"xaxis{key}"]["matches"] = f"x{axis_key((rows - 1) * len(columns) + column)}"
            layout[f"yaxis{key}"] = {"domain": [max(top - height, 0.0), top], "anchor": f"x{key}"}
            left += share * width + BETWEEN_PANELS
    return layout


def axis_key(place: int) -> str:
    """What plotly.js adds to ``x`` and ``xaxis`` for panel number `place`: nothing for the first."""
    return "" if place == 0 else str(place + 1)


def in_panel(place: int) -> Mapping[str, str]:
    """The axes of a trace in panel number `place`."""
    return {"xaxis": f"x{axis_key(place)}", "yaxis": f"y{axis_key(place)}"}


def heading(place: int, text: str) -> dict[str, Any]:
    """Words above panel number `place`."""
    key = axis_key(place)
    return {"text": text, "xref": f"x{key} domain", "yref": f"y{key} domain", "x": 0, "y": 1.0, "xanchor": "left",
            "yanchor": "bottom", "showarrow": False, "font": {"size": 13, "color": "@ink"}}


def band(place: int, half: float) -> dict[str, Any]:
    """A band around zero across panel number `place`."""
    key = axis_key(place)
    return {"type": "rect", "xref": f"x{key} domain", "yref": f"y{key}", "x0": 0, "x1": 1, "y0": -half, "y1": half,
            "fillcolor": "@band", "line": {"width": 0}, "layer": "below"}


def titled(layout: dict[str, Any], axis: str, text: str) -> None:
    """Write a name at an axis."""
    layout[axis] = {**layout.get(axis, {}), "title": {"text": safe(text)}}
