r"""Which terms the data ask for: the subset of least extended Bayesian information.

Near the estimate the misfit of a model that uses only the coefficients in A is, up to a constant,
:math:`\min_{\theta_A} \theta_A^T S_{AA} \theta_A - 2 b_A^T \theta_A = -b_A^T S_{AA}^{-1} b_A`.  Each term costs
a penalty; that of Chen and Chen (Biometrika 95, 2008) is :math:`\log n + 2 \log p` for p candidates
and n measurements: the more terms one could have taken, the more clearly one must show.

The search adds, drops and exchanges single terms while the criterion falls, from several starts.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...ground.deadline import look
from ...ground.linalg import SOLVE_RIDGE, unit_diagonal

REMOVALS_PER_INVERSE = 25
"""Removals after which the inverse is computed anew: updates add up rounding errors.  A convention: an update
costs the square of the number of terms, an inverse its cube, so that for more terms than this it hardly counts."""
LEAST_GAIN = 1e-9
"""A move must lower the criterion (in units of chi-square) by more than this, or rounding could lead in circles."""
NOTHING_NEW = 1e-9
"""Share of its own square that a term must have beside the others; below it is a combination of them and rounding."""


def term_penalty(measurements: int, candidates: int) -> float:
    """What one more term must lower the misfit by.

    Examples
    --------
    >>> round(term_penalty(1000, 10), 1)
    11.5
    """
    return float(np.log(max(measurements, 2)) + 2 * np.log(max(candidates, 1)))


def best_subset(information: np.ndarray, pull: np.ndarray, penalty: np.ndarray | float,
                starts: Sequence[np.ndarray] = (), only: bool = False, ridge: float = SOLVE_RIDGE) -> np.ndarray:
    """Mask of the terms that minimise misfit plus penalty.

    Parameters
    ----------
    information : (P, P) array
        S, positive semidefinite.
    pull : (P,) array
        b: S times the estimate with all terms.
    penalty : (P,) array or float
    starts : sequence of bool masks
        Where else to start from than all terms and none.
    only : bool
        Start nowhere else.
    ridge : float
        Added to the diagonal of S, relative to it; it adds so much of the squares of the estimate to the misfit.

    Returns
    -------
    (P,) bool array

    Examples
    --------
    >>> best_subset(np.eye(3), np.array([9.0, 0.1, -5.0]), 10.0).tolist()
    [True, False, True]
    """
    P = len(pull)
    S, size = unit_diagonal(information)
    b = np.where(np.diag(S) > NOTHING_NEW, pull / size, 0.0)       # the data say nothing about the others
    S = S + ridge * np.eye(P)
    penalty = np.broadcast_to(np.asarray(penalty, dtype=float), (P,))
    best, least = np.zeros(P, dtype=bool), np.inf
    for start in (*(() if only else (np.ones(P, dtype=bool), np.zeros(P, dtype=bool))), *starts):
        mask = _descend(S, b, penalty, start)
        cost = criterion(S, b, penalty, mask)
        if cost < least - LEAST_GAIN:
            best, least = mask, cost
    return best


def near_subsets(information: np.ndarray, pull: np.ndarray, penalty: np.ndarray | float, mask: np.ndarray,
                 within: float) -> list[tuple[np.ndarray, float]]:
    """Subsets one move away from `mask` whose criterion is higher by less than `within`, and by how much.

    A move drops a term, adds one, or exchanges one for another.

    Examples
    --------
    >>> S, mask = np.array([[1.0, 0.99], [0.99, 1.0]]), np.array([True, False])
    >>> [(other.tolist(), round(worse, 2)) for other, worse in near_subsets(S, np.array([9.0, 8.9]), 10.0, mask, 6)]
    [([False, True], 1.79)]
    """
    S, size = unit_diagonal(information)
    b = np.where(np.diag(S) > NOTHING_NEW, pull / size, 0.0)
    S = S + SOLVE_RIDGE * np.eye(len(b))
    penalty = np.broadcast_to(np.asarray(penalty, dtype=float), b.shape)
    inside, outside = np.flatnonzero(mask), np.flatnonzero(~mask)
    if not len(inside):
        return []
    dropping, adding, exchanging = _losses(S, b, penalty, inside, outside)
    moves = [([outside[i]], adding[i]) for i in np.flatnonzero(adding < within)]
    moves += [([inside[k]], dropping[k]) for k in np.flatnonzero(dropping < within)]
    moves += [([inside[k], outside[i]], exchanging[i, k]) for i, k in np.argwhere(exchanging < within)]
    found = []
    for places, worse in moves:
        other = mask.copy()
        other[places] = ~other[places]
        found.append((other, float(worse)))
    return sorted(found, key=lambda pair: pair[1])


def _losses(S, b, penalty, inside, outside):
    """How much the criterion rises when a term is dropped, (inside,), added, (outside,), or exchanged, (outside, inside)."""
    inverse = np.linalg.inv(S[np.ix_(inside, inside)])
    theta, spread = inverse @ b[inside], np.diag(inverse)
    across = S[np.ix_(outside, inside)] @ inverse
    left = np.diag(S)[outside] - np.sum(across * S[np.ix_(outside, inside)], axis=1)
    pulls = b[outside] - across @ b[inside]
    # with term k gone, what the terms outside see: pulls + across[:, k] theta_k / C_kk, and so on
    gains = _gain(pulls[:, None] + across * (theta / spread), left[:, None] + across**2 / spread)
    dropping = theta**2 / spread - penalty[inside]
    return dropping, penalty[outside] - _gain(pulls, left), penalty[outside][:, None] - gains + dropping


def criterion(S: np.ndarray, b: np.ndarray, penalty: np.ndarray, mask: np.ndarray) -> float:
    """Misfit (up to a constant) plus penalty of a subset."""
    kept = np.flatnonzero(mask)
    if not len(kept):
        return 0.0
    return float(penalty[kept].sum() - b[kept] @ np.linalg.solve(S[np.ix_(kept, kept)], b[kept]))


def _descend(S, b, penalty, mask):
    """Removals as long as they pay, then the addition or exchange that pays most, and so on."""
    best, least = mask, np.inf
    while True:
        mask = _thinned(S, b, penalty, mask)
        here = criterion(S, b, penalty, mask)
        if here >= least - LEAST_GAIN:               # rounding may promise what it does not keep
            return best
        best, least = mask, here
        place, gain = _best_move(S, b, penalty, mask)
        if gain <= LEAST_GAIN:
            return best
        mask = mask.copy()
        mask[place] = ~mask[place]


def _thinned(S, b, penalty, mask):
    """The mask after dropping, one by one, the term whose loss pays most."""
    inside = np.flatnonzero(mask)
    while len(inside):
        look()
        inverse = np.linalg.inv(S[np.ix_(inside, inside)])
        theta = inverse @ b[inside]
        for _ in range(REMOVALS_PER_INVERSE):
            spread = np.diag(inverse)
            gains = penalty[inside] - theta**2 / spread
            k = int(np.argmax(gains)) if len(gains) else 0
            if not len(gains) or gains[k] <= LEAST_GAIN:
                break
            # the inverse without row and column k, and the estimate without term k
            rest, column = np.arange(len(inside)) != k, inverse[:, k]
            theta = (theta - column * (theta[k] / spread[k]))[rest]
            inverse = (inverse - np.outer(column, column / spread[k]))[np.ix_(rest, rest)]
            inside = inside[rest]
        else:
            continue
        break
    thinner = np.zeros(len(mask), dtype=bool)
    thinner[inside] = True
    return thinner


def _best_move(S, b, penalty, mask):
    """The term to add, or the two to exchange, and how much the criterion falls by it."""
    inside, outside = np.flatnonzero(mask), np.flatnonzero(~mask)
    if not len(outside):
        return [], 0.0
    look()
    _, adding, exchanging = _losses(S, b, penalty, inside, outside)
    best = int(np.argmin(adding))
    if -adding[best] > LEAST_GAIN or not len(inside):
        return [outside[best]], -adding[best]
    new, old = np.unravel_index(np.argmin(exchanging), exchanging.shape)
    return [inside[old], outside[new]], -exchanging[new, old]


def _gain(pull, left):
    """What a term lowers the misfit by; one that the others already express brings nothing but rounding."""
    return np.where(left > NOTHING_NEW, pull**2 / np.maximum(left, NOTHING_NEW), 0.0)
