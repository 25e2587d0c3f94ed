r"""Which equations the points show, with nothing given: degree by degree, each as a hypothesis with its own noise.

At degree t the values of the best polynomials, noise in proportion to each variable's spread, show where
gaps might be; for each of them, the most equations first, a `hypothesis` finds its own metric.  It is
believed if

*it stands clear* of all other polynomials of its degree, and *is new* there (`judging`);

*its residuals carry no structure* (`structure`).

The first degree with such a hypothesis is taken.  One that stands clear but has structure in its residuals is too simple:
if the next degree has none that stands clear, it is bent (`bending`).  A few higher degrees are looked at
where the test had no power (finitely many points), noise is large, differs from place to place or keeps to two places; a
hypothesis there must overrule the first.

Equations that hold to rounding are kept beside the noisy ones.  At a point where such an equation has a slope along a
variable, that value has no noise, so noisy equations must be about others, too.  Exact ones that only repeat noisy ones, whose
noise was rounded to few values (`recording`), end the search.
"""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from ..ground.errors import WorkLimit
from ..polynomials.monomials import count
from .bending import bent
from .extending import extension, new_values
from .hypothesis import LOUDEST_NOISE, hypothesis, silenced
from .judging import (
    CLOSE_LOWER_NOISE,
    POINTS_TO_SPARE,
    SMALLEST_GAP,
    WIDE_GAP,
    Searched,
    falls,
    has_points_to_spare,
    is_few_valued,
    is_new,
    overrules,
    stands_clear,
)
from .other_noise import with_other_noise
from .recursion import Recursion
from .sampled import MOST_EQUATIONS, ROUNDING_SHARE, Sample, SampledDegree

LOUD_NOISE = 0.1
"""Share from which on a few higher degrees are looked at: a convention."""
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
DEGREES_OF_EXTENSION = 2
"""Degrees above those of equations that do not tell the noise at which further ones are looked for: a convention; a
balance and a law of three factors are so far apart."""
OVER_ROUNDING = 2.0
"""Times what rounding to recorded steps makes of it that noise of a variable must be to contradict an equation that holds
exactly: a convention."""
NEARLY_REJECTED = 0.01
"""Chance of structure below which equations that are not rejected have a rival of one degree more: a convention; once in a
hundred times true equations have one."""
SHARE_OF_BENDING = 0.01
"""Share of the residuals' variance that structure must explain for that.  Derived: the mean effects of third and fourth order
are less for noise up to a tenth of the radius of curvature."""
LARGEST_EPSILON_OVER_NOISE = 2.0
"""Epsilon is the geometric mean of the gap's two sides, but no more than this times its lower one: a convention."""


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
    state = Searched()
    _search(state, sample, max_degree, metric, noisy)
    return state


def search_as_far(sample: Sample, max_degree: int | None, metric: np.ndarray | None, noisy: bool = True) -> Searched:
    """The same; where work is limited and comes to its end, with what was found before, and what is unfinished is said."""
    state = Searched()
    with suppress(WorkLimit):
        _search(state, sample, max_degree, metric, noisy)
    return state


def _search(state, sample, max_degree, metric, noisy):
    _by_degree(state, sample, max_degree, metric, noisy)
    if noisy and metric is None and state.degrees and _is_unaware(state):
        state.unfinished = "degrees were not all searched again with the noise that exact equations leave"
        _look_back(state)
        state.unfinished = ""


def _by_degree(state, sample, max_degree, metric, noisy):
    n, d = sample.count, sample.values.shape[1]
    for degree in range(1, (max_degree or HIGHEST_SEARCHED_DEGREE) + 1):
        columns = count(d, degree) - 1
        too_long = max_degree is None and degree > FURTHEST_CARRIED_DEGREE and columns > MOST_COEFFICIENTS
        if too_long or n - columns < max(FEWEST_POINTS_LEFT, (1 - COEFFICIENTS_PER_POINT) * n):
            break
        is_enough, to_silence = _is_enough(state, degree), _may_be_silenced(state, degree, metric)
        if is_enough and not (to_silence or _may_be_extended(state, degree, metric)):
            break
        state.unfinished = f"degree {degree} was not searched to the end, nor any beyond"
        recursion = state.degrees[-1].recursion if state.degrees else Recursion(d, 1.0)
        at = SampledDegree.of(sample, recursion, columns)
        if not len(at.problem.products.left):
            break
        state.degrees.append(at)
        room = state.found is None or state.leaves_room(state.found)
        if is_few_valued(state, at) or (is_enough and to_silence and not room):
            state.degrees.pop()          # noise that was rounded takes few values, and polynomials vanish on these
            break
        if not room:
            state.found, state.is_bent = None, False       # what holds to rounding leaves no room for noise
        if noisy and at.left >= FEWEST_FOR_NOISE and not state.noiseless.all():
            if not is_enough:
                _look(state, at, metric)
            if _may_be_extended(state, degree, metric):
                _extend(state, at)
    state.unfinished = ""


def refitted(searched: Searched, sample: Sample, metric: np.ndarray | None) -> Searched | None:
    """What an earlier search has found, with other weights of the points; None where it takes another search, or does not stand
    clear any more."""
    found, d, state = searched.found, sample.values.shape[1], Searched()
    if found is None or searched.is_bent or searched.extended is not None:
        return None
    for degree in range(1, found.degree + 1):
        recursion = state.degrees[-1].recursion if state.degrees else Recursion(d, 1.0)
        state.degrees.append(SampledDegree.of(sample, recursion, count(d, degree) - 1))
    again = hypothesis(state.degrees[-1], found.k, found.metric, metric is not None, found.quiet, found.expected)
    if again is None or not stands_clear(again):
        return None
    state.found = again
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
    if found is None or found.is_split:
        return False
    if state.is_bent:
        return found.unevenness <= WIDE_GAP
    return bool(found.structure.functions and found.loudness < LOUD_NOISE and found.unevenness == 1)


def _may_be_extended(state, degree, metric):
    """Whether equations of the degree before leave open what the noise of each variable is."""
    return _is_open(state, degree, metric) and state.extended is None and state.exact is None \
        and not state.found.determined.all()


def _may_be_silenced(state, degree, metric):
    """Whether, beside equations that hold to rounding, further ones may show which other variables have no noise."""
    return _is_open(state, degree, metric) and state.exact is not None and not (state.found.determined | state.quiet).all()


def _is_open(state, degree, metric):
    """Whether this degree is near enough to that of what was found to add to it."""
    found = state.found
    return metric is None and found is not None and not state.is_bent and 0 < degree - found.degree <= DEGREES_OF_EXTENSION


def _extend(state, at):
    """New equations of this degree beside earlier ones, all in one metric."""
    earlier = state.found
    values = new_values(earlier, at, earlier.metric)
    seen = int(np.sum(values <= LARGEST_EPSILON_OVER_NOISE * earlier.values[earlier.k - 1]))
    clear_as_it_is = 0 < seen < len(values) and values[seen] >= WIDE_GAP * values[seen - 1]
    loudest = LOUDEST_NOISE * np.sqrt(len(at.grams))
    for k in range(min(len(values) - 1, MOST_EQUATIONS), 0, -1):
        if values[k] < SMALLEST_GAP * values[k - 1] or values[k - 1] > loudest:
            continue
        found = extension(earlier, at, k, earlier.metric)
        if found is None:
            continue
        if not stands_clear(found) or not state.leaves_room(found):
            continue
        before = state.degrees[at.degree - 2]
        next_before = (earlier.at.spectrum(found.metric)[0][earlier.k:] if before is earlier.at
                       else new_values(earlier, before, found.metric))
        if len(next_before) and not falls(found, float(new_values(earlier, at, found.metric)[0]), float(next_before[0])):
            continue
        if found.structure.rejects or (clear_as_it_is and found.determined.sum() <= earlier.determined.sum()):
            continue
        state.found, state.extended = found, earlier
        return


def _look(state, at, metric, quiet=None):
    """The hypotheses of one degree, the most equations first."""
    if state.found is not None and not has_points_to_spare(at):
        return
    d = len(at.grams)
    quiet = np.zeros(d, bool) if quiet is None else quiet
    even = silenced(np.ones(d), quiet) if metric is None else metric
    start = state.found.metric if metric is None and state.found else even
    values = at.spectrum(even)[0]
    loudest = LOUDEST_NOISE * np.sqrt(d) if metric is None else np.inf
    for k in range(min(len(values) - 1, MOST_EQUATIONS), 0, -1):
        found = None
        if values[k] >= SMALLEST_GAP * values[k - 1] and values[k - 1] <= loudest:
            found = hypothesis(at, k, start, fixed=metric is not None, quiet=quiet)
        if found is not None and not (stands_clear(found) and state.leaves_room(found)):
            found = None
        if found is not None and not is_new(state, found):
            break
        if metric is None and (found is None or found.structure.rejects):
            found = with_other_noise(state, at, k, found, quiet)
        if found is None:
            continue
        if found.structure.rejects:
            state.rejected.append(found)
            continue
        if state.found is None or overrules(found, state.found):
            found = found if metric is not None else _with_more(state, found)
            state.found, state.overruled, state.is_bent = found, state.found, False
        elif overrules(found, state.found, CLOSE_LOWER_NOISE):
            state.rivals.append(found)
        return
    simple = [one for one in state.rejected if one.degree == at.degree - 1]
    if state.found is None and simple:
        _bend(state, simple[-1], at, metric)


def _is_unaware(state):
    """Whether variables have no noise that what was found takes to have some, or for which nothing was found."""
    found, quiet = state.found, state.quiet
    if found is None or not quiet.any():
        return bool(quiet.any())
    rounding = OVER_ROUNDING * found.at.sample.rounding             # which cancels where two values are rounded alike
    return bool((quiet & found.involved & ~found.determined & (found.noise * found.metric > rounding)).any())


def _look_back(state):
    """All degrees again, now that it is known which variables have no noise."""
    before = state.found, state.is_bent
    state.found, state.is_bent = None, False
    state.rejected.clear()
    try:
        for at in state.degrees:
            if state.found is None and at.left >= FEWEST_FOR_NOISE:
                _look(state, at, None, state.quiet)
    finally:
        if state.found is None:
            state.found, state.is_bent = before


def _with_more(state, found):
    """More equations of the degree, where the metric of these shows a gap behind more."""
    loudest = LOUDEST_NOISE * np.sqrt(len(found.metric))
    for k in range(min(len(found.values) - 1, MOST_EQUATIONS), found.k, -1):
        if found.values[k] < SMALLEST_GAP * found.values[k - 1] or found.values[k - 1] > loudest:
            continue
        more = hypothesis(found.at, k, found.metric, quiet=found.quiet)
        if more is not None and stands_clear(more) and state.leaves_room(more) and is_new(state, more) \
                and not more.structure.rejects:
            return more
    return found


def _bend(state, simple, at, metric):
    """Equations of this degree out of simpler ones that have structure in their residuals."""
    found = _bent(state, simple, at, metric)
    if found is None:
        return
    if found.structure.rejects:
        state.rejected.append(found)
    else:
        state.found, state.is_bent = found, True


def _bent(state, simple, at, metric):
    found = bent(simple, at, fixed=metric is not None)
    if found is None or found.noise <= ROUNDING_SHARE or not found.is_near() or found.typical > simple.typical:
        return None
    return None if found.values[-1] >= state.raw_value_before(found) else found


def bent_rival(searched: Searched, metric: np.ndarray | None) -> Searched | None:
    """A search that ends with equations of one degree more, where those found are nearly rejected and these are better."""
    found = searched.found
    if found is None or searched.is_bent or searched.extended is not None or searched.exact is not None:
        return None
    chance, share = found.structure.chance, found.structure.share
    if chance >= NEARLY_REJECTED or share < SHARE_OF_BENDING:
        return None
    sample, columns = found.at.sample, count(len(found.metric), found.degree + 1) - 1
    if sample.count - columns < POINTS_TO_SPARE * sample.count:
        return None
    before = searched.degrees[: found.degree]
    state = Searched([*before, SampledDegree.of(sample, before[-1].recursion, columns)], is_bent=True)
    rival = _bent(state, found, state.degrees[-1], metric)
    if rival is None or rival.structure.rejects or rival.structure.chance <= chance:
        return None
    state.found = rival
    return state
