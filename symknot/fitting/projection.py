r"""The default strategy: each knot is the nearest point at which the equations vanish.

`Projection` takes a limit that has neither fault of the paper's penalty (see `penalty`): the minimiser of

.. math:: \|G(z)\|^2 + \lambda^2 \|z - x\|^2, \qquad \lambda \to 0,

where :math:`\lambda` (the *slack*) is not an option but measured: it is how far the
equations still contradict each other, relative to the noise.  A direction in which G
changes by less than that is not evidence, and the knot does not move along it; so
knots do not slide along a twisted cubic towards the eight points at which three noisy
quadrics happen to meet.  When the equations agree, the slack is as small as doubles allow
(`SMALLEST_SLACK`) and the knots lie on the variety to rounding.

The descent can end where nothing vanishes: next to a crossing, noise leaves a saddle of an equation beside its zeros, with no
slope that leads down from it.  At a minimiser with a slope :math:`\|G\|^2` is far below :math:`\lambda^2 \|z - x\|^2`; where it
is above, the knot has come to rest at such a place, and the descent starts again from the nearest of the other knots.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from ..ground.blocks import blocks
from ..ground.checks import whole_number
from ..ground.errors import InvalidOption
from .descent import applied, damped_step, descend_block, gram, joined, newton_step
from .knotting import SMALLEST_SLACK, Knotting, MovingEquations

PLACE_TOLERANCE = 1e-7
"""Steps, in units of the data's spread, at which a knot's place along the variety is settled: a convention, far below
any noise."""
EQUATION_TOLERANCE = 1e-15
"""The same across it, where all digits of a double count."""
POLISHING_STEPS = 4
"""Newton steps onto the equations at the end.  Derived: each doubles the digits, and the first starts from 7, so two
would do; as many again are for knots that the descent left farther away."""
SLOPE_SAMPLE = 1000
"""Points, at least, over which the slopes of the equations are averaged to scale them where there are so many.
Derived: a root-mean-square over 1000 is known to 2 %."""


@dataclass(frozen=True)
class Projection(Knotting):
    """Nearest point at which the equations vanish.

    Parameters
    ----------
    metric : {"noise", "mahalanobis"}
        Distance that is kept small: Euclidean in units of the noise (the most likely
        point, for Gaussian noise), or the paper's generalised Mahalanobis distance
        ``|F(z) - F(x)|``.
    max_steps : int
        Gauss-Newton steps at most for one update.
    """

    metric: str = "noise"
    max_steps: int = 50

    def __post_init__(self):
        if self.metric not in ("noise", "mahalanobis"):
            raise InvalidOption("metric", self.metric, "'noise' or 'mahalanobis'")
        whole_number("max_steps", self.max_steps, 1)

    def move(self, equations: MovingEquations, anchors: np.ndarray, start: np.ndarray, slack: float) -> np.ndarray:
        pull = max(slack, SMALLEST_SLACK) ** 2
        sizes = _slope_sizes(equations, start)
        knots, values = self._descended(equations, sizes, anchors, start, pull)
        away = np.einsum("nd,nd->n", knots - anchors, knots - anchors)
        stuck = np.flatnonzero(values > pull * away + EQUATION_TOLERANCE**2)     # what is less is rounding, not a saddle
        if 0 < len(stuck) < len(knots):
            others = np.delete(knots, stuck, axis=0)
            nearest = others[cKDTree(others).query(anchors[stuck])[1]]
            again, values_again = self._descended(equations, sizes, anchors[stuck], nearest, pull)
            away_again = np.einsum("nd,nd->n", again - anchors[stuck], again - anchors[stuck])
            better = values_again + pull * away_again < (values + pull * away)[stuck]
            knots[stuck[better]] = again[better]
        return knots

    def _descended(self, equations, sizes, anchors, start, pull):
        """Knots to which a descent from `start` leads, and the sum of the squared equations there.

        A block goes all the way before the next begins, and what its last step has shown of the equations is not made again.
        """
        nearest = (_nearest_point if self.metric == "noise" else _nearest_in_F)(equations, sizes, anchors, pull)
        d, k = anchors.shape[1], len(sizes)

        def towards_equations(G, dG):
            return np.einsum("nk,nk->n", G, G), damped_step(G, dG, None, pull)

        def onto_equations(z, rows):
            return towards_equations(*_in_sizes(equations.at(z), sizes)[:2])

        def block(rows):
            found = descend_block(nearest, start[rows], rows, self.max_steps, PLACE_TOLERANCE)
            known = found.known
            # where along the variety a knot lies matters to few digits, that it lies on it to all of them
            found = descend_block(onto_equations, found.points, rows, POLISHING_STEPS, EQUATION_TOLERANCE,
                                  towards_equations(known[:k].T, known[k:].reshape(d, k, -1).transpose(2, 0, 1)))
            return found.points, found.objective

        return joined(block, start, equations.blocks(len(start)))


def _slope_sizes(equations, points):
    """Root-mean-square slope of each equation: divided by it, a slack can be compared with them."""
    sample = points[:: max(len(points) // SLOPE_SAMPLE, 1)]
    sizes = np.sqrt(np.mean(np.sum(equations.at(sample).dG ** 2, axis=1), axis=0))
    return np.where(sizes > 0, sizes, 1.0)


def _nearest_point(equations, sizes, anchors, pull):
    places = np.ascontiguousarray(anchors.T)

    def model(z, rows):
        G, dG, both = _in_sizes(equations.at(z), sizes)
        away = z - places[:, rows].T
        return _objective(G, away, pull), damped_step(G, dG, away, pull), both
    return model


def _objective(G, away, pull):
    objective = np.einsum("nd,nd->n", away, away)
    objective *= pull
    objective += np.einsum("nk,nk->n", G, G)
    return objective


def _in_sizes(values, sizes):
    """Values (n, k) and slopes (n, d, k) in units of the equations' sizes, and both as rows ((1 + d) k, n), one memory."""
    n, d, k = values.dG.shape
    both = np.empty((1 + d, k, n))
    np.divide(values.G.T, sizes[:, None], out=both[0])
    np.divide(values.dG.transpose(1, 2, 0), sizes[:, None], out=both[1:])
    return both[0].T, both[1:].transpose(2, 0, 1), both.reshape(-1, n)


def _nearest_in_F(equations, sizes, anchors, pull):
    used = equations.groups.F_used
    targets = np.concatenate([equations.with_F(anchors[rows]).F[:, used] for rows in blocks(len(anchors))])

    def model(z, rows):
        values = equations.with_F(z)
        G, dG, both = _in_sizes(values, sizes)
        away, slope = values.F[:, used] - targets[rows], values.dF[:, :, used]
        gradient = applied(dG, G) + pull * applied(slope, away)
        return _objective(G, away, pull), newton_step(gradient, gram(dG) + pull * gram(slope)), both
    return model
