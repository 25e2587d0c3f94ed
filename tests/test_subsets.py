"""The choice of terms against exhaustive search, and the null space in the metric of the noise."""

from itertools import product

import numpy as np
import pytest

from symknot.sysid.motion import subsets
from symknot.sysid.motion.nullspace import Candidates, best_values, square_root, vanishing
from symknot.sysid.motion.subsets import _Swept, best_subset, criterion, near_subsets, term_penalty


def regression(seed, n=80, p=8, correlated=0.0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    X += correlated * X[:, :1]
    true = np.where(rng.random(p) < 0.4, rng.normal(size=p) * 0.6, 0.0)
    y = X @ true + rng.normal(size=n)
    return X.T @ X, X.T @ y


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("correlated", [0.0, 2.0])
def test_the_search_finds_the_best_of_all_subsets(seed, correlated):
    S, b = regression(seed, correlated=correlated)
    penalty = np.full(8, term_penalty(80, 8))
    least = min(criterion(S, b, penalty, np.array(mask)) for mask in product([False, True], repeat=8))
    found = best_subset(S, b, penalty)
    assert criterion(S, b, penalty, found) <= least + 1e-6


@pytest.mark.parametrize("measurements, candidates, penalty", [
    (1000, 10, np.log(1000) + 2 * np.log(10)), (2, 1, np.log(2)), (0, 0, np.log(2)), (3, 2, np.log(3) + 2 * np.log(2))])
def test_a_term_costs_the_logarithms_of_measurements_and_of_candidates_squared(measurements, candidates, penalty):
    assert term_penalty(measurements, candidates) == pytest.approx(penalty, rel=1e-12)


def test_neighbours_are_the_same_in_all_units():
    """And as much worse as the criterion says."""
    S, b = regression(3, correlated=0.7)
    mask = best_subset(S, b, 6.0)
    found = near_subsets(S, b, 6.0, mask, 12.0)
    units = np.array([1e-3, 1.0, 50.0, 1e2, 1.0, 0.1, 7.0, 1e4])
    others = near_subsets(S * np.outer(units, units), b * units, 6.0, mask, 12.0)
    penalty = np.full(8, 6.0)
    assert len(found) > 3 and [one.tolist() for one, _ in found] == [one.tolist() for one, _ in others]
    for (one, worse), (_, again) in zip(found, others):
        expected = criterion(S, b, penalty, one) - criterion(S, b, penalty, mask)
        assert worse == pytest.approx(expected, abs=1e-6) and again == pytest.approx(expected, abs=1e-6)


def ridged(seed):
    S, b = regression(seed, correlated=0.7)
    size = np.sqrt(np.diag(S))
    return S / np.outer(size, size), b / size


def test_a_move_gains_what_it_promises():
    """Additions and exchanges, against the criterion itself."""
    kinds = set()
    for seed in range(30):
        S, b = ridged(seed)
        penalty = np.linspace(0.1, 4.0, 8) * (1 + seed % 3)
        mask = np.random.default_rng(seed).random(8) < 0.5
        place, gain = _Swept(S, b, penalty, mask).best_move()
        if not len(place):
            assert mask.all() and gain == 0.0
            continue
        moved = mask.copy()
        moved[place] = ~moved[place]
        kinds.add(len(place))
        np.testing.assert_allclose(criterion(S, b, penalty, mask) - criterion(S, b, penalty, moved), gain, atol=1e-9)
        added = [criterion(S, b, penalty, mask | (np.arange(8) == k)) for k in np.flatnonzero(~mask)]
        exchanged = [criterion(S, b, penalty, (mask | (np.arange(8) == k)) & (np.arange(8) != old))
                     for k in np.flatnonzero(~mask) for old in np.flatnonzero(mask)]
        best = min(added) if len(place) == 1 else min(exchanged)
        np.testing.assert_allclose(criterion(S, b, penalty, moved), best, atol=1e-9)
    assert kinds == {1, 2}


def test_terms_are_dropped_one_by_one_as_long_as_it_pays():
    for seed in range(20):
        S, b = ridged(seed)
        penalty, mask = np.full(8, 3.0), np.ones(8, bool)
        while mask.any():
            fewer = [mask & (np.arange(8) != k) for k in np.flatnonzero(mask)]
            best = min(fewer, key=lambda one: criterion(S, b, penalty, one))
            if criterion(S, b, penalty, best) >= criterion(S, b, penalty, mask) - 1e-9:
                break
            mask = best
        here = _Swept(S, b, penalty, np.ones(8, bool))
        here.thin()
        assert (here.mask == mask).all()


def test_removals_by_the_dozen_keep_their_digits():
    """More than are made with one inverse."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 70))
    y = X[:, [3, 40]] @ [2.0, -3.0] + 0.1 * rng.normal(size=300)
    here = _Swept(X.T @ X, X.T @ y, np.full(70, 10.0), np.ones(70, bool))
    here.thin()
    assert np.flatnonzero(here.mask).tolist() == [3, 40]


@pytest.mark.parametrize("size", [6, 60])
def test_a_table_that_was_swept_is_the_one_computed_anew(size):
    """Also past the number of sweeps after which it is."""
    rng = np.random.default_rng(size)
    X = rng.normal(size=(2 * size, size))
    S, b, penalty = X.T @ X, rng.normal(size=size), rng.uniform(1, 2, size)
    here = _Swept(S, b, penalty, rng.random(size) < 0.5)
    for _ in range(40):
        here.flip(rng.choice(size, rng.integers(1, 3), replace=False).tolist())
        anew = _Swept(S, b, penalty, here.mask)
        np.testing.assert_allclose(here.table, anew.table, atol=1e-9 * np.abs(anew.table).max())
        inside = here.mask
        theta = np.linalg.solve(S[np.ix_(inside, inside)], b[inside])
        np.testing.assert_allclose(here.table[-1, :-1][inside], theta, atol=1e-9 * np.abs(theta).max(initial=1))
        assert abs(here.table[-1, -1] + b[inside] @ theta) <= 1e-9 * max(b[inside] @ theta, 1)


def test_nothing_costs_nothing_and_beside_everything_there_is_no_move():
    S, b, penalty = np.eye(3), np.array([3.0, 0.5, 1.0]), np.full(3, 2.0)
    assert criterion(S, b, penalty, np.zeros(3, bool)) == 0.0
    assert criterion(S, b, penalty, np.array([True, False, False])) == pytest.approx(2 - 9)
    assert _Swept(S, b, penalty, np.ones(3, bool)).best_move() == ([], 0.0)


def test_work_is_counted_as_what_it_is(monkeypatch):
    """An inverse of a terms costs a P**2, a term that comes or goes P**2: limits of work stand on it."""
    counted = []
    monkeypatch.setattr(subsets, "look", counted.append)
    here = _Swept(np.eye(8), np.ones(8), np.ones(8), np.arange(8) < 3)
    here.flip([1, 5])
    assert counted == [3 * 64, 2 * 64]
    here.refresh()
    here.refresh()
    assert counted[2:] == [3 * 64], "nothing came or went since"


@pytest.mark.parametrize("seed", range(4))
def test_subsets_nearby_are_all_that_one_move_makes_and_cost_what_they_say(seed):
    S, b = ridged(seed)
    penalty = np.linspace(2.0, 4.0, 8)
    mask = best_subset(S, b, penalty)
    here, places = criterion(S, b, penalty, mask), np.arange(8)
    moves = [[k] for k in places] + [[old, new] for old in places[mask] for new in places[~mask]]
    rises = {}
    for move in moves:
        other = mask ^ np.isin(places, move)
        rises[tuple(other)] = criterion(S, b, penalty, other) - here
    found = near_subsets(S, b, penalty, mask, 3.0)
    assert {tuple(other) for other, _ in found} == {other for other, rise in rises.items() if rise < 3.0} and len(found) > 1
    assert [worse for _, worse in found] == sorted(worse for _, worse in found)
    for other, worse in found:
        assert abs(worse - rises[tuple(other)]) < 1e-7


def test_a_term_that_says_nothing_brings_nothing():
    S, pull, mask = np.diag([100.0, 0.0]), np.array([500.0, 3.0]), np.array([True, False])
    (other, worse), = near_subsets(S, pull, 10.0, mask, 20.0)
    assert other.tolist() == [True, True] and worse == pytest.approx(10.0)
    assert near_subsets(S, pull, 10.0, ~np.ones(2, bool), 20.0) == []


def test_scales_of_the_terms_do_not_matter():
    S, b = regression(1)
    scale = 10.0 ** np.arange(-20, 20, 5)
    assert (best_subset(S, b, 8.0) == best_subset(S * np.outer(scale, scale), b * scale, 8.0)).all()


def test_terms_that_say_the_same_are_not_taken_twice():
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    X = np.c_[x, x, rng.normal(size=200)]
    y = 3 * x + 0.1 * rng.normal(size=200)
    assert best_subset(X.T @ X / 0.01, X.T @ y / 0.01, 10.0).sum() == 1


def test_a_term_that_is_always_zero_is_left_out():
    S = np.diag([100.0, 0.0])
    assert best_subset(S, np.array([500.0, 0.0]), 10.0).tolist() == [True, False]


def line_candidates(noise, seed=0, n=400, slope=2.0):
    """Terms 1, x, y of points on a line, with different noise in x and y, known point by point."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(-1, 1, n)
    sizes = noise * 10 ** rng.uniform(-1.5, 0.3, (n, 1)) * [1.0, 2.0]
    points = np.c_[x, 1 + slope * x] + sizes * rng.normal(size=(n, 2))
    values = np.c_[np.ones(n), points]
    jacobian = np.zeros((n, 2, 3))
    jacobian[:, 0, 1] = sizes[:, 0]
    jacobian[:, 1, 2] = sizes[:, 1]
    return Candidates(values, jacobian)


def test_a_true_equation_has_the_value_one():
    best = vanishing(line_candidates(0.1))
    c = best.combination / best.combination[2]
    assert abs(best.value - 1) < 0.15
    assert np.abs(c - [-1, -2, 1]).max() < 0.03


def test_reweighting_uses_the_good_points():
    errors = {0: [], 3: []}
    for seed in range(30):
        for turns, found in errors.items():
            c = vanishing(line_candidates(0.2, seed), reweightings=turns).combination
            found.append(abs(c[1] / c[2] + 2))
    assert np.median(errors[3]) < 0.8 * np.median(errors[0])


def test_what_is_no_equation_has_a_large_value():
    rng = np.random.default_rng(0)
    x = rng.uniform(-1, 1, 300)
    y = x**2 + 0.01 * rng.normal(size=300)
    x = x + 0.01 * rng.normal(size=300)
    jacobian = np.zeros((300, 2, 4))
    jacobian[:, 0, 1], jacobian[:, 1, 2], jacobian[:, 0, 3] = 0.01, 0.01, 0.02 * x
    candidates = Candidates(np.c_[np.ones(300), x, y, x**2], jacobian)
    without, with_square = best_values(candidates, [[0, 1, 2], [0, 1, 2, 3]])
    assert without > 10 and abs(with_square - 1) < 0.2


def test_square_roots_of_covariances():
    rng = np.random.default_rng(0)
    A = rng.normal(size=(5, 3, 3))
    covariance = A @ A.transpose(0, 2, 1)
    covariance[:, 2] = covariance[:, :, 2] = 0
    for one in (covariance, covariance + np.eye(3)):
        L = square_root(one)
        assert np.allclose(L @ L.transpose(0, 2, 1), one)
