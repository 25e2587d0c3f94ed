"""The page of a model: runs over time with simulations, the phase portrait, coefficients, states and runs."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from ...polynomials.latex import latex_of
from ...results.base import Result
from ...showing.figures import View, legend_text, placed
from ...showing.mathml import equation_mathml, mathml_of
from ...showing.pages import Section, paragraphs, table_html
from ...showing.reports import estimate_text, tally
from ...showing.run_figures import Line, Path, Row, arrows, corners, phase_view, stride, stride_words, time_view
from ...showing.thumbnails import runs_svg
from .equation import MotionEquation
from .phase_pictures import CURVE_POINTS
from .pictures import BAND_DEVIATIONS, MOST_DRAWN_RUNS, complete_rows, drawn_inputs, predicted
from .reporting import root_mean_square

if TYPE_CHECKING:
    from .dynamics import Dynamics
    from .fields import Field

NOISE_SAID = "noise:"
"""Before the noise of each state, in print."""
FIELD_LINES = 19
"""Grid lines along each state at which directions are drawn: a convention."""
ARROW_LENGTH = 0.6
"""Of a direction, in distances of the grid: a convention."""
RUNS_SAID = ("Data, the states nearest to them that satisfy the equations (knots), and what the equations make of the first "
             "knot. On the right: data less knots, in standard deviations of the noise.")
"""What a report says about its view."""


class ReportedModel(Result):
    """Base of `Model`: what its report's page holds."""

    if TYPE_CHECKING:
        state_names: tuple[str, ...]
        input_names: tuple[str, ...]
        arguments: tuple[str, ...]
        targets: tuple[str, ...]
        dynamics: Dynamics
        field: Field
        coefficients: np.ndarray
        state_noise: np.ndarray
        values: np.ndarray
        runs: tuple
        polynomials: tuple[MotionEquation, ...]

        @property
        def estimates(self) -> tuple: ...
        @property
        def states_without_equation(self) -> tuple[str, ...]: ...

    _page_title = "Equations of motion of"

    def _title_names(self) -> tuple[str, ...]:
        return self.state_names

    def _remarks(self) -> list[str]:
        return [line for line in super()._remarks() if not line.startswith(NOISE_SAID)]     # a section of its own

    def _views(self, points: Any) -> list[Section]:
        super()._views(points)
        if not self.runs:
            return []
        drawn = self.runs[:MOST_DRAWN_RUNS]
        words = [f"The first {len(drawn)} of {len(self.runs)} runs are drawn."] if len(self.runs) > len(drawn) else []
        most = self.dynamics.most_drawn
        steps = [f"The first {most} steps are drawn."] if most is not None and any(len(run) > most for run in drawn) else []
        below = paragraphs([*words, *steps, *stride_words(self._count(run) for run in drawn)], "soft")
        sections = [Section("Runs", [paragraphs([RUNS_SAID] if self.targets else []), self._time_view(drawn), below])]
        phase = self._phase_view(drawn)
        if phase is not None:
            sections.append(Section("Phase portrait", [phase, paragraphs([*words, *stride_words(map(len, drawn))], "soft")]))
        return sections

    def _count(self, run: Any) -> int:
        return min(len(run), self.dynamics.most_drawn or len(run))

    def _time_view(self, drawn: Sequence[Any]) -> View:
        rows = []
        for j, name in enumerate(self.state_names):
            left: list[Line] = []
            right: list[Line] = []
            for number, run in enumerate(drawn):
                count = self._count(run)
                every = slice(None, count, stride(count))
                times = self.dynamics.abscissa(self, run, count)[:: stride(count)]
                measured, states = run.measured[every, j], run.states[every, j]
                seen = np.isfinite(measured)
                left += [Line(number, "knots" if self.dynamics.is_smooth else "rings", self._found, times, states),
                         Line(number, "data", "data", times[seen], measured[seen])]
                clock, path = predicted(self, run, count)
                step = stride(len(clock))
                left += [Line(number, "path", self.dynamics.path_name, clock[::step], path[::step, j])] if len(clock) else []
                sigma = self.state_noise[j]
                sigma = sigma if sigma > 0 else root_mean_square((measured - states)[seen]) or 1.0
                right.append(Line(number, "data", "data", times[seen], ((measured - states) / sigma)[seen]))
            words = legend_text(self.polynomials[j], j) if self.targets else "no equation"
            rows.append(Row(name, words, left, right, "left / noise"))
        rows += [self._input_row(place, drawn) for place in drawn_inputs(self)]
        return time_view(rows, [run.label for run in drawn], self.dynamics.abscissa_name(self), BAND_DEVIATIONS)

    def _input_row(self, place: int, drawn: Sequence[Any]) -> Row:
        lines = []
        for number, run in enumerate(drawn):
            count = self._count(run)
            times = self.dynamics.abscissa(self, run, count)
            lines.append(Line(number, "input", "input", times[:: stride(count)], run.inputs[:count:stride(count), place]))
        name = self.input_names[place]
        return Row(name, "no equation, counts as an input" if name in self.states_without_equation else "input", lines)

    @property
    def _found(self) -> str:
        return "knots" if self.targets else "smoothed"

    def _phase_view(self, drawn: Sequence[Any]) -> View | None:
        """The runs in the space of their states; None where states do not move, or there is nothing to draw them against."""
        if not self.dynamics.moves:
            return None
        whole = [self.dynamics.whole_states(run) if self.targets else run.states for run in drawn]
        count = whole[0].shape[1]
        if count == 1:
            return self._single_view(drawn) if self.targets else None
        names = self.arguments[:count] if count > len(self.state_names) else self.state_names
        paths = []
        for number, (run, states) in enumerate(zip(drawn, whole)):
            step = stride(len(states))
            measured = complete_rows(run.measured[::step]) if run.measured.shape[1] == count else np.empty((0, count))
            paths.append(Path(number, measured, states[::step]))
        steady = count == 2 and self.dynamics.is_smooth and self.targets and not self.input_names
        under = self._directions(*corners(paths), names) if steady else []
        return phase_view(names, paths, [run.label for run in drawn], self._found, joined=self.dynamics.is_smooth, under=under)

    def _directions(self, lower: np.ndarray, upper: np.ndarray, names: Sequence[str]) -> list[dict[str, Any]]:
        """Where the flow leads, in a plane."""
        grid = np.stack(np.meshgrid(*(np.linspace(a, b, FIELD_LINES) for a, b in zip(lower, upper)))).reshape(2, -1)
        with np.errstate(all="ignore"):
            rates = self.field.values(self.coefficients, grid)
        known = len(grid) - len(rates)                          # velocities are states, and rates of positions
        rates = np.vstack([grid[len(grid) - known:], rates]) if known else rates
        cell = (upper - lower) / (FIELD_LINES - 1)
        steps = (rates / cell[:, None]).T
        length = np.linalg.norm(steps, axis=1)
        usable = np.isfinite(length) & (length > 0)
        steps = ARROW_LENGTH * cell * steps[usable] / length[usable, None]
        return arrows(grid.T[usable], steps, names, "where the equations lead")

    def _single_view(self, drawn: Sequence[Any]) -> View:
        """One state against what its equation gives of it."""
        names, paths = (self.state_names[0], self.targets[0]), []
        for number, run in enumerate(drawn):
            step = stride(len(run))
            points = self.dynamics.arguments(run.states.T, run.inputs.T)
            seen = self.dynamics.measured_targets(run)
            given = self.dynamics.arguments(run.measured.T, run.inputs.T)[0]
            measured = np.empty((0, 2)) if seen is None else np.c_[given, seen[:, 0]][::step]
            states = np.c_[points[0], self.field.values(self.coefficients, points)[0]][::step]
            paths.append(Path(number, measured, states))
        under = []
        if len(self.arguments) == 1:
            (low, _), (high, _) = corners(paths)
            x = np.linspace(low, high, CURVE_POINTS)
            with np.errstate(all="ignore"):
                curve = np.c_[x, self.field.values(self.coefficients, x[None])[0]]
            under = [placed(curve, names, name="right-hand side", mode="lines", line={"color": "@curve1", "width": 2})]
        return phase_view(names, paths, [run.label for run in drawn], "knots", joined=False, under=under)

    def _thumbnail(self) -> str:
        runs = self.runs[:MOST_DRAWN_RUNS]
        return runs_svg(self.state_names, [run.states for run in runs], [run.times for run in runs],
                        self.dynamics.is_smooth)

    def _coefficients(self) -> list[tuple[str, list[list[str]]]]:
        tables = []
        for equation in self.polynomials:
            rows = []
            for one in self.estimates:
                if one.target == equation.target:
                    term = mathml_of(latex_of(one.monomial, self.variables, self.names))
                    where = " (denominator)" if one.in_denominator else ""
                    rows.append([f"{term}{where}", estimate_text(one.estimate, one.error), f"{one.error:.2g}"])
            tables.append((equation_mathml(equation), rows))
        return tables

    def _tables(self) -> list[Section]:
        rows = [[escape(run.label), str(len(run)), f"{run.times[0]:.6g}", f"{run.times[-1]:.6g}",
                 str(len(run.cuts))] for run in self.runs if len(run)]
        head = ["run", "samples", "from", "to", "places where the equations do not lead on"]
        return [Section("Measured runs", [table_html(head, rows)])] if rows else []

    def _key_figures(self) -> list[tuple[str, str]]:
        return [tally(len(self.polynomials), "equation"), tally(len(self.state_names), "state"),
                tally(len(self.input_names), "input"), tally(len(self.runs), "run"), tally(sum(map(len, self.runs)), "sample")]

    def _facts(self) -> list[tuple[str, str]]:
        known = [(name, value) for name, value in zip(self.state_names, self.values) if np.isfinite(value)]
        misfit = ", ".join(f"{name} {value:.3g}" for name, value in known)
        return [("kind", self.dynamics.kind), *([("misfit over noise (near 1 for a right model)", misfit)] if misfit else [])]
