r"""Products of Legendre polynomials: a fixed basis of the polynomials of bounded degree, in coordinates of moderate size.

In one variable the monic Legendre polynomials follow

.. math:: p_0 = 1, \qquad p_1 = u, \qquad p_{k+1} = u\, p_k - b_k\, p_{k-1}, \qquad b_k = \frac{k^2}{4 k^2 - 1},

and the products :math:`B_\alpha = p_{\alpha_1}(u_1) \cdots p_{\alpha_d}(u_d)` with :math:`|\alpha| \le t` span all
polynomials of degree at most t.  On values of about unit size they are far better conditioned than the monomials, and
what one does with polynomials stays sparse linear algebra on their coefficients:

*multiplication by a variable* is the recurrence read backwards, :math:`u_j B_\alpha = B_{\alpha + e_j} + b_{\alpha_j}
B_{\alpha - e_j}`;

*derivatives* of the basis are combinations of the basis, :math:`\partial_j B = B D_j`;

*an affine change* of the variables keeps the span, :math:`B(A u + c) = B(u) W`, with W column by column from the
recurrence.
"""

from __future__ import annotations

from functools import cached_property, lru_cache

import numpy as np

from .monomials import CACHED_TABLES, monomials


class ProductBasis:
    """The products of degree at most `degree` in `dimension` variables, in the order of `monomials`.

    Attributes
    ----------
    exponents : (count, dimension) int array

    Examples
    --------
    >>> basis = ProductBasis(2, 2)
    >>> (3 * basis.at(np.array([[1.0, 2.0]]))).round(9).tolist()
    [[3.0, 3.0, 6.0, 2.0, 6.0, 11.0]]
    """

    def __init__(self, dimension: int, degree: int) -> None:
        table = monomials(dimension, degree)
        self.dimension, self.degree = dimension, degree
        self.exponents, self._times = table.exponents, table.times
        # each product is a shorter one times powers of its last variable
        self._last = np.array([np.flatnonzero(e)[-1] if e.any() else 0 for e in self.exponents])
        index = {tuple(e): a for a, e in enumerate(self.exponents.tolist())}
        rest = self.exponents.copy()
        rest[np.arange(len(rest)), self._last] = 0
        self._rest = np.array([index[tuple(e)] for e in rest.tolist()])

    def __len__(self) -> int:
        return len(self.exponents)

    def at(self, U: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """Values (n, count) at points (n, dimension), column by column in memory; into `out` where given."""
        out = np.empty((len(U), len(self)), order="F") if out is None else out
        powers = [self._powers(column) for column in np.ascontiguousarray(U.T)]
        out[:, 0] = 1.0
        for a in range(1, len(self)):
            last, rest = self._last[a], self._rest[a]
            power = powers[last][self.exponents[a, last]]
            if rest:
                np.multiply(out[:, rest], power, out=out[:, a])
            else:
                out[:, a] = power
        return out

    def _powers(self, u):
        """p_0, p_1, ... of one variable."""
        found = [np.ones_like(u), u]
        for k in range(1, self.degree):
            found.append(u * found[k] - _step(k) * found[k - 1])
        return found

    def product(self, variable: int, coefficients: np.ndarray) -> np.ndarray:
        """Coefficients (columns over the basis) of `variable` times polynomials whose degree is below `degree`.

        Examples
        --------
        >>> basis = ProductBasis(1, 2)
        >>> (3 * basis.product(0, np.array([[0.0], [1.0], [0.0]]))).round(9).ravel().tolist()
        [1.0, 0.0, 3.0]
        """
        out = np.zeros_like(coefficients)
        lower = self._times.shape[1]
        up = self._times[variable]
        out[up] = coefficients[:lower]
        # u B = B_up + b B_down, and down is whatever has us for its up
        out[:lower] += _step(self.exponents[up, variable].astype(float))[:, None] * coefficients[up]
        return out

    def derivative(self, variable: int, coefficients: np.ndarray) -> np.ndarray:
        """Coefficients (columns over the basis) of the derivatives of polynomials by `variable`.

        Examples
        --------
        >>> basis = ProductBasis(1, 3)
        >>> (5 * basis.derivative(0, np.array([[0.0], [0.0], [0.0], [1.0]]))).round(9).ravel().tolist()
        [2.0, 0.0, 15.0, 0.0]
        """
        out = np.zeros_like(coefficients)
        powers = self.exponents[:, variable]
        above, below = np.arange(len(self)), np.arange(len(self))
        for steps in range(1, self.degree + 1):
            kept = powers[below] > 0
            above, below = above[kept], self._down[variable, below[kept]]
            share = self._slopes[powers[above] - steps, powers[above]]
            out[below] += share[:, None] * coefficients[above]        # a product is one step below one product only
        return out

    @cached_property
    def _down(self):
        """Product divided by a variable: its place, for products that have the variable."""
        down = np.full((self.dimension, len(self)), -1)
        for variable, up in enumerate(self._times):
            down[variable, up] = np.arange(len(up))
        return down

    @cached_property
    def _slopes(self):
        """Of one variable: the derivative of p_k is the sum over i of the entry (i, k) times p_i."""
        one = np.zeros((self.degree + 1, self.degree + 1))
        for k in range(self.degree):
            one[:, k + 1] = _times_variable(one[:, k])
            one[k, k + 1] += 1
            if k:
                one[:, k + 1] -= _step(k) * one[:, k - 1]
        return one

    def affine(self, matrix: np.ndarray, shift: np.ndarray) -> np.ndarray:
        """The basis at ``matrix @ u + shift``, as columns over the basis at u.

        Examples
        --------
        >>> basis = ProductBasis(2, 2)
        >>> matrix, shift, u = np.array([[2.0, 1.0], [0.0, 3.0]]), np.array([1.0, -1.0]), np.array([0.3, 0.5])
        >>> W = basis.affine(matrix, shift)
        >>> bool(abs(basis.at((matrix @ u + shift)[None]) - basis.at(u[None]) @ W).max() < 1e-14)
        True
        """
        out = np.zeros((len(self), len(self)))
        out[0, 0] = 1.0
        for a in range(1, len(self)):
            variable, k = self._last[a], self.exponents[a, self._last[a]] - 1
            before = self._down[variable, a]
            column = out[:, [before]]
            turned = shift[variable] * column
            for i in np.flatnonzero(matrix[variable]).tolist():
                turned += matrix[variable, i] * self.product(i, column)
            if k:
                turned -= _step(k) * out[:, [self._down[variable, before]]]
            out[:, a] = turned[:, 0]
        return out


def _step(k):
    """b_k of the recurrence."""
    return k**2 / (4 * k**2 - 1)


def _times_variable(column):
    """Coefficients over p_0, p_1, ... of u times a polynomial of one variable; its highest coefficient is zero."""
    out = np.zeros_like(column)
    out[1:] = column[:-1]
    out[:-1] += _step(np.arange(1.0, len(column))) * column[1:]
    return out


@lru_cache(maxsize=CACHED_TABLES)
def product_basis(dimension: int, degree: int) -> ProductBasis:
    """The (cached) `ProductBasis` of this many variables and this degree."""
    return ProductBasis(dimension, degree)
