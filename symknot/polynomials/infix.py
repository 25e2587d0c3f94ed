"""Polynomials as text in the syntax that computer algebra systems share: ``x^2 - 3/7*x*y - 1``.

Integers are printed in full; powers such as ``2^70`` are not used, since Singular computes them
in 32 bits.  Lines are broken between terms only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from .numerals import rational_text
from .terms import Exponents

LINE_WIDTH = 100
"""Characters before a long sum is broken into lines; a convention."""
TERMS_PER_PARENTHESIS = 16
"""In a nested sum: about a line, and a million terms are nested five deep.  A convention."""


@dataclass(frozen=True)
class Style:
    """How a system writes a polynomial.

    Parameters
    ----------
    power : callable
        Text of a variable to a power > 1.
    number : callable
        Text of a positive number.
    tree : bool
        Whether long sums are nested in parentheses: some read a flat one in quadratic time, or not at all.
    wrap : bool
        Whether a long sum may be broken into lines.
    spaced : bool
        Whether there are spaces around signs.
    """

    power: Callable[[str, int], str] = "{}^{}".format
    number: Callable[..., str] = rational_text
    tree: bool = False
    wrap: bool = True
    spaced: bool = True


DEFAULT_STYLE = Style()
"""``x^2 - 3/7*x*y - 1``, in lines."""


def polynomial_text(terms: Mapping[Exponents, Fraction | int], names: Sequence[str], style: Style = DEFAULT_STYLE,
                    indent: str = "    ") -> str:
    """A polynomial in variables `names`.

    Parameters
    ----------
    terms : dict
        Exponent tuple -> Fraction or int.
    names : sequence of str
    style : Style
    indent : str
        What further lines begin with.

    Returns
    -------
    str

    Examples
    --------
    >>> from fractions import Fraction
    >>> terms = {(2, 0): Fraction(1), (1, 1): Fraction(-3, 7), (0, 0): Fraction(-1)}
    >>> polynomial_text(terms, ["x", "y"]), polynomial_text(terms, ["x", "y"], Style(spaced=False))
    ('x^2 - 3/7*x*y - 1', 'x^2-3/7*x*y-1')
    """
    parts = []
    for exponents, value in terms.items():
        factors = [name if e == 1 else style.power(name, e) for name, e in zip(names, exponents) if e]
        size = abs(value)
        factors = factors if size == 1 and factors else [style.number(size), *factors]
        parts.append(("-" if value < 0 else "+", "*".join(factors)))
    if not parts:
        return "0"
    gap = " " * style.spaced
    if style.tree and len(parts) > TERMS_PER_PARENTHESIS:
        parts = _nested(parts, gap)
    return _joined(parts, gap, f"\n{indent}" if style.wrap else gap)


def _nested(parts, gap):
    """Signed parts, gathered in parentheses until few are left."""
    while len(parts) > TERMS_PER_PARENTHESIS:
        groups = [parts[k:k + TERMS_PER_PARENTHESIS] for k in range(0, len(parts), TERMS_PER_PARENTHESIS)]
        parts = [("+", f"({_joined(group, gap, chr(10))})") for group in groups]
    return parts


def _joined(parts, gap, line_break):
    (sign, first), *others = parts
    pieces, column = ["-" * (sign == "-") + first], len(first)
    for sign, text in others:
        column += len(text) + 1 + 2 * len(gap)
        if column > LINE_WIDTH:
            column = len(text)
            pieces.append(f"{line_break}{sign}{gap}{text}")
        else:
            pieces.append(f"{gap}{sign}{gap}{text}")
    return "".join(pieces)
