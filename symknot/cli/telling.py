"""What a command says: its answer as text or as JSON, errors as one sentence."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, TextIO

from ..ground.errors import InvalidOption, SymknotError
from ..ground.wording import visible
from .parsing import Misuse, nearest
from .registry import INTERRUPTED, OWN_MISTAKE, WRONG_REQUEST, Answer

ADVICE = ((IsADirectoryError, "name a file in it"),
          (PermissionError, "make it accessible, or name another file"))
"""What to do about files that cannot be opened."""
NEEDED = frozenset({"numpy", "scipy", "sympy", "mpmath", "anyascii", "latex2mathml"})
"""What symknot always needs; it may be missing where nobody installed symknot with pip."""


def say(*parts: object, file: TextIO | None = None) -> None:
    """Print a text that may hold anything: the one door of the commands to a terminal.

    What a terminal would obey is shown instead; JSON holds no such thing and is the same.
    """
    print(visible("".join(map(str, parts))), file=file)


def tell(answer: int | Answer, arguments: argparse.Namespace) -> int:
    """Print an answer, write its files, and return the exit code; commands that print by themselves have told already."""
    if isinstance(answer, int):
        return answer
    if arguments.json:
        return _tell_json(answer, arguments)
    if answer.shown is not None:
        say(answer.shown)
    for file in answer.files:
        file.write(file.path)
        say("" if answer.shown is None else "\n", f"{file.words} {file.path}")
    return answer.exit_code


def _tell_json(answer: Answer, arguments: argparse.Namespace) -> int:
    from .schema import document
    exit_code, error = answer.exit_code, None
    written: list[Path] = []
    try:
        for file in answer.files:
            file.write(file.path)
            written.append(file.path)
    except Exception as failure:
        exit_code, error = complaint(failure, arguments), _error_json(failure, arguments)
    say(document(arguments.symknot_command, exit_code, result=answer.result, error=error,
                 notes=arguments.symknot_notes, files=written))
    return exit_code


def tell_error(error: BaseException, arguments: argparse.Namespace) -> int:
    """Say in one sentence what went wrong, as JSON too if that was asked for; the exit code."""
    exit_code = complaint(error, arguments)
    if arguments.json:
        from .schema import document
        say(document(arguments.symknot_command, exit_code, error=_error_json(error, arguments),
                     notes=arguments.symknot_notes))
    return exit_code


def _error_json(error: BaseException, arguments: argparse.Namespace) -> dict[str, Any]:
    from .schema import error_json
    return error_json(error, sentence(error, arguments), option_of(error, arguments))


def tell_misuse(error: Misuse, words: list[str]) -> int:
    """The same for words that could not be parsed, with how the command is used."""
    say(f"symknot: {error}\n{error.usage}", file=sys.stderr)
    if "--json" in words:
        from .schema import document, error_json
        say(document(None, WRONG_REQUEST, error=error_json(error, str(error))))
    return WRONG_REQUEST


def complaint(error: BaseException, arguments: argparse.Namespace) -> int:
    """The sentence on standard error, with ``--debug`` after the traceback; the exit code."""
    if arguments.debug:
        import traceback
        say("".join(traceback.format_exception(type(error), error, error.__traceback__)).rstrip("\n"), file=sys.stderr)
    say(f"symknot: {sentence(error, arguments)}", file=sys.stderr)
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED
    missing = isinstance(error, ModuleNotFoundError) and error.name in NEEDED
    return WRONG_REQUEST if missing or isinstance(error, (SymknotError, OSError)) else OWN_MISTAKE


def sentence(error: BaseException, arguments: argparse.Namespace) -> str:
    """What went wrong, and what to do about it."""
    if isinstance(error, KeyboardInterrupt):
        return "interrupted"
    if isinstance(error, InvalidOption):
        text = str(error).replace(error.name, option_of(error, arguments) or error.name, 1)
        return text.removesuffix(", got True")           # a flag was given: that it is true says nothing
    if isinstance(error, SymknotError):
        return str(error)
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename is not None else ""
        return f"{place}{error.strerror or error}{_advice(error)}"
    if isinstance(error, MemoryError):
        return "not enough memory; give fewer points, fewer columns or a lower --degree"
    if isinstance(error, ModuleNotFoundError) and error.name in NEEDED:
        return f"needs {error.name}, which is not installed: pip install {error.name} (in Pyodide: loadPackage)"
    words = (f"unexpected {type(error).__name__}: {error}; this is a mistake in symknot: please report it with what the "
             "same command says with --debug")
    return " ".join(words.split())


def option_of(error: BaseException, arguments: argparse.Namespace) -> str | None:
    """The option that an error is about, as it was typed, else by its first long name; None if it is about none."""
    if not isinstance(error, InvalidOption):
        return None
    strings = arguments.symknot_options.get(error.name)
    if not strings:
        return error.name if error.name.startswith("-") else None
    typed = {word.split("=")[0] for word in arguments.symknot_words}
    long = [string for string in strings if string.startswith("--")]
    return next((string for string in strings if string in typed), [*long, *strings][0])


def _advice(error: OSError) -> str:
    if isinstance(error, FileNotFoundError) and error.filename is not None:
        path = Path(str(error.filename))
        if path.parent.is_dir():
            try:
                return nearest(path.name, [other.name for other in path.parent.iterdir()])
            except OSError:
                return ""
        return f"; there is no folder {path.parent}"
    return next((f"; {words}" for kind, words in ADVICE if isinstance(error, kind)), "")
