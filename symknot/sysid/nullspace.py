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

from dataclasses import dataclass

import numpy as np
import scipy.linalg

FLAT = 1e-3
"""Variances are never taken to be smaller than this share of their mean."""
REWEIGHTINGS = 3


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

    def columns(self, chosen):
        """Only some of the terms."""
        return Candidates(self.values[:, chosen], self.noise[:, :, chosen])


@dataclass(frozen=True, eq=False)
class Vanishing:
    """Combinations of candidate terms, the best first.

    Attributes
    ----------
    values : array
        Square root of lambda: how large each is, compared with what noise makes of a true equation.
    combinations : (m, k) array
    """

    values: np.ndarray
    combinations: np.ndarray


def square_root(covariance):
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


def vanishing(candidates, count=1, reweightings=REWEIGHTINGS, center=None):
    """The `count` best combinations; points are reweighted for the best one.

    Parameters
    ----------
    candidates : Candidates
    count : int
    reweightings : int
    center : callable, optional
        Takes values (n, m) and weights (n,) to values from which a mean has been taken off.

    Returns
    -------
    Vanishing
    """
    size = np.sqrt(np.mean(candidates.values**2, axis=0))
    size = np.where(size > 0, size, 1.0)
    values, noise = candidates.values / size, candidates.noise / size
    weights = np.full(len(values), 1.0)
    for turn in range(reweightings + 1):
        moved = values if center is None else center(values, weights)
        levels, combinations = _eigenpairs(moved, noise, weights, count)
        if turn < reweightings:
            variance = np.sum((noise @ combinations[:, 0]) ** 2, axis=1)
            weights = 1 / np.maximum(variance, FLAT * max(variance.mean(), np.finfo(float).tiny))
            weights /= weights.mean()
    return Vanishing(np.sqrt(levels), combinations / size[:, None])


def best_values(candidates, subsets):
    """The smallest value, all points counting alike, that each of some subsets of the terms can reach."""
    size = np.sqrt(np.mean(candidates.values**2, axis=0))
    size = np.where(size > 0, size, 1.0)
    squares, spread = _forms(candidates.values / size, candidates.noise / size, np.ones(len(candidates.values)))
    return tuple(float(np.sqrt(_smallest(squares[np.ix_(some, some)], spread[np.ix_(some, some)], 1)[0][0]))
                 for some in subsets)


def _eigenpairs(values, noise, weights, count):
    """Smallest lambda and their combinations, with noise of mean variance 1."""
    return _smallest(*_forms(values, noise, weights), count)


def _forms(values, noise, weights):
    """The two quadratic forms whose quotient is lambda."""
    rows = (noise * np.sqrt(weights)[:, None, None]).reshape(-1, values.shape[1])
    return (values * weights[:, None]).T @ values / weights.sum(), rows.T @ rows / weights.sum()


def _smallest(squares, spread, count):
    m = len(squares)
    # the constant has no noise and a combination may have no value: 1 / lambda is bounded from below, lambda is not
    for ridge in (1e-14, 1e-12, 1e-10):
        lifted = squares + ridge * np.trace(squares) / m * np.eye(m)
        try:
            inverse, combinations = scipy.linalg.eigh(spread, lifted, subset_by_index=[max(m - count, 0), m - 1])
            break
        except np.linalg.LinAlgError:              # terms that depend on each other to the last digit
            if ridge == 1e-10:
                raise
    inverse = np.maximum(inverse[::-1], np.finfo(float).tiny)
    return 1 / inverse, combinations[:, ::-1] * np.sqrt(1 / inverse)
