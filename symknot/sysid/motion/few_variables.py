r"""Which terms an equation of many variables has, if it depends on few of them: variables first, then terms.

Coupling is mostly sparse: a mass is pulled by its neighbours, a species reacts with a few others.  Among all K monomials of
many variables the handful of true ones is hidden from a search that takes terms one by one (products of neighbours look alike,
and a wrong one that is taken brings others with it).  Polynomials in v variables have few terms, though,
:math:`\binom{v + t}{t}`, and no choice is made among these before the variables are known:

1. Of all single variables, all pairs and all triples, as long as they can be tried, those are taken whose dense polynomial
   leaves least: of two neighbours of three neither may tell anything without the others.  The next variables are then taken
   in one by one, each the one with which least is left.
2. With every number of variables, one of them is exchanged for another as long as that leaves less.
3. Among the terms in these variables the best subset is sought (`subsets`).
4. The number of variables is the one of least extended Bayesian information,

.. math:: n \log R_A + |A| (\log n + 2 \log K),

   with :math:`R_A` what the terms A leave of the sum of squares and n the number of independent samples.
5. From there single terms in any variables are taken in, dropped and exchanged while that lowers the same criterion: where
   everything is coupled with everything, the first four steps are only a start.

All of it is read off the normal equations :math:`S = M W M^T`, :math:`b = M W y`, where only b differs between equations.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np

from ...ground.blocks import blocks
from ...ground.linalg import SOLVE_RIDGE, unit_diagonal
from ...polynomials.monomials import count, monomials
from .subsets import best_subset, criterion, term_penalty

MOST_DENSE_SHARE = 0.5
"""Dense polynomials may have so many terms, as a share of the independent samples: as many degrees of freedom remain."""
MOST_DENSE_TERMS = 200
"""And at most so many: solving for them, for each variable that might be the next one, takes a millisecond."""


LARGEST_TRIED = 3
"""Variables in the largest groups that are all tried: two neighbours and oneself."""
MOST_TRIED_NUMBERS = 2e7
"""Numbers in the normal equations of all groups of so many variables, at most: a second or two.  With degree 3 triples of up to
68 variables, with degree 2 of up to 100."""


class Regression:
    """Normal equations of one target.

    Parameters
    ----------
    information : (K, K) array
        S.
    right : (K,) array
        b.
    total : float
        :math:`y^T W y`.
    samples : float
        n.
    """

    def __init__(self, information: np.ndarray, right: np.ndarray, total: float, samples: float):
        S, size = unit_diagonal(information)
        self.S, self.b, self.total, self.samples = S + SOLVE_RIDGE * np.eye(len(S)), right / size, total, samples
        self.penalty = term_penalty(int(samples), len(S))

    def left(self, mask: np.ndarray) -> float:
        """What the terms of a mask leave of the sum of squares."""
        return max(self.total + criterion(self.S, self.b, np.zeros(len(mask)), mask), SOLVE_RIDGE * self.total)

    def cost(self, mask: np.ndarray) -> float:
        """The extended criterion, up to a constant.  In as many terms as samples there is nothing to be learned."""
        free = self.samples - mask.sum()
        return np.inf if free < 1 else float(self.samples * np.log(self.left(mask) / self.total) + self.penalty * mask.sum())

    def subset(self, mask: np.ndarray, beyond: bool = False) -> np.ndarray:
        """The best subset of these terms, or *beyond* them one reached from there, in units of the noise that they leave."""
        places, out = np.flatnonzero(mask | beyond), np.zeros_like(mask)
        variance = self.left(mask) / max(self.samples - mask.sum(), 1.0)
        out[places] = best_subset(self.S[np.ix_(places, places)] / variance, self.b[places] / variance, self.penalty,
                                  [mask[places]], only=True)
        return out


def terms_in_few_variables(problems: Sequence[Regression], dimension: int, degree: int) -> list[np.ndarray]:
    """For each of several targets, with one S, a mask of its terms among all monomials up to a degree.

    Examples
    --------
    >>> from symknot.polynomials.evaluation import monomial_rows
    >>> rng = np.random.default_rng(0)
    >>> z = rng.normal(size=(6, 100))
    >>> y = (z[1] - z[4]) ** 3 + 0.1 * rng.normal(size=100)
    >>> rows = monomial_rows(z, 3)
    >>> mask, = terms_in_few_variables([Regression(rows @ rows.T, rows @ y, y @ y, 100)], 6, 3)
    >>> sorted(monomials(6, 3).exponents[mask][:, [1, 4]].tolist())
    [[0, 3], [1, 2], [2, 1], [3, 0]]
    """
    starts: list[list[list[int]]] = [[] for _ in problems]
    for number in range(1, min(LARGEST_TRIED, dimension) + 1):
        if math.comb(dimension, number) * count(number, degree) ** 2 > MOST_TRIED_NUMBERS:
            break
        for own, best in zip(starts, _best_of_all(problems, dimension, degree, number)):
            own.append(best)
    exponents = monomials(dimension, degree).exponents
    return [_terms_from(problem, exponents, degree, own) for problem, own in zip(problems, starts)]


def _terms_from(problem, exponents, degree, starts):
    """The terms of one target, with variables to start from: one, two, and so on."""
    best, least, taken = np.zeros(len(exponents), dtype=bool), 0.0, []
    most = min(MOST_DENSE_SHARE * problem.samples, MOST_DENSE_TERMS)
    while len(taken) < exponents.shape[1] and count(len(taken) + 1, degree) <= most:
        if len(taken) < len(starts):
            taken = starts[len(taken)]
        else:
            taken = _exchanged(problem, exponents, [*taken, _best_next(problem, exponents, taken)[0]])
        terms = problem.subset(_in(exponents, taken))
        cost = problem.cost(terms)
        if cost < least:
            best, least = terms, cost
    wider = problem.subset(best, beyond=True)
    return wider if problem.cost(wider) < least else best


def _best_of_all(problems, dimension, degree, number):
    """For each target the so many variables whose dense polynomial leaves least."""
    groups = np.array(list(itertools.combinations(range(dimension), number)))
    all_of_them, few = monomials(dimension, degree), monomials(number, degree)
    places = np.zeros((len(groups), len(few)), dtype=int)
    for lower in range(few.times.shape[1]):
        for i in range(number):
            places[:, few.times[i, lower]] = all_of_them.times[groups[:, i], places[:, lower]]
    S, b = problems[0].S, np.stack([problem.b for problem in problems], axis=1)
    told = np.empty((len(groups), len(problems)))
    for block in blocks(len(groups), len(few) ** 2):
        here = places[block]
        right = b[here]
        told[block] = np.sum(right * np.linalg.solve(S[here[:, :, None], here[:, None, :]], right), axis=1)
    return groups[np.argmax(told, axis=0)].tolist()


def _in(exponents, variables):
    """Which monomials have these variables alone."""
    others = np.delete(exponents, variables, axis=1)
    return ~others.any(axis=1)


def _best_next(problem, exponents, taken):
    """The variable with which least is left, and how much."""
    others = [v for v in range(exponents.shape[1]) if v not in taken]
    left = [problem.left(_in(exponents, [*taken, v])) for v in others]
    return others[int(np.argmin(left))], min(left)


def _exchanged(problem, exponents, taken):
    """The variables after all exchanges of one for another that leave less."""
    left = problem.left(_in(exponents, taken))
    while len(taken) > 1:
        rest = [[v for v in taken if v != old] for old in taken]
        found = [(*_best_next(problem, exponents, some)[::-1], some) for some in rest]
        least, new, some = min(found, key=lambda one: one[0])
        if least >= left * (1 - SOLVE_RIDGE):
            break
        taken, left = [*some, new], least
    return taken
