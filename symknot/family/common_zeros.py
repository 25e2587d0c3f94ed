r"""Zeros that polynomials have in common near points: the question that the methods of the family leave open.

From each point x the least-squares problem

.. math:: \min_z \sum_i \bigl(g_i(z) / s_i\bigr)^2, \qquad s_i^2 = \frac1N \sum_{x} \|\nabla g_i(x)\|^2,

is descended by Gauss-Newton steps, each the shortest one (`symknot.fitting.descent`), so that z stays near x.  Divided
by its usual slope s_i, a value is a distance: what is left at the end is how far, in the data's units, z is from the
zeros of the polynomials.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..fitting.descent import descend, shortest_step
from ..ground.ranges import root_mean_squares

MOST_STEPS = 200
"""Gauss-Newton steps from a point: a convention; where zeros are simple a handful is enough."""
SHORTEST_STEP = 1e-14
"""Step, as a share of the data's spread, at which a descent ends: some fifty roundings of a double, for zeros to all digits."""

Evaluate = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
"""Points (n, d) -> values (n, k) and slopes (n, k, d)."""


class NearZeros(NamedTuple):
    """Where the descents ended.

    Attributes
    ----------
    points : (n, d) array
    moved : (n,) array
        Distance from where each began.
    left : (n,) array
        How far each still is from the zeros, in the data's units.
    """

    points: np.ndarray
    moved: np.ndarray
    left: np.ndarray


def slope_sizes(slopes: np.ndarray) -> np.ndarray:
    """Root-mean-square slope (n, k, d) -> (k,); 1 for a polynomial that has none."""
    sizes = np.sqrt(slopes.shape[2]) * root_mean_squares(slopes.transpose(0, 2, 1).reshape(-1, slopes.shape[1]))
    return np.where(sizes > 0, sizes, 1.0)


def near_zeros(evaluate: Evaluate, points: np.ndarray) -> NearZeros:
    """The common zeros to which descents from these points lead, or where they end without one.

    Examples
    --------
    >>> circle = lambda X: (np.sum(X**2, axis=1, keepdims=True) - 1, 2 * X[:, None, :])
    >>> found = near_zeros(circle, np.array([[0.0, 1.1], [1.8, 0.0]]))
    >>> found.points.round(6).tolist(), found.moved.round(6).tolist(), bool(found.left.max() < 1e-12)
    ([[0.0, 1.0], [1.0, 0.0]], [0.1, 0.8], True)
    """
    center = points.mean(axis=0)
    spread = float(np.sqrt(np.mean(np.sum((points - center) ** 2, axis=1)))) or 1.0
    sizes = slope_sizes(evaluate(points)[1])

    def inside(z):
        values, slopes = evaluate(center + spread * z)
        return values / (sizes * spread), slopes.transpose(0, 2, 1) / sizes

    def model(z, rows):
        G, dG = inside(z)
        bad = ~(np.isfinite(G).all(axis=1) & np.isfinite(dG).all(axis=(1, 2)))
        step = shortest_step(np.where(bad[:, None], 0.0, G), np.where(bad[:, None, None], 0.0, dG))
        return np.where(bad, np.inf, np.sum(G**2, axis=1)), step

    start = (points - center) / spread
    ended = descend(model, start, MOST_STEPS, SHORTEST_STEP)
    left = spread * np.sqrt(np.sum(inside(ended)[0] ** 2, axis=1))
    return NearZeros(center + spread * ended, spread * np.linalg.norm(ended - start, axis=1), left)
