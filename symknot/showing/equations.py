"""Equations for the eye: lines of text, a report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..ground.errors import InvalidOption
from ..polynomials.equation import Equation
from ..polynomials.expressions import monomial_text

MOST_EQUATIONS_SHOWN = 20
"""Equations that text, LaTeX and HTML of a whole result show at most: a screenful, a convention."""
ERROR_DIGITS = 2
"""Significant digits of a standard error: it is itself known to a few per cent at best."""


def checked_digits(digits: Any) -> None:
    """Complain about a wrong `digits` option."""
    if digits is not None and (isinstance(digits, bool) or not isinstance(digits, int) or digits < 1):
        raise InvalidOption("digits", digits, "a whole number >= 1, or None")


def equation_line(equation: Equation, digits: int | None = None) -> str:
    """An equation, with the distance of the data from it where that is known: ``x**2 + y**2 = 1   +/- 0.05``."""
    residual = getattr(equation, "residual", None)
    return equation.text(digits) + ("" if residual is None else f"   +/- {residual:.2g}")


def equation_lines(equations: Sequence[Equation], digits: int | None = None,
                   most: int | None = MOST_EQUATIONS_SHOWN) -> list[str]:
    """One line per equation, `most` at most."""
    checked_digits(digits)
    if not equations:
        return ["no equation"]
    return [equation_line(equation, digits) for equation in equations[:most]] + _remainder(equations, most)


def report_of(text: str, equations: Sequence[Equation], most: int = MOST_EQUATIONS_SHOWN) -> str:
    """`text`, then for each equation that has them its coefficients with their standard errors."""
    lines = [text]
    for number, equation in enumerate(equations[:most], start=1):
        errors = getattr(equation, "standard_errors", None)
        if not errors:
            continue
        lines += ["", f"equation {number}:"]
        for exponents, value in equation.terms.items():
            error = errors.get(exponents)
            known = "" if error is None else f" +/- {error:.{ERROR_DIGITS}g}"
            lines.append(f"  {float(value):+.8g}{known}   {monomial_text(exponents, equation.variables)}")
    return "\n".join(lines)


def _remainder(equations, most):
    left = 0 if most is None else len(equations) - most
    return [f"... and {left} more"] if left > 0 else []
