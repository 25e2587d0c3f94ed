r"""Curves and surfaces: the equations are made rational, the knots are certified on them.

A curve rarely passes through rational points near given ones, so here the equations come
first: the readable ones, whose numbers are rational already, or the estimates rationalised by
another rule.  Each knot then becomes a box that is proved to hold a true common zero
(`krawczyk`).

Equations that outnumber the codimension of what they define, as the three quadrics through a
twisted cubic do, must agree with each other: made rational one by one they may have no common
zero at all.  Whether they do is decided exactly, by a Groebner basis.  Where they do not, the
best-conditioned subset of as many equations as the codimension is kept, which defines a variety
through all the knots, and the others are left out and reported by their bound near each knot.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, islice

import numpy as np

from ..fitting.fitted import Fitted
from ..ground.errors import SymknotError
from ..ground.linalg import singular_values
from ..polynomials.evaluation import evaluate_monomials
from ..polynomials.terms import Terms
from ..symbolic.polynomial import polynomials_of
from ..symbolic.readable import inside_polynomial, make_readable, readable_of
from .nearest import SAME, SPARSER, Change, ExactPolynomial
from .rational import Rationalization, rationalized_terms

NO_SLOPE = 1e-6
"""Share of the largest slope at a knot below which one counts as none: knots are good to about half the digits."""
MOST_SUBSETS = 500
"""Subsets of equations that are compared; each takes a small decomposition at every knot."""
WORST_KNOTS = 0.1
"""Share of the knots by whose conditioning a subset is judged: the very worst may be a crossing of the variety."""
ROUNDING_SHARE_OF_NOISE = 0.1
"""Share of the noise by which equations may move when their numbers are made rational: it adds 0.5 % to a residual."""


def rational_equations(fitted: Fitted, rule: Rationalization,
                       points: np.ndarray | None = None) -> tuple[list[ExactPolynomial], np.ndarray]:
    """The equations with rational numbers, as `ExactPolynomial`, and float knots near them.

    Parameters
    ----------
    fitted : Fitted
    rule : Rationalization
        One that adapts keeps the readable numbers; the others are applied to the estimates.
    points : (n, d) array, optional
        Where to measure distances.

    Returns
    -------
    polynomials : list of ExactPolynomial
    knots : (K, d) array
    """
    change, estimates = Change(fitted, points), readable_of(fitted, simplify=False)
    chosen = readable_of(fitted) if rule.adapts else estimates
    polynomials = []
    for equation, estimate in zip(chosen.equations, estimates.equations):
        terms = equation.terms if equation.rounded else _rational(equation.terms, rule, change)
        before, after = (change.residual(side, as_distance=True) for side in (estimate.terms, terms))
        support = SPARSER if len(terms) < len(estimate.terms) else SAME
        polynomials.append(ExactPolynomial(terms, estimate.terms, support, before, after, fitted.variables, fitted.names))
    moved = chosen if len(chosen.knots) == len(fitted.knots) else make_readable(fitted, simplify=rule.adapts)
    return polynomials, moved.knots


def _rational(terms, rule, change):
    """An equation with rational numbers that move it, at the knots, by no more than `ROUNDING_SHARE_OF_NOISE` of the noise."""
    fitted, others = change.fitted, list(terms)[1:]
    sizes = np.zeros(len(others))
    if others:
        values, _ = evaluate_monomials(fitted.knots, np.array(others))
        sizes = np.sqrt(fitted.knot_weights @ values**2 / fitted.knot_weights.sum())
    room = ROUNDING_SHARE_OF_NOISE * max(fitted.noise_level, fitted.delta) / fitted.unit * change.slope(terms)
    return rationalized_terms(terms, rule, room, dict(zip(others, sizes.tolist())))


def slopes_at(fitted: Fitted, polynomials: Sequence[Terms], knots: np.ndarray) -> np.ndarray:
    """(K, m, d) gradients at the knots in the fit's variables, each polynomial scaled by its largest."""
    at = fitted.inside(knots)
    stack = []
    for terms in polynomials:
        exponents, coefficients, _ = inside_polynomial(terms, fitted)
        slopes = evaluate_monomials(at, exponents)[1] @ coefficients
        stack.append(slopes / max(np.linalg.norm(slopes, axis=1).max(), np.finfo(float).tiny))
    return np.stack(stack, axis=1)


def ranks(slopes: np.ndarray) -> np.ndarray:
    """The rank of the gradients at each knot."""
    values = singular_values(slopes)
    return np.sum(values > NO_SLOPE * values.max(axis=1, keepdims=True), axis=1)


def codimension(slopes: np.ndarray) -> int:
    """The rank that most knots have."""
    return int(np.median(ranks(slopes)))


def agreeing(fitted: Fitted, polynomials: Sequence[ExactPolynomial], knots: np.ndarray,
             dimension_of: Callable[[list[Terms]], int]) -> tuple[list[int], int | None, list[str]]:
    """Which equations to keep, and how many of them a knot's square system needs.

    Parameters
    ----------
    fitted : Fitted
    polynomials : list of ExactPolynomial
    knots : (K, d) array
    dimension_of : callable
        From a list of exact polynomials to the dimension of their common zeros, -1 for none.

    Returns
    -------
    kept : list of int
    rank : int or None
        None where the variety has parts of several dimensions: each knot has its own.
    notes : list of str
    """
    # of the fit, whose equations agree at its knots; rational ones that do not would pretend a higher rank
    estimated = slopes_at(fitted, [g.terms for g in polynomials_of(fitted)], fitted.knots)
    rank, count = codimension(estimated), len(polynomials)
    uniform = rank if ranks(estimated).max() == rank else None
    if count <= rank:
        return list(range(count)), uniform, []
    slopes = slopes_at(fitted, [g.terms for g in polynomials], knots)
    try:
        dimension = dimension_of([g.terms for g in polynomials])
    except SymknotError as error:
        return _best_subset(slopes, rank), rank, [
            f"whether all {count} equations agree could not be decided ({error}); {rank} that define a variety through the "
            "knots were kept"]
    if dimension == len(fitted.names) - rank:
        return list(range(count)), uniform, [
            f"the {count} equations agree: they define a variety of dimension {dimension}, proved by a Groebner basis"]
    said = "no common zero" if dimension < 0 else f"common zeros of dimension {dimension} only"
    return _best_subset(slopes, rank), rank, [
        f"the {count} rational equations have {said}; {rank} that define a variety through the knots were kept, the others "
        "are bounded near each knot"]


def _best_subset(slopes, rank):
    """The `rank` equations whose gradients are farthest from dependent at the worst tenth of the knots."""
    def strength(places):
        weakest = singular_values(slopes[:, places])[:, -1]
        return np.quantile(weakest, WORST_KNOTS)
    return list(max(islice(combinations(range(slopes.shape[1]), rank), MOST_SUBSETS),
                    key=lambda places: strength(list(places))))
