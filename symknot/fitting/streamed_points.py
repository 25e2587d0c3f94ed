r"""Points of which only a sample and a `Summary` are held: the recursion runs on coefficients.

`Streamed` takes the place of `Points` in the main loop.  Its `values` are a random sample, which stands for the knots;
whatever is asked of the data themselves comes from the factor R of all of them (see `summaries`).  With E the polynomials
of a degree problem, C their coefficients over the basis B, found by running the recursion on coefficients, and
:math:`v = S u + s` the frame's coordinates of inside points u, the factor of E is that of :math:`R C`, and

.. math:: \frac{\partial E}{\partial u_i} = B \sum_j S_{ji} D_j C

gives the Gram matrix of its slopes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ..ground.errors import InvalidPoints
from ..polynomials.product_basis import ProductBasis, product_basis
from ..reading.points import LARGEST_UNSCALED, Points
from .degree import DegreeProblem, value_factor
from .recursion import Products, Recursion
from .summaries import Frame, Summary, triangle

Reader = Callable[[int], Summary]
"""Reads all points again, for a summary of this degree."""


@dataclass(frozen=True, eq=False)
class Streamed(Points):
    """Points that are read in blocks.

    Attributes
    ----------
    read : callable
        Makes a `Summary` of all points, of the degree that is asked for: one reading.
    knots_are_data : bool
        Whether all points are knots that never move, as in plain VCA, rather than the sample.
    known : list of one Summary
        The last one that was read.
    """

    read: Reader = field(kw_only=True)
    known: list[Summary] = field(kw_only=True)
    knots_are_data: bool = field(default=False, kw_only=True)

    @property
    def count(self) -> int:
        return self.known[-1].count

    @property
    def effective_count(self) -> float:
        return super().effective_count * self.count / len(self.row_of)

    @property
    def repeats(self) -> float:
        return len(self.row_of) / len(self.values)

    def summary(self, degree: int) -> Summary:
        """Of at least this degree; the points are read again if the one there is does not go so far."""
        if self.known[-1].degree < degree:
            self.known[:] = [self.read(degree)]
        return self.known[-1]

    def problem(self, recursion: Recursion, mass: float, knots: np.ndarray, knot_weights: np.ndarray,
                gradient: bool) -> DegreeProblem:
        """The next degree of `recursion`; see `degree.degree_problem`."""
        products = recursion.next_products()
        over = self._coefficients(recursion, products)
        factor = triangle(over.factor @ over.E) * np.sqrt(mass)
        gram = mass * over.slope_gram(over.E) if gradient else None
        knot_factor = factor if self.knots_are_data else value_factor(recursion, products, knots, knot_weights)
        return DegreeProblem(recursion, products, factor, knot_factor, gram)

    def norms(self, recursion: Recursion, mass: float) -> np.ndarray:
        """Weighted norm on all points of every polynomial of G; see `degree.vanishing_norms`."""
        over = self._coefficients(recursion, None)
        return np.linalg.norm(over.factor @ over.G, axis=0) * np.sqrt(mass)

    def _coefficients(self, recursion, products):
        summary = self.summary(max(recursion.degree + (products is not None), 1))
        return Coefficients(summary, Frame(self.center, np.diag(1 / self.scale)), recursion, products)


class Coefficients:
    """The polynomials of a recursion, as columns over the basis of a summary.

    Attributes
    ----------
    factor : array
        R, with weights that add up to 1.
    E : array
        All of F, then the products of the next degree where they were asked for.
    G : array
    """

    def __init__(self, summary: Summary, inside: Frame, recursion: Recursion, products: Products | None) -> None:
        self.basis = product_basis(recursion.dimension, summary.degree)
        self.factor = summary.factor / np.sqrt(summary.mass)
        self.matrix, _ = summary.frame.seen_from(inside)
        matrix, shift = inside.seen_from(summary.frame)
        size, d = len(self.basis), recursion.dimension
        variables = np.zeros((size, d))
        variables[0], variables[1: d + 1] = shift, matrix.T
        constant = np.zeros((size, 1))
        constant[0] = recursion.constant
        F, G = [constant], [np.zeros((size, 0))]
        for layer in recursion.layers:
            E = np.hstack([*F, _products(self.basis, F, layer.products, variables)])
            G.append(E @ layer.G)
            F.append(E @ layer.F)
        own = [] if products is None else [_products(self.basis, F, products, variables)]
        self.E, self.G = np.hstack([*F, *own]), np.hstack(G)

    def slope_gram(self, columns: np.ndarray) -> np.ndarray:
        """Mean over the points of the products of the gradients, by inside variables, of these polynomials."""
        lower = self.factor[:, : self.basis.size(self.basis.degree - 1)]
        slopes = [lower @ self.basis.slope(j, columns) for j in range(len(self.matrix))]
        gram = np.zeros((columns.shape[1], columns.shape[1]))
        for shares in self.matrix.T:
            rows = sum(share * slope for share, slope in zip(shares, slopes))
            gram += rows.T @ rows
        return gram


def _products(basis: ProductBasis, F, chosen, variables):
    """Coefficients of the products of a degree; the first factor is linear."""
    if len(F) == 1:
        return variables
    left, right = F[1][:, chosen.left], F[-1][:, chosen.right]
    out, lower = left[0] * right, right[: basis.size(len(F) - 1)]
    for j in range(basis.dimension):
        times = basis.times(j, lower)
        out[: len(times)] += left[j + 1] * times
    return out


def inside_of(summary: Summary, deviations: np.ndarray, rescale: bool) -> tuple[np.ndarray, float]:
    """Centre and unit of all points, as `reading.points` takes them, with this noise of each variable."""
    mean, root = summary.outside()
    spread = float(np.linalg.norm(root / deviations)) or 1.0
    if rescale:
        return mean, spread
    if not 1 / LARGEST_UNSCALED < spread < LARGEST_UNSCALED:
        raise InvalidPoints(f"spread {spread:.3g} is out of range for normalization='vca', which does not rescale; "
                            "multiply the data by a constant first")
    return mean, 1.0
