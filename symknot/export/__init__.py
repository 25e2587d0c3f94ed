"""Exports: the same exact equations for other computer algebra systems and programs.

`System` is what is exported, `export` the general door, `TARGETS` what there is.  Every script
is ready to run: ring, ideal, knots, then Groebner basis, dimension, degree, comparison with
the ideal of the knots and primary decomposition.  Names and notes are data there, never code.

This room may import `ground` and `polynomials`.  A reader starts at `system`, then `singular`.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..ground.checks import whole_number
from ..ground.errors import InvalidOption
from ..ground.storage import write_atomically
from . import c, cocoa5, latex, macaulay2, magma, maple, mathematica, python, sage, singular
from .c import to_c
from .cocoa5 import to_cocoa5
from .jsonfile import read_json_system, to_json
from .latex import to_latex
from .macaulay2 import to_macaulay2
from .magma import to_magma
from .maple import to_maple
from .mathematica import to_mathematica
from .msolve import to_msolve
from .names import read_mapping, safe_names
from .python import to_python
from .sage import to_sage
from .script import DIGITS
from .singular import to_singular
from .system import System

__all__ = ["TARGETS", "System", "Target", "export", "read_json_system", "read_mapping", "safe_names", "to_c",
           "to_cocoa5", "to_json", "to_latex", "to_macaulay2", "to_magma", "to_maple", "to_mathematica", "to_msolve",
           "to_python", "to_sage", "to_singular"]


@dataclass(frozen=True)
class Target:
    """A system to export to.

    Parameters
    ----------
    write : callable
        ``(system) -> str``; with ``field`` and ``digits`` where there is more than one field.
    suffix : str
        Of a file's name.
    comment : Comment or None
        How it marks comments; None when it has none.
    fields : tuple of str
        The fields of coefficients it can be given.
    """

    write: object
    suffix: str
    comment: object = None
    fields: tuple = ("QQ",)


BOTH = ("QQ", "real")

TARGETS = {
    "singular": Target(to_singular, ".sing", singular.COMMENT, BOTH),
    "macaulay2": Target(to_macaulay2, ".m2", macaulay2.COMMENT, BOTH),
    "cocoa5": Target(to_cocoa5, ".cocoa5", cocoa5.COMMENT),
    "sage": Target(to_sage, ".sage", sage.COMMENT, BOTH),
    "magma": Target(to_magma, ".m", magma.COMMENT, BOTH),
    "maple": Target(to_maple, ".mpl", maple.COMMENT, BOTH),
    "mathematica": Target(to_mathematica, ".wl", mathematica.COMMENT, BOTH),
    "msolve": Target(to_msolve, ".ms"),
    "latex": Target(to_latex, ".tex", latex.COMMENT, BOTH),
    "python": Target(to_python, ".py", python.COMMENT),
    "c": Target(to_c, ".c", c.COMMENT),
    "json": Target(to_json, ".json"),
}


def export(system, target, path=None, field="QQ", digits=DIGITS):
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
    >>> print(export(System(("x",), ({(2,): Fraction(1), (0,): Fraction(-2)},)), "msolve"))
    x
    0
    x^2-2
    """
    if not isinstance(system, System):
        raise InvalidOption("system", type(system).__name__, "a symknot.export.System")
    if not isinstance(target, str) or target not in TARGETS:
        raise InvalidOption("target", target, f"one of {', '.join(TARGETS)}")
    chosen = TARGETS[target]
    if field not in chosen.fields:
        raise InvalidOption("field", field, f"{' or '.join(map(repr, chosen.fields))} for {target}")
    digits = whole_number("digits", digits, 2)
    text = chosen.write(system, field=field, digits=digits) if chosen.fields == BOTH else chosen.write(system)
    if path is not None:
        write_atomically(path, text)
    return text
