"""From rows of cells, as text files and sheets have them, to a table: header, width, names, columns of numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ..ground.errors import InvalidPoints
from ..ground.wording import counted
from .cells import AmbiguousDecimals, column_of, decimal_of, is_any_number, is_blank, is_missing, titles_above
from .tables import Table

Row = tuple[int, Sequence[Any]]
"""The number of a line, and its cells."""
ROWS_BELOW_A_HEADER = 50
"""Rows that decide whether the first one is a header: a convention."""
_BEGINS_AS_NUMBER = re.compile(r"\W*[0-9]")
LONGEST_UNIT = 20
"""Characters of a cell that may be a unit, such as mm, [m/s] or degrees Celsius: a convention."""


def assembled(rows: list[Row], file: str, decimal: str | None = None, names: Sequence[str] | None = None) -> Table:
    """The table of rows of cells.

    Parameters
    ----------
    rows : list of (line, cells)
    file : str
        For messages.
    decimal : str or None
        "." or ","; None finds it out.
    names : sequence of str, optional
        Of the columns, if the rows have no header.

    Examples
    --------
    >>> assembled([(1, ["x", "y", ""]), (2, ["1,5", "2", ""])], "data.csv").numbers().tolist()
    [[1.5, 2.0]]
    """
    rows = [(line, row) for line, row in rows if len(row) < 2 or not is_blank(row[0]) or not all(map(is_blank, row))]
    if all(is_blank(cell) for _, row in rows for cell in row):
        raise InvalidPoints("is empty", file=file)
    rows, titles = _without_titles(rows)
    header, body = split_header(rows)
    if header is not None and _has_row_names(header, body):
        header = (header[0], ["", *header[1]])
    body, units = _without_units(header, body)
    width = _width(header, body)
    rows = body if header is None else [header, *body]
    for line, row in rows:
        if len(row) != width and not all(map(is_blank, row[width:])) or len(row) < width:
            raise InvalidPoints(_ragged(width, len(row), header), file=file, line=line)
    decimal = decimal_of_rows(body, file) if decimal is None else decimal
    columns = tuple(column_of([row[j] for _, row in body], decimal) for j in range(width))
    if header is not None:
        names = checked_header(header, width, file)
    facts = [*titles, *(["decimal comma"] if decimal == "," else []), *units]
    return Table(None if names is None or len(names) != width else tuple(names), columns, [line for line, _ in body], file,
                 tuple(facts))


def _without_titles(rows: list[Row]) -> tuple[list[Row], list[str]]:
    """Rows without lines of one cell of text above a header of several, and a fact about them."""
    count = titles_above([row for _, row in rows])
    if not count:
        return rows, []
    first, last = rows[0][0], rows[count - 1][0]
    return rows[count:], [f"title in line {first}" if count == 1 else f"titles in lines {first} to {last}"]


def _without_units(header: Row | None, body: list[Row]) -> tuple[list[Row], list[str]]:
    """Rows without units right below the header, and a fact about them.

    Units are short words, no numbers, one of them at least above a column of numbers, below a header that has no numbers.

    Examples
    --------
    >>> _without_units((1, ["t", "x"]), [(2, ["s", "mm"]), (3, ["0", "1.5"])])
    ([(3, ['0', '1.5'])], ['units in line 2 (s, mm)'])
    """
    if header is None or len(body) < 2 or len(body[0][1]) < len(header[1]) or any(map(is_any_number, header[1])):
        return body, []
    line, first = body[0]
    words = {j: cell for j, cell in enumerate(first) if not is_missing(cell)}
    below = [row for _, row in body[1:1 + ROWS_BELOW_A_HEADER]]
    columns = [[row[j] for row in below if j < len(row) and not is_missing(row[j])] for j in words]
    over_numbers = any(column and all(map(is_any_number, column)) for column in columns)
    if not over_numbers or not all(map(_may_be_unit, words.values())):
        return body, []
    return body[1:], [f"units in line {line} ({', '.join(str(word).strip() for word in words.values())})"]


def _may_be_unit(cell: Any) -> bool:
    return isinstance(cell, str) and len(cell.strip()) <= LONGEST_UNIT and not _BEGINS_AS_NUMBER.match(cell)


def split_header(rows: list[Row]) -> tuple[Row | None, list[Row]]:
    """The header, None where the first row is data, and the other rows.

    A header has no numbers, or words above columns of numbers.

    Examples
    --------
    >>> split_header([(1, ["a", "1"]), (2, ["b", "2"])])[0], split_header([(1, ["a", "1"]), (2, ["3", "2"])])[0]
    (None, (1, ['a', '1']))
    """
    _, first = rows[0]
    below = [row for _, row in rows[1:1 + ROWS_BELOW_A_HEADER]]
    words = [j for j, cell in enumerate(first) if not is_missing(cell) and not is_any_number(cell)]
    numbers = sum(map(is_any_number, first))
    if numbers and not words:
        return None, rows
    if not numbers:
        return (rows[0], rows[1:]) if words or not below else (None, rows)
    over_numbers = any(is_any_number(row[j]) for j in words for row in below if j < len(row))
    return (rows[0], rows[1:]) if over_numbers or not below else (None, rows)


def _width(header: Row | None, body: list[Row]) -> int:
    """Cells of a row, without those that are blank at the end of all of them."""
    wanted = len((header or body[0])[1])
    cells = ([] if header is None else [header[1]]) + [row for _, row in body]
    while wanted > 1 and all(len(row) < wanted or is_blank(row[wanted - 1]) for row in cells):
        wanted -= 1
    return wanted


def _has_row_names(header: Row, body: list[Row]) -> bool:
    """Whether rows begin with a name or number of their own above which the header has nothing, as R writes tables."""
    if not body or any(len(row) != len(header[1]) + 1 for _, row in body):
        return False
    first = [str(row[0]).strip() for _, row in body]
    return not any(map(is_any_number, first)) or first == [str(k + 1) for k in range(len(first))]


def _ragged(width: int, found: int, header: Row | None) -> str:
    as_what = f"as the header in line {header[0]} has" if header is not None else "as the first line has"
    return (f"need {counted(width, 'cell')}, got {found}: every line needs as many {as_what}; put quotes around cells that "
            "contain the separator, and # before lines that are no part of the table")


def checked_header(header: Row, width: int, file: str) -> tuple[str, ...]:
    """The names in a header; a blank one is the column's number.

    Raises
    ------
    InvalidPoints
        Two columns have the same name.
    """
    names = [str(cell).strip() if not is_blank(cell) else "" for cell in header[1][:width]]
    names = [name or str(j + 1) for j, name in enumerate(names)]
    for j, name in enumerate(names):
        if name in names[:j]:
            raise InvalidPoints(f"columns {names.index(name) + 1} and {j + 1} are both called {name!r}; rename one of them",
                                file=file, line=header[0], column=name)
    return tuple(names)


def decimal_of_rows(rows: list[Row], file: str) -> str:
    """The decimal mark of the cells that have one."""
    if not any("," in cell or cell.count(".") > 1 for _, row in rows for cell in row if isinstance(cell, str)):
        return "."
    try:
        return decimal_of(cell for _, row in rows for cell in row if isinstance(cell, str) and ("," in cell or "." in cell))
    except AmbiguousDecimals as error:
        cell = error.args[0]
        line, column = next((line, j) for line, row in rows for j, other in enumerate(row) if str(other).strip() == cell)
        raise InvalidPoints(_ambiguous(cell), file=file, line=line, column=str(column + 1)) from None


def _ambiguous(cell: str) -> str:
    return (f"{cell!r} may be {cell.replace(',', '')} or {cell.replace(',', '.')}, and no other number tells; say which: "
            "read(..., decimal=\",\") or --decimal, with a point or a comma")
