r"""What a polynomial of unit size is, so that "nearly vanishing" means something.

A candidate is a combination of the basis :math:`E = [F^{t-1}, P_t]`; any polynomial
vanishes nearly if it is multiplied by a small number, so a size must be fixed first.
Each normalization turns candidates into ones of unit size by one whitening matrix.

``gradient``
    The root-mean-square of :math:`|\nabla g|` over the data is 1.  To first order
    :math:`g(z + e) = g(z) + \nabla g(z) \cdot e`, so a true equation seen through
    noise of standard deviation :math:`\sigma` has root-mean-square value
    :math:`\sigma`: epsilon is a noise level, in the user's units, whatever the number
    of points, their scale and the degree.  The minimum is over combinations with all
    lower degrees (Taubin's fit), not only over residuals of a least-squares fit.
``coefficient``
    The coefficients over the monomials in the whitened variables have unit norm.
``vca``
    The paper's: coefficients over :math:`F_1 \times F_{t-1}` of unit norm, where F has
    unit norm on the knots.  Norms are sums over the points, not means.
"""

from __future__ import annotations

import numpy as np

from ..ground.errors import InvalidOption
from ..ground.linalg import root_of_gram, whitening


class Gradient:
    """Unit root-mean-square gradient on the data."""

    name = "gradient"
    rescale = True
    adjusts_lower_degrees = True
    needs_gradient = True

    def mass(self, n):
        return 1.0

    def whiten(self, candidates, problem):
        return whitening(candidates.T @ problem.gradient_gram @ candidates)


class Coefficient:
    """Unit coefficient vector over the monomials."""

    name = "coefficient"
    rescale = True
    adjusts_lower_degrees = False
    needs_gradient = False

    def mass(self, n):
        return 1.0

    def whiten(self, candidates, problem):
        if problem.recursion.degree == 0:
            return np.eye(candidates.shape[1])
        over_monomials = problem.recursion.basis_coefficients(problem.products) @ candidates
        return whitening(over_monomials.T @ over_monomials)


class PaperVCA:
    """Unit coefficient vector over the products F_1 x F_(t-1)."""

    name = "vca"
    rescale = False
    adjusts_lower_degrees = False
    needs_gradient = False

    def mass(self, n):
        return float(n)

    def whiten(self, candidates, problem):
        # All products are combination @ kept ones; unit vectors over all of them, with the
        # directions that give no new polynomial taken out, are this over the kept ones.
        return root_of_gram(problem.products.combination)


NORMALIZATIONS = {kind.name: kind for kind in (Gradient, Coefficient, PaperVCA)}


def normalization_named(name):
    """The normalization of this name.

    Examples
    --------
    >>> normalization_named("gradient").rescale
    True
    """
    if not isinstance(name, str) or name not in NORMALIZATIONS:
        raise InvalidOption("normalization", name, f"one of {', '.join(map(repr, NORMALIZATIONS))}")
    return NORMALIZATIONS[name]()
