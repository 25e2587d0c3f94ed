"""Files too large to be held: Parquet, Arrow and text in blocks by pyarrow, NPY through a memory map.

How a text file is written (separator, decimal mark, header) is found out on its beginning, by the same rules as that of a
small one.  Which columns are variables is decided there too: text, dates, what is empty and row numbers are left out with a
note; a constant column stays, since only the end of the file could tell.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from ..ground.errors import InvalidPoints, MissingExtra
from .choosing import kind_of_column
from .decoding import text_of
from .frames import table_of
from .sniffing import SPACE, separator_of, without_comments
from .sources import is_path, say
from .streams import BYTES_IN_MEMORY, ROWS_READ, LocalStream, Piece, Stream, of_array, stream_in_memory
from .tables import Table
from .text import read_text

FORMATS = {".parquet": "parquet", ".pq": "parquet", ".arrow": "ipc", ".feather": "feather", ".ipc": "ipc"}
"""What pyarrow calls the kinds of file that it reads in blocks."""
TEXT = (".csv", ".tsv", ".tab", ".txt", ".dat")
"""How text files that are read in blocks end."""
LINES_LOOKED_AT = 1000
"""Lines, or rows, from which it is found out how a file is written and which columns are variables: a convention."""


def local_stream(data: Any, forced: bool = False, weights: np.ndarray | None = None) -> Stream | None:
    """The stream of what is to be read in blocks; None for data that are small, or in memory already.

    Parameters
    ----------
    data : any data
    forced : bool
        Read small files and arrays in blocks too.
    weights : (N,) array, optional
        Of all points.
    """
    found = stream_in_memory(data, weights)
    if found is not None:
        return found
    if is_path(data):
        return _of_path(Path(data), forced, weights)
    if hasattr(data, "to_batches") and hasattr(data, "get_fragments"):
        return _of_dataset(data, "the dataset", weights)
    if not forced:
        return None
    return of_array(data if isinstance(data, np.ndarray) else table_of(data).numbers(), weights)


def _of_path(path, forced, weights):
    kind = path.suffix.lower()
    if path.is_dir() and any(path.rglob("*.parquet")):
        return _of_dataset(_pyarrow("dataset").dataset(path), str(path), weights)
    if not path.is_file() or not (forced or _is_large(path, kind)):
        return None
    if kind == ".npy":
        array = np.load(path, mmap_mode="r", allow_pickle=False)
        return of_array(array.reshape(-1, 1) if array.ndim == 1 else array, weights)
    if kind in FORMATS:
        return _of_dataset(_pyarrow("dataset").dataset(path, format=FORMATS[kind]), str(path), weights)
    return _of_text(path, weights) if kind in TEXT else None


def _is_large(path, kind):
    if kind == ".npy":
        return path.stat().st_size > BYTES_IN_MEMORY
    if kind in (".parquet", ".pq"):
        try:
            about = _pyarrow("parquet").read_metadata(path)
        except (OSError, ValueError):
            return False                                             # damaged: complained about by who reads it
        return about.num_rows * about.num_columns * np.dtype(float).itemsize > BYTES_IN_MEMORY
    return (kind in FORMATS or kind in TEXT) and path.stat().st_size > BYTES_IN_MEMORY


def _of_dataset(dataset, name, weights):
    """A dataset of pyarrow, a piece for each row group (of Parquet) or file."""
    head = table_of(dataset.head(LINES_LOOKED_AT))
    columns = [head.columns[j] for j in variables_at_the_start(head, name)]
    parts = [part for fragment in dataset.get_fragments() for part in _parts(fragment)]
    pieces = [partial(_batches, part, columns) for part in parts]

    def make():
        for piece in pieces:
            yield from piece()

    return NamedStream(make, tuple(columns), dataset.count_rows(), weights, pieces)


def _parts(fragment):
    return fragment.split_by_row_group() if hasattr(fragment, "split_by_row_group") else [fragment]


def _batches(fragment, columns):
    for batch in fragment.to_batches(columns=columns, batch_size=ROWS_READ):
        yield _numbers(batch.column(name) for name in columns)


def _numbers(columns):
    return np.column_stack([np.asarray(column.to_numpy(zero_copy_only=False), dtype=float) for column in columns])


class NamedStream(LocalStream):
    """A stream of arrays whose columns have names."""

    def __init__(self, make: Any, names: Sequence[str] | None, count: int | None, weights: np.ndarray | None,
                 pieces: list[Piece] | None = None) -> None:
        super().__init__(make, count, weights, pieces)
        self.names = None if names is None else tuple(names)


def variables_at_the_start(head: Table, name: str) -> list[int]:
    """The columns that are variables, by the first rows; what is left out is said in a warning."""
    kinds = [kind_of_column(head, j) for j in range(head.width)]
    kept = [j for j, kind in enumerate(kinds) if kind in ("numbers", "constant")]
    said = {"text": "holds text", "dates": "holds dates", "nothing": "is empty at the start", "row numbers": "numbers the rows"}
    notes = [f"left out: column {head.columns[j]!r} {said[kind]}" for j, kind in enumerate(kinds) if kind in said]
    if not kept:
        raise InvalidPoints(f"no column of numbers is left: {'; '.join(notes)}", file=name)
    say(name, notes)
    return kept


def _of_text(path, weights):
    """A text file, read by pyarrow with the separator, decimal mark and header that its beginning shows."""
    csv = _pyarrow("csv")
    with open(path, "rb") as file:
        start = b"".join(islice(file, LINES_LOOKED_AT))
    with tempfile.TemporaryDirectory() as folder:
        beginning = Path(folder) / path.name
        beginning.write_bytes(start)
        head = read_text(beginning, name=str(path))
    text, encoding = text_of(start, None, str(path))
    sep = separator_of(without_comments(text)[0], None, None)
    if sep == SPACE or head.lines is None:
        raise InvalidPoints("text whose cells are separated by spaces is not read in blocks; write it as CSV or Parquet",
                            file=str(path))
    kept = variables_at_the_start(head, str(path))
    names = [f"column {j}" for j in range(head.width)]
    options = {"read_options": csv.ReadOptions(skip_rows=head.lines[0] - 1, column_names=names, encoding=encoding),
               "parse_options": csv.ParseOptions(delimiter=sep),
               "convert_options": csv.ConvertOptions(
                   decimal_point="," if "decimal comma" in head.facts else ".", include_columns=[names[j] for j in kept],
                   column_types={names[j]: "double" for j in kept})}
    piece = partial(_text_batches, os.fspath(path), options)
    called = None if head.names is None else [head.names[j] for j in kept]
    return NamedStream(piece, called, None, weights)


def _text_batches(path, options):
    arrow = _pyarrow("lib")
    try:
        with _pyarrow("csv").open_csv(path, **options) as batches:
            for batch in batches:
                yield _numbers(batch.columns)
    except arrow.ArrowInvalid as error:
        raise InvalidPoints(f"{str(error).splitlines()[0]}; a file that is read in blocks needs rows of equal length and "
                            "numbers in every cell", file=path) from None


def _pyarrow(part):
    from importlib import import_module
    try:
        return import_module(f"pyarrow.{part}")
    except ImportError:
        raise MissingExtra("pyarrow", "tables") from None
