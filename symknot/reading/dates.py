"""Dates and times of day as numbers: seconds, or days where there are dates alone.

Written with the year first, or with dots and the day first, they can be read in one way only.  With slashes the day or
the month comes first: whichever is above twelve somewhere decides, and where nothing does they are refused.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .cells import is_missing

SECONDS_OF_A_DAY = 86_400
LOOKED_AT = 50
"""Cells that decide whether a column of text holds dates: a convention; all are read when they are needed."""
MOST_MONTHS = 12
_CLOCK = r"(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2})(?:[.,](?P<part>[0-9]+))?)?"
_ZONE = r"(?:\s*(?P<zone>Z|UTC|[+-][0-9]{2}:?[0-9]{2}))?"
_AFTER = rf"(?:(?:T|\s+){_CLOCK}{_ZONE})?"
_YEAR_FIRST = re.compile(r"(?P<year>[0-9]{4})(?P<mark>[-/.])(?P<month>[0-9]{1,2})(?P=mark)(?P<day>[0-9]{1,2})" + _AFTER)
_DAY_FIRST = re.compile(r"(?P<day>[0-9]{1,2})\.(?P<month>[0-9]{1,2})\.(?P<year>[0-9]{4})" + _AFTER)
_EITHER_FIRST = re.compile(r"(?P<one>[0-9]{1,2})(?P<mark>[-/])(?P<two>[0-9]{1,2})(?P=mark)(?P<year>[0-9]{4})" + _AFTER)
_TIME_OF_DAY = re.compile(_CLOCK)
_FORMS = (_YEAR_FIRST, _DAY_FIRST, _EITHER_FIRST, _TIME_OF_DAY)


class Moments(NamedTuple):
    """Dates as numbers.

    Attributes
    ----------
    values : (n,) array
        NaN where missing.
    unit : str
        "seconds" or "days".
    since : str
        What zero is: the first of the dates, or midnight.
    """

    values: np.ndarray
    unit: str
    since: str


class UnreadableDate(ValueError):
    """A cell is no date, or one that can be read in two ways; `row` says which cell."""

    def __init__(self, message: str, row: int) -> None:
        super().__init__(message)
        self.row = row


def hold_dates(cells: np.ndarray) -> bool:
    """Whether a column holds dates, durations or times of day (and missing cells).

    Examples
    --------
    >>> [hold_dates(np.array(cells, dtype=object)) for cells in (["2020-01-31", ""], ["12:30:01"], ["2020"], [""])]
    [True, True, False, False]
    """
    if cells.dtype.kind in "mM":
        return True
    if cells.dtype != object:
        return False
    found = [cell for cell in cells[:LOOKED_AT] if not is_missing(cell)]
    return bool(found) and all(_is_date(cell) for cell in found)


def moments_of(cells: np.ndarray) -> Moments:
    """The dates of a column as numbers, from its first date on.

    Raises
    ------
    UnreadableDate
        Naming the first cell that is none.

    Examples
    --------
    >>> moments_of(np.array(["2020-02-28", "2020-03-01"], dtype=object))
    Moments(values=array([0., 2.]), unit='days', since='2020-02-28')
    >>> moments_of(np.array(["10:00:00", "10:00:30.5"], dtype=object))
    Moments(values=array([36000. , 36030.5]), unit='seconds', since='midnight')
    """
    if cells.dtype.kind == "m":
        return Moments(_in_seconds(cells), "seconds", "zero")
    if cells.dtype.kind == "M":
        return _since_the_first(cells.astype("datetime64[ns]"))
    cells = np.array([cell.isoformat() if isinstance(cell, dt.time) else cell for cell in cells], dtype=object)
    texts = [cell for cell in cells if isinstance(cell, str) and not is_missing(cell)]
    if texts and all(_TIME_OF_DAY.fullmatch(text.strip()) for text in texts):
        return Moments(np.array([_seconds_of_clock(cell) for cell in cells]), "seconds", "midnight")
    day_first = _day_first(texts)
    moments = np.full(len(cells), np.datetime64("NaT"), dtype="datetime64[ns]")
    for row, cell in enumerate(cells):
        if not is_missing(cell):
            moments[row] = _moment(cell, day_first, row)
    return _since_the_first(moments)


def _since_the_first(moments: np.ndarray) -> Moments:
    there = moments[~np.isnat(moments)]
    if not len(there):
        return Moments(np.full(len(moments), np.nan), "seconds", "zero")
    first = there[0]
    daily = bool((there == there.astype("datetime64[D]")).all())
    seconds = _in_seconds(moments - first)
    since = str(first.astype("datetime64[D]" if daily else "datetime64[s]"))
    return Moments(seconds / SECONDS_OF_A_DAY if daily else seconds, "days" if daily else "seconds", since)


def _in_seconds(durations: np.ndarray) -> np.ndarray:
    nanoseconds = durations.astype("timedelta64[ns]")
    return np.where(np.isnat(nanoseconds), np.nan, nanoseconds.astype(np.int64) / 1e9)


def _is_date(cell: Any) -> bool:
    if isinstance(cell, str):
        return any(form.fullmatch(cell.strip()) for form in _FORMS)
    return isinstance(cell, (dt.date, dt.time, np.datetime64))


def _day_first(texts: Sequence[str]) -> bool | None:
    """Of dates with slashes; None where nothing decides."""
    pairs = [(int(match["one"]), int(match["two"]))
             for text in texts if (match := _EITHER_FIRST.fullmatch(text.strip()))]
    first, second = (any(pair[k] > MOST_MONTHS for pair in pairs) for k in (0, 1))
    return first if first != second else None


def _moment(cell: Any, day_first: bool | None, row: int) -> np.datetime64:
    try:
        if isinstance(cell, str):
            return np.datetime64(_datetime(cell.strip(), day_first, row), "ns")
        if isinstance(cell, dt.datetime) and cell.tzinfo is not None:
            cell = cell.astimezone(dt.timezone.utc).replace(tzinfo=None)
        if isinstance(cell, dt.date):
            return np.datetime64(cell, "ns")
        if isinstance(cell, np.datetime64):
            return cell.astype("datetime64[ns]")
    except UnreadableDate:
        raise
    except (ValueError, OverflowError):
        pass
    raise UnreadableDate(f"must be a date such as 2020-01-31 or 2020-01-31 12:30:00, got {cell!r:.60}", row)


def _datetime(text: str, day_first: bool | None, row: int) -> dt.datetime:
    match = next((found for form in _FORMS[:-1] if (found := form.fullmatch(text))), None)
    if match is None:
        raise ValueError
    parts = match.groupdict()
    if "one" in parts:
        if day_first is None:
            raise UnreadableDate(f"{text} may begin with the day or with the month; write the year first: 2020-01-31", row)
        parts["day"], parts["month"] = (parts["one"], parts["two"])[::1 if day_first else -1]
    moment = dt.datetime(int(parts["year"]), int(parts["month"]), int(parts["day"]))
    moment += dt.timedelta(seconds=_clock_seconds(parts))
    zone = parts["zone"]
    if zone is not None and zone not in ("Z", "UTC"):
        ahead = dt.timedelta(hours=int(zone[1:3]), minutes=int(zone[-2:]))
        moment -= ahead if zone[0] == "+" else -ahead
    return moment


def _seconds_of_clock(cell: Any) -> float:
    match = _TIME_OF_DAY.fullmatch(cell.strip()) if isinstance(cell, str) else None
    return float("nan") if match is None else _clock_seconds(match.groupdict())


def _clock_seconds(parts: dict[str, str | None]) -> float:
    hours, minutes, seconds = (int(parts[part] or 0) for part in ("hour", "minute", "second"))
    return 3600 * hours + 60 * minutes + seconds + float(f"0.{parts['part'] or 0}")
