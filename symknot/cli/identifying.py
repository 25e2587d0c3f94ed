"""The command from measured runs to equations of motion: ``identify``."""

import argparse
from pathlib import Path

from ..ground.errors import InvalidOption
from ..sysid.invariants.conserved import conserved
from ..sysid.motion.files import load_model
from ..sysid.motion.identify import FORMS, identify
from ..sysid.motion.pictures import checked_format
from ..sysid.runs.trajectories import Trajectories
from .common import NO_EQUATION, OK, check_destination

#: Options that say something about equations of motion, and nothing about what is conserved.
ONLY_EQUATIONS = ("static", "lags", "order", "form", "output", "plot", "report")


def add_commands(commands):
    """Register these commands with the parser."""
    parser = commands.add_parser("identify", help="find equations of motion of the measured runs in a CSV file")
    parser.add_argument("data", type=Path, metavar="RUNS.csv", help="one sample per row, one variable per column")
    parser.add_argument("--time", type=_column_or_step, metavar="COLUMN",
                        help="column of times, or the step between samples, a number (default: steps 0, 1, 2, ...)")
    parser.add_argument("--group", metavar="COLUMN", help="column that tells the runs apart (default: one run)")
    parser.add_argument("--inputs", type=_names, default=(), metavar="COLUMN,COLUMN", help="columns that are controls")
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
    parser.add_argument("--plot", type=Path, metavar="PICTURE.png", help="draw data, knots and simulations here")
    parser.add_argument("--report", action="store_true", help="every coefficient with its standard error, and more")
    parser.set_defaults(run=run_identify)


def run_identify(arguments):
    """Print the equations of motion, or what is conserved; save and draw them if asked to."""
    _check_files(arguments)
    if arguments.invariants:
        given = [name for name in ONLY_EQUATIONS if getattr(arguments, name)]
        if given:
            raise InvalidOption(f"--{given[0]}", getattr(arguments, given[0]), "left out with --invariants")
    if arguments.map and arguments.static:
        raise InvalidOption("--static", "given with --map", "left out: one or the other")
    kind = "map" if arguments.map else "static" if arguments.static else "flow"
    degree = {} if arguments.max_degree is None else {"max_degree": arguments.max_degree}
    runs = Trajectories(arguments.data, arguments.time, group=arguments.group, inputs=arguments.inputs)
    if arguments.invariants:
        found = conserved(runs, kind=kind, noise=arguments.noise, **degree)
        print(found)
        return OK if found.invariants or found.constraints else NO_EQUATION
    options = {name: value for name in ("lags", "order", "form") if (value := getattr(arguments, name)) is not None}
    model = identify(runs, kind=kind, noise=arguments.noise, **degree, **options)
    print(model.report() if arguments.report else model)
    if arguments.output is not None:
        model.save(arguments.output)
        print(f"\nsaved as {arguments.output}")
    if arguments.plot is not None:
        model.plot(arguments.plot)
        print(f"\npicture saved as {arguments.plot}")
    return OK if model.equations else NO_EQUATION


def show_model(arguments):
    """Print a saved model: ``show``'s part in this."""
    model = load_model(arguments.model)
    if arguments.latex:
        print(model.latex(arguments.digits))
    else:
        print(model.report() if arguments.readable else model.text(arguments.digits))
    return OK


def _check_files(arguments):
    """Complain about impossible destinations before long work, not after it."""
    for path in (arguments.output, arguments.plot):
        if path is not None:
            check_destination(path, arguments.data, "data")
    if arguments.plot is not None:
        if arguments.form == "implicit":
            raise InvalidOption("--plot", str(arguments.plot), "left out with --form implicit: nothing to simulate")
        checked_format(arguments.plot)
        if arguments.output is not None and arguments.output.resolve() == arguments.plot.resolve():
            raise InvalidOption("--plot", str(arguments.plot), "another file than --output")


def _column_or_step(text):
    try:
        return float(text)
    except ValueError:
        return text


def _names(text):
    names = tuple(name.strip() for name in text.split(","))
    if not all(names):
        raise argparse.ArgumentTypeError(f"must be names of columns with commas between them, got {text!r}")
    return names


def _deviations(text):
    if text == "estimate":
        return text
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        rule = "must be estimate, a number, or numbers with commas between them"
        raise argparse.ArgumentTypeError(f"{rule}, got {text!r}") from None
    return numbers if len(numbers) > 1 else numbers[0]
