r"""What was measured of one run, as the joint estimate sees it: points last, gaps as NaN.

Inputs are known at the samples and needed between them.  An input is taken to be *smooth*, and interpolated by a cubic spline,
if samples left out are foretold better so than linearly: with neighbours at distances alike, by
:math:`\tfrac16(-u_{-2} + 4 u_{-1} + 4 u_1 - u_2)` rather than by :math:`\tfrac12(u_{-1} + u_1)`.  Steps and noise are
foretold better linearly, and are interpolated so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.interpolate import CubicSpline

from .relations import Relation

LEAST_SMOOTH_SAMPLES = 6
"""Samples with which an input may be found to be smooth: two that are foretold from two on either side."""


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
    smooth : (q,) bool array, optional
        Inputs that are interpolated by splines; none by default.
    rates : (m,) int array, optional
        Equations whose left-hand sides were measured, too: the last m rows of `measured`.
    relative : (s,) array, optional
        Variance of this run's noise over that of all runs; 1 by default.
    uneven : (s, N) array, optional
        Variance of each value over `variance`, where noise grows with the value; 1 by default.
    relations : tuple of Relation
        That the states satisfy beside the equations of motion.
    """

    measured: np.ndarray
    variance: np.ndarray
    inputs: np.ndarray
    steps: np.ndarray
    smooth: np.ndarray | None = None
    rates: np.ndarray | None = None
    relative: np.ndarray | None = None
    relations: tuple[Relation, ...] = ()
    uneven: np.ndarray | None = None

    @property
    def states(self) -> int:
        """Rows of `measured` that are states."""
        return len(self.measured) - (0 if self.rates is None else len(self.rates))

    def with_variance(self, variance: np.ndarray) -> Measurements:
        """The run with this variance, in the share that is its own."""
        return replace(self, variance=variance if self.relative is None else variance * self.relative)

    @property
    def common_variance(self) -> np.ndarray:
        """What its variance says of that of all runs."""
        return self.variance if self.relative is None else self.variance / self.relative

    @property
    def variances(self) -> np.ndarray:
        """Of the noise of every value, (s, N)."""
        if self.uneven is None:
            return np.broadcast_to(self.variance[:, None], self.measured.shape)
        return self.variance[:, None] * self.uneven

    def shortened(self, length: int) -> Measurements:
        """The first `length` samples."""
        return replace(self, measured=self.measured[:, :length], inputs=self.inputs[:, :length],
                       steps=self.steps[: length - 1], uneven=None if self.uneven is None else self.uneven[:, :length])

    def subdivided(self, parts: int) -> Measurements:
        """The run with `parts - 1` unmeasured states between two measured ones."""
        s, N = self.measured.shape
        measured = np.full((s, (N - 1) * parts + 1), np.nan)
        measured[:, ::parts] = self.measured
        between = np.stack([self.inputs_after(k / parts) for k in range(parts)], axis=2) if len(self.inputs) else self.inputs
        inputs = np.hstack([between.reshape(len(self.inputs), -1), self.inputs[:, -1:]]) if len(self.inputs) else \
            np.empty((0, measured.shape[1]))
        uneven = None if self.uneven is None else np.repeat(self.uneven, parts, axis=1)[:, : measured.shape[1]]
        return replace(self, measured=measured, inputs=inputs, steps=np.repeat(self.steps / parts, parts), uneven=uneven)

    def inputs_after(self, share: float) -> np.ndarray:
        """Inputs (q, N - 1) when this share of each step has passed."""
        values = self.inputs[:, :-1] + share * np.diff(self.inputs, axis=1)
        if self.smooth is not None and self.smooth.any() and 0 < share < 1:
            values[self.smooth] = np.polyval(self._spline, share)
        return values

    @cached_property
    def _spline(self):
        """Coefficients of the smooth inputs' cubic pieces, (4, smooth ones, N - 1), the highest first, in shares of a step."""
        steps = np.abs(self.steps)                                                  # time may run backwards
        spline = CubicSpline(np.r_[0.0, np.cumsum(steps)], self.inputs[self.smooth], axis=1)
        return spline.c.transpose(0, 2, 1) * steps ** np.arange(3, -1, -1)[:, None, None]


def smooth_inputs(inputs: np.ndarray) -> np.ndarray:
    """Which inputs (q, N) are smooth.

    Examples
    --------
    >>> t = np.arange(40.0)
    >>> smooth_inputs(np.stack([np.sin(t / 2), np.sign(np.sin(t / 2)), t % 2])).tolist()
    [True, False, False]
    """
    if inputs.shape[1] < LEAST_SMOOTH_SAMPLES:
        return np.zeros(len(inputs), dtype=bool)
    far, near, there = (inputs[:, :-4] + inputs[:, 4:], inputs[:, 1:-3] + inputs[:, 3:-1], inputs[:, 2:-2])
    straight, curved = near / 2 - there, (4 * near - far) / 6 - there
    return np.sum(curved**2, axis=1) < np.sum(straight**2, axis=1)
