"""The picture of a decision: what each feature did for and against it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from .pictures import new_figure
from .style import BLUE, ORANGE, PAGE_WIDTH, SMALL_SIZE, dress

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_REASONS_DRAWN = 12
"""Features that are drawn: a convention; those that follow are small beside them."""
BAR_HEIGHT = 0.28
"""Inches for each of them: a convention."""


def draw_reasons(reasons: Sequence[tuple[str, float]], title: str) -> Figure:
    """Bars to the right for the decision, to the left against it.

    Parameters
    ----------
    reasons : sequence of (str, float)
        Name of a feature, and its share; the most decisive first.
    title : str

    Returns
    -------
    matplotlib.figure.Figure
    """
    shown = list(reasons)[:MOST_REASONS_DRAWN]
    figure = new_figure(figsize=(PAGE_WIDTH, 0.9 + BAR_HEIGHT * len(shown)), layout="constrained")
    ax = figure.add_subplot()
    shares = np.array([share for _, share in shown])
    ax.barh(np.arange(len(shown)), shares, color=[BLUE if share >= 0 else ORANGE for share in shares])
    ax.axvline(0.0, color="0.3", linewidth=0.8)
    ax.set_yticks(np.arange(len(shown)), [name for name, _ in shown], fontsize=SMALL_SIZE, parse_math=False)
    ax.invert_yaxis()
    ax.set_title(title, fontsize=SMALL_SIZE, loc="left", parse_math=False)
    dress(ax, "share of the margin", "")
    return figure
