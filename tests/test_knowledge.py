"""What a person knows beforehand: `identify(known=..., fixed=..., ...)` keeps it, uses it, and says when data reject it."""

import re

import numpy as np
import pytest

import symknot
from symknot import InvalidOption, Status
from symknot.sysid.motion.fields import Field
from symknot.sysid.motion.functions import FunctionOf
from symknot.sysid.motion.knowledge_options import Reader, Told
from symknot.sysid.motion.library import LIBRARY
from symknot.sysid.motion.units import dimension_of

from .fresh_dynamics import Fresh

HUNT = Fresh("hunt", ("x", "y"), ("x-0.5*x*y", "-0.8*y+0.5*x*y"), ((1, 1), (2, 3)), 8, 120, 2)


def hunted(**knowledge):
    times, runs = HUNT.data(3, 0)
    return symknot.identify(symknot.Trajectories(runs, time=times, names=["x", "y"]), 2, **knowledge)


def errors(model):
    return {(one.target, str(one.monomial)): one.error for one in model.estimates}


@pytest.mark.parametrize("knowledge", [
    {"known": {"x'": "x - x*y/2"}}, {"fixed": {"x'": {"x*y": -0.5}}}, {"forbidden": ["1", "x**2"]},
    {"only": {"x'": ["x", "x*y"]}}, {"signs": {"x'": {"x": "+"}, "y'": {"y": "-"}}},
    {"shared": {"x'": "-x*y", "y'": "x*y"}},
    {"units": {"x": "hares", "y": "foxes", "time": "day", "a": "1/day", "b": "1/day/foxes", "c": "1/day/hares"}},
], ids=lambda knowledge: next(iter(knowledge)))
def test_true_knowledge_is_kept(knowledge):
    model = hunted(**knowledge)
    assert model.status is Status.FOUND and not model.message
    assert {name: str(side) for name, side in model.exact_right_hand_sides.items()} == {
        "x'": "-x*y/2 + x", "y'": "x*y/2 - 4*y/5"}


def test_what_is_given_has_no_error_and_lowers_that_of_the_rest(tmp_path):
    plain, fixed = errors(hunted()), hunted(fixed={"x'": {"x*y": -0.5}})
    assert errors(fixed)["x'", "x*y"] == 0 and errors(fixed)["x'", "x"] < 0.7 * plain["x'", "x"]
    shared = hunted(shared={"x'": "-x*y", "y'": "x*y"})
    values = {(one.target, str(one.monomial)): one.estimate for one in shared.estimates}
    assert values["x'", "x*y"] == -values["y'", "x*y"] and errors(shared)["x'", "x*y"] < plain["x'", "x*y"]
    shared.save(tmp_path / "shared.json")
    again = symknot.load(tmp_path / "shared.json")
    assert str(again) == str(shared) and errors(again) == errors(shared)


@pytest.mark.parametrize("knowledge, said", [
    ({"known": {"x'": "x - 0.7*x*y"}}, r"reject .*\(known=\): without it .* x' = -x\*y/2 \+ x"),
    ({"fixed": {"x'": {"x*y": -0.53}}}, r"reject .* without it they are described by x' = -x\*y/2 \+ x"),
    ({"signs": {"x'": {"x": "-"}}}, r"reject .*\(signs=\)"),
    ({"shared": {"x'": "-2*x*y", "y'": "x*y"}}, r"reject .*\(shared=\)"),
    ({"symmetry": {"x": "y", "y": "x"}}, r"reject .*\(symmetry=\)"),
], ids=lambda part: next(iter(part)) if isinstance(part, dict) else "")
def test_the_data_reject_what_is_wrong(knowledge, said):
    model = hunted(**knowledge)
    assert model.status is Status.KNOWLEDGE_REJECTED and not model.status.ok
    assert re.search(said, model.message), model.message


@pytest.mark.parametrize("knowledge, said", [
    ({"fixed": {"x'": {"x*y": -1}}, "forbidden": ["x*y"]}, "without the terms that fixed= or known= give x'"),
    ({"fixed": {"x'": {"x*y": -1}, "y'": {"x*y": 2}}, "shared": {"x'": "-x*y", "y'": "x*y"}}, "1, which follows"),
    ({"fixed": {"x'": {"x": 1}}, "signs": {"x'": {"x": "-"}}}, "that of the coefficient 1"),
    ({"fixed": {"x'": {"1": 1}}, "symmetry": {"x": "-x"}}, "makes this coefficient zero"),
    ({"known": {"x'": "x"}, "fixed": {"x'": {"y": 1}}}, "not known as a whole"),
    ({"known": {"z'": "x"}}, "about one of x', y'"), ({"known": "x"}, "a dict with keys"),
    ({"only": ["2*x"]}, "single terms"), ({"only": ["x**3"]}, "degree at most 2"), ({"forbidden": "x"}, "a list of terms"),
    ({"fixed": {"x'": {"x": "y"}}}, "numbers"), ({"signs": {"x'": {"x": "up"}}}, "'+' or '-'"),
    ({"shared": {"x'": "x"}}, "two terms at least"), ({"symmetry": {"x": "y"}}, "replaced by another one"),
    ({"units": {"x": "m"}}, "y, time have none"), ({"units": {"x": "m", "y": "m+s", "time": "s"}}, "a product of powers"),
    ({"known": {"x'": "x"}, "form": "implicit"}, "another one where known= is given"),
])
def test_contradictions_and_slips_are_told_before_anything_is_sought(knowledge, said):
    with pytest.raises(InvalidOption, match="(?s)" + said.replace("+", r"\+")):
        hunted(**knowledge)


def reader(degree=2, functions=(), order=1, **told):
    return Reader(Told(**told), ["x", "y"], [], ["x", "y"], ["x'", "y'"], functions, degree, order)


def test_symmetries_tie_coefficients_and_leave_out_what_they_forbid():
    field = Field.polynomial(2, 2, 2)
    swapped, _ = reader(symmetry={"x": "y", "y": "x"}).knowledge().applied(field, np.ones(field.size))
    assert swapped.size == 12 and swapped.ties.free == 6
    terms = {(int(j), *swapped.exponents[k]): int(g) for j, k, g in zip(swapped.owner, swapped.monomial, swapped.ties.group)}
    assert terms[0, 2, 0] == terms[1, 0, 2] and terms[0, 1, 1] == terms[1, 1, 1] and terms[0, 2, 0] != terms[0, 0, 2]
    turned, _ = reader(symmetry={"x": "-x", "y": "-y"}).knowledge().applied(field, np.ones(field.size))
    assert turned.exponents[turned.monomial].sum(axis=1).tolist() == [1, 1, 1, 1]              # odd terms alone are left
    sine = reader(2, [FunctionOf(LIBRARY["sin"], 0)], symmetry={"x": "-x", "y": "-y"}).knowledge()
    left, _ = sine.applied(Field(2, 2, (np.arange(10),) * 2, (np.arange(0),) * 2, (0, 0), (FunctionOf(LIBRARY["sin"], 0),)),
                           np.ones(20))
    assert left.exponents[left.monomial].sum(axis=1).tolist() == [1] * 6
    with pytest.raises(InvalidOption, match=r"one that exp\(x\) has"):
        reader(2, [FunctionOf(LIBRARY["exp"], 0)], symmetry={"x": "-x"}).knowledge()


def test_units_leave_terms_of_the_right_dimension():
    told = {"x": "m", "y": "km/h", "time": "min"}
    left = [[e for e in ((0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2)) if reader(units=units).knowledge().allowed((j, e))]
            for units in (told, {**told, "stiffness": "1/s^2"}) for j in range(2)]
    assert left == [[(0, 1)], [], [(0, 1)], [(1, 0)]]
    sine = reader(2, [FunctionOf(LIBRARY["sin"], 0)], units={"x": "rad", "y": "rad/s", "time": "s", "g": "1/s^2"}).knowledge()
    assert sine.allowed((1, (0, 0, 1))) and not sine.allowed((0, (0, 0, 1)))
    assert dimension_of("mmol/L") == dimension_of("molar") and dimension_of("hares") != dimension_of("foxes")
    assert dimension_of("N*m") == dimension_of("J") == dimension_of("W*s")
    assert dimension_of("m^0.5*m**(1/2)") == dimension_of("cm")


def test_a_known_fraction_and_a_second_derivative():
    enzyme = Fresh("enzyme", ("s", "p"), ("0.5-2*s/(s+1)", "2*s/(s+1)-0.3*p"), ((2, 0), (0.1, 1)), 8, 120, 2)
    times, runs = enzyme.data(2, 0)
    data = symknot.Trajectories(runs, time=times, names=["s", "p"])
    model = symknot.identify(data, 2, known={"s'": "0.5 - 2*s/(s + 1)", "p'": "2*s/(s + 1) - 0.3*p"})
    assert model.status is Status.FOUND and not any(errors(model).values())
    t = np.linspace(0, 8, 200)
    swing = np.cos(2 * t)[:, None] + 0.02 * np.random.default_rng(0).normal(size=(200, 1))
    second = symknot.identify(symknot.Trajectories([swing], time=t, names=["x"]), 1, order=2, forbidden=["x'", "1"])
    assert str(second.exact_right_hand_sides["x''"]) == "-4*x"
