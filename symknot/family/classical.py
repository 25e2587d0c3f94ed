r"""VCA as it was published: Livni, Lehavi, Schein, Nachlieli, Shalev-Shwartz and Globerson (2013).

With :math:`F = \{1 / \sqrt N\}` at first and :math:`C_1 = \{x_1, \dots, x_d\}`, at each degree t the candidates are made
orthogonal to F on the points and split by singular values,

.. math:: \tilde C = C_t - F\, F(X)^T C_t(X), \qquad \tilde C(X) = L D U^T, \tag{1}

:math:`g_i = \tilde C u_i` is a vanishing polynomial if :math:`D_{ii} = \|g_i(X)\| \le \varepsilon`, and joins F, divided by its
norm on the points, if not.  The next candidates are all products

.. math:: C_{t+1} = \{ f h : f \in F_t, \; h \in F_1 \}. \tag{2}

A unit vector u of candidates says nothing about the size of a polynomial: (2) holds f h and h f, and with degree more and
more combinations that are zero identically.  They vanish on every set of points, and (1) returns them; here they are counted
(`Generators.zero_count`) and left out.  Neither are multiples of earlier polynomials told from new ones.

`symknot.vca` has the same split with polynomials of unit *size*, so it finds none of the former and tells the latter.

R. Livni et al., *Vanishing component analysis*, ICML (2013).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..ground.calls import call_text, noted
from ..ground.errors import Status
from ..ground.linalg import ascending_svd
from ..ground.ranges import within_range
from ..polynomials.evaluation import monomial_rows
from ..polynomials.monomials import monomials, padded
from ..polynomials.term_orders import order_key
from .generators import MAX_DEGREE, Generators, generators, given
from .order_ideals import ORDER, Found

ZERO_POLYNOMIAL = 1e-9
"""Size of a combination of candidates, relative to theirs, below which it is zero identically: far above rounding, far
below any polynomial (measured on 300 points of a circle, a sphere and a twisted cubic: 1e-16 and 1e-2)."""
GUARANTEE = ("each polynomial, a unit combination of candidates, has norm at most epsilon on the points; "
             "a common zero is not promised")


@within_range()
def classical_vca(points: Any, epsilon: float, *, max_degree: int = MAX_DEGREE, names: Sequence | None = None) -> Generators:
    """Vanishing component analysis as published: equations (1) and (2) of this module.

    Parameters
    ----------
    points : array, DataFrame or path of a data file
        As in `symknot.fit`; taken as they are.
    epsilon : float
        Largest norm on the points of a unit combination of candidates.  As these are products of functions of unit norm,
        what it means changes with the degree and with the number of points.
    max_degree : int
    names : sequence of str or sympy.Symbol, optional

    Returns
    -------
    Generators

    Examples
    --------
    >>> found = classical_vca([[0, 0], [1, 0], [0, 1], [1, 1]], 1e-9)
    >>> [g.degree for g in found.polynomials], found.zero_count
    ([2, 2, 3, 3], 1)
    """
    call = call_text(classical_vca, locals())
    data = given(points, epsilon, max_degree, names)
    return noted(generators(data, _found(data.points, data.epsilon, data.max_degree), "classical VCA", GUARANTEE), call)


class VanishingOfDegree(NamedTuple):
    """The vanishing polynomials of one degree.

    Attributes
    ----------
    degree : int
    coefficients : (m, k) array
        Over the monomials up to `degree`.
    sizes : (k,) array
        Norms on the points, ascending.
    zero_count : int
        How many more there are, which are zero identically.
    last : bool
        Whether there are no candidates of a higher degree.
    """

    degree: int
    coefficients: np.ndarray
    sizes: np.ndarray
    zero_count: int
    last: bool


def vanishing_by_degree(points: np.ndarray, epsilon: float, max_degree: int) -> Iterator[VanishingOfDegree]:
    """What (1) and (2) find, degree by degree, as arrays.

    Examples
    --------
    >>> corners = np.array([[0.0, 0], [1, 0], [0, 1], [1, 1]])
    >>> [(layer.degree, len(layer.sizes), layer.zero_count, layer.last) for layer in vanishing_by_degree(corners, 1e-9, 5)]
    [(1, 0, 0, False), (2, 2, 1, False), (3, 2, 0, True)]
    """
    return _Search(points, epsilon).run(max_degree)


def _found(points: np.ndarray, epsilon: float, max_degree: int) -> Found:
    """The same as polynomials with leading monomials."""
    found = Found(status=Status.MAX_DEGREE)
    for layer in vanishing_by_degree(points, epsilon, max_degree):
        exponents = [tuple(row) for row in monomials(points.shape[1], layer.degree).exponents.tolist()]
        order = sorted(range(len(exponents)), key=lambda k: order_key(ORDER)(exponents[k]), reverse=True)
        for size, column in zip(layer.sizes, layer.coefficients.T):
            lead = next(k for k in order if abs(column[k]) > ZERO_POLYNOMIAL * np.abs(column).max())
            others = [k for k in order if k != lead and column[k]]
            found.add(exponents[lead], [exponents[k] for k in others], column[[lead, *others]], size)
        found.zero_count += layer.zero_count
        found.status = Status.COMPLETE if layer.last else Status.MAX_DEGREE
    return found


class _Search:
    """F and G as coefficients over monomials, and their values on the points."""

    def __init__(self, points: np.ndarray, epsilon: float) -> None:
        self.points, self.bound = points, epsilon
        self.d = points.shape[1]
        self.F = np.array([[1 / np.sqrt(len(points))]])

    def run(self, max_degree: int) -> Iterator[VanishingOfDegree]:
        C = np.eye(self.d + 1)[:, 1:]
        first = np.empty((self.d + 1, 0))
        for degree in range(1, max_degree + 1):
            rows = monomial_rows(self.points.T, degree)
            fresh, vanishing = self._split(C, rows)
            first = fresh if degree == 1 else first
            yield VanishingOfDegree(degree, *vanishing, last=not fresh.shape[1])
            if not fresh.shape[1]:
                return
            if degree < max_degree:
                C = self._products(fresh, first, degree + 1)

    def _split(self, C: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray, int]]:
        """(1): the new F, and what vanishes."""
        F = padded(self.F, len(rows))
        values_F = rows.T @ F
        for _ in range(2):                               # once more, for what rounding left
            C = C - F @ (values_F.T @ (rows.T @ C))
        sizes, U = ascending_svd(rows.T @ C)
        small = sizes <= self.bound
        fresh = (C @ U[:, ~small]) / sizes[~small]
        self.F = np.hstack([F, fresh])
        return fresh, self._apart(C, U[:, small], rows)

    def _apart(self, C, U, rows):
        """Vanishing polynomials, their sizes, and how many more are zero."""
        if not U.shape[1]:
            return np.zeros((len(rows), 0)), np.zeros(0), 0
        zero, turn = ascending_svd(C @ U)                # zero polynomials apart, where singular values do not tell them
        kept = zero > ZERO_POLYNOMIAL * np.linalg.norm(C, axis=0).max()
        sizes, vectors = ascending_svd(rows.T @ (C @ (U @ turn[:, kept])))
        return (C @ U) @ turn[:, kept] @ vectors, sizes, int(np.sum(~kept))

    def _products(self, fresh: np.ndarray, first: np.ndarray, degree: int) -> np.ndarray:
        """(2), over the monomials of one degree more."""
        y = monomials(self.d, degree)
        shifted = [padded(fresh, len(y)), *(y.product(i, fresh) for i in range(self.d))]
        return np.hstack([sum(h[k] * part for k, part in enumerate(shifted)) for h in first.T])
