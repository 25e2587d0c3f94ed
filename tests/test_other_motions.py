"""The other and the further group of motions are what they claim.

Runs exist, cover what they are to tell apart, and keep their relations; an unmeasured state can be settled as is claimed.
"""

import numpy as np
import pytest
import sympy

from tests import further_motions, other_motions
from tests.benchmarks.motion import GROUPS, Case, is_right
from tests.benchmarks.unmeasured import SETTLED, is_side
from tests.varieties import coefficient_space

BOUND, HIDDEN = (getattr(other_motions, kind) + getattr(further_motions, kind) for kind in ("BOUND", "HIDDEN"))
MEASURED = other_motions.FUNCTIONS + other_motions.FRACTIONS
NEW = further_motions.FUNCTIONS + further_motions.FRACTIONS + further_motions.PROPORTIONAL
SYSTEMS = MEASURED + NEW + tuple(case.system for case in BOUND + HIDDEN)
WAYS = {
    "epidemic, incubation unseen": ["(e/2-3*i/10)", "e/(2*i)-3/10", "e/(2*s)"],
    "plankton, nutrient unseen": ["n-y-1/5"],
    "prey, predators unseen": ["p", "1-p", "-x/5-p", "1-x/5-p"],
    "Chua's circuit, current unseen": ["z", "x+z", "z-y", "x-y+z"],
}
"""What the unmeasured state h may be for those who see only the others."""
every_system = pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.name)
every_bound = pytest.mark.parametrize("case", BOUND, ids=lambda case: case.system.name)


def functions_of(systems):
    sides = [side for system in systems for side in system.truth]
    return {type(one) for side in sides for one in side.atoms(sympy.Function)}


def has_a_denominator(system):
    return any(sympy.fraction(sympy.together(side))[1].free_symbols for side in system.truth)


def test_the_groups_are_wide():
    kinds = ("FUNCTIONS", "FRACTIONS", "BOUND", "HIDDEN")
    assert [len(getattr(other_motions, kind)) for kind in kinds] == [5, 5, 4, 2]
    assert [len(getattr(further_motions, kind)) for kind in (*kinds, "PROPORTIONAL")] == [6, 5, 4, 2, 2]
    assert len({system.name for system in SYSTEMS}) == len(SYSTEMS)
    assert functions_of(other_motions.FUNCTIONS) == {sympy.sin, sympy.exp, sympy.log, sympy.tanh}
    assert functions_of(further_motions.FUNCTIONS) == {sympy.sin, sympy.cos, sympy.exp, sympy.log, sympy.tanh}
    assert all(map(has_a_denominator, other_motions.FRACTIONS + further_motions.FRACTIONS))


def test_groups_of_the_benchmark_are_those_systems():
    assert [case.system for case in GROUPS["other"]] == list(MEASURED)
    assert [case.system for case in GROUPS["further"]] == list(NEW)
    for case in GROUPS["further"]:
        assert bool(case.functions) == (case.system in further_motions.FUNCTIONS)
        assert (case.noise_of == "value") == (case.system in further_motions.PROPORTIONAL)


@pytest.mark.parametrize("system", MEASURED + NEW, ids=lambda system: system.name)
def test_the_benchmark_sees_through_ways_of_writing(system):
    targets, true = [f"{name}'" for name in system.names], system.truth
    for written in (sympy.expand, sympy.together, sympy.factor):
        assert is_right(system, dict(zip(targets, map(written, true))))
    more = sympy.Symbol(system.names[0]) ** 5 / 100
    assert not is_right(system, dict(zip(targets, [true[0] + more, *true[1:]])))
    assert not is_right(system, dict(zip(targets[1:], true[1:])))


@pytest.mark.parametrize("system", further_motions.PROPORTIONAL, ids=lambda system: system.name)
def test_noise_in_proportion_to_the_values(system):
    """The values span more than a factor of 20, are never zero, and differ from the exact ones by so many per cent."""
    exact = np.concatenate(system.data(0, 0)[1])
    noisy = np.concatenate(Case(system, (5,), noise_of="value").data(5, 0)[1])
    assert exact.min() > 0 and np.all(exact.max(axis=0) > 5 * exact.min(axis=0))
    assert np.any(exact.max(axis=0) > 20 * exact.min(axis=0))
    for part in np.array_split(np.argsort(exact[:, 0]), 4):
        assert (noisy / exact - 1)[part].std() == pytest.approx(0.05, rel=0.1)


@every_system
def test_rates_are_those_of_the_runs(system):
    """Central differences over five times of the exact runs, away from their ends."""
    times, runs = system.data(0, 0)
    rate = sympy.lambdify(sympy.symbols(system.names), system.truth)
    step = times[1] - times[0]
    for run in runs:
        slope = (run[:-4] - 8 * run[1:-3] + 8 * run[3:-1] - run[4:]) / (12 * step)
        true = np.stack([np.broadcast_to(part, len(run)) for part in rate(*run.T)], axis=1)[2:-2]
        assert np.abs(slope - true).max() < 0.05 * np.abs(true).max()


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
    symbols = sympy.symbols(case.system.names)
    monomials = sympy.itermonomials(symbols, 2)
    table = np.stack([sympy.lambdify(symbols, monomial)(*scaled.T) * np.ones(len(scaled)) for monomial in monomials], axis=1)
    sizes = np.linalg.svd(table, compute_uv=False) / np.sqrt(len(table))
    multiples = coefficient_space([sympy.Poly(relation, *symbols) for relation in case.truth], len(symbols), 2).shape[1]
    assert np.all(sizes[-multiples:] < 1e-6)
    assert sizes[-multiples - 1] > 1e-3


@every_bound
def test_the_benchmark_takes_the_truth_for_right(case):
    for side in case.system.truth:
        assert is_side(case, side, side)
        assert not is_side(case, sympy.Symbol(case.system.names[0]) ** 3, side)


@pytest.mark.parametrize("case", HIDDEN, ids=lambda case: case.system.name)
def test_what_is_hidden_is_left_out(case):
    times, runs = case.data(1, 0)
    full = case.system.data(1, 0)[1]
    kept = [case.system.names.index(name) for name in case.measured]
    assert len(kept) == len(case.system.names) - 1
    for run, whole in zip(runs, full):
        assert np.array_equal(run, whole[:, kept])


@pytest.mark.parametrize("case", HIDDEN, ids=lambda case: case.system.name)
def test_ways_to_settle_what_is_hidden(case):
    """With each way the equations have the terms that the benchmark takes for right, and there is one way for each."""
    system = case.system
    symbols, rates = dict(zip(system.names, sympy.symbols(system.names))), dict(zip(system.names, system.truth))
    (hidden,), h = set(system.names) - set(case.measured), sympy.Symbol("h")
    found = []
    for way in WAYS[system.name]:
        value = sympy.sympify(way, locals=symbols, rational=True)
        back = sympy.solve(value - h, symbols[hidden])[0]
        change = sum(sympy.diff(value, symbol) * rates[name] for name, symbol in symbols.items())
        sides = {f"{name}'": rates[name] for name in case.measured} | {"h'": change}
        found.append({target: {str(sympy.Mul(*[s**e for s, e in zip((*symbols.values(), h), row)])) for row in sympy.Poly(
            sympy.cancel(side.subs(symbols[hidden], back)), *symbols.values(), h).monoms()} for target, side in sides.items()})
    assert found == [{target: set(map(str, map(sympy.sympify, terms))) for target, terms in way.items()}
                     for way in SETTLED[system.name]]
