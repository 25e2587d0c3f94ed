"""What `conserved` found: invariants, constraints, and how constant they are, for programs and for people."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import sympy


@dataclass(frozen=True)
class Drift:
    """How constant an invariant is along one run.

    Attributes
    ----------
    label : object
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

    label: object
    level: float
    error: float
    spread: float
    expected: float
    trend: float
    trend_error: float
    size: float

    def __str__(self):
        spread, expected, trend, error = (_percent(part, self.size) for part in (
            self.spread, self.expected, self.trend, self.trend_error))
        return (f"{self.label}: level {self.level:.5g} +/- {self.error:.2g}, varies by {spread} (noise explains "
                f"{expected}), trend {trend} +/- {error}")


@dataclass(frozen=True, eq=False)
class Conserved:
    """What is conserved along the runs; `str` shows it, `report` with levels and drift.

    Attributes
    ----------
    invariants : tuple of sympy.Expr
        Estimates, with floats; the coefficient of one term is 1.
    readable : tuple of sympy.Expr
        The same with the simplest exact numbers within the standard errors.
    constraints, readable_constraints : tuple of sympy.Expr
        Polynomials that are zero in all runs.
    values : tuple of float
        Of each invariant: its variation along the runs compared with that of noise; about 1.
    constraint_values : tuple of float
    drift, readable_drift : tuple of tuple of Drift
        For each invariant and run: of the expressions in `invariants`, and of those in `readable`, which may be
        multiples of them.  `str` and `report` show the latter.
    levels : tuple of dict
        For each expression in `invariants`: label of the run -> value.
    states : tuple of (n, d) arrays
        Data knots, for each run (each piece of a run with gaps): states on the level sets, nearest to the data.
    noise : (d,) array or None
        Standard deviation of the measurement noise; None if it was neither given nor found.
    names : tuple of str
    message : str
        What was looked at, and what to do about it.
    """

    invariants: tuple[sympy.Expr, ...]
    readable: tuple[sympy.Expr, ...]
    constraints: tuple[sympy.Expr, ...]
    readable_constraints: tuple[sympy.Expr, ...]
    values: tuple[float, ...]
    constraint_values: tuple[float, ...]
    drift: tuple[tuple[Drift, ...], ...]
    readable_drift: tuple[tuple[Drift, ...], ...]
    levels: tuple[dict, ...]
    states: tuple[np.ndarray, ...]
    noise: np.ndarray | None
    names: tuple[str, ...]
    message: str
    _shown: tuple[sympy.Expr, ...] = ()
    _noise_from: str = ""

    def __len__(self):
        return len(self.invariants)

    def __str__(self):
        lines = []
        texts = [str(expression) for expression in self._shown]
        invariants, constraints = texts[:len(self)], texts[len(self):]
        width = max(map(len, texts), default=0)
        if invariants:
            lines.append(f"conserved along every run ({self._noise_text()}):")
            for text, value, rows in zip(invariants, self.values, self.readable_drift):
                worst = max(rows, key=lambda row: row.spread)
                lines.append(f"  {text:{width}}   value {value:.2f}, drift {_percent(worst.spread, worst.size)} "
                             f"(noise explains {_percent(worst.expected, worst.size)})")
        if constraints:
            lines.append("the same in all runs:" if invariants else f"the same in all runs ({self._noise_text()}):")
            for text, value in zip(constraints, self.constraint_values):
                lines.append(f"  {text + ' = 0':{width + 4}}   value {value:.2f}")
        if not lines:
            lines.append(f"nothing conserved was found ({self._noise_text()})")
        return "\n".join([*lines, self.message])

    def __repr__(self):
        return str(self)

    def report(self) -> str:
        """The text of `str`, and for each invariant its levels and drift, run by run."""
        lines = [str(self)]
        for expression, rows in zip(self._shown, self.readable_drift):
            lines.append(f"{expression}")
            lines += [f"  {row}" for row in rows]
        return "\n".join(lines)

    def _noise_text(self):
        if self.noise is None:
            return "noise unknown"
        sizes = ", ".join(f"{name} {value:.3g}" for name, value in zip(self.names, self.noise))
        return f"noise {sizes} {self._noise_from}"


def _percent(part, whole):
    return f"{100 * part / whole:.2g} %" if whole else "0 %"
