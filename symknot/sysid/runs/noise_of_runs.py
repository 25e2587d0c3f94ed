r"""Noise that differs from run to run: given by labels, or estimated run by run.

Nobody says that all runs are alike: their noise may be a share of each run's own range.  Where nothing is given the levels
:math:`\sigma_r` that the runs show by themselves are compared: if noise is the same everywhere,

.. math:: \sum_r \frac{(\ln \sigma_r - \overline{\ln \sigma})^2}{v(n_r)}

is a chi-square of one degree of freedom less than there are runs; v is the variance of the estimate from n samples.  Beyond the
level of the test each run has its own noise.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from scipy.special import chdtrc

from ...ground.checks import is_real, number_list
from ...ground.errors import InvalidOption
from .shapes import MeasuredRuns
from .smoothing import noise_level


class Columns(Protocol):
    """Points and the numbers of their columns: `Samples`."""

    @property
    def points(self) -> np.ndarray: ...
    @property
    def states(self) -> np.ndarray: ...
    @property
    def targets(self) -> np.ndarray: ...
    @property
    def run(self) -> np.ndarray: ...


EACH_RUN = "each run"
"""What `noise` is called for an estimate run by run."""
LEAST_RELATIVE_NOISE = 1e-3
"""Of the noise of all runs together: a run without any would leave the others no say."""
LEAST_OF_A_RUN = 20
"""Samples of a run, at least, from which its noise is told: to a sixth."""
UNEQUAL_LEVEL = 1e-3
"""Chance that runs of equal noise are told to differ: a convention; nothing is lost but a little precision."""
VARIANCE_OF_MANY, VARIANCE_OF_FEW = 0.75, 45.0
"""Variance of the logarithm of an estimated level, times the number of samples, where these are many, and what is added to it,
times their number again.  Measured on white noise, alone and on a sine: 20 to 1000 samples, to a fifth."""
SEEN_NOISE = 1e-5
"""Noise of a variable, as a share of its spread, below which it may be what sampling leaves of the motion: a convention."""


def is_of_runs(noise: Any) -> bool:
    """Whether this says that runs differ."""
    return isinstance(noise, Mapping) or isinstance(noise, str) and noise == EACH_RUN


def noise_of_runs(trajectories: MeasuredRuns, noise: Any) -> tuple[np.ndarray, np.ndarray]:
    """Standard deviation (d,) of the noise of all runs together, and that of each run over it, (runs, d).

    Pieces of one run have one noise.

    Raises
    ------
    InvalidOption
        A run is not named, or too short to show its noise.
    """
    runs, d = trajectories.runs, len(trajectories.names)
    groups = list(dict.fromkeys(run.group for run in runs))
    known = _given(groups, noise, d) if isinstance(noise, Mapping) else _estimated(runs, groups, trajectories.names)
    each = np.array([known[run.group] for run in runs])
    lengths = np.array([len(run) for run in runs])
    common = np.sqrt(lengths @ each**2 / lengths.sum())
    relative = np.divide(each, common, out=np.ones_like(each), where=common > 0)
    return common, np.maximum(relative, LEAST_RELATIVE_NOISE)


def differ(trajectories: MeasuredRuns) -> bool:
    """Whether runs show beyond chance that they are unequally noisy.

    Examples
    --------
    >>> from symknot.sysid.runs.trajectories import Trajectories
    >>> rng = np.random.default_rng(0)
    >>> [differ(Trajectories([rng.normal(size=(99, 1)), size * rng.normal(size=(99, 1))], time=0.1)) for size in (1, 3)]
    [False, True]
    """
    runs = trajectories.runs
    groups = list(dict.fromkeys(run.group for run in runs))
    counts = np.array([sum(np.isfinite(run.states).sum(axis=0) for run in runs if run.group == group) for group in groups])
    if len(groups) < 2 or (counts < LEAST_OF_A_RUN).any():
        return False
    levels = _estimated(runs, groups, trajectories.names)
    sigma = np.array([levels[group] for group in groups])
    spread = np.nanstd(np.concatenate([run.states for run in runs]), axis=0)
    seen = (sigma > SEEN_NOISE * spread).all(axis=0)
    logs, weights = np.log(sigma[:, seen]), 1 / (VARIANCE_OF_MANY / counts + VARIANCE_OF_FEW / counts**2)[:, seen]
    away = logs - np.sum(weights * logs, axis=0) / weights.sum(axis=0)
    return bool(seen.any() and chdtrc(away.size - seen.sum(), np.sum(weights * away**2)) < UNEQUAL_LEVEL)


def of_points(samples: Columns, relative: np.ndarray) -> np.ndarray:
    """By what the covariance of each point is multiplied, (n, D, D), if its noise is `relative` (n, d) to that of all."""
    factors = np.ones(samples.points.shape)
    for first in range(0, len(samples.states), relative.shape[1]):
        factors[:, samples.states[first: first + relative.shape[1]]] = relative
    factors[:, samples.targets] = relative
    return factors[:, :, None] * factors[:, None, :]


def _given(groups, noise, d):
    named = {str(label): value for label, value in noise.items()}
    absent = [group for group in groups if str(group) not in named]
    if absent:
        raise InvalidOption("noise", ", ".join(named), f"given for every run, also for {absent[0]!r}")
    out = {}
    for group in groups:
        value = named[str(group)]
        out[group] = number_list("noise", [value] * d if is_real(value) else value, d,
                                 f"of run {group!r} a number, or {d} of them, one for each state")
        if (out[group] < 0).any():
            raise InvalidOption("noise", float(out[group].min()), f"not negative (run {group!r})")
    return out


def _estimated(runs, groups, names):
    out = {}
    for group in groups:
        own = [run for run in runs if run.group == group]
        series = [[(run.times[seen], run.states[seen, j]) for run in own for seen in [~np.isnan(run.states[:, j])]]
                  for j in range(len(names))]
        for name, of_state in zip(names, series):
            count = sum(len(y) for _, y in of_state)
            if count < LEAST_OF_A_RUN:
                raise InvalidOption("noise", EACH_RUN, f"numbers by label: the {count} samples of {name} in run {group!r} do "
                                    f"not show their noise, {LEAST_OF_A_RUN} would")
        out[group] = np.array([noise_level(one) for one in series])
    return out
