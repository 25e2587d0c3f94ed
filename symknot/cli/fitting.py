"""Commands from points to equations: ``demo``, ``fit``, ``show``, ``spectrum``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..ground.errors import FitInterrupted, InvalidOption, MissingExtra, Status
from .common import (
    add_data,
    add_model,
    add_report,
    check_destinations,
    names,
    number,
    number_or,
    numbers_or,
    opened,
    print_notes,
    report_files,
    table_of_data,
    whole,
    written,
)
from .registry import FALLS_SHORT, INTERRUPTED, OK, Answer, Written, command

if TYPE_CHECKING:
    from ..reading.tables import Table
    from ..results.ideal import Ideal

NOISES, LOSSES = ("auto", "equal", "relative"), ("auto", "squares", "robust")
"""Kinds of noise and losses by name, as `symknot.fit` takes them."""
NORMALIZATIONS, KNOTTINGS = ("gradient", "coefficient", "vca"), ("projection", "penalty")
"""Short names of strategies; written out here, for their rooms are slow to import."""
KNOTS_IN_DEMO = 3
"""Knots that the demo prints: enough to see what one is."""
IN_EVERY_JSON = ("latex", "digits", "readable")
"""Options of ``show`` that say nothing beside ``--json``, which has all forms of every equation."""


def _arguments_of_demo(parser: ArgumentParser) -> None:
    parser.add_argument("--output", type=Path, default=Path("symknot-demo.png"), metavar="PICTURE",
                        help="where the picture goes (default: %(default)s)")


@command("demo", help="fit a noisy circle that comes with the package, and draw it", arguments=_arguments_of_demo,
         json=True)
def run_demo(arguments: Namespace) -> Answer:
    """Fit the shipped circle, print what was found, draw it."""
    from importlib import resources

    from ..reading.sources import read
    from ..results.fit import fit
    from ..showing.pictures import checked_format
    with resources.as_file(resources.files("symknot") / "data" / "circle.csv") as circle:
        points = read(circle)
    ideal = fit(points, progress=_progress(arguments))
    lines = ["200 points near the circle of radius 1 around the origin, with 5 % noise.", "", str(ideal), *_closer_look(ideal)]
    files: tuple[Written, ...] = ()
    try:
        checked_format(arguments.output)
        files = (Written(arguments.output, lambda path: ideal.plot(points, path=path), "picture saved as"),)
    except MissingExtra as missing:
        lines += ["", f"no picture: {missing}"]
    return Answer("\n".join(lines), ideal, _exit_code(ideal), files)


def _arguments_of_fit(parser: ArgumentParser) -> None:
    add_data(parser)
    parser.add_argument("-o", "--output", type=Path, metavar="MODEL.json", help="save the result here")
    parser.add_argument("--plot", type=Path, metavar="PICTURE", help="draw data, equations and knots here: .png, .svg, .pdf")
    add_report(parser)
    parser.add_argument("--degree", "--max-degree", dest="max_degree", type=whole, metavar="N",
                        help="highest degree of an equation (default: the fit decides when to stop)")
    parser.add_argument("--epsilon", type=number_or("auto"), default="auto", metavar="E",
                        help="standard deviation of the noise in the data's units, or auto (the default)")
    parser.add_argument("--noise", type=numbers_or(NOISES), default="auto", metavar="KIND",
                        help="auto (the default): that of each variable is estimated; equal: the same in all; relative: "
                             "proportional to the value; or standard deviations, such as 0.1,2,0.03")
    loss = parser.add_mutually_exclusive_group()
    loss.add_argument("--loss", choices=LOSSES, default="auto",
                      help="squares: every point counts; robust: points far from all equations do not; auto (the default)")
    loss.add_argument("--robust", dest="loss", action="store_const", const="robust", help="the same as --loss robust")
    parser.add_argument("--form", choices=("auto", "polynomial", "binomial"), default="auto",
                        help="binomial: power laws of positive data, noise proportional to the value; auto (the default) "
                             "takes them where they fit far better")
    parser.add_argument("--names", type=names, metavar="A,B,...", help="call the variables so (default: as their columns)")
    parser.add_argument("--weights", metavar="COLUMN", help="column of the points' weights")
    parser.add_argument("--timeout", type=number, metavar="SECONDS",
                        help="end after so many seconds with what is finished (default: no limit)")
    parser.add_argument("--checkpoint", type=Path, metavar="FILE",
                        help="keep finished degrees here; the same command goes on from them, however it was ended")
    fine = parser.add_argument_group("fine tuning")
    fine.add_argument("--delta", type=number, metavar="D",
                      help="how nearly equations must vanish on the knots (default: 1e-9 of the data's spread)")
    fine.add_argument("--normalization", choices=NORMALIZATIONS, default="gradient",
                      help="what a polynomial of unit size is (default: %(default)s; vca is the paper's)")
    fine.add_argument("--knotting", choices=KNOTTINGS, default="projection", help="how knots move (default: %(default)s)")
    fine.add_argument("--max-resets", type=whole, metavar="N",
                      help="how often the loop may start again from degree 1 (default: 10)")
    fine.add_argument("--cooling", type=number, metavar="C",
                      help="factor, between 0 and 1, by which the tolerance on the knots is lowered (default: 0.5)")


@command("fit", help="find equations and knots of the points in a data file", arguments=_arguments_of_fit, json=True)
def run_fit(arguments: Namespace) -> Answer:
    """Fit a data file, print what was found, save and draw it if asked to."""
    from ..results import fit as fits
    check_destinations(arguments, ("output", "plot", "report"), arguments.data, "data")
    table, weights = _points_and_weights(arguments)
    print_notes(arguments, table.notes)
    tuning = {name: value for name in ("max_resets", "cooling") if (value := getattr(arguments, name)) is not None}
    exit_code = None
    try:
        ideal = fits.fit(
            table, arguments.epsilon, delta=arguments.delta, max_degree=arguments.max_degree,
            normalization=arguments.normalization, knotting=arguments.knotting, noise=arguments.noise, weights=weights,
            names=arguments.names, progress=_progress(arguments), form=arguments.form, loss=arguments.loss,
            timeout=arguments.timeout, checkpoint=arguments.checkpoint, **tuning)
    except FitInterrupted as interruption:
        ideal, exit_code = interruption.partial, INTERRUPTED
    files = []
    if ideal.status is Status.OUT_OF_TIME:
        exit_code = FALLS_SHORT
    interrupted = exit_code is not None
    if arguments.output is not None:
        files.append(written(arguments.output, ideal.save, "saved as", interrupted))
    if arguments.plot is not None:
        files.append(written(arguments.plot, lambda path: ideal.plot(table, path=path), "picture saved as", interrupted))
    files += report_files(arguments, ideal, table)
    return Answer(ideal, ideal, _exit_code(ideal) if exit_code is None else exit_code, tuple(files))


def _points_and_weights(arguments: Namespace) -> tuple[Table, Any]:
    """The points, and the column of weights apart from them."""
    if arguments.weights is None:
        return table_of_data(arguments), None
    from dataclasses import replace

    import numpy as np

    from ..reading.choosing import variables_of
    table = table_of_data(arguments, [arguments.weights])
    place = table.column("--weights", arguments.weights)
    if arguments.missing == "drop":
        table = table.keep(~np.isnan(table.numbers([place])[:, 0]))
    weights = table.numbers([place])[:, 0]
    points = table.select([column for column in range(table.width) if column != place])
    chosen = variables_of(points)
    if chosen.count < table.count:                      # rows with gaps were left out: their weights go with them
        kept = ~np.isnan(points.select([points.columns.index(name) for name in chosen.columns]).numbers()).any(axis=1)
        weights = weights[kept]
    return replace(points, notes=chosen.notes), weights


def _progress(arguments: Namespace) -> bool | None:
    """The option of a fit: a live line on a terminal, unless silence was asked for."""
    return False if arguments.quiet else None


def _arguments_of_show(parser: ArgumentParser) -> None:
    add_model(parser)
    parser.add_argument("--readable", action="store_true",
                        help="the simplest numbers that the data do not reject, and what they cost")
    parser.add_argument("--latex", action="store_true", help="the equations in LaTeX, nothing else")
    parser.add_argument("--digits", type=whole, metavar="N",
                        help="significant digits (default: as many as the data determine)")


@command("show", help="print a saved result", arguments=_arguments_of_show, json=True)
def run_show(arguments: Namespace) -> Answer:
    """Print a saved result: the estimates, or with --readable the simplified equations, or all that is known."""
    given = [name for name in IN_EVERY_JSON if getattr(arguments, name)]
    if arguments.json and given:
        raise InvalidOption(given[0], getattr(arguments, given[0]), "left out with --json, which has all forms")
    result = opened(arguments.model)
    return Answer(None if arguments.json else _shown(result, arguments), result)


def _shown(result: Any, arguments: Namespace) -> str:
    # a result that has estimates beside its simplified equations shows either; all others have one form only
    has_estimates = hasattr(result, "uncertainty")
    options = {"simplify": arguments.readable} if has_estimates else {}
    if arguments.latex:
        return result.latex(arguments.digits, **options)
    if arguments.readable and not has_estimates:
        return result.report()
    text = result.text(arguments.digits, **options)
    return "\n".join([text, *_costs(result)]) if arguments.readable else text


def _arguments_of_spectrum(parser: ArgumentParser) -> None:
    add_data(parser)


@command("spectrum", help="print how nearly equations of each degree vanish on the points",
         arguments=_arguments_of_spectrum, json=True)
def run_spectrum(arguments: Namespace) -> Answer:
    """Print the residuals of each degree's best equations."""
    from ..results.fit import spectrum
    table = table_of_data(arguments)
    print_notes(arguments, table.notes)
    found = spectrum(table)
    return Answer(found, found)


def _closer_look(ideal: Ideal) -> list[str]:
    shown = ideal.knots[:KNOTS_IN_DEMO]
    return ["", *(f"residual {polynomial.residual:.4f}: the points' root-mean-square distance from the curve, estimated"
                  for polynomial in ideal.polynomials),
            f"the first {len(shown)} of {len(ideal.knots)} knots, the nearest points on the curve:",
            *("    " + ", ".join(f"{name} = {value:.4f}" for name, value in zip(ideal.names, knot)) for knot in shown)]


def _costs(ideal: Ideal) -> list[str]:
    return [f"equation {number}, {'simplified' if equation.rounded else 'kept as estimated'}: distance of the data "
            f"{equation.residual_before:.4g} before, {equation.residual:.4g} after"
            for number, equation in enumerate(ideal.readable(), start=1)]


def _exit_code(ideal: Ideal) -> int:
    return OK if ideal.polynomials else FALLS_SHORT
