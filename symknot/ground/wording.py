"""Small pieces of sentences."""

from __future__ import annotations

import re

SHOWN_CHARACTERS = 40
"""Of a wrong value, in messages: a convention, half a line."""


_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""What a terminal obeys instead of showing it: control characters but tabs and ends of lines, the second set of them
(C1), marks that turn the direction of text, and halves of characters."""


def visible(text: object) -> str:
    """A text as it may be printed: what a terminal would obey is shown as Python writes it.

    Names, files and other programs bring texts; a terminal that prints them would change colours, its title, or the order
    of letters.

    Examples
    --------
    >>> visible("a\\x1b[31mb\\u202e")
    'a\\\\x1b[31mb\\\\u202e'
    """
    return _UNSEEN.sub(lambda found: found[0].encode("unicode_escape").decode(), str(text))


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
