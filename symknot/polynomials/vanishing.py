r"""The ideal of all polynomials that vanish on finitely many rational points.

Buchberger and Moeller: go through the monomials from small to large.  One whose values on the
points are independent of those of the smaller monomials is *standard*.  Any other is a
combination of smaller ones, hence the leading monomial of a polynomial that vanishes: a *corner*,
whose multiples are passed over.  There are as many standard monomials as points, and the corners'
polynomials

.. math:: x^c - \sum_{m < c} a_m x^m, \qquad m \text{ standard},

are the reduced Groebner basis.

Which monomials are standard is found modulo a prime.  Their rational combinations come from one
exact solve, `exact_linear.null_space`, which also says which monomials are independent of the smaller
ones over the rational numbers.  Where these are not the ones that the prime found, it was unlucky
and the next one is taken.  Where they are, the answer is proved: a combination of standard
monomials does not vanish, being independent on the points, so the ideal has no leading
monomials but the multiples of the corners.

Modulo the ideal a polynomial is its values on the points.  So it belongs to the ideal exactly if
it is zero on them, and its normal form is the interpolation of its values by standard monomials.

Everything here is numbers: polynomials are dicts, exponent tuple -> Fraction.
`results.points_ideal.PointsIdeal` is the face on top of it.

H. M. Moeller and B. Buchberger, *The construction of multivariate polynomials with preassigned
zeros*, EUROCAM (1982).
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from ..ground.deadline import Deadline
from ..ground.errors import InvalidOption, InvalidPoints
from ..ground.exact_linear import ModularSpan, chosen_arithmetic, null_space, primes, residues, solve
from ..ground.wording import counted
from .conversion import exact_number
from .term_orders import order_key
from .terms import Exponents, Terms, monomial_values


def vanishing_on_points(points: Sequence[Sequence[Fraction | int]], names: Sequence[str], order: str = "grevlex",
                        timeout: float | None = None, arithmetic: str | None = None) -> VanishingOnPoints:
    """All polynomials that vanish on rational points, by their reduced Groebner basis.

    Parameters
    ----------
    points : sequence of sequences of int or Fraction
        Distinct, at least one.  Floats are refused: make them rational first.
    names : sequence of str
        One per coordinate.
    order : {"grevlex", "grlex", "lex"}
        Term order; the first variable is the largest.
    timeout : float, optional
        Seconds for this and for each later computation of the result.
    arithmetic : {None, "flint", "numpy"}
        Who solves; None takes flint where it is installed.  The answer is the same.

    Returns
    -------
    VanishingOnPoints

    Raises
    ------
    InvalidPoints, InvalidOption
    TooLarge
        When the coefficients would have too many digits.
    TimeLimit

    Examples
    --------
    >>> found = vanishing_on_points([(0, 0), (1, 0), (0, 1)], ["x", "y"])
    >>> found.basis[1], found.standard_monomials, found.hilbert_function
    ({(1, 1): Fraction(1, 1)}, ((0, 0), (0, 1), (1, 0)), (1, 3))
    """
    named = _checked_names(names)
    exact = _checked_points(points, named)
    key, deadline = order_key(order), Deadline(timeout)
    chosen_arithmetic(arithmetic)
    for prime in primes():
        modular = [residues([point[j] for point in exact], prime) for j in range(len(named))]
        if any(column is None for column in modular):
            continue
        standard, corners = _order_ideal(modular, key, prime, deadline)
        if len(standard) < len(exact):
            continue
        monomials = sorted(standard + corners, key=key)
        pivots, _, X = null_space(monomial_values(monomials, exact), deadline, arithmetic)
        if [monomials[place] for place in pivots] == standard:
            break
    basis = tuple(_vanishing(corner, standard, column) for corner, column in zip(corners, zip(*X)))
    return VanishingOnPoints(exact, named, order, basis, tuple(standard), tuple(corners), timeout, arithmetic)


def _order_ideal(points, key, prime, deadline):
    """Standard monomials and corners modulo a prime, increasing; `points` holds one array per coordinate."""
    dimension = len(points)
    one = (0,) * dimension
    values = {one: np.ones(len(points[0]), dtype=np.int64)}
    span = ModularSpan(len(points[0]), prime)
    standard, corners, waiting = [], [], [(key(one), one)]
    while waiting:
        deadline.check("standard monomials modulo a prime")
        _, monomial = heapq.heappop(waiting)
        if any(all(a >= b for a, b in zip(monomial, corner)) for corner in corners):
            continue
        if not span.add(values[monomial]):
            corners.append(monomial)
            continue
        standard.append(monomial)
        for j, column in enumerate(points):
            multiple = _times(monomial, j)
            if multiple not in values:
                values[multiple] = values[monomial] * column % prime
                heapq.heappush(waiting, (key(multiple), multiple))
    return standard, corners


def _times(monomial, j):
    return monomial[:j] + (monomial[j] + 1,) + monomial[j + 1:]


def _vanishing(monomial, standard, coefficients):
    """`monomial` less a combination of standard ones, as terms, the leading one first."""
    lower = {m: -a for m, a in zip(reversed(standard), reversed(coefficients)) if a}
    return {monomial: Fraction(1), **lower}


@dataclass(frozen=True, eq=False, repr=False)
class VanishingOnPoints:
    """All polynomials that vanish on rational points; made by `vanishing_on_points`.

    Attributes
    ----------
    points : tuple of tuples of Fraction
    names : tuple of str
    order : {"grevlex", "grlex", "lex"}
    basis : tuple of dict
        Reduced Groebner basis, by leading monomial from small to large: exponent tuple ->
        Fraction, the leading one first and 1.
    standard_monomials : tuple of tuples of int
        Exponents of the monomials that lead no polynomial of the ideal, from small to large.
    corners : tuple of tuples of int
        Leading monomials of `basis`.
    timeout : float or None
        Seconds for each further computation.
    arithmetic : str or None
    """

    points: tuple[tuple[Fraction, ...], ...]
    names: tuple[str, ...]
    order: str
    basis: tuple[dict[Exponents, Fraction], ...]
    standard_monomials: tuple[Exponents, ...]
    corners: tuple[Exponents, ...]
    timeout: float | None = None
    arithmetic: str | None = None

    @cached_property
    def hilbert_function(self) -> tuple[int, ...]:
        """For t = 0, 1, ...: the dimension of the functions on the points that degree t or less gives.

        It ends where it reaches the number of points, and is the same for every order.
        """
        graded = self.in_order("grevlex") if self.order == "lex" else self
        degrees = [sum(monomial) for monomial in graded.standard_monomials]
        return tuple(sum(degree <= t for degree in degrees) for t in range(max(degrees) + 1))

    @property
    def regularity(self) -> int:
        """The least degree whose polynomials take any values on the points."""
        return len(self.hilbert_function) - 1

    @cached_property
    def separators(self) -> tuple[dict[Exponents, Fraction], ...]:
        """For each point the polynomial in standard monomials that is 1 at it and 0 at the others."""
        count = len(self.points)
        identity = [[int(i == j) for j in range(count)] for i in range(count)]
        return tuple(self._terms(column) for column in zip(*self._interpolated(identity)))

    @cached_property
    def border_basis(self) -> tuple[dict[Exponents, Fraction], ...]:
        """For each border monomial, from small to large, its polynomial, that monomial first.

        The border: products of a variable and a standard monomial that are not standard.
        """
        known = dict(zip(self.corners, self.basis))
        products = {_times(monomial, j) for monomial in self.standard_monomials for j in range(len(self.names))}
        border = sorted(products - set(self.standard_monomials), key=order_key(self.order))
        others = [monomial for monomial in border if monomial not in known]
        if others:
            X = self._interpolated(monomial_values(others, self.points))
            known |= {monomial: _vanishing(monomial, self.standard_monomials, column)
                      for monomial, column in zip(others, zip(*X))}
        return tuple(known[monomial] for monomial in border)

    def values(self, terms: Terms) -> list[Fraction]:
        """The values of a polynomial at the points."""
        if not terms:
            return [Fraction(0)] * len(self.points)
        return [sum((value * c for value, c in zip(row, terms.values())), start=Fraction(0))
                for row in monomial_values(list(terms), self.points)]

    def contains(self, polynomial: Terms) -> bool:
        """Whether a polynomial is zero at all the points."""
        return not any(self.values(polynomial))

    def through(self, values: Sequence[Fraction | int]) -> dict[Exponents, Fraction]:
        """The polynomial in standard monomials with these values at the points, the leading term first."""
        return self._terms([x for x, in self._interpolated([[value] for value in values])])

    def reduce(self, polynomial: Terms) -> dict[Exponents, Fraction]:
        """The polynomial in standard monomials that is the same modulo the ideal: its normal form."""
        if set(polynomial) <= set(self.standard_monomials):
            return dict(polynomial)
        return self.through(self.values(polynomial))

    def in_order(self, order: str) -> VanishingOnPoints:
        """The same ideal for another term order."""
        if order == self.order:
            return self
        return vanishing_on_points(self.points, self.names, order, self.timeout, self.arithmetic)

    def _interpolated(self, values):
        """Coefficients of the standard monomials, one column per column of values."""
        return solve(self._standard_values, values, Deadline(self.timeout), self.arithmetic)

    @cached_property
    def _standard_values(self):
        return monomial_values(self.standard_monomials, self.points)

    def _terms(self, coefficients):
        """Terms in standard monomials, the leading one first."""
        pairs = zip(reversed(self.standard_monomials), reversed(coefficients))
        return {monomial: value for monomial, value in pairs if value}


def _checked_names(names):
    names = (names,) if isinstance(names, str) else tuple(names)
    if not names or len(set(names)) < len(names) or not all(isinstance(name, str) for name in names):
        raise InvalidOption("names", names, "different texts, one per variable")
    return names


def _checked_points(points, names):
    checked = []
    first_row = {}
    for row, point in enumerate(points):
        point = tuple(point)
        if len(point) != len(names):
            raise InvalidPoints(f"need {counted(len(names), 'coordinate')}, got {len(point)}", row=row)
        exact = tuple(map(exact_number, point))
        for name, value, given in zip(names, exact, point):
            if value is None:
                raise InvalidPoints(f"exact points only, whole numbers or Fractions, got {given!r}; make it rational "
                                    "first, as Fraction(value).limit_denominator(1000) does", row=row, column=name)
        if exact in first_row:
            raise InvalidPoints(f"the same point as row {first_row[exact]}; give each point once", row=row)
        first_row[exact] = row
        checked.append(exact)
    if not checked:
        raise InvalidPoints("need at least 1 point, got 0")
    return tuple(checked)
