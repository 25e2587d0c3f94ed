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
from dataclasses import dataclass, field, replace

import numpy as np

from .basis import by_residual, degree_problem, find_basis
from .errors import FitInterrupted, InvalidOption, Status
from .ideal import DegreeRecord, Ideal
from .knotting import Penalty, Projection, merge_coincident
from .layers import Recursion
from .normalization import normalization_named
from .points import blocks, read_points
from .progress import Step, reporter
from .pursuit import exact_vanish_pursuit
from .redundancy import essential_and_redundant
from .spectrum import COEFFICIENTS_PER_POINT, Gap, best_split, spectrum_of

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


@dataclass(eq=False)
class Progressed:
    """Everything that changes during a fit."""

    recursion: Recursion
    knots: np.ndarray
    weights: np.ndarray
    member_of: np.ndarray
    eta: float
    essential: list = field(default_factory=list)
    history: list = field(default_factory=list)
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
    names : sequence of str, optional
        Names of the variables.
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
    inside = read_points(points, names=names, noise=noise, weights=weights, rescale=kind.rescale)
    knotting = Projection() if knotting is None else knotting
    if not isinstance(knotting, (Projection, Penalty)):
        raise InvalidOption("knotting", knotting, "a Projection or a Penalty")
    settings, spectrum = _checked_settings(inside, kind, knotting, epsilon, delta, max_degree, max_resets, cooling)
    state = _start(inside, kind, settings)
    if settings.epsilon is None:
        return _result(inside, settings, state, Status.NO_GAP, spectrum)
    with reporter(progress) as report:
        try:
            status = _main_loop(inside, settings, state, report)
        except KeyboardInterrupt:
            raise FitInterrupted(_result(inside, settings, state, Status.INTERRUPTED, spectrum)) from None
    return _result(inside, settings, state, status, spectrum)


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
    inside = read_points(points, names=names, noise=noise, weights=weights, rescale=kind.rescale)
    tolerance = _positive("epsilon", epsilon) / inside.unit
    settings = Settings(kind, Projection(), tolerance, tolerance, _degree_limit(max_degree), 0, 0.5, None)
    state = _start(inside, kind, settings)
    with reporter(progress) as report:
        try:
            status = _main_loop(inside, settings, state, report)
        except KeyboardInterrupt:
            raise FitInterrupted(_result(inside, settings, state, Status.INTERRUPTED, None)) from None
    return _result(inside, settings, state, status, None)


def _checked_settings(inside, kind, knotting, epsilon, delta, max_degree, max_resets, cooling):
    max_degree = _degree_limit(max_degree)
    if not (isinstance(max_resets, (int, np.integer)) and max_resets >= 0):
        raise InvalidOption("max_resets", max_resets, "a whole number >= 0")
    if not (isinstance(cooling, (int, float)) and 0 < cooling < 1):
        raise InvalidOption("cooling", cooling, "between 0 and 1")
    delta = DELTA if delta is None else _positive("delta", delta) / inside.unit
    spectrum = None
    if isinstance(epsilon, str):
        if epsilon != "auto":
            raise InvalidOption("epsilon", epsilon, "a positive number or 'auto'")
        if kind.name != "gradient":
            raise InvalidOption("epsilon", epsilon, f"a positive number with normalization={kind.name!r}, whose "
                                "epsilon is no noise level")
        spectrum = spectrum_of(inside, max_degree)
        if spectrum.gap:
            tolerance = max(spectrum.gap.epsilon / inside.unit, 2 * delta)
        else:
            tolerance = 1e3 * delta if inside.repeats >= REPEATS_OF_EXACT_DATA else None
    else:
        tolerance = _positive("epsilon", epsilon) / inside.unit
        if tolerance <= delta:
            raise InvalidOption("epsilon", epsilon, f"larger than delta = {delta * inside.unit:.3g}")
    settings = Settings(kind, knotting, tolerance, delta, max_degree, int(max_resets), float(cooling),
                        spectrum.gap if spectrum else None)
    return settings, spectrum


def _positive(name, value):
    if isinstance(value, (bool, str)) or not np.isscalar(value) or not np.isfinite(value) or value <= 0:
        raise InvalidOption(name, value, "a positive number")
    return float(value)


def _degree_limit(max_degree):
    if max_degree is not None and (isinstance(max_degree, bool) or not isinstance(max_degree, (int, np.integer))
                                   or max_degree < 1):
        raise InvalidOption("max_degree", max_degree, "a whole number >= 1, or None")
    return None if max_degree is None else int(max_degree)


def _start(inside, kind, settings):
    mass = kind.mass(len(inside.row_of))
    return Progressed(Recursion(inside.values.shape[1], 1 / np.sqrt(mass)), inside.values, inside.weights * mass,
                      np.arange(len(inside.values)), settings.epsilon)


def _main_loop(inside, settings, state, report):
    data_weights = state.weights
    while True:
        ended = _one_degree(inside, data_weights, settings, state, report)
        if ended is None:
            continue
        if _largest_knot_residual(state) <= settings.delta:
            return ended if state.essential else Status.NO_POLYNOMIAL
        if state.resets >= settings.max_resets or state.eta <= settings.delta:
            return Status.NOT_EXACT
        state.resets += 1
        state.eta = max(settings.cooling * state.eta, settings.delta)
        state.recursion, state.essential, state.idle = replace(state.recursion, layers=()), [], 0


def _one_degree(inside, data_weights, settings, state, report):
    """Do the next degree; the status with which the loop ends, or None to go on."""
    began = time.perf_counter()
    degree = state.recursion.degree + 1
    obstacle = _obstacle(inside, settings, state)
    if obstacle is not None:
        return obstacle
    kind, knotting = settings.normalization, settings.knotting
    data = inside.values
    problem = degree_problem(state.recursion, data, data_weights, state.knots, state.weights, kind)
    if not len(problem.products.left):
        return Status.COMPLETE
    split = find_basis(problem, kind, settings.epsilon, max(state.eta, settings.delta), settings.delta,
                       knotting.exact_first)
    if settings.gap and not _stands_clear(inside, settings, problem, split):
        return Status.UNRESOLVED
    first_split = split

    def watch(eta, residual):
        report(Step(degree, eta * inside.unit, state.resets, residual * inside.unit))

    watch(state.eta, 0.0)
    pursued = exact_vanish_pursuit(problem, split, state.knots, state.weights, settings, state.eta, watch)
    split, new = _separated(pursued, state, settings)
    state.recursion = state.recursion.with_layer(split.layer(pursued.problem))
    state.essential += [True] * new + [False] * (split.G.shape[1] - new)
    if pursued.rounds:
        _adopt_knots(state, pursued.knots, settings, data)
    state.idle = 0 if new or not state.essential else state.idle + 1
    state.history.append(DegreeRecord(
        degree, state.resets, first_split.data_values * inside.unit, first_split.knot_values * inside.unit,
        pursued.eta * inside.unit, split.F.shape[1], split.G.shape[1], new, pursued.rounds, len(state.knots),
        time.perf_counter() - began))
    return Status.COMPLETE if split.F.shape[1] == 0 else None


def _obstacle(inside, settings, state):
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


def _adopt_knots(state, knots, settings, data):
    """Take over moved knots; those that have come to coincide become one."""
    tolerance = max(1e3 * settings.delta, 1e-7) if settings.knotting.joint else max(settings.delta, 1e-6)
    before = state.weights
    state.knots, state.weights, member_of = merge_coincident(knots, before, tolerance)
    state.member_of = member_of[state.member_of]


def _largest_knot_residual(state):
    return float(np.max(_norms(state.recursion, state.knots, state.weights), initial=0.0))


def _norms(recursion, points, weights):
    squares = np.zeros(len(recursion.G_degrees))
    for rows in blocks(len(points)):
        squares += weights[rows] @ recursion.evaluate(points[rows]).G ** 2
    return np.sqrt(squares)


def _result(inside, settings, state, status, spectrum):
    mass = settings.normalization.mass(len(inside.row_of))
    data_norms = _norms(state.recursion, inside.values, inside.weights * mass)
    knot_norms = _norms(state.recursion, state.knots, state.weights)
    assignment = np.where(inside.row_of >= 0, state.member_of[inside.row_of], -1)
    knot_weights = state.weights / state.weights.sum() * np.sum(inside.row_of >= 0)
    epsilon = None if settings.epsilon is None else settings.epsilon * inside.unit
    return Ideal(
        names=inside.names, center=inside.center, scale=inside.scale, unit=inside.unit,
        normalization=settings.normalization.name, recursion=state.recursion,
        essential=np.array(state.essential, dtype=bool), residuals=data_norms * inside.unit,
        knot_residuals=knot_norms * inside.unit, knots=inside.outside(state.knots), knot_weights=knot_weights,
        assignment=assignment, epsilon=epsilon, delta=settings.delta * inside.unit, status=status,
        message=_message(status, state, epsilon), history=tuple(state.history), spectrum=spectrum)


def _message(status, state, epsilon):
    if status is Status.NO_POLYNOMIAL:
        rows = [(record.data_values[0], record.degree) for record in state.history if len(record.data_values)]
        smallest = min(rows, default=None)
        seen = f"; the smallest residual was {smallest[0]:.3g} at degree {smallest[1]}" if smallest else ""
        return f"no equation within epsilon={epsilon:.3g}{seen}; {status.advice}"
    return status.advice
