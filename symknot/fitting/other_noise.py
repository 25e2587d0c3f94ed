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

import numpy as np

from .hypothesis import Hypothesis, hypothesis, silenced
from .judging import SMALLEST_GAP, Searched, is_new, stands_clear
from .noise import Normals
from .sampled import SampledDegree
from .structure import LEVEL, lack_of_fit

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


def with_other_noise(state: Searched, at: SampledDegree, k: int, found: Hypothesis | None,
                     quiet: np.ndarray) -> Hypothesis | None:
    """The k best equations of a degree, with other noise where the data do not say it, that have no structure; else `found`.

    First comes what is assumed where nothing is known, the same share of each spread;
    then most noise in one variable, and from the best of these on twice and half as much along what is not determined.

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
    best, logs = _least_structure(state, at, k, quiet, [_even_share(found)] if is_open else [])
    if best is not None and not best.structure.rejects:
        return best
    chance = _chance(best)
    # the normals of planes are the same everywhere: what one metric determines another one may deny
    loud_ones = np.flatnonzero(~quiet if at.degree == 1 else open_ones)
    most_in_one = [np.where(np.arange(len(quiet)) == j, 0.0, np.log(LITTLE_NOISE)) for j in loud_ones]
    loud, moved = _least_structure(state, at, k, quiet, [one for one in most_in_one if at.degree > 1 or _has_a_gap(at, k, one)])
    if _chance(loud) > chance:
        best, logs, chance = loud, moved, _chance(loud)
    step, least = LARGEST_STEP, 0.0 if at.degree == 1 else BEYOND_DOUBT
    for round_ in range(MOST_ROUNDS, 0, -1):
        if best is None or step < SMALLEST_STEP or not least < chance <= OTHER_NOISE_LEVEL:
            break
        aside = [logs + sign * step * way for way in best.undetermined.T for sign in (1, -1)]
        better, moved = _least_structure(state, at, k, quiet, aside)
        pace = np.log(_chance(better)) / np.log(chance) if _chance(better) > 0 else 1.0
        if pace < 1:
            best, logs, chance = better, moved, _chance(better)
            if np.log(chance) * pace ** (round_ - 1) < np.log(LEVEL):
                break                          # at this pace the rounds that are left do not lead there
        else:
            step /= 2
    return best if best is not None and chance > LEVEL and best.structure.chance > OTHER_NOISE_LEVEL else found


def _chance(found):
    """Of so much structure; of planes by a quicker test, on fewer points and functions, that serves to compare them."""
    if found is None:
        return 0.0
    if found.degree > 1:
        return found.structure.chance
    sample = found.at.sample
    rows = np.linspace(0, len(sample.values) - 1, min(len(sample.values), MOST_COMPARED)).astype(int)
    some, weights = Normals(*(each[rows] for each in found.own_normals)), sample.weights[rows]
    metric = found.metric * sample.pattern[rows]
    return lack_of_fit(some, found.feet[rows], metric, weights / weights.sum(), 1, found.noise, degrees_above=1).chance


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


def _least_structure(state, at, k, quiet, metrics):
    """Of one hypothesis in several metrics (logarithms) that which has the least structure, and its metric."""
    best, least, where = None, 0.0, np.zeros(len(quiet))
    for logs in metrics:
        metric = np.exp(logs)
        other = hypothesis(at, k, expected=silenced(metric / np.sqrt(np.mean(metric**2)), quiet), quiet=quiet)
        if other is not None and stands_clear(other) and state.leaves_room(other) and is_new(state, other) \
                and (best is None or _chance(other) > least):
            best, least, where = other, _chance(other), logs
    return best, where
