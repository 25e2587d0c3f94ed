"""Dynamical systems with known equations, and noisy measurements of them, for ``tests.benchmarks.sysid`` and tests.

Every true trajectory is solved to ten digits (or iterated); Gaussian noise is then added to every value, independent,
its standard deviation in each variable the given *percentage of that variable's own standard deviation* over all
training runs. The noise never enters the dynamics. A system's settings (numbers of samples, steps, initial values) are
fixed here, and recorded in the docstring of :mod:`tests.benchmarks.sysid`.

Polynomials are written as dictionaries from exponents to coefficients, ``{(1, 0): -2.0}`` for -2 x of two variables:

* a flow's truth holds one dictionary for each state, its derivative as polynomial in the states;
* a map's truth holds one dictionary for each state: its next value, as polynomial in the states at the last times,
  the newest first (``x, x_lag1``);
* an implicit flow's truth holds polynomials in the states *and then* their derivatives that vanish.
"""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp

Polynomial = dict[tuple[int, ...], float]
Run = tuple[np.ndarray, np.ndarray]  # times (n,) and values (n, states)

ODEBENCH_PACKAGE = "odeformer==0.1.4"
ODEBENCH_FILE = "strogatz_extended.json"
ODEBENCH_SHA256 = "b11f8bda01ceee5c5c9445521ac74c8819361af4251bb90c0be398aaeb1a1136"
ODEBENCH_DEGREE = 3


# --------------------------------------------------------------------------------------------------- polynomials


def evaluate(polynomial: Polynomial, points: np.ndarray) -> np.ndarray:
    """The polynomial's values at the rows of `points`."""
    total = np.zeros(len(points))
    for exponents, coefficient in polynomial.items():
        total += coefficient * np.prod(points ** np.asarray(exponents), axis=1)
    return total


def coefficient_error(found: Sequence[Polynomial], truth: Sequence[Polynomial]) -> float:
    """Relative coefficient error ||c_found - c_true|| / ||c_true|| over all terms of all equations.

    Terms that only one side has count with zero on the other. Infinite if an equation is missing.
    """
    if len(found) != len(truth):
        return np.inf
    wrong = sum(
        (one.get(e, 0.0) - other.get(e, 0.0)) ** 2 for one, other in zip(found, truth) for e in {**one, **other}
    )
    return float(np.sqrt(wrong / sum(c * c for polynomial in truth for c in polynomial.values())))


def same_supports(found: Sequence[Polynomial], truth: Sequence[Polynomial]) -> bool:
    """Whether exactly the true terms have coefficients other than zero, in every equation."""
    return [{e for e, c in one.items() if c} for one in found] == [{e for e, c in one.items() if c} for one in truth]


def scaled_to(polynomial: Polynomial, term: tuple[int, ...]) -> Polynomial:
    """The multiple in which `term` has coefficient 1; unchanged if it is absent."""
    leading = polynomial.get(term, 0.0)
    return {e: c / leading for e, c in polynomial.items()} if leading else dict(polynomial)


def span_angle(found: Sequence[Polynomial], truth: Sequence[Polynomial], scales: Sequence[float]) -> float:
    """Largest principal angle in degrees between two spans of polynomials; 90 where the dimensions differ.

    Coefficients are those of monomials in (variable / its scale), the constant left out: an invariant is determined
    up to an added constant.
    """
    terms = sorted({e for polynomial in (*found, *truth) for e in polynomial if any(e)})
    size = {e: float(np.prod(np.asarray(scales, float) ** np.asarray(e))) for e in terms}
    spaces = []
    for polynomials in (found, truth):
        matrix = np.array([[p.get(e, 0.0) * size[e] for p in polynomials] for e in terms])
        matrix = matrix.reshape(len(terms), len(polynomials))
        left, values, _ = np.linalg.svd(matrix, full_matrices=False)
        spaces.append(left[:, values > 1e-9 * max(values, default=0.0)])
    if spaces[0].shape != spaces[1].shape or not spaces[0].size:
        return 90.0
    # The sine: near zero the cosine has no digits left.
    rest = spaces[0] - spaces[1] @ (spaces[1].T @ spaces[0])
    return float(np.degrees(np.arcsin(min(1.0, np.linalg.norm(rest, 2)))))


# ------------------------------------------------------------------------------------------------------- systems


@dataclass(frozen=True)
class System:
    """A dynamical system, and how it is measured.

    Attributes
    ----------
    kind : {"flow", "map"}
    truth : tuple of dict
        See the module's docstring; if `implicit`, over states and derivatives.
    degree : int
        The degree of the library both sides are given.
    starts, held_out : tuple of tuple of float
        Initial values of the training runs and of the others.
    samples : int
        Number of samples of each run.
    step : float
        Time between two samples; 1 for a map.
    lags : int
        For a map, how many earlier values its next value depends on, beside the present one.
    invariants : tuple of dict
        Polynomials in the states that are constant along every trajectory.
    invariant_degree : int
        Their largest degree.
    rates : callable, optional
        The derivative, where it is no polynomial.
    leading : tuple of int, optional
        The term whose coefficient is 1 in an implicit equation's truth.
    transient : int
        How many first values of a map are left out.
    """

    name: str
    names: tuple[str, ...]
    kind: str
    truth: tuple[Polynomial, ...]
    degree: int
    starts: tuple[tuple[float, ...], ...]
    held_out: tuple[tuple[float, ...], ...]
    samples: int
    step: float = 1.0
    lags: int = 0
    invariants: tuple[Polynomial, ...] = ()
    invariant_degree: int = 0
    rates: Callable[[np.ndarray], np.ndarray] | None = None
    leading: tuple[int, ...] | None = None
    transient: int = 0

    @property
    def implicit(self) -> bool:
        """Whether the truth is over states and derivatives."""
        return self.leading is not None

    def derivative(self, values: np.ndarray) -> np.ndarray:
        """The true derivatives at the rows of `values` (flows)."""
        if self.rates is not None:
            return self.rates(values)
        return np.stack([evaluate(polynomial, values) for polynomial in self.truth], axis=1)

    def _solve(self, start: tuple[float, ...]) -> Run:
        times = self.step * np.arange(self.samples)
        if self.kind == "map":
            return times, self._iterate(start)
        solution = solve_ivp(
            lambda _, state: self.derivative(state[None])[0],
            (0.0, times[-1]), start, t_eval=times, method="DOP853", rtol=1e-10, atol=1e-12,
        )  # fmt: skip
        return times, solution.y.T

    def _iterate(self, start: tuple[float, ...]) -> np.ndarray:
        """Values of a map with one observed variable; `start` holds its first values, the oldest first."""
        values = list(start)
        while len(values) < self.transient + self.samples:
            newest_first = np.array([values[: -self.lags - 2 : -1]])
            values.append(float(evaluate(self.truth[0], newest_first)[0]))
        return np.array(values[self.transient :])[:, None]

    @cached_property
    def clean(self) -> tuple[Run, ...]:
        """The true trajectories of the training runs."""
        return tuple(self._solve(start) for start in self.starts)

    @cached_property
    def held_out_runs(self) -> tuple[Run, ...]:
        """True trajectories from other initial values."""
        return tuple(self._solve(start) for start in self.held_out)

    @cached_property
    def scales(self) -> np.ndarray:
        """Each variable's standard deviation over all training runs."""
        return np.concatenate([values for _, values in self.clean]).std(axis=0)

    def data(self, noise: float, seed: int) -> list[Run]:
        """The training runs with Gaussian noise of `noise` percent of each variable's standard deviation."""
        rng = np.random.default_rng([seed, round(1000 * noise), *self.name.encode()])
        return [
            (times.copy(), values + noise / 100 * self.scales * rng.normal(size=values.shape))
            for times, values in self.clean
        ]

    def error(self, found: Sequence[Polynomial]) -> float:
        """Relative coefficient error of found equations; implicit ones are first scaled to the leading term."""
        if self.implicit:
            found = [scaled_to(polynomial, self.leading) for polynomial in found]
        return coefficient_error(found, self.truth)


def _henon_heiles() -> dict:
    """x'' = -x - 2 x y, y'' = -y - x^2 + y^2 and its energy; states x, y, u = x', v = y'."""
    x, y, u, v = (tuple(row) for row in np.eye(4, dtype=int))
    xx, xy, yy = (2, 0, 0, 0), (1, 1, 0, 0), (0, 2, 0, 0)
    truth = ({u: 1.0}, {v: 1.0}, {x: -1.0, xy: -2.0}, {y: -1.0, xx: -1.0, yy: 1.0})
    energy = {xx: 0.5, yy: 0.5, (0, 0, 2, 0): 0.5, (0, 0, 0, 2): 0.5, (2, 1, 0, 0): 1.0, (0, 3, 0, 0): -1.0 / 3.0}
    return {"truth": truth, "invariants": (energy,), "invariant_degree": 3}


def _euler_top(inertia: tuple[float, float, float]) -> dict:
    """Free rigid body in its angular velocities: I1 x' = (I2 - I3) y z and so on; its energy and squared momentum."""
    a, b, c = inertia
    squares = ((2, 0, 0), (0, 2, 0), (0, 0, 2))
    truth = ({(0, 1, 1): (b - c) / a}, {(1, 0, 1): (c - a) / b}, {(1, 1, 0): (a - b) / c})
    energy, momentum = dict(zip(squares, inertia)), dict(zip(squares, (a * a, b * b, c * c)))
    return {"truth": truth, "invariants": (energy, momentum), "invariant_degree": 2}


SYSTEMS = (
    System(
        "lorenz", ("x", "y", "z"), "flow",
        ({(1, 0, 0): -10.0, (0, 1, 0): 10.0},
         {(1, 0, 0): 28.0, (1, 0, 1): -1.0, (0, 1, 0): -1.0},
         {(1, 1, 0): 1.0, (0, 0, 1): -8.0 / 3.0}),
        degree=3, starts=((-8.0, 7.0, 27.0),), held_out=((5.0, 5.0, 25.0),), samples=10_000, step=0.002,
    ),
    System(
        "henon-heiles", ("x", "y", "u", "v"), "flow", **_henon_heiles(),
        degree=3, held_out=((0.0, 0.2, 0.4, -0.1),), samples=2_000, step=0.05,
        starts=((0.0, -0.25, 0.42, 0.0), (0.1, 0.1, 0.45, 0.1), (0.0, 0.1, 0.49, 0.0), (0.3, 0.0, 0.3, 0.2),
                (-0.2, 0.2, 0.1, 0.35)),
    ),
    System(
        "van der pol", ("x", "y"), "flow",
        ({(0, 1): 1.0}, {(1, 0): -1.0, (0, 1): 1.0, (2, 1): -1.0}),
        degree=3, starts=((2.0, 0.0),), held_out=((0.5, 0.5),), samples=5_000, step=0.01,
    ),
    System(  # x' = 0.6 - 1.5 x / (0.3 + x), times (0.3 + x): x x' + 0.3 x' + 0.9 x - 0.18 = 0
        "michaelis-menten", ("x",), "flow",
        ({(1, 1): 1.0, (0, 1): 0.3, (1, 0): 0.9, (0, 0): -0.18},),
        degree=2, starts=tuple((float(x),) for x in np.linspace(0.1, 2.0, 20)), held_out=((0.0,), (2.5,)), samples=200,
        step=0.02, rates=lambda x: 0.6 - 1.5 * x / (0.3 + x), leading=(1, 1),
    ),
    System(
        "henon map", ("x",), "map", ({(0, 0): 1.0, (2, 0): -1.4, (0, 1): 0.3},),
        degree=2, starts=((0.0, 0.1),), held_out=((0.2, 0.0),), samples=10_000, lags=1, transient=100,
    ),
    System(
        "logistic map", ("x",), "map", ({(1,): 3.8, (2,): -3.8},),
        degree=2, starts=((0.3,),), held_out=((0.2,),), samples=10_000, transient=100,
    ),
    System(
        "euler top", ("x", "y", "z"), "flow", **_euler_top((1.0, 2.0, 3.0)),
        degree=2, held_out=((0.4, 1.0, -0.5),), samples=2_000, step=0.02,
        starts=((1.0, 0.2, 0.5), (0.3, 1.0, 0.3), (0.5, 0.2, 1.0), (0.7, 0.7, 0.7), (1.0, -0.5, 0.2)),
    ),
)  # fmt: skip
BY_NAME = {system.name: system for system in SYSTEMS}


# ------------------------------------------------------------------------------------------------------- ODEBench


@dataclass(frozen=True)
class Strogatz:
    """One system of ODEBench with its two stored runs: the first to learn from, the second to be foretold."""

    number: int
    description: str
    names: tuple[str, ...]
    truth: tuple[Polynomial, ...]
    train: Run = field(repr=False)
    test: Run = field(repr=False)

    def data(self, noise: float, seed: int) -> Run:
        """The first run with Gaussian noise of `noise` percent of each variable's standard deviation."""
        times, values = self.train
        rng = np.random.default_rng([seed, round(1000 * noise), self.number])
        return times.copy(), values + noise / 100 * values.std(axis=0) * rng.normal(size=values.shape)

    def r2(self, simulated: np.ndarray) -> float:
        """R2 of a simulation of the second run, each variable weighted by its variance; -inf if it blew up."""
        truth = self.test[1]
        if simulated.shape != truth.shape or not np.isfinite(simulated).all():
            return -np.inf
        return float(1 - np.sum((simulated - truth) ** 2) / np.sum((truth - truth.mean(axis=0)) ** 2))


def odebench_text(path: str | Path) -> bytes:
    """The benchmark's JSON, from the file itself or from odeformer's source archive; its SHA-256 is verified."""
    content = Path(path).read_bytes()
    if str(path).endswith((".tar.gz", ".tgz")):
        with tarfile.open(fileobj=io.BytesIO(content)) as archive:  # read in memory: nothing is unpacked
            member = next(m for m in archive.getmembers() if m.name.endswith("/" + ODEBENCH_FILE))
            content = archive.extractfile(member).read()
    digest = hashlib.sha256(content).hexdigest()
    if digest != ODEBENCH_SHA256:
        raise ValueError(f"{path}: not the {ODEBENCH_FILE} of {ODEBENCH_PACKAGE}; its SHA-256 is {digest}")
    return content


def _polynomials(texts: Iterable[str], names: tuple[str, ...]) -> tuple[Polynomial, ...] | None:
    """Right-hand sides as dictionaries; None if one of them is no polynomial of degree <= 3."""
    import sympy as sp

    symbols = sp.symbols(names)
    truth = []
    for text in texts:
        # sympify evaluates its argument as code: right only because the file's checksum was verified.
        expression = sp.sympify(text)
        if not expression.is_polynomial(*symbols):
            return None
        polynomial = sp.Poly(expression, *symbols)
        if polynomial.total_degree() > ODEBENCH_DEGREE:
            return None
        truth.append({exponents: float(c) for exponents, c in polynomial.terms() if c})
    return tuple(truth)


def odebench(path: str | Path) -> list[Strogatz]:
    """The 35 systems of ODEBench whose right-hand sides are polynomials of degree <= 3."""
    systems = []
    for entry in json.loads(odebench_text(path)):
        names = tuple(f"x_{i}" for i in range(entry["dim"]))
        truth = _polynomials(entry["substituted"][0], names)
        if truth is None:
            continue
        train, test = ((np.array(run["t"]), np.array(run["y"]).T) for run in entry["solutions"][0])
        systems.append(Strogatz(entry["id"], entry["eq_description"], names, truth, train, test))
    return systems
