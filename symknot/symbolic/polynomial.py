"""One vanishing polynomial, in each of its forms: exact terms, sympy, function."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import sympy

from .compiled import plain_function
from ..polynomials.expressions import PRECISION, assembled


class Polynomial:
    """One vanishing polynomial of an `Ideal`.

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

    def __init__(self, ideal, index):
        self._ideal = ideal
        self._index = index
        self.degree = int(ideal.recursion.G_degrees[index])
        self.residual = float(ideal.residuals[index])
        self.knot_residual = float(ideal.knot_residuals[index])
        self.redundant = not bool(ideal.essential[index])

    @cached_property
    def terms(self):
        """Coefficients in the user's variables to about 27 digits: exponent tuple -> Fraction."""
        return self._ideal._expansion.terms(self._index)

    @cached_property
    def expr(self):
        """The explicit sympy expression in the user's variables and units, its numbers to 17 digits."""
        return assembled(self._ideal._expansion.rounded_terms(self._index, PRECISION), self._ideal.variables)

    @cached_property
    def nested(self):
        """The same, not expanded: sums of products of polynomials of lower degree.

        Common parts are shared objects; as text it is long from degree 4 on.
        """
        return self._ideal._nested.polynomial(self._index, self._ideal.unit)

    @cached_property
    def poly(self):
        """The same as a `sympy.Poly` with floating-point coefficients."""
        numbers = {e: sympy.Float(raw, precision=53)
                   for e, raw in self._ideal._expansion.rounded_terms(self._index, 53).items()}
        return sympy.Poly.from_dict(numbers, *self._ideal.variables, domain=sympy.RealField(prec=53))

    def __call__(self, X):
        """Values on the rows of X, an (n, d) array; one number for one point, of d numbers.

        They are computed from centred and scaled variables, so they keep their digits where
        `expr` evaluated in doubles would lose them.  NaN in, NaN out.
        """
        return self._compiled.values(X)[..., 0]

    def lambdify(self, modules="numpy"):
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
        return self._ideal._compile(np.array([self._index]))

    def __repr__(self):
        return f"Polynomial({self.expr})"
