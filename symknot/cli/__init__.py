"""The command line.

Thin on purpose: each subcommand is one function from parsed arguments to an exit code, registered by `add_commands`
of its module.

Exit codes: 0 when there is an answer, 1 when it falls short (a fit without an equation, a knot that could not be
certified, a statement that does not hold), 2 when the request was wrong (one line on stderr says how), 130 after Ctrl-C.

This room may import every other one.  A reader starts at `main` below, then `fitting`.
"""

import argparse
import os
import sys

from .._version import __version__
from ..ground.errors import SymknotError
from . import algebra, fitting, identifying, reproducing, systems
from .common import INTERRUPTED, OK, WRONG_REQUEST


def main(argv=None):
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
    arguments = _parser().parse_args(argv)
    try:
        exit_code = arguments.run(arguments)
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


def _parser():
    parser = argparse.ArgumentParser(
        prog="symknot",
        description="Few polynomial equations that nearly vanish on noisy points, "
                    "and data knots on which they vanish exactly.",
    )
    parser.add_argument("--version", action="version", version=f"symknot {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    fitting.add_commands(commands)
    identifying.add_commands(commands)
    algebra.add_commands(commands)
    systems.add_commands(commands)
    reproducing.add_commands(commands)
    return parser
