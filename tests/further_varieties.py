"""The further group of varieties: 47 shapes in two to six variables such as users have, that no rule of the package has seen.

Parts and buildings as they are scanned, linkages, laws of physics, chemistry, biology, engineering, economics and statistics,
one at a time and several at once, products of laws and balances, in ranges as they are measured.  None is one of an earlier
group moved, scaled or renamed.  They are written down without a look at how a fit decides, at what earlier groups came to or at
what is fitted easily, to be fitted once, and that figure is reported first.  A rule that is changed after a look at them needs
a new group.  Only their own mathematics is tested here: samples, equations (a minimal H-basis, see `tests.varieties`) and
distances.
"""

from __future__ import annotations

import numpy as np
import sympy as sp

from tests.blind_varieties import _through
from tests.closed_varieties import _slice_distance
from tests.frozen_varieties import _ball, _descent, _flat, _p, _patch, _q, _r, _union, a, b
from tests.unseen_varieties import _quadric, _sites, _stretch, _turned_distance
from tests.varieties import TAU, Variety, _curve, _flats_distance, _t, w, x, y, z

_plane, _space, _four, _five, _six = (x, y), (x, y, z), (x, y, z, w), (x, y, z, w, a), (x, y, z, w, a, b)
_c, _s = sp.cos(_t), sp.sin(_t)
_cp, _sp, _cq, _sq = (f(v) for v in (_p, _q) for f in (sp.cos, sp.sin))
_turn = (0, TAU)


# ----------------------------------------------------------------------------------------------------- two variables


def _wing_section():
    """Circle around -1/4 through the point 1, of which z + 1/z is the section, with a sharp edge; in decimetres."""
    along, across = (x - 6) / 2, (y - 3) / 2
    law = (6 * (along**2 + across**2) ** 2 - 23 * along * (along**2 + across**2) - 6 * along**2 + 108 * along + 623 * across**2
           - 104)  # fmt: skip
    real, imaginary = (5 * _c - 1) / 4, 5 * _s / 4
    square = real**2 + imaginary**2
    place = (6 + 2 * real * (1 + 1 / square), 3 + 2 * imaginary * (1 - 1 / square))
    return _curve("section of a wing", _plane, [law / 100], place, _turn)


def _lens_in_profile():
    """Its faces have radii 10 and 7; distances are from the whole circles."""
    faces = [((12, 6), 10, -1), ((-sp.Rational(3, 2), 6), 7, 1)]
    laws = [(x - i) ** 2 + (y - j) ** 2 - radius**2 for (i, j), radius, _ in faces]
    parts = []
    for (i, j), radius, side in faces:
        edge = float(np.arcsin(4 / radius))
        parts.append((1, _stretch((i + side * radius * _c, j + radius * _s), (-edge, edge))[0],
                      _ball((float(i), j), radius)[1]))  # fmt: skip
    return _union("lens in profile", 1, _plane, [laws[0] * laws[1] / 100], *parts)


def _drag_link():
    """Middle of a rod of length 21/5 between two cranks of length 9/2 around (6, 5) and (10, 5), which both turn all around.

    In the direction (cos t, sin t) from the middle of these, its square distance is 81/4 - (2 sin t + q)^2 with
    q^2 = 41/100 + 4 sin^2 t; put together the other way round, the linkage draws the same figure, turned by half.
    """
    right, up = x - 8, y - 5
    square = right**2 + up**2
    law = square * (square - sp.Rational(496, 25)) ** 2 + 16 * up**2 * (square - sp.Rational(81, 4))
    away = sp.sqrt(sp.Rational(81, 4) - (2 * _s + sp.sqrt(sp.Rational(41, 100) + 4 * _s**2)) ** 2)
    sampler, distance = _stretch((8 + away * _c, 5 + away * _s), _turn)
    return Variety("middle of a drag link", 1, _plane, (law / 1000,), sampler,
                   lambda points: np.minimum(distance(points), distance([16, 10] - np.asarray(points))))  # fmt: skip


def _end_of_a_slot():
    """Two edges, 4 apart, and the half circle between them; distances are from whole lines and the whole circle."""
    edges, end = (y - 6) ** 2 - 4, (x - 5) ** 2 + (y - 6) ** 2 - 4
    return _union("end of a slot", 1, _plane, [edges * end],
                  *((0.35, *_flat((8.5, level), (3.5, 0))) for level in (4, 8)),
                  (0.3, _stretch((5 - 2 * _c, 6 + 2 * _s), (-TAU / 4, TAU / 4))[0], _ball((5, 6), 2)[1]))  # fmt: skip


def _bowling_pins():
    """Ten pins, 3 decimetres apart: numbers that count their row and their place in it are polynomials' zeros."""
    row = (y - 2) * 2 / (3 * sp.sqrt(3))
    left = (x - 10 + 3 * row / 2) / 3
    quartics = [sp.prod([left - k for k in range(i)]) * sp.prod([row - left - k for k in range(4 - i)]) for i in range(5)]
    return _sites("bowling pins", _plane, quartics,
                  [(10 + 3 * j - 1.5 * i, 2 + 1.5 * np.sqrt(3) * i) for i in range(4) for j in range(i + 1)])  # fmt: skip


def _two_strains():
    """Uptake by either of two strains: the same most of it, half of that at 2 or at 8."""
    laws = [y * (x + half) - 12 * x for half in (2, 8)]
    return _union("uptake by two strains", 1, _plane, [laws[0] * laws[1] / 10],
                  *((1, _stretch((_t, 12 * _t / (_t + half)), (0.3, 20))[0], _turned_distance(law, _plane))
                    for half, law in zip((2, 8), laws)))  # fmt: skip


# --------------------------------------------------------------------------------------------------- three variables


def _test_tube():
    """Radius 2, from its round bottom at height 2 up to 12; distances are from the whole cylinder and sphere."""
    across = (x - 5) ** 2 + (y - 4) ** 2 - 4
    wall = _quadric("", _space, across, (5 + 2 * _cp, 4 + 2 * _sp, _q), _turn, (4, 12))

    def bottom(rng, n):
        points = _ball((0, 0, 0), 2)[0](rng, n)
        return np.array([5, 4, 4]) - abs(points) * [0, 0, 1] + points * [1, 1, 0]

    return _union("test tube", 2, _space, [across * (across + (z - 4) ** 2) / 10], (0.8, wall.sampler, wall.distance),
                  (0.2, bottom, _ball((5, 4, 4), 2)[1]))  # fmt: skip


def _o_ring():
    """Radii 4 and 6/5, lying on a plate at height 1/2."""
    right, deep, up = x - 7, y - 6, z - sp.Rational(17, 10)
    ring = (right**2 + deep**2 + up**2 + 16 - sp.Rational(36, 25)) ** 2 - 64 * (right**2 + deep**2)
    reach = 4 + sp.Rational(6, 5) * _cq
    sampler = _patch("", (), (), (7 + reach * _cp, 6 + reach * _sp, sp.Rational(17, 10) + sp.Rational(6, 5) * _sq), _turn,
                     _turn, distance=_ring_distance).sampler  # fmt: skip
    return _union("O-ring on a plate", 2, _space, [ring * (2 * z - 1) / 1000], (0.6, sampler, _ring_distance),
                  (0.4, *_flat((7, 6, 0.5), (7, 0, 0), (0, 6, 0))))  # fmt: skip


def _ring_distance(points):
    right, deep, up = (np.asarray(points, dtype=float) - [7, 6, 1.7]).T
    return abs(np.hypot(np.hypot(right, deep) - 4, up) - 1.2)


def _hip_roof():
    """Four faces over 12 by 8, eaves at height 3 and the ridge at 6; distances are from whole planes."""
    faces = [z - 1 - x, z - 17 + x, 4 * z - 9 - 3 * y, 4 * z - 39 + 3 * y]

    def sampler(rng, n):
        right, deep = rng.uniform(2, 14, n), rng.uniform(1, 9, n)
        up = np.min([1 + right, 17 - right, (9 + 3 * deep) / 4, (39 - 3 * deep) / 4], axis=0)
        return np.stack([right, deep, up], axis=1)

    flats = (((2, 5, 3), [(1, 0, 1), (0, 1, 0)]), ((14, 5, 3), [(-1, 0, 1), (0, 1, 0)]),
             ((8, 1, 3), [(1, 0, 0), (0, 4, 3)]), ((8, 9, 3), [(1, 0, 0), (0, -4, 3)]))  # fmt: skip
    return Variety("hip roof", 2, _space, (sp.prod(faces) / 100,), sampler, _flats_distance(*flats))


def _stepped_shaft():
    """Radius 3 and then 3/2 around one axis; distances are from the whole cylinders."""
    across, up = (4 * (x - 6) - 3 * (y - 5)) / 5, z - 4
    parts = []
    for radius, along in ((3, (-6, 1)), (sp.Rational(3, 2), (1, 6))):
        law = sp.expand(across**2 + up**2 - radius**2)
        place = (6 + (3 * _q + 4 * radius * _cp) / 5, 5 + (4 * _q - 3 * radius * _cp) / 5, 4 + radius * _sp)
        parts.append((law, _quadric("", _space, law, place, _turn, along)))
    return _union("stepped shaft", 2, _space, [parts[0][0] * parts[1][0] / 100],
                  *((share, part.sampler, part.distance) for share, (_, part) in zip((0.7, 0.3), parts)))  # fmt: skip


def _dish():
    """A dish whose rim is 4 from its axis, and the post on its axis that bears the feed."""
    law = (x - 6) ** 2 + (y - 5) ** 2 - 8 * (z - 2)
    dish = _quadric("", _space, law, (6 + 4 * sp.sqrt(_q) * _cp, 5 + 4 * sp.sqrt(_q) * _sp, 2 + 2 * _q), _turn, (0, 1))
    return _union("dish and the post of its feed", 2, _space, [law * (x - 6) / 10, law * (y - 5) / 10],
                  (0.75, dish.sampler, dish.distance), (0.25, *_flat((6, 5, 4.5), (0, 0, 2.5))))  # fmt: skip


def _tripod():
    feet = ((1, 2, 3), (7, 3, 4), (4, 8, 2))
    across, along = (np.subtract(foot, feet[0]) for foot in feet[1:])
    ground = sp.Matrix(np.cross(across, along).tolist()).dot(sp.Matrix([x - 1, y - 2, z - 3]))
    sides = [_through(feet[i], feet[j]) for i, j in ((0, 1), (0, 2), (1, 2))]
    return _sites("feet of a tripod", _space, [ground, sides[0] * sides[1], sides[0] * sides[2], sides[1] * sides[2]], feet)


# ---------------------------------------------------------------------------------------------- four variables and more


def _nine_runs():
    """Taguchi's plan: temperature, time, pressure and speed at levels i, j, i + j and i + 2 j, modulo 3."""
    i, j, k, m = (x - 160) / 10, (y - 30) / 5, (z - 12) / 4, (w - 8) / 3
    quadrics = [m**2 + 2 * m * j + m + 2 * i + 2 * j * k - k**2 + k,
                j**2 - j - 4 * m * j - 2 * m * k - 2 * i + 2 * k**2 - 2 * k - 2,
                i * m - 2 * j * m - k * m - i - k, i * k - i - m**2 - 2 * j * m - k * m + k**2 - k,
                2 * i * j - m**2 + m + k**2 + k, i**2 + i + 2 * j * m - k**2 + k]  # fmt: skip
    cubics = [m**3 - m, 3 * m**2 * k + 6 * m * j + 3 * m * k + 2 * i + 2 * j - 3 * k**2 + k + 2]
    runs = [(160 + 10 * (i - 1), 30 + 5 * (j - 1), 12 + 4 * ((i + j) % 3 - 1), 8 + 3 * ((i + 2 * j) % 3 - 1))
            for i in range(3) for j in range(3)]  # fmt: skip
    return _sites("plan of nine runs", _four, quadrics + cubics, runs)


def _phasors():
    """Amperes and ohms as complex numbers, and their product, the volts."""

    def at(t):
        return np.column_stack([t, t[:, 0] * t[:, 2] - t[:, 1] * t[:, 3], t[:, 0] * t[:, 3] + t[:, 1] * t[:, 2]])

    def slopes(t):
        one, two, three, four = t.T
        graph = np.stack([[three, -four, one, -two], [four, three, two, one]]).transpose(2, 0, 1)
        return np.concatenate([np.broadcast_to(np.eye(4), (len(t), 4, 4)), graph], axis=1)

    def sampler(rng, n):
        return at(rng.uniform((0.5, -2, 1, -3), (4, 2, 5, 4), (n, 4)))

    def distance(points):
        points = np.asarray(points, dtype=float)
        return _descent(at, slopes, points, points[:, :4])

    return Variety("amperes, ohms and volts of phasors", 4, _six, (a - x * z + y * w, b - x * w - y * z), sampler, distance)


def _sample_column(rng, n):
    """Flows into a column, from its top and from its bottom, and the share of the light part in each, in tenths."""
    top, bottom = rng.uniform(1, 5, n), 1 + rng.gamma(3, 1, n)
    light, heavy = 10 * rng.beta(12, 2, n), 10 * rng.beta(2, 9, n)
    return np.stack([top + bottom, top, bottom, (top * light + bottom * heavy) / (top + bottom), light, heavy], axis=1)


def _sample_fluxes(rng, n):
    """Sugar taken up, its two ways, and pyruvate by way of lactate and of breathing."""
    uptake, share, breathed = 2 + rng.gamma(4, 1, n), rng.beta(5, 2, n), rng.beta(2, 3, n)
    pyruvate = uptake * (2 * share + 5 * (1 - share) / 3)
    return np.stack([uptake, uptake * share, uptake * (1 - share), (1 - breathed) * pyruvate, pyruvate, breathed * pyruvate],
                    axis=1)  # fmt: skip


def _sample_slopes(rng, n):
    """A matrix of two rows, as of slopes at an equilibrium, its trace and its determinant."""
    one, two, three, four = rng.uniform(-3, 1, n), rng.normal(1, 1, n), rng.uniform(-3, 2, n), rng.uniform(-4, 0.5, n)
    return np.stack([one, two, three, four, one + four, one * four - two * three], axis=1)


def _sample_right_angle(rng, n):
    """Three marks in the plane, seen at a right angle from the second."""
    angle, away, off = rng.uniform(*_turn, n), rng.uniform(2, 8, n), rng.uniform(2, 6, n)
    along, corner = np.stack([np.cos(angle), np.sin(angle)], axis=1), rng.uniform((3, 2), (12, 10), (n, 2))
    across = along[:, ::-1] * [-1, 1] * rng.choice([-1, 1], (n, 1))
    return np.hstack([corner + away[:, None] * along, corner, corner + off[:, None] * across])


_arm = 3 + 4 * _c  # slotted arm: how far its end is from its pivot, at a right angle to the rail
_major = sp.sqrt((_p - _r) ** 2 + (2 * _q - _p - _r) ** 2)  # rosette
_rim = 4 * (2 * sp.sqrt(1 + 3 * _s**2) - 1) / (1 + 4 * _s**2)  # hole in a tube: distance of its rim from its axis
_slide = sp.sqrt(4 - _s**2)  # piston: of its rod, along the cylinder
_sides = (_q + _r, _p + _r, _p + _q)
_mixed, _light = x - y - z, x * w - y * a - z * b  # column: both balances
_trace, _determinant = a - x - w, b - x * w + y * z
_square = (x - z) * (a - z) + (y - w) * (b - w)

FURTHER = (
    # two variables
    _curve("species on islands", _plane, [(y**3 - 125 * x) / 100], (_t**3, 5 * _t), (0.3, 3), (-0.3, 3.4)),
    _curve("slotted arm over a rail", _plane, [((x - 5) ** 2 * ((x - 2) ** 2 + (y - 1) ** 2) - 16 * (x - 2) ** 2) / 10],
           (2 + _arm, 1 + _arm * sp.tan(_t)), (-1.2, 1.2), (-1.4, 1.4)),
    _wing_section(),
    _lens_in_profile(),
    _drag_link(),
    _end_of_a_slot(),
    _bowling_pins(),
    _curve("binding to two kinds of site", _plane, [(y * (x + 1) * (x + 12) - 6 * x * (x + 12) - 8 * x * (x + 1)) / 100],
           (_t**2, 6 * _t**2 / (_t**2 + 1) + 8 * _t**2 / (_t**2 + 12)), (0.3, 4.5), (0, 5.5)),
    _two_strains(),
    # three variables
    _patch("allele after a generation", _space, [z * (1 + y * x**2) - x - y * x**2],
           (_p, _q, (_p + _q * _p**2) / (1 + _q * _p**2)), (0.05, 0.95), (-0.8, 4)),
    _patch("pressure of a dense gas", _space, [((z * x**2 + 3) * (3 * x - 1) - 8 * y * x**2) / 10],
           (_p, _q, 8 * _q / (3 * _p - 1) - 3 / _p**2), (0.6, 4), (0.9, 1.4)),
    _quadric("stopping distance", _space, (20 * y * z - 2 * x * y - x**2) / 10, (_p, _q, _p / 10 + _p**2 / (20 * _q)), (5, 35),
             (3, 9)),
    _patch("inhibitor that does not compete", _space, [(z * (x + 3) * (y + 4) - 40 * x) / 10],
           (_p, _q, 40 * _p / ((_p + 3) * (_q + 4))), (0.3, 12), (0, 9)),
    _patch("exchange of three currencies", _space, [x * y * z - 1], (_p, _q, 1 / (_p * _q)), (0.7, 1.6), (0.6, 1.5)),
    _patch("speed on an orbit", _space, [x * y * z**2 - 2 * y + x], (2 * _p / (1 + _p * _q**2), _p, _q), (0.8, 3), (0.4, 1.5)),
    _patch("heat radiated between plates", _space, [z - sp.Rational(567, 10**6) * (x**4 - y**4)],
           (_p, _q, sp.Rational(567, 10**6) * (_p**4 - _q**4)), (4, 9), (2.5, 6)),
    _test_tube(),
    _o_ring(),
    _hip_roof(),
    _stepped_shaft(),
    _dish(),
    _curve("round bars", _space, [y - sp.pi * x**2 / 4, z - y**2 / (4 * sp.pi)],
           (_t, sp.pi * _t**2 / 4, sp.pi * _t**4 / 64), (0.5, 2.5), (0.1, 2.7)),
    _curve("rim of a countersunk hole in a tube", _space,
           [(y - 5) ** 2 + (z - 6) ** 2 - 16, (x - 8) ** 2 + (y - 5) ** 2 - 4 * (z - 8) ** 2],
           (8 + _rim * _c, 5 + _rim * _s, 8 + _rim / 2), _turn),
    _curve("pendulum of one energy", _space, [x**2 + y**2 - 1, z**2 - 4 * x - 2],
           ((3 * _s**2 - 1) / 2, _c * sp.sqrt(3 * (1 + 3 * _s**2)) / 2, sp.sqrt(6) * _s), _turn),
    _curve("length and beat of pendulums", _space, [y * z - 1, y**2 - 4 * x, 4 * x * z - y], (_t**2 / 4, _t, 1 / _t), (0.6, 4),
           (0.3, 4.4)),
    _tripod(),
    # four variables
    _curve("light that goes into water", _four, [3 * x - 4 * z, x**2 + y**2 - 1, z**2 + w**2 - 1],
           (_s, _c, sp.Rational(3, 4) * _s, sp.sqrt(16 - 9 * _s**2) / 4), (0.05, 1.5), (-0.4, 2)),
    _quadric("strain rosette", _four, sp.expand((2 * w - x - z) ** 2 - (x - z) ** 2 - (2 * y - x - z) ** 2),
             (_p, _q, _r, (_p + _r + _major) / 2), (-3, 8), (-3, 8), (-3, 8)),
    _patch("queue and how long it takes", _four, [z - x * w, w * y - z - 1, x * z + x - y * z],
           (_p, _p + 1 / _q, _p * _q, _q), (1, 5), (0.2, 1.5)),
    _patch("lens by its two faces", _four, [w * (z - 1) * (x + y) - x * y], (_p, _q, _r, _p * _q / ((_r - 1) * (_p + _q))),
           (2, 8), (2, 8), (1.4, 2)),
    _patch("current in two branches", _four, [z + w - 10, x * z - y * w],
           (_p, _q, 10 * _q / (_p + _q), 10 * _p / (_p + _q)), (1, 9), (1, 9)),
    _patch("weights over a pulley", _four, [w - 10 * y - y * z, w - 10 * x + x * z, w * x + w * y - 20 * x * y],
           (_p, _q, 10 * (_p - _q) / (_p + _q), 20 * _p * _q / (_p + _q)), (3, 8), (1, 5)),
    _curve("place and speed of a piston", _four, [x**2 + y**2 - 1, z**2 - 2 * x * z - 3, w * z - w * x + y * z],
           (_c, _s, _c + _slide, -_s * (_c + _slide) / _slide), _turn),
    _patch("elastic moduli", _four, [2 * z + 2 * y * z - x, 3 * w - 6 * y * w - x, 9 * z * w - 3 * x * w - x * z],
           (_p, _q, _p / (2 + 2 * _q), _p / (3 - 6 * _q)), (2, 9), (0.05, 0.4)),
    _patch("three taps that fill a tank", _four, [w * (x * y + y * z + z * x) - x * y * z],
           (_p, _q, _r, _p * _q * _r / (_p * _q + _q * _r + _r * _p)), (2, 9), (2, 9), (2, 9)),
    _nine_runs(),
    # five variables
    _patch("carbonate in water", _five, [a - y - 2 * z, 4 * x - y * w, 5 * z * w - y, 20 * x * z - y**2],
           (_p * _q / 4, _p, _p / (5 * _q), _q, _p + 2 * _p / (5 * _q)), (0.5, 3), (0.15, 2.5)),
    _patch("profit of a bakery", _five, [2 * w - 20 - 3 * y, a - z + w, z - x * y],
           (_p, _q, _p * _q, 10 + 3 * _q / 2, _p * _q - 10 - 3 * _q / 2), (2, 6), (4, 15)),
    _patch("ball thrown for a time", _five, [w - x * z, a - y * z + 5 * z**2, x * a - y * w + 5 * z * w],
           (_p, _q, _r, _p * _r, _q * _r - 5 * _r**2), (2, 9), (2, 9), (0.2, 1.5)),
    _patch("circle in a triangle", _five,
           [w - x - y - z, (4 * a**2 * w - (w - 2 * x) * (w - 2 * y) * (w - 2 * z)) / 10],
           (*_sides, sum(_sides), sp.sqrt(_p * _q * _r / (_p + _q + _r))), (1.2, 4), (1.2, 4), (1.2, 4)),
    _patch("analysis of variance", _five, [z - x - y, w * y - 6 * x, a * z - 10 * x, w * (10 - a) - 6 * a],
           (_p, _q, _p + _q, 6 * _p / _q, 10 * _p / (_p + _q)), (2, 20), (8, 30)),
    # six variables
    _phasors(),
    Variety("what comes out of a column", 4, _six, (_mixed, _light), _sample_column, _slice_distance(_mixed, _light, _six)),
    Variety("marks at a right angle", 5, _six, (_square,), _sample_right_angle, _turned_distance(sp.expand(_square), _six)),
    Variety("fluxes of sugar in a cell", 3, _six, (x - y - z, a - w - b, 3 * a - 6 * y - 5 * z), _sample_fluxes,
            _flats_distance(((0, 0, 0, 0, 0, 0), [(1, 1, 0, 2, 2, 0), (3, 0, 3, 5, 5, 0), (0, 0, 0, 1, 0, -1)]))),
    Variety("trace and determinant", 4, _six, (_trace, _determinant), _sample_slopes,
            _slice_distance(_trace, _determinant, _six)),
    _patch("drug and rival at a receptor", _six, [b - z - w - a, 2 * w - x * z, 4 * a - y * z, 2 * x * a - y * w],
           (_q, _r, _p, _p * _q / 2, _p * _r / 4, _p + _p * _q / 2 + _p * _r / 4), (0.5, 3), (0.3, 4), (0.3, 4)),
)  # fmt: skip
