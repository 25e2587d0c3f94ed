"""sympy symbols for the variables: the caller's own, or safe ones made from their names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import sympy


def own_symbols(names: Iterable[Any] | None) -> tuple[sympy.Symbol, ...] | None:
    """`names` if they are sympy symbols, to be used as they are; else None.

    Examples
    --------
    >>> own_symbols(sympy.symbols("x y", positive=True)), own_symbols(["x", "y"])
    ((x, y), None)
    """
    if names is None or isinstance(names, str):
        return None
    names = tuple(names)
    return names if names and all(isinstance(name, sympy.Symbol) for name in names) else None


def safe_symbols(names: Sequence[str]) -> tuple[sympy.Symbol, ...]:
    """One sympy symbol per variable name; names that are no identifiers get a safe one.

    Examples
    --------
    >>> safe_symbols(["x", "cell count", "2nd"])
    (x, cell_count, v2nd)
    """
    taken: set[str] = set()
    symbols = []
    for name in names:
        safe = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_") or "v"
        safe = safe if safe[0].isalpha() else "v" + safe
        base, number = safe, 2
        while safe in taken or (safe != name and safe in names):
            safe, number = f"{base}_{number}", number + 1
        taken.add(safe)
        symbols.append(sympy.Symbol(safe))
    return tuple(symbols)
