"""`load`: any saved result, opened again.

This file stands at the end of the road, because it must know every room that saves results; each of the modules below
registers its formats with `results.saving`.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

from .results.saving import read_result

SAVING_MODULES = ("results.ideal_files", "results.readable", "results.exact_files", "results.points_ideal",
                  "sysid.motion.files")
"""Modules that register formats of files."""


def load(path: str | os.PathLike[str]) -> Any:
    """Open a saved result, whatever its kind.

    Nothing in the file is run: it is read as JSON, and every entry is checked to be a number, a name or a flag of
    the expected shape.

    Parameters
    ----------
    path : path of a JSON file
        As the `save` of any result wrote it, in this version or version 0.1.

    Returns
    -------
    Ideal, Readable, ExactIdeal, PointsIdeal, Model, ImplicitModel or Conserved

    Raises
    ------
    InvalidModel
        If the file holds no saved result, one of an unknown version, or a damaged one.
    """
    for module in SAVING_MODULES:
        import_module(f"symknot.{module}")
    return read_result(path)
