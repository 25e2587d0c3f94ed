"""Damped Gauss-Newton steps for all points at once: the numerical part that knotting strategies share.

The problem falls apart into one of size d for each point; they are solved together, in batches, with exact
derivatives, each with its own step length.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..ground.blocks import blocks
from ..ground.linalg import ROUNDING, SMALLEST_DIVISOR

Model = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]
"""Points and their places -> the objective at each point, and the step proposed from it."""

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


def descend(model: Model, start: np.ndarray, max_steps: int, tolerance: float = STEP_TOLERANCE) -> np.ndarray:
    """Minimise a separable objective by damped Gauss-Newton steps, all points at once.

    Parameters
    ----------
    model : callable
    start : (n, d) array
    max_steps : int
    tolerance : float
        A point rests when its step is shorter than this, in units of the data's spread.
    """
    result = np.array(start)
    for rows in blocks(len(result)):
        indices = np.arange(rows.start, rows.stop)
        result[rows] = _descend_block(model, result[rows], indices, max_steps, tolerance)
    return result


def _descend_block(model, z, rows, max_steps, tolerance):
    """Each point keeps its own step length: shortened when a step fails, lengthened when it succeeds."""
    best = z.copy()
    objective, step = model(z, rows)
    length = np.ones(len(z))
    active = np.arange(len(z))
    for _ in range(max_steps):
        moving = np.abs(step[active]).max(axis=1) * length[active] > tolerance
        active = active[moving & (length[active] > SHORTEST_STEP_LENGTH)]
        if not len(active):
            break
        trial = best[active] + length[active, None] * step[active]
        with np.errstate(over="ignore", invalid="ignore"):      # a step too far is refused, not reported
            tried, next_step = model(trial, rows[active])
        better = tried <= objective[active] * (1 + EQUAL_OBJECTIVE)
        length[active] = np.where(better, np.minimum(LENGTHENING * length[active], 1.0), length[active] / SHORTENING)
        won = active[better]
        best[won], objective[won] = trial[better], tried[better]
        step[won] = next_step[better]
    return best


def newton_step(gradient: np.ndarray, hessian: np.ndarray) -> np.ndarray:
    """Minus the inverse of each Hessian times its gradient."""
    return _bounded(-np.linalg.solve(hessian, gradient[:, :, None])[:, :, 0])


def damped_step(G: np.ndarray, dG: np.ndarray, away: np.ndarray, pull: float) -> np.ndarray:
    """Minimiser over the step of ``|G + J step|^2 + pull |away + step|^2``.

    With fewer equations than variables by way of the smaller system, in which a small
    pull costs no digits.
    """
    if G.shape[1] >= dG.shape[1]:
        return newton_step(applied(dG, G) + pull * away, gram(dG) + pull * np.eye(dG.shape[1]))
    at_anchor = G - (away[:, None, :] @ dG)[:, 0]
    inner = dG.transpose(0, 2, 1) @ dG + pull * np.eye(G.shape[1])
    return _bounded(-applied(dG, np.linalg.solve(inner, at_anchor[:, :, None])[:, :, 0]) - away)


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
    size = np.linalg.norm(step, axis=1, keepdims=True)
    return step * np.minimum(1.0, 1.0 / np.maximum(size, SMALLEST_DIVISOR))


def applied(slopes: np.ndarray, residual: np.ndarray) -> np.ndarray:
    """Sum over polynomials of slope times residual: (n, d, k), (n, k) -> (n, d)."""
    return (slopes @ residual[:, :, None])[:, :, 0]


def gram(slopes: np.ndarray) -> np.ndarray:
    """Products of the slopes, summed over the polynomials: (n, d, k) -> (n, d, d)."""
    return slopes @ slopes.transpose(0, 2, 1)
