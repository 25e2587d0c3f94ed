"""A time limit that long computations look at between steps."""

from __future__ import annotations

import time

from .checks import positive_number
from .errors import TimeLimit


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
