"""Damped Gauss-Newton steps for all points at once: the numerical part that knotting strategies share.

The problem falls apart into one of size d for each point; they are solved together, in batches, with exact
derivatives, each with its own step length.  In memory the points lie along the last axis, so that each operation is one
pass over many of them: (n, d) arrays here are transposed views.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..ground.blocks import blocks
from ..ground.linalg import ROUNDING, SMALLEST_DIVISOR
from ..ground.threads import in_threads

Places = np.ndarray | slice
Model = Callable[[np.ndarray, Places], tuple[np.ndarray, ...]]
"""Points and their places (a slice where these follow each other) -> the objective at each point, the step proposed, and, if it
is to be known in the end, what else is known of each point, as rows (., n)."""

EQUAL_OBJECTIVE = 1e-14
"""Relative rise of an objective that counts as none: some 50 roundings of a double."""
SHORTEST_STEP_LENGTH = 1e-8
"""Share of a proposed step below which a point has come to rest: about the root of a double's precision."""
LENGTHENING = 2.0
"""Factor of a step length after a step that succeeded, up to 1: a convention."""
SHORTENING = 4.0
"""Divisor of a step length after one that failed: a convention; one failure outweighs two successes."""
STEP_TOLERANCE = 1e-9
"""Step, in units of the data's spread, below which a point rests where nothing else is asked for: the default delta."""
FEWEST_MOVING = 0.5
"""Share of a block's points that still move from which on those that rest are taken along.  Measured: to pick out what is known
of each point takes as long as two evaluations of an equation in two variables."""
MOST_TOGETHER = 8
"""Unknowns of a point up to which systems are eliminated for all points at once, entry by entry, not by LAPACK for one after
the other: a convention; passes over all points grow as the cube of the unknowns."""


def descend(model: Model, start: np.ndarray, max_steps: int, tolerance: float = STEP_TOLERANCE,
            parts: list[slice] | None = None) -> np.ndarray:
    """Minimise a separable objective by damped Gauss-Newton steps, all points at once.

    Parameters
    ----------
    model : callable
    start : (n, d) array
    max_steps : int
    tolerance : float
        A point rests when its step is shorter than this, in units of the data's spread.
    parts : list of slice, optional
        Points that are treated together; by default `ground.blocks.blocks`.
    """
    return descent(model, start, max_steps, tolerance, parts)[0]


def descent(model: Model, start: np.ndarray, max_steps: int, tolerance: float = STEP_TOLERANCE,
            parts: list[slice] | None = None) -> tuple[np.ndarray, np.ndarray]:
    """The same, and the objective that each point has come to."""
    def block(rows):
        found = descend_block(model, start[rows], rows, max_steps, tolerance)
        return found.points, found.objective

    return joined(block, start, parts)


def joined(block: Callable[[slice], tuple[np.ndarray, np.ndarray]], start: np.ndarray,
           parts: list[slice] | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Points and objectives of all blocks of points, in threads."""
    parts = blocks(len(start)) if parts is None else parts
    result, objective = np.array(start), np.empty(len(start))
    for rows, found in zip(parts, in_threads(block, parts)):
        result[rows], objective[rows] = found
    return result, objective


class Descended(NamedTuple):
    """Where points (n, d) have come to, the objective there, and what the model says is known there."""

    points: np.ndarray
    objective: np.ndarray
    known: np.ndarray | None


def descend_block(model: Model, start: np.ndarray, rows: slice, max_steps: int, tolerance: float = STEP_TOLERANCE,
                  first: tuple[np.ndarray, ...] | None = None) -> Descended:
    """One block; each point keeps its own step length: shortened when a step fails, lengthened when it succeeds.

    `first` is what the model says at the start, where that is there already.
    """
    best = np.array(start.T, order="C")
    z, length, active, resting, there = best, None, None, None, rows       # None: whole steps, all of them, no one
    objective, step, *known = model(z.T, there) if first is None else first
    step, heights, ends = np.ascontiguousarray(step.T), np.empty(len(start)), None
    for _ in range(max_steps):
        moving = _moving(step, length, resting, tolerance)
        count = np.count_nonzero(moving)
        if count <= FEWEST_MOVING * len(moving):
            ends = _put(best, heights, ends, active, (z, objective, *known))
            if not count:
                return Descended(best.T, heights, ends)
            kept = np.flatnonzero(moving)
            z, step, objective = z.take(kept, axis=1), step.take(kept, axis=1), objective[kept]
            length, known = None if length is None else length[kept], [rows.take(kept, axis=1) for rows in known]
            active, resting = kept if active is None else active[kept], None
            there = active + rows.start
        elif count < len(moving):                                   # few rest: they are taken along, where they are
            resting = ~moving
            step[:, resting] = 0.0
        trial = z + (step if length is None else length * step)
        with np.errstate(over="ignore", invalid="ignore"):      # a step too far is refused, not reported
            tried, next_step, *next_known = model(trial.T, there)
        better = tried <= objective * (1 + EQUAL_OBJECTIVE)
        if better.all():
            length = None if length is None else np.minimum(LENGTHENING * length, 1.0)
            z, objective, known = trial, tried, next_known
            step = np.ascontiguousarray(next_step.T)
            continue
        length = np.ones(z.shape[1]) if length is None else length
        length = np.where(better, np.minimum(LENGTHENING * length, 1.0), length / SHORTENING)
        z, objective, step = np.where(better, trial, z), np.where(better, tried, objective), np.where(better, next_step.T, step)
        known = [np.where(better, new, old) for new, old in zip(next_known, known)]
    return Descended(best.T, heights, _put(best, heights, ends, active, (z, objective, *known)))


def _moving(step, length, resting, tolerance):
    """Which points go on; those that rest do so for good."""
    reach = np.abs(step).max(axis=0)
    if length is None:
        moving = reach > tolerance
    else:
        moving = (reach * length > tolerance) & (length > SHORTEST_STEP_LENGTH)
    return moving if resting is None else moving & ~resting


def _put(best, heights, ends, active, come_to):
    """Note where points have come to, and what is known there."""
    place = slice(None) if active is None else active
    best[:, place], heights[place] = come_to[:2]
    for known in come_to[2:]:
        ends = np.empty((len(known), best.shape[1])) if ends is None else ends
        ends[:, place] = known
    return ends


def newton_step(gradient: np.ndarray, hessian: np.ndarray) -> np.ndarray:
    """Minus the inverse of each Hessian times its gradient."""
    return _bounded(-_one_by_one(hessian, gradient))


def damped_step(G: np.ndarray, dG: np.ndarray, away: np.ndarray | None, pull: float) -> np.ndarray:
    """Minimiser over the step of ``|G + J step|^2 + pull |away + step|^2``; `away` None stands for zeros.

    With fewer equations than variables by way of the smaller system, in which a small
    pull costs no digits.
    """
    g, slopes = G.T, dG.transpose(1, 2, 0)
    if len(g) == 1 < len(slopes):
        return _bounded(_damped_step_of_one(g[0], slopes[:, 0], None if away is None else away.T, pull).T)
    if len(g) >= len(slopes):
        system = _diagonal_raised(np.einsum("ikn,jkn->ijn", slopes, slopes), pull)
        downhill = np.einsum("ikn,kn->in", slopes, g)
        return _bounded(-solved(system, downhill if away is None else downhill + pull * away.T).T)
    inner = _diagonal_raised(np.einsum("jkn,jln->kln", slopes, slopes), pull)
    at_anchor = g if away is None else g - np.einsum("jn,jkn->kn", away.T, slopes)
    step = np.einsum("jkn,kn->jn", slopes, solved(inner, at_anchor))
    np.negative(step, out=step)
    if away is not None:
        step -= away.T
    return _bounded(step.T)


def _damped_step_of_one(g, slope, away, pull):
    """The same for one equation, of which there is one more often than not: the system is a number."""
    size = np.einsum("dn,dn->n", slope, slope)
    size += pull
    left = -g if away is None else np.einsum("dn,dn->n", away, slope) - g
    left /= size
    step = slope * left
    if away is not None:
        step -= away
    return step


def _diagonal_raised(systems, pull):
    for i in range(len(systems)):
        systems[i, i] += pull
    return systems


def solved(systems: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Solutions (m, n) of n positive definite systems (m, m, n) of m equations.

    Examples
    --------
    >>> two = np.array([[[2.0, 4.0], [1.0, 0.0]], [[1.0, 0.0], [3.0, 5.0]]])
    >>> solved(two, np.array([[3.0, 8.0], [4.0, 5.0]])).round(12).tolist()
    [[1.0, 2.0], [1.0, 1.0]]
    """
    m = len(right)
    if m == 1:
        return right / systems[0]
    if m > MOST_TOGETHER:
        return _one_by_one(systems.transpose(2, 0, 1), right.T).T
    root, pivots, x = np.empty_like(systems), np.empty_like(right), np.array(right)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        for j in range(m):                           # systems = root @ diag(pivots) @ root.T
            pivots[j] = systems[j, j] - sum(root[j, i] ** 2 * pivots[i] for i in range(j))
            for r in range(j + 1, m):
                root[r, j] = (systems[r, j] - sum(root[r, i] * root[j, i] * pivots[i] for i in range(j))) / pivots[j]
        for j in range(1, m):
            x[j] -= sum(root[j, i] * x[i] for i in range(j))
        x /= pivots
        for j in range(m - 2, -1, -1):
            x[j] -= sum(root[i, j] * x[i] for i in range(j + 1, m))
    lost = np.flatnonzero(~(pivots > 0).all(axis=0))                # rounding has eaten a pivot
    if len(lost):
        x[:, lost] = _one_by_one(systems[:, :, lost].transpose(2, 0, 1), right.T[lost]).T
    return x


def _one_by_one(systems, right):
    """Solutions (n, m) of symmetric systems (n, m, m), with pivots, whatever the others are; see `_shortest`."""
    try:
        return np.linalg.solve(systems, right[:, :, None])[:, :, 0]
    except np.linalg.LinAlgError:
        return np.array([_shortest(*pair) if len(systems) == 1 else _one_by_one(*pair)[0]
                         for pair in zip(systems[:, None], right[:, None])])


def _shortest(system, right):
    """Of a system that rounding has left singular: the shortest solution, in units in which its diagonal is 1."""
    diagonal = np.diagonal(system[0])
    sizes = np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    scaled = system[0] / sizes / sizes[:, None]
    if not np.isfinite(scaled).all():
        return np.full(len(sizes), np.nan)
    return np.linalg.pinv(scaled, rcond=ROUNDING, hermitian=True) @ (right[0] / sizes) / sizes


def shortest_step(G: np.ndarray, dG: np.ndarray) -> np.ndarray:
    """Shortest minimiser over the step of ``|G + J step|^2``, whatever the rank of J.

    Examples
    --------
    >>> parallel = np.array([[[1.0, 2.0], [0.0, 0.0]]])
    >>> (shortest_step(np.array([[0.5, 1.0]]), parallel).round(12) + 0.0).tolist()
    [[-0.5, 0.0]]
    """
    return _bounded(-applied(np.linalg.pinv(dG.transpose(0, 2, 1), rcond=ROUNDING), G))


def _bounded(step):
    """Steps no longer than the data's spread."""
    if step.size and max(float(step.max()), -float(step.min())) * step.shape[1] < 1:
        return step
    size = np.sqrt(np.sum(step**2, axis=1, keepdims=True))
    return step * np.minimum(1.0, 1.0 / np.maximum(size, SMALLEST_DIVISOR))


def applied(slopes: np.ndarray, residual: np.ndarray) -> np.ndarray:
    """Sum over polynomials of slope times residual: (n, d, k), (n, k) -> (n, d)."""
    return (slopes @ residual[:, :, None])[:, :, 0]


def gram(slopes: np.ndarray) -> np.ndarray:
    """Products of the slopes, summed over the polynomials: (n, d, k) -> (n, d, d), or (1, d, d) where all points have one
    array (`np.broadcast_to`), as of linear polynomials."""
    slopes = slopes[:1] if len(slopes) and not slopes.strides[0] else slopes
    return slopes @ slopes.transpose(0, 2, 1)
