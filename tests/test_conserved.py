"""Invariants and constraints of systems whose answers are known."""

from __future__ import annotations

import json

import numpy as np
import pytest
import sympy
from scipy.integrate import solve_ivp

import symknot
from symknot.ground.errors import InvalidModel, InvalidOption, InvalidPoints
from symknot.sysid.invariants.conserved import conserved
from symknot.sysid.invariants.invariant_search import Known, values_of
from symknot.sysid.invariants.level_sets import reduced_rows
from symknot.sysid.invariants.short_invariants import _shortest
from symknot.sysid.runs.smooth_states import Smoother, States
from symknot.sysid.runs.trajectories import Trajectories

from .dynamics import BY_NAME, span_angle


def terms(expression, names):
    polynomial = sympy.Poly(expression, *[sympy.Symbol(name) for name in names])
    return {exponents: float(c) for exponents, c in polynomial.terms()}


def exprs(equations):
    return tuple(g.expr for g in equations)


def noisy(runs, percent, seed, times, names):
    """Runs with noise of so many per cent of each variable's standard deviation."""
    rng = np.random.default_rng(seed)
    scales = np.concatenate(runs).std(axis=0)
    return Trajectories([run + percent / 100 * scales * rng.normal(size=run.shape) for run in runs],
                        time=times, names=list(names))


def flow(rates, starts, end, samples, percent, names, seed=0, observe=None):
    times = np.linspace(0, end, samples)
    runs = [solve_ivp(rates, (0, end), start, t_eval=times, rtol=1e-10, atol=1e-12, method="DOP853").y.T
            for start in starts]
    return noisy([observe(run) if observe else run for run in runs], percent, seed, times[1], names)


def oscillator(t, s):
    return [s[1], -4 * s[0]]


def kepler(t, s):
    cube = (s[0] ** 2 + s[1] ** 2) ** 1.5
    return [s[2], s[3], -s[0] / cube, -s[1] / cube]


def lotka_volterra(t, s):
    return [s[0] * (1 - s[1]), s[1] * (s[0] - 1)]


def lorenz(t, s):
    return [10 * (s[1] - s[0]), s[0] * (28 - s[2]) - s[1], s[0] * s[1] - 8 / 3 * s[2]]


def epidemic(t, s):
    return [-0.5 * s[0] * s[1], 0.5 * s[0] * s[1] - 0.1 * s[1], 0.1 * s[1]]


def van_der_pol(t, s):
    return [s[1], -s[0] + s[1] - s[0] ** 2 * s[1]]


def pendulum(t, s):
    return [s[1], -np.sin(s[0])]


def rod(s):
    """Place and velocity of a pendulum's end."""
    angle, speed = s.T
    return np.c_[np.sin(angle), -np.cos(angle), np.cos(angle) * speed, np.sin(angle) * speed]


def nearly_kepler(size):
    """In space, with a small force that keeps nothing constant."""
    def rates(t, s):
        return [*s[3:], *(-s[:3] / np.linalg.norm(s[:3]) ** 3 + size * s[[2, 0, 1]] * [1, -1, 1])]
    return rates


def iterated(step, starts, samples):
    runs = []
    for start in starts:
        run = [np.array(start, dtype=float)]
        while len(run) < samples:
            run.append(np.array(step(run[-1])))
        runs.append(np.array(run))
    return runs


OSCILLATIONS = ((1.0, 0.0), (1.5, 0.3), (0.5, 0.5))
ORBITS = ((1.0, 0, 0, 0.6), (1.0, 0.2, 0.1, 1.05), (1.3, 0, 0.1, 0.6), (0.8, 0, 0, 1.3))
SWINGS = ((1.0, 0.0), (2.0, 0.0), (0.5, 1.0), (2.5, 0.2))


class TestBenchmarkSystems:
    def found(self, name, seed, **options):
        system = BY_NAME[name]
        runs = system.data(10.0, seed)
        data = Trajectories([values for _, values in runs], time=[times for times, _ in runs], names=list(system.names))
        result = conserved(data, **{"max_degree": system.invariant_degree, **options})
        return system, result, span_angle([terms(g.estimate, system.names) for g in result.invariants],
                                          system.invariants, system.scales)

    @pytest.mark.parametrize("seed", [0, 1])
    def test_both_invariants_of_the_euler_top(self, seed):
        system, result, angle = self.found("euler top", seed)
        assert angle < 0.5
        exact = span_angle([terms(g.expr, system.names) for g in result.invariants], system.invariants, system.scales)
        assert exact < 1e-9
        assert result.constraints == ()
        assert all(0.8 < g.value < 1.2 for g in result.invariants)

    def test_products_of_invariants_are_not_new(self):
        _, result, angle = self.found("euler top", 2, max_degree=4)
        assert len(result) == 2 and angle < 0.5

    @pytest.mark.slow
    def test_energy_of_henon_and_heiles(self):
        system, result, angle = self.found("henon-heiles", 0)
        assert angle < 1
        x, y, u, v = sympy.symbols("x y u v")
        energy = (x**2 + y**2 + u**2 + v**2) / 2 + x**2 * y - y**3 / 3
        assert sympy.expand(result.invariants[0].expr - 6 * energy) == 0

    def test_knots_are_nearer_to_the_truth_than_the_data_and_lie_on_the_level_sets(self):
        system, result, _ = self.found("euler top", 0)
        errors = [(np.linalg.norm(run.states - truth), np.linalg.norm(run.measured - truth))
                  for run, (_, truth) in zip(result.runs, system.clean)]
        assert all(knots < 0.25 * data for knots, data in errors)
        for g in result.invariants:
            value = sympy.lambdify(sympy.symbols(system.names), g.estimate)
            for run, row in zip(result.runs, g.estimate_drift):
                values = value(*run.states.T)
                assert run.group == row.label
                assert np.std(values) < 1e-3 * np.mean(values)
                assert np.mean(values) == pytest.approx(row.level, rel=5e-3)


class TestFlows:
    @pytest.mark.parametrize("percent", [0.0, 1.0, 10.0])
    def test_oscillator(self, percent):
        result = conserved(flow(oscillator, OSCILLATIONS, 12, 400, percent, "xv"), 4)
        x, v = sympy.symbols("x v")
        (energy,) = result.invariants
        assert energy.expr == 4 * x**2 + v**2
        assert result.constraints == ()
        unit = float(energy.estimate.coeff(x**2)) / 4
        energies = [4 * a * a + b * b for a, b in OSCILLATIONS]
        assert list(energy.levels.values()) == pytest.approx(energies, rel=0.03)
        assert [row.level for row in energy.estimate_drift] == pytest.approx([unit * e for e in energies], rel=0.03)

    @pytest.mark.parametrize("percent", [0.0, 2.0, 10.0])
    def test_angular_momentum_on_eccentric_orbits(self, percent):
        result = conserved(flow(kepler, ORBITS, 20, 1500, percent, "xyuv"), 2)
        x, y, u, v = sympy.symbols("x y u v")
        assert [sympy.expand(g * sign) for g in exprs(result.invariants) for sign in (1, -1)].count(x * v - y * u) == 1
        assert len(result) == 1

    def test_energy_and_constraints_of_a_pendulum(self):
        result = conserved(flow(pendulum, SWINGS, 20, 800, 5.0, "xyuv", observe=rod), 3)
        x, y, u, v = sympy.symbols("x y u v")
        assert set(result.exprs) == {x**2 + y**2 - 1, x * u + y * v}
        assert exprs(result.invariants) == (u**2 + v**2 + 2 * y,)
        assert all(abs(terms(g.estimate, "xyuv").get((0, 0, 0, 0), 0.0) - c) < 0.01
                   for g, c in zip(result.constraints, (-1.0, 0.0)))

    def test_constraint_in_the_plane(self):
        result = conserved(flow(pendulum, SWINGS, 20, 800, 10.0, "xy", observe=lambda s: rod(s)[:, :2]), 2)
        assert [str(g) for g in result.constraints] == ["x**2 + y**2 - 1 = 0"]
        assert result.invariants == ()

    def test_population_is_a_constraint_if_it_is_the_same_in_all_runs(self):
        S, I, R = sympy.symbols("S I R")
        same = conserved(flow(epidemic, ((0.9, 0.1, 0), (0.7, 0.2, 0.1), (0.5, 0.1, 0.4)), 40, 400, 5.0, "SIR"), 2)
        assert same.exprs == (S + I + R - 1,) and same.invariants == ()
        other = conserved(flow(epidemic, ((0.9, 0.1, 0), (1.7, 0.2, 0.1), (1.2, 0.1, 0.4)), 40, 400, 5.0, "SIR"), 2)
        assert exprs(other.invariants) == (S + I + R,) and other.constraints == ()

    def test_two_invariants_in_two_runs_make_no_constraint(self):
        system = BY_NAME["euler top"]
        runs = system.data(2.0, 0)[:2]
        result = conserved(Trajectories([values for _, values in runs], time=runs[0][0][1], names=list("xyz")), 2)
        assert len(result) == 2 and result.constraints == ()

    def test_pieces_of_a_run_with_a_gap_share_a_level(self):
        data = flow(oscillator, OSCILLATIONS[:2], 12, 400, 5.0, "xv")
        runs = [run.states.copy() for run in data]
        runs[0][150:160] = np.nan
        result = conserved(Trajectories({"a": runs[0], "b": runs[1]}, time=12 / 399, names=["x", "v"]))
        assert [set(g.levels) for g in result.invariants] == [{"a", "b"}]
        assert [len(run.states) for run in result.runs] == [150, 240, 400]
        assert [(run.label, run.group) for run in result.runs] == [("a/1", "a"), ("a/2", "a"), ("b", "b")]


class TestNothing:
    @pytest.mark.parametrize("percent", [0.0, 2.0, 10.0])
    @pytest.mark.parametrize("rates, starts, end, samples, names, degree", [
        (lorenz, ((-8.0, 7.0, 27.0),), 20, 3000, "xyz", 3),
        (lotka_volterra, ((1, 0.5), (1, 0.3), (1.5, 1.5), (2, 0.4)), 20, 800, "xy", 4),
        (van_der_pol, ((2.0, 0.0),), 40, 4000, "xy", 2),
    ])
    def test_no_false_invariants(self, rates, starts, end, samples, names, degree, percent):
        result = conserved(flow(rates, starts, end, samples, percent, names), degree)
        assert result.invariants == () and result.constraints == () and len(result) == 0
        assert "nothing conserved" in str(result) and "raise max_degree" in result.message
        assert [len(run.states) for run in result.runs] == [samples] * len(starts)

    def test_an_approximation_is_left_out(self):
        """Lotka and Volterra's invariant is no polynomial; one of degree 5 is constant within this noise."""
        starts = ((1, 0.5), (1, 0.3), (1.5, 1.5), (2, 0.4))
        result = conserved(flow(lotka_volterra, starts, 20, 800, 5.0, "xy", seed=1), 5)
        assert result.invariants == ()
        assert "only approximates" in result.message

    def test_pure_noise(self):
        noise = np.random.default_rng(0).normal(size=(3, 300, 2))
        assert len(conserved(Trajectories([*noise]), 3)) == 0
        assert len(conserved(Trajectories([*noise]), 3, kind="map")) == 0


class TestNearlyExact:
    """One orbit in space, nearly in a plane and nearly an ellipse: many polynomials hardly change, some not at all."""

    def data(self, size, **options):
        return flow(nearly_kepler(size), ((1, 0, 0.2, 0.1, 1.05, 0.4),), 20, 400, 0.0, "xyzuvw", **options)

    @pytest.mark.parametrize("size", [0.0, 5e-7, 5e-6, 5e-5])
    @pytest.mark.parametrize("noise", ["estimate", 1e-6, 1e-5, [1e-6] * 3 + [1e-5] * 3, [1e-5] * 3 + [1e-4] * 3])
    def test_no_noise_is_too_small(self, size, noise):
        result = conserved(self.data(size), 2, noise=noise)
        assert len(result) or "nothing conserved" in str(result)
        assert "value is 0 times" not in result.message

    @pytest.mark.parametrize("kind", ["flow", "map"])
    def test_a_run_that_moves_in_one_block_only(self, kind):
        t = np.linspace(0, 12, 400)
        still = np.where((t > 11)[:, None], np.c_[np.cos(t), np.sin(t), t], 0.0)
        fast = np.exp(-5 * t)[:, None] * np.c_[np.cos(t), np.sin(t), np.cos(3 * t)]
        for run in (still, fast):
            for noise in (1e-8, 1e-4, 0.1):
                result = conserved(Trajectories(run, time=t[1]), 3, kind=kind, noise=noise)
                assert len(result) or "nothing conserved" in str(result)

    def test_states_that_are_never_away_from_zero_together(self):
        t = np.linspace(0, 12, 400)
        run = np.c_[np.maximum(np.sin(t), 0), np.minimum(np.sin(t), 0)]
        result = conserved(Trajectories(run, time=t[1], names=["x", "y"]), 2, kind="map", noise=1e-3)
        assert exprs(result.invariants) == (sympy.Symbol("x") * sympy.Symbol("y"),)

    def test_too_many_to_tell(self):
        # at 5e-6 the gap is that of the rule, and the last digits of the simulation decide
        result = conserved(self.data(7e-6), 2, noise=1e-5)
        assert len(result) == 0
        assert "too many polynomials are nearly constant" in result.message and "of 27" in result.message
        assert "runs that differ more" in result.message and "lower max_degree" in result.message
        assert "raise max_degree" not in result.message

    def test_more_noise_than_was_given(self):
        data = flow(oscillator, OSCILLATIONS, 12, 400, 5.0, "xv")
        noise = conserved(data).noise
        result = conserved(data, noise=noise / 2)
        assert len(result) == 0
        assert "1 polynomial of degree 2 stands clear of all others, but varies " in result.message
        (factor,) = (float(part.split()[0]) for part in result.message.split("give ")[1:])
        assert factor == pytest.approx(2, rel=0.2)
        assert len(conserved(data, noise=noise / 2 * factor)) == 1

    def test_noise_that_hides_all_motion(self):
        result = conserved(flow(oscillator, OSCILLATIONS, 12, 400, 5.0, "xv"), 1, noise=20.0)
        assert len(result) == 0 and "noise hides all motion" in result.message


class TestMaps:
    def rotation(self, percent, seed=0):
        turn = np.array([[0.6, -0.8], [0.8, 0.6]])
        return noisy(iterated(lambda s: turn @ s, ((1, 0), (1.5, 0.3), (0.4, 0.2)), 300), percent, seed, None, "xy")

    @pytest.mark.parametrize("percent", [0.0, 1.0, 5.0])
    def test_rotation(self, percent):
        result = conserved(self.rotation(percent), 3, kind="map")
        assert [str(g) for g in exprs(result.invariants)] == ["x**2 + y**2"]
        scale = np.concatenate([run.states for run in self.rotation(0.0)]).std(axis=0)
        assert result.noise == pytest.approx(np.maximum(percent / 100, 1e-6) * scale, rel=0.1)

    def test_rotation_with_noise_given(self):
        result = conserved(self.rotation(5.0), 2, kind="map", noise=0.0384)
        assert [str(g) for g in exprs(result.invariants)] == ["x**2 + y**2"]
        assert "as given" in str(result)

    @pytest.mark.parametrize("percent", [0.0, 1.0])
    def test_map_of_mcmillan(self, percent):
        """x' = y, y' = -x + y / (1 + y^2): x^2 y^2 + x^2 + y^2 - x y is constant."""
        starts = ((0.5, 0.5), (1, 0.5), (1.5, 0), (2, 0.3))
        runs = iterated(lambda s: (s[1], -s[0] + s[1] / (1 + s[1] ** 2)), starts, 500)
        result = conserved(noisy(runs, percent, 0, None, "xy"), 4, kind="map")
        x, y = sympy.symbols("x y")
        assert len(result) == 1
        truth = {(2, 2): 1.0, (2, 0): 1.0, (0, 2): 1.0, (1, 1): -1.0}
        assert span_angle([terms(result.invariants[0].estimate, "xy")], [truth], [1.0, 1.0]) < 1

    def test_henon_map_has_none(self):
        run = iterated(lambda s: (1 - 1.4 * s[0] ** 2 + s[1], 0.3 * s[0]), ((0.1, 0.1),), 2000)[0][100:]
        result = conserved(noisy([run], 1.0, 0, None, "xy"), 3, kind="map")
        assert len(result) == 0 and np.isnan(result.noise).all() and "noise unknown" in str(result)


class TestInput:
    data = Trajectories(np.c_[np.cos(np.arange(50.0) / 5), np.sin(np.arange(50.0) / 5)], time=0.2)

    @pytest.mark.parametrize("options", [{"max_degree": 0}, {"kind": "flux"}, {"noise": "loud"}, {"noise": -1.0},
                                         {"noise": [1.0]}, {"kind": "map", "noise": "loud"}])
    def test_options(self, options):
        with pytest.raises(InvalidOption):
            conserved(self.data, **options)

    def test_other_data(self):
        with pytest.raises(InvalidOption, match="Trajectories that they were made from"):
            conserved(self.data.with_shift())

    def test_a_state_that_does_not_change(self):
        with pytest.raises(InvalidPoints, match="leave it out"):
            conserved(Trajectories(np.c_[np.sin(np.arange(50.0)), np.ones(50)], time=0.1))

    def test_short_runs(self):
        short = Trajectories([run[:4] for run in np.random.default_rng(0).normal(size=(3, 5, 2))])
        assert len(conserved(short)) == 0


class TestParts:
    @pytest.mark.parametrize("times", [np.arange(40.0), np.arange(40.0) + 0.3 * np.sin(np.arange(40))])
    def test_transposed_smoother(self, times):
        smoother = Smoother(times, 9)
        matrix = np.array([smoother.apply(row) for row in np.eye(40)]).T
        assert smoother.transposed(np.eye(40)) == pytest.approx(matrix.T, abs=1e-12)
        assert smoother.gain == pytest.approx(np.sum(matrix**2, axis=1), abs=1e-12)

    def test_echelon_leaves_out_what_depends(self):
        rows, pivots = reduced_rows(np.array([[1.0, 2, 0], [2, 4, 0], [0, 0, 5]]), np.ones(3))
        assert rows.tolist() == [[0.5, 1, 0], [0, 0, 1]] and pivots.tolist() == [1, 2]

    def test_candidates_are_free_of_what_is_known(self):
        known = Known(2)
        known.invariants.append({(1, 0): 1.0, (0, 1): 2.0})
        known.levels.append(np.array([1.0, 2.0, 3.0]))
        left = known.candidates(2, lambda exponents: np.ones(len(exponents)))
        assert len(left) == 5 - 2


def toda(t, s):
    """Bonds a and momenta b of three particles on a ring; constant are sum b, sum 2 a^2 + b^2, a product, and a cubic."""
    a, b = s[:3], s[3:]
    return np.r_[a * (np.roll(b, -1) - b), 2 * (a**2 - np.roll(a, 1) ** 2)]


def toda_runs(count):
    rng = np.random.default_rng(1000)
    starts = [np.r_[rng.uniform(0.4, 1.2, 3), rng.uniform(-1, 1, 3)] for _ in range(count)]
    return flow(toda, starts, 12, 500, 1, "abcuvw")


def test_a_degree_that_the_runs_do_not_decide_is_named(tmp_path):
    found = conserved(toda_runs(2), 2)                               # with two runs nothing of few terms is taken for a law
    assert "degree 2 is undecided: up to " in found.message and "bring more runs" in found.message
    (row,) = found.undecided
    assert row.degree == 2 and f"up to {row.invariants} more polynomials" in found.message
    assert row.constraints == len(found.invariants) + row.invariants - 1            # of j polynomials j - 1 agree in two levels
    path = tmp_path / "kept.json"
    found.save(path)
    assert symknot.load(path).undecided == found.undecided
    content = json.loads(path.read_text())
    for change in ({"invariants": 0}, {"constraints": -1}, {"degree": 0}, {"degree": 2.0}):
        path.write_text(json.dumps({**content, "undecided": [{**content["undecided"][0], **change}]}))
        with pytest.raises(InvalidModel):
            symknot.load(path)


def test_a_constraint_that_was_taken_for_an_invariant_may_still_be_one():
    known = Known(2)
    known.invariants, known.constraints = [{(2, 0): 1.0, (0, 2): 1.0}], [{(1, 0): 1.0, (0, 0): -1.0}]

    def size(exponents):
        return np.ones(len(exponents))

    modulo_all, modulo_constraints = ({tuple(e) for e in known.candidates(2, size, one).tolist()} for one in (False, True))
    assert len(modulo_all) == 1 and len(modulo_constraints) == 2 and modulo_all < modulo_constraints


@pytest.mark.slow
def test_cubic_invariants_of_few_terms_from_six_runs():
    data = toda_runs(6)
    found = conserved(data, 3)
    a, b, c, u, v, w = sympy.symbols("a b c u v w")
    cubic = 3 * (a**2 * (u + v) + b**2 * (v + w) + c**2 * (u + w)) + u**3 + v**3 + w**3
    true = (u + v + w, 2 * (a**2 + b**2 + c**2) + u**2 + v**2 + w**2, a * b * c, cubic)
    assert {sympy.expand(one) for one in exprs(found.invariants)} == {sympy.expand(one) for one in true}
    assert "degree 3 is undecided" in found.message and not found.constraints
    assert "undecided" not in conserved(data, 2).message                # beyond those found nothing of degree 2 is near


def test_the_shortest_combination_of_a_space():
    rng = np.random.default_rng(0)
    short = np.zeros(12)
    short[[2, 5, 7]] = 1.0, -2.0, 0.5
    near = np.c_[short, rng.normal(size=(12, 2))] @ rng.normal(size=(3, 3))        # three dimensions: ten terms are usual
    for i in (2, 5):                                          # with the smallest number set to 1 it is not the shortest
        sizes = _shortest(near, i)
        assert np.flatnonzero(sizes > 1e-8).tolist() == [2, 5, 7]
        assert np.allclose(sizes, abs(short / short[i]))
    assert np.sum(_shortest(near, 0) > 1e-8) == 10


def test_runs_that_decide_leave_nothing_open():
    starts = [(1.0, 0.0), (0.5, 0.3), (0.2, 1.4), (1.3, 0.2)]
    found = conserved(flow(oscillator, starts, 12, 400, 2, "xv"), 3)
    assert len(found.invariants) == 1 and "undecided" not in found.message and found.undecided == ()


def test_invariants_bound_the_fitted_values_from_above():
    """Of j true invariants the j smallest fitted values are near 1, and of white noise alone all of them."""
    rng = np.random.default_rng(0)
    data = Trajectories([rng.normal(size=(400, 2))], time=0.1, names=["x", "y"])
    states = States.of(data, np.ones(2), 0.0)
    exponents = np.array([[1, 0], [0, 1]])
    assert values_of(states, states.group, exponents).most == 2
    assert values_of(states.with_noise(0.5), states.group, exponents).most == 0
