r"""Invariants with simple numbers: each coefficient rounded within its standard error, the others refitted.

By `symknot.rounding`, with the information of all coefficients of one degree together.  Polynomials whose numbers are
all simple are freed of denominators.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm

import numpy as np

from ...polynomials.evaluation import monomials_at
from ...symbolic.rounding import (
    DENOMINATORS,
    LEAST_RELATIVE_ERROR,
    MOST_STANDARD_ERRORS,
    STEPS_IN_KEPT_ERROR,
    least_description,
    round_estimates,
    significant_digits,
)
from .level_sets import levels_of

MOST_REFITTED = 300
"""Coefficients beyond which each is only cut to its significant digits: refits would take minutes, and so many are
hardly simple."""


def rounded(fit, states, group, constant):
    """Each polynomial in the users' units: as estimated, with the simplest numbers, and the digits to show.

    Parameters
    ----------
    fit : LevelSets
    states : States
    group : (n,) int array
    constant : bool
        Subtract the (only) level.

    Returns
    -------
    list of (dict, dict, dict)
        Exponents to float, to Fraction, to number of digits.
    """
    units = monomials_at(states.size, fit.exponents)
    stretch = units[fit.pivots][:, None] / units
    exact, digits = _simplest_numbers(fit, stretch)
    coefficients = fit.coefficients.copy()
    for (l, a), number in exact.items():
        coefficients[l, a] = float(number) / stretch[l, a]
    nothing = (0,) * fit.exponents.shape[1]
    simple_levels = levels_of(states, group, fit.exponents, coefficients) if constant else None
    out = []
    for l, pivot in enumerate(fit.pivots):
        order = [pivot, *np.flatnonzero(fit.free[l])]
        names = {a: tuple(fit.exponents[a].tolist()) for a in order}
        raw = {names[a]: float(fit.coefficients[l, a] * stretch[l, a]) for a in order}
        simple = {names[a]: exact.get((l, a), Fraction(1)) for a in order}
        shown = {names[a]: digits[l, a] for a in order if (l, a) in digits}
        simple, factor = _whole(simple, shown)
        if constant:
            unit = units[pivot]
            raw[nothing] = -float(fit.levels[0, l] * unit)
            level, error = (float(part[0, l] * unit) * factor for part in simple_levels)
            if abs(level) > MOST_STANDARD_ERRORS * error:
                number, some = least_description(-level, error)
                simple[nothing] = number
                if some is not None:
                    shown[nothing] = some
        out.append((raw, simple, shown))
    return out


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
            error = max(error, LEAST_RELATIVE_ERROR * abs(value), np.finfo(float).tiny)
            some = significant_digits(value, error / STEPS_IN_KEPT_ERROR)
            chosen[i] = Fraction(f"{value:.{some}g}"), some
    else:
        chosen = round_estimates(fit.information() / np.outer(units, units), values)
    exact = {places[i]: number for i, (number, _) in chosen.items()}
    return exact, {places[i]: some for i, (_, some) in chosen.items() if some is not None}
