r"""Equations of one degree and new ones of a higher one, as one hypothesis.

Many systems have equations of several degrees: a balance is linear, a law is quadratic.  The first ones alone may not
determine the noise of each variable (normals of a plane point one way), and in a wrong metric the next ones do not
stand clear.  So both are taken together.  In a metric, the k best polynomials of degree t are taken again; their multiples
:math:`g`, :math:`x_j g`, ... are a subspace of degree t + s, beside which new equations are sought:
polynomials whose slopes are orthogonal to those of the multiples, summed over the points.  All of them give the noise of
each variable, the noise a new metric, and so on until it stays.
"""

from __future__ import annotations

import numpy as np

from ..ground.linalg import least_squares, svd
from ..polynomials.evaluation import monomial_rows
from .hypothesis import MOST_METRICS, SETTLED_METRIC, Hypothesis, own_metric
from .sampled import SampledDegree
from .work import call

DEPENDENT = 1e-8
"""Share of the largest singular value below which a multiple follows from others: a convention, far above rounding."""


def extension(earlier: Hypothesis, at: SampledDegree, k: int, metric: np.ndarray) -> Hypothesis | None:
    """The equations of `earlier` and k new ones of a higher degree in their common metric.

    Parameters
    ----------
    earlier : Hypothesis
        Of a degree below that of `at`.
    at : SampledDegree
    k : int
    metric : (d,) array
        Where to start.

    Returns
    -------
    Hypothesis or None
        Its first values, as many as it has equations, are theirs; the others are those of further new polynomials.
    """
    for _ in range(MOST_METRICS):
        found = _extended(earlier, at, k, metric)
        if found is None or not found.own_normals.strong.any():
            return None
        better = own_metric(found)
        if np.abs(np.log(better / metric)).max() < SETTLED_METRIC:
            break
        metric = better
    return found


def new_values(earlier: Hypothesis, at: SampledDegree, metric: np.ndarray) -> np.ndarray:
    """Values of polynomials beside the multiples of earlier equations, ascending, in a metric."""
    _, multiples = _earlier_over(earlier, at, metric)
    return at.spectrum_beside(metric, multiples)[0]


def _extended(earlier, at, k, metric):
    own, multiples = _earlier_over(earlier, at, metric)
    values, space = at.spectrum_beside(metric, multiples)
    if len(values) < k:
        return None
    before = earlier.at.spectrum(metric)[0][: earlier.k]
    G = np.hstack([own, space[:, :k]])
    return Hypothesis(at, earlier.k + k, metric, np.r_[np.sort(np.r_[before, values[:k]]), values[k:]], G,
                      earlier.expected)


def _earlier_over(earlier, at, metric):
    """The earlier equations, best in a metric, and an orthonormal basis of their multiples: columns over E of `at`."""
    sample, problem = at.sample, earlier.at.problem
    G = earlier.at.spectrum(metric)[1][:, : earlier.k]
    values = problem.recursion.evaluate(sample.values, problem.products, combine=G).G[:, -earlier.k:]
    factors = monomial_rows(sample.values.T, at.degree - earlier.degree)[1:].T
    products = (factors[:, :, None] * values[:, None, :]).reshape(len(values), -1)
    v = at.problem.recursion.evaluate(sample.values, at.problem.products)
    root = np.sqrt(sample.weights)[:, None]
    call(4 * len(values) * at.columns**2)
    columns = least_squares(np.hstack([v.F, v.P]) * root, np.hstack([values, products]) * root)
    norms = np.linalg.norm(columns, axis=0)
    left, sizes, _ = svd(columns[:, norms > 0] / norms[norms > 0])
    return columns[:, : earlier.k], left[:, sizes > DEPENDENT * sizes[0]]
