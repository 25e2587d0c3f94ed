"""Tables whose columns are named: a DataFrame or a CSV file, read cell by cell only where it must be."""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np

from ..ground.errors import InvalidOption, InvalidPoints
from .points import _floats, csv_cells


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of cells.

    Attributes
    ----------
    columns : list of str
    cells : list of arrays
        One for each column, numbers or objects.
    lines : list of int or None
        The line of the file of each row.
    """

    columns: list
    cells: list
    lines: list | None

    @property
    def count(self):
        """Number of rows."""
        return len(self.cells[0]) if self.cells else 0

    def labels(self, column):
        """The cells of a column as labels of groups; none may be missing."""
        labels = [cell.item() if isinstance(cell, np.generic) else cell for cell in self.cells[column]]
        if self.lines is not None:
            labels = [str(label).strip() for label in labels]
        for row, label in enumerate(labels):
            if label is None or label == "" or _is_missing(label):
                place = {"row": row} if self.lines is None else {"line": self.lines[row]}
                raise InvalidPoints("the label of the group is missing", column=self.columns[column], **place)
        return labels


def read_table(data):
    """A DataFrame, or the CSV file at a path, as a `Table`."""
    if isinstance(data, (str, os.PathLike)):
        table = _from_csv(data)
    else:
        columns = [str(name) for name in data.columns]
        table = Table(columns, [data.iloc[:, j].to_numpy() for j in range(len(columns))], None)
    twice = [name for name in table.columns if table.columns.count(name) > 1]
    if twice:
        raise InvalidPoints(f"column names must differ, but {twice[0]!r} occurs {table.columns.count(twice[0])} times")
    if not table.columns:
        raise InvalidPoints("the table has no columns")
    return table


def column_number(table, option, name):
    """Where the column `name` is; `option` says who asks."""
    if str(name) not in table.columns:
        raise InvalidOption(option, name, f"one of the columns {', '.join(table.columns)}")
    return table.columns.index(str(name))


def table_numbers(table, columns):
    """(rows, columns) array of floats; missing cells are NaN, anything else that is no number is an error."""
    out = np.empty((table.count, len(columns)))
    for k, j in enumerate(columns):
        cells = table.cells[j]
        if cells.dtype.kind in "biuf":
            out[:, k] = cells
            continue
        if cells.dtype.kind in "mM":
            raise InvalidPoints("must be numbers, got dates or durations; convert them to seconds since the start",
                                column=table.columns[j])
        plain = [None if _is_missing(cell) or isinstance(cell, str) and not cell.strip() else cell for cell in cells]
        wrapped = np.empty((len(plain), 1), dtype=object)
        wrapped[:, 0] = plain
        out[:, k] = _floats(wrapped, [table.columns[j]], table.lines)[:, 0]
    return out


def _is_missing(cell):
    # pandas.NA compares to neither True nor False, and pandas need not be installed to ask
    return cell is None or type(cell).__name__ in ("NAType", "NaTType") or isinstance(cell, float) and cell != cell


def _from_csv(path):
    header, cells, lines = csv_cells(path)
    return Table(header or [str(j + 1) for j in range(cells.shape[1])], list(cells.T), lines)
