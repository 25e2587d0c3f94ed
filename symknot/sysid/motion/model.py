"""The result of an identification: equations of motion, their uncertainty, and states that satisfy them.

Frozen; saved as plain JSON.  What a model can do is written where its mathematics is: `using`, `simulation`,
`scoring`, `solving`, `reporting`, `pictures`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy

from ...export.system import FunctionLetter, System
from ...ground.errors import InvalidOption, Status
from ...ground.linalg import standard_errors
from ...ground.storage import plain, write_json
from ...ground.wording import visible
from ...polynomials.conversion import terms_of
from ...polynomials.equation import Equation
from ...polynomials.expressions import DOUBLE_DIGITS
from ...polynomials.rational_json import terms_json
from ...polynomials.spelling import name_lines
from ...polynomials.symbols import safe_symbols
from ...results.base import ENGINE_SECONDS
from ...results.checking import Check
from ...showing.pictures import saved_or_drawn
from ...symbolic.rounding import round_estimates
from ..runs.spikes import Spike, said_of
from .checks import model_checks
from .dynamics import Dynamics
from .equation import MotionEquation, StateEquation, motion_equations
from .fields import Field
from .functions import with_functions
from .knotted import Alternative, CoefficientEstimate, KnottedRun
from .library import relations
from .pages import NOISE_SAID, ReportedModel
from .phase_pictures import draw_phase_portrait
from .pictures import draw
from .reporting import report
from .solving import solve_implicit
from .using import UsableModel

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMAT, VERSION = "symknot model", 2
COUNTS_AS_INPUT = "counts as an input"
"""End of the message of a model that leaves out states."""
PICTURES = {"time": draw, "phase": draw_phase_portrait}
"""What `Model.plot` can draw, by name."""


@dataclass(frozen=True, eq=False, repr=False)
class Model(UsableModel, ReportedModel):
    """Equations of motion.

    Its `polynomials` (`MotionEquation`) are implicit, target times denominator minus numerator, in the variables
    `names`: arguments, functions of them that occur, targets.  Its `knots` are points in these variables: the states
    nearest to the data that satisfy the equations, with what the equations make of them.

    Attributes
    ----------
    state_names, input_names : tuple of str
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
        Inverse of the coefficients' covariance, if none of them were fixed or tied to others.
    state_noise : (d,) array
        Standard deviation of the measurement noise of each state, as estimated with the model.
    values : (d,) array
        Distance of the data from the model over the noise that the data show without a model, for each
        state: near 1 for a right model.  NaN for maps and static responses, whose noise cannot be told without one.
    guesses : dict
        Degree -> for each target, how much larger the point-by-point misfit is than noise explains.
    runs : tuple of KnottedRun
    status : Status
        Whether equations were found for all states, for some of them, or for none.
    message : str
        In words, how it went.
    alternatives : tuple of Alternative
        Other right-hand sides with odds of more than 1 to 20 against these, the nearest first; none for a clear model.
    constraints : tuple of StateEquation
        Algebraic equations that all states satisfy, and that the estimate was made with.
    invariants : tuple of StateEquation
        What the states of each run keep constant, where that was asked for.
    hidden : tuple of str
        States that were not measured at all.
    spikes : tuple of Spike
        Measured values that were left out, being far from what their neighbours tell.

    See Also
    --------
    symknot.identify

    Notes
    -----
    Where nothing was found there are no `targets`, and `message` says why.
    """

    state_names: tuple[str, ...]
    input_names: tuple[str, ...]
    arguments: tuple[str, ...]
    targets: tuple[str, ...]
    dynamics: Dynamics
    field: Field
    coefficients: np.ndarray
    information: np.ndarray
    state_noise: np.ndarray
    values: np.ndarray
    guesses: dict
    runs: tuple[KnottedRun, ...]
    status: Status
    message: str
    alternatives: tuple[Alternative, ...] = ()
    constraints: tuple[StateEquation, ...] = ()
    invariants: tuple[StateEquation, ...] = ()
    hidden: tuple[str, ...] = ()
    spikes: tuple[Spike, ...] = ()

    @property
    def kind(self) -> str:
        """Short name of the kind of dynamics, such as "flow", "map" or "static"."""
        return self.dynamics.kind

    @cached_property
    def names(self) -> tuple[str, ...]:  # type: ignore[override]
        """Of the arguments of the right-hand sides, the functions of them that occur, and the targets."""
        functions = self._argument_factors[len(self.arguments):] if self.targets else ()
        return (*self.arguments, *map(str, functions), *self.targets)

    @cached_property
    def variables(self) -> tuple[sympy.Symbol, ...]:
        """sympy symbols, one for each name; one called ``sin(x)`` stands for that function."""
        functions = self.names[len(self.arguments):len(self.names) - len(self.targets)]
        return (*self._symbols[:len(self.arguments)], *map(sympy.Symbol, functions), *self._symbols[len(self.arguments):])

    @cached_property
    def _symbols(self) -> tuple[sympy.Symbol, ...]:
        """Symbols of the arguments and targets."""
        return safe_symbols([*self.arguments, *self.targets])

    @cached_property
    def _argument_factors(self) -> tuple[sympy.Expr, ...]:
        """What monomials are made of: symbols of the arguments, then functions of them."""
        symbols = self._symbols[:len(self.arguments)]
        return (*symbols, *(one.function.expression(symbols[one.argument]) for one in self.field.functions))

    @cached_property
    def polynomials(self) -> tuple[MotionEquation, ...]:  # type: ignore[override]
        """The equations, one for each target, with the simplest rational numbers that the data do not reject."""
        if not self.targets:
            return ()
        factors = (*self._argument_factors, *self._symbols[len(self.arguments):])
        return tuple(motion_equations(self.field, self.targets, self.names, (self.variables, factors), self._numbers(),
                                      self._standard_errors))

    def _numbers(self):
        """Place of a coefficient -> (simplest number, digits to show)."""
        ties = self.field.ties
        if ties is None:
            return round_estimates(self.information, self.coefficients)
        free = round_estimates(ties.information(self.information), ties.numbers(self.coefficients)) if ties.free else {}
        return {k: (ties.exact(k, None), None) if g < 0 else (ties.exact(k, free[g][0]), free[g][1])
                for k, g in enumerate(ties.group.tolist())}

    @cached_property
    def _standard_errors(self) -> np.ndarray:
        """Of the coefficients; 0 for those that were given."""
        ties = self.field.ties
        return standard_errors(self.information) if ties is None else ties.standard_errors(self.information)

    @property
    def polys(self) -> tuple[sympy.Poly, ...]:
        """The equations as `sympy.Poly` over QQ; then what ties functions of a variable to it and to each other, such as
        ``sin(x)**2 + cos(x)**2 - 1``, where they are letters; then the constraints."""
        ties = relations({(one.function.name, one.argument): symbol for one, symbol in
                          zip(self.field.functions, self.variables[len(self.arguments):])} if self.targets else {},
                         self.variables)
        more = (*ties, *(equation.expr for equation in self.constraints if self.targets))
        return (*super().polys, *(sympy.Poly(tie, *self.variables, domain=sympy.QQ) for tie in more))

    def _shown_equations(self) -> tuple[Equation, ...]:
        return (*self.polynomials, *self.constraints, *self.invariants)

    @property
    def function_letters(self) -> tuple[FunctionLetter, ...]:
        """Variables that stand for functions of arguments, such as ``sin(x)``."""
        functions = self.field.functions if self.targets else ()
        return tuple(FunctionLetter(len(self.arguments) + k, one.function.name, one.argument)
                     for k, one in enumerate(functions))

    @cached_property
    def knots(self) -> np.ndarray:  # type: ignore[override]
        """(K, number of names) array: points of all runs at which the equations, with the estimates, hold."""
        parts = [np.empty((0, len(self.names)))]
        for run in self.runs if self.targets else ():
            points = self.dynamics.arguments(self.dynamics.whole_states(run).T, run.inputs.T)
            found = self.field.values(self.coefficients, points)
            parts.append(np.vstack([with_functions(points, self.field.functions), found]).T)
        return np.vstack(parts)

    @property
    def noise(self) -> np.ndarray:  # type: ignore[override]
        """Standard deviation of the noise of each variable: known for the measured states, else NaN."""
        known = dict(zip(self.state_names, self.state_noise.tolist()))
        return np.array([known.get(name, np.nan) for name in self.names])

    @cached_property
    def estimates(self) -> tuple[CoefficientEstimate, ...]:
        """All coefficients with their standard errors."""
        factors, exponents = self._argument_factors, self.field.exponents
        return tuple(
            CoefficientEstimate(self.targets[j], _monomial(factors, exponents[k]), bool(below), float(value),
                                float(error))
            for j, k, below, value, error in zip(self.field.owner, self.field.monomial, self.field.in_denominator,
                                                 self.coefficients, self._standard_errors))

    @cached_property
    def right_hand_sides(self) -> dict[str, sympy.Expr]:
        """Target -> sympy expression with the estimated coefficients (floats of 17 digits)."""
        sides, factors, exponents = {}, self._argument_factors, self.field.exponents
        for j, name in enumerate(self.targets):
            own = [one for one, owner in zip(self.estimates, self.field.owner) if owner == j]
            above, below = ([sympy.Float(one.estimate, DOUBLE_DIGITS) * one.monomial for one in own
                             if one.in_denominator is part] for part in (False, True))
            pivot = _monomial(factors, exponents[self.field.pivots[j]])
            sides[name] = sympy.Add(*above) / sympy.Add(pivot, *below)
        return sides

    @cached_property
    def exact_right_hand_sides(self) -> dict[str, sympy.Expr]:
        """Target -> sympy expression with the simplest rational numbers that the data do not reject."""
        return {equation.target: equation.right_hand_side for equation in self.polynomials}

    def solve_for(self, name: str | sympy.Symbol,
                  timeout: float | None = ENGINE_SECONDS) -> sympy.Expr | tuple[sympy.Expr, ...]:
        """The equations solved for a target or any other variable, exactly, in the numbers of `polynomials`.

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
        functions = self._argument_factors[len(self.arguments):]
        name = dict(zip(self.names, map(str, self.variables))).get(str(name), str(name))
        inside = {str(symbol) for function in functions for symbol in function.free_symbols}
        if str(name) in inside:
            raise InvalidOption("name", str(name), f"no variable inside a function: {', '.join(map(str, functions))}")
        targets = self.variables[len(self.variables) - len(self.targets):]
        # to algebra a function of other variables is one more variable
        written = dict(zip(self.variables, (*self._argument_factors, *targets)))
        solved = solve_implicit([poly.as_expr() for poly in self.polys], self.variables, targets, name, timeout)
        if isinstance(solved, tuple):
            return tuple(branch.xreplace(written) for branch in solved)
        return solved.xreplace(written)

    def _closing_lines(self) -> list[str]:
        lacking = {name: "not measured" for name in self.hidden}
        noise = ", ".join(f"{name} +/- {sigma:.2g}" if np.isfinite(sigma) else f"{name} {lacking.get(name, 'unknown')}"
                          for name, sigma in zip(self.state_names, self.state_noise))
        grows = any(run.noise is not None and run.noise.ndim > 1 for run in self.runs)
        noise += ", on average: it grows with the value" * grows
        return [f"{NOISE_SAID} {noise}", *filter(None, (said_of(self.spikes), self.message))]

    def _report_text(self) -> str:
        """Equations, standard errors, noise, misfit, first guesses and runs."""
        legend = "\n".join(name_lines(self.names, tuple(map(str, self.variables))))
        return visible(report(self) + f"\n\n{legend}" * bool(legend))

    @property
    def states_without_equation(self) -> tuple[str, ...]:
        """Measured states that no equation was found for: all, or those that count as inputs of the others."""
        if not self.targets:
            return self.state_names
        left_out = self.message.rpartition(";")[2] if self.message.endswith(COUNTS_AS_INPUT) else ""
        named = {name.strip() for name in left_out.removesuffix(COUNTS_AS_INPUT).split(",")}
        return tuple(name for name in self.input_names if name in named)

    def plot(self, path: str | os.PathLike[str] | None = None, *, kind: str = "time") -> Figure:
        """Draw the model with its equations.

        Parameters
        ----------
        path : path-like, optional
            Write the picture there, whole or not at all; the suffix decides the format, png if there is none.
        kind : {"time", "phase"}
            "time": data, knots and simulation of each state, what is left of the data, and the inputs.  "phase": the runs
            in the space of their states, with the directions of a plane flow; a single state against what its equation
            gives.

        Returns
        -------
        matplotlib.figure.Figure

        Raises
        ------
        MissingExtra
            If matplotlib is not installed.
        InvalidOption
        """
        if kind not in PICTURES:
            raise InvalidOption("kind", kind, f"one of {', '.join(map(repr, PICTURES))} for {type(self).__name__}")
        return saved_or_drawn(PICTURES[kind](self), path)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to `path` as versioned JSON that holds numbers and names only; `symknot.load` opens it."""
        guesses = [[int(degree), _with_gaps(values)] for degree, values in self.guesses.items()]
        others = [{"field": plain(one.field), "coefficients": plain(one.coefficients), "cost": one.cost}
                  for one in self.alternatives]
        special = {"alternatives": others, "constraints": [_equation_json(one) for one in self.constraints],
                   "invariants": [_equation_json(one) for one in self.invariants], "guesses": guesses,
                   "state_noise": _with_gaps(self.state_noise),
                   "values": _with_gaps(self.values),
                   "runs": [{**plain(run), "measured": [_with_gaps(row) for row in run.measured]} for run in self.runs]}
        write_json(path, FORMAT, VERSION, {field.name: special[field.name] if field.name in special
                                            else plain(getattr(self, field.name)) for field in fields(self)})

    def _check_found(self, what):
        if not self.targets:
            raise InvalidOption("model", "no equation", f"one with equations to be {what}")

    def _system(self, approximate: bool = False) -> System:
        if approximate:
            raise InvalidOption("approximate", approximate, "left out: a model has rational equations")
        self._check_found("exported")
        ties = [poly.as_expr() for poly in self.polys[len(self.polynomials):]]
        return System(self.names, (*(equation.terms for equation in self.polynomials),
                                   *(terms_of(tie, self.variables) for tie in ties)),
                      title="identified equations of motion", functions=self.function_letters,
                      notes=(*(equation.text() for equation in self.polynomials), *(f"{tie} = 0" for tie in ties)))

    def _checks(self, points: Any) -> Iterator[Check]:
        yield from super()._checks(points) if points is not None else model_checks(self) if self.targets else ()

    def __repr__(self) -> str:
        return f"<Model of {visible(', '.join(self.targets)) or 'nothing'}: {self.field.size} terms, {len(self.runs)} run(s)>"


def _monomial(factors, exponents):
    return sympy.Mul(*[factor**int(e) for factor, e in zip(factors, exponents)])


def _equation_json(equation):
    errors = zip(equation.standard_errors, _with_gaps(equation.standard_errors.values()))
    return {"terms": terms_json(equation.terms), "digits": [[list(e), n] for e, n in equation.digits.items()],
            "standard_errors": [[list(e), value] for e, value in errors]}


def _with_gaps(values):
    """Numbers for JSON, None for those that are not known."""
    return [float(value) if np.isfinite(value) else None for value in values]
