r"""Local polynomial stencils: values and derivatives of a measured run, and how noisy they are.

Around every sample a polynomial of degree p is fitted by least squares to the w samples nearest in
order (Savitzky and Golay); its value and derivatives at the sample are weighted sums of those samples,

    x^(k)(t_i)  ~  sum_j a_k[j] y[start_i + j],      a_k[j] = sum_m P_m^(k)(t_i) P_m(t_j),

where P_0, ..., P_p are the polynomials orthonormal on the window's times.  Near the ends the window is
the first or last w samples and is evaluated off its centre.  For white noise of variance sigma^2 the
covariance of (x, x', ...) at one sample is sigma^2 times the gram matrix of the stencils,
``<a_k, a_l> = sum_m P_m^(k) P_m^(l)``.  Windows of neighbouring samples overlap, so their errors are correlated.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from ...ground.blocks import blocks

LARGEST_REMEMBERED_WINDOW = 201
"""Samples of the largest window whose stencils on an even grid are remembered: 1 MB at most, times 32 of them."""
EVEN_STEP_TOLERANCE = 1e-9
"""Deviation from an even grid, as a share of its step, that is taken for rounding of decimals."""
TIME_ROUNDINGS = 4
"""Roundings of floats that computing a time may have cost: a few operations ..."""
LARGEST_TIME_ROUNDING = 1e-3
"""... as long as they stay below this share of the step, far below what a derivative would show."""
NODES_PER_DEGREE = 4
"""With so many samples for each degree of the local polynomial the recursion by three terms keeps its orthogonality to
rounding, however the samples lie; with fewer every polynomial is made orthogonal to all others, twice (Kahan)."""


@dataclass(frozen=True, eq=False)
class Stencils:
    """Weights that turn the samples of a run into smoothed values and derivatives.

    Attributes
    ----------
    start : (n,) int array
        First sample of each sample's window.
    table : (m, q, w) array
        The different stencils; on an even grid they are few.
    which : (n,) int array
        The stencil of `table` each sample uses.
    products : (m, q, q) array
        Gram matrices of the stencils in `table`.
    """

    start: np.ndarray
    table: np.ndarray
    which: np.ndarray
    products: np.ndarray

    @property
    def weights(self):
        """(n, q, w) array: the stencils of every sample."""
        return self.table[self.which]

    @property
    def gram(self):
        """(n, q, q) array: covariance of (value, derivative, ...) at each sample for unit white noise."""
        return self.products[self.which]

    def apply(self, y):
        """Smoothed value and derivatives.

        Parameters
        ----------
        y : (n,) or (n, d) array

        Returns
        -------
        (n, q) or (n, d, q) array
        """
        y = np.asarray(y, dtype=float)
        if y.ndim == 2:
            return np.stack([self.apply(column) for column in y.T], axis=1)
        width = self.table.shape[2]
        if len(self.table) == len(self.which):
            out = np.empty((len(y), self.table.shape[1]))
            windows = sliding_window_view(y, width)
            for block in blocks(len(y), width):
                out[block] = np.einsum("iqw,iw->iq", self.table[block], windows[self.start[block]])
            return out
        half = width // 2
        left, right = self.table[:half] @ y[:width], self.table[half + 1:] @ y[-width:]
        middle = np.stack([np.correlate(y, row, "valid") for row in self.table[half]], axis=1)
        return np.concatenate([left, middle, right])


def local_stencils(times, window, degree, orders=(0, 1)):
    """Stencils of the local polynomial fits at every sample of a run.

    Parameters
    ----------
    times : (n,) array
        Increasing.
    window : int
        Odd number of samples, more than `degree` and at most n.
    degree : int
    orders : sequence of int
        Derivatives wanted; 0 is the value.

    Returns
    -------
    Stencils

    Examples
    --------
    >>> t = np.linspace(0, 1, 50)
    >>> stencils = local_stencils(t, 7, 3)
    >>> bool(np.allclose(stencils.apply(t**3), np.c_[t**3, 3 * t**2]))
    True
    >>> stencils.gram.shape
    (50, 2, 2)
    """
    times = np.asarray(times, dtype=float)
    n, half, orders = len(times), window // 2, tuple(orders)
    start = np.clip(np.arange(n) - half, 0, n - window)
    step = even_step(times)
    # with w = n the table of an even grid would have one row per sample and look like that of an uneven one
    if step is not None and window < n:
        make = _unit_stencils if window <= LARGEST_REMEMBERED_WINDOW else _unit_stencils.__wrapped__
        table, products = make(window, degree, orders)
        scale = step ** -np.array(orders, dtype=float)
        return Stencils(start, table * scale[:, None], np.arange(n) - start, products * np.outer(scale, scale))
    table = np.empty((n, len(orders), window))
    products = np.empty((n, len(orders), len(orders)))
    windows = sliding_window_view(times, window)
    for block in blocks(n, window * (degree + 2)):
        table[block], products[block] = fit_at(windows[start[block]], times[block], degree, orders)
    return Stencils(start, table, np.arange(n), products)


@lru_cache(maxsize=32)
def _unit_stencils(window, degree, orders):
    """Stencils and gram matrices of a window on a grid of step 1, at each of its samples: alike for many runs."""
    nodes = np.arange(window) - float(window // 2)
    return fit_at(nodes[None], nodes, degree, orders)


def even_step(times):
    """The step of an even grid (to rounding), or None."""
    if len(times) < 2:
        return None
    step = (times[-1] - times[0]) / (len(times) - 1)
    rounding = TIME_ROUNDINGS * np.finfo(float).eps * float(np.abs(times).max())
    rounding = max(EVEN_STEP_TOLERANCE * step, min(rounding, LARGEST_TIME_ROUNDING * step))
    off = np.abs(times - (times[0] + step * np.arange(len(times)))).max()
    return float(step) if off <= rounding else None


def fit_at(nodes, at, degree, orders):
    """Stencils (m, q, w) and gram matrices of fits on m windows `nodes` (m, w), or one (1, w), read at `at` (m,)."""
    middle = (nodes[:, :1] + nodes[:, -1:]) / 2
    reach = (nodes[:, -1:] - nodes[:, :1]) / 2
    s, x = (nodes - middle) / reach, (at - middle[:, 0]) / reach[:, 0]
    most = max(orders)
    values = np.full((degree + 1, *s.shape), s.shape[1] ** -0.5)
    jets = np.zeros((degree + 1, most + 1, len(x)))
    jets[0, 0] = values[0, :, 0]
    for m in range(1, degree + 1):
        new = s * values[m - 1]
        jet = x * jets[m - 1]
        jet[1:] += np.arange(1, most + 1)[:, None] * jets[m - 1, :-1]
        # in exact arithmetic the last two are enough; a few clustered times need all of them, and twice
        many = s.shape[1] >= NODES_PER_DEGREE * (degree + 1)
        for k in range(max(m - 2, 0), m) if many else [*range(m)] * 2:
            share = np.einsum("iw,iw->i", values[k], new)
            new -= share[:, None] * values[k]
            jet -= share * jets[k]
        norm = np.sqrt(np.einsum("iw,iw->i", new, new))
        values[m], jets[m] = new / norm[:, None], jet / norm
    jets = jets[:, list(orders)] / reach[:, 0] ** np.array(orders)[:, None]
    return np.einsum("mqi,miw->iqw", jets, values), np.einsum("mqi,mri->iqr", jets, jets)
