"""Tables in files that are no text: Parquet, Arrow, numpy's own, Excel.  What they need is imported when it is used."""

from __future__ import annotations

import datetime as dt
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..ground.errors import InvalidPoints, MissingExtra
from .assembling import assembled
from .frames import table_of
from .tables import Table

TABLES, EXCEL = "tables", "excel"
"""Extras that bring pyarrow and openpyxl."""
MAGIC, FIRST_FEATHER = b"ARROW1", b"FEA1"
"""How files of Arrow begin, and those of its first version; a stream has no such beginning."""


def read_parquet(path: Path) -> Any:
    """The table in a Parquet file."""
    parquet = _imported("pyarrow.parquet", "pyarrow", TABLES)
    return _unless_damaged(path, "Parquet", parquet.read_table)


def read_arrow(path: Path) -> Any:
    """The table in an Arrow or Feather file, or in a stream of Arrow."""
    ipc, feather = _imported("pyarrow.ipc", "pyarrow", TABLES), _imported("pyarrow.feather", "pyarrow", TABLES)

    def read(file: Any) -> Any:
        start = file.read(len(MAGIC))
        file.seek(0)
        if start.startswith((MAGIC, FIRST_FEATHER)):
            return feather.read_table(file)
        with ipc.open_stream(file) as stream:
            return stream.read_all()

    return _unless_damaged(path, "Arrow", read)


def read_npy(path: Path) -> Table:
    """The table in a file of one numpy array: of rows, of one column, or with named fields."""
    return _of_array(_unless_damaged(path, "NPY", _one_array), path)


def _one_array(file: Any) -> np.ndarray:
    found = np.load(file, allow_pickle=False)
    if not isinstance(found, np.ndarray):
        raise ValueError("it holds several arrays, whose file is called .npz")
    return found


def read_npz(path: Path) -> Table:
    """The table in a file of several numpy arrays: one array of rows, or columns of equal length by name."""
    def read(file: Any) -> dict[str, np.ndarray]:
        found = np.load(file, allow_pickle=False)
        if isinstance(found, np.ndarray):
            return {"": found}
        with found:
            return {name: found[name] for name in found.files}

    arrays = _unless_damaged(path, "NPZ", read)
    if len(arrays) == 1:
        return _of_array(next(iter(arrays.values())), path)
    lengths = {array.shape for array in arrays.values()}
    if not arrays or len(lengths) != 1 or any(array.ndim != 1 for array in arrays.values()):
        shapes = ", ".join(f"{name} of shape {array.shape}" for name, array in arrays.items())
        raise InvalidPoints(f"must hold one array of rows, or columns of equal length, got {shapes or 'nothing'}; save what "
                            "you want with numpy.savez(path, x=x, y=y)", file=str(path))
    return Table(tuple(arrays), tuple(arrays.values()))


def _of_array(array: np.ndarray, path: Path) -> Table:
    if array.dtype.names is not None:
        return Table(tuple(array.dtype.names), tuple(array[name].ravel() for name in array.dtype.names))
    try:
        return table_of(array.reshape(-1, 1) if array.ndim == 1 else array)
    except InvalidPoints as error:
        raise InvalidPoints(str(error).removeprefix("points: "), file=str(path)) from None


def read_excel(path: Path) -> Table:
    """The table on the first sheet of an Excel file that has cells."""
    openpyxl = _imported("openpyxl", "openpyxl", EXCEL)

    def read(file: Any) -> tuple[str, list[tuple[int, list[Any]]], int]:
        book = openpyxl.load_workbook(file, read_only=True, data_only=True)
        try:
            sheets = book.worksheets
            for sheet in sheets:
                rows = [(number, [_plain(cell) for cell in row])
                        for number, row in enumerate(sheet.iter_rows(values_only=True), start=1)]
                rows = [(number, row) for number, row in rows if any(cell not in (None, "") for cell in row)]
                if rows:
                    break
            return sheet.title, rows, len(sheets)
        finally:
            book.close()

    title, rows, count = _unless_damaged(path, "Excel (.xlsx)", read)
    first = min((j for _, row in rows for j, cell in enumerate(row) if cell not in (None, "")), default=0)
    last = max((j for _, row in rows for j, cell in enumerate(row) if cell not in (None, "")), default=0)
    table = assembled([(number, [*row, *[None] * last][first:last + 1]) for number, row in rows], str(path))
    return replace(table, facts=(*table.facts, f"sheet {title!r} of {count}")) if count > 1 else table


def read_old_excel(path: Path) -> Table:
    """Refuse a spreadsheet of another kind, and say what to do."""
    raise InvalidPoints("this kind of spreadsheet is not read; save it as .xlsx or as CSV", file=str(path))


def _plain(cell: Any) -> Any:
    return cell.total_seconds() if isinstance(cell, dt.timedelta) else cell


def _imported(module: str, package: str, extra: str) -> Any:
    from importlib import import_module
    try:
        return import_module(module)
    except ImportError:
        raise MissingExtra(package, extra) from None


def _unless_damaged(path: Path, kind: str, read: Callable[[Any], Any]) -> Any:
    with path.open("rb") as file:
        try:
            return read(file)
        except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile) as error:
            reason = str(error).split("\n")[0]
            raise InvalidPoints(f"not a file of kind {kind}, or damaged ({reason})", file=str(path)) from None
