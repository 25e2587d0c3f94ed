"""Between exact terms (exponent tuple -> Fraction) and sympy's objects; never through text, never through floats."""

from __future__ import annotations

import numbers
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import sympy
from sympy.polys.rings import PolyRing

from ..ground.errors import InvalidOption
from .infix import Style, polynomial_text
from .terms import Exponents, Terms

LARGEST_DEGREE = 10_000
"""Total degree; higher ones are refused, since ``(x + y)**(10**9)`` would fill the memory.  A convention, far above
what any computer algebra system can work with."""


def exact_number(value: Any) -> Fraction | None:
    """`value` as a Fraction; None unless it is an exact rational number.

    Examples
    --------
    >>> exact_number(3), exact_number(sympy.Rational(1, 2)), exact_number(0.5)
    (Fraction(3, 1), Fraction(1, 2), None)
    """
    if not isinstance(value, numbers.Rational) or isinstance(value, bool):
        return None
    return Fraction(int(value.numerator), int(value.denominator))


def terms_of(polynomial: sympy.Expr | sympy.Poly | Mapping[Exponents, Fraction | int] | Fraction | int,
             variables: Sequence[sympy.Symbol], name: str = "expression") -> dict[Exponents, Fraction]:
    """The terms of a polynomial with rational coefficients.

    Parameters
    ----------
    polynomial : sympy.Expr, sympy.Poly over QQ or ZZ, dict, int or Fraction
        A dict holds exponent tuple -> rational number.  Text is refused: sympy would run it.
    variables : sequence of sympy.Symbol
    name : str
        What it is called in messages.

    Returns
    -------
    dict
        Exponent tuple -> Fraction, without zeros.

    Examples
    --------
    >>> x, y = sympy.symbols("x y")
    >>> terms_of((x + y) ** 2 - x**2 - y / 3, (x, y))
    {(1, 1): Fraction(2, 1), (0, 2): Fraction(1, 1), (0, 1): Fraction(-1, 3)}
    """
    if isinstance(polynomial, dict):
        return _checked_terms(polynomial, len(variables))
    number = exact_number(polynomial)
    if number is not None:
        return {(0,) * len(variables): number} if number else {}
    if isinstance(polynomial, sympy.Poly):
        terms = _terms_of_poly(polynomial, variables, name)
    elif isinstance(polynomial, sympy.Expr):
        terms = _terms_of_expression(polynomial, variables, name)
    else:
        raise InvalidOption(name, polynomial, "exact: a sympy expression, a sympy.Poly over QQ or ZZ, or a dict of "
                                              "terms (text is never evaluated)")
    if any(sum(exponents) > LARGEST_DEGREE for exponents in terms):
        raise InvalidOption(name, polynomial, _DEGREES)
    return terms


_DEGREES = f"of degree 0 to {LARGEST_DEGREE}"
_NO_FLOATS = "exact, without floating-point numbers (write sympy.Rational(1, 10), not 0.1)"


def _terms_of_poly(polynomial, variables, name):
    if not polynomial.domain.is_Exact:
        raise InvalidOption(name, polynomial, _NO_FLOATS)
    if not (polynomial.domain.is_QQ or polynomial.domain.is_ZZ):
        raise InvalidOption(name, polynomial, f"{_polynomial_in(variables)}: a sympy.Poly over QQ or ZZ")
    places = [variables.index(generator) if generator in variables else None for generator in polynomial.gens]
    terms = {}
    for exponents, value in polynomial.terms():
        key = [0] * len(variables)
        for generator, place, exponent in zip(polynomial.gens, places, exponents):
            if exponent and place is None:
                raise InvalidOption(name, polynomial, _only_in(variables, [generator]))
            if exponent:
                key[place] = int(exponent)
        if value:
            terms[tuple(key)] = exact_number(value)
    return terms


def _terms_of_expression(expression, variables, name):
    if expression.has(sympy.Float):
        raise InvalidOption(name, expression, _NO_FLOATS)
    foreign = expression.free_symbols.difference(*(variable.free_symbols for variable in variables))
    if foreign:
        raise InvalidOption(name, expression, _only_in(variables, sorted(foreign, key=str)))
    # x**(10**9) would fill the memory before anyone could count its degree
    if any(power.exp.is_Number and power.exp > LARGEST_DEGREE for power in expression.atoms(sympy.Pow)):
        raise InvalidOption(name, expression, _DEGREES)
    ring = PolyRing(tuple(variables), sympy.QQ, sympy.lex)
    for form in (lambda: expression, expression.expand):             # (x + sqrt(2)) * (x - sqrt(2)) is rational
        try:
            return {tuple(map(int, exponents)): Fraction(int(sympy.QQ.numer(value)), int(sympy.QQ.denom(value)))
                    for exponents, value in ring.from_expr(form()).terms()}
        except ValueError:
            continue
    raise InvalidOption(name, expression, _polynomial_in(variables))


def _only_in(variables, foreign):
    return f"in the variables {_listed(variables)} only, without {_listed(foreign)}"


def _polynomial_in(variables):
    return f"a polynomial in {_listed(variables)} with rational coefficients"


def _listed(symbols):
    return ", ".join(map(str, symbols))


def _checked_terms(terms, dimension):
    checked = {}
    for exponents, value in terms.items():
        if (not isinstance(exponents, tuple) or len(exponents) != dimension
                or not all(type(e) is int and e >= 0 for e in exponents)):
            raise InvalidOption("terms", exponents, f"keyed by tuples of {dimension} whole numbers >= 0")
        number = exact_number(value)
        if number is None:
            raise InvalidOption("terms", value, "exact: coefficients are int or Fraction")
        if number:
            checked[exponents] = number
    return checked


def shown(terms: Mapping[Exponents, Fraction], variables: Sequence[sympy.Symbol]) -> str:
    """A polynomial as sympy prints it, also where its numbers have more digits than Python prints.

    Examples
    --------
    >>> x = sympy.Symbol("x")
    >>> shown({(2,): Fraction(1), (0,): Fraction(-1, 2)}, [x]), len(shown({(1,): Fraction(10**5000)}, [x]))
    ('x**2 - 1/2', 5003)
    """
    try:
        return str(expression_of(terms, variables))
    except ValueError:
        return polynomial_text(terms, [str(variable) for variable in variables], Style(power="{}**{}".format, wrap=False))


def expression_of(terms: Terms, variables: Sequence[sympy.Symbol]) -> sympy.Expr:
    """The sympy expression of `terms`, with exact coefficients.

    Examples
    --------
    >>> expression_of({(2, 0): Fraction(1), (0, 1): Fraction(-1, 3)}, sympy.symbols("x y"))
    x**2 - y/3
    """
    return sympy.Add(*[sympy.Rational(value.numerator, value.denominator)
                       * sympy.Mul(*[v**e for v, e in zip(variables, exponents)])
                       for exponents, value in terms.items()])


def poly_of(terms: Terms, variables: Sequence[sympy.Symbol]) -> sympy.Poly:
    """`terms` as `sympy.Poly` over QQ.

    Examples
    --------
    >>> poly_of({(2, 0): Fraction(1), (0, 1): Fraction(-1, 3)}, sympy.symbols("x y"))
    Poly(x**2 - 1/3*y, x, y, domain='QQ')
    """
    numbers_of_sympy = {e: sympy.QQ(value.numerator, value.denominator) for e, value in terms.items()}
    return sympy.Poly.from_dict(numbers_of_sympy, *variables, domain=sympy.QQ)
