r"""Equations of one degree more, bent out of equations that are too simple.

A mild bend (a short arc, a quadric that is nearly a plane) shows no gap at its own degree: squares of the
noise across it make polynomials of nearly the same value.  But the simpler equations stand clear, and
their residuals show structure (`structure`).  Then the equations of the next degree are found from them by
orthogonal distances: with the feet :math:`z_i` and the turned slopes :math:`T_i` of the present ones, the
change of the coefficients is the least-squares solution of

.. math:: \min_{c} \sum_i w_i \, \| u_i + T_i \, c \cdot E(z_i) \|^2

over all polynomials E of the next degree; u are the distances without the mean effect of curvature.
Polynomials that are zero on the variety take no part in it, so squares of the noise cannot mislead it.
"""

from __future__ import annotations

import numpy as np

from ..ground.linalg import complement, least_squares
from .hypothesis import Hypothesis
from .sampled import SampledDegree
from .work import call

MOST_BENDS = 15
"""Rounds of bending at most: a convention; 3 to 8 settle."""
SETTLED_BEND = 1e-3
"""Change of unit-size coefficients, relative to the noise, at which bending has settled: a convention."""
MOST_METRICS = 4
"""Times the noise that the equations imply becomes their metric: a convention; the first changes nearly all."""
SETTLED_METRIC = 0.02
"""Change of the logarithm of a level below which the metric has settled: a convention, below its standard error."""
MOST_HALVINGS = 6
"""Times a step is halved until it does not lead away from the points: a convention."""
LARGEST_RISE = 1.02
"""Rise of the median distance that is no rise: a convention, below its standard error."""
RUNAWAY_RISE = 1.1
"""Rise of the median distance in a new metric that is no settling: a convention.  Points are a few per cent farther
where noise is weighed as it is; where a weak variable takes over all the noise, several times."""
WEAKEST_BEND = 1e-6
"""Share of the largest singular value below which a change of the coefficients is not determined: a convention."""


def bent(simple: Hypothesis, at: SampledDegree, fixed: bool = False) -> Hypothesis | None:
    """Equations of the degree of `at` near `simple`, of the degree before; None where they do not settle.

    Parameters
    ----------
    simple : Hypothesis
    at : SampledDegree
    fixed : bool
        Whether the metric is given.
    """
    sample = at.sample
    E = _values(at, sample.values)
    targets = simple.evaluated(sample.values)
    root = np.sqrt(sample.weights)[:, None]
    G = least_squares(E * root, targets * root, rcond=WEAKEST_BEND)
    now = _settled(_hypothesis(at, G, simple.metric, simple.expected), root)
    for _ in range(0 if fixed else MOST_METRICS):
        if now is None:
            break
        metric = _determined_metric(now)
        if np.abs(np.log(metric / now.metric)).max() < SETTLED_METRIC:
            break
        again = _settled(_hypothesis(at, now.equations, metric, now.expected), root)
        if again is None or again.typical > RUNAWAY_RISE * now.typical:
            break
        now = again
    return now


def _determined_metric(found):
    """The metric that the equations imply for variables whose noise they determine; of the others the same share."""
    known = found.determined
    logs = np.log(found.metric * found.levels.sizes)
    metric = np.exp(np.where(known, logs, logs[known].mean() if known.any() else 0.0))
    return metric / np.sqrt(np.mean(metric**2))


def _settled(now, root):
    """Equations whose coefficients do not change any more, in one metric; None where they have no slope."""
    if not now.own_normals.strong.any():
        return None
    for _ in range(MOST_BENDS):
        change = _change(now, root)
        for halving in range(MOST_HALVINGS):
            there = _hypothesis(now.at, now.equations + change / 2**halving, now.metric, now.expected)
            if there.typical <= LARGEST_RISE * now.typical:
                break
        else:
            return now
        now = there
        if np.abs(change).max() < SETTLED_BEND * max(now.noise, SETTLED_BEND):
            break
    return now


def _values(at, points):
    v = at.problem.recursion.evaluate(points, at.problem.products)
    return np.hstack([v.F, v.P])


def _change(now, root):
    """One step of the coefficients, as columns over E; along the equations themselves it would only change their size."""
    found, k = now.unbent, now.k
    directions = complement(now.at.grams.sum(axis=0) @ now.equations)
    E = _values(now.at, now.feet) @ directions
    turn = found.turn * root[:, :, None]
    design = np.einsum("nck,nm->nckm", turn, E).reshape(len(E) * turn.shape[1], -1)
    target = (found.distances * root).reshape(-1)
    call(4 * design.size * design.shape[1])
    kept = found.strong.reshape(-1)
    return -directions @ least_squares(design[kept], target[kept], rcond=WEAKEST_BEND).reshape(k, -1).T


def _hypothesis(at, G, metric, expected):
    size = np.sqrt(metric**2 @ at.grams.along(G))
    G = G / size
    norms = at.problem.data_norms(G) * np.sqrt(at.sample.count / at.left)
    return Hypothesis(at, G.shape[1], metric, np.sort(norms), G, expected)
