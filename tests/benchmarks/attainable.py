"""How near the truth can any estimator come? The bound of Cramer and Rao for one equation g = 0.

With normal noise of standard deviation s_j in variable j, g(x_i) has to first order the standard deviation
w_i = (sum_j s_j^2 (dg/dx_j)^2)^(1/2) at the true point x_i, so the information about the coefficients a of g is
I = sum_i m(x_i) m(x_i)' / w_i^2, where m are the monomials. The size of a is free: with P an orthonormal basis of the
directions orthogonal to it, the covariance of an unbiased estimate is at least (P' I P)^-1, and a deviation e from the unit
vector a turns it by arctan |e|. Short arcs and mildly bent surfaces leave some coefficients so loose that 10 degrees are
beyond reach; a fit is not to blame for that.
"""

from __future__ import annotations

import numpy as np

from tests.varieties import Variety, exponents, monomials

DRAWS = 2000
"""Deviations drawn from the bound's covariance; a quantile of 1 in 100 is then good to some 2 or 3 % of its size."""


def attainable_angle(points: np.ndarray, variety: Variety, noise: np.ndarray, level: float = 0.01) -> float:
    """The angle, in degrees, that an efficient estimate of a single equation exceeds with probability `level`.

    Parameters
    ----------
    points : (N, d) ndarray
        On the variety or near it, and outliers left out, in coordinates in which the angle is to be measured.
    variety : Variety
        With one generator, in the same coordinates.
    noise : (d,) ndarray
        Standard deviation of each variable's noise, in the same coordinates.
    level : float

    Returns
    -------
    float
    """
    (truth,) = variety.polys
    dimension, degree = points.shape[1], truth.total_degree()
    coefficients = variety.coefficient_space(degree)[:, 0]
    every = exponents(dimension, degree)
    slopes = np.zeros(points.shape)
    for coefficient, e in zip(coefficients, every):
        for axis in np.flatnonzero(e):
            lower = np.array(e) - (np.arange(dimension) == axis)
            slopes[:, axis] += coefficient * e[axis] * np.prod(points**lower, axis=1)
    weighted = monomials(points, degree) / np.linalg.norm(slopes * noise, axis=1)[:, None]
    across = np.linalg.svd(coefficients[None])[2][1:].T
    # the inverse's root, through singular values: the information itself would square their range
    _, size, turn = np.linalg.svd(weighted @ across, full_matrices=False)
    deviations = np.random.default_rng(0).normal(size=(DRAWS, len(size))) / size @ turn
    return float(np.degrees(np.arctan(np.quantile(np.linalg.norm(deviations, axis=1), 1 - level))))
