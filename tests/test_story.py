"""The whole way: noisy points, equations, exact equations, and a real computer algebra system that proves what they are."""

import numpy as np
import pytest
import sympy

import symknot
from symknot.engines import engine
from tests import cas
from tests.varieties import BY_NAME

#: Dimension and degree of the true varieties.
TRUE = {"circle": (1, 2), "ellipse": (1, 2), "concentric circles": (1, 4), "sphere": (2, 2), "twisted cubic": (1, 3),
        "skew lines": (1, 2), "two quadrics": (1, 4), "line in space": (1, 1), "4 points in space": (0, 4),
        "Clifford torus": (2, 4)}


def exact_of(name, noise=0.02, seed=0):
    points = BY_NAME[name].noisy(np.random.default_rng(seed), 500, noise)
    return symknot.fit(points, names=[str(v) for v in BY_NAME[name].variables]).exact(points=points)


@pytest.mark.parametrize("name", TRUE)
def test_singular_proves_dimension_and_degree_of_the_true_variety(name):
    exact = exact_of(name)
    singular = engine("singular")
    assert (singular.dimension(exact.polys), singular.degree(exact.polys)) == TRUE[name]
    rename = dict(zip(BY_NAME[name].variables, exact.variables))
    truth = [sympy.Poly(g.as_expr().xreplace(rename), *exact.variables, domain="QQ") for g in BY_NAME[name].polys]
    assert singular.groebner(exact.polys) == singular.groebner(truth)
    assert exact.certificate.verify() and not exact.uncertified


@pytest.mark.parametrize("program", ["singular", "macaulay2"])
def test_two_concentric_circles_come_apart(program):
    exact = exact_of("concentric circles")
    x, y = exact.variables
    parts = {g.as_expr() for _, prime in engine(program).primary_decomposition(exact.polys) for g in prime}
    assert parts == {x**2 + y**2 - 1, x**2 + y**2 - sympy.Rational(1, 4)}


@pytest.mark.parametrize("program", ["singular", "macaulay2"])
def test_the_exported_script_says_what_is_true_of_the_points(program, tmp_path):
    said = cas.answers(cas.run(program, exact_of("4 points in space").export(program), tmp_path))
    expected = {"contained in the ideal of the knots": "yes", "equal to the ideal of the knots": "yes", "dimension": "0",
                "degree": "4", "components": "4"}
    assert {label: said[label] for label in expected} == expected


def test_the_fitted_equations_themselves_have_no_common_zero_and_the_script_says_so(tmp_path):
    points = BY_NAME["4 points in space"].noisy(np.random.default_rng(0), 500, 0.02)
    ideal = symknot.fit(points)
    text = ideal.to_singular(approximate=True)
    assert "WARNING" in text and "dimension -1" in text
    assert cas.answers(cas.run("singular", text, tmp_path))["dimension"] == "-1"
    assert cas.answers(cas.run("singular", ideal.to_singular(), tmp_path))["dimension"] == "0"


def test_the_ideal_of_the_knots_is_the_same_everywhere():
    exact = exact_of("4 points in space")
    ours = exact.vanishing_ideal().groebner().exprs
    for program in ("singular", "macaulay2", "sympy"):
        theirs = engine(program).points_ideal(exact.rational_knots, exact.variables)
        assert {g.as_expr() for g in theirs} == set(ours)
