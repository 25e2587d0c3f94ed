"""What the commands share: exit codes, the opening of saved results, and checks of their arguments."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..ground.errors import InvalidOption, SymknotError
from .registry import Written
from .telling import say

if TYPE_CHECKING:
    from ..reading.tables import Table

EXACT_SECONDS = 300
"""Default of --timeout, in seconds: a convention, what a person at a terminal may wait for one exact answer."""


class Unable(SymknotError, TypeError):
    """A saved result does not have what a command asks of it."""


def add_model(parser: argparse.ArgumentParser, what: str = "a saved result of any kind") -> None:
    """The argument of every command that takes a saved result."""
    parser.add_argument("model", type=Path, metavar="MODEL.json", help=what)


def add_data(parser: argparse.ArgumentParser, rows: str = "one point per row") -> None:
    """The data of every command that reads some, and the options that say how they are read."""
    parser.add_argument("data", type=Path, metavar="DATA",
                        help=f"{rows}, one variable per column: text (CSV, TSV, ..., also .gz), Parquet, Arrow, NPY, NPZ, "
                             "Excel .xlsx, or - for standard input")
    how = parser.add_argument_group("reading the data", "what is left out here is found out, and told on standard error")
    how.add_argument("--columns", type=names, metavar="A,B,...", help="only these columns, in this order")
    how.add_argument("--ignore", type=names, default=(), metavar="A,B,...", help="not these columns")
    how.add_argument("--sep", metavar="S", help="separator: a character, or comma, semicolon, tab, pipe, space")
    how.add_argument("--decimal", choices=(".", ",", "point", "comma"), metavar="MARK", help="decimal . or ,")
    how.add_argument("--encoding", metavar="NAME", help="such as utf-8, utf-16, latin-1")
    how.add_argument("--missing", choices=("drop", "error"), help="leave out rows with missing values (runs are cut there), "
                     "or refuse them (default: points refuse them, runs are cut)")


def add_report(parser: argparse.ArgumentParser, **options: Any) -> None:
    """The option of every command that makes a result: a page about it."""
    words = {"help": "write a page about the result here, with interactive views, to be opened in a browser"} | options
    parser.add_argument("--report", type=Path, metavar="PAGE.html", **words)


def written(path: Path, write: Callable[[Path], object], words: str, ended_early: bool) -> Written:
    """The file, or of what was ended early one beside it: what was there before may be better than half a fit."""
    if not ended_early:
        return Written(path, write, words)
    return Written(path.with_name(f"{path.stem}.partial{path.suffix}"), write,
                   f"ended early, so {path} is as it was; what was finished is {words}")


def report_files(arguments: argparse.Namespace, result: Any, points: Any = None) -> list[Written]:
    """The page that `add_report` speaks of, if it was asked for."""
    if not isinstance(arguments.report, Path):
        return []
    return [Written(arguments.report, lambda path: result.report(path, points, made_by=command_of(arguments)),
                    "report saved as")]


def command_of(arguments: argparse.Namespace) -> str:
    """The command as it was typed."""
    return f"symknot {shlex.join(arguments.symknot_words)}"


def table_of_data(arguments: argparse.Namespace, also: Iterable[str] = ()) -> Table:
    """The table that the arguments of `add_data` speak of; columns of `also` are named by other arguments."""
    from ..reading.sources import read
    columns = arguments.columns and (*arguments.columns, *(name for name in also if name not in arguments.columns))
    return read(arguments.data, columns=columns, ignore=arguments.ignore, sep=arguments.sep,
                decimal=arguments.decimal, encoding=arguments.encoding, missing=arguments.missing)


def print_notes(arguments: argparse.Namespace, notes: Iterable[str]) -> None:
    """Tell on standard error what was found out about the data, and left out of them; keep it for ``--json``."""
    for note in notes:
        arguments.symknot_notes.append(note)
        if not arguments.quiet:
            say(f"symknot: {note}", file=sys.stderr)


def names(text: str) -> tuple[str, ...]:
    """An argparse type: names of columns with commas between them."""
    found = tuple(name.strip() for name in text.split(","))
    if not all(found):
        raise argparse.ArgumentTypeError(f"must be names of columns with commas between them, got {text!r}")
    return found


def add_timeout(parser: argparse.ArgumentParser) -> None:
    """The option of every command that computes exactly."""
    parser.add_argument("--timeout", type=number, default=EXACT_SECONDS, metavar="SECONDS",
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


def check_destination(output: Path, source: Path, kind: str, option: str = "--output") -> None:
    """Complain about an impossible destination before long work, not after it; `kind` says what `source` is."""
    if output.is_dir() or not output.absolute().parent.is_dir():
        raise InvalidOption(option, str(output), "a file in a folder that exists")
    if output.exists() and source.exists() and output.samefile(source):
        raise InvalidOption(option, str(output), f"another file than the {kind}")


def check_destinations(arguments: argparse.Namespace, options: Iterable[str], source: Path, kind: str) -> None:
    """The same for all of these options, which must name files that differ from each other; pictures in a format that
    can be drawn."""
    seen: dict[Path, str] = {}
    for option in options:
        path = getattr(arguments, option)
        if not isinstance(path, Path):
            continue
        check_destination(path, source, kind, f"--{option}")
        other = seen.setdefault(path.resolve(), option)
        if other != option:
            raise InvalidOption(f"--{option}", str(path), f"another file than --{other}")
        if option == "plot":
            from ..showing.pictures import checked_format
            checked_format(path)
        if option == "report":
            from ..showing.pages import checked_page
            checked_page(path, "--report")


def number(text: str) -> float:
    """An argparse type: a number."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a number such as 0.05, got {text!r}") from None


def whole(text: str) -> int:
    """An argparse type: a whole number."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a whole number such as 3, got {text!r}") from None


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


def numbers_or(words: Iterable[str]) -> Callable[[str], str | list[float]]:
    """An argparse type: numbers with commas between them, or one of these words."""
    known = tuple(words)

    def read(text: str) -> str | list[float]:
        if text in known:
            return text
        try:
            return [float(part) for part in text.split(",")]
        except ValueError:
            rule = f"must be {', '.join(known)}, a number, or numbers with commas between them such as 0.1,2"
            raise argparse.ArgumentTypeError(f"{rule}, got {text!r}") from None
    return read
