"""From a problem to a model: the search, what became of it in words, and its numbers as a `Model`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...ground.errors import EARLY_ENDS, ENDED_EARLY, Status, ended_by
from ..motion.evidence import alternatives_of
from ..motion.fields import Field
from ..motion.forms import Search
from ..motion.knotted import Alternative, KnottedRun
from ..motion.knowledge_options import Told
from ..motion.knowledge_test import contradicted
from ..motion.model import COUNTS_AS_INPUT, Model
from ..motion.neighbourhood import FEW_TERMS, UNDECIDED_COST
from ..motion.problem import Problem, problem_of, reader_of
from ..motion.rejecting import is_rejected, misfit_in_noise, rejection

REMARKABLE_TERM_SHARE = 0.5
"""Equations that use more than this share of the candidates come with a remark: laws are sparse, unless they have fewer
terms each than `neighbourhood.FEW_TERMS`, as simple laws among few candidates do."""
LARGEST_GUESS_VALUE = 1.5
"""First guesses with a larger value (misfit over noise) are to blame where the equations as a whole are rejected.  A
convention, above what the bias of smoothing (see `samples`) mostly makes of a true equation's value."""


def searched(problem: Problem, form: str, max_degree: int, functions: Any, told: Told) -> Model:
    """The model, of what was finished where the search was ended early."""
    return searched_with_cost(problem, form, max_degree, functions, told)[0]


def searched_with_cost(problem: Problem, form: str, max_degree: int, functions: Any, told: Told) -> tuple[Model, float]:
    """The same, and what its equations cost; infinite where they do not describe all states, or were not compared with all."""
    degree, cost = problem.carried_degree(max_degree), np.inf
    search = Search(problem, form, degree)
    try:
        model = model_of(search.run(), functions, told)
        if search.answer is not None and not search.fails:
            cost = search.answer.cost
    except EARLY_ENDS as end:
        status = ended_by(end)
        model = _model(problem, None if search.fails else search.answer, degree, _ended_early(search, status), status)
    if degree == max_degree:
        return model, cost
    terms = problem.terms(degree + 1)
    said = (f"looked up to degree {degree} only: equations of degree {degree + 1} have {terms} terms, too many for "
            f"{len(problem.samples)} samples")
    return replace(model, message=f"{model.message}; {said}" if model.message else said), cost


def _ended_early(search, status):
    """What became of it, in words."""
    if search.best is None or not search.fails:
        return status.advice
    return f"{status.advice}; of those tried so far the best one {rejection(search.problem, search.best)}"


def model_of(search: Search, functions: Any, told: Told) -> Model:
    """The model of a search that came to its end, with what else the data allow."""
    problem, degree, free = search.problem, search.max_degree, None
    unknown = replace(problem, knowledge=None)
    if told and (unknown.is_small(unknown.terms(degree)) or _contradiction(search, told)):
        # the data may reject what is known, or the search with it has missed something: one without it tells
        free = Search(unknown, search.form, degree).run()
        search.learn(free)
        if search.fails:
            return _without_knowledge(problem, free, told)
    solution = search.answer
    if search.fails:
        return _partial(problem, solution, search.form, degree, functions)
    others = alternatives_of(search)
    model = _model(problem, solution, degree, "; ".join(filter(None, [_remark(solution), _undecided(others)])))
    wrong = _contradiction(search, told, free) if free is not None else ""
    if free is not None and wrong:
        said = [wrong, "" if free.fails else f"without it they are described by {_sides(free)}", model.message]
        model = replace(model, status=Status.KNOWLEDGE_REJECTED, message="; ".join(filter(None, said)))
    if not others:
        return model
    if model.status is Status.FOUND:
        model = replace(model, status=Status.UNDECIDED)
    return replace(model, alternatives=tuple(Alternative(model.arguments, model.targets, *other) for other in others))


def _contradiction(search, told, free=None):
    """What of the knowledge the data reject, in words; empty if nothing.

    With `free`, a search without it, also if its model is clearly cheaper.
    """
    if search.fails:
        return "no equation agrees with it"
    reader = reader_of(search.problem, told, search.max_degree)
    wrong = contradicted(search.problem, search.best, reader.letters, list(reader.targets))
    if wrong or free is None or free.fails or free.best.cost > search.best.cost - UNDECIDED_COST:
        return wrong
    return (f"the data reject what was said to be known ({told.text}): without it equations cost "
            f"{search.best.cost - free.best.cost:.3g} less, where {UNDECIDED_COST:.0f} would be clear")


def _without_knowledge(problem, free, told):
    """No model: what is known, or the data themselves, allow none; the search without what is known tells which."""
    best, degree = free.best, free.max_degree
    if best is None or free.fails:
        reason = "none of those tried could be estimated" if best is None else f"the best one {rejection(problem, best)}"
        return _model(problem, None, degree, f"no equation of degree <= {degree} describes the states, nor without what was "
                      f"said to be known ({told.text}): {reason}")
    return _model(problem, None, degree, f"the data reject what was said to be known ({told.text}): without it they are "
                  f"described by {_sides(free)}", Status.KNOWLEDGE_REJECTED)


def _sides(search):
    """The equations of a search in one line."""
    return "; ".join(equation.text() for equation in _model(search.problem, search.best, search.max_degree, "").polynomials)


def _partial(problem, solution, form, max_degree, functions):
    """A model of those states alone whose equations are believable, the others as inputs; or of none."""
    samples, names = problem.samples, problem.samples.names
    degrees = {"polynomial": (False,), "rational": (True,)}.get(form, (False, True) if max_degree > 1 else (False,))
    values = np.full(len(samples.targets), np.inf)
    if not problem.has_many_terms(max_degree):                          # else first guesses would take minutes
        values[:] = [min(problem.guess(j, max_degree, rational).value for rational in degrees) for j in range(len(values))]
    good = np.flatnonzero(values <= LARGEST_GUESS_VALUE)
    blamed = ", ".join(f"{names[samples.targets[j]]} ({values[j]:.3g} times the noise)"
                       for j in np.flatnonzero((values > LARGEST_GUESS_VALUE) & np.isfinite(values))) or (
        "the states together" if len(values) > 1 else "the state")
    reason = "none of those tried could be estimated" if solution is None else f"the best one {rejection(problem, solution)}"
    message = (f"no equation of degree <= {max_degree} describes {blamed}: {reason}; raise max_degree, add the variables "
               f"that are missing, {problem.dynamics.advice}")
    smaller = problem.dynamics.restricted(samples, good) if 0 < len(good) < len(values) else None
    if smaller is not None:
        part = replace(problem_of(smaller, problem.dynamics, problem.known_noise, functions), steps=problem.steps)
        solution = Search(part, form, max_degree).run().best
        if solution is not None and not is_rejected(part, solution):
            left_out = ", ".join(names[samples.states[j]] for j in np.setdiff1d(np.arange(len(values)), good))
            return _model(part, solution, max_degree, f"{message}; {left_out} {COUNTS_AS_INPUT}", Status.PARTLY_FOUND)
    return _model(problem, None, max_degree, message)


def _remark(solution):
    """A warning where most candidate terms were needed: hardly a law."""
    kept, equations = solution.selection.kept, solution.selection.field.equations
    if kept.sum() <= REMARKABLE_TERM_SHARE * len(kept) or kept.sum() < FEW_TERMS * equations:
        return ""
    return (f"{kept.sum()} of {len(kept)} candidate terms were needed, which describes the data but is hardly a law; "
            "if less precision will do, give a larger noise=")


def _undecided(others):
    """A warning where other models are nearly as good."""
    if not others:
        return ""
    several = len(others) > 1
    many = f"{len(others)} others cost" if several else "another one costs"
    more = f"at least {others[0][2]:.1f} more, where 6 would be clear"
    if others[0][2] == 0:
        more = f"no more, {'the nearest' if several else 'and'} has more terms"
    return f"not the only model that the data allow: {many} {more} (see alternatives); longer or more runs would tell"


def _model(problem, solution, max_degree, message, status=Status.FOUND):
    samples = problem.samples
    names = tuple(samples.trajectories.names[k] for k in problem.dynamics.measured(samples))
    inputs = tuple(samples.names[k] for k in samples.inputs)
    arguments = tuple(samples.names[k] for k in (*samples.states, *samples.inputs))
    targets = tuple(samples.names[k] for k in samples.targets)
    guesses = {}
    early = status in ENDED_EARLY or problem.has_many_terms(max_degree)
    if not early or all(problem.has_guess(j, max_degree) for j in range(len(targets))):
        found = [problem.guess(j, max_degree).values for j in range(len(targets))]
        guesses = {degree: tuple(values[degree - 1] for values in found) for degree in range(1, max_degree + 1)}
    d = len(targets)
    common = {"state_names": names, "input_names": inputs, "arguments": arguments, "dynamics": problem.dynamics,
              "guesses": guesses}
    if solution is None:
        nothing = Field(len(arguments), 1, (), (), ())
        return Model(targets=(), field=nothing, coefficients=np.zeros(0), information=np.zeros((0, 0)),
                     state_noise=problem.sigma[:d], values=np.full(d, np.nan), runs=_knotted(problem, None),
                     status=Status.NOTHING_FOUND if status is Status.FOUND else status, message=message, **common)
    found = solution.selection
    seen = np.any([np.isfinite(run.measured[:d]).any(axis=1) for run in problem.runs], axis=0)
    return Model(targets=targets, field=found.field, coefficients=found.estimate.coefficients,
                 information=found.estimate.information,
                 state_noise=np.where(seen, np.sqrt(found.runs[0].common_variance[:d]), np.nan),
                 values=misfit_in_noise(problem, solution)[:d], runs=_knotted(problem, solution),
                 status=status, message=message, **common)


def _knotted(problem, solution):
    d = len(problem.samples.targets)
    runs = []
    for place, number in enumerate(np.unique(problem.samples.run)):
        run = problem.samples.trajectories.runs[number]
        states, cuts = problem.states[place], np.zeros(0, dtype=int)
        if solution is not None:
            states = solution.selection.estimate.states[place][:, :: solution.parts]
            cuts = np.unique(np.flatnonzero(solution.selection.estimate.cuts[place]) // solution.parts)
        runs.append(KnottedRun(str(run.label), run.times, problem.runs[place].measured[:d].T, states[:d].T,
                               problem.runs[place].inputs.T, cuts, _own_noise(problem, solution, place, d)))
    return tuple(runs)


def _own_noise(problem, solution, place, d):
    """Standard deviation of the noise of a run, where every run has its own, or of its values, (N, d), where each has."""
    run, variance = problem.runs[place], (problem if solution is None else solution.selection).runs[place].variance[:d]
    if run.uneven is not None:
        return np.sqrt(variance[:, None] * run.uneven[:d]).T
    return None if run.relative is None else np.sqrt(variance)
