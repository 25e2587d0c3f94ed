"""Which columns of a table are the time and what tells runs apart: as told, else by their names and what they hold.

A column called t, time or date is never a state in silence: it becomes the time, or a note says why it did not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...ground.checks import is_real, positive_number
from ...ground.errors import InvalidOption, InvalidPoints
from ...reading.cells import is_missing
from ...reading.choosing import kind_of_column
from ...reading.dates import UnreadableDate, hold_dates, moments_of
from ...reading.tables import Table

TIME_NAMES = ("time", "t", "times", "timestamp", "datetime", "date")
"""What the column of times may be called, in lower case, those preferred first: a convention."""
GROUP_NAMES = ("run", "group", "trial", "experiment", "trajectory", "runid", "groupid", "runs")
"""What the column may be called that tells the runs apart, in lower case and without "_", those preferred first."""
LEAST_SAMPLES_OF_A_LABEL = 2
"""Rows that a label has on average, for it to be one of runs."""
LONGEST_VALUE = 60
"""Characters of a wrong option that a message shows."""
_UNIT = re.compile(r"\s*[\[(][^\])]*[\])]\s*$")


@dataclass(frozen=True)
class Roles:
    """Columns by what they are for: of the time and the group at most one each, derivatives by the name of their state, and
    notes about what was decided here."""

    clock: int | None
    group: int | None
    inputs: list[int]
    rates: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    @property
    def used(self) -> set[int | None]:
        """All columns that are no states."""
        return {self.clock, self.group, *self.inputs, *self.rates.values()}


def roles_of(table: Table, time: Any, group: Any, inputs: Sequence[Any], rates: Mapping[str, Any] | None = None) -> Roles:
    """The columns of time, group and inputs: those named by the options, else those that are called so.

    Examples
    --------
    >>> table = Table.of_rows([["a", 0.0, 1.0], ["a", 0.5, 2.0], ["b", 0.0, 1.0], ["b", 0.5, 3.0]], ["run", "t", "x"])
    >>> roles = roles_of(table, None, None, ())
    >>> roles.clock, roles.group, roles.notes
    (1, 0, ["time is column 't'", "column 'run' tells 2 runs apart"])
    """
    clock, grouped, given, derived = _told(table, time, group, inputs, rates or {})
    notes: list[str] = []
    free = [j for j in range(table.width) if j not in {clock, grouped, *given, *derived.values()}]
    labels = grouped
    if grouped is None:
        labels = _first_called(table, free, GROUP_NAMES, _tells_apart)
        free = [j for j in free if j != labels]
    if time is None:
        clock = _first_called(table, free, TIME_NAMES, lambda table, j: _may_be_time(table, j, labels))
    if time is None and clock is not None:
        notes.append(f"time is column {table.columns[clock]!r}")
    for j in free:
        if j != clock and _plain_name(table, j) in TIME_NAMES and not hold_dates(table.cells[j]):
            why = "since the time was given" if time is not None else \
                "since another column is the time" if clock is not None else "since its values do not increase"
            notes.append(f"column {table.columns[j]!r} is taken as a state, {why}")
    if grouped is None and labels is not None:
        count = len(set(table.labels(labels)))
        notes.append(f"column {table.columns[labels]!r} tells {count} run{'s' if count != 1 else ''} apart")
    return Roles(clock, labels, given, derived, notes)


def _told(table: Table, time: Any, group: Any, inputs: Sequence[Any],
          rates: Mapping[str, Any]) -> tuple[int | None, int | None, list[int], dict[str, int]]:
    """The columns that the options name, no two of them the same."""
    used: dict[int, str] = {}

    def column(option: str, name: Any) -> int | None:
        if name is None:
            return None
        place = table.column(option, name)
        if place in used:
            raise InvalidOption(option, name, f"a column of its own, not the one of {used[place]}")
        used[place] = option
        return place

    if time is not None and not isinstance(time, str):
        if not is_real(time):
            raise InvalidOption("time", f"{type(time).__name__} {time!s:.{LONGEST_VALUE}}",
                                "for a table the name of a column, a step, or None")
        positive_number("time", time)
    clock, grouped = column("time", time if isinstance(time, str) else None), column("group", group)
    given = [place for name in inputs if (place := column("inputs", name)) is not None]
    return clock, grouped, given, {state: place for state, name in rates.items()
                                   if (place := column("derivatives", name)) is not None}


def _plain_name(table: Table, column: int) -> str:
    """A column's name in lower case, without a unit in brackets."""
    return _UNIT.sub("", table.columns[column]).strip().lower()


def _first_called(table: Table, columns: Sequence[int], names: Sequence[str], fits: Any) -> int | None:
    called = {j: _plain_name(table, j).replace("_", "").replace(" ", "") for j in columns}
    fitting = [j for j in columns if called[j] in names and fits(table, j)]
    # dates stand behind numbers, as they are often a second way to say the same
    return min(fitting, key=lambda j: (hold_dates(table.cells[j]), names.index(called[j])), default=None)


def _tells_apart(table: Table, column: int) -> bool:
    """Whether a column holds labels of runs: text or whole numbers, each of them often."""
    cells = [cell for cell in table.cells[column] if not is_missing(cell)]
    if hold_dates(table.cells[column]) or not cells:
        return False
    if any(isinstance(cell, (float, np.floating)) and not float(cell).is_integer() for cell in cells):
        return False
    return len(cells) >= LEAST_SAMPLES_OF_A_LABEL * len(set(cells))


def _may_be_time(table: Table, column: int, labels: int | None) -> bool:
    """Whether a column of that name is the time: dates or numbers; T, often a temperature, only if it increases."""
    kind = kind_of_column(table, column)
    if kind in ("text", "nothing"):
        return False
    return kind == "dates" or not table.columns[column].strip().startswith("T") or _plain_name(table, column) != "t" \
        or _increases(table, column, labels)


def _increases(table: Table, column: int, labels: int | None) -> bool:
    times = table.numbers([column])[:, 0]
    groups = np.zeros(len(times)) if labels is None else np.unique(table.labels(labels), return_inverse=True)[1]
    order = np.argsort(groups, kind="stable")
    same = groups[order][1:] == groups[order][:-1]
    return bool((np.diff(times[order])[same] > 0).all())


def times_of(table: Table, column: int) -> tuple[np.ndarray, list[str]]:
    """The times in a column, and a note if they were dates."""
    cells = table.cells[column]
    if not hold_dates(cells):
        return table.numbers([column])[:, 0], []
    try:
        moments = moments_of(cells)
    except UnreadableDate as error:
        raise InvalidPoints(str(error), column=table.columns[column], **table.place(error.row)) from None
    return moments.values, [f"times are in {moments.unit} since {moments.since}"]
