"""Polynomials as the text that Singular, Macaulay2 and msolve share: ``3*x1^2*x2-1/2``.

Variables are always x1, ..., xn, so no name of the user's ever reaches a program.  Numbers
are printed in full: Singular reads ``2^70`` as 0.  Answers are matched against a strict
grammar, never evaluated.
"""

from __future__ import annotations

import re
from fractions import Fraction

from ..ground.deadline import Deadline
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
LONGEST_NUMBER = 100_000
"""Decimal digits of a number in an answer: a convention, about the size at which one arithmetic step is felt (0.1 s)."""
LARGEST_EXPONENT = 10**6
"""Exponent of a variable in an answer: a convention, beyond all that can still be computed with."""
TERMS_BETWEEN_LOOKS = 2000
"""Terms read between two looks at the clock: some hundredths of a second."""

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


def number_of(text: str) -> int:
    """The whole number that a program wrote; `EngineError` if it is longer than `LONGEST_NUMBER`."""
    if len(text) > LONGEST_NUMBER:
        raise EngineError(f"an answer has a number of {len(text)} digits, more than {LONGEST_NUMBER}; ask for less")
    return integer_of(text)


def parsed(text: str, size: int, deadline: Deadline | None = None) -> dict[Exponents, Fraction]:
    """The polynomial in `size` variables that a program wrote.

    Numbers and exponents beyond `LONGEST_NUMBER` and `LARGEST_EXPONENT` are refused, and the time limit counts.

    Examples
    --------
    >>> parsed("-3*x1^2*x2+(1/2)*x2-7", 2)
    {(2, 1): Fraction(-3, 1), (0, 1): Fraction(1, 2), (0, 0): Fraction(-7, 1)}
    """
    terms: dict[Exponents, Fraction] = {}
    position = count = 0
    if text == "0":
        return terms
    while position < len(text) or not text:
        count += 1
        if deadline is not None and count % TERMS_BETWEEN_LOOKS == 0:
            deadline.check("reading the answer")
        match = _TERM.match(text, position)
        if match is None or match.end() - match.start() <= len(match[1]) or (position and not match[1]):
            raise EngineError(f"cannot read the polynomial {text[:WIDTH_SHOWN]!r} at {text[position:position + WIDTH_SHOWN]!r}")
        sign, numerator, denominator, powers = match.groups()
        exponents = [0] * size
        for power in re.finditer(_POWER, powers):
            if int(power[1]) > size:
                raise EngineError(f"unknown variable {power[0]!r} in an answer with {size} variables")
            exponents[int(power[1]) - 1] += int(power[2] or 1)
        if max(exponents, default=0) > LARGEST_EXPONENT:
            raise EngineError(f"an answer has the exponent {max(exponents)}, more than {LARGEST_EXPONENT}; ask for less")
        value = Fraction(number_of(numerator or "1"), number_of(denominator or "1"))
        key = tuple(exponents)
        terms[key] = terms.get(key, Fraction(0)) + (-value if sign == "-" else value)
        position = match.end()
    return {exponents: value for exponents, value in terms.items() if value}
