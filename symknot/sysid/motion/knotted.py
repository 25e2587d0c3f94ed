"""What a model has beside its equations: runs with their knots, coefficients with their errors, alternatives."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import sympy

from ...polynomials.symbols import safe_symbols
from .fields import Field

SHOWN_DIGITS = 4
"""Significant digits of the numbers of an alternative as text."""


@dataclass(frozen=True, eq=False)
class KnottedRun:
    """One run: what was measured, and the states nearest to it that satisfy the equations.

    Attributes
    ----------
    label : str
    times : (N,) array
    measured, states : (N, d) array
        What was not measured is NaN; states are complete.
    inputs : (N, q) array
    cuts : int array
        Rows from which the equations do not lead to the next one (see `joint`); mostly empty.
    noise : (d,) or (N, d) array, or None
        Standard deviation of the noise of this run, where every run has its own, or of each value, where it grows with that.
    """

    label: str
    times: np.ndarray
    measured: np.ndarray
    states: np.ndarray
    inputs: np.ndarray
    cuts: np.ndarray
    noise: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.times)


@dataclass(frozen=True, eq=False)
class CoefficientEstimate:
    """One coefficient.

    Attributes
    ----------
    target : str
        The derivative or next state whose equation it belongs to.
    monomial : sympy expression
    in_denominator : bool
    estimate, error : float
        The coefficient and its standard error.
    """

    target: str
    monomial: sympy.Expr
    in_denominator: bool
    estimate: float
    error: float


@dataclass(frozen=True, eq=False)
class Alternative:
    """Other right-hand sides that the data do not reject clearly.

    Attributes
    ----------
    arguments, targets : tuple of str
    field : Field
    coefficients : (P,) array
    cost : float
        How much more than the model it costs: minus twice the logarithm of its odds against the model.
    """

    arguments: tuple[str, ...]
    targets: tuple[str, ...]
    field: Field
    coefficients: np.ndarray
    cost: float

    @property
    def odds(self) -> float:
        """Odds against the model, at most 1."""
        return float(np.exp(-self.cost / 2))

    @property
    def right_hand_sides(self) -> dict[str, sympy.Expr]:
        """Target -> sympy expression with the estimated coefficients."""
        symbols = safe_symbols([*self.arguments, *self.targets])[: len(self.arguments)]
        factors = (*symbols, *(one.function.expression(symbols[one.argument]) for one in self.field.functions))
        monomials = [sympy.Mul(*[factor**int(e) for factor, e in zip(factors, row)]) for row in self.field.exponents]
        above, below = self.field.matrices(self.coefficients)
        return {target: sympy.Add(*[sympy.Float(top[k]) * monomials[k] for k in np.flatnonzero(top)])
                / sympy.Add(*[(1 if bottom[k] == 1 else sympy.Float(bottom[k])) * monomials[k] for k in np.flatnonzero(bottom)])
                for target, top, bottom in zip(self.targets, above, below)}

    def __str__(self) -> str:
        lines = [f"{target} = {side.evalf(SHOWN_DIGITS)}" for target, side in self.right_hand_sides.items()]
        return "\n".join([*lines, f"(costs {self.cost:.1f} more)"])

    def __repr__(self) -> str:
        return f"<Alternative: {self.field.size} terms, costs {self.cost:.1f} more>"
