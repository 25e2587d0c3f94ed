r"""Differential equations.

For a flow :math:`\dot x = f(x, u)` and two states :math:`x_0, x_1` a time h apart the defect is
that of Hermite-Simpson collocation (Lobatto IIIA, fourth order, symmetric, A-stable),

.. math:: r = x_1 - x_0 - \tfrac h6 (f_0 + 4 f_m + f_1), \qquad
          x_m = \tfrac12 (x_0 + x_1) + \tfrac h8 (f_0 - f_1),

which comes with its derivatives by both states and by the coefficients of f.  A flow of second order is one of first
order in (x, v) whose first half is known: :math:`\dot x = v`.

Measured derivatives of a flow of second order are the states v.  Of one of first order they are further states w, free but
for the defects :math:`w_1 - f_1`, so that their noise is weighed with that of all else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from ...ground.errors import InvalidOption
from ...ground.linalg import least_squares
from ...ground.storage import checked
from ...polynomials.evaluation import monomial_rows
from ..runs.samples import Samples, flow_columns
from ..runs.shapes import RunLike
from ..runs.trajectories import Trajectories
from .dynamics import Defects, DrawingStyle, Dynamics, Integration, Motion, register_kind
from .fields import Field
from .functions import with_functions
from .integration import integrate
from .measurements import Measurements, smooth_inputs
from .scoring import FIRST_SAMPLES, fitted_start

FINE_STEPS = 4
"""Steps of Runge and Kutta between two states whose collocation is checked: their error is 4**4 times smaller."""
NEXT_SAMPLE_STEPS = 16
"""Such steps to a next sample, which may be far: as many as the joint estimate divides that time into at most."""
SPEED_CORRECTIONS = 8
"""Corrections of the velocity that leads from one sample to the next; each gains a digit where the acceleration changes
it by a tenth in that time."""
PATH_RTOL = 1e-8
"""Relative tolerance of simulations that are compared with data or drawn: ten times the default, of which neither R2
nor a picture shows anything."""
DRAWN_TIMES = 600
"""Times at which a simulation is drawn, at least: one for each pixel or two of a picture's width."""
PARABOLA_SAMPLES = 9
"""Samples at the beginning of a run whose parabola gives a first velocity, which a fit then improves."""
FLOW_CUT_SHARE = 0.01
"""Share of the steps that may be given up: a flow has no folds, and with a quarter of them given up a wrong flow
described its data (a Duffing oscillator became a quadratic one)."""


@register_kind
@dataclass(frozen=True)
class Flow(Dynamics):
    """Differential equations of order 1 or 2: derivatives from states and inputs.

    Examples
    --------
    >>> Flow(2).argument_names(["x"]), Flow(2).target_names(["x"])
    (('x', "x'"), ("x''",))
    """

    order: int = 1

    kind: ClassVar[str] = "flow"
    title: ClassVar[str] = "differential equations"
    advice: ClassVar[str] = "sample more densely, or try form='implicit'"
    clock: ClassVar[str] = "t"
    style: ClassVar[DrawingStyle] = DrawingStyle(knot_line="-", knot_marker="", knot_alpha=0.4, path_line="--", path_width=0.8)
    is_smooth: ClassVar[bool] = True
    subdivides: ClassVar[bool] = True
    knows_pulls: ClassVar[bool] = True
    largest_cut_share: ClassVar[float] = FLOW_CUT_SHARE

    # ------------------------------------------------------------------------------------------ options and samples

    @classmethod
    def from_options(cls, order: int, lags: int) -> Flow:
        if lags:
            raise InvalidOption("lags", lags, "0 for a flow; lags belong to kind='map'")
        return cls(order)

    @classmethod
    def from_samples(cls, samples: Samples) -> Flow:
        return cls(len(samples.states) // len(samples.targets))

    def samples(self, trajectories: Trajectories, noise: Any, window: Any, *, unbiased: bool = False) -> Samples:
        if unbiased and window is None:
            window = "unbiased"
        return trajectories.with_derivatives(self.order, window=window, noise=noise)

    def argument_names(self, names: Sequence[str]) -> tuple[str, ...]:
        return flow_columns(names, self.order)[0]

    def target_names(self, names: Sequence[str]) -> tuple[str, ...]:
        return flow_columns(names, self.order)[1]

    def restricted(self, samples: Samples, kept: np.ndarray) -> Samples | None:
        if self.order > 1:
            return None
        rest = np.setdiff1d(np.arange(len(samples.targets)), kept)
        return replace(samples, states=samples.states[kept], targets=samples.targets[kept],
                       inputs=np.r_[samples.states[rest], samples.inputs])

    def start_of_estimate(self, samples: Samples, number: int) -> tuple[Measurements, np.ndarray]:
        run, rows = samples.trajectories.runs[number], samples.run == number
        states = samples.points[rows][:, samples.states].T.copy()
        measured = np.full(states.shape, np.nan)
        measured[: len(samples.targets)] = run.states[:, self.measured(samples)].T
        inputs = samples.points[rows][:, samples.inputs].T
        rates, own = self._measured_rates(samples), np.full((len(run.times), len(samples.targets)), np.nan)
        if len(rates) and run.derivatives is not None:
            own = run.derivatives[:, self.measured(samples)]
        if self.order > 1:                                                   # the derivatives are states
            measured[len(own.T): 2 * len(own.T)] = own.T
        elif len(rates):
            measured = np.vstack([measured, own[:, rates].T])
            states = np.vstack([states, samples.points[rows][:, samples.targets[rates]].T])
        relative, uneven = np.ones(len(measured)), None
        if samples.value_noise is not None:
            uneven = np.ones(measured.shape)
            uneven[: len(own.T)] = samples.value_noise[number][:, self.measured(samples)].T ** 2
        if samples.relative_noise is not None:
            relative[: len(own.T)] = samples.relative_noise[number, self.measured(samples)] ** 2
        return Measurements(measured, relative, inputs, np.diff(run.times), smooth_inputs(inputs),
                            rates if self.order == 1 and len(rates) else None,
                            None if samples.relative_noise is None else relative, uneven=uneven), states

    def noise_of_start(self, samples: Samples, size: int) -> np.ndarray:
        sigma, d, rates = super().noise_of_start(samples, size), len(samples.targets), self._measured_rates(samples)
        if samples.rate_sigma is not None:
            sigma[d + (rates if self.order > 1 else np.arange(len(rates)))] = samples.rate_sigma[self.measured(samples)][rates]
        return sigma

    def _measured_rates(self, samples: Samples) -> np.ndarray:
        """Which of the targets' states have measured derivatives."""
        if samples.rate_sigma is None:
            return np.zeros(0, dtype=int)
        return np.flatnonzero(np.isfinite(samples.rate_sigma[self.measured(samples)]))

    # --------------------------------------------------------------------------------------------------- estimation

    def defects(self, field: Field, coefficients: np.ndarray, run: Measurements, states: np.ndarray) -> Defects:
        h, rates, states = run.steps, states[run.states:], states[: run.states]
        known = len(states) - field.equations
        f, slopes, by_coefficient = _linearized(field, coefficients, states, run.inputs, known)
        f0, f1, J0, J1 = f[:, :-1], f[:, 1:], slopes[:, :, :-1], slopes[:, :, 1:]
        middle = (states[:, :-1] + states[:, 1:]) / 2 + h / 8 * (f0 - f1)
        fm, Jm, by_coefficient_m = _linearized(field, coefficients, middle, run.inputs_after(0.5), known)
        values = states[:, 1:] - states[:, :-1] - h / 6 * (f0 + 4 * fm + f1)
        unit = np.eye(len(states))[:, :, None]
        first = -unit - h / 6 * (J0 + 4 * _product(Jm, unit / 2 + h / 8 * J0))
        second = unit - h / 6 * (J1 + 4 * _product(Jm, unit / 2 - h / 8 * J1))
        G0, G1 = by_coefficient[:, :-1], by_coefficient[:, 1:]
        owner = known + field.owner
        by = np.zeros((len(states), field.size, len(h)))
        turned = h * h / 12 * (G1 - G0)
        for i, j in np.argwhere(Jm.any(axis=2)):             # of many states each sees few others
            mine = owner == j
            by[i, mine] = Jm[i, j] * turned[mine]
        by[owner, np.arange(field.size)] -= h / 6 * (G0 + 4 * by_coefficient_m + G1)
        if run.rates is None:
            return Defects(values, (first, second), by)
        return _with_rates(Defects(values, (first, second), by), run.rates, rates[:, 1:] - f1[run.rates], J1, G1, field.owner)

    def arguments(self, states: np.ndarray, inputs: np.ndarray) -> np.ndarray:
        return np.vstack([states, inputs])

    def pulls(self, field: Field, coefficients: np.ndarray, run: Measurements, states: np.ndarray, multipliers: np.ndarray,
              degree: int) -> tuple[np.ndarray, np.ndarray]:
        """Products of the multipliers with the derivatives that `defects` has."""
        h, states = run.steps, states[: run.states]
        known, rates = len(states) - field.equations, multipliers[len(states): len(run.measured)]
        multipliers = multipliers[: len(states)]
        f, _, _ = _linearized(field, coefficients, states, run.inputs, known)
        middle = (states[:, :-1] + states[:, 1:]) / 2 + h / 8 * (f[:, :-1] - f[:, 1:])
        _, Jm, _ = _linearized(field, coefficients, middle, run.inputs_after(0.5), known)
        G, Gm = (monomial_rows(with_functions(np.vstack(point), field.functions), degree)
                 for point in ((states, run.inputs), (middle, run.inputs_after(0.5))))
        through = np.einsum("sn,sjn->jn", multipliers, Jm[:, known:]) * (h * h / 12)
        direct = multipliers[known:] * (h / 6)
        pull = direct @ (G[:, :-1] + 4 * Gm + G[:, 1:]).T - through @ (G[:, 1:] - G[:, :-1]).T
        if run.rates is not None:
            pull[run.rates] += rates @ G[:, 1:].T
        return pull, np.sum((h * Gm) ** 2, axis=1)

    def step_errors(self, field: Field, coefficients: np.ndarray, run: Measurements, states: np.ndarray) -> np.ndarray:
        values, x = self.defects(field, coefficients, run, states).values, states[: run.states]
        values[: len(x)] = x[:, 1:] - carried(field, coefficients, run, x, FINE_STEPS) - values[: len(x)]
        values[len(x):] = 0.0
        return values

    # -------------------------------------------------------------------------------------------- models in motion

    def simulate(self, model: Motion, start: Any, times: Any, inputs: Any, integration: Integration) -> np.ndarray:
        return integrate(model, start, times, inputs, integration)

    @property
    def time_derivatives(self) -> int:
        return self.order

    def state_size(self, measured: int) -> int:
        return self.order * measured

    def whole_states(self, run: RunLike) -> np.ndarray:
        if self.order == 1:
            return run.states
        slopes = np.gradient(run.states, run.times, axis=0) if len(run) > 1 else np.zeros_like(run.states)
        return np.c_[run.states, slopes]

    @property
    def least_samples(self) -> int:
        return self.order + 1

    def first_start(self, run: RunLike) -> np.ndarray:
        """The measured first state; a velocity is the slope of a parabola through the first samples."""
        if self.order == 1:
            return run.states[0].copy()
        count = min(len(run), PARABOLA_SAMPLES)
        clock = run.times[:count] - run.times[0]
        powers = np.vander(clock / clock[-1], min(3, count - 1), increasing=True)
        parabola = least_squares(powers, run.states[:count])
        return np.r_[parabola[0], parabola[1] / clock[-1]]

    def path(self, model: Motion, start: np.ndarray | None, run: RunLike, count: int) -> np.ndarray:
        inputs = run.inputs[:count] if model.input_names else None
        return self.simulate(model, start, run.times[:count], inputs, Integration(rtol=PATH_RTOL))

    def next_samples(self, model: Motion, run: RunLike) -> tuple[np.ndarray, np.ndarray]:
        """As for all kinds; of second order it takes two samples, whose velocity is the one that joins them."""
        field, c, states = model.field, model.coefficients, run.states
        steps, d = np.diff(run.times), states.shape[1]
        unknown = np.ones(d)
        smooth = smooth_inputs(run.inputs.T)
        forth = Measurements(states.T, unknown, run.inputs.T, steps, smooth)
        if self.order == 1:
            return states[1:], carried(field, c, forth, states.T, NEXT_SAMPLE_STEPS).T
        back = Measurements(states.T[:, ::-1], unknown, run.inputs.T[:, ::-1], -steps[::-1], smooth)
        speeds = np.r_[[states[1] - states[0]], np.diff(states, axis=0)] / np.r_[steps[:1], steps][:, None]
        for _ in range(SPEED_CORRECTIONS):
            came_from = carried(field, c, back, np.c_[states, speeds].T[:, ::-1], NEXT_SAMPLE_STEPS)
            speeds[1:] += (came_from[:d, ::-1].T - states[:-1]) / steps[:, None]
        ahead = carried(field, c, forth, np.c_[states, speeds].T, NEXT_SAMPLE_STEPS)[:d].T
        return states[2:], ahead[1:]

    # ------------------------------------------------------------------------------------------- showing and files

    def abscissa(self, model: Motion, run: RunLike, count: int) -> np.ndarray:
        return run.times[:count]

    def drawn_path(self, model: Motion, run: RunLike, count: int) -> tuple[np.ndarray, np.ndarray]:
        start = run.states[0] if self.order == 1 else fitted_start(model, run, FIRST_SAMPLES)
        inputs, times = run.inputs[:count] if model.input_names else None, run.times[:count]
        if inputs is None and count < DRAWN_TIMES:
            times = np.linspace(times[0], times[-1], DRAWN_TIMES)
        return times, self.simulate(model, start, times, inputs, Integration(rtol=PATH_RTOL))

    @classmethod
    def from_json(cls, content: dict) -> Flow:
        if checked(content["order"], int) not in (1, 2):
            raise ValueError(f"order {content['order']}: need 1 or 2")
        return cls(content["order"])


def _with_rates(defects, rates, values, J, G, owner):
    """The defects, and those that set measured rates equal to the right-hand sides at the end of each step."""
    s, n, m = len(defects.values), values.shape[1], len(rates)
    first, second = np.zeros((2, s + m, s + m, n))
    first[:s, :s], second[:s, :s] = defects.blocks
    second[s:, :s] = -J[rates]
    second[np.arange(s, s + m), np.arange(s, s + m)] = 1.0
    by = np.concatenate([defects.by_coefficient, np.where((owner == rates[:, None])[:, :, None], -G, 0.0)])
    return Defects(np.vstack([defects.values, values]), (first, second), by)


def carried(field: Field, coefficients: np.ndarray, run: Measurements, states: np.ndarray, parts: int) -> np.ndarray:
    """Where the flow takes each state (s, N) until the next, by `parts` classical Runge-Kutta steps."""
    known, x = len(states) - field.equations, states[:, :-1]
    h = run.steps / parts

    def rate(x: np.ndarray, share: float) -> np.ndarray:
        arguments = np.vstack([x, run.inputs_after(share) if share < 1 else run.inputs[:, 1:]])
        f = field.values(coefficients, arguments)
        return np.vstack([x[len(x) - known:], f]) if known else f

    for part in range(parts):
        k1 = rate(x, part / parts)
        k2 = rate(x + h / 2 * k1, (part + 0.5) / parts)
        k3 = rate(x + h / 2 * k2, (part + 0.5) / parts)
        k4 = rate(x + h * k3, (part + 1) / parts)
        x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return x


def _linearized(field, coefficients, states, inputs, known):
    """Rates of whole states, with their derivatives by these and by the coefficients."""
    s = len(states)
    f, slopes, by_coefficient = field.linearized(coefficients, np.vstack([states, inputs]))
    slopes = slopes[:, :s]
    if known:
        f = np.vstack([states[s - known:], f])
        velocities = np.zeros((known, s, states.shape[1]))
        velocities[np.arange(known), s - known + np.arange(known)] = 1.0
        slopes = np.concatenate([velocities, slopes])
    return f, slopes, by_coefficient


def _product(A, B):
    """Matrix products of stacks whose points come last."""
    return np.einsum("ijn,jkn->ikn", A, B)
