r"""The steps in which values were recorded: two decimals, whole degrees, counts.

A column that was rounded holds multiples of a step h, from whatever origin.  Rounding adds noise of the standard deviation
:math:`h / \sqrt{12}`, and that noise takes few values: a balance with whole coefficients, :math:`g = x + y - z`, is one of a
few multiples of h at each point, and the product of :math:`g - h`, :math:`g` and :math:`g + h` vanishes *exactly*, though it
says less than g does.

How large can g be where a product of m factors vanishes on it?  With whole coefficients a that have no common factor, its
values are multiples of h.  If m neighbouring ones are equally frequent, their standard deviation is
:math:`h \sqrt{(m^2 - 1) / 12}`; rounding alone makes it :math:`|a| h / \sqrt{12}`, with :math:`|a| \ge 1`.  So exact equations
of degree t, in which g of degree s can be a factor :math:`m \le t / s` times, are no news beside noisy ones that lie less
than t / s times as far from the points as rounding puts them (`judging.is_few_valued`).
"""

from __future__ import annotations

import numpy as np

LARGEST_MISFIT = 1e-6
"""Share of a step by which differences of values may be off its multiples: a convention, far above the rounding of floats, far
below chance."""
SMALLEST_STEP = 1e-9
"""Share of a column's range that a step has at least.  Derived: with sixteen digits, differences of so much have seven left."""
MOST_DIVISIONS = 60
"""Rounds of Euclid's algorithm at most.  Derived: each halves the step at least, and thirty reach the smallest."""


def recording_steps(values: np.ndarray) -> np.ndarray:
    """The largest step of which all differences within a column are multiples; 0 where there is none.

    Examples
    --------
    >>> recording_steps(np.array([[1.25, 0.0, 0.0], [3.5, 0.1, 1.0], [2.75, np.pi, 1.0]])).round(6).tolist()
    [0.75, 0.0, 1.0]
    """
    return np.array([_step(column) for column in values.T])


def _step(column):
    """Euclid's algorithm on all differences at once."""
    gaps = np.diff(np.unique(column))
    smallest = SMALLEST_STEP * gaps.sum()
    differences = gaps = gaps[gaps > smallest]
    for _ in range(MOST_DIVISIONS):
        step = gaps.min(initial=np.inf)
        if not smallest < step < np.inf:
            return 0.0
        rest = np.abs(gaps - step * np.round(gaps / step))
        off = rest > LARGEST_MISFIT * step
        if not off.any():
            return float(differences.sum() / np.round(differences / step).sum())     # more digits than one has
        gaps = np.append(rest[off], step)
    return 0.0
