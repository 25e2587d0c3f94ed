r"""Polynomials with few of many monomials: values and derivatives at many points, at the price of the terms they have.

All monomials up to a degree are many in many variables (6545 of degree 3 in 32), while a law has a dozen.  Here only the
monomials that occur are evaluated, and those that their derivatives need: a monomial of degree t is a product of t
variables, its derivatives have one of them less.  The polynomials

.. math:: p_r(z) = \sum_{k:\, r_k = r} c_k\, m_k(z), \qquad
          \partial_i p_r(z) = \sum_{k:\, r_k = r} c_k\, e_{k i}\, \frac{m_k(z)}{z_i}

are rows of sparse matrices whose places are the same for all coefficients, times one table of monomials (a row each, a
column for each point).  Where all monomials up to a degree occur this costs about as much as `evaluation.monomial_rows`
with dense matrices.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse


class FewMonomials:
    """Sums :math:`p_r = \\sum_k c_k m_k` over the terms k whose row is r.

    Parameters
    ----------
    exponents : (K, d) int array
        Of the terms; the same monomial may occur in several.
    row : (K,) int array
        The polynomial each term belongs to.
    count : int
        Number of polynomials.

    Examples
    --------
    >>> few = FewMonomials(np.array([[2, 1], [0, 0], [1, 0]]), np.array([0, 0, 1]), 2)          # c0 x^2 y + c1, c2 x
    >>> points, c = np.array([[2.0], [3.0]]), np.array([1.0, 5.0, -1.0])
    >>> table = few.table(points)
    >>> few.values(c, table).ravel().tolist(), few.slopes(c, table)[..., 0].tolist()
    ([17.0, -2.0], [[12.0, 4.0], [-1.0, 0.0]])
    """

    def __init__(self, exponents: np.ndarray, row: np.ndarray, count: int) -> None:
        (K, d), self._count = exponents.shape, count
        term, variable = np.nonzero(exponents)
        lowered = exponents[term]
        lowered[np.arange(len(term)), variable] -= 1
        # places of the terms and, after them, of their derivatives among the monomials that are needed
        needed, place = np.unique(np.concatenate([exponents, lowered]), axis=0, return_inverse=True)
        place = place.reshape(-1)                                       # numpy 2.0 returns a column
        self._letters = _letters(needed)
        self._place, self._variables = place[:K], d
        self._sums = _Rows(row, place[:K], np.arange(K), np.ones(K), (count, len(needed)))
        self._derivatives = _Rows(row[term] * d + variable, place[K:], term, exponents[term, variable].astype(float),
                                  (count * d, len(needed)))

    def table(self, points: np.ndarray) -> np.ndarray:
        """Values of the monomials that are needed, at `points` (d, n)."""
        factors = np.vstack([points, np.ones((1, points.shape[1]))])
        out = np.ones((len(self._letters), points.shape[1]))
        for letter in self._letters.T:
            out *= factors[letter]
        return out

    def terms(self, table: np.ndarray) -> np.ndarray:
        """Of each term its monomial, (K, n)."""
        return table[self._place]

    def values(self, coefficients: np.ndarray, table: np.ndarray) -> np.ndarray:
        """Of each polynomial, (count, n)."""
        return self._sums.matrix(coefficients) @ table

    def slopes(self, coefficients: np.ndarray, table: np.ndarray) -> np.ndarray:
        """Derivatives of each polynomial by each variable, (count, d, n)."""
        product = self._derivatives.matrix(coefficients) @ table
        return product.reshape(self._count, self._variables, table.shape[1])


class _Rows:
    """A sparse matrix whose entries are numbers times those of a vector."""

    def __init__(self, row, column, source, factor, shape):
        order = np.lexsort((column, row))
        self._columns, self._source, self._factor, self._shape = column[order], source[order], factor[order], shape
        self._ends = np.searchsorted(row[order], np.arange(shape[0] + 1))

    def matrix(self, vector):
        return scipy.sparse.csr_array((self._factor * vector[self._source], self._columns, self._ends), shape=self._shape)


def _letters(exponents):
    """Of each monomial its variables in ascending order, (m, degree); the number after the last one stands for 1."""
    m, d = exponents.shape
    out = np.full((m, int(exponents.sum(axis=1).max(initial=0))), d)
    used = np.zeros(m, dtype=int)
    for monomial, variable in zip(*np.nonzero(exponents)):
        many = exponents[monomial, variable]
        out[monomial, used[monomial]: used[monomial] + many] = variable
        used[monomial] += many
    return out
