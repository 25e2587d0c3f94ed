r"""How much it takes to write a model down: which terms, and which numbers.

A model's cost is minus twice the logarithm of its probability: that of the data, and that of the model before there are data,
which is what the shortest code for it says (Rissanen).  The code has two parts.

*Terms*: k of p candidates are one of :math:`\binom p k` choices, all alike: :math:`2 \ln \binom p k`, the term of Chen and
Chen's extended criterion (Biometrika 95, 2008); more than half of the candidates are no simpler choice than half of them.

*Numbers*: each coefficient says first what it is.  One half are numbers of no kind; with the prior of unit information (as
broad as one of n measurements tells it) such a number costs Schwarz's :math:`\ln n`, and never less than what it must win to be
significant at the level of five per cent where the noise is estimated as well (Student's t, which counts for n below 20).  One
quarter are 1 or -1, which is what is left of a monomial written without a number.  One quarter recur: they are plus or minus a
number written before, as where what one state loses another one gains, or as in a difference.  A coefficient that has such a
value only within its error is moved there, the others with it, and what that adds to the misfit, by the quadratic form of the
estimate, is paid as well; a number is taken for a simple one if that is cheaper.  In units in which nothing is simple every
number costs the same.
"""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln, stdtrit

from ...ground.deadline import look
from ...ground.linalg import SOLVE_RIDGE, unit_diagonal
from ...polynomials.monomials import count
from .fields import Field

GENERAL, ONE, RECURRING = 2 * np.log(2.0), 2 * np.log(8.0), 2 * np.log(8.0)
"""What it costs to say of which kind a number is: one half, one quarter and one quarter of them, the last two with a sign."""
LEVEL = 0.05
"""Of the test that a number must pass at least."""


def length_of_terms(field: Field, offered: int = 0) -> float:
    """Of the choice of terms, among all of the degree that numerators have, and denominators; and of functions.

    Parameters
    ----------
    field : Field
    offered : int
        Functions among which those of the field were chosen, if they were.

    Examples
    --------
    >>> line = Field(1, 2, (np.array([0, 1]),), (np.array([], dtype=int),), (0,))
    >>> square = Field(1, 2, (np.array([0, 2]),), (np.array([], dtype=int),), (0,))
    >>> [round(float(np.exp(length_of_terms(field) / 2)), 6) for field in (line, square)]
    [2.0, 3.0]
    """
    used, below = field.exponents[field.monomial], field.in_denominator
    pivots = np.flatnonzero(np.array(field.pivots) > 0)
    divisors = np.concatenate([used[below], field.exponents[np.array(field.pivots)[pivots]]])
    functions = used[:, field.arguments:].any(axis=0).sum()
    length = 0.0
    for terms, owner in ((used[~below], field.owner[~below]), (divisors, np.r_[field.owner[below], pivots])):
        degree = int(terms.sum(axis=1).max(initial=0))
        everything = count(field.arguments, degree) + functions * count(field.arguments, max(degree - 1, 0))
        length += np.sum(_choice(everything, np.bincount(owner, minlength=field.equations)))
    return float(2 * (length + _choice(max(offered, functions), functions)))


def _choice(of, k):
    """ln of the number of choices; terms that have several functions as factors were chosen among more than `of`."""
    of = np.maximum(of, k)
    few = np.minimum(k, of // 2)
    return gammaln(of + 1) - gammaln(few + 1) - gammaln(of - few + 1)


def length_of_numbers(values: np.ndarray, information: np.ndarray, measurements: int) -> float:
    """Of the numbers of an estimate, with what it costs to move them to simpler ones.

    Parameters
    ----------
    values : (k,) array
    information : (k, k) array
        Inverse covariance of the values.
    measurements : int

    Examples
    --------
    >>> plain, simple, equal = (length_of_numbers(np.array(two), 100 * np.eye(2), 1000)
    ...                         for two in ([2.4, 5.7], [1.02, 5.7], [5.7, -5.69]))
    >>> bool(simple < plain and equal < plain)
    True
    """
    k = len(values)
    freedom = max(measurements - k, 1)
    general = GENERAL + max(np.log(max(measurements, 2)),
                            measurements * np.log1p(stdtrit(freedom, 1 - LEVEL / 2) ** 2 / freedom))
    if not k:
        return 0.0
    S, size = unit_diagonal(information)
    covariance = np.linalg.inv(S + SOLVE_RIDGE * np.eye(k)) / np.outer(size, size)
    values, free, cost = values.copy(), np.ones(k, dtype=bool), general * k
    while free.any():
        look(k * k)
        with np.errstate(over="ignore"):                                     # of data without noise
            kind, rows, gain = _simplest(values, covariance, free, general)
        if gain <= 0:
            break
        cost -= gain
        direction = np.zeros(k)
        direction[rows[0]] = 1.0
        target = np.sign(values[rows[0]]) if kind == "one" else 0.0
        if kind == "recurring":
            direction[rows[1]] = -np.sign(values[rows[0]] * values[rows[1]])
        spread = covariance @ direction
        variance = float(direction @ spread)
        values = values - spread * (direction @ values - target) / variance
        covariance = covariance - np.outer(spread, spread) / variance
        free[rows[0]] = False
    return float(cost)


def _simplest(values, covariance, free, general):
    """The change to a simple number that saves most: its kind, which numbers, and how much it saves."""
    places = np.flatnonzero(free)
    theta, C = values[places], covariance[np.ix_(places, places)]
    variance = np.maximum(np.diag(C), np.finfo(float).tiny)
    gains = general - ONE - (np.abs(theta) - 1) ** 2 / variance
    best = int(np.argmax(gains))
    found = "one", (places[best],), float(gains[best])
    if len(places) > 1:
        sign = np.sign(np.outer(theta, theta))
        spread = np.maximum(variance[:, None] + variance - 2 * sign * C, np.finfo(float).tiny)
        pairs = general - RECURRING - 2 * np.log(len(places) - 1) - (np.abs(theta)[:, None] - np.abs(theta)) ** 2 / spread
        np.fill_diagonal(pairs, -np.inf)
        i, j = np.unravel_index(np.argmax(pairs), pairs.shape)
        if pairs[i, j] > found[2]:
            found = "recurring", (places[i], places[j]), float(pairs[i, j])
    return found
