r"""From the recursion to coefficients in the user's variables, with more digits than a double has.

The recursion holds doubles and defines one exact polynomial.  Writing it out over the
monomials in x cancels digits twice: multiplying out, at high degrees, and undoing the
centring :math:`u = (x - c) / s`, for data far from the origin (with c / s = 1e6 about
6 digits for every degree).  So:

1. The recursion is run on coefficient matrices over the monomials in
   :math:`v = u / 2^r`, which is of size 1 on the knots, each the unevaluated sum of two
   doubles.  Their products are made of exact products of short pieces (Ozaki et al.,
   Numer. Algorithms 59, 2012), so the work is that of plain matrix products.
   Products of polynomials are summed by their linear factor,
   :math:`\sum_i y_i \, (F_{t-1} B_i)`, and never formed one by one.
2. The shift to :math:`w = x / (2^r s) = v + a` is done in integers, without error for a
   rounded to `BINARY_PLACES` binary places.
3. Powers of the scale are applied last, to single coefficients, as fractions or with a
   wide exponent: those of 1e150 leave the range of doubles.

What comes out differs from the recursion's own polynomial by about :math:`2^{-90}` of its
largest coefficient in v.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from mpmath import libmp

from ..fitting.recursion import Recursion
from ..ground.blocks import shifted_and_divided
from ..polynomials.monomials import CACHED_TABLES, monomials, padded
from ..polynomials.terms import Exponents

Doubled = tuple[np.ndarray, np.ndarray]
"""Arrays of the same shape whose unevaluated sum is meant: what one double holds, and the rest."""

PIECE_BITS = 20
"""Bits of a piece of a number in a matrix product.  Derived: sums of up to 2**13 products of two pieces are exact,
since 2 * 20 + 13 is the 53 bits of a double."""
PIECES = 6
"""Pieces of a number.  Derived: two doubles have 106 bits, and these 120."""
BINARY_PLACES = PIECES * PIECE_BITS
"""Binary places of the integers that hold coefficients (below the largest) and the shift: those of all pieces."""
POLYNOMIALS_AT_ONCE = 64
"""Polynomials that are written out together: a convention that bounds the memory."""


class Expanded(NamedTuple):
    """One polynomial: ``numbers[a] * 2.0 ** exponents[a]`` times monomial a, of degree at most `degree`."""

    degree: int
    numbers: np.ndarray
    exponents: np.ndarray


@dataclass(frozen=True, eq=False)
class Expansion:
    """The polynomials of G, written out on demand.

    Attributes
    ----------
    recursion : Recursion
    center, scale : (d,) array
        The recursion's variables are ``u = (x - center) / scale``.
    unit : float
        Values in the user's units are ``unit * G``.
    reach : (d,) int array
        Binary exponents: on the knots ``abs(u) <= 2.0 ** reach``.

    Examples
    --------
    >>> from symknot.fitting.recursion import Layer, Products
    >>> variables = Products(np.arange(1), np.zeros(1, int), np.eye(1))
    >>> line = Layer(variables, np.zeros((2, 0)), np.array([[0.5], [1.0]]), np.zeros(0, bool))
    >>> center, scale, unit = np.array([3.0]), np.array([2.0]), 2.0
    >>> Expansion(Recursion(1, 1.0, (line,)), center, scale, unit, np.array([0])).terms(0)    # 2 * (1/2 + (x - 3)/2)
    {(0,): Fraction(-2, 1), (1,): Fraction(1, 1)}
    """

    recursion: Recursion
    center: np.ndarray
    scale: np.ndarray
    unit: float
    reach: np.ndarray

    @cached_property
    def stretch(self) -> list[Fraction]:
        """``2**reach * scale``, exactly."""
        return [Fraction(float(s)) * Fraction(2) ** int(r) for s, r in zip(self.scale, self.reach)]

    @cached_property
    def shift(self) -> list[int]:
        """The a of the module's docstring, times ``2**BINARY_PLACES``."""
        return [round(Fraction(float(c)) / s * 2**BINARY_PLACES) for c, s in zip(self.center, self.stretch)]

    def inside(self, index: int) -> Expanded:
        """Polynomial `index` of G over the monomials in v."""
        degree = int(self.recursion.G_degrees[index])
        column = index - int(np.searchsorted(self.recursion.G_degrees, degree))
        high, low = (part[:, column] for part in self._G_of_degree(degree))
        lowest = int(np.frexp(np.abs(high).max())[1]) - BINARY_PLACES
        numbers = [int(a) + int(b) for a, b in np.ldexp([high, low], -lowest).T.tolist()]
        return Expanded(degree, np.array(numbers, dtype=object), np.full(len(numbers), lowest))

    def outside(self, index: int) -> Expanded:
        """Polynomial `index` of G over the monomials in w."""
        degree, numbers, exponents = self.inside(index)
        table = monomials(self.recursion.dimension, degree)
        # With B = BINARY_PLACES and W = 2^B w, v is 2^-B (W - shift): with this factor at each monomial all stays whole.
        missing = BINARY_PLACES * (degree - table.exponents.sum(axis=1))
        numbers = numbers << missing.astype(object)
        for j, rows_of in enumerate(_rows_by_power(self.recursion.dimension, degree)):
            if self.shift[j]:
                for last in range(degree):                      # Horner's scheme for a Taylor shift
                    for rows in reversed(rows_of[last:]):
                        numbers[rows] -= self.shift[j] * numbers[table.times[j, rows]]
        return Expanded(degree, numbers, exponents - missing)

    def terms(self, index: int) -> dict[Exponents, Fraction]:
        """Coefficients in the user's variables: exponent tuple -> Fraction, without zeros."""
        degree, numbers, exponents = self.outside(index)
        parts = zip(exponent_tuples(len(self.center), degree), numbers, exponents.tolist(), self._factors)
        return {e: Fraction(2) ** power * factor * number for e, number, power, factor in parts if number}

    def rounded_terms(self, index: int, precision: int) -> dict[Exponents, tuple]:
        """The same rounded to `precision` bits: exponent tuple -> number, in mpmath's raw form."""
        degree, numbers, exponents = self.outside(index)
        parts = zip(exponent_tuples(len(self.center), degree), numbers, exponents.tolist(), self._raw_factors)
        return {e: libmp.mpf_mul(libmp.from_man_exp(number, power, 2 * BINARY_PLACES, "n"), factor, precision, "n")
                for e, number, power, factor in parts if number}

    @cached_property
    def _factors(self):
        """``unit / stretch**exponents`` for every monomial."""
        table = monomials(self.recursion.dimension, self.recursion.degree)
        factors = [Fraction(float(self.unit))] + [None] * (len(table) - 1)
        for a, products in enumerate(table.times.T.tolist()):
            for j, b in enumerate(products):
                factors[b] = factors[a] / self.stretch[j] if factors[b] is None else factors[b]
        return factors

    @cached_property
    def _raw_factors(self):
        return [libmp.from_rational(f.numerator, f.denominator, 2 * BINARY_PLACES, "n") for f in self._factors]

    @cached_property
    def _cache(self):
        return {}

    def _G_of_degree(self, degree):
        """The polynomials G_degree: coefficients (high, low) over the monomials in v."""
        if ("G", degree) not in self._cache:
            layer = self.recursion.layers[degree - 1]
            self._cache["G", degree] = self._combined(degree, layer.products, layer.G)
        return self._cache["G", degree]

    def _F_below(self, degree):
        """All F of lower degree in the same form."""
        if degree == 1:
            return np.array([[self.recursion.constant]]), np.zeros((1, 1))
        if ("F", degree) not in self._cache:
            layer = self.recursion.layers[degree - 2]
            new = self._combined(degree - 1, layer.products, layer.F)
            old = self._F_below(degree - 1)
            self._cache["F", degree] = tuple(np.hstack([padded(a, len(b)), b]) for a, b in zip(old, new))
        return self._cache["F", degree]

    def _combined(self, degree, products, matrix):
        """Combinations (columns of `matrix`) of F below `degree` and the products of that degree."""
        count = len(monomials(self.recursion.dimension, degree))
        high, low = np.zeros((2, count, matrix.shape[1]))
        for start in range(0, matrix.shape[1], POLYNOMIALS_AT_ONCE):
            columns = slice(start, start + POLYNOMIALS_AT_ONCE)
            high[:, columns], low[:, columns] = self._combined_block(degree, products, matrix[:, columns])
        return high, low

    def _combined_block(self, degree, products, matrix):
        below, sizes = self._F_below(degree), self.recursion.sizes
        lower, rows, k = sum(sizes[:degree]), len(below[0]), matrix.shape[1]
        table = monomials(self.recursion.dimension, degree)
        high, low = np.zeros((2, len(table), k))
        high[:rows], low[:rows] = product(below, (matrix[:lower], np.zeros((lower, k))))
        if degree == 1:
            high[1:] += np.ldexp(matrix[1:], self.reach[:, None])
            return high, low
        form = np.zeros((sizes[degree - 1], sizes[1], k))
        np.add.at(form, (products.right, products.left), matrix[lower:])
        form = form.reshape(len(form), -1)
        last = tuple(part[:, lower - sizes[degree - 1]:] for part in below)
        partners = product(last, (form, np.zeros_like(form)))
        partners = tuple(part.reshape(rows, sizes[1], k).swapaxes(0, 1).reshape(sizes[1], -1) for part in partners)
        first = tuple(part[: 1 + table.dimension, 1: 1 + sizes[1]] for part in below)
        summed = tuple(part.reshape(-1, rows, k) for part in product(first, partners))      # by constant and variables
        for j, places in enumerate([np.arange(rows), *table.times]):
            high[places], low[places] = double_sum(high[places], low[places], summed[0][j], summed[1][j])
        return high, low


def expansion(recursion: Recursion, center: np.ndarray, scale: np.ndarray, unit: float, knots: np.ndarray) -> Expansion:
    """The `Expansion` of an ideal's recursion; `knots` in the user's units."""
    far = np.array([np.abs(column).max(initial=0.0) for column in shifted_and_divided(knots, center, scale).T])
    return Expansion(recursion, center, scale, unit, np.frexp(far)[1].astype(np.int64))


def two_sum(a: np.ndarray, b: np.ndarray) -> Doubled:
    """The rounded sum and its rounding error."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def double_sum(high: np.ndarray, low: np.ndarray, more_high: np.ndarray, more_low: np.ndarray) -> Doubled:
    """The sum of two unevaluated sums of two doubles, in the same form."""
    total, error = two_sum(high, more_high)
    return two_sum(total, error + (low + more_low))


def product(A: Doubled, B: Doubled) -> Doubled:
    """The matrix product of unevaluated sums of two doubles, in the same form.

    Examples
    --------
    >>> third = np.array([[1 / 3]])
    >>> high, low = product((third, 0 * third), (third, 0 * third))
    >>> Fraction(high[0, 0]) + Fraction(low[0, 0]) == Fraction(1 / 3) ** 2
    True
    """
    left, right = _pieces(*A, axis=1), _pieces(*B, axis=0)
    high, low = np.zeros((2, len(A[0]), B[0].shape[1]))
    for order in range(PIECES):
        # pieces that are not there are zero
        for i in range(max(order - len(right) + 1, 0), min(order + 1, len(left))):
            high, error = two_sum(high, left[i] @ right[order - i])
            low += error
    return two_sum(high, low)


def _pieces(high, low, axis):
    """A sum of arrays whose entries are short multiples of a power of two, the same along `axis`; where nothing is left there
    are fewer."""
    pieces: list[np.ndarray] = []
    while len(pieces) < PIECES:
        largest = np.abs(high).max(axis=axis, keepdims=True, initial=0.0)
        if not largest.any():
            break
        unit = np.frexp(largest)[1] - PIECE_BITS
        pieces.append(np.ldexp(np.rint(np.ldexp(high, -unit)), unit))
        high, low = two_sum(high - pieces[-1], low)
    return pieces


@lru_cache(maxsize=CACHED_TABLES)
def exponent_tuples(dimension: int, degree: int) -> tuple[Exponents, ...]:
    """The exponents of `monomials` as tuples."""
    return tuple(map(tuple, monomials(dimension, degree).exponents.tolist()))


@lru_cache(maxsize=CACHED_TABLES)
def _rows_by_power(dimension, degree):
    """Per variable, per power of it: the monomials of degree below `degree` with that power."""
    table = monomials(dimension, degree)
    lower = table.exponents[: table.times.shape[1]]
    return [[np.flatnonzero(lower[:, j] == k) for k in range(degree)] for j in range(dimension)]
