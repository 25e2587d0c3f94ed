"""The test of lack of fit, step by step: each against what its text says, worked out by plain loops or by hand."""

import numpy as np
import pytest
from scipy.stats import f as fisher

from symknot.fitting import structure
from symknot.fitting.noise import Normals
from symknot.fitting.structure import LEAST_STRUCTURE, LEVEL, Structure, lack_of_fit, unevenness
from symknot.polynomials.monomials import count

RNG = np.random.default_rng(0)


def across(distances):
    """Normals of the line y = 0 in the plane: along y."""
    n = len(distances)
    return Normals(distances[:, None], np.tile([[[0.0, 1.0]]], (n, 1, 1)), np.ones((n, 1), bool), np.ones((n, 1, 1)))


def even(n):
    return np.full(n, 1 / n)


def judged(distances, x, noise=0.1, degree=1, metric=(1.0, 1.0), weights=None):
    feet = np.c_[x, np.zeros(len(x))]
    return lack_of_fit(across(distances), feet, np.array(metric), even(len(x)) if weights is None else weights, degree, noise)


# ------------------------------------------------------------------------------------------------------- the outcome


@pytest.mark.parametrize("chance, share, rejects", [
    (LEVEL / 2, 2 * LEAST_STRUCTURE, True), (LEVEL, 2 * LEAST_STRUCTURE, False), (LEVEL / 2, LEAST_STRUCTURE, False),
    (2e-3, 1.0, False), (0.0, 0.09, False), (0.0, 0.11, True)])
def test_structure_must_be_unlikely_and_large(chance, share, rejects):
    assert Structure(chance, share, 3).rejects == rejects
    assert not Structure().rejects and Structure().chance == 1 and Structure().share == Structure().functions == 0


@pytest.mark.parametrize("q, repeated, fitted", [(1, 1, 0), (2, 1, 0), (2, 2, 0), (3, 1, 2), (2, 2, 3)])
def test_the_statistic_is_that_of_white_with_leverages(q, repeated, fitted):
    """Scores of a point are summed over its rows; a residual is divided by what the fit leaves of it."""
    n = 12
    columns = np.linalg.qr(RNG.normal(size=(n * repeated, q + fitted)))[0]
    tested, own = columns[:, :q], columns[:, q:]
    point, target = np.repeat(np.arange(n), repeated), RNG.normal(size=n * repeated)
    target -= own @ (own.T @ target)
    found = structure._score_test(tested, target, point, n, own)
    scores = np.zeros((n, q))
    for row, p in enumerate(point):
        leverage = (own[row] ** 2).sum() + (tested[row] ** 2).sum()
        scores[p] += tested[row] * target[row] / max(1 - leverage, 0.1)
    total = tested.T @ target
    statistic = total @ np.linalg.inv(scores.T @ scores) @ total
    left = n - q - fitted
    assert found.chance == pytest.approx(fisher.sf(statistic / q * left / n, q, left), rel=1e-9)
    assert found.share == pytest.approx((total**2).sum() / (target**2).sum() - q / len(target), rel=1e-9)
    assert found.functions == q


def test_a_residual_that_the_fit_follows_keeps_a_tenth():
    """Of a function that is 1 at one point and 0 elsewhere nothing is left there."""
    tested = np.eye(4)[:, :1]
    found = structure._score_test(tested, np.array([2.0, 1.0, 1.0, 1.0]), np.arange(4), 4, np.zeros((4, 0)))
    statistic = 2.0**2 / (2.0 / 0.1) ** 2
    assert found.chance == pytest.approx(fisher.sf(statistic * 3 / 4, 1, 3))


@pytest.mark.parametrize("tested, target, n", [
    (np.zeros((5, 0)), np.ones(5), 5), (np.eye(5)[:, :4], np.ones(5), 5), (np.eye(5)[:, :1], np.zeros(5), 5)])
def test_without_functions_or_points_or_residuals_nothing_is_said(tested, target, n):
    own = np.eye(5)[:, 4:] if tested.shape[1] == 4 else np.zeros((5, 0))
    assert structure._score_test(tested, target, np.arange(5), n, own) == Structure()
    if tested.shape[1] == 4:
        assert structure._score_test(tested, target, np.arange(5), n, own[:, :0]).functions == 4


# --------------------------------------------------------------------------------------------------- what is tested


def test_orthonormal_columns_span_what_they_did_and_rounding_is_none():
    a, b, c = RNG.normal(size=(3, 20))
    q = structure._orthonormal(np.c_[a, b, a + b, 1e-5 * c])
    assert q.shape == (20, 3)
    np.testing.assert_allclose(q.T @ q, np.eye(3), atol=1e-12)
    plain = np.linalg.qr(np.c_[a, b, c])[0]
    np.testing.assert_allclose(q @ q.T, plain @ plain.T, atol=1e-9)
    assert structure._orthonormal(np.c_[a, b, 1e-9 * c]).shape == (20, 2)
    assert structure._orthonormal(np.zeros((4, 0))).shape == (4, 0)


def test_a_point_lies_where_its_three_neighbours_are():
    line = np.array([[0.0, 0], [1, 0], [3, 0], [7, 0], [15, 0]])
    np.testing.assert_allclose(structure._of_neighbours(line)[:, 0], [11 / 3, 10 / 3, 8 / 3, 4 / 3, 11 / 3])
    np.testing.assert_allclose(structure._of_neighbours(line[:4])[:, 0], [11 / 3, 10 / 3, 8 / 3, 4 / 3])
    assert structure._of_neighbours(line[:3]) is not None and (structure._of_neighbours(line[:3]) == line[:3]).all()


def test_each_function_changes_each_distance_by_what_turns_it():
    turn, functions, weights = RNG.normal(size=(4, 2, 3)), RNG.normal(size=(4, 5)), np.array([0.1, 0.2, 0.3, 0.4])
    found = structure._design(Normals(None, None, None, turn), functions, weights)
    assert found.shape == (8, 15)
    for p in range(4):
        for c in range(2):
            for k in range(3):
                for j in range(5):
                    assert found[2 * p + c, 5 * k + j] == pytest.approx(np.sqrt(weights[p]) * turn[p, c, k] * functions[p, j])


@pytest.mark.parametrize("slopes", ["one size", "of each point"])
def test_functions_of_the_position_vary_by_more_than_noise_makes_of_them(slopes):
    """Against the generalised eigenvalues of variation and slope; of x, y, x^2, x y, y^2 with y nearly constant."""
    n = 30
    feet = np.c_[RNG.uniform(-1, 1, n), 0.01 * RNG.normal(size=n)]
    weights = RNG.uniform(size=n)
    weights /= weights.sum()
    slope = np.array([1.0, 2.0]) if slopes == "one size" else RNG.uniform(0.5, 2, (n, 2))
    x, y = feet.T
    values = np.c_[x, y, x * x, x * y, y * y]
    values = values - weights @ values
    zero, one = np.zeros(n), np.ones(n)
    by = np.stack([np.c_[one, zero, 2 * x, y, zero], np.c_[zero, one, zero, x, 2 * y]], axis=1)
    by = by * np.broadcast_to(slope, (n, 2))[:, :, None]
    variation, steepness = values.T @ (weights[:, None] * values), np.einsum("n,nik,nil->kl", weights, by, by)
    sizes = np.sqrt(np.linalg.eigvals(np.linalg.solve(steepness, variation)).real)
    for least in (1e-3, 0.05, 0.4, 10.0):
        found = structure._positions(feet, slope, weights, 2, least)
        wanted = np.sort(sizes[sizes > least])
        assert found.shape == (n, len(wanted))
        np.testing.assert_allclose(np.sort(np.sqrt(weights @ found**2)), wanted, rtol=1e-6)
        np.testing.assert_allclose(weights @ found, 0, atol=1e-9)


# -------------------------------------------------------------------------------------------------- lack of fit whole


def test_a_parabola_is_no_line_and_noise_is_none():
    x = RNG.uniform(-1, 1, 300)
    noise = 0.1 * RNG.normal(size=300)
    bent = judged(noise + 0.3 * x**2, x)
    assert bent.rejects and bent.chance < 1e-10 and bent.share > 0.3
    straight = judged(noise, x)
    assert not straight.rejects and straight.chance > LEVEL
    wavy = judged(noise + 0.3 * (x**3 - 0.6 * x), x)
    assert wavy.chance < 1e-4


def test_what_the_own_degree_can_change_is_no_lack_of_fit():
    x = RNG.uniform(-1, 1, 200)
    noise = 0.1 * RNG.normal(size=200)
    plain = judged(noise, x)
    for shift in (5.0 + 0 * x, 3.0 * x):
        moved = judged(noise + shift, x)
        assert (moved.chance, moved.share) == (pytest.approx(plain.chance, rel=1e-6), pytest.approx(plain.share, rel=1e-6))
    assert judged(noise + 0.3 * x**2, x, degree=2).chance > LEVEL


def test_units_do_not_matter():
    x = RNG.uniform(-1, 1, 200)
    off = 0.1 * RNG.normal(size=200) + 0.1 * x**2
    plain = judged(off, x)
    larger = lack_of_fit(across(off * 7), np.c_[100 * x, 0 * x], np.array([100.0, 1.0]), even(200), 1, 0.1)
    assert larger.chance == pytest.approx(plain.chance, rel=1e-6) and larger.share == pytest.approx(plain.share, rel=1e-6)


def test_noisy_positions_tell_nothing():
    """Where noise along the line is as large as the line, a function of the position is none."""
    x = RNG.uniform(-1, 1, 300)
    off = 0.1 * RNG.normal(size=300) + 0.3 * x**2
    assert judged(off, x, noise=0.05).functions > 0
    assert judged(off, x, noise=5.0) == Structure()


def test_points_without_weight_do_not_count():
    x, weights = RNG.uniform(-1, 1, 300), np.r_[np.full(150, 1 / 150), np.zeros(150)]
    off = 0.1 * RNG.normal(size=300)
    off[150:] += 5 * x[150:] ** 2
    assert not judged(off, x, weights=weights).rejects and judged(off, x).rejects


@pytest.mark.parametrize("n, degrees", [(11, 0), (12, 1), (19, 1), (20, 2), (200, 2)])
def test_twice_as_many_points_as_functions_are_needed(n, degrees, monkeypatch):
    """Six polynomials of degree two, ten of degree three."""
    asked = []
    plain = structure._positions
    monkeypatch.setattr(structure, "_positions", lambda *given: asked.append(given[3]) or plain(*given))
    x = np.linspace(-1, 1, n)
    judged(np.cos(40 * x), x)
    assert asked == [2, 3][:degrees]


def test_no_more_functions_than_a_tenth_of_the_points():
    x, y = RNG.uniform(-1, 1, (2, 59))
    n = len(x)
    normal = Normals(RNG.normal(size=(n, 1)), np.tile([[[0.0, 0, 1.0]]], (n, 1, 1)), np.ones((n, 1), bool), np.ones((n, 1, 1)))
    found = lack_of_fit(normal, np.c_[x, y, 0 * x], np.ones(3), even(n), 1, 0.01)
    assert 0 < found.functions <= 5


def test_work_is_bounded(monkeypatch):
    x = RNG.uniform(-1, 1, 300)
    off = 0.1 * RNG.normal(size=300) + 0.3 * x**2
    two, three = (300 * 2 * count(2, degree) ** 2 for degree in (2, 3))
    tested = []
    plain = structure._positions
    monkeypatch.setattr(structure, "_positions", lambda *given: tested.append(given[3]) or plain(*given))
    for limit, degrees in ((two - 1, []), (two, [2]), (three - 1, [2]), (three, [2, 3])):
        monkeypatch.setattr(structure, "MOST_MULTIPLICATIONS", limit)
        tested.clear()
        judged(off, x)
        assert tested == degrees


def test_what_takes_more_than_a_search_may_is_not_begun(monkeypatch):
    """Six and ten functions beside the three, of which two vary, that equations of degree one can change."""
    x = RNG.uniform(-1, 1, 300)
    off = 0.1 * RNG.normal(size=300) + 0.3 * x**2
    tested = []
    plain = structure._positions
    monkeypatch.setattr(structure, "_positions", lambda *given: tested.append(given[3]) or plain(*given))
    two, three = structure._products(300, 6, 3), structure._products(300, 10, 2)
    assert two < three
    for limit, degrees in ((two - 1, []), (two, [2]), (three - 1, [2]), (three, [2, 3])):
        monkeypatch.setattr(structure, "search_operations", lambda d, limit=limit: limit if d == 2 else 0.0)
        tested.clear()
        judged(off, x)
        assert tested == degrees


# ---------------------------------------------------------------------------------------------------- uneven residuals


def uneven(sizes, x, noise=0.05, metric=(1.0, 1.0), weights=None, seed=1):
    distances = sizes * np.random.default_rng(seed).normal(size=len(x))
    feet = np.c_[x, np.zeros(len(x))]
    return unevenness(across(distances), feet, np.array(metric), even(len(x)) if weights is None else weights, noise)


def test_even_residuals_are_even_and_uneven_ones_are_as_uneven_as_they_are():
    x = np.random.default_rng(2).uniform(-1, 1, 4000)
    assert uneven(1.0 + 0 * x, x) == 1.0
    sizes = np.sqrt(1 + 0.9 * x)                                            # squares are linear in the position
    low, high = np.quantile(sizes, [0.1, 0.9])
    assert uneven(sizes, x) == pytest.approx(high / low, rel=0.12)
    assert uneven(30 * sizes, x) == pytest.approx(uneven(sizes, x), rel=1e-9)
    assert uneven(sizes, x, noise=10.0) == 1.0                              # positions are not known
    sizes = np.sqrt(0.05 + x**2)                                            # and quadratic
    low, high = np.quantile(sizes, [0.1, 0.9])
    assert uneven(sizes, x) == pytest.approx(high / low, rel=0.2)


def test_residuals_that_vanish_somewhere_are_a_hundredth_there_at_least():
    x = np.random.default_rng(3).uniform(-1, 1, 4000)
    found = uneven((x > 0) * 1.0, x)
    assert 5 < found <= 100 * np.sqrt(2.5)


def test_no_residuals_are_even():
    x = np.linspace(-1, 1, 50)
    assert uneven(0 * x, x) == 1.0


def test_what_a_normal_sees_of_each_variable_is_looked_at_by_itself():
    """On a quarter circle noise in x alone, growing with y: across it is seen everywhere, along x where the normal leans."""
    rng = np.random.default_rng(4)
    angle = rng.uniform(0, np.pi / 2, 4000)
    lean = np.c_[np.cos(angle), np.sin(angle)]
    size = np.sqrt(0.05 + lean[:, 1])
    distances = size * rng.normal(size=4000)
    found = Normals(distances[:, None], lean[:, None, :], np.ones((4000, 1), bool), np.ones((4000, 1, 1)))
    low, high = np.quantile(size, [0.1, 0.9])
    assert unevenness(found, lean, np.ones(2), even(4000), 0.01) >= 0.9 * high / low
    steady = found._replace(distances=rng.normal(size=(4000, 1)))
    assert unevenness(steady, lean, np.ones(2), even(4000), 0.01) == 1.0
