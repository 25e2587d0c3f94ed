r"""Equations of motion followed from a start: `simulate`.

A flow :math:`\dot x = a(x, u) / b(x, u)` is integrated step by step (scipy's integrators, driven by hand so that
whatever was reached is never lost); a map is iterated.  Two things end a simulation early, and both are looked for
after every step: a state that leaves the data's range by a factor of a million, and a denominator b that vanishes
or changes its sign, where the right-hand side says nothing.  (Small is a denominator next to the smallest of its
terms on the data: that of 1 + x^4 is not, wherever x goes.)
"""

from __future__ import annotations

import warnings

import numpy as np

from ...ground.checks import is_real, number_list, positive_number
from ...ground.errors import InvalidOption, SimulationFailed
from ...polynomials.monomials import monomials
from ...ground.blocks import blocks

METHODS = ("LSODA", "RK23", "RK45", "DOP853", "Radau", "BDF")
BLOWN_UP = 1e6
"""A state this many times larger than on the data is on its way to infinity."""
GROWN = 30.0
"""So many times larger, it explains why an integrator gives up ..."""
SINGULAR = 1e-6
"""A denominator this much smaller than its smallest term on the data is zero ..."""
NEARLY_SINGULAR = 1e-3
"""... and so much smaller it explains why an integrator gives up."""
MOST_STEPS = 100_000
"""Steps of an integrator, beside ten for each time asked for."""


def simulate(model, start, times, inputs=None, *, method="LSODA", rtol=1e-9, atol=None):
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
    inputs : array or callable, optional
        Needed by a model with inputs.  Of a flow one row for each time, interpolated linearly; of a map one row for
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
    >>> from symknot.sysid.motion.dynamics import Flow
    >>> from symknot.sysid.motion.fields import Field
    >>> from symknot.sysid.motion.model import Model
    >>> field = Field(1, 1, (np.array([1]),), (np.array([], dtype=int),), (0,))
    >>> decay = Model(("x",), (), ("x",), ("x'",), Flow(), field, np.array([-1.0]), np.eye(1), np.ones(1), np.ones(1),
    ...               {}, (), "")
    >>> simulate(decay, [1.0], [0.0, 1.0, 2.0]).round(6).ravel().tolist()
    [1.0, 0.367879, 0.135335]
    """
    if model.kind == "static":
        raise InvalidOption("model", "a static response", "a flow or a map to be simulated; use predict")
    if model.kind == "map":
        return _iterated(model, start, times, inputs)
    if method not in METHODS:
        raise InvalidOption("method", method, f"one of {', '.join(METHODS)}")
    rtol = positive_number("rtol", rtol)
    times = checked_times(times)
    system = System(model)
    start = number_list("start", [start] if is_real(start) else start, system.size, _start_rule(model))
    atol = 1e-11 * system.scale(start) if atol is None else positive_number("atol", atol)
    control = _interpolated(inputs, times, model.input_names)
    longest = np.diff(times).min() if len(times) > 1 and len(model.input_names) and not callable(inputs) else np.inf
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")                   # LSODA warns where it fails; the error says so, too
        reached, failure = _followed(system, start, times, control, method,
                                     {"rtol": rtol, "atol": atol, "max_step": longest})
    states = reached[:, : len(model.names)]
    if failure:
        raise SimulationFailed(failure, times[: len(states)], states)
    return states


class System:
    """A model's right-hand sides, for one point at a time, and the sizes of everything on the data.

    Attributes
    ----------
    size : int
        Numbers that make up the state of a flow: of one of second order twice the number of variables.
    """

    def __init__(self, model):
        field, self.model = model.field, model
        above, below = field.matrices(model.coefficients)
        used = np.flatnonzero(above.any(axis=0) | below.any(axis=0))     # few monomials occur, many are candidates
        self.exponents = monomials(field.arguments, field.degree).exponents[used].astype(float)
        self.above, self.below, self.rational = above[:, used], below[:, used], not field.is_polynomial
        self.known = len(model.names) if model.kind == "flow" and model.dynamics.order == 2 else 0
        self.size = len(model.names) + self.known

    def parts(self, point):
        """Numerators and denominators at one point."""
        values = np.prod(point**self.exponents, axis=1)
        return self.above @ values, self.below @ values

    def rates(self, state, inputs):
        """Derivatives of the state of a flow."""
        above, below = self.parts(np.concatenate([state, inputs]))
        f = above / below if self.rational else above
        return np.concatenate([state[self.known:], f]) if self.known else f

    def scale(self, start):
        """Size of each state, on the data and at the start; where all are zero, 1."""
        sizes = np.abs(np.atleast_2d(start)[:, : self.size]).max(axis=0)
        for run in self.model.runs:
            sizes = np.maximum(sizes, np.abs(self._states(run)).max(axis=0))
        return np.where(sizes > 0, sizes, max(sizes.max(), 1e-300) if sizes.any() else 1.0)

    def denominators(self, point):
        """Root-mean-square of each denominator's smallest term on the data; without data its size at `point`."""
        points = np.concatenate([np.empty((0, len(point))), *(self._arguments(run) for run in self.model.runs)])
        points = points if len(points) else np.asarray(point)[None]
        squares = sum(np.sum(np.prod(points[part, None] ** self.exponents, axis=2) ** 2, axis=0)
                      for part in blocks(len(points), self.exponents.size))
        terms = np.abs(self.below) * np.sqrt(squares / len(points))
        return np.where(terms > 0, terms, np.inf).min(axis=1)

    def _states(self, run):
        """Knots of a run, of a flow of second order with velocities."""
        if run.states.shape[1] >= self.size:
            return run.states[:, : self.size]
        slopes = np.gradient(run.states, run.times, axis=0) if len(run) > 1 else np.zeros_like(run.states)
        return np.c_[run.states, slopes]

    def _arguments(self, run):
        states, lags = self._states(run), self.model.dynamics.lags if self.model.kind == "map" else 0
        count = max(len(states) - lags, 0)
        delayed = [states[lags - lag: lags - lag + count] for lag in range(lags + 1)]
        return np.hstack([*delayed, run.inputs[lags: lags + count]])


class Guard:
    """Looks after every step whether the equations still say something.

    Parameters
    ----------
    system : System
    scale : (s,) array
        Size of each state.
    point : array
        Arguments of the right-hand sides at the start, where denominators have their sign.
    """

    def __init__(self, system, scale, point):
        self.system, self.scale = system, scale
        model = system.model
        self.names = model.arguments[: system.size]
        self.when = "t" if model.kind == "flow" else "step"
        if system.rational:
            self.usual = system.denominators(point)
            self.sign = np.sign(system.parts(point)[1])

    def complaint(self, time, state, point, large=BLOWN_UP, small=SINGULAR):
        """What is wrong at this state, in words; None if nothing is."""
        if self.system.rational:
            below = self.system.parts(point)[1] * self.sign / self.usual
            if not (below > small).all():
                j = int(np.argmin(np.nan_to_num(below, nan=-np.inf)))
                target = self.system.model.targets[j]
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


def _followed(system, start, times, control, method, options):
    """States at the times until the end or a failure, and what failed, in words."""
    import scipy.integrate                # a third of a second that only those who integrate should wait for

    guard = Guard(system, system.scale(start), np.r_[start, control(times[0])])
    reached = [start[None]]
    failure = guard.complaint(times[0], start, np.r_[start, control(times[0])])
    if failure or len(times) == 1:
        return reached[0], failure
    solver = getattr(scipy.integrate, method)(lambda t, x: system.rates(x, control(t)), times[0], start, times[-1],
                                              **options)
    count, most = 1, MOST_STEPS + 10 * len(times)
    for _ in range(most):
        words = solver.step()
        here = (solver.t, solver.y, np.r_[solver.y, control(solver.t)])
        failure = guard.complaint(*here)
        end = solver.t
        if solver.status == "failed":
            failure = failure or guard.complaint(*here, GROWN, NEARLY_SINGULAR) or \
                f"{method} gives up at t = {solver.t:.6g}: {words}; try another method, or larger tolerances"
        elif failure:
            end, failure = _first_trouble(guard, solver, control, failure)
        passed = np.searchsorted(times, end, side="left" if failure else "right")
        if passed > count and solver.status != "failed":
            reached.append(solver.dense_output()(times[count:passed]).T)
            count = passed
        if failure or solver.status == "finished":
            break
    else:
        failure = (f"{method} takes more than {most} steps, the last to t = {solver.t:.6g}; try another method, "
                   "larger tolerances, or a shorter time")
    return np.concatenate(reached), failure


def _first_trouble(guard, solver, control, failure):
    """Where in the last step the guard begins to complain, and what it says."""
    between, low, high = solver.dense_output(), solver.t_old, solver.t
    for _ in range(50):
        middle = (low + high) / 2
        state = between(middle)
        words = guard.complaint(middle, state, np.r_[state, control(middle)])
        low, high, failure = (low, middle, words) if words else (middle, high, failure)
    return high, failure


def _iterated(model, start, steps, inputs):
    reach, d = model.dynamics.reach, len(model.names)
    steps = _checked_steps(steps)
    first = _first_rows(start, reach, d, model)
    count = int(steps[-1]) + 1
    control = _rowwise(inputs, count, model.input_names)
    system, lags = System(model), model.dynamics.lags
    states = np.empty((max(count, reach), d))
    states[:reach] = first
    guard = None
    with np.errstate(all="ignore"):
        for i in range(reach, count):
            now = i - model.dynamics.ahead
            point = np.r_[states[now - lags: now + 1][::-1].ravel(), control(now)]
            guard = guard or Guard(system, system.scale(first), point)
            above, below = system.parts(point)
            states[i] = above / below if system.rational else above
            # a map may jump across a zero of its denominator: only at the zero itself it has no value
            guard.sign = np.sign(below)
            failure = guard.complaint(i, states[i], point)
            if failure:
                kept = steps[steps < i]
                raise SimulationFailed(failure, kept, states[kept])
    return states[steps]


def checked_times(times):
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


def _checked_steps(steps):
    if is_real(steps):
        if not 1 <= steps < 2**53 or steps != int(steps):
            raise InvalidOption("times", steps, "for a map a number of steps >= 1, or increasing whole numbers")
        return np.arange(int(steps))
    steps = checked_times(steps)
    if (steps != np.floor(steps)).any() or steps[0] < 0 or steps[-1] > 2**53:
        raise InvalidOption("times", steps[[0, -1]].tolist(), "for a map steps: whole numbers from 0 on")
    return steps.astype(np.int64)


def _start_rule(model):
    names = model.arguments[: len(model.names) * model.dynamics.order]
    return f"{len(names)} finite numbers: {', '.join(names)}"


def _first_rows(start, reach, d, model):
    rule = (f"{d} finite numbers: {', '.join(model.names)}" if reach == 1 else
            f"{reach} rows of {d} finite numbers ({', '.join(model.names)}), the oldest first")
    try:
        array = np.array(start, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise InvalidOption("start", start, rule) from None
    if array.ndim == 1 and 1 in (reach, d) or array.ndim == 0 and reach * d == 1:
        array = array.reshape(-1, d) if array.size % d == 0 else array
    if array.shape != (reach, d) or not np.isfinite(array).all():
        raise InvalidOption("start", array.tolist() if array.shape == (reach, d) else array.shape, rule)
    return array


def _interpolated(inputs, times, names):
    """Inputs as a function of time."""
    if not names or callable(inputs):
        return _checked_function(inputs, times[0], names)
    rows = _rows(inputs, len(times), names, "one for each time")
    if len(times) == 1:
        return lambda t: rows[0]
    slopes = np.diff(rows, axis=0) / np.diff(times)[:, None]

    def at(t):
        k = min(max(int(np.searchsorted(times, t, side="right")) - 1, 0), len(slopes) - 1)
        return rows[k] + (t - times[k]) * slopes[k]
    return at


def _rowwise(inputs, count, names):
    """Inputs as a function of the step."""
    if not names or callable(inputs):
        return _checked_function(inputs, 0, names)
    rows = _rows(inputs, count, names, "one for each step from 0 to the last")
    return lambda step: rows[step]


def _checked_function(inputs, first, names):
    if not names:
        if inputs is not None:
            raise InvalidOption("inputs", type(inputs).__name__, "None: the model has no inputs")
        nothing = np.empty(0)
        return lambda t: nothing
    number_list("inputs", np.atleast_1d(inputs(first)), len(names),
                f"a function that returns {len(names)} finite numbers: {', '.join(names)}")
    return lambda t: np.atleast_1d(np.asarray(inputs(t), dtype=float))


def _rows(inputs, count, names, which):
    rule = (f"an array of {count} rows ({which}) of {len(names)} finite numbers ({', '.join(names)}), or a function of "
            "time")
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
