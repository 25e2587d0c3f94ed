"""From tables and arrays to runs without gaps, with errors that name the run, the row and the value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...ground.checks import is_real, positive_number
from ...ground.errors import InvalidOption, InvalidPoints
from ...ground.wording import counted
from ...reading.choosing import summary, usable
from ...reading.frames import is_columnar, table_of
from ...reading.names import check_columns_differ
from ...reading.sources import read_table
from ...reading.tables import Table
from .rates import check_rate_values, rate_columns, table_rates
from .roles import LONGEST_VALUE, roles_of, times_of

TIME = "t"
"""What times without a name are called: a convention."""
INPUT = "u"
"""What inputs without a name are called, u or u1, u2, ...: a convention."""
MOST_LISTED = 20
"""Names that a message lists before it only counts them: about two lines."""


@dataclass(frozen=True, eq=False)
class Run:
    """One gap-free run.

    Attributes
    ----------
    label : object
        The group's label; "label/1", "label/2", ... for the pieces if gaps cut the run.
    times : (n,) array
    states : (n, d) array
    inputs : (n, q) array
    group : object
        The label of the run this is a piece of.
    derivatives : (n, d) array or None
        Of the states, as they were measured; NaN where they were not.
    """

    label: Any
    times: np.ndarray
    states: np.ndarray
    inputs: np.ndarray
    group: Any = None
    derivatives: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.times)


@dataclass(frozen=True, eq=False)
class Piece:
    """A run as it came in: with gaps, and with the places of its rows in what was passed."""

    label: Any
    times: np.ndarray
    states: np.ndarray
    inputs: np.ndarray
    time_name: str
    rows: np.ndarray
    table: Table | None = None
    several: bool = True
    derivatives: np.ndarray | None = None

    def place(self, i: int) -> dict[str, Any]:
        """Keywords of `InvalidPoints` that name the place of sample `i`."""
        return {"row": int(self.rows[i])} if self.table is None else self.table.place(self.rows[i])

    @property
    def who(self) -> str:
        """Beginning of a message about this run; empty when there is only one."""
        return f"run {self.label!r}: " if self.several else ""


def without_gaps(piece: Piece, names: Sequence[str]) -> Iterator[Run]:
    """The gap-free parts of a piece, as runs; its times and values are checked on the way."""
    yield from _parts(piece, names, np.c_[piece.states, piece.inputs])


def with_gaps(piece: Piece, names: Sequence[str]) -> Iterator[Run]:
    """The parts of a piece whose inputs are complete, as runs; states that are missing are NaN."""
    yield from _parts(piece, names[piece.states.shape[1]:], piece.inputs)


def _parts(piece: Piece, names: Sequence[str], values: np.ndarray) -> Iterator[Run]:
    """The parts in which none of these values is missing."""
    _check_times(piece)
    bad = np.argwhere(np.isinf(values))
    if len(bad):
        row, column = bad[0]
        raise InvalidPoints(f"{piece.who}must be finite, got {values[row, column]}; an empty cell or nan means missing",
                            column=names[column], **piece.place(row))
    missing = np.isnan(values).any(axis=1)
    edges = np.flatnonzero(np.diff(np.r_[True, missing, True].astype(int)))
    parts = list(zip(edges[::2], edges[1::2], strict=True))
    for number, (start, stop) in enumerate(parts, 1):
        label = piece.label if len(parts) == 1 else f"{piece.label}/{number}"
        part = slice(start, stop)
        yield Run(label, piece.times[part], piece.states[part], piece.inputs[part], piece.label,
                  None if piece.derivatives is None else piece.derivatives[part])


def _check_times(piece: Piece) -> None:
    times, column = piece.times, piece.time_name
    bad = np.flatnonzero(~np.isfinite(times))
    if len(bad):
        what = "is missing" if np.isnan(times[bad[0]]) else f"must be finite, got {times[bad[0]]}"
        raise InvalidPoints(f"{piece.who}the time {what}; every sample needs one", column=column,
                            **piece.place(bad[0]))
    bad = np.flatnonzero(np.diff(times) <= 0)
    if len(bad):
        i = int(bad[0])
        rule = "occurs twice" if times[i] == times[i + 1] else f"comes after {times[i]:.10g}"
        advice = ("average or remove the repeated samples" if times[i] == times[i + 1]
                  else "sort the samples, or name the column that tells the runs apart as group=")
        raise InvalidPoints(f"{piece.who}times must increase, but {times[i + 1]:.10g} {rule}; {advice}", column=column,
                            **piece.place(i + 1))


@dataclass(frozen=True, eq=False)
class FromTable:
    """What a table holds: runs, the names of its columns by what they are for, and notes about what was decided."""

    pieces: list[Piece]
    states: list[str]
    inputs: tuple[str, ...]
    time: str
    timed: bool
    notes: tuple[str, ...]


def from_table(data: Any, time: Any, group: Any, inputs: Any, derivatives: Any = None) -> FromTable:
    """The runs in a DataFrame, a data file, or another table."""
    table = read_table(data)
    check_columns_differ(table.columns)
    roles = roles_of(table, time, group, _named(inputs), rate_columns(derivatives))
    free = [j for j in range(table.width) if j not in roles.used]
    if not free:
        raise InvalidPoints(f"no column is left for the states; the columns are {some_of(table.columns)}", file=table.file)
    if not table.count:
        raise InvalidPoints("the table has no rows", file=table.file)
    free, left_out = usable(table, free) if table.choosing else (free, [])
    states, controls = table.numbers(free), table.numbers(roles.inputs)
    rates = table_rates(table, roles.rates, free)
    times, about_dates = (None, []) if roles.clock is None else times_of(table, roles.clock)
    gaps = _about_gaps(table, np.c_[states, controls], [*free, *roles.inputs])
    name = TIME if roles.clock is None else table.columns[roles.clock]
    rows_of: dict[Any, list[int]] = {}
    for row, label in enumerate([0] * table.count if roles.group is None else table.labels(roles.group)):
        rows_of.setdefault(label, []).append(row)
    pieces = []
    for label, members in rows_of.items():
        rows = np.array(members)
        steps = np.arange(len(rows)) * float(1 if time is None else time) if times is None else times[rows]
        pieces.append(Piece(label, steps, states[rows], controls[rows], name, rows, table, roles.group is not None,
                            None if rates is None else rates[rows]))
    used = len(free) + len(roles.used - {None})
    notes = (*summary(table, used, used < table.width), *roles.notes, *about_dates, *left_out, *gaps)
    return FromTable(pieces, [table.columns[j] for j in free], tuple(table.columns[j] for j in roles.inputs), name,
                     roles.clock is not None, notes)


def _about_gaps(table: Table, values: np.ndarray, columns: Sequence[int]) -> list[str]:
    """A note about rows with missing values, at which runs are cut; or the refusal of them."""
    rows = np.flatnonzero(np.isnan(values).any(axis=1))
    if not len(rows):
        return []
    if table.missing == "error":
        column = columns[int(np.flatnonzero(np.isnan(values[rows[0]]))[0])]
        raise InvalidPoints(f"a value is missing ({counted(len(rows), 'row')} with missing values in all); missing=\"drop\" "
                            "cuts the run there", column=table.columns[column], **table.place(rows[0]))
    if not table.choosing:
        return []
    return [f"runs are cut at {counted(len(rows), 'row')} with missing values, {table.some_rows(rows)} (differential equations "
            "lead across short gaps)"]


def from_arrays(data: Any, time: Any, inputs: Any,
                derivatives: Any = None) -> tuple[list[Piece], tuple[str, ...]]:
    """Pieces, and names of the inputs, of one or several arrays."""
    if isinstance(inputs, str) or isinstance(inputs, (list, tuple)) and any(isinstance(item, str) for item in inputs):
        raise InvalidOption("inputs", inputs, "for arrays an array for each run (names are for tables)")
    runs, several = _as_runs(data)
    labels = list(runs)
    times = _for_each(labels, "time", time, several)
    controls = _for_each(labels, "inputs", None if is_left_out(inputs) else inputs, several)
    rates = _for_each(labels, "derivatives", derivatives, several)
    pieces: list[Piece] = []
    for label in labels:
        who = f"run {label!r}: " if several else ""
        values = _matrix(runs[label], who)
        if pieces and values.shape[1] != pieces[0].states.shape[1]:
            raise InvalidPoints(f"{who}all runs need the same variables, got {values.shape[1]} and before "
                                f"{pieces[0].states.shape[1]}")
        n = len(values)
        given = np.empty((n, 0)) if controls[label] is None else _matrix(controls[label], f"{who}inputs: ")
        if len(given) != n:
            raise InvalidOption("inputs", given.shape, f"arrays of as many rows as the samples ({who}{n})")
        if pieces and given.shape[1] != pieces[0].inputs.shape[1]:
            raise InvalidPoints(f"{who}all runs need the same inputs, got {given.shape[1]} and before "
                                f"{pieces[0].inputs.shape[1]}")
        pieces.append(Piece(label, _clock(times[label], n, who), values, given, TIME, np.arange(n), None, several,
                            _rates(rates[label], values.shape, who)))
    if not pieces:
        raise InvalidPoints("need at least one run, got none")
    q = pieces[0].inputs.shape[1]
    return pieces, (INPUT,) if q == 1 else tuple(f"{INPUT}{j + 1}" for j in range(q))


def _rates(derivatives: Any, shape: tuple[int, int], who: str) -> np.ndarray | None:
    """Measured derivatives of the states of one run."""
    if derivatives is None:
        return None
    values = _matrix(derivatives, f"{who}derivatives: ")
    if values.shape != shape:
        raise InvalidOption("derivatives", values.shape, f"of the shape of the samples, {shape} ({who}nan where nothing was "
                            "measured)")
    check_rate_values(values, who)
    return values


def _as_runs(data: Any) -> tuple[dict[Any, Any], bool]:
    """Arrays by label, and whether there are several; a nested list of numbers is one array."""
    if isinstance(data, dict):
        return data, True
    if isinstance(data, (list, tuple)) and data:
        if any(map(is_columnar, data)):
            raise InvalidPoints("need one table for all runs: join them and name the column that tells them apart as "
                                "group=")
        if all(np.ndim(item) >= 1 if hasattr(item, "shape") else _is_nested(item) for item in data):
            return dict(enumerate(data)), True
    return {0: data}, False


def _is_nested(item: Any) -> bool:
    return isinstance(item, (list, tuple)) and len(item) > 0 and isinstance(item[0], (list, tuple))


def _matrix(values: Any, who: str) -> np.ndarray:
    try:
        if not isinstance(values, np.ma.MaskedArray) and not hasattr(values, "toarray"):
            values = np.asarray(values)
        return table_of(values.reshape(-1, 1) if values.ndim == 1 else values).numbers()
    except InvalidPoints as error:
        again = InvalidPoints(who + str(error).removeprefix("points: "))
        again.row, again.column = error.row, error.column
        raise again from None
    except ValueError as error:
        raise InvalidPoints(f"{who}need rows of equal length ({error})") from None


def _for_each(labels: list[Any], option: str, value: Any, several: bool) -> dict[Any, Any]:
    """The option's value for each run."""
    if value is None or option == "time" and is_real(value):
        return dict.fromkeys(labels, value)
    if not several:
        return {labels[0]: value}
    if option == "time" and isinstance(value, np.ndarray) and value.ndim == 1:
        return dict.fromkeys(labels, value)                      # the same times for all runs
    if isinstance(value, dict):
        absent = [label for label in labels if label not in value]
        if absent:
            raise InvalidOption(option, some_of(value), f"given for every run, also for {absent[0]!r}")
        return value
    if not isinstance(value, (list, tuple)) or len(value) != len(labels):
        size = f" of {len(value)}" if isinstance(value, (list, tuple)) else ""
        raise InvalidOption(option, type(value).__name__ + size, f"a list of {len(labels)} arrays, one for each run")
    return dict(zip(labels, value, strict=True))


def _clock(time: Any, n: int, who: str) -> np.ndarray:
    if time is None:
        return np.arange(n, dtype=float)
    if is_real(time):
        return np.arange(n) * positive_number("time", time)
    if isinstance(time, str):
        raise InvalidOption("time", time, "for arrays an array of times, a step, or None (names are for tables)")
    try:
        times = np.array(time, dtype=float)
    except (TypeError, ValueError):
        raise InvalidOption("time", _short(time), f"{who}{n} numbers, one for each sample") from None
    if times.shape != (n,):
        raise InvalidOption("time", times.shape, f"{who}{n} numbers, one for each sample")
    return times


def _named(inputs: Any) -> tuple[Any, ...]:
    if isinstance(inputs, str):
        return (inputs,)
    if not isinstance(inputs, (list, tuple)):
        raise InvalidOption("inputs", _short(inputs), "for a table the names of columns")
    return tuple(inputs)


def is_left_out(option: Any) -> bool:
    """Whether an option of reading was not given: None, or no names and no arrays."""
    return option is None or isinstance(option, (list, tuple)) and not option


def _short(value: Any) -> str:
    return f"{type(value).__name__} {value!s:.{LONGEST_VALUE}}"


def some_of(names: Iterable[object], most: int = MOST_LISTED) -> str:
    """Names for a message, the first of them if there are many."""
    texts = [str(name) for name in names]
    return ", ".join(texts[:most]) + (f", ... ({len(texts)} in all)" if len(texts) > most else "")
