"""Descents of a block: who rests, who goes on, and what is known in the end, by models whose minima are known."""

import numpy as np
import pytest

import symknot
from symknot.fitting import descent
from symknot.fitting.descent import damped_step, descend_block, solved

TARGETS = np.random.default_rng(5).normal(size=(40, 2))
SHARES = np.repeat([1.0, 0.9, 0.5, 2.5], 10)
"""Of the way to its minimum that a point's proposed step is: at once, sooner, later, and too far."""


def model(z, rows):
    """The square of the way to the target, a share of it as a step, and the place itself as what is known."""
    away = z - TARGETS[rows]
    return np.sum(away**2, axis=1), -away * SHARES[rows][:, None], z.T.copy()


def descended(share=None, monkeypatch=None, places=slice(0, 40), steps=60):
    if share is not None:
        monkeypatch.setattr(descent, "FEWEST_MOVING", share)
    asked = []

    def counted(z, rows):
        asked.append(len(z))
        return model(z, rows)

    return descend_block(counted, np.zeros((places.stop - places.start, 2)), places, steps, 1e-9), asked


def test_points_come_to_their_minima_and_what_is_known_is_known_there():
    found, _ = descended()
    np.testing.assert_allclose(found.points, TARGETS, atol=1e-8)
    np.testing.assert_array_equal(found.known.T, found.points)
    np.testing.assert_allclose(found.objective, np.sum((found.points - TARGETS) ** 2, axis=1), atol=1e-30)


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_it_does_not_matter_when_those_that_rest_are_left_out(share, monkeypatch):
    usual, asked = descended()
    other, asked_otherwise = descended(share, monkeypatch)
    np.testing.assert_array_equal(other.points, usual.points)
    np.testing.assert_array_equal(other.known, usual.known)
    np.testing.assert_array_equal(other.objective, usual.objective)
    assert set(asked_otherwise) == {40} if share == 0 else sum(asked_otherwise) < sum(asked)


def test_a_block_in_the_middle_is_about_its_own_points():
    found, _ = descended(places=slice(15, 35))
    np.testing.assert_allclose(found.points, TARGETS[15:35], atol=1e-8)


def test_when_steps_run_out_what_is_known_is_known_where_points_are():
    found, asked = descended(steps=3)
    np.testing.assert_array_equal(found.known.T, found.points)
    assert len(asked) == 4 and not np.allclose(found.points, TARGETS)


def test_what_the_model_says_at_the_start_is_not_asked_again():
    start, rows, asked = np.zeros((40, 2)), slice(0, 40), []

    def counted(z, places):
        asked.append(len(z))
        return model(z, places)

    found = descend_block(counted, start, rows, 60, 1e-9, model(start, rows))
    usual, all_asked = descended()
    np.testing.assert_array_equal(found.points, usual.points)
    assert len(asked) == len(all_asked) - 1


@pytest.mark.parametrize("m", [2, 3, 12])
def test_systems_that_rounding_has_left_singular_have_the_shortest_solution(m):
    """Of slopes along one direction only, beside which the pull is lost; a good system beside them keeps each digit."""
    rng = np.random.default_rng(0)
    direction, good = rng.normal(size=m), rng.normal(size=(m, m))
    systems = np.stack([1e18 * np.ones((m, m)), np.zeros((m, m)), good @ good.T + np.eye(m)], axis=2)
    right = np.stack([1e18 * np.ones(m), np.zeros(m), direction], axis=1)
    found = solved(systems, right)
    np.testing.assert_allclose(found[:, 0], np.ones(m) / m, rtol=1e-9)
    assert not found[:, 1].any()
    np.testing.assert_array_equal(found[:, 2], solved(systems[:, :, 2:], right[:, 2:])[:, 0])
    units = np.diag([1e9, *np.ones(m - 1)])
    system, side = units @ systems[:, :, 0] @ units, units @ right[:, 0]
    np.testing.assert_allclose(system @ solved(system[:, :, None], side[:, None])[:, 0], side, rtol=1e-9)


def test_a_point_far_from_all_others_ends_no_fit():
    """numpy's LinAlgError: the pull towards the data was lost beside slopes of 1e9."""
    points = np.array([[0, 1, 0], [0, 1, -1.91590656], [2.00907022, 1, 2], [2, 2, 2], [1e9, 0, 1e9], [1e-300, 2, 1],
                       [2.15211164, 2, 1]])
    assert symknot.fit(points, 0.3, max_degree=2).status


def test_one_equation_is_solved_like_several():
    rng = np.random.default_rng(2)
    G, dG, away = rng.normal(size=(30, 1)) / 9, rng.normal(size=(30, 3, 1)), rng.normal(size=(30, 3)) / 9
    for way in (None, away):
        twice = damped_step(np.repeat(G, 2, axis=1), np.repeat(dG, 2, axis=2), way, 0.2)       # the same equation again
        np.testing.assert_allclose(damped_step(np.sqrt(2) * G, np.sqrt(2) * dG, way, 0.2), twice, rtol=1e-9)
