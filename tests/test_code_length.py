"""What it takes to write a model down: known counts of choices, and numbers against all ways to write them."""

from itertools import combinations
from math import comb, log

import numpy as np
import pytest

from symknot.sysid.motion.code_length import GENERAL, ONE, RECURRING, length_of_numbers, length_of_terms
from symknot.sysid.motion.fields import Field
from symknot.sysid.motion.library import offered_functions

NONE = np.array([], dtype=int)
GENERIC = GENERAL + log(1000)


def field(*numerators, degree=2, arguments=2, below=None, pivots=None, functions=()):
    count = len(numerators)
    return Field(arguments, degree, tuple(map(np.array, numerators)), tuple(below or (NONE,) * count),
                 pivots or (0,) * count, functions)


def test_terms_are_one_choice_among_all_of_their_degree():
    assert np.isclose(length_of_terms(field([1, 4])), 2 * log(comb(6, 2)))
    assert np.isclose(length_of_terms(field([1], [2, 3])), 2 * log(comb(6, 1) * comb(6, 2)))
    assert np.isclose(length_of_terms(field([1])), 2 * log(3))                            # of degree 1


def test_more_than_half_of_the_candidates_are_no_simpler_than_half():
    sizes = [length_of_terms(field([*range(k), 5])) for k in range(6)]
    assert np.isclose(sizes[5], 2 * log(comb(6, 3))) and sizes == sorted(sizes)


def test_the_degree_that_counts_is_that_of_the_terms_not_that_of_the_table():
    assert length_of_terms(field([1, 2], degree=2)) == length_of_terms(field([1, 2], degree=4))


def test_denominators_are_chosen_with_their_pivot():
    fraction = field([1], [2], below=(np.array([0]), NONE), pivots=(1, 0))                # x / (c + x), and y
    assert np.isclose(length_of_terms(fraction), 2 * log(3 * 3) + 2 * log(3))


def test_functions_are_chosen_among_those_offered():
    _, offered = offered_functions("auto", ["x", "y"], np.random.default_rng(0).normal(size=(40, 2)))
    sine = field([3], arguments=2, degree=1, functions=(offered[0],))
    assert np.isclose(length_of_terms(sine, len(offered)), 2 * log(3 + 1) + 2 * log(len(offered)))


def test_a_number_of_no_kind_costs_what_schwarz_says_and_its_kind():
    assert np.isclose(length_of_numbers(np.array([2.4, 5.7]), 1e6 * np.eye(2), 1000), 2 * GENERIC)


def test_of_few_measurements_a_number_must_be_significant():
    t = 2.262                                                     # Student's, 9 degrees of freedom, five per cent
    three = length_of_numbers(np.array([2.4, 5.7, 3.3]), 1e6 * np.eye(3), 12)
    assert np.isclose(three, 3 * (GENERAL + 12 * log(1 + t**2 / 9)), rtol=1e-3)


@pytest.mark.parametrize("value", [1.0, -1.0])
def test_one_costs_its_kind_only(value):
    assert np.isclose(length_of_numbers(np.array([value]), 1e6 * np.eye(1), 1000), ONE)


def test_moving_a_number_to_one_is_paid():
    assert np.isclose(length_of_numbers(np.array([1.01]), 1e4 * np.eye(1), 1000), ONE + 1.0)
    assert np.isclose(length_of_numbers(np.array([1.05]), 1e4 * np.eye(1), 1000), GENERIC)


def test_numbers_that_are_opposite_cost_one_of_them():
    assert np.isclose(length_of_numbers(np.array([-9.7, 9.7, 3.0]), 1e6 * np.eye(3), 1000),
                      2 * GENERIC + RECURRING + 2 * log(2))


def test_what_one_number_gives_way_moves_the_others():
    # both are off by one standard error, and together by one: their errors are one and the same
    information = np.linalg.inv(1e-4 * np.array([[1.0, 1 - 1e-6], [1 - 1e-6, 1.0]]))
    assert np.isclose(length_of_numbers(np.array([1.01, -0.99]), information, 1000), 2 * ONE + 1.0, atol=1e-3)


@pytest.mark.parametrize("seed", range(8))
def test_no_set_of_ones_is_cheaper_than_what_is_found_by_more_than_the_search_may_miss(seed):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(4, 4))
    information = 400 * (A @ A.T + np.eye(4))
    values = np.array([1.0, -1.0, 2.7, 0.31]) + np.linalg.cholesky(np.linalg.inv(information)) @ rng.normal(size=4)
    covariance, least = np.linalg.inv(information), np.inf
    for size in range(5):
        for fixed in map(list, combinations(range(4), size)):
            off = np.abs(values[fixed]) - 1
            off *= np.sign(values[fixed])
            rise = off @ np.linalg.solve(covariance[np.ix_(fixed, fixed)], off) if size else 0.0
            least = min(least, ONE * size + GENERIC * (4 - size) + rise)
    assert length_of_numbers(values, information, 1000) <= least + 1e-6


def test_no_numbers_cost_nothing():
    assert length_of_numbers(np.zeros(0), np.zeros((0, 0)), 100) == 0.0
