"""What a person sees, and what sympy is given."""

import json

import numpy as np
import pytest
import sympy

import symknot
from symknot.cli import main

from .test_readable import noisy

x, y, z = sympy.symbols("x y z")


@pytest.fixture(scope="module")
def circle():
    return symknot.fit(noisy("circle", 0.05))


@pytest.fixture(scope="module")
def cubic():
    return symknot.fit(noisy("twisted cubic", 0.02))


def test_text_shows_equation_knots_and_status(circle):
    lines = str(circle).splitlines()
    assert lines[0].startswith("x**2 + y**2 = 1   +/- 0.05")
    assert lines[1].startswith("500 knots for 500 points; the equations vanish on them within")
    assert lines[2].startswith("settled: ")


def test_estimates_show_as_many_digits_as_the_data_determine(circle):
    line = circle.text(simplify=False).splitlines()[0]
    (row,) = circle.uncertainty()
    value, error = float(row.terms[0, 2]), row.standard_errors[0, 2]
    shown = float(line.split("*y**2")[0].split()[-1])
    assert 0 < abs(shown - value) <= error
    fixed = circle.text(digits=3, simplify=False).splitlines()[0]
    assert f"{float(f'{value:.3g}')}" in fixed


def test_latex_and_html(circle, cubic):
    assert circle.latex() == "\\begin{aligned}\nx^{2} + y^{2} &= 1\n\\end{aligned}"
    assert cubic.latex().count("&=") == 3
    assert circle._repr_latex_().startswith("$\\displaystyle \\begin{aligned}")
    html = circle._repr_html_()
    assert 'title="x**2 + y**2 = 1"' in html and "<math" in html and "500 knots for 500 points" in html


def test_names_of_any_kind(tmp_path):
    points = noisy("circle", 0.02)
    ideal = symknot.fit(points, names=["cell count & <b>", "2nd"])
    assert str(ideal).startswith("cell_count_b**2 + v2nd**2 = 1")
    assert str(ideal).endswith("cell_count_b stands for cell count & <b>\nv2nd stands for 2nd")
    assert r"{\text{cell count }\&\ {<}\text{b}{>}}^{2} + \text{2nd}^{2}" in ideal.latex()
    assert "<p>cell_count_b stands for cell count &amp; &lt;b&gt;</p>" in ideal._repr_html_()
    ideal.save(tmp_path / "m.json")
    assert symknot.load(tmp_path / "m.json").names == ("cell count & <b>", "2nd")


def test_hostile_names_are_never_run(tmp_path):
    name = f"__import__('os').system('touch {tmp_path / 'run'}')"
    ideal = symknot.fit(noisy("circle", 0.02), names=[name, "y"])
    str(ideal), ideal.latex(), ideal._repr_html_(), ideal.evaluate(ideal.knots[:2]), ideal.groebner()
    ideal.polynomials[0].lambdify()(1.0, 2.0)
    assert not (tmp_path / "run").exists()


def test_own_symbols_keep_their_assumptions():
    symbols = sympy.symbols("a b", positive=True)
    ideal = symknot.fit(noisy("circle", 0.02), names=symbols)
    assert ideal.variables == symbols
    assert ideal.polynomials[0].expr.free_symbols == set(symbols)
    assert ideal.names == ("a", "b")


def test_sympy_gets_rational_polynomials(cubic):
    assert {polynomial.as_expr() for polynomial in cubic.polys} == {x**2 - y, x * y - z, y**2 - x * z}
    assert all(polynomial.domain == sympy.QQ for polynomial in cubic.polys)
    basis = cubic.groebner(order="lex")
    assert basis.contains(y**3 - z**2)
    assert cubic.reduce(x**3 - z) == 0
    assert cubic.reduce(x**3) == z and isinstance(cubic.reduce(x**3), sympy.Expr)
    assert cubic.reduce(sympy.Poly(x * y, x, y, z)) == z


def test_solving_on_the_small_set():
    ideal = symknot.fit(noisy("line in space", 0.02))
    (solution,) = ideal.solve(x, y)
    assert solution == {x: sympy.Rational(1, 2) - z, y: 2 - 2 * z}


def test_equations_that_contradict_each_other_are_not_handed_over():
    """Rounded one by one they have no common zero; what is handed over are the exact ones, which have."""
    rng = np.random.default_rng(3)
    points = np.array([(0, 0, 0), (1, 0, 0.21357), (0.03159, 1, 0.3), (0.2, 0.11313, 1)])[rng.integers(0, 4, 500)]
    ideal = symknot.fit(points + 0.02 * rng.normal(size=points.shape))
    with pytest.raises(symknot.InconsistentEquations, match=r"their ideal is \(1\)"):
        ideal.readable().groebner()
    assert ideal.dimension() == 0 and ideal.degree() == 4
    assert set(ideal.groebner().exprs) == set(ideal.exact().vanishing_ideal().groebner().exprs)


def test_wrong_requests_are_named(circle):
    with pytest.raises(symknot.InvalidOption, match="in the variables x, y"):
        circle.reduce(z)
    with pytest.raises(symknot.InvalidOption, match="text is never evaluated"):
        circle.reduce("x**2")
    with pytest.raises(symknot.InvalidOption, match="among x, y"):
        circle.solve(z)
    with pytest.raises(symknot.InvalidOption, match="digits must be"):
        circle.text(digits=0)


def test_an_empty_ideal_prints_and_hands_over():
    ideal = symknot.fit(np.random.default_rng(0).normal(size=(300, 2)))
    assert ideal.polynomials == ()
    assert str(ideal).startswith("no equation\nno_gap:")
    assert ideal._repr_latex_() is None and "no equation" in ideal._repr_html_()
    assert ideal.polys == () and ideal.reduce(x) == x
    assert len(ideal.readable()) == 0 and str(ideal.readable()) == "no equation"


def test_show(circle, tmp_path, capsys):
    path = tmp_path / "circle.json"
    circle.save(path)
    assert main(["show", str(path)]) == 0
    estimates = capsys.readouterr().out
    assert estimates.startswith("x**2 + ") and "= 1   +/-" not in estimates
    assert main(["show", str(path), "--readable"]) == 0
    readable = capsys.readouterr().out
    assert readable.startswith("x**2 + y**2 = 1   +/- 0.05") and "equation 1, simplified: distance" in readable
    assert main(["show", str(path), "--latex", "--readable"]) == 0
    assert capsys.readouterr().out == circle.latex() + "\n"
    assert main(["show", str(path), "--digits", "2"]) == 0
    assert main(["show", str(path), "--digits", "0"]) == 2
    assert "digits must be" in capsys.readouterr().err
    assert json.loads(path.read_text())["version"] == 2


def test_a_variable_without_an_equation_is_named():
    rng = np.random.default_rng(0)
    t = rng.uniform(0, 2 * np.pi, 400)
    points = np.c_[np.cos(t), np.sin(t), rng.uniform(-1, 1, (400, 2))] + 0.01 * rng.normal(size=(400, 4))
    lines = str(symknot.fit(points, names=["x", "y", "u", "v"])).splitlines()
    assert "u, v are in no equation" in lines
    assert not any("in no equation" in line for line in str(symknot.fit(points[:, :2])).splitlines())


def test_standard_errors_of_many_knots_are_those_of_an_even_sample(monkeypatch):
    from symknot.symbolic import uncertainty
    angle = np.random.default_rng(0).uniform(0, 2 * np.pi, 2000)
    points = np.c_[np.cos(angle), np.sin(angle)] + 0.01 * np.random.default_rng(1).normal(size=(2000, 2))
    whole, thinned = (symknot.fit(points, 0.01, max_degree=2, noise="equal") for _ in range(2))
    expected, shown = whole.uncertainty()[0], str(whole)
    monkeypatch.setattr(uncertainty, "MOST_KNOTS", 500)
    found = thinned.uncertainty()[0]
    assert str(thinned) == shown and found.terms.keys() == expected.terms.keys()
    for term, error in expected.standard_errors.items():
        assert abs(found.standard_errors[term] - error) <= 0.1 * error
    assert len(thinned.readable().knots) == len(thinned.knots) == len(whole.knots)
