"""Commands that meet other computer algebra systems: ``export``, ``engines``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from .common import add_model, add_timeout, can_be_made_exact, check_destinations, opened, opened_exactly, unable
from .parsing import add_json
from .registry import FALLS_SHORT, OK, Answer, Written, command

if TYPE_CHECKING:
    from ..engines import Availability


def _arguments_of_export(parser: ArgumentParser) -> None:
    from ..export import FIELDS, TARGETS
    add_model(parser)
    parser.add_argument("--to", required=True, choices=sorted(TARGETS), help="the system or language")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write here instead of printing")
    parser.add_argument("--field", choices=FIELDS, default="QQ", help="rational numbers (the default) or real ones")
    parser.add_argument("--approximate", action="store_true",
                        help="the fitted equations themselves, with a warning of what a system will make of them")
    add_timeout(parser)


@command("export", help="write the exact equations as a script for another system", arguments=_arguments_of_export,
         json=True)
def run_export(arguments: Namespace) -> Answer:
    """Print a script, or write it to a file."""
    from ..ground.storage import write_atomically
    check_destinations(arguments, ("output",), arguments.model, "model")
    if arguments.approximate:
        result, options = opened(arguments.model), {"approximate": True}
        if not can_be_made_exact(result):
            raise unable(arguments.model, result, "be exported with --approximate: it has no fitted equations beside "
                         "its exact ones")
    else:
        result, options = opened_exactly(arguments.model, arguments.timeout), {}
    text = result.export(arguments.to, field=arguments.field, **options)
    told = {"kind": "Script", "target": arguments.to, "script": text}
    if arguments.output is None:
        return Answer(text, told)
    return Answer(None, told, files=(Written(arguments.output, lambda path: write_atomically(path, text)),))


def _arguments_of_engines(parser: ArgumentParser) -> None:
    from ..engines.finding import SEARCH_ORDER
    parser.epilog = SEARCH_ORDER
    actions = parser.add_subparsers(metavar="ACTION", dest="action")
    bring = actions.add_parser("install", help="install Singular, Macaulay2 and msolve into this Python environment")
    bring.add_argument("names", nargs="*", metavar="NAME", help="only these: singular, macaulay2, msolve")
    add_json(bring)


@command("engines", help="list the computer algebra systems found here, or install them",
         arguments=_arguments_of_engines, json=True)
def run_engines(arguments: Namespace) -> Answer:
    """List each system: version and place, or why it does not run; or install systems and try each."""
    from ..engines import available, install
    if arguments.action is None:
        found = available()
        return _listed(found, [record for record in found if not record.runs and not record.missing])
    found = install(arguments.names) if arguments.names else install()
    return _listed(found, [record for record in found if not record.runs])


def _listed(found: Iterable[Availability], broken: list[Availability]) -> Answer:
    import dataclasses
    found = list(found)
    lines = []
    for record in found:
        place = f" ({record.path})" if record.path else ""
        lines.append(f"{record.name:<10} " + (f"{record.version} runs{place}" if record.runs else record.problem))
    return Answer("\n".join(lines), {"kind": "Engines", "ok": not broken,
                                     "engines": [dataclasses.asdict(record) for record in found]},
                  FALLS_SHORT if broken else OK)
