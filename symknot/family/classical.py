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

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..ground.calls import call_text, noted
from ..ground.errors import Status
from ..ground.linalg import ascending_svd
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
    return noted(generators(data, _Search(data.points, data.epsilon).run(data.max_degree), "classical VCA", GUARANTEE), call)


class _Search:
    """F and G as coefficients over monomials, and their values on the points."""

    def __init__(self, points: np.ndarray, epsilon: float) -> None:
        self.points, self.bound = points, epsilon
        self.d = points.shape[1]
        self.F = np.array([[1 / np.sqrt(len(points))]])
        self.found = Found(status=Status.MAX_DEGREE)

    def run(self, max_degree: int) -> Found:
        C = np.eye(self.d + 1)[:, 1:]
        first = np.empty((self.d + 1, 0))
        for degree in range(1, max_degree + 1):
            rows = monomial_rows(self.points.T, degree)
            fresh = self._split(C, rows, degree)
            first = fresh if degree == 1 else first
            if not fresh.shape[1]:
                self.found.status = Status.COMPLETE
                break
            C = self._products(fresh, first, degree + 1)
        return self.found

    def _split(self, C: np.ndarray, rows: np.ndarray, degree: int) -> np.ndarray:
        """(1): adds to what was found, returns the new F."""
        F = padded(self.F, len(rows))
        values_F = rows.T @ F
        for _ in range(2):                               # once more, for what rounding left
            C = C - F @ (values_F.T @ (rows.T @ C))
        sizes, U = ascending_svd(rows.T @ C)
        small = sizes <= self.bound
        self._keep(C, U[:, small], sizes[small], degree, rows)
        fresh = (C @ U[:, ~small]) / sizes[~small]
        self.F = np.hstack([F, fresh])
        return fresh

    def _keep(self, C, U, sizes, degree, rows):
        if not U.shape[1]:
            return
        zero, turn = ascending_svd(C @ U)                # zero polynomials apart, where singular values do not tell them
        kept = zero > ZERO_POLYNOMIAL * np.linalg.norm(C, axis=0).max()
        self.found.zero_count += int(np.sum(~kept))
        space = ascending_svd(rows.T @ (C @ (U @ turn[:, kept])))
        exponents = [tuple(row) for row in monomials(self.d, degree).exponents.tolist()]
        order = sorted(range(len(exponents)), key=lambda k: order_key(ORDER)(exponents[k]), reverse=True)
        for size, column in zip(space[0], ((C @ U) @ turn[:, kept] @ space[1]).T):
            lead = next(k for k in order if abs(column[k]) > ZERO_POLYNOMIAL * np.abs(column).max())
            others = [k for k in order if k != lead and column[k]]
            self.found.add(exponents[lead], [exponents[k] for k in others], column[[lead, *others]], size)

    def _products(self, fresh: np.ndarray, first: np.ndarray, degree: int) -> np.ndarray:
        """(2), over the monomials of one degree more."""
        y = monomials(self.d, degree)
        shifted = [padded(fresh, len(y)), *(y.product(i, fresh) for i in range(self.d))]
        return np.hstack([sum(h[k] * part for k, part in enumerate(shifted)) for h in first.T])
