"""OSCAR's ``.mrdi`` files: an ideal of a polynomial ring over the rational numbers, as JSON, and the way back.

Form of version 1.4: the ring is an entry of ``_refs``, with the variables' names as they are; a polynomial is a list of
terms, exponents and coefficient, all of them texts; a fraction is ``3//7``.  Knots and notes have no place there.
"""

from __future__ import annotations

import json
import re
from fractions import Fraction
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from ..ground.errors import InvalidModel
from ..ground.storage import checked
from ..polynomials.conversion import LARGEST_DEGREE
from ..polynomials.numerals import integer_of, integer_text
from .registry import target
from .system import System

NAMESPACE = {"Oscar": ["https://github.com/oscar-system/Oscar.jl", "1.4.0"]}
NUMBER = re.compile(r"(-?\d{1,100000})(?://(\d{1,100000}))?", re.ASCII)
"""A coefficient; its length is capped, as that of every number that is read."""
EXPONENT = re.compile(r"\d{1,9}", re.ASCII)


@target("mrdi", suffix=".mrdi")
def to_mrdi(system: System) -> str:
    """The ideal as OSCAR loads it: ``load("file.mrdi")``.

    Parameters
    ----------
    system : System

    Returns
    -------
    str

    Examples
    --------
    >>> from fractions import Fraction
    >>> system = System(("x",), ({(2,): Fraction(-1, 2)},))
    >>> read_mrdi(to_mrdi(system)) == system
    True
    """
    ring = str(uuid5(NAMESPACE_URL, "symknot ring " + json.dumps(system.names)))
    content = {
        "_ns": NAMESPACE, "_type": {"name": "MPolyIdeal", "params": ring},
        "data": [[[list(map(str, exponents)), _text(value)] for exponents, value in terms.items()]
                 for terms in system.polynomials],
        "_refs": {ring: {"_type": {"name": "MPolyRing", "params": {"_type": "QQField"}},
                         "data": {"symbols": list(system.names)}}}}
    return json.dumps(content, indent=1) + "\n"


def read_mrdi(text: str) -> System:
    """The equations of an ideal, or of one polynomial, over the rational numbers.

    Raises
    ------
    InvalidModel
        When the text does not follow the format, or is something else.
    """
    try:
        content = json.loads(text)
        kind = checked(content["_type"], dict)
        ring = checked(content["_refs"], dict)[checked(kind["params"], str)]
        field = ring["_type"]["params"] if isinstance(ring["_type"], dict) else ring["data"]["base_ring"]
        if kind["name"] not in ("MPolyIdeal", "MPolyRingElem") or "QQField" not in (field, field.get("_type")):
            raise ValueError("need an ideal or a polynomial over QQField")
        names = tuple(checked(name, str) for name in checked(ring["data"]["symbols"], list))
        rows = checked(content["data"], list) if kind["name"] == "MPolyIdeal" else [content["data"]]
        return System(names, tuple(_terms(row, len(names)) for row in rows))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise InvalidModel(f"not an ideal in a .mrdi file: {error}") from None


def _text(value: Fraction) -> str:
    return integer_text(value.numerator) + (f"//{integer_text(value.denominator)}" if value.denominator > 1 else "")


def _terms(rows: Any, dimension: int) -> dict[tuple[int, ...], Fraction]:
    terms = {}
    for exponents, value in checked(rows, list):
        found = NUMBER.fullmatch(checked(value, str))
        if len(checked(exponents, list)) != dimension or found is None \
                or not all(EXPONENT.fullmatch(checked(e, str)) for e in exponents):
            raise ValueError(f"need {dimension} exponents and a fraction, all as text")
        key = tuple(map(int, exponents))
        if key in terms or sum(key) > LARGEST_DEGREE:
            raise ValueError(f"need each monomial once, of degree <= {LARGEST_DEGREE}")
        terms[key] = Fraction(integer_of(found[1]), integer_of(found[2] or "1"))
    return {key: value for key, value in terms.items() if value}
