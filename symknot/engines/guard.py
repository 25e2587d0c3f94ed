"""The small parent of every program: it watches who asked, and ends the program when that process is gone.

Run as a script of its own by `process.run`, without site packages, environment or current folder (``python -I -S``).
The asker holds the other end of a pipe, so the guard learns of its end whatever the reason, SIGKILL included, and does
not mistake the end of a thread for it.  Then the program's whole process group is killed and its folder removed.  Should
the guard itself be killed, Linux ends the program with it (PR_SET_PDEATHSIG: the guard has one thread only).

The asker says ``g`` (go: the folder is filled) and closes its end when it has read what it wanted; the guard answers
with one line, ``failed ERRNO`` or ``ended STATUS KILOBYTES`` (of the largest process).
"""

from __future__ import annotations

import ctypes
import os
import select
import shutil
import signal
import sys
import time

PR_SET_PDEATHSIG = 1
"""Of Linux's prctl.h."""
STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
"""Signals that are not for the guard: whoever wants to end the program ends the asker."""
LOOKS_SECONDS = 0.5
"""Seconds between two looks at the asker, for the case that a copy of it (a fork) keeps the pipe open."""
FIRST_NAP, LONGEST_NAP = 0.001, 0.05
"""Seconds between two looks at the program: at first short, for short questions."""
GONE_SECONDS = 2.0
"""Seconds that killed processes are given to leave the folder alone; they need milliseconds."""


def main(arguments: list[str]) -> None:
    """Guard one run.

    Arguments are the descriptors of the two pipes, the asker's process, the most bytes of memory (0: no limit) and of a
    file, the folder, and the command.
    """
    words, answer, asker, memory, size = map(int, arguments[:5])
    folder, command = arguments[5], arguments[6:]
    for number in STOPPING:
        signal.signal(number, signal.SIG_IGN)
    for descriptor in (words, answer):
        os.set_inheritable(descriptor, False)
    if _word(words, asker, None) == b"g":
        program = _started(command, folder, (memory, size), answer)
        _watch(program, words, asker, answer)
        _kill(program)
    shutil.rmtree(folder, ignore_errors=True)


def _word(words: int, asker: int, seconds: float | None) -> bytes | None:
    """What the asker says; nothing if it is gone, None if it said nothing so far."""
    start = time.monotonic()
    while True:
        left = LOOKS_SECONDS if seconds is None else min(max(start + seconds - time.monotonic(), 0.0), LOOKS_SECONDS)
        if select.select([words], [], [], left)[0]:
            return os.read(words, 1)
        if os.getppid() != asker:
            return b""
        if seconds is not None and time.monotonic() - start >= seconds:
            return None


def _started(command: list[str], folder: str, limits: tuple[int, int], answer: int) -> int:
    """The process of the program, a group of its own."""
    import resource  # not there where no program can be started, as in a browser

    guard = os.getpid()
    libc = ctypes.CDLL(None) if sys.platform == "linux" else None
    program = os.fork()
    if program:
        return program
    try:
        os.setsid()
        if libc is not None:
            libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
            if os.getppid() != guard:
                os._exit(1)
        for number in (*STOPPING, signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        os.chdir(folder)
        os.dup2(os.open("stdin", os.O_RDONLY), 0)
        for place, name in ((1, "stdout"), (2, "stderr")):
            os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), place)
        memory, size = limits
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        if memory:
            # RLIMIT_DATA counts what a process can write to; RLIMIT_AS would count the address space that thread
            # arenas and collectors merely reserve
            resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
        os.execvpe(command[0], command, os.environ)
    except OSError as error:
        os.write(answer, b"failed %d\n" % (error.errno or 0))
    finally:
        os._exit(127)


def _watch(program: int, words: int, asker: int, answer: int) -> None:
    """Wait until the asker is gone, or done; on the way, tell it how the program ended."""
    nap = FIRST_NAP
    while True:
        ended, status, used = os.wait4(program, os.WNOHANG)
        if ended:
            break
        if _word(words, asker, nap) is not None:
            return
        nap = min(2 * nap, LONGEST_NAP)
    _kill(program)
    try:
        os.write(answer, b"ended %d %d\n" % (status, used.ru_maxrss // (1 if sys.platform == "linux" else 1024)))
        _word(words, asker, None)
    except BrokenPipeError:                             # gone meanwhile
        pass


def _kill(group: int) -> None:
    """Kill what is left of the program and of all that it started, and wait until it is gone."""
    end = time.monotonic() + GONE_SECONDS
    while time.monotonic() < end and _alive(group):
        try:
            os.killpg(group, signal.SIGKILL)
            os.waitpid(group, os.WNOHANG)
        except (ProcessLookupError, PermissionError, ChildProcessError):
            pass
        time.sleep(FIRST_NAP)


def _alive(group: int) -> bool:
    """Whether a process of this group still runs (a zombie does not)."""
    try:
        os.killpg(group, 0)
    except (ProcessLookupError, PermissionError):        # macOS says the second of zombies
        return False
    processes = [name for name in os.listdir("/proc") if name.isdecimal()] if os.path.isdir("/proc") else []
    for process in processes:
        try:
            with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as file:
                state, _, its_group = file.read().rpartition(")")[2].split()[:3]
        except OSError:                                  # ended meanwhile
            continue
        if int(its_group) == group and state not in "ZX":
            return True
    return not processes                                 # no /proc here: believe the signal


if __name__ == "__main__":
    main(sys.argv[1:])
