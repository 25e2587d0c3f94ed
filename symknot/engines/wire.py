"""Systems, polynomials and fractions as JSON between two Python processes."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Any

from ..polynomials.rational_json import rational_from_json, rational_json, terms_from_json, terms_json
from .conversion import Generators


def encoded(value: Any) -> Any:
    """Plain data of an engine's call or answer as JSON data.

    Examples
    --------
    >>> encoded([{(2, 0): Fraction(-1, 10)}, 3])
    [{'terms': [[[2, 0], '-0x1', '0xa']]}, 3]
    """
    if isinstance(value, Generators):
        return {"size": value.size, "polynomials": encoded(value.polynomials)}
    if isinstance(value, dict):
        return {"terms": terms_json(value)}
    if isinstance(value, Fraction):
        return {"fraction": rational_json(value)}
    if isinstance(value, (list, tuple)):
        return [encoded(part) for part in value]
    return value


def decoded(value: Any) -> Any:
    """What `encoded` wrote; tuples come back as lists, except exponents and those of generators."""
    if isinstance(value, list):
        return [decoded(part) for part in value]
    if not isinstance(value, dict):
        return value
    if "size" in value:
        return Generators(value["size"], tuple(decoded(value["polynomials"])))
    if "fraction" in value:
        return rational_from_json(value["fraction"], longest=inf)
    return terms_from_json(value["terms"], longest=inf)
