"""Terms and numbers of least description length, decided together."""

import zlib
from fractions import Fraction

import numpy as np
import pytest

import symknot
from symknot.symbolic.simplest import Simplest
from symknot.symbolic.uncertainty import Quadratic

from .varieties import BY_NAME


def drawn(rng, truth, factor):
    """A judge whose estimate is the truth with errors of the covariance that the factor says."""
    return Quadratic(factor, truth + np.linalg.solve(factor, rng.normal(size=len(truth))))


def correlated(rng, count, size):
    """A factor of coefficients that are correlated as those of a quartic are."""
    return size * np.linalg.qr(rng.normal(size=(count, count)))[0] @ np.diag(np.logspace(0, 1.5, count)) @ (
        np.eye(count) + 0.5 * rng.normal(size=(count, count)))


@pytest.mark.slow
def test_true_numbers_come_out_whatever_their_number_and_correlation():
    rng = np.random.default_rng(0)
    right = claimed = wrong = 0
    for _ in range(60):
        truth = np.zeros(9)
        truth[rng.choice(9, 4, replace=False)] = rng.choice([1, -1, 2, -2, 3, 0.5, -0.25, 4], 4)
        best = Simplest(drawn(rng, truth, correlated(rng, 9, 40)), [1.0] * 9).best()
        right += all(float(best[a].number) == truth[a] if a in best else truth[a] == 0 for a in range(9))
        claims = [a for a in best if best[a].digits is None]
        claimed += len(claims)
        wrong += sum(float(best[a].number) != truth[a] for a in claims)
    assert right >= 57
    assert wrong <= 0.005 * claimed and claimed >= 200


def test_terms_that_are_not_there_stay_away_together():
    """Thirty zeros at a level of 0.003 for all of them; three standard errors each would let one in every 12 times."""
    rng = np.random.default_rng(1)
    kept = sum(bool(Simplest(drawn(rng, np.zeros(30), 100 * np.eye(30)), [1.0] * 30).best()) for _ in range(40))
    assert kept <= 1


def test_what_rivals_contradict_is_not_claimed():
    (choice,) = Simplest(Quadratic(np.array([[20.0]]), [2.551]), [1.0]).best().values()    # or 2.6, or 8/3
    assert (choice.number, choice.digits) == (Fraction(5, 2), 3)
    (choice,) = Simplest(Quadratic(np.array([[2000.0]]), [2.4999]), [1.0]).best().values()
    assert (choice.number, choice.digits) == (Fraction(5, 2), None)


def test_no_number_is_written_that_the_data_reject():
    judge = Quadratic(np.diag([1e6, 1e6]), [np.sqrt(2), np.pi])
    best = Simplest(judge, [1.0, 1.0]).best()
    assert all(abs(float(best[a].number) - judge.estimate[a]) < 4e-6 and best[a].digits for a in (0, 1))


def test_digits_of_units_are_kept():
    """Coefficients of very different size: the sum is formed of differences from the estimates."""
    units = [1e12, 1.0, 1e-9]
    judge = Quadratic(np.diag([1e-8, 1e4, 1e14]), [2.0001e12, 1e-5, -3.00001e-9])
    best = Simplest(judge, units).best()
    assert {place: choice.number for place, choice in best.items()} == {0: 2, 2: -3}


@pytest.mark.parametrize("seed", [0, 1])
def test_knots_leave_a_crossing_whose_estimate_lies_on_its_other_side(seed):
    variety = BY_NAME["two quadrics"]
    rng = np.random.default_rng([seed, 8000, 1000, zlib.crc32(variety.name.encode())])
    ideal = symknot.fit(variety.noisy(rng, 8000, 0.01))
    readable = ideal.readable()
    assert [{e: int(v) for e, v in g.terms.items()} for g in readable] == [
        {(2, 0, 0): 1, (0, 2, 0): 1, (1, 0, 0): -2}, {(0, 0, 2): 1, (1, 0, 0): 2, (0, 0, 0): -4}]
    assert max(g.knot_residual for g in readable) <= ideal.delta
    assert np.linalg.norm(readable.knots - ideal.knots, axis=1).max() < 5 * ideal.noise_level


def test_of_many_terms_the_few_that_are_there_are_found():
    """More than are compared one by one: the least significant goes first, and what is left is small."""
    rng = np.random.default_rng(7)
    truth = np.zeros(90)
    truth[[3, 40, 77]] = 2, -1, 0.5
    best = Simplest(drawn(rng, truth, 400 * np.eye(90) + rng.normal(size=(90, 90))), [1.0] * 90).best()
    assert {place: choice.number for place, choice in best.items()} == {3: 2, 40: -1, 77: Fraction(1, 2)}


def test_where_many_terms_are_needed_all_their_digits_are_written():
    rng = np.random.default_rng(6)
    truth = rng.normal(size=70)
    judge = drawn(rng, truth, 1000 * np.eye(70))
    best = Simplest(judge, [2.0] * 70).best()
    kept = sorted(best)
    assert len(kept) > 60
    np.testing.assert_allclose([2 * float(best[place].number) for place in kept], judge.estimate[kept], atol=2e-4)
    assert all(best[place].digits for place in kept)
