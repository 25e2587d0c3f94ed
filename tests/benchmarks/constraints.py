"""Constraints among the states of flows, with the equations of motion, beside PyPI's DaeFinder on the same data.

Run from the top of the checkout, the second command where DaeFinder is installed (1.0.1 was used; it needs no symknot)::

    python -m tests.benchmarks.constraints [--seeds N] [--show]
    python -m tests.benchmarks.constraints --peer [--seeds N]

Three systems, three runs each, Gaussian noise of a percentage of every state's standard deviation over all runs: a pendulum in
Cartesian coordinates, an enzyme with all its species and two conserved totals, and a small power grid (the angle of a generator
as cosine and sine, its speed, the voltage V of a load, and the power P that flows).  Ours: `identify` with nothing given.
*laws*: seeds in which exactly the true constraints were found, term by term; *right*: in which also every right-hand side has
the value of the true one on the exact runs, within 5 % (20 % at 5 % noise) of its size, and no more terms.  DaeFinder is given
the percentage of noise, and the truth chooses: of all `SETTINGS` (degree, smoothing, lasso or sequential thresholds, threshold
of coefficients) *laws* counts those constraints that are exactly among the five best relations of some setting, *settings* how
many of the settings have any.
"""

from __future__ import annotations

import argparse
import itertools
import os
import time
import warnings
from dataclasses import dataclass

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")  # before numpy is imported

import numpy as np
import sympy
from scipy.integrate import solve_ivp

NOISES = (1, 5)
BEST = 5
KINDS = (("lasso", 1e-4), ("lasso", 1e-3), ("lasso", 1e-2), ("lasso", 1e-1), ("STLSQ", 0.05), ("STLSQ", 0.1), ("STLSQ", 0.2))
SETTINGS = tuple(itertools.product((1, 2), ("spline", "SG"), KINDS, (0.02, 0.05, 0.1, 0.2)))


@dataclass(frozen=True)
class Bound:
    """Right-hand sides of all states, starts, end, samples, degree, and what is zero."""

    name: str
    names: tuple[str, ...]
    rates: tuple[str, ...]
    starts: tuple[tuple[float, ...], ...]
    end: float
    samples: int
    degree: int
    laws: tuple[str, ...]

    def read(self, text: str) -> sympy.Expr:
        """A text in the names of the states."""
        return sympy.sympify(text, locals={name: sympy.Symbol(name) for name in self.names})

    def exact(self) -> tuple[np.ndarray, list[np.ndarray]]:
        """Times and runs without noise."""
        symbols, t = sympy.symbols(self.names), np.linspace(0, self.end, self.samples)
        rates = sympy.lambdify([symbols], [self.read(rate) for rate in self.rates])
        return t, [solve_ivp(lambda _, s: rates(s), (0, self.end), start, t_eval=t, rtol=1e-10, atol=1e-12).y.T
                   for start in self.starts]

    def data(self, percent: float, seed: int) -> tuple[np.ndarray, list[np.ndarray]]:
        """With noise."""
        t, runs = self.exact()
        rng, size = np.random.default_rng(seed), np.concatenate(runs).std(axis=0)
        return t, [run + percent / 100 * size * rng.normal(size=run.shape) for run in runs]

    def supports(self) -> set[frozenset]:
        """Monomials of each law."""
        symbols = sympy.symbols(self.names)
        return {frozenset(sympy.Poly(self.read(law), *symbols).monoms()) for law in self.laws}


def swing(angle: float, speed: float) -> tuple[float, ...]:
    """Start of the pendulum."""
    return (np.sin(angle), -np.cos(angle), speed * np.cos(angle), speed * np.sin(angle))


def grid(angle: float, speed: float) -> tuple[float, ...]:
    """Start of the grid: c, s, w, V, P."""
    c, s = np.cos(angle), np.sin(angle)
    voltage = (1.5 * c + np.sqrt(2.25 * c * c - 0.4)) / 2
    return (c, s, speed, voltage, voltage * s)


FALL = "1.5*s*w*V/(2*V-1.5*c)"                  # of V, since V^2 - 1.5 c V + 0.1 = 0
SYSTEMS = (
    Bound("pendulum", tuple("xyuv"), ("u", "v", "-x*(u**2+v**2-2*y)", "-y*(u**2+v**2-2*y)-2"),
          (swing(1.2, 0.5), swing(2.0, -0.3), swing(0.6, 1.5)), 10, 500, 3, ("x**2+y**2-1", "x*u+y*v")),
    Bound("enzyme", tuple("ESCP"), ("1.5*C-2*E*S", "0.5*C-2*E*S", "2*E*S-1.5*C", "C"),
          ((1, 3, 0, 0), (0.4, 2.4, 0.6, 0), (0.7, 1, 0.3, 1.7)), 8, 300, 2, ("E+C-1", "S+C+P-3")),
    Bound("power grid", tuple("cswVP"), ("-s*w", "c*w", "0.2-P-0.1*w", f"-{FALL}", f"V*c*w-s*{FALL}"),
          (grid(0.2, 0.7), grid(0.9, -0.1), grid(-0.6, 0.1)), 12, 500, 3, ("c**2+s**2-1", "V**2-1.5*c*V+0.1", "P-V*s")),
)


def ours(system: Bound, percent: float, seed: int, show: bool) -> tuple[bool, bool]:
    """Whether the laws, and whether everything was found."""
    import symknot
    t, runs = system.data(percent, seed)
    model = symknot.identify(symknot.Trajectories(runs, time=t, names=list(system.names)), system.degree)
    laws = {frozenset(one.terms) for one in model.constraints} == system.supports()
    if show:
        print(f"{system.name}, {percent} %, seed {seed}\n{model}", flush=True)
    symbols, states = sympy.symbols(system.names), np.concatenate(system.exact()[1])
    right = laws
    for name, text in zip(system.names, system.rates):
        side = model.exact_right_hand_sides.get(f"{name}'")
        if side is None:
            return laws, False
        true, found = (sympy.lambdify(symbols, one)(*states.T) * np.ones(len(states)) for one in (system.read(text), side))
        terms = [len(sympy.Add.make_args(sympy.expand(sympy.fraction(sympy.together(one))[0])))
                 for one in (system.read(text), side)]
        near = np.linalg.norm(true - found) <= (0.05 if percent <= 1 else 0.2) * np.linalg.norm(true)
        right = right and bool(near) and terms[1] <= terms[0]
    return laws, right


def peer(system: Bound, percent: float, seed: int) -> tuple[int, int]:
    """How many of the laws some setting has among its best relations, and how many settings have any."""
    import pandas
    from daeFinder import AlgModelFinder, PolyFeatureMatrix, sequentialThLin, smooth_data
    t, runs = system.data(percent, seed)
    tables = [pandas.DataFrame(np.c_[t, run], columns=["t", *system.names]) for run in runs]
    found, having = set(), 0
    for degree, method, (kind, strength), least in SETTINGS:
        smooth = pandas.concat([smooth_data(table, smooth_method=method, noise_perc=percent) for table in tables])
        library = PolyFeatureMatrix(degree=degree).fit_transform(smooth[list(system.names)].reset_index(drop=True))
        finder = AlgModelFinder(model_id="lasso", alpha=strength) if kind == "lasso" else AlgModelFinder(
            custom_model=True, custom_model_ob=sequentialThLin(coef_threshold=strength, silent=True))
        finder.fit(library, scale_columns=True)
        best = finder.best_models(num=BEST).drop(index="r2- metric")
        supports = {frozenset(_monomial(one, system.names) for one in (left, *right[right.abs() > least].index))
                    for left, right in best.items()}
        having += bool(supports & system.supports())
        found |= supports & system.supports()
    return len(found), having


def _monomial(text, names):
    """Exponents of a column's name, such as ``x^2`` or ``x y``."""
    written = text.replace("^", "**").replace(" ", "*")
    return sympy.Poly(sympy.sympify(written, locals={name: sympy.Symbol(name) for name in names}),
                      *sympy.symbols(names)).monoms()[0]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--peer", action="store_true")
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--show", action="store_true", help="print every model")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore" if arguments.peer else "default")
    more = f"{'of':>4}{'settings':>10}" if arguments.peer else f"{'right':>7}"
    print(f"{'system':<14}{'noise':>6}{'seeds':>6}{'laws':>6}{more}{'seconds':>9}")
    for system in SYSTEMS:
        for percent in NOISES:
            start = time.process_time()
            rows = [peer(system, percent, seed) if arguments.peer else ours(system, percent, seed, arguments.show)
                    for seed in range(arguments.seeds)]
            seconds = (time.process_time() - start) / arguments.seeds
            laws, other = (sum(part) for part in zip(*rows))
            more = (f"{arguments.seeds * len(system.laws):>4}{other:>5}/{arguments.seeds * len(SETTINGS)}" if arguments.peer
                    else f"{other:>7}")
            print(f"{system.name:<14}{percent:>5}%{arguments.seeds:>6}{laws:>6}{more}{seconds:>9.1f}", flush=True)


if __name__ == "__main__":
    main()
