"""The noise of each variable, estimated with the equations: known answers, units, unequal and unusual noise."""

import numpy as np
import pytest

import symknot
from symknot.fitting.finding import find_equations
from symknot.fitting.noise import noise_levels, normals, normals_of_planes, second_moments
from symknot.reading.points import read_points
from tests.varieties import BY_NAME, recovery_angle, spread


def circle(rng, n, noise):
    t = rng.uniform(0, 2 * np.pi, n)
    return np.c_[np.cos(t), np.sin(t)] + rng.normal(size=(n, 2)) * noise


def degrees(ideal):
    return sorted(g.degree for g in ideal.polynomials)


def test_levels_of_a_circle_are_those_of_its_noise():
    rng = np.random.default_rng(0)
    X = circle(rng, 4000, [0.01, 0.04])
    values = np.sum(X**2, axis=1)[:, None] / 2 - 0.5
    found = normals(values, X[:, :, None], np.ones_like(X))
    levels = noise_levels(found, np.full(4000, 1 / 4000), 4000, np.array([True, True]))
    assert levels.sizes == pytest.approx([0.01, 0.04], rel=0.1)
    assert 0.01 < levels.errors.min() < levels.errors.max() < 0.05       # about 1 / sqrt(N), the quiet one less surely


def test_a_line_determines_only_one_combination_and_the_prior_shares_it_out():
    rng = np.random.default_rng(1)
    x = rng.uniform(-1, 1, 2000)
    X = np.c_[x, x] + 0.05 * rng.normal(size=(2000, 2))
    slopes = np.broadcast_to(np.array([1, -1]) / np.sqrt(2), X.shape)[:, :, None]
    found = normals((X @ [1, -1])[:, None] / np.sqrt(2), slopes, np.ones_like(X))
    levels = noise_levels(found, np.full(2000, 1 / 2000), 2000, np.array([True, True]))
    assert levels.sizes == pytest.approx([0.05, 0.05], rel=0.05)
    assert levels.errors.min() > 0.5


def test_normals_of_more_equations_than_the_codimension():
    # x = 0 and 2 x = 0 and y = 0 at points of the plane: two normals
    X = np.array([[0.1, 0.2], [-0.3, 0.4]])
    slopes = np.broadcast_to(np.array([[1.0, 2.0, 0.0], [0.0, 0.0, 1.0]]), (2, 2, 3))
    found = normals(np.c_[X[:, 0], 2 * X[:, 0], X[:, 1]], slopes, np.ones_like(X))
    assert found.steps == pytest.approx(X)
    assert found.strong.all()


def pay_slips(rng, loud):
    """Hours, rate, gross pay, pension, tax and net pay: three linear laws and a product, much noise in one column."""
    hours, rate = rng.uniform(2, 8, 500), rng.uniform(1, 3, 500)
    gross = hours * rate
    exact = np.c_[hours, rate, gross, 0.3 * gross, 0.1 * gross, 0.6 * gross]
    return exact + rng.normal(size=exact.shape) * np.where(np.arange(6) == loud, 0.12, 0.012)


def test_planes_have_the_normals_of_all_points_and_their_second_moments_tell_the_noise():
    rng = np.random.default_rng(3)
    slopes, metric = rng.normal(size=(4, 2)), np.array([1.0, 0.3, 2.0, 1.0])
    values, weights = rng.normal(size=(300, 2)) @ [[1.0, 0.5], [0.0, 0.2]], np.full(300, 1 / 300)
    each = normals(values, np.broadcast_to(slopes, (300, 4, 2)), np.broadcast_to(metric, (300, 4)))
    found = normals_of_planes(values, slopes, metric)
    assert found.steps == pytest.approx(each.steps, abs=1e-12)
    everyone, involved = noise_levels(each, weights, 300, np.ones(4, bool)), np.ones(4, bool)
    few = noise_levels(*second_moments(found, weights), 300, involved)
    assert few.sizes == pytest.approx(everyone.sizes, rel=1e-6)
    assert few.information == pytest.approx(everyone.information, rel=1e-6)


@pytest.mark.parametrize("loud", [0, 2, 4, 5])
def test_a_loud_linear_law_beside_quiet_ones(loud):
    ideal = symknot.fit(pay_slips(np.random.default_rng(loud), loud))
    assert degrees(ideal) == [1, 1, 1, 2]
    determined = np.isfinite(ideal.noise_errors)
    assert determined[loud] and ideal.noise[loud] == pytest.approx(0.12, rel=0.2)


@pytest.mark.parametrize("noise", [(0.02, 0.02), (0.02, 0.2), (0.0, 0.05)])
def test_noise_of_each_variable_is_reported(noise):
    ideal = symknot.fit(circle(np.random.default_rng(2), 1000, noise), names=["x", "y"])
    assert degrees(ideal) == [2]
    loud = max(noise)
    for found, true, error in zip(ideal.noise, noise, ideal.noise_errors):
        assert abs(found - true) < (0.2 * true if true > 0.1 * loud else 0.2 * loud)
        assert true < 0.1 * loud or error < 0.2 * true


@pytest.mark.parametrize("name", ["ellipse", "sphere", "twisted cubic", "line in space", "hyperbola"])
def test_units_of_the_columns_do_not_matter(name):
    variety = BY_NAME[name]
    X = variety.noisy(np.random.default_rng(3), 400, 0.02)
    plain = symknot.fit(X)
    rng = np.random.default_rng(4)
    factors = 10.0 ** rng.integers(-12, 13, X.shape[1])
    scaled = symknot.fit(X * factors)
    assert degrees(scaled) == degrees(plain) == sorted(variety.degrees)
    back = [g.poly.as_expr().subs(dict(zip(scaled.variables, [v * float(f) for v, f in zip(scaled.variables, factors)])),
                                  simultaneous=True) for g in scaled.polynomials]
    import sympy
    polys = [sympy.Poly(g, *scaled.variables) for g in back]
    assert recovery_angle(polys, variety, X.mean(axis=0), spread(X)) < 10
    assert np.allclose(scaled.noise / factors, plain.noise, rtol=0.05)


@pytest.mark.parametrize("kind", ["uniform", "laplace", "rounded", "pointwise", "proportional"])
@pytest.mark.parametrize("name", ["circle", "two quadrics", "tilted circle"])
def test_noise_of_other_shapes(kind, name):
    variety, rng, n = BY_NAME[name], np.random.default_rng(5), 1500
    X = variety.sampler(rng, n)
    size = 0.03 * spread(X)
    if kind == "uniform":
        X = X + rng.uniform(-1, 1, X.shape) * np.sqrt(3) * size
    elif kind == "laplace":
        X = X + rng.laplace(size=X.shape) * size / np.sqrt(2)
    elif kind == "rounded":
        X = np.round(X, 2)
    elif kind == "pointwise":
        X = X + rng.normal(size=X.shape) * size * np.exp(0.7 * rng.normal(size=(n, 1))) / 1.6
    else:
        X = X * (1 + 0.03 * rng.normal(size=X.shape))
    assert degrees(symknot.fit(X)) == sorted(variety.degrees)


def test_epsilon_is_in_the_values_of_the_fit_where_noise_is_proportional():
    """The search divides by slopes times the noise of each point, the fit by slopes alone: on two circles 1.4 times more."""
    rng = np.random.default_rng(3)
    t = rng.uniform(0, 2 * np.pi, 600)
    X = rng.choice([0.5, 1.0], 600)[:, None] * np.c_[np.cos(t), np.sin(t)]
    X = X * (1 + 0.03 * rng.normal(size=X.shape))
    finding, ideal = find_equations(read_points(X), 4, "relative"), symknot.fit(X, noise="relative", max_degree=4)
    own, fitted = finding.spectrum.gap, finding.gap_as_fitted
    assert degrees(ideal) == [4] and fitted.noise > 1.2 * own.noise
    assert fitted.noise == pytest.approx(ideal.polynomials[0].residual, rel=0.05)
    assert fitted.epsilon / fitted.noise == pytest.approx(own.epsilon / own.noise)
    even = find_equations(read_points(circle(rng, 300, 0.02)))
    assert even.gap_as_fitted == even.spectrum.gap


def test_relative_noise_and_noise_of_each_value_can_be_said():
    rng = np.random.default_rng(6)
    t = rng.uniform(0, 2 * np.pi, 600)
    truth = np.c_[3 + np.cos(t), 2 + np.sin(t)]
    size = 0.02 * truth
    X = truth + size * rng.normal(size=truth.shape)
    assert degrees(symknot.fit(X, noise="relative")) == [2]
    assert degrees(symknot.fit(X, noise=size)) == [2]
    with pytest.raises(symknot.InvalidOption, match="noise must be 'auto', 'equal', 'relative', or standard deviations"):
        symknot.fit(X, noise="loud")
    with pytest.raises(symknot.InvalidOption, match="positive"):
        symknot.fit(X, noise=size * [1, 0])
    with pytest.raises(symknot.InvalidOption, match="epsilon must be left out with noise='relative'"):
        symknot.fit(X, 0.02, noise="relative")


def test_epsilon_as_the_noise_says_the_same_as_auto():
    rng = np.random.default_rng(7)
    for name in ("circle", "twisted cubic", "tilted circle", "4 points in space"):
        variety = BY_NAME[name]
        X = variety.noisy(rng, 300, 0.03)
        assert degrees(symknot.fit(X, 0.03 * spread(variety.sampler(rng, 5000)))) == sorted(variety.degrees)


def test_a_yes_no_column_beside_a_noisy_circle():
    rng = np.random.default_rng(8)
    X = np.c_[circle(rng, 500, 0.02), rng.integers(0, 2, 500)]
    lines = str(symknot.fit(X, names=["x", "y", "q"])).splitlines()
    assert lines[0].startswith("x**2 + y**2 = 1 ") and lines[1].startswith("q**2 - q = 0 ")


def test_clean_curves_that_are_no_algebraic_set_end_in_words():
    u = np.sort(np.random.default_rng(9).uniform(0.5, 6, 300))
    for function in (np.sin, np.exp, np.log):
        ideal = symknot.fit(np.round(np.c_[u, function(u)], 10), names=["u", "v"])
        assert ideal.message
