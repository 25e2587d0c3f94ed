"""Fits whose answer is known: number, degree and place of the equations, and the statuses."""

import numpy as np
import pytest

import symknot
from symknot import Status

from .varieties import SECOND, VARIETIES, spread

RECOVERABLE = [(variety, noise) for variety in VARIETIES + SECOND for noise in (0.0, 0.01)
               if not (noise and variety.name in ("cardioid", "rational quartic"))]   # hidden at 1 %


@pytest.mark.parametrize("variety, noise", RECOVERABLE, ids=lambda value: getattr(value, "name", str(value)))
def test_recovers(variety, noise):
    rng = np.random.default_rng(11)
    exact = variety.sampler(rng, 500)
    points = exact + noise * spread(exact) * rng.normal(size=exact.shape)
    ideal = symknot.fit(points)
    assert ideal.status.ok, ideal.message
    assert [g.degree for g in ideal.polynomials] == sorted(variety.degrees)
    to_truth = np.sqrt(np.mean(variety.distance(ideal.knots[ideal.assignment]) ** 2))
    if noise:
        assert to_truth < np.sqrt(np.mean(variety.distance(points) ** 2)) / 3
        assert 0.7 * noise < ideal.spectrum.gap.noise / spread(exact) < 1.3 * noise
    else:
        assert to_truth < 1e-7 * spread(exact)
    assert max(g.knot_residual for g in ideal.polynomials) <= ideal.delta


def test_exact_points_end_as_the_paper_proves():
    """Five points in general position: one conic, then cubics, then nothing is left to multiply."""
    points = np.array([[0, 0], [1, 0], [0, 1], [2, 3], [-1, 2]])
    ideal = symknot.fit(points, epsilon=1e-6)
    assert ideal.status is Status.COMPLETE
    assert [g.degree for g in ideal.polynomials] == [2, 3, 3]
    assert len(ideal.knots) == 5
    assert np.abs(ideal.evaluate(points)).max() < 1e-9


def test_noise_that_hides_the_surface_is_not_guessed_at():
    torus = next(variety for variety in VARIETIES if variety.name == "torus")
    rng = np.random.default_rng(5)
    exact = torus.sampler(rng, 5000)
    ideal = symknot.fit(exact + 0.05 * spread(exact) * rng.normal(size=exact.shape))
    assert ideal.status is Status.NO_GAP
    assert ideal.polynomials == () and ideal.epsilon is None
    assert "spectrum" in ideal.message


@pytest.mark.parametrize("cloud", ["normal", "uniform"])
def test_clouds_without_structure_give_nothing(cloud):
    rng = np.random.default_rng(6)
    points = rng.normal(size=(800, 3)) if cloud == "normal" else rng.uniform(size=(800, 3))
    assert symknot.fit(points).status is Status.NO_GAP


def test_epsilon_too_small_says_how_far_off_it_is():
    rng = np.random.default_rng(7)
    ideal = symknot.fit(rng.normal(size=(60, 2)), epsilon=1e-3, max_degree=2)
    assert ideal.status is Status.NO_POLYNOMIAL
    assert "epsilon=0.001" in ideal.message and "smallest residual was" in ideal.message


def test_spurious_candidates_are_dropped_not_returned():
    """An epsilon twice too large lets in polynomials that contradict each other; they must go."""
    rng = np.random.default_rng(8)
    angle = rng.uniform(0, 2 * np.pi, 300)
    points = np.c_[np.cos(angle), np.sin(angle)] + 0.02 * rng.normal(size=(300, 2))
    ideal = symknot.fit(points, epsilon=0.3, max_degree=3)
    assert ideal.polynomials
    assert all(g.residual <= 0.3 and g.knot_residual <= ideal.delta for g in ideal.polynomials)


def test_noise_metric_reads_one_at_the_right_degree():
    """x is measured a hundred times worse than y; in that metric the residual is 1."""
    rng = np.random.default_rng(9)
    angle = rng.uniform(0, 2 * np.pi, 1000)
    noise = np.array([5.0, 0.05])
    points = np.c_[100 * np.cos(angle), np.sin(angle)] + noise * rng.normal(size=(1000, 2))
    ideal = symknot.fit(points, noise=noise)
    assert [g.degree for g in ideal.polynomials] == [2]
    assert ideal.polynomials[0].residual == pytest.approx(1, abs=0.1)


def test_no_zero_polynomials_on_the_ten_dimensional_sphere():
    rng = np.random.default_rng(10)
    points = rng.normal(size=(2000, 10))
    points = points / np.linalg.norm(points, axis=1, keepdims=True) + 0.05 * rng.normal(size=points.shape)
    ideal = symknot.vca(points, 0.1, max_degree=3)
    assert len(ideal.polynomials) == 1 and len(ideal.redundant) == 10
    elsewhere = rng.normal(size=(50, 10))
    for g in ideal.polynomials + ideal.redundant:
        assert np.abs(g(elsewhere)).max() > 0.1


def test_spectrum_reads_the_noise_level():
    rng = np.random.default_rng(12)
    angle = rng.uniform(0, 2 * np.pi, 400)
    for scale in (1e-3, 1.0, 1e4):
        points = scale * (np.c_[np.cos(angle), np.sin(angle)] + 0.03 * rng.normal(size=(400, 2)))
        found = symknot.spectrum(points)
        assert (found.gap.degree, found.gap.count) == (2, 1)
        assert found.gap.noise == pytest.approx(0.03 * scale, rel=0.1)
        assert "gap at degree 2" in str(found)
