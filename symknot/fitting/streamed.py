"""Vanishing component analysis and the search for equations on points that are read in blocks.

`vca` needs one reading: all degrees up to the limit are reduced at once (`summaries`), and the main loop runs on the
result (`streamed_points`).  Without a limit the sample says first how far the loop goes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields, replace
from typing import Any

from ..ground.progress import Progress, Reading, reporter
from ..polynomials.symbols import own_symbols
from ..reading.names import checked_names
from ..reading.points import Points, read_points
from ..reading.streams import Block, Stream
from .finding import find_equations
from .fitted import Fitted
from .loop import run
from .settings import Settings
from .spectrum import Spectrum
from .streamed_points import Streamed, inside_of
from .summaries import Summary, merged, summary_step

SAMPLE_POINTS = 4000
"""Points of the sample that stands for all of them: as many as the search looks at (`finding.MOST_POINTS`), of which
root-mean-squares are known to 1.1 %."""


@dataclass(eq=False)
class Readings:
    """Readings of a stream, counted and told.

    Attributes
    ----------
    stream : Stream
    report : callable
    weigh : callable or None
        Block -> the same with other weights.
    number : int
        Readings so far.
    done : int
        Points, or blocks, of the last one.
    """

    stream: Stream
    report: Callable[[Any], object]
    weigh: Callable[[Block], Block] | None = None
    number: int = field(default=0, init=False)
    done: int = field(default=0, init=False)

    def reduce(self, step: Callable[[Block, Any], Any], merge: Callable[[Any, Any], Any]) -> Any:
        """One reading; see `Stream.reduce`."""
        self.number += 1
        told = self.stream.told

        def report(done):
            self.done = done
            self.report(Reading(self.number, done, *told))

        return self.stream.reduce(step if self.weigh is None else _Weighed(self.weigh, step), merge, report)

    def summary(self, degree: int, size: int = 0) -> Summary:
        """Of all points, for polynomials up to this degree, with a sample of `size` points."""
        return self.reduce(summary_step(degree, size), merged)


@dataclass(frozen=True, eq=False)
class _Weighed:
    """A step with blocks weighed first; a class, so that it can be sent to workers."""

    weigh: Callable[[Block], Block]
    step: Callable[[Block, Any], Any]

    def __call__(self, block, before):
        return self.step(self.weigh(block), before)


def sample_points(summary: Summary, names: Iterable[object] | None, stream: Stream, noise: Any, rescale: bool) -> Points:
    """The sample of a summary, inside, with names for its variables."""
    called = checked_names(names, stream.names, stream.width)
    return read_points(summary.sample, names=called, noise=noise, weights=summary.shares, rescale=rescale)


def streamed_vca(stream: Stream, settings: Callable[[float], Settings], noise: Any, names: Iterable[object] | None,
                 progress: Progress) -> Fitted:
    """`symknot.vca` of a stream.

    Parameters
    ----------
    stream : Stream
    settings : callable
        Of the unit of the points.
    noise, names, progress
        As in `symknot.vca`.
    """
    symbols = own_symbols(names)
    with reporter(progress) as report:
        readings, kind = Readings(stream, report), settings(1.0).normalization
        limit = settings(1.0).max_degree
        summary = readings.summary(limit or 1, SAMPLE_POINTS)
        sample = sample_points(summary, names, stream, noise, kind.rescale)
        if summary.count == len(summary.sample):
            return run(sample, settings(sample.unit), report, symbols)
        if limit is None:
            degree = run(sample, settings(sample.unit), report, symbols).recursion.degree
            summary = replace(readings.summary(degree), sample=summary.sample, shares=summary.shares)
        inside = in_units_of_all(sample, summary, readings, kind.rescale)
        return run(inside, settings(inside.unit), report, symbols)


def in_units_of_all(sample: Points, summary: Summary, readings: Readings, rescale: bool) -> Streamed:
    """The sample, centred and scaled as all points are."""
    deviations = sample.scale / sample.unit
    center, unit = inside_of(summary, deviations, rescale)
    values = (sample.outside(sample.values) - center) / (unit * deviations)
    points = replace(sample, values=values, center=center, scale=unit * deviations, unit=unit)
    return replace(streamed_points(points, readings, summary), knots_are_data=True)


def streamed_points(points: Points, readings: Readings, summary: Summary) -> Streamed:
    """Points of the sample, with a summary of all of them beside."""
    own = {one.name: getattr(points, one.name) for one in fields(Points)}
    return Streamed(**own, read=readings.summary, known=[summary])


def streamed_spectrum(stream: Stream, max_degree: int | None, noise: tuple[Any, str], names: Iterable[object] | None,
                      progress: Progress = False) -> Spectrum:
    """`symknot.spectrum` of a stream: one reading, for the sample that the search looks at.

    Parameters
    ----------
    stream : Stream
    max_degree : int or None
    noise : (numbers or None, str)
        From `finding.noise_option`.
    names, progress
        As in `symknot.fit`.
    """
    with reporter(progress) as report:
        summary = Readings(stream, report).summary(1, SAMPLE_POINTS)
    return find_equations(sample_points(summary, names, stream, noise[0], True), max_degree, noise[1]).spectrum
