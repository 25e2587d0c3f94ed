"""The picture of a comparison: what each method found, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .pictures import new_figure
from .plane_pictures import draw_plane
from .scene import Scene
from .style import PAGE_WIDTH, PANEL_HEIGHT, SMALL_SIZE, TEXT_SIZE, colour_of, dress

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS = 3
"""Panels side by side: a convention, for a page's width."""
LINE = 28
"""Characters in a line above a panel: derived, what a third of a page's width holds in small letters."""
BAR_HEIGHT = 0.32
"""Inches for each method, in a picture of bars: a convention."""


class Panel(NamedTuple):
    """What is drawn of one method: its name, a line about it, what it found."""

    name: str
    words: str
    scene: Scene


def draw_comparison(panels: Sequence[Panel]) -> Figure:
    """Draw the zero curves, data and common zeros of each method; of more or less than two variables, its equations by degree.

    Parameters
    ----------
    panels : sequence of Panel

    Returns
    -------
    matplotlib.figure.Figure
    """
    return _planes(panels) if panels and panels[0].scene.dimension == 2 else _bars(panels)


def _planes(panels: Sequence[Panel]) -> Figure:
    rows = -(-len(panels) // COLUMNS)
    figure = new_figure(figsize=(PAGE_WIDTH, rows * 1.4 * PANEL_HEIGHT), layout="constrained")
    for place, panel in enumerate(panels):
        ax = figure.add_subplot(rows, COLUMNS, place + 1)
        dress(ax, *panel.scene.names)
        draw_plane(ax, panel.scene)
        ax.set_title("\n".join([panel.name, *wrap(panel.words, LINE)]), fontsize=SMALL_SIZE, loc="left", parse_math=False)
    return figure


def _bars(panels: Sequence[Panel]) -> Figure:
    figure = new_figure(figsize=(PAGE_WIDTH, 0.9 + BAR_HEIGHT * len(panels)), layout="constrained")
    ax = figure.add_subplot()
    degrees = [[equation.degree for equation in panel.scene.equations] for panel in panels]
    ends = np.zeros(len(panels))
    for k, degree in enumerate(sorted({t for own in degrees for t in own})):
        counts = np.array([own.count(degree) for own in degrees], dtype=float)
        ax.barh(np.arange(len(panels)), counts, left=ends, color=colour_of(k), label=f"degree {degree}")
        ends += counts
    ax.set_yticks(np.arange(len(panels)), [panel.name for panel in panels], fontsize=TEXT_SIZE)
    ax.invert_yaxis()
    dress(ax, "equations", "")
    if ends.any():
        ax.legend(fontsize=SMALL_SIZE, frameon=False)
    return figure
