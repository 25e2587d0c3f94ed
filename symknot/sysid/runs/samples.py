r"""Points of a flow or a map, made from runs, each with the covariance of its noise.

Flow: the states and their derivatives from local polynomial fits (`stencils`).  White measurement noise of standard
deviation sigma_j in state j gives the smoothed (x_j, x_j', ...) at a sample the covariance ``sigma_j^2 G``, with G the
gram matrix of that sample's stencils; different states have independent noise.  It is larger near the ends of a run.

Map: a state, perhaps earlier ones, and its successor, as measured.  Static: outputs that depend on inputs alone.

Noise of *neighbouring* points is not independent: the windows of a flow overlap, and a map's successor is the next
point's state.  The bias of the smoothing is not part of the covariance: in the window of least error it makes mean
squares one to three times as large as the covariance says, and in three quarters of it (``window="unbiased"``) hardly
larger, at the price of more noise.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...ground.checks import whole_number
from ...ground.errors import InvalidOption, InvalidPoints, MissingExtra
from ...ground.wording import visible
from .bridging import smoothed_at
from .noise_levels import levels_of_noise, one_level, series_of
from .noise_of_runs import of_points
from .rates import improved, measured_rates, noise_of_both
from .shapes import MeasuredRuns
from .sizes import check_rates, check_states
from .smoothing import best_window, smallest_window
from .stencils import even_step, local_stencils

SAVITZKY_GOLAY = "savitzky-golay"
PROBES = 24
"""Copies of the data with more noise, from which the noise gain of a method without stencils is measured: to a seventh,
1 / sqrt(2 * 24), at every point."""
PROBE_SHARE = 1e-6
"""Noise of those copies where the data have none, as a share of a state's standard deviation: linear, and no
rounding."""
FEWEST_SAMPLES = 5
"""Samples of a run that methods without a window need: splines of degree 3 have a degree of freedom left."""
UNBIASED_WINDOW_SHARE = 0.75
"""Share of the best window in which bias hardly adds to the noise: squared, it falls with the eighth power of the
length at least (local polynomials of degree 3), to a tenth."""
USABLE_SAMPLES_SHARE = 0.9
"""A window chosen automatically leaves runs with at least this share of the samples usable."""


@dataclass(frozen=True, eq=False)
class Samples:
    """Points of a flow, a map or a static response.  See the module's docstring for what their covariance means.

    Attributes
    ----------
    kind : str
        Short name of the kind of dynamics, such as "flow", "map" or "static".
    trajectories : Trajectories
    names : tuple of str
        Columns of `points`: states (derivatives and lags included), inputs, targets.
    states, inputs, targets : int arrays
        Numbers of those columns.
    points : (n, D) array
    covariance : (n, D, D) array
        Of the noise of each point; zero for inputs, which are taken as they were measured.
    sigma : (d,) array or None
        Standard deviation of the noise of each measured variable.
    run, row : (n,) int arrays
        The run a point comes from, and its row there.
    windows, degrees : tuple of int
        Of the local polynomials, for each measured variable; empty for maps and other methods.
    dropped : int
        Runs, or pieces of runs with gaps, too short to be used.
    ahead : int
        Of a map, how many samples later the targets are.
    rate_sigma : (d,) array or None
        Standard deviation of the noise of measured derivatives; NaN for states without any.
    relative_noise : (runs, d) array or None
        Standard deviation of each run's noise over `sigma`, where every run has its own.
    value_noise : tuple of (n, d) arrays, or None
        For each run the standard deviation of every value's noise over `sigma`, where noise grows with the value.
    """

    kind: str
    trajectories: MeasuredRuns
    names: tuple[str, ...]
    states: np.ndarray
    inputs: np.ndarray
    targets: np.ndarray
    points: np.ndarray
    covariance: np.ndarray
    sigma: np.ndarray | None
    run: np.ndarray
    row: np.ndarray
    windows: tuple[int, ...] = ()
    degrees: tuple[int, ...] = ()
    dropped: int = 0
    ahead: int = 1
    rate_sigma: np.ndarray | None = None
    relative_noise: np.ndarray | None = None
    value_noise: tuple[np.ndarray, ...] | None = None

    def __len__(self):
        return len(self.points)

    def __repr__(self):
        windows = f" (windows {', '.join(map(str, self.windows))})" if self.windows else ""
        return f"Samples: {len(self)} points of {visible(', '.join(self.names))}{windows}"

    @property
    def times(self) -> np.ndarray:
        """Time of each point."""
        offsets = np.cumsum([0, *(len(run) for run in self.trajectories)])
        return np.concatenate([run.times for run in self.trajectories])[offsets[self.run] + self.row]

    @property
    def centred(self) -> np.ndarray:
        """Whether each point lies in the middle of its windows; near a run's end bias and noise are larger."""
        half = max(self.windows, default=1) // 2
        lengths = np.array([len(run) for run in self.trajectories])
        return (self.row >= half) & (self.row < lengths[self.run] - half)


def flow_samples(trajectories: MeasuredRuns, order: int, window: int | str | None, degree: int | None,
                 noise: str | float | Sequence[float], method: str, method_options: dict[str, Any] | None) -> Samples:
    """See `Trajectories.with_derivatives`."""
    if order not in (1, 2) or isinstance(order, bool):
        raise InvalidOption("order", order, "1 or 2")
    check_states(trajectories)
    check_rates(trajectories, trajectories.names, order)
    noise, of_rates = noise_of_both(trajectories, noise)
    sigma, of_runs, of_values = levels_of_noise(trajectories, noise)
    if method == SAVITZKY_GOLAY:
        if method_options:
            raise InvalidOption("method_options", method_options, f"None for {SAVITZKY_GOLAY}; use window and degree")
        samples = _smoothed(trajectories, order, window, degree, sigma)
    elif window is not None or degree is not None:
        raise InvalidOption("window and degree", (window, degree), f"None for method {method!r}; use method_options")
    else:
        samples = _by_other_method(trajectories, order, method, method_options or {}, sigma)
    if of_runs is not None:
        samples = replace(samples, covariance=samples.covariance * of_points(samples, of_runs[samples.run]),
                          relative_noise=of_runs)
    if of_values is not None:
        at_points = np.concatenate([of_values[number] for number in np.unique(samples.run)])
        samples = replace(samples, covariance=samples.covariance * of_points(samples, at_points), value_noise=of_values)
    if of_rates is None:
        return samples
    d = len(trajectories.names)
    columns = samples.targets if order == 1 else samples.states[d:]
    measured = measured_rates(trajectories, samples.run, samples.row)
    points, covariance = improved(samples.points, samples.covariance, measured, columns, of_rates**2)
    return replace(samples, points=points, covariance=covariance, rate_sigma=of_rates)


def _smoothed(trajectories, order, window, degree, sigma):
    if degree is not None:
        degree = whole_number("degree", degree, order)
    if isinstance(window, str) and window != "unbiased":
        raise InvalidOption("window", window, "an odd number, None, or 'unbiased'")
    if window is not None and window != "unbiased":
        least = (degree or order + 2) + 1
        if whole_number("window", window, 3) % 2 == 0 or window < least:
            raise InvalidOption("window", window, f"an odd number >= {least + (least + 1) % 2}, "
                                "more than the degree of the polynomials")
    choices = [_chosen(trajectories, j, sigma[j], window, degree, order) for j in range(len(sigma))]
    kept = _long_enough(trajectories, [w for w, _ in choices], "the window")
    d = len(sigma)
    columns = np.array([[k * d + j for k in range(order)] + [order * d + len(trajectories.input_names) + j]
                        for j in range(d)])
    points, covariances = [], []
    for number in kept:
        run = trajectories.runs[number]
        block, covariance = _empty(run, d, order)
        complete = {choice for choice, column in zip(choices, run.states.T) if not np.isnan(column).any()}
        known = {choice: local_stencils(run.times, *choice, range(order + 1)) for choice in complete}
        for j, choice in enumerate(choices):
            seen = ~np.isnan(run.states[:, j])
            if seen.all():
                block[:, columns[j]], gram = known[choice].apply(run.states[:, j]), known[choice].gram
            else:
                block[:, columns[j]], gram = smoothed_at(run.times[seen], run.states[seen, j], run.times, *choice,
                                                         range(order + 1))
            covariance[:, columns[j][:, None], columns[j]] = sigma[j] ** 2 * gram
        points.append(block)
        covariances.append(covariance)
    return _flow(trajectories, order, kept, points, covariances, sigma,
                 tuple(w for w, _ in choices), tuple(p for _, p in choices))


def _chosen(trajectories, j, sigma, window, degree, order):
    if window is not None and window != "unbiased":
        return int(window), order + 2 if degree is None else degree
    series = series_of(trajectories, j)
    lengths = np.sort([len(y) for _, y in series])[::-1]
    enough = np.searchsorted(np.cumsum(lengths), USABLE_SAMPLES_SHARE * lengths.sum())
    choice = best_window(series, sigma, degree, order, longest=int(lengths[enough]))
    if window == "unbiased":
        shorter = 2 * int(UNBIASED_WINDOW_SHARE * choice.window / 2) + 1
        return max(shorter, smallest_window(choice.degree)), choice.degree
    return choice.window, choice.degree


def _empty(run, d, order):
    width = (order + 1) * d + run.inputs.shape[1]
    block = np.zeros((len(run), width))
    block[:, order * d:order * d + run.inputs.shape[1]] = run.inputs
    return block, np.zeros((len(run), width, width))


def flow_columns(names: Sequence[str], order: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of the states, with derivatives below `order`, and of the derivatives of that order.

    Examples
    --------
    >>> flow_columns(["x", "y"], 2)
    (('x', 'y', "x'", "y'"), ("x''", "y''"))
    """
    return (tuple(name + "'" * k for k in range(order) for name in names),
            tuple(name + "'" * order for name in names))


def map_columns(names: Sequence[str], lags: int, ahead: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of the states, with `lags` earlier ones, and of those so many steps ahead.

    Examples
    --------
    >>> map_columns(["x"], 1, 2)
    (('x', 'x_lag1'), ('x_next2',))
    """
    successor = "_next" if ahead == 1 else f"_next{ahead}"
    return (tuple(name + (f"_lag{lag}" if lag else "") for lag in range(lags + 1) for name in names),
            tuple(name + successor for name in names))


def _flow(trajectories, order, kept, points, covariances, sigma, windows, degrees):
    d, q = len(trajectories.names), len(trajectories.input_names)
    states, targets = flow_columns(trajectories.names, order)
    columns = [*states, *trajectories.input_names, *targets]
    return Samples(
        "flow", trajectories, _distinct(columns), np.arange(order * d), order * d + np.arange(q),
        order * d + q + np.arange(d), np.concatenate(points), np.concatenate(covariances), sigma,
        np.repeat(kept, [len(block) for block in points]), np.concatenate([np.arange(len(b)) for b in points]),
        windows, degrees, trajectories.dropped + len(trajectories) - len(kept))


def _by_other_method(trajectories, order, method, options, sigma):
    derive = _derivative_package(method, options)
    d = len(sigma)
    kept = _long_enough(trajectories, FEWEST_SAMPLES, f"method {method!r}")
    rng = np.random.default_rng(0)
    columns = np.array([[k * d + j for k in range(order)] + [order * d + len(trajectories.input_names) + j]
                        for j in range(d)])
    points, covariances = [], []
    for number in kept:
        run = trajectories.runs[number]
        block, covariance = _empty(run, d, order)
        for j in range(d):
            y = run.states[:, j]
            here = derive(run.times, y, order)
            # without noise the method is probed with very little of it, and the covariance is zero all the same
            probe = sigma[j] or PROBE_SHARE * float(np.std(y)) or 1.0
            moved = np.array([derive(run.times, y + probe * rng.normal(size=len(y)), order) - here
                              for _ in range(PROBES)])
            block[:, columns[j]] = here
            spread = np.einsum("riq,rip->iqp", moved, moved) / PROBES * (sigma[j] / probe) ** 2
            covariance[:, columns[j][:, None], columns[j]] = spread
        if not np.isfinite(block).all():
            raise InvalidPoints(f"run {run.label!r}: method {method!r} gave values that are not finite; change "
                                "method_options or use savitzky-golay")
        points.append(block)
        covariances.append(covariance)
    return _flow(trajectories, order, kept, points, covariances, sigma, (), ())


def _derivative_package(method, options):
    """A function of (times, y, order): (n, order + 1) array of values and derivatives."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import derivative
    except ImportError:
        raise MissingExtra("derivative", "derivative") from None
    if not isinstance(method, str) or method not in derivative.methods:
        raise InvalidOption("method", method, f"{SAVITZKY_GOLAY} or one of {', '.join(sorted(derivative.methods))}")

    def derive(times, y, order):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                columns = [derivative.smooth_x(y, times, kind=method, axis=0, **options)]
                for _ in range(order):
                    source = y if len(columns) == 1 else columns[-1]
                    columns.append(derivative.dxdt(source, times, kind=method, axis=0, **options))
        except NotImplementedError:
            raise InvalidOption("method", method, "a method that also smooths") from None
        except (TypeError, ValueError, KeyError) as error:
            raise InvalidOption("method_options", options, f"options {method!r} accepts ({error})") from error
        return np.stack(columns, axis=1)

    return derive


def map_samples(trajectories: MeasuredRuns, k: int, lags: int, noise: float | Sequence[float] | None) -> Samples:
    """See `Trajectories.with_shift`."""
    k, lags = whole_number("k", k, 1), whole_number("lags", lags, 0)
    check_states(trajectories)
    for run in trajectories:
        _check_even(run, trajectories.time_name)
    if isinstance(noise, str):
        raise InvalidOption("noise", noise, "None or numbers: the noise of a map cannot be read from the data")
    sigma = None if noise is None else one_level(trajectories, noise)
    kept = _long_enough(trajectories, k + lags + 1, f"a shift of {k} with {lags} lags")
    blocks, rows = [], []
    for number in kept:
        run = trajectories.runs[number]
        now = np.arange(lags, len(run) - k)
        blocks.append(np.concatenate([*(run.states[now - lag] for lag in range(lags + 1)), run.inputs[now],
                                      run.states[now + k]], axis=1))
        rows.append(now)
    d, q = len(trajectories.names), len(trajectories.input_names)
    states, targets = map_columns(trajectories.names, lags, k)
    columns = [*states, *trajectories.input_names, *targets]
    size = sigma if sigma is not None else np.concatenate([run.states for run in trajectories]).std(axis=0)
    variances = np.concatenate([np.tile(size, lags + 1), np.zeros(q), size]) ** 2
    points = np.concatenate(blocks)
    first = (lags + 1) * d
    return Samples(
        "map", trajectories, _distinct(columns), np.arange(first), first + np.arange(q), first + q + np.arange(d),
        points, np.tile(np.diag(variances), (len(points), 1, 1)), sigma, np.repeat(kept, [len(r) for r in rows]),
        np.concatenate(rows), dropped=trajectories.dropped + len(trajectories) - len(kept), ahead=k)


def static_samples(trajectories: MeasuredRuns, noise: float | Sequence[float] | None) -> Samples:
    """See `Trajectories.as_responses`."""
    if not trajectories.input_names:
        raise InvalidOption("inputs", trajectories.input_names, "named: without motion, outputs depend on inputs alone")
    check_states(trajectories)
    if isinstance(noise, str):
        raise InvalidOption("noise", noise, "None or numbers: rows without an order do not show their noise")
    sigma = None if noise is None else one_level(trajectories, noise)
    d, q = len(trajectories.names), len(trajectories.input_names)
    points = np.concatenate([np.hstack([run.inputs, run.states]) for run in trajectories])
    size = sigma if sigma is not None else np.concatenate([run.states for run in trajectories]).std(axis=0)
    variances = np.concatenate([np.zeros(q), size]) ** 2
    return Samples(
        "static", trajectories, _distinct([*trajectories.input_names, *trajectories.names]), np.arange(0),
        np.arange(q), q + np.arange(d), points, np.tile(np.diag(variances), (len(points), 1, 1)), sigma,
        np.repeat(np.arange(len(trajectories)), [len(run) for run in trajectories]),
        np.concatenate([np.arange(len(run)) for run in trajectories]), dropped=trajectories.dropped)


def _check_even(run, time_name):
    if len(run) > 2 and even_step(run.times) is None:
        steps = np.diff(run.times)
        i = int(np.argmax(np.abs(steps - np.median(steps))))
        raise InvalidPoints(f"run {run.label!r}: the steps of a map must be equal, but {run.times[i + 1]:.10g} follows "
                            f"{run.times[i]:.10g} where the usual step is {np.median(steps):.6g}; fill in the missing "
                            "rows with empty cells", column=time_name)


def _long_enough(trajectories, least, what):
    """Runs with so many samples; or with so many of each variable."""
    counts = np.array([np.sum(~np.isnan(run.states), axis=0) for run in trajectories])
    kept = np.flatnonzero((counts >= least).all(axis=1))
    if not len(kept):
        raise InvalidPoints(f"{what} needs {np.max(least)} consecutive samples, but the longest run without a gap has "
                            f"{counts.max()}")
    return kept


def _distinct(columns):
    twice = [name for name in columns if columns.count(name) > 1]
    if twice:
        raise InvalidOption("names", columns, f"different from each other, but {twice[0]!r} is made twice")
    return tuple(columns)
