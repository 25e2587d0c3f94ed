"""The command that regenerates the paper's tables and figures: ``reproduce``."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from ..ground.errors import InvalidOption
from .common import names, whole
from .registry import Answer, Written, command
from .telling import say

TABLES = ("table1", "table2", "tableS1")
FIGURES = ("figure1", "figure2")
OAVI = "oavi"
CONTRAST = "contrast"
RATIOS = "ratios"
SETS = ("bank", "seeds", "htru", "spam", "skin")
"""Data sets of the table at scale, the quickest first."""
ROWS = ("VCA", "ABM", "OAVI", "ours", "boosting", "RBF SVM", "cubic SVM", "linear SVM", "LDA", "QDA")
"""Its rows: the family, this package, and other methods."""


def _arguments_of_reproduce(parser: ArgumentParser) -> None:
    parser.add_argument("what", choices=[*TABLES, *FIGURES, "all", CONTRAST, RATIOS, OAVI],
                        help="a table or figure of the paper, or all of them; contrast: where VCA's many features come from; "
                             "ratios: Table 2 with as many knots as the paper's; "
                             "oavi: the table of 'Approximate vanishing ideal computations at scale' (Wirth, Kera, Pokutta "
                             "2023), which needs --data")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="oavi: where the files are, by their names at UCI")
    parser.add_argument("--sets", type=names, default=SETS, metavar="A,B,...",
                        help=f"oavi: only these of {', '.join(SETS)}")
    parser.add_argument("--rows", type=names, default=ROWS[:4], metavar="A,B,...",
                        help=f"oavi: which of {', '.join(ROWS)} (default: the first four)")
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
    others = {OAVI: _run_oavi, CONTRAST: _run_contrast, RATIOS: _run_ratios}
    if arguments.what in others:
        return others[arguments.what](arguments)
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


def _run_oavi(arguments: Namespace) -> Answer:
    """The table at scale: a line for each row as soon as it is there, all of it as CSV."""
    for option, given, known in (("--sets", arguments.sets, SETS), ("--rows", arguments.rows, ROWS)):
        unknown = [name for name in given if name not in known]
        if unknown:
            raise InvalidOption(option, unknown[0], f"among {', '.join(known)}")
    from ..paper.at_scale import cells_of, run_oavi
    arguments.output.mkdir(parents=True, exist_ok=True)
    _say("error on the test part, features with a weight; the authors' figures in brackets; CPU time of learning", arguments)
    records = run_oavi(arguments.data, arguments.sets, arguments.rows, arguments.runs, arguments.seed,
                       lambda line: _say(line, arguments), arguments.output)
    return _saved(OAVI, cells_of(records), arguments)


def _run_contrast(arguments: Namespace) -> Answer:
    """What VCA finds with and without zero and redundant polynomials, a limit of degree, and a small epsilon."""
    from ..paper.contrast import contrast_cells, contrast_text, run_contrast
    arguments.output.mkdir(parents=True, exist_ok=True)
    found = run_contrast(seed=arguments.seed)
    _say("Vanishing polynomials of all classes as VCA finds them, on the training part of one split; the paper's number and "
         f"mean degree in brackets\n\n{contrast_text(found)}", arguments)
    return _saved(CONTRAST, contrast_cells(found), arguments)


def _run_ratios(arguments: Namespace) -> Answer:
    """Table 2 with knots that tell classes apart, as many as the paper's."""
    from ..paper.ratios import RATIOS as layout
    from ..paper.ratios import run_ratios
    from ..paper.tables import cells, text_of
    arguments.output.mkdir(parents=True, exist_ok=True)
    records = run_ratios(runs=arguments.runs, seed=arguments.seed)
    _say(text_of(layout, records), arguments)
    return _saved(RATIOS, cells(layout, records), arguments)


def _saved(name: str, found: list[Any], arguments: Namespace) -> Answer:
    """Cells of a table, as CSV."""
    import csv
    import io

    from ..ground.storage import write_atomically
    from ..paper.tables import Cell
    text, path = io.StringIO(), arguments.output / f"{name}.csv"
    csv.writer(text, lineterminator="\n").writerows([Cell._fields, *found])
    write_atomically(path, text.getvalue())
    _say(f"saved as {path}", arguments)
    files = (Written(path, lambda path: None),) if arguments.json else ()
    told = {"kind": "Reproduction", "tables": [{"name": name, "cells": [cell._asdict() for cell in found]}]}
    return Answer(None, told, files=files)


def _say(text: str, arguments: Namespace) -> None:
    if not arguments.json:
        say(text)
        sys.stdout.flush()
