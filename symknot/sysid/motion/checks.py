"""Are equations of motion what their model says?  See `symknot.results.checking`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy
from sympy.core.function import AppliedUndef

from ...results.checking import Check, confirmed, numbered, same_expression, same_number, sampled

KNOTS_RECOMPUTED = 3
"""Knots at which right-hand sides are recomputed in 50 digits: a convention, milliseconds each."""
DIGITS = 50
"""Digits of these values."""


def model_checks(model: Any) -> Iterator[Check]:
    """Right-hand sides as sympy has them hold at the knots, and equations are what their terms say.

    Of a callable that sympy cannot see through there is only a name, and no value in digits: such sides are left out.
    """
    with np.errstate(divide="ignore", invalid="ignore"):              # what is not finite does not hold
        all_knots = model.knots
    knots = all_knots[sampled(len(all_knots), KNOTS_RECOMPUTED)]
    symbols = model._symbols[: len(model.arguments)]
    for number, (target, side) in enumerate(model.right_hand_sides.items()):
        if side.atoms(AppliedUndef):
            continue
        column = model.names.index(target)
        size = float(np.sqrt(np.mean(all_knots[:, column] ** 2)))
        for row in knots:
            at = {symbol: sympy.Float(float(value), DIGITS) for symbol, value in zip(symbols, row)}
            yield same_number(numbered("its right-hand side holds at a knot", number), float(row[column]),
                              _value(side, at), size)
    for number, equation in enumerate(model.polynomials if not model.field.functions else ()):
        yield same_expression(numbered("`expr` is what `terms` say", number), equation.expr, model.variables,
                              equation.terms, knots)


def _value(side, at):
    """Of a right-hand side; NaN at its poles, and where it is no real number."""
    try:
        value = side.evalf(DIGITS, subs=at)
    except ZeroDivisionError:            # of sympy's powers, instead of its infinities
        return np.nan
    return float(value) if value.is_real else np.nan


def unless_wrong(model: Any) -> Any:
    """The model; with `Status.NOT_CONFIRMED` where something that it says does not hold."""
    return confirmed(model, model_checks(model)) if model.targets else model
