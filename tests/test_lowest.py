"""The lower end of a spectrum, as a whole decomposition has it."""

import numpy as np
import pytest

from symknot.fitting.recursion import Layer, Recursion
from symknot.ground import lowest as module
from symknot.ground.linalg import DEPENDENT_ROW, ascending_svd, complement, independent_rows
from symknot.ground.lowest import Quotient, lowest, smallest_direction, within
from symknot.polynomials.monomials import monomials

SPECTRA = {
    "spread": np.geomspace(1e-3, 1, 120),
    "two tiny ones": np.r_[1e-6, 2e-6, np.linspace(0.1, 1, 118)],
    "a cluster": np.r_[1e-4 * np.linspace(1, 1.1, 5), np.linspace(1e-3, 1, 115)],
    "more tiny ones than are asked for": np.r_[1e-8 * np.arange(1.0, 13), np.linspace(0.1, 1, 108)],
    "some that are zero": np.r_[0, 0, np.linspace(1e-3, 1, 118)],
}


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    """Matrices of a hundred columns are large."""
    monkeypatch.setattr(module, "SLOW_COLUMNS", 100)


def with_values(values, rows=None, seed=0):
    rng, n = np.random.default_rng(seed), len(values)
    left, right = np.linalg.qr(rng.normal(size=(rows or n, n)))[0], np.linalg.qr(rng.normal(size=(n, n)))[0]
    return (left * values) @ right.T


@pytest.mark.parametrize("rows", [120, 300])
@pytest.mark.parametrize("name", SPECTRA)
def test_the_lowest_are_those_of_a_whole_decomposition(name, rows):
    matrix = with_values(SPECTRA[name], rows)
    values, directions = lowest(matrix, 6)
    assert directions.shape == (120, 6)
    np.testing.assert_allclose(values[:6], SPECTRA[name][:6], rtol=1e-6, atol=1e-15)         # nothing is squared
    np.testing.assert_allclose(values, SPECTRA[name], rtol=1e-6, atol=1e-15)
    np.testing.assert_allclose(np.linalg.norm(matrix @ directions, axis=0), values[:6], rtol=1e-8, atol=1e-15)
    np.testing.assert_allclose(directions.T @ directions, np.eye(6), atol=1e-12)
    whole = ascending_svd(matrix)[1]
    if name in ("spread", "two tiny ones"):                       # distinct values: the same directions, signs too
        np.testing.assert_allclose(directions, whole[:, :6], atol=1e-6)


def test_a_whole_decomposition_is_made_only_where_it_is_needed(monkeypatch):
    sizes = []
    monkeypatch.setattr(module, "ascending_svd", lambda matrix: sizes.append(matrix.shape) or ascending_svd(matrix))
    lowest(with_values(SPECTRA["spread"]), 6)
    assert sizes and all(columns == 6 + module.ITERATED_VECTORS for _, columns in sizes)
    sizes.clear()
    assert lowest(with_values(SPECTRA["spread"]), 0)[1].shape == (120, 0) and not sizes
    lowest(with_values(SPECTRA["spread"]), 60)                   # half of them are not few
    lowest(with_values(SPECTRA["some that are zero"]), 6)        # and a zero stops iteration
    lowest(with_values(SPECTRA["spread"])[:110], 6)              # as does what rows cannot see
    assert sizes == [(120, 120), (120, 120), (110, 120)]


def test_those_within_a_bound_are_all_and_no_more():
    values = np.r_[1e-9, 0.25, 0.5, np.linspace(1, 9, 117)]
    for matrix in (np.diag(values), np.diag(values)[:, ::-1], np.vstack([np.diag(values), np.zeros((3, 120))])):
        for bound, count in ((1e-10, 0), (0.2, 1), (0.5, 3), (0.4999, 2), (9.0, 120)):
            found, directions = within(matrix, bound)
            assert directions.shape == (120, count)
            np.testing.assert_allclose(np.linalg.norm(matrix @ directions, axis=0), values[:count], rtol=1e-8, atol=1e-15)
            np.testing.assert_allclose(found, values, rtol=1e-6)


def test_the_smallest_direction_of_many():
    values = SPECTRA["two tiny ones"]
    matrix = with_values(values, 200)
    np.testing.assert_allclose(smallest_direction(matrix), ascending_svd(matrix)[1][:, 0], atol=1e-4)
    assert np.linalg.norm(matrix @ smallest_direction(matrix)) == pytest.approx(1e-6, rel=1e-5)


@pytest.mark.parametrize("count", [1, 7, 50])
def test_what_few_long_columns_leave_over(count):
    columns = np.random.default_rng(1).normal(size=(120, count)) * np.geomspace(1e-12, 1e12, count)
    rest = complement(columns)
    assert rest.shape == (120, 120 - count)
    np.testing.assert_allclose(rest.T @ rest, np.eye(120 - count), atol=1e-12)
    np.testing.assert_allclose(columns.T @ rest / np.linalg.norm(columns, axis=0)[:, None], 0, atol=1e-12)


def test_columns_that_depend_on_each_other_leave_over_more():
    columns = np.random.default_rng(1).normal(size=(120, 3))
    assert complement(np.hstack([columns, columns[:, :1]])).shape == (120, 117)
    assert complement(np.hstack([columns, columns[:, :1] + 1e3 * DEPENDENT_ROW * columns[:, 1:2]])).shape[1] >= 116


def test_products_of_degree_two_are_those_that_elimination_keeps():
    first = Layer(None, np.vstack([np.zeros(4), np.eye(4)]), np.zeros((5, 0)), np.ones(4, bool))
    recursion = Recursion(4, 1.0, (first,))
    products = recursion.next_products()
    left, right = (index.ravel() for index in np.mgrid[:4, :4])
    kept, combination = independent_rows(recursion._product_coefficients(left, right)[len(monomials(4, 1)):].T)
    assert products.left.tolist() == left[kept].tolist() and products.right.tolist() == right[kept].tolist()
    assert (products.combination == combination).all()


def triangle_with_values(values, seed=0):
    return np.linalg.qr(with_values(values, seed=seed), mode="r")


@pytest.fixture
def krylov(monkeypatch):
    """Matrices of two hundred columns are very large, and their blocks small."""
    monkeypatch.setattr(module, "KRYLOV_COLUMNS", 200)
    monkeypatch.setattr(module, "KRYLOV_BLOCK", 4)


VERY_MANY = np.r_[1e-3, 2e-3, 2.1e-3, np.linspace(0.2, 3, 397)]


def test_of_very_many_values_those_that_are_wanted_are_made_and_one_more(krylov, monkeypatch):
    sizes = []
    monkeypatch.setattr(module, "ascending_svd", lambda matrix: sizes.append(matrix.shape) or ascending_svd(matrix))
    upper = triangle_with_values(VERY_MANY)
    values, directions = lowest(upper, 6)
    assert values.shape == (7,) and directions.shape == (400, 6) and all(columns == 7 for _, columns in sizes)
    np.testing.assert_allclose(values, VERY_MANY[:7], rtol=1e-6)
    np.testing.assert_allclose(values[:3], VERY_MANY[:3], rtol=1e-12)                      # before a gap all digits
    whole = ascending_svd(upper)[1][:, :3]
    np.testing.assert_allclose(directions[:, :3], whole, atol=1e-10)                       # signs too
    tall = np.vstack([upper, np.zeros((3, 400))])[:, ::-1]                                 # neither square nor triangular
    np.testing.assert_allclose(lowest(tall, 3)[1], module.fix_signs(whole[::-1]), atol=1e-10)


def test_a_quotient_is_the_matrix_it_stands_for(krylov):
    upper, root = triangle_with_values(VERY_MANY), triangle_with_values(np.linspace(1, 5, 400), seed=1)
    matrix = np.linalg.solve(root.T, upper.T).T
    two, columns = Quotient(np.asfortranarray(upper), np.asfortranarray(root)), np.random.default_rng(2).normal(size=(400, 3))
    np.testing.assert_allclose(two.matrix, matrix, atol=1e-12)
    np.testing.assert_allclose(two.times(columns), matrix @ columns, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(matrix @ two.solved(columns), columns, atol=1e-9)
    np.testing.assert_allclose(matrix.T @ two.solved_transposed(columns), columns, atol=1e-9)
    expected, turned = ascending_svd(matrix)
    values, directions = lowest(Quotient(upper, root), 3)
    np.testing.assert_allclose(values, expected[:4], rtol=1e-6)
    np.testing.assert_allclose(directions, turned[:, :3], atol=1e-8)


def test_of_very_many_those_within_a_bound_are_found_however_many(krylov):
    values = np.r_[np.linspace(0.01, 0.02, 20), np.linspace(1, 3, 380)]
    for bound, count in ((1e-3, 0), (0.011, 2), (0.5, 20)):
        found, directions = within(triangle_with_values(values), bound)
        assert directions.shape == (400, count) and found[count] > bound
        np.testing.assert_allclose(found[:count + 1], values[:count + 1], rtol=1e-6)
    assert within(triangle_with_values(values), 2.0)[1].shape[1] == 20 + np.sum(values[20:] <= 2.0)       # a whole one, then


def test_what_a_krylov_space_cannot_show_is_decomposed(krylov):
    values = np.r_[0.0, np.linspace(0.2, 3, 399)]
    found, directions = lowest(np.diag(values), 2)
    np.testing.assert_allclose(found, values, atol=1e-12)
    assert abs(directions[0, 0]) == pytest.approx(1)
    assert len(lowest(triangle_with_values(np.linspace(2, 3, 400)), 60)[0]) == 400             # no end to stand out
