r"""Noise that grows with the value along a run, found and measured without a model.

Sensors that are off by a share of what they show have noise of the variance

.. math:: v(x) = a^2 + s^2 x^2 ,

with s = 0 where it is the same everywhere and a = 0 where it is in proportion to the value.  Local polynomials
(`smoothing`), in a window so short that bias does not count, give a state's values :math:`\hat x_i`, and what they leave
over, divided by the length of its weights, is noise :math:`r_i` of variance :math:`v(\hat x_i)`.  Most likely are the a
and s of least

.. math:: \sum_i \Bigl[ \ln v_i + \min\bigl(r_i^2 / v_i, c^2\bigr) \Bigr] ,

where c keeps jumps of the motion, which are no noise, from deciding.  What s > 0 gains over s = 0 is a chi-square of one
degree of freedom for each state once it is divided by :math:`(\kappa - 1) / 2`, with :math:`\kappa` the mean fourth power of
:math:`r_i / \sqrt{v_i}`: 1 for normal noise, more for noise with heavy tails, which has large values anywhere.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import chdtrc, expit

from ...ground.errors import InvalidOption
from .noise_of_runs import LEAST_OF_A_RUN, LEAST_RELATIVE_NOISE, SEEN_NOISE, UNEQUAL_LEVEL
from .shapes import MeasuredRuns
from .smooth_states import FAITHFUL_WINDOW_SHARE
from .smoothing import RESIDUAL_DEGREE, best_window, clipped_variance, local_stencils, noise_level, smallest_window

RELATIVE = "relative"
"""What `noise` is called where it grows with the value in any case."""
CAPPED_DEVIATIONS = 4.0
"""The c of the module's text: of normal noise six in a hundred thousand lie beyond."""
LEAST_SHARE_LOGIT, MOST_SHARE_LOGIT = -7.0, 14.0
"""Logits between which the share of s^2 x^2 in the mean variance is sought: a thousandth, and all but a millionth."""


@dataclass(frozen=True, eq=False)
class NoiseOfValues:
    """Noise of every value.

    Attributes
    ----------
    sigma : (d,) array
        Root-mean-square of the standard deviations of a state's values.
    relative : tuple of (n, d) arrays
        For each run the standard deviation of every value over `sigma`.
    chance : float
        With which noise that does not grow with the value would look as if it did.
    gain : float
        Twice the gain in log-likelihood over equal noise, less what one more number for each state costs.
    gain_of_runs : float
        The same of one level for each run.
    """

    sigma: np.ndarray
    relative: tuple[np.ndarray, ...]
    chance: float
    gain: float
    gain_of_runs: float

    @property
    def is_seen(self) -> bool:
        """Whether it grows with the value, beyond chance, and more likely than it differs from run to run."""
        return self.chance < UNEQUAL_LEVEL and self.gain > self.gain_of_runs


def noise_of_values(trajectories: MeasuredRuns) -> NoiseOfValues:
    """How noise grows with the value of each state.

    Examples
    --------
    >>> from symknot.sysid.runs.trajectories import Trajectories
    >>> t, rng = np.linspace(0, 9, 400), np.random.default_rng(0)
    >>> x, e = 2 + 1.9 * np.cos(t)[:, None], rng.normal(size=(400, 1))
    >>> [noise_of_values(Trajectories([x + noise], time=t)).is_seen for noise in (0.1 * e, 0.05 * x * e)]
    [False, True]
    """
    runs, d = trajectories.runs, len(trajectories.names)
    sigma, relative = np.zeros(d), [np.ones((len(run), d)) for run in runs]
    statistic, gain, gain_of_runs, states = 0.0, 0.0, 0.0, 0
    for j in range(d):
        parts = _residuals(trajectories, j)
        sigma[j] = parts.level
        if parts.is_seen:
            growing = _most_likely(parts)
            sigma[j], states = growing.sigma, states + 1
            statistic += growing.gain / growing.tails
            gain += growing.gain / growing.tails - math.log(len(parts.left))
            gain_of_runs += (_gain_of_runs(parts) / growing.tails
                             - (parts.runs - 1) * math.log(len(parts.left)))
            for run, own, (times, smooth) in zip(runs, relative, parts.smooth):
                if len(times):
                    own[:, j] = growing.relative(np.interp(run.times, times, smooth))
    return NoiseOfValues(sigma, tuple(relative), float(chdtrc(states, statistic)) if states else 1.0, gain, gain_of_runs)


@dataclass(frozen=True, eq=False)
class _Residuals:
    """Of one state: noise by neighbours, what is left over of each value, its run and its smoothed value."""

    level: float
    left: np.ndarray
    values: np.ndarray
    run: np.ndarray
    smooth: list
    spread: float

    @property
    def runs(self):
        return len(np.unique(self.run))

    @property
    def is_seen(self):
        return len(self.left) >= LEAST_OF_A_RUN and self.level > SEEN_NOISE * self.spread > 0


def _residuals(trajectories, j):
    series = [(run.times[seen], run.states[seen, j]) for run in trajectories.runs for seen in [~np.isnan(run.states[:, j])]]
    level = noise_level(series)
    best = best_window(series, level, RESIDUAL_DEGREE, order=0).window if level else 0
    window = max(2 * int(FAITHFUL_WINDOW_SHARE * best / 2) + 1, smallest_window(RESIDUAL_DEGREE))
    groups = list(dict.fromkeys(run.group for run in trajectories.runs))
    left, values, of_run, smooth = [np.zeros(0)], [np.zeros(0)], [np.zeros(0, dtype=int)], []
    for run, (times, y) in zip(trajectories.runs, series):
        if len(y) < window:
            smooth.append((times, y))
            continue
        stencils, half = local_stencils(times, window, RESIDUAL_DEGREE, (0,)), window // 2
        fitted = stencils.apply(y)[:, 0]
        inside = np.arange(half, len(y) - half)
        own = stencils.table[stencils.which[inside], 0][np.arange(len(inside)), inside - stencils.start[inside]]
        size = np.sqrt(np.maximum(1 - 2 * own + stencils.gram[inside, 0, 0], np.finfo(float).eps))
        left.append((y - fitted)[inside] / size)
        values.append(fitted[inside])
        of_run.append(np.full(len(inside), groups.index(run.group)))
        smooth.append((times, fitted))
    together = np.concatenate([y for _, y in series])
    return _Residuals(level, *map(np.concatenate, (left, values, of_run)), smooth, float(np.std(together)))


@dataclass(frozen=True, eq=False)
class _Growing:
    """v(x) = variance ((1 - share) + share x^2 / square), and what it gains over share = 0."""

    variance: float
    share: float
    square: float
    gain: float
    tails: float

    @property
    def sigma(self):
        return math.sqrt(self.variance)

    def relative(self, values):
        """Standard deviations at values, over that of mean variance."""
        return np.maximum(np.sqrt(1 - self.share + self.share * values**2 / self.square), LEAST_RELATIVE_NOISE)


def _most_likely(parts):
    square = float(np.mean(parts.values**2))
    shape = parts.values**2 / square if square > 0 else np.ones(len(parts.values))

    def fitted(share):
        relative = np.maximum(1 - share + share * shape, LEAST_RELATIVE_NOISE**2)
        variance = clipped_variance(parts.left / np.sqrt(relative))
        return variance, _cost(parts.left, variance * relative), relative

    found = minimize_scalar(lambda logit: fitted(expit(logit))[1], method="bounded",
                            bounds=(LEAST_SHARE_LOGIT, MOST_SHARE_LOGIT))
    share = float(expit(found.x))
    _, equal, _ = fitted(0.0)
    variance, cost, relative = fitted(share)
    fourth = np.minimum(parts.left**2 / (variance * relative), CAPPED_DEVIATIONS**2)
    return _Growing(variance, share, square or 1.0, max(equal - cost, 0.0), max((float(np.mean(fourth**2)) - 1) / 2, 1.0))


def _gain_of_runs(parts):
    equal = _cost(parts.left, clipped_variance(parts.left))
    return equal - sum(_cost(own, clipped_variance(own)) for r in np.unique(parts.run) for own in [parts.left[parts.run == r]])


def _cost(left, variance):
    """Minus twice the log-likelihood, up to a constant."""
    floor = np.finfo(float).tiny
    variance = np.maximum(variance, floor)
    return float(np.sum(np.log(variance) * np.ones(len(left)) + np.minimum(left**2 / variance, CAPPED_DEVIATIONS**2)))


def checked_word(noise: str) -> str:
    """A word for the noise of a flow."""
    words = "estimate", "each run", RELATIVE
    if noise not in words:
        raise InvalidOption("noise", noise, f"{', '.join(map(repr, words))}, a number, or one for each state")
    return noise
