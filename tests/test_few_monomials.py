"""Polynomials of few monomials are those that sympy evaluates and differentiates; variables are found before terms."""

import numpy as np
import sympy

from symknot.polynomials.evaluation import monomial_rows
from symknot.polynomials.few_monomials import FewMonomials
from symknot.polynomials.monomials import monomials
from symknot.sysid.motion.few_variables import Regression, terms_in_few_variables
from symknot.sysid.motion.fields import Field

X = sympy.symbols("x:4")


def test_values_and_slopes_are_those_of_sympy():
    rng = np.random.default_rng(0)
    exponents = rng.integers(0, 4, (12, 4)) * (rng.random((12, 4)) < 0.5)
    exponents[0], exponents[1] = 0, exponents[2]                               # a constant, and a monomial twice
    row, c, points = rng.integers(0, 3, 12), rng.normal(size=12), rng.normal(size=(4, 5))
    few = FewMonomials(exponents, row, 3)
    table = few.table(points)
    sums = [sum(float(k) * sympy.prod(x**int(p) for x, p in zip(X, e)) for k, e, r in zip(c, exponents, row) if r == j)
            for j in range(3)]
    for n, point in enumerate(points.T):
        at = dict(zip(X, point))
        assert np.allclose([float(sympy.sympify(f).subs(at)) for f in sums], few.values(c, table)[:, n])
        assert np.allclose([[float(sympy.diff(f, x).subs(at)) for x in X] for f in sums], few.slopes(c, table)[..., n])
    assert np.allclose(few.terms(table), np.prod(points.T[None] ** exponents[:, None], axis=2))


def test_a_field_without_terms_is_zero():
    nothing = np.array([], dtype=int)
    field = Field(3, 2, (nothing, np.array([1])), (nothing, nothing), (0, 0))
    f, slopes, by = field.linearized(np.array([2.0]), np.ones((3, 4)))
    assert f.tolist() == [[0] * 4, [2] * 4] and by.shape == (1, 4)
    assert not slopes[0].any() and slopes[1, :, 0].tolist() == [2, 0, 0]


def _chosen(y, z, degree):
    rows = monomial_rows(z, degree)
    mask, = terms_in_few_variables([Regression(rows @ rows.T, rows @ y, float(y @ y), len(y))], len(z), degree)
    return {tuple(e) for e in monomials(len(z), degree).exponents[mask].tolist()}


def test_variables_are_found_where_terms_look_alike():
    """A cubic spring between neighbours of 16, 120 samples for 969 terms: neighbours hardly differ."""
    rng = np.random.default_rng(1)
    common = rng.normal(size=120)
    z = 0.7 * common + 0.7 * rng.normal(size=(16, 120))
    y = z[4] - z[5] + 0.3 * (z[4] - z[5]) ** 3 + 0.02 * rng.normal(size=120)
    unit = np.eye(16, dtype=int)
    assert _chosen(y, z, 3) == {tuple(a * unit[4] + b * unit[5]) for a, b in
                                ((1, 0), (0, 1), (3, 0), (2, 1), (1, 2), (0, 3))}


def test_where_everything_is_coupled_single_terms_are_taken_in():
    rng = np.random.default_rng(2)
    z = rng.normal(size=(12, 150))
    y = z.sum(axis=0) - z[3] ** 2 + 0.05 * rng.normal(size=150)
    unit = np.eye(12, dtype=int)
    assert _chosen(y, z, 2) == {*map(tuple, unit.tolist()), tuple(2 * unit[3])}


def test_noise_alone_has_no_terms():
    rng = np.random.default_rng(3)
    assert _chosen(rng.normal(size=100), rng.normal(size=(10, 100)), 2) == set()


def test_three_variables_that_tell_nothing_one_by_one():
    """A product of three signs is independent of each of them, and of each two."""
    rng = np.random.default_rng(4)
    z = np.sign(rng.normal(size=(9, 200))) + 0.3 * rng.normal(size=(9, 200))
    unit = np.eye(9, dtype=int)
    assert _chosen(z[1] * z[5] * z[7] + 0.1 * rng.normal(size=200), z, 3) == {tuple(unit[1] + unit[5] + unit[7])}
