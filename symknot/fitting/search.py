r"""Which equations the points show, with nothing given: degree by degree, each as a hypothesis with its own noise.

At degree t the values of the best polynomials, noise in proportion to each variable's spread, show where
gaps might be; for each of them, the most equations first, a `hypothesis` finds its own metric.  It is
believed if

*it stands clear*: in its own metric its values are one cluster, no wider than sampling makes it, and the next value is
larger by more than `STANDARD_ERRORS_OF_A_GAP` standard errors;

*it is new*: its smallest value has fallen since the degree before, by more than a polynomial in
noise alone can make it fall (Hermite's polynomial of order r has the value :math:`\sigma / \sqrt r`);

*it is near*: most points see it, they are nearer to it than `LOUDEST_NOISE` of their spread, and one step takes them
onto it, so that distances are distances;

*its residuals carry no structure* (`structure`).

The first degree with such a hypothesis is taken.  One that stands clear but has structure in its residuals is too simple:
if the next degree has none that stands clear, it is bent (`bending`).  A few higher degrees are looked at
where the test had no power (finitely many points), noise is large or differs from place to place; a
hypothesis there is preferred only if it brings the points `MUCH_LOWER_NOISE` times nearer, lowers the noise of a variable
as much, and raises that of none.

Equations that hold to rounding are kept beside the noisy ones.  At a point where such an equation has a slope along a
variable, that value has no noise, so noisy equations must be about others, too.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..polynomials.monomials import count
from .bending import bent
from .extending import extension, new_values
from .hypothesis import LOUDEST_NOISE, Hypothesis, hypothesis, silenced
from .recursion import Recursion
from .sampled import ROUNDING_SHARE, Sample, SampledDegree

LOUD_NOISE = 0.1
"""Share from which on a few higher degrees are looked at: a convention."""
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
MOST_COEFFICIENTS = 350
"""Coefficients at which the search stops by itself beyond `FURTHEST_CARRIED_DEGREE`, where no highest degree was asked for: a
convention, for time grows as their cube."""
FURTHEST_CARRIED_DEGREE = 2
"""Degree up to which the search goes as far as the points carry, however many coefficients that takes: a convention; spheres,
ellipsoids and products are what many columns can be expected to show."""
HIGHEST_SEARCHED_DEGREE = 8
"""Degree at which the search stops: a convention; low degrees are the intended use."""
COEFFICIENTS_PER_POINT = 0.75
"""Share of the points up to which coefficients may be fitted to them: a convention; beyond it the correction for
fitted coefficients doubles the values."""
FEWEST_POINTS_LEFT = 2
"""Points that must be left over at least, however few there are: a convention."""
FEWEST_FOR_NOISE = 10
"""Points that must be left over for noise to be estimated from them: a convention; with ten a standard deviation is known
to a quarter."""
POINTS_TO_SPARE = 0.75
"""Share of the points that a degree must leave over to overrule an earlier one: a convention."""
LEAST_ROOM = 0.1
"""Share of the squared slopes of noisy equations that must be along values that may have noise: a convention; a curve that
holds to rounding has a few points with no slope along a variable."""
QUIET_EVERYWHERE = 0.95
"""Share of the points at which a variable takes part in an equation that holds to rounding, from which on it has no noise
at all: a convention; a curve has a few points with no slope along a variable."""
LITTLE_NOISE = 0.1
"""Noise of the other variables if most of it is in one: a convention."""
OTHER_NOISE_LEVEL = 0.02
"""Chance from which on structure is taken to come from a wrong idea of the noise: a convention, far above the level of
the test, for there are several ideas."""
OTHER_NOISE_STEPS = tuple(np.log([2.0, 2.0, 2.0**0.5]))
"""Steps in the logarithm of a variable's noise with which others are tried: a convention."""
LARGEST_EPSILON_OVER_NOISE = 2.0
"""Epsilon is the geometric mean of the gap's two sides, but no more than this times its lower one: a convention."""
MOST_EQUATIONS = 60
"""Equations of one degree at most: a convention."""


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
    extended : Hypothesis or None
        One of the degree before that is part of `found`.
    """

    degrees: list[SampledDegree] = field(default_factory=list)
    found: Hypothesis | None = None
    is_bent: bool = False
    rejected: list[Hypothesis] = field(default_factory=list)
    overruled: Hypothesis | None = None
    extended: Hypothesis | None = None

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


def search_sample(sample: Sample, max_degree: int | None, metric: np.ndarray | None, noisy: bool = True) -> Searched:
    """Search a sample; see the module's text.

    Parameters
    ----------
    sample : Sample
    max_degree : int or None
    metric : (d,) array or None
        Noise of each variable relative to its spread, where given.
    noisy : bool
        Without it only equations that hold to rounding are looked for.
    """
    n, d = sample.count, sample.values.shape[1]
    state, recursion = Searched(), Recursion(sample.values.shape[1], 1.0)
    for degree in range(1, (max_degree or HIGHEST_SEARCHED_DEGREE) + 1):
        columns = count(d, degree) - 1
        too_long = max_degree is None and degree > FURTHEST_CARRIED_DEGREE and columns > MOST_COEFFICIENTS
        if too_long or n - columns < max(FEWEST_POINTS_LEFT, (1 - COEFFICIENTS_PER_POINT) * n):
            break
        is_enough = _is_enough(state, degree)
        if is_enough and not _may_be_extended(state, degree, metric):
            break
        at = SampledDegree.of(sample, recursion, columns)
        if not len(at.problem.products.left):
            break
        state.degrees.append(at)
        if state.found is not None and not state.leaves_room(state.found):
            state.found, state.is_bent = None, False       # what holds to rounding leaves no room for noise
        if noisy and at.left >= FEWEST_FOR_NOISE and not state.noiseless.all():
            if not is_enough:
                _look(state, at, metric)
            if _may_be_extended(state, degree, metric):
                _extend(state, at)
        recursion = at.recursion
    if noisy and metric is None and state.found is None and state.degrees and state.quiet.any():
        _look_back(state)
    return state


def _is_enough(state, degree):
    """Whether higher degrees need no look."""
    first = state.found.degree if state.found else state.exact.degree if state.exact else None
    if first is None:
        return False
    # at twice its degree an equation's square lowers the value for the first time: the last word on it
    if degree > max(2 * first, first + 3):
        return True
    found = state.found
    return state.is_bent or bool(found and found.structure.functions and found.loudness < LOUD_NOISE and found.unevenness == 1)


def _may_be_extended(state, degree, metric):
    """Whether equations of the degree before leave open what the noise of each variable is."""
    found = state.found
    return (metric is None and found is not None and not state.is_bent and found.degree == degree - 1
            and state.exact is None and not found.determined.all())


def _extend(state, at):
    """New equations of this degree beside those of the degree before, all in one metric."""
    earlier = state.found
    values = new_values(earlier, at, earlier.metric)
    seen = int(np.sum(values <= LARGEST_EPSILON_OVER_NOISE * earlier.values[earlier.k - 1]))
    clear_as_it_is = 0 < seen < len(values) and values[seen] >= WIDE_GAP * values[seen - 1]
    loudest = LOUDEST_NOISE * np.sqrt(len(at.grams))
    for k in range(min(len(values) - 1, MOST_EQUATIONS), 0, -1):
        if values[k] < SMALLEST_GAP * values[k - 1] or values[k - 1] > loudest:
            continue
        found = extension(earlier, at, k, earlier.metric)
        if found is None or not stands_clear(found) or not state.leaves_room(found):
            continue
        next_before = earlier.at.spectrum(found.metric)[0][earlier.k:]
        if len(next_before) and not _falls(found, float(new_values(earlier, at, found.metric)[0]), float(next_before[0])):
            continue
        if found.structure.rejects or (clear_as_it_is and not found.determined.all()):
            continue
        state.found, state.extended = found, earlier
        return


def _look(state, at, metric, quiet=None):
    """The hypotheses of one degree, the most equations first."""
    d = len(at.grams)
    quiet = np.zeros(d, bool) if quiet is None else quiet
    even = silenced(np.ones(d), quiet) if metric is None else metric
    start = state.found.metric if metric is None and state.found else even
    values = at.spectrum(even)[0]
    loudest = LOUDEST_NOISE * np.sqrt(d) if metric is None else np.inf
    for k in range(min(len(values) - 1, MOST_EQUATIONS), 0, -1):
        if values[k] < SMALLEST_GAP * values[k - 1] or values[k - 1] > loudest:
            continue
        found = hypothesis(at, k, start, fixed=metric is not None, quiet=quiet)
        if found is None or not stands_clear(found) or not state.leaves_room(found):
            continue
        if not _is_new(state, found):
            break
        if found.structure.rejects and metric is None:
            found = _with_other_noise(state, found)
        if found.structure.rejects:
            state.rejected.append(found)
            continue
        if state.found is None or _overrules(found, state.found):
            found = found if metric is not None else _with_more(state, found)
            state.found, state.overruled, state.is_bent = found, state.found, False
        return
    simple = [one for one in state.rejected if one.degree == at.degree - 1]
    if state.found is None and simple:
        _bend(state, simple[-1], at, metric)


def _look_back(state):
    """All degrees again where none had noisy equations, now that it is known which variables have no noise."""
    state.rejected.clear()
    for at in state.degrees:
        if state.found is None and at.left >= FEWEST_FOR_NOISE:
            _look(state, at, None, state.quiet)
            if state.found is not None and state.found.loudness > LOUD_NOISE:
                state.found, state.is_bent = None, False          # too loud for a second look


def _with_other_noise(state, found):
    """The hypothesis with other noise in variables of which the data do not say it, where one such has no structure.

    Points are projected along the noise.  With a wrong one they land aside, the farther the larger their distance,
    and that looks like structure.  First comes what is assumed where nothing is known, the same share of each spread;
    then most noise in one variable, and from the best of these on halves and doubles of single variables.
    """
    free = np.flatnonzero(found.involved & ~found.determined)
    if not len(free):
        return found
    known = found.determined
    even = np.where(np.isin(np.arange(len(known)), free), np.log(found.metric[known]).mean() if known.any() else 0.0,
                    np.log(found.metric))
    most_in_one = [np.where(np.arange(len(known)) == j, 0.0, np.log(LITTLE_NOISE)) for j in free]
    best, logs = _least_structure(state, found, [even])
    if best is not None and not best.structure.rejects:
        return best
    loud, moved = _least_structure(state, found, most_in_one)
    if best is None or (loud is not None and loud.structure.chance > best.structure.chance):
        best, logs = loud, moved
    for step in OTHER_NOISE_STEPS if len(free) > 1 else ():
        if best is None or best.structure.chance > OTHER_NOISE_LEVEL:
            break
        aside = [logs + sign * step * (np.arange(len(known)) == j) for j in free for sign in (1, -1)]
        better, moved = _least_structure(state, found, aside)
        if better is not None and better.structure.chance > best.structure.chance:
            best, logs = better, moved
    return best if best is not None and best.structure.chance > OTHER_NOISE_LEVEL else found


def _least_structure(state, found, metrics):
    """Of one hypothesis in several metrics (logarithms) that which has the least structure, and its metric."""
    best = None, found.metric
    for logs in metrics:
        metric = np.exp(logs)
        other = hypothesis(found.at, found.k, metric / np.sqrt(np.mean(metric**2)), fixed=True)
        if other is not None and stands_clear(other) and state.leaves_room(other) and _is_new(state, other) \
                and (best[0] is None or other.structure.chance > best[0].structure.chance):
            best = other, logs
    return best


def _with_more(state, found):
    """More equations of the degree, where the metric of these shows a gap behind more."""
    loudest = LOUDEST_NOISE * np.sqrt(len(found.metric))
    for k in range(min(len(found.values) - 1, MOST_EQUATIONS), found.k, -1):
        if found.values[k] < SMALLEST_GAP * found.values[k - 1] or found.values[k - 1] > loudest:
            continue
        more = hypothesis(found.at, k, found.metric)
        if more is not None and stands_clear(more) and state.leaves_room(more) and _is_new(state, more) \
                and not more.structure.rejects:
            return more
    return found


def stands_clear(found: Hypothesis) -> bool:
    """Whether the values are one cluster with a gap behind it, near to most points."""
    width = found.values[found.k - 1] / found.values[0]
    smallest = max(SMALLEST_GAP, 1 + STANDARD_ERRORS_OF_A_GAP / np.sqrt(2 * found.at.left))
    if found.noise <= ROUNDING_SHARE or found.gap < smallest or not found.is_near():
        return False
    return width <= found.width or (found.gap >= WIDE_GAP and width <= found.width * found.unevenness)


def _is_new(state, found):
    """Whether the smallest value has fallen by more than noise alone can explain."""
    return _falls(found, found.at.held_out(found.metric), state.value_before(found))


def _falls(found, value, before):
    order = found.degree / max(found.degree - 1, 1)
    granted = 1 - STANDARD_ERRORS_OF_A_FALL / np.sqrt(found.at.sample.count)
    return value < HERMITE_MARGIN * granted / np.sqrt(order) * before


def _overrules(later, earlier):
    """Whether a later degree sees much less noise in a variable whose noise the earlier one determines, and more in none."""
    known = earlier.determined
    if later.at.left < POINTS_TO_SPARE * later.at.sample.count or (known & ~later.involved).any():
        return False
    ratios = (later.noise * later.metric / (earlier.noise * earlier.metric))[known]
    if len(ratios) and (ratios.min() * MUCH_LOWER_NOISE >= 1 or ratios.max() > 1):
        return False
    return is_much_nearer(later, earlier)


def is_much_nearer(one: Hypothesis, other: Hypothesis) -> bool:
    """Whether most points are much nearer to one's equations."""
    return MUCH_LOWER_NOISE * one.typical < other.typical


def _bend(state, simple, at, metric):
    """Equations of this degree out of simpler ones that have structure in their residuals."""
    found = bent(simple, at, fixed=metric is not None)
    if found is None or found.noise <= ROUNDING_SHARE or not found.is_near() or found.typical > simple.typical:
        return
    if found.values[-1] >= state.raw_value_before(found):
        return
    if found.structure.rejects:
        state.rejected.append(found)
    else:
        state.found, state.is_bent = found, True
