r"""Power laws as a person would write them: two terms each, the constant the simplest number not rejected.

The exponents are whole numbers already.  Of the two monomials the leading one of the term order has the coefficient 1
and the other -C, where :math:`\log C` is the law's constant or minus it; so C has the standard error C times that of
:math:`\log c`, and constants of several laws the covariance that goes with it (`rounding.round_estimates`).
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from ..fitting.power_law import PowerLaw
from ..polynomials.expressions import DOUBLE_DIGITS
from ..polynomials.term_orders import ORDERS, order_key
from ..polynomials.terms import Exponents
from .rounding import STEPS_IN_SHOWN_ERROR, round_estimates, significant_digits


class LawTerms(NamedTuple):
    """One power law as terms, the leading one first.

    Attributes
    ----------
    leading, other : tuple of int
        Exponents of the two monomials.
    constant, before : Fraction
        Coefficient of the other one, and its estimate.
    digits : int or None
        Significant digits to show; None for a number to be shown as it is.
    error : float
        Standard error of the estimate.
    log : float
        What the logarithm of the law's constant is with that number.
    """

    leading: Exponents
    other: Exponents
    constant: Fraction
    before: Fraction
    digits: int | None
    error: float
    log: float


def law_terms(law: PowerLaw, order: str, simplify: bool) -> list[LawTerms]:
    """The laws as two terms each, their numbers simple or as estimated.

    Parameters
    ----------
    law : PowerLaw
    order : {"grevlex", "grlex", "lex"}
        Decides which monomial leads; for any other name "grevlex".
    simplify : bool

    Examples
    --------
    >>> kepler = PowerLaw(np.array([[3, -2]]), np.array([2e-4]), np.array([[1e-7]]), 1e-3, 1e-3)
    >>> [(law.leading, law.other, str(law.constant)) for law in law_terms(kepler, "grevlex", True)]
    [((3, 0), (0, 2), '-1')]
    """
    key = order_key(order if order in ORDERS else ORDERS[0])
    sides = [(tuple(np.maximum(v, 0).tolist()), tuple(np.maximum(-v, 0).tolist())) for v in law.exponents]
    signs = np.array([1.0 if key(a) > key(b) else -1.0 for a, b in sides])
    values = np.exp(signs * law.logs)
    outer = signs * values
    covariance = law.covariance * np.outer(outer, outer)
    errors = np.sqrt(np.diag(covariance))
    if simplify:
        chosen = round_estimates(_inverse(covariance), values)
    else:
        chosen = {place: (Fraction(float(value)), significant_digits(value, error / STEPS_IN_SHOWN_ERROR))
                  for place, (value, error) in enumerate(zip(values, errors))}
    rows = []
    for place, ((a, b), sign) in enumerate(zip(sides, signs)):
        number, digits = chosen[place]
        if digits is None and number >= 10**DOUBLE_DIGITS:
            digits = len(str(number.numerator).rstrip("0"))
        leading, other = (a, b) if sign > 0 else (b, a)
        rows.append(LawTerms(leading, other, -number, -Fraction(float(values[place])), digits, float(errors[place]),
                             float(sign * np.log(float(number)))))
    return rows


def _inverse(covariance):
    """Inverse of a covariance whose entries may differ by many orders of magnitude."""
    sizes = np.sqrt(np.diag(covariance))
    return np.linalg.inv(covariance / np.outer(sizes, sizes)) / np.outer(sizes, sizes)
