"""Pictures in general: figures without a window, written whole or not at all.

matplotlib is an optional companion (extra ``plot``), imported only when a picture is asked for.  Figures are made
without pyplot, so nothing opens a window and nothing is kept alive behind the caller's back: the same call works on a
server without a display and in a notebook.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..ground.errors import InvalidOption, MissingExtra
from ..ground.storage import write_atomically
from .style import TEXT_SIZE
from .typesetting import set_in_math_font

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend

DOTS_PER_INCH = 300
"""Of pictures in pixels: what journals ask for."""
MANY_EQUATIONS = 5
"""Equations from which on they are listed in two columns, where the width allows it: a convention."""
LEGEND_PADDING = 0.4
"""Space inside the border of a legend, in heights of its letters: a convention."""


def new_figure(**options: Any) -> Figure:
    """An empty figure; `options` as those of `matplotlib.figure.Figure`."""
    try:
        import matplotlib  # noqa: F401 (first, so that a missing package is told from a broken one)
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise MissingExtra("matplotlib", "plot") from error
    figure = Figure(**options)
    FigureCanvasAgg(figure)                       # texts can be measured; other formats bring their own canvas
    return figure


def add_legends(figure: Figure, marks: Sequence[Any], equations: Sequence[Any], title: str | None = None) -> None:
    """Marks in lines above the panels, equations below them; the figure grows by what they need.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        With a constrained layout.
    marks, equations : sequence of matplotlib artists
        Each with its label.
    title : str, optional
        Words above the marks.
    """
    height = figure.get_figheight()
    added = []
    if marks:
        added.append(_legend(figure, marks, "outside upper left", range(len(marks), 0, -1), title))
    if equations:
        added.append(_legend(figure, equations, "outside lower left", range(1 + len(equations) // MANY_EQUATIONS, 0, -1)))
    for legend in added:
        height += legend.get_window_extent().height / figure.dpi
    figure.set_figheight(height)


def _legend(figure: Figure, handles: Sequence[Any], place: Any, columns: Sequence[int], title: str | None = None) -> Legend:
    """A legend with the first of these numbers of columns that the figure is wide enough for."""
    for count in columns:
        legend = figure.legend(
            handles=list(handles), loc=place, ncols=count, title=title, title_fontsize=TEXT_SIZE, alignment="left",
            handlelength=1.4, handletextpad=0.6, columnspacing=1.4, frameon=False, fontsize=TEXT_SIZE, borderpad=LEGEND_PADDING)
        set_in_math_font(legend.get_texts())
        if count == columns[-1] or legend.get_window_extent().width <= figure.bbox.width:
            break
        legend.remove()
    return legend


def checked_format(path: str | os.PathLike[str]) -> str:
    """The format that a file's suffix asks for, png if it has none; it must be one that matplotlib writes."""
    wanted = Path(path).suffix[1:].lower() or "png"
    known = new_figure().canvas.get_supported_filetypes()
    if wanted not in known:
        raise InvalidOption("picture format", wanted, f"one of {', '.join(sorted(known))}")
    return wanted


def save_figure(figure: Figure, path: str | os.PathLike[str], *, tight: bool = True) -> Path:
    """Write a figure, whole or not at all; the suffix decides the format, png if there is none.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    path : path-like
    tight : bool
        Cut the margins off; without it the picture has the figure's own size.

    Returns
    -------
    pathlib.Path
    """
    picture, wanted = BytesIO(), checked_format(path)
    # without a date the same figure makes the same file
    metadata = {"Date": None} if wanted == "svg" else None
    figure.savefig(picture, format=wanted, dpi=DOTS_PER_INCH, bbox_inches="tight" if tight else None, metadata=metadata)
    write_atomically(path, picture.getvalue())
    return Path(path)


def saved_or_drawn(figure: Figure, path: str | os.PathLike[str] | None, *, tight: bool = False) -> Figure:
    """The figure, written to `path` if there is one; `tight` as in `save_figure`."""
    if path is not None:
        save_figure(figure, path, tight=tight)
    return figure
