"""A time limit that long computations look at between steps, or a limit of the work they do.

Exact computations are handed a `Deadline`.  Numerical ones would have to hand it through every function between a door
and a decomposition; instead a door says which deadline rules (`Deadline.ruling`), and `look` asks it, from within the
linear algebra that all of them do and from loops that do none.  What rules belongs to a thread, or a task.

Where no time was given, a door may limit the operations instead, which those who do the most of them tell `look`.  Unlike
time they are the same whenever and wherever the same is computed, and so is the result.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from .checks import positive_number
from .errors import TimeLimit, WorkLimit

CALLS_BETWEEN_LOOKS = 1000
"""Calls of functions after which `Deadline.watching` looks at the clock: about a millisecond of sympy's work."""


_RULING: ContextVar[tuple[Deadline, str] | None] = ContextVar("symknot deadline", default=None)


class Deadline:
    """A moment after which work stops.

    Parameters
    ----------
    seconds : float or None
        From now on; None for no limit.
    operations : float or None
        Multiplications, about, that may be done where `seconds` is None; None for no limit.

    Examples
    --------
    >>> Deadline(None).left is None, 0 < Deadline(60).left <= 60
    (True, True)
    """

    def __init__(self, seconds: float | None = None, operations: float | None = None) -> None:
        self.seconds = None if seconds is None else positive_number("timeout", seconds)
        self.operations = operations if seconds is None else None
        self.done = 0.0
        self._end = None if self.seconds is None else time.monotonic() + self.seconds

    @property
    def left(self) -> float | None:
        """Seconds left, at least 0; None without a limit."""
        return None if self._end is None else max(self._end - time.monotonic(), 0.0)

    def check(self, work: str) -> None:
        """Raise `TimeLimit`, or `WorkLimit`, for `work` (a noun, for the message) once time is up, or too much was done."""
        if self.seconds is not None and self.left == 0.0:
            raise TimeLimit(work, self.seconds)
        if self.operations is not None and self.done > self.operations:
            raise WorkLimit(work, self.operations)

    @contextmanager
    def ruling(self, work: str) -> Iterator[None]:
        """Within it, `look` raises `TimeLimit` for `work` once time is up; one that rules already and ends earlier goes on.

        A limit of work rules where nothing else does.

        Examples
        --------
        >>> with Deadline(1e-9).ruling("waiting"):
        ...     look()
        Traceback (most recent call last):
            ...
        symknot.ground.errors.TimeLimit: waiting: not done within 1e-09 s; raise timeout
        >>> look()
        """
        before = _RULING.get()
        goes_on = before is not None and before[0]._ends <= self._ends
        limited = self._end is not None or self.operations is not None
        token = _RULING.set(before if goes_on or not limited else (self, work))
        try:
            yield
        finally:
            _RULING.reset(token)

    @property
    def _ends(self) -> float:
        return float("inf") if self._end is None else self._end

    @contextmanager
    def watching(self, work: str) -> Iterator[None]:
        """Within it, Python code that never looks at a deadline is stopped by `TimeLimit` all the same, at its next call.

        For where no other process can be given the work.  It costs as much as a profiler does.

        Examples
        --------
        >>> with Deadline(0.05).watching("counting"):
        ...     while True: abs(1)
        Traceback (most recent call last):
            ...
        symknot.ground.errors.TimeLimit: counting: not done within 0.05 s; raise timeout
        """
        calls = 0

        def look(frame: Any, event: str, argument: Any) -> None:
            nonlocal calls
            calls += 1
            if calls % CALLS_BETWEEN_LOOKS == 0:
                self.check(work)

        before = sys.getprofile()
        sys.setprofile(look)
        try:
            yield
        finally:
            sys.setprofile(before)


def operations_done() -> float:
    """Operations that `look` was told of under the deadline that rules here; 0 where none does."""
    ruling = _RULING.get()
    return 0.0 if ruling is None else ruling[0].done


def tell(operations: float) -> None:
    """Count operations that come next, and raise nothing: for what is needed, too, to hand over what was finished."""
    ruling = _RULING.get()
    if ruling is not None:
        ruling[0].done += operations


def end_of_work() -> None:
    """Raise `WorkLimit` where operations are limited: what comes next would take more than all of them.

    Examples
    --------
    >>> end_of_work()
    >>> with Deadline(operations=1e6).ruling("multiplying"):
    ...     end_of_work()
    Traceback (most recent call last):
        ...
    symknot.ground.errors.WorkLimit: multiplying: not done within 1e+06 operations; give timeout (seconds) instead
    """
    ruling = _RULING.get()
    if ruling is not None and ruling[0].operations is not None:
        raise WorkLimit(ruling[1], ruling[0].operations)


def look(operations: float = 0.0) -> None:
    """Raise `TimeLimit` if a deadline rules here and has passed; costs a fraction of a microsecond.

    Parameters
    ----------
    operations : float
        That come next; `WorkLimit` is raised where they are limited, and were too many before these.

    Examples
    --------
    >>> with Deadline(operations=1e6).ruling("multiplying"):
    ...     for _ in range(3):
    ...         look(1e6)
    Traceback (most recent call last):
        ...
    symknot.ground.errors.WorkLimit: multiplying: not done within 1e+06 operations; give timeout (seconds) instead
    """
    ruling = _RULING.get()
    if ruling is not None:
        ruling[0].check(ruling[1])
        ruling[0].done += operations
