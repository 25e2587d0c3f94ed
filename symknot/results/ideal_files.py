"""Reading a saved `Ideal` back: numbers, names and flags only, nothing in the file is ever run."""

from __future__ import annotations

import numpy as np

from ..fitting.normalization import NORMALIZATIONS
from ..fitting.progressed import read_record
from ..fitting.stored import stored_law, stored_recursion, stored_spectrum
from ..ground.errors import Status
from ..ground.storage import checked, different_names, flags, floats, not_negative, positive, whole_numbers
from ..ground.wording import beginning
from .ideal import FORMAT, VERSION, Ideal
from .saving import reader

LONGEST_NORMALIZATION = 100
"""Characters of the name of a normalization in a file: a convention."""

KNOTS_TRIED = 1000
"""Knots at which the equations of a file are worked out, for a look at its numbers: a convention, some milliseconds."""
LARGEST_INSIDE = 1e100
"""Knots, values and slopes inside, where points have spread 1: a convention, beyond it squares of products are lost."""


@reader(FORMAT, versions=(1, VERSION))
def read_ideal(content: dict) -> Ideal:
    """The `Ideal` of a file's content."""
    content = content if content["version"] == VERSION else _of_first_version(content)
    names = different_names(content["names"])
    d = len(names)
    recursion = stored_recursion(content["recursion"])
    if recursion.dimension != d:
        raise ValueError(f"{d} names for {recursion.dimension} variables")
    count = len(recursion.G_degrees)
    if len(checked(content["normalization"], str)) > LONGEST_NORMALIZATION:
        raise ValueError(f"normalization {beginning(content['normalization'])!r}...")
    knots = floats(content["knots"], (None, d))
    epsilon = content["epsilon"]
    found = content["assignment"]
    assignment = None if found is None else whole_numbers(found, -1, len(knots))
    if not len(knots) or assignment is not None and not len(assignment):
        raise ValueError("there must be knots and points")
    return _usable(Ideal(
        names=names, center=floats(content["center"], (d,)),
        scale=floats(content["scale"], (d,), positive),
        unit=positive(content["unit"]), normalization=content["normalization"],
        residual_is_distance=checked(content["residual_is_distance"], bool), mass=positive(content["mass"]),
        recursion=recursion, essential=flags(content["essential"], count),
        residuals=floats(content["residuals"], (count,), not_negative),
        knot_residuals=floats(content["knot_residuals"], (count,), not_negative),
        knots=knots, knot_weights=floats(content["knot_weights"], (len(knots),), positive),
        assignment=assignment, epsilon=None if epsilon is None else positive(epsilon),
        delta=positive(content["delta"]),
        status=Status(content["status"]), message=checked(content["message"], str),
        history=tuple(read_record(record) for record in checked(content["history"], list)),
        spectrum=stored_spectrum(content["spectrum"]), law=stored_law(content.get("law"), d),
        noise_log_errors=_log_errors(content.get("noise_log_errors"), d),
        outliers=whole_numbers(content.get("outliers", []), 0, 0 if assignment is None else len(assignment)),
        alternatives=tuple(read_ideal({**checked(rival, dict), "version": VERSION})
                           for rival in checked(content.get("alternatives", []), list))))


def _usable(ideal):
    """The ideal, if its numbers fit together: knots of moderate size inside, and equations that can be worked out there."""
    with np.errstate(all="ignore"):
        inside = ideal.inside(ideal.knots[:: 1 + len(ideal.knots) // KNOTS_TRIED])
        values = ideal.recursion.evaluate(inside, derivatives=True)
    for what, numbers in (("knots", inside), ("equations", values.G), ("slopes of the equations", values.dG)):
        if not (np.abs(numbers) <= LARGEST_INSIDE).all():
            raise ValueError(f"{what} that do not fit the other numbers")
    return ideal


def _of_first_version(content):
    """Content of version 1, which named the normalization and left the rest to the reader."""
    if content["normalization"] not in NORMALIZATIONS:
        raise ValueError(f"normalization {beginning(content['normalization'])!r}")
    normalization = NORMALIZATIONS[content["normalization"]]()
    count = sum(checked(place, int) >= 0 for place in checked(content["assignment"], list))
    return {**content, "residual_is_distance": normalization.residual_is_distance, "mass": normalization.mass(count)}


def _log_errors(content, d):
    """Standard errors of the logarithms of noise levels; None in a file stands for infinity."""
    if content is None:
        return None
    entries = checked(content, list)
    if len(entries) != d:
        raise ValueError(f"{len(entries)} standard errors for {d} variables")
    return np.array([np.inf if entry is None else positive(entry) for entry in entries])
