"""The one door for data: whatever holds a table, in memory or in a file, becomes a `Table`."""

from __future__ import annotations

import os
from typing import Any

from .files import read_file
from .tables import Table, is_frame, table_of


def is_path(data: object) -> bool:
    """Whether `data` is the path of a file."""
    return isinstance(data, (str, os.PathLike))


def has_columns(data: object) -> bool:
    """Whether the columns of `data` can be asked for by name: a Table, a DataFrame, or the path of a file."""
    return isinstance(data, Table) or is_path(data) or is_frame(data)


def read_table(data: Any) -> Table:
    """The table in `data`: an array, nested lists, a DataFrame, the path of a data file, or a `Table`.

    Examples
    --------
    >>> read_table([[1, 2], [3, 4]]).columns
    ('x', 'y')
    """
    return read_file(data) if is_path(data) else table_of(data)
