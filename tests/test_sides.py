"""Right-hand sides of single equations: the true one is among the cheapest, whatever it is made of."""

from dataclasses import replace

import numpy as np
import pytest

import symknot
from symknot.sysid.motion.kinds import Flow
from symknot.sysid.motion.problem import _halved, problem_of, solution_of, solution_with, unmodelled
from symknot.sysid.motion.rejecting import is_rejected
from symknot.sysid.motion.sides import Side, Sides, combinations_of
from tests.fresh_dynamics import Fresh


def problem_and_polynomial(system, noise, functions=(), seed=0):
    times, runs = system.data(noise, seed)
    data = symknot.Trajectories(runs, time=times, names=list(system.names))
    dynamics = Flow()
    problem = problem_of(dynamics.samples(data, "estimate", None), dynamics, False, functions)
    return problem, solution_of(problem, [problem.guess(j, system.degree) for j in range(len(system.names))])


@pytest.fixture(scope="module")
def gene():
    system = Fresh("gene", ("x",), ("0.1+2*x**2/(1+x**2)-0.9*x",), ((0.02,), (0.4,), (3.5,)), 10, 200, 3)
    return problem_and_polynomial(system, 1)


@pytest.fixture(scope="module")
def rider():
    """A product of two functions, which no single one of them replaces."""
    system = Fresh("rider", ("a", "w"), ("w", "2*sin(a)*cos(a)-sin(a)-0.2*w"), ((0.4, 0), (2, 0.5)), 12, 200, 3)
    return problem_and_polynomial(system, 1, "auto")


def names_of(problem):
    return ["a", "w", *(f"{one.function.name} {'aw'[one.argument]}" for one in problem.offered)]


def test_a_fraction_with_terms_of_its_own_is_first(gene):
    problem, start = gene
    sides = Sides(start.selection, 3, (), (), True)
    best = sides.of([0])[0][0]
    assert best.key == (frozenset({(0,), (1,), (2,), (3,)}), frozenset({(0,), (2,)}))
    field, coefficients = sides.field([best])
    truth = [0.1, -0.9, 2.1, -0.9, 1.0]
    assert np.allclose(coefficients, truth, rtol=0.1) and not field.is_polynomial
    found = solution_with(problem, field, coefficients, start)
    assert found.cost < start.cost - 100 and not is_rejected(problem, found)


def test_without_fractions_there_are_none(gene):
    _, start = gene
    assert all(one.below == {(0,): 1.0} for one in Sides(start.selection, 3, (), (), False).of([0])[0])


def test_products_of_two_functions_are_found(rider):
    problem, names = rider[0], names_of(rider[0])
    # what describes the data as well, and is none: a^3, a^2 sin a, a, w and sin a
    unit = dict(zip(names, np.eye(len(names), dtype=int)))
    series = dict(zip(map(tuple, [3 * unit["a"], 2 * unit["a"] + unit["sin a"], unit["a"], unit["w"], unit["sin a"]]),
                      [-3.7, -3.2, 35.4, -0.2, -34.4]))
    sides = Sides(unmodelled(problem).selection, 3, (), problem.offered, False)
    one = {tuple(0 * unit["a"]): 1.0}
    start = solution_with(problem, *sides.field([Side({tuple(unit["w"]): 1.0}, one, 0.0), Side(series, one, 0.0)]),
                          unmodelled(problem))
    assert not is_rejected(problem, start)
    first, second = (part[0] for part in Sides(start.selection, 3, (), problem.offered, False).of([0, 1]))

    def terms(side):
        return {" ".join(names[k] for k, power in enumerate(e) for _ in range(power)) for e in side.above}

    assert terms(first) == {"w"} and terms(second) == {"w", "sin a", "sin a cos a"}
    assert second.functions(2) == {k - 2 for k, name in enumerate(names) if name in ("sin a", "cos a")}


def test_combinations_come_by_what_they_cost_together(rider):
    problem = rider[0]
    start = unmodelled(problem)                                      # no polynomial describes it
    sides = Sides(start.selection, 3, (), problem.offered, False)
    each = sides.of([0, 1])
    everything = list(combinations_of(sides, each))
    costs = [sides.combined(one) for one in everything]
    assert costs == sorted(costs) and len(everything) == len(each[0]) * len(each[1])
    one, two = everything[0]
    # a function that both equations use is chosen once
    twice = replace(one, above={**one.above, **two.above})
    assert sides.combined([twice, two]) < twice.cost + sides._choice(2) + two.cost


def test_denominators_on_the_grid_are_zero_nowhere(gene):
    _, start = gene
    sides = Sides(start.selection, 3, (), (), True)
    grid = [divisor for one in sides.lower for other in sides.lower if one != other for divisor in sides._grid(one, other)]
    assert len(grid) > 8 and all(sides._has_no_pole(divisor) for divisor in grid)
    assert not sides._has_no_pole({(1,): 1.0, (0,): -1.0})


def test_a_side_is_known_by_its_terms():
    one, two = Side({(1,): 2.0}, {(0,): 1.0}, 3.0), Side({(1,): 4.0}, {(0,): 1.0}, 5.0)
    assert one.key == two.key != Side({(1,): 2.0}, {(0,): 1.0, (1,): 1.0}, 3.0).key


def test_short_steps_leave_the_states_no_more_freedom(gene):
    """Between samples states are not measured; what they may do there must not add up to something."""
    problem, start = gene
    sides = Sides(start.selection, 3, (), (), True)
    field, coefficients = sides.field([Side({(0,): 0.1, (1,): -0.9, (2,): 2.1, (3,): -0.9}, {(0,): 1.0, (2,): 1.0}, 0.0)])
    whole = solution_with(problem, field, coefficients, start)
    found = whole.selection
    runs, states = found.runs, found.estimate.states
    for _ in range(4):
        runs, states = tuple(run.subdivided(2) for run in runs), tuple(_halved(run, x) for run, x in zip(runs, states))
    finer = replace(whole, parts=16, selection=replace(found, runs=runs, estimate=replace(found.estimate, states=states)))
    divided = solution_with(problem, field, coefficients, finer)
    assert divided.parts == 16 and divided.cost == pytest.approx(whole.cost, abs=0.5)
    assert np.allclose(divided.selection.estimate.coefficients, found.estimate.coefficients, rtol=1e-3)


@pytest.mark.parametrize("equations, compared", [(1, 4), (2, 16), (11, 2**11), (16, 2**11)])
def test_of_many_equations_those_whose_second_side_is_near_have_two(gene, equations, compared):
    """Sides of equation j cost 0, j + 1, ...: as many combinations as the bound allows, the cheapest first."""
    problem, found = gene
    sides = Sides(found.selection, 3, (), (), False)
    each = [[Side({(1,): 1.0}, {(0,): 1.0}, float(k * (j + 1))) for k in range(4)] for j in range(equations)]
    costs = [[side.cost for side in one] for one in combinations_of(sides, each)]
    assert len(costs) == compared and not any(costs[0])
    assert max(j for one in costs for j, cost in enumerate(one) if cost) == min(equations, 11) - 1
    assert [sum(one) for one in costs] == sorted(sum(one) for one in costs)
