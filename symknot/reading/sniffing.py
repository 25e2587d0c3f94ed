"""How a text file separates its cells: whichever makes lines equally long and cells numbers."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from ..ground.errors import InvalidOption, InvalidPoints
from .cells import DECIMALS, MISSING_WORDS, is_missing, is_number, titles_above

SPACE = " "
"""The separator that stands for any number of spaces and tabs."""
SEPARATORS = (",", ";", "\t", "|", SPACE)
"""Separators that are looked for, those preferred in doubt first."""
WORDS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe", SPACE: "space"}
"""What they are called."""
COMMENTS = ("#", "%")
"""How lines begin that are no part of the table."""
LINES_LOOKED_AT = 100
"""Lines that decide about the separator: a convention."""
_SHARE_OF_ONE_COLUMN = 0.4
"""What a single column's lines are worth beside those of several: a convention, less than what two lines in three with
as many cells as the header are worth, so that lines too short are complained about instead of joined."""
_SHARE_OF_OTHER_WIDTH = 0.3
"""What lines are worth that have not as many cells as the header: a convention, as above."""
_SHARE_OF_HEADER_WITH_SEPARATORS = 0.1
"""What a single column is worth whose name has a separator in it: a convention; it is rather a header of several."""
_LEAST = 0.01
"""Worth of cells that are no numbers, so that tables of words have a separator too."""
_WORD = re.compile(r'"(?:[^"]|"")*"(?=\s|$)|\S+')


def separator_option(sep: object) -> str | None:
    """The separator that was asked for: a character, or its name.

    Examples
    --------
    >>> separator_option("tab"), separator_option("\\\\t"), separator_option(";"), separator_option(None)
    ('\\t', '\\t', ';', None)
    """
    if sep is None:
        return None
    named = {**{word: mark for mark, word in WORDS.items()}, "\\t": "\t", "whitespace": SPACE}
    found = named.get(str(sep), sep)
    if not isinstance(found, str) or len(found) != 1 or found.isalnum() or found in '"\n\r.+-':
        raise InvalidOption("sep", sep, f"one character, or one of {', '.join(WORDS.values())}")
    return found


def decimal_option(decimal: object) -> str | None:
    """The decimal mark that was asked for: a character, or its name."""
    found = {"point": ".", "comma": ","}.get(str(decimal), decimal)
    if found is not None and found not in DECIMALS:
        raise InvalidOption("decimal", decimal, "'.' or ','")
    return None if found is None else str(found)


def without_comments(text: str) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    """The lines of a table with their numbers, and its comments: lines that begin with # or % outside of quotes.

    Examples
    --------
    >>> without_comments("# a\\n1,2\\n% b\\n3,4")
    ([(2, '1,2'), (4, '3,4')], [(1, '# a'), (3, '% b')])
    """
    lines = text.split("\n")
    if not any(mark in text for mark in COMMENTS):
        return list(enumerate(lines, start=1)), []
    kept, comments = [], []
    quoted = False
    for number, line in enumerate(lines, start=1):
        if not quoted and _is_comment(line):
            comments.append((number, line))
            continue
        quoted ^= line.count('"') % 2 == 1
        kept.append((number, line))
    return kept, comments


def _is_comment(line: str) -> bool:
    stripped = line.lstrip()
    # a first cell may say that it is missing: #N/A
    return stripped.startswith(COMMENTS) and re.split(r"[,;\t| ]", stripped, maxsplit=1)[0].lower() not in MISSING_WORDS


def cells_of_lines(lines: Sequence[tuple[int, str]], sep: str, file: str) -> Iterator[tuple[int, list[str]]]:
    """The cells of each row, with the number of its last line; empty lines are none.

    Raises
    ------
    InvalidPoints
        A quote is not closed, or what follows a closing one is no separator.
    """
    if sep == SPACE:
        for number, line in lines:
            words = [word[1:-1].replace('""', '"') if len(word) > 1 and word[0] == word[-1] == '"' else word
                     for word in _WORD.findall(line)]
            if words:
                yield number, words
        return
    reader = csv.reader((f"{line}\n" for _, line in lines), delimiter=sep, skipinitialspace=sep != "\t", strict=True)
    start = 0
    try:
        for row in reader:
            start = reader.line_num
            if row:
                yield lines[reader.line_num - 1][0], row
    except csv.Error as error:
        raise InvalidPoints(_broken(str(error)), file=file, line=lines[min(start, len(lines) - 1)][0]) from None


def _broken(error: str) -> str:
    if "field limit" in error:
        return (f"a cell is longer than {csv.field_size_limit()} characters; is a quote \" not closed, or is this no "
                "table?")
    if "end of data" in error:
        return 'a quote " is opened here and never closed; close it, or write "" for a quote inside quotes'
    return f'quotes are not used as CSV does ({error}); write "" for a quote inside quotes'


def separator_of(lines: Iterable[tuple[int, str]], told: str | None, decimal: str | None) -> str:
    """The separator of a text file's lines: `told`, or the one that fits best.

    Examples
    --------
    >>> separator_of([(1, "x;y"), (2, "1,5;2,5")], None, None), separator_of([(1, "1, 2"), (2, "3, 4")], None, None)
    (';', ',')
    """
    if told is not None:
        return told
    sample = list(islice(((number, line) for number, line in lines if line.strip()), LINES_LOOKED_AT))
    worth = {sep: _worth(sample, sep, decimal) for sep in SEPARATORS if sep != decimal}
    best = max(worth, key=lambda sep: worth[sep])             # of equal ones the first
    return best if worth[best] > 0 else ","


def _worth(sample: Sequence[tuple[int, str]], sep: str, decimal: str | None) -> float:
    """How well a separator fits: lines of equal length as a share of all, times numbers as a share of the cells."""
    try:
        rows = [row for _, row in cells_of_lines(sample, sep, "")]
    except InvalidPoints:
        rows = [re.split(r"\s+", line.strip()) if sep == SPACE else line.split(sep) for _, line in sample]
    if not rows:
        return 0.0
    rows = rows[titles_above(rows):]
    widths = Counter(map(len, rows[1:] or rows))
    width = max(widths, key=lambda size: (widths[size], size))
    cells = [cell for row in rows[1:] or rows for cell in row if not is_missing(cell)]
    marks = DECIMALS if decimal is None else (decimal,)
    numbers = sum(any(is_number(cell, mark) for mark in marks) for cell in cells) / max(len(cells), 1)
    even = sum(len(row) == width for row in rows) / len(rows)
    same = 1.0 if len(rows[0]) == width else _SHARE_OF_OTHER_WIDTH
    worth = (numbers + _LEAST) * even * same
    if width > 1:
        return worth
    several = not is_number(rows[0][0], ",") and any(mark in rows[0][0] for mark in SEPARATORS if mark != SPACE)
    return worth * _SHARE_OF_ONE_COLUMN * (_SHARE_OF_HEADER_WITH_SEPARATORS if several else 1.0)
