"""From tables and arrays to runs without gaps, with errors that name the run, the row and the value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...ground.checks import is_real, positive_number
from ...ground.errors import InvalidOption, InvalidPoints
from ...reading.points import _as_array
from ...reading.tables import column_number, read_table, table_numbers


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
    """

    label: Any
    times: np.ndarray
    states: np.ndarray
    inputs: np.ndarray
    group: Any = None

    def __len__(self):
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
    lines: list | None = None
    several: bool = True

    def place(self, i):
        """Keywords of `InvalidPoints` that name the place of sample `i`."""
        return {"row": int(self.rows[i])} if self.lines is None else {"line": self.lines[self.rows[i]]}

    @property
    def who(self):
        """Beginning of a message about this run; empty when there is only one."""
        return f"run {self.label!r}: " if self.several else ""


def without_gaps(piece, names):
    """The gap-free parts of a piece, as runs; its times and values are checked on the way."""
    _check_times(piece)
    values = np.c_[piece.states, piece.inputs]
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
        yield Run(label, piece.times[part], piece.states[part], piece.inputs[part], piece.label)


def _check_times(piece):
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


def from_table(data, time, group, inputs):
    """Pieces, names of states and of inputs, and the name of the time, of a DataFrame or CSV file."""
    table = read_table(data)
    inputs = _named(inputs)
    used = {}
    for option, name in (("time", time if isinstance(time, str) else None), ("group", group),
                         *(("inputs", name) for name in inputs)):
        if name is None:
            continue
        column = column_number(table, option, name)
        if column in used:
            raise InvalidOption(option, name, f"a column of its own, not the one of {used[column]}")
        used[column] = option
    if time is not None and not isinstance(time, str):
        if not is_real(time):
            raise InvalidOption("time", _short(time), "for a table the name of a column, a step, or None")
        positive_number("time", time)
    free = [j for j in range(len(table.columns)) if j not in used]
    given = [column_number(table, "inputs", name) for name in inputs]
    if not free:
        raise InvalidPoints(f"no column is left for the states; the columns are {listed(table.columns)}")
    if not table.count:
        raise InvalidPoints("the table has no rows")
    values, controls = table_numbers(table, free), table_numbers(table, given)
    clock = table_numbers(table, [column_number(table, "time", time)])[:, 0] if isinstance(time, str) else None
    labels = [0] * table.count if group is None else table.labels(column_number(table, "group", group))
    rows_of = {}
    for row, label in enumerate(labels):
        rows_of.setdefault(label, []).append(row)
    pieces = []
    for label, rows in rows_of.items():
        rows = np.array(rows)
        times = np.arange(len(rows)) * float(1 if time is None else time) if clock is None else clock[rows]
        pieces.append(Piece(label, times, values[rows], controls[rows], time if isinstance(time, str) else "t",
                             rows, table.lines, group is not None))
    return (pieces, [table.columns[j] for j in free], tuple(table.columns[j] for j in given),
            time if isinstance(time, str) else "t")


def from_arrays(data, time, inputs):
    """Pieces, and names of the inputs, of one or several arrays."""
    if isinstance(inputs, str) or isinstance(inputs, (list, tuple)) and any(isinstance(item, str) for item in inputs):
        raise InvalidOption("inputs", inputs, "for arrays an array for each run (names are for tables)")
    runs, several = _as_runs(data)
    labels = list(runs)
    times = _for_each(labels, "time", time, several)
    controls = _for_each(labels, "inputs", None if _is_empty(inputs) else inputs, several)
    pieces = []
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
        pieces.append(Piece(label, _clock(times[label], n, who), values, given, "t", np.arange(n), None, several))
    if not pieces:
        raise InvalidPoints("need at least one run, got none")
    q = pieces[0].inputs.shape[1]
    return pieces, ("u",) if q == 1 else tuple(f"u{j + 1}" for j in range(q))


def _as_runs(data):
    """Arrays by label, and whether there are several; a nested list of numbers is one array."""
    if isinstance(data, dict):
        return data, True
    if isinstance(data, (list, tuple)) and data:
        if any(hasattr(item, "columns") for item in data):
            raise InvalidPoints("need one table for all runs: join them and name the column that tells them apart as "
                                "group=")
        if all(np.ndim(item) >= 1 if hasattr(item, "shape") else _is_nested(item) for item in data):
            return dict(enumerate(data)), True
    return {0: data}, False


def _is_nested(item):
    return isinstance(item, (list, tuple)) and len(item) > 0 and isinstance(item[0], (list, tuple))


def _matrix(values, who):
    try:
        if not isinstance(values, np.ma.MaskedArray):
            values = np.asarray(values)
        return _as_array(values.reshape(-1, 1) if values.ndim == 1 else values)[0]
    except InvalidPoints as error:
        again = InvalidPoints(who + str(error).removeprefix("points: "))
        again.row, again.column = error.row, error.column
        raise again from None
    except ValueError as error:
        raise InvalidPoints(f"{who}need rows of equal length ({error})") from None


def _for_each(labels, option, value, several):
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
            raise InvalidOption(option, listed(value), f"given for every run, also for {absent[0]!r}")
        return value
    if not isinstance(value, (list, tuple)) or len(value) != len(labels):
        size = f" of {len(value)}" if isinstance(value, (list, tuple)) else ""
        raise InvalidOption(option, type(value).__name__ + size, f"a list of {len(labels)} arrays, one for each run")
    return dict(zip(labels, value, strict=True))


def _clock(time, n, who):
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


def _named(inputs):
    if isinstance(inputs, str):
        return (inputs,)
    if not isinstance(inputs, (list, tuple)):
        raise InvalidOption("inputs", _short(inputs), "for a table the names of columns")
    return tuple(inputs)


def _is_empty(inputs):
    return inputs is None or isinstance(inputs, (list, tuple)) and not inputs


def _short(value):
    return f"{type(value).__name__} {str(value):.60}"


def listed(names, most=20):
    """Names for a message, the first of them if there are many."""
    names = [str(name) for name in names]
    return ", ".join(names[:most]) + (f", ... ({len(names)} in all)" if len(names) > most else "")
