"""Thousands of candidates: sparse slopes, decompositions of what is wanted alone, and rows made of products, give what is found
without them."""

from dataclasses import replace

import numpy as np
import pytest

import symknot
from symknot.fitting import basis, joint_rows, sampled, slopes
from symknot.fitting.basis import find_basis
from symknot.fitting.degree import degree_problem, value_factor
from symknot.fitting.normalization import Coefficient, Gradient
from symknot.fitting.recursion import Recursion
from symknot.fitting.seen import Seen
from symknot.fitting.slopes import SlopeGrams, SparseSlopes
from symknot.ground import few_numbers, lowest
from symknot.ground.few_numbers import sparse, sparse_times, times_sparse
from symknot.polynomials.product_basis import product_basis

D = 6


@pytest.fixture
def very_many(monkeypatch):
    """Twenty columns are very many."""
    for module in (lowest, basis, sampled):
        monkeypatch.setattr(module, "KRYLOV_COLUMNS", 20)
    monkeypatch.setattr(few_numbers, "MANY_COLUMNS_OF_FEW", 20)
    for name, value in (("KRYLOV_BLOCK", 2), ("BLOCKS_BETWEEN_LOOKS", 2), ("ROOMY", 0.9)):
        monkeypatch.setattr(lowest, name, value)


def sphere(d=D, n=400, noise=0.02, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X / np.linalg.norm(X, axis=1)[:, None] + noise * rng.normal(size=(n, d))


def problem_of_degree_two(points, seen=None):
    weights = np.full(len(points), 1 / len(points))
    linear = degree_problem(basis_of_linear(points), points, weights, points, weights, True, seen or Seen(points, weights))
    return linear, weights


def basis_of_linear(points):
    weights = np.full(len(points), 1 / len(points))
    first = degree_problem(Recursion(points.shape[1], 1.0), points, weights, points, weights, True)
    return first.recursion.with_layer(find_basis(first, Gradient(), 1e-9, 1e-9, 1e-9).layer(first))


def test_sparse_slopes_are_those_of_factors():
    rng = np.random.default_rng(0)
    along_y = [np.where(rng.uniform(size=(4, 9)) < 0.3, rng.normal(size=(4, 9)), 0.0) for _ in range(3)]
    factor, turn = np.triu(rng.normal(size=(4, 4))), rng.normal(size=(5, 3))
    few = slopes.sparse_slopes(along_y, factor, turn)
    dense = SlopeGrams(np.tensordot(turn, np.stack([factor @ one for one in along_y]), axes=1))
    metric, columns = rng.uniform(0.5, 2, size=5), rng.normal(size=(9, 2))
    assert len(few) == len(dense) == 5
    np.testing.assert_allclose(few.within(metric), dense.within(metric), atol=1e-12)
    np.testing.assert_allclose(few.stacked(), dense.stacked(), atol=1e-12)
    np.testing.assert_allclose(few.over(columns).factors, dense.over(columns).factors, atol=1e-12)
    np.testing.assert_allclose(few.along(columns), dense.along(columns), atol=1e-12)


def test_products_of_two_variables_have_sparse_slopes(very_many):
    problem, _ = problem_of_degree_two(sphere())
    assert isinstance(problem.slopes, SparseSlopes)
    over = problem.recursion.candidates_over_products(problem.products)
    assert sparse(over) is not None and sparse(np.ones((30, 30))) is None
    np.testing.assert_allclose(times_sparse(problem.data_factor, over), problem.data_factor @ over, atol=1e-12)
    np.testing.assert_allclose(sparse_times(over, problem.data_factor), over @ problem.data_factor, atol=1e-12)
    dense = [product_basis(D, 2).slope(i, over) for i in range(D)]
    assert max(np.count_nonzero(one, axis=0).max() for one in dense) <= 2


def test_the_gram_of_sparse_slopes_is_that_of_slopes_at_the_points(very_many):
    points = sphere()
    problem, weights = problem_of_degree_two(points)
    values = problem.recursion.evaluate(points, problem.products, derivatives=True)
    at_points = np.concatenate([values.dF, values.dP], axis=2) * np.sqrt(weights)[:, None, None]
    expected = np.einsum("nda,ndb->ab", at_points, at_points)
    np.testing.assert_allclose(problem.gradient_gram, expected, atol=1e-10)


def test_find_basis_takes_the_same_polynomials_of_very_many(very_many, monkeypatch):
    problem, _ = problem_of_degree_two(sphere())
    root = Gradient().root(problem)
    np.testing.assert_allclose(root.T @ root, problem.gradient_gram[1:, 1:], atol=1e-10)
    few = basis.find_basis(problem, Gradient(), 0.05, 0.05, 1e-9)
    assert few.G.shape[1] == 1 and len(few.data_values) < problem.data_factor.shape[1] - 1
    monkeypatch.setattr(basis, "KRYLOV_COLUMNS", 10**6)
    whole = basis.find_basis(problem, Gradient(), 0.05, 0.05, 1e-9)
    np.testing.assert_allclose(few.data_values[:2], whole.data_values[:2], rtol=1e-9)
    np.testing.assert_allclose(abs(few.G), abs(whole.G), atol=1e-9)


def test_a_size_that_some_polynomial_does_not_have_is_no_triangle():
    problem, _ = problem_of_degree_two(sphere(d=2))
    none = np.array(problem.gradient_gram)
    none[3] = none[:, 3] = 0.0
    assert Gradient().root(replace(problem, gradient_gram=none)) is None
    assert Gradient().root(replace(problem, gradient_gram=None)) is None
    assert Coefficient().root(problem) is None


def same_equations(X, **options):
    ideal = symknot.fit(X, **options)
    at = np.random.default_rng(1).normal(size=(20, X.shape[1]))
    values = ideal.evaluate(at)
    return values * np.sign(values[:1]), ideal.knots, ideal.noise            # which sign they have is left open


@pytest.mark.parametrize("options", [{"max_degree": 2}, {"epsilon": 0.04, "max_degree": 2}], ids=["auto", "given"])
def test_a_fit_finds_the_same(very_many, monkeypatch, options):
    X = sphere() * np.geomspace(1, 5, D)
    few = same_equations(X, **options)
    monkeypatch.undo()
    for one, other in zip(few, same_equations(X, **options)):
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-8)


def test_rows_made_of_products_give_the_correction_that_rows_of_directions_do(monkeypatch):
    X = sphere(d=3)
    products = same_equations(X, max_degree=2)
    monkeypatch.setattr(joint_rows, "KNOTS_PER_PRODUCT", np.inf)
    for one, other in zip(products, same_equations(X, max_degree=2)):
        np.testing.assert_allclose(one, other, rtol=1e-8, atol=1e-9)


def test_the_factor_on_moved_knots_is_made_when_it_is_asked_for():
    points = sphere()
    problem, weights = problem_of_degree_two(points)
    moved = problem.with_knots(points + 0.1, weights)
    assert "knot_factor" not in moved.__dict__
    np.testing.assert_allclose(moved.knot_factor, value_factor(problem.recursion, problem.products, points + 0.1, weights))
    assert moved.data_factor is problem.data_factor and problem.knot_factor is problem.data_factor
