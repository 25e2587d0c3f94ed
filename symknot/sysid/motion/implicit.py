r"""Equations that cannot be solved for a derivative: the vanishing ideal of states and derivatives.

All polynomials :math:`g(x, \dot x)` of low degree that vanish on the points within their noise are sought at
once by `symknot.fit`, in the metric of the points' noise, so that epsilon = 1 is "as noisy as known".  What comes
out is an ideal: :math:`\dot x^2 + 4 x^2 = 4` as well as several equations that mix derivatives, with data knots
(x, x') that satisfy all of them.  They can be reduced modulo each other and solved for a variable exactly.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import sympy

from ...export.system import System
from ...ground.errors import ENDED_EARLY, Status
from ...ground.storage import checked, floats, not_negative, plain, write_json
from ...ground.wording import visible
from ...polynomials.equation import Equation
from ...polynomials.spelling import name_lines
from ...results.base import ENGINE_SECONDS
from ...results.checking import Check
from ...results.drawn import RESIDUALS, SHAPE, Drawn
from ...results.fit import fit
from ...results.ideal import VERSION as IDEAL_VERSION
from ...results.ideal import Ideal, ideal_json
from ...results.ideal_files import read_ideal
from ...results.saving import reader
from ...showing.equations import equation_lines
from ...symbolic.readable import ReadableEquation, readable_of
from ..runs.samples import Samples
from .problem import GUESS_POINTS
from .rejecting import LARGEST_MISFIT, MISFIT_ALLOWANCE
from .solving import reduced, solve_implicit

FORMAT, VERSION = "symknot implicit model", 1
POINTS_PER_WINDOW = 6
"""Points of each window that are used: nearer ones share nearly all their noise ..."""
FEWEST_POINTS = 200
"""... but no fewer than this many if there are: a fit up to degree 3 in four variables has 35 coefficients."""
NOISELESS_SHARE = 1e-6
"""Noise given to a variable that has none, as a share of its standard deviation: a metric needs some, and integrators
are no better."""


@dataclass(frozen=True, eq=False, repr=False)
class ImplicitModel(Drawn):
    """Polynomial relations among states, inputs and derivatives (or next states).

    Its `polynomials` have the simplest rational numbers that the data do not reject; their residuals are in units of
    the noise of the points.

    Attributes
    ----------
    ideal : Ideal
        As `symknot.fit` found it, over `names`; epsilon and residuals in units of the noise.
    targets : tuple of str
        Those of the names that are derivatives or next states.
    noise : (number of names,) array
        Standard deviation of the noise of the points, on average, for each variable.
    """

    picture_kinds: ClassVar[tuple[str, ...]] = (SHAPE, RESIDUALS)

    ideal: Ideal
    targets: tuple[str, ...]
    noise: np.ndarray

    @property
    def names(self) -> tuple[str, ...]:  # type: ignore[override]
        """Of states, inputs and targets."""
        return self.ideal.names

    @property
    def variables(self) -> tuple[sympy.Symbol, ...]:
        """sympy symbols of all names."""
        return self.ideal.variables

    @property
    def polynomials(self) -> tuple[ReadableEquation, ...]:  # type: ignore[override]
        """The relations, with the simplest rational numbers that the data do not reject."""
        return readable_of(self.ideal).equations

    @property
    def knots(self) -> np.ndarray:  # type: ignore[override]
        """Points near the data that satisfy the relations."""
        return readable_of(self.ideal).knots

    @property
    def status(self) -> Status:  # type: ignore[override]
        """Whether any relation was found; how the search ended, if it was not by itself or came to what does not hold."""
        if self.ideal.status in (*ENDED_EARLY, Status.NOT_CONFIRMED):
            return self.ideal.status
        return Status.FOUND if self.ideal.polynomials else Status.NOTHING_FOUND

    @property
    def message(self) -> str:  # type: ignore[override]
        """In words, how it went."""
        return "" if self.status is Status.FOUND else self.ideal.message

    def _exact_equations(self) -> tuple[Equation, ...]:
        return self.ideal._exact_equations()

    def text(self, digits: int | None = None) -> str:
        """The relations, with their residuals; or why there is none."""
        lines = equation_lines(self.polynomials, digits) if self.polynomials else []
        lines += [] if not self.message else [f"{self.status.value}: {self.message}"] if lines else [self.message]
        return "\n".join(lines + name_lines(self.names, tuple(map(str, self.variables))))

    def reduced(self) -> tuple[sympy.Expr, ...]:
        """The same equations combined such that each holds a single target wherever that is possible."""
        return reduced(self.exprs, self.variables, self._target_symbols)

    def solve_for(self, name: str | sympy.Symbol,
                  timeout: float | None = ENGINE_SECONDS) -> sympy.Expr | tuple[sympy.Expr, ...]:
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
        name = dict(zip(self.names, map(str, self.variables))).get(str(name), str(name))
        return solve_implicit(self.exprs, self.variables, self._target_symbols, name, timeout)

    @property
    def _target_symbols(self):
        return [v for v, name in zip(self.variables, self.names) if name in self.targets]

    def _checks(self, points: Any) -> Iterator[Check]:
        yield from self.ideal._checks(points)

    def _system(self, **options: Any) -> System:
        return self.ideal._system(**options)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to `path` as versioned JSON that holds numbers and names only; `symknot.load` opens it."""
        write_json(path, FORMAT, VERSION, {"ideal": ideal_json(self.ideal), "targets": list(self.targets),
                                            "noise": plain(self.noise)})

    def _report_text(self) -> str:
        noise = ", ".join(f"{visible(name)} +/- {sigma:.2g}" for name, sigma in zip(self.names, self.noise))
        return "\n".join([str(self.ideal), "", f"noise of the points: {noise}",
                          "(residuals are in units of it: near 1 is as it should be)"])

    def __repr__(self) -> str:
        return f"<ImplicitModel: {len(self.polynomials)} equation(s) in {visible(', '.join(self.names))}>"


@reader(FORMAT, versions=(VERSION,))
def read_implicit_model(content: dict) -> ImplicitModel:
    """The `ImplicitModel` of a file's content."""
    ideal = read_ideal({**checked(content["ideal"], dict), "version": IDEAL_VERSION})
    targets = tuple(checked(name, str) for name in checked(content["targets"], list))
    if not set(targets) <= set(ideal.names):
        raise ValueError(f"targets {list(targets)} that are no variables")
    return ImplicitModel(ideal, targets, floats(content["noise"], (len(ideal.names),), not_negative))


def implicit_model(samples: Samples, max_degree: int) -> ImplicitModel:
    """The `ImplicitModel` of samples with known noise."""
    # near the ends of a run noise and bias are larger, and one metric is to hold for all points
    rows = np.flatnonzero(samples.centred)
    rows = rows if len(rows) >= FEWEST_POINTS else np.arange(len(samples))
    # points within a window share their noise: counted as independent they would make every number look certain
    apart = max(min(samples.windows, default=1) // POINTS_PER_WINDOW, 1)
    count = min(max(len(rows) // apart, FEWEST_POINTS), GUESS_POINTS, len(rows))
    rows = rows[np.linspace(0, len(rows) - 1, count).astype(int)]
    spread = samples.points.std(axis=0)
    sigma = np.sqrt(np.mean(np.diagonal(samples.covariance[rows], axis1=1, axis2=2), axis=0))
    sigma = np.maximum(sigma, NOISELESS_SHARE * np.where(spread > 0, spread, 1.0))
    epsilon = "auto" if samples.sigma is None else LARGEST_MISFIT + MISFIT_ALLOWANCE / np.sqrt(len(rows))
    ideal = fit(samples.points[rows], epsilon, max_degree=max_degree, noise=sigma, names=samples.names, progress=False)
    targets = tuple(samples.names[k] for k in samples.targets)
    return ImplicitModel(ideal, targets, sigma)
