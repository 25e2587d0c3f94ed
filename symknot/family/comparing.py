r"""`compare`: the methods of the family on the same points, in one table.

| column | what it says |
|---|---|
| equations, degrees | how many polynomials, and of which degrees |
| zero | polynomials found besides that are zero everywhere |
| redundant | those that the ones of lower degree generate, up to `REDUNDANT_SHARE` of their coefficients |
| residual | the largest root-mean-square distance of the points from the zeros of one of them |
| common zeros | how many zeros of *all* of them descents from the points reach, and the longest way there; or what is left |
| scale | whether points and tolerance in another unit give the same equations |
| units | whether one variable in another unit does |
| time | CPU seconds |

All methods get the same epsilon, the standard deviation of the noise: each makes of it what its own module says.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from ..fitting.redundancy import essential_and_redundant
from ..ground.checks import positive_number, whole_number
from ..ground.errors import InvalidOption, SymknotError
from ..ground.wording import counted
from ..polynomials.monomials import monomials
from ..polynomials.terms import substitute_affine
from ..reading.sources import read_variables
from ..results.fit import fit, vca
from ..showing.comparison_pictures import Panel, draw_comparison
from ..showing.pictures import saved_or_drawn
from ..showing.scene import Scene
from .abm import abm
from .avi import avi
from .classical import classical_vca
from .common_zeros import NearZeros, near_zeros
from .generators import SAME_SHARE, ZERO_SHARE, distinct, given, spread_of
from .nbm import nbm
from .oavi import oavi
from .thinning import thinning

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MAX_DEGREE = 3
"""Default highest degree of a comparison: a convention; the curves and surfaces of textbooks."""
OTHER_UNIT = 10.0
"""What points, or one variable, are multiplied by to see what depends on units: centimetres and millimetres."""
SAME_EQUATIONS = 1e-3
"""Largest sine of the angles between the spans of two sets of equations that are the same: a convention; the iterations
of a fit end within 1e-6, other equations are 0.01 and more away."""
REDUNDANT_SHARE = 0.1
"""Share of a polynomial's coefficients, in centred and scaled variables, that multiples of others may leave unexplained: as
in fits on data (`symknot.fitting.loop`)."""

Method = Callable[..., Any]
"""``method(points, epsilon, max_degree=..., names=...)`` -> a result with `polynomials`, `evaluate` and `jacobian`."""

METHODS: dict[str, Method] = {
    "fit": lambda X, epsilon, max_degree, names: fit(X, epsilon, max_degree=max_degree, names=names, form="polynomial"),
    "vca": lambda X, epsilon, max_degree, names: vca(X, epsilon, max_degree=max_degree, names=names),
    "classical vca": classical_vca,
    "nbm": nbm,
    "thinning": lambda X, epsilon, max_degree, names: thinning(X, epsilon, names=names),
    "avi": avi,
    "abm": abm,
    "gradient abm": lambda X, epsilon, **options: abm(X, epsilon, normalization="gradient", **options),
    "oavi": oavi,
    "border oavi": lambda X, epsilon, **options: oavi(X, epsilon, border=True, **options),
}
"""What can be compared, by name."""


@dataclass(frozen=True)
class Row:
    """One method in a comparison; the columns of the table, as numbers.

    Attributes
    ----------
    method : str
    equations : int
    degrees : tuple of int
        Of each equation, ascending.
    zero, redundant : int
    residual : float
        NaN without equations.
    reached : int
        Points from which a common zero is reached.
    distinct : int
        Different zeros among them: few, where equations meet at isolated points that have nothing to do with the data.
    moved : float
        The longest way to one; NaN where none is.
    left : float
        The most that is left of the equations where a descent ends, as a distance.
    same_in_scale, same_in_units : bool
    seconds : float
    trouble : str
        Why there is no result, if there is none.
    """

    method: str
    equations: int = 0
    degrees: tuple[int, ...] = ()
    zero: int = 0
    redundant: int = 0
    residual: float = float("nan")
    reached: int = 0
    distinct: int = 0
    moved: float = float("nan")
    left: float = float("nan")
    same_in_scale: bool = False
    same_in_units: bool = False
    seconds: float = 0.0
    trouble: str = ""


@dataclass(frozen=True, eq=False)
class Comparison:
    """A table of methods; print it, or look at `rows` and `results`.

    Attributes
    ----------
    rows : tuple of Row
    results : dict
        Method -> its result.
    points : (N, d) array
    names : tuple of str
    epsilon : float
    max_degree : int
    """

    rows: tuple[Row, ...]
    results: Mapping[str, Any]
    points: np.ndarray
    names: tuple[str, ...]
    epsilon: float
    max_degree: int

    def __str__(self) -> str:
        return self.text()

    def text(self, times: bool = True) -> str:
        """The table; without `times` it is the same on every computer."""
        head = ("method", "equations", "degrees", "zero", "redundant", "residual", "common zeros", "scale", "units", "time")
        cells = [head, *(_cells(row, len(self.points)) for row in self.rows)]
        cells = cells if times else [row[:-1] for row in cells]
        widths = [max(len(row[k]) for row in cells) for k in range(len(cells[0]))]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in cells]
        lines += [f"{row.method}: {row.trouble}" for row in self.rows if row.trouble]
        return "\n".join([f"{len(self.points)} points of {', '.join(self.names)}; tolerance {self.epsilon:.4g}, degree at most "
                          f"{self.max_degree}", *lines])

    def plot(self, path: str | os.PathLike[str] | None = None) -> Figure:
        """Draw what each method found, side by side.

        Parameters
        ----------
        path : path-like, optional
            Write the picture there; the suffix decides the format.

        Returns
        -------
        matplotlib.figure.Figure
        """
        panels = []
        for row in self.rows:
            if row.method in self.results:
                result = self.results[row.method]
                knots = result.knots if row.equations else self.points[:0]
                scene = Scene(self.names, result.polynomials, knots, np.ones(len(knots)))
                panels.append(Panel(row.method, f"{counted(row.equations, 'equation')}; zeros: {_zeros(row, len(self.points))}",
                                    scene.with_data(self.points)))
        return saved_or_drawn(draw_comparison(panels), path)


def compare(points: Any, epsilon: float | str = "auto", *, methods: Sequence[str] | Mapping[str, Method] | None = None,
            max_degree: int = MAX_DEGREE, names: Sequence | None = None) -> Comparison:
    """Run several methods on the same points and put what they found side by side.

    Parameters
    ----------
    points : array, DataFrame or path of a data file
        As in `symknot.fit`.
    epsilon : float or "auto"
        Standard deviation of the noise, the tolerance of all methods; "auto" takes what `symknot.fit` finds, which
        is then left to find it by itself.
    methods : sequence of str, or mapping of str to callable, optional
        Names of `symknot.family.comparing.METHODS`, by default all; or functions of your own,
        ``method(points, epsilon, max_degree=..., names=...)``.
    max_degree : int
        Of all methods but thinning, whose ideal has the degrees that it has.
    names : sequence of str, optional

    Returns
    -------
    Comparison

    Examples
    --------
    >>> import numpy as np
    >>> t = np.linspace(0, 6.2, 60)
    >>> circle = np.c_[np.cos(t), np.sin(t)] + 0.02 * np.random.default_rng(0).normal(size=(60, 2))
    >>> table = compare(circle, 0.02, methods=["fit", "gradient abm"], max_degree=2)
    >>> [(row.method, row.degrees, row.reached) for row in table.rows]
    [('fit', (2,), 60), ('gradient abm', (2,), 60)]
    """
    chosen = _chosen(methods)
    degree = whole_number("max_degree", max_degree, 1)
    data = given(read_variables(points), 1.0, degree, names)
    by_itself = epsilon == "auto"
    if by_itself:
        found = fit(data.points, names=data.names)
        if not found.epsilon:
            raise InvalidOption("epsilon", epsilon, "a number, the standard deviation of the noise: none stands out in these "
                                                    "points by itself")
        epsilon = found.epsilon
    tolerance = positive_number("epsilon", epsilon)
    rows, results = [], {}
    for name, method in chosen.items():
        def run(X, epsilon, method=method, own=by_itself and name == "fit"):
            return method(X, "auto" if own else epsilon, max_degree=degree, names=data.names)
        row, result = _row(name, run, data.points, tolerance)
        rows.append(row)
        if result is not None:
            results[name] = result
    return Comparison(tuple(rows), results, data.points, data.names, tolerance, degree)


def _chosen(methods: Any) -> dict[str, Method]:
    if methods is None:
        return METHODS
    if isinstance(methods, Mapping):
        return dict(methods)
    methods = [methods] if isinstance(methods, str) else list(methods)
    unknown = [name for name in methods if name not in METHODS]
    if unknown or not methods:
        rule = f"among {', '.join(map(repr, METHODS))}, or a mapping of names to functions"
        raise InvalidOption("methods", unknown[0] if unknown else methods, rule)
    return {name: METHODS[name] for name in methods}


def _row(name, run, X, epsilon):
    start = time.process_time()
    try:
        result = run(X, epsilon)
    except SymknotError as error:
        return Row(name, trouble=str(error)), None
    seconds = time.process_time() - start
    equations = result.polynomials
    if not equations:
        return Row(name, seconds=seconds, trouble=result.message), result
    found = _zeros_of(result, X)
    reached = found.left <= ZERO_SHARE * spread_of(X)
    units = np.where(np.arange(X.shape[1]) == 0, OTHER_UNIT, 1.0)
    return Row(name, len(equations), tuple(sorted(g.degree for g in equations)), getattr(result, "zero_count", 0),
               _redundant(equations, X), float(max(_residual(result, X))), int(np.sum(reached)),
               len(distinct(found.points[reached], SAME_SHARE * spread_of(X))),
               float(found.moved[reached].max()) if reached.any() else float("nan"), float(found.left.max()),
               _same(run, result, X, np.full(X.shape[1], OTHER_UNIT), OTHER_UNIT * epsilon),
               _same(run, result, X, units, epsilon), seconds), result


def _zeros_of(result: Any, X: np.ndarray) -> NearZeros:
    return near_zeros(lambda Z: (result.evaluate(Z), result.jacobian(Z)), X)


def _residual(result, X):
    """Root-mean-square of each polynomial over its root-mean-square slope."""
    slopes = np.sqrt(np.mean(np.sum(result.jacobian(X) ** 2, axis=2), axis=0))
    return np.sqrt(np.mean(result.evaluate(X) ** 2, axis=0)) / np.where(slopes > 0, slopes, 1.0)


def _coefficients(equations, factors, shift=None):
    """Columns of coefficients over all monomials up to the highest degree, after x -> factors x (+ shift)."""
    d, highest = len(factors), max(g.degree for g in equations)
    place = {tuple(e): k for k, e in enumerate(monomials(d, highest).exponents.tolist())}
    columns = np.zeros((len(place), len(equations)))
    stretch = [Fraction(float(value)) for value in factors]
    moved = [Fraction(float(value)) for value in (np.zeros(d) if shift is None else shift)]
    for k, g in enumerate(equations):
        for exponents, value in substitute_affine(g.terms, stretch, moved).items():
            columns[place[exponents], k] = float(value)
    return columns / np.linalg.norm(columns, axis=0)


def _redundant(equations, X):
    """How many are generated by those of lower degree, as polynomials in centred and scaled variables."""
    columns = _coefficients(equations, np.full(X.shape[1], spread_of(X)), X.mean(axis=0))
    degrees = np.array([g.degree for g in equations])
    redundant = 0
    for degree in np.unique(degrees)[1:]:
        earlier, new = columns[:, degrees < degree], columns[:, degrees == degree]
        count = len(monomials(X.shape[1], int(degree)))
        _, fresh = essential_and_redundant(earlier[:count], degrees[degrees < degree], new[:count], int(degree), X.shape[1],
                                           REDUNDANT_SHARE)
        redundant += new.shape[1] - fresh
    return redundant


def _same(run, result, X, factors, epsilon):
    """Whether the points times `factors` have the same equations, in those units."""
    try:
        other = run(X * factors, epsilon)
    except SymknotError:
        return False
    if sorted(g.degree for g in other.polynomials) != sorted(g.degree for g in result.polynomials):
        return False
    size = np.full(X.shape[1], spread_of(X))
    own, back = (np.linalg.qr(_coefficients(found.polynomials, scale, X.mean(axis=0) * units))[0]
                 for found, scale, units in ((result, size, 1.0), (other, size * factors, factors)))
    return bool(np.linalg.norm(own - back @ (back.T @ own), 2) <= SAME_EQUATIONS)


def _cells(row: Row, points: int) -> tuple[str, ...]:
    if not row.equations:
        return (row.method, "0", *[""] * 7, f"{row.seconds:.2g} s")
    counts = {t: row.degrees.count(t) for t in row.degrees}
    degrees = " ".join(f"{t}^{n}" if n > 1 else str(t) for t, n in counts.items())
    return (row.method, str(row.equations), degrees, str(row.zero), str(row.redundant), f"{row.residual:.2g}",
            _zeros(row, points), "same" if row.same_in_scale else "other", "same" if row.same_in_units else "other",
            f"{row.seconds:.2g} s")


def _zeros(row: Row, points: int) -> str:
    if not row.equations:
        return "no equation"
    if not row.reached:
        return f"none, {row.left:.2g} left"
    from_points = "" if row.reached == points else f" from {row.reached} points"
    return f"{row.distinct}{from_points}, within {row.moved:.2g}"
