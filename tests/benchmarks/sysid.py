"""Equations of motion and conserved quantities from noisy trajectories, next to pysindy on the same data.

Run from the top of the checkout, with pysindy 2.1 installed for its side::

    python -m tests.benchmarks.sysid
    python -m tests.benchmarks.sysid --only lorenz,henon --seeds 2
    python -m tests.benchmarks.sysid --only odebench --odebench odeformer-0.1.4.tar.gz
    python -m tests.benchmarks.sysid --without-pysindy

The systems and their data are those of :mod:`tests.dynamics`: Gaussian noise, its standard deviation the given
percentage of each variable's own. The settings behind the figures known for pysindy (column *known*) are not recorded;
these were chosen to come near them, before there was anything of ours to run, and stay fixed. (Starts of the Euler top,
runs of Henon-Heiles and the logistic map's r were chosen by what a plain gradient-weighted null space makes of them.)
Where pysindy, tuned with more smoothings and thresholds, now does clearly better than was known (Henon-Heiles,
Michaelis-Menten, ODEBench) it is left so:

================ ============================================================ ================ ======
system           equations                                                    runs x samples   step
================ ============================================================ ================ ======
lorenz           sigma 10, rho 28, beta 8/3; library of degree 3              1 x 10,000       0.002
henon-heiles     states x, y, u = x', v = y'; energies about 1/8; degree 3    5 x 2,000        0.05
van der pol      x' = y, y' = (1 - x^2) y - x; degree 3                       1 x 5,000        0.01
michaelis-menten x' = 0.6 - 1.5 x / (0.3 + x); starts 0.1 to 2; degree 2      20 x 200         0.02
henon map        x_next = 1 - 1.4 x^2 + 0.3 x_lag1 from x alone; degree 2     1 x 10,000       -
logistic map     x_next = 3.8 x (1 - x); degree 2                             1 x 10,000       -
euler top        angular velocities, moments of inertia 1, 2, 3; degree 2     5 x 2,000        0.02
ODEBench         the 35 of degree <= 3; noise on the first run; degree 3      1 x 512          10/511
================ ============================================================ ================ ======

Figures, over the seeds (median, and in brackets the smallest and largest):

error
    Relative coefficient error ||c_found - c_true|| / ||c_true|| over all terms of all equations solved for their
    derivative or next value. Michaelis-Menten's equation x x' + 0.3 x' + 0.9 x - 0.18 = 0 is scaled to make the
    coefficient of x x' equal to 1; the library holds 1, x, x^2, x', x x'.
angle
    Largest principal angle in degrees between the spans of found and true invariants, as coefficients of the monomials
    without the constant, in variables divided by their standard deviations; 90 if their number is wrong. pysindy finds
    no invariants.
generalise, exact
    In how many of ODEBench's 35 systems the simulation from the second run's first values has R2 > 0.9 there (each
    variable weighted by its variance), and in how many exactly the true terms were found.
terms, equations
    Of :mod:`tests.fresh_dynamics`, twelve systems that no rule was made on: in how many all equations have exactly the
    true terms, and in how many they are the true ones, rounded numbers and all. pysindy is not run on them.
seconds
    Time of a fit to Lorenz with 5 % noise, best of five taken in turn: ours and a plain SINDy fit (STLSQ, degree 3,
    SmoothedFiniteDifference, all as by default); pysindy's *tuned* is that one fit, no tuning.

Columns: *goal* is what ours is to reach, *known* what was known for pysindy's best, *tuned* and *oracle* are
pysindy now (see :mod:`tests.benchmarks.pysindy_side`), *ratio* is ours over tuned. For errors, angles and seconds
smaller is better, for counts larger.
"""

from __future__ import annotations

import argparse
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")  # before numpy is imported: with small matrices more threads only disturb times

import numpy as np
import sympy as sp
from scipy.integrate import solve_ivp

from tests.benchmarks import pysindy_side
from tests.dynamics import (
    BY_NAME,
    ODEBENCH_DEGREE,
    ODEBENCH_PACKAGE,
    Polynomial,
    Run,
    Strogatz,
    System,
    coefficient_error,
    evaluate,
    odebench,
    same_supports,
    span_angle,
)  # fmt: skip
from tests.fresh_dynamics import SYSTEMS as FRESH

BLOWN_UP = 1e6
TIMED_NOISE = 5.0


@dataclass(frozen=True)
class Case:
    """A row of the table; `known` is the figure known for pysindy."""

    system: str
    noise: float
    figure: str
    goal: float
    known: float | None = None


CASES = (
    Case("lorenz", 5, "error", 0.0012, 0.0055),
    Case("lorenz", 10, "error", 0.0037, 0.022),
    Case("henon-heiles", 10, "error", 0.0028, 0.11),
    Case("van der pol", 5, "error", 0.0036, 0.0036),
    Case("van der pol", 10, "error", 0.0061, 0.0061),
    Case("michaelis-menten", 1, "error", 0.0018, 0.0093),
    Case("michaelis-menten", 5, "error", 0.023, 0.031),
    Case("michaelis-menten", 10, "error", 0.024, 0.36),
    Case("henon map", 10, "error", 0.0043, 0.043),
    Case("logistic map", 10, "error", 0.0015, 0.0135),
    Case("euler top", 10, "angle", 1.1),
    Case("henon-heiles", 10, "angle", 6.0),
)
ODEBENCH_NOISE, ODEBENCH_GOALS, ODEBENCH_KNOWN = 1.0, (22, 15), (17, 10)
SLOWER = 10.0  # how many times pysindy's time ours may take


# ------------------------------------------------------------------------------------------------------- our side


def _ours(name: str) -> Callable | None:
    """A function of the package, or None where this version does not have it."""
    import symknot

    return getattr(symknot, name, None) if hasattr(symknot, "Trajectories") else None


def _polynomial(expression: sp.Expr, names: list[str]) -> Polynomial:
    # Symbols of the result may carry assumptions: they are matched by name.
    by_name = {symbol: sp.Symbol(symbol.name) for symbol in expression.free_symbols}
    polynomial = sp.Poly(expression.xreplace(by_name), *(sp.Symbol(name) for name in names))
    return {e: float(c) for e, c in polynomial.terms() if c}


def _implicit(target: str, expression: sp.Expr, names: list[str]) -> Polynomial:
    """target * denominator - numerator."""
    above, below = sp.fraction(expression)
    return _polynomial(sp.Symbol(target) * below - above, [*names, *(f"{name}'" for name in names)])


def _trajectories(system: System | Strogatz, runs: list[Run], steps: bool = False):
    import symknot

    time_ = None if steps else [times for times, _ in runs]
    return symknot.Trajectories([values for _, values in runs], time=time_, names=list(system.names))


def our_equations(system: System, runs: list[Run]) -> list[Polynomial]:
    """What identify finds, as dictionaries in the truth's variables."""
    identify, names = _ours("identify"), list(system.names)
    if system.kind == "map":
        data = _trajectories(system, runs, steps=True)
        result = identify(data, max_degree=system.degree, kind="map", lags=system.lags)
        past = names + [f"{name}_lag{j}" for j in range(1, system.lags + 1) for name in names]
        return [_polynomial(expression, past) for expression in result.right_hand_sides.values()]
    result = identify(_trajectories(system, runs), max_degree=system.degree, noise="estimate")
    if system.implicit:
        return [_implicit(target, expression, names) for target, expression in result.right_hand_sides.items()]
    return [_polynomial(result.right_hand_sides[f"{name}'"], names) for name in names]


def our_figure(system: System, runs: list[Run], figure: str) -> float:
    """Ours for one row and seed; infinite (90 degrees) where the package gives up."""
    from symknot.ground.errors import SymknotError

    try:
        if figure == "error":
            return system.error(our_equations(system, runs))
        found = _ours("conserved")(_trajectories(system, runs), max_degree=system.invariant_degree)
        invariants = [_polynomial(invariant.estimate, list(system.names)) for invariant in found.invariants]
        return span_angle(invariants, system.invariants, system.scales)
    except SymknotError:
        return math.inf if figure == "error" else 90.0


# --------------------------------------------------------------------------------------------------------- tables


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2g}" if abs(value) < 0.1 or abs(value) >= 1e3 else f"{value:.3g}"


def _spread(values: list[float] | None) -> str:
    if values is None:
        return "-"
    median = _number(statistics.median(values))
    return f"{median} ({_number(min(values))}..{_number(max(values))})" if len(values) > 1 else median


HEADER = (
    f"{'case':<18}{'noise':>6} {'figure':<11}{'goal':>8}{'known':>8}  {'ours':<26}{'tuned':<26}{'oracle':<26}"
    f"{'ratio':>7}"
)


def line(name: str, noise: float, figure: str, goal: float, known: float | None, *sides: list[float] | None) -> str:
    """One row; `sides` are ours, pysindy's tuned and its oracle, one value for each seed."""
    ours, tuned, oracle = sides
    ratio = statistics.median(ours) / statistics.median(tuned) if ours and tuned and statistics.median(tuned) else None
    text = "not available" if ours is None else _spread(ours)
    return (
        f"{name:<18}{noise:>5g}% {figure:<11}{_number(goal):>8}{_number(known):>8}  {text:<26}{_spread(tuned):<26}"
        f"{_spread(oracle):<26}{_number(ratio):>7}"
    )


def case_row(case: Case, seeds: range, with_pysindy: bool, settings: bool) -> None:
    """Measure and print one row."""
    system = BY_NAME[case.system]
    function = _ours("identify" if case.figure == "error" else "conserved")
    with_pysindy = with_pysindy and case.figure == "error"
    ours, tuned, oracle, notes = [], [], [], []
    for seed in seeds:
        runs = system.data(case.noise, seed)
        if function:
            ours.append(our_figure(system, runs, case.figure))
        if with_pysindy:
            outcome = pysindy_side.tune(system, runs)
            tuned.append(system.error(outcome.tuned.equations))
            oracle.append(system.error(outcome.oracle.equations))
            notes.append(f"    seed {seed}: {outcome.tuned.settings}; oracle {outcome.oracle.settings}")
    sides = (side or None for side in (ours, tuned, oracle))
    print(line(case.system, case.noise, case.figure, case.goal, case.known, *sides))
    if settings and notes:
        print("\n".join(notes))
    sys.stdout.flush()


def _simulate(equations: tuple[Polynomial, ...], start: np.ndarray, times: np.ndarray) -> np.ndarray | None:
    """Solution of found equations; None if it blows up."""

    def rates(_, state: np.ndarray) -> np.ndarray:
        return np.array([evaluate(polynomial, state[None])[0] for polynomial in equations])

    def far(_, state: np.ndarray) -> float:
        return BLOWN_UP - np.abs(state).max()

    far.terminal = True
    with np.errstate(all="ignore"):
        options = {"t_eval": times, "method": "LSODA", "rtol": 1e-6, "atol": 1e-8, "events": far}
        solution = solve_ivp(rates, times[[0, -1]], start, **options)
    return solution.y.T if solution.status == 0 else None


def _pysindy_on(system: Strogatz, run: Run) -> tuple[bool, bool]:
    """Whether pysindy's tuned equations generalise, and whether their terms are the true ones."""
    found = pysindy_side.tune_flow(
        [run], ODEBENCH_DEGREE, lambda equations: coefficient_error(equations, system.truth), in_sample=True
    ).tuned.equations
    times, values = system.test
    simulated = _simulate(found, values[0], times)
    return simulated is not None and system.r2(simulated) > 0.9, same_supports(found, system.truth)


def _ours_on(system: Strogatz, run: Run) -> tuple[bool, bool]:
    """The same for ours."""
    from symknot.ground.errors import SymknotError

    times, values = system.test
    try:
        result = _ours("identify")(_trajectories(system, [run]), max_degree=ODEBENCH_DEGREE, noise="estimate")
        sides = [result.right_hand_sides.get(f"{name}'") for name in system.names]
        exact = None not in sides and same_supports([_polynomial(e, list(system.names)) for e in sides], system.truth)
    except SymknotError:
        return False, False
    try:
        return system.r2(np.asarray(result.simulate(values[0], times))) > 0.9, exact
    except SymknotError:
        return False, exact


def odebench_rows(path: str | None, seeds: range, with_pysindy: bool, settings: bool) -> None:
    """Measure and print the two rows of ODEBench; the file is fetched if no path is given."""
    with tempfile.TemporaryDirectory() as folder:
        if path is None:
            command = ["download", "--quiet", "--no-deps", "--no-binary", ":all:", "--dest", folder, ODEBENCH_PACKAGE]
            subprocess.run([sys.executable, "-m", "pip", *command], check=True)
            path = str(next(Path(folder).glob("odeformer-*.tar.gz")))
        systems = odebench(path)
    sides = {"ours": _ours_on if _ours("identify") else None, "tuned": _pysindy_on if with_pysindy else None}
    counts: dict[str, list[tuple[int, int]] | None] = {}
    for side, function in sides.items():
        counts[side] = [] if function else None
        for seed in seeds if function else ():
            results = [function(system, system.data(ODEBENCH_NOISE, seed)) for system in systems]
            counts[side].append((sum(r[0] for r in results), sum(r[1] for r in results)))
            if settings:
                missed = [s.number for s, r in zip(systems, results) if not r[0]]
                print(f"    {side}, seed {seed}: does not generalise: {' '.join(map(str, missed))}")
    for i, figure in enumerate(("generalise", "exact")):
        ours, tuned = ([pair[i] for pair in c] if c else None for c in counts.values())
        print(line("ODEBench", ODEBENCH_NOISE, figure, ODEBENCH_GOALS[i], ODEBENCH_KNOWN[i], ours, tuned, None))


def fresh_rows(seeds: range) -> None:
    """Measure and print how many of the fresh systems are found, for three noise levels."""
    import symknot

    for noise in (1.0, 5.0, 10.0):
        counts, missed = [], set()
        for seed in seeds:
            found = []
            for system in FRESH:
                times, runs = system.data(noise, seed)
                data = symknot.Trajectories(runs, time=times, names=list(system.names))
                model = symknot.identify(data, max_degree=system.degree)
                found.append(system.verdicts(model.exact_right_hand_sides))
                if not found[-1][0]:
                    missed.add(system.name)
            counts.append([sum(pair[i] for pair in found) for i in range(2)])
        for i, figure in enumerate(("terms", "equations")):
            print(line(f"fresh ({len(FRESH)})", noise, figure, len(FRESH), None, [c[i] for c in counts], None, None))
        print(f"    other terms at least once: {', '.join(sorted(missed)) or 'none'}", flush=True)


def timing_row(with_pysindy: bool) -> None:
    """Time both sides in turn on 10,000 samples of Lorenz."""
    system = BY_NAME["lorenz"]
    runs = system.data(TIMED_NOISE, 0)
    calls: dict[str, Callable] = {}
    if _ours("identify"):
        data = _trajectories(system, runs)
        calls["ours"] = lambda: _ours("identify")(data, max_degree=system.degree, noise="estimate")
    if with_pysindy:
        calls["pysindy"] = lambda: pysindy_side.stlsq_fit(runs, system.degree)
    best = dict.fromkeys(calls, math.inf)
    for _ in range(5):
        for side, call in calls.items():
            start = time.perf_counter()
            call()
            best[side] = min(best[side], time.perf_counter() - start)
    ours, tuned = ([best[side]] if side in best else None for side in ("ours", "pysindy"))
    goal = SLOWER * tuned[0] if tuned else math.nan
    print(line("lorenz", TIMED_NOISE, "seconds", goal, None, ours, tuned, None))


def _arguments(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.sysid", description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="systems' names or parts of them, odebench, fresh, timing")
    parser.add_argument("--seeds", type=int, default=5, help="how many seeds")
    parser.add_argument("--first-seed", type=int, default=0, help="the first of them")
    parser.add_argument("--odebench-seeds", type=int, help="how many seeds for ODEBench; as --seeds if not given")
    parser.add_argument("--without-pysindy", action="store_true", help="our side alone")
    parser.add_argument("--odebench", metavar="PATH", help="odeformer's source archive, or the JSON in it")
    parser.add_argument("--settings", action="store_true", help="print what the tuning chose, and what failed")
    options = parser.parse_args(argv)
    options.only = [part.strip().lower() for part in options.only.split(",") if part.strip()]
    known = [*BY_NAME, "odebench", "fresh", "timing"]
    for part in options.only:
        if not any(part in name for name in known):
            parser.error(f"nothing called {part!r}; there are {', '.join(known)}")
    return options


def main(argv: list[str] | None = None) -> None:
    """Run the benchmark and print its table."""
    options = _arguments(argv)
    with_pysindy = not options.without_pysindy
    if with_pysindy and pysindy_side.pysindy is None:
        with_pysindy = False
        print("pysindy is not installed: its columns stay empty", file=sys.stderr)

    def seeds(count: int) -> range:
        return range(options.first_seed, options.first_seed + count)

    def wanted(name: str) -> bool:
        return not options.only or any(part in name for part in options.only)

    warnings.filterwarnings("ignore", module=r"(pysindy|sklearn)(\.|$)")
    print(HEADER)
    for case in CASES:
        if wanted(case.system):
            case_row(case, seeds(options.seeds), with_pysindy, options.settings)
    if wanted("odebench"):
        odebench_rows(options.odebench, seeds(options.odebench_seeds or options.seeds), with_pysindy, options.settings)
    if wanted("fresh"):
        fresh_rows(seeds(options.seeds))
    if wanted("timing"):
        timing_row(with_pysindy)


if __name__ == "__main__":
    sys.exit(main())
