"""The exact ideal of rational points: by hand, against sympy's Groebner bases, and where it must refuse."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from symknot.ground.errors import InvalidOption, InvalidPoints, TimeLimit, TooLarge
from symknot.ground.exact_linear import ARITHMETICS, primes
from symknot.polynomials.conversion import expression_of, poly_of, terms_of
from symknot.polynomials.term_orders import ORDERS, order_key
from symknot.polynomials.vanishing import vanishing_on_points
from symknot.results.points_ideal import PointsIdeal, points_ideal

x, y, z = sympy.symbols("x y z")
P = next(primes())
fractions = st.builds(Fraction, st.integers(-4, 4), st.integers(1, 3))
several_orders = pytest.mark.parametrize("order", ORDERS)


@st.composite
def point_sets(draw):
    dimension = draw(st.integers(2, 3))
    return sorted(draw(st.sets(st.tuples(*[fractions] * dimension), min_size=1, max_size=5)))


def ideal_of(points, order="grevlex", **options):
    return points_ideal(points, ["x", "y", "z"][: len(points[0])], order, **options)


def random_points(k, dimension, digits, seed=0):
    rng = np.random.default_rng(seed)
    return [[Fraction(int(a), 10**digits) for a in row] for row in rng.integers(0, 10**digits, (k, dimension))]


def intersection(points, order):
    """Reduced Groebner basis of the product of the points' maximal ideals, which is their intersection."""
    variables = (x, y, z)[: len(points[0])]
    basis = [sympy.Integer(1)]
    for point in points:
        maximal = [v - sympy.Rational(a.numerator, a.denominator) for v, a in zip(variables, point)]
        basis = sympy.groebner([f * g for f in basis for g in maximal], *variables, order=order, domain=sympy.QQ).exprs
    return set(map(sympy.expand, basis))


@pytest.mark.parametrize("points, order, equations, standard", [
    ([(0, 0), (1, 0), (0, 1)], "grevlex", [y**2 - y, x * y, x**2 - x], [(0, 0), (0, 1), (1, 0)]),
    ([(0, 0), (0, 1), (1, 0), (1, 1)], "grlex", [y**2 - y, x**2 - x], [(0, 0), (0, 1), (1, 0), (1, 1)]),
    ([(0, 1), (1, 3), (2, 5)], "grevlex", [x - y / 2 + sympy.Rational(1, 2), y**3 - 9 * y**2 + 23 * y - 15],
     [(0, 0), (0, 1), (0, 2)]),
    ([(0, 1), (1, 3), (2, 5)], "lex", [y**3 - 9 * y**2 + 23 * y - 15, x - y / 2 + sympy.Rational(1, 2)],
     [(0, 0), (0, 1), (0, 2)]),
    ([(Fraction(1, 2), 3)], "lex", [y - 3, x - sympy.Rational(1, 2)], [(0, 0)]),
    ([(1,), (2,)], "lex", [x**2 - 3 * x + 2], [(0,), (1,)]),
], ids=["corner", "grid", "line", "line lex", "one point", "one variable"])
def test_by_hand(points, order, equations, standard):
    ideal = ideal_of(points, order)
    assert [g.expr for g in ideal.polynomials] == [sympy.expand(e) for e in equations]
    assert list(ideal.standard_monomials) == standard
    assert [next(iter(terms)) for terms in ideal.basis] == list(ideal.corners)


@several_orders
@settings(max_examples=12, deadline=None)
@given(points=point_sets())
def test_the_intersection_of_the_maximal_ideals(order, points):
    ideal = ideal_of(points, order)
    equations = [g.expr for g in ideal.polynomials]
    assert set(equations) == intersection(points, order)
    assert ideal.groebner() == sympy.groebner(equations, *ideal.variables, order=order, domain=sympy.QQ)


@several_orders
@settings(max_examples=25, deadline=None)
@given(points=point_sets())
def test_what_every_points_ideal_has(order, points):
    ideal, key = ideal_of(points, order), order_key(order)
    assert len(ideal.standard_monomials) == ideal.degree() == len(points)
    assert list(ideal.standard_monomials) == sorted(ideal.standard_monomials, key=key)
    for terms in ideal.basis + ideal.border_basis:
        assert ideal.contains(terms)
        leading, *rest = terms
        assert terms[leading] == 1 and set(rest) <= set(ideal.standard_monomials)
    for terms in ideal.basis:
        assert list(terms) == sorted(terms, key=key, reverse=True)
    for i, separator in enumerate(ideal.separators):
        expression = expression_of(separator, ideal.variables)
        assert [expression.subs(dict(zip(ideal.variables, map(sympy.Rational, point)))) for point in points] == [
            int(i == j) for j in range(len(points))]
    border = {next(iter(terms)) for terms in ideal.border_basis}
    assert set(ideal.corners) <= border and not border & set(ideal.standard_monomials)
    assert ideal.dimension() == 0 and ideal.is_radical()


@settings(max_examples=25, deadline=None)
@given(points=point_sets())
def test_the_ideal_is_radical(points):
    """It holds a polynomial without multiple factors in each variable alone (Seidenberg's lemma)."""
    ideal = ideal_of(points)
    basis = [g.poly for g in ideal.polynomials]
    for variable in ideal.variables:
        lex = sympy.groebner(basis, *[v for v in ideal.variables if v != variable], variable, order="lex")
        alone = [g for g in lex.polys if g.free_symbols == {variable}]
        assert len(alone) == 1 and alone[0].as_poly(variable).is_sqf


@several_orders
@settings(max_examples=25, deadline=None)
@given(points=point_sets(), numbers=st.lists(fractions, min_size=4, max_size=4))
def test_normal_forms_are_sympys(order, points, numbers):
    ideal = ideal_of(points, order)
    a, b, c, d = map(sympy.Rational, numbers)
    expression = sympy.expand((x + a * y + b) ** 3 * (c * x + d) + y)
    basis = sympy.groebner([g.poly for g in ideal.polynomials], *ideal.variables, order=order, domain=sympy.QQ)
    reduced = ideal.reduce(expression)
    assert reduced == sympy.expand(basis.reduce(expression)[1].as_expr())
    assert ideal.reduce(reduced) == reduced
    assert ideal.contains(expression - reduced) and ideal.contains(expression) == (reduced == 0)
    assert ideal.reduce(poly_of(terms_of(expression, ideal.variables), ideal.variables)) == reduced
    assert ideal.reduce(terms_of(expression, ideal.variables)) == reduced


@settings(max_examples=25, deadline=None)
@given(points=point_sets())
def test_hilbert_function_does_not_depend_on_the_order(points):
    one, *others = (ideal_of(points, order) for order in ORDERS)
    ranks = []
    while not ranks or ranks[-1] < len(points):
        exponents = [e for e in product(range(len(ranks) + 1), repeat=len(points[0])) if sum(e) <= len(ranks)]
        values = [[sympy.prod(a**k for a, k in zip(point, e)) for e in exponents] for point in points]
        ranks.append(sympy.Matrix(values).rank())
    assert one.hilbert_function == tuple(ranks) and one.regularity == len(ranks) - 1
    assert all(other.hilbert_function == one.hilbert_function for other in others)


@several_orders
def test_both_arithmetics_agree(order):
    points = random_points(12, 3, 4)
    flint, by_numpy = (ideal_of(points, order, arithmetic=arithmetic) for arithmetic in ARITHMETICS)
    assert flint.basis == by_numpy.basis and flint.separators == by_numpy.separators
    assert flint.border_basis == by_numpy.border_basis


def test_interpolation_by_hand():
    ideal = ideal_of([(0, 0), (1, 0), (0, 1), (1, 1)])
    assert ideal.interpolate([0, 0, 0, Fraction(1, 2)]) == x * y / 2
    with pytest.raises(InvalidOption, match="values must be 4 exact numbers"):
        ideal.interpolate([0, 0, 0.5, 1])
    with pytest.raises(InvalidOption, match="one per point"):
        ideal.interpolate([1])


@pytest.mark.parametrize("points", [
    [(0, 0), (P, 0)],                                 # one point modulo P
    [(0, 0), (1, 0), (2, P)],                         # on one line modulo P
    [(Fraction(1, P), 0), (0, 1), (1, 1)],            # not defined modulo P
    [(0, 0), (1, 1), (2, 4), (3, 9), (4, 16), (5, 25 + P)],     # on one conic modulo P
], ids=["coincident", "collinear", "denominator", "conic"])
@several_orders
def test_an_unlucky_prime_gives_way_to_the_next(points, order):
    points = [tuple(map(Fraction, point)) for point in points]
    ideal = ideal_of(points, order)
    assert {g.expr for g in ideal.polynomials} == intersection(points, order)


def test_other_orders_and_own_symbols():
    positive = sympy.symbols("a b", positive=True)
    ideal = points_ideal([(0, 1), (1, 3), (2, 5)], ["cell count", "b"], variables=positive)
    assert ideal.polynomials[0].expr == positive[0] - positive[1] / 2 + sympy.Rational(1, 2)
    assert ideal.in_order("grevlex") is ideal
    assert ideal.in_order("lex").variables == positive and ideal.in_order("lex").order == "lex"
    assert points_ideal([(0, 1)], ["cell count", "b"]).variables == sympy.symbols("cell_count b")


def test_groebner_bases_in_any_order():
    ideal = ideal_of([(0, 0), (1, 1), (2, 4), (3, 9)])
    for order in ORDERS:
        basis = ideal.groebner(order)
        assert basis == sympy.groebner([g.expr for g in ideal.polynomials], x, y, order=order, domain=sympy.QQ)
        assert set(basis.exprs) == {g.expr for g in ideal.in_order(order).polynomials}
    assert ideal.groebner() == ideal.groebner("grevlex") != ideal.groebner("lex")
    with pytest.raises(InvalidOption, match="order must be one of"):
        ideal.groebner("degrevlex")


def test_the_numbers_answer_without_sympy_and_the_face_says_the_same():
    numbers = vanishing_on_points([(0, 0), (1, 0), (0, 1)], ["x", "y"])
    assert numbers.contains({(1, 1): Fraction(2)}) and not numbers.contains({(0, 0): Fraction(1)})
    assert numbers.values({(1, 0): Fraction(1), (0, 2): Fraction(3)}) == [0, 1, 3]
    assert numbers.reduce({(5, 0): Fraction(1), (1, 1): Fraction(7)}) == {(1, 0): 1}
    assert numbers.through([1, 2, 3]) == {(1, 0): 1, (0, 1): 2, (0, 0): 1}
    face = PointsIdeal.of(numbers, (y, x))
    assert [g.expr for g in face.polynomials] == [x**2 - x, x * y, y**2 - y]
    assert face.in_order("lex").variables == (y, x)
    assert [g.terms for g in face.polynomials] == list(numbers.basis) == list(face.basis)
    assert [g.degree for g in face.polynomials] == [2, 2, 2] and face.interpolate([1, 2, 3]) == y + 2 * x + 1


def test_text_for_the_eye():
    ideal = ideal_of([(0, 1), (1, 3), (2, 5)])
    assert str(ideal) == "x - y/2 = -1/2\ny**3 - 9*y**2 + 23*y = 15"
    assert repr(ideal) == "<PointsIdeal of 3 points in x, y, order 'grevlex'>"
    long = [[a / (10**300 + i) for a in row] for i, row in enumerate(random_points(8, 2, 3))]
    shown = str(ideal_of(long)).splitlines()          # Python does not print integers of so many digits
    assert len(shown) > 1 and max(map(len, shown)) < 400


@pytest.mark.parametrize("points, message", [
    ([(0, 0.5)], r"row 0, column 'y': exact points only, whole numbers or Fractions, got 0.5; make it rational first"),
    ([(0, "1/2")], "exact points only"),
    ([(0, True)], "exact points only"),
    ([(0, 1), (2, 3), (0, 1)], "row 2: the same point as row 0; give each point once"),
    ([(0, 1), (2,)], "row 1: need 2 coordinates, got 1"),
    ([], "need at least 1 point, got 0"),
])
def test_points_that_are_refused(points, message):
    with pytest.raises(InvalidPoints, match=message):
        points_ideal(points, ["x", "y"])


@pytest.mark.parametrize("options, message", [
    ({"order": "degrevlex"}, "order must be one of 'grevlex', 'grlex', 'lex', got 'degrevlex'"),
    ({"names": ["x", "x"]}, "names must be different texts"),
    ({"names": []}, "names must be different texts"),
    ({"variables": (x,)}, "variables must be 2 different sympy symbols"),
    ({"variables": ("x", "y")}, "variables must be 2 different sympy symbols"),
    ({"arithmetic": "sage"}, "arithmetic must be None or one of 'flint', 'numpy'"),
    ({"timeout": 0}, "timeout must be a positive number"),
])
def test_options_that_are_refused(options, message):
    with pytest.raises(InvalidOption, match=message):
        points_ideal([(0, 0), (1, 2)], **{"names": ["x", "y"], **options})


@pytest.mark.parametrize("polynomial, message", [
    ("x**2", "text is never evaluated"),
    (0.5 * x, "without floating-point numbers"),
    (sympy.Poly(0.5 * x, x), "without floating-point numbers"),
    (x + z, "in the variables x, y only"),
    (sympy.sqrt(2) * x, "a polynomial in x, y with rational coefficients"),
    (sympy.sin(x), "a polynomial in x, y"),
    (1 / x, "a polynomial in x, y"),
    ({(1,): 1}, "keyed by tuples of 2 whole numbers"),
    ({(-1, 0): 1}, "keyed by tuples of 2 whole numbers"),
    ({(1, 0): 0.5}, "coefficients are int or Fraction"),
    ({(1, 0): "1"}, "coefficients are int or Fraction"),
])
def test_polynomials_that_are_refused(polynomial, message):
    ideal = ideal_of([(0, 0), (1, 2)])
    for question in (ideal.contains, ideal.reduce):
        with pytest.raises(InvalidOption, match=message):
            question(polynomial)


def test_zero_and_constants():
    ideal = ideal_of([(0, 0), (1, 2)])
    assert ideal.contains({}) and ideal.contains(sympy.Integer(0)) and ideal.contains({(1, 0): 0})
    assert not ideal.contains(sympy.Integer(1))
    assert ideal.reduce({}) == 0 and ideal.reduce(sympy.Integer(0)) == 0


@pytest.mark.parametrize("arithmetic", ARITHMETICS)
def test_time_limit(arithmetic):
    points = random_points(120, 3, 9)
    for seconds in (1e-9, 0.3):
        with pytest.raises(TimeLimit, match="raise timeout"):
            ideal_of(points, timeout=seconds, arithmetic=arithmetic)


def test_size_limit():
    points = [[Fraction(a.numerator, 10**400 + 7) for a in row] for row in random_points(12, 2, 9)]
    with pytest.raises(TooLarge, match="digits, the limit is 10000; take coarser rational knots"):
        ideal_of([[a + i * Fraction(1, 10**300) for a in row] for i, row in enumerate(points)])


@pytest.mark.parametrize("dimension", [2, 3, 5])
def test_fifty_points(dimension):
    points = random_points(50, dimension, 6)
    ideal = points_ideal(points, [f"v{j}" for j in range(dimension)], timeout=60)
    assert all(ideal.contains(terms) for terms in ideal.basis[:3])
