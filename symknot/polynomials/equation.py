"""What every equation of every result has in common: exact terms, and the forms that follow from them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import sympy

from .conversion import expression_of, poly_of
from .latex import aligned, latex_sides
from .terms import Exponents, Terms, constant_apart, shown_expression


class Equation:
    """A polynomial that vanishes, or is constant, in named variables.

    Subclasses have these attributes, and more where they mean something (`residual`, `standard_errors`).

    Attributes
    ----------
    terms : dict
        Exponent tuple -> Fraction.
    variables : tuple of sympy.Symbol
    names : tuple of str
        The variables as the user calls them.
    digits : dict
        Exponent tuple -> significant digits to show, for coefficients that are no simple number.
    """

    terms: Terms
    variables: tuple[sympy.Symbol, ...]
    names: tuple[str, ...]
    digits: Mapping[Exponents, int]

    @property
    def degree(self) -> int:
        """Total degree."""
        return max(map(sum, self.terms), default=0)

    @cached_property
    def expr(self) -> sympy.Expr:
        """The polynomial as a sympy expression."""
        return expression_of(self.terms, self.variables)

    @cached_property
    def poly(self) -> sympy.Poly:
        """The polynomial as `sympy.Poly`."""
        return poly_of(self.terms, self.variables)

    @property
    def rational(self) -> sympy.Poly:
        """The polynomial over QQ, exactly in the numbers of `terms`."""
        return poly_of(self.terms, self.variables)

    _apart = staticmethod(constant_apart)
    """What makes two sides of the terms, for the eye."""

    def sides(self, digits: int | None = None) -> tuple[sympy.Expr, sympy.Expr]:
        """The two sides for the eye, the constant on the right; `digits` significant ones instead of those that count."""
        left, right = (shown_expression(side, self.digits, self.variables, digits) for side in self._apart(self.terms))
        return left, right

    def latex(self, digits: int | None = None) -> str:
        """The equation in LaTeX; `digits` significant ones, by default as many as count."""
        return " = ".join(self.latex_sides(digits))

    def latex_sides(self, digits: int | None = None) -> tuple[str, str]:
        """Its two sides in LaTeX."""
        return latex_sides(self.terms, self.digits, self.variables, self.names, digits, self._apart)

    def text(self, digits: int | None = None) -> str:
        """The equation as text, ``x**2 + y**2 = 1``."""
        return " = ".join(map(str, self.sides(digits)))

    def __str__(self) -> str:
        return self.text()

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"


def aligned_equations(equations: tuple[Equation, ...], digits: int | None = None) -> str:
    """Equations in LaTeX, below each other."""
    return aligned(equation.latex_sides(digits) for equation in equations)
