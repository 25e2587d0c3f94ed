"""Readable equations: the basis a person would write, numbers the data do not reject."""

from fractions import Fraction

import numpy as np
import pytest
import sympy

import symknot
from symknot.polynomials.terms import substitute_affine
from symknot.symbolic.readable import echelon, sorted_columns
from symknot.symbolic.rounding import least_description

from .varieties import BY_NAME, spread

x, y, z = sympy.symbols("x y z")


def noisy(name, noise, n=500, seed=3):
    rng = np.random.default_rng(seed)
    exact = BY_NAME[name].sampler(rng, n)
    return exact + noise * spread(exact) * rng.normal(size=exact.shape)


def shown(ideal):
    return {sympy.Poly.from_dict({e: sympy.Rational(v.numerator, v.denominator) for e, v in row.terms.items()},
                                 *ideal.variables, domain="QQ").as_expr() for row in ideal.readable()}


def test_the_circle_of_the_title():
    rng = np.random.default_rng(0)
    angle = rng.uniform(0, 2 * np.pi, 500)
    points = np.c_[np.cos(angle), np.sin(angle)] + 0.05 * rng.normal(size=(500, 2))
    ideal = symknot.fit(points)
    assert shown(ideal) == {x**2 + y**2 - 1}
    assert str(ideal).startswith("x**2 + y**2 = 1   +/- 0.0")


@pytest.mark.parametrize("name, noise, truth", [
    ("ellipse", 0.05, {x**2 + 9 * y**2 - 18 * y}),
    ("concentric circles", 0.01, {sympy.expand((x**2 + y**2 - 1) * (x**2 + y**2 - sympy.Rational(1, 4)))}),
    ("lemniscate", 0.01, {sympy.expand((x**2 + y**2) ** 2 - x**2 + y**2)}),
    ("twisted cubic", 0.05, {x**2 - y, x * y - z, y**2 - x * z}),
    ("crossing lines", 0.05, {x**2 - x * y - 2 * y**2}),
    ("line in space", 0.05, {x + z - sympy.Rational(1, 2), y + 2 * z - 2}),
    ("two quadrics", 0.05, {x**2 - 2 * x + y**2, z**2 + 2 * x - 4}),
    ("skew lines", 0.01, {x * y, x * z - x / 2, y * z + y / 2, z**2 - sympy.Rational(1, 4)}),
])
def test_true_equations_come_out_exactly(name, noise, truth):
    ideal = symknot.fit(noisy(name, noise))
    assert shown(ideal) == truth


@pytest.mark.parametrize("n", [500, 20_000])
def test_nothing_is_rounded_to_what_the_data_reject(n):
    rng = np.random.default_rng(1)
    angle = rng.uniform(0, 2 * np.pi, n)
    points = np.c_[np.cos(angle), np.sin(angle) / np.sqrt(2.818)] + 0.01 * rng.normal(size=(n, 2))
    (equation,) = symknot.fit(points).readable()
    coefficient = float(equation.terms[0, 2])
    assert coefficient != 3
    assert abs(coefficient - 2.818) <= 4.5 * equation.standard_errors[0, 2]
    assert equation.residual < 1.02 * equation.residual_before


def test_standard_errors_are_those_of_repeated_experiments():
    """The scatter of an ellipse's coefficient over 30 data sets is the standard error reported."""
    estimates, errors = [], []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        angle = rng.uniform(0, 2 * np.pi, 300)
        points = np.c_[2 * np.cos(angle), np.sin(angle)] + 0.03 * rng.normal(size=(300, 2))
        (equation,) = symknot.fit(points, 0.06, max_degree=2).uncertainty()
        estimates.append(float(equation.terms[0, 2]))
        errors.append(equation.standard_errors[0, 2])
    assert np.std(estimates) == pytest.approx(np.mean(errors), rel=0.35)
    assert abs(np.mean(estimates) - 4) < 4 * np.std(estimates) / np.sqrt(30)


def test_moved_knots_lie_on_the_rounded_equations():
    for name in ("circle", "twisted cubic", "two quadrics"):
        ideal = symknot.fit(noisy(name, 0.02))
        readable = ideal.readable()
        expressions = sympy.lambdify(ideal.variables, list(shown(ideal)), "numpy")
        values = np.array(np.broadcast_arrays(*expressions(*readable.knots.T)))
        assert np.abs(values).max() < 1e-9
        assert np.linalg.norm(readable.knots - ideal.knots, axis=1).max() < 5 * ideal.noise_level


def few_points(points, noise=0.005, n=500, seed=1):
    rng = np.random.default_rng(seed)
    exact = np.array(points, dtype=float)[rng.integers(0, len(points), n)]
    return symknot.fit(exact + noise * rng.normal(size=exact.shape))


def test_rounding_that_destroys_the_common_zeros_is_taken_back():
    ideal = few_points([(0, 0, 0), (1, 0, 0.21357), (0.03159, 1, 0.3), (0.2, 0.11313, 1)])
    readable = ideal.readable()
    assert not any(equation.rounded for equation in readable)
    assert max(equation.knot_residual for equation in readable) <= ideal.delta


@pytest.mark.parametrize("order, leading", [("grevlex", {(2, 0), (1, 1), (0, 2)}), ("lex", {(2, 0), (1, 1), (1, 0)})])
def test_points_with_simple_coordinates_have_exact_equations(order, leading):
    points = [(Fraction(0), Fraction(0)), (Fraction(1), Fraction(1, 5)), (Fraction(-1, 2), Fraction(3, 4))]
    readable = few_points(points).readable(order=order)
    assert {next(iter(g.terms)) for g in readable} == leading
    for g in readable:
        assert g.rounded and all(sum(c * x**a * y**b for (a, b), c in g.terms.items()) == 0 for x, y in points)


def test_after_loading_the_cost_is_estimated_from_the_knots(tmp_path):
    ideal = symknot.fit(noisy("circle", 0.05))
    ideal.save(tmp_path / "model.json")
    again = symknot.load(tmp_path / "model.json")
    assert shown(again) == shown(ideal)
    (fresh,), (loaded,) = ideal.readable(), again.readable()
    assert loaded.residual == pytest.approx(fresh.residual, rel=0.05)


def test_exact_data_far_from_the_origin():
    angle = np.linspace(0, 6, 60)
    ideal = symknot.fit(np.c_[np.cos(angle) + 1000, np.sin(angle) - 30])
    assert shown(ideal) == {x**2 + y**2 - 2000 * x + 60 * y + 1_000_899}


def test_order_decides_the_leading_monomial():
    ideal = symknot.fit(noisy("line in space", 0.01))
    lex = {next(iter(row.terms)) for row in ideal.readable(order="lex")}
    assert lex == {(1, 0, 0), (0, 1, 0)}
    with pytest.raises(symknot.InvalidOption, match="order must be one of"):
        ideal.readable(order="alphabetical")


def test_echelon_by_hand():
    rows = np.array([[2.0, 0, 2, 4], [1, 1e-4, 0, 1]])
    reduced, pivots = echelon(rows, [0, 1, 2, 3], np.ones(4))
    assert pivots == [0, 2]                     # the second column is too weak to lead
    np.testing.assert_allclose(reduced[:, pivots], np.eye(2), atol=1e-12)


def test_orders_by_hand():
    exponents = np.array([[1, 0, 1], [0, 2, 0], [0, 0, 3]])
    assert sorted_columns(exponents, "grevlex").tolist() == [2, 1, 0]
    assert sorted_columns(exponents, "grlex").tolist() == [2, 0, 1]
    assert sorted_columns(exponents, "lex").tolist() == [0, 1, 2]


@pytest.mark.parametrize("value, error, expected", [
    (1.002, 0.01, Fraction(1)), (-0.3331, 0.001, Fraction(-1, 3)), (9.98e5, 4e3, Fraction(10**6)),
    (3.14159, 1e-5, Fraction(31416, 10000)), (1e-7, 1e-10, Fraction(1, 10**7)),
])
def test_simplest_number(value, error, expected):
    assert least_description(value, error)[0] == expected


def test_substitution_by_hand():
    circle = {(2, 0): Fraction(1), (0, 2): Fraction(1), (0, 0): Fraction(-1)}
    moved = substitute_affine(circle, [Fraction(2), Fraction(1)], [Fraction(1), Fraction(0)])
    assert moved == {(2, 0): 4, (1, 0): 4, (0, 2): 1}


def test_sparsest_and_integers():
    ideal = symknot.fit(noisy("tilted circle", 0.01))
    count = {order: sum(len(row.terms) for row in ideal.readable(order=order)) for order in ("grevlex", "lex", "sparsest")}
    assert count["sparsest"] <= min(count["grevlex"], count["lex"])
    (equation,) = symknot.fit(noisy("concentric circles", 0.01)).readable(integers=True)
    assert equation.terms[4, 0] == 4 and equation.terms[0, 0] == 1
    assert all(value.denominator == 1 for value in equation.terms.values())
