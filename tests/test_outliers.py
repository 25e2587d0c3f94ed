"""Gross errors: they lose their say, and are named."""

import numpy as np
import pytest

import symknot
from symknot.fitting.finding import MOST_POINTS, find_equations
from symknot.fitting.outliers import distances_seen, lonely, named, tukey
from symknot.reading.points import read_points
from tests.varieties import BY_NAME


def circle(rng, n=500, noise=0.02):
    t = rng.uniform(0, 2 * np.pi, n)
    return np.c_[np.cos(t), np.sin(t)] + noise * rng.normal(size=(n, 2))


def test_one_point_far_away():
    X = circle(np.random.default_rng(0))
    X[7] = [1e12, -1e12]
    ideal = symknot.fit(X, names=["x", "y"])
    assert str(ideal).startswith("x**2 + y**2 = 1 ") and ideal.outliers.tolist() == [7]
    assert ideal.assignment[7] == -1 and "1 outlier, on no equation: row 7" in str(ideal)


@pytest.mark.parametrize("row", [3, 7])
def test_one_point_far_away_among_more_than_the_search_looks_at(row):
    rng = np.random.default_rng(0)
    X = circle(rng, 2 * MOST_POINTS)
    X[row] = [1e12, -1e12]
    ideal = symknot.fit(X, names=["x", "y"])
    assert str(ideal).startswith("x**2 + y**2 = 1 ") and row in ideal.outliers and len(ideal.outliers) <= 3
    assert ideal.assignment[row] == -1


def test_gross_errors_have_no_say_where_epsilon_is_given():
    rng = np.random.default_rng(0)
    X = circle(rng)
    X[:25] = rng.uniform(2, 3, (25, 2))
    ideal = symknot.fit(X, 0.02, names=["x", "y"])
    assert str(ideal).startswith("x**2 + y**2 = 1 ") and np.isin(np.arange(25), ideal.outliers).all()


@pytest.mark.parametrize("name, share", [
    ("circle", 0.01), ("circle", 0.2), ("sphere", 0.05), ("sphere", 0.2), ("twisted cubic", 0.1),
    *(pytest.param(*slow, marks=pytest.mark.slow) for slow in (
        ("circle", 0.05), ("circle", 0.1), ("sphere", 0.01), ("sphere", 0.1),
        ("twisted cubic", 0.01), ("twisted cubic", 0.05), ("twisted cubic", 0.2)))])
def test_gross_errors(name, share):
    variety, rng = BY_NAME[name], np.random.default_rng(1)
    X = variety.noisy(rng, 500, 0.02)
    m, centre, reach = int(500 * share), (X.max(axis=0) + X.min(axis=0)) / 2, 1.5 * np.ptp(X, axis=0)
    X[:m] = centre + rng.uniform(-1, 1, (m, X.shape[1])) * reach
    ideal = symknot.fit(X)
    assert sorted(g.degree for g in ideal.polynomials) == sorted(variety.degrees)
    gross = np.flatnonzero(variety.distance(X[:m]) > 0.2)
    assert np.isin(gross, ideal.outliers).all() and np.sum(ideal.outliers >= m) <= 5


def test_squares_trust_every_point_and_robust_can_be_asked_for():
    X = circle(np.random.default_rng(2))
    X[0] = [4, 4]
    robust, squares = (symknot.fit(X, loss=loss, names=["x", "y"]) for loss in ("robust", "squares"))
    assert robust.outliers.tolist() == [0] and len(squares.outliers) == 0 and (squares.assignment >= 0).all()
    with pytest.raises(symknot.InvalidOption, match="loss must be one of 'auto', 'squares', 'robust', got 'huber'"):
        symknot.fit(X, loss="huber")


def test_clean_data_have_no_outliers_and_keep_every_point():
    X = circle(np.random.default_rng(3))
    ideal = symknot.fit(X)
    assert len(ideal.outliers) <= 1 and (ideal.assignment >= 0).all()


def test_weights_and_levels():
    assert tukey(np.array([0.0, 5.99, 6.01]), np.ones(3, int)) == pytest.approx([1, 1.1e-5, 0], abs=1e-4)
    assert named(np.array([0.0, 3.0, 4.5] + [1.0] * 497), np.ones(500, int)).nonzero()[0].tolist() == [2]
    assert not lonely(np.random.default_rng(4).normal(size=(3, 2)), np.ones(3)).any()
    assert not lonely(np.zeros((20, 2)), np.ones(20)).any()


def test_outliers_survive_a_file(tmp_path):
    X = circle(np.random.default_rng(5))
    X[3] = [50, 50]
    ideal = symknot.fit(X)
    ideal.save(tmp_path / "fit.json")
    again = symknot.load(tmp_path / "fit.json")
    assert again.outliers.tolist() == ideal.outliers.tolist() == [3]
    assert np.array_equal(again.noise_errors, ideal.noise_errors)


def test_copies_are_neighbours():
    line = np.c_[np.arange(30.0), np.arange(30.0)]
    copies = np.ones(31)
    assert np.flatnonzero(lonely(np.r_[line, [[1e6, -1e6]]], copies)).tolist() == [30]
    copies[30] = 5
    assert not lonely(np.r_[line, [[1e6, -1e6]]], copies).any()


@pytest.mark.parametrize("size", [0.01, 0.05])
def test_points_without_noise_among_noisy_ones_are_no_outliers(size):
    """Noise proportional to the value leaves the origin where it is, and its copies count."""
    rng = np.random.default_rng(0)
    corners = np.array([[0, 0], [1, 0.3], [0.4, 1], [-1, 0.5], [-0.5, -1], [0.8, -0.7]])
    X = corners[rng.integers(0, 6, 500)]
    ideal = symknot.fit(X * (1 + size * rng.normal(size=X.shape)))
    assert sorted(g.degree for g in ideal.polynomials) == [3, 3, 3, 3] and len(ideal.knots) == 6
    distances = np.linalg.norm(ideal.knots[:, None] - corners, axis=2)
    assert distances.min(axis=0).max() < 0.5 * size


def test_lonely_points_that_make_noise_loud_are_doubted():
    """Five of 200 points, none of them far by the noise that they themselves make."""
    rng = np.random.default_rng(0)
    t = rng.uniform(0, 2 * np.pi, 200)
    X = np.c_[2 * np.cos(t), np.sin(t)] + 0.03 * rng.normal(size=(200, 2))
    X[:5] = rng.uniform(-3, 3, (5, 2))
    ideal = symknot.fit(X)
    assert ideal.outliers.tolist() == [0, 1, 2, 3, 4] and ideal.noise_level == pytest.approx(0.03, rel=0.15)


def test_a_noise_that_is_given_is_in_the_same_units_beside_a_point_far_out():
    rng = np.random.default_rng(0)
    angle = rng.uniform(0, 2 * np.pi, 200)
    points = np.c_[2 * np.cos(angle), np.sin(angle)] + 0.03 * rng.normal(size=(200, 2))
    ideal = symknot.fit(np.vstack([points, [40, 50]]), 0.03, max_degree=2)
    assert [g.degree for g in ideal.polynomials] == [2] and ideal.polynomials[0].residual == pytest.approx(0.03, rel=0.2)


def between_two_circles(rng, n=600):
    t = rng.uniform(0, 2 * np.pi, n)
    return rng.choice([0.5, 1.0], n)[:, None] * np.c_[np.cos(t), np.sin(t)] + 0.02 * rng.normal(size=(n, 2))


def test_slopes_that_fall_off_make_no_outliers():
    """Towards the middle between two circles first-order distances are too long, and named good points in every third set."""
    rng = np.random.default_rng(11)
    fits = [symknot.fit(between_two_circles(rng)) for _ in range(5)]
    assert [len(ideal.outliers) for ideal in fits] == [0] * 5 and all(ideal.polynomials[0].degree == 4 for ideal in fits)


def seen_from(finding, X):
    """Distances of points from what was found, in the units of the points."""
    found, coordinates, points = finding.searched.found, finding.coordinates, finding.before
    values = (points.inside(X) - coordinates.centre) / coordinates.spreads
    size, freedom = distances_seen(found, values, np.ones_like(values))
    assert freedom.tolist() == [1] * len(X)
    return size * found.metric[0] * coordinates.spreads[0] * points.scale[0]


def test_distances_are_those_from_the_nearest_zeros():
    finding = find_equations(read_points(between_two_circles(np.random.default_rng(0)), noise=[1, 1]), noise="given")
    radii = np.array([0.42, 0.58, 0.62, 0.65, 0.85, 0.92])
    distances = seen_from(finding, np.c_[radii * np.cos(2.0), radii * np.sin(2.0)])
    assert distances == pytest.approx(np.minimum(abs(radii - 0.5), abs(radii - 1)), abs=0.012)     # of circles known to .006
    assert (seen_from(finding, np.array([[1.3, 0], [30, 40], [1e6, 0]])) > 0.15).all()


def test_where_no_zero_is_reached_first_order_counts():
    """In the middle of a circle there is no slope to follow; the distance is that of the value over the weakest slope."""
    t = np.linspace(0, 6.28, 300)
    points = np.c_[np.cos(t), np.sin(t)] + 0.01 * np.random.default_rng(0).normal(size=(300, 2))
    finding = find_equations(read_points(points, noise=[1, 1]), noise="given")
    assert seen_from(finding, np.zeros((1, 2)))[0] > 0.9
