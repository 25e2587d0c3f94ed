r"""Measured states made less noisy without a model, and exactly how their errors hang together.

Every state is smoothed by local polynomials of degree 5 (`stencils`).  The window that makes the *values* best has a
squared bias of about a twelfth of the variance, since the one grows with the window to the power 12 and the other
falls with its inverse.  Two shorter windows are of use here, in which noise is practically all that is left, and its
size is known.  With `CLEAR_WINDOW_SHARE` times that length the bias squared is a thousandth of the variance, on
average: one value tells as much as it can.  With half of that, `FAITHFUL_WINDOW_SHARE`, it is negligible even where a
run bends much more than on average, and in *sums* over many values: those lose next to nothing by a shorter window,
since what averaging neighbours would do to noise the sum does too.  So the one is for judging how much single values
vary, the other for estimates and tests.  Where even the shortest window is too long (few samples per turn, or hardly
any noise), and for maps, the data stay as they are.

A smoothed state is :math:`A y` with a banded matrix A.  At one sample its noise has variance
:math:`\sigma^2 (A A^T)_{ii}`; of a sum :math:`\sum_i u_i (A e)_i` over all samples the variance is
:math:`\sigma^2 |A^T u|^2`, whatever the overlap of the windows.  Where noise differs from sample to
sample, that is :math:`|\operatorname{diag}(\sigma) A^T u|^2`, and in the variance of a smoothed value its own sigma is taken
for those of its window.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import scipy.sparse

from ...ground.blocks import blocks
from ...ground.linalg import column_sizes
from .shapes import MeasuredRuns
from .smoothing import RESIDUAL_DEGREE, RESIDUAL_WINDOW_SHARE, best_window, smallest_window
from .stencils import local_stencils

CLEAR_WINDOW_SHARE = RESIDUAL_WINDOW_SHARE
"""Window over the best one, for judging single values: see the module's text."""
FAITHFUL_WINDOW_SHARE = RESIDUAL_WINDOW_SHARE / 2
"""Window over the best one, for sums over many values."""
SMALLEST_NOISE = 1e-6
"""Noise is never taken to be smaller than this share of a state's size: integrators are no better."""


class Smoother:
    """The matrix A of one state in one run.

    Parameters
    ----------
    times : (n,) array
    window : int
        1 leaves the data as they are.

    Examples
    --------
    >>> smoother = Smoother(np.arange(50.0), 9)
    >>> ones = np.ones(50)
    >>> bool(np.allclose(smoother.apply(ones), 1)), smoother.gain.shape
    (True, (50,))
    >>> y, u = np.arange(50.0) ** 2, np.sin(np.arange(50.0))
    >>> bool(np.isclose(u @ smoother.apply(y), smoother.transposed(u[:, None])[:, 0] @ y))
    True
    """

    def __init__(self, times: np.ndarray, window: int):
        self.size, self.window = len(times), window
        self.stencils = local_stencils(times, window, RESIDUAL_DEGREE, (0,)) if window > 1 else None

    def apply(self, y: np.ndarray) -> np.ndarray:
        """A y."""
        return y.copy() if self.stencils is None else self.stencils.apply(y)[:, 0]

    @property
    def gain(self) -> np.ndarray:
        """Diagonal of A A^T."""
        return np.ones(self.size) if self.stencils is None else self.stencils.gram[:, 0, 0]

    def transposed(self, u: np.ndarray) -> np.ndarray:
        """A^T u for the columns of `u`."""
        if self.stencils is None:
            return u
        out = np.zeros_like(u)
        for block in blocks(self.size, self.window):
            weights = self.stencils.table[self.stencils.which[block], 0]
            columns = self.stencils.start[block][:, None] + np.arange(self.window)
            ends = np.arange(0, weights.size + 1, self.window)
            part = scipy.sparse.csr_array((weights.ravel(), columns.ravel(), ends), shape=(len(weights), self.size))
            out += part.T @ u[block]
        return out

    @property
    def memory(self) -> tuple[float, float]:
        """Sums of the errors' correlations, and of their squares, over all lags."""
        if self.stencils is None:
            return 1.0, 1.0
        weights = self.stencils.table[self.stencils.which[self.size // 2], 0]
        correlations = np.correlate(weights, weights, "full") / (weights @ weights)
        return max(float(correlations.sum()), 1.0), float(np.sum(correlations**2))


@dataclass(frozen=True, eq=False)
class States:
    """Smoothed states of all runs, one below the other, in units of each state's size.

    Attributes
    ----------
    points, variance : (n, d) arrays
    times : (n,) array
    group : (n,) int array
        The run each point belongs to; the pieces of a run with gaps belong together.
    labels : tuple
        Of those runs.
    pieces : tuple of slice
        Gap-free stretches.
    smoothers : tuple of tuple of Smoother
        For each piece and state.
    sigma : (n, d) array
        Noise of the measured states, in units of their size.
    size : (d,) array
        The unit, root-mean-square.
    """

    points: np.ndarray
    variance: np.ndarray
    times: np.ndarray
    group: np.ndarray
    labels: tuple
    pieces: tuple[slice, ...]
    smoothers: tuple[tuple[Smoother, ...], ...]
    sigma: np.ndarray
    size: np.ndarray

    @classmethod
    def of(cls, trajectories: MeasuredRuns, sigma: np.ndarray, share: float,
           relative: Sequence[np.ndarray] | None = None) -> States:
        """Of measured runs whose noise has the standard deviations `sigma`, in each run times what `relative` has for it: (d,),
        or (n, d) for each of its values.

        `share` is the window's length compared with the best one, 0 to leave the data as they are.
        """
        everything = np.concatenate([run.states for run in trajectories])
        size = column_sizes(everything)
        d, sigma = len(size), np.maximum(sigma / size, SMALLEST_NOISE)
        windows = [_window(trajectories, j, sigma[j] * size[j], share) for j in range(d)]
        groups = list(dict.fromkeys(run.group for run in trajectories))
        ends = np.cumsum([0, *(len(run) for run in trajectories)])
        pieces = tuple(slice(int(a), int(b)) for a, b in pairwise(ends))
        smoothers = tuple(tuple(Smoother(run.times, _fitting(window, len(run))) for window in windows)
                          for run in trajectories)
        noise = np.tile(sigma, (len(everything), 1))
        if relative is not None:
            for part, own in zip(pieces, relative):
                noise[part] = np.maximum(sigma * own, SMALLEST_NOISE)
        points, variance = np.empty_like(everything), np.empty_like(everything)
        for run, part, row in zip(trajectories, pieces, smoothers):
            for j, smoother in enumerate(row):
                points[part, j] = smoother.apply(run.states[:, j] / size[j])
                variance[part, j] = smoother.gain * noise[part, j] ** 2
        return cls(points, variance, np.concatenate([run.times for run in trajectories]),
                   np.repeat([groups.index(run.group) for run in trajectories], [len(run) for run in trajectories]),
                   tuple(groups), pieces, smoothers, noise, size)

    def with_noise(self, factor: float) -> States:
        """The same states with noise `factor` times as large."""
        return States(self.points, self.variance * factor**2, self.times, self.group, self.labels, self.pieces,
                      self.smoothers, self.sigma * factor, self.size)

    def __len__(self):
        return len(self.points)

    @property
    def noise(self) -> np.ndarray:
        """Root-mean-square (d,) of the noise of the measured states, in their own units."""
        return np.sqrt(np.mean(self.sigma**2, axis=0)) * self.size

    @property
    def independent(self) -> np.ndarray:
        """How many independent points would determine a mean, and a mean square, as well as these do."""
        counts = np.zeros(2)
        for part, row in zip(self.pieces, self.smoothers):
            memory = np.max([smoother.memory for smoother in row], axis=0)
            counts += np.maximum((part.stop - part.start) / memory, 1)
        return counts

    def covariance_of_sums(self, weights: np.ndarray) -> np.ndarray:
        """Covariance of sum_i weights[i] @ (error of point i), exact for overlapping windows.

        Parameters
        ----------
        weights : (n, p, d) array

        Returns
        -------
        (p, p) array
        """
        return sum(self._of_piece(number, weights) for number in range(len(self.pieces)))

    def variance_of_sums(self, weights: np.ndarray) -> np.ndarray:
        """Variances of those sums over the points of each run: (R, p) array."""
        total = np.zeros((len(self.labels), weights.shape[1]))
        for number, part in enumerate(self.pieces):
            total[self.group[part.start]] += np.diag(self._of_piece(number, weights))
        return total

    def _of_piece(self, number, weights):
        part, total = self.pieces[number], 0.0
        for j, smoother in enumerate(self.smoothers[number]):
            back = smoother.transposed(weights[part, :, j]) * self.sigma[part, j, None]
            total = total + back.T @ back
        return total


def _window(trajectories, j, sigma, share):
    if not share:
        return 1
    runs = [(run.times, run.states[:, j]) for run in trajectories]
    best = best_window(runs, sigma, RESIDUAL_DEGREE, order=0).window
    shorter = 2 * int(share * best / 2) + 1
    return shorter if shorter >= smallest_window(RESIDUAL_DEGREE) else 1


def _fitting(window, length):
    """The window, or the longest odd one in a shorter run, or 1."""
    window = min(window, length - 1 + length % 2)
    return window if window >= smallest_window(RESIDUAL_DEGREE) else 1
