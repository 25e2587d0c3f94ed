r"""Knots that tell classes apart: each sample should be nearer to a knot of its own class than to any other.

Let :math:`d^+` be the squared distance of a sample from the nearest knot of its class, :math:`d^-` that from the nearest knot
of another.  The share

.. math:: \mu = \frac{d^+ - d^-}{d^+ + d^-} \in [-1, 1] \tag{1}

is negative where the nearest knot is of the right class.  Knots z move downhill in

.. math:: E(z) = \frac1n \sum_i \sigma(\beta \mu_i), \qquad \sigma(t) = \frac1{1 + e^{-t}}, \tag{2}

the share of samples that the nearest knot puts into the wrong class, smoothed by :math:`\beta`: a knot does not move to where
it stops telling classes apart, and moves to where it tells them apart better.  With

.. math:: \frac{\partial \mu}{\partial d^+} = \frac{2 d^-}{(d^+ + d^-)^2}, \qquad
          \frac{\partial \mu}{\partial d^-} = \frac{-2 d^+}{(d^+ + d^-)^2} \tag{3}

only the two nearest knots of each sample are pushed.  A few steps are enough, and more would follow single samples.

A. Sato, K. Yamada, *Generalized learning vector quantization*, NIPS 8 (1996).
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.cluster import KMeans

from ..ground.blocks import blocks

STEPS = 30
"""Of the quasi-Newton method, at most: a convention.  Measured: test errors after 20, 50 and 100 steps are the same."""
SMALLEST_SQUARE = float(np.finfo(float).eps) ** 2
"""Squared distances, in units of the spread, that are nothing: derived, the rounding of a coordinate.  Where knots of two
classes are both at a sample, it tells them apart no better than that."""
STARTS = 3
"""Random starts of k-means, of which the best counts: a convention."""


def moved_apart(X: np.ndarray, codes: np.ndarray, knots: np.ndarray, labels: np.ndarray, steepness: float) -> np.ndarray:
    """Knots moved downhill in (2).

    Parameters
    ----------
    X : (n, d) array
    codes : (n,) int array
        Classes 0, 1, ... of the samples.
    knots : (K, d) array
    labels : (K,) int array
        Classes of the knots, ascending; at least two different ones, and all that are in `codes`.
    steepness : float
        The number beta in (2).

    Returns
    -------
    (K, d) array

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0], [20.0]])
    >>> bool(moved_apart(X, np.array([0, 0, 1, 1, 1]), np.array([[0.5], [8.3]]), np.array([0, 1]), 10.0).sum() < 4.0)
    True
    """
    unit = np.sqrt(np.mean((X - X.mean(axis=0)) ** 2)) or 1.0       # steps of the method are of size one
    center = X.mean(axis=0)
    X, start = (X - center) / unit, (knots - center) / unit
    ends = np.searchsorted(labels, np.arange(labels[-1] + 2))

    def error(flat: np.ndarray) -> tuple[float, np.ndarray]:
        value, slope, z = 0.0, np.zeros_like(start), flat.reshape(start.shape)
        for rows in blocks(len(X), len(z)):
            value += _add(X[rows], codes[rows], z, ends, steepness, slope)
        return value / len(X), slope.ravel() / len(X)

    found = minimize(error, start.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": STEPS})
    return center + unit * found.x.reshape(start.shape)


def _add(X, codes, z, ends, steepness, slope):
    """The sum in (2) over some samples; its slope is added to `slope`."""
    D = np.sum(X**2, axis=1)[:, None] - 2 * X @ z.T + np.sum(z**2, axis=1)
    parts = [slice(*pair) for pair in zip(ends[:-1], ends[1:])]
    nearest = np.column_stack([part.start + np.argmin(D[:, part], axis=1) for part in parts])
    every = np.arange(len(X))
    own = nearest[every, codes]
    others = np.where(np.arange(len(parts)) == codes[:, None], np.inf, np.take_along_axis(D, nearest, axis=1))
    other = nearest[every, np.argmin(others, axis=1)]
    near, far = np.maximum(D[every, own], 0.0), np.maximum(D[every, other], 0.0)
    both = np.maximum(near + far, SMALLEST_SQUARE)
    smooth = expit(steepness * (near - far) / both)
    push = 4 * steepness * smooth * (1 - smooth) / both         # times (3) and the slope 2 (z - x) of a squared distance
    np.add.at(slope, own, (push * (far / both))[:, None] * (z[own] - X))
    np.add.at(slope, other, (push * (-near / both))[:, None] * (z[other] - X))
    return float(smooth.sum())


def centroids(X: np.ndarray, count: int) -> np.ndarray:
    """So many centroids of points, by k-means; the points themselves where there are no more of them."""
    if count >= len(X):
        return X
    distinct = len(np.unique(X, axis=0))
    return KMeans(min(count, distinct), n_init=STARTS, random_state=0).fit(X).cluster_centers_


def without_idle(X: np.ndarray, codes: np.ndarray, knots: np.ndarray,
                 labels: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Knots that are the nearest of their class to some sample, their labels, and to how many samples each is.

    One that is the nearest to none can only draw samples of other classes to itself.
    """
    weights, center = np.zeros(len(knots)), X.mean(axis=0)
    for c in np.unique(labels):
        of_class = np.flatnonzero(labels == c)
        z, mine = knots[of_class] - center, X[codes == c] - center
        for rows in blocks(len(mine), len(z)):
            D = np.sum(z**2, axis=1) - 2 * mine[rows] @ z.T
            np.add.at(weights, of_class[np.argmin(D, axis=1)], 1.0)
    busy = weights > 0
    return knots[busy], labels[busy], weights[busy]
