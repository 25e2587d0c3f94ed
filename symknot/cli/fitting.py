"""Commands from points to equations: ``demo``, ``fit``, ``show``, ``spectrum``."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from ..ground.errors import FitInterrupted, MissingExtra
from .common import (
    INTERRUPTED,
    NO_EQUATION,
    OK,
    add_data,
    add_model,
    check_destination,
    number_or,
    opened,
    print_notes,
    table_of_data,
)
from .registry import command

if TYPE_CHECKING:
    from ..results.ideal import Ideal

NOISES, LOSSES = ("auto", "equal", "relative"), ("auto", "squares", "robust")
"""Kinds of noise and losses by name, as `symknot.fit` takes them."""
KNOTS_IN_DEMO = 3
"""Knots that the demo prints: enough to see what one is."""


def _arguments_of_demo(parser: ArgumentParser) -> None:
    parser.add_argument("--output", type=Path, default=Path("symknot-demo.png"), metavar="PICTURE",
                        help="where the picture goes (default: %(default)s)")


@command("demo", help="fit a noisy circle that comes with the package, and draw it", arguments=_arguments_of_demo)
def run_demo(arguments: Namespace) -> int:
    """Fit the shipped circle, print what was found, draw it."""
    from importlib import resources

    from ..results.fit import fit
    with resources.as_file(resources.files("symknot") / "data" / "circle.csv") as circle:
        ideal = fit(circle)
        print("200 points near the circle of radius 1 around the origin, with 5 % noise.\n")
        print(ideal)
        _print_closer_look(ideal)
        try:
            ideal.plot(circle, path=arguments.output)
        except MissingExtra as missing:
            print(f"\nno picture: {missing}")
        else:
            print(f"\npicture saved as {arguments.output}")
    return _exit_code(ideal)


def _noise(text: str) -> str | list[float]:
    """An argparse type: the name of a kind of noise, or numbers with commas between them."""
    if text in NOISES:
        return text
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        rule = f"must be one of {', '.join(NOISES)} or numbers with commas between them"
        raise ArgumentTypeError(f"{rule}, got {text!r}") from None


def _arguments_of_fit(parser: ArgumentParser) -> None:
    add_data(parser)
    parser.add_argument("-o", "--output", type=Path, metavar="MODEL.json", help="save the result here")
    parser.add_argument("--epsilon", type=number_or("auto"), default="auto", metavar="E",
                        help="standard deviation of the noise in the data's units, or auto (the default)")
    parser.add_argument("--noise", type=_noise, default="auto", metavar="KIND",
                        help="auto (the default): that of each variable is estimated; equal: the same in all; relative: "
                             "proportional to the value; or standard deviations, such as 0.1,2,0.03")
    parser.add_argument("--loss", choices=LOSSES, default="auto",
                        help="squares: every point counts; robust: points far from all equations do not; auto (the default)")
    parser.add_argument("--max-degree", type=int, metavar="N", help="highest degree of an equation")
    parser.add_argument("--form", choices=("auto", "polynomial", "binomial"), default="auto",
                        help="binomial: power laws of positive data, noise proportional to the value; auto (the default) "
                             "takes them where they fit far better")
    parser.add_argument("--delta", type=float, metavar="D", help="how nearly equations must vanish on the knots")


@command("fit", help="find equations and knots of the points in a data file", arguments=_arguments_of_fit)
def run_fit(arguments: Namespace) -> int:
    """Fit a data file, print what was found, save it if asked to."""
    from ..results.fit import fit
    if arguments.output is not None:
        check_destination(arguments.output, arguments.data, "data")
    table = table_of_data(arguments)
    print_notes(table.notes)
    exit_code = None
    try:
        ideal = fit(table, arguments.epsilon, delta=arguments.delta, max_degree=arguments.max_degree,
                    noise=arguments.noise, loss=arguments.loss, form=arguments.form)
    except FitInterrupted as interruption:
        ideal, exit_code = interruption.partial, INTERRUPTED
    print(ideal)
    if arguments.output is not None:
        ideal.save(arguments.output)
        print(f"\nsaved as {arguments.output}")
    return _exit_code(ideal) if exit_code is None else exit_code


def _arguments_of_show(parser: ArgumentParser) -> None:
    add_model(parser)
    parser.add_argument("--readable", action="store_true",
                        help="the simplest numbers that the data do not reject, and what they cost")
    parser.add_argument("--latex", action="store_true", help="the equations in LaTeX, nothing else")
    parser.add_argument("--digits", type=int, metavar="N",
                        help="significant digits (default: as many as the data determine)")


@command("show", help="print a saved result", arguments=_arguments_of_show)
def run_show(arguments: Namespace) -> int:
    """Print a saved result: the estimates, or with --readable the simplified equations, or all that is known."""
    result = opened(arguments.model)
    # a result that has estimates beside its simplified equations shows either; all others have one form only
    has_estimates = hasattr(result, "uncertainty")
    options = {"simplify": arguments.readable} if has_estimates else {}
    if arguments.latex:
        print(result.latex(arguments.digits, **options))
    elif arguments.readable and not has_estimates:
        print(result.report())
    else:
        print(result.text(arguments.digits, **options))
        if arguments.readable:
            _print_costs(result)
    return OK


def _arguments_of_spectrum(parser: ArgumentParser) -> None:
    add_data(parser)


@command("spectrum", help="print how nearly equations of each degree vanish on the points",
         arguments=_arguments_of_spectrum)
def run_spectrum(arguments: Namespace) -> int:
    """Print the residuals of each degree's best equations."""
    from ..fitting.finding import spectrum
    table = table_of_data(arguments)
    print_notes(table.notes)
    print(spectrum(table))
    return OK


def _print_closer_look(ideal: Ideal) -> None:
    print()
    for polynomial in ideal.polynomials:
        print(f"residual {polynomial.residual:.4f}: the points' root-mean-square distance from the curve, estimated")
    shown = ideal.knots[:KNOTS_IN_DEMO]
    print(f"the first {len(shown)} of {len(ideal.knots)} knots, the nearest points on the curve:")
    for knot in shown:
        print("    " + ", ".join(f"{name} = {value:.4f}" for name, value in zip(ideal.names, knot)))


def _print_costs(ideal: Ideal) -> None:
    for number, equation in enumerate(ideal.readable(), start=1):
        kind = "simplified" if equation.rounded else "kept as estimated"
        print(f"equation {number}, {kind}: distance of the data {equation.residual_before:.4g} before, "
              f"{equation.residual:.4g} after")


def _exit_code(ideal: Ideal) -> int:
    return OK if ideal.polynomials else NO_EQUATION
