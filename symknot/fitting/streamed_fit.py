r"""Equations and knots of points that are read in blocks.

1. One reading draws a random sample.  The search (`finding`) looks at so many points anyway: it says which equations there
   are, of which degree, the noise of each variable, and epsilon.
2. One reading makes the `Summary` of all points up to the degree at which the fit of the sample ended.
3. The main loop runs with the sample for knots and all points for data.  At each degree the pursuit first settles on the
   sample.  From there on every round is a joint correction (`revision`) over *all* points, each projected onto the
   present equations in its block: one reading a round.

The correction is a Gauss-Newton step for the maximum of the likelihood.  It starts a standard error of the *sample* away,
:math:`\sigma / \sqrt n`, and converges quadratically, so that one reading leaves some :math:`\sigma / n` and two leave
nothing beside the standard error of all points, :math:`\sigma / \sqrt N`: the estimates are those of a fit in memory.

Knots that are reported are those of the sample, each with the weight of N / n points.  Those of all points can be written
to a file, in one more reading.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..ground.blocks import blocks
from ..ground.errors import InvalidOption, Status
from ..ground.progress import Progress, reporter
from ..ground.storage import replacing
from ..ground.tall_factor import TallFactor
from ..ground.wording import counted
from ..polynomials.symbols import own_symbols
from ..reading.streams import Block, LocalStream, Stream
from ..reading.tables import Table
from .basis import Split
from .degree import DegreeProblem
from .fitted import Fitted
from .joint_rows import JointRows, split_factor
from .knotting import SMALLEST_SLACK, Knotting, MovingEquations
from .loop import run, without_equations
from .normalization import Normalization
from .pursuit import SLACK_COOLING, SLACK_OVER_CHANGE, SLACK_OVER_RESIDUAL
from .revision import (
    MULTIPLES_SHARE_OF_DELTA,
    SETTLED_ERRORS,
    STALLED_SHARE,
    JointCorrection,
    Moved,
    Revision,
    Tolerances,
)
from .rivals import with_evidence
from .settings import Options, searched_settings
from .streamed import SAMPLE_POINTS, Readings, sample_points, streamed_points
from .streamed_weights import Weighing
from .summaries import Frame, triangle

InMemory = Callable[[Table, np.ndarray], Fitted]
FIRST_APPROACH = 0.01
"""Slack, relative to the noise, with which points are moved near the equations first: a convention.  Off the variety
equations that agree on it have slopes along it, too, as large as the noise; with less slack points would follow them."""
MOST_READINGS = 8
"""Corrections over all points of one degree at most: a convention; see the top of this module, two are enough, and as many
again where there are more equations than the codimension, which must agree with each other."""


def streamed_fit(stream: Stream, strategies: tuple[Normalization, Knotting], options: Options, noise: Any,
                 names: Iterable[object] | None, progress: Progress, in_memory: InMemory, knots: Any) -> Fitted:
    """`symknot.fit` of a stream.

    Parameters
    ----------
    stream : Stream
    strategies : (Normalization, Knotting)
    options : Options
    noise : sequence of float or None
        One for each variable, where given.
    names, progress
        As in `symknot.fit`.
    in_memory : callable
        Makes the fit of a `Table` with weights: of streams that turn out to be short.
    knots : None, "summary", or path
        Of the file that gets the knots of all points.
    """
    to_file = None if knots is None or knots == "summary" else Path(knots)
    if to_file is not None and not isinstance(stream, LocalStream):
        raise InvalidOption("knots", knots, '"summary", or left out, for points on a cluster')
    with reporter(progress) as report:
        readings = Readings(stream, report)
        summary = readings.summary(1, SAMPLE_POINTS)
        if summary.count == len(summary.sample):
            table = Table(stream.names, tuple(summary.sample.T))
            fitted = in_memory(table, summary.shares)
            if to_file is not None:
                assert fitted.assignment is not None
                with replacing(to_file) as file:
                    np.lib.format.write_array(file, fitted.knots[fitted.assignment], allow_pickle=False)
            return fitted
        sample = sample_points(summary, names, stream, noise, strategies[0].rescale)
        settings, finding = searched_settings(sample, strategies, options)
        points = sample if finding is None else finding.points
        if settings.epsilon is None:
            inside, left_out = streamed_points(points, readings, summary), 0
            fitted = without_equations(inside, settings, Status.NO_GAP, own_symbols(names))
        else:
            readings.weigh = Weighing.of(finding, options)
            fitted, stages, count = _of_all(points, settings, readings, own_symbols(names))
            left_out = summary.count - count
            if to_file is not None:
                _write_knots(readings, strategies[1], stages, to_file, points)
    fitted = _told(fitted, left_out, summary.count)
    if finding is None or options.epsilon is not None:
        return replace(fitted, epsilon=fitted.epsilon if options.epsilon is None else options.epsilon)
    return replace(with_evidence(fitted, settings, finding, options), outliers=np.zeros(0, int))


def _of_all(points, settings, readings, symbols):
    """The fit of all points, the moves that made its knots, and the number of points that have a say."""
    degree = max(run(points, settings, readings.report, symbols).recursion.degree, 1)
    summary = readings.summary(degree)
    inside = streamed_points(points, readings, summary)
    knotting = StreamedKnotting(settings.knotting, readings, Frame(points.center, np.diag(1 / points.scale)))
    fitted = run(inside, replace(settings, knotting=knotting), readings.report, symbols)
    return fitted, [stage for _, stage in knotting.stages], summary.count


def _told(fitted, left_out, count):
    if not left_out:
        return fitted
    said = f"{counted(left_out, 'point')} of {count}, far from all equations, had no say"
    return replace(fitted, message=f"{fitted.message}; {said}")


@dataclass(eq=False)
class StreamedKnotting(Knotting):
    """A knotting strategy whose joint corrections are over all points of a stream.

    Attributes
    ----------
    base : Knotting
    readings : Readings
    inside : Frame
    stages : list of (degree, MovingEquations)
        What the knots have been moved onto so far.
    slack : float
        At least: how far equations of all points contradict each other, relative to the noise.
    """

    base: Knotting
    readings: Readings
    inside: Frame
    stages: list[tuple[int, MovingEquations]] = field(default_factory=list)
    slack: float = 0.0

    def move(self, equations: MovingEquations, anchors: np.ndarray, start: np.ndarray, slack: float) -> np.ndarray:
        return self.base.move(equations, anchors, start, max(slack, self.slack))

    def split(self, problem: DegreeProblem, normalization: Normalization, epsilon: float, eta: float,
              delta: float) -> Split:
        return self.base.split(problem, normalization, epsilon, eta, delta)

    def revision(self, problem: DegreeProblem, normalization: Normalization, tolerances: Tolerances) -> Revision:
        degree = problem.recursion.degree + 1
        self.stages, self.slack = [stage for stage in self.stages if stage[0] < degree], 0.0
        own = self.base.revision(problem, normalization, tolerances)
        return StreamedCorrection(normalization, tolerances, self) if type(own) is JointCorrection else own

    def merging_distance(self, delta: float) -> float:
        return self.base.merging_distance(delta)


class StreamedCorrection(JointCorrection):
    """Joint corrections over the sample until they settle, then over all points."""

    def __init__(self, normalization: Normalization, tolerances: Tolerances, knotting: StreamedKnotting) -> None:
        super().__init__(normalization, tolerances)
        self.knotting, self.of_all, self.read, self.before = knotting, False, 0, np.inf

    def is_settled(self, worst: float, before: float, rounds: int) -> bool:
        if not self.of_all:
            self.of_all = super().is_settled(worst, before, rounds)
            return False
        settled = self.read >= MOST_READINGS or self.read > 0 and self.change_in_errors <= SETTLED_ERRORS
        return settled and (worst <= MULTIPLES_SHARE_OF_DELTA * self.tolerances.delta or worst > STALLED_SHARE * before)

    def revised(self, moved: Moved, eta: float) -> tuple[Split, float]:
        if not self.of_all:
            return super().revised(moved, eta)
        if self.read == 0:                                # a second pursuit, from as far away as the sample is
            eta, slack = self.tolerances.epsilon, 1 / np.sqrt(len(moved.knots))
        else:                                             # as in `pursuit`
            quadratic = moved.worst / moved.noise <= (self.before / moved.noise) ** 2
            left = max(SLACK_OVER_RESIDUAL * moved.worst, 0.0 if quadratic else SLACK_OVER_CHANGE * self.change)
            slack = max(min(SLACK_COOLING * self.knotting.slack, left / moved.noise), SMALLEST_SLACK)
        self.knotting.slack, self.before = slack, moved.worst
        return super().revised(moved._replace(slack=slack), eta)

    def _reduced(self, moved, together, k, directions):
        if not self.of_all:
            return super()._reduced(moved, together, k, directions)
        if self.read >= MOST_READINGS:
            return None
        self.read += 1
        stages = [stage for _, stage in self.knotting.stages]
        step = CorrectionStep(self.knotting.base, self.knotting.inside, stages, moved, together, k, directions)
        factor, count = self.knotting.readings.reduce(step, _stacked)
        return split_factor(factor), count

    def concluded(self, problem: DegreeProblem, split: Split, in_vain: bool) -> Split:
        if not in_vain and split.G.shape[1] > split.exact:
            self.knotting.stages.append((problem.recursion.degree + 1, MovingEquations(problem, split)))
        return super().concluded(problem, split, in_vain)


class CorrectionStep:
    """The least-squares problem of a joint correction, for one block of a stream.

    Parameters
    ----------
    knotting : Knotting
    inside : Frame
    stages : list of MovingEquations
        Equations of lower degree, onto which points are moved first.
    moved : Moved
        Of the sample.
    together, k, directions
        As in `joint_rows.JointRows`.
    """

    def __init__(self, knotting: Knotting, inside: Frame, stages: list[MovingEquations], moved: Moved,
                 together: np.ndarray, k: int, directions: np.ndarray) -> None:
        nothing = np.zeros((0, 0))
        self.knotting, self.inside, self.stages = knotting, inside, stages
        self.moved = moved._replace(anchors=nothing, knots=nothing, weights=nothing)
        self.together, self.k, self.directions = together, k, directions
        self.equations = MovingEquations(moved.problem, replace(moved.split, G=together))

    def __call__(self, block: Block, before: Any) -> tuple[np.ndarray, int]:
        """Factor of the block's rows of the problem, and the number of its points."""
        X, weights = block.values, np.ones(len(block.values)) if block.weights is None else block.weights
        X, weights = X[weights > 0], weights[weights > 0]
        factor = TallFactor(self.directions.shape[1] * self.k + 1)
        joint = JointRows(self.moved.problem, self.together, self.k, self.directions, self.moved.slack, self.moved.noise)
        for rows in blocks(len(X), factor.factor.shape[1] * self.k):
            anchors = moved_through(self.knotting, self.stages, self.inside.at(X[rows]))
            knots = projected(self.knotting, self.equations, anchors, self.moved.slack)
            for part in joint.blocks(len(knots)):
                factor.add(joint.of(anchors[part], knots[part], weights[rows][part]), overwrite=True)
        return factor.factor, len(X)


def _stacked(one, other):
    return triangle(np.vstack([one[0], other[0]])), one[1] + other[1]


def moved_through(knotting: Knotting, stages: Iterable[MovingEquations], points: np.ndarray) -> np.ndarray:
    """Inside points moved onto the equations of each degree in turn."""
    for equations in stages:
        points = projected(knotting, equations, points, SMALLEST_SLACK)
    return points


def projected(knotting: Knotting, equations: MovingEquations, anchors: np.ndarray, slack: float) -> np.ndarray:
    """Inside points moved onto equations from where noise has left them."""
    near = knotting.move(equations, anchors, anchors, max(slack, FIRST_APPROACH))
    return near if slack >= FIRST_APPROACH else knotting.move(equations, anchors, near, slack)


def _write_knots(readings, knotting, stages, path, points):
    """The knots of all points, in their order, as an array of numpy: one reading, block by block."""
    frame = Frame(points.center, np.diag(1 / points.scale))
    with replacing(path) as file:
        header = {"descr": np.lib.format.dtype_to_descr(np.dtype(float)), "fortran_order": False,
                  "shape": (readings.done, len(points.center))}
        np.lib.format.write_array_header_1_0(file, header)

        def write(block, before):
            for rows in blocks(len(block.values)):
                moved = moved_through(knotting, stages, frame.at(block.values[rows]))
                file.write(np.ascontiguousarray(points.outside(moved)).tobytes())
            return len(block.values)

        readings.weigh = None
        readings.reduce(write, operator.add)
