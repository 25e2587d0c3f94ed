"""SIGKILL at random moments: work that a checkpoint keeps goes on, and comes to the same bytes.

Each attempt is a process of its own, forked from one that has everything imported, so that the moments fall into the work and
not into the imports.  Moments are uniform over the time that the whole work took; where an attempt ended before its moment,
its checkpoint is dropped and the next one begins anew.  `python -m tests.benchmarks.kills` counts many.
"""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path

Work = Callable[[Path, Path], None]
"""Does its work with a checkpoint (first path) and writes what came out (second path)."""


def started(work: Work, run: Path, answer: Path) -> int:
    """The number of a process that does the work."""
    child = os.fork()
    if not child:
        code = 1
        try:
            work(run, answer)
            code = 0
        finally:
            os._exit(code)
    return child


def ended(child: int) -> bool:
    """Wait for a process; whether it ended by itself, and well."""
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, -signal.SIGKILL), f"the work failed with exit code {code}"
    return code == 0


def killed(work: Work, folder: Path, kills: int, seed: int = 0) -> tuple[int, int]:
    """Kill the work so many times, at most three times in a row, and let it end after: how many answers, how many the same."""
    assert ended(started(work, folder / "whole", folder / "expected"))
    began = time.monotonic()
    assert ended(started(work, folder / "timed", folder / "expected"))
    lasts, moments = time.monotonic() - began, random.Random(seed)
    done = answers = same = 0
    while done < kills:
        run, answer = folder / f"run {answers}", folder / f"answer {answers}"
        for _ in range(min(moments.randint(1, 3), kills - done)):
            child = started(work, run, answer)
            time.sleep(moments.uniform(0, lasts))
            os.kill(child, signal.SIGKILL)
            if ended(child):
                break
            done += 1
        else:
            assert ended(started(work, run, answer))
            answers += 1
            same += answer.read_bytes() == (folder / "expected").read_bytes()
            continue
        run.unlink()
    return answers, same
