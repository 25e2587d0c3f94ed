"""Twelve systems that no rule of the package was made on, for ``tests.benchmarks.sysid --only fresh``.

They were written down after the rules, and run once before anything was changed (what that showed is in
``docs/benchmarks.md``). Rules must not be tuned on them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import sympy
from scipy.integrate import solve_ivp


@dataclass(frozen=True)
class Fresh:
    """A flow given by the text of its right-hand sides, all measured from `starts` at `samples` times up to `end`."""

    name: str
    names: tuple[str, ...]
    rates: tuple[str, ...]
    starts: tuple[tuple[float, ...], ...]
    end: float
    samples: int
    degree: int

    @property
    def truth(self) -> list[sympy.Expr]:
        """The right-hand sides with exact numbers."""
        symbols = {name: sympy.Symbol(name) for name in self.names}          # also S, which sympy has a use for
        return [sympy.sympify(text, locals=symbols, rational=True) for text in self.rates]

    def data(self, noise: float, seed: int) -> tuple[np.ndarray, list[np.ndarray]]:
        """Times, and runs with noise of `noise` percent of each state's standard deviation."""
        times = np.linspace(0, self.end, self.samples)
        rate = sympy.lambdify(sympy.symbols(self.names), self.truth)
        runs = [solve_ivp(lambda _, x: rate(*x), (0, self.end), start, t_eval=times, method="LSODA",
                          rtol=1e-9, atol=1e-11).y.T for start in self.starts]
        sizes = noise / 100 * np.concatenate(runs).std(axis=0)
        rng = np.random.default_rng(seed)
        return times, [run + sizes * rng.normal(size=run.shape) for run in runs]

    def verdicts(self, found: dict[str, sympy.Expr]) -> tuple[bool, bool]:
        """Whether all equations have exactly the true terms, and whether their numbers are the true ones as well."""
        symbols = sympy.symbols(self.names)
        sides = [found.get(f"{name}'") for name in self.names]
        if None in sides:
            return False, False

        def terms(side):
            return [set(sympy.Poly(part, *symbols).monoms()) for part in sympy.fraction(sympy.cancel(side))]

        same = all(terms(one) == terms(two) for one, two in zip(sides, self.truth))
        return same, all(sympy.simplify(one - two) == 0 for one, two in zip(sides, self.truth))


XYZ = ("x", "y", "z")
SYSTEMS = (
    Fresh("Roessler", XYZ, ("-y-z", "x+0.2*y", "0.2+x*z-5.7*z"), ((1, 1, 1),), 60, 3000, 2),
    Fresh("Halvorsen", XYZ, ("-1.4*x-4*y-4*z-y*y", "-1.4*y-4*z-4*x-z*z", "-1.4*z-4*x-4*y-x*x"), ((-5, 0, 0),),
          20, 4000, 2),
    Fresh("Lotka-Volterra", XYZ[:2], ("1.1*x-0.4*x*y", "0.1*x*y-0.4*y"), ((10, 5), (4, 1), (8, 3)), 25, 400, 3),
    Fresh("FitzHugh-Nagumo", ("v", "w"), ("v-v**3/3-w+0.5", "0.08*v+0.056-0.064*w"), ((0, 0), (2, 1)), 100, 1500, 3),
    Fresh("Selkov", XYZ[:2], ("-x+0.08*y+x*x*y", "0.6-0.08*y-x*x*y"), ((1, 1),), 40, 800, 3),
    Fresh("Sprott B", XYZ, ("y*z", "x-y", "1-x*y"), ((0.1, 0.1, 0.1),), 60, 3000, 2),
    Fresh("Rabinovich-Fabrikant", XYZ, ("y*(z-1+x*x)+0.1*x", "x*(3*z+1-x*x)+0.1*y", "-2*z*(0.14+x*y)"),
          ((-1, 0, 0.5),), 40, 4000, 3),
    Fresh("Haken laser", XYZ, ("-x+y", "-y+x*z", "2-z-x*y"), ((0.1, 0.2, 0.3), (1, -1, 0.5)), 20, 800, 2),
    Fresh("Duffing", ("x", "v"), ("v", "-0.15*v+x-x**3"), ((1.5, 1), (0.2, 0.5)), 30, 1000, 3),
    Fresh("saturated growth", ("x",), ("2*x/(1+x)-0.5*x",), ((0.05,), (6,), (1,)), 10, 200, 3),
    Fresh("Holling II", XYZ[:2], ("x*(1-x/4)-x*y/(1+x)", "-0.4*y+0.6*x*y/(1+x)"), ((1, 1), (3, 0.5), (0.5, 2)),
          30, 400, 3),
    Fresh("SIR", ("s", "i"), ("-0.5*s*i", "0.5*s*i-0.2*i"), ((0.99, 0.01), (0.7, 0.1)), 60, 300, 2),
)
