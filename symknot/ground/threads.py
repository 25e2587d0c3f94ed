"""Blocks of points in several threads: numpy works outside Python's lock, so two cores do two blocks at a time.

What a block comes to does not depend on others, and results are handed on in the order of the blocks.  So they are the same to
the last bit with any number of threads.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from typing import TypeVar

import numpy as np

Part = TypeVar("Part")
Result = TypeVar("Result")

BLOCKS_AHEAD = 2
"""Blocks for each thread that are begun before their turn: a convention; one is worked on while another waits, and memory stays
flat."""
THREADS_VARIABLE = "OMP_NUM_THREADS"
"""The environment variable that limits threads, as for OpenMP, BLAS and most numerical packages."""


def threads() -> int:
    """How many threads to use: a core each, or fewer if the environment says so.

    Examples
    --------
    >>> threads() >= 1
    True
    """
    if sys.platform == "emscripten":                     # browsers have none
        return 1
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    limit = os.environ.get(THREADS_VARIABLE, "")
    return max(min(cores, int(limit)), 1) if limit.isdecimal() else cores


def in_threads(function: Callable[[Part], Result], parts: Sequence[Part]) -> Iterator[Result]:
    """``function(part)`` for each part, in their order; deadlines and numpy's error settings are those of the caller.

    Examples
    --------
    >>> list(in_threads(lambda part: part.stop - part.start, [slice(0, 3), slice(3, 5)]))
    [3, 2]
    """
    workers = min(threads(), len(parts))
    if workers < 2:
        yield from map(function, parts)
        return
    errors = np.geterr()

    def settled(part):
        with np.errstate(**errors):                      # before numpy 2 they belong to a thread, not to a context
            return function(part)

    pool, ahead = ThreadPoolExecutor(workers), deque[Future[Result]]()
    try:
        for part in parts:
            if len(ahead) >= BLOCKS_AHEAD * workers:
                yield ahead.popleft().result()
            ahead.append(pool.submit(copy_context().run, settled, part))
        while ahead:
            yield ahead.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
