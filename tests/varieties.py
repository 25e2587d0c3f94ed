"""Known varieties: curves, surfaces and point sets whose equations are written down exactly.

Each :class:`Variety` knows how to sample itself, its equations and the distance of any point from it, so a test can
pick an ideal, sample it, add noise, recover it and compare with the truth. Nothing here uses the package under test.

The generators of a variety are a minimal set whose multiples of degree <= t, without cancellation of higher terms,
span *every* polynomial of degree <= t that vanishes on it (a minimal H-basis, or Macaulay basis). That is what a fit
which goes up degree by degree can be expected to return: three quadrics for the twisted cubic, although two of them
generate the same ideal.

Two groups, ``VARIETIES`` and ``SECOND``. Defaults of the package were revised with the results of both in view, so
neither is an independent check of them; `tests.fresh_varieties` was written after the defaults were frozen.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from math import comb

import numpy as np
import scipy.linalg
import sympy as sp
from scipy.spatial.distance import cdist

Sampler = Callable[[np.random.Generator, int], np.ndarray]
Distance = Callable[[np.ndarray], np.ndarray]

x, y, z, w = sp.symbols("x y z w", real=True)
_t, _u, _v = sp.symbols("t u v", real=True)
TAU = 2 * np.pi


@dataclass(frozen=True)
class Variety:
    """A variety with known equations.

    Parameters
    ----------
    name : str
    dimension : int
        Dimension of the variety itself: 0 for points, 1 for curves, 2 for surfaces.
    variables : tuple of sympy.Symbol
        Coordinates of the space around it.
    generators : tuple of sympy.Expr
        Minimal H-basis, in order of degree.
    sampler : callable
        ``sampler(rng, n)`` draws n points on the variety, exact up to rounding.
    distance : callable
        ``distance(points)`` is each point's Euclidean distance from the variety.
    """

    name: str
    dimension: int
    variables: tuple[sp.Symbol, ...]
    generators: tuple[sp.Expr, ...]
    sampler: Sampler
    distance: Distance

    @property
    def degrees(self) -> tuple[int, ...]:
        """Degree of each generator."""
        return tuple(poly.total_degree() for poly in self.polys)

    @property
    def polys(self) -> tuple[sp.Poly, ...]:
        """The generators as polynomials in `variables`."""
        return tuple(sp.Poly(g, *self.variables) for g in self.generators)

    def coefficient_space(self, degree: int, centre: np.ndarray | float = 0.0, scale: float = 1.0) -> np.ndarray:
        """Orthonormal basis of all polynomials of degree <= `degree` that vanish here: :func:`coefficient_space`."""
        return coefficient_space(self.polys, len(self.variables), degree, centre, scale)

    def noisy(self, rng: np.random.Generator, n: int, noise: float) -> np.ndarray:
        """Sample n points and add Gaussian noise of standard deviation ``noise * spread`` to every coordinate."""
        exact = self.sampler(rng, n)
        return exact + noise * spread(exact) * rng.normal(size=exact.shape)


def spread(points: np.ndarray) -> float:
    """Root-mean-square distance of the points from their centroid."""
    return float(np.sqrt(((points - points.mean(axis=0)) ** 2).sum(axis=1).mean()))


# ------------------------------------------------------------------------------------------- coefficient spaces


@cache
def exponents(dimension: int, degree: int) -> tuple[tuple[int, ...], ...]:
    """Exponents of all monomials of degree <= `degree`, the constant first."""
    every = itertools.product(range(degree + 1), repeat=dimension)
    return tuple(sorted((e for e in every if sum(e) <= degree), key=lambda e: (sum(e), e)))


def monomials(points: np.ndarray, degree: int) -> np.ndarray:
    """Values of all monomials of degree <= `degree`, one column per exponent."""
    powers = points[:, :, None] ** np.arange(degree + 1)
    every = exponents(points.shape[1], degree)
    return np.stack([np.prod([powers[:, i, k] for i, k in enumerate(e)], axis=0) for e in every], axis=1)


def _rescaled(poly: sp.Poly, centre: np.ndarray, scale: float) -> np.ndarray:
    """Coefficients of the polynomial in u, where x = centre + scale u, as a dense array indexed by exponents."""
    size = poly.total_degree() + 1
    dense = np.zeros((size,) * len(poly.gens))
    for exponent, coefficient in poly.terms():
        dense[exponent] = float(coefficient)
    for axis, c in enumerate(centre):
        binomial = np.array([[comb(e, j) * c ** (e - j) * scale**j if j <= e else 0.0
                              for j in range(size)] for e in range(size)])  # fmt: skip
        dense = np.moveaxis(np.tensordot(dense, binomial, axes=(axis, 0)), -1, axis)
    return dense / np.linalg.norm(dense)


def coefficient_space(
    polys: Sequence[sp.Poly], dimension: int, degree: int, centre: np.ndarray | float = 0.0, scale: float = 1.0
) -> np.ndarray:
    """Span of all multiples, of degree <= `degree`, of the given polynomials.

    Parameters
    ----------
    polys : sequence of sympy.Poly
        Polynomials in the same `dimension` variables; those of higher degree play no part.
    dimension, degree : int
    centre, scale : array_like, float
        Coefficients are those of monomials in (x - centre) / scale, in the order of :func:`exponents`. With the
        data's centroid and spread, angles between such spaces do not depend on units.

    Returns
    -------
    ndarray
        Orthonormal columns; their number is the dimension of the space.
    """
    position = {e: i for i, e in enumerate(exponents(dimension, degree))}
    centre = np.broadcast_to(np.asarray(centre, dtype=float), (dimension,))
    columns = []
    for poly in polys:
        room = degree - poly.total_degree()
        if poly.is_zero or room < 0:
            continue
        dense = _rescaled(poly, centre, scale)
        for shift in exponents(dimension, room):
            column = np.zeros(len(position))
            for e in np.argwhere(dense):
                column[position[tuple(int(k) for k in e + shift)]] = dense[tuple(e)]
            columns.append(column)
    if not columns:
        return np.zeros((len(position), 0))
    return scipy.linalg.orth(np.stack(columns, axis=1), rcond=1e-9)


def principal_angle(found: np.ndarray, true: np.ndarray) -> float:
    """Largest principal angle between two spans of columns, in degrees; 90 where their dimensions differ."""
    if found.shape[1] != true.shape[1]:
        return 90.0
    if found.shape[1] == 0:
        return 0.0
    return float(np.degrees(scipy.linalg.subspace_angles(found, true).max()))


def recovery_angle(polys: Sequence[sp.Poly], variety: Variety, centre: np.ndarray | float, scale: float) -> float:
    """Largest principal angle, over the degrees at which the variety has generators, from the found to the true space.

    At degree t both spaces hold the multiples of degree <= t of all equations of degree <= t, so a different choice
    of equations modulo those of lower degree makes no difference.
    """
    angles = []
    for t in set(variety.degrees):
        found = coefficient_space(polys, len(variety.variables), t, centre, scale)
        angles.append(principal_angle(found, variety.coefficient_space(t, centre, scale)))
    return max(angles)


# --------------------------------------------------------------------------------------------------- distances


def _increasing_root(function: Callable, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Roots of many increasing functions, each giving value and slope: Newton's steps, or bisection of the bracket."""
    root = (low + high) / 2
    for _ in range(120):
        value, slope = function(root)
        low, high = np.where(value <= 0, root, low), np.where(value >= 0, root, high)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            newton = root - value / slope
        moved = np.where((newton > low) & (newton < high), newton, (low + high) / 2)
        if np.all(np.abs(moved - root) <= 1e-16 * np.maximum(1, np.abs(root))):
            break
        root = moved
    return moved


def _curve_distance(parametrisation: Sequence[sp.Expr], search: tuple[float, float], periodic: bool) -> Distance:
    """Distance from a parametrised curve: the four lowest minima on a grid, refined."""
    derivatives = [[sp.diff(c, _t, k) for c in parametrisation] for k in range(3)]
    compiled = [[sp.lambdify(_t, c) for c in row] for row in derivatives]
    grid = np.linspace(*search, 721)[: -1 if periodic else None]
    step = grid[1] - grid[0]

    def at(order, t):
        return np.stack([np.broadcast_to(c(t), t.shape) for c in compiled[order]], axis=-1)

    knots = at(0, grid)

    def nearest(points):
        apart = cdist(points, knots)
        padded = np.pad(apart, ((0, 0), (1, 1)), **({"mode": "wrap"} if periodic else {"constant_values": np.inf}))
        valley = (apart <= padded[:, :-2]) & (apart <= padded[:, 2:])
        best = np.argpartition(np.where(valley, apart, np.inf), 4, axis=1)[:, :4]
        # At a cusp two valleys share a cell: hence a finer grid, and an even one, lest it start on the cusp itself.
        fine = grid[best][..., None] + step * np.linspace(-1, 1, 32)
        closer = np.linalg.norm(at(0, fine) - points[:, None, None], axis=-1).argmin(axis=-1)
        start = np.take_along_axis(fine, closer[..., None], axis=-1)[..., 0]

        def half_gradient(t):
            offset, velocity = at(0, t) - points[:, None], at(1, t)
            slope = (velocity**2).sum(-1) + (offset * at(2, t)).sum(-1)
            return (offset * velocity).sum(-1), slope

        t = _increasing_root(half_gradient, start - step / 15, start + step / 15)
        return np.linalg.norm(at(0, t) - points[:, None], axis=-1).min(axis=1)

    def distance(points):
        points = np.asarray(points, dtype=float)
        return np.concatenate([nearest(points[i : i + 2000]) for i in range(0, len(points), 2000)])

    return distance


def _quadric_distance(square: Sequence[float], linear: Sequence[float], constant: float) -> Distance:
    """Distance from {sum a_i x_i^2 + b_i x_i + c = 0}.

    The nearest point is q_i = (p_i - m b_i / 2) / (1 + m a_i) with the one multiplier m for which q is on the quadric
    and all 1 + m a_i >= 0: the problem has no duality gap (More 1993, generalised trust region). Where that q would
    need 0 / 0, as for an ellipse's centre, the dual value is the squared distance.
    """
    a, b = np.array(square, dtype=float), np.array(linear, dtype=float)

    def limit(toward):
        poles = [-1 / k for k in a if k * toward < 0]
        return (1 - 1e-15) * toward * min(map(abs, poles)) if poles else toward * 1e6

    def distance(points):
        p = np.asarray(points, dtype=float)

        def candidate(m):
            return (p - m[:, None] * b / 2) / (1 + m[:, None] * a)

        def minus_value(m):
            q = candidate(m)
            gradient = 2 * a * q + b
            value = (a * q**2 + b * q).sum(axis=1) + constant
            return -value, (gradient**2 / (1 + m[:, None] * a)).sum(axis=1) / 2

        low, high = (np.full(len(p), limit(sign)) for sign in (-1, 1))
        m = _increasing_root(minus_value, low, high)
        q, residual = candidate(m), minus_value(m)[0]
        square_distance = ((q - p) ** 2).sum(axis=1)
        dual = np.maximum(square_distance - m * residual, 0)
        scale = np.abs(a * q**2).sum(axis=1) + np.abs(b * q).sum(axis=1) + abs(constant)
        return np.sqrt(np.where(np.abs(residual) > 1e-9 * scale, dual, square_distance))

    return distance


def _flats_distance(*flats: tuple[Sequence[float], Sequence[Sequence[float]]]) -> Distance:
    """Distance from a union of affine subspaces, each given by a base point and directions."""

    def distance(points):
        each = []
        for base, directions in flats:
            offset = np.asarray(points, dtype=float) - np.asarray(base)
            if len(directions):
                frame = scipy.linalg.orth(np.array(directions, dtype=float).T)
                offset = offset - offset @ frame @ frame.T
            each.append(np.linalg.norm(offset, axis=1))
        return np.min(each, axis=0)

    return distance


def _radius(points: np.ndarray, *axes: int) -> np.ndarray:
    return np.linalg.norm(np.asarray(points, dtype=float)[:, list(axes)], axis=1)


# ------------------------------------------------------------------------------------------------- constructors


def _curve(name, variables, generators, parametrisation, sample, search=None, distance=None):
    """A curve sampled uniformly in its parameter t; without `search` the curve is closed, of period `sample`."""
    compiled = sp.lambdify(_t, parametrisation)

    def sampler(rng, n):
        return np.stack(compiled(rng.uniform(*sample, n)), axis=1)

    distance = distance or _curve_distance(parametrisation, search or sample, periodic=search is None)
    return Variety(name, 1, variables, tuple(generators), sampler, distance)


def _surface(name, variables, generators, parametrisation, u_range, v_range, distance):
    """A surface sampled uniformly in its parameters u and v."""
    compiled = sp.lambdify((_u, _v), parametrisation)

    def sampler(rng, n):
        return np.stack(compiled(rng.uniform(*u_range, n), rng.uniform(*v_range, n)), axis=1)

    return Variety(name, 2, variables, tuple(generators), sampler, distance)


def _points(name, variables, points, degree):
    """Finitely many points, all of whose equations have the one given degree (counted over the rationals)."""
    exact = [tuple(sp.Rational(c) for c in p) for p in points]
    powers = exponents(len(variables), degree)
    table = sp.Matrix([[sp.prod(c**k for c, k in zip(p, e)) for e in powers] for p in exact])
    terms = [sp.prod(v**k for v, k in zip(variables, e)) for e in powers]
    generators = tuple(sum(c * m for c, m in zip(vector, terms)) for vector in table.nullspace())
    array = np.array(exact, dtype=float)
    distance = _flats_distance(*((p, ()) for p in array))
    return Variety(name, 0, variables, generators, lambda rng, n: array[rng.integers(0, len(array), n)], distance)


def _lines(name, variables, generators, *lines):
    """Infinite lines, of which the piece base + [-1, 1] direction is sampled."""
    base, direction = (np.array(part, dtype=float) for part in zip(*lines))

    def sampler(rng, n):
        which = rng.integers(0, len(lines), n)
        return base[which] + rng.uniform(-1, 1, (n, 1)) * direction[which]

    distance = _flats_distance(*((p, [v]) for p, v in lines))
    return Variety(name, 1, variables, tuple(generators), sampler, distance)


def _sample_concentric(rng, n):
    angle = rng.uniform(0, TAU, n)
    return rng.choice([1.0, 0.5], (n, 1)) * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def _sample_sphere(rng, n):
    points = rng.normal(size=(n, 3))
    return points / np.linalg.norm(points, axis=1, keepdims=True)


def _sample_hyperbola(rng, n):
    t, side = rng.uniform(-1.5, 1.5, n), rng.choice([1.0, -1.0], n)
    return np.stack([side * np.cosh(t), np.sinh(t)], axis=1)


# -------------------------------------------------------------------------------------------------- the cases

_c, _s = sp.cos(_t), sp.sin(_t)
_plane, _space = (x, y), (x, y, z)
_half, _minor = sp.Rational(1, 2), sp.Rational(7, 10)
_tilt = sp.Matrix([x - 1, y, z + 1])  # tilted circle: offset from its centre (1, 0, -1)

VARIETIES = (
    _curve("circle", _plane, [x**2 + y**2 - 1], (_c, _s), (0, TAU), distance=lambda p: abs(_radius(p, 0, 1) - 1)),
    _curve("ellipse", _plane, [x**2 / 9 + (y - 1) ** 2 - 1], (3 * _c, 1 + _s), (0, TAU),
           distance=_quadric_distance((1 / 9, 1), (0, -2), 0)),
    Variety("concentric circles", 1, _plane, ((x**2 + y**2 - 1) * (x**2 + y**2 - _half**2),), _sample_concentric,
            lambda p: np.minimum(abs(_radius(p, 0, 1) - 1), abs(_radius(p, 0, 1) - 0.5))),
    _curve("lemniscate", _plane, [(x**2 + y**2) ** 2 - x**2 + y**2], (_c / (1 + _s**2), _s * _c / (1 + _s**2)),
           (0, TAU)),
    Variety("sphere", 2, _space, (x**2 + y**2 + z**2 - 1,), _sample_sphere, lambda p: abs(_radius(p, 0, 1, 2) - 1)),
    _curve("twisted cubic", _space, [y - x**2, z - x * y, x * z - y**2], (_t, _t**2, _t**3), (-1, 1), (-2, 2)),
    _surface("torus", _space, [(x**2 + y**2 + z**2 + 4 - _minor**2) ** 2 - 16 * (x**2 + y**2)],
             ((2 + _minor * sp.cos(_v)) * sp.cos(_u), (2 + _minor * sp.cos(_v)) * sp.sin(_u), _minor * sp.sin(_v)),
             (0, TAU), (0, TAU), lambda p: abs(np.hypot(_radius(p, 0, 1) - 2, np.asarray(p)[:, 2]) - 0.7)),
    _lines("crossing lines", _plane, [(y - x / 2) * (y + x)], ((0, 0), (1, 0.5)), ((0, 0), (1, -1))),
    _lines("line in space", _space, [y - 2 * x - 1, z + x - _half], ((0, 1, 0.5), (1, 2, -1))),
    _points("4 points in space", _space, [("0", "0", "0"), ("1", "0", "1/5"), ("0", "1", "3/10"), ("1/5", "1/10", "1")],
            degree=2),
    _curve("two quadrics", _space, [(x - 1) ** 2 + y**2 - 1, x**2 + y**2 + z**2 - 4],
           (1 + _c, _s, 2 * sp.sin(_t / 2)), (0, 2 * TAU)),
)  # fmt: skip

SECOND = (
    _curve("parabola", _plane, [y - x**2], (_t, _t**2), (-1, 1), (-2, 2), _quadric_distance((1, 0), (0, -1), 0)),
    Variety("hyperbola", 1, _plane, (x**2 - y**2 - 1,), _sample_hyperbola, _quadric_distance((1, -1), (0, 0), -1)),
    _curve("cardioid", _plane, [(x**2 + y**2 + x) ** 2 - x**2 - y**2], ((1 - _c) * _c, (1 - _c) * _s), (0, TAU)),
    _curve("tilted circle", _space, [_tilt.dot(sp.Matrix([1, 2, 2])), _tilt.dot(_tilt) - 1],
           (1 + (2 * _c + 2 * _s) / 3, (_c - 2 * _s) / 3, -1 + (-2 * _c + _s) / 3), (0, TAU)),
    _surface("cylinder", _space, [x**2 + y**2 - 1], (sp.cos(_u), sp.sin(_u), _v), (0, TAU), (-1, 1),
             lambda p: abs(_radius(p, 0, 1) - 1)),
    _surface("saddle", _space, [x**2 - y**2 - z], (_u, _v, _u**2 - _v**2), (-1, 1), (-1, 1),
             _quadric_distance((1, -1, 0), (0, 0, -1), 0)),
    _points("6 points in the plane", _plane, [("0", "0"), ("1", "1/10"), ("1/5", "1"), ("-1", "1/2"), ("-1/2", "-1"),
                                              ("4/5", "-4/5")], degree=3),
    _curve("rational quartic", _space, [z - x * y, y - x**3, x**2 * z - y**2, y**3 - x * z**2],
           (_t, _t**3, _t**4), (-1, 1), (-1.6, 1.6)),
    _lines("skew lines", _space, [x * y, x * (z - _half), y * (z + _half), z**2 - _half**2],
           ((0, 0, 0.5), (1, 0, 0)), ((0, 0, -0.5), (0, 1, 0))),
    _surface("Clifford torus", (x, y, z, w), [x**2 + y**2 - 1, z**2 + w**2 - 1],
             (sp.cos(_u), sp.sin(_u), sp.cos(_v), sp.sin(_v)), (0, TAU), (0, TAU),
             lambda p: np.hypot(_radius(p, 0, 1) - 1, _radius(p, 2, 3) - 1)),
)  # fmt: skip

BY_NAME = {variety.name: variety for variety in VARIETIES + SECOND}
