"""Many rows a block at a time, so that memory stays flat however many there are; short rows column by column."""

from __future__ import annotations

import numpy as np

BLOCK_ROWS = 8192
"""Rows of a block that needs few numbers each: a convention, many enough to hide the cost of a call."""
BLOCK_NUMBERS = 2**20
"""Numbers of a block at most, 8 MiB in doubles: a convention, about what stays in a processor's cache."""
FEWEST_BLOCK_ROWS = 128
"""Rows of a block at least, however many numbers they need: a convention, for matrix products rather than products with
vectors."""
NUMBERS_IN_CACHE = 2**17
"""Numbers of a block that is gone through many times, 1 MiB in doubles: about what stays in a core's own cache.  Blocks of a
quarter and of four times the size were as fast within 20 % at 15 to 496 columns."""

SHORT_ROW = 16
"""Numbers of a row below which numpy is faster column by column: a convention; it goes along rows, and at 2 numbers takes ten
times as long (measured)."""


def blocks(n: int, width: int = 1) -> list[slice]:
    """Slices that cut `n` rows into blocks; rows that need `width` numbers each come in smaller ones."""
    rows = max(BLOCK_NUMBERS // width, FEWEST_BLOCK_ROWS) if width * BLOCK_ROWS > BLOCK_NUMBERS else BLOCK_ROWS
    return [slice(start, min(start + rows, n)) for start in range(0, n, rows)]


def in_cache(n: int, width: int) -> list[slice]:
    """The same for rows of `width` numbers that a core goes through many times, each block with at least half as many rows as
    a row has numbers."""
    rows = max(NUMBERS_IN_CACHE // max(width, 1), width // 2, 1)
    return [slice(start, min(start + rows, n)) for start in range(0, n, rows)]


def shifted_and_divided(points: np.ndarray, shift: np.ndarray, divisor: np.ndarray) -> np.ndarray:
    """``(points - shift) / divisor``, each a number for every column.

    Examples
    --------
    >>> shifted_and_divided(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1.0, 2.0]), np.array([2.0, 4.0])).tolist()
    [[0.0, 0.0], [1.0, 0.5]]
    """
    if points.ndim != 2 or points.shape[1] >= SHORT_ROW:
        return np.asarray((points - shift) / divisor)
    columns = np.array(points.T, dtype=float, order="C")
    columns -= shift[:, None]
    columns /= divisor[:, None]
    return np.ascontiguousarray(columns.T)


def multiplied_and_shifted(points: np.ndarray, factor: np.ndarray, shift: np.ndarray) -> np.ndarray:
    """``points * factor + shift``, each a number for every column: back again.

    Examples
    --------
    >>> multiplied_and_shifted(np.array([[0.0, 0.0], [1.0, 0.5]]), np.array([2.0, 4.0]), np.array([1.0, 2.0])).tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    if points.ndim != 2 or points.shape[1] >= SHORT_ROW:
        return np.asarray(points * factor + shift)
    columns = np.array(points.T, dtype=float, order="C")
    columns *= factor[:, None]
    columns += shift[:, None]
    return np.ascontiguousarray(columns.T)
