"""Equations of motion from noisy runs, compared with the equations the runs were made from."""

import numpy as np
import pytest
import sympy
from scipy.integrate import solve_ivp

from symknot.ground.errors import InvalidOption, InvalidPoints, Status
from symknot.sysid.laws.identify import identify
from symknot.sysid.runs.trajectories import Trajectories
from tests.dynamics import BY_NAME, same_supports


def measured(rate, starts, t, noise, seed=0, **options):
    rng = np.random.default_rng(seed)
    runs = []
    for start in starts:
        x = solve_ivp(rate, (t[0], t[-1]), start, t_eval=t, rtol=1e-9, atol=1e-11, **options).y.T
        runs.append(x + noise * x.std(axis=0) * rng.normal(size=x.shape))
    return runs


def polynomials(model):
    """Estimates as dictionaries over the arguments."""
    symbols = [sympy.Symbol(name) for name in model.arguments]
    return [{e: float(c) for e, c in sympy.Poly(side, *symbols).terms() if c}
            for side in model.right_hand_sides.values()]


def benchmark(name, noise, seed=0, **options):
    system = BY_NAME[name]
    runs = system.data(noise, seed)
    times = [t for t, _ in runs] if system.kind == "flow" else None
    data = Trajectories([x for _, x in runs], time=times, names=system.names)
    return system, identify(data, system.degree, kind=system.kind, lags=system.lags, **options)


def van_der_pol(_, x):
    return [x[1], (1 - x[0] ** 2) * x[1] - x[0]]


@pytest.mark.parametrize("name, noise, error", [
    ("lorenz", 10, 0.004), ("van der pol", 10, 0.009), ("henon map", 10, 0.005), ("logistic map", 10, 0.002),
    ("logistic map", 0, 1e-6), *(pytest.param(*slow, marks=pytest.mark.slow) for slow in (
        ("henon-heiles", 10, 0.005), ("lorenz", 0, 1e-5))),
])
def test_known_systems(name, noise, error):
    system, model = benchmark(name, noise, seed=50)
    found = polynomials(model)
    assert same_supports(found, system.truth)
    assert system.error(found) < error
    assert model.message == "" and model.kind == system.kind


def test_values_near_one_and_states_on_the_model():
    """The states are nearer to the truth than the data, and lead to each other along the identified flow."""
    system, model = benchmark("lorenz", 5, seed=51)
    assert np.abs(model.values - 1).max() < 0.05
    assert np.allclose(model.state_noise, 0.05 * system.scales, rtol=0.05)
    truth, run = system.clean[0][1], model.runs[0]
    assert np.sqrt(np.mean((run.states - truth) ** 2)) < 0.1 * np.sqrt(np.mean((run.measured - truth) ** 2))

    def rate(_, x):
        return model.field.values(model.coefficients, x[:, None])[:, 0]

    for i in (10, 4000, 9000):
        ahead = solve_ivp(rate, run.times[[i, i + 1]], run.states[i], rtol=1e-10, atol=1e-10).y[:, -1]
        assert np.abs(ahead - run.states[i + 1]).max() < 1e-3 * model.state_noise.max()
    assert model.runs[0].states.shape == truth.shape


def test_exact_numbers():
    _, model = benchmark("lorenz", 5, seed=52)
    x, y, z, dx, dy, dz = sympy.symbols("x y z x' y' z'")
    assert model.exact_right_hand_sides == {
        "x'": 10 * y - 10 * x, "y'": 28 * x - y - x * z, "z'": x * y - sympy.Rational(8, 3) * z}
    assert [sympy.expand(e) for e in model.exprs] == [
        dx + 10 * x - 10 * y, dy - 28 * x + y + x * z, dz - x * y + sympy.Rational(8, 3) * z]


@pytest.mark.slow
def test_standard_errors_are_the_scatter_of_repeated_experiments():
    t = np.linspace(0, 12, 300)
    estimates, errors = [], []
    for seed in range(40):
        model = identify(Trajectories(measured(van_der_pol, [[1, 0]], t, 0.03, seed), time=t), 3, form="polynomial")
        assert same_supports(polynomials(model), ({(0, 1): 1.0}, {(1, 0): -1.0, (0, 1): 1.0, (2, 1): -1.0}))
        estimates.append(model.coefficients)
        errors.append([term.error for term in model.estimates])
    ratio = np.std(estimates, axis=0) / np.mean(errors, axis=0)
    assert (ratio > 0.7).all() and (ratio < 1.4).all()
    assert (np.abs(np.mean(estimates, axis=0) - [1, -1, 1, -1]) < 4 * np.mean(errors, axis=0) / np.sqrt(40)).all()


@pytest.mark.parametrize("noise", [pytest.param(1, marks=pytest.mark.slow), 10])
def test_a_rational_right_hand_side(noise):
    _, model = benchmark("michaelis-menten", noise, seed=53)
    x = sympy.Symbol("x")
    wanted = (0.18 - 0.9 * x) / (0.3 + x)
    found = model.right_hand_sides["x'"]
    assert not found.is_polynomial(x)
    for value in (0.2, 1.0, 2.0):
        assert abs(float(found.subs(x, value) - wanted.subs(x, value))) < 0.02


def test_polynomials_are_not_taken_for_fractions():
    t = np.linspace(0, 15, 400)
    model = identify(Trajectories(measured(van_der_pol, [[1, 0]], t, 0.02), time=t), 3)
    assert model.field.is_polynomial


def test_second_order():
    t = np.linspace(0, 20, 600)
    runs = measured(lambda _, x: [x[1], -x[0] - 0.2 * x[1] - 0.5 * x[0] ** 3], [[2, 0]], t, 0.02)
    model = identify(Trajectories(runs[0][:, 0], time=t), 3, order=2)
    assert model.arguments == ("x", "x'") and model.targets == ("x''",)
    assert same_supports(polynomials(model), ({(1, 0): -1, (0, 1): -0.2, (3, 0): -0.5},))
    assert np.abs(model.coefficients - [-1, -0.2, -0.5]).max() < 0.05


def test_inputs():
    t = np.linspace(0, 20, 600)
    u = np.sin(1.3 * t) + 0.5 * np.sin(0.37 * t)
    runs = measured(lambda s, x: [x[1], -x[0] - 0.3 * x[1] + 2 * np.interp(s, t, u)], [[1, 0]], t, 0.02, max_step=0.03)
    model = identify(Trajectories(runs[0], time=t, inputs=u[:, None]), 2)
    assert {g.target: str(g.sides()[1]) for g in model.polynomials} == {"x'": "y", "y'": "2*u - x - 0.3*y"}


def test_uneven_sampling_and_several_runs_of_unequal_length():
    rng = np.random.default_rng(0)
    times = [np.sort(rng.uniform(0, 15, n)) for n in (500, 300)]
    runs = [measured(van_der_pol, [start], t, 0.02, seed)[0]
            for seed, (t, start) in enumerate(zip(times, ([1, 0], [-0.1, 2])))]
    model = identify(Trajectories(runs, time=times), 3)
    assert same_supports(polynomials(model), ({(0, 1): 1}, {(1, 0): -1, (0, 1): 1, (2, 1): -1}))
    assert [len(run.times) for run in model.runs] == [500, 300]


def test_samples_far_apart():
    """Steps of 0.5 are half a radian of this oscillator: the states between them are found as well."""
    t = np.arange(0, 60, 0.5)
    model = identify(Trajectories(measured(van_der_pol, [[1, 0]], t, 0.01), time=t), 3)
    assert same_supports(polynomials(model), ({(0, 1): 1}, {(1, 0): -1, (0, 1): 1, (2, 1): -1}))
    assert np.abs(np.abs(model.coefficients) - 1).max() < 0.02


def test_units_do_not_matter():
    t = np.linspace(0, 15, 400)
    runs = measured(van_der_pol, [[1, 0]], t, 0.02)
    plain = identify(Trajectories(runs, time=t), 3)
    other = identify(Trajectories([runs[0] * [1e5, 1e-3]], time=t * 1e-4), 3)
    size = {"x'": (1e5, 0), "y'": (1e-3, 0)}
    assert [(t.target, t.monomial) for t in plain.estimates] == [(t.target, t.monomial) for t in other.estimates]
    x, y = sympy.symbols("x y")
    for one, two in zip(plain.estimates, other.estimates):
        unit = size[one.target][0] * 1e4 / float(one.monomial.subs({x: 1e5, y: 1e-3}))
        assert np.isclose(two.estimate, one.estimate * unit, rtol=1e-6)
        assert np.isclose(two.error, one.error * unit, rtol=1e-3)


def test_static_responses_as_in_a_textbook():
    """Puromycin (Treloar 1974; Bates and Watts): R's nls gives 212.7 +/- 6.95 and 0.0641 +/- 0.0083."""
    dose = np.repeat([0.02, 0.06, 0.11, 0.22, 0.56, 1.10], 2)
    rate = np.array([76, 47, 97, 107, 123, 139, 159, 152, 191, 201, 207, 200.0])
    model = identify(Trajectories(rate, inputs=dose[:, None], names=["rate"]), 2, kind="static")
    (v, k) = model.estimates
    assert (v.monomial, k.monomial, k.in_denominator) == (sympy.Symbol("u"), 1, True)
    assert np.allclose([v.estimate, v.error, k.estimate, k.error], [212.7, 6.947, 0.06412, 0.00828], rtol=1e-3)
    assert np.isclose(model.state_noise[0], 10.93, rtol=1e-3)


def test_a_term_worth_no_more_than_a_bare_mention_is_an_alternative():
    """Puromycin, untreated cells: a constant in the numerator is significant (2 %), but hardly worth its price."""
    dose = np.repeat([0.02, 0.06, 0.11, 0.22, 0.56, 1.10], 2)[:-1]
    rate = np.array([67, 51, 84, 86, 98, 115, 131, 124, 144, 158, 160.0])
    model = identify(Trajectories(rate, inputs=dose[:, None], names=["rate"]), 2, kind="static")
    (v, k) = model.estimates
    assert (v.monomial, k.monomial, k.in_denominator) == (sympy.Symbol("u"), 1, True)
    assert np.allclose([v.estimate, v.error, k.estimate, k.error], [160.28, 6.480, 0.04771, 0.00778], rtol=1e-3)
    assert model.status is Status.UNDECIDED
    numerator = sympy.numer(sympy.together(model.alternatives[0].right_hand_sides["rate"]))
    assert sympy.Poly(numerator, sympy.Symbol("u")).eval(0) != 0
    assert "3 others cost no more, the nearest has more terms" in model.message


def test_implicit_relations():
    t = np.linspace(0, 20, 1000)
    noise = 0.02 * np.random.default_rng(0).normal(size=1000)
    data = Trajectories(np.sin(2 * t) + noise, time=t)
    model = identify(data, 2, form="implicit")
    x, dx = sympy.symbols("x x'")
    assert [sympy.expand(e) for e in model.exprs] == [x**2 + dx**2 / 4 - 1]
    branches = model.solve_for("x'")
    assert {sympy.simplify(b**2 + 4 * x**2) for b in branches} == {4}
    assert "x'" in str(model) and "noise" in model.report() and "skR" in model.to_singular()
    refused = identify(data, 2)
    assert refused.targets == () and "implicit" in refused.message


def test_mixed_derivatives_are_separated():
    t = np.linspace(0, 20, 1000)
    noise = 0.02 * np.random.default_rng(0).normal(size=(1000, 2))
    model = identify(Trajectories(np.c_[np.cos(2 * t), np.sin(2 * t)] + noise, time=t), 1, form="implicit")
    x, y, dx, dy = sympy.symbols("x y x' y'")
    assert set(model.reduced()) == {dx + 2 * y, dy - 2 * x}
    assert model.solve_for("x'") == -2 * y


def test_a_state_without_an_equation_becomes_an_input():
    rng = np.random.default_rng(5)
    s = np.linspace(0, 30, 800)
    y = 0.3 * np.cumsum(np.convolve(rng.normal(size=860), np.ones(61) / 61, "valid"))
    x = solve_ivp(lambda q, x: [np.interp(q, s, y) - x[0]], (0, 30), [0], t_eval=s, max_step=0.03, rtol=1e-8).y[0]
    data = np.c_[x, y]
    model = identify(Trajectories(data + 0.01 * data.std(axis=0) * rng.normal(size=data.shape), time=s), 2)
    assert model.targets == ("x'",) and model.input_names == ("y",)
    assert {g.target: str(g.sides()[1]) for g in model.polynomials} == {"x'": "-x + y"}
    assert "y'" in model.message and "counts as an input" in model.message


@pytest.mark.parametrize("kind", ["flow", "map"])
def test_no_relation_is_said_in_words(kind):
    noise = np.random.default_rng(0).normal(size=(300, 2))
    model = identify(Trajectories(noise, time=0.1 if kind == "flow" else None), 2, kind=kind)
    assert model.targets == () and model.right_hand_sides == {} and model.exprs == ()
    assert "no equation" in model.message and "no equation" in str(model)


def test_a_random_walk_has_no_equation():
    walk = np.cumsum(np.random.default_rng(1).normal(size=(400, 2)), axis=0)
    assert identify(Trajectories(walk, time=0.1), 2).targets == ()


@pytest.mark.parametrize("options, words", [
    ({"form": "cubic"}, "form"), ({"kind": "odd"}, "kind"), ({"max_degree": 0}, "max_degree"),
    ({"form": "rational", "max_degree": 1}, "at least 2"), ({"lags": 1}, "lags"),
    ({"kind": "map", "order": 2}, "order"), ({"kind": "static"}, "inputs"), ({"noise": -1.0}, "noise"),
])
def test_options_are_checked_at_the_door(options, words):
    data = Trajectories(np.random.default_rng(0).normal(size=(50, 1)), time=0.1)
    with pytest.raises(InvalidOption, match=words):
        identify(data, **options)


def test_a_constant_column_is_named():
    with pytest.raises(InvalidPoints, match="'y'"):
        identify(Trajectories(np.c_[np.sin(np.arange(50.0)), np.ones(50)], time=0.1))


@pytest.mark.parametrize("unit", [1e60, 1e-60])
def test_sizes_that_powers_cannot_represent_are_refused(unit):
    with pytest.raises(InvalidPoints, match="other units"):
        identify(Trajectories(unit * np.sin(np.arange(50.0)), time=0.1))


def test_two_steps_ahead():
    """The logistic map taken twice is a polynomial of degree 4, and steep: many places must be cut."""
    x = [0.3]
    for _ in range(600):
        x.append(3.7 * x[-1] * (1 - x[-1]))
    data = Trajectories(np.array(x) + 0.01 * np.random.default_rng(0).normal(size=601))
    model = identify(data.with_shift(2), 4)
    z = sympy.Symbol("x")
    twice = sympy.Poly(sympy.expand((3.7 * z * (1 - z)) * (1 - 3.7 * z * (1 - z)) * 3.7), z)
    truth = {e: float(c) for e, c in twice.terms()}
    assert model.targets == ("x_next2",) and same_supports(polynomials(model), (truth,))
    assert all(abs(polynomials(model)[0][e] / c - 1) < 0.02 for e, c in truth.items())
