"""The command from a saved result, or from data, to a page about it: ``report``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from ..ground.errors import InvalidOption
from .common import check_destination, command_of, opened, print_notes, unable
from .registry import FALLS_SHORT, OK, Answer, Written, command

BEGINNING = 64
"""Bytes of a file in which the first letter of a saved result is: blanks may come before it, a convention."""


def _arguments_of_report(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="a saved result of any kind; or data, one point per row, which "
                        "are fitted (`symknot fit DATA --report PAGE.html` has all options)")
    parser.add_argument("-o", "--output", type=Path, metavar="PAGE.html",
                        help="where the page goes (default: FILE with .html, beside the file)")
    parser.add_argument("--points", type=Path, metavar="DATA",
                        help="the data of a saved result, to be shown too: a fit does not keep them")
    parser.add_argument("--title", metavar="WORDS", help="title of the page (default: it names the variables)")


@command("report", help="write a page about a saved result, with interactive views, to be opened in a browser",
         arguments=_arguments_of_report, json=True)
def run_report(arguments: Namespace) -> Answer:
    """Write the page of a saved result, or of a fit of the data in a file, and say where it is."""
    from ..results.drawn import Drawn
    from ..showing.pages import checked_page
    output = arguments.file.with_suffix(".html") if arguments.output is None else arguments.output
    check_destination(output, arguments.file, "file that is read")
    checked_page(output, "--output")
    saved = _is_saved(arguments.file)
    result, points = (opened(arguments.file), arguments.points) if saved else _fitted(arguments)
    if points is not None and not isinstance(result, Drawn):
        raise unable(arguments.file, result, "be shown with --points: it keeps its runs, and shows them")
    told = {"kind": "Report", "of": type(result).__name__}
    return Answer(None if saved else result, told, OK if saved or result.polynomials else FALLS_SHORT, files=(Written(
        output, lambda path: result.report(path, points, title=arguments.title, made_by=command_of(arguments)),
        "report saved as"),))


def _is_saved(path: Path) -> bool:
    """Whether a file holds a saved result, that is JSON, rather than data."""
    with path.open("rb") as file:
        return file.read(BEGINNING).lstrip().startswith(b"{")


def _fitted(arguments: Namespace) -> tuple[Any, Any]:
    """The fit of the data in a file, and the data."""
    from ..reading.sources import read
    from ..results.fit import fit
    if arguments.points is not None:
        raise InvalidOption("--points", str(arguments.points), f"left out: {arguments.file} holds data itself")
    table = read(arguments.file)
    print_notes(arguments, table.notes)
    return fit(table, progress=False if arguments.quiet else None), table
