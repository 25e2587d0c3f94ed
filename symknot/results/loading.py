"""Reading a saved `Ideal` back: numbers, names and flags only, nothing in the file is ever run."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from ..ground.errors import InvalidModel, Status
from .ideal import FORMAT, VERSION, DegreeRecord, Ideal
from ..fitting.normalization import NORMALIZATIONS
from ..fitting.stored import stored_recursion, stored_spectrum
from ..ground.storage import checked, flags, floats, number, positive, read_json, whole_numbers


def load(path):
    """Read an `Ideal` that `Ideal.save` wrote.

    Nothing in the file is run: it is read as JSON, and every entry is checked to be a
    number, a name or a flag of the expected shape.

    Parameters
    ----------
    path : path of a JSON file

    Returns
    -------
    Ideal
    """
    content = read_json(path, FORMAT, VERSION)
    try:
        return _ideal(content)
    except (KeyError, TypeError, ValueError, IndexError, OverflowError) as error:
        raise InvalidModel(f"{path}: damaged: {error!r}") from None


def _ideal(content):
    names = tuple(checked(name, str) for name in checked(content["names"], list))
    d = len(names)
    recursion = stored_recursion(content["recursion"])
    if recursion.dimension != d:
        raise ValueError(f"{d} names for {recursion.dimension} variables")
    count = len(recursion.G_degrees)
    if content["normalization"] not in NORMALIZATIONS:
        raise ValueError(f"normalization {content['normalization']!r}")
    knots = floats(content["knots"], (None, d))
    epsilon = content["epsilon"]
    assignment = whole_numbers(content["assignment"], -1, len(knots))
    if len(set(names)) != d or not len(knots) or not len(assignment):
        raise ValueError("names must differ, and there must be knots and points")
    return Ideal(
        names=names, center=floats(content["center"], (d,)),
        scale=np.array([positive(value) for value in floats(content["scale"], (d,))]),
        unit=positive(content["unit"]), normalization=content["normalization"], recursion=recursion,
        essential=flags(content["essential"], count), residuals=floats(content["residuals"], (count,)),
        knot_residuals=floats(content["knot_residuals"], (count,)), knots=knots,
        knot_weights=np.array([positive(value) for value in floats(content["knot_weights"], (len(knots),))]),
        assignment=assignment, epsilon=None if epsilon is None else positive(epsilon),
        delta=positive(content["delta"]),
        status=Status(content["status"]), message=checked(content["message"], str),
        history=tuple(_record(record) for record in checked(content["history"], list)),
        spectrum=stored_spectrum(content["spectrum"]))


def _record(content):
    arrays = ("data_values", "knot_values")
    numbers = ("eta", "seconds")
    return DegreeRecord(**{field.name: floats(content[field.name], (None,)) if field.name in arrays
                           else number(content[field.name]) if field.name in numbers
                           else checked(content[field.name], int) for field in fields(DegreeRecord)})
