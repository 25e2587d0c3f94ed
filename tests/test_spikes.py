"""Gross errors in runs: found without a model, left out, named."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import symknot
from symknot.ground.errors import InvalidOption, InvalidPoints
from symknot.sysid.runs.spikes import Spike, said_of, spikes


def van_der_pol(n, noise=0.0, seed=0):
    rng, t = np.random.default_rng(seed), np.linspace(0, 15, n)
    clean = [solve_ivp(lambda t, z: [z[1], 1.5 * (1 - z[0] ** 2) * z[1] - z[0]], (0, 15), start, t_eval=t, rtol=1e-9,
                       atol=1e-9).y.T for start in ((0.5, 0), (2, 2))]
    return t, [run + noise * run.std(axis=0) * rng.normal(size=run.shape) for run in clean]


def spiked(runs, share, seed=1):
    """The same with some values 50 times the noise of 2 % away, but for the first and the last."""
    rng, out, where = np.random.default_rng(seed), [], []
    for run in runs:
        bad = rng.random(run.shape) < share
        bad[[0, -1]] = False
        out.append(run + bad * run.std(axis=0) * rng.choice([-1, 1], run.shape))
        where.append(bad)
    return out, where


def test_known_spikes_are_found_and_nothing_else():
    t, runs = van_der_pol(400, 0.02)
    noisy, where = spiked(runs, 0.02)
    found = [np.column_stack([spikes(t, column)[0] for column in run.T]) for run in noisy]
    assert sum(bad.sum() for bad in where) > 20
    assert all(np.array_equal(one, bad) for one, bad in zip(found, where))


@pytest.mark.parametrize("places", [(100,), (1,), (380,), (100, 101), (100, 102), (100, 103), (100, 101, 250)])
@pytest.mark.parametrize("signs", [(1, 1, 1), (1, -1, 1)])
def test_spikes_next_to_each_other(places, signs):
    t, runs = van_der_pol(400, 0.02)
    y = runs[0][:, 0].copy()
    for place, sign in zip(places, signs):
        y[place] += 2 * sign
    found, filled = spikes(t, y)
    assert tuple(np.flatnonzero(found)) == places
    assert np.abs(filled - runs[0][:, 0]).max() < 0.3 and np.array_equal(filled[~found], y[~found])


@pytest.mark.parametrize("draw", ["normal", "laplace", "uniform"])
def test_noise_and_fast_motion_are_none(draw):
    t, runs = van_der_pol(200)
    rng = np.random.default_rng(2)
    assert not any(spikes(t, column)[0].any() for run in runs for column in run.T)
    noise = {"normal": rng.normal, "laplace": rng.laplace, "uniform": lambda size: rng.uniform(-1, 1, size)}[draw]
    assert not any(spikes(t, column + 0.03 * noise(size=200))[0].any() for run in runs for column in run.T)


def test_steps_short_series_and_constants_have_none():
    t = np.linspace(0, 1, 100)
    for y in (np.where(t < 0.5, 0.0, 1.0), np.ones(100), np.where(t < 0.5, t, 5 + t)):
        assert not spikes(t, y)[0].any()
    y = np.sin(6 * t)
    y[50] += 3
    assert spikes(t, y)[0].sum() == 1 and not spikes(t[:19], y[45:64])[0].any() and not spikes(t[:0], y[:0])[0].any()


def test_too_many_are_no_errors_among_good_values():
    rng, t = np.random.default_rng(3), np.linspace(0, 20, 400)
    y = np.sin(t) + 0.01 * rng.normal(size=400)
    y[2:-2:4] += 3
    found, filled = spikes(t, y)
    assert not found.any() and np.array_equal(filled, y)


def test_uneven_times():
    rng = np.random.default_rng(4)
    t = np.sort(rng.uniform(0, 10, 300))
    t = t[np.r_[True, np.diff(t) > 0.005]]
    y = np.sin(t)
    y[120] += 2
    assert np.flatnonzero(spikes(t, y)[0]).tolist() == [120]


@pytest.mark.parametrize("power", [-1000, -60, 900])
def test_the_unit_of_time_changes_no_digit(power):
    """Divided differences over steps of 1e-300 were infinite, and scipy complained."""
    t, runs = van_der_pol(400, 0.02)
    y = spiked(runs, 0.02)[0][0][:, 0]
    found, without = spikes(t, y)
    for one, other in zip((found, without), spikes(np.ldexp(t, power), y)):
        np.testing.assert_array_equal(one, other)
    assert found.any()
    with pytest.raises(InvalidPoints, match="within time steps of 1e-300"):
        symknot.identify(y[:, None], max_degree=1, time=1e-300)


def test_identify_leaves_them_out_and_names_them(tmp_path):
    t, runs = van_der_pol(400, 0.02)
    noisy, where = spiked(runs, 0.01)
    model = symknot.identify(noisy, time=t)
    assert str(model).splitlines()[:2] == ["x' = y", "y' = -3*x**2*y/2 - x + 3*y/2"]
    named = {(one.run, round(one.time, 9), one.variable) for one in model.spikes}
    assert named == {(str(r), round(t[i], 9), "xy"[j]) for r, bad in enumerate(where) for i, j in np.argwhere(bad)}
    assert f"{len(named)} values are left out" in str(model)
    model.save(tmp_path / "model.json")
    assert symknot.load(tmp_path / "model.json").spikes == model.spikes
    trusting = symknot.identify(noisy, time=t, loss="squares", timeout=20)
    assert trusting.spikes == () and not trusting.targets


def test_conserved_puts_what_neighbours_tell_into_their_places():
    rng, t = np.random.default_rng(5), np.linspace(0, 12, 400)
    runs = [size * np.c_[np.cos(2 * t), -2 * np.sin(2 * t)] + 0.02 * rng.normal(size=(400, 2)) for size in (1.0, 1.5, 2.0)]
    noisy, where = spiked(runs, 0.01)
    found = symknot.conserved(noisy, time=t)
    assert [str(one.expr) for one in found.invariants] == ["4*x**2 + y**2"]
    assert found.message.startswith(f"{sum(bad.sum() for bad in where)} values are left out")
    assert "left out" not in symknot.conserved(runs, time=t).message


def test_twice_is_as_once():
    t, runs = van_der_pol(400, 0.02)
    data, left_out = symknot.Trajectories(spiked(runs, 0.02)[0], time=t).without_spikes()
    again, more = data.without_spikes()
    assert len(left_out) > 20 and len(more) <= 1
    assert all(np.isfinite(run.states).all() for run in again.runs)
    assert sum(np.isnan(run.states).sum() for run in again.whole) == len(left_out) + len(more)


def test_words_and_options():
    some = [Spike("0", float(k), "x", 1.0) for k in range(7)]
    assert said_of([]) == ""
    assert said_of(some[:2]).startswith("2 values are left out, far from what their neighbours tell: x at 0 ")
    assert said_of(some).endswith("x at 4 (run 0), ...")
    for call in (symknot.identify, symknot.conserved):
        with pytest.raises(InvalidOption, match="loss must be one of 'auto', 'squares', got 'huber'"):
            call(np.zeros((30, 1)), loss="huber")


@pytest.mark.parametrize("place", [0, -1])
def test_a_spike_at_an_end(place):
    t, runs = van_der_pol(400, 0.02)
    for column in runs[0].T:
        wrong = column.copy()
        wrong[place] += 0.6 * column.std()                                          # 30 times the noise
        found, filled = spikes(t, wrong)
        assert np.flatnonzero(found).tolist() == [place % 400] and abs(filled[place] - column[place]) < 0.15 * column.std()
        assert not spikes(t, column)[0].any()


def test_fast_beginnings_and_ends_are_no_spikes():
    t, rng = np.linspace(0, 10, 200), np.random.default_rng(0)
    for samples in (1.2, 2, 5, 20):                                    # in which the beginning decays e-fold
        for noise in (0.0, 0.01):
            y = np.sin(t) + 5 * np.exp(-np.arange(200) / samples) + noise * rng.normal(size=200)
            assert not spikes(t, y)[0][[0, -1]].any() and not spikes(t, y[::-1])[0][[0, -1]].any()


def test_equations_with_a_spike_at_the_beginning():
    t, runs = van_der_pol(400, 0.02)
    runs[0][0, 1] += runs[0][:, 1].std()
    model = symknot.identify(symknot.Trajectories(runs, time=t, names=["x", "y"]), 3)
    assert [(one.time, one.variable) for one in model.spikes] == [(0.0, "y")]
    assert set(model.exact_right_hand_sides) == {"x'", "y'"} and len(model.estimates) == 4
