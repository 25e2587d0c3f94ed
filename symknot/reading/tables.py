"""Tables: what every kind of data becomes first, with the place of each cell for messages.

A table keeps its cells as they were found.  They become numbers in one place, `Table.numbers`, with one rule for
what is missing (`cells.is_missing`).  What a missing value means is decided by who asked: points refuse it, a run is
cut there.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..ground.errors import InvalidOption, InvalidPoints
from ..ground.wording import counted, visible
from .cells import is_blank, is_missing
from .names import default_names

PLAIN_NUMBERS = "biuf"
"""numpy's letters for truth values, integers and floats: columns of these need no look at each cell."""
DATES = "mM"
"""numpy's letters for durations and dates."""
LONGEST_CELL = 80
"""Characters of a wrong cell that a message shows: one line."""
GAPS = ("drop", "error")
"""What may be done about rows with missing values."""


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """Columns of cells, with names if they have any.

    Attributes
    ----------
    names : tuple of str or None
        Names of the columns.
    cells : tuple of (n,) arrays
        One for each column, of numbers or of objects.
    lines : sequence of int or None
        The line of the file that each row was read from, where that helps to find it.
    file : str or None
        The file it was read from.
    facts : tuple of str
        What was out of the ordinary about the file, such as its separator.
    choosing : bool
        Whether columns that cannot be variables (text, dates, row numbers, constants) are left out by who uses the table.
    asked : tuple of str
        Columns that were asked for by name: none of them is left out.
    missing : {"drop", "error"} or None
        What to do about rows with missing values; None leaves it to who uses the table.
    notes : tuple of str
        What `symknot.read` has to say about the table.
    positions : tuple of int or None
        Where the columns of a table without names are in its file, if not all of them are here.

    Examples
    --------
    >>> table = Table.of_rows([["1", "2"], ["3", ""]], names=["x", "y"])
    >>> table
    Table: 2 rows of x, y
    >>> table.numbers().tolist()
    [[1.0, 2.0], [3.0, nan]]
    """

    names: tuple[str, ...] | None
    cells: tuple[np.ndarray, ...]
    lines: Sequence[int] | None = None
    file: str | None = None
    facts: tuple[str, ...] = ()
    choosing: bool = False
    asked: tuple[str, ...] = ()
    missing: str | None = None
    notes: tuple[str, ...] = ()
    positions: tuple[int, ...] | None = None

    @classmethod
    def of_rows(cls, rows: Iterable[Sequence[Any]], names: Iterable[object] | None = None,
                lines: Iterable[int] | None = None) -> Table:
        """A table of rows of equal length, whatever their cells are.

        Parameters
        ----------
        rows : sequence of sequences
        names : sequence of str, optional
            Of the columns.
        lines : sequence of int, optional
            The line of the file of each row.
        """
        rows = list(rows)
        header = None if names is None else tuple(str(name) for name in names)
        found = None if lines is None else tuple(lines)
        width = len(rows[0]) if header is None and rows else len(header or ())
        if not width:
            raise InvalidPoints("the table has no columns")
        cells = np.empty((len(rows), width), dtype=object)
        for number, row in enumerate(rows):
            if len(row) != width:
                place: dict[str, Any] = {"row": number} if found is None else {"line": found[number]}
                raise InvalidPoints(f"need {width} cells, got {len(row)}", **place)
            cells[number] = list(row)
        return cls(header, tuple(cells.T), found)

    def __repr__(self) -> str:
        source = "" if self.file is None else f" of {self.file}"
        return visible(f"Table{source}: {counted(self.count, 'row')} of {', '.join(self.columns)}")

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self.cells[0])

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.cells)

    @property
    def columns(self) -> tuple[str, ...]:
        """What the columns are called: by name; without names by number, from 1, in a file with lines, else as variables.

        Examples
        --------
        >>> Table.of_rows([[1, 2]]).columns, Table.of_rows([[1, 2]], lines=[1]).columns
        (('x', 'y'), ('1', '2'))
        """
        if self.names is not None:
            return self.names
        if self.lines is None:
            return default_names(self.width)
        return tuple(str(j + 1) for j in (range(self.width) if self.positions is None else self.positions))

    def place(self, row: int) -> dict[str, Any]:
        """Keywords of `InvalidPoints` that name the place of a row: the file, and its line there, else its number."""
        where = {"row": int(row)} if self.lines is None else {"line": self.lines[int(row)]}
        return where if self.file is None else {"file": self.file, **where}

    def some_rows(self, rows: Sequence[int] | np.ndarray, most: int = 5) -> str:
        """Where rows are, for messages: "lines 3, 7 and 12 more"."""
        what = "row" if self.lines is None else "line"
        shown = [str(int(row) if self.lines is None else self.lines[int(row)]) for row in rows[:most]]
        more = f" and {len(rows) - most} more" if len(rows) > most else ""
        return f"{what}{'s' if len(rows) > 1 else ''} {', '.join(shown)}{more}"

    def column(self, option: str, name: object) -> int:
        """Where the column `name` is; `option` says who asks."""
        if str(name) not in self.columns:
            of_file = "" if self.file is None else f" of {self.file}"
            raise InvalidOption(option, name, f"one of the columns {', '.join(self.columns)}{of_file}")
        return self.columns.index(str(name))

    def select(self, columns: Sequence[int]) -> Table:
        """The table with these columns only, in this order."""
        names = None if self.names is None else tuple(self.names[j] for j in columns)
        there = range(self.width) if self.positions is None else self.positions
        return replace(self, names=names, cells=tuple(self.cells[j] for j in columns),
                       positions=tuple(there[j] for j in columns))

    def keep(self, rows: np.ndarray) -> Table:
        """The table with the rows for which the truth value is true."""
        lines = None if self.lines is None else tuple(np.asarray(self.lines)[rows].tolist())
        return replace(self, cells=tuple(cells[rows] for cells in self.cells), lines=lines)

    def numbers(self, columns: Sequence[int] | None = None) -> np.ndarray:
        """Columns (by default all) as a new (rows, columns) array of floats; missing cells are NaN.

        Raises
        ------
        InvalidPoints
            Naming the first cell that is neither a real number nor missing.
        """
        columns = range(self.width) if columns is None else columns
        out = np.empty((self.count, len(columns)))
        wrong = []
        for k, j in enumerate(columns):
            row = _fill(out[:, k], self.cells[j])
            if row is not None:
                wrong.append((row, j))
        if wrong:
            row, j = min(wrong)
            raise InvalidPoints(self._complaint(row, j), column=self.columns[j], **self.place(row))
        return out

    def labels(self, column: int) -> list[Any]:
        """The cells of a column as labels of groups; none may be missing."""
        labels = [cell.item() if isinstance(cell, np.generic) else cell for cell in self.cells[column]]
        for row, label in enumerate(labels):
            if is_blank(label):
                raise InvalidPoints("the label of the group is missing", column=self.columns[column], **self.place(row))
        return labels if self.lines is None else [_label(label) for label in labels]

    def _complaint(self, row: int, column: int) -> str:
        cells, name = self.cells[column], self.columns[column]
        if cells.dtype.kind in DATES:
            return "must be numbers, got dates or durations; convert them to seconds since the start"
        advice = (f'; correct it, put # before a line that is no part of the table, or leave the column out: '
                  f'read(..., ignore="{name}") or --ignore {shlex.quote(name)}') if self.file else ""
        return f"must be a number, got {cells[row]!r:.{LONGEST_CELL}}{advice}"


def _label(cell: Any) -> str:
    # 1.0 in a text file was written 1
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell).strip()


def _fill(out: np.ndarray, cells: np.ndarray) -> int | None:
    """Put the numbers of a column into `out`; the first row that holds none, if there is one."""
    if cells.dtype.kind in PLAIN_NUMBERS:
        with np.errstate(over="ignore"):                     # of long doubles; infinite is refused with its place
            out[:] = cells
        return None
    for row, cell in enumerate(cells):
        try:
            out[row] = np.nan if is_missing(cell) else _real(cell)
        except (TypeError, ValueError, OverflowError):
            return row
    return None


def _real(cell: Any) -> float:
    # float() would take the real part of numpy's complex numbers, and the seconds of durations
    if isinstance(cell, (complex, np.complexfloating, np.timedelta64, np.datetime64)) or hasattr(cell, "timestamp"):
        raise TypeError
    if isinstance(cell, str) and "_" in cell:
        raise ValueError                                             # float() takes 1_000, which may be a name
    return float(cell)
