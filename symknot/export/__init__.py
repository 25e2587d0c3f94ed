"""Exports: the same exact equations for other computer algebra systems and programs.

`System` is what is exported, `export` the general door, `TARGETS` what there is, `target` the way to
add to it.  Every script is ready to run: ring, ideal, knots, then Groebner basis, dimension, degree,
comparison with the ideal of the knots and primary decomposition.  Names and notes are data there, never code.

This room may import `ground` and `polynomials`.  A reader starts at `registry`, then `singular`: one file per
target, which registers itself there and is named nowhere else.  `coqlib` holds lemmas that Coq checks.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pkgutil import iter_modules

from .jsonfile import read_json_system
from .mathjson import read_mathjson
from .mathml import read_mathml
from .methods import Exports
from .mrdi import read_mrdi
from .names import Rules, read_mapping
from .registry import forget, target
from .script import DIGITS, FIELDS, Comment
from .system import FunctionLetter, System
from .targets import TARGETS, Target, export, safe_names

__all__ = ["DIGITS", "FIELDS", "TARGETS", "Comment", "Exports", "FunctionLetter", "Rules", "System", "Target", "export",
           "forget", "read_json_system", "read_mapping", "read_mathjson", "read_mathml", "read_mrdi", "safe_names", "target"]

for _file in iter_modules(__path__):
    import_module(f"{__name__}.{_file.name}")


def __getattr__(name: str) -> Callable[..., str]:
    """The writer ``to_NAME`` of each target."""
    if name.startswith("to_") and name[3:] in TARGETS:
        return TARGETS[name[3:]].write
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *(f"to_{name}" for name in TARGETS)})
