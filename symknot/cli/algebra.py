"""Commands from equations to exact algebra: ``exact``, ``verify``, ``groebner``, ``solve``, ``decompose``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from ..ground.errors import InvalidModel, InvalidOption
from .common import (
    Unable,
    add_model,
    add_report,
    add_timeout,
    can_be_made_exact,
    check_destinations,
    opened,
    opened_exactly,
    report_files,
    unable,
    whole,
)
from .registry import FALLS_SHORT, OK, Answer, Written, command
from .telling import say

if TYPE_CHECKING:
    from fractions import Fraction

    from ..exact.verify import Content


def _arguments_of_exact(parser: ArgumentParser) -> None:
    add_model(parser, "a saved fit")
    parser.add_argument("-o", "--output", type=Path, metavar="EXACT.json",
                        help="save the exact ideal here, with its certificate")
    parser.add_argument("--certificate", type=Path, metavar="CERTIFICATE.json", help="save the certificate alone here")
    add_report(parser)
    parser.add_argument("--route", choices=["auto", "points", "equations"], default="auto",
                        help="rational knots, or rational equations with certified knots (default: by what was found)")
    rule = parser.add_mutually_exclusive_group()
    rule.add_argument("--rationalize", choices=["simplest", "binary"],
                      help="smallest denominators within the tolerance (the default), or the floats' exact values")
    rule.add_argument("--denominator", type=whole, metavar="N", help="largest denominator allowed")
    rule.add_argument("--digits", type=whole, metavar="N", help="digits after the decimal point")
    add_timeout(parser)


@command("exact", help="make a saved result exact: rational equations, certified knots", arguments=_arguments_of_exact,
         json=True)
def run_exact(arguments: Namespace) -> Answer:
    """Make a saved fit exact, print what was proved, save it if asked to."""
    check_destinations(arguments, ("output", "certificate", "report"), arguments.model, "model")
    result = opened(arguments.model)
    if not can_be_made_exact(result):
        raise unable(arguments.model, result, "be made exact: its equations are in exact numbers already")
    exact = result.exact(arguments.route, arguments.rationalize or "simplest", denominator=arguments.denominator,
                         digits=arguments.digits, timeout=arguments.timeout)
    files = tuple(Written(path, saved.save) for path, saved in
                  ((arguments.output, exact), (arguments.certificate, exact.certificate)) if path is not None)
    files += tuple(report_files(arguments, exact))
    return Answer(f"{exact}\n\n{exact.certificate}", exact, FALLS_SHORT if exact.uncertified else OK, files)


def _arguments_of_verify(parser: ArgumentParser) -> None:
    parser.add_argument("certificate", type=Path, metavar="CERTIFICATE.json", help="or a saved exact ideal")
    parser.add_argument("--with", dest="checker", choices=["python", "coq"], default="python",
                        help="who checks: the small checker (the default), or the proof assistant Coq")
    parser.add_argument("--expect", type=Path, metavar="FILE",
                        help="a saved result with the equations, or a data file with the points, that it should be about")
    add_timeout(parser)


@command("verify", help="check a certificate again, from the file alone", arguments=_arguments_of_verify, json=True)
def run_verify(arguments: Namespace) -> int | Answer:
    """Check every statement of a certificate; the exit code is 0 only if all hold, and are about what is expected."""
    from ..exact import verify
    with_coq = arguments.checker == "coq"
    if not arguments.json and arguments.expect is None and not with_coq:
        return verify.main([str(arguments.certificate)])
    try:
        content = verify.read_file(arguments.certificate)
        unexpected = [] if arguments.expect is None else _unexpected(arguments, content)
        if not arguments.json and not with_coq:
            for line in unexpected:
                say(f"NOT AS EXPECTED: {line}")
            code = verify.main([str(arguments.certificate)])
            return code or (FALLS_SHORT if unexpected else OK)
        findings = _checked_by_coq(arguments, content) if with_coq else verify.check_content(content)
    except verify.Unreadable as error:
        raise InvalidModel(f"{arguments.certificate}: cannot be checked: {error}") from None
    holds = bool(findings) and all(finding.holds for finding in findings) and not unexpected
    lines = [f"NOT AS EXPECTED: {line}" for line in unexpected]
    lines.append(verify.summary(findings) if findings else "the file states nothing")
    return Answer("\n".join(lines), {
        "kind": "Verification", "ok": holds, "checker": arguments.checker, "not_claimed": verify.unclaimed(content),
        "not_as_expected": unexpected, "statements": [
            {"kind": finding.kind, "holds": finding.holds, "text": finding.words} for finding in findings]},
        OK if holds else FALLS_SHORT)


def _checked_by_coq(arguments: Namespace, content: Content) -> list:
    """A `verify.Finding` for each statement: what Coq says to the theorems made of it."""
    from ..exact import verify
    from ..proof.checking import check_with_coq
    from ..proof.claims import ACCEPTED, certified_system
    system, places, kinds = certified_system(content)
    if not system.statements:
        return []
    said = check_with_coq(system, arguments.timeout)
    findings = []
    for place, kind in enumerate(kinds):
        own = [finding for finding, number in zip(said, places) if number == place]
        refused = next((finding.words for finding in own if not finding.accepted), None)
        words = f"Coq accepts: {ACCEPTED[kind]}" if refused is None else refused
        findings.append(verify.Finding(place, kind, refused is None, words))
    return findings


def _unexpected(arguments: Namespace, content: Content) -> list[str]:
    """In what the certificate differs from the file given with --expect."""
    from ..exact.expected import against_equations, against_points
    if arguments.expect.suffix == ".json":
        result = opened(arguments.expect)
        return against_equations(content, result.names, [g.terms for g in result._shown_equations()])
    from ..reading.sources import read_variables
    table = read_variables(arguments.expect)
    return against_points(content, table.columns, table.numbers())


def _add_question(parser: ArgumentParser) -> None:
    """The arguments of a command that asks a computer algebra system about the exact equations of a file."""
    from ..engines import NAMES
    add_model(parser)
    parser.add_argument("--engine", choices=["auto", *NAMES], default="auto",
                        help="who computes (default: the best one found that can)")
    add_timeout(parser)


def _arguments_of_groebner(parser: ArgumentParser) -> None:
    from ..polynomials.term_orders import ORDERS
    _add_question(parser)
    parser.add_argument("--order", choices=ORDERS, default="grevlex", help="term order (default: %(default)s)")


@command("groebner", help="print the Groebner basis of the exact equations", arguments=_arguments_of_groebner, json=True)
def run_groebner(arguments: Namespace) -> Answer:
    """Print the reduced Groebner basis, one polynomial per line."""
    from .schema import polynomial_json
    exact = opened_exactly(arguments.model, arguments.timeout)
    basis = exact.groebner(arguments.order, arguments.engine, arguments.timeout)
    polys = basis.polys if any(basis.exprs) else []          # sympy's basis of no equation is [0]
    return Answer("\n".join(map(str, basis.exprs)) if basis.exprs else None,
                  {"kind": "GroebnerBasis", "names": exact.names, "order": arguments.order,
                   "equations": [polynomial_json(poly) for poly in polys]})


@command("solve", help="print the real zeros of exact equations that have finitely many", arguments=_add_question, json=True)
def run_solve(arguments: Namespace) -> Answer:
    """Print the real zeros, one per line."""
    from ..engines import engine
    exact = opened_exactly(arguments.model, arguments.timeout)
    try:
        zeros = engine(arguments.engine).real_solutions(exact.polys, variables=exact.variables, timeout=arguments.timeout)
    except InvalidOption as error:
        if error.name != "polynomials":
            raise
        raise Unable(f"{arguments.model}: its equations do not have finitely many zeros; `symknot decompose` and "
                     "`symknot groebner` describe them") from None
    lines = [", ".join(f"{name} = {_shown(low, high)}" for name, (low, high) in zip(exact.names, zero)) for zero in zeros]
    return Answer("\n".join([*lines, f"{len(zeros)} real zero(s)"]), {"kind": "Zeros", "names": exact.names, "zeros": [
        [{"low": low, "high": high, "value": float((low + high) / 2)} for low, high in zero] for zero in zeros]})


@command("decompose", help="print the parts that the exact equations' zeros fall into", arguments=_add_question, json=True)
def run_decompose(arguments: Namespace) -> Answer:
    """Print the prime components, with the primary ones where they differ."""
    from ..engines import engine
    from .schema import polynomial_json
    exact = opened_exactly(arguments.model, arguments.timeout)
    asked = engine(arguments.engine)
    components = asked.primary_decomposition(exact.polys, variables=exact.variables, timeout=arguments.timeout)
    lines = []
    for number, (primary, prime) in enumerate(components, start=1):
        lines.append(f"component {number}: " + ", ".join(f"{g.as_expr()} = 0" for g in prime))
        if primary != prime:
            lines.append("    with multiplicity: " + ", ".join(f"{g.as_expr()} = 0" for g in primary))
    told = [{"equations": [polynomial_json(g) for g in prime], "primary": [polynomial_json(g) for g in primary]}
            for primary, prime in components]
    return Answer("\n".join([*lines, f"{len(components)} component(s)"]),
                  {"kind": "Decomposition", "names": exact.names, "components": told})


def _shown(low: Fraction, high: Fraction) -> str:
    return str(low) if low == high else f"{float((low + high) / 2):.15g}"
