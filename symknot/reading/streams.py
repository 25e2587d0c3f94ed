"""Data that are read in blocks, so that memory stays flat however many points there are.

A `Stream` gives its points as `Block` after `Block`, as often as it is asked (`Stream.reduce`), and says how many there
are where that is known.  What can be read again only by its maker is passed as a function:

======================================  ==========================================================================
a large file, a folder of files         Parquet, Arrow and text by pyarrow, NPY through the file system's cache
`numpy.memmap`                          slices
a function without arguments            is called for every reading, and returns (or yields) the blocks
several such functions, each one block  the same; with a cluster each is called on a worker
an iterator of blocks                   can be read once
collections of dask                     their partitions (see `clusters`)
======================================  ==========================================================================

A block is whatever `table_of` takes: an array of shape (points, variables), a DataFrame, a table of pyarrow.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any, NamedTuple, TypeVar

import numpy as np

from ..ground.errors import InvalidOption, InvalidPoints
from .frames import is_columnar, table_of
from .tables import PLAIN_NUMBERS

Reduced = TypeVar("Reduced")
Piece = Callable[[], Any]
"""Makes one block, or yields several, anywhere: here or on a worker."""

BYTES_IN_MEMORY = 2**27
"""Bytes of numbers from which on files and memory maps are read in blocks.  Measured: a fit of points in memory takes
about twenty times the bytes of the points, so that these come to some 2.5 GB."""
ROWS_READ = 2**16
"""Rows of a block that is read from a file or a memory map: a convention; 4 MB for eight variables."""
FEWEST_ROWS = 2**13
"""Rows to which smaller blocks are gathered: a convention, many enough to hide the cost of a call."""


class Block(NamedTuple):
    """Some of the points.

    Attributes
    ----------
    number : int
        Blocks of a stream are counted from 0.
    values : (n, d) array
    weights : (n,) array or None
    """

    number: int
    values: np.ndarray
    weights: np.ndarray | None = None


class Stream(ABC):
    """Points in blocks.

    Attributes
    ----------
    names : tuple of str or None
        Of the columns, where they have any.
    width : int
        Number of columns.
    count : int or None
        Number of points, where it is known before they are read.
    """

    names: tuple[str, ...] | None = None
    width: int
    count: int | None = None

    @abstractmethod
    def reduce(self, step: Callable[[Block, Reduced | None], Reduced], merge: Callable[[Reduced, Reduced], Reduced],
               told: Callable[[int], object]) -> Reduced:
        """What `step` makes of each block, merged two by two.

        Parameters
        ----------
        step : callable
            Of a `Block`, and of what the blocks before it came to, where these were reduced here; None elsewhere.
        merge : callable
            Of two results, the earlier blocks' first.
        told : callable
            Called with the number of points done so far, or of blocks where the points are elsewhere.
        """

    @property
    def told(self) -> tuple[int | None, str]:
        """Of what `reduce` tells: how many there are in all, where that is known, and what they are."""
        return self.count, "points"

    def pieces(self) -> list[Piece] | None:
        """Functions that make the blocks anywhere, for a cluster; None where they can only be made here."""
        return None


class LocalStream(Stream):
    """Points in blocks that this process reads, one after the other.

    Parameters
    ----------
    make : callable
        Returns an iterable of blocks; called for every reading.
    count : int, optional
    weights : (N,) array, optional
        Of all points.
    pieces : list of callable, optional

    Examples
    --------
    >>> stream = LocalStream(lambda: ([[i, i + 1]] for i in range(3)))
    >>> stream.width, stream.reduce(lambda block, before: block.values.sum(axis=0), lambda a, b: a + b, print).tolist()
    3
    (2, [3.0, 6.0])
    """

    def __init__(self, make: Callable[[], Iterable[Any]], count: int | None = None, weights: np.ndarray | None = None,
                 pieces: list[Piece] | None = None) -> None:
        self._make, self.count, self.weights, self._pieces = make, count, weights, pieces
        self.names, self.width, self._begun = _looked_at(iter(make()))

    def pieces(self) -> list[Piece] | None:
        return self._pieces if self.weights is None else None

    def reduce(self, step: Callable[[Block, Reduced | None], Reduced], merge: Callable[[Reduced, Reduced], Reduced],
               told: Callable[[int], object]) -> Reduced:
        found, done = None, 0
        for number, values in enumerate(gathered(self._read(), self.width)):
            weights = None if self.weights is None else self._weights(done, len(values))
            check_block(values, done, self.names)
            one = step(Block(number, values, weights), found)
            found = one if found is None else merge(found, one)
            done += len(values)
            told(done)
        if self.weights is not None and done != len(self.weights):
            raise InvalidOption("weights", len(self.weights), f"{done} numbers, one for each point")
        if found is None:
            raise InvalidPoints("the blocks hold no points")
        return found

    def _weights(self, start, size):
        found = self.weights[start: start + size]
        if len(found) < size:
            raise InvalidOption("weights", len(self.weights), "as many numbers as there are points; there are more points")
        return found

    def _read(self):
        begun, self._begun = self._begun, None
        return iter(self._make()) if begun is None else begun


def _looked_at(blocks):
    """Names and number of the columns, and the blocks, of which the first has been looked at."""
    first = next(blocks, None)
    if first is None:
        raise InvalidPoints("there are no blocks")
    if isinstance(first, np.ndarray) and first.ndim == 2:
        return None, first.shape[1], chain([first], blocks)
    if not hasattr(first, "__len__"):
        raise InvalidPoints(f"blocks must be arrays of shape (points, variables) or tables, got {type(first).__name__}")
    table = table_of(first)
    return table.names, table.width, chain([first], blocks)


def numbers_of(block: Any, width: int | None = None) -> np.ndarray:
    """A block as an (n, width) array of floats, not copied where it is one."""
    if isinstance(block, np.ndarray) and block.ndim == 2 and block.dtype.kind in PLAIN_NUMBERS:
        values = block.astype(float, copy=False)
    else:
        values = table_of(block).numbers()
    if width is not None and values.shape[1] != width:
        raise InvalidPoints(f"need blocks of {width} columns, as the first one has, got one of {values.shape[1]}")
    return values


def gathered(blocks: Iterable[Any], width: int) -> Iterator[np.ndarray]:
    """The same points in blocks that are neither tiny nor, where an array can be sliced, huge."""
    waiting: list[np.ndarray] = []
    for block in blocks:
        size = len(block) if isinstance(block, np.ndarray) else 0
        for start in range(0, max(size, 1), ROWS_READ):
            part = block[start: start + ROWS_READ] if size > ROWS_READ else block
            values = numbers_of(part, width)
            if not len(values):
                continue
            waiting.append(values)
            if sum(map(len, waiting)) >= FEWEST_ROWS:
                yield waiting[0] if len(waiting) == 1 else np.concatenate(waiting)
                waiting = []
    if waiting:
        yield np.concatenate(waiting)


def check_block(values: np.ndarray, done: int, names: Sequence[str] | None) -> None:
    """Refuse cells that are missing or infinite; `done` rows came before."""
    if np.isfinite(values.sum()) or np.isfinite(values).all():
        return
    row, column = np.argwhere(~np.isfinite(values))[0]
    called = {} if names is None else {"column": names[column]}
    raise InvalidPoints(f"must be finite, got {values[row, column]}; leave out such rows where the blocks are made",
                        row=done + int(row), **called)


def of_array(array: np.ndarray, weights: np.ndarray | None = None) -> LocalStream:
    """An array, or a memory map of one, in slices."""
    if array.ndim != 2 or array.shape[1] == 0:
        raise InvalidPoints(f"need an array of shape (points, variables), got shape {array.shape}")
    slices = [slice(start, start + ROWS_READ) for start in range(0, len(array), ROWS_READ)]
    pieces: list[Piece] | None = None
    if isinstance(array, np.memmap) and array.filename is not None and _is_whole(array):
        where = {"filename": str(array.filename), "dtype": array.dtype, "mode": "r", "offset": array.offset,
                 "shape": array.shape, "order": "C" if array.flags.c_contiguous else "F"}
        pieces = [partial(_mapped_rows, where, rows) for rows in slices]
    return LocalStream(lambda: (array[rows] for rows in slices), len(array), weights, pieces)


def _is_whole(array):
    """Whether a memory map is the one that was opened, not a part of it: only then does it know where it is."""
    return not isinstance(array.base, np.memmap) and (array.flags.c_contiguous or array.flags.f_contiguous)


def _mapped_rows(where, rows):
    return np.array(np.memmap(**where)[rows])


def _once(iterator, advice):
    """An iterator that can be read once, as a function for `LocalStream`."""
    read = []

    def make():
        if read:
            raise InvalidPoints(f"the blocks must be read again, and an iterator has them only once; {advice}")
        read.append(True)
        return iterator
    return make


def _called(pieces):
    """The blocks that functions make, one after the other."""
    for piece in pieces:
        yield from blocks_of_piece(piece)


def blocks_of_piece(piece: Piece) -> Iterator[Any]:
    """The block, or the blocks, that a function makes."""
    found = piece()
    rows = isinstance(found, (list, tuple)) and not (found and (getattr(found[0], "ndim", 1) == 2 or is_columnar(found[0])))
    if isinstance(found, np.ndarray) or is_columnar(found) or rows:
        yield found
    elif hasattr(found, "__iter__"):
        yield from found
    else:
        raise InvalidPoints(f"the function must return blocks of points, or an iterator of them, got {type(found).__name__}")


def stream_in_memory(data: Any, weights: np.ndarray | None = None) -> Stream | None:
    """The stream of what is no file: a function, several functions, an iterator, a large memory map; None for all else."""
    if callable(data) and not is_columnar(data) and not hasattr(data, "__array__"):
        return LocalStream(partial(_called, [data]), weights=weights)
    if isinstance(data, (list, tuple)) and data and all(map(callable, data)):
        return LocalStream(partial(_called, data), weights=weights, pieces=list(data))
    if hasattr(data, "__next__"):
        advice = ("pass a function that returns a new iterator, such as lambda: make_blocks(); one reading is enough for vca "
                  "with max_degree, and for spectrum")
        return LocalStream(_once(data, advice), weights=weights)
    if isinstance(data, np.memmap) and data.nbytes > BYTES_IN_MEMORY:
        return of_array(data, weights)
    return None
