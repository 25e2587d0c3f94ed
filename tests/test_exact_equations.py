"""Exact ideals of curves and surfaces: rational equations, and a proved box at every knot or a name for the one without."""

import dataclasses
import json
from fractions import Fraction

import numpy as np
import pytest
import sympy

import symknot
from symknot.exact.krawczyk import CertifiedZero, Uncertified
from symknot.ground.errors import InvalidModel, InvalidOption, TimeLimit

from .exactly import float_values, rms_distance, value
from .varieties import BY_NAME, spread

x, y, z = sympy.symbols("x y z")
SINGULAR = "the Jacobian has rank 0 here (singular point?)"


def noisy(name, noise, seed=3, n=500):
    return BY_NAME[name].noisy(np.random.default_rng(seed), n, noise)


@pytest.fixture(scope="module")
def cubic():
    return symknot.fit(noisy("twisted cubic", 0.05))


@pytest.fixture(scope="module")
def circle():
    return symknot.fit(noisy("circle", 0.05), noise="equal")


@pytest.fixture(scope="module")
def crossing():
    """Two lines with one data point exactly where they cross."""
    t = np.linspace(0.05, 1, 20)
    half = np.r_[np.c_[t, t / 2], np.c_[t, -t]]
    return symknot.fit(np.r_[half, -half, [[0, 0]]], max_degree=2)


@pytest.mark.parametrize("noise, seed", [(0.01, 0), (0.05, 3)])
@pytest.mark.parametrize("name, truth", [
    ("circle", {x**2 + y**2 - 1}), ("ellipse", {x**2 + 9 * y**2 - 18 * y}), ("sphere", {x**2 + y**2 + z**2 - 1}),
    ("twisted cubic", {x**2 - y, x * y - z, y**2 - x * z})])
def test_true_equations_and_every_knot_certified(name, truth, noise, seed):
    points = noisy(name, noise, seed)
    ideal = symknot.fit(points)
    exact = ideal.exact()
    assert exact.route == "equations" and set(exact.exprs) == truth and exact.left_out == ()
    assert len(exact.rational_knots) == len(ideal.knots) and exact.uncertified == ()
    assert exact.certificate.verify()
    sigma = noise * spread(BY_NAME[name].sampler(np.random.default_rng(seed), 500))
    for knot, (low, high) in zip(ideal.knots, exact.boxes):
        assert all(isinstance(end, Fraction) for end in low + high)
        assert all(0 < b - a < 1e-5 for a, b in zip(low, high))
        assert max(max(abs(a - k), abs(b - k)) for a, b, k in zip(low, high, map(Fraction, knot))) < 4 * sigma
    assert exact.over_epsilon == (1.0,) * len(truth)
    agree = name == "twisted cubic"
    assert exact.notes == (("the 3 equations agree: they define a variety of dimension 1, proved by a Groebner basis",)
                           if agree else ())


def test_boxes_hold_zeros_of_the_circle_by_their_signs(circle):
    """Along the normal line through the centre the polynomial changes its sign inside the box."""
    exact = circle.exact()
    for center, (low, high) in zip(exact.rational_knots, exact.boxes):
        assert all(a < m < b for a, m, b in zip(low, center, high))
        step = min((b - m) / abs(m) for m, b in zip(center, high) if m)
        ends = [tuple(m * (1 + side * step) for m in center) for side in (-1, 1)]
        assert all(a <= c <= b for end in ends for a, c, b in zip(low, end, high))
        inner, outer = (a**2 + b**2 - 1 for a, b in ends)
        assert inner < 0 < outer


def test_boxes_hold_zeros_of_the_cubic_by_their_signs(cubic):
    """On the curve (t, t^2, t^3) the plane through the centre changes its sign inside the box."""
    exact = cubic.exact()
    assert set(exact.exprs) == {x**2 - y, x * y - z, y**2 - x * z}
    for zero, (low, high) in zip(exact.zeros[::10], exact.boxes[::10]):
        (normal,) = zero.plane
        half = (high[0] - low[0]) / 16
        signs = []
        for t in (zero.center[0] - half, zero.center[0] + half):
            point = (t, t**2, t**3)
            assert all(a <= c <= b for a, c, b in zip(low, point, high))
            signs.append(sum(n * (c - m) for n, c, m in zip(normal, point, zero.center)) > 0)
        assert signs[0] != signs[1]


def test_residuals_are_measured_where_points_are_given(circle):
    points = noisy("circle", 0.05)
    for options in ({}, {"digits": 1}, {"denominator": 3}, {"rationalize": "binary"}):
        (g,) = circle.exact(points=points, **options).polynomials
        assert g.residual_before == pytest.approx(rms_distance(g.source, points), rel=1e-6)
        assert g.residual == pytest.approx(rms_distance(g.terms, points), rel=1e-6)
        assert g.support == ("sparser" if len(g.terms) < len(g.source) else "same")
        (estimated,) = circle.exact(**options).polynomials
        assert estimated.residual == pytest.approx(g.residual, rel=0.05)


# --------------------------------------------------------------------------------------------------------------- numbers


@pytest.mark.parametrize("options, obeyed", [
    ({"digits": 2}, lambda number, estimate: number == round(estimate * 100) / Fraction(100)),
    ({"denominator": 7}, lambda number, estimate: number == estimate.limit_denominator(7)),
    ({"rationalize": "binary"}, lambda number, estimate: number == Fraction(float(estimate))),
], ids=["digits", "denominator", "binary"])
@pytest.mark.parametrize("name", ["circle", "ellipse"])
def test_coefficients_obey_the_rule_and_the_knots_are_certified_on_them(name, options, obeyed):
    exact = symknot.fit(noisy(name, 0.05)).exact(**options)
    (g,) = exact.polynomials
    assert next(iter(g.terms.values())) == 1
    assert all(obeyed(g.terms.get(e, Fraction(0)), estimate) for e, estimate in g.source.items())
    assert set(g.terms) <= set(g.source)
    assert exact.uncertified == () and exact.certificate.verify()


@pytest.mark.parametrize("seed", [1, pytest.param(4, marks=pytest.mark.slow)])
def test_numbers_that_are_bound_to_each_other_are_rounded_together(seed):
    """Each coefficient alone is known badly here; rounded by its own error, the equations would miss the knots."""
    points = noisy("rational quartic", 0.05, seed)
    ideal = symknot.fit(points, noise="equal")
    exact = ideal.exact(points=points)
    assert any(max(row.standard_errors.values()) > 1 for row in ideal.uncertainty())
    assert exact.uncertified == ()
    for g in exact.polynomials + exact.left_out:
        assert rms_distance(g.terms, points) == pytest.approx(rms_distance(g.source, points), rel=0.02)


def test_equations_that_do_not_agree_are_left_out_and_bounded(cubic):
    exact = cubic.exact(digits=2)
    assert (len(exact.polynomials), len(exact.left_out)) == (2, 1)
    (note,) = exact.notes
    assert note.startswith("the 3 rational equations have ") and "2 that define a variety" in note and "bounded" in note
    every = [g.terms for g in exact.polynomials + exact.left_out]
    dimension = symknot.engines.engine("sympy").dimension(
        [sympy.Poly.from_dict({e: sympy.Rational(c.numerator, c.denominator) for e, c in terms.items()}, x, y, z)
         for terms in every])
    assert dimension < 1            # so the curve is lost where all three are asked for
    assert exact.dimension("sympy") == 1
    assert exact.uncertified == () and exact.certificate.verify()
    assert "polynomial 2 is at most" in str(exact.certificate) and "is not claimed" in str(exact.certificate)
    worst = 0
    for zero, knot in zip(exact.zeros, exact.rational_knots):
        assert zero.chosen == (0, 1) and set(zero.bounds) == {2}
        assert abs(value(every[2], knot)) <= zero.bounds[2]
        worst = max(worst, zero.bounds[2])
    assert 0 < worst < 0.1
    for signs in np.ndindex(2, 2, 2):       # at the corners of the first box too
        corner = [(low, high)[s] for low, high, s in zip(*exact.boxes[0], signs)]
        assert abs(value(every[2], corner)) <= exact.zeros[0].bounds[2]


# ---------------------------------------------------------------------------------------------------- what is not proved


def test_a_knot_on_a_node_is_named(crossing):
    exact = crossing.exact()
    assert exact.exprs == (x**2 - x * y - 2 * y**2,)
    (node,) = exact.uncertified
    assert np.abs(crossing.knots[node]).max() < 1e-12
    assert exact.zeros[node] == Uncertified(SINGULAR) and exact.boxes[node] is None
    assert str(exact).splitlines()[1] == (
        f"80 of 81 knots in boxes proved to hold a true zero; NOT certified: {node} ({SINGULAR})")
    assert exact.certificate.uncertified == ({"knot": node, "reason": SINGULAR},)
    assert f"Not certified: knot {node}: {SINGULAR}. Nothing is claimed" in str(exact.certificate)
    assert len(exact.certificate.statements) == 80 and exact.certificate.verify()
    assert node not in {statement["knot"] for statement in exact.certificate.statements}


def test_a_knot_far_from_the_equations_is_not_given_a_box_elsewhere(circle):
    knots = circle.knots.copy()
    knots[7] = 0.0              # the centre of the circle, where the gradient is zero
    exact = dataclasses.replace(circle, knots=knots).exact(digits=6)
    reached = exact.boxes[7]
    assert reached is None or abs(sum(((a + b) / 2) ** 2 for a, b in zip(*reached)) - 1) < 0.1
    assert set(exact.uncertified) <= {7}
    assert exact.certificate.verify()


# ------------------------------------------------------------------------------------------------------- saved and read


@pytest.mark.parametrize("which", ["cubic", "crossing", "triangle"])
def test_saved_and_read_again(which, request, tmp_path):
    if which == "triangle":
        exact = symknot.vca([[0, 0], [2, 0.5], [1, 2]], 1e-8, names=["a b", "c"]).exact()
    else:
        exact = request.getfixturevalue(which).exact(digits=2)
    exact.save(tmp_path / "exact.json")
    again = symknot.load(tmp_path / "exact.json")
    for field in ("names", "route", "rational_knots", "of_knot", "epsilon", "notes", "boxes", "uncertified", "over_epsilon"):
        assert getattr(again, field) == getattr(exact, field), field
    for group in ("polynomials", "left_out"):
        assert [dataclasses.asdict(g) for g in getattr(again, group)] == [dataclasses.asdict(g) for g in getattr(exact, group)]
    zeros = [dataclasses.replace(zero, margin=None) if isinstance(zero, CertifiedZero) else zero for zero in exact.zeros]
    assert zeros == list(again.zeros)
    assert again.certificate.to_json() == exact.certificate.to_json() and again.certificate.verify()
    assert str(again) == str(exact) and again.exprs == exact.exprs
    again.save(tmp_path / "twice.json")
    assert (tmp_path / "twice.json").read_bytes() == (tmp_path / "exact.json").read_bytes()


DAMAGE = {
    "no knots": lambda c: c.pop("knots"),
    "a name too many": lambda c: c["names"].append("w"),
    "another route": lambda c: c.update(route="shortcut"),
    "a float for a knot": lambda c: c["knots"][0].__setitem__(0, 0.5),
    "a short knot": lambda c: c["knots"][0].pop(),
    "a division by zero": lambda c: c["knots"][0].__setitem__(0, ["0x1", "0x0"]),
    "a knot that is not there": lambda c: c["of_knot"].__setitem__(0, 10**6),
    "an unknown support": lambda c: c["sources"][0].update(support="thin air"),
    "a source lost": lambda c: c["sources"].pop(),
    "a residual that is a word": lambda c: c["sources"][0].update(residual_after="small"),
    "negative epsilon": lambda c: c.update(epsilon=-1.0),
    "a box lost": lambda c: c["certificate"]["statements"].pop(),
    "a certificate of something else": lambda c: c["certificate"].update(format="x"),
    "no certificate": lambda c: c.pop("certificate"),
    "notes that are no list": lambda c: c.update(notes="none"),
    "another knot": lambda c: c["knots"][0].__setitem__(0, ["0x5", "0x1"]),
    "more kept than there are": lambda c: c.update(kept=7),
    "fewer than none kept": lambda c: c.update(kept=-1),
}


@pytest.mark.parametrize("harm", DAMAGE.values(), ids=DAMAGE)
def test_damaged_files_are_refused(harm, tmp_path):
    path = tmp_path / "exact.json"
    symknot.fit(noisy("circle", 0.05, n=40)).exact().save(path)
    content = json.loads(path.read_text())
    harm(content)
    path.write_text(json.dumps(content))
    with pytest.raises(InvalidModel, match="exact.json"):
        symknot.load(path)


def test_knots_other_than_those_of_the_certificate_are_refused(tmp_path):
    path = tmp_path / "exact.json"
    symknot.vca([[0, 0], [2, 0.5], [1, 2]], 1e-8).exact().save(path)
    content = json.loads(path.read_text())
    content["knots"][1] = [["0x2", "0x1"], ["0x1", "0x3"]]
    path.write_text(json.dumps(content))
    with pytest.raises(InvalidModel, match="the certificate is not about these knots"):
        symknot.load(path)


@pytest.mark.parametrize("text", ["", "[]", "{}", "nonsense", '{"format": "symknot ideal", "version": 1}'])
def test_other_files_are_refused(text, tmp_path):
    (tmp_path / "exact.json").write_text(text)
    with pytest.raises(InvalidModel):
        symknot.load(tmp_path / "exact.json")


# --------------------------------------------------------------------------------------------------------------- algebra


def test_answers_about_the_twisted_cubic_by_hand(cubic):
    exact = cubic.exact()
    assert (exact.dimension("sympy", None), exact.degree("sympy", None)) == (1, 3)
    assert exact.contains(z**2 - y**3, "sympy", None) and not exact.contains(z - y, "sympy", None)
    assert set(exact.groebner("lex", "sympy", None).exprs) == {x**2 - y, x * y - z, x * z - y**2, y**3 - z**2}
    # x is no zero divisor
    assert {g.as_expr() for g in exact.quotient(x, "sympy", None)} == {x**2 - y, x * y - z, y**2 - x * z}


def test_answers_about_two_lines_by_hand(crossing):
    exact = crossing.exact()                                    # (x - 2 y) (x + y)
    assert (exact.dimension("sympy", None), exact.degree("sympy", None), exact.is_radical("sympy", None)) == (1, 2, True)
    assert [g.as_expr() for g in exact.quotient(x + y, "sympy", None)] == [x - 2 * y]
    assert [g.as_expr() for g in exact.saturate(x - 2 * y, "sympy", None)] == [x + y]


def test_answers_about_points_by_hand():
    exact = symknot.vca([[0, 0], [1, 0], [0, 1], [1, 1]], 1e-8, names=["x", "y"]).exact()
    assert (exact.dimension("sympy", None), exact.degree("sympy", None), exact.is_radical("sympy", None)) == (0, 4, True)
    assert {g.as_expr() for g in exact.quotient(x, "sympy", None)} == {x - 1, y**2 - y}
    assert {g.as_expr() for g in exact.saturate(x + y, "sympy", None)} == {x**2 - x, y**2 - y, x * y - x - y + 1}
    vanishing = exact.vanishing_ideal()
    assert {g.expr for g in vanishing.polynomials} == {x**2 - x, y**2 - y} and vanishing.points == exact.rational_knots


def test_a_multiple_line_is_not_radical():
    exact = symknot.vca([[0, 0], [1, 0], [2, 0], [3, 0]], 1e-8, max_degree=1, names=["x", "y"]).exact(route="equations")
    assert exact.exprs == (y,) and exact.is_radical("sympy", None)
    squared = dataclasses.replace(exact.polynomials[0], terms={(0, 2): Fraction(1)})
    assert not dataclasses.replace(exact, polynomials=(squared,)).is_radical("sympy", None)


def test_questions_that_are_not_polynomials_are_refused(circle):
    exact = circle.exact()
    for wrong in (sympy.sin(x), x + sympy.Symbol("w"), 0.5 * x, "x"):
        with pytest.raises(InvalidOption):
            exact.contains(wrong, "sympy")


def test_the_vanishing_ideal_of_a_curve_is_that_of_its_rounded_knots(circle):
    with pytest.raises(InvalidOption, match=r"route must be 'points': knots on a curve are known by boxes.*vanishing_ideal"):
        circle.exact().vanishing_ideal()
    few = symknot.fit(noisy("circle", 0.05, n=12), 0.1, max_degree=2)
    vanishing = few.vanishing_ideal(digits=3)
    assert vanishing.degree() == len(few.knots) == 12
    assert all(value(terms, point) == 0 for terms in vanishing.basis for point in vanishing.points)
    assert np.abs(np.array(vanishing.points, dtype=float) - few.knots).max() <= 0.0005


def test_time_limits_are_honoured(circle, cubic):
    for ideal in (circle, cubic):
        with pytest.raises(TimeLimit, match="raise timeout"):
            dataclasses.replace(ideal).exact(timeout=1e-6)        # a copy: what was made before is not made again
    with pytest.raises(TimeLimit, match="raise timeout"):
        cubic.exact().groebner(engine="sympy", timeout=1e-6)


@pytest.mark.parametrize("normalization, epsilon", [("vca", 0.5), ("coefficient", 0.2)])
def test_epsilon_is_left_out_where_it_is_no_distance(normalization, epsilon):
    points = noisy("circle", 0.02, n=100)
    ideal = symknot.fit(points, epsilon, normalization=normalization, max_degree=2)
    exact = ideal.exact(route="equations", points=points)
    assert exact.epsilon is None and exact.uncertified == ()
    for g in exact.polynomials:
        assert g.residual == pytest.approx(rms_distance(g.terms, points), rel=1e-6)
        assert np.abs(float_values(g.terms, points)).max() < 0.5


def test_what_was_made_exact_is_not_made_again(circle):
    copy = dataclasses.replace(circle)
    assert copy.exact() is copy.exact(route="equations") and copy.exact() is not copy.exact(digits=3)
    assert copy.exact(timeout=1e-6) is copy.exact()
