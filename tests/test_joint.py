"""Right-hand sides, defects, the joint estimate of states and coefficients: against differences and scipy."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import least_squares

from symknot.ground.linalg import column_sizes
from symknot.polynomials.evaluation import monomial_rows
from symknot.polynomials.monomials import monomials
from symknot.sysid.motion import joint
from symknot.sysid.motion.fields import Field
from symknot.sysid.motion.joint import (
    _involved,
    _targets,
    discretization_shift,
    estimate,
    gauss_newton_step,
    misfit,
    no_cuts,
    pull_of_all,
)
from symknot.sysid.motion.kinds import Flow, Map, Static
from symknot.sysid.motion.measurements import Measurements

RATIONAL = Field(3, 2, (np.array([0, 1, 4]), np.array([2, 3])), (np.array([2]), np.array([], int)), (0, 0))
"""Two equations in two states and an input; the first one is a fraction."""


def rational_case(seed=0, n=6):
    rng = np.random.default_rng(seed)
    coefficients = np.r_[rng.normal(size=3), 0.3, rng.normal(size=2)]
    return coefficients, rng.uniform(0.2, 1.0, (2, n)), rng.uniform(0.2, 1.0, (1, n))


def difference(function, at, step=1e-6):
    """Central differences of an array-valued function by every entry of `at`; that entry's axis comes last."""
    columns = []
    for place in np.ndindex(at.shape):
        up, down = at.copy(), at.copy()
        up[place] += step
        down[place] -= step
        columns.append((function(up) - function(down)) / (2 * step))
    return np.stack(columns, axis=-1)


def test_monomials_are_those_of_the_table():
    points = np.random.default_rng(0).normal(size=(3, 5))
    exponents = monomials(3, 3).exponents
    assert np.allclose(monomial_rows(points, 3), np.prod(points[None] ** exponents[:, :, None], axis=1))


def test_a_field_is_the_fraction_it_says():
    c, (x, y), (u,) = rational_case()
    f = RATIONAL.values(c, np.array([x, y, u]))
    assert np.allclose(f[0], (c[0] + c[1] * x + c[2] * x**2) / (1 + c[3] * y))
    assert np.allclose(f[1], c[4] * y + c[5] * u)


def test_derivatives_of_a_field():
    c, states, inputs = rational_case()
    points = np.vstack([states, inputs])
    f, slopes, by_coefficient = RATIONAL.linearized(c, points)
    assert np.allclose(f, RATIONAL.values(c, points))
    for k in range(points.shape[1]):
        one = points[:, k]
        assert np.allclose(slopes[:, :, k], difference(lambda z: RATIONAL.values(c, z[:, None])[:, 0], one), atol=1e-7)
    numeric = difference(lambda c: RATIONAL.values(c, points), c)
    for place, owner in enumerate(RATIONAL.owner):
        assert np.allclose(by_coefficient[place], numeric[owner, :, place], atol=1e-7)
        assert np.allclose(np.delete(numeric[:, :, place], owner, axis=0), 0)


def test_restricting_a_field_keeps_what_is_kept():
    kept = np.array([True, False, True, True, False, True])
    smaller = RATIONAL.restricted(kept)
    c, states, inputs = rational_case()
    points = np.vstack([states, inputs])
    assert np.allclose(smaller.values(c[kept], points), RATIONAL.values(np.where(kept, c, 0), points))


@pytest.mark.parametrize("dynamics, field", [
    (Flow(1), RATIONAL),
    (Flow(2), Field(3, 2, (np.array([1, 2, 3, 5]),), (np.array([], int),), (0,))),
    (Map(0, 1), RATIONAL),
    (Map(1, 2), Field.polynomial(5, 2, 2)),
    (Static(), Field(1, 2, (np.array([0, 1]), np.array([2])), (np.array([1]), np.array([], int)), (0, 0))),
], ids=["flow", "second order", "map", "map with lags", "static"])
def test_derivatives_of_the_defects(dynamics, field):
    rng = np.random.default_rng(3)
    states, inputs = rng.uniform(0.2, 1.0, (2, 7)), rng.uniform(0.2, 1.0, (1, 7))
    run = Measurements(states, np.ones(2), inputs, rng.uniform(0.05, 0.1, 6))
    c = 0.3 * rng.normal(size=field.size)
    defects = dynamics.defects(field, c, run, states)
    by_state = difference(lambda x: dynamics.defects(field, c, run, x).values, states).reshape(2, -1, 2, 7)
    expected = np.zeros_like(by_state)
    for k, block in enumerate(defects.blocks):
        for i in range(defects.values.shape[1]):
            expected[:, i, :, i + k] += block[:, :, i]
    assert np.allclose(by_state, expected, atol=1e-7)
    by_coefficient = difference(lambda c: dynamics.defects(field, c, run, states).values, c)
    assert np.allclose(defects.by_coefficient.transpose(0, 2, 1), by_coefficient, atol=1e-7)


def standard_errors(found):
    """Of the coefficients of an estimate."""
    return np.sqrt(np.diag(np.linalg.inv(found.information)))


def logistic(noise, seed=0, n=60, start=0.05):
    t = np.linspace(0, 6, n)
    x = 1 / (1 + (1 / start - 1) * np.exp(-t))
    return t, x + noise * np.random.default_rng(seed).normal(size=n), x


LOGISTIC = Field(1, 2, (np.array([1, 2]),), (np.array([], int),), (0,))


def test_defects_vanish_to_fourth_order_on_a_solution():
    worst = []
    for n in (20, 40):
        t, _, x = logistic(0, n=n)
        run = Measurements(x[None], np.ones(1), np.zeros((0, n)), np.diff(t))
        worst.append(np.abs(Flow().defects(LOGISTIC, np.array([1.0, -1.0]), run, x[None]).values).max())
    assert worst[1] < worst[0] / 25          # 2**5 a step


def test_the_joint_estimate_is_nonlinear_least_squares():
    """Coefficients, initial state, standard errors: all as scipy finds them with a solved differential equation."""
    t, y, x = logistic(0.02)
    run = Measurements(y[None], np.array([0.02**2]), np.zeros((0, len(t))), np.diff(t))
    found = estimate(Flow(), LOGISTIC, np.array([0.8, -0.7]), [run], [x[None] + 0.01])
    assert found.converged

    def solved(p):
        rate = solve_ivp(lambda s, z: p[0] * z + p[1] * z**2, (0, t[-1]), p[2:], t_eval=t, rtol=1e-9, atol=1e-12)
        return (rate.y[0] - y) / 0.02

    reference = least_squares(solved, [1.0, -1.0, y[0]], x_scale="jac", xtol=1e-12, ftol=1e-12)
    covariance = np.linalg.inv(reference.jac.T @ reference.jac)
    assert np.allclose(found.coefficients, reference.x[:2], rtol=1e-4)
    assert np.allclose(standard_errors(found), np.sqrt(np.diag(covariance))[:2], rtol=1e-3)
    assert np.abs(Flow().defects(LOGISTIC, found.coefficients, run, found.states[0]).values).max() < 1e-6
    squares, counts = misfit([run], found.states)
    assert counts.tolist() == [60] and np.isclose(squares[0] / 0.02**2, 2 * reference.cost, rtol=1e-4)


def test_several_runs_count_together():
    runs, states = [], []
    for seed, start in enumerate((0.02, 0.1, 1.7)):
        t, y, x = logistic(0.02, seed, start=start)
        runs.append(Measurements(y[None], np.array([0.02**2]), np.zeros((0, len(t))), np.diff(t)))
        states.append(x[None])
    alone = [estimate(Flow(), LOGISTIC, np.array([1.0, -1.0]), [run], [x]) for run, x in zip(runs, states)]
    together = estimate(Flow(), LOGISTIC, np.array([1.0, -1.0]), runs, states)
    total = sum(one.information for one in alone)
    mean = np.linalg.solve(total, sum(one.information @ one.coefficients for one in alone))
    assert np.allclose(together.coefficients, mean, atol=0.3 * standard_errors(together).max())
    assert np.allclose(together.information, total, rtol=0.2)


def test_states_between_samples_and_unmeasured_velocities():
    """An oscillator of which only the position is measured, at times too far apart for one step of the collocation."""
    t = np.arange(0, 12, 0.5)
    x = np.cos(2 * t) * np.exp(-0.1 * t)
    v = np.gradient(x, t)
    y = x + 0.01 * np.random.default_rng(1).normal(size=len(t))
    field = Field(2, 1, (np.array([1, 2]),), (np.array([], int),), (0,))
    measured = np.vstack([y, np.full(len(t), np.nan)])
    run = Measurements(measured, np.array([0.01**2, 1.0]), np.zeros((0, len(t))), np.diff(t))
    coarse = estimate(Flow(2), field, np.array([-3.0, -0.1]), [run], [np.vstack([y, v])])
    assert coarse.converged and discretization_shift(Flow(2), field, coarse, [run]) > 1
    fine = run.subdivided(8)
    places = np.arange(fine.measured.shape[1]) / 8
    between = np.array([np.interp(places, np.arange(len(row)), row) for row in coarse.states[0]])
    found = estimate(Flow(2), field, coarse.coefficients, [fine], [between])
    assert found.converged and discretization_shift(Flow(2), field, found, [fine]) < 0.1
    assert np.all(np.abs(found.coefficients - [-4.01, -0.2]) < 4 * standard_errors(found))
    assert np.allclose(found.states[0][0, ::8], x, atol=0.02)


def test_static_estimate_is_regression():
    rng = np.random.default_rng(0)
    u = rng.uniform(0, 2, 50)
    y = 3 * u - 1 + 0.1 * rng.normal(size=50)
    field = Field.polynomial(1, 1, 1)
    run = Measurements(y[None], np.array([0.01]), u[None], np.ones(49))
    found = estimate(Static(), field, np.zeros(2), [run], [y[None]])
    design = np.c_[np.ones(50), u]
    assert np.allclose(found.coefficients, np.linalg.lstsq(design, y, rcond=None)[0])
    assert np.allclose(found.information, design.T @ design / 0.01)


def test_a_chaotic_map_is_followed_through_the_noise():
    rng = np.random.default_rng(2)
    x = [0.3]
    for _ in range(400):
        x.append(3.8 * x[-1] * (1 - x[-1]))
    x = np.array(x)
    y = x + 0.03 * rng.normal(size=len(x))
    run = Measurements(y[None], np.array([0.03**2]), np.zeros((0, len(x))), np.ones(len(x) - 1))
    found = estimate(Map(), LOGISTIC, np.array([3.5, -3.5]), [run], [y[None]],
                     slacks=(1, 1, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4, 1e-6))
    assert found.converged
    assert np.abs(found.coefficients - [3.8, -3.8]).max() < 0.02
    off = Map().defects(LOGISTIC, found.coefficients, run, found.states[0]).values[0]
    assert np.abs(off[~found.cuts[0]]).max() < 1e-3 * 0.03
    assert np.sqrt(np.mean((found.states[0] - x) ** 2)) < 0.5 * 0.03


def test_the_pull_alone_is_that_of_the_step():
    t, y, x = logistic(0.02)
    run = Measurements(y[None], np.array([0.02**2]), np.zeros((0, len(t))), np.diff(t))
    cuts = no_cuts(Flow(), [run])
    *_, pull = gauss_newton_step(Flow(), LOGISTIC, np.array([0.9, -1.2]), [run], [x[None]], cuts)
    assert np.allclose(pull, pull_of_all(Flow(), LOGISTIC, np.array([0.9, -1.2]), [run], [x[None]], cuts))


def test_a_cut_frees_what_lies_behind_it():
    """A run whose second half was moved away is two runs once the step between them is cut."""
    t, *_ = logistic(0.0, n=61)
    shift = np.where(np.arange(61) >= 30, 1.0, 0.0)
    jumped = 1 / (1 + (1 / 0.05 - 1) * np.exp(-(t + shift)))
    run = Measurements(jumped[None], np.array([1e-4]), np.zeros((0, 61)), np.diff(t))
    cut = np.zeros(60, dtype=bool)
    cut[29] = True
    found = estimate(Flow(), LOGISTIC, np.array([0.9, -0.9]), [run], [jumped[None]], cuts=(cut,))
    assert found.converged and np.allclose(found.coefficients, [1, -1], atol=1e-4)


class Erring(Flow):
    """Steps that err as if the coefficients were others."""

    away = np.array([0.03, -0.02])

    def step_errors(self, field, coefficients, run, states):
        return np.einsum("spn,p->sn", self.defects(field, coefficients, run, states).by_coefficient, self.away)


def test_errors_of_steps_are_told_in_standard_errors():
    t = np.arange(0, 3, 0.1)
    states = np.vstack([np.cos(2 * t), -2 * np.sin(2 * t)])
    field = Field(2, 1, (np.array([1, 2]),), (np.array([], int),), (0,))
    measured = states + 0.01 * np.random.default_rng(1).normal(size=states.shape)
    run = Measurements(measured, np.array([1e-4, 1e-4]), np.zeros((0, len(t))), np.diff(t))
    found = estimate(Erring(2), field, np.array([-4.0, 0.0]), [run], [states])
    expected = np.sqrt(Erring.away @ found.information @ Erring.away / 2)
    assert found.converged and discretization_shift(Erring(2), field, found, [run]) == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("reach, places", [(1, [1, 2]), (2, [0, 1, 2])])
def test_a_state_takes_part_in_the_defects_around_it(reach, places):
    assert np.flatnonzero(_involved(np.arange(6) == 2, reach)).tolist() == places
    assert len(_involved(np.ones(6, bool), reach)) == 6 - reach and _involved(np.ones(6, bool), reach).all()
    assert np.flatnonzero(_involved(np.arange(6) == 5, reach)).tolist() == [5 - reach]


@pytest.mark.parametrize("noise, by_noise", [(1e-6, True), (1e-2, False)])
def test_what_is_not_measured_is_free_for_all_purposes(noise, by_noise):
    """A hundred sizes of the state, but no more than 1e5 times the others' noise, which would be lost beside it."""
    states = np.array([[2.0, 2.0, 2.0], [3.0, 3.0, 3.0]])
    measured = np.array([[2.0, np.nan, 2.1], [np.nan] * 3])
    run = Measurements(measured, np.array([(2 * noise) ** 2, 1.0]), np.zeros((0, 3)), np.ones(2))
    target, variance = _targets(run, states)
    missing, size = np.isnan(measured), column_sizes(states.T)
    np.testing.assert_array_equal(target, np.where(missing, states, measured))
    relative = 2 * noise / size[0]
    expected = np.where(missing, (min(100.0, 1e5 * relative) * size[:, None]) ** 2, (2 * noise) ** 2)
    np.testing.assert_allclose(variance, expected, rtol=1e-9)
    assert bool(1e5 * relative < 100) == by_noise


@pytest.mark.parametrize("noise, sizes", [(1e-6, 0.1), (1e-2, 10.0)])
def test_between_samples_of_all_states_less_is_free(noise, sizes):
    """A thousand noises, or a tenth of the size."""
    run = Measurements(np.array([[2.0, np.nan, 2.0]]), np.array([(2 * noise) ** 2]), np.zeros((0, 3)), np.ones(2))
    _, variance = _targets(run, np.full((1, 3), 2.0))
    np.testing.assert_allclose(np.sqrt(variance[0]), [2 * noise, 2 * sizes, 2 * noise])


@pytest.mark.parametrize("states, points", [(2, 3), (5, 40), (9, 1), (40, 5)])
def test_blocks_of_columns_are_solved_as_single_ones(states, points):
    """L of a banded M, L L^T = M, against the dense Cholesky factor."""
    rng = np.random.default_rng(states)
    unit = np.eye(states)[:, :, None]
    blocks = (0.2 * rng.normal(size=(states, states, points)) - unit, 0.2 * rng.normal(size=(states, states, points)) + unit)
    factor = joint._factor(blocks, np.ones((states, points + 1)), np.zeros((points, states)))
    E = np.zeros((points * states, (points + 1) * states))
    for n in range(points):
        rows = slice(n * states, (n + 1) * states)
        E[rows, n * states: (n + 2) * states] = np.hstack([blocks[0][..., n], blocks[1][..., n]])
    right = rng.normal(size=(points * states, 7))
    wanted = np.linalg.solve(np.linalg.cholesky(E @ E.T), right)
    assert np.allclose(joint._half_solved_in_blocks(factor, right.copy()), wanted, rtol=1e-8, atol=1e-8)
    b, by = right[:, 0].reshape(points, states).T, right[:, 1:].reshape(points, states, 6).transpose(1, 2, 0)
    assert np.allclose(joint._half_solved(factor, b, by), wanted, rtol=1e-8, atol=1e-8)
