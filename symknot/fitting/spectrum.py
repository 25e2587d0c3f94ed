r"""The noise-normalised spectrum across degrees, and epsilon read off its gap.

At each degree t the values :math:`s_1 \le s_2 \le \dots` are the root-mean-square value
over the root-mean-square gradient of the best polynomials of degree at most t, one
orthogonal to the next.  If k independent equations hold and the noise has standard
deviation :math:`\sigma`, the first k values are near :math:`\sigma` and the next is
larger.  What a gap must look like follows from three facts.

*Sampling.*  Values of m coefficients fitted to n points are too small by
:math:`\sqrt{(n-m)/n}`, which is corrected.  The k values of a cluster scatter within
the edges :math:`1 \pm \sqrt{k/(n-m)}` of a random matrix's spectrum.  Where coefficients
are many, the smallest value of all is worth little; it is judged by cross-validation:
fitted to nine tenths of the points, measured on the others (`held_out`).

*A true equation stays.*  At higher degrees its multiples have the same value.  Noise
alone lowers the smallest value as the Hermite polynomial of order r does, to
:math:`\sigma / \sqrt r`, and order r takes a polynomial in the equation, so r is u/t, rounded
down, at degree u for one equation of degree t; where several equations meet, one further
degree may buy an order (on the three axes, x y z beside x y, x z and y z), so r = 1 + u - t.
That leniency is for gaps that are wide by themselves.  A value that falls faster was no noise
level: structure was still unresolved there.  So a degree is believed only if the next
`CONFIRMING_DEGREES` degrees stay above that line.

*A true equation is new.*  The value must have fallen, by more than that, since the
degree before; or be of degree 1.

The first degree that passes is taken, unless a later one that passes finds a noise
level several times lower with points to spare.  Where none passes nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..ground.checks import whole_number
from ..ground.linalg import ascending_svd
from ..polynomials.monomials import count
from ..reading.points import Points, read_points
from .basis import find_basis, search_space
from .degree import degree_problem
from .normalization import Gradient
from .recursion import Recursion

ROUNDING_SHARE = 1e-10
"""Share of the data's spread below which a value is rounding: the data are exact.  Measured on 2000 exact points of
each case of `tests.varieties`, degrees 1 to 8: values of equations came out below 6e-13, all others above 1e-6."""
HERMITE_MARGIN = 0.8
"""How much below the Hermite line a value may fall before it counts as a fall: a convention.  The line is that of small
noise on a straight variety; on the cases of `tests.varieties`, 300 points, 1 and 5 % noise, the values of true
equations came out at 0.87 to 1.13 times the noise."""
STANDARD_ERRORS_OF_A_FALL = 2.0
"""Standard errors that are granted besides: of the ratio of two root-mean-squares over n points, 1 / sqrt(n).  A
convention, once in 40 times."""
CROSS_VALIDATION_FOLDS = 10
"""Parts into which the points are dealt: a convention."""
AMPLE_POINTS_PER_COEFFICIENT = 50
"""Beyond this fitted values are too small by 1 % only, and cross-validation is not needed."""
CONFIRMING_DEGREES = 2
"""Higher degrees that must confirm a gap: a convention."""
MUCH_LOWER_NOISE = 3.0
"""Factor by which a later degree must lower the noise to overrule an earlier one.  Derived: Hermite polynomials of
order 8, the highest there are up to `HIGHEST_SEARCHED_DEGREE`, lower it by a factor of 2.8."""
WIDE_GAP = 2.5
"""Ratio of neighbouring values that needs no confirmation.  Measured on the cases of `tests.varieties`, 300 points, 1
and 5 % noise: after the values of true equations the ratio is 3 to 100, or below 2.1 where noise hides the shape."""
IRREFUTABLE_GAP = 2 * WIDE_GAP
"""Ratio that degrees with few points to spare cannot refute: a convention."""
LOUDEST_NOISE = 0.25
"""Share of the data's spread beyond which noise leaves no shape to speak of: a convention.  Derived for comparison: a
round cloud, without any shape, shows 0.71 in the plane and 0.58 in space."""
POINTS_TO_SPARE = 0.75
"""Share of the points that a degree must leave over to overrule what an earlier one says clearly: a convention."""
MOST_COEFFICIENTS = 350
"""Coefficients of a degree at which the search for a gap stops: a convention, for time grows as their cube."""
MOST_POINTS = 20_000
"""Points that the search looks at.  Derived: a root-mean-square over so many is known to 0.5 %, and more only take
longer."""
HIGHEST_SEARCHED_DEGREE = 8
"""Degree at which the search stops: a convention; low degrees are the intended use."""
COEFFICIENTS_PER_POINT = 0.75
"""Share of the points up to which coefficients may be fitted to them: a convention; beyond it the correction for
fitted coefficients doubles the values."""
FEWEST_POINTS_LEFT = 2
"""Points that must be left over at least, however few there are: a convention."""
SMALLEST_GAP = 1.3
"""Ratio of neighbouring values that may be a gap with however many points: a convention."""
STANDARD_ERRORS_OF_A_GAP = 5.0
"""... and with few points, in standard errors of a value, 1 / sqrt(2 n): a convention, less than one chance in a
million."""
LARGEST_EDGE = 0.8
"""Half-width of a random matrix's spectrum is not taken larger than this share: its lower edge would reach zero.
A convention."""
CLUSTER_MARGIN = 1.1
"""How much wider than a random matrix's spectrum a cluster of values may be: a convention."""
UNEVEN_NOISE_FACTOR = 4.0
"""Noise that differs between the variables widens the cluster; then the gap must be wider than it so many times: a
convention."""
LARGEST_EPSILON_OVER_NOISE = 2.0
"""Epsilon is the geometric mean of the gap's two sides, but no more than this times its lower one: a convention."""
EXACT_EPSILON = 1e-6
"""Largest epsilon, as a share of the spread, for data that are exact: a convention."""
SHOWN_VALUES = 8
"""Values of a degree that are shown: a convention, a line."""


@dataclass(frozen=True, eq=False)
class SpectrumDegree:
    """Values at one degree, ascending, in the user's units.

    Attributes
    ----------
    degree : int
    values : array
    held_out : float
        The smallest value, measured on points it was not fitted to.
    points_left : float
        Points minus fitted coefficients.
    points : float
    """

    degree: int
    values: np.ndarray
    held_out: float
    points_left: float
    points: float

    @property
    def has_points_to_spare(self) -> bool:
        """Whether enough points are left over to overrule an earlier degree."""
        return self.points_left >= POINTS_TO_SPARE * self.points

    def inexact(self, spread: float) -> np.ndarray:
        """The values that are more than rounding."""
        return self.values[self.values > ROUNDING_SHARE * spread]


@dataclass(frozen=True)
class Gap:
    """The gap that epsilon was read from.

    Attributes
    ----------
    degree, count : int
        Degree at which `count` equations appear.
    noise : float
        Root-mean-square of their values: the noise's standard deviation.
    below, above : float
        Largest value of theirs, and the next value.
    epsilon : float
        Between the two.
    """

    degree: int
    count: int
    noise: float
    below: float
    above: float
    epsilon: float


@dataclass(frozen=True, eq=False)
class Spectrum:
    """Noise-normalised values by degree; `gap` is None where no equation stands clear.

    `str` shows it for a person to choose from.
    """

    degrees: tuple[SpectrumDegree, ...]
    gap: Gap | None
    spread: float

    def __str__(self) -> str:
        lines = ["degree  root-mean-square value over gradient, smallest first"]
        for row in self.degrees:
            k = self.gap.count if self.gap and self.gap.degree == row.degree else 0
            cells = [f"{value:.3g}" for value in row.values[:SHOWN_VALUES]]
            if k:
                cells.insert(min(k, SHOWN_VALUES), "|")
            more = " ..." if len(row.values) > SHOWN_VALUES else ""
            lines.append(f"{row.degree:6d}  {'  '.join(cells)}{more}")
        if self.gap:
            gap = self.gap
            lines.append(f"gap at degree {gap.degree}: {gap.count} equation(s) at noise {gap.noise:.3g}, "
                         f"next value {gap.above:.3g}; epsilon = {gap.epsilon:.3g}")
        else:
            lines.append("no gap: no equation stands clear of the rest at these degrees")
        return "\n".join(lines)


def spectrum(points: Any, max_degree: int | None = None, *, noise: Sequence[float] | np.ndarray | None = None,
             weights: Sequence[float] | np.ndarray | None = None, names: Sequence | None = None) -> Spectrum:
    """Noise-normalised spectrum of the data, degree by degree.

    Parameters
    ----------
    points : array, nested list, DataFrame or path of a data file
    max_degree : int, optional
        Highest degree to look at; by default as far as the number of points carries.
    noise, weights, names
        As in `symknot.fit`.

    Returns
    -------
    Spectrum

    Examples
    --------
    >>> import numpy as np
    >>> t = np.linspace(0, 6.2, 200)
    >>> noise = 0.01 * np.random.default_rng(0).normal(size=(200, 2))
    >>> found = spectrum(np.c_[np.cos(t), np.sin(t)] + noise)
    >>> found.gap.degree, found.gap.count, round(found.gap.noise, 2)
    (2, 1, 0.01)
    """
    max_degree = degree_limit(max_degree)
    return spectrum_of(read_points(points, names=names, noise=noise, weights=weights), max_degree)


def degree_limit(max_degree: Any) -> int | None:
    """`max_degree`, checked; None for no limit."""
    return None if max_degree is None else whole_number("max_degree", max_degree, 1)


def spectrum_of(points: Points, max_degree: int | None = None) -> Spectrum:
    """`spectrum` of points that are inside already."""
    points = points.thinned(MOST_POINTS)
    n, d = points.effective_count, points.values.shape[1]
    recursion = Recursion(d, 1.0)
    degrees: tuple[SpectrumDegree, ...] = ()
    gap = None
    for degree in range(1, (max_degree or HIGHEST_SEARCHED_DEGREE) + 1):
        # at twice its degree an equation's square lowers the value for the first time: the last word on it
        if gap and degree > max(2 * gap.degree, gap.degree + CONFIRMING_DEGREES + 1):
            break
        columns = count(d, degree) - 1
        if columns > MOST_COEFFICIENTS or n - columns < max(FEWEST_POINTS_LEFT, (1 - COEFFICIENTS_PER_POINT) * n):
            break
        problem = degree_problem(recursion, points.values, points.weights, points.values, points.weights, gradient=True)
        if not len(problem.products.left):
            break
        split = find_basis(problem, Gradient(), ROUNDING_SHARE, ROUNDING_SHARE, ROUNDING_SHARE)
        values = np.concatenate([np.zeros(split.exact), split.data_values])
        left = n - columns
        values = values * np.sqrt(n / left)
        if split.exact or n >= AMPLE_POINTS_PER_COEFFICIENT * columns:
            held_out = float(values[values > ROUNDING_SHARE][:1].sum())
        else:
            held_out = _held_out_value(recursion, points)
        degrees += (SpectrumDegree(degree, values * points.unit, held_out * points.unit, left, n),)
        gap = find_gap(degrees, points.unit)
        recursion = recursion.with_layer(split.layer(problem))
    return Spectrum(degrees, gap, points.unit)


def _held_out_value(recursion, points):
    """Smallest value at the next degree by cross-validation.

    Folds go round by distance from the centroid, so that neither the order of the points
    nor that of the variables matters.
    """
    order = np.argsort(np.sum(points.values**2, axis=1), kind="stable")
    parts = []
    for fold in range(CROSS_VALIDATION_FOLDS):
        rows = order[fold::CROSS_VALIDATION_FOLDS]
        values, weights = points.values[rows], points.weights[rows]
        parts.append(degree_problem(recursion, values, weights, values, weights, gradient=True))
    square = size = 0.0
    for fold, test in enumerate(parts):
        train = parts[:fold] + parts[fold + 1:]
        factor = np.vstack([part.data_factor for part in train])
        problem = replace(test, data_factor=factor, knot_factor=factor,
                          gradient_gram=sum(part.gradient_gram for part in train))
        space = search_space(problem, Gradient())
        best = space @ ascending_svd(factor @ space)[1][:, 0]
        square += np.sum((test.data_factor @ best) ** 2)
        size += best @ test.gradient_gram @ best
    return float(np.sqrt(square / size))


def find_gap(degrees: Sequence[SpectrumDegree], spread: float) -> Gap | None:
    """The gap that stands for equations, or None; see the module's text for the rule."""
    exact = next((_exact_gap(row, spread) for row in degrees if row.values[0] <= ROUNDING_SHARE * spread), None)
    if exact and exact.degree > 1:
        return exact
    found = None
    for place in range(len(degrees)):
        gap = _gap_at(degrees, place, spread)
        lower = found and degrees[place].has_points_to_spare and gap and MUCH_LOWER_NOISE * gap.noise < found.noise
        if gap is not None and (found is None or lower):
            found = gap
    # a column that is constant, or the sum of others, says nothing about the noise of the rest
    return found or exact


def _exact_gap(row, spread):
    """Equations that hold to rounding, on more points than they have coefficients: no accident."""
    inexact = row.inexact(spread)
    above = float(inexact[0]) if len(inexact) else spread
    return Gap(row.degree, len(row.values) - len(inexact), 0.0, 0.0, above,
               float(min(EXACT_EPSILON * spread, np.sqrt(ROUNDING_SHARE * spread * above))))


def _gap_at(degrees, place, spread):
    here, later = degrees[place], degrees[place + 1: place + 1 + CONFIRMING_DEGREES]
    values = here.inexact(spread)
    before = degrees[place - 1] if place else None
    if not len(values) or (before and not has_fallen(before, here, here.degree / before.degree)):
        return None
    k = best_split(values, here.points_left, certain=not later)
    if k is None:
        return None
    gap = values[k] / values[k - 1]
    if gap >= IRREFUTABLE_GAP:
        later = [row for row in later if row.has_points_to_spare]
    meet = k > 1 and gap >= WIDE_GAP
    if any(has_fallen(here, row, 1 + row.degree - here.degree if meet else row.degree // here.degree)
           for row in later):
        return None
    below, above = values[k - 1], values[k]
    noise = float(below * np.sqrt(np.mean((values[:k] / below) ** 2)))
    if noise > LOUDEST_NOISE * spread:
        return None
    epsilon = float(below * min(np.sqrt(above / below), LARGEST_EPSILON_OVER_NOISE))
    return Gap(here.degree, k, noise, float(below), float(above), epsilon)


def has_fallen(before: SpectrumDegree, after: SpectrumDegree, order: float) -> bool:
    """Whether the smallest value fell by more than noise alone can explain, by Hermite polynomials of `order`."""
    granted = STANDARD_ERRORS_OF_A_FALL / np.sqrt(after.points)
    return after.held_out < HERMITE_MARGIN * (1 - granted) / np.sqrt(order) * before.held_out


def best_split(values: np.ndarray, points_left: float, certain: bool = False) -> int | None:
    """After how many of the ascending `values` the widest admissible gap comes; None without one.

    Without higher degrees to confirm it (`certain`), the gap must be wide by itself.
    """
    smallest = WIDE_GAP if certain else max(SMALLEST_GAP, 1 + STANDARD_ERRORS_OF_A_GAP / np.sqrt(2 * points_left))
    best, widest = None, smallest
    for k in range(1, len(values)):
        edge = min(np.sqrt(k / points_left), LARGEST_EDGE)
        spread, gap = values[k - 1] / values[0], values[k] / values[k - 1]
        narrow = spread <= CLUSTER_MARGIN * (1 + edge) / (1 - edge)
        if gap >= widest and (narrow or gap >= UNEVEN_NOISE_FACTOR * spread):
            best, widest = k, gap
    return best
