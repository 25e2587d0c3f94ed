"""The door: what do ``import symknot`` and ``symknot --help`` cost, next to Python and numpy themselves?

Run from the top of the checkout::

    python -m tests.benchmarks.door
    python -m tests.benchmarks.door --repeat 40

Each time is that of a whole process, start and end included, the least of some repetitions; the programs take turns, so
that other work on the machine disturbs all of them alike. The first round only fills caches and is not counted.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PROGRAMS = {
    "python -c pass": "pass",
    "import numpy": "import numpy",
    "import symknot": "import symknot",
    "symknot --help": "from symknot.cli import main; main(['--help'])",
}
IMPORT_GOAL = 1.3
"""``import symknot`` at most so many times ``import numpy``."""
HELP_GOAL, HELP_SECONDS = 2.0, 0.1
"""``symknot --help`` at most so many times ``python -c pass``, plus so many seconds."""


def seconds(source: str) -> float:
    """How long a Python process that runs `source` takes."""
    start = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", source], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)},
                          stdout=subprocess.DEVNULL, check=False)
    taken = time.perf_counter() - start
    if done.returncode:
        raise SystemExit(f"{source!r} ended with exit code {done.returncode}")
    return taken


def best_of(repeat: int) -> dict[str, float]:
    """Program -> its least time of `repeat` rounds."""
    rounds = [{name: seconds(source) for name, source in PROGRAMS.items()} for _ in range(repeat + 1)][1:]
    return {name: min(one[name] for one in rounds) for name in PROGRAMS}


def main(argv: list[str] | None = None) -> int:
    """Run the benchmark and print its table; the exit code is 0 only if both goals are reached."""
    about = (__doc__ or "").splitlines()[0]
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.door", description=about)
    parser.add_argument("--repeat", type=int, default=20, help="the best of so many (default: %(default)s)")
    least = best_of(parser.parse_args(argv).repeat)
    python, numpy = least["python -c pass"], least["import numpy"]
    print(f"{'':<16}{'seconds':>9}{'/ python':>10}{'/ numpy':>10}")
    for name, value in least.items():
        print(f"{name:<16}{value:>9.3f}{value / python:>10.2f}{value / numpy:>10.2f}")
    import_limit, help_limit = IMPORT_GOAL * numpy, HELP_GOAL * python + HELP_SECONDS
    goals = [
        (f"import symknot within {IMPORT_GOAL:g} x import numpy", least["import symknot"], import_limit),
        (f"symknot --help within {HELP_GOAL:g} x python + {HELP_SECONDS:g} s", least["symknot --help"], help_limit)]
    print()
    for words, value, limit in goals:
        print(f"Goal: {words} = {limit:.3f} s: {'reached' if value <= limit else 'MISSED'}, {value:.3f} s")
    return 0 if all(value <= limit for _, value, limit in goals) else 1


if __name__ == "__main__":
    sys.exit(main())
