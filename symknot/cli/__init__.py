"""The command line.

Thin on purpose: each command is one function from parsed arguments to an `Answer` (or an exit code), registered by
`registry.command` with one that lists its arguments.  Commands import what they need when they run, so that ``symknot
--help`` is quick.  `parsing` makes arguments of words, `telling` text of answers and errors, `schema` JSON.

Exit codes: 0 when there is an answer, 1 when it falls short (a fit without an equation, a knot that could not be
certified, a statement that does not hold), 2 when the request was wrong (one line on stderr says how), 70 when symknot
itself failed, 130 after Ctrl-C.

This room may import every other one.  A reader starts at `main` below, then `fitting`.
"""

from __future__ import annotations

import io
import os
import sys
import warnings
from collections.abc import Sequence

from .parsing import Misuse, parsed
from .registry import COMMANDS, OK, Answer, Command, Written, command, forget
from .telling import tell, tell_error, tell_misuse

from . import fitting, identifying, plotting, reporting, projecting, comparing, algebra, proving  # isort: skip (order of --help)
from . import systems, reproducing, completing  # isort: skip

__all__ = ["COMMANDS", "Answer", "Command", "Written", "algebra", "command", "comparing", "completing", "fitting", "forget",
           "identifying", "main", "plotting", "projecting", "proving", "reporting", "reproducing", "systems"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments, ``sys.argv[1:]`` by default.

    Returns
    -------
    int
        The exit code.

    Raises
    ------
    SystemExit
        For words that no command understands, and after ``--help`` and ``--version``.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # a terminal without the letters of a name shows their codes
            stream.reconfigure(errors="backslashreplace")
    try:
        exit_code = _run(sys.argv[1:] if argv is None else list(argv))
        sys.stdout.flush()
        return exit_code
    except BrokenPipeError:
        # The reader (head, less) has seen enough. Python would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK


def _run(words: list[str]) -> int:
    try:
        arguments = parsed(words)
    except Misuse as error:
        raise SystemExit(tell_misuse(error, words)) from None
    try:
        with warnings.catch_warnings():
            if arguments.quiet:
                warnings.simplefilter("ignore")
            return tell(COMMANDS[arguments.symknot_command].run(arguments), arguments)
    except BrokenPipeError:
        raise
    except (Exception, KeyboardInterrupt) as error:
        return tell_error(_interruption(error) or error, arguments)


def _interruption(error: BaseException) -> KeyboardInterrupt | None:
    """Ctrl-C that came while a library was imported, which some make an ImportError of."""
    seen: BaseException | None = error
    while seen is not None and not isinstance(seen, KeyboardInterrupt):
        seen = seen.__cause__ or seen.__context__
    return seen if isinstance(error, ImportError) or seen is error else None
