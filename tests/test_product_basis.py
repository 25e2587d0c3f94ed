"""Products of Legendre polynomials, and what points say through their factor, against the definition and the recursion."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.polynomial import legendre

from symknot.fitting.at_points import AtPoints, second_order
from symknot.fitting.degree import degree_problem
from symknot.fitting.seen import Seen
from symknot.ground.tall_factor import TallFactor
from symknot.polynomials.product_basis import product_basis

from .test_recursion import grown


@pytest.mark.parametrize("dimension, degree", [(1, 7), (2, 4), (3, 3), (5, 2)])
def test_values_products_and_slopes_are_those_of_the_definition(dimension, degree):
    rng, basis = np.random.default_rng(0), product_basis(dimension, degree)
    y = rng.normal(size=(dimension, 9))
    V = basis.values(y, np.ones(9))
    for row, exponents in zip(V, basis.table.exponents):
        factors = [np.sqrt(2 * e + 1) * legendre.legval(y[i] / np.sqrt(3), np.eye(e + 1)[e]) for i, e in enumerate(exponents)]
        np.testing.assert_allclose(row, np.prod(factors, axis=0), rtol=1e-12, atol=1e-12)
    lower, C = basis.size(degree - 1), rng.normal(size=(len(basis), 3))
    for i in range(dimension):
        times = V.T @ basis.times(i, C[:lower])
        np.testing.assert_allclose(times, y[i][:, None] * (V[:lower].T @ C[:lower]), rtol=1e-10, atol=1e-10)
        step = 1e-6 * np.eye(dimension)[:, i: i + 1]
        above, below = (basis.values(y + sign * step, np.ones(9)).T @ C for sign in (1, -1))
        np.testing.assert_allclose(V[:lower].T @ basis.slope(i, C), (above - below) / 2e-6, rtol=1e-5, atol=1e-5)


def test_the_factor_says_what_the_recursion_says_with_equations_taken_out():
    rng = np.random.default_rng(1)
    angle = rng.uniform(0, 2 * np.pi, 300)
    points = np.c_[np.cos(angle), np.sin(angle), rng.normal(size=300)] + 0.01 * rng.normal(size=(300, 3))
    weights = rng.uniform(1, 2, 300)
    weights /= weights.sum()
    recursion, _ = grown(points, 3, 0.1)
    assert len(recursion.G_degrees)
    problem = degree_problem(recursion, points, weights, points, weights, True)
    v = recursion.evaluate(points, problem.products, derivatives=True)
    E, dE = np.hstack([v.F, v.P]), np.concatenate([v.dF, v.dP], axis=2)
    np.testing.assert_allclose(problem.data_factor.T @ problem.data_factor, (E.T * weights) @ E, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(problem.gradient_gram, np.einsum("n,nda,ndb->ab", weights, dE, dE), rtol=1e-9, atol=1e-9)
    norms = np.sqrt(weights @ recursion.evaluate(points).G ** 2)
    np.testing.assert_allclose(Seen(points, weights).vanishing_norms(recursion), norms, rtol=1e-9)


def test_degrees_up_to_the_highest_are_made_in_one_pass():
    points = np.random.default_rng(2).normal(size=(500, 2))
    seen, recursion = Seen(points, np.full(500, 1 / 500)), grown(points, 2)[0]
    seen.factor(recursion, 2, highest=4)
    seen.points = None                 # nothing is read again
    four, two = seen.factor(recursion, 4), seen.factor(recursion, 2)
    assert four.shape == (15, 15) and two.shape == (6, 6)
    np.testing.assert_array_equal(four[:6, :6], two)


def test_rows_that_come_in_blocks_of_any_size_make_one_factor():
    rows = np.random.default_rng(3).normal(size=(100, 7))
    for sizes in ([3, 3, 94], [100], [1] * 100, [6, 1, 93], [0, 100]):
        tall, start = TallFactor(7), 0
        for size in sizes:
            tall.add(rows[start: start + size])
            start += size
        np.testing.assert_allclose(tall.factor.T @ tall.factor, rows.T @ rows, rtol=1e-12, atol=1e-12)
        np.testing.assert_array_equal(tall.factor, np.triu(tall.factor))


def test_polynomials_at_points_are_those_of_the_recursion():
    rng = np.random.default_rng(4)
    angle = rng.uniform(0, 2 * np.pi, 400)
    points = np.c_[np.cos(angle), np.sin(angle), rng.normal(size=400)] + 0.01 * rng.normal(size=(400, 3))
    recursion, _ = grown(points, 2, 0.1)
    assert len(recursion.G_degrees)
    products = recursion.next_products()
    combine = rng.normal(size=(sum(recursion.sizes) + len(products.left), 2))
    expected = recursion.evaluate(points, products, derivatives=True, combine=combine)
    found = AtPoints(recursion, products, combine)
    assert found.suits(points) and found.blocks(10**6)[0].stop < 10**6
    values, slopes = found.at(points)
    np.testing.assert_allclose(values, expected.G, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(slopes, expected.dG, rtol=1e-9, atol=1e-10)
    own = AtPoints(recursion, products, combine, with_lower=False).values(points)
    np.testing.assert_allclose(own, expected.G[:, -2:], rtol=1e-9, atol=1e-11)
    cancelling = AtPoints(recursion, products, combine)
    cancelling.__dict__["_suits"] = False           # as at high degrees: then by the recursion itself
    np.testing.assert_array_equal(cancelling.at(points).dG, expected.dG)



def test_a_constant_has_no_slope_and_loses_nothing():
    rng = np.random.default_rng(7)
    points = rng.normal(size=(500, 3))
    recursion = grown(points, 2)[0]
    products = recursion.next_products()
    size = sum(recursion.sizes) + len(products.left)
    constant = AtPoints(recursion, products, np.eye(size)[:, :1], with_lower=False)
    assert constant.suits(points) and constant._loss(points) == pytest.approx(1)
    np.testing.assert_allclose(constant.values(points), recursion.constant)


def test_second_derivatives_of_quadrics_are_differences_of_their_slopes():
    rng = np.random.default_rng(5)
    points = rng.normal(size=(300, 3)) @ rng.normal(size=(3, 3)) + 1.0
    recursion, _ = grown(points, 1)
    products = recursion.next_products()
    found = AtPoints(recursion, products, rng.normal(size=(sum(recursion.sizes) + len(products.left), 2)))
    at = points[:5]
    for j, step in enumerate(np.eye(3)):
        change = found.at(at + step).dG - found.at(at).dG
        np.testing.assert_allclose(change, np.broadcast_to(found.hessians[j], change.shape), rtol=1e-9, atol=1e-9)
        bent = (found.values(at + step) + found.values(at - step)) / 2 - found.values(at)
        np.testing.assert_allclose(bent, second_order(found.hessians, np.tile(step, (5, 1))), rtol=1e-9, atol=1e-9)
    assert AtPoints(grown(points, 2)[0], None, None).hessians is not None
    assert AtPoints(grown(points, 3)[0], None, None).hessians is None


@pytest.mark.parametrize("d, degree", [(2, 4), (3, 1), (4, 0), (1, 3)])
def test_variables_may_lie_among_the_values_already(d, degree):
    basis, points = product_basis(d, degree), np.random.default_rng(1).normal(size=(d, 50))
    memory = np.empty((len(basis), 50))
    own = memory[basis.rows_of_variables]
    if degree:
        own[:] = points
    found = basis.values(own if degree else points, None, memory)
    assert found is memory
    np.testing.assert_array_equal(found, basis.values(points, np.ones(50)))
    np.testing.assert_array_equal(found, basis.values(points))
