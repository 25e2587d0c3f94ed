"""Reading a saved `Conserved` back: numbers and names only, nothing in the file is ever run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np

from ...ground.errors import ENDED_EARLY, Status
from ...ground.storage import checked, different_names, floats, not_negative, number, positive
from ...polynomials.rational_json import terms_from_json
from ...polynomials.symbols import safe_symbols
from ...polynomials.terms import Exponents
from ...results.readable import HIGHEST_READ_DEGREE
from ...results.saving import reader
from .conserved_result import FORMAT, VERSION, Conserved
from .equations import Constraint, Drift, Invariant, RunOnLevels, Undecided

MOST_DIGITS = 17
"""Significant digits that identify a double (IEEE 754): no coefficient is shown with more."""
SIGNED = ("level", "trend")
"""Numbers of a `Drift` that may be negative."""


@reader(FORMAT, versions=(VERSION,))
def read_conserved(content: dict) -> Conserved:
    """The `Conserved` of a file's content."""
    names = different_names(content["names"])
    runs = tuple(_run(run, len(names)) for run in checked(content["runs"], list))
    if not runs:
        raise ValueError("a result without runs")
    groups = tuple(dict.fromkeys(run.group for run in runs))
    invariants = tuple(Invariant(**_equation(row, names), drift=_drifts(row["drift"], groups),
                                 estimate_drift=_drifts(row["estimate_drift"], groups))
                       for row in checked(content["invariants"], list))
    constraints = tuple(Constraint(**_equation(row, names)) for row in checked(content["constraints"], list))
    status = Status(content["status"])
    if status not in (Status.FOUND if invariants or constraints else Status.NOTHING_FOUND, *ENDED_EARLY,
                      Status.NOT_CONFIRMED):
        raise ValueError(f"status {status.value!r} of a result with {len(invariants)} invariants and "
                         f"{len(constraints)} constraints")
    return Conserved(names=names, invariants=invariants, constraints=constraints, runs=runs,
                     noise=_noise(content["noise"], len(names)), noise_given=checked(content["noise_given"], bool),
                     status=status, message=checked(content["message"], str),
                     undecided=_undecided(content.get("undecided", [])))


def _equation(row: Any, names: tuple[str, ...]) -> dict[str, Any]:
    """Arguments of an equation."""
    d = len(names)
    terms = terms_from_json(row["terms"], d, HIGHEST_READ_DEGREE)
    if not any(map(sum, terms)) or not all(terms.values()):
        raise ValueError("an equation needs terms with variables, and no coefficient may be zero")
    digits = _table(row["digits"], d, _digits)
    estimates = _table(row["estimated_terms"], d, number)
    errors = _table(row["standard_errors"], d, lambda value: np.inf if value is None else not_negative(value))
    if not digits.keys() <= terms.keys() <= estimates.keys() == errors.keys():
        raise ValueError("terms, digits, estimates and standard errors are not of the same monomials")
    return {"terms": terms, "digits": digits, "estimated_terms": estimates, "standard_errors": errors,
            "value": not_negative(row["value"]), "residual": not_negative(row["residual"]),
            "variables": safe_symbols(names), "names": names}


def _table(rows: Any, d: int, read: Callable[[Any], Any]) -> dict[Exponents, Any]:
    """Exponents -> what `read` makes of the entry beside them."""
    table: dict[Exponents, Any] = {}
    for row in checked(rows, list):
        exponents, value = checked(row, list)
        exponents = tuple(checked(power, int) for power in checked(exponents, list))
        if len(exponents) != d or min(exponents) < 0 or exponents in table:
            raise ValueError(f"need each monomial once, as {d} whole exponents >= 0, got {exponents}")
        table[exponents] = read(value)
    return table


def _drifts(rows: Any, groups: tuple[str, ...]) -> tuple[Drift, ...]:
    """One `Drift` for each run."""
    names = [field.name for field in fields(Drift) if field.name != "label"]
    drifts = tuple(
        Drift(checked(row["label"], str),
              **{name: (number if name in SIGNED else not_negative)(row[name]) for name in names})
        for row in checked(rows, list))
    # dict.fromkeys: labels that are different objects, such as 1 and "1", may look the same as text
    if tuple(dict.fromkeys(row.label for row in drifts)) != groups:
        raise ValueError(f"need the drift along each of the runs {list(groups)}")
    return drifts


def _run(content: Any, d: int) -> RunOnLevels:
    times = floats(content["times"], (None,))
    if not len(times) or (np.diff(times) <= 0).any():
        raise ValueError("times of a run must increase")
    measured, states = (floats(content[key], (len(times), d)) for key in ("measured", "states"))
    return RunOnLevels(checked(content["label"], str), checked(content["group"], str), times, measured, states)


def _undecided(rows: Any) -> tuple[Undecided, ...]:
    """Degrees that are undecided, ascending; where all are decided the file says nothing."""
    found = tuple(Undecided(*(checked(row[field.name], int) for field in fields(Undecided))) for row in checked(rows, list))
    degrees = [0, *(row.degree for row in found)]
    if any(a >= b for a, b in zip(degrees, degrees[1:])) or any(row.invariants < 1 or row.constraints < 0 for row in found):
        raise ValueError("degrees that are undecided must ascend from 1, with at least one polynomial each")
    return found


def _noise(values: Any, d: int) -> np.ndarray:
    """Numbers above zero, or NaN for all if all are null."""
    if len(checked(values, list)) != d:
        raise ValueError(f"need {d} numbers, got {len(values)}")
    return np.full(d, np.nan) if values == [None] * d else np.array([positive(value) for value in values])


def _digits(value: Any) -> int:
    if not 1 <= checked(value, int) <= MOST_DIGITS:
        raise ValueError(f"need 1 to {MOST_DIGITS} digits, got {value}")
    return value
