"""Tables: what every kind of data becomes first, with the place of each cell for messages.

A table keeps its cells as they were found.  They become numbers in one place, `Table.numbers`, with one rule for
what is missing: None, NaN, pandas' NA and blank text.  What a missing value means is decided by who asked: points
refuse it, a run is cut there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

import numpy as np

from ..ground.errors import InvalidOption, InvalidPoints
from .names import default_names

PLAIN_NUMBERS = "biuf"
"""numpy's letters for truth values, integers and floats: columns of these need no look at each cell."""
DATES = "mM"
"""numpy's letters for durations and dates."""
LONGEST_CELL = 80
"""Characters of a wrong cell that a message shows: one line."""


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of cells, with names if they have any.

    Attributes
    ----------
    names : tuple of str or None
        Names of the columns.
    cells : tuple of (n,) arrays
        One for each column, of numbers or of objects.
    lines : tuple of int or None
        The line of the file that each row was read from, where that helps to find it.

    Examples
    --------
    >>> table = Table.of_rows([["1", "2"], ["3", ""]], names=["x", "y"])
    >>> table.numbers().tolist()
    [[1.0, 2.0], [3.0, nan]]
    """

    names: tuple[str, ...] | None
    cells: tuple[np.ndarray, ...]
    lines: tuple[int, ...] | None = None

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
                raise InvalidPoints(f"need {width} cells, got {len(row)}", **_place(number, found))
            cells[number] = list(row)
        return cls(header, tuple(cells.T), found)

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
        return default_names(self.width) if self.lines is None else tuple(str(j + 1) for j in range(self.width))

    def place(self, row: int) -> dict[str, int]:
        """Keywords of `InvalidPoints` that name the place of a row: its line in the file, else its number."""
        return _place(int(row), self.lines)

    def column(self, option: str, name: object) -> int:
        """Where the column `name` is; `option` says who asks."""
        if str(name) not in self.columns:
            raise InvalidOption(option, name, f"one of the columns {', '.join(self.columns)}")
        return self.columns.index(str(name))

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
            raise InvalidPoints(_complaint(self.cells[j], row), column=self.columns[j], **self.place(row))
        return out

    def labels(self, column: int) -> list[Any]:
        """The cells of a column as labels of groups; none may be missing."""
        labels = [cell.item() if isinstance(cell, np.generic) else cell for cell in self.cells[column]]
        if self.lines is not None:
            labels = [str(label).strip() for label in labels]
        for row, label in enumerate(labels):
            if is_missing(label):
                raise InvalidPoints("the label of the group is missing", column=self.columns[column], **self.place(row))
        return labels


def is_missing(cell: Any) -> bool:
    """Whether a cell holds nothing: None, NaN, pandas' NA or NaT, or blank text.

    Examples
    --------
    >>> [is_missing(cell) for cell in (None, float("nan"), "  ", 0.0, "nothing")]
    [True, True, True, False, False]
    """
    # pandas.NA compares to neither True nor False, and pandas need not be installed to ask
    return (cell is None or type(cell).__name__ in ("NAType", "NaTType") or isinstance(cell, float) and isnan(cell)
            or isinstance(cell, str) and not cell.strip())


def is_frame(data: object) -> bool:
    """Whether `data` is a DataFrame, or looks like one."""
    return hasattr(data, "columns") and hasattr(data, "to_numpy")


def table_of(data: Any) -> Table:
    """A table of what is in memory: a Table, a DataFrame, an array or nested lists.

    Examples
    --------
    >>> table_of([[1, 2], [3, 4], [5, 6]]).count
    3
    """
    if isinstance(data, Table):
        return data
    return _of_frame(data) if is_frame(data) else _of_array(data)


def _of_frame(frame: Any) -> Table:
    names = tuple(str(name) for name in frame.columns)
    if not names:
        raise InvalidPoints("the table has no columns")
    return Table(names, tuple(frame.iloc[:, j].to_numpy() for j in range(len(names))))


def _of_array(data: Any) -> Table:
    if isinstance(data, np.ma.MaskedArray):
        data = np.ma.filled(data.astype(float), np.nan)
    try:
        array = np.asarray(data)
    except ValueError as error:
        raise InvalidPoints(f"need rows of equal length ({error})") from None
    if np.iscomplexobj(array):
        raise InvalidPoints("must be real, got complex numbers")
    if array.ndim == 0 or array.dtype.kind not in PLAIN_NUMBERS + "OUS":
        raise InvalidPoints(f"must be numbers, got {type(data).__name__} of shape {array.shape}")
    if array.ndim == 1:
        raise InvalidPoints(f"need an array of shape (points, variables), got shape {array.shape}; for "
                            "points on a line use points.reshape(-1, 1)")
    if array.ndim != 2 or array.shape[1] == 0:
        raise InvalidPoints(f"need an array of shape (points, variables), got shape {array.shape}")
    return Table(None, tuple((array if array.dtype.kind in PLAIN_NUMBERS else array.astype(object)).T))


def _fill(out: np.ndarray, cells: np.ndarray) -> int | None:
    """Put the numbers of a column into `out`; the first row that holds none, if there is one."""
    if cells.dtype.kind in PLAIN_NUMBERS:
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
    return float(cell)


def _complaint(cells: np.ndarray, row: int) -> str:
    if cells.dtype.kind in DATES:
        return "must be numbers, got dates or durations; convert them to seconds since the start"
    return f"must be a number, got {cells[row]!r:.{LONGEST_CELL}}"


def _place(row: int, lines: tuple[int, ...] | None) -> dict[str, Any]:
    return {"row": row} if lines is None else {"line": lines[row]}
