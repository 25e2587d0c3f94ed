"""Dimensions of variables from words for their units, and the terms that they leave.

A unit is a product of powers of words: ``kg*m^2/s``, ``1/h``, ``mmol/L``.  Only its dimension counts, not its size.  A word
that is no physical unit, such as ``prey``, is a dimension of its own.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import product

from ...ground.errors import InvalidOption

Dimension = dict[str, Fraction]
HIGHEST_CONSTANT_POWER = 3
"""Powers of constants that a coefficient may be a product of: a convention, more than any law of nature has."""
PREFIXES = ("da", "Y", "Z", "E", "P", "T", "G", "M", "k", "h", "d", "c", "m", "u", "µ", "μ", "n", "p", "f", "a")

_BASE = {"m": {"length": 1}, "g": {"mass": 1}, "s": {"time": 1}, "A": {"current": 1}, "K": {"temperature": 1},
         "mol": {"amount": 1}, "cd": {"light": 1}}
_DERIVED = {"N": "g*m/s^2", "J": "g*m^2/s^2", "W": "g*m^2/s^3", "Pa": "g/m/s^2", "bar": "g/m/s^2", "Hz": "1/s", "C": "A*s",
            "V": "g*m^2/s^3/A", "ohm": "g*m^2/s^3/A^2", "F": "A^2*s^4/g/m^2", "H": "g*m^2/s^2/A^2", "T": "g/s^2/A",
            "Wb": "g*m^2/s^2/A", "L": "m^3", "l": "m^3", "eV": "g*m^2/s^2"}
_WORDS = {"meter": "m", "metre": "m", "gram": "g", "second": "s", "sec": "s", "ampere": "A", "kelvin": "K", "degC": "K",
          "mole": "mol", "newton": "N", "joule": "J", "watt": "W", "pascal": "Pa", "hertz": "Hz", "volt": "V", "liter": "L",
          "litre": "L", "min": "s", "minute": "s", "h": "s", "hr": "s", "hour": "s", "d": "s", "day": "s", "week": "s",
          "yr": "s", "year": "s", "kilogram": "g", "kilometer": "m", "t": "g", "tonne": "g", "molar": "mol/L"}
_NONE = ("rad", "radian", "deg", "degree", "percent", "dimensionless", "count", "one")


def dimension_of(text: str, what: str = "units") -> Dimension:
    """The dimension of a unit.

    Examples
    --------
    >>> dimension_of("km/h") == dimension_of("m/s"), dimension_of("rad")
    (True, {})
    >>> {word: str(power) for word, power in dimension_of("kg*m^2").items()}
    {'mass': '1', 'length': '2'}
    """
    rule = "a product of powers of units, such as 'kg*m^2/s' or '1/h'"
    if not isinstance(text, str):
        raise InvalidOption(what, text, rule)
    try:
        return _dimension(ast.parse(text.replace("^", "**").strip() or "1", mode="eval").body)
    except (SyntaxError, ValueError, RecursionError):
        raise InvalidOption(what, text[:80], rule) from None


def _dimension(node):
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return {}
    if isinstance(node, ast.Name):
        return _of_word(node.id)
    if isinstance(node, ast.BinOp):
        if isinstance(node.op, ast.Pow):
            return power(_dimension(node.left), _number(node.right))
        if isinstance(node.op, (ast.Mult, ast.Div)):
            return times(_dimension(node.left), power(_dimension(node.right), 1 if isinstance(node.op, ast.Mult) else -1))
    raise ValueError("no unit")


def _number(node):
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_number(node.operand)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        return _number(node.left) / _number(node.right)
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return Fraction(str(node.value))
    raise ValueError("no number")


def _of_word(word):
    """The dimension of one word: a unit, one with a prefix, a plural, or a dimension of its own."""
    for name in (word, word.removesuffix("s") if len(word) > 3 else word):
        if name in _NONE:
            return {}
        for prefix in ("", *PREFIXES):
            rest = name.removeprefix(prefix) if name.startswith(prefix) else ""
            if rest in _BASE:
                return {key: Fraction(value) for key, value in _BASE[rest].items()}
            if rest in _DERIVED:
                return dimension_of(_DERIVED[rest])
            if rest in _WORDS and not prefix:
                return dimension_of(_WORDS[rest])
    return {word: Fraction(1)}


def times(one: Mapping[str, Fraction], other: Mapping[str, Fraction]) -> Dimension:
    """The product of two dimensions."""
    total = {key: one.get(key, Fraction(0)) + other.get(key, Fraction(0)) for key in (*one, *other)}
    return {key: value for key, value in total.items() if value}


def power(one: Mapping[str, Fraction], exponent: Fraction | int) -> Dimension:
    """A power of a dimension."""
    return {key: value * exponent for key, value in one.items() if exponent}


def coefficient_dimensions(constants: Iterable[Mapping[str, Fraction]]) -> set[frozenset]:
    """Dimensions that coefficients may have: products of powers of those of the constants."""
    constants, reach = list(constants), range(-HIGHEST_CONSTANT_POWER, HIGHEST_CONSTANT_POWER + 1)
    found = set()
    for powers in product(reach, repeat=len(constants)):
        total: Dimension = {}
        for constant, exponent in zip(constants, powers):
            total = times(total, power(constant, exponent))
        found.add(frozenset(total.items()))
    return found
