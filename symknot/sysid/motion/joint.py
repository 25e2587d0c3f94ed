r"""States and coefficients estimated together: data knots that satisfy the equations of motion.

Measured are :math:`y_i = x_i + e_i` with noise of covariance :math:`\Sigma` (diagonal).  Sought are the
states nearest to the data, and the coefficients c, for which all defects vanish:

.. math:: \min_{x, c} \sum_i (y_i - x_i)^T \Sigma^{-1} (y_i - x_i)
          \quad\text{subject to}\quad r_i(x_i, x_{i+1}; c) = 0 .

For Gaussian noise this is the maximum-likelihood estimate; every state is an unknown of its own,
so chaotic runs of any length are harmless.  One step of Gauss and Newton linearises
:math:`r + E\,\delta x + D\,\delta c = 0`.  With the multipliers :math:`\lambda`,

.. math:: M \lambda = b + D\,\delta c, \quad M = E \Sigma E^T, \quad b = r + E (y - x), \quad
          \delta x = y - x - \Sigma E^T \lambda, \quad D^T \lambda = 0 ,

where M is banded and positive definite.  So :math:`S\,\delta c = -D^T M^{-1} b` with
:math:`S = D^T M^{-1} D`: the Fisher information of the coefficients, states marginalised.
States that are not measured (velocities, points between samples) get a wide variance around
their present value instead.

Added to the diagonal of M, a *slack* allows the defects a variance: lowering it step by step leads through
strongly nonlinear problems.  Where states still jump about when it has come to zero (at a fold of a chaotic map
noise may leave it open from where the state came), the run is *cut*: that defect is given up, all others hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy.linalg
from scipy.linalg.lapack import dtbtrs

from ...ground.deadline import look
from ...ground.linalg import column_sizes, solve_scaled
from .dynamics import Dynamics
from .fields import Field
from .measurements import Measurements
from .relations import with_relations

LEAST_BLOCKWISE = 1000
"""Right sides times width of the band from which on columns are solved for in blocks, as products of matrices, instead of
one after the other.  Measured: with 16 states and 100 columns a third of the time, with 3 states no less."""
SMALLEST_BLOCK = 64
"""Rows of such blocks, at least: a call of the linear algebra costs less than they do."""
CUT_VARIANCE = 1e8
"""Variance of a defect that was given up, in units of the noise's: ten thousand noises are no constraint, and M keeps
its digits."""
UNMEASURED_SIZES = 100.0
"""Standard deviation given to states that are not measured, in units of their size: free for all purposes ..."""
UNMEASURED_NOISES = 1e5
"""... but at most so many times the noise of the others, which must not be lost beside it in rounding: its square, the
ratio of variances in M, leaves six digits."""
BETWEEN_NOISES, BETWEEN_SIZES = 1e3, 0.1
"""Where all states are measured at other times, so many noises, or this share of its size if that is more: with 1e5 noises the
ridge of M, added up over steps that are divided into sixteen, let states wander by more than the noise, and what was
estimated on short steps fitted better (measured: by 25 units of chi-square with 600 measurements)."""
BAND_RIDGE = 1e-13
"""Added to the diagonal of M, relative to it: the rounding of the sums in it."""
SETTLED_COEFFICIENTS = 1e-2
"""Steps end when they move coefficients by less than this share of a standard error ..."""
SETTLED_STATES = 0.03
"""... and states by less than this share of the noise: both too small to be seen in any result."""
FULL_STEPS = 5
"""Steps that are taken in full; later ones are halved, which ends a swing to and fro, and states that still move more
than most are cut off.  Measured on the systems of `tests.benchmarks.sysid` and the fresh ones: of 107 estimates that
converged 84 did so within five steps."""
LATER_STEP_SHARE = 0.5
"""Of a step after these."""
MOST_STEPS = 40
"""Steps in all: of the same estimates all but one were done after 16, and that one after 33."""
CUT_MOVE = 0.1
"""States are cut off that still move by more than this share of the noise ..."""
CUT_MOVE_SHARE = 0.3
"""... and more than this share of the largest move: others may merely follow the coefficients, which these make
swing."""
LARGEST_LAST_MOVE = 1.0
"""Once the coefficients are at rest, states that move by less than this many noises may be cut off as the last ones."""


@dataclass(frozen=True, eq=False)
class Estimate:
    """Coefficients and states at which the estimate stands.

    Attributes
    ----------
    coefficients : (P,) array
    states : tuple of (s, N) arrays
    information : (P, P) array
        S; its inverse is the covariance of the coefficients.
    pull : (P,) array
        Minus the gradient: S times the step that the linearised problem asks for.
    converged : bool
    cuts : tuple of bool arrays
        For each run, the defects that were given up.
    """

    coefficients: np.ndarray
    states: tuple[np.ndarray, ...]
    information: np.ndarray
    pull: np.ndarray
    converged: bool
    cuts: tuple[np.ndarray, ...]


def misfit(runs: Sequence[Measurements], states: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Sum of squares of measured minus estimated states, in the unit of all runs' noise, and their number, for each state."""
    squares = np.zeros(len(states[0]))
    counts = np.zeros(len(states[0]), dtype=int)
    for run, x in zip(runs, states):
        off = run.measured - x
        even = off**2 if run.uneven is None else off**2 / run.uneven
        squares += np.nansum(even, axis=1) / (1.0 if run.relative is None else run.relative)
        counts += np.sum(np.isfinite(off), axis=1)
    return squares, counts


def gauss_newton_step(dynamics: Dynamics, field: Field, coefficients: np.ndarray, runs: Sequence[Measurements],
                      states: Sequence[np.ndarray], cuts: Sequence[np.ndarray],
                      slack: float = 0.0) -> tuple[list[np.ndarray], np.ndarray, np.ndarray, np.ndarray]:
    """The step of the linearised problem: changes of states and coefficients, S and the pull."""
    P = field.size
    information, pull, kept = np.zeros((P, P)), np.zeros(P), []
    for run, x, cut in zip(runs, states, cuts):
        look(x.size * P * (P + len(x)))
        defects = _defects(dynamics, field, coefficients, run, x)
        target, variance = _targets(run, x)
        factor = _factor(defects.blocks, variance, _allowed(defects, run, cut, slack))
        # with M = L L^T only L^-1 [b, D] is needed of all the columns
        half = _half_solved(factor, _at_target(defects, target - x), defects.by_coefficient)
        information += half[:, 1:].T @ half[:, 1:]
        pull -= half[:, 1:].T @ half[:, 0]
        kept.append((defects.blocks, target - x, variance, factor, half))
    change = solve_scaled(information, pull) if field.ties is None else field.ties.step(information, pull)
    moves = []
    for blocks, move, variance, factor, half in kept:
        s, n = len(blocks[0]), blocks[0].shape[2]
        multipliers = _solved(factor, half[:, :1] + half[:, 1:] @ change[:, None], "T").reshape(n, s).T
        for k, block in enumerate(blocks):
            move[:, k: k + n] -= variance[:, k: k + n] * np.einsum("ijn,in->jn", block, multipliers)
        moves.append(move)
    return moves, change, information, pull


def half_solved_columns(dynamics: Dynamics, field: Field, runs: Sequence[Measurements], states: Sequence[np.ndarray],
                        cuts: Sequence[np.ndarray]) -> np.ndarray:
    """Of all runs below each other L^-1 [b, D], M = L L^T: the squares of combinations of the columns are misfits."""
    parts = []
    for run, x, cut in zip(runs, states, cuts):
        defects = _defects(dynamics, field, np.zeros(field.size), run, x)
        target, variance = _targets(run, x)
        factor = _factor(defects.blocks, variance, _allowed(defects, run, cut))
        parts.append(_half_solved(factor, _at_target(defects, target - x), defects.by_coefficient))
    return np.vstack(parts)


def pull_of_all(dynamics: Dynamics, field: Field, coefficients: np.ndarray, runs: Sequence[Measurements],
                states: Sequence[np.ndarray], cuts: Sequence[np.ndarray]) -> np.ndarray:
    """The pull alone: how the data would move every coefficient of `field`, also those that are zero."""
    pull = np.zeros(field.size)
    for run, x, cut in zip(runs, states, cuts):
        defects = _defects(dynamics, field, coefficients, run, x)
        target, variance = _targets(run, x)
        pull -= _pull(run, defects, _at_target(defects, target - x), variance, cut)
    return pull


def _defects(dynamics, field, coefficients, run, states):
    """Those of the equations of motion, then those of the relations."""
    defects = dynamics.defects(field, coefficients, run, states)
    return with_relations(defects, run.relations, states, run.variance) if run.relations else defects


def _pull(run, defects, b, variance, cut):
    """D^T M^-1 b."""
    factor = _factor(defects.blocks, variance, _allowed(defects, run, cut))
    solved = _solved(factor, _solved(factor, b.T.reshape(-1, 1), "N"), "T")
    return np.einsum("spn,ns->p", defects.by_coefficient, solved.reshape(-1, len(b)))


def multipliers(dynamics: Dynamics, field: Field, coefficients: np.ndarray, run: Measurements, states: np.ndarray,
                cut: np.ndarray) -> np.ndarray:
    """Of the defects of one run, (s, n): M^-1 b."""
    defects = _defects(dynamics, field, coefficients, run, states)
    target, variance = _targets(run, states)
    factor = _factor(defects.blocks, variance, _allowed(defects, run, cut))
    b = _at_target(defects, target - states)
    return _solved(factor, _solved(factor, b.T.reshape(-1, 1), "N"), "T").reshape(-1, len(b)).T


def no_cuts(dynamics: Dynamics, runs: Sequence[Measurements]) -> tuple[np.ndarray, ...]:
    """Masks that cut no run."""
    return tuple(np.zeros(run.measured.shape[1] - dynamics.reach, dtype=bool) for run in runs)


def estimate(dynamics: Dynamics, field: Field, coefficients: np.ndarray, runs: Sequence[Measurements],
             states: Sequence[np.ndarray], slacks: Sequence[float] = (), cuts: Sequence[np.ndarray] | None = None,
             most_steps: int = MOST_STEPS) -> Estimate:
    """Iterate from a first guess until nothing moves any more.

    Parameters
    ----------
    dynamics : Dynamics
    field : Field
    coefficients : (P,) array
    runs : sequence of Measurements
    states : sequence of (s, N) arrays
    slacks : sequence of float
        Variances of the defects in the first steps, in units of the noise's; afterwards 0.
    cuts : sequence of bool arrays, optional
        Defects given up from the start.
    most_steps : int

    Returns
    -------
    Estimate
    """
    cuts = no_cuts(dynamics, runs) if cuts is None else tuple(cuts)
    here = Estimate(coefficients, tuple(states), np.zeros((field.size,) * 2), np.zeros(field.size), False, cuts)
    for turn, slack in enumerate([*slacks, *[0.0] * most_steps], start=-len(slacks)):
        try:
            with np.errstate(all="ignore"):
                moves, change, information, pull = gauss_newton_step(
                    dynamics, field, here.coefficients, runs, here.states, cuts, slack)
        except (np.linalg.LinAlgError, ValueError):
            return here
        if not all(np.isfinite(part).all() for part in (*moves, change)):
            return here
        share = 1.0 if turn < FULL_STEPS else LATER_STEP_SHARE
        here = Estimate(here.coefficients + share * change,
                        tuple(x + share * move for x, move in zip(here.states, moves)), information, pull, False, cuts)
        sizes = [_in_noise(run, move) for run, move in zip(runs, moves)]
        quiet = change @ information @ change <= SETTLED_COEFFICIENTS**2 * max(len(change), 1)
        if turn >= 0 and quiet and max(size.max() for size in sizes) <= SETTLED_STATES:
            return replace(here, converged=True)
        if turn >= FULL_STEPS:
            limit = max(CUT_MOVE, CUT_MOVE_SHARE * max(size.max() for size in sizes))
            cuts = tuple(cut | _involved(size > limit, dynamics.reach) for cut, size in zip(cuts, sizes))
            if sum(cut.sum() for cut in cuts) > dynamics.largest_cut_share * sum(map(len, cuts)):
                return here
            if turn > FULL_STEPS and quiet and limit <= LARGEST_LAST_MOVE:     # what still moves has just been cut off
                return replace(here, converged=True, cuts=cuts)
    return here


def _in_noise(run, move):
    """The largest move of each measured state, in units of the noise."""
    size = np.abs(move) / np.sqrt(run.variances)
    return np.where(np.isfinite(run.measured), size, 0.0).max(axis=0)


def _involved(chosen, reach):
    """Defects in which chosen states take part."""
    places = np.flatnonzero(chosen)
    mask = np.zeros(len(chosen) - reach, dtype=bool)
    for offset in range(reach + 1):
        shifted = places - offset
        mask[shifted[(shifted >= 0) & (shifted < len(mask))]] = True
    return mask


def _targets(run, states):
    """Where each state is drawn to, and with which variance."""
    missing = ~np.isfinite(run.measured)
    variance = run.variances
    if not missing.any():
        return run.measured, variance
    seen = ~missing.all(axis=1)
    size = column_sizes(states.T)
    noise = float(np.max((np.sqrt(run.variance) / size)[seen]))
    most = min(UNMEASURED_SIZES, UNMEASURED_NOISES * noise)
    if seen.all():                             # where a state is hidden the others may have far to go between their samples
        most = min(most, max(BETWEEN_SIZES, BETWEEN_NOISES * noise))
    wide = (most * size)[:, None] ** 2
    return np.where(missing, states, run.measured), np.where(missing, wide, variance)


def _at_target(defects, to_target):
    """The linearised defects with all states at their targets."""
    n = defects.values.shape[1]
    b = defects.values.copy()
    for k, block in enumerate(defects.blocks):
        b += np.einsum("ijn,jn->in", block, to_target[:, k: k + n])
    return b


def _half_solved(factor, b, by_coefficient):
    """L^-1 [b, D]; rows run over points, then states."""
    s, P, n = by_coefficient.shape
    right = np.empty((n, s, P + 1))
    right[:, :, 0] = b.T
    right[:, :, 1:] = by_coefficient.transpose(2, 0, 1)
    right = right.reshape(n * s, P + 1)
    if (len(factor) - 1) * (P + 1) < LEAST_BLOCKWISE:
        return _solved(factor, np.asfortranarray(right), "N")
    return _half_solved_in_blocks(factor, right)


def _half_solved_in_blocks(factor, right):
    """L^-1 times many columns, which are overwritten: the same as `_solved`, as products of small matrices."""
    width = len(factor) - 1
    size = max(width, SMALLEST_BLOCK)
    row, column = np.tril_indices(size)
    row, column = row[row - column <= width], column[row - column <= width]
    back, place = np.nonzero(np.subtract.outer(np.arange(width), np.arange(-width, 0)) <= width)    # columns before a block
    within, across = np.zeros((size, size)), np.zeros((width, width))
    for first in range(0, len(right), size):
        m = min(size, len(right) - first)
        mine = right[first: first + m]
        if first:
            inside = back < m
            across[back[inside], place[inside]] = factor[(back + width - place)[inside], first - width + place[inside]]
            mine[:width] -= across[: min(m, width)] @ right[first - width: first]
        inside = row < m
        within[row[inside], column[inside]] = factor[(row - column)[inside], first + column[inside]]
        mine[:] = scipy.linalg.solve_triangular(within[:m, :m], mine, lower=True, check_finite=False)
    return right


def _solved(factor, right, transposed):
    """Solution with the banded factor ("N") or its transpose ("T")."""
    solution, failed = dtbtrs(factor, right, uplo="L", trans=transposed)
    if failed:
        raise np.linalg.LinAlgError("singular factor")
    return solution


def _allowed(defects, run, cut, slack=0.0):
    """Variance that each defect is allowed, (points, defects)."""
    scale = run.variance if defects.scale is None else defects.scale
    return np.outer(slack + CUT_VARIANCE * cut, scale) + (0.0 if defects.allowed is None else defects.allowed)


def _factor(blocks, variance, allowed):
    """Cholesky factor of M, in bands; `allowed` (points, states) is added to its diagonal."""
    s, n, L = len(blocks[0]), blocks[0].shape[2], len(blocks)
    bands = np.zeros((L * s, n * s))
    for offset in range(min(L, n)):
        m = n - offset
        part = sum(np.einsum("ijn,kjn->ikn", blocks[k][:, :, offset:] * variance[None, :, offset + k: offset + k + m],
                             blocks[k + offset][:, :, :m]) for k in range(L - offset))
        for row in range(s):
            for column in range(s if offset else row + 1):
                bands[offset * s + row - column, column: m * s: s] = part[row, column]
    bands[0] += BAND_RIDGE * bands[0] + allowed.ravel()
    return scipy.linalg.cholesky_banded(bands, lower=True, overwrite_ab=True, check_finite=False)


def discretization_shift(dynamics: Dynamics, field: Field, estimate: Estimate, runs: Sequence[Measurements]) -> float:
    """How far steps of this length move the coefficients, in standard errors (root mean square).

    The defects' own error (`Dynamics.step_errors`) is put through the linearised estimate.
    """
    pull = np.zeros(field.size)
    for run, x, cut in zip(runs, estimate.states, estimate.cuts):
        defects = _defects(dynamics, field, estimate.coefficients, run, x)
        with np.errstate(all="ignore"):
            error = dynamics.step_errors(field, estimate.coefficients, run, x)
        if not np.isfinite(error).all():
            return np.inf
        error = np.vstack([error, np.zeros((len(defects.values) - len(error), error.shape[1]))])      # relations have none
        pull -= _pull(run, defects, error, _targets(run, x)[1], cut)
    information = estimate.information
    change = solve_scaled(information, pull) if field.ties is None else field.ties.step(information, pull)
    return float(np.sqrt(max(change @ information @ change, 0) / max(field.size, 1)))
