r"""Measured runs of one system: times, states and inputs, from tables or arrays, checked once.

A run is a sequence of samples of the same variables at increasing times.  Missing values cut a run in pieces, since a step
may not reach across a gap; differential equations lead across, and their samples keep what was measured (`bridging`).  From
runs come the points a fit works on (`samples`):
states with their derivatives (`Trajectories.with_derivatives`), or with their successors (`Trajectories.with_shift`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...ground.errors import InvalidOption, InvalidPoints
from ...ground.wording import visible
from ...reading.names import checked_names
from ...reading.sources import has_columns, is_path, say
from ...reading.tables import Table
from .bridging import bridged, has_gaps
from .reading import TIME, Run, from_arrays, from_table, is_left_out, some_of, with_gaps, without_gaps
from .samples import SAVITZKY_GOLAY, Samples, flow_samples, map_samples, static_samples
from .sizes import check_rates, check_sizes
from .spikes import Spike, spikes

__all__ = ["Run", "Trajectories", "runs_of"]

LEAST_SAMPLES = 2
"""Samples of a piece of a run below which it has neither a derivative nor a successor."""
NO_RUN = f"no run has {LEAST_SAMPLES} consecutive samples without a missing value"


class Trajectories:
    """Measured runs of one system.

    Parameters
    ----------
    data : path of a data file, DataFrame or other table, array, list of arrays, or dict of arrays
        A table has a column for each variable; text, dates, row numbers and constants are left out of a file, as
        `symknot.read` says.  An array has shape (samples, variables), or (samples,) for one
        variable; a list or dict (label -> array) holds several runs, of any lengths.  NaN and empty cells are
        missing values: they cut a run in pieces, but for derivatives, where short gaps are bridged, so that variables
        may be sampled at different times.
    time : str, float, array, list of arrays, or None
        Of a table the name of the column of times, numbers or dates; of arrays the times (for several runs one array
        that holds for all, or a list or dict of them).  A number is the step between samples.
        None takes a column called t, time or date, if there is one, else counts steps 0, 1, 2, ....
    group : str, optional
        Of a table the name of the column that tells the runs apart; labels need not be numbers, and the rows of
        different runs may alternate.  None takes a column of labels called run or group, if there is one.
    inputs : sequence of str, array, or list of arrays
        Controls: of a table names of columns; of arrays one (samples, inputs) for each run, named u or u1, u2, ....
    names : sequence of str, optional
        Names of the states; default the columns', else x, y, z or x1, x2, ....
    input_names : sequence of str, optional
        Of the inputs of arrays, instead of u or u1, u2, ....
    derivatives : dict, array, or list or dict of arrays, optional
        Measured derivatives of the states by time.  Of a table the columns by the names of their states, ``{"x": "speed"}``;
        of arrays one of the same shape for each run.  NaN and empty cells are values that were not measured.

    Attributes
    ----------
    runs : tuple of Run
        Without gaps.
    whole : tuple of Run
        Missing states are NaN.
    names, input_names : tuple of str
    time_name : str
    dropped : int
        Pieces of runs left out because they had a single sample.
    notes : tuple of str
        What was found out about a table, and left out of it.

    Examples
    --------
    >>> t = np.linspace(0, 6, 200)
    >>> runs = Trajectories([np.c_[np.cos(t), -np.sin(t)], np.c_[np.sin(t), np.cos(t)]], time=t[1])
    >>> runs
    Trajectories: 2 runs, 400 samples of x, y
    >>> runs.with_derivatives()
    Samples: 400 points of x, y, x', y' (windows 7, 7)
    """

    whole: tuple[Run, ...]
    names: tuple[str, ...]
    input_names: tuple[str, ...]
    time_name: str
    dropped: int
    notes: tuple[str, ...]

    def __init__(self, data: Any, time: Any = None, *, group: str | None = None, inputs: Any = (),
                 names: Iterable[object] | None = None, input_names: Iterable[object] | None = None,
                 derivatives: Any = None) -> None:
        found: Sequence[str] | None
        if has_columns(data):
            table = from_table(data, time, group, inputs, derivatives)
            pieces, found, self.input_names, self.time_name = table.pieces, table.states, table.inputs, table.time
            self.notes, timed = table.notes, table.timed
        else:
            if group is not None:
                raise InvalidOption("group", group, "None for arrays: pass a list or dict of arrays, one for each run")
            pieces, self.input_names = from_arrays(data, time, inputs, derivatives)
            if input_names is not None:
                self.input_names = checked_names(input_names, None, len(self.input_names))
            found, self.time_name, self.notes, timed = None, TIME, (), False
        self.names = checked_names(names, found, pieces[0].states.shape[1])
        taken = (self.time_name,) if timed else ()
        for name in (*self.input_names, *taken):
            if name in self.names:
                raise InvalidOption("names", list(self.names), f"different from the other columns, such as {name!r}")
        both = self.names + self.input_names
        cut = [part for piece in pieces for part in without_gaps(piece, both)]
        self._runs = tuple(run for run in cut if len(run) >= LEAST_SAMPLES)
        self.dropped = len(cut) - len(self._runs)
        self.whole = tuple(run for piece in pieces for run in with_gaps(piece, both) if len(run) >= LEAST_SAMPLES)
        self._original = self
        if not any((np.sum(~np.isnan(run.states), axis=0) >= LEAST_SAMPLES).all() for run in self.whole):
            raise InvalidPoints(NO_RUN)

    @classmethod
    def _of(cls, runs: Iterable[Run], whole: Iterable[Run], other: Trajectories,
            original: Trajectories | None = None) -> Trajectories:
        new = cls.__new__(cls)
        new._runs, new.whole, new.dropped, new.notes = tuple(runs), tuple(whole), 0, other.notes
        new.names, new.input_names, new.time_name = other.names, other.input_names, other.time_name
        new._original = new if original is None else original
        return new

    @property
    def runs(self) -> tuple[Run, ...]:
        """Without gaps, except in those of `Samples`, where missing values are NaN."""
        if not self._runs:
            raise InvalidPoints(f"{NO_RUN}; only differential equations lead across gaps")
        return self._runs

    @property
    def without_gaps(self) -> Trajectories:
        """These, or those that runs with bridged gaps were made from."""
        return self._original

    def __len__(self) -> int:
        return len(self.runs)

    def __iter__(self) -> Iterator[Run]:
        return iter(self.runs)

    def __repr__(self) -> str:
        runs = self._runs or self.whole
        gaps = "" if self._runs else " with gaps"
        count = f"{len(runs)} run{'s' if len(runs) != 1 else ''}{gaps}, {sum(map(len, runs))} samples"
        given = f", input{'s' if len(self.input_names) > 1 else ''} {', '.join(self.input_names)}"
        return visible(f"Trajectories: {count} of {', '.join(self.names)}{given if self.input_names else ''}")

    @property
    def labels(self) -> tuple[Any, ...]:
        """Labels of the runs."""
        return tuple(run.label for run in self.runs)

    def select(self, labels: Any) -> Trajectories:
        """The runs with these labels (all pieces of a run with gaps, by its group's label), to fit or hold out.

        Examples
        --------
        >>> runs = Trajectories({"a": np.arange(5.0), "b": np.arange(9.0)})
        >>> runs.select(["b"])
        Trajectories: 1 run, 9 samples of x
        """
        if isinstance(labels, str) or not hasattr(labels, "__iter__"):
            labels = [labels]
        wanted = [str(label) for label in labels]
        known = {str(label) for run in (*self._runs, *self.whole) for label in (run.label, run.group)}
        for label in wanted:
            if label not in known:
                raise InvalidOption("labels", label, f"labels of runs, which are {some_of(self.labels)}")
        kept, whole = ([run for run in some if str(run.label) in wanted or str(run.group) in wanted]
                       for some in (self._runs, self.whole))
        if not kept and not whole:
            raise InvalidOption("labels", labels, f"at least one of {some_of(self.labels)}")
        return Trajectories._of(kept, whole, self)

    def without_spikes(self) -> tuple[Trajectories, tuple[Spike, ...]]:
        """These without single values that are far from what their neighbours tell, and which these are (`spikes`).

        For derivatives such values are missing; elsewhere others are in their places.

        Examples
        --------
        >>> x = np.sin(np.linspace(0, 10, 200))
        >>> x[50] += 3
        >>> [(one.run, one.time, round(one.value, 2)) for one in Trajectories(x, time=0.05).without_spikes()[1]]
        [('0', 2.5, 3.59)]
        """
        whole, filled, left_out = [], [], []
        for run in self.whole:
            states, others = run.states.copy(), run.states.copy()
            for j, name in enumerate(self.names):
                seen = np.flatnonzero(~np.isnan(states[:, j]))
                found, without = spikes(run.times[seen], states[seen, j])
                left_out += [Spike(str(run.group), float(run.times[row]), name, float(states[row, j])) for row in seen[found]]
                states[seen[found], j], others[seen, j] = np.nan, without
            whole.append(replace(run, states=states))
            filled.append(others)
        if not left_out:
            return self, ()
        runs = [_in_places(run, self.whole, filled) for run in self._runs]
        return Trajectories._of(runs, whole, self), tuple(left_out)

    def with_derivatives(self, order: int = 1, *, window: int | str | None = None, degree: int | None = None,
                         noise: str | float | Sequence[float] = "estimate", method: str = "savitzky-golay",
                         method_options: dict[str, Any] | None = None) -> Samples:
        """Smoothed states together with their derivatives, as points, and the covariance of each point's noise.

        Parameters
        ----------
        order : {1, 2}
            1: columns x and x'.  2: columns x, x' and x''.
        window : int or "unbiased", optional
            Odd number of samples of the local polynomials; default for each state the one with the smallest
            estimated error of the derivative.  "unbiased" takes three quarters of it: more noise, but nearly
            all of the error is then what the covariance says.
        degree : int, optional
            Of the local polynomials.
        noise : "estimate", float, or sequence of float
            Standard deviation of the measurement noise, one for all states or one each; by default estimated.
        method : str
            "savitzky-golay", or a method of the package ``derivative``: "spline", "trend_filtered", "kalman",
            "spectral", "finite_difference".  Their noise gain is measured, by adding noise to the data.
        method_options : dict, optional
            Options of such a method.

        Returns
        -------
        Samples
        """
        runs = self
        if has_gaps(self.whole) and method == SAVITZKY_GOLAY and order in (1, 2):
            check_sizes(self.whole, self.names)
            check_rates(self.whole, self.names, order)
            parts = bridged(self.whole, order)
            if not parts:
                raise InvalidPoints(f"no part of a run has values of all of {some_of(self.names)} near each other")
            runs = Trajectories._of(parts, parts, self, self)
        return flow_samples(runs, order, window, degree, noise, method, method_options)

    def with_shift(self, k: int = 1, *, lags: int = 0, noise: float | Sequence[float] | None = None) -> Samples:
        """States together with the states k samples later, as points: for maps and recurrences.

        Parameters
        ----------
        k : int
            Columns x (now) and x_next (k = 1) or x_next2, x_next3, ....
        lags : int
            Also the states 1, ..., `lags` samples before: x_lag1, x_lag2, ....
        noise : float or sequence of float, optional
            Standard deviation of the measurement noise.  The values of a map do not follow each other smoothly,
            so it cannot be read from the data; without it `sigma` is None and the covariance is that of noise as
            large as each variable's own standard deviation, right only up to a common factor.

        Returns
        -------
        Samples

        Examples
        --------
        >>> x = [0.3]
        >>> for _ in range(50):
        ...     x.append(3.9 * x[-1] * (1 - x[-1]))
        >>> Trajectories(np.array(x)).with_shift()
        Samples: 50 points of x, x_next
        """
        return map_samples(self, k, lags, noise)

    def as_responses(self, *, noise: float | Sequence[float] | None = None) -> Samples:
        """Outputs (the states) beside the inputs they depend on, row by row, without any order in time.

        Parameters
        ----------
        noise : float or sequence of float, optional
            Standard deviation of the outputs' noise, as in `with_shift`.

        Returns
        -------
        Samples

        Examples
        --------
        >>> dose = np.array([[0.1], [0.2], [0.5], [1.0]])
        >>> Trajectories(np.array([[2.0], [3.3], [5.0], [6.7]]), inputs=dose).as_responses()
        Samples: 4 points of u, x
        """
        return static_samples(self, noise)


def _in_places(run, whole, states):
    """A run without gaps with the states, where they are known, of those that it is a part of."""
    for other, values in zip(whole, states):
        rows = np.searchsorted(other.times, run.times)
        if other.group == run.group and rows[-1] < len(other) and np.array_equal(other.times[rows], run.times):
            return replace(run, states=np.where(np.isnan(values[rows]), run.states, values[rows]))
    return run


def runs_of(data: Any, time: Any = None, group: str | None = None, inputs: Any = (), derivatives: Any = None) -> Trajectories:
    """The runs in `data`, whatever they come in: the door of `identify`, `conserved` and `Model.score`.

    Parameters
    ----------
    data : Trajectories, or what they are made of
        An array, a list or dict of arrays, a DataFrame or the path of a data file.
    time, group, inputs, derivatives
        As in `Trajectories`, for data that are none yet.

    Examples
    --------
    >>> runs_of([np.arange(5.0), np.arange(9.0)], time=0.1)
    Trajectories: 2 runs, 14 samples of x
    """
    if isinstance(data, Samples):
        raise InvalidOption("data", "Samples", "the Trajectories that they were made from: samples.trajectories")
    if not isinstance(data, Trajectories):
        runs = Trajectories(data, time, group=group, inputs=inputs, derivatives=derivatives)
        if not isinstance(data, Table):                       # who has read a table has its notes
            say(str(data) if is_path(data) else None, runs.notes)
        return runs
    _check_left_out("Trajectories", time, group, inputs, derivatives)
    return data.without_gaps


def runs_or_samples_of(data: Any, time: Any = None, group: str | None = None,
                       inputs: Any = (), derivatives: Any = None) -> Trajectories | Samples:
    """The same, but `Samples` stay what they are."""
    if not isinstance(data, Samples):
        return runs_of(data, time, group, inputs, derivatives)
    _check_left_out("Samples", time, group, inputs, derivatives)
    return data


def _check_left_out(kind: str, time: Any, group: Any, inputs: Any, derivatives: Any) -> None:
    """Refuse options that say how to read data which have been read already."""
    for option, value in (("time", time), ("group", group), ("inputs", inputs), ("derivatives", derivatives)):
        if not is_left_out(value):
            shown = value if isinstance(value, (str, float, int)) else type(value).__name__
            raise InvalidOption(option, shown, f"left out with {kind}, which bring their own")
