r"""The combination of candidate terms that vanishes best, measured in the noise that the data carry.

A combination :math:`g = \sum_k c_k m_k` of candidate terms, seen at a point whose noise has covariance
:math:`\Sigma_i`, has a value of variance :math:`v_i = c^T J_i^T \Sigma_i J_i c` if it is true, where
:math:`J_i` holds the terms' gradients.  So one minimises

.. math:: \lambda(c) = \frac{c^T \big(\sum_i w_i\, m(x_i) m(x_i)^T\big) c}
                            {c^T \big(\sum_i w_i\, J_i^T \Sigma_i J_i\big) c}

a generalised eigenproblem, whose value is close to 1 for a true equation and larger for all others.
The weights begin equal and then become :math:`w_i = 1 / v_i`, which counts every point by what it
says about this combination (renormalisation in the sense of Kanatani).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import scipy.linalg

from ...ground.linalg import SMALLEST_DIVISOR, column_sizes

VARIANCE_FLOOR = 1e-3
"""Variances of a combination are never taken to be smaller than this share of their mean: where a gradient vanishes,
one point would outweigh a thousand others."""
REWEIGHTINGS = 3
"""How often the points are reweighted.  A convention: a first guess needs no more."""
EIGEN_RIDGES = 1e-14, 1e-12, 1e-10
"""Shares of the mean square added to all of them, tried in turn: the first is below the rounding of sums over the
points, the last is needed where terms depend on each other."""


@dataclass(frozen=True, eq=False)
class Candidates:
    r"""Candidate terms at all points.

    Attributes
    ----------
    values : (n, m) array
    noise : (n, r, m) array
        :math:`L_i^T J_i` with :math:`\Sigma_i = L_i L_i^T`.
    """

    values: np.ndarray
    noise: np.ndarray

    def __post_init__(self):
        assert self.values.shape == self.noise.shape[::2]


@dataclass(frozen=True, eq=False)
class Vanishing:
    """The combination of candidate terms that vanishes best.

    Attributes
    ----------
    value : float
        Square root of lambda: how large it is, compared with what noise makes of a true equation.
    combination : (m,) array
    """

    value: float
    combination: np.ndarray


def square_root(covariance: np.ndarray) -> np.ndarray:
    """L with L L^T equal to each (semidefinite) covariance of a stack.

    Examples
    --------
    >>> L = square_root(np.array([[[4.0, 0.0], [0.0, 0.0]]]))
    >>> (L @ L.transpose(0, 2, 1)).tolist()
    [[[4.0, 0.0], [0.0, 0.0]]]
    """
    try:
        return np.linalg.cholesky(covariance)
    except np.linalg.LinAlgError:                     # singular: some variable has no noise
        values, vectors = np.linalg.eigh(covariance)
    return vectors * np.sqrt(np.maximum(values, 0))[:, None, :]


def vanishing(candidates: Candidates, reweightings: int = REWEIGHTINGS) -> Vanishing:
    """The best combination, with the points reweighted for it so many times.

    Parameters
    ----------
    candidates : Candidates
    reweightings : int

    Returns
    -------
    Vanishing
    """
    values, noise, size = _of_unit_size(candidates)
    weights = np.ones(len(values))
    for turn in range(reweightings + 1):
        level, combination = _smallest(*_forms(values, noise, weights))
        if turn < reweightings:
            variance = np.sum((noise @ combination) ** 2, axis=1)
            floor = VARIANCE_FLOOR * variance.mean()
            if floor <= SMALLEST_DIVISOR:                # exact data: all points count alike
                break
            weights = 1 / np.maximum(variance, floor)
            weights /= weights.mean()
    return Vanishing(float(np.sqrt(level)), combination / size)


def best_values(candidates: Candidates, subsets: Iterable[np.ndarray]) -> tuple[float, ...]:
    """The smallest value, all points counting alike, that each of some subsets of the terms can reach."""
    values, noise, _ = _of_unit_size(candidates)
    squares, spread = _forms(values, noise, np.ones(len(values)))
    return tuple(float(np.sqrt(_smallest(squares[np.ix_(some, some)], spread[np.ix_(some, some)])[0]))
                 for some in subsets)


def _of_unit_size(candidates):
    """Values and noise of the terms divided by their sizes, and these."""
    size = column_sizes(candidates.values)
    return candidates.values / size, candidates.noise / size, size


def _forms(values, noise, weights):
    """The two quadratic forms whose quotient is lambda."""
    rows = (noise * np.sqrt(weights)[:, None, None]).reshape(-1, values.shape[1])
    return (values * weights[:, None]).T @ values / weights.sum(), rows.T @ rows / weights.sum()


def _smallest(squares, spread):
    """The smallest lambda and its combination, whose noise has mean variance 1."""
    m = len(squares)
    # the constant has no noise and a combination may have no value: 1 / lambda is bounded from below, lambda is not
    for ridge in EIGEN_RIDGES:
        lifted = squares + ridge * np.trace(squares) / m * np.eye(m)
        try:
            inverse, combinations = scipy.linalg.eigh(spread, lifted, subset_by_index=[m - 1, m - 1])
            break
        except np.linalg.LinAlgError:              # terms that depend on each other to the last digit
            if ridge == EIGEN_RIDGES[-1]:
                raise
    level = 1 / max(inverse[0], np.finfo(float).tiny)
    return level, combinations[:, 0] * np.sqrt(level)
