"""The command from measured runs to equations of motion: ``identify``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path

from ..ground.errors import ENDED_EARLY, FitInterrupted, InvalidOption
from .common import (
    add_data,
    add_report,
    check_destinations,
    names,
    number,
    numbers_or,
    print_notes,
    report_files,
    table_of_data,
    whole,
    written,
)
from .registry import FALLS_SHORT, INTERRUPTED, OK, Answer, command

ONLY_EQUATIONS = ("derivatives", "static", "lags", "order", "form", "functions", "window", "constraints", "keep_invariants",
                  "hidden", "checkpoint", "output", "plot")
"""Options that say something about equations of motion, and nothing about what is conserved."""


def _arguments_of_identify(parser: ArgumentParser) -> None:
    from ..sysid.laws.identify import FORMS, LOSSES
    add_data(parser, "one sample per row")
    parser.add_argument("--time", type=_column_or_step, metavar="COLUMN",
                        help="column of times (numbers or dates), or the step between samples, a number (default: a column "
                             "called t, time or date, else steps 0, 1, 2, ...)")
    parser.add_argument("--group", metavar="COLUMN",
                        help="column that tells the runs apart (default: one called run or group, else there is one run)")
    parser.add_argument("--inputs", type=names, default=(), metavar="COLUMN,COLUMN", help="columns that are controls")
    parser.add_argument("--derivatives", type=names, default=(), metavar="STATE=COLUMN,STATE=COLUMN",
                        help="columns that hold measured derivatives of states (default: none)")
    parser.add_argument("--map", action="store_true", help="next states from present ones, instead of derivatives")
    parser.add_argument("--static", action="store_true", help="outputs from inputs alone, without motion")
    parser.add_argument("--lags", type=whole, metavar="N", help="earlier states that a map may depend on (default: 0)")
    parser.add_argument("--order", type=whole, metavar="N", help="of the differential equations, 1 (the default) or 2")
    parser.add_argument("--degree", "--max-degree", dest="max_degree", type=whole, metavar="N",
                        help="highest degree (default: 3, of what is conserved 2)")
    parser.add_argument("--form", choices=FORMS, help="right-hand sides (default: auto)")
    parser.add_argument("--functions", type=names, metavar="NAME,NAME",
                        help="functions beside powers, such as sin,exp(x), or auto: those that are worth their place "
                             "(default: none)")
    parser.add_argument("--noise", type=numbers_or(["estimate", "each run", "relative"]), default="estimate", metavar="S",
                        help="standard deviation of the noise, one for all variables or one each: S,S,... "
                             "(default: estimated); \"each run\" estimates it run by run, \"relative\" in part in "
                             "proportion to the value")
    parser.add_argument("--window", type=whole, metavar="N",
                        help="samples that the first smoothing of a flow takes together (default: chosen from the data)")
    parser.add_argument("--constraints", type=names, metavar="EQUATION,EQUATION",
                        help="algebraic equations that the states satisfy, such as \"x^2 + y^2 = 1\", or none (default: those "
                             "that are found)")
    parser.add_argument("--keep-invariants", action="store_true",
                        help="find what is conserved along each run, and keep to it in the estimate")
    parser.add_argument("--hidden", type=whole, metavar="N", help="states that were not measured, 0 (the default) or 1")
    parser.add_argument("--loss", choices=LOSSES,
                        help="squares trusts every value; auto (the default) leaves out single ones far from their neighbours")
    parser.add_argument("--invariants", action="store_true", help="print what is conserved along the runs, instead")
    parser.add_argument("--timeout", type=number, metavar="SECONDS",
                        help="end after so many seconds with what is finished (default: no limit)")
    parser.add_argument("--checkpoint", type=Path, metavar="FILE",
                        help="keep finished searches here; the same command goes on from them, however it was ended")
    parser.add_argument("-o", "--output", type=Path, metavar="MODEL.json", help="save the model here")
    parser.add_argument("--plot", type=Path, metavar="PICTURE.png", help="draw equations, data and knots here")
    add_report(parser, nargs="?", const=True, help="write a page about the result here, with interactive views; without a "
               "name print every coefficient with its standard error, and more")


@command("identify", help="find equations of motion of the measured runs in a data file",
         arguments=_arguments_of_identify, json=True)
def run_identify(arguments: Namespace) -> Answer:
    """Print the equations of motion, or what is conserved; save and draw them if asked to."""
    from ..sysid.invariants.conserved import conserved
    from ..sysid.laws.identify import identify
    from ..sysid.runs.trajectories import Trajectories
    _check(arguments)
    kind = "map" if arguments.map else "static" if arguments.static else "flow"
    one = isinstance(arguments.noise, list) and len(arguments.noise) == 1
    noise = arguments.noise[0] if one else arguments.noise
    degree = {} if arguments.max_degree is None else {"max_degree": arguments.max_degree}
    rates = _by_state(arguments.derivatives)
    named = [name for name in (arguments.time, arguments.group, *arguments.inputs, *rates.values()) if isinstance(name, str)]
    runs = Trajectories(table_of_data(arguments, named), arguments.time, group=arguments.group, inputs=arguments.inputs,
                        derivatives=rates or None)
    print_notes(arguments, runs.notes)
    if arguments.invariants:
        found = conserved(runs, kind=kind, noise=noise, loss=arguments.loss or "auto", timeout=arguments.timeout, **degree)
        shown = found.report() if arguments.report is True else found
        return Answer(shown, found, OK if found.status.ok else FALLS_SHORT, tuple(report_files(arguments, found)))
    options = {name: value for name in ("lags", "order", "form", "window", "hidden", "loss")
               if (value := getattr(arguments, name)) is not None}
    if arguments.constraints:
        options["constraints"] = None if list(arguments.constraints) == ["none"] else list(arguments.constraints)
    if arguments.keep_invariants:
        options["invariants"] = True
    if arguments.functions:
        options["functions"] = "auto" if list(arguments.functions) == ["auto"] else list(arguments.functions)
    exit_code = None
    try:
        model = identify(runs, kind=kind, noise=noise, timeout=arguments.timeout,
                         checkpoint=arguments.checkpoint, **degree, **options)
        if model.status in ENDED_EARLY:
            exit_code = FALLS_SHORT
    except FitInterrupted as interruption:
        model, exit_code = interruption.partial, INTERRUPTED
    files, ended_early = [], exit_code is not None
    if arguments.output is not None:
        files.append(written(arguments.output, model.save, "saved as", ended_early))
    if arguments.plot is not None:
        files.append(written(arguments.plot, lambda path: model.plot(path=path), "picture saved as", ended_early))
    files += report_files(arguments, model)
    if exit_code is None:
        exit_code = OK if model.polynomials else FALLS_SHORT
    return Answer(model.report() if arguments.report is True else model, model, exit_code, tuple(files))


def _check(arguments: Namespace) -> None:
    """Complain about what cannot be before long work, not after it."""
    check_destinations(arguments, ("output", "plot", "report"), arguments.data, "data")
    if arguments.invariants:
        given = [name for name in ONLY_EQUATIONS if getattr(arguments, name)]
        if given:
            raise InvalidOption(f"--{given[0].replace('_', '-')}", getattr(arguments, given[0]), "left out with --invariants")
    if arguments.map and arguments.static:
        raise InvalidOption("--static", "given with --map", "left out: one or the other")


def _by_state(given: Sequence[str]) -> dict[str, str]:
    """Columns of derivatives by their states."""
    for one in given:
        if not all(one.partition("=")[::2]):
            raise InvalidOption("--derivatives", one, "STATE=COLUMN")
    return {state: column for state, _, column in (one.partition("=") for one in given)}


def _column_or_step(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text
