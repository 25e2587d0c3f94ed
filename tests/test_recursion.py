"""The recursion, its coefficients and its derivatives say the same thing."""

import numpy as np
import pytest

from symknot.fitting.basis import find_basis
from symknot.fitting.degree import degree_problem
from symknot.fitting.normalization import NORMALIZATIONS
from symknot.fitting.recursion import Recursion
from symknot.ground.linalg import ascending_svd, complement, independent_rows, root_of_gram, whitening
from symknot.ground.tall_factor import TallFactor
from symknot.polynomials.monomials import count, monomials


def grown(points, degree, epsilon=1e-9, kind="gradient"):
    """A recursion on these points, with the points as knots."""
    normalization = NORMALIZATIONS[kind]()
    weights = np.full(len(points), normalization.mass(len(points)) / len(points))
    recursion = Recursion(points.shape[1], 1 / np.sqrt(weights.sum()))
    for _ in range(degree):
        problem = degree_problem(recursion, points, weights, points, weights, normalization.needs_gradient)
        split = find_basis(problem, normalization, epsilon, epsilon, epsilon)
        recursion = recursion.with_layer(split.layer(problem))
    return recursion, weights


@pytest.mark.parametrize("kind", NORMALIZATIONS)
def test_values_agree_with_monomial_coefficients(kind):
    points = np.random.default_rng(0).normal(size=(300, 3))
    recursion, _ = grown(points, 4, kind=kind)
    values = recursion.evaluate(points)
    y = values.F[:, 1: 1 + recursion.sizes[1]]
    powers = np.prod(y[:, None, :] ** monomials(3, 4).exponents, axis=2)
    np.testing.assert_allclose(powers @ recursion.F_coefficients(), values.F, atol=1e-9 * np.abs(values.F).max())


@pytest.mark.parametrize("count_of_G", [1, 30])
def test_derivatives_agree_with_differences(count_of_G):
    rng = np.random.default_rng(1)
    points = rng.normal(size=(200, 3))
    recursion, _ = grown(points, 3)
    products = recursion.next_products()
    combine = rng.normal(size=(sum(recursion.sizes) + len(products.left), count_of_G))
    h, at = 1e-5, points[:20]
    values = recursion.evaluate(at, products, derivatives=True, combine=combine)
    for j, step in enumerate(h * np.eye(3)):
        above = recursion.evaluate(at + step, products, combine=combine)
        below = recursion.evaluate(at - step, products, combine=combine)
        for slope, high, low in ((values.dF, above.F, below.F), (values.dG, above.G, below.G)):
            scale = np.abs(slope).max()
            np.testing.assert_allclose(slope[:, j], (high - low) / (2 * h), atol=1e-6 * scale)


def test_F_is_orthonormal_on_the_knots():
    points = np.random.default_rng(2).normal(size=(400, 2))
    recursion, weights = grown(points, 4)
    F = recursion.evaluate(points).F * np.sqrt(weights)[:, None]
    np.testing.assert_allclose(F.T @ F, np.eye(F.shape[1]), atol=1e-10)
    assert F.shape[1] == count(2, 4)


def test_products_without_syzygies():
    points = np.random.default_rng(3).normal(size=(500, 4))
    recursion, _ = grown(points, 3)
    # 4 x 20 products of degree 4 span the 35 forms of degree 4, no more
    assert len(recursion.next_products().left) == 35
    assert recursion.sizes == [1, 4, 10, 20]


def test_one_variable_is_the_arnoldi_iteration():
    """Fifty points on a line: F fills R^50 at degree 49 and the last polynomial vanishes."""
    points = np.cos(np.pi * (np.arange(50) + 0.5) / 50)[:, None]
    recursion, weights = grown(points, 49, epsilon=1e-12)
    F = recursion.evaluate(points).F * np.sqrt(weights)[:, None]
    np.testing.assert_allclose(F.T @ F, np.eye(50), atol=1e-7)


def test_exact_circle_by_hand():
    """x^2 + y^2 - 1 spans the vanishing quadrics of points on the unit circle."""
    angle = np.linspace(0, 6, 40)
    recursion, _ = grown(np.c_[np.cos(angle), np.sin(angle)], 2)
    assert recursion.sizes == [1, 2, 2]
    probe = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [1.0, 1.0], [0.6, 0.8]])
    values = recursion.evaluate(probe).G[:, 0]
    np.testing.assert_allclose(values / values[0], [1, -3, -3, -1, 0], atol=1e-12)


def test_linear_algebra_by_hand():
    rng = np.random.default_rng(4)
    matrix = rng.normal(size=(50, 4)) @ np.diag([1, 1e-3, 1e-6, 1e-9])
    factor = TallFactor(4)
    for rows in np.array_split(matrix, 7):
        factor.add(rows)
    values, vectors = ascending_svd(factor.factor)
    np.testing.assert_allclose(values, np.linalg.svd(matrix, compute_uv=False)[::-1], rtol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(matrix @ vectors, axis=0), values, rtol=1e-6)

    wide_values, wide_vectors = ascending_svd(np.array([[3.0, 4.0]]))
    np.testing.assert_allclose(wide_values, [0, 5], atol=1e-15)
    np.testing.assert_allclose(np.abs(wide_vectors[:, 1]), [0.6, 0.8])

    gram = np.diag([4.0, 0.0, 9.0])
    W = whitening(gram)
    np.testing.assert_allclose(W.T @ gram @ W, np.eye(2), atol=1e-12)

    rows = np.array([[1.0, 0, 1], [0, 1, 0], [2, 3, 2], [1, 0, 1]])
    kept, combination = independent_rows(rows)
    assert len(kept) == 2
    np.testing.assert_allclose(combination @ rows[kept], rows, atol=1e-12)

    np.testing.assert_allclose(complement(np.array([[1.0], [0.0]])).ravel() ** 2, [0, 1], atol=1e-15)
    np.testing.assert_allclose(root_of_gram(np.array([[1.0, 0], [1, 0], [0, 3]])), np.diag([np.sqrt(2), 3]), atol=1e-12)


@pytest.mark.parametrize("shape", ["triangles", "few rows", "no triangle"])
def test_factors_of_parts_become_that_of_the_whole(shape):
    rng = np.random.default_rng(0)
    parts = [rng.normal(size=(3 if shape == "few rows" else 20, 7)) for _ in range(4)]
    tall = TallFactor(7)
    for part in parts:
        tall.merge(part if len(part) < 7 else np.linalg.qr(part, mode="r")[:, ::-1 if shape == "no triangle" else 1])
    whole = np.vstack(parts)[:, ::-1 if shape == "no triangle" else 1]
    np.testing.assert_allclose(tall.factor.T @ tall.factor, whole.T @ whole, atol=1e-12)
    assert tall.factor.shape == (7, 7) and not np.tril(tall.factor, -1).any()
