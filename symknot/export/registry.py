"""One entry per target: `target`, put on the function that writes it.

From there it is known everywhere: `TARGETS`, `export`, ``symknot export --to``, and as method ``to_NAME`` of every
result.  A target of your own, in a file of your own, registers in the same way:

>>> from symknot.export import Comment, System, export, safe_names, target
>>> from symknot.polynomials.infix import polynomial_text
>>> @target("plain", suffix=".txt", comment=Comment("%"))
... def to_plain(system):
...     "One equation per line."
...     names = safe_names(system.names, "plain")
...     return "".join(f"{polynomial_text(terms, names)} = 0\\n" for terms in system.polynomials)
>>> from fractions import Fraction
>>> print(export(System(("x", "y"), ({(2, 0): Fraction(1), (0, 1): Fraction(-1)},)), "plain"))
x^2 - y = 0
<BLANKLINE>
>>> import symknot
>>> "to_plain" in dir(symknot.Ideal)
True
>>> forget("plain")

A file that ends in ``symknot.cli.main()`` is a command line that knows its target:
``python own.py export model.json --to plain``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from ..ground.errors import InvalidOption
from .methods import Exports, add_method
from .names import PLAIN, Rules
from .script import FIELDS, Comment
from .targets import TARGETS, Target, named_target

Writer = TypeVar("Writer", bound=Callable[..., str])


def target(name: str, *, suffix: str, comment: Comment | None = None, fields: tuple[str, ...] = ("QQ",),
           rules: Rules = PLAIN) -> Callable[[Writer], Writer]:
    """Decorator: the function below it writes systems for the target `name`.

    Parameters
    ----------
    name : str
        A word in small letters; digits and underscores may follow.
    suffix : str
        Of a file's name, such as ".txt".
    comment : Comment, optional
        How the target marks comments.
    fields : tuple of str
        The fields of coefficients that it takes, some of "QQ" and "real".  With "real" the function is called
        with the keywords ``field`` and ``digits``, without it with the system alone.
    rules : Rules, optional
        What its variables may be called; by default up to 31 letters and digits, a letter first.

    Returns
    -------
    callable
        The decorator; it returns the function as it is.

    Raises
    ------
    InvalidOption
        A rule is broken, or another function writes a target of this name.
    """
    if not isinstance(name, str) or not re.fullmatch("[a-z][a-z0-9_]*", name):
        raise InvalidOption("name", name, "a word in small letters, digits and underscores: to_NAME is to be a method")
    if not isinstance(suffix, str) or not re.fullmatch(r"\.[A-Za-z0-9_.]+", suffix):
        raise InvalidOption("suffix", suffix, "the end of a file's name, such as '.txt'")
    if isinstance(fields, str) or not fields or not set(fields) <= set(FIELDS):
        raise InvalidOption("fields", fields, f"a tuple of some of {', '.join(map(repr, FIELDS))}")

    def register(write: Writer) -> Writer:
        taken = TARGETS.get(name)
        if taken is not None and _place(taken.write) != _place(write):
            raise InvalidOption("name", name, f"free; {_place(taken.write)} writes that target already")
        TARGETS[name] = Target(name, write, suffix, comment, tuple(fields), rules)
        add_method(TARGETS[name])
        return write

    return register


def forget(name: str) -> None:
    """Take a target, and its method, away again."""
    del TARGETS[named_target(name).name]
    delattr(Exports, f"to_{name}")


def _place(write: Callable[..., str]) -> str:
    """Where a function is defined: the same when a cell or a module is run again."""
    return f"{write.__module__}.{write.__qualname__}"
