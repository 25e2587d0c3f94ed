"""Kinds of data file, told apart by how a file's name ends.

A new kind is one function from a path to a table, registered here or from outside; from then on `fit`, `vca`,
`spectrum`, `Trajectories`, `identify`, `conserved`, `Model.score`, the estimators and the command line read it.
What the function returns may be anything that `table_of` takes: a DataFrame, an array, nested lists, or a `Table`,
which can also tell on which line of the file each row is.

>>> @data_file(".tsv")
... def read_tab_separated(path):
...     with open(path, encoding="utf-8") as file:
...         header, *rows = (line.rstrip().split("\\t") for line in file)
...     return Table.of_rows(rows, names=header)
>>> del DATA_FILES[".tsv"]
"""

from __future__ import annotations

import csv
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from ..ground.errors import InvalidOption, InvalidPoints
from .tables import Table, table_of

Reader = TypeVar("Reader", bound=Callable[[Path], Any])

DATA_FILES: dict[str, Callable[[Path], Any]] = {}
"""How a name ends, in lower case -> the function that reads such files."""
USUAL_KIND = ".csv"
"""How files are read whose names end otherwise: a convention, for data in text files are mostly that."""


def data_file(*suffixes: str) -> Callable[[Reader], Reader]:
    """Register the function that reads files whose names end like this; see the top of this module for an example.

    Parameters
    ----------
    *suffixes : str
        Such as ".csv" or ".csv.gz"; upper and lower case are the same, the longest one that fits counts, and of
        several functions for the same one the last.

    Returns
    -------
    decorator
        Of a function that takes a `pathlib.Path` and returns a `Table`, DataFrame, array or nested lists.
    """
    for suffix in suffixes:
        if not isinstance(suffix, str) or not suffix.startswith(".") or len(suffix) < 2:
            raise InvalidOption("suffix", suffix, "a dot and what follows it, such as '.csv'")

    def register(read: Reader) -> Reader:
        DATA_FILES.update((suffix.lower(), read) for suffix in suffixes)
        return read

    return register


def read_file(path: str | os.PathLike[str]) -> Table:
    """The table in a file.

    Raises
    ------
    OSError
        If it cannot be opened.
    InvalidPoints
        If it holds no table.
    """
    path = Path(path)
    kind = max((suffix for suffix in DATA_FILES if path.name.lower().endswith(suffix)), key=len, default=USUAL_KIND)
    return table_of(DATA_FILES[kind](path))


@data_file(".csv")
def read_csv(path: Path) -> Table:
    """A file of cells with commas between them, in UTF-8; its first row is a header unless it holds numbers only."""
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            reader = csv.reader(file)
            rows = [(reader.line_num, row) for row in reader if row]
    except (UnicodeDecodeError, csv.Error) as error:
        raise InvalidPoints(f"{path} is not a CSV file in UTF-8 ({error})") from None
    if not rows:
        raise InvalidPoints(f"{path} is empty")
    header: list[str] | None = [cell.strip() for cell in rows[0][1]]
    if all(map(_is_number, rows[0][1])):
        header = None
    else:
        rows = rows[1:]
    return Table.of_rows([row for _, row in rows], header, [line for line, _ in rows])


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
