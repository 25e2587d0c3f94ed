"""Are the polynomials of a method what it says?  See `symknot.results.checking`.

Values of a polynomial as its terms stand, without centring, are known to rounding of its largest terms only: with m terms of
degree t to (m + t) roundings of the sum of their sizes.  So much is allowed, and no more.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..ground.ranges import root_mean_squares
from ..polynomials.precise import Precise, precise_values
from ..polynomials.terms import Terms, derivative
from ..results.checking import (
    AGREEMENT,
    MOST_TERMS,
    SAMPLE,
    SAMPLE_AT_ONCE,
    Check,
    confirmed,
    numbered,
    same_expression,
    sampled,
)

SMALLEST_TERM = 1e-14
"""Share of a polynomial's largest term on the points below which a term is rounding: some fifty roundings of a double."""
ROUNDING = float(np.finfo(float).eps)
LEAST = float(np.finfo(float).tiny)
"""Numbers below it have fewer digits than others."""


def unless_wrong(found: Any) -> Any:
    """Polynomials of a method; with `Status.NOT_CONFIRMED` where a sample of what is said of them does not hold.

    Looked at are those with not more than `MOST_TERMS` terms together, as of a fit.
    """
    sizes = np.cumsum([len(g.terms) for g in found.polynomials])
    return confirmed(found, generator_checks(found, int(np.sum(sizes <= MOST_TERMS)), SAMPLE_AT_ONCE))


def generator_checks(found: Any, count: int, most: int = SAMPLE) -> Iterator[Check]:
    """All that the first `count` polynomials say of themselves, at not more than so many points."""
    if not found.polynomials or not count:
        return
    at = found.points[sampled(len(found.points), most)]
    values, slopes = found.evaluate(at), found.jacobian(at)
    all_values, all_slopes = found.evaluate(found.points), found.jacobian(found.points)
    own = None if found.given_knots is None else found.given_knots[sampled(len(found.given_knots), most)]
    for number, g in enumerate(found.polynomials[:count]):
        yield same_expression(numbered("`expr` is what `terms` say", number), g.expr, found.variables, g.terms, at)
        precise = precise_values(g.terms, at)
        off = _rounding(g.terms, precise)
        yield _near(numbered("`evaluate` gives the values of `terms`", number), precise, values[:, number], off)
        for j, name in enumerate(found.names):
            terms = derivative(g.terms, j)
            wanted = precise_values(terms, at)
            yield _near(numbered(f"`jacobian` gives its derivative by {name}", number), wanted, slopes[:, number, j],
                        _rounding(terms, wanted))
        steep = float(np.hypot.reduce(root_mean_squares(all_slopes[:, number]))) or 1.0
        residual = float(root_mean_squares(all_values[:, number])) / steep
        yield Check(numbered(f"its residual is {g.residual:.6g}", number), abs(g.residual - residual),
                    AGREEMENT * residual + _rounding(g.terms, precise_values(g.terms, _farthest(found.points))) / steep)
        if own is not None:
            there = precise_values(g.terms, own)
            allowed = SMALLEST_TERM * len(g.terms) * float(np.max(there.sizes, initial=0.0)) + _rounding(g.terms, there)
            yield _near(numbered("it is zero at its knots", number), there, np.zeros(len(own)), allowed)


def _near(what, precise: Precise, values, allowed):
    return Check(what, float(np.max(np.abs(precise.values - values), initial=0.0)), allowed)


def _rounding(terms: Terms, precise: Precise) -> float:
    """What floats do to values of these terms."""
    highest = max(map(sum, terms), default=0)
    return (len(terms) + highest) * (ROUNDING * float(np.max(precise.sizes, initial=0.0)) + LEAST)


def _farthest(points):
    """A point whose coordinates are the largest of all."""
    return np.abs(points).max(axis=0)[None]
