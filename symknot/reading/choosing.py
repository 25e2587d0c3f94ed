"""Which columns of a file are variables: not text, dates, row numbers, or what never changes.

Nothing is left out in silence: who leaves a column out gets a sentence to hand on.  Columns that were asked for by name
are taken, or refused by name where they hold no numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..ground.errors import InvalidPoints
from ..ground.wording import counted
from .cells import is_missing, is_number
from .dates import hold_dates
from .tables import PLAIN_NUMBERS, Table

ROW_NUMBER_NAMES = frozenset({
    "", "#", "id", "idx", "index", "row", "rows", "row id", "row number", "rownumber", "rownames", "row names", "row no", "no",
    "no.", "nr", "nr.", "number", "obs", "observation", "record", "unnamed: 0", "level 0", "index level 0"})
"""What columns are called that may number the rows, in lower case, "_" as a space: a convention."""
MOST_NUMBERS_IN_TEXT = 0.1
"""Share of numbers up to which a column that has other cells is taken as text; above, what is no number is a mistake.  A
convention."""
OF_THE_FILE = "read "
"""How the sentence about a file as a whole begins."""
LONGEST_WORD = 40
"""Characters of a cell that a note shows: a convention."""
MOST_NAMED = 8
"""Columns that a note names before it only counts them: about a line."""


def kind_of_column(table: Table, column: int) -> str:
    """What a column holds: "numbers", "text", "dates", "nothing", "row numbers" or "constant".

    Examples
    --------
    >>> table = Table.of_rows([["a", 1, 0, 7, "2020-01-31"], ["b", 2, 5, 7, "2020-02-01"]], ["s", "id", "x", "c", "d"])
    >>> [kind_of_column(table, j) for j in range(5)]
    ['text', 'row numbers', 'numbers', 'constant', 'dates']
    """
    cells = table.cells[column]
    if cells.dtype.kind not in PLAIN_NUMBERS:
        if hold_dates(cells):
            return "dates"
        texts = Counter(cell for cell in cells if isinstance(cell, str))
        gaps = sum(map(is_missing, cells))
        if gaps == len(cells) > 0:
            return "nothing"
        words = sum(count for text, count in texts.items() if not is_missing(text) and not is_number(text))
        if words:
            there = len(cells) - gaps
            return "text" if there - words <= MOST_NUMBERS_IN_TEXT * there else "numbers"
        try:
            cells = np.array([np.nan if is_missing(cell) else float(cell) for cell in cells])
        except (TypeError, ValueError, OverflowError):
            return "numbers"                                     # something odd, which is complained about when it is used
    return _kind_of_numbers(table, column, cells.astype(float))


def _kind_of_numbers(table: Table, column: int, numbers: np.ndarray) -> str:
    if len(numbers) and np.isnan(numbers).all():
        return "nothing"
    if len(numbers) < 2:
        return "numbers"
    with np.errstate(all="ignore"):                              # infinite numbers are complained about when they are used
        counting = bool((numbers[1:] - numbers[:-1] == 1).all())
    if table.names is not None and counting and float(numbers[0]).is_integer():
        name = table.names[column].strip().strip("_").lower().replace("_", " ")
        if name in ROW_NUMBER_NAMES or name == str(column + 1):               # a blank name has become the column's number
            return "row numbers"
    return "constant" if (numbers == numbers[0]).all() else "numbers"


def usable(table: Table, columns: Sequence[int]) -> tuple[list[int], list[str]]:
    """Those of `columns` that can be variables, and sentences about the others.

    Raises
    ------
    InvalidPoints
        None is left, or one that was asked for by name holds no numbers.
    """
    kinds = {j: kind_of_column(table, j) for j in columns}
    for j, kind in kinds.items():
        if table.columns[j] in table.asked and kind in ("text", "dates", "nothing"):
            raise InvalidPoints(_refusal(table, j, kind), column=table.columns[j], **_first_place(table, j))
    kept = [j for j in columns if kinds[j] == "numbers" or table.columns[j] in table.asked]
    if not kept:                                              # points that are all the same are points all the same
        kept = [j for j in columns if kinds[j] == "constant"]
    out = [j for j in columns if j not in kept]
    if not kept:
        raise InvalidPoints(f"no column of numbers is left: {'; '.join(_sentences(table, out, kinds))}; if separator or "
                            "decimal mark were found out wrongly, tell them: read(..., sep=\";\", decimal=\",\") or --sep, "
                            "--decimal", file=table.file)
    return kept, [f"left out: {sentence}" for sentence in _sentences(table, out, kinds)]


def _first_place(table: Table, column: int) -> dict:
    there = [row for row, cell in enumerate(table.cells[column]) if not is_missing(cell)]
    return table.place(there[0]) if there else {} if table.file is None else {"file": table.file}


def _refusal(table: Table, column: int, kind: str) -> str:
    cell = _first_word(table, column)
    what = {"text": f"holds text such as {cell!r:.{LONGEST_WORD}}", "dates": f"holds dates such as {cell!s:.{LONGEST_WORD}}",
            "nothing": "is empty"}[kind]
    return f"{what}, not numbers, but was asked for; take it out of columns"


def _first_word(table: Table, column: int) -> Any:
    return next((cell for cell in table.cells[column] if not is_missing(cell)), None)


def _sentences(table: Table, out: Sequence[int], kinds: dict[int, str]) -> list[str]:
    said = []
    for kind, one, many in (("text", "holds text", "hold text"), ("dates", "holds dates", "hold dates"),
                            ("nothing", "is empty", "are empty"), ("row numbers", "numbers the rows", "number the rows")):
        of_kind = [j for j in out if kinds[j] == kind]
        if of_kind:
            word = _first_word(table, of_kind[0])
            such = f" such as {word!r:.{LONGEST_WORD}}" if kind == "text" and len(of_kind) == 1 else ""
            said.append(f"{_columns(table, of_kind)} {one if len(of_kind) == 1 else many}{such}")
    for j in out:
        if kinds[j] == "constant":
            said.append(f"column {table.columns[j]!r} is {float(table.cells[j][0]):g} in every row")
    return said


def _columns(table: Table, columns: Sequence[int]) -> str:
    names = ", ".join(repr(table.columns[j]) for j in columns[:MOST_NAMED])
    more = f" and {len(columns) - MOST_NAMED} more" if len(columns) > MOST_NAMED else ""
    return f"column{'s' if len(columns) > 1 else ''} {names}{more}"


def variables_of(table: Table) -> Table:
    """The table of the columns that points have, in a table that was read from a file; others stay as they are.

    Its `notes` say what was left out.
    """
    if not table.choosing:
        return table
    chosen, notes = table, list[str]()
    if table.missing == "drop":
        numeric = [j for j in range(table.width) if kind_of_column(table, j) not in ("text", "dates", "nothing")]
        chosen, notes = _without_gaps(table, numeric)
    kept, about = usable(chosen, range(table.width))
    return replace(chosen.select(kept), choosing=False, notes=(*summary(table, len(kept), bool(about or notes)), *about,
                                                               *notes))


def _without_gaps(table: Table, columns: Sequence[int]) -> tuple[Table, list[str]]:
    gaps = np.isnan(table.numbers(columns)).any(axis=1)
    if not gaps.any():
        return table, []
    rows = np.flatnonzero(gaps)
    return table.keep(~gaps), [f"left out: {counted(len(rows), 'row')} with missing values, {table.some_rows(rows)}"]


def summary(table: Table, used: int, more: bool) -> list[str]:
    """The sentence about a file as a whole, if there is anything out of the ordinary."""
    if table.file is None or not table.facts and not more:
        return []
    columns = counted(table.width, "column") if used == table.width else f"{used} of {counted(table.width, 'column')}"
    return [f"{OF_THE_FILE}{table.file}: {', '.join((*table.facts, counted(table.count, 'row'), columns))}"]
