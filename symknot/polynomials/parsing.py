"""Polynomials and relations from text, without ever running it.

Python's own parser makes a tree of the text; from it only sums, products, quotients by numbers, whole powers, numbers and
the names of variables are taken.  Decimal numbers are exact: 0.1 is 1/10.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ..ground.errors import InvalidOption
from .numerals import integer_of
from .plain import Plain, Refused, constant, product, quotient, raised, scaled, total, variable

LONGEST_TEXT = 100_000
"""Characters of a text that is read: far more than anyone types, and a bound on memory."""
RELATION = re.compile(r"(<=|>=|==|!=|<|>|=)")
NUMBER = re.compile(r"(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?", re.ASCII)
"""Of a number; powers of ten are capped, since 1e400000000 would fill the memory."""

LONG = re.compile(r"(?<![\w.])((?=[\d.]{4000})(?:\d+\.?\d*|\.\d+))([eE][+-]?\d{1,4})?(?![\w.])", re.ASCII)
"""A number of thousands of digits, which Python's own parser does not read."""
NAMED = re.compile(r"[^\W\d]\w*('+|\([^\W\d]\w*\))")
"""A variable's name that is no word, but can be told in a text: of a derivative or of a function of a word."""


def relation_from_text(text: str, names: Sequence[str], what: str = "relation") -> tuple[Plain, str]:
    """The polynomial left - right, and the sign that compares it with 0: one of <=, >=, =, !=, <, >.

    A text without a sign is a polynomial that is to be zero.

    Examples
    --------
    >>> relation_from_text("x**2 + y^2 <= 4", ["x", "y"])
    ({(2, 0): Fraction(1, 1), (0, 2): Fraction(1, 1), (0, 0): Fraction(-4, 1)}, '<=')
    """
    if not isinstance(text, str) or len(text) > LONGEST_TEXT:
        raise InvalidOption(what, text if isinstance(text, str) and len(text) < 80 else type(text).__name__,
                            f"a text of at most {LONGEST_TEXT} characters")
    parts = RELATION.split(text)
    if len(parts) not in (1, 3):
        raise InvalidOption(what, text, "one comparison: a polynomial, a sign and a polynomial")
    left = polynomial_from_text(parts[0], names, what)
    if len(parts) == 1:
        return left, "="
    return total([left, scaled(polynomial_from_text(parts[2], names, what), -1)]), "=" if parts[1] == "==" else parts[1]


def polynomial_from_text(text: str, names: Sequence[str], what: str = "polynomial") -> Plain:
    """A polynomial with rational coefficients in variables `names`.

    Parameters
    ----------
    text : str
        Such as ``x**2 - 3/7*x*y - 0.1``; ``^`` is a power, too.
    names : sequence of str
        Words, also with primes (``x'``) or as a function of one (``sin(x)``); variables that are called otherwise cannot be
        named in a text.
    what : str
        What it is called in messages.

    Returns
    -------
    dict
        Exponent tuple -> Fraction.

    Examples
    --------
    >>> polynomial_from_text("(x + y)**2 - x^2 - 0.1*y", ["x", "y"])
    {(1, 1): Fraction(2, 1), (0, 2): Fraction(1, 1), (0, 1): Fraction(-1, 10)}
    >>> polynomial_from_text("f(x)", ["x"])
    Traceback (most recent call last):
    ...
    symknot.ground.errors.InvalidOption: polynomial must be made of numbers, x, + - * / ** and parentheses (no f(x)), got 'f(x)'
    """
    return {exponents: value for exponents, value in _read(text, names, what, _value).items() if value}


def _read(text: str, names: Sequence[str], what: str, value: Callable[..., Any]) -> Any:
    """What `value` makes of the text's tree; names that are no words, and long numbers, are words there."""
    source, places = text.replace("^", "**").strip(), {name: k for k, name in enumerate(names)}
    for k, name in enumerate(names):
        if not name.isidentifier() and NAMED.fullmatch(name):
            word = next(word for word in (f"n{k}{'_' * more}" for more in range(len(source) + 1)) if word not in source)
            source = re.sub(rf"(?<![\w']){re.escape(name)}(?![\w'(])", word, source)
            places[word] = k
    long: dict[str, Fraction] = {}
    source = LONG.sub(lambda found: _set_aside(found, source, long), source)
    rule = f"made of numbers, {', '.join(names)}, + - * / ** and parentheses"
    try:
        return value(ast.parse(source, mode="eval").body, {**places, **long}, len(names), source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        reason = str(error) if isinstance(error, Refused) else ""
        raise InvalidOption(what, text[:200], rule + (f" ({reason})" if reason else "")) from None


def fraction_from_text(text: str, names: Sequence[str], what: str = "fraction") -> tuple[Plain, Plain]:
    """Numerator and denominator of a fraction of polynomials; other parameters as in `polynomial_from_text`.

    Examples
    --------
    >>> fraction_from_text("1 - 2*x/(x + 3)", ["x"])
    ({(1,): Fraction(-1, 1), (0,): Fraction(3, 1)}, {(1,): Fraction(1, 1), (0,): Fraction(3, 1)})
    """
    return _read(text, names, what, _fraction)


def _fraction(node: ast.expr, places: Mapping[str, int | Fraction], size: int, source: str) -> tuple[Plain, Plain]:
    one = {(0,) * size: Fraction(1)}
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        above, below = _fraction(node.operand, places, size, source)
        return scaled(above, -1 if isinstance(node.op, ast.USub) else 1), below
    if not isinstance(node, ast.BinOp) or isinstance(node.op, ast.Pow):
        return _value(node, places, size, source), one
    (a, b), (c, d) = (_fraction(side, places, size, source) for side in (node.left, node.right))
    if isinstance(node.op, (ast.Add, ast.Sub)):
        if b == d:
            return _operation(node.op, a, c, size), b
        return _operation(node.op, product(a, d), product(c, b), size), product(b, d)
    if isinstance(node.op, ast.Mult):
        return product(a, c), product(b, d)
    if not isinstance(node.op, ast.Div) or not c:
        raise Refused("no division by 0" if isinstance(node.op, ast.Div) else "no such operation")
    return product(a, d), product(b, c)


def _set_aside(found: re.Match[str], source: str, numbers: dict[str, Fraction]) -> str:
    """A word for a number that is too long for Python's parser; the number is noted under it."""
    whole, _, decimals = found[1].partition(".")
    value = Fraction(integer_of((whole + decimals).lstrip("0") or "0"), 10 ** len(decimals))
    word = next(word for word in (f"n{len(numbers)}{'_' * more}n" for more in range(len(source) + 1)) if word not in source)
    numbers[word] = value * Fraction(10) ** int(found[2][1:]) if found[2] else value
    return word


def _value(node: ast.expr, places: Mapping[str, int | Fraction], size: int, source: str) -> Plain:
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        text = (ast.get_source_segment(source, node) or "").replace("_", "")
        if NUMBER.fullmatch(text) is None:
            raise Refused("decimal numbers, with powers of ten of at most four digits")
        return constant(Fraction(text), size)
    if isinstance(node, ast.Name) and (found := places.get(node.id)) is not None:
        return constant(found, size) if isinstance(found, Fraction) else variable(found, size)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        return scaled(_value(node.operand, places, size, source), -1 if isinstance(node.op, ast.USub) else 1)
    if isinstance(node, ast.BinOp):
        left, right = (_value(side, places, size, source) for side in (node.left, node.right))
        return _operation(node.op, left, right, size)
    raise Refused(f"no {ast.unparse(node)[:40]}")


def _operation(op: ast.operator, left: Plain, right: Plain, size: int) -> Plain:
    if isinstance(op, ast.Add):
        return total([left, right])
    if isinstance(op, ast.Sub):
        return total([left, scaled(right, -1)])
    if isinstance(op, ast.Mult):
        return product(left, right)
    if isinstance(op, ast.Div):
        return quotient(left, right)
    if isinstance(op, ast.Pow):
        return raised(left, right, size)
    raise Refused("no such operation")
