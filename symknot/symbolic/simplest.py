r"""One equation made simple: the terms and numbers of least description length that the data do not reject.

`uncertainty.ChiSquare` is the judge: :math:`\chi^2(\theta)` says how far coefficients are from their estimates, in units
of what noise makes of the estimate or of the polynomial that they define, whichever is less
(`uncertainty.Quadratic.steepness`): neither may reject it.  What is written instead of p estimates minimises

.. math:: \tfrac12 \chi^2(\theta) + \sum_{\theta_a \neq 0} \big(\tfrac12 c^2 + L(\theta_a)\big)

among all that a test at the level `REJECTION_PROBABILITY` does not reject.  L is the description length of a number
(`rounding`), and :math:`c^2` is what :math:`\chi^2` with one degree of freedom exceeds with that probability *divided by
p*: a term is written where the data reject its absence, and p terms that are not there stay away together with that
probability, however many they are.  Terms and numbers are decided together.  Where estimates are correlated a term
dropped by itself, or a number rounded by itself, moves the others to wrong ones; their numbers are then long, and the
sum is larger than that of the truth.

An equation is as simple with a common denominator q: 9 x - 5 y + 160 = 0 has shorter numbers than 5/9 and 160/9 each by
itself.  So L of its numbers p/q is also :math:`2 \log q + \sum \log(1 + |p|)`, q counted once.

The search: terms are dropped from the least significant on, and sets of terms that differ by one or two are compared;
the numbers of the best sets are rounded one after the other, the best determined first, with the conditional mean and
standard error of each given those before it, and the `MOST_STATES` best combinations are kept on the way.

:math:`e^{-\text{sum}}` is the posterior probability of a combination up to a factor.  A number is *claimed* (written as
a fraction, without a count of digits) when the combinations that contain it have `CLAIM_PROBABILITY` of all that were
found; else it is shown as a decimal, with its digits.  Among the rivals are those in which one of the numbers, or
all that are written, may be any (`rounding.any_number`).  The share of simple numbers among p, zeros included, is not known
and uniform between 0 and 1 before the data speak: given that the others are simple, one is not with the odds of 1 to p, and k
are not with those of 1 to p over k.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import comb, log
from typing import NamedTuple

import numpy as np
import scipy.linalg

from ..fitting.fitted import Fitted
from ..fitting.planes import MANY_VARIABLES
from ..ground.deadline import look
from ..ground.linalg import ROUNDING, SMALLEST_DIVISOR
from ..polynomials.monomials import count
from ..polynomials.terms import Exponents, Terms, digits_of_long_numbers
from .rounding import (
    CLAIM_PROBABILITY,
    NATS_PER_LOG_DENOMINATOR,
    STEPS_IN_SHOWN_ERROR,
    Choice,
    any_number,
    as_float,
    evidence_of_a_term,
    in_full,
    largest_rise,
    multiples_near,
    numbers_near,
    significant_digits,
)
from .uncertainty import ChiSquare, KnotMonomials, Quadratic

MOST_SLOPES = 2e7
"""Slopes of terms at knots (terms of all equations times knots times variables) up to which equations in many variables are
simplified; more are written as they were found.  A convention, some ten seconds."""
MOST_STATES = 20
"""Combinations of numbers that are kept while the next one is rounded: a convention; other numbers were
not tried."""
LARGEST_SHARED = 100
"""Largest denominator that the numbers of an equation may share: a convention."""
MOST_SUPPORTS = 12
"""Sets of terms whose numbers are rounded: a convention; other numbers were not tried."""
SUPPORT_NATS = 20.0
"""Sum, in nats, by which a set of terms may be worse than the best before numbers are rounded: a convention, three
numbers of three digits, which is what a missing term makes of simple ones."""
MOST_SWAPPED = 60
"""Terms up to which sets that differ by a swap are compared, and each set with one term less is: their number grows as the
square.  Where more are needed, numbers are not rounded to simple ones, either.  A convention."""
LONGEST_READ = 9999
"""Numerators and denominators of derived numbers up to which a fraction is shown: a convention; longer ones are shown as
decimals, and stay what they are."""
SMALLEST_UNIT = 1e-120
"""Smallest unit of a coefficient, and one over the largest, with which it is rounded: beyond, it is shown as it is.
A convention that leaves coefficients in such units 188 orders of magnitude within the range of doubles, 1e308."""


def too_much_to_simplify(fitted: Fitted) -> bool:
    """Whether variables, terms and knots are so many that simpler numbers would take minutes."""
    d = len(fitted.names)
    terms = sum(count(d, int(degree)) for degree in fitted.recursion.G_degrees[fitted.essential])
    return d > MANY_VARIABLES and terms * fitted.knots.size > MOST_SLOPES


class State(NamedTuple):
    """Numbers for a set of terms, by place, what they cost (the sum of the module's text), and a denominator of all of them;
    0 where each has its own."""

    chosen: dict[int, Choice]
    nats: float
    rise: float
    shared: int = 0


class Simplest:
    """Search for the numbers of least description length; see the module's text.

    Parameters
    ----------
    judge : Quadratic
    units : list of float
        One unit of each coefficient as the user sees it.

    Examples
    --------
    >>> judge = Quadratic(100 * np.eye(3), [1.003, 0.012, 2.6651])
    >>> {place: str(choice.number) for place, choice in sorted(Simplest(judge, [1.0, 1.0, 1.0]).best().items())}
    {0: '1', 2: '8/3'}
    """

    def __init__(self, judge: Quadratic, units: list[float]) -> None:
        self.factor, self.estimate, self.steepness = judge.factor, judge.estimate, judge.steepness
        self.units, self.count = units, len(judge.estimate)
        self.evidence = evidence_of_a_term(self.count)
        self.rises: dict[frozenset[int], float] = {}

    def best(self) -> dict[int, Choice]:
        """Place -> what is written there; places that are left out are zero."""
        support = self._fewest_terms()
        if len(support) > MOST_SWAPPED:
            return self._in_full(support)
        states: dict[frozenset[int], list[State]] = {}
        while True:
            for near in self._supports_near(support):
                if near not in states:
                    states[near] = self._rounded(near)
            every = [state for found in states.values() for state in found]
            fair = [state for state in every if state.rise <= largest_rise(max(self.count, 1))]
            if not fair:
                return self._rounded(support, long=True)[0].chosen
            chosen = min(fair, key=lambda state: state.nats)
            if support == frozenset(chosen.chosen):
                break
            support = frozenset(chosen.chosen)
        return self._claimed(chosen, fair)

    def _claimed(self, chosen, rivals):
        """The chosen numbers; those that too many rivals contradict get a count of digits."""
        rivals = [*rivals, *self._any_numbers(chosen)]
        weights = np.exp([chosen.nats - state.nats for state in rivals])
        written = {}
        for place, choice in chosen.chosen.items():
            same = [place in state.chosen and state.chosen[place].number == choice.number for state in rivals]
            if choice.digits is None and weights @ same < CLAIM_PROBABILITY * weights.sum():
                choice = choice._replace(digits=self._digits(place, chosen.chosen))
            written[place] = choice
        return written

    def _in_full(self, support):
        """The best numbers of a set of terms, to the digits that each is known to if the others are."""
        places = sorted(support)
        numbers, errors = self._refitted(places)[0], 1 / np.linalg.norm(self.factor[:, places], axis=0)
        return {place: Choice(*in_full(number / self.units[place], error / self.units[place]), 0.0, 0.0)
                for place, number, error in zip(places, numbers, errors)}

    def _any_numbers(self, chosen):
        """What was chosen but for one number, or all of them, that may be any: they are left out of these states."""
        places = sorted(chosen.chosen)
        if not places:
            return
        units = np.array([self.units[place] for place in places])
        written = np.array([float(chosen.chosen[place].number) for place in places])
        moved = -self.estimate
        moved[places] += written * units
        columns = self.factor[:, places]
        lengths = np.linalg.norm(columns, axis=0)
        pulls = columns.T @ (self.factor @ moved) / lengths         # in standard errors of each, the others as they are
        for place, number, pull, error in zip(places, written, pulls, 1 / (lengths * units)):
            others = {other: choice for other, choice in chosen.chosen.items() if other != place}
            nats = any_number(abs(number), error, abs(number)) + log(self.count) - chosen.chosen[place].cost - pull**2 / 2
            yield State(others, chosen.nats + nats, chosen.rise - pull**2)
        rise = self._refitted(places)[1]
        errors = 1 / np.abs(scipy.linalg.qr(columns, mode="r", check_finite=False)[0].diagonal()) / units
        nats = log(comb(self.count, len(places)))
        nats += sum(any_number(size, error, size) for size, error in zip(np.abs(written), errors))
        yield State({}, rise / 2 + self.evidence / 2 * len(places) + nats, rise)

    def _digits(self, place, chosen):
        """Digits of a number that is not claimed, down to its standard error among the terms chosen."""
        places = sorted(chosen)
        error = self._spread(places)[places.index(place)] / self.units[place]
        return significant_digits(float(chosen[place].number), error / STEPS_IN_SHOWN_ERROR)

    # ------------------------------------------------------------------------------------------------- terms

    def _score(self, support):
        """chi^2 and evidence of a set of terms with the best numbers; infinite where the data reject it."""
        look()
        if support not in self.rises:
            places = sorted(support)
            values, rise = self._refitted(places)
            self.rises[support] = self._by_own_variance(rise, places, values)
        rise, dropped = self.rises[support], self.count - len(support)
        fair = dropped == 0 or rise <= largest_rise(dropped)
        return rise + self.evidence * len(support) if fair else np.inf

    def _by_own_variance(self, rise, places, values):
        """chi^2 of some coefficients, zeros elsewhere, by the variance of the polynomial that they define if it is less."""
        every = np.zeros(self.count)
        every[places] = values
        return rise / min(max(self.steepness(every), SMALLEST_DIVISOR), 1.0)

    def _refitted(self, places):
        """Estimates of some terms given zeros elsewhere, and chi^2; in differences, which cost no digits."""
        gone = np.delete(np.arange(self.count), places)
        moved = self.factor[:, gone] @ self.estimate[gone]
        step = np.linalg.lstsq(self.factor[:, places], moved, rcond=ROUNDING)[0]
        return self.estimate[places] + step, float(np.sum((moved - self.factor[:, places] @ step) ** 2))

    def _neighbours(self, support):
        """Sets of terms with one less, one more, or one exchanged."""
        others = [place for place in range(self.count) if place not in support]
        yield from (support - {place} for place in support)
        yield from (support | {place} for place in others)
        if self.count <= MOST_SWAPPED:
            yield from ((support - {out}) | {into} for out in support for into in others)

    def _fewest_terms(self):
        """The set of terms of least score, from all terms on by single steps."""
        support = frozenset(range(self.count))
        while support:
            fewer = self._with_one_less(support)
            if self._score(fewer) > self._score(support):
                break
            support = fewer
        while True:
            better = min(self._neighbours(support), key=self._score, default=support)
            if self._score(better) >= self._score(support):
                return support
            support = better

    def _with_one_less(self, support):
        """The best set with one term less; of very many terms without that which is the least significant among them."""
        if len(support) <= MOST_SWAPPED:
            return min((support - {place} for place in support), key=self._score)
        look()
        places = sorted(support)
        values = self._refitted(places)[0]
        return support - {places[int(np.argmin(np.abs(values) / self._spread(places)))]}

    def _spread(self, places):
        """Standard error of each of some terms, the others among them free and all others zero."""
        triangle = scipy.linalg.qr(self.factor[:, places], mode="r", check_finite=False)[0][: len(places)]
        return np.linalg.norm(np.linalg.pinv(triangle), axis=1)

    def _supports_near(self, support):
        limit = self._score(support) + 2 * SUPPORT_NATS
        near = sorted((s for s in self._neighbours(support) if self._score(s) <= limit), key=self._score)
        return [support, *near[: MOST_SUPPORTS - 1]]

    # ----------------------------------------------------------------------------------------------- numbers

    def _triangle(self, places):
        """Triangular factor and estimates of some terms given zeros elsewhere, the last to be decided first."""
        waiting, order = list(places), []
        values = dict(zip(places, self._refitted(places)[0]))
        while waiting:
            spread = self._spread(waiting)
            sizes = np.abs([values[place] for place in waiting])
            surest = int(np.argmin(spread / np.where(sizes > 0, sizes, np.inf) if sizes.any() else spread))
            order.append(waiting.pop(surest))
        order.reverse()
        triangle = scipy.linalg.qr(self.factor[:, order], mode="r", check_finite=False)[0][: len(order)]
        return order, triangle, np.array([values[place] for place in order])

    def _rounded(self, support, long=False):
        """The best combinations of numbers for a set of terms, or the one of decimals that are long enough."""
        places = sorted(support)
        if not places:
            self._score(support)
            return [State({}, self.rises[support] / 2, self.rises[support])]
        rise = self._refitted(places)[1]
        order, triangle, estimates = self._triangle(places)
        smallest = np.finfo(float).eps * np.abs(estimates).max()        # no number is known better than the largest is written
        begun = State({}, rise / 2 + self.evidence / 2 * len(places), rise)
        states = [(begun, np.zeros(len(places)))]
        if not long:
            states += [(begun._replace(nats=begun.nats + NATS_PER_LOG_DENOMINATOR * log(q), shared=q), np.zeros(len(places)))
                       for q in range(2, LARGEST_SHARED + 1)]
        for row in reversed(range(len(places))):
            place, one = order[row], self.units[order[row]]
            grown = []
            for state, moved in states:
                mean = estimates[row] - triangle[row, row + 1:] @ moved[row + 1:] / triangle[row, row]
                error = np.hypot(1 / triangle[row, row], smallest)
                for choice in self._choices(mean / one, error / one, state.shared, long):
                    step = moved.copy()
                    step[row] = float(choice.number) * one - estimates[row]
                    away = ((float(choice.number) * one - mean) / error) ** 2
                    chosen = {**state.chosen, place: choice}
                    grown.append((State(chosen, state.nats + away / 2 + choice.cost, state.rise + away, state.shared), step))
            states = _best_of_each_kind(grown)
        return [self._corrected(state) for state, _ in states]

    def _corrected(self, state):
        """The state with chi^2 by its own variance if it is less."""
        places = list(state.chosen)
        values = [float(choice.number) * self.units[place] for place, choice in state.chosen.items()]
        rise = self._by_own_variance(state.rise, places, values)
        return state._replace(nats=state.nats + (rise - state.rise) / 2, rise=rise)

    def _choices(self, value, error, shared, long):
        if not value:
            return []
        if shared:
            return multiples_near(value, error, np.sqrt(self.evidence), shared)
        return [Choice(*in_full(value, error), 0.0, 0.0)] if long else numbers_near(value, error, np.sqrt(self.evidence))


def _best_of_each_kind(grown):
    """The `MOST_STATES` best states with numbers written each by itself, and as many with a denominator for all."""
    grown.sort(key=lambda entry: entry[0].nats)
    alone = [entry for entry in grown if not entry[0].shared]
    return alone[:MOST_STATES] + [entry for entry in grown if entry[0].shared][:MOST_STATES]


class Row:
    """One equation while it is being simplified."""

    def __init__(self, at: KnotMonomials, coefficients: np.ndarray, pivot: int, columns: Iterable[int]) -> None:
        self.at, self.pivot = at, pivot
        self.start = coefficients
        active = np.array([c for c in columns if coefficients[c]], dtype=int)
        self.judge = ChiSquare(at, coefficients, pivot, active)
        self.errors = self.judge.standard_errors()
        self.exact = {pivot: Fraction(1)}
        self.digits: dict[int, int] = {}

    def unit(self, place: int) -> Fraction:
        """One unit of this coefficient in x, as a coefficient in v with the pivot's at 1."""
        exponents, pivot = self.at.exponents[self.judge.active[place]], self.at.exponents[self.pivot]
        return self.at.power(exponents) / self.at.power(pivot)

    def finish(self, simplify: bool) -> Row:
        """Simplify, or keep the estimates; an equation that the knots do not determine is kept too."""
        units = [as_float(self.unit(place)) for place in range(len(self.errors))]
        determined = np.isfinite(self.errors).all() and all(SMALLEST_UNIT < unit < 1 / SMALLEST_UNIT for unit in units)
        self.simplified = bool(simplify and determined)
        if self.simplified:
            self.write_simplest(units)
        else:
            self.keep_numbers()
        return self

    def write_simplest(self, units: list[float]) -> None:
        """Terms and numbers of least description length."""
        for place, choice in sorted(Simplest(self.judge, units).best().items()):
            self.exact[int(self.judge.active[place])] = choice.number
            if choice.digits is not None:
                self.digits[int(self.judge.active[place])] = choice.digits

    def keep_numbers(self) -> None:
        """Take the values as they are, to be shown down to a share of a standard error."""
        for place, error in zip(self.judge.free, self.judge.standard_errors()):
            column, value = int(self.judge.active[place]), self.judge.values[place]
            self.exact[column] = Fraction(value) / self.unit(place)
            self.digits[column] = significant_digits(value, error / STEPS_IN_SHOWN_ERROR)

    def write(self, terms: Terms) -> Row:
        """Take numbers that were decided elsewhere."""
        index = {tuple(e): a for a, e in enumerate(self.at.exponents.tolist())}
        self.exact, self.simplified = {index[e]: value for e, value in terms.items()}, True
        self.digits = {index[e]: digits for e, digits in digits_of_long_numbers(terms, LONGEST_READ).items()}
        return self

    @property
    def terms(self) -> dict[Exponents, Fraction]:
        """Exponent tuple -> Fraction in x, the pivot first."""
        return {tuple(int(e) for e in self.at.exponents[c]): value for c, value in self.exact.items() if value}

    @property
    def shown_digits(self) -> dict[Exponents, int]:
        """Exponent tuple -> significant digits to show."""
        return {tuple(int(e) for e in self.at.exponents[c]): digits for c, digits in self.digits.items()}

    @property
    def error_table(self) -> dict[Exponents, float]:
        """Exponent tuple -> standard error in x."""
        table = {}
        for place, (c, error) in enumerate(zip(self.judge.active, self.errors)):
            seen = as_float(Fraction(error) / self.unit(place)) if np.isfinite(error) else np.inf
            table[tuple(int(e) for e in self.at.exponents[c])] = seen
        return table
