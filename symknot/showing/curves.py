"""Curves on which polynomials of any number of variables vanish together, followed point by point.

A curve is the set of common zeros where the gradients have rank d - 1.  From a point of it the tangent, what no
gradient sees, is followed by a short step, and the point is put back onto the zeros (`ZeroSet.onto`); steps are halved
where that moves it too far or the curve turns too fast.  At a crossing, where the rank falls, the direction is kept:
branches go straight on.  A curve ends where it leaves the box, closes, or cannot be followed, as at a cusp; other starts
lead to what is left.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from ..ground.linalg import svd
from .zero_sets import SETTLED, ZeroSet

STEP = 0.02
"""Length of a step, in half widths of the box: a hundredth of a picture's width."""
HALVINGS = 6
"""Times a step is halved at most before a curve is taken to end there: a convention."""
LEAST_COSINE = 0.85
"""Of the angle between neighbouring steps: turns of 30 degrees are corners to the eye."""
MOST_STEPS = 4000
"""Steps of one piece at most: forty times along a picture's width, a convention."""
MOST_PIECES = 60
"""Pieces at most: a convention; a picture of more is a thicket."""
GRID_OF_STARTS = 17
"""Grid lines along each variable from whose points curves are sought in three variables: a convention, beside the knots."""


def curves(zeros: ZeroSet, starts: np.ndarray) -> list[np.ndarray]:
    """Pieces of the curves of common zeros inside the box, each an (m, d) array of points in its coordinates.

    Parameters
    ----------
    zeros : ZeroSet
    starts : (n, d) array
        Points in the coordinates of the box, near which curves are sought; the first ones first.
    """
    rank = zeros.dimension - 1
    waiting = zeros.onto(starts, rank)
    waiting = waiting[zeros.is_on(waiting, rank) & (np.abs(waiting) <= 1).all(axis=1)]
    pieces: list[np.ndarray] = []
    while len(waiting) and len(pieces) < MOST_PIECES:
        forth, closed = _followed(zeros, waiting[0], 1.0)
        back = [] if closed else _followed(zeros, waiting[0], -1.0)[0]
        piece = np.array([*reversed(back), waiting[0], *forth])
        if len(piece) > 2:
            pieces.append(piece)
        away = cKDTree(piece).query(waiting)[0]
        waiting = waiting[(away > 1.5 * STEP) & (np.arange(len(waiting)) > 0)]
    return pieces


def grid_of_starts(dimension: int) -> np.ndarray:
    """Points of a grid in the box, those of the middle first."""
    axis = np.linspace(-1.0, 1.0, GRID_OF_STARTS)
    grid = np.stack(np.meshgrid(*[axis] * dimension, indexing="ij"), axis=-1).reshape(-1, dimension)
    return grid[np.argsort(np.linalg.norm(grid, axis=1), kind="stable")]


def _followed(zeros, start, sign):
    """Points after `start` in one direction, and whether they lead back to it."""
    here, points = start, []
    direction = sign * _tangent(zeros, start, None)
    for _ in range(MOST_STEPS):
        moved = _stepped(zeros, here, direction)
        if moved is None:
            return points, False
        there, direction = moved
        if np.abs(there).max() > 1:
            inside = _last_inside(here, there)
            return [*points, inside], False
        if len(points) > 2 and np.linalg.norm(there - start) < STEP and (there - here) @ (start - here) > 0:
            return [*points, there, start], True
        points.append(there)
        here = there
    return points, False


def _stepped(zeros, here, direction):
    """The next point and the direction there; None where the curve cannot be followed."""
    length, rank = STEP, zeros.dimension - 1
    for _ in range(HALVINGS):
        ahead = here + length * direction
        there = zeros.onto(ahead[None], rank)[0]
        gone = there - here
        distance = np.linalg.norm(gone)
        if np.linalg.norm(there - ahead) < length / 2 and gone @ direction > LEAST_COSINE * distance > 0:
            turned = _tangent(zeros, there, direction)
            if turned @ direction > LEAST_COSINE and zeros.is_on(there[None], rank)[0]:
                return there, turned
        length /= 2
    return None


def _tangent(zeros, point, before):
    """The direction that no gradient sees, along `before`, at first along an axis; `before` itself at a crossing."""
    slopes = zeros.at(point[None])[1][0]
    values, right = svd(slopes, full_matrices=True)[1:]
    if before is not None and (len(values) < len(right) - 1 or values[len(right) - 2] < np.sqrt(SETTLED)):
        return before
    tangent = right[len(right) - 1]
    ahead = tangent[np.argmax(np.abs(tangent))] if before is None else tangent @ before
    return tangent if ahead >= 0 else -tangent


def _last_inside(here, there):
    """Where the way from one to the other leaves the box."""
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = (np.sign(there) - here) / (there - here)
    share = np.min(np.where(np.abs(there) > 1, shares, 1.0))
    return here + share * (there - here)
