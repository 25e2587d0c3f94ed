"""The untouched group of varieties: 30 shapes in two to six variables such as users have, that no rule of the package has seen.

Laws of physics, chemistry, biology, engineering and economics, gears and valves, circuits, signals, balances, scanned parts and
molecules, in ranges as they are measured. None is one of an earlier group moved, scaled or renamed: hence no plane in space, no
line and no conic of the plane, which all are the same in this sense or nearly so. Samples of linear laws are of mixed kinds,
never all normal. They are written down without a look at what is fitted easily or at how a fit decides, to be fitted once, and
that figure is reported first. A rule that is changed after a look at them needs a new group. Only their own mathematics is
tested here: samples, equations (a minimal H-basis, see `tests.varieties`) and distances.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import scipy.linalg
import sympy as sp

from tests.frozen_varieties import _flat, _p, _patch, _q, _r, _union, a, b
from tests.unseen_varieties import _quadric, _sites, _stretch, _turned_distance
from tests.varieties import TAU, Variety, _curve, _flats_distance, _t, w, x, y, z

_plane, _space, _four, _five, _six = (x, y), (x, y, z), (x, y, z, w), (x, y, z, w, a), (x, y, z, w, a, b)
_c, _s = sp.cos(_t), sp.sin(_t)
_cp, _sp = sp.cos(_p), sp.sin(_p)
_turn = (0, TAU)


def _oscilloscope():
    """Oscillations of frequencies 3 and 4: uniform in time, and both are polynomials in u = 2 cos(time)."""
    trace = _stretch((2 * sp.cos(3 * _t), 2 * sp.cos(4 * _t)), (0, TAU))[0]
    curve = _stretch((_t**3 - 3 * _t, _t**4 - 4 * _t**2 + 2), (-2, 2), (-2.3, 2.3))[1]
    return Variety("oscilloscope at 3 to 4", 1, _plane, (x**4 - 4 * x**2 + 2 - y**3 + 3 * y,), trace, curve)


def _laminar_or_turbulent():
    """Pressure drop against flow: proportional while it is slow, with its square when it is fast; either in between."""
    fast = 2 * y - x - x**2
    return _union("laminar or turbulent", 1, _plane, [(y - 2 * x) * fast], (0.4, *_flat((1.65, 3.3), (1.35, 2.7))),
                  (0.6, _stretch((_t, (_t + _t**2) / 2), (1.5, 5))[0], _turned_distance(fast, _plane)))  # fmt: skip


def _countersunk_hole():
    """A drilled hole of radius 2, up to height 4, and the cone above it; distances are from the whole cylinder and cone."""
    hole, cone = _across - 4, _across - (z - 2) ** 2
    parts = [_quadric("", _space, surface, (5 + reach * _cp, 4 + reach * _sp, _q), _turn, heights)
             for surface, reach, heights in ((hole, 2, (0, 4)), (cone, _q - 2, (4, 6.5)))]  # fmt: skip
    return _union("countersunk hole", 2, _space, [hole * cone], *((0.5, part.sampler, part.distance) for part in parts))


def _gearbox():
    """Speeds of engine and wheels, torques of both, in the gears 1, 2 and 4: planes that meet in one point."""
    gears = [(1, *_flat((3, 3 / gear, 2.5, 2.5 * gear), (2, 2 / gear, 0, 0), (0, 0, 1.5, 1.5 * gear))) for gear in (1, 2, 4)]
    cubics = [
        x**3 - 7 * x**2 * y + 14 * x * y**2 - 8 * y**3,
        x**2 * w - 7 * x * y * w + 14 * y**2 * w - 8 * y**2 * z,
        x * w**2 - 7 * y * w**2 + 14 * y * z * w - 8 * y * z**2,
        w**3 - 7 * w**2 * z + 14 * w * z**2 - 8 * z**3,
    ]
    return _union("gearbox", 2, _four, [x * z - y * w, *cubics], *gears)


def _full_adder():
    """Volts at three inputs and at the outputs for the sum and the carry, 0 or 5."""
    one, two, three, total, carry = (volt / 5 for volt in _five)
    rows = [(*bits, sum(bits) % 2, sum(bits) // 2) for bits in product((0, 1), repeat=3)]
    mixed = [2 * carry * i - i * j - i * k + j * k - carry
             for i, j, k in ((one, two, three), (two, one, three), (three, one, two))]  # fmt: skip
    return _sites("full adder", _five, [total + 2 * carry - one - two - three, *(i**2 - i for i in (one, two, three, carry)),
                                        *mixed], 5 * np.array(rows))  # fmt: skip


def _valve():
    """Pressures before and after a valve, flow, position (0 shut, 5 open) and lost power: flow^2 is the drop, or 0."""
    lost = _stretch((_t**2 / sp.sqrt(2), _t, sp.Integer(5), _t**3 / 2), (0.3, 3), (-1.2, 4))[1]

    def distance(points):
        """From the open valve: it does not depend on the level of both pressures."""
        points = np.asarray(points, dtype=float)
        return lost(np.column_stack([(points[:, 0] - points[:, 1]) / np.sqrt(2), points[:, 2:]]))

    flowing = _patch("", (), (), (_p, _p - _q**2, _q, 5, _q**3 / 2), (9, 15), (0.3, 3), distance=distance).sampler
    shut = _flat((12, 5, 0, 0, 0), (3, 0, 0, 0, 0), (0, 4, 0, 0, 0))
    laws = [w * (w - 5), z * (w - 5), a * (w - 5), w * (x - y) - 5 * z**2, 2 * a - z * (x - y), 2 * a**2 * z - a * (x - y) ** 2]
    return _union("valve open or shut", 2, _five, laws, (0.6, flowing, distance), (0.4, *shut))


def _portfolio():
    """Shares of three stocks, mean return and variance: a paraboloid within two linear laws."""
    linear, risk = [x + y + z - 1, w - 4 * x - 7 * y - 11 * z], a - 3 * x**2 - 6 * y**2 - 10 * z**2 - 2 * x * y - 4 * y * z
    normals = np.array([[float(sp.diff(law, v)) for v in _five] for law in linear])
    foot, frame = np.linalg.lstsq(normals, [1, 0], rcond=None)[0], scipy.linalg.null_space(normals)
    inside = sp.symbols("u:3", real=True)
    place = [f + sum(float(c) * u for c, u in zip(row, inside)) for f, row in zip(foot, frame)]
    within = _turned_distance(sp.expand(risk.subs(dict(zip(_five, place)), simultaneous=True)), inside)

    def sampler(rng, n):
        parts = np.stack([rng.gamma(shape, size=n) for shape in (3, 2, 2)])
        one, two, three = parts / parts.sum(axis=0)
        variance = 3 * one**2 + 6 * two**2 + 10 * three**2 + 2 * one * two + 4 * two * three
        return np.stack([one, two, three, 4 * one + 7 * two + 11 * three, variance], axis=1)

    def distance(points):
        offset = np.asarray(points, dtype=float) - foot
        return np.hypot(np.linalg.norm(offset - offset @ frame @ frame.T, axis=1), within(offset @ frame))

    return Variety("portfolio of three stocks", 2, _five, (*linear, risk), sampler, distance)


def _sample_fermenter(rng, n):
    """Glucose, oxygen and ammonia that are used, biomass, carbon dioxide and water that come out."""
    glucose, grown = rng.uniform(1, 4, n), rng.beta(3, 2, n)
    biomass = 6 * glucose * grown
    return np.stack([glucose, 6 * glucose - 1.05 * biomass, biomass / 5, biomass, 6 * glucose - biomass,
                     6 * glucose - 0.6 * biomass], axis=1)  # fmt: skip


def _sample_balance_sheet(rng, n):
    """Cash, stock, plant, debt, equity and the total, in millions."""
    owned = np.stack([1 + rng.gamma(2, 1.5, n), rng.uniform(2, 9, n), rng.triangular(5, 8, 20, n)])
    total, lent = owned.sum(axis=0), rng.beta(4, 3, n)
    return np.stack([*owned, lent * total, (1 - lent) * total, total], axis=1)


def _sample_heat_exchanger(rng, n):
    """Flow, inlet and outlet temperature of the hot side and of the cold one; heat lost is heat gained."""
    hot, warm, cooled = rng.uniform(1, 3, n), rng.triangular(60, 80, 90, n), rng.uniform(35, 55, n)
    cold, cool = rng.uniform(3, 6, n), 8 + rng.gamma(3, 2, n)
    return np.stack([hot, warm, cooled, cold, cool, cool + hot * (warm - cooled) / cold], axis=1)


_long, _wide = x - 6, y - 5  # egg: offset from the middle of its length
_across = (x - 5) ** 2 + (y - 4) ** 2  # countersunk hole: squared distance from its axis
_turned, _tilted, _raised = x - 5, y - 4, z - 3  # cylindroid: offset from its centre
_atom = [(x - 5) / 2, (y - 4) / 2, (z - 6) / 2]  # methane: offset from the carbon atom
_peak = (1 - _t**2) ** 2 + _t**2 / 4  # resonator: of its response, at frequency t, 1 / square
_sum = x + y + z  # star and delta: resistance around the delta
_exchange = x * (y - z) - w * (b - a)

UNTOUCHED = (
    # two variables
    _curve("effective potential of an orbit", _plane, [x**2 * y + 8 * x - 6], (_t, 6 / _t**2 - 8 / _t), (0.5, 7), (0.35, 9)),
    _curve("oxygen bound by haemoglobin", _plane, [y * (x**3 + 27) - 10 * x**3], (_t, 10 * _t**3 / (_t**3 + 27)), (0.5, 12),
           (-2.2, 16)),
    _curve("outline of an egg", _plane, [9 * _long**2 + 2 * _wide**2 * (8 + _long) - 144],
           (6 + 4 * _c, 5 + 3 * _s / sp.sqrt(1 + _c / 2)), _turn),
    _oscilloscope(),
    _laminar_or_turbulent(),
    _sites("sixteen signals of a modem", _plane, [(v**2 - 1) * (v**2 - 9) for v in _plane],
           list(product((-3, -1, 1, 3), repeat=2))),
    # three variables
    _patch("wind turbine", _space, [80 * z - x * y**3], (_p, _q, _p * _q**3 / 80), (1, 5), (0.5, 6)),
    _quadric("competitive inhibition", _space, z * (x + y + 2) - 10 * x, (_p, _q, 10 * _p / (_p + _q + 2)), (0.5, 12), (0, 6)),
    _patch("cylindroid of two screws", _space, [_raised * (_turned**2 + _tilted**2) - 4 * _turned * _tilted],
           (5 + _q * _cp, 4 + _q * _sp, 3 + 2 * sp.sin(2 * _p)), _turn, (1, 3)),
    _curve("vapour over an ideal mixture", _space, [z - 2 - 6 * x, y * z - 8 * x], (_t, 8 * _t / (2 + 6 * _t), 2 + 6 * _t),
           (0.05, 0.95), (-0.25, 1.4)),
    _curve("response of a resonator", _space,
           [y**2 + z**2 - y + 2 * x * z, 2 * y * (1 - x**2) - x * z - 2, 2 * z * (1 - x**2) + x * y],
           (_t, (1 - _t**2) / _peak, -_t / 2 / _peak), (0.1, 3.5), (-0.6, 4.5)),
    _countersunk_hole(),
    _union("orbits of two satellites", 1, _space, [x**2 + y**2 + z**2 - 49, (3 * z - 4 * y) * (12 * z - 5 * x)],
           (0.5, *_stretch((7 * _c, 21 * _s / 5, 28 * _s / 5), _turn)),
           (0.5, *_stretch((84 * _c / 13, 7 * _s, 35 * _c / 13), _turn))),
    _sites("atoms of methane", _space,
           [_atom[0] * _atom[1] - _atom[2], _atom[0] * _atom[2] - _atom[1], _atom[1] * _atom[2] - _atom[0],
            _atom[0] ** 2 - _atom[1] ** 2, _atom[1] ** 2 - _atom[2] ** 2],
           [(5, 4, 6), (7, 6, 8), (7, 2, 4), (3, 6, 4), (3, 2, 8)]),
    # four variables
    _patch("cantilever", _four, [5 * w * z - x * y**3], (_p, _q, _r, _p * _q**3 / (5 * _r)), (1, 5), (0.5, 2.5), (1, 3)),
    _curve("soap bubble", _four,
           [y - 4 * x**2, 2 * z - x * y, y**2 - 8 * x * z, x * w - 3, y * w - 12 * x, 2 * z * w - 3 * y],
           (_t, 4 * _t**2, 2 * _t**3, 3 / _t), (0.5, 1.7), (0.25, 2.1)),
    _quadric("Mohr's circle", _four, (x - z) * (x - w) + y**2, (_p + _q * sp.cos(_r), _q * sp.sin(_r), _p + _q, _p - _q),
             (2, 8), (1, 4), (0.3, 2.8)),
    _gearbox(),
    _curve("battery and its load", _four, [y + 2 * x - 12, y - x * z, w - x * y, y**2 - z * w],
           (_t, 12 - 2 * _t, 12 / _t - 2, 12 * _t - 2 * _t**2), (1, 5.5), (0.5, 7.5)),
    _patch("right triangle and its height", _four, [x**2 + y**2 - z**2, x * y - z * w],
           (_p, _q, sp.sqrt(_p**2 + _q**2), _p * _q / sp.sqrt(_p**2 + _q**2)), (2, 6), (1, 5)),
    # five variables
    _full_adder(),
    _portfolio(),
    _curve("monopoly with rising costs", _five,
           [y + 2 * x - 20, a - z + w, z - x * y, 24 * w - 240 - 144 * x + 4 * x**2 + x * z,
            (20 * x - z) ** 2 - 24 * x * (2 * w - 20 + 8 * x - z)],
           (_t, 20 - 2 * _t, 20 * _t - 2 * _t**2, 10 + 6 * _t - _t**2 + _t**3 / 12, 14 * _t - 10 - _t**2 - _t**3 / 12),
           (1, 9), (-1, 11.5)),
    _patch("stirred tank reactor", _five, [2 * a - 3 * y + 3 * z, 2 * w - z**2, x * (y - z) - 4 * w],
           (2 * _q**2 / (_p - _q), _p, _q, _q**2 / 2, 3 * (_p - _q) / 2), (7, 11), (1, 4)),
    _valve(),
    # six variables
    Variety("element balances of a fermenter", 2, _six,
            (6 * x - w - a, 60 * x + 15 * z - 9 * w - 10 * b, 12 * x + 4 * y - w - 4 * a - 2 * b, 5 * z - w), _sample_fermenter,
            _flats_distance(((0, 0, 0, 0, 0, 0), [(1, 6, 0, 0, 6, 6), (0, -1.05, 0.2, 1, -1, -0.6)]))),
    Variety("balance sheet", 4, _six, (x + y + z - b, w + a - b), _sample_balance_sheet,
            _flats_distance(((0, 0, 0, 0, 0, 0), [(1, -1, 0, 0, 0, 0), (0, 1, -1, 0, 0, 0), (0, 0, 0, 1, -1, 0),
                                                  (0, 0, 1, 0, 1, 1)]))),
    Variety("heat exchanger", 5, _six, (_exchange,), _sample_heat_exchanger, _turned_distance(_exchange, _six)),
    _patch("star and delta", _six,
           [w * _sum - y * z, a * _sum - x * z, b * _sum - x * y, x * w - y * a, y * a - z * b,
            z * b - w * a - a * b - b * w],
           (_p, _q, _r, *(i * j / (_p + _q + _r) for i, j in ((_q, _r), (_p, _r), (_p, _q)))), (2, 6.5), (2, 6.5), (2, 6.5)),
    _curve("load that rolls over a bridge", _six, [y + z - 5, 2 * z - x, 3 * b - 4 * w, w - x * y, 20 * a - w**2],
           (_t, 5 - _t / 2, _t / 2, 5 * _t - _t**2 / 2, (5 * _t - _t**2 / 2) ** 2 / 20, (20 * _t - 2 * _t**2) / 3), (0.5, 9.5),
           (-1, 11)),
)  # fmt: skip
