r"""Field and coefficients together: the field nearest to the data whose moments satisfy the equations.

As for runs (`motion.joint`): measured is :math:`y = u + e` at every grid point, with independent noise of variance
:math:`\sigma_i^2` in component i, and sought are

.. math:: \min_{u, c}\; \sum_i |y_i - u_i|^2 / \sigma_i^2 \quad\text{subject to}\quad r(u; c) = 0

for the defects r of all moments (`moments`).  Linearised, with E the derivatives of r by the field and D those by the
coefficients, :math:`M = E \Sigma E^T` and :math:`b = r + E (y - u)`:

.. math:: S\,\delta c = -D^T M^{-1} b, \quad S = D^T M^{-1} D, \qquad \lambda = M^{-1}(b + D\,\delta c), \qquad
          u = y - \Sigma E^T \lambda .

M is the covariance of the moments' noise: rectangles overlap, and noise enters every term.  D is taken at the knots u, not
at the data, so noise in the terms does not draw coefficients to zero.  At the end :math:`\lambda^T M \lambda` is the misfit, as
many squares of normal numbers as there are moments less coefficients if the equations are right.

Terms are chosen as in `motion.search`: with all candidates the problem is linearised at the best field so far, the subset of
least extended Bayesian information taken (`motion.subsets`) and estimated, until the terms stay.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg

from ...ground.deadline import look
from ...ground.linalg import ROUNDING, least_squares_scaled
from ..motion.subsets import best_subset, term_penalty
from .moments import Moments

MOST_STEPS = 25
"""Steps of Gauss and Newton; on the fields of the tests five to ten."""
FIRST_STEPS = 4
"""Steps with all terms before the first selection: then the noise of the terms is in M."""
SETTLED = 1e-2
"""Steps end when they move coefficients by less than this share of a standard error."""
MOST_SELECTIONS = 8
"""Selections in turn with estimates, as in `motion.search`."""
RIDGE = 1e-10
"""Added to the diagonal of M, relative to it: moments of overlapping rectangles nearly depend on each other."""


@dataclass(frozen=True, eq=False)
class FieldEstimate:
    """Where the estimate stands.

    Attributes
    ----------
    coefficients : (components, terms) array
        Zero for terms that were not chosen.
    kept : (components, terms) bool array
    field : (components, x, t) array
        Knots.
    information : (K, K) array
        Of all candidate coefficients, equation by equation.
    misfit : float
        Over its degrees of freedom: 1 for equations that are right.
    cost : float
        Misfit and what the terms cost.
    """

    coefficients: np.ndarray
    kept: np.ndarray
    field: np.ndarray
    information: np.ndarray
    misfit: float
    cost: float


def best_terms(moments: Moments, data: np.ndarray, sigma: np.ndarray) -> FieldEstimate | None:
    """Terms and coefficients; None where nothing converges."""
    shape = moments.components, len(moments.terms)
    penalty = term_penalty(len(moments.rectangles) * moments.components, len(moments.terms))
    found: FieldEstimate | None = None
    for start in (np.ones(shape, dtype=bool), np.zeros(shape, dtype=bool)):
        one = _from_start(moments, data, sigma, start, penalty)
        if one is not None and (found is None or one.cost < found.cost):
            found = one
    return found


def _from_start(moments, data, sigma, kept, penalty):
    field, coefficients, found, seen = data, np.zeros(kept.shape), None, []
    for _ in range(FIRST_STEPS if kept.any() else 0):
        step = _step(moments, data, field, coefficients, sigma, kept)
        if step is None:
            return None
        field, coefficients = step[:2]
    for _ in range(MOST_SELECTIONS):
        step = _step(moments, data, field, coefficients, sigma, np.ones_like(kept))
        if step is None:
            break
        information, right = step[2], step[2] @ step[1].ravel()
        starts = [kept.ravel()] if found is not None else []
        kept = best_subset(information, right, penalty, starts).reshape(kept.shape)
        if any((kept == old).all() for old in seen):
            break
        seen.append(kept)
        one = _estimated(moments, data, sigma, kept, (field, _solved(information, right, kept)), penalty)
        if one is None:
            break
        if found is None or one.cost < found.cost:
            found = one
        field, coefficients = one.field, one.coefficients
    return found


def _estimated(moments, data, sigma, kept, start, penalty):
    """The estimate with the terms kept and no others."""
    field, coefficients = start
    for _ in range(MOST_STEPS):
        step = _step(moments, data, field, coefficients, sigma, kept)
        if step is None:
            return None
        change = (step[1] - coefficients).ravel()
        field, coefficients, information, misfit = step
        if change @ information @ change <= SETTLED**2 * max(kept.sum(), 1):
            free = len(moments.rectangles) * moments.components - kept.sum()
            return FieldEstimate(coefficients, kept, field, information, misfit / max(free, 1), misfit + penalty * kept.sum())
    return None


def _solved(information, right, kept):
    places, out = np.flatnonzero(kept), np.zeros(kept.size)
    if len(places):
        out[places] = least_squares_scaled(information[np.ix_(places, places)], right[places], ROUNDING)
    return out.reshape(kept.shape)


def _step(moments, data, field, coefficients, sigma, kept):
    """One step: field, coefficients, S of all candidates, misfit; None where numbers fail."""
    look(len(moments.rectangles) * moments.components * (len(moments.rectangles) * moments.components) ** 2)
    with np.errstate(all="ignore"):
        terms, rates = moments.of_terms(field), moments.of_rates(field)
        if not np.isfinite(terms).all():
            return None
        E = moments.by_field(field, coefficients)
        s, C = moments.components, len(moments.rectangles)
        away = (data - field).reshape(s, -1)
        b = np.concatenate([rates[:, j] - terms @ coefficients[j] + sum(E[j][i] @ away[i] for i in range(s)) for j in range(s)])
        M = np.block([[sum((E[j][i] * sigma[i] ** 2 @ E[k][i].T).toarray() for i in range(s)) for k in range(s)]
                      for j in range(s)])
        M[np.diag_indices(s * C)] *= 1 + RIDGE
        try:
            factor = scipy.linalg.cholesky(M, lower=True, check_finite=True)
        except (np.linalg.LinAlgError, ValueError):
            return None
        D = scipy.linalg.block_diag(*[-terms] * s)
        half = scipy.linalg.solve_triangular(factor, np.c_[b, D], lower=True, check_finite=False)
        information, pull = half[:, 1:].T @ half[:, 1:], -half[:, 1:].T @ half[:, 0]
        # what the linearised problem asks for: coefficients, not their change
        total = _solved(information, pull + information @ coefficients.ravel(), kept)
        left = half[:, 0] + half[:, 1:] @ (total - coefficients).ravel()
        multipliers = scipy.linalg.solve_triangular(factor, left, lower=True, trans="T", check_finite=False).reshape(s, C)
        moved = [data[i].ravel() - sigma[i] ** 2 * sum(E[j][i].T @ multipliers[j] for j in range(s)) for i in range(s)]
    if not np.isfinite(total).all():
        return None
    return np.stack(moved).reshape(data.shape), total, information, float(left @ left)
