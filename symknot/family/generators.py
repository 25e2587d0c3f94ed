"""What the methods of the family return: `Generators`, in the language of all results.

Each polynomial nearly vanishes on the points.  Whether all of them vanish *together* anywhere is another question, which
most methods do not ask: `knots` answers it afterwards, by looking for common zeros near every point
(`symknot.family.common_zeros`), and `neighbours` finds the points on which one polynomial vanishes alone.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import sympy

from ..export.system import System
from ..ground.blocks import blocks
from ..ground.checks import is_real, number_list, positive_number, whole_number
from ..ground.errors import InvalidOption, InvalidPoints, Status
from ..ground.ranges import root_mean_squares
from ..ground.storage import checked, different_names, floats, not_negative, plain, positive, write_json
from ..ground.wording import counted
from ..polynomials.equation import Equation
from ..polynomials.evaluation import evaluate_monomials
from ..polynomials.rational_json import terms_from_json, terms_json
from ..polynomials.symbols import own_symbols
from ..polynomials.terms import Exponents, Terms
from ..reading.names import checked_names
from ..reading.points import check_finite, checked_points
from ..reading.sources import read_variables
from ..results.checking import Check
from ..results.drawn import Drawn
from ..results.saving import reader
from ..symbolic.polynomial import FITTED_DIGITS_SHOWN
from .common_zeros import NearZeros, near_zeros, slope_sizes
from .generator_checks import SMALLEST_TERM, generator_checks, unless_wrong
from .order_ideals import Found

FORMAT, VERSION = "symknot generators", 1
MAX_DEGREE = 4
"""Default highest degree: a convention; equations of data are rarely of more, and monomials of more have few digits."""
ZERO_SHARE = 1e-6
"""Share of the data's spread within which polynomials count as zero at a point: equations that agree on knots within 1e-9,
the default delta of `symknot.fit`, agree to fewer digits between them; those that do not agree leave 1e-3 and more."""
SAME_SHARE = 1e-3
"""Share of the data's spread within which two common zeros are one: where equations touch rather than cross, a zero is known
to the root of what they leave."""
HIGHEST_READ_DEGREE = 1000
"""Degree of a polynomial beyond which a file is damaged: a convention."""


@dataclass(frozen=True, eq=False)
class Generator(Equation):
    """One polynomial that nearly vanishes on the points.

    Attributes
    ----------
    terms : dict
        Exponent tuple -> Fraction: the floats that were found, exactly; the leading one first.
    lead : tuple of int
        The monomial of the border that it was found for.
    measure : float
        What the method compared with its tolerance.
    residual : float
        Root-mean-square over the points, of the polynomial divided by its root-mean-square slope there: their distance
        from its zeros.  The same for all methods.
    variables : tuple of sympy.Symbol
    names : tuple of str
    """

    terms: Terms
    lead: Exponents
    measure: float
    residual: float
    variables: tuple[sympy.Symbol, ...]
    names: tuple[str, ...]

    @property
    def digits(self) -> dict[Exponents, int]:  # type: ignore[override]
        """Significant digits of each coefficient that are shown."""
        return {e: FITTED_DIGITS_SHOWN for e, value in self.terms.items() if value.denominator > 1}

    def __call__(self, X: Any) -> np.ndarray:
        """Values on the rows of X, an (n, d) array; one number for one point, of d numbers."""
        points, one = checked_points(X, self.names)
        values = monomial_values(points, np.array(list(self.terms))) @ np.array(list(map(float, self.terms.values())))
        return values[0] if one else values


@dataclass(frozen=True, eq=False, repr=False)
class Generators(Drawn):
    """Polynomials that nearly vanish on points, as a method of the family finds them.

    Attributes
    ----------
    method : str
        Its name.
    guarantee : str
        What the method promises about them, and what not.
    epsilon : float
        Tolerance, the largest where each variable was given its own.
    names : tuple of str
    points : (N, d) array
        Those that the polynomials are about.
    polynomials : tuple of Generator
        In the order in which they were found: by degree, then by leading monomial.
    order_ideal : tuple of exponent tuples
        Monomials that no polynomial leads: a basis of the functions on the points, up to the tolerance.
    status : Status
    message : str
    symbols : tuple of sympy.Symbol or None
    given_knots : (K, d) array or None
        Where the method itself chose the points on which its polynomials vanish.
    zero_count : int
        How many polynomials the method found besides that are zero everywhere, and say nothing.
    """

    method: str
    guarantee: str
    epsilon: float
    names: tuple[str, ...]
    points: np.ndarray
    polynomials: tuple[Generator, ...]
    order_ideal: tuple[Exponents, ...]
    status: Status
    message: str
    symbols: tuple[sympy.Symbol, ...] | None = None
    given_knots: np.ndarray | None = None
    zero_count: int = 0

    def evaluate(self, X: Any) -> np.ndarray:
        """Values of `polynomials` at points: an (n, number of polynomials) array, or one row of it for one point."""
        points, one = checked_points(X, self.names)
        values = np.empty((len(points), len(self.polynomials)))
        for rows in blocks(len(points)):
            values[rows] = monomial_values(points[rows], self._exponents) @ self._columns
        return values[0] if one else values

    def jacobian(self, X: Any) -> np.ndarray:
        """Derivatives of `polynomials` at points: an (n, polynomials, d) array, or one row of it for one point."""
        points, one = checked_points(X, self.names)
        slopes = self._both(points)[1]
        return slopes[0] if one else slopes

    @cached_property
    def common_zeros(self) -> NearZeros:
        """Where descents from the points to zeros of all polynomials end, how far away, and what is left there."""
        if not self.polynomials:
            nothing = np.zeros(len(self.points))
            return NearZeros(self.points, nothing, nothing)
        return near_zeros(self._both, self.points)

    @cached_property
    def knots(self) -> np.ndarray:  # type: ignore[override]
        """(K, d) array: common zeros of all polynomials that lie near the points; none where there is none."""
        if self.given_knots is not None:
            return self.given_knots
        found = self.common_zeros
        return distinct(found.points[found.left <= ZERO_SHARE * self._spread], SAME_SHARE * self._spread)

    def neighbours(self, place: int) -> np.ndarray:
        """The points near the given ones on which polynomial `place` vanishes, alone: an (N, d) array.

        For NBM this is the admissible perturbation whose existence it tests without computing it.
        """
        if not self.polynomials or whole_number("place", place, 0) >= len(self.polynomials):
            raise InvalidOption("place", place, f"less than {len(self.polynomials)}, the number of polynomials")

        def one(X):
            values, slopes = self._both(X)
            return values[:, place: place + 1], slopes[:, place: place + 1]
        return near_zeros(one, self.points).points

    @cached_property
    def _exponents(self) -> np.ndarray:
        found = dict.fromkeys(exponents for g in self.polynomials for exponents in g.terms)
        return np.array(list(found), dtype=np.int64).reshape(-1, len(self.names))

    @cached_property
    def _columns(self) -> np.ndarray:
        place = {tuple(e): k for k, e in enumerate(self._exponents.tolist())}
        columns = np.zeros((len(place), len(self.polynomials)))
        for k, g in enumerate(self.polynomials):
            for exponents, value in g.terms.items():
                columns[place[exponents], k] = float(value)
        return columns

    def _both(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        values, slopes = evaluate_monomials(points, self._exponents)
        return values @ self._columns, (slopes @ self._columns).transpose(0, 2, 1)

    @property
    def _spread(self) -> float:
        return spread_of(self.points)

    def _closing_lines(self) -> list[str]:
        return [f"{self.method} of {counted(len(self.points), 'point')}, tolerance {self.epsilon:.4g}: {self.guarantee}",
                *super()._closing_lines()]

    def _facts(self) -> list[tuple[str, str]]:
        return [("method", self.method), ("tolerance", f"{self.epsilon:.6g}"),
                ("order ideal", f"{len(self.order_ideal)} monomials")]

    def _system(self) -> System:
        several = len(self.polynomials) > 1
        return System(self.names, tuple(g.terms for g in self.polynomials), title=f"polynomials that {self.method} found",
                      sound=not several, warning="nearly vanishing polynomials, found one by one, rarely have a common zero: "
                      "expect the ideal (1)" if several else None)

    def _checks(self, points: Any) -> Iterator[Check]:
        if points is not None:
            yield from super()._checks(points)
        yield from generator_checks(self, len(self.polynomials))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the polynomials and the points to `path` as versioned JSON; `symknot.load` opens it."""
        write_json(path, FORMAT, VERSION, {
            "method": self.method, "guarantee": self.guarantee, "epsilon": self.epsilon, "names": list(self.names),
            "points": plain(self.points), "order_ideal": [list(e) for e in self.order_ideal], "status": self.status.value,
            "message": self.message, "zero_count": self.zero_count,
            "given_knots": None if self.given_knots is None else plain(self.given_knots),
            "polynomials": [{"terms": terms_json(g.terms), "lead": list(g.lead), "measure": g.measure, "residual": g.residual}
                            for g in self.polynomials]})

    def __repr__(self) -> str:
        return (f"<Generators: {counted(len(self.polynomials), 'polynomial')} in {', '.join(self.names)} by {self.method}, "
                f"{self.status.value}>")


def spread_of(points: np.ndarray) -> float:
    """Root-mean-square distance of points from their centroid; 1 where they have none."""
    return float(np.sqrt(np.mean(np.sum((points - points.mean(axis=0)) ** 2, axis=1)))) or 1.0


def distinct(points: np.ndarray, distance: float) -> np.ndarray:
    """The points without those within `distance` of an earlier one.

    Examples
    --------
    >>> distinct(np.array([[0.0], [0.1], [5.0], [0.05]]), 0.2).tolist()
    [[0.0], [5.0]]
    """
    kept: list[np.ndarray] = []
    for point in points:
        if not kept or np.linalg.norm(np.array(kept) - point, axis=1).min() > distance:
            kept.append(point)
    return np.array(kept).reshape(-1, points.shape[1])


def monomial_values(points: np.ndarray, exponents: np.ndarray) -> np.ndarray:
    """Values (n, m) of monomials, each power of a variable computed once."""
    values = np.ones((len(points), len(exponents)))
    for j in range(points.shape[1]):
        for power in range(1, int(exponents[:, j].max(initial=0)) + 1):
            having = exponents[:, j] >= power
            values[:, having] *= points[:, j, None]
    return values


@dataclass(frozen=True, eq=False)
class Given:
    """What every method is given, checked: points with names, the tolerance (of each variable too), the highest degree."""

    points: np.ndarray
    names: tuple[str, ...]
    symbols: tuple[sympy.Symbol, ...] | None
    tolerances: np.ndarray
    max_degree: int

    @property
    def epsilon(self) -> float:
        """The tolerance, the largest where variables have their own."""
        return float(self.tolerances.max())


def given(points: Any, epsilon: Any, max_degree: Any, names: Sequence | None, *, each: bool = False) -> Given:
    """Check what every method is given; with `each` the tolerance may be one for each variable."""
    if not each or is_real(epsilon):
        epsilon = positive_number("epsilon", epsilon)
    degree = whole_number("max_degree", max_degree, 1)
    table = read_variables(points)
    called = checked_names(names, table.names, table.width)
    values = table.numbers()
    if len(values) < 1:
        raise InvalidPoints("need at least one point, got none", file=table.file)
    check_finite(table, values, table.columns if names is None else called)
    d = len(called)
    rule = f"a positive number, or {d} of them, one for each variable"
    tolerances = np.full(d, epsilon) if is_real(epsilon) else number_list("epsilon", epsilon, d, rule)
    if (tolerances <= 0).any():
        raise InvalidOption("epsilon", tolerances.tolist(), "positive")
    return Given(values, called, own_symbols(names), tolerances, degree)


def generators(data: Given, found: Found, method: str, guarantee: str, knots: np.ndarray | None = None) -> Generators:
    """The result of a method: the polynomials that it found, with their residuals on the points."""
    status = found.status if found.polynomials else Status.NO_POLYNOMIAL
    led_by_none = f", {counted(len(found.terms), 'monomial')} that none leads" if found.terms else ""
    message = (f"{counted(len(found.polynomials), 'polynomial')}{led_by_none}" if found.polynomials else
               f"no polynomial of degree {data.max_degree} or less within {data.epsilon:g}")
    blank = Generators(method, guarantee, data.epsilon, data.names, data.points, (), tuple(found.terms), status, message,
                       data.symbols, knots, found.zero_count)
    sizes = _sizes(found.polynomials, data.points)
    rows = [Generator(_significant(terms, sizes), lead, measure, 0.0, blank.variables, data.names)
            for terms, lead, measure in zip(found.polynomials, found.leads, found.measures)]
    return unless_wrong(replace(blank, polynomials=tuple(_measured(rows, blank))))


def _sizes(polynomials, points):
    """The largest value on the points of each monomial in use."""
    exponents = list(dict.fromkeys(e for terms in polynomials for e in terms))
    values = monomial_values(points, np.array(exponents, dtype=np.int64).reshape(-1, points.shape[1]))
    return dict(zip(exponents, np.abs(values).max(axis=0)))


def _significant(terms, sizes):
    """Exact terms, without those that are rounding on all points beside the largest one."""
    least = SMALLEST_TERM * max(abs(float(value)) * sizes[e] for e, value in terms.items())
    return {e: Fraction(value) for e, value in terms.items() if abs(float(value)) * sizes[e] >= least}


def _measured(rows, blank):
    if not rows:
        return []
    values, slopes = replace(blank, polynomials=tuple(rows))._both(blank.points)
    residuals = root_mean_squares(values) / slope_sizes(slopes)
    return [replace(g, residual=float(size)) for g, size in zip(rows, residuals)]


@reader(FORMAT, versions=(VERSION,))
def read_generators(content: dict) -> Generators:
    """The `Generators` of a file's content."""
    names = different_names(content["names"])
    d = len(names)
    points = floats(content["points"], (None, d))
    if not len(points):
        raise ValueError("there must be points")
    knots = None if content["given_knots"] is None else floats(content["given_knots"], (None, d))
    blank = Generators(checked(content["method"], str), checked(content["guarantee"], str), positive(content["epsilon"]), names,
                       points, (),
                       tuple(_exponents(row, d) for row in checked(content["order_ideal"], list)),
                       Status(content["status"]), checked(content["message"], str), None, knots,
                       checked(content["zero_count"], int))
    polynomials = []
    for row in checked(content["polynomials"], list):
        terms = terms_from_json(row["terms"], d, HIGHEST_READ_DEGREE)
        if not terms:
            raise ValueError("a polynomial without terms")
        polynomials.append(Generator(terms, _exponents(row["lead"], d), not_negative(row["measure"]),
                                     not_negative(row["residual"]),
                                     blank.variables, names))
    return replace(blank, polynomials=tuple(polynomials))


def _exponents(value, d):
    if len(checked(value, list)) != d or any(checked(entry, int) < 0 for entry in value):
        raise ValueError(f"need {d} exponents, got {value}")
    return tuple(value)
