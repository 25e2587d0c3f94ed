"""Fractions and functions screened on the states of a model, and then estimated."""

from dataclasses import replace

import numpy as np
import pytest

import symknot
from symknot.sysid.motion.forms import Search
from symknot.sysid.motion.kinds import Flow
from symknot.sysid.motion.problem import problem_of, solution_of
from symknot.sysid.motion.rejecting import is_rejected, rejection
from symknot.sysid.motion.screening import Hypothesis, Reciprocal, Screen, denominators, hypotheses
from symknot.sysid.motion.sums import field_of_hypothesis
from tests.benchmarks.motion import CASES, is_right
from tests.fresh_dynamics import Fresh

BY_NAME = {case.system.name: case.system for case in CASES}


def runs_of(system, noise, seed=0):
    times, runs = system.data(noise, seed)
    return symknot.Trajectories(runs, time=times, names=list(system.names))


@pytest.fixture(scope="module")
def glycolysis():
    """Problem and polynomial solution of two equations, one of which is a fraction."""
    dynamics = Flow()
    problem = problem_of(dynamics.samples(runs_of(BY_NAME["glycolysis"], 1), "estimate", None), dynamics, False)
    return problem, solution_of(problem, [problem.guess(j, 3) for j in range(2)])


def test_a_screen_says_what_the_model_itself_costs(glycolysis):
    """With the terms of the polynomial alone the misfit is that of the estimate."""
    problem, solution = glycolysis
    screen = Screen(solution.selection, 3, (), 0)
    plain = screen.refined(())
    squares = sum(np.sum((run.measured - x) ** 2 / run.variance[:, None])
                  for run, x in zip(solution.selection.runs, solution.selection.estimate.states))
    assert plain.cost - screen.penalty * plain.size == pytest.approx(squares, rel=1e-3)
    assert {(j, k) for j, f, k, _ in plain.terms} == set(zip(solution.selection.field.owner,
                                                              solution.selection.field.monomial))


def test_the_cheapest_hypothesis_is_the_true_one(glycolysis):
    problem, solution = glycolysis
    screen = Screen(solution.selection, 3, (), 5)
    best = hypotheses(screen, denominators(2, 2))[0]
    assert best.size == 5 and [one.exponents for one in best.factors] == [(0, 1)]
    assert best.factors[0].offset == pytest.approx(13, rel=0.03)
    found = {(j, f, k): value for j, f, k, value in best.terms}
    assert found[1, 0, 2] == pytest.approx(-6, rel=0.03) and found[0, -1, 4] == pytest.approx(-0.02, rel=0.01)


def test_sums_become_fractions():
    """x - 3 x / (2 + y) and 5 / ((2 + y) (1 + x^2)) - the latter as a sum of two."""
    class One:
        letters, degree, direct = np.zeros((2, 1)), 2, ()

        class found:
            field = type("Field", (), {"equations": 2, "arguments": 2})

    hypothesis = Hypothesis((Reciprocal((0, 1), 2.0), Reciprocal((2, 0), 1.0)),
                            ((0, -1, 1, 1.0), (0, 0, 1, -3.0), (1, 0, 0, 5.0), (1, 1, 0, 7.0)), 0.0)
    field, coefficients = field_of_hypothesis(hypothesis, One)
    points = np.random.default_rng(0).uniform(1, 2, (2, 5))
    x, y = points
    expected = [x - 3 * x / (2 + y), 5 / (2 + y) + 7 / (1 + x**2)]
    assert np.allclose(field.values(coefficients, points), expected)


def test_poles_are_outside_of_what_is_visited(glycolysis):
    problem, solution = glycolysis
    screen = Screen(solution.selection, 3, (), 5)
    for exponents in denominators(2, 2):
        for factor in screen.grid(exponents):
            values = 1 / factor.value(screen.letters)
            assert (values > 0).all() or (values < 0).all()
            moved = screen._shifted(factor, -1e6)
            assert np.sign(1 / moved.value(screen.letters)).tolist() == np.sign(values).tolist()


@pytest.mark.parametrize("name, noise", [("glycolysis", 5), pytest.param("toggle", 1, marks=pytest.mark.slow)])
def test_kinetics(name, noise):
    system = BY_NAME[name]
    assert is_right(system, symknot.identify(runs_of(system, noise), 3).exact_right_hand_sides)


def test_a_polynomial_stays_one():
    system = Fresh("Duffing", ("x", "v"), ("v", "-0.15*v+x-x**3"), ((1.5, 1), (0.2, 0.5)), 30, 500, 3)
    found = symknot.identify(runs_of(system, 2), 3)
    assert is_right(system, found.exact_right_hand_sides) and found.field.is_polynomial


def test_fractions_stay_away_where_polynomials_were_asked_for():
    system = BY_NAME["glycolysis"]
    found = symknot.identify(runs_of(system, 1), 3, form="polynomial")
    assert found.field.is_polynomial


def test_what_was_tried_is_kept(glycolysis):
    problem, _ = glycolysis
    search = Search(problem, "auto", 3).run()
    assert search.best in search.solutions and len(search.solutions) > 2
    assert not is_rejected(problem, search.best)
    assert search.best.cost == min(one.cost for one in search.solutions if not is_rejected(problem, one))


def test_alternatives_are_what_the_data_cannot_tell_apart(tmp_path):
    """A short and noisy run of the Lorenz system: terms that are missing, or in another's place, are listed."""
    case = next(case for case in CASES if case.system.name == "Lorenz, T = 4")
    times, runs = case.data(20, 0)
    model = symknot.identify(runs, 2, time=times)
    assert model.alternatives and "not the only model that the data allow" in model.message
    costs = [one.cost for one in model.alternatives]
    assert costs == sorted(costs) and 0 <= costs[0] <= costs[-1] < 6
    nearest = model.alternatives[0]
    assert set(nearest.right_hand_sides) == set(model.targets) and "costs" in str(nearest) and 0.05 < nearest.odds <= 1
    model.save(tmp_path / "model.json")
    again = symknot.load(tmp_path / "model.json")
    assert [str(one) for one in again.alternatives] == [str(one) for one in model.alternatives]


def test_a_clear_model_has_no_alternatives(glycolysis):
    t = np.linspace(0, 8, 400)
    data = np.c_[np.cos(2 * t), -2 * np.sin(2 * t)] + 0.02 * np.random.default_rng(0).normal(size=(400, 2))
    model = symknot.identify(data, 2, time=t)
    assert model.alternatives == () and model.message == ""


def test_refusals_say_why(glycolysis):
    problem, solution = glycolysis
    assert rejection(problem, solution) == ""
    off = replace(solution, misfit=solution.misfit * np.array([1, 9]))
    assert rejection(problem, off).startswith("misses T by ")
    idle = replace(solution, misfit=solution.misfit + np.array([100, 0]))
    assert rejection(problem, idle) == "explains G hardly better than a constant would"
    field = replace(solution.selection.field, pivots=(1, 0), denominators=(np.array([0]), np.array([], dtype=int)))
    estimate = replace(solution.selection.estimate, coefficients=np.insert(
        solution.selection.estimate.coefficients, len(field.numerators[0]), -6.0))
    pole = replace(solution, selection=replace(solution.selection, field=field, estimate=estimate))
    assert rejection(problem, pole) == "has a denominator that is zero amid the data"
    estimate = replace(estimate, coefficients=np.where(estimate.coefficients == -6.0, 1e7, estimate.coefficients))
    idle = replace(solution, selection=replace(solution.selection, field=field, estimate=estimate))
    assert rejection(problem, idle) == "has a denominator that is the same at all data, a polynomial in disguise"
