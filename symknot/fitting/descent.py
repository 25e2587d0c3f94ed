"""Damped Gauss-Newton steps for all points at once: the numerical part that knotting strategies share.

The problem falls apart into one of size d for each point; they are solved together, in batches, with exact
derivatives, each with its own step length.  In memory the points lie along the last axis, so that each operation is one
pass over many of them: (n, d) arrays here are transposed views.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..ground.blocks import blocks
from ..ground.linalg import ROUNDING, SMALLEST_DIVISOR
from ..ground.threads import in_threads

Places = np.ndarray | slice
Model = Callable[[np.ndarray, Places], tuple[np.ndarray, np.ndarray]]
"""Points and their places (a slice where these follow each other) -> the objective at each point, and the step proposed."""

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
        return _descend_block(model, start[rows], rows, max_steps, tolerance)

    parts = blocks(len(start)) if parts is None else parts
    result, objective = np.array(start), np.empty(len(start))
    for rows, found in zip(parts, in_threads(block, parts)):
        result[rows], objective[rows] = found
    return result, objective


def _descend_block(model, start, rows, max_steps, tolerance):
    """Each point keeps its own step length: shortened when a step fails, lengthened when it succeeds."""
    best, heights = np.array(start.T, order="C"), np.empty(len(start))
    z, length, active, there = best, np.ones(len(start)), None, rows       # None: all of them are
    objective, step = model(z.T, there)
    step = np.ascontiguousarray(step.T)
    for _ in range(max_steps):
        moving = (np.abs(step).max(axis=0) * length > tolerance) & (length > SHORTEST_STEP_LENGTH)
        if not moving.all():
            _put(best, heights, active, z, objective)
            kept = np.flatnonzero(moving)
            if not len(kept):
                return best.T, heights
            z, step = z.take(kept, axis=1), step.take(kept, axis=1)
            objective, length = objective[kept], length[kept]
            active = kept if active is None else active[kept]
            there = active + rows.start
        trial = z + length * step
        with np.errstate(over="ignore", invalid="ignore"):      # a step too far is refused, not reported
            tried, next_step = model(trial.T, there)
        better = tried <= objective * (1 + EQUAL_OBJECTIVE)
        if better.all():
            length, z, objective = np.minimum(LENGTHENING * length, 1.0), trial, tried
            step = np.ascontiguousarray(next_step.T)
            continue
        length = np.where(better, np.minimum(LENGTHENING * length, 1.0), length / SHORTENING)
        z, objective, step = np.where(better, trial, z), np.where(better, tried, objective), np.where(better, next_step.T, step)
    _put(best, heights, active, z, objective)
    return best.T, heights


def _put(best, heights, active, z, objective):
    """Note where points have come to."""
    place = slice(None) if active is None else active
    best[:, place], heights[place] = z, objective


def newton_step(gradient: np.ndarray, hessian: np.ndarray) -> np.ndarray:
    """Minus the inverse of each Hessian times its gradient."""
    return _bounded(-np.linalg.solve(hessian, gradient[:, :, None])[:, :, 0])


def damped_step(G: np.ndarray, dG: np.ndarray, away: np.ndarray | None, pull: float) -> np.ndarray:
    """Minimiser over the step of ``|G + J step|^2 + pull |away + step|^2``; `away` None stands for zeros.

    With fewer equations than variables by way of the smaller system, in which a small
    pull costs no digits.
    """
    g, slopes = G.T, dG.transpose(1, 2, 0)
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
        return np.linalg.solve(systems.transpose(2, 0, 1), right.T[:, :, None])[:, :, 0].T
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
        x[:, lost] = np.linalg.solve(systems[:, :, lost].transpose(2, 0, 1), right.T[lost, :, None])[:, :, 0].T
    return x


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
    """Products of the slopes, summed over the polynomials: (n, d, k) -> (n, d, d)."""
    return slopes @ slopes.transpose(0, 2, 1)
