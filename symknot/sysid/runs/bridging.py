r"""Runs with missing values, for methods that can do without them: what is cut, and what is bridged.

A missing value of one variable says nothing about the others, which were measured; variables may even be sampled at times of
their own.  Where states are estimated together with the equations (`sysid.motion.joint`), a value that was not measured is an
unknown like any other: the equations lead across.  All that is needed beforehand is a first guess, from the samples around
it.  So a run of a flow is cut only

* where an input is missing: inputs are taken as they are;
* where a variable was not measured for longer than `BRIDGED_SHARE` of the time that the window of its local polynomial
  (`smoothing`) takes elsewhere: farther away a guess says nothing;
* at its ends, where some variable was not measured yet, or not any more.

The local polynomial of a variable at any time is fitted to the samples of this variable nearest in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from .reading import Run
from .smoothing import best_window, noise_level
from .stencils import fit_at

BRIDGED_SHARE = 0.5
"""Of the window's time, the longest gap that is bridged: both sides of it are then still in one window."""
LEAST_MEASURED = 5
"""Values of a variable in all runs, at least, from which a window can be chosen."""


def has_gaps(runs: Iterable[Run]) -> bool:
    """Whether a value of a state is missing."""
    return any(np.isnan(run.states).any() for run in runs)


def bridged(runs: Sequence[Run], order: int) -> list[Run]:
    """The runs, cut only where no local polynomial reaches across; missing values are NaN.

    Parameters
    ----------
    runs : sequence of Run
        Complete in their times and inputs.
    order : int
        Of the derivative that will be wanted.
    """
    spans = [_span(runs, j, order) for j in range(runs[0].states.shape[1])]
    out = []
    for run in runs:
        parts = [part for part in _parts(run, spans) if len(part) > 1]
        for number, part in enumerate(parts, 1):
            out.append(part if len(parts) == 1 else replace(part, label=f"{run.label}/{number}"))
    return out


def smoothed_at(times: np.ndarray, y: np.ndarray, at: np.ndarray, window: int, degree: int,
                orders: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Smoothed values and derivatives (m, q) at other times than those of the samples, and their covariance for unit noise.

    Examples
    --------
    >>> t = np.arange(20.0)
    >>> values, gram = smoothed_at(t, t**2, np.array([3.5, 10.25]), 7, 3, (0, 1))
    >>> values.round(6).tolist(), gram.shape
    ([[12.25, 7.0], [105.0625, 20.5]], (2, 2, 2))
    """
    start = np.clip(np.searchsorted(times, at) - window // 2, 0, len(times) - window)
    weights, gram = fit_at(sliding_window_view(times, window)[start], at, degree, tuple(orders))
    return np.einsum("iqw,iw->iq", weights, sliding_window_view(y, window)[start]), gram


def _span(runs, j, order):
    """The longest time without a value of variable j."""
    series = [(run.times[seen], run.states[seen, j]) for run in runs for seen in [~np.isnan(run.states[:, j])]]
    series = [(times, y) for times, y in series if len(y) > 1]
    if sum(len(y) for _, y in series) < LEAST_MEASURED:
        return 0.0
    window = best_window(series, noise_level(series), order=order).window
    return BRIDGED_SHARE * (window - 1) * float(np.median(np.concatenate([np.diff(times) for times, _ in series])))


def _parts(run: Run, spans: Sequence[float]) -> Iterator[Run]:
    """Pieces between gaps that are too long, without ends at which something is not measured."""
    seen = ~np.isnan(run.states)
    if not seen.any(axis=0).all():
        return
    rows = np.arange(len(run))
    first = max(int(rows[column][0]) for column in seen.T)
    last = min(int(rows[column][-1]) for column in seen.T)
    if last - first < 1:
        return
    for column, span in zip(seen.T, spans):
        places = rows[column]
        long = np.flatnonzero(np.diff(run.times[places]) > np.maximum(span, _steps(run, places)))
        if len(long):
            before, after = places[long[0]], places[long[0] + 1]
            yield from _parts(_piece(run, 0, before + 1), spans)
            yield from _parts(_piece(run, after, len(run)), spans)
            return
    yield _piece(run, first, last + 1)


def _steps(run, places):
    """Of neighbouring measured rows the time between them if nothing lies between, else 0: no gap is no gap."""
    return np.where(np.diff(places) == 1, np.diff(run.times[places]), 0.0)


def _piece(run, first, last):
    part = slice(first, last)
    rates = None if run.derivatives is None else run.derivatives[part]
    return replace(run, times=run.times[part], states=run.states[part], inputs=run.inputs[part], derivatives=rates)
