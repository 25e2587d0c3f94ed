r"""AVI, approximate vanishing ideals by singular values: Heldt, Kreuzer, Pokutta and Poulisse (2009).

In the walk of `symknot.family.order_ideals` over the border, all monomials :math:`t_1 > \dots > t_l` of a degree are taken
at once (their Theorem 3.3):

.. math:: A = \bigl(t_1(X), \dots, t_l(X), \; \mathcal O(X)\bigr) = U S V^T. \tag{1}

The right singular vectors whose singular values are at most :math:`\varepsilon \sqrt N` span the *approximate kernel* of
A: coefficient vectors of unit length, and nearly vanishing polynomials.  Their *stabilised reduced row echelon form*
(Lemma 3.2: Gram-Schmidt over the columns, from the left; a column that is a combination of the earlier ones up to
:math:`\tau` has no pivot, entries below :math:`\tau` become zero)

.. math:: C = R \, B, \tag{2}

has pivots in some columns.  A monomial with a pivot leads the polynomial of its row; one without joins
:math:`\mathcal O`.  If :math:`\mathcal O(X)` has an approximate kernel then, (2) is applied to it, and monomials with a
pivot among those that have just joined leave again (steps A7 and A8).

Promised: the polynomials of (1) have unit coefficient vectors and root-mean-square at most epsilon.  Those of (2), which are
returned, are combinations of them: for k rows, root-mean-square at most :math:`\varepsilon \sqrt k + \tau k (l + m)` times
the largest monomial on the points, so they may exceed epsilon.  Not promised: a common zero.

D. Heldt, M. Kreuzer, S. Pokutta, H. Poulisse, *Approximate computation of zero-dimensional polynomial ideals*, Journal of
Symbolic Computation 44 (2009).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..ground.calls import call_text, noted
from ..ground.checks import fraction_of_one
from ..ground.linalg import ascending_svd
from ..ground.ranges import within_range
from ..polynomials.terms import Exponents
from .generators import MAX_DEGREE, Generators, generators, given
from .order_ideals import Found, OrderIdeal, walk

TAU = 1e-3
"""Default share of a coefficient vector that counts as zero: that of the examples in the paper."""
GUARANTEE = ("combinations of polynomials of unit coefficient vector with root-mean-square at most epsilon on the points; "
             "a common zero is not promised")


@within_range()
def avi(points: Any, epsilon: float, *, tau: float = TAU, max_degree: int = MAX_DEGREE,
        names: Sequence | None = None) -> Generators:
    """Approximate vanishing ideal, a degree at a time: equations (1) and (2) of this module.

    Parameters
    ----------
    points : array, DataFrame or path of a data file
        As in `symknot.fit`; taken as they are.  The paper has them in [-1, 1].
    epsilon : float
        Largest root-mean-square over the points of a polynomial of unit coefficient vector.  (The paper bounds singular
        values: its epsilon is this one times the square root of the number of points.)
    tau : float
        Share of a coefficient vector that counts as zero.
    max_degree : int
    names : sequence of str or sympy.Symbol, optional

    Returns
    -------
    Generators

    Examples
    --------
    >>> found = avi([[0, 0], [1, 0], [0, 1], [1, 1]], 1e-6, names=["x", "y"])
    >>> [g.text(3) for g in found.polynomials if g.degree == 2]
    ['0.707*y**2 - 0.707*y = 0', '0.707*x**2 - 0.707*x = 0']
    """
    call = call_text(avi, locals())
    zero = fraction_of_one("tau", tau)
    data = given(points, epsilon, max_degree, names)
    bound = data.epsilon * np.sqrt(len(data.points))

    def step(ideal: OrderIdeal, candidates: list[Exponents], found: Found) -> None:
        _degree(ideal, candidates, found, bound, zero)
    return noted(generators(data, walk(data.points, step, data.max_degree, corners=False), "AVI", GUARANTEE), call)


def _degree(ideal: OrderIdeal, candidates: list[Exponents], found: Found, bound: float, tau: float) -> None:
    old = list(ideal.terms)
    old_values = ideal.values.copy()
    fresh = candidates[::-1]                                     # the largest first, as in (1)
    columns = {term: ideal.at(term) for term in fresh}
    led: dict[Exponents, dict[Exponents, float]] = {}
    while True:
        staying = [term for term in fresh if term not in led]
        looked_at = fresh if not led else staying                # A7: only what has joined can leave again
        A = np.column_stack([*(columns[term] for term in looked_at), old_values])
        pivots, rows = echelon(_kernel(A, bound), tau)
        new = {looked_at[p]: row for p, row in zip(pivots, rows) if p < len(looked_at)}
        for term, row in new.items():
            led[term] = {e: v for e, v in zip([*looked_at, *old], row.tolist()) if v}
        if not new or len(led) == len(fresh):
            break
    for term in candidates:
        if term not in led:
            ideal.add(term, columns[term])
            continue
        row = led[term]
        others = [e for e in row if e != term]
        values = sum(v * (columns[e] if e in columns else old_values[:, old.index(e)]) for e, v in row.items())
        measure = np.linalg.norm(values) / np.sqrt(len(old_values)) / np.linalg.norm(list(row.values()))
        found.add(term, others, np.array([row[term], *(row[e] for e in others)]), measure)


def _kernel(A: np.ndarray, bound: float) -> np.ndarray:
    """Rows: the right singular vectors whose singular values are at most the bound."""
    sizes, vectors = ascending_svd(A)
    return vectors[:, sizes <= bound].T


def echelon(B: np.ndarray, tau: float) -> tuple[list[int], np.ndarray]:
    """Pivots and rows of the stabilised reduced row echelon form of B, equation (2); rows of unit length.

    Examples
    --------
    >>> pivots, rows = echelon(np.array([[1.0, 2.0, 0.0], [2.0, 4.0001, 5.0]]), 1e-3)
    >>> pivots, rows.round(3).tolist()
    ([0, 2], [[0.447, 0.894, 0.0], [0.0, 0.0, 1.0]])
    """
    directions: list[np.ndarray] = []
    pivots: list[int] = []
    for j, column in enumerate(B.T):
        rest = column - sum((q * (q @ column) for q in directions), np.zeros(len(B)))
        rest = rest - sum((q * (q @ rest) for q in directions), np.zeros(len(B)))
        size = np.linalg.norm(rest)
        if size >= tau and len(directions) < len(B):
            directions.append(rest / size)
            pivots.append(j)
    if not pivots:
        return [], np.empty((0, B.shape[1]))
    R = np.array(directions) @ B                                 # upper triangular up to tau
    for k, j in enumerate(pivots):
        R[k, :j] = 0.0
    R[np.abs(R) < tau] = 0.0
    for k in range(len(pivots) - 1, 0, -1):                      # above each pivot
        for upper in range(k):
            R[upper] -= R[k] * (R[upper, pivots[k]] / R[k, pivots[k]])
            R[upper, pivots[k]] = 0.0
    return pivots, R / np.linalg.norm(R, axis=1, keepdims=True)
