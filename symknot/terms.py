"""Exact polynomials as plain data: exponent tuple -> Fraction, the leading term first."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import sympy


def substitute_affine(terms, stretch, shift):
    """The polynomial after x_j -> stretch_j x_j + shift_j.

    Examples
    --------
    >>> substitute_affine({(2,): Fraction(1)}, [Fraction(2)], [Fraction(1)])
    {(0,): Fraction(1, 1), (1,): Fraction(4, 1), (2,): Fraction(4, 1)}
    """
    for j, (a, b) in enumerate(zip(stretch, shift)):
        moved = {}
        for exponents, value in terms.items():
            power = exponents[j]
            for k in range(power + 1) if b else (power,):
                key = exponents[:j] + (k,) + exponents[j + 1:]
                moved[key] = moved.get(key, 0) + value * comb(power, k) * a**k * b ** (power - k)
        terms = moved
    return {exponents: value for exponents, value in terms.items() if value}


def constant_apart(terms):
    """The terms with variables, and minus the constant: the two sides of an equation."""
    constant = tuple(0 for _ in next(iter(terms)))
    left = {exponents: value for exponents, value in terms.items() if exponents != constant}
    return left, {constant: -terms.get(constant, Fraction(0))}


def shown_expression(terms, digits_of, variables, digits=None):
    """sympy expression for the eye: simple fractions exact, other numbers to their significant digits.

    With `digits`, every number that is not whole to that many.
    """
    parts = []
    for exponents, value in terms.items():
        number = sympy.Rational(value.numerator, value.denominator)
        shown = digits if digits is not None and value.denominator > 1 else digits_of.get(exponents)
        number = number if shown is None else sympy.Float(number, shown)
        parts.append(number * sympy.Mul(*[v**e for v, e in zip(variables, exponents)]))
    return sympy.Add(*parts)


def equation_text(equation, variables, digits=None):
    """An equation for the eye, with the distance of the data from it.

    The constant stands on the right: ``x**2 + y**2 = 1   +/- 0.05``.
    """
    sides = (shown_expression(side, equation.digits, variables, digits) for side in constant_apart(equation.terms))
    return " = ".join(map(str, sides)) + f"   +/- {equation.residual_after:.2g}"
