"""Are the printed numbers the true ones, and the more so the more points there are?

Run from the top of the checkout::

    python -m tests.benchmarks.readable [--group first second] [--percent 1] [--n 500 2000] [--seeds 1] [--each]

`symknot.fit(points).readable()` of shapes with rational equations, equal noise. Columns:

fitted
    Of all shapes, those whose equations have the right number and degrees.
true
    Of these, those whose readable equations generate the true ideal (equal reduced Groebner bases).
of simple
    The same of the fitted shapes whose true numbers are simple: numerators and denominators of the reduced Groebner basis, or
    of the coordinates of points, are at most `LARGEST_SIMPLE`. The truth decides that, not what was found.
wrong claims
    Of all equations printed without a decimal, those that are not in the true ideal.
wrong numbers
    Of all numbers printed without a decimal, in any equation, those that are not the true ones of the same leading terms.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import sympy as sp

from tests.benchmarks.noise_kinds import GROUPS, shape_of
from tests.benchmarks.readable_shapes import PLAIN, SIMPLE
from tests.benchmarks.recovery import ONE_THREAD
from tests.varieties import Variety, exponents, spread

LARGEST_SIMPLE = 100
"""Largest numerator and denominator of a number that counts as simple: a convention of this benchmark."""
SAME = 1e-9
"""Difference between numbers, relative to the larger, that is rounding."""
SHAPES: dict[str, tuple[Variety, ...]] = {**GROUPS, "simple": SIMPLE, "plain": PLAIN}


class Outcome(NamedTuple):
    """What became of one fit; `claims` and `numbers` count what is printed without a decimal, `wrong...` the false ones."""

    fitted: bool = False
    simple: bool = False
    true: bool = False
    claims: int = 0
    wrong_claims: int = 0
    numbers: int = 0
    wrong_numbers: int = 0


def _variety(name: str) -> Variety:
    return next((variety for variety in SIMPLE + PLAIN if variety.name == name), None) or shape_of(name)


def _is_rational(variety: Variety) -> bool:
    return all(c.is_Rational for poly in variety.polys for c in poly.coeffs())


def _basis(polynomials, variety: Variety):
    return sp.groebner(polynomials, *variety.variables, order="grevlex", domain="QQ")


def is_simple(variety: Variety) -> bool:
    """Whether the true numbers are simple: of the points where there are finitely many, else of the equations."""
    if variety.dimension == 0:
        points = np.unique(variety.sampler(np.random.default_rng(0), 1000))
        near = [Fraction(value).limit_denominator(LARGEST_SIMPLE) for value in points.tolist()]
        return all(abs(float(f) - v) < SAME and abs(f.numerator) <= LARGEST_SIMPLE for f, v in zip(near, points, strict=True))
    truth = _basis([poly.as_expr() for poly in variety.polys], variety)
    return all(max(abs(c.p), c.q) <= LARGEST_SIMPLE for poly in truth.polys for c in poly.coeffs())


def true_terms(variety: Variety, equations, place: int) -> dict[tuple[int, ...], float] | None:
    """The true equation with the leading term of one that was found, without those of the others; None if there is none.

    It is reduced by the equations of lower degree as far as that one is.
    """
    terms = equations[place].terms
    degree, leading = max(map(sum, terms)), next(iter(terms))
    every = exponents(len(variety.variables), degree)
    divided = [next(iter(other.terms)) for other in equations if other.degree < degree]
    absent = {e for e in every if e not in terms and any(all(a >= b for a, b in zip(e, low, strict=True)) for low in divided)}
    absent |= {next(iter(other.terms)) for other in equations if other is not equations[place] and other.degree == degree}
    rows = [a for a, e in enumerate(every) if e in absent or e == leading]
    space = variety.coefficient_space(degree)
    wanted = np.array([every[a] == leading for a in rows], dtype=float)
    solution, _, rank, _ = np.linalg.lstsq(space[rows], wanted, rcond=1e-9)
    if rank < space.shape[1] or np.abs(space[rows] @ solution - wanted).max() > SAME:
        return None
    return dict(zip(every, (space @ solution).tolist(), strict=True))


def run(task: tuple[str, float, int, int]) -> Outcome:
    """Fit a shape, and compare its readable equations with the true ones."""
    import symknot

    name, percent, n, seed = task
    variety = _variety(name)
    rng = np.random.default_rng([seed, n, round(1000 * percent), len(name), ord(name[0])])
    exact = variety.sampler(rng, n)
    points = exact + percent / 100 * spread(exact) * rng.normal(size=exact.shape)
    names = [str(v) for v in variety.variables]
    ideal = symknot.fit(points, names=names)
    if tuple(sorted(g.degree for g in ideal.polynomials)) != tuple(sorted(variety.degrees)):
        return Outcome()
    symbols = dict(zip(names, variety.variables, strict=True))
    truth = _basis([poly.as_expr() for poly in variety.polys], variety)
    found, counts = [], np.zeros(4, dtype=int)
    equations = list(ideal.readable())
    for place, equation in enumerate(equations):
        expr = equation.expr.xreplace({s: symbols[s.name] for s in equation.expr.free_symbols})
        found.append(sp.nsimplify(expr, rational=True))
        claimed = [e for e in list(equation.terms)[1:] if e not in equation.digits]
        true = true_terms(variety, equations, place)
        false = [e for e in claimed if true is None or abs(float(equation.terms[e]) - true[e]) > SAME * (1 + abs(true[e]))]
        counts += [0, 0, len(claimed), len(false)]
        if "." not in str(equation).split("+/-")[0]:
            counts += [1, not truth.contains(found[-1]), 0, 0]
    same = set(_basis(found, variety).exprs) == set(truth.exprs)
    return Outcome(True, is_simple(variety), same, *counts.tolist())


def main(argv: list[str] | None = None) -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.readable", description=__doc__.splitlines()[0])
    parser.add_argument("--group", nargs="+", choices=list(SHAPES), default=["first", "second"])
    parser.add_argument("--percent", type=float, default=1.0, help="noise, of the shape's spread")
    parser.add_argument("--n", nargs="+", type=int, default=[500, 2000])
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--each", action="store_true", help="name every shape that is not fitted, or not true")
    options = parser.parse_args(argv)
    os.environ.update(ONE_THREAD)  # read by the children when they import numpy: hence "spawn", not "fork"
    shapes = [variety.name for group in options.group for variety in SHAPES[group] if _is_rational(variety)]
    print(f"{'N':>6}{'shapes':>8}{'fitted':>8}{'true':>8}{'of simple':>14}   wrong claims   wrong numbers")
    with multiprocessing.get_context("spawn").Pool(options.jobs) as pool:
        for n in options.n:
            tasks = [(name, options.percent, n, seed) for name in shapes for seed in range(options.seeds)]
            done = pool.map(run, tasks, chunksize=1)
            sums = Outcome(*(sum(column) for column in zip(*done, strict=True)))
            simple = f"{sum(one.simple and one.true for one in done)} of {sums.simple}"
            claims = f"{sums.wrong_claims} of {sums.claims}"
            print(f"{n:>6}{len(done):>8}{sums.fitted:>8}{sums.true:>8}{simple:>14}   {claims:<12}   "
                  f"{sums.wrong_numbers} of {sums.numbers}", flush=True)
            for task, one in zip(tasks, done, strict=True):
                if options.each and (not one.true or one.wrong_numbers):
                    print("      ", task[0], task[3], one._asdict())


if __name__ == "__main__":
    sys.exit(main())
