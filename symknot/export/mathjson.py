"""MathJSON: expressions as JSON, for programs that speak it (Cortex Compute Engine and others), and the way back.

A file is a list of equations: ``["List", ["Equal", ["Add", ["Power", "x", 2], -1], 0], ...]``, with the variables' own names
in a comment.  Whole numbers beyond what JSON readers keep exactly are ``{"num": "..."}``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from ..ground.errors import InvalidModel
from ..ground.storage import checked
from ..polynomials.numerals import integer_of, integer_text
from ..polynomials.plain import Plain, constant, product_of, quotient, raised, scaled, total, variable
from .names import PLAIN, Rules, mapping_lines, read_mapping
from .registry import target
from .script import Comment
from .system import System

SAFE_INTEGER = 2**53
"""Whole numbers up to this are exact in every reader of JSON (doubles)."""
COMMENT = Comment("//")
INTEGER = re.compile(r"-?\d{1,100000}", re.ASCII)
RULES = Rules(frozenset("Add Multiply Power Rational Negate Subtract Divide Equal List Nothing True False Pi "
                        "ExponentialE ImaginaryUnit Half e i d E I Missing Undefined All None".split()), PLAIN.first)


@target("mathjson", suffix=".json", rules=RULES)
def to_mathjson(system: System) -> str:
    """The equations as MathJSON.

    Parameters
    ----------
    system : System

    Returns
    -------
    str

    Examples
    --------
    >>> from fractions import Fraction
    >>> system = System(("x", "y"), ({(2, 0): Fraction(1), (0, 1): Fraction(-1, 2)},))
    >>> print(json.loads(to_mathjson(system))["fn"][1])
    ['Equal', ['Add', ['Power', 'x', 2], ['Multiply', ['Rational', -1, 2], 'y']], 0]
    >>> read_mathjson(to_mathjson(system)) == system
    True
    """
    names = RULES.safe_names(system.names)
    equations = [["Equal", expression(terms, names), 0] for terms in system.polynomials]
    comment = COMMENT.lines(*mapping_lines(names, system.names))
    return json.dumps({"fn": ["List", *equations], "comment": comment}, indent=1) + "\n"


def expression(terms: Mapping[tuple[int, ...], Fraction], names: Sequence[str]) -> Any:
    """A polynomial as MathJSON."""
    parts = [_term(exponents, value, names) for exponents, value in terms.items()]
    return 0 if not parts else parts[0] if len(parts) == 1 else ["Add", *parts]


def read_mathjson(text: str) -> System:
    """The equations of a file that `to_mathjson` wrote, or of any list of polynomial equations in rational numbers.

    Raises
    ------
    InvalidModel
        When it holds something else.
    """
    try:
        content = json.loads(text)
        own = read_mapping(content.get("comment", "")) if isinstance(content, dict) else {}
        head, *equations = _function(content)
        if head != "List":
            raise ValueError("need a List of equations")
        names = list(own) or sorted(set().union(*map(_symbols, equations)))
        places = {name: k for k, name in enumerate(names)}
        polynomials = tuple(_equation(equation, places) for equation in equations)
        return System(tuple(own.get(name, name) for name in names), polynomials)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise InvalidModel(f"not a list of polynomial equations in MathJSON: {error}") from None


def _term(exponents, value, names):
    factors: list[Any] = [name if e == 1 else ["Power", name, e] for name, e in zip(names, exponents) if e]
    if value != 1 or not factors:
        factors.insert(0, _integer(value.numerator) if value.denominator == 1 else
                       ["Rational", _integer(value.numerator), _integer(value.denominator)])
    return factors[0] if len(factors) == 1 else ["Multiply", *factors]


def _integer(value):
    return value if abs(value) < SAFE_INTEGER else {"num": integer_text(value)}


def _function(node):
    if isinstance(node, dict):
        node = node["fn"]
    if not checked(node, list) or not isinstance(node[0], str):
        raise ValueError("need a function")
    return node


def _symbols(node: Any) -> set[str]:
    if isinstance(node, str):
        return {node}
    if isinstance(node, dict):
        return _symbols(node["fn"]) if "fn" in node else {node["sym"]} if "sym" in node else set()
    return set().union(*map(_symbols, node[1:])) if isinstance(node, list) else set()


def _equation(node: Any, places: Mapping[str, int]) -> Plain:
    head, *sides = _function(node)
    if head != "Equal" or len(sides) != 2:
        raise ValueError("need equations of two sides")
    left, right = (_value(side, places) for side in sides)
    return total([left, scaled(right, -1)])


def _value(node: Any, places: Mapping[str, int]) -> Plain:
    size = len(places)
    if isinstance(node, dict) and "num" in node:
        if INTEGER.fullmatch(checked(node["num"], str)) is None:
            raise ValueError("need whole numbers")
        return constant(integer_of(node["num"]), size)
    if isinstance(node, dict) and "sym" in node:
        node = node["sym"]
    if type(node) is int:
        return constant(node, size)
    if isinstance(node, str):
        return variable(places[node], size)
    head, *arguments = _function(node)
    parts = [_value(argument, places) for argument in arguments]
    if head == "Add":
        return total(parts)
    if head == "Negate" and len(parts) == 1:
        return scaled(parts[0], -1)
    if head == "Multiply":
        return product_of(parts, size)
    if head in ("Rational", "Divide") and len(parts) == 2:
        return quotient(parts[0], parts[1])
    if head == "Power" and len(parts) == 2:
        return raised(parts[0], parts[1], size)
    raise ValueError(f"no polynomial: {head[:40]}")
