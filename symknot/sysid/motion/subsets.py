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
from scipy.linalg.blas import dger

from ...ground.deadline import look
from ...ground.linalg import SOLVE_RIDGE, unit_diagonal

SWEEPS_PER_INVERSE = 25
"""Terms taken in or dropped after which the inverse is computed anew: updates add up rounding errors.  A convention: an
update costs the square of the number of terms, an inverse its cube, so that for more terms than this it hardly counts."""
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
    swept = _Swept(S, b, penalty, mask)
    dropping, adding, exchanging = swept.dropping(), swept.adding(), swept.exchanging()
    moves = [([outside[i]], adding[i]) for i in np.flatnonzero(adding < within)]
    moves += [([inside[k]], dropping[k]) for k in np.flatnonzero(dropping < within)]
    moves += [([inside[k], outside[i]], exchanging[i, k]) for i, k in np.argwhere(exchanging < within)]
    found = []
    for places, worse in moves:
        other = mask.copy()
        other[places] = ~other[places]
        found.append((other, float(worse)))
    return sorted(found, key=lambda pair: pair[1])


class _Swept:
    """S and b with the terms of a mask swept: all that single moves need to know, and cheap to keep while terms come and go.

    With A the inverse of S inside the mask, the table is [-A, A S_io, theta; ., S_oo - S_oi A S_io, pulls; ., ., -b_i A b_i]:
    minus the covariance of the terms inside, what each term outside shares with them, what is left of it, and the misfit.
    One more term, or one less, is one step of Gauss and Jordan, the square of the number of terms instead of its cube.
    """

    def __init__(self, S, b, penalty, mask):
        self.S, self.b, self.penalty, self.mask, self.sweeps = S, b, penalty, mask.copy(), 0
        self._anew()

    def _anew(self):
        inside, outside = np.flatnonzero(self.mask), np.flatnonzero(~self.mask)
        look(len(inside) * len(self.b) ** 2)
        table = np.empty((len(self.b) + 1,) * 2, order="F")
        table[:-1, :-1], table[:-1, -1], table[-1, :-1], table[-1, -1] = self.S, self.b, self.b, 0.0
        if len(inside):
            inverse, others = np.linalg.inv(self.S[np.ix_(inside, inside)]), np.r_[outside, len(self.b)]
            across = table[np.ix_(others, inside)] @ inverse
            table[np.ix_(others, others)] -= across @ table[np.ix_(inside, others)]
            table[np.ix_(others, inside)], table[np.ix_(inside, others)] = across, across.T
            table[np.ix_(inside, inside)] = -inverse
        self.table, self.sweeps = table, 0

    def refresh(self):
        """Compute the table anew, if terms came or went since."""
        if self.sweeps:
            self._anew()

    def flip(self, places):
        """Take in the terms that are outside, drop those inside; of an exchange, the one to drop first, on which the other may
        depend."""
        look(len(places) * len(self.b) ** 2)
        self.sweeps += len(places)
        for k in sorted(places, key=lambda k: not self.mask[k]):
            self.mask[k] = not self.mask[k]
            if self.sweeps > SWEEPS_PER_INVERSE:
                continue
            pivot, column = self.table[k, k], self.table[:, k].copy()
            self.table = dger(-1 / pivot, column, column, a=self.table, overwrite_a=True)
            self.table[:, k] = self.table[k, :] = column / (pivot if self.mask[k] else -pivot)
            self.table[k, k] = -1 / pivot
        if self.sweeps > SWEEPS_PER_INVERSE:
            self._anew()

    def dropping(self):
        """How much the criterion rises when a term inside is dropped."""
        inside = np.flatnonzero(self.mask)
        return -self.table[inside, -1] ** 2 / self.table[inside, inside] - self.penalty[inside]

    def adding(self):
        """How much it rises when a term outside is taken in."""
        outside = np.flatnonzero(~self.mask)
        return self.penalty[outside] - _gain(self.table[outside, -1], self.table[outside, outside])

    def exchanging(self):
        """How much it rises when a term outside, in rows, takes the place of one inside."""
        inside, outside = np.flatnonzero(self.mask), np.flatnonzero(~self.mask)
        theta, spread, across = self.table[inside, -1], -self.table[inside, inside], self.table[np.ix_(outside, inside)]
        pulls, left = self.table[outside, -1], self.table[outside, outside]
        # with term k gone, what the terms outside see: pulls + across[:, k] theta_k / A_kk, and so on
        gains = _gain(pulls[:, None] + across * (theta / spread), left[:, None] + across**2 / spread)
        return self.penalty[outside][:, None] - gains + self.dropping()

    def thin(self):
        """Drop, one by one, the term whose loss pays most."""
        while self.mask.any():
            rises = self.dropping()
            k = int(np.argmin(rises))
            if -rises[k] <= LEAST_GAIN:
                return
            self.flip([np.flatnonzero(self.mask)[k]])

    def best_move(self):
        """The term to add, or the two to exchange, and how much the criterion falls by it."""
        if self.mask.all():
            return [], 0.0
        inside, outside = np.flatnonzero(self.mask), np.flatnonzero(~self.mask)
        adding = self.adding()
        best = int(np.argmin(adding))
        if -adding[best] > LEAST_GAIN or not len(inside):
            return [outside[best]], -adding[best]
        exchanging = self.exchanging()
        new, old = np.unravel_index(np.argmin(exchanging), exchanging.shape)
        return [inside[old], outside[new]], -exchanging[new, old]


def criterion(S: np.ndarray, b: np.ndarray, penalty: np.ndarray, mask: np.ndarray) -> float:
    """Misfit (up to a constant) plus penalty of a subset."""
    kept = np.flatnonzero(mask)
    if not len(kept):
        return 0.0
    return float(penalty[kept].sum() - b[kept] @ np.linalg.solve(S[np.ix_(kept, kept)], b[kept]))


def _descend(S, b, penalty, mask):
    """Removals as long as they pay, then the addition or exchange that pays most, and so on."""
    best, least, here = mask, np.inf, _Swept(S, b, penalty, mask)
    while True:
        here.thin()
        here.refresh()                               # terms that are nearly dependent leave few digits to a sweep
        cost = criterion(S, b, penalty, here.mask)
        if cost >= least - LEAST_GAIN:               # rounding may promise what it does not keep
            return best
        best, least = here.mask.copy(), cost
        places, gain = here.best_move()
        if gain <= LEAST_GAIN:
            return best
        here.flip(places)


def _gain(pull, left):
    """What a term lowers the misfit by; one that the others already express brings nothing but rounding."""
    return np.where(left > NOTHING_NEW, pull**2 / np.maximum(left, NOTHING_NEW), 0.0)
