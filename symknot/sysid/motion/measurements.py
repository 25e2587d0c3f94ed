"""What was measured of one run, as the joint estimate sees it: points last, gaps as NaN."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np


@dataclass(frozen=True, eq=False)
class Measurements:
    """One run as the estimate sees it.

    Attributes
    ----------
    measured : (s, N) array
        NaN where a state is not measured.
    variance : (s,) array
        Of the noise.
    inputs : (q, N) array
    steps : (N - 1,) array
        Times between the states.
    """

    measured: np.ndarray
    variance: np.ndarray
    inputs: np.ndarray
    steps: np.ndarray

    def shortened(self, length: int) -> Measurements:
        """The first `length` samples."""
        return replace(self, measured=self.measured[:, :length], inputs=self.inputs[:, :length],
                       steps=self.steps[: length - 1])

    def subdivided(self, parts: int) -> Measurements:
        """The run with `parts - 1` unmeasured states between two measured ones."""
        s, N = self.measured.shape
        measured = np.full((s, (N - 1) * parts + 1), np.nan)
        measured[:, ::parts] = self.measured
        return replace(self, measured=measured, inputs=interpolated(self.inputs, parts),
                       steps=np.repeat(self.steps / parts, parts))


def interpolated(values: np.ndarray, parts: int) -> np.ndarray:
    """Linear interpolation at `parts - 1` places between neighbouring columns.

    Examples
    --------
    >>> interpolated(np.array([[0.0, 2.0, 6.0]]), 2).tolist()
    [[0.0, 1.0, 2.0, 4.0, 6.0]]
    """
    share = np.arange(parts) / parts
    between = values[:, :-1, None] * (1 - share) + values[:, 1:, None] * share
    return np.hstack([between.reshape(len(values), parts * (values.shape[1] - 1)), values[:, -1:]])
