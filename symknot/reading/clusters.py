"""Blocks on other processes and machines: collections of dask, and streams that a cluster reads.

Each block is reduced where it is made, results are merged in a tree of tasks, and only the root comes here: this process
never holds more than one result.  A worker that dies takes results with it, which the scheduler has made again from the
blocks they came from; so blocks must be the same whenever they are made.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np

from ..ground.checks import number_list
from ..ground.errors import InvalidOption, InvalidPoints
from .big_files import local_stream, variables_at_the_start
from .frames import is_frame, table_of
from .streams import Block, Reduced, Stream, blocks_of_piece, check_block, gathered, numbers_of

BRANCHES = 8
"""Results that one task merges: a convention; a million blocks are then seven tasks deep."""


def stream_of(data: Any, forced: bool = False, weights: Any = None, client: Any = None) -> Stream | None:
    """The stream of what is to be read in blocks; None for data that are small, or in memory already.

    Parameters
    ----------
    data : any data
    forced : bool
        Read small files and arrays in blocks too.
    weights : sequence of float, optional
        Of all points.
    client : distributed.Client, optional
        The cluster that reads the blocks.
    """
    if client is not None and not (hasattr(client, "submit") and hasattr(client, "compute")):
        raise InvalidOption("client", client, "a distributed.Client, or left out")
    if _is_collection(data):
        if weights is not None:
            raise InvalidOption("weights", type(weights).__name__, "left out with collections of dask")
        return _of_collection(data, client)
    stream = local_stream(data, forced or client is not None, None if weights is None else _checked(weights))
    if stream is None or client is None:
        return stream
    pieces = stream.pieces()
    if pieces is None:
        raise InvalidOption("client", client, "left out for data that only this process can read, or weights for each point; "
                            "pass a collection of dask, a Parquet file or folder, a numpy.memmap, or a list of functions that "
                            "make one block each")
    return PieceStream(pieces, stream, client)


def _checked(weights):
    try:
        found = np.asarray(weights)
    except ValueError:
        raise InvalidOption("weights", weights, "one number for each point") from None
    found = number_list("weights", weights, len(found) if found.ndim == 1 else 0, "one number for each point")
    if (found < 0).any():
        raise InvalidOption("weights", float(found.min()), "not negative")
    return found


def summary_asked_for(knots: Any) -> bool:
    """Whether the option `knots` asks for points to be read in blocks: it is "summary" or the path of an .npy file."""
    if knots is None:
        return False
    if not isinstance(knots, str | os.PathLike) or knots != "summary" and not str(knots).lower().endswith(".npy"):
        raise InvalidOption("knots", knots, 'left out, "summary", or the path of a file that ends in .npy')
    return True


def _is_collection(data):
    return hasattr(data, "__dask_graph__") and hasattr(data, "to_delayed")


def _of_collection(data, client):
    if is_frame(data) or hasattr(data, "npartitions") and hasattr(data, "columns"):
        head = table_of(data.head(npartitions=-1, compute=True))
        columns = variables_at_the_start(head, "the frame")
        return DaskStream(data.to_delayed(), tuple(head.columns[j] for j in columns), len(columns), columns, client)
    if data.ndim != 2:
        raise InvalidPoints(f"need an array of shape (points, variables), got shape {data.shape}")
    return DaskStream(data.rechunk({1: -1}).to_delayed().ravel().tolist(), None, int(data.shape[1]), None, client)


class ClusterStream(Stream):
    """Blocks that are reduced by tasks of dask."""

    def __init__(self, names: tuple[str, ...] | None, width: int, size: int, client: Any) -> None:
        self.names, self.width, self.size, self.client = names, width, size, client

    @property
    def told(self) -> tuple[int | None, str]:
        return self.size, "blocks"


class DaskStream(ClusterStream):
    """The partitions of a collection of dask.

    Parameters
    ----------
    blocks : list of delayed objects
    names : tuple of str or None
    width : int
    columns : list of int or None
        Which columns of a partition are variables; all by default.
    client : distributed.Client or None
        None takes the one that is active, or else the threads of this process.
    """

    def __init__(self, blocks: list[Any], names: tuple[str, ...] | None, width: int, columns: list[int] | None,
                 client: Any) -> None:
        super().__init__(names, width, len(blocks), client or _active_client())
        self.blocks, self.columns = blocks, columns

    def reduce(self, step: Callable[[Block, Reduced | None], Reduced], merge: Callable[[Reduced, Reduced], Reduced],
               told: Callable[[int], object]) -> Reduced:
        import dask
        leaf, held = dask.delayed(_reduced_partition, pure=False), dask.delayed(step, pure=False)
        leaves = [leaf(held, block, number, self.names, self.columns) for number, block in enumerate(self.blocks)]
        if self.client is not None:
            return _root(self.client, self.client.compute(leaves), merge, told)
        together = dask.delayed(_merged, pure=False)
        while len(leaves) > 1:
            leaves = [together(merge, *leaves[i: i + BRANCHES]) for i in range(0, len(leaves), BRANCHES)]
        with _counting(told):
            return leaves[0].compute()


class PieceStream(ClusterStream):
    """Functions that make one block each, called on the workers."""

    def __init__(self, pieces: list[Callable[[], Any]], local: Stream, client: Any) -> None:
        super().__init__(local.names, local.width, len(pieces), client)
        self._parts, self.count = pieces, local.count

    def reduce(self, step: Callable[[Block, Reduced | None], Reduced], merge: Callable[[Reduced, Reduced], Reduced],
               told: Callable[[int], object]) -> Reduced:
        held = self.client.submit(_same, step, pure=False)            # one copy in the graph, made again if it is lost
        leaves = [self.client.submit(_reduced_piece, held, piece, number, self.width, merge, self.names, pure=False)
                  for number, piece in enumerate(self._parts)]
        return _root(self.client, leaves, merge, told)


def _root(client, leaves, merge, told):
    """The result of all leaves, merged on the workers; this process holds futures, and in the end one result."""
    from distributed import as_completed
    level = leaves
    while len(level) > 1:
        level = [client.submit(_merged, merge, *level[i: i + BRANCHES], pure=False) for i in range(0, len(level), BRANCHES)]
    root = level[0]
    for done, _ in enumerate(as_completed(leaves), start=1):
        told(done)
    return root.result()


def _reduced_partition(step, block, number, names, columns):
    table = block if isinstance(block, np.ndarray) else table_of(block)
    values = table if isinstance(table, np.ndarray) else table.numbers(columns)
    values = numbers_of(values)
    _check(values, number, names)
    return step(Block(number, values), None)


def _reduced_piece(step, piece, number, width, merge, names):
    found = None
    for place, values in enumerate(gathered(blocks_of_piece(piece), width)):
        _check(values, number, names)
        # a number that no other block has
        one = step(Block(number if place == 0 else -(number * 2**20 + place), values), found)
        found = one if found is None else merge(found, one)
    return found


def _check(values, number, names):
    try:
        check_block(values, 0, names)
    except InvalidPoints as error:
        raise InvalidPoints(f"in block {number}: {str(error).removeprefix('points: ')}") from None


def _same(step):
    return step


def _merged(merge, *results):
    there = [one for one in results if one is not None]
    return reduce(merge, there) if there else None


def _active_client():
    try:
        from distributed import get_client
    except ImportError:
        return None
    try:
        return get_client()
    except ValueError:
        return None


def _counting(told):
    """Tells how many leaves are done where dask runs in this process."""
    from dask.callbacks import Callback
    done = []

    def after(key, *rest):
        if str(key).startswith(_reduced_partition.__name__):
            done.append(key)
            told(len(done))

    return Callback(posttask=after)
