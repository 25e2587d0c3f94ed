"""Equations of motion as a scikit-learn regressor: from times to states.

What scikit-learn calls samples are times here, what it calls targets are states, so ``fit(t, X)`` is also what harnesses for
dynamical systems call, and ``cross_val_score(EquationsOfMotion(), t[:, None], X, cv=TimeSeriesSplit())`` scores forecasts.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from ..ground.errors import InvalidOption, InvalidPoints
from ..sysid.laws.identify import identify
from ..sysid.motion.model import Model
from ..sysid.runs.trajectories import Trajectories

if TYPE_CHECKING:
    from typing import Self


class EquationsOfMotion(RegressorMixin, BaseEstimator):
    """Differential equations of first order, identified from one run.

    Parameters
    ----------
    max_degree : int
    functions : "auto" or sequence
    options : dict, optional
        Further options of `symknot.identify`, such as ``{"known": {"x'": "y"}}``.

    Attributes
    ----------
    model_ : Model

    Examples
    --------
    >>> t = np.linspace(0, 8, 400)
    >>> X = np.c_[np.cos(2 * t), -2 * np.sin(2 * t)] + 0.02 * np.random.default_rng(0).normal(size=(400, 2))
    >>> motion = EquationsOfMotion(max_degree=1).fit(t[:300], X[:300])
    >>> motion.equations(["x", "y"])
    ["x' = y", "y' = -4*x"]
    >>> bool(motion.score(t[300:], X[300:]) > 0.99)                      # 2 time units beyond the data
    True
    """

    def __init__(self, max_degree: int = 3, functions: Any = (), options: dict | None = None):
        self.max_degree = max_degree
        self.functions = functions
        self.options = options

    def fit(self, t: Any, X: Any) -> Self:
        """Identify the equations.

        Parameters
        ----------
        t : (n,) or (n, 1) array
            Times, all different, in any order.
        X : (n, d) or (n,) array
            States.
        """
        times, states = _times(t), np.asarray(X, dtype=float)
        states = states[:, None] if states.ndim == 1 else states
        if states.ndim != 2 or len(states) != len(times):
            raise InvalidPoints(f"need as many rows of states as times, {len(times)}, got shape {states.shape}")
        order = np.argsort(times)
        self.flat_ = np.ndim(X) == 1
        self.model_ = identify(Trajectories([states[order]], time=times[order]), self.max_degree, functions=self.functions,
                               **(self.options or {}))
        self.n_features_in_ = 1
        return self

    def predict(self, t: Any) -> np.ndarray:
        """States at other times, in any order: each follows from the last state of the fit before it.

        Times before the fit are reached backwards from its first state.
        """
        check_is_fitted(self, "model_")
        if not (isinstance(self.model_, Model) and self.model_.targets):
            raise InvalidOption("model_", "no equation", f"one with equations to predict ({self.model_.message})")
        times, run = _times(t), self.model_.runs[0]
        states = np.empty((len(times), run.states.shape[1]))
        starts = np.searchsorted(run.times, times, side="right") - 1
        for start in np.unique(starts):
            rows = np.flatnonzero(starts == start)
            rows = rows[np.argsort(times[rows])] if start >= 0 else rows[np.argsort(-times[rows])]
            model, first = (self.model_, run.times[start]) if start >= 0 else (_backwards(self.model_), run.times[0])
            states[rows] = _followed(model, run.states[max(start, 0)], np.abs(times[rows] - first))
        return states[:, 0] if self.flat_ else states

    def equations(self, names: Any = None) -> list[str]:
        """The equations as text, in variables of these names."""
        check_is_fitted(self, "model_")
        model = self.model_ if names is None else _renamed(self.model_, tuple(names))
        return [equation.text() for equation in model.polynomials]


def _times(t):
    times = np.asarray(t, dtype=float)
    times = times[:, 0] if times.ndim == 2 and times.shape[1] == 1 else times
    if times.ndim != 1 or not np.isfinite(times).all():
        raise InvalidPoints(f"need finite times, one column, got shape {times.shape}")
    return times


def _followed(model, start, after):
    """States at times after the start, which may be 0 or the same."""
    different, places = np.unique(np.r_[0.0, after], return_inverse=True)
    return model.simulate(start, different)[places[1:]]


def _backwards(model):
    """The flow that runs backwards."""
    return replace(model, coefficients=np.where(model.field.in_denominator, 1, -1) * model.coefficients)


def _renamed(model, names):
    if len(names) != len(model.state_names):
        raise InvalidOption("names", names, f"{len(model.state_names)} names")
    return replace(model, state_names=names, arguments=model.dynamics.argument_names(names),
                   targets=model.dynamics.target_names(names))
