r"""Single values of a smooth motion that are far from what their neighbours tell: gross errors, found without a model.

The cubic through the two measured neighbours on each side foretells a value; with weights w (Lagrange) the error

.. math:: e_i = y_i - \sum_j w_{ij} y_j, \qquad \operatorname{var} e_i = \sigma^2 \Bigl(1 + \sum_j w_{ij}^2\Bigr)

is noise where the motion is well sampled.  It is measured against the median size of errors, of the whole series or of those
around, whichever is larger: where a motion is fast, all errors are.  A spike of the height S leaves errors S, and beside it
-2S/3 (on an even grid).  A motion that turns sharply leaves errors of one sign or, at a step, errors that are S/3
at most on one side.  So a value is a spike if its error is far beyond all noise, is the largest around, and those beside it
are of the other sign and large, too.  It is replaced by what its neighbours tell, and all errors are looked at again
until none is left.
Two spikes next to each other hide each other; in every second or third value of the series they stand alone.

The first value and the last have neighbours on one side only.  A gross error there is in one divided difference of each
order, and in no other; a motion that begins fast is in all of them, one after the other less by what it decays in a sample.
So an end is a spike if a difference with it, of order 2, 3 or 4, is far beyond all noise in those around, and several times
the largest of them: a motion that fast would not have been sampled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from scipy.interpolate import CubicSpline
from scipy.ndimage import maximum_filter1d, median_filter

from ...ground.errors import InvalidOption

FARTHEST_NOISE = 6.0
"""Standard deviations beyond which a value is no noise: as in `fitting.outliers`, two in a thousand million of normal noise."""
AROUND = 31
"""Errors, in the middle of which one is judged: a convention, the time of a turn at the usual sampling."""
BESIDE = 0.4
"""Least size of the errors beside that of a spike: between 2/3, which a spike leaves, and 1/3, which a step does."""
SMALLEST_SPIKE = 1e-3
"""Height of a spike, as a share of the series' spread, below which it is none: integrators leave such places."""
MOST_SPIKES = 0.2
"""Share of the values beyond which they are no errors among good ones: a convention, as many as a fit of points stands."""
LEAST_VALUES = 20
"""Values from which the size of errors can be told."""
END_ORDERS = (2, 3, 4)
"""Orders of the differences that show a spike at an end: the lower, the smaller a spike is seen; the higher, the less motion is
left in them."""
END_RATIO = 3.0
"""A difference with the end over the largest of those around, at least: a motion whose differences fall so in one sample decays
e-fold in less than that."""
END_NEIGHBOURS = 7
"""Values through which a parabola tells what belongs in the place of an end: its error is then 1.3 times the noise."""
STRIDES = (1, 2, 3)
"""Every value; where errors are left, every second, every third: two spikes at most two places apart stand alone in one of
these."""
MOST_ROUNDS = 50
"""Rounds in which new spikes are looked for: a convention; two or three are usual."""
NORMAL_MEDIAN = 0.6745
"""Median size of normal noise, in standard deviations."""


LOSSES = ("auto", "squares")
"""Names of the losses: spikes are left out, or every value is trusted."""
MOST_NAMED = 5
"""Spikes that are named in words."""


class Spike(NamedTuple):
    """A measured value that was left out: it is far from what its neighbours tell.

    Attributes
    ----------
    run : str
        Label.
    time : float
    variable : str
    value : float
    """

    run: str
    time: float
    variable: str
    value: float


def said_of(left_out: Sequence[Spike]) -> str:
    """How many values were left out, and which, in words; empty for none.

    Examples
    --------
    >>> said_of([Spike("0", 2.5, "x", 3.6)])
    '1 value is left out, far from what its neighbours tell: x at 2.5 (run 0)'
    """
    if not left_out:
        return ""
    named = ", ".join(f"{one.variable} at {one.time:.6g} (run {one.run})" for one in left_out[:MOST_NAMED])
    more = ", ..." if len(left_out) > MOST_NAMED else ""
    what = "1 value is left out, far from what its" if len(left_out) == 1 else (
        f"{len(left_out)} values are left out, far from what their")
    return f"{what} neighbours tell: {named}{more}"


def checked_loss(loss: object) -> str:
    """The option `loss`."""
    if loss not in LOSSES:
        raise InvalidOption("loss", loss, f"one of {', '.join(map(repr, LOSSES))}")
    return str(loss)


def spikes(times: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which values of a series are spikes, and the series with others in their places.

    Parameters
    ----------
    times : (n,) array
        Increasing.
    y : (n,) array
        Without gaps.

    Examples
    --------
    >>> t = np.linspace(0, 10, 200)
    >>> y = np.sin(t)
    >>> y[50] += 3
    >>> found, without = spikes(t, y)
    >>> np.flatnonzero(found).tolist(), bool(np.allclose(without, np.sin(t), atol=1e-6))
    ([50], True)
    """
    size = float(np.abs(y).max(initial=0.0))
    found = np.zeros(len(y), bool)
    if len(y) < LEAST_VALUES or not size > 0:
        return found, np.array(y, dtype=float)
    # nothing leaves the range of floats, and no digit changes
    clock = np.ldexp(times, -int(np.frexp(times[-1] - times[0])[1]))
    found, filled = _found_in(clock, y / size)
    for forward in (slice(None), slice(None, None, -1)):              # views: what is set there is set here
        if not found[forward][:END_NEIGHBOURS].any() and _is_spike_at_the_start(clock[forward], filled[forward]):
            found[forward][0] = True
            filled[forward][0] = _told_by_the_next(clock[forward], filled[forward])
    return found, np.where(found, filled * size, y)


def _is_spike_at_the_start(times, y):
    """Whether the first value is one, by the differences around it."""
    smallest = SMALLEST_SPIKE * float(np.subtract(*np.quantile(y, [0.75, 0.25])))
    if not abs(y[0] - _told_by_the_next(times, y)) > smallest:
        return False
    for order in END_ORDERS:
        nodes = sliding_window_view(times[: AROUND + order + 1], order + 1)
        weights = _lagrange(nodes[:, 0], nodes[:, 1:])
        values = sliding_window_view(y[: AROUND + order + 1], order + 1)
        sizes = np.abs(values[:, 0] - np.einsum("nj,nj->n", weights, values[:, 1:]))
        sizes /= np.sqrt(1 + np.sum(weights**2, axis=1))
        first, others = sizes[0], sizes[1:]
        if first > FARTHEST_NOISE * np.sqrt(np.mean(others**2)) and first > END_RATIO * others.max():
            return True
    return False


def _told_by_the_next(times, y):
    """What the next values tell of the first."""
    after = slice(1, END_NEIGHBOURS + 1)
    return np.polynomial.Polynomial.fit(times[after], y[after], 2)(times[0])


def _found_in(times, y):
    """The same of values up to 1."""
    found, filled = np.zeros(len(y), bool), y.copy()
    sure, doubtful = found, ~found
    for stride in STRIDES:
        for phase in range(stride):
            part = np.arange(phase, len(y), stride)
            if doubtful.any() and len(part) >= LEAST_VALUES:
                found[part] |= _standing_alone(times[part], filled, part, doubtful[part])
        if stride == 1:
            sure, doubtful = found.copy(), _left(times, filled)
    found = sure | found & ~_left(times, _others(times, y, found))
    others = _others(times, y, found)
    found &= np.abs(y - others) > FARTHEST_NOISE * _errors(times, others)[2]          # a good value between two spikes is none
    if found.sum() > MOST_SPIKES * len(y):
        return np.zeros(len(y), bool), y
    return found, _others(times, y, found)


def _others(times, y, found):
    """The series with what the good values tell in the places of those found."""
    return np.where(found, CubicSpline(times[~found], y[~found])(times), y) if found.any() else y


def _left(times, y):
    """Where errors are beyond all noise, or next to such."""
    _, sizes, usual = _errors(times, y)
    return maximum_filter1d(sizes > FARTHEST_NOISE * usual, 5)


def _errors(times, y):
    """Of the values foretold; their size in units in which noise is the same everywhere, and one standard deviation of it."""
    neighbours, weights = _foretelling(times)
    errors = y - np.einsum("nj,nj->n", weights, y[neighbours])
    sizes = np.abs(errors) / np.sqrt(1 + np.sum(weights**2, axis=1))
    usual = np.maximum(median_filter(sizes, AROUND, mode="reflect"), np.median(sizes)) / NORMAL_MEDIAN
    return errors, sizes, usual


def _standing_alone(times, values, part, doubtful):
    """Which of a part of the values are spikes beside good ones; others are put into their places."""
    y = values[part]
    found = np.zeros(len(y), bool)
    smallest = SMALLEST_SPIKE * float(np.subtract(*np.quantile(y, [0.75, 0.25])))
    if not smallest > 0:
        return found
    for _ in range(MOST_ROUNDS):
        errors, sizes, usual = _errors(times, y)
        before, here, after = errors[:-2], errors[1:-1], errors[2:]
        alone = doubtful.copy()
        alone[[0, -1]] = False
        alone[1:-1] &= ((before * here < 0) & (here * after < 0)
                       & (np.minimum(np.abs(before), np.abs(after)) >= BESIDE * np.abs(here)))
        new = alone & (sizes > FARTHEST_NOISE * usual) & (sizes >= maximum_filter1d(sizes, 5)) & (np.abs(errors) > smallest)
        if not (new & ~found).any():
            break
        found |= new
        y[new] -= errors[new]
    values[part] = y
    return found


def _foretelling(times):
    """For each sample its four neighbours and their weights."""
    n = len(times)
    block = np.clip(np.arange(n) - 2, 0, n - 5)[:, None] + np.arange(5)
    neighbours = block[block != np.arange(n)[:, None]].reshape(n, 4)
    return neighbours, _lagrange(times, times[neighbours])


def _lagrange(times, nodes):
    """What values at the nodes weigh in the polynomial through them, at each time."""
    weights = np.ones_like(nodes)
    for j in range(nodes.shape[1]):
        for k in range(nodes.shape[1]):
            if k != j:
                weights[:, j] *= (times - nodes[:, k]) / (nodes[:, j] - nodes[:, k])
    return weights
