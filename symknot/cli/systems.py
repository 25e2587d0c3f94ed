"""Commands that meet other computer algebra systems: ``export``, ``engines``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from .common import OK, add_model, add_timeout, can_be_made_exact, check_destination, opened, opened_exactly, unable
from .registry import command

if TYPE_CHECKING:
    from ..engines import Availability

NOT_RUNNING = 1
"""Exit code when one of the systems listed does not run."""


def _arguments_of_export(parser: ArgumentParser) -> None:
    from ..export import FIELDS, TARGETS
    add_model(parser)
    parser.add_argument("--to", required=True, choices=sorted(TARGETS), help="the system or language")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write here instead of printing")
    parser.add_argument("--field", choices=FIELDS, default="QQ", help="rational numbers (the default) or real ones")
    parser.add_argument("--approximate", action="store_true",
                        help="the fitted equations themselves, with a warning of what a system will make of them")
    add_timeout(parser)


@command("export", help="write the exact equations as a script for another system", arguments=_arguments_of_export)
def run_export(arguments: Namespace) -> int:
    """Print a script, or write it to a file."""
    if arguments.output is not None:
        check_destination(arguments.output, arguments.model, "model")
    if arguments.approximate:
        result, options = opened(arguments.model), {"approximate": True}
        if not can_be_made_exact(result):
            raise unable(arguments.model, result, "be exported with --approximate: it has no fitted equations beside "
                         "its exact ones")
    else:
        result, options = opened_exactly(arguments.model, arguments.timeout), {}
    text = result.export(arguments.to, arguments.output, field=arguments.field, **options)
    print(text if arguments.output is None else f"saved as {arguments.output}")
    return OK


def _arguments_of_engines(parser: ArgumentParser) -> None:
    from ..engines.finding import SEARCH_ORDER
    parser.epilog = SEARCH_ORDER
    actions = parser.add_subparsers(metavar="ACTION", dest="action")
    bring = actions.add_parser("install", help="install Singular, Macaulay2 and msolve into this Python environment")
    bring.add_argument("names", nargs="*", metavar="NAME", help="only these: singular, macaulay2, msolve")


@command("engines", help="list the computer algebra systems found here, or install them",
         arguments=_arguments_of_engines)
def run_engines(arguments: Namespace) -> int:
    """List each system: version and place, or why it does not run; or install systems and try each."""
    from ..engines import available, install
    if arguments.action is None:
        return _listed(available())
    return _listed(install(arguments.names) if arguments.names else install())


def _listed(found: Iterable[Availability]) -> int:
    found = list(found)
    for record in found:
        place = f" ({record.path})" if record.path else ""
        print(f"{record.name:<10} " + (f"{record.version} runs{place}" if record.runs else record.problem))
    return OK if all(record.runs for record in found) else NOT_RUNNING
