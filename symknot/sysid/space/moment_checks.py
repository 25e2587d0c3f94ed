r"""Are the moments of a field what they should be?  A sample of them once more, by the definition; see `results.checking`.

The bump :math:`(1 - s^2)^p` and its derivatives are worked out in whole numbers, from binomials; a moment is the sum over its
rectangle of bump, bump and monomial, term by term and without rounding of the sum.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import comb, fsum, perm

import numpy as np

from ...polynomials.monomials import monomials
from ...results.checking import AGREEMENT, Check, sampled
from ..motion.knotted import KnottedRun
from .moments import BORDER_ZEROS, Moments

RECTANGLES_RECOMPUTED = 3
"""Rectangles whose moments are recomputed: a convention, some milliseconds each."""


def moment_checks(moments: Moments, data: np.ndarray, field: np.ndarray, run: KnottedRun, used: Sequence[int],
                  steps: tuple[float, float]) -> Iterator[Check]:
    """Whether the run of a model has the moments of the terms in use, of the field, and those of the rates, of the data.

    Examples
    --------
    >>> bump_values(2, Fraction(1, 2), 1, 0), bump_values(2, Fraction(1, 2), 1, 1)
    ([0.0, 0.75, 1.0, 0.75, 0.0], [2.0, 1.0, 0.0, -1.0, -2.0])
    """
    at, exponents = moments.rectangles, monomials(moments.components, moments.degree).exponents
    highest = max(term.order for term in moments.terms)
    x, t = (Fraction(step) for step in steps)
    across, along = ((part.shape[1] - 1) // 2 for part in (at.across, at.along))
    in_time = [bump_values(along, t, 1 + BORDER_ZEROS, order) for order in (0, 1)]
    for place in sampled(len(at), RECTANGLES_RECOMPUTED):
        patch = np.ix_(range(moments.components), at.across[place], at.along[place])
        for number, k in enumerate(used):
            term = moments.terms[k]
            values = np.prod([field[patch][j] ** e for j, e in enumerate(exponents[term.monomial])], axis=0)
            in_space = bump_values(across, x, highest + BORDER_ZEROS, term.order)
            yield _same(f"moment {number + 1} of rectangle {place + 1}", float(run.inputs[place, number]),
                        _integral(values, in_space, in_time[0], (-1) ** term.order * x * t))
        for j in range(moments.components):
            yield _same(f"rate {j + 1} of rectangle {place + 1}", float(run.measured[place, j]),
                        _integral(data[patch][j], bump_values(across, x, highest + BORDER_ZEROS, 0), in_time[1], -x * t))


def bump_values(half: int, step: Fraction, power: int, order: int) -> list[float]:
    """A derivative of the bump at its grid points; see `moment_checks`."""
    terms = [(2 * k - order, (-1) ** k * comb(power, k) * perm(2 * k, order)) for k in range(power + 1) if 2 * k >= order]
    unit = (half * step) ** order
    return [float(sum(c * Fraction(place, half) ** e for e, c in terms) / unit) for place in range(-half, half + 1)]


def _integral(values, across, along, unit):
    """(sum, sum of sizes) over a rectangle."""
    parts = [a * b * float(value) for a, row in zip(across, values) for b, value in zip(along, row)]
    return float(unit) * fsum(parts), abs(float(unit)) * fsum(map(abs, parts))


def _same(what, stated, recomputed):
    value, size = recomputed
    return Check(f"{what} is that of the field", abs(stated - value), AGREEMENT * size)
