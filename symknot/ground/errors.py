"""What can go wrong, in words.

Bad input raises: every exception here derives from :class:`SymknotError` and from
the built-in a caller would expect (``ValueError``, ``ImportError``, ...).  A fit
that ran but did not end the way one hopes does not raise; it ends with a
:class:`Status`, and its result says what to change.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .wording import visible

if TYPE_CHECKING:
    import numpy as np


class SymknotError(Exception):
    """Base of everything this package raises on purpose; its text can be printed, whatever it quotes."""

    def __str__(self) -> str:
        return visible(super().__str__())


class InvalidPoints(SymknotError, ValueError):
    """The points cannot be used.

    `row` (from 0) and `column` name the place when there is one, `file` the file and `line` (from 1) the line of it.

    Examples
    --------
    >>> error = InvalidPoints("must be finite, got nan", row=17, column="y")
    >>> str(error), error.row, error.column
    ("points: row 17, column 'y': must be finite, got nan", 17, 'y')
    >>> str(InvalidPoints("must be a number, got 'five'", file="data.csv", line=18, column="y"))
    "data.csv: line 18, column 'y': must be a number, got 'five'"
    """

    def __init__(self, message: str, *, row: int | None = None, line: int | None = None,
                 column: str | None = None, file: str | None = None) -> None:
        place = [] if row is None else [f"row {row}"]
        if line is not None:
            place.append(f"line {line}")
        if column is not None:
            place.append(f"column {column!r}")
        where = f"{', '.join(place)}: " if place else ""
        super().__init__(f"{'points' if file is None else file}: {where}{message}")
        self.file = file
        self.row = row
        self.line = line
        self.column = column


class ReadingNote(UserWarning):
    """What was left out or made of data that a function read by itself; `symknot.read` keeps such notes instead."""

    def __str__(self) -> str:
        return visible(super().__str__())


class InvalidOption(SymknotError, ValueError):
    """An option breaks its rule; `name` and `value` are what was given, `statement` (from 1) which statement was refused.

    Examples
    --------
    >>> str(InvalidOption("max_degree", 0, "a whole number >= 1"))
    'max_degree must be a whole number >= 1, got 0'
    """

    def __init__(self, name: str, value: object, rule: str) -> None:
        super().__init__(f"{name} must be {rule}, got {value!r}")
        self.name = name
        self.value = value
        self.statement: int | None = None


class InvalidModel(SymknotError, ValueError):
    """A saved model does not follow the format."""


class InconsistentEquations(SymknotError, ArithmeticError):
    """Exact equations that have no common zero; their ideal is (1)."""


class NoExactPolynomial(SymknotError, ArithmeticError):
    """No polynomial of the allowed degree vanishes exactly on the rational knots."""


class NotProved(SymknotError, ArithmeticError):
    """A claim does not follow, or no proof of it was found; `point` refutes it, if one is known.

    Examples
    --------
    >>> error = NotProved("the goal is false at x = 1", {"x": 1})
    >>> str(error), error.point
    ('the goal is false at x = 1', {'x': 1})
    """

    def __init__(self, message: str, point: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.point = dict(point or {})


class SimulationFailed(SymknotError, ArithmeticError):
    """Equations of motion could not be followed to the end; `times` and `states` hold what was reached until then.

    Examples
    --------
    >>> error = SimulationFailed("x grows beyond all bounds at t = 1", times=[0.0], states=[[1.0]])
    >>> str(error), error.times, error.states
    ('x grows beyond all bounds at t = 1', [0.0], [[1.0]])
    """

    def __init__(self, message: str, times: Sequence[float] | np.ndarray,
                 states: Sequence[Sequence[float]] | np.ndarray) -> None:
        super().__init__(message)
        self.times = times
        self.states = states


class TimeLimit(SymknotError, TimeoutError):
    """A computation reached the time limit it was given.

    Examples
    --------
    >>> str(TimeLimit("Groebner basis", 60))
    'Groebner basis: not done within 60 s; raise timeout'
    """

    def __init__(self, work: str, seconds: float) -> None:
        super().__init__(f"{work}: not done within {seconds:g} s; raise timeout")
        self.work = work
        self.seconds = seconds


class WorkLimit(SymknotError, RuntimeError):
    """A computation that was given no time limit has done as much work as such a one may.

    Examples
    --------
    >>> str(WorkLimit("identify", 2e11))
    'identify: not done within 2e+11 operations; give timeout (seconds) instead'
    """

    def __init__(self, work: str, operations: float) -> None:
        super().__init__(f"{work}: not done within {operations:g} operations; give timeout (seconds) instead")
        self.work = work
        self.operations = operations


class TooLarge(SymknotError, OverflowError):
    """Exact numbers would grow beyond a limit; the message says which and what to change."""


class OutOfRange(TooLarge, ValueError):
    """Floating-point numbers became infinite, or none at all, on the way: data or options are too large or too small."""

    def __init__(self) -> None:
        super().__init__("numbers beyond the range of floating point came up; give the data in units in which they, and their "
                         "noise, are nearer to 1")


class EngineError(SymknotError, RuntimeError):
    """A computer algebra program failed; the message ends with what it said itself."""


class EngineMissing(SymknotError, LookupError):
    """A computer algebra program is not installed here; the message says how to install it."""


class NotSupported(SymknotError, NotImplementedError):
    """An engine lacks a call.

    Examples
    --------
    >>> str(NotSupported("msolve", "lex order", ("singular", "macaulay2")))
    'msolve has no lex order; use singular or macaulay2'
    """

    def __init__(self, engine: str, what: str, instead: Iterable[str] = ()) -> None:
        super().__init__(f"{engine} has no {what}" + (f"; use {' or '.join(instead)}" if instead else ""))
        self.engine = engine
        self.what = what
        self.instead = tuple(instead)


class MissingExtra(SymknotError, ImportError):
    """An optional package is needed for this call.

    Examples
    --------
    >>> str(MissingExtra("matplotlib", "plot"))
    'needs matplotlib: pip install "symknot[plot]"'
    """

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f'needs {package}: pip install "symknot[{extra}]"')
        self.package = package
        self.extra = extra


class FitInterrupted(SymknotError, KeyboardInterrupt):
    """Ctrl-C during a fit; `partial` holds the `Ideal` of the degrees that were finished."""

    def __init__(self, partial: Any) -> None:
        super().__init__(
            f"fit interrupted; {len(partial.polynomials)} polynomial(s) found so far are in .partial"
        )
        self.partial = partial


EARLY_ENDS = (KeyboardInterrupt, TimeLimit, WorkLimit)
"""What ends a computation that keeps what it has finished by then."""


class Status(enum.Enum):
    """How a computation ended.

    Examples
    --------
    >>> Status.COMPLETE.ok, Status.NO_GAP.ok
    (True, False)
    """

    COMPLETE = "complete"
    SETTLED = "settled"
    TREND = "trend"
    MAX_DEGREE = "max_degree"
    SIZE_LIMIT = "size_limit"
    UNRESOLVED = "unresolved"
    NO_GAP = "no_gap"
    NO_POLYNOMIAL = "no_polynomial"
    NOT_EXACT = "not_exact"
    INTERRUPTED = "interrupted"
    OUT_OF_TIME = "out_of_time"
    WORK_LIMIT = "work_limit"
    NOT_CONFIRMED = "not_confirmed"
    EXACT = "exact"
    PARTLY_PROVED = "partly_proved"
    FOUND = "found"
    UNDECIDED = "undecided"
    PARTLY_FOUND = "partly_found"
    NOTHING_FOUND = "nothing_found"
    KNOWLEDGE_REJECTED = "knowledge_rejected"

    @property
    def ok(self) -> bool:
        """Whether the result can be used as it is."""
        return self in (Status.COMPLETE, Status.SETTLED, Status.TREND, Status.MAX_DEGREE, Status.SIZE_LIMIT, Status.UNRESOLVED,
                        Status.EXACT, Status.FOUND, Status.UNDECIDED)

    @property
    def advice(self) -> str:
        """What it means, and what to do about it."""
        return _ADVICE[self]


_ADVICE = {
    Status.COMPLETE: "every function on the knots is spanned: the knots are a finite point set and the "
                     "equations are all that vanish on them within epsilon",
    Status.SETTLED: "the last degrees added only equations that the earlier ones already generate; "
                    "raise max_degree to look further",
    Status.TREND: "a linear trend, not an equation: the points may be a normal cloud, in which nothing tells an equation "
                  "seen through noise from mere correlation",
    Status.MAX_DEGREE: "stopped at max_degree; raise it to look further",
    Status.SIZE_LIMIT: "stopped because the next degree has too many candidate polynomials; give max_degree "
                       "to go on regardless, or fewer variables",
    Status.UNRESOLVED: "stopped before a degree at which the noise (or the small number of points) no longer "
                       "lets an equation stand clear of the rest; give epsilon and max_degree to go on regardless",
    Status.NO_GAP: "no equation stands clear of the rest, so epsilon was not guessed; look at "
                   "symknot.spectrum(points), then give epsilon (the noise's standard deviation), or bring more "
                   "points or a higher max_degree",
    Status.NO_POLYNOMIAL: "raise epsilon or max_degree",
    Status.NOT_EXACT: "not all equations vanish on the knots within delta: noisy equations need not have common zeros near the "
                      "data; more points bring them together, a larger delta takes them as they are",
    Status.INTERRUPTED: "interrupted; what was finished is kept",
    Status.OUT_OF_TIME: "time was up; what was finished is kept; raise timeout to go on",
    Status.WORK_LIMIT: "too much work for a search without a time limit; what was finished is kept; give timeout (seconds) to "
                       "search that long instead, fewer columns, or a lower max_degree",
    Status.NOT_CONFIRMED: "do not use these equations: recomputed from their terms, values are not what the computation says; "
                          "give the data in units in which they are nearer to 1, or around their mean",
    Status.EXACT: "the equations hold exactly, and something is proved at every knot",
    Status.PARTLY_PROVED: "the equations are exact; at some knots less is proved, or nothing",
    Status.FOUND: "an equation was found for everything that was asked for",
    Status.UNDECIDED: "equations were found, but others describe the data nearly as well: no law yet; see alternatives, and "
                      "bring longer or more runs",
    Status.PARTLY_FOUND: "equations were found for some of what was asked for; the message says for what not, and why",
    Status.NOTHING_FOUND: "no equation describes the data; the message says what to change",
    Status.KNOWLEDGE_REJECTED: "the data reject what was said to be known; the message says what of it",
}

ENDED_EARLY = (Status.INTERRUPTED, Status.OUT_OF_TIME, Status.WORK_LIMIT)
"""Statuses of what `EARLY_ENDS` ended."""


def ended_by(end: BaseException) -> Status:
    """The status of a computation that one of `EARLY_ENDS` ended."""
    if isinstance(end, WorkLimit):
        return Status.WORK_LIMIT
    return Status.OUT_OF_TIME if isinstance(end, TimeLimit) else Status.INTERRUPTED
