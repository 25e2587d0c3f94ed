"""From the numbers of a fit to `ExactNumbers`: which route, and the steps of each.

The equations come first (`exact_equations`), and what needs only them, a Groebner basis for instance, stops there;
then the knots are certified (`make_exact`).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from ..engines import engine as find_engine
from ..fitting.fitted import Fitted
from ..ground.deadline import Deadline
from ..ground.errors import InvalidOption, InvalidPoints, Status
from ..ground.exact_linear import chosen_arithmetic, dependent
from ..ground.memory import remembered
from ..ground.ranges import within_range
from ..ground.wording import counted
from ..polynomials.conversion import poly_of
from ..polynomials.monomials import count
from ..polynomials.terms import Terms
from ..reading.points import checked_points
from ..symbolic.polynomial import polynomials_of
from ..symbolic.readable import ReadableEquation, readable_of
from .equations import agreeing, codimension, rational_equations, slopes_at
from .knots import SHARES, RationalKnots, rational_knots
from .krawczyk import CertifiedZero, certify_knots
from .nearest import NOTICED_GROWTH, Change, ExactPolynomial, NearestVanishing
from .numbers import EQUATIONS, POINTS, ExactNumbers
from .rational import BINARY, Rationalization, rationalization
from .syzygies import also_zero

ROUTES = ("auto", POINTS, EQUATIONS)
BASES = ("readable", "fit")
AGREEMENT_SECONDS = 60
"""Seconds for the question whether all equations agree: without an answer a subset that surely does is kept.  A
convention."""


class Request(NamedTuple):
    """The options of `Ideal.exact`, checked; `points` is None or an array."""

    route: str
    rule: Rationalization
    basis: str
    points: np.ndarray | None
    deadline: Deadline
    arithmetic: str | None


class Equations(NamedTuple):
    """Exact equations before their knots are certified.

    Attributes
    ----------
    route : str
    polynomials, left_out : tuple of ExactPolynomial
    knots : RationalKnots or (K, d) array
        Rational points (route "points"), or floats near the equations.
    rank : int or None
        Of the equations' gradients at every knot (route "equations"); None where it differs from knot to knot.
    epsilon : float or None
    notes : tuple of str
    """

    route: str
    polynomials: tuple[ExactPolynomial, ...]
    left_out: tuple[ExactPolynomial, ...]
    knots: Any
    rank: int | None
    epsilon: float | None
    notes: tuple[str, ...]


def checked_request(fitted: Fitted, route: str = "auto", rule: Rationalization | None = None, *, basis: str = "readable",
                    points: Any = None, timeout: float | None = None, arithmetic: str | None = None) -> Request:
    """The options of `Ideal.exact`, where they are explained, checked; `rule` is the default one unless given."""
    if route not in ROUTES:
        raise InvalidOption("route", route, f"one of {', '.join(map(repr, ROUTES))}")
    if basis not in BASES:
        raise InvalidOption("basis", basis, f"one of {', '.join(map(repr, BASES))}")
    if not polynomials_of(fitted):
        raise InvalidOption("ideal", fitted, "one with at least one polynomial")
    points = None if points is None else _measurable(points, fitted.names)
    chosen_arithmetic(arithmetic)
    route = choose_route(fitted) if route == "auto" else route
    return Request(route, rule or rationalization(), basis, points, Deadline(timeout), arithmetic)


def _measurable(points, names):
    """The data as an array, all finite."""
    points, _ = checked_points(points, names)
    if not len(points) or not np.isfinite(points).all():
        raise InvalidPoints("need at least 1, and finite numbers only, to measure residuals")
    return points


def choose_route(fitted: Fitted) -> str:
    """Points where the knots are isolated zeros, else equations.

    They are isolated where the fit spanned every function on them, or where the gradients of the
    equations span the whole space at most knots.
    """
    if fitted.status is Status.COMPLETE:
        return POINTS
    polynomials = polynomials_of(fitted)
    slopes = slopes_at(fitted, [g.terms for g in polynomials], fitted.knots)
    enough_room = len(fitted.knots) < count(len(fitted.names), max(g.degree for g in polynomials))
    return POINTS if enough_room and codimension(slopes) == len(fitted.names) else EQUATIONS


@remembered
def default_equations(fitted: Fitted) -> Equations:
    """The exact equations of a fit with all options as they are by default, made once."""
    return exact_equations(fitted, checked_request(fitted))


def exact_equations(fitted: Fitted, request: Request) -> Equations:
    """Rational equations that have common zeros, by the route asked for."""
    return (_on_points if request.route == POINTS else _agreeing_equations)(fitted, request)


@within_range()
def make_exact(fitted: Fitted, request: Request) -> ExactNumbers:
    """Exact equations with exact or certified knots."""
    found = exact_equations(fitted, request)
    if found.route == POINTS:
        return ExactNumbers(fitted.names, POINTS, found.polynomials, (), found.knots.points, (), (), found.knots.of_knot,
                            found.epsilon, found.notes, fitted.symbols)
    ordered = found.polynomials + found.left_out
    zeros = certify_knots([g.terms for g in ordered], found.knots, fitted.scale, request.deadline, found.rank,
                          first=len(found.polynomials))
    centers = tuple(zero.center if isinstance(zero, CertifiedZero) else tuple(Fraction(float(x)) for x in knot)
                    for zero, knot in zip(zeros, found.knots))
    also = () if found.left_out else also_zero([g.terms for g in ordered], zeros, request.deadline, request.arithmetic)
    return ExactNumbers(fitted.names, EQUATIONS, found.polynomials, found.left_out, centers, tuple(zeros), also,
                        tuple(range(len(found.knots))), found.epsilon, found.notes, fitted.symbols)


def _on_points(fitted, request):
    """Rational knots and the polynomials nearest to the fit's; knots are rounded finely enough for the data."""
    rule, change = request.rule, Change(fitted, request.points)
    estimates = readable_of(fitted, simplify=False).equations
    lines, sources, sparser, leading = _sources(fitted, request, estimates)
    distance = fitted.residual_is_distance
    epsilon = fitted.epsilon if request.basis == "fit" or distance else None
    limit = epsilon or 0.0
    # a fixed rule is for the knots: in their units its step is right, in the coefficients' any may be far too wide
    amounts = rule if rule.kind == BINARY else rationalization()
    for share in SHARES if rule.adapts else SHARES[:1]:
        # the finest attempt keeps the fit's own linear equations, not those made simple
        knots = rational_knots(fitted, rule, lines if share > SHARES[-1] else estimates, share)
        if not knots.plausible and share > SHARES[-1] and rule.adapts:
            continue
        nearest = NearestVanishing(knots.points, change, amounts, leading, limit, request.basis == "readable" or distance,
                                   request.deadline, request.arithmetic)
        polynomials = tuple(map(nearest.replace, sources, sparser))
        if all(g.residual <= (max(limit, g.residual_before) if limit else NOTICED_GROWTH * g.residual_before)
               for g in polynomials):
            break
    notes = knots.notes + _dependence([g.terms for g in polynomials])
    return Equations(POINTS, polynomials, (), knots, None, epsilon, notes)


def _sources(fitted, request, estimates):
    """Linear equations to keep, polynomials to replace, sparser supports to try, monomials that lead."""
    if request.basis == "fit":
        sources = [g.terms for g in polynomials_of(fitted)]
        return estimates, sources, [None] * len(sources), ()
    readable = readable_of(fitted).equations
    sources = [equation.terms for equation in estimates]
    return (_simple(readable, estimates, request.rule), sources, [equation.terms for equation in readable],
            [next(iter(source)) for source in sources])


def _dependence(polynomials: Sequence[Terms]) -> tuple[str, ...]:
    """A note where the knots leave room for fewer polynomials than the fit found."""
    monomials = sorted(set().union(*polynomials))
    follow = dependent([[terms.get(exponents, Fraction(0)) for exponents in monomials] for terms in polynomials])
    return (f"{follow} of {counted(len(polynomials), 'polynomial')} depend linearly on the others: there is room for fewer "
            "on the rational knots",) if follow else ()


def _simple(readable: Sequence[ReadableEquation], estimates: Sequence[ReadableEquation], rule: Rationalization):
    """The readable equations where the rule lets numbers adapt and the data do not notice, else the estimates."""
    return [simple if rule.adapts and simple.residual <= NOTICED_GROWTH * simple.residual_before else estimate
            for simple, estimate in zip(readable, estimates)]


def _agreeing_equations(fitted, request):
    polynomials, knots = rational_equations(fitted, request.rule, request.points)
    deadline = request.deadline

    def dimension(equations):
        deadline.check("dimension of the equations")
        polys = [poly_of(terms, fitted.variables) for terms in equations]
        return find_engine().dimension(polys, timeout=min(deadline.left or AGREEMENT_SECONDS, AGREEMENT_SECONDS))

    kept, rank, notes = agreeing(fitted, polynomials, knots, dimension)
    rest = [place for place in range(len(polynomials)) if place not in kept]
    # residuals are distances here
    epsilon = fitted.epsilon if fitted.residual_is_distance else None
    return Equations(EQUATIONS, tuple(polynomials[place] for place in kept), tuple(polynomials[place] for place in rest),
                     knots, rank, epsilon, tuple(notes))


def vanishing_on_knots(fitted: Fitted, rule: Rationalization) -> RationalKnots:
    """The knots made rational, finely enough that chance could have moved them so far."""
    lines = _simple(readable_of(fitted).equations, readable_of(fitted, simplify=False).equations, rule)
    for share in SHARES if rule.adapts else SHARES[:1]:
        knots = rational_knots(fitted, rule, lines, share)
        if knots.plausible:
            break
    return knots
