"""The report of a result: one text, or one page, made of what its class has to say."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, overload

import numpy as np

from ..export.methods import Exports
from ..ground.calls import made_by as known_call
from ..ground.errors import InvalidOption, Status, SymknotError
from ..polynomials.equation import Equation
from ..showing.equations import report_of
from ..showing.mathml import equation_mathml
from ..showing.pages import Page, Section, checked_page, write_page
from ..showing.reports import (
    LABELS,
    coefficient_rows,
    coefficients_section,
    equations_section,
    foot_html,
    head_html,
    made_section,
    noise_section,
    some_names,
    tally,
)


class Reported(Exports):
    """Mixin of all results: `report`, and what a class may bring to its page."""

    if TYPE_CHECKING:
        names: tuple[str, ...]
        polynomials: tuple[Any, ...]
        knots: np.ndarray
        status: Status
        message: str

        def latex(self, digits: int | None = None) -> str: ...
        def _shown_equations(self) -> tuple[Equation, ...]: ...
        def _last_lines(self) -> list[str]: ...

    _page_title: ClassVar[str] = "Equations of"

    @overload
    def report(self, path: None = None) -> str: ...
    @overload
    def report(self, path: str | os.PathLike[str], points: Any = None, *, title: str | None = None,
               made_by: str | None = None) -> Path: ...

    def report(self, path: str | os.PathLike[str] | None = None, points: Any = None, *, title: str | None = None,
               made_by: str | None = None) -> str | Path:
        """All that is known: as a text, or as a page that a browser shows without any network.

        Parameters
        ----------
        path : path-like, optional
            Write a page there, whole or not at all; it ends in .html.
        points : array, DataFrame or path of a data file, optional
            The data, for a page: a fit does not keep them.  Results of runs have theirs, and take none.
        title : str, optional
            Of the page; by default it names the variables.
        made_by : str, optional
            The command or call that a page says it was made by; by default that of `symknot.fit` and the other
            functions that make results, as far as it is known.

        Returns
        -------
        str or pathlib.Path
            Without `path` a text: that of ``str``, and every coefficient with its standard error where there is one.
            With it the path.

        Raises
        ------
        MissingExtra
            If plotly is not installed, for a page.
        InvalidOption, InvalidPoints
        """
        if path is None:
            given = {"points": points, "title": title, "made_by": made_by}
            for name, value in given.items():
                if value is not None:
                    raise InvalidOption(name, value, "given with path=, for a page; the text has none")
            return self._report_text()
        checked_page(path)
        return write_page(path, self._page(points, title, known_call(self) if made_by is None else made_by))

    def _report_text(self) -> str:
        return report_of(str(self), self._shown_equations())

    def _page(self, points: Any, title: str | None, made_by: str) -> Page:
        views = self._views(points)
        texts, lacking = self._texts()
        coefficients = coefficients_section(self._coefficients())
        noise: np.ndarray | None = getattr(self, "noise", None) if self._shown_equations() else None
        sections = [
            equations_section(self._shown_equations(), [*self._remarks(), *lacking], texts), *views,
            *([coefficients] if coefficients else []),
            *filter(None, [None if noise is None else noise_section(self.names, noise, *self._about_noise())]),
            *self._tables(), made_section(made_by, self._facts())]
        return Page(title or f"{self._page_title} {some_names(self._title_names())}",
                    head_html(self.status, self.message, self._key_figures()), sections, texts, foot_html())

    def _title_names(self) -> tuple[str, ...]:
        """What the title of a page names."""
        return self.names

    def _texts(self) -> tuple[Mapping[str, str], list[str]]:
        """What a page lets its reader copy, by name, and sentences about what could not be written."""
        if not self._shown_equations():
            return {}, []
        texts, reasons = {"latex": self.latex()}, dict[str, list[str]]()
        if not self.polynomials:
            return texts, []
        source = self._scripted()
        for target in [name for name in LABELS if name != "latex"]:
            try:
                texts[target] = source.export(target)
            except SymknotError as error:
                reasons.setdefault(str(error), []).append(LABELS[target])
        return texts, [f"no script for {', '.join(targets)}: {reason}" for reason, targets in reasons.items()]

    def _scripted(self) -> Exports:
        """What a page has scripts of."""
        return self

    def _views(self, points: Any) -> list[Section]:
        """Interactive views of a page."""
        if points is not None:
            raise InvalidOption("points", type(points).__name__, f"left out: a {type(self).__name__} keeps its runs")
        return []

    def _coefficients(self) -> list[tuple[str, list[list[str]]]]:
        """For each equation with standard errors its formula, and rows of cells (term, estimate, standard error)."""
        return [(equation_mathml(equation), coefficient_rows(equation)) for equation in self._shown_equations()
                if getattr(equation, "standard_errors", None)]

    def _remarks(self) -> list[str]:
        """Lines below the equations of a page: what the top of it does not say."""
        said = {self.message, f"{self.status.value}: {self.message}"}
        return [line for line in self._last_lines() if line not in said]

    def _about_noise(self) -> tuple[np.ndarray | None, list[str]]:
        """Standard errors of the noise, and lines about it."""
        return None, []

    def _tables(self) -> list[Section]:
        """Further sections of a page."""
        return []

    def _key_figures(self) -> list[tuple[str, str]]:
        """What stands at the top of a page: (what, value)."""
        return [tally(len(self._shown_equations()), "equation"), tally(len(self.names), "variable"),
                tally(len(self.knots), "knot")]

    def _facts(self) -> list[tuple[str, str]]:
        """Settings that a page names: (what, value)."""
        return []
