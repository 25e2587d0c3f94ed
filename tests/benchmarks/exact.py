"""Exact ideals of rational points: how long do they take, by flint and by numpy alone?

Run from the top of the checkout::

    python -m tests.benchmarks.exact
    python -m tests.benchmarks.exact --digits 12 --most 20

The points: random, with so many decimal digits. Each time is that of `points_ideal`, the best of some repetitions, in
one process with one thread; every answer of the two is compared. *Longest* is the largest number of digits of a
numerator or denominator in the basis. The last column is sympy's own Groebner basis of the same ideal, from the
products of the points' maximal ideals, one point after the other; it is run for few points only, because it soon takes
minutes.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")  # before numpy is loaded

import argparse
import time
from fractions import Fraction

import numpy as np
import sympy

from symknot.results.points_ideal import points_ideal

DIMENSIONS, COUNTS = (2, 3, 5), (10, 20, 50)
GOAL_SECONDS = 5.0


def random_points(count: int, dimension: int, digits: int, seed: int = 0) -> list:
    """Points in the unit cube with decimal coordinates."""
    numerators = np.random.default_rng(seed).integers(0, 10**digits, (count, dimension))
    return [[Fraction(int(a), 10**digits) for a in row] for row in numerators]


def timed(call, repeat: int):
    """Least seconds of some calls, and the answer."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        answer = call()
        times.append(time.perf_counter() - start)
    return min(times), answer


def by_sympy(points, variables) -> list:
    """The reduced Groebner basis of the intersection of the maximal ideals, by Buchberger's algorithm."""
    basis = [sympy.Integer(1)]
    for point in points:
        maximal = [v - sympy.Rational(a.numerator, a.denominator) for v, a in zip(variables, point)]
        products = [f * g for f in basis for g in maximal]
        basis = sympy.groebner(products, *variables, order="grevlex", domain=sympy.QQ).exprs
    return basis


def longest(ideal) -> int:
    """Digits of the longest numerator or denominator."""
    bits = max(max(value.numerator.bit_length(), value.denominator.bit_length())
               for terms in ideal.basis for value in terms.values())
    return int(bits * np.log10(2)) + 1


def main(argv: list[str] | None = None) -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.exact", description=__doc__.splitlines()[0])
    parser.add_argument("--digits", type=int, default=6, help="decimal digits of the coordinates")
    parser.add_argument("--most", type=int, default=max(COUNTS), help="points at most")
    parser.add_argument("--repeat", type=int, default=2, help="the best of so many")
    parser.add_argument("--few", type=int, default=4, help="points up to which sympy's Groebner basis is computed too")
    options = parser.parse_args(argv)
    counts = sorted({options.few, *[count for count in COUNTS if count <= options.most]})
    worst = 0.0
    print(f"Points with {options.digits}-digit coordinates, grevlex, seconds, one thread")
    print(f"{'variables':>9}{'points':>8}{'equations':>11}{'longest':>9}"
          f"{'flint':>9}{'numpy':>9}{'ratio':>7}{'sympy':>9}")
    for dimension in DIMENSIONS:
        names = [f"x{j + 1}" for j in range(dimension)]
        for count in counts:
            points = random_points(count, dimension, options.digits)
            flint, ideal = timed(lambda: points_ideal(points, names, arithmetic="flint"), options.repeat)
            alone, other = timed(lambda: points_ideal(points, names, arithmetic="numpy"), options.repeat)
            if ideal.basis != other.basis:
                raise SystemExit(f"the answers for {count} points in {dimension} variables differ")
            worst = max(worst, flint)
            by_buchberger = f"{'-':>9}"
            if count <= options.few:
                by_buchberger = f"{timed(lambda: by_sympy(points, ideal.variables), 1)[0]:>9.3f}"
            print(f"{dimension:>9}{count:>8}{len(ideal.basis):>11}{longest(ideal):>9}{flint:>9.3f}{alone:>9.3f}"
                  f"{alone / flint:>7.1f}{by_buchberger}", flush=True)
    print(f"\nGoal: every ideal within {GOAL_SECONDS:g} s by flint: {worst:.2f} s")


if __name__ == "__main__":
    main()
