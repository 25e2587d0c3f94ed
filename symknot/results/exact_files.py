"""Reading a saved `ExactIdeal` back: numbers and names only, nothing in the file is ever run."""

from __future__ import annotations

import sympy

from ..exact.certificate import Certificate
from ..exact.krawczyk import CertifiedZero, Uncertified
from ..exact.nearest import SUPPORTS, ExactPolynomial
from ..exact.numbers import EQUATIONS, POINTS
from ..exact.syzygies import AlsoZero
from ..exact.verify import HIGHEST_DEGREE
from ..ground.storage import checked, different_names, not_negative, positive, whole_numbers
from ..ground.wording import beginning
from ..polynomials.rational_json import rational_from_json, terms_from_json
from ..polynomials.symbols import safe_symbols
from ..polynomials.terms import Terms
from .exact_ideal import FORMAT, VERSION, ExactIdeal
from .saving import reader


@reader(FORMAT, versions=(VERSION,))
def read_exact(content: dict) -> ExactIdeal:
    """The `ExactIdeal` of a file's content.

    Its statements are read, not proved again: that is what ``symknot verify`` does.
    """
    certificate = Certificate.from_json(content["certificate"])
    names = different_names(content["names"])
    route, kept = content["route"], checked(content["kept"], int)
    sources = checked(content["sources"], list)
    if names != certificate.variables or route not in (POINTS, EQUATIONS) or len(sources) != len(certificate.polynomials):
        raise ValueError("names, route or number of polynomials")
    if not 1 <= kept <= len(sources):
        raise ValueError(f"kept must be 1 to {len(sources)}, got {kept}")
    variables = safe_symbols(names)
    polynomials = tuple(_polynomial(terms, source, variables, names)
                        for terms, source in zip(certificate.polynomials, sources))
    knots = tuple(tuple(_rationals(knot, len(names))) for knot in checked(content["knots"], list))
    zeros = _zeros(certificate, len(knots)) if route == EQUATIONS else ()
    also = tuple(_also(statement, zeros) for statement in certificate.statements if statement["kind"] == "also zero")
    epsilon = content["epsilon"]
    exact = ExactIdeal(
        names, route, polynomials[:kept], polynomials[kept:], knots, zeros, also,
        tuple(whole_numbers(content["of_knot"], 0, len(knots)).tolist()), None if epsilon is None else positive(epsilon),
        tuple(checked(note, str) for note in checked(content["notes"], list)),
        unconfirmed=checked(content.get("unconfirmed", ""), str))
    centers = {k: zero.center for k, zero in enumerate(zeros) if k not in exact.uncertified}
    if exact.certificate != certificate or any(knots[k] != center for k, center in centers.items()):
        raise ValueError("the certificate is not about these knots and polynomials")
    return exact


def _polynomial(terms: Terms, source: dict, variables: tuple[sympy.Symbol, ...],
                names: tuple[str, ...]) -> ExactPolynomial:
    if source["support"] not in SUPPORTS:
        raise ValueError(f"support {beginning(source['support'])!r}")
    before = terms_from_json(source["terms"], len(names), HIGHEST_DEGREE)
    if not before:
        raise ValueError("a source without terms")
    return ExactPolynomial(terms, before, source["support"], not_negative(source["residual_before"]),
                           not_negative(source["residual_after"]), variables, names)


def _rationals(values, count):
    if len(checked(values, list)) != count:
        raise ValueError(f"need {count} numbers, got {len(values)}")
    return tuple(map(rational_from_json, values))


def _zeros(certificate, count):
    zeros = {entry["knot"]: Uncertified(entry["reason"]) for entry in certificate.uncertified}
    for statement in certificate.statements:
        if statement["kind"] != "unique zero":
            continue
        center, radii = (tuple(map(rational_from_json, statement[key])) for key in ("center", "radii"))
        plane, preconditioner = (_matrix(statement[key]) for key in ("plane", "preconditioner"))
        bounds = {index: rational_from_json(bound) for index, bound in statement["bounds"]}
        zeros[statement["knot"]] = CertifiedZero(center, radii, tuple(statement["polynomials"]), plane, preconditioner, bounds)
    if sorted(zeros) != list(range(count)):
        raise ValueError("each knot needs one box or one reason")
    return tuple(zeros[k] for k in range(count))


def _also(statement, zeros):
    matrices = {knot: _matrix(matrix) for knot, matrix in statement["knots"]}
    relations = tuple(tuple(map(terms_from_json, relation)) for relation in statement["syzygies"])
    return AlsoZero(zeros[next(iter(matrices))].chosen, tuple(statement["polynomials"]), relations, matrices)


def _matrix(rows):
    return tuple(tuple(map(rational_from_json, row)) for row in rows)
