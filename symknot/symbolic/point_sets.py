r"""Finitely many points made simple: their coordinates, not the coefficients of their equations.

The equations of a few points follow from the points, so the numbers that nature or a person chose are the coordinates.
Coefficients that are rounded one equation at a time have no common zeros any more, and the true ones are seldom simple:
those of the points (0, 0, 0), (1, 0, 1/5), (0, 1, 3/10), (1/5, 1/10, 1) have the denominator 465.

A knot that stands for w points with noise :math:`\sigma` is known to :math:`\sigma / \sqrt w` in each coordinate, and
each is decided by itself: the simple number of least description length, against all others and against *any* number
within the variable's reach (`rounding.any_number`), of which there is one in n coordinates by the odds of 1 to n
(`simplest`).  As there a coordinate is zero unless the data reject that, at a level for all of them together
(`rounding.evidence_of_a_term`).

The points are *claimed* where all their coordinates are the right ones with `CLAIM_PROBABILITY`, the knots did not move
farther than chance does (`rounding.largest_rise`), and the ideal of the rational points has generators of the degrees
that the fit has.  Then the equations are those of the reduced Groebner basis of the points, and true if the points are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import exp, log
from typing import Any

import numpy as np

from ..fitting.fitted import Fitted
from ..ground.errors import Status
from ..polynomials.terms import Exponents, Terms
from ..polynomials.vanishing import vanishing_on_points
from .polynomial import polynomials_of
from .rounding import CLAIM_PROBABILITY, any_number, evidence_of_a_term, largest_rise, numbers_near
from .uncertainty import knot_errors

MOST_COORDINATES = 200
"""Coordinates of a point set that is made simple: a convention.  That all of so many are simple is seldom."""
FARTHEST = 6.0
"""Standard errors within which simple numbers are looked for: a convention; what is farther has no weight, e**-18."""

Point = tuple[Fraction, ...]


def simple_equations(fitted: Fitted, key: Callable[[Exponents], Any]) -> dict[int, list[Terms]]:
    """Exact equations of a fit whose knots are finitely many simple points, by degree; none where they are not.

    Those of a degree are in reduced echelon form, the leading term first.

    Parameters
    ----------
    fitted : Fitted
    key : callable
        Exponents -> what sorts them from small to large.
    """
    points = simple_points(fitted)
    if points is None:
        return {}
    wanted = Counter(g.degree for g in polynomials_of(fitted))
    found: dict[int, list[Terms]] = {}
    for terms in vanishing_on_points(points, fitted.names).basis:
        if (degree := max(map(sum, terms))) in wanted:          # else those of lower degree generate it
            found.setdefault(degree, []).append(terms)
    if {degree: len(group) for degree, group in found.items()} != wanted:
        return {}
    return {degree: _echelon(group, key) for degree, group in found.items()}


def _echelon(rows, key):
    """Reduced echelon form of exact polynomials."""
    done = []
    for row in rows:
        for other in done:
            row = _minus(row, row.get(next(iter(other)), 0), other)
        leading = max(row, key=key)
        row = {e: row[e] / row[leading] for e in sorted(row, key=key, reverse=True)}
        done = [_minus(other, other.get(leading, 0), row) for other in done] + [row]
    return sorted(done, key=lambda row: key(next(iter(row))), reverse=True)


def _minus(row, factor, other):
    """row - factor * other, the leading term of `row` still the first."""
    moved = {e: row.get(e, 0) - factor * other.get(e, 0) for e in (*row, *other)}
    return {e: value for e, value in moved.items() if value}


def simple_points(fitted: Fitted) -> list[Point] | None:
    """The knots as points with simple coordinates, where these can be claimed; see the module's text."""
    knots, errors = fitted.knots, knot_errors(fitted)
    if fitted.status is not Status.COMPLETE or not 0 < knots.size <= MOST_COORDINATES or not (errors > 0).all():
        return None
    reaches = np.abs(knots).max(axis=0)
    nats, rise, points = 0.0, 0.0, []
    for knot, spread in zip(knots, errors):
        decided = [_decided(*each, knots.size) for each in zip(knot.tolist(), spread.tolist(), reaches.tolist())]
        nats += sum(doubt for _, doubt in decided)
        points.append(tuple(number for number, _ in decided))
        rise += float(np.sum(((np.array(points[-1], dtype=float) - knot) / spread) ** 2))
    claimed = nats <= -log(CLAIM_PROBABILITY) and rise <= largest_rise(knots.size) and len(set(points)) == len(points)
    return points if claimed else None


def _decided(value, error, reach, count):
    """The likeliest simple number, and minus the logarithm of its probability."""
    evidence = evidence_of_a_term(count) / 2
    near = numbers_near(value, error, FARTHEST) if value else []
    nats = {choice.number: evidence + choice.cost + choice.away**2 / 2 for choice in near}
    nats[Fraction(0)] = (value / error) ** 2 / 2
    best = min(nats, key=lambda number: nats[number])
    others = evidence + any_number(max(abs(value), error), error, max(reach, error)) + log(count)
    return best, log(sum(exp(nats[best] - other) for other in (*nats.values(), others)))
