"""What `conserved` found: invariants, constraints, and the runs on their level sets, for programs and for people."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy

from ...export.system import System
from ...ground.errors import InvalidOption, Status
from ...ground.storage import plain, write_json
from ...ground.wording import counted, visible
from ...polynomials.rational_json import terms_json
from ...polynomials.terms import derivative
from ...results.checking import Check, numbered, same_expression, same_number, same_values, sampled
from ...showing.equations import checked_digits
from ...showing.pictures import saved_or_drawn
from .equations import (
    ConservedEquation,
    Constraint,
    Drift,
    Invariant,
    RunOnLevels,
    Undecided,
    level_residual,
    percent,
    values_and_slopes,
)
from .pages import ReportedConserved
from .pictures import draw, draw_levels

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["FORMAT", "VERSION", "Conserved", "Constraint", "Drift", "Invariant", "RunOnLevels", "Undecided"]

FORMAT, VERSION = "symknot conserved", 1
PICTURES = ("time", "phase")
"""What `Conserved.plot` can draw."""


@dataclass(frozen=True, eq=False, repr=False)
class Conserved(ReportedConserved):
    """What is conserved along the runs; `str` shows it, `report` with levels and drift.

    As of every result, `polynomials` vanish on the data: they are the `constraints`, and `groebner`, `dimension`,
    `contains`, `reduce` and `export` work on these.  Text, LaTeX and notebooks show the invariants too.

    Attributes
    ----------
    names : tuple of str
    invariants : tuple of Invariant
        What is constant along every run, at another level in each.
    constraints : tuple of Constraint
        What is zero in all runs.
    runs : tuple of RunOnLevels
        Each run (each piece of a run with gaps), with the states on all level sets that are nearest to the data.
    noise : (d,) array
        Standard deviation of the measurement noise; NaN if it was neither given nor found.
    noise_given : bool
        Whether it was given; else it was read from the data.
    status : Status
        `Status.FOUND`, or `Status.NOTHING_FOUND`.
    message : str
        What was looked at, and what to do about it.
    symbols : tuple of sympy.Symbol or None
    undecided : tuple of Undecided
        Degrees at which the runs do not tell whether there is more.
    """

    names: tuple[str, ...]
    invariants: tuple[Invariant, ...]
    constraints: tuple[Constraint, ...]
    runs: tuple[RunOnLevels, ...]
    noise: np.ndarray
    noise_given: bool
    status: Status
    message: str
    symbols: tuple[sympy.Symbol, ...] | None = None
    undecided: tuple[Undecided, ...] = ()

    @property
    def polynomials(self) -> tuple[Constraint, ...]:  # type: ignore[override]
        """The polynomials that vanish on the data: the constraints."""
        return self.constraints

    @cached_property
    def knots(self) -> np.ndarray:  # type: ignore[override]
        """(K, d) array: the states of all runs, one below the other."""
        return np.vstack([run.states for run in self.runs])

    def __len__(self) -> int:
        return len(self.invariants)

    def _shown_equations(self) -> tuple[ConservedEquation, ...]:
        return (*self.invariants, *self.constraints)

    def text(self, digits: int | None = None) -> str:
        """What ``str`` shows: invariants, constraints, how constant they are; `digits` as in `latex`."""
        checked_digits(digits)
        lines = []
        texts = [str(equation.sides(digits)[0]) for equation in self._shown_equations()]
        width = max(map(len, texts), default=0)
        if self.invariants:
            lines.append(f"conserved along every run ({self._noise_text()}):")
        for invariant, text in zip(self.invariants, texts):
            worst = max(invariant.drift, key=lambda row: row.spread)
            lines.append(f"  {text:{width}}   value {invariant.value:.2f}, drift {percent(worst.spread, worst.size)} "
                         f"(noise explains {percent(worst.expected, worst.size)})")
        if self.constraints:
            lines.append(f"the same in all runs{'' if self.invariants else f' ({self._noise_text()})'}:")
        for constraint, text in zip(self.constraints, texts[len(self.invariants):]):
            lines.append(f"  {text + ' = 0':{width + len(' = 0')}}   value {constraint.value:.2f}")
        if not lines:
            lines.append(f"nothing conserved was found ({self._noise_text()})")
        return "\n".join(lines + self._last_lines())

    def _closing_lines(self) -> list[str]:
        return [self.message]

    def _report_text(self) -> str:
        """The text of `str`, and for each invariant its levels and drift, run by run."""
        lines = [str(self)]
        for invariant in self.invariants:
            lines += [str(invariant.sides()[0]), *(f"  {row}" for row in invariant.drift)]
        return visible("\n".join(lines))

    def plot(self, path: str | os.PathLike[str] | None = None, *, kind: str = "time") -> Figure:
        """Draw what is conserved, with the equations.

        Parameters
        ----------
        path : path-like, optional
            Write the picture there, whole or not at all; the suffix decides the format, png if there is none.
        kind : {"time", "phase"}
            "time": what each invariant and constraint is along the runs, beside its levels and what noise explains.
            "phase": the runs in the space of their states, of two states among the curves of equal level.

        Returns
        -------
        matplotlib.figure.Figure

        Raises
        ------
        MissingExtra
            If matplotlib is not installed.
        InvalidOption
        """
        if kind not in PICTURES:
            raise InvalidOption("kind", kind, f"one of {', '.join(map(repr, PICTURES))} for {type(self).__name__}")
        equations = self._shown_equations()
        figure = draw(equations, self.runs, self.noise) if kind == "time" else draw_levels(equations, self.runs, self.names)
        return saved_or_drawn(figure, path)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the result to `path` as versioned JSON that holds numbers and names only; `symknot.load` opens it."""
        write_json(path, FORMAT, VERSION, {
            "names": list(self.names), "noise": _with_gaps(self.noise), "noise_given": self.noise_given,
            "status": self.status.value, "message": self.message,
            "invariants": [{**_equation_json(g), "drift": plain(g.drift), "estimate_drift": plain(g.estimate_drift)}
                           for g in self.invariants],
            "constraints": [_equation_json(g) for g in self.constraints], "runs": plain(self.runs),
            **({"undecided": plain(self.undecided)} if self.undecided else {})})

    def _checks(self, points: Any) -> Iterator[Check]:
        if points is not None:
            yield from super()._checks(points)
        measured = np.vstack([run.measured for run in self.runs])
        at = measured[sampled(len(measured))]
        for number, g in enumerate((*self.invariants, *self.constraints)):
            values, slopes = values_and_slopes(g.terms, at)
            steep = float(np.sqrt(np.mean(np.sum(slopes**2, axis=1))))
            levels = g.levels if isinstance(g, Invariant) else None
            scale = steep * float(np.sqrt(np.sum(np.var(measured, axis=0))))
            yield same_values(numbered("values at the states are those of its terms", number), g.terms, at, values, scale)
            for j, name in enumerate(self.names):
                yield same_values(numbered(f"so are those of its derivative by {name}", number), derivative(g.terms, j), at,
                                  slopes[:, j], steep)
            yield same_expression(numbered("`expr` is what `terms` say", number), g.expr, self.variables, g.terms, at, scale)
            yield same_number(numbered(f"its residual is {g.residual:.6g}", number), g.residual,
                              level_residual(g.terms, self.runs, levels), 0.0)

    def _system(self) -> System:
        several = len(self.constraints) > 1
        notes = tuple(f"constant along every run: {invariant.sides()[0]}" for invariant in self.invariants)
        return System(self.names, tuple(g.terms for g in self.constraints), title="constraints of measured runs",
                      notes=(*notes, self.message), sound=not several, warning=None if not several else
                      "made of simple numbers one by one, several constraints may have no common zero")

    def _noise_text(self) -> str:
        if not np.isfinite(self.noise).all():
            return "noise unknown"
        sizes = ", ".join(f"{name} {value:.3g}" for name, value in zip(self.names, self.noise))
        return f"noise {sizes} {'as given' if self.noise_given else 'estimated from the data'}"

    def __repr__(self) -> str:
        return (f"<Conserved: {counted(len(self.invariants), 'invariant')}, "
                f"{counted(len(self.constraints), 'constraint')} in {visible(', '.join(self.names))}>")


def _equation_json(equation: ConservedEquation) -> dict[str, Any]:
    errors = zip(equation.standard_errors, _with_gaps(equation.standard_errors.values()))
    return {"terms": terms_json(equation.terms), "digits": _rows(equation.digits.items()),
            "estimated_terms": _rows(equation.estimated_terms.items()), "standard_errors": _rows(errors),
            "value": equation.value, "residual": equation.residual}


def _rows(pairs):
    return [[list(exponents), value] for exponents, value in pairs]


def _with_gaps(values):
    """Numbers for JSON, None for those that are not known or not determined."""
    return [float(value) if np.isfinite(value) else None for value in values]
