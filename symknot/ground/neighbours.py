r"""The nearest neighbours of points among themselves.

A tree of the points leaves most of them out in two or three variables, but hardly any in ten, where it then looks at pair
after pair.  There all squared distances, a block of points after the other, are a product of matrices,
:math:`|x - y|^2 = |x|^2 - 2 x^\top y + |y|^2`, and the smallest of each row are taken one by one.  Who is near is read from
these, how near from the differences of the points themselves.  Of a point that lies so far out that rounding may hide the
differences, the tree is asked.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from .blocks import NUMBERS_IN_CACHE
from .deadline import look

VARIABLES_OF_A_TREE = 7
"""Variables up to which a tree is faster.  Measured with 4,000 points of a noisy sphere and five neighbours: 12 and 17 ms in
six variables, 26 and 17 in eight, 55 and 19 in ten."""
FEWEST_ROWS = 16
"""Points of a block at least: a convention, for a product of matrices."""
LEAST_SHARE = 1e-5
"""Distance of the last neighbour, as a share of that from the middle, from which on sums of squares tell who is near.  Derived:
rounding is some 1e-15 of the squares, and this leaves five digits of them."""


def nearest_neighbours(points: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Distances and places (n, count) of the nearest points of each, the nearest first; itself, or a copy, is the first.

    Parameters
    ----------
    points : (n, d) array
    count : int
        At most n.

    Examples
    --------
    >>> distances, places = nearest_neighbours(np.array([[0.0], [1.0], [3.0]]), 2)
    >>> distances[:, 1].tolist(), places[:, 1].tolist()
    ([1.0, 1.0, 2.0], [1, 0, 1])
    """
    if points.shape[1] <= VARIABLES_OF_A_TREE:
        return _by_tree(points, points, count)
    away = points - np.median(points, axis=0)
    squares = np.einsum("nd,nd->n", away, away)
    places = _of_least_squares(away, squares, count)
    distances = np.empty(places.shape)
    for k in range(count):
        difference = points - points[places[:, k]]
        distances[:, k] = np.sqrt(np.einsum("nd,nd->n", difference, difference))
    order = np.argsort(distances, axis=1, kind="stable")
    distances, places = np.take_along_axis(distances, order, axis=1), np.take_along_axis(places, order, axis=1)
    lost = np.flatnonzero(distances[:, -1] ** 2 <= LEAST_SHARE**2 * squares)
    if len(lost):
        distances[lost], places[lost] = _by_tree(points, points[lost], count)
    return distances, places


def _of_least_squares(away, squares, count):
    """Places (n, count) of the points at the smallest squared distances from each."""
    n = len(away)
    places, rows = np.empty((n, count), int), max(NUMBERS_IN_CACHE // n, FEWEST_ROWS)
    memory, each = np.empty((rows, n)), np.arange(rows)
    for start in range(0, n, rows):
        look()
        here = slice(start, min(start + rows, n))
        found = np.matmul(-2 * away[here], away.T, out=memory[: here.stop - start])
        found += squares                                # each row lacks the point's own, which is the same for all
        for k in range(count):
            places[here, k] = nearest = found.argmin(axis=1)
            found[each[: len(found)], nearest] = np.inf
    return places


def _by_tree(points, asked, count):
    distances, places = cKDTree(points).query(asked, count)
    return distances.reshape(len(asked), count), places.reshape(len(asked), count)
