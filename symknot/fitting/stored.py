"""Recursions and spectra read back from JSON: every entry is checked, nothing is ever run."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

from ..ground.storage import checked, flags, floats, number, positive, whole_numbers
from .power_law import PowerLaw
from .recursion import Layer, Products, Recursion
from .spectrum import Gap, Spectrum, SpectrumDegree

LARGEST_EXPONENT = 100
"""Exponent of a power law in a file: a convention, far above those that are ever found."""


def stored_recursion(content: Any) -> Recursion:
    """The `Recursion` that `plain` wrote."""
    dimension = checked(content["dimension"], int)
    if dimension < 1:
        raise ValueError(f"dimension {dimension}")
    recursion = Recursion(dimension, number(content["constant"]))
    for layer in checked(content["layers"], list):
        sizes = recursion.sizes
        first, last = (dimension, 1) if recursion.degree == 0 else (sizes[1], sizes[-1])
        left, right = whole_numbers(layer["left"], 0, first), whole_numbers(layer["right"], 0, last)
        if len(left) != len(right) or (recursion.degree == 0 and len(left) != dimension):
            raise ValueError("products of unequal length")
        rows = sum(sizes) + len(left)
        F, G = (_stored_matrix(layer[key], rows) for key in "FG")
        products = Products(left, right, np.eye(len(left)))
        recursion = recursion.with_layer(Layer(products, F, G, flags(layer["adjustable"], F.shape[1])))
    return recursion


def _stored_matrix(content, rows):
    shape = tuple(checked(size, int) for size in content["shape"])
    if len(shape) != 2 or shape[0] != rows or shape[1] < 0:
        raise ValueError(f"matrix of shape {shape}, need {rows} rows")
    return floats(content["entries"], (shape[0] * shape[1],)).reshape(shape)


def stored_law(content: Any, dimension: int) -> PowerLaw | None:
    """The `PowerLaw` (or None) that `plain` wrote."""
    if content is None:
        return None
    exponents = np.array([[checked(entry, int) for entry in checked(row, list)] for row in checked(content["exponents"], list)])
    if exponents.ndim != 2 or exponents.shape[1] != dimension or np.abs(exponents).max() > LARGEST_EXPONENT \
            or np.linalg.matrix_rank(exponents) < len(exponents):
        raise ValueError(f"exponents of shape {exponents.shape} for {dimension} variables")
    k = len(exponents)
    return PowerLaw(exponents, floats(content["logs"], (k,)), floats(content["covariance"], (k, k)),
                    positive(content["noise"]), number(content["chance"]))


def stored_spectrum(content: Any) -> Spectrum | None:
    """The `Spectrum` (or None) that `plain` wrote."""
    if content is None:
        return None
    degrees = tuple(SpectrumDegree(checked(row["degree"], int), floats(row["values"], (None,)),
                                   number(row["points_left"]), number(row["points"]))
                    for row in checked(content["degrees"], list))
    return Spectrum(degrees, _stored_gap(content["gap"]), number(content["spread"]))


def _stored_gap(content):
    if content is None:
        return None
    whole = ("degree", "count", "last_degree", "silent")
    return Gap(**{field.name: checked(content[field.name], int) if field.name in whole
                  else number(content[field.name]) for field in fields(Gap) if field.name in content})
