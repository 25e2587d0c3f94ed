r"""Polynomials and the level sets on which whole runs lie, estimated together with the states.

Given are k polynomials :math:`g = C \varphi(z)` (rows of C over monomials without the constant) and states
:math:`\hat x_i` with noise of covariance :math:`\Sigma_i` (diagonal, `smooth_states`).  Sought are the *data knots*
:math:`z_i`, the levels :math:`h_r` of the runs and those coefficients in C that are free, with

.. math:: \min \sum_i (\hat x_i - z_i)^T \Sigma_i^{-1} (\hat x_i - z_i)
          \quad\text{subject to}\quad C \varphi(z_i) = h_{r(i)} .

As in `joint`, one step of Gauss and Newton linearises the constraint, :math:`E_i = C\,\partial\varphi(z_i)`; here
:math:`M_i = E_i \Sigma_i E_i^T` is a small matrix for every point by itself:

.. math:: M_i \lambda_i = b_i + D_i\,\delta, \quad b_i = C \varphi(z_i) - h + E_i (\hat x_i - z_i), \quad
          S\,\delta = -\sum_i D_i^T M_i^{-1} b_i, \quad z_i \leftarrow \hat x_i - \Sigma_i E_i^T \lambda_i ,

with :math:`S = \sum_i D_i^T M_i^{-1} D_i` and :math:`D_i` the derivative by free coefficients and levels.  The windows
of smoothed states overlap, so S overstates what is known.  The right covariance is
:math:`S^{-1} V S^{-1}` with V that of :math:`\sum_i D_i^T M_i^{-1} E_i e_i`, which `States.covariance_of_sums` knows.

Noise of second order, :math:`\tfrac12 \operatorname{tr}(\Sigma_i \nabla^2 g)`, is not corrected for.  Of a quadratic
g it is the same everywhere, so the levels absorb it, and smoothed states have too little noise for the rest to be
seen: monomials made unbiased (Hermite polynomials) changed no result for the better.

One coefficient of every polynomial, its *pivot*, is 1, and 0 in the others: a reduced echelon form, whose rows have
the fewest terms that combinations of them can have.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import chdtri

from ...ground.linalg import ROUNDING, inverse_scaled, least_squares_scaled, solve_scaled
from ...polynomials.evaluation import evaluate_monomials
from ..motion.nullspace import VARIANCE_FLOOR
from ..motion.subsets import best_subset, term_penalty

LEVELS_SETTLED = 1e-3
"""Steps end when they move the coefficients by less than this share of a standard error, or knots by this share of their
noise."""
MOST_LEVEL_STEPS = 30
"""Steps at most.  Measured on the systems of `tests.benchmarks.sysid` with invariants: 3 to 7 were taken."""
SEEN_SHARE = 1e-8
"""A term whose values are, up to this share of their square, those of other terms adds nothing but rounding."""
CLEAR_SHARE = 1e-4
"""Combinations of terms below a hundredth of the terms' size, whose square this is, are not looked at: squares of the
noise live there."""
WANTING_CHANCE = 1e-6
"""Probability with which noise alone makes an invariant look like an approximation.  To lose one by chance is worse than
to show an approximation, which more data will expose."""
ROUNDED_AWAY = np.finfo(float).eps ** 2
"""A diagonal entry of an information or covariance below this share of the largest is rounding: its square root is
below the rounding of floats, and all monomials are in units of the states' sizes."""
COVARIANCE_RCOND = 1e-12
"""Share of the largest eigenvalue below which a covariance, which is a product of two inverses, says nothing: ten times
the share at which those are cut."""
PROJECTION_RCOND = 1e-10
"""Share of the largest eigenvalue below which gradients vanish or agree, so that there is no step in that direction."""
LARGEST_PROJECTION_STEP = 10.0
"""Standard deviations of a state; a longer step leaves the ground on which it was computed."""
DEPENDENT_ENTRY = 1e-6
"""Rows whose largest entry (of 1 at first) has fallen below this depend on the others; what is found from noisy data
never agrees so closely by chance."""
TERM_CHOICES = 4
"""How often terms are chosen anew after a refit.  A convention: it ends by itself when all terms stay."""


@dataclass(frozen=True, eq=False)
class LevelSets:
    """Polynomials with their levels, and states that lie on them.

    Attributes
    ----------
    exponents : (m, d) int array
    coefficients : (k, m) array
        In units of the states' sizes.
    free : (k, m) bool array
        Which of them were estimated.
    pivots : (k,) int array
    levels : (R, k) array
    knots : (n, d) array
    covariance : (P, P) array
        Of the free coefficients, row by row.
    converged : bool
    """

    exponents: np.ndarray
    coefficients: np.ndarray
    free: np.ndarray
    pivots: np.ndarray
    levels: np.ndarray
    knots: np.ndarray
    covariance: np.ndarray
    converged: bool

    def __len__(self):
        return len(self.pivots)

    def residuals(self, states, group):
        """Values minus levels at the states, and what standard deviation noise gives each: two (n, k) arrays."""
        values, slopes = evaluate_monomials(states.points, self.exponents)
        off = values @ self.coefficients.T - self.levels[group]
        variance = np.sum((slopes @ self.coefficients.T) ** 2 * states.variance[:, :, None], axis=1)
        return off, np.sqrt(np.maximum(variance, VARIANCE_FLOOR * variance.mean(axis=0)))

    def values(self, states, group):
        """Root-mean-square of each polynomial's residuals in units of their noise."""
        off, noise = self.residuals(states, group)
        return np.sqrt(np.mean((off / noise) ** 2, axis=0))

    def information(self):
        """Inverse of the covariance of the free coefficients; what is not determined at all has no part in it."""
        return inverse_scaled(self.covariance, COVARIANCE_RCOND, ROUNDED_AWAY)


def reduced_rows(rows, sizes):
    """Reduced echelon form of `rows` with the largest entries (in units of 1 / `sizes`) as pivots.

    Rows that depend on others, to rounding, are left out.

    Returns
    -------
    rows : (k, m) array
    pivots : (k,) int array

    Examples
    --------
    >>> rows, pivots = reduced_rows(np.array([[1.0, 2.0, 3.0], [1.0, 4.0, 9.0]]), np.ones(3))
    >>> (3 * rows).round(12).tolist(), pivots.tolist()
    ([[3.0, 3.0, 0.0], [0.0, 1.0, 3.0]], [0, 2])
    """
    work = rows * sizes
    work = work / np.maximum(np.abs(work).max(axis=1, keepdims=True, initial=0), np.finfo(float).tiny)
    found, pivots = work[:0], []
    while len(work):
        row, column = np.unravel_index(np.argmax(np.abs(work)), work.shape)
        if abs(work[row, column]) < DEPENDENT_ENTRY:
            break
        new = work[row] / work[row, column]
        work = np.delete(work, row, axis=0)
        work = work - np.outer(work[:, column], new)
        found = np.vstack([found - np.outer(found[:, column], new), new])
        pivots.append(int(column))
    order = np.argsort(pivots)
    pivots = np.array(pivots, dtype=int)[order]
    found = found[order] / sizes
    return found / found[np.arange(len(pivots)), pivots][:, None] + 0.0, pivots


def fitted(states, group, exponents, coefficients, pivots, free):
    """Levels, knots and free coefficients from a first guess.

    Parameters
    ----------
    states : States
    group : (n,) int array
        Which level a point shares.
    exponents : (m, d) int array
    coefficients : (k, m) array
        In reduced echelon form.
    pivots : (k,) int array
    free : (k, m) bool array

    Returns
    -------
    LevelSets or None
        None if the steps led nowhere.
    """
    coefficients = np.where(free, coefficients, 0.0)
    coefficients[np.arange(len(pivots)), pivots] = 1.0
    knots, levels, converged = states.points, None, False
    for _ in range(MOST_LEVEL_STEPS):
        try:
            with np.errstate(all="ignore"):
                step = _Step(states, group, exponents, coefficients, free, knots)
        except (np.linalg.LinAlgError, ValueError):
            return None
        if not (np.isfinite(step.change).all() and np.isfinite(step.knots).all()):
            return None
        coefficients = coefficients.copy()
        coefficients[free] += step.change
        levels, knots = step.levels, step.knots
        if step.change @ step.information @ step.change <= LEVELS_SETTLED**2 * max(len(step.change), 1):
            converged = True
            break
    return LevelSets(exponents, coefficients, free, np.asarray(pivots), levels, knots, step.covariance(), converged)


class _Step:
    """One step: what it changes, and the linearised problem it comes from."""

    def __init__(self, states, group, exponents, coefficients, free, knots):
        self.states, self.group, self.free = states, group, free
        k, count = len(coefficients), int(group.max()) + 1
        phi, slopes = evaluate_monomials(knots, exponents)
        self.E = np.einsum("km,ndm->nkd", coefficients, slopes)
        M = np.einsum("nkd,nd,nld->nkl", self.E, states.variance, self.E)
        floor = VARIANCE_FLOOR * np.maximum(np.einsum("nkk->k", M) / len(M), np.finfo(float).tiny)
        self.inverse = np.linalg.inv(M + floor * np.eye(k))
        off = phi @ coefficients.T + np.einsum("nkd,nd->nk", self.E, states.points - knots)
        # levels are linear and many: they are eliminated run by run
        owner, monomial = np.nonzero(free)
        D = np.zeros((len(phi), k, len(owner)))
        D[:, owner, np.arange(len(owner))] = phi[:, monomial]
        self.means = np.empty((count, k, len(owner)))
        self.levels = np.empty((count, k))
        for r in range(count):
            rows = group == r
            total = np.linalg.inv(self.inverse[rows].sum(axis=0))
            weighted = self.inverse[rows].transpose(1, 0, 2)                                # k, n, k
            self.means[r] = total @ np.einsum("anb,nbp->ap", weighted, D[rows], optimize=True)
            self.levels[r] = total @ np.einsum("anb,nb->a", weighted, off[rows])
        self.D = D - self.means[group]
        b = off - self.levels[group]
        self.weighted = np.einsum("nab,nbp->nap", self.inverse, self.D)
        flat = self.weighted.reshape(len(phi) * k, len(owner))      # -1 is refused if no coefficient is free
        self.information = self.D.reshape(flat.shape).T @ flat
        self.score = -(flat.T @ b.ravel())
        self.change = solve_scaled(self.information, self.score)
        self.levels = self.levels + self.means @ self.change
        multipliers = np.einsum("nab,nb->na", self.inverse, b + self.D @ self.change)
        self.knots = states.points - states.variance * np.einsum("nkd,nk->nd", self.E, multipliers)

    def score_covariance(self):
        """V of the module's text."""
        return self.states.covariance_of_sums(np.einsum("nap,nad->npd", self.weighted, self.E))

    def covariance(self):
        """Of the free coefficients, with the overlap of the windows."""
        if not len(self.change):
            return np.zeros((0, 0))
        inverse = inverse_scaled(self.information, ROUNDING, ROUNDED_AWAY)
        return inverse @ self.score_covariance() @ inverse


def sparse(states, group, full, allowed):
    """The fit with only those terms that the data ask for.

    Parameters
    ----------
    states : States
    group : (n,) int array
    full : LevelSets
    allowed : float
        Largest value (`LevelSets.values`) it may have.

    Returns
    -------
    LevelSets
    """
    best, start = full, full
    penalty = term_penalty(len(states), int(full.free.sum()))
    for _ in range(TERM_CHOICES):
        if not start.free.any():
            break
        information = start.information()
        kept = best_subset(information, information @ start.coefficients[start.free], penalty)
        if kept.all():
            break
        free = start.free.copy()
        free[start.free] = kept
        # what is left of the others when these are zero
        guess = start.coefficients.copy()
        inside = np.flatnonzero(kept)
        pull = information @ start.coefficients[start.free]
        guess[free] = least_squares_scaled(information[np.ix_(inside, inside)], pull[inside], COVARIANCE_RCOND,
                                           ROUNDED_AWAY)
        smaller = fitted(states, group, full.exponents, guess, full.pivots, free)
        if smaller is None or not smaller.converged or (smaller.values(states, group) > allowed).any():
            break
        best = start = smaller
    return best


def wanting(states, group, fit, exponents):
    """Which polynomials of a fit the data would rather see with more terms: they only approximate what is constant.

    A score test, one polynomial at a time: the residuals of an exact invariant are noise, so that other monomials do
    not explain any of them.  None may by itself, judged by the same penalty that chooses terms, nor all together,
    where chi^2 must stay below what chance exceeds with a probability of `WANTING_CHANCE`.

    Parameters
    ----------
    states : States
    group : (n,) int array
    fit : LevelSets
    exponents : (q, d) int array
        Monomials that could be added.

    Returns
    -------
    (k,) bool array
    """
    known = {tuple(e) for e in fit.exponents.tolist()}
    added = np.array([e for e in exponents.tolist() if tuple(e) not in known], dtype=int)
    added = added.reshape(-1, exponents.shape[1])
    answers = np.zeros(len(fit), dtype=bool)
    for l in range(len(fit) if len(added) else 0):
        used = np.flatnonzero(fit.free[l])
        columns = np.vstack([fit.exponents[[fit.pivots[l]]], fit.exponents[used], added])
        coefficients = np.r_[1.0, fit.coefficients[l, used], np.zeros(len(added))][None]
        free = np.ones(coefficients.shape, dtype=bool)
        free[0, 0] = False
        step = _Step(states, group, columns, coefficients, free, fit.knots)
        old = np.arange(free.sum()) < len(used)
        # each addition less what the old terms make of it: only they are inverted, however alike the additions are
        S, V, score = step.information, step.score_covariance(), step.score
        share = np.zeros((len(used), len(added)))
        if len(used):
            share = np.column_stack([solve_scaled(S[np.ix_(old, old)], column) for column in S[np.ix_(old, ~old)].T])
        turn = np.vstack([-share, np.eye(len(added))])
        seen = np.sum(turn * (S @ turn), axis=0) > SEEN_SHARE * np.diag(S)[~old]
        if not seen.any():
            continue
        variance, score = turn[:, seen].T @ V @ turn[:, seen], score @ turn[:, seen]
        single = (score**2 / np.diag(variance)).max() > term_penalty(len(states), len(old))
        size = np.sqrt(np.diag(V)[~old][seen])
        spread, vectors = np.linalg.eigh(variance / np.outer(size, size))
        clear = spread > CLEAR_SHARE * spread[-1]
        together = np.sum((vectors.T @ (score / size))[clear] ** 2 / spread[clear])
        answers[l] = bool(single or together > chdtri(int(clear.sum()), WANTING_CHANCE))
    return answers


def projected(states, exponents, coefficients, levels):
    """The states moved onto level sets, nearest in units of their noise.

    Parameters
    ----------
    states : States
    exponents : (m, d) int array
    coefficients : (k, m) array
    levels : (n, k) array
        For each point.

    Returns
    -------
    (n, d) array
    """
    knots = states.points
    for _ in range(MOST_LEVEL_STEPS):
        phi, slopes = evaluate_monomials(knots, exponents)
        E = np.einsum("km,ndm->nkd", coefficients, slopes)
        off = phi @ coefficients.T - levels + np.einsum("nkd,nd->nk", E, states.points - knots)
        M = np.einsum("nkd,nd,nld->nkl", E, states.variance, E)
        inverse = np.linalg.pinv(M, rcond=PROJECTION_RCOND, hermitian=True)
        new = states.points - states.variance * np.einsum("nkd,nkl,nl->nd", E, inverse, off)
        moved = np.abs(new - knots) / np.sqrt(states.variance)
        knots = np.where((moved <= LARGEST_PROJECTION_STEP).all(axis=1, keepdims=True), new, knots)
        if moved.max() <= LEVELS_SETTLED:
            break
    return knots


def levels_of(states, group, exponents, coefficients):
    """Levels of given polynomials, and their standard errors: two (R, k) arrays."""
    values, slopes = evaluate_monomials(states.points, exponents)
    values = values @ coefficients.T
    gradients = np.einsum("km,ndm->nkd", coefficients, slopes)
    variance = np.sum(gradients**2 * states.variance[:, None, :], axis=2)
    weights = 1 / np.maximum(variance, VARIANCE_FLOOR * np.maximum(variance.mean(axis=0), np.finfo(float).tiny))
    count = int(group.max()) + 1
    totals = np.array([weights[group == r].sum(axis=0) for r in range(count)])
    weights = weights / totals[group]
    levels = np.array([np.sum((weights * values)[group == r], axis=0) for r in range(count)])
    variances = states.variance_of_sums(weights[:, :, None] * gradients)
    if count == 1:
        variances = variances.sum(axis=0, keepdims=True)
    return levels, np.sqrt(variances)
