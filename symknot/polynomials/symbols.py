"""sympy symbols for the variables: the caller's own, or ones spelled after their names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import sympy

from .spelling import spellings


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
    """One sympy symbol per variable name, spelled as `spelling` says; all different.

    Examples
    --------
    >>> safe_symbols(["x", "cell count", "2nd", "α", "speed (m/s)"])
    (x, cell_count, v2nd, α, speed)
    """
    return tuple(map(sympy.Symbol, spellings(names)))
