"""The same fraction with another term of its denominator as the one that is 1."""

import numpy as np
import pytest

from symknot.sysid.motion.code_length import length_of_numbers
from symknot.sysid.motion.fields import Field
from symknot.sysid.motion.neighbourhood import is_part_of, key_of
from symknot.sysid.motion.pivots import sturdy, sure_numbers, usual, with_pivots

NONE = np.array([], dtype=int)
ONE, X, Y, XX, XY, YY = range(6)
POINTS = np.random.default_rng(0).uniform(0.5, 2.0, (2, 50))


def fractions():
    """(2 x + 3 x y) / (5 + 0.5 y + x^2), a polynomial, and 7 / (y + 4 x)."""
    field = Field(2, 2, (np.array([X, XY]), np.array([Y]), np.array([ONE])), (np.array([ONE, Y]), NONE, np.array([X])),
                  (XX, 0, Y))
    return field, np.array([2.0, 3.0, 5.0, 0.5, 1.5, 7.0, 4.0])


@pytest.mark.parametrize("pivots", [(ONE, 0, X), (Y, 0, Y), (XX, 0, X), (XX, 0, Y)])
def test_the_function_is_the_same_and_so_is_the_way_back(pivots):
    field, coefficients = fractions()
    other, values, slopes = with_pivots(field, coefficients, pivots)
    assert other.pivots == pivots and other.size == field.size and key_of(other) == key_of(field)
    assert np.allclose(other.values(values, POINTS), field.values(coefficients, POINTS))
    back, again, inverse = with_pivots(other, values, field.pivots)
    assert np.allclose(back.values(again, POINTS), field.values(coefficients, POINTS))
    assert np.allclose(sorted(again), sorted(coefficients)) and np.allclose(abs(np.linalg.det(inverse @ slopes)), 1)


def test_slopes_are_those_of_differences():
    field, coefficients = fractions()
    _, values, slopes = with_pivots(field, coefficients, (ONE, 0, X))
    for k, step in enumerate(1e-6 * np.eye(field.size)):
        assert np.allclose((with_pivots(field, coefficients + step, (ONE, 0, X))[1] - values) / 1e-6, slopes[:, k], atol=1e-4)


def test_the_sturdy_pivot_is_the_largest_term_on_the_data_and_the_usual_one_the_highest():
    field, coefficients = fractions()
    assert sturdy(field, coefficients, POINTS) == (ONE, 0, X)
    assert sturdy(field, coefficients, 10 * POINTS) == (XX, 0, X)
    moved, _, _ = with_pivots(field, coefficients, (ONE, 0, X))
    assert usual(moved) == usual(field) == (XX, 0, X)                              # of x and y the first is higher


def test_a_polynomial_has_no_other_pivot():
    line = Field(1, 1, (np.array([0, 1]),), (NONE,), (0,))
    assert sturdy(line, np.array([1.0, 2.0]), POINTS[:1]) == (0,) and with_pivots(line, np.ones(2), (0,))[0] is line


def uptake(rate, half, noise=0.01):
    """c z / (h + z) with the information of values measured at points."""
    field, coefficients = Field(1, 1, (np.array([1]),), (np.array([0]),), (1,)), np.array([rate, half])
    points = np.linspace(0.1, 3, 200)[None]
    _, _, by = field.linearized(coefficients, points)
    return field, coefficients, by @ by.T / noise**2, points


def test_numbers_are_those_of_the_usual_pivot_where_it_is_surely_there():
    field, coefficients, information, points = uptake(6.0, 4.0)
    values, same = sure_numbers(field, coefficients, information, points)
    assert values is coefficients and same is information


def test_numbers_beside_a_pivot_that_may_be_nothing_are_not_taken_for_simple_ones():
    field, coefficients, information, points = uptake(2.4e6, 1e6)
    values, other = sure_numbers(field, coefficients, information, points)
    assert np.allclose(values, [2.4, 1e-6])
    slopes = with_pivots(field, coefficients, (0,))[2]
    assert np.allclose(slopes.T @ other @ slopes, information)
    # 2.4e6 and 1e6 may both be 1 within their errors, as a multiple of both is free; 2.4 may not
    assert length_of_numbers(coefficients, information, 200) < length_of_numbers(values, other, 200) - 5


def test_what_has_one_of_two_terms_below_is_a_part():
    both = Field(1, 2, (np.array([1]),), (np.array([0, 1]),), (2,))
    one = Field(1, 2, (np.array([1]),), (np.array([0]),), (1,))
    assert is_part_of(one, both) and not is_part_of(both, one)
    assert not is_part_of(Field(1, 2, (np.array([1]),), (NONE,), (0,)), both)                 # no fraction
