"""Pictures in general: figures without a window, written whole or not at all.

matplotlib is an optional companion (extra ``plot``), imported only when a picture is asked for.  Figures are made
without pyplot, so nothing opens a window and nothing is kept alive behind the caller's back: the same call works on a
server without a display and in a notebook.
"""

from __future__ import annotations

import os
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..ground.errors import InvalidOption, MissingExtra
from ..ground.storage import write_atomically

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DOTS_PER_INCH = 150
"""Of pictures in pixels: a convention, sharp on a screen and small as a file."""


def new_figure(**options: Any) -> Figure:
    """An empty figure; `options` as those of `matplotlib.figure.Figure`."""
    try:
        import matplotlib  # noqa: F401 (first, so that a missing package is told from a broken one)
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise MissingExtra("matplotlib", "plot") from error
    return Figure(**options)


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


def saved_or_drawn(figure: Figure, path: str | os.PathLike[str] | None) -> Figure:
    """The figure, written to `path` if there is one."""
    if path is not None:
        save_figure(figure, path)
    return figure
