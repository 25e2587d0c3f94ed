"""What a run and a set of runs look like to whoever works with them: `Run` and `Trajectories` are made later."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np


class RunLike(Protocol):
    """States (n, d) and inputs (n, q) of one run at increasing times: `Run` of the data, `KnottedRun` of a model."""

    @property
    def label(self) -> Any: ...
    @property
    def times(self) -> np.ndarray: ...
    @property
    def states(self) -> np.ndarray: ...
    @property
    def inputs(self) -> np.ndarray: ...
    def __len__(self) -> int: ...


class MeasuredRun(RunLike, Protocol):
    """A run of the data, which may be a piece of one with gaps: `group` is then the label of the whole."""

    @property
    def group(self) -> Any: ...
    @property
    def derivatives(self) -> np.ndarray | None: ...


class MeasuredRuns(Protocol):
    """Runs of the same variables: `Trajectories`."""

    @property
    def runs(self) -> tuple[MeasuredRun, ...]: ...
    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def input_names(self) -> tuple[str, ...]: ...
    @property
    def time_name(self) -> str: ...
    @property
    def dropped(self) -> int: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[MeasuredRun]: ...
