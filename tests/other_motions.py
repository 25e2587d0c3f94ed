"""Systems with functions, fractions, laws among their states and unmeasured states that no rule of the package has seen.

They are written down without a look at how equations of motion are found, to be run once; those of `FUNCTIONS` and `FRACTIONS`
by ``tests.benchmarks.motion --other``.  Rules must not be tuned on them.  Only that they are what they claim is tested here
(`tests.test_other_motions`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import sympy

from tests.fresh_dynamics import Fresh


@dataclass(frozen=True)
class Bound:
    """A flow whose states satisfy the relations (each = 0) exactly in every run; all states are measured."""

    system: Fresh
    relations: tuple[str, ...]

    @property
    def truth(self) -> list[sympy.Expr]:
        """The relations with exact numbers; right-hand sides are determined up to multiples of them."""
        symbols = {name: sympy.Symbol(name) for name in self.system.names}
        return [sympy.sympify(text, locals=symbols, rational=True) for text in self.relations]


@dataclass(frozen=True)
class Hidden:
    """A flow of which only some states are measured; the others are known to nobody, nor where they start."""

    system: Fresh
    measured: tuple[str, ...]

    def data(self, noise: float, seed: int) -> tuple[np.ndarray, list[np.ndarray]]:
        """Times, and runs of the measured states, with noise as in `Fresh.data`."""
        times, runs = self.system.data(noise, seed)
        columns = [self.system.names.index(name) for name in self.measured]
        return times, [run[:, columns] for run in runs]


FUNCTIONS = (
    Fresh("pendulums with a spring", ("a", "u", "b", "v"), ("u", "-4*sin(a)-1.5*a+1.5*b", "v", "-4*sin(b)+1.5*a-1.5*b"),
          ((1.8, 0, 0, 0), (0.5, 0, -1.5, 1), (-2, 0.5, 1, -1)), 15, 500, 2),
    Fresh("reactor that heats up", ("x", "y"), ("0.2*(1-x)*exp(y)-x", "1.4*(1-x)*exp(y)-3*y"),
          ((0, 0), (0.9, 0.3), (0.2, 2.5), (0.5, 0)), 4, 300, 2),
    Fresh("Gompertz prey", ("x", "y"), ("0.9*x-0.4*x*log(x)-0.5*x*y", "0.25*x*y-0.4*y"),
          ((1, 1), (5, 0.6), (0.5, 3)), 25, 400, 3),
    Fresh("two tanks", ("g", "h"), ("0.6-0.5*sqrt(g)", "0.5*sqrt(g)-0.4*sqrt(h)"),
          ((4, 0.4), (0.3, 3.5), (2.5, 5)), 20, 250, 2),
    Fresh("two populations of neurons", ("x", "y"), ("-x+2.2*tanh(x)-1.6*tanh(y)+0.2", "-y+1.8*tanh(x)"),
          ((0.2, 0), (2.5, -1), (-2, 2)), 20, 500, 2),
)
FRACTIONS = (
    Fresh("yeast that alcohol slows", ("s", "b"), ("0.3*(6-s)-2*s*b/(1+s+0.25*s**2)", "1.2*s*b/(1+s+0.25*s**2)-0.3*b"),
          ((6, 0.1), (4, 2.5), (0.3, 3)), 12, 300, 3),
    Fresh("protein switched on and off", ("x",), ("0.8*(1-x)/(1.2-x)-x/(0.3+x)",), ((0.02,), (0.95,), (0.6,)), 5, 200, 3),
    Fresh("alcohol in gut and blood", ("a", "c"), ("-1.1*a", "1.1*a-1.5*c/(0.4+c)"), ((3, 0), (1, 1.5), (6, 0.5), (0.5, 3)),
          6, 240, 3),
    Fresh("gene that activates itself", ("x",), ("0.1+2*x**2/(1+x**2)-0.9*x",), ((0.02,), (0.4,), (0.8,), (3.5,)), 10, 200, 3),
    Fresh("predators that share prey", ("x", "y"), ("x*(1-x/5)-1.1*x*y/(x+y)", "0.9*x*y/(x+y)-0.4*y"),
          ((0.5, 0.5), (4.5, 0.3), (3, 4)), 25, 400, 3),
)
BOUND = (
    Bound(Fresh("place of a pendulum", ("x", "y", "w"), ("-y*w", "x*w", "-4*y-0.2*w"),
                ((-0.6, 0.8, 0), (0.8, 0.6, 1), (0, 1, -1.5)), 12, 400, 2), ("x**2+y**2-1",)),
    Bound(Fresh("enzyme and all its species", ("s", "e", "c", "p"), ("c-3*s*e", "1.8*c-3*s*e", "3*s*e-1.8*c", "0.8*c"),
                ((2, 0.5, 0, 0), (0.5, 0.5, 0, 1.5), (1, 0.1, 0.4, 0.6)), 8, 250, 2), ("e+c-0.5", "s+c+p-2")),
    Bound(Fresh("monomer and dimer", ("m", "d"), ("(0.6-0.4*m)/(1+2*m)", "m*(0.6-0.4*m)/(1+2*m)"),
                ((0.1, 0.005), (3, 4.5), (0.8, 0.32)), 15, 250, 3), ("2*d-m**2",)),
    Bound(Fresh("circuit and its power", ("v", "i", "p"), ("2*i-0.5*v", "1.5-v-0.3*i", "(2*i-0.5*v)*i+v*(1.5-v-0.3*i)"),
                ((0, 0, 0), (2, -1, -2), (-1, 2, -2)), 10, 300, 2), ("p-v*i",)),
)
HIDDEN = (
    Hidden(Fresh("epidemic, incubation unseen", ("s", "e", "i"), ("-1.2*s*i", "1.2*s*i-0.5*e", "0.5*e-0.3*i"),
                 ((0.98, 0.02, 0), (0.8, 0, 0.1), (0.9, 0.1, 0.02)), 30, 400, 2), ("s", "i")),
    Hidden(Fresh("plankton, nutrient unseen", ("n", "x", "y"), ("1.2-0.3*n-n*x", "n*x-x*y-0.2*x", "0.7*x*y-0.4*y"),
                 ((2, 0.5, 0.3), (0.5, 1.5, 1), (1, 0.2, 1.5)), 18, 500, 2), ("x", "y")),
)
