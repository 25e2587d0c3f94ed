r"""Numbers made simple: each replaced by the simplest that its data do not reject, the others refitted.

Rounding replaces a coefficient by the number of least description length near it, in nats: for a fraction p/q with
small q :math:`z^2/2 + \log(1 + |p|) + 2 \log q`, where z is its distance in standard errors, and for a decimal
:math:`m \cdot 10^{-k}` the same with :math:`\log(1 + |m|) + |k|/2`.  The first part is minus the logarithm of the
likelihood; the others are those of prior probabilities, proportional to :math:`1 / (1 + |p|)`, :math:`1 / q^2` and
:math:`e^{-|k|/2}`: a choice of what counts as simple.  After each step the free coefficients are refitted.  No step is
taken that moves a coefficient by more than `MOST_STANDARD_ERRORS` or raises the joint chi^2 beyond what chance does
with a probability of `REJECTION_PROBABILITY`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import exp, floor, log, log1p, log10, pi, sqrt
from typing import NamedTuple

import numpy as np
from scipy.special import chdtri

from ..ground.linalg import unit_diagonal
from ..polynomials.expressions import DOUBLE_DIGITS
from .uncertainty import Quadratic

MOST_STANDARD_ERRORS = 3.0
"""Standard errors by which one coefficient may be moved, and within which a term may be zero: a convention.  Gaussian
errors exceed them once in 370 times."""
REJECTION_PROBABILITY = 0.003
"""Probability with which chance alone raises chi^2 by as much as all steps together may: that of the three standard
errors for one step, 0.0027, rounded."""
CLAIM_PROBABILITY = 2 / 3
"""Posterior probability from which a number is claimed: a convention, odds of two to one.  Chosen so that a circle
of 500 points with 5 % noise whose estimates are three standard errors off is still written with whole numbers."""
DENOMINATORS = (1, 2, 3, 4, 5, 6, 8, 9, 10, 12)
"""Of the fractions that count as simple: those that people write.  A convention."""
NATS_PER_LOG_DENOMINATOR = 2.0
"""Description length of a denominator q over log(q): a convention, the smallest whole number for which the prior
probabilities of all denominators have a finite sum."""
NATS_PER_DECIMAL_PLACE = 0.5
"""Description length of each place by which a decimal point is moved, in nats: a convention; the place of a digit costs
less than the digit itself, 2.3."""
DECIMAL_PLACES_TRIED = 5
"""Decimals of a number that are tried, the finest with at least `STEPS_IN_SHOWN_ERROR` times ten steps in a standard
error.  Derived: in the coarsest of them the step is 50 standard errors or more, where hardly anything lies within 3."""
STEPS_IN_SHOWN_ERROR = 2
"""Steps of the last digit in a standard error, at least, of numbers that are shown as they are: a convention."""
STEPS_IN_KEPT_ERROR = 5
"""The same for a number that is kept because no simple one will do.  Derived: rounding, half a step at most, is then a
tenth of the standard error and adds 0.5 % to it."""
LEAST_RELATIVE_ERROR = 1e-14
"""Standard error of a coefficient, relative to it, below which it is taken to be so large: some 50 roundings of a
double, which the sums behind it may have cost."""


def least_description(value: float, error: float) -> tuple[Fraction, int | None]:
    """The number of least description length within `MOST_STANDARD_ERRORS` of `value`.

    Returns
    -------
    number : Fraction
    digits : int or None
        Significant digits to show; None for a number to be shown as it is.

    Examples
    --------
    >>> least_description(0.9993, 0.001)
    (Fraction(1, 1), None)
    >>> least_description(2.818, 0.004)
    (Fraction(141, 50), 3)
    >>> least_description(0.0, 0.1)
    (Fraction(0, 1), None)
    """
    if not value:
        return Fraction(0), None
    near = numbers_near(value, error, MOST_STANDARD_ERRORS)
    best = min(near, key=lambda choice: (choice.cost + choice.away**2 / 2, choice.number.denominator))
    return best.number, best.digits


class Choice(NamedTuple):
    """A number that may stand for a coefficient: description length in nats, distance in standard errors, digits."""

    number: Fraction
    digits: int | None
    cost: float
    away: float


def numbers_near(value: float, error: float, most: float) -> list[Choice]:
    """Numbers within `most` standard errors of `value` that could be written for it, zero left aside.

    Fractions are the nearest of each denominator, decimals the nearest of each number of places; the finest is always
    among them.

    Examples
    --------
    >>> sorted(str(choice.number) for choice in numbers_near(0.3334, 0.001, 1.0))
    ['1/3', '1667/5000', '333/1000']
    """
    error = max(error, LEAST_RELATIVE_ERROR * abs(value))
    reach, found = most * error, dict[Fraction, Choice]()

    def propose(number, digits, cost):
        if number not in found or cost < found[number].cost:
            away = abs(float(number) - value) / error
            found[number] = Choice(number, None if number.denominator == 1 else digits, cost, away)

    for q in DENOMINATORS:
        below = floor(value * q)
        for p in (below, below + 1):
            if p and abs(p / q - value) <= reach:
                propose(Fraction(p, q), None, log(1 + abs(p)) + NATS_PER_LOG_DENOMINATOR * log(q))
    last = 1 - floor(log10(error / STEPS_IN_SHOWN_ERROR if error < abs(value) else abs(value)))
    for decimals in range(last - DECIMAL_PLACES_TRIED + 1, last + 1):
        mantissa = round(Fraction(value) * Fraction(10) ** decimals)
        number = Fraction(mantissa) / Fraction(10) ** decimals
        if mantissa and abs(float(number) - value) <= reach:
            propose(number, len(str(abs(mantissa))), log(1 + abs(mantissa)) + NATS_PER_DECIMAL_PLACE * abs(decimals))
    return list(found.values())


def multiples_near(value: float, error: float, most: float, denominator: int) -> list[Choice]:
    """Fractions with a given denominator, next to `value` and within `most` standard errors, zero left aside.

    Their description length is that of the numerator.

    Examples
    --------
    >>> [(str(choice.number), round(choice.cost, 2)) for choice in multiples_near(0.556, 0.001, 3.0, 9)]
    [('5/9', 1.79)]
    """
    below = floor(value * denominator)
    return [Choice(Fraction(p, denominator), None, log(1 + abs(p)), abs(p / denominator - value) / error)
            for p in (below, below + 1) if p and abs(p / denominator - value) <= most * error]


def largest_rise(steps: int) -> float:
    """What chi^2 with so many degrees of freedom exceeds with a probability of `REJECTION_PROBABILITY` only.

    Examples
    --------
    >>> f"{largest_rise(1):.2f}"
    '8.81'
    """
    # chi2.isf; scipy.stats would take 0.7 s to import
    return float(chdtri(steps, REJECTION_PROBABILITY))


def any_number(size: float, error: float, reach: float) -> float:
    r"""Minus the logarithm of the probability of an estimate of this size whose true number is any within reach.

    In the same nats as description lengths :math:`L + z^2 / 2` of simple numbers.  Magnitudes between the standard error s
    and the reach R are equally likely on a logarithmic scale, as those of simple numbers are, so a number of the size a
    has the density :math:`1 / (2 a \log(1 + R/s))`, and this is
    :math:`\log(2 a \log(1 + R/s) / (\sqrt{2 \pi} s)) - \log Z`, where Z sums :math:`e^{-L}` over the simple numbers
    within R that are no finer than s.

    Examples
    --------
    >>> f"{any_number(1.0, 0.01, 1.0):.1f} {any_number(1.0, 0.0001, 1.0):.1f}"
    '3.5 8.4'
    """
    fractions = sum(2 * log1p(reach * q) * q**-NATS_PER_LOG_DENOMINATOR for q in DENOMINATORS)
    places = range(max(round(-log10(error)), 0) + 1)
    # in logarithms, for data near the smallest numbers there are
    decimals = sum(2 * log1p(exp(log(reach) + k * log(10))) * exp(-NATS_PER_DECIMAL_PLACE * k) for k in places)
    return log(2 * size * log1p(reach / error) / (sqrt(2 * pi) * error)) - log(1 + fractions + decimals)


def evidence_of_a_term(count: int) -> float:
    """What chi^2 with one degree of freedom exceeds, in any of `count` independent cases, with a probability of
    `REJECTION_PROBABILITY` at most: a number is not zero where the data say so as clearly.

    Examples
    --------
    >>> f"{evidence_of_a_term(1):.2f} {evidence_of_a_term(30):.2f}"
    '8.81 15.14'
    """
    return float(chdtri(1, REJECTION_PROBABILITY / max(count, 1)))


def round_numbers(judge: Quadratic, unit: Callable[[int], Fraction]) -> dict[int, tuple[Fraction, int | None]]:
    """Fix the free coefficients of a `Quadratic` at the simplest numbers the data do not reject.

    Parameters
    ----------
    judge : Quadratic
    unit : callable
        Place -> Fraction: one unit of that coefficient as the user sees it.

    Returns
    -------
    dict
        Place -> (Fraction, significant digits to show or None for a number to be shown as it is).

    Examples
    --------
    >>> from symknot.symbolic.uncertainty import Quadratic
    >>> chosen = round_numbers(Quadratic(100 * np.eye(2), [9.996, 2.6651]), lambda place: Fraction(1))
    >>> chosen[0], chosen[1]
    ((Fraction(10, 1), None), (Fraction(8, 3), None))
    """
    chosen = {}
    while len(judge.free):
        errors = judge.standard_errors()
        choices = []
        for place, error in zip(judge.free, errors):
            one = float(unit(place))
            value, error = judge.values[place] / one, error / one
            number, digits = least_description(value, error)
            choices.append((digits is not None, abs(float(number) - value) / error, place, number, digits))
        # the simplest and surest first: the others can still adapt to it
        _, _, place, number, digits = min(choices, key=lambda choice: choice[:3])
        judge.fix(place, float(number * unit(place)))
        if judge.rise() > largest_rise(int(judge.fixed.sum())):
            judge.release(place)
            one = float(unit(place))
            number, digits = in_full(judge.values[place] / one, errors[list(judge.free).index(place)] / one)
            judge.fix(place, float(number * unit(place)))
        chosen[int(place)] = number, digits
    return chosen


def round_estimates(information: np.ndarray,
                    estimate: Sequence[float] | np.ndarray) -> dict[int, tuple[Fraction, int | None]]:
    """The same for estimates with this information (inverse covariance), which may differ by orders of magnitude.

    Examples
    --------
    >>> chosen = round_estimates(np.diag([1e4, 1e-20]), [9.996, 2.0001e12])
    >>> chosen[0][0], chosen[1][0]
    (Fraction(10, 1), Fraction(2000000000000, 1))
    """
    scaled, size = unit_diagonal(information)
    values, vectors = np.linalg.eigh(scaled)
    factor = np.sqrt(np.maximum(values, 0))[:, None] * vectors.T
    return round_numbers(Quadratic(factor, np.asarray(estimate) * size), lambda place: Fraction(float(size[place])))


def in_full(value: float, error: float) -> tuple[Fraction, int]:
    """A decimal whose rounding is a tenth of a standard error at most, and its digits.

    Examples
    --------
    >>> in_full(2.81834, 0.004)
    (Fraction(28183, 10000), 5)
    """
    digits = significant_digits(value, error / STEPS_IN_KEPT_ERROR)
    decimals = digits - 1 - floor(log10(abs(value)))
    return Fraction(round(Fraction(value) * Fraction(10) ** decimals)) / Fraction(10) ** decimals, digits


def significant_digits(value: float, error: float) -> int:
    """Significant digits of `value` down to `error`: at least 1, at most those of a double."""
    if not 0 < error < np.inf or not value:
        return DOUBLE_DIGITS
    return int(np.clip(1 + floor(log10(abs(value))) - floor(log10(error)), 1, DOUBLE_DIGITS))


def as_float(number: Fraction) -> float:
    """A Fraction as a float; infinite where it is beyond floats."""
    try:
        return float(number)
    except OverflowError:
        return np.inf if number > 0 else -np.inf
