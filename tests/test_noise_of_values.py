"""Noise may grow with the value along a run."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import symknot
from symknot.ground.errors import InvalidOption
from symknot.sysid.motion.joint import misfit
from symknot.sysid.motion.measurements import Measurements
from symknot.sysid.motion.search import with_noise
from symknot.sysid.runs.noise_levels import levels_of_noise
from symknot.sysid.runs.noise_of_values import noise_of_values
from symknot.sysid.runs.smooth_states import States

TIMES = np.linspace(0, 15, 300)
KINDS = {"equal": lambda x, e: x + 0.05 * e, "in proportion": lambda x, e: x * (1 + 0.03 * e),
         "both": lambda x, e: x + np.sqrt(0.02**2 + (0.05 * x) ** 2) * e}


def exact_runs():
    """Prey and predators."""
    return [solve_ivp(lambda t, z: [z[0] * (1 - z[1]), z[1] * (z[0] - 1)], (0, 15), start, t_eval=TIMES, rtol=1e-10,
                      atol=1e-12).y.T for start in ((3, 1), (0.5, 2))]


def runs(kind, seed=0):
    rng = np.random.default_rng(seed)
    return symknot.Trajectories([KINDS[kind](x, rng.normal(size=x.shape)) for x in exact_runs()], time=TIMES, names=["x", "y"])


@pytest.mark.parametrize("kind, seen", [("equal", False), ("in proportion", True), ("both", True)])
def test_it_is_told_from_equal_noise(kind, seen):
    assert [noise_of_values(runs(kind, seed)).is_seen for seed in range(4)] == [seen] * 4


def test_neither_heavy_tails_nor_unequal_runs_are_taken_for_it():
    rng = np.random.default_rng(1)
    exact = exact_runs()
    for noise in (lambda x, k: 0.05 * rng.standard_t(4, x.shape), lambda x, k: (0.02, 0.2)[k] * rng.normal(size=x.shape)):
        data = symknot.Trajectories([x + noise(x, k) for k, x in enumerate(exact)], time=TIMES, names=["x", "y"])
        assert not noise_of_values(data).is_seen


def test_the_noise_of_every_value():
    found, exact = noise_of_values(runs("both")), exact_runs()
    for own, x in zip(found.relative, exact):
        off = found.sigma * own / np.sqrt(0.02**2 + (0.05 * x) ** 2)
        assert own.shape == x.shape and (np.abs(np.median(off, axis=0) - 1) < 0.15).all()
        assert 0.6 < off.min() and off.max() < 1.7
    assert np.allclose(sum(np.mean(own**2, axis=0) for own in found.relative) / 2, 1, atol=0.05)


def test_no_noise_and_short_runs_show_nothing():
    exact = symknot.Trajectories(exact_runs(), time=TIMES)
    assert not noise_of_values(exact).is_seen
    short = noise_of_values(symknot.Trajectories([[[1.0], [2.0], [4.0], [7.0]]], time=0.1))
    assert not short.is_seen and short.relative[0].tolist() == [[1.0]] * 4


def test_words_and_choice():
    sigma, of_runs, of_values = levels_of_noise(runs("equal"), "estimate")
    assert of_runs is None and of_values is None and sigma.shape == (2,)
    assert [one.shape for one in levels_of_noise(runs("equal"), "relative")[2]] == [(300, 2)] * 2
    assert levels_of_noise(runs("in proportion"), "estimate")[2] is not None
    assert levels_of_noise(runs("in proportion"), "each run")[2] is None
    with pytest.raises(InvalidOption, match="'relative'"):
        levels_of_noise(runs("equal"), "proportional")
    with pytest.raises(InvalidOption):
        symknot.identify(np.random.default_rng(0).normal(size=(50, 1)), kind="map", noise="relative")


def test_equations_and_what_is_conserved(tmp_path):
    data = runs("in proportion")
    model = symknot.identify(data, 2)
    assert str(model.exact_right_hand_sides) == "{\"x'\": -x*y + x, \"y'\": x*y - y}"
    assert (np.abs(model.values - 1) < 0.15).all()
    assert "on average: it grows with the value" in str(model)
    for run, x in zip(model.runs, exact_runs()):
        assert (np.abs(np.median(run.noise / (0.03 * x), axis=0) - 1) < 0.15).all()
    model.save(tmp_path / "model.json")
    assert [np.array_equal(*pair) for pair in zip(*([run.noise for run in one.runs] for one in (
        model, symknot.load(tmp_path / "model.json"))))] == [True, True]
    even = symknot.identify(data, 2, noise=[0.03, 0.03])
    assert even.targets != model.targets or (even.values > 1.2).any()                    # equal noise does not describe it
    rng, angle = np.random.default_rng(2), np.linspace(0, 12, 400)
    swing = [a * np.c_[np.cos(angle), -2 * np.sin(angle)] + [0.0, 5.0] for a in (1.0, 1.5)]
    shifted = [x * (1 + 0.03 * rng.normal(size=x.shape)) for x in swing]
    found = symknot.conserved(symknot.Trajectories(shifted, time=angle[1], names=["x", "v"]))
    assert len(found.invariants) == 1 and abs(found.invariants[0].value - 1) < 0.15


def test_squares_count_by_the_noise_of_their_value():
    measured, uneven = np.zeros((1, 3)), np.array([[1.0, 4.0, 16.0]])
    run = Measurements(measured, np.ones(1), np.empty((0, 3)), np.ones(2), uneven=uneven)
    squares, counts = misfit([run], [measured + 2.0])
    assert squares.tolist() == [4.0 + 1.0 + 0.25] and counts.tolist() == [3]
    noisier, = with_noise([run], np.array([5.0]))
    assert noisier.variances.tolist() == [[5.0, 20.0, 80.0]]
    assert run.shortened(2).variances.tolist() == [[1.0, 4.0]]
    assert run.subdivided(2).uneven.tolist() == [[1.0, 1.0, 4.0, 4.0, 16.0]]


def test_sums_of_smoothed_states_have_the_variance_of_their_values():
    data, rng = runs("equal"), np.random.default_rng(0)
    relative = [np.ones((300, 2)), np.full((300, 2), 3.0)]
    states, weights = States.of(data, np.ones(2), 0.3, relative), rng.normal(size=(600, 1, 2))
    even = States.of(data, np.ones(2), 0.3)
    first, second = (even.variance_of_sums(weights)[r, 0] for r in (0, 1))
    assert np.allclose(states.variance_of_sums(weights)[:, 0], [first, 9 * second])
    assert np.allclose(states.variance[300:], 9 * even.variance[300:]) and np.allclose(states.noise, np.sqrt(5))
