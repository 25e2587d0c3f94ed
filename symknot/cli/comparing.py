"""The command that puts methods side by side on the same points: ``compare``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from pathlib import Path

from .common import add_data, check_destinations, names, number_or, print_notes, table_of_data, whole
from .registry import FALLS_SHORT, OK, Answer, Written, command


def _arguments_of_compare(parser: ArgumentParser) -> None:
    add_data(parser)
    parser.add_argument("--methods", type=names, metavar="A,B,...",
                        help="such as fit,vca,nbm,thinning,avi,abm,oavi (default: all; a wrong one is answered with the list)")
    parser.add_argument("--epsilon", type=number_or("auto"), default="auto", metavar="E",
                        help="standard deviation of the noise, the tolerance of all methods, or auto (the default)")
    parser.add_argument("--degree", "--max-degree", dest="max_degree", type=whole, default=3, metavar="N",
                        help="highest degree (default: %(default)s)")
    parser.add_argument("--names", type=names, metavar="A,B,...", help="call the variables so (default: as their columns)")
    parser.add_argument("--plot", type=Path, metavar="PICTURE", help="draw what each method found here: .png, .svg, .pdf")


@command("compare", help="put methods for nearly vanishing polynomials side by side", arguments=_arguments_of_compare,
         json=True)
def run_compare(arguments: Namespace) -> Answer:
    """Print one table of all methods, draw them if asked to."""
    from ..family.comparing import compare
    check_destinations(arguments, ("plot",), arguments.data, "data")
    table = table_of_data(arguments)
    print_notes(arguments, table.notes)
    found = compare(table, arguments.epsilon, methods=arguments.methods, max_degree=arguments.max_degree,
                    names=arguments.names)
    told = {"kind": "Comparison", "names": found.names, "epsilon": found.epsilon, "max_degree": found.max_degree,
            "point_count": len(found.points), "rows": [asdict(row) for row in found.rows]}
    files = () if arguments.plot is None else (Written(arguments.plot, found.plot, "picture saved as"),)
    return Answer(found, told, OK if any(row.equations for row in found.rows) else FALLS_SHORT, files)
