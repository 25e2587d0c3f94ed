r"""What equations of classes are called: written out where they are short, else by the terms that count most.

Of many variables in units of their own the coefficients of an equation do not say which terms count.  In standardized
variables, :math:`z_j = (x_j - \bar x_j) / s_j` over the training samples, they do: a term counts as much as its coefficient.
So an equation too long to be written out is told in those, the largest terms first, the largest coefficient 1.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np
import sympy

from ..ground.wording import counted
from ..polynomials.terms import constant_apart, shown_expression, substitute_affine
from ..symbolic.polynomial import Polynomial
from .discriminative import ContrastPolynomial
from .per_class import spreads

DIGITS = 3
"""Significant digits of a coefficient in an equation that explains: a convention, for the eye."""
LONGEST_NAME = 60
"""Characters of an equation in the name of a feature, but for the constant: a convention, what a column of a table can bear."""
LONGEST_TEXT = 160
"""Characters of an equation that an explanation shows: about two lines."""
NAME_DIGITS = 2
"""Significant digits of a coefficient in a name, and of one in standardized variables: a convention."""
SMALLEST_NAMED = 0.5 * 10.0 ** (1 - NAME_DIGITS)
"""Size of a constant in a name, at least: derived, the rounding of the largest coefficient, which is 1."""
MOST_TERMS = 1000
"""Terms of an equation beyond which it is not standardized: a convention; that takes a hundredth of a second."""

Named = Polynomial | ContrastPolynomial


class Units(NamedTuple):
    """Standardized variables: of each the mean and the standard deviation."""

    center: np.ndarray
    spread: np.ndarray

    @classmethod
    def of(cls, X: np.ndarray) -> Units:
        """Those of samples."""
        return cls(X.mean(axis=0), spreads(X))


def feature_name(polynomial: Named, place: int, units: Units) -> str:
    """The absolute value as text, ``g0 = |x**2 + y**2 - 1|``; where that is long its largest terms, standardized, and the
    constant."""
    if polynomial.degree <= 2 and len(polynomial.terms) * len(" + x") - len(" + ") <= LONGEST_NAME:
        text = str(shown_expression(_scaled(polynomial.terms), {}, polynomial.variables, NAME_DIGITS))
        if len(text) <= LONGEST_NAME:
            return f"g{place} = |{text}|"
    text, constant = largest_terms(polynomial, units, LONGEST_NAME)
    if abs(constant) >= SMALLEST_NAMED:          # it tells parallel planes of two classes apart
        text += f" {'-' if constant > 0 else '+'} {abs(constant):.{NAME_DIGITS}g}"
    return f"g{place} = |{text}|"


def equation_text(polynomial: Named, units: Units) -> str:
    """The equation for an explanation: the largest coefficient 1, in standardized variables where it is long."""
    if len(polynomial.terms) * len(" + x") - len(" + ") <= LONGEST_TEXT:
        sides = constant_apart(_scaled(polynomial.terms))
        text = " = ".join(str(shown_expression(side, {}, polynomial.variables, DIGITS)) for side in sides)
        if len(text) <= LONGEST_TEXT:
            return text
    text, constant = largest_terms(polynomial, units, LONGEST_TEXT)
    return f"{text} = {constant:.{NAME_DIGITS}g} (standardized variables)"


def largest_terms(polynomial: Named, units: Units, longest: int) -> tuple[str, float]:
    """The largest terms in standardized variables and how many more there are; the constant on the other side.

    Examples
    --------
    >>> from symknot import vca
    >>> line = vca([[0.0, 0.0], [1.0, 200.0], [2.0, 400.0]], epsilon=1e-9, names=["x", "y"]).polynomials[0]
    >>> half = Units(np.array([0.0, 0.0]), np.array([1.0, 100.0]))          # y / 100 = 2 x
    >>> largest_terms(line, half, 60)[0], largest_terms(line, half, 8)[0]
    ('x - 0.5*y', 'x + 1 smaller term')
    """
    terms = {**polynomial.terms}
    if len(terms) > MOST_TERMS:
        return f"{counted(len(terms), 'term')} of degree {polynomial.degree} at most", 0.0
    terms = substitute_affine(terms, [Fraction(s) for s in units.spread.tolist()], [Fraction(c) for c in units.center.tolist()])
    left, right = constant_apart(_scaled(terms, but_constant=True))
    ordered = sorted(((float(value), e) for e, value in left.items()), key=lambda one: -abs(one[0]))
    text = ""
    for k, (value, exponents) in enumerate(ordered):
        monomial = sympy.Mul(*[v**e for v, e in zip(polynomial.variables, exponents)])
        size = f"{abs(value):.{NAME_DIGITS}g}"
        term = str(monomial) if size == "1" else f"{size}*{monomial}"
        longer = f"{text} {'-' if value < 0 else '+'} {term}" if text else f"{'-' if value < 0 else ''}{term}"
        left_out = "" if k == len(ordered) - 1 else f" + {counted(len(ordered) - k - 1, 'smaller term')}"
        if text and len(longer) + len(left_out) > longest:
            return f"{text} + {counted(len(ordered) - k, 'smaller term')}", float(*right.values())
        text = longer
    return text, float(*right.values())


def _scaled(terms, but_constant=False):
    """Divided by the largest coefficient, or by the largest of a term with variables."""
    scale = max((value for e, value in terms.items() if any(e) or not but_constant), key=abs, default=Fraction(1))
    return {e: value / scale for e, value in terms.items()}
