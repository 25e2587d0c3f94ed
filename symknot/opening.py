"""`load`: any saved result, opened again.

This file stands near the end of the road, because it must know every room that saves results; each of the modules below
registers its formats with `results.saving`.  They are imported one after the other until one knows the file's format:
who opens a fit does not wait for system identification.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

from .ground.storage import read_any_json
from .results.saving import READERS, result_of

SAVING_MODULES = ("results.ideal_files", "results.readable", "results.exact_files", "results.points_ideal",
                  "sysid.motion.files", "sysid.motion.implicit", "sysid.invariants.files", "family.generators")
"""Modules that register formats of files, those of the lower rooms first."""


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
    Ideal, Readable, ExactIdeal, PointsIdeal, Model, ImplicitModel, Conserved or Generators

    Raises
    ------
    InvalidModel
        If the file holds no saved result, one of an unknown version, or a damaged one.
    """
    content = read_any_json(path)
    for module in SAVING_MODULES:
        if isinstance(content.get("format"), str) and content["format"] in READERS:
            break
        import_module(f"symknot.{module}")
    return result_of(content, path)
