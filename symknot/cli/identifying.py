"""The command from measured runs to equations of motion: ``identify``."""

from __future__ import annotations

import argparse
from argparse import ArgumentParser, Namespace
from pathlib import Path

from ..ground.errors import InvalidOption
from .common import NO_EQUATION, OK, add_data, check_destination, names, print_notes, table_of_data
from .registry import command

ONLY_EQUATIONS = ("static", "lags", "order", "form", "output", "plot", "report")
"""Options that say something about equations of motion, and nothing about what is conserved."""


def _arguments_of_identify(parser: ArgumentParser) -> None:
    from ..sysid.motion.identify import FORMS
    add_data(parser, "one sample per row")
    parser.add_argument("--time", type=_column_or_step, metavar="COLUMN",
                        help="column of times (numbers or dates), or the step between samples, a number (default: a column "
                             "called t, time or date, else steps 0, 1, 2, ...)")
    parser.add_argument("--group", metavar="COLUMN",
                        help="column that tells the runs apart (default: one called run or group, else there is one run)")
    parser.add_argument("--inputs", type=names, default=(), metavar="COLUMN,COLUMN", help="columns that are controls")
    parser.add_argument("--map", action="store_true", help="next states from present ones, instead of derivatives")
    parser.add_argument("--static", action="store_true", help="outputs from inputs alone, without motion")
    parser.add_argument("--lags", type=int, metavar="N", help="earlier states that a map may depend on (default: 0)")
    parser.add_argument("--order", type=int, metavar="N", help="of the differential equations, 1 (the default) or 2")
    parser.add_argument("--max-degree", type=int, metavar="N",
                        help="highest degree (default: 3, of what is conserved 2)")
    parser.add_argument("--form", choices=FORMS, help="right-hand sides (default: auto)")
    parser.add_argument("--noise", type=_deviations, default="estimate", metavar="S",
                        help="standard deviation of the noise, one for all variables or one each: S,S,... "
                             "(default: estimated)")
    parser.add_argument("--invariants", action="store_true", help="print what is conserved along the runs, instead")
    parser.add_argument("-o", "--output", type=Path, metavar="MODEL.json", help="save the model here")
    parser.add_argument("--plot", type=Path, metavar="PICTURE.png", help="draw equations, data and knots here")
    parser.add_argument("--report", action="store_true", help="every coefficient with its standard error, and more")


@command("identify", help="find equations of motion of the measured runs in a data file",
         arguments=_arguments_of_identify)
def run_identify(arguments: Namespace) -> int:
    """Print the equations of motion, or what is conserved; save and draw them if asked to."""
    from ..sysid.invariants.conserved import conserved
    from ..sysid.motion.identify import identify
    from ..sysid.runs.trajectories import Trajectories
    _check_files(arguments)
    if arguments.invariants:
        given = [name for name in ONLY_EQUATIONS if getattr(arguments, name)]
        if given:
            raise InvalidOption(f"--{given[0]}", getattr(arguments, given[0]), "left out with --invariants")
    if arguments.map and arguments.static:
        raise InvalidOption("--static", "given with --map", "left out: one or the other")
    kind = "map" if arguments.map else "static" if arguments.static else "flow"
    degree = {} if arguments.max_degree is None else {"max_degree": arguments.max_degree}
    named = [name for name in (arguments.time, arguments.group, *arguments.inputs) if isinstance(name, str)]
    runs = Trajectories(table_of_data(arguments, named), arguments.time, group=arguments.group, inputs=arguments.inputs)
    print_notes(runs.notes)
    if arguments.invariants:
        found = conserved(runs, kind=kind, noise=arguments.noise, **degree)
        print(found)
        return OK if found.status.ok else NO_EQUATION
    options = {name: value for name in ("lags", "order", "form") if (value := getattr(arguments, name)) is not None}
    model = identify(runs, kind=kind, noise=arguments.noise, **degree, **options)
    print(model.report() if arguments.report else model)
    if arguments.output is not None:
        model.save(arguments.output)
        print(f"\nsaved as {arguments.output}")
    if arguments.plot is not None:
        model.plot(path=arguments.plot)
        print(f"\npicture saved as {arguments.plot}")
    return OK if model.polynomials else NO_EQUATION


def _check_files(arguments: Namespace) -> None:
    """Complain about impossible destinations before long work, not after it."""
    for path in (arguments.output, arguments.plot):
        if path is not None:
            check_destination(path, arguments.data, "data")
    if arguments.plot is not None:
        from ..showing.pictures import checked_format
        checked_format(arguments.plot)
        if arguments.output is not None and arguments.output.resolve() == arguments.plot.resolve():
            raise InvalidOption("--plot", str(arguments.plot), "another file than --output")


def _column_or_step(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _deviations(text: str) -> str | float | list[float]:
    if text == "estimate":
        return text
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        rule = "must be estimate, a number, or numbers with commas between them"
        raise argparse.ArgumentTypeError(f"{rule}, got {text!r}") from None
    return numbers if len(numbers) > 1 else numbers[0]
