"""Validated points, and the one affine map between the user's units and the inside.

Inside a fit the points are ``u = (x - center) / scale``: centred, and scaled so that
their root-mean-square distance to the centroid is 1.  The map is the same multiple
of the noise in every variable (``scale[j] = unit * noise[j]``), so noise that is
isotropic after division by `noise` stays isotropic inside and a Euclidean distance
inside is ``1 / unit`` of a distance measured in noise units.  Equal rows are merged
into one row with a weight, so repeating the data changes nothing.
"""

from __future__ import annotations

import csv
import os
from dataclasses import dataclass

import numpy as np

from ..ground.checks import number_list
from ..ground.errors import InvalidOption, InvalidPoints


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
    """

    values: np.ndarray
    weights: np.ndarray
    names: tuple
    center: np.ndarray
    scale: np.ndarray
    unit: float
    row_of: np.ndarray

    @property
    def effective_count(self):
        """Number of equally weighted points that carry as much information."""
        return 1.0 / float(np.sum(self.weights**2))

    @property
    def repeats(self):
        """How often a point of positive weight occurs, on average."""
        return self.count / len(self.values)

    @property
    def count(self):
        """Number of input points of positive weight."""
        return int(np.sum(self.row_of >= 0))

    def inside(self, X):
        """Map user points to inside points."""
        return (X - self.center) / self.scale

    def outside(self, U):
        """Map inside points to user points."""
        return U * self.scale + self.center

    def thinned(self, most):
        """At most `most` of the points, evenly spaced in their order."""
        if len(self.values) <= most:
            return self
        kept = np.linspace(0, len(self.values) - 1, most).astype(int)
        weights = self.weights[kept]
        return Points(self.values[kept], weights / weights.sum(), self.names, self.center, self.scale,
                      self.unit, np.arange(most))


def read_points(points, *, names=None, noise=None, weights=None, rescale=True):
    """Check `points` and bring them inside.

    Parameters
    ----------
    points : array, nested list, pandas DataFrame, or path of a CSV file with a header
    names : sequence of str, optional
        Names of the variables; default the DataFrame's or CSV's, else x, y, z or x1, x2, ...
    noise : sequence of float, optional
        Standard deviation of the noise of each variable; distances are then measured in it.
    weights : sequence of float, optional
        One non-negative number per point.
    rescale : bool
        Without it only the centroid is subtracted, as in the paper.

    Returns
    -------
    Points
    """
    array, found, lines = _as_array(points)
    names = _check_names(names, found, array.shape[1])
    if array.shape[0] < 2:
        raise InvalidPoints(f"need at least 2 points, got {array.shape[0]}")
    bad = np.argwhere(~np.isfinite(array))
    if len(bad):
        row, column = bad[0]
        place = {"row": int(row)} if lines is None else {"line": lines[row]}
        raise InvalidPoints(f"must be finite, got {array[row, column]}", column=names[column], **place)
    weights = _check_weights(weights, len(array))
    noise = _check_noise(noise, array.shape[1])

    kept = weights > 0
    distinct, inverse = np.unique(array[kept], axis=0, return_inverse=True)
    first = np.full(len(distinct), len(array))
    np.minimum.at(first, inverse, np.arange(int(kept.sum())))
    # np.unique sorts: back to the order of first appearance, so that thinning by stride stays fair
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    distinct, inverse = distinct[order], rank[inverse]
    mass = np.bincount(inverse, weights=weights[kept], minlength=len(distinct))
    mass /= mass.sum()
    row_of = np.full(len(array), -1)
    row_of[kept] = inverse

    with np.errstate(under="ignore"):
        return _scaled(distinct, mass, names, noise, row_of, rescale)


def _scaled(distinct, mass, names, noise, row_of, rescale):
    largest = float(np.abs(distinct).max()) or 1.0
    relative = distinct / largest            # squares of 1e200 overflow; of 1 they do not
    center = mass @ relative
    centred = (relative - center) / noise
    reach = float(np.abs(centred).max())
    if reach <= 8 * np.finfo(float).eps * float((np.abs(center) / noise).max()):
        centred, reach = np.zeros_like(centred), 0.0
    constant = np.ptp(distinct, axis=0) == 0
    centred[:, constant] = 0.0
    spread = reach * float(np.sqrt(mass @ np.sum((centred / reach) ** 2, axis=1))) if reach else 0.0
    unit = largest * (spread or 1.0)
    if not rescale:
        if not 1e-60 < unit < 1e60:
            raise InvalidPoints(f"spread {unit:.3g} is out of range for normalization='vca', which does not "
                                "rescale; multiply the data by a constant first")
        centred, spread, unit = centred * largest, 1.0, 1.0
    if not (np.isfinite(unit * noise).all() and (unit * noise > 0).all()):
        raise InvalidPoints(f"spread {spread:.3g} times {largest:.3g} cannot be represented; rescale the data")
    center = np.where(constant, distinct[0], center * largest)
    return Points(centred / (spread or 1.0), mass, names, center, unit * noise, unit, row_of)


def _as_array(points):
    """The points as floats, names if they have any, and the lines of the file they came from."""
    if isinstance(points, (str, os.PathLike)):
        return _read_csv(points)
    if hasattr(points, "columns") and hasattr(points, "to_numpy"):
        columns = [str(name) for name in points.columns]
        return _two_dimensional(_floats(points.to_numpy(dtype=object), columns)), columns, None
    if isinstance(points, np.ma.MaskedArray):
        points = points.astype(float).filled(np.nan)
    try:
        raw = np.asarray(points)
    except ValueError as error:
        raise InvalidPoints(f"need rows of equal length ({error})") from None
    if np.iscomplexobj(raw):
        raise InvalidPoints("must be real, got complex numbers")
    if raw.dtype.kind in "biuf":
        return _two_dimensional(raw.astype(float)), None, None
    if raw.dtype.kind not in "OUS" or raw.ndim == 0:
        raise InvalidPoints(f"must be numbers, got {type(points).__name__} of shape {raw.shape}")
    _two_dimensional(raw)
    default = _check_names(None, None, raw.shape[1])
    return _floats(raw.astype(object), default), None, None


def _floats(cells, columns, lines=None):
    """Cells as floats; the first that is no real number is named."""
    out = np.empty(cells.shape)
    for i, row in enumerate(cells):
        for j, cell in enumerate(row):
            try:
                out[i, j] = np.nan if cell is None or cell != cell else _real(cell)
            except (TypeError, ValueError, OverflowError):
                place = {"row": i} if lines is None else {"line": lines[i]}
                raise InvalidPoints(f"must be a number, got {cell!r:.80}", column=columns[j], **place) from None
    return out


def _real(cell):
    if isinstance(cell, (complex, np.complexfloating)) or hasattr(cell, "timestamp"):
        raise TypeError
    return float(cell)


def _two_dimensional(array):
    if array.ndim == 1:
        raise InvalidPoints(f"need an array of shape (points, variables), got shape {array.shape}; for "
                            "points on a line use points.reshape(-1, 1)")
    if array.ndim != 2 or array.shape[1] == 0:
        raise InvalidPoints(f"need an array of shape (points, variables), got shape {array.shape}")
    return array


def _read_csv(path):
    header, cells, lines = csv_cells(path)
    columns = header or [str(j + 1) for j in range(cells.shape[1])]
    return _two_dimensional(_floats(cells, columns, lines)), header, lines


def csv_cells(path):
    """Names of the columns (None without a header), cells as an array of text, and the line of each row."""
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            reader = csv.reader(file)
            rows = [(reader.line_num, row) for row in reader if row]
    except (UnicodeDecodeError, csv.Error) as error:
        raise InvalidPoints(f"{os.fspath(path)} is not a CSV file in UTF-8 ({error})") from None
    if not rows:
        raise InvalidPoints(f"{os.fspath(path)} is empty")
    header = [cell.strip() for cell in rows[0][1]]
    if all(_is_number(cell) for cell in header):
        header = None
    else:
        rows = rows[1:]
    width = len(header) if header else len(rows[0][1])
    for line, row in rows:
        if len(row) != width:
            raise InvalidPoints(f"need {width} cells, got {len(row)}", line=line)
    return header, np.array([row for _, row in rows], dtype=object).reshape(len(rows), width), [line for line, _ in rows]


def _is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True


def _check_names(names, found, d):
    if names is None:
        names = found if found is not None else ["x", "y", "z"][:d] if d <= 3 else [f"x{j + 1}" for j in range(d)]
    if isinstance(names, str) or not hasattr(names, "__iter__"):
        raise InvalidOption("names", names, "a sequence of names, one for each variable")
    names = tuple(str(name) for name in names)
    if len(names) != d:
        raise InvalidOption("names", names, f"{d} names, one for each variable")
    if len(set(names)) != d:
        raise InvalidOption("names", names, "different from each other")
    return names


def _check_weights(weights, n):
    if weights is None:
        return np.full(n, 1.0 / n)
    weights = number_list("weights", weights, n, f"{n} numbers, one for each point")
    if (weights < 0).any():
        raise InvalidOption("weights", float(weights.min()), "not negative")
    if np.count_nonzero(weights) < 2:
        raise InvalidOption("weights", int(np.count_nonzero(weights)), "positive for at least 2 points")
    return weights / weights.max() / (weights / weights.max()).sum()


def _check_noise(noise, d):
    if noise is None:
        return np.ones(d)
    noise = number_list("noise", noise, d, f"{d} standard deviations, one for each variable")
    if (noise <= 0).any():
        raise InvalidOption("noise", noise.tolist(), "positive")
    if np.ptp(np.log10(noise)) > 305 or not 1e-200 < noise.max() < 1e200:
        raise InvalidOption("noise", noise.tolist(), "numbers whose ratio to each other and to 1 floats can represent")
    return noise
