"""The last group of varieties: 33 shapes in two to six variables that no rule of the package has seen.

They are written down to be fitted once, when the rules are frozen, and that figure is reported first. A rule that is changed
after a look at them needs a new group. Only their own mathematics is tested here: samples, equations (a minimal H-basis, see
`tests.varieties`) and distances.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import sympy as sp
from scipy.spatial import cKDTree

from tests.varieties import (
    TAU,
    Distance,
    Variety,
    _curve,
    _flats_distance,
    _quadric_distance,
    _radius,
    _t,
    w,
    x,
    y,
    z,
)

a, b = sp.symbols("a b", real=True)
_p, _q, _r = _parameters = sp.symbols("p q r", real=True)
_c, _s = sp.cos(_t), sp.sin(_t)
_plane, _space, _four, _five, _six = (x, y), (x, y, z), (x, y, z, w), (x, y, z, w, a), (x, y, z, w, a, b)

STARTS = 6
"""Nearest points of a patch's grid from which the nearest point is sought. Measured on all patches, 300 points: four times
as many change distances by at most 1.2e-5 of the spread at 20 % noise, and by rounding at 5 %."""
STEPS = 60
"""Steps of that search, which converges linearly, at a rate of distance over radius of curvature. Measured likewise: four
times as many change distances by at most 8.5e-5 of the spread at 20 % noise ("two cranks"), 3e-11 at 5 %."""


def _descent(at: Callable, slopes: Callable, target: np.ndarray, t: np.ndarray) -> np.ndarray:
    """Distances of the targets from the places that damped Gauss-Newton steps from the parameters t come to."""
    best, damping = np.linalg.norm(at(t) - target, axis=1), np.full(len(t), 1e-3)
    for _ in range(STEPS):
        offset, jacobian = at(t) - target, slopes(t)
        square = np.einsum("nij,nik->njk", jacobian, jacobian) + damping[:, None, None] * np.eye(t.shape[1])
        step = np.linalg.solve(square, np.einsum("nij,ni->nj", jacobian, offset)[..., None])[..., 0]
        reached = np.linalg.norm(at(t - step) - target, axis=1)
        better = reached < best
        t, best = np.where(better[:, None], t - step, t), np.minimum(reached, best)
        damping = np.clip(np.where(better, damping / 5, damping * 5), 1e-12, 1e6)
    return best


def _patch_distance(parametrisation: Sequence[sp.Expr], ranges: Sequence[tuple[float, float]]) -> Distance:
    """Distance from a parametrised piece, continued beyond its ranges: damped Gauss-Newton steps from points of a grid."""
    symbols = _parameters[: len(ranges)]
    place = sp.lambdify(symbols, list(parametrisation))
    slope = sp.lambdify(symbols, sp.Matrix(parametrisation).jacobian(symbols).tolist())
    count = {1: 2000, 2: 90, 3: 22}[len(ranges)]
    wide = [np.linspace(low - 0.4 * (high - low), high + 0.4 * (high - low), count) for low, high in ranges]
    grid = np.stack(np.meshgrid(*wide, indexing="ij"), axis=-1).reshape(-1, len(ranges))

    def at(t):
        return np.stack([np.broadcast_to(c, len(t)) for c in place(*t.T)], axis=-1)

    def slopes(t):
        return np.stack([np.stack([np.broadcast_to(c, len(t)) for c in line], axis=-1) for line in slope(*t.T)], axis=1)

    tree = cKDTree(at(grid))

    def distance(points):
        target = np.repeat(np.asarray(points, dtype=float), STARTS, axis=0)
        return _descent(at, slopes, target, grid[tree.query(points, k=STARTS)[1].reshape(-1)]).reshape(-1, STARTS).min(axis=1)

    return distance


def _patch(name, variables, generators, parametrisation, *ranges, distance=None):
    """A piece of a variety, sampled uniformly in its parameters p, q, r."""
    place = sp.lambdify(_parameters[: len(ranges)], list(parametrisation))

    def sampler(rng, n):
        drawn = [rng.uniform(low, high, n) for low, high in ranges]
        return np.stack([np.broadcast_to(c, n) for c in place(*drawn)], axis=1)

    distance = distance or _patch_distance(parametrisation, ranges)
    return Variety(name, len(ranges), variables, tuple(generators), sampler, distance)


def _union(name, dimension, variables, generators, *parts):
    """Parts, each a share of the points, a sampler and a distance."""
    shares, samplers, distances = zip(*parts)

    def sampler(rng, n):
        which = rng.choice(len(parts), n, p=np.array(shares) / sum(shares))
        every = np.stack([sample(rng, n) for sample in samplers])
        return every[which, np.arange(n)]

    def distance(points):
        return np.min([each(points) for each in distances], axis=0)

    return Variety(name, dimension, variables, tuple(generators), sampler, distance)


def _flat(base, *directions, half=1.0):
    """Sampler and distance of an affine subspace: the piece base + [-half, half] times each direction."""
    frame = np.array(directions, dtype=float)

    def sampler(rng, n):
        return np.array(base, dtype=float) + rng.uniform(-half, half, (n, len(frame))) @ frame

    return sampler, _flats_distance((base, directions))


def _ball(centre, radius):
    """Sampler and distance of a sphere in any number of variables."""
    centre = np.array(centre, dtype=float)

    def sampler(rng, n):
        points = rng.normal(size=(n, len(centre)))
        return centre + radius * points / np.linalg.norm(points, axis=1, keepdims=True)

    return sampler, lambda points: abs(np.linalg.norm(np.asarray(points) - centre, axis=1) - radius)


def _single_values(points, rows):
    points = np.asarray(points, dtype=float)
    return np.linalg.svd(points.reshape(len(points), rows, -1), compute_uv=False)


def _sample_rank_one(rows, columns):
    """Outer products of random directions, of size 1/2 to 3/2."""

    def sampler(rng, n):
        left, right = (rng.normal(size=(n, k)) for k in (rows, columns))
        size = rng.uniform(0.5, 1.5, n) / np.linalg.norm(left, axis=1) / np.linalg.norm(right, axis=1)
        return (size[:, None, None] * left[:, :, None] * right[:, None, :]).reshape(n, -1)

    return sampler


def _sample_frames(rng, n):
    """Two orthogonal unit vectors of space, one after the other."""
    frames = np.linalg.qr(rng.normal(size=(n, 3, 2)))[0] * rng.choice([-1.0, 1.0], (n, 1, 2))
    return frames.transpose(0, 2, 1).reshape(n, 6)


def _circle_at(rng, n):
    angle = rng.uniform(0, TAU, n)
    return np.stack([np.cos(angle), np.sin(angle), np.zeros(n)], axis=1)


def _bilinear_distance(points):
    """From a = x y + z w, in coordinates turned by 45 degrees in both planes: x y = (p^2 - q^2) / 2."""
    c1, c2, c3, c4, c5 = np.asarray(points, dtype=float).T
    turned = np.stack([c1 + c2, c1 - c2, c3 + c4, c3 - c4, np.sqrt(2) * c5], axis=1) / np.sqrt(2)
    return _quadric_distance((0.5, -0.5, 0.5, -0.5, 0), (0, 0, 0, 0, -1), 0)(turned)


def _sample_bilinear(rng, n):
    c1, c2, c3, c4 = rng.uniform(-1, 1, (4, n))
    return np.stack([c1, c2, c3, c4, c1 * c2 + c3 * c4], axis=1)


def _sample_two_sheets(rng, n):
    c1, c2 = rng.uniform(-1.5, 1.5, (2, n))
    return np.stack([c1, c2, rng.choice([-1.0, 1.0], n) * np.sqrt(1 + c1**2 + c2**2)], axis=1)


_grid = np.array([(i, j) for i in (0, 1) for j in (-1, 0, 1)], dtype=float)
_fourth = (_c**4 + _s**4) ** sp.Rational(1, 4)
_h = _t**2
_cp, _sp, _cq, _sq, _cr, _sr = (f(v) for v in (_p, _q, _r) for f in (sp.cos, sp.sin))
_turn = (0, TAU)
_unit = (-1, 1)
_parabola_distance = _quadric_distance((1, 0), (0, -1), 0)

LAST = (
    # two variables
    _curve("leaning ellipse", _plane, [x**2 + x * y + y**2 - 1], (_c - _s / sp.sqrt(3), 2 * _s / sp.sqrt(3)), _turn),
    _curve("graph of a cubic", _plane, [y - x**3 + x], (_t, _t**3 - _t), (-1.4, 1.4), (-2, 2)),
    _curve("trifolium", _plane, [(x**2 + y**2) ** 2 - x**3 + 3 * x * y**2], (sp.cos(3 * _t) * _c, sp.cos(3 * _t) * _s),
           (0, TAU / 2)),
    _curve("Fermat's quartic", _plane, [x**4 + y**4 - 1], (_c / _fourth, _s / _fourth), _turn),
    _curve("elliptic cubic", _plane, [y**2 - x**3 - 1], (_h - 1, _t * sp.sqrt(_h**2 - 3 * _h + 3)), (-1.5, 1.5),
           (-2.2, 2.2)),
    _union("circle and line", 1, _plane, [(x**2 + y**2 - 1) * (2 * y - x - 1)], (0.6, *_ball((0, 0), 1)),
           (0.4, *_flat((0, 0.5), (1, 0.5), half=1.6))),
    Variety("grid of 6 points", 0, _plane, (x**2 - x, y**3 - y), lambda rng, n: _grid[rng.integers(0, 6, n)],
            _flats_distance(*((point, ()) for point in _grid))),
    # three variables
    Variety("tilted plane", 2, _space, (x + 2 * y - 2 * z - 1,), *_flat((1, 0, 0), (2, 0, 1), (0, 1, 1))),
    _patch("bowl", _space, [z - x**2 - y**2], (_p, _q, _p**2 + _q**2), _unit, _unit,
           distance=_quadric_distance((1, 1, 0), (0, 0, -1), 0)),
    _patch("cone", _space, [x**2 + y**2 - z**2], (_q * _cp, _q * _sp, _q), _turn, _unit,
           distance=_quadric_distance((1, 1, -1), (0, 0, 0), 0)),
    Variety("hyperboloid of two sheets", 2, _space, (x**2 + y**2 - z**2 + 1,), _sample_two_sheets,
            _quadric_distance((1, 1, -1), (0, 0, 0), 1)),
    _patch("Whitney's umbrella", _space, [x**2 - y**2 * z], (_p * _q, _p, _q**2), (-1.2, 1.2), (-1.2, 1.2)),
    _patch("monkey saddle", _space, [z - x**3 + 3 * x * y**2], (_p, _q, _p**3 - 3 * _p * _q**2), _unit, _unit),
    _union("two spheres", 2, _space, [((x - 2) ** 2 + y**2 + z**2 - 1) * ((x + 1) ** 2 + y**2 + z**2 - 1)],
           (0.5, *_ball((2, 0, 0), 1)), (0.5, *_ball((-1, 0, 0), 1))),
    _union("three planes", 2, _space, [x * (y - z) * (x + y + z - 1)], (1, *_flat((0, 0, 0), (0, 1, 0), (0, 0, 1))),
           (1, *_flat((0, 0, 0), (1, 0, 0), (0, 1, 1))), (1, *_flat((1, 0, 0), (1, -1, 0), (0, 1, -1)))),
    _union("plane and line", 2, _space, [x * z, z * (y - z)], (0.6, *_flat((0, 0, 0), (1, 0, 0), (0, 1, 0))),
           (0.4, *_flat((0, 0, 0), (0, 1, 1)))),
    _union("circle and its axis", 1, _space, [x * z, y * z, x * (x**2 + y**2 - 1), y * (x**2 + y**2 - 1)],
           (0.6, _circle_at, lambda p: np.hypot(_radius(p, 0, 1) - 1, np.asarray(p)[:, 2])),
           (0.4, *_flat((0, 0, 0), (0, 0, 1)))),
    _curve("crisp", _space, [x**2 + y**2 - 1, z - x * y], (_c, _s, _c * _s), _turn),
    _curve("leaning parabola", _space, [z - x - y, y - x**2], (_t, _t**2, _t + _t**2), (-1.2, 1.2), (-2, 2)),
    # four variables
    Variety("plane in 4-space", 2, _four, (2 * z - 2 * x + y, w - x - y + 1),
            *_flat((0, 0, 0, -1), (2, 0, 2, 2), (0, 2, -1, 2))),
    Variety("3-sphere", 3, _four, (x**2 + y**2 + z**2 + w**2 - 1,), *_ball((0, 0, 0, 0), 1)),
    Variety("singular 2x2 matrices", 3, _four, (x * w - y * z,), _sample_rank_one(2, 2),
            lambda p: _single_values(p, 2)[:, 1]),
    _patch("graph of two quadratics", _four, [z - x**2, w - x * y, x * w - y * z], (_p, _q, _p**2, _p * _q),
           (-1.2, 1.2), (-1.2, 1.2)),
    _patch("circle times parabola", _four, [x**2 + y**2 - 1, w - z**2], (_cp, _sp, _q, _q**2), _turn, (-1.2, 1.2),
           distance=lambda p: np.hypot(_radius(p, 0, 1) - 1, _parabola_distance(np.asarray(p)[:, 2:]))),
    _curve("double winding", _four, [x**2 + y**2 - 1, z - x**2 + y**2, w - 2 * x * y, z**2 + w**2 - 1, x * z + y * w - x,
                                     x * w - y * z - y], (_c, _s, sp.cos(2 * _t), sp.sin(2 * _t)), _turn),
    # five variables
    Variety("bilinear graph", 4, _five, (a - x * y - z * w,), _sample_bilinear, _bilinear_distance),
    _patch("Veronese surface", _five, [z - x**2, w - x * y, a - y**2, x * w - y * z, x * a - y * w, z * a - w**2],
           (_p, _q, _p**2, _p * _q, _q**2), (-1.2, 1.2), (-1.2, 1.2)),
    _patch("two cranks", _five, [a - x - z, x**2 + y**2 - 1, z**2 + w**2 - 1], (_cp, _sp, _cq, _sq, _cp + _cq), _turn, _turn),
    _patch("2x3 minors", _five, [x - z * w, y - z * a, x * a - y * w], (_p * _q, _p * _r, _p, _q, _r), _unit, _unit, _unit),
    # six variables
    Variety("3-space in 6-space", 3, _six, (w - x + z, a - y - 2 * z, b + x + y - 1),
            *_flat((0, 0, 0, 0, 0, 1), (1, 0, 0, 1, 0, -1), (0, 1, 0, 0, 1, -1), (0, 0, 1, -1, 2, 0))),
    _patch("three circles", _six, [x**2 + y**2 - 1, z**2 + w**2 - 1, a**2 + b**2 - 1], (_cp, _sp, _cq, _sq, _cr, _sr),
           _turn, _turn, _turn,
           distance=lambda p: np.linalg.norm([_radius(p, i, i + 1) - 1 for i in (0, 2, 4)], axis=0)),
    Variety("2x3 matrices of rank one", 4, _six, (x * a - y * w, x * b - z * w, y * b - z * a), _sample_rank_one(2, 3),
            lambda p: _single_values(p, 2)[:, 1]),
    Variety("orthonormal pairs", 3, _six, (x**2 + y**2 + z**2 - 1, w**2 + a**2 + b**2 - 1, x * w + y * a + z * b),
            _sample_frames, lambda p: np.linalg.norm(_single_values(p, 2) - 1, axis=1)),
)  # fmt: skip
