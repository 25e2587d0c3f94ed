r"""Noise of each variable, estimated together with the equations.

Let :math:`g` be k equations with slopes :math:`J_i` at the point :math:`x_i`.  A singular
value decomposition of :math:`J_i` turns them into distances :math:`u_i` from the variety along
orthonormal normals, the rows of :math:`A_i`; directions in which the equations hardly change
(beyond the codimension, or at a singular point) say nothing and are left out.  If variable j has
noise of standard deviation :math:`\sigma_j s_{ij}`, with a known pattern s (1, or the size of the
value where noise is proportional to it), then

.. math:: u_i \sim N(0, C_i), \qquad C_i = A_i \, \mathrm{diag}(\sigma_j^2 s_{ij}^2) \, A_i^T .

The levels :math:`\sigma_j` are those of the largest likelihood, by Fisher's scoring in their
logarithms.  For noise that is not normal this is a quasi-likelihood: its estimates stay consistent.

Where normals point the same way everywhere (a line, a plane) only one combination of the levels is
determined.  So a prior, normal on the logarithm of :math:`\sigma_j` over the spread of its variable,
with a standard deviation of one decade around their common mean, says the rest: what the data do not
determine comes out as the same share of each variable's spread, whatever the units (or as other shares, where these are
what is tried).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..ground.deadline import look
from ..ground.linalg import svd
from .work import CALL, call, small_decompositions

WEAK_SLOPE = 0.25
"""Slope of unit-size equations below which a direction is left out: a convention; distances along it would be off by
more than four times."""
SLOPE_OVER_CHANGE = 10.0
"""... unless it is so many times larger than its change over a step of the noise: a convention, an error of a tenth."""
PRIOR_DECADES = 1.0
"""Standard deviation of the prior on a level, in decades: a convention, so wide that a few points overrule it."""
MOST_SCORING_STEPS = 15
"""Scoring steps at most; they converge in 5 to 15, and a metric is revised several times."""
LONGEST_STEP = 3.0
"""Longest step in the logarithm of a variance: a convention, a factor of 20."""
SETTLED_STEP = 1e-3
"""Step in the logarithm of a variance below which the levels are settled: a convention, far below standard errors."""


SMALLEST_VARIANCE = 1e-12
"""Variance, in units of the mean one, below which a normal is one of no noise at all: rounding."""


class Normals(NamedTuple):
    """Distances of points from a variety.

    Attributes
    ----------
    distances : (n, c) array
        Signed, along each normal; 0 where a direction is weak.
    directions : (n, c, d) array
        The normals, orthonormal.
    strong : (n, c) bool array
    turn : (n, c, k) array
        What turns values of the equations into `distances`.
    """

    distances: np.ndarray
    directions: np.ndarray
    strong: np.ndarray
    turn: np.ndarray

    @property
    def steps(self) -> np.ndarray:
        """(n, d) array: from the variety to the points."""
        return np.einsum("nc,ncd->nd", self.distances, self.directions)


def weakest_slope(degree: int, noise: float) -> float:
    r"""Slope of unit-size equations below which they say nothing about a distance.

    Over a step of the noise :math:`\sigma` the slope of a polynomial of degree t changes by some :math:`t \sigma`, in
    coordinates of unit spread; a slope that is `SLOPE_OVER_CHANGE` times larger is known.

    Examples
    --------
    >>> weakest_slope(2, 0.05), round(weakest_slope(4, 0.001), 3)
    (0.25, 0.04)
    """
    return min(WEAK_SLOPE, SLOPE_OVER_CHANGE * degree * noise)


def normals(values: np.ndarray, slopes: np.ndarray, metric: np.ndarray, weakest: float = WEAK_SLOPE) -> Normals:
    """Distances in units of the noise.

    Parameters
    ----------
    values : (n, k) array
        Of equations of unit size.
    slopes : (n, d, k) array
    metric : (n, d) array
        The noise of each value; directions are those of ``step / metric``.
    weakest : float
        Slope below which a direction is left out.
    """
    n, d, k = slopes.shape
    call()
    if k == 1:
        scaled = slopes[:, :, 0] * metric
        seen = np.linalg.norm(slopes[:, :, 0], axis=1) > weakest
        sizes = np.where(seen, np.linalg.norm(scaled, axis=1), 1.0)
        turn = np.where(seen, 1 / sizes, 0.0)[:, None, None]
        return Normals(turn[:, :, 0] * values, (scaled / sizes[:, None])[:, None, :], seen[:, None], turn)
    small_decompositions(2 * n, d)
    slopes = np.ascontiguousarray(slopes)
    squares, own = np.linalg.eigh(slopes @ slopes.transpose(0, 2, 1))
    squares, own = squares[:, ::-1][:, :k], own[:, :, ::-1][:, :, :k]
    strong = squares > weakest**2
    # the equations along the strong directions of unit-free coordinates, then their normals in units of the noise
    along = np.where(strong[:, :, None], own.transpose(0, 2, 1) @ slopes / np.where(strong, squares, 1.0)[:, :, None], 0.0)
    reduced = np.where(strong[:, None, :], own, 0.0) * metric[:, :, None]
    directions, sizes, again = svd(reduced)
    seen = np.arange(strong.shape[1]) < strong.sum(axis=1)[:, None]
    seen &= sizes > 0                                   # metrics that differ by more than floats have digits hide directions
    again = np.where(seen[:, :, None], again / np.where(seen, sizes, 1.0)[:, :, None], 0.0)
    turn = again @ along
    return Normals((turn @ values[:, :, None])[:, :, 0], directions.transpose(0, 2, 1), seen, turn)


def normals_of_planes(values: np.ndarray, slopes: np.ndarray, metric: np.ndarray, weakest: float = WEAK_SLOPE) -> Normals:
    """The same where slopes (d, k) and metric (d,) are those of all points."""
    one = normals(values[:1], slopes[None], metric[None], weakest)
    everywhere = (np.broadcast_to(each, (len(values), *each.shape[1:])) for each in (one.directions, one.strong, one.turn))
    return Normals(values @ one.turn[0].T, *everywhere)


def second_moments(found: Normals, weights: np.ndarray) -> tuple[Normals, np.ndarray]:
    """As few points, with their weights, as have the same second moments, where the normals are the same everywhere.

    The likelihood of the levels knows no more of the distances.
    """
    moments = (found.distances * weights[:, None]).T @ found.distances
    squares, axes = np.linalg.eigh(moments)
    few = len(squares)
    distances = np.sqrt(few * np.maximum(squares, 0.0))[:, None] * axes.T
    return Normals(distances, found.directions[:few], found.strong[:few], found.turn[:few]), np.full(few, 1 / few)


class Levels(NamedTuple):
    """Noise of each variable, relative to the metric it was measured in.

    Attributes
    ----------
    sizes : (d,) array
        Standard deviations.
    errors : (d,) array
        Standard errors of their logarithms: about 1 where nothing but the prior speaks.
    information : (d, d) array
        What the data alone say about the logarithms of the variances: the expected second derivative.
    """

    sizes: np.ndarray
    errors: np.ndarray
    information: np.ndarray


def noise_levels(found: Normals, weights: np.ndarray, count: float, involved: np.ndarray,
                 expected: np.ndarray | None = None) -> Levels:
    """The levels of largest likelihood; see the module's text.

    Parameters
    ----------
    found : Normals
        In units of a metric.
    weights : (n,) array
        Adding up to 1.
    count : float
        Number of points these weights stand for.
    involved : (d,) bool array
        The variables that the equations are about; of the others they know nothing.
    expected : (d,) array, optional
        Levels, up to a common factor, where the data do not say otherwise; all the same by default.
    """
    d, most = found.directions.shape[2], max(int(found.strong.sum(axis=1).max()), 1)         # strong ones come first
    found = Normals(found.distances[:, :most], found.directions[:, :most], found.strong[:, :most], found.turn)
    start = np.sqrt(np.sum(weights[:, None] * found.distances**2) / np.sum(weights[:, None] * found.strong))
    spread = (np.eye(d) - 1 / d) / (2 * np.log(10) * PRIOR_DECADES) ** 2
    seen = found.directions * (found.strong[:, :, None] & involved)
    absent = np.where(found.strong, 0.0, 1.0)[:, :, None] * np.eye(seen.shape[1])
    scaled = found.distances / start
    logs = np.zeros(d)
    prior = spread, np.zeros(d) if expected is None else 2 * np.log(expected)
    here = _score(logs, seen, absent, scaled, weights * count, prior)
    damping = 1e-3
    for _ in range(MOST_SCORING_STEPS):
        system = here.information + spread
        step = -np.linalg.solve(system + damping * np.diag(np.diag(system)) + 1e-9 * np.eye(d), here.gradient)
        step = np.clip(step, -LONGEST_STEP, LONGEST_STEP)
        there = _score(logs + step, seen, absent, scaled, weights * count, prior)
        if there.objective <= here.objective:
            logs, here, damping = logs + step, there, damping / 4
            if np.abs(step).max() < SETTLED_STEP:
                break
        else:
            damping = 10 * damping
    errors = np.sqrt(np.diag(np.linalg.inv(here.information + spread + 1e-9 * np.eye(d)))) / 2
    logs = np.where(involved, logs, logs[involved].mean())
    return Levels(start * np.exp(logs / 2), errors, here.information)


class _Score(NamedTuple):
    objective: float
    gradient: np.ndarray
    information: np.ndarray


def _score(logs, seen, absent, distances, weights, prior):
    """Minus the logarithm of likelihood times prior, its gradient and the expected second derivative."""
    variances, pull, off = np.exp(logs), prior[0], logs - prior[1]
    if seen.shape[1] == 1:
        look(CALL / 10 + seen.size)
        return _score_of_one(logs, seen[:, 0] ** 2, absent[:, 0, 0], distances[:, 0], weights, prior)
    look(CALL / 5 + 4 * seen.size * sum(seen.shape[1:]))
    covariance = (seen * variances) @ seen.transpose(0, 2, 1) + absent + SMALLEST_VARIANCE * np.eye(seen.shape[1])
    inverse = np.linalg.inv(covariance)
    whitened = (inverse @ distances[:, :, None])[:, :, 0]
    determinant = np.linalg.slogdet(covariance)[1]
    objective = 0.5 * weights @ (determinant + np.sum(distances * whitened, axis=1)) + 0.5 * off @ pull @ off
    inner = seen.transpose(0, 2, 1) @ inverse @ seen
    shown = (whitened[:, None, :] @ seen)[:, 0] ** 2
    gradient = 0.5 * variances * (weights @ (np.diagonal(inner, axis1=1, axis2=2) - shown)) + pull @ off
    information = 0.5 * np.outer(variances, variances) * np.einsum("n,njl->jl", weights, inner**2)
    return _Score(float(objective), gradient, information)


def _score_of_one(logs, seen, absent, distances, weights, prior):
    """The same for one normal, without matrices for each point."""
    variances, pull, off = np.exp(logs), prior[0], logs - prior[1]
    variance = seen @ variances + absent + SMALLEST_VARIANCE
    square = distances**2 / variance
    objective = 0.5 * weights @ (np.log(variance) + square) + 0.5 * off @ pull @ off
    shares = seen * (variances / variance[:, None])
    gradient = 0.5 * (weights * (1 - square)) @ shares + pull @ off
    return _Score(float(objective), gradient, 0.5 * (shares * weights[:, None]).T @ shares)
