r"""Right-hand sides one equation at a time: on the states of one model, with its other equations as they are.

The screening of factors (`screening`) changes all equations at once, one factor after the other.  What two equations need
together, or one equation two factors of, it may pass by: half of it is worth nothing.  Here each equation by itself is tried
in many forms, and what is best of each is put together afterwards.  With the defects linearised (`joint`), h what they leave,
and D the columns of one equation, a right-hand side f instead of the model's own :math:`\hat f` has the misfit

.. math:: | h + D (f - \hat f) |^2, \qquad f = \sum_k p_k m_k \quad\text{or}\quad
          f = \frac pq \approx f_0 + \frac{p - f_0 q}{q_0},

where the m are powers, or powers and one function or two with their products; and :math:`f_0 = p_0 / q_0` is the fraction so
far, at first :math:`\hat f` over a denominator of two terms that is zero nowhere on the states.  Numerator and denominator are
then linear together, and this is done again until the denominator stays (Sanathanan and Koerner, 1963, where f_0 is what was
measured).  Denominators that are found in one equation are tried in the others.  Of each form the best choice of terms is
taken, the best of few terms, and those one move away; all compete by their misfit and by what they cost to write down
(`code_length`), and the combinations that are foretold to be cheapest are estimated in full.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, product
from math import comb

import numpy as np
from scipy.special import gammaln

from ...ground.deadline import look
from ...ground.linalg import ROUNDING, least_squares_scaled, unit_diagonal
from ...polynomials.few_monomials import FewMonomials
from ...polynomials.monomials import count, monomials
from .code_length import GENERAL, length_of_numbers
from .fields import Field
from .functions import FunctionOf, with_functions
from .joint import half_solved_columns
from .screening import OFFSETS, OFFSETS_BEYOND, screened_part
from .search import Selection
from .subsets import best_subset, near_subsets
from .sums import field_of_parts

Exponents = tuple[int, ...]
LISTED = 12
"""Right-hand sides of one equation that are kept, the cheapest.  A convention."""
MOST_COMBINATIONS = 4000
"""Of right-hand sides of all equations that are compared: a bound on the work."""
NEAR = 8.0
"""Choices of terms one move from the best of a form are listed whose misfit and price are within this: odds of fifty to one."""
LEADING = 4
"""Functions that are tried in pairs with all others: those that do best alone."""
STARTED = 6
"""Denominators of two terms from which one goes on, the best."""
MOST_TURNS = 8
"""Of the iteration for a denominator; it mostly stays after four."""
LEAST_DENOMINATOR = 0.05
"""Share of its median that a denominator is taken to have at least on the way: it may cross zero before it settles."""
MOST_OF_ALL = 3
"""Terms of which all choices are tried, in each form."""
MOST_SETS = 5000
"""Such choices of one form, at most; each takes a microsecond."""
BEST_OF_ALL = 3
"""Of these the cheapest, from which one goes on."""
MOST_OF_FRACTION, BEST_OF_FRACTION = 6, 8
"""The same of fractions near one denominator, which are few."""
SHARED = 4
"""Denominators of each equation that are tried in all others."""
SAME = 1e-10
"""Share of a column that must be left beside another one for it to be something else, as sqrt(x) squared is not beside x."""
LARGEST_CHANGE = 2.0
"""Factor by which a denominator may change at a state, beside all of it, for what is linear in the change to be believed: where
states lie near a curve, some combination of terms is next to nothing on all of them."""
SETTLED = 1e-3
"""Relative change of a denominator at which it stays."""
RIDGE = 1e-13
"""Relative ridge of the choices, hardly above rounding: candidates may be nearly dependent."""


@dataclass(frozen=True, eq=False)
class Side:
    """A right-hand side: numerator and denominator over exponents of the letters, and what it costs beside the model's own."""

    above: dict[Exponents, float]
    below: dict[Exponents, float]
    cost: float

    @property
    def key(self) -> tuple[frozenset[Exponents], frozenset[Exponents]]:
        """Its terms."""
        return frozenset(self.above), frozenset(self.below)

    def functions(self, letters: int) -> frozenset[int]:
        """Numbers of the offered functions that it uses."""
        return frozenset(k for e in self.above for k, power in enumerate(e[letters:]) if power)


class _Columns:
    """A `Field` to those who compute defects: a model's right-hand sides, with derivatives by columns for one equation."""

    def __init__(self, model: Field, coefficients: np.ndarray, rows: Callable, equation: int, number: int):
        self.model, self.coefficients, self.rows = model, coefficients, rows
        self.equations = model.equations
        self.owner, self.size, self.equation = np.full(number, equation), number, equation

    def linearized(self, _: np.ndarray, points: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        f, slopes, _ = self.model.linearized(self.coefficients, points)
        return f, slopes, self.rows(points, f[self.equation])


class Sides:
    """The most likely right-hand sides of each equation.

    Parameters
    ----------
    found : Selection
        The model on whose states they are compared.
    degree : int
        Of numerators; denominators are of a degree less.
    direct, offered : sequences of FunctionOf
        Functions that are letters of all terms, and those that are tried one by one and in pairs.
    fractions : bool
        Whether denominators are tried.
    """

    def __init__(self, found: Selection, degree: int, direct: Sequence[FunctionOf], offered: Sequence[FunctionOf],
                 fractions: bool):
        self.found, self.degree, self.functions, self.fractions = found, degree, (*direct, *offered), fractions
        self.offered, self.letters = len(offered), found.field.arguments + len(direct)
        self.runs, self.states, self.cuts = screened_part(found)
        self.points = np.hstack([found.dynamics.arguments(x[: run.states], run.inputs)
                                 for run, x in zip(self.runs, self.states)])
        self.measurements = sum(int(np.isfinite(run.measured).sum()) for run in found.runs)
        zeros = (0,) * self.offered
        self.plain = [(*row, *zeros) for row in monomials(self.letters, degree).exponents.tolist()]
        self.lower = [e for e in self.plain if sum(e) < degree]

    def of(self, equations: Sequence[int]) -> list[list[Side]]:
        """Those of each equation, the cheapest first."""
        found: list[dict[object, Side]] = [{} for _ in equations]
        for j, kept in zip(equations, found):
            _keep(kept, self._with_functions(j))
            if self.fractions:
                _keep(kept, self._as_fractions(j))
        shared = {frozenset(side.below): side.below for kept in found for side in
                  sorted((one for one in kept.values() if len(one.below) > 1), key=lambda one: one.cost)[:SHARED]}
        for j, kept in zip(equations, found) if len(found) > 1 else ():
            for below in shared.values():
                _keep(kept, self._with_denominator(j, Side({}, below, np.inf)))
        return [sorted(kept.values(), key=lambda one: one.cost)[:LISTED] for kept in found]

    def combined(self, sides: Sequence[Side]) -> float:
        """What a right-hand side for each equation costs more than the model, all together."""
        used = [side.functions(self.letters) for side in sides]
        return (sum(side.cost - self._choice(len(some)) for side, some in zip(sides, used))
                + self._choice(len(frozenset[int]().union(*used))))

    def field(self, sides: Sequence[Side]) -> tuple[Field, np.ndarray]:
        """Right-hand sides as a `Field` with the functions that they use, and its coefficients."""
        direct = self.letters - self.found.field.arguments
        used = sorted(frozenset[int]().union(*(side.functions(self.letters) for side in sides)))
        kept = [*range(self.letters), *(self.letters + k for k in used)]
        parts = [tuple({tuple(e[k] for k in kept): c for e, c in part.items()} for part in (side.above, side.below))
                 for side in sides]
        return field_of_parts(parts, self.found.field.arguments,
                              (*self.functions[:direct], *(self.functions[direct + k] for k in used)))

    def _choice(self, used):
        """What it takes to say which of the functions that were offered are used."""
        return 2 * _log_choice(self.offered, used)

    def _columns(self, equation, rows, number):
        """Whose squares are misfits: what is left of the model, what its right-hand side makes of it, and others."""
        look(len(self.points[0]) * number**2)
        field = _Columns(self.found.field, self.found.estimate.coefficients, rows, equation, number + 1)
        with np.errstate(all="ignore"):
            return half_solved_columns(self.found.dynamics, field, self.runs, self.states, self.cuts)

    def _rows(self, exponents):
        terms = FewMonomials(np.array(exponents), np.zeros(len(exponents), dtype=int), 1)

        def rows(points):
            with np.errstate(all="ignore"):
                return terms.terms(terms.table(with_functions(points, self.functions)))

        return rows

    def _with_functions(self, j):
        """Polynomials, and polynomials with one function or two as factors."""
        unit = np.eye(self.letters + self.offered, dtype=int)[self.letters:]
        of = [[tuple((unit[k] + e).tolist()) for e in self.lower] for k in range(self.offered)]
        both = {pair: tuple((unit[pair[0]] + unit[pair[1]]).tolist())
                for pair in combinations_with_replacement(range(self.offered), 2)} if self.degree > 1 else {}
        everything = [*self.plain, *(e for part in of for e in part), *both.values()]
        above = self._rows(everything)
        half = self._columns(j, lambda points, f: np.vstack([f, above(points)]), len(everything))
        with np.errstate(all="ignore"):
            gram, target = half.T @ half, half[:, 0] - half[:, 1]
        places, usable = {e: k for k, e in enumerate(everything, start=2)}, _are_new(gram)

        def listed(*used):
            terms = [*self.plain, *(e for k in used for e in of[k]),
                     *(both[pair] for pair in combinations_with_replacement(sorted(used), 2) if both)]
            terms = [e for e in terms if usable[places[e]]]
            chosen = [places[e] for e in terms]
            form = gram[np.ix_(chosen, chosen)], (gram[1] - gram[0])[chosen], half[:, chosen], target
            return list(self._near(form, float(gram[0, 0]), terms, {}))

        yield from listed()
        alone = {k: listed(k) for k in range(self.offered)}
        ranked = sorted((k for k in alone if alone[k]), key=lambda k: min(side.cost for side in alone[k]))
        for k in ranked:
            yield from alone[k]
        for pair in sorted({tuple(sorted((k, other))) for k in ranked[:LEADING] for other in ranked if other != k}):
            yield from listed(*pair)

    def _as_fractions(self, j):
        """Fractions: denominators of two terms first, where they have no pole; from the best of these on any."""
        started = []
        for one, other in combinations(self.lower, 2):
            if grid := list(self._grid(one, other)):
                tried = [self._fractions(j, Side({}, divisor, np.inf), {one, other}, True) for divisor in grid]
                started += sorted((one for part in tried for one in part), key=lambda one: one.cost)[:1]
        seen = set()
        for here in sorted(started, key=lambda one: one.cost)[:STARTED]:
            for allowed in (set(here.below), set(self.lower)):
                settled = self._settled(j, here, allowed)
                if settled is not None and settled.key not in seen:
                    seen.add(settled.key)
                    yield from self._with_denominator(j, settled)
                    here = settled

    def _with_denominator(self, j, near):
        """Fractions with a denominator near one: with its terms, and with others."""
        before = self._denominator(near.below, self.points)
        for allowed in (set(near.below), set(self.lower)):
            for one in self._fractions(j, near, allowed, False):
                ratio = self._denominator(one.below, self.points) / before
                middle = np.median(ratio)
                if middle and (ratio / middle).min() > 1 / LARGEST_CHANGE and (ratio / middle).max() < LARGEST_CHANGE:
                    yield one

    def _grid(self, one, other):
        """Denominators of two terms that are zero nowhere on the states."""
        values, divisor = (self._rows([e])(self.points)[0] for e in (one, other))
        if np.ptp(np.sign(divisor)) or not divisor.all():
            return
        ratio = values / divisor
        low, high = ratio.min(), ratio.max()
        if not high > low:
            return
        beyond = () if low >= 0 else -high - OFFSETS_BEYOND[::2] * (high - low)
        for offset in (*(-low + OFFSETS[::2] * (high - low)), *beyond):              # numbers below are estimated from there
            yield {one: 1.0, other: float(offset)}

    def _settled(self, j, here, allowed):
        """The best fraction near one, near that, and so on; None where it has a pole, or is no fraction."""
        for _ in range(MOST_TURNS):
            best = self._fractions(j, here, allowed, True)
            if not best or len(best[0].below) < 2:
                return None
            before, here = here, best[0]
            if self._is_near(before.below, here.below):
                break
        return here if self._has_no_pole(here.below) else None

    def _fractions(self, j, before, allowed, only_best):
        """Fractions whose denominator has the allowed terms, near one before; the largest of its terms is 1."""
        sizes = {e: abs(c) * np.sqrt(np.mean(self._rows([e])(self.points) ** 2)) for e, c in before.below.items()}
        pivot = max(sizes, key=lambda e: sizes[e])
        before = Side({e: c / before.below[pivot] for e, c in before.above.items()},
                      {e: c / before.below[pivot] for e, c in before.below.items()}, before.cost)
        above, K = self._rows(self.plain), len(self.plain)
        half = self._columns(j, lambda points, f: self._of_fraction(above(points), f, before, points), 1 + K + len(self.lower))
        places = {e: k for k, e in enumerate(self.lower, start=3 + K)}
        others = [e for e in self.lower if e != pivot and e in allowed]
        chosen = [*range(3, 3 + K), *(places[e] for e in others)]
        columns, target = half[:, chosen], half[:, 0] - half[:, 1] + half[:, 2] + half[:, places[pivot]]
        start = np.array([e in before.above for e in self.plain] + [e in before.below for e in others])
        with np.errstate(all="ignore"):
            form = columns.T @ columns, -columns.T @ target, columns, target
        return list(self._near(form, float(half[:, 0] @ half[:, 0]), self.plain, {pivot: 1.0}, others, only_best, start))

    def _of_fraction(self, table, f, before, points):
        """Rows of f, of the fraction so far, and of all terms of numerator and denominator with what they change of it."""
        q = self._denominator(before.below, points)
        if not self._has_no_pole(before.below):
            here = self._denominator(before.below, self.points)
            sign = np.sign(np.median(here))
            q = sign * np.maximum(sign * q, LEAST_DENOMINATOR * np.median(np.abs(here)))
        fraction = self._denominator(before.above, points) / q if before.above else f
        table = table / q
        return np.vstack([f, fraction, table, -fraction * table[: len(self.lower)]])

    def _denominator(self, divisor, points):
        return np.array(list(divisor.values())) @ self._rows(list(divisor))(points)

    def _is_near(self, one, other):
        if set(one) != set(other):
            return False
        one, other = (self._denominator(part, self.points) for part in (one, other))
        return bool(np.abs(one - other).max() <= SETTLED * np.abs(other).max())

    def _has_no_pole(self, divisor):
        q = self._denominator(divisor, self.points)
        return bool(q.min() > 0 or q.max() < 0)

    def _near(self, form, own, above, pivot, below=(), only_best=False, start=None):
        """The best choice of terms of a form, and those one move away."""
        S, b, columns, target = form
        if not (np.isfinite(S).all() and np.isfinite(b).all() and len(b)):
            return
        price = GENERAL + np.log(self.measurements) + 2 * np.log(len(b))
        few = [] if only_best else _few_terms(S, b, price, *((MOST_OF_ALL, BEST_OF_ALL) if start is None else
                                                             (MOST_OF_FRACTION, BEST_OF_FRACTION)))
        best = best_subset(S, b, price, few if start is None else [start, *few], ridge=RIDGE)
        chosen = [best] if only_best else [best, *few, *(mask for mask, _ in near_subsets(S, b, price, best, NEAR))]
        for mask in chosen:
            kept = np.flatnonzero(mask)
            values = least_squares_scaled(S[np.ix_(kept, kept)], b[kept], ROUNDING) if len(kept) else np.zeros(0)
            named = {k: float(c) for k, c in zip(kept.tolist(), values) if c}
            top = {above[k]: c for k, c in named.items() if k < len(above)}
            bottom = pivot | {below[k - len(above)]: c for k, c in named.items() if k >= len(above)}
            if (pivot and len(bottom) < 2 and not sum(next(iter(pivot)))) or (bottom and top and _share_a_letter(top, bottom)):
                continue                                             # a polynomial, or no lowest terms
            side = Side(top, bottom or {self.plain[0]: 1.0}, 0.0)
            cost = float(np.sum((target + columns[:, kept] @ values) ** 2)) - own
            cost += self._length(side) + length_of_numbers(values, S[np.ix_(kept, kept)], self.measurements)
            if np.isfinite(cost):
                yield replace(side, cost=cost)

    def _length(self, side):
        """What it takes to say which terms there are, as in `code_length`."""
        used = len(side.functions(self.letters))
        degree = max((sum(e) for e in side.above), default=0)
        length = _log_choice(count(self.letters, degree) + used * count(self.letters, max(degree - 1, 0)), len(side.above))
        if len(side.below) > 1 or any(next(iter(side.below))):
            length += _log_choice(count(self.letters, max(sum(e) for e in side.below)), len(side.below))
        return 2 * length + self._choice(used)


def _are_new(gram):
    """Of columns with this Gram matrix, those that are finite, and not the same as an earlier one."""
    with np.errstate(all="ignore"):
        size = np.sqrt(np.diag(gram))
        alike = np.abs(gram / np.outer(size, size)) > 1 - SAME
    return np.isfinite(gram[0]) & (size > 0) & ~np.tril(alike, -1)[:, 2:].any(axis=1)


def _keep(kept, sides):
    for side in sides:
        if side.key not in kept or side.cost < kept[side.key].cost:
            kept[side.key] = side


def _few_terms(S, b, price, most, best):
    """The cheapest choices of a few terms, of all there are."""
    scaled, size = unit_diagonal(S)
    scaled, b, out = scaled + RIDGE * np.eye(len(b)), b / size, []
    for k in range(1, most + 1):
        if comb(len(b), k) <= MOST_SETS and k <= len(b):
            sets = _sets(len(b), k)
            look(len(sets) * k**3)
            right = b[sets]
            with np.errstate(all="ignore"):
                won = np.einsum("nk,nk->n", right, np.linalg.solve(scaled[sets[:, :, None], sets[:, None, :]],
                                                                   right[:, :, None])[:, :, 0])
            for place in np.argsort(-won)[:best]:
                mask = np.zeros(len(b), dtype=bool)
                mask[sets[place]] = True
                out.append((price * k - won[place], mask))
    return [mask for _, mask in sorted(out, key=lambda pair: pair[0])[:best]]


@lru_cache(maxsize=64)
def _sets(of, k):
    return np.array(list(combinations(range(of), k)))


def _share_a_letter(top, bottom):
    return bool(np.min([*top, *bottom], axis=0).any())


def _log_choice(of, k):
    few = min(k, max(of, k) // 2)
    return float(gammaln(max(of, k) + 1) - gammaln(few + 1) - gammaln(max(of, k) - few + 1))


def combinations_of(sides: Sides, equations: Sequence[Sequence[Side]]) -> Iterator[tuple[Side, ...]]:
    """Of one right-hand side for each equation, those that are foretold to be cheapest first."""
    each = max(int(MOST_COMBINATIONS ** (1 / len(equations))), 1)
    kept = [one[:each] for one in equations]
    if each == 1:                                  # of many equations two of those whose second costs least more
        open_ones = sorted((one[1].cost - one[0].cost, j) for j, one in enumerate(equations) if len(one) > 1)
        for _, j in open_ones[: int(np.log2(MOST_COMBINATIONS))]:
            kept[j] = equations[j][:2]
    yield from sorted(product(*kept), key=sides.combined)
