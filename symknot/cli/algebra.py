"""Commands from equations to exact algebra: ``exact``, ``verify``, ``groebner``, ``solve``, ``decompose``."""

from pathlib import Path

from ..engines import NAMES, engine
from ..ground.errors import InvalidOption
from ..exact import verify
from ..results.loading import load
from ..polynomials.term_orders import ORDERS
from .common import OK, add_timeout, check_destination, load_exactly

NOT_CERTIFIED = 1


def add_commands(commands):
    """Register these commands with the parser."""
    exact = commands.add_parser("exact", help="make a saved result exact: rational equations, certified knots")
    exact.add_argument("model", type=Path, metavar="MODEL.json")
    exact.add_argument("-o", "--output", type=Path, metavar="EXACT.json",
                       help="save the exact ideal here, with its certificate")
    exact.add_argument("--certificate", type=Path, metavar="CERTIFICATE.json", help="save the certificate alone here")
    exact.add_argument("--route", choices=["auto", "points", "equations"], default="auto",
                       help="rational knots, or rational equations with certified knots (default: by what was found)")
    rule = exact.add_mutually_exclusive_group()
    rule.add_argument("--rationalize", choices=["simplest", "binary"],
                      help="smallest denominators within the tolerance (the default), or the floats' exact values")
    rule.add_argument("--denominator", type=int, metavar="N", help="largest denominator allowed")
    rule.add_argument("--digits", type=int, metavar="N", help="digits after the decimal point")
    add_timeout(exact)
    exact.set_defaults(run=run_exact)

    check = commands.add_parser("verify", help="check a certificate again, from the file alone")
    check.add_argument("certificate", type=Path, metavar="CERTIFICATE.json", help="or a saved exact ideal")
    check.set_defaults(run=run_verify)

    basis = _question(commands, "groebner", "print the Groebner basis of the exact equations", run_groebner)
    basis.add_argument("--order", choices=ORDERS, default="grevlex", help="term order (default: %(default)s)")
    _question(commands, "solve", "print the real zeros of exact equations that have finitely many", run_solve)
    _question(commands, "decompose", "print the parts that the exact equations' zeros fall into", run_decompose)


def _question(commands, name, words, run):
    """A command that asks a computer algebra system about the exact equations of a file."""
    parser = commands.add_parser(name, help=words)
    parser.add_argument("model", type=Path, metavar="MODEL.json", help="a saved result, or a saved exact one")
    parser.add_argument("--engine", choices=["auto", *NAMES], default="auto",
                        help="who computes (default: the best one found that can)")
    add_timeout(parser)
    parser.set_defaults(run=run)
    return parser


def run_exact(arguments):
    """Make a saved fit exact, print what was proved, save it if asked to."""
    for output in (arguments.output, arguments.certificate):
        if output is not None:
            check_destination(output, arguments.model, "model")
    if arguments.output is not None and arguments.certificate is not None:
        if arguments.output.resolve() == arguments.certificate.resolve():
            raise InvalidOption("--certificate", str(arguments.certificate), "another file than --output")
    exact = load(arguments.model).exact(arguments.route, arguments.rationalize or "simplest", denominator=arguments.denominator,
                                        digits=arguments.digits, timeout=arguments.timeout)
    print(exact)
    print(f"\n{exact.certificate}")
    for output, result in ((arguments.output, exact), (arguments.certificate, exact.certificate)):
        if output is not None:
            result.save(output)
            print(f"\nsaved as {output}")
    return NOT_CERTIFIED if exact.uncertified else OK


def run_verify(arguments):
    """Check every statement of a certificate; the exit code is 0 only if all hold."""
    return verify.main([str(arguments.certificate)])


def run_groebner(arguments):
    """Print the reduced Groebner basis, one polynomial per line."""
    exact = load_exactly(arguments.model, arguments.timeout)
    for polynomial in exact.groebner(arguments.order, arguments.engine, arguments.timeout):
        print(polynomial.as_expr())
    return OK


def run_solve(arguments):
    """Print the real zeros, one per line."""
    exact = load_exactly(arguments.model, arguments.timeout)
    zeros = engine(arguments.engine).real_solutions(exact.polys, timeout=arguments.timeout)
    for zero in zeros:
        print(", ".join(f"{name} = {_shown(low, high)}" for name, (low, high) in zip(exact.names, zero)))
    print(f"{len(zeros)} real zero(s)")
    return OK


def run_decompose(arguments):
    """Print the prime components, with the primary ones where they differ."""
    exact = load_exactly(arguments.model, arguments.timeout)
    components = engine(arguments.engine).primary_decomposition(exact.polys, timeout=arguments.timeout)
    for number, (primary, prime) in enumerate(components, start=1):
        print(f"component {number}: " + ", ".join(f"{g.as_expr()} = 0" for g in prime))
        if primary != prime:
            print("    with multiplicity: " + ", ".join(f"{g.as_expr()} = 0" for g in primary))
    print(f"{len(components)} component(s)")
    return OK


def _shown(low, high):
    return str(low) if low == high else f"{float((low + high) / 2):.15g}"
