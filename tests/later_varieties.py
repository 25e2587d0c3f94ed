"""The later group of varieties: 39 shapes in two to six variables such as users have, that no rule of the package has seen.

Laws of physics, chemistry, biology, engineering, economics and statistics, gears and linkages, circuits, balances, scanned
parts, crystals and coins, in ranges as they are measured. None is one of an earlier group moved, scaled or renamed: hence no
plane in space, no line, no conic of the plane and no purely linear law, which all are the same in this sense or nearly so;
linear laws stand beside nonlinear ones. They are written down without a look at what is fitted easily or at how a fit decides,
to be fitted once, and that figure is reported first. A rule that is changed after a look at them needs a new group. Only their
own mathematics is tested here: samples, equations (a minimal H-basis, see `tests.varieties`) and distances.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import sympy as sp

from tests.frozen_varieties import _ball, _flat, _p, _patch, _patch_distance, _q, _r, _union, a, b
from tests.unseen_varieties import _quadric, _sites, _stretch, _turned_distance
from tests.varieties import TAU, Variety, _curve, _points, _t, w, x, y, z

_plane, _space, _four, _five, _six = (x, y), (x, y, z), (x, y, z, w), (x, y, z, w, a), (x, y, z, w, a, b)
_c, _s = sp.cos(_t), sp.sin(_t)
_cp, _sp, _cq, _sq, _cr, _sr = (f(v) for v in (_p, _q, _r) for f in (sp.cos, sp.sin))
_turn = (0, TAU)


def _planet_of_a_gear():
    """A point off the middle of a wheel that rolls in a ring: its square distance and Re (right + i up)^3 give cos 3t."""
    off, right, up = sp.Rational(3, 5), x - 6, y - 5
    third = (right**2 + up**2 - 4 - off**2) / (4 * off)
    law = right**3 - 3 * right * up**2 - 8 * third - 12 * off - 6 * off**2 * third - off**3 * (2 * third**2 - 1)
    place = (6 + 2 * _c + off * sp.cos(2 * _t), 5 + 2 * _s - off * sp.sin(2 * _t))
    return _curve("point on a planet of a gear", _plane, [law], place, _turn)


def _blood_groups():
    """Shares of the groups A, B, AB and 0; two of p + r, q + r and r have the squares of one and of the other."""
    one, two = x + w, y + w
    quartic = ((one + two - 1 - w) ** 2 - 4 * w - 4 * one * two) ** 2 - 64 * one * two * w
    none = 1 - _p - _q
    place = sp.Matrix([_p**2 + 2 * _p * none, _q**2 + 2 * _q * none, 2 * _p * _q, none**2])
    groups = sp.lambdify((_p, _q), list(place))

    def sampler(rng, n):
        return np.stack(groups(*rng.dirichlet([1, 1, 1], n).T[:2]), axis=1)

    return Variety("blood groups", 2, _four, (x + y + z + w - 1, quartic), sampler, _patch_distance(place, [(0, 0.8)] * 2))


def _nyquist_plot():
    """Response 30 / ((s + 1) (s + 5)) at s = i sqrt(5) tan t: measured for t > 0, the whole curve has both signs."""
    below = (_c**2 + 5 * _s**2) * (5 * _c**2 + _s**2)
    place = (30 * _c**2 * (_c**2 - _s**2) / below, -36 * sp.sqrt(5) * _s * _c**3 / below)
    square = x**2 + y**2
    return _curve("Nyquist plot of two lags", _plane, [square**2 - 6 * x * square - 5 * y**2], place, (0.03, 1.5),
                  (-TAU / 4, TAU / 4))  # fmt: skip


def _comet():
    """A planet's circle and a comet's parabola around the same sun."""
    along, across = (3 * x + 4 * y) / 5, (3 * y - 4 * x) / 5
    far = (9 - _t**2) / 6
    parabola = across**2 + 6 * along - 9
    sampler = _stretch(((3 * far - 4 * _t) / 5, (4 * far + 3 * _t) / 5), (-6, 6))[0]
    return _union("comet in a planet's orbit", 1, _plane, [(x**2 + y**2 - 16) * parabola], (0.55, *_ball((0, 0), 4)),
                  (0.45, sampler, _turned_distance(parabola, _plane)))  # fmt: skip


def _supply_and_demand():
    demand = x * y - 24
    return _union("supply and demand", 1, _plane, [demand * (2 * y - x - 2)], (0.5, *_flat((7, 4.5), (5, 2.5))),
                  (0.5, _stretch((_t, 24 / _t), (2, 12))[0], _turned_distance(demand, _plane)))  # fmt: skip


def _pipe_with_a_branch():
    """A lying pipe of radius 2 and a thinner one that goes up from it; distances are from the whole cylinders."""
    lying, standing = (y - 4) ** 2 + (z - 5) ** 2 - 4, (x - 6) ** 2 + (y - 4) ** 2 - sp.Rational(9, 4)
    parts = [_quadric("", _space, law, place, _turn, along)
             for law, place, along in ((lying, (_q, 4 + 2 * _cp, 5 + 2 * _sp), (0, 12)),
                                       (standing, (6 + 3 * _cp / 2, 4 + 3 * _sp / 2, _q), (7, 12)))]  # fmt: skip
    return _union("pipe with a branch", 2, _space, [lying * standing],
                  *((share, part.sampler, part.distance) for share, part in zip((0.65, 0.35), parts)))  # fmt: skip


def _pipe_on_a_plate():
    """A pipe of radius 2, from a sloping plate up to height 8; distances are from the whole cylinder and plane."""
    pipe = (x - 5) ** 2 + (y - 4) ** 2 - 4
    foot = (8 + 2 * _cp) / 4
    wall = _quadric("", _space, pipe, (5 + 2 * _cp, 4 + 2 * _sp, foot + _q * (8 - foot)), _turn, (0, 1))
    return _union("pipe on a sloping plate", 2, _space, [pipe * (4 * z - x - 3)], (0.5, wall.sampler, wall.distance),
                  (0.5, *_flat((5, 4, 2), (5, 0, 1.25), (0, 4, 0))))  # fmt: skip


def _cone_of_light():
    """Its tip is at (7, 1, 0); it lights the near oval of the ball's two, the far one is in the shade."""
    near, far = ((28 - _c + sign * sp.sqrt((28 - _c) ** 2 - 697)) / 17 for sign in (-1, 1))
    (sampler, front), (_, back) = (_stretch((7 - 4 * s, 1 + s * _c, s * _s), _turn) for s in (near, far))
    return Variety("cone of light on a ball", 1, _space, (x**2 + y**2 + z**2 - 9, (x - 7) ** 2 - 16 * ((y - 1) ** 2 + z**2)),
                   sampler, lambda points: np.minimum(front(points), back(points)))  # fmt: skip


def _henon_heiles():
    """Places and momenta of energy 1/8: in the direction u of 4-space at 1 / s, where s^3 - 4 s = 8 (u1^2 u2 - u2^3 / 3)."""
    unit = sp.Matrix([_cp * _cq, _cp * _sq, _sp * _cr, _sp * _sr])
    size = 4 / sp.sqrt(3) * sp.cos(sp.acos(3 * sp.sqrt(3) / 2 * (unit[0] ** 2 * unit[1] - unit[1] ** 3 / 3)) / 3)
    law = 12 * (x**2 + y**2 + z**2 + w**2) + 24 * x**2 * y - 8 * y**3 - 3
    return _patch("energy of Henon and Heiles", _four, [law], tuple(unit / size), (0, TAU / 4), _turn, _turn)


def _rectifier():
    """Volts at source, diode and load, current and the load's resistance: the diode conducts, or it blocks."""
    law = _turned_distance(x - sp.sqrt(2) * y * z, _space)

    def distance(points):
        """From the conducting part: source and load have the same voltage, current times resistance, the diode none."""
        source, diode, load, current, resistance = np.asarray(points, dtype=float).T
        across = law(np.stack([(source + load) / np.sqrt(2), current, resistance], axis=1))
        return np.linalg.norm([(source - load) / np.sqrt(2), diode, across], axis=0)

    conducting = _patch("", (), (), (_p * _q, 0, _p * _q, _p, _q), (0.5, 4), (1, 4), distance=distance).sampler
    return _union("rectifier and its load", 2, _five, [x - y - z, y * z, y * w, z - w * a], (0.6, conducting, distance),
                  (0.4, *_flat((-6, -6, 0, 0, 2.5), (5, 5, 0, 0, 0), (0, 0, 0, 0, 1.5))))  # fmt: skip


_backbone = _t / 10 * sp.sqrt((99 - 10 * _t**2) / (4 - _t**2))  # jump resonance: how far from its middle
_one, _other = (x - 8) / 2, y - 5  # central composite design: coded settings
_long, _broad, _focus, _thick = (sp.Rational(k, 4) for k in (25, 24, 7, 12))  # hose: ellipse in its middle, mean radius
_slim = _long - _focus * _cp * _cq
_far, _deep, _high = x - 10, y - 8, z - 5
_box = [(x - 6) / 4, (y - 5) / 3, (z - 4) / 2]  # rounded box: in units of its half sides
_way = [_cp * _cq, _sp * _cq, _sq]
_corner = sum(side**4 for side in _way) ** sp.Rational(1, 4)
_east, _north, _over = x - 6, y - 5, z - 3  # belt with a half twist: offset from its centre
_belt = 4 + _q * sp.cos(_p / 2)
_span = (x - 8) / 4  # cable and deck: along the bridge
_atom = [2 * (x - 5) / 3, 2 * (y - 4) / 3, 2 * (z - 6) / 3]  # iron crystal: offset from the atom in the middle
_marks = tuple((_p + i * _q) / (1 + i * _r) for i in range(4))  # perspective: of marks at equal steps
_gate = _t * sp.sqrt((_t**4 - sp.Rational(9, 2) * _t**2 + 6) / 2)  # diode and transistor: volts at the transistor
_steps = [(1, 0, 0, 0), (1, 1, 0, 0), (0, 1, 0, 0), (0, 1, 1, 0), (0, 0, 1, 0), (0, 0, 1, 1), (0, 0, 0, 1), (1, 0, 0, 1)]
_coils = [coil / 24 for coil in _four]
_pull = 10 / sp.sin(_p + _q)  # lamp: its weight, shared by the law of sines

LATER = (
    # two variables
    _curve("jump resonance", _plane, [y * ((1 - x + y / 2) ** 2 + x / 5) - sp.Rational(59, 25)],
           (sp.Rational(29, 10) - _t**2 / 2 + _backbone, 4 - _t**2), (-1.72, 1.93), (-1.97, 1.985)),
    _curve("stretched rubber", _plane, [x**2 * y - 2 * x**3 + 2], (_t, 2 * (_t - 1 / _t**2)), (0.45, 3), (0.3, 3.6)),
    _planet_of_a_gear(),
    _nyquist_plot(),
    _comet(),
    _supply_and_demand(),
    _sites("central composite design", _plane, [_one**3 - 4 * _one + 3 * _one * _other**2, _other**3 - 4 * _other
                                                + 3 * _one**2 * _other],
           [(8, 5), (4, 5), (12, 5), (8, 3), (8, 7), *product((6, 10), (4, 6))]),
    # three variables
    _patch("power of a cyclist", _space, [500 * z - 50 * x * y - y**3], (_p, _q, _p * _q / 10 + _q**3 / 500), (0.5, 5),
           (2, 11)),
    _patch("hydraulic jump", _space, [z**2 - 5 * x * y * (x + y)], (_p, _q, sp.sqrt(5 * _p * _q * (_p + _q))), (0.4, 1),
           (1.6, 3)),
    _patch("Compton scattering", _space, [z * (1 + x * (1 - y)) - x], (_p, _q, _p / (1 + _p * (1 - _q))), (0.3, 4),
           (-0.95, 0.95)),
    _patch("hose that narrows", _space,
           [((_far**2 + _deep**2 + _high**2 - _thick**2 + _broad**2) ** 2 - 4 * (_long * _far - _focus * _thick) ** 2
             - 4 * _broad**2 * _deep**2) / 1000],
           (10 + (_thick * (_focus - _long * _cp * _cq) + _broad**2 * _cp) / _slim,
            8 + _broad * _sp * (_long - _thick * _cq) / _slim, 5 + _broad * _sq * (_focus * _cp - _thick) / _slim),
           _turn, _turn),
    _patch("rounded box", _space, [sum(side**4 for side in _box) - 1],
           (6 + 4 * _way[0] / _corner, 5 + 3 * _way[1] / _corner, 4 + 2 * _way[2] / _corner), _turn, (-1.5, 1.5)),
    _patch("belt with a half twist", _space,
           [_north * (_east**2 + _north**2 + _over**2 - 16) - 2 * _over * (_east**2 + _north**2 + 4 * _east)],
           (6 + _belt * _cp, 5 + _belt * _sp, 3 + _q * sp.sin(_p / 2)), _turn, (-1.5, 1.5)),
    _pipe_with_a_branch(),
    _pipe_on_a_plate(),
    _curve("compressibility of a real gas", _space,
           [5 * z - 16 * x * y, 48 * y - 5 * z - 48 + 45 * x - 15 * x**2,
            768 * y**2 - 80 * y * z - 768 * y + 225 * z - 75 * x * z],
           (_t, 3 / (3 - _t) - 15 * _t / 16, sp.Rational(48, 5) * _t / (3 - _t) - 3 * _t**2), (0.1, 2.2), (-0.5, 2.4)),
    _curve("quick-return mechanism", _space, [x**2 + y**2 - 9, z * (x + 7) - 10 * y],
           (3 * _c, 3 * _s, 30 * _s / (3 * _c + 7)), _turn),
    _cone_of_light(),
    _union("cable and deck of a bridge", 1, _space, [3 * x - 4 * y + 8, (z - 2 - _span**2) * (20 * z - x - 12)],
           (0.5, *_stretch((8 + 4 * _t, 8 + 3 * _t, 2 + _t**2), (-2, 2), (-2.8, 2.8))),
           (0.5, *_flat((8, 8, 1), (8, 6, 0.4)))),
    _sites("atoms of an iron crystal", _space,
           [_atom[0] ** 2 - _atom[1] ** 2, _atom[1] ** 2 - _atom[2] ** 2, *(place**3 - place for place in _atom)],
           [(5, 4, 6), *product((3.5, 6.5), (2.5, 5.5), (4.5, 7.5))]),
    _points("six coins", _space, [("16.25", "16.7", "2.3"), ("18.75", "16.7", "3.06"), ("21.25", "16.7", "3.92"),
                                  ("19.75", "19.3", "4.1"), ("22.25", "21.4", "5.74"), ("24.25", "23.8", "7.8")], degree=2),
    # four variables
    _patch("square cartons", _four,
           [5 * z - x**2 - 2 * x * y, 10 * w - x**2 * y, 2 * w * x + 4 * w * y - x * y * z,
            4 * w * x * y + 8 * w * y**2 + 10 * w * z - 5 * y * z**2],
           (_p, _q, (_p**2 + 2 * _p * _q) / 5, _p**2 * _q / 10), (0.5, 3), (0.5, 4)),
    _patch("loan in two payments", _four, [x * z - y, x * w - y - z, y * w - y * z - z**2],
           (_p, _q, _q / _p, _q / _p + _q / _p**2), (1.05, 2), (1, 4)),
    _patch("voltage divider with a load", _four, [w * (x * y + x * z + y * z) - 12 * y * z],
           (_p, _q, _r, 12 * _q * _r / (_p * _q + _p * _r + _q * _r)), (1.5, 5), (1.5, 5), (2, 6.5)),
    _henon_heiles(),
    _quadric("four marks in perspective", _four, 3 * (x - z) * (y - w) - 4 * (x - w) * (y - z), _marks, (1, 3), (3, 6),
             (0.1, 0.4)),
    _curve("chemostat in its steady state", _four, [2 * z + x - 20, w - 11 * y + 5 * x, y * (x + 2) - 10 * x],
           (_t, 10 * _t / (_t + 2), 10 - _t / 2, (10 - _t / 2) * 10 * _t / (_t + 2)), (0.3, 18), (-0.9, 24)),
    _curve("shock wave", _four, [6 * z - 7 * x + 1, y * (x + 5) - 6 * x, w * y - z, 36 * x * w - 7 * x**2 - 34 * x + 5],
           (_t, 6 * _t / (_t + 5), (7 * _t - 1) / 6, (7 * _t - 1) * (_t + 5) / (36 * _t)), (1, 7), (0.2, 9)),
    _blood_groups(),
    _curve("diode and transistor in series", _four, [w - x - y, z - 2 * y**2, 2 * z - 2 * x**3 + 9 * x**2 - 12 * x],
           (_t**2, _gate, 2 * _gate**2, _t**2 + _gate), (0.2, 1.8), (-1, 2.1)),
    _sites("half steps of a motor", _four,
           [*(coil**2 - coil for coil in _coils), _coils[0] * _coils[2], _coils[1] * _coils[3],
            (1 - _coils[0] - _coils[2]) * (1 - _coils[1] - _coils[3])], 24 * np.array(_steps)),
    # five variables
    _rectifier(),
    _patch("robot on two wheels", _five, [x + y - 2 * z, y - x - 4 * w, z - w * a],
           (_p * (_q - 2), _p * (_q + 2), _p * _q, _p, _q), (0.3, 1.5), (3, 10)),
    _patch("flash drum", _five, [x + y - 10, 10 * z - y * w - x * a, 2 * a + 3 * w * a - 5 * w],
           (_p, 10 - _p, ((10 - _p) * _q + _p * 5 * _q / (2 + 3 * _q)) / 10, _q, 5 * _q / (2 + 3 * _q)), (2, 8), (0.05, 0.9)),
    _patch("measures of an elliptic orbit", _five, [a + y * w - x, x * a - z**2, w - x * y, x**2 - z**2 - w**2],
           (_p, _sq, _p * _cq, _p * _sq, _p * _cq**2), (2, 6), (0.1, 1.3)),
    # six variables
    _patch("lamp on two ropes", _six,
           [x * z - y * a, x * w + y * b - 10, z**2 + w**2 - 1, a**2 + b**2 - 1, x**2 - y**2 + 20 * y * b - 100,
            x * b + y * w - 10 * a * z - 10 * b * w, x * a - y * z - 10 * a * w + 10 * b * z],
           (_pull * _cq, _pull * _cp, _cp, _sp, _cq, _sq), (0.4, 1.2), (0.4, 1.2)),
    _patch("profit margin", _six, [w - z + a, z - x * y, 10 * a - z * b],
           (_p, _q, _p * _q, _p * _q * (1 - _r / 10), _p * _q * _r / 10, _r), (2, 8), (1, 5), (0.5, 4)),
    _patch("precision and recall", _six,
           [w * (x + y) - 10 * x, a * (x + z) - 10 * x, b * (2 * x + y + z) - 20 * x, b * (w + a) - 2 * w * a],
           (_p, _q, _r, 10 * _p / (_p + _q), 10 * _p / (_p + _r), 20 * _p / (2 * _p + _q + _r)), (3, 9), (1, 4), (1.5, 6)),
    _patch("pay slip", _six, [10 * w - 3 * z, 10 * a - z, b - z + w + a, z - x * y],
           (_p, _q, _p * _q, sp.Rational(3, 10) * _p * _q, _p * _q / 10, sp.Rational(3, 5) * _p * _q), (2, 8), (1, 3)),
)  # fmt: skip
