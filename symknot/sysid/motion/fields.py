r"""Right-hand sides :math:`f_j(z) = a_j(z) / b_j(z)` with their derivatives by the arguments and the coefficients.

The arguments z are the states (for maps with delays also the earlier ones) and the inputs.
Numerators and denominators are combinations of the monomials up to some degree, in the arguments and perhaps in
functions of them (`functions`); which ones take part is the *support*.  One coefficient of every denominator, its
*pivot*, is 1; a polynomial is a fraction whose denominator is the pivot 1 alone.

All points are evaluated at once, and of the monomials only those that occur (`few_monomials`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ...polynomials.evaluation import monomial_rows
from ...polynomials.few_monomials import FewMonomials
from ...polynomials.monomials import monomials
from .functions import FunctionOf, chain_rule, with_functions
from .ties import Ties


@dataclass(frozen=True, eq=False)
class Field:
    """Rational right-hand sides over the monomials of `arguments` variables, and of functions of them, up to `degree`.

    Attributes
    ----------
    arguments, degree : int
    numerators, denominators : tuple of int arrays
        Monomials with a coefficient to be estimated, for each equation.
    pivots : tuple of int
        The monomial of each denominator whose coefficient is 1.
    functions : tuple of FunctionOf
        Further factors of the monomials, after the arguments.
    ties : Ties, optional
        Coefficients that are fixed or move together.

    A coefficient vector holds, equation by equation, those of the numerator and then those of
    the denominator.

    Examples
    --------
    >>> field = Field(1, 1, (np.array([0, 1]),), (np.array([0]),), (1,))      # (c0 + c1 z) / (c2 + z)
    >>> field.values(np.array([1.0, -2.0, 3.0]), np.array([[1.0, 2.0]])).tolist()
    [[-0.25, -0.6]]
    """

    arguments: int
    degree: int
    numerators: tuple[np.ndarray, ...]
    denominators: tuple[np.ndarray, ...]
    pivots: tuple[int, ...]
    functions: tuple[FunctionOf, ...] = ()
    ties: Ties | None = None

    @classmethod
    def polynomial(cls, arguments: int, degree: int, equations: int) -> Field:
        """All monomials in every one of so many polynomial right-hand sides."""
        everything = np.arange(len(monomials(arguments, degree)))
        return cls(arguments, degree, (everything,) * equations, (everything[:0],) * equations, (0,) * equations)

    @property
    def equations(self) -> int:
        """Number of right-hand sides."""
        return len(self.numerators)

    @property
    def factors(self) -> int:
        """Number of variables that monomials are made of: arguments and functions of them."""
        return self.arguments + len(self.functions)

    @property
    def exponents(self) -> np.ndarray:
        """Of the monomials, (m, factors)."""
        return monomials(self.factors, self.degree).exponents

    @cached_property
    def owner(self) -> np.ndarray:
        """The equation each coefficient belongs to."""
        return np.repeat(np.arange(self.equations), [len(a) + len(b) for a, b in
                                                     zip(self.numerators, self.denominators)])

    @cached_property
    def in_denominator(self) -> np.ndarray:
        """Whether each coefficient is one of a denominator."""
        return np.concatenate([np.zeros(0, dtype=bool)] + [np.repeat([False, True], [len(a), len(b)])
                                                           for a, b in zip(self.numerators, self.denominators)])

    @cached_property
    def monomial(self) -> np.ndarray:
        """The monomial each coefficient belongs to."""
        return np.concatenate([np.zeros(0, dtype=int)] + [part for pair in zip(self.numerators, self.denominators)
                                                          for part in pair])

    @property
    def size(self) -> int:
        """Number of coefficients."""
        return len(self.owner)

    def free_numbers(self) -> np.ndarray:
        """For each equation how many numbers are free; one that several equations share counts for the first."""
        owner = self.owner
        if self.ties is not None:
            owner = owner[np.unique(self.ties.group, return_index=True)[1]][np.unique(self.ties.group) >= 0]
        return np.bincount(owner, minlength=self.equations)

    @property
    def is_polynomial(self) -> bool:
        """Whether no right-hand side has a denominator."""
        return not self.in_denominator.any() and not any(self.pivots)

    def restricted(self, kept: np.ndarray) -> Field:
        """The field with only those coefficients for which the mask `kept` is true."""
        def chosen(equation: int, below: bool) -> np.ndarray:
            return self.monomial[kept & (self.owner == equation) & (self.in_denominator == below)]

        count = range(self.equations)
        return replace(self, numerators=tuple(chosen(j, False) for j in count),
                       denominators=tuple(chosen(j, True) for j in count),
                       ties=None if self.ties is None else self.ties.restricted(kept))

    def matrices(self, coefficients: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Numerators and denominators as rows over all monomials."""
        above = np.zeros((self.equations, len(self.exponents)))
        below = np.zeros_like(above)
        below[np.arange(self.equations), list(self.pivots)] = 1.0
        top = ~self.in_denominator
        above[self.owner[top], self.monomial[top]] = coefficients[top]
        below[self.owner[~top], self.monomial[~top]] = coefficients[~top]
        return above, below

    def rows(self, points: np.ndarray) -> np.ndarray:
        """Values of all monomials at `points` (arguments, n): one row per monomial."""
        return monomial_rows(with_functions(points, self.functions), self.degree)

    @cached_property
    def _terms(self) -> FewMonomials:
        """Numerators; of fractions also denominators with their pivots, whose coefficients come last."""
        if self.is_polynomial:
            return FewMonomials(self.exponents[self.monomial], self.owner, self.equations)
        row = np.r_[self.owner + self.equations * self.in_denominator, np.arange(self.equations, 2 * self.equations)]
        monomial = np.r_[self.monomial, np.array(self.pivots, dtype=int)]
        return FewMonomials(self.exponents[monomial], row, 2 * self.equations)

    def _of_terms(self, coefficients: np.ndarray) -> np.ndarray:
        return coefficients if self.is_polynomial else np.r_[coefficients, np.ones(self.equations)]

    def values(self, coefficients: np.ndarray, points: np.ndarray) -> np.ndarray:
        """f at `points` (arguments, n): one row per equation."""
        table = self._terms.table(with_functions(points, self.functions))
        both = self._terms.values(self._of_terms(coefficients), table)
        return both if self.is_polynomial else both[: self.equations] / both[self.equations:]

    def linearized(self, coefficients: np.ndarray, points: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Values (m, n), derivatives by the arguments (m, a, n), and by the coefficients.

        The last is (size, n): the derivative of the equation that owns the coefficient.
        """
        m, everything = self.equations, self._of_terms(coefficients)
        table = self._terms.table(with_functions(points, self.functions))
        both, slopes = self._terms.values(everything, table), self._terms.slopes(everything, table)
        slopes = chain_rule(slopes.swapaxes(0, 1), points, self.functions).swapaxes(0, 1)
        f, slopes, below = both[:m], slopes[:m], slopes[m:]
        by_coefficient = self._terms.terms(table)[: self.size]
        if not self.is_polynomial:
            divisor = both[m:]
            f = f / divisor
            slopes = (slopes - f[:, None] * below) / divisor[:, None]
            by_coefficient = by_coefficient / divisor[self.owner]
            by_coefficient[self.in_denominator] *= -f[self.owner[self.in_denominator]]
        return f, slopes, by_coefficient
