r"""How well a model foretells runs that it has not seen: `score`.

Two questions are asked of every run.  *Simulation*: from one state at its beginning, does the model follow the
whole run?  The measured first state carries noise, and an error there is none of the model's; so the start is the
one from which the simulation comes nearest to the data (least squares, first over a few samples, then over twice as
many, and so on, which keeps to the valley of the true start).  *Next sample*: from each measured state, where does
the model lead until the next sample?  This has a meaning for chaotic systems, too, whose simulation must leave any
run after a while.  Both answers are shares of the variance explained,

.. math:: R^2 = 1 - \sum_i (y_i - \hat y_i)^2 / \sum_i (y_i - \bar y)^2 .
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from ...ground.errors import InvalidOption, SimulationFailed
from ...ground.wording import visible
from ..runs.shapes import RunLike
from ..runs.trajectories import runs_of
from .dynamics import Motion
from .reporting import table
from .simulation import PointwiseField

FIRST_SAMPLES = 16
"""Samples over which the start is fitted first: enough to average noise, few enough for any start to be followed."""
MOST_SAMPLES = 2000
"""Samples over which it is fitted at last: the start is then known to a fortieth of the noise or better, and each
simulation takes a fraction of a second."""
LOST_SHARE = 0.5
"""A simulation whose error is this share of the states' own spread has lost the run: longer windows say nothing."""
START_STEP = 1e-5
"""Step of the start for derivatives, in units of each state's size: between the root of the simulation's tolerance,
1e-4, and where its error would be seen, 1e-6."""
FAR_OFF = 1e3
"""Where a simulation fails, states count as so many times the largest of the data, and so many spreads."""
START_FTOL, START_XTOL = 1e-5, 1e-6
"""Relative changes of the squares, and of the start, at which its fit ends: far below what noise leaves open."""
START_EVALUATIONS = 8
"""Evaluations of the fit at each length; the next length goes on from there."""


@dataclass(frozen=True, eq=False)
class RunScore:
    """One run.

    Attributes
    ----------
    label : object
    samples : int
    simulation, next_sample : (d,) arrays
        R2 of each state; -inf where the simulation failed, NaN where the state does not vary or the run is too short.
    start : array or None
        Where the simulation began: as `simulate` takes it.
    failure : str or None
        Why the simulation did not reach the end.
    """

    label: object
    samples: int
    simulation: np.ndarray
    next_sample: np.ndarray
    start: np.ndarray | None
    failure: str | None


@dataclass(frozen=True, eq=False)
class Score:
    """How well a model foretells runs.  ``str`` makes a table of it.

    Attributes
    ----------
    names : tuple of str
    runs : tuple of RunScore
    simulation, next_sample : (d,) arrays
        R2 of each state over all runs together; -inf where a simulation failed.
    """

    names: tuple[str, ...]
    runs: tuple[RunScore, ...]
    simulation: np.ndarray
    next_sample: np.ndarray

    @property
    def overall(self) -> float:
        """R2 of the simulations, the mean over the states."""
        return _mean(self.simulation)

    @property
    def overall_next_sample(self) -> float:
        """R2 of the next samples, the mean over the states."""
        return _mean(self.next_sample)

    def __repr__(self):
        return (f"<Score of {len(self.runs)} run(s): simulation R2 {self.overall:.4g}, next sample R2 "
                f"{self.overall_next_sample:.4g}>")

    def __str__(self):
        rows = [["run", "samples", *self.names, *(f"next {name}" for name in self.names)]]
        rows += [[str(run.label), str(run.samples), *map(_shown, (*run.simulation, *run.next_sample))]
                 for run in self.runs]
        rows.append(["all", str(sum(run.samples for run in self.runs)),
                     *map(_shown, (*self.simulation, *self.next_sample))])
        lines = ["R2 of simulations, and of the samples next to measured ones", *table(rows)]
        lines += [f"run {run.label}: {run.failure}" for run in self.runs if run.failure]
        overall = f"overall: simulation {_shown(self.overall)}, next sample {_shown(self.overall_next_sample)}"
        return visible("\n".join([*lines, overall]))


def score(model: Motion, data: Any, time: Any = None, group: str | None = None, inputs: Any = ()) -> Score:
    """How well a model foretells runs, best ones that it has not been made from.

    Parameters
    ----------
    model : Model
    data : Trajectories, array, list or dict of arrays, DataFrame, or path of a data file
        Of the same states and inputs, by name.
    time, group, inputs
        As in `Trajectories`, for data that are no Trajectories yet.

    Returns
    -------
    Score
        A simulation that fails is reported there, with its reason, not raised.

    Examples
    --------
    >>> from symknot.ground.errors import Status
    >>> from symknot.sysid.motion.flow import Flow
    >>> from symknot.sysid.motion.fields import Field
    >>> from symknot.sysid.motion.model import Model
    >>> field = Field(1, 1, (np.array([1]),), (np.array([], dtype=int),), (0,))
    >>> decay = Model(("x",), (), ("x",), ("x'",), Flow(), field, np.array([-1.0]), np.eye(1), np.ones(1), np.ones(1),
    ...               {}, (), Status.FOUND, "")
    >>> t = np.linspace(0, 3, 40)
    >>> print(score(decay, {"a": np.exp(-t), "b": 2 * np.exp(-t)}, time=t[1]))
    R2 of simulations, and of the samples next to measured ones
    run  samples       x  next x
    a         40  1.0000  1.0000
    b         40  1.0000  1.0000
    all       80  1.0000  1.0000
    overall: simulation 1.0000, next sample 1.0000
    """
    arranged = _arranged(runs_of(data, time, group, inputs), model)
    runs, followed, foretold = [], [], []
    for run in arranged:
        result, path, following = _scored(model, run)
        runs.append(result)
        followed.append(path)
        foretold.append(following)
    return Score(model.state_names, tuple(runs), _together(followed, len(model.state_names)),
                 _together(foretold, len(model.state_names)))


def _arranged(data, model):
    """The runs with the model's states and inputs; a state without an equation counts as an input of the others."""
    have = data.names + data.input_names
    absent = [name for name in model.state_names + model.input_names if name not in have]
    if absent:
        raise InvalidOption("data", ", ".join(have), f"with all states and inputs of the model, also {absent[0]!r}")
    states, inputs = ([have.index(name) for name in names] for names in (model.state_names, model.input_names))
    return [replace(run, states=both[:, states], inputs=both[:, inputs])
            for run in data for both in [np.c_[run.states, run.inputs]]]


def _scored(model, run):
    """The `RunScore`, and the pairs (measured, foretold) of both questions; None for what is too short."""
    least = model.dynamics.least_samples
    if len(run) < least:
        none = np.full(len(model.state_names), np.nan)
        why = f"too short: {len(run)} samples, {least} needed"
        return RunScore(run.label, len(run), none, none, None, why), None, None
    with np.errstate(all="ignore"):
        following = model.dynamics.next_samples(model, run)
    start = fitted_start(model, run)
    try:
        path, failure = (run.states, model.dynamics.path(model, start, run, len(run))), None
    except SimulationFailed as error:
        path, failure = (run.states, np.full(run.states.shape, np.nan)), str(error)
    return RunScore(run.label, len(run), _r2(*path), _r2(*following), start, failure), path, following


def fitted_start(model: Motion, run: RunLike, most: int = MOST_SAMPLES) -> np.ndarray | None:
    """The start from which a simulation comes nearest to the first `most` states of a run, as `simulate` takes it.

    None for kinds of dynamics that need none.
    """
    start = model.dynamics.first_start(run)
    if start is None:
        return None
    scale = np.broadcast_to(PointwiseField(model).scale(start), start.shape).ravel()
    count = min(FIRST_SAMPLES, len(run))
    while True:
        found, left = _nearest_start(model, run, start, scale, count)
        if left > LOST_SHARE and count > FIRST_SAMPLES:
            return start
        start = found
        if count >= min(len(run), most):
            return start
        count = min(2 * count, len(run), most)


def _nearest_start(model, run, start, scale, count):
    """The start from which a simulation comes nearest to the first `count` states, and what is left in spreads."""
    from scipy.optimize import least_squares  # here for the sake of a quick import

    spread = np.where(run.states.std(axis=0) > 0, run.states.std(axis=0), 1.0)

    @lru_cache(maxsize=4)                              # derivatives begin where the value was just asked for
    def path_from(x):
        try:
            return model.dynamics.path(model, np.reshape(x, start.shape), run, count)
        except SimulationFailed as error:             # what was reached counts, the rest is far off
            states = np.full((count, len(spread)), FAR_OFF * (np.abs(run.states).max() + spread.max()))
            states[: len(error.states)] = error.states
            return states

    def residuals(x):
        return ((path_from(tuple(x)) - run.states[:count]) / spread).ravel()

    def slopes(x):
        here = residuals(x)
        columns = [(residuals(x + step) - here) / START_STEP for step in START_STEP * np.diag(scale)]
        return np.stack(columns, axis=1) / scale

    fit = least_squares(residuals, start.ravel(), slopes, x_scale=scale, ftol=START_FTOL, xtol=START_XTOL,
                        max_nfev=START_EVALUATIONS)
    return fit.x.reshape(start.shape), float(np.sqrt(np.mean(fit.fun**2)))


def _r2(measured, foretold):
    """Share of the variance explained, for each state; -inf where something is not finite."""
    total = np.sum((measured - measured.mean(axis=0)) ** 2, axis=0)
    with np.errstate(all="ignore"):
        share = 1 - np.sum((measured - foretold) ** 2, axis=0) / total
    return np.where(total > 0, np.where(np.isnan(share), -np.inf, share), np.nan)


def _together(pairs, d):
    pairs = [pair for pair in pairs if pair is not None]
    return _r2(*(np.concatenate(part) for part in zip(*pairs))) if pairs else np.full(d, np.nan)


def _mean(values):
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else float("nan")


def _shown(value):
    if not np.isfinite(value):
        return "failed" if value == -np.inf else "-"
    return f"{value:.4f}" if value > -1000 else f"{value:.0e}"
