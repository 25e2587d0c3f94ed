"""Is a fit what it says?  See `checking`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from ..fitting.fitted import Fitted
from ..polynomials.monomials import count
from ..symbolic.polynomial import LEAST_VALUE, polynomials_of
from .checking import MOST_TERMS, SAMPLE_AT_ONCE, Check, confirmed, numbered, same_expression, same_number, same_values, sampled

ROUNDINGS = 8
"""Roundings of a coordinate that add up: a convention; it is multiplied, added to, and differs for each variable."""


def unless_wrong(fitted: Fitted, points: np.ndarray) -> Fitted:
    """The fit; with `Status.NOT_CONFIRMED` where its terms, in 50 digits, have other values than its recursion.

    Looked at are a sample of the points, in the user's units, and of the knots, and equations with not more than
    `MOST_TERMS` terms together.
    """
    return confirmed(fitted, _made_checks(fitted, points))


def _made_checks(fitted: Fitted, points: np.ndarray) -> Iterator[Check]:
    places = fitted.in_order()
    sizes = np.cumsum([count(len(fitted.names), int(fitted.recursion.G_degrees[place])) for place in places])
    chosen = [place for place, size in zip(places, sizes) if size <= MOST_TERMS]
    if not chosen:
        return
    at = np.vstack([points[sampled(len(points), SAMPLE_AT_ONCE)], fitted.knots[sampled(len(fitted.knots), SAMPLE_AT_ONCE)]])
    highest = int(fitted.recursion.G_degrees[chosen].max())
    recursion = replace(fitted.recursion, layers=fitted.recursion.layers[:highest])
    values = fitted.unit * recursion.evaluate(fitted.inside(at)).G
    equations = polynomials_of(fitted)
    for number, place in enumerate(chosen):
        yield same_values(numbered("its values are those of its terms", number), equations[number].terms, at,
                          values[:, place], _scale(fitted, place))


def _scale(fitted, place):
    return max(float(fitted.residuals[place]), LEAST_VALUE * fitted.unit)


def _rounding(fitted):
    """What rounding of the knots' coordinates in the user's units does to values of equations with unit gradients."""
    spread = np.abs(fitted.knots / fitted.scale).max(initial=0.0) * fitted.unit * np.sqrt(fitted.mass)
    return ROUNDINGS * np.finfo(float).eps * float(spread)


def ideal_checks(ideal: Any, points: np.ndarray | None) -> Iterator[Check]:
    """All that an ideal says about its equations; `points` are the data, in the user's units."""
    if not ideal.polynomials:
        return
    places, knots = ideal.in_order(), ideal.knots
    at = knots[sampled(len(knots))] if points is None else np.vstack([knots[sampled(len(knots))], points[sampled(len(points))]])
    values, on_knots = ideal.evaluate(at), ideal.evaluate(knots)
    on_points = None if points is None or not _weighs_all_alike(ideal, points) else ideal.evaluate(points)
    for number, (g, place) in enumerate(zip(ideal.polynomials, places)):
        scale = _scale(ideal, place)
        yield same_values(numbered("`evaluate` gives the values of `terms`", number), g.terms, at, values[:, number], scale)
        yield same_expression(numbered("so does `expr`", number), g.expr, ideal.variables, g.terms, at, scale)
        shares = ideal.knot_weights / ideal.knot_weights.sum()
        yield same_number(numbered(f"its residual on the knots is {g.knot_residual:.3g}", number), g.knot_residual,
                          float(np.sqrt(ideal.mass * (shares @ on_knots[:, number] ** 2))), scale, _rounding(ideal))
        if on_points is not None:
            yield same_number(numbered(f"its residual on the points is {g.residual:.6g}", number), g.residual,
                              float(np.sqrt(ideal.mass * np.mean(on_points[:, number] ** 2))), scale)


def _weighs_all_alike(ideal, points):
    """Whether these can be the points of the fit, and each counted as one; residuals of power laws are relative."""
    assigned = ideal.assignment
    if ideal.law is not None or len(points) != len(assigned) or (assigned < 0).any():
        return False
    return np.allclose(np.bincount(assigned, minlength=len(ideal.knots)), ideal.knot_weights)
