r"""A first guess at each equation of motion, from states and derivatives (or successors) point by point.

The candidate terms of target y (a derivative or a next state) are the monomials :math:`m_k(z)` of the
arguments z and, for a rational right-hand side, the products :math:`y\, m_k(z)`:

.. math:: y\, b(z) - a(z) = 0, \qquad \deg a \le t, \quad \deg b \le t - 1 .

A polynomial right-hand side has b = 1.  `nullspace` finds the combination that vanishes best in the
noise of the points; its value is near 1 once the degree is high enough.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...ground.linalg import least_squares
from ...polynomials.evaluation import monomial_rows, slope_rows
from ...polynomials.monomials import count
from .fields import Field
from .functions import chain_rule, with_functions
from .nullspace import Candidates, best_values, square_root, vanishing

REGRESSION_RCOND = 1e-10
"""Share of the largest singular value below which combinations of candidate terms count as none in a plain regression.
A convention: far above rounding, far below what noisy data determine."""

LEAST_SHARE_OF_TARGET = 1e-6
"""A combination in which the target's part is smaller than this share of the largest term is a relation among the
arguments.  A convention: an equation to be found has a target that counts."""


@dataclass(frozen=True, eq=False)
class Guess:
    """One equation as first guessed.

    Attributes
    ----------
    degree : int
    value : float
        Misfit in units of what noise explains.
    numerator : array
        Coefficients over all monomials up to the degree.
    denominator : array
        Likewise up to the degree - 1; for a polynomial the single number 1.
    pivot : int
        The denominator's monomial that is 1.
    values : tuple of float
        Of a polynomial, the value that each degree from 1 on can reach (all points counting alike).
    """

    degree: int
    value: float
    numerator: np.ndarray
    denominator: np.ndarray
    pivot: int
    values: tuple

    @property
    def coefficients(self):
        """In the order of `Field`: numerator, then denominator without its pivot."""
        return np.r_[self.numerator, np.delete(self.denominator, self.pivot)]


def first_guess(samples, target, degree, rational=False, functions=()):
    """The best equation for one target.

    Parameters
    ----------
    samples : Samples
    target : int
        Number of the target (not of its column).
    degree : int
        Largest total degree of the implicit equation, at least 1 (rational: at least 2).
    rational : bool
    functions : sequence of FunctionOf
        Further factors of the candidate terms.

    Returns
    -------
    Guess
    """
    arguments = np.r_[samples.states, samples.inputs]
    column = samples.targets[target]
    points = samples.points[:, arguments].T
    y = samples.points[:, column]
    factors = len(arguments) + len(functions)
    rows = monomial_rows(with_functions(points, functions), degree)
    below = count(factors, degree - 1) if rational else 1
    slopes = chain_rule(slope_rows(rows, factors, degree), points, functions)
    values = np.concatenate([rows, -y * rows[:below]]).T
    gradient = np.concatenate([np.concatenate([slopes, -y * slopes[:, :below]], axis=1),
                               np.concatenate([np.zeros_like(rows), -rows[:below]])[None]])
    involved = np.r_[arguments, column]
    root = square_root(samples.covariance[:, involved[:, None], involved])
    noise = np.matmul(root.transpose(0, 2, 1), gradient.transpose(2, 0, 1))
    candidates = Candidates(values, noise)
    best = vanishing(candidates)
    prefixes = [np.r_[:count(factors, t), len(rows)] for t in range(1, degree + 1)]
    by_degree = () if rational else best_values(candidates, prefixes)
    combination = best.combination
    above, under = combination[: len(rows)], combination[len(rows):]
    sizes = np.abs(under) * np.sqrt(np.mean(rows[:below] ** 2, axis=1))
    pivot = int(np.argmax(sizes))
    everything = np.abs(above) * np.sqrt(np.mean(rows**2, axis=1))
    least = LEAST_SHARE_OF_TARGET * everything.max() / np.sqrt(np.mean(y**2))
    if sizes[pivot] <= least or not np.isfinite(combination).all():
        # a relation among the arguments alone: no equation for the target, take the plain regression
        above, under = least_squares(rows.T, y, REGRESSION_RCOND), np.r_[1.0, np.zeros(below - 1)]
        pivot = 0
    return Guess(degree, best.value, above / under[pivot], under / under[pivot], pivot, by_degree)


def field_of(guesses, arguments, degree, functions=()):
    """The `Field` with all the guesses' terms, and its coefficients."""
    everything = np.arange(count(arguments + len(functions), degree))
    denominators = tuple(np.delete(everything[: len(g.denominator)], g.pivot) for g in guesses)
    numerators = tuple(everything[: len(g.numerator)] for g in guesses)
    field = Field(arguments, degree, numerators, denominators, tuple(g.pivot for g in guesses), tuple(functions))
    return field, np.concatenate([g.coefficients for g in guesses])
