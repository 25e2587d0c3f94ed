"""How words become arguments: argparse, with messages that say what to write instead."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from .._version import __version__
from .registry import COMMANDS

CLOSE = 0.6
"""Likeness (of difflib, from 0 to 1) from which a word is taken for a misspelt one: a convention, difflib's own."""
OTHER_WORDS = {"--save": "--output", "--separator": "--sep", "--delimiter": "--sep", "--tolerance": "--epsilon"}
"""What options are called elsewhere -> here."""
EXIT_CODES = """exit codes:
  0    there is an answer
  1    it falls short: no equation, a knot that is not certified, a statement that does not hold, a broken engine
  2    the request was wrong; a sentence on standard error says what to write instead
  70   symknot itself failed; --debug shows where
  130  interrupted by Ctrl-C; what a fit had finished is kept"""
"""For ``symknot --help``."""


class Misuse(Exception):
    """Words that no command understands; `usage` says in a line what it takes."""

    def __init__(self, message: str, usage: str) -> None:
        super().__init__(message)
        self.usage = usage


class Parser(argparse.ArgumentParser):
    """A parser that every command has: with ``--debug`` and ``--quiet``, and with suggestions; wrong words are a `Misuse`."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        always = self.add_argument_group("with every command")
        # no default: what was said before the command is not unsaid after it
        always.add_argument("--quiet", action="store_true", default=argparse.SUPPRESS,
                            help="no notes and no progress on standard error")
        always.add_argument("--debug", action="store_true", default=argparse.SUPPRESS,
                            help="show where an error comes from")

    def error(self, message: str) -> NoReturn:
        """Every complaint of argparse."""
        raise Misuse(message, self.short_usage())

    def short_usage(self) -> str:
        """One line: what must be given."""
        must = [str(action.metavar or action.dest) for action in self._actions if not action.option_strings and action.required]
        return f"usage: {' '.join([self.prog, *must, '[OPTIONS]'])}; `{self.prog} --help` explains them"

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            known = [str(choice) for choice in action.choices]
            raise argparse.ArgumentError(action, f"must be one of {', '.join(known)}, got {value!r}{nearest(value, known)}")


def nearest(word: object, known: Iterable[str]) -> str:
    """The end of a sentence: what was probably meant, if anything is near.

    Examples
    --------
    >>> nearest("--espilon", ["--epsilon", "--delta"]), nearest("fish", ["bash"])
    ('; did you mean --epsilon?', '')
    """
    from difflib import get_close_matches
    known = list(known)
    meant = OTHER_WORDS.get(str(word))
    found = [meant] if meant in known else get_close_matches(str(word), known, 1, CLOSE)
    return f"; did you mean {found[0]}?" if found else ""


def add_json(parser: argparse.ArgumentParser) -> None:
    """The option of every command that tells results."""
    parser.add_argument("--json", action="store_true", default=argparse.SUPPRESS,
                        help="print one JSON object instead of text; docs/commandline.md lists its keys")


def new_parser(words: Sequence[str] | None) -> tuple[Parser, dict[str, Parser]]:
    """The parser of everything, and that of each command.

    Parameters
    ----------
    words : sequence of str or None
        Only commands among these are given their arguments: the choices of an option may be known to a room that is
        slow to import.  None: all of them.
    """
    parser = Parser(
        prog="symknot", formatter_class=argparse.RawDescriptionHelpFormatter, epilog=EXIT_CODES,
        description="Few polynomial equations that nearly vanish on noisy points, "
                    "and data knots on which they vanish exactly.",
    )
    parser.add_argument("--version", action="version", version=f"symknot {__version__}")
    add_json(parser)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="symknot_command", required=True)
    each: dict[str, Parser] = {}
    for entry in COMMANDS.values():
        each[entry.name] = listed = commands.add_parser(entry.name, help=entry.help)
        if words is None or entry.name in words:
            if entry.json:
                add_json(listed)
            entry.arguments(listed)
    return parser, each


def parsed(words: Sequence[str]) -> argparse.Namespace:
    """The arguments in `words`; those of every command are always there.

    Raises
    ------
    Misuse
    SystemExit
        After ``--help`` and ``--version``.
    """
    parser, each = new_parser(words)
    arguments, unknown = parser.parse_known_args(words)
    of_command = each[arguments.symknot_command]
    if unknown:
        raise Misuse(_about(unknown, of_command), of_command.short_usage())
    if getattr(arguments, "json", False) and not COMMANDS[arguments.symknot_command].json:
        raise Misuse(f"{arguments.symknot_command} tells nothing as JSON; leave --json out", of_command.short_usage())
    for option in ("quiet", "debug", "json"):
        setattr(arguments, option, getattr(arguments, option, False))
    arguments.symknot_words, arguments.symknot_notes = list(words), []
    arguments.symknot_options = {}
    for action in of_command._actions:                   # --robust and --loss say the same thing
        arguments.symknot_options.setdefault(action.dest, []).extend(action.option_strings)
    return arguments


def _about(unknown: Sequence[str], parser: Parser) -> str:
    known = [string for action in parser._actions for string in action.option_strings]
    option = next((word for word in unknown if word.startswith("-")), None)
    if option is None:
        return f"unexpected argument {unknown[0]!r}; leave it out"
    name = option.split("=")[0]
    every = f"; there are {', '.join(sorted(known))}"
    return f"unknown option {name}{nearest(name, known) or every}"
