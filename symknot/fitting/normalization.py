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

A new one is a subclass of `Normalization` with a `whiten` of its own, passed as
``symknot.fit(points, epsilon, normalization=MyNormalization())``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from ..ground.checks import strategy
from ..ground.lapack import root_of_definite
from ..ground.linalg import MANY_COLUMNS, NO_DIRECTION, root_of_gram, whitening
from .degree import DegreeProblem


class Normalization(ABC):
    """What unit size means.

    A subclass must say how candidates are made of unit size (`whiten`); everything else has
    a default.  Polynomials are columns of coefficients over ``E = [F, P]``, all polynomials
    of lower degree followed by the products of this degree; ``problem.lower`` is the number
    of the former.

    Attributes
    ----------
    name : str
        What it is called in a saved result.
    rescale : bool
        Whether the data are scaled to unit spread before anything else.
    needs_gradient : bool
        Whether ``problem.gradient_gram`` is to be summed up over the data.
    residual_is_distance : bool
        Whether the root-mean-square of a unit polynomial over the data estimates their
        distance from its zeros, so that epsilon is a noise level and can be found by itself.
    """

    name: str = "custom"
    rescale: bool = True
    needs_gradient: bool = False
    residual_is_distance: bool = False

    @abstractmethod
    def whiten(self, candidates: np.ndarray, problem: DegreeProblem) -> np.ndarray:
        """A matrix W such that the columns of ``candidates @ W`` are of unit size and independent.

        Directions in which the candidates are the zero polynomial must be left out.
        """

    def mass(self, count: int) -> float:
        """The sum of the weights of `count` points: 1 for means over the points, `count` for sums."""
        return 1.0

    def search_space(self, own: np.ndarray, problem: DegreeProblem) -> np.ndarray:
        """Unit-size polynomials among which vanishing ones are sought, made of the candidates `own` (of unit size)."""
        return own

    def root(self, problem: DegreeProblem) -> np.ndarray | None:
        """Triangle U such that a polynomial with coefficients (c, v), c over the constant, has the size ``norm(U @ v)``, where
        all polynomials but the constant are sought among; None where that is not so."""
        return None

    def unit_size(self, G: np.ndarray, problem: DegreeProblem) -> np.ndarray:
        """The span of `G` by polynomials that are orthonormal in this sense; `G` itself where there is no such sense."""
        return G


class Gradient(Normalization):
    """Unit root-mean-square gradient on the data."""

    name = "gradient"
    needs_gradient = True
    residual_is_distance = True

    def whiten(self, candidates: np.ndarray, problem: DegreeProblem) -> np.ndarray:
        return whitening(_sizes_of(candidates, problem.gradient_gram))

    def search_space(self, own: np.ndarray, problem: DegreeProblem) -> np.ndarray:
        lower = np.eye(len(own))[:, : problem.lower][:, problem.recursion.adjustable]
        # the constant has no gradient; its best share is always minus the mean
        joint = centred(np.hstack([lower, own]), problem.data_factor)
        return self.unit_size(joint, problem)

    def root(self, problem: DegreeProblem) -> np.ndarray | None:
        if problem.gradient_gram is None or not problem.recursion.adjustable[1:].all():
            return None
        return root_of_definite(problem.gradient_gram[1:, 1:], len(problem.gradient_gram) * NO_DIRECTION)

    def unit_size(self, G: np.ndarray, problem: DegreeProblem) -> np.ndarray:
        return G @ self.whiten(G, problem)


def _sizes_of(columns, gram):
    """``columns.T @ gram @ columns``; of many candidates, products less what lower degrees know of them, by that difference."""
    lower, k = len(columns) - columns.shape[1], columns.shape[1]
    if k < MANY_COLUMNS or lower < 0 or not np.array_equal(columns[lower:], np.eye(k)):
        return columns.T @ gram @ columns
    fit = columns[:lower]
    half = gram[:, lower:] + gram[:, :lower] @ fit
    return half[lower:] + fit.T @ half[:lower]


class Coefficient(Normalization):
    """Unit coefficient vector over the monomials."""

    name = "coefficient"

    def whiten(self, candidates: np.ndarray, problem: DegreeProblem) -> np.ndarray:
        if problem.recursion.degree == 0:
            return np.eye(candidates.shape[1])
        over_monomials = problem.recursion.basis_coefficients(problem.products) @ candidates
        return whitening(over_monomials.T @ over_monomials)


class PaperVCA(Normalization):
    """Unit coefficient vector over the products F_1 x F_(t-1)."""

    name = "vca"
    rescale = False

    def mass(self, count: int) -> float:
        return float(count)

    def whiten(self, candidates: np.ndarray, problem: DegreeProblem) -> np.ndarray:
        # All products are combination @ kept ones; unit vectors over all of them, with the
        # directions that give no new polynomial taken out, are this over the kept ones.
        return root_of_gram(problem.products.combination)


NORMALIZATIONS: dict[str, type[Normalization]] = {kind.name: kind for kind in (Gradient, Coefficient, PaperVCA)}


def normalization_of(given: str | Normalization) -> Normalization:
    """The normalization of this short name, or the one given.

    Examples
    --------
    >>> normalization_of("gradient").residual_is_distance
    True
    """
    return strategy("normalization", given, Normalization, NORMALIZATIONS)


def centred(columns: np.ndarray, factor: np.ndarray) -> np.ndarray:
    """Polynomials over E with the share of the constant at which they have mean zero on the points of `factor`."""
    constant = factor[:, 0]
    columns = columns.copy()
    columns[0] -= constant @ factor @ columns / (constant @ constant)
    return columns
