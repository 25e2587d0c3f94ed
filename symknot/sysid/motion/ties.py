r"""What is known of coefficients, as numbers: some are fixed, some move together.

Each coefficient c of right-hand sides is fixed, or a multiple of one of the *numbers* :math:`\varphi` that are free,

.. math:: c = c_0 + T \varphi, \qquad T_{ig} = w_i \text{ for } g = g(i), \text{ else } 0 .

The quadratic form :math:`c^T S c - 2 b^T c` of an estimate is then one in the numbers, with
:math:`T^T S T` and :math:`T^T (b - S c_0)`; steps, choices of terms and standard errors are made there.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from ...ground.linalg import solve_scaled, standard_errors

LARGEST_DENOMINATOR = 10**6
"""Of fixed coefficients and weights, which came as fractions or decimals and are stored as floats: what people write."""


@dataclass(frozen=True, eq=False)
class Ties:
    """Fixed coefficients, and those that are multiples of common numbers.

    Attributes
    ----------
    group : (P,) int array
        The number that each coefficient is a multiple of, from 0 on without gaps; -1 where it is fixed.
    weight, offset : (P,) arrays
        The multiple (0 where fixed), and the fixed value (0 where not).
    sign : (P,) int array
        1 or -1 where the sign is known, else 0.

    Examples
    --------
    >>> ties = Ties(np.array([0, 0, -1]), np.array([1.0, -1.0, 0.0]), np.array([0.0, 0.0, 5.0]), np.zeros(3, int))
    >>> ties.coefficients(np.array([2.0])).tolist(), ties.free
    ([2.0, -2.0, 5.0], 1)
    """

    group: np.ndarray
    weight: np.ndarray
    offset: np.ndarray
    sign: np.ndarray

    @property
    def free(self) -> int:
        """How many numbers there are."""
        return int(self.group.max(initial=-1)) + 1

    @cached_property
    def matrix(self) -> csr_array:
        """T."""
        moved = np.flatnonzero(self.group >= 0)
        return csr_array((self.weight[moved], (moved, self.group[moved])), shape=(len(self.group), self.free))

    def coefficients(self, numbers: np.ndarray) -> np.ndarray:
        """All coefficients."""
        return self.offset + self.matrix @ numbers

    def numbers(self, coefficients: np.ndarray) -> np.ndarray:
        """The numbers of coefficients that are tied, or come nearest to some that are not."""
        sizes = self.matrix.multiply(self.matrix).sum(axis=0)
        return (self.matrix.T @ (coefficients - self.offset)) / sizes if self.free else np.zeros(0)

    def reduced(self, information: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The quadratic form in the numbers."""
        return self.information(information), self.matrix.T @ (right - information @ self.offset)

    def information(self, information: np.ndarray) -> np.ndarray:
        """Of the numbers."""
        return self.matrix.T @ (self.matrix.T @ information.T).T

    def step(self, information: np.ndarray, pull: np.ndarray) -> np.ndarray:
        """The change of coefficients that keeps them tied."""
        return self.matrix @ solve_scaled(self.information(information), self.matrix.T @ pull)

    def standard_errors(self, information: np.ndarray) -> np.ndarray:
        """Of all coefficients; 0 for those that are fixed."""
        return np.abs(self.matrix) @ standard_errors(self.information(information)) if self.free else np.zeros(len(self.group))

    def kept_numbers(self, kept: np.ndarray) -> np.ndarray:
        """Mask of the numbers that some kept coefficient is a multiple of."""
        mask = np.zeros(self.free, dtype=bool)
        mask[self.group[kept & (self.group >= 0)]] = True
        return mask

    def kept_coefficients(self, numbers: np.ndarray) -> np.ndarray:
        """Mask of the coefficients that are fixed or a multiple of one of these numbers."""
        return np.append(numbers, True)[self.group]

    def of_numbers(self, values: np.ndarray) -> np.ndarray:
        """For each number the largest of its coefficients' values."""
        out = np.full(self.free, -np.inf)
        np.maximum.at(out, self.group[self.group >= 0], values[self.group >= 0])
        return out

    def wrong_signs(self, numbers: np.ndarray) -> np.ndarray:
        """Mask of the numbers with which some coefficient has another sign than is known."""
        wrong = self.sign * np.sign(self.coefficients(numbers)) < 0
        return self.kept_numbers(wrong)

    def restricted(self, kept: np.ndarray) -> Ties:
        """For the coefficients for which the mask `kept` is true."""
        used, group = np.unique(np.append(self.group[kept], -1), return_inverse=True)
        return Ties(group[:-1] - 1, self.weight[kept], self.offset[kept], self.sign[kept])

    def exact(self, place: int, number: Fraction | None) -> Fraction:
        """A coefficient, given its number."""
        return _fraction(self.offset[place]) if number is None else _fraction(self.weight[place]) * number


def _fraction(value):
    """The fraction that was written, where the float is the nearest to one with a small denominator."""
    near = Fraction(float(value)).limit_denominator(LARGEST_DENOMINATOR)
    return near if float(near) == value else Fraction(float(value))
