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

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...ground.calls import call_text, noted
from ...ground.checks import whole_number
from ...ground.deadline import Deadline
from ...ground.errors import EARLY_ENDS, ENDED_EARLY, FitInterrupted, InvalidOption, Status, ended_by
from ...polynomials.monomials import count
from ..runs.samples import Samples
from ..runs.trajectories import runs_or_samples_of
from .checks import unless_wrong
from .dynamics import Dynamics
from .fields import Field
from .functions import CandidateFunction
from .implicit import ImplicitModel, implicit_model
from .kinds import kind_of_options, kind_of_samples
from .model import COUNTS_AS_INPUT, KnottedRun, Model
from .problem import decides, gains_from_denominators, is_rejected, misfit_in_noise, problem_of, solution_of, uses_degree

FORMS = ("auto", "polynomial", "rational", "implicit")
REMARKABLE_TERM_SHARE = 0.5
"""Equations that use more than this share of the candidates come with a remark: laws are sparse ..."""
FEW_TERMS = 6
"""... unless they have fewer terms each than this, as simple laws among few candidates do.  An equation of so many
terms may be the beginning of a series, so that a fraction is tried in its place."""
HOPELESS_RATIO = 10.0
"""With many data first guesses are reliable: degrees whose value is so many times that of the highest are not tried
alone."""
LARGEST_GUESS_VALUE = 1.5
"""First guesses with a larger value (misfit over noise) are to blame where the equations as a whole are rejected.  A
convention, above what the bias of smoothing (see `samples`) mostly makes of a true equation's value."""


def identify(data: Any, max_degree: int = 3, *, kind: str | Dynamics = "flow", order: int = 1, lags: int = 0,
             form: str = "auto", noise: str | float | Sequence[float] = "estimate", window: int | None = None,
             functions: Sequence[CandidateFunction] = (), time: Any = None, group: str | None = None,
             inputs: Any = (), timeout: float | None = None) -> Model | ImplicitModel:
    """Equations of motion of measured runs.

    Parameters
    ----------
    data : Trajectories, array, list or dict of arrays, DataFrame, path of a data file, or Samples
        Samples come from `with_derivatives`, `with_shift` or `as_responses` of `Trajectories`; they bring the options
        kind, order, lags, noise and window with them.
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
    noise : "estimate", float, or sequence of float
        Standard deviation of the measurement noise.
    window : int, optional
        Samples that the first smoothing of a flow takes together; chosen from the data by default.
    functions : sequence of CandidateFunction
        Functions of single states or inputs that right-hand sides may use beside powers, and in products with them
        (`symknot.sysid.motion.functions`).
    time, group, inputs
        As in `Trajectories`, for data that are no Trajectories yet.  Without `time` samples are 1 apart.
    timeout : float, optional
        Seconds after which the search ends with the best equations found so far and `Status.OUT_OF_TIME`.

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
    call, deadline = call_text(identify, locals()), Deadline(timeout)
    max_degree = whole_number("max_degree", max_degree, 1)
    _check_form(form, max_degree, functions)
    data = runs_or_samples_of(data, time, group, inputs)
    with deadline.ruling("identify"):
        if isinstance(data, Samples):
            samples, dynamics = data, kind_of_samples(data, kind)
        else:
            dynamics = kind_of_options(kind, order, lags)
            samples = dynamics.samples(data, noise, window, unbiased=form == "implicit")
        if form == "implicit":
            return noted(implicit_model(samples, max_degree), call)
        problem = problem_of(samples, dynamics, not isinstance(noise, str) and samples.sigma is not None, functions)
        model = _searched(problem, form, max_degree, functions)
    if model.status is Status.INTERRUPTED:
        raise FitInterrupted(noted(model, call))
    return noted(unless_wrong(model), call)


def _searched(problem, form, max_degree, functions):
    """The model, of what was finished where the search was ended early."""
    degree = problem.carried_degree(max_degree)
    try:
        solution = _best_solution(problem, form, degree)
        if solution is not None and not is_rejected(problem, solution):
            model = _model(problem, solution, degree, _remark(solution))
        else:
            model = _partial(problem, solution, form, degree, functions)
    except EARLY_ENDS as end:
        status = ended_by(end)
        finished = [one for one in problem.finished if not is_rejected(problem, one)]
        best = _better(problem, None, finished)
        model = _model(problem, best, degree, status.advice, status)
    if degree == max_degree:
        return model
    terms = count(problem.arguments + len(problem.functions), degree + 1)
    said = (f"looked up to degree {degree} only: equations of degree {degree + 1} have {terms} terms, too many for "
            f"{len(problem.samples)} samples")
    return replace(model, message=f"{model.message}; {said}" if model.message else said)


def _check_form(form, max_degree, functions):
    if form not in FORMS:
        raise InvalidOption("form", form, f"one of {', '.join(map(repr, FORMS))}")
    if form == "rational" and max_degree < 2:
        raise InvalidOption("max_degree", max_degree, "at least 2 for rational right-hand sides")
    if form == "implicit" and functions:
        raise InvalidOption("functions", functions, "left out for form='implicit'")


def _best_solution(problem, form, max_degree):
    """The polynomial or rational solution of least cost; None where nothing converged."""
    targets = range(len(problem.samples.targets))
    polynomials = [problem.guess(j, max_degree) for j in targets]
    best = None
    if form != "rational":
        best = solution_of(problem, polynomials)
        if _doubtful(problem, best, max_degree):
            # what is sought may have been hidden among too many terms
            lower = [degree for degree in range(1, max_degree) if problem.is_small(len(polynomials[0].numerator)) or
                     all(guess.values[degree - 1] <= HOPELESS_RATIO * guess.values[-1] for guess in polynomials)]
            best = _better(problem, best, (solution_of(problem, [problem.guess(j, degree) for j in targets])
                                           for degree in lower))
    doubtful = _doubtful(problem, best, max_degree)
    if form == "polynomial" or max_degree < 2 or not doubtful:
        return best
    if best is not None and decides(problem) and not is_rejected(problem, best):
        heavy = {j for j in doubtful if np.sum(best.selection.field.owner == j) >= FEW_TERMS}
        doubtful = sorted(heavy.union(gains_from_denominators(best, doubtful, max_degree)))
    return _with_fractions(problem, best, polynomials, doubtful, max_degree)


def _with_fractions(problem, best, polynomials, doubtful, max_degree):
    """The best solution with fractions for some of the doubtful targets, or for none."""
    chosen = {}
    for j in [*doubtful, *doubtful] if best is not None else ():          # what failed at first may work beside others
        before = chosen
        for degree in range(2, max_degree + 1) if j not in chosen else ():
            other = _fractions(problem, polynomials, {**before, j: degree}, best)
            if other is not None and _better(problem, best, [other]) is other:
                best, chosen = other, {**before, j: degree}
    if len(chosen) < len(doubtful) and (best is None or is_rejected(problem, best)):
        best = _better(problem, best, (_fractions(problem, polynomials, dict.fromkeys(doubtful, degree), None)
                                       for degree in range(2, max_degree + 1)))
    return best


def _doubtful(problem, solution, max_degree):
    """Targets whose polynomial is rejected or needs the highest degree allowed."""
    targets = range(len(problem.samples.targets))
    if solution is None or is_rejected(problem, solution):
        return list(targets)
    return [j for j in targets if uses_degree(solution, j, max_degree)]


def _better(problem, best, others):
    """The one that is not rejected, and among these the one of least cost."""
    for other in others:
        if other is None:
            continue
        if best is None or (is_rejected(problem, other), other.cost) < (is_rejected(problem, best), best.cost):
            best = other
    return best


def _fractions(problem, polynomials, degrees, base):
    """The solution with fractions of these degrees (target -> degree), the other targets with the terms of `base`."""
    guesses = [problem.guess(j, degrees[j], rational=True) if j in degrees else guess
               for j, guess in enumerate(polynomials)]
    kept = [None if j in degrees or base is None else set(base.selection.field.numerators[j].tolist())
            for j in range(len(polynomials))]
    return solution_of(problem, guesses, kept)


def _partial(problem, solution, form, max_degree, functions):
    """A model of those states alone whose equations are believable, the others as inputs; or of none."""
    samples, names = problem.samples, problem.samples.names
    degrees = {"polynomial": (False,), "rational": (True,)}.get(form, (False, True) if max_degree > 1 else (False,))
    values = np.array([min(problem.guess(j, max_degree, rational).value for rational in degrees)
                       for j in range(len(samples.targets))])
    good = np.flatnonzero(values <= LARGEST_GUESS_VALUE)
    blamed = ", ".join(f"{names[samples.targets[j]]} ({values[j]:.3g} times the noise)"
                       for j in np.flatnonzero(values > LARGEST_GUESS_VALUE)) or (
        "any state" if solution is None else "the states together (" + ", ".join(
            f"{value:.3g}" for value in misfit_in_noise(problem, solution)[: len(values)]) + " times the noise)")
    message = (f"no equation of degree <= {max_degree} describes {blamed}; raise max_degree, add the variables "
               f"that are missing, {problem.dynamics.advice}")
    smaller = problem.dynamics.restricted(samples, good) if 0 < len(good) < len(values) else None
    if smaller is not None:
        part = problem_of(smaller, problem.dynamics, problem.known_noise, functions)
        solution = _best_solution(part, form, max_degree)
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


def _model(problem, solution, max_degree, message, status=Status.FOUND):
    samples = problem.samples
    names = tuple(samples.trajectories.names[k] for k in problem.dynamics.measured(samples))
    inputs = tuple(samples.names[k] for k in samples.inputs)
    arguments = tuple(samples.names[k] for k in (*samples.states, *samples.inputs))
    targets = tuple(samples.names[k] for k in samples.targets)
    guesses = {}
    if status not in ENDED_EARLY or all(problem.has_guess(j, max_degree) for j in range(len(targets))):
        found = [problem.guess(j, max_degree).values for j in range(len(targets))]
        guesses = {degree: tuple(values[degree - 1] for values in found) for degree in range(1, max_degree + 1)}
    d = len(targets)
    common = {"state_names": names, "input_names": inputs, "arguments": arguments, "dynamics": problem.dynamics,
              "guesses": guesses}
    if solution is None:
        nothing = Field(len(arguments), 1, (), (), ())
        return Model(targets=(), field=nothing, coefficients=np.zeros(0), information=np.zeros((0, 0)),
                     state_noise=problem.sigma[:d], values=np.full(d, np.nan), runs=_knotted(problem, None),
                     status=status if status in ENDED_EARLY else Status.NOTHING_FOUND, message=message, **common)
    found = solution.selection
    return Model(targets=targets, field=found.field, coefficients=found.estimate.coefficients,
                 information=found.estimate.information, state_noise=np.sqrt(found.runs[0].variance[:d]),
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
                               problem.runs[place].inputs.T, cuts))
    return tuple(runs)
