r"""The noise-normalised spectrum across degrees, for a person to look at, and the gap that equations were read from.

At each degree t the values :math:`s_1 \le s_2 \le \dots` are the root-mean-square value
over the root-mean-square gradient of the best polynomials of degree at most t, one
orthogonal to the next, in the metric of the noise.  If k independent equations hold and the noise has
standard deviation :math:`\sigma`, the first k values are near :math:`\sigma` and the next is
larger.  Which gap is believed is decided in `search`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..ground.checks import whole_number

SHOWN_VALUES = 8
"""Values of a degree that are shown: a convention, a line."""


@dataclass(frozen=True, eq=False)
class SpectrumDegree:
    """Values at one degree, ascending, in the user's units.

    Attributes
    ----------
    degree : int
    values : array
        Of all polynomials; of 1500 and more the lowest alone.
    points_left : float
        Points minus fitted coefficients.
    points : float
    """

    degree: int
    values: np.ndarray
    points_left: float
    points: float


@dataclass(frozen=True)
class Gap:
    """The gap that epsilon was read from.

    Attributes
    ----------
    degree, count : int
        Degree at which `count` equations appear.
    noise : float
        Root-mean-square of their values: the noise's standard deviation.
    below, above : float
        Largest value of theirs, and the next value; for equations that were bent out of simpler ones, that of these.
    epsilon : float
        Between the two.
    last_degree : int
        Degree up to which the equations that were found go.
    widening : float
        How many times wider than equal, normal noise makes it the cluster of values may be.
    silent : int
        Variables that have no noise beside others that have.
    """

    degree: int
    count: int
    noise: float
    below: float
    above: float
    epsilon: float
    last_degree: int = 0
    widening: float = 1.0
    silent: int = 0


@dataclass(frozen=True, eq=False)
class Spectrum:
    """Noise-normalised values by degree; `gap` is None where no equation stands clear.

    `str` shows it for a person to choose from.
    """

    degrees: tuple[SpectrumDegree, ...]
    gap: Gap | None
    spread: float

    def __str__(self) -> str:
        lines = ["degree  root-mean-square value over gradient, smallest first"]
        for row in self.degrees:
            k = self.gap.count if self.gap and self.gap.degree == row.degree else 0
            cells = [f"{value:.3g}" for value in row.values[:SHOWN_VALUES]]
            if k:
                cells.insert(min(k, SHOWN_VALUES), "|")
            more = " ..." if len(row.values) > SHOWN_VALUES else ""
            lines.append(f"{row.degree:6d}  {'  '.join(cells)}{more}")
        if self.gap:
            gap = self.gap
            lines.append(f"gap at degree {gap.degree}: {gap.count} equation(s) at noise {gap.noise:.3g}, "
                         f"next value {gap.above:.3g}; epsilon = {gap.epsilon:.3g}")
        else:
            lines.append("no gap: no equation stands clear of the rest at these degrees")
        return "\n".join(lines)


def degree_limit(max_degree: Any) -> int | None:
    """`max_degree`, checked; None for no limit."""
    return None if max_degree is None else whole_number("max_degree", max_degree, 1)
