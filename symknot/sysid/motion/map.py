r"""Difference equations: the defect is :math:`x_{t+k} - f(x_t, x_{t-1}, \dots, u_t)`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...ground.checks import whole_number
from ...ground.errors import InvalidOption, SimulationFailed
from ...ground.storage import checked
from ..runs.samples import Samples, map_columns
from ..runs.trajectories import Trajectories
from .dynamics import Defects, DrawingStyle, Dynamics, Integration, Motion, register_kind
from .fields import Field
from .measurements import Measurements
from .simulation import Guard, PointwiseField, checked_steps, first_rows, rowwise_inputs

MAP_SLACKS = (1.0, 1.0, 0.3, 0.1, 0.1, 0.03, 0.01, 3e-3, 1e-3, 1e-4, 1e-4, 1e-6, 1e-6)
"""Variances that the defects are allowed in the first steps, in units of the noise's: from as large as the noise down
to nothing, two steps at levels where a chaotic map's states still change places."""
MAP_CUT_SHARE = 0.25
"""Share of the steps that may be given up, at folds: a steep map (the logistic one taken twice) needs many, and what is
left still determines the coefficients."""
MOST_LAGS = 1000
"""Lags, and steps ahead, that a file may ask for: far beyond any data, far below what would fill the memory."""
DRAWN_STEPS = 150
"""Steps that a picture shows: more make a black bar."""


@register_kind
@dataclass(frozen=True)
class Map(Dynamics):
    """Difference equations: the state `ahead` steps on, from the present one and `lags` earlier ones.

    Examples
    --------
    >>> Map(1).argument_names(["x"]), Map(1).target_names(["x"])
    (('x', 'x_lag1'), ('x_next',))
    """

    lags: int = 0
    ahead: int = 1

    kind: ClassVar[str] = "map"
    title: ClassVar[str] = "difference equations"
    advice: ClassVar[str] = "or allow more lags"
    style: ClassVar[DrawingStyle] = DrawingStyle()
    most_drawn: ClassVar[int] = DRAWN_STEPS
    slacks: ClassVar[tuple[float, ...]] = MAP_SLACKS
    largest_cut_share: ClassVar[float] = MAP_CUT_SHARE

    # ------------------------------------------------------------------------------------------ options and samples

    @classmethod
    def from_options(cls, order: int, lags: int) -> Map:
        if order != 1:
            raise InvalidOption("order", order, f"left alone for kind={cls.kind!r}")
        return cls(whole_number("lags", lags, 0))

    @classmethod
    def from_samples(cls, samples: Samples) -> Map:
        return cls(len(samples.states) // len(samples.targets) - 1, samples.ahead)

    def samples(self, trajectories: Trajectories, noise: Any, window: Any, *, unbiased: bool = False) -> Samples:
        if window is not None:
            raise InvalidOption("window", window, f"left alone for kind={self.kind!r}")
        noise = None if isinstance(noise, str) and noise == "estimate" else noise
        return trajectories.with_shift(self.ahead, lags=self.lags, noise=noise)

    def argument_names(self, names: Sequence[str]) -> tuple[str, ...]:
        return map_columns(names, self.lags, self.ahead)[0]

    def target_names(self, names: Sequence[str]) -> tuple[str, ...]:
        return map_columns(names, self.lags, self.ahead)[1]

    # --------------------------------------------------------------------------------------------------- estimation

    @property
    def reach(self) -> int:
        return self.lags + self.ahead

    def defects(self, field: Field, coefficients: np.ndarray, run: Measurements, states: np.ndarray) -> Defects:
        s, n = len(states), states.shape[1] - self.reach
        f, slopes, by_coefficient = field.linearized(coefficients, self.arguments(states, run.inputs))
        blocks = [np.zeros((s, s, n)) for _ in range(self.reach + 1)]
        for lag in range(self.lags + 1):
            blocks[self.lags - lag] = -slopes[:, lag * s: (lag + 1) * s]
        blocks[-1] = np.broadcast_to(np.eye(s)[:, :, None], (s, s, n))
        by = np.zeros((s, field.size, n))
        by[field.owner, np.arange(field.size)] = -by_coefficient
        return Defects(states[:, self.reach:] - f, tuple(blocks), by)

    def arguments(self, states: np.ndarray, inputs: np.ndarray) -> np.ndarray:
        n = max(states.shape[1] - self.reach, 0)
        delayed = [states[:, self.lags - lag: self.lags - lag + n] for lag in range(self.lags + 1)]
        return np.vstack([*delayed, inputs[:, self.lags: self.lags + n]])

    # -------------------------------------------------------------------------------------------- models in motion

    def simulate(self, model: Motion, start: Any, times: Any, inputs: Any, integration: Integration) -> np.ndarray:
        reach, lags, d = self.reach, self.lags, len(model.state_names)
        steps = checked_steps(times)
        first = first_rows(start, reach, model)
        count = int(steps[-1]) + 1
        control = rowwise_inputs(inputs, count, model.input_names)
        field = PointwiseField(model)
        states = np.empty((max(count, reach), d))
        states[:reach] = first
        guard = None
        with np.errstate(all="ignore"):
            for i in range(reach, count):
                now = i - self.ahead
                point = np.r_[states[now - lags: now + 1][::-1].ravel(), control(now)]
                guard = guard or Guard(field, field.scale(first), point)
                above, below = field.parts(point)
                states[i] = above / below if field.rational else above
                # a map may jump across a zero of its denominator: only at the zero itself it has no value
                guard.sign = np.sign(below)
                failure = guard.complaint(i, states[i], point)
                if failure:
                    kept = steps[steps < i]
                    raise SimulationFailed(failure, kept, states[kept])
        return states[steps]

    # ------------------------------------------------------------------------------------------------------ showing

    def measured_targets(self, run: Any) -> np.ndarray:
        return run.measured[self.reach:]

    # -------------------------------------------------------------------------------------------------------- files

    @classmethod
    def from_json(cls, content: dict) -> Map:
        lags, ahead = checked(content["lags"], int), checked(content["ahead"], int)
        if not 0 <= lags < MOST_LAGS or not 0 < ahead < MOST_LAGS:
            raise ValueError(f"{lags} lags, {ahead} steps ahead: need 0 to {MOST_LAGS - 1}, 1 to {MOST_LAGS - 1}")
        return cls(lags, ahead)
