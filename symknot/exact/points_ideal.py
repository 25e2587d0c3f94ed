r"""The ideal of all polynomials that vanish on finitely many rational points.

Buchberger and Moeller: go through the monomials from small to large.  One whose values on the
points are independent of those of the smaller monomials is *standard*.  Any other is a
combination of smaller ones, hence the leading monomial of a polynomial that vanishes: a *corner*,
whose multiples are passed over.  There are as many standard monomials as points, and the corners'
polynomials

.. math:: x^c - \sum_{m < c} a_m x^m, \qquad m \text{ standard},

are the reduced Groebner basis.

Which monomials are standard is found modulo a prime.  Their rational combinations come from one
exact solve, `linear.null_space`, which also says which monomials are independent of the smaller
ones over the rational numbers.  Where these are not the ones that the prime found, it was unlucky
and the next one is taken.  Where they are, the answer is proved: a combination of standard
monomials does not vanish, being independent on the points, so the ideal has no leading
monomials but the multiples of the corners.

Modulo the ideal a polynomial is its values on the points.  So it belongs to the ideal exactly if
it is zero on them, and its normal form is the interpolation of its values by standard monomials.

H. M. Moeller and B. Buchberger, *The construction of multivariate polynomials with preassigned
zeros*, EUROCAM (1982).
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import sympy
from sympy.polys.polyoptions import build_options

from ..polynomials.conversion import exact_number, expression_of, poly_of, terms_of
from ..ground.deadline import Deadline
from ..ground.errors import InvalidOption, InvalidPoints
from ..polynomials.numerals import height
from ..ground.wording import counted
from ..polynomials.symbols import safe_symbols
from ..polynomials.term_orders import order_key
from ..polynomials.terms import constant_apart, monomial_values, shown_expression
from .certificate import Certificate, groebner_statement
from .linear import ModularEchelon, chosen_arithmetic, null_space, primes, residues, solve

LONGEST_NUMBER = 10**9
"""Numerators and denominators beyond this are shown as decimals."""
DIGITS_SHOWN = 6


def points_ideal(points, names, order="grevlex", variables=None, timeout=None, arithmetic=None):
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
    >>> ideal.contains(x * y), ideal.normal_form((x + y) ** 5), ideal.interpolate([1, 2, 3])
    (True, x + y, x + 2*y + 1)
    """
    names, variables = _checked_names(names, variables)
    points = _checked_points(points, names)
    key, deadline = order_key(order), Deadline(timeout)
    chosen_arithmetic(arithmetic)
    for prime in primes():
        modular = [residues([point[j] for point in points], prime) for j in range(len(names))]
        if any(column is None for column in modular):
            continue
        standard, corners = _order_ideal(modular, key, prime, deadline)
        if len(standard) < len(points):
            continue
        monomials = sorted(standard + corners, key=key)
        pivots, _, X = null_space(monomial_values(monomials, points), deadline, arithmetic)
        if [monomials[place] for place in pivots] == standard:
            break
    basis = tuple(_vanishing(corner, standard, column) for corner, column in zip(corners, zip(*X)))
    return PointsIdeal(points, names, variables, order, basis, tuple(standard), tuple(corners), timeout, arithmetic)


def _order_ideal(points, key, prime, deadline):
    """Standard monomials and corners modulo a prime, increasing; `points` holds one array per coordinate."""
    dimension = len(points)
    one = (0,) * dimension
    values = {one: np.ones(len(points[0]), dtype=np.int64)}
    echelon = ModularEchelon(len(points[0]), prime)
    standard, corners, waiting = [], [], [(key(one), one)]
    while waiting:
        deadline.check("standard monomials modulo a prime")
        _, monomial = heapq.heappop(waiting)
        if any(all(a >= b for a, b in zip(monomial, corner)) for corner in corners):
            continue
        if not echelon.add(values[monomial]):
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
class PointsIdeal:
    """The ideal of all polynomials that vanish on rational points; made by `points_ideal`.

    Attributes
    ----------
    points : tuple of tuples of Fraction
    names : tuple of str
    variables : tuple of sympy.Symbol
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

    points: tuple
    names: tuple
    variables: tuple
    order: str
    basis: tuple
    standard_monomials: tuple
    corners: tuple
    timeout: float | None = None
    arithmetic: str | None = None

    @property
    def dimension(self):
        """0: the variety is a finite set of points."""
        return 0

    @property
    def degree(self):
        """The number of points."""
        return len(self.points)

    @property
    def is_radical(self):
        """True: if a power of a polynomial is zero on the points, the polynomial is."""
        return True

    @cached_property
    def polys(self):
        """`basis` as `sympy.Poly` over QQ."""
        return tuple(poly_of(terms, self.variables) for terms in self.basis)

    @cached_property
    def groebner(self):
        """`basis` as `sympy.GroebnerBasis`, without computing it again."""
        options = build_options(self.variables, {"order": self.order, "domain": sympy.QQ, "polys": False})
        return sympy.GroebnerBasis._new(list(reversed(self.polys)), options)

    @cached_property
    def hilbert_function(self):
        """For t = 0, 1, ...: the dimension of the functions on the points that degree t or less gives.

        It ends where it reaches the number of points, and is the same for every order.
        """
        graded = self.in_order("grevlex") if self.order == "lex" else self
        degrees = [sum(monomial) for monomial in graded.standard_monomials]
        return tuple(sum(degree <= t for degree in degrees) for t in range(max(degrees) + 1))

    @property
    def regularity(self):
        """The least degree whose polynomials take any values on the points."""
        return len(self.hilbert_function) - 1

    @cached_property
    def separators(self):
        """For each point the polynomial in standard monomials that is 1 at it and 0 at the others."""
        identity = [[int(i == j) for j in range(self.degree)] for i in range(self.degree)]
        return tuple(self._terms(column) for column in zip(*self._interpolated(identity)))

    @cached_property
    def border_basis(self):
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

    @cached_property
    def certificate(self):
        """`Certificate` that `basis` is what it is said to be, to be saved and checked by anyone."""
        return Certificate(self.names, self.basis, [groebner_statement(range(len(self.basis)), self.order, self.points)])

    def contains(self, polynomial):
        """Whether a polynomial vanishes on all the points.

        Parameters
        ----------
        polynomial : sympy.Expr, sympy.Poly or dict of terms
            With rational coefficients.
        """
        return not any(self._values_of(terms_of(polynomial, self.variables)))

    def normal_form(self, polynomial):
        """The polynomial in standard monomials that is the same modulo the ideal.

        Parameters
        ----------
        polynomial : sympy.Expr, sympy.Poly or dict of terms
            With rational coefficients.

        Returns
        -------
        the same type
            Zero exactly for the polynomials of the ideal.
        """
        terms = terms_of(polynomial, self.variables)
        if not set(terms) <= set(self.standard_monomials):
            terms = self._through(self._values_of(terms))
        if isinstance(polynomial, dict):
            return terms
        return (poly_of if isinstance(polynomial, sympy.Poly) else expression_of)(terms, self.variables)

    def interpolate(self, values):
        """The polynomial in standard monomials with these values at the points, as a sympy expression.

        Parameters
        ----------
        values : sequence of int or Fraction
            One per point.
        """
        given = list(values)
        exact = [exact_number(value) for value in given]
        if len(exact) != self.degree or None in exact:
            raise InvalidOption("values", given, f"{self.degree} exact numbers (int or Fraction), one per point")
        return expression_of(self._through(exact), self.variables)

    def in_order(self, order):
        """The same ideal for another term order."""
        if order == self.order:
            return self
        return points_ideal(self.points, self.names, order, self.variables, self.timeout, self.arithmetic)

    def _values_of(self, terms):
        if not terms:
            return [Fraction(0)] * self.degree
        return [sum(value * c for value, c in zip(row, terms.values())) for row in monomial_values(list(terms), self.points)]

    def _through(self, values):
        return self._terms([x for x, in self._interpolated([[value] for value in values])])

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

    def __str__(self):
        lines = []
        for terms in self.basis:
            digits = {e: DIGITS_SHOWN for e, value in terms.items()
                      if height(value) > LONGEST_NUMBER}
            sides = (shown_expression(side, digits, self.variables) for side in constant_apart(terms))
            lines.append(" = ".join(map(str, sides)))
        return "\n".join(lines)

    def __repr__(self):
        return f"<PointsIdeal of {counted(self.degree, 'point')} in {', '.join(self.names)}, order {self.order!r}>"


def _checked_names(names, variables):
    names = (names,) if isinstance(names, str) else tuple(names)
    if not names or len(set(names)) < len(names) or not all(isinstance(name, str) for name in names):
        raise InvalidOption("names", names, "different texts, one per variable")
    if variables is None:
        return names, safe_symbols(names)
    variables = tuple(variables)
    symbols = len(set(variables)) == len(names) and all(isinstance(v, sympy.Symbol) for v in variables)
    if not symbols or len(variables) != len(names):
        raise InvalidOption("variables", variables, f"{len(names)} different sympy symbols, one per name")
    return names, variables


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
