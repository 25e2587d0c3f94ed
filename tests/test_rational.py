"""Floats made rational by each rule."""

from fractions import Fraction
from math import lcm

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symknot.exact.rational import Rationalization, rationalization, simplest_fraction_between
from symknot.ground.errors import InvalidOption

values = st.floats(-1e6, 1e6).map(Fraction)
tolerances = st.floats(1e-4, 1).map(Fraction)


def smallest_denominator(low, high):
    """By trying them all."""
    q = 1
    while True:
        p = -(-low.numerator * q // low.denominator)        # the first whole number not below low * q
        if Fraction(p, q) <= high:
            return q
        q += 1


@given(values, tolerances)
def test_no_fraction_in_the_interval_has_a_smaller_denominator(value, tolerance):
    low, high = value - tolerance, value + tolerance
    found = simplest_fraction_between(low, high)
    assert low <= found <= high
    assert found.denominator == smallest_denominator(low, high)


@given(values, tolerances)
def test_of_the_simplest_the_nearest_is_taken(value, tolerance):
    number = Rationalization("simplest").number(value, tolerance)
    assert abs(number - value) <= tolerance
    assert abs(number - value) <= Fraction(1, 2 * number.denominator)


@pytest.mark.parametrize("value, tolerance, answer", [
    (3.1416, 0.01, Fraction(22, 7)), (-0.3334, 0.001, Fraction(-1, 3)), (0.0004, 0.001, 0), (2.0, 1.4, 2),
    (1.9999, 1e-3, 2)])
def test_simplest_by_hand(value, tolerance, answer):
    assert Rationalization("simplest").number(value, tolerance) == answer


def test_zero_tolerance_keeps_the_float():
    assert Rationalization("simplest").number(0.1, 0) == Fraction(0.1)


def test_each_rule():
    assert rationalization("binary").number(0.1, 1) == Fraction(0.1)
    assert rationalization(denominator=10).number(3.14159, 0) == Fraction(22, 7)
    assert rationalization(digits=3).number(3.14159, 0) == Fraction(3142, 1000)
    assert rationalization().number(0.5001, 0.01) == Fraction(1, 2)


@settings(max_examples=50)
@given(st.lists(st.floats(-10, 10), min_size=2, max_size=6), st.floats(1e-4, 1e-1))
def test_numbers_stay_within_their_tolerances(numbers, tolerance):
    rule = Rationalization("simplest")
    found = rule.numbers(numbers, [tolerance] * len(numbers))
    assert all(abs(number - Fraction(value)) <= Fraction(tolerance) for number, value in zip(found, numbers))


def test_a_shared_denominator_where_it_is_shorter():
    rule, numbers = Rationalization("simplest"), [0.1213, 0.4327, 0.7713, 0.9011, 0.3371]
    together = rule.numbers(numbers, [4e-4] * 5)
    apart = [rule.number(value, 4e-4) for value in numbers]
    assert lcm(*(number.denominator for number in together)) == 578
    assert 9 + sum((number * 578).numerator.bit_length() for number in together) < sum(
        number.numerator.bit_length() + number.denominator.bit_length() for number in apart)


def test_separate_denominators_where_those_are_shorter():
    exact = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 101)]
    assert Rationalization("simplest").numbers([float(value) for value in exact], [1e-6] * 3) == exact


@pytest.mark.parametrize("options, words", [
    ({"rationalize": "nearest"}, "rationalize must be one of"),
    ({"denominator": 0}, "denominator must be a whole number >= 1"),
    ({"digits": -1}, "digits must be a whole number >= 0"),
    ({"denominator": 10, "digits": 2}, "digits must be left out when denominator is given"),
    ({"rationalize": "binary", "digits": 2}, "digits must be left out when rationalize is given")])
def test_wrong_options_are_named(options, words):
    with pytest.raises(InvalidOption, match=words):
        rationalization(**options)
