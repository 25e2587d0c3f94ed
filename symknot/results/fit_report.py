"""What the report of a fit says beside that of every result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..export.methods import Exports
from ..fitting.fitted import Fitted
from ..ground.errors import SymknotError, TimeLimit
from ..ground.wording import counted
from ..showing.mathml import equation_mathml
from ..showing.pages import Section
from ..showing.reports import alternatives_section, coefficient_rows, tally
from ..symbolic.readable import readable_of
from .drawn import Drawn

SCRIPT_SECONDS = 5.0
"""Seconds that making the equations exact may take for the scripts of a report: a convention."""
SHOWN_OUTLIERS = 8
"""Outliers whose rows are printed: a convention, a line."""
OR_SIMPLER, OR = "or, simpler:", "or:"
"""Before an alternative, in print."""

if TYPE_CHECKING:
    class _Numbers(Drawn, Fitted):
        def exact(self, *, timeout: float | None = None) -> Any: ...
        def readable(self) -> Any: ...
else:
    _Numbers = Drawn


class ReportedFit(_Numbers):
    """Base of `Ideal`: coefficients, noise, alternatives and settings in its report's page."""

    def _closing_lines(self) -> list[str]:
        lines = []
        if self.polynomials:
            worst = max(g.knot_residual for g in self.polynomials)
            lines.append(f"{counted(len(self.knots), 'knot')} for {counted(self.point_count, 'point')}; "
                         f"the equations vanish on them within {worst:.1e}")
            lines += self._unused_variables()
        if len(self.outliers):
            rows = ", ".join(map(str, self.outliers[:SHOWN_OUTLIERS]))
            rows += ", ..." if len(self.outliers) > SHOWN_OUTLIERS else ""
            lines.append(f"{counted(len(self.outliers), 'outlier')}, on no equation: row {rows}")
        own = _highest_degree(readable_of(self).equations) if self.alternatives else 0
        for rival in self.alternatives:
            equations = readable_of(rival).equations
            start = OR_SIMPLER if _highest_degree(equations) < own else OR
            lines.append(f"{start} {'; '.join(map(str, equations))}; {rival.message}")
        return lines + super()._closing_lines()

    def _unused_variables(self) -> list[str]:
        """A line on variables that no shown equation has a word on, so that nobody takes silence for a finding."""
        used = np.any([exponents for equation in readable_of(self).equations for exponents in equation.terms], axis=0)
        unused = [str(symbol) for symbol, taken in zip(self.variables, used, strict=True) if not taken]
        if not unused:
            return []
        return [f"{', '.join(unused)} {'is' if len(unused) == 1 else 'are'} in no equation"]

    def _scripted(self) -> Exports:
        """The exact equations, which `export` writes; the readable ones where proofs for all knots would take long."""
        try:
            self.exact(timeout=SCRIPT_SECONDS)
        except TimeLimit:
            return self.readable()
        except SymknotError:
            pass                                        # the export itself will say what is the matter
        return self

    def _coefficients(self) -> list[tuple[str, list[list[str]]]]:
        if not self.polynomials:
            return []
        estimates = readable_of(self, simplify=False).equations
        return [(equation_mathml(equation), coefficient_rows(equation)) for equation in estimates]

    def _remarks(self) -> list[str]:
        # alternatives have a section of their own
        return [line for line in super()._remarks() if not line.startswith((OR_SIMPLER, OR))]

    def _about_noise(self) -> tuple[np.ndarray, list[str]]:
        relative = ["Noise is proportional to the value: these are shares of it."] if self.law is not None else []
        return self.noise_errors, relative

    def _tables(self) -> list[Section]:
        rivals = [(readable_of(rival).equations, rival.message) for rival in self.alternatives]
        section = alternatives_section(rivals)
        return [section] if section else []

    def _key_figures(self) -> list[tuple[str, str]]:
        return [*super()._key_figures(), tally(self.point_count, "point"), tally(len(self.outliers), "outlier")]

    def _facts(self) -> list[tuple[str, str]]:
        degrees = ", ".join(dict.fromkeys(str(record.degree) for record in self.history))
        seconds = sum(record.seconds for record in self.history)
        loop = [("degrees looked at", degrees), ("time of the loop", f"{seconds:.2g} s")] if self.history else []
        return [("epsilon", "none was found" if self.epsilon is None else f"{self.epsilon:.6g}"),
                ("delta", f"{self.delta:.3g}"), ("normalization", self.normalization), *loop]


def _highest_degree(equations):
    return max((sum(exponents) for equation in equations for exponents in equation.terms), default=0)
