"""Runs may be unequally noisy."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import symknot
from symknot.ground.errors import InvalidOption
from symknot.sysid.motion.joint import misfit
from symknot.sysid.motion.measurements import Measurements
from symknot.sysid.motion.search import with_noise
from symknot.sysid.runs.noise_of_runs import noise_of_runs

TIMES = np.linspace(0, 12, 121)
NOISES = {"calm": 0.02, "rough": 0.3}
TRUE = {("x'", "y"): 1, ("y'", "x"): -1, ("y'", "y"): 1, ("y'", "x**2*y"): -1}
"""Of van der Pol's oscillator."""


def runs(seed=0):
    rng = np.random.default_rng(seed)
    return {label: solve_ivp(lambda t, z: [z[1], (1 - z[0] ** 2) * z[1] - z[0]], (0, 12), start, t_eval=TIMES, rtol=1e-10,
                             atol=1e-12).y.T + NOISES[label] * rng.normal(size=(121, 2))
            for label, start in (("calm", (1, 0)), ("rough", (2, 1)))}


def errors_of(model):
    found = {(one.target, str(one.monomial)): (one.estimate, one.error) for one in model.estimates}
    assert set(found) == set(TRUE)
    assert all(abs(found[key][0] - TRUE[key]) < 4 * found[key][1] for key in TRUE)
    return np.array([found[key][1] for key in TRUE])


@pytest.mark.parametrize("noise", ["each run", NOISES])
def test_a_noisy_run_does_not_spoil_a_precise_one(noise):
    both = symknot.identify(runs(), 3, time=TIMES, noise=noise)
    alone = errors_of(symknot.identify(runs()["calm"], 3, time=TIMES))
    assert (errors_of(both) < 1.1 * alone).all()                              # the noisy one adds a little, and takes nothing
    for run in both.runs:
        assert np.allclose(run.noise, NOISES[run.label], rtol=0.25)


def test_it_is_saved(tmp_path):
    model = symknot.identify(runs(), 3, time=TIMES, noise=NOISES)
    model.save(tmp_path / "model.json")
    again = symknot.load(tmp_path / "model.json")
    assert [run.noise.tolist() for run in again.runs] == [run.noise.tolist() for run in model.runs]


def test_squares_count_in_each_run_by_its_own_noise():
    measured, relative = np.zeros((1, 3)), np.array([4.0])
    run = Measurements(measured, np.ones(1), np.empty((0, 3)), np.ones(2), relative=relative)
    squares, counts = misfit([run], [measured + 2.0])
    assert squares.tolist() == [3.0] and counts.tolist() == [3]
    noisier, = with_noise([run], np.array([5.0]))
    assert noisier.variance.tolist() == [20.0] and noisier.common_variance.tolist() == [5.0]


def test_levels_and_shares():
    data = symknot.Trajectories(runs(), time=TIMES)
    common, relative = noise_of_runs(data, NOISES)
    assert np.allclose(common, np.sqrt((0.02**2 + 0.3**2) / 2))
    assert np.allclose(common * relative, [[0.02, 0.02], [0.3, 0.3]])
    alike, ones = noise_of_runs(data, {"calm": [0.1, 0.2], "rough": [0.1, 0.2]})
    assert np.allclose(alike, [0.1, 0.2]) and np.allclose(ones, 1)


def test_the_noise_of_points_is_that_of_their_run():
    samples = symknot.Trajectories(runs(), time=TIMES).with_derivatives(noise=NOISES, window=9)
    first, second = (samples.covariance[(samples.run == k) & samples.centred][0] for k in (0, 1))
    assert np.allclose(first * (0.3 / 0.02) ** 2, second)


def test_what_is_refused():
    data = symknot.Trajectories(runs(), time=TIMES)
    with pytest.raises(InvalidOption, match="also for 'rough'"):
        symknot.identify(data, noise={"calm": 1})
    with pytest.raises(InvalidOption, match="not negative"):
        symknot.identify(data, noise={"calm": 1, "rough": -1})
    with pytest.raises(InvalidOption, match="do not show their noise"):
        symknot.identify({"a": runs()["calm"], "b": runs()["rough"][:12]}, noise="each run", time=0.1)
    with pytest.raises(InvalidOption, match="noise"):
        symknot.identify(data, kind="map", noise="each run")
    with pytest.raises(InvalidOption, match="noise"):
        symknot.identify(data, kind="map", noise=NOISES)
