r"""Values and slopes of a few polynomials of a recursion at many points.

Over the `ProductBasis` :math:`\phi` in :math:`y = F_1(x)` polynomials are columns C and their slopes columns
:math:`D_j C` over the products of one degree less, both made once.  At a block of points the basis takes one multiplication
for each value, and all polynomials together, with all slopes, are two matrix products:

.. math:: G = C^\top \phi(y), \qquad \partial_j G = (D_j C)^\top \phi_{<t}(y) .

No polynomial that is not asked for is evaluated, and nothing is done point by point.  Results are kept with the points along
the last axis in memory, which is how whatever follows goes through them.

As in `seen`, sums over products can cancel at high degrees, and where few of very many products are left the recursion is
cheaper by itself.  Then the recursion is run, as `Recursion.evaluate` does it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..ground.blocks import in_cache
from ..ground.few_numbers import sparse_times
from ..ground.linalg import SMALLEST_DIVISOR
from ..polynomials.monomials import count, padded
from ..polynomials.product_basis import product_basis
from .recursion import Products, Recursion
from .seen import LARGEST_LOSS
from .work import evaluations

LOSS_SAMPLE = 1000
"""Points on which it is seen how much sums over products cancel, about: a convention."""
PRODUCTS_PER_COLUMN = 4
"""Products for each polynomial of the recursion up to which the products are taken: a convention; a product takes one
multiplication, a polynomial of the recursion takes one for each product, and more for slopes."""


class ValuesAndSlopes(NamedTuple):
    """Values `G` (n, k) and slopes `dG` (n, d, k) of polynomials."""

    G: np.ndarray
    dG: np.ndarray


class Shared:
    """What all polynomials of one degree have in common at points where many of them are evaluated.

    Parameters
    ----------
    recursion : Recursion
        Of degree 1 at least.
    products : Products
        Of the next degree.
    points : (n, d) array
    """

    def __init__(self, recursion: Recursion, products: Products, points: np.ndarray) -> None:
        self.recursion, self.products, self.points = recursion, products, points

    @cached_property
    def over(self) -> np.ndarray:
        """E over the product basis."""
        return self.recursion.candidates_over_products(self.products)

    @cached_property
    def slopes(self) -> np.ndarray:
        """The slopes (d, ., m) of E along each variable, over the products of one degree less."""
        return slopes_over(self.recursion, self.recursion.degree + 1, self.over)

    @cached_property
    def basis(self) -> np.ndarray:
        """The product basis at the points."""
        return basis_at(self.recursion, self.recursion.degree + 1, self.points.T)

    @cached_property
    def sizes(self) -> np.ndarray:
        """Root-mean-square of each of its products there."""
        return np.sqrt(np.mean(self.basis**2, axis=1))


def basis_at(recursion: Recursion, degree: int, x: np.ndarray) -> np.ndarray:
    """The product basis of a degree in the recursion's linear polynomials, at points x (d, n)."""
    first = recursion.layers[0].F
    basis = product_basis(first.shape[1], degree)
    out = np.empty((len(basis), x.shape[1]))
    y = np.matmul(first[1:].T / recursion.constant, x, out=out[basis.rows_of_variables])
    y += first[0][:, None]
    return basis.values(y, None, out)


def slopes_over(recursion: Recursion, degree: int, over: np.ndarray) -> np.ndarray:
    """Slopes (d, ., k) along each variable of polynomials `over` that basis, over the products of one degree less."""
    first = recursion.layers[0].F
    basis = product_basis(first.shape[1], degree)
    along_y = np.stack([basis.slope(i, over) for i in range(basis.dimension)])
    return np.tensordot(first[1:] / recursion.constant, along_y, axes=1)


@dataclass(frozen=True, eq=False)
class AtPoints:
    """Polynomials of a recursion, to be evaluated.

    Parameters
    ----------
    recursion : Recursion
    products : Products, optional
        Of the next degree.
    combine : array, optional
        With `products`: polynomials of the next degree, as columns over E = [F, P].
    with_lower : bool
        Whether the vanishing polynomials of the recursion come first.
    shared : Shared, optional
        What is known already, where they do not.
    """

    recursion: Recursion
    products: Products | None = None
    combine: np.ndarray | None = None
    with_lower: bool = True
    shared: Shared | None = None

    def values(self, points: np.ndarray) -> np.ndarray:
        """Values (n, k) at points (n, d)."""
        if not self.suits(points):
            return self._run(points, False)[0]
        out = np.empty((self.count, len(points)))
        evaluations(len(points), len(self.over), self.count)
        for rows in self.blocks(len(points)):
            self._values(points[rows].T, out[:, rows])
        return out.T

    def at(self, points: np.ndarray) -> ValuesAndSlopes:
        """Values and slopes at points (n, d)."""
        known = self.shared if self.shared is not None and points is self.shared.points else None
        if known and "_suits" not in self.__dict__ and self._few_products:
            found = self._at(points, known.basis)             # slopes that are wanted anyway say how much is lost
            slope = np.sqrt(np.sum(np.mean(found.dG**2, axis=0), axis=0))
            self.__dict__["_suits"] = self._lost(known.sizes, slope) <= LARGEST_LOSS
            return found if self.__dict__["_suits"] else self._run(points, True)
        if not self.suits(points):
            return self._run(points, True)
        return self._at(points, known.basis if known else None)

    def _at(self, points, known):
        n, d = points.shape
        evaluations(n, len(self.over), self.count, self._slopes.size, 4 * d * self.count)
        values, slopes, parts = np.empty((self.count, n)), np.empty((d, self.count, n)), self.blocks(n)
        for rows in parts:
            basis = self._values(points[rows].T, values[:, rows], None if known is None else known[:, rows])
            if len(parts) == 1 and not self._linear.shape[1] and len(self._slopes):
                np.matmul(self._slopes, basis[: self._slopes.shape[1]], out=slopes.reshape(-1, n))
                continue
            slopes[:, : self._linear.shape[1], rows] = self._linear[1:, :, None]
            if len(self._slopes):
                along = self._slopes @ basis[: self._slopes.shape[1]]
                slopes[:, self._linear.shape[1]:, rows] = along.reshape(d, -1, along.shape[1])
        return ValuesAndSlopes(values.T, slopes.transpose(2, 0, 1))

    @cached_property
    def hessians(self) -> np.ndarray | None:
        """Second derivatives (d, d, k) where no degree is above 2, so that they are the same everywhere; else None."""
        d, linear = self.recursion.dimension, self._linear.shape[1]
        if self._degree > 2:
            return None
        out = np.zeros((d, d, self.count))
        if self.over.size and self._degree == 2:
            first = self.recursion.layers[0].F[1:] / self.recursion.constant
            out[:, :, linear:] = (self._slopes[:, 1:] @ first.T).reshape(d, -1, d).transpose(0, 2, 1)
        return out

    def blocks(self, n: int) -> list[slice]:
        """Slices of n points, each of which stays in cache."""
        return in_cache(n, self.width)

    @cached_property
    def width(self) -> int:
        """Numbers that a point takes."""
        return len(self.over) + (1 + self.recursion.dimension) * self.count

    @cached_property
    def count(self) -> int:
        """How many polynomials there are."""
        return self._linear.shape[1] + self.over.shape[1]

    def suits(self, points: np.ndarray) -> bool:
        """Whether products are taken; the first points that come decide."""
        if "_suits" not in self.__dict__:
            sample = points[:: max(len(points) // LOSS_SAMPLE, 1)]
            self.__dict__["_suits"] = self._few_products and self._loss(sample) <= LARGEST_LOSS
        return self.__dict__["_suits"]

    def product_values(self, points: np.ndarray) -> np.ndarray:
        """The product basis (., n) at points (n, d), of which `over` makes polynomials."""
        evaluations(len(points), len(self.over), 0)
        return self._basis(points.T)

    @property
    def _few_products(self):
        recursion = self.recursion
        if recursion.degree == 0:
            return True
        degree = recursion.degree + (self.products is not None)
        columns = sum(recursion.sizes) + (0 if self.products is None else len(self.products.left))
        return recursion.sizes[1] > 0 and count(recursion.sizes[1], degree) <= PRODUCTS_PER_COLUMN * columns

    def _loss(self, points):
        """Terms of a sum over what moves a point by the data's spread, or over the values where these are larger (those of a
        constant have no slope): how many times rounding is magnified."""
        if not self.over.size or not len(points):
            return 0.0
        basis = self._basis(points.T)
        lower = basis[: self._slopes.shape[1]]
        squares = np.einsum("am,am->a", self._slopes @ (lower @ lower.T / len(points)), self._slopes)
        values = np.mean((self.over.T @ basis) ** 2, axis=1)
        size = np.sqrt(np.maximum(squares.reshape(points.shape[1], -1).sum(axis=0), values))
        return self._lost(np.sqrt(np.mean(basis**2, axis=1)), size)

    def _lost(self, sizes, size):
        with np.errstate(over="ignore"):                 # of size zero: more is lost than any number says
            return float(np.max(sizes @ np.abs(self.over) / np.maximum(size, SMALLEST_DIVISOR)))

    def _values(self, x, out, basis=None):
        """Values (k, n) at points (d, n) into `out`; the basis there."""
        linear = self._linear
        out[: linear.shape[1]] = linear[1:].T @ x + self.recursion.constant * linear[0][:, None]
        if not self.over.shape[1]:
            return np.zeros((0, x.shape[1]))
        basis = self._basis(x) if basis is None else basis
        np.matmul(self.over.T, basis, out=out[linear.shape[1]:])
        return basis

    def _basis(self, x):
        return basis_at(self.recursion, self._degree, x)

    @property
    def _degree(self):
        return self.recursion.degree + (self.combine is not None)

    @cached_property
    def _linear(self):
        """Polynomials of degree 1, over the constant and the variables."""
        recursion, none = self.recursion, np.zeros((1 + self.recursion.dimension, 0))
        if recursion.degree == 0:
            return none if self.combine is None else self.combine
        return recursion.layers[0].G if self.with_lower else none

    @cached_property
    def over(self) -> np.ndarray:
        """The polynomials of degree 2 or more, as columns over the product basis."""
        recursion = self.recursion
        if recursion.degree == 0:
            return np.zeros((0, 0))
        lower = recursion.over_products[1]
        lower = lower if self.with_lower else lower[:, :0]
        if self.products is None or self.combine is None:
            return lower
        candidates = self.shared.over if self.shared else recursion.candidates_over_products(self.products)
        own = sparse_times(candidates, self.combine)
        return np.hstack([padded(lower, len(own)), own])

    @cached_property
    def _slopes(self):
        """The slopes of these along each variable, one after the other, as rows over the products of one degree less."""
        if not self.over.shape[1]:
            return np.zeros((0, 0))
        along = self.shared.slopes @ self.combine if self.shared else slopes_over(self.recursion, self._degree, self.over)
        return np.ascontiguousarray(along.transpose(0, 2, 1).reshape(-1, along.shape[1]))

    def _run(self, points, derivatives):
        """The same by the recursion itself."""
        found = self.recursion.evaluate(points, self.products, derivatives, self.combine)
        kept = slice(None) if self.with_lower else slice(len(self.recursion.G_degrees), None)
        return ValuesAndSlopes(found.G[:, kept], found.dG[:, :, kept] if derivatives else np.zeros(0))


def second_order(hessians: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """Mean (n, k) of what steps (n, d) and their opposites add to polynomials of degree 2 with these Hessians (d, d, k).

    Examples
    --------
    >>> second_order(2 * np.eye(2)[:, :, None], np.array([[3.0, 4.0]])).tolist()
    [[25.0]]
    """
    d, _, k = hessians.shape
    turned = (steps @ hessians.reshape(d, d * k)).reshape(len(steps), d, k)
    return np.einsum("nd,ndk->nk", steps, turned) / 2
