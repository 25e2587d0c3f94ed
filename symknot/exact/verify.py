r"""Check a certificate again, with nothing but Python's standard library.

    python verify.py certificate.json

This file needs no other: copy it anywhere, read it, and run it.  It shares no code with the programs that make
certificates, on purpose, and takes nothing from the file but numbers: the words in it are not read, everything
that is claimed is worked out again in exact rational arithmetic.  The exit code is 0 when every statement holds, 1 when
one does not, 2 when the file cannot be read or states nothing.

There are four kinds of statements about the polynomials p in the file.  Write D p for a
polynomial multiplied by the least common denominator of its coefficients.

`vanishing`: the polynomials are zero at the points.  They are evaluated.

`unique zero`: the box :math:`|x_j - center_j| \le radii_j` holds exactly one common zero of the chosen
polynomials and of the linear equations plane (x - center) = 0, as many equations F = 0 together as there are
variables.  With x_j = center_j + radii_j t_j, t in [-1, 1]^d, the equations (D p for a polynomial) are expanded in t.
For J the Jacobian in t and C the preconditioner, row i of I - C J(t) has at every t in the box absolute sum at most
s_i, the sum over j of |I - C J(0)|_ij plus the sum over k of |C_ik| rho_k, where rho_k is the sum of
|e| |coefficient of t^e in F_k| over |e| >= 2.  If |C F(0)|_i + s_i < 1 for all i, then t - C F(t) maps the box into its
interior and contracts, so it has exactly one fixed point (Banach), and C is invertible, so that this is the only zero
of F in the box (Krawczyk 1969).  The polynomials in `bounds` are at most that large in absolute value on the whole box:
their absolute coefficients in t add up to no more.

`also zero`: at the zeros of the `knots`, each in the box of its own statement `unique zero`, the polynomials h listed are
zero as well.  Each of the `syzygies`, as many as there are h, gives a multiplier for every polynomial of the file; it is
checked that the products add up to the zero polynomial.  Multipliers other than zero belong to the h or to the
polynomials f of the knot's system, which are zero there, so that U h = 0 for the matrix U of the multipliers of the h.
With U expanded in t, U(t) = U(0) + ..., and for C the knot's preconditioner, let the absolute row sums of I - C U(0), plus
|C| times the absolute sums of the other coefficients of U, be below 1: then C U(t), and so U(t), is invertible in the
whole box, and h = 0.

`groebner basis`: the polynomials are the reduced Groebner basis of the ideal I of all polynomials that vanish on the
points.  Checked: the n points are distinct; all polynomials vanish on them, so their leading monomials lie in the
monomial ideal LM(I); the monomials that none of the leading ones divides are n in number.  The monomials outside LM(I)
are a basis of the functions on the points (interpolation), so they too are n, and they are among the former: both sets
are equal, the leading monomials generate LM(I), and that is what a Groebner basis is.  It is reduced when leading
coefficients are 1 and no term is divisible by the leading monomial of another.
"""

from __future__ import annotations

import json
import re
import sys
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from itertools import accumulate, product, repeat
from math import comb, lcm, prod
from operator import add, mul
from typing import NamedTuple

LARGEST_FILE = 2**30
MOST_VARIABLES = 1000
MOST_TERMS = 10**6
HIGHEST_DEGREE = 255
LONGEST_INDEX = 12
LONGEST_NUMBER, LONGEST_POWER = 200_000, 10**7
"""Hexadecimal digits of a number in the file, and of a coordinate's power in the highest degree."""

HEXADECIMAL = re.compile(r"-?0x[0-9a-f]{1,%d}" % LONGEST_NUMBER)
WEIGHTS = {
    "lex": lambda e: e,
    "grlex": lambda e: (sum(e), e),
    "grevlex": lambda e: (sum(e), tuple(-k for k in reversed(e))),
}


class Unreadable(ValueError):
    """The file does not follow the format."""


class Finding(NamedTuple):
    """What came out for one statement."""

    statement: int
    kind: str
    holds: bool
    words: str


def check_file(path):
    """A list with a `Finding` for each statement of a certificate, or of a saved exact ideal that holds one.

    Raises `OSError` or `Unreadable` where there is no certificate to be read.
    """
    with open(path, "rb") as file:
        text = file.read(LARGEST_FILE + 1)
    if len(text) > LARGEST_FILE:
        raise Unreadable(f"the file must have at most {LARGEST_FILE} bytes")
    return check_text(text)


def check_text(text):
    """Like `check_file`, for JSON text or bytes.

    Examples
    --------
    >>> check_text('{"format": "symknot certificate", "version": 1, "variables": ["x"], "polynomials":'
    ...            '[[[[1], "0x1", "0x1"], [[0], "-0x1", "0x2"]]], "statements":'
    ...            '[{"kind": "vanishing", "polynomials": [0], "points": [[["0x1", "0x2"]]]}]}')
    [Finding(statement=0, kind='vanishing', holds=True, words='zero at 1 point: 1 polynomial')]
    """
    polynomials, statements = read_text(text)
    boxes = {statement["knot"]: statement for statement in statements if "knot" in statement}
    findings = []
    for number, statement in enumerate(statements):
        reason, words = _CHECKS[statement["kind"]](statement, polynomials, boxes)
        findings.append(Finding(number, statement["kind"], reason is None, reason or words))
    return findings


def main(argv=None):
    """Check the file that is named on the command line; returns the exit code."""
    arguments = sys.argv[1:] if argv is None else argv
    try:
        if len(arguments) != 1:
            raise Unreadable("usage: python verify.py certificate.json")
        findings = check_file(arguments[0])
        if not findings:
            raise Unreadable("the file states nothing")
    except (OSError, Unreadable) as error:
        print(f"cannot be checked: {getattr(error, 'strerror', None) or error}", file=sys.stderr)
        return 2
    groups = {}
    for finding in findings:
        groups.setdefault((finding.holds, finding.kind), []).append(finding)
    for (holds, kind), group in sorted(groups.items()):
        more = "" if len(group) == 1 else f" (and {len(group) - 1} more)"
        print(f"{'holds' if holds else 'DOES NOT HOLD'}: {len(group)} x {kind}; "
              f"statement {group[0].statement}: {group[0].words}{more}")
    return 0 if all(finding.holds for finding in findings) else 1


# ------------------------------------------------------------------------------------------------------------ reading


def read_text(text):
    """Polynomials and statements of a file, each number checked to be one; nothing is proved by that."""
    try:
        content = json.loads(text, parse_constant=_no_constant, parse_int=_short_integer, object_pairs_hook=_no_twins)
    except Unreadable:
        raise
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"not JSON ({type(error).__name__})") from None
    if isinstance(content, dict) and content.get("format") == "symknot exact ideal":
        content = content.get("certificate")
    _object(content, "the certificate")
    version = content.get("version")
    if content.get("format") != "symknot certificate" or not _is_integer(version) or version != 1:
        raise Unreadable('format must be "symknot certificate" and version 1')
    names = _list(content.get("variables"), "variables")
    if any(not isinstance(name, str) for name in names) or not 1 <= len(set(names)) == len(names) <= MOST_VARIABLES:
        raise Unreadable(f"variables must be 1 to {MOST_VARIABLES} different names")
    polynomials = [_polynomial(terms, len(names)) for terms in _list(content.get("polynomials"), "polynomials")]
    statements = [_statement(_object(statement, "a statement"), len(polynomials), len(names))
                  for statement in _list(content.get("statements"), "statements")]
    knots = [statement["knot"] for statement in statements if "knot" in statement]
    if len(set(knots)) != len(knots):
        raise Unreadable("there must be one statement for a knot, not more")
    _refuse_growth(polynomials, statements)
    return polynomials, statements


def _no_constant(text):
    raise Unreadable(f"numbers must be finite, got {text}")


def _short_integer(text):
    if len(text) > LONGEST_INDEX:
        raise Unreadable(f"plain integers must have at most {LONGEST_INDEX} digits")
    return int(text)


def _no_twins(pairs):
    entries = dict(pairs)
    if len(entries) != len(pairs):
        raise Unreadable("an object must not have an entry twice")
    return entries


def _is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


def _object(value, what):
    if not isinstance(value, dict):
        raise Unreadable(f"{what} must be an object")
    return value


def _list(value, what, length=None):
    if not isinstance(value, list) or (length is not None and len(value) != length):
        raise Unreadable(f"{what} must be a list" + ("" if length is None else f" of {length}"))
    return value


def _indices(value, what, count):
    right = all(_is_integer(index) and 0 <= index < count for index in _list(value, what))
    if not right or len(set(value)) != len(value):
        raise Unreadable(f"{what} must be numbers of polynomials, 0 to {count - 1}, each once")
    return value


def _integer(text):
    if not isinstance(text, str) or not HEXADECIMAL.fullmatch(text):
        raise Unreadable(f"numbers must be like -0x1f, with at most {LONGEST_NUMBER} digits")
    return int(text, 16)


def _rational(value):
    numerator, denominator = (_integer(text) for text in _list(value, "a rational number", 2))
    if denominator <= 0:
        raise Unreadable("denominators must be positive")
    return Fraction(numerator, denominator)


def _vector(value, length):
    return [_rational(entry) for entry in _list(value, "a vector", length)]


def _polynomial(terms, dimension):
    """Exponent tuple -> Fraction."""
    polynomial = {}
    if not 1 <= len(_list(terms, "a polynomial")) <= MOST_TERMS:
        raise Unreadable(f"a polynomial must have 1 to {MOST_TERMS} terms")
    for term in terms:
        exponents, numerator, denominator = _list(term, "a term", 3)
        if any(not _is_integer(e) or e < 0 for e in _list(exponents, "exponents", dimension)):
            raise Unreadable("exponents must be whole numbers >= 0")
        exponents = tuple(exponents)
        if sum(exponents) > HIGHEST_DEGREE or prod(e + 1 for e in exponents) > MOST_TERMS:
            raise Unreadable(f"terms must have at most degree {HIGHEST_DEGREE}")
        value = _rational([numerator, denominator])
        if exponents in polynomial or not value:
            raise Unreadable("a polynomial must have each monomial once, with a coefficient that is not zero")
        polynomial[exponents] = value
    return polynomial


def _statement(given, count, dimension):
    """One statement: its numbers, and nothing else of what is written there."""
    kind = given.get("kind")
    if not isinstance(kind, str) or kind not in _CHECKS:
        raise Unreadable(f"the kind of a statement must be one of {', '.join(_CHECKS)}")
    statement = {"kind": kind, "polynomials": _indices(given.get("polynomials"), "polynomials", count)}
    if not statement["polynomials"]:
        raise Unreadable("a statement must be about at least one polynomial")
    if kind == "unique zero":
        rows = dimension - len(statement["polynomials"])
        if rows < 0:
            raise Unreadable("the system must have as many equations as variables")
        if not _is_integer(given.get("knot")) or given["knot"] < 0:
            raise Unreadable("the knot of a statement must be a whole number >= 0")
        statement["knot"] = given["knot"]
        statement["plane"] = [_vector(row, dimension) for row in _list(given.get("plane"), "the plane", rows)]
        statement["center"], statement["radii"] = (_vector(given.get(key), dimension) for key in ("center", "radii"))
        if min(statement["radii"]) <= 0:
            raise Unreadable("radii must be positive")
        statement["preconditioner"] = [_vector(row, dimension) for row in
                                       _list(given.get("preconditioner"), "the preconditioner", dimension)]
        bounds = [_list(bound, "a bound", 2) for bound in _list(given.get("bounds"), "the bounds")]
        others = _indices([index for index, _ in bounds], "the bounds", count)
        statement["bounds"] = {index: _rational(bound) for index, (_, bound) in zip(others, bounds)}
    elif kind == "also zero":
        size = len(statement["polynomials"])
        statement["syzygies"] = [[_polynomial(terms, dimension) if terms else {} for terms in _list(row, "a syzygy", count)]
                                 for row in _list(given.get("syzygies"), "the syzygies", size)]
        entries = [_list(entry, "a knot with its matrix", 2) for entry in _list(given.get("knots"), "the knots")]
        if not entries or any(not _is_integer(knot) for knot, _ in entries):
            raise Unreadable("the knots must be whole numbers, each with a matrix")
        statement["knots"] = [(knot, [_vector(row, size) for row in _list(matrix, "the matrix of a knot", size)])
                              for knot, matrix in entries]
    else:
        statement["points"] = [_vector(point, dimension) for point in _list(given.get("points"), "the points")]
        if not statement["points"]:
            raise Unreadable("a statement must be about at least one point")
        if kind == "groebner basis":
            statement["order"] = given.get("order")
            if not isinstance(statement["order"], str) or statement["order"] not in WEIGHTS:
                raise Unreadable(f"the order must be one of {', '.join(WEIGHTS)}")
    return statement


def _refuse_growth(polynomials, statements):
    """A short file must not ask for numbers that fill the memory."""
    multipliers = [terms for s in statements for row in s.get("syzygies", ()) for terms in row]
    degree = max((sum(e) for terms in polynomials + multipliers for e in terms), default=0)
    points = [x for s in statements for x in s.get("points", [s["center"] + s["radii"]] if "center" in s else [])]
    bits = max((sum(x.denominator.bit_length() for x in point) + max(x.numerator.bit_length() for x in point)
                for point in points), default=0)
    if degree * bits > 4 * LONGEST_POWER:
        raise Unreadable(f"powers of coordinates must have at most {LONGEST_POWER} digits")


# ----------------------------------------------------------------------------------------------------------- checking


def _vanishing(statement, polynomials, _):
    for index in statement["polynomials"]:
        for number, point in enumerate(statement["points"]):
            if not _is_zero(polynomials[index], point):
                return f"polynomial {index} is not zero at point {number}", None
    count, points = len(statement["polynomials"]), len(statement["points"])
    return None, f"zero at {_plural(points, 'point')}: {_plural(count, 'polynomial')}"


def _unique_zero(statement, polynomials, _):
    center, radii, C = statement["center"], statement["radii"], statement["preconditioner"]
    d = len(center)
    equations = []
    for index in statement["polynomials"]:
        denominator = lcm(*(value.denominator for value in polynomials[index].values()))
        expanded = _expanded(polynomials[index], center, radii)
        equations.append({e: value * denominator for e, value in expanded.items()})
    units = [tuple(int(i == j) for i in range(d)) for j in range(d)]
    for row in statement["plane"]:
        equations.append({e: value * radius for e, value, radius in zip(units, row, radii)})
    F = [equation.get((0,) * d, Fraction(0)) for equation in equations]
    J = [[equation.get(e, Fraction(0)) for e in units] for equation in equations]
    rho = [sum(sum(e) * abs(value) for e, value in equation.items() if sum(e) > 1) for equation in equations]
    sides = []
    for i, row in enumerate(C):
        side = abs(sum(c * value for c, value in zip(row, F)))
        side += sum(abs((i == j) - sum(c * J[k][j] for k, c in enumerate(row))) for j in range(d))
        side += sum(abs(c) * value for c, value in zip(row, rho))
        sides.append(side)
    knot = f"knot {statement['knot']}: "
    if max(sides) >= 1:
        return knot + "the condition for exactly one zero in the box fails", None
    for index, bound in statement["bounds"].items():
        if sum(map(abs, _expanded(polynomials[index], center, radii).values())) > bound:
            return knot + f"the bound of polynomial {index} on the box is not proved", None
    count, planes, others = (_plural(len(statement[key]), noun) for key, noun in (
        ("polynomials", "polynomial"), ("plane", "linear equation"), ("bounds", "other polynomial")))
    words = f"exactly one common zero of {count} and {planes} in a box of half-width at most {_at_most(max(radii))}"
    if statement["bounds"]:
        words += f"; {others} at most {_at_most(max(statement['bounds'].values()))} in absolute value on it"
    return None, knot + words


def _also_zero(statement, polynomials, boxes):
    others, size = statement["polynomials"], range(len(statement["polynomials"]))
    for number, row in enumerate(statement["syzygies"]):
        total = {}
        for multiplier, terms in zip(row, polynomials):
            for a, first in multiplier.items():
                for b, second in terms.items():
                    exponents = tuple(map(add, a, b))
                    total[exponents] = total.get(exponents, 0) + first * second
        if any(total.values()):
            return f"syzygy {number} does not add up to zero", None
    used = {index for row in statement["syzygies"] for index, multiplier in enumerate(row) if multiplier}
    for knot, C in statement["knots"]:
        box = boxes.get(knot)
        if box is None or not used <= {*others, *box["polynomials"]}:
            return f"knot {knot}: no zero of the polynomials that the syzygies need", None
        U = [[_expanded(row[index], box["center"], box["radii"]) if row[index] else {} for index in others]
             for row in statement["syzygies"]]
        one = (0,) * len(box["center"])
        middle = [[terms.get(one, 0) for terms in row] for row in U]
        rest = [[sum(abs(value) for e, value in terms.items() if e != one) for terms in row] for row in U]
        if any(sum(abs((i == j) - sum(c * middle[k][j] for k, c in enumerate(C[i])))
                   + sum(abs(c) * rest[k][j] for k, c in enumerate(C[i])) for j in size) >= 1 for i in size):
            return f"knot {knot}: the matrix of the multipliers is not proved to be invertible", None
    return None, f"at the zeros of {_plural(len(statement['knots']), 'knot')}: {_plural(len(others), 'other polynomial')} zero too"


def _groebner_basis(statement, polynomials, _):
    basis, points = [polynomials[index] for index in statement["polynomials"]], statement["points"]
    weight = WEIGHTS[statement["order"]]
    if len(set(map(tuple, points))) != len(points):
        return "the points are not distinct", None
    leading = [max(terms, key=weight) for terms in basis]
    standard = _standard_monomials(leading, len(points))
    if len(standard) != len(points):
        return f"the monomials that no leading monomial divides are not {len(points)}, the number of points", None
    for place, (index, terms) in enumerate(zip(statement["polynomials"], basis)):
        if terms[leading[place]] != 1:
            return f"the leading coefficient of polynomial {index} is not 1", None
        divisible = any(_divides(lead, leading[place]) for lead in leading[:place] + leading[place + 1:])
        if divisible or not standard.issuperset(terms.keys() - {leading[place]}):
            return f"a term of polynomial {index} is divisible by the leading monomial of another", None
    reason, _ = _vanishing(statement, polynomials, None)
    return reason, f"the reduced Groebner basis ({statement['order']}) of all polynomials that are zero at " \
                   f"{_plural(len(points), 'distinct point')}: {_plural(len(basis), 'polynomial')}"


_CHECKS = {"vanishing": _vanishing, "unique zero": _unique_zero, "also zero": _also_zero,
           "groebner basis": _groebner_basis}


def _is_zero(polynomial, point):
    """Whether the polynomial is zero there: all in whole numbers, over one denominator q of the coordinates."""
    q = lcm(*(x.denominator for x in point))
    whole = [x.numerator * (q // x.denominator) for x in point]
    denominator, degree = lcm(*(value.denominator for value in polynomial.values())), max(map(sum, polynomial))
    powers = [list(accumulate(repeat(base, degree), mul, initial=1)) for base in [*whole, q]]
    return sum(value.numerator * (denominator // value.denominator) * powers[-1][degree - sum(e)]
               * prod(powers[j][k] for j, k in enumerate(e) if k) for e, value in polynomial.items()) == 0


def _expanded(polynomial, center, radii):
    """The polynomial in t, where x_j = center_j + radii_j t_j: exponent tuple -> Fraction."""
    q = lcm(*(x.denominator for x in center + radii))
    middles, halves = ([x.numerator * (q // x.denominator) for x in side] for side in (center, radii))
    denominator, degree = lcm(*(value.denominator for value in polynomial.values())), max(map(sum, polynomial))
    binomials, total = {}, {}
    for exponents, value in polynomial.items():
        for j, k in enumerate(exponents):
            if (j, k) not in binomials:
                binomials[j, k] = [comb(k, i) * middles[j] ** (k - i) * halves[j] ** i for i in range(k + 1)]
        whole = value.numerator * (denominator // value.denominator) * q ** (degree - sum(exponents))
        for powers in product(*(range(k + 1) for k in exponents)):
            part = whole * prod(binomials[j, k][i] for j, (k, i) in enumerate(zip(exponents, powers)) if k)
            total[powers] = total.get(powers, 0) + part
    return {powers: Fraction(value, denominator * q**degree) for powers, value in total.items()}


def _divides(first, second):
    return all(a <= b for a, b in zip(first, second))


def _standard_monomials(leading, most):
    """The monomials that none of the leading ones divides; only some of them where they are more than `most`."""
    one = (0,) * len(leading[0])
    last = set() if one in leading else {one}
    found = set(last)
    while last and len(found) <= most:
        raised = {e[:j] + (e[j] + 1,) + e[j + 1:] for e in last for j in range(len(one))}
        last = {e for e in raised if not any(_divides(lead, e) for lead in leading)}
        found |= last
    return found


def _plural(count, noun):
    return f"{count} {noun}" + ("" if count == 1 else "s")


def _at_most(number):
    """Two digits, rounded up."""
    up = Context(prec=2, rounding=ROUND_CEILING)
    return f"{up.divide(Decimal(number.numerator), Decimal(number.denominator)):.2g}"


if __name__ == "__main__":
    sys.exit(main())
