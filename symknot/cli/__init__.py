"""The command line.

Thin on purpose: each command is one function from parsed arguments to an exit code, registered by `registry.command`
with one that lists its arguments.  Commands import what they need when they run, so that ``symknot --help`` is quick.

Exit codes: 0 when there is an answer, 1 when it falls short (a fit without an equation, a knot that could not be
certified, a statement that does not hold), 2 when the request was wrong (one line on stderr says how), 130 after
Ctrl-C.

This room may import every other one.  A reader starts at `main` below, then `fitting`.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence

from .._version import __version__
from ..ground.errors import SymknotError
from .common import INTERRUPTED, OK, WRONG_REQUEST
from .registry import COMMANDS, Command, command, forget

from . import fitting, identifying, plotting, algebra, systems, reproducing  # isort: skip (the order in which --help lists them)

__all__ = ["COMMANDS", "Command", "algebra", "command", "fitting", "forget", "identifying", "main", "plotting",
           "reproducing", "systems"]


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
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # a terminal without the letters of a name shows their codes
            stream.reconfigure(errors="backslashreplace")
    words = sys.argv[1:] if argv is None else list(argv)
    arguments = _parser(words).parse_args(words)
    try:
        exit_code = COMMANDS[arguments.symknot_command].run(arguments)
        sys.stdout.flush()
        return exit_code
    except BrokenPipeError:
        # The reader (head, less) has seen enough. Python would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except KeyboardInterrupt:
        print("symknot: interrupted", file=sys.stderr)
        return INTERRUPTED
    except OSError as error:
        place = f"{error.filename}: " if error.filename is not None else ""
        print(f"symknot: {place}{error.strerror or error}", file=sys.stderr)
        return WRONG_REQUEST
    except SymknotError as error:
        print(f"symknot: {error}", file=sys.stderr)
        return WRONG_REQUEST


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="symknot",
        description="Few polynomial equations that nearly vanish on noisy points, "
                    "and data knots on which they vanish exactly.",
    )
    parser.add_argument("--version", action="version", version=f"symknot {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="symknot_command", required=True)
    for entry in COMMANDS.values():
        listed = commands.add_parser(entry.name, help=entry.help)
        # the choices of an option may be known to a room that is slow to import: only who is asked for is asked
        if entry.name in words:
            entry.arguments(listed)
    return parser
