r"""What points say about the slopes of all polynomials of a degree, in any metric.

Over the product basis in y, polynomials have slopes :math:`\partial g / \partial y_i = S_i c`, with S made of the derivatives
of the basis, and along the variables they are combinations :math:`\sum_i A_{ji} S_i c`.  With R the triangular factor of the
products of one degree less, and a metric :math:`\rho`,

.. math:: \sum_j \rho_j^2 \, \| \textstyle\sum_i A_{ji} R S_i c \|^2
          = c^T \Big( \sum_{i, i'} B_{ii'} \, S_i^T R^T R \, S_{i'} \Big) c, \qquad B = A^T \mathrm{diag}(\rho^2) A .

Of very many candidates S has two or three numbers in a column, as derivatives of products of two variables have, and the sum
takes a twentieth of the time of a product of matrices (`SparseSlopes`).
"""

from __future__ import annotations

from functools import cached_property
from typing import Protocol

import numpy as np
from scipy.sparse import csc_array, csr_array, vstack

from ..ground.blocks import blocks

MOST_KEPT_NUMBERS = 10**6
"""Numbers of Gram matrices that are kept to be added up in one metric after another: a convention, 8 MB for each of at most
ten parts of the points."""


class Slopes(Protocol):
    """Gram matrices of the slopes of E along each of d variables."""

    def __len__(self) -> int: ...

    def over(self, columns: np.ndarray) -> SlopeGrams:
        """Those of polynomials, which are columns over E."""
        ...

    def within(self, metric: np.ndarray) -> np.ndarray:
        """The Gram matrix (m, m) of the slopes in a metric (d,)."""
        ...

    def sum(self, axis: int = 0) -> np.ndarray:
        """That of the slopes along all variables together."""
        ...

    def along(self, G: np.ndarray) -> np.ndarray:
        """Squared slopes (d, k) along each variable of polynomials (columns over E)."""
        ...


class SlopeGrams:
    """The same by factors: (d, ., m) with ``gram = factor.T @ factor``.

    Factors of slopes of degree t have as many rows as there are polynomials of degree t - 1, far fewer than columns where
    variables are many.
    """

    def __init__(self, factors: np.ndarray) -> None:
        self.factors = factors

    def __len__(self) -> int:
        return len(self.factors)

    @cached_property
    def _each(self) -> np.ndarray | None:
        """All of them, where they are small enough to be kept."""
        d, _, m = self.factors.shape
        return self.factors.transpose(0, 2, 1) @ self.factors if d * m**2 <= MOST_KEPT_NUMBERS else None

    def over(self, columns: np.ndarray) -> SlopeGrams:
        """Those of polynomials, which are columns over E."""
        return SlopeGrams(self.factors @ columns)

    def within(self, metric: np.ndarray) -> np.ndarray:
        """The Gram matrix (m, m) of the slopes in a metric (d,)."""
        if self._each is not None:
            return np.tensordot(metric**2, self._each, axes=1)
        scaled = (self.factors * metric[:, None, None]).reshape(-1, self.factors.shape[2])
        return scaled.T @ scaled

    def sum(self, axis: int = 0) -> np.ndarray:
        """That of the slopes along all variables together."""
        return self.within(np.ones(len(self)))

    def stacked(self) -> np.ndarray:
        """The same, by one product of all factors."""
        all_of_them = self.factors.reshape(-1, self.factors.shape[2])
        return all_of_them.T @ all_of_them

    def along(self, G: np.ndarray) -> np.ndarray:
        """Squared slopes (d, k) along each variable of polynomials (columns over E)."""
        return np.sum((self.factors @ G) ** 2, axis=1)


class SparseSlopes:
    """The same of very many polynomials whose slopes along each y are made of a few products each.

    Parameters
    ----------
    along_y : sparse (y q, m) array
        Slopes along each y, one after the other, over the q products of one degree less.
    factor : (., q) array
        Of the values of these products.
    turn : (d, y) array
        What the slopes along the variables are made of.
    """

    def __init__(self, along_y: csr_array, factor: np.ndarray, turn: np.ndarray) -> None:
        self.along_y, self.factor, self.turn = along_y, factor, turn

    def __len__(self) -> int:
        return len(self.turn)

    def over(self, columns: np.ndarray) -> SlopeGrams:
        """Those of polynomials, which are columns over E."""
        q = self.factor.shape[1]
        slopes = (self.along_y @ columns).reshape(self.turn.shape[1], q, -1)
        return SlopeGrams(np.tensordot(self.turn, self.factor @ slopes, axes=1))

    def within(self, metric: np.ndarray) -> np.ndarray:
        """The Gram matrix (m, m) of the slopes in a metric (d,)."""
        between = self.turn.T @ (metric[:, None] ** 2 * self.turn)
        moments, (y, q) = self.factor.T @ self.factor, (self.turn.shape[1], self.factor.shape[1])
        by_row, by_column = csr_array(self.along_y.T), csc_array(self.along_y)
        m = self.along_y.shape[1]
        out = np.empty((m, m))
        for part in blocks(m, y * q):
            slopes = moments @ by_column[:, part].toarray().reshape(y, q, -1)
            out[:, part] = by_row @ np.tensordot(between, slopes, axes=1).reshape(y * q, -1)
        return (out + out.T) / 2

    def sum(self, axis: int = 0) -> np.ndarray:
        """That of the slopes along all variables together."""
        return self.within(np.ones(len(self)))

    def stacked(self) -> np.ndarray:
        """The same."""
        return self.sum()

    def along(self, G: np.ndarray) -> np.ndarray:
        """Squared slopes (d, k) along each variable of polynomials (columns over E)."""
        return np.sum(self.over(G).factors ** 2, axis=1)


def sparse_slopes(along_y: list[np.ndarray], factor: np.ndarray, turn: np.ndarray) -> SparseSlopes:
    """Of slopes (q, m) along each y, as arrays that are nearly empty."""
    return SparseSlopes(csr_array(vstack([csr_array(one) for one in along_y])), factor, turn)
