r"""What one degree's candidates are, and all that data and knots say about them.

With :math:`E = [F^{t-1}, P_t]`, all polynomials of lower degree followed by the products of
this one, everything that FindBasis needs of N points is in two triangular factors of the
evaluation matrix of E, one on the data :math:`X_0` and one on the knots :math:`Z`, and, for
normalizations that ask for it, in the Gram matrix of the gradients of E on the data.  All of it follows by small linear
algebra from one factor of all polynomials up to this degree (`seen`), made in one pass over the points; where the
candidates are few beside all polynomials, or sums would cancel, the recursion is run on the points instead.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..ground.blocks import blocks
from ..ground.linalg import TallFactor
from ..polynomials.monomials import count
from ..polynomials.product_basis import product_basis
from .recursion import Products, Recursion
from .seen import LARGEST_LOSS, Seen, loss


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
                   knot_weights: np.ndarray, gradient: bool, seen: Seen | None = None,
                   highest: int | None = None) -> DegreeProblem:
    """Set up the next degree of `recursion`.

    Parameters
    ----------
    recursion : Recursion
    data, data_weights, knots, knot_weights : array
    gradient : bool
        Whether gradients on the data are summed up.
    seen : Seen, optional
        What is known of the data from lower degrees.
    highest : int, optional
        Degree up to which `seen` may look ahead.
    """
    products = recursion.next_products()
    seen = Seen(data, data_weights) if seen is None else seen
    factor, gram = _on_data(recursion, products, seen, gradient, highest)
    knot_factor = factor if knots is data else value_factor(recursion, products, knots, knot_weights)
    return DegreeProblem(recursion, products, factor, knot_factor, gram)


def _on_data(recursion, products, seen, gradient, highest):
    """Factor of the values of E and, if wanted, Gram matrix of its gradients."""
    found = _through_products(recursion, products, seen, gradient, highest)
    if found is not None:
        return found
    columns = sum(recursion.sizes) + len(products.left)
    factor = TallFactor(columns)
    gram = np.zeros((columns, columns)) if gradient else None
    for rows in blocks(len(seen.points), columns * (seen.points.shape[1] if gram is not None else 1)):
        values = recursion.evaluate(seen.points[rows], products, derivatives=gram is not None)
        weights = seen.weights[rows]
        factor.add(np.hstack([values.F, values.P]) * np.sqrt(weights)[:, None])
        if gram is not None:
            slopes = np.concatenate([values.dF, values.dP], axis=2) * np.sqrt(weights)[:, None, None]
            slopes = slopes.reshape(-1, columns)
            gram += slopes.T @ slopes
    return factor.factor, gram


def _through_products(recursion, products, seen, gradient, highest=None):
    """The same from the factor of all polynomials; None where that would be more work, or lose digits."""
    d, columns = recursion.dimension, sum(recursion.sizes) + len(products.left)
    if recursion.degree == 0:
        gram = seen.weights.sum() * np.diag(np.r_[0.0, np.ones(d)]) if gradient else None
        return seen.linear(recursion.constant), gram
    degree, y = recursion.degree + 1, recursion.sizes[1]
    if not y or count(y, degree) ** 2 > (1 + d if gradient else 2) * columns**2:
        return None
    over = recursion.candidates_over_products(products)
    factor = seen.factor(recursion, degree, highest)
    values = factor @ over
    if loss(factor, over, recursion.constant, values) > LARGEST_LOSS:
        return None
    if len(values) > columns:
        values = np.linalg.qr(values, mode="r")
    if not gradient:
        return values, None
    slopes = _slopes(recursion, over, seen).reshape(-1, columns)
    return values, slopes.T @ slopes


MOST_KEPT_NUMBERS = 10**6
"""Numbers of Gram matrices that are kept to be added up in one metric after another: a convention, 8 MB for each of at most
ten parts of the points."""


class SlopeGrams:
    """Gram matrices of the slopes of E along each of d variables, by factors: (d, ., m) with ``gram = factor.T @ factor``.

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

    def along(self, G: np.ndarray) -> np.ndarray:
        """Squared slopes (d, k) along each variable of polynomials (columns over E)."""
        return np.sum((self.factors @ G) ** 2, axis=1)


def grams_along(problem: DegreeProblem, seen: Seen) -> SlopeGrams | None:
    """The slopes of E on points, where they follow from what has been seen of them."""
    recursion = problem.recursion
    if recursion.degree == 0:
        return SlopeGrams(np.sqrt(seen.weights.sum()) * np.eye(1 + recursion.dimension)[1:, None, :])
    if not seen.knows(recursion, recursion.degree + 1):
        return None
    over = recursion.candidates_over_products(problem.products)
    if loss(seen.factor(recursion, recursion.degree + 1), over, recursion.constant) > LARGEST_LOSS:
        return None
    return SlopeGrams(_slopes(recursion, over, seen))


def _slopes(recursion, over, seen):
    """Factors (d, ., m) of the slopes along each variable of polynomials `over` the product basis."""
    basis, first = product_basis(recursion.sizes[1], recursion.degree + 1), recursion.layers[0].F
    factor = seen.factor(recursion, recursion.degree)
    along_y = np.stack([factor @ basis.slope(i, over) for i in range(basis.dimension)])
    return np.tensordot(first[1:] / recursion.constant, along_y, axes=1)


def values_and_slopes(problem: DegreeProblem, seen: Seen, pattern: np.ndarray) -> tuple[np.ndarray, SlopeGrams]:
    """Factor of the values of E on points and Gram matrices of its slopes, each slope in units of `pattern` (n, d)."""
    recursion, products = problem.recursion, problem.products
    factor = _on_data(recursion, products, seen, False, None)[0]
    grams = grams_along(problem, seen) if (pattern == 1).all() else None
    if grams is not None:
        return factor, grams
    m, d = problem.data_factor.shape[1], seen.points.shape[1]
    talls = [TallFactor(m) for _ in range(d)]
    for rows in blocks(len(seen.points), m * d):
        v = recursion.evaluate(seen.points[rows], products, derivatives=True)
        slopes = np.concatenate([v.dF, v.dP], axis=2) * (pattern[rows] * np.sqrt(seen.weights[rows])[:, None])[:, :, None]
        for j, tall in enumerate(talls):
            tall.add(slopes[:, j])
    return factor, SlopeGrams(np.stack([tall.factor for tall in talls]))


def value_factor(recursion: Recursion, products: Products, points: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Triangular factor of the weighted values of E = [F, P] on `points`."""
    return _on_data(recursion, products, Seen(points, weights), False, None)[0]


def vanishing_norms(recursion: Recursion, points: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Weighted norm on `points` of every polynomial of G."""
    return Seen(points, weights).vanishing_norms(recursion)
