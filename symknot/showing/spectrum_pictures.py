"""The picture of a spectrum: how nearly the best polynomials of each degree vanish, the gap, and epsilon."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..fitting.spectrum import Spectrum
from ..ground.wording import counted
from .pictures import add_legends, new_figure
from .style import BLACK, BLUE, DATA_COLOUR, LINE_WIDTH, ORANGE, SMALL_SIZE, dress

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SPECTRUM_INCHES = (4.8, 3.0)
"""Width and height: a convention."""
SMALLEST_SHARE = 1e-16
"""Share of the data's spread below which a value is drawn as so large: rounding, of which there is no logarithm to see."""
HALF_DASH = 0.28
"""Half the length of the dash that is a value, in degrees: a convention."""


def draw_spectrum(spectrum: Spectrum) -> Figure:
    """Draw the values of each degree, those of the equations and the gap above them, and epsilon."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    figure = new_figure(figsize=SPECTRUM_INCHES, layout="constrained")
    ax = figure.add_subplot()
    gap, floor = spectrum.gap, SMALLEST_SHARE * (spectrum.spread or 1.0)
    for row in spectrum.degrees:
        found = gap.count if gap is not None and gap.degree == row.degree else 0
        values = np.maximum(row.values, floor)
        for part, colour, width in ((values[found:], DATA_COLOUR, 0.8), (values[:found], BLUE, 2.0)):
            ax.hlines(part, row.degree - HALF_DASH, row.degree + HALF_DASH, color=colour, linewidth=width)
    marks: list[Any] = [Line2D([], [], color=DATA_COLOUR, linewidth=0.8, label="a polynomial")]
    if gap is not None:
        low, high = max(gap.below, floor), max(gap.above, floor)
        ax.fill_between([gap.degree - 1.3 * HALF_DASH, gap.degree + 1.3 * HALF_DASH], low, high, color=ORANGE, alpha=0.3,
                        linewidth=0)
        marks += [Line2D([], [], color=BLUE, linewidth=2.0, label=f"{counted(gap.count, 'equation')} at noise {gap.noise:.2g}"),
                  Patch(color=ORANGE, alpha=0.3, linewidth=0, label="gap")]
        ax.axhline(max(gap.epsilon, floor), color=BLACK, linewidth=LINE_WIDTH / 2, linestyle=(0, (5, 3)))
        marks.append(Line2D([], [], color=BLACK, linewidth=LINE_WIDTH / 2, linestyle=(0, (5, 3)),
                            label=f"epsilon = {gap.epsilon:.2g}"))
    ax.set_yscale("log")
    degrees = [row.degree for row in spectrum.degrees]
    ax.set_xticks(degrees)
    if degrees:
        ax.set_xlim(min(degrees) - 0.6, max(degrees) + 0.6)
    dress(ax, "degree", "value over gradient (root-mean-square)")
    if gap is None:
        ax.set_title("no gap: no equation stands clear of the rest", fontsize=SMALL_SIZE, loc="left")
    add_legends(figure, marks, [])
    return figure
