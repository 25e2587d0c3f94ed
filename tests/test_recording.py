"""The steps in which values were recorded."""

import numpy as np
import pytest

from symknot.fitting.recording import recording_steps


def steps(*columns):
    return recording_steps(np.column_stack(columns)).tolist()


@pytest.mark.parametrize("step", [1e-4, 0.01, 1 / 3, 1.0, 250.0])
@pytest.mark.parametrize("origin", [0.0, 0.005, 1e4])
def test_a_grid_has_its_step_from_any_origin(step, origin):
    multiples = np.random.default_rng(0).integers(-1000, 1000, 300)
    assert steps(origin + step * multiples)[0] == pytest.approx(step, rel=1e-6)


def test_numbers_of_all_sizes_have_none_and_few_values_have_their_greatest_common_step():
    rng = np.random.default_rng(1)
    free, constant, even = rng.normal(size=200), np.ones(200), 6.0 * rng.integers(0, 2, 200) + 4.0 * rng.integers(0, 2, 200)
    assert steps(free, constant, even, even / 7) == pytest.approx([0.0, 0.0, 2.0, 2 / 7])


def test_units_and_the_unit_spread_of_a_search_change_nothing():
    values = np.random.default_rng(2).normal(size=500).round(2)
    assert steps(values / values.std())[0] * values.std() == pytest.approx(0.01, rel=1e-9)
    assert steps(1e9 * values)[0] == pytest.approx(1e7, rel=1e-9)
