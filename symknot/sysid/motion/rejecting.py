"""Which solutions are not believed, and why in words."""

from __future__ import annotations

import numpy as np

from .joint import misfit
from .pivots import is_fraction
from .problem import Problem, Solution, deviations

LARGEST_MISFIT = 1.25
"""Misfit over noise beyond which equations are not believed: the states are then off by three quarters of the noise,
since 1.25**2 = 1 + 0.75**2."""
MISFIT_ALLOWANCE = 2.0
"""Few samples allow more: so many times 1 / sqrt(n), which is 2.8 standard errors of a root mean square."""
LARGEST_UNEXPLAINED_SHARE = 0.7
"""A model that leaves more than this share of a state's standard deviation, half its variance, explains nothing."""

LEAST_CHANGE = 1e-4
"""Share of itself that a denominator must change by on the data: what changes less, as b + 2e7 does, makes no fraction of a
polynomial, which competes with others of its degree without it.  A convention."""


def misfit_in_noise(problem: Problem, solution: Solution) -> np.ndarray:
    """For each state, distance between data and model over the noise that the data show by themselves."""
    floor = np.sqrt(problem.floor)
    return np.sqrt(solution.misfit) / np.maximum(problem.sigma, floor)


def is_rejected(problem: Problem, solution: Solution) -> bool:
    """Whether there is a `rejection`."""
    return bool(rejection(problem, solution))


def rejection(problem: Problem, solution: Solution) -> str:
    """Why a solution is not believed, in words that end "the best one ..."; empty if it is.

    Some state is farther from the data than noise explains, or hardly nearer than a constant is; or a fraction has a
    pole amid the data.
    """
    lowest, highest, least = _denominators(solution.selection)
    if (np.sign(lowest) != np.sign(highest)).any():
        return "has a denominator that is zero amid the data"
    if (least > highest - lowest).any():
        return "has a denominator that is the same at all data, a polynomial in disguise"
    samples, rates = problem.samples, problem.runs[0].rates
    own = samples.states if len(samples.states) else samples.targets                      # static ones have no states
    names = [samples.names[k] for k in (*own, *(() if rates is None else samples.targets[rates]))]
    measured = np.isfinite(solution.misfit)
    measured[problem.runs[0].states:] = False                       # measured derivatives may be as noisy as they like
    idle = (np.sqrt(solution.misfit) > LARGEST_UNEXPLAINED_SHARE * deviations(problem.runs)) & measured
    if idle.any():
        return f"explains {', '.join(names[k] for k in np.flatnonzero(idle))} hardly better than a constant would"
    values = misfit_in_noise(problem, solution)
    _, counts = misfit(problem.runs, problem.states)
    limit = LARGEST_MISFIT + MISFIT_ALLOWANCE / np.sqrt(np.maximum(counts, 1))
    far = np.isfinite(values) & (np.where(np.isfinite(values), values, 0.0) > limit)
    if far.any():
        return "misses " + ", ".join(f"{names[k]} by {values[k]:.3g} times the noise" for k in np.flatnonzero(far))
    return ""


def _denominators(found):
    """Of each denominator the lowest and the highest value on the states, and how much they must differ."""
    field = found.field
    fractions = [j for j in range(field.equations) if is_fraction(field, j)]
    if not fractions:
        return np.zeros((3, 0))
    _, below = field.matrices(found.estimate.coefficients)
    values = below[fractions] @ field.rows(found.points)
    lowest, highest = values.min(axis=1), values.max(axis=1)
    return lowest, highest, LEAST_CHANGE * np.maximum(np.abs(lowest), np.abs(highest))
