"""Sums, products, quotients and powers of polynomials as plain data, as expressions in texts and files put them together.

A polynomial is a dict from exponents to numbers other than zero; what is no polynomial is `Refused`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from .terms import Exponents

MOST_TERMS = 100_000
"""Terms of a polynomial that is multiplied out: some seconds."""
HIGHEST_POWER = 1000
"""Of anything but a single variable's; a convention."""

Plain = dict[Exponents, Fraction]
Given = Mapping[Exponents, Fraction]


class Refused(ValueError):
    """Something that is no polynomial."""


def constant(value: Fraction | int, size: int) -> Plain:
    """A number, as a polynomial in so many variables."""
    return {(0,) * size: Fraction(value)} if value else {}


def variable(place: int, size: int) -> Plain:
    """One of so many variables."""
    return {tuple(int(k == place) for k in range(size)): Fraction(1)}


def number_in(terms: Given) -> Fraction | None:
    """The number that a polynomial is, if it is one."""
    if not terms:
        return Fraction(0)
    return next(iter(terms.values())) if len(terms) == 1 and not any(next(iter(terms))) else None


def total(parts: Iterable[Given]) -> Plain:
    """The sum of polynomials."""
    found: Plain = {}
    for part in parts:
        for exponents, value in part.items():
            found[exponents] = found.get(exponents, Fraction(0)) + value
    return {exponents: value for exponents, value in found.items() if value}


def scaled(terms: Given, factor: Fraction | int) -> Plain:
    """A polynomial times a number other than zero."""
    return {exponents: value * factor for exponents, value in terms.items()}


def product(left: Given, right: Given) -> Plain:
    """The product of two polynomials.

    Examples
    --------
    >>> product({(1,): Fraction(1), (0,): Fraction(1)}, {(1,): Fraction(1), (0,): Fraction(-1)})
    {(2,): Fraction(1, 1), (0,): Fraction(-1, 1)}
    """
    found: Plain = {}
    for a, first in left.items():
        for b, second in right.items():
            key = tuple(map(int.__add__, a, b))
            found[key] = found.get(key, Fraction(0)) + first * second
        if len(found) > MOST_TERMS:
            raise Refused(f"more than {MOST_TERMS} terms")
    return {exponents: value for exponents, value in found.items() if value}


def product_of(parts: Iterable[Given], size: int) -> Plain:
    """The product of any number of polynomials in so many variables."""
    found = constant(1, size)
    for part in parts:
        found = product(found, part)
    return found


def quotient(left: Given, right: Given) -> Plain:
    """A polynomial divided by one that is a number other than zero."""
    number = number_in(right)
    if not number:
        raise Refused("division by numbers other than 0 only")
    return scaled(left, 1 / number)


def power(terms: Given, exponent: int) -> Plain:
    """A positive power of a polynomial."""
    if len(terms) == 1:
        (exponents, value), = terms.items()
        return {tuple(e * exponent for e in exponents): value**exponent}
    found = dict(terms)
    for _ in range(exponent - 1):
        found = product(found, terms)
    return found


def raised(left: Given, right: Given, size: int) -> Plain:
    """A polynomial in so many variables to the power of one that is a whole number up to `HIGHEST_POWER`.

    Examples
    --------
    >>> raised({}, {}, 1), raised({(1,): Fraction(2)}, constant(3, 1), 1)
    ({(0,): Fraction(1, 1)}, {(3,): Fraction(8, 1)})
    """
    number = number_in(right)
    if number is None or number.denominator > 1 or not 0 <= number <= HIGHEST_POWER:
        raise Refused(f"powers from 0 to {HIGHEST_POWER} only")
    return power(left, int(number)) if number else constant(1, size)
