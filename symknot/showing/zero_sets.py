r"""Zero sets of exact polynomials as pictures need them: values in the coordinates of a box, and points put onto them.

In a box with centre c and half widths h the polynomials are expanded anew in v = (x - c) / h, exactly, before their
numbers become floats; so nothing is lost where data are far from the origin.  Each is divided by the root-mean-square
of its gradient at the knots: its value then estimates the distance from its zeros.

A point is put onto the common zeros by Gauss-Newton steps :math:`v - J_r^+ g(v)`, where :math:`J_r` is the Jacobian
truncated to rank r, the codimension.  With the truncation equations that outnumber it, and after rounding agree only
nearly, have zeros in the sense of least squares.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property, reduce

import numpy as np
import sympy

from ..ground.blocks import blocks
from ..ground.linalg import singular_values, svd
from ..polynomials.conversion import poly_of
from ..polynomials.terms import Terms, substitute_affine

NEWTON_STEPS = 30
"""Gauss-Newton steps at most: each doubles the digits near a simple zero, and halves the distance at a multiple one."""
LONGEST_STEP = 0.3
"""Longest step, in half widths of the box: a convention that keeps points from flying away where slopes vanish."""
SETTLED = 1e-9
"""Step below which a point rests, in half widths of the box: far below a pixel."""
VISIBLE = 2e-3
"""Distance from the zeros, in half widths of the box, that is seen as none: about a pixel."""
WEAK_SLOPE = 1e-2
"""Singular value of the scaled gradients below which a direction is rounding of the equations' numbers: a convention.
Where noise is larger than this, in half widths of the box, the noise counts."""
SIMPLE_NUMBER = 10**6
"""Numerators and denominators up to which an exact common factor is looked for: estimates of more digits have none."""


class ZeroSet:
    """Common zeros of polynomials, in the coordinates of a box.

    Parameters
    ----------
    terms : sequence of Terms
        The polynomials, exact and in the user's variables.
    centre, half : (d,) arrays
        Of the box.
    knots : (K, d) array
        Points of the set, as far as they are known, in the user's variables.
    blur : float
        Noise in half widths of the box: gradients that differ by less are taken for equal.
    """

    def __init__(self, terms: Sequence[Terms], centre: np.ndarray, half: np.ndarray, knots: np.ndarray,
                 blur: float = 0.0) -> None:
        self.centre, self.half = np.asarray(centre, dtype=float), np.asarray(half, dtype=float)
        self.dimension = len(self.centre)
        self.knots = self.into(np.asarray(knots, dtype=float).reshape(-1, self.dimension))
        self.blur = max(WEAK_SLOPE, blur)
        self._exponents, self._coefficients = self._in_box(terms)
        lowered = [self._exponents, *(np.maximum(self._exponents - axis, 0) for axis in np.eye(self.dimension, dtype=int))]
        self._all_exponents = np.vstack(lowered)            # of the monomials, and of their derivatives by each variable
        self._highest = int(self._exponents.max(initial=0))
        sizes = self._slope_sizes()
        self._coefficients = self._coefficients / sizes

    def __len__(self) -> int:
        return self._coefficients.shape[1]

    def into(self, x: np.ndarray) -> np.ndarray:
        """The user's coordinates in those of the box."""
        return (x - self.centre) / self.half

    def out(self, v: np.ndarray) -> np.ndarray:
        """Coordinates of the box in the user's."""
        return v * self.half + self.centre

    def at(self, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Values (n, k) and gradients (n, k, d) at points (n, d) of the box."""
        values, slopes = np.empty((len(v), len(self))), np.empty((len(v), len(self), self.dimension))
        for rows in blocks(len(v), len(self._all_exponents)):
            powers = v[rows, :, None] ** np.arange(self._highest + 1)
            every = powers[:, 0, self._all_exponents[:, 0]]
            for j in range(1, self.dimension):
                every = every * powers[:, j, self._all_exponents[:, j]]
            monomials, *derivatives = np.split(every, self.dimension + 1, axis=1)
            values[rows] = monomials @ self._coefficients
            for j, part in enumerate(derivatives):
                slopes[rows, :, j] = (part * self._exponents[:, j]) @ self._coefficients
        return values, slopes

    def on_grid(self, *axes: np.ndarray) -> list[np.ndarray]:
        """Values of each polynomial on a grid of the box, one axis of the array for each variable."""
        powers = [np.vander(axis, self._highest + 1, increasing=True) for axis in axes]
        out = []
        for coefficients in self._coefficients.T:
            dense = np.zeros(tuple(power.shape[1] for power in powers))
            dense[tuple(self._exponents.T)] = coefficients
            for power in powers:
                # the axis in front is summed up, and comes back at the end
                dense = np.tensordot(dense, power, axes=(0, 1))
            out.append(dense)
        return out

    @cached_property
    def codimension(self) -> int:
        """Rank of the gradients at most knots; without knots, or equations, their number at most."""
        if not len(self.knots) or not len(self):
            return min(len(self), self.dimension)
        sample = self.knots[:: max(len(self.knots) // 200, 1)]
        ranks = np.sum(singular_values(self.at(sample)[1]) > self.blur, axis=1)
        return max(int(np.median(ranks)), 1)

    def onto(self, v: np.ndarray, rank: int | None = None) -> np.ndarray:
        """Points put onto the common zeros, or as near as `rank` directions allow (the codimension by default)."""
        v, rank = np.array(v, dtype=float), self.codimension if rank is None else rank
        active = np.arange(len(v))
        for _ in range(NEWTON_STEPS):
            step = self._step(v[active], rank)
            size = np.linalg.norm(step, axis=1)
            v[active] += step * np.minimum(1.0, LONGEST_STEP / np.maximum(size, SETTLED))[:, None]
            active = active[size > SETTLED]
            if not len(active):
                break
        return v

    def is_on(self, v: np.ndarray, rank: int | None = None) -> np.ndarray:
        """Whether points are on the set for the eye: the next step is not seen, and no equation is visibly off.

        How far equations that outnumber the codimension are off at the knots tells how far they may be.
        """
        rank = self.codimension if rank is None else rank
        near = np.linalg.norm(self._step(v, rank), axis=1) < VISIBLE
        return near & (self._off(v) <= max(VISIBLE, 2 * self._off_at_knots))

    @cached_property
    def _off_at_knots(self):
        if not len(self.knots) or not len(self):
            return 0.0
        sample = self.onto(self.knots[:: max(len(self.knots) // 200, 1)])
        return float(np.quantile(self._off(sample), 0.9))

    def _off(self, v):
        """By how much the worst equation is off, as a distance."""
        return np.abs(self.at(v)[0]).max(axis=1, initial=0.0)

    def _step(self, v, rank):
        values, slopes = self.at(v)
        keep = min(rank, len(self))
        left, sizes, right = svd(slopes)
        sizes = sizes[:, :keep]
        inverse = np.where(sizes > SETTLED, 1 / np.maximum(sizes, SETTLED), 0.0)
        along = np.einsum("nkr,nk->nr", left[:, :, :keep], values) * inverse
        return -np.einsum("nrd,nr->nd", right[:, :keep], along)

    def _in_box(self, terms):
        """Exponents (m, d) of all monomials, and coefficients (m, k) over them."""
        stretch, shift = ([Fraction(float(number)) for number in numbers] for numbers in (self.half, self.centre))
        moved = [substitute_affine(one, stretch, shift) for one in terms]
        every = sorted({exponents for one in moved for exponents in one})
        coefficients = np.zeros((len(every), len(moved)))
        for k, one in enumerate(moved):
            largest = max(abs(value) for value in one.values())
            coefficients[:, k] = [float(one.get(exponents, 0) / largest) for exponents in every]
        return np.array(every, dtype=np.int64).reshape(-1, self.dimension), coefficients

    def _slope_sizes(self):
        sample = self.knots[:: max(len(self.knots) // 200, 1)] if len(self.knots) else np.zeros((1, self.dimension))
        sizes = np.sqrt(np.mean(np.sum(self.at(sample)[1] ** 2, axis=2), axis=0))
        return np.where(sizes > 0, sizes, 1.0)


def without_common_factor(terms: Sequence[Terms]) -> tuple[Terms | None, list[Terms]]:
    """The greatest common factor of exact polynomials, None if there is none, and what is left of each.

    Examples
    --------
    >>> one = Fraction(1)
    >>> common, rest = without_common_factor([{(1, 1): one}, {(2, 0): one}])         # x y and x^2
    >>> dict(common), [dict(part) for part in rest]
    ({(1, 0): Fraction(1, 1)}, [{(0, 1): Fraction(1, 1)}, {(1, 0): Fraction(1, 1)}])
    """
    numbers = [abs(part) for one in terms for value in one.values() for part in value.as_integer_ratio()]
    if not terms or max(numbers) > SIMPLE_NUMBER:
        return None, list(terms)
    symbols = sympy.symbols(f"v0:{len(next(iter(terms[0])))}")
    polys = [poly_of(one, symbols) for one in terms]
    common = reduce(sympy.gcd, polys)
    if common.is_ground:
        return None, list(terms)
    rest = [poly.exquo(common) for poly in polys]
    return _terms(common), [_terms(poly) for poly in rest]


def square_free(terms: Terms) -> Terms:
    """A polynomial with the same zeros, each of them simple: one that touches zero, as (x - y)^2, crosses it then.

    Examples
    --------
    >>> dict(square_free({(2,): Fraction(1), (1,): Fraction(-2), (0,): Fraction(1)}))
    {(1,): Fraction(1, 1), (0,): Fraction(-1, 1)}
    """
    symbols = sympy.symbols(f"v0:{len(next(iter(terms)))}")
    return _terms(poly_of(terms, symbols).sqf_part())


def _terms(poly: sympy.Poly) -> Terms:
    return {tuple(map(int, exponents)): Fraction(int(value.p), int(value.q)) for exponents, value in poly.terms()}
