"""Rational numbers and exact polynomials as JSON data, and the way back.

A rational number is ``["-0x1f", "0x2"]``: numerator and positive denominator, hexadecimal,
since decimal digits would meet Python's limit of 4300.  A polynomial is a list of terms
``[exponents, numerator, denominator]``.  Reading trusts nothing: each entry is matched whole
and capped in length.
"""

from __future__ import annotations

import re
from fractions import Fraction
from math import inf
from typing import Any

from .terms import Exponents, Terms

MOST_HEX_DIGITS = 200_000
"""Hexadecimal digits of a numerator or denominator in a file; by convention, and the same in `exact.verify`: far above
the 10,000 decimal digits that `ground.exact_linear` gives at most; a fraction of two such numbers is read in two seconds
(measured)."""
SHOWN_CHARACTERS = 40
"""Of a wrong entry, in messages; a convention."""
HEXADECIMAL = re.compile(r"-?0x([0-9a-f]+)")


def rational_json(number: Fraction | int) -> list[str]:
    """Numerator and denominator as hexadecimal text.

    Examples
    --------
    >>> rational_json(Fraction(-31, 2)), rational_from_json(["-0x1f", "0x2"])
    (['-0x1f', '0x2'], Fraction(-31, 2))
    """
    return [hex(number.numerator), hex(number.denominator)]


def rational_from_json(pair: Any, longest: float = MOST_HEX_DIGITS) -> Fraction:
    """The Fraction that `rational_json` wrote; ValueError for anything else, or for more than `longest` digits."""
    if not isinstance(pair, list) or len(pair) != 2:
        raise ValueError(f"need a rational number like ['-0x1f', '0x2'], got {_start(pair)}")
    numerator, denominator = (_integer(text, longest) for text in pair)
    if denominator <= 0:
        raise ValueError("need a positive denominator")
    return Fraction(numerator, denominator)


def _integer(text, longest):
    match = HEXADECIMAL.fullmatch(text) if isinstance(text, str) else None
    if match is None or len(match[1]) > longest:
        raise ValueError(f"need a hexadecimal whole number of at most {longest} digits, got {_start(text)!r}")
    return int(text, 16)


def terms_json(terms: Terms) -> list[list]:
    """A polynomial as a list of terms.

    Examples
    --------
    >>> terms_json({(2, 0): Fraction(-1, 10)}), terms_from_json([[[2, 0], "-0x1", "0xa"]])
    ([[[2, 0], '-0x1', '0xa']], {(2, 0): Fraction(-1, 10)})
    """
    return [[list(exponents), *rational_json(value)] for exponents, value in terms.items()]


def terms_from_json(rows: Any, dimension: int | None = None, largest_degree: float = inf,
                    longest: float = MOST_HEX_DIGITS) -> dict[Exponents, Fraction]:
    """The polynomial that `terms_json` wrote; ValueError for anything else.

    Parameters
    ----------
    rows : list
    dimension : int, optional
        The number of exponents of each term; by default that of the first.
    largest_degree : int
    longest : int
        Digits of a number.
    """
    terms: dict[Exponents, Fraction] = {}
    for row in _list(rows):
        exponents, *number = _list(row, 3)
        exponents = tuple(_list(exponents, dimension))
        if not all(type(power) is int and power >= 0 for power in exponents):
            raise ValueError(f"need whole exponents >= 0, got {_start(exponents)}")
        if exponents in terms or sum(exponents) > largest_degree:
            raise ValueError(f"need each monomial once, of degree <= {largest_degree}, got {_start(exponents)}")
        terms[exponents] = rational_from_json(number, longest)
        dimension = len(exponents)
    return terms


def _list(value, length=None):
    if not isinstance(value, list) or (length is not None and len(value) != length):
        raise ValueError(f"need a list{'' if length is None else f' of {length}'}, got {_start(value)}")
    return value


def _start(value):
    return str(value)[:SHOWN_CHARACTERS]
