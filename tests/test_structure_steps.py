"""What the test of lack of fit hands from step to step: its functions, their order and limits, and the work it tells."""

import numpy as np
import pytest
from scipy.stats import f as fisher

from symknot.fitting import structure
from symknot.fitting.noise import Normals
from symknot.fitting.structure import MOST_MULTIPLICATIONS, Structure, lack_of_fit, unevenness
from symknot.polynomials.monomials import count


def across(distances, d=2, turn=None):
    """Normals of the variety where the last of d variables is 0: along it."""
    n = len(distances)
    turn = np.ones(n) if turn is None else turn
    return Normals(distances[:, None], np.tile(np.eye(d)[-1:], (n, 1, 1)), np.ones((n, 1), bool), turn[:, None, None])


def even(n):
    return np.full(n, 1 / n)


def seen(monkeypatch, name):
    """What a step is given from now on, call by call."""
    given, plain = [], getattr(structure, name)
    monkeypatch.setattr(structure, name, lambda *arguments: given.append(arguments) or plain(*arguments))
    return given


def flat(n, d=2, seed=0, noise=0.1, bend=0.3, degree=1, scale=1.0):
    """Lack of fit of the variety where the last variable is 0, of points that bend away from it by x**3."""
    rng = np.random.default_rng(seed)
    feet = np.c_[rng.uniform(-1, 1, (n, d - 1)), np.zeros(n)]
    off = noise * rng.normal(size=n) + bend * feet[:, 0] ** 3
    return lack_of_fit(across(off, d), scale * feet, np.full(d, scale), even(n), degree, 0.01)


# ------------------------------------------------------------------------------------------------ what is tested


def test_the_functions_tested_are_those_of_which_most_is_left(monkeypatch):
    """Sixty points are enough for the five of degree 2 in the plane, and for six of the nine of degree 3."""
    rng = np.random.default_rng(1)
    n, d, noise = 60, 3, 0.01
    feet, turn = np.c_[rng.uniform(-1, 1, (n, 2)), np.zeros(n)], rng.uniform(0.01, 1, n)
    weights = rng.uniform(0.5, 1, n)
    weights /= weights.sum()
    given = seen(monkeypatch, "_score_test")
    lack_of_fit(across(rng.normal(size=n), d, turn), feet, np.ones(d), weights, 1, noise)
    size = np.r_[np.sqrt(weights @ feet[:, :2] ** 2), 1.0]
    nearby = structure._of_neighbours(feet / size)
    root = (turn * np.sqrt(weights))[:, None]
    own = np.linalg.qr(root * np.c_[np.ones(n), feet[:, :2]])[0]
    assert len(given) == 2
    for (tested, _, _, points, known), degree in zip(given, (2, 3)):
        columns = root * structure._positions(nearby, 1 / size, weights, degree, structure.POSITION_OVER_NOISE * noise)
        columns /= np.linalg.norm(columns, axis=0)
        left, shares = np.linalg.svd(columns - own @ (own.T @ columns), full_matrices=False)[:2]
        left = left[:, shares > 0.05][:, : n // 10]
        assert tested.shape[1] == left.shape[1] == {2: 5, 3: 6}[degree] and points == n
        np.testing.assert_allclose(known @ known.T, own @ own.T, atol=1e-9)
        np.testing.assert_allclose(tested.T @ tested, np.eye(tested.shape[1]), atol=1e-9)
        np.testing.assert_allclose(tested @ tested.T, left @ left.T, atol=1e-7)


@pytest.mark.parametrize("small, functions", [(0.03, 1), (0.02, 0)])
def test_a_twentieth_of_a_function_must_be_left(small, functions):
    """Points at -1, 1 and twice as many at 0, where distances change by little: of x**2 less its mean, which is +-1/2, twice
    that little is not a multiple of a constant."""
    x = np.repeat([-1.0, 1.0, 0.0, 0.0], 20)
    turn = np.where(x == 0, small, 1.0)
    feet = np.c_[x, np.zeros(80)]
    off = np.random.default_rng(2).normal(size=80)
    found = lack_of_fit(across(off, 2, turn), feet, np.ones(2), even(80), 1, 0.01)
    assert found.functions == functions


def test_equations_that_change_no_distance_are_not_rejected():
    x = np.linspace(-1, 1, 50)
    found = lack_of_fit(across(x**2, 2, np.zeros(50)), np.c_[x, 0 * x], np.ones(2), even(50), 1, 0.01)
    assert found == Structure()


def test_of_equally_unlikely_degrees_the_lower_is_told():
    """Both chances are below the smallest number."""
    x = np.linspace(-1, 1, 5000)
    found = lack_of_fit(across(x**2), np.c_[x, 0 * x], np.ones(2), even(5000), 1, 0.01)
    assert found.chance == 0 and found.functions == 1


@pytest.mark.parametrize("scale", [1e-9, 1e-3, 1e9])
def test_small_and_large_units_change_nothing(scale):
    plain, other = flat(200), flat(200, scale=scale)
    assert plain.functions == other.functions == 2
    assert (other.chance, other.share) == (pytest.approx(plain.chance, rel=1e-6), pytest.approx(plain.share, rel=1e-6))


def test_small_columns_have_directions_and_no_columns_have_none():
    columns = np.random.default_rng(3).normal(size=(20, 3))
    assert structure._orthonormal(1e-9 * columns).shape == (20, 3)
    assert structure._orthonormal(columns * [1, 1, 3e-7]).shape == (20, 3)
    assert structure._orthonormal(columns * [1, 1, 3e-8]).shape == (20, 2)
    assert structure._orthonormal(0 * columns).shape == (20, 0)


@pytest.mark.parametrize("share, directions", [(5e-12, 2), (1e-13, 1)])
def test_scores_that_hardly_vary_have_a_direction_of_their_own(share, directions):
    """Two functions, each of four points of its own; the second's residuals vary by a share of the first's."""
    tested = np.kron(np.eye(2), np.full((4, 1), 0.5))
    target = np.kron([1.0, np.sqrt(share)], [1.0, 2.0, 0.5, 1.0])
    found = structure._score_test(tested, target, np.arange(8), 8, np.zeros((8, 0)))
    each = (0.5 * 4.5) ** 2 / np.sum((0.5 * np.array([1.0, 2.0, 0.5, 1.0]) / 0.75) ** 2)
    assert found.chance == pytest.approx(fisher.sf(directions * each / 2 * 6 / 8, 2, 6), rel=1e-4)


# ---------------------------------------------------------------------------------------------- how much they vary


@pytest.mark.parametrize("least, functions", [(0.5, 1), (0.7, 0)])
def test_a_variable_varies_by_its_spread(least, functions):
    feet = np.repeat([[-0.6], [0.6]], 5, axis=0)
    found = structure._positions(feet, np.ones(1), even(10), 1, least)
    assert found.shape == (10, functions)
    np.testing.assert_allclose(np.abs(found), 0.6)


def test_what_varies_by_little_is_told_to_many_digits():
    """Beside a spread of 100, whose square has but sixteen digits, one of 1e-5, aslant."""
    rng = np.random.default_rng(4)
    feet = rng.normal(size=(40, 2)) * [100.0, 1e-5] @ np.array([[0.8, 0.6], [-0.6, 0.8]])
    found = structure._positions(feet, np.ones(2), even(40), 1, 1e-6)
    values = feet - feet.mean(axis=0)
    sizes = np.linalg.svd(values, compute_uv=False)[::-1] / np.sqrt(40)
    np.testing.assert_allclose(np.sqrt(even(40) @ found**2), sizes, rtol=1e-6)


@pytest.mark.parametrize("seed", range(8))
def test_rounding_of_squares_is_no_variation(seed):
    """On a slanted line of spread 100 squares are 10,000, and their rounding is more than the square of 2e-7."""
    along = np.random.default_rng(seed).normal(size=(40, 1))
    assert structure._positions(along * [80.0, 60.0], np.ones(2), even(40), 1, 2e-7).shape == (40, 1)


# ------------------------------------------------------------------------------------------------------- the work


@pytest.mark.parametrize("n, begun", [(11, False), (12, True)])
def test_with_too_few_points_nothing_is_begun(n, begun, monkeypatch):
    given = seen(monkeypatch, "_of_neighbours")
    flat(n)
    assert bool(given) == begun


def test_with_two_equations_twice_as_many_points_are_needed(monkeypatch):
    given = seen(monkeypatch, "_of_neighbours")
    for n, begun in ((19, 0), (20, 1)):                              # ten functions of three variables, two normals
        each = np.ones((n, 2)), np.tile(np.eye(3)[:2], (n, 1, 1)), np.ones((n, 2), bool), np.tile(np.eye(2), (n, 1, 1))
        lack_of_fit(Normals(*each), np.c_[np.zeros((n, 2)), np.linspace(-1, 1, n)], np.ones(3), even(n), 1, 0.01)
        assert len(given) == begun


def test_what_is_too_much_is_not_begun(monkeypatch):
    given = seen(monkeypatch, "_of_neighbours")
    limit = 300 * 2 * count(2, 2) ** 2
    for most, begun in ((limit - 1, 0), (limit, 1)):
        monkeypatch.setattr(structure, "MOST_MULTIPLICATIONS", most)
        flat(300)
        assert len(given) == begun


def test_cubics_in_ten_variables_and_seven_thousand_points_are_too_much(monkeypatch):
    """Their slopes alone would take seconds."""
    given = seen(monkeypatch, "_of_neighbours")
    assert 7000 * 10 * count(10, 3) ** 2 > MOST_MULTIPLICATIONS > 5000 * 10 * count(10, 3) ** 2
    assert flat(7000, d=10, degree=2) == Structure() and not given


def test_the_work_is_told_before_it_is_done(monkeypatch):
    told = []
    monkeypatch.setattr(structure, "call", told.append)
    feet = np.random.default_rng(5).normal(size=(30, 2))
    structure._positions(feet, np.ones(2), even(30), 2, 0.1)
    assert told == [30 * 6 * (6 + 2 * 3) / 2]                                 # half of a symmetric product, and of slopes
    told.clear()
    flat(300)
    assert told[0] == 2 * structure._products(300, 3)                         # two rounds
    assert told[2] == structure._products(300, 2, 2) and told[4] == structure._products(300, 3, 2)


def test_products_of_large_matrices_are_three_times_as_fast_as_what_else_is_done():
    assert 0.2 <= structure._products(100, 10, 5) / (100 * 10 * (10 + 5)) <= 0.4
    assert structure._products(100, 10) == structure._products(100, 10, 0)


# ----------------------------------------------------------------------------------------------- uneven residuals


def test_the_squares_compared_are_those_of_strong_normals_and_of_each_variable(monkeypatch):
    """The third variable is seen by a fifth at half of the points; elsewhere it is as on average."""
    rng = np.random.default_rng(6)
    n = 40
    directions = np.zeros((n, 2, 3))
    lean = np.where(np.arange(n) < 20, np.sqrt(0.2), np.sqrt(0.05))
    directions[:, 0] = np.c_[np.sqrt(1 - lean**2), np.zeros(n), lean]
    directions[:, 1, 1] = 1
    strong = np.ones((n, 2), bool)
    strong[::3, 1] = False
    strong[5] = False
    distances = rng.normal(size=(n, 2)) * strong
    weights = rng.uniform(0.5, 1, n)
    weights /= weights.sum()
    given = seen(monkeypatch, "_unevenness")
    unevenness(Normals(distances, directions, strong, np.ones((n, 2, 1))), rng.normal(size=(n, 3)), np.ones(3), weights, 0.01)
    steps = np.einsum("nc,ncd->nd", distances, directions)
    wanted = [[sum(distances[p] ** 2) / max(sum(strong[p]), 1) for p in range(n)]]
    for j in range(3):
        share = [sum(directions[p, c, j] ** 2 for c in range(2) if strong[p, c]) for p in range(n)]
        each = [steps[p, j] ** 2 / share[p] if share[p] > 0.1 else None for p in range(n)]
        known = [p for p in range(n) if each[p] is not None]
        mean = sum(weights[p] * each[p] for p in known) / sum(weights[p] for p in known)
        wanted.append([mean if one is None else one for one in each])
    np.testing.assert_allclose([one[0] for one in given], wanted, rtol=1e-9)


def test_the_squares_are_compared_with_what_varies_most(monkeypatch):
    """Three functions of thirty points, orthonormal with their weights."""
    rng = np.random.default_rng(7)
    feet, weights = rng.normal(size=(30, 2)), rng.uniform(size=30)
    weights /= weights.sum()
    given = seen(monkeypatch, "_unevenness")
    unevenness(across(rng.normal(size=30)), feet, np.ones(2), weights, 0.01)
    wanted = structure._positions(feet, np.ones(2), weights, 2, 0.015)[:, :-4:-1] * np.sqrt(weights)[:, None]
    tested = given[0][1]
    assert tested.shape == (30, 3)
    np.testing.assert_allclose(tested, wanted / np.linalg.norm(wanted, axis=0), rtol=1e-9)
    np.testing.assert_allclose(tested.T @ tested, np.eye(3), atol=1e-9)


def test_quadratic_functions_only_where_they_are_quick(monkeypatch):
    given = seen(monkeypatch, "_positions")
    x = np.linspace(-1, 1, 50)
    for most, degree in ((50 * 6**2 - 1, 1), (50 * 6**2, 2)):
        monkeypatch.setattr(structure, "MOST_MULTIPLICATIONS", most)
        unevenness(across(np.cos(40 * x)), np.c_[x, 0 * x], np.ones(2), even(50), 0.01)
        assert given.pop()[3] == degree and not given


def test_unevenness_in_small_units_is_the_same():
    rng = np.random.default_rng(8)
    x = rng.uniform(-1, 1, 1000)
    off = np.sqrt(1 + 0.9 * x) * rng.normal(size=1000)
    plain, small = (unevenness(across(off), np.c_[s * x, 0 * x], np.ones(2), even(1000), 0.01 * s) for s in (1.0, 1e-9))
    assert plain > 1.5 and small == pytest.approx(plain, rel=1e-6)


@pytest.mark.parametrize("part, ratio", [(0.3, np.sqrt(1.3 / 0.7)), (1.0, np.sqrt(2 / 1e-4))])
def test_two_sizes_of_residuals_are_told_and_none_is_a_hundredth(part, ratio):
    """Squares of 3 (1 + part) at one half of a hundred points and 3 (1 - part) at the other."""
    sign = np.repeat([1.0, -1.0], 50)
    assert structure._unevenness(3 * (1 + part * sign), sign[:, None] / 10, even(100)) == pytest.approx(ratio, rel=1e-9)


@pytest.mark.parametrize("seen", [5, 12, 40])
def test_a_form_over_the_covariance_of_scores_has_no_directions_that_no_score_has(seen):
    rng = np.random.default_rng(seen)
    scores = np.zeros((40, 12))
    scores[rng.permutation(40)[:seen]] = rng.normal(size=(seen, 12))
    total = scores.T @ rng.normal(size=40)
    expected = total @ np.linalg.pinv(scores.T @ scores) @ total
    assert structure._over_covariance(total, scores) == pytest.approx(expected, rel=1e-8)
    rest = 1e-12 * rng.normal(size=scores.shape)                       # zero but for rounding, as a mean less a mean is
    assert structure._over_covariance(total, np.where(scores == 0, rest, scores)) == pytest.approx(expected, rel=1e-6)
    double = np.vstack([scores, scores])                               # rows that depend on each other
    expected = total @ np.linalg.pinv(double.T @ double) @ total
    assert structure._over_covariance(total, double) == pytest.approx(expected, rel=1e-6)
