r"""Invariants with simple numbers: each coefficient rounded within its standard error, the others refitted.

By `symknot.symbolic.rounding`, with the information of all coefficients of one degree together.  Polynomials whose
numbers are all simple are freed of denominators, and the estimates are multiplied by the same number.

*Standard errors* are those of the estimates, from the covariance of the free coefficients (`level_sets`).  The constant
of a constraint is minus its level h, whose error has two parts: that of a mean of noisy values, given the coefficients,
and what the coefficients' errors add.  A coefficient c changes h by the mean m of its monomial, so that
:math:`\operatorname{var} h = \operatorname{var}(h \mid c) + m^T \operatorname{cov}(c)\, m`; the two are hardly
correlated, since the coefficients come from the monomials less their means (on 200 noisy ellipses the constants
scattered by 0.94 of what this says).
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import NamedTuple

import numpy as np

from ...polynomials.evaluation import monomials_at
from ...polynomials.terms import Exponents
from ...symbolic.rounding import (
    DENOMINATORS,
    LEAST_RELATIVE_ERROR,
    MOST_STANDARD_ERRORS,
    STEPS_IN_KEPT_ERROR,
    least_description,
    round_estimates,
    significant_digits,
)
from ..runs.smooth_states import States
from .level_sets import LevelSets, levels_of

MOST_REFITTED = 300
"""Coefficients beyond which each is only cut to its significant digits: refits would take minutes, and so many are
hardly simple."""


class LevelNumbers(NamedTuple):
    """One polynomial in the users' units; all in one scale.

    Attributes
    ----------
    terms : dict
        Exponents -> Fraction: the simplest numbers.
    digits : dict
        Exponents -> significant digits to show.
    estimated_terms : dict
        Exponents -> float.
    standard_errors : dict
        Exponents -> standard error of the estimate; 0 for the fixed coefficient, infinite for one that the data do not
        determine.
    """

    terms: dict[Exponents, Fraction]
    digits: dict[Exponents, int]
    estimated_terms: dict[Exponents, float]
    standard_errors: dict[Exponents, float]


def numbers_of(fit: LevelSets, states: States, group: np.ndarray, constant: bool) -> list[LevelNumbers]:
    """Each polynomial in the users' units: with the simplest numbers, and as estimated.

    Parameters
    ----------
    fit : LevelSets
    states : States
    group : (n,) int array
    constant : bool
        Subtract the (only) level.

    Returns
    -------
    list of LevelNumbers
    """
    units = monomials_at(states.size, fit.exponents)
    stretch = units[fit.pivots][:, None] / units
    exact, digits = _simplest_numbers(fit, stretch)
    errors = _errors(fit) * stretch
    out = []
    for l, pivot in enumerate(fit.pivots):
        order = [pivot, *np.flatnonzero(fit.free[l])]
        names = {a: tuple(fit.exponents[a].tolist()) for a in order}
        shown = {names[a]: digits[l, a] for a in order if (l, a) in digits}
        simple, factor = _whole({names[a]: exact.get((l, a), Fraction(1)) for a in order}, shown)
        out.append(LevelNumbers(
            simple, shown, {names[a]: float(fit.coefficients[l, a] * stretch[l, a]) * factor for a in order},
            {names[a]: float(errors[l, a]) * factor for a in order}))
    if constant:
        _add_constants(out, fit, states, group)
    return out


def _add_constants(polynomials, fit, states, group):
    """Give each polynomial minus its level as a constant."""
    constant = (0,) * fit.exponents.shape[1]
    index = {tuple(e): a for a, e in enumerate(fit.exponents.tolist())}
    units = monomials_at(states.size, fit.exponents)
    # one unit of a polynomial in units of the sizes, where its pivot's coefficient is 1, for the user
    scales = [units[pivot] * float(polynomial.terms[tuple(fit.exponents[pivot].tolist())])
              for pivot, polynomial in zip(fit.pivots, polynomials)]
    simple = np.zeros_like(fit.coefficients)
    for l, polynomial in enumerate(polynomials):
        for exponents, number in polynomial.terms.items():
            simple[l, index[exponents]] = float(number) * (units[index[exponents]] / scales[l])
    levels, given = levels_of(states, group, fit.exponents, simple)
    errors = _level_errors(fit, states, group)
    for l, (polynomial, unit) in enumerate(zip(polynomials, scales)):
        polynomial.estimated_terms[constant] = -float(fit.levels[0, l] * unit)
        polynomial.standard_errors[constant] = float(errors[l] * unit)
        level, error = float(levels[0, l] * unit), float(given[0, l] * unit)
        if abs(level) > MOST_STANDARD_ERRORS * error:
            number, some = least_description(-level, error)
            polynomial.terms[constant] = number
            if some is not None:
                polynomial.digits[constant] = some


def _errors(fit):
    """(k, m) array, in units of the sizes: 0 for what is fixed, infinite for what the data do not determine."""
    variances = np.diag(fit.covariance)
    errors = np.zeros(fit.coefficients.shape)
    # noise is never zero, so no variance is either, unless its coefficient was left out of the inverse
    errors[fit.free] = np.sqrt(np.where(variances > 0, variances, np.inf))
    return errors


def _level_errors(fit, states, group):
    """Standard errors of the only level of each polynomial, (k,), in units of the sizes."""
    weights = fit.residuals(states, group)[1] ** -2.0
    means = (weights / weights.sum(axis=0)).T @ monomials_at(states.points, fit.exponents)
    variances = levels_of(states, group, fit.exponents, fit.coefficients)[1][0] ** 2
    owner, column = np.nonzero(fit.free)
    for l in range(len(fit)):
        own = owner == l
        mean = means[l, column[own]]
        variances[l] += max(mean @ fit.covariance[np.ix_(own, own)] @ mean, 0.0)
    return np.sqrt(variances)


def _whole(simple, shown):
    """The polynomial without small denominators, and what it was multiplied by."""
    factor = lcm(*(number.denominator for number in simple.values()))
    if shown or factor > max(DENOMINATORS):
        return simple, 1
    return {e: number * factor for e, number in simple.items()}, factor


def _simplest_numbers(fit, stretch):
    """(row, column) -> Fraction in the users' units, and digits to show."""
    places = [tuple(place) for place in np.argwhere(fit.free).tolist()]
    units = stretch[fit.free]
    values = fit.coefficients[fit.free] * units
    if len(places) > MOST_REFITTED:
        errors = np.sqrt(np.maximum(np.diag(fit.covariance), 0.0)) * units
        chosen = {}
        for i, (value, error) in enumerate(zip(values, errors)):
            least = max(error, LEAST_RELATIVE_ERROR * abs(value), np.finfo(float).tiny)
            some = significant_digits(value, least / STEPS_IN_KEPT_ERROR)
            chosen[i] = Fraction(f"{value:.{some}g}"), some
    else:
        chosen = round_estimates(fit.information() / np.outer(units, units), values)
    exact = {places[i]: number for i, (number, _) in chosen.items()}
    return exact, {places[i]: some for i, (_, some) in chosen.items() if some is not None}
