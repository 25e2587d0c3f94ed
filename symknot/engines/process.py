"""Running a program: never through a shell, never without limits, never leaving anything behind.

A program gets an argument list, a temporary folder that is also its home, few of the caller's environment variables, and a
process group of its own below a guard (`guard.py`).  When it ends, when time is up, when it writes too much, when the
user presses Ctrl-C or when the caller itself is killed, the whole group is killed (Singular's `modStd` forks) and the
folder removed.  Its output goes to files there, so no pipe can fill up.
"""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ..ground.checks import whole_number
from ..ground.deadline import Deadline
from ..ground.errors import EngineError, NotSupported, TimeLimit

try:
    import resource
except ImportError:                                      # Windows
    resource = None  # type: ignore[assignment]

LARGEST_OUTPUT = 64
"""Output that a program may write, in MB: reading it takes about 15 times as much memory (measured on polynomials of small
numbers), so this is what a small laptop can still read."""

LOOKS_SECONDS = 0.2
"""Seconds between two looks at the clock: not felt by a user, and no load."""
GONE_SECONDS = 5.0
"""Seconds that the guard is given to tidy up before it is killed itself, and the program with it; it needs milliseconds."""
GUARD = Path(__file__).with_name("guard.py")
LONGEST_ANSWER = 100
"""Bytes of the guard's answer: three short words."""
PLACES = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH", "SINGULARPATH")
"""Environment variables that programs get: lists of folders, needed to find their parts.  Nothing else is: a program
needs no tokens and no settings of its caller's."""

LAST_LINES, LAST_WIDTH = 12, 300
"""Lines of a program's last words in an error message, and characters of each: they fit on a screen."""

_CAN_LIMIT_MEMORY = hasattr(resource, "prlimit")

DEFAULT_MEMORY = 4096 if _CAN_LIMIT_MEMORY else None
"""Memory that a process may use unless the caller says otherwise, in MB; None where the system cannot limit it.

A convention: what a small laptop can spare."""

DEFAULT_TIMEOUT = 60
"""Seconds that a call may take unless the caller says otherwise.  A convention: as long as one waits at a prompt."""

_OUT_OF_MEMORY = ("no more memory", "out of memory", "cannot allocate memory", "memoryerror", "bad_alloc",
                  "memory allocation", "memory exhausted", "heap expansion")
_CRASHES = (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGTRAP, signal.SIGSYS)
NEAR_THE_LIMIT = 0.5
"""Share of the memory limit from which a crash is put down to it: what is asked for last may be as large as the rest."""


@dataclass(frozen=True)
class Limits:
    """What a computation may use: time until a deadline, and memory per process in MB (None: no limit)."""

    deadline: Deadline
    memory: int | None

    @classmethod
    def checked(cls, timeout: float | None, memory: int | None = DEFAULT_MEMORY) -> Limits:
        """From the options of a public call."""
        if memory is not None:
            memory = whole_number("memory", memory, 1)
            if not _CAN_LIMIT_MEMORY:
                raise NotSupported("this operating system", "memory limit (Linux has); give memory=None")
        return cls(Deadline(timeout), memory)


class Outcome(NamedTuple):
    """How a program ended: its exit code (negative: a signal), what it wrote, and the kilobytes of its largest process."""

    code: int
    written: str
    complaint: str
    kilobytes: int


def outcome(command: Sequence[str], limits: Limits, *, work: str, stdin: str = "",
        files: Mapping[str, str] | None = None, environment: Mapping[str, str] | None = None) -> Outcome:
    """Run a program to its end, good or bad, within its limits.

    Parameters
    ----------
    command : list of str
        Program and arguments.  It runs in a folder of its own.
    limits : Limits
    work : str
        What is computed, for messages.
    stdin : str
        Text fed to it.
    files : dict of str to str, optional
        Files to put into the folder, by name.
    environment : dict of str to str, optional
        Environment variables to add.

    Returns
    -------
    Outcome

    Raises
    ------
    TimeLimit
        Time was up; nothing of it runs any more.
    EngineError
        It could not be started, or wrote too much.
    """
    if os.name != "posix":
        raise NotSupported("this operating system", "process groups, which running programs within limits needs "
                                                    "(Linux, macOS and WSL have); engine 'sympy' with timeout=None "
                                                    "works everywhere")
    try:
        folder = Path(tempfile.mkdtemp(prefix="symknot-"))
    except OSError as error:
        raise EngineError(f"{work}: no temporary folder can be made: {error.strerror or error}; set TMPDIR to a folder that "
                          "can be written to") from None
    try:
        with _Guarded(command, limits, folder, {**_kept_environment(), **_private(folder), **(environment or {})}) as guarded:
            for file, text in {"stdin": stdin, **(files or {})}.items():
                (folder / file).write_text(text, encoding="utf-8")
            code, kilobytes = guarded.end(work)
            written, complaint = (_read(folder / name, work) for name in ("stdout", "stderr"))
    except FileNotFoundError:
        raise EngineError(f"{work}: its temporary folder {folder} vanished meanwhile; try again") from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)        # the guard did, unless it could not be started
    return Outcome(code, written, complaint, kilobytes)


def run(command: Sequence[str], limits: Limits, *, work: str, stdin: str = "",
        files: Mapping[str, str] | None = None, environment: Mapping[str, str] | None = None) -> str:
    """Run a program to its end, as `outcome` does, and return what it wrote to its standard output.

    Raises
    ------
    TimeLimit
        Time was up; nothing of it runs any more.
    EngineError
        It could not be started, failed, ran out of memory or wrote too much.
    """
    end = outcome(command, limits, work=work, stdin=stdin, files=files, environment=environment)
    check_end(end, limits, work)
    return end.written


class _Guarded:
    """A program below its guard; whatever happens, nothing of it is left at the end of the `with` block."""

    def __init__(self, command, limits, folder, environment):
        self.command, self.limits = command, limits
        words, self.words = os.pipe()
        self.answer, answer = os.pipe()
        size = LARGEST_OUTPUT << 20
        memory = 0 if limits.memory is None else limits.memory << 20
        given = (words, answer, os.getpid(), memory, size, folder)
        try:
            self.guard = subprocess.Popen(
                [sys.executable, "-I", "-S", str(GUARD), *map(str, given), *command],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=environment, pass_fds=(words, answer),
                start_new_session=True)
        except BaseException:
            os.close(self.words)
            os.close(self.answer)
            raise
        finally:
            os.close(words)
            os.close(answer)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.words)                             # the guard kills what is left, and tidies up
        os.close(self.answer)
        try:
            self.guard.wait(GONE_SECONDS)
        except subprocess.TimeoutExpired:
            self.guard.kill()
            self.guard.wait()

    def end(self, work):
        """Start the program, wait for its end within the limits; its exit code and kilobytes of memory."""
        os.write(self.words, b"g")
        deadline, told = self.limits.deadline, b""
        while not told.endswith(b"\n"):
            left = deadline.left
            if select.select([self.answer], [], [], LOOKS_SECONDS if left is None else min(left, LOOKS_SECONDS))[0]:
                more = os.read(self.answer, LONGEST_ANSWER)
                if not more:
                    raise EngineError(f"{work}: what watches the program was killed; try again")
                told += more
            elif deadline.left == 0.0:
                raise TimeLimit(work, deadline.seconds)
        word, *numbers = told.split()
        if word == b"failed":
            raise EngineError(f"{work}: cannot start {self.command[0]}: {os.strerror(int(numbers[0]))}")
        return os.waitstatus_to_exitcode(int(numbers[0])), int(numbers[1])


def _private(folder):
    return {"HOME": str(folder), "TMPDIR": str(folder), "LC_ALL": "C", "OMP_NUM_THREADS": "1"}


def _kept_environment():
    """What programs get of the caller's environment: where programs and libraries are, no relative places among them."""
    kept = {name: absolute_places(os.environ[name]) for name in PLACES if name in os.environ}
    return {"PATH": os.defpath, **{name: places for name, places in kept.items() if places}}


def absolute_places(places: str) -> str:
    """A list of folders, as in PATH, without relative ones: an empty one would mean the current folder.

    Examples
    --------
    >>> absolute_places("/usr/bin::.:bin:/bin")
    '/usr/bin:/bin'
    """
    return os.pathsep.join(place for place in places.split(os.pathsep) if os.path.isabs(place))


def _read(path, work):
    if path.stat().st_size >= LARGEST_OUTPUT << 20:
        raise EngineError(f"{work}: more than {LARGEST_OUTPUT} MB of output; ask for less")
    return path.read_text(encoding="utf-8", errors="replace")


def check_end(end: Outcome, limits: Limits, work: str) -> None:
    """Raise `EngineError` unless the program ended well."""
    code, written, complaint, kilobytes = end
    if code == 0:
        return
    if code > 128:                                       # a shell script in between reports signals this way
        code = 128 - code
    said = _tail(complaint) or _tail(written)
    said = f"\n{said}" if said else ""
    if code == -signal.SIGILL:
        raise EngineError(f"{work}: this build needs CPU instructions that this machine lacks; install another one, "
                          "for Macaulay2 passagemath-macaulay2==10.8.11")
    if code == -signal.SIGXFSZ:
        raise EngineError(f"{work}: more than {LARGEST_OUTPUT} MB of output; ask for less")
    if limits.memory is not None and any(word in said.lower() for word in _OUT_OF_MEMORY):
        raise EngineError(f"{work}: needs more than {limits.memory} MB of memory; raise memory{said}")
    near = limits.memory is not None and kilobytes >= NEAR_THE_LIMIT * limits.memory * 1024
    if -code in _CRASHES and near:
        raise EngineError(f"{work}: the program crashed ({_signal_name(-code)}) near its limit: it probably needs more than "
                          f"{limits.memory} MB of memory; raise memory{said}")
    how = f"ended with exit code {code}"
    if code < 0:
        how = f"was killed by signal {_signal_name(-code)}"
        if -code in _CRASHES:
            hint = "" if limits.memory is None else f"; if {limits.memory} MB of memory may be too little for it, raise memory"
            how = f"crashed ({_signal_name(-code)}){hint}"
    raise EngineError(f"{work}: the program {how}{said}")


def _signal_name(number):
    try:
        return signal.Signals(number).name
    except ValueError:                                   # a real-time signal
        return str(number)


def _tail(text):
    return "\n".join(line[:LAST_WIDTH] for line in text.strip().splitlines()[-LAST_LINES:])
