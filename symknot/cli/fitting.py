"""Commands from points to equations: ``demo``, ``fit``, ``show``, ``spectrum``."""

from importlib import resources
from pathlib import Path

from ..ground.errors import FitInterrupted, MissingExtra
from ..results.loading import load
from ..showing.plotting import save_picture
from ..showing.printing import latex_of, text_of
from ..fitting.loop import fit
from ..fitting.spectrum import spectrum
from ..ground.storage import kind_of
from ..sysid.motion.model import FORMAT as EQUATIONS_OF_MOTION
from .common import INTERRUPTED, NO_EQUATION, OK, check_destination, number_or
from .identifying import show_model

#: Knots the demo prints.
SOME_KNOTS = 3


def add_commands(commands):
    """Register these commands with the parser."""
    demo = commands.add_parser("demo", help="fit a noisy circle that comes with the package, and draw it")
    demo.add_argument("--output", type=Path, default=Path("symknot-demo.png"), metavar="PICTURE",
                      help="where the picture goes (default: %(default)s)")
    demo.set_defaults(run=run_demo)

    fitting = commands.add_parser("fit", help="find equations and knots of the points in a CSV file")
    fitting.add_argument("data", type=Path, metavar="DATA.csv", help="one point per row, one variable per column")
    fitting.add_argument("-o", "--output", type=Path, metavar="MODEL.json", help="save the result here")
    fitting.add_argument("--epsilon", type=number_or("auto"), default="auto", metavar="E",
                         help="standard deviation of the noise in the data's units, or auto (the default)")
    fitting.add_argument("--max-degree", type=int, metavar="N", help="highest degree of an equation")
    fitting.add_argument("--delta", type=float, metavar="D", help="how nearly equations must vanish on the knots")
    fitting.set_defaults(run=run_fit)

    show = commands.add_parser("show", help="print a saved result")
    show.add_argument("model", type=Path, metavar="MODEL.json")
    show.add_argument("--readable", action="store_true",
                      help="the simplest numbers that the data do not reject, and what they cost")
    show.add_argument("--latex", action="store_true", help="the equations in LaTeX, nothing else")
    show.add_argument("--digits", type=int, metavar="N",
                      help="significant digits (default: as many as the data determine)")
    show.set_defaults(run=run_show)

    degrees = commands.add_parser("spectrum", help="print how nearly equations of each degree vanish on the points")
    degrees.add_argument("data", type=Path, metavar="DATA.csv", help="one point per row, one variable per column")
    degrees.set_defaults(run=run_spectrum)


def run_demo(arguments):
    """Fit the shipped circle, print what was found, draw it."""
    with resources.as_file(resources.files("symknot") / "data" / "circle.csv") as circle:
        ideal = fit(circle)
        print("200 points near the circle of radius 1 around the origin, with 5 % noise.\n")
        print(ideal)
        _print_closer_look(ideal)
        try:
            picture = save_picture(ideal, circle, arguments.output)
        except MissingExtra as missing:
            print(f"\nno picture: {missing}")
        else:
            print(f"\npicture saved as {picture}")
    return _exit_code(ideal)


def run_fit(arguments):
    """Fit a CSV file, print what was found, save it if asked to."""
    if arguments.output is not None:
        check_destination(arguments.output, arguments.data, "data")
    exit_code = None
    try:
        ideal = fit(arguments.data, arguments.epsilon, delta=arguments.delta, max_degree=arguments.max_degree)
    except FitInterrupted as interruption:
        ideal, exit_code = interruption.partial, INTERRUPTED
    print(ideal)
    if arguments.output is not None:
        ideal.save(arguments.output)
        print(f"\nsaved as {arguments.output}")
    return _exit_code(ideal) if exit_code is None else exit_code


def run_show(arguments):
    """Print a saved fit: the estimates, or with --readable the simplified equations."""
    if kind_of(arguments.model) == EQUATIONS_OF_MOTION:
        return show_model(arguments)
    ideal = load(arguments.model)
    if arguments.latex:
        print(latex_of(ideal, arguments.digits, simplify=arguments.readable))
        return OK
    print(text_of(ideal, arguments.digits, simplify=arguments.readable))
    if arguments.readable:
        for number, equation in enumerate(ideal.readable(), start=1):
            kind = "simplified" if equation.rounded else "kept as estimated"
            print(f"equation {number}, {kind}: distance of the data {equation.residual_before:.4g} before, "
                  f"{equation.residual_after:.4g} after")
    return OK


def run_spectrum(arguments):
    """Print the residuals of each degree's best equations."""
    print(spectrum(arguments.data))
    return OK


def _print_closer_look(ideal):
    print()
    for polynomial in ideal.polynomials:
        print(f"residual {polynomial.residual:.4f}: the points' root-mean-square distance from the curve, estimated")
    print(f"the first {min(SOME_KNOTS, len(ideal.knots))} of {len(ideal.knots)} knots, the nearest points on the curve:")
    for knot in ideal.knots[:SOME_KNOTS]:
        print("    " + ", ".join(f"{name} = {value:.4f}" for name, value in zip(ideal.names, knot)))


def _exit_code(ideal):
    return OK if ideal.polynomials else NO_EQUATION
