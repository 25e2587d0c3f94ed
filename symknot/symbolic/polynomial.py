"""One vanishing polynomial, in each of its forms: exact terms, sympy, function."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
import sympy
from mpmath import libmp

from ..fitting.fitted import Fitted
from ..ground.memory import remembered
from ..polynomials.equation import Equation
from ..polynomials.expressions import PRECISION, assembled
from ..polynomials.terms import Exponents, Terms
from .compiled import Compiled, plain_function
from .expansion import Expansion, expansion
from .nested import Nested

DOUBLE_BITS = 53
"""Bits of a double's mantissa."""
RIGHT_BITS = 41
"""Bits to which values of `expr` at the data are right, compared with the largest: a little better than 1e-12."""
LEAST_VALUE = 1e-2
"""Share of the data's spread that values are compared with at least: a convention; the doubles of `evaluate` are right to
about 1e-14 of the spread, so not to 1e-12 of values that are smaller."""
FITTED_DIGITS_SHOWN = 6
"""Significant digits of a fitted coefficient in text and LaTeX: a convention, more than noisy data determine."""


@remembered
def expansion_of(fitted: Fitted) -> Expansion:
    """The polynomials of a fit, written out on demand."""
    return expansion(fitted.recursion, fitted.center, fitted.scale, fitted.unit, fitted.knots)


@remembered
def nested_of(fitted: Fitted) -> Nested:
    """The polynomials of a fit as the recursion builds them."""
    return Nested(fitted.recursion, fitted.center, fitted.scale, fitted.variables)


def compiled_for(fitted: Fitted, places: list[int]) -> Compiled:
    """Some of the polynomials of a fit, ready for evaluation."""
    return Compiled(expansion_of(fitted), fitted.names, np.array(places, dtype=int), fitted.knots)


@remembered
def polynomials_of(fitted: Fitted, redundant: bool = False) -> tuple[Polynomial, ...]:
    """The equations of a fit, by degree, then residual; or the redundant polynomials, which these generate."""
    return tuple(Polynomial(fitted, place) for place in fitted.in_order(redundant))


class Polynomial(Equation):
    """One vanishing polynomial of a fit.

    Attributes
    ----------
    degree : int
    residual : float
        Its root-mean-square on the data (its norm, with normalization "vca").
    knot_residual : float
        The same on the knots.
    redundant : bool
        Whether polynomials of lower degree generate it.
    """

    def __init__(self, fitted: Fitted, place: int):
        self._fitted = fitted
        self._place = place
        self.names = fitted.names
        self.variables = fitted.variables
        self.residual = float(fitted.residuals[place])
        self.knot_residual = float(fitted.knot_residuals[place])
        self.redundant = not bool(fitted.essential[place])

    @property
    def degree(self) -> int:
        """Total degree."""
        return int(self._fitted.recursion.G_degrees[self._place])

    @cached_property
    def terms(self) -> Terms:  # type: ignore[override]
        """Coefficients in the user's variables to about 27 digits: exponent tuple -> Fraction."""
        return expansion_of(self._fitted).terms(self._place)

    @property
    def digits(self) -> dict[Exponents, int]:  # type: ignore[override]
        """Significant digits of each coefficient that are shown."""
        return dict.fromkeys(self.terms, FITTED_DIGITS_SHOWN)

    @cached_property
    def expr(self) -> sympy.Expr:
        """The explicit sympy expression in the user's variables and units, its numbers to 17 digits, or to more where
        they cancel: far from the origin."""
        if self._bits_needed <= PRECISION:
            return assembled(self._rounded, self.variables)
        return assembled(self._long, self.variables, self._bits_needed)

    @property
    def _long(self):
        """Coefficients with the bits that are needed."""
        return {e: libmp.from_rational(value.numerator, value.denominator, self._bits_needed, "n")
                for e, value in self.terms.items()}

    @cached_property
    def _rounded(self):
        return expansion_of(self._fitted).rounded_terms(self._place, PRECISION)

    @cached_property
    def _bits_needed(self) -> int:
        """Bits of the coefficients with which values at the data are right to `RIGHT_BITS`, however large their terms."""
        fitted, exponents = self._fitted, np.array(list(self._rounded)).reshape(-1, len(self.names))
        with np.errstate(divide="ignore"):
            reach = np.log2(np.abs(fitted.knots).max(axis=0))
        powers = exponents @ np.where(np.isfinite(reach), reach, 0.0)
        sizes = np.array([power + bits for _, _, power, bits in self._rounded.values()]) + powers
        with np.errstate(divide="ignore"):
            value = max(np.log2(self.residual), np.log2(LEAST_VALUE) + np.log2(fitted.unit))
        return RIGHT_BITS + int(np.ceil(sizes.max() - value)) if len(sizes) else PRECISION

    @cached_property
    def nested(self) -> sympy.Expr:
        """The same, not expanded: sums of products of polynomials of lower degree.

        Common parts are shared objects; as text it is long from degree 4 on.
        """
        return nested_of(self._fitted).polynomial(self._place, self._fitted.unit)

    @cached_property
    def poly(self) -> sympy.Poly:
        """The same as a `sympy.Poly` with floating-point coefficients: doubles, or longer ones where they cancel."""
        bits = self._bits_needed if self._bits_needed > PRECISION else DOUBLE_BITS
        raw = self._long if bits > DOUBLE_BITS else expansion_of(self._fitted).rounded_terms(self._place, bits)
        numbers = {e: sympy.Float(number, precision=bits) for e, number in raw.items()}
        return sympy.Poly.from_dict(numbers, *self.variables, domain=sympy.RealField(prec=bits))

    def __call__(self, X: Any) -> np.ndarray:
        """Values on the rows of X, an (n, d) array; one number for one point, of d numbers.

        They are computed from centred and scaled variables, so they keep their digits where
        `expr` evaluated in doubles would lose them.  NaN in, NaN out.
        """
        return self._compiled.values(X)[..., 0]

    def lambdify(self, modules: str = "numpy") -> Callable:
        """A plain function of d arguments, one for each variable.

        Parameters
        ----------
        modules : {"numpy", "mpmath", "math"}
            For arrays, which broadcast; for numbers of mpmath, with a result that is correct
            to its working precision (taking `terms` as exact); for floats.

        Returns
        -------
        function

        Examples
        --------
        >>> import mpmath, symknot
        >>> g = symknot.vca([[1, 0], [0, 1], [-1, 0], [0, -1], [0.6, 0.8]], epsilon=1e-6).polynomials[0]
        >>> bool(abs(g.lambdify()([1.0, 0.6], [0.0, 0.8])).max() < 1e-12)
        True
        >>> with mpmath.workdps(40):
        ...     value = g.lambdify("mpmath")(mpmath.mpf(2), mpmath.mpf(1))
        >>> bool(abs(value - g([2, 1])) < 1e-14)
        True
        """
        function = plain_function(self._compiled, modules)
        return lambda *arguments: function(*arguments)[0]

    @cached_property
    def _compiled(self):
        return compiled_for(self._fitted, [self._place])

    def __repr__(self) -> str:
        return f"Polynomial({self.expr})"
