r"""Fast values and derivatives: monomials compiled by sympy's lambdify, then one matrix product.

Every polynomial of degree two or more is :math:`\sum_a c_a y^a` with
:math:`y = F_1((x - c) / s)`, variables that are centred and scaled, so their monomials
keep their digits where those of x would not.  One compiled function makes all monomials
of a block of points, each from a lower one by one multiplication, and the coefficients
follow as a matrix.  Derivatives are the same with other coefficients:
:math:`\partial y^a = a_i y^{a - e_i}`.  Polynomials of degree one are their own linear form.

At high degrees even these sums cancel.  The rounding error of a sum is at most about
:math:`\epsilon \sum_a |c_a| |y^a|`; in the nested form, the recursion, the terms of the
last sum are :math:`|B| |f g| + |A| |f|`.  Where on the knots the former exceeds the
latter more than `LARGEST_LOSS` times, or where the recursion is much less work, polynomials are
evaluated by the recursion.

Compiled code consists of products of symbols y0, y1, ... only: no name or number that came
from a user or a file is ever part of it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from operator import mul
from typing import Any

import mpmath
import numpy as np
import sympy

from ..fitting.recursion import Recursion
from ..ground.blocks import NUMBERS_IN_CACHE, shifted_and_divided
from ..ground.checks import memory_for
from ..ground.errors import InvalidOption, InvalidPoints
from ..ground.threads import in_threads
from ..polynomials.evaluation import monomial_rows
from ..polynomials.monomials import count, monomials
from ..reading.points import checked_points
from .expansion import BINARY_PLACES, Expansion

LARGEST_LOSS = 100.0
"""How many times less accurate than the recursion a sum over monomials may be: two digits of sixteen, a convention."""
LARGEST_WORK_RATIO = 4.0
"""How many times the recursion's multiplications a sum over monomials may cost.  Measured on random recursions in 2 to
10 variables, degrees 3 to 8, 4000 points: both take the same time at a ratio of 4 to 20 for derivatives, but of 0.1 to
2 for values alone, where little is at stake."""
MOST_COMPILED = 3000
"""Monomials that are compiled at most: 0.2 to 0.5 ms each on one core (measured), so at most a second or so."""
CACHED_FUNCTIONS = 32
"""Compiled functions that are remembered, one per dimension and degree: several fits with all their degrees.  A
convention."""
ROWS_AT_ONCE = 4096
"""Points evaluated at a time at most.  Measured on 3 to 8 variables, degrees 3 and 4: 256 take two to three times as long, for
the cost of calls."""
FEWEST_ROWS_AT_ONCE = 64
"""The same where numbers are many: a convention, for a matrix product rather than products with vectors."""
JUDGED_KNOTS = 256
"""Knots on which accuracy is judged: a convention; sizes are wanted, not digits."""
FIRST_SPARE_BITS = 20
"""Bits beyond those asked for with which a value of mpmath is first tried: six digits that may cancel."""
ROUNDING_BITS = 10
"""Of the spare bits, those that must be left after cancelling.  Derived: a term carries about as many roundings as its
degree, and their sum (`mpmath.fdot`) one more; this covers a thousand."""
SIZE_BITS = 30
"""Bits with which sizes are computed that only decide how many bits cancel."""
MOST_SPARE_BITS = 10_000
"""Spare bits of a value of mpmath at most: one that is zero would never have enough.  A convention, 3000 digits."""


@lru_cache(maxsize=CACHED_FUNCTIONS)
def monomial_function(dimension: int, degree: int) -> Callable[..., list]:
    """A compiled function of y0, y1, ...: the list of their monomials of degree 1 to `degree`.

    It works with whatever can be multiplied: arrays, floats, numbers of mpmath.

    Examples
    --------
    >>> monomial_function(2, 2)(2.0, 3.0)
    [2.0, 3.0, 4.0, 6.0, 9.0]
    """
    variables = sympy.symbols(f"y:{dimension}")
    table = monomials(dimension, degree)
    powers = [sympy.Mul(*[v**e for v, e in zip(variables, row) if e]) for row in table.exponents.tolist()]

    def chain(_):
        """Common subexpressions: monomial b = variable i times monomial a."""
        names = [None, *variables, *sympy.symbols(f"m{1 + dimension}:{len(table)}")]
        found = {}
        for a, products in enumerate(table.times.T.tolist()):
            for i, b in enumerate(products):
                if a and b not in found:
                    found[b] = (names[b], sympy.Mul(names[a], variables[i], evaluate=False))
        return [found[b] for b in sorted(found)], names[1:]

    return sympy.lambdify(variables, powers[1:], modules="math", cse=chain)


@dataclass(frozen=True, eq=False)
class Compiled:
    """Some of an ideal's polynomials, ready for evaluation.

    Attributes
    ----------
    expansion : Expansion
        Of the ideal.
    names : tuple of str
        The variables' names, for messages.
    columns : (k,) int array
        Which polynomials of G, in order.
    knots : (K, d) array
        In the user's units.

    Notes
    -----
    Only arrays are kept, so that it can be pickled; compiled functions are shared by all.
    """

    expansion: Expansion
    names: tuple[str, ...]
    columns: np.ndarray
    knots: np.ndarray

    def values(self, X: Any, out: np.ndarray | None = None) -> np.ndarray:
        """An (n, k) array, or (k,) for one point; NaN where a coordinate is NaN.  It is `out`, where that is given."""
        return self._by_blocks(X, self._block_values, (), out)

    def slopes(self, X: Any, out: np.ndarray | None = None) -> np.ndarray:
        """An (n, k, d) array, or (k, d) for one point: derivatives by the user's variables; `out` as in `values`."""
        return self._by_blocks(X, self._block_slopes, (len(self.names),), out)

    def _by_blocks(self, X, evaluate, each, given):
        points, single = checked_points(X, self.names)
        shape = (len(points), len(self.columns), *each)
        if given is not None:
            memory_for("out", given, shape[single:])
        out = np.empty(shape) if given is None else given.reshape(shape)

        def block(rows):
            with np.errstate(over="ignore", invalid="ignore"):      # far out values are infinite, and that is no error
                evaluate(self._inside(points[rows]), out[rows])

        deque(in_threads(block, self._blocks(len(points), *each)), maxlen=0)
        return given if given is not None else out[0] if single else out

    @property
    def degree(self) -> int:
        """The highest degree among the polynomials; 0 without any."""
        return int(self.expansion.recursion.G_degrees[self.columns].max(initial=0))

    @cached_property
    def nested(self) -> bool:
        """Whether the recursion is run instead of the compiled monomials."""
        if self.degree < 2:
            return False
        size = count(self.expansion.recursion.sizes[1], self.degree)
        work = size * (1 + len(self.columns))
        return size > MOST_COMPILED or work > LARGEST_WORK_RATIO * self._recursion_work or self.loss > LARGEST_LOSS

    @cached_property
    def loss(self) -> float:
        """How many times larger than in the recursion the terms of the sums over monomials are, on the knots."""
        judged = np.linspace(0, len(self.knots) - 1, min(len(self.knots), JUDGED_KNOTS)).astype(int)
        U = self._inside(self.knots[judged])
        sums = np.abs(self._basis(U)).T @ np.abs(self._coefficients)
        F, sizes = self.recursion.evaluate(U).F_parts, self.recursion.sizes
        parts = []
        for t, layer in enumerate(self.recursion.layers, start=1):
            row = sum(sizes[:t])
            chosen = layer.products
            P = U if t == 1 else F[1][:, chosen.left] * F[t - 1][:, chosen.right]
            parts.append(np.abs(np.hstack(F[:t])) @ np.abs(layer.G[:row]) + np.abs(P) @ np.abs(layer.G[row:]))
        terms = self.expansion.unit * np.hstack(parts)[:, self._places]
        sums, terms = sums.max(axis=0, initial=0.0), terms.max(axis=0, initial=np.finfo(float).tiny)
        return float(np.max(sums / terms, initial=0.0))

    @cached_property
    def recursion(self) -> Recursion:
        """The ideal's recursion up to the polynomials that are asked for, and without the others."""
        full = self.expansion.recursion
        wanted, layers = np.isin(np.arange(len(full.G_degrees)), self.columns), []
        for t, layer in enumerate(full.layers[: self.degree], start=1):
            kept = slice(0, None if t < self.degree else 0)
            layers.append(replace(layer, F=layer.F[:, kept], adjustable=layer.adjustable[kept],
                                  G=layer.G[:, wanted[full.G_degrees == t]]))
        return replace(full, layers=tuple(layers))

    @cached_property
    def _places(self):
        """Where in the G of `recursion` each polynomial is."""
        return np.argsort(np.argsort(self.columns))

    @cached_property
    def _table(self):
        """The monomials in y; only the constant where no polynomial is of degree two or more."""
        full = self.expansion.recursion
        return monomials(full.sizes[1], self.degree) if self.degree > 1 else monomials(1, 0)

    @cached_property
    def _linear(self):
        """Which polynomials are of degree one."""
        return self.expansion.recursion.G_degrees[self.columns] == 1

    @cached_property
    def _coefficients(self):
        """Coefficients (columns: polynomials) over the monomials in y, then, where needed, over u."""
        full, linear = self.expansion.recursion, self._linear
        # at full degree the coefficients are there already, since the fit or since another polynomial asked
        source, places = (full, self.columns) if self.degree == full.degree else (self.recursion, self._places)
        size, d = len(self._table), full.dimension if linear.any() else 0
        out = np.zeros((size + d, len(self.columns)))
        if not linear.all():
            out[:size, ~linear] = source.G_coefficients()[:, places[~linear] - np.sum(source.G_degrees == 1)]
        if d:
            form = full.layers[0].G[:, self.columns[linear]]
            out[0, linear], out[size:, linear] = full.constant * form[0], form[1:]
        return self.expansion.unit * out

    @cached_property
    def _slope_coefficients(self):
        """Coefficients of the derivatives by x over the monomials in y of lower degree: (monomials, k, d)."""
        full, table, C = self.expansion.recursion, self._table, self._coefficients
        scale = self.expansion.scale
        out = np.zeros((max(table.times.shape[1], 1), len(self.columns), full.dimension))
        if self.degree > 1:
            for i, higher in enumerate(table.times):
                by_y = C[higher] * table.exponents[higher, i, None]
                out += by_y[:, :, None] * (full.layers[0].F[1:, i] / scale)
        out[0] += C[len(table):].T / scale if len(C) > len(table) else 0.0
        return out

    def _inside(self, points):
        return shifted_and_divided(points, self.expansion.center, self.expansion.scale)

    def _monomials(self, U, degree, extra=0):
        """Values (rows) of the monomials in y up to `degree`, then of the first `extra` variables u."""
        size = count(self._table.dimension, degree)
        out = np.empty((size + extra, len(U)))
        out[0] = 1.0
        out[size:] = U.T[:extra]
        if degree:
            first, constant = self.expansion.recursion.layers[0].F, self.expansion.recursion.constant
            y = first[1:].T @ U.T + constant * first[0][:, None]
            monomial_rows(y, degree, out[:size])
        return out

    def _basis(self, U):
        """What the coefficients are over: (., n)."""
        return self._monomials(U, self._table.degree, len(self._coefficients) - len(self._table))

    def _block_values(self, U, out):
        if self.nested:
            np.multiply(self.expansion.unit, self.recursion.evaluate(U).G[:, self._places], out=out)
        else:
            np.matmul(self._basis(U).T, self._coefficients, out=out)

    def _block_slopes(self, U, out):
        if self.nested:
            slopes = self.recursion.evaluate(U, derivatives=True).dG[:, :, self._places]
            np.multiply(slopes.transpose(0, 2, 1), self.expansion.unit / self.expansion.scale, out=out)
        else:
            D = self._slope_coefficients
            np.matmul(self._monomials(U, max(self._table.degree - 1, 0)).T, D.reshape(len(D), -1),
                      out=out.reshape(len(U), -1))

    @property
    def _recursion_work(self):
        """How many multiplications the recursion takes for one point."""
        return sum(len(layer.F) * (1 + layer.F.shape[1] + layer.G.shape[1]) for layer in self.recursion.layers)

    def _blocks(self, n, slopes=1):
        """Slices that cut n rows into blocks whose monomials stay in cache; `slopes`: numbers for each value."""
        candidates = [slopes * len(layer.F) for layer in self.recursion.layers] if self.nested else [len(self._table)]
        rows = NUMBERS_IN_CACHE // max(candidates)
        rows = min(max(rows, FEWEST_ROWS_AT_ONCE), ROWS_AT_ONCE)
        return [slice(start, start + rows) for start in range(0, n, rows)]


def plain_function(compiled: Compiled, modules: str) -> Callable[..., list]:
    """A function of d arguments that returns the list of the polynomials' values.

    Parameters
    ----------
    compiled : Compiled
    modules : {"numpy", "mpmath", "math"}
        For arrays (which broadcast), for numbers of any precision, for floats.
    """
    kinds = {"numpy": _of_arrays, "mpmath": _of_any_precision, "math": _of_floats}
    if not isinstance(modules, str) or modules not in kinds:
        raise InvalidOption("modules", modules, f"one of {', '.join(map(repr, kinds))}")
    evaluate, names = kinds[modules](compiled), compiled.names

    def function(*arguments):
        if len(arguments) != len(names):
            raise InvalidPoints(f"need {len(names)} argument(s), for {', '.join(names)}; got {len(arguments)}")
        return evaluate(arguments)

    return function


def _of_arrays(compiled):
    def evaluate(arguments):
        arrays = [np.asarray(argument) for argument in arguments]
        try:
            columns = np.broadcast_arrays(*arrays)
        except ValueError:
            shapes = ", ".join(str(array.shape) for array in arrays)
            raise InvalidPoints(f"need arguments whose shapes broadcast, got {shapes}") from None
        values = compiled.values(np.stack([column.ravel() for column in columns], axis=1))
        return [column.reshape(columns[0].shape)[()] for column in np.ascontiguousarray(values.T)]
    return evaluate


def _of_floats(compiled):
    def checked(arguments):
        try:
            if any(isinstance(argument, (str, bytes)) for argument in arguments):
                raise TypeError("text is no number")
            return [float(argument) for argument in arguments]
        except (TypeError, ValueError) as error:
            raise InvalidPoints(f"must be real numbers ({error})") from None

    if compiled.nested:
        return lambda arguments: compiled.values(checked(arguments)).tolist()
    exact, degree = compiled.expansion, compiled._table.degree
    center, scale, constant = exact.center.tolist(), exact.scale.tolist(), float(exact.recursion.constant)
    first = exact.recursion.layers[0].F.T.tolist() if degree else []
    columns = compiled._coefficients.T.tolist()

    def evaluate(arguments):
        u = [(a - c) / s for a, c, s in zip(checked(arguments), center, scale)]
        y = [constant * form[0] + sum(map(mul, form[1:], u)) for form in first]
        basis = [1.0, *(monomial_function(len(y), degree)(*y) if y else ()), *u]
        return [sum(map(mul, column, basis)) for column in columns]
    return evaluate


def _of_any_precision(compiled):
    exact = compiled.expansion
    polynomials = [exact.inside(int(column)) for column in compiled.columns]

    def evaluate(arguments):
        try:
            x = [mpmath.mpmathify(argument) for argument in arguments]
        except (TypeError, ValueError) as error:
            raise InvalidPoints(f"must be numbers ({error})") from None
        return [_precisely(exact, polynomial, x) for polynomial in polynomials]
    return evaluate


def _precisely(exact, polynomial, x):
    """The polynomial at x, correct to mpmath's present precision.

    `Expansion.terms` are taken as exact.  The sum is repeated with more bits until those
    that cancel are replaced.
    """
    target, spare = mpmath.mp.prec, FIRST_SPARE_BITS
    while True:
        with mpmath.workprec(target + spare):
            w = [a * s.denominator / s.numerator for a, s in zip(x, exact.stretch)]
            shift = [mpmath.ldexp(a, -BINARY_PLACES) for a in exact.shift]
            value = _sum_of_monomials(polynomial, [a - b for a, b in zip(w, shift)], list(polynomial.numbers))
        with mpmath.workprec(SIZE_BITS):
            largest = _sum_of_monomials(polynomial, [abs(a) + abs(b) for a, b in zip(w, shift)],
                                        [abs(number) for number in polynomial.numbers])
        cancelled = int(mpmath.mag(largest) - mpmath.mag(value)) if value and mpmath.isfinite(value) else spare
        if cancelled + ROUNDING_BITS <= spare or spare > MOST_SPARE_BITS or not mpmath.isfinite(value):
            return value * mpmath.ldexp(float(exact.unit), int(polynomial.exponents[0]))
        spare = max(cancelled + FIRST_SPARE_BITS, 2 * spare)


def _sum_of_monomials(polynomial, variables, numbers):
    monomial = monomial_function(len(variables), polynomial.degree)(*variables)
    return mpmath.fdot(numbers, [mpmath.mpf(1), *monomial])
