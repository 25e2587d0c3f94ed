"""The one door for data: whatever holds a table, in memory or in a file, becomes a `Table`."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..ground.errors import InvalidOption, InvalidPoints, ReadingNote
from .choosing import OF_THE_FILE, variables_of
from .files import read_file
from .frames import is_columnar, table_of
from .tables import GAPS, Table
from .text import TextOptions

_PACKAGE = str(Path(__file__).resolve().parents[1])


def is_path(data: object) -> bool:
    """Whether `data` is the path of a file."""
    return isinstance(data, (str, os.PathLike))


def has_columns(data: object) -> bool:
    """Whether the columns of `data` can be asked for by name: a Table, a DataFrame, or the path of a file."""
    return is_path(data) or is_columnar(data)


def read(data: Any, *, columns: str | Iterable[str] | None = None, ignore: str | Iterable[str] = (), sep: str | None = None,
         decimal: str | None = None, encoding: str | None = None, missing: str | None = None) -> Table:
    """Read a table, to look at it before it is used, or to say how it is to be read.

    `fit`, `identify`, `conserved` and all other functions that take data take the table.  They leave out columns that
    cannot be variables: text, dates, row numbers and constants; but `identify` takes a column called t, time or date as
    time and one called run or group as what tells the runs apart.

    Parameters
    ----------
    data : path of a data file, DataFrame, array, ...
        Text with any separator (compressed or not), Parquet, Arrow or Feather, NPY, NPZ, Excel's .xlsx, or "-" for
        standard input; or what holds a table in memory.
    columns : str or sequence of str, optional
        Only these columns, in this order.  None of them is left out; those that hold text or dates are refused as
        variables.
    ignore : str or sequence of str
        Not these columns.
    sep : str, optional
        What separates the cells of a text file: ``","``, ``";"``, ``"|"``, ``"tab"``, ``"space"`` or another character.
    decimal : {".", ","}, optional
        What stands before the decimals of a text file's numbers.
    encoding : str, optional
        Of a text file, such as "utf-8", "utf-16" or "latin-1".
    missing : {"drop", "error"}, optional
        What to do about rows with missing values: leave them out (a run is cut there), or refuse them.  By default
        points refuse them and runs are cut.

    Returns
    -------
    Table
        Its `notes` say what was found out, and what is left out of points.

    Raises
    ------
    InvalidPoints
        Naming file, line, column, and what to write instead.
    InvalidOption
        A column is not there, or an option means nothing for this kind of data.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "points.csv"
    >>> _ = path.write_text("id;site;x;y\\n1;north;0,5;1\\n2;south;1,5;2\\n3;north;2,5;4\\n")
    >>> table = read(path)
    >>> for note in table.notes:
    ...     print(note.replace(str(path), "points.csv"))
    read points.csv: separator ';', decimal comma, 3 rows, 2 of 4 columns
    left out: column 'site' holds text such as 'north'
    left out: column 'id' numbers the rows
    >>> table.numbers([2, 3]).tolist()
    [[0.5, 1.0], [1.5, 2.0], [2.5, 4.0]]
    """
    options = TextOptions(sep, decimal, encoding)
    if missing not in (None, *GAPS):
        raise InvalidOption("missing", missing, f"one of {', '.join(GAPS)}")
    if is_path(data):
        table = read_file(data, options)
    else:
        for option, value in options._asdict().items():
            if value is not None:
                raise InvalidOption(option, value, "left out: it is for text files")
        table = table_of(data)
    table = _selected(table, columns, (ignore,) if isinstance(ignore, str) else ignore)
    table = replace(table, choosing=True, missing=missing)
    return replace(table, notes=_notes_of(table))


def _selected(table: Table, columns: str | Iterable[str] | None, ignore: Iterable[str]) -> Table:
    asked = None if columns is None else [str(name) for name in ((columns,) if isinstance(columns, str) else columns)]
    unwanted = [table.column("ignore", name) for name in ignore]
    wanted = range(table.width) if asked is None else [table.column("columns", name) for name in asked]
    if asked is not None and len(set(asked)) < len(asked):
        raise InvalidOption("columns", asked, "different from each other")
    for j in unwanted if asked is not None else ():
        if j in wanted:
            raise InvalidOption("ignore", table.columns[j], "a column that columns does not ask for")
    kept = [j for j in wanted if j not in unwanted]
    if not kept:
        raise InvalidOption("columns" if asked is not None else "ignore", asked if asked is not None else list(ignore),
                            f"such that a column is left of {', '.join(table.columns)}")
    if len(kept) == table.width and asked is None:
        return table
    return replace(table.select(kept), asked=() if asked is None else tuple(asked))


def _notes_of(table: Table) -> tuple[str, ...]:
    """What using the table for points would say; nothing where that is not possible, for it may be meant for runs."""
    try:
        return variables_of(table).notes
    except InvalidPoints:
        return ()


def read_table(data: Any) -> Table:
    """The table in `data`: an array, nested lists, a DataFrame, the path of a data file, or a `Table`.

    Examples
    --------
    >>> read_table([[1, 2], [3, 4]]).columns
    ('x', 'y')
    """
    return read_file(data) if is_path(data) else table_of(data)


def read_variables(data: Any) -> Table:
    """The same with the columns that points have; what is left out of a file is said in a warning.

    Examples
    --------
    >>> read_variables([[1, 2], [3, 4]]).columns
    ('x', 'y')
    """
    table = read_table(data)
    chosen = variables_of(table)
    if is_path(data):
        say(table.file, chosen.notes)
    return chosen


def say(file: str | None, notes: Iterable[str]) -> None:
    """Warn the caller of the package with notes about a table that was read on the way, beyond those of its form."""
    notes = [note for note in notes if not note.startswith(OF_THE_FILE)]
    text = f"{file}: {'; '.join(notes)}" if file is not None and notes else "; ".join(notes)
    if text:
        level, frame = 2, sys._getframe(1)
        while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
            level, frame = level + 1, frame.f_back
        warnings.warn(text, ReadingNote, stacklevel=level)
