r"""Which terms, and which coefficients: selection and refinement in turn until the terms stay.

With all candidate terms the joint estimate (`joint`) is linearised once, at states that already satisfy the
best model so far.  The quadratic form it yields is that of all coefficients at once; `subsets` picks the terms
that the data ask for, the joint estimate is then run to the end with these alone, and so on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...ground.linalg import ROUNDING, least_squares_scaled
from .dynamics import Dynamics
from .fields import Field
from .joint import Estimate, estimate, gauss_newton_step, misfit, no_cuts, pull_of_all
from .measurements import Measurements
from .subsets import best_subset, term_penalty

RESCUE_SLACKS = (1.0, 0.1, 0.01, 1e-3, 1e-4)
"""Variances of the defects, in units of the noise's, with which an estimate that failed is tried once more."""
MOST_ROUNDS = 8
"""Selections in turn with estimates.  Measured on the systems of `tests.benchmarks.sysid` and the fresh ones: two of
them in 70 of 89 searches, never more than five."""
STEPS_BEFORE_SELECTION = 3
"""Steps with all terms before the first selection: states are then near those of the best model, and with all terms no
estimate is worth more."""
MOST_DERIVATIVES = 500_000
"""Where derivatives by all coefficients are more numbers than this, the first selection uses a part of the data: 4 MB,
whose factorisation takes a tenth of a second."""
PILOT_MEASUREMENTS = 5
"""Measurements for each coefficient that this part has at least."""
PILOT_SAMPLES_OF_RUN = 20
"""Samples of every run that this part keeps: its dynamics must be seen."""
LEAST_MEASUREMENTS = 2
"""Measurements that each coefficient needs at least for an estimate with all terms."""
NOISE_ROUNDS = 2
"""Estimates with terms that are given, the second with the noise that the first leaves."""
LEAST_TERM_SHARE = 1e-8
"""Terms smaller than this share of their equation's largest are rounding, whatever their standard error: of data
without noise that is tiny, too."""
LEAST_FREEDOM_SHARE = 0.1
"""Share of the measurements that must be left when free states and coefficients are taken off, or a variance computed
from what is left would say nothing."""


@dataclass(frozen=True, eq=False)
class Selection:
    """Selected terms and their estimate: what the search ended with.

    Attributes
    ----------
    dynamics : Dynamics
    field : Field
        With the chosen terms only.
    estimate : Estimate
    runs : tuple of Measurements
        With the noise as estimated.
    kept : bool array
        The chosen ones of all candidate coefficients.
    information : array or None
        Of all candidate coefficients, where it was computed last.
    """

    dynamics: Dynamics
    field: Field
    estimate: Estimate
    runs: tuple[Measurements, ...]
    kept: np.ndarray
    information: np.ndarray | None

    @property
    def points(self) -> np.ndarray:
        """What right-hand sides are evaluated at on the estimated states, (arguments, n)."""
        return np.hstack([self.dynamics.arguments(x[: run.states], run.inputs)
                          for run, x in zip(self.runs, self.estimate.states)])


def free_states(dynamics: Dynamics, estimate: Estimate) -> int:
    """Numbers that are free beside the coefficients: the first states of each run, and those after a cut."""
    cuts = sum(int(cut.sum()) for cut in estimate.cuts)
    return (dynamics.reach * len(estimate.states) + cuts) * len(estimate.states[0])


def reduced_misfit(dynamics: Dynamics, runs: Sequence[Measurements], estimate: Estimate) -> np.ndarray:
    """Mean square of measured minus estimated states; unmeasured states have NaN.

    Degrees of freedom taken by free states and coefficients are shared out evenly.
    """
    squares, counts = misfit(runs, estimate.states)
    taken = free_states(dynamics, estimate) + len(estimate.coefficients)
    share = max(1 - taken / max(counts.sum(), 1), LEAST_FREEDOM_SHARE)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(counts > 0, squares / (counts * share), np.nan)


def with_noise(runs: Sequence[Measurements], variance: np.ndarray) -> tuple[Measurements, ...]:
    """The runs with another variance where `variance` is a number."""
    return tuple(run.with_variance(np.where(np.isfinite(variance), variance, run.common_variance)) for run in runs)


def search(dynamics: Dynamics, field: Field, coefficients: np.ndarray, runs: Sequence[Measurements],
           states: Sequence[np.ndarray], *, known_noise: bool = False, floor: np.ndarray | float = 0.0,
           blocks: int = 1, candidates: int | None = None) -> Selection | None:
    """Select terms and estimate their coefficients.

    Parameters
    ----------
    dynamics : Dynamics
    field : Field
        With all candidate terms.
    coefficients : (P,) array
        A first guess.
    runs : sequence of Measurements
    states : sequence of (s, N) arrays
        A first guess.
    known_noise : bool
        Whether the runs' variances are known; else they are corrected by what the fit leaves.
    floor : (s,) array
        Variances are never taken to be smaller.
    blocks : int
        Neighbouring samples that may be averaged without loss, for a first selection from many data.
    candidates : int, optional
        Terms of each equation that these were chosen from; by default those of the field.

    Returns
    -------
    Selection or None
        None where no estimate converged.
    """
    measurements = sum(int(np.isfinite(run.measured).sum()) for run in runs)
    penalty = np.array([term_penalty(measurements, candidates or n) for n in field.free_numbers()])
    penalty = penalty[field.owner]
    pilot = _pilot(dynamics, field, coefficients, runs, states, floor, blocks)
    for start in _starts(dynamics, field, coefficients, runs, states, pilot):
        found = _rounds(dynamics, field, runs, start, pilot, penalty, known_noise, floor)
        if found is not None and (final := _with_final_noise(dynamics, found)) is not None:
            return final
    return None


def settled(dynamics: Dynamics, field: Field, coefficients: np.ndarray, runs: Sequence[Measurements],
            states: Sequence[np.ndarray], *, known_noise: bool = False, floor: np.ndarray | float = 0.0) -> Selection | None:
    """The estimate with these terms and no others; parameters and result as in `search`."""
    for _ in range(NOISE_ROUNDS):
        refined = estimate(dynamics, field, coefficients, runs, states, dynamics.slacks)
        if not refined.converged:
            refined = estimate(dynamics, field, coefficients, runs, states, RESCUE_SLACKS)
        if not refined.converged:
            return None
        coefficients, states = refined.coefficients, refined.states
        if known_noise:
            break
        runs = with_noise(runs, np.maximum(reduced_misfit(dynamics, runs, refined), floor))
    everything = np.ones(field.size, dtype=bool)
    return _with_final_noise(dynamics, Selection(dynamics, field, refined, tuple(runs), everything, None))


def _starts(dynamics, field, coefficients, runs, states, pilot):
    """Where to start from, the best first: coefficients, states, cuts, and a choice of terms."""
    everything, uncut = np.ones(field.size, dtype=bool), no_cuts(dynamics, runs)
    if pilot is not None:
        yield _embedded(pilot.kept, pilot.estimate.coefficients), tuple(states), uncut, pilot.kept
    tried = _first_steps(dynamics, field, coefficients, runs, states)
    if tried is not None:
        yield tried.coefficients, tried.states, tried.cuts, everything
    yield coefficients, tuple(states), uncut, everything


def _rounds(dynamics, field, runs, start, pilot, penalty, known_noise, floor):
    """Selection and estimation in turn, from one start; None where nothing converges."""
    coefficients, states, cuts, kept = start
    totals = field.exponents.sum(axis=1)[field.monomial]
    lower = [totals <= degree for degree in range(1, field.degree)]
    found, seen, information = None, [], None
    for turn in range(MOST_ROUNDS):
        first = coefficients[kept]
        if turn or kept.all():
            if turn == 1 and not start[3].all() and _confirmed(dynamics, field, found, pilot, penalty, cuts):
                break
            try:
                with np.errstate(all="ignore"):
                    _, _, information, pull = gauss_newton_step(dynamics, field, coefficients, runs, states, cuts)
            except (np.linalg.LinAlgError, ValueError):
                break
            if not np.isfinite(information).all() or not np.isfinite(pull).all():
                break
            right = information @ coefficients + pull
            kept = _chosen(field, information, right, penalty, [kept, *lower])
            kept = _sizeable(dynamics, field, kept, _constrained(field, information, right, kept), runs, states)
            first = _constrained(field, information, right, kept)
        if any((kept == mask).all() for mask in seen):
            break
        seen.append(kept)
        smaller = field.restricted(kept)
        refined = estimate(dynamics, smaller, first, runs, states, () if found else dynamics.slacks, cuts)
        if not refined.converged:
            refined = estimate(dynamics, smaller, first, runs, states, dynamics.slacks or RESCUE_SLACKS)
        if not refined.converged:
            break
        if not known_noise:
            variance = reduced_misfit(dynamics, runs, refined)
            runs = with_noise(runs, np.maximum(variance, floor))
        found = Selection(dynamics, smaller, refined, tuple(runs), kept, information)
        coefficients = _embedded(kept, refined.coefficients)
        states, cuts = refined.states, refined.cuts
    return found


def _with_final_noise(dynamics, found):
    """The same with the information that the noise as estimated last leaves; None where that is not finite."""
    here = found.estimate
    try:
        with np.errstate(all="ignore"):
            _, _, information, pull = gauss_newton_step(dynamics, found.field, here.coefficients, found.runs, here.states,
                                                        here.cuts)
    except (np.linalg.LinAlgError, ValueError):
        return None
    if not np.isfinite(information).all() or not np.isfinite(pull).all():
        return None
    return replace(found, estimate=replace(here, information=information, pull=pull))


def _embedded(kept, coefficients):
    """All candidate coefficients, those not kept zero."""
    out = np.zeros(len(kept))
    out[kept] = coefficients
    return out


def _first_steps(dynamics, field, coefficients, runs, states):
    """A few steps with all terms; None where the data cannot bear them, or nothing good comes of it."""
    measurements = sum(int(np.isfinite(run.measured).sum()) for run in runs)
    if measurements < LEAST_MEASUREMENTS * field.size:
        return None
    tried = estimate(dynamics, field, coefficients, runs, states, dynamics.slacks, most_steps=STEPS_BEFORE_SELECTION)
    good = all(np.isfinite(x).all() for x in tried.states) and _moderate(runs, tried.states)
    return tried if good else None


def _pilot(dynamics, field, coefficients, runs, states, floor, blocks):
    """The search on a smaller version of the data; None where they are small themselves, or it fails."""
    numbers = sum(run.measured.size for run in runs)
    most = max(MOST_DERIVATIVES // field.size // 2, PILOT_MEASUREMENTS * field.size)
    if field.size * numbers <= MOST_DERIVATIVES or 2 * most > numbers:
        return None
    size = min(blocks, -(-numbers // most))
    smaller = [_averaged(run, x, size) for run, x in zip(runs, states)]
    share = min(most * size / numbers, 1.0)
    smaller = [_shortened(run, x, max(int(share * x.shape[1]), PILOT_SAMPLES_OF_RUN)) for run, x in smaller]
    return search(dynamics, field, coefficients, *zip(*smaller), floor=floor)


def _averaged(run, states, size):
    """A run whose samples are means of `size` neighbours each; what is left at its end is dropped."""
    if size == 1:
        return run, states
    count = states.shape[1] // size

    def means(values):
        return values[..., : count * size].reshape(*values.shape[:-1], count, size).mean(axis=-1)

    times = np.r_[0.0, np.cumsum(run.steps)]
    return replace(run, measured=means(run.measured), inputs=means(run.inputs), variance=run.variance / size,
                   uneven=None if run.uneven is None else means(run.uneven),
                   steps=np.diff(means(times))), means(states)


def _shortened(run, states, length):
    return run.shortened(length), states[:, :length]


def _confirmed(dynamics, field, found, pilot, penalty, cuts):
    """Whether no single change of terms would pay, judged by all data and the pilot's information.

    Information grows with the number of measurements, so the pilot's, scaled, stands in for that of all data;
    which way each term pulls is computed from them all.
    """
    if pilot.information is None:
        return False
    ratio = found.estimate.information / pilot.information[np.ix_(found.kept, found.kept)]
    information = pilot.information * np.median(np.diag(ratio))
    coefficients = _embedded(found.kept, found.estimate.coefficients)
    pull = pull_of_all(dynamics, field, coefficients, found.runs, found.estimate.states, cuts)
    right = information @ coefficients + pull
    return bool((_chosen(field, information, right, penalty, [found.kept], only=True) == found.kept).all())


def _moderate(runs, states):
    """Whether states are still nearer to the data than the data are to their mean."""
    squares, counts = misfit(runs, states)
    measured = counts > 0
    spread = sum(np.nanvar(run.measured[measured], axis=1) * np.sum(np.isfinite(run.measured[measured]), axis=1)
                 for run in runs)
    return bool((squares[measured] <= spread).all())


@np.errstate(all="ignore")               # at a pole; terms that are not finite are not kept
def _sizeable(dynamics, field, kept, coefficients, runs, states):
    """`kept` without terms so small that only rounding can have asked for them."""
    smaller = field.restricted(kept)
    squares, whole = np.zeros(smaller.size), np.zeros(smaller.equations)
    for run, x in zip(runs, states):
        by = dynamics.defects(smaller, coefficients, run, x).by_coefficient[dynamics.rows_of_equations(smaller, run)]
        parts = by[smaller.owner, np.arange(smaller.size)] * coefficients[:, None]
        squares += np.sum(parts**2, axis=1)
        np.maximum.at(whole, smaller.owner, squares)
    out = kept.copy()
    out[kept] = squares > LEAST_TERM_SHARE**2 * whole[smaller.owner]
    return out if field.ties is None else field.ties.kept_coefficients(field.ties.kept_numbers(out))


def _chosen(field, information, right, penalty, starts, only=False):
    """Mask of the best terms, those that are fixed among them; terms that come out with a wrong sign are none."""
    ties = field.ties
    if ties is None:
        return best_subset(information, right, penalty, starts=starts, only=only)
    S, b = ties.reduced(information, right)
    cost, masks, allowed = ties.of_numbers(penalty), [ties.kept_numbers(mask) for mask in starts], np.ones(ties.free, bool)
    while allowed.any():
        places, numbers = np.flatnonzero(allowed), np.zeros(ties.free)
        kept = best_subset(S[np.ix_(places, places)], b[places], cost[places], [mask[places] for mask in masks], only)
        chosen = places[kept]
        numbers[chosen] = least_squares_scaled(S[np.ix_(chosen, chosen)], b[chosen], ROUNDING)
        wrong = ties.wrong_signs(numbers) & (numbers != 0)
        if not wrong.any():
            break
        allowed &= ~wrong
    return ties.kept_coefficients(numbers != 0 if allowed.any() else allowed)


def _constrained(field, information, right, kept):
    """Coefficients of the kept terms when the others are zero."""
    information, right = information[np.ix_(kept, kept)], right[kept]
    if field.ties is None:
        return least_squares_scaled(information, right, ROUNDING)
    ties = field.ties.restricted(kept)
    return ties.coefficients(least_squares_scaled(*ties.reduced(information, right), ROUNDING) if ties.free else np.zeros(0))
