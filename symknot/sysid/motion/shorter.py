"""Shorter ways to write right-hand sides that are the same wherever the constraints of the states hold.

On the states of a model that keep to constraints, multiples of these are zero, so that many polynomials are one function there.
Of all sets with fewer terms those that come nearest to the function are found exhaustively, and proposed where they differ from
it by no more than its standard error.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from math import comb

import numpy as np

from ...ground.deadline import look
from ...ground.linalg import SOLVE_RIDGE, least_squares, unit_columns, unit_diagonal
from ...polynomials.evaluation import monomial_rows
from .fields import Field
from .functions import with_functions
from .neighbourhood import widened
from .problem import Problem, Solution

MOST_TERMS = 3
"""Of a shorter way that is looked for; the number of sets to try grows with its power."""
MOST_SETS = 60_000
"""That are tried, each in microseconds."""
POINTS = 300
"""States at which functions are compared: far more than terms."""
SURE_ERRORS = 3.0
"""Standard errors of the function that another one may be off by."""
LEAST_SHARE = 1e-6
"""Of the function that it may be off by in any case: rounding, and what constraints are allowed."""
RIDGE = 1e-10
"""Added to squares of columns of unit length: terms that are the same on the states are no pair."""


def shorter(problem: Problem, solution: Solution, degree: int) -> tuple[Field, np.ndarray] | None:
    """The field with fewer terms where an equation can be written with fewer, and first guesses; None if none can."""
    found, run = solution.selection, solution.selection.runs[0]
    field = found.field
    if not any(not one.is_constant for one in run.relations) or not field.is_polynomial or field.ties is not None:
        return None
    points = found.points
    points = points[:, np.linspace(0, points.shape[1] - 1, min(POINTS, points.shape[1])).astype(int)]
    wider = widened(problem, field, degree)
    rows = monomial_rows(with_functions(points, field.functions), wider.degree)
    numerators, parts = list(field.numerators), []
    for j in range(field.equations):
        mine, terms = field.owner == j, field.numerators[j]
        coefficients, information = found.estimate.coefficients[mine], found.estimate.information[np.ix_(mine, mine)]
        values = coefficients @ rows[terms]
        scaled, size = unit_diagonal(information)
        spread = np.sum(rows[terms] * np.linalg.solve(scaled + SOLVE_RIDGE * np.eye(len(terms)), rows[terms] / size[:, None])
                        / size[:, None], axis=0)
        limit = SURE_ERRORS**2 * spread.sum() + LEAST_SHARE**2 * np.sum(values**2)
        better = _fewest(rows[wider.numerators[j]], values, len(terms) - 1, limit)
        if better is not None:
            numerators[j] = np.sort(wider.numerators[j][better])
            coefficients = least_squares(rows[numerators[j]].T, values)
        parts.append(coefficients)
    if all(len(a) == len(b) for a, b in zip(numerators, field.numerators)):
        return None
    return replace(field, degree=wider.degree, numerators=tuple(numerators)), np.concatenate(parts)


def _fewest(rows, values, most, limit):
    """The fewest rows, up to so many, of which a combination is within `limit` (a square) of the values, or None."""
    columns, _ = unit_columns(rows.T)
    gram, right, whole = columns.T @ columns + RIDGE * np.eye(len(rows)), columns.T @ values, float(values @ values)
    for k in range(1, min(most, MOST_TERMS) + 1):
        if comb(len(rows), k) > MOST_SETS:
            return None
        sets = np.array(list(combinations(range(len(rows)), k)))
        look(len(sets) * k**3)
        b = right[sets]
        explained = np.einsum("nk,nk->n", b, np.linalg.solve(gram[sets[:, :, None], sets[:, None, :]], b[:, :, None])[:, :, 0])
        best = int(np.argmax(explained))
        if whole - explained[best] <= limit:
            return sets[best]
    return None
