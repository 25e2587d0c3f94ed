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
from typing import NamedTuple

import numpy as np

from ..ground.linalg import complement, whitening
from ..ground.lowest import KRYLOV_COLUMNS, lowest, smallest_direction
from ..ground.tall_factor import TallFactor
from ..reading.points import effective_count
from .at_points import Shared
from .basis import Split, find_basis, search_space, smallest_polynomials
from .degree import DegreeProblem, degree_problem, values_and_slopes
from .normalization import Gradient, centred
from .recording import recording_steps
from .recursion import Recursion
from .seen import Seen
from .slopes import SlopeGrams, Slopes
from .work import decompositions

ROUNDING_SHARE = 1e-10
"""Share of the data's spread below which a value is rounding: the data are exact.  Measured on 2000 exact points of
each case of `tests.varieties`, degrees 1 to 8: values of equations came out below 6e-13, all others above 1e-6."""
EXACT_SHARE = 1e-6
"""Share of the largest slope that is more than rounding: a convention."""
CROSS_VALIDATION_FOLDS = 10
"""Parts into which the points are dealt: a convention."""
AMPLE_POINTS_PER_COEFFICIENT = 50
"""Beyond this fitted values are too small by 1 % only, and cross-validation is not needed."""
MOST_EQUATIONS = 60
"""Equations of one degree at most: a convention."""
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

    @cached_property
    def rounding(self) -> np.ndarray:
        """Standard deviation of what rounding to the steps of each variable adds; 0 where there are none."""
        return recording_steps(self.values) / np.sqrt(12)

    @cached_property
    def usual_spread(self) -> float:
        """Mean distance of the points from their median, which a few points far out do not decide."""
        middle = np.median(np.repeat(self.values, self.copies.astype(int), axis=0), axis=0)
        return float(self.weights @ np.linalg.norm(self.values - middle, axis=1))

    @cached_property
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
    grams : Slopes
        Of the weighted slopes along each variable.
    split : Split
        What vanishes to rounding, and the rest.
    columns : int
        Coefficients of a polynomial of this degree.
    """

    sample: Sample
    problem: DegreeProblem
    grams: Slopes
    split: Split
    columns: int
    _known: dict = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, sample: Sample, recursion: Recursion, columns: int) -> SampledDegree:
        """The degree after those of `recursion`."""
        X, w = sample.values, sample.weights
        decompositions(6, columns)
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
    def exact_slopes(self) -> np.ndarray:
        """(n, d, e): slopes of the polynomials that vanish to rounding."""
        values, problem = self.sample.values, self.problem
        if not self.exact:
            return np.zeros((*values.shape, 0))
        found = problem.recursion.evaluate(values, problem.products, derivatives=True, combine=self.split.G)
        return found.dG[:, :, -self.exact:]

    @cached_property
    def noiseless(self) -> np.ndarray:
        """(n, d): whether a polynomial that vanishes to rounding has a slope along a variable at a point."""
        size = np.abs(self.exact_slopes)
        return np.any(size > EXACT_SHARE * size.max(axis=(0, 1), initial=0.0), axis=2)

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
        """Ascending values in a metric, corrected for the fitted coefficients, and polynomials (columns over E).

        Those that vanish to rounding are left out.  There are at least `MOST_EQUATIONS` polynomials, or all; values of
        others are known to six digits, or, beside the next, not at all where they are very many (`lowest`).
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
        decompositions(2 * CROSS_VALIDATION_FOLDS, self.columns)
        grams = [fold.slopes.within(metric) for fold in self._folds]
        total = sum(grams)
        for fold, gram in zip(self._folds, grams):
            unit = whitening(total - gram)
            best = unit @ smallest_direction(fold.others @ unit)
            square += np.sum((fold.own @ best) ** 2)
            size += best @ gram @ best
        return float(np.sqrt(square / size))

    @cached_property
    def _folds(self) -> list[_Fold]:
        """Tenths of the points, dealt round by their distance from the centre, so that neither their order nor that of the
        variables matters."""
        order = np.argsort(np.sum(self.sample.values**2, axis=1), kind="stable")
        parts = []
        for fold in range(CROSS_VALIDATION_FOLDS):
            part = self.sample.rows(order[fold::CROSS_VALIDATION_FOLDS])
            parts.append(values_and_slopes(self.problem, Seen(part.values, part.weights), part.pattern))
        factors, folds = [factor for factor, _ in parts], []
        before, after = _running(factors), _running(factors[::-1])[::-1]
        for (factor, slopes), earlier, later in zip(parts, before, after):
            others = _running([earlier, later, earlier[:0]])[-1]
            space = centred(self._space, others)
            folds.append(_Fold(factor @ space, np.asarray(np.linalg.qr(others @ space, mode="r")), slopes.over(space)))
        return folds

    @cached_property
    def shared(self) -> Shared | None:
        """What its polynomials have in common at the sample's points; None for degree 1."""
        return Shared(self.problem.recursion, self.problem.products, self.sample.values) if self.degree > 1 else None

    @cached_property
    def _space(self) -> np.ndarray:
        """All polynomials (columns over E), of unit size and independent where noise is the same share of each spread."""
        return search_space(replace(self.problem, gradient_gram=self.grams.sum()), Gradient())

    @cached_property
    def _slopes(self) -> SlopeGrams:
        return self.grams.over(self._space)

    @cached_property
    def _values(self) -> np.ndarray:
        return np.asarray(np.linalg.qr(self.problem.data_factor @ self._space, mode="r"))

    def _spectrum(self, metric):
        return self.spectrum_beside(metric, self.split.G[:, :0])

    def spectrum_beside(self, metric: np.ndarray, known: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The same beside known polynomials (columns over E)."""
        decompositions(2, self.columns)
        if not known.shape[1] + self.exact and self.problem.data_factor.shape[1] >= KRYLOV_COLUMNS:
            root = Gradient().root(replace(self.problem, gradient_gram=self.grams.within(metric)))
            if root is not None:
                values, found = smallest_polynomials(self.problem.data_factor, root, lambda two: lowest(two, MOST_EQUATIONS))
                return values * np.sqrt(self.sample.count / self.left), found
        unit = whitening(self._slopes.within(metric))
        known = centred(np.hstack([self.split.G, known]), self.problem.data_factor)
        if known.shape[1]:
            unit = unit @ complement((self._space @ unit).T @ self.grams.within(metric) @ known)
        values, turn = lowest(self._values @ unit, MOST_EQUATIONS)
        return values * np.sqrt(self.sample.count / self.left), self._space @ (unit @ turn)


class _Fold(NamedTuple):
    """A part of the points: factors of the values of all polynomials on it and on the others, and slopes on it."""

    own: np.ndarray
    others: np.ndarray
    slopes: SlopeGrams


def _running(factors):
    """Factors of nothing, of the first, of the first two and so on, but not of all of them."""
    tall, found = TallFactor(factors[0].shape[1]), []
    for factor in factors:
        found.append(np.array(tall.factor))
        tall.merge(factor)
    return found
