"""Commands that meet other computer algebra systems: ``export``, ``engines``."""

from pathlib import Path

from ..engines import available, install
from ..engines.finding import SEARCH_ORDER
from ..export import FIELDS, TARGETS
from ..results.loading import load
from ..ground.storage import kind_of
from ..sysid.motion.files import load_model
from ..sysid.motion.model import FORMAT as EQUATIONS_OF_MOTION
from .common import OK, add_timeout, check_destination, load_exactly

NOT_RUNNING = 1


def add_commands(commands):
    """Register these commands with the parser."""
    out = commands.add_parser("export", help="write the exact equations as a script for another system")
    out.add_argument("model", type=Path, metavar="MODEL.json", help="a saved result, or a saved exact one")
    out.add_argument("--to", required=True, choices=sorted(TARGETS), help="the system or language")
    out.add_argument("-o", "--output", type=Path, metavar="FILE", help="write here instead of printing")
    out.add_argument("--field", choices=FIELDS, default="QQ", help="rational numbers (the default) or real ones")
    out.add_argument("--approximate", action="store_true",
                     help="the fitted equations themselves, with a warning of what a system will make of them")
    add_timeout(out)
    out.set_defaults(run=run_export)

    systems = commands.add_parser("engines", epilog=SEARCH_ORDER,
                                  help="list the computer algebra systems found here, or install them")
    actions = systems.add_subparsers(metavar="ACTION")
    systems.set_defaults(run=run_engines)
    bring = actions.add_parser("install", help="install Singular, Macaulay2 and msolve into this Python environment")
    bring.add_argument("names", nargs="*", metavar="NAME", help="only these: singular, macaulay2, msolve")
    bring.set_defaults(run=run_install)


def run_export(arguments):
    """Print a script, or write it to a file."""
    if arguments.output is not None:
        check_destination(arguments.output, arguments.model, "model")
    if kind_of(arguments.model) == EQUATIONS_OF_MOTION:
        options = {"approximate": True} if arguments.approximate else {}
        text = load_model(arguments.model).export(arguments.to, arguments.output, field=arguments.field, **options)
    elif arguments.approximate:
        text = load(arguments.model).export(arguments.to, arguments.output, field=arguments.field, approximate=True)
    else:
        exact = load_exactly(arguments.model, arguments.timeout)
        text = exact.export(arguments.to, arguments.output, field=arguments.field)
    print(text if arguments.output is None else f"saved as {arguments.output}")
    return OK


def run_engines(arguments):
    """List each system: version and place, or why it does not run."""
    return _listed(available())


def run_install(arguments):
    """Install systems and try each."""
    return _listed(install(arguments.names) if arguments.names else install())


def _listed(found):
    for record in found:
        place = f" ({record.path})" if record.path else ""
        print(f"{record.name:<10} {record.version} runs{place}" if record.runs else f"{record.name:<10} {record.problem}")
    return OK if all(record.runs for record in found) else NOT_RUNNING
