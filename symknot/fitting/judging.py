r"""What a search has come to so far, and what makes it believe a hypothesis.

A hypothesis *stands clear* if in its own metric its values are one cluster, no wider than sampling makes it, the next value is
larger by more than `STANDARD_ERRORS_OF_A_GAP` standard errors, and most points are near.  It is *new* if its smallest value has
fallen since the degree before by more than a polynomial in noise alone can make it fall (Hermite's polynomial of order r has
the value :math:`\sigma / \sqrt r`).  It *overrules* one of lower degree only if it brings the points `MUCH_LOWER_NOISE`
times nearer, lowers the noise of a variable as much, and raises that of none; or if it lowers that of all
by `WIDE_GAP`, and noise that would be far larger in one place than in another is then the same everywhere: a part of the points
had no equation.  One whose own noise differs more from place to place than that of the earlier, or that has no wide gap,
overrules nothing.  Where the factor is so near to `MUCH_LOWER_NOISE` that another kind of noise explains it
(`CLOSE_LOWER_NOISE`), it is a *rival*.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..ground.linalg import svd
from .hypothesis import Hypothesis
from .sampled import ROUNDING_SHARE, SampledDegree
from .structure import RANK_SHARE

SMALLEST_GAP = 1.3
"""Ratio of neighbouring values that may be a gap with however many points: a convention."""
STANDARD_ERRORS_OF_A_GAP = 5.0
"""... and with few points, in standard errors of a value, 1 / sqrt(2 n): a convention, less than one chance in a
million."""
WIDE_GAP = 2.5
"""Ratio that a gap must have where noise differs from place to place, which widens a cluster.  Measured on the cases of
`tests.varieties`, 300 points, 1 and 5 % noise: after the values of true equations the ratio is 3 to 100, or below 2.1
where noise hides the shape."""
HERMITE_MARGIN = 0.8
"""How much below the Hermite line a value may fall before it counts as a fall: a convention.  The line is that of small
noise on a straight variety; on the cases of `tests.varieties`, 300 points, 1 and 5 % noise, the values of true
equations came out at 0.87 to 1.13 times the noise."""
STANDARD_ERRORS_OF_A_FALL = 2.0
"""Standard errors that are granted besides: of the ratio of two root-mean-squares over n points, 1 / sqrt(n).  A
convention, once in 40 times."""
MUCH_LOWER_NOISE = 3.0
"""Factor by which a later degree must lower the noise to overrule an earlier one.  Derived: Hermite polynomials of
order 8, the highest there are up to `HIGHEST_SEARCHED_DEGREE`, lower it by a factor of 2.8."""
CLOSE_LOWER_NOISE = 5**0.5
"""The same from which on the later one is a rival.  Derived: the square of an equation has so much less noise than the equation
if noise is uniform, the most even there is."""
POINTS_TO_SPARE = 0.75
"""Share of the points that a degree must leave over to overrule an earlier one: a convention."""
LEAST_ROOM = 0.1
"""Share of the squared slopes of noisy equations that must be along values that may have noise: a convention; a curve that
holds to rounding has a few points with no slope along a variable."""
QUIET_EVERYWHERE = 0.95
"""Share of the points at which a variable takes part in an equation that holds to rounding, from which on it has no noise
at all: a convention; a curve has a few points with no slope along a variable."""

FEW_VALUED = 0.01
"""Share of the squared slopes of exact equations that may lie along other directions than those of noisy ones: a convention."""


@dataclass(eq=False)
class Searched:
    """What a search came to.

    Attributes
    ----------
    degrees : list of SampledDegree
    found : Hypothesis or None
    is_bent : bool
        Whether it was bent out of simpler equations, and so has no gap.
    rejected : list of Hypothesis
        Those that stood clear, but whose residuals carry structure.
    overruled : Hypothesis or None
        One of lower degree that `found` has overruled.
    rivals : list of Hypothesis
        Those of higher degree that stood clear and hardly failed to overrule.
    extended : Hypothesis or None
        One of the degree before that is part of `found`.
    unfinished : str
        What there was no work left for, in words; empty after a whole search.
    """

    degrees: list[SampledDegree] = field(default_factory=list)
    found: Hypothesis | None = None
    is_bent: bool = False
    rejected: list[Hypothesis] = field(default_factory=list)
    overruled: Hypothesis | None = None
    rivals: list[Hypothesis] = field(default_factory=list)
    extended: Hypothesis | None = None
    unfinished: str = ""

    @property
    def exact(self) -> SampledDegree | None:
        """The first degree with equations that hold to rounding."""
        return next((at for at in self.degrees if at.exact), None)

    @property
    def noiseless(self) -> np.ndarray:
        """(n, d): whether a value takes part in an equation that holds to rounding, and so has no noise."""
        return np.any([at.noiseless for at in self.degrees], axis=0)

    @property
    def quiet(self) -> np.ndarray:
        """(d,): which variables have no noise anywhere, beside others that may have it everywhere."""
        share = self.degrees[-1].sample.weights @ self.noiseless
        quiet = share > QUIET_EVERYWHERE
        return quiet & bool((share[~quiet] < 1 - QUIET_EVERYWHERE).all()) & ~quiet.all()

    def leaves_room(self, found: Hypothesis) -> bool:
        """Whether equations are about values that may have noise."""
        own = found.own_normals
        seen = np.einsum("n,nc,ncd->nd", found.at.sample.weights, own.strong, own.directions**2)
        return bool(seen[~self.noiseless].sum() > LEAST_ROOM * seen.sum())

    @property
    def kind(self) -> tuple[int, int]:
        """Degree and number of the equations found; zeros for none."""
        return (self.found.degree, self.found.k) if self.found else (0, 0)

    @property
    def beginning(self) -> tuple[SampledDegree, int] | None:
        """The degree before that of `found` at which its equations begin, and how many there are.

        Some of a system's equations may be of lower degree: those it extends, or those of a degree overruled, where they
        were mistaken for more of them, if they have a wide gap behind them.
        """
        if self.extended is not None:
            return self.extended.at, self.extended.k
        if self.overruled is None or self.found is None:
            return None
        at, top = self.overruled.at, self.found.values[self.found.k - 1]
        values = at.spectrum(self.found.metric)[0]
        k = int(np.sum(values <= top))
        return (at, k) if 0 < k < len(values) and values[k] >= WIDE_GAP * top else None

    def value_before(self, found: Hypothesis) -> float:
        """Smallest value of the degree before, in the metric of a hypothesis; infinite for degree 1."""
        if found.degree == 1:
            return np.inf
        return self.degrees[found.degree - 2].held_out(found.metric)

    def raw_value_before(self, found: Hypothesis) -> float:
        """The same as the points have it, not corrected for the coefficients fitted to them."""
        if found.degree == 1:
            return np.inf
        at = self.degrees[found.degree - 2]
        values = at.spectrum(found.metric)[0]
        return float(values[0] * np.sqrt(at.left / at.sample.count)) if len(values) else np.inf


def stands_clear(found: Hypothesis) -> bool:
    """Whether the values are one cluster with a gap behind it, near to most points."""
    smallest = max(SMALLEST_GAP, 1 + STANDARD_ERRORS_OF_A_GAP / np.sqrt(2 * found.at.left))
    if found.noise <= ROUNDING_SHARE or found.gap < smallest or not found.is_near():
        return False
    width, largest = found.width * found.values[0], found.values[found.k - 1]
    # linear equations have the same slopes everywhere, and so look at all places alike
    uneven = largest > width and found.degree > 1 and found.gap >= WIDE_GAP
    return largest <= (found.unevenness * width if uneven else width)


def is_new(state: Searched, found: Hypothesis) -> bool:
    """Whether the smallest value of a hypothesis has fallen so since the degree before."""
    return falls(found, found.at.held_out(found.metric), state.value_before(found))


def falls(found: Hypothesis, value: float, before: float) -> bool:
    """Whether the smallest value of a degree has fallen, from that of the degree before, by more than noise alone explains."""
    order = found.degree / max(found.degree - 1, 1)
    granted = 1 - STANDARD_ERRORS_OF_A_FALL / np.sqrt(found.at.sample.count)
    return value < HERMITE_MARGIN * granted / np.sqrt(order) * before


def is_few_valued(state: Searched, at: SampledDegree) -> bool:
    """Whether equations hold exactly at a degree only because noise of those found was rounded to few values (`recording`).

    They are about recorded values, and have slopes along those of the equations that are known, which lie about as near to
    the points as rounding puts them.
    """
    found = state.found
    if found is None or not at.exact:
        return False
    rounding = at.sample.rounding
    if not (rounding[at.noiseless.any(axis=0)] > 0).all():
        return False
    values = found.at.spectrum(np.where(rounding > 0, rounding, rounding.max()))[0]
    if not len(values) or values[0] >= at.degree / found.degree:
        return False
    known = np.concatenate([found.slopes, *(lower.exact_slopes for lower in state.degrees if lower.degree < at.degree)], axis=2)
    left, sizes, _ = svd(known)
    across = left * (sizes > RANK_SHARE * sizes[:, :1])[:, None, :]
    rest = at.exact_slopes - across @ (across.transpose(0, 2, 1) @ at.exact_slopes)
    return bool(np.sum(rest**2) < FEW_VALUED * np.sum(at.exact_slopes**2))


def overrules(later: Hypothesis, earlier: Hypothesis, much: float = MUCH_LOWER_NOISE) -> bool:
    """Whether a later degree sees much less noise in a variable whose noise the earlier one determines, and more in none."""
    known = earlier.determined
    if not has_points_to_spare(later.at) or (known & ~later.involved).any() or later.gap < WIDE_GAP:
        return False
    ratios = (later.noise * later.metric / (earlier.noise * earlier.metric))[known]
    if (len(ratios) and ratios.max() > 1) or later.unevenness > max(earlier.unevenness, WIDE_GAP):
        return False
    if earlier.unevenness > WIDE_GAP and later.unevenness == 1 and len(ratios) and ratios.max() * WIDE_GAP < 1:
        return True
    return not (len(ratios) and ratios.min() * much >= 1) and is_much_nearer(later, earlier, much)


def has_points_to_spare(at: SampledDegree) -> bool:
    """Whether a degree leaves so many points over that its equations may overrule others."""
    return at.left >= POINTS_TO_SPARE * at.sample.count


def is_much_nearer(one: Hypothesis, other: Hypothesis, much: float = MUCH_LOWER_NOISE) -> bool:
    """Whether most points are so many times nearer to one's equations."""
    return much * one.typical < other.typical


def is_close(later: Hypothesis, earlier: Hypothesis) -> bool:
    """Whether an overruled description is a rival still: by about as much above `MUCH_LOWER_NOISE` as others are below it."""
    return not is_much_nearer(later, earlier, MUCH_LOWER_NOISE**2 / CLOSE_LOWER_NOISE)
