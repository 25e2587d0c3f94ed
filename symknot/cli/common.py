"""What the commands share: exit codes, the opening of saved results, and checks of their arguments."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..ground.errors import InvalidOption, SymknotError

OK, NO_EQUATION, WRONG_REQUEST, INTERRUPTED = 0, 1, 2, 130
"""Exit codes: 1 says that the answer falls short, 2 that the request was wrong (argparse's own), 130 is the shells' for
Ctrl-C."""
EXACT_SECONDS = 300
"""Default of --timeout, in seconds: a convention, what a person at a terminal may wait for one exact answer."""


class Unable(SymknotError, TypeError):
    """A saved result does not have what a command asks of it."""


def add_model(parser: argparse.ArgumentParser, what: str = "a saved result of any kind") -> None:
    """The argument of every command that takes a saved result."""
    parser.add_argument("model", type=Path, metavar="MODEL.json", help=what)


def add_timeout(parser: argparse.ArgumentParser) -> None:
    """The option of every command that computes exactly."""
    parser.add_argument("--timeout", type=float, default=EXACT_SECONDS, metavar="SECONDS",
                        help="give up after this (default: %(default)s)")


def opened(path: Path) -> Any:
    """The result in a file."""
    from ..opening import load
    return load(path)


def opened_exactly(path: Path, timeout: float | None) -> Any:
    """The exact result of a file: the saved one, or, where it has an `exact`, what that makes of it."""
    result = opened(path)
    return result.exact(timeout=timeout) if can_be_made_exact(result) else result


def can_be_made_exact(result: Any) -> bool:
    """Whether a result holds fitted equations from which exact ones are made."""
    return hasattr(result, "exact")


def unable(path: Path, result: Any, words: str) -> Unable:
    """The error that says what a saved result cannot do."""
    return Unable(f"{path}: a saved {type(result).__name__} cannot {words}")


def check_destination(output: Path, source: Path, kind: str) -> None:
    """Complain about an impossible destination before long work, not after it; `kind` says what `source` is."""
    if output.is_dir() or not output.absolute().parent.is_dir():
        raise InvalidOption("--output", str(output), "a file in a folder that exists")
    if output.exists() and source.exists() and output.samefile(source):
        raise InvalidOption("--output", str(output), f"another file than the {kind}")


def number_or(word: str) -> Callable[[str], float | str]:
    """An argparse type: a number, or that word."""
    def read(text: str) -> float | str:
        if text == word:
            return text
        try:
            return float(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"must be {word} or a number, got {text!r}") from None
    return read
