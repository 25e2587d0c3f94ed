"""Results of points that can be drawn: one `plot` for all of them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ..fitting.spectrum import Spectrum
from ..ground.errors import InvalidOption
from ..showing.evidence_figures import has_residuals, residual_view, spectrum_view
from ..showing.fit_pictures import draw_shape
from ..showing.pages import Section, paragraphs
from ..showing.pictures import saved_or_drawn
from ..showing.residual_pictures import draw_residuals
from ..showing.scene import Scene
from ..showing.shape_figures import shape_view
from ..showing.spectrum_pictures import draw_spectrum
from ..showing.thumbnails import scene_svg
from .base import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SHAPE, RESIDUALS, SPECTRUM = "shape", "residuals", "spectrum"
"""Kinds of pictures."""
RESIDUALS_SAID = ("Signed distance of each point from each equation, in standard deviations of the noise. Where the equations "
                  "are right, the mean stays near zero everywhere.")
SPECTRUM_SAID = ("How nearly the best polynomials of each degree vanish on the data. Equations stand clear below the others.")
NO_GAP_SAID = "Here none does."
"""What a report says about its views."""


class Drawn(Result):
    """Base of the results that are equations of points."""

    picture_kinds: ClassVar[tuple[str, ...]] = (SHAPE,)
    """What `plot` can draw of results of this class."""

    def plot(self, points: Any = None, path: str | os.PathLike[str] | None = None, ax: Axes | None = None, *,
             kind: str = SHAPE, arrows: bool = False) -> Figure:
        """Draw the data, the sets on which the equations vanish with the equations beside them, and the knots.

        Parameters
        ----------
        points : array, DataFrame or path of a data file, optional
            The data, as `symknot.fit` takes them: a result does not keep them.
        path : path-like, optional
            Write the picture there, whole or not at all; the suffix decides the format, png if there is none.
        ax : matplotlib.axes.Axes, optional
            Where to draw a shape of up to three variables; three need axes made with ``projection="3d"``.
        kind : str
            "shape", of any number of variables: curves in the plane, surfaces and curves in space, for more than
            three variables one panel for each pair.  "residuals" (of fits, and their readable form): the distances of
            the data from each equation along the variety, where a mean that bends away from zero is lack of fit.
            "spectrum" (of fits): the values that epsilon was read from, with the gap.
        arrows : bool
            Draw an arrow from each data point to its knot, in a shape.

        Returns
        -------
        matplotlib.figure.Figure
            Without a window; ``figure.axes`` can be drawn on.

        Raises
        ------
        MissingExtra
            If matplotlib is not installed.
        InvalidOption, InvalidPoints

        Examples
        --------
        >>> import symknot
        >>> square = symknot.points_ideal([(0, 0), (1, 0), (0, 1), (1, 1)], ["x", "y"])
        >>> figure = square.plot()
        >>> [text.get_text() for legend in figure.legends for text in legend.get_texts()]
        ['4 knots', '$y^{2} - y = 0$', '$x^{2} - x = 0$']
        """
        if kind not in self.picture_kinds:
            raise InvalidOption("kind", kind, f"one of {', '.join(map(repr, self.picture_kinds))} for "
                                f"{type(self).__name__}")
        if kind != SHAPE and (ax is not None or arrows):
            name, value = ("ax", ax) if ax is not None else ("arrows", arrows)
            raise InvalidOption(name, value, f"left out with kind={kind!r}")
        if kind == SPECTRUM:
            spectrum: Spectrum | None = getattr(self, "spectrum", None)
            if spectrum is None:
                raise InvalidOption("kind", kind, "'shape' or 'residuals' for a fit whose epsilon was given: "
                                    "symknot.fit(points) finds it, and keeps its spectrum")
            return saved_or_drawn(draw_spectrum(spectrum), path)
        scene = self._scene().with_data(points)
        figure = draw_residuals(scene) if kind == RESIDUALS else draw_shape(scene, ax, arrows)
        return saved_or_drawn(figure, path, tight=ax is not None)

    def _views(self, points: Any) -> list[Section]:
        scene = self._scene().with_data(points)
        view, words = shape_view(scene)
        if points is None and RESIDUALS in self.picture_kinds:
            words = [*words, "The data are not drawn: a result does not keep them, and the page was made without them."]
        what = "Equations and knots" if not len(scene.data) else "Data, equations and knots" if scene.equations else "Data"
        sections = [Section(what, [view, paragraphs(words, "soft")])]
        if RESIDUALS in self.picture_kinds and has_residuals(scene):
            view, words = residual_view(scene)
            said = paragraphs([RESIDUALS_SAID])
            sections.append(Section("What is left of the data", [said, view, paragraphs(words, "soft")]))
        spectrum: Spectrum | None = getattr(self, "spectrum", None) if SPECTRUM in self.picture_kinds else None
        if spectrum is not None:
            said = paragraphs([SPECTRUM_SAID if spectrum.gap is not None else f"{SPECTRUM_SAID} {NO_GAP_SAID}"])
            sections.append(Section("Spectrum", [said, spectrum_view(spectrum)]))
        return sections

    def _thumbnail(self) -> str:
        return scene_svg(self._scene().with_data(None))

    def _scene(self) -> Scene:
        """What there is to draw, without data."""
        noise = getattr(self, "noise", None)
        return Scene(self.names, self._shown_equations(), self.knots, np.ones(len(self.knots)), noise)
