"""Are the cubic invariants of a Toda chain and of a rigid body found from few runs?

Run from the top of the checkout::

    python -m tests.benchmarks.invariants [--runs N] [--noise PERCENT] [--seeds N] [--first-seed N]

Three particles of a Toda chain on a ring (bonds a, b, c and momenta u, v, w: the momentum, the energy, a*b*c and a cubic are
constant), and a rigid body turning freely (quaternion and angular velocity: two quadrics and the three components of the
angular momentum are constant, the length of the quaternion is 1).  Starts are random; noise is normal, a percentage of each
state's standard deviation.  `conserved` with degree 3 and nothing given.

Columns: *found* of the true invariants, and *exact*, those whose exact numbers are constant along the runs without noise, to
1e-6 of their spread over all runs; *undecided*, whether the message names a degree; CPU seconds.
"""

from __future__ import annotations

import argparse
import os
import time

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")  # before numpy is imported

import numpy as np
import sympy
from scipy.integrate import solve_ivp

import symknot

EXACT = 1e-6
INERTIA = np.array([1.0, 2.0, 3.0])


def toda(t: float, s: np.ndarray) -> np.ndarray:
    """Rates of bonds and momenta."""
    a, b = s[:3], s[3:]
    return np.r_[a * (np.roll(b, -1) - b), 2 * (a**2 - np.roll(a, 1) ** 2)]


def body(t: float, s: np.ndarray) -> np.ndarray:
    """Rates of the quaternion and of the angular velocity in the body."""
    q, w = s[:4], s[4:]
    turned = np.array([-q[1:] @ w, *(q[0] * w + np.cross(q[1:], w))]) / 2
    return np.r_[turned, np.cross(INERTIA * w, w) / INERTIA]


def start_of_toda(rng: np.random.Generator) -> np.ndarray:
    """Bonds and momenta."""
    return np.r_[rng.uniform(0.4, 1.2, 3), rng.uniform(-1, 1, 3)]


def start_of_body(rng: np.random.Generator) -> np.ndarray:
    """A unit quaternion and an angular velocity."""
    q = rng.normal(size=4)
    return np.r_[q / np.linalg.norm(q), rng.normal(size=3)]


SYSTEMS = {"Toda chain": (toda, start_of_toda, "abcuvw", 500, 4),
           "rigid body": (body, start_of_body, ("q0", "q1", "q2", "q3", "w1", "w2", "w3"), 600, 5)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=6)
    parser.add_argument("--noise", type=float, default=1.0)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--only", nargs="+", choices=SYSTEMS, default=list(SYSTEMS))
    arguments = parser.parse_args()
    print("| system | seed | found | exact | undecided | CPU s |\n|---|---|---|---|---|---|", flush=True)
    for seed in range(arguments.first_seed, arguments.first_seed + arguments.seeds):
        for name in arguments.only:
            rates, start_of, names, samples, true = SYSTEMS[name]
            rng, times = np.random.default_rng(seed), np.linspace(0, 12, samples)
            clean = [solve_ivp(rates, (0, 12), start_of(rng), t_eval=times, rtol=1e-10, atol=1e-12).y.T
                     for _ in range(arguments.runs)]
            size = arguments.noise / 100 * np.concatenate(clean).std(axis=0)
            runs = [run + size * rng.normal(size=run.shape) for run in clean]
            begun = time.process_time()
            found = symknot.conserved(symknot.Trajectories(runs, time=times, names=list(names)), 3)
            spent = time.process_time() - begun
            values = [[sympy.lambdify(found.variables, one.expr)(*run.T) for run in clean] for one in found.invariants]
            exact = sum(max(map(np.ptp, of_runs)) < EXACT * np.std(np.concatenate(of_runs)) for of_runs in values)
            said = "yes" if "undecided" in found.message else "no"
            print(f"| {name} | {seed} | {len(values)} of {true} | {exact} | {said} | {spent:.1f} |", flush=True)


if __name__ == "__main__":
    main()
