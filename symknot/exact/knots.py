r"""Knots made rational.

A knot that stands for n points with noise :math:`\sigma` is known to about
:math:`\sigma / \sqrt n` in each coordinate.  By default each coordinate becomes the simplest
fraction within three of those, as long as all coordinates together move no more than chance
would move them (chi squared), and within less otherwise, but never less than the fit's `delta`.

Linear equations of the fit are kept: made rational first, they give one coordinate each as an
exact combination of the others, and only the others are rounded.  Rounding every coordinate by
itself would leave no linear equation that holds at more knots than there are variables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..fitting.fitted import Fitted
from ..symbolic.readable import ReadableEquation
from ..symbolic.rounding import MOST_STANDARD_ERRORS, largest_rise
from ..symbolic.uncertainty import knot_errors
from .rational import Rationalization, rationalized_terms

SHARES = tuple(MOST_STANDARD_ERRORS / finer for finer in (1, 2, 8, 32))
"""Standard errors that a coordinate may move; the later ones where the data would notice the first."""
LINE_SHARE = 0.1
"""The share of that by which the numbers of a linear equation may be rounded: the knots' own rounding stays the
larger."""
MOST_HALVINGS = 60
"""How often a tolerance is halved to keep knots apart: beyond 52 halvings doubles that differ stay different."""


@dataclass(frozen=True)
class RationalKnots:
    """Distinct rational knots and where they came from.

    Attributes
    ----------
    points : tuple of tuples of Fraction
    of_knot : tuple of int
        For each knot of the fit, its place in `points`.
    plausible : bool
        Whether they moved no more than chance would move them.
    notes : tuple of str
        What had to be done to keep them apart, or that some were merged.
    """

    points: tuple
    of_knot: tuple
    plausible: bool
    notes: tuple


def rational_knots(fitted: Fitted, rule: Rationalization, equations: Sequence[ReadableEquation],
                   share: float = SHARES[0]) -> RationalKnots:
    """The knots of `fitted` as distinct rational points.

    Parameters
    ----------
    fitted : Fitted
    rule : Rationalization
        With one that adapts to the tolerance, knots that would coincide are rounded more
        finely; with a fixed rule they are merged.
    equations : sequence of ReadableEquation
        The equations of the fit in echelon form, simplified or not; those of degree 1 are kept.
    share : float
        Rounding moves a coordinate by so many of its standard errors at most.

    Returns
    -------
    RationalKnots
    """
    errors = knot_errors(fitted)
    tolerances = np.maximum(share * errors, fitted.delta * fitted.scale / fitted.unit)
    lines = [equation.terms if equation.rounded else _line(equation, rule, fitted.knots, tolerances.min(axis=0))
             for equation in equations if equation.degree == 1]
    points = [_rounded(rule, knot, tolerance, lines) for knot, tolerance in zip(fitted.knots, tolerances)]
    notes = []
    finer = set()
    for _ in range(MOST_HALVINGS if rule.adapts else 0):
        same = _coincident(points)
        if not same:
            break
        finer |= same
        for k in same:
            tolerances[k] /= 2
            points[k] = _rounded(rule, fitted.knots[k], tolerances[k], lines)
    if finer:
        notes.append(f"{len(finer)} knots would have coincided after rounding and were rounded more finely")
    distinct = list(dict.fromkeys(points))
    if len(distinct) < len(points):
        notes.append(f"{len(points) - len(distinct)} of {len(points)} knots coincide with another after rounding and were "
                     "merged with it; a larger denominator or more digits keep them apart")
    errors = np.maximum(errors, fitted.delta * fitted.scale / fitted.unit)
    moves = (np.array(points, dtype=float) - fitted.knots) / errors
    plausible = bool(np.sum(moves**2) <= largest_rise(moves.size))
    return RationalKnots(tuple(distinct), tuple(distinct.index(point) for point in points), plausible, tuple(notes))


def _line(equation, rule, knots, room):
    """A linear equation with rational numbers that add at most `LINE_SHARE` of its room to the coordinate that it gives."""
    leading, *others = equation.terms
    sizes = {e: np.abs(knots[:, e.index(1)]).max() if any(e) else 1.0 for e in others}
    return rationalized_terms(equation.terms, rule, LINE_SHARE * room[leading.index(1)], sizes)


def _rounded(rule, knot, tolerance, lines):
    point = [rule.number(float(x), float(t)) for x, t in zip(knot, tolerance)]
    for terms in lines:
        leading, *others = terms
        value = sum(terms[e] * (point[e.index(1)] if any(e) else 1) for e in others)
        point[leading.index(1)] = -value / terms[leading]
    return tuple(point)


def _coincident(points):
    """Places of the points that are not the only ones of their kind."""
    places = {}
    for k, point in enumerate(points):
        places.setdefault(point, []).append(k)
    return {k for group in places.values() if len(group) > 1 for k in group}
