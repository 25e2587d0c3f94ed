"""Many columns: linear equations come first, and everything else is looked for on their planes."""

import warnings

import numpy as np
import pytest

import symknot
from symknot.fitting.planes import planes_of
from symknot.reading.points import read_points


def measured(columns, n, noise=0.01, latent=6, seed=0):
    """Points with as many columns, all of them combinations of a few latent ones, the first three of which lie on a sphere."""
    rng = np.random.default_rng(seed)
    hidden = rng.uniform(-1, 1, size=(n, latent))
    ball = rng.normal(size=(n, 3))
    hidden[:, :3] = ball / np.linalg.norm(ball, axis=1)[:, None]
    X = np.hstack([hidden, hidden @ rng.normal(size=(latent, columns - latent)) / 2])
    return X + noise * rng.normal(size=X.shape)


def degrees(ideal):
    return [sum(g.degree == t for g in ideal.polynomials) for t in (1, 2)]


def test_linear_equations_and_a_quadric_on_their_planes():
    X = measured(40, 600)
    ideal = symknot.fit(X)
    assert degrees(ideal) == [34, 1] and ideal.status.ok
    assert np.abs(ideal.evaluate(ideal.knots)).max() < 1e-8
    assert np.allclose(ideal.noise, 0.01, rtol=0.15) and np.isfinite(ideal.noise_errors).all()
    truth = measured(40, 200, noise=0.0, seed=0)[:, :3]                # the columns of the sphere itself
    assert np.allclose(np.linalg.norm(truth, axis=1), 1)
    onto = symknot.fit(X).knots
    assert abs(np.linalg.norm(onto[:, :3], axis=1) - 1).max() < 0.02


def test_units_play_no_part():
    X = measured(32, 500)
    units = 10.0 ** np.random.default_rng(1).integers(-6, 7, size=32)
    plain, scaled = planes_of(read_points(X), "auto", "auto"), planes_of(read_points(X * units), "auto", "auto")
    assert plain.count == scaled.count == 26
    noise = [found.noise * found.points.scale for found in (plain, scaled)]
    assert np.allclose(noise[1] / units, noise[0], rtol=1e-6)


def test_noise_of_each_variable_is_told():
    X = measured(40, 2000, noise=0.0)
    sigmas = np.geomspace(0.003, 0.03, 40)
    found = planes_of(read_points(X + sigmas * np.random.default_rng(2).normal(size=X.shape)), "auto", "squares")
    assert found.count == 34
    assert np.all(np.abs(np.log(found.noise * found.points.scale / sigmas)) < 5 * found.log_errors)


def test_fewer_points_than_columns():
    ideal = symknot.fit(measured(100, 60, latent=8))
    assert degrees(ideal)[0] == 92 and ideal.status.ok
    assert np.sqrt(np.mean(ideal.noise**2)) == pytest.approx(0.01, rel=0.2)
    assert np.ptp([g.residual for g in ideal.polynomials if g.degree == 1]) < 0.01      # no plane is known better than others


def test_relations_that_hold_exactly_come_first():
    X = measured(30, 400, noise=0.0)
    ideal = symknot.fit(X)
    assert degrees(ideal) == [24, 1] and ideal.epsilon < 1e-4
    X[:, 7] = 3.0                                                     # a column that never changes is a relation, too
    assert degrees(symknot.fit(X)) == [24, 1]


def test_exact_relations_beside_noisy_ones():
    X = measured(36, 800)
    X = np.c_[X, X[:, 0] + X[:, 1], X[:, 2] - 2 * X[:, 5]]
    assert degrees(symknot.fit(X)) == [32, 1]


@pytest.mark.parametrize("n", [200, 1000])
def test_a_cloud_has_no_planes(n):
    X = np.random.default_rng(3).normal(size=(n, 60))
    assert planes_of(read_points(X), "auto", "auto") is None
    assert symknot.fit(X[:, :40] if n == 200 else X[:, :30]).status is symknot.Status.NO_GAP


def test_gross_errors_are_named():
    X = measured(40, 500)
    wrong = np.arange(0, 500, 50)
    X[wrong, 17] += 3.0
    ideal = symknot.fit(X)
    assert degrees(ideal) == [34, 1] and set(wrong) <= set(ideal.outliers) and len(ideal.outliers) < 15


def test_the_spectrum_shows_both_degrees():
    found = symknot.spectrum(measured(40, 600))
    assert (found.gap.degree, found.gap.count, found.gap.last_degree) == (1, 34, 2)
    assert [row.degree for row in found.degrees][:2] == [1, 2] and len(found.degrees[0].values) == 40


def test_it_can_be_saved_stopped_and_taken_up(tmp_path):
    X = measured(30, 300)
    ideal = symknot.fit(X, checkpoint=tmp_path / "fit.journal")
    ideal.save(tmp_path / "ideal.json")
    again = symknot.load(tmp_path / "ideal.json")
    assert np.array_equal(again.evaluate(X), ideal.evaluate(X)) and again.knots.shape == (300, 30)
    assert symknot.fit(X, timeout=1e-9).status is symknot.Status.OUT_OF_TIME


def test_no_warning_and_no_linear_algebra_error_on_awkward_tables():
    rng = np.random.default_rng(4)
    counts = rng.poisson(0.05, size=(150, 60)).astype(float)           # mostly zeros, some columns all zero
    wide = np.hstack([counts, counts[:, :10] * 1e9, np.zeros((150, 5))])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert isinstance(symknot.fit(wide).status, symknot.Status)


def test_one_of_many_variables_that_is_all_noise_is_no_law():
    """Its noise is a small share of the spread of all of them."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1500, 17))
    X = X / np.linalg.norm(X, axis=1)[:, None] + 0.05 * rng.normal(size=X.shape)
    assert degrees(symknot.fit(X, max_degree=2)) == [0, 1]


@pytest.mark.parametrize("n", [130, 150])
@pytest.mark.parametrize("seed", range(3))
def test_hardly_more_points_than_coefficients_make_no_further_equations(n, seed):
    """Of 91 polynomials fitted to so few points many have values as small as noise; those of the sphere are smaller still."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 12))
    X = X / np.linalg.norm(X, axis=1)[:, None] + 0.03 * rng.normal(size=X.shape)
    assert degrees(symknot.fit(X, max_degree=2)) == [0, 1]
