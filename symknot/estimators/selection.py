r"""What to take: features that discriminate, and the smallest of several models that are equally good.

Features are taken by orthogonal forward selection.
Each class has an indicator :math:`t_c` (1 on its points, 0 elsewhere), centred and
divided by the root of its size, so that classes count alike.  The first feature chosen is
the one that explains most of them, the largest

.. math:: \sum_c (f^T t_c)^2 / f^T f

over the centred features f, which is the ranking by ANOVA's F.  What it explains is then
taken out of the indicators and of all other features, and the next one is chosen among
what is left.  Features that repeat what others say are therefore left out, which a
ranking one by one cannot do; and only training data are used.
"""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Mapping
from typing import TypeVar

import numpy as np
from scipy.stats import norm

from ..ground.errors import InvalidOption

Choice = TypeVar("Choice")

NOTHING_LEFT = 1e-10
"""Share of a feature's variance, or of the classes', below which nothing but rounding is left.  Derived: projecting
columns of unit size leaves errors of some 1e-16, squares of 1e-32 for each of up to thousands of features taken out;
a share that a sample could show is many orders larger."""


def wanted_count(keep: float | None, available: int) -> int:
    """How many of the `available` features `keep`, a number or a fraction, asks for.

    Examples
    --------
    >>> wanted_count(0.5, 11), wanted_count(4, 11), wanted_count(None, 11)
    (6, 4, 11)
    """
    if keep is None:
        return available
    if isinstance(keep, numbers.Real) and not isinstance(keep, (bool, np.bool_)):
        if isinstance(keep, numbers.Integral) and keep >= 1:
            return min(int(keep), available)
        if not isinstance(keep, numbers.Integral) and 0 < keep <= 1:
            return int(np.ceil(keep * available))
    raise InvalidOption("keep", keep, "None, a whole number >= 1 or a fraction in (0, 1]")


def most_discriminating(F: np.ndarray, codes: np.ndarray, count: int) -> np.ndarray:
    """Columns of F that together tell the classes apart best, at most `count`, in the order of F.

    Parameters
    ----------
    F : (n, p) array
    codes : (n,) int array
        Classes 0, 1, ...
    count : int

    Returns
    -------
    int array
        Fewer than `count` where the others add nothing.

    Examples
    --------
    >>> F = np.array([[0.0, 0, 5, 1], [0, 0, 5, 2], [1, 2, 0, 1], [1, 2, 0, 2], [1, 2, 9, 1], [1, 2, 9, 2]])
    >>> most_discriminating(F, np.array([0, 0, 1, 1, 2, 2]), 3).tolist()
    [0, 2]
    """
    rest = F - F.mean(axis=0)
    size = np.sqrt(np.sum(rest**2, axis=0))
    rest = rest / np.where(size > 0, size, 1.0)
    classes = codes[:, None] == np.arange(codes.max() + 1)
    targets = (classes - classes.mean(axis=0)) / np.sqrt(classes.sum(axis=0))
    enough = NOTHING_LEFT * np.sum(targets**2)
    chosen: list[int] = []
    while len(chosen) < count:
        variance = np.sum(rest**2, axis=0)
        usable = variance > NOTHING_LEFT
        explained = np.where(usable, np.sum((targets.T @ rest) ** 2, axis=0) / np.where(usable, variance, 1.0), 0.0)
        best = int(np.argmax(explained))
        if explained[best] <= enough:
            break
        chosen.append(best)
        direction = rest[:, best] / np.sqrt(variance[best])
        rest = rest - np.outer(direction, direction @ rest)
        rest[:, best] = 0.0
        targets = targets - np.outer(direction, direction @ targets)
    return np.sort(np.array(chosen or [0], dtype=int))


def best(candidates: Iterable[Choice], hits: Mapping[Choice, np.ndarray], sizes: Mapping[Choice, int]) -> Choice:
    """The candidate with the most hits; of several the smallest.  Parameters as in `smallest_as_good`."""
    return max(candidates, key=lambda candidate: (np.sum(hits[candidate]), -sizes[candidate]))


def smallest_as_good(candidates: Iterable[Choice], hits: Mapping[Choice, np.ndarray], sizes: Mapping[Choice, int],
                     codes: np.ndarray | None = None) -> Choice:
    """The smallest candidate that loses against the best no more than chance allows.

    Parameters
    ----------
    candidates : sequence
    hits : dict
        Candidate -> for each training sample 1 if it was predicted right, else 0.
    sizes : dict
        Candidate -> what is to be small.
    codes : int array, optional
        Classes 0, 1, ... of the samples.  With them no class may lose more than chance allows against the one of these
        candidates that is right most often in the mean over classes: among many samples those of a rare class hardly count.

    Examples
    --------
    >>> hits = {"large": np.ones(50), "small": np.r_[0, np.ones(49)], "tiny": np.r_[np.zeros(9), np.ones(41)]}
    >>> sizes = {"large": 30, "small": 20, "tiny": 10}
    >>> smallest_as_good(list(hits), hits, sizes)
    'small'

    Nine samples of a rare class are lost, and eight others won:

    >>> hits["large"], hits["tiny"] = np.r_[np.ones(42), np.zeros(8)], np.r_[np.zeros(9), np.ones(41)]
    >>> rare = np.r_[np.ones(9, dtype=int), np.zeros(41, dtype=int)]
    >>> smallest_as_good(["large", "tiny"], hits, sizes), smallest_as_good(["large", "tiny"], hits, sizes, rare)
    ('tiny', 'large')
    """
    most = hits[best(candidates, hits, sizes)]
    lost = {candidate: most - hits[candidate] for candidate in candidates}
    as_good = [candidate for candidate in candidates if _by_chance(lost[candidate], 1.0)]
    if codes is not None:
        classes = [codes == c for c in range(codes.max() + 1)]
        fairest = hits[max(as_good, key=lambda candidate: np.mean([hits[candidate][one].mean() for one in classes]))]
        level = float(norm.isf(norm.sf(1.0) / len(classes)))            # of all tests together that of one (Bonferroni)
        as_good = [candidate for candidate in as_good
                   if all(_by_chance(fairest[one] - hits[candidate][one], level) for one in classes)]
    return min(as_good, key=lambda candidate: (sizes[candidate], np.sum(lost[candidate])))


def _by_chance(lost, level):
    """Whether samples lost and won (1 and -1) may be as many, up to so many standard deviations (McNemar)."""
    return np.sum(lost) <= level * np.sqrt(np.count_nonzero(lost))
