"""Many rows a block at a time, so that memory stays flat however many there are."""

from __future__ import annotations

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


def blocks(n: int, width: int = 1) -> list[slice]:
    """Slices that cut `n` rows into blocks; rows that need `width` numbers each come in smaller ones."""
    rows = max(BLOCK_NUMBERS // width, FEWEST_BLOCK_ROWS) if width * BLOCK_ROWS > BLOCK_NUMBERS else BLOCK_ROWS
    return [slice(start, min(start + rows, n)) for start in range(0, n, rows)]


def in_cache(n: int, width: int) -> list[slice]:
    """The same for rows of `width` numbers that a core goes through many times, each block with at least half as many rows as
    a row has numbers."""
    rows = max(NUMBERS_IN_CACHE // max(width, 1), width // 2, 1)
    return [slice(start, min(start + rows, n)) for start in range(0, n, rows)]
