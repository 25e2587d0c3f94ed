"""The paper's section "Illustration with simple data", in the paper's own convention.

Sizes and noise are the paper's: three blobs (60 points, 30 % noise on one, 5 % on the
others), a circle (30 points, 5 %), two concentric circles (50 points, 2 %).
"""

import numpy as np
import pytest
from scipy.optimize import least_squares

import symknot

DELTA = 1e-4
CENTRES = np.array([[0, 0], [2, 0.5], [0.8, 2.0]])


def blobs():
    rng = np.random.default_rng(3)
    return np.vstack([centre + sigma * rng.normal(size=(20, 2)) for centre, sigma in zip(CENTRES, (0.3, 0.05, 0.05))])


def circles(radii, n, sigma, seed):
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0, 2 * np.pi, n)
    radius = np.repeat(radii, n // len(radii))
    return np.c_[radius * np.cos(angle), radius * np.sin(angle)] + sigma * rng.normal(size=(n, 2))


def knotted(points, epsilon, weight):
    ideal = symknot.fit(points, epsilon, delta=DELTA, normalization="vca", knotting=symknot.Penalty(weight))
    for g in ideal.polynomials + ideal.redundant:
        # norms over all points, as in the paper's Eq. 2
        assert np.linalg.norm(g(points)) <= epsilon
        on_knots = np.sqrt(ideal.knot_weights @ g(ideal.knots) ** 2)
        assert on_knots <= DELTA
        assert g.residual == pytest.approx(np.linalg.norm(g(points)), rel=1e-9)
    return ideal


def test_the_circle_gives_one_quadric():
    for seed in range(2):
        ideal = knotted(circles([1.0], 30, 0.05, seed), epsilon=0.03, weight=0.01)
        assert [g.degree for g in ideal.polynomials] == [2]
        terms = ideal.polynomials[0].terms
        assert float(terms[0, 2] / terms[2, 0]) == pytest.approx(1, abs=0.25)


def test_concentric_circles_give_one_quartic():
    ideal = knotted(circles([1.0, 0.5], 50, 0.02, 0), epsilon=0.03, weight=0.01)
    assert [g.degree for g in ideal.polynomials] == [4]


def test_quiet_blobs_get_one_knot_and_the_loud_one_two():
    points = blobs()
    ideal = knotted(points, epsilon=0.06, weight=1e-3)
    assert [g.degree for g in ideal.polynomials] == [2, 2]
    assert len(ideal.knots) == 4
    assert len(set(ideal.assignment[:20])) == 2
    for quiet in (slice(20, 40), slice(40, 60)):
        (knot,) = set(ideal.assignment[quiet])
        assert ideal.knot_weights[knot] == pytest.approx(20)
        assert np.linalg.norm(ideal.knots[knot] - points[quiet].mean(axis=0)) < 0.05

    peer = symknot.vca(points, 0.06, normalization="vca")
    everything = peer.polynomials + peer.redundant
    assert len(everything) > 2

    def values(z):
        return [float(g(z[None])[0]) for g in everything]

    smallest = min(np.linalg.norm(least_squares(values, start).fun) for start in points)
    assert smallest > 1e-4      # no common root near any point; ours have four to 1e-10
    assert np.abs(ideal.evaluate(ideal.knots)).max() < 1e-9
