"""C: one function in C99, its expressions printed by sympy from symbols of our own making."""

from __future__ import annotations

from functools import lru_cache

import sympy
from sympy.printing.c import C99CodePrinter

from ..polynomials.expressions import DOUBLE_DIGITS as SIGNIFICANT
from ..polynomials.infix import Style, polynomial_text
from ..polynomials.numerals import nearest_float
from .names import PLAIN
from .registry import target
from .script import Comment, header
from .system import System

COMMENT = Comment("/*", " */")
# not identifiers there, but names for the eye
RULES = PLAIN
PRINTER = C99CodePrinter()
PRINTED_KEPT = 4096
"""Powers, and numbers, kept as text: sympy prints a few thousand a second, and most come again."""


@target("c", suffix=".c", comment=COMMENT, rules=RULES)
def to_c(system: System) -> str:
    """A C source file with ``void evaluate(const double *x, double *out)``; link with ``-lm``.

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
    >>> text = to_c(System(("a", "b"), ({(2, 1): Fraction(1, 4), (0, 0): Fraction(-1)},)))
    >>> print(next(line for line in text.splitlines() if "out[0]" in line).strip())
    out[0] = 0.25*pow(x0, 2)*x1 - 1.0;
    """
    style = Style(power=_power, number=lambda value: _number(float(value)))
    variables, lines = [f"x{k}" for k in range(system.dimension)], []
    for k, terms in enumerate(system.polynomials):
        for value in terms.values():
            nearest_float(value, f"a coefficient of polynomial {k + 1}")
        text = polynomial_text(terms, variables, style, indent="        ") if terms else "0.0"
        lines.append(f"    out[{k}] = {text};\n")
    used = [k for k in range(system.dimension) if any(e[k] for terms in system.polynomials for e in terms)]
    names = RULES.safe_names(system.names)
    columns = [f"x[{k}] is {name}" for k, name in enumerate(names)]
    return (header(system, names, COMMENT)
            + COMMENT.lines("Coefficients are rounded to doubles.", *columns)
            + "\n#include <math.h>\n\n"
            + f"enum {{ number_of_variables = {system.dimension}, number_of_polynomials = {len(lines)} }};\n\n"
            + "void evaluate(const double *x, double *out)\n{\n"
            + "".join(f"    const double x{k} = x[{k}];\n" for k in used)
            + "    (void)x;\n    (void)out;\n" + "".join(lines) + "}\n")


@lru_cache(maxsize=PRINTED_KEPT)
def _power(name: str, exponent: int) -> str:
    return PRINTER.doprint(sympy.Symbol(name) ** exponent)


@lru_cache(maxsize=PRINTED_KEPT)
def _number(value: float) -> str:
    return PRINTER.doprint(sympy.Float(value, SIGNIFICANT))
