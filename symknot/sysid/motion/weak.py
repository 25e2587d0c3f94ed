"""Partial differential equations as models: a kind of dynamics whose points are moments, linear in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...ground.errors import InvalidOption
from ..runs.samples import Samples
from ..runs.trajectories import Trajectories
from .dynamics import Integration, Motion, register_kind
from .static import Static


@register_kind
@dataclass(frozen=True)
class Weak(Static):
    """Moments of ``u_t`` from those of terms such as ``u_xx``, rectangle by rectangle; see `sysid.space`."""

    kind: ClassVar[str] = "weak"
    title: ClassVar[str] = "partial differential equations"
    advice: ClassVar[str] = "or raise max_order"
    path_name: ClassVar[str] = "moments"
    path_label: ClassVar[str] = "moments"
    clock: ClassVar[str] = "rectangle"

    def samples(self, trajectories: Trajectories, noise: Any, window: Any, *, unbiased: bool = False) -> Samples:
        raise InvalidOption("kind", self.kind, "left to symknot.identify_field, which takes fields on a grid")

    def target_names(self, names: Sequence[str]) -> tuple[str, ...]:
        return tuple(f"{name}_t" for name in names)

    def simulate(self, model: Motion, start: Any, times: Any, inputs: Any, integration: Integration) -> np.ndarray:
        raise InvalidOption("model", "a partial differential equation", "a flow or a map to be simulated")
