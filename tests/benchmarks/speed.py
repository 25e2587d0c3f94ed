"""Time and memory next to bare linear algebra, and how they grow.

Run from the top of the checkout::

    python -m tests.benchmarks                                   # all of it
    python -m tests.benchmarks --only cases --repeat 5
    python -m tests.benchmarks --quick --save figures.json

*Cases*: noisy unit spheres (standard deviation 0.05 in each coordinate), the circle in two dimensions; `vca` and `fit` with
epsilon = 0.1, and `fit` with nothing but the highest degree. Next to them, on the same points, in the same process, in turn:

bare
    what the problem cannot do without: the matrix of all monomials, one QR, one SVD of its triangle (numpy);
a user's
    ``PolynomialFeatures(degree).fit_transform(X)`` of scikit-learn and one thin SVD of it;
polyinv, pysindy
    ``polyinv`` and a sparse fit of one monomial by the others (``pysindy.STLSQ``), each in a process of its own beside *bare*,
    given up after ``--peer-timeout`` seconds; below the table is said what is not installed.

Figures are the least CPU seconds of the repetitions, and ratios of them; each case is a process of its own with one thread.
*Peak* is the resident memory of the whole process during `vca`, *added* that less what there was before the call. *Growth*:
the curves point by point, and exponents p of N**p, of the number of monomials in d variables, and of that in the degree, by
least squares on logarithms; 1 in N means linear, and linear algebra has 2 in monomials while points outweigh them.
"""

# Nothing but the standard library at the top: a child starts with its parent's peak memory in its own figure.
from __future__ import annotations

import argparse
import json
import math
import os
import platform
import resource
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}
EPSILON = 0.1
NOISE = 0.05
CASES = [(2, 10**4, 4), (2, 10**5, 4), (2, 10**6, 4), (5, 5 * 10**4, 3), (10, 5000, 3), (10, 2 * 10**4, 3), (30, 5000, 2)]
"""Variables, points, highest degree."""
QUICK_CASES = [(2, 10**4, 4), (5, 10**4, 3), (10, 5000, 2)]
BLOCK_CASES = [(2, 10**5, 4), (5, 5 * 10**4, 3), (10, 10**4, 3), (30, 5000, 2)]
GROWTH = {"points": [(3, n, 3) for n in (10**4, 3 * 10**4, 10**5, 3 * 10**5)],
          "monomials, by variables": [(d, 2 * 10**4, 2) for d in (6, 10, 14, 20)],
          "monomials, by degree": [(3, 2 * 10**4, t) for t in (3, 4, 6)]}


# ------------------------------------------------------------------------------------------------- in the child


def _peak_megabytes() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 2**20 if sys.platform == "darwin" else peak / 2**10


def noisy_sphere(dimension: int, n: int):
    """Points on the unit sphere, the circle in two dimensions, with Gaussian noise."""
    import numpy as np

    rng = np.random.default_rng(0)
    points = rng.normal(size=(n, dimension))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    return points + NOISE * rng.normal(size=points.shape)


def bare(points, degree: int) -> None:
    """All monomials, each from a lower one by one multiplication; a QR; the singular values and vectors of its triangle."""
    import numpy as np

    columns, last = [np.ones(len(points))], [(0, np.ones(len(points)))]
    for _ in range(degree):
        last = [(i, column * points[:, i]) for first, column in last for i in range(first, points.shape[1])]
        columns += [column for _, column in last]
    np.linalg.svd(np.linalg.qr(np.stack(columns, axis=1), mode="r"))


def by_hand(points, degree: int) -> None:
    """What a user of scikit-learn would write."""
    import numpy as np
    from sklearn.preprocessing import PolynomialFeatures

    np.linalg.svd(PolynomialFeatures(degree).fit_transform(points), full_matrices=False)


def _polyinv(points, degree: int):
    import polyinv

    return lambda: polyinv.discover(points, noise_sigma=NOISE, max_degree=degree)


def _pysindy(points, degree: int):
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pysindy
    from sklearn.preprocessing import PolynomialFeatures

    return lambda: pysindy.STLSQ(threshold=0.1).fit(
        PolynomialFeatures(degree, include_bias=True).fit_transform(points), points[:, :1] ** degree)


PEERS = {"polyinv": _polyinv, "pysindy": _pysindy}
"""What makes a call of another package."""


def measure_peer(peer: str, dimension: int, n: int, degree: int) -> dict:
    """The least of three CPU seconds of bare linear algebra, and those of one call of a peer."""
    points = noisy_sphere(dimension, n)
    call, seconds = PEERS[peer](points, degree), []
    for _ in range(3):
        start = time.process_time()
        bare(points, degree)
        seconds.append(time.process_time() - start)
    start = time.process_time()
    call()
    return {"bare": min(seconds), "seconds": time.process_time() - start}


def measure(dimension: int, n: int, degree: int, repeat: int, calls: list[str]) -> dict:
    """Least CPU seconds of each call, in this process, the calls taking turns."""
    import symknot

    points = noisy_sphere(dimension, n)
    every = {"vca": lambda: symknot.vca(points, EPSILON, max_degree=degree),
             "bare": lambda: bare(points, degree), "by hand": lambda: by_hand(points, degree),
             "fit": lambda: symknot.fit(points, EPSILON, max_degree=degree),
             "auto": lambda: symknot.fit(points, max_degree=degree)}
    symknot.vca(points[:100], EPSILON, max_degree=1)                # loads what is loaded once
    before, result = _peak_megabytes(), {}
    times: dict[str, list[float]] = {}
    for turn in range(repeat):
        for name in [name for name in every if name in calls]:
            start = time.process_time()
            found = every[name]()
            times.setdefault(name, []).append(time.process_time() - start)
            if name == "vca" and not turn:
                result["peak"], result["added"] = _peak_megabytes(), _peak_megabytes() - before
            if name == "auto" and not turn:
                result["degrees"] = [p.degree for p in found.polynomials]
    return result | {"seconds": {name: min(each) for name, each in times.items()}}


def measure_blocks(dimension: int, n: int, degree: int, repeat: int) -> dict:
    """CPU seconds of the factor of n points, of its evaluation alone, and of two factors becoming one."""
    import numpy as np

    from symknot.fitting.recursion import Layer, Products, Recursion
    from symknot.fitting.seen import Seen
    from symknot.ground.tall_factor import TallFactor

    first = np.vstack([np.zeros(dimension), np.sqrt(dimension) * np.eye(dimension)])
    layer = Layer(Products(np.arange(dimension), np.zeros(dimension, int), np.eye(dimension)), first,
                  np.zeros((1 + dimension, 0)), np.ones(dimension, bool))
    recursion, points, weights = Recursion(dimension, 1.0, (layer,)), noisy_sphere(dimension, n), np.full(n, 1 / n)

    def merged():
        both = TallFactor(factor.shape[1])
        both.add(factor)
        both.add(factor.copy())

    def least(call):
        times = []
        for _ in range(repeat):
            start = time.process_time()
            result = call()
            times.append(time.process_time() - start)
        return result, min(times)

    factor, whole = least(lambda: Seen(points, weights).factor(recursion, degree))
    _, values = least(lambda: sum(1 for _ in Seen(points, weights)._values(first, 1.0, degree)))
    return {"columns": factor.shape[1], "whole": whole, "values": values, "merge": least(merged)[1]}


# ------------------------------------------------------------------------------------------------ in the parent


def _in_child(timeout: float, **task) -> dict:
    """Run `measure`, or what the task asks for, in a fresh process with one thread; ``{"error": ...}`` if that fails."""
    command = [sys.executable, "-m", "tests.benchmarks.speed", "--child", json.dumps(task)]
    try:
        done = subprocess.run(command, env=os.environ | ONE_THREAD, capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return {"error": f"more than {timeout:g} s"}
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        return {"error": lines[-1] if lines else f"exit code {done.returncode}"}
    return json.loads(done.stdout.splitlines()[-1])


def case_table(cases: list[tuple[int, int, int]], calls: list[str], repeat: int, timeout: float,
               peer_timeout: float) -> list[dict]:
    """Print each case as ratios, and return what was measured."""
    peers = [name for name in PEERS if "peers" in calls and find_spec(name)]
    print("CPU seconds of bare linear algebra, and ratios to it; one thread")
    heads = ["variables", "points", "degree", "bare, s", "a user's", "vca", "fit", "fit / vca", "auto", *PEERS, "peak MB",
             "added MB", "auto found"]
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    rows = []
    for d, n, t in cases:
        task = {"dimension": d, "n": n, "degree": t}
        got = _in_child(timeout, **task, repeat=repeat if n < 10**6 else 1, calls=calls)
        row = {"variables": d, "points": n, "degree": t, **got}
        rows.append(row)
        if "error" in got:
            print(f"| {d} | {n} | {t} | {got['error']} |", flush=True)
            continue
        row["peers"] = {name: _in_child(peer_timeout, peer=name, **task) for name in peers}
        print(f"| {' | '.join(_shown(row))} |", flush=True)
    for name in PEERS:
        if "peers" in calls and name not in peers:
            print(f"{name} was left out: it is not installed (pip install {name})")
    return rows


def _shown(row):
    """The cells of one case."""
    s, found = row["seconds"], row.get("degrees")
    ratio = {name: f"{value / s['bare']:.2f}" for name, value in s.items()}
    over = f"{s['fit'] / s['vca']:.2f}" if "fit" in s else "-"
    equations = "-" if found is None else f"{len(found)} of degree {min(found)}" if found else "none"
    peers = []
    for name in PEERS:
        got = row["peers"].get(name, {"error": "-"})
        peers.append(got["error"] if "error" in got else f"{got['seconds'] / got['bare']:.0f}")
    return [f"{row['variables']}", f"{row['points']}", f"{row['degree']}", f"{s['bare']:.4f}", ratio.get("by hand", "-"),
            ratio["vca"], ratio.get("fit", "-"), over, ratio.get("auto", "-"), *peers, f"{row['peak']:.0f}",
            f"{row['added']:.0f}", equations]


def slope(xs: list[float], ys: list[float]) -> float:
    """Slope of the line of least squares.

    Examples
    --------
    >>> slope([0.0, 1.0, 2.0], [1.0, 3.0, 5.0])
    2.0
    """
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys)) / sum((a - x) ** 2 for a in xs)


def growth_table(repeat: int, timeout: float) -> dict:
    """Print the curves and their exponents, and return the figures behind them."""
    print("Growth: seconds at each size")
    print("| in | size | bare | vca | fit |\n|---|---|---|---|---|")
    saved = {}
    for name, cases in GROWTH.items():
        sizes: list[float] = []
        times: dict[str, list[float]] = {"bare": [], "vca": [], "fit": []}
        for d, n, t in cases:
            got = _in_child(timeout, dimension=d, n=n, degree=t, repeat=repeat, calls=list(times))
            if "error" in got:
                print(f"| {name} | {d} variables, {n} points, degree {t} | {got['error']} |", flush=True)
                continue
            sizes.append(float(n if name == "points" else math.comb(d + t, t)))
            for call, each in times.items():
                each.append(got["seconds"][call])
            print(f"| {name} | {sizes[-1]:.0f} | {' | '.join(f'{each[-1]:.4f}' for each in times.values())} |", flush=True)
        saved[name] = {"sizes": sizes, **times}
    print("\nExponents of growth: seconds ~ size ** exponent")
    print("| in | from | to | bare | vca | fit |\n|---|---|---|---|---|---|")
    for name, curve in saved.items():
        if len(curve["sizes"]) > 1:
            logs = [math.log(size) for size in curve["sizes"]]
            powers = [slope(logs, [math.log(each) for each in curve[call]]) for call in ("bare", "vca", "fit")]
            print(f"| {name} | {min(curve['sizes']):.0f} | {max(curve['sizes']):.0f} | "
                  f"{' | '.join(f'{power:.2f}' for power in powers)} |")
    return saved


def block_table(repeat: int, timeout: float) -> list[dict]:
    """Print what a point costs, and what it costs to make one factor of two: all that a cluster does."""
    print("Cost of one pass, for each point and for each reduction; one thread")
    print("| variables | degree | columns | microseconds a point | of it values | Gflop/s | merging two, ms | factor, kB |")
    print("|---|---|---|---|---|---|---|---|")
    rows = []
    for d, n, t in BLOCK_CASES:
        got = _in_child(timeout, dimension=d, n=n, degree=t, repeat=repeat)
        rows.append({"variables": d, "degree": t, **got})
        if "error" in got:
            print(f"| {d} | {t} | {got['error']} |", flush=True)
            continue
        m = got["columns"]
        print(f"| {d} | {t} | {m} | {1e6 * got['whole'] / n:.3f} | {1e6 * got['values'] / n:.3f} "
              f"| {2 * n * m * m / got['whole'] / 1e9:.1f} | {1e3 * got['merge']:.2f} | {4e-3 * m * (m + 1):.0f} |", flush=True)
    return rows


def main(argv: list[str] | None = None) -> None:
    """Run the benchmark and print its tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=["cases", "growth", "blocks"], help="one table of the three")
    parser.add_argument("--calls", nargs="+", choices=["by hand", "fit", "auto", "peers"],
                        default=["by hand", "fit", "auto", "peers"], help="besides bare and vca")
    parser.add_argument("--quick", action="store_true", help="few and small cases")
    parser.add_argument("--repeat", type=int, default=3, help="the least of so many")
    parser.add_argument("--timeout", type=float, default=900, help="seconds after which a process is given up")
    parser.add_argument("--peer-timeout", type=float, default=60, help="the same for another package")
    parser.add_argument("--save", type=Path, metavar="FILE", help="write all figures as JSON")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if options.child:
        task = json.loads(options.child)
        kind = measure if "calls" in task else measure_peer if "peer" in task else measure_blocks
        print(json.dumps(kind(**task)))
        return
    saved: dict = {"python": platform.python_version(), "machine": platform.machine()}
    if options.only in (None, "cases"):
        cases = QUICK_CASES if options.quick else CASES
        saved["cases"] = case_table(cases, ["bare", "vca", *options.calls], options.repeat, options.timeout,
                                    options.peer_timeout)
    if options.only == "growth" or options.only is None and not options.quick:
        saved["growth"] = growth_table(options.repeat, options.timeout)
    if options.only in (None, "blocks"):
        saved["blocks"] = block_table(options.repeat, options.timeout)
    if options.save:
        options.save.write_text(json.dumps(saved, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
