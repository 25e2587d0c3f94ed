"""What must not matter: repetition, units, origin, order of points and of variables, and how many points there are.

Ideals are compared by the spans of their coefficient vectors, degree by degree, in units of the data's spread.
"""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import sympy
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import symknot
from symknot import Status
from tests.varieties import BY_NAME, coefficient_space, principal_angle, spread

POINTS = 240
SAME = 0.01
"""Degrees of angle within which two fits that differ by rounding agree."""

# no shrinking: a case is a name and a few numbers already, and every attempt would be another fit
QUICK = settings(max_examples=12, deadline=None, derandomize=True, phases=[Phase.explicit, Phase.generate])

names = st.sampled_from(["circle", "ellipse", "crossing lines", "line in space", "4 points in space", "twisted cubic",
                         "two quadrics", "tilted circle", "parabola", "6 points in the plane", "sphere"])
cases = st.tuples(names, st.sampled_from([0.0, 0.01, 0.02]), st.integers(0, 1), st.sampled_from(["auto", "given"]))


class Sample:
    """Noisy points of a variety, the epsilon to use, and their fit."""

    def __init__(self, name, noise, seed, mode):
        self.X = BY_NAME[name].noisy(np.random.default_rng(seed), POINTS, noise)
        self.centre, self.spread = self.X.mean(axis=0), spread(self.X)
        self.epsilon = "auto" if mode == "auto" else max(1.5 * noise, 1e-6) * self.spread
        self.ideal = symknot.fit(self.X, self.epsilon)
        self.spaces = spaces(self.ideal, self.centre, self.spread)

    def epsilon_times(self, factor):
        return self.epsilon if self.epsilon == "auto" else factor * self.epsilon


sample = cache(Sample)


def spaces(ideal, centre, scale, order=None, stretch=None):
    """Degree -> coefficient space of all equations up to it.

    `order` says where each original variable is now; `stretch` that variable j has been divided by stretch[j].
    """
    d = len(ideal.names)
    order = range(d) if order is None else order
    stretch = np.ones(d) if stretch is None else stretch
    symbols = sympy.symbols(f"v:{d}")
    polys = []
    for g in ideal.polynomials:
        terms = {tuple(e[j] for j in order): sympy.Rational(c.numerator, c.denominator) for e, c in g.terms.items()}
        terms = {e: c / sympy.prod(sympy.Rational(float(s)) ** k for s, k in zip(stretch, e)) for e, c in terms.items()}
        polys.append(sympy.Poly.from_dict(terms, *symbols, domain="QQ"))
    return {t: coefficient_space(polys, d, t, centre, scale) for t in {g.degree for g in ideal.polynomials}}


def assert_same(found, wanted, tolerance=SAME):
    assert found.keys() == wanted.keys()
    angles = {t: principal_angle(found[t], wanted[t]) for t in wanted}
    assert all(angle <= tolerance for angle in angles.values()), angles


def knot_of_each(ideal):
    return ideal.knots[ideal.assignment]


def assert_same_knots(found, wanted, size):
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-4 * size)


# --------------------------------------------------------------------------------------------------------- repetition


@QUICK
@given(cases, st.integers(2, 3))
def test_repeating_every_point(case, times):
    s = sample(*case)
    found = symknot.fit(np.tile(s.X, (times, 1)), s.epsilon)
    assert_same(spaces(found, s.centre, s.spread), s.spaces)
    assert found.status is s.ideal.status and len(found.knots) == len(s.ideal.knots)
    np.testing.assert_allclose(found.knot_weights, times * s.ideal.knot_weights, rtol=1e-9)


@QUICK
@given(cases, st.integers(0, 99))
def test_weights_are_repetitions(case, seed):
    s = sample(*case)
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, 4, len(s.X))
    rows = rng.permutation(np.repeat(np.arange(len(s.X)), counts))
    weighted, repeated = symknot.fit(s.X, s.epsilon, weights=counts), symknot.fit(s.X[rows], s.epsilon)
    assert weighted.status is repeated.status
    assert_same(spaces(repeated, s.centre, s.spread), spaces(weighted, s.centre, s.spread))
    assert_same_knots(knot_of_each(repeated), knot_of_each(weighted)[rows], s.spread)
    assert weighted.knot_weights.sum() == pytest.approx(len(s.X))
    assert repeated.knot_weights.sum() == pytest.approx(len(rows))


@pytest.mark.parametrize("times", [2, 3])
def test_repeating_points_in_which_there_is_no_equation(times):
    """A cloud stays a cloud when the file is read several times over (from four times on it counts as exact)."""
    X = np.random.default_rng(0).normal(size=(60, 2))
    assert symknot.fit(X).status is Status.NO_GAP
    assert symknot.fit(np.tile(X, (times, 1))).status is Status.NO_GAP


@pytest.mark.parametrize(("kind", "d"), [("normal", 1), ("normal", 2), ("uniform", 1), ("uniform", 2)])
def test_clouds_have_no_equation(kind, d):
    """Where no equation stands clear the spectrum says so; one slip in ten at a hundred points is what it may make."""
    clouds = [getattr(np.random.default_rng(seed), kind)(size=(100, d)) for seed in range(20)]
    assert sum(symknot.spectrum(X).gap is not None for X in clouds) <= 2


# --------------------------------------------------------------------------------------------------- units and origin


@QUICK
@given(cases, st.sampled_from([1e3, 1e-3, 7.0, 1e-12]))
def test_units(case, factor):
    s = sample(*case)
    found = symknot.fit(factor * s.X, s.epsilon_times(factor))
    assert_same(spaces(found, factor * s.centre, factor * s.spread), s.spaces)
    assert found.status is s.ideal.status
    if s.ideal.epsilon is not None:
        assert found.epsilon == pytest.approx(factor * s.ideal.epsilon, rel=1e-4)
    assert found.delta == pytest.approx(factor * s.ideal.delta, rel=1e-9)
    assert_same_knots(knot_of_each(found) / factor, knot_of_each(s.ideal), s.spread)
    np.testing.assert_allclose(np.sort([g.residual for g in found.polynomials]) / factor,
                               np.sort([g.residual for g in s.ideal.polynomials]), rtol=1e-3, atol=1e-10 * s.spread)


@QUICK
@given(cases, st.lists(st.floats(-100, 100), min_size=3, max_size=3))
def test_origin(case, shift):
    s = sample(*case)
    shift = np.array(shift[: s.X.shape[1]])
    found = symknot.fit(s.X + shift, s.epsilon)
    assert_same(spaces(found, s.centre + shift, s.spread), s.spaces)
    assert found.status is s.ideal.status
    assert_same_knots(knot_of_each(found) - shift, knot_of_each(s.ideal), s.spread)


@QUICK
@given(cases, st.lists(st.floats(1e-3, 1e3), min_size=3, max_size=3))
def test_noise_is_a_unit_for_each_variable(case, noise):
    s = sample(*case)
    noise = np.array(noise[: s.X.shape[1]])
    found, wanted = symknot.fit(s.X * noise, s.epsilon, noise=noise), symknot.fit(s.X, s.epsilon, noise="equal")
    assert_same(spaces(found, s.centre, s.spread, stretch=1 / noise), spaces(wanted, s.centre, s.spread))
    assert found.status is wanted.status
    if wanted.epsilon is not None:
        assert found.epsilon == pytest.approx(wanted.epsilon, rel=1e-4)
    assert_same_knots(knot_of_each(found) / noise, knot_of_each(wanted), s.spread)


# -------------------------------------------------------------------------------------------------------------- order


@QUICK
@given(cases, st.integers(0, 99))
def test_order_of_points(case, seed):
    s = sample(*case)
    order = np.random.default_rng(seed).permutation(len(s.X))
    found = symknot.fit(s.X[order], s.epsilon)
    assert_same(spaces(found, s.centre, s.spread), s.spaces)
    assert found.status is s.ideal.status
    assert_same_knots(knot_of_each(found), knot_of_each(s.ideal)[order], s.spread)


@pytest.mark.parametrize("stretch", [(1, 1, 2), (1, 2, 2), (1, 1, 3)])
def test_order_of_points_where_the_noise_differs_between_variables(stretch):
    """The spectrum still has its one wide gap, after six values, so the six quadrics must come out in any order."""
    X = BY_NAME["4 points in space"].noisy(np.random.default_rng(0), POINTS, 0.01) / stretch
    values = symknot.spectrum(X).degrees[1].values
    assert values[6] > 20 * values[5] and values[5] < 4 * values[0]
    a, b = symknot.fit(X), symknot.fit(np.random.default_rng(1).permutation(X))
    assert_same(spaces(a, X.mean(axis=0), spread(X)), spaces(b, X.mean(axis=0), spread(X)))
    assert [g.degree for g in a.polynomials] == [2] * 6 and len(a.knots) == 4


@QUICK
@given(cases, st.randoms(use_true_random=False))
def test_order_of_variables(case, random):
    s = sample(*case)
    order = list(range(s.X.shape[1]))
    random.shuffle(order)
    found = symknot.fit(s.X[:, order], s.epsilon)
    assert_same(spaces(found, s.centre, s.spread, order=np.argsort(order)), s.spaces)
    assert found.status is s.ideal.status
    assert_same_knots(knot_of_each(found), knot_of_each(s.ideal)[:, order], s.spread)


# -------------------------------------------------------------------------------------------------- number of points


@pytest.mark.parametrize("mode", ["auto", "given"])
@pytest.mark.parametrize("name", ["circle", "ellipse", "crossing lines", "line in space", "4 points in space",
                                  "twisted cubic", "two quadrics", "tilted circle", "sphere", "concentric circles"])
def test_number_of_points(name, mode):
    variety, noise = BY_NAME[name], 0.01
    few, many = (variety.noisy(np.random.default_rng(n), n, noise) for n in (500, 2000))
    centre, size = many.mean(axis=0), spread(many)
    epsilon = "auto" if mode == "auto" else 1.5 * noise * size
    a, b = symknot.fit(few, epsilon), symknot.fit(many, epsilon)
    assert [g.degree for g in a.polynomials] == [g.degree for g in b.polynomials] == sorted(variety.degrees)
    assert_same(spaces(a, centre, size), spaces(b, centre, size), tolerance=3.0)
    true = {t: variety.coefficient_space(t, centre, size) for t in set(variety.degrees)}
    assert_same(spaces(b, centre, size), true, tolerance=3.0)
    if mode == "auto":
        assert a.epsilon == pytest.approx(b.epsilon, rel=0.25)


# -------------------------------------------------------------------------------------------------------- determinism


def without_times(path):
    content = json.loads(path.read_text())
    for record in content["history"]:
        del record["seconds"]
    return content


@pytest.mark.parametrize("options", [{}, {"epsilon": 0.05}, {"epsilon": 0.05, "knotting": symknot.Penalty(), "max_degree": 2},
                                     {"epsilon": 0.05, "normalization": "coefficient", "max_degree": 3}])
@pytest.mark.parametrize("name", ["circle", "4 points in space", "two quadrics"])
def test_the_same_input_gives_the_same_file(name, options, tmp_path):
    X = BY_NAME[name].noisy(np.random.default_rng(3), 150, 0.01)
    for file in ("a.json", "b.json"):
        symknot.fit(X.copy(), **options).save(tmp_path / file)
    assert without_times(tmp_path / "a.json") == without_times(tmp_path / "b.json")


ANOTHER_PROCESS = f"""
import sys
sys.path.insert(0, {str(Path(symknot.__file__).parents[1])!r})
import numpy, symknot
symknot.fit(numpy.load(sys.argv[1])).save(sys.argv[2])
"""


def test_another_process_gives_the_same_file(tmp_path):
    X = BY_NAME["twisted cubic"].noisy(np.random.default_rng(3), 150, 0.01)
    np.save(tmp_path / "X.npy", X)
    symknot.fit(X).save(tmp_path / "here.json")
    for seed in ("1", "2"):
        subprocess.run([sys.executable, "-c", ANOTHER_PROCESS, str(tmp_path / "X.npy"), str(tmp_path / "there.json")],
                       check=True, timeout=120, env={**os.environ, "PYTHONHASHSEED": seed})
        assert without_times(tmp_path / "there.json") == without_times(tmp_path / "here.json")
