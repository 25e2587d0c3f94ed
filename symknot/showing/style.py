"""How all pictures look: colours, sizes, marks and the dressing of axes, in one place.

Colours are those of Okabe and Ito (2008), which people with any kind of colour vision tell apart; line styles change with
them, so that a picture without colours can be read too.  Nothing here touches matplotlib's settings: every size is said
where it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..ground.wording import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BLACK, ORANGE, SKY, GREEN, BLUE, VERMILION, PURPLE = (
    "#000000", "#E69F00", "#56B4E9", "#009E73", "#0072B2", "#D55E00", "#CC79A7")
"""Okabe and Ito's colours, yellow left out: it cannot be seen on white."""
COLOURS = (BLUE, ORANGE, GREEN, PURPLE, SKY, BLACK)
"""Of equations and of runs, one after the other; vermilion is kept for outliers."""
LINES = ("solid", (0, (6, 2)), (0, (6, 2, 1, 2)))
"""Line styles, one after the other: where curves lie on each other, the lower one shows in the gaps."""
DATA_COLOUR, FAINT, OUTLIER_COLOUR = "0.45", "0.9", VERMILION
"""Data are grey, bands of what noise explains light grey, outliers vermilion."""

PAGE_WIDTH = 6.8
"""Width of a picture in inches: that of a page's text in most journals, a convention."""
PANEL_HEIGHT = 1.75
"""Height of one row of panels, in inches: a convention."""
TEXT_SIZE, SMALL_SIZE = 9.0, 8.0
"""Of letters, in points: a convention; journals ask for 7 to 10."""
MATH_FONT, MATH_LETTERS = "dejavusans", "DejaVu Sans"
"""Fonts of equations, and the file that their letters come from: part of matplotlib, those of its other texts; in STIX
the dashes of derivatives float away."""
DATA_SIZE, KNOT_SIZE, LINE_WIDTH = 4.0, 4.8, 1.5
"""Diameter of a data point and of a knot of the usual weight, and width of a curve, in points."""
LARGEST_KNOT = 4.0
"""Times the usual diameter that a knot has at most, whatever its weight: a convention."""
MANY_POINTS = 300
"""Points from which on smaller dots are drawn, so that they do not make one blot: a convention."""
MOST_KNOTS_DRAWN = 80
"""Knots drawn; of more of them rings make a band in which none is seen.  A convention; the legend says how many there are."""
LONG_LABEL, LABEL_PADS = 4, (6.0, 9.0)
"""Letters beyond which matplotlib writes along an axis in space; and how far from it, in points, short and long names are
clear of the numbers there: measured."""
MOST_DATA_DRAWN = 3000
"""Data points drawn; more of them hide the curve they lie on.  A convention; the legend says how many there are."""
GOLDEN_RATIO = (5**0.5 - 1) / 2
"""Its multiples, less their whole part, are spread evenly however many are taken."""


def colour_of(number: int) -> str:
    """The colour of equation or run `number`, counted from 0."""
    return COLOURS[number % len(COLOURS)]


def line_of(number: int) -> Any:
    """Its line style."""
    return LINES[number % len(LINES)]


def data_size(count: int) -> float:
    """Diameter of each of `count` data points, in points."""
    return DATA_SIZE if count <= MANY_POINTS else DATA_SIZE * max((MANY_POINTS / count) ** 0.25, 0.5)


def plain(text: str) -> str:
    r"""Text in which a dollar is a dollar: a column called ``cost_$`` is no formula.

    Examples
    --------
    >>> plain("cost_$")
    'cost_\\$'
    """
    return text.replace("$", r"\$")


def evenly(weights: np.ndarray, most: int) -> np.ndarray:
    """Rows of all points, or of `most` of them, the heaviest first and among equal ones evenly through the rows.

    Examples
    --------
    >>> evenly(np.array([1.0, 1.0, 1.0, 5.0, 1.0]), 3).tolist()
    [0, 2, 3]
    """
    if len(weights) <= most:
        return np.arange(len(weights))
    spread = np.arange(len(weights)) * GOLDEN_RATIO % 1
    return np.sort(np.lexsort((spread, -weights))[:most])


def drawn_knots(weights: np.ndarray) -> np.ndarray:
    """Which knots to draw."""
    return evenly(weights, MOST_KNOTS_DRAWN)


def knot_sizes(weights: np.ndarray) -> np.ndarray:
    """Diameters, in points: areas are proportional to weights, from half the usual diameter to `LARGEST_KNOT` times it."""
    usual = np.median(weights) if len(weights) else 1.0
    return KNOT_SIZE * np.clip(np.sqrt(weights / (usual or 1.0)), 0.5, LARGEST_KNOT)


def knot_label(drawn: int, count: int) -> str:
    """What a legend says of knots.

    Examples
    --------
    >>> knot_label(3, 3), knot_label(80, 1000)
    ('3 knots', '1000 knots (80 drawn)')
    """
    return counted(count, "knot") + (f" ({drawn} drawn)" if drawn < count else "")


def dress(ax: Axes, *labels: str) -> None:
    """Names and small numbers at the axes, and no frame above and on the right."""
    for letter, label in zip("xyz", labels):
        # parse_math=False: a name is a name, not the start of a formula
        pad = {"labelpad": LABEL_PADS[len(label) > LONG_LABEL]} if ax.name == "3d" else {}
        getattr(ax, f"set_{letter}label")(label, fontsize=TEXT_SIZE, parse_math=False, **pad)
    ax.tick_params(which="both", labelsize=SMALL_SIZE)
    for letter in "xyz"[: 3 if ax.name == "3d" else 2]:
        getattr(ax, f"{letter}axis").get_offset_text().set_fontsize(SMALL_SIZE)
    if ax.name != "3d":
        ax.spines[["top", "right"]].set_visible(False)
