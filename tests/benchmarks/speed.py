"""Time and memory: does the cost grow linearly in the number of points, and what is it next to one SVD?

Run from the top of the checkout::

    python -m tests.benchmarks.speed
    python -m tests.benchmarks.speed --sizes 1000 10000 --calls vca

Two tables. *Circle*: noisy unit circle (standard deviation 0.05), degree <= 4, epsilon = 0.1, at N = 1e3 to 1e6.
*Sphere*: noisy unit sphere in 10 dimensions (0.05 in each coordinate), N = 5000, degree <= 3, epsilon = 0.1, next to
the bare cost of one SVD of the 5000 x 286 matrix of monomials, made in the same process.

Each measurement is a process of its own, with one thread. Columns: seconds (best of the repetitions, the first call's
one-time costs apart as *first*), peak resident memory of the whole process and what it added to the process before the
call, and the time per point over that of the row before: 1 where the growth is linear.
"""

# Nothing but the standard library at the top: a child starts with its parent's peak memory in its own figure.
from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time

ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}
EPSILON = 0.1
NOISE = 0.05
CIRCLE_DEGREE = 4
SPHERE_DIMENSION, SPHERE_POINTS, SPHERE_DEGREE = 10, 5000, 3


# ------------------------------------------------------------------------------------------------- in the child


def _peak_megabytes() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 2**20 if sys.platform == "darwin" else peak / 2**10


def _noisy_sphere(dimension: int, n: int):
    """Points on the unit sphere, the circle in two dimensions, with Gaussian noise."""
    import numpy as np

    rng = np.random.default_rng(0)
    points = rng.normal(size=(n, dimension))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    points += NOISE * rng.normal(size=points.shape)
    return points


def _bare_svd(points, degree: int) -> float:
    """Seconds of one thin SVD of all monomials' values (best of 3)."""
    import numpy as np

    from tests.varieties import monomials

    matrix = monomials(points, degree)
    times = []
    for _ in range(3):
        start = time.perf_counter()
        np.linalg.svd(matrix, full_matrices=False)
        times.append(time.perf_counter() - start)
    return min(times)


def measure(call: str, dimension: int, n: int, degree: int, repeat: int, with_svd: bool) -> dict:
    """Time one call of the package in this process."""
    import symknot

    function = {"vca": symknot.vca, "fit": symknot.fit}[call]
    points = _noisy_sphere(dimension, n)
    before = _peak_megabytes()
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        ideal = function(points, epsilon=EPSILON, max_degree=degree)
        times.append(time.perf_counter() - start)
        if times[0] > 10:  # a long run's own noise is small, and nobody waits for it twice
            break
    result = {
        "seconds": min(times),
        "first": times[0],
        "peak": _peak_megabytes(),
        "before": before,
        "degrees": [p.degree for p in ideal.polynomials],
        "status": getattr(ideal.status, "name", str(ideal.status)),
    }
    if with_svd:  # after the peak was read: the SVD has memory of its own
        result["svd"] = _bare_svd(points, degree)
    return result


# ------------------------------------------------------------------------------------------------ in the parent


def _in_child(timeout: float, **task) -> dict:
    """Run `measure` in a fresh process with one thread; ``{"error": ...}`` if that fails."""
    command = [sys.executable, "-m", "tests.benchmarks.speed", "--child", json.dumps(task)]
    try:
        done = subprocess.run(command, env=os.environ | ONE_THREAD, capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return {"error": f"more than {timeout:g} s"}
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        return {"error": lines[-1] if lines else f"exit code {done.returncode}"}
    return json.loads(done.stdout.splitlines()[-1])


def _memory_and_equations(got: dict) -> str:
    degrees = got["degrees"]
    equations = ", ".join(f"{degrees.count(t)} of degree {t}" for t in sorted(set(degrees))) or "none"
    return f"{got['peak']:>9.0f}{got['peak'] - got['before']:>10.0f}  {equations} [{got['status']}]"


def circle_table(calls: list[str], sizes: list[int], repeat: int, timeout: float) -> None:
    """Print time and memory against N."""
    print(f"Noisy circle, sigma {NOISE}, degree <= {CIRCLE_DEGREE}, epsilon {EPSILON}, one thread")
    print("call         N   seconds     first  us/point   growth  peak MB  added MB  equations")
    for call in calls:
        last = None
        for n in sizes:
            got = _in_child(
                timeout, call=call, dimension=2, n=n, degree=CIRCLE_DEGREE, repeat=repeat, with_svd=False
            )
            if "error" in got:
                print(f"{call:<5}{n:>9}  {got['error']}", flush=True)
                last = None
                continue
            each = got["seconds"] / n
            growth = f"{each / last:.2f}" if last else "-"
            last = each
            print(
                f"{call:<5}{n:>9}{got['seconds']:>10.3f}{got['first']:>10.3f}{1e6 * each:>10.2f}{growth:>9}"
                f"{_memory_and_equations(got)}",
                flush=True,
            )


def sphere_table(calls: list[str], repeat: int, timeout: float) -> None:
    """Print the time next to that of one SVD."""
    print(
        f"Noisy sphere in {SPHERE_DIMENSION} dimensions, sigma {NOISE}, N = {SPHERE_POINTS}, degree <= {SPHERE_DEGREE},"
        f" epsilon {EPSILON}, one thread"
    )
    print("call   seconds     first   one SVD  times SVD  peak MB  added MB  equations")
    for call in calls:
        got = _in_child(
            timeout, call=call, dimension=SPHERE_DIMENSION, n=SPHERE_POINTS, degree=SPHERE_DEGREE, repeat=repeat,
            with_svd=True,
        )  # fmt: skip
        if "error" in got:
            print(f"{call:<5} {got['error']}", flush=True)
            continue
        print(
            f"{call:<5}{got['seconds']:>9.3f}{got['first']:>10.3f}{got['svd']:>10.3f}"
            f"{got['seconds'] / got['svd']:>11.2f}{_memory_and_equations(got)}",
            flush=True,
        )


def main(argv: list[str] | None = None) -> None:
    """Run the benchmark and print its tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.speed", description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[10**3, 10**4, 10**5, 10**6], help="circle's N")
    parser.add_argument("--calls", nargs="+", choices=["vca", "fit"], default=["vca", "fit"])
    parser.add_argument("--only", choices=["circle", "sphere"], help="one table of the two")
    parser.add_argument("--repeat", type=int, default=3, help="the best of so many, once the first is under 10 s")
    parser.add_argument("--timeout", type=float, default=900, help="seconds after which a process is given up")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if options.child:
        print(json.dumps(measure(**json.loads(options.child))))
        return
    if options.only != "sphere":
        circle_table(options.calls, options.sizes, options.repeat, options.timeout)
    if options.only is None:
        print()
    if options.only != "circle":
        sphere_table(options.calls, options.repeat, options.timeout)


if __name__ == "__main__":
    main()
