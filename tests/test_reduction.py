"""Knots as prototypes: how many, and that they tell classes apart; from data with known answers."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from sklearn.neighbors import KNeighborsClassifier

import symknot
from symknot.estimators import KnotNeighborsClassifier, KnotReducer, NoPolynomialWarning
from symknot.estimators.reduction import CENTROIDS, SAMPLES, Reduction, choose_reduction, reduced
from symknot.estimators.telling_apart import _add, centroids, moved_apart, without_idle

QUIET = pytest.mark.filterwarnings("ignore::symknot.estimators.NoPolynomialWarning")


def two_strips(n=200, seed=0):
    """Two long strips side by side, of unequal spread: the border is halfway between them, not between their means."""
    rng = np.random.default_rng(seed)
    X = np.c_[np.r_[rng.uniform(-9, 0, n), rng.uniform(0.2, 1.2, n)], rng.uniform(-1, 1, 2 * n)]
    return X, np.repeat([0, 1], n)


def error_and_slope(z, X, codes, ends, beta):
    slope = np.zeros_like(z)
    return _add(X, codes, z, ends, beta, slope), slope


def test_the_slope_is_that_of_the_error():
    rng = np.random.default_rng(0)
    X, codes = rng.normal(size=(40, 3)), rng.integers(0, 3, 40)
    z, ends = rng.normal(size=(6, 3)), np.array([0, 2, 4, 6])
    _, slope = error_and_slope(z, X, codes, ends, 5.0)
    numeric = approx_fprime(z.ravel(), lambda v: error_and_slope(v.reshape(6, 3), X, codes, ends, 5.0)[0], 1e-7)
    np.testing.assert_allclose(slope.ravel(), numeric, atol=1e-4)


def test_the_error_is_the_share_of_samples_next_to_a_wrong_knot():
    X, codes = two_strips()
    z, labels = np.array([[-4.5, 0.0], [0.7, 0.0]]), np.array([0, 1])
    wrong = np.sum(KNeighborsClassifier(1).fit(z, labels).predict(X) != codes)
    assert error_and_slope(z, X, codes, np.array([0, 1, 2]), 1e6)[0] == pytest.approx(wrong)
    assert wrong > 20                           # means do not tell these strips apart


def test_one_knot_for_each_strip_tells_them_apart_once_it_moves():
    X, codes = two_strips()
    still, moving = (KnotReducer(size=2, discriminative=one).fit(X, codes) for one in (False, True))
    np.testing.assert_allclose(still.knots_, [X[codes == c].mean(axis=0) for c in (0, 1)])
    errors = [np.mean(KNeighborsClassifier(1).fit(r.knots_, r.knot_labels_).predict(X) != codes) for r in (still, moving)]
    assert errors[0] > 0.05 and errors[1] <= 0.01
    assert moving.reduction_.steepness > 0 and KnotReducer(size=2).fit(X, codes).reduction_.steepness > 0
    assert abs(moving.knots_.mean(axis=0)[0] - 0.1) < 0.3         # the border between the two knots is the border of the strips


def test_moves_do_not_depend_on_units_and_places():
    X, codes = two_strips()
    start, labels = np.array([[-4.5, 0.0], [0.7, 0.0]]), np.array([0, 1])
    here = moved_apart(X, codes, start, labels, 10.0)
    there = moved_apart(1e3 * X + 7.0, codes, 1e3 * start + 7.0, labels, 10.0)
    np.testing.assert_allclose((there - 7.0) / 1e3, here, atol=1e-5)


@QUIET
def test_knots_that_merge_nothing_leave_the_points_where_they_are():
    """Two rings: the equations are right, their knots are as many as the points, and moving them would gain nothing."""
    rng = np.random.default_rng(1)
    angle, radius = rng.uniform(0, 6.28, 80), np.repeat([1.0, 2.0], 40) + 0.1 * rng.normal(size=80)
    X, y = np.c_[radius * np.cos(angle), radius * np.sin(angle)], np.repeat(["in", "out"], 40)
    reducer = KnotReducer("auto", standardize=False, size="equations").fit(X, y)
    assert [len(ideal.knots) for ideal in reducer.ideals_.values()] == [40, 40]
    np.testing.assert_array_equal(reducer.knots_, X)
    assert reducer.knotting_ratio_ == 1.0 and reducer.sample_weight_.tolist() == [1.0] * 80


def test_sizes_are_kept():
    X, y = two_strips()
    for size, count in ((2, 2), (0.05, 20), (40, 40), (1.0, 400), (400, 400), (9999, 400)):
        reducer = KnotReducer(size=size, discriminative=False).fit(X, y)
        assert len(reducer.knots_) == count and reducer.knot_weights_.sum() == 400
    assert KnotReducer(size=1, discriminative=False).fit(X, y).knot_labels_.tolist() == [0, 1]      # one for each class


def test_the_smallest_number_that_is_as_good():
    """Four blobs in the corners of a square, classes along its diagonals: two knots for each."""
    rng = np.random.default_rng(0)
    corners = np.array([[0, 0], [4, 4], [0, 4], [4, 0]])
    X, y = np.repeat(corners, 50, axis=0) + 0.3 * rng.normal(size=(200, 2)), np.repeat([0, 0, 1, 1], 50)
    model = KnotNeighborsClassifier().fit(X, y)
    assert len(model.knots_) == 4 and model.score(X, y) == 1.0
    assert sorted(model.knots_.round().tolist()) == sorted(corners.tolist())
    assert model.knot_weights_.tolist() == [50.0] * 4


def test_where_fewer_knots_err_more_the_samples_stay():
    """Pairs of twins, each pair with a label of its own: no other neighbour says anything about the class."""
    rng = np.random.default_rng(0)
    X = np.repeat(rng.uniform(0, 100, size=(300, 2)), 2, axis=0) + 1e-3 * rng.normal(size=(600, 2))
    y = np.repeat(rng.integers(0, 2, 300), 2)
    found = choose_reduction(X, y, [Reduction(SAMPLES)], True, (0.0, 2.0), lambda X, codes: (X, codes))
    assert found == Reduction(SAMPLES)
    knots, labels, weights = reduced(found, X, y, lambda X, codes: (X, codes))
    assert len(knots) == 600 and weights.tolist() == [1.0] * 600
    assert KNeighborsClassifier(1).fit(knots, labels).score(X, y) == 1.0


def test_a_knot_next_to_no_sample_is_left_out():
    X, codes = np.array([[0.0], [1.0], [5.0]]), np.array([0, 0, 1])
    knots, labels, weights = without_idle(X, codes, np.array([[0.4], [70.0], [5.0]]), np.array([0, 0, 1]))
    assert (knots.ravel().tolist(), labels.tolist(), weights.tolist()) == ([0.4, 5.0], [0, 1], [2.0, 1.0])


def test_centroids_of_few_different_points():
    X = np.repeat([[0.0, 0.0], [1.0, 1.0]], 10, axis=0)
    assert sorted(centroids(X, 5).tolist()) == [[0.0, 0.0], [1.0, 1.0]]
    assert centroids(X, 20) is X


def test_a_single_class_has_nothing_to_be_told_apart_from():
    X = np.random.default_rng(0).normal(size=(30, 2))
    knots, labels, weights = reduced(Reduction(CENTROIDS, 0.1, 10.0), X, np.zeros(30, int), lambda X, codes: (X, codes))
    assert len(knots) == 3 and not labels.any() and weights.sum() == 30
    assert KnotReducer(size=3).fit(X, np.zeros(30)).knots_.shape == (3, 2)


@pytest.mark.parametrize("options, words", [
    ({"size": "few"}, "size must be 'auto', 'equations'"), ({"size": 0}, "size must be a positive number"),
    ({"size": -0.5}, "size must be a positive number"), ({"discriminative": "yes"}, "discriminative must be True, False"),
])
def test_wrong_options_are_refused(options, words):
    X, y = two_strips(20)
    with pytest.raises(symknot.InvalidOption, match=words):
        KnotReducer(**options).fit(X, y)


def test_a_rare_class_is_not_given_up():
    """Two circles that overlap a little, 15 samples beside 600: one knot for each class is right in 97 %, in none of the 15."""
    rng = np.random.default_rng(2)
    def rings(many, few):
        angle, radius = rng.uniform(0, 2 * np.pi, many + few), np.r_[np.ones(many), np.full(few, 0.6)]
        return (np.c_[np.cos(angle), np.sin(angle)] * radius[:, None] + 0.1 * rng.normal(size=(many + few, 2)),
                np.r_[np.zeros(many, dtype=int), np.ones(few, dtype=int)])
    X, y = rings(600, 15)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NoPolynomialWarning)               # of the rare one
        model = KnotNeighborsClassifier().fit(X, y)
    assert model.score(*rings(0, 1000)) > 0.5
