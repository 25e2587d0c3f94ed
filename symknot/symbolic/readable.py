r"""Equations as a person would write them.

Within a degree the vanishing polynomials are known only up to a change of basis.  The
basis chosen here is the reduced echelon form for a term order: every equation has a
leading monomial with coefficient 1 that no other equation contains, and is reduced
modulo the equations of lower degree.  A monomial that the data hardly see is passed over
as a leading one.

Then each equation is simplified by itself (`simplest`), and the knots are moved onto the new
equations.  Where these have no common zero there, as rounded equations of an
over-determined variety may, the rounding of that degree is taken back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice, permutations, product
from math import lcm
from typing import NamedTuple

import numpy as np
import sympy

from ..fitting.descent import descend, shortest_step
from ..fitting.fitted import Fitted
from ..fitting.revision import STALLED_SHARE
from ..ground.deadline import look
from ..ground.errors import InvalidOption
from ..ground.memory import remembered
from ..ground.ranges import within_range
from ..polynomials.equation import Equation
from ..polynomials.evaluation import evaluate_monomials
from ..polynomials.term_orders import ORDERS, order_key
from ..polynomials.terms import Exponents, Terms, leading_apart, substitute_affine
from . import uncertainty
from .binomial import law_terms
from .point_sets import simple_equations
from .polynomial import polynomials_of
from .simplest import Row, too_much_to_simplify
from .uncertainty import KnotMonomials

SMALLEST_PIVOT_WEIGHT = 0.1
"""Share of the heaviest candidate that a leading monomial must weigh: a convention; a lighter one would cost a digit."""
MOST_ARRANGEMENTS = 24
"""Arrangements of the variables tried for the sparsest form: all of them for up to four variables (4!)."""
MOST_PASSES = 3
"""Times that rows are reduced by equations of lower degree.  A convention: one is enough unless these passed over a term."""
MOST_NEWTON_STEPS = 20
"""Steps that move knots onto rounded equations.  Measured on the cases of `tests.varieties`, 300 points, 1 and 5 % noise:
where equations have common zeros near the knots 2 to 9 reach rounding, else any number is too small."""
ON_THE_EQUATIONS = 1e-13
"""Root-mean-square value, in inside units, below which knots lie on the equations to rounding; there it was 1e-16 in most
cases, and at most 5e-14."""
WEAK_DIRECTION = 1e-3
"""Share of the steepest slope below which a direction is rounding of the equations' numbers: a convention."""
MOST_HALVINGS = 60
"""Damped steps out of a crossing.  Derived: near a double zero each halves the distance, and 2**-53 is a double's
rounding; a few may be shortened."""
MOST_NOISE_MOVED = 4.0
"""Standard deviations of the noise by which a knot may move there: a convention; noise itself goes farther once in
16,000 times."""


@dataclass(frozen=True, eq=False)
class ReadableEquation(Equation):
    """One equation in readable form.

    Attributes
    ----------
    terms : dict
        Exponent tuple -> Fraction; the leading one is 1.
    digits : dict
        Exponent tuple -> significant digits to show, for coefficients that are no simple fraction.
    standard_errors : dict
        Exponent tuple -> standard error of the estimated coefficient before rounding.
    residual, residual_before : float
        Root-mean-square distance of the data from the equation, and before simplification:
        measured where points were given, else estimated from the knots and the noise.
    knot_residual : float
        The same of the moved knots.
    rounded : bool
        Whether numbers were rounded (else they are the estimates to full precision).
    """

    terms: dict[Exponents, Fraction]
    digits: dict[Exponents, int]
    standard_errors: dict[Exponents, float]
    residual: float
    residual_before: float
    knot_residual: float
    rounded: bool
    variables: tuple[sympy.Symbol, ...]
    names: tuple[str, ...]


class ReadableLaw(ReadableEquation):
    """A power law in readable form: one term on each side."""

    _apart = staticmethod(leading_apart)


def echelon(rows: np.ndarray, order_of_columns: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, list[int]]:
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
    rows, order = np.array(rows), np.asarray(order_of_columns, dtype=int)
    waiting, done = list(range(len(rows))), []
    pivots: list[int] = []
    while waiting:
        sizes = np.abs(rows[waiting]) * weights
        sizes[:, pivots] = 0
        strength = sizes.max(axis=0)[order]
        if not strength.max(initial=0) > 0:             # what is left of these rows says nothing more
            break
        column = order[int(np.argmax(strength >= SMALLEST_PIVOT_WEIGHT * strength.max()))]
        row = waiting.pop(int(np.argmax(sizes[:, column])))
        rows[row] /= rows[row, column]
        others = np.arange(len(rows)) != row
        rows[others] -= np.outer(rows[others, column], rows[row])
        rows[others, column] = 0
        done.append(row)
        pivots.append(int(column))
    return rows[done], pivots


def sorted_columns(exponents: np.ndarray, order: str, arrangement: Sequence[int] | None = None) -> np.ndarray:
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
    keys = list(map(_key(order, arrangement), exponents.tolist()))
    return np.array(sorted(range(len(keys)), key=lambda a: keys[a], reverse=True))


def _key(order, arrangement):
    """Exponents -> what sorts them from small to large."""
    if order not in ORDERS:
        raise InvalidOption("order", order, f"one of {', '.join(map(repr, ORDERS + ('sparsest',)))}")
    return lambda e: order_key(order)(e if arrangement is None else [e[place] for place in arrangement])


class ReadableForm(NamedTuple):
    """Equations in readable form, and the knots moved onto them."""

    equations: tuple[ReadableEquation, ...]
    knots: np.ndarray


@remembered
def readable_of(fitted: Fitted, simplify: bool = True) -> ReadableForm:
    """The equations of a fit in readable form for the order "grevlex"; or, not simplified, the estimates themselves.

    For the eye: of more than `uncertainty.MOST_KNOTS` knots a sample is moved onto them.
    """
    if len(fitted.knots) > uncertainty.MOST_KNOTS:
        knots, weights = uncertainty.thinned_knots(fitted)
        fitted = replace(fitted, knots=knots, knot_weights=weights,
                         assignment=None if fitted.assignment is None else np.zeros(len(fitted.assignment), dtype=int))
    return make_readable(fitted, simplify=simplify)


@within_range()
def make_readable(fitted: Fitted, order: str = "grevlex", simplify: bool = True, integers: bool = False,
                  points: np.ndarray | None = None) -> ReadableForm:
    """Equations of `fitted` as a person would write them; see the module's text.

    Parameters
    ----------
    fitted : Fitted
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
    ReadableForm
        In many variables the equations as they were found, if simpler numbers would take minutes.
    """
    if fitted.law is not None:
        return _power_laws(fitted, order, simplify, integers, points)
    if too_much_to_simplify(fitted):
        return ReadableForm(tuple(
            ReadableEquation(dict(g.terms), g.digits, {}, g.residual, g.residual, g.knot_residual, False, fitted.variables,
                             fitted.names) for g in polynomials_of(fitted)), fitted.knots)
    if order != "sparsest":
        chosen, knots = _in_order(fitted, order, None, simplify)
    else:
        arrangements = islice(permutations(range(len(fitted.names))), MOST_ARRANGEMENTS)
        forms = (_in_order(fitted, kind, arrangement, simplify) for arrangement, kind in product(arrangements, ORDERS))
        chosen, knots = min(forms, key=lambda form: sum(len(row.terms) for row, _ in form[0]))
    points = None if points is None else fitted.inside(points)
    equations = tuple(_reported(fitted, row, before, knots, integers, points) for row, before in chosen)
    return ReadableForm(equations, fitted.outside(knots))


def _power_laws(fitted, order, simplify, integers, points):
    """Power laws in readable form; distances are by logarithms, and knots stay nearest by these."""
    if order not in (*ORDERS, "sparsest"):
        raise InvalidOption("order", order, f"one of {', '.join(map(repr, ORDERS + ('sparsest',)))}")
    law, laws = fitted.law, law_terms(fitted.law, order, simplify)
    logs = np.array([one.log for one in laws])
    sizes = np.linalg.norm(law.exponents, axis=1)
    # the data's logarithms have the mean of the estimate: a change of the constant adds to the mean square
    before, after = fitted.residuals, np.hypot(fitted.residuals, (logs - law.logs) / sizes)
    if points is not None:
        before, after = (np.sqrt(np.mean((law.off(points) + law.logs - at) ** 2, axis=0)) / sizes for at in (law.logs, logs))
    knots, equations = law.onto(fitted.knots, logs), []
    left = np.abs(law.off(knots) + law.logs - logs).max(axis=0) / sizes
    for place, one in enumerate(laws):
        factor = one.constant.denominator if integers and simplify else 1
        digits = {one.other: one.digits} if one.digits is not None and factor == 1 else {}
        equations.append(ReadableLaw(
            {one.leading: Fraction(factor), one.other: factor * one.constant}, digits, {one.other: factor * one.error},
            float(after[place]), float(before[place]), float(left[place]), simplify, fitted.variables, fitted.names))
    return ReadableForm(tuple(equations), knots)


def _in_order(fitted, order, arrangement, simplify):
    """(equation, terms before simplification) pairs, and the inside knots moved onto the equations."""
    chosen, exact, knots = [], [], fitted.inside(fitted.knots)
    given = simple_equations(fitted, _key(order, arrangement)) if simplify else {}
    for degree in sorted({g.degree for g in polynomials_of(fitted)}):
        at = KnotMonomials.of(fitted, degree)
        rows, columns = _reduced(fitted, degree, at, exact, sorted_columns(at.exponents, order, arrangement))
        # by slope, not by value: where x*y = 0 holds, x*y is zero on all knots and still the one to lead
        weights = np.sqrt(at.weights @ np.sum(at.slopes**2, axis=1) / at.weights.sum())
        rows, pivots = echelon(rows, columns, weights) if not given else _led_by(rows, at, given[degree])
        if not pivots:                                  # all follow from the equations of lower degree
            continue
        columns = [c for c in columns if c not in pivots]
        plain = [Row(at, row, pivot, columns).finish(simplify=False) for row, pivot in zip(rows, pivots)]
        moved, kept = None, plain
        if simplify:
            simple = [Row(at, row, pivot, columns) for row, pivot in zip(rows, pivots)]
            simple = ([row.write(terms) for row, terms in zip(simple, given[degree])] if given else
                      [row.finish(simplify=True) for row in simple])
            moved, worst = _moved_knots(fitted, exact + [row.terms for row in simple], knots)
            kept = simple if worst <= fitted.delta / fitted.unit else plain
        if kept is plain:
            moved, _ = _moved_knots(fitted, exact + [row.terms for row in plain], knots)
        knots = moved
        exact += [row.terms for row in kept]
        chosen += [(row, before.terms) for row, before in zip(kept, plain)]
    return chosen, knots


def _led_by(rows, at, equations):
    """Rows turned so that they are led by the leading terms of exact equations, and these terms' places."""
    index = {tuple(e): a for a, e in enumerate(at.exponents.tolist())}
    pivots = [index[next(iter(terms))] for terms in equations]
    return np.linalg.lstsq(rows[:, pivots], rows, rcond=None)[0], pivots


def _reduced(fitted, degree, at, lower, columns):
    """Coefficient rows of this degree modulo the equations of lower degree, and the columns left."""
    rows = np.array([at.scaled(g.terms) for g in polynomials_of(fitted) if g.degree == degree])
    rows /= np.abs(rows).max(axis=1, keepdims=True)
    index = {tuple(e): a for a, e in enumerate(at.exponents.tolist())}
    leads = [(terms, next(iter(terms)), degree - max(map(sum, terms)) + sum(next(iter(terms)))) for terms in lower]
    divisors = {column: next((terms for terms, lead, most in leads if (at.exponents[column] >= lead).all()
                              and at.exponents[column].sum() <= most), None) for column in columns}
    # where an equation of lower degree passed over a weak leading term, its multiples fill columns anew
    for _ in range(MOST_PASSES):
        for column, divisor in divisors.items():
            if divisor is None or not rows[:, column].any():
                continue
            quotient = at.exponents[column] - next(iter(divisor))
            multiple = np.zeros(rows.shape[1])
            for exponents, value in divisor.items():
                place = index[tuple((quotient + exponents).tolist())]
                multiple[place] = float(value * at.power(exponents) / at.power(next(iter(divisor))))
            rows -= np.outer(rows[:, column], multiple)
            rows[:, column] = 0
    return rows, [column for column, divisor in divisors.items() if divisor is None or rows[:, column].any()]


def _moved_knots(fitted, equations, knots):
    """Inside knots moved onto exact equations, and the largest root-mean-square value left.

    Infinite, and the knots stay, where an equation loses its slope at all of them: they gather at multiple zeros, as those
    of two lines z = 0.9 and 1.1 do when (z - 1)^2 = 0 is written for both.
    """
    inside = [inside_polynomial(terms, fitted) for terms in equations]
    weights = fitted.knot_weights / fitted.knot_weights.sum()

    def slope_sizes(slopes):
        return np.sqrt(weights @ np.sum(slopes**2, axis=1))

    start, least = knots, WEAK_DIRECTION * slope_sizes(_all_at(inside, knots)[1])
    best, worst, sizes = knots, np.inf, 1.0
    for _ in range(MOST_NEWTON_STEPS):
        look()
        values, slopes = _all_at(inside, knots)
        sizes = slope_sizes(slopes)
        if (sizes <= least).any():
            return start, np.inf
        values, slopes = values / sizes, slopes / sizes
        now = float(np.sqrt(weights @ values**2).max())
        if now >= STALLED_SHARE * worst and worst < np.inf and now <= ON_THE_EQUATIONS:
            break
        best, worst = (knots, now) if now < worst else (best, worst)
        step = np.linalg.pinv(slopes.transpose(0, 2, 1), rcond=WEAK_DIRECTION) @ values[:, :, None]
        knots = knots - step[:, :, 0]
    if worst <= fitted.delta / fitted.unit:
        return best, worst
    best = _out_of_crossings(inside, sizes, best, MOST_NOISE_MOVED * fitted.noise_level / fitted.unit)
    values, slopes = _all_at(inside, best)
    if (slope_sizes(slopes) <= least).any():
        return start, np.inf
    return best, float(np.sqrt(weights @ (values / sizes) ** 2).max())


def _out_of_crossings(inside, sizes, knots, farthest):
    """Knots that a crossing holds, where slopes are too weak to be followed, moved by damped steps.

    There an estimate may pass by the crossing on the one side and its simple form on the other, so a knot has a way to
    go that is as long as the root of the change; but no longer than noise moves points.
    """
    def onto(z, rows):
        values, slopes = _all_at(inside, z)
        return np.sum((values / sizes) ** 2, axis=1), shortest_step(values / sizes, slopes / sizes)

    held = np.flatnonzero(np.abs(_all_at(inside, knots)[0] / sizes).max(axis=1) > ON_THE_EQUATIONS)
    moved = descend(onto, knots[held], MOST_HALVINGS, ON_THE_EQUATIONS)
    near = np.linalg.norm(moved - knots[held], axis=1) <= farthest
    out = knots.copy()
    out[held[near]] = moved[near]
    return out


def _all_at(inside, points):
    """Values (n, k) and slopes (n, d, k) of all equations."""
    values, slopes = zip(*(_at(polynomial, points) for polynomial in inside))
    return np.stack(values, axis=-1), np.stack(slopes, axis=-1)


def inside_polynomial(terms: Terms, fitted: Fitted) -> tuple[np.ndarray, np.ndarray, Fraction]:
    """Exponents and float coefficients of exact terms in the inside variables, and the size taken off them."""
    stretch = [Fraction(float(s)) for s in fitted.scale]
    shift = [Fraction(float(c)) for c in fitted.center]
    moved = substitute_affine(terms, stretch, shift)
    largest = max(abs(value) for value in moved.values())
    return np.array(list(moved)), np.array([float(value / largest) for value in moved.values()]), largest


def _at(polynomial, points):
    exponents, coefficients, _ = polynomial
    values, slopes = evaluate_monomials(points, exponents)
    return values @ coefficients, slopes @ coefficients


def _reported(fitted, row, before, knots, integers, points):
    weights = fitted.knot_weights / fitted.knot_weights.sum()

    def mean_square(terms, at, weights):
        values, slopes = _at(inside_polynomial(terms, fitted), at)
        return weights @ values**2 / (weights @ np.sum(slopes**2, axis=1))

    def distance(terms):
        if points is not None:
            return fitted.unit * float(np.sqrt(mean_square(terms, points, np.full(len(points), 1 / len(points)))))
        off = mean_square(terms, fitted.inside(fitted.knots), weights)
        return fitted.unit * float(np.sqrt(off + fitted.noise_off_knots))

    factor = lcm(*(value.denominator for value in row.terms.values())) if integers and row.simplified else 1
    return ReadableEquation(
        {e: factor * value for e, value in row.terms.items()}, {} if factor > 1 else row.shown_digits,
        {e: factor * error for e, error in row.error_table.items()}, distance(row.terms), distance(before),
        fitted.unit * float(np.sqrt(mean_square(row.terms, knots, weights))), row.simplified, fitted.variables, fitted.names)
