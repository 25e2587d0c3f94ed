"""Kinds of dynamics: the one contract that `identify`, simulation, scores, pictures, reports and files work with.

A kind says how samples are made of measured runs, what its equations say about neighbouring states (the *defects*,
which vanish on a true model), how a model of it is followed from a start, and in which words and lines it is shown.
Nothing else in the package asks which kind there is.  Three come with it, each in a file of its own: `flow`, `map`
and `static`; "flow", "map" and "static" are their short names (`kinds`).  Another one is a subclass of `Dynamics`:
``identify(data, kind=MyKind())``.

Arrays of the estimate have their points last: states (s, N), inputs (q, N).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Protocol

import numpy as np

from ...ground.errors import InvalidOption
from ...ground.storage import plain
from ..runs.samples import Samples
from ..runs.shapes import RunLike
from ..runs.trajectories import Trajectories
from .fields import Field
from .measurements import Measurements


@dataclass(frozen=True, eq=False)
class Defects:
    """Defects of one run, linearised.

    Attributes
    ----------
    values : (s, n) array
    blocks : tuple of (s, s, n) arrays
        Derivatives of defect i by the states i, i + 1, ...
    by_coefficient : (s, P, n) array
    scale : (s,) array, optional
        What counts as a small variance of each defect; that of the noise of the states by default.
    allowed : (s,) array, optional
        Variance that each defect has anyway; none by default.
    """

    values: np.ndarray
    blocks: tuple[np.ndarray, ...]
    by_coefficient: np.ndarray
    scale: np.ndarray | None = None
    allowed: np.ndarray | None = None


@dataclass(frozen=True)
class DrawingStyle:
    """How a picture draws knots and paths, in matplotlib's words.

    Attributes
    ----------
    knot_line, knot_marker : str
        "" for none.
    knot_alpha : float
        Opacity.
    path_line : str
    path_width : float
        In points.
    """

    knot_line: str = ""
    knot_marker: str = "o"
    knot_alpha: float = 1.0
    path_line: str = "-"
    path_width: float = 0.6


class Motion(Protocol):
    """What a kind needs to know of a model; `Model` is one."""

    @property
    def state_names(self) -> tuple[str, ...]: ...
    @property
    def input_names(self) -> tuple[str, ...]: ...
    @property
    def arguments(self) -> tuple[str, ...]: ...
    @property
    def targets(self) -> tuple[str, ...]: ...
    @property
    def dynamics(self) -> Dynamics: ...
    @property
    def field(self) -> Field: ...
    @property
    def coefficients(self) -> np.ndarray: ...
    @property
    def state_noise(self) -> np.ndarray: ...
    @property
    def runs(self) -> tuple: ...


@dataclass(frozen=True)
class Integration:
    """How differential equations are to be integrated: see `simulation.simulate`.  Other kinds do not look at it."""

    method: str = "LSODA"
    rtol: float = 1e-9
    atol: float | None = None


@dataclass(frozen=True)
class Dynamics(ABC):
    """A kind of dynamics.

    `samples`, `defects`, `arguments` and `simulate` must be written; what else there is has defaults that suit
    equations for the next state.  Subclasses are small frozen dataclasses, whose fields are whole numbers (saved with
    a model by `as_json`) and say which member of the kind it is, such as the order of differential equations.

    Attributes
    ----------
    kind : str
        Short name, for files and messages.
    title : str
        What its equations are called in a report.
    advice : str
        What else one may try where no equation was found; the end of a sentence.
    path_name, path_label : str
        What a drawn prediction is called, in a picture's title and in its legend.
    clock : str
        What runs along with the states: "t", "step".
    style : DrawingStyle
    most_drawn : int or None
        Samples of a run that a picture shows; None for all.
    moves : bool
        Whether states lead to other states, so that something may stay constant along a run.
    is_smooth : bool
        Whether states follow each other smoothly, so that data show their noise without a model and may be smoothed.
    subdivides : bool
        Whether its defects are exact only for short steps: `step_errors` then says how far off they are, and the time
        between samples is divided until that does not matter.
    knows_pulls : bool
        Whether it has `pulls`, so that its equations may have more terms than can be estimated at once.
    slacks : tuple of float
        Variances that the defects are allowed in the first steps of an estimate, in units of the noise's (see `joint`).
    largest_cut_share : float
        Share of the defects that may be given up (see `joint`).

    See Also
    --------
    symknot.sysid.motion.static.Static : the shortest of those that come with the package
    """

    kind: ClassVar[str]
    title: ClassVar[str] = "equations"
    advice: ClassVar[str] = "or bring more data"
    path_name: ClassVar[str] = "simulation"
    path_label: ClassVar[str] = "simulation from the first knot"
    clock: ClassVar[str] = "step"
    style: ClassVar[DrawingStyle] = DrawingStyle()
    most_drawn: ClassVar[int | None] = None
    moves: ClassVar[bool] = True
    is_smooth: ClassVar[bool] = False
    subdivides: ClassVar[bool] = False
    knows_pulls: ClassVar[bool] = False
    slacks: ClassVar[tuple[float, ...]] = ()
    largest_cut_share: ClassVar[float] = 0.0

    # ------------------------------------------------------------------------------------------ options and samples

    @classmethod
    def from_options(cls, order: int, lags: int) -> Dynamics:
        """The member that the options `order` and `lags` of `identify` ask for; 1 and 0 mean that none was given."""
        if order != 1:
            raise InvalidOption("order", order, f"left alone for kind={cls.kind!r}")
        if lags != 0:
            raise InvalidOption("lags", lags, f"0 for kind={cls.kind!r}")
        return cls()

    @classmethod
    def from_samples(cls, samples: Samples) -> Dynamics:
        """The member whose samples these are."""
        return cls()

    @abstractmethod
    def samples(self, trajectories: Trajectories, noise: Any, window: Any, *, unbiased: bool = False) -> Samples:
        """Points of the right-hand sides' arguments and targets, made of measured runs.

        Parameters
        ----------
        trajectories : Trajectories
        noise, window
            As `identify` was given them.
        unbiased : bool
            Whether the points will be used as they are, so that bias counts more than noise.
        """

    def argument_names(self, names: Sequence[str]) -> tuple[str, ...]:
        """Names of the right-hand sides' arguments, inputs left out, if the measured states have these names."""
        return tuple(names)

    def target_names(self, names: Sequence[str]) -> tuple[str, ...]:
        """Names of what the equations give."""
        return tuple(f"{name}_next" for name in names)

    def measured(self, samples: Samples) -> np.ndarray:
        """Numbers of the measured states (of the trajectories) that the equations are for."""
        return samples.states[: len(samples.targets)]

    def restricted(self, samples: Samples, kept: np.ndarray) -> Samples | None:
        """Samples in which only the equations `kept` are sought and the other states are inputs; None if senseless."""
        return None

    def start_of_estimate(self, samples: Samples, number: int) -> tuple[Measurements, np.ndarray]:
        """Run `number` of the trajectories for the joint estimate, of noise 1, and first guesses of its states."""
        run = samples.trajectories.runs[number]
        measured = run.states.T.copy()
        return Measurements(measured, np.ones(len(measured)), run.inputs.T, np.diff(run.times)), measured.copy()

    def noise_of_start(self, samples: Samples, size: int) -> np.ndarray:
        """Standard deviation of the noise of all `size` states of the estimate, as data show it; NaN where they do not."""
        sigma = np.full(size, np.nan)
        if samples.sigma is not None:
            sigma[: len(samples.targets)] = samples.sigma[self.measured(samples)]
        return sigma

    # --------------------------------------------------------------------------------------------------- estimation

    @property
    def reach(self) -> int:
        """How far apart the states of one defect are."""
        return 1

    def rows_of_equations(self, field: Field, run: Measurements) -> slice:
        """Where the defects of the field's equations are among all."""
        return slice(run.states - field.equations, run.states)

    @abstractmethod
    def defects(self, field: Field, coefficients: np.ndarray, run: Measurements, states: np.ndarray) -> Defects:
        """Defects of the states of one run."""

    @abstractmethod
    def arguments(self, states: np.ndarray, inputs: np.ndarray) -> np.ndarray:
        """Arguments of the right-hand sides, (a, n), in the defects of a run with these states and inputs."""

    def pulls(self, field: Field, coefficients: np.ndarray, run: Measurements, states: np.ndarray, multipliers: np.ndarray,
              degree: int) -> tuple[np.ndarray, np.ndarray]:
        """Minus the derivatives of the misfit by the coefficients of all monomials up to `degree` in all equations, (m, K), and
        the squares of the monomials, (K,), for kinds whose equations may have many terms."""
        raise NotImplementedError(f"{type(self).__name__} has many terms and must say how they pull")

    @property
    def time_derivatives(self) -> int:
        """How many derivatives by time the targets are, of which the arguments have the lower ones; 0 for none."""
        return 0

    def step_errors(self, field: Field, coefficients: np.ndarray, run: Measurements, states: np.ndarray) -> np.ndarray:
        """By how much the defects (s, n) differ from those of steps without error, for kinds that subdivide."""
        raise NotImplementedError(f"{type(self).__name__} subdivides and must say how far off its steps are")

    # -------------------------------------------------------------------------------------------- models in motion

    @abstractmethod
    def simulate(self, model: Motion, start: Any, times: Any, inputs: Any, integration: Integration) -> np.ndarray:
        """States (len(times), d) that follow from a start; see `simulation.simulate`."""

    def state_size(self, measured: int) -> int:
        """Numbers that make up the state at one moment, if so many are measured."""
        return measured

    def whole_states(self, run: RunLike) -> np.ndarray:
        """States (N, s) at every moment of a run, also what is not measured of them."""
        return run.states

    @property
    def least_samples(self) -> int:
        """Samples that a run needs for a prediction to be compared with."""
        return self.reach + 1

    def first_start(self, run: RunLike) -> np.ndarray | None:
        """A start of `simulate` read off the first samples of a run; None if predictions need none."""
        return run.states[: self.reach].copy()

    def path(self, model: Motion, start: np.ndarray | None, run: RunLike, count: int) -> np.ndarray:
        """Predicted states at the first `count` samples of a run."""
        inputs = run.inputs[:count] if model.input_names else None
        return self.simulate(model, start, count, inputs, Integration())

    def next_samples(self, model: Motion, run: RunLike) -> tuple[np.ndarray, np.ndarray]:
        """Measured states and what the model makes of the samples before each: two (m, d) arrays."""
        seen = Measurements(run.states.T, np.ones(run.states.shape[1]), run.inputs.T, np.diff(run.times))
        ahead = run.states[self.reach:]
        return ahead, ahead - self.defects(model.field, model.coefficients, seen, run.states.T).values.T

    # ------------------------------------------------------------------------------------------------------ showing

    def abscissa(self, model: Motion, run: RunLike, count: int) -> np.ndarray:
        """Where a picture draws the first `count` samples of a run, from left to right."""
        return np.arange(count)

    def abscissa_name(self, model: Motion) -> str:
        """What runs from left to right."""
        return self.clock

    def drawn_path(self, model: Motion, run: RunLike, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Abscissas and states of the prediction that a picture shows; `SimulationFailed` holds what was reached."""
        inputs = run.inputs[:count] if model.input_names else None
        start = run.states[: self.reach]
        return np.arange(count), self.simulate(model, start, count, inputs, Integration())

    def measured_targets(self, run: Any) -> np.ndarray | None:
        """What the targets were measured to be, (n, d), a row for each column of `arguments`; None where they were not."""
        return None

    # -------------------------------------------------------------------------------------------------------- files

    def as_json(self) -> dict:
        """What a saved model says of its kind: the short name, and the fields of a dataclass."""
        return {"kind": self.kind, **{entry.name: plain(getattr(self, entry.name)) for entry in fields(self)}}

    @classmethod
    def from_json(cls, content: dict) -> Dynamics:
        """The member that `as_json` described; every entry is to be checked, a `ValueError` refuses it."""
        return cls()


_KINDS: dict[str, type[Dynamics]] = {}


def register_kind(cls: type[Dynamics]) -> type[Dynamics]:
    """Make a kind known under its short name, to `identify` and to saved models; a decorator of its class."""
    if _KINDS.get(cls.kind, cls) is not cls:
        raise InvalidOption("kind", cls.kind, f"a new name: {_KINDS[cls.kind].__name__} has this one")
    _KINDS[cls.kind] = cls
    return cls


def registered_kinds() -> dict[str, type[Dynamics]]:
    """Short name -> class, of all kinds known now."""
    return dict(_KINDS)
