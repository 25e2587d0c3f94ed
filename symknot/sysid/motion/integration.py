"""Differential equations integrated: scipy's integrators, driven by hand so that what was reached is never lost."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy.interpolate import CubicSpline

from ...ground.checks import is_real, number_list, positive_number
from ...ground.errors import InvalidOption, SimulationFailed
from .dynamics import Integration, Motion
from .measurements import smooth_inputs
from .simulation import Guard, PointwiseField, checked_function, checked_times, input_rows

METHODS = ("LSODA", "RK23", "RK45", "DOP853", "Radau", "BDF")
GROWN_RATIO = 30.0
"""A state so many times larger than on the data explains why an integrator gives up ..."""
NEARLY_SINGULAR_RATIO = 1e-3
"""... and so does a denominator so many times smaller than its smallest term on the data: both far from what the data
show, and integrators stop well before `simulation.BLOW_UP_RATIO` and `simulation.SINGULAR_RATIO`."""
MOST_INTEGRATOR_STEPS = 100_000
"""Steps of an integrator, some ten seconds ..."""
INTEGRATOR_STEPS_PER_TIME = 10
"""... and so many more for each time asked for."""
ATOL_SHARE = 1e-11
"""Absolute tolerance by default, as a share of each state's size: a hundredth of the relative one, so that this decides
wherever a state is not near zero."""
HALVINGS = 50
"""Halvings of the step in which trouble begins: to the last digit of a float."""


def integrate(model: Motion, start: Any, times: Any, inputs: Any, integration: Integration) -> np.ndarray:
    """States of a flow at increasing times; see `simulation.simulate`."""
    method = integration.method
    if method not in METHODS:
        raise InvalidOption("method", method, f"one of {', '.join(METHODS)}")
    rtol = positive_number("rtol", integration.rtol)
    times = checked_times(times)
    field = PointwiseField(model)
    start = number_list("start", [start] if is_real(start) else start, field.size, _start_rule(model, field))
    atol = ATOL_SHARE * field.scale(start) if integration.atol is None else positive_number("atol", integration.atol)
    control = interpolated_inputs(inputs, times, model.input_names)
    longest = np.diff(times).min() if len(times) > 1 and len(model.input_names) and not callable(inputs) else np.inf
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")                   # LSODA warns where it fails; the error says so, too
        reached, failure = _followed(field, start, times, control, method,
                                     {"rtol": rtol, "atol": atol, "max_step": longest})
    states = reached[:, : len(model.state_names)]
    if failure:
        raise SimulationFailed(failure, times[: len(states)], states)
    return states


def _start_rule(model, field):
    names = model.arguments[: field.size]
    return f"{len(names)} finite numbers: {', '.join(names)}"


def _rates(field, state, inputs):
    """Derivatives of a whole state: what is not measured of it are derivatives already."""
    known = field.size - len(field.model.state_names)
    f = field.values(np.concatenate([state, inputs]))
    return np.concatenate([state[known:], f]) if known else f


def _followed(field, start, times, control, method, options):
    """States at the times until the end or a failure, and what failed, in words."""
    import scipy.integrate  # a third of a second that only those who integrate should wait for

    guard = Guard(field, field.scale(start), np.r_[start, control(times[0])])
    reached = [start[None]]
    failure = guard.complaint(times[0], start, np.r_[start, control(times[0])])
    if failure or len(times) == 1:
        return reached[0], failure
    solver = getattr(scipy.integrate, method)(lambda t, x: _rates(field, x, control(t)), times[0], start, times[-1],
                                              **options)
    count, most = 1, MOST_INTEGRATOR_STEPS + INTEGRATOR_STEPS_PER_TIME * len(times)
    for _ in range(most):
        words = solver.step()
        here = (solver.t, solver.y, np.r_[solver.y, control(solver.t)])
        failure = guard.complaint(*here)
        end = solver.t
        if solver.status == "failed":
            failure = failure or guard.complaint(*here, GROWN_RATIO, NEARLY_SINGULAR_RATIO) or \
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
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        state = between(middle)
        words = guard.complaint(middle, state, np.r_[state, control(middle)])
        low, high, failure = (low, middle, words) if words else (middle, high, failure)
    return high, failure


def interpolated_inputs(inputs: Any, times: np.ndarray, names: Sequence[str]) -> Callable:
    """Inputs as a function of time; rows are interpolated as in an estimate (`measurements`)."""
    if not names or callable(inputs):
        return checked_function(inputs, times[0], names)
    rows = input_rows(inputs, len(times), names, "one for each time")
    if len(times) == 1:
        return lambda t: rows[0]
    pieces = np.zeros((4, *np.diff(rows, axis=0).shape))
    pieces[2], pieces[3] = np.diff(rows, axis=0) / np.diff(times)[:, None], rows[:-1]
    smooth = smooth_inputs(rows.T)
    if smooth.any():
        pieces[:, :, smooth] = CubicSpline(times, rows[:, smooth]).c

    def at(t):
        k = min(max(int(np.searchsorted(times, t, side="right")) - 1, 0), len(rows) - 2)
        return np.polyval(pieces[:, k], t - times[k])
    return at
