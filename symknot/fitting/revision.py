r"""What becomes of the equations of a degree once the knots have moved.

The paper finds the basis again (`FindAgain`).  That basis stays inside the singular subspace
of the noisy data, so equations that contradict each other, as three noisy quadrics through a
twisted cubic always do, can only be dropped.

`JointCorrection` lets the polynomials move too.  Let
:math:`r_i = G(z_i) + J_i (x_i - z_i)` be the equations at the data point :math:`x_i`,
linearised at its knot.  If :math:`x_i = z_i + e_i` with noise of unit variance, and the
equations may still be off by :math:`\lambda`, then :math:`r_i` has covariance
:math:`S_i = J_i J_i^T + \lambda^2 I`, and the best change of the coefficients solves the
linear least-squares problem

.. math:: \min_{dG} \sum_i w_i \, \| S_i^{-1/2} (r_i + dG(z_i)) \|^2 .

Along the normals of the variety this is the orthogonal-distance fit (statistically
better than the eigenvector it starts from).  On a bent variety noise along it has a mean
effect too, :math:`\tfrac12 \sigma^2` times the Laplacian along the variety, which would make a
circle too large; it is measured by a second difference over one standard deviation and
taken off :math:`r_i`.  Where slopes are small, near a crossing or a cusp, bending H adds to the
variance, :math:`\tfrac12 \sigma^2 \|H\|^2` beside :math:`\|J\|^2`; :math:`w_i` is multiplied by the
share of the second in their sum, so that a point there weighs what it is worth.  In the
remaining directions of :math:`S_i`, where only :math:`\lambda` stands, it forces the equations to
have a common zero.

Where a correction by all points would be much work, the first rounds take evenly spread points, as few as bring it down to
`ROUGH_MULTIPLICATIONS`; once these have settled, the rounds go on with all.  They start within a few standard errors then,
where Newton's method needs one round or two.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from ..ground.blocks import blocks
from ..ground.deadline import end_of_work
from ..ground.linalg import ROUNDING, SMALLEST_DIVISOR, ascending_svd, least_squares
from ..ground.lowest import times_complement
from ..ground.tall_factor import TallFactor
from ..ground.threads import in_threads
from .basis import Split, by_residual, find_basis, search_space, split_for
from .degree import DegreeProblem
from .joint_rows import JointRows, split_factor, triangular_root
from .normalization import Normalization

MOST_MULTIPLICATIONS = 4e10
"""Multiplications one joint correction may take, ten to twenty seconds on one core; beyond it work is at its end where
it is limited, and else the equations stay as they are.  A convention."""
ROUGH_MULTIPLICATIONS = 2e9
"""Multiplications of a correction in the first rounds, half a second on one core: a convention."""
ROUGH_ROWS = 10
"""Rows for each unknown that the first rounds take at least: a convention."""
MULTIPLES_SHARE_OF_DELTA = 0.01
"""Share of delta at which joint rounds end: multiples of the equations at higher degrees must meet delta too, with
gradients that may be many times larger.  A convention."""
STALLED_SHARE = 0.5
"""... or where a round leaves more than this share of the residual before it: it has come down to rounding, as rounds
that still converge do so superlinearly.  A convention."""
SETTLED_CHANGE = 1e-5
"""Change of the coefficients of unit-size equations, in inside units, below which they count as settled: a convention.
Standard errors are about the noise over the root of the number of points, 1e-4 at 1 % and 10,000 points."""
SETTLED_ERRORS = 0.01
"""Change of the coefficients, in their own standard errors, that does not matter to anybody: a convention."""
MOST_SETTLING_ROUNDS = 12
"""Rounds after which equations that vanish on the knots are taken as they are.  Measured on the cases of
`tests.varieties`, 300 points, 1 and 5 % noise: equations settle after 2 to 11 rounds at the degrees of the
generators."""


class Tolerances(NamedTuple):
    """Largest norms: `epsilon` on the data, `delta` on the knots in the end; `cooling` lowers eta in between."""

    epsilon: float
    delta: float
    cooling: float


class Moved(NamedTuple):
    """One round of a pursuit after its knots have moved.

    Attributes
    ----------
    problem : DegreeProblem
        With the moved knots.
    split : Split
        The equations that the knots moved for.
    anchors, knots, weights : array
        Where the knots were before this degree, where they are, and their weights.
    values, turn : array
        Ascending singular values of the new equations on the knots, and their directions.
    worst : float
        Largest norm on the knots, of equations of lower degrees too.
    slack : float
        How far the equations contradict each other, relative to the noise.
    noise : float
        The noise that the equations show, in inside units.
    """

    problem: DegreeProblem
    split: Split
    anchors: np.ndarray
    knots: np.ndarray
    weights: np.ndarray
    values: np.ndarray
    turn: np.ndarray
    worst: float
    slack: float
    noise: float


@dataclass(eq=False)
class Revision(ABC):
    """Revises the equations of one degree, round by round; a pursuit makes one for every degree.

    Attributes
    ----------
    normalization : Normalization
    tolerances : Tolerances
    change : float
        Change of the coefficients of unit-size equations in the last round; 0 where equations are found anew.
    """

    normalization: Normalization
    tolerances: Tolerances
    change: float = field(default=0.0, init=False)

    def is_settled(self, worst: float, before: float, rounds: int) -> bool:
        """Whether equations that vanish on the knots need no further round.

        Parameters
        ----------
        worst, before : float
            Largest norm on the knots, which is within delta, and that of the round before.
        rounds : int
            Rounds so far.
        """
        return True

    @abstractmethod
    def revised(self, moved: Moved, eta: float) -> tuple[Split, float]:
        """The equations for the knots as they are now, and the lowered eta."""

    def without_new(self, split: Split) -> Split:
        """The split without the equations that the knots have moved for."""
        return replace(split, G=split.G[:, : split.exact])

    def concluded(self, problem: DegreeProblem, split: Split, in_vain: bool) -> Split:
        """The split with which the degree ends; `in_vain` when the knots went back for want of an equation."""
        none = np.zeros((len(split.G), 0))
        return split_for(problem, self.normalization, split, split.G, none, self.tolerances.delta) if in_vain else split


@dataclass(eq=False)
class FindAgain(Revision):
    """FindBasis on the moved knots.

    Attributes
    ----------
    exact_first : bool
        As in `find_basis`.
    eta_over_residual : float
        Eta is lowered to this multiple of the largest residual where that is less; infinite: by cooling alone.
    """

    exact_first: bool = True
    eta_over_residual: float = np.inf

    def revised(self, moved: Moved, eta: float) -> tuple[Split, float]:
        epsilon, delta, cooling = self.tolerances
        eta = min(cooling * eta, self.eta_over_residual * moved.worst)
        return find_basis(moved.problem, self.normalization, epsilon, eta, delta, self.exact_first), eta


class JointCorrection(Revision):
    """Equations and knots agree by moving both; see the module's text.

    Needs a normalization that sums up gradients.
    """

    def __init__(self, normalization: Normalization, tolerances: Tolerances, problem: DegreeProblem | None = None) -> None:
        super().__init__(normalization, tolerances)
        self._first = problem                         # before any knot has moved
        self.change = self.change_in_errors = np.inf
        self.lingering: np.ndarray | None = None      # within epsilon on the data, not vanishing on the knots
        self._space: np.ndarray | None = None
        self._is_rough, self._takes_all = False, False

    def is_settled(self, worst: float, before: float, rounds: int) -> bool:
        settled = (self.change <= SETTLED_CHANGE or self.change_in_errors <= SETTLED_ERRORS
                   or rounds >= MOST_SETTLING_ROUNDS)
        settled = settled and (worst <= MULTIPLES_SHARE_OF_DELTA * self.tolerances.delta or worst > STALLED_SHARE * before)
        if settled and self._is_rough:
            self._takes_all = True
            return False
        return settled

    def revised(self, moved: Moved, eta: float) -> tuple[Split, float]:
        eta = self.tolerances.cooling * eta
        problem, split = moved.problem, moved.split
        fixed, new = split.G[:, : split.exact], split.G[:, split.exact:] @ moved.turn
        self._linger(new[:, moved.values > eta])
        new = self._corrected(moved, fixed, new[:, moved.values <= eta])
        on_data, turn = ascending_svd(problem.data_factor @ new)
        lingering = self._linger(new @ turn[:, on_data > self.tolerances.epsilon])
        new = new @ turn[:, on_data <= self.tolerances.epsilon]
        G = by_residual(problem, np.hstack([fixed, new]), split.exact)
        return split_for(problem, self.normalization, split, G, lingering, self.tolerances.delta), eta

    def without_new(self, split: Split) -> Split:
        self._linger(split.G[:, split.exact:])
        return super().without_new(split)

    def concluded(self, problem: DegreeProblem, split: Split, in_vain: bool) -> Split:
        if self.lingering is None:
            return super().concluded(problem, split, in_vain)
        return split_for(problem, self.normalization, split, split.G, self.lingering, self.tolerances.delta)

    def _linger(self, columns):
        """All columns that linger, these too."""
        self.lingering = columns if self.lingering is None else np.hstack([self.lingering, columns])
        return self.lingering

    def _corrected(self, moved, fixed, new):
        """The equations `new` after one joint Gauss-Newton correction, whose size is kept in `change`."""
        k = new.shape[1]
        self.change = 0.0
        if k == 0:
            return new
        problem = moved.problem
        if _takes_too_long(problem, len(moved.knots), k, fixed.shape[1] + k + self.lingering.shape[1]):
            end_of_work()
            return new
        directions = self._free_directions(problem, np.hstack([fixed, new, self.lingering]))
        together = np.hstack([fixed, new])
        takes_all = self._takes_all or problem.recursion.degree == 0
        stride = 1 if takes_all else _stride(len(moved.knots), k, directions.shape[1] * k)
        self._is_rough = stride > 1
        (design, target, whiten), count = self._reduced(_thinned(moved, stride), together, k, directions)
        solution = least_squares(design, target, ROUNDING)
        self.change = float(np.abs(solution).max())
        freedom = max((count - directions.shape[1]) * k, 1)
        spread = np.linalg.norm((target - design @ solution) @ whiten.T) / np.sqrt(freedom)
        self.change_in_errors = float(np.linalg.norm(design @ solution @ whiten.T) / max(spread, SMALLEST_DIVISOR))
        turned = solution if target.shape[1] > 1 else solution.reshape(k, -1).T
        return self.normalization.unit_size(new + directions @ turned, problem)

    def _linear_equations(self, moved, together, k, directions):
        """Design and targets (one column for each equation) where slopes are the same everywhere, and their whitening.

        Then all points have one covariance.  The design is a Kronecker product of its root and of the values of the directions,
        the root drops out of the solution, and each equation is a problem of its own.
        """
        problem, d, m = moved.problem, moved.knots.shape[1], directions.shape[1]
        slopes = together[1:]
        root = np.linalg.inv(triangular_root((slopes.T @ slopes + moved.slack**2 * np.eye(slopes.shape[1]))[None])[0])[-k:]
        own = root[:, -k:]
        factor = TallFactor(m + k)
        for rows in blocks(len(moved.knots), m + k + d):
            values = np.empty((len(moved.knots[rows]), 1 + d))
            values[:, 0], values[:, 1:] = problem.recursion.constant, moved.knots[rows]
            residual = values @ together + (moved.anchors[rows] - moved.knots[rows]) @ slopes
            residual = np.linalg.solve(own, root @ residual.T).T
            factor.add(np.hstack([values @ directions, -residual]) * np.sqrt(moved.weights[rows])[:, None])
        return factor.factor[:, :m], factor.factor[:, m:], own

    def _reduced(self, moved, together, k, directions):
        """Design, targets and whitening of the least-squares problem of all knots, reduced, and their number."""
        if moved.problem.recursion.degree == 0:
            return self._linear_equations(moved, together, k, directions), len(moved.knots)
        rows = JointRows(moved.problem, together, k, directions, moved.slack, moved.noise)
        factor = TallFactor(rows.unknowns_at(moved.knots) + 1)
        parts = rows.blocks(len(moved.knots))
        for own in in_threads(lambda part: rows.of(moved.anchors[part], moved.knots[part], moved.weights[part]), parts):
            factor.add(own, overwrite=True)
        return split_factor(rows.over_directions(factor.factor)), len(moved.knots)

    def _free_directions(self, problem, taken):
        """Polynomials over E that may be added to an equation: everything but the taken ones.

        Where all of lower degree may be added to candidates, the space of all is that of any knots.
        """
        if self._space is None or not problem.recursion.adjustable[1:].all():
            first = self._first if self._first and problem.recursion.adjustable[1:].all() else problem
            self._space = search_space(first, self.normalization)
        space = self._space
        coordinates = space.T @ (problem.gradient_gram @ taken)
        constant = np.eye(len(space))[:, :1]
        return np.hstack([constant, times_complement(space, coordinates)])


def _stride(knots, k, unknowns):
    """Of how many knots the first rounds take one."""
    rows = max(ROUGH_MULTIPLICATIONS / unknowns**2, ROUGH_ROWS * unknowns)
    return max(int(knots * k / rows), 1)


def _thinned(moved, stride):
    """Every so many of the knots."""
    if stride == 1:
        return moved
    return moved._replace(anchors=moved.anchors[::stride], knots=moved.knots[::stride], weights=moved.weights[::stride])


def _takes_too_long(problem, knots, k, taken):
    """Whether a joint correction of k equations beside polynomials that are taken is more than `MOST_MULTIPLICATIONS`."""
    unknowns = (1 + int(problem.recursion.adjustable.sum()) + len(problem.products.left) - taken) * k
    return problem.recursion.degree > 0 and knots * k * unknowns**2 > MOST_MULTIPLICATIONS
