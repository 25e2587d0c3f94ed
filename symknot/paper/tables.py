"""Tables 1, 2 and S1: what was measured, with the paper's figure beside it in each cell."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

ROWS = {"proposed": "proposed", "ours": "ours", "vca": "VCA", "knots_proposed": "proposed", "knots_ours": "ours",
        "knots_apart": "told apart"}
"""Row -> its name in print."""
HELD_AGAINST = {"ours": "proposed", "knots_ours": "knots_proposed", "knots_apart": "knots_proposed"}
"""Row that the paper does not have -> the row whose figures it must stand beside."""

#: The paper's Tables 1, 2 and S1: (data set, row) -> quantity -> figure.
PUBLISHED = {
    ("iris", "proposed"): {"accuracy": 0.96, "upper_half": 0.75, "testing": 3.6e-4, "features": 14.9, "degree": 1.5,
                           "training": 5.3},
    ("iris", "vca"): {"accuracy": 0.95, "upper_half": 0.59, "testing": 6.6e-4, "features": 62.8, "degree": 2.0,
                      "training": 1.4e-2},
    ("wine", "proposed"): {"accuracy": 0.98, "upper_half": 0.94, "testing": 7.6e-4, "features": 100.5, "degree": 1.7,
                           "training": 60},
    ("wine", "vca"): {"accuracy": 0.98, "upper_half": 0.67, "testing": 2.1e-3, "features": 592.9, "degree": 2.3,
                      "training": 1.4e-1},
    ("vehicle", "proposed"): {"accuracy": 0.80, "upper_half": 0.53, "testing": 1.6e-3, "features": 121.5,
                              "degree": 1.6, "training": 180},
    ("vehicle", "vca"): {"accuracy": 0.80, "upper_half": 0.60, "testing": 6.7e-2, "features": 4147.9, "degree": 2.5,
                         "training": 5.4},
    ("vowel", "proposed"): {"accuracy": 0.92, "upper_half": 0.80, "testing": 1.5e-3, "features": 191.0, "degree": 1.5,
                            "training": 30},
    ("vowel", "vca"): {"accuracy": 0.93, "upper_half": 0.35, "testing": 2.3e-3, "features": 267.6, "degree": 1.8,
                       "training": 3.6e-2},
    ("iris", "knots_proposed"): {"knots": 0.95, "centroids": 0.95, "points": 0.94, "knotting_ratio": 0.08},
    ("wine", "knots_proposed"): {"knots": 0.95, "centroids": 0.97, "points": 0.95, "knotting_ratio": 0.20},
    ("vehicle", "knots_proposed"): {"knots": 0.60, "centroids": 0.61, "points": 0.68, "knotting_ratio": 0.05},
    ("vowel", "knots_proposed"): {"knots": 0.76, "centroids": 0.79, "points": 0.96, "knotting_ratio": 0.53},
}

#: Quantity -> its heading and how its numbers are printed.
QUANTITIES = {
    "accuracy": ("accuracy", ".3f"),
    "upper_half": ("accuracy, upper half", ".3f"),
    "testing": ("test time [s]", ".1e"),
    "training": ("training time [s]", ".2g"),
    "time_ratio": ("training time / VCA's", ".3g"),
    "features": ("features", ".1f"),
    "degree": ("mean degree", ".2f"),
    "knots": ("1-NN on knots", ".3f"),
    "centroids": ("on k-means centroids", ".3f"),
    "points": ("on all points", ".3f"),
    "knotting_ratio": ("knotting ratio", ".3f"),
}


class Layout(NamedTuple):
    """Which rows and quantities a table shows."""

    title: str
    rows: tuple[str, ...]
    quantities: tuple[str, ...]


TABLES = {
    "table1": Layout("Table 1. Classification", ("proposed", "ours", "vca"),
                     ("accuracy", "upper_half", "testing", "features", "degree")),
    "table2": Layout("Table 2. One nearest neighbour", ("knots_proposed", "knots_ours"),
                     ("knots", "centroids", "points", "knotting_ratio")),
    "tableS1": Layout("Table S1. Training time", ("proposed", "ours", "vca"),
                      ("accuracy", "training", "time_ratio", "testing")),
}


Records = Mapping[str, Sequence[Mapping[str, Any]]]
"""Data set -> its runs, as `symknot.paper.experiment.run_all` returns them."""


class Cell(NamedTuple):
    """One measured quantity: over the runs, and in the paper."""

    data: str
    row: str
    quantity: str
    mean: float
    deviation: float
    runs: int
    paper: float


def cells(layout: Layout, records: Records) -> list[Cell]:
    """The cells of a table, row by row.

    Parameters
    ----------
    layout : Layout
    records : dict
        As `symknot.paper.experiment.run_all` returns them.

    Returns
    -------
    list of Cell
    """
    found = []
    for data, runs in records.items():
        for row in layout.rows:
            for quantity in layout.quantities:
                values = [_value(record, row, quantity) for record in runs]
                found.append(Cell(data, row, quantity, float(np.mean(values)), float(np.std(values)), len(values),
                                  _published(data, row, quantity)))
    return found


def _value(record: Mapping[str, Any], row: str, quantity: str) -> float:
    if quantity == "time_ratio":
        return record[row]["training"] / record["vca"]["training"]
    return record[row][quantity]


def _published(data: str, row: str, quantity: str) -> float:
    published = PUBLISHED[data, HELD_AGAINST.get(row, row)]
    if quantity == "time_ratio":
        return published["training"] / PUBLISHED[data, "vca"]["training"]
    return published[quantity]


def text_of(layout: Layout, records: Records) -> str:
    """A table as Markdown: mean and standard deviation over the runs, the paper's figure in brackets."""
    runs = len(next(iter(records.values())))
    headings = ["data", "row", *(QUANTITIES[quantity][0] for quantity in layout.quantities)]
    lines = []
    every = cells(layout, records)
    width = len(layout.quantities)
    for start in range(0, len(every), width):
        of_row = every[start:start + width]
        lines.append([of_row[0].data, ROWS[of_row[0].row], *map(_shown, of_row)])
    columns = [max(map(len, column)) for column in zip(headings, *lines)]
    rule = ["-" * size for size in columns]
    body = "\n".join("| " + " | ".join(cell.ljust(size) for cell, size in zip(line, columns)) + " |"
                     for line in [headings, rule, *lines])
    return f"{layout.title} (runs: {runs}; mean ± standard deviation, the paper's figure in brackets)\n\n{body}"


def _shown(cell: Cell) -> str:
    form = QUANTITIES[cell.quantity][1]
    return f"{cell.mean:{form}} ± {cell.deviation:{form}} ({cell.paper:.4g})"


def csv_of(layout: Layout, records: Records) -> str:
    """A table as CSV, one cell per line."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(Cell._fields)
    writer.writerows(cells(layout, records))
    return text.getvalue()
