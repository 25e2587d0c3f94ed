"""One equation of motion: implicitly a polynomial, for the eye a right-hand side.

The equation of a target t with right-hand side a / b is the polynomial t b - a, in the arguments of the right-hand
sides, the functions of them that occur (each counts as a variable of its own), and the targets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import sympy

from ...polynomials.conversion import expression_of
from ...polynomials.equation import Equation
from ...polynomials.latex import latex_of
from ...polynomials.terms import Exponents
from .fields import Field


@dataclass(frozen=True, eq=False)
class MotionEquation(Equation):
    """An equation of motion with the simplest rational numbers that the data do not reject.

    Attributes
    ----------
    target : str
        What it gives: a derivative such as ``x'``, a next state such as ``x_next``, an output.
    terms : dict
        Of the polynomial target * denominator - numerator: exponent tuple -> Fraction.
    digits : dict
        Exponent tuple -> significant digits to show, for coefficients that are no simple number.
    standard_errors : dict
        Exponent tuple -> standard error of the estimated coefficient, before rounding; 0 for the one that is fixed
        at 1.
    variables, factors : tuple
        Symbols of the polynomial, and what each stands for: itself, or a function of another.
    names : tuple of str
    """

    target: str
    terms: dict[Exponents, Fraction]
    digits: dict[Exponents, int]
    standard_errors: dict[Exponents, float]
    variables: tuple[sympy.Symbol, ...]
    factors: tuple[sympy.Expr, ...]
    names: tuple[str, ...]

    @cached_property
    def expr(self) -> sympy.Expr:
        """The polynomial that vanishes as a sympy expression, functions written out."""
        return expression_of(self.terms, self.factors)

    @property
    def right_hand_side(self) -> sympy.Expr:
        """What the target equals, in the rational numbers of `terms`."""
        above, below = self._parts(lambda exponents, value: sympy.Rational(value.numerator, value.denominator))
        return above / below

    def sides(self, digits: int | None = None) -> tuple[sympy.Expr, sympy.Expr]:
        """The target, and its right-hand side for the eye."""
        def number(exponents, value):
            exact = sympy.Rational(value.numerator, value.denominator)
            if digits is not None and value.denominator > 1:
                return exact.evalf(digits)
            shown = self.digits.get(exponents)
            return exact if shown is None else sympy.Float(exact, shown)

        above, below = self._parts(number)
        return self.variables[self.names.index(self.target)], above / below

    def latex_sides(self, digits: int | None = None) -> tuple[str, str]:
        """The same in LaTeX; dashes of derivatives stay dashes, states of discrete time get their step's number."""
        left, right = (latex_of(side, self.variables, self.names) for side in self.sides(digits))
        return left, right

    def _parts(self, number: Callable[[Exponents, Fraction], sympy.Expr]) -> tuple[sympy.Expr, sympy.Expr]:
        """Numerator and denominator; `number` makes a coefficient."""
        place = self.names.index(self.target)
        above, below = [], []
        for exponents, value in self.terms.items():
            monomial = sympy.Mul(*[factor**e for k, (factor, e) in enumerate(zip(self.factors, exponents))
                                   if k != place])
            if exponents[place]:
                below.append(number(exponents, value) * monomial)
            else:
                above.append(-number(exponents, value) * monomial)
        return sympy.Add(*above), sympy.Add(*below)


@dataclass(frozen=True, eq=False)
class StateEquation(Equation):
    """What the states keep to beside their equations of motion: a constraint, or an invariant.

    Attributes
    ----------
    terms, digits, standard_errors : dict
        As of a `MotionEquation`; the errors are 0 where the equation was given.
    variables : tuple of sympy.Symbol
    names : tuple of str
        The states.
    is_constant : bool
        Whether it only keeps its value along each run; else it is zero.
    """

    terms: dict[Exponents, Fraction]
    digits: dict[Exponents, int]
    standard_errors: dict[Exponents, float]
    variables: tuple[sympy.Symbol, ...]
    names: tuple[str, ...]
    is_constant: bool = False

    def sides(self, digits: int | None = None) -> tuple[sympy.Expr, sympy.Expr]:
        """The states on the left; on the right the constant, or ``const``."""
        left, right = super().sides(digits)
        return left, sympy.Symbol("const") if self.is_constant else right

    def latex_sides(self, digits: int | None = None) -> tuple[str, str]:
        """The same in LaTeX."""
        left, right = super().latex_sides(digits)
        return left, r"\mathrm{const}" if self.is_constant else right


def motion_equations(field: Field, targets: Sequence[str], names: tuple[str, ...],
                     symbols: tuple[tuple[sympy.Symbol, ...], tuple[sympy.Expr, ...]],
                     numbers: Mapping[int, tuple[Fraction, int | None]],
                     errors: np.ndarray) -> Iterator[MotionEquation]:
    """The equations of a field.

    Parameters
    ----------
    field : Field
    targets : sequence of str
    names : tuple of str
        Of the arguments, the functions of them, and the targets.
    symbols : tuple of sympy symbols, tuple of sympy expressions
        Their symbols, and what each of them stands for.
    numbers : mapping
        Place of a coefficient -> (number, digits to show).
    errors : (P,) array
        Standard errors of the coefficients.
    """
    variables, factors = symbols
    monomials, none = field.exponents, (0,) * len(targets)
    for j, target in enumerate(targets):
        own = tuple(int(k == j) for k in range(len(targets)))
        lead = (*monomials[field.pivots[j]].tolist(), *own)
        terms, digits, known = {lead: Fraction(1)}, {}, {lead: 0.0}
        for place in np.flatnonzero(field.owner == j).tolist():
            below = bool(field.in_denominator[place])
            exponents = (*monomials[field.monomial[place]].tolist(), *(own if below else none))
            value, shown = numbers[place]
            terms[exponents] = value if below else -value
            known[exponents] = float(errors[place])
            if shown is not None:
                digits[exponents] = shown
        terms = dict(sorted(terms.items(), reverse=True))                  # lexicographic, the leading term first
        yield MotionEquation(target, terms, digits, known, variables, factors, names)
