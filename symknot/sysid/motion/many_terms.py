r"""Equations of many variables: few terms at a time, chosen by gradients, with states estimated together.

With all K candidate terms of all equations at once the joint estimate would need derivatives by some ten thousand coefficients.
Instead:

1. Terms of each equation are chosen by themselves, variables first (`few_variables`), in a regression of the derivatives on all
   monomials of the smoothed states.  Its normal matrix is the same for all equations.  Neighbouring derivatives share most of
   their noise, so a term must show more clearly than among independent samples.
2. States and coefficients are estimated together with these terms (`search`), which drops what was not needed.
3. At this estimate the multipliers :math:`\lambda` of the defects say how the misfit would change with any coefficient:
   its derivative is :math:`D^T \lambda`, for all monomials at once two products of matrices (`Dynamics.pulls`).  The terms of
   each equation that pull most are tried beside those that were kept, in one linearisation at the estimate; where other
   terms are best there, they are estimated, until nothing is better.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...ground.linalg import solve_scaled
from ...polynomials.evaluation import monomial_rows
from ...polynomials.monomials import count
from .few_variables import Regression, terms_in_few_variables
from .functions import with_functions
from .guess import Guess
from .joint import gauss_newton_step, multipliers
from .problem import Problem, Solution, solution_of, solution_with
from .subsets import best_subset, term_penalty

TRIED_TERMS = 6
"""Terms of each equation that are tried because they pull most.  A convention: their number is that of a simple law."""
MOST_TRIALS = 4
"""Rounds of trials; two are usual, the second of which finds nothing."""


def solution_of_many(problem: Problem, degree: int) -> Solution | None:
    """Polynomials of this degree; None where nothing converges."""
    kept, guesses = _first_terms(problem, degree)
    candidates = count(problem.arguments + len(problem.functions), degree)
    found = solution_of(problem, guesses, kept, candidates)
    for _ in range(MOST_TRIALS):
        if found is None:
            break
        better = _with_other_terms(problem, found, degree, candidates)
        if better is None or better.cost >= found.cost:
            break
        found = better
    return found


def _with_other_terms(problem, found, degree, candidates):
    """The solution with what is best of its terms and of those that pull; None where that is what it has."""
    here = found.selection.estimate
    field, kept = _wider(found.selection.field, _asked(found, degree))
    coefficients = np.zeros(field.size)
    coefficients[kept] = here.coefficients
    try:
        with np.errstate(all="ignore"):
            information, pull = gauss_newton_step(found.selection.dynamics, field, coefficients, found.selection.runs,
                                                  here.states, here.cuts)[2:]
    except (np.linalg.LinAlgError, ValueError):
        return None
    if not np.isfinite(information).all() or not np.isfinite(pull).all():
        return None
    each = term_penalty(sum(int(np.isfinite(run.measured).sum()) for run in problem.runs), candidates)
    chosen = best_subset(information, information @ coefficients + pull, each, [kept], only=True)
    if (chosen == kept).all():
        return None
    start = np.zeros(field.size)
    start[chosen] = solve_scaled(information[np.ix_(chosen, chosen)], (information @ coefficients + pull)[chosen])
    return solution_with(problem, field.restricted(chosen), start[chosen], found)


def _wider(field, more):
    """The polynomials with more monomials in each, and which of their coefficients are the field's own."""
    own = [field.numerators[j] for j in range(field.equations)]
    both = tuple(np.union1d(old, new).astype(int) for old, new in zip(own, more))
    return (replace(field, numerators=both),
            np.concatenate([np.isin(everything, old) for everything, old in zip(both, own)]))


def _first_terms(problem, degree):
    """For each target the monomials that a regression asks for, and their coefficients as a guess."""
    samples = problem.thinned
    arguments = np.r_[samples.states, samples.inputs]
    factors = with_functions(samples.points[:, arguments].T, problem.functions)
    rows = monomial_rows(factors, degree)
    variances = np.stack([samples.covariance[:, column, column] for column in samples.targets])
    usual = np.median(variances, axis=1)
    weight = 1 / np.maximum(np.mean(variances / usual[:, None], axis=0), 1e-3)
    information = (rows * weight) @ rows.T
    apart = len(problem.samples) / len(samples)
    shared = max(1.0, min(problem.samples.windows, default=1) / (2 * apart))     # samples that share their noise
    rights = [rows @ (weight * samples.points[:, column]) for column in samples.targets]
    totals = [float(weight @ samples.points[:, column] ** 2) for column in samples.targets]
    masks = terms_in_few_variables([Regression(information / shared, right / shared, total / shared, len(samples) / shared)
                                    for right, total in zip(rights, totals)], len(factors), degree)
    kept, guesses = [], []
    for mask, right in zip(masks, rights):
        numerator = np.zeros(len(rows))
        numerator[mask] = solve_scaled(information[np.ix_(mask, mask)], right[mask])
        kept.append(set(np.flatnonzero(mask).tolist()) or {0})
        guesses.append(Guess(degree, 1.0, numerator, np.ones(1), 0, ()))
    return kept, guesses


def _terms(solution):
    """Monomials of each equation."""
    field = solution.selection.field
    return [set(field.monomial[field.owner == j].tolist()) for j in range(field.equations)]


def _asked(solution, degree):
    """For each equation the monomials that pull most, for their size."""
    found = solution.selection
    pulls, sizes = 0.0, 0.0
    for run, x, cut in zip(found.runs, found.estimate.states, found.estimate.cuts):
        forces = multipliers(found.dynamics, found.field, found.estimate.coefficients, run, x, cut)
        part, size = found.dynamics.pulls(found.field, found.estimate.coefficients, run, x, forces, degree)
        pulls, sizes = pulls + part, sizes + size
    strength = pulls**2 / np.maximum(sizes, np.finfo(float).tiny)
    for j, own in enumerate(_terms(solution)):
        strength[j, list(own)] = -1.0
    return np.argsort(-strength, axis=1, kind="stable")[:, :TRIED_TERMS].tolist()
