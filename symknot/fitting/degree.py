r"""What one degree's candidates are, and all that data and knots say about them.

With :math:`E = [F^{t-1}, P_t]`, all polynomials of lower degree followed by the products of
this one, everything that FindBasis needs of N points is in two triangular factors of the
evaluation matrix of E, one on the data :math:`X_0` and one on the knots :math:`Z`, and, for
normalizations that ask for it, in the Gram matrix of the gradients of E on the data.  One
pass over the points makes them; what follows is small linear algebra.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..ground.blocks import blocks
from ..ground.linalg import TallFactor
from .recursion import Products, Recursion


@dataclass(frozen=True, eq=False)
class DegreeProblem:
    """What one degree's candidates are, and their values on data and knots.

    Attributes
    ----------
    recursion : Recursion
        Everything of lower degree.
    products : Products
    data_factor, knot_factor : array
        Triangular factors of the weighted values of E = [F, P].
    gradient_gram : array or None
        Weighted mean of the products of gradients of E over the data; None unless the
        normalization needs it.
    """

    recursion: Recursion
    products: Products
    data_factor: np.ndarray
    knot_factor: np.ndarray
    gradient_gram: np.ndarray | None

    @property
    def lower(self) -> int:
        """Number of polynomials of lower degree, the first columns of E."""
        return sum(self.recursion.sizes)

    def with_knots(self, knots: np.ndarray, weights: np.ndarray) -> DegreeProblem:
        """The same problem after the knots have moved."""
        return replace(self, knot_factor=value_factor(self.recursion, self.products, knots, weights))

    def data_norms(self, G: np.ndarray) -> np.ndarray:
        """Norm on the data of each polynomial (column over E)."""
        return np.linalg.norm(self.data_factor @ G, axis=0)

    def knot_norms(self, G: np.ndarray) -> np.ndarray:
        """Norm on the knots of each polynomial (column over E)."""
        return np.linalg.norm(self.knot_factor @ G, axis=0)


def degree_problem(recursion: Recursion, data: np.ndarray, data_weights: np.ndarray, knots: np.ndarray,
                   knot_weights: np.ndarray, gradient: bool) -> DegreeProblem:
    """Set up the next degree of `recursion`: one pass over the data, with gradients or without, one over the knots."""
    products = recursion.next_products()
    columns = sum(recursion.sizes) + len(products.left)
    factor = TallFactor(columns)
    gram = np.zeros((columns, columns)) if gradient else None
    for rows in blocks(len(data), columns * (data.shape[1] if gram is not None else 1)):
        values = recursion.evaluate(data[rows], products, derivatives=gram is not None)
        E = np.hstack([values.F, values.P])
        weights = data_weights[rows]
        factor.add(E * np.sqrt(weights)[:, None])
        if gram is not None:
            slopes = np.concatenate([values.dF, values.dP], axis=2) * np.sqrt(weights)[:, None, None]
            slopes = slopes.reshape(-1, columns)
            gram += slopes.T @ slopes
    same = knots is data
    knot_factor = factor.factor if same else value_factor(recursion, products, knots, knot_weights)
    return DegreeProblem(recursion, products, factor.factor, knot_factor, gram)


def value_factor(recursion: Recursion, products: Products, points: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Triangular factor of the weighted values of E = [F, P] on `points`."""
    factor = TallFactor(sum(recursion.sizes) + len(products.left))
    for rows in blocks(len(points), factor.factor.shape[1]):
        values = recursion.evaluate(points[rows], products)
        factor.add(np.hstack([values.F, values.P]) * np.sqrt(weights[rows])[:, None])
    return factor.factor


def vanishing_norms(recursion: Recursion, points: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Weighted norm on `points` of every polynomial of G."""
    squares = np.zeros(len(recursion.G_degrees))
    for rows in blocks(len(points)):
        squares += weights[rows] @ recursion.evaluate(points[rows]).G ** 2
    return np.sqrt(squares)
