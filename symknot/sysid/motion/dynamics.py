r"""What a right-hand side says about neighbouring states: the defects of a flow and of a map.

For a flow :math:`\dot x = f(x, u)` and two states :math:`x_0, x_1` a time h apart the defect is
that of Hermite-Simpson collocation (Lobatto IIIA, fourth order, symmetric, A-stable),

.. math:: r = x_1 - x_0 - \tfrac h6 (f_0 + 4 f_m + f_1), \qquad
          x_m = \tfrac12 (x_0 + x_1) + \tfrac h8 (f_0 - f_1);

for a map it is :math:`x_{t+k} - f(x_t, x_{t-1}, \dots)`.  Both come with their derivatives by the
states that take part and by the coefficients of f.  A flow of second order is one of first
order in (x, v) whose first half is known: :math:`\dot x = v`.

Arrays have their points last: states (s, N), inputs (q, N).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Defects:
    """Defects of one run, linearised.

    Attributes
    ----------
    values : (s, n) array
    blocks : tuple of (s, s, n) arrays
        Derivatives of defect i by the states i, i + 1, ...
    by_coefficient : (s, P, n) array
    """

    values: np.ndarray
    blocks: tuple
    by_coefficient: np.ndarray


@dataclass(frozen=True)
class Flow:
    """Differential equations of order 1 or 2."""

    order: int = 1
    kind = "flow"
    most_cuts = 0.01            # share of the defects that may be given up (see `joint`): a flow has no folds

    @property
    def reach(self):
        """How far apart the states of one defect are."""
        return 1

    def defects(self, field, coefficients, run, states):
        """`Defects` of the states of one run (see `joint.Run`)."""
        h, known = run.steps, len(states) - field.equations
        f, slopes, by_coefficient = self._linearized(field, coefficients, states, run.inputs, known)
        f0, f1, J0, J1 = f[:, :-1], f[:, 1:], slopes[:, :, :-1], slopes[:, :, 1:]
        middle = (states[:, :-1] + states[:, 1:]) / 2 + h / 8 * (f0 - f1)
        inputs = (run.inputs[:, :-1] + run.inputs[:, 1:]) / 2
        fm, Jm, by_coefficient_m = self._linearized(field, coefficients, middle, inputs, known)
        values = states[:, 1:] - states[:, :-1] - h / 6 * (f0 + 4 * fm + f1)
        unit = np.eye(len(states))[:, :, None]
        first = -unit - h / 6 * (J0 + 4 * _product(Jm, unit / 2 + h / 8 * J0))
        second = unit - h / 6 * (J1 + 4 * _product(Jm, unit / 2 - h / 8 * J1))
        G0, G1 = by_coefficient[:, :-1], by_coefficient[:, 1:]
        owner = known + field.owner
        by = Jm[:, owner] * (h * h / 12 * (G1 - G0))
        by[owner, np.arange(field.size)] -= h / 6 * (G0 + 4 * by_coefficient_m + G1)
        return Defects(values, (first, second), by)

    def arguments_of(self, runs, states):
        """For each run the arguments of the right-hand sides at its states."""
        return [np.vstack([x, run.inputs]) for run, x in zip(runs, states)]

    def integrated(self, field, coefficients, run, states, parts=4):
        """Where the flow takes each state until the next, by `parts` classical Runge-Kutta steps."""
        known, x = len(states) - field.equations, states[:, :-1]
        h, change = run.steps / parts, np.diff(run.inputs, axis=1)

        def rate(x, share):
            arguments = np.vstack([x, run.inputs[:, :-1] + share * change])
            f = field.values(coefficients, arguments)
            return np.vstack([x[len(x) - known:], f]) if known else f

        for part in range(parts):
            k1 = rate(x, part / parts)
            k2 = rate(x + h / 2 * k1, (part + 0.5) / parts)
            k3 = rate(x + h / 2 * k2, (part + 0.5) / parts)
            k4 = rate(x + h * k3, (part + 1) / parts)
            x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        return x

    @staticmethod
    def _linearized(field, coefficients, states, inputs, known):
        s = len(states)
        f, slopes, by_coefficient = field.linearized(coefficients, np.vstack([states, inputs]))
        slopes = slopes[:, :s]
        if known:
            f = np.vstack([states[s - known:], f])
            velocities = np.zeros((known, s, states.shape[1]))
            velocities[np.arange(known), s - known + np.arange(known)] = 1.0
            slopes = np.concatenate([velocities, slopes])
        return f, slopes, by_coefficient


@dataclass(frozen=True)
class Map:
    """Difference equations: the state `ahead` steps on, from the present one and `lags` earlier ones."""

    lags: int = 0
    ahead: int = 1
    kind = "map"
    most_cuts = 0.25

    @property
    def reach(self):
        """How far apart the states of one defect are."""
        return self.lags + self.ahead

    def defects(self, field, coefficients, run, states):
        """`Defects` of the states of one run (see `joint.Run`)."""
        s, n = len(states), states.shape[1] - self.reach
        f, slopes, by_coefficient = field.linearized(coefficients, self.arguments_of([run], [states])[0])
        blocks = [np.zeros((s, s, n)) for _ in range(self.lags + self.ahead + 1)]
        for lag in range(self.lags + 1):
            blocks[self.lags - lag] = -slopes[:, lag * s: (lag + 1) * s]
        blocks[-1] = np.broadcast_to(np.eye(s)[:, :, None], (s, s, n))
        by = np.zeros((s, field.size, n))
        by[field.owner, np.arange(field.size)] = -by_coefficient
        return Defects(states[:, self.reach:] - f, tuple(blocks), by)

    def arguments_of(self, runs, states):
        """For each run the arguments of the right-hand sides: a state, earlier ones, inputs."""
        found = []
        for run, x in zip(runs, states):
            n = x.shape[1] - self.reach
            delayed = [x[:, self.lags - lag: self.lags - lag + n] for lag in range(self.lags + 1)]
            found.append(np.vstack([*delayed, run.inputs[:, self.lags: self.lags + n]]))
        return found


@dataclass(frozen=True)
class Static:
    """No motion: outputs that depend on inputs alone, row by row.  The states are the outputs."""

    kind = "static"
    most_cuts = 0.0

    @property
    def reach(self):
        """How far apart the states of one defect are."""
        return 0

    def defects(self, field, coefficients, run, states):
        """`Defects` of the outputs of one run (see `joint.Run`)."""
        s, n = states.shape
        f, _, by_coefficient = field.linearized(coefficients, run.inputs)
        by = np.zeros((s, field.size, n))
        by[field.owner, np.arange(field.size)] = -by_coefficient
        return Defects(states - f, (np.broadcast_to(np.eye(s)[:, :, None], (s, s, n)),), by)

    def arguments_of(self, runs, states):
        """For each run the arguments of the right-hand sides: its inputs."""
        return [run.inputs for run in runs]


def _product(A, B):
    """Matrix products of stacks whose points come last."""
    return np.einsum("ijn,jkn->ikn", A, B)
