"""Local polynomial stencils, the noise level and the window: known answers, and truth by simulation."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.signal import savgol_filter

from symknot.sysid.runs.smoothing import best_window, local_stencils, noise_level, smallest_window, window_ladder
from symknot.sysid.runs.stencils import even_step


def uneven(n, seed=0, reach=3.0):
    return np.sort(np.random.default_rng(seed).uniform(0, reach, n))


def solved(rule, start, times, *, pick=0):
    """One variable of a solution, and its derivative."""
    states = solve_ivp(rule, (times[0], times[-1]), start, t_eval=times, rtol=1e-9, atol=1e-9).y.T
    return states[:, pick], np.array([rule(0, state)[pick] for state in states])


def lorenz(n=1000):
    times = 0.01 * np.arange(n)
    return times, *solved(lambda t, s: [10 * (s[1] - s[0]), s[0] * (28 - s[2]) - s[1], s[0] * s[1] - 8 / 3 * s[2]],
                          [-8, 8, 27], times)


def sine(n=600):
    times = 0.05 * np.arange(n)
    return times, np.sin(times), np.cos(times)


def relaxation(n=1500):
    times = 0.02 * np.arange(n)
    return times, *solved(lambda t, s: [s[1], 5 * (1 - s[0] ** 2) * s[1] - s[0]], [2, 0], times)


SIGNALS = {"lorenz": lorenz, "sine": sine, "relaxation": relaxation}


# ------------------------------------------------------------------------------------------------------- the stencils


@pytest.mark.parametrize("times", [np.linspace(-1, 2, 60), 1e6 + np.linspace(0, 3, 60), uneven(60), uneven(60, 1, 1e-5),
                                   np.r_[uneven(40), 5 + uneven(20, 2, 1e-4)]],
                         ids=["even", "late", "uneven", "fast", "clustered"])
@pytest.mark.parametrize(("window", "degree"), [(5, 3), (9, 5), (31, 4), (59, 2), (7, 6)])
def test_polynomials_are_reproduced_at_every_sample(times, window, degree):
    reach = times[-1] - times[0]
    s = (times - times[0]) / reach
    found = local_stencils(times, window, degree, (0, 1, 2)).apply(s**2 - 3 * s)
    # rounding of samples and times, divided by the distance of the closest ones
    rounding = 1e-13 + 1e-15 * np.abs(times).max() / reach
    apart = np.diff(s).min()
    np.testing.assert_allclose(found[:, 0], s**2 - 3 * s, atol=1e-9)
    np.testing.assert_allclose(found[:, 1] * reach, 2 * s - 3, atol=100 * rounding / apart)
    np.testing.assert_allclose(found[:, 2] * reach**2, 2.0, atol=1000 * rounding / apart**2)


@pytest.mark.parametrize("times", [np.linspace(0, 1, 40), uneven(40)], ids=["even", "uneven"])
def test_the_highest_degree_is_reproduced_and_one_more_is_not(times):
    stencils = local_stencils(times, 9, 4, (0, 1))
    np.testing.assert_allclose(stencils.apply(times**4), np.c_[times**4, 4 * times**3], atol=1e-8)
    assert np.abs(stencils.apply(times**5)[:, 1] - 5 * times**4).max() > 1e-6


@pytest.mark.parametrize("window", [5, 11, 39, 79])
@pytest.mark.parametrize("order", [0, 1, 2])
def test_even_grid_agrees_with_scipy(window, order):
    y = np.random.default_rng(0).normal(size=80)
    found = local_stencils(0.1 * np.arange(80), window, 3, (order,)).apply(y)[:, 0]
    wanted = savgol_filter(y, window, 3, deriv=order, delta=0.1, mode="interp")
    np.testing.assert_allclose(found, wanted, rtol=1e-8, atol=1e-9 * np.abs(wanted).max())


def test_even_and_uneven_code_agree(monkeypatch):
    times, y = np.linspace(0, 1, 50), np.random.default_rng(0).normal(size=50)
    fast = local_stencils(times, 11, 4, (0, 1, 2))
    monkeypatch.setattr("symknot.sysid.runs.stencils.even_step", lambda times: None)
    slow = local_stencils(times, 11, 4, (0, 1, 2))
    assert len(fast.table) == 11 and len(slow.table) == 50
    np.testing.assert_allclose(fast.weights, slow.weights, rtol=1e-7, atol=1e-8 * np.abs(slow.weights).max())
    np.testing.assert_allclose(fast.gram, slow.gram, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(fast.apply(y), slow.apply(y), rtol=1e-8, atol=1e-7)


def test_window_as_long_as_the_run():
    times = np.arange(7.0)
    np.testing.assert_allclose(local_stencils(times, 7, 3).apply(times**3), np.c_[times**3, 3 * times**2], atol=1e-10)


def test_several_columns_at_once():
    times, y = np.linspace(0, 1, 30), np.random.default_rng(0).normal(size=(30, 3))
    stencils = local_stencils(times, 7, 2)
    np.testing.assert_array_equal(stencils.apply(y)[:, 1], stencils.apply(y[:, 1]))
    assert stencils.apply(y).shape == (30, 3, 2)


@pytest.mark.parametrize("times", [np.linspace(0, 1, 30), uneven(30)], ids=["even", "uneven"])
def test_gram_is_the_covariance_of_unit_noise(times):
    stencils = local_stencils(times, 9, 3, (0, 1))
    np.testing.assert_allclose(stencils.gram, np.einsum("iqw,irw->iqr", stencils.weights, stencils.weights),
                               rtol=1e-8, atol=1e-9)
    noise = np.random.default_rng(0).normal(size=(30, 20000))
    found = np.einsum("inq,inr->iqr", *[stencils.apply(noise)] * 2) / 20000
    scale = np.sqrt(np.einsum("iqq->iq", stencils.gram))
    np.testing.assert_allclose((found - stencils.gram) / scale[:, :, None] / scale[:, None], 0, atol=0.06)


@pytest.mark.parametrize(("times", "step"), [
    (np.arange(5) * 0.1, 0.1), (1e9 + np.arange(500) * 0.01, 0.01), ([0, 1, 2.001], None), ([0.0, 1, 3], None),
    ([1.0], None), (np.round(np.arange(9) / 3, 3), None)])
def test_even_step(times, step):
    found = even_step(np.asarray(times, float))
    assert found is None if step is None else found == pytest.approx(step, rel=1e-6)


# ---------------------------------------------------------------------------------------------------- the noise level


@pytest.mark.parametrize("name", SIGNALS)
@pytest.mark.parametrize("level", [0.01, 0.05, 0.1])
def test_noise_level_is_found(name, level):
    times, y, _ = SIGNALS[name]()
    for seed in range(4):
        noise = level * y.std() * np.random.default_rng(seed).normal(size=len(y))
        assert noise_level([(times, y + noise)]) == pytest.approx(noise.std(), rel=0.1)


def test_noise_level_on_uneven_times_and_of_several_runs():
    times = uneven(800, reach=20)
    noise = 0.05 * np.random.default_rng(3).normal(size=800)
    assert noise_level([(times, np.sin(times) + noise)]) == pytest.approx(0.05, rel=0.1)
    pieces = [(times[k:k + 40], (np.sin(times) + noise)[k:k + 40]) for k in range(0, 800, 40)]
    assert noise_level(pieces) == pytest.approx(0.05, rel=0.1)


def test_a_few_jumps_do_not_count_as_noise():
    times = np.arange(1000) * 0.01
    noise = 0.02 * np.random.default_rng(0).normal(size=1000)
    assert noise_level([(times, np.floor(times / 2) + noise)]) == pytest.approx(0.02, rel=0.1)


@pytest.mark.parametrize("name", SIGNALS)
def test_noise_level_without_noise_is_tiny(name):
    times, y, _ = SIGNALS[name]()
    assert 0 <= noise_level([(times, y)]) < 1e-6 * y.std()


def test_noise_level_of_next_to_nothing():
    assert noise_level([(np.arange(1.0), np.zeros(1))]) == 0
    assert noise_level([(np.arange(30.0), np.zeros(30))]) == 0
    assert noise_level([(np.arange(4.0), np.array([0, 1.0, 0, 1]))]) > 0


def test_noise_level_follows_the_units():
    times, y, _ = sine()
    y = y + 0.05 * np.random.default_rng(0).normal(size=len(y))
    level = noise_level([(times, y)])
    assert noise_level([(60 * times, 1000 * y + 7)]) == pytest.approx(1000 * level, rel=1e-6)


# --------------------------------------------------------------------------------------------------------- the window


def rms_error(times, y, truth, window, degree):
    error = local_stencils(times, window, degree, (1,)).apply(y)[:, 0] - truth
    return np.sqrt(np.mean(error[window // 2:len(y) - window // 2] ** 2))


@pytest.mark.parametrize("name", SIGNALS)
@pytest.mark.parametrize("level", [0.001, 0.01, 0.05, 0.1])
def test_the_window_is_nearly_the_best_there_is(name, level):
    times, y, truth = SIGNALS[name]()
    ratios = []
    for seed in range(4):
        noisy = y + level * y.std() * np.random.default_rng(seed).normal(size=len(y))
        choice = best_window([(times, noisy)], level * y.std())
        best = min(rms_error(times, noisy, truth, window, degree)
                   for degree in (3, 5) for window in window_ladder(degree, len(y) // 3))
        found = rms_error(times, noisy, truth, choice.window, choice.degree)
        assert found == pytest.approx(choice.error, rel=0.6)
        ratios.append(found / best)
    assert np.median(ratios) < 1.1 and max(ratios) < 1.4


def test_the_window_on_uneven_times():
    times = uneven(600, reach=30)
    noisy = np.sin(times) + 0.05 * np.random.default_rng(0).normal(size=600)
    choice = best_window([(times, noisy)], 0.05)
    best = min(rms_error(times, noisy, np.cos(times), window, degree)
               for degree in (3, 5) for window in window_ladder(degree, 200))
    assert rms_error(times, noisy, np.cos(times), choice.window, choice.degree) < 1.2 * best


def test_without_noise_the_smallest_window():
    times, y, _ = lorenz()
    assert best_window([(times, y)], 0.0, degree=3).window == smallest_window(3) == 5
    assert best_window([(times, y)], 0.0).window == 7
    assert best_window([(times, y)], 0.0, order=2).window == 9


def test_second_derivatives_want_wider_windows():
    times, y, _ = sine()
    y = y + 0.02 * np.random.default_rng(0).normal(size=len(y))
    assert best_window([(times, y)], 0.02, degree=4, order=2).window >= best_window([(times, y)], 0.02, degree=4).window


def test_more_noise_a_wider_window_and_never_more_than_allowed():
    times, y, _ = sine()
    noise = np.random.default_rng(0).normal(size=len(y))
    windows = [best_window([(times, y + level * noise)], level).window for level in (0.001, 0.01, 0.1)]
    assert windows == sorted(windows) and windows[0] < windows[-1]
    assert best_window([(times, y + noise)], 1.0, longest=30).window <= 15


@pytest.mark.parametrize("n", [2, 5, 8, 9, 12, 18])
def test_short_runs_get_a_window_all_the_same(n):
    times = np.arange(float(n))
    assert best_window([(times, np.sin(times))] * 3, 0.1).window in (5, 7, 9, 11)


def test_the_ladder_is_odd_and_grows():
    ladder = window_ladder(4, 300)
    assert ladder[0] == 7 and ladder[-1] <= 300 and all(w % 2 for w in ladder) and ladder == sorted(set(ladder))
    assert [smallest_window(p) for p in (1, 2, 3, 4, 5)] == [3, 5, 5, 7, 7]
