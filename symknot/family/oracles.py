r"""Convex oracles: who solves the quadratic problem of a generator.

For the values A of an order ideal and b of a monomial the problem is

.. math:: \min_v f(v) = \tfrac1N \|A v + b\|^2 = v^T H v + 2 h^T v + \tfrac1N \|b\|^2. \tag{1}

`InverseHessian` has no constraint, and the closed answer :math:`v = -H^{-1} h`, from a factorization that grows with A
(inverse Hessian boosting).  `ConditionalGradients` has :math:`\|v\|_1 \le r`, on which the learning bounds of Wirth and
Pokutta rest, and finds few coefficients other than zero: from vertices :math:`\pm r e_j` of that ball, blended pairwise
steps (Tsuji, Tanaka and Pokutta 2022).  With the active vertices S of :math:`v = \sum_{s \in S} \lambda_s s`,

.. math:: a = \arg\max_{s \in S} \langle \nabla f, s \rangle, \quad
          p = \arg\min_{s \in S} \langle \nabla f, s \rangle, \quad
          w = \arg\min_{\|s\|_1 \le r} \langle \nabla f, s \rangle, \tag{2}

weight goes from a to p if :math:`\langle \nabla f, a - p \rangle \ge \langle \nabla f, v - w \rangle`, and towards w if
not; the step length is that of (1), exactly.  The gap :math:`\langle \nabla f, v - w \rangle` bounds how far f is above
its minimum: the oracle stops when f is within the tolerance, or the gap shows that it never will be.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..ground.checks import positive_number, whole_number
from ..ground.linalg import least_squares
from .order_ideals import Triangle

GAP_SHARE = 1e-3
"""Gap, as a share of the tolerance, at which conditional gradients end: a convention, what a decision at the tolerance
can lose."""


class Oracle(ABC):
    """Who solves (1): a subclass has `solve`."""

    name: ClassVar[str]

    @abstractmethod
    def solve(self, triangle: Triangle, inside: np.ndarray, rest: float, tolerance: float) -> np.ndarray:
        """Coefficients v.

        Parameters
        ----------
        triangle : Triangle
            ``A = Q R``.
        inside : (m,) array
            ``Q.T @ b``.
        rest : float
            Norm of what is left of b.
        tolerance : float
            Of f, in the units of (1) times N.
        """


@dataclass(frozen=True)
class InverseHessian(Oracle):
    """The unconstrained minimum, in closed form."""

    name: ClassVar[str] = "inverse Hessian"

    def solve(self, triangle: Triangle, inside: np.ndarray, rest: float, tolerance: float) -> np.ndarray:
        return -least_squares(triangle.R, inside)


@dataclass(frozen=True)
class ConditionalGradients(Oracle):
    """Blended pairwise conditional gradients over an L1 ball.

    Parameters
    ----------
    radius : float
        Of the ball: the sum of the sizes of all coefficients but the leading one, 1.
    max_steps : int

    Examples
    --------
    >>> triangle = Triangle(np.array([1.0, 1.0]))
    >>> ConditionalGradients(radius=5).solve(triangle, np.array([2 * 2**0.5]), 0.0, 1e-9).round(4).tolist()
    [-2.0]
    """

    radius: float = 1000.0
    max_steps: int = 10_000

    name: ClassVar[str] = "conditional gradients"

    def __post_init__(self) -> None:
        positive_number("radius", self.radius)
        whole_number("max_steps", self.max_steps, 1)

    def solve(self, triangle: Triangle, inside: np.ndarray, rest: float, tolerance: float) -> np.ndarray:
        R, r = triangle.R, float(self.radius)
        H, h, constant = R.T @ R, R.T @ inside, float(inside @ inside) + rest**2
        first = int(np.argmax(np.abs(h)))
        weights = {(first, -1.0 if h[first] > 0 else 1.0): 1.0}
        v = np.zeros(len(h))
        v[first] = r * next(iter(weights))[1]
        for _ in range(self.max_steps):
            Hv = H @ v
            slope, value = 2 * (Hv + h), float(v @ Hv + 2 * h @ v) + constant
            j = int(np.argmax(np.abs(slope)))
            toward = (j, -1.0 if slope[j] > 0 else 1.0)
            gap = float(slope @ v) + r * abs(float(slope[j]))
            if gap <= GAP_SHARE * tolerance or value <= tolerance and gap <= value or value - gap > tolerance:
                break
            along = {s: r * s[1] * slope[s[0]] for s in weights}
            away, near = max(along, key=along.__getitem__), min(along, key=along.__getitem__)
            if along[away] - along[near] >= gap:
                v = self._pairwise(v, H, slope, weights, away, near)
            else:
                v = self._towards(v, H, slope, weights, toward)
        return v

    def _pairwise(self, v, H, slope, weights, away, near):
        d = np.zeros(len(v))
        d[near[0]] += self.radius * near[1]
        d[away[0]] -= self.radius * away[1]
        step = min(_length(H, slope, d), weights[away])
        weights[near] += step
        weights[away] -= step
        if weights[away] <= 0:
            del weights[away]
        return v + step * d

    def _towards(self, v, H, slope, weights, vertex):
        d = -v
        d[vertex[0]] += self.radius * vertex[1]
        step = min(_length(H, slope, d), 1.0)
        for s in list(weights):
            weights[s] *= 1 - step
            if weights[s] <= 0:
                del weights[s]
        weights[vertex] = weights.get(vertex, 0.0) + step
        return v + step * d


def _length(H, slope, d):
    """The exact step along d."""
    bend = 2 * float(d @ H @ d)
    return max(-float(slope @ d), 0.0) / bend if bend > 0 else np.inf
