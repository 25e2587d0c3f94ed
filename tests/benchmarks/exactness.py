"""Exact ideals of noisy data: do they exist, are they the true ones, what do they cost?

Run from the top of the checkout::

    python -m tests.benchmarks.exactness
    python -m tests.benchmarks.exactness --seeds 2 --only varieties

First table, the paper's data: the three blobs, and every class of Iris and Wine (standardised as a whole), fitted in the
paper's convention and made exact through rational knots. *Supports* counts the polynomials for which the monomials of
the fit were enough (same), all of the degree were needed (degree), or a higher degree (raised). *Residual* is the largest
norm on the data over epsilon, before and after: at most 1 where the exact polynomials keep the fit's promise. *Moved* is
the root-mean-square change of the knots' coordinates in standard errors. *Longest* counts the digits of the longest
numerator or denominator. Every polynomial is evaluated at every knot in rational numbers, by the definition.

Second table, noisy points of known varieties, fitted and made exact with default options. An answer is *right* where it
generates the true ideal (reduced Groebner bases are equal; for point sets, the knots are the true points); *no fit*
counts the data sets in which `fit` found no equation at all, *left out* those in which some of its equations did not agree
exactly with the others. *Certified* are the knots proved to be next to a true zero
(for point sets, the rational knots), of all the knots of the answers. Seconds are those of `exact` alone, on average.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")  # before numpy is loaded

import argparse
import time
from collections import Counter

import numpy as np
import sympy
from sklearn.datasets import load_iris, load_wine

import symknot
from tests.exactly import value
from tests.fresh_varieties import FRESH
from tests.test_paper_illustrations import DELTA, blobs
from tests.varieties import SECOND, VARIETIES

TOLERANCES = {"Iris": (load_iris, (1.0, 2.0)), "Wine": (load_wine, (2.0, 4.0))}
NOISES = (0.01, 0.05)
GOAL = ("circle", "ellipse", "sphere", "twisted cubic")


def digits(terms) -> int:
    """Of the longest numerator or denominator."""
    bits = max(max(number.numerator.bit_length(), number.denominator.bit_length()) for number in terms.values())
    return int(bits * np.log10(2)) + 1


def paper_row(name: str, ideal, points) -> bool:
    """Print one line of the first table; whether everything vanishes."""
    start = time.perf_counter()
    exact = ideal.exact(basis="fit", points=points)
    seconds = time.perf_counter() - start
    vanish = all(value(g.terms, knot) == 0 for g in exact.polynomials for knot in exact.rational_knots)
    moved = np.array([exact.rational_knots[place] for place in exact.of_knot], dtype=float) - ideal.knots
    errors = np.outer(1 / np.sqrt(np.bincount(ideal.assignment)), ideal.noise)
    supports = ", ".join(f"{count} {support}" for support, count in Counter(g.support for g in exact.polynomials).items())
    before, after = (max(getattr(g, side) for g in exact.polynomials) / ideal.epsilon
                     for side in ("residual_before", "residual"))
    print(f"{name:<16}{ideal.epsilon:>8g}{len(points):>8}{len(ideal.knots):>7}{len(exact.rational_knots):>10}"
          f"{len(exact.polynomials):>12}  {supports:<20}{before:>8.3f}{after:>8.3f}"
          f"{np.sqrt(np.mean((moved / errors) ** 2)):>7.2f}{max(digits(g.terms) for g in exact.polynomials):>9}"
          f"{'yes' if vanish else 'NO':>9}{seconds:>9.2f}", flush=True)
    return vanish


def paper_table(most: float) -> None:
    """The paper's data."""
    print(f"{'data':<16}{'epsilon':>8}{'points':>8}{'knots':>7}{'distinct':>10}{'polynomials':>12}  {'supports':<20}"
          f"{'before':>8}{'after':>8}{'moved':>7}{'longest':>9}{'vanish':>9}{'seconds':>9}")
    points = blobs()
    ideal = symknot.fit(points, 0.06, delta=DELTA, normalization="vca", knotting=symknot.Penalty(1e-3))
    good = [paper_row("blobs", ideal, points)]
    for name, (load, tolerances) in TOLERANCES.items():
        X, labels = load(return_X_y=True)
        X = (X - X.mean(axis=0)) / X.std(axis=0)
        for epsilon in tolerances:
            for label in range(3):
                points = X[labels == label]
                if most and name == "Wine" and epsilon < most:
                    continue
                ideal = symknot.fit(points, epsilon, normalization="vca", knotting=symknot.Penalty(0.01), max_degree=4)
                good.append(paper_row(f"{name}, class {label}", ideal, points))
    print(f"\nGoal: exact polynomials for each, zero at every knot: {sum(good)} of {len(good)}\n")


def is_right(variety, exact) -> bool:
    """Whether the exact answer is the true ideal, or has the true points."""
    if variety.dimension == 0:
        true = {tuple(map(sympy.Rational, point)) for point in sympy.solve_poly_system(variety.generators, *variety.variables)}
        return {tuple(sympy.Rational(c.numerator, c.denominator) for c in knot) for knot in exact.rational_knots} == true
    renamed = [poly.as_expr().xreplace(dict(zip(variety.variables, exact.variables))) for poly in variety.polys]
    bases = [sympy.groebner(list(equations), *exact.variables, order="grevlex", domain=sympy.QQ).exprs
             for equations in (renamed, exact.exprs)]
    return set(bases[0]) == set(bases[1])


def variety_row(variety, noise: float, seeds: int, n: int) -> tuple[int, int, int]:
    """Print one line of the second table; right answers, certified knots, all knots."""
    right, missing, certified, total, left_out, seconds = 0, 0, 0, 0, 0, 0.0
    for seed in range(seeds):
        ideal = symknot.fit(variety.noisy(np.random.default_rng(seed), n, noise))
        if not ideal.polynomials:
            missing += 1
            continue
        start = time.perf_counter()
        exact = ideal.exact()
        seconds += time.perf_counter() - start
        right += is_right(variety, exact)
        certified += len(exact.rational_knots) - len(exact.uncertified)
        total += len(exact.rational_knots)
        left_out += bool(exact.left_out)
    made = seeds - missing
    print(f"{variety.name:<24}{noise:>7.0%}{right:>8} of {seeds}{missing:>8}{left_out:>12}{certified:>11} of {total:<6}"
          f"{seconds / max(made, 1):>8.2f}", flush=True)
    return right, certified, total


def fresh_table(seeds: int, n: int) -> None:
    """The same for shapes that were not looked at while the rounding of exact numbers was worked out."""
    print(f"fresh shapes, {n} points each, {seeds} seeds")
    for variety in FRESH:
        for noise in NOISES:
            variety_row(variety, noise, seeds, n)


def variety_table(seeds: int, n: int) -> None:
    """Noisy points of known varieties."""
    print(f"{n} points each, {seeds} seeds")
    print(f"{'variety':<24}{'noise':>7}{'right':>8}{'':<5}{'no fit':>8}{'left out':>12}{'certified':>11}{'':<10}{'seconds':>8}")
    reached = Counter()
    for variety in sorted(VARIETIES + SECOND, key=lambda v: v.name not in GOAL):
        for noise in NOISES:
            row = variety_row(variety, noise, seeds, n)
            if variety.name in GOAL:
                reached.update(right=row[0], certified=row[1], knots=row[2], asked=seeds)
    print(f"\nGoal: {', '.join(GOAL)} right, every knot certified: {reached['right']} of {reached['asked']} right, "
          f"{reached['certified']} of {reached['knots']} knots certified")


def main(argv: list[str] | None = None) -> None:
    """Run the benchmark and print its tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.exactness", description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=["paper", "varieties", "fresh"], help="one table only")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--points", type=int, default=500, help="points per variety")
    parser.add_argument("--wine-from", type=float, default=0.0, metavar="EPSILON",
                        help="leave out Wine's tolerances below this; the smallest takes minutes")
    options = parser.parse_args(argv)
    if options.only in (None, "paper"):
        paper_table(options.wine_from)
    if options.only in (None, "varieties"):
        variety_table(options.seeds, options.points)
    if options.only in (None, "fresh"):
        fresh_table(options.seeds, options.points)


if __name__ == "__main__":
    main()
