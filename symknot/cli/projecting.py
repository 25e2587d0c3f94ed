"""The command from a saved fit and new points to the nearest points of the variety: ``project``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from ..ground.errors import InvalidPoints
from .common import add_data, add_model, check_destinations, number, opened, print_notes, table_of_data, unable
from .registry import Answer, Written, command

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from ..fitting.nearest_points import Nearest
    from ..reading.tables import Table

DISTANCE, ON_VARIETY = "distance", "on_variety"
"""Names of the columns beside those of the variables."""


def _arguments_of_project(parser: ArgumentParser) -> None:
    add_model(parser, "a saved fit")
    add_data(parser)
    parser.add_argument("-o", "--output", type=Path, metavar="NEAREST.csv", help="write here instead of printing")
    parser.add_argument("--level", type=number, metavar="P",
                        help="probability with which a point of the variety is turned away because of its noise "
                             "(default: 0.01)")


@command("project", help="find the nearest points on a saved fit's variety, and the distances from it",
         arguments=_arguments_of_project, json=True)
def run_project(arguments: Namespace) -> Answer:
    """Print CSV with a row for each point: the nearest one, the distance in units of the noise, whether it is noise."""
    from ..fitting.nearest_points import nearest_points, within_noise
    from ..ground.checks import fraction_of_one
    from ..ground.storage import write_atomically
    from ..results.ideal import LEVEL
    check_destinations(arguments, ("output",), arguments.model, "model")
    check_destinations(arguments, ("output",), arguments.data, "data")
    level = fraction_of_one("level", LEVEL if arguments.level is None else arguments.level)
    ideal = opened(arguments.model)
    if not hasattr(ideal, "project"):
        raise unable(arguments.model, ideal, "be projected onto; name one that `symknot fit -o` saved")
    if not ideal.polynomials:
        raise unable(arguments.model, ideal, "be projected onto: it has no equations")
    near = nearest_points(ideal, _points(arguments, ideal.names))
    inside = within_noise(near, level)
    told = {"kind": "Projection", "names": ideal.names, "level": level, "points": near.points,
            "distances": near.distances, ON_VARIETY: inside}
    text = _csv(ideal.names, near, inside)
    if arguments.output is None:
        return Answer(text.rstrip("\n"), told)
    return Answer(None, told, files=(Written(arguments.output, lambda path: write_atomically(path, text)),))


def _points(arguments: Namespace, names: tuple[str, ...]) -> np.ndarray:
    """The columns that hold the variables; rows with gaps stay, as NaN, unless they are to go."""
    import numpy as np
    table = table_of_data(arguments)
    places = _places(table, arguments.columns, names)
    points = table.numbers(places)
    gaps = np.isnan(points).any(axis=1)
    if arguments.missing == "error" and gaps.any():
        row, column = np.argwhere(np.isnan(points))[0]
        raise InvalidPoints("must be a number, got nothing; leave --missing error out to keep such rows, empty",
                            column=table.columns[places[column]], **table.place(row))
    if arguments.missing == "drop" and gaps.any():
        print_notes(arguments, [f"left out: {gaps.sum()} row(s) with missing values, "
                                f"{table.some_rows(np.flatnonzero(gaps))}"])
        return points[~gaps]
    return points


def _places(table: Table, asked: Sequence[str] | None, names: tuple[str, ...]) -> list[int]:
    """Where the variables are: in the columns that were asked for, in this order; else in those of their names."""
    if asked or table.names is None:
        if table.width != len(names):
            raise InvalidPoints(f"need {len(names)} columns, for {', '.join(names)}, got {table.width}; name them in this "
                                "order with --columns", file=table.file)
        return list(range(table.width))
    missing = [name for name in names if name not in table.columns]
    if missing:
        raise InvalidPoints(f"has no column {missing[0]!r}, only {', '.join(table.columns)}; name those that hold "
                            f"{', '.join(names)}, in this order, with --columns", file=table.file)
    return [table.columns.index(name) for name in names]


def _csv(names: tuple[str, ...], near: Nearest, inside: np.ndarray) -> str:
    import csv
    import io
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*names, DISTANCE, ON_VARIETY])
    for point, distance, on in zip(near.points.tolist(), near.distances.tolist(), inside.tolist()):
        writer.writerow([*("" if value != value else repr(value) for value in (*point, distance)), int(on)])
    return text.getvalue()
