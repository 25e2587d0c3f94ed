"""Which form right-hand sides have: polynomials, with functions in them, or fractions.

Polynomials come first.  Where they are rejected, or need the highest degree allowed (they may be the beginning of a
series), hypotheses with functions and denominators are screened on the states of the best model so far (`screening`), the
cheapest are estimated in full, and what is best then is screened again, on its own states, until nothing cheaper comes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

import numpy as np

from ...polynomials.monomials import count
from .fields import Field
from .knowledge import violates_signs
from .many_terms import solution_of_many
from .neighbourhood import FEW_TERMS, UNDECIDED_COST, Key, Neighbourhood, depends_on_cuts, is_part_of, key_of
from .problem import Problem, Solution, solution_of, solution_with, unmodelled
from .rejecting import is_rejected
from .screening import MOST_FACTORS, Factor, Hypothesis, Screen, denominators, hypotheses
from .shorter import shorter
from .sides import Sides, combinations_of
from .sums import field_of_hypothesis

BARE_MENTION = 2.0
"""What a term more has to save at least to be part of the answer, beyond its price: less is not worth more than a bare mention
(Kass and Raftery, JASA 90, 1995); the model with it is among the alternatives."""
HOPELESS_RATIO = 10.0
"""With many data first guesses are reliable: degrees whose value is so many times that of the highest are not tried
alone."""
COMBINED = 8
"""Combinations of right-hand sides that are estimated in full, the cheapest."""
MOST_LOOKED_AT = 40
"""Of these, how many are looked at for some that are new."""
SCREENINGS = 4
"""Rounds of screening, each on the states of the best model of the one before; they end when none is better."""
ESTIMATED = 3
"""Hypotheses of a round that are estimated in full, the cheapest."""
FAMILIES = 6
"""Hypotheses with one factor that are estimated in full first, the cheapest; each with a factor of another kind."""
HIGHEST_SCREENED_TERMS = 400
"""Candidate terms of a hypothesis, of all equations together, with which screening takes seconds; with more there is
none."""


def _of_each_family(ranked):
    """The first hypothesis of each kind of factor, of those with one."""
    first = {}
    for one in ranked:
        if len(one.factors) == 1:
            first.setdefault(getattr(one.factors[0], "family", one.factors[0]), one)
    return list(first.values())


def begins_series(field: Field, equation: int) -> bool:
    """Whether a right-hand side has terms m, m z and m z**2 of some variable z, as the series of a fraction has.

    Examples
    --------
    >>> from symknot.sysid.motion.fields import Field
    >>> def series(*terms):
    ...     return begins_series(Field(2, 3, (np.array(terms),), (np.array([], int),), (0,)), 0)
    >>> series(2, 4, 7), series(1, 6)                                      # y + x y + x^2 y, and x + x^3
    (True, False)
    """
    exponents = {tuple(row) for row in field.exponents[field.monomial[field.owner == equation]].tolist()}
    units = np.eye(field.factors, dtype=int)
    return any({tuple((np.array(e) + unit).tolist()), tuple((np.array(e) + 2 * unit).tolist())} <= exponents
               for e in exponents for unit in units)


def uses_degree(solution: Solution, target: int, degree: int) -> bool:
    """Whether the polynomial of a target has a term of this degree."""
    field = solution.selection.field
    totals = field.exponents.sum(axis=1)
    return bool((totals[field.monomial[field.owner == target]] >= degree).any())


@dataclass(eq=False)
class Search:
    """Solutions of a problem in all forms that were tried.

    Attributes
    ----------
    problem : Problem
    form : str
    max_degree : int
    solutions : list of Solution
    """

    problem: Problem
    form: str
    max_degree: int

    def __post_init__(self) -> None:
        self.solutions: list[Solution] = []
        self.targets = range(len(self.problem.samples.targets))

    @property
    def best(self) -> Solution | None:
        """The one that is not rejected, and among these the one of least cost; None where nothing converged."""
        return min(self.solutions, default=None, key=lambda one: (is_rejected(self.problem, one), one.cost))

    @property
    def answer(self) -> Solution | None:
        """The best one, or the cheapest with a part of its terms that costs hardly more."""
        best = self.best
        if best is None or self.fails:
            return best
        parts = [one for one in self.solutions if one.cost < best.cost + BARE_MENTION
                 and is_part_of(one.selection.field, best.selection.field) and not is_rejected(self.problem, one)]
        return min(parts, default=best, key=lambda one: (one.selection.field.size, one.cost))

    @property
    def size(self) -> int:
        """Terms of the answer; 0 where there is none."""
        return 0 if self.answer is None else self.answer.selection.field.size

    @property
    def cost(self) -> float:
        """Of the best one; infinite where there is none."""
        return np.inf if self.best is None else self.best.cost

    @property
    def fails(self) -> bool:
        """Whether there is no solution that describes the data."""
        best = self.best
        return best is None or is_rejected(self.problem, best)

    def run(self) -> Search:
        """Try what there is to try."""
        if self.form != "rational" or self.closed.issuperset(self.targets):
            self.polynomials()
        before: Solution | None = None
        fractions = False
        if (self.form != "polynomial" or self.problem.offered) and not self.closed.issuperset(self.targets):
            if self.max_degree > 1 and self.suspicious():
                self.screened()
                fractions = self.form != "polynomial"
                self.combined(fractions)
                before = self.best
                if self.form != "polynomial" and self.fails and not self.problem.has_many_terms(self.max_degree):
                    self.fractions()
        self.add(Neighbourhood(self.problem, self.max_degree, self.solutions).explore())
        if (before is not self.best) if before is not None else self.has_rivals:
            # what is near one model by one move is known; others are as good by several at once
            self.combined(fractions)
            self.add(Neighbourhood(self.problem, self.max_degree, self.solutions).explore())
        best = self.best
        if best is not None and not self.fails and (fewer := shorter(self.problem, best, self.max_degree)) is not None:
            self.add([solution_with(self.problem, *fewer, best)])
        return self

    @property
    def closed(self) -> frozenset[int]:
        """Targets whose terms are known in ways that fractions do not keep."""
        known = self.problem.knowledge
        return frozenset() if known is None else known.closed | frozenset(known.known)

    def add(self, others: Iterable[Solution | None]) -> None:
        """Take in what converged, one by one: what is finished is there when time is up.  Signs must be those known."""
        for other in others:
            if other is not None and not violates_signs(other.selection.field, other.selection.estimate.coefficients):
                self.solutions.append(other)

    def doubtful(self) -> list[int]:
        """Targets whose polynomial is rejected or needs the highest degree allowed."""
        best = self.best
        if best is None or is_rejected(self.problem, best):
            return list(self.targets)
        return [j for j in self.targets if j not in self.closed and uses_degree(best, j, self.max_degree)]

    def suspicious(self) -> bool:
        """Whether something else than the polynomial may be the law: it is doubtful, and has many terms or begins a series.

        Functions that were offered are tried on all that is doubtful.
        """
        doubtful, best = self.doubtful(), self.best
        if best is None or self.problem.offered or self.fails:
            return bool(doubtful)
        field = best.selection.field
        return any(np.sum(field.owner == j) >= FEW_TERMS or begins_series(field, j) for j in doubtful)

    def polynomials(self) -> None:
        """Polynomials of the highest degree; where they are doubtful also of lower ones."""
        problem, top = self.problem, self.max_degree
        if problem.has_many_terms(top):
            self.add([solution_of_many(problem, top)])
            return
        guesses = [problem.guess(j, top) for j in self.targets]
        self.add([solution_of(problem, guesses)])
        if self.doubtful():
            # what is sought may have been hidden among too many terms
            lower = [degree for degree in range(1, top) if problem.is_small(len(guesses[0].numerator)) or
                     all(guess.values[degree - 1] <= HOPELESS_RATIO * guess.values[-1] for guess in guesses)]
            self.add(solution_of(problem, [problem.guess(j, degree) for j in self.targets]) for degree in lower)

    def screened(self) -> None:
        """Functions and denominators, on the states of what was found so far."""
        problem = self.problem
        letters = problem.arguments + len(problem.functions)
        if len(self.targets) * (count(letters, self.max_degree) + count(letters, self.max_degree - 1)) > HIGHEST_SCREENED_TERMS:
            return
        exponents = denominators(letters, self.max_degree - 1) if self.form != "polynomial" else []
        tried: set[frozenset] = set()
        of: dict[Solution, tuple[Factor, ...]] = {}
        # the first guesses at the states owe nothing to a wrong model, but they are smoothed: what has many terms fits that
        for rounds, (start, levels) in enumerate([(unmodelled(problem), 1), *[(None, MOST_FACTORS)] * SCREENINGS]):
            if (start := start or self.best) is None:
                break
            screen = Screen(start.selection, self.max_degree, problem.functions, len(exponents) + len(problem.offered),
                            problem.knowledge)
            # on the states of a model with factors only their terms are to be chosen anew, unless it is still rejected
            factors = of.get(start, ()) if rounds > 1 else ()
            more = levels - len(factors) if not factors or self.fails else 0
            ranked = [one for one in hypotheses(screen, exponents, problem.offered, factors, more)
                      if one.factors and one.key not in tried]
            ranked = _of_each_family(ranked)[:FAMILIES] if levels == 1 else ranked[:ESTIMATED]
            for one in ranked:
                tried.add(one.key)
                if (solution := self._estimated(screen, one, start)) is not None:
                    of[solution] = one.factors
                self.add([solution])
            if levels > 1 and self.best is start:
                break

    @property
    def has_rivals(self) -> bool:
        """Whether models that describe the data cost hardly more than the best."""
        limit = self.cost + UNDECIDED_COST
        return not self.fails and sum(one.cost < limit and not is_rejected(self.problem, one) for one in self.solutions) > 1

    def combined(self, fractions: bool) -> None:
        """Right-hand sides that are found equation by equation, put together."""
        problem, letters = self.problem, self.problem.arguments + len(self.problem.functions)
        tried: set[Key] = set()
        if problem.knowledge is not None or len(self.targets) * count(letters, self.max_degree) > HIGHEST_SCREENED_TERMS:
            return
        for _ in range(SCREENINGS):
            best = self.best
            start = unmodelled(problem) if best is None or self.fails else best
            if depends_on_cuts(start.selection):
                return
            sides = Sides(start.selection, self.max_degree, problem.functions, problem.offered,
                          fractions and start is best)
            each = sides.of(self.targets)
            tried |= {key_of(one.selection.field) for one in self.solutions}
            fields = (sides.field(one) for one in islice(combinations_of(sides, each), MOST_LOOKED_AT))
            for field, coefficients in islice((one for one in fields if key_of(one[0]) not in tried), COMBINED):
                tried.add(key_of(field))
                self.add([solution_with(problem, field, coefficients, start)])
            if self.best is best:
                break

    def learn(self, free: Search) -> None:
        """Try the forms that were found without what is known, with what is known."""
        problem = self.problem
        for other in sorted(free.solutions, key=lambda one: one.cost)[:ESTIMATED]:
            found = other.selection
            if any(len(found.field.denominators[j]) for j in self.closed):
                continue
            field, coefficients = problem.informed(found.field, found.estimate.coefficients)
            self.add([solution_with(problem, field, coefficients, other)])

    def _estimated(self, screen: Screen, one: Hypothesis, start: Solution) -> Solution | None:
        field, coefficients = self.problem.informed(*field_of_hypothesis(one, screen))
        return solution_with(self.problem, field, coefficients, start)

    def fractions(self) -> None:
        """Fractions of dense polynomials for all targets, from their own first guesses."""
        self.add(solution_of(self.problem, [self.problem.guess(j, degree, rational=j not in self.closed) for j in self.targets])
                 for degree in range(2, self.max_degree + 1))
