r"""All that equations up to a degree need of N points, in memory that does not grow with N, from one reading of them.

Let B be a basis of the polynomials of degree at most T (`polynomials.product_basis`) and R the triangular factor of its
weighted values on the points, :math:`\sqrt W B(X) = Q R`.  Then for polynomials of degree at most T with coefficients C
over B, however many there are and whenever they are thought of,

.. math:: \|g(X)\|_W = \|R c\|, \qquad B(X)^\top W B(X) = R^\top R, \qquad
          \textstyle\sum_j (\partial_j B)^\top W\, \partial_j B = \sum_j (R D_j)^\top (R D_j),

since derivatives are polynomials of lower degree again, :math:`\partial_j B = B D_j`: the slopes of the candidates come
from the factor of their values and need no reading of their own.  The recursion of vanishing component analysis runs on
coefficients over B instead of values on points, with :math:`R C` for the tall matrix of values (`streamed_points`).  So the
candidates of all degrees up to T are reduced in one reading, and nothing is squared: two factors are merged by a QR of
one stacked on the other.

**The frame.**  B is taken in coordinates :math:`v = A (x - c)` in which the points have mean near zero and covariance near
the identity, so that B is well conditioned and coefficients of polynomials of unit size are of about unit size, too,
however thin the points lie.  Mean and covariance of all points so far are in the first d + 1 columns of R.  Where they
have left the frame, as when sorted data come from elsewhere, a new one is taken and R follows it:
:math:`B(v') = B(v) W`, so :math:`R' = Q' R'` of :math:`R W`.

**The sample.**  Every point draws a uniform key, and those with the smallest keys stay: a random sample without
replacement, which can be merged as well.  Its keys come from the number of the block, so the same blocks give the same
sample.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np
import scipy.linalg

from ..ground.blocks import in_cache
from ..ground.errors import InvalidPoints
from ..ground.linalg import svd
from ..ground.tall_factor import TallFactor
from ..polynomials.product_basis import product_basis
from ..reading.streams import Block

FLATTEST = 1e-6
"""Spread, relative to that of the widest direction (each variable in units of its own), below which a direction of the
frame is not stretched further: a convention; half the digits of a double are left for what lies beyond."""
NARROWEST, WIDEST = 0.25, 4.0
"""Standard deviations, in a frame's coordinates, between which it is kept: a convention.  It is
two steps of a factor of two each way; a factor of four costs the highest degree T a factor of 4**T in conditioning."""
FARTHEST_MEAN = 1.0
"""Distance of the mean from a frame's origin up to which it is kept, in its coordinates: a convention."""
LARGEST_SQUARED = 1e150
"""Largest distance between points that can be squared."""
SEED = 20180202
"""Of the sample's keys: any number, the same always."""


class Frame(NamedTuple):
    """Coordinates ``v = (x - centre) @ stretch.T``."""

    centre: np.ndarray
    stretch: np.ndarray

    @classmethod
    def of(cls, mean: np.ndarray, root: np.ndarray) -> Frame:
        """With this mean as origin, and in which a covariance with the square root ``root.T @ root`` is the identity."""
        spreads = np.linalg.norm(root, axis=0)
        moving = spreads > 0
        stretch = np.eye(len(mean))
        if moving.any():
            _, sizes, axes = svd(root[:, moving] / spreads[moving], full_matrices=True)
            sizes = np.concatenate([sizes, np.zeros(len(axes) - len(sizes))])
            sizes = np.maximum(sizes, FLATTEST * sizes[0])
            stretch[np.ix_(moving, moving)] = (axes.T / sizes) @ axes / spreads[moving]
        return cls(mean, stretch)

    def at(self, X: np.ndarray) -> np.ndarray:
        """Points in these coordinates."""
        return (X - self.centre) @ self.stretch.T

    def seen_from(self, other: Frame) -> tuple[np.ndarray, np.ndarray]:
        """Matrix and shift with ``v = matrix @ v_other + shift``."""
        matrix = scipy.linalg.solve(other.stretch.T, self.stretch.T).T
        return matrix, self.stretch @ (other.centre - self.centre)


@dataclass(frozen=True, eq=False)
class Summary:
    """What is known of some points; `merged` makes that of all of them.

    Attributes
    ----------
    degree : int
        Of B.
    count : int
        Points of positive weight.
    mass : float
        Their weight.
    low, high : (d,) array
    frame : Frame
    factor : array
        R.
    keys, sample, shares : array
        Keys, points and weights of the sample, in the order of the points.
    size : int
        Points of a full sample.
    """

    degree: int
    count: int
    mass: float
    low: np.ndarray
    high: np.ndarray
    frame: Frame
    factor: np.ndarray
    keys: np.ndarray
    sample: np.ndarray
    shares: np.ndarray
    size: int

    @property
    def moments(self) -> tuple[np.ndarray, np.ndarray]:
        """Mean of the points in the frame, and the root of their covariance there: ``root.T @ root``."""
        d = len(self.low)
        first = triangle(self.factor[:, : d + 1])
        return first[0, 1:] / first[0, 0], first[1:, 1:] / first[0, 0]

    def in_frame(self, frame: Frame) -> Summary:
        """The same over another frame's coordinates."""
        if frame is self.frame:
            return self
        basis = product_basis(len(self.low), self.degree)
        turn = basis.affine(*frame.seen_from(self.frame))
        return replace(self, frame=frame, factor=triangle(self.factor @ turn))

    def settled(self) -> Summary:
        """The same in a new frame, where mean and covariance have left the present one."""
        wanted = Frame.of(*self.outside())
        matrix, shift = wanted.seen_from(self.frame)
        sizes = svd(matrix)[1]
        fits = sizes[-1] >= 1 / WIDEST and sizes[0] <= 1 / NARROWEST and np.linalg.norm(shift) <= FARTHEST_MEAN
        return self if fits else self.in_frame(wanted)

    def outside(self) -> tuple[np.ndarray, np.ndarray]:
        """Mean of the points, and the root of their covariance, in the user's units."""
        mean, root = self.moments
        inverse = scipy.linalg.inv(self.frame.stretch)
        constant = self.high == self.low
        return np.where(constant, self.low, self.frame.centre + inverse @ mean), np.where(constant, 0.0, root @ inverse.T)


def summarised(block: Block, before: Summary | None, degree: int, size: int) -> Summary:
    """Of one block; the sample has at most `size` points.

    The frame is that of the blocks `before` where these points are not far outside of it, so that nothing has to be
    turned when the two are merged.

    Raises
    ------
    InvalidPoints
        If squares of the points cannot be represented.
    """
    X, weights = block.values, block.weights
    keys = np.random.default_rng((SEED, block.number)).random(len(X)) if size else np.zeros(0)
    if weights is not None:
        X, keys, weights = X[weights > 0], keys[weights > 0] if size else keys, weights[weights > 0]
    d = X.shape[1]
    if not len(X):
        nothing = np.zeros(0)
        return Summary(degree, 0, 0.0, np.full(d, np.inf), np.full(d, -np.inf), Frame(np.zeros(d), np.eye(d)),
                       np.zeros((0, len(product_basis(d, degree)))), nothing, np.zeros((0, d)), nothing, size)
    low, high = X.min(axis=0), X.max(axis=0)
    with np.errstate(over="ignore"):
        if not (high - low < LARGEST_SQUARED).all() or not (np.abs(high) < LARGEST_SQUARED).all():
            raise InvalidPoints("too large to be squared; divide the points by a constant first")
    frame = None if before is None or not before.count else before.frame
    V = None if frame is None else frame.at(X)
    if frame is None or V is None or np.linalg.norm(V) > WIDEST * np.sqrt(V.size):
        frame = _frame_of_block(X, weights)
        V = frame.at(X)
    factor = block_factor(V, degree, weights)
    chosen = _smallest(keys, size)
    shares = np.ones(len(X)) if weights is None else weights
    return Summary(degree, len(X), float(shares.sum()), low, high, frame, factor, keys[chosen], X[chosen], shares[chosen], size)


def _frame_of_block(X, weights):
    first = X[0]
    shares = None if weights is None else weights / weights.sum()
    away = X - first                                        # exact zeros where a variable is constant
    mean = away.mean(axis=0) if shares is None else shares @ away
    rows = (away - mean) / np.sqrt(len(X)) if shares is None else (away - mean) * np.sqrt(shares)[:, None]
    rows[:, (away == 0).all(axis=0)] = 0.0
    return Frame.of(first + mean, triangle(rows))


def block_factor(V: np.ndarray, degree: int, weights: np.ndarray | None = None) -> np.ndarray:
    """R of the basis on points that are in their frame."""
    basis = product_basis(V.shape[1], degree)
    tall, roots = TallFactor(len(basis)), np.ones(len(V)) if weights is None else np.sqrt(weights)
    for rows in in_cache(len(V), len(basis)):
        tall.add(basis.values(V[rows].T, roots[rows]).T, overwrite=True)
    return tall.factor


def triangle(matrix: np.ndarray, overwrite: bool = False) -> np.ndarray:
    """The triangular factor of a matrix; numpy's and scipy's own functions copy the tall matrix once or twice more."""
    if not len(matrix):
        return np.array(matrix)
    factor = scipy.linalg.lapack.dgeqrf(matrix, overwrite_a=overwrite)[0]
    return np.triu(factor[: matrix.shape[1]])


def _smallest(keys, size):
    """Places of the smallest keys, in order."""
    return np.sort(np.argpartition(keys, size - 1)[:size]) if len(keys) > size else np.arange(len(keys))


def merged(one: Summary, other: Summary) -> Summary:
    """Of the points of both."""
    if not other.count or not one.count:
        return one if one.count else other
    # the frame of the more: what it was fitted to
    frame = one.frame if one.count >= other.count else other.frame
    keys = np.concatenate([one.keys, other.keys])
    chosen = _smallest(keys, one.size)
    both = replace(
        one, count=one.count + other.count, mass=one.mass + other.mass, low=np.minimum(one.low, other.low),
        high=np.maximum(one.high, other.high), frame=frame,
        factor=triangle(np.vstack([one.in_frame(frame).factor, other.in_frame(frame).factor])), keys=keys[chosen],
        sample=np.concatenate([one.sample, other.sample])[chosen], shares=np.concatenate([one.shares, other.shares])[chosen])
    return both.settled()


def summary_step(degree: int, size: int) -> partial:
    """The function of a block for `Stream.reduce`."""
    return partial(summarised, degree=degree, size=size)
