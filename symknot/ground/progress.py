"""Telling a person how far a fit has come.

A fit calls a reporter with one `Step` per round, and one `Reading` per block where points
are read in blocks.  On a terminal, with `rich` installed,
the default reporter keeps one live line; anywhere else it is silent.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from .errors import InvalidOption, MissingExtra
from .host import in_browser


class Step(NamedTuple):
    """One round of a fit: numbers in the user's units."""

    degree: int
    eta: float
    resets: int
    residual: float

    def __str__(self) -> str:
        return (f"degree {self.degree}   eta {self.eta:.2e}   resets {self.resets}   "
                f"largest residual on the knots {self.residual:.2e}")


class Reading(NamedTuple):
    """How far one reading of points that come in blocks has got; `total` is None where nobody knows.

    Examples
    --------
    >>> print(Reading(2, 3_000_000, 10_000_000))
    reading 2   3,000,000 of 10,000,000 points
    """

    number: int
    done: int
    total: int | None
    what: str = "points"

    def __str__(self) -> str:
        of_all = "" if self.total is None else f" of {self.total:,}"
        return f"reading {self.number}   {self.done:,}{of_all} {self.what}"


Progress = bool | Callable[[Step | Reading], object] | None
"""The option of a fit: see `reporter`."""


def check_progress(progress: object) -> None:
    """Complain about a wrong `progress` option before anything is computed."""
    if not (progress is None or isinstance(progress, bool) or callable(progress)):
        raise InvalidOption("progress", progress, "None, True, False or a callable")


@contextmanager
def reporter(progress: Progress) -> Iterator[Callable[[Step | Reading], object]]:
    """The function to call with each `Step` or `Reading`.

    Parameters
    ----------
    progress : None, bool or callable
        None: a live line if standard error is a terminal and rich is installed; True: insist
        on it (in a browser: a line for each `Step`); False: silence; a callable gets every `Step`.
    """
    if callable(progress):
        yield progress
        return
    if progress is False or (progress is None and not sys.stderr.isatty()):
        yield _silent
        return
    if in_browser():                                     # rich's live line is drawn by a thread
        yield lambda step: print(step, file=sys.stderr)
        return
    try:
        from rich.console import Console
    except ImportError:
        if progress:
            raise MissingExtra("rich", "progress") from None
        yield _silent
        return
    with Console(stderr=True).status("fitting") as line:
        yield lambda step: line.update(str(step))


def _silent(step):
    pass
