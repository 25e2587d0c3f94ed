"""Polynomials as the text that Singular, Macaulay2 and msolve share: ``3*x1^2*x2-1/2``.

Variables are always x1, ..., xn, so no name of the user's ever reaches a program.  Numbers
are printed in full: Singular reads ``2^70`` as 0.  Answers are matched against a strict
grammar, never evaluated.
"""

from __future__ import annotations

import re
from fractions import Fraction

from ..ground.errors import EngineError
from ..polynomials.infix import Style, polynomial_text
from ..polynomials.numerals import integer_of
from ..polynomials.terms import Exponents, Terms, without_denominators

LINES = Style(spaced=False)
"""For Singular."""
ONE_LINE = Style(spaced=False, wrap=False)
"""For msolve, which wants a line for each polynomial."""
TREE = Style(spaced=False, tree=True)
"""For Macaulay2, which needs minutes for a flat sum of 30,000 terms."""

WIDTH_SHOWN = 80
"""Characters of a wrong answer in an error message: a line."""

_POWER = r"x([1-9]\d{0,5})(?:\^(\d{1,9}))?"
_POWERS = r"x[1-9]\d{0,5}(?:\^\d{1,9})?(?:\*(?=x)|(?=[+-]|$))"
_TERM = re.compile(rf"([+-]?)(?:\(?(\d+)(?:/([1-9]\d*))?\)?(?:\*(?=x)|(?=[+-]|$)))?((?:{_POWERS})*)", re.ASCII)


def variable_names(size: int) -> list[str]:
    """``['x1', ..., 'xn']``."""
    return [f"x{j}" for j in range(1, size + 1)]


def written(terms: Terms, style: Style = LINES) -> str:
    """A polynomial without denominators as text.

    Examples
    --------
    >>> written({(2, 1): Fraction(1, 2), (0, 0): Fraction(-3)})
    'x1^2*x2-6'
    """
    whole, _ = without_denominators(terms)
    return polynomial_text(whole, variable_names(len(next(iter(whole), ()))), style, indent="")


def parsed(text: str, size: int) -> dict[Exponents, Fraction]:
    """The polynomial in `size` variables that a program wrote.

    Examples
    --------
    >>> parsed("-3*x1^2*x2+(1/2)*x2-7", 2)
    {(2, 1): Fraction(-3, 1), (0, 1): Fraction(1, 2), (0, 0): Fraction(-7, 1)}
    """
    terms: dict[Exponents, Fraction] = {}
    position = 0
    if text == "0":
        return terms
    while position < len(text) or not text:
        match = _TERM.match(text, position)
        if match is None or match.end() - match.start() <= len(match[1]) or (position and not match[1]):
            raise EngineError(f"cannot read the polynomial {text[:WIDTH_SHOWN]!r} at {text[position:position + WIDTH_SHOWN]!r}")
        sign, numerator, denominator, powers = match.groups()
        exponents = [0] * size
        for power in re.finditer(_POWER, powers):
            if int(power[1]) > size:
                raise EngineError(f"unknown variable {power[0]!r} in an answer with {size} variables")
            exponents[int(power[1]) - 1] += int(power[2] or 1)
        value = Fraction(integer_of(numerator or "1"), integer_of(denominator or "1"))
        key = tuple(exponents)
        terms[key] = terms.get(key, Fraction(0)) + (-value if sign == "-" else value)
        position = match.end()
    return {exponents: value for exponents, value in terms.items() if value}
