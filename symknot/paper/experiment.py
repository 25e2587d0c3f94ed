"""All runs of the experiment, each kept in a file of its own, so that an interrupted command goes on where it was.

A run's file holds the grid and the seed that it was made with; with others it is made anew.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import joblib
import numpy as np
from threadpoolctl import threadpool_limits

from ..ground.checks import whole_number
from ..ground.errors import InvalidModel
from ..ground.storage import plain, read_json, write_json
from .datasets import NAMES, load_dataset
from .protocol import Grid, run_once, split

FORMAT = "symknot-paper-run"
VERSION = 1
"""To be raised with every change of `protocol`, so that no table mixes two."""
RUNS = 10
"""Splits of each data set: the paper's."""
DEFAULT_GRID = Grid()


def run_all(folder: str | os.PathLike[str], *, names: Sequence[str] = NAMES, runs: int = RUNS, jobs: int = 1,
            seed: int = 0, grid: Grid = DEFAULT_GRID) -> dict[str, list[dict[str, Any]]]:
    """The records of all runs; those that `folder` already holds are read, the others made.

    Parameters
    ----------
    folder : path-like
        Where each finished run is kept; made if it does not exist.
    names : sequence of str
        Data sets.
    runs : int
        Splits of each data set.
    jobs : int
        Runs at a time.  More than one disturbs the times that are measured.
    seed : int
        Decides all splits and folds.
    grid : Grid
        What cross-validation chooses from.

    Returns
    -------
    dict
        Data set -> its records (see `symknot.paper.protocol.run_once`), one per run.
    """
    runs, jobs, seed = whole_number("runs", runs, 1), whole_number("jobs", jobs, 1), whole_number("seed", seed, 0)
    folder = Path(folder)
    data = {name: load_dataset(name) for name in names}         # first: a missing package is told before any work
    folder.mkdir(parents=True, exist_ok=True)
    wanted = [(name, run) for name in names for run in range(runs)]
    records: dict[tuple[str, int], Any] = {one: _stored(_path(folder, *one), one, seed, grid) for one in wanted}
    missing = [one for one in wanted if records[one] is None]
    with _bar(len(wanted), len(wanted) - len(missing)) as advance:
        work = joblib.Parallel(n_jobs=jobs, return_as="generator_unordered")
        for one, record in work(joblib.delayed(_made)(folder, one, *data[one[0]], seed, grid) for one in missing):
            records[one] = record
            advance()
    return {name: [records[name, run] for run in range(runs)] for name in names}


def _path(folder: Path, name: str, run: int) -> Path:
    return folder / f"{name}-{run:03d}.json"


def _conditions(one: tuple[str, int], seed: int, grid: Grid) -> dict[str, Any]:
    name, run = one
    return {"data": name, "run": run, "seed": seed, "grid": plain(grid)}


def _stored(path: Path, one: tuple[str, int], seed: int, grid: Grid) -> dict[str, Any] | None:
    """The record in a run's file; None if there is none made under these conditions."""
    try:
        content = read_json(path, FORMAT, VERSION)
    except (FileNotFoundError, InvalidModel):
        return None
    return content["record"] if content["conditions"] == _conditions(one, seed, grid) else None


def _made(folder: Path, one: tuple[str, int], X: np.ndarray, y: np.ndarray, seed: int,
          grid: Grid) -> tuple[tuple[str, int], dict[str, Any]]:
    with threadpool_limits(1):      # the matrices are small, threads would only disturb the times
        record = run_once(*split(X, y, seed, one[1]), grid, seed)
    write_json(_path(folder, *one), FORMAT, VERSION, {"conditions": _conditions(one, seed, grid), "record": record})
    return one, record


@contextmanager
def _bar(total: int, done: int) -> Iterator[Callable[[], None]]:
    """A function to call after each run: a progress bar on a terminal with rich, else nothing."""
    try:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
    except ImportError:
        yield lambda: None
        return
    columns = TextColumn("runs"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("runs", total=total, completed=done)
        yield lambda: bar.advance(task)
