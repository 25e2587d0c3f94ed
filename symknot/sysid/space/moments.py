r"""Moments of a field on smooth bumps, for which no derivative of the field is needed.

A field u(x, t), of one or more components, is known on a grid, with noise.  A candidate term is the derivative
:math:`\partial_x^q\, m(u)` of a monomial m.  With a test function :math:`\varphi(x, t) = a(x)\, b(t)` that vanishes with all
derivatives needed at the border of its rectangle, parts are integrated:

.. math:: \int \varphi\, \partial_t u = -\int a\, b'\, u, \qquad
          \int \varphi\, \partial_x^q m(u) = (-1)^q \int a^{(q)}\, b\, m(u) .

So every rectangle gives a *point*, whose coordinates are the moments of all terms, and an equation
:math:`\partial_t u_j = \sum_k c_{jk} \partial_x^{q_k} m_k(u)` gives one linear equation among the moments, with defects

.. math:: r_{jc} = -\int a_c\, b_c'\, u_j - \sum_k c_{jk}\, (-1)^{q_k} \int a_c^{(q_k)} b_c\, m_k(u) .

Bumps are :math:`(1 - s^2)^p`, :math:`|s| \le 1`.  Integrals are sums over the grid.  By Euler and Maclaurin their error falls
with the power `BORDER_ZEROS` + 1 of the number of points, or a higher one, if all derivatives that are needed have so many
zeros at the border: p is the highest q and so many more.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse

from ...polynomials.evaluation import monomial_rows, slope_rows

BORDER_ZEROS = 4
"""Zeros at the border of the highest derivative of a bump.  With 2 the sums' errors moved the coefficients of the
Kuramoto-Sivashinsky equation by ten standard errors (1 % noise, 31 points across); with 4 and with 6 they do not show."""


@dataclass(frozen=True)
class Term:
    """The derivative of order `order` by x of a monomial, given by its number among all up to the degree."""

    monomial: int
    order: int


def bump(half: int, step: float, power: int, order: int) -> np.ndarray:
    """The bump, or a derivative, at its 2 half + 1 grid points.

    Examples
    --------
    >>> bump(2, 0.5, 1, 0).tolist(), bump(2, 0.5, 1, 1).tolist()
    ([0.0, 0.75, 1.0, 0.75, 0.0], [2.0, 1.0, 0.0, -1.0, -2.0])
    """
    shape = np.polynomial.Polynomial([1.0, 0.0, -1.0]) ** power
    s = np.arange(-half, half + 1) / half
    return (shape.deriv(order) if order else shape)(s) / (half * step) ** order


@dataclass(frozen=True, eq=False)
class Rectangles:
    """Where the test functions lie on the grid, and what they are.

    Attributes
    ----------
    across, along : (C, w) and (C, v) int arrays
        Grid points of each rectangle in x and in t.
    space : (orders + 1, w) array
        :math:`(-1)^q a^{(q)}` times the step in x.
    time : (2, v) array
        b and -b' times the step in t.
    shape : (int, int)
        Of the grid, x then t.
    """

    across: np.ndarray
    along: np.ndarray
    space: np.ndarray
    time: np.ndarray
    shape: tuple[int, int]

    @classmethod
    def on_grid(cls, shape: tuple[int, int], steps: tuple[float, float], halves: tuple[int, int],
                centres: tuple[np.ndarray, np.ndarray], highest: int) -> Rectangles:
        """Rectangles of these half widths around all pairs of centres (grid numbers), for derivatives up to `highest`."""
        x, t = (part.ravel() for part in np.meshgrid(*centres, indexing="ij"))
        space = [(-1) ** q * steps[0] * bump(halves[0], steps[0], highest + BORDER_ZEROS, q) for q in range(highest + 1)]
        time = [(-1) ** q * steps[1] * bump(halves[1], steps[1], 1 + BORDER_ZEROS, q) for q in range(2)]
        return cls(x[:, None] + np.arange(-halves[0], halves[0] + 1), t[:, None] + np.arange(-halves[1], halves[1] + 1),
                   np.array(space), np.array(time), shape)

    def __len__(self) -> int:
        return len(self.across)

    def patches(self, grid: np.ndarray) -> np.ndarray:
        """Values of a grid on each rectangle, (C, w, v)."""
        return grid[self.across[:, :, None], self.along[:, None, :]]

    def moments(self, grid: np.ndarray, orders: list[int]) -> np.ndarray:
        """Of the derivatives of these orders by x, (C, orders)."""
        return np.einsum("cwv,qw,v->cq", self.patches(grid), self.space[orders], self.time[0], optimize=True)

    def rates(self, grid: np.ndarray) -> np.ndarray:
        """Of the derivative by t, (C,)."""
        return np.einsum("cwv,w,v->c", self.patches(grid), self.space[0], self.time[1], optimize=True)

    def rows(self, patches: np.ndarray) -> scipy.sparse.csr_array:
        """A matrix with a row for each rectangle and a column for each grid point, of these values."""
        places = self.across[:, :, None] * self.shape[1] + self.along[:, None, :]
        each = places[0].size
        return scipy.sparse.csr_array((patches.ravel(), places.ravel(), np.arange(0, places.size + 1, each)),
                                      shape=(len(self), self.shape[0] * self.shape[1]))


@dataclass(frozen=True, eq=False)
class Moments:
    """All terms on all rectangles.

    Attributes
    ----------
    rectangles : Rectangles
    terms : tuple of Term
    degree : int
    components : int
    """

    rectangles: Rectangles
    terms: tuple[Term, ...]
    degree: int
    components: int

    def of_terms(self, field: np.ndarray) -> np.ndarray:
        """(C, terms), of a field (components, x, t)."""
        values = monomial_rows(field.reshape(self.components, -1), self.degree)
        out = np.empty((len(self.rectangles), len(self.terms)))
        for k in {term.monomial for term in self.terms}:
            places = [i for i, term in enumerate(self.terms) if term.monomial == k]
            out[:, places] = self.rectangles.moments(values[k].reshape(field.shape[1:]), [self.terms[i].order for i in places])
        return out

    def of_rates(self, field: np.ndarray) -> np.ndarray:
        """(C, components)."""
        return np.stack([self.rectangles.rates(one) for one in field], axis=1)

    def by_field(self, field: np.ndarray, coefficients: np.ndarray) -> list[list[scipy.sparse.csr_array]]:
        """For each equation j and component i the derivatives of the defects j by the values of i; coefficients (j, terms)."""
        flat = field.reshape(self.components, -1)
        slopes = slope_rows(monomial_rows(flat, self.degree), self.components, self.degree)
        at, out = self.rectangles, []
        for j, own in enumerate(coefficients):
            row = []
            for i in range(self.components):
                patches = np.zeros((len(at), at.space.shape[1], at.time.shape[1]))
                if i == j:
                    patches += np.outer(at.space[0], at.time[1])
                for q in {term.order for term, c in zip(self.terms, own) if c}:
                    weighted = sum(c * slopes[i, term.monomial] for term, c in zip(self.terms, own) if term.order == q)
                    patches -= at.patches(weighted.reshape(field.shape[1:])) * np.outer(at.space[q], at.time[0])
                row.append(at.rows(patches))
            out.append(row)
        return out
