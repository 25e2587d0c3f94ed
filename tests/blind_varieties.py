"""The blind group of varieties: 32 shapes in two to six variables such as users have, that no rule of the package has seen.

Laws of physics, chemistry and economics, scanned parts, joints, tables of shares, matrices and balances, in ranges as they are
measured: seldom around zero, columns of unequal size, pieces rather than whole shapes. None is one of an earlier group moved,
scaled or renamed. They are written down without a look at what is fitted easily, to be fitted once, and that figure is reported
first. A rule that is changed after a look at them needs a new group. Only their own mathematics is tested here: samples,
equations (a minimal H-basis, see `tests.varieties`) and distances.
"""

from __future__ import annotations

import numpy as np
import sympy as sp

from tests.frozen_varieties import _ball, _flat, _p, _patch, _patch_distance, _q, _r, _union, a, b
from tests.unseen_varieties import _quadric, _sites, _stretch, _turned_distance
from tests.varieties import TAU, Variety, _curve, _t, w, x, y, z

_plane, _space, _four, _five, _six = (x, y), (x, y, z), (x, y, z, w), (x, y, z, w, a), (x, y, z, w, a, b)
_c, _s = sp.cos(_t), sp.sin(_t)
_cp, _sp, _cq, _sq = (f(v) for v in (_p, _q) for f in (sp.cos, sp.sin))
_turn = (0, TAU)


def _through(first, second):
    """The line through two points of the plane, zero there."""
    return (x - first[0]) * (second[1] - first[1]) - (y - first[1]) * (second[0] - first[0])


def _five_sites():
    """Of the conics through four sites the one through the fifth, and two cubics: lines through two, two and one of them."""
    p1, p2, p3, p4, p5 = sites = ((2, 1), (6, 2), (9, 6), (4, 8), (1, 5))
    one, other = _through(p1, p2) * _through(p3, p4), _through(p1, p3) * _through(p2, p4)
    fifth = dict(zip(_plane, p5))
    conic = one * other.subs(fifth) - other * one.subs(fifth)
    return _sites("five sites", _plane, [conic, one * (x - p5[0]), one * (y - p5[1])], sites)


def _space_cubic():
    """A cubic Bezier curve: its powers of t are linear in the coordinates."""
    corners = sp.Matrix([[1, 0, 2], [10, 6, 0], [0, 8, 4], [9, 1, 7]])
    powers = sp.Matrix([[1, -3, 3, -1], [0, 3, -6, 3], [0, 0, 3, -3], [0, 0, 0, 1]]).T * corners
    one, two, three = (sp.Matrix([[x, y, z]]) - powers[0, :]) * powers[1:, :].inv()
    place = powers.T * sp.Matrix([_t**k for k in range(4)])
    quadrics = [two - one**2, three - one * two, one * three - two**2]
    return _curve("Bezier curve in space", _space, quadrics, tuple(place), (0, 1), (-0.5, 1.5))


def _elbow_distance(points):
    """From the whole torus, of radii 2 and 1 around the line x = 1, z = 0."""
    right, up, deep = np.asarray(points, dtype=float).T
    return abs(np.hypot(np.hypot(right - 1, deep) - 2, up - 3) - 1)


def _sample_lever(rng, n):
    """Two weights on the left, one on the right, each with its arm; the weight on the right is the one that balances."""
    first, second = rng.uniform(1, 5, (2, n))
    near, far, right = rng.uniform(0.5, 2, n), rng.uniform(1, 4, n), rng.uniform(2, 5, n)
    return np.stack([first, near, second, far, (first * near + second * far) / right, right], axis=1)


def _dyad_distance(parametrisation, *ranges):
    """From symmetric matrices v v' and their negatives."""
    positive = _patch_distance(parametrisation, ranges)
    return lambda points: np.minimum(positive(points), positive(-np.asarray(points, dtype=float)))


_u, _v = (x - 12) / 4, y - 5  # turned ellipse: offset from its centre
_leaf = 6 * _c * _s / (_c**3 + _s**3)  # folium: distance from its node
_hot, _long = x - 3, y - 2  # response surface: offset from its top
_pipe = sp.Matrix([x - 5, y + 2, z - 1])  # slanted pipe: offset from its middle
_axis, _up, _side = sp.Matrix([1, 2, 2]) / 3, sp.Matrix([2, 1, -2]) / 3, sp.Matrix([2, -2, 1]) / 3
_hole = sp.sqrt(sp.Rational(11, 4) - _c)
_ester = sp.Rational(2, 3) * (_p + _q - sp.sqrt(_p**2 + _q**2 - _p * _q))
_free = 1 - z - w  # competing gases: the part of the surface that neither covers
_bare = 1 / (1 + 2 * _p + 4 * _q)
_cpq, _spq = _cp * _cq - _sp * _sq, _sp * _cq + _cp * _sq
_dyad = (_p**2, _p * _q, _p * _r, _q**2, _q * _r, _r**2)
_layer = x + 2 * y + 4 * z

BLIND = (
    # two variables
    _curve("turned ellipse", _plane, [5 * _u**2 - 6 * _u * _v + 5 * _v**2 - sp.Rational(16, 5)],
           (12 + 4 * _c, 5 + (3 * _c + 4 * _s) / 5), _turn,
           distance=_turned_distance(5 * _u**2 - 6 * _u * _v + 5 * _v**2 - sp.Rational(16, 5), _plane)),
    _curve("van Deemter's curve", _plane, [x**2 - 4 * x * y + 4 * x + 16], (_t, 1 + 4 / _t + _t / 4), (0.5, 12),
           distance=_turned_distance(x**2 - 4 * x * y + 4 * x + 16, _plane)),
    _curve("folium of Descartes", _plane, [x**3 + y**3 - 6 * x * y], (_leaf * _c, _leaf * _s), (-0.5, TAU / 4 + 0.5),
           (-0.7, TAU / 4 + 0.7)),
    _curve("cissoid of Diocles", _plane, [y**2 * (6 - x) - x**3], (6 * _t**2 / (1 + _t**2), 6 * _t**3 / (1 + _t**2)),
           (-1.5, 1.5), (-2.5, 2.5)),
    _union("two circles apart", 1, _plane, [((x - 3) ** 2 + (y - 4) ** 2 - 4) * ((x - 7) ** 2 + (y - 5) ** 2 - 1)],
           (0.6, *_ball((3, 4), 2)), (0.4, *_ball((7, 5), 1))),
    _five_sites(),
    # three variables
    _quadric("Michaelis-Menten", _space, z * (x + 3) - 2 * x * y, (_p, _q, 2 * _p * _q / (_p + 3)), (0.2, 12), (1, 4)),
    _quadric("esterification", _space, 4 * (x - z) * (y - z) - z**2, (_p, _q, _ester), (1, 6), (1, 9)),
    _patch("kinetic energy", _space, [2 * z - x * y**2], (_p, _q, _p * _q**2 / 2), (1, 5), (0.5, 3)),
    _quadric("Cobb-Douglas production", _space, z**2 - 4 * x * y, (_p, _q, 2 * sp.sqrt(_p * _q)), (0.5, 8), (0.5, 6)),
    _quadric("Bernoulli's law", _space, 2 * x + y**2 + 20 * z - 120, (60 - _p**2 / 2 - 10 * _q, _p, _q), (0.5, 6), (0, 2)),
    _quadric("response surface", _space, z - 25 + _hot**2 + _hot * _long + _long**2,
             (_p, _q, 25 - (_p - 3) ** 2 - (_p - 3) * (_q - 2) - (_q - 2) ** 2), (0, 6), (0, 5)),
    _quadric("slanted pipe", _space, _pipe.dot(_pipe) - _pipe.dot(_axis) ** 2 - 4,
             tuple(sp.Matrix([5, -2, 1]) + _q * _axis + 2 * _cp * _up + 2 * _sp * _side), _turn, (-5, 5)),
    _patch("pipe elbow", _space, [((x - 1) ** 2 + (y - 3) ** 2 + z**2 + 3) ** 2 - 16 * ((x - 1) ** 2 + z**2)],
           (1 + (2 + _cq) * _cp, 3 + _sq, (2 + _cq) * _sp), (0, TAU / 4), _turn, distance=_elbow_distance),
    _curve("Hardy-Weinberg shares", _space, [x + y + z - 1, y**2 - 4 * x * z], (_t**2, 2 * _t * (1 - _t), (1 - _t) ** 2),
           (0.05, 0.95), (-0.5, 1.5)),
    _curve("revenue under linear demand", _space, [y + 2 * x - 20, z - x * y], (_t, 20 - 2 * _t, 20 * _t - 2 * _t**2), (2, 9),
           (-1, 12)),
    _space_cubic(),
    _union("ball drilled off its centre", 1, _space, [x**2 - x + y**2 - sp.Rational(3, 4), x**2 + y**2 + z**2 - 4],
           *((0.5, *_stretch((_c + sp.Rational(1, 2), _s, sign * _hole), _turn)) for sign in (1, -1))),
    _union("three skew rods", 1, _space,
           [4 * x * y + 3 * x * z + 2 * y * z - 12 * x - 8 * y - 6 * z + 24, x * y * z, x * y * (x - 2), y * z * (y - 3),
            x * z * (z - 4)],
           (1, *_flat((1, 0, 4), (2, 0, 0))), (1, *_flat((2, 1, 0), (0, 3, 0))), (1, *_flat((0, 3, 2), (0, 0, 4)))),
    _union("three tilted layers", 2, _space, [_layer * (_layer - 6) * (_layer - 10)],
           *((1, *_flat((0, 0, level / 4), (4, 0, -1), (0, 2, -1))) for level in (0, 6, 10))),
    # four variables
    Variety("cost of a blend", 3, _four, (w - 2 * x - 5 * y - 3 * z - 10,),
            *_flat((5, 2, 3, 39), (5, 0, 0, 10), (0, 2, 0, 10), (0, 0, 3, 9))),
    _patch("independent shares", _four, [x + y + z + w - 1, x * w - y * z],
           (_p * _q, _p * (1 - _q), (1 - _p) * _q, (1 - _p) * (1 - _q)), (0.1, 0.9), (0.1, 0.9)),
    _curve("plane rotations", _four, [x - w, y + z, x**2 + y**2 - 1], (_c, -_s, _s, _c), _turn),
    _patch("Peaucellier's inversor", _four, [x * w - y * z, x * z + y * w - 6],
           (_q * _cp, _q * _sp, 6 * _cp / _q, 6 * _sp / _q), (-1, 1), (2, 5)),
    _patch("competing gases on a surface", _four, [z - 2 * x * _free, w - 4 * y * _free, x * w - 2 * y * z],
           (_p, _q, 2 * _p * _bare, 4 * _q * _bare), (0.1, 2.5), (0.1, 1.5)),
    _quadric("impedance", _four, x**2 + (y - z) ** 2 - w**2, (_p, _q, _r, sp.sqrt(_p**2 + (_q - _r) ** 2)), (1, 6), (0, 8),
             (0, 8)),
    # five variables
    _patch("ideal gas and its energy", _five, [x * y - z * w, 2 * a - 3 * x * y], (_q * _r / _p, _p, _q, _r, 3 * _q * _r / 2),
           (2, 6), (0.5, 2.5), (2, 5)),
    Variety("balances of five flows", 3, _five, (x + y - z, z - w - a),
            *_flat((15, 5, 20, 8, 12), (5, 0, 5, 0, 5), (0, 3, 3, 0, 3), (0, 0, 0, 4, -4))),
    # six variables
    Variety("score of five marks", 5, _six, (2 * b - 6 * x - 2 * y + 4 * z - w - 8 * a,),
            *_flat((5, 10, 3, 20, 1, 33), (5, 0, 0, 0, 0, 15), (0, 8, 0, 0, 0, 8), (0, 0, 3, 0, 0, -6), (0, 0, 0, 12, 0, 6),
                   (0, 0, 0, 0, 1, 4))),
    Variety("lever with three weights", 5, _six, (x * y + z * w - a * b,), _sample_lever,
            _turned_distance(x * y + z * w - a * b, _six)),
    _patch("arm that bends at its elbow", _six,
           [x**2 + y**2 - 1, z**2 + w**2 - 1, a - 2 * x - x * z + y * w, b - 2 * y - y * z - x * w, x * a + y * b - z - 2,
            x * b - y * a - w, a**2 + b**2 - 4 * z - 5, z * a + w * b - x - 2 * x * z - 2 * y * w,
            z * b - w * a - y - 2 * y * z + 2 * x * w],
           (_cp, _sp, _cq, _sq, 2 * _cp + _cpq, 2 * _sp + _spq), _turn, (-2.4, 2.4)),
    _patch("products of three numbers", _six,
           [x * w - y**2, x * b - z**2, w * b - a**2, x * a - y * z, y * a - z * w, y * b - z * a], _dyad,
           (0.5, 2), (-1.5, 1.5), (-1, 2), distance=_dyad_distance(_dyad, (0.5, 2), (-1.5, 1.5), (-1, 2))),
)  # fmt: skip
