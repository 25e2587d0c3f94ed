r"""Candidate functions by name, by a Python callable, and the ones that ``functions="auto"`` tries.

A function of a state is a letter of its own in exact work; what ties it to the state and to other letters by algebra is
its *relation*:

.. math:: \sin^2 x + \cos^2 x = 1, \qquad (\sqrt x)^2 = x, \qquad x \cdot \tfrac1x = 1 .

exp and log have none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import sympy

from ...ground.errors import InvalidOption
from .functions import DIFFERENCE_STEP, CandidateFunction, FunctionOf, placed_functions, register_function

AUTO = "auto"
DIRECT_LETTERS = 3
"""Functions that are letters of all candidate terms, with all their products; of more each is tried as a factor
(`screening`).  A convention: with two states and degree 3 that is 56 candidates for each equation instead of 10."""
LARGEST_SLOPE_RATIO = 1e4
"""Slopes of a function on the data, largest over median, beyond which it is as good as singular there, and is not tried
by itself: noise would decide its values."""


class Known(CandidateFunction):
    """A function of the library.

    Parameters
    ----------
    name : str
    form : callable
        From a symbol to the sympy expression.
    value, slope : callables of an array
    """

    def __init__(self, name: str, form: Callable[[sympy.Symbol], sympy.Expr], value: Callable, slope: Callable):
        self.name, self._form, self._value, self._slope = name, form, value, slope

    def __repr__(self) -> str:
        return self.name

    def value(self, z: np.ndarray) -> np.ndarray:
        """Values, without warnings where there are none."""
        with np.errstate(all="ignore"):
            return self._value(np.asarray(z, dtype=float))

    def slope(self, z: np.ndarray) -> np.ndarray:
        """Derivative."""
        with np.errstate(all="ignore"):
            return self._slope(np.asarray(z, dtype=float))

    def expression(self, symbol: sympy.Symbol) -> sympy.Expr:
        """In sympy."""
        return self._form(symbol)


LIBRARY = {one.name: one for one in (
    Known("sin", sympy.sin, np.sin, np.cos),
    Known("cos", sympy.cos, np.cos, lambda z: -np.sin(z)),
    Known("exp", sympy.exp, np.exp, np.exp),
    Known("log", sympy.log, np.log, lambda z: 1 / z),
    Known("sqrt", sympy.sqrt, np.sqrt, lambda z: 0.5 / np.sqrt(z)),
    Known("1/x", lambda x: 1 / x, lambda z: 1 / z, lambda z: -1 / z**2),
    Known("tanh", sympy.tanh, np.tanh, lambda z: 1 - np.tanh(z) ** 2),
)}
"""Functions that have a name."""
for _one in LIBRARY.values():
    register_function(_one)


class FromCallable(CandidateFunction):
    """A function of the user: a Python callable that takes an array to one of the same shape.

    Its derivative and expression are those that sympy finds when the callable takes a symbol; where it does not, the
    derivative is that of central differences, and the function is printed by its name.
    """

    def __init__(self, function: Callable):
        self.name = re.sub(r"\W", "_", getattr(function, "__name__", type(function).__name__))
        self._function, self._form, self._derivative = function, None, None
        symbol = sympy.Symbol("z", real=True)
        try:
            form = sympy.sympify(function(symbol), strict=True)      # text is refused, never evaluated
            if form.free_symbols == {symbol}:
                self._form, self._derivative = sympy.Lambda(symbol, form), sympy.lambdify(symbol, form.diff(symbol), "numpy")
        except Exception:                  # whatever code of the user raises on a symbol: it is meant for arrays
            pass

    def __repr__(self) -> str:
        return self.name

    def value(self, z: np.ndarray) -> np.ndarray:
        """What the callable says."""
        with np.errstate(all="ignore"):
            return np.asarray(self._function(np.asarray(z, dtype=float)), dtype=float)

    def slope(self, z: np.ndarray) -> np.ndarray:
        """Derivative by sympy, or differences."""
        z = np.asarray(z, dtype=float)
        with np.errstate(all="ignore"):
            if self._derivative is not None:
                return np.broadcast_to(np.asarray(self._derivative(z), dtype=float), z.shape)
            step = DIFFERENCE_STEP * max(float(np.abs(z).max(initial=0.0)), 1.0)
            return (self.value(z + step) - self.value(z - step)) / (2 * step)

    def expression(self, symbol: sympy.Symbol) -> sympy.Expr:
        """In sympy, or an unknown function of this name."""
        return sympy.Function(self.name)(symbol) if self._form is None else self._form(symbol)


def offered_functions(functions: Any, names: Sequence[str],
                      points: np.ndarray) -> tuple[tuple[FunctionOf, ...], tuple[FunctionOf, ...]]:
    """Functions that are letters of all terms, and those that are tried as factors one by one.

    Parameters
    ----------
    functions : "auto", or sequence of str, callable or CandidateFunction
        A name may say of what: ``"sin(th)"``.
    names : sequence of str
        Of the arguments.
    points : (n, a) array
        Of the data.
    """
    if isinstance(functions, str):
        if functions != AUTO:
            raise InvalidOption("functions", functions, f"'auto', or a list such as [{functions!r}]")
        return (), tuple(_with_values(LIBRARY.values(), names, points))
    if isinstance(functions, CandidateFunction) or not isinstance(functions, Sequence):
        raise InvalidOption("functions", functions, "'auto', or a list of names, callables or candidate functions")
    own = [one for one in functions if isinstance(one, CandidateFunction)]
    bare = [LIBRARY[one] for one in functions if isinstance(one, str) and one in LIBRARY]
    said = [_named(one) for one in functions if not isinstance(one, CandidateFunction) and one not in bare
            and not (isinstance(one, str) and one in LIBRARY)]
    found = [*placed_functions([*own, *said], names, points)]
    for one in bare:
        somewhere = list(_with_values([one], names, points))
        if not somewhere:
            raise InvalidOption("functions", one.name, f"with values on the data of one of {', '.join(names)} at least")
        found += [new for new in somewhere if (new.function.name, new.argument) not in
                  {(old.function.name, old.argument) for old in found}]
    return (tuple(found), ()) if len(found) <= DIRECT_LETTERS else ((), tuple(found))


def _named(one):
    """A candidate function from a callable, or from ``"sin(th)"``."""
    if isinstance(one, str):
        match = re.fullmatch(r"\s*([\w/]+)\s*\((.*)\)\s*", one)
        if match is None and one.startswith("1/"):
            return LIBRARY["1/x"].of(one[2:].strip())
        if match is None or match[1] not in LIBRARY:
            raise InvalidOption("functions", one, f"of {', '.join(LIBRARY)}, such as 'sin' or 'sin(x)'; or callables, or "
                                "objects of a subclass of symknot.sysid.motion.functions.CandidateFunction")
        return LIBRARY[match[1]].of(match[2].strip())
    if not callable(one):
        raise InvalidOption("functions", one, "names, callables, or objects of a subclass of "
                            "symknot.sysid.motion.functions.CandidateFunction")
    return FromCallable(one)


def _with_values(functions: Iterable[CandidateFunction], names: Sequence[str], points: np.ndarray) -> Iterable[FunctionOf]:
    """The functions on all arguments on which they have values, and slopes that noise does not decide."""
    for function in functions:
        for k, z in enumerate(points.T[: len(names)]):
            values, slopes = function.value(z), np.abs(function.slope(z))
            if (np.isfinite(values).all() and np.isfinite(slopes).all() and np.ptp(values) > 0
                    and slopes.max() <= LARGEST_SLOPE_RATIO * np.median(slopes)):
                yield FunctionOf(function, k)


def relations(letters: Mapping[tuple[str, int], sympy.Symbol], arguments: Sequence[sympy.Symbol]) -> list[sympy.Expr]:
    """Polynomials that vanish on functions of the same argument.

    Parameters
    ----------
    letters : mapping
        (name of a function, number of its argument) -> its symbol.
    arguments : sequence of sympy symbols

    Examples
    --------
    >>> s, c, x = sympy.symbols("s c x")
    >>> relations({("sin", 0): s, ("cos", 0): c}, [x])
    [c**2 + s**2 - 1]
    """
    found = []
    for (name, k), letter in letters.items():
        if name == "sin" and ("cos", k) in letters:
            found.append(letter**2 + letters["cos", k] ** 2 - 1)
        elif name == "sqrt":
            found.append(letter**2 - arguments[k])
        elif name == "1/x":
            found.append(letter * arguments[k] - 1)
    return found
