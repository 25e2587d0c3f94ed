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
from ..ground.few_numbers import sparse, times_sparse
from ..ground.lowest import times_triangle
from ..ground.tall_factor import TallFactor
from ..polynomials.monomials import count
from ..polynomials.product_basis import product_basis
from .recursion import Products, Recursion
from .seen import LARGEST_LOSS, Seen, loss
from .slopes import SlopeGrams, Slopes, sparse_slopes


@dataclass(frozen=True, eq=False)
class DegreeProblem:
    """What one degree's candidates are, and their values on data and knots.

    Attributes
    ----------
    recursion : Recursion
        Everything of lower degree.
    products : Products
    data_factor : array
        Triangular factor of the weighted values of E = [F, P] on the data.
    on_knots : array or Seen
        The same on the knots, or these, where it is made when it is asked for.
    gradient_gram : array or None
        Weighted mean of the products of gradients of E over the data; None unless the
        normalization needs it.
    seen, slopes : Seen, Slopes, optional
        The points that `gradient_gram` was made of, and the slopes of E on them, where these came out with it.
    """

    recursion: Recursion
    products: Products
    data_factor: np.ndarray
    on_knots: np.ndarray | Seen
    gradient_gram: np.ndarray | None
    seen: Seen | None = None
    slopes: Slopes | None = None

    @cached_property
    def knot_factor(self) -> np.ndarray:
        """Triangular factor of the weighted values of E on the knots."""
        seen = self.on_knots
        return _on_data(self.recursion, self.products, seen, False, None)[0] if isinstance(seen, Seen) else seen

    @property
    def lower(self) -> int:
        """Number of polynomials of lower degree, the first columns of E."""
        return sum(self.recursion.sizes)

    def with_knots(self, knots: np.ndarray, weights: np.ndarray) -> DegreeProblem:
        """The same problem after the knots have moved."""
        return replace(self, on_knots=Seen(knots, weights))

    def data_norms(self, G: np.ndarray) -> np.ndarray:
        """Norm on the data of each polynomial (column over E)."""
        return np.linalg.norm(self.data_factor @ G, axis=0)

    def knot_norms(self, G: np.ndarray) -> np.ndarray:
        """Norm on the knots of each polynomial (column over E)."""
        return np.linalg.norm(times_triangle(self.knot_factor, G), axis=0)


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
    factor, gram, slopes = _on_data(recursion, products, seen, gradient, highest)
    knot_factor = factor if knots is data else value_factor(recursion, products, knots, knot_weights)
    return DegreeProblem(recursion, products, factor, knot_factor, gram, seen, slopes)


def _on_data(recursion, products, seen, gradient, highest):
    """Factor of the values of E and, if wanted, Gram matrix of its gradients, and slopes along each variable if known."""
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
    return factor.factor, gram, None


def _through_products(recursion, products, seen, gradient, highest=None):
    """The same from the factor of all polynomials; None where that would be more work, or lose digits."""
    d, columns = recursion.dimension, sum(recursion.sizes) + len(products.left)
    if recursion.degree == 0:
        gram = seen.weights.sum() * np.diag(np.r_[0.0, np.ones(d)]) if gradient else None
        return seen.linear(recursion.constant), gram, None
    degree, y = recursion.degree + 1, recursion.sizes[1]
    if not y or count(y, degree) ** 2 > (1 + d if gradient else 2) * columns**2:
        return None
    over = recursion.candidates_over_products(products)
    factor = seen.factor(recursion, degree, highest)
    values = times_sparse(factor, over)
    if loss(factor, over, recursion.constant, values) > LARGEST_LOSS:
        return None
    if len(values) > columns:
        values = np.linalg.qr(values, mode="r")
    if not gradient:
        return values, None, None
    slopes = _slopes(recursion, over, seen)
    return values, slopes.stacked(), slopes


def grams_along(problem: DegreeProblem, seen: Seen) -> Slopes | None:
    """The slopes of E on points, where they follow from what has been seen of them."""
    recursion = problem.recursion
    if seen is problem.seen and problem.slopes is not None:
        return problem.slopes
    if recursion.degree == 0:
        return SlopeGrams(np.sqrt(seen.weights.sum()) * np.eye(1 + recursion.dimension)[1:, None, :])
    if not seen.knows(recursion, recursion.degree + 1):
        return None
    over = recursion.candidates_over_products(problem.products)
    if loss(seen.factor(recursion, recursion.degree + 1), over, recursion.constant) > LARGEST_LOSS:
        return None
    return _slopes(recursion, over, seen)


def _slopes(recursion, over, seen):
    """The slopes along each variable of polynomials `over` the product basis."""
    basis, turn = product_basis(recursion.sizes[1], recursion.degree + 1), recursion.layers[0].F[1:] / recursion.constant
    factor = seen.factor(recursion, recursion.degree)
    along_y = (basis.slope(i, over) for i in range(basis.dimension))
    if sparse(over) is not None:
        return sparse_slopes(list(along_y), factor, turn)
    return SlopeGrams(np.tensordot(turn, np.stack([factor @ one for one in along_y]), axes=1))


def values_and_slopes(problem: DegreeProblem, seen: Seen, pattern: np.ndarray) -> tuple[np.ndarray, Slopes]:
    """Factor of the values of E on points and Gram matrices of its slopes, each slope in units of `pattern` (n, d)."""
    recursion, products = problem.recursion, problem.products
    factor = problem.data_factor if seen is problem.seen else _on_data(recursion, products, seen, False, None)[0]
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
