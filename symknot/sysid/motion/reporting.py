"""A model in words: equations, every coefficient with its standard error, and how well the data are met."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from ...ground.wording import counted
from .dynamics import Motion
from .equation import MotionEquation, StateEquation

SHOWN_CUTS = 5
"""Places where the equations do not lead on that are named one by one."""
LEAST_SHOWN_DIGITS, USUAL_SHOWN_DIGITS, MOST_SHOWN_DIGITS = 3, 4, 15
"""Significant digits of an estimate: two of its standard error, within these bounds; without one the usual number."""


class Described(Motion, Protocol):
    """What there is to say about a model; `Model` is one."""

    @property
    def polynomials(self) -> tuple[MotionEquation, ...]: ...
    @property
    def constraints(self) -> tuple[StateEquation, ...]: ...
    @property
    def invariants(self) -> tuple[StateEquation, ...]: ...
    @property
    def estimates(self) -> tuple: ...
    @property
    def values(self) -> np.ndarray: ...
    @property
    def guesses(self) -> dict[int, tuple[float, ...]]: ...
    @property
    def message(self) -> str: ...


def report(model: Described) -> str:
    """All there is to say about a model, in monospace text; see `Model.report`."""
    parts = [_equations(model), _terms(model), _states(model), _guesses(model), _runs(model)]
    if model.message:
        parts.append(model.message)
    return "\n\n".join("\n".join(part) if isinstance(part, list) else part for part in parts if part)


def table(rows: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """Lines of a table, columns two spaces apart; the first `left` columns begin on the left, the others end right.

    Examples
    --------
    >>> table([["run", "samples"], ["first", "7"]])
    ['run    samples', 'first        7']
    """
    widths = [max(map(len, column)) for column in zip(*rows)]
    return ["  ".join(cell.ljust(width) if k < left else cell.rjust(width)
                      for k, (cell, width) in enumerate(zip(row, widths))).rstrip() for row in rows]


def root_mean_square(values: np.ndarray) -> float:
    """0.0 where there are none."""
    return float(np.sqrt(np.mean(values**2))) if len(values) else 0.0


def _equations(model):
    if not model.targets:
        return ["no equation"]
    kept = [f"  {equation.text()}" for equation in (*model.constraints, *model.invariants)]
    return [f"{model.dynamics.title}:", *(f"  {equation.text()}" for equation in model.polynomials),
            *(["what the states keep to:", *kept] if kept else [])]


def _terms(model):
    if not model.estimates:
        return []
    rows = [["target", "term", "estimate", "standard error", "z"]]
    for term in model.estimates:
        digits = USUAL_SHOWN_DIGITS
        if 0 < term.error < abs(term.estimate):
            digits = 2 + int(np.floor(np.log10(abs(term.estimate))) - np.floor(np.log10(term.error)))
            digits = min(max(digits, LEAST_SHOWN_DIGITS), MOST_SHOWN_DIGITS)
        z = abs(term.estimate) / term.error if term.error > 0 else np.inf
        rows.append([term.target, f"{term.monomial}{' (denominator)' if term.in_denominator else ''}",
                     f"{term.estimate:.{digits}g}", f"{term.error:.2g}", f"{z:.3g}"])
    return table(rows, left=2)


def _states(model):
    rows = [["state", "noise", "value", "largest distance", "in noises"]]
    for j, name in enumerate(model.state_names):
        off = np.concatenate([run.measured[:, j] - run.states[:, j] for run in model.runs] or [np.zeros(0)])
        far = float(np.max(np.abs(off[np.isfinite(off)]), initial=0.0)) if np.isfinite(off).any() else np.nan
        sigma = float(model.state_noise[j])
        rows.append([name, _number(sigma), _number(model.values[j]), _number(far),
                     _number(far / sigma if sigma > 0 else np.nan)])
    legend = ["value: misfit over the noise that the data show by themselves (1 = the noise explains it);"]
    return [*table(rows), *(legend if np.isfinite(model.values).any() else []),
            "distance: between data and " + ("knots" if model.targets else "smoothed data")]


def _guesses(model):
    if not model.guesses:
        return []
    targets = model.targets or tuple(f"equation {j + 1}" for j in range(len(next(iter(model.guesses.values())))))
    rows = [["degree", *targets]]
    rows += [[str(degree), *map(_number, values)] for degree, values in sorted(model.guesses.items())]
    # noise that data do not show by themselves is known only if it was given
    what = "misfit over noise (1 = the noise explains it)" if model.dynamics.is_smooth else "misfit"
    return [f"first guesses by polynomials: {what}", *table(rows)]


def _runs(model):
    samples = sum(len(run.measured) for run in model.runs)
    cuts = sum(len(run.cuts) for run in model.runs)
    found = model.runs and model.targets
    knots = len(np.unique(np.concatenate([run.states for run in model.runs]), axis=0)) if found else 0
    lines = [f"{counted(len(model.runs), 'run')}, {counted(samples, 'sample')}, {counted(knots, 'knot')}"]
    if cuts:
        places = [f"{run.label} after t = {run.times[row]:.6g}" for run in model.runs for row in run.cuts]
        more = f", ... ({len(places)} in all)" if len(places) > SHOWN_CUTS else ""
        named = ", ".join(places[:SHOWN_CUTS])
        lines.append(f"{counted(cuts, 'place')} where the equations do not lead on: {named}{more}")
    return lines


def _number(value):
    return f"{value:.3g}" if np.isfinite(value) else "-"
