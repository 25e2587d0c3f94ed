r"""Equations that cannot be solved for a derivative: the vanishing ideal of states and derivatives.

All polynomials :math:`g(x, \dot x)` of low degree that vanish on the points within their noise are sought at
once by `symknot.fit`, in the metric of the points' noise, so that epsilon = 1 is "as noisy as known".  What comes
out is an ideal: :math:`\dot x^2 + 4 x^2 = 4` as well as several equations that mix derivatives, with data knots
(x, x') that satisfy all of them.  They can be reduced modulo each other and solved for a variable exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import sympy

from ...results.fit import fit
from ...polynomials.conversion import expression_of
from ...export import Exports
from ...results.ideal import Ideal
from .problem import ENOUGH_POINTS, REJECTED
from .solving import reduced, solve_implicit

SHARED, FEWEST = 6, 200
"""One point of each sixth of a window is used, but no fewer than this many if there are."""
NOISELESS = 1e-6
"""Noise given to a variable that has none, as a share of its standard deviation: a metric needs some."""


@dataclass(frozen=True, eq=False)
class ImplicitModel(Exports):
    """Polynomial relations among states, inputs and derivatives (or next states).

    Attributes
    ----------
    ideal : Ideal
        As `symknot.fit` found it, over `ideal.names`; epsilon and residuals in units of the noise.
    targets : tuple of str
        Those of the names that are derivatives or next states.
    noise : dict
        Name -> standard deviation of the noise of the points, on average.
    """

    ideal: Ideal
    targets: tuple
    noise: dict

    @property
    def variables(self):
        """sympy symbols of all names."""
        return self.ideal.variables

    @property
    def message(self):
        """In words, how it went."""
        return "" if self.ideal.polynomials else self.ideal.message

    @cached_property
    def equations(self):
        """Expressions that are zero, with the simplest rational numbers that the data do not reject."""
        return tuple(expression_of(equation.terms, self.variables) for equation in self.ideal.readable())

    def reduced(self):
        """The same equations combined such that each holds a single target wherever that is possible."""
        return reduced(self.equations, self.variables, self._target_symbols)

    def solve_for(self, name, timeout=60):
        """One variable in terms of the others, exactly.

        Parameters
        ----------
        name : str
            A derivative or next state: the others are eliminated.  Or any other variable.
        timeout : float
            Seconds an elimination may take.

        Returns
        -------
        sympy expression, or tuple of them for several branches
        """
        return solve_implicit(self.equations, self.variables, self._target_symbols, name, timeout)

    @property
    def _target_symbols(self):
        return [v for v, name in zip(self.variables, self.ideal.names) if name in self.targets]

    def _system(self, **options):
        return self.ideal._system(**options)

    def save(self, path):
        """Write the ideal to `path`; `symknot.load` reads it."""
        self.ideal.save(path)

    def report(self):
        """All that is known about the equations, as text."""
        noise = ", ".join(f"{name} +/- {sigma:.2g}" for name, sigma in self.noise.items())
        return "\n".join([str(self.ideal), "", f"noise of the points: {noise}",
                          "(residuals are in units of it: near 1 is as it should be)"])

    def __str__(self):
        return str(self.ideal.readable()) if self.ideal.polynomials else self.ideal.message

    def __repr__(self):
        return f"<ImplicitModel: {len(self.ideal.polynomials)} equation(s) in {', '.join(self.ideal.names)}>"


def implicit_model(samples, max_degree):
    """The `ImplicitModel` of samples with known noise."""
    # near the ends of a run noise and bias are larger, and one metric is to hold for all points
    rows = np.flatnonzero(samples.centred)
    rows = rows if len(rows) >= FEWEST else np.arange(len(samples))
    # points within a window share their noise: counted as independent they would make every number look certain
    apart = max(min(samples.windows, default=1) // SHARED, 1)
    count = min(max(len(rows) // apart, FEWEST), ENOUGH_POINTS, len(rows))
    rows = rows[np.linspace(0, len(rows) - 1, count).astype(int)]
    spread = samples.points.std(axis=0)
    sigma = np.sqrt(np.mean(np.diagonal(samples.covariance[rows], axis1=1, axis2=2), axis=0))
    sigma = np.maximum(sigma, NOISELESS * np.where(spread > 0, spread, 1.0))
    symbols = [sympy.Symbol(name) for name in samples.names]
    epsilon = "auto" if samples.sigma is None else REJECTED + 2 / np.sqrt(len(rows))
    ideal = fit(samples.points[rows], epsilon, max_degree=max_degree, noise=sigma, names=symbols, progress=False)
    targets = tuple(samples.names[k] for k in samples.targets)
    return ImplicitModel(ideal, targets, dict(zip(samples.names, sigma.tolist())))
