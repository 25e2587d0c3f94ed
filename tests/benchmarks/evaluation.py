"""Evaluation and expressions: what does each route cost next to the bare matrix product it cannot do without?

Run from the top of the checkout::

    python -m tests.benchmarks.evaluation
    python -m tests.benchmarks.evaluation --points 10000 --dimension 5 --degree 4
    OMP_NUM_THREADS=2 OPENBLAS_NUM_THREADS=2 python -m tests.benchmarks.evaluation --only rates --points 1000000

The ideal: `symknot.vca` on as many points in general position as there are monomials up to the given degree, less the
number of equations wanted. No equation of lower degree vanishes on them, and exactly so many of that degree do: 86
points in 10 variables leave 286 - 86 = 200 cubics. The routes are measured at other points, in one process, each the best
of some repetitions; with one thread (the default) in CPU seconds, else by the clock on the wall. *Times bare* is the ratio to
multiplying the matrix of the monomials' values, already there, by the coefficients. Rows marked *extrapolated* ran on few
polynomials and were multiplied up to all. The last lines compare with the rate of a product of large matrices.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")  # before numpy is loaded

import argparse
import time
from functools import partial

import numpy as np
import sympy

import symknot
from symknot.ground.threads import threads
from symknot.polynomials.monomials import count, monomials
from symknot.symbolic.compiled import ROWS_AT_ONCE, Compiled, monomial_function
from symknot.symbolic.polynomial import compiled_for

GOAL_TIMES_BARE, GOAL_EXPRESSIONS, GOAL_SHARE = 2.0, 2.0, 0.5
SQUARE = 2000
"""Rows and columns of the matrices whose product is the machine's rate: a convention, large enough for BLAS at its best."""


def ideal_with(equations: int, dimension: int, degree: int, seed: int = 0) -> symknot.Ideal:
    """An ideal of exactly so many equations of one degree, and none below."""
    points = np.random.default_rng(seed).normal(size=(count(dimension, degree) - equations, dimension)) + 5
    ideal = symknot.vca(points, epsilon=1e-8, max_degree=degree)
    if [g.degree for g in ideal.polynomials] != [degree] * equations:
        raise SystemExit(f"need at most {count(dimension, degree) - count(dimension, degree - 1)} equations")
    return ideal


def best(call, repeat: int) -> float:
    """Least seconds of some calls."""
    times, clock = [], time.process_time if threads() == 1 else time.perf_counter
    for _ in range(repeat):
        start = clock()
        call()
        times.append(clock() - start)
    return min(times)


def rates(ideal, points: int, repeat: int) -> tuple[float, float, float]:
    """Operations per second of a product of large matrices, of `ideal.evaluate`, and of the same into memory that is there
    already, by turns in one process.

    Counted of the latter two are the multiplications and additions of monomials and coefficients alone.
    """
    rng = np.random.default_rng(2)
    X, A = rng.normal(size=(points, len(ideal.names))) + 5, rng.normal(size=(SQUARE, SQUARE))
    work = 2.0 * ideal._compiled._coefficients.size * points
    square, own, into, memory = [], [], [], np.zeros((points, len(ideal.polynomials)))
    for _ in range(repeat):
        square.append(best(lambda: A @ A, 1))
        own.append(best(lambda: ideal.evaluate(X), 1))
        into.append(best(lambda: ideal.evaluate(X, out=memory), 1))
    return 2.0 * SQUARE**3 / min(square), work / min(own), work / min(into)


def by_the_recursion(ideal) -> Compiled:
    """The ideal's polynomials, by the recursion whatever suits better."""
    forced = compiled_for(ideal, ideal.in_order())
    forced.__dict__["nested"] = True
    return forced


def by_common_subexpressions(ideal, U: np.ndarray):
    """The default route, but with the subexpressions that sympy's own ``cse=True`` finds."""
    usual = ideal._compiled
    y = sympy.symbols(f"y:{ideal.recursion.sizes[1]}")
    degree = usual.degree
    powers = [sympy.Mul(*[v**e for v, e in zip(y, row)]) for row in monomials(len(y), degree).exponents.tolist()[1:]]
    start = time.perf_counter()
    function = sympy.lambdify(y, powers, cse=True)
    compile_time = time.perf_counter() - start
    first = ideal.recursion.layers[0].F

    def call():
        for rows in usual._blocks(len(U)):
            Y = first[1:].T @ U[rows].T + ideal.recursion.constant * first[0][:, None]
            np.vstack([np.ones(Y.shape[1]), *function(*Y)]).T @ usual._coefficients

    return call, compile_time


def evaluation_table(ideal, points: int, repeat: int, few: int) -> float:
    """Print every route's seconds; the default's ratio to the bare product."""
    rng = np.random.default_rng(1)
    d, k = len(ideal.names), len(ideal.polynomials)
    X = rng.normal(size=(points, d)) + 5
    usual, recursion, order = ideal._compiled, ideal.recursion, ideal.in_order()
    U = usual._inside(X)
    basis = np.ascontiguousarray(usual._basis(U).T)
    bare = best(partial(np.matmul, basis, usual._coefficients), repeat)
    del basis

    monomial_function.cache_clear()
    start = time.perf_counter()
    monomial_function(recursion.sizes[1], usual.degree)
    compiled_in = time.perf_counter() - start

    print(f"{k} polynomials of degree {usual.degree} in {d} variables at {points} points, {threads()} thread(s)")
    print(f"{'route':<58}{'seconds':>9}{'times bare':>12}{'compile':>10}")

    def row(name, seconds, compile_time=None):
        compile_text = "-" if compile_time is None else f"{compile_time:.2f}"
        print(f"{name:<58}{seconds:>9.3f}{seconds / bare:>12.2f}{compile_text:>10}", flush=True)
        return seconds / bare

    row("bare matrix product", bare)
    ratio = row("ideal.evaluate", best(lambda: ideal.evaluate(X), repeat), compiled_in)
    call, compile_time = by_common_subexpressions(ideal, U)
    row("the same with sympy's cse=True", best(call, repeat), compile_time)
    forced = by_the_recursion(ideal)
    row(f"array recursion, blocks of at most {ROWS_AT_ONCE} rows", best(lambda: forced.values(X), repeat))
    row("array recursion, all rows at once", best(lambda: ideal.unit * recursion.evaluate(U).G[:, order], 1))

    start = time.perf_counter()
    plain = sympy.lambdify(ideal.variables, [g.expr for g in ideal.polynomials[:few]])
    compile_time = (time.perf_counter() - start) * k / few
    seconds = best(lambda: plain(*X.T), 1) * k / few
    row(f"plain lambdify of expanded sums, extrapolated from {few}", seconds, compile_time)
    row("one polynomial, all points", best(lambda: ideal.polynomials[0](X), repeat))

    rows = X[: max(points // 10, 1)]
    print(f"\nDerivatives at {len(rows)} points")
    for name, call in (("ideal.jacobian", lambda: ideal.jacobian(rows)),
                       ("by the recursion", lambda: forced.slopes(rows))):  # fmt: skip
        print(f"{name:<58}{best(call, repeat):>9.3f}", flush=True)
    return ratio


def expression_table(ideal) -> float:
    """Print the seconds for all polynomials' forms, in a fresh ideal; those for the expressions."""
    print(f"\nAll {len(ideal.polynomials)} polynomials, from the recursion (seconds)")
    found = {}
    for form in ("expr", "terms", "poly", "nested"):
        fresh = ideal_with(len(ideal.polynomials), len(ideal.names), ideal.polynomials[0].degree)
        start = time.perf_counter()
        for g in fresh.polynomials:
            getattr(g, form)
        found[form] = time.perf_counter() - start
        print(f"polynomial.{form:<47}{found[form]:>9.3f}", flush=True)
    return found["expr"]


def main(argv: list[str] | None = None) -> None:
    """Run the benchmark and print its tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.evaluation", description=__doc__.splitlines()[0])
    parser.add_argument("--points", type=int, default=10**5)
    parser.add_argument("--dimension", type=int, default=10)
    parser.add_argument("--degree", type=int, default=3)
    parser.add_argument("--equations", type=int, default=200)
    parser.add_argument("--only", choices=["rates"], help="nothing but the comparison with a product of large matrices")
    parser.add_argument("--repeat", type=int, default=3, help="the best of so many")
    parser.add_argument("--few", type=int, default=4, help="polynomials on which the plain route is tried")
    options = parser.parse_args(argv)
    most = count(options.dimension, options.degree) - count(options.dimension, options.degree - 1)
    ideal = ideal_with(min(options.equations, most), options.dimension, options.degree)
    if options.only is None:
        seconds = expression_table(ideal)
        print()
        ratio = evaluation_table(ideal, options.points, options.repeat, min(options.few, len(ideal.polynomials)))
        print(f"\nGoals: ideal.evaluate within {GOAL_TIMES_BARE:g} times the bare product: {ratio:.2f}; "
              f"all expressions within {GOAL_EXPRESSIONS:g} s: {seconds:.2f} s")
    square, own, into = rates(ideal, options.points, options.repeat)
    print(f"\nOf the {square / 1e9:.1f} Gflop/s of a product of matrices with {SQUARE} rows, ideal.evaluate reaches "
          f"{own / 1e9:.1f}: {own / square:.2f} (goal {GOAL_SHARE:g}), and with out= {into / 1e9:.1f}: {into / square:.2f}, "
          f"with {threads()} thread(s)")


if __name__ == "__main__":
    main()
