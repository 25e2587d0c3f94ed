"""Runs may be unequally noisy."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import symknot
from symknot.ground.errors import InvalidOption
from symknot.sysid.motion.joint import misfit
from symknot.sysid.motion.measurements import Measurements
from symknot.sysid.motion.search import with_noise
from symknot.sysid.runs.noise_of_runs import differ, noise_of_runs

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


def oscillators(share, seed=0):
    """Three runs whose noise is a share of each one's own range."""
    rng, t = np.random.default_rng(seed), np.linspace(0, 12, 400)
    clean = [size * np.c_[np.cos(2 * t), -2 * np.sin(2 * t)] for size in (0.3, 1, 3)]
    return t, [run + share * run.std(axis=0) * rng.normal(size=run.shape) for run in clean]


@pytest.mark.parametrize("share", [0.01, 0.05])
def test_noise_in_proportion_to_each_run_is_seen(share):
    t, noisy = oscillators(share)
    model = symknot.identify(noisy, 2, time=t)
    assert str(model).splitlines()[:2] == ["x' = y", "y' = -4*x"]
    truth = share * np.array([[run.std() for run in np.asarray(one).T] for one in noisy])
    assert np.allclose([run.noise for run in model.runs], truth, rtol=0.15)
    found = symknot.conserved(noisy, time=t)
    assert [str(one.expr) for one in found.invariants] == ["4*x**2 + y**2"]
    assert np.allclose(found.noise, np.sqrt(np.mean(truth**2, axis=0)), rtol=0.15)


def test_conserved_takes_the_noise_of_runs_by_label():
    t, noisy = oscillators(0.05)
    given = {label: [0.05 * size * 2**-0.5, 0.1 * size * 2**-0.5] for label, size in zip("abc", (0.3, 1, 3))}
    found = symknot.conserved(dict(zip("abc", noisy)), time=t, noise=given)
    assert [str(one.expr) for one in found.invariants] == ["4*x**2 + y**2"] and found.noise_given


def test_runs_of_equal_noise_are_alike():
    t = np.linspace(0, 12, 200)
    told = [differ(symknot.Trajectories([np.sin(t)[:, None] + 0.1 * rng.normal(size=(200, 1)),
                                         3 * np.cos(2 * t)[:, None] + 0.1 * rng.normal(size=(200, 1))], time=t))
            for rng in map(np.random.default_rng, range(40))]
    assert not any(told)


def test_what_does_not_tell_runs_apart():
    t, noisy = oscillators(0.05)
    assert differ(symknot.Trajectories(noisy, time=t))
    assert not differ(symknot.Trajectories(noisy[:1], time=t))
    assert not differ(symknot.Trajectories([noisy[0], noisy[2][:19]], time=0.03))                  # too short
    _, clean = oscillators(0.0)
    assert not differ(symknot.Trajectories(clean, time=t))
