"""No motion: outputs that depend on inputs alone, row by row.  The states are the outputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...ground.errors import InvalidOption
from ..runs.samples import Samples
from ..runs.shapes import RunLike
from ..runs.trajectories import Trajectories
from .dynamics import Defects, Dynamics, Integration, Motion, register_kind
from .fields import Field
from .measurements import Measurements

DRAWN_INPUTS = 600
"""Inputs at which a response is drawn: one for each pixel or two of a picture's width."""


@register_kind
@dataclass(frozen=True)
class Static(Dynamics):
    """Responses: outputs that depend on inputs alone."""

    kind: ClassVar[str] = "static"
    title: ClassVar[str] = "responses"
    advice: ClassVar[str] = "or leave out what does not depend on the inputs"
    path_name: ClassVar[str] = "response"
    path_label: ClassVar[str] = "response"
    clock: ClassVar[str] = "row"
    moves: ClassVar[bool] = False

    # ------------------------------------------------------------------------------------------ options and samples

    def samples(self, trajectories: Trajectories, noise: Any, window: Any, *, unbiased: bool = False) -> Samples:
        if window is not None:
            raise InvalidOption("window", window, f"left alone for kind={self.kind!r}")
        return trajectories.as_responses(noise=None if isinstance(noise, str) and noise == "estimate" else noise)

    def argument_names(self, names: Sequence[str]) -> tuple[str, ...]:
        return ()

    def target_names(self, names: Sequence[str]) -> tuple[str, ...]:
        return tuple(names)

    def measured(self, samples: Samples) -> np.ndarray:
        return np.arange(len(samples.targets))

    # --------------------------------------------------------------------------------------------------- estimation

    @property
    def reach(self) -> int:
        return 0

    def defects(self, field: Field, coefficients: np.ndarray, run: Measurements, states: np.ndarray) -> Defects:
        s, n = states.shape
        f, _, by_coefficient = field.linearized(coefficients, run.inputs)
        by = np.zeros((s, field.size, n))
        by[field.owner, np.arange(field.size)] = -by_coefficient
        return Defects(states - f, (np.broadcast_to(np.eye(s)[:, :, None], (s, s, n)),), by)

    def arguments(self, states: np.ndarray, inputs: np.ndarray) -> np.ndarray:
        return inputs

    # -------------------------------------------------------------------------------------------- models in motion

    def simulate(self, model: Motion, start: Any, times: Any, inputs: Any, integration: Integration) -> np.ndarray:
        raise InvalidOption("model", "a static response", "a flow or a map to be simulated; use predict")

    def first_start(self, run: RunLike) -> None:
        return None

    def path(self, model: Motion, start: np.ndarray | None, run: RunLike, count: int) -> np.ndarray:
        return model.field.values(model.coefficients, run.inputs[:count].T).T

    # ------------------------------------------------------------------------------------------------------ showing

    def abscissa(self, model: Motion, run: RunLike, count: int) -> np.ndarray:
        return run.inputs[:count, 0] if len(model.input_names) == 1 else np.arange(count)

    def abscissa_name(self, model: Motion) -> str:
        return model.input_names[0] if len(model.input_names) == 1 else self.clock

    def drawn_path(self, model: Motion, run: RunLike, count: int) -> tuple[np.ndarray, np.ndarray]:
        if len(model.input_names) > 1:
            return np.arange(count), self.path(model, None, run, count)
        inputs = np.linspace(run.inputs.min(), run.inputs.max(), DRAWN_INPUTS)
        return inputs, model.field.values(model.coefficients, inputs[None]).T
