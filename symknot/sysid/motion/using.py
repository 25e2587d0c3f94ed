"""A model put to use: values of its right-hand sides, functions and source code of them, simulations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import sympy

from ...export.python import RULES
from ...ground.errors import InvalidOption
from .scoring import Score, score
from .simulation import named_rows, simulate

LANGUAGES = ("python", "c", "latex")


class UsableModel:
    """What a `Model` can do once it is there."""

    def simulate(self: Any, start: Any, times: Any, inputs: Any = None, **options: Any) -> np.ndarray:
        """States that follow from a start; see `symknot.sysid.motion.simulation.simulate`.

        Parameters
        ----------
        start : sequence of float
            The first state; of a flow of second order followed by the velocity, of a map with lags several rows.
        times : sequence of float, or int
            Increasing times, the first that of `start`; of a map steps, or their number.
        inputs : array, table, dict or callable, optional
            One row for each time (columns of a table or dict by the inputs' names), or a function of time.
        **options
            ``method``, ``rtol``, ``atol`` of the integration.

        Returns
        -------
        (len(times), d) array

        Raises
        ------
        SimulationFailed
        """
        self._check_found("simulated")
        return simulate(self, start, times, inputs, **options)

    def predict(self: Any, states: Any, inputs: Any = None) -> np.ndarray:
        """What the equations give at some states: derivatives, next states, or the outputs of a static response.

        Parameters
        ----------
        states : (n, s) array, (n,) for one variable, or table or dict with columns of these names
            The `arguments` that are no inputs; of a static response, which has none, the inputs.
        inputs : likewise, optional
            Needed by a model with states and inputs.

        Returns
        -------
        (n, number of targets) array
        """
        self._check_found("evaluated")
        own = len(self.arguments) - len(self.input_names)
        if not own:
            states, inputs = None, states if inputs is None else inputs
        elif not self.input_names and inputs is not None:
            raise InvalidOption("inputs", type(inputs).__name__, "None: the model has no inputs")
        parts = [named_rows(what, values, names) for what, values, names in
                 (("states", states, self.arguments[:own]), ("inputs", inputs, self.input_names)) if names]
        if len({len(part) for part in parts}) > 1:
            raise InvalidOption("inputs", len(parts[1]), f"as many rows as states: {len(parts[0])}")
        with np.errstate(all="ignore"):
            return self.field.values(self.coefficients, np.hstack(parts).T).T

    def lambdify(self: Any, modules: str = "numpy") -> Callable[..., list]:
        """The right-hand sides, with the estimates, as one function of the `arguments`.

        Parameters
        ----------
        modules : str
            As in `sympy.lambdify`: "numpy", "math", "mpmath", "jax", ...

        Returns
        -------
        callable
            Takes one number or array for each argument, returns a list with one for each target.
        """
        self._check_found("evaluated")
        return sympy.lambdify(self._symbols[: len(self.arguments)], list(self.right_hand_sides.values()), modules)

    def source(self: Any, language: str = "python", name: str = "motion") -> str:
        """A function of the right-hand sides, in the simplest numbers, as source code; it needs no symknot.

        Parameters
        ----------
        language : {"python", "c", "latex"}
            A Python function ``motion(t, state, inputs=())`` as `scipy.integrate.solve_ivp` takes it, a C function
            ``void motion(double t, const double *state, const double *inputs, double *out)``, or equations in LaTeX.
            What is not measured of a state, such as velocities, is part of it and of the result.
        name : str
            Of the function.
        """
        self._check_found("written")
        if language not in LANGUAGES:
            raise InvalidOption("language", language, f"one of {', '.join(map(repr, LANGUAGES))}")
        if language == "latex":
            lines = [" &= ".join(equation.latex_sides()) for equation in self.polynomials]
            return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}\n"
        if not name.isidentifier() or not name.isascii():
            raise InvalidOption("name", name, "a word of letters, digits and _")
        return (_python if language == "python" else _c)(self, name)

    def score(self: Any, data: Any, *, time: Any = None, group: str | None = None, inputs: Any = ()) -> Score:
        """How well the model foretells runs (data as in `identify`), as `Score`; see `scoring.score`."""
        self._check_found("scored")
        return score(self, data, time, group, inputs)


def _rates(model):
    """Symbols of the state and of the inputs, and the rates of the whole state: those not measured are given."""
    symbols = model._symbols[: len(model.arguments)]
    words = RULES.safe_names([str(symbol) for symbol in symbols])              # a velocity's x' is no word
    spelled = dict(zip(symbols, map(sympy.Symbol, words)))
    own = len(symbols) - len(model.input_names)
    known = own - len(model.targets) if model.dynamics.time_derivatives else 0
    symbols, sides = tuple(spelled.values()), [side.xreplace(spelled) for side in model.exact_right_hand_sides.values()]
    return symbols[:own], symbols[own:], [*symbols[own - known: own], *sides]


def _python(model, name):
    state, inputs, rates = _rates(model)
    printed = [sympy.pycode(rate, fully_qualified_modules=True) for rate in rates]
    lines = ["import math\n\n", f"def {name}(t, state, inputs=()):",
             f'    """{", ".join(model.targets)}."""']
    for symbols, where in ((state, "state"), (inputs, "inputs")):
        if symbols:
            lines.append(f"    {', '.join(map(str, symbols))}{',' * (len(symbols) == 1)} = {where}")
    return "\n".join([*lines, f"    return [{', '.join(printed)}]", ""])


def _c(model, name):
    state, inputs, rates = _rates(model)
    places = {symbol: sympy.Symbol(f"{where}[{k}]") for symbols, where in ((state, "state"), (inputs, "inputs"))
              for k, symbol in enumerate(symbols)}
    lines = [f"    out[{k}] = {sympy.ccode(rate.xreplace(places))};" for k, rate in enumerate(rates)]
    unused = "    (void) t; (void) state; (void) inputs;"
    head = f"void {name}(double t, const double *state, const double *inputs, double *out)"
    return "\n".join(["#include <math.h>", "", head, "{", unused, *lines, "}", ""])
