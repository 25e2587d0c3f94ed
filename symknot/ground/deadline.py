"""A time limit that long computations look at between steps."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .checks import positive_number
from .errors import TimeLimit

CALLS_BETWEEN_LOOKS = 1000
"""Calls of functions after which `Deadline.watching` looks at the clock: about a millisecond of sympy's work."""


class Deadline:
    """A moment after which work stops.

    Parameters
    ----------
    seconds : float or None
        From now on; None for no limit.

    Examples
    --------
    >>> Deadline(None).left is None, 0 < Deadline(60).left <= 60
    (True, True)
    """

    def __init__(self, seconds: float | None = None) -> None:
        self.seconds = None if seconds is None else positive_number("timeout", seconds)
        self._end = None if self.seconds is None else time.monotonic() + self.seconds

    @property
    def left(self) -> float | None:
        """Seconds left, at least 0; None without a limit."""
        return None if self._end is None else max(self._end - time.monotonic(), 0.0)

    def check(self, work: str) -> None:
        """Raise `TimeLimit` for `work` (a noun, for the message) once time is up."""
        if self.seconds is not None and self.left == 0.0:
            raise TimeLimit(work, self.seconds)

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
