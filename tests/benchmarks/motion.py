"""Equations of motion where polynomials end: functions, fractions, short and very noisy runs, many states.

Run from the top of the checkout::

    python -m tests.benchmarks.motion
    python -m tests.benchmarks.motion --only pendulum,toggle --seeds 4 --show
    python -m tests.benchmarks.motion --group fresh
    python -m tests.benchmarks.motion --group other
    python -m tests.benchmarks.motion --group further

Every system is a `tests.fresh_dynamics.Fresh`: right-hand sides as text, starts, end, samples and degree below; Gaussian
noise of the given percentage of each state's standard deviation over all its runs (of Lorenz pooled over the states, as
in the protocol published for ODR-BINDy; of the systems called `PROPORTIONAL` in their group of each value).  ``--fresh`` and
``--other`` are short for the first two groups.  For each system and noise the columns are, over the seeds:

right
    Exactly the true terms in all equations, up to cancellation and common factors.
undecided
    Something else, and said to be so: a message, a part of the equations, or none.
listed
    Of these, with the true terms among `alternatives`.
wrong
    Something else, presented as found.
seconds
    Processor time, median.
MB
    Most memory that the process has had so far; of one row with ``--only``.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import time
from dataclasses import dataclass

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")  # before numpy is imported

import numpy as np
import sympy

import symknot
from tests import fresh_motions, further_motions, other_motions
from tests.fresh_dynamics import Fresh

FOUND = "found"
LORENZ = ("-10*x+10*y", "28*x-x*z-y", "x*y-8*z/3")
LORENZ_START = (-8, 8, 27)


def chain(masses: int, samples: int, degree: int = 3) -> Fresh:
    """The chain of Fermi, Pasta, Ulam and Tsingou with cubic springs (quadratic for degree 2) between fixed ends, two runs."""
    places, speeds = ([f"{letter}{k + 1}" for k in range(masses)] for letter in "qp")
    walls, strength = ["0", *places, "0"], 0.3 if degree == 3 else 0.1
    springs = [f"({b}-{a})+{strength}*({b}-{a})**{degree}" for a, b in zip(walls, walls[1:])]
    forces = [f"{right}-({left})" for left, right in zip(springs, springs[1:])]
    rng, size = np.random.default_rng(0), 1.0 if degree == 3 else 0.5        # a chain of quadratic springs breaks beyond
    starts = tuple(tuple((size * np.r_[rng.normal(size=masses), 0.5 * rng.normal(size=masses)].round(3)).tolist())
                   for _ in range(2))
    return Fresh(f"FPUT, {2 * masses} states", (*places, *speeds), (*speeds, *forces), starts, 20, samples, degree)


@dataclass(frozen=True)
class Case:
    """A system with options of `identify` and the percentages of noise it is tried with."""

    system: Fresh
    noises: tuple[float, ...]
    functions: str | tuple[str, ...] = ()
    noise_of: str = "state"

    def data(self, noise: float, seed: int) -> tuple[np.ndarray, list[np.ndarray]]:
        """Times and runs; noise is a percentage of each *state*'s deviation, of that of *all* values, or of each *value*."""
        if self.noise_of == "state":
            return self.system.data(noise, seed)
        times, runs = self.system.data(0, seed)
        if self.noise_of == "value":
            rng = np.random.default_rng(seed)
            return times, [run + noise / 100 * np.abs(run) * rng.normal(size=run.shape) for run in runs]
        size = noise / 100 * np.concatenate(runs).std()
        return times, [run + size * np.random.default_rng(seed).normal(size=run.shape) for run in runs]


CASES = (
    Case(Fresh("pendulum, auto", ("th", "w"), ("w", "-4*sin(th)-w/10"), ((2.5, 0), (0.5, 1)), 12, 600, 3), (1, 5), "auto"),
    Case(Fresh("pendulum, sin", ("th", "w"), ("w", "-4*sin(th)-w/10"), ((2.5, 0), (0.5, 1)), 12, 600, 3), (1, 5),
         ("sin",)),
    Case(Fresh("glycolysis", ("G", "T"), ("0.36-0.02*G*T", "0.04*G*T-6*T/(T+13)"), ((5, 3), (10, 8), (2, 12), (12, 2)),
               60, 400, 3), (1, 5)),
    Case(Fresh("S, P kinetics", ("S", "P"), ("0.6-1.5*S/(0.3+S)-0.1*S*P", "1.5*S/(0.3+S)-0.4*P"),
               ((2, 0), (0.1, 1), (1, 2), (0.5, 0.1), (3, 3)), 12, 300, 3), (0.1, 2)),
    Case(Fresh("Holling II", ("x", "y"), ("x*(1-x/4)-x*y/(1+x)", "-0.4*y+0.6*x*y/(1+x)"), ((1, 1), (3, 0.5), (0.5, 2)),
               30, 400, 3), (0.1, 1, 5)),
    Case(Fresh("Lengyel-Epstein", ("x", "y"), ("10-x-4*x*y/(1+x**2)", "3*x*(1-y/(1+x**2))"),
               ((1, 1), (3, 6), (0.5, 8)), 12, 600, 3), (0.1, 1, 5)),
    Case(Fresh("toggle", ("u", "v"), ("4/(1+v**2)-u", "4/(1+u**2)-v"),
               ((0.1, 3), (3, 0.2), (2, 2.1), (0.5, 0.4), (4, 3.8)), 8, 200, 3), (0.1, 1, 5)),
    Case(Fresh("Lorenz, T = 10", ("x", "y", "z"), LORENZ, (LORENZ_START,), 10, 1001, 2), (10, 20, 30, 40), noise_of="all"),
    Case(Fresh("Lorenz, T = 4", ("x", "y", "z"), LORENZ, (LORENZ_START,), 4, 401, 2), (10, 20, 30), noise_of="all"),
    Case(chain(8, 1000), (1,)),
    Case(chain(16, 1000, 2), (1,)),
)
GROUPS = {
    name: (*(Case(system, (1, 5), "auto") for system in group.FUNCTIONS), *(Case(system, (1, 5)) for system in group.FRACTIONS),
           *(Case(system, (1, 5), noise_of="value") for system in getattr(group, "PROPORTIONAL", ())))
    for name, group in (("fresh", fresh_motions), ("other", other_motions), ("further", further_motions))
}
"""Each written when the rules were made, and run before they were changed."""


def terms_of(side: sympy.Expr, symbols: tuple[sympy.Symbol, ...]) -> tuple:
    """Monomials of numerator and denominator in lowest terms; functions count as letters, exp(-2 x) as a power of exp(x)."""
    exponents = {one: one.exp.as_coeff_Mul() for one in side.atoms(sympy.exp)}
    side = side.xreplace({one: sympy.Function("exponential")(rest) ** times for one, (times, rest) in exponents.items()
                          if times.is_Integer})
    roots = {power for power in side.atoms(sympy.Pow) if not power.exp.is_Integer}
    functions = sorted(side.atoms(sympy.Function) | roots, key=str)
    letters = [sympy.Symbol(f"f{k}_{function}") for k, function in enumerate(functions)]
    side = sympy.together(side.xreplace(dict(zip(functions, letters))))
    return tuple(frozenset(sympy.Poly(part, *symbols, *letters).monoms())
                 for part in sympy.fraction(sympy.cancel(side))), tuple(map(str, functions))


def is_right(system: Fresh, found: dict[str, sympy.Expr]) -> bool:
    """Whether all equations have exactly the true terms."""
    symbols = sympy.symbols(system.names)
    sides = [found.get(f"{name}'") for name in system.names]
    return None not in sides and all(terms_of(one, symbols) == terms_of(two, symbols)
                                     for one, two in zip(sides, system.truth))


def verdict(system: Fresh, model: symknot.Model) -> str:
    """One of the columns."""
    if is_right(system, model.exact_right_hand_sides):
        return "right"
    return "wrong" if model.status.value == FOUND and not model.message else "undecided"


def row(case: Case, noise: float, seeds: range, show: bool) -> None:
    """Measure and print one row."""
    system, outcomes, seconds, listed = case.system, [], [], 0
    for seed in seeds:
        times, runs = case.data(noise, seed)
        data = symknot.Trajectories(runs, time=times, names=list(system.names))
        start = time.process_time()
        options = {"functions": case.functions} if case.functions else {}
        model = symknot.identify(data, system.degree, **options)
        seconds.append(time.process_time() - start)
        outcomes.append(verdict(system, model))
        listed += outcomes[-1] == "undecided" and any(is_right(system, other.right_hand_sides) for other in model.alternatives)
        if show:
            print(f"  seed {seed}: {outcomes[-1]}, {seconds[-1]:.1f} s", *str(model).split("\n"), sep="\n    ")
    counts = "".join(f"{count:>10}" for count in (*(outcomes.count(one) for one in ("right", "undecided")), listed,
                                                  outcomes.count("wrong")))
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{system.name:<27}{noise:>6g}%{len(outcomes):>7}{counts}{statistics.median(seconds):>9.1f}{most:>7}", flush=True)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", help="names of systems, or beginnings of them, separated by commas")
    parser.add_argument("--noise", type=float, help="this percentage only")
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--show", action="store_true", help="print every model")
    groups = parser.add_mutually_exclusive_group()
    groups.add_argument("--group", choices=list(GROUPS), help="the systems of tests.NAME_motions instead of those here")
    for name in ("fresh", "other"):
        groups.add_argument(f"--{name}", dest="group", action="store_const", const=name, help=f"short for --group {name}")
    arguments = parser.parse_args()
    wanted = tuple(arguments.only.split(",")) if arguments.only else ("",)
    print(f"{'system':<27}{'noise':>7}{'seeds':>7}{'right':>10}{'undecided':>10}{'listed':>10}{'wrong':>10}{'seconds':>9}{'MB':>7}")
    for case in GROUPS[arguments.group] if arguments.group else CASES:
        for noise in case.noises if case.system.name.startswith(wanted) else ():
            if arguments.noise in (None, noise):
                row(case, noise, range(arguments.first_seed, arguments.first_seed + arguments.seeds), arguments.show)


if __name__ == "__main__":
    main()
