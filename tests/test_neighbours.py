"""Neighbours by products of matrices are those that a tree finds, with copies, far points and few points too."""

import numpy as np
import pytest
from scipy.spatial import cKDTree

from symknot.ground.neighbours import VARIABLES_OF_A_TREE, nearest_neighbours

MANY = VARIABLES_OF_A_TREE + 3


def sphere(n, d, seed=0):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(n, d))
    return points / np.linalg.norm(points, axis=1, keepdims=True) + 0.05 * rng.normal(size=(n, d))


@pytest.mark.parametrize("d", [2, MANY, 40])
@pytest.mark.parametrize("n", [5, 700])
def test_neighbours_are_those_of_a_tree(n, d):
    points = sphere(n, d)
    distances, places = nearest_neighbours(points, 5)
    expected, at = cKDTree(points).query(points, 5)
    np.testing.assert_allclose(distances, expected, rtol=1e-12)
    np.testing.assert_array_equal(places, at)


def test_one_neighbour_is_the_point_itself():
    distances, places = nearest_neighbours(sphere(30, MANY), 1)
    assert (distances == 0).all() and places.ravel().tolist() == list(range(30))


def test_two_points_far_out_know_each_other():
    points = sphere(200, MANY)
    points[:2] += 1e12
    points[1, 0] += 3.0
    distances, places = nearest_neighbours(points, 2)
    assert places[:2, 1].tolist() == [1, 0]
    np.testing.assert_allclose(distances[:2, 1], np.linalg.norm(points[0] - points[1]))
    np.testing.assert_allclose(distances[2:], cKDTree(points[2:]).query(points[2:], 2)[0])


def test_copies_are_neighbours_at_no_distance():
    points = np.repeat(sphere(50, MANY), 3, axis=0)
    distances, places = nearest_neighbours(points, 3)
    assert (distances == 0).all()
    assert (places // 3 == np.arange(150)[:, None] // 3).all()


def test_how_near_does_not_hang_on_where_all_are():
    points = sphere(300, MANY)
    away, places = nearest_neighbours(points + 1e6, 4)
    expected = nearest_neighbours(points, 4)
    np.testing.assert_array_equal(places, expected[1])
    np.testing.assert_allclose(away, expected[0], atol=1e-8)
