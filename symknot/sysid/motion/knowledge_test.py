r"""Do the data reject what was said to be known?

At the estimate all coefficients are set free at once: those that were fixed, tied, or left out.  With the information S of
the coefficients and their pull g, freeing some of them lowers the misfit by :math:`g^T S^{-1} g` (the score test), which is
chi-square with as many degrees of freedom as there were restrictions, if these are true.  Terms that were left out are asked
for where one of them alone would be worth its place among all of them (`subsets.term_penalty`).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.special import chdtrc

from ...ground.linalg import solve_scaled
from .fields import Field
from .joint import gauss_newton_step
from .knowledge import named
from .problem import Problem, Solution
from .subsets import term_penalty

REJECTION_LEVEL = 1e-3
"""Probability with which chance alone would reject true knowledge: the conventional strict level."""
LEAST_LEFT = 1e-9
"""Share of its information that a coefficient has beside what is free, at least; less is rounding."""


def contradicted(problem: Problem, solution: Solution, letters: list[str], targets: list[str]) -> str:
    """What of the knowledge the data reject, in words; empty if nothing."""
    found = solution.selection
    if found.field.ties is None or (found.runs[0].variance <= problem.floor).any():
        return ""                               # data without noise: rounding would reject, not the data
    return _freed(found, letters, targets) or _left_out(problem, found, letters, targets)


def _free_step(found, field, coefficients):
    """Information and pull of all coefficients of a field, nothing fixed."""
    try:
        with np.errstate(all="ignore"):
            _, _, information, pull = gauss_newton_step(found.dynamics, field, coefficients, found.runs, found.estimate.states,
                                                        found.estimate.cuts)
    except (np.linalg.LinAlgError, ValueError):
        return None
    return (information, pull) if np.isfinite(information).all() and np.isfinite(pull).all() else None


def _single(information, pull, moved):
    """For each coefficient, gain and change if it alone were free beside the columns `moved` of what already is."""
    across = information @ moved
    inside = moved.T @ across
    beside = np.array([column @ solve_scaled(inside, column) for column in across]) if moved.shape[1] else 0.0
    left = np.diag(information) - beside
    bound = left > LEAST_LEFT * np.diag(information)                                # the others are free already
    left = np.where(bound, left, 1.0)
    return np.where(bound, pull**2 / left, 0.0), np.where(bound, pull / left, 0.0), 1 / np.sqrt(left)


def _freed(found, letters, targets):
    """Whether coefficients that are fixed or tied would rather be something else."""
    field, ties, coefficients = found.field, found.field.ties, found.estimate.coefficients
    step = _free_step(found, replace(field, ties=None), coefficients)
    restrictions = field.size - ties.free
    if step is None or not restrictions:
        return ""
    information, pull = step
    gain = float(pull @ solve_scaled(information, pull))
    if chdtrc(restrictions, max(gain, 0.0)) >= REJECTION_LEVEL:
        return ""
    gains, changes, errors = _single(information, pull, ties.matrix.toarray())
    worst = int(np.argmax(gains))
    place = int(field.owner[worst]), tuple(field.exponents[field.monomial[worst]].tolist())
    below = " (below the fraction bar)" if field.in_denominator[worst] else ""
    many = f"{restrictions} degree{'s' * (restrictions > 1)} of freedom"
    return (f"the data reject what was said to be known (chi-square {gain:.3g} for {many}): by themselves they have "
            f"{coefficients[worst] + changes[worst]:.4g} +/- {errors[worst]:.1g} times {named([place], targets, letters)}"
            f"{below}, not {coefficients[worst]:.4g}")


def _left_out(problem, found, letters, targets):
    """Whether terms that were not allowed are asked for, or terms of known sign with the other one."""
    field = found.field
    if not field.is_polynomial or not problem.is_small(len(field.exponents)):
        return ""
    wider = Field.polynomial(field.arguments, field.degree, field.equations)
    if field.functions:
        everything = np.arange(len(field.exponents))
        wider = replace(field, numerators=(everything,) * field.equations, ties=None)
    places = wider.owner * len(field.exponents) + wider.monomial
    here = np.searchsorted(places, field.owner * len(field.exponents) + field.monomial)
    coefficients = np.zeros(wider.size)
    coefficients[here] = found.estimate.coefficients
    step = _free_step(found, wider, coefficients)
    if step is None:
        return ""
    moved = np.zeros((wider.size, field.ties.free))
    moved[here] = field.ties.matrix.toarray()
    gains, changes, _ = _single(*step, moved)
    allowed, _ = problem.informed(wider, coefficients)
    asked = np.ones(wider.size, dtype=bool)
    asked[here] = False
    inside = np.searchsorted(places, allowed.owner * len(field.exponents) + allowed.monomial)
    asked[inside] &= allowed.ties.sign * changes[inside] < 0
    if not asked.any():
        return ""
    worst = int(np.argmax(np.where(asked, gains, -np.inf)))
    measurements = sum(int(np.isfinite(run.measured).sum()) for run in found.runs)
    if gains[worst] <= term_penalty(measurements, int(asked.sum())):
        return ""
    place = int(wider.owner[worst]), tuple(wider.exponents[wider.monomial[worst]].tolist())
    return (f"the data reject what was said to be known: they ask for {changes[worst]:.3g} times "
            f"{named([place], targets, letters)} (chi-square {gains[worst]:.3g})")
