r"""How well the data determine the coefficients of an equation.

An equation is written as one monomial (the *pivot*, with coefficient 1) plus a combination
:math:`\sum_a \theta_a m_a` of others.  Its value at a data point is its value at the knot
plus :math:`\nabla g \cdot e`, so for noise of standard deviation :math:`\sigma` a change of
:math:`\theta` is seen as

.. math:: \chi^2(\theta) = \sum_i w_i
          \frac{\big(\sum_a (\theta_a - \hat\theta_a) m_a(z_i)\big)^2}
                {\sigma^2 |\nabla g(z_i)|^2 + \tfrac12 \sigma^4 |H(z_i)|^2}

over the knots :math:`z_i` with weights :math:`w_i` (how many points each stands for); the second derivatives H count
where the slope is small, near a crossing or a cusp.  The
inverse of its matrix is the covariance of the coefficients; the shift that bending makes beyond the first order (`bias`)
is added to it as an error of its own.  Fixing some coefficients
(to zero, to a round number) and refitting the others raises it by a computable amount.

The denominator is the variance at the estimate.  A polynomial far from it has another one, and what noise makes of it is
to be judged by its own: where the estimate is :math:`x^2 - 100 x z + 60 y`, with slopes of a hundred, :math:`x^2` is
nothing beside noise, and yet :math:`x^2 = 0` is far from all points.  `Quadratic.steepness` is the mean, over the knots, of
the one variance over the other; :math:`\chi^2` divided by it does not depend on which coefficient is written as 1.

Monomials are taken in :math:`v = x / \rho` with :math:`\rho` the size of the data, so that no
power overflows; pivot and terms are those of the user's variables.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import prod

import numpy as np
import scipy.linalg

from ..fitting.fitted import Fitted
from ..fitting.sampled import ROUNDING_SHARE
from ..ground.blocks import blocks
from ..ground.linalg import ROUNDING, SMALLEST_DIVISOR, svd
from ..polynomials.evaluation import evaluate_monomials
from ..polynomials.monomials import monomials
from ..polynomials.numerals import nearest_float
from ..polynomials.terms import Terms
from .bias import mean_scores

SMALLEST_GRADIENT = 1e-3
"""Share of the root-mean-square gradient below which a gradient is taken to be so large: a convention.  At a singular
point it is zero, and where noise is nothing so is bending; a single knot there would decide everything."""
STEEPNESS_KNOTS = 1000
"""Knots, about, over which variances of polynomials are compared: a convention; a mean of ratios needs no more."""
MOST_BENT_VARIABLES = 6
"""Variables up to which the shift by bending is estimated: a convention; its nodes grow as their square."""
MOST_KNOTS = 50_000
"""Knots over which standard errors are summed; of more, so many are taken, evenly spread, with the weight of all.  A
convention: such a sum is then known to half a per cent, and so is a standard error."""
LARGEST_ORDINARY = 1e100
"""Spread, and one over it, up to which a variable that is zero at all knots is measured in its own unit: squares of
slopes in it can then be summed."""
UNDETERMINED_SHARE = 1e-6
"""Share of a unit vector outside the directions that data determine, beyond which its coefficient is not determined.
Derived: that share is the root of a difference from 1, which rounding leaves at about 1e-8."""


def thinned_knots(fitted: Fitted) -> tuple[np.ndarray, np.ndarray]:
    """`MOST_KNOTS` of the knots of a fit, evenly spread, with weights that add up to those of all."""
    rows = np.linspace(0, len(fitted.knots) - 1, MOST_KNOTS).astype(int)
    weights = fitted.knot_weights[rows]
    return fitted.knots[rows], weights * (fitted.knot_weights.sum() / weights.sum())


def knot_errors(fitted: Fitted) -> np.ndarray:
    """Standard errors of the coordinates of the knots of a fit, (K, d), in the user's variables."""
    found = fitted.assignment
    counts = fitted.knot_weights if found is None else np.bincount(found[found >= 0], minlength=len(fitted.knots))
    return np.outer(fitted.noise_level / np.sqrt(np.maximum(counts, 1)), fitted.scale / fitted.unit)


@dataclass(frozen=True, eq=False)
class KnotMonomials:
    """Monomials and their slopes at the knots, in the variables v = x / size.

    Attributes
    ----------
    exponents : (m, d) int array
    values : (K, m) array
    slopes : (K, d, m) array
        Derivatives by the inside variables (in which noise is isotropic).
    weights : (K,) array
    noise : float
        Standard deviation of the noise in the inside variables, at least `fitting.sampled.ROUNDING_SHARE`.
    size : tuple of Fraction
    points : (K, d) array
        The knots in inside units, from the origin of v.
    stretch : (d,) array
        v is these times `stretch`.
    """

    exponents: np.ndarray
    values: np.ndarray
    slopes: np.ndarray
    weights: np.ndarray
    noise: float
    size: tuple[Fraction, ...]
    points: np.ndarray
    stretch: np.ndarray

    @classmethod
    def of(cls, fitted: Fitted, degree: int) -> KnotMonomials:
        """At the knots of a fit, up to `degree`."""
        exponents, knots, weights = monomials(len(fitted.names), degree).exponents, fitted.knots, fitted.knot_weights
        size = np.abs(knots).max(axis=0)
        if len(knots) > MOST_KNOTS:
            knots, weights = thinned_knots(fitted)
        ordinary = (fitted.scale < LARGEST_ORDINARY) & (fitted.scale > 1 / LARGEST_ORDINARY)
        size = np.where(size > 0, size, np.where(ordinary, 1.0, fitted.scale))
        values, slopes = evaluate_monomials(knots / size, exponents)
        slopes = slopes * (fitted.scale / size)[None, :, None]
        noise = max(fitted.noise_level / fitted.unit, ROUNDING_SHARE)
        return cls(exponents, values, slopes, weights, noise, tuple(map(Fraction, size.tolist())),
                   knots / fitted.scale, fitted.scale / size)

    def at(self, points: np.ndarray, columns: Sequence[int] | slice = slice(None)) -> tuple[np.ndarray, np.ndarray]:
        """Values and slopes of some monomials at other points, given as `points` are."""
        values, slopes = evaluate_monomials(points * self.stretch, self.exponents[columns])
        return values, slopes * self.stretch[None, :, None]

    def scaled(self, terms: Terms) -> np.ndarray:
        """Coefficients in v (floats) of exact terms in x."""
        index = {tuple(e): a for a, e in enumerate(self.exponents.tolist())}
        out = np.zeros(len(self.exponents))
        for exponents, value in terms.items():
            out[index[exponents]] = nearest_float(value * self.power(exponents), "coefficient of an equation")
        return out

    def power(self, exponents: Iterable[int]) -> Fraction:
        """Size to the given exponents: x coefficient times this is the v coefficient."""
        key = tuple(map(int, exponents))
        if key not in self._powers:
            self._powers[key] = prod((size**e for size, e in zip(self.size, key)), start=Fraction(1))
        return self._powers[key]

    @cached_property
    def _powers(self) -> dict[tuple[int, ...], Fraction]:
        return {}


class Quadratic:
    """chi^2 of coefficients around their estimate; some may be fixed, the others then follow.

    Parameters
    ----------
    factor : (r, p) array
        chi^2 is the squared norm of ``factor @ (values - estimate)``.
    estimate : (p,) array

    Examples
    --------
    >>> judge = Quadratic(np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([2.0, 3.0]))
    >>> judge.fix(1, 4.0)
    >>> judge.values.tolist(), judge.rise()
    ([1.0, 4.0], 1.0)
    """

    def __init__(self, factor: np.ndarray, estimate: Sequence[float] | np.ndarray) -> None:
        self.factor = factor
        self.estimate = np.asarray(estimate, dtype=float)
        self.fixed = np.zeros(len(self.estimate), dtype=bool)
        self.values = self.estimate.copy()

    @property
    def free(self) -> np.ndarray:
        """Places of the coefficients that are not fixed."""
        return np.flatnonzero(~self.fixed)

    def standard_errors(self) -> np.ndarray:
        """Of the free coefficients, given the fixed ones."""
        if not len(self.free):
            return np.zeros(0)
        _, sizes, vectors = svd(self.factor[:, self.free])
        seen = sizes > ROUNDING * sizes[0]
        if len(sizes) < len(self.free) or not seen.all():
            # some combination is not determined at all: whatever takes part in it is not either
            blind = complement_share(vectors[seen[: len(vectors)]], len(self.free))
            errors = np.sqrt(np.sum((vectors[seen].T / sizes[seen]) ** 2, axis=1))
            return np.where(blind > UNDETERMINED_SHARE, np.inf, errors)
        return np.sqrt(np.sum((vectors.T / sizes) ** 2, axis=1))

    def rise(self) -> float:
        """chi^2 at the present values."""
        return float(np.sum((self.factor @ (self.values - self.estimate)) ** 2))

    def steepness(self, values: np.ndarray) -> float:
        """Variance of what noise makes of the polynomial with these coefficients, over that at the estimate."""
        return 1.0

    def fix(self, place: int, value: float) -> None:
        """Fix one coefficient and refit the free ones."""
        self.fixed[place] = True
        self.values[place] = value
        self._refit()

    def release(self, place: int) -> None:
        """Take a fixed coefficient back."""
        self.fixed[place] = False
        self._refit()

    def _refit(self):
        moved = self.factor[:, self.fixed] @ (self.values - self.estimate)[self.fixed]
        free = self.free
        if len(free):
            self.values[free] = self.estimate[free] - np.linalg.lstsq(self.factor[:, free], moved, rcond=ROUNDING)[0]


class ChiSquare(Quadratic):
    """The quadratic form of one equation's coefficients.

    Parameters
    ----------
    at : KnotMonomials
    coefficients : (m,) array
        Of the equation, in v; the pivot's is 1.
    pivot : int
    active : (p,) int array
        Monomials whose coefficients are estimated.
    """

    def __init__(self, at: KnotMonomials, coefficients: np.ndarray, pivot: int, active: np.ndarray) -> None:
        slopes = at.slopes @ coefficients
        squares = np.sum(slopes**2, axis=1)
        rms = np.sqrt(at.weights @ squares / at.weights.sum())
        spread = np.sqrt(np.maximum(squares + _bending(at, coefficients, slopes), (SMALLEST_GRADIENT * rms) ** 2))
        self.gradient = rms
        self.active = np.asarray(active)
        self.pivot = pivot
        rows = at.values[:, active] * (np.sqrt(at.weights) / (at.noise * spread))[:, None]
        factor = scipy.linalg.qr(rows, mode="r", check_finite=False)[0][: len(active)]
        super().__init__(self._with_bias(factor, at, coefficients), coefficients[self.active])
        self._variance = _variance_form(at, [pivot, *self.active], spread)
        self._at_estimate = self._variance_of(self.estimate)

    def steepness(self, values: np.ndarray) -> float:
        return self._variance_of(values) / self._at_estimate if self._at_estimate else 1.0

    def _variance_of(self, values):
        every = np.concatenate([[1.0], values])
        return float(every @ self._variance @ every)

    def _with_bias(self, factor, at, coefficients):
        """The factor of the inverse of covariance plus b b^T, for the shift b of the coefficients that bending makes."""
        if len(factor) < len(self.active) or not len(factor) or at.points.shape[1] > MOST_BENT_VARIABLES:
            return factor

        used = np.flatnonzero(coefficients)

        def polynomial(points):
            values, slopes = at.at(points, used)
            return values @ coefficients[used], slopes @ coefficients[used]

        scores = mean_scores(polynomial, lambda points: at.at(points, self.active)[0], at.points, at.weights, at.noise)
        if not (np.isfinite(factor).all() and np.isfinite(scores).all()):
            return factor
        with np.errstate(all="ignore"):
            seen = np.linalg.lstsq(factor.T, scores, rcond=ROUNDING)[0]        # factor @ b
        length = np.linalg.norm(seen)
        if not 0 < length < np.inf:
            return factor
        direction = seen / length
        return factor - (1 - 1 / np.hypot(1, length)) * np.outer(direction, direction @ factor)


def _bending(at, coefficients, slopes):
    """Half the square of noise times the second derivatives at each knot, by differences over one standard deviation."""
    out = np.zeros(len(at.points))
    for rows in blocks(len(at.points), len(coefficients) * at.points.shape[1]) if _bends(at) else []:
        for step in at.noise * np.eye(at.points.shape[1]):
            out[rows] += np.sum((at.at(at.points[rows] + step)[1] @ coefficients - slopes[rows]) ** 2, axis=1) / 2
    return out


def _bends(at):
    """Whether there is anything beyond degree 1; slopes of linear equations are the same everywhere."""
    return bool(np.sum(at.exponents, axis=1).max(initial=0) > 1)


def _variance_form(at, columns, spread):
    """Matrix of the mean of the variance of a polynomial in these monomials, over `spread` squared."""
    every = max(len(at.points) // STEEPNESS_KNOTS, 1)
    points, weights = at.points[::every], np.sqrt(at.weights[::every]) / np.maximum(spread[::every], SMALLEST_DIVISOR)
    slopes = at.slopes[::every][:, :, columns]
    steps = at.noise * np.eye(points.shape[1]) if _bends(at) else []
    bent = [(at.at(points + step, columns)[1] - slopes) / np.sqrt(2) for step in steps]
    form = np.zeros((len(columns), len(columns)))
    for part in (slopes, *bent):
        rows = (part * weights[:, None, None]).reshape(-1, len(columns))
        form += rows.T @ rows
    return form


def complement_share(rows: np.ndarray, count: int) -> np.ndarray:
    """How much of each unit vector lies outside the span of the orthonormal `rows`."""
    return np.sqrt(np.maximum(0, 1 - np.sum(rows**2, axis=0))) if len(rows) else np.ones(count)
