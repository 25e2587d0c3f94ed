"""The command that regenerates the paper's tables and figures: ``reproduce``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from .common import OK
from .registry import command

TABLES = ("table1", "table2", "tableS1")
FIGURES = ("figure1", "figure2")


def _arguments_of_reproduce(parser: ArgumentParser) -> None:
    parser.add_argument("what", choices=[*TABLES, *FIGURES, "all"])
    parser.add_argument("--runs", type=int, default=10, metavar="N",
                        help="random splits of each data set (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N",
                        help="runs at a time (default: %(default)s); more than one disturbs the measured times")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="decides all splits (default: %(default)s)")
    parser.add_argument("-o", "--output", type=Path, default=Path("symknot-paper"), metavar="FOLDER",
                        help="where results go, and finished runs are found again (default: %(default)s)")


@command("reproduce", help="regenerate the paper's tables and figures", arguments=_arguments_of_reproduce)
def run_reproduce(arguments: Namespace) -> int:
    """Print tables, write them as CSV, draw figures."""
    from .. import paper
    from ..ground.storage import write_atomically
    folder = arguments.output
    folder.mkdir(parents=True, exist_ok=True)
    wanted = (*TABLES, *FIGURES) if arguments.what == "all" else (arguments.what,)
    tables = [name for name in TABLES if name in wanted]
    if tables:
        records = paper.run_all(folder / "runs", runs=arguments.runs, jobs=arguments.jobs, seed=arguments.seed)
    for name in tables:
        write_atomically(folder / f"{name}.csv", paper.csv_of(paper.TABLES[name], records))
        print(f"{paper.text_of(paper.TABLES[name], records)}\n\nsaved as {folder / name}.csv\n")
    for name in FIGURES:
        if name in wanted:
            draw = {"figure1": paper.draw_figure1, "figure2": paper.draw_figure2}[name]
            print(f"{name} saved as {' and '.join(map(str, draw(folder)))}")
    return OK
