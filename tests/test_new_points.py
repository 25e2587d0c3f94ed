"""New points: the nearest point of the variety, its distance in units of the noise, and whether chance explains it."""

import numpy as np
import pytest
import sympy

import symknot
from symknot.fitting.nearest_points import nearest_points, noise_inside
from tests.varieties import VARIETIES, spread


def circle(noise=0.02, radius=2.0, n=400, seed=0):
    angle = np.linspace(0, 2 * np.pi, n, endpoint=False)
    rng = np.random.default_rng(seed)
    return np.c_[radius * np.cos(angle) + 5, radius * np.sin(angle) - 1] + noise * rng.normal(size=(n, 2))


@pytest.fixture(scope="module")
def exact_circle():
    return symknot.fit(circle(noise=0.0), 1e-3, max_degree=2)


@pytest.fixture(scope="module")
def noisy_circle():
    return symknot.fit(circle())


def around(points=300, seed=1):
    return np.random.default_rng(seed).normal(size=(points, 2)) * 3 + [5, -1]


def test_on_a_circle_the_foot_and_the_distance_are_known(exact_circle):
    X = np.r_[around(), [[3000.0, 4000.0]]]
    arrows = X - [5, -1]
    lengths = np.linalg.norm(arrows, axis=1)
    np.testing.assert_allclose(exact_circle.project(X), [5, -1] + 2 * arrows / lengths[:, None], atol=1e-7)
    unit = exact_circle.distance([7.5, -1]) / 0.5
    np.testing.assert_allclose(exact_circle.distance(X), np.abs(lengths - 2) * unit, rtol=1e-6, atol=1e-6 * unit)


def test_the_unit_is_the_noise(noisy_circle):
    """The fitted circle is an ellipse by a little: its own nearest points, found by brute force."""
    dense = noisy_circle.project(circle(noise=0.0, n=2000))
    X = around()
    away = np.array([np.linalg.norm(dense - x, axis=1).min() for x in X])
    np.testing.assert_allclose(noisy_circle.distance(X), away / noisy_circle.noise_level, rtol=1e-3, atol=1e-2)
    assert noisy_circle.noise_level == pytest.approx(0.02, rel=0.15)


def test_the_middle_of_a_circle_has_some_nearest_point(noisy_circle):
    """All are equally near there, and the steps along the variety have nothing to go by."""
    assert noisy_circle.distance([5, -1]) == pytest.approx(2 / noisy_circle.noise_level, rel=0.02)


@pytest.mark.parametrize("level", [0.01, 0.1])
def test_the_level_is_kept(noisy_circle, level):
    inside = noisy_circle.contains(circle(n=4000, seed=5), level=level)
    assert np.mean(~inside) == pytest.approx(level, abs=4 * np.sqrt(level / 4000) + 0.15 * level)


def test_codimension_two_has_two_degrees_of_freedom():
    rng = np.random.default_rng(0)
    t = np.linspace(-1, 1, 6000)
    curve = np.c_[t, t**2, t**3] + 0.01 * rng.normal(size=(6000, 3))
    ideal = symknot.fit(curve[::10], max_degree=2)
    assert len(ideal.polynomials) == 3
    middle = curve[1500:4500:3]
    assert np.mean(~ideal.contains(middle, level=0.05)) == pytest.approx(0.05, abs=0.025)
    np.testing.assert_allclose(np.mean(ideal.distance(middle) ** 2), 2, rtol=0.15)


@pytest.mark.parametrize("variety", VARIETIES, ids=lambda variety: variety.name)
def test_distances_from_known_varieties(variety):
    """Near points and far ones, on exact data: the distance that the variety itself knows."""
    rng = np.random.default_rng(0)
    points = variety.sampler(rng, 300)
    ideal = symknot.fit(points, noise="equal")             # in whose metric the variety knows its distance
    size = spread(points)
    X = points[:60] + size * np.repeat([0.05, 0.5], 30)[:, None] * rng.normal(size=(60, points.shape[1]))
    unit = noise_inside(ideal) * ideal.unit
    np.testing.assert_allclose(ideal.distance(X) * unit, variety.distance(X), atol=1e-9 * size)
    assert ideal.contains(ideal.knots).all() and not ideal.contains(X).any()


def test_knots_have_no_distance(noisy_circle):
    assert noisy_circle.distance(noisy_circle.knots).max() < 1e-9
    np.testing.assert_allclose(noisy_circle.project(noisy_circle.knots), noisy_circle.knots, atol=1e-9)


def test_isolated_points_are_their_own_nearest():
    corners = [[0, 0], [1, 0], [0, 1], [1, 1]]
    ideal = symknot.vca(corners, epsilon=1e-8)
    assert ideal.project([[0.2, 0.1], [0.9, 0.3], [3, 4]]).round(9).tolist() == [[0, 0], [1, 0], [1, 1]]
    assert ideal.contains(corners).all() and not ideal.contains([0.5, 0.5])


def test_the_tip_of_a_cusp():
    """Left of it the nearest point is the tip, a singular point: the noise has all its directions there."""
    t = np.linspace(-1, 1, 400)
    ideal = symknot.fit(np.c_[t**2, t**3], 1e-3, max_degree=3)
    assert [g.degree for g in ideal.polynomials] == [3]
    nearest = nearest_points(ideal, np.array([[-0.5, 0.0], [0.5, 0.0]]))
    np.testing.assert_allclose(nearest.points[0], [0, 0], atol=3e-4)
    assert nearest.freedom.tolist() == [2, 1]


def test_missing_numbers_and_shapes(noisy_circle):
    X = np.array([[7.0, -1.0], [np.nan, 0.0], [np.inf, 0.0]])
    assert np.isnan(noisy_circle.project(X)).tolist() == [[False, False], [True, True], [True, True]]
    assert np.isnan(noisy_circle.distance(X)).tolist() == [False, True, True]
    assert noisy_circle.contains(X).tolist() == [True, False, False]
    assert noisy_circle.project([7, -1]).shape == (2,) and isinstance(noisy_circle.distance([7, -1]), float)
    assert noisy_circle.contains([7, -1]) is True and noisy_circle.project(np.zeros((0, 2))).shape == (0, 2)
    with pytest.raises(symknot.InvalidPoints, match="shape"):
        noisy_circle.distance([1, 2, 3])


def test_without_equations_every_point_is_on_the_variety():
    ideal = symknot.fit(np.random.default_rng(0).normal(size=(100, 2)))
    assert not ideal.polynomials
    assert ideal.project([1, 2]).tolist() == [1, 2] and ideal.distance([1, 2]) == 0
    assert ideal.contains([[1, 2], [np.nan, 1]]).tolist() == [True, False]


def test_a_polynomial_is_still_asked_of_the_ideal(noisy_circle):
    x, y = noisy_circle.variables
    assert noisy_circle.contains(noisy_circle.polys[0].as_expr() * x) is True and noisy_circle.contains(x) is False
    with pytest.raises(symknot.InvalidOption, match="level"):
        noisy_circle.contains(x, level=0.1)
    with pytest.raises(symknot.InvalidOption, match="level"):
        noisy_circle.contains([1, 2], level=2)
    assert isinstance(x, sympy.Symbol)
