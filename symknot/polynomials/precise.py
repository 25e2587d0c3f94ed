"""Values of polynomials to 50 digits, from their terms alone: what all other evaluation is measured against.

Nothing of it is shared with what it checks: no recursion, no compiled function, no float but the points themselves, which
are exact numbers.  Decimals of Python's standard library; as many digits as are lost where terms cancel are added
beforehand.
"""

from __future__ import annotations

import decimal
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from math import ceil, isfinite, log10
from typing import NamedTuple

import numpy as np

from .terms import Exponents

DIGITS = 50
"""Digits of a value, relative to 1 or to its largest term if that is less: a convention, more than any coefficient has."""


class Precise(NamedTuple):
    """Of a polynomial at points: values rounded to floats once, at the end, and sums of the sizes of its terms."""

    values: np.ndarray
    sizes: np.ndarray


def precise_values(terms: Mapping[Exponents, Fraction], points: np.ndarray) -> Precise:
    """Values of a polynomial with rational coefficients at points, an (n, d) array of floats.

    Examples
    --------
    >>> precise_values({(2,): Fraction(1), (0,): Fraction(-10**40)}, np.array([[1e20], [3.0]])).values.tolist()
    [0.0, -1e+40]
    >>> precise_values({(1, 1): Fraction(1, 3)}, np.array([[0.1, 3.0]])).values.tolist()
    [0.1]
    """
    rows = np.asarray(points, dtype=float)
    with decimal.localcontext() as context:
        context.prec = DIGITS + _digits_before_the_point(terms, rows)
        context.Emax, context.Emin = decimal.MAX_EMAX, decimal.MIN_EMIN
        numbers = [(exponents, Decimal(value.numerator) / Decimal(value.denominator)) for exponents, value in terms.items()]
        found = [_at(numbers, [Decimal(value) for value in row]) if all(map(isfinite, row)) else (Decimal("nan"),) * 2
                 for row in rows.tolist()]
        values, sizes = ([_float(pair[place]) for pair in found] for place in (0, 1))
    return Precise(np.array(values, dtype=float), np.array(sizes, dtype=float))


def value_at(terms: Mapping[Exponents, Fraction], point: Sequence[Fraction]) -> Fraction:
    """The exact value of a polynomial at a rational point.

    Examples
    --------
    >>> value_at({(2, 0): Fraction(9), (0, 0): Fraction(-1)}, (Fraction(1, 3), Fraction(5)))
    Fraction(0, 1)
    """
    total = Fraction(0)
    for exponents, value in terms.items():
        for number, exponent in zip(point, exponents):
            if exponent:
                value = value * number**exponent
        total += value
    return total


def _digits_before_the_point(terms, rows):
    """Digits of the largest term."""
    reach = [log10(size) if 0 < size < np.inf else 0.0 for size in np.abs(rows).max(axis=0, initial=0.0).tolist()]
    sizes = [_log10(value) + sum(e * r for e, r in zip(exponents, reach)) for exponents, value in terms.items()]
    return max(ceil(max(sizes, default=0.0)), 0)


def _log10(value: Fraction) -> float:
    return (abs(value.numerator).bit_length() - value.denominator.bit_length() + 1) * log10(2)


def _at(numbers: Sequence[tuple[Exponents, Decimal]], point: Sequence[Decimal]) -> tuple[Decimal, Decimal]:
    powers: dict[tuple[int, int], Decimal] = {}
    value = size = Decimal(0)
    for exponents, coefficient in numbers:
        part = coefficient
        for place, exponent in enumerate(exponents):
            if exponent:
                if (place, exponent) not in powers:
                    powers[place, exponent] = point[place] ** exponent
                part *= powers[place, exponent]
        value += part
        size += abs(part)
    return value, size


def _float(value: Decimal) -> float:
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
