"""One step of the joint estimate against dense algebra, and its iteration where every step is known beforehand."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from symknot.ground.deadline import Deadline, operations_done
from symknot.sysid.motion import joint
from symknot.sysid.motion.dynamics import Defects
from symknot.sysid.motion.fields import Field
from symknot.sysid.motion.joint import Estimate
from symknot.sysid.motion.kinds import Map, Static
from symknot.sysid.motion.measurements import Measurements

PLANE = Field.polynomial(2, 1, 2)
NOISES = np.array([0.1, 0.3])
CUT = 1e8
"""Variance of a defect given up, in units of the noise's."""
AT_REST = (1e-4, 1e-4)
"""States that have nothing to move by; at 0 their defects would have no slope."""


def two_runs():
    """Two runs of a map in the plane, 5 and 4 samples, the second with a cut; coefficients that do not fit."""
    rng = np.random.default_rng(0)
    runs = [Measurements(rng.uniform(0.5, 1.5, (2, n)), NOISES**2, np.zeros((0, n)), np.ones(n - 1)) for n in (5, 4)]
    states = [run.measured + 0.1 * rng.normal(size=run.measured.shape) for run in runs]
    return 0.4 * rng.normal(size=PLANE.size), runs, states, [np.zeros(4, bool), np.array([False, True, False])]


def dense(coefficients, run, states, cut, slack):
    """E, D, Sigma, M and b of one run as whole matrices; rows and columns run over points, then states."""
    s, n = len(states), states.shape[1] - 1
    at = Map().defects(PLANE, coefficients, run, states)
    E, D = np.zeros((n * s, (n + 1) * s)), np.zeros((n * s, PLANE.size))
    for i in range(n):
        rows = slice(i * s, (i + 1) * s)
        E[rows, i * s: (i + 1) * s], E[rows, (i + 1) * s: (i + 2) * s] = at.blocks[0][:, :, i], at.blocks[1][:, :, i]
        D[rows] = at.by_coefficient[:, :, i]
    sigma = np.diag(np.tile(NOISES**2, n + 1))
    M = E @ sigma @ E.T + np.diag(np.outer(slack + CUT * cut, NOISES**2).ravel())
    return E, D, sigma, M, at.values.T.ravel() + E @ (run.measured - states).T.ravel()


@pytest.mark.parametrize("slack", [0.0, 0.7])
def test_a_step_is_that_of_the_whole_matrices(slack):
    coefficients, runs, states, cuts = two_runs()
    parts = [dense(coefficients, *one, slack) for one in zip(runs, states, cuts)]
    S = sum(D.T @ np.linalg.solve(M, D) for _, D, _, M, _ in parts)
    wanted_pull = -sum(D.T @ np.linalg.solve(M, b) for _, D, _, M, b in parts)
    moves, change, information, pull = joint.gauss_newton_step(Map(), PLANE, coefficients, runs, states, cuts, slack)
    np.testing.assert_allclose(information, S, rtol=1e-6, atol=1e-8 * np.abs(S).max())
    np.testing.assert_allclose(pull, wanted_pull, rtol=1e-6, atol=1e-8 * np.abs(wanted_pull).max())
    np.testing.assert_allclose(S @ change, wanted_pull, rtol=1e-5, atol=1e-7 * np.abs(wanted_pull).max())
    for run, x, move, (E, D, sigma, M, b) in zip(runs, states, moves, parts):
        wanted = (run.measured - x).T.ravel() - sigma @ E.T @ np.linalg.solve(M, b + D @ change)
        np.testing.assert_allclose(move.T.ravel(), wanted, atol=1e-6)


def test_columns_pulls_and_multipliers_are_those_of_the_whole_matrices():
    coefficients, runs, states, cuts = two_runs()
    parts = [dense(coefficients, *one, 0.0) for one in zip(runs, states, cuts)]
    pull = joint.pull_of_all(Map(), PLANE, coefficients, runs, states, cuts)
    wanted = -sum(D.T @ np.linalg.solve(M, b) for _, D, _, M, b in parts)
    np.testing.assert_allclose(pull, wanted, rtol=1e-6, atol=1e-8 * np.abs(wanted).max())
    for run, x, cut, (*_, M, b) in zip(runs, states, cuts, parts):
        forces = joint.multipliers(Map(), PLANE, coefficients, run, x, cut)
        np.testing.assert_allclose(forces.T.ravel(), np.linalg.solve(M, b), rtol=1e-6, atol=1e-8 * np.abs(b).max())
    halves = []
    for one in zip(runs, states, cuts):                    # right-hand sides at coefficients 0
        _, D, _, M, b = dense(np.zeros(PLANE.size), *one, 0.0)
        halves.append(np.linalg.solve(np.linalg.cholesky(M), np.c_[b, D]))
    columns = joint.half_solved_columns(Map(), PLANE, runs, states, cuts)
    np.testing.assert_allclose(columns, np.vstack(halves), rtol=1e-6, atol=1e-6)


def test_the_misfit_counts_what_was_measured():
    measured = np.array([[1.0, 2.0, np.nan], [0.0, 5.0, 1.0]])
    run = Measurements(measured, np.ones(2), np.zeros((0, 3)), np.ones(2))
    states = np.array([[1.5, 1.0, 9.0], [0.0, 3.0, 1.0]])
    squares, counts = joint.misfit([run, run], [states, states])
    assert squares.tolist() == [2.5, 8.0] and counts.tolist() == [4, 6]


def test_moves_are_told_in_noises_where_measured():
    measured = np.array([[0.0, 0.0, np.nan], [0.0, np.nan, np.nan]])
    run = Measurements(measured, np.array([4.0, 0.25]), np.zeros((0, 3)), np.ones(2))
    move = np.array([[-2.0, 3.0, 9.0], [1.0, 9.0, 9.0]])
    assert joint._in_noise(run, move).tolist() == [2.0, 1.5, 0.0]


def test_work_is_told_before_it_is_done():
    """Numbers of states times coefficients times coefficients and states: as many products make the information."""
    coefficients, runs, states, cuts = two_runs()
    with Deadline(operations=1e9).ruling("estimating"):
        joint.gauss_newton_step(Map(), PLANE, coefficients, runs, states, cuts)
        assert operations_done() == (10 + 8) * 6 * (6 + 2)


# --------------------------------------------------------------------------------------------- steps known beforehand


@dataclass(frozen=True)
class Powers(Static):
    """Defects sign(x) |x|^p of single states, whose Newton step is -x / p, and of the last P states x - c_j.

    With a state of its own for each defect, the constraint alone says where a state goes, until its defect is cut.
    """

    power: float = 2.0
    largest_cut_share: ClassVar[float] = 0.5

    def defects(self, field, coefficients, run, states):
        x, P, n = states[0], field.size, states.shape[1]
        values, slopes = np.sign(x) * np.abs(x) ** self.power, self.power * np.abs(x) ** (self.power - 1)
        by = np.zeros((1, P, n))
        values[n - P:], slopes[n - P:] = x[n - P:] - coefficients, 1.0
        by[0, np.arange(P), n - P + np.arange(P)] = -1.0
        return Defects(values[None], (slopes[None, None],), by)

    def step_errors(self, field, coefficients, run, states):
        return np.full(states.shape, np.nan)


def iterate(starts, most_steps, *, power=2.0, c=(0.0,), variance=1.0, slacks=(), dynamics=Powers, data=0.0):
    """States from `starts` whose defects are powers, and one of each coefficient c, measured to be 0."""
    states = np.array([[*starts, *[0.0] * len(c)]])
    measured = np.where(np.arange(states.shape[1]) < len(starts), data, 0.0)[None]
    run = Measurements(measured, np.array([variance]), np.zeros((0, states.shape[1])), np.ones(states.shape[1] - 1))
    field = Field(1, len(c) - 1, (np.arange(len(c)),), (np.array([], int),), (0,))
    return joint.estimate(dynamics(power=power), field, np.array(c), [run], [states], slacks, most_steps=most_steps)


@pytest.mark.parametrize("start, noise, steps", [(0.47, 1.0, 4), (0.49, 1.0, 5), (4.7, 10.0, 4), (4.9, 10.0, 5)])
def test_steps_end_where_states_move_by_less_than_three_percent_of_the_noise(start, noise, steps):
    """x^2 = 0 halves the distance: the fourth move of 0.47 is 0.0294, that of 0.49 is 0.0306."""
    assert not iterate([start], steps - 1, variance=noise**2).converged
    found = iterate([start], 40, variance=noise**2)
    assert found.converged and found.states[0][0, 0] == pytest.approx(start / 2**steps, rel=1e-6)
    assert not any(cut.any() for cut in found.cuts)


def test_the_largest_move_decides_when_steps_end():
    found = iterate([0.1, 0.49], 40)
    assert found.converged and found.states[0][0, 0] == pytest.approx(0.1 / 32, rel=1e-6)


@pytest.mark.parametrize("c, converged", [((0.0099,), True), ((0.0101,), False), ((0.0099, 0.0099), True),
                                          ((0.014, 0.0), True), ((0.0144, 0.0), False)])
def test_steps_end_where_coefficients_move_by_less_than_a_hundredth_of_their_error(c, converged):
    """Of each coefficient there is one measurement, 0, of noise 1: its standard error is 1."""
    found = iterate([], 1, c=c)
    assert found.converged is converged
    np.testing.assert_allclose(found.coefficients, 0, atol=1e-9)
    np.testing.assert_allclose(found.information, np.eye(len(c)), atol=1e-9)


def test_the_first_five_steps_are_full_and_later_ones_half():
    """Of sign(x) |x|^0.55 a full step leads to -0.818 x, half of it to 0.0909 x."""
    full, half = 1 - 1 / 0.55, 1 - 0.5 / 0.55
    for steps in (1, 5, 6):
        found = iterate([1.0], steps, power=0.55)
        assert not found.converged
        assert found.states[0][0, 0] == pytest.approx(full ** min(steps, 5) * half ** max(steps - 5, 0), rel=1e-6)


def test_a_slack_lets_data_and_defect_share_the_way():
    """Linear: from 1, measured at 1, to be 0; with a variance of the defect of the noise's, half way, a third with two."""
    assert iterate([1.0], 0, power=1.0, data=1.0, slacks=(1.0,)).states[0][0, 0] == pytest.approx(0.5)
    assert iterate([1.0], 0, power=1.0, data=1.0, slacks=(1.0, 2.0)).states[0][0, 0] == pytest.approx(2 / 3)
    assert iterate([1.0], 1, power=1.0, data=1.0, slacks=(1.0,)).states[0][0, 0] == pytest.approx(0, abs=1e-9)


def test_steps_with_a_slack_do_not_end_the_iteration():
    assert not iterate([0.0], 0, power=1.0, slacks=(1.0,)).converged
    assert iterate([0.0], 1, power=1.0, slacks=(1.0,)).converged and iterate([0.0], 1, power=1.0).converged


def test_full_steps_are_counted_after_those_with_slack():
    """Half steps would leave something of a linear defect."""
    found = iterate([1e-3], 5, power=1.0, c=(1.0,), slacks=(1e3,) * 4)
    assert found.converged and found.states[0][0, 0] == pytest.approx(0, abs=1e-9)


def test_states_that_still_move_after_the_full_steps_are_cut():
    """The sixth move of x^2 = 0 is x / 64: three tenths of the largest, 2, are the limit; the seventh is 3 x / 256."""
    starts = 64 * np.array([2.0, 0.62, 0.58, 0.2, 0.05])
    still = iterate(starts, 6)
    assert not still.converged and not still.cuts[0].any()
    found = iterate(starts, 7)
    assert found.converged and found.cuts[0].tolist() == [True, True, False, False, False, False]
    # what was cut went half way to its measurement, what was not half of its Newton step
    np.testing.assert_allclose(found.states[0][0, :5], starts / 32 * 0.75 * np.array([0.5, 0.5, 0.75, 0.75, 0.75]), rtol=1e-3)


@pytest.mark.parametrize("move, cut", [(0.11, True), (0.09, False)])
def test_who_moves_by_less_than_a_tenth_of_the_noise_is_not_cut(move, cut):
    """Of the largest move itself, three tenths are less."""
    found = iterate([64 * move, *AT_REST], 8)
    assert found.converged and found.cuts[0].tolist() == [cut, False, False, False]


@pytest.mark.parametrize("move, converged", [(3.3, True), (3.4, False)])
def test_the_last_ones_to_be_cut_may_not_move_by_much(move, converged):
    """The state cut goes to its measurement in the seventh step; three tenths of that may not be more than the noise."""
    start = 64 * move
    data = 0.75 * start / 32 - move
    found = iterate([start, *AT_REST], 7, data=data)
    assert found.converged is converged


def test_too_many_cuts_are_no_estimate():
    """Two of three defects of the powers and one of the coefficient are half; one more is too many."""
    assert iterate([128.0, 128.0, AT_REST[0]], 7).converged
    found = iterate([128.0, 128.0, 128.0], 40)
    assert not found.converged and not found.cuts[0].any() and found.states[0][0, 0] == pytest.approx(3.0)


def test_an_estimate_ends_where_it_stands_if_there_is_no_step():
    """|x|^2 has no slope at 0, so M is singular there; infinite states have no step."""
    for start in (0.0, np.inf):
        found = iterate([start], 40, data=1.0)
        assert isinstance(found, Estimate) and not found.converged and found.states[0][0, 0] == start
        assert found.coefficients.tolist() == [0.0] and found.information.tolist() == [[0.0]] and found.pull.tolist() == [0.0]


def test_steps_whose_errors_are_not_known_are_infinitely_far_off():
    run = Measurements(np.zeros((1, 2)), np.ones(1), np.zeros((0, 2)), np.ones(1))
    field = Field(1, 0, (np.arange(1),), (np.array([], int),), (0,))
    found = joint.estimate(Powers(power=1.0), field, np.zeros(1), [run], [np.zeros((1, 2))])
    assert found.converged and joint.discretization_shift(Powers(power=1.0), field, found, [run]) == np.inf
