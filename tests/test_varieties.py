"""The known varieties are what they claim: equations, samples, distances and the comparison of coefficient spaces."""

import dataclasses

import numpy as np
import pytest
import scipy.linalg
import sympy as sp
from scipy.spatial import cKDTree

from tests.benchmarks.readable import is_simple
from tests.benchmarks.readable_shapes import PLAIN, SIMPLE
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
from tests.varieties import (
    BY_NAME,
    SECOND,
    VARIETIES,
    coefficient_space,
    exponents,
    monomials,
    principal_angle,
    recovery_angle,
    spread,
)

IN_RANGES = BLIND + SEALED + CLOSED + UNTOUCHED + LATER + OTHER + FURTHER  # as they are measured
IN_UNITS = UNSEEN + IN_RANGES  # of their own, up to hundreds
USED_UP = FRESH + LAST + IN_UNITS  # nothing about them changes any more
EVERY = VARIETIES + SECOND + USED_UP
every_variety = pytest.mark.parametrize("variety", [
    pytest.param(variety, marks=pytest.mark.slow) if variety in USED_UP else variety for variety in EVERY],
    ids=lambda variety: variety.name)


@pytest.fixture
def rng():
    return np.random.default_rng(20180202)


def values(variety, points):
    return np.stack([sp.lambdify(variety.variables, g)(*points.T) for g in variety.generators])


def normals(variety, points, rng):
    """A random unit vector orthogonal to the variety at each point: a combination of the equations' gradients."""
    jacobian = sp.lambdify(variety.variables, sp.Matrix(variety.generators).jacobian(variety.variables))
    gradients = np.stack([jacobian(*point) for point in points])
    combined = np.einsum("ng,ngd->nd", rng.normal(size=gradients.shape[:2]), gradients)
    return combined / np.linalg.norm(combined, axis=1, keepdims=True)


def test_names_are_unique():
    assert len(BY_NAME) == len(VARIETIES) + len(SECOND)
    assert len({variety.name for variety in EVERY + SIMPLE + PLAIN}) == len(EVERY + SIMPLE + PLAIN)


def rank(variety, points):
    """Rank of the equations' Jacobian at most of the points."""
    jacobian = sp.lambdify(variety.variables, sp.Matrix(variety.generators).jacobian(variety.variables))
    return int(np.median([np.linalg.matrix_rank(jacobian(*point), tol=1e-6) for point in points]))


@pytest.mark.parametrize("variety", LAST + IN_UNITS, ids=lambda variety: variety.name)
def test_dimension_is_that_of_the_tangent_space(variety, rng):
    points = variety.sampler(rng, 60)
    assert variety.dimension == len(variety.variables) - rank(variety, points)


def test_the_last_group_is_wide():
    assert len(LAST) >= 25
    assert {len(variety.variables) for variety in LAST} == {2, 3, 4, 5, 6}
    assert {degree for variety in LAST for degree in variety.degrees} == {1, 2, 3, 4}


def test_the_unseen_group_is_wide():
    assert len(UNSEEN) == 30
    assert {len(variety.variables) for variety in UNSEEN} == {2, 3, 4, 5, 6}
    assert {degree for variety in UNSEEN for degree in variety.degrees} == {1, 2, 3, 4, 5}


def test_the_blind_group_is_wide():
    assert len(BLIND) == 32
    assert {len(variety.variables) for variety in BLIND} == {2, 3, 4, 5, 6}
    assert {degree for variety in BLIND for degree in variety.degrees} == {1, 2, 3, 4}


def test_the_sealed_group_is_wide():
    assert len(SEALED) == 30
    assert {len(variety.variables) for variety in SEALED} == {2, 3, 4, 5, 6}
    assert {degree for variety in SEALED for degree in variety.degrees} == {1, 2, 3, 4}


def test_the_closed_group_is_wide():
    assert len(CLOSED) == 30
    assert {len(variety.variables) for variety in CLOSED} == {2, 3, 4, 5, 6}
    assert {degree for variety in CLOSED for degree in variety.degrees} == {1, 2, 3, 4}


def test_the_untouched_group_is_wide():
    assert len(UNTOUCHED) == 30
    assert {len(variety.variables) for variety in UNTOUCHED} == {2, 3, 4, 5, 6}
    assert {degree for variety in UNTOUCHED for degree in variety.degrees} == {1, 2, 3, 4}


def test_the_later_group_is_wide():
    assert len(LATER) == 39
    assert {len(variety.variables) for variety in LATER} == {2, 3, 4, 5, 6}
    assert {degree for variety in LATER for degree in variety.degrees} == {1, 2, 3, 4}


def test_the_other_group_is_wide():
    assert len(OTHER) == 41
    assert {len(variety.variables) for variety in OTHER} == {2, 3, 4, 5, 6}
    assert {degree for variety in OTHER for degree in variety.degrees} == {1, 2, 3, 4, 6}


def test_the_further_group_is_wide():
    assert len(FURTHER) == 47
    assert {len(variety.variables) for variety in FURTHER} == {2, 3, 4, 5, 6}
    assert {degree for variety in FURTHER for degree in variety.degrees} == {1, 2, 3, 4, 5, 6}


@pytest.mark.parametrize("variety", IN_RANGES, ids=lambda variety: variety.name)
def test_columns_of_the_later_groups_are_of_use(variety, rng):
    """Each occurs in an equation, and none is more than 30 times as wide as another."""
    assert set().union(*(poly.free_symbols for poly in variety.polys)) == set(variety.variables)
    wide = variety.sampler(rng, 2000).std(axis=0)
    assert wide.max() < 30 * wide.min()


@pytest.mark.parametrize("variety", IN_UNITS, ids=lambda variety: variety.name)
def test_each_degree_has_so_many_new_equations(variety, rng):
    """Polynomials that vanish on 2000 points, less the multiples of generators of lower degree: counted by rank."""
    points = variety.sampler(rng, 2000)
    centre, scale = points.mean(axis=0), spread(points)
    for degree in range(1, max(variety.degrees) + 2):
        table = monomials((points - centre) / scale, degree)
        vanishing = table.shape[1] - np.linalg.matrix_rank(table, tol=1e-10 * np.linalg.norm(table, 2))
        lower = [poly for poly in variety.polys if poly.total_degree() < degree]
        old = coefficient_space(lower, len(variety.variables), degree, centre, scale).shape[1]
        assert vanishing - old == variety.degrees.count(degree)


@pytest.mark.parametrize("variety", PLAIN, ids=lambda variety: variety.name)
def test_plain_shapes_have_simple_numbers(variety, rng):
    """Simple they are, and their equations are all that vanish on a sample, up to one degree past them."""
    assert is_simple(variety)
    points = variety.sampler(rng, 300)
    assert np.abs(values(variety, points)).max() < 1e-12
    for degree in range(1, max(variety.degrees) + 2):
        vanishing = scipy.linalg.null_space(monomials(points / spread(points), degree), rcond=1e-10)
        assert principal_angle(variety.coefficient_space(degree, 0, spread(points)), vanishing) < 1e-5


def test_a_variety_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        VARIETIES[0].name = "square"


@every_variety
def test_samples_satisfy_the_generators(variety, rng):
    points = variety.sampler(rng, 1000)
    assert points.shape == (1000, len(variety.variables))
    assert np.abs(values(variety, points)).max() < (1e-9 if variety in IN_UNITS else 1e-12)


@every_variety
def test_generators_give_every_vanishing_polynomial_and_no_more(variety, rng):
    """Up to one degree past the generators, their span is the null space of the monomials on a sample."""
    points = variety.sampler(rng, 200)
    centre, scale = points.mean(axis=0), spread(points)
    for degree in range(1, max(variety.degrees) + 2):
        values = monomials((points - centre) / scale, degree)
        vanishing = scipy.linalg.null_space(values, rcond=1e-10)
        sizes = scipy.linalg.svdvals(values)
        # rounding turns a null space by its size over the smallest of the other singular values
        smallest = sizes[sizes > 1e-10 * sizes[0]][-1]
        turned = len(points) * np.finfo(float).eps * sizes[0] / smallest
        assert principal_angle(variety.coefficient_space(degree, centre, scale), vanishing) < max(1e-5, turned)
    assert list(variety.degrees) == sorted(variety.degrees)


@every_variety
def test_generators_are_minimal(variety):
    for left_out in range(len(variety.generators)):
        rest = variety.polys[:left_out] + variety.polys[left_out + 1 :]
        degree = variety.degrees[left_out]
        smaller = coefficient_space(rest, len(variety.variables), degree)
        assert smaller.shape[1] < variety.coefficient_space(degree).shape[1]


@every_variety
def test_distance_is_zero_on_the_variety(variety, rng):
    points = variety.sampler(rng, 2000)[::20]
    assert variety.distance(points).max() < 1e-9 * spread(points)


@every_variety
def test_distance_along_a_normal(variety, rng):
    """Moved by h, a point is h away: never more, and less only near another branch or a cusp."""
    points = variety.sampler(rng, 200)
    h = 1e-3 * spread(points)
    found = variety.distance(points + h * normals(variety, points, rng))
    assert found.max() < h * (1 + 1e-6)
    assert np.mean(np.abs(found - h) < 1e-9 * spread(points)) > 0.95


@every_variety
def test_distance_of_noisy_points_against_brute_force(variety, rng):
    """No sampled point is closer than the distance, and in a dense sample one is nearly as close."""
    noisy = variety.noisy(rng, 200, 0.1 if variety in LAST + IN_UNITS else 0.2)  # flat pieces with long edges
    dense = variety.sampler(rng, 50_000)
    scale = spread(dense)
    brute, found = cKDTree(dense).query(noisy)[0], variety.distance(noisy)
    assert np.all(found <= brute + 1e-9 * scale)
    if variety.dimension > 2:
        return  # no sample is dense: of 50 000 points the nearest are 3 to 10 % of the spread apart
    # the sample is a bounded piece: points beyond its ends are nearer to the variety than to it
    assert np.mean(brute - found < 0.02 * scale) > 0.85


def test_distance_where_the_nearest_point_is_not_unique():
    ellipse, saddle = BY_NAME["ellipse"], BY_NAME["saddle"]
    assert ellipse.distance([[0, 1], [1, 1]]) == pytest.approx([1, np.sqrt(7 / 8)], rel=1e-9)
    # on the axis of z = x^2 - y^2 below -1/2 the nearest points have x = 0 and y^2 = -z - 1/2
    assert saddle.distance([[0, 0, -2], [0, 0, -0.25]]) == pytest.approx([np.sqrt(7) / 2, 0.25], rel=1e-9)
    assert BY_NAME["lemniscate"].distance([[0, 0], [2, 0]]) == pytest.approx([0, 1], abs=1e-9)


def test_noise_is_a_fraction_of_the_spread(rng):
    noisy = BY_NAME["circle"].noisy(rng, 20_000, 0.05)
    assert np.std(np.linalg.norm(noisy, axis=1)) == pytest.approx(0.05, rel=0.03)


def test_coefficients_in_centred_and_scaled_coordinates(rng):
    torus = BY_NAME["torus"]
    points = torus.sampler(rng, 50)
    centre, scale = np.array([3.0, -1.0, 0.5]), 2.5
    space = torus.coefficient_space(4, centre, scale)
    assert space.shape == (len(exponents(3, 4)), 1)
    assert np.abs(monomials((points - centre) / scale, 4) @ space).max() < 1e-13


def test_principal_angle_of_a_known_rotation(rng):
    frame = np.linalg.qr(rng.normal(size=(8, 4)))[0]
    true, away = frame[:, :2], frame[:, 2:]
    angles = np.radians([1e-6, 7.0])
    tilted = true * np.cos(angles) + away * np.sin(angles)
    assert principal_angle(tilted @ rng.normal(size=(2, 2)), true) == pytest.approx(7)
    assert principal_angle(tilted[:, :1], true[:, :1]) == pytest.approx(1e-6, rel=1e-6)
    assert principal_angle(true, true[:, :1]) == 90
    assert principal_angle(true[:, :0], true[:, :0]) == 0


@every_variety
def test_recovery_angle_is_zero_for_the_truth_in_other_words(variety):
    """Mixing equations of one degree, and adding multiples of lower ones, changes nothing."""
    polys = list(variety.polys)
    for i in range(1, len(polys)):
        room = polys[i].total_degree() - polys[i - 1].total_degree()
        polys[i] = 3 * polys[i] - 2 * polys[i - 1] * sp.Poly((1 + variety.variables[0]) ** room, *variety.variables)
    assert recovery_angle(polys, variety, 0.25, 2.0) < 1e-6


def test_recovery_angle_of_wrong_equations():
    x, y = sp.symbols("x y", real=True)
    circle = BY_NAME["circle"]
    h = 0.1  # the angle between the coefficients (1, 1, -1) and (1, 1, -1 - h)
    expected = np.degrees(np.arccos((3 + h) / np.sqrt(3 * (2 + (1 + h) ** 2))))
    assert recovery_angle([sp.Poly(x**2 + y**2 - 1 - h, x, y)], circle, 0.0, 1.0) == pytest.approx(expected)
    assert recovery_angle([], circle, 0.0, 1.0) == 90
    assert recovery_angle([sp.Poly(x, x, y)], circle, 0.0, 1.0) == 90
    tilted = BY_NAME["tilted circle"]
    assert recovery_angle(tilted.polys[:1], tilted, 0.0, 1.0) == 90
