"""The doors for points: `fit` and `vca` make an `Ideal` of them, `spectrum` shows what there is to be found."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np

from .._version import __version__
from ..fitting.binomial import BINOMIAL, fit_in_form
from ..fitting.finding import noise_option
from ..fitting.finding import spectrum as spectrum_of_points
from ..fitting.fitted import Fitted
from ..fitting.knotting import Knotting
from ..fitting.loop import run
from ..fitting.normalization import Normalization, normalization_of
from ..fitting.projection import Projection
from ..fitting.reduced import find_reduced
from ..fitting.rivals import find
from ..fitting.settings import DEFAULT_COOLING, DEFAULT_RESETS, TOLERANCE, Settings, checked_options, knotting_of
from ..fitting.spectrum import Spectrum, degree_limit
from ..fitting.streamed import streamed_spectrum, streamed_vca
from ..fitting.streamed_fit import streamed_fit
from ..ground.calls import call_text, noted
from ..ground.checks import positive_number
from ..ground.deadline import Deadline
from ..ground.errors import FitInterrupted, InvalidOption, Status
from ..ground.journal import Journal, digest
from ..ground.progress import Progress, check_progress
from ..polynomials.symbols import own_symbols
from ..reading.clusters import stream_of, summary_asked_for
from ..reading.points import read_points
from ..reading.sources import read_variables
from ..reading.tables import Table
from .checking import SAMPLE_AT_ONCE, sampled
from .fit_checks import unless_wrong
from .ideal import Ideal

Numbers = Sequence[float] | np.ndarray


def fit(points: Any, epsilon: float | str = "auto", *, delta: float | None = None, max_degree: int | None = None,
        normalization: str | Normalization = "gradient", knotting: str | Knotting | None = None,
        noise: str | Numbers | None = "auto", weights: Numbers | None = None, names: Sequence | None = None,
        progress: Progress = None, max_resets: int = DEFAULT_RESETS, cooling: float = DEFAULT_COOLING,
        form: str = "auto", loss: str = "auto", knots: str | os.PathLike | None = None, client: Any = None,
        timeout: float | None = None, checkpoint: str | os.PathLike[str] | None = None) -> Ideal:
    """Find polynomials that nearly vanish on the points, and knots on which they vanish.

    Parameters
    ----------
    points : array, nested list, DataFrame or other table, path of a data file, or points in blocks
        N points in d variables; how files are read, and what is left out of them, is said at `symknot.read`.  In blocks, in
        memory that does not grow with N, are read: large files and memory maps, folders of Parquet files, datasets of
        pyarrow, collections of dask, an iterator of blocks (once), a function that returns one (as often as needed), a
        list of functions that make a block each (see `symknot.reading.streams`).
    epsilon : float or "auto"
        Tolerance on the data: with the default normalization the standard deviation of the noise, in the data's units
        (in units of `noise` if given).  "auto" reads it off a gap in the spectrum, and finds nothing without one.
    delta : float, optional
        Tolerance on the knots, smaller than epsilon; default 1e-9 of the data's spread.
    max_degree : int, optional
        Highest degree; by default the fit decides when to stop.
    normalization : {"gradient", "coefficient", "vca"} or Normalization
        What a polynomial of unit size is; "vca" is the paper's.
    knotting : {"projection", "penalty"} or Knotting, optional
        How knots move; default ``Projection()``.
    noise : {"auto", "equal", "relative"}, sequence of float or (N, d) array
        "auto" estimates the noise of each variable together with the equations, whatever their units; "equal" takes it
        to be the same in all, "relative" to be proportional to each value; or standard deviations, one for each
        variable or each value.  What differs from point to point decides which equations are found; their
        coefficients then weigh all points alike.
    weights : sequence of float, optional
        Weight of each point.
    names : sequence of str or sympy.Symbol, optional
        Names of the variables; symbols are used as they are, with their assumptions.
    progress : None, bool or callable, optional
        Live line on a terminal (None), always (True), never (False), or a function of each step.
    max_resets : int
        How often the loop may start again from degree 1.
    cooling : float
        Factor by which eta is lowered, between 0 and 1.
    loss : {"auto", "squares", "robust"}
        Whether points far from all equations count: "squares" trusts every point, "robust" gives those far away no
        weight, "auto" does so where the residuals ask for it.
    form : {"auto", "polynomial", "binomial"}
        "binomial" looks for power laws on the logarithms of positive data, with noise proportional to the value; "auto"
        takes them by itself where epsilon and noise are left open, a variable spans a decade, and relative noise fits
        far better (see `symknot.fitting.binomial`).  Points in blocks are fitted by polynomials.
    knots : {None, "summary"} or path ending in .npy
        "summary" reads any data in blocks; knots are then those of a random sample, each with the weight of the points it
        stands for, and there is no `assignment`.  A path does the same, and writes the knot of every point to that file.
        By default so it is for points in blocks, and knots of all points are held otherwise.
    client : distributed.Client, optional
        The cluster that reads the blocks; for collections of dask by default the active one.
    timeout : float, optional
        Seconds after which the fit ends with all finished degrees and `Status.OUT_OF_TIME`.  Without it, it does a fixed amount
        of work, about ten seconds for 100,000 points in 10 variables, before it ends likewise, with `Status.WORK_LIMIT` and a
        message that says what is unfinished; more points take longer in proportion.  Where `epsilon` or `max_degree` is given,
        only the search for the size of the noise is limited so.
    checkpoint : path, optional
        File in which finished degrees are kept.  However the process ends, the same call goes on from there, and comes to
        the same result; the search that goes before the degrees is repeated.  Of other data or options, or while
        another process writes to it, the file is refused.  Points in blocks have none.

    Returns
    -------
    Ideal

    Raises
    ------
    InvalidPoints, InvalidOption
        Before anything is computed.
    FitInterrupted
        On Ctrl-C; its `partial` is the `Ideal` of all finished degrees.

    Examples
    --------
    >>> import numpy as np
    >>> t = np.linspace(0, 6.2, 300)
    >>> noise = 0.02 * np.random.default_rng(0).normal(size=(300, 2))
    >>> ideal = fit(np.c_[3 * np.cos(t), np.sin(t)] + noise)
    >>> left = abs(ideal.evaluate(ideal.knots)).max()
    >>> [g.degree for g in ideal.polynomials], bool(abs(ideal.epsilon - 0.02) < 0.03), bool(left < 1e-8)
    ([2], True, True)
    """
    call = call_text(fit, locals())
    strategies = normalization_of(normalization), knotting_of(knotting)
    check_progress(progress)
    numbers, mode = noise_option(noise)
    options = checked_options(strategies[0], epsilon, delta, max_degree, max_resets, cooling, mode, loss)
    said = {"epsilon": epsilon, "noise": noise, "max_degree": max_degree}

    def in_memory(table: Table, weights: Numbers | None) -> Fitted:
        inside = read_points(table, names=names, noise=numbers, weights=weights, rescale=strategies[0].rescale)
        with _journal(checkpoint, inside, strategies, options, form) as journal:
            fitted = fit_in_form(form, table, inside, said, names,
                                 lambda: find_reduced(inside, strategies, options, progress, names, journal))
        return unless_wrong(fitted, _some_of(inside))

    deadline, stream = Deadline(timeout), stream_of(points, summary_asked_for(knots), weights, client)
    if stream is None:
        table = read_variables(points)
        with deadline.ruling("fit"):
            return _unless_interrupted(in_memory(table, weights), call)
    if form == BINOMIAL:
        raise InvalidOption("form", form, "'auto' or 'polynomial' for points in blocks")
    if checkpoint is not None:
        raise InvalidOption("checkpoint", checkpoint, "left out for points in blocks")
    with deadline.ruling("fit"):
        return _unless_interrupted(streamed_fit(stream, strategies, options, numbers, names, progress, in_memory, knots), call)


def vca(points: Any, epsilon: float, *, max_degree: int | None = None, normalization: str | Normalization = "gradient",
        noise: Numbers | None = None, weights: Numbers | None = None, names: Sequence | None = None,
        progress: Progress = None, knots: str | os.PathLike | None = None, client: Any = None,
        timeout: float | None = None) -> Ideal:
    """Vanishing component analysis: the same search with the data themselves as knots.

    Parameters
    ----------
    epsilon : float
        As in `fit`, but always a number.
    points, max_degree, normalization, noise, weights, names, progress, knots, client, timeout
        As in `fit`; all points are knots here, so there are none to be written to a file.  Points in blocks are read once
        with `max_degree`, else twice.

    Returns
    -------
    Ideal

    Examples
    --------
    >>> ideal = vca([[0, 0], [1, 0], [0, 1]], epsilon=1e-8)
    >>> [g.degree for g in ideal.polynomials]
    [2, 2, 2]
    """
    call = call_text(vca, locals())
    kind, deadline = normalization_of(normalization), Deadline(timeout)
    check_progress(progress)
    tolerance, limit = positive_number("epsilon", epsilon), degree_limit(max_degree)

    def settings(unit: float) -> Settings:
        # knots that are the data never move: within one tolerance on both there is nothing to pursue
        return Settings(kind, Projection(), tolerance / unit, tolerance / unit, limit, max_resets=0, cooling=DEFAULT_COOLING)

    stream = stream_of(points, summary_asked_for(knots), weights, client)
    if stream is not None:
        with deadline.ruling("vca"):
            return _unless_interrupted(streamed_vca(stream, settings, noise, names, progress), call)
    inside = read_points(points, names=names, noise=noise, weights=weights, rescale=kind.rescale)
    with deadline.ruling("vca"):
        fitted = run(inside, settings(inside.unit), progress, symbols=own_symbols(names))
    return _unless_interrupted(unless_wrong(fitted, _some_of(inside)), call)


def spectrum(points: Any, max_degree: int | None = None, *, noise: str | Numbers | None = "auto",
             weights: Numbers | None = None, names: Sequence | None = None, client: Any = None) -> Spectrum:
    """Noise-normalised spectrum of the data, degree by degree.

    Parameters
    ----------
    points : as in `fit`
        Points in blocks are read once: the search looks at a sample in any case.
    max_degree : int, optional
        Highest degree to look at; by default as far as the number of points carries.
    noise, weights, names, client
        As in `fit`.

    Returns
    -------
    Spectrum

    Examples
    --------
    >>> import numpy as np
    >>> t = np.linspace(0, 6.2, 200)
    >>> noise = 0.01 * np.random.default_rng(0).normal(size=(200, 2))
    >>> found = spectrum(np.c_[np.cos(t), np.sin(t)] + noise)
    >>> found.gap.degree, found.gap.count, round(found.gap.noise, 2)
    (2, 1, 0.01)
    """
    stream = stream_of(points, False, weights, client)
    if stream is None:
        return spectrum_of_points(points, max_degree, noise=noise, weights=weights, names=names)
    return streamed_spectrum(stream, degree_limit(max_degree), noise_option(noise), names)


def fit_within(points: Any, epsilon: float | str, *, delta: float | None = None, max_degree: int | None = None,
               normalization: str | Normalization = "gradient", knotting: str | Knotting | None = None,
               noise: Numbers | None = None, names: Sequence | None = None, progress: Progress = None,
               max_resets: int = DEFAULT_RESETS, cooling: float = DEFAULT_COOLING) -> Ideal:
    """As `fit`, with epsilon as a mere tolerance, such as cross-validation chooses: nothing is searched or estimated.

    Parameters
    ----------
    points, epsilon, delta, max_degree, normalization, knotting, noise, names, progress, max_resets, cooling
        As in `fit`; with epsilon "auto" it is `fit`.

    Returns
    -------
    Ideal

    Examples
    --------
    >>> ideal = fit_within([[0, 0], [1, 0], [0, 1]], 1e-8)
    >>> [g.degree for g in ideal.polynomials]
    [2, 2, 2]
    """
    if isinstance(epsilon, str):
        return fit(points, epsilon, delta=delta, max_degree=max_degree, normalization=normalization, knotting=knotting,
                   noise=noise, names=names, progress=progress, max_resets=max_resets, cooling=cooling)
    strategies = normalization_of(normalization), knotting_of(knotting)
    check_progress(progress)
    options = checked_options(strategies[0], epsilon, delta, max_degree, max_resets, cooling, TOLERANCE, "squares")
    inside = read_points(points, names=names, noise=noise, rescale=strategies[0].rescale)
    return _unless_interrupted(find(inside, strategies, options, progress, names))


def _journal(checkpoint, inside, strategies, options, form):
    """The file of finished degrees, or None; both are contexts."""
    if checkpoint is None:
        return nullcontext()
    kinds = [(type(one).__module__, type(one).__qualname__, sorted(vars(one).items())) for one in strategies]
    points = inside.values, inside.weights, inside.row_of, inside.center, inside.scale, inside.pattern
    return Journal(checkpoint, digest([*points, inside.names, kinds, tuple(options), form, __version__]))


def _some_of(inside):
    """A sample of the points in the user's units."""
    return inside.outside(inside.values[sampled(len(inside.values), SAMPLE_AT_ONCE)])


def _unless_interrupted(fitted, call=""):
    ideal = noted(Ideal.of(fitted), call)
    if ideal.status is Status.INTERRUPTED:
        raise FitInterrupted(ideal)
    return ideal
