r"""Floats made rational, by a stated rule.

"simplest"
    The fraction of smallest denominator within a tolerance (and of those the nearest).  In the
    interval [v - tol, v + tol] it is found by the continued fractions of the two ends: where
    both have the same whole part, take it off, invert, go on; where they have not, the smallest
    whole number between them ends it.
"binary"
    The float's exact value.
a denominator bound
    The best fraction with a denominator up to the bound.
decimals
    So many digits after the point.

The numbers of one polynomial can share a denominator: the smallest q for which every number
has a p/q within its tolerance.  It is taken where numerators and q together are shorter, in
bits, than the separate fractions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor

import numpy as np

from ..ground.checks import whole_number
from ..ground.errors import InvalidOption
from ..polynomials.terms import Exponents, Terms

KINDS = SIMPLEST, BINARY = "simplest", "binary"
LARGEST_SHARED_DENOMINATOR = 100_000
"""Common denominators are looked for up to this, all at once: 0.05 s for 20 numbers (measured), and longer ones would
hide that the numbers belong together."""
PRODUCT_ERROR = 1e-15
"""Relative: a product of a float and a denominator, and its distance from a whole number, are rounded by less (nine
times 2**-53)."""


def simplest_fraction_between(low: Fraction, high: Fraction) -> Fraction:
    """The fraction of smallest denominator in [low, high], both Fractions.

    Examples
    --------
    >>> simplest_fraction_between(Fraction(314, 100), Fraction(315, 100))
    Fraction(22, 7)
    >>> simplest_fraction_between(Fraction(-1, 3), Fraction(1, 5))
    Fraction(0, 1)
    """
    if low <= 0 <= high:
        return Fraction(0)
    if high < 0:
        return -simplest_fraction_between(-high, -low)
    wholes = []
    while True:
        whole = floor(low)
        if whole == low or whole + 1 <= high:
            result = Fraction(whole if whole == low else whole + 1)
            break
        wholes.append(whole)
        low, high = 1 / (high - whole), 1 / (low - whole)
    for whole in reversed(wholes):
        result = whole + 1 / result
    return result


@dataclass(frozen=True)
class Rationalization:
    """The rule by which floats become rational; made by `rationalization`.

    Attributes
    ----------
    kind : {"simplest", "binary", "denominator", "decimals"}
    limit : int
        The denominator bound, or the number of decimals; the others have none.
    """

    kind: str
    limit: int = 0

    @property
    def adapts(self) -> bool:
        """Whether a smaller tolerance gives a finer number."""
        return self.kind == "simplest"

    def number(self, value: Fraction | float, tolerance: Fraction | float) -> Fraction:
        """`value` (float or Fraction) as a Fraction; only "simplest" looks at the tolerance.

        Examples
        --------
        >>> Rationalization("simplest").number(0.3334, 0.001), Rationalization("decimals", 2).number(0.3334, 0)
        (Fraction(1, 3), Fraction(33, 100))
        """
        value = Fraction(value)
        if self.kind == "simplest":
            tolerance = Fraction(tolerance)
            denominator = simplest_fraction_between(value - tolerance, value + tolerance).denominator
            return Fraction(round(value * denominator), denominator)
        if self.kind == "denominator":
            return value.limit_denominator(self.limit)
        if self.kind == "decimals":
            return Fraction(round(value * 10**self.limit), 10**self.limit)
        return value

    def numbers(self, values: Sequence[Fraction | float], tolerances: Sequence[Fraction | float]) -> list[Fraction]:
        """Several numbers, on a shared denominator where that is shorter.

        Examples
        --------
        >>> [str(number) for number in Rationalization("simplest").numbers([0.1667, 0.2501, 0.4166], [2e-4] * 3)]
        ['1/6', '1/4', '5/12']
        >>> [str(number) for number in Rationalization("simplest").numbers([0.41, 0.62, 0.83], [0.01] * 3)]
        ['2/5', '5/8', '5/6']
        """
        separate = [self.number(value, tolerance) for value, tolerance in zip(values, tolerances)]
        if not self.adapts or len(separate) < 2:
            return separate
        shared = _shared_denominator(values, tolerances)
        if shared is None:
            return separate
        together = [Fraction(round(Fraction(value) * shared), shared) for value in values]
        apart = sum(_bits(number.numerator) + _bits(number.denominator) for number in separate)
        joint = _bits(shared) + sum(_bits(round(number * shared)) for number in together)
        return together if joint < apart else separate


def rationalization(rationalize: str = "simplest", denominator: int | None = None,
                    digits: int | None = None) -> Rationalization:
    """The rule that the options name; at most one of the three may be given.

    Parameters
    ----------
    rationalize : {"simplest", "binary"}
    denominator : int, optional
        Largest denominator allowed.
    digits : int, optional
        Digits after the decimal point.

    Returns
    -------
    Rationalization

    Examples
    --------
    >>> rationalization(digits=3)
    Rationalization(kind='decimals', limit=3)
    """
    if rationalize not in KINDS:
        raise InvalidOption("rationalize", rationalize, "one of 'simplest', 'binary' (or give denominator= or digits=)")
    is_given = {"rationalize": rationalize != SIMPLEST, "denominator": denominator is not None,
                "digits": digits is not None}
    given = [name for name, is_set in is_given.items() if is_set]
    if len(given) > 1:
        raise InvalidOption(given[1], denominator if given[1] == "denominator" else digits,
                            f"left out when {given[0]} is given")
    if denominator is not None:
        return Rationalization("denominator", whole_number("denominator", denominator, 1))
    if digits is not None:
        return Rationalization("decimals", whole_number("digits", digits, 0))
    return Rationalization(rationalize)


def rationalized_terms(terms: Terms, rule: Rationalization, room: float,
                       sizes: Mapping[Exponents, float]) -> dict[Exponents, Fraction]:
    """A polynomial with rational numbers that together change its values by no more than `room`.

    Standard errors of the coefficients would not do: they are bound to each other, and where knots are few each alone
    is large while all together are not.

    Parameters
    ----------
    terms : dict
        Exponent tuple -> Fraction; the leading one, which comes first, stays as it is.
    rule : Rationalization
    room : float
    sizes : dict
        Exponent tuple -> size of the monomial where the values count.

    Returns
    -------
    dict
        Exponent tuple -> Fraction, the leading one first.

    Examples
    --------
    >>> line = {(1, 0): Fraction(1), (0, 1): Fraction(-3334, 10000), (0, 0): Fraction(501, 1000)}
    >>> simple = rationalized_terms(line, Rationalization("simplest"), 0.01, {(0, 1): 1, (0, 0): 1})
    >>> [str(number) for number in simple.values()]
    ['1', '-1/3', '1/2']
    """
    leading, *others = terms
    values = [float(terms[e]) if rule.kind == BINARY else terms[e] for e in others]
    # a number may vanish, but not move farther
    tolerances = [min(room / (len(others) * sizes[e]) if sizes[e] else np.inf, abs(float(terms[e]))) for e in others]
    numbers = rule.numbers(values, tolerances)
    return {leading: terms[leading], **{e: number for e, number in zip(others, numbers) if number}}


def _shared_denominator(values, tolerances):
    """The smallest q with a p/q within every tolerance, up to `LARGEST_SHARED_DENOMINATOR`; None if there is none."""
    q = np.arange(1, LARGEST_SHARED_DENOMINATOR + 1)
    possible = np.ones(len(q), dtype=bool)
    for value, tolerance in zip(values, tolerances):
        # a little stricter than asked: the products are floats
        products = float(value) * q[possible]
        room = float(tolerance) * q[possible] - PRODUCT_ERROR * np.abs(products)
        possible[possible] = np.abs(products - np.round(products)) <= room
    return int(q[np.argmax(possible)]) if possible.any() else None


def _bits(number):
    return max(abs(number).bit_length(), 1)
