"""What there is to export to, and the door: `export`.

A `Target` is one program or language with all that is special about it.  `TARGETS` holds every one
that was registered (`registry.target`), by name.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ..ground.checks import whole_number
from ..ground.errors import InvalidOption
from ..ground.storage import write_atomically
from .names import PLAIN, Rules
from .script import DIGITS, FEWEST_DIGITS, Comment
from .system import System


@dataclass(frozen=True)
class Target:
    """A system to export to; made by `registry.target`.

    Parameters
    ----------
    name : str
        What users call it: ``export(..., name)``, ``--to name`` and the method ``to_name``.
    write : callable
        ``(system) -> str``; ``(system, field=..., digits=...) -> str`` where "real" is among `fields`.
    suffix : str
        Of a file's name.
    comment : Comment or None
        How it marks comments; None when it has none.
    fields : tuple of str
        The fields of coefficients it can be given: some of `FIELDS`.
    rules : Rules
        What its variables may be called.
    """

    name: str
    write: Callable[..., str]
    suffix: str
    comment: Comment | None = None
    fields: tuple[str, ...] = ("QQ",)
    rules: Rules = PLAIN

    @property
    def summary(self) -> str:
        """What is written, in one line: the first of the writer's docstring."""
        lines = (self.write.__doc__ or "").strip().splitlines()
        return lines[0].strip() if lines else f"The equations as text for {self.name}."

    def text(self, system: System, field: str = "QQ", digits: int = DIGITS) -> str:
        """What is written of a system."""
        if field not in self.fields:
            raise InvalidOption("field", field, f"{' or '.join(map(repr, self.fields))} for {self.name}")
        digits = whole_number("digits", digits, FEWEST_DIGITS)
        text = self.write(system, field=field, digits=digits) if "real" in self.fields else self.write(system)
        if not isinstance(text, str):
            raise InvalidOption(f"what the writer of target {self.name!r} returns", type(text).__name__, "a str")
        return text


TARGETS: dict[str, Target] = {}
"""Every registered target, by name."""


def named_target(name: str) -> Target:
    """The target of this name.

    Raises
    ------
    InvalidOption
        With the names that there are.
    """
    if not isinstance(name, str) or name not in TARGETS:
        raise InvalidOption("target", name, f"one of {', '.join(sorted(TARGETS))}")
    return TARGETS[name]


def safe_names(names: Iterable[str], target: str) -> tuple[str, ...]:
    """One name per variable that `target` accepts, all different.

    Parameters
    ----------
    names : iterable of str
        Any strings.
    target : str
        One of `TARGETS`.

    Returns
    -------
    tuple of str

    Examples
    --------
    >>> import symknot.export
    >>> safe_names(["x", "petal length (cm)", "std", "2nd", "α"], "singular")
    ('x', 'petalLength', 'vStd', 'v2nd', 'alpha')
    >>> safe_names(["x", "x3"], "singular"), safe_names(["I", "e"], "mathematica")
    (('x', 'vX3'), ('vI', 'e'))
    """
    return named_target(target).rules.safe_names(names)


def export(system: System, target: str, path: str | os.PathLike[str] | None = None, field: str = "QQ",
           digits: int = DIGITS) -> str:
    """Write a system for another program.

    Parameters
    ----------
    system : System
    target : str
        One of `TARGETS`.
    path : path-like, optional
        A file to write, all or nothing.
    field : {"QQ", "real"}
        Exact rational numbers, or, where the target has them, real ones.
    digits : int
        Decimal digits of real numbers.

    Returns
    -------
    str
        The text, also when a file was written.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from symknot.export import System, export
    >>> print(export(System(("x",), ({(2,): Fraction(1), (0,): Fraction(-2)},)), "msolve"))
    x
    0
    x^2-2
    """
    if not isinstance(system, System):
        raise InvalidOption("system", type(system).__name__, "a symknot.export.System")
    text = named_target(target).text(system, field, digits)
    if path is not None:
        write_atomically(path, text)
    return text
