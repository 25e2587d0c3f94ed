r"""Polynomials and equations in LaTeX."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import sympy

from .terms import constant_apart, shown_expression

SPECIAL = {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
           **{character: "\\" + character for character in "&%$#_{}"}}
"""Characters that mean something to LaTeX, and how each is written as itself."""


def latex_name(name: str) -> str:
    """A variable's name; one that is no plain symbol appears as text.

    Examples
    --------
    >>> latex_name("alpha"), latex_name("x2"), latex_name("cell count_%")
    ('\\\\alpha', 'x_{2}', '\\\\text{cell count\\\\_\\\\%}')
    """
    if name.isidentifier() and name.isascii():
        return sympy.latex(sympy.Symbol(name))
    return r"\text{" + "".join(SPECIAL.get(character, character) for character in name) + "}"


def latex_sides(terms: Mapping, digits_of: Mapping, variables: Sequence[sympy.Symbol], names: Sequence[str],
                digits: int | None = None, apart: Callable = constant_apart) -> tuple[str, str]:
    """The two sides of an equation, by default with the constant on the right; numbers as in `terms.shown_expression`."""
    symbols = {variable: latex_name(name) for variable, name in zip(variables, names)}
    left, right = (sympy.latex(shown_expression(side, digits_of, variables, digits), symbol_names=symbols)
                   for side in apart(terms))
    return left, right


def aligned(sides: Iterable[tuple[str, str]]) -> str:
    """Equations below each other, their equality signs in line.

    Examples
    --------
    >>> print(aligned([("x", "1"), ("y^2", "2")]))
    \\begin{aligned}
    x &= 1 \\\\
    y^2 &= 2
    \\end{aligned}
    """
    return "\\begin{aligned}\n" + " \\\\\n".join(f"{left} &= {right}" for left, right in sides) + "\n\\end{aligned}"
