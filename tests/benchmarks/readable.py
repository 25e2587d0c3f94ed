"""Are the printed numbers the true ones, and the more so the more points there are?

Run from the top of the checkout::

    python -m tests.benchmarks.readable [--group first second] [--percent 1] [--n 500 2000] [--seeds 1]

`symknot.fit(points).readable()` of shapes with rational equations, equal noise. Columns:

fitted
    Of all shapes, those whose equations have the right number and degrees.
true
    Of these, those whose readable equations generate the true ideal (equal reduced Groebner bases).
wrong claims
    Of all equations printed, those without a decimal that are not in the true ideal.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys

import numpy as np
import sympy as sp

from tests.benchmarks.noise_kinds import GROUPS, shape_of
from tests.benchmarks.recovery import ONE_THREAD
from tests.varieties import spread


def _is_rational(variety) -> bool:
    return all(c.is_Rational for poly in variety.polys for c in poly.coeffs())


def run(task: tuple[str, float, int, int]) -> tuple[bool, bool, int, int]:
    """Whether the fit is right, whether its readable equations are, and how many equations claim what, how many wrongly."""
    import symknot

    name, percent, n, seed = task
    variety = shape_of(name)
    rng = np.random.default_rng([seed, n, round(1000 * percent), len(name), ord(name[0])])
    exact = variety.sampler(rng, n)
    points = exact + percent / 100 * spread(exact) * rng.normal(size=exact.shape)
    names = [str(v) for v in variety.variables]
    ideal = symknot.fit(points, names=names)
    if tuple(sorted(g.degree for g in ideal.polynomials)) != variety.degrees:
        return False, False, 0, 0
    symbols = dict(zip(names, variety.variables, strict=True))
    truth = sp.groebner([poly.as_expr() for poly in variety.polys], *variety.variables, order="grevlex")
    found, claims, wrong = [], 0, 0
    for equation in ideal.readable():
        expr = equation.expr.xreplace({s: symbols[s.name] for s in equation.expr.free_symbols})
        found.append(sp.nsimplify(expr, rational=True))
        if "." not in str(equation).split("+/-")[0]:
            claims += 1
            wrong += not truth.contains(found[-1])
    same = set(sp.groebner(found, *variety.variables, order="grevlex").exprs) == set(truth.exprs) if not wrong else False
    return True, same, claims, wrong


def main(argv: list[str] | None = None) -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.readable", description=__doc__.splitlines()[0])
    parser.add_argument("--group", nargs="+", choices=list(GROUPS), default=["first", "second"])
    parser.add_argument("--percent", type=float, default=1.0, help="noise, of the shape's spread")
    parser.add_argument("--n", nargs="+", type=int, default=[500, 2000])
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(argv)
    os.environ.update(ONE_THREAD)  # read by the children when they import numpy: hence "spawn", not "fork"
    shapes = [variety.name for group in options.group for variety in GROUPS[group] if _is_rational(variety)]
    print(f"{'N':>6}{'shapes':>8}{'fitted':>8}{'true':>8}   wrong claims")
    with multiprocessing.get_context("spawn").Pool(options.jobs) as pool:
        for n in options.n:
            done = pool.map(run, [(name, options.percent, n, seed) for name in shapes for seed in range(options.seeds)])
            fitted, true, claims, wrong = (sum(column) for column in zip(*done, strict=True))
            print(f"{n:>6}{len(done):>8}{fitted:>8}{true:>8}   {wrong} of {claims}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
