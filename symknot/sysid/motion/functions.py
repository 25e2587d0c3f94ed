r"""Candidate functions: what may occur in right-hand sides beside powers of the arguments.

A candidate function :math:`\varphi` of one variable becomes a further *factor* of the terms: with arguments
:math:`z_1, \dots, z_a` and functions :math:`\varphi_k(z_{i_k})` the terms are the monomials of
:math:`(z_1, \dots, z_a, \varphi_1(z_{i_1}), \dots)` up to the degree, products such as :math:`z_2 \sin z_1` included.
Whoever needs derivatives has them by the chain rule,

.. math:: \frac{d m}{d z_i} = \frac{\partial m}{\partial z_i}
                            + \sum_{k:\, i_k = i} \frac{\partial m}{\partial \varphi_k}\, \varphi_k'(z_i) .
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy

from ...ground.errors import InvalidOption

CHECKED_POINTS = 200
"""Points of the data at which a function is tried before it is used; a wrong slope shows at any of them."""
DIFFERENCE_STEP = 1e-6
"""Step of the differences that a slope is compared with, as a share of the variable's largest value: near the cube root
of rounding, where central differences are most precise."""
SLOPE_TOLERANCE = 1e-3
"""Difference from them, as a share of the largest slope, that rounding may explain; the median over the points, so that
single kinks are allowed."""


class CandidateFunction(ABC):
    """A function of one variable that `identify` may use in right-hand sides.

    Subclasses give it a name, its value, its derivative and its sympy form; ``identify(data, functions=[Sine()])``
    then tries it on every argument of the right-hand sides, and ``Sine().of("angle")`` on that one alone.

    Attributes
    ----------
    name : str
        For messages and files.  A file holds the name only: `load_model` needs a function that was registered under it
        (`register_function`).
    variables : tuple of str or None
        The arguments it is tried on; None for all.

    Examples
    --------
    >>> class Sine(CandidateFunction):
    ...     name = "sin"
    ...
    ...     def value(self, z):
    ...         return np.sin(z)
    ...
    ...     def slope(self, z):
    ...         return np.cos(z)
    ...
    ...     def expression(self, symbol):
    ...         return sympy.sin(symbol)
    >>> Sine().expression(sympy.Symbol("x")), Sine().of("x").variables
    (sin(x), ('x',))
    """

    name: str
    variables: tuple[str, ...] | None = None

    @abstractmethod
    def value(self, z: np.ndarray) -> np.ndarray:
        """Values at an array of numbers; NaN or infinite where there is none."""

    @abstractmethod
    def slope(self, z: np.ndarray) -> np.ndarray:
        """Derivative there."""

    @abstractmethod
    def expression(self, symbol: sympy.Symbol) -> sympy.Expr:
        """The function of a symbol, for printing and algebra."""

    def of(self, *names: str) -> CandidateFunction:
        """The same function, tried on the arguments with these names only."""
        restricted = copy.copy(self)
        restricted.variables = names
        return restricted


@dataclass(frozen=True, eq=False)
class FunctionOf:
    """A candidate function of one of the right-hand sides' arguments, given by its number."""

    function: CandidateFunction
    argument: int

    def value(self, points: np.ndarray) -> np.ndarray:
        """At `points` (a, n)."""
        return self.function.value(points[self.argument])

    def slope(self, points: np.ndarray) -> np.ndarray:
        """Derivative there by its argument."""
        return self.function.slope(points[self.argument])

    def as_json(self) -> dict:
        """Name and number."""
        return {"name": self.function.name, "argument": self.argument}


def with_functions(points: np.ndarray, functions: Sequence[FunctionOf]) -> np.ndarray:
    """All factors of the terms, (a + k, n): arguments (a, n), then functions of them.  Also for one point (a,)."""
    if not functions:
        return points
    if points.ndim == 1:                              # functions are promised arrays
        return with_functions(points[:, None], functions)[:, 0]
    return np.concatenate([points, np.stack([function.value(points) for function in functions])])


def chain_rule(slopes: np.ndarray, points: np.ndarray, functions: Sequence[FunctionOf]) -> np.ndarray:
    """Derivatives by the arguments (a, ..., n), from those by all factors (a + k, ..., n), which are overwritten."""
    arguments = len(points)
    for factor, function in enumerate(functions, start=arguments):
        slopes[function.argument] += slopes[factor] * function.slope(points)
    return slopes[:arguments]


def placed_functions(functions: Any, names: Sequence[str], points: np.ndarray) -> tuple[FunctionOf, ...]:
    """Each candidate function on each argument it is for, after a look at what it says there.

    Parameters
    ----------
    functions : sequence of CandidateFunction
    names : sequence of str
        Of the arguments.
    points : (n, a) array
        Of the data.
    """
    if isinstance(functions, CandidateFunction) or not isinstance(functions, Sequence):
        raise InvalidOption("functions", functions, "a list of candidate functions")
    for function in functions:
        if not isinstance(function, CandidateFunction):
            raise InvalidOption("functions", function, "candidate functions: objects of a subclass of "
                                "symknot.sysid.motion.functions.CandidateFunction")
    found: dict[tuple[str, int], FunctionOf] = {}
    some = points[np.linspace(0, len(points) - 1, min(len(points), CHECKED_POINTS)).astype(int)].T
    for function in functions:
        for name in names if function.variables is None else function.variables:
            if name not in names:
                raise InvalidOption(f"variables of {function.name}", name, f"of {', '.join(names)}")
            one = FunctionOf(function, list(names).index(name))
            if (function.name, one.argument) in found:
                raise InvalidOption("functions", f"{function.name} of {name} twice", "different from each other")
            _check(one, name, points.T, some)
            found[function.name, one.argument] = one
    return tuple(found.values())


def _check(one, name, points, some):
    """Complain about a function that has no values on the data, or whose slope is not that of its values."""
    title, z = f"{one.function.name} of {name}", some[one.argument]
    with np.errstate(all="ignore"):
        values, slopes = np.asarray(one.value(points)), np.asarray(one.slope(some))
        step = DIFFERENCE_STEP * max(float(np.abs(z).max()), np.finfo(float).tiny)
        differences = (one.function.value(z + step) - one.function.value(z - step)) / (2 * step)
    if values.shape != points[0].shape or slopes.shape != z.shape:
        raise InvalidOption("functions", title, "such that value and slope take an array to one of the same shape")
    if not np.isfinite(values).all():
        worst = points[one.argument][~np.isfinite(values)][0]
        raise InvalidOption("functions", f"{title} = {worst:.6g}", "finite on all data; leave the function out, or "
                            "name the variables it is for with .of(...)")
    off = np.abs(differences - slopes)
    if not np.median(off) <= SLOPE_TOLERANCE * max(float(np.nanmax(np.abs(slopes))), np.finfo(float).tiny):
        raise InvalidOption("functions", title, "such that slope is the derivative of value (differences of the values "
                            "say something else)")


_FUNCTIONS: dict[str, CandidateFunction] = {}


def register_function(function: CandidateFunction) -> CandidateFunction:
    """Make a function known under its name, so that saved models with it can be read.

    A later one of the same name takes the place of the earlier one.
    """
    _FUNCTIONS[function.name] = function
    return function


def registered_functions() -> dict[str, CandidateFunction]:
    """Name -> function, of all that are known now."""
    return dict(_FUNCTIONS)
