"""From a fit to an `ExactIdeal`: which route, and the steps of each."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ..symbolic.compiled import checked_points
from ..polynomials.conversion import poly_of
from ..ground.deadline import Deadline
from ..engines import engine as find_engine
from ..ground.errors import InvalidOption, InvalidPoints, Status
from ..polynomials.monomials import count
from ..ground.wording import counted
from .equations import agreeing, codimension, rational_equations, slopes_at
from ..results.exact_ideal import EQUATIONS, POINTS, ExactIdeal
from .knots import SHARES, rational_knots
from .krawczyk import CertifiedZero, certify_knots
from .linear import chosen_arithmetic, dependent
from .nearest import CHEAP, Change, NearestVanishing
from .points_ideal import vanishing_on_points
from .rational import BINARY, rationalization
from .syzygies import also_zero

ROUTES = ("auto", POINTS, EQUATIONS)
BASES = ("readable", "fit")
PATIENCE = 60
"""Seconds for the question whether all equations agree."""


def make_exact(ideal, route="auto", rationalize="simplest", denominator=None, digits=None, basis="readable", points=None,
               timeout=None, arithmetic=None):
    """`Ideal.exact`, where the options are explained."""
    if route not in ROUTES:
        raise InvalidOption("route", route, f"one of {', '.join(map(repr, ROUTES))}")
    if basis not in BASES:
        raise InvalidOption("basis", basis, f"one of {', '.join(map(repr, BASES))}")
    if not ideal.polynomials:
        raise InvalidOption("ideal", ideal, "one with at least one polynomial")
    rule = rationalization(rationalize, denominator, digits)
    points = None if points is None else _measurable(points, ideal.names)
    chosen_arithmetic(arithmetic)
    deadline = Deadline(timeout)
    if route == "auto":
        route = choose_route(ideal)
    if route == POINTS:
        return _through_points(ideal, rule, basis, points, deadline, arithmetic)
    return _through_equations(ideal, rule, points, deadline, arithmetic)


def _measurable(points, names):
    """The data as an array, all finite."""
    points, _ = checked_points(points, names)
    if not len(points) or not np.isfinite(points).all():
        raise InvalidPoints("need at least 1, and finite numbers only, to measure residuals")
    return points


def choose_route(ideal):
    """Points where the knots are isolated zeros, else equations.

    They are isolated where the fit spanned every function on them, or where the gradients of the
    equations span the whole space at most knots.
    """
    if ideal.status is Status.COMPLETE:
        return POINTS
    slopes = slopes_at(ideal, [g.terms for g in ideal.polynomials], ideal.knots)
    enough_room = len(ideal.knots) < count(len(ideal.names), max(g.degree for g in ideal.polynomials))
    return POINTS if enough_room and codimension(slopes) == len(ideal.names) else EQUATIONS


def _through_points(ideal, rule, basis, points, deadline, arithmetic):
    """Rational knots and the polynomials nearest to the fit's; knots are rounded finely enough for the data."""
    change, estimates = Change(ideal, points), ideal.uncertainty()
    lines = estimates
    if basis == "readable":
        readable = ideal.readable()
        lines = _simple(readable, estimates, rule)
        sources = [equation.terms for equation in estimates]
        sparser = [equation.terms for equation in readable]
        leading = [next(iter(source)) for source in sources]
    else:
        sources, leading = [g.terms for g in ideal.polynomials], ()
        sparser = [None] * len(sources)
    as_distance = basis == "readable" or ideal.normalization == "gradient"
    in_its_units = basis == "fit" or ideal.normalization == "gradient"
    epsilon = ideal.epsilon if in_its_units else None
    limit = epsilon or 0.0
    # a fixed rule is for the knots: in their units its step is right, in the coefficients' any may be far too wide
    amounts = rule if rule.kind == BINARY else rationalization()
    for share in SHARES if rule.adapts else SHARES[:1]:
        # the finest attempt keeps the fit's own linear equations, not those made simple
        knots = rational_knots(ideal, rule, lines if share > SHARES[-1] else estimates, share)
        if not knots.plausible and share > SHARES[-1] and rule.adapts:
            continue
        nearest = NearestVanishing(knots.points, change, amounts, leading, limit, as_distance, deadline, arithmetic)
        polynomials = tuple(map(nearest.replace, sources, sparser))
        if all(g.residual_after <= (max(limit, g.residual_before) if limit else CHEAP * g.residual_before) for g in polynomials):
            break
    notes = knots.notes + _dependence([g.terms for g in polynomials])
    return ExactIdeal(ideal.names, POINTS, polynomials, (), knots.points, (), (), knots.of_knot, epsilon, notes, ideal.symbols)


def _dependence(polynomials):
    """A note where the knots leave room for fewer polynomials than the fit found."""
    monomials = sorted(set().union(*polynomials))
    follow = dependent([[terms.get(exponents, Fraction(0)) for exponents in monomials] for terms in polynomials])
    return (f"{follow} of {counted(len(polynomials), 'polynomial')} depend linearly on the others: there is room for fewer "
            "on the rational knots",) if follow else ()


def _simple(readable, estimates, rule):
    """The readable equations where the rule lets numbers adapt and the data do not notice, else the estimates."""
    return [simple if rule.adapts and simple.residual_after <= CHEAP * simple.residual_before else estimate
            for simple, estimate in zip(readable, estimates)]


def _through_equations(ideal, rule, points, deadline, arithmetic):
    polynomials, knots = rational_equations(ideal, rule, points)

    def dimension(equations):
        deadline.check("dimension of the equations")
        polys = [poly_of(terms, ideal.variables) for terms in equations]
        return find_engine().dimension(polys, timeout=min(deadline.left or PATIENCE, PATIENCE))

    kept, rank, notes = agreeing(ideal, polynomials, knots, dimension)
    rest = [place for place in range(len(polynomials)) if place not in kept]
    ordered = [polynomials[place] for place in kept + rest]
    zeros = certify_knots([g.terms for g in ordered], knots, ideal.scale, deadline, rank, first=len(kept))
    centers = tuple(zero.center if isinstance(zero, CertifiedZero) else tuple(Fraction(float(x)) for x in knot)
                    for zero, knot in zip(zeros, knots))
    # residuals are distances here
    epsilon = ideal.epsilon if ideal.normalization == "gradient" else None
    also = () if rest else also_zero([g.terms for g in ordered], zeros, deadline, arithmetic)
    return ExactIdeal(ideal.names, EQUATIONS, tuple(ordered[: len(kept)]), tuple(ordered[len(kept):]), centers, tuple(zeros),
                      also, tuple(range(len(knots))), epsilon, tuple(notes), ideal.symbols)


def make_vanishing_ideal(ideal, order="grevlex", rationalize="simplest", denominator=None, digits=None, timeout=None,
                         arithmetic=None):
    """`Ideal.vanishing_ideal`, where the options are explained."""
    rule = rationalization(rationalize, denominator, digits)
    lines = _simple(ideal.readable(), ideal.uncertainty(), rule)
    for share in SHARES if rule.adapts else SHARES[:1]:
        knots = rational_knots(ideal, rule, lines, share)
        if knots.plausible:
            break
    return vanishing_on_points(knots.points, ideal.names, order, timeout, arithmetic)
