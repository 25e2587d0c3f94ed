"""Commands from equations to exact algebra: ``exact``, ``verify``, ``groebner``, ``solve``, ``decompose``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from ..ground.errors import InvalidOption
from .common import OK, add_model, add_timeout, can_be_made_exact, check_destination, opened, opened_exactly, unable
from .registry import command

if TYPE_CHECKING:
    from fractions import Fraction

NOT_CERTIFIED = 1
"""Exit code when a knot could not be certified."""


def _arguments_of_exact(parser: ArgumentParser) -> None:
    add_model(parser, "a saved fit")
    parser.add_argument("-o", "--output", type=Path, metavar="EXACT.json",
                        help="save the exact ideal here, with its certificate")
    parser.add_argument("--certificate", type=Path, metavar="CERTIFICATE.json", help="save the certificate alone here")
    parser.add_argument("--route", choices=["auto", "points", "equations"], default="auto",
                        help="rational knots, or rational equations with certified knots (default: by what was found)")
    rule = parser.add_mutually_exclusive_group()
    rule.add_argument("--rationalize", choices=["simplest", "binary"],
                      help="smallest denominators within the tolerance (the default), or the floats' exact values")
    rule.add_argument("--denominator", type=int, metavar="N", help="largest denominator allowed")
    rule.add_argument("--digits", type=int, metavar="N", help="digits after the decimal point")
    add_timeout(parser)


@command("exact", help="make a saved result exact: rational equations, certified knots", arguments=_arguments_of_exact)
def run_exact(arguments: Namespace) -> int:
    """Make a saved fit exact, print what was proved, save it if asked to."""
    for output in (arguments.output, arguments.certificate):
        if output is not None:
            check_destination(output, arguments.model, "model")
    both = arguments.output is not None and arguments.certificate is not None
    if both and arguments.output.resolve() == arguments.certificate.resolve():
        raise InvalidOption("--certificate", str(arguments.certificate), "another file than --output")
    result = opened(arguments.model)
    if not can_be_made_exact(result):
        raise unable(arguments.model, result, "be made exact: its equations are in exact numbers already")
    exact = result.exact(arguments.route, arguments.rationalize or "simplest", denominator=arguments.denominator,
                         digits=arguments.digits, timeout=arguments.timeout)
    print(exact)
    print(f"\n{exact.certificate}")
    for output, saved in ((arguments.output, exact), (arguments.certificate, exact.certificate)):
        if output is not None:
            saved.save(output)
            print(f"\nsaved as {output}")
    return NOT_CERTIFIED if exact.uncertified else OK


def _arguments_of_verify(parser: ArgumentParser) -> None:
    parser.add_argument("certificate", type=Path, metavar="CERTIFICATE.json", help="or a saved exact ideal")


@command("verify", help="check a certificate again, from the file alone", arguments=_arguments_of_verify)
def run_verify(arguments: Namespace) -> int:
    """Check every statement of a certificate; the exit code is 0 only if all hold."""
    from ..exact import verify
    return verify.main([str(arguments.certificate)])


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


@command("groebner", help="print the Groebner basis of the exact equations", arguments=_arguments_of_groebner)
def run_groebner(arguments: Namespace) -> int:
    """Print the reduced Groebner basis, one polynomial per line."""
    exact = opened_exactly(arguments.model, arguments.timeout)
    for expression in exact.groebner(arguments.order, arguments.engine, arguments.timeout).exprs:
        print(expression)
    return OK


@command("solve", help="print the real zeros of exact equations that have finitely many", arguments=_add_question)
def run_solve(arguments: Namespace) -> int:
    """Print the real zeros, one per line."""
    from ..engines import engine
    exact = opened_exactly(arguments.model, arguments.timeout)
    zeros = engine(arguments.engine).real_solutions(exact.polys, variables=exact.variables, timeout=arguments.timeout)
    for zero in zeros:
        print(", ".join(f"{name} = {_shown(low, high)}" for name, (low, high) in zip(exact.names, zero)))
    print(f"{len(zeros)} real zero(s)")
    return OK


@command("decompose", help="print the parts that the exact equations' zeros fall into", arguments=_add_question)
def run_decompose(arguments: Namespace) -> int:
    """Print the prime components, with the primary ones where they differ."""
    from ..engines import engine
    exact = opened_exactly(arguments.model, arguments.timeout)
    asked = engine(arguments.engine)
    components = asked.primary_decomposition(exact.polys, variables=exact.variables, timeout=arguments.timeout)
    for number, (primary, prime) in enumerate(components, start=1):
        print(f"component {number}: " + ", ".join(f"{g.as_expr()} = 0" for g in prime))
        if primary != prime:
            print("    with multiplicity: " + ", ".join(f"{g.as_expr()} = 0" for g in primary))
    print(f"{len(components)} component(s)")
    return OK


def _shown(low: Fraction, high: Fraction) -> str:
    return str(low) if low == high else f"{float((low + high) / 2):.15g}"
