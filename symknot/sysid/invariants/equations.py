"""What is conserved, equation by equation: invariants with levels and drift, constraints, and the runs they hold in.

All numbers of one equation have one scale: its exact terms, the estimates, their standard errors, and of an invariant
the levels and drift are those of the same polynomial, up to rounding within the standard errors.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import sympy

from ...polynomials.equation import Equation
from ...polynomials.evaluation import evaluate_monomials, monomials_at
from ...polynomials.expressions import expression
from ...polynomials.latex import latex_of
from ...polynomials.terms import Exponents, Terms, shown_expression
from ..runs.smooth_states import States
from .level_sets import levels_of


@dataclass(frozen=True, eq=False)
class RunOnLevels:
    """One run, or one piece of a run with gaps: what was measured, and the nearest states on the level sets.

    Attributes
    ----------
    label : str
    group : str
        Label of the run this is a piece of; the pieces of a run share its levels.
    times : (n,) array
    measured, states : (n, d) arrays
    """

    label: str
    group: str
    times: np.ndarray
    measured: np.ndarray
    states: np.ndarray

    def __len__(self) -> int:
        return len(self.times)


@dataclass(frozen=True)
class Drift:
    """How constant an invariant is along one run.

    Attributes
    ----------
    label : str
        Of the run.
    level, error : float
        Value of the invariant and its standard error.
    spread : float
        Standard deviation of its values along the run, at the smoothed states.
    expected : float
        What noise alone makes of that.
    trend, trend_error : float
        Change from the beginning to the end of a straight line fitted to the values, and its standard error.
    size : float
        Mean of the sum of the terms' absolute values: what `spread` and `trend` are to be compared with.
    """

    label: str
    level: float
    error: float
    spread: float
    expected: float
    trend: float
    trend_error: float
    size: float

    def __str__(self) -> str:
        spread, expected, trend, error = (percent(part, self.size) for part in (
            self.spread, self.expected, self.trend, self.trend_error))
        return (f"{self.label}: level {self.level:.5g} +/- {self.error:.2g}, varies by {spread} (noise explains "
                f"{expected}), trend {trend} +/- {error}")


@dataclass(frozen=True)
class Undecided:
    """A degree at which the runs do not tell whether there is more than was found.

    Attributes
    ----------
    degree : int
    invariants : int
        How many more polynomials may be constant along each run, at most.
    constraints : int
        How many more may have one value in all runs, at most.
    """

    degree: int
    invariants: int
    constraints: int


@dataclass(frozen=True, eq=False)
class ConservedEquation(Equation):
    """What invariants and constraints have in common.

    Attributes
    ----------
    terms : dict
        Exponent tuple -> Fraction: the simplest numbers within the standard errors.
    digits : dict
        Exponent tuple -> significant digits to show, for coefficients that are no simple fraction.
    estimated_terms : dict
        Exponent tuple -> float: the estimates, of which one was fixed (`standard_errors`).
    standard_errors : dict
        Exponent tuple -> standard error of the estimate; 0 for the coefficient that was fixed, infinite for one that
        the data do not determine.
    value : float
        Variation along the runs over that of noise: about 1.
    residual : float
        Distance of the data from the level sets of their runs, to first order and in the states' units: the
        root-mean-square, over all measured states, of the polynomial less its level, divided by that of its
        gradient's length.
    variables : tuple of sympy.Symbol
    names : tuple of str
    """

    terms: Terms
    digits: Mapping[Exponents, int]
    estimated_terms: Mapping[Exponents, float]
    standard_errors: Mapping[Exponents, float]
    value: float
    residual: float
    variables: tuple[sympy.Symbol, ...]
    names: tuple[str, ...]

    right: ClassVar[sympy.Expr]
    """The right-hand side for the eye."""
    latex_right: ClassVar[str]

    @cached_property
    def estimate(self) -> sympy.Expr:
        """The polynomial with the estimated numbers, as a sympy expression with floats."""
        return expression({e: Fraction(value) for e, value in self.estimated_terms.items() if value}, self.variables)

    def level_in(self, run: RunOnLevels) -> float:
        """The value that the polynomial keeps along a run."""
        raise NotImplementedError(f"{type(self).__name__} says nowhere what it is along a run: define level_in")

    def sides(self, digits: int | None = None) -> tuple[sympy.Expr, sympy.Expr]:
        """The two sides for the eye, the whole polynomial on the left; `digits` as in `text`."""
        return shown_expression(self.terms, self.digits, self.variables, digits), self.right

    def latex_sides(self, digits: int | None = None) -> tuple[str, str]:
        """The two sides in LaTeX."""
        return latex_of(self.sides(digits)[0], self.variables, self.names), self.latex_right


@dataclass(frozen=True, eq=False)
class Invariant(ConservedEquation):
    """A polynomial that keeps one value along every run: ``4*x**2 + v**2 = const``.

    It has the attributes of `ConservedEquation`, and

    Attributes
    ----------
    drift : tuple of Drift
        For each run, of the polynomial with the exact numbers of `terms`.
    estimate_drift : tuple of Drift
        The same of `estimate`.
    """

    drift: tuple[Drift, ...]
    estimate_drift: tuple[Drift, ...]

    right: ClassVar[sympy.Expr] = sympy.Symbol("const")
    latex_right: ClassVar[str] = r"\mathrm{const}"

    @property
    def levels(self) -> dict[str, float]:
        """Label of the run -> value of the polynomial there."""
        return {row.label: row.level for row in self.drift}

    def level_in(self, run: RunOnLevels) -> float:
        """The value that the polynomial keeps along a run."""
        return self.levels[run.group]


@dataclass(frozen=True, eq=False)
class Constraint(ConservedEquation):
    """A polynomial that is zero in all runs: ``x**2 + y**2 - 1 = 0``; its constant is one of its terms."""

    right: ClassVar[sympy.Expr] = sympy.Integer(0)
    latex_right: ClassVar[str] = "0"

    def level_in(self, run: RunOnLevels) -> float:
        """Zero."""
        return 0.0


def values_and_slopes(terms: Mapping[Exponents, Fraction | float], points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Values (n,) and gradients (n, d) of a polynomial at points (n, d), in floats.

    Examples
    --------
    >>> values, slopes = values_and_slopes({(2, 0): Fraction(1), (0, 1): Fraction(1, 2)}, np.array([[3.0, 4.0]]))
    >>> values.tolist(), slopes.tolist()
    ([11.0], [[6.0, 0.5]])
    """
    coefficients = np.array([float(value) for value in terms.values()])
    values, slopes = evaluate_monomials(points, np.array(list(terms)).reshape(len(terms), points.shape[1]))
    return values @ coefficients, slopes @ coefficients


def distance(values: np.ndarray, slopes: np.ndarray) -> float:
    """Root-mean-square of values over that of their gradients' lengths; the largest value if there is no gradient.

    Examples
    --------
    >>> distance(np.array([0.3, -0.4]), np.array([[3.0, 0.0], [0.0, 4.0]]))
    0.1
    """
    # squares of large numbers may be too large for floats
    largest, steepest = np.abs(values).max(), np.abs(slopes).max()
    if not largest or not steepest:
        return float(largest)
    size = np.sqrt(np.mean((values / largest) ** 2))
    steepness = np.sqrt(np.mean(np.sum((slopes / steepest) ** 2, axis=1)))
    return float(largest / steepest * size / steepness)


def percent(part: float, whole: float) -> str:
    """A share, to two digits.

    Examples
    --------
    >>> percent(0.1234, 2.0), percent(0.0, 0.0)
    ('6.2 %', '0 %')
    """
    return f"{100 * part / whole:.2g} %" if whole else "0 %"


def level_residual(terms: Mapping[Exponents, Fraction], runs: Sequence[RunOnLevels],
                   levels: Mapping[str, float] | None = None) -> float:
    """Distance of the measured states from the level sets of their runs, or from where a constraint vanishes."""
    values, slopes = values_and_slopes(terms, np.vstack([run.measured for run in runs]))
    if levels is not None:
        values = values - np.repeat([levels[run.group] for run in runs], [len(run) for run in runs])
    return distance(values, slopes)


def drifts_of(states: States, polynomials: Sequence[Mapping[Exponents, Any]]) -> Iterator[tuple[Drift, ...]]:
    """Rows of `Drift` for each of some polynomials {exponents: coefficient} in the users' units."""
    if not polynomials:
        return
    exponents = np.array(sorted({e for g in polynomials for e in g}))
    coefficients = np.array([[float(g.get(tuple(e), 0)) for e in exponents.tolist()] for g in polynomials])
    coefficients = coefficients * monomials_at(states.size, exponents)
    levels, errors = levels_of(states, states.group, exponents, coefficients)
    phi, slopes = evaluate_monomials(states.points, exponents)
    off = phi @ coefficients.T - levels[states.group]
    size = np.mean(np.abs(phi) @ np.abs(coefficients).T, axis=0)
    gradients = np.einsum("km,ndm->nkd", coefficients, slopes)
    variance = np.sum(gradients**2 * states.variance[:, None, :], axis=2)
    weights = np.zeros(len(states))
    for r in range(len(states.labels)):
        rows = states.group == r
        t = states.times[rows] - states.times[rows].mean()
        weights[rows] = t * (np.ptp(t) / max(t @ t, np.finfo(float).tiny))
    trend_errors = np.sqrt(states.variance_of_sums(weights[:, None, None] * gradients))
    for l in range(len(polynomials)):
        drifts = []
        for r, label in enumerate(states.labels):
            rows = states.group == r
            numbers = (levels[r, l], errors[r, l], np.std(off[rows, l]), np.sqrt(np.mean(variance[rows, l])),
                       weights[rows] @ off[rows, l], trend_errors[r, l], size[l])
            drifts.append(Drift(str(label), *map(float, numbers)))
        yield tuple(drifts)
