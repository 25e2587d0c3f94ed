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

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..ground.lapack import inverse_triangle, solve_upper, triangle
from ..ground.linalg import ROUNDING, ascending_svd, complement, least_squares, pseudo_inverse
from ..ground.lowest import KRYLOV_COLUMNS, SLOW_COLUMNS, Quotient, times_complement, times_triangle, within
from .degree import DegreeProblem
from .normalization import Normalization, centred
from .recursion import Layer

UNSEEN_ON_KNOTS = 1e-10
"""Share of the largest singular value of F on the knots below which a direction of F is rounding: a convention, far
below 1, the norm there of each polynomial of F when it was made."""
CANDIDATES = "_candidates"
"""Where a problem keeps its candidates, and the normalization (which need not be hashable) that made them of unit size."""


@dataclass(frozen=True, eq=False)
class Rest:
    """F_t, what is not `taken`, and the `lingering`, each of unit norm on the knots; made when it is asked for.

    Rounds of a pursuit, and the last degree of a search, look at G alone.

    Attributes
    ----------
    problem : DegreeProblem
    normalization : Normalization
        What makes its candidates of unit size.
    taken, lingering : array
        What is no part of F, and those of them that are, after all, as columns over E.
    tolerance : float
        Norm on the knots up to which a polynomial vanishes there.
    """

    problem: DegreeProblem
    normalization: Normalization
    taken: np.ndarray
    lingering: np.ndarray
    tolerance: float

    @cached_property
    def F_and_adjustable(self) -> tuple[np.ndarray, np.ndarray]:
        """F, and of each of its columns whether it exceeds epsilon on the data."""
        problem, own = self.problem, _own_candidates(self.problem, self.normalization)
        left, right = own, own[:, :0]
        if self.taken.shape[1]:
            left = times_complement(own, _own_part(problem, own, self.taken))
        if self.lingering.shape[1]:
            right = own @ _own_part(problem, own, self.lingering)
        left = _orthonormal_on_knots(problem, left, self.tolerance)
        right_values, turn = ascending_svd(problem.knot_factor @ right)
        right = (right @ turn)[:, right_values > self.tolerance]
        F = np.hstack([left, right])[:, ::-1]
        norms = problem.knot_norms(F)
        adjustable = np.r_[np.ones(left.shape[1], bool), np.zeros(right.shape[1], bool)][::-1]
        return F / np.where(norms > 0, norms, 1), adjustable


@dataclass(frozen=True, eq=False)
class Split:
    """The result of FindBasis, as columns over E, with the spectra that decided it.

    Attributes
    ----------
    G : array
    rest : Rest
        What makes F.
    exact : int
        How many of G (the first ones) vanish on the knots already.
    data_values, knot_values : array
        Ascending singular values on the data (of everything but the exact ones) and on the knots.
    """

    G: np.ndarray
    rest: Rest
    exact: int
    data_values: np.ndarray
    knot_values: np.ndarray

    @property
    def F(self) -> np.ndarray:
        """What does not vanish on the knots."""
        return self.rest.F_and_adjustable[0]

    @property
    def adjustable(self) -> np.ndarray:
        """Of each column of F, whether it exceeds epsilon on the data."""
        return self.rest.F_and_adjustable[1]

    def layer(self, problem: DegreeProblem) -> Layer:
        """The degree that this split adds to the recursion."""
        return Layer(problem.products, self.F, self.G, self.adjustable)


def find_basis(problem: DegreeProblem, normalization: Normalization, epsilon: float, eta: float, delta: float,
               exact_first: bool = True) -> Split:
    """Algorithm 1 on one degree.

    Parameters
    ----------
    problem : DegreeProblem
    normalization : Normalization
    epsilon, eta, delta : float
        Tolerances on the data, on the knots now, and on the knots in the end.
    exact_first : bool
        Take combinations that vanish on the knots already before looking at the data.

    Returns
    -------
    Split
    """
    small = _of_very_many(problem, normalization, max(delta, epsilon))
    if small is None:
        basis = search_space(problem, normalization)
        centred_on_knots = centred(basis, problem.knot_factor)
        same = problem.knot_factor is problem.data_factor and np.abs(centred_on_knots[0] - basis[0]).max(initial=0.0) < ROUNDING
        knot_values, directions = within(problem.knot_factor @ centred_on_knots, max(delta, epsilon) if same else delta)
        small = knot_values, centred_on_knots @ directions
    else:
        same, knot_values = True, small[0]
    count = int(np.sum(knot_values <= delta)) if exact_first else 0
    exact = small[1][:, :count]
    values, turn = ascending_svd(problem.data_factor @ exact)
    kept = exact @ turn[:, values <= epsilon]      # those beyond epsilon on the data belong nowhere

    if same:                                        # principal directions on the data already
        data_values, near = knot_values[count:], small[1][:, count: int(np.sum(knot_values <= epsilon))]
    else:
        rest = basis @ complement(directions[:, :count]) if count else basis
        data_values, turn = within(problem.data_factor @ rest, epsilon)
        near = rest @ turn
    near_values, turn = ascending_svd(problem.knot_factor @ near)
    vanishing, lingering = near @ turn[:, near_values <= eta], near @ turn[:, near_values > eta]

    rest = Rest(problem, normalization, np.hstack([exact, near]), lingering, delta)
    G = by_residual(problem, np.hstack([kept, vanishing]), kept.shape[1])
    return Split(G, rest, kept.shape[1], data_values, knot_values)


def split_for(problem: DegreeProblem, normalization: Normalization, split: Split, G: np.ndarray,
              lingering: np.ndarray, delta: float) -> Split:
    """`split` with other vanishing polynomials: F becomes what `G` and `lingering` leave over.

    `lingering` are polynomials within epsilon on the data that do not vanish on the knots.
    """
    return replace(split, G=G, rest=Rest(problem, normalization, np.hstack([G, lingering]), lingering, delta))


def by_residual(problem: DegreeProblem, G: np.ndarray, exact: int) -> np.ndarray:
    """G with its exact part and the rest each turned to principal directions on the data."""
    parts = []
    for part in (G[:, :exact], G[:, exact:]):
        _, turn = ascending_svd(problem.data_factor @ part)
        parts.append(part @ turn)
    return np.hstack(parts)


def smallest_polynomials(factor: np.ndarray, root: np.ndarray,
                         find: Callable[[Quotient], tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """Values and polynomials, columns over E, of unit size and with mean zero, that `find` finds among very many.

    Parameters
    ----------
    factor : array
        Of the values of E on the points.
    root : array
        Of the sizes, as `Normalization.root` has it.
    find : callable
        `lowest` or `within` of a quotient.
    """
    upper = triangle(factor) if len(factor) > factor.shape[1] or np.tril(factor, -1).any() else factor
    values, directions = find(Quotient(upper[1:, 1:], root))          # less its first column: less the constant
    return values, centred(np.vstack([np.zeros(directions.shape[1]), solve_upper(root, directions)]), factor)


def _of_very_many(problem, normalization, bound):
    """Values on the data, which are the knots, up to one beyond a bound, and polynomials within; None where candidates are
    fewer, or the knots others."""
    if problem.data_factor.shape[1] < KRYLOV_COLUMNS or problem.on_knots is not problem.data_factor:
        return None
    root = normalization.root(problem)
    if root is None:
        return None
    return smallest_polynomials(problem.data_factor, root, lambda quotient: within(quotient, bound))


def _own_candidates(problem, normalization):
    """C_t of unit size, as columns over E; kept with the problem, for a round asks more than once."""
    whitened_by, own = problem.__dict__.get(CANDIDATES, (None, None))
    if whitened_by is not normalization:
        f = problem.lower
        fit = pseudo_inverse(problem.knot_factor[:, :f], UNSEEN_ON_KNOTS) @ problem.knot_factor[:, f:]
        unit = normalization.whiten(np.vstack([-fit, np.eye(len(problem.products.left))]), problem)
        own = np.vstack([-fit @ unit, unit])
        problem.__dict__[CANDIDATES] = normalization, own
    return own


def search_space(problem: DegreeProblem, normalization: Normalization) -> np.ndarray:
    """Unit-size polynomials over E among which G_t is sought."""
    return normalization.search_space(_own_candidates(problem, normalization), problem)


def _own_part(problem, own, columns):
    """Coordinates, in the candidates C_t alone, of polynomials over E."""
    f = problem.lower
    if own.shape[1] >= SLOW_COLUMNS and len(own) - f == own.shape[1] and not np.tril(own[f:], -1).any():
        return solve_upper(own[f:], columns[f:])
    try:
        return np.linalg.solve(own[f:], columns[f:])
    except np.linalg.LinAlgError:                   # not square: some directions are no polynomials of their own
        return least_squares(own[f:], columns[f:])


def _orthonormal_on_knots(problem, columns, tolerance):
    """The span of polynomials over E that exceed a tolerance on the knots, by ones that are orthogonal there.

    These are principal directions, ascending; where columns are very many and none is near the tolerance, any others do.
    """
    on_knots = times_triangle(problem.knot_factor, columns)
    if min(on_knots.shape) >= SLOW_COLUMNS and on_knots.shape[0] >= on_knots.shape[1]:
        inverse = inverse_triangle(triangle(on_knots))
        if inverse is not None and tolerance * np.linalg.norm(inverse) < 1:
            return np.ascontiguousarray(times_triangle(inverse.T, columns.T).T)
    values, turn = ascending_svd(on_knots)
    return (columns @ turn)[:, values > tolerance]
