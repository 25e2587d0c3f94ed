r"""Models one move from those that were found, estimated in full: what the data tell apart, and what they do not.

A selection of terms goes by the quadratic form of all candidates at one model's states.  Where there is much noise, or little
data, the states of another model are others, and the form is wrong by more than its winner wins.  So whatever it says to be
near, a term more or less or one in the place of another, is estimated in full, with states of its own, and has a cost of its
own (`problem.Solution`).  From the models of different forms one goes downhill; around the best one all models within a window
of costs are gone out from (Madigan and Raftery's window of Occam, JASA 89, 1994), so that the models which the data do not
tell from the best are known when the search ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from ...ground.linalg import ROUNDING, least_squares_scaled
from ...polynomials.monomials import monomials
from .code_length import GENERAL
from .fields import Field
from .joint import gauss_newton_step
from .pivots import is_fraction, sturdy, usual, with_pivots
from .problem import Problem, Solution, solution_with
from .rejecting import is_rejected
from .relations import same_modulo
from .search import Selection
from .subsets import best_subset, near_subsets

UNDECIDED_COST = 2 * np.log(20.0)
"""A model is clear if all others cost more by this: odds of 1 to 20, the usual level of five per cent."""
MISJUDGED = 4.0
"""By how much the quadratic form is taken to err, in units of chi-square: neighbours are estimated whose cost, foretold so, is
within this of what makes them worth it."""
FAR = 100.0
"""Models that cost more than the best by this are not gone downhill from: a dozen terms would have to go, or come."""
MOST_NEIGHBOURS = 12
"""Neighbours of one model that are estimated, the nearest: two or three are usual where there is little noise."""
MOST_TRIED_DOWNHILL = 3
"""Neighbours that are tried before a model counts as the lowest of its form nearby."""
MOST_GONE_OUT_FROM = 8
"""Models around the best one whose neighbours are estimated: a bound on the work."""
FEW_TERMS = 6
"""Models with more terms than this in each equation, on average, are not gone out from: hardly laws, they have hundreds of
neighbours that describe the data as well.  A convention, as in remarks about models that need most candidates."""
SEEDS = 6
"""Models of different forms from which one goes downhill, the cheapest."""

Key = tuple[tuple[object, ...], ...]
"""The terms of a model: equation, whether in the denominator, exponents, and functions by name."""


def key_of(field: Field) -> Key:
    """The terms of a field: the same for fields that differ in numbers only."""
    pivots = [j for j in range(field.equations) if is_fraction(field, j)]
    exponents = field.exponents[[*field.monomial.tolist(), *(field.pivots[j] for j in pivots)]]
    owner, below = [*field.owner.tolist(), *pivots], [*field.in_denominator.tolist(), *[True] * len(pivots)]
    return tuple(sorted((j, under, *_named(field, row)) for j, under, row in zip(owner, below, exponents.tolist())))


def _named(field, row):
    """Exponents with functions by name."""
    functions = [(one.function.name, one.argument, e) for one, e in zip(field.functions, row[field.arguments:]) if e]
    return tuple(row[: field.arguments]), tuple(sorted(functions))


def is_part_of(one: Field, other: Field) -> bool:
    """Whether a field has some of another one's terms, as many denominators, and no others.

    Examples
    --------
    >>> none = (np.array([], dtype=int),)
    >>> is_part_of(Field(1, 2, (np.array([1]),), none, (0,)), Field(1, 2, (np.array([0, 1]),), none, (0,)))
    True
    """
    if [is_fraction(one, j) for j in range(one.equations)] != [is_fraction(other, j) for j in range(other.equations)]:
        return False
    return one.size < other.size and set(key_of(one)) < set(key_of(other))


def _form(field):
    """What neighbours share: functions, and which equations are fractions."""
    return tuple(sorted((one.function.name, one.argument) for one in field.functions)), tuple(
        is_fraction(field, j) for j in range(field.equations))


class Neighbourhood:
    """Solutions and their neighbours.

    Parameters
    ----------
    problem : Problem
    degree : int
        Of the terms that may be added.
    solutions : iterable of Solution
        Those to start with.
    """

    def __init__(self, problem: Problem, degree: int, solutions: Iterable[Solution]) -> None:
        self.problem, self.degree = problem, degree
        self.known: dict[Key, Solution | None] = {}
        for one in sorted(solutions, key=self._rank, reverse=True):
            self.known[key_of(one.selection.field)] = one
        self.left: set[Key] = set()

    def _rank(self, one):
        return is_rejected(self.problem, one), one.cost

    def found(self) -> list[Solution]:
        """All of them, the best first."""
        return sorted((one for one in self.known.values() if one is not None), key=self._rank)

    def explore(self) -> Iterator[Solution]:
        """Solutions that are new, as they come."""
        forms: dict[object, Solution] = {}
        for one in self.found():
            forms.setdefault(_form(one.selection.field), one)
        for seed in list(forms.values())[:SEEDS]:
            yield from self._downhill(seed)
        for _ in range(MOST_GONE_OUT_FROM):
            everything = self.found()
            limit = everything[0].cost + UNDECIDED_COST if everything else -np.inf
            todo = [one for one in everything if one.cost < limit and key_of(one.selection.field) not in self.left]
            if not todo:
                return
            here = todo[0]
            self.left.add(key_of(here.selection.field))
            for field, coefficients, change in neighbours(self.problem, here, self.degree):
                if here.cost + change < limit + MISJUDGED and key_of(field) not in self.known:
                    yield from self._estimated(field, coefficients, here)

    def _downhill(self, here):
        """From one solution to cheaper and cheaper neighbours."""
        while here.cost < self.found()[0].cost + FAR:
            better = None
            for field, coefficients, change in neighbours(self.problem, here, self.degree)[:MOST_TRIED_DOWNHILL]:
                if change < MISJUDGED and key_of(field) not in self.known:
                    for one in self._estimated(field, coefficients, here):
                        yield one
                        better = one if self._rank(one) < self._rank(here) else None
                if better is not None:
                    break
            if better is None:
                return
            here = better

    def _estimated(self, field, coefficients, start):
        """The solution with these terms, if there is one."""
        self.known[key_of(field)] = solution = solution_with(self.problem, field, coefficients, start)
        if solution is not None:
            yield solution


def neighbours(problem: Problem, solution: Solution, degree: int) -> list[tuple[Field, np.ndarray, float]]:
    """Fields a term more, or less, or with one in the place of another, first guesses, and the change of cost to expect.

    The most promising first; none where data have no noise: rounding would tell them apart, nor by `depends_on_cuts`.
    """
    found, relations = solution.selection, problem.runs[0].relations
    if depends_on_cuts(found):
        return []
    field, theta = found.field, found.estimate.coefficients
    if field.ties is None:
        field, theta, _ = with_pivots(field, theta, sturdy(field, theta, found.points))
    wider = widened(problem, field, degree)
    if found.field.size > FEW_TERMS * wider.equations:
        return []
    silent = (found.runs[0].common_variance <= problem.floor).any()
    if silent or not problem.is_small(-(-wider.size // wider.equations)):
        return []
    places = {term: k for k, term in enumerate(_terms(wider))}
    here = np.array([places[term] for term in _terms(field)], dtype=int)
    mask, coefficients = np.zeros(wider.size, dtype=bool), np.zeros(wider.size)
    mask[here], coefficients[here] = True, theta
    try:
        with np.errstate(all="ignore"):
            _, _, information, pull = gauss_newton_step(found.dynamics, wider, coefficients, found.runs, found.estimate.states,
                                                        found.estimate.cuts)
    except (np.linalg.LinAlgError, ValueError):
        return []
    if not np.isfinite(information).all() or not np.isfinite(pull).all():
        return []
    right, ties, out = information @ coefficients + pull, wider.ties, []
    S, b, chosen = (information, right, mask) if ties is None else (*ties.reduced(information, right), ties.kept_numbers(mask))
    if not len(b):
        return []
    each = GENERAL + np.log(sum(int(np.isfinite(run.measured).sum()) for run in found.runs))
    near = near_subsets(S, b, each, chosen, UNDECIDED_COST + MISJUDGED)[:MOST_NEIGHBOURS]
    price = each + 2 * np.log(len(b) / wider.equations)
    best = best_subset(S, b, price, [chosen])
    if np.sum(best ^ chosen) > 2:
        near.insert(0, (best, -MISJUDGED))
    for other, change in near:
        values = np.zeros(len(b))
        values[other] = least_squares_scaled(S[np.ix_(other, other)], b[other], ROUNDING)
        if ties is not None:
            if (ties.wrong_signs(values) & other).any():
                continue
            values, other = ties.coefficients(values), ties.kept_coefficients(other)
        if not has_common_factor(one := wider.restricted(other)) and not same_modulo(relations, found.field, one):
            values = values[other]
            if one.ties is None:
                one, values, _ = with_pivots(one, values, usual(one))
            out.append((one, values, change))
    return out


def depends_on_cuts(found: Selection) -> bool:
    """Whether steps were given up, and which they are makes more of a difference than which terms there are.

    So it is with maps, and with a state that was never measured: behind each such step it is free.
    """
    seen = np.any([np.isfinite(run.measured).any(axis=1) for run in found.runs], axis=0)
    return any(cut.any() for cut in found.estimate.cuts) and not (found.dynamics.is_smooth and seen.all())


def _terms(field):
    """Of each coefficient the equation, whether it is in the denominator, and the monomial."""
    return zip(field.owner.tolist(), field.in_denominator.tolist(), field.monomial.tolist())


def has_common_factor(field: Field) -> bool:
    """Whether some fraction has a variable in all terms of its numerator and of its denominator.

    Examples
    --------
    >>> has_common_factor(Field(1, 2, (np.array([1, 2]),), (np.array([], dtype=int),), (1,)))           # (x + x^2) / x
    True
    """
    for j in range(field.equations):
        terms = field.exponents[np.r_[field.numerators[j], field.denominators[j], field.pivots[j]].astype(int)]
        if is_fraction(field, j) and terms.min(axis=0).any():
            return True
    return False


def widened(problem: Problem, field: Field, degree: int) -> Field:
    """The field with all candidate terms of this degree beside its own.

    Of functions that were offered one is a factor of a term, at most; denominators, of a degree less, have letters only.
    """
    degree = max(degree, field.degree)
    exponents = monomials(field.factors, degree).exponents
    offered = exponents[:, field.arguments + len(problem.functions):].sum(axis=1)
    above = np.flatnonzero(offered <= 1)
    below = np.flatnonzero((offered == 0) & (exponents.sum(axis=1) < degree))
    fraction = [is_fraction(field, j) for j in range(field.equations)]
    wider = replace(field, degree=degree, ties=None,
                    numerators=tuple(np.union1d(above, part).astype(int) for part in field.numerators),
                    denominators=tuple(np.setdiff1d(np.union1d(below, part), pivot).astype(int) if is_fraction else part
                                       for is_fraction, part, pivot in zip(fraction, field.denominators, field.pivots)))
    return problem.informed(wider, np.zeros(wider.size))[0]
