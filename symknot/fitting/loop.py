r"""Algorithm 3, the main loop: degree by degree, with reset.  A reader starts here.

At degree t: FindBasis splits the candidates (`basis`), ExactVanishPursuit moves knots
and polynomials until they agree (`pursuit`), and products of what does not vanish are
the candidates of degree t + 1.  When nothing is left to multiply, every function on the
knots is spanned and the loop ends; if by then some polynomial no longer vanishes on the
knots, the loop starts again from degree 1 with the knots it has and a smaller eta.
When eta has come down to delta the knots stay where they are, so the rank of F grows
with every degree until the loop ends: it terminates.

Eta is lowered inside a degree by the pursuit, which starts every degree from the main
loop's own eta; that one is lowered at resets only.

On a curve or surface F never runs out.  The loop then ends after `IDLE_DEGREES` degrees
that brought nothing but polynomials which the earlier ones generate, at `max_degree`,
or where the number of candidates or (with automatic epsilon) the noise forbids to go on.

Equations of one degree may meet in more than the data show: the two planes of two rings meet in a line, which a quartic
cuts off, but no cubic.  There noisy equations have no common zeros near by, and the pursuit drops some that stand clear.
What stands clear is true all the same.  So where equations that the search found are lost, the loop runs once more
without the pursuit, as plain VCA does, and knots are put as near to all equations as these agree: `Status.NOT_EXACT`.
"""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import sympy

from ..ground.deadline import Deadline
from ..ground.errors import EARLY_ENDS, Status, ended_by
from ..ground.linalg import least_squares
from ..ground.memory import remembered
from ..ground.progress import Progress, Step, reporter
from ..polynomials.monomials import count
from ..reading.points import Points
from .at_points import AtPoints
from .basis import by_residual, split_for
from .degree import degree_problem, vanishing_norms
from .finding import REPEATS_OF_EXACT_DATA
from .fitted import DegreeRecord, Fitted
from .hypothesis import cluster_width
from .judging import MUCH_LOWER_NOISE, WIDE_GAP
from .merging import merge_coincident
from .progressed import Progressed, Stage
from .projection import Projection
from .pursuit import Pursued, exact_vanish_pursuit
from .recursion import Recursion
from .redundancy import essential_and_redundant
from .search import COEFFICIENTS_PER_POINT, FURTHEST_CARRIED_DEGREE
from .seen import Seen
from .settings import Settings
from .streamed_points import Streamed

IDLE_DEGREES = 2
"""Degrees without a new equation after which a variety is taken to be described: a convention; one may be empty by accident."""
MOST_CANDIDATES = 3000
"""Candidates of a degree at which the loop stops by itself: a convention; their factor takes 72 MB, time grows as the cube."""
MOST_CARRIED_CANDIDATES = 8000
"""The same up to `search.FURTHEST_CARRIED_DEGREE` if points carry them: a convention; degree 2 in 125 variables, 512 MB."""
MOST_CANDIDATES_AFTER_FIRST = 400
"""The same beyond that degree once equations have been found, when further ones are a bonus: a convention."""
STARTING_POINTS = 2000
"""Points from which coefficients of equations found by the search are read: a convention, more than a degree has of them."""
HIGHEST_FITTED_DEGREE = 30
"""Degree at which the loop stops by itself: a convention; in one variable nothing else would end it before the points
run out."""
GENERATED_ON_KNOTS = 1e-5
"""Share of an equation that multiples of earlier ones may leave unexplained, where equations vanish on their knots and
so agree to rounding: a convention, between that and any noise."""
GENERATED_ON_DATA = 0.2
"""The same where they only vanish within epsilon, as in plain VCA, and so agree to the noise only: a convention."""
STANDING_SLACK = 0.1
"""Slack, relative to the noise, of knots of equations that have no common zeros: a convention; along directions in which the
equations change by less they are not evidence."""


def without_equations(inside: Points, settings: Settings, status: Status, symbols: tuple[sympy.Symbol, ...] | None) -> Fitted:
    """The result of a fit that did not come to a first degree."""
    return _result(inside, settings, _start(inside, settings), status, symbols)


def run(inside: Points, settings: Settings, progress: Progress, symbols: tuple[sympy.Symbol, ...] | None = None,
        stage: Stage | None = None, limit: Deadline | None = None) -> Fitted:
    """The loop with settings that are complete; from where `stage` says it was, if it was kept there.

    `limit` rules where nothing else does.
    """
    start, stage, unpursued = _start(inside, settings), stage or Stage(None, ""), 0
    state, status = stage.resumed(start)
    with reporter(progress) as report:
        try:
            with (limit or Deadline()).ruling("fit"):
                while status is None:
                    state, status = _advanced(inside, settings, state, report)
                    state = stage.kept(state, status, start)
                # where all were lost there was nothing to find: equations of a cloud have no zeros near by either
                if state.lost and any(state.essential) and not (settings.insists or isinstance(inside, Streamed)):
                    state, status = _as_they_stand(inside, settings, state, status, report)
        except EARLY_ENDS as end:
            status, finished = ended_by(end), state.recursion.degree
            if status is Status.WORK_LIMIT:
                state, status = _as_searched(inside, settings, state, report)
                unpursued = state.recursion.degree - finished
    return _result(inside, settings, state, status, symbols, unpursued)


def _as_searched(inside, settings, state, report):
    """The state with equations of degrees that were not finished as the search has found them, knots where they are, and how
    it ended: with no work left, or earlier."""
    settings, last = replace(settings, pursues=False), settings.gap.last_degree if settings.gap else 0
    ended = Status.WORK_LIMIT if isinstance(inside, Streamed) else None
    try:
        while ended is None and state.recursion.degree < last:
            state, ended = _one_degree(inside, settings, state, report)
    except EARLY_ENDS as end:
        return state, ended_by(end)
    return state, Status.WORK_LIMIT


def _as_they_stand(inside, settings, pursued, ended, report):
    """All equations that stand clear, whether or not knots were found on which they vanish; `pursued` if these are no more."""
    settings, status = replace(settings, pursues=False), None
    state = _start(inside, settings)
    while status is None:
        state, status = _advanced(inside, settings, state, report)
    last = settings.gap.last_degree
    if _by_degree(state, last) <= _by_degree(pursued, last):
        return pursued, ended
    knots = Projection().move(AtPoints(state.recursion), inside.values, inside.values, STANDING_SLACK)
    return _with_knots(state, knots, settings), Status.NOT_EXACT


def _by_degree(state, last):
    """How many equations there are of each degree up to the last, the first degree first."""
    return [record.essential for record in state.history[-len(state.recursion.layers):]][:last]


def _start(inside, settings):
    mass = settings.normalization.mass(inside.count)
    return Progressed(Recursion(inside.values.shape[1], 1 / np.sqrt(mass)), inside.values, inside.weights * mass,
                      np.arange(len(inside.values)), settings.epsilon, seen=Seen(inside.values, inside.weights * mass))


def _advanced(inside, settings, state, report):
    """The state after one more degree or a reset, and the status with which the loop ends, if it does."""
    state, ended = _one_degree(inside, settings, state, report)
    if ended is None:
        return state, None
    if not settings.pursues:
        return state, ended
    if _knot_norms(inside, settings, state).max(initial=0.0) <= settings.delta:
        return state, ended if any(state.essential) else Status.NO_POLYNOMIAL
    if state.resets >= settings.max_resets or state.eta <= settings.delta:
        return state, Status.NOT_EXACT
    eta = max(settings.cooling * state.eta, settings.delta)
    return replace(state, recursion=replace(state.recursion, layers=()), essential=(), idle=0, lost=0, eta=eta,
                   resets=state.resets + 1), None


def _one_degree(inside, settings, state, report):
    """The state after the next degree, and a status if the loop cannot or need not go on."""
    began = time.perf_counter()
    degree = state.recursion.degree + 1
    obstacle = _obstacle(settings, state, inside.effective_count)
    if obstacle is not None:
        return state, obstacle
    normalization, knotting = settings.normalization, settings.knotting
    problem = _problem(inside, settings, state)
    if not len(problem.products.left):
        return state, Status.COMPLETE
    settings = settings.at(degree, problem.data_factor.shape[1], inside.effective_count)
    first = knotting.split(problem, normalization, settings.epsilon, max(state.eta, settings.delta), settings.delta)
    if settings.start is not None and degree == settings.gap.degree:
        first = _started(inside, settings, problem, first)
    elif settings.gap and not _stands_clear(inside, settings, problem, first):
        if not settings.insists:
            return state, Status.UNRESOLVED
        first = split_for(problem, normalization, first, first.G[:, : first.exact], first.G[:, first.exact:], settings.delta)

    def watch(eta, residual):
        report(Step(degree, eta * inside.unit, state.resets, residual * inside.unit))

    watch(state.eta, 0.0)
    pursued = Pursued(problem, first, state.knots, state.eta, 0)
    if settings.pursues:
        pursued = exact_vanish_pursuit(problem, first, state.knots, state.weights, (normalization, knotting),
                                       settings.tolerances, state.eta, watch)
    lost = state.lost
    if settings.gap and degree <= settings.gap.last_degree:
        lost += max(first.G.shape[1] - pursued.split.G.shape[1], 0)
    split, new = _separated(inside, pursued, state, settings)
    essential = state.essential + (True,) * new + (False,) * (split.G.shape[1] - new)
    if pursued.rounds:
        state = _with_knots(state, pursued.knots, settings)
    record = DegreeRecord(
        degree, state.resets, first.data_values * inside.unit, first.knot_values * inside.unit,
        pursued.eta * inside.unit, split.F.shape[1], split.G.shape[1], new, pursued.rounds, len(state.knots),
        time.perf_counter() - began)
    state = replace(state, recursion=state.recursion.with_layer(split.layer(pursued.problem)), essential=essential,
                    history=state.history + (record,), idle=0 if new or not essential else state.idle + 1, lost=lost)
    return state, Status.COMPLETE if split.F.shape[1] == 0 else None


def _problem(inside, settings, state):
    gradient = settings.normalization.needs_gradient
    if isinstance(inside, Streamed):
        mass = settings.normalization.mass(inside.count)
        return inside.problem(state.recursion, mass, state.knots, state.weights, gradient)
    return degree_problem(state.recursion, inside.values, state.seen.weights, state.knots, state.weights, gradient, state.seen,
                          settings.max_degree)


def _obstacle(settings, state, points):
    """Why the next degree should not be done on so many points, as a status; None if it should."""
    recursion = state.recursion
    if settings.start is not None and recursion.degree >= settings.gap.degree:
        return Status.SETTLED
    if settings.max_degree is not None:
        return Status.MAX_DEGREE if recursion.degree >= settings.max_degree else None
    if recursion.degree >= HIGHEST_FITTED_DEGREE:
        return Status.SIZE_LIMIT
    if state.idle >= IDLE_DEGREES:
        return Status.SETTLED
    if recursion.degree == 0:
        return None
    sizes, carried = recursion.sizes, recursion.degree < FURTHEST_CARRIED_DEGREE
    columns = count(sizes[1], 2) if recursion.degree == 1 else sum(sizes) + sizes[1] * sizes[-1]
    if carried and columns <= min(MOST_CARRIED_CANDIDATES, COEFFICIENTS_PER_POINT * points):
        return None
    if columns > (MOST_CANDIDATES_AFTER_FIRST if any(state.essential) and not carried else MOST_CANDIDATES):
        return Status.SETTLED if any(state.essential) and state.idle else Status.SIZE_LIMIT
    return None


def _started(inside, settings, problem, split):
    """The degree's split with the equations that the search bent out of simpler ones."""
    rows = np.linspace(0, len(inside.values) - 1, min(len(inside.values), STARTING_POINTS)).astype(int)
    values = problem.recursion.evaluate(inside.values[rows], problem.products)
    G = least_squares(np.hstack([values.F, values.P]), settings.start[rows])
    G = settings.normalization.unit_size(G, problem)
    exact = split.G[:, : split.exact]
    G = by_residual(problem, np.hstack([exact, G]), split.exact)
    return split_for(problem, settings.normalization, split, G, np.zeros((len(G), 0)), settings.delta)


def _stands_clear(inside, settings, problem, split):
    """Whether the points can tell the values below epsilon at this degree from the rest.

    At the degrees of the gap the search has said so, and points that occur again and again are exact; elsewhere a gap has to
    be wide by itself, and wider than the values below it if these are no one cluster.
    """
    columns, values, gap = problem.data_factor.shape[1], split.data_values, settings.gap
    is_exact = gap.noise == 0 and inside.repeats >= REPEATS_OF_EXACT_DATA
    if is_exact or gap.degree <= problem.recursion.degree + 1 <= max(gap.degree, gap.last_degree):
        return True
    if columns > COEFFICIENTS_PER_POINT * inside.effective_count:
        return False
    left = inside.effective_count - columns
    below = int(np.sum(values <= settings.epsilon))
    if below in (0, len(values)):
        return True
    # beside those that noise cannot have made so small: they hold to rounding, or in variables that have hardly any
    noisy = values[:below][values[:below] > settings.gap.noise / inside.unit / MUCH_LOWER_NOISE]
    if not len(noisy):
        return True
    width = noisy[-1] / noisy[0]
    if width > cluster_width(len(noisy), left) * settings.gap.widening:
        return values[below] >= WIDE_GAP * width * noisy[-1]
    return values[below] >= WIDE_GAP * noisy[-1]


def _separated(inside, pursued, state, settings):
    """The degree's polynomials, turned so that new ones come before those already generated."""
    problem, split = pursued.problem, pursued.split
    recursion, k = state.recursion, split.G.shape[1]
    if k == 0 or recursion.degree == 0:
        return split, k
    chosen = np.array(state.essential, dtype=bool)
    nonlinear = recursion.G_degrees > 1
    earlier = recursion.G_coefficients()[:, chosen[nonlinear]]
    new = recursion.basis_coefficients(problem.products) @ split.G
    on_knots = settings.pursues and settings.delta < settings.epsilon
    tolerance = GENERATED_ON_KNOTS if on_knots else GENERATED_ON_DATA
    error = _coefficient_error(inside, recursion, settings) if on_knots else 0.0
    turn, count = essential_and_redundant(earlier, recursion.G_degrees[nonlinear & chosen], new,
                                          recursion.degree + 1, recursion.sizes[1], tolerance, error)
    return replace(split, G=by_residual(problem, split.G @ turn, count)), count


def _coefficient_error(inside, recursion, settings):
    """Standard error of all coefficients of an equation together, as a share of their norm, for points of unit spread."""
    if settings.gap is None:
        return 0.0
    return settings.gap.noise / inside.unit * np.sqrt(count(recursion.sizes[1], recursion.degree) / inside.effective_count)


def _with_knots(state, knots, settings):
    """The state with moved knots; those that have come to coincide become one."""
    distance = settings.knotting.merging_distance(settings.delta)
    knots, weights, member_of = merge_coincident(knots, state.weights, distance)
    return replace(state, knots=knots, weights=weights, member_of=member_of[state.member_of])


def _data_norms(inside, settings, state):
    if isinstance(inside, Streamed):
        return inside.norms(state.recursion, settings.normalization.mass(inside.count))
    return state.seen.vanishing_norms(state.recursion)


def _knot_norms(inside, settings, state):
    on_data = inside.knots_are_data if isinstance(inside, Streamed) else state.knots is state.seen.points
    return _data_norms(inside, settings, state) if on_data else _on_own_knots(state)


@remembered
def _on_own_knots(state):
    return vanishing_norms(state.recursion, state.knots, state.weights)


def _result(inside, settings, state, status, symbols, unpursued=0):
    mass = settings.normalization.mass(inside.count)
    data_norms, knot_norms = _data_norms(inside, settings, state), _knot_norms(inside, settings, state)
    assignment = np.where(inside.row_of >= 0, state.member_of[inside.row_of], -1)
    assignment = None if isinstance(inside, Streamed) else assignment
    knot_weights = state.weights / state.weights.sum() * inside.count
    epsilon = None if settings.epsilon is None else settings.epsilon * inside.unit
    return Fitted(
        names=inside.names, center=inside.center, scale=inside.scale, unit=inside.unit,
        normalization=settings.normalization.name,
        residual_is_distance=settings.normalization.residual_is_distance, mass=mass, recursion=state.recursion,
        essential=np.array(state.essential, dtype=bool), residuals=data_norms * inside.unit,
        knot_residuals=knot_norms * inside.unit, knots=inside.outside(state.knots), knot_weights=knot_weights,
        assignment=assignment, epsilon=epsilon, delta=settings.delta * inside.unit, status=status,
        message=_message(status, state, epsilon, unpursued), history=state.history, symbols=symbols)


def _message(status, state, epsilon, unpursued=0):
    if status is Status.WORK_LIMIT:
        found = "; its equations are as the search has found them, and no knots are on them" if unpursued else ""
        return f"degree {state.recursion.degree + 1 - unpursued} was not finished{found}: {status.advice}"
    if status is Status.NO_POLYNOMIAL:
        rows = [(record.data_values[0], record.degree) for record in state.history if len(record.data_values)]
        smallest, degree = min(rows, default=(np.inf, 0))
        if smallest <= epsilon:
            return (f"polynomials within epsilon={epsilon:.3g} were there (residual {smallest:.3g} at degree {degree}), but "
                    "no knots near the data on which they vanish together; lower epsilon or raise delta")
        seen = f"; the smallest residual was {smallest:.3g} at degree {degree}" if rows else ""
        return f"no equation within epsilon={epsilon:.3g}{seen}; {status.advice}"
    return status.advice
