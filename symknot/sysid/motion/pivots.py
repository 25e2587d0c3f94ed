r"""Which term of a denominator is 1: of a fraction only ratios of coefficients are determined.

Where the pivot p of a denominator is small on the data, all other coefficients are ratios to next to nothing.  With the pivot q
instead, :math:`c'_k = c_k / c_q` and :math:`c'_p = 1 / c_q`, which says how much of p there is, and whether any.  So terms are
chosen, and numbers weighed that are not sure of their pivot, with the term that is largest on the data as pivot (`sturdy`), a
term that no denominator can do without; people are shown that of the highest power (`usual`), as in T / (T + 13).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...ground.linalg import SOLVE_RIDGE, unit_diagonal
from .fields import Field

SURE_ERRORS = 3.0
"""Standard errors that a pivot must be from nothing for others to be compared with it.  A convention: a number is moved to a
simple one within about that."""


def is_fraction(field: Field, equation: int) -> bool:
    """Whether a right-hand side has a denominator."""
    return bool(field.pivots[equation] or len(field.denominators[equation]))


def below(field: Field, equation: int) -> np.ndarray:
    """Monomials of a denominator, its pivot the last."""
    return np.append(field.denominators[equation], field.pivots[equation]).astype(int)


def sturdy(field: Field, coefficients: np.ndarray, points: np.ndarray) -> tuple[int, ...]:
    """Pivots that are the largest terms of their denominators at points (arguments, n)."""
    if field.is_polynomial:
        return field.pivots
    _, matrix = field.matrices(coefficients)
    sizes = np.abs(matrix) * np.sqrt(np.mean(field.rows(points) ** 2, axis=1))
    return tuple(int(np.argmax(row)) if is_fraction(field, j) else field.pivots[j] for j, row in enumerate(sizes))


def usual(field: Field) -> tuple[int, ...]:
    """Pivots of the highest power."""
    exponents = field.exponents
    return tuple(max(below(field, j).tolist(), key=lambda k: (exponents[k].sum(), *exponents[k]))
                 for j in range(field.equations))


def with_pivots(field: Field, coefficients: np.ndarray, pivots: Sequence[int]) -> tuple[Field, np.ndarray, np.ndarray]:
    """The same right-hand sides with other pivots: field, coefficients, and these differentiated by the old ones.

    Examples
    --------
    >>> uptake = Field(1, 1, (np.array([1]),), (np.array([0]),), (1,))                       # c0 z / (c1 + z)
    >>> field, coefficients, slopes = with_pivots(uptake, np.array([6.0, 2.0]), (0,))
    >>> field.pivots, coefficients.tolist(), slopes.tolist()                                 # 3 z / (1 + z / 2)
    ((0,), [3.0, 0.5], [[0.5, -1.5], [0.0, -0.25]])
    """
    if tuple(pivots) == tuple(field.pivots):
        return field, coefficients, np.eye(field.size)
    denominators, values, slopes, first = [], [], [], 0
    for j, (p, q) in enumerate(zip(field.pivots, pivots)):
        above, old = len(field.numerators[j]), field.denominators[j]
        own = np.arange(first, first := first + above + len(old))
        rows = np.eye(field.size)[own]
        if p == q:
            new, c = old, coefficients[own]
        else:
            place = above + int(np.flatnonzero(old == q)[0])
            divisor = coefficients[own[place]]
            rest = np.append(old, p)
            order = np.r_[:above, above + np.argsort(rest, kind="stable")]
            order = order[order != place]
            new = np.append(old, p)[order[above:] - above]
            extended, rows = np.append(coefficients[own], 1.0), np.vstack([rows, np.zeros(field.size)])
            c = extended[order] / divisor
            rows = rows[order] / divisor
            rows[:, own[place]] -= c / divisor
        denominators.append(new)
        values.append(c)
        slopes.append(rows)
    return (replace(field, denominators=tuple(denominators), pivots=tuple(int(q) for q in pivots)), np.concatenate(values),
            np.concatenate(slopes))


def sure_numbers(field: Field, coefficients: np.ndarray, information: np.ndarray,
                 points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The coefficients and their information, with `sturdy` pivots where those of the field may be nothing within their errors.

    A pivot that is `SURE_ERRORS` from nothing at least is kept: numbers are simple beside the one that people write.
    """
    pivots = sturdy(field, coefficients, points)
    doubtful = [j for j, (p, q) in enumerate(zip(field.pivots, pivots)) if p != q]
    if not doubtful:
        return coefficients, information
    other, values, slopes = with_pivots(field, coefficients, pivots)
    scaled, size = unit_diagonal(information)
    covariance = slopes @ (np.linalg.inv(scaled + SOLVE_RIDGE * np.eye(len(size))) / np.outer(size, size)) @ slopes.T
    for j in doubtful:
        place = int(np.flatnonzero((other.owner == j) & other.in_denominator & (other.monomial == field.pivots[j]))[0])
        if values[place] ** 2 < SURE_ERRORS**2 * covariance[place, place]:
            back = np.linalg.inv(slopes)
            return values, back.T @ information @ back
    return coefficients, information
