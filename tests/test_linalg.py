"""Solutions, inverses and spectra that units and LAPACK's moods cannot spoil."""

import numpy as np
import pytest

from symknot.ground import lapack, linalg
from symknot.ground.linalg import (
    column_sizes,
    inverse_form,
    inverse_scaled,
    least_squares,
    least_squares_scaled,
    solve_scaled,
    standard_errors,
    svd,
    unit_columns,
    unit_diagonal,
)

UNITS = 10.0 ** np.array([120, -3, 0, 40, -110])


def information(seed=0, rank=5):
    """A well-conditioned semidefinite matrix in extremely different units, and it in units of 1."""
    rows = np.random.default_rng(seed).normal(size=(rank, 5))
    plain = rows.T @ rows
    return plain * np.outer(UNITS, UNITS), plain


def test_units_do_not_matter_to_solutions_and_inverses():
    scaled, plain = information()
    right = np.arange(1.0, 6.0)
    wanted = np.linalg.solve(plain, right)
    np.testing.assert_allclose(solve_scaled(scaled, right * UNITS) * UNITS, wanted, rtol=1e-6)
    np.testing.assert_allclose(least_squares_scaled(scaled, right * UNITS, 1e-13) * UNITS, wanted, rtol=1e-6)
    np.testing.assert_allclose(inverse_scaled(scaled) * np.outer(UNITS, UNITS), np.linalg.inv(plain), rtol=1e-6)
    np.testing.assert_allclose(standard_errors(scaled) * UNITS, np.sqrt(np.diag(np.linalg.inv(plain))), rtol=1e-6)


def test_what_nothing_determines_stays_out():
    matrix = np.diag([4.0, 0.0])
    assert solve_scaled(matrix, np.array([8.0, 0.0])).round(9).tolist() == [2.0, 0.0]
    assert inverse_scaled(matrix).tolist() == [[0.25, 0.0], [0.0, 0.0]]
    assert unit_diagonal(matrix)[1].tolist() == [2.0, 1.0]
    assert unit_diagonal(np.diag([4.0, 1e-40]), negligible=1e-32)[1].tolist() == [2.0, 1.0]
    assert solve_scaled(np.zeros((0, 0)), np.zeros(0)).shape == (0,)


def test_dependent_unknowns_share():
    scaled, plain = information(rank=3)
    right = plain @ np.ones(5)
    np.testing.assert_allclose(plain @ (least_squares_scaled(scaled, right * UNITS, 1e-10) * UNITS), right, rtol=1e-6)


def test_sizes_of_columns_are_safe_to_divide_by():
    matrix = np.array([[3.0, 0.0], [4.0, 0.0]])
    assert column_sizes(matrix).tolist() == [np.sqrt(12.5), 1.0]
    np.testing.assert_allclose(unit_columns(matrix)[0], [[0.6, 0], [0.8, 0]])


@pytest.mark.parametrize("shape", [(7, 3), (3, 7), (4, 4), (1, 1)])
@pytest.mark.parametrize("full", [False, True])
def test_the_slow_road_of_a_decomposition_leads_to_the_same_place(shape, full, monkeypatch):
    """Divide and conquer fails on rare matrices only, which differ from machine to machine; so it is made to fail."""
    matrix = np.random.default_rng(1).normal(size=shape)
    right = np.random.default_rng(2).normal(size=(shape[0], 2))
    quick, solved = svd(matrix, full), least_squares(matrix, right)
    tried = []

    def not_converging(*arguments):
        tried.append(arguments)
        return None, None, None, 1

    def never(*arguments, **options):
        raise np.linalg.LinAlgError("SVD did not converge in Linear Least Squares")

    monkeypatch.setattr(lapack, "dgesdd", not_converging)
    monkeypatch.setattr(linalg.np.linalg, "lstsq", never)
    slow = svd(matrix, full)
    assert tried and [part.shape for part in slow] == [part.shape for part in quick]
    np.testing.assert_allclose(slow[1], quick[1])
    k = len(slow[1])
    np.testing.assert_allclose((slow[0][:, :k] * slow[1]) @ slow[2][:k], matrix, atol=1e-12)
    np.testing.assert_allclose(least_squares(matrix, right), solved, atol=1e-10)
    np.testing.assert_allclose(least_squares(matrix, right[:, 0]), solved[:, 0], atol=1e-10)


def test_a_matrix_of_low_rank_has_its_shortest_solution():
    matrix = np.outer(np.arange(1.0, 5.0), [1.0, 2.0])
    np.testing.assert_allclose(least_squares(matrix, matrix @ [5.0, 0.0]), [1.0, 2.0])


def test_a_large_triangle_is_solved_by_back_substitution(monkeypatch):
    rng = np.random.default_rng(3)
    upper, right = np.triu(rng.normal(size=(120, 120))) + 20 * np.eye(120), rng.normal(size=(121, 2))
    tall = np.vstack([upper, np.zeros((1, 120))])
    expected = np.linalg.lstsq(tall, right, rcond=1e-13)[0]
    dependent = tall.copy()
    dependent[7, 7:] = 0                                             # a zero on the diagonal: the shortest solution
    shortest = np.linalg.lstsq(dependent, right, rcond=1e-13)[0]
    np.testing.assert_allclose(least_squares(dependent, right, 1e-13), shortest, atol=1e-10)
    full = tall + 1e-3 * rng.normal(size=tall.shape)
    np.testing.assert_allclose(least_squares(full, right), np.linalg.lstsq(full, right, rcond=None)[0], atol=1e-10)
    monkeypatch.setattr(np.linalg, "lstsq", None)
    np.testing.assert_allclose(least_squares(tall, right, 1e-13), expected, atol=1e-12)


def test_a_form_of_the_inverse_leaves_out_what_nothing_determines():
    rng = np.random.default_rng(3)
    factor, vector = rng.normal(size=(30, 8)), rng.normal(size=8)
    full = factor.T @ factor
    assert np.isclose(inverse_form(full, vector, 1e-12), vector @ np.linalg.solve(full, vector))
    factor[:, 7] = factor[:, 0] - factor[:, 1]
    dependent = factor.T @ factor
    assert np.isclose(inverse_form(dependent, vector, 1e-12), vector @ np.linalg.pinv(dependent, rcond=1e-12) @ vector)
    nearly = dependent + 1e-11 * full                # Cholesky has a root of it, which would say something about rounding
    assert np.isclose(inverse_form(nearly, vector, 1e-8), vector @ np.linalg.pinv(nearly, rcond=1e-8) @ vector)
