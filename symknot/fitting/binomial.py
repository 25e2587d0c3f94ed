r"""From power laws to a fit like any other, and which of the two forms the data prefer.

Inside, the variables are :math:`u = x / m` with m the geometric means of the data.  Since :math:`\log c = v \cdot \log m`
for each law, its binomial inside is :math:`u^a - u^b`, with the coefficients 1 and -1; the recursion that holds it has
monomials for F, those on the way to its two sides and no others, so it is exact at every degree.  Near u = 1 relative
noise and noise of u are the same: `epsilon`, residuals and noise level of such a fit are relative, and its `noise` is
that at the geometric means.  Each binomial has gradients of root-mean-square 1 on the knots, as with the normalization
"gradient".

**Which form.**  Both say how the data lie off a variety of codimension k, and are compared by the density of that: in a
polynomial fit the distances r of the points from their knots are normal with a constant standard deviation s; in a
power law the differences g of the logarithms of the two sides are, with the covariance :math:`\sigma^2 V V^\top`.  With
:math:`J = V\, \mathrm{diag}(m' / x)` the derivatives of g by the inside variables of the polynomial fit, whose unit is m',

.. math:: \ell_{law} = \sum_i \log N(g_i; 0, \sigma^2 V V^\top) + \tfrac12 \log \det J_i J_i^\top, \qquad
          \ell_{polynomial} = -\tfrac{n k}{2} \bigl(\log 2 \pi s^2 + 1\bigr)

are both densities of the displacement across the variety in the same units; where along it points lie is left open by
both.  Where the law has more equations, places along the varieties count too: as normal in the remaining directions of
largest spread, those of the inside variables or those of the logarithms.  Where it has fewer, it leaves open what the
polynomials say.  The power law is preferred where its likelihood is `FAR_BETTER` times that of the polynomials.  The
coefficients of the polynomials, more than a power law has, are not counted against them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import sympy

from ..ground.checks import whole_number
from ..ground.errors import EARLY_ENDS, ENDED_EARLY, InvalidOption, InvalidPoints, Status, ended_by
from ..ground.linalg import singular_values
from ..ground.wording import counted
from ..polynomials.symbols import own_symbols
from ..reading.points import Points
from ..reading.tables import Table
from .degree import vanishing_norms
from .fitted import Fitted
from .nearest_points import usual_rank
from .power_law import MOST_CHANCE, SPARE_POINTS, PowerLaw, find_power_law
from .recursion import Layer, Products, Recursion
from .sampled import ROUNDING_SHARE
from .settings import DEFAULT_DELTA

FORMS = AUTO, POLYNOMIAL, BINOMIAL = "auto", "polynomial", "binomial"
FAR_BETTER = 100.0
"""Ratio of likelihoods from which a power law is preferred to polynomials: a convention."""
DECADE = 10.0
"""Ratio of the largest to the smallest value of some variable from which relative noise can be told from constant
noise: a convention."""
KIND = "logarithm"
"""What is said in place of a normalization: sizes are measured on logarithms."""


def fit_in_form(form: Any, table: Table, inside: Points, options: dict[str, Any], names: Any,
                polynomials: Callable[[], Fitted]) -> Fitted:
    """The fit in the form asked for, or in the one that the data prefer.

    Parameters
    ----------
    form : {"auto", "polynomial", "binomial"}
    table : Table
        The data as given.
    inside : Points
        The same, inside.
    options : dict
        `epsilon`, `noise` and `max_degree` as given to `symknot.fit`.
    names : iterable or None
        As given to `symknot.fit`.
    polynomials : callable
        Makes the polynomial fit.
    """
    if not isinstance(form, str) or form not in FORMS:
        raise InvalidOption("form", form, f"one of {', '.join(map(repr, FORMS))}")
    if form == POLYNOMIAL:
        return polynomials()
    values, symbols = table.numbers(), own_symbols(names)
    if form == BINOMIAL:
        return _asked_for(table, values, inside, options, symbols)
    fitted = polynomials()
    if not _left_out(options) or fitted.status in ENDED_EARLY or not _spans_a_decade(values):
        return fitted
    X = _distinct(values, inside)
    try:
        law = find_power_law(X, inside.weights, options["max_degree"])
    except EARLY_ENDS as end:
        return replace(fitted, status=ended_by(end), message=ended_by(end).advice)
    return binomial_fit(X, inside, law, symbols) if law is not None and preferred(law, X, inside, fitted) else fitted


def _left_out(options):
    """Whether nothing was said about noise in the data's units."""
    return isinstance(options["epsilon"], str) and (options["noise"] is None or str(options["noise"]) == AUTO)


def _asked_for(table, values, inside, options, symbols):
    for name in ("epsilon", "noise"):
        if not (options[name] is None or isinstance(options[name], str) and options[name] == AUTO):
            raise InvalidOption(name, options[name], "left out with form='binomial', whose noise is relative and estimated")
    if options["max_degree"] is not None:
        whole_number("max_degree", options["max_degree"], 1)
    bad = np.argwhere(values <= 0)
    if len(bad):
        row, column = bad[0]
        raise InvalidPoints(f"must be positive for form='binomial', got {values[row, column]:g}", column=inside.names[column],
                            **table.place(row))
    least = values.shape[1] + SPARE_POINTS
    if len(inside.values) < least:
        raise InvalidPoints(f"need at least {least} different points of {counted(values.shape[1], 'variable')} for "
                            f"form='binomial', got {len(inside.values)}")
    X = _distinct(values, inside)
    try:
        return binomial_fit(X, inside, find_power_law(X, inside.weights, options["max_degree"], claimed=True), symbols)
    except EARLY_ENDS as end:
        return replace(binomial_fit(X, inside, None, symbols), status=ended_by(end), message=ended_by(end).advice)


def _spans_a_decade(values):
    return bool((values > 0).all() and (values.max(axis=0) >= DECADE * values.min(axis=0)).any())


def _distinct(values, inside):
    """The distinct points, in the user's units, in the order they have inside."""
    X = np.empty(inside.values.shape)
    kept = inside.row_of >= 0
    X[inside.row_of[kept]] = values[kept]
    return X


def preferred(law: PowerLaw, X: np.ndarray, inside: Points, fitted: Fitted) -> bool:
    """Whether the data, positive and in the user's units, prefer a power law to a polynomial fit of them."""
    n, d = inside.effective_count, X.shape[1]
    k = usual_rank(fitted) if fitted.essential.any() else 0
    rows = np.zeros(len(X), dtype=int)
    kept = inside.row_of >= 0
    assert fitted.assignment is not None            # points that are read in blocks are not compared
    rows[inside.row_of[kept]] = fitted.assignment[kept]
    away = fitted.inside(X) - fitted.inside(fitted.knots)[rows]
    square = float(inside.weights @ np.sum(away**2, axis=1)) / max(k, 1)
    if k and square <= ROUNDING_SHARE**2:
        return False
    if k > len(law.exponents):
        return False                        # a law among other equations, all of which the polynomials have
    of_polynomials = -n * k / 2 * (np.log(2 * np.pi * square) + 1) if k else 0.0
    if k == len(law.exponents):
        of_law = log_likelihood(law, X, inside.weights * n, fitted.scale)
    else:
        of_polynomials += n * _places(fitted.inside(X), inside.weights, d - k)
        of_law = n * _with_places(law, X, inside.weights, fitted.scale)
    return bool(of_law - of_polynomials > np.log(FAR_BETTER))


def _with_places(law, X, weights, unit):
    """Mean logarithm of the density of whole points, in units of `unit`, under a power law."""
    k, d = law.exponents.shape
    across = -k / 2 * np.log(2 * np.pi * law.noise**2) - float(weights @ law.distances(X) ** 2) / (2 * law.noise**2)
    return across + _places(np.log(X), weights, d - k) + float(weights @ np.log(unit / X).sum(axis=1))


def _places(values, weights, count):
    """Mean logarithm of a normal density, fitted to `count` directions of largest spread."""
    centred = values - weights @ values
    spreads = singular_values(centred * np.sqrt(weights)[:, None])[:count] ** 2
    return -float(np.sum(np.log(2 * np.pi * np.maximum(spreads, ROUNDING_SHARE**2)) + 1)) / 2


def log_likelihood(law: PowerLaw, X: np.ndarray, weights: np.ndarray, unit: np.ndarray) -> float:
    """Of positive points under a power law: of their displacement across it in units of `unit`, for each variable."""
    gram = law.noise**2 * (law.exponents @ law.exponents.T)
    slopes = law.exponents * (unit / X)[:, None, :]
    volumes = np.linalg.slogdet(slopes @ slopes.transpose(0, 2, 1))[1] / 2
    constant = -np.linalg.slogdet(2 * np.pi * gram)[1] / 2
    return float(weights @ (constant + volumes - (law.distances(X) / law.noise) ** 2 / 2))


def binomial_fit(X: np.ndarray, inside: Points, law: PowerLaw | None, symbols: tuple[sympy.Symbol, ...] | None) -> Fitted:
    """A power law, or that none was found, as the numbers of a fit.

    Parameters
    ----------
    X : (n, d) array
        The distinct points in the user's units.
    inside : Points
    law : PowerLaw or None
    symbols : tuple of sympy.Symbol or None
    """
    middle = np.exp(inside.weights @ np.log(X))
    knots = X if law is None else law.onto(X)
    recursion = Recursion(X.shape[1], 1.0)
    residuals = knot_residuals = np.zeros(0)
    if law is not None:
        recursion = binomial_recursion(law.exponents, knots / middle, inside.weights)
        residuals = np.sqrt(inside.weights @ law.off(X) ** 2) / np.linalg.norm(law.exponents, axis=1)
        knot_residuals = vanishing_norms(recursion, knots / middle, inside.weights)
    return Fitted(
        names=inside.names, center=np.zeros(X.shape[1]), scale=middle, unit=1.0, normalization=KIND, residual_is_distance=True,
        mass=1.0, recursion=recursion, essential=np.ones(len(residuals), dtype=bool), residuals=residuals,
        knot_residuals=knot_residuals, knots=knots, knot_weights=inside.weights * inside.count,
        assignment=inside.row_of.copy(), epsilon=None if law is None else law.noise, delta=DEFAULT_DELTA,
        status=Status.NOTHING_FOUND if law is None else Status.FOUND, message=_message(law), history=(), symbols=symbols,
        law=law)


def _message(law):
    if law is None:
        return ("no power law: no simple whole exponents fit the logarithms better than chance would have it; bring more "
                "points or a wider range, or try form='polynomial'")
    said = f"power law: noise proportional to the value, {100 * law.noise:.2g} %; figures after +/- are shares of the value too"
    if law.chance <= MOST_CHANCE:
        return said
    return said + (f"; the exponents are the simplest that fit, and chance alone finds some as simple in {law.chance:.0%} of "
                   "cases")


def binomial_recursion(exponents: np.ndarray, knots: np.ndarray, weights: np.ndarray) -> Recursion:
    """The recursion whose G are the binomials ``u**a - u**b`` with these exponents a - b, by degree.

    Parameters
    ----------
    exponents : (k, d) int array
    knots : (K, d) array
        In u: gradients have root-mean-square 1 on them.
    weights : (K,) array

    Examples
    --------
    >>> cusp = binomial_recursion(np.array([[3, -2]]), np.array([[1.0, 1.0], [4.0, 8.0]]), np.array([0.5, 0.5]))
    >>> cusp.sizes, cusp.G_degrees.tolist(), bool(abs(cusp.evaluate(np.array([[4.0, 8.0]])).G).max() < 1e-15)
    ([1, 2, 2, 0], [3], True)
    """
    d = exponents.shape[1]
    sides = [(tuple(np.maximum(v, 0).tolist()), tuple(np.maximum(-v, 0).tolist())) for v in exponents]
    degrees = [max(map(sum, pair)) for pair in sides]
    steps = _steps(sides, max(degrees), d)
    recursion, places = Recursion(d, 1.0), {(0,) * d: 0}
    for t, products in enumerate(steps, start=1):
        lower = len(places)
        rows = {**places, **{monomial: lower + i for i, monomial in enumerate(products)}}
        G = np.zeros((len(rows), degrees.count(t)))
        for column, (a, b) in zip(G.T, [pair for pair, degree in zip(sides, degrees) if degree == t]):
            column[rows[a]], column[rows[b]] = 1.0, -1.0
        kept = [monomial for monomial in products if t == 1 or _is_needed(monomial, sides, t)]
        F = np.zeros((len(rows), len(kept)))
        F[[rows[monomial] for monomial in kept], np.arange(len(kept))] = 1.0
        layer = Layer(_products(products, recursion, places, d), F, G, np.ones(len(kept), dtype=bool))
        grown = recursion.with_layer(layer)
        if G.shape[1]:
            slopes = grown.evaluate(knots, derivatives=True).dG[:, :, -G.shape[1]:]
            layer.G[:] = G / np.sqrt(weights @ np.sum(slopes**2, axis=1) / weights.sum())
        recursion, places = grown, {**places, **{monomial: lower + i for i, monomial in enumerate(kept)}}
    return recursion


def _path(monomial):
    """The monomial and those before it, each divided by its last variable."""
    while any(monomial):
        yield monomial
        last = max(j for j, e in enumerate(monomial) if e)
        monomial = (*monomial[:last], monomial[last] - 1, *monomial[last + 1:])


def _steps(sides, degree, d):
    """Monomials of each degree on the way to the sides; of degree 1 all variables."""
    needed = {monomial for pair in sides for side in pair for monomial in _path(side)}
    first = [tuple(int(i == j) for i in range(d)) for j in range(d)]
    return [first] + [sorted(m for m in needed if sum(m) == t) for t in range(2, degree + 1)]


def _is_needed(monomial, sides, degree):
    """Whether something of a higher degree is made of it."""
    return any(monomial in _path(side) for pair in sides for side in pair if max(map(sum, pair)) > degree)


def _products(monomials, recursion, places, d):
    if recursion.degree == 0:
        return recursion.next_products()
    before = sum(recursion.sizes[:-1])
    left = [max(j for j, e in enumerate(m) if e) for m in monomials]
    right = [places[(*m[:j], m[j] - 1, *m[j + 1:])] - before for m, j in zip(monomials, left)]
    return Products(np.array(left, dtype=int), np.array(right, dtype=int), np.eye(len(left)))
