r"""What a sample says at one degree, in any metric.

At each degree a sample is summed up once: a triangular factor of the values of all candidates and,
for each variable j, the Gram matrix of their slopes along it.  In a metric :math:`\rho` (the noise of
each variable, up to a common factor) the values

.. math:: s(g) = \mathrm{rms}\, g \,\Big/\, \Big(\sum_j \rho_j^2 \; \mathrm{rms}^2 \, \partial_j g\Big)^{1/2}

of the best polynomials follow by small linear algebra.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ..ground.linalg import TallFactor, ascending_svd, complement, smallest_direction
from ..reading.points import effective_count
from .basis import Split, find_basis, search_space
from .degree import DegreeProblem, SlopeGrams, degree_problem, values_and_slopes
from .normalization import Gradient, centred
from .recursion import Recursion
from .seen import Seen

ROUNDING_SHARE = 1e-10
"""Share of the data's spread below which a value is rounding: the data are exact.  Measured on 2000 exact points of
each case of `tests.varieties`, degrees 1 to 8: values of equations came out below 6e-13, all others above 1e-6."""
EXACT_SHARE = 1e-6
"""Share of the largest slope that is more than rounding: a convention."""
CROSS_VALIDATION_FOLDS = 10
"""Parts into which the points are dealt: a convention."""
AMPLE_POINTS_PER_COEFFICIENT = 50
"""Beyond this fitted values are too small by 1 % only, and cross-validation is not needed."""
MOST_VALIDATED = 1000
"""Coefficients beyond which cross-validation, ten decompositions, gives way to what it is expected to come to: a
convention, some ten seconds."""


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
    copies : (n,) array
        How many equal points each stands for.
    """

    values: np.ndarray
    weights: np.ndarray
    pattern: np.ndarray
    copies: np.ndarray

    def rows(self, chosen: np.ndarray) -> Sample:
        """Some of the points, with the weights they have."""
        return Sample(self.values[chosen], self.weights[chosen], self.pattern[chosen], self.copies[chosen])

    @property
    def count(self) -> float:
        """Number of equally weighted points whose weights have as much entropy."""
        return effective_count(self.weights)


@dataclass(frozen=True, eq=False)
class SampledDegree:
    """All that a sample says at one degree, in any metric.

    Attributes
    ----------
    sample : Sample
    problem : DegreeProblem
    grams : SlopeGrams
        Of the weighted slopes along each variable.
    split : Split
        What vanishes to rounding, and the rest.
    columns : int
        Coefficients of a polynomial of this degree.
    """

    sample: Sample
    problem: DegreeProblem
    grams: SlopeGrams
    split: Split
    columns: int
    _known: dict = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, sample: Sample, recursion: Recursion, columns: int) -> SampledDegree:
        """The degree after those of `recursion`."""
        X, w = sample.values, sample.weights
        problem = degree_problem(recursion, X, w, X, w, True, seen := Seen(X, w))
        grams = values_and_slopes(problem, seen, sample.pattern)[1]
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

    @cached_property
    def noiseless(self) -> np.ndarray:
        """(n, d): whether a polynomial that vanishes to rounding has a slope along a variable at a point."""
        values, problem = self.sample.values, self.problem
        if not self.exact:
            return np.zeros(values.shape, bool)
        found = problem.recursion.evaluate(values, problem.products, derivatives=True, combine=self.split.G)
        size = np.abs(found.dG[:, :, -self.exact:])
        return np.any(size > EXACT_SHARE * size.max(axis=(0, 1)), axis=2)

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

        Where coefficients are few beside the points that is the smallest value itself; where there are thousands, what m
        coefficients fitted to n points leave on others, :math:`\\sqrt{n / (n - m)}` times the noise.
        """
        return self._once("held_out", metric, self._held_out)

    def spectrum(self, metric: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Ascending values in a metric, corrected for the fitted coefficients, and the polynomials (columns over E).

        Those that vanish to rounding are left out.
        """
        return self._once("spectrum", metric, self._spectrum)

    def _once(self, what, metric, compute):
        """Searches ask for the same metric again and again."""
        key = what, metric.tobytes()
        if key not in self._known:
            self._known[key] = compute(metric)
        return self._known[key]

    def _held_out(self, metric):
        if self.exact or self.sample.count >= AMPLE_POINTS_PER_COEFFICIENT * self.columns:
            values = self.spectrum(metric)[0]
            return float(values[0]) if len(values) else np.inf
        if self.columns > MOST_VALIDATED:
            return float(self.spectrum(metric)[0][0] * np.sqrt(self.sample.count / self.left))
        square = size = 0.0
        factors, grams = zip(*((factor, slopes.within(metric)) for factor, slopes in self._folds))
        total = sum(grams)
        for factor, gram, train in zip(factors, grams, self._others):
            problem = replace(self.problem, data_factor=train, knot_factor=train, gradient_gram=total - gram)
            space = search_space(problem, Gradient())
            best = space @ smallest_direction(train @ space)
            square += np.sum((factor @ best) ** 2)
            size += best @ gram @ best
        return float(np.sqrt(square / size))

    @cached_property
    def _folds(self) -> list[tuple[np.ndarray, SlopeGrams]]:
        """Factor and slopes of each tenth of the points, dealt round by their distance from the centre, so that
        neither their order nor that of the variables matters."""
        order = np.argsort(np.sum(self.sample.values**2, axis=1), kind="stable")
        parts = []
        for fold in range(CROSS_VALIDATION_FOLDS):
            part = self.sample.rows(order[fold::CROSS_VALIDATION_FOLDS])
            parts.append(values_and_slopes(self.problem, Seen(part.values, part.weights), part.pattern))
        return parts

    @cached_property
    def _others(self) -> list[np.ndarray]:
        """Factor of all folds but each: of those before it and of those after it, each made by adding one to the last."""
        factors = [factor for factor, _ in self._folds]
        before, after = _running(factors), _running(factors[::-1])[::-1]
        return [_running([one, other, one[:0]])[-1] for one, other in zip(before, after)]

    def _spectrum(self, metric):
        return self.spectrum_beside(metric, self.split.G[:, :0])

    def spectrum_beside(self, metric: np.ndarray, known: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The same beside known polynomials (columns over E)."""
        problem = replace(self.problem, gradient_gram=self.grams.within(metric))
        space = search_space(problem, Gradient())
        known = centred(np.hstack([self.split.G, known]), problem.data_factor)
        if known.shape[1]:
            space = space @ complement(space.T @ problem.gradient_gram @ known)
        values, turn = ascending_svd(problem.data_factor @ space)
        return values * np.sqrt(self.sample.count / self.left), space @ turn


def _running(factors):
    """Factors of nothing, of the first, of the first two and so on, but not of all of them."""
    tall, found = TallFactor(factors[0].shape[1]), []
    for factor in factors:
        found.append(np.array(tall.factor))
        tall.add(factor)
    return found
