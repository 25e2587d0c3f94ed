"""Simulations against closed forms, what ends them early, and scores of held-out runs."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from symknot.ground.errors import InvalidOption, SimulationFailed, SymknotError
from symknot.sysid.laws.identify import identify
from symknot.sysid.motion.integration import METHODS
from symknot.sysid.motion.kinds import Flow, Map
from symknot.sysid.motion.scoring import score
from symknot.sysid.motion.simulation import simulate
from symknot.sysid.runs.trajectories import Trajectories
from tests.dynamics import BY_NAME
from tests.motions import model_of, rotation, run_of, uptake

T = np.linspace(0, 3, 31)
LORENZ = ({(1, 0, 0): -10.0, (0, 1, 0): 10.0}, {(1, 0, 0): 28.0, (1, 0, 1): -1.0, (0, 1, 0): -1.0},
          {(1, 1, 0): 1.0, (0, 0, 1): -8.0 / 3.0})


# ------------------------------------------------------------------------------------------------------------- flows


@pytest.mark.parametrize("method", METHODS)
def test_a_rotation_is_followed(method):
    states = rotation().simulate([1.0, 0.0], T, method=method, rtol=1e-8)
    np.testing.assert_allclose(states, np.c_[np.cos(2 * T), -2 * np.sin(2 * T)], atol=2e-5)


def test_uneven_times_and_another_beginning():
    times = np.array([5.0, 5.1, 7.0, 7.01, 9.0])
    states = rotation().simulate([1.0, 0.0], times)
    np.testing.assert_allclose(states[:, 0], np.cos(2 * (times - 5)), atol=1e-7)


def test_one_time_is_the_start_itself():
    assert rotation().simulate([1.0, 2.0], [3.0]).tolist() == [[1.0, 2.0]]


def test_a_fraction_is_followed():
    reference = solve_ivp(lambda t, x: (0.18 - 0.9 * x) / (0.3 + x), (0, 3), [0.6], t_eval=T, rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(uptake().simulate([0.6], T)[:, 0], reference.y[0], atol=1e-8)


def test_second_order_takes_state_and_velocity():
    spring = model_of("x", [{(1, 0): -4.0, (0, 1): 0.0}], dynamics=Flow(2))
    states = spring.simulate([0.0, 2.0], T)
    assert states.shape == (31, 1)
    np.testing.assert_allclose(states[:, 0], np.sin(2 * T), atol=1e-7)


def test_a_stiff_equation_needs_no_patience():
    decay = model_of("xy", [{(1, 0): -1e6, (0, 1): 1e6}, {(0, 1): -1.0}])
    np.testing.assert_allclose(decay.simulate([1.0, 1.0], T)[:, 1], np.exp(-T), atol=1e-7)


def test_inputs_sampled_or_as_a_function():
    model = model_of("x", [{(1, 0): -1.0, (0, 1): 1.0}], inputs="u")
    exact = (np.sin(T) - np.cos(T) + np.exp(-T)) / 2
    np.testing.assert_allclose(model.simulate([0.0], T, np.sin)[:, 0], exact, atol=1e-8)
    fine = np.linspace(0, 3, 601)
    np.testing.assert_allclose(model.simulate([0.0], fine, np.sin(fine))[::20, 0], exact, atol=1e-5)
    ramp = model.simulate([0.0], [0.0, 3.0], [[0.0], [3.0]])          # linear between the two: x = t - 1 + exp(-t)
    assert ramp[-1, 0] == pytest.approx(2 + np.exp(-3), abs=1e-7)


def test_a_short_pulse_between_long_steps_is_not_missed():
    model = model_of("x", [{(0, 1): 1.0}], inputs="u")
    times = np.linspace(0, 100, 1001)
    pulse = np.exp(-(((times - 50) / 0.2) ** 2))
    assert model.simulate([0.0], times, pulse)[-1, 0] == pytest.approx(0.2 * np.sqrt(np.pi), rel=1e-3)


# -------------------------------------------------------------------------------------------------------------- maps


def test_a_map_is_iterated():
    logistic = model_of("x", [{(1,): 3.8, (2,): -3.8}], dynamics=Map())
    x = [0.3]
    for _ in range(9):
        x.append(3.8 * x[-1] * (1 - x[-1]))
    np.testing.assert_allclose(logistic.simulate(0.3, 10)[:, 0], x, rtol=1e-12)
    np.testing.assert_allclose(logistic.simulate([0.3], [0, 4, 9])[:, 0], np.array(x)[[0, 4, 9]], rtol=1e-12)


@pytest.mark.parametrize("start", [[0.0, 0.1], [[0.0], [0.1]]])
def test_a_map_with_lags_starts_from_its_first_rows_the_oldest_first(start):
    henon = model_of("x", [{(0, 0): 1.0, (2, 0): -1.4, (0, 1): 0.3}], dynamics=Map(1))
    states = henon.simulate(start, 4)
    assert states[:2, 0].tolist() == [0.0, 0.1]
    assert states[2, 0] == pytest.approx(1 - 1.4 * 0.1**2)
    assert states[3, 0] == pytest.approx(1 - 1.4 * states[2, 0] ** 2 + 0.03)


def test_a_map_two_steps_ahead_needs_two_rows():
    model = model_of("x", [{(1,): 2.0}], dynamics=Map(0, 2))
    assert model.simulate([1.0, 10.0], 6)[:, 0].tolist() == [1, 10, 2, 20, 4, 40]


def test_a_map_with_inputs():
    model = model_of("x", [{(1, 0): 0.5, (0, 1): 1.0}], dynamics=Map(), inputs="u")
    assert model.simulate([0.0], 4, [1.0, 2.0, 4.0, 8.0])[:, 0].tolist() == [0, 1, 2.5, 5.25]
    assert model.simulate([0.0], 3, lambda step: 2.0**step)[:, 0].tolist() == [0, 1, 2.5]


# ------------------------------------------------------------------------------------------------- what ends them early


@pytest.mark.parametrize("method", ["LSODA", "DOP853", "Radau"])
@pytest.mark.parametrize("power, end", [(2, 1.0), (5, 0.25)])
def test_a_blow_up_is_reported_with_its_time_and_what_came_before(method, power, end):
    model = model_of("x", [{(power,): 1.0}])
    with pytest.raises(SimulationFailed, match="x grows beyond all bounds: at t = ") as caught:
        model.simulate([1.0], T, method=method)
    assert float(str(caught.value).split("t = ")[1].split(" ")[0]) == pytest.approx(end, abs=1e-4)
    kept = T[T < end - 1e-3]
    np.testing.assert_array_equal(caught.value.times, kept)
    np.testing.assert_allclose(caught.value.states[:, 0], (1 - (power - 1) * kept) ** (-1 / (power - 1)), rtol=1e-4)
    assert isinstance(caught.value, SymknotError) and isinstance(caught.value, ArithmeticError)


def test_growth_is_measured_by_the_data():
    growth = [{(1,): 1.0}]
    assert model_of("x", growth).simulate([1.0], [0.0, 10.0])[-1, 0] == pytest.approx(np.exp(10), rel=1e-6)
    with pytest.raises(SimulationFailed, match="x grows"):
        model_of("x", growth).simulate([1.0], [0.0, 20.0])
    seen = run_of(T, 1e4 * np.exp(T)[:, None])
    assert model_of("x", growth, runs=[seen]).simulate([1.0], [0.0, 20.0])[-1, 0] == pytest.approx(np.exp(20), rel=1e-4)


def test_the_variable_that_grows_is_named():
    with pytest.raises(SimulationFailed, match="^y grows"):
        model_of("xy", [{(1, 0): -1.0}, {(0, 2): 1.0}]).simulate([1.0, 1.0], T)


def test_a_map_that_escapes_says_at_which_step():
    with pytest.raises(SimulationFailed, match="x grows beyond all bounds: at step = 5") as caught:
        model_of("x", [{(2,): 2.0}], dynamics=Map()).simulate(1.0, 50)
    assert caught.value.states[:, 0].tolist() == [1, 2, 8, 128, 32768]


@pytest.mark.parametrize("method", ["LSODA", "DOP853", "Radau"])
@pytest.mark.parametrize("above, below, end, place", [
    ({(0,): -1.0}, {(1,): 1.0}, 0.5, 0.0),                                           # x x' = -1
    ({(0,): 1.0}, {(0,): 1.0, (1,): -2.0, (2,): 1.0}, 1 / 3, 1.0),                   # touches zero without crossing it
    ({(0,): 1.0, (1,): -0.5}, {(0,): -2.0, (1,): 1.0}, 0.2, 2.0),                    # crosses it at full speed
])
def test_a_vanishing_denominator_is_reported_with_its_place(method, above, below, end, place):
    start, times = {0.0: 1.0, 1.0: 0.0, 2.0: 2.1}[place], np.linspace(0, 3, 29)
    with pytest.raises(SimulationFailed, match="the denominator of x' vanishes near t = ") as caught:
        model_of("x", [above], [below]).simulate([start], times, method=method)
    words = str(caught.value)
    assert float(words.split("t = ")[1].split(",")[0]) == pytest.approx(end, abs=1e-3)
    assert float(words.split("x = ")[1].split(":")[0]) == pytest.approx(place, abs=2e-3)
    assert len(caught.value.times) == len(caught.value.states) == np.sum(times < end)


def test_a_start_on_the_singular_place_fails_at_once():
    with pytest.raises(SimulationFailed, match="near t = 0, where x = -0.3") as caught:
        uptake().simulate([-0.3], T)
    assert caught.value.times.tolist() == [0.0]


@pytest.mark.parametrize("dynamics", [Flow(2), Map(3)])
def test_runs_too_short_to_learn_from_do_no_harm(dynamics):
    one = (0,) * (2 if isinstance(dynamics, Flow) else 4)
    model = model_of("x", [{one: 1.0}], [{one: 2.0, (1, *one[1:]): 1.0}], dynamics=dynamics,
                     runs=[run_of([0.0], [[1.0]])])
    start = [1.0, 0.0] if isinstance(dynamics, Flow) else [1.0, 1.0, 1.0, 1.0]
    assert np.isfinite(model.simulate(start, [0, 1, 5])).all()


def test_a_small_denominator_that_cannot_vanish_is_none():
    model = model_of("x", [{(1,): -1e8}], [{(0,): 1.0, (4,): 1.0}])
    assert model.simulate([100.0], [0.0, 0.5, 2.0])[-1, 0] == pytest.approx(0, abs=1e-6)


def test_a_map_with_a_vanishing_denominator():
    model = model_of("x", [{(0,): 1.0}], [{(1,): 1.0, (0,): -2.0}], dynamics=Map())
    assert model.simulate([3.0], 4)[:, 0].tolist() == [3, 1, -1, -1 / 3]        # a map may jump across the zero
    with pytest.raises(SimulationFailed, match="denominator of x_next vanishes near step = 1, where x = "):
        model.simulate([2.0], 4)


def test_the_bad_wishes_are_refused():
    model, driven = rotation(), model_of("x", [{(1, 0): -1.0, (0, 1): 1.0}], inputs="u")
    iterated = model_of("x", [{(1, 0): 1.0, (0, 1): 0.5}], dynamics=Map(1))
    wrong = [
        (lambda: model.simulate([1.0], T), "start must be 2 finite numbers: x, y"),
        (lambda: model.simulate([1.0, np.nan], T), "start must be 2 finite numbers"),
        (lambda: model.simulate([1.0, 0.0], [0.0, 2.0, 1.0]), r"times must be increasing, got \[2.0, 1.0\]"),
        (lambda: model.simulate([1.0, 0.0], [0.0, 0.0]), "times must be increasing"),
        (lambda: model.simulate([1.0, 0.0], []), "at least one"),
        (lambda: model.simulate([1.0, 0.0], 5), "a sequence of increasing times, got 5"),
        (lambda: model.simulate([1.0, 0.0], [0.0, np.inf]), "times must be finite, got inf"),
        (lambda: model.simulate([1.0, 0.0], ["now"]), "times must be"),
        (lambda: model.simulate([1.0, 0.0], T, method="Euler"), "method must be one of LSODA"),
        (lambda: model.simulate([1.0, 0.0], T, rtol=-1), "rtol must be a positive number"),
        (lambda: model.simulate([1.0, 0.0], T, np.ones(31)), "inputs must be None: the model has no inputs"),
        (lambda: driven.simulate([1.0], T), "inputs must be an array of 31 rows .* got 'none'"),
        (lambda: driven.simulate([1.0], T, np.ones(30)), r"got 'shape \(30, 1\)'"),
        (lambda: driven.simulate([1.0], T, np.full(31, np.nan)), "not finite"),
        (lambda: driven.simulate([1.0], T, lambda t: [1.0, 2.0]), "a function that returns 1 finite numbers: u"),
        (lambda: iterated.simulate([1.0], 5), r"start must be 2 rows of 1 finite numbers \(x\), the oldest first"),
        (lambda: iterated.simulate([1.0, 2.0], 0), "a number of steps >= 1"),
        (lambda: iterated.simulate([1.0, 2.0], np.nan), "a number of steps >= 1"),
        (lambda: iterated.simulate([1.0, 2.0], [0, 1.5]), "whole numbers from 0 on"),
    ]
    for call, words in wrong:
        with pytest.raises(InvalidOption, match=words):
            call()


def test_a_model_without_equations_cannot_be_simulated():
    (times, values), = BY_NAME["van der pol"].data(2, 0)
    model = identify(Trajectories(values[:800, :1], time=times[1]), max_degree=1)
    assert model.targets == ()
    with pytest.raises(InvalidOption, match="one with equations to be simulated"):
        model.simulate([1.0], T)


# ------------------------------------------------------------------------------------------------------------- scores


def test_the_start_of_a_noisy_run_is_fitted():
    t = np.linspace(0, 12, 400)
    clean = np.c_[np.cos(2 * t), -2 * np.sin(2 * t)]
    noisy = clean + 0.1 * np.random.default_rng(1).normal(size=clean.shape)
    result = score(rotation(), Trajectories({"a": noisy}, time=t[1]))
    assert np.abs(result.runs[0].start - [1, 0]).max() < 0.03 < np.abs(noisy[0] - [1, 0]).max()
    assert result.runs[0].simulation == pytest.approx([1 - 0.01 / 0.5, 1 - 0.01 / 2], abs=5e-3)
    assert result.overall == pytest.approx(np.mean(result.simulation)) and result.overall > 0.98
    assert result.next_sample == pytest.approx([1 - 0.0225 / 0.5, 1 - 0.05 / 2], abs=0.02)


@pytest.mark.slow
def test_the_next_sample_of_chaos_is_foretold_when_its_end_is_not():
    lorenz = BY_NAME["lorenz"]
    times, values = lorenz.held_out_runs[0]
    values = values[::10] + 0.05 * np.random.default_rng(0).normal(size=values[::10].shape)
    result = model_of("xyz", LORENZ).score(Trajectories(values, time=times[10]))
    assert (result.next_sample > 0.995).all() and np.isfinite(result.simulation).all()
    logistic = model_of("x", [{(1,): 3.8, (2,): -3.8}], dynamics=Map())
    times, values = BY_NAME["logistic map"].held_out_runs[0]
    values = values[:500] + 1e-3 * np.random.default_rng(0).normal(size=values[:500].shape)
    result = logistic.score(Trajectories(values))
    assert result.next_sample[0] > 0.99 and result.simulation[0] < 0.5


def test_second_order_is_scored_from_positions_alone():
    t = np.linspace(0, 12, 300)
    spring = model_of("x", [{(1, 0): -4.0, (0, 1): -0.1}], dynamics=Flow(2))
    path = spring.simulate([1.0, 0.5], t)
    result = spring.score(Trajectories(path, time=t[1]))
    assert result.simulation[0] > 1 - 1e-9 and result.next_sample[0] > 1 - 1e-9
    assert result.runs[0].start == pytest.approx([1.0, 0.5], abs=1e-4)
    noisy = path + 0.02 * np.random.default_rng(0).normal(size=path.shape)
    assert spring.score(Trajectories(noisy, time=t[1])).simulation[0] > 0.99


def test_a_map_with_lags_and_inputs_is_scored():
    henon = model_of("x", [{(0, 0): 1.0, (2, 0): -1.4, (0, 1): 0.3}], dynamics=Map(1))
    path = henon.simulate([0.0, 0.1], 30)
    result = henon.score(Trajectories(path))
    assert result.next_sample[0] > 1 - 1e-9 and result.simulation[0] > 1 - 1e-6
    driven = model_of("x", [{(1, 0): -1.0, (0, 1): 1.0}], inputs="u")
    path = driven.simulate([0.5], T, np.sin(T))
    assert driven.score(Trajectories(path, time=T, inputs=np.sin(T)[:, None])).overall > 1 - 1e-6


def test_a_failing_simulation_is_reported_not_raised():
    rng = np.random.default_rng(0)
    data = Trajectories({"good": -1 / (1 + T), "bad": 1.5 + 0.1 * rng.normal(size=31)}, time=T[1])
    result = score(model_of("x", [{(2,): 1.0}]), data)
    good, bad = result.runs
    assert good.failure is None and good.simulation[0] > 1 - 1e-6
    assert bad.simulation[0] == -np.inf == result.overall and "grows beyond all bounds" in bad.failure
    text = str(result)
    assert "failed" in text and "run bad: x grows beyond all bounds" in text and "good" in text
    assert "2 run(s)" in repr(result)


def test_short_and_constant_runs_have_no_score_of_their_own():
    still = score(rotation(), Trajectories({"still": np.zeros((40, 2)), "short": np.ones((2, 2))}, time=0.1))
    assert np.isnan(still.runs[0].simulation).all() and " -" in str(still)
    henon = model_of("x", [{(0, 0): 1.0, (2, 0): -1.4, (0, 1): 0.3}], dynamics=Map(1))
    short = henon.score(Trajectories(np.array([0.1, 0.2])))
    assert "too short: 2 samples, 3 needed" in str(short) and np.isnan(short.overall)


def test_data_of_something_else_are_refused():
    with pytest.raises(InvalidOption, match="also 'y'"):
        rotation().score(np.zeros((40, 1)))
    with pytest.raises(InvalidOption, match="also 'y'"):
        rotation().score(Trajectories(np.zeros((40, 2)), names=["x", "v"]))


def test_columns_are_found_by_name_also_as_inputs():
    t = np.linspace(0, 6, 200)
    data = Trajectories(np.c_[-2 * np.sin(2 * t), np.cos(2 * t)], time=t[1], names=["y", "x"])
    assert rotation().score(data).overall > 1 - 1e-9
    half = model_of("x", [{(0, 1): 1.0}], inputs="y")               # as identify leaves it when y has no equation
    assert half.score(data).overall > 1 - 1e-3


def test_an_identified_model_foretells_held_out_runs():
    system = BY_NAME["van der pol"]
    (times, values), = system.data(2, 0)
    model = identify(Trajectories(values[:1500], time=times[1], names=system.names))
    (times, values), = system.held_out_runs
    assert model.score(Trajectories(values[:1000], time=times[1], names=system.names)).overall > 0.9999
    assert simulate(model, values[0], times[:1000]).shape == (1000, 2)
