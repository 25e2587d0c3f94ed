"""Equations of motion with laws among the states, and with a state that nobody measured, of systems that no rule was made on.

Run from the top of the checkout::

    python -m tests.benchmarks.unmeasured [--group NAME] [--seeds N] [--first-seed N] [--show]

The systems are those of `tests.other_motions`, or with ``--group further`` of `tests.further_motions`; noise as there.
*Bound*: all states are measured, and some laws hold among them in all runs; `identify` is called as ever.  Right are laws that
are as many as the true ones and vanish with them, and right-hand sides whose terms can all be given numbers, none of them zero
and in one way only, with which they are the true ones on the exact runs.  *Hidden*: one state is left out, ``hidden=1``; right
are exactly the terms that the equations have when the state is settled in a way that `SETTLED` has.  Columns, over the seeds:
right; *said*: something else, with a message, a part, or nothing; *wrong*: something else without.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")  # before numpy is imported

import numpy as np
import sympy

import symknot
from tests import further_motions, other_motions
from tests.other_motions import Bound

SAME = 1e-6
"""Relative size below which values on exact runs count as zero: the runs' own error."""
NOISES = (1, 5)
GROUPS = {name: (*group.BOUND, *group.HIDDEN) for name, group in (("other", other_motions), ("further", further_motions))}
SETTLED = {
    "epidemic, incubation unseen": [
        {"s'": ["s*i"], "i'": ["h"], "h'": ["s*i", "h", "i"]},                      # h = i'
        {"s'": ["s*i"], "i'": ["h*i"], "h'": ["h**2", "h", "s", "1"]},              # h = e / (2 i) - 0.3
        {"s'": ["s*i"], "i'": ["h*s", "i"], "h'": ["h*i", "h", "i"]}],              # h = e / (2 s)
    "plankton, nutrient unseen": [
        {"x'": ["h*x"], "y'": ["x*y", "y"], "h'": ["1", "h", "y", "h*x", "x", "x*y"]}],           # h = n - y - 0.2
    "prey, predators unseen": [
        {"x'": ["x", "x**2", "h*x"], "h'": ["h*x", "h"]},                           # h = p
        {"x'": ["x**2", "h*x"], "h'": ["1", "x", "h*x", "h"]},                      # h = 1 - p
        {"x'": ["x", "h*x"], "h'": ["x", "x**2", "h*x", "h"]},                      # h = -x / 5 - p
        {"x'": ["h*x"], "h'": ["1", "x", "x**2", "h*x", "h"]}],                     # h = 1 - x / 5 - p
    "Chua's circuit, current unseen": [
        {"x'": ["x", "x**3", "y"], "y'": ["x", "y", "h"], "h'": ["y"]},             # h = z
        {"x'": ["x", "x**3", "y"], "y'": ["y", "h"], "h'": ["x", "x**3", "y"]},     # h = x + z
        {"x'": ["x", "x**3", "y"], "y'": ["x", "h"], "h'": ["x", "y", "h"]},        # h = z - y
        {"x'": ["x", "x**3", "y"], "y'": ["h"], "h'": ["x", "x**3", "y", "h"]}],    # h = y'
}
"""True terms, worked out by hand."""


def values(expressions: list, names: tuple[str, ...], states: np.ndarray) -> np.ndarray:
    """A column for each expression."""
    symbols = sympy.symbols(names)
    return np.stack([sympy.lambdify(symbols, one)(*states.T) * np.ones(len(states)) for one in expressions], axis=1)


def is_law(case: Bound, model: symknot.Model) -> bool:
    """Whether the constraints are as many as the true ones, and their terms can be given numbers with which they vanish."""
    states = np.concatenate(case.system.data(0, 0)[1])
    for one in model.constraints:
        monomials = [sympy.Mul(*[s**e for s, e in zip(one.variables, row)]) for row in one.terms]
        columns = values(monomials, case.system.names, states)
        singular = np.linalg.svd(columns / np.linalg.norm(columns, axis=0), compute_uv=False)
        if singular[-1] > SAME * singular[0] or (len(singular) > 1 and singular[-2] < 1e-4 * singular[0]):
            return False
    return len(model.constraints) == len(case.relations)


def is_side(case: Bound, side: sympy.Expr, truth: sympy.Expr) -> bool:
    """Whether all terms of a right-hand side, and no fewer, make the true one where the laws hold."""
    states = np.concatenate(case.system.data(0, 0)[1])
    symbols = sympy.symbols(case.system.names)
    above, below = (sympy.Poly(part, *symbols) for part in sympy.fraction(sympy.cancel(sympy.together(side))))
    tops, bottoms = ([sympy.Mul(*[s**e for s, e in zip(symbols, row)]) for row in part.monoms()] for part in (above, below))
    rate = values([truth], case.system.names, states)
    columns = np.hstack([values(tops, case.system.names, states), -rate * values(bottoms, case.system.names, states)])
    columns = columns / np.linalg.norm(columns, axis=0)
    _, singular, rows = np.linalg.svd(columns, full_matrices=False)
    return bool(singular[-1] <= SAME * singular[0] and singular[-2] > 1e-4 * singular[0] and (np.abs(rows[-1]) > 1e-3).all())


def verdict_of_bound(case: Bound, model: symknot.Model) -> tuple[str, bool]:
    """The column, and whether the laws were found."""
    sides, law = model.exact_right_hand_sides, is_law(case, model)
    targets = [f"{name}'" for name in case.system.names]
    right = all(target in sides and is_side(case, sides[target], truth) for target, truth in zip(targets, case.system.truth))
    return "right" if right and law else "wrong" if model.status is symknot.Status.FOUND and not model.message else "said", law


def verdict_of_hidden(name: str, model: symknot.Model) -> str:
    """The column."""
    symbols = sympy.symbols([*model.state_names])
    true = [{target: {sympy.Poly(sympy.sympify(term), *symbols).monoms()[0] for term in terms}
             for target, terms in way.items()} for way in SETTLED[name]] if model.hidden else []
    found = {target: set(sympy.Poly(side, *symbols).monoms()) if side.is_polynomial(*symbols) else None
             for target, side in model.exact_right_hand_sides.items()}
    if found in true:
        return "right"
    return "wrong" if model.hidden and model.status is symknot.Status.FOUND else "said"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--group", choices=list(GROUPS), default="other", help="the systems of tests.NAME_motions")
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--show", action="store_true", help="print every model")
    arguments = parser.parse_args()
    print(f"{'system':<30}{'noise':>6}{'seeds':>6}{'right':>7}{'said':>6}{'wrong':>7}{'laws':>6}{'seconds':>9}")
    for case in GROUPS[arguments.group]:
        for noise in NOISES:
            outcomes, laws, seconds = [], 0, []
            for seed in range(arguments.first_seed, arguments.first_seed + arguments.seeds):
                times, runs = case.system.data(noise, seed) if isinstance(case, Bound) else case.data(noise, seed)
                names = case.system.names if isinstance(case, Bound) else case.measured
                data = symknot.Trajectories(runs, time=times, names=list(names))
                start = time.process_time()
                model = symknot.identify(data, case.system.degree, **({} if isinstance(case, Bound) else {"hidden": 1}))
                seconds.append(time.process_time() - start)
                verdict, law = verdict_of_bound(case, model) if isinstance(case, Bound) else (
                    verdict_of_hidden(case.system.name, model), False)
                outcomes.append(verdict)
                laws += law
                if arguments.show:
                    print(f"{case.system.name}, {noise} %, seed {seed}: {verdict} {laws}\n{model}", flush=True)
            counts = "".join(f"{outcomes.count(one):>{width}}" for one, width in (("right", 7), ("said", 6), ("wrong", 7)))
            shown = str(laws) if isinstance(case, Bound) else "-"
            print(f"{case.system.name:<30}{noise:>5}%{len(outcomes):>6}{counts}{shown:>6}{statistics.median(seconds):>9.1f}",
                  flush=True)


if __name__ == "__main__":
    main()
