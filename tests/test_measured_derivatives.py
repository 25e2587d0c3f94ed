"""Measured derivatives enter the estimate with their own noise."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import symknot
from symknot import Trajectories
from symknot.cli import main
from symknot.ground.errors import InvalidOption, InvalidPoints
from symknot.sysid.motion.fields import Field
from symknot.sysid.motion.kinds import Flow
from symknot.sysid.motion.measurements import Measurements

TIMES = np.linspace(0, 12, 121)
TRUE = {("x'", "y"): 1, ("y'", "x"): -1, ("y'", "y"): 1, ("y'", "x**2*y"): -1}
"""Of van der Pol's oscillator."""


def rates(states):
    x, y = states.T
    return np.c_[y, (1 - x**2) * y - x]


def measured(seed=0, noise=0.1, noise_of_rates=0.01):
    states = solve_ivp(lambda t, z: rates(z[None])[0], (0, 12), (1, 0), t_eval=TIMES, rtol=1e-10, atol=1e-12).y.T
    rng = np.random.default_rng(seed)
    return states + noise * rng.normal(size=states.shape), rates(states) + noise_of_rates * rng.normal(size=states.shape)


def errors_of(model):
    found = {(one.target, str(one.monomial)): (one.estimate, one.error) for one in model.estimates}
    assert set(found) == set(TRUE)
    assert all(abs(found[key][0] - TRUE[key]) < 4 * found[key][1] for key in TRUE)
    return np.array([found[key][1] for key in TRUE])


@pytest.mark.parametrize("seed", range(3))
def test_precise_derivatives_make_precise_coefficients(seed):
    states, derivatives = measured(seed)
    alone = errors_of(symknot.identify(states, 3, time=TIMES, only={"x'": ["y"], "y'": ["x", "y", "x**2*y"]}))
    both = symknot.identify(states, 3, time=TIMES, derivatives=derivatives)
    assert (errors_of(both) < alone / 5).all()
    assert abs(both.state_noise - 0.1).max() < 0.03


def test_useless_derivatives_change_nothing():
    states, _ = measured(noise=0.01)
    nonsense = 1e4 * np.random.default_rng(1).normal(size=states.shape)
    alone, both = (errors_of(symknot.identify(states, 3, time=TIMES, **more)) for more in ({}, {"derivatives": nonsense}))
    assert np.allclose(alone, both, rtol=0.05)


def test_those_of_one_state_at_some_samples():
    states, derivatives = measured()
    derivatives[:, 0], derivatives[::2, 1] = np.nan, np.nan
    found = symknot.identify(states, 3, time=TIMES, derivatives=derivatives, noise=[0.1, 0.1, 0.01])
    alone = symknot.identify(states, 3, time=TIMES, only={"x'": ["y"], "y'": ["x", "y", "x**2*y"]})
    assert (errors_of(found)[1:] < errors_of(alone)[1:]).all()


def test_of_second_order_they_are_the_velocities():
    states, derivatives = measured()
    alone, both = (symknot.identify(states[:, :1], 3, time=TIMES, order=2, **more)
                   for more in ({}, {"derivatives": derivatives[:, :1]}))
    assert [str(one.monomial) for one in both.estimates] == ["x", "x'", "x**2*x'"]
    assert all(one.error < other.error / 3 for one, other in zip(both.estimates, alone.estimates))


def test_defects_of_rates_are_those_of_the_equations():
    rng = np.random.default_rng(0)
    field, x, w = Field.polynomial(2, 2, 2), rng.normal(size=(2, 5)), rng.normal(size=(1, 5))
    c, states = rng.normal(size=field.size), np.vstack([x, w])
    run = Measurements(states, np.ones(3), np.empty((0, 5)), np.full(4, 0.1), rates=np.array([1]))
    here = Flow().defects(field, c, run, states)
    assert np.allclose(here.values[2], w[0, 1:] - field.values(c, x)[1, 1:])
    step = 1e-6
    for k in range(3):
        moved = states.copy()
        moved[k, 2] += step
        change = (Flow().defects(field, c, run, moved).values - here.values) / step
        assert np.allclose(change[:, 1], here.blocks[1][:, k, 1], atol=1e-4)
        assert np.allclose(change[:, 2], here.blocks[0][:, k, 2], atol=1e-4)
    for p in range(field.size):
        change = (Flow().defects(field, c + step * np.eye(field.size)[p], run, states).values - here.values) / step
        assert np.allclose(change, here.by_coefficient[:, p], atol=1e-4)
    multipliers = rng.normal(size=(3, 4))
    pull, _ = Flow().pulls(field, c, run, states, multipliers, 2)
    assert np.allclose(pull.ravel(), -np.einsum("spn,sn->p", here.by_coefficient, multipliers))
    assert not Flow().step_errors(field, c, run, states)[2].any()


def test_in_tables_they_are_columns(tmp_path, capsys):
    states, derivatives = measured()
    path = tmp_path / "swing.csv"
    np.savetxt(path, np.c_[TIMES, states, derivatives[:, 1]], delimiter=",", header="t,x,y,push", comments="")
    runs = Trajectories(path, derivatives={"y": "push"})
    assert runs.names == ("x", "y") and np.isnan(runs.runs[0].derivatives[:, 0]).all()
    errors_of(symknot.identify(path, 3, time="t", derivatives={"y": "push"}))
    assert main(["identify", str(path), "--derivatives", "y=push"]) == 0
    assert "y' = -x**2*y - x + y" in capsys.readouterr().out
    with pytest.raises(InvalidOption, match="one of the states x, y"):
        Trajectories(path, derivatives={"z": "push"})
    with pytest.raises(InvalidOption, match="one of the columns"):
        Trajectories(path, derivatives={"y": "pull"})


def test_gaps_and_pieces_keep_their_derivatives():
    states, derivatives = measured()
    states[40] = np.nan
    runs = Trajectories(states, time=TIMES, derivatives=derivatives)
    assert [len(run.derivatives) for run in runs] == [40, 80]
    assert np.array_equal(runs.runs[1].derivatives, derivatives[41:])
    errors_of(symknot.identify(runs, 3))


def test_what_is_refused():
    states, derivatives = measured()
    with pytest.raises(InvalidOption, match="shape"):
        Trajectories(states, time=TIMES, derivatives=derivatives[:, :1])
    with pytest.raises(InvalidPoints, match="finite"):
        Trajectories(states, time=TIMES, derivatives=np.where(derivatives > 1, np.inf, derivatives))
    with pytest.raises(InvalidOption, match="kind='map'"):
        symknot.identify(states, kind="map", derivatives=derivatives)
    derivatives[4:] = np.nan
    with pytest.raises(InvalidPoints, match="do not show their noise"):
        symknot.identify(states, 3, time=TIMES, derivatives=derivatives)
