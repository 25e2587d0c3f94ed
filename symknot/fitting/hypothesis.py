r"""One hypothesis: k equations of degree t, with the noise that they imply.

At each degree a sample is summed up once: a triangular factor of the values of all candidates and,
for each variable j, the Gram matrix of their slopes along it.  In a metric :math:`\rho` (the noise of
each variable, up to a common factor) the values

.. math:: s(g) = \mathrm{rms}\, g \,\Big/\, \Big(\sum_j \rho_j^2 \; \mathrm{rms}^2 \, \partial_j g\Big)^{1/2}

of the best polynomials follow by small linear algebra, so a hypothesis finds its own metric:
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

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..ground.blocks import blocks
from ..ground.linalg import TallFactor, ascending_svd, complement, whitening
from .basis import Split, find_basis, search_space
from .degree import DegreeProblem, degree_problem
from .noise import Levels, Normals, noise_levels, normals
from .normalization import Gradient, centred
from .recursion import Recursion
from .structure import Structure, lack_of_fit, unevenness

ROUNDING_SHARE = 1e-10
"""Share of the data's spread below which a value is rounding: the data are exact.  Measured on 2000 exact points of
each case of `tests.varieties`, degrees 1 to 8: values of equations came out below 6e-13, all others above 1e-6."""
MOST_METRICS = 8
"""Rounds in which a hypothesis looks for its metric; most need 2 to 4."""
SETTLED_METRIC = 0.05
"""Relative change of a noise level below which the metric stays: a convention, about its standard error at 200 points."""
QUIETEST = 1e-3
"""Smallest noise of a variable relative to the loudest: a convention; less would make the metric degenerate."""
LEAST_INVOLVED = 1e-3
"""Share of the squared slope along a variable below which equations are not about it: a convention, above what noise
leaves there."""
DETERMINED = 0.5
"""Standard error of the logarithm of a noise level beyond which it is the prior's, not the data's: a convention."""
CROSS_VALIDATION_FOLDS = 10
"""Parts into which the points are dealt: a convention."""
AMPLE_POINTS_PER_COEFFICIENT = 50
"""Beyond this fitted values are too small by 1 % only, and cross-validation is not needed."""
LARGEST_EDGE = 0.8
"""Half-width of a random matrix's spectrum is not taken larger than this share: its lower edge would reach zero.
A convention."""
CLUSTER_MARGIN = 1.1
"""How much wider than that a cluster may be: a convention."""


@dataclass(frozen=True, eq=False)
class Sample:
    """Points in coordinates of unit spread.

    Attributes
    ----------
    values : (n, d) array
    weights : (n,) array
        Adding up to 1.
    pattern : (n, d) array
        Noise of each value relative to others of its variable.
    """

    values: np.ndarray
    weights: np.ndarray
    pattern: np.ndarray

    @property
    def count(self) -> float:
        """Number of equally weighted points that carry as much information."""
        return 1.0 / float(np.sum(self.weights**2))


@dataclass(frozen=True, eq=False)
class SampledDegree:
    """All that a sample says at one degree, in any metric.

    Attributes
    ----------
    sample : Sample
    problem : DegreeProblem
    grams : (d, m, m) array
        Weighted products of the slopes along each variable.
    split : Split
        What vanishes to rounding, and the rest.
    columns : int
        Coefficients of a polynomial of this degree.
    """

    sample: Sample
    problem: DegreeProblem
    grams: np.ndarray
    split: Split
    columns: int

    @classmethod
    def of(cls, sample: Sample, recursion: Recursion, columns: int) -> SampledDegree:
        """The degree after those of `recursion`."""
        X, w = sample.values, sample.weights
        problem = degree_problem(recursion, X, w, X, w, gradient=True)
        grams = _summed(sample, problem, factor=False)[1]
        split = find_basis(problem, Gradient(), ROUNDING_SHARE, ROUNDING_SHARE, ROUNDING_SHARE)
        return cls(sample, problem, grams, split, columns)

    @property
    def degree(self) -> int:
        """The degree."""
        return self.problem.recursion.degree + 1

    @property
    def exact(self) -> int:
        """How many polynomials vanish to rounding."""
        return self.split.G.shape[1]

    @property
    def left(self) -> float:
        """Points minus coefficients."""
        return self.sample.count - self.columns

    @property
    def recursion(self) -> Recursion:
        """With this degree; what vanishes to rounding is taken out."""
        return self.problem.recursion.with_layer(self.split.layer(self.problem))

    def held_out(self, metric: np.ndarray) -> float:
        """Smallest value in a metric by cross-validation: fitted to nine tenths of the points, measured on the others.

        Where coefficients are few beside the points that is the smallest value itself.
        """
        if self.exact or self.sample.count >= AMPLE_POINTS_PER_COEFFICIENT * self.columns:
            values = self.spectrum(metric)[0]
            return float(values[0]) if len(values) else np.inf
        square = size = 0.0
        factors, grams = zip(*self._folds)
        total = sum(grams)
        for fold, (factor, gram) in enumerate(self._folds):
            train = np.vstack(factors[:fold] + factors[fold + 1:])
            problem = replace(self.problem, data_factor=train, knot_factor=train,
                              gradient_gram=np.einsum("j,jab->ab", metric**2, total - gram))
            space = search_space(problem, Gradient())
            best = space @ ascending_svd(train @ space)[1][:, 0]
            square += np.sum((factor @ best) ** 2)
            size += best @ np.einsum("j,jab->ab", metric**2, gram) @ best
        return float(np.sqrt(square / size))

    @cached_property
    def _folds(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Factor and Gram matrices of each tenth of the points, dealt round by their distance from the centre, so that
        neither their order nor that of the variables matters."""
        order = np.argsort(np.sum(self.sample.values**2, axis=1), kind="stable")
        parts = []
        for fold in range(CROSS_VALIDATION_FOLDS):
            rows = order[fold::CROSS_VALIDATION_FOLDS]
            parts.append(_summed(Sample(*(part[rows] for part in (self.sample.values, self.sample.weights,
                                                                 self.sample.pattern))), self.problem))
        return parts

    def spectrum(self, metric: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Ascending values in a metric, corrected for the fitted coefficients, and the polynomials (columns over E).

        Those that vanish to rounding are left out.
        """
        problem = replace(self.problem, gradient_gram=np.einsum("j,jab->ab", metric**2, self.grams))
        space = search_space(problem, Gradient())
        if self.exact:
            exact = centred(self.split.G, problem.data_factor)
            space = space @ complement(space.T @ problem.gradient_gram @ exact)
        values, turn = ascending_svd(problem.data_factor @ space)
        return values * np.sqrt(self.sample.count / self.left), space @ turn


def _summed(sample, problem, factor=True):
    """Triangular factor of the weighted values of E, and Gram matrices of its slopes along each variable."""
    recursion, products = problem.recursion, problem.products
    m, d = problem.data_factor.shape[1], sample.values.shape[1]
    tall, grams = TallFactor(m), np.zeros((d, m, m))
    for rows in blocks(len(sample.values), m * d):
        v = recursion.evaluate(sample.values[rows], products, derivatives=True)
        root = np.sqrt(sample.weights[rows])[:, None]
        if factor:
            tall.add(np.hstack([v.F, v.P]) * root)
        slopes = np.concatenate([v.dF, v.dP], axis=2) * (sample.pattern[rows] * root)[:, :, None]
        for j in range(d):
            grams[j] += slopes[:, j].T @ slopes[:, j]
    return tall.factor, grams


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
    """

    at: SampledDegree
    k: int
    metric: np.ndarray
    values: np.ndarray
    G: np.ndarray

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
        size = np.diag(self.G.T @ self.at.grams.sum(axis=0) @ self.G)
        return float(np.sqrt(np.mean(self.at.problem.data_norms(self.G) ** 2 / size) / len(self.metric)))

    @cached_property
    def equations(self) -> np.ndarray:
        """G of unit size in coordinates of unit spread."""
        return self.G @ whitening(self.G.T @ self.at.grams.sum(axis=0) @ self.G)

    @cached_property
    def involved(self) -> np.ndarray:
        """Which variables the equations are about."""
        parts = np.einsum("ak,jab,bk->j", self.G, self.at.grams, self.G)
        return parts > LEAST_INVOLVED * parts.sum()

    def evaluated(self, points: np.ndarray) -> np.ndarray:
        """Values (n, k) of `equations`."""
        problem = self.at.problem
        return problem.recursion.evaluate(points, problem.products, combine=self.equations).G[:, -self.k:]

    def normals(self, points: np.ndarray, pattern: np.ndarray) -> Normals:
        """Distances of points in units of the metric."""
        problem = self.at.problem
        v = problem.recursion.evaluate(points, problem.products, derivatives=True, combine=self.equations)
        return normals(v.G[:, -self.k:], v.dG[:, :, -self.k:], self.metric * pattern)

    @cached_property
    def own_normals(self) -> Normals:
        """Of the sample's points."""
        return self.normals(self.at.sample.values, self.at.sample.pattern)

    @cached_property
    def levels(self) -> Levels:
        """Noise of each variable, relative to the metric."""
        sample = self.at.sample
        return noise_levels(self.own_normals, sample.weights, sample.count, self.involved)

    @property
    def determined(self) -> np.ndarray:
        """Of each variable, whether the data say what its noise is."""
        return self.involved & (self.levels.errors < DETERMINED)

    @cached_property
    def seen(self) -> float:
        """Share of the points at which some equation has a slope."""
        return float(self.at.sample.weights @ self.own_normals.strong[:, 0])

    @cached_property
    def typical(self) -> float:
        """Median distance of the points in coordinates of unit spread; those not seen count as far."""
        steps = self.own_normals.steps * self.metric * self.at.sample.pattern
        far = np.where(self.own_normals.strong[:, 0], np.linalg.norm(steps, axis=1), np.inf)
        order = np.argsort(far)
        half = int(np.searchsorted(np.cumsum(self.at.sample.weights[order]), 0.5))
        return float(far[order][min(half, len(far) - 1)])

    @cached_property
    def width(self) -> float:
        """How much wider than one value the cluster may be, if noise were the same everywhere."""
        found = self.own_normals
        u = found.distances[found.strong]
        w = np.broadcast_to(self.at.sample.weights[:, None], found.strong.shape)[found.strong]
        kurtosis = w.sum() * (w @ u**4) / max(w @ u**2, np.finfo(float).tiny) ** 2
        edge = min(np.sqrt(self.k / self.at.left * max((kurtosis - 1) / 2, 1.0)), LARGEST_EDGE)
        return float(CLUSTER_MARGIN * (1 + edge) / (1 - edge))

    @cached_property
    def feet(self) -> np.ndarray:
        """Positions of the sample's points on the variety, to first order."""
        return self.at.sample.values - self.own_normals.steps * self.metric * self.at.sample.pattern

    @cached_property
    def left_at_feet(self) -> float:
        """Share of the equations' values that is left at the feet, median: small where first-order distances are distances."""
        there, here = (np.linalg.norm(self.evaluated(z), axis=1) for z in (self.feet, self.at.sample.values))
        return float(np.median(there / np.maximum(here, np.finfo(float).tiny)))

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
        _, sizes, axes = np.linalg.svd(found.directions * found.strong[:, :, None], full_matrices=True)
        along = np.hstack([sizes, np.zeros((n, d - sizes.shape[1]))]) < 0.5        # singular values are 1 and 0
        here = self.evaluated(feet)
        mean = np.zeros_like(here)
        for j in range(d):
            step = self.noise * axes[:, j] * scale
            bent = (self.evaluated(feet + step) + self.evaluated(feet - step)) / 2 - here
            mean += np.where(along[:, j, None], bent, 0.0)
        return found._replace(distances=found.distances - (found.turn @ mean[:, :, None])[:, :, 0])


def hypothesis(at: SampledDegree, k: int, metric: np.ndarray | None = None, fixed: bool = False) -> Hypothesis | None:
    """The k best equations of a degree in their own metric; None where they have no slope anywhere.

    Parameters
    ----------
    at : SampledDegree
    k : int
    metric : (d,) array, optional
        Where to start; noise in proportion to the spread of each variable by default.
    fixed : bool
        Whether the metric is given, not a start.
    """
    metric = np.ones(len(at.grams)) if metric is None else metric
    for _ in range(MOST_METRICS):
        values, space = at.spectrum(metric)
        if len(values) < k:
            return None
        found = Hypothesis(at, k, metric, values, space[:, :k])
        if not found.own_normals.strong.any():
            return None
        if fixed or found.noise <= ROUNDING_SHARE:
            return found
        better = own_metric(found)
        if np.abs(np.log(better / metric)).max() < SETTLED_METRIC:
            return found
        metric = better
    return found


def own_metric(found: Hypothesis) -> np.ndarray:
    """The metric that the equations of a hypothesis imply."""
    metric = found.metric * found.levels.sizes
    metric = np.maximum(metric, QUIETEST * metric.max())
    return metric / np.sqrt(np.mean(metric**2))
