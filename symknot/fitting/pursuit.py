r"""Algorithm 2, ExactVanishPursuit: knots and polynomials of one degree, until they agree.

The paper alternates: move the knots (Eq. 7), lower eta, find the basis again.  Its
basis stays inside the singular subspace of the noisy data, so equations that contradict
each other, as three noisy quadrics through a twisted cubic always do, can only be
dropped.  With a `joint` knotting strategy the polynomials move too.  Let
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
taken off :math:`r_i`.  In the remaining directions of
:math:`S_i`, where only :math:`\lambda` stands, it forces the equations to have a common
zero.  With :math:`\lambda` tied to the contradiction that is left, the alternation
converges superlinearly, to rounding, in about ten rounds.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .basis import DegreeProblem, Split, by_residual, find_basis, of_unit_size, search_space, split_for, vanishing_norms
from .knotting import SMALLEST_SLACK, Groups
from ..ground.linalg import TallFactor, ascending_svd, complement
from ..ground.blocks import blocks

MOST_WORK = 4e10
"""Multiplications one joint correction may take; beyond it the paper's alternation is used."""
TARGET = 0.01
"""Share of delta at which joint rounds end: multiples of the equations must meet delta too."""
STILL = 1e-5
"""Correction of unit-size equations below which they count as settled."""
MOST_SETTLING = 12
"""Rounds after which equations that vanish on the knots are taken as they are."""


class Pursued(NamedTuple):
    """Where the pursuit of one degree ended."""

    problem: DegreeProblem
    split: Split
    knots: np.ndarray
    eta: float
    rounds: int


def exact_vanish_pursuit(problem, split, anchors, weights, settings, eta, watch):
    """Algorithm 2.

    Parameters
    ----------
    problem, split : DegreeProblem, Split
        The degree and what FindBasis said at the present knots.
    anchors, weights : array
        The knots as they are before this degree, and their weights.
    settings : Settings
        Of the fit: normalization, knotting, epsilon, delta, cooling.
    eta : float
        Where the tolerance on the knots starts; it is lowered here only.
    watch : callable
        Called with (eta, largest residual on the knots) every round.

    Returns
    -------
    Pursued
    """
    knots, rounds, slack, before, change = anchors, 0, 0.5, np.inf, np.inf
    delta = settings.delta
    joint = not settings.knotting.follows_paper and settings.normalization.needs_gradient
    lingering = np.zeros((len(split.G), 0))
    while eta > delta and split.G.shape[1] > split.exact:
        rounds += 1
        noise = max(np.sqrt(np.mean(problem.data_norms(split.G[:, split.exact:]) ** 2)), delta)
        knots = _moved(problem, split, anchors, knots, slack, settings)
        problem = problem.with_knots(knots, weights)
        lower = vanishing_norms(problem.recursion, knots, weights).max(initial=0.0)
        values, turn = ascending_svd(problem.knot_factor @ split.G[:, split.exact:])
        worst = max(lower, values[-1], *problem.knot_norms(split.G[:, : split.exact]))
        watch(eta, worst)
        settled = change <= STILL or rounds >= MOST_SETTLING
        if worst <= delta and (not joint or (settled and (worst <= TARGET * delta or worst > before / 2))):
            break
        before = worst
        slack = max(min(slack / 2, 2 * worst / noise), SMALLEST_SLACK)
        if joint:
            eta = settings.cooling * eta
            new = split.G[:, split.exact:] @ turn
            lingering = np.hstack([lingering, new[:, values > eta]])
            new = new[:, values <= eta]
            fixed = split.G[:, : split.exact]
            new, change = _corrected(problem, fixed, new, lingering, anchors, knots, weights, slack, noise, settings)
            on_data, turn = ascending_svd(problem.data_factor @ new)
            lingering = np.hstack([lingering, new @ turn[:, on_data > settings.epsilon]])
            new = new @ turn[:, on_data <= settings.epsilon]
            split = split_for(problem, settings.normalization, split,
                              by_residual(problem, np.hstack([fixed, new]), split.exact), lingering, delta)
        else:
            # the paper's rule, but for the factor 2: a basis may come out a hair worse next time
            eta = min(settings.cooling * eta, 2 * worst if settings.knotting.follows_paper else eta)
            split = find_basis(problem, settings.normalization, settings.epsilon, eta, delta,
                               exact_first=not settings.knotting.follows_paper)
    in_vain = split.G.shape[1] == split.exact and knots is not anchors
    if in_vain:
        # all that the knots moved for has been dropped; the equations of lower degree want them back
        knots, problem = anchors, problem.with_knots(anchors, weights)
    if in_vain or (joint and rounds):
        split = split_for(problem, settings.normalization, split, split.G, lingering, delta)
    return Pursued(problem, split, knots, eta, rounds)


def _moved(problem, split, anchors, knots, slack, settings):
    recursion = problem.recursion
    degrees = np.concatenate([recursion.G_degrees, np.full(split.G.shape[1], recursion.degree + 1)])
    if settings.knotting.uses_F:
        whole = recursion.with_layer(split.layer(problem))
        groups = Groups.of(whole.sizes, degrees)

        def evaluate(z):
            return whole.evaluate(z, derivatives=True)
    else:
        groups = Groups.of(recursion.sizes, degrees)

        def evaluate(z):
            return recursion.evaluate(z, problem.products, derivatives=True, combine=split.G)
    return settings.knotting.move(evaluate, anchors, knots, slack, groups)


def _corrected(problem, fixed, new, lingering, anchors, knots, weights, slack, noise, settings):
    """The equations `new` after one joint Gauss-Newton correction, and the size of the correction."""
    k = new.shape[1]
    if k == 0:
        return new, 0.0
    directions = _free_directions(problem, settings.normalization, np.hstack([fixed, new, lingering]))
    unknowns = directions.shape[1] * k
    if len(knots) * k * unknowns**2 > MOST_WORK:
        return new, 0.0
    factor = TallFactor(unknowns + 1)
    together = np.hstack([fixed, new])
    for rows in blocks(len(knots), (unknowns + 1) * k):
        z = knots[rows]
        values = problem.recursion.evaluate(z, problem.products, derivatives=True, combine=together)
        E = np.hstack([values.F, problem.recursion.evaluate(z, problem.products).P])
        residual = values.G + ((anchors[rows] - z)[:, None, :] @ values.dG)[:, 0]
        residual -= _curvature_share(problem, together, z, values, noise, slack)
        covariance = values.dG.transpose(0, 2, 1) @ values.dG + slack**2 * np.eye(values.G.shape[1])
        # the equations to correct come last, so whitening leaves them free of the others' coefficients
        whiten = np.linalg.inv(np.linalg.cholesky(covariance))[:, -k:] * np.sqrt(weights[rows])[:, None, None]
        changes = E @ directions
        design = np.einsum("nab,nm->nabm", whiten[:, :, -k:], changes).reshape(len(z) * k, unknowns)
        target = -(whiten @ residual[:, :, None])[:, :, 0].reshape(-1, 1)
        factor.add(np.hstack([design, target]))
    solution = np.linalg.lstsq(factor.factor[:, :-1], factor.factor[:, -1], rcond=1e-13)[0]
    corrected = new + directions @ solution.reshape(k, -1).T
    return of_unit_size(problem, settings.normalization, corrected), float(np.abs(solution).max())


def _curvature_share(problem, together, z, values, noise, slack):
    """Mean of the equations over noise along the variety: what bending alone makes of them.

    Where that is not small beside what noise across the variety does (near a crossing,
    where the slope goes to zero) the notion breaks down and the share fades out.
    """
    _, sizes, directions = np.linalg.svd(values.dG.transpose(0, 2, 1), full_matrices=True)
    share = np.zeros_like(values.G)
    for j in range(z.shape[1]):
        along = slack**2 / (sizes[:, j] ** 2 + slack**2) if j < sizes.shape[1] else np.ones(len(z))
        step = noise * directions[:, j]
        above, below = (problem.recursion.evaluate(z + sign * step, problem.products, combine=together).G
                        for sign in (1, -1))
        share += along[:, None] * ((above + below) / 2 - values.G)
    # one factor for all equations of a point: relations between them must survive
    across = noise * np.linalg.norm(values.dG, axis=(1, 2))
    bent = np.linalg.norm(share, axis=1) / np.maximum(across, 1e-300)
    return share / (1 + (5 * bent[:, None]) ** 2)


def _free_directions(problem, normalization, taken):
    """Polynomials over E that may be added to an equation: everything but the taken ones."""
    space = search_space(problem, normalization)
    coordinates = space.T @ problem.gradient_gram @ taken
    constant = np.eye(len(space))[:, :1]
    return np.hstack([constant, space @ complement(coordinates)])
