"""Kinds of data file, told apart by how a file's name ends.

A new kind is one function from a path to a table, registered here or from outside; from then on `read`, `fit`, `vca`,
`spectrum`, `Trajectories`, `identify`, `conserved`, `Model.score`, the estimators and the command line read it.
What the function returns may be anything that `table_of` takes: a DataFrame, an array, nested lists, or a `Table`,
which can also tell on which line of the file each row is.

>>> @data_file(".jsonl")
... def read_json_lines(path):
...     import json
...     rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
...     return Table.of_rows([list(row.values()) for row in rows], names=rows[0], lines=range(1, len(rows) + 1))
>>> del DATA_FILES[".jsonl"]
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from ..ground.errors import InvalidOption
from .columnar import read_arrow, read_excel, read_npy, read_npz, read_old_excel, read_parquet
from .decoding import kind_of_content
from .frames import table_of
from .tables import Table
from .text import FOUND_OUT, TextOptions, read_text

Reader = TypeVar("Reader", bound=Callable[[Path], Any])

DATA_FILES: dict[str, Callable[[Path], Any]] = {}
"""How a name ends, in lower case -> the function that reads such files."""
STANDARD_INPUT = "-"
"""The path that stands for what is piped in: a convention of shells."""


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


data_file(".csv", ".tsv", ".tab", ".txt", ".dat")(read_text)
data_file(".parquet", ".pq")(read_parquet)
data_file(".arrow", ".feather", ".ipc")(read_arrow)
data_file(".npy")(read_npy)
data_file(".npz")(read_npz)
data_file(".xlsx", ".xlsm")(read_excel)
data_file(".xls", ".xlsb", ".ods")(read_old_excel)


def read_file(path: str | os.PathLike[str], options: TextOptions = FOUND_OUT) -> Table:
    """The table in a file; files of no kind that is known are text, compressed or not.

    Parameters
    ----------
    path : path
        "-" is standard input.
    options : TextOptions
        Of a text file.

    Raises
    ------
    OSError
        If it cannot be opened.
    InvalidPoints
        If it holds no table.
    """
    path = Path(path)
    if str(path) == STANDARD_INPUT:
        return _from_standard_input(options)
    return _read(path, str(path), options)


def _read(path: Path, name: str, options: TextOptions) -> Table:
    kind = max((suffix for suffix in DATA_FILES if path.name.lower().endswith(suffix)), key=len, default="")
    read = DATA_FILES.get(kind, read_text)
    if read is read_text:
        table = read_text(path, options, name)
    else:
        for option, value in options._asdict().items():
            if value is not None:
                raise InvalidOption(option, value, f"left out: {name} is no text file")
        table = table_of(read(path))
    return replace(table, file=name, choosing=True)


def _from_standard_input(options: TextOptions) -> Table:
    data = sys.stdin.buffer.read()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"input{kind_of_content(data) or '.txt'}"
        path.write_bytes(data)
        return _read(path, "standard input", options)
