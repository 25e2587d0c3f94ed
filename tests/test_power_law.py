"""Power laws: whole exponents and constants recovered from the logarithms, and none where there is none."""

import numpy as np
import pytest
import sympy

import symknot
from symknot.cli import main
from symknot.fitting.binomial import binomial_recursion, log_likelihood, preferred
from symknot.fitting.power_law import PowerLaw, exponent_vectors, find_power_law
from symknot.reading.points import read_points

AXES = np.array([0.387, 0.723, 1, 1.524, 5.203, 9.537, 19.19, 30.07])
YEARS = np.array([0.241, 0.615, 1, 1.881, 11.86, 29.46, 84.01, 164.8])
PLANETS = np.c_[AXES, YEARS]
KILOMETRES, DAYS = 1.495978707e8, 365.25
a, T = sympy.symbols("a T")


def law_of(X, **options):
    return find_power_law(X, np.full(len(X), 1 / len(X)), **options)


def gas(seed, n=20, noise=0.02):
    """p V = n R T, noise in all four."""
    rng = np.random.default_rng(seed)
    V, temperature, moles = np.exp(rng.uniform([[0], [5], [-1]], [[3], [6.5], [1]], (3, n)))
    X = np.c_[8.314 * moles * temperature / V, V, moles, temperature]
    return X * np.exp(noise * rng.normal(size=X.shape))


def allometry(seed, n=50, noise=0.05):
    """B = 3.4 m^(3/4) over four decades."""
    rng = np.random.default_rng(seed)
    mass = np.exp(rng.uniform(0, 9, n))
    return np.c_[mass, 3.4 * mass**0.75] * np.exp(noise * rng.normal(size=(n, 2)))


@pytest.fixture(scope="module")
def kepler():
    return symknot.fit(PLANETS, names=["a", "T"])


def test_keplers_third_law_from_eight_planets(kepler):
    assert kepler.exact().exprs == (a**3 - T**2,) and kepler.exact().certificate.verify()
    assert str(kepler).startswith("a**3 = T**2 ") and kepler.status is symknot.Status.FOUND
    assert "power law" in kepler.message and kepler.latex().splitlines()[1] == "a^{3} &= T^{2}"
    assert list(kepler.groebner().exprs) == [a**3 - T**2]
    assert abs(kepler.evaluate(kepler.knots)).max() < 1e-9


def test_in_other_units_the_constant_has_its_error():
    """a^3 / T^2 is G M / (4 pi^2): one in astronomical units and years."""
    ideal = symknot.fit(PLANETS * [KILOMETRES, DAYS], names=["a", "T"], form="binomial")
    (equation,) = ideal.readable(simplify=False).polynomials
    assert list(equation.terms) == [(3, 0), (0, 2)]
    value, error = -float(equation.terms[0, 2]), equation.standard_errors[0, 2]
    truth = KILOMETRES**3 / DAYS**2
    assert abs(value - truth) < 3 * error and error < 1e-3 * truth
    assert ideal.readable().polynomials[0].text() == "a**3 = 2.51e+19*T**2"


def test_units_change_nothing_but_the_constant():
    for seed in range(10):
        scales = np.exp(np.random.default_rng(seed).uniform(-20, 20, 4))
        one, other = law_of(gas(seed)), law_of(gas(seed) * scales)
        assert one.exponents.tolist() == other.exponents.tolist()
        np.testing.assert_allclose(other.logs, one.logs + one.exponents @ np.log(scales), atol=1e-9)
        assert other.noise == pytest.approx(one.noise)


def test_the_gas_law_is_found_by_itself():
    for seed in range(10):
        ideal = symknot.fit(gas(seed), names=["p", "V", "n", "T"])
        (terms,) = [g.terms for g in ideal.readable(simplify=False).polynomials]
        assert list(terms) == [(1, 1, 0, 0), (0, 0, 1, 1)]
        error = ideal.readable().polynomials[0].standard_errors[0, 0, 1, 1]
        assert abs(-float(terms[0, 0, 1, 1]) - 8.314) < 4 * error
        assert ideal.law.noise == pytest.approx(0.02, rel=0.6)


def test_errors_of_constants_are_what_they_say():
    laws = [law for law in map(law_of, map(gas, range(200))) if law is not None]
    assert len(laws) > 190 and all(law.exponents.tolist() == [[1, 1, -1, -1]] for law in laws)
    scores = [(law.logs[0] - np.log(8.314)) / np.sqrt(law.covariance[0, 0]) for law in laws]
    assert np.std(scores) == pytest.approx(1, abs=0.2) and abs(np.mean(scores)) < 0.25


def test_true_exponents_are_rarely_rejected():
    """At the level of one per cent."""
    found = [law_of(allometry(seed), claimed=True) for seed in range(200)]
    assert sum(law is None or law.exponents.tolist() != [[3, -4]] for law in found) <= 7


def test_exponents_that_may_be_chance_are_for_those_who_ask():
    ideal = symknot.fit(allometry(0), names=["m", "B"], form="binomial")
    assert [sorted(g.terms) for g in ideal.readable().polynomials] == [[(0, 4), (3, 0)]]
    assert "chance" in ideal.message
    assert symknot.fit(allometry(0)).law is None


@pytest.mark.parametrize("d, n", [(2, 4), (2, 100), (3, 30), (4, 300), (6, 100)])
def test_clouds_have_no_law(d, n):
    """Lognormal clouds, round, long along the axes, and long in any direction: at most one per cent by chance."""
    found = np.zeros(4)
    for seed in range(200):
        rng = np.random.default_rng([d, n, seed])
        Z = rng.normal(size=(n, d))
        found += [law_of(np.exp(Z)) is not None, law_of(np.exp(Z), claimed=True) is not None,
                  law_of(np.exp(Z * rng.uniform(1, 3, d))) is not None, law_of(np.exp(Z @ rng.normal(size=(d, d)))) is not None]
    assert found.max() <= 4 and found.sum() <= 8


def test_two_laws_at_once():
    """z = 2 x y and w = x^2 / y."""
    rng = np.random.default_rng(0)
    x, y = np.exp(rng.uniform(-2, 3, (2, 30)))
    X = np.c_[x, y, 2 * x * y, x**2 / y]
    ideal = symknot.fit(X * np.exp(0.01 * rng.normal(size=X.shape)))
    x1, x2, x3, x4 = ideal.variables
    assert set(ideal.exact().exprs) == {x1 * x2 - x3 / 2, x1**2 - x2 * x4}
    assert ideal.exact().certificate.verify() and ideal.dimension() == 2


def test_the_exponents_generate_all_whole_vectors_in_their_span():
    """x y = u^2 and x = y v^2 give x = u v: without it the two would have an index of 2."""
    rng = np.random.default_rng(1)
    x, y = np.exp(rng.uniform(-3, 3, (2, 40)))
    X = np.c_[x, y, np.sqrt(x * y), np.sqrt(x / y)]
    law = law_of(X * np.exp(0.005 * rng.normal(size=X.shape)))
    assert len(law.exponents) == 2
    minors = [round(np.linalg.det(law.exponents[:, [i, j]])) for i in range(4) for j in range(i)]
    assert np.gcd.reduce(minors) == 1
    for v in ([1, 0, -1, -1], [0, 1, -1, 1]):
        assert np.linalg.matrix_rank(np.vstack([law.exponents, v])) == 2


def test_high_degrees_over_many_decades_are_exact():
    x = np.logspace(-4, 4, 40)
    X = np.c_[x, 5 * x**1.4] * np.exp(0.002 * np.random.default_rng(0).normal(size=(40, 2)))
    ideal = symknot.fit(X, form="binomial")
    (terms,) = [g.terms for g in ideal.polynomials]
    assert set(terms) == {(7, 0), (0, 5)}
    assert ideal.distance(ideal.knots).max() < 1e-9
    assert ideal.knot_residuals.max() < 1e-9 and ideal.exact().certificate.verify()


def test_binomials_as_recursions():
    """Every coefficient comes out as it went in, whatever the two degrees are."""
    exponents = np.array([[1, -1, 0], [2, 1, 0], [0, 3, -5], [4, -1, -2]])
    knots = np.exp(np.random.default_rng(0).normal(size=(20, 3)))
    recursion = binomial_recursion(exponents, knots, np.full(20, 0.05))
    values = recursion.evaluate(knots, derivatives=True)
    in_order = exponents[np.argsort([1, 3, 5, 4])]
    sides = [[np.prod(knots ** np.maximum(sign * v, 0), axis=1) for v in in_order] for sign in (1, -1)]
    np.testing.assert_allclose(np.mean(np.sum(values.dG**2, axis=1), axis=0), 1)
    sizes = values.G / (np.array(sides[0]) - np.array(sides[1])).T
    np.testing.assert_allclose(sizes, np.broadcast_to(sizes[0], sizes.shape), rtol=1e-9)


def test_constant_noise_stays_with_polynomials():
    rng = np.random.default_rng(0)
    x = rng.uniform(0.5, 20, 200)
    for X in (np.c_[x, 2 * x + 3], np.c_[x, 2 * x]):
        assert symknot.fit(X + 0.1 * rng.normal(size=X.shape)).law is None
    angle = np.linspace(0, 6.2, 200)
    circle = np.c_[np.cos(angle), np.sin(angle)] + 0.02 * rng.normal(size=(200, 2))
    assert symknot.fit(circle).law is None
    with pytest.raises(symknot.InvalidPoints, match="positive.*binomial"):
        symknot.fit(circle, form="binomial")


def test_the_likelihoods_prefer_the_noise_that_is_there():
    """y = 2 x either way: only the noise differs."""
    rng = np.random.default_rng(2)
    x = np.exp(rng.uniform(0, 4, 200))
    line = np.c_[x, 2 * x]
    for noisy, relative in ((line * np.exp(0.03 * rng.normal(size=line.shape)), True),
                            (line + 0.1 * rng.normal(size=line.shape), False)):
        fitted = symknot.fit(noisy, form="polynomial", max_degree=1)
        law = law_of(noisy, claimed=True)
        assert law.exponents.tolist() == [[1, -1]]
        assert preferred(law, noisy, read_points(noisy), fitted) is relative


def test_the_density_across_a_law_adds_up_to_one():
    """Along a normal of x y = 1 at (2, 1/2), by a sum over displacements."""
    law = PowerLaw(np.array([[1, 1]]), np.zeros(1), np.eye(1), 0.01, 0.0)
    normal = np.array([0.5, 2.0]) / np.hypot(0.5, 2.0)
    steps = np.linspace(-0.05, 0.05, 2001)
    density = [np.exp(log_likelihood(law, np.array([[2.0, 0.5] + step * normal]), np.ones(1), np.ones(2))) for step in steps]
    assert np.sum(density) * (steps[1] - steps[0]) == pytest.approx(1, rel=2e-3)


def test_form_polynomial_is_never_overruled(kepler):
    plain = symknot.fit(PLANETS, form="polynomial")
    assert plain.law is None and kepler.law is not None
    assert symknot.fit(PLANETS, 1.0, max_degree=1).law is None


def test_new_points_are_judged_by_their_logarithms(kepler):
    ceres = [2.767, 4.60]
    assert kepler.contains(ceres) is True and kepler.contains([2.767, 5.0]) is False
    np.testing.assert_allclose(kepler.project([4.0, 8.0 * 1.01])[1], kepler.project([4.0, 8.0 * 1.01])[0] ** 1.5, rtol=1e-3)
    off = np.log(1.01) * 2 / np.sqrt(13)
    shift = kepler.law.logs[0]
    assert kepler.distance([4.0, 8.08]) == pytest.approx((off + shift / np.sqrt(13)) / kepler.law.noise, rel=1e-9)
    assert np.isnan(kepler.distance([-1.0, 1.0])) and not kepler.contains([-1.0, 1.0])


def test_saved_and_opened(kepler, tmp_path):
    kepler.save(tmp_path / "kepler.json")
    opened = symknot.load(tmp_path / "kepler.json")
    assert str(opened) == str(kepler) and opened.exact().exprs == kepler.exact().exprs
    assert opened.law.noise == kepler.law.noise and opened.distance([1, 2]) == kepler.distance([1, 2])
    text = (tmp_path / "kepler.json").read_text()
    (tmp_path / "wrong.json").write_text(text.replace('"chance"', '"change"'))
    with pytest.raises(symknot.InvalidModel):
        symknot.load(tmp_path / "wrong.json")


def test_nothing_found_says_so():
    ideal = symknot.fit(np.exp(np.random.default_rng(0).normal(size=(50, 3))), form="binomial")
    assert ideal.polynomials == () and ideal.status is symknot.Status.NOTHING_FOUND and not ideal.status.ok
    assert "no power law" in str(ideal) and ideal.contains([1, 2, 3]) is True


def test_exact_data_and_repeated_points():
    x = np.array([1.0, 2, 3, 4, 6, 12, 24])
    exact = np.repeat(np.c_[x, 24 / x], 3, axis=0)
    ideal = symknot.fit(exact, form="binomial")
    assert ideal.exact().exprs == (sympy.sympify("x*y - 24"),)
    assert len(ideal.knots) == 7 and ideal.knot_weights.tolist() == pytest.approx([3] * 7)
    many = np.linspace(1, 30, 40)
    assert symknot.fit(np.c_[many, 24 / many]).law is None


@pytest.mark.parametrize("options, message", [
    ({"form": "power"}, "form.*'binomial'"), ({"form": "binomial", "epsilon": 0.1}, "epsilon.*relative"),
    ({"form": "binomial", "noise": [1, 1]}, "noise.*relative"), ({"form": "binomial", "max_degree": 0}, "max_degree")])
def test_wrong_options_are_named(options, message):
    with pytest.raises(symknot.InvalidOption, match=message):
        symknot.fit(PLANETS, **options)


def test_too_few_points():
    with pytest.raises(symknot.InvalidPoints, match="at least 4"):
        symknot.fit(PLANETS[:3], form="binomial")
    assert symknot.fit(PLANETS[[0, 3, 5, 7]], form="binomial").law.exponents.tolist() == [[3, -2]]


def test_vectors_are_all_there_and_simplest_first():
    vectors, simpler = exponent_vectors(3, 2)
    rows = [tuple(v) for v in vectors.tolist()]
    assert len(set(rows)) == len(rows) and (1, -2, 0) in rows and (1, 1, -2) in rows and (2, -2, 0) not in rows
    assert not any(tuple(-e for e in row) in rows for row in rows) and not any(np.count_nonzero(row) < 2 for row in rows)
    assert (np.diff(simpler) >= 0).all() and simpler[-1] == len(rows)


def test_on_the_command_line(tmp_path, capsys):
    np.savetxt(tmp_path / "planets.csv", PLANETS, delimiter=",", header="a,T", comments="")
    assert main(["fit", str(tmp_path / "planets.csv"), "--form", "binomial"]) == 0
    assert "a**3 = T**2" in capsys.readouterr().out
