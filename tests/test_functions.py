"""Candidate functions of `identify`, written outside the package."""

import numpy as np
import pytest
import sympy
from scipy.integrate import solve_ivp

import symknot
from symknot.ground.errors import InvalidModel, InvalidOption
from symknot.sysid.laws.identify import identify
from symknot.sysid.motion.fields import Field
from symknot.sysid.motion.functions import CandidateFunction, FunctionOf, register_function, registered_functions
from symknot.sysid.motion.kinds import Flow, Map
from symknot.sysid.motion.library import FromCallable
from symknot.sysid.motion.measurements import Measurements
from symknot.sysid.runs.trajectories import Trajectories


class Sine(CandidateFunction):
    name = "sin"

    def value(self, z):
        return np.sin(z)

    def slope(self, z):
        return np.cos(z)

    def expression(self, symbol):
        return sympy.sin(symbol)


class Logarithm(CandidateFunction):
    name = "log"

    def value(self, z):
        return np.log(z)

    def slope(self, z):
        return 1 / z

    def expression(self, symbol):
        return sympy.log(symbol)


def pendulum(noise=0.002, starts=((2.8, 0.0), (0.3, 1.7)), seed=0):
    """Angle and speed of a damped pendulum that swings nearly to the top: no low polynomial describes it."""
    t = np.linspace(0, 15, 500)
    rng = np.random.default_rng(seed)
    runs = [solve_ivp(lambda _, x: [x[1], -np.sin(x[0]) - 0.1 * x[1]], (0, 15), start, t_eval=t, rtol=1e-10,
                      atol=1e-12).y.T for start in starts]
    return Trajectories([run + noise * rng.normal(size=run.shape) for run in runs], time=t, names=["a", "w"])


@pytest.fixture(scope="module")
def model():
    return identify(pendulum(), 2, functions=[Sine().of("a")])


def test_a_pendulum_is_found(model):
    a, w = sympy.symbols("a w")
    assert model.exact_right_hand_sides == {"a'": w, "w'": -sympy.sin(a) - w / 10}
    assert str(model).splitlines()[:2] == ["a' = w", "w' = -w/10 - sin(a)"]
    assert [term.monomial for term in model.estimates] == [w, w, sympy.sin(a)]
    assert np.abs(model.values - 1).max() < 0.1 and model.message == ""
    assert r"\sin{\left(a \right)}" in model.latex()
    assert all(abs(term.estimate - value) < 4 * term.error for term, value in zip(model.estimates, (1, -0.1, -1)))


@pytest.mark.parametrize("noise", [0.002, 0.02])
def test_a_function_is_tried_on_every_argument_unless_told_otherwise(noise):
    found = identify(pendulum(noise), 2, functions=[Sine()])
    assert [str(term.monomial) for term in found.estimates] == ["w", "w", "sin(a)"]
    assert [one.argument for one in found.field.functions] == [0, 1]


def test_without_the_function_it_is_not_that_simple():
    assert len(identify(pendulum(starts=((2.8, 0.0),)), 3).estimates) != 3


def test_second_order_with_the_angle_alone():
    runs = pendulum()
    angles = Trajectories([run.states[:, 0] for run in runs], time=runs.runs[0].times, names=["a"])
    found = identify(angles, 1, order=2, functions=[Sine().of("a")])
    a, speed = sympy.symbols("a a'")
    assert found.exact_right_hand_sides == {"a''": -sympy.sin(a) - speed / 10}


def test_a_product_with_a_function_of_an_input():
    t = np.linspace(0, 12, 600)
    u = 1.5 * t
    x = solve_ivp(lambda s, x: [2 * np.sin(1.5 * s) * x[0] - x[0] ** 2 + 1], (0, 12), [0.5], t_eval=t, rtol=1e-10,
                  atol=1e-12).y[0]
    data = Trajectories(x + 0.002 * np.random.default_rng(1).normal(size=600), time=t, inputs=u[:, None])
    found = identify(data, 2, form="polynomial", functions=[Sine().of("u")])
    z, v = sympy.symbols("x u")
    assert found.exact_right_hand_sides == {"x'": 2 * z * sympy.sin(v) - z**2 + 1}


def test_a_static_response_and_a_map():
    rng = np.random.default_rng(0)
    dose = rng.uniform(0.1, 8, 200)
    data = Trajectories(1 + 2 * np.log(dose) + 0.01 * rng.normal(size=200), inputs=dose[:, None])
    found = identify(data, 1, kind="static", functions=[Logarithm()])
    assert found.exact_right_hand_sides == {"x": 2 * sympy.log(sympy.Symbol("u")) + 1}
    assert found.predict([np.e]) == pytest.approx(np.array([[3.0]]), rel=1e-2)
    x = [0.2]
    for _ in range(300):
        x.append(2.5 * np.sin(x[-1]))
    found = identify(Trajectories(np.array(x) + 1e-3 * rng.normal(size=301)), 1, kind="map", functions=[Sine()])
    assert found.exact_right_hand_sides == {"x_next": sympy.Rational(5, 2) * sympy.sin(sympy.Symbol("x"))}
    assert found.simulate([0.2], 4)[:, 0] == pytest.approx(x[:4], rel=1e-2)


def test_the_model_moves_is_scored_and_drawn(model):
    t = np.linspace(0, 5, 21)
    exact = solve_ivp(lambda _, x: [x[1], -np.sin(x[0]) - 0.1 * x[1]], (0, 5), [1.0, 0.0], t_eval=t, rtol=1e-10).y.T
    assert np.abs(model.simulate([1.0, 0.0], t) - exact).max() < 0.01
    held_out = pendulum(starts=((-2.0, 0.5),), seed=3)
    assert model.score(held_out).overall > 0.9999 and model.score(held_out).overall_next_sample > 0.9999
    assert len(model.plot().axes) == 4 and "sin(a)" in model.report()


def test_algebra_takes_a_function_for_one_more_letter(model):
    a, w, rate = sympy.symbols("a w w'")
    assert model.solve_for("w'") == -sympy.sin(a) - w / 10
    assert sympy.expand(model.solve_for("w")) == sympy.Symbol("a'")
    assert set(model.exprs) == {sympy.Symbol("a'") - w, rate + sympy.sin(a) + w / 10}
    with pytest.raises(InvalidOption, match=r"inside a function: sin\(a\)"):
        model.solve_for("a")
    assert "ring" in model.to_singular()
    assert len(model.polys) == 2                                    # sin(a) alone is free: nothing ties it


def test_a_file_holds_the_name_and_reading_needs_the_function(model, tmp_path):
    path = tmp_path / "model.json"
    model.save(path)
    written = path.read_text()
    path.write_text(written.replace('"name": "sin"', '"name": "my_sine"'))
    with pytest.raises(InvalidModel, match="uses the function 'my_sine', which is not known here"):
        symknot.load(path)
    path.write_text(written)
    assert "sin" in registered_functions()                          # as all functions that have a name
    register_function(Sine())
    again = symknot.load(path)
    assert str(again) == str(model) and again.report() == model.report()
    assert np.array_equal(again.simulate([1.0, 0.0], [0.0, 1.0]), model.simulate([1.0, 0.0], [0.0, 1.0]))
    path.write_text(path.read_text().replace('"name": "sin"', '"name": "__import__"'))
    with pytest.raises(InvalidModel, match="__import__"):
        symknot.load(path)


def difference(function, at, step=1e-6):
    columns = []
    for place in np.ndindex(at.shape):
        up, down = at.copy(), at.copy()
        up[place] += step
        down[place] -= step
        columns.append((function(up) - function(down)) / (2 * step))
    return np.stack(columns, axis=-1)


@pytest.mark.parametrize("dynamics", [Flow(), Map()])
def test_derivatives_of_defects_by_the_chain_rule(dynamics):
    """A fraction with sin(x) above, below and in products, and a function of the input."""
    functions = (FunctionOf(Sine(), 0), FunctionOf(Logarithm(), 2))
    everything = np.arange(21)                                     # of degree 2 in two states, one input, two functions
    field = Field(3, 2, (everything, everything[:4]), (np.array([1, 4]), np.array([], int)), (0, 0), functions)
    rng = np.random.default_rng(0)
    states, inputs = rng.uniform(0.5, 1.0, (2, 6)), rng.uniform(0.5, 1.0, (1, 6))
    run = Measurements(states, np.ones(2), inputs, np.full(5, 0.1))
    c = 0.2 * rng.normal(size=field.size)
    defects = dynamics.defects(field, c, run, states)
    expected = np.zeros((2, 5, 2, 6))
    for k, block in enumerate(defects.blocks):
        for i in range(5):
            expected[:, i, :, i + k] += block[:, :, i]
    by_state = difference(lambda x: dynamics.defects(field, c, run, x).values, states).reshape(2, 5, 2, 6)
    assert np.allclose(by_state, expected, atol=1e-7)
    by_coefficient = difference(lambda c: dynamics.defects(field, c, run, states).values, c)
    assert np.allclose(defects.by_coefficient.transpose(0, 2, 1), by_coefficient, atol=1e-7)


class WrongSlope(Sine):
    def slope(self, z):
        return -np.cos(z)


class OneNumber(Sine):
    def value(self, z):
        return np.sin(z).sum()


@pytest.mark.parametrize("functions, words", [
    (Sine(), "a list of names, callables"), ([3], "objects of a subclass"), ("sin", r"a list such as \['sin'\]"),
    (["sine"], "of sin, cos, exp"), (["sin(z)"], "variables of sin must be of a, w"), (["log"], "with values on the data"),
    ([Sine(), Sine()], "different from each other"), ([Sine().of("z")], "variables of sin must be of a, w"),
    ([Logarithm()], "finite on all data"), ([WrongSlope()], "slope is the derivative"),
    ([OneNumber()], "one of the same shape"),
])
def test_functions_are_checked_at_the_door(functions, words):
    with pytest.raises(InvalidOption, match=words):
        identify(pendulum(), 2, functions=functions)


def test_functions_by_name_and_on_one_variable():
    a, w = sympy.symbols("a w")
    expected = {"a'": w, "w'": -sympy.sin(a) - w / 10}
    assert identify(pendulum(0.02), 2, functions=["sin", "cos(a)"]).exact_right_hand_sides == expected
    found = identify(pendulum(0.02), 2, functions=["sin(a)"])
    assert found.exact_right_hand_sides == expected and [one.argument for one in found.field.functions] == [0]


@pytest.mark.parametrize("noise", [0.02, pytest.param(0.1, marks=pytest.mark.slow)])
def test_functions_are_found_by_themselves(noise):
    a, w = sympy.symbols("a w")
    found = identify(pendulum(noise), 3, functions="auto")
    assert [str(term.monomial) for term in found.estimates] == ["w", "w", "sin(a)"]
    assert found.message == "" and np.abs(found.values - 1).max() < 0.1
    if noise < 0.1:
        assert found.exact_right_hand_sides == {"a'": w, "w'": -sympy.sin(a) - w / 10}


def test_without_need_for_functions_there_are_none():
    t = np.linspace(0, 8, 400)
    data = np.c_[np.cos(2 * t), -2 * np.sin(2 * t)] + 0.02 * np.random.default_rng(0).normal(size=(400, 2))
    found = identify(data, 2, time=t, functions="auto")
    x, y = sympy.symbols("x y")
    assert found.exact_right_hand_sides == {"x'": y, "y'": -4 * x} and found.field.functions == ()


def bump(z):
    return 1 / (1 + z**2)


def stepped(z):
    return np.where(z > 0, z, 0.0) if isinstance(z, np.ndarray) else 1 / 0


def test_callables_are_differentiated_by_sympy_or_by_differences():
    z = np.linspace(-1, 2, 50)
    by_sympy, by_differences = FromCallable(bump), FromCallable(stepped)
    assert by_sympy.expression(sympy.Symbol("x")) == 1 / (sympy.Symbol("x") ** 2 + 1)
    assert np.allclose(by_sympy.slope(z), -2 * z / (1 + z**2) ** 2)
    assert str(by_differences.expression(sympy.Symbol("x"))) == "stepped(x)"
    assert np.allclose(by_differences.slope(z), z > 0, atol=1e-6)
    t = np.linspace(0, 10, 400)
    x = solve_ivp(lambda _, x: [3 * bump(x[0]) - 0.5 * x[0]], (0, 10), [-3.0], t_eval=t, rtol=1e-10, atol=1e-12).y[0]
    data = x + 0.005 * np.random.default_rng(0).normal(size=400)
    found = identify(data, 2, time=t, functions=[bump])
    assert [str(term.monomial) for term in found.estimates] == ["x", "1/(x**2 + 1)"]


def test_ties_between_functions_are_in_the_ideal():
    t = np.linspace(0, 20, 500)
    x = solve_ivp(lambda _, x: [0.5 + np.cos(x[0]) ** 2 + 0.7 * np.sin(x[0])], (0, 20), [0.0], t_eval=t, rtol=1e-10).y[0]
    found = identify(x + 0.01 * np.random.default_rng(0).normal(size=500), 2, time=t, functions=["sin", "cos"])
    letters = {str(symbol): symbol for symbol in found.variables}
    tie = letters["sin(x)"] ** 2 + letters["cos(x)"] ** 2 - 1
    assert found.polys[-1].as_expr() == tie and found.contains(tie)
    assert "^2" in found.to_singular() and len(found.exprs) == 1


def test_implicit_relations_are_polynomials():
    with pytest.raises(InvalidOption, match="left out for form='implicit'"):
        identify(pendulum(), 2, form="implicit", functions=[Sine()])


def test_a_callable_without_a_sympy_form_gives_a_model():
    """Its values in digits are unknown, so its right-hand side is not checked; nothing else changes."""
    def bent(z):
        return np.interp(z, [-10.0, 0.5, 10.0], [-10.0, 0.5, 29.0])

    dose = np.random.default_rng(0).uniform(-1, 2, 200)
    data = Trajectories(1 + 2 * bent(dose) + 0.01 * np.random.default_rng(1).normal(size=200), inputs=dose[:, None])
    found = identify(data, 1, kind="static", functions=[bent])
    assert found.status.ok and str(found).splitlines()[0] == "x = 2*bent(u) + 1"
