"""Missing values of differential equations are unknown states, not cuts."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import symknot
from symknot import Trajectories
from symknot.ground.errors import InvalidPoints
from symknot.sysid.motion import reporting
from symknot.sysid.runs.bridging import bridged, smoothed_at
from symknot.sysid.runs.stencils import local_stencils

TIMES = np.linspace(0, 12, 481)
TRUE = {("x'", "y"): 1, ("y'", "x"): -1, ("y'", "y"): 1, ("y'", "x**2*y"): -1}
"""Of van der Pol's oscillator."""


def oscillator(seed=0, noise=0.01):
    states = solve_ivp(lambda t, z: [z[1], (1 - z[0] ** 2) * z[1] - z[0]], (0, 12), (1, 0), t_eval=TIMES, rtol=1e-10,
                       atol=1e-12).y.T
    return states + noise * np.random.default_rng(seed).normal(size=states.shape)


def check(model):
    found = {(one.target, str(one.monomial)): (one.estimate, one.error) for one in model.estimates}
    assert set(found) == set(TRUE)
    assert all(abs(found[key][0] - TRUE[key]) < 4 * found[key][1] for key in TRUE)


def in_turn(states):
    out = states.copy()
    out[::2, 0], out[1::2, 1] = np.nan, np.nan
    return out


def test_a_third_of_the_values_missing_cost_no_more_than_their_share():
    states = oscillator()
    gappy = states.copy()
    gappy[np.random.default_rng(1).random(states.shape) < 1 / 3] = np.nan
    whole, part = (symknot.identify(data, 3, time=TIMES) for data in (states, gappy))
    check(part)
    assert len(part.runs) == 1 and np.isnan(part.runs[0].measured).sum() > 250 and np.isfinite(part.runs[0].states).all()
    errors = [np.array([one.error for one in model.estimates]) for model in (whole, part)]
    assert (errors[1] < 2 * errors[0]).all()                                  # sqrt(3 / 2), and what luck makes of it
    assert np.abs(part.runs[0].states - oscillator(noise=0.0)[-len(part.runs[0].states):]).max() < 0.05


def test_variables_that_are_never_measured_together():
    data = Trajectories(in_turn(oscillator()), time=TIMES)
    assert repr(data) == "Trajectories: 1 run with gaps, 481 samples of x, y"
    model = symknot.identify(data, 3)
    check(model)
    assert abs(model.state_noise - 0.01).max() < 0.002


def test_accelerations_of_positions_with_gaps():
    positions = oscillator(noise=0.002)[:, :1]
    positions[5::4] = np.nan
    found = symknot.identify(positions, 3, order=2, time=TIMES)
    assert [str(one.monomial) for one in found.estimates] == ["x", "x'", "x**2*x'"]


def test_a_long_gap_is_cut_and_its_sides_are_kept():
    states = oscillator()
    states[100:102, 1], states[200:300, 0] = np.nan, np.nan
    model = symknot.identify(states, 3, time=TIMES)
    check(model)
    assert [run.label for run in model.runs] == ["0/1", "0/2"]
    assert [len(run) for run in model.runs] == [200, 181]


def test_ends_at_which_a_variable_is_not_measured_are_left_out():
    states = oscillator()
    states[:7, 0], states[-3:, 1] = np.nan, np.nan
    part, = bridged(Trajectories(states, time=TIMES).whole, 1)
    assert np.array_equal(part.times, TIMES[7:-3])


def test_inputs_are_not_bridged():
    states, force = oscillator(), np.ones((481, 1))
    states[50, 0], force[240] = np.nan, np.nan
    data = Trajectories(states, time=TIMES, inputs=force)
    assert [len(run) for run in data.whole] == [240, 240] and [len(run) for run in data.runs] == [50, 189, 240]


def test_elsewhere_runs_are_cut():
    data = Trajectories(in_turn(oscillator()), time=TIMES)
    for use in (lambda: data.with_shift(), lambda: symknot.conserved(data), lambda: data.runs):
        with pytest.raises(InvalidPoints, match="only differential equations lead across gaps"):
            use()
    states = oscillator()
    states[100, 0] = np.nan
    data = Trajectories(states, time=TIMES)
    assert len(data.with_shift()) == 99 + 379 and len(data.with_derivatives()) == 481
    assert [len(run) for run in data.with_derivatives().trajectories.without_gaps] == [100, 380]
    assert len(data.select(0).whole) == 1 and len(data.select(0)) == 2


def test_nothing_is_measured_near_the_others():
    states = oscillator()
    states[200:, 0], states[:250, 1] = np.nan, np.nan
    with pytest.raises(InvalidPoints, match="near each other"):
        symknot.identify(states, 2, time=TIMES)


def test_what_is_missing_is_saved_drawn_and_told(tmp_path):
    model = symknot.identify(Trajectories(in_turn(oscillator()), time=TIMES), 3)
    model.save(tmp_path / "model.json")
    again = symknot.load(tmp_path / "model.json")
    assert np.array_equal(again.runs[0].measured, model.runs[0].measured, equal_nan=True)
    assert "nan" not in reporting.report(model).lower()
    for kind in ("time", "phase"):
        model.plot(kind=kind)
    whole = symknot.identify(oscillator(), 3, time=TIMES)
    for one, name in ((model, "gaps.html"), (whole, "whole.html")):
        one.report(tmp_path / name)
    pages = [(tmp_path / name).read_text() for name in ("gaps.html", "whole.html")]
    assert pages[0].count("NaN") == pages[1].count("NaN")                     # those of the script that draws


def test_values_at_other_times_are_those_of_the_window():
    t = np.sort(np.random.default_rng(0).uniform(0, 9, 40))
    y = np.sin(t)
    here, gram = smoothed_at(t, y, t, 9, 3, (0, 1))
    stencils = local_stencils(t, 9, 3)
    assert np.allclose(here, stencils.apply(y)) and np.allclose(gram, stencils.gram)
