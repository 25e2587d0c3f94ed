r"""What else the data would allow: models whose cost is near that of the best.

A cost is minus twice the logarithm of a probability (up to a constant): likelihood, and a prior that each term and each
free number lowers.  A model that costs :math:`\Delta` more has the odds :math:`1 : e^{\Delta / 2}` against the best.
Compared are the other forms that were estimated in full, and the subsets of terms one move away, by the quadratic form of
all candidate terms at the estimate (`subsets.near_subsets`).

How probable a fraction is beside a polynomial before the data are seen is a convention: each term is penalised by how many
there were to choose from, and forms have different numbers of them.  So another form is out of the question only if it costs
more by both criteria, with that part of the penalty and without (Chen and Chen's extended criterion, and Schwarz's).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...ground.linalg import ROUNDING, least_squares_scaled
from .fields import Field
from .forms import Search
from .joint import gauss_newton_step
from .problem import Solution
from .rejecting import is_rejected
from .subsets import near_subsets, term_penalty

UNDECIDED_COST = 2 * np.log(20.0)
"""A model is clear if all others cost more by this: odds of 1 to 20, the usual level of five per cent."""
MOST_ALTERNATIVES = 20
"""Alternatives that are kept, the nearest.  A convention."""


def alternatives_of(search: Search) -> list[tuple[Field, np.ndarray, float]]:
    """Other right-hand sides that the data do not reject clearly: field, coefficients, and how much more they cost."""
    best = search.best
    if best is None:
        return []
    found = [(other.selection.field, other.selection.estimate.coefficients, _more(other, best))
             for other in search.solutions
             if other is not best and _more(other, best) < UNDECIDED_COST and not is_rejected(search.problem, other)]
    found += _other_subsets(search, best)
    kept: dict[tuple, tuple[Field, np.ndarray, float]] = {}
    for one in sorted(found, key=lambda one: one[2]):
        kept.setdefault(_terms(one[0]), one)
    kept.pop(_terms(best.selection.field), None)
    return list(kept.values())[:MOST_ALTERNATIVES]


def _more(other, best):
    """How much more another solution costs, by the criterion that favours it; 0 if it is cheaper by one of them."""
    return max(min(other.cost - best.cost, other.plain_cost - best.plain_cost), 0.0)


def _terms(field):
    """Terms of a field as a key: the same for fields that differ in numbers only."""
    exponents = field.exponents
    return tuple((int(j), bool(below), *exponents[k].tolist())
                 for j, k, below in sorted(zip(field.owner, field.monomial, field.in_denominator)))


def _other_subsets(search: Search, best: Solution) -> list[tuple[Field, np.ndarray, float]]:
    """Polynomials one move away."""
    found, field = best.selection, best.selection.field
    everything = len(field.exponents)
    if not field.is_polynomial or not search.problem.is_small(everything):
        return []
    if (found.runs[0].common_variance <= search.problem.floor).any():
        return []                                # data without noise: rounding would tell the subsets apart, not the data
    wider, mask, coefficients = _widened(search.problem, found)
    try:
        _, _, information, pull = gauss_newton_step(found.dynamics, wider, coefficients, found.runs, found.estimate.states,
                                                    found.estimate.cuts)
    except (np.linalg.LinAlgError, ValueError):
        return []
    if not np.isfinite(information).all() or not np.isfinite(pull).all():
        return []
    measurements = sum(int(np.isfinite(run.measured).sum()) for run in found.runs)
    right, ties = information @ coefficients + pull, wider.ties
    penalty, out = term_penalty(measurements, int(wider.free_numbers().max())), []
    S, b, chosen = (information, right, mask) if ties is None else (*ties.reduced(information, right), ties.kept_numbers(mask))
    for other, worse in near_subsets(S, b, penalty, chosen, UNDECIDED_COST):
        values = np.zeros(len(b))
        values[other] = least_squares_scaled(S[np.ix_(other, other)], b[other], ROUNDING)
        if ties is not None:
            if (ties.wrong_signs(values) & other).any():
                continue
            values, other = ties.coefficients(values), ties.kept_coefficients(other)
        out.append((wider.restricted(other), values[other], max(worse, 0.0)))
    return out


def _widened(problem, found):
    """The polynomial with all candidate terms, which of them it has, and their coefficients."""
    field, everything = found.field, len(found.field.exponents)
    wider = replace(field, numerators=(np.arange(everything),) * field.equations, ties=None)
    wider, _ = problem.informed(wider, np.zeros(wider.size))
    places = {pair: k for k, pair in enumerate(zip(wider.owner.tolist(), wider.monomial.tolist()))}
    here = np.array([places[pair] for pair in zip(field.owner.tolist(), field.monomial.tolist())], dtype=int)
    mask, coefficients = np.zeros(wider.size, dtype=bool), np.zeros(wider.size)
    mask[here], coefficients[here] = True, found.estimate.coefficients
    return wider, mask, coefficients
