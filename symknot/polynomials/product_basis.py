r"""A basis of all polynomials up to a degree that costs one multiplication for each value.

In variables y that are centred, uncorrelated and of size 1 on the points (the recursion's first layer, divided by its size on
the knots; the frame of a stream) the basis consists of the products

.. math:: \phi_a(y) = \prod_i p_{a_i}(y_i), \qquad |a| \le t,

where :math:`p_k(s) = \sqrt{2k+1}\, P_k(s / \sqrt 3)` are the Legendre polynomials of a uniform variable of variance 1: a
family for numbers of size 1 that needs nothing from the data.  Each is a lower one times a polynomial in one variable,
so values at a block of points take one multiplication each, no matrix product; and weights come for free, as the size of
the constant.  The two operations that make polynomials are sparse and exact on coefficients,

.. math:: s\,p_k = \beta_{k+1} p_{k+1} + \beta_k p_{k-1}, \quad \beta_k = \frac{\sqrt 3\, k}{\sqrt{4k^2-1}}, \qquad
          p_k' = \tfrac{1}{\sqrt 3} \sum_{j = k-1, k-3, \dots} \sqrt{(2k+1)(2j+1)}\; p_j ,

so whatever points say about values *and slopes* of polynomials of degree t is in one triangular factor of this basis
(`fitting.seen`, `fitting.summaries`): slopes of degree t are polynomials of degree t - 1.  An affine change of the variables
keeps the span, :math:`\phi(A y + c) = \phi(y) W`, with W column by column from the recurrence.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np

from .monomials import CACHED_TABLES, Monomials, count, monomials, padded

REACH = np.sqrt(3.0)
"""Half the width of a uniform distribution of variance 1.  Derived."""


class _Fill(NamedTuple):
    """Rows `low` to `high` of the values are polynomial `power` of variable `variable` times the rows from `source` on."""

    low: int
    high: int
    variable: int
    power: int
    source: int


class ProductBasis:
    """All products of degree at most `degree` in `dimension` variables, in the order of `Monomials`.

    Examples
    --------
    >>> basis = product_basis(2, 2)
    >>> len(basis), basis.values(np.array([[0.0], [1.0]]), np.ones(1)).round(3).T.tolist()
    (6, [[1.0, 0.0, 1.0, -1.118, 0.0, 0.0]])
    """

    def __init__(self, dimension: int, degree: int) -> None:
        self.dimension, self.degree = dimension, degree
        self.table: Monomials = monomials(dimension, degree)
        k = np.arange(1, degree + 2)
        self._beta = np.r_[0.0, REACH * k / np.sqrt(4.0 * k**2 - 1)]
        self._fills = list(_fills(dimension, degree))
        self._known: dict[tuple[str, int, int], Any] = {}

    def __len__(self) -> int:
        return len(self.table)

    def size(self, degree: int) -> int:
        """How many of the products have at most this degree; they come first."""
        return count(self.dimension, degree)

    def values(self, y: np.ndarray, constant: np.ndarray | None = None, out: np.ndarray | None = None) -> np.ndarray:
        """Values (products, n) at points (dimension, n), all of them multiplied by `constant` (n,); 1 by default.

        Nothing is copied where `y` is those rows of `out` that belong to it (`rows_of_variables`).
        """
        out = np.empty((len(self), y.shape[1])) if out is None else out
        powers: list[np.ndarray] = [np.ones(1), y][: self.degree + 1]        # the first beta is 1
        for k in range(1, self.degree):
            higher = y * powers[k]
            higher -= self._beta[k] * powers[k - 1]
            higher /= self._beta[k + 1]
            powers.append(higher)
        out[0] = 1.0 if constant is None else constant
        in_place = constant is None and y.__array_interface__["data"] == out[self.rows_of_variables].__array_interface__["data"]
        for low, high, variable, power, source in self._fills[self.dimension if in_place else 0:]:
            if constant is None and not source:
                out[low] = powers[power][variable]
            else:
                np.multiply(powers[power][variable], out[source: source + high - low], out=out[low:high])
        return out

    @property
    def rows_of_variables(self) -> slice:
        """Where the variables themselves are among the products; nowhere in a basis of degree 0."""
        return slice(1, 1 + self.dimension if self.degree else 1)

    def times(self, variable: int, coefficients: np.ndarray) -> np.ndarray:
        """Coefficients (columns) of a variable times polynomials of a lower degree than the basis.

        Examples
        --------
        >>> product_basis(1, 2).times(0, np.array([[0.0], [1.0]])).ravel().round(3).tolist()
        [1.0, 0.0, 0.894]
        """
        rows, up, above, lower, down, below = self._once("times", variable, len(coefficients), self._times)
        out = np.zeros((rows, coefficients.shape[1]))
        out[up] = above * coefficients
        out[down] += below * coefficients[lower]
        return out

    def _times(self, variable, n):
        exponents, up = self.table.exponents[:n, variable], self.table.times[variable, :n]
        lower, rows = np.flatnonzero(exponents), self.size(int(self.table.exponents[n - 1].sum()) + 1)
        return (rows, up, self._beta[exponents + 1, None], lower, self._lower[variable, lower],
                self._beta[exponents[lower], None])

    def slope(self, variable: int, coefficients: np.ndarray) -> np.ndarray:
        """Coefficients of the derivatives by a variable, over the products of one degree less.

        Examples
        --------
        >>> product_basis(1, 2).slope(0, np.array([[0.0], [0.0], [1.0]])).ravel().round(3).tolist()
        [0.0, 2.236]
        """
        rows, steps = self._once("slope", variable, len(coefficients), self._slope)
        out = np.zeros((rows, coefficients.shape[1]))
        for to, factor, at in steps:            # different products of the same degree never have the same place
            out[to] += factor * coefficients[at]
        return out

    def _slope(self, variable, n):
        degree = max(int(self.table.exponents[n - 1].sum()) - 1, 0)
        exponents, steps = self.table.exponents[:n, variable], []
        at = np.flatnonzero(exponents)
        to, factor = at, np.sqrt(2.0 * exponents[at] + 1) / REACH
        for step in range(1, degree + 2):
            there = exponents[at] >= step
            at, to, factor = at[there], to[there], factor[there]
            to = self._lower[variable, to]
            if step % 2:
                steps.append((to, (factor * np.sqrt(2.0 * (exponents[at] - step) + 1))[:, None], at))
        return self.size(degree), steps

    def _once(self, what, variable, n, make):
        """Places and factors are the same for all coefficients of n products."""
        key = what, variable, n
        if key not in self._known:
            self._known[key] = make(variable, n)
        return self._known[key]

    def affine(self, matrix: np.ndarray, shift: np.ndarray) -> np.ndarray:
        """The basis at ``matrix @ y + shift``, as columns over the basis at y.

        Examples
        --------
        >>> basis = product_basis(2, 2)
        >>> matrix, shift, y = np.array([[2.0, 1.0], [0.0, 3.0]]), np.array([1.0, -1.0]), np.array([0.3, 0.5])
        >>> there, here = (basis.values(one[:, None], np.ones(1))[:, 0] for one in (matrix @ y + shift, y))
        >>> bool(abs(there - here @ basis.affine(matrix, shift)).max() < 1e-14)
        True
        """
        out = np.zeros((len(self), len(self)))
        out[0, 0] = 1.0
        for a in range(1, len(self)):
            variable = int(np.flatnonzero(self.table.exponents[a])[-1])
            k, before = self.table.exponents[a, variable] - 1, self._lower[variable, a]
            column = out[: self.size(int(self.table.exponents[before].sum())), [before]]
            turned = shift[variable] * padded(column, len(self))
            for i in np.flatnonzero(matrix[variable]).tolist():
                times = self.times(i, column)
                turned[: len(times)] += matrix[variable, i] * times
            if k:
                turned -= self._beta[k] * out[:, [self._lower[variable, before]]]
            out[:, a] = turned[:, 0] / self._beta[k + 1]
        return out

    @cached_property
    def _lower(self):
        """``_lower[i, a]`` is the place of product a with one power of variable i less; -1 where there is none."""
        table = np.full((self.dimension, len(self)), -1)
        for i, up in enumerate(self.table.times):
            table[i, up] = np.arange(len(up))
        return table


@lru_cache(maxsize=CACHED_TABLES)
def product_basis(dimension: int, degree: int) -> ProductBasis:
    """The (cached) `ProductBasis` of this many variables and this degree."""
    return ProductBasis(dimension, degree)


def _fills(d, degree):
    """Contiguous pieces: words of degree t that begin with exactly e times variable i go on with those of degree t - e in
    later variables, which are the last ones of that degree."""
    ends = [count(d, t) for t in range(degree + 1)]
    for t in range(1, degree + 1):
        low = ends[t - 1]
        for i in range(d):
            for e in range(t, 0, -1):
                many = count(d - i - 1, t - e) - count(d - i - 1, t - e - 1) if d - i - 1 else int(t == e)
                if many:
                    yield _Fill(low, low + many, i, e, ends[t - e] - many)
                    low += many
