r"""Equations as a person would write them.

Within a degree the vanishing polynomials are known only up to a change of basis.  The
basis chosen here is the reduced echelon form for a term order: every equation has a
leading monomial with coefficient 1 that no other equation contains, and is reduced
modulo the equations of lower degree.  A monomial that the data hardly see is passed over
as a leading one.

Then each equation is simplified by itself (`rounding`), and the knots are moved onto the new
equations.  Where these have no common zero there, as rounded equations of an
over-determined variety may, the rounding of that degree is taken back.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, permutations, product
from math import lcm

import numpy as np

from ..ground.errors import InvalidOption
from .rounding import Row
from ..polynomials.term_orders import ORDERS, order_key
from ..polynomials.terms import equation_text, substitute_affine
from ..polynomials.evaluation import evaluate_monomials
from .uncertainty import KnotMonomials

SMALL_PIVOT = 0.1
"""A leading monomial must weigh at least this share of the heaviest candidate."""
MOST_ARRANGEMENTS = 24
"""Arrangements of the variables tried for the sparsest form."""


@dataclass(frozen=True, eq=False)
class ReadableEquation:
    """One equation in readable form.

    Attributes
    ----------
    terms : dict
        Exponent tuple -> Fraction; the leading one is 1.
    digits : dict
        Exponent tuple -> significant digits to show, for coefficients that are no simple fraction.
    standard_errors : dict
        Exponent tuple -> standard error of the estimated coefficient before rounding.
    degree : int
    residual_before, residual_after : float
        Root-mean-square distance of the data from the equation, before and after simplification:
        measured where points were given, else estimated from the knots and the noise.
    knot_residual : float
        The same of the moved knots.
    rounded : bool
        Whether numbers were rounded (else they are the estimates to full precision).
    """

    terms: dict
    digits: dict
    standard_errors: dict
    degree: int
    residual_before: float
    residual_after: float
    knot_residual: float
    rounded: bool


def echelon(rows, order_of_columns, weights):
    """Reduced echelon form that prefers early columns but passes over weak ones.

    Parameters
    ----------
    rows : (k, m) array
    order_of_columns : (m,) int array
        Columns from the most to the least preferred pivot.
    weights : (m,) array
        Size of each column's monomial on the data, by its slope.

    Returns
    -------
    reduced : (k, m) array
    pivots : list of int
    """
    rows = np.array(rows)
    waiting, done, pivots = list(range(len(rows))), [], []
    while waiting:
        sizes = np.abs(rows[waiting]) * weights
        sizes[:, pivots] = 0
        strength = sizes.max(axis=0)
        column = next(c for c in order_of_columns if strength[c] >= SMALL_PIVOT * strength.max())
        row = waiting.pop(int(np.argmax(sizes[:, column])))
        rows[row] /= rows[row, column]
        others = np.arange(len(rows)) != row
        rows[others] -= np.outer(rows[others, column], rows[row])
        rows[others, column] = 0
        done.append(row)
        pivots.append(int(column))
    return rows[done], pivots


def sorted_columns(exponents, order, arrangement=None):
    """Columns from the leading to the last monomial of a term order.

    Parameters
    ----------
    exponents : (m, d) int array
    order : {"grevlex", "grlex", "lex"}
    arrangement : sequence of int, optional
        The variables from the first to the last; as they come by default.

    Examples
    --------
    >>> import numpy as np
    >>> sorted_columns(np.array([[0, 0], [1, 0], [0, 1], [2, 0], [1, 1], [0, 2]]), "grevlex").tolist()
    [3, 4, 5, 1, 2, 0]
    """
    if order not in ORDERS:
        raise InvalidOption("order", order, f"one of {', '.join(map(repr, ORDERS + ('sparsest',)))}")
    rows = exponents.tolist() if arrangement is None else exponents[:, list(arrangement)].tolist()
    keys = [order_key(order)(e) for e in rows]
    return np.array(sorted(range(len(keys)), key=lambda a: keys[a], reverse=True))


@dataclass(frozen=True, eq=False)
class Readable:
    """All equations of an ideal in readable form, with knots moved onto them.

    Attributes
    ----------
    equations : tuple of ReadableEquation
    knots : (K, d) array
    names : tuple of str
    variables : tuple of sympy.Symbol
    """

    equations: tuple
    knots: np.ndarray
    names: tuple
    variables: tuple

    def __iter__(self):
        return iter(self.equations)

    def __len__(self):
        return len(self.equations)

    def __getitem__(self, place):
        return self.equations[place]

    def __str__(self):
        return "\n".join(equation_text(equation, self.variables) for equation in self.equations) or "no equation"


def make_readable(ideal, order="grevlex", simplify=True, integers=False, points=None):
    """Equations of `ideal` as a person would write them; see the module's text.

    Parameters
    ----------
    ideal : Ideal
    order : {"grevlex", "grlex", "lex", "sparsest"}
        Term order that decides the leading monomials; "sparsest" tries all orders and
        arrangements of the variables and takes the one with the fewest terms.
    simplify : bool
        Drop insignificant terms and round the rest; without it only the basis is changed.
    integers : bool
        Multiply each simplified equation by its common denominator.
    points : (n, d) array, optional
        Where to measure the distance of the data.

    Returns
    -------
    Readable
    """
    if order != "sparsest":
        chosen, knots = _in_order(ideal, order, None, simplify)
    else:
        arrangements = islice(permutations(range(len(ideal.names))), MOST_ARRANGEMENTS)
        forms = (_in_order(ideal, kind, arrangement, simplify) for arrangement, kind in product(arrangements, ORDERS))
        chosen, knots = min(forms, key=lambda form: sum(len(row.terms) for row, _ in form[0]))
    points = None if points is None else ideal._inside_points(points)
    equations = tuple(_reported(ideal, row, before, knots, integers, points) for row, before in chosen)
    return Readable(equations, knots * ideal.scale + ideal.center, ideal.names, ideal.variables)


def _in_order(ideal, order, arrangement, simplify):
    """(equation, terms before simplification) pairs, and the inside knots moved onto the equations."""
    chosen, exact, knots = [], [], ideal._inside_points(ideal.knots)
    for degree in sorted({g.degree for g in ideal.polynomials}):
        at = KnotMonomials.of(ideal, degree)
        rows, columns = _reduced(ideal, degree, at, exact, sorted_columns(at.exponents, order, arrangement))
        # by slope, not by value: where x*y = 0 holds, x*y is zero on all knots and still the one to lead
        weights = np.sqrt(at.weights @ np.sum(at.slopes**2, axis=1) / at.weights.sum())
        rows, pivots = echelon(rows, columns, weights)
        columns = [c for c in columns if c not in pivots]
        plain = [Row(at, row, pivot, columns).finish(simplify=False) for row, pivot in zip(rows, pivots)]
        moved, kept = None, plain
        if simplify:
            simple = [Row(at, row, pivot, columns).finish(simplify=True) for row, pivot in zip(rows, pivots)]
            moved, worst = _moved_knots(ideal, exact + [row.terms for row in simple], knots)
            kept = simple if worst <= ideal.delta / ideal.unit else plain
        if kept is plain:
            moved, _ = _moved_knots(ideal, exact + [row.terms for row in plain], knots)
        knots = moved
        exact += [row.terms for row in kept]
        chosen += [(row, before.terms) for row, before in zip(kept, plain)]
    return chosen, knots


def _reduced(ideal, degree, at, lower, columns):
    """Coefficient rows of this degree modulo the equations of lower degree, and the columns left."""
    rows = np.array([at.scaled(g.terms) for g in ideal.polynomials if g.degree == degree])
    rows /= np.abs(rows).max(axis=1, keepdims=True)
    index = {tuple(e): a for a, e in enumerate(at.exponents.tolist())}
    left = []
    for column in columns:
        monomial = at.exponents[column]
        divisor = next((terms for terms in lower if (monomial >= next(iter(terms))).all()), None)
        if divisor is None:
            left.append(column)
            continue
        quotient = monomial - next(iter(divisor))
        multiple = np.zeros(rows.shape[1])
        for exponents, value in divisor.items():
            place = index[tuple((quotient + exponents).tolist())]
            multiple[place] = float(value * at.power(exponents) / at.power(next(iter(divisor))))
        rows -= np.outer(rows[:, column], multiple)
        rows[:, column] = 0
    return rows, left


def _moved_knots(ideal, equations, knots, steps=20):
    """Inside knots moved onto exact equations, and the largest root-mean-square value left."""
    inside = [inside_polynomial(terms, ideal) for terms in equations]
    weights = ideal.knot_weights / ideal.knot_weights.sum()
    worst = np.inf
    for _ in range(steps):
        values, slopes = (np.stack(parts, axis=-1) for parts in zip(*(_at(polynomial, knots) for polynomial in inside)))
        sizes = np.sqrt(weights @ np.sum(slopes**2, axis=1))
        values, slopes = values / sizes, slopes / sizes
        now = float(np.sqrt(weights @ values**2).max())
        if now >= worst / 2 and worst < np.inf and now <= 1e-13:
            break
        best, worst = (knots, now) if now < worst else (best, worst)
        # weak directions are rounding, not evidence: see knotting
        step = np.linalg.pinv(slopes.transpose(0, 2, 1), rcond=1e-3) @ values[:, :, None]
        knots = knots - step[:, :, 0]
    return best, worst


def inside_polynomial(terms, ideal):
    """Exponents and float coefficients of exact terms in the inside variables, and the size taken off them."""
    stretch = [Fraction(float(s)) for s in ideal.scale]
    shift = [Fraction(float(c)) for c in ideal.center]
    moved = substitute_affine(terms, stretch, shift)
    largest = max(abs(value) for value in moved.values())
    return np.array(list(moved)), np.array([float(value / largest) for value in moved.values()]), largest


def _at(polynomial, points):
    exponents, coefficients, _ = polynomial
    values, slopes = evaluate_monomials(points, exponents)
    return values @ coefficients, slopes @ coefficients


def _reported(ideal, row, before, knots, integers, points):
    weights = ideal.knot_weights / ideal.knot_weights.sum()

    def mean_square(terms, at, weights):
        values, slopes = _at(inside_polynomial(terms, ideal), at)
        return weights @ values**2 / (weights @ np.sum(slopes**2, axis=1))

    def distance(terms):
        if points is not None:
            return ideal.unit * float(np.sqrt(mean_square(terms, points, np.full(len(points), 1 / len(points)))))
        off = mean_square(terms, ideal._inside_points(ideal.knots), weights)
        return ideal.unit * float(np.sqrt(off + ideal._noise_off_knots))

    factor = lcm(*(value.denominator for value in row.terms.values())) if integers and row.simplified else 1
    return ReadableEquation(
        {e: factor * value for e, value in row.terms.items()}, {} if factor > 1 else row.shown_digits,
        {e: factor * error for e, error in row.error_table.items()}, max(map(sum, row.terms)), distance(before),
        distance(row.terms), ideal.unit * float(np.sqrt(mean_square(row.terms, knots, weights))), row.simplified)
