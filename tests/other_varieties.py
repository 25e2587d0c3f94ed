"""The other group of varieties: 41 shapes in two to six variables such as users have, that no rule of the package has seen.

Laws of physics, chemistry, biology, engineering, economics and statistics, machines and their parts as they are scanned,
circuits and balances, in ranges as they are measured.  None is one of an earlier group moved, scaled or renamed; conics and
quadrics have proportions of their own.  They are written down without a look at how a fit decides, to be fitted once, and that
figure is reported first.  A rule that is changed after a look at them needs a new group.  Only their own mathematics is tested
here: samples, equations (a minimal H-basis, see `tests.varieties`) and distances.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import sympy as sp

from tests.closed_varieties import _slice_distance
from tests.frozen_varieties import _ball, _flat, _p, _patch, _patch_distance, _q, _r, _union, a, b
from tests.sealed_varieties import _hoop
from tests.unseen_varieties import _quadric, _sites, _stretch, _turned_distance
from tests.varieties import TAU, Variety, _curve, _flats_distance, _t, w, x, y, z

_plane, _space, _four, _five, _six = (x, y), (x, y, z), (x, y, z, w), (x, y, z, w, a), (x, y, z, w, a, b)
_c, _s = sp.cos(_t), sp.sin(_t)
_cp, _sp, _cq, _sq, _cr, _sr = (f(v) for v in (_p, _q, _r) for f in (sp.cos, sp.sin))
_turn = (0, TAU)


def _photosynthesis():
    """Uptake of carbon against light: with 3/2 respired, it rises by 5 per unit of light and bends below 25."""
    gross = y + sp.Rational(3, 2)
    law = 4 * gross**2 - 25 * (x + 5) * gross + 625 * x
    uptake = 25 * (_t + 5 - sp.sqrt((_t + 5) ** 2 - 16 * _t)) / 8 - sp.Rational(3, 2)
    return _curve("photosynthesis in growing light", _plane, [law / 100], (_t, uptake), (0, 16),
                  distance=_turned_distance(law, _plane))  # fmt: skip


def _connecting_rod():
    """The middle of a rod of length 5 between a crank of length 2 and a slider; the slider may be on either side."""
    place = (2 * _c + sp.sqrt(25 - 4 * _s**2) / 2, _s)
    sampler, right = _stretch(place, _turn)
    law = (x**2 - 3 * y**2 - sp.Rational(9, 4)) ** 2 - 16 * x**2 * (1 - y**2)
    return Variety("middle of a connecting rod", 1, _plane, (law,), sampler,
                   lambda points: np.minimum(right(points), right(np.asarray(points) * [-1, 1])))  # fmt: skip


def _cam():
    """An oval cam and the shaft that it sits on, off its middle."""
    oval = _stretch((8 + 5 * _c, 6 + 3 * _s), _turn)
    laws = 9 * (x - 8) ** 2 + 25 * (y - 6) ** 2 - 225, (x - 6) ** 2 + (y - 6) ** 2 - 2
    return _union("cam and its shaft", 1, _plane, [laws[0] * laws[1] / 100], (0.7, *oval), (0.3, *_ball((6, 6), np.sqrt(2))))


def _rotary_engine():
    """The housing: square distance from its middle and the coordinate along its length are polynomials in one cosine."""
    square = ((x - 10) ** 2 + (y - 9) ** 2 - 36) / 28
    place = (10 + 7 * _c + sp.cos(3 * _t), 9 + 7 * _s + sp.sin(3 * _t))
    return _curve("housing of a rotary engine", _plane, [(x - 10) ** 2 - 16 * square * (1 + square) ** 2], place, _turn)


def _leaf():
    """Light, carbon dioxide and its uptake by a leaf, which light limits or else the enzyme, whichever is less."""
    enzyme, light = z * (y + 6) - 12 * (y - 1), 4 * z * (y + 2) - 5 * x * (y - 1)
    laws = [_turned_distance(law, _space) for law in (enzyme, light)]

    def sampler(rng, n):
        shone, carbon = rng.uniform(1, 12, n), rng.uniform(2.5, 10, n)
        uptake = (carbon - 1) * np.minimum(12 / (carbon + 6), 5 * shone / (4 * (carbon + 2)))
        return np.stack([shone, carbon, uptake], axis=1)

    return Variety("leaf short of light or enzyme", 2, _space, (enzyme * light / 100,), sampler,
                   lambda points: np.minimum(*(law(points) for law in laws)))  # fmt: skip


def _paper_cup():
    """Its wall is a cone up to height 9; its bottom, at height 1, a disc."""
    cone = (x - 6) ** 2 + (y - 5) ** 2 - (z + 7) ** 2 / 16
    wall = _quadric("", _space, cone, (6 + (_q + 7) / 4 * _cp, 5 + (_q + 7) / 4 * _sp, _q), _turn, (1, 9))

    def bottom(rng, n):
        angle, radius = rng.uniform(*_turn, n), 2 * np.sqrt(rng.uniform(0, 1, n))
        return np.stack([6 + radius * np.cos(angle), 5 + radius * np.sin(angle), np.ones(n)], axis=1)

    return _union("paper cup", 2, _space, [cone * (z - 1)], (0.75, wall.sampler, wall.distance),
                  (0.25, bottom, _flats_distance(((0, 0, 1), [(1, 0, 0), (0, 1, 0)]))))  # fmt: skip


def _shaft_in_a_block():
    """A shaft of radius 2 lies in a groove whose sides rise by 3/4; distances are from whole planes and the whole cylinder."""
    across, lift = (4 * (x - 6) - 3 * (y - 5)) / 5, z - sp.Rational(11, 2)
    shaft = sp.expand(across**2 + lift**2 - 4)
    round_part = _quadric("", _space, shaft, (6 + (8 * _cp + 3 * _q) / 5, 5 + (4 * _q - 6 * _cp) / 5,
                                              sp.Rational(11, 2) + 2 * _sp), _turn, (-5, 5))  # fmt: skip
    sides = [(0.25, *_flat((6 + 2 * way, 5 - 1.5 * way, 4.875), (2 * way, -1.5 * way, 1.875), (3, 4, 0))) for way in (-1, 1)]
    planes = (4 * z - 12 - 3 * across) * (4 * z - 12 + 3 * across)
    return _union("shaft in a grooved block", 2, _space, [planes * shaft / 100],
                  (0.5, round_part.sampler, round_part.distance), *sides)  # fmt: skip


def _correlation():
    """Two variances, covariance and correlation; on the patch the covariance has the correlation's sign, or the other."""
    place, ranges = (_p**2, _q**2, _p * _q * _r, _r), ((1, 2.5), (1, 3), (-0.9, 0.95))
    patch = _patch_distance(place, ranges)
    return _patch("correlation from covariance", _four, [w**2 * x * y - z**2], place, *ranges, distance=lambda points:
                  np.minimum(patch(points), patch(np.asarray(points) * [1, 1, -1, 1])))  # fmt: skip


def _universal_joint():
    """Directions of both shafts, 37 degrees from a straight line; on the curve the second may also be turned by half."""
    second = sp.sqrt(25 * _c**2 + 16 * _s**2)
    sampler, distance = _stretch((_c, _s, 5 * _c / second, 4 * _s / second), _turn)
    return Variety("universal joint", 1, _four, (x**2 + y**2 - 1, z**2 + w**2 - 1, 5 * x * w - 4 * y * z), sampler,
                   lambda points: np.minimum(distance(points), distance(np.asarray(points) * [1, 1, -1, -1])))  # fmt: skip


def _store():
    """Current, volts, power (in tens) and the power that the store gains or loses: two fifths are lost each way."""
    parts = []
    for share, kept, currents in ((0.55, sp.Rational(3, 5), (1, 6)), (0.45, sp.Rational(5, 3), (-6, -1))):
        part = _patch("", (), (), (_p, _q, _p * _q / 10, kept * _p * _q / 10), currents, (10, 14))
        parts.append((share, part.sampler, part.distance))
    return _union("hydrogen made or burnt", 2, _four, [10 * z - x * y, (5 * w - 3 * z) * (3 * w - 5 * z) / 20], *parts)


def _principal_stresses():
    """Two normal stresses, the shear stress and the principal stresses, which have the same sum and determinant."""
    linear, quadric = x + y - w - a, x * y - z**2 - w * a
    return _patch("principal stresses", _five, [linear, quadric],
                  (_p + _q * _cr, _p - _q * _cr, _q * _sr, _p + _q, _p - _q), (-2, 8), (1, 4), (0.2, 2.9),
                  distance=_slice_distance(linear, sp.expand(quadric), _five))  # fmt: skip


def _sample_debt(rng, n):
    """Debt, rate of interest, growth, surplus and the debt a year later, all in per cent, debts of the product."""
    debt, rate = 30 + rng.gamma(4, 11, n), rng.triangular(0, 2.5, 8, n)
    growth, surplus = rng.uniform(-4, 6, n), rng.uniform(-5, 4, n)
    return np.stack([debt, rate, growth, surplus, debt * (100 + rate) / (100 + growth) - surplus], axis=1)


def _sample_crash(rng, n):
    """Masses of two waggons, their speeds and the speed at which they roll on together."""
    one, two, fast, slow = rng.uniform(2, 8, n), rng.uniform(2, 8, n), rng.uniform(2, 7, n), rng.uniform(-4, 2, n)
    return np.stack([one, two, fast, slow, (one * fast + two * slow) / (one + two)], axis=1)


def _sample_mineral_water(rng, n):
    """Millimoles of calcium, sodium, chloride, sulphate and bicarbonate, which balance, and their mass in 100 mg."""
    calcium, sodium = 0.5 + rng.gamma(2, 1, n), 0.3 + rng.gamma(1.5, 1.2, n)
    share = rng.dirichlet([2, 1.5, 3], n).T * (2 * calcium + sodium)
    ions = np.stack([calcium, sodium, share[0], share[1] / 2, share[2]], axis=1)
    return np.column_stack([ions, ions @ [0.4, 0.23, 0.355, 0.96, 0.61]])


def _sample_posts(rng, n):
    """Places of three posts in one line of sight, the third behind the second."""
    first, angle = rng.uniform((0, 0), (8, 6), (n, 2)), rng.uniform(*_turn, n)
    along = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    second = first + rng.uniform(2, 5, (n, 1)) * along
    return np.hstack([first, second, second + rng.uniform(1, 4, (n, 1)) * along])


_mean = [_p + sp.sqrt(sp.Rational(4, 3)) * (3 * _p + 5) / 10 * sp.cos(_q - k * sp.Rational(2, 3) * sp.pi) for k in range(3)]
_yield = 50 * ((x - y) ** 2 + (y - z) ** 2 + (z - x) ** 2) - 3 * (x + y + z + 5) ** 2  # soil: of its principal stresses
_key, _row = (x - 39) / 19, (y - sp.Rational(81, 2)) / 17  # telephone: offset from the middle of its keys
_ring = [x - 7, y - 6, z - 8]  # armillary sphere: offset from its centre
_genes = [(i, j, k + m) for i, j in product(range(3), repeat=2) for k in {0: (0,), 1: (0, 1), 2: (1,)}[i]
          for m in {0: (0,), 1: (0, 1), 2: (1,)}[j]]  # fmt: skip
_digit = [volt / 5 for volt in _four]  # decade counter: its bits, the lowest first
_light = sp.sqrt(5) * sp.exp(_t)  # reflections: 2 cosines outside + 3 inside
_metal = (_p, _q, 2 * _p * _q, _p * _q**2)
_whole = (_metal[0] + _metal[2] + _metal[3], _metal[1] + _metal[2] + 2 * _metal[3])
_crash, _debt = x * (z - a) + y * (w - a), (100 + z) * (a + w) - x * (100 + y)
_in_line = (z - x) * (b - y) - (a - x) * (w - y)

OTHER = (
    # two variables
    _photosynthesis(),
    _curve("asteroid near its sun", _plane, [9 * (x + 4) ** 2 + 25 * y**2 - 225], (5 * _c - 4, 3 * _s), (-2, 2.5),
           distance=_turned_distance(9 * (x + 4) ** 2 + 25 * y**2 - 225, _plane)),
    _curve("power into a load", _plane, [y * (x + 3) ** 2 - 144 * x], (_t, 144 * _t / (_t + 3) ** 2), (0.3, 15), (-0.6, 19)),
    _curve("metal for tins of one volume", _plane, [x * y - x**3 - 16], (_t, _t**2 + 16 / _t), (1, 5), (0.6, 6)),
    _connecting_rod(),
    _cam(),
    _rotary_engine(),
    _sites("keys of a telephone", _plane, [_key**3 - _key, (4 * _row**2 - 1) * (4 * _row**2 - 9)],
           list(product((20, 39, 58), (15, 32, 49, 66)))),
    # three variables
    _quadric("end of a boiler", _space, (x - 8) ** 2 + (y - 7) ** 2 + 4 * (z - 3) ** 2 - 36,
             (8 + 6 * _cp * _cq, 7 + 6 * _sp * _cq, 3 + 3 * _sq), _turn, (0, 1.5)),
    _quadric("soil that yields", _space, _yield / 100, _mean, (0, 8), _turn),
    _quadric("pitch of a siren", _space, z * (34 - y) - 10 * (34 + x), (_p, _q, 10 * (34 + _p) / (34 - _q)), (-3, 3), (-6, 8)),
    _patch("enzyme on two substrates", _space, [z * (x * y + 2 * y + 3 * x) - 10 * x * y],
           (_p, _q, 10 * _p * _q / (_p * _q + 2 * _q + 3 * _p)), (0.8, 9), (0.8, 12)),
    _patch("relative volatility", _space, [z * (1 - x + x * y) - x * y], (_p, _q, _p * _q / (1 - _p + _p * _q)), (0.05, 0.95),
           (1.2, 5)),
    _leaf(),
    _paper_cup(),
    _shaft_in_a_block(),
    _union("armillary sphere", 1, _space, [sum(place**2 for place in _ring) - 25, sp.prod(_ring)],
           *((1, *_hoop((7, 6, 8), 5, flat=k)) for k in range(3))),
    _curve("steered wheels", _space, [4 * x * z - 3 * x - 108, 4 * y * z + 3 * y - 108, x * y - 18 * x + 18 * y],
           (108 / (4 * _t - 3), 108 / (4 * _t + 3), _t), (3, 12), (2, 15)),
    _curve("weak electrolyte", _space, [z - x * y, 2 * y * z + y - 1, 2 * z**2 + z - x], (_t + 2 * _t**2, 1 / (1 + 2 * _t), _t),
           (0.05, 2), (-0.25, 2.6)),
    _curve("speed and momentum of a particle", _space, [z - x * y, y**2 - z**2 - 1],
           ((_t**2 - 1) / (_t**2 + 1), (_t + 1 / _t) / 2, (_t - 1 / _t) / 2), (1.05, 6), (0.4, 8)),
    _curve("light reflected by glass", _space,
           [4 * x**2 - 9 * y**2 + 5, 12 * x * y - 18 * y**2 - 5 * z + 5, z * (2 * x + 3 * y) - 2 * x + 3 * y],
           ((_light - 5 / _light) / 4, (_light + 5 / _light) / 6, -5 / _light**2), (0.02, 0.8), (-0.15, 1.1)),
    _sites("genes of parents and child", _space,
           [x**3 - 3 * x**2 + 2 * x, y**3 - 3 * y**2 + 2 * y, z**3 - 3 * z**2 + 2 * z,
            x**2 * z - x**2 - x * z**2 + x + z**2 - z, y**2 * z - y**2 - y * z**2 + y + z**2 - z,
            x**2 * y - x**2 + x * y**2 - 2 * x * y * z - 2 * x * y + 2 * x * z + x - y**2 + 2 * y * z + y - 2 * z],
           sorted(set(_genes))),
    # four variables
    _quadric("two lenses at a distance", _four, w * (x + y - z) - x * y, (_p, _q, _r, _p * _q / (_p + _q - _r)), (4, 12),
             (4, 12), (0.5, 4)),
    _patch("moment about a parallel axis", _four, [w - x - y * z**2], (_p, _q, _r, _p + _q * _r**2), (1, 7), (1, 5), (0.3, 2)),
    _patch("value of a positive test", _four, [w * (x * z + (1 - y) * (1 - z)) - x * z],
           (_p, _q, _r, _p * _r / (_p * _r + (1 - _q) * (1 - _r))), (0.6, 0.98), (0.6, 0.98), (0.05, 0.6)),
    _patch("bridge of four resistors", _four, [w * (x + y) * (z + 5) - 50 * x + 10 * y * z],
           (_p, _q, _r, 10 * _p / (_p + _q) - 10 * _r / (_r + 5)), (1.5, 8), (1.5, 9), (2, 9)),
    _correlation(),
    _patch("pull up a slope", _four, [y**2 + z**2 - 1, 4 * w - 4 * x * y - x * z], (_p, _sq, _cq, _p * _sq + _p * _cq / 4),
           (1, 5), (0.05, 1.4)),
    _patch("genotypes of inbred plants", _four,
           [x + y + z - 1, 2 * y - (2 * x + y) * (2 * z + y) * (1 - w)],
           (_p**2 + _p * (1 - _p) * _q, 2 * _p * (1 - _p) * (1 - _q), (1 - _p) ** 2 + _p * (1 - _p) * _q, _q), (0.1, 0.9),
           (0, 0.8)),
    _universal_joint(),
    _store(),
    _curve("wheels of a gear of 2 to 3", _four,
           [x**2 + y**2 - 1, z**2 + w**2 - 1, 2 * w * z + 4 * y**3 - 3 * y, 2 * w**2 * x - 2 * w * y * z - x - 2 * y**2 + 1,
            2 * w**2 * y + 2 * w * x * z - 2 * x * y - y, 2 * w * x * y - w * y - x * z - 2 * y**2 * z + z,
            2 * w * y**2 - w * x - w + 2 * x * y * z + y * z, 4 * x * y**2 - 2 * w**2 - x + 1],
           (sp.cos(2 * _t), sp.sin(2 * _t), sp.cos(3 * _t), sp.sin(3 * _t)), _turn),
    _sites("decade counter", _four, [*(bit**2 - bit for bit in _digit), _digit[3] * _digit[1], _digit[3] * _digit[2]],
           [[5 * (number >> k & 1) for k in range(4)] for number in range(10)]),
    # five variables
    _patch("three means of two prices", _five, [x + y - 2 * z, w**2 - x * y, a * z - w**2],
           (_p**2, _q**2, (_p**2 + _q**2) / 2, _p * _q, 2 * _p**2 * _q**2 / (_p**2 + _q**2)), (0.7, 3), (0.7, 3)),
    _principal_stresses(),
    _patch("heat engine at its best", _five, [w - a * z, a * x - x + y, w * x - z * x + z * y],
           (_p, _q, _r, _r * (1 - _q / _p), 1 - _q / _p), (4, 9), (2.5, 3.5), (2, 8)),
    Variety("debt from year to year", 4, _five, (_debt / 100,), _sample_debt, _turned_distance(_debt, _five)),
    Variety("waggons that couple", 4, _five, (_crash,), _sample_crash, _turned_distance(_crash, _five)),
    # six variables
    _patch("metal with two ligands", _six,
           [a - x - z - w, b - y - z - 2 * w, z - 2 * x * y, 2 * w - y * z, 4 * x * w - z**2], (*_metal, *_whole), (0.2, 2),
           (0.2, 2)),
    Variety("ions of a mineral water", 4, _six,
            (2 * x + y - z - 2 * w - a, 200 * b - 80 * x - 46 * y - 71 * z - 192 * w - 122 * a),
            _sample_mineral_water, _flats_distance(((0, 0, 0, 0, 0, 0), [
                (1, 0, 0, 0, 2, 1.62), (0, 1, 0, 0, 1, 0.84), (0, 0, 1, 0, -1, -0.255), (0, 0, 0, 1, -2, -0.26)]))),
    Variety("posts in a line of sight", 5, _six, (_in_line,), _sample_posts, _turned_distance(sp.expand(_in_line), _six)),
)  # fmt: skip
