"""The result of an identification: equations of motion, their uncertainty, and states that satisfy them.

Frozen; saved as plain JSON.  What a model can do is written where its mathematics is: `simulation`, `scoring`,
`solving`, `reporting`, `pictures`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property

import numpy as np
import sympy

from ...export import Exports, System
from ...ground.errors import InvalidOption
from ...ground.linalg import standard_errors
from ...ground.storage import plain, write_json
from ...symbolic.rounding import round_estimates
from .dynamics import Dynamics
from .fields import Field
from .pictures import draw, save_drawing
from .reporting import latex, report, text
from .scoring import score
from .simulation import simulate
from .solving import solve_implicit

FORMAT, VERSION = "symknot model", 1


@dataclass(frozen=True, eq=False)
class KnottedRun:
    """One run: what was measured, and the states nearest to it that satisfy the equations.

    Attributes
    ----------
    label : str
    times : (N,) array
    measured, states : (N, d) array
    inputs : (N, q) array
    cuts : int array
        Rows from which the equations do not lead to the next one (see `joint`); mostly empty.
    """

    label: str
    times: np.ndarray
    measured: np.ndarray
    states: np.ndarray
    inputs: np.ndarray
    cuts: np.ndarray

    def __len__(self):
        return len(self.times)


@dataclass(frozen=True, eq=False)
class Term:
    """One coefficient.

    Attributes
    ----------
    target : str
        The derivative or next state whose equation it belongs to.
    monomial : sympy expression
    in_denominator : bool
    estimate, error : float
        The coefficient and its standard error.
    """

    target: str
    monomial: sympy.Expr
    in_denominator: bool
    estimate: float
    error: float


@dataclass(frozen=True, eq=False)
class Model(Exports):
    """Equations of motion.

    Attributes
    ----------
    names, input_names : tuple of str
        The measured states, and the inputs.
    arguments : tuple of str
        Variables of the right-hand sides: states (with velocities, or earlier states), then inputs.
    targets : tuple of str
        What the equations give: derivatives such as ``x'``, next states such as ``x_next``, or outputs.
    dynamics : Dynamics
        `Flow`, `Map`, `Static`, or another kind.
    field : Field
        The terms of the right-hand sides.
    coefficients : (P,) array
    information : (P, P) array
        Inverse of the coefficients' covariance.
    noise : (d,) array
        Standard deviation of the measurement noise of each state, as estimated with the model.
    values : (d,) array
        Distance of the data from the model over the noise that the data show without a model, for each
        state: near 1 for a right model.  NaN for maps and static responses, whose noise cannot be told without one.
    guesses : dict
        Degree -> for each target, how much larger the point-by-point misfit is than noise explains.
    runs : tuple of KnottedRun
    message : str
        In words, how it went.

    See Also
    --------
    symknot.identify

    Notes
    -----
    Where nothing was found there are no `targets`, and `message` says why.
    """

    names: tuple
    input_names: tuple
    arguments: tuple
    targets: tuple
    dynamics: Dynamics
    field: Field
    coefficients: np.ndarray
    information: np.ndarray
    noise: np.ndarray
    values: np.ndarray
    guesses: dict
    runs: tuple
    message: str

    @property
    def kind(self):
        """Short name of the kind of dynamics, such as "flow", "map" or "static"."""
        return self.dynamics.kind

    @cached_property
    def variables(self):
        """sympy symbols of the arguments and then of the targets."""
        return tuple(sympy.Symbol(name) for name in self.arguments + self.targets)

    @property
    def states(self):
        """Data knots: for each run the states nearest to the data that satisfy the equations."""
        return tuple(run.states for run in self.runs)

    @cached_property
    def terms(self):
        """All coefficients with their standard errors, as `Term`."""
        exponents = self.field.exponents
        return tuple(
            Term(self.targets[j], self._monomial(exponents[k]), bool(below), float(value), float(error))
            for j, k, below, value, error in zip(self.field.owner, self.field.monomial, self.field.in_denominator,
                                                 self.coefficients, standard_errors(self.information)))

    @cached_property
    def right_hand_sides(self):
        """Target -> sympy expression with the estimated coefficients (floats of 17 digits)."""
        return {name: above / below for name, above, below in self._fractions(
            lambda place: sympy.Float(self.coefficients[place], 17))}

    @cached_property
    def _rounded(self):
        """Place -> (Fraction, digits): the simplest numbers that the data do not reject."""
        return round_estimates(self.information, self.coefficients)

    @cached_property
    def exact_right_hand_sides(self):
        """Target -> sympy expression with the simplest rational numbers that the data do not reject."""
        return {name: above / below for name, above, below in self._fractions(
            lambda place: sympy.Rational(*self._rounded[place][0].as_integer_ratio()))}

    @cached_property
    def equations(self):
        """Implicit equations with the same rational numbers: expressions in states and targets that are zero."""
        return tuple(sympy.expand(sympy.Symbol(name) * below - above) for name, above, below in self._fractions(
            lambda place: sympy.Rational(*self._rounded[place][0].as_integer_ratio())))

    def shown(self, digits=None):
        """Target -> sympy expression for the eye: simple fractions exact, other numbers to the digits that count."""
        def number(place):
            value, significant = self._rounded[place]
            exact = sympy.Rational(*value.as_integer_ratio())
            if digits is not None and value.denominator > 1:
                return exact.evalf(digits)
            return exact if significant is None else sympy.Float(exact, significant)

        return {name: above / below for name, above, below in self._fractions(number)}

    def _fractions(self, number):
        """(target, numerator, denominator) of every equation; `number` makes a coefficient of its place."""
        exponents = self.field.exponents
        for j, name in enumerate(self.targets):
            above, below = [], [self._monomial(exponents[self.field.pivots[j]])]
            for place in np.flatnonzero(self.field.owner == j):
                part = below if self.field.in_denominator[place] else above
                part.append(number(int(place)) * self._monomial(exponents[self.field.monomial[place]]))
            yield name, sympy.Add(*above), sympy.Add(*below)

    @cached_property
    def _factors(self):
        """What monomials are made of: symbols of the arguments, then functions of them."""
        symbols = self.variables[: len(self.arguments)]
        return (*symbols, *(one.function.expression(symbols[one.argument]) for one in self.field.functions))

    def _monomial(self, exponents):
        return sympy.Mul(*[factor**int(e) for factor, e in zip(self._factors, exponents)])

    def simulate(self, start, times, inputs=None, **options):
        """States that follow from a start; see `symknot.sysid.motion.simulation.simulate`.

        Parameters
        ----------
        start : sequence of float
            The first state; of a flow of second order followed by the velocity, of a map with lags several rows.
        times : sequence of float, or int
            Increasing times, the first that of `start`; of a map steps, or their number.
        inputs : array or callable, optional
            One row for each time, or a function of time.
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

    def predict(self, inputs):
        """Outputs of a static response at other inputs.

        Parameters
        ----------
        inputs : (n, q) array, or (n,) for one input

        Returns
        -------
        (n, d) array
        """
        self._check_found("evaluated")
        return self.dynamics.predict(self, inputs)

    def score(self, data, *, time=None, group=None, inputs=()):
        """How well the model foretells runs (data as in `identify`), as `Score`; see `scoring.score`."""
        self._check_found("scored")
        return score(self, data, time, group, inputs)

    def solve_for(self, name, timeout=60):
        """The equations solved for a target or any other variable, exactly, in the numbers of `equations`.

        Parameters
        ----------
        name : str or sympy.Symbol
            Such as ``"x'"``, or a state.
        timeout : float or None
            Seconds an elimination may take.

        Returns
        -------
        sympy expression, or tuple of them
            Several branches where the equation is not linear.

        Raises
        ------
        InvalidOption, TimeLimit
        """
        self._check_found("solved")
        targets = self.variables[len(self.arguments):]
        functions = self._factors[len(self.arguments):]
        inside = {str(symbol) for function in functions for symbol in function.free_symbols}
        if str(name) in inside:
            raise InvalidOption("name", str(name), f"no variable inside a function: {', '.join(map(str, functions))}")
        # to algebra a function of other variables is one more variable
        letters = {function: sympy.Dummy(f"f{k}") for k, function in enumerate(functions)}
        names = {letter: function for function, letter in letters.items()}
        solved = solve_implicit([equation.xreplace(letters) for equation in self.equations],
                                (*self.variables[: len(self.arguments)], *names, *targets), targets, name, timeout)
        if isinstance(solved, tuple):
            return tuple(branch.xreplace(names) for branch in solved)
        return solved.xreplace(names)

    def text(self, digits=None):
        """Equations and noise, as ``str`` shows them; `digits` as in `latex`."""
        return text(self, digits)

    def report(self):
        """Equations, standard errors, noise, misfit, first guesses and runs, as a text."""
        return report(self)

    def latex(self, digits=None):
        """The equations in LaTeX; `digits` significant ones, by default as many as the data determine."""
        return latex(self, digits)

    def plot(self, path=None):
        """Draw data, knots and simulations of each state, and what is left of the data.

        Parameters
        ----------
        path : path-like, optional
            Write the picture there, whole or not at all; the suffix decides the format, png if there is none.

        Returns
        -------
        matplotlib.figure.Figure

        Raises
        ------
        MissingExtra
            If matplotlib is not installed.
        """
        return draw(self) if path is None else save_drawing(self, path)

    def save(self, path):
        """Write the model to `path` as versioned JSON that holds numbers and names only; `load_model` reads it."""
        guesses = [[int(degree), _with_gaps(values)] for degree, values in self.guesses.items()]
        special = {"guesses": guesses, "noise": _with_gaps(self.noise),
                   "values": _with_gaps(self.values)}
        write_json(path, FORMAT, VERSION, {field.name: special[field.name] if field.name in special
                                            else plain(getattr(self, field.name)) for field in fields(self)})

    def _check_found(self, what):
        if not self.targets:
            raise InvalidOption("model", "no equation", f"one with equations to be {what}")

    def _system(self, approximate=False):
        if approximate:
            raise InvalidOption("approximate", approximate, "left out: a model has rational equations")
        self._check_found("exported")
        if self.field.functions:
            raise InvalidOption("model", ", ".join(map(str, self._factors[len(self.arguments):])),
                                "without functions: other systems get polynomial equations")
        names = self.arguments + self.targets
        polynomials = []
        for equation in self.equations:
            poly = sympy.Poly(equation, *self.variables)
            polynomials.append({e: Fraction(int(c.p), int(c.q)) for e, c in poly.terms()})
        notes = tuple(f"{name} = {text}" for name, text in self.shown().items())
        return System(names, tuple(polynomials), title="identified equations of motion",
                      notes=notes)

    def __str__(self):
        return text(self)

    def __repr__(self):
        return f"<Model of {', '.join(self.targets) or 'nothing'}: {self.field.size} terms, {len(self.runs)} run(s)>"


def _with_gaps(values):
    """Numbers for JSON, None for those that are not known."""
    return [float(value) if np.isfinite(value) else None for value in values]
