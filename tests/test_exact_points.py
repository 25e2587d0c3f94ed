"""Exact ideals through rational knots: the true points and equations, and what was changed to get there."""

import dataclasses
from fractions import Fraction

import numpy as np
import pytest
import sympy

import symknot
from symknot.ground.errors import InvalidOption, InvalidPoints, NoExactPolynomial, TimeLimit, TooLarge
from symknot.results.points_ideal import points_ideal

from .exactly import blobs, float_values, rational_points, reduced_basis, rms_distance, value, vanishes

x, y, z = sympy.symbols("x y z")
HALF = Fraction(1, 2)
TRIANGLE = [(0, 0), (2, HALF), (1, 2)]
SPACE = [(0, 0, 0), (1, 0, Fraction(1, 5)), (0, 1, Fraction(3, 10)), (Fraction(1, 5), Fraction(1, 10), 1)]
PLANE = [(0, 0, 1), (1, 0, 2), (0, 1, 2), (1, 1, 3), (2, 0, 3)]        # on x + y - z + 1 = 0
CLOSE = [(0, 0), (0.05, 0.04), (1, 0), (0, 1)]


@pytest.fixture(scope="module")
def triangle():
    return symknot.fit(blobs(TRIANGLE, 0.02))


def circle(n, sigma=0.0):
    angle = np.arange(n) * 2 * np.pi / n + 0.1
    points = np.c_[np.cos(angle), np.sin(angle)] + sigma * np.random.default_rng(0).normal(size=(n, 2))
    return symknot.fit(points, max(2 * sigma, 1e-6), max_degree=2)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("centres, sigma, truth", [
    ([(0, 0), (1, 0), (0, 1)], 0.03, {x**2 - x, x * y, y**2 - y}),
    ([(0, 0), (1, 0), (0, 1), (1, 1)], 0.03, {x**2 - x, y**2 - y}),
    (TRIANGLE, 0.03, {x**2 - 15 * x / 7 + 4 * y / 7, x * y - 2 * x / 7 - 6 * y / 7, 3 * x / 7 + y**2 - 31 * y / 14}),
    (SPACE, 0.01, None),
    (PLANE, 0.03, {x + y - z + 1, y**2 - y, y * z**2 - 5 * y * z + 6 * y, z**3 - 6 * z**2 + 11 * z - 6}),
], ids=["corner", "square", "triangle", "space", "in a plane"])
def test_noisy_blobs_give_the_true_points_and_their_reduced_equations(centres, sigma, truth, seed):
    ideal = symknot.fit(blobs(centres, sigma, seed))
    exact = ideal.exact()
    assert exact.route == "points"
    assert set(exact.rational_knots) == rational_points(centres)
    assert vanishes(exact)
    by_points = points_ideal(exact.rational_knots, exact.names)
    assert set(exact.exprs) == {g.expr for g in by_points.polynomials}
    assert truth is None or set(exact.exprs) == truth
    assert reduced_basis(exact.exprs, exact.variables) == set(exact.exprs)
    assert [exact.rational_knots[k] for k in exact.of_knot] == [min(exact.rational_knots, key=lambda p: np.linalg.norm(
        np.array(p, dtype=float) - knot)) for knot in ideal.knots]
    assert exact.certificate.verify()
    assert exact.notes == () and exact.left_out == () and exact.zeros == ()


@pytest.mark.parametrize("basis", ["readable", "fit"])
@pytest.mark.parametrize("normalization, epsilon", [("gradient", 0.06), ("coefficient", 0.1), ("vca", 0.1)])
def test_residuals_and_changes_are_those_of_the_data(basis, normalization, epsilon):
    points = blobs(TRIANGLE, 0.02)
    ideal = symknot.fit(points, epsilon, normalization=normalization)
    exact = ideal.exact(basis=basis, points=points)
    assert set(exact.rational_knots) == rational_points(TRIANGLE) and vanishes(exact)
    distances = basis == "readable" or normalization == "gradient"
    for g in exact.polynomials:
        for terms, residual in ((g.source, g.residual_before), (g.terms, g.residual)):
            if distances:
                expected = rms_distance(terms, points)
            else:
                norm = np.linalg.norm(float_values(terms, points))
                expected = norm if normalization == "vca" else norm / np.sqrt(len(points))
            assert residual == pytest.approx(expected, rel=1e-6)
        both = {**g.terms, **g.source}
        change = max(abs(float(g.terms.get(e, 0)) - float(g.source.get(e, 0))) for e in both)
        assert g.coefficient_change == pytest.approx(change / max(abs(float(c)) for c in g.source.values()), rel=1e-9)
    assert exact.epsilon == (ideal.epsilon if basis == "fit" or normalization == "gradient" else None)
    assert exact.over_epsilon == (1.0, 1.0, 1.0)
    if basis == "fit":
        assert [g.source for g in exact.polynomials] == [g.terms for g in ideal.polynomials]
        assert [g.residual_before for g in exact.polynomials] == pytest.approx([g.residual for g in ideal.polynomials])


def test_without_the_data_the_residuals_are_estimated_from_the_knots(triangle):
    points = blobs(TRIANGLE, 0.02)
    estimated, measured = triangle.exact(), triangle.exact(points=points)
    for one, other in zip(estimated.polynomials, measured.polynomials):
        assert one.residual == pytest.approx(other.residual, rel=0.2)
        assert one.residual != other.residual


def test_a_residual_beyond_epsilon_is_said():
    points = blobs(TRIANGLE, 0.02)
    ideal = symknot.fit(points, 0.05)
    exact = ideal.exact(digits=0, points=points + [0.2, 0.0])
    assert max(exact.over_epsilon) > 1
    for g, over in zip(exact.polynomials, exact.over_epsilon):
        assert over == pytest.approx(max(rms_distance(g.terms, points + [0.2, 0.0]) / 0.05, 1), rel=1e-6)
    assert f"{exact.over_epsilon[0]:.2g} epsilon" in str(exact).splitlines()[0]


# ------------------------------------------------------------------------------------------------------------ supports


def test_the_readable_support_is_enough_for_the_square():
    exact = symknot.fit(blobs([(0, 0), (1, 0), (0, 1), (1, 1)], 0.02)).exact()
    for g in exact.polynomials:
        assert g.support == "sparser"
        assert set(g.terms) < set(g.source)


def test_the_support_of_the_fit_is_kept_where_it_can_be(triangle):
    for g in triangle.exact(basis="fit").polynomials:
        assert g.support == "same"
        assert set(g.terms) <= set(g.source)


def test_new_terms_come_where_the_support_has_nothing_near(triangle):
    exact = triangle.exact(digits=0)        # (2, 1/2) becomes (2, 1): no longer the ideal of the fit
    assert set(exact.rational_knots) == {(0, 0), (2, 1), (1, 2)} and vanishes(exact)
    widened = [g for g in exact.polynomials if g.support == "degree"]
    assert widened
    for g in widened:
        assert g.degree == max(map(sum, g.source)) and not set(g.terms) <= set(g.source)
        assert g.residual <= 1.1 * g.residual_before
    assert "(new terms)" in str(exact)
    assert sympy.Matrix([[poly.coeff_monomial(m) for m in (x**2, x * y, y**2)] for poly in exact.polys]).rank() == 3


@pytest.mark.parametrize("n", [8, 9, 12])
def test_the_degree_is_raised_where_no_quadric_passes_through_all(n):
    exact = circle(n).exact(route="points", digits=3)
    (g,) = exact.polynomials
    assert (g.support, max(map(sum, g.source))) == ("raised", 2) and 2 < g.degree <= 4
    assert len(exact.rational_knots) == n and vanishes(exact)
    assert "(degree raised" in str(exact)


def test_too_many_knots_for_the_degree_are_refused_in_words():
    ideal = circle(200, 0.02)
    with pytest.raises(NoExactPolynomial, match="degree up to 4 vanishes on all 200 knots.*route='equations'"):
        ideal.exact(route="points")


# --------------------------------------------------------------------------------------------------------------- knots


def test_knots_that_would_coincide_are_rounded_more_finely():
    ideal = symknot.vca(CLOSE, 0.05, max_degree=2)
    exact = ideal.exact()
    assert len(set(exact.rational_knots)) == 4 and exact.of_knot == (0, 1, 2, 3) and vanishes(exact)
    # four points in the plane leave room for two independent quadrics; the fit had three
    assert exact.notes == ("2 knots would have coincided after rounding and were rounded more finely",
                           "1 of 3 polynomials depend linearly on the others: there is room for fewer on the rational knots")
    assert f"note: {exact.notes[0]}" in str(exact)
    assert np.abs(np.array(exact.rational_knots, dtype=float) - ideal.knots).max() <= 0.05


def test_knots_that_coincide_by_a_fixed_rule_are_merged():
    exact = symknot.vca(CLOSE, 0.05, max_degree=2).exact(digits=0)
    assert exact.rational_knots == ((0, 0), (1, 0), (0, 1)) and exact.of_knot == (0, 0, 1, 2) and vanishes(exact)
    (note,) = exact.notes
    assert "1 of 4 knots coincide" in note and "merged" in note and "more digits" in note


@pytest.mark.parametrize("options, obeyed", [
    ({"digits": 2}, lambda c, k: c == Fraction(round(k * 100), 100)),
    ({"denominator": 7}, lambda c, k: c == Fraction(k).limit_denominator(7)),
    ({"rationalize": "binary"}, lambda c, k: c == Fraction(k)),
    ({"rationalize": "simplest"}, lambda c, k: c.denominator <= 2 and abs(c - k) < 0.02),
], ids=["digits", "denominator", "binary", "simplest"])
def test_the_knots_obey_the_rule(triangle, options, obeyed):
    exact = triangle.exact(**options)
    assert vanishes(exact)
    for place, knot in zip(exact.of_knot, triangle.knots):
        assert all(obeyed(c, float(k)) for c, k in zip(exact.rational_knots[place], knot))
    points = triangle.vanishing_ideal(**options).points
    assert points == exact.rational_knots


def test_binary_keeps_everything(triangle):
    exact = triangle.exact(rationalize="binary")
    for g in exact.polynomials:
        assert g.coefficient_change < 1e-13
        assert g.residual == pytest.approx(g.residual_before, rel=1e-9)


@pytest.mark.parametrize("options", [{}, {"digits": 2}, {"denominator": 9}, {"rationalize": "binary"}])
def test_linear_relations_of_the_fit_hold_exactly_at_all_knots(options):
    exact = symknot.fit(blobs(PLANE, 0.03)).exact(**options)
    line, *others = exact.polynomials
    assert line.degree == 1 and all(g.degree > 1 for g in others) and len(exact.rational_knots) == 5
    assert all(value(line.terms, knot) == 0 for knot in exact.rational_knots) and vanishes(exact)
    assert [float(line.terms.get(e, 0)) for e in ((1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0))] == pytest.approx(
        [1, 1, -1, 1], abs=0.05)
    free = {"digits": lambda c: 100 % c.denominator == 0, "denominator": lambda c: c.denominator <= 9}
    for name, obeyed in free.items():
        assert name not in options or all(obeyed(c) for knot in exact.rational_knots for c in knot[1:])


# ------------------------------------------------------------------------------------------------------- difficult data


def test_far_from_the_origin():
    exact = symknot.fit(blobs(TRIANGLE, 0.02) + 1e6).exact()
    assert set(exact.rational_knots) == {(a + 10**6, b + 10**6) for a, b in rational_points(TRIANGLE)} and vanishes(exact)
    u, v = x - 10**6, y - 10**6
    truth = [u**2 - 15 * u / 7 + 4 * v / 7, u * v - 2 * u / 7 - 6 * v / 7, 3 * u / 7 + v**2 - 31 * v / 14]
    assert reduced_basis(exact.exprs, (x, y)) == reduced_basis(truth, (x, y))
    assert exact.over_epsilon == (1.0, 1.0, 1.0)


@pytest.mark.parametrize("scale", [1e-8, 1e8])
def test_units_do_not_matter(scale):
    points = blobs(TRIANGLE, 0.02)
    plain, scaled = symknot.fit(points), symknot.fit(points * scale)
    exact = scaled.exact(points=points * scale)
    assert len(exact.rational_knots) == 3 and vanishes(exact) and exact.certificate.verify()
    moved = np.linalg.norm(np.array(exact.rational_knots, dtype=float) - scaled.knots, axis=1)
    assert moved.max() <= 3 * scaled.noise_level          # three standard errors in each coordinate are less
    for g, other in zip(exact.polynomials, plain.exact(points=points).polynomials):
        assert g.residual_before == pytest.approx(scale * other.residual_before, rel=1e-6)
        assert g.residual <= 1.1 * g.residual_before
    assert exact.over_epsilon == (1.0, 1.0, 1.0)


def test_each_point_many_times():
    exact = symknot.fit(np.repeat(np.array(TRIANGLE, dtype=float), 7, axis=0)).exact()
    assert set(exact.rational_knots) == rational_points(TRIANGLE) and vanishes(exact)
    assert set(exact.exprs) == {g.expr for g in points_ideal(sorted(exact.rational_knots), ["x", "y"]).polynomials}


def test_both_arithmetics_give_the_same(triangle):
    flint, numpy = (triangle.exact(arithmetic=name, digits=3) for name in ("flint", "numpy"))
    assert [g.terms for g in flint.polynomials] == [g.terms for g in numpy.polynomials]


# -------------------------------------------------------------------------------------------------------- wrong requests


def test_a_tiny_time_limit_is_honoured(triangle):
    with pytest.raises(TimeLimit, match="raise timeout"):
        dataclasses.replace(triangle).exact(timeout=1e-6)         # a copy: what was made before is not made again
    with pytest.raises(TimeLimit, match="raise timeout"):
        triangle.vanishing_ideal(timeout=1e-6)


def test_numbers_that_would_be_too_long_are_refused_in_words():
    ideal = symknot.vca(np.random.default_rng(0).uniform(-1, 1, size=(80, 2)), 1e-8)
    with pytest.raises(TooLarge, match=r"80 linear equations may have numbers of \d{5} digits, the limit is 10000; .*digits="):
        ideal.exact(rationalize="binary", basis="fit")


def test_long_numbers_are_shown_short():
    exact = symknot.vca(np.random.default_rng(0).uniform(-1, 1, size=(40, 2)), 1e-8).exact(rationalize="binary", basis="fit")
    assert max(c.denominator for g in exact.polynomials for c in g.terms.values()) > 10**1000
    assert len(str(exact)) < 5000 and "exactly zero at each of 40 rational knots" in str(exact)


@pytest.mark.parametrize("options, words", [
    ({"route": "shortcut"}, "route must be one of 'auto', 'points', 'equations', got 'shortcut'"),
    ({"basis": "best"}, "basis must be one of 'readable', 'fit', got 'best'"),
    ({"rationalize": "nicely"}, "rationalize must be one of 'simplest', 'binary'.*got 'nicely'"),
    ({"digits": -1}, "digits must be a whole number >= 0, got -1"),
    ({"denominator": 0}, "denominator must be a whole number >= 1, got 0"),
    ({"denominator": 2.5}, "denominator must be a whole number >= 1, got 2.5"),
    ({"digits": 2, "denominator": 9}, "digits must be left out when denominator is given, got 2"),
    ({"digits": 2, "rationalize": "binary"}, "digits must be left out when rationalize is given, got 2"),
    ({"timeout": 0}, "timeout must be a positive number, got 0"),
    ({"arithmetic": "abacus"}, "arithmetic must be None or one of 'flint', 'numpy', got 'abacus'"),
])
@pytest.mark.parametrize("route", ["points", "equations"])
def test_wrong_options_are_named(triangle, options, words, route):
    with pytest.raises(InvalidOption, match=words):
        triangle.exact(**{"route": route, **options})


@pytest.mark.parametrize("points, words", [
    (np.ones((3, 5)), r"shape \(points, 2\)"), ([[0, np.nan]], "finite"), (np.ones((0, 2)), "at least 1"),
    ([["a", "b"]], "real")])
def test_points_on_which_nothing_can_be_measured_are_refused(triangle, points, words):
    with pytest.raises(InvalidPoints, match=words):
        triangle.exact(points=points)


def test_an_ideal_without_polynomials_has_no_exact_ones_but_its_knots_have():
    ideal = symknot.fit(np.random.default_rng(0).normal(size=(12, 2)), 1e-6, max_degree=2)
    assert ideal.polynomials == ()
    with pytest.raises(InvalidOption, match="ideal must be one with at least one polynomial, got <Ideal of 0"):
        ideal.exact()
    vanishing = ideal.vanishing_ideal(digits=2)
    assert vanishing.degree() == 12
    assert all(value(terms, point) == 0 for terms in vanishing.basis for point in vanishing.points)
