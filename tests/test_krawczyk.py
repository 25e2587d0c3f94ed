"""Boxes with exactly one zero: proved where there is one, refused where there is none or a double one."""

import dataclasses
from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from symknot.exact.krawczyk import CertifiedZero, Uncertified, certify_knot, certify_knots
from symknot.ground.deadline import Deadline
from symknot.ground.errors import InvalidOption, TimeLimit

X = sympy.symbols("x y z")


def poly(text, dimension=2):
    """Exponent tuple -> Fraction of an expression in x, y, z."""
    terms = sympy.Poly(sympy.sympify(text, locals={s.name: s for s in X}), *X[:dimension], domain="QQ").terms()
    return {exponents: Fraction(int(value.p), int(value.q)) for exponents, value in terms}


CIRCLE = poly("x**2 + y**2 - 1")
TWISTED_CUBIC = [poly(text, 3) for text in ("y - x**2", "z - x*y", "y**2 - x*z")]


def on_circle(count):
    angle = np.linspace(0, 6, count)
    return np.c_[np.cos(angle), np.sin(angle)]


def holds(zero, point):
    """Whether a point is in the box."""
    return all(abs(x - m) <= r for x, m, r in zip(point, zero.center, zero.radii))


# --------------------------------------------------------------------------------------------------- cases by hand


def test_circle_at_a_rational_point():
    zero = certify_knot([CIRCLE], [0.6, 0.8])
    assert zero.chosen == (0,) and len(zero.plane) == 1 and zero.bounds == {} and zero.margin < 1
    (a, b), (m, n) = zero.plane[0], zero.center
    assert abs(float(a * m + b * n)) < 1e-5 * abs(float(a))      # its row goes along the circle
    assert abs(float(m) - 0.6) < 1e-15 and abs(float(n) - 0.8) < 1e-15
    assert max(zero.radii) <= Fraction(1, 2**60)
    corners = [(m + s * zero.radii[0], n + t * zero.radii[1]) for s in (-1, 1) for t in (-1, 1)]
    values = [x * x + y * y - 1 for x, y in corners]
    assert min(values) < 0 < max(values)


def test_square_root_of_two():
    zero = certify_knot([poly("x**2 - 2", 1)], [1.4142])
    low, high = zero.center[0] - zero.radii[0], zero.center[0] + zero.radii[0]
    assert low**2 < 2 < high**2 and high - low < 1e-17 and zero.plane == ()


def test_twisted_cubic_has_two_equations_in_the_system_and_a_bound_for_the_third():
    knots = [(t, t * t, t**3) for t in np.linspace(-1, 1, 21)]
    for zero in certify_knots(TWISTED_CUBIC, knots):
        assert len(zero.chosen) == 2 and len(zero.plane) == 1
        (third, bound), = zero.bounds.items()
        assert {third, *zero.chosen} == {0, 1, 2} and 0 < bound < 1e-16


def test_bounds_hold_all_over_the_box():
    zero = certify_knot([poly("x - 1/3"), poly("y - 1/7"), poly("7*x**3 - 2*x*y + y/3")], [0.3333, 0.1429], scale=1)
    h, (m, n), (r, s) = zero.bounds[2], zero.center, zero.radii
    assert zero.chosen == (0, 1) and holds(zero, (Fraction(1, 3), Fraction(1, 7)))
    values = [abs(7 * x**3 - 2 * x * y + y / 3) for x in (m - r, m, m + r) for y in (n - s, n, n + s)]
    assert max(values) <= h <= max(values) * Fraction(1001, 1000)


def test_only_the_first_polynomials_enter_the_system():
    polynomials = [TWISTED_CUBIC[2], TWISTED_CUBIC[0], TWISTED_CUBIC[1]]
    zero, = certify_knots(polynomials, [[0.5, 0.25, 0.125]], first=1)
    assert zero.chosen == (0,) and len(zero.plane) == 2 and set(zero.bounds) == {1, 2}


def test_knots_off_the_variety_find_their_foot():
    knots = on_circle(50)
    for zero, knot in zip(certify_knots([CIRCLE], 1.01 * knots), knots):
        assert np.abs(np.array(zero.center, dtype=float) - knot).max() < 1e-12


def test_noisy_knots_do_not_make_dependent_equations_independent():
    rng = np.random.default_rng(0)
    knots = [(t, t * t, t**3) for t in np.linspace(-1, 1, 50)] + 1e-3 * rng.normal(size=(50, 3))
    assert all(len(zero.chosen) == 2 for zero in certify_knots(TWISTED_CUBIC, knots))


@pytest.mark.parametrize("text", ["(x-1000000)**2 + (y-1000000)**2 - 1",
                                  "((x-1000000)**2 + (y-1000000)**2 - 1)*((x-1000000)**2+2)*((y-1000000)**2+3)"])
def test_data_far_from_the_origin(text):
    knots = 1e6 + on_circle(20)
    for zero, knot in zip(certify_knots([poly(text)], knots, scale=1.0), knots):
        assert max(zero.radii) <= Fraction(1, 2**60) and np.abs(np.array(zero.center, dtype=float) - knot).max() < 1e-8


@pytest.mark.parametrize("unit", [Fraction(10) ** -120, Fraction(10) ** 120])
def test_units_of_the_variables_and_size_of_the_coefficients_do_not_matter(unit):
    terms = {(i, j): 7 * unit * value / unit**i for (i, j), value in CIRCLE.items()}
    for zero in certify_knots([terms], on_circle(5) * [float(unit), 1.0], scale=[float(unit), 1.0]):
        assert zero.radii[0] <= unit / 2**60 and zero.radii[1] <= Fraction(1, 2**60)


def margin_by_definition(polynomials, zero):
    """The largest left-hand side of the proof: all derivatives by sympy, in the user's variables, over the box."""
    names = X[: len(zero.center)]
    at = [name - value for name, value in zip(names, map(sympy.Rational, zero.center))]
    system = [sympy.Poly.from_dict(dict(terms), *names, domain="QQ").clear_denoms(convert=True)[1].as_expr()
              for terms in (polynomials[index] for index in zero.chosen)]
    system += [sum(sympy.Rational(value) * step for value, step in zip(row, at)) for row in zero.plane]
    center, radii = dict(zip(names, map(sympy.Rational, zero.center))), list(map(sympy.Rational, zero.radii))
    values = [f.subs(center) for f in system]
    J = [[f.diff(name).subs(center) * r for name, r in zip(names, radii)] for f in system]
    rest = []
    for f in system:
        t = sympy.Poly(f.subs({name: c + r * name for name, c, r in zip(names, center.values(), radii)},
                              simultaneous=True).expand(), *names)
        rest.append(sum(sum(e) * abs(value) for e, value in t.terms() if sum(e) > 1))
    C = [[sympy.Rational(c) for c in row] for row in zero.preconditioner]
    return max(abs(sum(c * v for c, v in zip(row, values)))
               + sum(abs(int(i == j) - sum(c * slopes[j] for c, slopes in zip(row, J))) for j in range(len(C)))
               + sum(abs(c) * r for c, r in zip(row, rest)) for i, row in enumerate(C))


@pytest.mark.parametrize(("texts", "knot", "scale"), [
    (["x**2/3 + y**2/3 - 1/3"], [0.6, 0.8], None), (["x**2 + y**2 - 1"], [0.0, 1.0], None),
    (["1000000*x**2 + y**2/1000000 - 1"], [0.0006, 800.0], [0.001, 1000.0]),
    (["y - x**2", "y**2 - x*z"], [0.5, 0.25, 0.125], [4.0, 0.25, 1 / 16])])
def test_the_margin_is_that_of_the_proof(texts, knot, scale):
    """What is handed over (box, plane, C) proves it, in the user's units, wherever the grid and the scale lie."""
    polynomials = [poly(text, len(knot)) for text in texts]
    zero, = certify_knots(polynomials, [knot], scale)
    assert margin_by_definition(polynomials, zero) == zero.margin < 1


# ---------------------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize("knot", [1.0, 1.0 + 1e-8, 1.0 - 1e-12, 1.001, 1.1])
def test_a_double_root_is_refused(knot):
    assert isinstance(certify_knot([poly("(x - 1)**2", 1)], [knot]), Uncertified)


@pytest.mark.parametrize(("text", "knot"), [
    ("x*y", [0.0, 0.0]), ("x*y", [1e-9, 1e-9]), ("x*y", [1e-3, 1e-3]), ("x*y", [0.1, -0.1]),
    ("x**2 - y**2 - x**3", [0.0, 0.0]), ("x**2 - y**2 - x**3", [1e-9, 0.0]), ("y**2 - x**3", [0.0, 0.0])])
def test_a_node_or_cusp_is_refused(text, knot):
    assert isinstance(certify_knot([poly(text)], knot, scale=1.0), Uncertified)


def test_reasons():
    assert certify_knot([poly("x*y")], [0.0, 0.0]).reason == "the Jacobian has rank 0 here (singular point?)"
    twice = [poly("x - y"), poly("2*x - 2*y")]
    assert certify_knot(twice, [1.0, 1.0], rank=2).reason == "the Jacobian has rank 1 here, not 2 (singular point?)"
    assert "does not converge" in certify_knot([poly("x**2 + y**2 + 1")], [0.6, 0.8]).reason
    assert isinstance(certify_knot([poly("3")], [0.6, 0.8]), Uncertified)


@pytest.mark.parametrize("seed", range(60))
def test_where_there_is_no_zero_there_is_no_certificate(seed):
    rng = np.random.default_rng(seed)
    x, y = X[:2]
    a, b, c = (int(v) for v in rng.integers(1, 9, 3))
    shift = Fraction(1, 10 ** int(rng.integers(1, 13)))
    positive = a * (x - b * y) ** 2 + c * (x * y - 1) ** 2        # zero only where both squares are
    terms = poly(positive)
    terms[(0, 0)] = terms.get((0, 0), 0) + shift
    knot = [b**0.5, b**-0.5]
    assert isinstance(certify_knot([terms], knot, scale=1.0), Uncertified)


def test_a_moved_center_does_not_pass_the_checker():
    from symknot.exact.certificate import Certificate, zero_statement

    zero = certify_knot([CIRCLE], [0.6, 0.8])
    for move in (3, -3, 100):
        center = tuple(m + move * r for m, r in zip(zero.center, zero.radii))
        moved = dataclasses.replace(zero, center=center)
        assert not Certificate(["x", "y"], [CIRCLE], [zero_statement(0, moved)]).verify()


# ------------------------------------------------------------------------------------------------- planted solutions


small = st.fractions(-2, 2, max_denominator=12)


@st.composite
def planted_systems(draw):
    """d polynomials in d variables that vanish at a rational point."""
    d = draw(st.integers(1, 3))
    point = draw(st.lists(small, min_size=d, max_size=d))
    exponents = st.lists(st.integers(0, 2), min_size=d, max_size=d).map(tuple)
    polynomials = []
    for _ in range(d):
        terms = draw(st.dictionaries(exponents.filter(any), small.filter(bool), min_size=1, max_size=5))
        value = sum(c * np.prod([x**e for x, e in zip(point, exps)], initial=Fraction(1)) for exps, c in terms.items())
        if value:
            terms[(0,) * d] = -value
        polynomials.append(terms)
    return polynomials, point


@settings(max_examples=40, deadline=None)
@given(planted_systems())
def test_planted_zeros_are_certified_and_in_the_box(system):
    polynomials, point = system
    d = len(point)
    x = sympy.symbols(f"x:{d}")
    F = sympy.Matrix([sum(sympy.Rational(c.numerator, c.denominator) * sympy.prod(v**e for v, e in zip(x, exps))
                          for exps, c in terms.items()) for terms in polynomials])
    J = F.jacobian(x).subs({v: sympy.Rational(p.numerator, p.denominator) for v, p in zip(x, point)})
    floats = np.array(J.tolist(), dtype=float)
    values = np.linalg.svd(floats / np.maximum(np.abs(floats).max(axis=1, keepdims=True), 1e-300), compute_uv=False)
    assume(np.abs(floats).max(axis=1).min() > 0.01 and values[-1] > 0.01)
    zero = certify_knot(polynomials, [float(p) + 1e-7 for p in point], rank=d, scale=1.0)
    assert isinstance(zero, CertifiedZero) and holds(zero, point) and zero.plane == ()


# ----------------------------------------------------------------------------------------------------------- options


def test_time_limit():
    deadline = Deadline(1e-9)
    with pytest.raises(TimeLimit, match="certificate of the knots"):
        certify_knots([CIRCLE], on_circle(3), deadline=deadline)


@pytest.mark.parametrize("options", [
    {"rank": 0}, {"rank": 2}, {"rank": 1.0}, {"scale": 0.0}, {"scale": -1}, {"scale": [1.0, np.nan]}, {"first": 0},
    {"knots": [[np.nan, 0.0]]}, {"knots": [1.0, 2.0]}, {"knots": "ab"}, {"knots": [[1.0]]}, {"polynomials": []},
    {"polynomials": [{}]}, {"polynomials": [{(1,): Fraction(1)}]},
])
def test_wrong_options(options):
    given = {"polynomials": [CIRCLE], "knots": [[0.6, 0.8]], **options}
    with pytest.raises(InvalidOption):
        certify_knots(**given)


def test_no_knots_no_boxes():
    assert certify_knots([CIRCLE], np.empty((0, 2))) == []


def test_same_input_same_output():
    assert certify_knots([CIRCLE], on_circle(5)) == certify_knots([CIRCLE], on_circle(5))
