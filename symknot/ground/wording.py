"""Small pieces of sentences."""

from __future__ import annotations

SHOWN_CHARACTERS = 40
"""Of a wrong value, in messages: a convention, half a line."""


def counted(number: int, noun: str) -> str:
    """A number with its noun, in the plural unless it is one."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def beginning(value: object) -> str:
    """The first characters of `value` as text, for messages.

    Examples
    --------
    >>> len(beginning(10**100))
    40
    """
    return str(value)[:SHOWN_CHARACTERS]
