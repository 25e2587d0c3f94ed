"""What the commands share: exit codes and checks of their arguments."""

import argparse

from ..ground.errors import InvalidOption
from ..results.exact_ideal import FORMAT as EXACT
from ..results.exact_files import load_exact
from ..results.loading import load
from ..ground.storage import kind_of

OK, NO_EQUATION, WRONG_REQUEST, INTERRUPTED = 0, 1, 2, 130

#: Seconds that exact work may take unless --timeout says otherwise.
PATIENCE = 300


def add_timeout(parser):
    """The option of every command that computes exactly."""
    parser.add_argument("--timeout", type=float, default=PATIENCE, metavar="SECONDS",
                        help="give up after this (default: %(default)s)")


def load_exactly(path, timeout):
    """The `ExactIdeal` of a file: a saved one, or a saved fit made exact."""
    return load_exact(path) if kind_of(path) == EXACT else load(path).exact(timeout=timeout)


def check_destination(output, source, kind):
    """Complain about an impossible destination before long work, not after it; `kind` says what `source` is."""
    if output.is_dir() or not output.absolute().parent.is_dir():
        raise InvalidOption("--output", str(output), "a file in a folder that exists")
    if output.exists() and source.exists() and output.samefile(source):
        raise InvalidOption("--output", str(output), f"another file than the {kind}")


def number_or(word):
    """An argparse type: a number, or that word."""
    def read(text):
        if text == word:
            return text
        try:
            return float(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"must be {word} or a number, got {text!r}") from None
    return read
