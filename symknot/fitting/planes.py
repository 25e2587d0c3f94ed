r"""Linear equations of many variables, and what they leave: first the planes, then everything else on them.

With d variables there are about :math:`d^2/2` polynomials of degree 2, but all that can be said about linear equations is in d
singular values.  So where variables are many, linear equations are found first, and from then on hold exactly: whatever else
there is, is looked for among the polynomials in coordinates along their planes.

Let :math:`s_1 \le \dots \le s_d` be the singular values of n centred points in the metric of their noise, over
:math:`\sqrt n`.  If k equations hold, the points are an (r = d - k)-dimensional shape and noise, so with
:math:`n' = n - 1 - r` the first k values are those of a matrix of noise :math:`\sigma`, between (Marchenko and Pastur 1967)

.. math:: \sigma \sqrt{n'/n} \, \bigl(1 \pm \sqrt{k / n'}\bigr), \qquad
          \sigma^2 = \frac{n}{n'} \, \frac1k \sum_{i \le k} s_i^2 . \tag{1}

That holds for fewer points than variables, too: some of the values are then zero by necessity, and no equation by itself
means anything, but the plane that all k of them describe does.

The metric is that of factor analysis.  With P the projector onto the first k directions and S the covariance, both in units
of the noise assumed, the likelihood of the noise's variances :math:`v_j` has by their logarithms the slope and the expected
curvature

.. math:: \tfrac{n'}{2} \, \bigl(P - P S P / \sigma^2\bigr)_{jj}, \qquad \tfrac{n'}{2} P_{jl}^2 , \tag{2}

to which the prior of `noise` is added: a variable that is in no equation keeps the share of its spread that others have.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import scipy.linalg

from ..ground.linalg import ascending_svd, svd
from ..ground.tall_factor import TallFactor
from ..reading.points import Points, effective_count
from .coordinates import Coordinates
from .hypothesis import CLUSTER_MARGIN, DETERMINED, HOPELESS_GAP, HOPELESS_METRICS, LOUDEST_NOISE, QUIETEST
from .judging import SMALLEST_GAP, STANDARD_ERRORS_OF_A_GAP
from .noise import LONGEST_STEP, PRIOR_DECADES
from .outliers import far_away, named, tukey
from .sampled import ROUNDING_SHARE

MANY_VARIABLES = 25
"""Variables beyond which linear equations come first: a convention; from there on there are more polynomials of degree 2 than
`search.MOST_COEFFICIENTS`."""
FEWEST_LEFT = 10
"""Points that must be left over when those along the planes are taken off: as `search.FEWEST_FOR_NOISE`."""
MOST_STEPS = 30
"""Scoring steps of the metric at most: a convention; most need 4 to 10."""
SETTLED_STEP = 0.01
"""Relative change of a noise level below which the metric stays: a convention, below the standard error at 5000 points."""
MOST_WEIGHINGS = 10
"""Rounds of redescending weights at most: as in `robust`."""
MAJORITY = 0.5
"""Share of the points that must be near the planes: as in `robust`."""
NORMAL_MEDIAN = 0.6745
"""Median size of a standard normal number.  Derived."""
LEAST_SEEN = 0.1
"""Share of a variable's noise that the equations must see to say that a value of it is far off: a convention."""
TREND_NOISE = 1e-3
"""Noise, relative to the standard deviations of the variables, below which linear equations of a normal cloud are
equations all the same: a convention; chance rarely flattens a cloud so much."""
TREND_LEVEL = 1e-3
"""Level of the test of normality: a convention."""
MOST_TESTED = 4000
"""Points that it looks at: beyond 5000 its chances are not known."""


@dataclass(frozen=True, eq=False)
class Planes:
    """Linear equations of many variables.

    Attributes
    ----------
    points : Points
        In the metric of the noise.
    count : int
        How many equations: the first columns of `directions`.
    values : (d,) array
        Root-mean-squares along the directions, inside; ascending but for fewer points than variables.
    directions : (d, d) array
        Orthonormal, inside.
    noise : float
        Standard deviation of the noise, inside; 0 where the equations hold to rounding.
    log_errors : (d,) array
        Standard errors of the logarithm of each variable's noise; infinite where the data do not say.
    outliers : int array
        Input rows that belong to no equation.
    is_trend : bool
        Whether the points may be a normal cloud.
    """

    points: Points
    count: int
    values: np.ndarray
    directions: np.ndarray
    noise: float
    log_errors: np.ndarray
    outliers: np.ndarray
    is_trend: bool

    @property
    def mean(self) -> np.ndarray:
        """The points' mean, inside."""
        return self.points.weights @ self.points.values

    @property
    def along(self) -> np.ndarray:
        """Directions (d, r) along the planes."""
        return self.directions[:, self.count:]

    @property
    def across(self) -> np.ndarray:
        """Directions (d, k) across them: the equations."""
        return self.directions[:, : self.count]

    def reduced(self) -> Points:
        """The points in coordinates along the planes, in which noise is the same in all directions."""
        own, unit = self.points, self.points.unit
        values, r = (own.values - self.mean) @ self.along, self.along.shape[1]
        names = tuple(f"y{i + 1}" for i in range(r))
        return replace(own, values=values, names=names, center=np.zeros(r), scale=np.full(r, unit), unit=unit)


def planes_of(points: Points, noise: str, loss: str) -> Planes | None:
    """The linear equations of points in many variables; None where there are none, or variables are few.

    Parameters
    ----------
    points : Points
    noise : {"auto", "relative", "given"}
        "given" keeps the metric that the points have; proportional noise has no planes.
    loss : {"auto", "squares", "robust"}

    Examples
    --------
    >>> from symknot.reading.points import read_points
    >>> rng = np.random.default_rng(0)
    >>> shape = rng.uniform(size=(300, 4)) @ rng.normal(size=(4, 40))
    >>> found = planes_of(read_points(shape + 0.01 * rng.normal(size=shape.shape)), "auto", "auto")
    >>> found.count, bool(abs(found.noise * found.points.unit / 0.01 - 1) < 0.05)
    (36, True)
    """
    if len(points.names) <= MANY_VARIABLES or points.pattern is not None or noise == "relative":
        return None
    shares, outliers = np.ones(len(points.values)), np.zeros(len(points.values), bool)
    for _ in range(MOST_WEIGHINGS):
        at = Coordinates.of(points, noise, shares)
        found = _found(at.values, points.weights * shares, at.metric)
        if found is None or found.noise == 0 or loss == "squares":
            break
        distances = _farthest(at.values / found.metric, found.directions[:, : found.count])
        ones, before = np.ones(len(distances), int), shares
        far = far_away(distances, ones)
        if np.mean(far) > 1 - MAJORITY or not (far.any() or loss == "robust"):
            break
        shares, outliers = tukey(distances, ones), named(distances, ones)
        if ((shares > 0) == (before > 0)).all():
            break
    if found is None:
        return None
    return _as_planes(points, shares, at, found, np.flatnonzero((points.row_of >= 0) & outliers[points.row_of]))


@dataclass(frozen=True, eq=False)
class _Found:
    """Equations in coordinates of unit spread divided by their metric."""

    count: int
    metric: np.ndarray
    directions: np.ndarray
    noise: float
    errors: np.ndarray


def _found(values, weights, metric):
    """The most equations that stand clear."""
    d, weights = values.shape[1], weights / weights.sum()
    n = effective_count(weights)
    tall = TallFactor(d)
    tall.add(values * np.sqrt(weights)[:, None])
    start = np.ones(d) if metric is None else metric
    sizes, directions = ascending_svd(tall.factor / start)
    by_necessity = d - min(d, len(values) - 1)
    exact = int(np.sum(sizes <= ROUNDING_SHARE * sizes[-1]))
    if exact > by_necessity:
        if by_necessity:
            return None
        directions = directions if metric is None else ascending_svd(tall.factor)[1]
        noisy = _beside_exact(tall.factor, values, weights, metric, directions[:, :exact])
        return noisy or _Found(exact, np.ones(d), directions, 0.0, np.full(d, np.inf))
    for k in range(d - 1, by_necessity, -1):
        left = n - 1 - (d - k)
        if left < FEWEST_LEFT:
            continue
        if sizes[k] >= _smallest_gap(left) * sizes[k - 1]:
            found = _settled(tall.factor, values, (k, n, left), start, metric is not None)
            if found is not None:
                return found
    return None


def _smallest_gap(left):
    return max(SMALLEST_GAP, 1 + STANDARD_ERRORS_OF_A_GAP / np.sqrt(2 * left))


def _settled(factor, values, counts, metric, fixed):
    """k equations in their own metric; None where they do not stand clear."""
    k, n, left = counts
    prior = (np.eye(len(metric)) - 1 / len(metric)) / (2 * np.log(10) * PRIOR_DECADES) ** 2
    for attempt in range(MOST_STEPS):
        sizes, directions = ascending_svd(factor / metric)
        noise = float(np.sqrt(n / left * np.mean(sizes[:k] ** 2)))
        gap = sizes[k] / sizes[k - 1]
        if attempt >= HOPELESS_METRICS and gap < HOPELESS_GAP:
            return None
        squares = directions[:, :k] ** 2
        projector = directions[:, :k] @ directions[:, :k].T
        information = left / 2 * projector**2 + prior
        if fixed:
            break
        slope = left / 2 * (squares.sum(axis=1) - n / left * squares @ sizes[:k] ** 2 / noise**2) + prior @ (2 * np.log(metric))
        step = np.clip(-np.linalg.solve(information + ROUNDING_SHARE * np.eye(len(metric)), slope), -LONGEST_STEP, LONGEST_STEP)
        if np.abs(step).max() < 2 * SETTLED_STEP:
            break
        metric = metric * np.exp(step / 2)
        metric = np.maximum(metric, QUIETEST * metric.max())
        metric = metric / np.sqrt(np.mean(metric**2))
    if gap < _smallest_gap(left) or noise > LOUDEST_NOISE or not _is_one_cluster(values / metric, sizes, directions, counts):
        return None
    errors = np.sqrt(np.diag(np.linalg.inv(information + ROUNDING_SHARE * np.eye(len(metric))))) / 2
    return _Found(k, metric, directions, noise, np.where(errors < DETERMINED, errors, np.inf))


def _is_one_cluster(values, sizes, directions, counts):
    """Whether the first k values are within the limits (1)."""
    k, n, left = counts
    across = values @ directions[:, :k]
    kurtosis = np.mean(across**4) / np.mean(across**2) ** 2
    edge = np.sqrt(k / left * max((kurtosis - 1) / 2, 1.0))
    noise = np.sqrt(np.mean(sizes[:k] ** 2))
    return noise * (1 - edge) / CLUSTER_MARGIN <= sizes[0] and sizes[k - 1] <= noise * (1 + edge) * CLUSTER_MARGIN


def _beside_exact(factor, values, weights, metric, exact_normals):
    """Noisy equations among columns that are independent, in the metric that makes of all; None where there are none."""
    normals = exact_normals.T
    order = scipy.linalg.qr(normals, mode="r", pivoting=True)[1]
    dependent, kept = order[: len(normals)], np.sort(order[len(normals):])
    inner = _found(values[:, kept], weights, None if metric is None else metric[kept])
    if inner is None or inner.noise == 0:
        return None
    slopes = np.linalg.solve(normals[:, dependent], normals[:, kept])
    own, errors = np.empty(len(order)), np.full(len(order), np.inf)
    own[kept], errors[kept] = inner.metric, inner.errors
    own[dependent] = np.maximum(np.sqrt(slopes**2 @ inner.metric**2), QUIETEST * inner.metric.max())
    size = float(np.sqrt(np.mean(own**2)))
    return _Found(inner.count + len(normals), own / size, ascending_svd(factor / own)[1], inner.noise * size, errors)


def _farthest(values, across):
    """Distances of points from the planes along the variable that is farthest off, in standard deviations by its median."""
    off = np.abs(values @ across @ across.T)
    seen = np.sum(across**2, axis=1) > LEAST_SEEN
    scale = np.median(off, axis=0) / NORMAL_MEDIAN
    seen &= scale > 0
    return (off[:, seen] / scale[seen]).max(axis=1, initial=0.0)


def _as_planes(points, shares, at, found, outliers):
    """The same in the points' own coordinates: with distances in units of the noise."""
    raw = found.metric * at.spreads * points.scale
    inside = points.weighted(shares).measured_in(raw / np.sqrt(np.mean(raw**2)))
    centred = inside.values - inside.weights @ inside.values
    factor = centred * np.sqrt(inside.weights)[:, None]
    values, directions = ascending_svd(factor)
    if len(factor) <= len(values):             # points lie in some planes by necessity: of all planes none is better known
        directions[:, : found.count] = directions[:, : found.count] @ _mixed(found.count)
        values = np.linalg.norm(factor @ directions, axis=0)
    unit = float(np.sqrt(np.mean(raw**2))) / inside.unit
    rows = np.linspace(0, len(centred) - 1, min(len(centred), MOST_TESTED)).astype(int)
    normal = found.noise >= TREND_NOISE and is_normal_cloud(at.values[rows], np.ones(len(rows)))
    return Planes(inside, found.count, values, directions, found.noise * unit, found.errors, outliers, normal)


def _mixed(k):
    """An orthogonal matrix that takes an equal part of everything: that of the discrete cosine transform."""
    place = np.arange(k)
    turn = np.cos(np.pi / k * np.outer(place + 0.5, place)) * np.sqrt(2 / k)
    turn[:, 0] = np.sqrt(1 / k)
    return turn


def is_normal_cloud(values: np.ndarray, weights: np.ndarray) -> bool:
    """Whether each variable and each principal direction passes for normal (Shapiro and Wilk), together at `TREND_LEVEL`.

    Examples
    --------
    >>> cloud = np.random.default_rng(0).normal(size=(200, 3))
    >>> is_normal_cloud(cloud, np.ones(200)), is_normal_cloud(np.sign(cloud), np.ones(200))
    (True, False)
    """
    from scipy.stats import shapiro  # which alone takes longer to import than numpy, and few fits come here

    root = np.sqrt(weights)[:, None]
    left, sizes, _ = svd(values * root)
    directions = left[:, sizes > ROUNDING_SHARE * sizes[0]] / root
    chances = [shapiro(column).pvalue for column in np.hstack([directions, values]).T if np.ptp(column)]
    return bool(min(chances, default=1.0) * len(chances) > TREND_LEVEL)
