"""Exact polynomials as plain data: exponent tuple -> Fraction, the leading term first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb, lcm, prod

import sympy

Exponents = tuple[int, ...]
"""One exponent per variable: a monomial."""
Terms = Mapping[Exponents, Fraction]
"""A polynomial: the coefficient of each of its monomials, the leading one first."""


def without_denominators(terms: Mapping[Exponents, Fraction | int]) -> tuple[dict[Exponents, int], int]:
    """The polynomial times the least number that makes its coefficients whole, and that number.

    Examples
    --------
    >>> without_denominators({(1,): Fraction(1, 2), (0,): Fraction(1, 3)})
    ({(1,): 3, (0,): 2}, 6)
    """
    factor = lcm(*(value.denominator for value in terms.values()))
    return {exponents: value.numerator * (factor // value.denominator) for exponents, value in terms.items()}, factor


def substitute_affine(terms: Terms, stretch: Sequence[Fraction | int],
                      shift: Sequence[Fraction | int]) -> dict[Exponents, Fraction]:
    """The polynomial after x_j -> stretch_j x_j + shift_j.

    Examples
    --------
    >>> substitute_affine({(2,): Fraction(1)}, [Fraction(2)], [Fraction(1)])
    {(0,): Fraction(1, 1), (1,): Fraction(4, 1), (2,): Fraction(4, 1)}
    """
    whole, denominator = substitute_in_integers(terms, stretch, shift)
    return {exponents: Fraction(value, denominator) for exponents, value in whole.items()}


def substitute_in_integers(terms: Mapping[Exponents, Fraction | int], stretch: Sequence[Fraction | int],
                           shift: Sequence[Fraction | int]) -> tuple[dict[Exponents, int], int]:
    """The same as whole numbers over one denominator.

    Examples
    --------
    >>> substitute_in_integers({(2,): Fraction(1, 3)}, [1], [2])
    ({(0,): 4, (1,): 4, (2,): 1}, 3)
    """
    whole, denominator = without_denominators(terms)
    for j, (a, b) in enumerate(zip(stretch, shift)):
        highest = max((exponents[j] for exponents in whole), default=0)
        w = lcm(a.denominator, b.denominator)
        a, b = int(a * w), int(b * w)
        denominator *= w**highest
        powers = [[(k, comb(power, k) * a**k * b ** (power - k) * w ** (highest - power))
                   for k in (range(power + 1) if b else (power,))] for power in range(highest + 1)]
        moved: dict[Exponents, int] = {}
        for exponents, value in whole.items():
            for k, factor in powers[exponents[j]]:
                key = exponents[:j] + (k,) + exponents[j + 1:]
                moved[key] = moved.get(key, 0) + value * factor
        whole = moved
    return {exponents: value for exponents, value in whole.items() if value}, denominator


def monomial_values(monomials: Sequence[Exponents], points: Sequence[Sequence[Fraction]]) -> list[list[Fraction]]:
    """Exact values of monomials (exponent tuples) at rational points, one row per point.

    Examples
    --------
    >>> monomial_values([(0, 0), (2, 1)], [(Fraction(1, 2), Fraction(3))])
    [[Fraction(1, 1), Fraction(3, 4)]]
    """
    highest = [max(exponents) for exponents in zip(*monomials)]
    rows = []
    for point in points:
        powers = [[x**e for e in range(top + 1)] for x, top in zip(point, highest)]
        rows.append([prod((powers[j][e] for j, e in enumerate(monomial) if e), start=Fraction(1))
                     for monomial in monomials])
    return rows


def derivative(terms: Terms, place: int) -> dict[Exponents, Fraction]:
    """The partial derivative by the variable at this place.

    Examples
    --------
    >>> derivative({(2, 1): Fraction(3), (0, 1): Fraction(1)}, 0)
    {(1, 1): Fraction(6, 1)}
    """
    return {(*e[:place], e[place] - 1, *e[place + 1:]): value * e[place] for e, value in terms.items() if e[place]}


def constant_apart(terms: Terms) -> tuple[dict[Exponents, Fraction], dict[Exponents, Fraction]]:
    """The terms with variables, and minus the constant: the two sides of an equation."""
    constant = tuple(0 for _ in next(iter(terms)))
    left = {exponents: value for exponents, value in terms.items() if exponents != constant}
    return left, {constant: -terms.get(constant, Fraction(0))}


def leading_apart(terms: Terms) -> tuple[dict[Exponents, Fraction], dict[Exponents, Fraction]]:
    """The leading term, which comes first, and minus the others.

    Examples
    --------
    >>> leading_apart({(3, 0): Fraction(1), (0, 2): Fraction(-1)})
    ({(3, 0): Fraction(1, 1)}, {(0, 2): Fraction(1, 1)})
    """
    leading = next(iter(terms))
    return {leading: terms[leading]}, {exponents: -value for exponents, value in terms.items() if exponents != leading}


def shown_expression(terms: Terms, digits_of: Mapping[Exponents, int], variables: Sequence[sympy.Symbol],
                     digits: int | None = None) -> sympy.Expr:
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


LONGEST_SHOWN = 10**9
"""Numerators and denominators beyond this (ten digits) are shown as decimals: nobody reads them."""
DIGITS_SHOWN = 6
"""Significant digits of those decimals."""


def digits_of_long_numbers(terms: Terms, longest: int = LONGEST_SHOWN) -> dict[Exponents, int]:
    """Exponent tuple -> significant digits to show, for coefficients too long to be shown exactly.

    Examples
    --------
    >>> digits_of_long_numbers({(1,): Fraction(1, 3), (0,): Fraction(1, 10**12)})
    {(0,): 6}
    """
    return {exponents: DIGITS_SHOWN for exponents, value in terms.items()
            if max(abs(value.numerator), value.denominator) > longest}
