"""Real computer algebra systems, asked from Python: Singular, Macaulay2, msolve, and sympy.

>>> import sympy
>>> from symknot.engines import engine
>>> x, y = sympy.symbols("x y")
>>> engine("sympy").groebner([x**2 + y**2 - 1, x - y], variables=[x, y], timeout=None)
[Poly(y**2 - 1/2, x, y, domain='QQ'), Poly(x - y, x, y, domain='QQ')]

The same calls on each (`Engine` lists them); answers come back as `sympy.Poly` over QQ.
Programs run as processes with limits of time and memory; see `available` and `install`.  Each is looked
for where its environment variable says (``SYMKNOT_SINGULAR``, ``SYMKNOT_MACAULAY2``, ``SYMKNOT_MSOLVE``), then on
the PATH, then in the wheels of this Python environment; `available` tells which file it is.  `provers` has the programs
that check proofs (Coq) and decide questions over the real numbers (z3, cvc5).

This room may import `ground` and `polynomials`.  A reader starts at `base`: what every engine can be asked.
"""

from __future__ import annotations

from .auto import Auto
from .base import Engine
from .finding import NAMES, Availability, named_engine
from .install import install
from .provers import PROVERS, available

__all__ = ["NAMES", "PROVERS", "Availability", "Engine", "available", "engine", "install"]


def engine(name: str = "auto") -> Engine:
    """A computer algebra system.

    Parameters
    ----------
    name : str
        "singular", "macaulay2", "msolve", "sympy", or "auto": for each call the best one here that has it, in that
        order.

    Returns
    -------
    Engine

    Raises
    ------
    EngineMissing
        The program is not installed; the message says how to.
    """
    return Auto() if name == "auto" else named_engine(name)
