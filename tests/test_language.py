"""One language of results: the same thing has the same name on every result, and is of the same type."""

from __future__ import annotations

import inspect
from fractions import Fraction

import numpy as np
import pytest
import sympy

import symknot
from symknot.polynomials.equation import Equation
from symknot.results.base import Result

KINDS = ("Ideal", "Readable", "ExactIdeal", "PointsIdeal", "Model", "ImplicitModel", "Conserved", "Generators")
PLOTTED = set(KINDS)
NOISY = {"Ideal", "Readable", "Model", "ImplicitModel", "Conserved"}
MEASURED = {"Ideal", "Readable", "ExactIdeal", "ImplicitModel", "Conserved", "Generators"}
ESTIMATED = {"Readable", "Model", "ImplicitModel", "Conserved"}
WITH_RUNS = {"Model", "Conserved"}


def circle_points():
    rng = np.random.default_rng(0)
    angle = rng.uniform(0, 2 * np.pi, 150)
    return np.c_[np.cos(angle), np.sin(angle)] + 0.02 * rng.normal(size=(150, 2))


def oscillator():
    rng = np.random.default_rng(1)
    t = np.linspace(0, 8, 400)
    runs = [a * np.c_[np.cos(2 * t), -2 * np.sin(2 * t)] + 0.01 * rng.normal(size=(400, 2)) for a in (1.0, 1.5)]
    return symknot.Trajectories(runs, time=t)


def rotations():
    """Two speeds on the unit circle: a constraint of all runs."""
    rng = np.random.default_rng(2)
    t = np.linspace(0, 8, 400)
    runs = [np.c_[np.cos(w * t), np.sin(w * t)] + 0.01 * rng.normal(size=(400, 2)) for w in (1.0, 1.7)]
    return symknot.Trajectories(runs, time=t)


@pytest.fixture(scope="module")
def results():
    ideal = symknot.fit(circle_points(), names=["x", "y"])
    runs = oscillator()
    return {
        "Ideal": ideal, "Readable": ideal.readable(), "ExactIdeal": ideal.exact(),
        "PointsIdeal": symknot.points_ideal([(0, 0), (1, 0), (0, Fraction(1, 2))], ["x", "y"]),
        "Model": symknot.identify(runs, max_degree=2),
        "ImplicitModel": symknot.identify(runs, max_degree=2, form="implicit"),
        "Conserved": symknot.conserved(rotations(), max_degree=2),
        "Generators": symknot.family.abm(circle_points(), 0.05, max_degree=2, names=["x", "y"]),
    }


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


@pytest.fixture
def result(results, kind):
    return results[kind]


def test_all_share_one_base(result, kind):
    assert type(result).__name__ == kind and isinstance(result, Result)
    assert isinstance(result, getattr(symknot, kind))


def test_variables_are_named_one_for_one(result):
    assert isinstance(result.names, tuple) and all(isinstance(name, str) for name in result.names)
    assert isinstance(result.variables, tuple) and len(result.variables) == len(result.names)
    assert all(isinstance(variable, sympy.Symbol) for variable in result.variables)


def test_polynomials_are_equations(result, kind):
    assert isinstance(result.polynomials, tuple) and result.polynomials
    for g in result.polynomials:
        assert isinstance(g, Equation)
        assert g.variables == result.variables and g.names == result.names
        assert isinstance(g.expr, sympy.Expr) and g.expr.free_symbols <= set(result.variables)
        assert isinstance(g.poly, sympy.Poly) and g.poly.gens == result.variables
        assert all(type(value) is Fraction for value in g.terms.values())
        assert all(len(exponents) == len(result.names) for exponents in g.terms)
        assert g.degree == max(map(sum, g.terms)) and isinstance(g.degree, int)
        assert isinstance(g.latex(), str) and "=" in g.latex()
        assert hasattr(g, "residual") == (kind in MEASURED)
        assert hasattr(g, "standard_errors") == (kind in ESTIMATED)
        if kind in MEASURED:
            assert isinstance(g.residual, float) and g.residual >= 0
        if kind in ESTIMATED:
            assert all(error >= 0 for error in g.standard_errors.values())


def test_short_forms(result):
    assert result.exprs == tuple(g.expr for g in result.polynomials)
    assert all(isinstance(poly, sympy.Poly) and poly.domain == sympy.QQ for poly in result.polys)


def test_status_and_message(result):
    assert isinstance(result.status, symknot.Status) and result.status.ok
    assert isinstance(result.message, str)
    assert isinstance(result.status.advice, str) and result.status.advice


def test_knots_satisfy_the_equations(result, kind):
    assert isinstance(result.knots, np.ndarray) and result.knots.shape[1] == len(result.names)
    assert len(result.knots) and np.isfinite(result.knots).all()
    for poly in result.polys:
        values = [float(poly.eval(dict(zip(result.variables, map(sympy.Float, knot))))) for knot in result.knots[::25]]
        assert np.abs(values).max() < 0.1, kind


def test_noise_is_one_number_per_variable(result, kind):
    assert hasattr(result, "noise") == (kind in NOISY)
    if kind in NOISY:
        assert isinstance(result.noise, np.ndarray) and result.noise.shape == (len(result.names),)
        assert (result.noise[np.isfinite(result.noise)] >= 0).all()


def test_runs_where_they_are_kept(result, kind):
    assert hasattr(result, "runs") == (kind in WITH_RUNS)
    if kind in WITH_RUNS:
        assert isinstance(result.runs, tuple) and all(run.states.ndim == 2 for run in result.runs)


def test_exact_algebra(result):
    basis = result.groebner()
    assert isinstance(basis, sympy.GroebnerBasis) and basis.gens == result.variables
    assert isinstance(result.dimension(), int) and isinstance(result.degree(), int)
    first = result.polys[0].as_expr()
    assert result.contains(first) is True and result.contains(first + 1) is False
    assert result.reduce(first) == 0 and result.reduce(first + 1) == 1
    assert isinstance(result.reduce(first + result.variables[0]), sympy.Expr)
    assert isinstance(result.is_radical(), bool)
    assert set(result.groebner(order="lex").exprs)


def test_for_the_eye(result):
    assert isinstance(str(result), str) and result.text() == str(result)
    assert result.latex().startswith("\\begin{aligned}") and result.latex(digits=3).startswith("\\begin{aligned}")
    assert isinstance(result.report(), str) and str(result).splitlines()[0] in result.report()
    assert isinstance(result._repr_html_(), str) and "<" in result._repr_html_()
    assert result._repr_latex_().startswith("$\\displaystyle ")
    assert repr(result).startswith(f"<{type(result).__name__}")


def test_for_programs(result, tmp_path):
    text = result.export("singular", tmp_path / "out.sing")
    assert (tmp_path / "out.sing").read_text() == text == result.to_singular()
    assert all(f"to_{target}" in dir(result) for target in symknot.export.TARGETS)


def test_saved_and_opened_again(result, tmp_path):
    result.save(tmp_path / "result.json")
    again = symknot.load(tmp_path / "result.json")
    assert type(again) is type(result) and str(again) == str(result)
    assert again.names == result.names and again.status is result.status and again.message == result.message
    np.testing.assert_allclose(again.knots, result.knots)
    again.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "result.json").read_bytes()


def test_pictures(result, kind, tmp_path):
    assert hasattr(result, "plot") == (kind in PLOTTED)
    if kind in PLOTTED:
        from matplotlib.figure import Figure

        assert isinstance(result.plot(path=tmp_path / "picture.png"), Figure)
        assert (tmp_path / "picture.png").stat().st_size > 1000


@pytest.mark.parametrize("method", ["groebner", "dimension", "degree", "contains", "reduce", "is_radical", "latex", "save",
                                    "export", "report", "text"])
def test_methods_are_methods_everywhere_and_take_the_same_options(results, method):
    common = [name for name in inspect.signature(getattr(Result, method)).parameters]
    for result in results.values():
        own = list(inspect.signature(getattr(type(result), method)).parameters)
        assert own[: len(common)] == common, type(result).__name__


@pytest.mark.parametrize("name", ["polynomials", "exprs", "polys", "names", "variables", "status", "message", "knots"])
def test_properties_are_properties_everywhere(results, name):
    for result in results.values():
        assert not callable(getattr(result, name)), type(result).__name__
