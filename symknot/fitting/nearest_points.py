r"""New points and what was fitted: the nearest point of the variety, and how far it is in units of the noise.

Inside, where noise is isotropic, the nearest point to x is a minimiser of :math:`|z - x|^2 / 2` among the zeros of
the equations G.  At a zero z with Jacobian J, whose rows with singular values above `NO_SLOPE` span the normal space
N and leave the tangent space T, a step of Newton's method on the Lagrangian

.. math:: \tfrac12 |z - x|^2 + \mu^\top G(z), \qquad \mu = -J^{+\top} (z - x)

moves along T by minus the inverse of its Hessian :math:`I + \sum_i \mu_i \nabla^2 G_i`, restricted to T, times the
part of z - x in T.  Eigenvalues count by their size, so each step goes downhill; the second derivatives are
differences of the gradients.  Each step is put back onto the variety by Newton steps along N and is shortened until
the distance has fallen.

What is guaranteed: a zero of the equations from which no short step along the variety leads nearer, and which is no
farther than the nearest knot.  It is the nearest of all where one of the starts (x itself, the nearest knot, and the
nearest knot in another direction where one is near enough) leads there, as for all points near the variety compared
with its bends.

A point with Gaussian noise of standard deviation s, at a smooth point of the variety of codimension c, has a squared
distance of :math:`s^2 \chi^2_c`, to first order in the noise.  At a singular point, where the rank is lower than at
any knot, the distance is at most the length of the noise, whose square is :math:`s^2 \chi^2_d`.

Of a power law, whose noise is proportional to the value, all this is about logarithms (`power_law`): points that are
not positive have no nearest one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy.spatial import cKDTree
from scipy.special import chdtri

from ..ground.blocks import blocks
from ..ground.linalg import singular_values, svd
from ..ground.threads import in_threads
from .descent import EQUAL_OBJECTIVE
from .fitted import Fitted
from .sampled import ROUNDING_SHARE

NO_SLOPE = 1e-6
"""Singular value of the equations' gradients, each of root-mean-square 1 on the knots, below which there is no slope:
about the root of a double's precision, to which a singular point is found."""
NO_VALUE = 1e-12
"""Value of an equation, as a distance in units of the data's spread, that counts as zero: some thousand roundings."""
DISAGREEMENT = 1e-6
"""The same where equations outnumber the codimension, and so agree on the knots only to delta and between them to less:
a convention, below any noise that matters."""
MOST_STEPS = 60
"""Newton steps along the variety at most: a convention.  Points near a noisy circle took 2 to 4."""
RETRACTIONS = 12
"""Newton steps back onto the variety at most after each: each doubles the digits, and a step that needs more is too long."""
HALVINGS = 30
"""Times a step is halved at most, to 1e-9 of it: about the root of a double's precision."""
SETTLED = 1e-10
"""Step, in units of the data's spread or the distance where that is larger, below which a point rests: a convention,
below the default delta."""
DIFFERENCE = 1e-6
"""Step of the differences that are the second derivatives: derived, the root of a double's precision is 1.5e-8, and the
gradients that are differenced are exact to some 1e-14; errors of 1e-6 only slow the iteration."""
FLATTEST = 1e-3
"""Eigenvalue of the restricted Hessian, 1 for a flat variety, below which it counts as so large.  At the centre of a
circle it is 0, and steps would be infinite: a convention."""
OTHER_DIRECTIONS = 256
"""Knots, at most, among which the nearest in another direction is sought: a convention that bounds the work."""
KNOTS_FOR_RANK = 4000
"""Knots from which the sizes of slopes are read for a rank, about: a convention; a root-mean-square over so many is known to
1.1 %."""
OTHER_COSINE = 0.5
"""Cosine of the angle beyond which a direction is another: 60 degrees, a convention."""


class Nearest(NamedTuple):
    """Nearest points on a variety.

    Attributes
    ----------
    points : (n, d) array
        In the user's units; NaN where no zero was found.
    distances : (n,) array
        In units of the noise.
    freedom : (n,) int array
        Degrees of freedom of the squared distance of a point of the variety with noise.
    """

    points: np.ndarray
    distances: np.ndarray
    freedom: np.ndarray


def nearest_points(fitted: Fitted, X: np.ndarray) -> Nearest:
    """The nearest zeros of the equations to points in the user's units.

    Parameters
    ----------
    fitted : Fitted
    X : (n, d) array
        Rows that are not finite have no nearest point.
    """
    U = fitted.inside(X)
    found, distance = np.full(U.shape, np.nan), np.full(len(U), np.nan)
    freedom = np.zeros(len(U), dtype=int)
    usable = np.flatnonzero(np.isfinite(U).all(axis=1))
    if not fitted.essential.any():
        found[usable], distance[usable] = U[usable], 0.0
        return Nearest(fitted.outside(found), distance, freedom)
    if fitted.law is not None:
        return _of_law(fitted.law, X)
    variety = _Variety(fitted)
    parts = [usable[rows] for rows in blocks(len(usable), variety.width)]
    for chosen, of_part in zip(parts, in_threads(lambda part: variety.nearest(U[part]), parts)):
        found[chosen], distance[chosen], freedom[chosen] = of_part
    return Nearest(fitted.outside(found), distance / noise_inside(fitted), freedom)


def _of_law(law, X):
    """The same where noise is proportional to the value: by logarithms, and there in closed form."""
    points, distances = np.full(X.shape, np.nan), np.full(len(X), np.nan)
    with np.errstate(invalid="ignore"):
        usable = (np.isfinite(X) & (X > 0)).all(axis=1)
    points[usable], distances[usable] = law.onto(X[usable]), law.distances(X[usable]) / law.noise
    return Nearest(points, distances, np.full(len(X), len(law.exponents)))


def usual_rank(fitted: Fitted) -> int:
    """Rank of the gradients of a fit's equations at most knots: the codimension of the variety."""
    some = slice(None, None, max(len(fitted.knots) // KNOTS_FOR_RANK, 1))
    variety = _Variety(replace(fitted, knots=fitted.knots[some], knot_weights=fitted.knot_weights[some]))
    return int(np.median(variety.ranks(variety.sample)))


def noise_inside(fitted: Fitted) -> float:
    """Standard deviation of the noise in inside units; where the data are exact, what their rounding may be."""
    return max(fitted.noise_level / fitted.unit, ROUNDING_SHARE)


def within_noise(nearest: Nearest, level: float) -> np.ndarray:
    """Whether noise alone brings a point of the variety as far away with a probability of at least `level`.

    Examples
    --------
    >>> three = Nearest(np.zeros((3, 2)), np.array([2.5, 2.6, np.nan]), np.array([1, 1, 1]))
    >>> within_noise(three, 0.01).tolist()
    [True, False, False]
    """
    limit = chdtri(np.maximum(nearest.freedom, 1), level)
    with np.errstate(invalid="ignore"):
        return np.where(nearest.freedom > 0, nearest.distances**2 <= limit, nearest.distances == 0)


class _Variety:
    """The equations of a fit, each with gradients of root-mean-square 1 on the knots."""

    def __init__(self, fitted: Fitted) -> None:
        self.chosen = np.flatnonzero(fitted.essential)
        needed = int(fitted.recursion.G_degrees[self.chosen].max())
        self.recursion = replace(fitted.recursion, layers=fitted.recursion.layers[:needed])
        self.knots = fitted.inside(fitted.knots)
        self.dimension = self.knots.shape[1]
        self.width = self.dimension**2 * (sum(self.recursion.sizes) + len(self.chosen))
        self.sizes = np.ones(len(self.chosen))
        squares = np.zeros(len(self.chosen))
        for rows in blocks(len(self.knots), self.width):
            squares += fitted.knot_weights[rows] @ np.sum(self.at(self.knots[rows])[1] ** 2, axis=2)
        sizes = np.sqrt(squares / fitted.knot_weights.sum())
        self.sizes = np.where(sizes > 0, sizes, 1.0)
        self.tree = cKDTree(self.knots)
        self.sample = self.knots[:: max(-(-len(self.knots) // OTHER_DIRECTIONS), 1)]
        # between two knots of the sample the variety is no nearer than the nearest of them less this
        self.spacing = cKDTree(self.sample).query(self.sample, 2)[0][:, 1].max() if len(self.sample) > 1 else np.inf
        ranks = self.ranks(self.sample)
        self.least_rank = max(int(ranks.min()), 1)
        too_many = len(self.chosen) > np.median(ranks)
        self.no_value = max(fitted.delta / fitted.unit, DISAGREEMENT) if too_many else NO_VALUE

    def at(self, z):
        """Values (n, k) and gradients (n, k, d)."""
        if not len(z):
            return np.zeros((0, len(self.chosen))), np.zeros((0, len(self.chosen), self.dimension))
        with np.errstate(over="ignore", invalid="ignore"):
            values = self.recursion.evaluate(z, derivatives=True)
            return values.G[:, self.chosen] / self.sizes, (values.dG[:, :, self.chosen] / self.sizes).transpose(0, 2, 1)

    def ranks(self, z):
        """Rank of the gradients at each point."""
        return np.sum(singular_values(self.at(z)[1]) > NO_SLOPE, axis=1)

    def nearest(self, x):
        """Nearest points, distances and degrees of freedom."""
        best, distance = np.full(x.shape, np.nan), np.full(len(x), np.inf)
        away, place = self.tree.query(x)
        near = self.knots[place]
        self._try(x, x, np.arange(len(x)), best, distance)
        # a knot beside what was found would lead to the same place
        beside = (distance <= away) & (np.linalg.norm(best - near, axis=1) <= self.spacing)
        self._try(x, near, np.flatnonzero(~beside), best, distance)
        other, least = self._in_another_direction(x, near)
        self._try(x, other, np.flatnonzero(least - self.spacing < distance), best, distance)
        found = np.isfinite(distance)
        freedom = np.full(len(x), self.dimension)
        ranks = self.ranks(best[found])
        freedom[found] = np.where(ranks >= self.least_rank, ranks, self.dimension)
        return best, np.where(found, distance, np.nan), freedom

    def _try(self, x, start, rows, best, distance):
        """Descend from one start for each of `rows`, and keep what is nearer."""
        z = self._onto(start[rows])
        usable = self._is_zero(z)
        rows, z = rows[usable], z[usable]
        z = self._descended(x[rows], z)
        away = np.linalg.norm(z - x[rows], axis=1)
        better = away < distance[rows]
        best[rows[better]], distance[rows[better]] = z[better], away[better]

    def _in_another_direction(self, x, near):
        """The nearest knots in another direction than `near`, and their distances; infinite where there is none."""
        chosen, least = near.copy(), np.full(len(x), np.inf)
        for rows in blocks(len(x), len(self.sample) * self.dimension):
            arrows, arrow = self.sample - x[rows, None], near[rows] - x[rows]
            lengths = np.linalg.norm(arrows, axis=2)
            limit = OTHER_COSINE * lengths * np.linalg.norm(arrow, axis=1)[:, None]
            lengths = np.where(np.einsum("nkd,nd->nk", arrows, arrow) < limit, lengths, np.inf)
            place = np.argmin(lengths, axis=1)
            chosen[rows], least[rows] = self.sample[place], lengths.min(axis=1)
        return chosen, least

    def _onto(self, z):
        """Newton steps of least length onto the zeros; a step is no longer than the data's spread."""
        z = np.array(z)
        active = np.arange(len(z))
        for _ in range(RETRACTIONS):
            G, J = self.at(z[active])
            fine = np.isfinite(G).all(axis=1) & np.isfinite(J).all(axis=(1, 2))
            active, G, J = active[fine], G[fine], J[fine]
            if not len(active):
                break
            step = -(np.linalg.pinv(J, rcond=NO_SLOPE) @ G[:, :, None])[:, :, 0]
            size = np.linalg.norm(step, axis=1)
            z[active] += step / np.maximum(size, 1.0)[:, None]
            active = active[size > np.finfo(float).eps * (1 + np.linalg.norm(z[active], axis=1))]
        return z

    def _is_zero(self, z):
        """Whether the equations vanish, by the size of their values as distances."""
        G, J = self.at(z)
        slopes = np.maximum(np.linalg.norm(J, axis=2), 1.0)
        with np.errstate(invalid="ignore"):
            return (np.abs(G) <= self.no_value * slopes * np.maximum(np.linalg.norm(z, axis=1), 1.0)[:, None]).all(axis=1)

    def _descended(self, x, z):
        """Along the variety to where no short step leads nearer."""
        z = np.array(z)
        distance = np.linalg.norm(z - x, axis=1)
        active = np.arange(len(z))
        for _ in range(MOST_STEPS):
            step = self._tangent_step(x[active], z[active])
            size = np.linalg.norm(step, axis=1)
            moving = size > SETTLED * np.maximum(distance[active], 1.0)
            active, step = active[moving], step[moving]
            if not len(active):
                break
            moved = self._shortened(x, z, distance, active, step)
            active = active[moved]
        return z

    def _shortened(self, x, z, distance, active, step):
        """Take each step, halved until the distance does not rise; False for points where none does."""
        left, length = np.arange(len(active)), np.ones(len(active))
        for _ in range(HALVINGS):
            places = active[left]
            trial = self._onto(z[places] + length[left, None] * step[left])
            away = np.linalg.norm(trial - x[places], axis=1)
            with np.errstate(invalid="ignore"):
                better = (away <= distance[places] + EQUAL_OBJECTIVE * (1 + away)) & self._is_zero(trial)
            z[places[better]], distance[places[better]] = trial[better], away[better]
            left = left[~better]
            if not len(left):
                break
            length[left] /= 2
        moved = np.ones(len(active), dtype=bool)
        moved[left] = False
        return moved

    def _tangent_step(self, x, z):
        """Newton's step along the variety; eigenvalues of its Hessian count by their size."""
        J = self.at(z)[1]
        _, values, V = svd(J, full_matrices=True)
        across = np.zeros(V.shape[:2], dtype=bool)
        across[:, : values.shape[1]] = values > NO_SLOPE
        tangent = np.eye(self.dimension) - np.einsum("nj,nja,njb->nab", across.astype(float), V, V)
        away = z - x
        multipliers = -(np.linalg.pinv(J, rcond=NO_SLOPE).transpose(0, 2, 1) @ away[:, :, None])[:, :, 0]
        bend = np.empty(V.shape)
        h = DIFFERENCE * np.maximum(np.linalg.norm(z, axis=1), 1.0)
        for j in range(self.dimension):
            shift = h[:, None] * np.eye(self.dimension)[j]
            difference = (self.at(z + shift)[1] - self.at(z - shift)[1]) / (2 * h)[:, None, None]
            bend[:, j] = np.einsum("nk,nkd->nd", multipliers, difference)
        hessian = tangent @ (np.eye(self.dimension) + (bend + bend.transpose(0, 2, 1)) / 2) @ tangent
        hessian += np.eye(self.dimension) - tangent
        eigenvalues, vectors = np.linalg.eigh(hessian)
        sizes = np.maximum(np.abs(eigenvalues), FLATTEST)
        slope = np.einsum("nab,nb->na", tangent, away)
        step = -np.einsum("nai,ni,nbi,nb->na", vectors, 1 / sizes, vectors, slope)
        # no longer than the distance itself
        size, bound = np.linalg.norm(step, axis=1), np.linalg.norm(away, axis=1)
        return step * (np.minimum(size, bound) / np.where(size > 0, size, 1.0))[:, None]
