r"""The rows of the least-squares problem by which equations and knots agree (`revision.JointCorrection`), a block at a time.

At the knot z of a data point x, with the equations G, their slopes J and the slack :math:`\lambda`,

.. math:: r = G(z) + J (x - z) - \text{curvature}, \qquad S = J J^T + \lambda^2 I, \qquad
          \sqrt w\, S^{-1/2} \, dG(z) = - \sqrt w\, S^{-1/2} r ,

where the changes dG are combinations of given directions, and w is multiplied by the share of the variance that slopes
explain.  `revision` says why.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ..ground.blocks import in_cache
from ..ground.lapack import triangle
from ..ground.linalg import SMALLEST_DIVISOR, svd
from .at_points import AtPoints, second_order
from .degree import DegreeProblem
from .work import small_decompositions

LOST_SLACK = 1e-13
"""Share of the squared slopes that stands for a slack too small to be seen beside them: some hundred roundings."""
KNOTS_PER_PRODUCT = 2
"""Knots for each product from which on it is cheaper to combine the factor of all rows than the rows.  Derived: 2 n m**2
multiplications against 10/3 m**3, for n knots and m products."""
BENDING_WEIGHT = 5.0
"""How sharply the share of curvature fades where bending is not small beside the slope: it is halved where the mean
effect of bending is a fifth of what noise across the variety does.  A convention."""


@dataclass(frozen=True, eq=False)
class JointRows:
    """What makes rows of points.

    Parameters
    ----------
    problem : DegreeProblem
    together : array
        All equations of the degree, as columns over E; the last `k` are to be corrected.
    k : int
    directions : array
        Polynomials over E that may be added to each.
    slack : float
        How far the equations contradict each other, relative to the noise.
    noise : float
        The noise that the equations show, in inside units.
    """

    problem: DegreeProblem
    together: np.ndarray
    k: int
    directions: np.ndarray
    slack: float
    noise: float
    _by_products: bool = field(default=False, init=False, repr=False)

    @cached_property
    def _equations(self):
        return AtPoints(self.problem.recursion, self.problem.products, self.together)

    @cached_property
    def _changes(self):
        return AtPoints(self.problem.recursion, self.problem.products, self.directions, with_lower=False)

    def unknowns_at(self, knots: np.ndarray) -> int:
        """How many unknowns the rows have; this comes before `of`.

        Of one equation at many knots rows are made of the products that directions are combinations of, and these combinations
        once for all knots (`over_directions`), where sums over products lose nothing.
        """
        enough = len(knots) >= KNOTS_PER_PRODUCT * len(self._changes.over)
        alone = self.together.shape[1] == 1 and self._equations.count == 1
        self.__dict__["_by_products"] = alone and enough and self._changes.suits(knots)
        return len(self._changes.over) if self._by_products else self.directions.shape[1] * self.k

    def over_directions(self, factor: np.ndarray) -> np.ndarray:
        """The factor of all rows as one over the directions, and the target."""
        if not self._by_products:
            return factor
        return triangle(np.hstack([factor[:, :-1] @ self._changes.over, factor[:, -1:]]))

    def blocks(self, n: int) -> list[slice]:
        """Slices of n points, each few enough to stay in cache."""
        return in_cache(n, max(self._equations.width, self._changes.count * self.k**2))

    def of(self, anchors: np.ndarray, knots: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Rows (n k, unknowns + 1) of a block: the design, then the target; they may be overwritten."""
        G, dG = self._equations.at(knots)
        residual = G + np.einsum("nd,ndk->nk", anchors - knots, dG) - self._curvature_share(knots, G, dG)
        weights = weights * self._first_order_share(knots, dG)
        if G.shape[1] == 1:
            root = np.sqrt(weights / (np.einsum("ndk,ndk->n", dG, dG) + self.slack**2))
            changes = self._changes.product_values(knots) if self._by_products else self._changes.values(knots).T
            rows = np.empty((len(changes) + 1, len(root)))
            np.multiply(changes, root, out=rows[:-1])
            np.multiply(residual[:, 0], -root, out=rows[-1])
            return rows.T
        changes = self._changes.values(knots)
        slopes = np.ascontiguousarray(dG)
        covariance = slopes.transpose(0, 2, 1) @ slopes + self.slack**2 * np.eye(G.shape[1])
        # the equations to correct come last, so whitening leaves them free of the others' coefficients
        whiten = np.linalg.inv(triangular_root(covariance))[:, -self.k:] * np.sqrt(weights)[:, None, None]
        rows = np.empty((self.k * changes.shape[1] + 1, len(knots), self.k))
        np.einsum("nab,nm->bmna", whiten[:, :, -self.k:], changes, out=rows[:-1].reshape(self.k, -1, len(knots), self.k))
        rows[-1] = -(whiten @ residual[:, :, None])[:, :, 0]
        return rows.reshape(len(rows), -1).T

    def _first_order_share(self, z, dG):
        """Of the variance of the equations at each point, the share that slopes explain; the rest is that of bending."""
        bending, hessians = np.zeros(len(z)), self._equations.hessians
        if hessians is not None:
            bending += self.noise**2 * np.sum(hessians**2) / 2
        else:
            for step in self.noise * np.eye(z.shape[1]):
                change = self._equations.at(z + step).dG - dG
                bending += np.einsum("ndk,ndk->n", change, change) / 2
        first = np.einsum("ndk,ndk->n", dG, dG)
        return np.maximum(first, SMALLEST_DIVISOR) / np.maximum(first + bending, SMALLEST_DIVISOR)

    def _curvature_share(self, z, G, dG):
        """Mean of the equations over noise along the variety: what bending alone makes of them.

        Where that is not small beside what noise across the variety does (near a crossing,
        where the slope goes to zero) the notion breaks down and the share fades out.
        """
        hessians, share = self._equations.hessians, np.zeros_like(G)
        sizes, directions = _principal(dG, full=hessians is None)
        if hessians is not None:         # over all directions of a basis they add up to the trace
            share += self.noise**2 / 2 * np.trace(hessians)
        for j in range(z.shape[1] if hessians is None else len(sizes)):
            along = self.slack**2 / (sizes[j] ** 2 + self.slack**2) if j < len(sizes) else np.ones(len(z))
            step = self.noise * directions[j].T
            if hessians is None:
                above, below = (self._equations.values(z + sign * step) for sign in (1, -1))
                share += along[:, None] * ((above + below) / 2 - G)
            else:
                share += (along[:, None] - 1) * second_order(hessians, step)
        # one factor for all equations of a point: relations between them must survive
        across = self.noise * np.sqrt(np.einsum("ndk,ndk->n", dG, dG))
        bent = np.sqrt(np.einsum("nk,nk->n", share, share)) / np.maximum(across, SMALLEST_DIVISOR)
        return share / (1 + (BENDING_WEIGHT * bent[:, None]) ** 2)


def _principal(dG, full):
    """Singular values (k, n) of the slopes at each point, and orthonormal directions (., d, n) that go with them; if `full`,
    others follow up to a basis.

    Of one slope a reflection that takes the first axis to it has the basis.
    """
    if dG.shape[2] > 1:
        small_decompositions(len(dG), dG.shape[2])
        _, sizes, directions = svd(np.ascontiguousarray(dG.transpose(0, 2, 1)), full_matrices=full)
        return sizes.T, directions.transpose(1, 2, 0)
    slope = dG[:, :, 0].T
    size = np.sqrt(np.einsum("dn,dn->n", slope, slope))
    mirror = slope / np.where(size > 0, size, 1.0)
    if not full:
        return size[None], mirror[None]
    lead = np.abs(mirror[0])
    mirror[0] += np.where(mirror[0] < 0, -1.0, 1.0)
    directions = -mirror[:, None] * (mirror / (1 + lead))[None]
    directions[np.diag_indices(len(mirror))] += 1.0
    return size[None], directions


def triangular_root(covariance: np.ndarray) -> np.ndarray:
    """Cholesky factors; where steep slopes have swallowed the slack, their rounding takes its place."""
    try:
        return np.linalg.cholesky(covariance)
    except np.linalg.LinAlgError:
        size = np.trace(covariance, axis1=1, axis2=2)[:, None, None]
        return np.linalg.cholesky(covariance + LOST_SLACK * size * np.eye(covariance.shape[1]))


def split_factor(factor: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Design, target and (no) whitening of a joint problem, from the factor of its rows."""
    return factor[:, :-1], factor[:, -1:], np.eye(1)
