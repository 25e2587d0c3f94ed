"""One entry per command: `command`, put on the function that runs it.

From there `main` knows it, and ``symknot --help`` lists it.  A command of your own, in a file of your own, registers in
the same way:

>>> from symknot.cli import command, forget, main
>>> def arguments(parser):
...     parser.add_argument("name", metavar="NAME")
>>> @command("greet", help="say hello", arguments=arguments)
... def run_greet(given):
...     print(f"hello {given.name}")
...     return 0
>>> main(["greet", "Ada"])
hello Ada
0
>>> forget("greet")
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from ..ground.errors import InvalidOption

OK, FALLS_SHORT, WRONG_REQUEST, OWN_MISTAKE, INTERRUPTED = 0, 1, 2, 70, 130
"""Exit codes: there is an answer; it falls short (a fit without an equation, a knot that is not certified); the request
was wrong (argparse's own); symknot itself failed (EX_SOFTWARE of sysexits.h); Ctrl-C (the shells' own)."""


class Written(NamedTuple):
    """A file that belongs to an answer; written after the answer was printed, so that a full disk does not lose it."""

    path: Path
    write: Callable[[Path], object]
    words: str = "saved as"


class Answer(NamedTuple):
    """What a command found out, for people and for programs.

    Attributes
    ----------
    shown : object
        Printed with `str`; None prints nothing.
    result : object
        What ``--json`` tells instead: a mapping, or what `cli.schema.described` knows.
    exit_code : int
    files : tuple of Written
    """

    shown: object
    result: Any
    exit_code: int = OK
    files: tuple[Written, ...] = ()


Run = Callable[[Namespace], "int | Answer"]
"""What runs a command: from its parsed arguments to an exit code, if it prints by itself, or to an `Answer`."""


class Command(NamedTuple):
    """A command; made by `command`.

    Attributes
    ----------
    name : str
        What users type.
    run : callable
        Parsed arguments -> exit code or `Answer`.
    help : str
        One line for ``symknot --help``.
    arguments : callable
        Gives an `argparse.ArgumentParser` the arguments of the command; called only when the command is asked for.
    json : bool
        Whether it has ``--json``.
    """

    name: str
    run: Run
    help: str
    arguments: Callable[[ArgumentParser], object]
    json: bool = False


COMMANDS: dict[str, Command] = {}
"""Every command, by name, in the order in which ``symknot --help`` lists them."""


def command(name: str, *, help: str, arguments: Callable[[ArgumentParser], object] = lambda parser: None,
            json: bool = False) -> Callable[[Run], Run]:
    """Decorator: the function below it runs the command `name`.

    It is given the parsed arguments and returns an exit code: 0 when there is an answer, 1 when it falls short.  Or it
    returns an `Answer`, which is printed for it, as text or as JSON.  A
    `SymknotError` or an OSError that it raises becomes one line on stderr and exit code 2.  What is slow to import
    belongs inside these functions: the module is imported whichever command runs.

    Parameters
    ----------
    name : str
        What users type: a word that does not begin with a hyphen.
    help : str
        One line for ``symknot --help``.
    arguments : callable, optional
        Given an `argparse.ArgumentParser`, adds the command's arguments to it; called only when the command is
        asked for.
    json : bool
        Give it the option ``--json``; it must then return an `Answer`.

    Returns
    -------
    callable
        The decorator; it returns the function as it is.

    Raises
    ------
    InvalidOption
        The name is no word, or another function runs a command of this name.
    """
    if not isinstance(name, str) or not name or name.startswith("-") or name.split() != [name]:
        raise InvalidOption("name", name, "one word that does not begin with a hyphen")

    def register(run: Run) -> Run:
        taken = COMMANDS.get(name)
        if taken is not None and _place(taken.run) != _place(run):
            raise InvalidOption("name", name, f"free; {_place(taken.run)} runs that command already")
        COMMANDS[name] = Command(name, run, help, arguments, json)
        return run

    return register


def forget(name: str) -> None:
    """Take a command away again."""
    if name not in COMMANDS:
        raise InvalidOption("command", name, f"one of {', '.join(COMMANDS)}")
    del COMMANDS[name]


def _place(run: Run) -> str:
    """Where a function is defined: the same when a cell or a module is run again."""
    return f"{run.__module__}.{run.__qualname__}"
