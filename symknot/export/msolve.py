"""msolve: ``msolve -f FILE``.

The format is a line of variables, the characteristic, and polynomials with whole coefficients;
it has no comments, so the user's names are not in it: `safe_names` tells them apart.
"""

from __future__ import annotations

from ..ground.errors import InvalidOption
from ..polynomials.infix import Style, polynomial_text
from ..polynomials.terms import without_denominators
from .names import Rules
from .registry import target
from .system import System

STYLE = Style(wrap=False, spaced=False)
RULES = Rules(juxtaposes=True)


@target("msolve", suffix=".ms", rules=RULES)
def to_msolve(system: System) -> str:
    """An input file for msolve; each polynomial times its common denominator.

    Parameters
    ----------
    system : System

    Returns
    -------
    str

    Examples
    --------
    >>> from fractions import Fraction
    >>> from symknot.export import System
    >>> print(to_msolve(System(("x", "y z"), ({(1, 1): Fraction(1, 2), (0, 0): Fraction(-1, 3)},))))
    x,yZ
    0
    3*x*yZ-2
    """
    names = RULES.safe_names(system.names)
    polynomials = [polynomial_text(without_denominators(terms)[0], names, STYLE)
                   for terms in system.polynomials if terms]
    if not polynomials:
        raise InvalidOption("system", system.polynomials, "one with a polynomial other than zero, for msolve")
    return f"{','.join(names)}\n0\n" + ",\n".join(polynomials) + "\n"
