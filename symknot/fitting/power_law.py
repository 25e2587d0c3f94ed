r"""Power laws: binomials :math:`x^a = c \, x^b` found on the logarithms of positive data.

With noise proportional to the value, logarithms have noise of one size, :math:`\sigma`, and a power law is linear in
them: :math:`v \cdot \log x = \log c` with :math:`v = a - b`, a vector of whole numbers.  Of n points in d variables
let :math:`s_1 \le \dots \le s_d` be the singular values of the centred logarithms and :math:`w_j` their directions.
With k laws the first k directions hold noise only (total least squares):

.. math:: \sigma^2 = \frac{s_1^2 + \dots + s_k^2}{k (n - 1 - (d - k))} .

A vector v is tested by what it has of the other directions,

.. math:: F(v) = \sum_{j > k} \frac{s_j^2 (v \cdot w_j)^2}{(d - k) \, \sigma^2 |v|^2} ,

which, if v is a law, has Fisher's distribution with d - k and k (n - 1 - (d - k)) degrees of freedom; so a true law
is refused with a probability of `REFUSED_TRUTHS`.  It needs d + 2 points, not one for each monomial.  Of all that are
not rejected the simplest (lowest degree, then smallest sum of exponents) are taken until there are k independent
ones, and all together pass the same test.

**Chance.**  Any long and narrow cloud has a narrow direction, and some whole numbers lie near it.  For a direction that
means nothing, uniform on the sphere, the probability that a given v is not rejected is to first order the volume of an
ellipsoid with the semi-axes :math:`\sqrt{(d - k) F_*}\,\sigma / s_j` times the density :math:`\Gamma(d/2) /
(\Gamma(k/2) \pi^{(d-k)/2})` of d - k coordinates of a unit vector at 0; times the number of vectors that are as simple
as v or simpler, it is the `chance` of the law.  A law is believed where that is below `MOST_CHANCE`.  The axes are
special directions of clouds whose variables are independent; so d, k and s are those of the variables in v alone, and
a variable that is constant is no power law, neither by itself nor as a consequence of several.

The constant has :math:`\log c = v \cdot \overline{\log x}` with the covariance :math:`\sigma^2 V V^\top / n`, where now
:math:`\sigma^2 = \mathrm{tr}((V V^\top)^{-1} V S V^\top) / (k (n - 1))`, S the matrix of squares of the centred
logarithms.  The nearest point of the laws is :math:`\log z = \log x - V^\top (V V^\top)^{-1} (V \log x - \log c)`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, islice
from math import gcd, lgamma, log, pi
from typing import NamedTuple

import numpy as np
from scipy.special import chdtri, fdtri

from ..ground.exact_linear import dependent
from ..ground.linalg import svd
from ..polynomials.monomials import count, monomials

REFUSED_TRUTHS = 0.01
"""Probability with which the true exponents are rejected: a convention."""
MOST_CHANCE = 0.01
"""Probability with which chance alone puts exponents as simple as those found within the error: a convention."""
NARROW = 0.1
"""Share of the next spread below which noise is so small that a law is believed where the caller says that there is
one: a convention.  Exponents may then have rivals that are as simple."""
HIGHEST_DEGREE = 8
"""Degree of a binomial at most: a convention, above that of any law with a name."""
MOST_MONOMIALS = 500
"""Monomials of either side of a binomial at most: the degree is lowered with many variables, to 5 with six and 3 with
ten.  A convention; all pairs of them are tried, a quarter of a million."""
SPARE_POINTS = 2
"""Points beyond the number of variables that are needed.  Derived: one for the constant, one that leaves the noise a
degree of freedom."""
LOG_ROUNDING = 1e-13
"""Relative noise below which data are exact: some 400 roundings of a double, for powers of numbers far from 1."""
LARGEST_LOG = 600.0
"""Logarithm of the constant, at most: beyond, it leaves the range of floats, whose logarithm is 709."""
NO_SHARE = 1e-9
"""Share of an axis outside a span of whole vectors that counts as none.  Derived: rounding leaves 1e-15, and with
exponents up to 8 the smallest share that is not zero is about 1 over their squared length."""
COMBINED = 12
"""Exponent vectors in the span of those found among which a basis of all whole vectors in it is sought: a convention."""


@dataclass(frozen=True, eq=False)
class PowerLaw:
    """One or more power laws that hold together, with noise proportional to the value.

    Attributes
    ----------
    exponents : (k, d) int array
        Row v says that the product of all ``x**v`` is constant.
    logs : (k,) array
        Logarithms of the constants.
    covariance : (k, k) array
        Of `logs`.
    noise : float
        Relative standard deviation of each variable.
    chance : float
        Probability that exponents so simple fit a cloud without any law.
    """

    exponents: np.ndarray
    logs: np.ndarray
    covariance: np.ndarray
    noise: float
    chance: float

    @property
    def degrees(self) -> np.ndarray:
        """Degree of each binomial."""
        return binomial_degrees(self.exponents)

    def off(self, X: np.ndarray) -> np.ndarray:
        """By how much the logarithms of the laws' two sides differ at positive points, (n, k)."""
        return np.log(X) @ self.exponents.T - self.logs

    def onto(self, X: np.ndarray, logs: np.ndarray | None = None) -> np.ndarray:
        """The nearest points, by logarithms, on which the laws hold; with other constants if they are given."""
        off = np.log(X) @ self.exponents.T - (self.logs if logs is None else logs)
        return X * np.exp(-np.linalg.solve(self.exponents @ self.exponents.T, off.T).T @ self.exponents)

    def distances(self, X: np.ndarray) -> np.ndarray:
        """Distances of positive points from the laws, by logarithms."""
        off = self.off(X)
        squares = np.sum(off * np.linalg.solve(self.exponents @ self.exponents.T, off.T).T, axis=1)
        return np.sqrt(np.maximum(squares, 0))


class _Spread(NamedTuple):
    """Centred logarithms: mean, singular values (ascending) and directions (columns), number of points."""

    mean: np.ndarray
    values: np.ndarray
    directions: np.ndarray
    points: float


def find_power_law(X: np.ndarray, weights: np.ndarray, max_degree: int | None = None,
                   claimed: bool = False) -> PowerLaw | None:
    """The power laws of positive points; None where there are none.

    Parameters
    ----------
    X : (n, d) array
        Positive.
    weights : (n,) array
        Adding up to 1.
    max_degree : int, optional
    claimed : bool
        The caller says that there is a power law: noise may also be `NARROW` instead of `chance` small.

    Examples
    --------
    >>> a = np.array([0.387, 0.723, 1, 1.524, 5.203, 9.537, 19.19, 30.07])
    >>> T = np.array([0.241, 0.615, 1, 1.881, 11.86, 29.46, 84.01, 164.8])
    >>> law = find_power_law(np.c_[a, T], np.full(8, 1 / 8))
    >>> law.exponents.tolist(), bool(abs(law.logs[0]) < 0.01), law.noise < 0.01
    ([[3, -2]], True, True)
    """
    d, n = X.shape[1], 1 / float(np.sum(weights**2))
    if d < 2 or n < d + SPARE_POINTS - 1e-6:
        return None
    logs = np.log(X)
    mean = weights @ logs
    _, values, rows = svd(np.sqrt(weights * n)[:, None] * (logs - mean))
    spread = _Spread(mean, values[::-1], rows[::-1].T, n)
    for k in range(d - 1, 0, -1):
        law = _laws(spread, k, max_degree, claimed)
        if law is not None:
            return law
    return None


def _laws(spread, k, max_degree, claimed):
    """`k` laws, or None."""
    d, n = len(spread.mean), spread.points
    freedom = k * (n - 1 - (d - k))
    variance = max(float(np.sum(spread.values[:k] ** 2)) / freedom, LOG_ROUNDING**2)
    candidates, simpler = exponent_vectors(d, max_degree)
    others, directions = spread.values[k:], spread.directions[:, k:]
    if not len(candidates) or others[0] == 0:
        return None
    limit = float(fdtri(d - k, freedom, 1 - REFUSED_TRUTHS))
    chances = simpler * _chance(np.sqrt((d - k) * limit * variance) / others, d)
    # the largest noise that would look so small with a probability of REFUSED_TRUTHS
    most = variance * freedom / float(chdtri(freedom, 1 - REFUSED_TRUTHS))
    granted = claimed and most <= NARROW**2 * others[0] ** 2 / (n - 1)
    if not granted:
        candidates, simpler = candidates[chances <= MOST_CHANCE], simpler[chances <= MOST_CHANCE]
    F = (((candidates @ directions) * others) ** 2).sum(axis=1) / ((d - k) * variance * np.sum(candidates**2, axis=1))
    accepted = np.flatnonzero(F <= limit)
    chosen = _independent(candidates, accepted, k)
    if len(chosen) < k:
        return None
    V = _saturated(candidates, accepted, chosen)
    if _has_constants(V):
        return None
    squares = (spread.directions * spread.values**2) @ spread.directions.T
    excess = np.trace(np.linalg.solve(V @ V.T, V @ squares @ V.T)) - np.sum(spread.values[:k] ** 2)
    if excess > k * (d - k) * variance * float(fdtri(k * (d - k), freedom, 1 - REFUSED_TRUTHS)):
        return None
    chance = max(float(simpler[place]) * _chance_among_its_own(candidates[place], V, squares, variance, freedom)
                 for place in chosen)
    return _estimated(spread, V, min(1.0, chance)) if granted or chance <= MOST_CHANCE else None


def _chance_among_its_own(v, V, squares, variance, freedom):
    """Probability that a random direction of the variables in `v` comes as near to it, whatever the others do."""
    own = v != 0
    laws = len(V) - int(np.linalg.matrix_rank(V[:, ~own])) if not own.all() else len(V)
    others = np.sqrt(np.maximum(np.linalg.eigvalsh(squares[np.ix_(own, own)])[laws:], np.finfo(float).tiny))
    limit = float(fdtri(len(others), freedom, 1 - REFUSED_TRUTHS))
    return _chance(np.sqrt(len(others) * limit * variance) / others, int(own.sum()))


def _estimated(spread, V, chance):
    V = V[np.lexsort((np.abs(V).sum(axis=1), binomial_degrees(V)))]
    inner, n = V @ spread.directions, spread.points
    gram = V @ V.T
    squares = float(np.trace(np.linalg.solve(gram, (inner * spread.values**2) @ inner.T)))
    variance = max(squares / (len(V) * (n - 1)), LOG_ROUNDING**2)
    logs = V @ spread.mean
    return PowerLaw(V, logs, variance * gram / n, float(np.sqrt(variance)), chance) if abs(logs).max() < LARGEST_LOG else None


def _chance(axes, d):
    """Probability that d - k coordinates of a random unit vector lie in an ellipsoid, to first order."""
    m = len(axes)
    volume = m / 2 * log(pi) - lgamma(m / 2 + 1) + float(np.sum(np.log(axes)))
    density = lgamma(d / 2) - lgamma((d - m) / 2) - m / 2 * log(pi)
    return float(np.exp(min(volume + density, 0.0)))


@lru_cache(maxsize=8)
def exponent_vectors(d: int, max_degree: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Exponent vectors of all binomials in d variables, simplest first, and how many are as simple as each or simpler.

    Two monomials without a common variable, exponents without a common factor, two variables at least; either sign of
    a vector is the same law.

    Examples
    --------
    >>> exponent_vectors(2, 2)[0].tolist(), exponent_vectors(2, 2)[1].tolist()
    ([[1, -1], [1, 1], [1, -2], [2, -1]], [1, 2, 4, 4])
    """
    degree = min(HIGHEST_DEGREE, HIGHEST_DEGREE if max_degree is None else max_degree)
    while degree > 1 and count(d, degree) > MOST_MONOMIALS:
        degree -= 1
    sides = monomials(d, degree).exponents
    left, right = np.triu_indices(len(sides), 1)
    disjoint = ~((sides > 0).astype(int) @ (sides > 0).T.astype(int)).astype(bool)
    kept = disjoint[left, right]
    vectors = sides[right[kept]] - sides[left[kept]]
    vectors = vectors[(np.gcd.reduce(vectors, axis=1) == 1) & (np.count_nonzero(vectors, axis=1) > 1)]
    first = vectors[np.arange(len(vectors)), np.argmax(vectors != 0, axis=1)]
    vectors = vectors * np.sign(first)[:, None]
    degrees, sums = binomial_degrees(vectors), np.abs(vectors).sum(axis=1)
    order = np.lexsort((*vectors.T[::-1], sums, degrees))
    key = degrees[order] * 10 * HIGHEST_DEGREE + sums[order]
    vectors = vectors[order]
    for array in (vectors, simpler := np.searchsorted(key, key, side="right")):
        array.setflags(write=False)
    return vectors, simpler


def binomial_degrees(exponents: np.ndarray) -> np.ndarray:
    """Degree of the binomial with each vector of exponents: of the larger of its two monomials."""
    return np.maximum(np.maximum(exponents, 0).sum(axis=1), np.maximum(-exponents, 0).sum(axis=1))


def _independent(candidates, accepted, k):
    """Places of the first `k` independent ones."""
    chosen = []
    for place in accepted:
        if not dependent(candidates[[*chosen, place]].tolist()):
            chosen.append(int(place))
        if len(chosen) == k:
            break
    return chosen


def _saturated(candidates, accepted, chosen):
    """A basis of all whole vectors in the span of the chosen ones, as far as accepted ones have it."""
    V = candidates[chosen]
    if len(V) == 1 or _index(V) == 1:
        return V
    spanned = (place for place in accepted if dependent([*V.tolist(), candidates[place].tolist()]))
    few = list(islice(spanned, COMBINED))
    bases = [candidates[list(places)] for places in combinations(few, len(V))]
    return min([V, *(basis for basis in bases if not dependent(basis.tolist()))], key=_index)


def _has_constants(V):
    """Whether the laws say that a variable is constant: that its axis lies in the span of the exponents."""
    across = np.eye(V.shape[1]) - V.T @ np.linalg.solve(V @ V.T, V)
    return bool((np.diag(across) < NO_SHARE).any())


def _index(V):
    """How many times fewer vectors the rows generate than there are whole vectors in their span: gcd of the minors."""
    minors = (round(float(np.linalg.det(V[:, columns]))) for columns in combinations(range(V.shape[1]), len(V)))
    return gcd(*minors) or np.inf
