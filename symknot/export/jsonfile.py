"""JSON: the whole system, exactly, and the way back.

Numbers as in `rational_json`.  Reading trusts nothing: each entry is matched whole and capped
in length, and nothing in a file is ever run.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NoReturn

from ..ground.errors import InvalidModel
from ..ground.storage import checked
from ..polynomials.conversion import LARGEST_DEGREE
from ..polynomials.rational_json import rational_from_json, rational_json, terms_from_json, terms_json
from .registry import target
from .system import System

FORMAT, VERSION = "symknot-system", 1
KEYS = ("format", "version", "names", "polynomials", "knots", "title", "notes", "polynomial_notes", "approximate",
        "sound", "warning")
SHOWN_OF_A_WRONG_NUMBER = 40
"""Characters of a wrong number in a message: it stays one line."""
LONGEST_TEXT = 100_000
"""Characters of one text (title, note, name) that is read: far more than any export writes, and a bound on memory."""


@target("json", suffix=".json")
def to_json(system: System) -> str:
    """The system as JSON; `read_json_system` reads it back.

    Parameters
    ----------
    system : System

    Returns
    -------
    str

    Examples
    --------
    >>> from fractions import Fraction
    >>> system = System(("x",), ({(2,): Fraction(1, 2)},))
    >>> read_json_system(to_json(system)) == system
    True
    """
    content: dict[str, Any] = {
        "format": FORMAT, "version": VERSION, "names": list(system.names),
        "polynomials": [terms_json(terms) for terms in system.polynomials],
        "knots": [[rational_json(value) for value in knot] for knot in system.knots],
        "title": system.title, "notes": list(system.notes), "polynomial_notes": list(system.polynomial_notes),
        "approximate": list(system.approximate), "sound": system.sound, "warning": system.warning}
    body = (f" {json.dumps(key)}: " + (_rows(value) if key in ("polynomials", "knots") else json.dumps(value))
            for key, value in content.items())
    return "{\n" + ",\n".join(body) + "\n}\n"


def _rows(rows: Iterable[Any]) -> str:
    return "[\n" + ",\n".join("  " + json.dumps(row) for row in rows) + "\n ]"


def read_json_system(text: str) -> System:
    """The `System` that `to_json` wrote.

    Parameters
    ----------
    text : str

    Returns
    -------
    System

    Raises
    ------
    InvalidModel
        When the text does not follow the format.
    """
    try:
        content = json.loads(checked(text, str), object_pairs_hook=_once, parse_constant=_refuse, parse_float=_refuse)
        if not isinstance(content, dict) or set(content) != set(KEYS):
            raise ValueError(f"need the entries {', '.join(KEYS)}")
        if content["format"] != FORMAT or checked(content["version"], int) != VERSION:
            raise ValueError(f"need format {FORMAT!r}, version {VERSION}")
        names = _texts(content["names"])
        polynomials = tuple(terms_from_json(rows, len(names), LARGEST_DEGREE)
                            for rows in checked(content["polynomials"], list))
        knots = tuple(tuple(map(rational_from_json, _of_length(knot, len(names))))
                      for knot in checked(content["knots"], list))
        warning = content["warning"]
        return System(names, polynomials, knots, _text(content["title"]), _texts(content["notes"]),
                      _texts(content["polynomial_notes"]), _texts(content["approximate"]),
                      checked(content["sound"], bool), None if warning is None else _text(warning))
    except (ValueError, RecursionError) as error:
        raise InvalidModel(f"not a system as symknot writes it: {error}") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) != len(pairs):
        raise ValueError("an entry is there twice")
    return entries


def _refuse(text: str) -> NoReturn:
    raise ValueError(f"numbers must be whole, got {text[:SHOWN_OF_A_WRONG_NUMBER]}")


def _text(value: Any) -> str:
    if len(checked(value, str)) > LONGEST_TEXT:
        raise ValueError(f"text longer than {LONGEST_TEXT} characters")
    return value


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(_text(entry) for entry in checked(value, list))


def _of_length(value: Any, length: int) -> list[Any]:
    if len(checked(value, list)) != length:
        raise ValueError(f"need a list of {length}, got {len(value)}")
    return value
