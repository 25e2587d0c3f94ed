r"""Points that belong to no equation: weights that leave them out, and their names.

Least squares trust every point; one gross error far away decides everything.  Two things stand
against that.

*A start without equations.*  Points on a variety have neighbours on it; gross errors are scattered in
the space around and have none.  So points whose distance to a near neighbour is far beyond that of most others (the
fences of a box plot, on logarithms) are left out at first, whatever the equations will be.

*Redescending weights.*  Given equations, a point at the distance D (in standard deviations of the noise, known
from the median of all distances) has Tukey's weight :math:`(1 - (D/c)^2)^2` up to c and none beyond, so a point that was
left out comes back if it lies on the variety, and one that does not has no say at all.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree
from scipy.special import chdtri

from .hypothesis import Hypothesis

NEIGHBOURS = 4
"""The neighbour whose distance counts: a convention; two or three gross errors may lie together."""
OUTER_FENCE, INNER_FENCE = 3.0, 1.5
"""Quartile distances above the upper quartile of a box plot's fences: beyond the outer one a point has no neighbours,
beyond the inner one it is left out at first if there are such points."""
CERTAIN = 2e-9
"""Chance that normal noise alone exceeds the distance at which a weight is zero: six standard deviations in one
dimension.  A convention, which costs 1 % of the data's information where noise is normal."""
NAMING_LEVEL = 0.01
"""Chance that normal noise makes any point at all an outlier: a convention."""
SMALLEST_SCALE = 1e-14
"""Share of a column's largest deviation below which its quartile distance is none."""


def lonely(values: np.ndarray, copies: np.ndarray, fence: float = OUTER_FENCE) -> np.ndarray:
    """Which points have no neighbours, in units of each column's quartile distance; copies are neighbours.

    Examples
    --------
    >>> line = np.c_[np.arange(30.0), np.arange(30.0)]
    >>> np.flatnonzero(lonely(np.r_[line, [[1e6, -1e6]]], np.ones(31))).tolist()
    [30]
    """
    n = len(values)
    if n <= NEIGHBOURS + 1:
        return np.zeros(n, bool)
    low, middle, high = np.quantile(values, [0.25, 0.5, 0.75], axis=0)
    far = np.abs(values - middle).max(axis=0)
    scale = np.where(high - low > SMALLEST_SCALE * far, high - low, np.where(far > 0, far, 1.0))
    distances = cKDTree(values / scale).query(values / scale, NEIGHBOURS + 1)[0][:, -1]
    smallest = distances[distances > 0].min(initial=np.inf)
    if not np.isfinite(smallest):
        return np.zeros(n, bool)
    logs = np.log(np.maximum(distances, smallest))
    low, high = np.quantile(logs, [0.25, 0.75])
    return (logs > high + fence * max(high - low, np.log(2) / OUTER_FENCE)) & (copies <= NEIGHBOURS)


def standardised(found: Hypothesis, values: np.ndarray, pattern: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distances of points in standard deviations of the noise, by their median, and their degrees of freedom."""
    size, freedom = distances_seen(found, values, pattern)
    return size / usual_distance(size, freedom), freedom


def distances_seen(found: Hypothesis, values: np.ndarray, pattern: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distances of points in units of the metric, and their degrees of freedom."""
    normals = found.normals(values, pattern)
    freedom = normals.strong.sum(axis=1)
    seen = freedom > 0
    size = np.linalg.norm(normals.distances, axis=1)
    if not seen.all():
        # where equations have no slope a point is at least so far away
        size[~seen] = np.linalg.norm(found.evaluated(values[~seen]), axis=1) / found.weakest
    return size, np.maximum(freedom, 1)


def usual_distance(size: np.ndarray, freedom: np.ndarray) -> float:
    """One standard deviation of the noise, by the median of all distances; 1 where that is nothing."""
    common = int(np.bincount(freedom).argmax())
    return float(np.median(size)) / np.sqrt(chdtri(common, 0.5)) or 1.0


def tukey(distances: np.ndarray, freedom: np.ndarray) -> np.ndarray:
    """Weights of points at these distances.

    Examples
    --------
    >>> tukey(np.array([0.0, 3.0, 7.0]), np.array([1, 1, 1])).round(2).tolist()
    [1.0, 0.56, 0.0]
    """
    cut = _exceeded(CERTAIN, freedom)
    return np.maximum(1 - (distances / cut) ** 2, 0.0) ** 2


def far_away(distances: np.ndarray, freedom: np.ndarray) -> np.ndarray:
    """Which points have no weight."""
    return tukey(distances, freedom) == 0


def named(distances: np.ndarray, freedom: np.ndarray) -> np.ndarray:
    """Which points are outliers at `NAMING_LEVEL`, all points together."""
    return distances > _exceeded(NAMING_LEVEL / len(distances), freedom)


def _exceeded(chance, freedom):
    """The length that normal noise of so many dimensions exceeds with this chance, for each point."""
    most = int(freedom.max(initial=1))
    return np.sqrt(chdtri(np.arange(1, most + 1), chance))[freedom - 1]
