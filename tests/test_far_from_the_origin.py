"""`expr`, `poly`, `terms`, exports and `evaluate` agree wherever the data lie."""

from fractions import Fraction

import numpy as np
import pytest
import sympy

import symknot


def far(mean, spread):
    rng = np.random.default_rng(0)
    angle = rng.uniform(0, 2 * np.pi, 200)
    return mean + spread * (np.c_[np.cos(angle), np.sin(angle)] + 0.01 * rng.normal(size=(200, 2)))


def exactly(terms, X):
    """Values of terms with exact numbers, in rational arithmetic."""
    points = [[Fraction(float(x)) for x in row] for row in X]
    return np.array([float(sum(value * row[0] ** e[0] * row[1] ** e[1] for e, value in terms.items())) for row in points])


def as_fraction(value):
    """A sympy float exactly: its mantissa times a power of two."""
    sign, mantissa, exponent, _ = sympy.Float(value)._mpf_
    return (-1) ** sign * Fraction(int(mantissa)) * Fraction(2) ** exponent


def float_terms(expr, variables):
    terms = {}
    for part in sympy.Add.make_args(expr):
        number, rest = part.as_coeff_Mul()
        terms[tuple(int(sympy.degree(rest, v)) if rest.has(v) else 0 for v in variables)] = as_fraction(number)
    return terms


@pytest.mark.parametrize("mean, spread", [(0, 1), (1e3, 1), (1e6, 1), (1e9, 1), (1e6, 1e-3), (-1e6, 1e3)])
def test_all_forms_agree(mean, spread):
    X = far(mean, spread)
    ideal = symknot.fit(X, 0.02 * spread, max_degree=2)
    polynomial, values = ideal.polynomials[0], ideal.evaluate(X)[:, 0]
    tolerance = 1e-12 * np.abs(values).max()
    if abs(mean) > 1e8 * spread:                 # the doubles of the data themselves end here, not those of the equation
        tolerance *= 100
    exact = exactly(polynomial.terms, X)
    assert np.abs(exact - values).max() <= tolerance
    for terms in (float_terms(polynomial.expr, ideal.variables),
                  {e: as_fraction(value) for e, value in polynomial.poly.terms()}):
        assert np.abs(exactly(terms, X) - exact).max() <= 1e-12 * np.abs(exact).max()


def test_near_the_origin_numbers_have_the_digits_they_had():
    polynomial = symknot.fit(far(0, 1), 0.02, max_degree=2).polynomials[0]
    assert {number._prec for number in polynomial.expr.atoms(sympy.Float)} == {60}
    assert polynomial.poly.domain == sympy.RR


def test_an_exported_module_agrees_with_its_own_exact_equations():
    X = far(1e6, 1)
    module = {}
    exec(symknot.fit(X, 0.02, max_degree=2).export("python"), module)
    exact = exactly(module["POLYNOMIALS"][0], X)
    assert np.abs(module["evaluate"](X)[:, 0] - exact).max() <= 1e-12 * np.abs(exact).max()
