r"""How few knots are enough, and whether they move so as to tell classes apart: chosen inside the training data.

A reduction starts from the knots of the classes' equations, where those merge; from k-means centroids, some for each class; or
from the samples themselves, which is none at all.  Then its knots may move (`symknot.estimators.telling_apart`).  Every sample
is classified once by the nearest knot that comes of the other folds.  If the best reduction and another one were equally good,
the samples lost and those won by the other would differ by no more than chance, :math:`b - c \le \sqrt{b + c}` (McNemar); among
those the one with the fewest knots is taken; where the number is free, of those that lose no class for it, however rare
(`symknot.estimators.selection.smallest_as_good`).  So a reduction is only as strong as the training data bear: where every one
errs measurably more than the samples do, these stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier

from .probability import FOLDS
from .selection import smallest_as_good
from .telling_apart import centroids, moved_apart, without_idle

EQUATIONS, CENTROIDS, SAMPLES = "equations", "centroids", "samples"
"""Where knots may start from."""
STEEPNESSES = (2.0, 10.0)
"""Of the smoothed error that moving knots lower: conventions.  The gentle one for many knots, which sees far around each; the
steep one for few, nearly the error itself."""
GROWTH = 2.0
"""Factor from one number of knots that is tried to the next: a convention."""
PATIENCE = 2
"""Larger numbers that may bring nothing before no more are tried: a convention."""
MOST_SHARE = 0.25
"""Share of the samples beyond which a number of knots is not worth trying: a convention; less than three quarters are saved."""
MOST_TO_CHOOSE = 5000
"""Samples by which reductions are chosen at most: a convention; errors are then known within half a percent."""


class Reduction(NamedTuple):
    """One way to come to knots.

    Attributes
    ----------
    start : {"equations", "centroids", "samples"}
    share : float
        Centroids for each sample; at least one for each class.
    steepness : float
        With which knots move so as to tell classes apart; 0 if they stay.
    """

    start: str
    share: float = 1.0
    steepness: float = 0.0


Knots = tuple[np.ndarray, np.ndarray]
"""Places, and the class 0, 1, ... of each, ascending."""
OfEquations = Callable[[np.ndarray, np.ndarray], Knots]
"""Samples and their classes -> the knots of the classes' equations."""


def reduced(reduction: Reduction, X: np.ndarray, codes: np.ndarray,
            of_equations: OfEquations) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The knots of a reduction, their classes, and how many samples each stands for."""
    return _moved(reduction.steepness, X, codes, *_started(reduction, X, codes, of_equations))


def _started(reduction, X, codes, of_equations):
    """Where its knots start from."""
    if reduction.start == EQUATIONS:
        return of_equations(X, codes)
    parts = [X[codes == c] for c in range(codes.max() + 1)]
    if reduction.start == CENTROIDS:
        parts = [centroids(part, max(1, round(reduction.share * len(part)))) for part in parts]
    return np.vstack(parts), np.repeat(np.arange(len(parts)), list(map(len, parts)))


def _moved(steepness, X, codes, knots, labels):
    """Where they go to; those that no sample needs are left out."""
    if len(knots) == len(X):
        return knots, labels, np.ones(len(X))
    if steepness and labels[-1]:
        knots = moved_apart(X, codes, knots, labels, steepness)
    return without_idle(X, codes, knots, labels)


def choose_reduction(X: np.ndarray, codes: np.ndarray, starts: Sequence[Reduction], grow: bool, steepnesses: Sequence[float],
                     of_equations: OfEquations) -> Reduction:
    """The reduction with the fewest knots of those that err no more than chance allows.

    Parameters
    ----------
    X, codes : arrays
        Samples, and their classes 0, 1, ...
    starts : sequence of Reduction
        Each is tried with every steepness.
    grow : bool
        Whether centroids are tried too, from one for each class upwards.
    steepnesses : sequence of float
    of_equations : function
    """
    folds = min(FOLDS, int(np.bincount(codes).min()))
    if folds < 2 or codes.max() == 0:
        return starts[0]._replace(steepness=steepnesses[0])
    parts = list(StratifiedKFold(folds, shuffle=True, random_state=0).split(X, codes))
    hits: dict[Reduction, np.ndarray] = {}
    sizes: dict[Reduction, int] = {}

    def attempt(start: Reduction) -> int:
        tried = [start._replace(steepness=beta) for beta in (steepnesses if start.start != SAMPLES else (0.0,))]
        for seen, rest in parts:
            begun = _started(start, X[seen], codes[seen], of_equations)
            for one in tried:
                knots, labels, _ = _moved(one.steepness, X[seen], codes[seen], *begun)
                right = KNeighborsClassifier(1).fit(knots, labels).predict(X[rest]) == codes[rest]
                hits.setdefault(one, np.zeros(len(X)))[rest] = right
                sizes[one] = sizes.get(one, 0) + len(begun[0])
        return max(int(hits[one].sum()) for one in tried)

    for start in starts:
        attempt(start)
    if grow:
        _grow(len(X), codes.max() + 1, attempt)
    return smallest_as_good(list(hits), hits, sizes, codes if grow else None)


def _grow(n, classes, attempt):
    """More and more centroids, until some numbers in a row bring nothing."""
    share, best, waited = GROWTH ** np.floor(np.log2(classes / n)), -1, 0
    while waited < PATIENCE and share <= MOST_SHARE:
        found = attempt(Reduction(CENTROIDS, float(share)))
        best, waited, share = max(best, found), (0 if found > best else waited + 1), share * GROWTH
