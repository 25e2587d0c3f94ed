"""Every symbolic form is the polynomial that the recursion's numbers define, to the digits it promises."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import libmp

import symknot
from symknot.polynomials.expressions import DOUBLE_DIGITS, assembled, expression
from symknot.polynomials.symbols import own_symbols, safe_symbols
from symknot.symbolic.expansion import product
from tests.precise import BITS, exact_values, made_by_hand, value_of_terms, vanishing_on

SHAPES = [(1, 2), (1, 5), (1, 12), (2, 2), (2, 5), (2, 8), (3, 3), (4, 2)]

ideals = st.builds(
    lambda shape, seed, far, spread: vanishing_on(*shape, seed=seed, mean=far * spread, spread=spread),
    st.sampled_from(SHAPES), st.integers(0, 10**6), st.sampled_from([0.0, -3.0, 1e6]),
    st.sampled_from([1.0, 1e-3, 1e150, 1e-150]))


def probes(ideal, rng):
    """A knot, and a point off the data."""
    knot = ideal.knots[int(rng.integers(len(ideal.knots)))]
    return [knot.tolist(), (knot + ideal.scale * rng.normal(size=len(knot))).tolist()]


def dag_value(expression, values):
    """The value of an expression with shared parts, each of which is visited once."""
    known = {symbol: mpmath.mpf(value) for symbol, value in values.items()}

    def value(part):
        if part not in known:
            if part.is_Float:
                known[part] = mpmath.mpf(part._mpf_)
            else:
                operate = mpmath.fsum if part.is_Add else mpmath.fprod
                known[part] = operate([value(argument) for argument in part.args])
        return known[part]

    return value(expression)


# ------------------------------------------------------------------------------------------------- digits kept


@settings(max_examples=30, derandomize=True, deadline=None)
@given(ideals, st.integers(0, 10**6))
def test_terms_are_the_recursion_to_more_than_20_digits(ideal, seed):
    assert ideal.polynomials
    for x in probes(ideal, np.random.default_rng(seed)):
        values, sizes = exact_values(ideal, x)
        with mpmath.workprec(BITS):
            for g, value, size in zip(ideal.polynomials, values, sizes):
                assert abs(value_of_terms(g.terms, x) - value) <= 1e-21 * size


@settings(max_examples=30, derandomize=True, deadline=None)
@given(ideals, st.integers(0, 10**6))
def test_nested_is_the_recursion_to_rounding(ideal, seed):
    for x in probes(ideal, np.random.default_rng(seed)):
        values, sizes = exact_values(ideal, x)
        slopes = np.abs(ideal.jacobian(x)) @ ideal.scale
        with mpmath.workdps(50):
            for g, value, size, slope in zip(ideal.polynomials, values, sizes, slopes.tolist()):
                got = dag_value(g.nested, dict(zip(ideal.variables, x)))
                assert abs(got - value) <= 1e-14 * (size + slope)


@settings(max_examples=15, derandomize=True, deadline=None)
@given(ideals)
def test_expr_and_poly_round_the_terms(ideal):
    for g in ideal.polynomials:
        assert g.expr == sympy.Add(*g.expr.args) and g.expr.args == sympy.Add(*g.expr.args).args     # canonical
        expanded = g.expr.as_coefficients_dict()
        assert len(expanded) == len(g.terms)
        coefficients = dict(zip(g.poly.monoms(), g.poly.coeffs()))
        assert set(coefficients) == set(g.terms)
        for exponents, exact in g.terms.items():
            monomial = sympy.Mul(*[v**e for v, e in zip(ideal.variables, exponents)])
            number = expanded[monomial]
            with mpmath.workprec(1000):
                wanted = mpmath.mpf(exact.numerator) / exact.denominator
                assert abs(mpmath.mpf(number._mpf_) - wanted) <= mpmath.mpf(10) ** -DOUBLE_DIGITS * abs(wanted)
            if g.poly.domain == sympy.RR:
                assert coefficients[exponents]._mpf_ == libmp.from_rational(exact.numerator, exact.denominator, 53, "n")
                continue
            with mpmath.workprec(1000):                      # longer where terms cancel; sympy's own fields count in digits
                off = abs(mpmath.mpf(coefficients[exponents]._mpf_) - wanted)
                assert off <= mpmath.mpf(2) ** (8 - g.poly.domain.precision) * abs(wanted)


def test_the_expression_is_what_sympy_itself_would_build():
    for ideal in (vanishing_on(2, 4), vanishing_on(3, 3, mean=5.0)):
        for g in ideal.polynomials:
            parts = [sympy.Float(sympy.Rational(c.numerator, c.denominator), DOUBLE_DIGITS)
                     * sympy.Mul(*[v**e for v, e in zip(ideal.variables, exponents)])
                     for exponents, c in g.terms.items()]
            assert g.expr == sympy.Add(*parts) == expression(g.terms, ideal.variables)
            assert hash(g.expr) == hash(sympy.Add(*parts))


@pytest.mark.parametrize("spread", [1e150, 1e-150])
def test_coefficients_beyond_the_range_of_doubles(spread):
    """The eighth power of 1e150 is no double; its coefficient is a number all the same."""
    ideal = vanishing_on(2, 8, mean=2 * spread, spread=spread)
    top = max(abs(c) for e, c in ideal.polynomials[0].terms.items() if sum(e) == 8)
    assert top < Fraction(1, 10**1000) if spread > 1 else top > 10**1000
    plain = vanishing_on(2, 8, mean=2.0)
    for g, wanted in zip(ideal.polynomials, plain.polynomials):
        assert g.expr.is_Add and g.expr.free_symbols == set(ideal.variables)
        assert np.isfinite(ideal.evaluate(ideal.knots)).all()
        assert g.poly.total_degree() == wanted.poly.total_degree() == 8


def test_digits_do_not_depend_on_where_the_data_lie():
    """Moving the data by a power of two moves the points exactly, so the terms at moved points agree exactly too."""
    near = made_by_hand(2, 6, 2, seed=3)
    far = made_by_hand(2, 6, 2, seed=3, center=2.0**30)
    for g, h in zip(near.polynomials, far.polynomials):
        with mpmath.workdps(60):
            for x in ([0.5, -0.25], [1.0, 0.75]):
                moved = [a + 2.0**30 for a in x]
                assert value_of_terms(g.terms, x) == value_of_terms(h.terms, moved)


# ------------------------------------------------------------------------------------------------------ forms


def test_simple_data_give_simple_terms():
    ideal = symknot.vca([[0, 0], [2, 0], [0, 2], [2, 2]], epsilon=1e-9, max_degree=2)
    for g in ideal.polynomials:
        with mpmath.workdps(30):
            assert max(abs(value_of_terms(g.terms, x)) for x in ([0, 0], [2, 0], [0, 2], [2, 2])) < 1e-14


def test_polynomials_of_degree_one():
    t = np.linspace(-1, 1, 30)[:, None]
    ideal = symknot.vca(t * [1.0, 2.0, -1.0] + [0.0, 1.0, 0.5], epsilon=1e-9, max_degree=2)
    assert [g.degree for g in ideal.polynomials] == [1, 1]
    for g in ideal.polynomials:
        assert max(map(sum, g.terms)) == 1
        with mpmath.workdps(30):
            assert abs(value_of_terms(g.terms, [3.0, 7.0, -2.5])) < 1e-14
            assert abs(dag_value(g.nested, dict(zip(ideal.variables, [3.0, 7.0, -2.5])))) < 1e-14


def test_a_variable_that_does_not_vary():
    t = np.linspace(0, 6, 40)
    ideal = symknot.vca(np.c_[np.cos(t), np.full(40, 1 / 3), np.sin(t)], epsilon=1e-9, max_degree=2)
    constant = ideal.polynomials[0]
    (pivot,) = [c for e, c in constant.terms.items() if e == (0, 1, 0)]
    assert float(constant.terms[(0, 0, 0)] / pivot) == pytest.approx(-1 / 3, rel=1e-15)


def test_nested_keeps_its_structure_and_shares_its_parts():
    ideal = vanishing_on(2, 6)
    g = ideal.polynomials[0]
    parts, stack = {}, [g.nested]
    while stack:
        part = stack.pop()
        if id(part) not in parts:
            parts[id(part)] = part
            stack += part.args
    assert len(parts) < 2000            # a tree of this degree has more than a million
    assert any(p.is_Mul and sum(a.is_Add for a in p.args) == 2 for p in parts.values())     # a product of polynomials
    assert g.nested.free_symbols == set(ideal.variables)
    assert g.nested is g.nested and g.expr is g.expr
    low = vanishing_on(2, 2).polynomials[0]
    difference = sympy.Poly(low.nested.expand() - low.expr, *low.variables)
    assert max(map(abs, difference.coeffs()), default=0) < 1e-14


def test_an_expression_of_nothing_and_of_one_term():
    x, y = sympy.symbols("x y")
    assert expression({}, (x, y)) == 0
    assert expression({(0, 0): Fraction(1, 2)}, (x, y)) == sympy.Float("0.5", DOUBLE_DIGITS)
    assert expression({(1, 2): Fraction(1)}, (x, y)) == sympy.Float(1, DOUBLE_DIGITS) * x * y**2
    equal = {(1, 0): Fraction(3), (0, 1): Fraction(3), (1, 1): Fraction(3), (2, 0): Fraction(-3), (0, 0): Fraction(3)}
    built = expression(equal, (x, y))
    assert built.args == sympy.Add(*built.args).args
    assert assembled({}, (x, y)) == 0


def test_a_saved_ideal_has_the_same_terms(tmp_path):
    ideal = vanishing_on(2, 5, mean=7.0)
    ideal.save(tmp_path / "model.json")
    again = symknot.load(tmp_path / "model.json")
    assert [g.terms for g in again.polynomials] == [g.terms for g in ideal.polynomials]
    assert [g.expr for g in again.polynomials] == [g.expr for g in ideal.polynomials]


# ------------------------------------------------------------------------------------------------------ names


def test_names_that_are_no_identifiers():
    names = ["cell count", "2nd", "lambda", "a*b"]
    ideal = made_by_hand(4, 2, 1, names=names)
    assert ideal.names == tuple(names)
    assert len(set(ideal.variables)) == 4
    assert all(str(v).isidentifier() for v in ideal.variables)
    assert ideal.polynomials[0].expr.free_symbols == set(ideal.variables)
    assert ideal.polynomials[0].poly.gens == ideal.variables


@pytest.mark.parametrize("names", [["x y", "x_y", "x-y"], ["", "?", "v"], ["\u03b1", "\u03b2"], ["1", "v1"]])
def test_safe_symbols_are_distinct(names):
    assert len({str(symbol) for symbol in safe_symbols(names)}) == len(names)


def test_symbols_of_ones_own_are_used():
    symbols = sympy.symbols("p q", positive=True)
    ideal = symknot.vca(vanishing_on(2, 2).knots, 1e-8, max_degree=2, names=symbols)
    assert own_symbols(symbols) == symbols
    assert ideal.polynomials[0].expr.free_symbols == set(symbols)


# ---------------------------------------------------------------------------------------------------- products


@settings(max_examples=20, derandomize=True, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 40))
def test_products_keep_a_hundred_bits(seed, columns):
    rng = np.random.default_rng(seed)
    A, B = (rng.normal(size=shape) * 10.0 ** rng.uniform(-6, 6, size=shape) for shape in ((3, columns), (columns, 2)))
    low_A, low_B = (2.0**-54 * rng.uniform(-1, 1, size=M.shape) * M for M in (A, B))
    high, low = product((A, low_A), (B, low_B))
    for i in range(3):
        for j in range(2):
            a = [Fraction(h) + Fraction(l) for h, l in zip(A[i].tolist(), low_A[i].tolist())]
            b = [Fraction(h) + Fraction(l) for h, l in zip(B[:, j].tolist(), low_B[:, j].tolist())]
            exact = sum((p * q for p, q in zip(a, b)), start=Fraction(0))
            scale = max(map(abs, a)) * max(map(abs, b)) * columns
            assert abs(Fraction(high[i, j]) + Fraction(low[i, j]) - exact) <= scale / 2**95


@pytest.mark.slow
def test_two_hundred_cubics_in_ten_variables_are_expressions():
    points = np.random.default_rng(0).normal(size=(86, 10)) + 5
    ideal = symknot.vca(points, 1e-8, max_degree=3)
    assert len(ideal.polynomials) == 200
    expressions = [g.expr for g in ideal.polynomials]
    assert all(len(e.args) == 286 for e in expressions)
