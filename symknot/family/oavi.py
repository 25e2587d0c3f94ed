r"""OAVI, approximate vanishing ideals by convex oracles: Wirth and Pokutta (2022), Wirth, Kera and Pokutta (2023).

In the walk of `symknot.family.order_ideals`, monomial u gets the polynomial with leading coefficient 1

.. math:: g = u + \sum_{t \in \mathcal O} c_t t, \qquad
          c = \arg\min_v \tfrac1N \|\mathcal O(X)\, v + u(X)\|^2, \tag{1}

from an oracle (`symknot.family.oracles`: without constraint, or in an L1 ball).  If

.. math:: \mathrm{MSE}(g, X) = \tfrac1N \|g(X)\|^2 \le \psi = \varepsilon^2, \tag{2}

it is a generator; if not, u joins :math:`\mathcal O` (their Algorithm 1).  By default u runs over the corners, so that no
generator leads a multiple of another's lead (as in a Groebner basis); with ``border=True`` over the whole border, as in a
border basis: more generators, each found from the data anew.

Promised: leading coefficient 1 and root-mean-square at most epsilon on the points; with points in [0, 1] an end at degree
:math:`\lceil -\log \psi / \log 4 \rceil`; with an L1 ball bounds on the error at new points.  Not promised: a common zero.

E. Wirth, S. Pokutta, *Conditional gradients for the approximately vanishing ideal*, AISTATS (2022).  E. Wirth, H. Kera,
S. Pokutta, *Approximate vanishing ideal computations at scale*, ICLR (2023).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..ground.calls import call_text, noted
from ..ground.checks import strategy
from ..ground.ranges import within_range
from ..polynomials.terms import Exponents
from .generators import MAX_DEGREE, Generators, generators, given
from .oracles import ConditionalGradients, InverseHessian, Oracle
from .order_ideals import Found, OrderIdeal, Triangle, walk

ORACLES = {"inverse hessian": InverseHessian, "conditional gradients": ConditionalGradients}
GUARANTEE = ("each polynomial, of leading coefficient 1, has root-mean-square at most epsilon on the points; "
             "a common zero is not promised")


@within_range()
def oavi(points: Any, epsilon: float, *, oracle: str | Oracle = "inverse hessian", border: bool = False,
         max_degree: int = MAX_DEGREE, names: Sequence | None = None) -> Generators:
    """Generators by convex oracles: equations (1) and (2) of this module.

    Parameters
    ----------
    points : array, DataFrame or path of a data file
        As in `symknot.fit`; taken as they are.  The papers have them in [0, 1].
    epsilon : float
        Largest root-mean-square over the points of a polynomial of leading coefficient 1: the root of the papers' psi.
    oracle : {"inverse hessian", "conditional gradients"} or Oracle
    border : bool
        Look at the whole border, not at its corners only.
    max_degree : int
    names : sequence of str or sympy.Symbol, optional

    Returns
    -------
    Generators

    Examples
    --------
    >>> corners = [[0, 0], [1, 0], [0, 1], [1, 1]]
    >>> print(*(g.text(3) for g in oavi(corners, 1e-3, names=["x", "y"]).polynomials), sep=", ")
    y**2 - 1.0*y = 0, x**2 - 1.0*x = 0
    >>> len(oavi(corners, 1e-3, border=True).polynomials)
    4
    """
    call = call_text(oavi, locals())
    solver: Oracle = strategy("oracle", oracle, Oracle, ORACLES)
    data = given(points, epsilon, max_degree, names)
    found = walk(data.points, _Step(len(data.points), data.epsilon, solver), data.max_degree, corners=not border)
    return noted(generators(data, found, "border OAVI" if border else "OAVI", GUARANTEE), call)


class _Step:
    """Step 3 of the walk, with the factorization of the order ideal's values from one monomial to the next."""

    def __init__(self, n: int, epsilon: float, oracle: Oracle) -> None:
        self.n, self.psi, self.oracle = n, epsilon**2, oracle
        self.triangle = Triangle(np.ones(n))

    def __call__(self, ideal: OrderIdeal, candidates: list[Exponents], found: Found) -> None:
        for term in candidates:
            column = ideal.at(term)
            inside, rest = self.triangle.split(column)
            size = float(np.linalg.norm(rest))
            c = self.oracle.solve(self.triangle, inside, size, self.psi * self.n)
            error = (float(np.sum((self.triangle.R @ c + inside) ** 2)) + size**2) / self.n
            if error <= self.psi:
                found.add(term, ideal.terms, np.concatenate([[1.0], c]), np.sqrt(error))
            else:
                ideal.add(term, column)
                self.triangle.add(inside, rest)
