r"""Equations of motion followed from a start: `simulate`, and what every kind of dynamics needs for it.

A flow :math:`\dot x = a(x, u) / b(x, u)` is integrated step by step (`integration`); a map is iterated (`map`).  Two
things end a simulation early, and both are looked for after every step: a state that leaves the data's range by a
factor of a million, and a denominator b that vanishes or changes its sign, where the right-hand side says nothing.
(Small is a denominator next to the smallest of its terms on the data: that of 1 + x^4 is not, wherever x goes.)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...ground.blocks import blocks
from ...ground.checks import is_real, number_list
from ...ground.errors import InvalidOption
from ...polynomials.evaluation import monomials_at
from .dynamics import Integration, Motion
from .functions import with_functions

BLOW_UP_RATIO = 1e6
"""A state this many times larger than on the data is on its way to infinity: no law measured there holds so far out."""
SINGULAR_RATIO = 1e-6
"""A denominator this many times smaller than its smallest term on the data is zero: its digits are gone."""
LARGEST_STEP = 2**53
"""Steps beyond this are no whole numbers in floats."""

def simulate(model: Motion, start: Any, times: Any, inputs: Any = None, *, method: str = "LSODA", rtol: float = 1e-9,
             atol: float | None = None) -> np.ndarray:
    """States that follow from a start.

    Parameters
    ----------
    model : Model
    start : sequence of float
        Of a flow the state at ``times[0]``; of one of second order the state and then its velocity.  Of a map the first
        state, or with lags the first ``lags + 1`` states, one row each, the oldest first.
    times : sequence of float, or int
        Of a flow increasing times.  Of a map increasing steps (whole numbers, 0 being the first row of `start`), or
        a number n for the steps 0, ..., n - 1.
    inputs : array, table, dict or callable, optional
        Needed by a model with inputs.  Of a flow one row for each time, interpolated by splines where they are smooth,
        else linearly; of a map one row for
        each step from 0 to the last.  A callable takes a time (a step) to the inputs.
    method : str
        An integrator of `scipy.integrate`: "LSODA", "RK23", "RK45", "DOP853", "Radau" or "BDF".  Flows only.
    rtol, atol : float
        Its tolerances; by default `atol` is 1e-11 of each state's size.

    Returns
    -------
    (len(times), d) array
        The measured states; of a flow of second order without the velocities.

    Raises
    ------
    SimulationFailed
        A state grows beyond all bounds, a denominator vanishes, or the integrator gives up; the message says when and
        where, and the error holds the `times` and `states` that were reached.

    Examples
    --------
    >>> from symknot.ground.errors import Status
    >>> from symknot.sysid.motion.flow import Flow
    >>> from symknot.sysid.motion.fields import Field
    >>> from symknot.sysid.motion.model import Model
    >>> field = Field(1, 1, (np.array([1]),), (np.array([], dtype=int),), (0,))
    >>> decay = Model(("x",), (), ("x",), ("x'",), Flow(), field, np.array([-1.0]), np.eye(1), np.ones(1), np.ones(1),
    ...               {}, (), Status.FOUND, "")
    >>> simulate(decay, [1.0], [0.0, 1.0, 2.0]).round(6).ravel().tolist()
    [1.0, 0.367879, 0.135335]
    """
    return model.dynamics.simulate(model, start, times, inputs, Integration(method, rtol, atol))


class PointwiseField:
    """A model's right-hand sides, for one point at a time, and the sizes of everything on the data.

    Attributes
    ----------
    size : int
        Numbers that make up the state at one moment: of a flow of second order twice the number of variables.
    rational : bool
        Whether there is a denominator.
    """

    def __init__(self, model: Motion):
        field, self.model = model.field, model
        above, below = field.matrices(model.coefficients)
        used = np.flatnonzero(above.any(axis=0) | below.any(axis=0))     # few monomials occur, many are candidates
        self.exponents = field.exponents[used].astype(float)
        self.above, self.below, self.rational = above[:, used], below[:, used], not field.is_polynomial
        self.size = model.dynamics.state_size(len(model.state_names))

    def parts(self, point: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Numerators and denominators at one point."""
        values = monomials_at(with_functions(point, self.model.field.functions), self.exponents)
        return self.above @ values, self.below @ values

    def values(self, point: np.ndarray) -> np.ndarray:
        """Right-hand sides at one point."""
        above, below = self.parts(point)
        return above / below if self.rational else above

    def scale(self, start: np.ndarray) -> np.ndarray:
        """Size of each state, on the data and at the start; where all are zero, 1."""
        sizes = np.abs(np.atleast_2d(start)[:, : self.size]).max(axis=0)
        for run in self.model.runs:
            sizes = np.maximum(sizes, np.abs(self.model.dynamics.whole_states(run)).max(axis=0))
        return np.where(sizes > 0, sizes, sizes.max() if sizes.any() else 1.0)

    def denominators(self, point: np.ndarray) -> np.ndarray:
        """Root-mean-square of each denominator's smallest term on the data; without data its size at `point`."""
        points = np.concatenate([np.empty((0, len(point))), *(self._arguments(run) for run in self.model.runs)])
        points = points if len(points) else np.asarray(point)[None]
        points = with_functions(points.T, self.model.field.functions).T
        squares = sum(np.sum(monomials_at(points[part], self.exponents) ** 2, axis=0)
                      for part in blocks(len(points), self.exponents.size))
        terms = np.abs(self.below) * np.sqrt(squares / len(points))
        return np.where(terms > 0, terms, np.inf).min(axis=1)

    def _arguments(self, run):
        dynamics = self.model.dynamics
        return dynamics.arguments(dynamics.whole_states(run).T, run.inputs.T).T


class Guard:
    """Looks after every step whether the equations still say something.

    Parameters
    ----------
    field : PointwiseField
    scale : (s,) array
        Size of each state.
    point : array
        Arguments of the right-hand sides at the start, where denominators have their sign.
    """

    def __init__(self, field: PointwiseField, scale: np.ndarray, point: np.ndarray):
        self.field, self.scale = field, scale
        self.names = field.model.arguments[: field.size]
        self.when = field.model.dynamics.clock
        if field.rational:
            self.usual = field.denominators(point)
            self.sign = np.sign(field.parts(point)[1])

    def complaint(self, time: float, state: np.ndarray, point: np.ndarray, large: float = BLOW_UP_RATIO,
                  small: float = SINGULAR_RATIO) -> str | None:
        """What is wrong at this state, in words; None if nothing is."""
        if self.field.rational:
            below = self.field.parts(point)[1] * self.sign / self.usual
            if not (below > small).all():
                j = int(np.argmin(np.nan_to_num(below, nan=-np.inf)))
                target = self.field.model.targets[j]
                return (f"the denominator of {target} vanishes near {self.when} = {time:.6g}, where "
                        f"{self._place(state)}: the equations do not say what {target} is there; start elsewhere, or "
                        "stop before")
        ratio = np.abs(state) / self.scale
        if not (ratio < large).all():
            j = int(np.argmax(np.nan_to_num(ratio, nan=np.inf)))
            size = f"{ratio[j]:.2g} times larger than on the data" if np.isfinite(ratio[j]) else "no finite number"
            return (f"{self.names[j]} grows beyond all bounds: at {self.when} = {time:.6g} it is {size}; stop before, "
                    "or start nearer to the data")
        return None

    def _place(self, state):
        return ", ".join(f"{name} = {value:.6g}" for name, value in zip(self.names, state))


def checked_times(times: Any) -> np.ndarray:
    """Increasing times as an array."""
    if is_real(times):
        raise InvalidOption("times", times, "a sequence of increasing times")
    try:
        array = np.array(times, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise InvalidOption("times", times, "a sequence of increasing times") from None
    if array.ndim != 1 or not len(array):
        raise InvalidOption("times", array.shape, "a sequence of increasing times, at least one")
    if not np.isfinite(array).all():
        raise InvalidOption("times", float(array[~np.isfinite(array)][0]), "finite")
    late = np.flatnonzero(np.diff(array) <= 0)
    if len(late):
        raise InvalidOption("times", array[late[0]: late[0] + 2].tolist(), "increasing")
    return array


def checked_steps(steps: Any) -> np.ndarray:
    """Increasing whole numbers; a single one is their number."""
    if is_real(steps):
        if not 1 <= steps < LARGEST_STEP or steps != int(steps):
            raise InvalidOption("times", steps, "for a map a number of steps >= 1, or increasing whole numbers")
        return np.arange(int(steps))
    steps = checked_times(steps)
    if (steps != np.floor(steps)).any() or steps[0] < 0 or steps[-1] > LARGEST_STEP:
        raise InvalidOption("times", steps[[0, -1]].tolist(), "for a map steps: whole numbers from 0 on")
    return steps.astype(np.int64)


def first_rows(start: Any, reach: int, model: Motion) -> np.ndarray:
    """The first `reach` states of a map, (reach, d), the oldest first."""
    d = len(model.state_names)
    rule = (f"{d} finite numbers: {', '.join(model.state_names)}" if reach == 1 else
            f"{reach} rows of {d} finite numbers ({', '.join(model.state_names)}), the oldest first")
    try:
        array = np.array(start, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise InvalidOption("start", start, rule) from None
    if array.ndim == 1 and 1 in (reach, d) or array.ndim == 0 and reach * d == 1:
        array = array.reshape(-1, d) if array.size % d == 0 else array
    if array.shape != (reach, d) or not np.isfinite(array).all():
        raise InvalidOption("start", array.tolist() if array.shape == (reach, d) else array.shape, rule)
    return array


def rowwise_inputs(inputs: Any, count: int, names: Sequence[str]) -> Callable:
    """Inputs as a function of the step."""
    if not names or callable(inputs):
        return checked_function(inputs, 0, names)
    rows = input_rows(inputs, count, names, "one for each step from 0 to the last")
    return lambda step: rows[step]


def checked_function(inputs: Any, first: float, names: Sequence[str]) -> Callable:
    """Inputs given as a function, tried at the `first` time; without names one that returns nothing."""
    if not names:
        if inputs is not None:
            raise InvalidOption("inputs", type(inputs).__name__, "None: the model has no inputs")
        nothing = np.empty(0)
        return lambda t: nothing
    number_list("inputs", np.atleast_1d(inputs(first)), len(names),
                f"a function that returns {len(names)} finite numbers: {', '.join(names)}")
    return lambda t: np.atleast_1d(np.asarray(inputs(t), dtype=float))


def named_rows(what: str, values: Any, names: Sequence[str]) -> np.ndarray:
    """Rows (n, k) of numbers: an array, (n,) for one name, or a table or dict that has columns of these names.

    Examples
    --------
    >>> named_rows("states", {"x": [1, 2], "note": "", "y": [3, 4]}, ["x", "y"]).tolist()
    [[1.0, 3.0], [2.0, 4.0]]
    """
    rule = f"rows of {len(names)} numbers ({', '.join(names)}), or columns of these names"
    if isinstance(values, Mapping) or hasattr(values, "columns"):
        missing = [name for name in names if name not in (values if isinstance(values, Mapping) else list(values.columns))]
        if missing:
            raise InvalidOption(what, type(values).__name__, f"with a column {missing[0]!r}")
        values = [np.asarray(values[name]) for name in names]
        values = np.column_stack(values) if len({len(column) for column in values}) == 1 else None
    try:
        array = np.array(values, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise InvalidOption(what, type(values).__name__, rule) from None
    array = array[:, None] if array.ndim == 1 and len(names) == 1 else array
    if array.ndim != 2 or array.shape[1] != len(names):
        raise InvalidOption(what, "none" if values is None else f"shape {array.shape}", rule)
    return array


def input_rows(inputs: Any, count: int, names: Sequence[str], which: str) -> np.ndarray:
    """Inputs given as an array, (count, q); `which` says what the rows are."""
    rule = (f"an array of {count} rows ({which}) of {len(names)} finite numbers ({', '.join(names)}), or a function of "
            "time")
    if isinstance(inputs, Mapping) or hasattr(inputs, "columns"):
        inputs = named_rows("inputs", inputs, names)
    try:
        array = np.array(inputs, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise InvalidOption("inputs", type(inputs).__name__, rule) from None
    if array.ndim == 1 and len(names) == 1:
        array = array[:, None]
    if array.shape != (count, len(names)) or not np.isfinite(array).all():
        got = ("none" if inputs is None else "an array with numbers that are not finite"
               if array.shape == (count, len(names)) else f"shape {array.shape}")
        raise InvalidOption("inputs", got, rule)
    return array
