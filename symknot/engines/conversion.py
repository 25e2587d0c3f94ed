"""What a call of an engine is given, as plain data, and bases back.

Everything that reaches an engine has passed here: rational coefficients, whole exponents,
no floats, no strings.  Inside there are only sizes, exponent tuples and fractions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import sympy

from ..ground.errors import InvalidOption
from ..polynomials.conversion import exact_number, poly_of, terms_of
from ..polynomials.term_orders import order_key
from ..polynomials.terms import Terms
from .arithmetic import monic, unit_exponents

Polynomials = Iterable[sympy.Expr | sympy.Poly]
"""Generators of an ideal as a user gives them."""
Variables = Iterable[sympy.Symbol | str]
"""Variables as a user gives them."""

_RULE = "exact: sympy.Poly over QQ or ZZ, or sympy expressions with variables="


@dataclass(frozen=True)
class Generators:
    """Generators of an ideal in `size` variables: dictionaries exponent tuple -> Fraction, none of them zero."""

    size: int
    polynomials: tuple[Terms, ...]


def read_generators(polynomials: Polynomials,
                    variables: Variables | None = None) -> tuple[tuple[sympy.Symbol, ...], Generators]:
    """Generators of an ideal as plain data.

    Parameters
    ----------
    polynomials : sequence of sympy.Poly or sympy.Expr
        Over the rational numbers.
    variables : sequence of sympy.Symbol, optional
        Needed with expressions; for `Poly` the generators of the first one.

    Returns
    -------
    tuple, Generators
        The variables and the generators.

    Examples
    --------
    >>> x, y = sympy.symbols("x y")
    >>> read_generators([x**2 - y / 2], [x, y])[1].polynomials
    ({(2, 0): Fraction(1, 1), (0, 1): Fraction(-1, 2)},)
    """
    if isinstance(polynomials, (str, bytes, sympy.Basic)) or not hasattr(polynomials, "__iter__"):
        raise InvalidOption("polynomials", polynomials, f"a sequence of polynomials, {_RULE}")
    polynomials = list(polynomials)
    if variables is None:
        first = next((p for p in polynomials if isinstance(p, sympy.Poly)), None)
        if first is None:
            raise InvalidOption("variables", variables, "given with expressions: a sequence of sympy symbols")
        variables = first.gens
    variables = read_variables(variables)
    terms = (terms_of(polynomial, variables, "polynomials") for polynomial in polynomials)
    return variables, Generators(len(variables), tuple(t for t in terms if t))


def read_variables(variables: Variables) -> tuple[sympy.Symbol, ...]:
    """Variables as a tuple of different symbols; strings become symbols of that name."""
    if isinstance(variables, (str, sympy.Basic)):
        raise InvalidOption("variables", variables, "a sequence of sympy symbols")
    variables = tuple(sympy.Symbol(v) if isinstance(v, str) else v for v in variables)
    if not variables or not all(isinstance(v, sympy.Expr) for v in variables) or len(set(variables)) < len(variables):
        raise InvalidOption("variables", variables, "different sympy symbols, at least one")
    return variables


def exact_points(points: Iterable[Iterable[int | Fraction | sympy.Rational]], size: int) -> list[tuple[Fraction, ...]]:
    """Points as tuples of fractions, from whole numbers, fractions and sympy rationals.

    Examples
    --------
    >>> exact_points([[1, sympy.Rational(1, 2)]], 2)
    [(Fraction(1, 1), Fraction(1, 2))]
    """
    rows = []
    for point in points:
        point = tuple(point)
        exact = tuple(number for number in map(exact_number, point) if number is not None)
        if len(exact) < len(point):
            raise InvalidOption("points", point, "exact numbers: whole, fractions.Fraction or sympy.Rational; "
                                                 "write floats as rational numbers first")
        if len(point) != size:
            raise InvalidOption("points", point, f"rows of {size} numbers, one per variable")
        rows.append(exact)
    return rows


def point_generators(point: Sequence[Fraction]) -> Generators:
    """The ideal of one point: x_j - p_j for each j."""
    size = len(point)
    return Generators(size, tuple({unit: Fraction(1), **({(0,) * size: -value} if value else {})}
                                  for unit, value in zip(unit_exponents(size), point)))


def as_basis(basis: Iterable[Terms], variables: Sequence[sympy.Symbol], order: str = "grevlex") -> list[sympy.Poly]:
    """A Groebner basis as monic `sympy.Poly`, the largest leading monomial first as in `sympy.groebner`."""
    key = order_key(order)
    return [poly_of(terms, variables) for terms in
            sorted((monic(terms, order) for terms in basis), key=lambda terms: key(max(terms, key=key)), reverse=True)]
