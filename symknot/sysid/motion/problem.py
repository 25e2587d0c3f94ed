"""An identification as a problem of estimation: runs, first states, what is known of the noise; and solutions of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ...polynomials.monomials import count
from ..runs.samples import Samples
from .code_length import length_of_numbers, length_of_terms
from .dynamics import Dynamics
from .fields import Field
from .functions import FunctionOf
from .guess import Guess, field_of, first_guess
from .joint import Estimate, discretization_shift, misfit, no_cuts
from .knowledge import Knowledge
from .knowledge_options import Reader, Told
from .library import offered_functions
from .measurements import Measurements
from .pivots import sure_numbers
from .progressed import Steps
from .search import LEAST_MEASUREMENTS, MOST_DERIVATIVES, Selection, free_states, reduced_misfit, search, settled

LARGEST_STEP_SHIFT = 0.1
"""Standard errors by which steps of finite length may move the coefficients: their variance then grows by a
hundredth."""
MOST_DENSE_TERMS = 1500
"""Candidate terms that are estimated at once (else see `many_terms`): their normal matrix is decomposed in a second."""
MOST_SUBDIVISIONS = 16
"""Most parts that the time between two samples is divided into: the error falls by 16**4, and there are 15 times as
many unmeasured states as measured ones."""
NOISE_FLOOR = 1e-7
"""Noise is never taken to be smaller than this share of a state's size: its square must stay above rounding."""
WINDOW_PARTS = 12
"""Into how many parts the best window must at least be resolved: where noise and bias balance in a window, the bias of
a mean over a twelfth of it, which falls with the square of the length, is below a hundredth of the noise there."""
GUESS_POINTS = 2000
"""Neighbouring points share most of their noise; for a first guess this many, evenly spread, say as much as all.
A convention."""
AKAIKE = 2
"""Cost of a free state, in units of chi-square: Akaike's, since free states are not a matter of choice."""


@dataclass(frozen=True, eq=False)
class Problem:
    """What the estimate starts from.

    Attributes
    ----------
    samples : Samples
    dynamics : Dynamics
    runs : tuple of Measurements
    states : tuple of (s, N) arrays
        First guesses.
    sigma : (s,) array
        Noise as the data show it without a model; NaN where they do not.
    known_noise : bool
        Whether the user gave it.
    functions : tuple of FunctionOf
        Further factors of the candidate terms.
    offered : tuple of FunctionOf
        Functions that are tried as factors, one by one.
    knowledge : Knowledge, optional
        What is known of the terms.
    steps : Steps
        Where finished searches are kept.
    """

    samples: Samples
    dynamics: Dynamics
    runs: tuple[Measurements, ...]
    states: tuple[np.ndarray, ...]
    sigma: np.ndarray
    known_noise: bool
    functions: tuple[FunctionOf, ...] = ()
    offered: tuple[FunctionOf, ...] = ()
    knowledge: Knowledge | None = None
    steps: Steps = Steps()

    @property
    def arguments(self) -> int:
        """Number of variables of the right-hand sides."""
        return len(self.samples.states) + len(self.samples.inputs)

    def is_small(self, terms: int) -> bool:
        """Whether a search among so many terms for each target takes no time to speak of."""
        return terms * len(self.samples.targets) * sum(run.measured.size for run in self.runs) <= MOST_DERIVATIVES

    @property
    def resolution(self) -> int:
        """Neighbouring samples whose mean says as much as they do: few against the window that smooths best.

        With missing values 1: of some neighbours there would be none, of others several.
        """
        if any(seen.any(axis=1).any() and not seen[seen.any(axis=1)].all() for seen in
               (np.isfinite(run.measured) for run in self.runs)):
            return 1
        return max(min(self.samples.windows, default=1) // WINDOW_PARTS, 1)

    @property
    def floor(self) -> np.ndarray:
        """Least variance of each state's noise."""
        return (NOISE_FLOOR * _sizes(self.runs)) ** 2

    def carried_degree(self, highest: int) -> int:
        """The highest degree, at most `highest`, whose terms the samples can carry, or whose search is small anyway."""
        return next((degree for degree in range(highest, 1, -1) if self.is_small(self.terms(degree))
                     or LEAST_MEASUREMENTS * self.terms(degree) <= len(self.samples)), 1)

    def terms(self, degree: int) -> int:
        """Candidate terms of each polynomial of this degree, at most."""
        factors = self.arguments + len(self.functions)
        if self.knowledge is None:
            return count(factors, degree)
        return max(self.knowledge.terms_of_target(j, factors, degree) for j in range(len(self.samples.targets)))

    def has_many_terms(self, degree: int) -> bool:
        """Whether polynomials of this degree have more terms than are estimated at once."""
        many = len(self.samples.targets) * self.terms(degree) > MOST_DENSE_TERMS
        return many and self.dynamics.knows_pulls and self.knowledge is None

    def informed(self, field: Field, coefficients: np.ndarray) -> tuple[Field, np.ndarray]:
        """The field with what is known of it, and coefficients that agree."""
        return (field, coefficients) if self.knowledge is None else self.knowledge.applied(field, coefficients)

    def guess(self, target: int, degree: int, rational: bool = False) -> Guess:
        """First guess at one target's equation."""
        key = target, degree, rational
        if key not in self._guesses:
            self._guesses[key] = first_guess(self.thinned, target, degree, rational, self.functions)
        return self._guesses[key]

    def has_guess(self, target: int, degree: int) -> bool:
        """Whether `guess` has been asked for this polynomial already."""
        return (target, degree, False) in self._guesses

    @cached_property
    def _guesses(self):
        return {}

    @cached_property
    def thinned(self) -> Samples:
        """Samples enough for a first guess."""
        samples = self.samples
        if len(samples) <= GUESS_POINTS:
            return samples
        rows = np.linspace(0, len(samples) - 1, GUESS_POINTS).astype(int)
        return replace(samples, points=samples.points[rows], covariance=samples.covariance[rows],
                       run=samples.run[rows], row=samples.row[rows])


@dataclass(frozen=True, eq=False)
class Solution:
    """Selected terms with their estimate.

    Attributes
    ----------
    selection : Selection
    parts : int
        Into how many parts the time between two samples is divided.
    misfit : (s,) array
        Mean square distance between data and states.
    cost : float
        Minus twice the logarithm of the probability of data and model (`code_length`), up to what is the same for all.
    """

    selection: Selection
    parts: int
    misfit: np.ndarray
    cost: float


def problem_of(samples: Samples, dynamics: Dynamics, known_noise: bool,
               functions: Any = (), told: Told | None = None, degree: int = 1) -> Problem:
    """The `Problem` that `samples` of this kind of dynamics pose.

    Parameters
    ----------
    samples : Samples
    dynamics : Dynamics
    known_noise : bool
        Whether the user gave the noise.
    functions : Any
        Candidate functions (see `library`).
    told : Told, optional
        What is known of terms ...
    degree : int
        ... up to this degree.
    """
    starts = [dynamics.start_of_estimate(samples, number) for number in np.unique(samples.run)]
    runs, states = (tuple(part) for part in zip(*starts))
    sigma = dynamics.noise_of_start(samples, len(states[0]))
    variance = np.where(np.isfinite(sigma), sigma, 1.0) ** 2
    arguments = np.r_[samples.states, samples.inputs]
    direct, offered = offered_functions(functions, [samples.names[k] for k in arguments], samples.points[:, arguments])
    problem = Problem(samples, dynamics, runs, states, sigma, known_noise, direct, offered)
    if told:
        problem = replace(problem, knowledge=reader_of(problem, told, degree).knowledge())
        everything = Field.polynomial(problem.arguments + len(direct), degree, len(samples.targets))
        problem.informed(everything, np.zeros(everything.size))                     # contradictions are told at once
    return with_variance(problem, np.maximum(variance, problem.floor))


def reader_of(problem: Problem, told: Told, degree: int) -> Reader:
    """Who understands what was told in the names of the problem."""
    samples, dynamics = problem.samples, problem.dynamics
    names = [samples.trajectories.names[k] for k in dynamics.measured(samples)]
    inputs, arguments = ([samples.names[k] for k in part] for part in (samples.inputs, (*samples.states, *samples.inputs)))
    return Reader(told, names, inputs, arguments, [samples.names[k] for k in samples.targets], problem.functions, degree,
                  dynamics.time_derivatives)


def with_variance(problem: Problem, variance: np.ndarray) -> Problem:
    """The problem with this noise in its runs."""
    return replace(problem, runs=tuple(run.with_variance(variance) for run in problem.runs))


def solution_of(problem: Problem, guesses: Sequence[Guess], kept: Sequence[set[int]] | None = None,
                candidates: int | None = None) -> Solution | None:
    """Select and estimate, starting from one `Guess` for each target; None where nothing converges.

    Parameters
    ----------
    problem : Problem
    guesses : sequence of Guess
    kept : sequence, optional
        For each target the monomials its numerator may use.
    candidates : int, optional
        From how many they were chosen.
    """
    degree = max(guess.degree for guess in guesses)
    field, coefficients = field_of(guesses, problem.arguments, degree, problem.functions)
    if kept is not None:
        mask = np.array([below or k in kept[j]
                         for j, k, below in zip(field.owner, field.monomial, field.in_denominator)], dtype=bool)
        field, coefficients = field.restricted(mask), coefficients[mask]
    field, coefficients = problem.informed(field, coefficients)
    if problem.knowledge is not None:
        points, samples = problem.thinned.points.T, problem.samples
        coefficients = problem.knowledge.started(field, coefficients, points[np.r_[samples.states, samples.inputs]],
                                                 points[samples.targets])
    if not np.isfinite(problem.sigma).any():
        # noise that data do not show: what the first guess leaves over, with the same share of every state's size
        share = float(np.mean([guess.value for guess in guesses]))
        problem = with_variance(problem, np.maximum((share * deviations(problem.runs)) ** 2, problem.floor))

    def find(coefficients, runs, states, parts):
        return problem.steps.selection(search, (problem.dynamics, field, coefficients, runs, states), floor=problem.floor,
                                       known_noise=problem.known_noise, blocks=problem.resolution if parts == 1 else 1,
                                       candidates=candidates)

    found, parts = _on_short_steps(problem, find, coefficients, (problem.runs, problem.states, 1))
    return None if found is None else _solution(problem, found, parts)


def solution_with(problem: Problem, field: Field, coefficients: np.ndarray, start: Solution) -> Solution | None:
    """The solution with the terms of `field` and no others, from the states of another; None where nothing converges.

    Parameters
    ----------
    problem : Problem
    field : Field
    coefficients : (P,) array
        A first guess.
    start : Solution
    """
    def find(coefficients, runs, states, parts):
        return problem.steps.selection(settled, (problem.dynamics, field, coefficients, runs, states), floor=problem.floor,
                                       known_noise=problem.known_noise)

    selection = start.selection
    found, parts = _on_short_steps(problem, find, coefficients, (selection.runs, selection.estimate.states, start.parts))
    return None if found is None else _solution(problem, found, parts)


def unmodelled(problem: Problem) -> Solution:
    """The first guesses at the states, with right-hand sides zero: what there is before any model."""
    equations, nothing = len(problem.samples.targets), np.zeros(0, dtype=int)
    field = Field(problem.arguments, 1, (nothing,) * equations, (nothing,) * equations, (0,) * equations)
    start = Estimate(np.zeros(0), problem.states, np.zeros((0, 0)), np.zeros(0), False, no_cuts(problem.dynamics, problem.runs))
    found = Selection(problem.dynamics, field, start, problem.runs, np.zeros(0, dtype=bool), None)
    return Solution(found, 1, np.full(len(problem.sigma), np.nan), np.inf)


def _on_short_steps(problem, find, coefficients, start):
    """What `find` ends with on steps that are short enough, and into how many parts they divide the time."""
    runs, states, parts = start
    while True:
        found = find(coefficients, runs, states, parts)
        if not problem.dynamics.subdivides or parts >= MOST_SUBDIVISIONS:
            break
        if found is not None and discretization_shift(problem.dynamics, found.field, found.estimate,
                                                      found.runs) <= LARGEST_STEP_SHIFT:
            break
        if found is None and parts > start[2]:
            break
        # halve the steps; the states found so far, or the first ones, are where to start
        states = tuple(_halved(run, x) for run, x in zip(runs, states if found is None else found.estimate.states))
        runs = tuple(run.subdivided(2) for run in (runs if found is None else found.runs))
        parts *= 2
        if found is not None:
            coefficients = np.zeros(len(found.kept))
            coefficients[found.kept] = found.estimate.coefficients
    return found, parts


def _solution(problem, found, parts):
    squares, counts = misfit(found.runs, found.estimate.states)
    measured = counts > 0
    mean = np.maximum(squares[measured] / counts[measured], problem.floor[measured])
    if problem.known_noise:
        unlikely = squares[measured] / np.maximum(problem.sigma**2, problem.floor)[measured]
    else:
        unlikely = counts[measured] * np.log(mean)
    cost = float(np.sum(unlikely)) + AKAIKE * free_states(problem.dynamics, found.estimate)
    cost += length_of_terms(found.field, len(problem.offered))
    cost += length_of_numbers(*_numbers(found), int(counts.sum()))
    return Solution(found, parts, reduced_misfit(problem.dynamics, found.runs, found.estimate), cost)


def _numbers(found):
    """The numbers that are free, and their information; of fractions with pivots that are surely there."""
    field, values, information = found.field, found.estimate.coefficients, found.estimate.information
    if (ties := field.ties) is None:
        return sure_numbers(field, values, information, found.points)
    _, first = np.unique(ties.group, return_index=True)
    first = first[ties.group[first] >= 0]
    return (values - ties.offset)[first] / ties.weight[first], ties.reduced(information, np.zeros(len(values)))[0]


def _halved(run, states):
    """States with new ones in the middle, by cubic interpolation where there are enough of them."""
    s, N = states.shape
    out = np.empty((s, 2 * N - 1))
    out[:, ::2] = states
    middle = (states[:, 1:] + states[:, :-1]) / 2
    if N > 3:
        # the fourth-order mean of four neighbours, for steps that hardly change
        middle[:, 1:-1] = (9 * (states[:, 1:-2] + states[:, 2:-1]) - states[:, :-3] - states[:, 3:]) / 16
    out[:, 1::2] = middle
    return out


def _sizes(runs):
    """Root-mean-square of each state; 1 where it is not measured."""
    values = np.concatenate([run.measured for run in runs], axis=1)
    counts = np.sum(np.isfinite(values), axis=1)
    sizes = np.sqrt(np.nansum(values**2, axis=1) / np.maximum(counts, 1))
    return np.where(sizes > 0, sizes, 1.0)


def deviations(runs: Sequence[Measurements]) -> np.ndarray:
    """Standard deviation of each state; 1 where it is not measured."""
    values = np.concatenate([run.measured for run in runs], axis=1)
    measured = np.isfinite(values).any(axis=1)
    out = np.ones(len(values))
    out[measured] = np.nanstd(values[measured], axis=1)
    return out
