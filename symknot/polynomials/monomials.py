"""Monomials of bounded degree in a fixed graded order, and multiplication by a variable.

The monomials of degree at most t come first among those of degree at most t + 1, so a
coefficient vector of low degree is a prefix of one of higher degree.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb

import numpy as np

CACHED_TABLES = 32
"""`Monomials` that are remembered, one per dimension and degree: several fits with all their degrees.  A convention."""


class Monomials:
    """All monomials in `dimension` variables of degree at most `degree`.

    Attributes
    ----------
    exponents : (count, dimension) int array
    times : (dimension, count of degree < `degree`) int array
        ``times[i, a]`` is the index of variable i times monomial a.

    Examples
    --------
    >>> Monomials(2, 2).exponents.tolist()
    [[0, 0], [1, 0], [0, 1], [2, 0], [1, 1], [0, 2]]
    """

    def __init__(self, dimension: int, degree: int) -> None:
        words = [word for t in range(degree + 1) for word in combinations_with_replacement(range(dimension), t)]
        index = {word: a for a, word in enumerate(words)}
        self.dimension = dimension
        self.degree = degree
        self.exponents = np.zeros((len(words), dimension), dtype=np.int64)
        for a, word in enumerate(words):
            for i in word:
                self.exponents[a, i] += 1
        lower = count(dimension, degree - 1)
        self.times = np.array([[index[tuple(sorted(word + (i,)))] for word in words[:lower]]
                               for i in range(dimension)], dtype=np.int64).reshape(dimension, lower)

    def __len__(self) -> int:
        return len(self.exponents)

    def product(self, variable: int, coefficients: np.ndarray) -> np.ndarray:
        """Coefficients (columns) of `variable` times the polynomials of lower degree."""
        out = np.zeros((len(self), coefficients.shape[1]), dtype=coefficients.dtype)
        out[self.times[variable, : len(coefficients)]] = coefficients
        return out


@lru_cache(maxsize=CACHED_TABLES)
def monomials(dimension: int, degree: int) -> Monomials:
    """The (cached) `Monomials` of this many variables and this degree."""
    return Monomials(dimension, degree)


def count(dimension: int, degree: int) -> int:
    """How many monomials of degree at most `degree` there are.

    Examples
    --------
    >>> count(10, 3), count(2, -1)
    (286, 0)
    """
    return comb(dimension + degree, degree) if degree >= 0 else 0


def padded(coefficients: np.ndarray, rows: int) -> np.ndarray:
    """The same polynomials, written over `rows` monomials."""
    out = np.zeros((rows, coefficients.shape[1]), dtype=coefficients.dtype)
    out[: len(coefficients)] = coefficients
    return out
