r"""The paper's strategy: a penalty on leaving the data, Eq. 7.

The paper moves every point :math:`x` to the minimiser :math:`z` of

.. math:: \sum_k \|G_k(z)\| + \sum_k \lambda_k \|F_k(z) - F_k(x)\|          (7)

with plain norms.  `Penalty` solves that by iteratively reweighted least squares: with
weights :math:`1/\|\cdot\|` frozen, the objective is a sum of squares whose Gauss-Newton
matrix is :math:`\sum_k w_k J_k^T J_k`.  Every norm has a kink at zero, and the start z = x
sits on one; so norms are rounded off, :math:`\sqrt{\|\cdot\|^2 + \mu^2}`, and
:math:`\mu` goes to zero.  Plain norms drive G(z) to zero exactly once
lambda is below a threshold; above it nothing moves, and far below it points slide along
a curve until they sit on each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..ground.blocks import blocks
from ..ground.checks import number_list, whole_number
from ..ground.errors import InvalidOption
from ..ground.linalg import SMALLEST_DIVISOR
from .basis import Split, find_basis
from .degree import DegreeProblem
from .descent import applied, descend, gram, newton_step
from .knotting import Knotting, MovingEquations
from .normalization import Normalization
from .revision import FindAgain, Revision, Tolerances

NORM_ROUNDINGS = 10.0 ** -np.arange(11)
"""The rounding mu of the norms, as shares of the equations' size at the start: one digit at a time, down to 1e-10.  A
convention."""
SIZE_SAMPLE = 1000
"""Points, the first ones, on which that size is taken: known to a few per cent, and only its order of magnitude
counts."""
RELATIVE_RIDGE = 1e-12
"""Share of a Hessian's trace added to its diagonal, as one may be singular where points have collapsed: a convention,
above rounding and far below what turns a step."""
ETA_OVER_RESIDUAL = 2.0
"""Eta is lowered to so many times the largest residual.  The paper says 1; a basis may come out a hair worse next time,
and would be lost.  A convention."""
CLOSEST_COLLAPSED = 1e-6
"""Knots nearer than this share of the spread (or than delta) are one: a convention.  Points that collapse are pulled
into a kink of the objective, from which steps come back less precisely than from a smooth minimum."""


@dataclass(frozen=True)
class Penalty(Knotting):
    """The paper's penalty, Eq. 7, with plain norms, and the paper's order of steps around it.

    Parameters
    ----------
    weight : float or sequence of float
        ``lambda_t``; one number for every degree, or one per degree starting at 1 (the
        last is used for all higher degrees).
    max_steps : int
    """

    weight: float | Sequence[float] = 1e-2
    max_steps: int = 30

    def __post_init__(self):
        rule = "a number >= 0, or one for each degree"
        weights = number_list("weight", np.atleast_1d(self.weight), np.size(self.weight), rule)
        if len(weights) == 0 or (weights < 0).any():
            raise InvalidOption("weight", self.weight, rule)
        whole_number("max_steps", self.max_steps, 1)

    def move(self, equations: MovingEquations, anchors: np.ndarray, start: np.ndarray, slack: float) -> np.ndarray:
        groups, used = equations.groups, _slice(equations.groups.F_used)
        targets = np.concatenate([equations.with_F(anchors[rows]).F[:, used] for rows in blocks(len(anchors))])
        weights = np.atleast_1d(np.asarray(self.weight, dtype=float))
        in_F = [(weights[min(degree, len(weights)) - 1], _slice(columns), _slice(columns - used.start))
                for degree, columns in groups.F]
        in_G = [_slice(columns) for _, columns in groups.G]
        every = np.arange(start.shape[1])
        ridge = RELATIVE_RIDGE * np.eye(len(every))

        def model(z, rows, rounding):
            values = equations.with_F(z)
            slopes, kept = np.ascontiguousarray(values.dG), targets[rows]
            parts = [(1.0, values.G[:, columns], slopes[:, :, columns]) for columns in in_G]
            parts += [(weight, values.F[:, columns] - kept[:, own], values.dF[:, :, columns]) for weight, columns, own in in_F]
            objective, gradient, hessian = np.zeros(len(z)), np.zeros(z.shape), np.zeros((*z.shape, z.shape[1]))
            for weight, residual, slope in parts:
                norm = np.sqrt(np.einsum("nk,nk->n", residual, residual) + rounding**2)
                objective += weight * norm
                gradient += (weight / norm)[:, None] * applied(slope, residual)
                hessian += (weight / norm)[:, None, None] * gram(slope)
            hessian += np.einsum("nii->n", hessian)[:, None, None] * ridge
            hessian[:, every, every] += SMALLEST_DIVISOR
            return objective, newton_step(gradient, hessian)

        knots = start
        largest = np.sqrt(np.mean(np.sum(equations.with_F(start[:SIZE_SAMPLE]).G ** 2, axis=1)))
        for rounding in max(largest, SMALLEST_DIVISOR) * NORM_ROUNDINGS:
            knots = descend(lambda z, rows: model(z, rows, rounding), knots, self.max_steps)
        return knots

    def split(self, problem: DegreeProblem, normalization: Normalization, epsilon: float, eta: float,
              delta: float) -> Split:
        return find_basis(problem, normalization, epsilon, eta, delta, exact_first=False)

    def revision(self, problem: DegreeProblem, normalization: Normalization, tolerances: Tolerances) -> Revision:
        return FindAgain(normalization, tolerances, exact_first=False, eta_over_residual=ETA_OVER_RESIDUAL)

    def merging_distance(self, delta: float) -> float:
        return max(delta, CLOSEST_COLLAPSED)


def _slice(columns):
    """Columns that follow each other, to be seen and not copied."""
    return slice(int(columns[0]), int(columns[-1]) + 1) if len(columns) else slice(0, 0)
