r"""Algorithm 1, FindBasis: split the candidates of one degree into vanishing and nonvanishing.

All that the data say at degree t is in two triangular factors of the evaluation matrix
of :math:`E = [F^{t-1}, P_t]`, one on the data :math:`X_0` and one on the knots
:math:`Z`; after one pass over the points everything is small linear algebra.  The
candidates are the residuals of the products after a least-squares fit on the knots,

.. math:: C_t = P_t - F^{t-1} \, F^{t-1}(Z)^\dagger P_t(Z),

made of unit size by the normalization.  Then, as in the paper,

1. a singular value decomposition on :math:`X_0` finds the combinations
   :math:`V_0^\varepsilon` whose values do not exceed epsilon,
2. one on :math:`Z` keeps those that do not exceed eta there: :math:`G_t`;
3. the rest makes :math:`F_t`, as far as it does not vanish on :math:`Z` within delta (the paper says
   eta here, which would drop directions that are still needed to span the functions on the
   knots), scaled to unit norm on Z.

One step comes before these unless the paper's order is asked for: combinations that
vanish on the knots *already* (within delta) are taken first.  Once equations have been
found and the knots lie on their variety, these are the members of the ideal at this
degree, exact to rounding; left inside the singular subspace of the noisy data they
would be mixed with everything else that is small there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .recursion import Layer, Products, Recursion
from ..ground.linalg import TallFactor, ascending_svd, complement, whitening
from ..ground.blocks import blocks


@dataclass(frozen=True, eq=False)
class DegreeProblem:
    """What one degree's candidates are, and their values on data and knots.

    Attributes
    ----------
    recursion : Recursion
        Everything of lower degree.
    products : Products
    data_factor, knot_factor : array
        Triangular factors of the weighted values of E = [F, P].
    gradient_gram : array or None
        Weighted mean of the products of gradients of E over the data.
    """

    recursion: Recursion
    products: Products
    data_factor: np.ndarray
    knot_factor: np.ndarray
    gradient_gram: np.ndarray

    @property
    def lower(self):
        """Number of polynomials of lower degree, the first columns of E."""
        return sum(self.recursion.sizes)

    def with_knots(self, knots, weights):
        """The same problem after the knots have moved."""
        return replace(self, knot_factor=value_factor(self.recursion, self.products, knots, weights))

    def data_norms(self, G):
        """Norm on the data of each polynomial (column over E)."""
        return np.linalg.norm(self.data_factor @ G, axis=0)

    def knot_norms(self, G):
        """Norm on the knots of each polynomial (column over E)."""
        return np.linalg.norm(self.knot_factor @ G, axis=0)


@dataclass(frozen=True, eq=False)
class Split:
    """The result of FindBasis, as columns over E, with the spectra that decided it.

    Attributes
    ----------
    G, F : array
    adjustable : bool array
        Of F: whether it exceeds epsilon on the data.
    exact : int
        How many of G (the first ones) vanish on the knots already.
    data_values, knot_values : array
        Ascending singular values on the data (of everything but the exact ones) and on the knots.
    """

    G: np.ndarray
    F: np.ndarray
    adjustable: np.ndarray
    exact: int
    data_values: np.ndarray
    knot_values: np.ndarray

    def layer(self, problem):
        return Layer(problem.products, self.F, self.G, self.adjustable)


def degree_problem(recursion, data, data_weights, knots, knot_weights, normalization):
    """Set up the next degree of `recursion`: one pass over the data, one over the knots."""
    products = recursion.next_products()
    columns = sum(recursion.sizes) + len(products.left)
    factor = TallFactor(columns)
    gram = np.zeros((columns, columns)) if normalization.needs_gradient else None
    for rows in blocks(len(data), columns * (data.shape[1] if gram is not None else 1)):
        values = recursion.evaluate(data[rows], products, derivatives=gram is not None)
        E = np.hstack([values.F, values.P])
        weights = data_weights[rows]
        factor.add(E * np.sqrt(weights)[:, None])
        if gram is not None:
            slopes = np.concatenate([values.dF, values.dP], axis=2) * np.sqrt(weights)[:, None, None]
            slopes = slopes.reshape(-1, columns)
            gram += slopes.T @ slopes
    same = knots is data
    knot_factor = factor.factor if same else value_factor(recursion, products, knots, knot_weights)
    return DegreeProblem(recursion, products, factor.factor, knot_factor, gram)


def value_factor(recursion, products, points, weights):
    """Triangular factor of the weighted values of E = [F, P] on `points`."""
    factor = TallFactor(sum(recursion.sizes) + len(products.left))
    for rows in blocks(len(points), factor.factor.shape[1]):
        values = recursion.evaluate(points[rows], products)
        factor.add(np.hstack([values.F, values.P]) * np.sqrt(weights[rows])[:, None])
    return factor.factor


def vanishing_norms(recursion, points, weights):
    """Weighted norm on `points` of every polynomial of G."""
    squares = np.zeros(len(recursion.G_degrees))
    for rows in blocks(len(points)):
        squares += weights[rows] @ recursion.evaluate(points[rows]).G ** 2
    return np.sqrt(squares)


def find_basis(problem, normalization, epsilon, eta, delta, exact_first=True):
    """Algorithm 1 on one degree.

    Parameters
    ----------
    problem : DegreeProblem
    normalization : Gradient, Coefficient or PaperVCA
    epsilon, eta, delta : float
        Tolerances on the data, on the knots now, and on the knots in the end.
    exact_first : bool
        Take combinations that vanish on the knots already before looking at the data.

    Returns
    -------
    Split
    """
    own = _own_candidates(problem, normalization)
    basis = search_space(problem, normalization, own)
    centred_on_knots = _centred(basis, problem.knot_factor)
    knot_values, directions = ascending_svd(problem.knot_factor @ centred_on_knots)
    count = int(np.sum(knot_values <= delta)) if exact_first else 0
    exact, rest = centred_on_knots @ directions[:, :count], basis @ directions[:, count:]
    values, turn = ascending_svd(problem.data_factor @ exact)
    kept = exact @ turn[:, values <= epsilon]      # those beyond epsilon on the data belong nowhere

    data_values, turn = ascending_svd(problem.data_factor @ rest)
    near = rest @ turn[:, data_values <= epsilon]
    near_values, turn = ascending_svd(problem.knot_factor @ near)
    vanishing, lingering = near @ turn[:, near_values <= eta], near @ turn[:, near_values > eta]

    F, adjustable = _nonvanishing(problem, own, np.hstack([exact, near]), lingering, delta)
    G = by_residual(problem, np.hstack([kept, vanishing]), kept.shape[1])
    return Split(G, F, adjustable, kept.shape[1], data_values, knot_values)


def split_for(problem, normalization, split, G, lingering, delta):
    """`split` with other vanishing polynomials: F becomes what `G` and `lingering` leave over.

    `lingering` are polynomials within epsilon on the data that do not vanish on the knots.
    """
    own = _own_candidates(problem, normalization)
    F, adjustable = _nonvanishing(problem, own, np.hstack([G, lingering]), lingering, delta)
    return replace(split, G=G, F=F, adjustable=adjustable)


def by_residual(problem, G, exact):
    """G with its exact part and the rest each turned to principal directions on the data."""
    parts = []
    for part in (G[:, :exact], G[:, exact:]):
        _, turn = ascending_svd(problem.data_factor @ part)
        parts.append(part @ turn)
    return np.hstack(parts)


def of_unit_size(problem, normalization, G):
    """The span of `G` by polynomials that are orthonormal in the normalization's sense."""
    if not normalization.needs_gradient:
        return G
    return G @ whitening(G.T @ problem.gradient_gram @ G)


def _own_candidates(problem, normalization):
    """C_t of unit size, as columns over E."""
    f = problem.lower
    fit = np.linalg.pinv(problem.knot_factor[:, :f], rcond=1e-10) @ problem.knot_factor[:, f:]
    own = np.vstack([-fit, np.eye(len(problem.products.left))])
    return own @ normalization.whiten(own, problem)


def search_space(problem, normalization, own=None):
    """Unit-size polynomials over E among which G_t is sought.

    The candidates C_t, joined, where the normalization says so, by all polynomials of
    lower degree that may be added to them.
    """
    own = _own_candidates(problem, normalization) if own is None else own
    if not normalization.adjusts_lower_degrees:
        return own
    f = problem.lower
    lower = np.eye(len(own))[:, :f][:, problem.recursion.adjustable]
    joint = np.hstack([lower, own])
    # the constant has no gradient; its best share is always minus the mean
    joint = _centred(joint, problem.data_factor)
    return joint @ whitening(joint.T @ problem.gradient_gram @ joint)


def _centred(columns, factor):
    """Polynomials over E with the share of the constant at which they have mean zero."""
    constant = factor[:, 0]
    columns = columns.copy()
    columns[0] -= constant @ factor @ columns / (constant @ constant)
    return columns


def _own_part(problem, own, columns):
    """Coordinates, in the candidates C_t alone, of polynomials over E."""
    f = problem.lower
    return np.linalg.pinv(own[f:]) @ columns[f:]


def _nonvanishing(problem, own, taken, lingering, tolerance):
    """F_t: what is not `taken`, and the `lingering`, each of unit norm on the knots."""
    left = own @ complement(_own_part(problem, own, taken))
    right = own @ _own_part(problem, own, lingering)
    values, turn = ascending_svd(problem.knot_factor @ left)
    left = (left @ turn)[:, values > tolerance]
    right_values, turn = ascending_svd(problem.knot_factor @ right)
    right = (right @ turn)[:, right_values > tolerance]
    F = np.hstack([left, right])[:, ::-1]
    norms = problem.knot_norms(F)
    adjustable = np.r_[np.ones(left.shape[1], bool), np.zeros(right.shape[1], bool)][::-1]
    return F / np.where(norms > 0, norms, 1), adjustable
