r"""How noisy a measured run is, and how wide a window smooths it best: both read from the data alone.

The noise level needs no model.  Weights of unit norm that annihilate every polynomial of low degree on a few
consecutive samples keep the whole noise and little of a smooth signal: divided differences first, then what a
local polynomial fit leaves over (`noise_level`).

The window of a local polynomial fit (`stencils`) trades noise, which falls with its length, for bias, which grows.
Both are estimated, for the derivative that is wanted (`best_window`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from .stencils import Stencils, even_step, fit_at, local_stencils

__all__ = ["Choice", "Stencils", "best_window", "local_stencils", "noise_level", "smallest_window", "window_ladder"]

HIGHEST_DIFFERENCE = 8
"""Order of differences at which even a fast signal has faded out of well sampled data: of an oscillation with twelve
samples to a period a share of (2 sin(pi / 12))**8 / sqrt(comb(16, 8)) = 1 / 22,000 is left."""
CLIP_DEVIATIONS = 3.0
"""Differences beyond this many standard deviations belong to jumps of the signal, not to the noise: of normal noise
0.3 per cent are, which the variance of the rest allows for."""
CLIP_TURNS = 20
"""Turns of clipping and measuring, which converge geometrically.  A convention."""
FEWEST_CLIPPED = 20
"""Values from which a median tells what is usual; of fewer none is clipped."""
NORMAL_MEDIAN = 0.6744897501960817
"""Median of the absolute value of a standard normal number."""
CONTRADICTION_ERRORS = 1.5
"""Standard errors by which a lower difference must exceed a higher one to show that it still sees the signal.  Each
lower order is tested against up to seven higher ones, so that one is now and then left without need; the next serves
nearly as well."""
SHARPER_ERRORS = 4.0
"""Standard errors (of the differences' estimate) by which that from residuals may be larger and still be believed: more
means that residuals hold signal."""
LADDER_RATIO = 1.2
"""One window of the ladder over the one before: the risk is flat around its least, so that finer steps gain nothing."""
RISK_TURNED_UP = 25.0
"""A risk so many times the least so far is beyond any dip that a rough curve may still have."""
RESIDUAL_DEGREE = 5
"""Degree of the local polynomials whose residuals measure the noise: the bias is then of sixth order, and in the middle
of an even window degree 4 gives the same."""
RESIDUAL_WINDOW_SHARE = 0.7
"""Their window over the best one: bias squared falls with its twelfth power, to a thousandth of the variance."""
DEGREES = {1: (3, 5), 2: (4, 6)}
"""Degrees tried for each order; one degree more changes nothing in the middle of an even window."""
PILOT_EXTRA_DEGREES = 4, 2
"""Degrees of the pilot beyond the candidates', so that its bias is small beside theirs: two even orders if the runs are
long enough, else one."""
HIGHER_DEGREE_RISK = 0.9
"""A higher degree must bring the estimated risk below this share: near the ends it costs more than in the middle."""
CHOICE_SAMPLES = 3000
"""Samples from which a window is chosen, of all runs: its risk is then known to some per cent."""
CHOICE_SAMPLES_OF_RUN = 200
"""Of every run at least so many, if it has them: shorter pieces hold no wide windows."""
UNEVEN_WEIGHTS = 100_000
"""On an uneven grid every sample has its own stencil: as many samples are used as have this many weights, a few
milliseconds of work for each window tried."""
FEWEST_CENTRES = 64
"""But no fewer samples than these: their mean square is known to a fifth."""
USUAL_GAIN = 10.0
"""A stencil whose noise gain is more times the median sits at a cluster of times."""


def noise_level(runs: Sequence[tuple[np.ndarray, np.ndarray]]) -> float:
    """Standard deviation of white measurement noise, estimated without a model of the signal.

    Differences of order k = 1, 2, ... with unit weights all have the noise's variance, and of a smooth signal a
    share that falls with k.  The lowest order that no higher one contradicts is used, so that the estimate has
    little bias and is not the luckiest of many; the residuals of a local fit then sharpen it.  What is far out of
    line (a relaxation oscillator's jumps) is clipped.  For data without noise the result is what the highest
    differences leave of the signal: tiny if it is well sampled.  Noise that is not white, or data rounded to few
    digits, is not seen for what it is.

    Parameters
    ----------
    runs : sequence of (times, y)

    Returns
    -------
    float

    Examples
    --------
    >>> t = np.linspace(0, 10, 1000)
    >>> noise = 0.1 * np.random.default_rng(0).normal(size=1000)
    >>> round(noise_level([(t, np.sin(t) + noise)]), 2)
    0.1
    """
    signals = _checked(runs)
    variances, counts = [], []
    for k in range(1, HIGHEST_DIFFERENCE + 1):
        found = np.concatenate([np.empty(0), *(_differences(run, k) for run in signals if len(run.y) > k)])
        if len(found) < max(2 * k, 1):
            break
        variances.append(clipped_variance(found))
        counts.append(len(found))
    if not variances:
        return 0.0
    level, error = _first_consistent(variances, counts)
    return _from_residuals(signals, level, error)


def _first_consistent(variances, counts):
    """Standard deviation by the lowest order that no higher one contradicts, and its relative standard error."""
    for k in range(1, len(variances) + 1):
        higher = range(k + 1, len(variances) + 1)
        errors = {m: _paired_error(k, m) / math.sqrt(counts[m - 1]) for m in higher}
        if all(variances[k - 1] <= variances[m - 1] * (1 + CONTRADICTION_ERRORS * errors[m]) for m in higher):
            break
    return math.sqrt(variances[k - 1]), _paired_error(k, 0) / math.sqrt(counts[k - 1]) / 2


def _from_residuals(runs, level, error):
    """A sharper standard deviation, from what a local fit leaves over; `level` where that still holds signal."""
    limit = max(len(run.y) for run in runs) // 2
    if not level or smallest_window(RESIDUAL_DEGREE) > limit:
        return level
    some = _portion(runs)
    window, _ = _least(lambda window: _value_risk(some, level, window, RESIDUAL_DEGREE),
                       window_ladder(RESIDUAL_DEGREE, limit))
    window = max(2 * int(RESIDUAL_WINDOW_SHARE * window / 2) + 1, smallest_window(RESIDUAL_DEGREE))
    left = []
    for run in runs:
        if len(run.y) >= window:
            at = _centres(run, window)
            weights, smooth = _centred(run, at, window, RESIDUAL_DEGREE, 0)
            size = np.sqrt(1 - 2 * weights[:, window // 2] + np.sum(weights**2, axis=1))
            left.append((run.y[at] - smooth) / size)
    sharper = math.sqrt(clipped_variance(np.concatenate(left)))
    return sharper if sharper <= level * (1 + SHARPER_ERRORS * error) else level


def _differences(run, k):
    """Divided differences of order k with weights of unit norm: white noise keeps its variance in them."""
    if run.step is not None:
        return np.diff(run.y, k) / math.sqrt(math.comb(2 * k, k))
    nodes = sliding_window_view(run.times, k + 1)
    apart = (nodes[:, :, None] - nodes[:, None, :]) / (nodes[:, -1] - nodes[:, 0])[:, None, None]
    apart[:, np.arange(k + 1), np.arange(k + 1)] = 1.0
    weights = 1 / apart.prod(axis=2)
    weights /= np.sqrt(np.sum(weights**2, axis=1, keepdims=True))
    return np.einsum("iw,iw->i", weights, sliding_window_view(run.y, k + 1))


def clipped_variance(values: np.ndarray) -> float:
    """Variance of the normal part of `values`, from those within `CLIP_DEVIATIONS` standard deviations."""
    size = np.abs(values)
    sigma = float(np.median(size)) / NORMAL_MEDIAN
    if sigma == 0 or len(values) < FEWEST_CLIPPED:
        return float(np.mean(values**2))
    c = CLIP_DEVIATIONS
    kept_share = 1 - 2 * c * math.exp(-c**2 / 2) / math.sqrt(2 * math.pi) / math.erf(c / math.sqrt(2))
    for _ in range(CLIP_TURNS):
        sigma = math.sqrt(float(np.mean(values[size <= CLIP_DEVIATIONS * sigma] ** 2)) / kept_share)
    return sigma**2


def _paired_error(k, m):
    """Relative standard error of the variance from differences of order k less that of order m, times sqrt(n).

    Order 0 stands for a variance without error.
    """
    a, b = (np.array([(-1) ** j * math.comb(order, j) for j in range(order + 1)], float) for order in (k, m))
    a, b = a / math.sqrt(a @ a), b / math.sqrt(b @ b)
    aa, bb, ab = (np.sum(np.correlate(u, v, "full") ** 2) for u, v in ((a, a), (b, b), (a, b)))
    if m == 0:
        return math.sqrt(2 * aa)
    return math.sqrt(2 * max(aa + bb - 2 * ab, 0.0))


@dataclass(frozen=True)
class Choice:
    """A window, the degree of the polynomials in it, and the estimated root-mean-square error of the derivative."""

    window: int
    degree: int
    error: float


def best_window(runs: Sequence[tuple[np.ndarray, np.ndarray]], sigma: float, degree: int | None = None, order: int = 1,
                longest: int | None = None) -> Choice:
    """The window whose derivative of the given order has the smallest estimated mean-square error.

    In two steps.  A pilot of higher degree gets the window of least risk for the *values*, where the data
    themselves are the reference (Stein's unbiased estimate, which varies little).  With its values s y and its
    derivative r y the squared bias of a candidate a is about ``mean((a s y - r y)^2) - sigma^2 |a s - r|^2``, and the
    variance is ``sigma^2 |a|^2``; on uneven grids a y takes the place of a s y.  Only windows centred on their sample
    count, since the few at the ends would outweigh all others, and none longer than half a run, so that most samples
    have one.

    Parameters
    ----------
    runs : sequence of (times, y)
    sigma : float
        Standard deviation of the noise; 0 leads to the smallest window.
    degree : int, optional
        Default: whichever of two is better.
    order : int
    longest : int, optional
        No window longer than this.

    Returns
    -------
    Choice

    Examples
    --------
    >>> t = np.linspace(0, 50, 1000)
    >>> y = np.sin(t) + 0.1 * np.random.default_rng(0).normal(size=1000)
    >>> choice = best_window([(t, y)], 0.1)
    >>> 50 < choice.window < 250, choice.error < 0.1
    (True, True)
    >>> best_window([(t, np.sin(t))], 0.0).window
    7
    """
    signals = _portion(_checked(runs))
    degrees = DEGREES[order] if degree is None else (degree,)
    most = max(len(run.y) for run in signals)
    longest = min(most, longest or most)
    more, less = PILOT_EXTRA_DEGREES
    pilot_degree = max(degrees) + (more if smallest_window(max(degrees) + more) <= longest else less)
    limit = max(longest // 2, min(smallest_window(pilot_degree), longest))
    sigma = max(float(sigma), np.finfo(float).eps * max(float(np.abs(run.y).max()) for run in signals))
    fallback = Choice(smallest_window(degrees[0]), degrees[0], math.nan)
    if smallest_window(pilot_degree) > limit:
        return fallback
    pilot, _ = _least(lambda window: _value_risk(signals, sigma, window, pilot_degree),
                      window_ladder(pilot_degree, limit))
    best = fallback
    for p in degrees:
        window, risk = _least(lambda window, p=p: _derivative_risk(signals, sigma, window, p, pilot, pilot_degree,
                                                                   order), window_ladder(p, limit))
        if best is fallback or risk < HIGHER_DEGREE_RISK * best.error**2:
            best = Choice(window, p, math.sqrt(max(risk, 0.0)))
    return best


def smallest_window(degree: int) -> int:
    """The smallest odd window that leaves a fit of this degree a degree of freedom."""
    return degree + 2 + (degree + 1) % 2


def window_ladder(degree: int, limit: int) -> list[int]:
    """Odd windows from the smallest up to `limit`, each about `LADDER_RATIO` times the one before."""
    windows = [smallest_window(degree)]
    while (following := max(windows[-1] + 2, 2 * int(windows[-1] * LADDER_RATIO / 2) + 1)) <= limit:
        windows.append(following)
    return windows


def _least(risk, windows):
    """The window of least risk; the ladder is left when the risk has clearly turned up."""
    best, least = windows[0], math.inf
    for window in windows:
        value = risk(window)
        if value < least:
            best, least = window, value
        elif value > RISK_TURNED_UP * abs(least):
            break
    return best, least


def _value_risk(runs, sigma, window, degree):
    total, count = 0.0, 0
    for run in runs:
        if len(run.y) < window:
            continue
        at = _centres(run, window)
        weights, smooth = _centred(run, at, window, degree, 0)
        loss = (smooth - run.y[at]) ** 2 + 2 * sigma**2 * weights[:, window // 2]
        total, count = total + loss.sum(), count + len(loss)
    return total / count if count else math.inf


def _derivative_risk(runs, sigma, window, degree, pilot, pilot_degree, order):
    bias, variance, count = 0.0, 0.0, 0
    for run in runs:
        if run.step is not None and len(run.y) >= window + pilot - 1:
            part = _after_pilot(run, sigma, window, degree, pilot, pilot_degree, order)
        elif len(run.y) >= max(window, pilot):
            part = _beside_pilot(run, sigma, window, degree, pilot, pilot_degree, order)
        else:
            continue
        bias, variance, count = bias + part[0].sum(), variance + part[1].sum(), count + len(part[0])
    return (max(bias, 0.0) + variance) / count if count else math.inf


def _after_pilot(run, sigma, window, degree, pilot, pilot_degree, order):
    """Squared bias and variance at each sample: the candidate applied to what the pilot smoothed."""
    a = _unit_stencil(window, degree, order)[0] / run.step**order
    off = np.convolve(a, _unit_stencil(pilot, pilot_degree, 0)[0])
    off[window // 2:window // 2 + pilot] -= _unit_stencil(pilot, pilot_degree, order)[0] / run.step**order
    bias = np.correlate(run.y, off, "valid") ** 2 - sigma**2 * (off @ off)
    return bias, np.full(len(bias), sigma**2 * (a @ a))


def _beside_pilot(run, sigma, window, degree, pilot, pilot_degree, order):
    """The same for uneven or short runs, where the two are not composed: both applied to the data."""
    at = _centres(run, max(window, pilot))
    a, found = _centred(run, at, window, degree, order)
    r, wanted = _centred(run, at, pilot, pilot_degree, order)
    inner, outer = (a, r) if window <= pilot else (r, a)
    margin = (outer.shape[1] - inner.shape[1]) // 2
    cross = np.einsum("iw,iw->i", inner, outer[:, margin:margin + inner.shape[1]])
    own, other = np.einsum("iw,iw->i", a, a), np.einsum("iw,iw->i", r, r)
    bias = (found - wanted) ** 2 - sigma**2 * (own + other - 2 * cross)
    variance = np.broadcast_to(sigma**2 * own, bias.shape)
    if len(a) == 1:
        return bias, variance
    # a cluster of times makes a stencil that no choice of window can mend: it must not decide
    usual = own + other <= USUAL_GAIN * np.median(own + other)
    return bias[usual], variance[usual]


class _Signal(NamedTuple):
    times: np.ndarray
    y: np.ndarray
    step: float | None


def _checked(runs):
    runs = [(np.asarray(times, float), np.asarray(y, float)) for times, y in runs]
    return [_Signal(times, y, even_step(times)) for times, y in runs]


def _portion(runs):
    """Of every run its first part, so that a window is chosen from not many more than `CHOICE_SAMPLES` samples."""
    share = CHOICE_SAMPLES / sum(len(run.y) for run in runs)
    lengths = [max(math.ceil(share * len(run.y)), min(len(run.y), CHOICE_SAMPLES_OF_RUN)) for run in runs]
    return [_Signal(run.times[:n], run.y[:n], run.step) if n < len(run.y) else run for run, n in zip(runs, lengths)]


def _centres(run, window):
    """Samples with `window` samples around them; on uneven grids not more than can be afforded."""
    half = window // 2
    inside = np.arange(half, len(run.y) - half)
    most = max(UNEVEN_WEIGHTS // window, FEWEST_CENTRES)
    if run.step is not None or len(inside) <= most:
        return inside
    return inside[np.linspace(0, len(inside) - 1, most).astype(int)]


def _centred(run, at, window, degree, order):
    """Stencils centred on the samples `at` (on an even grid one for all) and what they give."""
    half = window // 2
    if run.step is not None:
        weights = _unit_stencil(window, degree, order) / run.step**order
        return weights, np.correlate(run.y[at[0] - half:at[-1] + half + 1], weights[0], "valid")
    weights = fit_at(sliding_window_view(run.times, window)[at - half], run.times[at], degree, (order,))[0][:, 0]
    return weights, np.einsum("iw,iw->i", weights, sliding_window_view(run.y, window)[at - half])


@lru_cache(maxsize=512)
def _unit_stencil(window, degree, order):
    """The centred stencil on a grid of step 1, as one row."""
    nodes = np.arange(window) - float(window // 2)
    return fit_at(nodes[None], np.zeros(1), degree, (order,))[0][:, 0]
