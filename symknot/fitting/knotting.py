r"""Moving the knots onto the equations: Eq. 7 of the paper, for all points at once.

The paper moves every point :math:`x` to the minimiser :math:`z` of

.. math:: \sum_k \|G_k(z)\| + \sum_k \lambda_k \|F_k(z) - F_k(x)\|          (7)

with plain norms.  `Penalty` solves that by iteratively reweighted least squares: with
weights :math:`1/\|\cdot\|` frozen, the objective is a sum of squares whose Gauss-Newton
matrix is :math:`\sum_k w_k J_k^T J_k`.  Every norm has a kink at zero, and the start z = x
sits on one; so norms are rounded off, :math:`\sqrt{\|\cdot\|^2 + \mu^2}`, and
:math:`\mu` goes to zero.  Plain norms drive G(z) to zero exactly once
lambda is below a threshold; above it nothing moves, and far below it points slide along
a curve until they sit on each other.

`Projection` takes the limit that has neither fault, the nearest point at which G
vanishes: the minimiser of

.. math:: \|G(z)\|^2 + \lambda^2 \|z - x\|^2, \qquad \lambda \to 0,

where :math:`\lambda` (the *slack*) is not an option but measured: it is how far the
equations still contradict each other, relative to the noise.  A direction in which G
changes by less than that is not evidence, and the knot does not move along it; so
knots do not slide along a twisted cubic towards the eight points at which three noisy
quadrics happen to meet.  When the equations agree, the slack is zero and the knots lie
on the variety to rounding.

The problem falls apart into one of size d for each point; they are solved together, in
batches, with exact derivatives, each with its own step length.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from ..ground.checks import number_list, whole_number
from ..ground.errors import InvalidOption
from ..ground.blocks import blocks

SMALLEST_SLACK = 1e-6
"""Below this the pull towards the data drowns in rounding errors of the normal equations."""


@dataclass(frozen=True)
class Projection:
    """Nearest point at which the equations vanish.

    Parameters
    ----------
    metric : {"noise", "mahalanobis"}
        Distance that is kept small: Euclidean in units of the noise (the most likely
        point, for Gaussian noise), or the paper's generalised Mahalanobis distance
        ``|F(z) - F(x)|``.
    max_steps : int
        Gauss-Newton steps at most for one update.
    """

    metric: str = "noise"
    max_steps: int = 50

    follows_paper = False

    @property
    def uses_F(self):
        return self.metric == "mahalanobis"

    def __post_init__(self):
        if self.metric not in ("noise", "mahalanobis"):
            raise InvalidOption("metric", self.metric, "'noise' or 'mahalanobis'")
        whole_number("max_steps", self.max_steps, 1)

    def move(self, evaluate, anchors, start, slack, groups):
        """New knots for `anchors`, starting from `start`.

        Parameters
        ----------
        evaluate : callable
            Points -> `Values` with derivatives.
        slack : float
            Pull towards the anchors, relative to the equations.
        groups : Groups
        """
        pull = max(slack, SMALLEST_SLACK) ** 2
        evaluate = _unit_slopes(evaluate, start)
        targets = _targets(evaluate, anchors, groups) if self.uses_F else None

        def nearest_point(z, rows):
            values = evaluate(z)
            away = z - anchors[rows]
            objective = np.sum(values.G**2, axis=1) + pull * np.sum(away**2, axis=1)
            return objective, _damped_step(values.G, values.dG, away, pull)

        def nearest_in_F(z, rows):
            values = evaluate(z)
            away, slope = values.F[:, groups.F_used] - targets[rows], values.dF[:, :, groups.F_used]
            gradient = _apply(values.dG, values.G) + pull * _apply(slope, away)
            objective = np.sum(values.G**2, axis=1) + pull * np.sum(away**2, axis=1)
            return objective, _newton_step(gradient, _gram(values.dG) + pull * _gram(slope))

        def onto_equations(z, rows):
            values = evaluate(z)
            return np.sum(values.G**2, axis=1), _damped_step(values.G, values.dG, np.zeros_like(z), pull)

        nearest = _descend(nearest_in_F if self.uses_F else nearest_point, start, self.max_steps, tolerance=1e-7)
        # where along the variety a knot lies matters to few digits, that it lies on it to all of them
        return _descend(onto_equations, nearest, 4, tolerance=1e-15)


@dataclass(frozen=True)
class Penalty:
    """The paper's penalty, Eq. 7, with plain norms.

    Parameters
    ----------
    weight : float or sequence of float
        ``lambda_t``; one number for every degree, or one per degree starting at 1 (the
        last is used for all higher degrees).
    max_steps : int
    """

    weight: float | tuple = 1e-2
    max_steps: int = 30

    follows_paper = True
    uses_F = True

    def __post_init__(self):
        rule = "a number >= 0, or one for each degree"
        weights = number_list("weight", np.atleast_1d(self.weight), np.size(self.weight), rule)
        if len(weights) == 0 or (weights < 0).any():
            raise InvalidOption("weight", self.weight, rule)
        whole_number("max_steps", self.max_steps, 1)

    def move(self, evaluate, anchors, start, slack, groups):
        """New knots for `anchors`, starting from `start` (`slack` plays no part)."""
        targets = _targets(evaluate, anchors, groups)
        weights = np.atleast_1d(np.asarray(self.weight, dtype=float))
        terms = [(weights[min(degree, len(weights)) - 1], columns) for degree, columns in groups.F]

        def model(z, rows, rounding):
            values = evaluate(z)
            objective = np.zeros(len(z))
            gradient = np.zeros(z.shape)
            hessian = np.zeros((len(z), z.shape[1], z.shape[1]))
            parts = [(1.0, values.G[:, columns], values.dG[:, :, columns]) for _, columns in groups.G]
            parts += [(weight, values.F[:, columns] - targets[rows][:, columns - groups.F_used[:1]],
                       values.dF[:, :, columns]) for weight, columns in terms]
            for weight, residual, slope in parts:
                norm = np.sqrt(np.sum(residual**2, axis=1) + rounding**2)
                objective += weight * norm
                gradient += (weight / norm)[:, None] * _apply(slope, residual)
                hessian += (weight / norm)[:, None, None] * _gram(slope)
            floor = 1e-12 * np.trace(hessian, axis1=1, axis2=2) + 1e-300
            return objective, _newton_step(gradient, hessian + floor[:, None, None] * np.eye(z.shape[1]))

        knots = start
        largest = np.sqrt(np.mean(np.sum(evaluate(start[:1000]).G ** 2, axis=1)))
        for rounding in max(largest, 1e-300) * 10.0 ** -np.arange(11):
            knots = _descend(lambda z, rows: model(z, rows, rounding), knots, self.max_steps)
        return knots


@dataclass(frozen=True, eq=False)
class Groups:
    """Columns of F and G by degree, as (degree, column indices) pairs.

    `F` goes up to the degree of the first vanishing polynomial only, as in the paper:
    low degrees hold enough of the data's structure to keep a knot near its point.
    """

    F: tuple
    G: tuple

    @property
    def F_used(self):
        return np.concatenate([columns for _, columns in self.F])

    @classmethod
    def of(cls, F_sizes, G_degrees):
        """Groups for F_0, F_1, ... of these sizes and G of these degrees (ascending)."""
        first = int(G_degrees[0]) if len(G_degrees) else len(F_sizes) - 1
        starts = np.concatenate([[0], np.cumsum(F_sizes)])
        F = tuple((t, np.arange(starts[t], starts[t + 1])) for t in range(1, len(F_sizes)) if t <= first)
        G = tuple((int(t), np.flatnonzero(G_degrees == t)) for t in np.unique(G_degrees))
        return cls(F, G)


class _Scaled:
    """Values with the equations divided by `sizes`."""

    def __init__(self, values, sizes):
        self.G, self.dG = values.G / sizes, values.dG / sizes
        self.values = values

    F = property(lambda self: self.values.F)
    dF = property(lambda self: self.values.dF)


def _unit_slopes(evaluate, points):
    """`evaluate` with equations of unit root-mean-square slope, to which a slack can be compared."""
    sample = points[:: max(len(points) // 1000, 1)]
    sizes = np.sqrt(np.mean(np.sum(evaluate(sample).dG ** 2, axis=1), axis=0))
    sizes = np.where(sizes > 0, sizes, 1.0)
    return lambda z: _Scaled(evaluate(z), sizes)


def _targets(evaluate, anchors, groups):
    return np.concatenate([evaluate(anchors[rows]).F[:, groups.F_used] for rows in blocks(len(anchors))])


def _apply(slopes, residual):
    """Sum over polynomials of slope times residual: (n, d, k), (n, k) -> (n, d)."""
    return (slopes @ residual[:, :, None])[:, :, 0]


def _gram(slopes):
    return slopes @ slopes.transpose(0, 2, 1)


def _descend(model, start, max_steps, tolerance=1e-9):
    """Minimise a separable objective by damped Gauss-Newton steps, all points at once."""
    result = np.array(start)
    for rows in blocks(len(result)):
        indices = np.arange(rows.start, rows.stop)
        result[rows] = _descend_block(model, result[rows], indices, max_steps, tolerance)
    return result


def _descend_block(model, z, rows, max_steps, tolerance):
    """Each point keeps its own step length: quartered when a step fails, doubled when it succeeds."""
    best = z.copy()
    objective, step = model(z, rows)
    length = np.ones(len(z))
    active = np.arange(len(z))
    for _ in range(max_steps):
        active = active[(np.abs(step[active]).max(axis=1) * length[active] > tolerance) & (length[active] > 1e-8)]
        if not len(active):
            break
        trial = best[active] + length[active, None] * step[active]
        with np.errstate(over="ignore", invalid="ignore"):
            tried, next_step = model(trial, rows[active])
        better = tried <= objective[active] * (1 + 1e-14)
        length[active] = np.where(better, np.minimum(2 * length[active], 1.0), length[active] / 4)
        won = active[better]
        best[won], objective[won] = trial[better], tried[better]
        step[won] = next_step[better]
    return best


def _newton_step(gradient, hessian):
    """Minus the inverse of each Hessian times its gradient."""
    return _bounded(-np.linalg.solve(hessian, gradient[:, :, None])[:, :, 0])


def _damped_step(G, dG, away, pull):
    """Minimiser over the step of ``|G + J step|^2 + pull |away + step|^2``.

    With fewer equations than variables by way of the smaller system, in which a small
    pull costs no digits.
    """
    if G.shape[1] >= dG.shape[1]:
        return _newton_step(_apply(dG, G) + pull * away, _gram(dG) + pull * np.eye(dG.shape[1]))
    at_anchor = G - (away[:, None, :] @ dG)[:, 0]
    inner = dG.transpose(0, 2, 1) @ dG + pull * np.eye(G.shape[1])
    return _bounded(-_apply(dG, np.linalg.solve(inner, at_anchor[:, :, None])[:, :, 0]) - away)


def _bounded(step):
    """Steps no longer than the data's spread."""
    size = np.linalg.norm(step, axis=1, keepdims=True)
    return step * np.minimum(1.0, 1.0 / np.maximum(size, 1e-300))


def merge_coincident(knots, weights, tolerance):
    """Knots that lie within `tolerance` of each other become one, with their joint weight.

    Returns
    -------
    merged : (K, d) array
        Weighted means, in the order in which the first member appears.
    merged_weights : (K,) array
    member_of : (n,) int array
        Which merged knot each knot went to.
    """
    # cells first: thousands of points on one spot would make a quadratic number of pairs
    cells, cell_of = np.unique(np.round(knots / tolerance), axis=0, return_inverse=True)
    pairs = cKDTree(cells).query_pairs(1.5, output_type="ndarray")
    links = coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(len(cells), len(cells)))
    component = connected_components(links, directed=False)[1][cell_of]
    first = np.full(component.max() + 1, len(knots))
    np.minimum.at(first, component, np.arange(len(knots)))
    rank = np.empty(len(first), dtype=int)
    rank[np.argsort(first)] = np.arange(len(first))
    member_of = rank[component]
    merged_weights = np.bincount(member_of, weights=weights)
    anchor = knots[np.sort(first)]
    shifts = weights[:, None] * (knots - anchor[member_of])
    means = np.stack([np.bincount(member_of, weights=column) for column in shifts.T], axis=1)
    return anchor + means / merged_weights[:, None], merged_weights, member_of
