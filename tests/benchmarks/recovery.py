"""Are known equations recovered from noisy samples, with default settings?

Run from the top of the checkout::

    python -m tests.benchmarks.recovery
    python -m tests.benchmarks.recovery --cases circle torus --noise 1 5 --n 500 --seeds 1
    python -m tests.benchmarks.recovery --fresh --csv recovery.csv

Every case of :mod:`tests.varieties` is sampled at N points; isotropic Gaussian noise is added, whose standard deviation
in each coordinate is the given percentage of the data's spread (root-mean-square distance from the centroid); then
``symknot.fit(points)`` runs. One row is printed for each case, noise and N, over all seeds:

clear
    In how many seeds the truth *stands clear*, found here without the package. Let s_1 <= s_2 <= ... be the stationary
    values of rms(g - mean g) / rms(|grad g|) over polynomials g of degree <= t, the rms being taken over the noisy
    points (times sqrt(N / (N - p)) for the p coefficients), and k the number of independent true equations of degree
    <= t. Clear means s_(k+1) >= 2 s_k at each degree t at which the variety has generators. For a true equation, s is
    close to the noise's standard deviation.
gap
    The smallest s_(k+1) / s_k among those degrees and the seeds.
right
    In how many seeds the equations have the right number and degrees.
angle
    Largest principal angle, in degrees, between the found and the true coefficient spaces, over the generators' degrees
    and the seeds. At degree t a space holds all multiples of degree <= t of the equations of degree <= t; coefficients
    are those of monomials in (x - centroid) / spread. 90 where the dimensions differ.
knots
    Largest ratio, over the seeds, of the root-mean-square distance from the true variety of the knots (each counted
    once for each input point assigned to it) to that of the data; "-" where nothing was found, or without noise.
seconds
    Median time of a fit, on one core.
note
    How wrong fits ended; the exception if one crashed; warnings.
"""

from __future__ import annotations

import argparse
import csv
import dataclasses
import itertools
import multiprocessing
import os
import signal
import statistics
import sys
import time
import warnings
import zlib
from collections import Counter
from dataclasses import dataclass

import numpy as np

from tests.fresh_varieties import FRESH
from tests.frozen_varieties import LAST
from tests.varieties import BY_NAME as OLDER
from tests.varieties import SECOND, VARIETIES, Variety, exponents, monomials, recovery_angle, spread

BY_NAME = {**OLDER, **{variety.name: variety for variety in FRESH + LAST}}

CLEAR = 2.0
CLOSER = 3.0
ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}


@dataclass(frozen=True)
class Task:
    """One fit to be made; `noise` is a percentage of the spread, `timeout` in seconds."""

    case: str
    noise: float
    n: int
    seed: int
    timeout: float


@dataclass(frozen=True)
class Run:
    """What one fit came to; see the module's docstring."""

    case: str
    noise: float
    n: int
    seed: int
    gap: float
    clear: bool
    expected: str
    degrees: str
    right: bool
    abstained: bool
    angle: float
    data_distance: float
    knot_distance: float
    ratio: float
    knots: int
    seconds: float
    status: str
    message: str
    crash: str
    warnings: str


# --------------------------------------------------------------------------------------------- the truth's spectrum


def spectrum(points: np.ndarray, degree: int, noise: np.ndarray | None = None) -> tuple[np.ndarray, int]:
    """Stationary values of rms(g - mean g) / rms(|grad g|) over polynomials g of degree <= `degree`.

    Parameters
    ----------
    points : (N, d) ndarray
    degree : int
    noise : (d,) or (N, d) ndarray, optional
        Standard deviation of the noise of each variable, or of each number. The slope of g along a variable is
        multiplied by it: the same as measuring each variable in units of its noise, but well conditioned.

    Returns
    -------
    values : ndarray
        In increasing order, in the points' units; in units of the noise where it was given.
    flat : int
        How many independent polynomials were left out because their gradient is zero at every point.
    """
    n, dimension = points.shape
    if noise is None:
        scale, steepness = spread(points), np.ones((1, dimension))
    else:
        scale = 1.0
        own = points.std(axis=0)
        own[own == 0] = 1.0
        points, steepness = points / own, np.atleast_2d(noise / own)
    powers = exponents(dimension, degree)
    position = {e: j for j, e in enumerate(powers)}
    values = monomials((points - points.mean(axis=0)) / scale, degree)
    gradients = np.zeros((dimension, n, len(powers)))
    for axis, (j, e) in itertools.product(range(dimension), enumerate(powers)):
        if e[axis]:
            lower = position[e[:axis] + (e[axis] - 1,) + e[axis + 1 :]]
            gradients[axis, :, j] = e[axis] * values[:, lower] * steepness[:, axis]
    values, gradients = values[:, 1:], gradients[:, :, 1:].reshape(dimension * n, -1)  # without the constant
    _, size, basis = np.linalg.svd(gradients, full_matrices=False)
    kept = size > 1e-9 * size[0]
    whitened = (values - values.mean(axis=0)) @ (basis[kept].T / size[kept])
    freedom = np.sqrt(n / max(n - len(powers), 1))
    return scale * freedom * np.linalg.svd(whitened, compute_uv=False)[::-1], int(np.sum(~kept))


def gap(points: np.ndarray, variety: Variety, noise: np.ndarray | None = None) -> float:
    """Smallest s_(k+1) / s_k over the degrees at which the variety has generators; infinite if s_k is zero.

    `noise` as in :func:`spectrum`.
    """
    ratios = []
    for degree in set(variety.degrees):
        values, flat = spectrum(points, degree, noise)
        # A flat g is constant on the points, so it is (up to that constant) one of the k true equations.
        k = variety.coefficient_space(degree).shape[1] - flat
        if 0 < k < len(values):
            ratios.append(values[k] / values[k - 1] if values[k - 1] > 0 else np.inf)
    return float(min(ratios, default=np.inf))


# ----------------------------------------------------------------------------------------------------- one fit


def _rms(values: np.ndarray) -> float:
    return float(np.sqrt(np.mean(np.square(values))))


def _give_up(signum, frame):
    raise TimeoutError("fit took too long")


def run(task: Task) -> Run:
    """Sample, fit and compare."""
    import symknot

    variety = BY_NAME[task.case]
    rng = np.random.default_rng([task.seed, task.n, round(1000 * task.noise), zlib.crc32(task.case.encode())])
    points = variety.noisy(rng, task.n, task.noise / 100)
    clearance = gap(points, variety)
    data_distance = _rms(variety.distance(points))

    ideal, crash, angle, knot_distance = None, "", np.nan, np.nan
    signal.signal(signal.SIGALRM, _give_up)
    signal.setitimer(signal.ITIMER_REAL, task.timeout)
    start = time.perf_counter()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            ideal = symknot.fit(points)
        except Exception as error:
            crash = f"{type(error).__name__}: {error}"
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    seconds = time.perf_counter() - start

    degrees: tuple[int, ...] = ()
    if ideal is not None:
        try:
            degrees = tuple(sorted(p.degree for p in ideal.polynomials))
            if degrees:
                polys = [p.poly for p in ideal.polynomials]
                angle = recovery_angle(polys, variety, points.mean(axis=0), spread(points))
                knot_distance = _rms(variety.distance(np.asarray(ideal.knots)[ideal.assignment]))
        except Exception as error:
            crash = f"reading the result: {type(error).__name__}: {error}"
    return Run(
        **{name: getattr(task, name) for name in ("case", "noise", "n", "seed")},
        gap=clearance,
        clear=clearance >= CLEAR,
        expected=" ".join(map(str, variety.degrees)),
        degrees=" ".join(map(str, degrees)),
        right=degrees == variety.degrees and not crash,
        abstained=not degrees and not crash,
        angle=angle,
        data_distance=data_distance,
        knot_distance=knot_distance,
        ratio=knot_distance / data_distance if task.noise else np.nan,
        knots=len(ideal.knots) if ideal is not None else 0,
        seconds=seconds,
        status=getattr(ideal.status, "name", str(ideal.status)) if ideal is not None else "",
        message=" ".join(str(ideal.message).split()) if ideal is not None else "",
        crash=" ".join(crash.split()),
        warnings=" | ".join(sorted({f"{w.category.__name__}: {w.message}" for w in caught})),
    )


# ------------------------------------------------------------------------------------------------------ the report


def _worst(values: list[float], form: str) -> str:
    known = [v for v in values if not np.isnan(v)]
    return format(max(known), form) if known else "-"


def _note(runs: list[Run]) -> str:
    """What went wrong, each complaint once, with how often it came when not always."""
    complaints = Counter()
    for r in runs:
        if r.crash:
            complaints[f"CRASH {r.crash}"] += 1
        elif not r.right:
            got = f"degrees {r.degrees or 'none'} for {r.expected}"
            complaints[f"{got} [{r.status}] {r.message}" if r.abstained else f"{got} [{r.status}]"] += 1
        if r.warnings:
            complaints[f"WARNED {r.warnings}"] += 1
    return "; ".join(f"{count}x {text}"[:120] for text, count in complaints.most_common())


HEADER = "case                   noise      N  clear      gap right    angle   knots  seconds  note"


def row(runs: list[Run]) -> str:
    """One line for the runs of one case, noise and N."""
    first, total = runs[0], len(runs)
    clear, right = sum(r.clear for r in runs), sum(r.right for r in runs)
    return (
        f"{first.case:<22}{first.noise:>5g}%{first.n:>7} {f'{clear}/{total}':>6}{min(r.gap for r in runs):>9.3g}"
        f"{f'{right}/{total}':>6}{_worst([r.angle for r in runs], '.2g'):>9}{_worst([r.ratio for r in runs], '.3f'):>8}"
        f"{statistics.median(r.seconds for r in runs):>9.3f}  {_note(runs)}"
    ).rstrip()


def summary(runs: list[Run]) -> str:
    """The goals, counted over all runs."""
    clear, hidden = [r for r in runs if r.clear], [r for r in runs if not r.clear]
    right = [r for r in runs if r.right]
    measured = [r for r in clear if r.n >= 500 and r.noise > 0]
    closer = [r for r in measured if r.ratio * CLOSER <= 1]
    wrong = [r for r in hidden if not (r.right or r.abstained)]
    lines = [
        f"clear (s_(k+1) >= {CLEAR:g} s_k): {sum(r.right for r in clear)} of {len(clear)} right in number and degrees"
        f"; of the others {sum(r.abstained for r in clear)} returned nothing",
        f"not clear: {len(hidden)}: {sum(r.abstained for r in hidden)} abstained,"
        f" {sum(r.right for r in hidden)} right, {len(wrong)} wrong",
        f"right, but more than 10 degrees from the truth: {sum(r.angle > 10 for r in right)} of {len(right)}",
        f"clear, noisy, N >= 500: knots at least {CLOSER:g} times closer than the data in {len(closer)} of"
        f" {len(measured)}",
        f"crashes: {sum(bool(r.crash) for r in runs)}; fits with warnings: {sum(bool(r.warnings) for r in runs)};"
        f" time in fits: {sum(r.seconds for r in runs):.1f} s, longest {max(r.seconds for r in runs):.1f} s",
    ]
    missed = Counter(r.case for r in clear if not r.right)
    if missed:
        lines.append("clear but not right: " + ", ".join(f"{case} {count}" for case, count in missed.most_common()))
    far = Counter(r.case for r in measured if r not in closer)
    if far:
        lines.append(f"knots not {CLOSER:g} times closer: " + ", ".join(f"{c} {k}" for c, k in far.most_common()))
    return "\n".join(lines)


def _arguments(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.recovery", description=__doc__.splitlines()[0])
    parser.add_argument("--noise", type=float, nargs="+", default=[0, 1, 2, 5], help="percentages of the spread")
    parser.add_argument("--n", type=int, nargs="+", default=[50, 500, 5000], help="numbers of points")
    parser.add_argument("--seeds", type=int, default=3, help="how many seeds")
    parser.add_argument("--cases", nargs="+", metavar="CASE", help="names of either group, whole or in part")
    parser.add_argument("--second", action="store_true", help="the second group; defaults were revised with it in view")
    parser.add_argument("--fresh", action="store_true", help="the group written after the defaults were frozen")
    parser.add_argument("--last", action="store_true", help="the group to be run once, when the rules are frozen")
    parser.add_argument("--first-seed", type=int, default=0, help="where the seeds start")
    parser.add_argument("--jobs", type=int, default=2, help="processes, each with one thread")
    parser.add_argument("--timeout", type=float, default=120, help="seconds after which a fit counts as crashed")
    parser.add_argument("--csv", help="write every run to this file")
    options = parser.parse_args(argv)
    group = LAST if options.last else FRESH if options.fresh else SECOND if options.second else VARIETIES
    names = [v.name for v in group]
    if options.cases:
        # the last group only when it is asked for: a part of a name must not show its results by accident
        allowed = [name for name in BY_NAME if options.last or name not in {v.name for v in LAST}]
        chosen = {c: [c] if c in allowed else [name for name in allowed if c in name] for c in options.cases}
        for case, matches in chosen.items():
            if not matches:
                parser.error(f"no case called {case!r}; there are {', '.join(allowed)}")
        names = [name for name in allowed if any(name in matches for matches in chosen.values())]
    seeds = range(options.first_seed, options.first_seed + options.seeds)
    options.tasks = [
        Task(case, noise, n, seed, options.timeout)
        for case, noise, n, seed in itertools.product(names, options.noise, options.n, seeds)
    ]
    return options


def main(argv: list[str] | None = None) -> None:
    """Run the benchmark and print its table."""
    options = _arguments(argv)
    os.environ.update(ONE_THREAD)  # read by the children when they import numpy: hence "spawn", not "fork"
    print(HEADER)
    runs: list[Run] = []
    with multiprocessing.get_context("spawn").Pool(options.jobs) as pool:
        for result in pool.imap(run, options.tasks):
            runs.append(result)
            if len(runs) % options.seeds == 0:
                print(row(runs[-options.seeds :]), flush=True)
    print("\n" + summary(runs))
    if options.csv:
        with open(options.csv, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, [field.name for field in dataclasses.fields(Run)])
            writer.writeheader()
            writer.writerows(dataclasses.asdict(r) for r in runs)


if __name__ == "__main__":
    sys.exit(main())
