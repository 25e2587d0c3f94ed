"""Many rows a block at a time, so that memory stays flat however many there are."""

from __future__ import annotations

BLOCK_ROWS = 8192
"""Rows of a block that needs few numbers each: enough to hide the cost of a call."""
BLOCK_NUMBERS = 2**20
"""Numbers of a block at most (8 MiB in doubles): about what stays in a processor's cache."""


def blocks(n: int, width: int = 1) -> list[slice]:
    """Slices that cut `n` rows into blocks; rows that need `width` numbers each come in smaller ones."""
    rows = max(BLOCK_NUMBERS // width, 128) if width * BLOCK_ROWS > BLOCK_NUMBERS else BLOCK_ROWS
    return [slice(start, min(start + rows, n)) for start in range(0, n, rows)]
