"""The ideal of all polynomials that vanish on rational points, for users: sympy's objects, text, a certificate.

The mathematics, and the numbers, are those of `exact.points_ideal`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import cached_property
from typing import Any

import sympy
from sympy.polys.polyoptions import build_options

from ..exact.certificate import Certificate, groebner_statement
from ..exact.points_ideal import VanishingOnPoints, vanishing_on_points
from ..ground.errors import InvalidOption
from ..ground.wording import counted
from ..polynomials.conversion import exact_number, expression_of, poly_of, terms_of
from ..polynomials.symbols import safe_symbols
from ..polynomials.terms import Terms, constant_apart, digits_of_long_numbers, shown_expression


def points_ideal(points: Sequence[Sequence[Fraction | int]], names: Sequence[str], order: str = "grevlex",
                 variables: Sequence[sympy.Symbol] | None = None, timeout: float | None = None,
                 arithmetic: str | None = None) -> PointsIdeal:
    """The exact ideal of all polynomials that vanish on rational points.

    Parameters
    ----------
    points : sequence of sequences of int or Fraction
        Distinct, at least one.  Floats are refused: make them rational first.
    names : sequence of str
        One per coordinate.
    order : {"grevlex", "grlex", "lex"}
        Term order; the first variable is the largest.
    variables : sequence of sympy.Symbol, optional
        Made from `names` by default.
    timeout : float, optional
        Seconds for this and for each later computation of the result.
    arithmetic : {None, "flint", "numpy"}
        Who solves; None takes flint where it is installed.  The answer is the same.

    Returns
    -------
    PointsIdeal

    Raises
    ------
    InvalidPoints, InvalidOption
    TooLarge
        When the coefficients would have too many digits.
    TimeLimit

    Examples
    --------
    >>> ideal = points_ideal([(0, 0), (1, 0), (0, 1)], ["x", "y"])
    >>> print(ideal)
    y**2 - y = 0
    x*y = 0
    x**2 - x = 0
    >>> ideal.standard_monomials, ideal.hilbert_function
    (((0, 0), (0, 1), (1, 0)), (1, 3))
    >>> x, y = ideal.variables
    >>> ideal.contains(x * y), ideal.reduce((x + y) ** 5), ideal.interpolate([1, 2, 3])
    (True, x + y, x + 2*y + 1)
    """
    names = (names,) if isinstance(names, str) else tuple(names)
    checked = None if variables is None else _checked_variables(variables, names)
    return PointsIdeal.of(vanishing_on_points(points, names, order, timeout, arithmetic), checked)


@dataclass(frozen=True, eq=False)
class PointsEquation:
    """A polynomial of the reduced Groebner basis of a points ideal.

    Attributes
    ----------
    terms : dict
        Exponent tuple -> Fraction, the leading one first and 1.
    variables : tuple of sympy.Symbol
    names : tuple of str
    """

    terms: Terms
    variables: tuple[sympy.Symbol, ...]
    names: tuple[str, ...]

    @property
    def degree(self) -> int:
        """Total degree."""
        return max(map(sum, self.terms))

    @cached_property
    def expr(self) -> sympy.Expr:
        """The polynomial as a sympy expression."""
        return expression_of(self.terms, self.variables)

    @cached_property
    def poly(self) -> sympy.Poly:
        """The polynomial as `sympy.Poly` over QQ."""
        return poly_of(self.terms, self.variables)

    @property
    def digits(self) -> dict[tuple[int, ...], int]:
        """Significant digits to show of the coefficients that are too long to be shown exactly."""
        return digits_of_long_numbers(self.terms)

    def __str__(self) -> str:
        return " = ".join(str(shown_expression(side, self.digits, self.variables)) for side in constant_apart(self.terms))


@dataclass(frozen=True, eq=False, repr=False)
class PointsIdeal(VanishingOnPoints):
    """The ideal of all polynomials that vanish on rational points; made by `points_ideal`.

    It has the numbers of `symknot.exact.points_ideal.VanishingOnPoints`: `points`, `names`, `order`, `basis` (as dicts),
    `standard_monomials`, `corners`, `hilbert_function`, `regularity`, `separators`, `border_basis`, `timeout`, `arithmetic`.

    Attributes
    ----------
    variables : tuple of sympy.Symbol
    """

    variables: tuple[sympy.Symbol, ...] = field(kw_only=True)

    @classmethod
    def of(cls, numbers: VanishingOnPoints, variables: tuple[sympy.Symbol, ...] | None = None) -> PointsIdeal:
        """The same with a face; `variables` are made from the names by default."""
        known = {entry.name: getattr(numbers, entry.name) for entry in fields(VanishingOnPoints)}
        return cls(**known, variables=variables or safe_symbols(numbers.names))

    @cached_property
    def polynomials(self) -> tuple[PointsEquation, ...]:
        """The reduced Groebner basis, by leading monomial from small to large."""
        return tuple(PointsEquation(terms, self.variables, self.names) for terms in self.basis)

    def groebner(self, order: str | None = None) -> sympy.GroebnerBasis:
        """The reduced Groebner basis as sympy's object; in the ideal's own order it is not computed again.

        Parameters
        ----------
        order : {"grevlex", "grlex", "lex"}, optional
            By default that of the ideal.
        """
        ideal = self if order is None else self.in_order(order)
        options = build_options(ideal.variables, {"order": ideal.order, "domain": sympy.QQ, "polys": False})
        return sympy.GroebnerBasis._new([g.poly for g in reversed(ideal.polynomials)], options)

    def dimension(self) -> int:
        """0: the variety is a finite set of points."""
        return 0

    def degree(self) -> int:
        """The number of points."""
        return len(self.points)

    def is_radical(self) -> bool:
        """True: if a power of a polynomial is zero on the points, the polynomial is."""
        return True

    def contains(self, polynomial: sympy.Expr | sympy.Poly | Terms) -> bool:
        """Whether a polynomial vanishes on all the points.

        Parameters
        ----------
        polynomial : sympy.Expr, sympy.Poly or dict of terms
            With rational coefficients.
        """
        return super().contains(terms_of(polynomial, self.variables))

    def reduce(self, polynomial: sympy.Expr | sympy.Poly | Terms) -> Any:
        """The polynomial in standard monomials that is the same modulo the ideal: its normal form.

        Parameters
        ----------
        polynomial : sympy.Expr, sympy.Poly or dict of terms
            With rational coefficients.

        Returns
        -------
        the same type
            Zero exactly for the polynomials of the ideal.
        """
        terms = super().reduce(terms_of(polynomial, self.variables))
        if isinstance(polynomial, dict):
            return terms
        return (poly_of if isinstance(polynomial, sympy.Poly) else expression_of)(terms, self.variables)

    def interpolate(self, values: Sequence[Fraction | int]) -> sympy.Expr:
        """The polynomial in standard monomials with these values at the points, as a sympy expression.

        Parameters
        ----------
        values : sequence of int or Fraction
            One per point.
        """
        given = list(values)
        exact = [number for number in map(exact_number, given) if number is not None]
        if not len(self.points) == len(exact) == len(given):
            raise InvalidOption("values", given, f"{len(self.points)} exact numbers (int or Fraction), one per point")
        return expression_of(self.through(exact), self.variables)

    def in_order(self, order: str) -> PointsIdeal:
        """The same ideal for another term order."""
        return self if order == self.order else PointsIdeal.of(super().in_order(order), self.variables)

    @cached_property
    def certificate(self) -> Certificate:
        """`Certificate` that `basis` is what it is said to be, to be saved and checked by anyone."""
        return Certificate(self.names, self.basis, [groebner_statement(range(len(self.basis)), self.order, self.points)])

    def __str__(self) -> str:
        return "\n".join(map(str, self.polynomials))

    def __repr__(self) -> str:
        return f"<PointsIdeal of {counted(len(self.points), 'point')} in {', '.join(self.names)}, order {self.order!r}>"


def _checked_variables(variables, names):
    variables = tuple(variables)
    symbols = len(set(variables)) == len(names) and all(isinstance(v, sympy.Symbol) for v in variables)
    if not symbols or len(variables) != len(names):
        raise InvalidOption("variables", variables, f"{len(names)} different sympy symbols, one per name")
    return variables
