r"""Equations of many variables: few terms at a time, chosen by gradients, with states estimated together.

With all K candidate terms of all equations at once the joint estimate would need derivatives by some ten thousand coefficients.
Instead:

1. Terms of each equation are chosen by themselves, in a regression of the derivatives on all monomials of the smoothed states.
   Its normal matrix is the same for all equations.  Neighbouring derivatives share most of their noise, so a term must show
   more clearly than among independent samples.
2. States and coefficients are estimated together with these terms (`search`), which drops what was not needed.
3. At this estimate the multipliers :math:`\lambda` of the defects say how the misfit would change with any coefficient:
   its derivative is :math:`D^T \lambda`, for all monomials at once two products of matrices (`Dynamics.pulls`).  The terms of
   each equation that pull most are tried beside those that were kept, until none of them stays.
"""

from __future__ import annotations

import numpy as np

from ...ground.linalg import solve_scaled
from ...polynomials.evaluation import monomial_rows
from ...polynomials.monomials import count
from .functions import with_functions
from .guess import Guess
from .joint import multipliers
from .problem import Problem, Solution, solution_of
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
            return None
        here = _terms(found)
        wider = [set(own) | set(more) for own, more in zip(here, _asked(found, degree))]
        if all(new <= old | set(own) for new, old, own in zip(wider, kept, here)):
            return found                                                # all of them have been tried
        better = solution_of(problem, guesses, wider, candidates)
        kept = wider
        if better is None or _terms(better) == here:
            return found
        found = better
    return found


def _first_terms(problem, degree):
    """For each target the monomials that a regression asks for, and their coefficients as a guess."""
    samples = problem.thinned
    arguments = np.r_[samples.states, samples.inputs]
    rows = monomial_rows(with_functions(samples.points[:, arguments].T, problem.functions), degree)
    variances = np.stack([samples.covariance[:, column, column] for column in samples.targets])
    usual = np.median(variances, axis=1)
    weight = 1 / np.maximum(np.mean(variances / usual[:, None], axis=0), 1e-3)
    information = (rows * weight) @ rows.T
    apart = len(problem.samples) / len(samples)
    shared = max(1.0, min(problem.samples.windows, default=1) / (2 * apart))     # samples that share their noise
    penalty = shared * term_penalty(len(samples), len(rows))
    kept, guesses = [], []
    for column, variance in zip(samples.targets, usual):
        right = rows @ (weight * samples.points[:, column])
        mask = best_subset(information / variance, right / variance, penalty, [np.zeros(len(rows), dtype=bool)], True)
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
