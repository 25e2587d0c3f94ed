r"""Invariants with simple numbers: each coefficient rounded within its standard error, the others refitted.

As in `symknot.rounding`, with the covariance of all coefficients of one degree together: with the information J (its
inverse) a change d of the coefficients raises chi^2 by :math:`d^T J d`.  The simplest and surest number is
fixed first, the open ones move to where chi^2 is least given those fixed, and no step is taken that raises it beyond
what chance does.  Polynomials whose numbers are all simple are freed of denominators.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm

import numpy as np

from ..rounding import DENOMINATORS, LIMIT, largest_rise, significant_digits, simplest
from .level_sets import levels_of, solve_semidefinite

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
    units = np.prod(states.size**fit.exponents, axis=1)
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
            if abs(level) > LIMIT * error:
                number, some = simplest(-level, error)
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
    """(row, column) -> Fraction in the users' units, and digits to show; others refitted after each rounding."""
    places = [tuple(place) for place in np.argwhere(fit.free).tolist()]
    start = fit.coefficients[fit.free]
    units = stretch[fit.free]
    information = fit.information()
    values, open_ = start.copy(), list(range(len(places)))
    exact, digits = {}, {}
    if len(places) > MOST_REFITTED:
        for place, value, unit, variance in zip(places, start, units, np.diag(fit.covariance)):
            error = max(np.sqrt(max(variance, 0.0)), 1e-14 * abs(value), np.finfo(float).tiny)
            digits[place] = significant_digits(value, error / 5)
            exact[place] = Fraction(f"{value * unit:.{digits[place]}g}")
        return exact, digits
    while open_:
        errors = np.sqrt(np.maximum(np.diag(np.linalg.pinv(information[np.ix_(open_, open_)], hermitian=True)), 0))
        choices, before = [], list(open_)
        for i, error in zip(open_, errors):
            value, error = values[i] * units[i], max(error * units[i], 1e-14 * abs(values[i] * units[i]))
            number, some = simplest(value, error)
            choices.append((some is not None, abs(float(number) - value) / error, i, number, some))
        # the simplest and surest first: the others can still adapt to it
        _, _, i, number, some = min(choices, key=lambda choice: choice[:3])
        open_.remove(i)
        trial = _refitted(information, start, values, i, float(number) / units[i], open_)
        fixed = len(places) - len(open_)
        if (trial - start) @ information @ (trial - start) > largest_rise(fixed):
            # down to a tenth of a standard error, which moves chi^2 by next to nothing
            some = significant_digits(values[i], dict(zip(before, errors))[i] / 5)
            number = Fraction(f"{values[i] * units[i]:.{some}g}")
            trial = _refitted(information, start, values, i, float(number) / units[i], open_)
        values = trial
        exact[places[i]] = number
        if some is not None:
            digits[places[i]] = some
    return exact, digits


def _refitted(information, start, values, place, value, open_):
    """Values with one fixed and the open ones where chi^2 is least."""
    moved = values.copy()
    moved[place] = value
    if open_:
        rest = np.setdiff1d(np.arange(len(values)), open_)
        pull = information[np.ix_(open_, rest)] @ (moved - start)[rest]
        moved[open_] = start[open_] - solve_semidefinite(information[np.ix_(open_, open_)], pull)
    return moved
