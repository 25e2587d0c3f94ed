"""From measured runs to equations of motion: `identify`.  A reader starts here.

1. States with derivatives, or with their successors, as points with known noise (`samples`).
2. A first guess at each equation, point by point, in the metric of that noise (`guess`).
3. Terms are selected, and coefficients and states estimated together, until the terms stay (`search`, `joint`);
   where the samples are too far apart for the collocation, with states between them.
4. A polynomial right-hand side that the data reject, or that needs the highest degree allowed (it may be the
   beginning of a series), competes with a rational one; misfit and number of terms decide.
5. An equation that the data reject in either form is left out, its state then counts as an input of the others.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import numpy as np

from ..._version import __version__
from ...ground.calls import call_text, noted
from ...ground.checks import whole_number
from ...ground.deadline import Deadline
from ...ground.errors import EARLY_ENDS, ENDED_EARLY, FitInterrupted, InvalidOption, Status, ended_by
from ...ground.journal import Journal, digest
from ..runs.samples import Samples
from ..runs.trajectories import runs_or_samples_of
from .checks import unless_wrong
from .dynamics import Dynamics
from .evidence import alternatives_of
from .fields import Field
from .forms import Search
from .implicit import ImplicitModel, implicit_model
from .kinds import kind_of_options, kind_of_samples
from .knotted import Alternative, KnottedRun
from .knowledge_options import Told
from .knowledge_test import contradicted
from .model import COUNTS_AS_INPUT, Model
from .neighbourhood import FEW_TERMS, UNDECIDED_COST
from .problem import problem_of, reader_of
from .progressed import Steps
from .rejecting import is_rejected, misfit_in_noise, rejection

FORMS = ("auto", "polynomial", "rational", "implicit")
REMARKABLE_TERM_SHARE = 0.5
"""Equations that use more than this share of the candidates come with a remark: laws are sparse, unless they have fewer
terms each than `neighbourhood.FEW_TERMS`, as simple laws among few candidates do."""
LARGEST_GUESS_VALUE = 1.5
"""First guesses with a larger value (misfit over noise) are to blame where the equations as a whole are rejected.  A
convention, above what the bias of smoothing (see `samples`) mostly makes of a true equation's value."""

MOST_OPERATIONS = 4e11
"""Multiplications, about, of a search without `timeout`: one or two minutes of one core (measured, 5e9 in a second).  A
convention; fifteen times what the Lorenz 96 system of ten states takes at degree 2 with 1000 samples."""


def identify(data: Any, max_degree: int = 3, *, kind: str | Dynamics = "flow", order: int = 1, lags: int = 0,
             form: str = "auto", noise: str | float | Sequence[float] | Mapping[Any, Any] = "estimate",
             window: int | None = None, functions: str | Sequence[Any] = (), known: Mapping[str, Any] | None = None,
             fixed: Mapping[str, Mapping[str, Any]] | None = None, forbidden: Any = None, only: Any = None,
             signs: Mapping[str, Mapping[str, Any]] | None = None, shared: Any = None, symmetry: Any = None,
             units: Mapping[str, str] | None = None, time: Any = None, group: str | None = None,
             inputs: Any = (), derivatives: Any = None, timeout: float | None = None,
             checkpoint: str | os.PathLike[str] | None = None) -> Model | ImplicitModel:
    """Equations of motion of measured runs.

    Parameters
    ----------
    data : Trajectories, array, list or dict of arrays, DataFrame, path of a data file, or Samples
        Samples come from `with_derivatives`, `with_shift` or `as_responses` of `Trajectories`; they bring the options
        kind, order, lags, noise and window with them.
        Missing values are NaN: states of differential equations are estimated there; runs are cut at long gaps, and for
        other kinds at all of them.
    max_degree : int
        Largest degree of a polynomial right-hand side; of a rational one, of the implicit equation.  In many variables,
        degrees with more terms than half the number of samples are left out, and the message says so.
    kind : {"flow", "map", "static"} or Dynamics
        Differential equations; next states from present ones; or outputs (the states) from inputs alone.  Or a kind
        as an object, such as ``Flow(order=2)``, or one of your own (`symknot.sysid.motion.dynamics.Dynamics`).
    order : {1, 2}
        Of differential equations: ``x'`` from x, or ``x''`` from x and ``x'``.
    lags : int
        Earlier states that a map may depend on.
    form : {"auto", "polynomial", "rational", "implicit"}
        Right-hand sides; "auto" takes polynomials unless a fraction describes the data with less.  "implicit"
        finds all polynomial relations among states and derivatives, also those that give no derivative.
    noise : "estimate", "each run", float, sequence of float, or dict
        Standard deviation of the measurement noise; that of measured derivatives may follow that of the states.  Of
        differential equations "each run" estimates it run by run, and a dict from labels of runs says what it is in each.
    window : int, optional
        Samples that the first smoothing of a flow takes together; chosen from the data by default.
    functions : "auto", or sequence of str, callable or CandidateFunction
        Functions of single states or inputs that right-hand sides may use beside powers, and in products with them: names
        ("sin", "cos", "exp", "log", "sqrt", "1/x", "tanh"; ``"sin(th)"`` for one variable alone), Python callables, or
        objects (`symknot.sysid.motion.functions`).  Up to three are letters of all candidate terms; more, and those of
        "auto", all that have a name, are tried one by one where polynomials do not do.
    known : dict, optional
        Whole right-hand sides, polynomials or fractions: ``{"x'": "y"}``.
    fixed : dict, optional
        Coefficients of single terms: ``{"x'": {"x*y": -1}}``.
    forbidden, only : list or dict, optional
        Terms that no right-hand side has, or that alone may occur: ``["x*y", "1"]``; for single equations
        ``{"x'": ["x*y"]}``.
    signs : dict, optional
        Of coefficients: ``{"x'": {"x": "-"}}``.
    shared : dict or list of dict, optional
        Terms with one coefficient, up to the numbers written before them: ``{"S'": "-S*P", "P'": "2*S*P"}`` for a reaction.
    symmetry : dict or list of dict, optional
        Replacements of variables that leave the equations as they are: ``{"u": "v", "v": "u"}``, ``{"x": "-x", "y": "-y"}``.
    units : dict, optional
        Of all states and inputs, and of "time" for differential equations: ``{"x": "m", "v": "m/s", "time": "s"}``.  Terms of
        another dimension than their equation are left out; further entries are constants, of whose dimensions coefficients
        may be made: ``"k": "1/s^2"``.
    time, group, inputs, derivatives
        As in `Trajectories`, for data that are no Trajectories yet.  Without `time` samples are 1 apart.  Measured derivatives
        are used with their own noise, which is estimated where it is not given.
    timeout : float, optional
        Seconds after which the search ends with the best equations found so far and `Status.OUT_OF_TIME`.  Without it the
        search may do a fixed amount of work, a minute or two, before it ends likewise, with `Status.WORK_LIMIT`.
    checkpoint : path, optional
        A file in which every finished search is kept: however this call is ended, the same call goes on from there, to
        the same result.  Other data or options with the same file are refused, and so is a second process beside the first.

    Returns
    -------
    Model, or ImplicitModel for ``form="implicit"``

    Raises
    ------
    InvalidOption, InvalidPoints
        Before anything is computed.
    TimeLimit
        If time is up before the runs have become samples.
    FitInterrupted
        On Ctrl-C; its `partial` is the Model of the best equations found so far.

    Examples
    --------
    >>> t = np.linspace(0, 8, 400)
    >>> noise = 0.02 * np.random.default_rng(0).normal(size=(400, 2))
    >>> identify(np.c_[np.cos(2 * t), -2 * np.sin(2 * t)] + noise, max_degree=2, time=t).exact_right_hand_sides
    {"x'": y, "y'": -4*x}
    """
    call, deadline = call_text(identify, locals()), Deadline(timeout, MOST_OPERATIONS)
    max_degree = whole_number("max_degree", max_degree, 1)
    told = Told(known, fixed, forbidden, only, signs, shared, symmetry, units)
    _check_form(form, max_degree, functions, told)
    _check_checkpoint(checkpoint, form, functions)
    data = runs_or_samples_of(data, time, group, inputs, derivatives)
    with deadline.ruling("identify"):
        if isinstance(data, Samples):
            samples, dynamics = data, kind_of_samples(data, kind)
        else:
            dynamics = kind_of_options(kind, order, lags)
            if not dynamics.time_derivatives and any(run.derivatives is not None for run in data.whole):
                raise InvalidOption("derivatives", "measured ones", f"left out for kind={dynamics.kind!r}")
            samples = dynamics.samples(data, noise, window, unbiased=form == "implicit")
        if form == "implicit":
            return noted(implicit_model(samples, max_degree), call)
        problem = problem_of(samples, dynamics, not isinstance(noise, str) and samples.sigma is not None, functions, told,
                             max_degree)
        with _journal(checkpoint, problem, (max_degree, form, functions, told)) as journal:
            model = _searched(replace(problem, steps=Steps(journal)), form, max_degree, functions, told)
    if model.status is Status.INTERRUPTED:
        raise FitInterrupted(noted(model, call))
    return noted(unless_wrong(model), call)


def _searched(problem, form, max_degree, functions, told):
    """The model, of what was finished where the search was ended early."""
    degree = problem.carried_degree(max_degree)
    search = Search(problem, form, degree)
    try:
        model = _found(search.run(), functions, told)
    except EARLY_ENDS as end:
        status = ended_by(end)
        model = _model(problem, None if search.fails else search.best, degree, _ended_early(search, status), status)
    if degree == max_degree:
        return model
    terms = problem.terms(degree + 1)
    said = (f"looked up to degree {degree} only: equations of degree {degree + 1} have {terms} terms, too many for "
            f"{len(problem.samples)} samples")
    return replace(model, message=f"{model.message}; {said}" if model.message else said)


def _ended_early(search, status):
    """What became of it, in words."""
    if search.best is None or not search.fails:
        return status.advice
    return f"{status.advice}; of those tried so far the best one {rejection(search.problem, search.best)}"


def _found(search, functions, told):
    """The model of a search that came to its end, with what else the data allow."""
    problem, degree, free = search.problem, search.max_degree, None
    unknown = replace(problem, knowledge=None)
    if told and (unknown.is_small(unknown.terms(degree)) or _contradiction(search, told)):
        # the data may reject what is known, or the search with it has missed something: one without it tells
        free = Search(unknown, search.form, degree).run()
        search.learn(free)
        if search.fails:
            return _without_knowledge(problem, free, told)
    solution = search.best
    if search.fails:
        return _partial(problem, solution, search.form, degree, functions)
    others = alternatives_of(search)
    model = _model(problem, solution, degree, "; ".join(filter(None, [_remark(solution), _undecided(others)])))
    wrong = _contradiction(search, told, free) if free is not None else ""
    if wrong:
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


def _check_form(form, max_degree, functions, told):
    if form not in FORMS:
        raise InvalidOption("form", form, f"one of {', '.join(map(repr, FORMS))}")
    if form == "rational" and max_degree < 2:
        raise InvalidOption("max_degree", max_degree, "at least 2 for rational right-hand sides")
    if form == "implicit" and functions:
        raise InvalidOption("functions", functions, "left out for form='implicit'")
    if form == "implicit" and told:
        raise InvalidOption("form", form, f"another one where {told.text} is given")


def _check_checkpoint(checkpoint, form, functions):
    if checkpoint is not None and form == "implicit":
        raise InvalidOption("checkpoint", checkpoint, "left out for form='implicit'")
    if checkpoint is not None and not all(isinstance(one, str) for one in functions):
        raise InvalidOption("checkpoint", checkpoint, "left out where functions are no names: whether they are the same "
                            "in the next call cannot be seen")


def _journal(checkpoint, problem, options):
    """The file of finished searches, or None; both are contexts."""
    if checkpoint is None:
        return nullcontext()
    samples = problem.samples
    parts = [samples.points, samples.covariance, samples.run, samples.row, problem.sigma, *problem.states]
    for run in problem.runs:
        parts += [run.measured, run.variance, run.inputs, run.steps]
    named = tuple(samples.names), repr(problem.dynamics), problem.known_noise, tuple(samples.windows)
    return Journal(checkpoint, digest([*parts, named, options, __version__]))


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
    many = f"{len(others)} others" if len(others) > 1 else "another one"
    return (f"not the only model that the data allow: {many} cost{'' if len(others) > 1 else 's'} at least "
            f"{others[0][2]:.1f} more, where 6 would be clear (see alternatives); longer or more runs would tell")


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
    return Model(targets=targets, field=found.field, coefficients=found.estimate.coefficients,
                 information=found.estimate.information, state_noise=np.sqrt(found.runs[0].common_variance[:d]),
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
                               problem.runs[place].inputs.T, cuts, _own_noise(problem.runs if solution is None else
                                                                              solution.selection.runs, place, d)))
    return tuple(runs)


def _own_noise(runs, place, d):
    """Standard deviation of the noise of a run, where every run has its own."""
    return None if runs[place].relative is None else np.sqrt(runs[place].variance[:d])
