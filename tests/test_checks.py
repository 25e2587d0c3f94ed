"""Results are what they say: recomputed from their terms, and caught where they are not."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import sympy

import symknot
from symknot.family import generators
from symknot.fitting import loop
from symknot.fitting.fitted import Fitted
from symknot.ground.errors import InvalidOption, Status
from symknot.polynomials.precise import _digits_before_the_point, precise_values, value_at
from symknot.results import ideal as ideals
from symknot.results import points_ideal as points_ideals
from symknot.results.checking import Check, Checks, same_expression, same_values, sampled
from symknot.symbolic.expansion import Expansion
from symknot.sysid.invariants import conserved, conserved_result
from symknot.sysid.laws import answering as motion
from symknot.sysid.space import moments

from .test_language import KINDS, circle_points
from .test_reports import result_of

DAMAGED = Path(__file__).parent / "data" / "damaged"

X, Y = sympy.symbols("x y")


def test_values_to_fifty_digits():
    terms = {(3, 0): Fraction(1, 3), (0, 2): Fraction(-7, 11), (0, 0): Fraction(10**30)}
    points = np.array([[0.1, -0.2], [1e10, 3.0], [1e-300, 1e20], [0.0, 0.0], [np.nan, 1.0]])
    found = precise_values(terms, points)
    for value, point in zip(found.values[:4], points):
        assert value == float(value_at(terms, [Fraction(number) for number in point.tolist()]))
    assert np.isnan(found.values[4])
    assert found.sizes[0] >= abs(found.values[0])


def test_cancellation_costs_no_digits():
    """(x - c)**2 - 1 far from the origin: terms of 1e40, values of 1e-16."""
    centre = Fraction(10**20)
    terms = {(2,): Fraction(1), (1,): -2 * centre, (0,): centre**2 - 1}
    points = np.array([[1e20], [1e20 + 16384]])
    assert precise_values(terms, points).values.tolist() == [-1.0, float(16384**2 - 1)]


def test_numbers_beyond_floats_are_infinite():
    assert precise_values({(4,): Fraction(1)}, np.array([[1e200], [-1e-200]])).values.tolist() == [np.inf, 0.0]


@pytest.mark.parametrize("terms, rows, digits", [
    ({(3,): Fraction(10**6)}, [[1e10], [-1e5]], 37),                 # 10**6 has 20 bits: 6.02 digits
    ({(3,): Fraction(1, 10**6)}, [[1e10]], 25),                      # 1 bit less 20, and one: -5.4 digits
    ({(1, 2): Fraction(1), (0, 0): Fraction(1)}, [[1e3, 1e-2], [0.0, -1e-4]], 1),
    ({(1, 2): Fraction(4)}, [[1e3, 1e4]], 12),                       # 2 * 4 is of .9 digits
    ({(1, 2): Fraction(1)}, [[0.0, np.inf]], 1), ({(2,): Fraction(1, 10**9)}, [[0.1]], 0),
    ({(2,): Fraction(1)}, np.empty((0, 1)), 1), ({}, [[1e9]], 0),
], ids=["large", "small", "the constant", "both", "neither zero nor infinity", "below one", "no points", "no terms"])
def test_digits_before_the_point_are_those_of_the_largest_term(terms, rows, digits):
    assert _digits_before_the_point(terms, np.array(rows)) == digits


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_result_can_be_checked_and_is_right(kind):
    result, points = result_of(kind)
    checks = result.check()
    assert checks.ok and checks.each and not checks.failed and "holds" in str(checks) and "NOT" not in str(checks)
    if kind == "Ideal":
        more = result.check(points)
        assert more.ok and len(more.each) > len(checks.each) and "residual on the points" in str(more)
    elif kind != "ImplicitModel":
        with pytest.raises(InvalidOption, match="points must be left out"):
            result.check([[0.0, 1.0]])


def test_other_points_than_those_of_the_fit_have_no_stated_residual():
    result, points = result_of("Ideal")
    assert "residual on the points" not in str(result.check(points[:50])) and result.check(points[:50]).ok


def test_a_wrong_residual_is_seen():
    result, points = result_of("Ideal")
    wrong = replace(result, residuals=result.residuals * (1 + 1e-6))
    (failed,) = wrong.check(points).failed
    assert "residual on the points" in failed.what and "DOES NOT HOLD" in str(failed)
    wrong = replace(result, knots=result.knots + 1e-4)
    assert {"equation 1: its residual on the knots is"} == {check.what[:40] for check in wrong.check().failed}


def test_a_wrong_equation_of_a_model_is_seen():
    model, _ = result_of("Model")
    wrong = replace(model, coefficients=model.coefficients)
    wrong.__dict__["right_hand_sides"] = {name: side * (1 + 1e-6) for name, side in model.right_hand_sides.items()}
    assert not wrong.check().ok and model.check().ok


def quarter_turn_with(tmp_path, **entries):
    """x_next = y and y_next = -x, saved, and opened with other entries of its field or beside it."""
    steps = np.array([[1.0, 0.0], [0.0, -1.0], [-1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
    path = tmp_path / "turn.json"
    symknot.identify([steps, 2 * steps], kind="map", max_degree=1).save(path)
    content = json.loads(path.read_text())
    for name, value in entries.items():
        (content["field"] if name in content["field"] else content)[name] = value
    path.write_text(json.dumps(content))
    return symknot.load(path)


def test_a_model_with_a_pole_at_a_state_does_not_hold_there(tmp_path):
    assert quarter_turn_with(tmp_path).check().ok
    checks = quarter_turn_with(tmp_path, pivots=[1, 0]).check()          # x_next = y / x, and x is 0 in every second state
    assert {check.what for check in checks.failed} == {"equation 1: its right-hand side holds at a knot"}


def test_a_model_with_a_coefficient_of_zero_is_what_it_says(tmp_path):
    still = quarter_turn_with(tmp_path, coefficients=[0.0, -1.0])
    assert "x_next = 0\ny_next = -x\n" in str(still) and still.check().ok


def test_a_saved_fit_whose_numbers_leave_the_range_of_floats_says_so_when_it_is_printed():
    """A file that a fuzzer damaged: least squares in it have no finite rows."""
    found = symknot.load(DAMAGED / "numbers_beyond_floats.json")
    with pytest.raises(symknot.SymknotError, match="beyond the range of floating point"), np.errstate(all="ignore"):
        str(found)


def test_an_expression_that_is_not_its_terms_is_seen():
    terms, points = {(2, 0): Fraction(1), (0, 0): Fraction(-1)}, np.array([[1.0, 2.0]])
    assert same_expression("it", X**2 - 1, (X, Y), terms, points).ok
    assert not same_expression("it", X**2 - Y, (X, Y), terms, points).ok
    assert not same_expression("it", 1.0 * X**2 - 1 - sympy.Float("1e-8"), (X, Y), terms, points, 1.0).ok
    assert same_expression("it", 1.0 * X**2 - 1 - sympy.Float("1e-14"), (X, Y), terms, points, 1.0).ok
    assert not same_values("it", terms, points, np.array([np.nan]), 1.0).ok


def test_nothing_agrees_with_no_number():
    assert not Check("it", np.nan, 1.0).ok and Check("it", 1.0, 1.0).ok and not Check("it", 1.1, 1.0).ok
    assert Checks(()).ok and "nothing to check" in str(Checks(()))


def test_samples_are_all_of_few_and_some_of_many():
    assert sampled(5).tolist() == [0, 1, 2, 3, 4] and len(sampled(10**6)) == 16 and sampled(10**6)[-1] == 10**6 - 1


# ------------------------------------------------------------------------------------------- before they are returned


def test_a_fit_whose_terms_are_wrong_is_not_confirmed(monkeypatch):
    """An expansion that is off by a millionth of one coefficient is what only an independent computation can see."""
    true = Expansion.terms

    def wrong(self, place):
        terms = dict(true(self, place))
        first = next(iter(terms))
        return {**terms, first: terms[first] * Fraction(1000001, 1000000)}

    monkeypatch.setattr(Expansion, "terms", wrong)
    ideal = symknot.fit(circle_points())
    assert ideal.status is Status.NOT_CONFIRMED and not ideal.status.ok
    assert "do not use these equations" in str(ideal) and "its values are those of its terms: DOES NOT HOLD" in ideal.message
    assert symknot.vca(circle_points(), 0.05, max_degree=2).status is Status.NOT_CONFIRMED


def test_knots_that_are_elsewhere_are_seen(monkeypatch):
    """The recursion and its inside variables must belong together."""
    true = loop._result

    def wrong(inside, *others):
        return replace(true(inside, *others), center=inside.center + 1e-3)

    monkeypatch.setattr(loop, "_result", wrong)
    ideal = symknot.fit(circle_points())
    assert isinstance(ideal, Fitted) and not ideal.check(circle_points()).ok


def test_a_model_whose_right_hand_side_is_wrong_is_not_confirmed(monkeypatch):
    true = motion._model

    def wrong(*given):
        model = true(*given)
        model.__dict__["right_hand_sides"] = {name: side + sympy.Rational(1, 1000)
                                              for name, side in model.right_hand_sides.items()}
        return model

    monkeypatch.setattr(motion, "_model", wrong)
    t = np.linspace(0, 8, 200)
    model = symknot.identify(np.c_[np.cos(t), -np.sin(t)], 1, time=t)
    assert model.status is Status.NOT_CONFIRMED and "right-hand side" in model.message


@pytest.fixture
def is_refuted(tmp_path):
    """What people see when two computations differ, and still see when they open the saved result."""
    def check(result, words):
        result.save(tmp_path / "refuted.json")
        # of points all is worked out anew
        opened = [] if isinstance(result, symknot.PointsIdeal) else [symknot.load(tmp_path / "refuted.json")]
        for one in (result, *opened):
            assert one.status is Status.NOT_CONFIRMED and not one.status.ok and one.message in str(one)
            assert "do not use these equations" in one.message and words in one.message and "DOES NOT HOLD" in one.message
    return check


def circling():
    t = np.linspace(0, 8, 200)
    return symknot.Trajectories([a * np.c_[np.cos(t), -np.sin(t)] for a in (1.0, 1.5)], time=t)


@pytest.mark.parametrize("method", ["abm", "avi", "nbm", "oavi", "classical_vca", "thinning"])
def test_a_method_of_the_family_that_misstates_its_residuals_is_not_confirmed(method, monkeypatch, is_refuted):
    find, points = getattr(symknot.family, method), circle_points()[:20]
    true = find(points, 0.3)
    assert true.polynomials and true.check().ok and true.status is not Status.NOT_CONFIRMED
    measured = generators._measured
    monkeypatch.setattr(generators, "_measured", lambda rows, blank: [
        replace(g, residual=g.residual + 1e-6) for g in measured(rows, blank)])
    is_refuted(find(points, 0.3), "its residual is")


def test_a_method_of_the_family_whose_columns_are_not_its_terms_is_not_confirmed(monkeypatch, is_refuted):
    true = generators.Generators._both
    monkeypatch.setattr(generators.Generators, "_both", lambda self, points: tuple(1.001 * part for part in true(self, points)))
    is_refuted(symknot.family.abm(circle_points(), 0.05, max_degree=2), "`jacobian` gives its derivative by x")
    monkeypatch.undo()
    values = generators.monomial_values
    monkeypatch.setattr(generators, "monomial_values", lambda *given: 1.001 * values(*given))
    is_refuted(symknot.family.abm(circle_points(), 0.05, max_degree=2), "`evaluate` gives the values of `terms`")


def test_knots_at_which_thinned_polynomials_are_not_zero_are_seen():
    found = symknot.family.thinning(circle_points()[:20], 0.3)
    assert found.check().ok
    wrong = replace(found, given_knots=found.given_knots + 1e-6)
    assert any("zero at its knots" in check.what for check in wrong.check().failed)


def test_invariants_whose_residual_is_another_are_not_confirmed(monkeypatch, is_refuted):
    assert symknot.conserved(circling()).status is Status.FOUND
    monkeypatch.setattr(conserved, "level_residual", lambda *given: 0.01)
    is_refuted(symknot.conserved(circling()), "its residual is 0.01")


def test_gradients_of_invariants_are_recomputed(monkeypatch, is_refuted):
    true = conserved_result.values_and_slopes
    monkeypatch.setattr(conserved_result, "values_and_slopes", lambda *given: (true(*given)[0], 1.001 * true(*given)[1]))
    is_refuted(symknot.conserved(circling()), "so are those of its derivative by x")


def test_polynomials_that_are_not_zero_at_rational_points_are_not_confirmed(monkeypatch, is_refuted):
    true = points_ideals.vanishing_on_points

    def wrong(*given):
        numbers = true(*given)
        return replace(numbers, basis=({**numbers.basis[0], (0, 0): Fraction(1, 10**9)}, *numbers.basis[1:]))

    assert symknot.points_ideal([(0, 0), (1, 0)], ["x", "y"]).status is Status.EXACT
    monkeypatch.setattr(points_ideals, "vanishing_on_points", wrong)
    is_refuted(symknot.points_ideal([(0, 0), (1, 0)], ["x", "y"]), "equation 1: zero at every point")


@pytest.mark.parametrize("points, words", [
    ([[0, 0], [1, 0], [0, 1], [1, 1]], "zero at every rational knot"), (circle_points(), "a statement of the certificate")],
    ids=["points", "equations"])
def test_exact_equations_that_are_not_zero_at_their_knots_are_not_confirmed(points, words, monkeypatch, is_refuted):
    true = ideals.make_exact

    def wrong(*given):
        numbers = true(*given)
        first = numbers.polynomials[0]
        constant = {(0, 0): first.terms.get((0, 0), Fraction(0)) + Fraction(1, 7)}
        return replace(numbers, polynomials=(replace(first, terms={**first.terms, **constant}), *numbers.polynomials[1:]))

    ideal = symknot.vca(points, 1e-8) if len(points) == 4 else symknot.fit(points)
    monkeypatch.setattr(ideals, "make_exact", wrong)
    is_refuted(ideal.exact(), words)
    monkeypatch.undo()
    assert ideal.exact(denominator=10**6).status is Status.EXACT


@pytest.mark.parametrize("part, words", [("space", "moment 2"), ("time", "rate 1")])
def test_moments_that_are_not_those_of_the_field_are_not_confirmed(part, words, monkeypatch, is_refuted):
    x, t = np.linspace(0, 6, 60), np.linspace(0, 1, 40)
    u = np.exp(-0.3 * t[:, None]) * np.sin(x - 2 * t[:, None])
    assert symknot.identify_field(u, x, t, 1, 1).status is Status.FOUND
    true = moments.Rectangles.on_grid

    def wrong(*given):
        at = true(*given)
        weights = getattr(at, part).copy()
        weights[-1] *= np.linspace(1, 1 + 1e-6, weights.shape[1])
        return replace(at, **{part: weights})

    monkeypatch.setattr(moments.Rectangles, "on_grid", wrong)
    model = symknot.identify_field(u, x, t, 1, 1)
    is_refuted(model, words)


def test_implicit_equations_say_what_became_of_their_fit(monkeypatch):
    model = symknot.identify(circling(), 1, form="implicit")
    assert model.status is Status.FOUND and model.message == ""
    for status in (Status.NOT_CONFIRMED, Status.OUT_OF_TIME, Status.INTERRUPTED, Status.WORK_LIMIT):
        other = replace(model, ideal=replace(model.ideal, status=status, message=status.advice))
        assert other.status is status and f"{status.value}: {status.advice}" in str(other)


def curve(name):
    t = np.random.default_rng(0).uniform(-1, 1, 60)
    clean = {"circle": np.c_[np.cos(3 * t), np.sin(3 * t)], "twisted cubic": np.c_[t, t**2, t**3], "line": np.c_[t, 2 * t - 1]}
    return clean[name] + 0.01 * np.random.default_rng(1).normal(size=clean[name].shape)


@pytest.mark.parametrize("name", ["circle", "twisted cubic", "line"])
@pytest.mark.parametrize("shift, size", [(1e6, 1.0), (0.0, 1e-9), (-1e9, 1e3), (0.0, 1e60)])
def test_true_fits_are_confirmed_wherever_they_lie(name, shift, size):
    points = curve(name) * size + shift
    ideal = symknot.fit(points, 0.02 * size, max_degree=2)
    checks = ideal.check(points)
    assert ideal.polynomials and ideal.status is not Status.NOT_CONFIRMED and checks.ok, checks
