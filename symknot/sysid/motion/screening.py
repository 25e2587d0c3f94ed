r"""Which factors beyond powers: functions and denominators, screened on the states of a model that is already there.

A right-hand side with functions and denominators is written as a sum,

.. math:: f_j(z) = \sum_k p_{jk}\, m_k(z) + \sum_{\varphi} \varphi(z) \sum_k q_{j \varphi k}\, m_k(z), \qquad
          \varphi(z) = \frac{1}{c + m(z)} \quad\text{or}\quad \varphi(z) = \sin z_i, \dots,

in which all numbers but the offsets c are coefficients of known columns; the equations share their factors
:math:`\varphi`.  A polynomial that describes the data, however many terms it takes and even if it is not quite good
enough, gives states near the true ones.  There the joint estimate (`joint`) is linearised once, with M of that model,
and whatever columns are put in the place of its right-hand sides have the misfit

.. math:: \min_\theta \; (b + D \theta)^T M^{-1} (b + D \theta), \qquad b = r + E (y - x) - D_f ,

:math:`D_f` being the column of the model's own right-hand sides.  Factors are added one at a time, with offsets from a
grid outside of what the states visit (there is no pole then) which Gauss and Newton refine together with the
coefficients; `subsets` picks the terms.  What is cheap here is then estimated in full.

The *letters* of monomials are the arguments of the right-hand sides, and functions of them that are no hypothesis.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...ground.linalg import least_squares
from ...polynomials.evaluation import monomial_rows
from ...polynomials.monomials import count, monomials
from .fields import Field
from .functions import FunctionOf, with_functions
from .joint import half_solved_columns
from .knowledge import Knowledge
from .measurements import Measurements
from .search import Selection
from .subsets import best_subset, term_penalty
from .ties import Ties

OFFSETS = np.geomspace(0.02, 10.0, 7)
"""Distances of a pole from the states that are tried first, in units of the range of the denominator's monomial.  Nearer
ones make columns that differ at few samples only, farther ones hardly differ from a polynomial; neighbours are a factor
of three apart, within reach of the refinement."""
OFFSETS_BEYOND = OFFSETS[1::2]
"""The same for poles at larger values than those visited, which are rare."""
REFINED = 6
"""Factors whose offsets are refined at each level, the best of the grid; each with another monomial."""
REFINEMENTS = 8
"""Steps of Gauss and Newton on the offsets, with the terms picked anew before each; they end when nothing moves."""
LARGEST_OFFSET_STEP = 2.0
"""Factor by which one step may change the distance of a pole from the states: the grid's spacing."""
SETTLED_OFFSET = 1e-3
"""Relative change of that distance at which refinement ends: the full estimate goes on from there."""
RIDGE = 1e-14
"""Relative ridge of the selection, hardly above rounding: the misfit without any term is up to 1e11 times that with the
right ones here, and terms that depend on each other are kept apart by where the selection starts."""
MOST_FACTORS = 3
"""Factors of one hypothesis: so many different functions or denominators in all equations together.  A convention."""
SCREENED_NUMBERS = 20_000
"""Measured numbers that are screened at most, the first part of each run: what they leave open is decided afterwards by
all of them."""


@dataclass(frozen=True)
class Reciprocal:
    """The factor 1 / (offset + monomial); `exponents` are those of the monomial in the letters."""

    exponents: tuple[int, ...]
    offset: float

    def value(self, letters: np.ndarray) -> np.ndarray:
        """At points given by their letters, (l, n)."""
        return 1 / (self.offset + self.monomial(letters))

    def monomial(self, letters: np.ndarray) -> np.ndarray:
        """The monomial alone."""
        return np.prod(letters ** np.array(self.exponents)[:, None], axis=0)

    @property
    def family(self) -> object:
        """What is the same for all offsets."""
        return self.exponents


Factor = Reciprocal | FunctionOf


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """Right-hand sides as a sum.

    Attributes
    ----------
    factors : tuple of Factor
    terms : tuple of (int, int, int, float)
        Equation, factor (-1 for none), monomial of the letters, coefficient.
    cost : float
        Misfit on the screened states plus penalty.
    """

    factors: tuple[Factor, ...]
    terms: tuple[tuple[int, int, int, float], ...]
    cost: float

    @property
    def size(self) -> int:
        """Numbers that were fitted: coefficients and offsets."""
        return len(self.terms) + sum(isinstance(one, Reciprocal) for one in self.factors)

    @property
    def key(self) -> frozenset:
        """The same for hypotheses that differ in numbers only."""
        names = [one.family if isinstance(one, Reciprocal) else (one.function.name, one.argument) for one in self.factors]
        return frozenset((j, names[f] if f >= 0 else None, k) for j, f, k, _ in self.terms)


class _Columns:
    """A `Field` to those who compute defects: a model's right-hand sides, with derivatives by what may replace them."""

    def __init__(self, model: Field, coefficients: np.ndarray, rows: Callable[[np.ndarray], np.ndarray], number: int):
        self.model, self.coefficients, self.rows = model, coefficients, rows
        self.equations = model.equations
        self.owner = np.r_[np.repeat(np.arange(self.equations), number), np.arange(self.equations)]
        self.size = len(self.owner)

    def linearized(self, _: np.ndarray, points: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        f, slopes, _ = self.model.linearized(self.coefficients, points)
        return f, slopes, np.vstack([np.tile(self.rows(points), (self.equations, 1)), f])


class Screen:
    """Hypotheses about right-hand sides, compared on the states of one model.

    Parameters
    ----------
    found : Selection
        The model.
    degree : int
        Of the monomials; a factor counts as one degree.
    direct : sequence of FunctionOf
        Functions that count as letters.
    families : int
        Kinds of factors that are tried, for the penalty.
    knowledge : Knowledge, optional
        What is known of the terms.
    """

    def __init__(self, found: Selection, degree: int, direct: Sequence[FunctionOf], families: int,
                 knowledge: Knowledge | None = None):
        self.found, self.degree, self.direct, self.knowledge = found, degree, tuple(direct), knowledge
        self.runs, self.states, self.cuts = screened_part(found)
        self.letters = np.concatenate([with_functions(found.dynamics.arguments(x[: run.states], run.inputs), self.direct)
                                       for run, x in zip(self.runs, self.states)], axis=1)
        self.above, self.beside = (count(len(self.letters), t) for t in (degree, degree - 1))
        measurements = sum(int(np.isfinite(run.measured).sum()) for run in found.runs)
        self.penalty = term_penalty(measurements, self.above + families * self.beside)
        self.right = self._solved(lambda letters: letters[:0], 0)[1]
        self.plain = self._solved(lambda letters: monomial_rows(letters, degree), self.above)[0]

    def _solved(self, rows, number):
        """Columns (n, equations, number) for the rows of terms at some letters, and the right-hand side."""
        field = _Columns(self.found.field, self.found.estimate.coefficients,
                         lambda points: rows(with_functions(points, self.direct)), number)
        with np.errstate(all="ignore"):
            half = half_solved_columns(self.found.dynamics, field, self.runs, self.states, self.cuts)
        m = field.equations
        replaced = [j - m for j in range(m) if self.knowledge is None or j not in self.knowledge.known]
        return half[:, 1:-m].reshape(len(half), m, number), half[:, 0] - half[:, replaced].sum(axis=1)

    def blocks(self, factors: Sequence[Factor]) -> list[np.ndarray]:
        """For each factor the columns of its products with monomials."""
        def rows(letters):
            plain = monomial_rows(letters, self.degree - 1)
            return np.vstack([plain * factor.value(letters) for factor in factors])

        solved = self._solved(rows, self.beside * len(factors))[0]
        return [solved[:, :, i * self.beside: (i + 1) * self.beside] for i in range(len(factors))]

    def judged(self, factors: Sequence[Factor], blocks: Sequence[np.ndarray],
               before: Hypothesis | None = None) -> Hypothesis:
        """The best terms with these factors, whose columns are `blocks`.

        With the hypothesis `before`, which has the same factors, their offsets are chosen along with the terms, as far as
        derivatives by them tell; the factors of the result have these offsets.
        """
        columns = np.concatenate([self.plain, *blocks], axis=2)
        n, m, K = columns.shape
        movable = [] if before is None else [i for i, one in enumerate(factors) if isinstance(one, Reciprocal)]
        slopes = [self._offset_slope(before, i) for i in movable]
        flat = np.column_stack([columns.reshape(n, m * K), *slopes])
        free = np.ones(len(slopes), dtype=bool)
        starts = [np.r_[np.tile(mask, m), free] for mask in self._independent(factors)]
        if starts:                                                     # and from nothing, term by term
            starts.append(np.r_[np.zeros(m * K, dtype=bool), free])
        penalty = np.r_[np.full(m * K, self.penalty), np.zeros(len(slopes))]
        if self.knowledge is None:
            kept = self._chosen(flat, self.right, penalty, starts, m, K)
            theta = least_squares(flat[:, kept], -self.right) if len(kept) else np.zeros(0)
            chosen = list(zip(kept.tolist(), theta.tolist()))
            off = self.right + flat[:, kept] @ theta
        else:
            values = self._informed(flat, penalty, starts, m, K)
            chosen = [(int(place), float(values[place])) for place in np.flatnonzero(values)]
            off = self.right + flat @ values
        terms, factors = [], list(factors)
        for place, value in chosen:
            j, k = divmod(place, K)
            if j >= m:                                                      # the change of an offset
                i = movable[place - m * K]
                factors[i] = self._shifted(factors[i], value)
                continue
            f, k = divmod(k - self.above, self.beside) if k >= self.above else (-1, k)
            terms.append((j, f, k, value))
        used = sorted({f for _, f, _, _ in terms if f >= 0})
        new = {f: i for i, f in enumerate((-1, *used), start=-1)}
        found = Hypothesis(tuple(factors[f] for f in used), tuple((j, new[f], k, value) for j, f, k, value in terms), 0.0)
        return replace(found, cost=float(off @ off) + self.penalty * found.size)

    def _informed(self, flat, penalty, starts, m, K):
        """Coefficients of all columns: the best that agree with what is known."""
        ties = self._ties(m, K, flat.shape[1] - m * K)
        right = self.right + flat @ ties.offset
        kept = self._chosen(flat @ ties.matrix, right, ties.of_numbers(penalty), [ties.kept_numbers(mask) for mask in starts],
                            m, K, ties.matrix)
        numbers = np.zeros(ties.free)
        if len(kept):
            numbers[kept] = least_squares((flat @ ties.matrix)[:, kept], -right)
        return ties.coefficients(numbers)

    def _ties(self, m, K, slopes):
        """What is known of all columns: those of equations that are no fractions have no part of other factors."""
        everything = Field.polynomial(self.found.field.arguments + len(self.direct), self.degree, m)
        everything, _ = self.knowledge.applied(everything, np.zeros(everything.size))
        known, place = everything.ties, everything.owner * K + everything.monomial
        place, rows = place[(inside := everything.monomial < self.above)], np.flatnonzero(inside)
        group, weight, offset = np.full(m * K + slopes, -1), np.zeros(m * K + slopes), np.zeros(m * K + slopes)
        group[place], weight[place], offset[place] = known.group[rows], known.weight[rows], known.offset[rows]
        closed = self.knowledge.closed | set(self.knowledge.known)
        others = [j * K + k for j in range(m) if j not in closed for k in range(self.above, K)]
        others += range(m * K, m * K + slopes)
        group[others], weight[others] = known.free + np.arange(len(others)), 1.0
        return Ties(group, weight, offset, np.zeros(len(group), dtype=int))

    def _chosen(self, flat, right, penalty, starts, m, K, spread=None):
        """Places of the best terms: of those with all factors if there are such, since offsets are still to be refined."""
        gram, pull = flat.T @ flat, -flat.T @ right
        if not starts:
            return np.flatnonzero(best_subset(gram, pull, penalty, ridge=RIDGE))
        best, least = np.zeros(0, dtype=int), (True, np.inf)
        for start in starts:
            mask = best_subset(gram, pull, penalty, [start], True, RIDGE)
            kept = np.flatnonzero(mask)
            theta = least_squares(flat[:, kept], -right) if len(kept) else np.zeros(0)
            off = right + flat[:, kept] @ theta
            if spread is not None:
                mask = spread @ mask != 0
            beside = mask[: m * K].reshape(m, K)[:, self.above:].any(axis=0).reshape(-1, self.beside).any(axis=1)
            rank = not beside.all(), float(off @ off) + penalty[kept].sum()
            if rank < least:
                best, least = kept, rank
        return best

    def _independent(self, factors):
        """Masks of terms that do not depend on each other as m, m / (c + d) and m d / (c + d) do: without the last ones,
        and without the first ones."""
        if not factors:
            return
        exponents = monomials(len(self.letters), self.degree).exponents
        divisors = [np.array(one.exponents) if isinstance(one, Reciprocal) else None for one in factors]
        lower = exponents[: self.beside]
        beside = [np.ones(self.beside, dtype=bool) if d is None else ~(lower >= d).all(axis=1) for d in divisors]
        yield np.concatenate([np.ones(self.above, dtype=bool), *beside])
        doubled = {tuple(e) for d, part in zip(divisors, beside) if d is not None for e in (lower[~part] - d).tolist()}
        plain = np.array([tuple(e) not in doubled for e in exponents.tolist()])
        yield np.concatenate([plain, *(np.ones(self.beside, dtype=bool) for _ in factors)])

    def refined(self, factors: Sequence[Factor]) -> Hypothesis:
        """The best hypothesis with factors of these families."""
        here = self.judged(factors, self.blocks(factors) if factors else ())
        best = here
        for _ in range(REFINEMENTS):
            if not any(isinstance(one, Reciprocal) for one in here.factors):
                break
            moved = self.judged(here.factors, self.blocks(here.factors), here)
            if moved.cost < best.cost or moved.key == best.key:
                best = moved
            quiet = moved.key == here.key and all(
                abs(new.offset - old.offset) <= SETTLED_OFFSET * abs(old.offset)
                for new, old in zip(moved.factors, here.factors)
                if isinstance(old, Reciprocal) and isinstance(new, Reciprocal))
            here = moved
            if quiet:
                break
        return best

    def _offset_slope(self, here, i):
        """Derivative of the columns' sum by the offset of factor i."""
        m = self.found.field.equations
        weights = np.zeros((m, self.beside))
        for j, f, k, value in here.terms:
            if f == i:
                weights[j, k] = value

        def rows(letters):
            return -(weights @ monomial_rows(letters, self.degree - 1)) * here.factors[i].value(letters) ** 2

        return np.einsum("njj->n", self._solved(rows, m)[0])

    def _shifted(self, factor, change):
        """A reciprocal with its pole moved, on the same side of the states and not too far at once."""
        values = factor.monomial(self.letters)
        edge = -values.min() if factor.offset + values.min() > 0 else -values.max()
        distance = factor.offset - edge
        ratio = np.clip((distance + change) / distance, 1 / LARGEST_OFFSET_STEP, LARGEST_OFFSET_STEP)
        return replace(factor, offset=float(edge + ratio * distance))

    def grid(self, exponents: Sequence[int]) -> list[Reciprocal]:
        """Reciprocals of offset + monomial without a pole amid the states."""
        values = Reciprocal(tuple(exponents), 0.0).monomial(self.letters)
        low, high = values.min(), values.max()
        if not high > low:
            return []
        below = [] if low >= 0 and not any(e % 2 for e in exponents) else list(-high - OFFSETS_BEYOND * (high - low))
        return [Reciprocal(tuple(exponents), float(offset)) for offset in [*(-low + OFFSETS * (high - low)), *below]
                if offset]


def screened_part(found: Selection) -> tuple[tuple[Measurements, ...], tuple[np.ndarray, ...], tuple[np.ndarray, ...]]:
    """Runs, states and cuts of the model, of large data the first part of each run."""
    runs, states, cuts = found.runs, found.estimate.states, found.estimate.cuts
    share = SCREENED_NUMBERS / max(sum(run.measured.size for run in runs), 1)
    if share >= 1:
        return runs, states, cuts
    reach = found.dynamics.reach
    lengths = [max(int(share * x.shape[1]), reach + 2) for x in states]
    return (tuple(run.shortened(n) for run, n in zip(runs, lengths)), tuple(x[:, :n] for x, n in zip(states, lengths)),
            tuple(cut[: n - reach] for cut, n in zip(cuts, lengths)))


def denominators(letters: int, degree: int) -> list[tuple[int, ...]]:
    """Exponents of the monomials that a denominator may have beside its offset."""
    return [tuple(row) for row in monomials(letters, degree).exponents[1:].tolist()]


def hypotheses(screen: Screen, exponents: Sequence[tuple[int, ...]], functions: Sequence[FunctionOf] = (),
               factors: Sequence[Factor] = (), levels: int = MOST_FACTORS) -> list[Hypothesis]:
    """Hypotheses with factors or without, the cheapest first.

    Parameters
    ----------
    screen : Screen
    exponents : sequence of tuple of int
        Of the monomials in denominators.
    functions : sequence of FunctionOf
        That may be factors.
    factors : sequence of Factor
        With which to begin.
    levels : int
        How many may be added.
    """
    best = screen.refined(factors)
    everything = {best.key: best}
    for _ in range(levels):
        level = sorted(_extended(screen, best, exponents, functions), key=lambda one: one.cost)
        for one in level:
            if one.key not in everything or one.cost < everything[one.key].cost:
                everything[one.key] = one
        if not level or level[0].cost >= best.cost:
            break
        best = level[0]
    return sorted(everything.values(), key=lambda one: one.cost)


def _extended(screen: Screen, base: Hypothesis, exponents: Sequence[tuple[int, ...]],
              functions: Sequence[FunctionOf]) -> Iterator[Hypothesis]:
    """The hypothesis with one more factor each, the most promising of all families."""
    known = screen.blocks(base.factors) if base.factors else []
    promising = []
    families: list[Sequence[Factor]] = [*(screen.grid(one) for one in exponents),
                                        *([one] for one in functions if one not in base.factors)]
    for family in filter(None, families):
        judged = [(screen.judged((*base.factors, factor), [*known, block]), factor)
                  for factor, block in zip(family, screen.blocks(family))
                  if np.isfinite(block).all()]                                       # a denominator may be zero at a state
        promising.extend(sorted(judged, key=lambda pair: _rank(pair[0], base))[:1])
    promising.sort(key=lambda pair: _rank(pair[0], base))
    for _, factor in promising[:REFINED]:
        yield screen.refined((*base.factors, factor))


def _rank(one: Hypothesis, base: Hypothesis) -> tuple[bool, float]:
    """Those that use one more factor first, then by cost: with an offset from the grid a factor may seem to be worth less."""
    return len(one.factors) <= len(base.factors), one.cost
