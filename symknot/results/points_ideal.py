"""The ideal of all polynomials that vanish on rational points, for users: sympy's objects, text, a certificate.

The mathematics, and the numbers, are those of `polynomials.vanishing`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import sympy

from ..exact.certificate import Certificate, groebner_statement
from ..export.statements import PointsBasis
from ..export.system import System
from ..ground.calls import call_text, noted
from ..ground.errors import InvalidOption, Status
from ..ground.storage import checked, write_json
from ..ground.wording import counted
from ..polynomials.conversion import exact_number, expression_of, terms_of
from ..polynomials.equation import Equation
from ..polynomials.precise import value_at
from ..polynomials.rational_json import rational_from_json, rational_json
from ..polynomials.terms import Exponents, Terms, digits_of_long_numbers
from ..polynomials.vanishing import VanishingOnPoints, vanishing_on_points
from .base import basis_object
from .checking import MOST_TERMS, SAMPLE_AT_ONCE, Check, exactly, numbered, refutation, sampled
from .drawn import Drawn
from .saving import reader

FORMAT, VERSION = "symknot points ideal", 1


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
    call = call_text(points_ideal, locals())
    names = (names,) if isinstance(names, str) else tuple(names)
    checked = None if variables is None else _checked_variables(variables, names)
    return noted(PointsIdeal.of(vanishing_on_points(points, names, order, timeout, arithmetic), checked), call)


@dataclass(frozen=True, eq=False)
class PointsEquation(Equation):
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
    def digits(self) -> dict[Exponents, int]:  # type: ignore[override]
        """Significant digits to show of the coefficients that are too long to be shown exactly."""
        return digits_of_long_numbers(self.terms)


@dataclass(frozen=True, eq=False, repr=False)
class PointsIdeal(Drawn, VanishingOnPoints):
    """The ideal of all polynomials that vanish on rational points; made by `points_ideal`.

    It has the numbers of `symknot.polynomials.vanishing.VanishingOnPoints`: `points`, `names`, `order`, `basis` (as dicts),
    `standard_monomials`, `corners`, `hilbert_function`, `regularity`, `separators`, `border_basis`, `timeout`, `arithmetic`.

    Attributes
    ----------
    symbols : tuple of sympy.Symbol or None
    unconfirmed : str
        What a second computation says against it; empty as it should be.
    """

    symbols: tuple[sympy.Symbol, ...] | None = None
    unconfirmed: str = ""

    @classmethod
    def of(cls, numbers: VanishingOnPoints, symbols: tuple[sympy.Symbol, ...] | None = None) -> PointsIdeal:
        """The face of these numbers; `variables` are made from the names unless `symbols` are given."""
        face = cls(**{entry.name: getattr(numbers, entry.name) for entry in fields(VanishingOnPoints)}, symbols=symbols)
        return replace(face, unconfirmed=refutation(face._zeros(SAMPLE_AT_ONCE, MOST_TERMS)))

    @cached_property
    def knots(self) -> np.ndarray:  # type: ignore[override]
        """(K, d) array: `points` as floats."""
        return np.array([[float(value) for value in point] for point in self.points])

    @property
    def status(self) -> Status:  # type: ignore[override]
        """Exact, unless a second computation says otherwise."""
        return Status.NOT_CONFIRMED if self.unconfirmed else Status.EXACT

    @property
    def message(self) -> str:  # type: ignore[override]
        """What the polynomials are."""
        return self.unconfirmed or (
                f"the reduced Groebner basis, in the order {self.order}, of all polynomials that vanish on "
                f"{counted(len(self.points), 'point')}")

    @cached_property
    def polynomials(self) -> tuple[PointsEquation, ...]:  # type: ignore[override]
        """The reduced Groebner basis, by leading monomial from small to large."""
        return tuple(PointsEquation(terms, self.variables, self.names) for terms in self.basis)

    def groebner(self, order: str | None = None, engine: str = "auto",
                 timeout: float | None = None) -> sympy.GroebnerBasis:
        """The reduced Groebner basis as sympy's object; in the ideal's own order it is not computed again.

        Parameters
        ----------
        order : {"grevlex", "grlex", "lex"}, optional
            By default that of the ideal.
        engine, timeout
            Not needed: the basis comes from the points.
        """
        ideal = self if order is None else self.in_order(order)
        return basis_object([g.poly for g in ideal.polynomials], ideal.variables, ideal.order)

    def dimension(self, engine: str = "auto", timeout: float | None = None) -> int:
        """0: the variety is a finite set of points."""
        return 0

    def degree(self, engine: str = "auto", timeout: float | None = None) -> int:
        """The number of points."""
        return len(self.points)

    def is_radical(self, engine: str = "auto", timeout: float | None = None) -> bool:
        """True: if a power of a polynomial is zero on the points, the polynomial is."""
        return True

    def contains(self, expr: Any, engine: str = "auto", timeout: float | None = None) -> bool:
        """Whether a polynomial vanishes on all the points.

        Parameters
        ----------
        expr : sympy.Expr, sympy.Poly or dict of terms
            With rational coefficients.
        engine, timeout
            Not needed: the values at the points decide.
        """
        return VanishingOnPoints.contains(self, terms_of(expr, self.variables))

    def reduce(self, expr: Any, order: str | None = None, engine: str = "auto",
               timeout: float | None = None) -> sympy.Expr:
        """The polynomial in standard monomials that is the same modulo the ideal: its normal form.

        Parameters
        ----------
        expr : sympy.Expr, sympy.Poly or dict of terms
            With rational coefficients.
        order : {"grevlex", "grlex", "lex"}, optional
            By default that of the ideal.

        Returns
        -------
        sympy.Expr
            Zero exactly for the polynomials of the ideal.
        """
        ideal = self if order is None else self.in_order(order)
        return expression_of(VanishingOnPoints.reduce(ideal, terms_of(expr, self.variables)), self.variables)

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
        return self if order == self.order else PointsIdeal.of(super().in_order(order), self.symbols)

    @cached_property
    def certificate(self) -> Certificate:
        """`Certificate` that `basis` is what it is said to be, to be saved and checked by anyone."""
        statement = groebner_statement(range(len(self.basis)), self.order, self.points)
        return Certificate(self.names, self.basis, (statement,))

    def _closing_lines(self) -> list[str]:
        return super()._closing_lines() if self.unconfirmed else []

    def _facts(self) -> list[tuple[str, str]]:
        return [("term order", self.order), ("Hilbert function", ", ".join(map(str, self.hilbert_function))),
                ("standard monomials", str(len(self.standard_monomials)))]

    def _system(self) -> System:
        return System(self.names, self.basis, self.points, "the ideal of all polynomials that vanish on points",
                      (self.message,), statements=(PointsBasis(tuple(range(len(self.basis))), self.order, self.points),))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the points, from which all else follows, to `path` as versioned JSON; `symknot.load` opens it."""
        write_json(path, FORMAT, VERSION, {"names": list(self.names), "order": self.order,
                                            "points": [list(map(rational_json, point)) for point in self.points]})

    def _checks(self, points: Any) -> Iterator[Check]:
        yield from super()._checks(points)
        yield from self._zeros(len(self.points))

    def _zeros(self, most: int, terms: float = np.inf) -> Iterator[Check]:
        """Whether polynomials with not more terms than these together are zero at so many of the points."""
        sample = [self.points[place] for place in sampled(len(self.points), most)]
        sizes = np.cumsum([len(one) for one in self.basis])
        for number, one in enumerate(self.basis[: int(np.sum(sizes <= terms))]):
            yield exactly(numbered("zero at every point", number), sum(value_at(one, point) != 0 for point in sample))

    def __repr__(self) -> str:
        return f"<PointsIdeal of {counted(len(self.points), 'point')} in {', '.join(self.names)}, order {self.order!r}>"


@reader(FORMAT, versions=(VERSION,))
def read_points_ideal(content: dict) -> PointsIdeal:
    """The `PointsIdeal` of a file's content."""
    names = tuple(checked(name, str) for name in checked(content["names"], list))
    points = [tuple(map(rational_from_json, checked(point, list))) for point in checked(content["points"], list)]
    return points_ideal(points, names, checked(content["order"], str))


def _checked_variables(variables, names):
    variables = tuple(variables)
    symbols = len(set(variables)) == len(names) and all(isinstance(v, sympy.Symbol) for v in variables)
    if not symbols or len(variables) != len(names):
        raise InvalidOption("variables", variables, f"{len(names)} different sympy symbols, one per name")
    return variables
