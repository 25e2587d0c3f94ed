"""The closed group of varieties: 30 shapes in two to six variables such as users have, that no rule of the package has seen.

Laws of physics, chemistry, biology, engineering and economics, sensors, machines and their balances, scanned parts, statistics
and linear laws, in ranges as they are measured. None is one of an earlier group moved, scaled or renamed: hence no plane in
space, no line and no conic, which all are the same in this sense or nearly so. Samples of linear laws are uniform or of mixed
kinds, never all normal. They are written down without a look at what is fitted easily, to be fitted once, and that figure is
reported first. A rule that is changed after a look at them needs a new group. Only their own mathematics is tested here:
samples, equations (a minimal H-basis, see `tests.varieties`) and distances.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.linalg
import sympy as sp

from tests.frozen_varieties import _flat, _p, _patch, _q, _r, _union, a, b
from tests.sealed_varieties import _hoop
from tests.unseen_varieties import _quadric, _sites, _turned_distance
from tests.varieties import TAU, Distance, Variety, _curve, _flats_distance, _t, w, x, y, z

_plane, _space, _four, _five, _six = (x, y), (x, y, z), (x, y, z, w), (x, y, z, w, a), (x, y, z, w, a, b)
_c, _s = sp.cos(_t), sp.sin(_t)
_turn = (0, TAU)


def _slice_distance(linear: sp.Expr, quadric: sp.Expr, variables: Sequence[sp.Symbol]) -> Distance:
    """Distance from the quadric within a hyperplane: that to the hyperplane, and that from the foot within it."""
    normal = np.array([float(sp.diff(linear, v)) for v in variables])
    foot = -float(linear.subs(dict.fromkeys(variables, 0))) * normal / (normal @ normal)
    frame = scipy.linalg.null_space(normal[None])
    inside = sp.symbols(f"u:{frame.shape[1]}", real=True)
    place = [f + sum(float(c) * u for c, u in zip(row, inside)) for f, row in zip(foot, frame)]
    within = _turned_distance(sp.expand(quadric.subs(dict(zip(variables, place)), simultaneous=True)), inside)

    def distance(points):
        offset = np.asarray(points, dtype=float) - foot
        return np.hypot(offset @ normal / np.linalg.norm(normal), within(offset @ frame))

    return distance


def _walls_of_a_room():
    """A room of 10 by 7, turned by an angle of sine 4/5; distances are from the walls' whole lines."""
    along, across, middle = np.array([3, 4]) / 5, np.array([-4, 3]) / 5, np.array([6, 11])
    walls = [(length, *_flat(middle + side * offset, length / 2 * way))
             for length, way, offset in ((10, along, 3.5 * across), (7, across, 5 * along)) for side in (-1, 1)]  # fmt: skip
    one, other = 3 * (x - 6) + 4 * (y - 11), 3 * (y - 11) - 4 * (x - 6)
    return _union("walls of a room", 1, _plane, [(one**2 - 625) * (4 * other**2 - 35**2) / 10**4], *walls)


def _sample_readings(rng, n):
    """Three readings, each of an instrument of its own, their mean and their variance."""
    three = np.stack([rng.uniform(8, 14, n), rng.triangular(7, 10, 15, n), 8 + rng.gamma(3, 1, n)], axis=1)
    return np.column_stack([three, three.mean(axis=1), three.var(axis=1)])


def _sample_burner(rng, n):
    """Methane, hydrogen, oxygen, carbon dioxide and steam, from a feed of 5, 8 and 20 of the first three."""
    methane, hydrogen = 5 * rng.beta(2, 1.5, n), rng.uniform(0.5, 8, n)
    return np.stack([5 - methane, 8 - hydrogen, 20 - 2 * methane - hydrogen / 2, methane, 2 * methane + hydrogen], axis=1)


def _sample_label(rng, n):
    """Protein, fat, carbohydrates, fibre and water in 100 g of food, and its energy in tens of kilocalories."""
    parts = np.stack([rng.gamma(shape, size=n) for shape in (3, 2, 4, 1.5, 6)], axis=1)
    parts *= 100 / parts.sum(axis=1, keepdims=True)
    return np.column_stack([parts, parts @ [0.4, 0.9, 0.4, 0.2, 0]])


def _sample_supports(rng, n):
    """Two loads on a beam of length 10, their places, and the forces on its left and its right support."""
    first, second = rng.uniform(2, 8, n), 1 + rng.gamma(3, 1, n)
    near, far = rng.uniform(1, 5, n), rng.uniform(4, 9, n)
    right = (first * near + second * far) / 10
    return np.stack([first, second, near, far, first + second - right, right], axis=1)


_lobe = 1 + 3 * _c  # hypercardioid microphone: its sensitivity
_u, _v = x - 20, y - 15  # six bolt holes: offset from the middle
_right, _deep, _up = x - 20, y - 12, z - 7  # tennis ball: offset from its centre
_west, _north = (x**2 - y**2 + 36) / 12, (x**2 - z**2 + 64) / 16  # three beacons: the place, from its distances
_poses = [(x - 1) / 10, (y + 2) / 9, (z - 3) / 11]  # accelerometer: the force along its axes
_acid = _t**2 + 6 * _t + 3
_towers = ((0, 0), (6, 0), (3, 5))  # delta printer: places of its three rails, whose rods have length 10
_mean, _variance = x + y + z - 3 * w, 3 * a - x**2 - y**2 - z**2 + 3 * w**2
_forces, _torque = a + b - x - y, 10 * b - x * z - y * w

CLOSED = (
    # two variables
    _curve("spectral line", _plane, [(y - 3) * ((x - 65) ** 2 + 4) - 48], (_t, 3 + 48 / ((_t - 65) ** 2 + 4)), (57, 75),
           (53, 79)),
    _curve("titration of a weak acid", _plane, [(10 * x * y + 10 * y**2 - 1) * (1 + y) - 30 * y],
           (3 / (1 + sp.exp(_t)) - sp.exp(_t) + sp.exp(-_t) / 10, sp.exp(_t)), (-3, 0.2), (-3.8, 0.9)),
    _curve("Landau's free energy", _plane, [y - 10 + x + 4 * x**2 - x**4], (_t, 10 - _t - 4 * _t**2 + _t**4), (-2.2, 2.3),
           (-2.7, 2.8)),
    _curve("hypercardioid microphone", _plane, [(x**2 + y**2 - 3 * x) ** 2 - x**2 - y**2], (_lobe * _c, _lobe * _s), _turn),
    _walls_of_a_room(),
    _sites("six bolt holes", _plane, [_u**2 + _v**2 - 64, 3 * _u**2 * _v - _v**3],
           [(20 + 8 * np.cos(k * TAU / 6), 15 + 8 * np.sin(k * TAU / 6)) for k in range(6)]),
    # three variables
    _patch("logistic growth", _space, [10 * z - x * y * (10 - y)], (_p, _q, _p * _q * (10 - _q) / 10), (0.5, 2), (1, 9.5)),
    _patch("adding velocities near that of light", _space, [z * (1 + x * y) - x - y], (_p, _q, (_p + _q) / (1 + _p * _q)),
           (0.1, 0.9), (-0.3, 0.8)),
    _quadric("pump at several speeds", _space, z - 3 * x**2 - x * y + 2 * y**2, (_p, _q, 3 * _p**2 + _p * _q - 2 * _q**2),
             (1, 2), (0.2, 1.5)),
    _patch("distances from three beacons", _space, [_west**2 + _north**2 - x**2],
           (sp.sqrt(_p**2 + _q**2), sp.sqrt((_p - 6) ** 2 + _q**2), sp.sqrt(_p**2 + (_q - 8) ** 2)), (1, 5), (1, 6)),
    _curve("decay chain", _space, [x + y + z - 8, 128 * y - 64 * x + x**3],
           (_t, _t / 2 - _t**3 / 128, 8 - 3 * _t / 2 + _t**3 / 128), (0.5, 8), (-2, 10)),
    _curve("seam of a tennis ball", _space, [_right**2 + _deep**2 + _up**2 - 25, 32 * _right * _deep - 20 * _up - _up**3],
           (20 + 4 * _c + sp.cos(3 * _t), 12 + 4 * _s - sp.sin(3 * _t), 7 + 4 * sp.sin(2 * _t)), _turn),
    _union("hoops of a barrel", 1, _space, [(z - 2) * (z - 8), (x - 12) ** 2 + (y - 9) ** 2 - 9],
           *((1, *_hoop((12, 9, height), 3, flat=2)) for height in (2, 8))),
    _sites("accelerometer in six positions", _space,
           [_poses[0] * _poses[1], _poses[0] * _poses[2], _poses[1] * _poses[2], sum(pose**2 for pose in _poses) - 1],
           [(11, -2, 3), (-9, -2, 3), (1, 7, 3), (1, -11, 3), (1, -2, 14), (1, -2, -8)]),
    # four variables
    _patch("Heron's area", _four, [16 * w**2 - 4 * x**2 * y**2 + (x**2 + y**2 - z**2) ** 2],
           (_p, _q, sp.sqrt(_p**2 + _q**2 - 2 * _p * _q * sp.cos(_r)), _p * _q * sp.sin(_r) / 2), (3, 7), (3, 6), (0.6, 2.2)),
    _patch("active power", _four, [w - x * y * z], (_p, _q, _r, _p * _q * _r), (1, 2.4), (1, 6), (0.3, 1)),
    _curve("diprotic acid", _four, [x + y + z - 1, 3 * x - 2 * w * y, y - 8 * w * z, y**2 - 12 * x * z],
           (_t**2 / _acid, 6 * _t / _acid, 3 / _acid, _t / 4), (0.1, 7), (-0.4, 10)),
    _patch("ranging from two masts", _four, [z**2 - (x - 1) ** 2 - (y - 2) ** 2, w**2 - (x - 9) ** 2 - (y - 1) ** 2],
           (_p, _q, sp.sqrt((_p - 1) ** 2 + (_q - 2) ** 2), sp.sqrt((_p - 9) ** 2 + (_q - 1) ** 2)), (2, 8), (3, 9)),
    _patch("depth from two cameras", _four, [x * z - 4 * w, y * z - 4 * w + 12, x * (w - 3) - y * w],
           (4 * _p / _q, 4 * (_p - 3) / _q, _q, _p), (2, 8), (3, 9)),
    _union("thermostat", 2, _four, [4 * w - 4 * z + x - y, z * (z - 6)],
           (0.45, *_flat((19, -1, 6, 1), (3, 0, 0, -0.75), (0, 7, 0, 1.75))),
           (0.55, *_flat((21, 5, 0, -4), (3, 0, 0, -0.75), (0, 8, 0, 2)))),
    # five variables
    Variety("mean and variance of three readings", 3, _five, (_mean, _variance), _sample_readings,
            _slice_distance(_mean, _variance, _five)),
    _patch("duopoly", _five, [x + y + z - 20, w - x * (z - 2), a - y * (z - 3), y * w - x * a - x * y],
           (_p, _q, 20 - _p - _q, _p * (18 - _p - _q), _q * (17 - _p - _q)), (2, 7), (1, 6)),
    Variety("element balances of a burner", 2, _five, (x + w - 5, 2 * x + y + a - 18, 2 * z + 2 * w + a - 40), _sample_burner,
            _flats_distance(((5, 8, 20, 0, 0), [(-1, 0, -2, 1, 2), (0, -2, -1, 0, 2)]))),
    _patch("Venturi meter", _five, [x * y - z * w, 8 * a - w**2 + y**2],
           (_p, _q, _r, _p * _q / _r, ((_p * _q / _r) ** 2 - _q**2) / 8), (4, 8), (1, 3), (2, 4)),
    _patch("energy of an oscillator", _five, [w - y * z, 8 * a - x * w**2], (_p, _q, _r, _q * _r, _p * _q**2 * _r**2 / 8),
           (1, 4), (1, 3), (0.5, 2)),
    _curve("two pumps in series", _five,
           [w - y - z, 2 * y - 3 * z + 5, 4 * y - 80 + x**2, 10 * a - x * w, 5 * x * a - (40 - 2 * y) * w],
           (_t, 20 - _t**2 / 4, 15 - _t**2 / 6, 35 - 5 * _t**2 / 12, _t * (35 - 5 * _t**2 / 12) / 10), (1, 6), (-2, 9)),
    # six variables
    Variety("nutrition label", 4, _six, (x + y + z + w + a - 100, 10 * b - 4 * x - 9 * y - 4 * z - 2 * w), _sample_label,
            _flats_distance(((0, 0, 0, 0, 100, 0), [(10, 0, 0, 0, -10, 4), (0, 10, 0, 0, -10, 9), (0, 0, 10, 0, -10, 4),
                                                    (0, 0, 0, 10, -10, 2)]))),
    Variety("beam on two supports", 4, _six, (_forces, _torque), _sample_supports, _slice_distance(_forces, _torque, _six)),
    _patch("delta printer", _six, [(x - i) ** 2 + (y - j) ** 2 + (z - h) ** 2 - 100 for (i, j), h in zip(_towers, (w, a, b))],
           (_p, _q, _r, *(_r + sp.sqrt(100 - (_p - i) ** 2 - (_q - j) ** 2) for i, j in _towers)), (1, 5), (0.5, 4), (1, 6)),
    _patch("water network", _six, [w - a - b, x - y - w**2, y - z - 2 * a**2],
           (_p + 2 * _q**2 + _r**2, _p + 2 * _q**2, _p, _r, _q, _r - _q), (10, 20), (0.5, 2.5), (1, 4)),
)  # fmt: skip
