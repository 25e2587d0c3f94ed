"""Values and derivatives keep their digits by every route, and bad input is refused in words."""

import inspect
import pickle
import re
import warnings

import mpmath
import numpy as np
import pandas as pd
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

import symknot
from symknot.polynomials.monomials import monomials
from symknot.symbolic import compiled
from symknot.symbolic.compiled import LARGEST_LOSS, monomial_function
from symknot.symbolic.polynomial import compiled_for
from tests.precise import BITS, exact_values, made_by_hand, value_of_terms, vanishing_on
from tests.test_symbolic import ideals, probes

ROUNDING = 1e-13
"""In units of the recursion's own terms, plus what moving the point by rounding it does."""


def with_route(ideal, nested):
    """The ideal's polynomials, evaluated by the recursion or by monomials, whatever suits better."""
    chosen = compiled_for(ideal, ideal.in_order())
    chosen.__dict__["nested"] = nested
    return chosen


def tilted_circle(n=40):
    """Equations of degree one and two."""
    t = np.linspace(0, 6, n)
    return symknot.vca(np.c_[np.cos(t), np.sin(t), 2 + np.cos(t) - np.sin(t)], epsilon=1e-9, max_degree=2)


def empty_ideal():
    ideal = symknot.vca(np.random.default_rng(0).normal(size=(50, 2)), epsilon=1e-9, max_degree=1)
    assert ideal.polynomials == ()
    return ideal


# ------------------------------------------------------------------------------------------------- digits kept


@settings(max_examples=30, derandomize=True, deadline=None)
@given(ideals, st.integers(0, 10**6))
def test_values_by_every_route_against_50_digits(ideal, seed):
    scalar = ideal.lambdify("math")
    columns = ideal.lambdify("numpy")
    for x in probes(ideal, np.random.default_rng(seed)):
        exact, sizes = exact_values(ideal, x)
        slopes = np.abs(ideal.jacobian(x)) @ ideal.scale
        recursion = ideal.unit * ideal.recursion.evaluate(ideal.inside(np.atleast_2d(x))).G[0, ideal.in_order()]
        routes = {"evaluate": ideal.evaluate(x), "rows": ideal.evaluate([x, x])[1], "recursion": recursion,
                  "math": scalar(*x), "numpy": columns(*x), "each": [g(x) for g in ideal.polynomials]}
        for name, values in routes.items():
            for got, value, size, slope in zip(values, exact, sizes, slopes.tolist()):
                assert abs(float(got - value)) <= ROUNDING * float(size + slope), name


@settings(max_examples=20, derandomize=True, deadline=None)
@given(ideals, st.integers(0, 10**6), st.sampled_from([15, 50, 200]))
def test_mpmath_is_correct_to_its_working_precision(ideal, seed, digits):
    """On the knots, too, where nearly everything cancels."""
    function = ideal.lambdify("mpmath")
    for x in probes(ideal, np.random.default_rng(seed)):
        with mpmath.workprec(4 * BITS):
            exact = [value_of_terms(g.terms, x) for g in ideal.polynomials]
        with mpmath.workdps(digits):
            values = function(*map(mpmath.mpf, x))
            for got, value in zip(values, exact):
                assert abs(got - value) <= mpmath.mpf(10) ** -digits * abs(value)


@settings(max_examples=20, derandomize=True, deadline=None)
@given(st.sampled_from([(1, 2), (1, 12), (2, 2), (2, 8), (3, 3), (4, 2)]), st.integers(0, 10**6),
       st.sampled_from([0.0, 1e6]), st.sampled_from([1.0, 1e150, 1e-150]))
def test_derivatives_against_50_digits(shape, seed, far, spread):
    ideal = vanishing_on(*shape, seed=seed, mean=far * spread, spread=spread)
    d = shape[0]
    for x in probes(ideal, np.random.default_rng(seed)):
        _, sizes = exact_values(ideal, x)
        got = ideal.jacobian(x)
        sizes = np.array([float(s / ideal.unit) for s in sizes])
        tolerance = 1e-12 * shape[1] ** 2 * (sizes + np.abs(got) @ ideal.scale / ideal.unit)
        with mpmath.workprec(BITS):
            step = mpmath.mpf(2) ** -100
            for j in range(d):
                apart = [step * ideal.scale[j] if i == j else 0 for i in range(d)]
                above = exact_values(ideal, [mpmath.mpf(a) + b for a, b in zip(x, apart)])[0]
                below = exact_values(ideal, [mpmath.mpf(a) - b for a, b in zip(x, apart)])[0]
                for k, (high, low) in enumerate(zip(above, below)):
                    wanted = (high - low) / (2 * step) / ideal.unit
                    assert abs(float(got[k, j] * ideal.scale[j] / ideal.unit - wanted)) <= tolerance[k]


def test_both_routes_agree_and_the_right_one_is_taken():
    low, high = vanishing_on(3, 3), vanishing_on(1, 12)
    assert not low._compiled.nested and low._compiled.loss < LARGEST_LOSS
    assert high._compiled.nested and high._compiled.loss > LARGEST_LOSS
    X = low.knots + 0.1
    by_sums, by_recursion = with_route(low, False), with_route(low, True)
    np.testing.assert_allclose(by_sums.values(X), by_recursion.values(X), atol=1e-14)
    np.testing.assert_allclose(by_sums.slopes(X), by_recursion.slopes(X), atol=1e-13)
    exact = [exact_values(high, x)[0][0] for x in high.knots.tolist()]
    errors = []
    for nested in (True, False):
        values = with_route(high, nested).values(high.knots)[:, 0]
        errors.append(max(abs(float(got - value)) for got, value in zip(values, exact)))
    assert errors[1] > 5 * errors[0]        # the sum would have lost digits


@pytest.mark.parametrize("limit, value", [("MOST_COMPILED", 3), ("LARGEST_WORK_RATIO", 1e-9), ("LARGEST_LOSS", 0.0)])
def test_each_reason_for_the_recursion(monkeypatch, limit, value):
    ideal = vanishing_on(2, 4)
    wanted, slopes = ideal.evaluate(ideal.knots), ideal.jacobian(ideal.knots)
    monkeypatch.setattr(compiled, limit, value)
    fresh = compiled_for(ideal, ideal.in_order())
    assert fresh.nested
    np.testing.assert_allclose(fresh.values(ideal.knots), wanted, atol=1e-13)
    np.testing.assert_allclose(fresh.slopes(ideal.knots), slopes, atol=1e-12)


def test_degree_one_and_two_together():
    ideal = tilted_circle()
    assert [g.degree for g in ideal.polynomials] == [1, 2]
    X = np.random.default_rng(0).normal(size=(20, 3))
    values, slopes = ideal.evaluate(X), ideal.jacobian(X)
    for k, g in enumerate(ideal.polynomials):
        np.testing.assert_allclose(g(X), values[:, k], atol=1e-14)
        exact = sympy.Poly(g.expr, *ideal.variables)
        wanted = [[float(exact.diff(v)(*x)) for v in ideal.variables] for x in X.tolist()]
        np.testing.assert_allclose(slopes[:, k], wanted, atol=1e-12)
    line = symknot.vca(np.linspace(0, 1, 9)[:, None] * [1.0, 2.0], epsilon=1e-9, max_degree=1)
    assert line.jacobian(np.zeros((4, 2))).shape == (4, 1, 2)
    np.testing.assert_allclose(line.jacobian([0, 0]) @ [1, 2], 0, atol=1e-15)


# ---------------------------------------------------------------------------------- traps that others fell into


def test_trap_fifteen_digits():
    """Code that prints a coefficient with 15 digits evaluates another polynomial."""
    ulp = np.finfo(float).eps
    g = vanishing_on(3, 3, mean=5.0).polynomials[0]
    for part in g.expr.args:
        number, monomial = part.as_coeff_Mul()
        exponents = tuple(int(monomial.as_powers_dict()[v]) for v in g.variables)
        assert float(str(number)) == pytest.approx(float(g.terms[exponents]), rel=ulp, abs=0)
    at_zero = sympy.lambdify(g.variables, g.expr)(0, 0, 0)
    assert at_zero == pytest.approx(float(g.terms[(0, 0, 0)]), rel=ulp, abs=0)
    source = inspect.getsource(monomial_function(3, 3))
    assert not re.search(r"\d\.|\.\d|\*\*", source)     # no number and no slow power is ever printed


def test_trap_sums_of_three_thousand_terms():
    ideal = made_by_hand(76, 2, 2)
    assert len(ideal.polynomials[0].terms) == 3003
    x = np.linspace(-0.5, 0.5, 76)
    wanted = [float(value_of_terms(g.terms, x.tolist())) for g in ideal.polynomials]
    np.testing.assert_allclose(ideal.evaluate(x), wanted, rtol=1e-11)
    np.testing.assert_allclose(with_route(ideal, False).values(x), wanted, rtol=1e-11)
    for modules in ("numpy", "math", "mpmath"):
        np.testing.assert_allclose([float(v) for v in ideal.lambdify(modules)(*x)], wanted, rtol=1e-11)
    assert len(monomial_function(14, 4)(*range(1, 15))) == 3059


def test_trap_lost_digits():
    """Expanded about the origin, data at 1e6 leave not one digit; centred, nearly all of them."""
    ideal = vanishing_on(2, 5, mean=1e6)
    g, x = ideal.polynomials[0], (ideal.knots[0] + 0.25).tolist()
    exact = float(exact_values(ideal, x)[0][0])
    naive = sympy.lambdify(ideal.variables, g.expr)(*x)
    assert abs(naive - exact) > abs(exact)
    assert abs(g(x) - exact) < 1e-12 * max(abs(exact), 1)


def test_trap_compiled_again_for_every_call():
    ideal = vanishing_on(2, 3)
    ideal.evaluate(ideal.knots)
    before = monomial_function.cache_info().misses
    for g in ideal.polynomials:
        g(ideal.knots)
    ideal.evaluate(ideal.knots)
    vanishing_on(2, 3, seed=1).evaluate(ideal.knots)
    assert monomial_function.cache_info().misses == before
    assert monomial_function(2, 3) is monomial_function(2, 3)


def test_trap_names_that_are_code(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = ["__import__('os').system('touch here')", "y0); open('there','w'); (0"]
    ideal = made_by_hand(2, 3, 2, names=names)
    ideal.evaluate([[0.1, 0.2]]), ideal.jacobian([0.1, 0.2])
    for modules in ("numpy", "math", "mpmath"):
        ideal.lambdify(modules)(0.1, 0.2)
    for g in ideal.polynomials:
        assert g.expr.free_symbols == set(ideal.variables) and g.poly and g.nested and g(ideal.knots).shape == (20,)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("dimension, degree", [(1, 1), (1, 7), (2, 5), (4, 3), (6, 2)])
def test_compiled_monomials_are_the_monomials(dimension, degree):
    y = np.random.default_rng(0).normal(size=(dimension, 9))
    table = monomials(dimension, degree).exponents[1:]
    wanted = np.prod(y[None] ** table[:, :, None], axis=1)
    np.testing.assert_allclose(monomial_function(dimension, degree)(*y), wanted, rtol=1e-13)


# ----------------------------------------------------------------------------------------------- shapes and kinds


def test_shapes():
    ideal = vanishing_on(2, 3)
    k, x = len(ideal.polynomials), [0.25, -0.5]
    assert ideal.evaluate([x] * 5).shape == (5, k) and ideal.evaluate(x).shape == (k,)
    assert ideal.jacobian([x] * 5).shape == (5, k, 2) and ideal.jacobian(x).shape == (k, 2)
    assert ideal.evaluate(np.zeros((0, 2))).shape == (0, k) and ideal.jacobian(np.zeros((0, 2))).shape == (0, k, 2)
    g = ideal.polynomials[0]
    assert g([x] * 5).shape == (5,) and np.ndim(g(x)) == 0 and g(np.zeros((0, 2))).shape == (0,)
    line = vanishing_on(1, 3)
    assert np.ndim(line.polynomials[0]([0.5])) == 0 and line.evaluate([[0.5], [1.0]]).shape == (2, 1)


def test_many_rows_are_cut_into_blocks_that_do_not_show():
    ideal = tilted_circle()
    X = np.random.default_rng(0).normal(size=(3 * compiled.ROWS_AT_ONCE + 7, 3))
    values, slopes = ideal.evaluate(X), ideal.jacobian(X)
    for i in (0, compiled.ROWS_AT_ONCE - 1, compiled.ROWS_AT_ONCE, len(X) - 1):
        np.testing.assert_allclose(ideal.evaluate(X[i]), values[i], atol=1e-13)
        np.testing.assert_allclose(ideal.jacobian(X[i]), slopes[i], atol=1e-13)


@pytest.mark.parametrize("kind", [list, lambda X: X.astype(np.float32), np.asfortranarray, lambda X: X[::-1][::-1],
                                  lambda X: pd.DataFrame(X, columns=["x", "y"])])
def test_kinds_of_arrays(kind):
    ideal = vanishing_on(2, 3)
    X = np.array([[0.5, 0.25], [-0.75, 1.0], [2.0, 0.0]])
    np.testing.assert_array_equal(ideal.evaluate(kind(X)), ideal.evaluate(X))


def test_whole_numbers_and_truth_values():
    ideal = vanishing_on(2, 3)
    np.testing.assert_array_equal(ideal.evaluate([[1, 0], [0, 1]]), ideal.evaluate([[1.0, 0.0], [0.0, 1.0]]))
    np.testing.assert_array_equal(ideal.evaluate([[True, False]]), ideal.evaluate([[1.0, 0.0]]))


def test_an_empty_ideal():
    ideal = empty_ideal()
    assert ideal.evaluate(np.zeros((4, 2))).shape == (4, 0) and ideal.evaluate([0, 0]).shape == (0,)
    assert ideal.jacobian(np.zeros((4, 2))).shape == (4, 0, 2) and ideal.jacobian([0, 0]).shape == (0, 2)
    for modules in ("numpy", "math", "mpmath"):
        assert ideal.lambdify(modules)(0, 0) == []
    never = symknot.fit(np.random.default_rng(0).uniform(size=(100, 2)))
    assert never.recursion.degree == 0 and never.evaluate(np.zeros((4, 2))).shape == (4, 0)


@pytest.mark.parametrize("ideal", [vanishing_on(2, 3), vanishing_on(2, 8)], ids=["sums", "recursion"])
def test_nan_passes_through_and_infinity_is_no_error(ideal):
    X = np.array([[0.1, 0.2], [np.nan, 0.2], [0.1, np.inf], [1e300, 1e300], [0.1, 0.2]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        values, slopes = ideal.evaluate(X), ideal.jacobian(X)
    assert np.isnan(values[1]).all() and np.isnan(slopes[1]).all()
    assert not np.isfinite(values[2:4]).any()
    assert np.isfinite(values[[0, 4]]).all() and np.isfinite(slopes[[0, 4]]).all()


def test_masked_entries_are_missing():
    ideal = vanishing_on(2, 3)
    X = np.ma.masked_array([[0.1, 0.2], [0.3, 0.4]], mask=[[False, False], [True, False]])
    values = ideal.evaluate(X)
    assert np.isfinite(values[0]).all() and np.isnan(values[1]).all()


@pytest.mark.parametrize("X, said", [
    (np.zeros((3, 3)), r"need an array of shape \(points, 2\) or \(2,\), for x, y; got shape \(3, 3\)"),
    (np.zeros(3), r"got shape \(3,\)"),
    (np.zeros((2, 2, 2)), r"got shape \(2, 2, 2\)"),
    (3.0, r"got shape \(\)"),
    ([], r"got shape \(0,\)"),
    ([[1, 2], [3]], "need rows of 2 numbers"),
    (np.zeros((3, 2), dtype=complex), "must be real numbers, got dtype complex128"),
    (np.zeros((3, 2), dtype=object), "must be real numbers, got dtype object"),
    ([["1", "2"]], "must be real numbers, got dtype <U1"),
    ([[None, 1.0]], "must be real numbers, got dtype object"),
])
def test_bad_points_are_refused(X, said):
    ideal = vanishing_on(2, 3)
    for call in (ideal.evaluate, ideal.jacobian, ideal.polynomials[0]):
        with pytest.raises(symknot.InvalidPoints, match=said):
            call(X)
    with pytest.raises(symknot.InvalidPoints):
        empty_ideal().evaluate(X)


def test_one_variable_and_many_numbers():
    with pytest.raises(symknot.InvalidPoints, match=r"use X.reshape\(-1, 1\)"):
        vanishing_on(1, 3).evaluate([0.1, 0.2, 0.3])


# --------------------------------------------------------------------------------------------------- functions


def test_functions_of_columns_broadcast():
    ideal = vanishing_on(2, 3)
    g, x, y = ideal.polynomials[0], np.linspace(-1, 1, 4), np.linspace(-1, 1, 3)[:, None]
    got = g.lambdify()(x, y)
    assert got.shape == (3, 4)
    np.testing.assert_allclose(got[2, 1], g([x[1], y[2, 0]]), atol=1e-15)
    assert g.lambdify()(x, 0.5).shape == (4,)
    assert isinstance(g.lambdify()(0.25, 0.5), float)
    both = ideal.lambdify()(x, y)
    assert len(both) == len(ideal.polynomials) and both[0].shape == (3, 4)
    assert ideal.lambdify()(np.zeros(0), 1.0)[0].shape == (0,)


def test_functions_of_single_numbers():
    for ideal in (vanishing_on(2, 3), vanishing_on(2, 8), tilted_circle()):
        x = [0.25, -0.5, 0.75][: len(ideal.names)]
        for k, g in enumerate(ideal.polynomials):
            value = g.lambdify("math")(*x)
            assert type(value) is float and value == pytest.approx(g(x), abs=1e-13)
            precise = g.lambdify("mpmath")(*x)
            assert isinstance(precise, mpmath.mpf) and float(precise) == pytest.approx(g(x), abs=1e-13)
            assert ideal.lambdify("mpmath")(*x)[k] == precise


def test_mpmath_takes_complex_numbers_and_leaves_the_precision_alone():
    ideal = vanishing_on(2, 3)
    g = ideal.polynomials[0]
    with mpmath.workdps(40):
        function = g.lambdify("mpmath")
        got = function(mpmath.mpc(1, 2), mpmath.mpf("0.5"))
        z = [sympy.Integer(1) + 2 * sympy.I, sympy.Rational(1, 2)]
        exact = sympy.expand(sum(sympy.Rational(c.numerator, c.denominator) * z[0] ** a * z[1] ** b
                                 for (a, b), c in g.terms.items()))
        assert abs(got.real - mpmath.mpf(sympy.re(exact).evalf(45)._mpf_)) < 1e-39
        assert abs(got.imag - mpmath.mpf(sympy.im(exact).evalf(45)._mpf_)) < 1e-39
        assert mpmath.mp.dps == 40
    assert mpmath.mp.dps == 15
    assert mpmath.isnan(function(mpmath.nan, 1))


def test_mpmath_at_an_exact_zero():
    """Where a polynomial is exactly zero no number of bits is enough; it ends all the same."""
    ideal = made_by_hand(1, 2, 1)
    layer = ideal.recursion.layers[1]
    layer.G[:, 0], ideal.recursion.layers[0].F[0, 0] = [-1.0, 0.0, 1.0], 0.0       # x**2 - 1
    assert ideal.polynomials[0].terms == {(0,): -1, (2,): 1}
    assert ideal.lambdify("mpmath")(mpmath.mpf(1)) == [0]
    assert ideal.evaluate([-1.0]) == 0


@pytest.mark.parametrize("modules", ["numpy", "math", "mpmath"])
def test_functions_refuse_bad_arguments(modules):
    ideal = vanishing_on(2, 3)
    function = ideal.lambdify(modules)
    for arguments in [(), (1.0,), (1.0, 2.0, 3.0)]:
        with pytest.raises(symknot.InvalidPoints, match=rf"need 2 argument\(s\), for x, y; got {len(arguments)}"):
            function(*arguments)
    for bad in (None, object(), "one"):
        with pytest.raises(symknot.InvalidPoints, match="must be"):
            function(1.0, bad)
        with pytest.raises(symknot.InvalidPoints, match="must be"):
            ideal.polynomials[0].lambdify(modules)(bad, 1.0)
    if modules != "mpmath":
        with pytest.raises(symknot.InvalidPoints, match="must be real"):
            function(1.0, 1j)


def test_shapes_that_do_not_broadcast():
    with pytest.raises(symknot.InvalidPoints, match=r"shapes broadcast, got \(2,\), \(3,\)"):
        vanishing_on(2, 3).lambdify()(np.zeros(2), np.zeros(3))


@pytest.mark.parametrize("modules", ["tensorflow", None, ["numpy"], "os"])
def test_unknown_modules(modules):
    with pytest.raises(symknot.InvalidOption, match="modules must be one of 'numpy', 'mpmath', 'math'"):
        vanishing_on(2, 3).lambdify(modules)


def test_an_evaluated_ideal_can_be_pickled():
    ideal = vanishing_on(2, 4)
    wanted = ideal.evaluate(ideal.knots), ideal.jacobian(ideal.knots)
    [(g(ideal.knots), g.expr, g.nested, g.poly) for g in ideal.polynomials]
    again = pickle.loads(pickle.dumps(ideal))
    np.testing.assert_array_equal(again.evaluate(ideal.knots), wanted[0])
    np.testing.assert_array_equal(again.jacobian(ideal.knots), wanted[1])
    assert again.polynomials[0].expr == ideal.polynomials[0].expr


@pytest.mark.parametrize("nested", [False, True])
def test_values_and_slopes_go_where_they_are_told(nested):
    ideal = tilted_circle()
    chosen, points = with_route(ideal, nested), np.random.default_rng(1).normal(size=(5000, 3))
    k = len(ideal.polynomials)
    memory, slopes = np.full((5000, k), 7.0), np.full((5000, k, 3), 7.0)
    assert chosen.values(points, memory) is memory and chosen.slopes(points, slopes) is slopes
    np.testing.assert_array_equal(memory, chosen.values(points))
    np.testing.assert_array_equal(slopes, chosen.slopes(points))
    one, of_one = np.empty(k), np.empty((k, 3))
    assert ideal.evaluate(points[0], out=one) is one and ideal.jacobian(points[0], of_one) is of_one
    np.testing.assert_array_equal(one, ideal.evaluate(points[0]))
    np.testing.assert_array_equal(of_one, ideal.jacobian(points[0]))


@pytest.mark.parametrize("out", [np.empty((5, 1)), np.empty((2, 5)).T, np.empty((5, 2), np.float32), [[0.0] * 2] * 5])
def test_memory_that_does_not_suit_is_refused(out):
    ideal = tilted_circle()
    assert len(ideal.polynomials) == 2
    with pytest.raises(symknot.InvalidOption, match=r"^out must be"):
        ideal.evaluate(np.zeros((5, 3)), out=out)
    with pytest.raises(symknot.InvalidOption, match=r"^out must be .*writable"):
        locked = np.empty((5, 2))
        locked.flags.writeable = False
        ideal.evaluate(np.zeros((5, 3)), out=locked)


def test_points_may_be_overwritten_by_their_values():
    ideal, points = tilted_circle(), np.random.default_rng(1).normal(size=(50, 3))
    expected = ideal.jacobian(points[0])
    both = np.ascontiguousarray(np.repeat(points[:1], 2, axis=0))
    np.testing.assert_array_equal(ideal.jacobian(both[0], out=both), expected)
