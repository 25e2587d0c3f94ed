"""What a model is made of beside its equations: runs with their knots, coefficients with their errors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import sympy


@dataclass(frozen=True, eq=False)
class KnottedRun:
    """One run: what was measured, and the states nearest to it that satisfy the equations.

    Attributes
    ----------
    label : str
    times : (N,) array
    measured, states : (N, d) array
    inputs : (N, q) array
    cuts : int array
        Rows from which the equations do not lead to the next one (see `joint`); mostly empty.
    """

    label: str
    times: np.ndarray
    measured: np.ndarray
    states: np.ndarray
    inputs: np.ndarray
    cuts: np.ndarray

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
