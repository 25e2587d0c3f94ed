r"""Check a certificate again, with nothing but Python's standard library.

    python verify.py certificate.json

This file needs no other: copy it anywhere, read it, and run it.  It shares no code with the programs that make
certificates, on purpose, and takes nothing from the file but numbers: the words in it are not read, everything that is
claimed is worked out again in exact rational arithmetic.  The exit code is 0 when every statement holds, 1 when one
does not, 2 when the file cannot be read or states nothing.

There are four kinds of statements about the polynomials p in the file.  Write D p for a polynomial multiplied by the
least common denominator of its coefficients; and, for square matrices C, M and a vector rho, s_i(C, M, rho) for the sum
over j of |I - C M|_ij plus the sum over k of |C_ik| rho_k.  If each row k of a matrix M' differs from that of M by at
most rho_k in absolute sum, row i of I - C M' has absolute sum at most s_i; if all s_i < 1, C and M' are invertible.

`vanishing`: the polynomials are zero at the points.  They are evaluated.

`unique zero`: the box :math:`|x_j - center_j| \le radii_j` holds exactly one common zero of the chosen polynomials and
of the linear equations plane (x - center) = 0, as many equations F = 0 together as there are variables.  With x_j =
center_j + radii_j t_j, t in [-1, 1]^d, the equations (D p for a polynomial) are expanded in t.  Let J be the Jacobian
in t, C the preconditioner, and rho_k the sum of |e| |coefficient of t^e in F_k| over |e| >= 2, by which row k of J(t)
differs at most from that of J(0).  If |C F(0)|_i + s_i(C, J(0), rho) < 1 for all i, then t - C F(t) maps the box into
its interior and contracts, so it has exactly one fixed point (Banach), which is the only zero of F in the box since C
is invertible (Krawczyk 1969).  The polynomials in `bounds` are at most that large in absolute value on the whole box:
their absolute coefficients in t add up to no more.

`also zero`: at the zeros of the `knots`, each in the box of its own statement `unique zero`, the polynomials h listed
are zero as well.  Each of the `syzygies`, as many as there are h, gives a multiplier for every polynomial of the file;
it is checked that the products add up to the zero polynomial.  Multipliers other than zero belong to the h or to the
polynomials f of the knot's system, which are zero there, so that U h = 0 for the matrix U of the multipliers of the h.
With U expanded in t, C the knot's matrix and rho_k the absolute sum of the coefficients in row k of U but those of
U(0): if all s_i(C, U(0), rho) < 1, then U(t) is invertible in the whole box, and h = 0.

`groebner basis`: the polynomials are the reduced Groebner basis of the ideal I of all polynomials that vanish on the
points.  Checked: the n points are distinct; all polynomials vanish on them, so their leading monomials lie in the
monomial ideal LM(I); the monomials that none of the leading ones divides are n in number.  The monomials outside LM(I)
are a basis of the functions on the points (interpolation), so they too are n, and they are among the former: both sets
are equal, the leading monomials generate LM(I), and that is what a Groebner basis is.  It is reduced when leading
coefficients are 1 and no term is divisible by the leading monomial of another.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections import Counter
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from functools import partial
from itertools import product
from math import comb, lcm, prod
from operator import add, mul
from typing import Any, NamedTuple

# Limits, so that a hostile file ends in an answer soon. They are conventions, each far above what honest files need.
LARGEST_FILE = 2**30
"""Bytes; a certified knot in three variables takes about one kilobyte."""
MOST_VARIABLES = 1000
MOST_INDEX_DIGITS = 12
"""Of plain integers, that is places in lists and exponents; all others are hexadecimal."""
MOST_HEX_DIGITS = 200_000
"""Of a numerator or denominator."""
HIGHEST_DEGREE = 255
MOST_DIVISORS = 10**6
"""Of a monomial: its terms when it is expanded around a point."""
MOST_BITS = 2 * 10**6
"""Of a common denominator of coefficients or coordinates, and of a coordinate's power in the highest degree."""
MOST_MEMORY_BITS = 4 * 10**9
"""Of the numbers in one expanded polynomial: half a gigabyte."""
MOST_STEPS = 3 * 10**8
"""Estimated microseconds of all statements together: five minutes.  Before anything is proved they are added up from
numbers of terms and digits, generously."""

HEXADECIMAL = re.compile(rf"-?0x[0-9a-f]{{1,{MOST_HEX_DIGITS}}}")
WEIGHTS: dict[str, Any] = {"lex": tuple, "grlex": lambda e: (sum(e), e),
                           "grevlex": lambda e: (sum(e), tuple(-k for k in reversed(e)))}


class Unreadable(ValueError):
    """The file does not follow the format."""


class TooCostly(Unreadable):
    """To check the file would take too long, or too much memory."""


class Unproved(Exception):
    """A statement does not hold, or does not follow from its numbers."""


class Content(NamedTuple):
    """A file as read: nothing is proved by that.

    `knots` are those of the exact ideal that a certificate came in, None where it came alone.
    """

    names: list[str]
    polynomials: list[dict]
    statements: list[dict]
    knots: list[list[Fraction]] | None


class Finding(NamedTuple):
    """What came out for one statement."""

    statement: int
    kind: str
    holds: bool
    words: str


def check_file(path: str | os.PathLike[str]) -> list[Finding]:
    """A list with a `Finding` for each statement of a certificate, or of a saved exact ideal that holds one.

    Raises `OSError` or `Unreadable` where there is no certificate to be read.
    """
    return check_content(read_file(path))


def check_text(text: str | bytes) -> list[Finding]:
    """Like `check_file`, for JSON text or bytes.

    Examples
    --------
    >>> check_text('{"format": "symknot certificate", "version": 1, "variables": ["x"], "polynomials":'
    ...            '[[[[1], "0x1", "0x1"], [[0], "-0x1", "0x2"]]], "statements":'
    ...            '[{"kind": "vanishing", "polynomials": [0], "points": [[["0x1", "0x2"]]]}]}')
    [Finding(statement=0, kind='vanishing', holds=True, words='zero at 1 point: 1 polynomial')]
    """
    return check_content(read_text(text))


def check_content(content: Content) -> list[Finding]:
    """Like `check_file`, for what was read already."""
    _, polynomials, statements, _ = content
    boxes = check_work(polynomials, statements)
    findings = []
    for number, statement in enumerate(statements):
        kind = statement["kind"]
        try:
            findings.append(Finding(number, kind, True, _CHECKS[kind](statement, polynomials, boxes)))
        except Unproved as reason:
            findings.append(Finding(number, kind, False, str(reason)))
    return findings


def unclaimed(content: Content) -> list[str]:
    """What a reader may take a file to claim, and no statement in it does.

    Examples
    --------
    >>> stated = [{"kind": "vanishing", "polynomials": [0], "points": [[Fraction(0)]]}]
    >>> for line in unclaimed(Content(["x"], [{(1,): 1}, {(2,): 1}], stated, [[Fraction(0)], [Fraction(1)]])):
    ...     print(line)
    no statement is about polynomial 1
    no statement is about knot 1
    at 1 of 1 places no statement says that all polynomials are zero
    """
    about: set[int] = set()
    places: dict[Any, set[int]] = {}
    for statement in content.statements:
        about.update(statement["polynomials"])
        if statement["kind"] == "also zero":
            for knot, _ in statement["knots"]:
                places.setdefault(knot, set()).update(statement["polynomials"])
        for point in [statement["knot"]] if "knot" in statement else map(tuple, statement.get("points", ())):
            places.setdefault(point, set()).update(statement["polynomials"])
    lines = _named("polynomial", [k for k in range(len(content.polynomials)) if k not in about])
    centers = {statement["knot"]: statement["center"] for statement in content.statements if "knot" in statement}
    lines += _named("knot", [k for k, knot in enumerate(content.knots or ())
                             if tuple(knot) not in places and centers.get(k) != knot])
    partly = sum(len(found) < len(content.polynomials) for found in places.values())
    return lines + [f"at {partly} of {len(places)} places no statement says that all polynomials are zero"] * bool(partly)


def _named(what, missing):
    named = ", ".join(map(str, missing[:8])) + (", ..." if len(missing) > 8 else "")
    return [f"no statement is about {what}{'s' if len(missing) > 1 else ''} {named}"] if missing else []


def main(argv: list[str] | None = None) -> int:
    """Check the file that is named on the command line; returns the exit code."""
    arguments = sys.argv[1:] if argv is None else argv
    try:
        _need(len(arguments) == 1, "usage: python verify.py certificate.json")
        content = read_file(arguments[0])
        _need(content.statements, "the file states nothing")
        for line in unclaimed(content):
            print(f"not claimed: {line}")
        findings = check_content(content)
    except (OSError, Unreadable) as error:
        print(f"cannot be checked: {getattr(error, 'strerror', None) or error}", file=sys.stderr)
        return 2
    print(summary(findings))
    return 0 if all(finding.holds for finding in findings) else 1


def summary(findings: list[Finding]) -> str:
    """One line for each kind of statement, those that hold apart from those that do not."""
    groups: dict[tuple[bool, str], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.holds, finding.kind), []).append(finding)
    return "\n".join(
        f"{'holds' if holds else 'DOES NOT HOLD'}: {len(group)} x {kind}; statement {group[0].statement}: {group[0].words}"
        + ("" if len(group) == 1 else f" (and {len(group) - 1} more)") for (holds, kind), group in sorted(groups.items()))


# ------------------------------------------------------------------------------------------------------------ reading


def read_file(path: str | os.PathLike[str]) -> Content:
    """What a file holds."""
    with open(path, "rb") as file:
        text = bytearray()
        while part := file.read(2**20):                 # one read of the limit would take its memory beforehand
            text += part
            _need(len(text) <= LARGEST_FILE, f"the file must have at most {LARGEST_FILE} bytes")
    return read_text(bytes(text))


def read_text(text: str | bytes) -> Content:
    """What JSON text or bytes hold, each number checked to be one; nothing is proved by that."""
    try:
        content = json.loads(text, parse_constant=_short_integer, parse_int=_short_integer, object_pairs_hook=_no_twins)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"cannot be read as JSON: {error}") from None
    outer = content if isinstance(content, dict) and content.get("format") == "symknot exact ideal" else None
    if outer is not None:
        content = outer.get("certificate")
    _need(isinstance(content, dict), "the certificate must be an object")
    _need(content.get("format") == "symknot certificate" and type(content.get("version")) is int and content["version"] == 1,
          'format must be "symknot certificate" and version 1')
    names = _list(content.get("variables"), "variables")
    _need(all(isinstance(name, str) for name in names) and 1 <= len(set(names)) == len(names) <= MOST_VARIABLES,
          f"variables must be 1 to {MOST_VARIABLES} different names")
    polynomials = [_polynomial(terms, len(names)) for terms in _list(content.get("polynomials"), "polynomials")]
    _need(all(polynomials), "a polynomial must have at least one term")
    statements = [_statement(given, len(polynomials), len(names))
                  for given in _list(content.get("statements"), "statements")]
    knots = [statement["knot"] for statement in statements if "knot" in statement]
    _need(len(set(knots)) == len(knots), "there must be one statement for a knot, not more")
    if outer is None:
        return Content(names, polynomials, statements, None)
    _need(outer.get("names") == names, "the names of the file must be those of its certificate")
    return Content(names, polynomials, statements, _numbers(outer.get("knots"), "the knots", None, len(names)))


def _need(condition, rule, error=Unreadable):
    if not condition:
        raise error(rule)


_prove = partial(_need, error=Unproved)


def _short_integer(text):
    """Plain integers; ValueError for NaN and Infinity, which are not JSON."""
    _need(len(text) <= MOST_INDEX_DIGITS, f"plain integers must have at most {MOST_INDEX_DIGITS} digits")
    return int(text)


def _no_twins(pairs):
    entries = dict(pairs)
    _need(len(entries) == len(pairs), "an object must not have an entry twice")
    return entries


def _list(value, what, length=None):
    _need(isinstance(value, list) and length in (None, len(value)),
          f"{what} must be a list" + ("" if length is None else f" of {length}"))
    return value


def _indices(value, what, count):
    right = all(type(index) is int and 0 <= index < count for index in _list(value, what))
    _need(right and len(set(value)) == len(value), f"{what} must be numbers of polynomials below {count}, each once")
    return value


def _numbers(value, what, *shape):
    """Nested lists of rational numbers; `shape` has their lengths, from the outside in, None for any."""
    if shape:
        return [_numbers(part, what, *shape[1:]) for part in _list(value, what, shape[0])]
    _need(all(isinstance(text, str) and HEXADECIMAL.fullmatch(text) for text in _list(value, what, 2)),
          f"{what}: numbers must be like -0x1f, with at most {MOST_HEX_DIGITS} digits")
    numerator, denominator = (int(text, 16) for text in value)
    _need(denominator > 0, f"{what}: denominators must be positive")
    return Fraction(numerator, denominator)


def _polynomial(terms, dimension):
    """Exponent tuple -> Fraction; {} for the zero polynomial."""
    polynomial = {}
    for term in _list(terms, "a polynomial"):
        exponents, *number = _list(term, "a term", 3)
        _need(all(type(e) is int and e >= 0 for e in _list(exponents, "exponents", dimension)),
              "exponents must be whole numbers >= 0")
        _need(sum(exponents) <= HIGHEST_DEGREE and prod(e + 1 for e in exponents) <= MOST_DIVISORS,
              f"a monomial must have at most degree {HIGHEST_DEGREE} and {MOST_DIVISORS} divisors")
        value = _numbers(number, "a coefficient")
        _need(value and tuple(exponents) not in polynomial,
              "a polynomial must have each monomial once, with a coefficient that is not zero")
        polynomial[tuple(exponents)] = value
    return polynomial


def _statement(given, count, dimension):
    """One statement: its numbers, and nothing else of what is written there."""
    _need(isinstance(given, dict), "a statement must be an object")
    kind, order = given.get("kind"), given.get("order")
    _need(isinstance(kind, str) and kind in _CHECKS, f"the kind of a statement must be one of {', '.join(_CHECKS)}")
    polynomials = _indices(given.get("polynomials"), "polynomials", count)
    _need(polynomials, "a statement must be about at least one polynomial")
    statement = {"kind": kind, "polynomials": polynomials}
    if kind == "unique zero":
        return statement | _box(given, len(polynomials), count, dimension)
    if kind == "also zero":
        return statement | _syzygies(given, len(polynomials), count, dimension)
    points = _numbers(given.get("points"), "the points", None, dimension)
    _need(points, "a statement must be about at least one point")
    _need(kind == "vanishing" or isinstance(order, str) and order in WEIGHTS,
          f"the order must be one of {', '.join(WEIGHTS)}")
    return statement | {"points": points, "order": order}


def _box(given, chosen, count, d):
    _need(chosen <= d, "the system must have as many equations as variables")
    shapes = {"center": (d,), "radii": (d,), "plane": (d - chosen, d), "preconditioner": (d, d)}
    box = {key: _numbers(given.get(key), key, *shape) for key, shape in shapes.items()}
    _need(min(box["radii"]) > 0, "radii must be positive")
    knot = given.get("knot")
    _need(type(knot) is int and knot >= 0, "the knot of a statement must be a whole number >= 0")
    bounds = [_list(bound, "a bound", 2) for bound in _list(given.get("bounds"), "bounds")]
    others = _indices([index for index, _ in bounds], "bounds", count)
    return {**box, "knot": knot, "bounds": {i: _numbers(pair, "a bound") for i, (_, pair) in zip(others, bounds)}}


def _syzygies(given, size, count, dimension):
    relations = [_list(row, "a syzygy", count) for row in _list(given.get("syzygies"), "the syzygies", size)]
    knots = [_list(entry, "a knot with its matrix", 2) for entry in _list(given.get("knots"), "the knots")]
    _need(knots and all(type(knot) is int for knot, _ in knots), "the knots must be whole numbers, each with a matrix")
    return {"syzygies": [[_polynomial(terms, dimension) for terms in row] for row in relations],
            "knots": [(knot, _numbers(matrix, "the matrix of a knot", size, size)) for knot, matrix in knots]}


# ------------------------------------------------------------------------------------------------ how much work it is


class _Shape(NamedTuple):
    """Of a polynomial: numbers of terms, and of those when it is expanded, steps of that; binary digits."""

    terms: int
    degree: int
    expanded: int
    moves: int
    bits: int


def check_work(polynomials: list[dict], statements: list[dict]) -> dict[int, dict]:
    """Raise `TooCostly` where checking would take too long; the statements about boxes, by knot."""
    boxes = {statement["knot"]: statement for statement in statements if "knot" in statement}
    shapes, steps = [_shape(terms) for terms in polynomials], 0
    for number, statement in enumerate(statements):
        steps += _STEPS[statement["kind"]](statement, shapes, boxes)
        _need(steps <= MOST_STEPS, f"too much work: statements 0 to {number} need about {float(steps):.1g} steps, the limit is "
              f"{float(MOST_STEPS):.1g}; split the certificate, or make it again with shorter numbers", TooCostly)
    return boxes


def _shape(terms):
    if not terms:
        return _Shape(0, 0, 0, 0, 1)
    degree, d = max(map(sum, terms)), len(next(iter(terms)))
    highest = [max(column) + 1 for column in zip(*terms)]
    divisors = sum(prod(k + 1 for k in e) for e in terms)
    expanded = min(divisors, prod(highest), comb(degree + d, d))
    bits = _lcm_bits(terms.values()) + max(value.numerator.bit_length() for value in terms.values())
    return _Shape(len(terms), degree, expanded, min(d * divisors, expanded * sum(highest)), bits)


def _lcm_bits(numbers):
    """Binary digits of the least common denominator."""
    common = 1
    for number in numbers:
        common = lcm(common, number.denominator)
        _need(common.bit_length() <= MOST_BITS, f"too much work: common denominators must have at most {MOST_BITS} bits",
              TooCostly)
    return common.bit_length()


def _size(numbers):
    """Binary digits of the longest of some numbers over their common denominator."""
    return _lcm_bits(numbers) + max((x.numerator.bit_length() for x in numbers), default=0)


def _arithmetic(bits):
    """Microseconds of a step with so long fractions: measured, mostly greatest common divisors."""
    return 5 + bits * bits // 500_000


def _expanding(shape, bits, moves=True):
    """Steps of `_expanded` with coordinates of so many bits."""
    long = shape.degree * bits + shape.bits
    terms = shape.expanded if moves else shape.terms
    _need(shape.degree * bits <= MOST_BITS and terms * long <= MOST_MEMORY_BITS,
          f"too much work: powers of coordinates must have at most {MOST_BITS} bits, and an expanded polynomial at most "
          f"{MOST_MEMORY_BITS} in all", TooCostly)
    product_steps = 1 + int(long**1.6) // 25_000        # Karatsuba's, measured
    return shape.moves * product_steps + terms * _arithmetic(long) if moves else terms * product_steps + _arithmetic(long)


def _vanishing_steps(statement, shapes, _):
    sizes, d = Counter(map(_size, statement["points"])), len(statement["points"][0])
    return sum(count * d * _expanding(shapes[index], bits, moves=False)
               for index in statement["polynomials"] for bits, count in sizes.items())


def _matrix_steps(size, bits):
    return 2 * size**3 * _arithmetic(bits)


def _unique_zero_steps(statement, shapes, _):
    bits, d = _size(statement["center"] + statement["radii"]), len(statement["center"])
    local = [shapes[index] for index in {*statement["polynomials"], *statement["bounds"]}]
    long = max(shape.degree * bits + shape.bits for shape in local) + max(map(_size, statement["preconditioner"]))
    return sum(2 * _expanding(shape, bits) for shape in local) + _matrix_steps(d, long)


def _also_zero_steps(statement, shapes, boxes):
    rows = [[_shape(terms) for terms in row] for row in statement["syzygies"]]
    steps = sum(a.terms * b.terms * _arithmetic(a.bits + b.bits) for row in rows for a, b in zip(row, shapes))
    for knot, matrix in statement["knots"]:
        if knot in boxes:
            bits = _size(boxes[knot]["center"] + boxes[knot]["radii"])
            used = [row[index] for row in rows for index in statement["polynomials"]]
            long = max(shape.degree * bits + shape.bits for shape in used) + max(map(_size, matrix))
            steps += sum(2 * _expanding(shape, bits) for shape in used) + _matrix_steps(len(matrix), long)
    return steps


def _groebner_steps(statement, shapes, _):
    d, count = len(statement["points"][0]), len(statement["polynomials"])
    return count * d * d * len(statement["points"]) + _vanishing_steps(statement, shapes, None)


_STEPS = {"vanishing": _vanishing_steps, "unique zero": _unique_zero_steps, "also zero": _also_zero_steps,
          "groebner basis": _groebner_steps}


# ----------------------------------------------------------------------------------------------------------- checking


def _vanishing(statement, polynomials, _):
    for index in statement["polynomials"]:
        for number, point in enumerate(statement["points"]):
            value = _expanded(polynomials[index], point, [Fraction(0)] * len(point))
            _prove(not any(value.values()), f"polynomial {index} is not zero at point {number}")
    return f"zero at {_plural(statement['points'], 'point')}: {_plural(statement['polynomials'], 'polynomial')}"


def _unique_zero(statement, polynomials, _):
    center, radii, C, bounds = (statement[key] for key in ("center", "radii", "preconditioner", "bounds"))
    d = len(center)
    units = [tuple(int(i == j) for i in range(d)) for j in range(d)]
    local = {index: _expanded(polynomials[index], center, radii) for index in {*statement["polynomials"], *bounds}}
    scales = {index: lcm(*(value.denominator for value in polynomials[index].values())) for index in local}
    equations = [{e: value * scales[index] for e, value in local[index].items()} for index in statement["polynomials"]]
    equations += [{e: value * radius for e, value, radius in zip(units, row, radii)} for row in statement["plane"]]
    F = [equation.get((0,) * d, 0) for equation in equations]
    J = [[equation.get(e, 0) for e in units] for equation in equations]
    rho = [sum(sum(e) * abs(value) for e, value in equation.items() if sum(e) > 1) for equation in equations]
    knot = f"knot {statement['knot']}: "
    sides = [abs(sum(map(mul, row, F))) + s for row, s in zip(C, _row_sums(C, J, rho))]
    _prove(max(sides) < 1, knot + "the condition for exactly one zero in the box fails")
    for index, bound in bounds.items():
        largest = sum(map(abs, local[index].values()))
        _prove(largest <= bound, f"{knot}the bound of polynomial {index} on the box is not proved")
    words = (f"{knot}exactly one common zero of {_plural(statement['polynomials'], 'polynomial')} and "
             f"{_plural(statement['plane'], 'linear equation')} in a box of half-width at most {_at_most(radii)}")
    if bounds:
        words += f"; {_plural(bounds, 'other polynomial')} at most {_at_most(bounds.values())} in absolute value on it"
    return words


def _also_zero(statement, polynomials, boxes):
    others, syzygies = statement["polynomials"], statement["syzygies"]
    for number, row in enumerate(syzygies):
        total = {}
        for multiplier, terms in zip(row, polynomials):
            for (a, first), (b, second) in product(multiplier.items(), terms.items()):
                exponents = tuple(map(add, a, b))
                total[exponents] = total.get(exponents, 0) + first * second
        _prove(not any(total.values()), f"syzygy {number} does not add up to zero")
    used = {index for row in syzygies for index, multiplier in enumerate(row) if multiplier}
    for knot, C in statement["knots"]:
        box = boxes.get(knot)
        _prove(box is not None and used <= {*others, *box["polynomials"]},
               f"knot {knot}: no zero of the polynomials that the syzygies need")
        U = [[_expanded(row[index], box["center"], box["radii"]) for index in others] for row in syzygies]
        middle = [[terms.pop((0,) * len(box["center"]), 0) for terms in row] for row in U]
        rho = [sum(abs(value) for terms in row for value in terms.values()) for row in U]
        _prove(max(_row_sums(C, middle, rho)) < 1,
               f"knot {knot}: the matrix of the multipliers is not proved to be invertible")
    return f"at the zeros of {_plural(statement['knots'], 'knot')}: {_plural(others, 'other polynomial')} zero too"


def _groebner_basis(statement, polynomials, _):
    basis, points = [polynomials[index] for index in statement["polynomials"]], statement["points"]
    _prove(len(set(map(tuple, points))) == len(points), "the points are not distinct")
    leading = [max(terms, key=WEIGHTS[statement["order"]]) for terms in basis]
    standard = _standard_monomials(leading, len(points))
    _prove(len(standard) == len(points),
           f"the monomials that no leading monomial divides are not {len(points)}, the number of points")
    for place, (index, terms) in enumerate(zip(statement["polynomials"], basis)):
        lead, others = leading[place], leading[:place] + leading[place + 1:]
        _prove(terms[lead] == 1, f"the leading coefficient of polynomial {index} is not 1")
        _prove(standard.issuperset(terms.keys() - {lead}) and not any(_divides(other, lead) for other in others),
               f"a term of polynomial {index} is divisible by the leading monomial of another")
    _vanishing(statement, polynomials, None)
    return (f"the reduced Groebner basis ({statement['order']}) of all polynomials that are zero at "
            f"{_plural(points, 'distinct point')}: {_plural(basis, 'polynomial')}")


_CHECKS = {"vanishing": _vanishing, "unique zero": _unique_zero, "also zero": _also_zero,
           "groebner basis": _groebner_basis}


def _row_sums(C, M, rho):
    """The s_i(C, M, rho) of the proofs."""
    columns = list(zip(*M))
    return [sum(abs((i == j) - sum(map(mul, row, column))) for j, column in enumerate(columns))
            + sum(abs(c) * value for c, value in zip(row, rho)) for i, row in enumerate(C)]


def _expanded(polynomial, center, radii):
    """The polynomial in t, where x_j = center_j + radii_j t_j: exponent tuple -> Fraction; its value where radii are 0.

    All in whole numbers, over one denominator q of the coordinates.
    """
    degree, ends = max(map(sum, polynomial), default=0), center + radii
    q, scale = (lcm(*(x.denominator for x in numbers)) for numbers in (ends, polynomial.values()))
    whole = {e: c.numerator * (scale // c.denominator) * q ** (degree - sum(e)) for e, c in polynomial.items()}
    for j, (middle, half) in enumerate(zip(center, radii)):
        a, b, moved = int(middle * q), int(half * q), {}
        for e, value in whole.items():
            for i in range(e[j] + 1 if b else 1):
                key = e[:j] + (i,) + e[j + 1:]
                moved[key] = moved.get(key, 0) + value * comb(e[j], i) * a ** (e[j] - i) * b**i
        whole = moved
    return {e: Fraction(value, scale * q**degree) for e, value in whole.items()}


def _divides(first, second):
    return all(a <= b for a, b in zip(first, second))


def _standard_monomials(leading, most):
    """The monomials that none of the leading ones divides; only some of them where they are more than `most`."""
    found, last = set(), {(0,) * len(leading[0])}
    while last and len(found) <= most:
        last = {e for e in last if not any(_divides(lead, e) for lead in leading)}
        found |= last
        last = {e[:j] + (e[j] + 1,) + e[j + 1:] for e in last for j in range(len(e))}
    return found


def _plural(things, noun):
    return f"{len(things)} {noun}" + ("" if len(things) == 1 else "s")


def _at_most(numbers):
    """The largest, to two digits, rounded up."""
    largest, up = max(numbers), Context(prec=2, rounding=ROUND_CEILING)
    return f"{up.divide(Decimal(largest.numerator), Decimal(largest.denominator)):.2g}"


if __name__ == "__main__":
    sys.exit(main())
