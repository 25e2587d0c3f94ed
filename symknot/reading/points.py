"""Validated points, and the one affine map between the user's units and the inside.

Inside a fit the points are ``u = (x - center) / scale``: centred, and scaled so that
their root-mean-square distance to the centroid is 1.  The map is the same multiple
of the noise in every variable (``scale[j] = unit * noise[j]``), so noise that is
isotropic after division by `noise` stays isotropic inside and a Euclidean distance
inside is ``1 / unit`` of a distance measured in noise units.  Equal rows are merged
into one row with a weight, so repeating the data changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..ground.blocks import multiplied_and_shifted, shifted_and_divided
from ..ground.checks import number_list
from ..ground.errors import InvalidOption, InvalidPoints
from ..ground.wording import counted
from .cells import is_missing
from .choosing import variables_of
from .names import checked_names
from .sources import has_columns, read_table, read_variables
from .tables import PLAIN_NUMBERS, Table

LEAST_POINTS = 2
"""Points below which there is no spread to scale by."""
ROUNDING_OF_CENTROID = 8 * np.finfo(float).eps
"""Share of a coordinate of the centroid up to which it is rounded: points no farther from it there have one coordinate.
Derived: a weighted sum of n numbers, added up in blocks, is off by a few units in the last place."""
FAR_BEYOND = 1e6
"""Times the median distance from the median from which on a point is so far that the median is taken for the centre: a
convention; a mean would leave the other points less than ten digits."""
LARGEST_UNSCALED = 1e60
"""Largest spread of points that are not rescaled, and one over the smallest, in the user's units.  Derived: products of
up to five coordinates then stay within what floats hold, 1e308."""
LARGEST_NOISE = 1e200
"""Largest of the noise's standard deviations, and one over the smallest that the largest may be, in the user's units.
A convention: it leaves room for data a hundred orders of magnitude away from 1 to be divided by it."""
LARGEST_RATIO = 1e40
"""Largest ratio of the largest number of all to the usual change of the least changing column, in units of the noise if that
is given.  A convention: squares of cubic monomials stay within what floats hold."""
LARGEST_SPREAD = 1e300
"""Largest unit of the points, in the user's units.  A convention: room for values of polynomials up to the end of floats."""
DECADES_OF_NOISE = 305
"""Orders of magnitude between the smallest and the largest noise of a variable.  Derived: ratios stay within what floats
hold, 308 of them, with three to spare for the spread of the data."""


@dataclass(frozen=True, eq=False)
class Points:
    """Points inside the package: validated, centred, scaled, weighted.

    Attributes
    ----------
    values : (n, d) array
        The distinct points, ``(x - center) / scale``.
    weights : (n,) array
        Non-negative, adding up to 1.
    names : tuple of str
    center, scale : (d,) array
    unit : float
        How many of the user's units (of noise units when `noise` was given) one
        inside unit is: ``epsilon_inside = epsilon / unit``.
    row_of : (N,) int array
        The row of `values` each input row became.
    pattern : (n, d) array or None
        Noise of each value relative to others of its variable, where it was given point by point.
    """

    values: np.ndarray
    weights: np.ndarray
    names: tuple[str, ...]
    center: np.ndarray
    scale: np.ndarray
    unit: float
    row_of: np.ndarray
    pattern: np.ndarray | None = None

    @cached_property
    def effective_count(self) -> float:
        """Number of equally weighted points whose weights have as much entropy: a heavy one costs little, and points that
        are repeated, all of them, count once."""
        return effective_count(self.weights)

    @property
    def copies(self) -> np.ndarray:
        """How many input points each row of `values` stands for."""
        return np.bincount(self.row_of[self.row_of >= 0], minlength=len(self.values))

    @property
    def repeats(self) -> float:
        """How often a point of positive weight occurs, on average."""
        return self.count / len(self.values)

    @cached_property
    def count(self) -> int:
        """Number of input points of positive weight."""
        return int(np.sum(self.row_of >= 0))

    def inside(self, X: np.ndarray) -> np.ndarray:
        """Map user points to inside points."""
        return shifted_and_divided(X, self.center, self.scale)

    def outside(self, U: np.ndarray) -> np.ndarray:
        """Map inside points to user points."""
        return multiplied_and_shifted(U, self.scale, self.center)

    def measured_in(self, noise: np.ndarray) -> Points:
        """The same points with distances in units of this noise: one standard deviation for each variable."""
        relative = self.scale / noise
        largest = float(relative.max())
        values = self.values * (relative / largest)
        spread = float(np.sqrt(self.weights @ np.sum(values**2, axis=1))) or 1.0
        unit = spread * largest
        return replace(self, values=values / spread, scale=unit * noise, unit=unit)

    def weighted(self, shares: np.ndarray) -> Points:
        """The points with their weights multiplied by these shares, about their own middle; those of share zero are left out.

        Parameters
        ----------
        shares : (n,) array
            One for each row of `values`.
        """
        kept = shares > 0
        if kept.sum() < LEAST_POINTS or np.all(shares == 1):
            return self
        place = np.where(kept, np.cumsum(kept) - 1, -1)
        row_of = np.where(self.row_of >= 0, place[self.row_of], -1)
        weights = (self.weights * shares)[kept] / (self.weights @ shares)
        middle = weights @ self.values[kept]
        pattern = None if self.pattern is None else self.pattern[kept]
        return replace(self, values=self.values[kept] - middle, weights=weights, center=self.center + self.scale * middle,
                       row_of=row_of, pattern=pattern)

    def thinned(self, most: int) -> Points:
        """At most `most` of the points, evenly spaced in their order."""
        if len(self.values) <= most:
            return self
        kept = np.linspace(0, len(self.values) - 1, most).astype(int)
        weights = self.weights[kept]
        pattern = None if self.pattern is None else self.pattern[kept]
        return replace(self, values=self.values[kept], weights=weights / weights.sum(), row_of=np.arange(most),
                       pattern=pattern)


def read_points(points: Any, *, names: Iterable[object] | None = None, noise: Sequence[float] | np.ndarray | None = None,
                weights: Sequence[float] | np.ndarray | None = None, rescale: bool = True) -> Points:
    """Check `points` and bring them inside.

    Parameters
    ----------
    points : array, nested list, pandas DataFrame, or path of a data file
    names : sequence of str, optional
        Names of the variables; default the DataFrame's or file's, else x, y, z or x1, x2, ...
    noise : sequence of float or (N, d) array, optional
        Standard deviation of the noise of each variable, or of each value; distances are then measured in it.
    weights : sequence of float, optional
        One non-negative number per point.
    rescale : bool
        Without it only the centroid is subtracted, as in the paper.

    Returns
    -------
    Points
    """
    table = read_variables(points)
    chosen = checked_names(names, table.names, table.width)
    called = table.columns if names is None else chosen
    values = table.numbers()
    if len(values) < LEAST_POINTS:
        raise InvalidPoints(f"need at least {LEAST_POINTS} points, got {len(values)}", file=table.file)
    check_finite(table, values, called)
    shares = _check_weights(weights, len(values))
    deviations, each = _check_noise(noise, table.width, len(values))

    kept = shares > 0
    distinct, row_of_kept = _distinct(values if kept.all() else values[kept])
    mass = np.bincount(row_of_kept, weights=shares[kept], minlength=len(distinct))
    mass = mass / mass.sum()
    row_of = np.full(len(values), -1)
    row_of[kept] = row_of_kept

    with np.errstate(under="ignore"):
        centred, center, unit = _scaled(distinct, mass, deviations, rescale, called)
        pattern = None if each is None else each[kept][np.unique(row_of_kept, return_index=True)[1]]
        return Points(centred, mass, chosen, center, unit * deviations, unit, row_of, pattern)


def check_finite(table: Table, values: np.ndarray, called: Sequence[str]) -> None:
    """Refuse cells that are missing or infinite.

    Parameters
    ----------
    table : Table
    values : (rows, columns) array
        Its numbers.
    called : sequence of str
        What messages call its columns.
    """
    bad = np.argwhere(~np.isfinite(values))
    if not len(bad):
        return
    row, column = bad[0]
    cell = table.cells[column][row]
    empty = is_missing(cell) and not isinstance(cell, float)
    rule = f"must be a number, got {cell!r}" if empty else f"must be finite, got {values[row, column]}"
    gaps = int(np.isnan(values).any(axis=1).sum())
    advice = (f'; {counted(gaps, "row")} of the file {"has" if gaps == 1 else "have"} missing values, which read(..., '
              'missing="drop") or --missing drop leaves out') if table.file is not None and gaps else ""
    raise InvalidPoints(rule + advice, column=called[column], **table.place(row))


def effective_count(weights: np.ndarray) -> float:
    """Number of equal weights with the entropy of these, which add up to 1.

    Examples
    --------
    >>> round(effective_count(np.full(5, 0.2)), 12), round(effective_count(np.array([0.5, 0.25, 0.25])), 2)
    (5.0, 2.83)
    """
    weights = weights[weights > 0]
    return float(np.exp(-np.sum(weights * np.log(weights))))


def columns_for(table: Table, names: Sequence[str]) -> Table:
    """The columns of these variables: by name where all the names are there, else all that can be variables."""
    if table.names is not None and set(names) <= set(table.names):
        return table.select([table.columns.index(name) for name in names])
    return table if table.width == len(names) else variables_of(table)


def checked_points(X: Any, names: Sequence[str]) -> tuple[np.ndarray, bool]:
    """`X`, at which something is evaluated, as an (n, d) array of floats, and whether it was one point of d numbers.

    Parameters
    ----------
    X : array, nested list, DataFrame or path of a data file
        n points, or one; missing values are NaN.  Columns are taken by name where all the names are there.
    names : sequence of str
        The d variables.

    Examples
    --------
    >>> checked_points([1, 2], ("x", "y"))
    (array([[1., 2.]]), True)
    """
    d = len(names)
    if has_columns(X):
        X = columns_for(read_table(X), names).numbers()
    try:
        X = X if isinstance(X, np.ma.MaskedArray) else np.asarray(X)
    except ValueError as error:
        raise InvalidPoints(f"need rows of {d} numbers ({error})") from None
    if X.dtype.kind not in PLAIN_NUMBERS:
        raise InvalidPoints(f"must be real numbers, got dtype {X.dtype}")
    if X.ndim not in (1, 2) or X.shape[-1] != d:
        hint = "; for many points on a line use X.reshape(-1, 1)" if d == 1 and X.ndim == 1 else ""
        raise InvalidPoints(f"need an array of shape (points, {d}) or ({d},), for {', '.join(names)}; "
                            f"got shape {X.shape}{hint}")
    return np.ma.filled(X.astype(float), np.nan).reshape(-1, d), X.ndim == 1


def _distinct(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The distinct rows in the order of their first appearance, and which of them each row is."""
    if _surely_differ(values):
        return values, np.arange(len(values))
    distinct, inverse = np.unique(values, axis=0, return_inverse=True)
    first = np.full(len(distinct), len(values))
    np.minimum.at(first, inverse, np.arange(len(values)))
    # np.unique sorts: back to the order of first appearance, so that thinning by stride stays fair
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return distinct[order], rank[inverse]


def _surely_differ(values: np.ndarray) -> bool:
    """Whether all rows differ, as sums of odd multiples of their bits do; rows that agree never pass."""
    bits = (np.ascontiguousarray(values, float) + 0.0).view(np.uint64)              # + 0.0: -0.0 is 0.0
    odd = np.asarray(np.random.default_rng(0).integers(2**63, size=bits.shape[1], dtype=np.uint64))
    odd = np.asarray(odd * np.uint64(2) + np.uint64(1))
    keys = np.zeros(len(bits), np.uint64)
    for column, factor in zip(bits.T, odd):
        keys = (keys ^ (keys >> np.uint64(29))) * factor + column * odd[0]
    keys.sort()
    return not bool((keys[1:] == keys[:-1]).any())


def _scaled(distinct: np.ndarray, mass: np.ndarray, noise: np.ndarray, rescale: bool,
            called: Sequence[str]) -> tuple[np.ndarray, np.ndarray, float]:
    """The points inside, their centre, and the unit."""
    largest = float(np.abs(distinct).max()) or 1.0
    relative = distinct / largest            # squares of 1e200 overflow; of 1 they do not
    center = mass @ relative
    columns = np.ascontiguousarray(relative.T)                # rows are short: whatever goes through all goes by columns
    if not _surely_spread(columns):
        middle = np.array([np.median(column) for column in columns])
        away = np.abs(columns - middle[:, None]).max(axis=0)
        if away.max() > FAR_BEYOND * np.median(away):
            center = middle           # a mean pulled so far away would cost all other points their digits
    columns -= center[:, None]
    constant = np.array([column[0] == column[-1] and bool((column == column[0]).all()) for column in distinct.T])
    reaches = np.abs(columns).max(axis=1)
    columns[constant | (reaches <= ROUNDING_OF_CENTROID * np.abs(center))] = 0.0
    columns /= noise[:, None]
    reach = float(np.abs(columns).max())
    _check_ratio(columns, max(reach, float((np.abs(center) / noise).max())), called)
    centred = np.ascontiguousarray(columns.T)
    spread = reach * float(np.sqrt((mass @ (centred / reach) ** 2).sum())) if reach else 0.0
    unit = largest * (spread or 1.0)
    if not rescale:
        if not 1 / LARGEST_UNSCALED < unit < LARGEST_UNSCALED:
            raise InvalidPoints(f"spread {unit:.3g} is out of range for normalization='vca', which does not "
                                "rescale; multiply the data by a constant first")
        centred, spread, unit = centred * largest, 1.0, 1.0
    if not ((unit * noise < LARGEST_SPREAD).all() and (unit * noise > 0).all()):
        raise InvalidPoints(f"spread {spread:.3g} times {largest:.3g} cannot be represented; rescale the data")
    return centred / (spread or 1.0), np.where(constant, distinct[0], center * largest), unit


def _surely_spread(columns):
    """Whether no half of the points lies within a millionth of the widest column's range around its median, told without it.

    If half of n numbers lay in an interval, of their n / 3 triples n / 12 - 1 at least would have two numbers there.
    """
    ranges = np.ptp(columns, axis=1)
    column, third = columns[ranges.argmax()], columns.shape[1] // 3
    one, two, three = column[:third], column[third: 2 * third], column[2 * third: 3 * third]
    width = 2 * ranges.max() / FAR_BEYOND
    near = np.abs(one - two) <= width
    near |= np.abs(two - three) <= width
    near |= np.abs(one - three) <= width
    return bool(np.count_nonzero(near) < len(column) / 12 - 1)


def _check_ratio(columns, largest, called):
    """Complain about columns so unlike in size that no unit suits them; `columns` (d, n) are centred, in units of the noise."""
    if all(2 * np.count_nonzero(np.abs(column) >= largest / LARGEST_RATIO) > len(column) for column in columns):
        return                                                       # so that no median is less: counting is quicker
    usual = np.array([np.median(np.abs(column)) or float(np.abs(column).max()) for column in columns])
    changing = np.flatnonzero(usual > 0)
    if len(changing) and usual[changing].min() < largest / LARGEST_RATIO:
        least = changing[np.argmin(usual[changing])]
        raise InvalidPoints(f"usually changes by {usual[least] / largest:.2g} of the largest number in the table (in units of "
                            f"the noise, if that is given); at least {1 / LARGEST_RATIO:g} is needed. Use other units, or "
                            "leave out far points", column=called[least])


def _check_weights(weights: Any, n: int) -> np.ndarray:
    if weights is None:
        return np.full(n, 1.0 / n)
    weights = number_list("weights", weights, n, f"{n} numbers, one for each point")
    if (weights < 0).any():
        raise InvalidOption("weights", float(weights.min()), "not negative")
    if np.count_nonzero(weights) < LEAST_POINTS:
        raise InvalidOption("weights", int(np.count_nonzero(weights)), f"positive for at least {LEAST_POINTS} points")
    return weights / weights.max() / (weights / weights.max()).sum()


def _check_noise(noise: Any, d: int, n: int) -> tuple[np.ndarray, np.ndarray | None]:
    """Standard deviation of each variable's noise, and of each value relative to it where given."""
    if noise is None:
        return np.ones(d), None
    table = np.asarray(noise, dtype=object)
    if table.ndim == 2 and table.shape == (n, d):
        every = number_list("noise", table.ravel().tolist(), n * d, f"{n} rows of {d} standard deviations").reshape(n, d)
        if (every <= 0).any():
            raise InvalidOption("noise", float(every.min()), "positive")
        size = np.sqrt(np.mean((every / every.max(axis=0)) ** 2, axis=0)) * every.max(axis=0)
        return _check_range(size), every / size
    noise = number_list("noise", noise, d, f"{d} standard deviations, one for each variable, or one row of them for each point")
    if (noise <= 0).any():
        raise InvalidOption("noise", noise.tolist(), "positive")
    return _check_range(noise), None


def _check_range(noise):
    if np.ptp(np.log10(noise)) > DECADES_OF_NOISE or not 1 / LARGEST_NOISE < noise.max() < LARGEST_NOISE:
        raise InvalidOption("noise", noise.tolist(), "numbers whose ratio to each other and to 1 floats can represent")
    return noise
