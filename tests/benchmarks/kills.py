"""Fits and identifications killed at random moments and continued: ``python -m tests.benchmarks.kills --kills 50``.

For each: how many SIGKILLs, after how many of them the work was let to its end, and how many of these ends are byte for byte
what comes out undisturbed.
"""

from __future__ import annotations

import argparse
import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import tempfile
from pathlib import Path

from tests.kills import killed
from tests.test_checkpoints import fitting
from tests.test_identify_checkpoints import identifying


def main() -> None:
    """Run both and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print(f"{'work':<14} {'kills':>6} {'ends':>6} {'the same':>9}")
    for work in (fitting, identifying):
        with tempfile.TemporaryDirectory() as folder:
            answers, same = killed(work, Path(folder), options.kills, options.seed)
        print(f"{work.__name__:<14} {options.kills:>6} {answers:>6} {same:>9}", flush=True)


if __name__ == "__main__":
    main()
