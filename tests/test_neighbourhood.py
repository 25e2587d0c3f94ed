"""Models one move away: which there are, and that the search ends with the best of them."""

import numpy as np
import pytest

from symknot.sysid.motion.evidence import alternatives_of
from symknot.sysid.motion.fields import Field
from symknot.sysid.motion.forms import Search
from symknot.sysid.motion.kinds import kind_of_options
from symknot.sysid.motion.library import offered_functions
from symknot.sysid.motion.neighbourhood import UNDECIDED_COST, Neighbourhood, key_of, neighbours, widened
from symknot.sysid.motion.problem import problem_of, solution_with, unmodelled
from symknot.sysid.runs.trajectories import runs_or_samples_of

NONE = np.array([], dtype=int)
CONSTANT, X, Y = 0, 1, 2


def swing(noise=0.02, samples=150, functions=(), seed=0):
    """x' = y, y' = -4 x."""
    t = np.linspace(0, 6, samples)
    data = np.c_[np.cos(2 * t), -2 * np.sin(2 * t)] + noise * np.random.default_rng(seed).normal(size=(samples, 2))
    dynamics = kind_of_options("flow", 1, 0)
    return problem_of(dynamics.samples(runs_or_samples_of(data, t, None, ()), "estimate", None), dynamics, False, functions)


def field(*numerators, degree=2, functions=()):
    return Field(2, degree, tuple(map(np.array, numerators)), (NONE,) * 2, (0,) * 2, functions)


def solution(problem, *numerators, values):
    return solution_with(problem, field(*numerators), np.array(values, dtype=float), unmodelled(problem))


TRUTH = [Y], [X]


def test_a_key_is_of_terms_not_of_the_table_they_are_numbered_in():
    assert key_of(field(*TRUTH)) == key_of(field(*TRUTH, degree=3)) != key_of(field([X], [Y]))


def test_a_key_does_not_depend_on_the_order_of_functions():
    _, (one, two, *_) = offered_functions("auto", ["x", "y"], np.random.default_rng(0).normal(size=(40, 2)))
    first = Field(2, 1, (np.array([3, 4]), NONE), (NONE,) * 2, (0, 0), (one, two))
    again = Field(2, 1, (np.array([3, 4]), NONE), (NONE,) * 2, (0, 0), (two, one))
    other = Field(2, 1, (np.array([3]), NONE), (NONE,) * 2, (0, 0), (two,))
    assert key_of(first) == key_of(again) != key_of(other)


def test_wider_fields_have_all_terms_of_the_degree_and_one_function_at_most():
    problem = swing(functions="auto")
    assert widened(problem, field(*TRUTH), 2).size == 2 * 6
    wide = widened(problem, field(*TRUTH, functions=problem.offered[:2]), 2)
    offered = wide.exponents[wide.monomial][:, 2:].sum(axis=1)
    assert offered.max() == 1 and wide.size == 2 * (6 + 2 * 3) and not wide.in_denominator.any()


def test_only_fractions_get_wider_denominators():
    problem = swing()
    fraction = Field(2, 2, (np.array([Y]), np.array([X])), (np.array([CONSTANT]), NONE), (X, 0))
    wide = widened(problem, fraction, 3)
    below = wide.monomial[wide.in_denominator]
    assert set(wide.owner[wide.in_denominator]) == {0} and sorted(below) == [0, 2, 3, 4, 5]


@pytest.mark.parametrize("start, values", [
    (([Y], [X, Y]), [1, -4, 0.01]),                      # one too many
    (([Y, 5], [X]), [1, 0.1, -4]),                       # y^2 that is not there
    (([Y, CONSTANT], [X, 5]), [1, 0, -4, 0]),            # two too many
])
def test_going_downhill_ends_at_the_truth(start, values):
    problem = swing()
    begin = solution(problem, *start, values=values)
    near = Neighbourhood(problem, 2, [begin])
    new = list(near.explore())
    assert key_of(near.found()[0].selection.field) == key_of(field(*TRUTH))
    assert all(one in near.found() for one in new) and near.found()[0].cost < begin.cost


def test_all_models_one_move_from_the_best_that_are_near_are_among_those_found():
    problem = swing(noise=0.3, samples=60)
    search = Search(problem, "polynomial", 2).run()
    best, listed = search.best, {key_of(other) for other, _, _ in alternatives_of(search)}
    kept = {(j, k) for j, k in zip(best.selection.field.owner.tolist(), best.selection.field.monomial.tolist())}
    for j in range(2):
        for k in range(6):
            terms = kept ^ {(j, k)}
            numerators = [sorted(m for i, m in terms if i == equation) for equation in range(2)]
            other = solution_with(problem, field(*[np.array(part, dtype=int) for part in numerators]), np.array(
                [dict(zip(kept, [0.0] * len(kept))).get((i, m), 0.0) for i, part in enumerate(numerators) for m in part]), best)
            if other is not None and other.cost - best.cost < UNDECIDED_COST - 1e-3:
                assert key_of(other.selection.field) in listed


def test_what_neighbours_cost_is_foretold():
    problem = swing(noise=0.05)
    best = solution(problem, *TRUTH, values=[1, -4])
    foretold = neighbours(problem, best, 2)
    assert foretold and [change for _, _, change in foretold] == sorted(change for _, _, change in foretold)
    for other, first, change in foretold[:4]:
        found = solution_with(problem, other, first, best)
        # the change foretold leaves out what it costs to say which terms there are, and that numbers may be simple
        assert abs(found.cost - best.cost - change) < 8


def test_data_without_noise_have_no_neighbours():
    problem = swing(noise=0.0)
    assert neighbours(problem, solution(problem, *TRUTH, values=[1, -4]), 2) == []


def test_before_any_model_there_are_the_first_guesses():
    start = unmodelled(problem := swing())
    assert start.selection.field.size == 0 and start.selection.estimate.states is problem.states and start.cost == np.inf
