r"""The contract of a knotting strategy: how knots move onto the equations.

The paper moves every point :math:`x` to a place :math:`z` near it at which the equations
:math:`G` vanish, and in between finds the equations again.  What is left open is a strategy:
`Projection` (the default) and `Penalty` (the paper's) are two, and another one is a subclass of
`Knotting` with a `move` of its own, passed as ``symknot.fit(points, knotting=MyKnotting())``:

    class OneNewtonStep(Knotting):
        def move(self, equations, anchors, start, slack):
            values = equations.at(start)
            step = np.linalg.pinv(values.dG.transpose(0, 2, 1)) @ values.G[:, :, None]
            return start - step[:, :, 0]
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from .at_points import AtPoints, ValuesAndSlopes
from .basis import Split, find_basis
from .degree import DegreeProblem
from .normalization import Normalization
from .revision import FindAgain, JointCorrection, Revision, Tolerances

SMALLEST_SLACK = 1e-6
"""Below this a pull towards the data drowns in rounding errors of the normal equations, whose square it enters."""
DELTAS_BETWEEN_KNOTS = 1e3
"""Knots nearer to each other than so many times delta are one: each lies within delta of the variety *across* it, and
along it, where nothing holds a knot, distances are known to fewer digits.  A convention."""
CLOSEST_KNOTS = 1e-7
"""... or nearer than this share of the data's spread: the tolerance to which a projection finds the place of a knot
along the variety (`projection.PLACE_TOLERANCE`)."""


@dataclass(frozen=True, eq=False)
class Groups:
    """Columns of F and G by degree, as (degree, column indices) pairs.

    `F` goes up to the degree of the first vanishing polynomial only, as in the paper:
    low degrees hold enough of the data's structure to keep a knot near its point.
    """

    F: tuple[tuple[int, np.ndarray], ...]
    G: tuple[tuple[int, np.ndarray], ...]

    @property
    def F_used(self) -> np.ndarray:
        """Columns of F that keep a knot near its point."""
        return np.concatenate([columns for _, columns in self.F])

    @classmethod
    def of(cls, F_sizes: list[int], G_degrees: np.ndarray) -> Groups:
        """Groups for F_0, F_1, ... of these sizes and G of these degrees (ascending)."""
        first = int(G_degrees[0]) if len(G_degrees) else len(F_sizes) - 1
        starts = np.concatenate([[0], np.cumsum(F_sizes)])
        F = tuple((t, np.arange(starts[t], starts[t + 1])) for t in range(1, len(F_sizes)) if t <= first)
        G = tuple((int(t), np.flatnonzero(G_degrees == t)) for t in np.unique(G_degrees))
        return cls(F, G)


class WithF(NamedTuple):
    """Values and slopes of equations, and of the polynomials that keep a knot near its point: (n, .) and (n, d, .) arrays."""

    G: np.ndarray
    dG: np.ndarray
    F: np.ndarray
    dF: np.ndarray


@dataclass(frozen=True, eq=False)
class MovingEquations:
    """The equations that knots are to satisfy: those of lower degrees, and the new ones of this degree."""

    problem: DegreeProblem
    split: Split

    def at(self, z: np.ndarray) -> ValuesAndSlopes:
        """Values `G` (n, k) and slopes `dG` (n, d, k) of the equations at the points z, (n, d)."""
        return self._equations.at(z)

    def values(self, z: np.ndarray) -> np.ndarray:
        """The values alone."""
        return self._equations.values(z)

    def blocks(self, n: int) -> list[slice]:
        """Slices of n points, each few enough to stay in cache."""
        return self._equations.blocks(n)

    def with_F(self, z: np.ndarray) -> WithF:
        """The same, and `F`, `dF`: the polynomials that do not vanish, up to the degree of the first that does."""
        G, slopes = self.at(z)
        return WithF(G, slopes, *self._kept(z))

    @cached_property
    def _equations(self):
        return AtPoints(self.problem.recursion, self.problem.products, self.split.G)

    @cached_property
    def groups(self) -> Groups:
        """Columns of F and G by degree."""
        recursion = self.problem.recursion
        new = np.full(self.split.G.shape[1], recursion.degree + 1)
        return Groups.of(self._whole.sizes, np.concatenate([recursion.G_degrees, new]))

    @cached_property
    def _whole(self):
        return self.problem.recursion.with_layer(self.split.layer(self.problem))

    def _kept(self, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Values and slopes of the constant and of `Groups.F`: higher ones, most of all, are not asked for."""
        if len(self._without_G.layers) == 1:
            values = z @ self._linear[1:]
            values += self._linear[0]
            return values, np.broadcast_to(self._linear[1:], (len(z), z.shape[1], values.shape[1]))
        found = self._without_G.evaluate(z, derivatives=True)
        return found.F, found.dF

    @cached_property
    def _without_G(self):
        layers = self._whole.layers[: self.groups.F[-1][0]]
        return replace(self._whole, layers=tuple(replace(layer, G=layer.G[:, :0]) for layer in layers))

    @cached_property
    def _linear(self):
        """The constant and the linear ones, over the constant function 1 and the variables."""
        constant, first = self._whole.constant, self._whole.layers[0].F
        return np.column_stack([np.eye(len(first))[:, 0], first]) * np.r_[constant, np.ones(len(first) - 1)][:, None]


class Knotting(ABC):
    """How knots move onto the equations.

    A subclass must say how (`move`).  The other methods are steps of the pursuit that a
    strategy may want otherwise; their defaults are what recovers best.
    """

    @abstractmethod
    def move(self, equations: MovingEquations, anchors: np.ndarray, start: np.ndarray, slack: float) -> np.ndarray:
        """New knots.

        Parameters
        ----------
        equations : MovingEquations
            ``equations.at(z)`` has values and slopes at any points.
        anchors : (n, d) array
            Where the knots were before this degree: what they should stay near to.
        start : (n, d) array
            Where they are now.
        slack : float
            How far the equations still contradict each other, relative to the noise.

        Returns
        -------
        (n, d) array
        """

    def split(self, problem: DegreeProblem, normalization: Normalization, epsilon: float, eta: float,
              delta: float) -> Split:
        """Algorithm 1 at the beginning of a degree."""
        return find_basis(problem, normalization, epsilon, eta, delta)

    def revision(self, problem: DegreeProblem, normalization: Normalization, tolerances: Tolerances) -> Revision:
        """What becomes of the equations of this degree when the knots have moved."""
        if problem.gradient_gram is None:
            return FindAgain(normalization, tolerances)
        return JointCorrection(normalization, tolerances, problem)

    def merging_distance(self, delta: float) -> float:
        """Distance, inside, below which two knots are one."""
        return max(DELTAS_BETWEEN_KNOTS * delta, CLOSEST_KNOTS)
