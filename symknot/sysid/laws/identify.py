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

from ..._version import __version__
from ...ground.calls import call_text, noted
from ...ground.checks import whole_number
from ...ground.deadline import Deadline
from ...ground.errors import FitInterrupted, InvalidOption, Status
from ...ground.journal import Journal, digest
from ..motion.checks import unless_wrong
from ..motion.dynamics import Dynamics
from ..motion.implicit import ImplicitModel, implicit_model
from ..motion.kinds import kind_of_options, kind_of_samples
from ..motion.knowledge_options import Told
from ..motion.model import Model
from ..motion.problem import problem_of
from ..motion.progressed import Steps
from ..runs.samples import Samples
from ..runs.spikes import LOSSES, Spike, checked_loss
from ..runs.trajectories import runs_or_samples_of
from .constrained import AUTO, Wanted, kept_of, kept_to
from .hidden import check_hidden, with_hidden_state

__all__ = ["FORMS", "LOSSES", "identify"]

FORMS = ("auto", "polynomial", "rational", "implicit")
MOST_OPERATIONS = 4e11
"""Multiplications, about, of a search without `timeout`: one or two minutes of one core (measured, 5e9 in a second).  A
convention; fifteen times what the Lorenz 96 system of ten states takes at degree 2 with 1000 samples."""


def identify(data: Any, max_degree: int = 3, *, kind: str | Dynamics = "flow", order: int = 1, lags: int = 0,
             form: str = "auto", noise: str | float | Sequence[float] | Mapping[Any, Any] = "estimate",
             window: int | None = None, functions: str | Sequence[Any] = (), known: Mapping[str, Any] | None = None,
             fixed: Mapping[str, Mapping[str, Any]] | None = None, forbidden: Any = None, only: Any = None,
             signs: Mapping[str, Mapping[str, Any]] | None = None, shared: Any = None, symmetry: Any = None,
             units: Mapping[str, str] | None = None, time: Any = None, group: str | None = None,
             inputs: Any = (), derivatives: Any = None, constraints: str | Sequence[str] | None = AUTO,
             invariants: bool | Sequence[str] = False, hidden: int = 0, loss: str = "auto", timeout: float | None = None,
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
    noise : "estimate", "each run", "relative", float, sequence of float, or dict
        Standard deviation of the measurement noise; that of measured derivatives may follow that of the states.  Of
        differential equations it is estimated run by run where runs differ beyond chance ("each run": in any case), and in
        part in proportion to the value where it grows with that ("relative": in any case); a dict from labels of runs says
        what it is in each.
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
    constraints : "auto", None, or sequence of str
        Algebraic equations that the states satisfy, such as ``["x**2 + y**2 = 1"]``.  The joint estimate keeps to them, and of
        right-hand sides that are the same where they hold the shortest is taken.  "auto" looks for them in several runs of a
        flow, up to degree 3 in few states, as `symknot.conserved` does; those that are given are kept to beside what is found.
    invariants : bool, or sequence of str
        True to look for what stays constant along every run, or texts such as ``["v**2 + 4*x**2"]``; the joint estimate then
        keeps to it exactly.
    hidden : {0, 1}
        States that were not measured at all, beside the measured ones of differential equations of first order.  It is called
        h, and is what one equation makes it; the message says which, and what of it cannot be seen.
    loss : {"auto", "squares"}
        Of differential equations "auto" leaves out single values that are far from what their neighbours tell; they are
        `spikes` of the model.  "squares" trusts every value.
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
    >>> import numpy as np
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
    trusting = checked_loss(loss) == "squares" or form == "implicit"
    wanted = Wanted(constraints, invariants)
    data = runs_or_samples_of(data, time, group, inputs, derivatives)
    left_out: tuple[Spike, ...] = ()
    with deadline.ruling("identify"):
        if not (trusting or isinstance(data, Samples)) and kind_of_options(kind, order, lags).is_smooth:
            data, left_out = data.without_spikes()
        if check_hidden(hidden, data, (kind, order, lags, form), {
                told.text: told, "functions": not isinstance(functions, Sequence) or len(functions) > 0,
                "checkpoint": checkpoint, "constraints": wanted.are_given, "invariants": invariants}):
            model = with_hidden_state(data, noise, window, form, max_degree)
            return noted(unless_wrong(_without(model, left_out)), call)
        samples, dynamics = _samples(data, (kind, order, lags), noise, window, form)
        wanted.check(dynamics, form)
        if form == "implicit":
            return noted(implicit_model(samples, max_degree), call)
        known_noise = not isinstance(noise, str) and samples.sigma is not None
        problem = problem_of(samples, dynamics, known_noise, functions, told, max_degree)
        kept = kept_of(samples.trajectories, dynamics, noise, wanted, max_degree)
        with _journal(checkpoint, problem, (max_degree, form, functions, told, kept.text)) as journal:
            model = kept_to(kept, replace(problem, steps=Steps(journal)), form, max_degree, functions, told)
    model = _without(model, left_out)
    if model.status is Status.INTERRUPTED:
        raise FitInterrupted(noted(model, call))
    return noted(unless_wrong(model), call)


def _without(model, spikes):
    """The model, with the values that were left out."""
    return replace(model, spikes=spikes) if spikes else model


def _samples(data, kind, noise, window, form):
    """Samples, and their kind of dynamics."""
    if isinstance(data, Samples):
        return data, kind_of_samples(data, kind[0])
    dynamics = kind_of_options(*kind)
    if not dynamics.time_derivatives and any(run.derivatives is not None for run in data.whole):
        raise InvalidOption("derivatives", "measured ones", f"left out for kind={dynamics.kind!r}")
    return dynamics.samples(data, noise, window, unbiased=form == "implicit"), dynamics


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
        parts += [run.measured, run.variances, run.inputs, run.steps]
    named = tuple(samples.names), repr(problem.dynamics), problem.known_noise, tuple(samples.windows)
    return Journal(checkpoint, digest([*parts, named, options, __version__]))
