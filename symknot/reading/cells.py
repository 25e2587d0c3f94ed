"""Cells: when one is missing, and which number its text is.

Numbers may have a decimal point or comma, groups of three digits, and an exponent after e or, as Fortran writes it, d.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from math import isnan
from typing import Any

import numpy as np

MISSING_WORDS = frozenset({
    "na", "n/a", "#n/a", "#na", "<na>", "nan", "-nan", "nat", "null", "none", "nil", "missing", "-", "--", "?", ".", "...",
    "#div/0!", "#value!", "#ref!", "#name?", "#num!", "#null!", "1.#ind", "-1.#ind", "1.#qnan", "-1.#qnan"})
"""What programs and people write where there is no number, in lower case: a convention."""
TRUTH = {"true": 1.0, "false": 0.0}
"""Truth values as text, in lower case."""
DECIMALS = (".", ",")
"""What may stand before the decimals of a number."""
MARKS_LOOKED_AT = 1000
"""Numbers with a point or comma that decide which of them is for decimals, once one of them has: a convention; what
contradicts them further down is no number, and complained about as such."""
MOST_TITLES = 20
"""Lines above a header that may be titles: a convention."""
_GROUPING = "'’\u00a0\u2009\u202f "
"""What stands between groups of three digits beside the other of point and comma: apostrophes and narrow spaces."""
_NUMBER = {
    point: re.compile(rf"[+-]?(?:[0-9]+(?:{re.escape(point)}[0-9]*)?|{re.escape(point)}[0-9]+)(?:[eEdD][+-]?[0-9]+)?")
    for point in DECIMALS}
_GROUPED = {
    point: re.compile(rf"[+-]?[0-9]{{1,3}}(?:([{re.escape(other)}{_GROUPING}])[0-9]{{3}})(?:\1[0-9]{{3}})*"
                      rf"(?:{re.escape(point)}[0-9]*)?(?:[eE][+-]?[0-9]+)?")
    for point, other in zip(DECIMALS, DECIMALS[::-1])}
_SPECIAL = re.compile(r"[+-]?(?:inf(?:inity)?|nan)", re.IGNORECASE)
_WITH_MARKS = re.compile(r"[+-]?[0-9]*[.,][0-9.,]*(?:[eEdD][+-]?[0-9]+)?")
_BETWEEN_GROUPS = re.compile(rf"(?<=[0-9])[{_GROUPING}](?=[0-9]{{3}})")
_ONE_GROUP = re.compile(r"[+-]?[1-9][0-9]{0,2}[.,][0-9]{3}")
_NO_GROUP = re.compile(r"[+-]?[0-9]{1,3}")
_GROUPS = re.compile(r"[+-]?[0-9]{1,3}(?:([.,])[0-9]{3})(?:\1[0-9]{3})+")


class AmbiguousDecimals(ValueError):
    """Nothing tells decimals from groups of three digits; the text of such a cell is the only argument."""


def is_blank(cell: Any) -> bool:
    """Whether a cell holds nothing: None, NaN, pandas' NA or NaT, or blank text.

    Examples
    --------
    >>> [is_blank(cell) for cell in (None, float("nan"), "  ", 0.0, "n/a")]
    [True, True, True, False, False]
    """
    if isinstance(cell, str):
        return not cell or cell.isspace()
    if isinstance(cell, float):
        return isnan(cell)
    # pandas.NA compares to neither True nor False, and pandas need not be installed to ask
    return cell is None or type(cell).__name__ in ("NAType", "NaTType")


def is_missing(cell: Any) -> bool:
    """Whether a cell holds nothing, or a word that says so.

    Examples
    --------
    >>> [is_missing(cell) for cell in (None, float("nan"), "  ", "n/a", 0.0, "nothing")]
    [True, True, True, True, False, False]
    """
    return is_blank(cell) or isinstance(cell, str) and cell.strip().lower() in MISSING_WORDS


def number_of(text: str, decimal: str = ".") -> float | None:
    """The number that a text is, None if it is none.

    Examples
    --------
    >>> number_of(" 1,234.5 "), number_of("1.234,5", ","), number_of("1.5D+03"), number_of("1_000"), number_of("five")
    (1234.5, 1234.5, 1500.0, None, None)
    """
    text = text.strip().replace("\u2212", "-")
    if _SPECIAL.fullmatch(text):
        return float(text)
    if not _NUMBER[decimal].fullmatch(text):
        grouped = _GROUPED[decimal].fullmatch(text)
        if grouped is None:
            return None
        text = text.replace(grouped.group(1), "")
    return float(text.replace(decimal, ".").replace("d", "e").replace("D", "e"))


def is_number(cell: Any, decimal: str = ".") -> bool:
    """Whether a cell is a number, or the text of one."""
    if isinstance(cell, str):
        return number_of(cell, decimal) is not None
    return isinstance(cell, (int, float, np.number)) and not is_blank(cell)


def is_any_number(cell: Any) -> bool:
    """Whether a cell is a number with a decimal point or comma."""
    return is_number(cell) or is_number(cell, ",")


def titles_above(rows: Sequence[Sequence[Any]]) -> int:
    """How many rows of one cell of text stand above a header of several, at most two rows above numbers.

    Examples
    --------
    >>> titles_above([["Station 7", ""], ["x", "y"], ["mm", "mm"], ["1", "2"]]), titles_above([["x"], ["1"], ["2"]])
    (1, 0)
    """
    filled = [[cell for cell in row if not is_blank(cell)] for row in rows[:MOST_TITLES + 3]]
    count = next((k for k, cells in enumerate(filled) if len(cells) != 1 or is_any_number(cells[0])), 0)
    header, below = filled[count], [cell for cells in filled[count + 1:count + 3] for cell in cells]
    return count if len(header) > 1 and not any(map(is_any_number, header)) and any(map(is_any_number, below)) else 0


def decimal_of(texts: Iterable[str]) -> str:
    """Which of point and comma stands before decimals in these texts: "." unless one of them says otherwise.

    Raises
    ------
    AmbiguousDecimals
        All that is there is like 1,234.

    Examples
    --------
    >>> decimal_of(["1,5", "2"]), decimal_of(["1,234.5"]), decimal_of(["1.234.567"]), decimal_of(["1,5", "1.5"])
    (',', '.', ',', '.')
    """
    says: set[str] = set()
    open_to_both: dict[str, str] = {}
    seen = 0
    for text in texts:
        text = _BETWEEN_GROUPS.sub("", text.strip())
        if not _WITH_MARKS.fullmatch(text):
            continue
        marks = [mark for mark in text if mark in DECIMALS]
        if len(set(marks)) == 2:
            says.update(marks[-1] if marks.count(marks[-1]) == 1 else ())
        elif len(marks) > 1:
            says.update(_other(marks[0]) if _GROUPS.fullmatch(text) else ())
        elif _ONE_GROUP.fullmatch(text):
            open_to_both.setdefault(marks[0], text)
        else:
            says.add(marks[0])
        seen += 1
        if len(says) == 2 or says and seen >= MARKS_LOOKED_AT:
            break
    if not says and "," in open_to_both:
        raise AmbiguousDecimals(open_to_both[","])
    return says.pop() if len(says) == 1 else "."


def _other(mark: str) -> str:
    return DECIMALS[1 - DECIMALS.index(mark)]


def doubtful_point(cells: Sequence[str]) -> str | None:
    """A number of a column whose point may stand between groups of three digits instead of before decimals, if none tells.

    So it is where every point has three digits behind it, and what is below 1000 has none.

    Examples
    --------
    >>> doubtful_point(["1.234", "17", "2.000"]), doubtful_point(["1.234", "0.170"]), doubtful_point(["1.234", "17.5"])
    ('1.234', None, None)
    """
    numbers = [text for text in map(str.strip, cells) if is_number(text)]
    whole = [text for text in numbers if _NO_GROUP.fullmatch(text)]
    grouped = [text for text in numbers if _ONE_GROUP.fullmatch(text)]
    return grouped[0] if whole and grouped and len(whole) + len(grouped) == len(numbers) else None


def column_of(cells: Sequence[Any], decimal: str = ".") -> np.ndarray:
    """A column: numbers if all cells are, else objects, in which what is no number stays what it was.

    Examples
    --------
    >>> column_of(["1", "2.5"]).tolist(), column_of(["1", "n/a", "x"]).tolist(), column_of(["true", "False"]).tolist()
    ([1.0, 2.5], [1.0, 'n/a', 'x'], [1.0, 0.0])
    """
    texts = [cell for cell in cells if isinstance(cell, str)]
    true_or_false = bool(texts) and all(text.strip().lower() in TRUTH or is_missing(text) for text in texts)
    quick = not any("_" in text for text in texts)                       # float() takes 1_000, which may be a name
    kept = [_kept(cell, decimal, true_or_false, quick) for cell in cells]
    if all(type(cell) is float for cell in kept):
        return np.array(kept, dtype=float)
    column = np.empty(len(cells), dtype=object)
    column[:] = kept
    return column


def _kept(cell: Any, decimal: str, true_or_false: bool, quick: bool) -> Any:
    if not isinstance(cell, str):
        return float(cell) if isinstance(cell, (int, float, np.integer, np.floating)) else cell
    if quick and (decimal == "." or "." not in cell):
        try:
            return float(cell if decimal == "." else cell.replace(",", "."))
        except ValueError:
            pass
    if true_or_false and cell.strip().lower() in TRUTH:
        return TRUTH[cell.strip().lower()]
    number = number_of(cell, decimal)
    return cell if number is None else number
