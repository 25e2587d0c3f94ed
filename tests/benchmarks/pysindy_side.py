"""pysindy's side of ``tests.benchmarks.sysid``: its best settings, tuned on the training data alone, and an oracle.

What is tried for a flow, all of it made of pysindy's own parts:

* derivatives by ``SmoothedFiniteDifference`` (Savitzky-Golay of order 3 and 5, windows of 11 to 151 samples), or the
  weak form, ``WeakPDELibrary`` with windows of 51 to 301 samples (K = 500 in each run);
* ``STLSQ`` with each threshold of THRESHOLDS; then, with the smoothing that was best so far, ``SR3`` and
  ``EnsembleOptimizer`` (bagging, medians of 20 models).

Maps go through the same optimizers. For an implicit equation every term of the library is tried as the left-hand side
(SINDy-PI's way; its own optimizer in pysindy needs another package, and was far off in the one setting tried).

*Tuned*: candidates are fitted without a fifth of the training data (every fifth run if there are five; the last fifth
of every run otherwise) and ranked by the mean squared error of simulations over short stretches of that fifth, started
from smoothed values and compared with the measured ones (maps: of one-step predictions). Of those within 5 % of the
smallest the one with the fewest terms wins, which serves pysindy better than AIC does: under noise, terms too many
predict a little better. The winner is fitted again with all training data. *Oracle*: the candidate, fitted with all
data, that is nearest to the truth; no user can choose it.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.signal import savgol_filter

from tests.dynamics import Polynomial, Run, System, evaluate

try:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pysindy
except ImportError:
    pysindy = None

THRESHOLDS = (0.01, 0.05, 0.1, 0.2, 0.4)
WINDOWS = (11, 21, 31, 51, 71, 101, 151)
ORDERS = (3, 5)
WEAK_WINDOWS = (51, 101, 151, 201, 301)
WEAK_DOMAINS = 500
RIDGE = 1e-6
SEGMENT = 100  # samples in each stretch that is simulated to rank candidates
TOLERANCE = 1.05  # candidates this close to the smallest error are told apart by their number of terms
FAR = 1e3  # a simulation this many standard deviations away has blown up

Rates = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Smoothing:
    """How derivatives are found: Savitzky-Golay of this order, or the weak form if `order` is 0."""

    window: int
    order: int

    def smooth(self, values: np.ndarray) -> np.ndarray:
        """Smoothed values to start simulations from."""
        window, order = (self.window, self.order) if self.order else (self.window // 2 | 1, 3)
        return savgol_filter(values, min(window, len(values) - 1 | 1), order, axis=0)

    def __str__(self) -> str:
        return f"SG{self.order} {self.window}" if self.order else f"weak {self.window}"


@dataclass(frozen=True)
class Found:
    """Equations found from one set of data."""

    equations: tuple[Polynomial, ...]
    settings: str

    @property
    def terms(self) -> int:
        """How many coefficients are not zero."""
        return sum(map(len, self.equations))


Fit = tuple[float, Found, Found]  # rank, fitted to four fifths, fitted to all


@dataclass(frozen=True)
class Outcome:
    """What the tuning chose, and the oracle's choice."""

    tuned: Found
    oracle: Found


# --------------------------------------------------------------------------------------------- pysindy's own parts


def _powers(variables: int, degree: int) -> list[tuple[int, ...]]:
    library = pysindy.PolynomialLibrary(degree).fit(np.zeros((2, variables)))
    return [tuple(int(e) for e in row) for row in library.powers_]


def _derivatives(runs: list[Run], smoothing: Smoothing) -> tuple[np.ndarray, np.ndarray]:
    """Smoothed values and derivatives of all runs."""
    values, derivatives = [], []
    for times, measured in runs:
        method = pysindy.SmoothedFiniteDifference(
            smoother_kws={"window_length": smoothing.window, "polyorder": smoothing.order}
        )
        derivatives.append(np.asarray(method(measured, times)))
        values.append(np.asarray(method.smoothed_x_))
    return np.concatenate(values), np.concatenate(derivatives)


def _weak(runs: list[Run], window: int, degree: int) -> tuple[np.ndarray, np.ndarray]:
    """Features and left-hand sides in the weak form, of all runs."""
    features, targets = [], []
    for times, measured in runs:
        np.random.seed(0)  # pysindy draws the domains' centres from here
        library = pysindy.WeakPDELibrary(
            function_library=pysindy.PolynomialLibrary(degree), spatiotemporal_grid=times, K=WEAK_DOMAINS,
            H_xt=[window * (times[1] - times[0]) / 2],
        )  # fmt: skip
        array = pysindy.AxesArray(measured, {"ax_time": 0, "ax_coord": 1})
        features.append(np.asarray(library.fit_transform([array])[0]))
        targets.append(np.asarray(library.convert_u_dot_integral(array)))
    return np.concatenate(features), np.concatenate(targets)


def _system(runs: list[Run], smoothing: Smoothing, degree: int) -> tuple[np.ndarray, np.ndarray]:
    """The linear system that an optimizer solves: features and left-hand sides."""
    if not smoothing.order:
        return _weak(runs, smoothing.window, degree)
    values, derivatives = _derivatives(runs, smoothing)
    return np.asarray(pysindy.PolynomialLibrary(degree).fit_transform(values)), derivatives


def _stlsq() -> dict[str, object]:
    return {f"STLSQ {t:g}": pysindy.STLSQ(threshold=t, alpha=RIDGE) for t in THRESHOLDS}


def _others() -> dict[str, object]:
    optimizers: dict[str, object] = {}
    for t in THRESHOLDS:
        # With the l0 penalty SR3 keeps coefficients above sqrt(2 lambda / nu): lambda is set to make that t.
        optimizers[f"SR3 {t:g}"] = pysindy.SR3(
            reg_weight_lam=t * t / 2, regularizer="l0", relax_coeff_nu=1.0, max_iter=200, unbias=True
        )
        inner = pysindy.STLSQ(threshold=t, alpha=RIDGE)
        optimizers[f"ensemble {t:g}"] = pysindy.EnsembleOptimizer(inner, bagging=True, n_models=20)
    return optimizers


def _solve(optimizer, features: np.ndarray, targets: np.ndarray, powers: list, settings: str) -> Found:
    np.random.seed(0)  # the ensemble's draws
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        coefficients = optimizer.fit(features, targets).coef_
    rows = np.atleast_2d(coefficients)
    return Found(tuple({e: float(c) for e, c in zip(powers, row) if c} for row in rows), settings)


# --------------------------------------------------------------------------------------------------------- tuning


def _split(runs: list[Run]) -> tuple[list[Run], list[Run]]:
    """Data to fit, data to rank by."""
    if len(runs) >= 5:
        return [run for i, run in enumerate(runs) if i % 5 != 2], runs[2::5]
    cut = [4 * len(times) // 5 for times, _ in runs]
    return (
        [(times[:c], values[:c]) for c, (times, values) in zip(cut, runs)],
        [(times[c:], values[c:]) for c, (times, values) in zip(cut, runs)],
    )


def _rates(equations: Sequence[Polynomial]) -> Rates:
    """Values of several polynomials at many states at once; simulations spend their time here."""
    terms = sorted({e for polynomial in equations for e in polynomial})
    if not terms:
        return lambda states: np.zeros((len(states), len(equations)))
    powers = np.array(terms).T
    coefficients = np.array([[polynomial.get(e, 0.0) for polynomial in equations] for e in terms])

    def rates(states: np.ndarray) -> np.ndarray:
        values = states[:, :1] ** powers[0]
        for axis in range(1, len(powers)):
            values = values * states[:, axis : axis + 1] ** powers[axis]
        return values @ coefficients

    return rates


def _implicit_rates(equation: Polynomial) -> Rates:
    """x' of a polynomial a(x) + b(x) x' that vanishes."""
    both = _rates([{e[:1]: c for e, c in equation.items() if e[1] == part} for part in (0, 1)])

    def rates(states: np.ndarray) -> np.ndarray:
        values = both(states)
        return -values[:, :1] / values[:, 1:]

    return rates


def _misfit(rates: Rates, smoothing: Smoothing, runs: list[Run]) -> float:
    """Mean squared error of simulations (Runge-Kutta of order 4) over short stretches; infinite if one blows up."""
    scale = np.concatenate([values for _, values in runs]).std(axis=0)
    times = runs[0][0]
    step = (times[-1] - times[0]) / (len(times) - 1)  # of all runs here
    length = min(SEGMENT, min(len(times) for times, _ in runs) // 2)
    starts, measured = [], []
    for _, values in runs:
        first = np.arange(0, len(values) - length, max(1, length // 2))
        starts.append(smoothing.smooth(values)[first])
        measured.append(values[first[:, None] + np.arange(1, length + 1)])
    state, measured, squares = np.concatenate(starts), np.concatenate(measured), 0.0
    for k in range(length):
        with np.errstate(all="ignore"):
            a = rates(state)
            b = rates(state + step / 2 * a)
            c = rates(state + step / 2 * b)
            state = state + step / 6 * (a + 2 * b + 2 * c + rates(state + step * c))
            miss = (state - measured[:, k]) / scale
        if not (np.abs(miss) < FAR).all():  # nor if it is not a number
            return np.inf
        squares += float(np.sum(miss**2))
    return squares / measured.size


def _winner(fits: list[Fit]) -> Fit:
    bar = TOLERANCE * min(fit[0] for fit in fits)
    return min((fit for fit in fits if fit[0] <= bar), key=lambda fit: (fit[1].terms, fit[0]))


def _choose(fits: list[Fit], error: Callable) -> Outcome:
    return Outcome(_winner(fits)[2], min((fit[2] for fit in fits), key=lambda found: error(found.equations)))


def _smoothings(runs: list[Run], weak: bool) -> Iterator[Smoothing]:
    shortest = min(len(times) for times, _ in runs)
    for window in WINDOWS:
        for order in ORDERS:
            if window <= 2 * shortest // 3:
                yield Smoothing(window, order)
    if weak:
        yield from (Smoothing(window, 0) for window in WEAK_WINDOWS if window <= shortest // 3)


def tune_flow(runs: list[Run], degree: int, error: Callable, in_sample: bool = False) -> Outcome:
    """An explicit flow; with `in_sample` candidates are fitted and ranked with all data."""
    powers = _powers(runs[0][1].shape[1], degree)
    fitted, ranked = (runs, runs) if in_sample else _split(runs)

    def attempts(smoothing: Smoothing, optimizers: Callable) -> Iterator[Fit]:
        part, whole = (_system(data, smoothing, degree) for data in (fitted, runs))
        for name, optimizer in optimizers().items():
            found = _solve(optimizer, *part, powers, f"{smoothing}, {name}")
            again = found if in_sample else _solve(optimizer, *whole, powers, found.settings)
            yield _misfit(_rates(found.equations), smoothing, ranked), found, again

    tried = {smoothing: list(attempts(smoothing, _stlsq)) for smoothing in _smoothings(fitted, weak=True)}
    fits = sum(tried.values(), [])
    winner = _winner(fits)
    best = next(smoothing for smoothing in tried if any(fit is winner for fit in tried[smoothing]))
    return _choose([*fits, *attempts(best, _others)], error)


def tune_implicit(runs: list[Run], degree: int, error: Callable) -> Outcome:
    """One implicit equation in x and x', linear in x': every term in turn is the left-hand side."""
    powers = [e for e in _powers(2, degree) if e[1] <= 1]
    fitted, ranked = _split(runs)
    fits = []
    for smoothing in _smoothings(fitted, weak=False):
        parts = []
        for data in (fitted, runs):
            points = np.hstack(_derivatives(data, smoothing))
            parts.append(np.stack([evaluate({e: 1.0}, points) for e in powers], axis=1))
        for j, left in enumerate(powers):
            for name, optimizer in _stlsq().items():
                pair = []
                for features in parts:
                    others = powers[:j] + powers[j + 1 :]
                    solved = _solve(optimizer, np.delete(features, j, axis=1), features[:, [j]], others, "")
                    equation = {e: -c for e, c in solved.equations[0].items()} | {left: 1.0}
                    pair.append(Found((equation,), f"{smoothing}, {name}, left-hand side {left}"))
                rank = np.inf
                if any(e[1] for e in pair[0].equations[0]):  # otherwise x' does not occur
                    rank = _misfit(_implicit_rates(pair[0].equations[0]), smoothing, ranked)
                fits.append((rank, *pair))
    return _choose(fits, error)


def tune_map(runs: list[Run], degree: int, lags: int, error: Callable) -> Outcome:
    """A map of one variable, its next value from the last ones."""
    powers = _powers(lags + 1, degree)

    def system(data: list[Run]) -> tuple[np.ndarray, np.ndarray]:
        series = [values[:, 0] for _, values in data]
        past = [np.stack([x[lags - j : len(x) - 1 - j] for j in range(lags + 1)], axis=1) for x in series]
        features = np.asarray(pysindy.PolynomialLibrary(degree).fit_transform(np.concatenate(past)))
        return features, np.concatenate([x[lags + 1 :, None] for x in series])

    fitted, ranked = _split(runs)
    (features, targets), fits = system(ranked), []
    for name, optimizer in {**_stlsq(), **_others()}.items():
        found, again = (_solve(optimizer, *system(data), powers, name) for data in (fitted, runs))
        predicted = features @ np.array([found.equations[0].get(e, 0.0) for e in powers])
        fits.append((float(np.mean((targets[:, 0] - predicted) ** 2)), found, again))
    return _choose(fits, error)


def tune(system: System, runs: list[Run]) -> Outcome:
    """pysindy's tuned and oracle equations for one set of training data."""
    if system.kind == "map":
        return tune_map(runs, system.degree, system.lags, system.error)
    if system.implicit:
        return tune_implicit(runs, system.degree, system.error)
    return tune_flow(runs, system.degree, system.error)


def stlsq_fit(runs: list[Run], degree: int) -> None:
    """The plain fit whose time is compared."""
    model = pysindy.SINDy(
        optimizer=pysindy.STLSQ(), feature_library=pysindy.PolynomialLibrary(degree),
        differentiation_method=pysindy.SmoothedFiniteDifference(),
    )  # fmt: skip
    model.fit([values for _, values in runs], t=[times for times, _ in runs])
