r"""The same equations with another idea of the noise, where structure in their residuals may come from a wrong one.

Points are projected along the noise.  With a wrong one they land aside, the farther the larger their distance, and that looks
like structure.  What the data determine of the noise stays determined; what they do not is taken from what is *expected*
(`hypothesis`), and other expectations are tried.

Linear laws have the same normals A everywhere.  Of the noise :math:`D = \mathrm{diag}(\sigma_j^2)` they show
:math:`A D A^T` alone: k laws determine k (k + 1) / 2 combinations of the d levels at most, and D and A together may be told
apart in several ways (Frisch 1934: a covariance less a diagonal one is to lose rank k).  So linear laws are looked for from
several starts, each with most noise in one variable: a law that is loud beside quiet ones has no gap in other metrics.  From
the best of these the levels move along the directions in which the likelihood is flat until the residuals carry
no structure; only if they always do the laws are too simple.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..polynomials.monomials import count
from .hypothesis import Hypothesis, hypothesis, silenced
from .judging import SMALLEST_GAP, Searched, is_new, stands_clear
from .noise import Normals
from .sampled import SampledDegree
from .structure import DEGREES_ABOVE, LEVEL, lack_of_fit

LITTLE_NOISE = 0.1
"""Noise of the other variables if most of it is in one: a convention."""
ALL_NOISE = 0.5**0.5
"""Share of a variable's spread beyond which noise is all of it, and a law says no more than that the variable has a mean: a
convention, half of the variance.  Where variables are many, one of them is a small share of the spread of all."""
OTHER_NOISE_LEVEL = 0.02
"""Chance from which on structure is taken to come from a wrong idea of the noise: a convention, far above the level of
the test, for there are several ideas."""
BEYOND_DOUBT = 1e-9
"""Chance below which structure rules out equations of degree 2 or more, and no small change of the noise explains it: a
convention, six standard errors.  Laws that are linear have the same normals everywhere, so that their noise is hardly ever
determined by them alone, and a large change may explain anything."""
LARGEST_STEP, SMALLEST_STEP, MOST_ROUNDS = np.log(2.0), np.log(2.0) / 2, 5
"""Longest and shortest step in the logarithm of the noise along what is not determined, and how many rounds at most: a
convention."""
MOST_COMPARED = 1000
"""Points on which the structure of planes is compared: a convention; what is taken is tested on all of them."""
MOST_FUNCTIONS = 150
"""Functions of the position up to which all that the test of structure knows are compared, beyond it those of one degree more
alone: a convention, some ten milliseconds for each idea of the noise, of which there are dozens."""


def with_other_noise(state: Searched, at: SampledDegree, k: int, found: Hypothesis | None,
                     quiet: np.ndarray) -> Hypothesis | None:
    """The k best equations of a degree, with other noise where the data do not say it, that have no structure; else `found`.

    First comes what is assumed where nothing is known, the same share of each spread;
    then most noise in one variable, and half way between the best two of all these, for between them the likelihood is flat;
    from the best on twice and half as much along what is not determined, and what lies least between.

    Parameters
    ----------
    state : Searched
    at : SampledDegree
    k : int
    found : Hypothesis or None
        The same equations with noise in proportion to the spreads, if they stand clear so.
    quiet : (d,) bool array
        Variables that are known to have no noise.
    """
    open_ones = np.zeros(len(quiet), bool) if found is None else found.loud & ~found.determined
    is_open = found is not None and found.undetermined.shape[1] > 0
    if at.degree > 1 and not is_open:
        return found

    def tried(metrics):
        return _tried(state, at, k, quiet, metrics)

    known = tried([_even_share(found)] if is_open else [])
    if known and not known[0].found.structure.rejects:
        return known[0].found
    # the normals of planes are the same everywhere: what one metric determines another one may deny
    loud_ones = np.flatnonzero(~quiet if at.degree == 1 else open_ones)
    most_in_one = [np.where(np.arange(len(quiet)) == j, 0.0, np.log(LITTLE_NOISE)) for j in loud_ones]
    known = _best_first(known + tried([one for one in most_in_one if at.degree > 1 or _has_a_gap(at, k, one)]))
    if len(known) > 1 and known[0].chance <= OTHER_NOISE_LEVEL:
        known = _best_first(known + tried([(known[0].logs + known[1].logs) / 2]))
    best = _moved(known[0], tried, 0.0 if at.degree == 1 else BEYOND_DOUBT) if known else None
    return best.found if best and best.chance > LEVEL and best.found.structure.chance > OTHER_NOISE_LEVEL else found


class _Tried(NamedTuple):
    """A hypothesis, the metric (logarithms) that was expected for it, and the chance of its structure."""

    found: Hypothesis
    logs: np.ndarray
    chance: float


def _best_first(tried):
    return sorted(tried, key=lambda one: -one.chance)


def _moved(best, tried, least):
    """From a hypothesis along what is not determined, while that makes structure less and leads anywhere."""
    step = LARGEST_STEP
    for round_ in range(MOST_ROUNDS, 0, -1):
        if step < SMALLEST_STEP or not least < best.chance <= OTHER_NOISE_LEVEL:
            break
        sides = [(tried([best.logs - step * way]), tried([best.logs + step * way])) for way in best.found.undetermined.T]
        middle = tried([best.logs + step * best.found.undetermined @ [_least_between(best, *pair) for pair in sides]])
        aside = _best_first([one for pair in sides for side in pair for one in side] + middle)
        pace = np.log(aside[0].chance) / np.log(best.chance) if aside and aside[0].chance > 0 else 1.0
        if pace < 1:
            best = aside[0]
            if np.log(best.chance) * pace ** (round_ - 1) < np.log(LEVEL):
                break                          # at this pace the rounds that are left do not lead there
        else:
            step /= 2
    return best


def _chance(found):
    """Of so much structure; of planes on fewer points, and fewer functions where these are many: enough to compare them."""
    if found.degree > 1:
        return found.structure.chance
    sample = found.at.sample
    rows = np.linspace(0, len(sample.values) - 1, min(len(sample.values), MOST_COMPARED)).astype(int)
    some, weights = Normals(*(each[rows] for each in found.own_normals)), sample.weights[rows]
    metric = found.metric * sample.pattern[rows]
    above = DEGREES_ABOVE if found.k * count(len(found.metric), 1 + DEGREES_ABOVE) <= MOST_FUNCTIONS else 1
    return lack_of_fit(some, found.feet[rows], metric, weights / weights.sum(), 1, found.noise, degrees_above=above).chance


def _even_share(found):
    """Logarithms of the noise of a hypothesis, with the mean of what is known where nothing is."""
    logs, known = np.log(found.metric), found.determined
    return np.where(found.loud & ~known, logs[known].mean() if known.any() else 0.0, logs)


def _has_a_gap(at, k, logs):
    """Whether k values lie together in a metric (logarithms), with a gap behind, and are no variables that are all noise."""
    metric = np.exp(logs - np.log(np.mean(np.exp(2 * logs))) / 2)
    values = at.spectrum(metric)[0]
    if k >= len(values) or values[k - 1] * metric.max() > ALL_NOISE:         # a variable by itself has the value 1 / metric
        return False
    return bool(values[k] >= SMALLEST_GAP * values[k - 1])


def _least_between(best, before, after):
    """Where a parabola through the logarithms of three chances says that structure is least, in steps from the middle one."""
    if not (before and after and min(before[0].chance, best.chance, after[0].chance) > 0):
        return 0.0
    here, left, right = (-np.log(one.chance) for one in (best, before[0], after[0]))
    bend = left + right - 2 * here
    return float(np.clip((left - right) / (2 * bend), -1, 1)) if bend > 0 else 0.0


def _tried(state, at, k, quiet, metrics):
    """One hypothesis in several metrics (logarithms), where it stands clear so, that with the least structure first."""
    found = []
    for logs in metrics:
        metric = np.exp(logs)
        other = hypothesis(at, k, expected=silenced(metric / np.sqrt(np.mean(metric**2)), quiet), quiet=quiet)
        if other is not None and stands_clear(other) and state.leaves_room(other) and is_new(state, other):
            found.append(_Tried(other, logs, _chance(other)))
    return _best_first(found)
