"""The page of what is conserved: values along the runs beside their levels, the runs among the level sets, drift."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from ...polynomials.terms import Terms
from ...results.base import Result
from ...showing.curves import curves, grid_of_starts
from ...showing.figures import View, dash, joined, legend_text, placed
from ...showing.mathml import equation_mathml
from ...showing.pages import Section, paragraphs, table_html
from ...showing.reports import coefficient_rows, tally
from ...showing.run_figures import Line, Path, Row, corners, phase_view, stride, stride_words, time_view
from ...showing.thumbnails import runs_svg
from ...showing.zero_sets import ZeroSet
from .equations import ConservedEquation, Constraint, Invariant, RunOnLevels, percent, values_and_slopes
from .pictures import BAND, MOST_EQUATIONS, MOST_RUNS, deviations

VALUES_SAID = ("What each polynomial is at the data, with the level that it keeps in each run. On the right: less that level, "
               "in standard deviations of what noise makes of it.")
"""What a report says about its view."""


class ReportedConserved(Result):
    """Base of `Conserved`: what its report's page holds."""

    if TYPE_CHECKING:
        invariants: tuple[Invariant, ...]
        constraints: tuple[Constraint, ...]
        runs: tuple[RunOnLevels, ...]
        noise_given: bool

        def _shown_equations(self) -> tuple[ConservedEquation, ...]: ...

    _page_title = "What is conserved of"

    def _views(self, points: Any) -> list[Section]:
        super()._views(points)
        groups = list(dict.fromkeys(run.group for run in self.runs))
        drawn, equations = groups[:MOST_RUNS], self._shown_equations()[:MOST_EQUATIONS]
        pieces = [run for run in self.runs if run.group in drawn]
        words = [f"The first {len(drawn)} of {len(groups)} runs are drawn."] if len(groups) > len(drawn) else []
        left = len(self._shown_equations()) - len(equations)
        words += [f"{left} more equations are not drawn."] if left > 0 else []
        words += stride_words(map(len, pieces))
        below, sections = paragraphs(words, "soft"), []
        if equations:
            view = time_view([self._row(number, equation, pieces, drawn) for number, equation in enumerate(equations)],
                             drawn, "time", BAND)
            sections.append(Section("Along the runs", [paragraphs([VALUES_SAID]), view, below]))
        if pieces and len(self.names) > 1:
            sections.append(Section("Runs among the level sets", [self._phase_view(pieces, drawn), below]))
        return sections

    def _row(self, number: int, equation: ConservedEquation, pieces: Sequence[RunOnLevels], drawn: Sequence[str]) -> Row:
        left: list[Line] = []
        right: list[Line] = []
        known = np.isfinite(self.noise).all()
        for run in pieces:
            place, every, level = drawn.index(run.group), slice(None, None, stride(len(run))), equation.level_in(run)
            values, times = values_and_slopes(equation.terms, run.measured)[0], run.times[every]
            left += [Line(place, "data", "at the data", times, values[every]),
                     Line(place, "knots", "level", run.times[[0, -1]], np.array([level, level]))]
            unit = deviations(equation, run, self.noise) if known else np.std(values - level) or 1.0
            right.append(Line(place, "data", "at the data", times, ((values - level) / unit)[every]))
        return Row("value", legend_text(equation, number), left, right, "off / noise")

    def _phase_view(self, pieces: Sequence[RunOnLevels], drawn: Sequence[str]) -> View:
        paths = [Path(drawn.index(run.group), run.measured[:: stride(len(run))], run.states[:: stride(len(run))])
                 for run in pieces]
        equations = self._shown_equations()[:MOST_EQUATIONS]
        under = self._level_curves(equations, pieces, corners(paths)) if len(self.names) == 2 else []
        name = "states on the level sets" if equations else "smoothed"
        return phase_view(self.names, paths, drawn, name, joined=True, under=under)

    def _level_curves(self, equations: Sequence[ConservedEquation], pieces: Sequence[RunOnLevels],
                      box: tuple[np.ndarray, np.ndarray]) -> list[dict[str, Any]]:
        """In a plane: where each equation has the level of each run."""
        lower, upper = box
        traces = []
        for number, equation in enumerate(equations):
            found = []
            for run in {run.group: run for run in pieces}.values():
                zeros = ZeroSet([_less(equation.terms, equation.level_in(run))], (lower + upper) / 2, (upper - lower) / 2,
                                run.states)
                found += [zeros.out(piece) for piece in curves(zeros, np.vstack([zeros.knots[::10], grid_of_starts(2)]))]
            traces.append(placed(joined(found, 2), self.names, name=legend_text(equation, number), mode="lines",
                                 line={"color": "@soft", "width": 1.2, "dash": dash(number)}))
        return traces

    def _thumbnail(self) -> str:
        runs = self.runs[:MOST_RUNS]
        return runs_svg(self.names, [run.states for run in runs], [run.times for run in runs])

    def _coefficients(self) -> list[tuple[str, list[list[str]]]]:
        return [(equation_mathml(equation), coefficient_rows(equation, equation.estimated_terms))
                for equation in self._shown_equations()]

    def _tables(self) -> list[Section]:
        head = ["run", "level", "standard error", "varies by", "noise explains", "trend", "standard error"]
        parts = []
        for invariant in self.invariants:
            rows = [[escape(row.label), f"{row.level:.5g}", f"{row.error:.2g}",
                     *(percent(part, row.size) for part in (row.spread, row.expected, row.trend, row.trend_error))]
                    for row in invariant.drift]
            parts.append(f"<h3>{equation_mathml(invariant)}</h3>{table_html(head, rows)}")
        return [Section("Levels and drift", parts)] if parts else []

    def _key_figures(self) -> list[tuple[str, str]]:
        return [tally(len(self.invariants), "invariant"), tally(len(self.constraints), "constraint"),
                tally(len(self.names), "state"), tally(len({run.group for run in self.runs}), "run"),
                tally(sum(map(len, self.runs)), "sample")]

    def _facts(self) -> list[tuple[str, str]]:
        return [("noise", "as given" if self.noise_given else "estimated from the data")]


def _less(terms: Terms, level: float) -> Terms:
    """A polynomial less a number."""
    constant = (0,) * len(next(iter(terms)))
    return {**terms, constant: terms.get(constant, Fraction(0)) - Fraction(level)}
