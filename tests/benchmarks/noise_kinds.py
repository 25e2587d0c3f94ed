"""The data of :mod:`tests.benchmarks.noise`: kinds of noise, of outliers, of units and of clouds.

A *kind* is one row of the table. It lists its cases (a shape, a noise level, N, a seed, a variant) and makes the sample of
each. Levels are percentages of the shape's spread, its root-mean-square distance from its centroid. Nothing here uses the
package under test.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np
import sympy as sp

from tests.blind_varieties import BLIND
from tests.closed_varieties import CLOSED
from tests.fresh_varieties import FRESH
from tests.frozen_varieties import LAST
from tests.further_varieties import FURTHER
from tests.later_varieties import LATER
from tests.other_varieties import OTHER
from tests.sealed_varieties import SEALED
from tests.unseen_varieties import UNSEEN
from tests.untouched_varieties import UNTOUCHED
from tests.varieties import SECOND, TAU, VARIETIES, Variety, spread, x, y, z

GROUPS: dict[str, tuple[Variety, ...]] = {
    "first": VARIETIES,
    "second": SECOND,
    "fresh": FRESH,
    "last": LAST,
    "unseen": UNSEEN,
    "blind": BLIND,
    "sealed": SEALED,
    "closed": CLOSED,
    "untouched": UNTOUCHED,
    "later": LATER,
    "other": OTHER,
    "further": FURTHER,
}
LEVELS = (2.0, 5.0)
"""Percentages of the spread at which every shape of the groups is tried: those of the issue's table."""


@dataclass(frozen=True)
class Case:
    """One sample to be fitted; what `variant` means is the kind's."""

    kind: str
    shape: str
    percent: float
    variant: int
    n: int
    seed: int


@dataclass(frozen=True)
class Sample:
    """Points with what is true of them.

    Attributes
    ----------
    points : (N, d) ndarray
    variety : Variety or None
        The truth in its own units; None where there is no equation.
    noise : (d,) or (N, d) ndarray
        True standard deviation of each variable's noise, or of each number's, in the variety's units.
    units : (d,) ndarray
        The points' numbers over the variety's.
    outliers : int ndarray
        Rows that were replaced.
    options : dict
        What is given to `fit` beside the points.
    twin : bool
        Whether the same points are fitted in the variety's units and without options as well, to be compared with.
    exact : (N, d) ndarray, optional
        The points before noise came to them, where the attainable angle is to be computed: one equation, no outliers.
    """

    points: np.ndarray
    variety: Variety | None = None
    noise: np.ndarray = field(default_factory=lambda: np.zeros(1))
    units: np.ndarray = field(default_factory=lambda: np.ones(1))
    outliers: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=int))
    options: dict = field(default_factory=dict)
    twin: bool = False
    exact: np.ndarray | None = None


Maker = Callable[[Case, np.random.Generator], Sample]
Lister = Callable[[Sequence[str], int, Sequence[int]], list[tuple[str, float, int, int, int]]]


@dataclass(frozen=True)
class Kind:
    """One row: its name, the issue's goal in words, its cases, and how a sample of them is made.

    `only_clear`: cases whose truth does not stand clear are left out of the count. `reports_noise`: the noise of each
    variable is compared with the truth.
    """

    name: str
    goal: str
    cases: Lister
    make: Maker
    only_clear: bool = True
    reports_noise: bool = False


# ----------------------------------------------------------------------------------------------- shapes of their own


def _sample_mild(rng, n):
    u, height = rng.uniform(0, 1, (2, n))
    across = u * np.sqrt(1 - 0.01 * height)
    return np.stack([across, height, np.sqrt(np.maximum(1 - across**2 - 0.01 * height, 0))], axis=1)


def _sample_arc(rng, n):
    angle = rng.uniform(-TAU / 12, TAU / 12, n) + TAU / 5  # no axis of the arc along one of the coordinates
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)


def _sample_circle_and_flag(rng, n):
    angle = rng.uniform(0, TAU, n)
    return np.stack([np.cos(angle), np.sin(angle), rng.integers(0, 2, n)], axis=1)


def _sample_plane_and_flag(rng, n):
    u, v = rng.uniform(-1, 1, (2, n))
    return np.stack([u, v, u + 2 * v, rng.integers(0, 2, n)], axis=1)


def _nowhere(points):
    raise NotImplementedError("distances from this shape are not needed by the benchmark")


_q = sp.Symbol("q", real=True)
OWN = {
    shape.name: shape
    for shape in (
        Variety("mild quadric", 2, (x, y, z), (x**2 + z**2 + y / 100 - 1,), _sample_mild, _nowhere),
        Variety("60-degree arc", 1, (x, y), (x**2 + y**2 - 1,), _sample_arc, _nowhere),
        Variety("circle, yes/no", 1, (x, y, _q), (x**2 + y**2 - 1, _q**2 - _q), _sample_circle_and_flag, _nowhere),
        Variety("plane, yes/no", 2, (x, y, z, _q), (z - x - 2 * y, _q**2 - _q), _sample_plane_and_flag, _nowhere),
    )
}


def shape_of(name: str) -> Variety:
    """The variety of this name, of any group."""
    if name in OWN:
        return OWN[name]
    return next(variety for group in GROUPS.values() for variety in group if variety.name == name)


# ------------------------------------------------------------------------------------------------------- the cases


def _each(levels=LEVELS, variants=None):
    """Every shape of the groups, at each level; `variants` is a number of them, or "coordinates"."""

    def cases(names, n, seeds):
        def many(name):
            return range(len(shape_of(name).variables) if variants == "coordinates" else variants or 1)

        return [(name, level, variant, n, seed)
                for name, level, seed in product(names, levels, seeds) for variant in many(name)]  # fmt: skip

    return cases


def _fixed(shapes, levels=(2.0,), repeats=6, n=None, variants=1):
    """Shapes of the kind's own choice, `repeats` times for each seed asked for."""

    def cases(names, wanted, seeds):
        every = [repeats * seed + k for seed in seeds for k in range(repeats)]
        return [(shape, level, variant, n or wanted, seed)
                for shape, level, variant, seed in product(shapes, levels, range(variants), every)]  # fmt: skip

    return cases


# ------------------------------------------------------------------------------------------------------- the noise


def _level(case, exact):
    return case.percent / 100 * spread(exact)


def _with_noise(case, rng, draw, share=None, **rest):
    """The shape with noise `draw(rng, size)` of unit variance, times the level, times `share` of each number."""
    variety = shape_of(case.shape)
    exact = variety.sampler(rng, case.n)
    sigma = _level(case, exact) * (np.ones(exact.shape[1]) if share is None else share(case, rng, exact))
    return Sample(exact + sigma * draw(rng, exact.shape), variety, sigma, np.ones(exact.shape[1]), **rest)


def _normal(rng, size):
    return rng.normal(size=size)


def _loud(quiet):
    """Coordinate number `variant` has the whole noise, the others `quiet` of it."""

    def share(case, rng, exact):
        return np.where(np.arange(exact.shape[1]) == case.variant, 1.0, quiet)

    return share


def _pointwise(case, rng, exact):
    return np.exp(rng.normal(0, 0.7, (len(exact), 1))) * np.ones(exact.shape)


def _only_flagless(case, rng, exact):
    return np.r_[np.ones(exact.shape[1] - 1), 0.0]


def _plain(draw=_normal, share=None):
    return lambda case, rng: _with_noise(case, rng, draw, share)


def _relative(case, rng):
    variety = shape_of(case.shape)
    exact = variety.sampler(rng, case.n)
    sigma = case.percent / 100 * np.abs(exact)
    return Sample(exact + sigma * rng.normal(size=exact.shape), variety, sigma, np.ones(exact.shape[1]))


FACTORS = (1e3, 1e6, 1e12)
"""By which one column is multiplied: up to what the issue names."""


def _units(case, rng):
    plain = _with_noise(case, rng, _normal)
    units = np.ones(plain.points.shape[1])
    units[rng.integers(len(units))] = FACTORS[case.variant]
    return Sample(plain.points * units, plain.variety, plain.noise, units, twin=True)


def _rounded(case, rng):
    """To two decimals: noise of standard deviation .01 / sqrt(12) on top of the given one."""
    plain = _with_noise(case, rng, _normal)
    return Sample(plain.points.round(2), plain.variety, np.hypot(plain.noise, 0.01 / np.sqrt(12)), plain.units)


def _mild(case, rng):
    """Noise .05 in the data's units, not of the spread."""
    exact = OWN["mild quadric"].sampler(rng, case.n)
    sigma = np.full(3, 0.05)
    return Sample(exact + sigma * rng.normal(size=exact.shape), OWN["mild quadric"], sigma, np.ones(3), exact=exact)


def _arc(case, rng):
    """Percentages of the radius here, not of the spread."""
    exact = OWN["60-degree arc"].sampler(rng, case.n)
    sigma = np.full(2, case.percent / 100)
    return Sample(exact + sigma * rng.normal(size=exact.shape), OWN["60-degree arc"], sigma, np.ones(2), exact=exact)


def _gross(percent):
    """So many per cent of the points replaced by uniform ones in a box three times as wide as the data's."""

    def make(case, rng):
        plain = _with_noise(case, rng, _normal)
        points = plain.points.copy()
        rows = np.sort(rng.choice(case.n, max(round(case.n * percent / 100), 1), replace=False))
        low, high = points.min(axis=0), points.max(axis=0)
        points[rows] = (low + high) / 2 + 1.5 * (high - low) * rng.uniform(-1, 1, (len(rows), points.shape[1]))
        return Sample(points, plain.variety, plain.noise, plain.units, rows)

    return make


def _far(case, rng):
    plain = _with_noise(case, rng, _normal)
    points = np.vstack([plain.points, [1e12, -1e12]])
    return Sample(points, plain.variety, plain.noise, plain.units, np.array([len(points) - 1]))


def _epsilon(case, rng):
    plain = _with_noise(case, rng, _normal)
    return Sample(plain.points, plain.variety, plain.noise, plain.units, options={"epsilon": float(plain.noise[0])},
                  twin=True)  # fmt: skip


def _degree(case, rng):
    plain = _with_noise(case, rng, _normal)
    return Sample(plain.points, plain.variety, plain.noise, plain.units,
                  options={"max_degree": max(plain.variety.degrees)}, twin=True)  # fmt: skip


# ------------------------------------------------------------------------------------------------------ the clouds


def _clouds(dimensions, sizes, repeats, variants=1):
    """Points around nothing: the shape's name says the number of variables."""

    def cases(names, n, seeds):
        every = [repeats * seed + k for seed in seeds for k in range(repeats)]
        return [(f"{d} variables", 0.0, variant, size, seed)
                for d, size, variant, seed in product(dimensions, sizes, range(variants), every)]  # fmt: skip

    return cases


def _cloud(draw):
    def make(case, rng):
        return Sample(draw(case, rng, (case.n, int(case.shape.split()[0]))).astype(float))

    return make


def _elongated(case, rng, size):
    return rng.normal(size=size) * np.linspace(1, 3, size[1])


def _covariance(case, rng, size):
    return rng.normal(size=size) @ rng.normal(size=(size[1], size[1])).T


def _integers(case, rng, size):
    """Counts of rate 3, or a die."""
    return rng.integers(1, 7, size) if case.variant else rng.poisson(3, size)


def _mixture(case, rng, size):
    """Two normal clouds whose centres are two standard deviations apart: one hump, seen from the side."""
    away = rng.normal(size=size[1])
    return rng.normal(size=size) + rng.choice([-1.0, 1.0], (size[0], 1)) * away / np.linalg.norm(away)


# --------------------------------------------------------------------------------------------------------- the rows

THREE = ("circle", "sphere", "twisted cubic")
FLAGS = ("circle, yes/no", "plane, yes/no")
CLOUD = _clouds(range(1, 7), (50, 300, 2000), 2)

KINDS = {
    kind.name: kind
    for kind in (
        Kind("equal", "as today", _each(), _plain(), reports_noise=True),
        Kind("units", "the same equations", _each(variants=len(FACTORS)), _units),
        Kind("one-coordinate", ">= 95 %", _each(variants="coordinates"), _plain(share=_loud(0.0)), reports_noise=True),
        Kind("unequal", ">= 95 %", _each(variants="coordinates"), _plain(share=_loud(0.1)), reports_noise=True),
        Kind("proportional", ">= 95 %", _each((1.0, 2.0, 5.0)), _relative),
        Kind("uniform", ">= 95 %", _each(), _plain(lambda rng, size: rng.uniform(-np.sqrt(3), np.sqrt(3), size))),
        Kind("uniform-2000", ">= 95 %", _fixed(("circle",), (3.0, 5.0), 4, 2000),
             _plain(lambda rng, size: rng.uniform(-np.sqrt(3), np.sqrt(3), size))),
        Kind("laplace", ">= 95 %", _each(), _plain(lambda rng, size: rng.laplace(0, 1 / np.sqrt(2), size))),
        Kind("rounded", ">= 95 %", _each((0.0, 2.0)), _rounded),
        Kind("pointwise", ">= 95 %", _each(), _plain(share=_pointwise)),
        *(Kind(f"outliers-{percent}", f">= {17 if percent < 20 else 15} of 18", _fixed(THREE), _gross(percent),
               only_clear=False) for percent in (1, 5, 10, 20)),
        Kind("far-point", "all, the point named", _fixed(("circle",)), _far, only_clear=False),
        *(Kind(f"mild-{n}", "all, in seconds", _fixed(("mild quadric",), (5.0,), repeats, n), _mild, only_clear=False)
          for n, repeats in ((300, 10), (1000, 10), (10_000, 4), (100_000, 2))),
        Kind("arcs", "39 of 40", _fixed(("60-degree arc",), (1.0, 2.0), 20, 100), _arc, only_clear=False),
        Kind("epsilon", "within 1 % of auto", _each(), _epsilon),
        Kind("max-degree", "never worse than without", _each(), _degree),
        Kind("yes-no", "both equations", _fixed(FLAGS, LEVELS), _plain(share=_only_flagless), only_clear=False),
        Kind("cloud-elongated", "claims <= 5 %", _clouds((2, 3, 4), (100, 500, 2000), 5), _cloud(_elongated)),
        Kind("cloud-covariance", "claims <= 5 %", _clouds((2, 3, 4, 5), (500,), 10), _cloud(_covariance)),
        Kind("cloud-isotropic", "claims <= 2 %", CLOUD, _cloud(lambda case, rng, size: rng.normal(size=size))),
        Kind("cloud-t3", "claims <= 2 %", CLOUD, _cloud(lambda case, rng, size: rng.standard_t(3, size))),
        Kind("cloud-lognormal", "claims <= 2 %", CLOUD, _cloud(lambda case, rng, size: rng.lognormal(size=size))),
        Kind("cloud-integers", "claims <= 2 %", _clouds(range(1, 7), (50, 300, 2000), 1, 2), _cloud(_integers)),
        Kind("cloud-mixture", "claims <= 2 %", CLOUD, _cloud(_mixture)),
    )
}  # fmt: skip


def cases_of(kind: str, names: Sequence[str], n: int, seeds: Sequence[int]) -> list[Case]:
    """All cases of one row, on these shapes where the row has none of its own."""
    return [Case(kind, *rest) for rest in KINDS[kind].cases(names, n, seeds)]


def sample_of(case: Case) -> Sample:
    """The sample of a case: always the same one."""
    words = [zlib.crc32(word.encode()) for word in (case.kind, case.shape)]
    rng = np.random.default_rng([case.seed, case.n, round(1000 * case.percent), case.variant, *words])
    return KINDS[case.kind].make(case, rng)
