"""The other group of motions is what it claims: runs exist, cover what they are to tell apart, and keep their relations."""

import numpy as np
import pytest
import sympy

from tests.other_motions import BOUND, FRACTIONS, FUNCTIONS, HIDDEN

SYSTEMS = FUNCTIONS + FRACTIONS + tuple(case.system for case in BOUND + HIDDEN)
every_system = pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.name)
every_bound = pytest.mark.parametrize("case", BOUND, ids=lambda case: case.system.name)


def test_the_group_is_wide():
    assert [len(group) for group in (FUNCTIONS, FRACTIONS, BOUND, HIDDEN)] == [5, 5, 4, 2]
    assert len({system.name for system in SYSTEMS}) == len(SYSTEMS)
    functions = set().union(*(side.atoms(sympy.Function) for system in FUNCTIONS for side in system.truth))
    assert {type(function) for function in functions} == {sympy.sin, sympy.exp, sympy.log, sympy.tanh}
    for system in FRACTIONS:
        assert any(sympy.fraction(sympy.together(side))[1].free_symbols for side in system.truth)


@every_system
def test_runs_exist_and_are_bounded(system):
    times, runs = system.data(0, 0)
    assert len(times) == system.samples and len(runs) == len(system.starts)
    for start, run in zip(system.starts, runs):
        assert run.shape == (system.samples, len(system.names))
        assert run[0] == pytest.approx(start)
        assert np.abs(run).max() < 20


@every_system
def test_terms_can_be_told_apart(system):
    """The parts of each right-hand side are linearly independent on the runs, and each of a size that is seen."""
    states = np.concatenate(system.data(0, 0)[1])
    symbols = sympy.symbols(system.names)
    for side in system.truth:
        parts = [sympy.lambdify(symbols, part)(*states.T) * np.ones(len(states)) for part in sympy.Add.make_args(side)]
        size = np.linalg.norm(np.stack(parts), axis=1)
        assert size.min() > 0.02 * size.max()
        assert np.linalg.svd(np.stack(parts) / size[:, None], compute_uv=False)[-1] > 0.01


@every_system
def test_every_state_moves(system):
    runs = system.data(0, 0)[1]
    deviation = np.concatenate(runs).std(axis=0)
    assert deviation.min() > 0.03 * deviation.max()
    assert all(np.any(np.ptp(run, axis=0) > 0.1 * deviation) for run in runs)


@every_bound
def test_relations_hold_along_the_runs(case):
    states = np.concatenate(case.system.data(0, 0)[1])
    for relation in case.truth:
        assert np.abs(sympy.lambdify(sympy.symbols(case.system.names), relation)(*states.T)).max() < 1e-6


@every_bound
def test_relations_are_kept_exactly(case):
    """Their derivatives along the flow are multiples of them."""
    symbols = sympy.symbols(case.system.names)
    for relation in case.truth:
        along = sum(sympy.diff(relation, symbol) * rate for symbol, rate in zip(symbols, case.system.truth))
        above = sympy.fraction(sympy.together(along))[0]
        basis = sympy.groebner(case.truth, *symbols)
        assert basis.contains(sympy.expand(above))


@every_bound
def test_there_are_no_other_relations_of_degree_two(case):
    """On the runs nothing else of degree two vanishes, beside multiples of the relations."""
    states = np.concatenate(case.system.data(0, 0)[1])
    scaled = (states - states.mean(axis=0)) / states.std(axis=0)
    monomials = sympy.itermonomials(sympy.symbols(case.system.names), 2)
    symbols = sympy.symbols(case.system.names)
    table = np.stack([sympy.lambdify(symbols, monomial)(*scaled.T) * np.ones(len(scaled)) for monomial in monomials], axis=1)
    sizes = np.linalg.svd(table, compute_uv=False) / np.sqrt(len(table))
    multiples = {1: 1, 2: 9}[len(case.relations)]  # one of degree 2; of two linear ones times 1 and four states, less one
    assert np.all(sizes[-multiples:] < 1e-6)
    assert sizes[-multiples - 1] > 1e-3


@pytest.mark.parametrize("case", HIDDEN, ids=lambda case: case.system.name)
def test_what_is_hidden_is_left_out(case):
    times, runs = case.data(1, 0)
    full = case.system.data(1, 0)[1]
    kept = [case.system.names.index(name) for name in case.measured]
    assert len(kept) == len(case.system.names) - 1
    for run, whole in zip(runs, full):
        assert np.array_equal(run, whole[:, kept])
