"""The sealed group of varieties: 30 shapes in two to six variables such as users have, that no rule of the package has seen.

Laws of physics, chemistry, biology and economics, with balances and without, scanned parts, a robot, shares, moments and linear
laws, in ranges as they are measured. None is one of an earlier group moved, scaled or renamed: hence no plane in space and no
line, which all are the same in this sense. Samples of linear laws are uniform or of mixed kinds, never all normal. They are
written down without a look at what is fitted easily, to be fitted once, and that figure is reported first. A rule that is
changed after a look at them needs a new group. Only their own mathematics is tested here: samples, equations (a minimal
H-basis, see `tests.varieties`) and distances.
"""

from __future__ import annotations

import numpy as np
import sympy as sp

from tests.blind_varieties import _through
from tests.frozen_varieties import _ball, _flat, _p, _patch, _q, _r, _union, a, b
from tests.unseen_varieties import _quadric, _sites, _stretch, _turned_distance
from tests.varieties import TAU, Variety, _curve, _curve_distance, _flats_distance, _t, w, x, y, z

_plane, _space, _four, _five, _six = (x, y), (x, y, z), (x, y, z, w), (x, y, z, w, a), (x, y, z, w, a, b)
_c, _s = sp.cos(_t), sp.sin(_t)
_cp, _sp = sp.cos(_p), sp.sin(_p)
_turn = (0, TAU)
_half = sp.Rational(1, 2)


def _bezier_arc():
    """A quadratic Bezier curve, as of a font: t and its square are linear in the coordinates."""
    corners = sp.Matrix([[1, 1], [7, 2], [4, 8]])
    powers = sp.Matrix([[1, 0, 0], [-2, 2, 0], [1, -2, 1]]) * corners
    one, two = (sp.Matrix([[x, y]]) - powers[0, :]) * powers[1:, :].inv()
    place = powers.T * sp.Matrix([_t**k for k in range(3)])
    conic = sp.expand(two - one**2)
    return _curve("Bezier arc", _plane, [conic], tuple(place), (0, 1), distance=_turned_distance(conic, _plane))


def _triangular_plate():
    """The three sides of a triangle; distances are from their whole lines."""
    p1, p2, p3 = (1, 1), (9, 2), (4, 7)
    sides = ((p1, p2), (p2, p3), (p3, p1))
    parts = [(1, *_flat(np.add(i, j) / 2, np.subtract(j, i) / 2)) for i, j in sides]
    return _union("triangular plate", 1, _plane, [sp.prod(_through(i, j) for i, j in sides)], *parts)


def _four_stations():
    p1, p2, p3, p4 = sites = ((2, 3), (8, 4), (7, 9), (3, 7))
    conics = [_through(p1, p2) * _through(p3, p4), _through(p1, p4) * _through(p2, p3)]
    return _sites("four stations", _plane, conics, sites)


def _magnetometer():
    """One field seen from all sides by a sensor that is offset and distorted: a leaning ellipsoid."""
    centre, distortion = sp.Matrix([12, -5, 20]), sp.Matrix([[10, 1, 2], [1, 8, -2], [2, -2, 12]])
    field = distortion.inv() * (sp.Matrix([x, y, z]) - centre)
    quadric = sp.expand(field.dot(field) - 1)
    unit = _ball((0, 0, 0), 1)[0]

    def sampler(rng, n):
        return np.array(centre, dtype=float).T + unit(rng, n) @ np.array(distortion, dtype=float).T

    return Variety("magnetometer", 2, _space, (quadric,), sampler, _turned_distance(quadric, _space))


def _turned_vase():
    """A surface of revolution around the line x = 6, y = 5; distances are those in its meridian plane."""
    square = 4 + (_t - 1) * (_t - 3) * (_t - 5) / 8
    outline = _curve_distance((sp.sqrt(square), _t), (-0.55, 8.5), periodic=False)
    profile = sp.sqrt(square.subs(_t, _q))

    def distance(points):
        right, deep, up = np.asarray(points, dtype=float).T
        return outline(np.stack([np.hypot(right - 6, deep - 5), up], axis=1))

    return _patch("turned vase", _space, [(x - 6) ** 2 + (y - 5) ** 2 - square.subs(_t, z)],
                  (6 + profile * _cp, 5 + profile * _sp, _q), _turn, (0, 6), distance=distance)  # fmt: skip


def _hoop(centre, radius, flat):
    """Sampler and distance of a circle in space, in the plane where coordinate number `flat` is constant."""
    sample, away = _ball(np.delete(centre, flat), radius)

    def distance(points):
        points = np.asarray(points, dtype=float)
        return np.hypot(away(np.delete(points, flat, axis=1)), points[:, flat] - centre[flat])

    return lambda rng, n: np.insert(sample(rng, n), flat, centre[flat], axis=1), distance


def _sample_alloy(rng, n):
    """Shares of three metals, their volumes gamma distributed, and the density."""
    volumes = np.stack([rng.gamma(shape, size=n) for shape in (3, 2, 2)], axis=1)
    shares = volumes / volumes.sum(axis=1, keepdims=True)
    return np.column_stack([shares, shares @ [7.9, 8.9, 2.7]])


def _sample_income(rng, n):
    """Consumption, investment, the state and net exports, each with a distribution of its own, and their sum."""
    parts = [rng.uniform(30, 60, n), 5 + rng.gamma(3, 3, n), rng.triangular(10, 15, 35, n), rng.uniform(-8, 6, n)]
    return np.stack([*parts, np.sum(parts, axis=0)], axis=1)


def _sample_wall(rng, n):
    """Heat (in tens of watts) through a wall: its thickness, its area, the temperatures inside and outside."""
    thick, area, warm, cold = rng.uniform(1, 4, n), rng.uniform(2, 8, n), rng.uniform(18, 26, n), rng.uniform(-5, 12, n)
    return np.stack([area * (warm - cold) / thick / 10, thick, area, warm, cold], axis=1)


def _sample_plate(rng, n):
    """Three marks on a plate, at 0, 4 and 3 + 2i in its own complex coordinate, which is moved and turned."""
    move = rng.uniform(2, 10, n) + 1j * rng.uniform(0, 6, n)
    marks = move[:, None] + np.exp(1j * rng.uniform(*_turn, n))[:, None] * _MARKS
    return np.ascontiguousarray(marks).view(float)


def _plate_distance(points):
    """The best move brings the centroids together, the best turn makes the sum of products real and positive."""
    found = np.ascontiguousarray(points, dtype=float).view(complex)
    found, marks = found - found.mean(axis=1, keepdims=True), _MARKS - _MARKS.mean()
    product = found @ marks.conj()
    return np.linalg.norm(found - (product / abs(product))[:, None] * marks, axis=1)


_MARKS = np.array([0, 4, 3 + 2j])
_well = 2 * _s * sp.sqrt((4 * _c**2 + 1) / 2)
_wide = sp.sqrt(4 - (_s - _half) ** 2)
_ring, _link = (x - 2) ** 2 + (y - 3) ** 2 - 4, (x - 4) ** 2 + (z - 1) ** 2 - sp.Rational(9, 4)
_mises = x**2 - x * y + y**2 + 3 * z**2 - w**2
_long, _lean = z - x, w - y  # plate with three marks: from the first to the second

SEALED = (
    # two variables
    _bezier_arc(),
    _curve("hardening spring", _plane, [3 * y - 3 * x - x**3], (_t, _t + _t**3 / 3), (-1.5, 2.5), (-2.5, 3.5)),
    _curve("Haldane's growth", _plane, [y * (8 + 4 * x + x**2) - 24 * x], (_t, 24 * _t / (8 + 4 * _t + _t**2)), (0.2, 12),
           (-1.5, 16)),
    _curve("orbit over two wells", _plane, [2 * y**2 - (4 - x**2) * (x**2 + 1)], (2 * _c, _well), _turn),
    _triangular_plate(),
    _four_stations(),
    # three variables
    _magnetometer(),
    _quadric("production at constant elasticity", _space, sp.expand((4 * z - x - y) ** 2 - 4 * x * y),
             (_p**2, _q**2, (_p + _q) ** 2 / 4), (0.7, 2.7), (0.7, 2.4)),
    _patch("Hill's law", _space, [z * (x**2 + 4) - x**2 * y], (_p, _q, _p**2 * _q / (_p**2 + 4)), (0.3, 8), (1, 5)),
    _patch("ammonia equilibrium", _space, [9 * z**2 - x * y**3], (_p**2, _q**2, _p * _q**3 / 3), (1, 2.2), (1, 1.8)),
    _patch("three moments of normal samples", _space, [4 * z - 3 * x * y + 2 * x**3],
           (_p, _p**2 + _q, (_p**3 + 3 * _p * _q) / 4), (-0.5, 2), (0.2, 2.5)),
    _turned_vase(),
    _union("ball on a table", 2, _space, [((x - 4) ** 2 + (y - 3) ** 2 + (z - 3) ** 2 - 4) * (z - 1)],
           (0.6, *_ball((4, 3, 3), 2)), (0.4, *_flat((4, 4, 1), (4, 0, 0), (0, 4, 0)))),
    _curve("pipe cut on a slant", _space, [4 * z + 2 * x - y - 39, (x - 5) ** 2 + (y - 3) ** 2 - 4],
           (5 + 2 * _c, 3 + 2 * _s, 8 - _c + _s / 2), _turn),
    _curve("autocatalysis in a closed vessel", _space, [x + y - 4, 2 * z - x * y**2],
           (4 - _t, _t, _t**2 * (4 - _t) / 2), (0.2, 3.9), (-1, 5)),
    _union("pipes that cross", 1, _space, [(x - 3) ** 2 + (y - 2) ** 2 - 1, (y - 5 * _half) ** 2 + (z - 4) ** 2 - 4],
           *((0.5, *_stretch((3 + _c, 2 + _s, 4 + sign * _wide), _turn)) for sign in (1, -1))),
    _union("links of a chain", 1, _space, [(y - 3) * (z - 1), (y - 3) * _ring, (z - 1) * _link, _ring * _link],
           (0.55, *_hoop((2, 3, 1), 2, flat=2)), (0.45, *_hoop((4, 3, 1), 1.5, flat=1))),
    # four variables
    Variety("density of an alloy", 2, _four, (x + y + z - 1, 10 * w - 79 * x - 89 * y - 27 * z), _sample_alloy,
            _flats_distance(((0, 0, 1, 2.7), [(1, 0, -1, 5.2), (0, 1, -1, 6.2)]))),
    _patch("law of cosines", _four, [w**2 - x**2 - y**2 + 2 * x * y * z],
           (_p, _q, sp.cos(_r), sp.sqrt(_p**2 + _q**2 - 2 * _p * _q * sp.cos(_r))), (2, 6), (1, 4), (0.5, 2.6)),
    _curve("buffer solution", _four, [x + y - 1, z + w - x, 5 * x * z - y],
           (_t, 1 - _t, (1 / _t - 1) / 5, _t - (1 / _t - 1) / 5), (0.15, 0.9), (0.05, 1.6)),
    _quadric("von Mises stress", _four, _mises, (_p, _q, _r, sp.sqrt(_p**2 - _p * _q + _q**2 + 3 * _r**2)), (2, 12), (-4, 6),
             (-3, 5)),
    _patch("lens and its magnification", _four, [w * x - y, z + z * w - y, z * x + z * y - x * y],
           (_p, _q, _p * _q / (_p + _q), _q / _p), (3, 9), (2, 8)),
    _union("two tariffs", 3, _four, [(w - 2 * x - y - 3 * z - 5) * (w - x - 4 * y - 2 * z - 12)],
           (0.6, *_flat((5, 4, 3, 28), (4, 0, 0, 8), (0, 3, 0, 3), (0, 0, 2, 6))),
           (0.4, *_flat((5, 4, 3, 39), (4, 0, 0, 4), (0, 3, 0, 12), (0, 0, 2, 4)))),
    _curve("litters of three", _four, [x + y + z + w - 1, y**2 - 3 * x * z, z**2 - 3 * y * w, 9 * x * w - y * z],
           (_t**3, 3 * _t**2 * (1 - _t), 3 * _t * (1 - _t) ** 2, (1 - _t) ** 3), (0.1, 0.9), (-0.4, 1.4)),
    # five variables
    Variety("national income", 4, _five, (a - x - y - z - w,), _sample_income,
            _flats_distance(((0, 0, 0, 0, 0), [(1, 0, 0, 0, 1), (0, 1, 0, 0, 1), (0, 0, 1, 0, 1), (0, 0, 0, 1, 1)]))),
    Variety("heat through a wall", 4, _five, (10 * x * y - z * (w - a),), _sample_wall,
            _turned_distance(10 * x * y - z * (w - a), _five)),
    _patch("telescoping arm", _five,
           [x**2 + y**2 - 1, w - z * x, a - z * y, x * a - y * w, x * w + y * a - z, w**2 + a**2 - z**2],
           (_cp, _sp, _q, _q * _cp, _q * _sp), (-1, 2), (1, 4)),
    # six variables
    Variety("currents of a bridge", 3, _six, (b - x - y, x - z - w, a - y - z),
            *_flat((4, 4, 0, 4, 4, 8), (2, 0, 0, 2, 0, 2), (0, 3, 0, 0, 3, 3), (0, 0, 1.5, -1.5, 1.5, 0))),
    _patch("water-gas shift", _six, [a - x - z, b - y - w, 2 * x * y - z * w],
           (_p, _q, _r, 2 * _p * _q / _r, _p + _r, _q + 2 * _p * _q / _r), (0.5, 2.5), (0.5, 3), (1, 3)),
    Variety("plate with three marks", 3, _six,
            (4 * (a - x) - 3 * _long + 2 * _lean, 4 * (b - y) - 3 * _lean - 2 * _long, _long**2 + _lean**2 - 16),
            _sample_plate, _plate_distance),
)  # fmt: skip
