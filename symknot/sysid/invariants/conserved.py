r"""Polynomials that stay constant along every run, found without derivatives.

An invariant g of a flow or a map takes one value, its *level*, along each run.  So the values of
:math:`g - (\text{its mean in the run})` are noise and nothing else: with the covariance :math:`\Sigma_i` of the
states' noise they have the variance :math:`\nabla g^T \Sigma_i \nabla g`.  In three steps:

1. *States* (`smooth_states`): local polynomials take most of the noise off a flow's states, with a bias that is
   small against what is left.  A map's states stay as measured.
2. *Which* (`invariant_search`): degree by degree, combinations of monomials whose scatter within the runs is that of
   their noise, and that are no products of those found before.
3. *How large* (`level_sets`): coefficients, levels, and states moved onto the level sets (the data knots) together;
   terms that the data do not ask for are dropped, and numbers rounded within their standard errors.  What terms
   of higher degree would improve significantly (`level_sets.wanting`) only approximates something, such as an invariant
   that is no polynomial, and is left out.

A polynomial with the *same* level in all runs is a constraint of the system, such as the length of a rod, not an
integral of motion.  R runs have R levels, and among more than R - 1 invariants there always is a combination whose
levels agree; so constraints are told apart only if the levels vary in fewer than R - 1 directions.
With one run they never are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.linalg

from ...fitting.search import COEFFICIENTS_PER_POINT
from ...ground.calls import call_text, noted
from ...ground.checks import whole_number
from ...ground.deadline import Deadline
from ...ground.errors import EARLY_ENDS, FitInterrupted, InvalidOption, InvalidPoints, Status, ended_by
from ...ground.linalg import column_sizes
from ...ground.wording import counted
from ...polynomials.evaluation import monomials_at
from ...polynomials.symbols import safe_symbols
from ...results.checking import confirmed
from ..motion.dynamics import Dynamics
from ..motion.kinds import kind_of_options
from ..runs.noise_levels import levels_of_noise
from ..runs.sizes import check_sizes
from ..runs.smooth_states import CLEAR_WINDOW_SHARE, FAITHFUL_WINDOW_SHARE, States
from ..runs.spikes import Spike, checked_loss, said_of
from ..runs.trajectories import runs_of
from .conserved_result import Conserved
from .equations import Constraint, Invariant, RunOnLevels, Undecided, drifts_of, level_residual
from .invariant_search import SURE_ERRORS, Known, most_invariants, values_of
from .level_numbers import numbers_of
from .level_sets import LevelSets, fitted, projected, reduced_rows, sparse, wanting
from .saying import nothing_found, undecided
from .short_invariants import LEAST_RUNS, short_combinations, with_variables

__all__ = ["Conserved", "conserved"]

LARGEST_STATE = 1e120
"""Beyond this and its inverse the squares of states come near the end of floats' range; states are scaled before their
higher powers are taken."""
CONFIRMING_DEGREES = 2
"""Higher degrees that must confirm invariants: a convention."""
SAME_LEVEL = 0.2
"""Levels of a constraint may differ by this share of the noise of one value, which is what smoothing may do."""
MOST_ADDED = 250
"""Monomials of higher degree that are tried, at most, as additions to an invariant: the test takes the cube of
their number, and more would drown what a few of them explain.  A convention."""


def conserved(data: Any, max_degree: int = 2, *, kind: str | Dynamics = "flow",
              noise: str | float | Sequence[float] | Mapping[Any, Any] = "estimate", time: Any = None,
              group: str | None = None, inputs: Any = (), loss: str = "auto", timeout: float | None = None) -> Conserved:
    """Find polynomials in the states that stay constant along every run.

    Parameters
    ----------
    data : Trajectories, array, list or dict of arrays, DataFrame, or path of a data file
        Inputs, if there are any, are not looked at.
    max_degree : int
        Highest degree.
    kind : {"flow", "map"} or Dynamics
        The states of a flow are smoothed first; those of a map do not follow each other smoothly.
    noise : "estimate", "each run", "relative", float, sequence of float, or dict
        Standard deviation of the measurement noise, one for all states or one each.  A flow's is read from the data, run by run
        where runs differ ("each run": in any case), in part in proportion to the value where it grows with that ("relative":
        in any case); a dict from labels of runs says what it is in each.
        A map's cannot be; "estimate" then takes it as the same share of every state's standard deviation, to be read
        off the invariants themselves, which have to stand clear of all other polynomials.
    time, group, inputs
        As in `Trajectories`, for data that are no Trajectories yet.
    loss : {"auto", "squares"}
        Of a flow "auto" puts what neighbours tell into the places of single values that are far from it, and the message names
        them; "squares" trusts every value.
    timeout : float, optional
        Seconds after which the search ends with what the finished degrees brought and `Status.OUT_OF_TIME`.

    Returns
    -------
    Conserved

    Raises
    ------
    InvalidOption, InvalidPoints
    TimeLimit
        If time is up before the states are smoothed.
    FitInterrupted
        On Ctrl-C; its `partial` holds what the finished degrees brought.

    Examples
    --------
    >>> import symknot
    >>> t = np.linspace(0, 12, 400)
    >>> runs = [a * np.c_[np.cos(t), -2 * np.sin(t)] for a in (1.0, 1.5)]
    >>> noise = 0.05 * np.random.default_rng(0).normal(size=(2, 400, 2))
    >>> found = conserved(symknot.Trajectories([*(runs + noise)], time=t[1], names=["x", "v"]))
    >>> print(found.invariants[0])
    v**2 + 4*x**2 = const
    """
    call, deadline = call_text(conserved, locals()), Deadline(timeout)
    trusting, data = checked_loss(loss) == "squares", runs_of(data, time, group, inputs)
    max_degree = whole_number("max_degree", max_degree, 1)
    dynamics = kind_of_options(kind)
    if not dynamics.moves:
        raise InvalidOption("kind", kind, "'flow' or 'map', or another kind in which states lead to other states")
    check_sizes(data, data.names, LARGEST_STATE)
    left_out: tuple[Spike, ...] = ()
    with deadline.ruling("conserved"):
        if dynamics.is_smooth and not trusting:
            data, left_out = data.without_spikes()
        search = _Search(data, dynamics, noise)
        search.run(max_degree)
    result = search.result(data, max_degree)
    if left_out:
        result = replace(result, message="; ".join(filter(None, (said_of(left_out), result.message))))
    if result.status is Status.INTERRUPTED:
        raise FitInterrupted(noted(result, call))
    return noted(confirmed(result, result._checks(None)), call)


@dataclass(frozen=True, eq=False)
class _Accepted:
    """Polynomials of one degree that were taken in; `group` tells which points share a level."""

    fit: LevelSets
    group: np.ndarray

    def polynomials(self):
        return [{tuple(e): float(c) for e, c in zip(self.fit.exponents.tolist(), row) if c}
                for row in self.fit.coefficients]


class _Search:
    """The loop over degrees: states, what is known, and what was seen on the way."""

    def __init__(self, data, dynamics, noise):
        self.scaled = dynamics.is_smooth or not isinstance(noise, str)
        self.given = not isinstance(noise, str)
        relative = None
        if self.scaled:
            sigma, of_runs, of_values = levels_of_noise(data, noise)
            relative = of_values if of_runs is None else of_runs
        else:
            if noise != "estimate":
                raise InvalidOption("noise", noise, "'estimate', a number, or one for each state")
            sigma = np.concatenate([run.states for run in data]).std(axis=0)
        for j, name in enumerate(data.names):
            if all(np.ptp(run.states[:, j]) == 0 for run in data):
                raise InvalidPoints("does not change during any run: it is conserved, leave it out", column=name)
        self.states, self.faithful = (States.of(data, sigma, share if dynamics.is_smooth else 0.0, relative)
                                      for share in (CLEAR_WINDOW_SHARE, FAITHFUL_WINDOW_SHARE))
        self.known = Known(len(data.names))
        self.whole = np.zeros(len(self.states), dtype=int)
        self.invariants, self.constraints = [], []
        self.seen, self.rough, self.undecided, self.stopped, self.ended = [], [], [], None, None

    def run(self, max_degree):
        """Look at all degrees, and twice; ended early, go back to what the last finished look left."""
        for degree in range(1, max_degree + 1):
            left = self._so_far()
            try:
                if not self.look(degree):
                    break
                left = self._so_far()
                self._look_again(degree)
            except EARLY_ENDS as end:
                states, lists = left
                self.states, self.faithful = states
                for found, length in lists:
                    del found[length:]
                self.ended = ended_by(end), degree
                break

    def _so_far(self):
        """What there is: the states, and each list with its length."""
        lists = self.constraints, self.invariants, self.seen, self.rough, self.undecided
        return (self.states, self.faithful), [(found, len(found)) for found in lists]

    def look(self, degree):
        """Look for what is new at a degree; False if the data do not allow to."""
        exponents = self.known.candidates(degree, self._sizes)
        m, n = len(exponents), self.states.independent[0]
        if m > COEFFICIENTS_PER_POINT * n:
            self.stopped = (degree, m, n)
            return False
        if not m:
            return True
        if self.scaled:
            found = self._near_one(exponents, self.states.group)
            self.seen.append((degree, found))
            self._take(exponents, found, degree)
            return True
        found = values_of(self.states, self.states.group, exponents)
        self.seen.append((degree, found))
        factor = found.count_unscaled()[1]
        unscaled = self.states, self.faithful
        if factor:
            self.states, self.faithful = (states.with_noise(factor) for states in unscaled)
            if self._take(exponents, self._near_one(exponents, self.states.group), degree):
                self.scaled = True
            else:
                self.states, self.faithful = unscaled
        return True

    def _look_again(self, degree):
        """Count what may still be constant at a degree, beside all that was taken in; of that, take what has few terms."""
        while self.scaled and len(exponents := self.known.candidates(degree, self._sizes)):
            most, limit = most_invariants(self.faithful, self.states.group, exponents)
            if not most:
                break
            if self.rough or len(self.states.labels) < LEAST_RUNS or not self._take_short(exponents, limit, degree):
                exponents = self.known.candidates(degree, self._sizes, constraints_only=True)
                self.undecided.append(Undecided(degree, most, most_invariants(self.faithful, self.whole, exponents)[0]))
                break

    def _take_short(self, exponents, limit, degree):
        """Take in invariants of few terms; whether there were any."""
        before = len(self.invariants)
        for rows in short_combinations(self.faithful, exponents, limit):
            left = {tuple(e) for e in self.known.candidates(degree, self._sizes).tolist()}
            if not left.issuperset(map(tuple, exponents[rows].tolist())):
                continue                                                  # has what an invariant just taken in stands for
            few = with_variables(exponents, rows)
            found = self._near_one(few, self.states.group)
            new = self._fit(few, found, 1, self.states.group) if found.count() == 1 else None
            if new is not None and not wanting(self.faithful, new.group, new.fit, exponents).any():
                self._keep(new, degree)
        return len(self.invariants) > before

    def _near_one(self, exponents, group):
        """Values at the clear states, or, if none is near 1 there, at the faithful ones, which bias cannot spoil."""
        found = values_of(self.states, group, exponents)
        other = found if found.count() else values_of(self.faithful, group, exponents)
        return other if other.count() else found

    def _take(self, exponents, found, degree):
        """Take polynomials in whose values are near 1, if they stand all tests; whether any did."""
        count, before = found.count(), len(self.constraints) + len(self.invariants)
        if not count:
            return False
        if self._constraints(exponents, count, degree):
            exponents = self.known.candidates(degree, self._sizes)
            if not len(exponents):
                return True
            found = self._near_one(exponents, self.states.group)
            count = found.count()
        new = self._fit(exponents, found, count, self.states.group) if count else None
        if new is not None:
            self._keep(new, degree)
        return len(self.constraints) + len(self.invariants) > before

    def _keep(self, new, degree):
        """Take invariants in, unless they only approximate one of higher degree (or none that is a polynomial)."""
        before = len(self.known.invariants)
        self.known.invariants += new.polynomials()
        self.known.levels += [np.unique(levels) for levels in new.fit.levels.T]
        if self._approximate(new, degree):
            del self.known.invariants[before:], self.known.levels[before:]
            self.rough.append((degree, float(new.fit.values(self.faithful, new.group).max())))
        else:
            self.invariants.append(new)

    def _approximate(self, new, degree):
        """Whether terms of the next degrees are needed."""
        for ahead in range(CONFIRMING_DEGREES, 0, -1):
            more = self.known.candidates(degree + ahead, self._sizes)
            if len(more) <= MOST_ADDED:
                return bool(wanting(self.faithful, new.group, new.fit, more).any())
        return False

    def _constraints(self, exponents, count, degree):
        """Keep those of `count` invariants that have one level in all runs; whether there are any."""
        runs = len(self.states.labels)
        found = self._near_one(exponents, self.whole)
        before = len(self.known.constraints)
        for same in range(min(found.count(), count), max(count - runs + 1, 0), -1):
            new = self._fit(exponents, found, same, self.whole)
            if new is None or not self._one_level(new):
                continue
            self.known.constraints += [{**g, (0,) * self.known.dimension: -float(h)}
                                       for g, h in zip(new.polynomials(), new.fit.levels[0])]
            if not self._approximate(new, degree):
                self.constraints.append(new)
                return True
            del self.known.constraints[before:]
        return False

    def _one_level(self, new):
        """Whether the levels of all runs agree, within their errors and what smoothing may do."""
        runs = len(self.states.labels)
        off, noise = new.fit.residuals(self.faithful, self.whole)
        means = np.array([np.mean((off / noise)[self.states.group == r], axis=0) for r in range(runs)])
        error = np.sqrt(runs / self.faithful.independent[0])
        return bool((np.sqrt(np.mean(means**2, axis=0)) <= max(SAME_LEVEL, SURE_ERRORS * error)).all())

    def _fit(self, exponents, found, count, group):
        rows, pivots = reduced_rows(found.combinations[:, :count].T, self._sizes(exponents))
        free = np.ones(rows.shape, dtype=bool)
        free[:, pivots] = False
        full = fitted(self.faithful, group, exponents, rows, pivots, free)
        return None if full is None else _Accepted(sparse(self.faithful, group, full, found.limit), group)

    def _sizes(self, exponents):
        return column_sizes(monomials_at(self.states.points, exponents))

    def result(self, data, max_degree):
        common = {"variables": safe_symbols(data.names), "names": data.names}
        runs = self._runs(data)
        invariants = self._invariants(runs, common)
        constraints = tuple(
            Constraint(**numbers._asdict(), value=value, residual=level_residual(numbers.terms, runs), **common)
            for numbers, value in self._numbers(self.constraints, constant=True))
        noise = self.states.noise
        return Conserved(
            names=data.names, invariants=invariants, constraints=constraints, runs=runs,
            noise=noise if self.scaled else np.full(len(noise), np.nan), noise_given=self.given,
            status=self.ended[0] if self.ended else Status.FOUND if invariants or constraints else Status.NOTHING_FOUND,
            message=self._message(max_degree), undecided=self._still_undecided())

    def _invariants(self, runs, common):
        found = list(self._numbers(self.invariants, constant=False))
        drifts = drifts_of(self.faithful, [numbers.terms for numbers, _ in found])
        estimate_drifts = drifts_of(self.faithful, [numbers.estimated_terms for numbers, _ in found])
        return tuple(
            Invariant(**numbers._asdict(), value=value, drift=drift, estimate_drift=estimate_drift,
                      residual=level_residual(numbers.terms, runs, {row.label: row.level for row in drift}), **common)
            for (numbers, value), drift, estimate_drift in zip(found, drifts, estimate_drifts))

    def _numbers(self, founds, constant):
        """(LevelNumbers, value) of each polynomial."""
        for found in founds:
            yield from zip(numbers_of(found.fit, self.faithful, found.group, constant),
                           found.fit.values(self.faithful, found.group).tolist())

    def _runs(self, data):
        return tuple(RunOnLevels(str(run.label), str(run.group), run.times, run.states, states)
                     for run, states in zip(data, self._knots()))

    def _knots(self):
        """States on all level sets at once."""
        points, founds = self.states.points, [*self.constraints, *self.invariants]
        if founds:
            exponents = np.vstack([found.fit.exponents for found in founds])
            coefficients = scipy.linalg.block_diag(*[found.fit.coefficients for found in founds])
            levels = np.hstack([found.fit.levels[found.group] for found in founds])
            points = projected(self.states, exponents, coefficients, levels)
        return tuple(points[part] * self.states.size for part in self.states.pieces)

    def _rough(self):
        """What only approximates something; what did at a lower degree than the last that was found has become superfluous."""
        last = max((int(found.fit.exponents.sum(axis=1).max()) for found in self.invariants), default=0)
        return [row for row in self.rough if row[0] > last]

    def _still_undecided(self):
        return tuple(row for row in self.undecided if all(row.degree < degree for degree, _ in self._rough()))

    def _message(self, max_degree):
        end = f"looked up to degree {max_degree}"
        if self.ended:
            status, degree = self.ended
            end = f"ended at degree {degree}: {status.advice}"
        if self.stopped:
            degree, m, n = self.stopped
            end = (f"stopped before degree {degree}: its {m} monomials are too many for the data, which are worth "
                   f"{n:.0f} independent points")
        runs = len(self.states.labels)
        parts = [end, counted(runs, "run")]
        if rough := self._rough():
            degree, value = min(rough, key=lambda row: row[1])
            parts.append(f"a polynomial of degree {degree} was left out: it is constant within noise (value "
                         f"{value:.2f}), but higher terms improve it significantly, so it only approximates "
                         "something; raise max_degree")
        still_open = next((undecided(row.degree, row.invariants, runs) for row in self._still_undecided()), None)
        if still_open and (self.invariants or self.constraints):
            parts.append(still_open)
        if self.invariants and runs == 1:
            parts.append("with one run an invariant may be a constraint: bring runs from other initial states")
        if not (self.invariants or self.constraints or self.rough or self.ended) and self.seen:
            first, advice = nothing_found(self.seen, self.scaled, still_open)
            parts = [first, *parts, advice]
        return "; ".join(parts)
