"""How noisy the states of measured runs are, given or as the data show: everywhere the same, or by run, or by value."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ground.checks import is_real, number_list
from ...ground.errors import InvalidOption
from .noise_of_runs import EACH_RUN, differ, is_of_runs, noise_of_runs
from .noise_of_values import RELATIVE, checked_word, noise_of_values
from .shapes import MeasuredRuns
from .smoothing import noise_level


def levels_of_noise(trajectories: MeasuredRuns, noise: Any) -> tuple[
        np.ndarray, np.ndarray | None, tuple[np.ndarray, ...] | None]:
    """Standard deviation (d,) of the noise of a flow's states; that of each run over it, (runs, d), where runs differ; that of
    each value over it, an (n, d) array for each run, where noise grows with the value."""
    if isinstance(noise, str) and checked_word(noise) != EACH_RUN:
        growing = noise_of_values(trajectories)
        if noise == RELATIVE or growing.is_seen:
            return growing.sigma, None, growing.relative
        noise = EACH_RUN if differ(trajectories) else noise
    return (*noise_of_runs(trajectories, noise), None) if is_of_runs(noise) else (one_level(trajectories, noise), None, None)


def one_level(trajectories: MeasuredRuns, noise: Any) -> np.ndarray:
    """Standard deviation (d,) of the noise, the same everywhere: given, or estimated for a word."""
    d = len(trajectories.names)
    if isinstance(noise, str):
        return np.array([noise_level(series_of(trajectories, j)) for j in range(d)])
    sigma = number_list("noise", [noise] * d if is_real(noise) else noise, d,
                        f"'estimate', a number, or {d} of them, one for each state")
    if (sigma < 0).any():
        raise InvalidOption("noise", float(sigma.min()), "not negative")
    return sigma


def series_of(trajectories: MeasuredRuns, j: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Times and values of one variable where it was measured, for each run."""
    seen = [~np.isnan(run.states[:, j]) for run in trajectories]
    return [(run.times[rows], run.states[rows, j]) for run, rows in zip(trajectories, seen)]
