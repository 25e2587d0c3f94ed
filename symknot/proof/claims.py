"""What exact results claim, as statements that a prover can be given (`export.statements`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..exact import verify
from ..exact.krawczyk import CertifiedZero
from ..exact.numbers import POINTS, ExactNumbers
from ..export.statements import AlsoZero, PointsBasis, Statement, UniqueZero, Vanishing
from ..export.system import System

ACCEPTED = {
    "vanishing": "zero at the points",
    "unique zero": "exactly one zero in the box, other polynomials within their bounds",
    "also zero": "zero there, too",
    "groebner basis": "its common real zeros are exactly the points (that it is a Groebner basis is for the other checker)"}
"""What Coq's theorems say of each kind of statement in a certificate."""


def claims_of_numbers(numbers: ExactNumbers) -> tuple[Statement, ...]:
    """What is proved of exact equations and their knots; bounds of equations that were left out are not repeated."""
    count = len(numbers.polynomials)
    if numbers.route == POINTS:
        return (Vanishing(tuple(range(count)), tuple(dict.fromkeys(numbers.rational_knots))),)
    zeros = [UniqueZero(knot, zero.chosen, zero.center, zero.radii, zero.plane, zero.preconditioner,
                        {index: bound for index, bound in zero.bounds.items() if index < count})
             for knot, zero in enumerate(numbers.zeros) if isinstance(zero, CertifiedZero)]
    return (*zeros, *(AlsoZero(knot, proof.others, proof.syzygies, matrix)
                      for proof in numbers.also for knot, matrix in proof.preconditioners.items()))


def claims_of_certificate(polynomials: Sequence[Mapping], statements: Sequence[Mapping[str, Any]]
                          ) -> tuple[tuple[Statement, ...], tuple[int, ...]]:
    """The same from a certificate that `verify.read_text` read; and for each, the place of its statement there."""
    found: list[Statement] = []
    places: list[int] = []
    for place, statement in enumerate(statements):
        own = _CLAIMS[statement["kind"]](statement)
        found += own
        places += [place] * len(own)
    return tuple(found), tuple(places)


def certified_system(content: verify.Content) -> tuple[System, tuple[int, ...], list[str]]:
    """A certificate as a system with statements; for each the place in the certificate; and the kinds there.

    Raises
    ------
    verify.Unreadable
    """
    _, polynomials, statements, _ = content
    verify.check_work(polynomials, statements)
    found, places = claims_of_certificate(polynomials, statements)
    dimension = len(next(iter(polynomials[0]))) if polynomials else 1
    # the words of a certificate are not read: variables are numbered
    names = tuple(f"x{k}" for k in range(1, dimension + 1))
    system = System(names, tuple(polynomials), title="a certificate, checked again", statements=found)
    return system, places, [statement["kind"] for statement in statements]


def _points(statement):
    return tuple(map(tuple, statement["points"]))


def _unique_zero(statement):
    rows = {key: tuple(map(tuple, statement[key])) for key in ("plane", "preconditioner")}
    return [UniqueZero(statement["knot"], tuple(statement["polynomials"]), tuple(statement["center"]),
                       tuple(statement["radii"]), rows["plane"], rows["preconditioner"], dict(statement["bounds"]))]


_CLAIMS = {
    "vanishing": lambda s: [Vanishing(tuple(s["polynomials"]), _points(s))],
    "unique zero": _unique_zero,
    "also zero": lambda s: [AlsoZero(knot, tuple(s["polynomials"]), tuple(map(tuple, s["syzygies"])), tuple(map(tuple, matrix)))
                            for knot, matrix in s["knots"]],
    "groebner basis": lambda s: [PointsBasis(tuple(s["polynomials"]), s["order"], _points(s))],
}
