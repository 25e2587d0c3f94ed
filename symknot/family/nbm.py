r"""NBM, the numerical Buchberger-Moeller algorithm for points of limited precision: Fassino (2010).

Each coordinate of the points X is known up to a tolerance :math:`\varepsilon_k`; X' is an *admissible perturbation* of X
if it differs by no more in any of them.  In the walk of `symknot.family.order_ideals` over the corners, monomial t is
compared with the order ideal in the sense of least squares,

.. math:: \rho = t(X) - \mathcal O(X)\, \alpha, \qquad \alpha = \mathcal O(X)^+ t(X), \qquad
          g = t - \sum_i \alpha_i o_i. \tag{1}

When the points move, :math:`\rho` changes to first order by :math:`(I - P)\, \delta g(X)`, with the projection
:math:`P = \mathcal O(X) \mathcal O(X)^+` and :math:`\delta g = \sum_k \partial_k g \, \delta x_k`, so that no admissible
perturbation changes it by more than

.. math:: \beta = |I - P| \sum_k \varepsilon_k |\partial_k g(X)| \tag{2}

(sizes entry by entry).  If :math:`|\rho| \le \beta` at every point, t leads g, which may vanish on an admissible
perturbation; if not, t joins :math:`\mathcal O`.

Promised: the test (2), to first order.  It asks for every polynomial *by itself*: the points on which one of them vanishes
are not those on which another does, and neither are computed.  `Generators.neighbours` computes them; `Generators.knots`
shows what they have in common.

C. Fassino, *Almost vanishing polynomials for sets of limited precision points*, Journal of Symbolic Computation 45 (2010).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..ground.blocks import blocks
from ..ground.calls import call_text, noted
from ..ground.linalg import least_squares
from ..ground.ranges import within_range
from ..polynomials.evaluation import evaluate_monomials
from ..polynomials.terms import Exponents
from .generators import MAX_DEGREE, Generators, generators, given
from .order_ideals import Found, OrderIdeal, Triangle, walk

GUARANTEE = ("each polynomial may vanish on points within epsilon of these in each coordinate, to first order, by itself; "
             "that two vanish on the same points is not promised")


@within_range()
def nbm(points: Any, epsilon: float | Sequence[float], *, max_degree: int = MAX_DEGREE,
        names: Sequence | None = None) -> Generators:
    """Almost vanishing polynomials of points of limited precision: equations (1) and (2) of this module.

    Parameters
    ----------
    points : array, DataFrame or path of a data file
        As in `symknot.fit`; taken as they are.
    epsilon : float or sequence of float
        Tolerance on the coordinates: of all, or of each variable.
    max_degree : int
    names : sequence of str or sympy.Symbol, optional

    Returns
    -------
    Generators
        `measure` of a polynomial is the largest share of (2) that (1) takes up: at most 1.

    Examples
    --------
    >>> found = nbm([[0, 0.01], [1, 0], [2, -0.01], [3, 0.01]], 0.02, names=["x", "y"])
    >>> [g.lead for g in found.polynomials], found.polynomials[0].measure <= 1
    ([(0, 1), (4, 0)], True)
    """
    call = call_text(nbm, locals())
    data = given(points, epsilon, max_degree, names, each=True)
    found = walk(data.points, _Step(data.points, data.tolerances), data.max_degree, corners=True)
    return noted(generators(data, found, "NBM", GUARANTEE), call)


class _Step:
    """Step 3 of the walk, with the factorization of the order ideal's values from one monomial to the next."""

    def __init__(self, points: np.ndarray, tolerances: np.ndarray) -> None:
        self.points = points
        self.tolerances = tolerances
        self.triangle = Triangle(np.ones(len(points)))

    def __call__(self, ideal: OrderIdeal, candidates: list[Exponents], found: Found) -> None:
        for term in candidates:
            column = ideal.at(term)
            inside, rest = self.triangle.split(column)
            coefficients = np.concatenate([[1.0], -least_squares(self.triangle.R, inside)])
            bound = self._bound([term, *ideal.terms], coefficients)
            if (np.abs(rest) <= np.maximum(bound, _ROUNDING * np.abs(column).max())).all():
                with np.errstate(divide="ignore", invalid="ignore"):
                    share = np.where(bound > 0, np.abs(rest) / bound, 0.0)
                found.add(term, ideal.terms, coefficients, share.max())
            else:
                ideal.add(term, column)
                self.triangle.add(inside, rest)

    def _bound(self, terms: list[Exponents], coefficients: np.ndarray) -> np.ndarray:
        """(2), a block of rows of the projection at a time."""
        slopes = evaluate_monomials(self.points, np.array(terms))[1] @ coefficients
        sizes = np.abs(slopes) @ self.tolerances
        Q, n = self.triangle.Q, len(self.points)
        bound = np.empty(n)
        for rows in blocks(n, n):
            P = -Q[rows] @ Q.T
            P[np.arange(len(P)), np.arange(rows.start, rows.stop)] += 1.0
            bound[rows] = np.abs(P) @ sizes
        return bound


_ROUNDING = 1e-12
"""Share of the largest value below which a residual is rounding: some thousand roundings of a double."""
