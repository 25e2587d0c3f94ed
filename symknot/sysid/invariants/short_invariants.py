r"""Invariants of few terms, where runs leave open which of many polynomials are constant.

Fitted to few runs, an r-dimensional space of combinations of m monomials changes no more than noise explains
(`invariant_search`), and held-out values do not tell which of them are invariants.  But in a space of that dimension a
combination is expected to have :math:`m - r + 1` terms; that one has far fewer is a coincidence of as many zeros as are
missing, or a law.

1. *Which terms.*  For each monomial i the combination of least :math:`\sum_k s_k |c_k|` with :math:`c_i = 1` in the span of
   all combinations below `NEAR_LIMITS` times the limit; :math:`s_k` are the monomials' sizes.  That is a linear program.  Its
   terms are taken in, the largest first, until their best combination is within noise.
2. *Whether.*  A few terms are a small library: the tests of `invariant_search` hold for them as for all monomials of a low
   degree.  Beside them all single variables are looked at: where those nearly agree, one may stand for another, and nothing
   is told by few terms.
3. Then they are estimated, and tested against all monomials, as any invariant is.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import scipy.linalg

from ...ground.deadline import look
from ...ground.linalg import column_sizes
from ...polynomials.evaluation import evaluate_monomials
from ..runs.smooth_states import States

NEAR_LIMITS = 2.0
"""Combinations up to so many times the limit are combined with: an invariant has little of those that change much more."""
LEAST_ZEROS = 40
"""Terms fewer than a combination in such a space is expected to have, at least.  Between what was measured on false ones (three
runs of a small power grid that swings little: up to 12) and on true ones (Toda chain of three, rigid body: 55 and more)."""
MOST_TERMS = 25
"""Terms of an invariant that is still called short: a convention, about twice as many as the longest of those known."""
MOST_MONOMIALS = 250
"""Among which is searched: a linear program for each."""
LEAST_RUNS = 3
"""Runs from which laws of few terms are told from what one orbit, or two, are like.  A convention."""
ROUNDING = 1e-12
"""Share of the mean added to the diagonal of the noise's moments."""


def short_combinations(states: States, exponents: np.ndarray, limit: float) -> Iterator[np.ndarray]:
    """Rows of `exponents` that few terms may be an invariant of, the fewest first.

    Parameters
    ----------
    states : States
    exponents : (m, d) int array
    limit : float
        What a value may be if noise is all there is.
    """
    m = len(exponents)
    if not 1 < m <= MOST_MONOMIALS:
        return
    scatter, spread = _moments(states, exponents)
    squares, combinations = scipy.linalg.eigh(scatter, spread + ROUNDING * np.trace(spread) / m * np.eye(m))
    near = combinations[:, squares <= (NEAR_LIMITS * limit) ** 2]
    most = min(m - near.shape[1] + 1 - LEAST_ZEROS, MOST_TERMS)
    if most < 1 or not near.shape[1]:
        return
    found: dict[tuple[int, ...], None] = {}
    for i in range(m):
        look(m * m * near.shape[1])
        sizes = _shortest(near, i)
        chosen = None if sizes is None else _enough(scatter, spread, np.argsort(-sizes, kind="stable")[:most], limit)
        if chosen is not None:
            found[tuple(np.sort(chosen).tolist())] = None
    for rows in sorted(found, key=len):
        yield np.array(rows)


def with_variables(exponents: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Those rows, and of the others the single variables.

    Examples
    --------
    >>> with_variables(np.array([[1, 0], [0, 1], [2, 0], [2, 1]]), np.array([3])).tolist()
    [[1, 0], [0, 1], [2, 1]]
    """
    taken = exponents.sum(axis=1) == 1
    taken[rows] = True
    return exponents[taken]


def _moments(states, exponents):
    """Scatter of the monomials within the runs, and of their noise, in units of the monomials' sizes."""
    phi, slopes = evaluate_monomials(states.points, exponents)
    size = column_sizes(phi)
    phi, noise = phi / size, slopes / size * np.sqrt(states.variance)[:, :, None]
    for r in range(len(states.labels)):
        rows = states.group == r
        phi[rows] -= phi[rows].mean(axis=0)
    noise = noise.reshape(-1, len(exponents))
    return phi.T @ phi, noise.T @ noise


def _shortest(near, i):
    """Sizes of the coefficients (m,) of the shortest combination with the monomial i; None where that has none."""
    from scipy.optimize import linprog  # here for the sake of a quick import

    m, r = near.shape
    if not near[i].any():
        return None
    columns = near / np.abs(near[i]).max()
    found = linprog(np.r_[np.zeros(r), np.ones(m)], A_ub=np.block([[columns, -np.eye(m)], [-columns, -np.eye(m)]]),
                    b_ub=np.zeros(2 * m), A_eq=np.r_[columns[i], np.zeros(m)][None], b_eq=[1.0],
                    bounds=[(None, None)] * r + [(0, None)] * m, method="highs")
    return found.x[r:] if found.status == 0 else None


def _enough(scatter, spread, order, limit):
    """As many of the rows as have a combination within noise; None if all have none."""
    for count in range(1, len(order) + 1):
        rows = order[:count]
        least = scipy.linalg.eigvalsh(scatter[np.ix_(rows, rows)], spread[np.ix_(rows, rows)], subset_by_index=[0, 0])[0]
        if least <= limit**2:
            return rows
    return None
