r"""Algorithm 2, ExactVanishPursuit: knots and polynomials of one degree, until they agree.

Each round moves the knots (`Knotting.move`), measures how nearly the equations vanish on
them, lowers eta, and revises the equations (`Knotting.revision`).  It ends when all vanish
within delta and the revision calls them settled, when no new one is left, or when eta has
come down to delta.  The slack, how far the equations still contradict each other, is tied
to what is left of them on the knots and to how much they still change; with `revision.JointCorrection` the rounds then
converge superlinearly, to rounding (`revision.MOST_SETTLING_ROUNDS` says in how many).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..ground.linalg import ascending_svd
from .basis import Split
from .degree import DegreeProblem
from .knotting import SMALLEST_SLACK, Knotting, MovingEquations
from .normalization import Normalization
from .revision import Moved, Tolerances

FIRST_SLACK = 0.5
"""Slack of the first round, relative to the noise: a convention, that new equations may contradict each other by as
much as half the noise."""
SLACK_COOLING = 0.5
"""Factor by which the slack is lowered at least every round: a convention."""
SLACK_OVER_RESIDUAL = 2.0
"""Slack over what is left of the equations on the knots, relative to the noise: a convention.  What is left is a
root-mean-square, and single knots are off by more."""
SLACK_OVER_CHANGE = 0.01
"""Slack over the change of the equations in the round before, relative to the noise.  Chosen on samples
of three axes, where 0.01 and 0.1 were equally right and 0 was not.  Equations that still
move do not agree to more digits than a share of that; less slack would let the few knots of a crossing decide.  Where
the residual, in units of the noise, has come down to its own square the rounds converge as Newton's do, and slack
follows the residual alone: there is no crossing to wait for."""
FARTHEST_MEAN = 2.0
"""Root-mean-square, in epsilons and for each variable, by which knots may move in a degree: a convention.  Noise moves
points by one; what gathers them at the few zeros that a false equation has on a curve takes many."""


class Pursued(NamedTuple):
    """Where the pursuit of one degree ended."""

    problem: DegreeProblem
    split: Split
    knots: np.ndarray
    eta: float
    rounds: int


def exact_vanish_pursuit(problem: DegreeProblem, split: Split, anchors: np.ndarray, weights: np.ndarray,
                         strategies: tuple[Normalization, Knotting], tolerances: Tolerances, eta: float,
                         watch: Callable[[float, float], None]) -> Pursued:
    """Algorithm 2.

    Parameters
    ----------
    problem, split : DegreeProblem, Split
        The degree and what FindBasis said at the present knots.
    anchors, weights : array
        The knots as they are before this degree, and their weights.
    strategies : (Normalization, Knotting)
    tolerances : Tolerances
    eta : float
        Where the tolerance on the knots starts; it is lowered here only.
    watch : callable
        Called with (eta, largest residual on the knots) every round.

    Returns
    -------
    Pursued
    """
    normalization, knotting = strategies
    revision = knotting.revision(problem, normalization, tolerances)
    delta = tolerances.delta
    knots, rounds, slack, before = anchors, 0, FIRST_SLACK, np.inf
    while eta > delta and split.G.shape[1] > split.exact:
        rounds += 1
        noise = max(np.sqrt(np.mean(problem.data_norms(split.G[:, split.exact:]) ** 2)), delta)
        equations = MovingEquations(problem, split)
        knots = knotting.move(equations, anchors, knots, slack)
        problem = problem.with_knots(knots, weights)
        on_knots = equations.values(knots) * np.sqrt(weights)[:, None]
        before_new = on_knots.shape[1] - split.G.shape[1] + split.exact
        values, turn = ascending_svd(on_knots[:, before_new:])
        worst = max(values[-1], np.linalg.norm(on_knots[:, :before_new], axis=0).max(initial=0.0))
        watch(eta, worst)
        if worst <= delta and revision.is_settled(worst, before, rounds):
            break
        # in units of the noise; quadratic there means that nothing, no crossing either, bends the equations within it
        quadratic = worst / noise <= (before / noise) ** 2
        before = worst
        open_by = max(SLACK_OVER_RESIDUAL * worst, 0.0 if quadratic else SLACK_OVER_CHANGE * revision.change) / noise
        slack = max(min(SLACK_COOLING * slack, open_by), SMALLEST_SLACK)
        moved = Moved(problem, split, anchors, knots, weights, values, turn, worst, slack, noise)
        split, eta = revision.revised(moved, eta)
    if rounds and _too_far(problem, knots - anchors, weights, tolerances.epsilon):
        split = revision.without_new(split)
    in_vain = split.G.shape[1] == split.exact and knots is not anchors
    if in_vain:
        # all that the knots moved for has been dropped; the equations of lower degree want them back
        knots, problem = anchors, problem.with_knots(anchors, weights)
    return Pursued(problem, revision.concluded(problem, split, in_vain), knots, eta, rounds)


def _too_far(problem, steps, weights, epsilon):
    """Whether knots moved farther than noise moves points, where epsilon is a distance."""
    if problem.gradient_gram is None:
        return False
    mean = weights @ np.einsum("nd,nd->n", steps, steps) / weights.sum() / steps.shape[1]
    return np.sqrt(mean) > FARTHEST_MEAN * epsilon
