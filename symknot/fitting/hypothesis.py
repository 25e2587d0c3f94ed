r"""One hypothesis: k equations of degree t, with the noise that they imply.

A hypothesis finds its own metric:
the k smallest values give equations, the equations give the noise of each variable (`noise`), the noise
gives a new metric, and so on until it stays.  In its own metric the values of true equations
are one cluster at the common noise level, whatever the units and however unequal the noise.

How wide that cluster is follows too.  The k values of a cluster scatter within the edges
:math:`1 \pm \sqrt{k/n}` of a random matrix's spectrum if noise is normal; the square of a distance
whose kurtosis is :math:`\kappa` scatters :math:`\sqrt{(\kappa - 1)/2}` times as much.  Where noise is larger in
one place than in another, equations that look at different places see different noise, and the cluster is
wider by up to that ratio.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..ground.linalg import svd, whitening
from .at_points import AtPoints, second_order
from .noise import Levels, Normals, noise_levels, normals, normals_of_planes, second_moments, weakest_slope
from .sampled import ROUNDING_SHARE, SampledDegree
from .structure import Structure, lack_of_fit, unevenness

MOST_METRICS = 8
"""Rounds in which a hypothesis looks for its metric; most need 2 to 4."""
LOUDEST_NOISE = 0.25
"""Share of the data's spread beyond which noise leaves no shape to speak of: a convention.  Derived for comparison: a
round cloud, without any shape, shows 0.71 in the plane and 0.58 in space."""
SHARE_OF_A_CLOUD = 0.5
"""Share of the noise that a cloud without any shape shows beyond which equations of degree 2 or more describe nothing else: a
convention; see `loudest_noise`.  Measured on the first, second and sealed group of the noise benchmark, 5 % noise: 0.02 to
0.47 for equations that are right, 0.58 and more for others; lognormal clouds: 0.5 to 1.2.  Linear equations of clouds are
trends (`finding`)."""
SEEN_BY_MOST = 0.5
"""Share of the points at which equations must have a slope: a convention.  Polynomials of high degree can be large on
a few points far out and nearly zero, with their slopes, on all others."""
HALF_OF_THE_POINTS = 2.0
"""Times the noise that the median distance of the points may be.  Derived: at most 1.4 times whatever the distribution, for
half of the points are as far off or farther; more by a convention, for slopes are not exact.  Equations that a point far out
makes nearly zero, with their slopes, on all others have a tiny value there, which is no distance: 10 to 1000 times."""
LEFT_AT_FEET = 0.25
"""Share of the equations' values that one step onto them may leave, median: a convention.  Measured on the cases of
`tests.varieties`, 50 and 500 points, 5 % noise: 0.00 to 0.14 for true equations; where noise reaches from one branch to
the next the step leads nowhere."""
HOPELESS_MARGIN = 2.0
"""A hypothesis that is so many times farther off than allowed before it has found its metric is given up: a
convention."""
HOPELESS_METRICS, HOPELESS_GAP = 2, 1.15
"""A hypothesis without a gap of this ratio after so many rounds is given up: a convention; smaller ones are no gaps."""
SETTLED_METRIC = 0.05
"""Relative change of a noise level below which the metric stays: a convention, about its standard error at 200 points."""
QUIETEST = 1e-3
"""Smallest noise of a variable relative to the loudest: a convention; less would make the metric degenerate."""
QUIET = 0.01
"""The same that is taken for a variable that has no noise: a convention, so little that points move along the others, and so
much that they can move at all where others do not lead onto the equations.  Where they move along such a variable after all,
what holds exactly there is off by the square of this.  Measured with noise in one column: all of the first and second group
are right; of nine cases of other groups 0.02 loses exact equations above noisy ones, 0.005 and less one of six quadrics."""
LEAST_INVOLVED = 1e-3
"""Share of the squared slope along a variable below which equations are not about it: a convention, above what noise
leaves there."""
DETERMINED = 0.5
"""Standard error of the logarithm of a noise level beyond which it is the prior's, not the data's: a convention."""
UNIFORM_KURTOSIS, STANDARD_ERRORS_OF_A_SPLIT = 1.8, 5.0
"""Kurtosis of evenly spread noise, and by how many of its standard errors, about 1 / sqrt(n), that of distances must be less to
say that they keep to two places, where it is 1: a convention, less than one chance in a million."""
LARGEST_EDGE = 0.8
"""Half-width of a random matrix's spectrum is not taken larger than this share: its lower edge would reach zero.
A convention."""
CLUSTER_MARGIN = 1.1
"""How much wider than that a cluster may be: a convention."""


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """k equations of one degree in their own metric.

    Attributes
    ----------
    at : SampledDegree
    k : int
    metric : (d,) array
        Noise of each variable relative to its spread; root-mean-square 1.
    values : array
        Ascending values of all polynomials of the degree in this metric.
    G : array
        The equations, columns over E.
    expected : (d,) array
        The metric where the data do not say otherwise.
    quiet : (d,) bool array or None
        Variables that are known to have no noise.
    """

    at: SampledDegree
    k: int
    metric: np.ndarray
    values: np.ndarray
    G: np.ndarray
    expected: np.ndarray
    quiet: np.ndarray | None = None

    @property
    def degree(self) -> int:
        """Degree of the equations."""
        return self.at.degree

    @property
    def gap(self) -> float:
        """Ratio of the next value to the last of the cluster."""
        return float(self.values[self.k] / self.values[self.k - 1]) if self.k < len(self.values) else np.inf

    @property
    def noise(self) -> float:
        """Root-mean-square of the equations' values: the common factor of the metric."""
        return float(np.sqrt(np.mean(self.values[: self.k] ** 2)))

    @cached_property
    def loudness(self) -> float:
        """Root-mean-square distance of the points from the equations as a share of their spread, whatever the noise."""
        return self.loudness_in(np.ones(len(self.metric)))

    def loudness_in(self, units: np.ndarray) -> float:
        """The same where coordinates of unit spread are so many others."""
        size = np.diag(self._slopes_of_G.within(1 / units))
        return float(np.sqrt(np.mean(self.at.problem.data_norms(self.G) ** 2 / size) / len(self.metric)))

    @cached_property
    def usual_loudness(self) -> float:
        """The same in mean absolute values, which a few points far out do not decide."""
        sample, found = self.at.sample, self.own_normals
        steps = sample.weights @ np.linalg.norm(found.steps * self.metric * sample.pattern, axis=1)
        return float(steps / np.sqrt((sample.weights @ found.strong).sum() * self.seen) / sample.usual_spread)

    @cached_property
    def equations(self) -> np.ndarray:
        """G of unit size in coordinates of unit spread."""
        return self.G @ whitening(self._slopes_of_G.sum())

    @cached_property
    def _slopes_of_G(self):
        return self.at.grams.over(self.G)

    @cached_property
    def involved(self) -> np.ndarray:
        """Which variables the equations are about."""
        parts = self.at.grams.along(self.equations).sum(axis=1)
        return parts > LEAST_INVOLVED * parts.sum()

    @property
    def weakest(self) -> float:
        """Slope of `equations` below which they say nothing about a distance."""
        return weakest_slope(self.degree, self.noise)

    def evaluated(self, points: np.ndarray) -> np.ndarray:
        """Values (n, k) of `equations`."""
        return self._at_points.values(points)

    def normals(self, points: np.ndarray, pattern: np.ndarray) -> Normals:
        """Distances of points in units of the metric."""
        values, slopes = self._at_points.at(points)
        return normals(values, slopes, self.metric * pattern, self.weakest)

    @cached_property
    def _own_at(self):
        """Values and slopes at the sample's points."""
        return self._at_points.at(self.at.sample.values)

    @cached_property
    def _at_points(self):
        return AtPoints(self.at.problem.recursion, self.at.problem.products, self.equations, with_lower=False,
                        shared=self.at.shared)

    @property
    def slopes(self) -> np.ndarray:
        """(n, d, k): of `equations` at the sample's points."""
        return self._own_at.dG

    @cached_property
    def own_normals(self) -> Normals:
        """Of the sample's points."""
        if self.are_planes:
            return normals_of_planes(self._own_at.G, self._own_at.dG[0], self.metric * self.at.sample.pattern[0], self.weakest)
        return normals(self._own_at.G, self._own_at.dG, self.metric * self.at.sample.pattern, self.weakest)

    @property
    def are_planes(self) -> bool:
        """Whether the normals, in units of the noise, are the same everywhere."""
        return self.degree == 1 and bool((self.at.sample.pattern == self.at.sample.pattern[0]).all())

    @cached_property
    def levels(self) -> Levels:
        """Noise of each variable, relative to the metric."""
        sample = self.at.sample
        seen = second_moments(self.own_normals, sample.weights) if self.are_planes else (self.own_normals, sample.weights)
        return noise_levels(*seen, sample.count, self.loud, self.expected / self.metric)

    @property
    def loud(self) -> np.ndarray:
        """Which of the variables that the equations are about may have noise."""
        loud = self.involved if self.quiet is None else self.involved & ~self.quiet
        return loud if loud.any() else self.involved

    @property
    def determined(self) -> np.ndarray:
        """Of each variable, whether the data say what its noise is."""
        return self.loud & (self.levels.errors < DETERMINED)

    @property
    def undetermined(self) -> np.ndarray:
        """Orthonormal directions, its columns, in the space of the logarithms of the loud variables' noise, along which the
        data do not say what it is."""
        loud = np.flatnonzero(self.loud)
        known, axes = np.linalg.eigh(self.levels.information[np.ix_(loud, loud)])
        directions = np.zeros((len(self.metric), len(loud)))
        directions[loud] = axes
        return directions[:, 4 * DETERMINED**2 * known < 1]

    @cached_property
    def seen(self) -> float:
        """Share of the points at which some equation has a slope."""
        return float(self.at.sample.weights @ self.own_normals.strong[:, 0])

    @cached_property
    def typical(self) -> float:
        """Median distance of the points in coordinates of unit spread; those not seen count as far."""
        return self.typical_in(np.ones(len(self.metric)))

    def typical_in(self, units: np.ndarray) -> float:
        """The same where these are so many others."""
        steps = self.own_normals.steps * self.metric * self.at.sample.pattern * units
        far = np.where(self.own_normals.strong[:, 0], np.linalg.norm(steps, axis=1), np.inf)
        order = np.argsort(far)
        half = int(np.searchsorted(np.cumsum(self.at.sample.weights[order]), 0.5))
        return float(far[order][min(half, len(far) - 1)])

    @cached_property
    def width(self) -> float:
        """How much wider than one value the cluster may be, if noise were the same everywhere."""
        return cluster_width(self.k, self.at.left / max((self.kurtosis - 1) / 2, 1.0))

    @cached_property
    def kurtosis(self) -> float:
        """Of the distances."""
        found = self.own_normals
        u = found.distances[found.strong]
        w = np.broadcast_to(self.at.sample.weights[:, None], found.strong.shape)[found.strong]
        return float(w.sum() * (w @ u**4) / max(w @ u**2, np.finfo(float).tiny) ** 2)

    @cached_property
    def half_within(self) -> float:
        """Median of the distances in units of the metric."""
        found = self.own_normals
        u = np.abs(found.distances[found.strong])
        w = np.broadcast_to(self.at.sample.weights[:, None], found.strong.shape)[found.strong]
        order = np.argsort(u)
        return float(u[order][np.searchsorted(np.cumsum(w[order]), w.sum() / 2)]) if len(u) else 0.0

    @property
    def is_split(self) -> bool:
        """Whether distances keep to two places, as where one equation is taken for two."""
        return self.kurtosis < UNIFORM_KURTOSIS - STANDARD_ERRORS_OF_A_SPLIT / np.sqrt(self.at.sample.count)

    @cached_property
    def feet(self) -> np.ndarray:
        """Positions of the sample's points on the variety, to first order."""
        return self.at.sample.values - self.own_normals.steps * self.metric * self.at.sample.pattern

    @cached_property
    def left_at_feet(self) -> float:
        """Share of the equations' values that is left at the feet, median: small where first-order distances are distances."""
        there, here = (np.linalg.norm(values, axis=1) for values in (self.evaluated(self.feet), self._own_at.G))
        return float(np.median(there / np.maximum(here, np.finfo(float).tiny)))

    def is_loud(self, margin: float = 1.0) -> bool:
        """Whether points lie too far from the equations for a shape; told by sums over all points, with no look at each."""
        return not self.loudness <= margin * loudest_noise(self.degree, len(self.metric))

    def is_near(self, margin: float = 1.0) -> bool:
        """Whether most points see the equations, lie near their zeros, and one step takes them onto these."""
        return (not self.is_loud(margin) and self.seen >= SEEN_BY_MOST / margin
                and self.usual_loudness <= margin * loudest_noise(self.degree, len(self.metric))
                and self.half_within <= margin * HALF_OF_THE_POINTS * self.noise and self.left_at_feet <= margin * LEFT_AT_FEET)

    @cached_property
    def unevenness(self) -> float:
        """How many times larger noise is in one place than in another."""
        sample = self.at.sample
        return unevenness(self.own_normals, self.feet, self.metric * sample.pattern, sample.weights, self.noise)

    @cached_property
    def structure(self) -> Structure:
        """The test for lack of fit."""
        sample = self.at.sample
        return lack_of_fit(self.unbent, self.feet, self.metric * sample.pattern, sample.weights, self.degree, self.noise)

    @cached_property
    def unbent(self) -> Normals:
        """Distances of the sample's points without the mean effect of noise along a bent variety."""
        found, feet = self.own_normals, self.feet
        scale = self.metric * self.at.sample.pattern
        n, _, d = found.directions.shape
        hessians = self._at_points.hessians
        if hessians is not None:         # over an orthonormal basis second derivatives add up to the trace; less the normals'
            mean = (self.noise * scale) ** 2 @ np.diagonal(hessians).T / 2
            for normal, strong in zip(found.directions.transpose(1, 0, 2), found.strong.T):
                mean = mean - second_order(hessians, strong[:, None] * self.noise * scale * normal)
            return found._replace(distances=found.distances - (found.turn @ mean[:, :, None])[:, :, 0])
        _, sizes, axes = svd(found.directions * found.strong[:, :, None], full_matrices=True)
        along = np.hstack([sizes, np.zeros((n, d - sizes.shape[1]))]) < 0.5        # singular values are 1 and 0
        here = self.evaluated(feet)
        mean = np.zeros_like(here)
        for j in range(d):
            step = self.noise * axes[:, j] * scale
            bent = (self.evaluated(feet + step) + self.evaluated(feet - step)) / 2 - here
            mean += np.where(along[:, j, None], bent, 0.0)
        return found._replace(distances=found.distances - (found.turn @ mean[:, :, None])[:, :, 0])


def loudest_noise(degree: int, d: int) -> float:
    r"""Largest noise, as a share of the spread of points in d variables, at which equations of a degree have a shape.

    A polynomial of degree t can cross a cloud in t parallel planes.  If points are spread evenly across them, with
    standard deviation s, their root-mean-square distance from the nearest plane is s / t: a share of :math:`1 / (t \sqrt d)`
    of the spread of all d variables, without any shape.

    Examples
    --------
    >>> loudest_noise(1, 3), round(loudest_noise(2, 3), 3), round(loudest_noise(5, 1), 3)
    (0.25, 0.144, 0.1)
    """
    return LOUDEST_NOISE if degree == 1 else min(LOUDEST_NOISE, SHARE_OF_A_CLOUD / (degree * math.sqrt(d)))


def cluster_width(k: int, count: float) -> float:
    """How many times the smallest of k values of pure, normal noise, seen by so many points, the largest may be.

    Examples
    --------
    >>> round(cluster_width(1, 1e6), 2), round(cluster_width(3, 300), 2)
    (1.1, 1.34)
    """
    edge = min(np.sqrt(k / count), LARGEST_EDGE)
    return float(CLUSTER_MARGIN * (1 + edge) / (1 - edge))


def hypothesis(at: SampledDegree, k: int, metric: np.ndarray | None = None, fixed: bool = False,
               quiet: np.ndarray | None = None, expected: np.ndarray | None = None) -> Hypothesis | None:
    """The k best equations of a degree in their own metric; None where that shows that they are no shape.

    Parameters
    ----------
    at : SampledDegree
    k : int
    metric : (d,) array, optional
        Where to start; noise in proportion to the spread of each variable by default.
    fixed : bool
        Whether the metric is given, not a start.
    quiet : (d,) bool array, optional
        Variables that are known to have no noise.
    expected : (d,) array, optional
        The metric where the data do not say otherwise; noise in proportion to the spread of each variable by default.
    """
    expected = np.ones(len(at.grams)) if expected is None else expected
    metric = expected if metric is None else metric
    for attempt in range(MOST_METRICS):
        values, space = at.spectrum(metric)
        if len(values) < k:
            return None
        found = Hypothesis(at, k, metric, values, space[:, :k], expected, quiet)
        if fixed or found.noise <= ROUNDING_SHARE:
            return found
        if not found.is_near(HOPELESS_MARGIN) or (attempt >= HOPELESS_METRICS and found.gap < HOPELESS_GAP):
            return None
        better = own_metric(found) if quiet is None else silenced(own_metric(found), quiet)
        if np.abs(np.log(better / metric)).max() < SETTLED_METRIC:
            return found
        metric = better
    return found


def own_metric(found: Hypothesis) -> np.ndarray:
    """The metric that the equations of a hypothesis imply."""
    metric = found.metric * found.levels.sizes
    metric = np.maximum(metric, QUIETEST * metric.max())
    return metric / np.sqrt(np.mean(metric**2))


def silenced(metric: np.ndarray, quiet: np.ndarray) -> np.ndarray:
    """The metric with little noise in variables that have none."""
    if not quiet.any():
        return metric
    metric = np.where(quiet, np.minimum(QUIET * metric[~quiet].max(), metric), metric)
    return metric / np.sqrt(np.mean(metric**2))
