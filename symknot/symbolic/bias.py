r"""What bending does to an equation's coefficients beyond the first order.

The fit takes the mean effect of noise along a bent variety off its residuals to the order :math:`\sigma^2`
(`fitting.revision`).  What is left is of order :math:`\sigma^4` and does not shrink as points are added, while standard
errors do.  Its size is the mean of the estimating equations

.. math:: \psi_a(x) = m_a(z) \, \frac{\nabla g(z) \cdot (x - z) - s(z)}{\sigma^2 (|\nabla g|^2 + \tfrac12 \sigma^2 |H|^2)},
          \qquad x = z_i + \sigma e,

over noise e around the knots :math:`z_i`, where z is the point of the variety nearest to x and s the mean effect that the
fit takes off; multiplied by the covariance it is a shift of the coefficients.  The mean is a cubature that is exact for
polynomials of degree 5 in e (Stroud's formula with 2 d^2 + 1 nodes), so everything of order :math:`\sigma^4` is in it.  The
knots stand for the true points, which changes it to order :math:`\sigma^6`.

The shift is not taken off: it counts as a random error with itself as its standard deviation.  Measured on 50,000 points
of two ellipses with 5 % noise it was a third to a half of the true one: an order of magnitude, not a correction.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np

from ..fitting.joint_rows import BENDING_WEIGHT
from ..ground.linalg import SMALLEST_DIVISOR, svd

NODES = 2000
"""Points, about, over which the mean is taken: knots times nodes.  A convention; how well the mean is
then known was not measured."""
FEWEST_KNOTS = 50
"""Knots, at least, over which it is taken: a convention."""
PROJECTION_STEPS = 4
"""Steps to the nearest point of the variety, each onto the tangent plane of the last place: each leaves a share that is
about the distance over the radius of bending, so four leave little where noise is a fifth of it or less.  A
convention."""

Polynomial = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
"""Points -> values and slopes of one polynomial."""


def gaussian_nodes(d: int) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and weights whose sums are means over standard normal vectors, for polynomials of degree 5 and less.

    Examples
    --------
    >>> nodes, weights = gaussian_nodes(3)
    >>> f"{weights @ nodes[:, 0] ** 4:.6f} {weights @ (nodes[:, 0] * nodes[:, 2]) ** 2:.6f}"
    '3.000000 1.000000'
    """
    unit = np.eye(d)
    pairs = [a * unit[i] + b * unit[j] for i, j in combinations(range(d), 2) for a in (1, -1) for b in (1, -1)]
    nodes = [np.zeros((1, d)), np.sqrt(d + 2) * np.vstack([unit, -unit]),
             np.sqrt((d + 2) / 2) * np.reshape(pairs, (-1, d))]
    weights = [2 / (d + 2), (4 - d) / (2 * (d + 2) ** 2), 1 / (d + 2) ** 2]
    return np.vstack(nodes), np.concatenate([np.full(len(part), weight) for part, weight in zip(nodes, weights)])


def mean_scores(polynomial: Polynomial, monomials: Callable[[np.ndarray], np.ndarray], knots: np.ndarray,
                weights: np.ndarray, noise: float) -> np.ndarray:
    """Mean over noise of the estimating equations, summed over the knots.

    Parameters
    ----------
    polynomial : callable
        Values and slopes of the equation.
    monomials : callable
        Values of the monomials whose coefficients are estimated.
    knots, weights : array
        In variables in which noise is isotropic.
    noise : float

    Returns
    -------
    (p,) array
    """
    nodes, shares = gaussian_nodes(knots.shape[1])
    every = max(len(knots) // max(NODES // len(nodes), FEWEST_KNOTS), 1)
    chosen, left = knots[::every], weights[::every] * (weights.sum() / weights[::every].sum())
    total = 0.0
    together = max(NODES // len(chosen), 1)
    for first in range(0, len(nodes), together):
        some, share = nodes[first: first + together], shares[first: first + together]
        x = (chosen + noise * some[:, None]).reshape(-1, chosen.shape[1])
        z = _nearest(polynomial, x, np.tile(chosen, (len(some), 1)))
        _, slopes = polynomial(z)
        bent, variance = _bending(polynomial, z, slopes, noise)
        score = (np.sum(slopes * (x - z), axis=1) - bent) / np.maximum(noise**2 * variance, SMALLEST_DIVISOR)
        total = total + monomials(z).T @ (np.outer(share, left).ravel() * score)
    return np.asarray(total)


def _nearest(polynomial, x, start):
    """Points at which the polynomial vanishes nearest to x, for x near them."""
    z = start
    for _ in range(PROJECTION_STEPS):
        values, slopes = polynomial(z)
        squares = np.maximum(np.sum(slopes**2, axis=1), SMALLEST_DIVISOR)
        z = x - slopes * ((values + np.sum(slopes * (x - z), axis=1)) / squares)[:, None]
    return z


def _bending(polynomial, z, slopes, noise):
    """Mean effect of noise along the variety that the fit takes off, and the variance to the second order."""
    size = np.linalg.norm(slopes, axis=1)
    _, _, frame = svd(slopes[:, None, :], full_matrices=True)
    here, _ = polynomial(z)
    mean, bending = np.zeros(len(z)), np.zeros(len(z))
    for j in range(z.shape[1]):
        step = noise * frame[:, j]
        above, turned = polynomial(z + step)
        bending += np.sum((turned - slopes) ** 2, axis=1) / 2
        if j:
            mean += (above + polynomial(z - step)[0]) / 2 - here
    fading = 1 + (BENDING_WEIGHT * mean / np.maximum(noise * size, SMALLEST_DIVISOR)) ** 2
    return mean / fading, size**2 + bending
