"""Varieties that were written down after the package's defaults had been frozen, to check them once.

A check that is looked at and then answered by changing a default is no check any more: what fails here is reported in
``docs/benchmarks.md``, and the next change of a default needs a new group.
"""

from __future__ import annotations

import numpy as np
import sympy as sp

from tests.varieties import TAU, Variety, _curve, _flats_distance, _lines, _points, _quadric_distance, _t, w, x, y, z

_c, _s = sp.cos(_t), sp.sin(_t)
_plane, _space = (x, y), (x, y, z)


def _sample_ellipsoid(rng, n):
    points = rng.normal(size=(n, 3))
    return points / np.linalg.norm(points, axis=1, keepdims=True) * [2.0, 1.0, 0.5]


def _sample_hyperboloid(rng, n):
    angle, height = rng.uniform(0, TAU, n), rng.uniform(-1, 1, n)
    return np.stack([np.hypot(1, height) * np.cos(angle), np.hypot(1, height) * np.sin(angle), height], axis=1)


def _sample_planes(rng, n):
    u, v, first = *rng.uniform(-1, 1, (2, n)), rng.random(n) < 0.5
    return np.where(first[:, None], np.stack([u, v, u], axis=1), np.stack([u, -u, v], axis=1))


FRESH = (
    _curve("nodal cubic", _plane, [y**2 - x**2 * (x + 1)], (_t**2 - 1, _t**3 - _t), (-1.3, 1.3), (-2, 2)),
    _curve("cuspidal cubic", _plane, [y**2 - x**3], (_t**2, _t**3), (-1, 1), (-1.6, 1.6)),
    _curve("Lissajous figure", _plane, [y**2 - 4 * x**2 * (1 - x**2)], (_c, sp.sin(2 * _t)), (0, TAU)),
    _lines("parallel lines", _plane, [(y - x) * (y - x - 1)], ((0, 0), (1, 1)), ((0, 1), (1, 1))),
    _points("3 points in the plane", _plane, [("0", "0"), ("1", "1/3"), ("-1/2", "1")], degree=2),
    Variety("ellipsoid", 2, _space, (x**2 / 4 + y**2 + 4 * z**2 - 1,), _sample_ellipsoid,
            _quadric_distance((0.25, 1, 4), (0, 0, 0), -1)),
    Variety("hyperboloid", 2, _space, (x**2 + y**2 - z**2 - 1,), _sample_hyperboloid,
            _quadric_distance((1, 1, -1), (0, 0, 0), -1)),
    Variety("two planes", 2, _space, ((x - z) * (x + y),), _sample_planes,
            _flats_distance(((0, 0, 0), [(1, 0, 1), (0, 1, 0)]), ((0, 0, 0), [(1, -1, 0), (0, 0, 1)]))),
    _lines("three axes", _space, [x * y, x * z, y * z], ((0, 0, 0), (1, 0, 0)), ((0, 0, 0), (0, 1, 0)),
           ((0, 0, 0), (0, 0, 1))),
    _curve("normal quartic", (x, y, z, w), [x**2 - y, x * y - z, y**2 - w, x * z - w, y * z - x * w, z**2 - y * w],
           (_t, _t**2, _t**3, _t**4), (-1, 1), (-1.6, 1.6)),
)  # fmt: skip
