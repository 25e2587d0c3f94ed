"""The same equations with another idea of the noise, where structure in their residuals may come from a wrong one.

Points are projected along the noise.  With a wrong one they land aside, the farther the larger their distance, and that looks
like structure.  What the data determine of the noise stays determined; what they do not is taken from what is *expected*
(`hypothesis`), and other expectations are tried.
"""

from __future__ import annotations

import numpy as np

from .hypothesis import Hypothesis, hypothesis
from .judging import Searched, is_new, stands_clear

LITTLE_NOISE = 0.1
"""Noise of the other variables if most of it is in one: a convention."""
OTHER_NOISE_LEVEL = 0.02
"""Chance from which on structure is taken to come from a wrong idea of the noise: a convention, far above the level of
the test, for there are several ideas."""
BEYOND_DOUBT = 1e-9
"""Chance below which structure rules out equations, and no small change of the noise explains it: a convention, six
standard errors."""
OTHER_NOISE_STEPS = tuple(np.log([2.0, 2.0, 2.0**0.5]))
"""Steps in the logarithm of a variable's noise with which others are tried: a convention."""


def with_other_noise(state: Searched, found: Hypothesis) -> Hypothesis:
    """The hypothesis with other noise in variables of which the data do not say it, where one such has no structure.

    First comes what is assumed where nothing is known, the same share of each spread;
    then most noise in one variable, and from the best of these on halves and doubles of single variables.
    """
    free = np.flatnonzero(found.loud & ~found.determined)
    if not len(free):
        return found
    known = found.determined
    even = np.where(np.isin(np.arange(len(known)), free), np.log(found.metric[known]).mean() if known.any() else 0.0,
                    np.log(found.metric))
    # the normals of linear equations are the same everywhere: what one metric determines another one may deny
    loud_ones = np.flatnonzero(found.loud) if found.degree == 1 else free
    most_in_one = [np.where(np.arange(len(known)) == j, 0.0, np.log(LITTLE_NOISE)) for j in loud_ones]
    best, logs = _least_structure(state, found, [even])
    if best is not None and not best.structure.rejects:
        return best
    loud, moved = _least_structure(state, found, most_in_one)
    if best is None or (loud is not None and loud.structure.chance > best.structure.chance):
        best, logs = loud, moved
    for step in OTHER_NOISE_STEPS if len(free) > 1 else ():
        if best is None or not BEYOND_DOUBT < best.structure.chance <= OTHER_NOISE_LEVEL:
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
        other = hypothesis(found.at, found.k, expected=metric / np.sqrt(np.mean(metric**2)), quiet=found.quiet)
        if other is not None and stands_clear(other) and state.leaves_room(other) and is_new(state, other) \
                and (best[0] is None or other.structure.chance > best[0].structure.chance):
            best = other, logs
    return best
