"""What pictures of points show: names, equations, knots, and the data with their outliers, as plain numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ..fitting.fitted import Fitted
from ..ground.errors import InvalidOption, InvalidPoints
from ..polynomials.equation import Equation
from ..polynomials.terms import Terms
from ..reading.points import check_finite, columns_for
from ..reading.sources import read_table
from ..symbolic.readable import readable_of
from .style import MOST_DATA_DRAWN, evenly
from .zero_sets import ZeroSet

MARGIN = 0.12
"""Margin around data and knots, as a share of their extent: a convention."""
FARTHEST_OUTLIER = 1.0
"""Extents of the other points by which outliers may widen a picture on either side: a convention; those farther away are
counted, not drawn, or all else would shrink to a dot."""


@dataclass(frozen=True, eq=False)
class Scene:
    """What there is to draw.

    Attributes
    ----------
    names : tuple of str
    equations : sequence of Equation
        As they are printed; what is not printed need only have `terms`.
    knots : (K, d) array
    weights : (K,) array
    noise : (d,) array or None
        Standard deviation of each variable's noise, where it is known.
    data : (N, d) array
        One row for each row given; without rows where none were.
    assignment : (N,) int array or None
        The knot of each row of the data the result was made from, -1 for none.
    outliers : int array
        Rows of these data that belong to no equation.
    logarithmic : bool
        Whether the equations are power laws, to be seen on logarithmic axes.
    """

    names: tuple[str, ...]
    equations: Sequence[Any]
    knots: np.ndarray
    weights: np.ndarray
    noise: np.ndarray | None = None
    data: np.ndarray = field(default_factory=lambda: np.empty((0, 0)))
    assignment: np.ndarray | None = None
    outliers: np.ndarray = field(default_factory=lambda: np.zeros(0, int))
    logarithmic: bool = False

    @property
    def dimension(self) -> int:
        """Number of variables."""
        return len(self.names)

    def with_data(self, points: Any) -> Scene:
        """The same with data: an array, a table or the path of a file, None for none."""
        if points is None:
            return replace(self, data=np.empty((0, self.dimension)))
        table = columns_for(read_table(points), self.names)
        if table.width != self.dimension:
            raise InvalidPoints(f"need {self.dimension} variables as in the result, got {table.width}")
        values = table.numbers()
        check_finite(table, values, table.columns)
        return replace(self, data=values)

    @cached_property
    def is_outlier(self) -> np.ndarray:
        """Whether each row of the data belongs to no equation; False for all where the data are other ones."""
        marked = np.zeros(len(self.data), dtype=bool)
        if self.assignment is not None and len(self.assignment) == len(self.data):
            marked[self.outliers] = True
        return marked

    @property
    def usual(self) -> np.ndarray:
        """The data without outliers."""
        return self.data[~self.is_outlier]

    @cached_property
    def drawn_data(self) -> np.ndarray:
        """Those of them that are drawn: all, or some, evenly through the rows."""
        return self.usual[evenly(np.ones(len(self.usual)), MOST_DATA_DRAWN)]

    @cached_property
    def arrows(self) -> tuple[np.ndarray, np.ndarray]:
        """Where arrows from data to their knots begin and end."""
        if self.assignment is None:
            raise InvalidOption("arrows", True, "left out: this result does not know which point belongs to which knot")
        if not len(self.data):
            raise InvalidOption("arrows", True, "given with points=, the data: a result does not keep them")
        if len(self.assignment) != len(self.data):
            raise InvalidPoints(f"need the {len(self.assignment)} points that were fitted, for arrows to their knots; "
                                f"got {len(self.data)}")
        known = (self.assignment >= 0) & ~self.is_outlier
        return self.data[known], self.knots[self.assignment[known]]

    @cached_property
    def box(self) -> tuple[np.ndarray, np.ndarray]:
        """Opposite corners of what a picture shows; in logarithms (base 10) where axes are logarithmic."""
        points = self.placed(np.vstack([self.usual, self.knots]))
        points = points[np.isfinite(points).all(axis=1)]
        if not len(points):
            return -np.ones(self.dimension), np.ones(self.dimension)
        lower, upper = points.min(axis=0), points.max(axis=0)
        extent = upper - lower
        # a variable that does not vary borrows the largest extent, or its own size, so that the box is not flat
        extent = np.where(extent > 0, extent, extent.max() or max(1.0, np.abs(points).max()))
        for outlier in self.placed(self.data[self.is_outlier]):
            if (np.abs(outlier - (lower + upper) / 2) <= (0.5 + FARTHEST_OUTLIER) * extent).all():
                lower, upper = np.minimum(lower, outlier), np.maximum(upper, outlier)
        return lower - MARGIN * extent, upper + MARGIN * extent

    def placed(self, points: np.ndarray) -> np.ndarray:
        """Points as the box measures them."""
        if not self.logarithmic:
            return points
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.log10(points)

    def in_logarithms(self) -> Scene:
        """A scene of power laws with logarithms (base 10) as variables, in which the laws are linear."""
        linear = tuple(_LinearLaw(_law_in_logarithms(equation.terms)) for equation in self.equations)
        return replace(self, names=tuple(f"log10 {name}" for name in self.names), equations=linear, noise=None,
                       data=self.placed(self.data), knots=self.placed(self.knots), logarithmic=False)

    def zero_set(self, terms: Sequence | None = None) -> ZeroSet:
        """The zeros of the equations, or of these terms, in the coordinates of the box."""
        lower, upper = self.box
        half = (upper - lower) / 2
        known = np.isfinite(self.noise) if self.noise is not None else np.zeros(1, dtype=bool)
        blur = float(np.sqrt(np.mean((self.noise[known] / half[known]) ** 2))) if known.any() else 0.0   # type: ignore
        chosen = [equation.terms for equation in self.equations] if terms is None else terms
        return ZeroSet(chosen, (lower + upper) / 2, half, self.knots, blur)


class _LinearLaw(NamedTuple):
    """A power law as a linear equation of logarithms."""

    terms: Terms


def _law_in_logarithms(terms: Terms) -> Terms:
    """The linear polynomial in logarithms that vanishes where a binomial does, all variables being positive.

    Examples
    --------
    >>> law = _law_in_logarithms({(3, 0): Fraction(1), (0, 2): Fraction(-100)})         # x^3 = 100 y^2
    >>> {exponents: float(value) for exponents, value in law.items()}
    {(1, 0): 3.0, (0, 1): -2.0, (0, 0): -2.0}
    """
    (one, first), (other, second) = terms.items()
    d = len(one)
    linear = {tuple(int(k == j) for k in range(d)): Fraction(one[j] - other[j]) for j in range(d) if one[j] != other[j]}
    return {**linear, (0,) * d: Fraction(float(np.log10(float(abs(first / second)))))}


def scene_of(fitted: Fitted, equations: Sequence[Equation] | None = None) -> Scene:
    """What there is to draw of a fit, without data; `equations` are the readable ones unless given."""
    shown = readable_of(fitted).equations if equations is None else equations
    knots = np.asarray(fitted.knots, dtype=float).reshape(-1, len(fitted.names))
    return Scene(fitted.names, shown, knots, fitted.knot_weights, fitted.noise, np.empty((0, len(fitted.names))),
                 fitted.assignment, fitted.outliers, fitted.law is not None)
