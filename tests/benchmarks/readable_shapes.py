"""Two groups of twenty shapes with simple rational numbers, for `tests.benchmarks.readable` alone.

Each was written before any of its shapes was fitted; a rule that is changed after a look at what came out needs new ones.
`PLAIN` was written after `SIMPLE`, without a look at the rules.

Lines, conics, cubics and quartics, surfaces, curves in space, points and systems in two to four variables. Numerators
and denominators of their equations, or of the coordinates of points, are at most 100.
"""

from __future__ import annotations

import numpy as np
import sympy as sp

from tests.varieties import TAU, Variety, _points, w, x, y, z

_plane, _space, _four = (x, y), (x, y, z), (x, y, z, w)


def _unknown(points):
    raise NotImplementedError("distances from these shapes are not needed, and not known")


def _shape(name, dimension, variables, generators, sampler):
    return Variety(name, dimension, variables, tuple(map(sp.expand, generators)), sampler, _unknown)


def _along(low, high, *coordinates):
    """A sampler of a curve: the parameter is uniform."""

    def sampler(rng, n):
        t = rng.uniform(low, high, n)
        return np.stack([coordinate(t) for coordinate in coordinates], axis=1)

    return sampler


def _over(ranges, *last):
    """A sampler of a graph: the first coordinates are uniform, the others follow from all before them."""

    def sampler(rng, n):
        columns = [rng.uniform(low, high, n) for low, high in ranges]
        for coordinate in last:
            columns.append(coordinate(*columns))
        return np.stack(columns, axis=1)

    return sampler


def _elliptic(rng, n):
    first = rng.uniform(-1.6, 2, n)
    return np.stack([first, rng.choice([-1, 1], n) * np.sqrt(first**3 - 2 * first + 2)], axis=1)


def _parabola_and_line(rng, n):
    first = rng.uniform(-2, 2, n)
    return np.stack([first, np.where(rng.random(n) < 0.5, first**2, first / 2 + 2)], axis=1)


def _ball(rng, n, radius):
    points = rng.normal(size=(n, 3))
    return radius * points / np.linalg.norm(points, axis=1, keepdims=True)


def _ring(rng, n):
    u, v = rng.uniform(0, TAU, (2, n))
    return np.stack([(3 + np.cos(v)) * np.cos(u), (3 + np.cos(v)) * np.sin(u), np.sin(v)], axis=1)


def _two_layers(rng, n):
    first, second = rng.uniform(-2, 2, (2, n))
    return np.stack([first, second, rng.choice([1.0, -3.0], n) - 2 * first + second], axis=1)


def _slice_of_a_sphere(rng, n):
    points = _ball(rng, n, 2)
    return np.column_stack([points, points @ [1, 1, -1]])


SIMPLE = (
    _shape("line of 3, 7 and 5", 1, _plane, [3 * x + 7 * y - 5], _over([(-4, 4)], lambda a: (5 - 3 * a) / 7)),
    _shape("circle off the origin", 1, _plane, [(x - sp.Rational(3, 2)) ** 2 + (y + 2) ** 2 - 4],
           _along(0, TAU, lambda t: 1.5 + 2 * np.cos(t), lambda t: 2 * np.sin(t) - 2)),
    _shape("branch of a hyperbola", 1, _plane, [(x - 1) * (y + sp.Rational(1, 2)) - sp.Rational(3, 2)],
           _along(0.5, 3, lambda t: t + 1, lambda t: 1.5 / t - 0.5)),
    _shape("elliptic curve", 1, _plane, [y**2 - x**3 + 2 * x - 2], _elliptic),
    _shape("letter W", 1, _plane, [y - x**4 + 2 * x**2 - sp.Rational(1, 2)],
           _over([(-1.6, 1.6)], lambda a: a**4 - 2 * a**2 + 0.5)),
    _shape("parabola and line", 1, _plane, [(y - x**2) * (2 * y - x - 4)], _parabola_and_line),
    _points("kite", _plane, [("0", "0"), ("3", "1/2"), ("1", "2"), ("-1", "1")], degree=2),
    _points("5 points in space", _space,
            [("0", "0", "0"), ("1", "1/2", "0"), ("0", "1", "-1"), ("2", "0", "1"), ("-1/2", "1", "1")], degree=2),
    _shape("elliptic bowl", 2, _space, [z - x**2 / 2 - y**2 / 4 + 1],
           _over([(-2, 2), (-2, 2)], lambda a, b: a**2 / 2 + b**2 / 4 - 1)),
    _shape("sphere off the origin", 2, _space, [(x - 1) ** 2 + (y - 2) ** 2 + (z + sp.Rational(1, 2)) ** 2 - sp.Rational(9, 4)],
           lambda rng, n: _ball(rng, n, 1.5) + [1, 2, -0.5]),
    _shape("ring", 2, _space, [(x**2 + y**2 + z**2 + 8) ** 2 - 36 * (x**2 + y**2)], _ring),
    _shape("crown", 1, _space, [x**2 + y**2 - 4, x * y - 2 * z],
           _along(0, TAU, lambda t: 2 * np.cos(t), lambda t: 2 * np.sin(t), lambda t: np.sin(2 * t))),
    _shape("parabola in a tilted plane", 1, _space, [z - 2 * x + y - 1, y - x**2],
           _along(-1.5, 1.5, lambda t: t, lambda t: t**2, lambda t: 2 * t - t**2 + 1)),
    _shape("moved twisted cubic", 1, _space, [y + 1 - x**2, z + 2 * x - x * (y + 1), x * (z + 2 * x) - (y + 1) ** 2],
           _along(-1.3, 1.3, lambda t: t, lambda t: t**2 - 1, lambda t: t**3 - 2 * t)),
    _shape("leaning gutter", 2, _space, [y**2 - x - 2 * z], _over([(-1, 1), (-1.5, 1.5)], lambda a, b: (b**2 - a) / 2)),
    _shape("cubic surface", 2, _space, [x * y * z + x + y - 2],
           _over([(0.5, 2), (0.5, 2)], lambda a, b: (2 - a - b) / (a * b))),
    _shape("two layers", 2, _space, [(2 * x - y + z - 1) * (2 * x - y + z + 3)], _two_layers),
    _shape("line in 4-space", 1, _four, [x + 2 * y - 7, 2 * z + y - 3, w - 2 * z + 1],
           _along(-1, 2, lambda t: 1 + 2 * t, lambda t: 3 - t, lambda t: t / 2, lambda t: t - 1)),
    _shape("matrices of determinant 2", 3, _four, [x * w - y * z - 2],
           _over([(1, 2), (-1, 1), (-1, 1)], lambda a, b, c: (2 + b * c) / a)),
    _shape("sphere and a sum", 2, _four, [w - x - y + z, x**2 + y**2 + z**2 - 4], _slice_of_a_sphere),
)  # fmt: skip


def _crossing_lines(rng, n):
    first = rng.uniform(-2, 2, n)
    return np.stack([first, np.where(rng.random(n) < 0.5, (first + 1) / 2, 2 - 3 * first)], axis=1)


def _squashed_ball(rng, n):
    return _ball(rng, n, 1) * np.sqrt([8, 2, 4]) + [1, 0, -1]


def _cone(rng, n):
    angle, along = rng.uniform(0, TAU, n), rng.uniform(-1.5, 1.5, n)
    return np.stack([along * np.cos(angle), along * np.sin(angle), 2 * along + 2], axis=1)


def _two_sheets(rng, n):
    first, second = rng.uniform(-2, 2, (2, n))
    return np.stack([first, second, np.where(rng.random(n) < 0.5, first + second, 2 * first + 1)], axis=1)


PLAIN = (
    _shape("line of 4, 10 and 3", 1, _plane, [4 * x - 10 * y + 3], _over([(-3, 3)], lambda a: (4 * a + 3) / 10)),
    _shape("ellipse off the origin", 1, _plane, [(x + 1) ** 2 / 4 + (y - sp.Rational(1, 2)) ** 2 - 1],
           _along(0, TAU, lambda t: 2 * np.cos(t) - 1, lambda t: np.sin(t) + 0.5)),
    _shape("parabola on its side", 1, _plane, [3 * x - y**2 + 6 * y - 3],
           _along(0, 5, lambda t: t**2 / 3 - 2 * t + 1, lambda t: t)),
    _shape("cubic with every term", 1, _plane, [y - x**3 / 2 + x**2 + x - sp.Rational(3, 4)],
           _over([(-1.5, 2.8)], lambda a: a**3 / 2 - a**2 - a + 0.75)),
    _shape("serpentine off the origin", 1, _plane, [y * (x**2 + 1) - 3 * x + 1],
           _over([(-3, 3)], lambda a: (3 * a - 1) / (a**2 + 1))),
    _shape("lines that cross", 1, _plane, [(x - 2 * y + 1) * (3 * x + y - 2)], _crossing_lines),
    _points("trapezoid", _plane, [("0", "0"), ("4", "0"), ("3", "2"), ("1", "2")], degree=2),
    _points("tetrahedron", _space, [("0", "0", "0"), ("2", "0", "1"), ("0", "3", "-1"), ("1", "1", "2")], degree=2),
    _shape("plane of 2, 3, 4 and 5", 2, _space, [2 * x - 3 * y + 4 * z - 5],
           _over([(-2, 2), (-2, 2)], lambda a, b: (5 - 2 * a + 3 * b) / 4)),
    _shape("squashed ball", 2, _space, [(x - 1) ** 2 + 4 * y**2 + 2 * (z + 1) ** 2 - 8], _squashed_ball),
    _shape("product with a slope", 2, _space, [z - x * y + y / 2 - 2],
           _over([(-2, 2), (-2, 2)], lambda a, b: a * b - b / 2 + 2)),
    _shape("cubic graph", 2, _space, [z - x**2 * y / 2 + y - 1], _over([(-2, 2), (-2, 2)], lambda a, b: a**2 * b / 2 - b + 1)),
    _shape("cone off the origin", 2, _space, [4 * x**2 + 4 * y**2 - (z - 2) ** 2], _cone),
    _shape("ellipse on a slant", 1, _space, [2 * z - x + 2 * y - 6, x**2 + y**2 - 1],
           _along(0, TAU, np.cos, np.sin, lambda t: np.cos(t) / 2 - np.sin(t) + 3)),
    _shape("parabola of a parabola", 1, _space, [y - x**2 + 1, 2 * z - y**2 + 2 * y],
           _along(-1.6, 1.6, lambda t: t, lambda t: t**2 - 1, lambda t: (t**2 - 1) ** 2 / 2 - t**2 + 1)),
    _shape("sheets that cross", 2, _space, [(x + y - z) * (2 * x - z + 1)], _two_sheets),
    _shape("two laws of four", 2, _four, [z - 2 * x + y / 2 - 1, w + x - 3 * y],
           _over([(-2, 2), (-2, 2)], lambda a, b: 2 * a - b / 2 + 1, lambda a, b, c: 3 * b - a)),
    _shape("product and a square", 2, _four, [z - x * y, 2 * w - x - 2 * y**2, 2 * y * z - 2 * x * w + x**2],
           _over([(-2, 2), (-2, 2)], lambda a, b: a * b, lambda a, b, c: a / 2 + b**2)),
    _shape("quadratic of three", 3, _four, [2 * w - 2 * x * y + z**2 - 6],
           _over([(-2, 2), (-2, 2), (-2, 2)], lambda a, b, c: a * b - c**2 / 2 + 3)),
    _shape("circle and two laws", 1, _four, [2 * z - x - 2, w - x + y, x**2 + y**2 - 4],
           _along(0, TAU, lambda t: 2 * np.cos(t), lambda t: 2 * np.sin(t), lambda t: np.cos(t) + 1,
                  lambda t: 2 * np.cos(t) - 2 * np.sin(t))),
)  # fmt: skip
