r"""Measured derivatives: how they are read, how large their noise is, and what they add to smoothed points.

A smoothed point of a flow holds a state and its derivative with the covariance C of their noise.  A derivative
:math:`v = x' + e` measured at the same sample, with noise of variance :math:`\tau^2`, is one more observation of it, and the
best linear combination of both is

.. math:: z \leftarrow z + k\,(v - x'), \qquad C \leftarrow C - k\, C_{x'\cdot}, \qquad
          k = C_{\cdot x'} / (C_{x'x'} + \tau^2) .
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...ground.checks import number_list
from ...ground.errors import InvalidOption, InvalidPoints
from ...reading.tables import Table
from .shapes import MeasuredRuns
from .smoothing import noise_level

LEAST_RATES = 5
"""Measured derivatives of a state, at least, from which their noise can be told."""


def rate_columns(derivatives: Any) -> Mapping[str, Any]:
    """What was given for a table: names of columns by names of states."""
    if derivatives is None:
        return {}
    if not isinstance(derivatives, Mapping):
        raise InvalidOption("derivatives", type(derivatives).__name__, 'for a table a dict from states to columns, such as '
                            '{"x": "speed"}')
    return {str(state): column for state, column in derivatives.items()}


def table_rates(table: Table, columns: Mapping[str, int], states: Sequence[int]) -> np.ndarray | None:
    """Derivatives of the states in these columns of a table, NaN where none were measured; None without any."""
    if not columns:
        return None
    names = [table.columns[j] for j in states]
    out = np.full((table.count, len(states)), np.nan)
    for state, column in columns.items():
        if state not in names:
            raise InvalidOption("derivatives", state, f"one of the states {', '.join(names)}")
        out[:, names.index(state)] = table.numbers([column])[:, 0]
    check_rate_values(out, "")
    return out


def check_rate_values(values: np.ndarray, who: str) -> None:
    """Complain about what is not finite, and if nothing was measured."""
    bad = np.argwhere(np.isinf(values))
    if len(bad):
        raise InvalidPoints(f"{who}measured derivatives must be finite, got {values[tuple(bad[0])]}; nan means missing",
                            row=int(bad[0, 0]))


def rate_noise(trajectories: MeasuredRuns) -> np.ndarray | None:
    """Standard deviation of the noise of each state's measured derivatives, NaN where there are none; None without any."""
    runs = [run for run in trajectories if run.derivatives is not None]
    if not runs:
        return None
    out = np.full(len(trajectories.names), np.nan)
    for j, name in enumerate(trajectories.names):
        seen = [(run.times[rows], run.derivatives[rows, j]) for run in runs if run.derivatives is not None
                for rows in [np.isfinite(run.derivatives[:, j])] if rows.any()]
        count = sum(len(values) for _, values in seen)
        if 0 < count < LEAST_RATES:
            raise InvalidPoints(f"{count} measured derivatives do not show their noise; give noise= with one number for each "
                                "state and for each state with measured derivatives", column=name)
        if count:
            out[j] = noise_level(seen)
    return None if np.isnan(out).all() else out


def noise_of_both(trajectories: MeasuredRuns, noise: Any) -> tuple[Any, np.ndarray | None]:
    """What was given for the noise of the states, and the noise of their derivatives: given behind it, or estimated."""
    if not any(run.derivatives is not None for run in trajectories):
        return noise, None
    d = len(trajectories.names)
    seen = np.any([np.isfinite(run.derivatives).any(axis=0) for run in trajectories if run.derivatives is not None], axis=0)
    if isinstance(noise, str) or np.ndim(noise) == 0 or len(noise) != d + seen.sum() or not seen.any():
        return noise, rate_noise(trajectories)
    given = number_list("noise", noise, len(noise), "numbers, for the states, then for their measured derivatives")
    if (given < 0).any():
        raise InvalidOption("noise", float(given.min()), "not negative")
    out = np.full(d, np.nan)
    out[seen] = given[d:]
    return given[:d], out


def improved(points: np.ndarray, covariance: np.ndarray, derivatives: np.ndarray, columns: np.ndarray,
             variance: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points (n, D) and their covariances with measured derivatives (n, d) taken into account.

    Parameters
    ----------
    columns : (d,) int array
        Where the derivatives are in the points.
    variance : (d,) array
        Of the noise of the measured ones.

    Examples
    --------
    >>> z, C = improved(np.array([[1.0, 2.0]]), np.diag([0.1, 1.0])[None], np.array([[4.0]]), np.array([1]), np.array([1.0]))
    >>> z.tolist(), np.diag(C[0]).tolist()
    ([[1.0, 3.0]], [0.1, 0.5])
    """
    points, covariance = points.copy(), covariance.copy()
    for column, values, noise in zip(columns, derivatives.T, variance):
        rows = np.flatnonzero(np.isfinite(values))
        whole = covariance[rows, column, column] + noise
        gain = np.divide(covariance[rows, :, column], whole[:, None], out=np.zeros((len(rows), points.shape[1])),
                         where=whole[:, None] > 0)
        points[rows] += gain * (values[rows] - points[rows, column])[:, None]
        covariance[rows] -= gain[:, :, None] * covariance[rows, column][:, None, :]
    return points, covariance


def measured_rates(trajectories: MeasuredRuns, run: np.ndarray, row: np.ndarray) -> np.ndarray:
    """Measured derivatives at rows of runs, (n, d); NaN where there are none."""
    out = np.full((len(run), len(trajectories.names)), np.nan)
    for number, one in enumerate(trajectories):
        if one.derivatives is not None:
            here = run == number
            out[here] = one.derivatives[row[here]]
    return out
