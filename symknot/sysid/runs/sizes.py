"""Whether what was measured has sizes with which one can compute, and changes at all; missing values are NaN."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ...ground.errors import InvalidPoints
from .shapes import MeasuredRun, MeasuredRuns

LARGEST_VALUE = 1e40
"""Beyond this and its inverse the squares of monomials of degree 3, 1e240, come near the end of floats' range,
1e308."""


def check_sizes(runs: Iterable[MeasuredRun], names: Sequence[str], most: float = LARGEST_VALUE) -> None:
    """Complain about states whose powers would leave the range of floating-point numbers."""
    values = [run.states for run in runs]
    for j, name in enumerate(names):
        spread = max(_spread(states[:, j]) for states in values)
        largest = max(float(np.abs(states[:, j]).max(initial=0.0, where=~np.isnan(states[:, j]))) for states in values)
        if largest > most or 0 < spread < 1 / most:
            raise InvalidPoints(f"sizes must be between {1 / most:g} and {most:g}, or powers are "
                                f"lost, got {largest:.3g} with changes of {spread:.3g}; use other units", column=name)


def _spread(values):
    """Largest less smallest of those that were measured."""
    seen = values[~np.isnan(values)]
    with np.errstate(over="ignore"):
        return float(np.ptp(seen)) if len(seen) else 0.0


def check_rates(runs: Iterable[MeasuredRun], names: Sequence[str], order: int) -> None:
    """The same for derivatives, by the steps of time, of states that change at all."""
    runs = list(runs)
    steps = np.concatenate([np.abs(np.diff(run.times)) for run in runs])
    for j, name in enumerate(names):
        spread = max(_spread(run.states[:, j]) for run in runs)
        for step in (steps.min(initial=np.inf), steps.max(initial=0.0)):
            with np.errstate(all="ignore"):
                rate = float(spread / np.float64(step) ** order)
            if spread and 0 < step < np.inf and not 1 / LARGEST_VALUE <= rate <= LARGEST_VALUE:
                raise InvalidPoints(f"changes of {spread:.3g} within time steps of {step:.3g} make derivatives that are not "
                                    f"between {1 / LARGEST_VALUE:g} and {LARGEST_VALUE:g}; use another unit of time",
                                    column=name)


def check_states(trajectories: MeasuredRuns) -> None:
    """Complain about their sizes, and about states that are constant."""
    check_sizes(trajectories, trajectories.names)
    for j, name in enumerate(trajectories.names):
        if all(_spread(run.states[:, j]) == 0 for run in trajectories):
            raise InvalidPoints("does not change during any run, so it has no equation of its own; leave it out, or "
                                "pass it as an input", column=name)
