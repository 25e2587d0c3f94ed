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

On a curve or surface F never runs out.  The loop then ends after `PATIENCE` degrees
that brought nothing but polynomials which the earlier ones generate, at `max_degree`,
or where the number of candidates or (with automatic epsilon) the noise forbids to go on.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np

from .basis import by_residual, degree_problem, find_basis, vanishing_norms
from ..ground.checks import fraction_of_one, positive_number, whole_number
from ..ground.errors import FitInterrupted, InvalidOption, Status
from ..results.ideal import DegreeRecord, Ideal
from .knotting import Penalty, Projection, merge_coincident
from .recursion import Recursion
from .normalization import normalization_named
from ..reading.points import read_points
from ..ground.progress import Step, check_progress, reporter
from .pursuit import exact_vanish_pursuit
from .redundancy import essential_and_redundant
from .spectrum import COEFFICIENTS_PER_POINT, Gap, best_split, degree_limit, spectrum_of
from ..polynomials.symbols import own_symbols

DELTA = 1e-9
"""Default tolerance on the knots, in units of the data's spread."""
PATIENCE = 2
"""Degrees without a new equation after which a variety is taken to be described."""
MOST_COLUMNS = 3000
MOST_COLUMNS_AFTER_FIRST = 400
"""Candidates at which the loop stops by itself; fewer once equations have been found."""
HIGHEST_DEGREE = 30
REPEATS_OF_EXACT_DATA = 4
"""Noisy measurements do not repeat; points that occur this often, on average, are exact."""


@dataclass(frozen=True, eq=False)
class Settings:
    """Options of a fit after they have been checked; tolerances in inside units."""

    normalization: object
    knotting: object
    epsilon: float
    delta: float
    max_degree: int | None
    max_resets: int
    cooling: float
    gap: Gap | None


@dataclass(frozen=True, eq=False)
class Progressed:
    """How far a fit has come; every degree makes a new one, so an interruption finds it whole."""

    recursion: Recursion
    knots: np.ndarray
    weights: np.ndarray
    member_of: np.ndarray
    eta: float
    essential: tuple = ()
    history: tuple = ()
    resets: int = 0
    idle: int = 0


def fit(points, epsilon="auto", *, delta=None, max_degree=None, normalization="gradient", knotting=None,
        noise=None, weights=None, names=None, progress=None, max_resets=10, cooling=0.5):
    """Find polynomials that nearly vanish on the points, and knots on which they vanish.

    Parameters
    ----------
    points : array, nested list, pandas DataFrame, or path of a CSV file
        N points in d variables.
    epsilon : float or "auto"
        Tolerance on the data: with the default normalization the standard deviation of the
        noise, in the data's units (in units of `noise` when that is given).  "auto" reads it
        off a gap in the spectrum, and finds nothing where there is none.
    delta : float, optional
        Tolerance on the knots, smaller than epsilon; default 1e-9 of the data's spread.
    max_degree : int, optional
        Highest degree; by default the fit decides when to stop.
    normalization : {"gradient", "coefficient", "vca"}
        What a polynomial of unit size is; "vca" is the paper's.
    knotting : Projection or Penalty, optional
        How knots move; default ``Projection()``.
    noise : sequence of float, optional
        Standard deviation of each variable's noise, if they differ.
    weights : sequence of float, optional
        Weight of each point.
    names : sequence of str or sympy.Symbol, optional
        Names of the variables; symbols are used as they are, with their assumptions.
    progress : None, bool or callable, optional
        Live line on a terminal (None), always (True), never (False), or a function of each step.
    max_resets : int
        How often the loop may start again from degree 1.
    cooling : float
        Factor by which eta is lowered, between 0 and 1.

    Returns
    -------
    Ideal

    Raises
    ------
    InvalidPoints, InvalidOption
        Before anything is computed.
    FitInterrupted
        On Ctrl-C; its `partial` is the `Ideal` of all finished degrees.

    Examples
    --------
    >>> import numpy as np
    >>> t = np.linspace(0, 6.2, 300)
    >>> noise = 0.02 * np.random.default_rng(0).normal(size=(300, 2))
    >>> ideal = fit(np.c_[3 * np.cos(t), np.sin(t)] + noise)
    >>> [g.degree for g in ideal.polynomials], bool(abs(ideal.epsilon - 0.02) < 0.03)
    ([2], True)
    >>> float(abs(ideal.evaluate(ideal.knots)).max()) < 1e-8
    True
    """
    kind = normalization_named(normalization)
    check_progress(progress)
    inside = read_points(points, names=names, noise=noise, weights=weights, rescale=kind.rescale)
    knotting = Projection() if knotting is None else knotting
    if not isinstance(knotting, (Projection, Penalty)):
        raise InvalidOption("knotting", knotting, "a Projection or a Penalty")
    try:
        settings, spectrum = _checked_settings(inside, kind, knotting, epsilon, delta, max_degree, max_resets, cooling)
    except KeyboardInterrupt:
        nothing = Settings(kind, knotting, None, DELTA, max_degree, max_resets, cooling, None)
        raise FitInterrupted(_result(inside, nothing, _start(inside, kind, nothing), Status.INTERRUPTED, None,
                                     own_symbols(names))) from None
    state = _start(inside, kind, settings)
    if settings.epsilon is None:
        return _result(inside, settings, state, Status.NO_GAP, spectrum, own_symbols(names))
    return _run(inside, settings, state, progress, spectrum, own_symbols(names))


def vca(points, epsilon, *, max_degree=None, normalization="gradient", noise=None, weights=None, names=None,
        progress=None):
    """Vanishing component analysis: the same search with the data themselves as knots.

    Parameters
    ----------
    points, epsilon, max_degree, normalization, noise, weights, names, progress
        As in `fit`; epsilon must be a number.

    Returns
    -------
    Ideal

    Examples
    --------
    >>> ideal = vca([[0, 0], [1, 0], [0, 1]], epsilon=1e-8)
    >>> [g.degree for g in ideal.polynomials]
    [2, 2, 2]
    """
    kind = normalization_named(normalization)
    check_progress(progress)
    inside = read_points(points, names=names, noise=noise, weights=weights, rescale=kind.rescale)
    tolerance = positive_number("epsilon", epsilon) / inside.unit
    settings = Settings(kind, Projection(), tolerance, tolerance, degree_limit(max_degree), 0, 0.5, None)
    return _run(inside, settings, _start(inside, kind, settings), progress, None, own_symbols(names))


def _run(inside, settings, state, progress, spectrum, symbols):
    status = None
    with reporter(progress) as report:
        try:
            while status is None:
                state, status = _advanced(inside, settings, state, report)
        except KeyboardInterrupt:
            partial = _result(inside, settings, state, Status.INTERRUPTED, spectrum, symbols)
            raise FitInterrupted(partial) from None
    return _result(inside, settings, state, status, spectrum, symbols)


def _checked_settings(inside, kind, knotting, epsilon, delta, max_degree, max_resets, cooling):
    max_degree = degree_limit(max_degree)
    max_resets = whole_number("max_resets", max_resets, 0)
    cooling = fraction_of_one("cooling", cooling)
    delta = DELTA if delta is None else positive_number("delta", delta) / inside.unit
    spectrum = None
    if isinstance(epsilon, str):
        if epsilon != "auto":
            raise InvalidOption("epsilon", epsilon, "a positive number or 'auto'")
        if kind.name != "gradient":
            raise InvalidOption("epsilon", epsilon, f"a positive number with normalization={kind.name!r}, whose "
                                "epsilon is no noise level")
        spectrum = spectrum_of(inside, max_degree)
        tolerance = 1e3 * delta if inside.repeats >= REPEATS_OF_EXACT_DATA else None
        if spectrum.gap:
            tolerance = spectrum.gap.epsilon / inside.unit
            if tolerance <= delta:
                raise InvalidOption("delta", delta * inside.unit,
                                    f"smaller than epsilon, found to be {spectrum.gap.epsilon:.3g}")
    else:
        tolerance = positive_number("epsilon", epsilon) / inside.unit
        if tolerance <= delta:
            raise InvalidOption("epsilon", epsilon, f"larger than delta = {delta * inside.unit:.3g}")
    settings = Settings(kind, knotting, tolerance, delta, max_degree, max_resets, cooling,
                        spectrum.gap if spectrum else None)
    return settings, spectrum


def _start(inside, kind, settings):
    mass = kind.mass(inside.count)
    return Progressed(Recursion(inside.values.shape[1], 1 / np.sqrt(mass)), inside.values, inside.weights * mass,
                      np.arange(len(inside.values)), settings.epsilon)


def _advanced(inside, settings, state, report):
    """The state after one more degree or a reset, and the status with which the loop ends, if it does."""
    state, ended = _one_degree(inside, settings, state, report)
    if ended is None:
        return state, None
    if _largest_knot_residual(state) <= settings.delta:
        return state, ended if any(state.essential) else Status.NO_POLYNOMIAL
    if state.resets >= settings.max_resets or state.eta <= settings.delta:
        return state, Status.NOT_EXACT
    eta = max(settings.cooling * state.eta, settings.delta)
    return replace(state, recursion=replace(state.recursion, layers=()), essential=(), idle=0, eta=eta,
                   resets=state.resets + 1), None


def _one_degree(inside, settings, state, report):
    """The state after the next degree, and a status if the loop cannot or need not go on."""
    began = time.perf_counter()
    degree = state.recursion.degree + 1
    obstacle = _obstacle(settings, state)
    if obstacle is not None:
        return state, obstacle
    kind = settings.normalization
    data_weights = inside.weights * kind.mass(inside.count)
    problem = degree_problem(state.recursion, inside.values, data_weights, state.knots, state.weights, kind)
    if not len(problem.products.left):
        return state, Status.COMPLETE
    first = find_basis(problem, kind, settings.epsilon, max(state.eta, settings.delta), settings.delta,
                       exact_first=not settings.knotting.follows_paper)
    if settings.gap and not _stands_clear(inside, settings, problem, first):
        return state, Status.UNRESOLVED

    def watch(eta, residual):
        report(Step(degree, eta * inside.unit, state.resets, residual * inside.unit))

    watch(state.eta, 0.0)
    pursued = exact_vanish_pursuit(problem, first, state.knots, state.weights, settings, state.eta, watch)
    split, new = _separated(pursued, state, settings)
    essential = state.essential + (True,) * new + (False,) * (split.G.shape[1] - new)
    if pursued.rounds:
        state = _with_knots(state, pursued.knots, settings)
    record = DegreeRecord(
        degree, state.resets, first.data_values * inside.unit, first.knot_values * inside.unit,
        pursued.eta * inside.unit, split.F.shape[1], split.G.shape[1], new, pursued.rounds, len(state.knots),
        time.perf_counter() - began)
    state = replace(state, recursion=state.recursion.with_layer(split.layer(pursued.problem)), essential=essential,
                    history=state.history + (record,), idle=0 if new or not essential else state.idle + 1)
    return state, Status.COMPLETE if split.F.shape[1] == 0 else None


def _obstacle(settings, state):
    """Why the next degree should not be done, as a status; None if it should."""
    recursion = state.recursion
    if settings.max_degree is not None:
        return Status.MAX_DEGREE if recursion.degree >= settings.max_degree else None
    if recursion.degree >= HIGHEST_DEGREE:
        return Status.SIZE_LIMIT
    if state.idle >= PATIENCE:
        return Status.SETTLED
    sizes = recursion.sizes
    columns = sum(sizes) + (recursion.dimension if recursion.degree == 0 else sizes[1] * sizes[-1])
    if columns > (MOST_COLUMNS_AFTER_FIRST if any(state.essential) else MOST_COLUMNS) and recursion.degree:
        return Status.SETTLED if any(state.essential) and state.idle else Status.SIZE_LIMIT
    return None


def _stands_clear(inside, settings, problem, split):
    """Whether the points can tell the values below epsilon at this degree from the rest.

    At the degree of the gap the spectrum has been confirmed by higher degrees; elsewhere
    a gap has to be wide by itself.
    """
    columns = problem.data_factor.shape[1]
    left = inside.effective_count - columns
    if left < (1 - COEFFICIENTS_PER_POINT) * inside.effective_count:
        return False
    below = int(np.sum(split.data_values <= settings.epsilon))
    if below == 0 or below == len(split.data_values):
        return True
    certain = problem.recursion.degree + 1 != settings.gap.degree
    return best_split(split.data_values, left, certain) == below


def _separated(pursued, state, settings):
    """The degree's polynomials, turned so that new ones come before those already generated."""
    problem, split = pursued.problem, pursued.split
    recursion, k = state.recursion, split.G.shape[1]
    if k == 0 or recursion.degree == 0:
        return split, k
    chosen = np.array(state.essential, dtype=bool)
    nonlinear = recursion.G_degrees > 1
    earlier = recursion.G_coefficients()[:, chosen[nonlinear]]
    new = recursion.basis_coefficients(problem.products) @ split.G
    tolerance = 1e-5 if settings.delta < settings.epsilon else 0.2
    turn, count = essential_and_redundant(earlier, recursion.G_degrees[nonlinear & chosen], new,
                                          recursion.degree + 1, recursion.sizes[1], tolerance)
    return replace(split, G=by_residual(problem, split.G @ turn, count)), count


def _with_knots(state, knots, settings):
    """The state with moved knots; those that have come to coincide become one."""
    tolerance = max(1e3 * settings.delta, 1e-7) if not settings.knotting.follows_paper else max(settings.delta, 1e-6)
    knots, weights, member_of = merge_coincident(knots, state.weights, tolerance)
    return replace(state, knots=knots, weights=weights, member_of=member_of[state.member_of])


def _largest_knot_residual(state):
    return float(np.max(vanishing_norms(state.recursion, state.knots, state.weights), initial=0.0))


def _result(inside, settings, state, status, spectrum, symbols):
    mass = settings.normalization.mass(inside.count)
    data_norms = vanishing_norms(state.recursion, inside.values, inside.weights * mass)
    knot_norms = vanishing_norms(state.recursion, state.knots, state.weights)
    assignment = np.where(inside.row_of >= 0, state.member_of[inside.row_of], -1)
    knot_weights = state.weights / state.weights.sum() * inside.count
    epsilon = None if settings.epsilon is None else settings.epsilon * inside.unit
    return Ideal(
        names=inside.names, center=inside.center, scale=inside.scale, unit=inside.unit,
        normalization=settings.normalization.name, recursion=state.recursion,
        essential=np.array(state.essential, dtype=bool), residuals=data_norms * inside.unit,
        knot_residuals=knot_norms * inside.unit, knots=inside.outside(state.knots), knot_weights=knot_weights,
        assignment=assignment, epsilon=epsilon, delta=settings.delta * inside.unit, status=status,
        message=_message(status, state, epsilon), history=state.history, spectrum=spectrum,
        symbols=symbols)


def _message(status, state, epsilon):
    if status is Status.NO_POLYNOMIAL:
        rows = [(record.data_values[0], record.degree) for record in state.history if len(record.data_values)]
        smallest, degree = min(rows, default=(np.inf, 0))
        if smallest <= epsilon:
            return (f"polynomials within epsilon={epsilon:.3g} were there (residual {smallest:.3g} at degree {degree}), "
                    "but no knots near the data on which they vanish together; lower epsilon or raise delta")
        seen = f"; the smallest residual was {smallest:.3g} at degree {degree}" if rows else ""
        return f"no equation within epsilon={epsilon:.3g}{seen}; {status.advice}"
    return status.advice
