"""The command that regenerates the paper's tables and figures: ``reproduce``."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from .common import whole
from .registry import Answer, Written, command
from .telling import say

TABLES = ("table1", "table2", "tableS1")
FIGURES = ("figure1", "figure2")


def _arguments_of_reproduce(parser: ArgumentParser) -> None:
    parser.add_argument("what", choices=[*TABLES, *FIGURES, "all"])
    parser.add_argument("--runs", type=whole, default=10, metavar="N",
                        help="random splits of each data set (default: %(default)s)")
    parser.add_argument("--jobs", type=whole, default=1, metavar="N",
                        help="runs at a time (default: %(default)s); more than one disturbs the measured times")
    parser.add_argument("--seed", type=whole, default=0, metavar="N", help="decides all splits (default: %(default)s)")
    parser.add_argument("-o", "--output", type=Path, default=Path("symknot-paper"), metavar="FOLDER",
                        help="where results go, and finished runs are found again (default: %(default)s)")


@command("reproduce", help="regenerate the paper's tables and figures", arguments=_arguments_of_reproduce, json=True)
def run_reproduce(arguments: Namespace) -> Answer:
    """Print tables, write them as CSV, draw figures; each as soon as it is there, for it takes long."""
    from .. import paper
    from ..ground.storage import write_atomically
    from ..paper.tables import cells
    folder = arguments.output
    folder.mkdir(parents=True, exist_ok=True)
    wanted = (*TABLES, *FIGURES) if arguments.what == "all" else (arguments.what,)
    told: list[dict[str, Any]] = []
    paths: list[Path] = []
    tables = [name for name in TABLES if name in wanted]
    if tables:
        records = paper.run_all(folder / "runs", runs=arguments.runs, jobs=arguments.jobs, seed=arguments.seed)
    for name in tables:
        layout, path = paper.TABLES[name], folder / f"{name}.csv"
        write_atomically(path, paper.csv_of(layout, records))
        paths.append(path)
        told.append({"name": name, "cells": [cell._asdict() for cell in cells(layout, records)]})
        _say(f"{paper.text_of(layout, records)}\n\nsaved as {path}\n", arguments)
    for name in FIGURES:
        if name in wanted:
            drawn = {"figure1": paper.draw_figure1, "figure2": paper.draw_figure2}[name](folder)
            paths += drawn
            _say(f"{name} saved as {' and '.join(map(str, drawn))}", arguments)
    # --json names the files, which are there already; the text has named them
    files = tuple(Written(path, lambda path: None) for path in paths) if arguments.json else ()
    return Answer(None, {"kind": "Reproduction", "tables": told}, files=files)


def _say(text: str, arguments: Namespace) -> None:
    if not arguments.json:
        say(text)
        sys.stdout.flush()
