"""What was proved, as data that anyone can check again, and in words.

A certificate is a JSON file with the polynomials, as exact rational numbers, and a list of
statements about them.  Each statement carries what its check needs, and words that say
exactly what is proved.  `verify` checks a certificate; it is a file of its own that imports nothing from this
package and does not read the words.  Why the checks prove the statements is written there.

====================  ============================================================================================
``"vanishing"``       the ``polynomials`` are zero at the ``points``
``"unique zero"``     exactly one common zero of the ``polynomials`` and of the equations plane (x - center) = 0
                      lies in the box of ``center`` and ``radii``; others are within their ``bounds`` on it
``"also zero"``       the ``polynomials`` are zero at the zeros of these ``knots``, too
``"groebner basis"``  the ``polynomials`` are the reduced Groebner basis, in that ``order``, of all
                      polynomials that are zero at the ``points``
====================  ============================================================================================

A rational number is ``["-0x1f", "0x2"]``: numerator and positive denominator, hexadecimal,
as long as they are; a polynomial is a list of terms ``[exponents, numerator, denominator]``;
``polynomials`` in a statement are their places in the certificate's list, from 0.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING
from fractions import Fraction
from typing import Any

from ..ground.errors import InvalidModel
from ..ground.storage import write_atomically
from ..ground.wording import counted, visible
from ..polynomials.numerals import rounded, wide_context
from ..polynomials.rational_json import rational_from_json, rational_json, terms_from_json, terms_json
from ..polynomials.terms import Terms
from . import verify
from .krawczyk import CertifiedZero
from .syzygies import AlsoZero

FORMAT, VERSION = "symknot certificate", 1
MOST_RUNS_SHOWN = 6
"""Runs of whole numbers in a sentence, `0 to 5, 7, 8`; where there are more the middle is left out.  A convention."""
SIZE_DIGITS = 2
"""Significant digits, rounded up, of half-widths and bounds in words; the numbers themselves are in the file."""
NOTHING = "Nothing is claimed for these knots."
NO_ZERO = "that it has a zero there is not claimed here."


@dataclass(frozen=True)
class Certificate:
    """Statements about exact polynomials, each with what is needed to check it.

    Parameters
    ----------
    variables : sequence of str
    polynomials : sequence of dict
        Exponent tuple -> Fraction.
    statements : sequence of dict
        From `vanishing_statement`, `zero_statement`, `also_zero_statement` and `groebner_statement`.
    uncertified : sequence of dict
        ``{"knot": place, "reason": text}`` for each knot for which nothing is claimed.

    Examples
    --------
    >>> half = {(1,): Fraction(2), (0,): Fraction(-1)}
    >>> certificate = Certificate(["x"], [half], [vanishing_statement([0], [[Fraction(1, 2)]])])
    >>> print(certificate)
    Certificate for 1 polynomial in x. Everything was checked in exact rational arithmetic.
    - Polynomial 0 is exactly zero at the 1 point listed.
    >>> certificate.verify()
    True
    """

    variables: Sequence[str]
    polynomials: Sequence[Terms]
    statements: Sequence[dict]
    uncertified: Sequence[dict] = ()

    def __post_init__(self) -> None:
        for name in ("variables", "polynomials", "statements", "uncertified"):
            object.__setattr__(self, name, tuple(getattr(self, name)))

    def to_json(self) -> dict[str, Any]:
        """The certificate as JSON data."""
        return {
            "format": FORMAT, "version": VERSION, "variables": list(self.variables),
            "polynomials": [terms_json(terms) for terms in self.polynomials],
            "statements": list(self.statements),
            "not certified": {"words": NOTHING, "knots": list(self.uncertified)},
        }

    @classmethod
    def from_json(cls, content: Any) -> Certificate:
        """The certificate that `to_json` wrote; its numbers are looked through, its statements not checked.

        Raises
        ------
        InvalidModel
            When `content` does not follow the format.
        """
        try:
            verify.read_text(json.dumps(content))
            skipped = content["not certified"]["knots"]
            if any(entry.keys() != {"knot", "reason"} or type(entry["knot"]) is not int
                   or not isinstance(entry["reason"], str) or not entry["reason"].isprintable() for entry in skipped):
                raise ValueError("not certified: need a knot and a reason")
            polynomials = [terms_from_json(terms) for terms in content["polynomials"]]
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise InvalidModel(f"not a certificate: {error}") from None
        statements = [_worded(statement) for statement in content["statements"]]
        return cls(content["variables"], polynomials, statements, skipped)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the certificate to a JSON file: ``python verify.py`` `path` checks it."""
        write_atomically(path, json.dumps(self.to_json(), indent=1))

    def check(self) -> list[verify.Finding]:
        """What the checker says to each statement: tuples (statement, kind, holds, words)."""
        return verify.check_text(json.dumps(self.to_json()))

    def verify(self) -> bool:
        """Whether there are statements and the checker finds that all of them hold."""
        findings = self.check()
        return bool(findings) and all(finding.holds for finding in findings)

    def __str__(self) -> str:
        count = counted(len(self.polynomials), "polynomial")
        title = f"Certificate for {count} in {', '.join(self.variables)}."
        lines = [f"{title} Everything was checked in exact rational arithmetic."]
        zeros: dict[tuple, list[dict]] = {}
        others = []
        for statement in self.statements:
            if statement["kind"] == "unique zero":
                bounded = tuple(index for index, _ in statement["bounds"])
                zeros.setdefault((tuple(statement["polynomials"]), bounded), []).append(statement)
            else:
                others.append(f"- {statement['words']}")
        lines += [f"- {_zeros_words(group)}" for group in zeros.values()] + others
        reasons: dict[str, list[int]] = {}
        for entry in self.uncertified:
            reasons.setdefault(entry["reason"], []).append(entry["knot"])
        lines += [f"- Not certified: {_knots(knots)}: {reason}. {NOTHING}" for reason, knots in reasons.items()]
        return visible("\n".join(lines))


def vanishing_statement(polynomials: Iterable[int], points: Iterable[Sequence[Fraction]]) -> dict[str, Any]:
    """The polynomials (places in the certificate's list) are zero at the points (of Fractions)."""
    return _worded({"kind": "vanishing", "polynomials": list(polynomials), "points": _matrix_json(points)})


def zero_statement(knot: int, zero: CertifiedZero) -> dict[str, Any]:
    """A `CertifiedZero` for the knot in this place."""
    return _worded({
        "kind": "unique zero", "knot": int(knot), "polynomials": list(zero.chosen), "plane": _matrix_json(zero.plane),
        "center": _vector_json(zero.center), "radii": _vector_json(zero.radii),
        "preconditioner": _matrix_json(zero.preconditioner),
        "bounds": [[index, rational_json(bound)] for index, bound in zero.bounds.items()]})


def also_zero_statement(proof: AlsoZero) -> dict[str, Any]:
    """An `AlsoZero`: the remaining polynomials are zero at the zeros of its knots."""
    return _worded({
        "kind": "also zero", "polynomials": list(proof.others),
        "syzygies": [[terms_json(multiplier) for multiplier in relation] for relation in proof.syzygies],
        "knots": [[int(knot), _matrix_json(matrix)] for knot, matrix in proof.preconditioners.items()]})


def groebner_statement(polynomials: Iterable[int], order: str, points: Iterable[Sequence[Fraction]]) -> dict[str, Any]:
    """The polynomials are the reduced Groebner basis of all that vanishes on the distinct points."""
    return _worded({"kind": "groebner basis", "polynomials": list(polynomials), "order": order,
                    "points": _matrix_json(points)})


def _vector_json(vector):
    return [rational_json(number) for number in vector]


def _matrix_json(rows):
    return [_vector_json(row) for row in rows]


# -------------------------------------------------------------------------------------------------------------- words


def _worded(statement):
    """The statement with words for exactly what its numbers prove, whatever words it had."""
    indices = statement["polynomials"]
    if statement["kind"] == "vanishing":
        words = f"{_named(indices)} exactly zero at the {counted(len(statement['points']), 'point')} listed."
    elif statement["kind"] == "also zero":
        knots = [knot for knot, _ in statement["knots"]]
        where = "zero in the box" if len(knots) == 1 else "zeros in the boxes"
        words = f"At the {where} of {_knots(knots)}: {_lower(_named(indices))} exactly zero, too (by the syzygies)."
    elif statement["kind"] == "groebner basis":
        words = (f"Polynomial{'s' if len(indices) > 1 else ''} {_numbers(indices)}: the reduced Groebner basis "
                 f"({statement['order']}) of the ideal of all polynomials that are zero at the "
                 f"{counted(len(statement['points']), 'distinct point')} listed.")
    else:
        system = _system(indices, len(statement["plane"]))
        words = (f"Knot {statement['knot']}: exactly one common zero of {system} lies in the box "
                 "|x_j - center_j| <= radii_j (Krawczyk's condition holds with the preconditioner).")
        if statement["bounds"]:
            others = _lower(_named([index for index, _ in statement["bounds"]]))
            words += f" On the whole box {others} at most its bound in absolute value; {NO_ZERO}"
    return {"kind": statement["kind"], "words": words,
            **{key: value for key, value in statement.items() if key not in ("kind", "words")}}


def _zeros_words(statements):
    """One sentence for all knots with the same system."""
    first = statements[0]
    knots = [statement["knot"] for statement in statements]
    words = f"For {'' if len(knots) == 1 else 'each of '}{_knots(knots)}: exactly one common zero of "
    words += _system(first["polynomials"], len(first["plane"]))
    words += f" lies in a box of half-width at most {_largest(r for s in statements for r in s['radii'])}."
    if first["bounds"]:
        others = _lower(_named([index for index, _ in first["bounds"]]))
        most = _largest(bound for statement in statements for _, bound in statement["bounds"])
        words += f" On the whole box {others} at most {most} in absolute value; {NO_ZERO}"
    return words


def _system(chosen, planes):
    words = f"polynomial{'s' if len(chosen) > 1 else ''} {_numbers(chosen)}"
    return words + (f" and of {counted(planes, 'linear equation')} through the center" if planes else "")


def _named(indices):
    """The subject of a sentence: ``Polynomial 0 is``, ``Each of the polynomials 0 to 3 is``."""
    return f"{'Polynomial' if len(indices) == 1 else 'Each of the polynomials'} {_numbers(indices)} is"


def _lower(words):
    return words[0].lower() + words[1:]


def _knots(knots):
    return f"knot {knots[0]}" if len(knots) == 1 else f"the {len(knots)} knots {_numbers(knots)}"


def _numbers(numbers):
    """``0 to 5, 7, 8``: runs of whole numbers, at most `MOST_RUNS_SHOWN` of them."""
    runs = []
    for number in sorted(numbers):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    texts = [f"{a} to {b}" if b > a + 1 else ", ".join(map(str, sorted({a, b}))) for a, b in runs]
    return ", ".join(texts if len(texts) <= MOST_RUNS_SHOWN else [*texts[:MOST_RUNS_SHOWN - 1], "...", texts[-1]])


def _largest(pairs):
    """The largest of rational numbers, with `SIZE_DIGITS` digits, rounded up."""
    largest = rounded(max(map(rational_from_json, pairs)), wide_context(SIZE_DIGITS, ROUND_CEILING))
    return f"{largest:.{SIZE_DIGITS}g}"
