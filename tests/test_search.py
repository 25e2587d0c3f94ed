"""Which hypotheses are believed: structure in residuals, bends, clouds, alternatives."""

import re
from dataclasses import replace

import numpy as np
import pytest

import symknot
from symknot.fitting.extending import new_values
from symknot.fitting.hypothesis import LOUDEST_NOISE, SHARE_OF_A_CLOUD, Hypothesis, hypothesis, loudest_noise
from symknot.fitting.recursion import Recursion
from symknot.fitting.sampled import Sample, SampledDegree
from symknot.fitting.search import refitted, search_sample
from symknot.fitting.structure import LEVEL
from tests.benchmarks.noise_kinds import Case, sample_of, shape_of


def sample(X):
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    return Sample(X, np.full(len(X), 1 / len(X)), np.ones_like(X), np.ones(len(X)))


def linear(X):
    return hypothesis(SampledDegree.of(sample(X), Recursion(X.shape[1], 1.0), X.shape[1]), 1)


def arc(rng, n, noise, angle=np.pi / 3):
    t = rng.uniform(0, angle, n)
    return np.c_[np.cos(t), np.sin(t)] + noise * rng.normal(size=(n, 2))


def mild(rng, n):
    x, y = rng.uniform(0, 1, (2, n))
    return np.c_[x, y, np.sqrt(np.maximum(1 - x**2 - 0.01 * y, 0))] + 0.05 * rng.normal(size=(n, 3))


def test_an_arc_is_no_line():
    rng = np.random.default_rng(0)
    assert all(linear(arc(rng, 100, 0.02)).structure.chance < 1e-4 for _ in range(10))


@pytest.mark.parametrize("noise", ["normal", "uniform", "uneven"])
def test_true_lines_are_rejected_as_often_as_the_level_says(noise):
    rng, rejected = np.random.default_rng(1), 0
    for _ in range(200):
        x = rng.uniform(-1, 1, 150)
        e = rng.uniform(-1, 1, (150, 2)) if noise == "uniform" else rng.normal(size=(150, 2))
        e = e * (0.3 + np.abs(x))[:, None] if noise == "uneven" else e
        rejected += linear(np.c_[x, 0.5 * x] + 0.05 * e).structure.rejects
    assert rejected <= 200 * LEVEL + 2


@pytest.mark.parametrize("n", [300, 1000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_a_mild_bend_is_found(n):
    ideal = symknot.fit(mild(np.random.default_rng(2), n), names=["x", "y", "z"])
    assert [g.degree for g in ideal.polynomials] == [2]
    assert ideal.noise_level == pytest.approx(0.05, rel=0.15)


def test_many_points_of_a_mild_bend_say_its_noise_and_all_its_numbers():
    ideal = symknot.fit(mild(np.random.default_rng(0), 20_000), names=["x", "y", "z"], max_degree=2)
    across = ideal.noise[[0, 2]]
    assert np.all(np.abs(across - 0.05) < 3 * ideal.noise_errors[[0, 2]])
    assert np.isnan(ideal.noise_errors[1])                    # its slope is a hundredth: no word on the noise of y
    (equation,) = ideal.uncertainty()
    truth = {(2, 0, 0): 1, (0, 0, 2): 1, (0, 1, 0): 0.01, (0, 0, 0): -1}
    off = {e: (float(equation.terms.get(e, 0)) - truth.get(e, 0)) / s for e, s in equation.standard_errors.items()}
    assert max(map(abs, off.values())) < 4


def test_a_mild_bend_is_found_with_the_noise_given():
    ideal = symknot.fit(mild(np.random.default_rng(3), 1000), 0.055, names=["x", "y", "z"])
    assert [g.degree for g in ideal.polynomials] == [2] and ideal.epsilon == 0.055


def test_max_degree_changes_nothing_where_it_is_high_enough():
    rng = np.random.default_rng(4)
    t = rng.uniform(0, 2 * np.pi, 200)
    X = np.c_[np.cos(t), np.sin(t)] + 0.03 * rng.normal(size=(200, 2))
    free, bound = symknot.fit(X), symknot.fit(X, max_degree=2)
    assert [g.degree for g in bound.polynomials] == [g.degree for g in free.polynomials] == [2]


@pytest.mark.parametrize("seed", range(12))
def test_clouds_show_no_equation(seed):
    rng = np.random.default_rng(seed)
    d, n = 1 + seed % 4, (60, 200, 600)[seed % 3]
    X = (rng.normal(size=(n, d)), rng.standard_t(3, size=(n, d)), rng.lognormal(size=(n, d)))[seed % 3]
    assert search_sample(sample(X), None, None).found is None


def test_a_flat_normal_cloud_is_a_trend_and_a_line_is_not():
    rng = np.random.default_rng(5)
    x = rng.normal(size=400)
    cloud = symknot.fit(np.c_[x, x + 0.2 * rng.normal(size=400)])
    assert cloud.status is symknot.Status.TREND and "trend" in str(cloud)
    x = rng.uniform(-1, 1, 400)
    assert symknot.fit(np.c_[x, x + 0.1 * rng.normal(size=400)]).status is not symknot.Status.TREND


def tilted_arc(seed, n):
    """Thirty degrees of a circle, its noise a hundredth of the radius, in a direction in which both columns tell of it."""
    rng = np.random.default_rng(seed)
    a = np.radians(rng.uniform(-15, 15, n))
    return (np.c_[10 * np.cos(a), 10 * np.sin(a)] + 0.1 * rng.normal(size=(n, 2))) @ [[0.8, 0.6], [-0.6, 0.8]]


@pytest.mark.parametrize("n, degree, other, start", [(45, 1, 2, "or: "), (60, 2, 1, "or, simpler: ")])
def test_a_short_arc_is_a_line_or_bent_and_the_simpler_comes_first_while_it_is_not_rejected(n, degree, other, start):
    ideal = symknot.fit(tilted_arc(0, n), names=["x", "y"])
    rival, = ideal.alternatives
    assert [g.degree for g in ideal.polynomials] == [degree] and [g.degree for g in rival.polynomials] == [other]
    assert "structure" in rival.message and start in str(ideal)
    assert isinstance(rival, symknot.Ideal) and len(rival.knots) and rival.noise.min() > 0


def test_many_points_of_an_arc_leave_no_rival():
    ideal = symknot.fit(tilted_arc(0, 600))
    assert [g.degree for g in ideal.polynomials] == [2] and not ideal.alternatives


@pytest.mark.parametrize("apart, degrees", [(0.0, [1]), (2.3, [1, 2]), (2.6, [2, 1]), (3.5, [2])])
def test_two_planes_that_are_near_to_each_other_are_one_or_two(apart, degrees):
    """Noise is s: from one plane between them the points are sqrt(1 + apart^2) times as far as from two."""
    rng = np.random.default_rng(0)
    places = rng.uniform(-10, 10, size=(2000, 2))
    points = np.c_[places, 0.2 * (apart * rng.choice([-1, 1], size=2000) + rng.normal(size=2000))]
    turn = np.linalg.qr(np.random.default_rng(5).normal(size=(3, 3)))[0]
    ideal = symknot.fit(points @ turn)
    assert [max(g.degree for g in one.polynomials) for one in (ideal, *ideal.alternatives)] == degrees
    for rival in ideal.alternatives:
        times = float(re.search(r"the points are (\S+) times as far from it; .* 3 times nearer", rival.message)[1])
        assert 5**0.5 < max(times, 1 / times) < 9 / 5**0.5


def test_a_circle_has_no_rival():
    for seed in range(8):
        rng = np.random.default_rng(seed)
        t = rng.uniform(0, 2 * np.pi, 200)
        assert not symknot.fit(np.c_[np.cos(t), np.sin(t)] + 0.04 * rng.normal(size=(200, 2))).alternatives


def test_a_rival_that_is_nearly_as_good_is_named(tmp_path):
    for seed in range(40):
        ideal = symknot.fit(arc(np.random.default_rng(seed), 60, 0.03, 1.0), names=["x", "y"])
        if ideal.alternatives:
            break
    rival, = ideal.alternatives
    assert [g.degree for g in rival.polynomials] == [1] and [g.degree for g in ideal.polynomials] == [2]
    assert "structure" in rival.message and "or, simpler: " in str(ideal)
    ideal.save(tmp_path / "fit.json")
    assert str(symknot.load(tmp_path / "fit.json").alternatives[0]) == str(rival)


def proportional(points, rng, size=0.02):
    return points * (1 + size * rng.normal(size=points.shape))


def test_noise_that_leaves_some_values_exact_is_noise_all_the_same():
    """A circle and its axis: z is exactly 0 on the one, x and y on the other."""
    rng = np.random.default_rng(4)
    t, s = rng.uniform(0, 2 * np.pi, 250), rng.uniform(-1, 1, 250)
    X = np.r_[np.c_[np.cos(t), np.sin(t), 0 * t], np.c_[0 * s, 0 * s, s]]
    ideal = symknot.fit(proportional(X, rng, 0.01))
    assert sorted(g.degree for g in ideal.polynomials) == [2, 2, 3, 3]


def test_exact_points_of_a_curve_leave_no_room_for_noise():
    x = np.linspace(-1, 1, 25)
    (equation,) = symknot.fit(np.c_[x, x**3 / 5], names=["x", "y"]).readable().polynomials
    assert str(equation) == "x**3 - 5*y = 0"


def test_equations_of_lower_degree_are_not_lost_when_a_degree_is_overruled():
    """At degree 2 the points (0 or 1, -1, 0 or 1) look like four points with loud noise."""
    rng = np.random.default_rng(5)
    X = np.array([[a, b] for a in (0, 1) for b in (-1, 0, 1)])[rng.integers(0, 6, 500)]
    ideal = symknot.fit(proportional(X, rng), names=["x", "y"])
    assert [str(g).split("   ")[0] for g in ideal.readable().polynomials] == ["x**2 - x = 0", "y**3 - y = 0"]


def test_weights_do_not_run_after_a_part_of_clean_data():
    """Two lines, noise in x alone: it is not seen along the first, which is no reason to leave out the second."""
    rng = np.random.default_rng(6)
    t, s = rng.uniform(-1, 1, (2, 250))
    X = np.r_[np.c_[t, 0 * t, 0 * t + 1], np.c_[0 * s, s, 0 * s - 1]]
    X[:, 0] += 0.02 * rng.normal(size=500)
    ideal = symknot.fit(X)
    assert (ideal.assignment >= 0).mean() > 0.99 and len(ideal.outliers) <= 5


def test_a_few_points_far_out_do_not_make_the_others_lie_near():
    """Zeros at the four largest of 300 numbers, and one among the others."""
    points, recursion = sample(np.exp(np.random.default_rng(0).normal(size=(300, 1)))), Recursion(1, 1.0)
    for degree in range(1, 6):
        at = SampledDegree.of(points, recursion, degree)
        recursion = at.recursion
    values, space = at.spectrum(np.ones(1))
    found = Hypothesis(at, 1, np.ones(1), values, space[:, :1], np.ones(1))
    assert found.loudness < LOUDEST_NOISE < found.usual_loudness and not found.is_near()


def test_a_narrow_ellipse_is_no_loud_line():
    """A line determines no variable's noise, and is overruled all the same."""
    rng = np.random.default_rng(8)
    t = rng.uniform(0, 2 * np.pi, 500)
    X = np.c_[10 * np.cos(t), 2 * np.sin(t)] @ [[0.6, 0.8], [-0.8, 0.6]] + 0.15 * rng.normal(size=(500, 2))
    assert [g.degree for g in symknot.fit(X).polynomials] == [2]


def balance_and_law(rng, noise):
    """w = x + z (a balance) and 2 z = x y (a law)."""
    x, y = rng.uniform(0.5, 2.5, (2, 500))
    z = x * y / 2
    return np.c_[x, y, z, x + z] + rng.normal(size=(500, 4)) * noise


@pytest.mark.parametrize("loud", [0, 1, 3])
def test_a_linear_and_a_quadratic_equation_determine_the_noise_together(loud):
    noise = np.where(np.arange(4) == loud, 0.04, 0.004)
    ideal = symknot.fit(balance_and_law(np.random.default_rng(9), noise), names=["x", "y", "z", "w"])
    assert sorted(g.degree for g in ideal.polynomials) == [1, 2]
    assert ideal.noise[loud] == pytest.approx(0.04, rel=0.15) and ideal.noise_errors[loud] < 0.006


def test_new_values_are_beside_the_multiples_of_earlier_equations():
    """Of z = x + y, the square and the three multiples are nothing new: the smallest new value is that of the law."""
    X = balance_and_law(np.random.default_rng(9), 0.01)
    first = SampledDegree.of(sample(X), Recursion(4, 1.0), 4)
    second = SampledDegree.of(sample(X), first.recursion, 14)
    earlier = hypothesis(first, 1)
    found, every = new_values(earlier, second, np.ones(4)), second.spectrum(np.ones(4))[0]
    assert len(found) == len(every) - 5
    assert np.sum(every < 0.03) == 6 and np.sum(found < 0.03) == 1


def test_structure_that_comes_from_a_wrong_idea_of_the_noise_rejects_nothing():
    """Two unknown metrics of one plane: projected along the wrong one, points land aside."""
    rng = np.random.default_rng(10)
    X = rng.uniform(-1, 1, (500, 3))
    X = np.c_[X, X @ [1, 1, 1]]
    X[:, 0] += 0.15 * rng.normal(size=500)
    ideal = symknot.fit(X)
    assert [g.degree for g in ideal.polynomials] == [1]


@pytest.mark.parametrize("seed", [0, 1, 2, 3, 4, 9])
def test_linear_laws_beside_a_bent_one_whose_noise_they_do_not_tell(seed):
    """Projected along a wrong noise the points of a circle land aside, and a true linear law seems to have structure."""
    rng = np.random.default_rng(seed)
    t = rng.uniform(0, 2 * np.pi, 500)
    rotations = np.c_[np.cos(t), -np.sin(t), np.sin(t), np.cos(t)] + 0.07 * rng.normal(size=(500, 4))
    assert [g.degree for g in symknot.fit(rotations).polynomials] == [1, 1, 2]
    price = rng.uniform(1, 8, 500)
    revenue = np.c_[price, 20 - 2 * price, price * (20 - 2 * price)] + 0.3 * rng.normal(size=(500, 3))
    assert [g.degree for g in symknot.fit(revenue).polynomials] == [1, 2]


@pytest.mark.parametrize(("shape", "percent", "noisy"), [
    ("diode and transistor in series", 5.0, 0), ("stirred tank reactor", 5.0, 1)])
def test_exact_equations_above_a_noisy_one_are_found(shape, percent, noisy):
    """Points hardly leave what holds exactly among the other columns when they move onto a noisy law."""
    case = Case("one-coordinate", shape, percent, noisy, 500, 0)
    assert tuple(g.degree for g in symknot.fit(sample_of(case).points).polynomials) == shape_of(shape).degrees


def two_balances(rng, n=500):
    """a = x + z and b = y + w beside 2 x y = z w, nearly all noise in x: each balance shows one number of its noise."""
    x, y, z = rng.uniform(0.5, 2.5, n), rng.uniform(0.5, 3, n), rng.uniform(1, 3, n)
    w = 2 * x * y / z
    exact = np.c_[x, y, z, w, x + z, y + w]
    return exact + rng.normal(size=exact.shape) * [0.06, 0.006, 0.006, 0.006, 0.006, 0.006]


def test_balances_whose_noise_differs_ten_times_are_both_found():
    ideal = symknot.fit(two_balances(np.random.default_rng(3)), names=list("xyzwab"))
    assert [g.degree for g in ideal.polynomials] == [1, 1, 2]
    assert ideal.noise[0] == pytest.approx(0.06, rel=0.15)


def test_equations_involve_variables_whatever_the_units_of_their_noise():
    """A loud equation is as much of an equation as a quiet one beside it."""
    at = SampledDegree.of(sample(two_balances(np.random.default_rng(3))), Recursion(6, 1.0), 6)
    metric = np.array([1, 0.01, 0.01, 0.01, 0.01, 0.01])
    assert hypothesis(at, 2, metric / np.sqrt(np.mean(metric**2)), fixed=True).involved.all()


def test_what_is_too_loud_is_refused_without_a_look_at_each_point():
    at = SampledDegree.of(sample(np.random.default_rng(5).normal(size=(300, 2))), Recursion(2, 1.0), 2)
    found = hypothesis(at, 1, np.ones(2), fixed=True)
    assert not found.is_near() and "_own_at" not in vars(found)


def test_what_the_data_do_not_say_stays_as_expected():
    """A line determines one number of the noise of its two variables: in which of them it is, is what was expected."""
    rng = np.random.default_rng(4)
    x = rng.uniform(-1, 1, 300)
    at = SampledDegree.of(sample(np.c_[x, 2 * x] + 0.05 * rng.normal(size=(300, 2))), Recursion(2, 1.0), 2)
    for expected in ([1.0, 1.0], [1.0, 0.1], [0.1, 1.0]):
        found = hypothesis(at, 1, expected=np.array(expected) / np.sqrt(np.mean(np.square(expected))))
        assert found.metric[0] / found.metric[1] == pytest.approx(expected[0] / expected[1], rel=0.2)


@pytest.mark.parametrize("loud", [0, 1])
def test_a_law_two_degrees_above_a_balance_is_found_beside_it(loud):
    """x + y = 4 and 2 z = x y^2, noise in one column: the cubic in the others holds to rounding."""
    rng = np.random.default_rng(5)
    y = rng.uniform(0.2, 3.9, 400)
    points = np.c_[4 - y, y, y**2 * (4 - y) / 2]
    points[:, loud] += 0.03 * rng.normal(size=400)
    ideal = symknot.fit(points, names=["x", "y", "z"])
    assert [g.degree for g in ideal.polynomials] == [1, 3]
    assert ideal.status is symknot.Status.SETTLED


def test_noise_in_proportion_to_the_values_is_found_out():
    """Products of three numbers: six binomials, whose noise of constant size is no one cluster."""
    rng = np.random.default_rng(6)
    p = rng.uniform(0.5, 2, (3, 500))
    exact = np.stack([p[0] ** 2, p[0] * p[1], p[0] * p[2], p[1] ** 2, p[1] * p[2], p[2] ** 2], axis=1)
    ideal = symknot.fit(exact * (1 + 0.02 * rng.normal(size=exact.shape)), form="polynomial")
    assert [g.degree for g in ideal.polynomials] == [2] * 6


def test_marks_that_are_not_normal_make_a_law_no_trend():
    """The principal directions of a sum of five look normal; the marks themselves are uniform."""
    rng = np.random.default_rng(7)
    marks = rng.uniform(0, 10, (500, 5))
    points = np.c_[marks, marks @ [3, 1, -2, 0.5, 4]]
    points[:, 3] += 0.1 * rng.normal(size=500)
    ideal = symknot.fit(points)
    assert [g.degree for g in ideal.polynomials] == [1] and ideal.status is not symknot.Status.TREND


def test_rings_that_are_linked_keep_all_their_equations():
    """A quadric and two cubics also vanish on the line in which the rings' planes meet; only the quartic cuts it off. Noisy
    equations have no common zeros there, and all that stand clear are kept, with a status that says it."""
    rng = np.random.default_rng(8)
    t, first = rng.uniform(0, 2 * np.pi, 500), rng.uniform(size=500) < 0.5
    one = np.c_[2 + 2 * np.cos(t), 3 + 2 * np.sin(t), np.ones(500)]
    other = np.c_[4 + 1.5 * np.cos(t), np.full(500, 3.0), 1 + 1.5 * np.sin(t)]
    points = np.where(first[:, None], one, other) + 0.03 * rng.normal(size=(500, 3))
    ideal = symknot.fit(points, names=["x", "y", "z"])
    assert [g.degree for g in ideal.polynomials] == [2, 3, 3, 4]
    assert ideal.status is symknot.Status.NOT_EXACT and "more points" in ideal.message
    assert np.abs(ideal.evaluate(ideal.knots)).max() < 0.5 * ideal.noise_level


def test_a_lognormal_cloud_is_no_quadric():
    """A quadric crosses it in two sheets, which alone brings its points near."""
    cloud = np.random.default_rng(8).lognormal(size=(300, 3))
    assert search_sample(sample(cloud), None, None).found is None
    even = np.random.default_rng(0).uniform(-1, 1, 4000)
    for degree in (1, 2, 5):
        away = np.abs((even + 1) / 2 * degree % 1 - 0.5) * 2 / degree           # from that many zeros, evenly spaced
        assert np.sqrt(np.mean(away**2)) / even.std() == pytest.approx(1 / degree, rel=0.03)
        if degree > 1:
            assert loudest_noise(degree, 1) == SHARE_OF_A_CLOUD / degree


@pytest.fixture(scope="module")
def autocatalysis():
    """x + y = 4 and 2 z = x y^2, x alone measured with noise: so 2 z = (4 - y) y^2 holds to rounding."""
    rng = np.random.default_rng(3)
    y = rng.uniform(0.2, 3.8, 400)
    return symknot.fit(np.c_[4 - y + 0.1 * rng.normal(size=400), y, (4 - y) * y**2 / 2], names=["x", "y", "z"])


def test_an_exact_law_above_a_noisy_balance_is_found_exactly(autocatalysis):
    """The cubic's neighbours, within twice the noise where y and z are taken to have hardly any, are not taken for laws."""
    x, y, z = autocatalysis.variables
    assert [poly.as_expr() for poly in autocatalysis.readable().polys] == [x + y - 4, y**3 - 4 * y**2 + 2 * z]


def test_noise_of_the_one_noisy_column_is_determined(autocatalysis):
    """Exact equations beside it neither lower it nor leave it open."""
    noise, errors = autocatalysis.noise, autocatalysis.noise_errors
    assert abs(noise[0] - 0.1) < 3 * errors[0] < 0.03 and np.isnan(errors[1:]).all() and (noise[1:] < 0.1 * noise[0]).all()


def test_exact_equations_above_exact_ones_tell_who_has_no_noise():
    """y is exact with z by a line; that x is exact too is seen from x^2 + 4 y alone."""
    rng = np.random.default_rng(0)
    x = rng.uniform(1, 6, 300)
    y = 20 - x**2 / 4
    X = np.c_[x, y, 2 * y + 1, 3 * y + 0.2 * rng.normal(size=300)]
    state = search_sample(sample(X), None, None)
    assert [at.exact for at in state.degrees[:2]] == [1, 1] and state.quiet.tolist() == [True, True, True, False]
    assert (state.found.degree, state.found.k) == (1, 1) and state.found.determined.tolist() == [False, False, False, True]
    assert state.found.loud.tolist() == [False, False, False, True]


def test_equations_follow_their_weights_without_another_search():
    rng = np.random.default_rng(0)
    angle = rng.uniform(0, 2 * np.pi, 300)
    circle = np.c_[np.cos(angle), np.sin(angle)] * (1 + 0.02 * rng.normal(size=(300, 1)))
    whole, weights = sample(circle), np.where(np.arange(300) < 150, 1.0, 0.5)
    state, half = search_sample(whole, None, None), replace(whole, weights=weights / weights.sum())
    again = refitted(state, half, None)
    assert again.kind == (2, 1) and abs(again.found.noise / state.found.noise - 1) < 0.2
    assert refitted(replace(state, is_bent=True), half, None) is None


@pytest.mark.parametrize("far", [5.0, 20.0, 1e3, 1e5, 1e8, 1e10])
def test_one_point_far_out_makes_no_equation_of_the_others(far):
    """A polynomial that is nearly zero, with its slopes, on all points but one has a tiny value, but no distance is so small;
    a line through one point and the middle of all others is near to them only in units of that distance."""
    rng = np.random.default_rng(0)
    angle = rng.uniform(0, 2 * np.pi, 200)
    points = np.c_[2 * np.cos(angle), np.sin(angle)] + 0.03 * rng.normal(size=(200, 2))
    ideal = symknot.fit(np.vstack([points, [2 * far, far]]))
    assert [g.degree for g in ideal.polynomials] == [2] and ideal.outliers.tolist() == [200]
    assert len(ideal.knots) == 200 and ideal.delta < 1e-8


def test_a_full_adder_is_known_from_its_table():
    """Eight points in five variables, exact: a + b + c = s + 2 carry, whether each was seen once or often."""
    bits = np.array(list(np.ndindex(2, 2, 2)), dtype=float)
    table = np.c_[bits, bits.sum(axis=1) % 2, bits.sum(axis=1) // 2]
    once, often = symknot.fit(table), symknot.fit(np.repeat(table, 5, axis=0))
    a, b, c, s, carry = once.variables
    assert [poly.as_expr() for poly in once.readable().polys] == [a + b + c - s - 2 * carry]
    assert [p.degree for p in often.polynomials] == [1] + 7 * [2] and len(often.knots) == 8


def test_balances_rounded_to_few_decimals_stay_balances_beside_exact_relations():
    rng = np.random.default_rng(12)
    x, y = rng.uniform(0, 10, (2, 400))
    switch = rng.integers(0, 2, 400)
    ideal = symknot.fit(np.c_[np.c_[x, y, x + y].round(2), switch], names=["x", "y", "z", "q"])
    assert [str(p.expr) for p in ideal.readable()] == ["x + y - z", "q**2 - q"]
    assert np.linalg.norm(ideal.noise[:3]) == pytest.approx(0.01 / 2, rel=0.1)        # three times a step squared over 12


def test_what_holds_exactly_of_whole_numbers_is_more_than_a_rounded_balance():
    steps = np.random.default_rng(13)
    k = steps.integers(-10, 10, 300)
    (found,) = symknot.fit(np.c_[k, k + 4 * steps.integers(0, 2, 300)], names=["x", "y"]).readable()
    x, y = found.expr.free_symbols and sorted(found.expr.free_symbols, key=str)
    assert (found.expr - (x - y) * (x - y + 4)).expand() == 0


@pytest.mark.parametrize("switch", [0.05, 0.003])
def test_two_planes_are_not_taken_for_one_with_much_noise(switch):
    rng = np.random.default_rng(14)
    x, y = rng.uniform(0, 10, (2, 400))
    points = np.c_[x, y, x + y + rng.integers(0, 2, 400)] + switch * rng.normal(size=(400, 3))
    ideal = symknot.fit(points)
    assert [g.degree for g in ideal.polynomials] == [2]
    assert ideal.noise_level == pytest.approx(switch, rel=0.15)


def test_little_noise_lets_weak_slopes_speak():
    """A hole and the cone above it: slopes on the hole are a tenth of those far up the cone."""
    rng = np.random.default_rng(15)
    angle, high, low = rng.uniform(0, 2 * np.pi, 500), rng.uniform(4, 6.5, 500), rng.uniform(0, 4, 500)
    up = rng.random(500) < 0.5
    radius, height = np.where(up, high - 2, 2.0), np.where(up, high, low)
    points = np.c_[radius * np.cos(angle), radius * np.sin(angle), height] + 0.003 * rng.normal(size=(500, 3))
    ideal = symknot.fit(points)
    assert [g.degree for g in ideal.polynomials] == [4]
    assert ideal.noise_level == pytest.approx(0.003, rel=0.15)


def test_a_bend_with_uneven_noise_is_not_the_last_word():
    """Slow flow in proportion to the pressure, fast flow with its root: two branches, one of them bent."""
    rng = np.random.default_rng(16)
    slow, fast = rng.uniform(0, 3.3, 200), rng.uniform(1.5, 5, 300)
    points = np.vstack([np.c_[slow, 2 * slow], np.c_[fast, (fast + fast**2) / 2]]) + 0.003 * rng.normal(size=(500, 2))
    assert [g.degree for g in symknot.fit(points).polynomials] == [3]


def test_zeros_that_are_exact_beside_noisy_numbers_do_not_make_a_higher_degree_likelier():
    """The table of a full adder, each five volts with noise, each zero exact."""
    bits = np.random.default_rng(17).integers(0, 2, (400, 3))
    table = 5.0 * np.c_[bits, bits.sum(axis=1) % 2, bits.sum(axis=1) // 2]
    ideal = symknot.fit(table * (1 + 0.01 * np.random.default_rng(18).normal(size=table.shape)))
    assert [g.degree for g in ideal.polynomials] == [1] + 7 * [2]


def test_what_no_gap_speaks_for_and_noise_that_differs_from_place_to_place_settle_nothing():
    bent = symknot.fit(mild(np.random.default_rng(2), 300))
    assert bent.status is symknot.Status.UNRESOLVED and "no gap" in bent.message and len(bent.polynomials) == 1
    rng = np.random.default_rng(19)
    x = rng.uniform(-1, 1, 400)
    loud = np.where(x > 0, 0.08, 0.005)[:, None] * rng.normal(size=(400, 2))
    place = symknot.fit(np.c_[x, 0.5 * x] + loud)
    assert place.status is symknot.Status.UNRESOLVED and "in one place as in another" in place.message
    even = symknot.fit(np.c_[x, 0.5 * x] + 0.04 * rng.normal(size=(400, 2)))
    assert even.status is symknot.Status.SETTLED


def test_shares_that_add_up_beside_a_bent_law_are_found_with_noise_in_proportion_to_them():
    """Hardy and Weinberg: the shares of three genotypes."""
    rng = np.random.default_rng(20)
    p = rng.uniform(0.1, 0.9, 500)
    shares = np.c_[p**2, 2 * p * (1 - p), (1 - p) ** 2]
    ideal = symknot.fit(shares * (1 + 0.05 * rng.normal(size=shares.shape)), names=["x", "y", "z"])
    assert [g.degree for g in ideal.polynomials] == [1, 2]
