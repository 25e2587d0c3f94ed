r"""Surfaces on which a polynomial vanishes, as meshes: dual contouring on a grid.

Each cell of the grid in which the polynomial changes sign gets one vertex, the mean of the places where it does so on
the cell's edges ("surface nets", Gibson 1998), put onto the surface by Newton steps that stay inside the cell.  Each
edge of the grid on which it changes sign gets one quadrilateral, of the vertices of the four cells around it.  That makes
fewer and rounder faces than marching cubes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .zero_sets import ZeroSet

GRID_LINES = 48
"""Grid lines along each variable: a convention; about seven thousand faces for a sphere, drawn in a second."""
NEWTON_STEPS = 3
"""From a vertex onto the surface: each doubles the digits, and one to begin with is there."""


class Mesh(NamedTuple):
    """A surface.

    Attributes
    ----------
    vertices : (V, 3) array
        In the coordinates of the box.
    normals : (V, 3) array
        Of unit length; zero at singular points.
    faces : (F, 4) int array
        Vertices of each quadrilateral, in order around it.
    """

    vertices: np.ndarray
    normals: np.ndarray
    faces: np.ndarray


def surface(zeros: ZeroSet, place: int = 0, lines: int = GRID_LINES) -> Mesh:
    """The surface of polynomial number `place` inside the box [-1, 1]^3, up to its walls."""
    cell = 2.0 / (lines - 1)
    axis = np.linspace(-1.0 - cell, 1.0 + cell, lines + 2)             # one cell more, to reach the walls
    heights = zeros.on_grid(axis, axis, axis)[place]
    heights = np.where(heights == 0, np.finfo(float).tiny, heights)        # a zero on the grid belongs to one side
    vertices, number = _vertices(heights, axis)
    faces = _faces(heights, number)
    beyond = np.abs(vertices) > 1
    faces = faces[~beyond.any(axis=1)[faces].all(axis=1)]
    vertices = _settled(zeros, place, np.clip(vertices, -1.0, 1.0), cell, ~beyond)
    slopes = zeros.at(vertices)[1][:, place]
    length = np.linalg.norm(slopes, axis=1, keepdims=True)
    return Mesh(vertices, slopes / np.where(length > 0, length, 1.0), faces)


def _settled(zeros, place, vertices, cell, free):
    """Vertices after Newton steps along their free coordinates, each no farther than a cell from where it began."""
    v = vertices
    for _ in range(NEWTON_STEPS):
        values, slopes = zeros.at(v)
        slope = slopes[:, place] * free
        square = np.sum(slope**2, axis=1)
        step = values[:, place] / np.where(square > 0, square, np.inf)
        v = np.clip(v - step[:, None] * slope, np.maximum(vertices - cell, -1), np.minimum(vertices + cell, 1))
    return v


def _vertices(heights, axis):
    """One vertex for each cell that the surface passes, and the vertex number of each cell (-1 for none)."""
    cells = tuple(n - 1 for n in heights.shape)
    total, count = np.zeros((*cells, 3)), np.zeros(cells)
    for along in range(3):
        low, high = (heights[_slab(along, part)] for part in (slice(None, -1), slice(1, None)))
        crossed = np.argwhere((low > 0) != (high > 0))
        chosen = tuple(crossed.T)
        share = low[chosen] / (low[chosen] - high[chosen])
        place = axis[crossed]
        place[:, along] += share * (axis[1] - axis[0])
        others = [k for k in range(3) if k != along]
        for shift in ((0, 0), (0, 1), (1, 0), (1, 1)):
            cell = crossed.copy()
            cell[:, others] -= shift
            inside = ((cell >= 0) & (cell < cells)).all(axis=1)
            np.add.at(total, tuple(cell[inside].T), place[inside])
            np.add.at(count, tuple(cell[inside].T), 1.0)
    passed = count > 0
    number = np.where(passed, np.cumsum(passed).reshape(cells) - 1, -1)
    return total[passed] / count[passed][:, None], number


def _faces(heights, number):
    """A quadrilateral for each inner edge of the grid that the surface crosses."""
    faces = []
    for along in range(3):
        low, high = (heights[_slab(along, part)] for part in (slice(None, -1), slice(1, None)))
        crossed = np.argwhere((low > 0) != (high > 0))
        others = [k for k in range(3) if k != along]
        inner = ((crossed[:, others] > 0) & (crossed[:, others] < np.array(number.shape)[others])).all(axis=1)
        corners = []
        for shift in ((0, 0), (0, 1), (1, 1), (1, 0)):
            cell = crossed[inner].copy()
            cell[:, others] -= shift
            corners.append(number[tuple(cell.T)])
        faces.append(np.stack(corners, axis=1))
    return np.vstack(faces)


def _slab(along, part):
    return tuple(part if k == along else slice(None) for k in range(3))
