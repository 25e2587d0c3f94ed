"""Tables in text files: separator, decimal mark and encoding as told, else found out.

A file of numbers with nothing else in it is read by numpy, all at once; anything else row by row.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..ground.errors import InvalidPoints
from .assembling import Row, assembled, checked_header, split_header
from .cells import AmbiguousDecimals, decimal_of, doubtful_point, is_missing, is_number
from .decoding import PLAIN_ENCODINGS, text_of, unpacked
from .sniffing import SPACE, WORDS, cells_of_lines, decimal_option, separator_of, separator_option, without_comments
from .tables import Table

_WITH_COMMA = re.compile(r"[0-9.]*,[0-9.,]*")
_TOLD_BY_EXCEL = re.compile(r'"?sep=(.)"?')
ROWS_OF_A_SAMPLE = 51
"""Rows in which a header is looked for: as many as `assembling` looks at, and the header itself."""


class TextOptions(NamedTuple):
    """How a text file is to be read; None finds it out."""

    sep: str | None = None
    decimal: str | None = None
    encoding: str | None = None


FOUND_OUT = TextOptions()
"""Nothing is told."""


def read_text(path: Path, options: TextOptions = FOUND_OUT, name: str | None = None) -> Table:
    """The table in a text file.

    Parameters
    ----------
    path : Path
    options : TextOptions
    name : str, optional
        What messages call it.
    """
    file = str(path) if name is None else name
    told, decimal = separator_option(options.sep), decimal_option(options.decimal)
    text, encoding = text_of(unpacked(path.read_bytes(), file), options.encoding, file)
    lines, comments = without_comments(text)
    by_excel = _TOLD_BY_EXCEL.fullmatch(lines[0][1].strip()) if lines else None
    if by_excel:
        told, lines = told or by_excel[1], lines[1:]
    sep = separator_of(lines, told, decimal)
    table = None if '"' in text else _all_numbers(lines, sep, decimal, file)
    if table is None:
        rows: list[Row] = list(cells_of_lines(lines, sep, file))
        table = assembled(rows, file, decimal)
    if table.names is None:
        table = _named_by_comment(table, comments, sep)
    called = WORDS.get(sep, repr(sep)) if sep.isspace() else repr(sep)
    facts = [f"separator {called}"] if sep != "," and table.width > 1 else []
    if encoding not in PLAIN_ENCODINGS and (not text.isascii() or encoding.startswith(("utf-16", "utf-32"))):
        facts.append(f"encoding {encoding}")
    if decimal is None and sep != "," and '"' not in text and "decimal comma" not in table.facts:
        facts += _doubts(lines[:ROWS_OF_A_SAMPLE], sep, file)
    return replace(table, facts=(*facts, *table.facts))


def _doubts(lines: Sequence[tuple[int, str]], sep: str, file: str) -> list[str]:
    """What to say about numbers such as 1.234 beside 17."""
    columns = zip_longest(*(row for _, row in cells_of_lines(lines, sep, file)), fillvalue="")
    found = next(filter(None, map(doubtful_point, columns)), None)
    return [] if found is None else [f"decimal point in {found} (if it groups thousands, say so: --decimal ,)"]


def _all_numbers(lines: Sequence[tuple[int, str]], sep: str, decimal: str | None, file: str) -> Table | None:
    """The table of lines of numbers without gaps, below a header or none; None if they are anything else."""
    lines = _without_blank_ends(lines)
    sample: list[Row] = list(cells_of_lines(lines[:ROWS_OF_A_SAMPLE], sep, file))
    if len(lines) < 2 or not sample:
        return None
    header, body = split_header(sample)
    if not body or body[-1][0] - body[0][0] != len(body) - 1:
        return None
    first = 0 if header is None else 1
    texts = [line for _, line in lines[first:]]
    if sep != ",":
        decimal = _decimal_of_lines(texts) if decimal is None else decimal
        if decimal == ",":
            texts = [text.replace(",", ".") for text in texts] if not any("." in text for text in texts) else []
    if not texts or decimal is None and sep != ",":
        return None
    try:
        numbers = np.loadtxt(texts, delimiter=None if sep == SPACE else sep, comments=None, ndmin=2)
    except ValueError:
        return None
    width = numbers.shape[1]
    if len(numbers) != len(texts) or header is not None and len(header[1]) != width:
        return None
    names = None if header is None else checked_header(header, width, file)
    start, last = lines[first][0], lines[-1][0]
    numbered = range(start, last + 1) if last - start == len(texts) - 1 else [number for number, _ in lines[first:]]
    return Table(names, tuple(np.ascontiguousarray(numbers.T)), numbered, file,
                 ("decimal comma",) if decimal == "," else ())


def _without_blank_ends(lines):
    """The lines from the first to the last that is not blank."""
    begin = next((place for place, (_, line) in enumerate(lines) if line.strip()), len(lines))
    end = len(lines)
    while end > begin and not lines[end - 1][1].strip():
        end -= 1
    return lines[begin:end]


def _decimal_of_lines(texts: Sequence[str]) -> str | None:
    try:
        return decimal_of(found for text in texts if "," in text for found in _WITH_COMMA.findall(text))
    except AmbiguousDecimals:
        return None                                               # complained about with its place, row by row


def _named_by_comment(table: Table, comments: Sequence[tuple[int, str]], sep: str) -> Table:
    """With the names in the comment right above the table, if it has one for each column, as numpy writes them."""
    if not comments or not table.lines:
        return table
    number, line = max((comment for comment in comments if comment[0] < table.lines[0]), default=(0, ""))
    try:
        names = next((row for _, row in cells_of_lines([(1, line.lstrip().lstrip("#%").strip())], sep, "")), [])
    except InvalidPoints:
        return table
    names = [name.strip() for name in names]
    if number != table.lines[0] - 1 or len(names) != table.width or len(set(names)) < len(names):
        return table
    if any(is_missing(name) or is_number(name) for name in names):
        return table
    return replace(table, names=tuple(names), facts=(*table.facts, f"names from the comment in line {number}"))
