r"""What points say about all polynomials up to a degree: one triangular factor, made in one pass.

A `ProductBasis` in the variables :math:`y = F_1(x)` spans every polynomial of degree t; R is the triangular factor of its
weighted values on the points.  A polynomial with coefficients c then has the norm :math:`|R c|` on them, and its
derivative by :math:`y_i` the norm :math:`|R D_i c|`, where :math:`D_i` is sparse and exact.  So values and slopes of one
degree, of all lower ones, and of all polynomials found so far need no further look at the points.

Two things can speak against it, and then the recursion is run on the points instead (`degree`): the candidates may be
so few beside all polynomials that they are cheaper by themselves, and at high degrees sums over this basis may
cancel.  The error of such a sum is at most about rounding times :math:`\sum_a |c_a| |R_a|`; that is compared with the
size of the candidates.
"""

from __future__ import annotations

import numpy as np

from ..ground.blocks import blocks, in_cache
from ..ground.tall_factor import TallFactor
from ..polynomials.monomials import count
from ..polynomials.product_basis import product_basis
from .recursion import Recursion

LARGEST_LOSS = 1000.0
"""Terms of a sum over its value up to which sums over products are taken: three digits of sixteen, a convention; the
tolerance on the knots needs nine."""
POINTS_PER_COLUMN_AHEAD = 10
"""Points for each polynomial from which on all degrees up to the highest are summed up in one pass: a convention; with fewer
the polynomials may well run out before."""


class Seen:
    """Points with weights, and the factors that have been made of them.

    Parameters
    ----------
    points : (n, d) array
    weights : (n,) array
    """

    def __init__(self, points: np.ndarray, weights: np.ndarray) -> None:
        self.points, self.weights = points, weights
        self._linear: np.ndarray | None = None
        self._first: np.ndarray | None = None
        self._degree, self._factor = 0, np.zeros((0, 0))
        self._corners: dict[int, np.ndarray] = {}

    def linear(self, constant: float) -> np.ndarray:
        """Factor of the constant and the variables themselves."""
        if self._linear is None:
            tall = TallFactor(1 + self.points.shape[1])
            for rows in blocks(len(self.points), tall.factor.shape[1]):
                root = np.sqrt(self.weights[rows])
                values = np.empty((tall.factor.shape[1], len(root)))
                values[0] = constant * root
                np.multiply(self.points[rows].T, root, out=values[1:])
                tall.add(values.T, overwrite=True)
            self._linear = tall.factor
        return self._linear

    def knows(self, recursion: Recursion, degree: int) -> bool:
        """Whether the factor of this degree has been made."""
        return self._first is recursion.layers[0].F and self._degree >= degree

    def factor(self, recursion: Recursion, degree: int, highest: int | None = None) -> np.ndarray:
        """Factor of the product basis of this degree in the variables of the recursion's first layer.

        If `highest` is given, and the points are many, all degrees up to that one are made at once.
        """
        first = recursion.layers[0].F
        if not self.knows(recursion, degree):
            y = first.shape[1]
            ahead = highest is not None and count(y, highest) * POINTS_PER_COLUMN_AHEAD <= len(self.points)
            self._degree = max(degree, highest or 0) if ahead else degree
            self._first, self._factor, self._corners = first, self._made(first, recursion.constant), {}
        size = count(first.shape[1], degree)
        # the factor of the first columns is the corner of a triangular one; before that all rows count
        if len(self._factor) == self._factor.shape[1] or len(self._factor) <= size:
            return self._factor[:size, :size]
        if size not in self._corners:
            self._corners[size] = np.asarray(np.linalg.qr(self._factor[:, :size], mode="r"))
        return self._corners[size]

    def _made(self, first, constant):
        tall = TallFactor(count(first.shape[1], self._degree))
        for values in self._values(first, constant, self._degree):
            tall.add(values.T, overwrite=True)
        return tall.factor

    def _values(self, first, constant, degree):
        """Weighted values of the product basis, a block of points after the other, in the same memory."""
        basis, n = product_basis(first.shape[1], degree), len(self.points)
        parts = in_cache(n, len(basis))
        memory = np.empty((len(basis), parts[0].stop if parts else 0))
        for rows in parts:
            y = first[1:].T @ self.points[rows].T / constant + first[0][:, None]
            yield basis.values(y, np.sqrt(self.weights[rows]), memory[:, : y.shape[1]])

    def vanishing_norms(self, recursion: Recursion) -> np.ndarray:
        """Weighted norm of every polynomial of G."""
        linear = int(np.sum(recursion.G_degrees == 1))
        norms = np.zeros(len(recursion.G_degrees))
        if linear:
            norms[:linear] = np.linalg.norm(self.linear(recursion.constant) @ recursion.layers[0].G, axis=0)
        if linear < len(norms):
            norms[linear:] = self._nonlinear_norms(recursion, recursion.over_products[1])
        return norms

    def _nonlinear_norms(self, recursion, G):
        if self.knows(recursion, recursion.degree):
            factor = self.factor(recursion, recursion.degree)
            squares, sizes = np.sum((factor @ G) ** 2, axis=0), np.sum(factor**2, axis=0)
        else:
            squares, sizes = np.zeros(G.shape[1]), np.zeros(len(G))
            for values in self._values(recursion.layers[0].F, recursion.constant, recursion.degree):
                squares += np.sum((G.T @ values) ** 2, axis=1)
                sizes += np.einsum("an,an->a", values, values)
        if (np.sqrt(sizes) @ np.abs(G)).max() > LARGEST_LOSS:
            return np.linalg.norm(np.sqrt(self.weights)[:, None] * self._run(recursion)[:, -G.shape[1]:], axis=0)
        return np.sqrt(squares)

    def _run(self, recursion):
        return np.concatenate([recursion.evaluate(self.points[rows]).G for rows in blocks(len(self.points))])


def loss(factor: np.ndarray, coefficients: np.ndarray, least: float, values: np.ndarray | None = None) -> float:
    """How many times larger than the polynomials, or than `least`, the terms of their sums are: an upper bound.

    `values` are ``factor @ coefficients``, where these are known.
    """
    if not coefficients.size:
        return 0.0
    terms = np.linalg.norm(factor, axis=0) @ np.abs(coefficients)
    values = factor @ coefficients if values is None else values
    return float(np.max(terms / np.maximum(np.linalg.norm(values, axis=0), least)))
