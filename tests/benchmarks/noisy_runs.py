"""Are equations of motion found whatever the noise of the runs?

Run from the top of the checkout::

    python -m tests.benchmarks.noisy_runs [--seeds N] [--first-seed N] [--only KIND ...]

The twelve systems of `tests.fresh_dynamics`, with noise of 2 % of each state's standard deviation unless said:

equal
    Normal, the same in all runs.
own share
    Normal, 2 % of the standard deviation of each run by itself.
gross 1 %
    As equal, and one value in a hundred is 50 times the noise off.
uniform, Laplace
    Of that standard deviation.
proportional
    Normal, 2 % of each value.

Columns: *right*, all equations have exactly the true terms; *said*, something else or nothing, with a message; *wrong*,
something else without one; and the median of the CPU seconds.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")  # before numpy is imported

import numpy as np

import symknot
from tests.benchmarks.motion import verdict
from tests.fresh_dynamics import SYSTEMS

SHARE, GROSS_SHARE, GROSS_SIZE = 0.02, 0.01, 50.0


def _spiked(run, size, rng):
    bad = rng.random(run.shape) < GROSS_SHARE
    return run + size * rng.normal(size=run.shape) + bad * GROSS_SIZE * size * rng.choice([-1, 1], run.shape)


KINDS = {
    "equal": lambda run, size, rng: run + size * rng.normal(size=run.shape),
    "own share": lambda run, size, rng: run + SHARE * run.std(axis=0) * rng.normal(size=run.shape),
    "gross 1 %": _spiked,
    "uniform": lambda run, size, rng: run + size * 3**0.5 * rng.uniform(-1, 1, run.shape),
    "Laplace": lambda run, size, rng: run + size * 0.5**0.5 * rng.laplace(size=run.shape),
    "proportional": lambda run, size, rng: run * (1 + SHARE * rng.normal(size=run.shape)),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--only", nargs="+", choices=KINDS, default=list(KINDS))
    arguments = parser.parse_args()
    print("| noise | right | said | wrong | not right | CPU s |\n|---|---|---|---|---|---|", flush=True)
    for kind in arguments.only:
        outcomes, seconds = {}, []
        for seed in range(arguments.first_seed, arguments.first_seed + arguments.seeds):
            for system in SYSTEMS:
                times, clean = system.data(0, seed)
                size, rng = SHARE * np.concatenate(clean).std(axis=0), np.random.default_rng(seed)
                runs = [KINDS[kind](run, size, rng) for run in clean]
                start = time.process_time()
                model = symknot.identify(symknot.Trajectories(runs, time=times, names=list(system.names)), system.degree)
                seconds.append(time.process_time() - start)
                outcomes.setdefault("wrong" if (found := verdict(system, model)) == "wrong" else
                                    "right" if found == "right" else "said", []).append(system.name)
        counts = [len(outcomes.get(name, [])) for name in ("right", "said", "wrong")]
        missed = ", ".join(sorted({*outcomes.get("said", []), *outcomes.get("wrong", [])}))
        print(f"| {kind} | {counts[0]} | {counts[1]} | {counts[2]} | {missed} | {statistics.median(seconds):.1f} |", flush=True)


if __name__ == "__main__":
    main()
