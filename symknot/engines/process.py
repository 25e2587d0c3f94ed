"""Running a program: never through a shell, never without limits, never leaving anything behind.

A program gets an argument list, a temporary folder that is also its home, and a process
group of its own.  When it ends, when time is up, when it writes too much, or when the user
presses Ctrl-C, the whole group is killed (Singular's `modStd` forks) and the folder removed.
Its output goes to files there, so no pipe can fill up.
"""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..ground.checks import whole_number
from ..ground.deadline import Deadline
from ..ground.errors import EngineError, NotSupported, TimeLimit

try:
    import resource
except ImportError:                                      # Windows
    resource = None  # type: ignore[assignment]

LARGEST_OUTPUT = 512
"""Output that a program may write, in MB: far beyond any answer that can still be read, below what fills a disk."""

LOOKS_SECONDS = 0.2
"""Seconds between two looks at a program's output and at the clock: not felt by a user, and no load."""
GONE_SECONDS = 1.0
"""Seconds that killed processes are given to leave their folder alone; they need milliseconds."""
GONE_LOOKS = 100
"""Looks in that time."""

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
_DIED_WITHOUT_WORDS = (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS)


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


def run(command: Sequence[str], limits: Limits, *, work: str, stdin: str = "",
        files: Mapping[str, str] | None = None, environment: Mapping[str, str] | None = None) -> str:
    """Run a program to its end and return what it wrote to its standard output.

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
    str

    Raises
    ------
    TimeLimit
        Time was up; nothing of it runs any more.
    EngineError
        It could not be started, failed, ran out of memory or wrote too much.
    """
    if os.name != "posix":
        raise NotSupported("this operating system", "process groups, which running programs within limits needs "
                                                    "(Linux, macOS and WSL have); engine 'sympy' with timeout=None "
                                                    "works everywhere")
    with tempfile.TemporaryDirectory(prefix="symknot-") as name:
        folder = Path(name)
        for file, text in {"stdin": stdin, **(files or {})}.items():
            (folder / file).write_text(text, encoding="utf-8")
        private = {"HOME": name, "TMPDIR": name, "LC_ALL": "C", "OMP_NUM_THREADS": "1"}
        with (open(folder / "stdin", "rb") as source, open(folder / "stdout", "wb") as out,
              open(folder / "stderr", "wb") as err):
            try:
                process = subprocess.Popen(command, stdin=source, stdout=out, stderr=err, cwd=folder,
                                           env={**os.environ, **private, **(environment or {})},
                                           start_new_session=True)
            except OSError as error:
                raise EngineError(f"{work}: cannot start {command[0]}: {error.strerror or error}") from None
            try:
                _limit_memory(process.pid, limits.memory)
                _wait(process, limits.deadline, work, (folder / "stdout", folder / "stderr"))
            finally:
                _kill_group(process)
        written = (folder / "stdout").read_text(encoding="utf-8", errors="replace")
        complaint = (folder / "stderr").read_text(encoding="utf-8", errors="replace")
    _check_end(process.returncode, written, complaint, limits, work)
    return written


def _limit_memory(pid, megabytes):
    # From outside and not through `preexec_fn`, which is unsafe beside threads. RLIMIT_DATA counts what a process
    # can write to; RLIMIT_AS would count the address space that thread arenas and collectors merely reserve.
    if megabytes is not None:
        try:
            resource.prlimit(pid, resource.RLIMIT_DATA, (megabytes << 20, megabytes << 20))
        except ProcessLookupError:                       # ended already
            pass


def _wait(process, deadline, work, outputs):
    while True:
        left = deadline.left
        try:
            process.wait(LOOKS_SECONDS if left is None else min(left, LOOKS_SECONDS))
            return
        except subprocess.TimeoutExpired:
            if deadline.left == 0.0:
                raise TimeLimit(work, deadline.seconds) from None
            if sum(path.stat().st_size for path in outputs) > LARGEST_OUTPUT << 20:
                raise EngineError(f"{work}: more than {LARGEST_OUTPUT} MB of output; ask for less") from None


def _kill_group(process):
    """Kill what is left of the program and of everything it started, and wait until it is gone."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):        # nobody left (macOS says the second of zombies)
        pass
    process.wait()
    for _ in range(GONE_LOOKS):                          # so that nobody still writes into the folder
        if not group_alive(process.pid):
            return
        time.sleep(GONE_SECONDS / GONE_LOOKS)


def group_alive(group: int) -> bool:
    """Whether a process of this process group still runs (a zombie does not)."""
    try:
        os.killpg(group, 0)
    except (ProcessLookupError, PermissionError):
        return False
    stats = list(Path("/proc").glob("[0-9]*/stat"))
    for stat in stats:
        try:
            state, _, its_group = stat.read_text().rpartition(")")[2].split()[:3]
        except OSError:                                  # ended meanwhile
            continue
        if int(its_group) == group and state not in "ZX":
            return True
    return not stats                                     # no /proc here: believe the signal


def _check_end(code, written, complaint, limits, work):
    """Raise `EngineError` unless the program ended well."""
    if code == 0:
        return
    if code > 128:                                       # a shell script in between reports signals this way
        code = 128 - code
    said = _tail(complaint) or _tail(written)
    said = f"\n{said}" if said else ""
    if code == -signal.SIGILL:
        raise EngineError(f"{work}: this build needs CPU instructions that this machine lacks; install another one, "
                          "for Macaulay2 passagemath-macaulay2==10.8.11")
    silent = -code in _DIED_WITHOUT_WORDS
    if limits.memory is not None and (silent or any(word in said.lower() for word in _OUT_OF_MEMORY)):
        likely = "probably " if silent else ""
        raise EngineError(f"{work}: {likely}needs more than {limits.memory} MB of memory; raise memory{said}")
    how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
    raise EngineError(f"{work}: the program {how}{said}")


def _tail(text):
    return "\n".join(line[:LAST_WIDTH] for line in text.strip().splitlines()[-LAST_LINES:])
