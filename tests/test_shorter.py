"""The fewest terms that are the same function on the states, by known answers."""

import numpy as np
import pytest

from symknot.sysid.motion import shorter

ROWS = np.random.default_rng(0).normal(size=(7, 50)) * np.logspace(-3, 3, 7)[:, None]
"""Seven functions at fifty states, of very different sizes."""


@pytest.mark.parametrize("coefficients, most, found", [
    ({2: 3.0}, 5, [2]), ({1: 2.0, 4: -1e-3}, 5, [1, 4]), ({0: 1e3, 3: 1.0, 6: 1e-3}, 3, [0, 3, 6]),
    ({1: 2.0, 4: -1e-3}, 1, None), ({0: 1e3, 3: 1.0, 6: 1e-3}, 2, None), ({0: 1e3, 1: 1e2, 3: 1.0, 6: 1e-3}, 7, None),
    ({}, 3, [0]),
])
def test_the_fewest_functions_of_which_a_combination_is_the_value(coefficients, most, found):
    """At most three."""
    values = sum((value * ROWS[place] for place, value in coefficients.items()), np.zeros(50))
    sets = shorter._fewest(ROWS, values, most, 1e-6 * values @ values)
    assert found is None if sets is None else sorted(sets.tolist()) == found


def test_a_value_may_be_off_by_the_limit():
    values = ROWS[2] + 0.1 * ROWS[2].std() * np.random.default_rng(1).normal(size=50)
    off = values - ROWS[2] * (values @ ROWS[2]) / (ROWS[2] @ ROWS[2])
    assert shorter._fewest(ROWS, values, 1, 1.001 * off @ off).tolist() == [2]
    assert shorter._fewest(ROWS, values, 1, 0.999 * off @ off) is None


def test_too_many_sets_are_not_tried(monkeypatch):
    values = ROWS[1] + ROWS[2]
    monkeypatch.setattr(shorter, "MOST_SETS", 21)                          # pairs of seven
    assert sorted(shorter._fewest(ROWS, values, 2, 1e-9)) == [1, 2]
    monkeypatch.setattr(shorter, "MOST_SETS", 20)
    assert shorter._fewest(ROWS, values, 2, 1e-9) is None
