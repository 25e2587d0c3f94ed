r"""Points that belong to no equation: weights that leave them out, and their names.

Least squares trust every point; one gross error far away decides everything.  Two things stand
against that.

*A start without equations.*  Points on a variety have neighbours on it; gross errors are scattered in
the space around and have none.  So points whose distance to a near neighbour is far beyond that of most others (the
fences of a box plot, on logarithms) are left out at first, whatever the equations will be.

*Redescending weights.*  Given equations, a point at the distance D (in standard deviations of the noise, known
from the median of all distances) has Tukey's weight :math:`(1 - (D/c)^2)^2` up to c and none beyond, so a point that was
left out comes back if it lies on the variety, and one that does not has no say at all.

First-order distances are too long where slopes fall off towards the point, as between two concentric circles.  So no point is
called far by them alone: from the point x one goes to the nearest zero z by linearising where one stands,

.. math:: z \leftarrow x - A^T \left(A (x - z) + u(z)\right)

in units of the noise, with the normals A and the first-order distances u at z; where that ends at zeros, its length counts.
"""

from __future__ import annotations

import numpy as np
from scipy.special import chdtri

from ..ground.neighbours import nearest_neighbours
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
LOOKED_AT_AGAIN = 3.0
"""Standard deviations, by the equations' own noise, beyond which a first-order distance is not taken as it is: a convention; of
normal noise three points in a thousand, and none nearer is named or has no weight."""
STEPS_TO_A_ZERO = 8
"""Linearised steps at most: a convention; the error is squared each time, and a distance is wanted to some per cent."""
AT_A_ZERO = 0.1
"""Standard deviations that may be left at the end: a convention, as far as that matters for a distance of three."""
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
    distances = nearest_neighbours(values / scale, NEIGHBOURS + 1)[0][:, -1]
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
    freedom = np.maximum(freedom, 1)
    far = np.flatnonzero(size > LOOKED_AT_AGAIN * found.noise)
    size[far] = np.minimum(size[far], _lengths_to_zeros(found, values[far], pattern[far]))
    return size, freedom


def _lengths_to_zeros(found, values, pattern):
    """How far it is from points to zeros near them, in units of the metric; infinite where none was reached."""
    noise, zeros, rows = found.metric * pattern, values.copy(), np.arange(len(values))
    lengths, first = np.full(len(values), np.inf), None
    for _ in range(STEPS_TO_A_ZERO):
        if not len(rows):
            break
        there = found.normals(zeros[rows], pattern[rows])
        normals = there.directions * there.strong[:, :, None]
        across = np.einsum("ncd,nd->nc", normals, (values[rows] - zeros[rows]) / noise[rows]) + there.distances
        length = np.linalg.norm(across, axis=1)
        first = length if first is None else first
        has_slope = there.strong.any(axis=1)
        arrived = has_slope & (np.linalg.norm(there.distances, axis=1) <= AT_A_ZERO * found.noise)
        lengths[rows[arrived]] = length[arrived]
        zeros[rows] = values[rows] - np.einsum("nc,ncd->nd", across, normals) * noise[rows]
        rows = rows[~arrived & has_slope & (length <= first[rows])]
    return lengths


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
