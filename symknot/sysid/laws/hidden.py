r"""A hidden state: equations of motion of measured states and of one more that nobody measured.

Let the derivative of one measured state be :math:`\dot x_j = p(x) + m(x)\, h` with a *factor* m that is 1 or one of the
measured states.  Only h up to :math:`a h + q(x)` can be seen; that is settled by the number 1 before :math:`m h`, and by a p
without terms that m divides.  In three steps:

1. *Factor*.  With :math:`h = (\dot x_j - p) / m` all other equations, that of h among them, must be polynomials in x and h.
   Multiplied by powers of m they are linear in their coefficients, at smoothed states with two derivatives; for each pair
   (j, m) the few coefficients of p are those that leave least of them unexplained.
2. *First guess*: h as the smoothest series with :math:`m h \approx \dot x_j - p`, which leads across the zeros of m.
3. *Estimate*: h is a state like all others all of whose values are missing; terms, coefficients and states are estimated
   together as ever (`joint`), of the most promising pairs, and of the models that cost hardly more than
   the least the one with fewest terms is taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.linalg
import scipy.optimize

from ...ground.deadline import look
from ...ground.errors import EARLY_ENDS, ENDED_EARLY, InvalidOption, Status, ended_by
from ...ground.linalg import column_sizes, least_squares, unit_columns
from ...polynomials.evaluation import evaluate_monomials, monomials_at
from ...polynomials.monomials import monomials
from ..motion.flow import Flow
from ..motion.forms import Search
from ..motion.kinds import kind_of_options
from ..motion.knowledge_options import Told
from ..motion.model import Model
from ..motion.neighbourhood import UNDECIDED_COST
from ..motion.problem import problem_of
from ..runs.samples import Samples
from ..runs.trajectories import Trajectories
from .answering import LARGEST_GUESS_VALUE, model_of, searched

HIDDEN_NAMES = ("h", "hidden", "h_")
"""Of the hidden state, the first that is free."""
LEAST_CLOSED_DEGREE, CLOSED_DEGREE = 2, 3
"""Degree, at least and at most, of the equations with which pairs are compared, and of p: a convention, larger ones explain
anything."""
FAR_BEHIND = 10.0
"""Times the share of the best pair: what leaves more is not estimated.  Measured on Lorenz's system without each of its states,
and Roessler's without the third, 1 % noise: the right pairs left one to seven times as much as the best."""
MOST_PAIRS = 3
"""Pairs with a state as factor that are estimated in full, the most promising: each takes as long as an identification."""
LEAST_CLOSED = 0.5
"""Share of the closing equations' mean square that may be left unexplained: second derivatives are loud, and what comes next is
stricter."""
POINTS = 1500
"""Samples at which pairs are compared."""
SMOOTH_PARTS = 4.0
"""The first guess at h bends on the scale of the smoothing window over this: less would only add its noise."""
RCOND = 1e-8
"""Share of the largest singular value below which combinations of columns count as none."""
RIDGE = 1e-9
"""Added where a factor is zero for long, in its mean square."""
MOST_EVALUATIONS = 40
"""Of the misfit of a pair while the numbers of p are fitted; a dozen are usual."""
FIRST_NOISE = 0.02
"""Noise that a first guess at h is said to have, in its standard deviation: only for the weights of first coefficients."""


@dataclass(frozen=True, eq=False)
class Pair:
    """Where h enters, and how much of the other equations is left unexplained with it.

    Attributes
    ----------
    equation : int
    factor : int
        A measured state, or -1 for 1.
    exponents : (k, d) int array
        Of the terms of p ...
    coefficients : (k,) array
        ... and their numbers.
    left : float
        Share of the mean square of the equations that close it.
    """

    equation: int
    factor: int
    exponents: np.ndarray
    coefficients: np.ndarray
    left: float


def check_hidden(hidden: Any, data: Any, options: tuple, others: Mapping[str, Any]) -> bool:
    """Whether a hidden state is asked for; complains about what does not go together with one.

    Parameters
    ----------
    hidden : int
    data : Trajectories or Samples
    options : tuple
        kind, order, lags and form.
    others : dict
        Options by name that must be left out.
    """
    if isinstance(hidden, (bool, np.bool_)) or hidden not in (0, 1):
        raise InvalidOption("hidden", hidden, "0 or 1: more than one hidden state is not looked for")
    if not hidden:
        return False
    *kind, form = options
    if kind_of_options(*kind) != Flow() or form == "implicit" or isinstance(data, Samples):
        raise InvalidOption("hidden", hidden, "0 but for runs of differential equations of first order, not implicit ones")
    given = [*(name for name, value in others.items() if value), *(["derivatives"] if any(
        run.derivatives is not None for run in data.whole) else [])]
    if given:
        raise InvalidOption("hidden", hidden, f"0 where {given[0]} is given")
    return True


def with_hidden_state(data: Trajectories, noise: Any, window: int | None, form: str, max_degree: int) -> Model:
    """Equations of motion of the measured states and a hidden one; without it, in words, where there is no such state.

    Parameters
    ----------
    data : Trajectories
    noise, window, form, max_degree
        As `identify` was given them.
    """
    known, d = not isinstance(noise, str), len(data.names)
    name = next((one for one in HIDDEN_NAMES if one not in (*data.names, *data.input_names)), None)
    if name is None:
        raise InvalidOption("names", list(data.names), f"without one of {', '.join(HIDDEN_NAMES)}, for the hidden state")
    problem = problem_of(Flow().samples(data, noise, window), Flow(), known)
    lacking = [j for j in range(d) if problem.guess(j, max_degree).value > LARGEST_GUESS_VALUE]
    if not lacking:
        return _refused(searched(problem, form, max_degree, (), Told()), 0, 0)
    twice = data.with_derivatives(2, window=window, noise=noise)
    pairs = sorted(_pairs(twice, lacking, min(max(max_degree, LEAST_CLOSED_DEGREE), CLOSED_DEGREE)), key=lambda pair: pair.left)
    promising = _promising(pairs)
    found, ended = [], None
    for pair in promising:
        search = Search(_problem(data, twice, pair, name, (known, max_degree)), form, max_degree)
        try:
            search.run()
        except EARLY_ENDS as end:
            ended = ended_by(end)
        if not search.fails and not _is_cut(search):
            found.append((search, pair))
        if ended:
            break
    if not found:
        return _refused(searched(problem, form, max_degree, (), Told()), len(pairs), len(promising))
    least = min(search.cost for search, _ in found)
    near = [one for one in found if one[0].cost < least + UNDECIDED_COST]       # mostly one system, with h settled otherwise
    search, pair = min(near, key=lambda one: (one[0].size, one[0].cost))
    model = model_of(search, (), Told())
    said = [_gauge(model, pair, name), ended.advice if ended else "", model.message]
    return replace(model, hidden=(name,), message="; ".join(filter(None, said)), status=ended or model.status)


def _is_cut(search):
    """Whether some steps were given up: a state that nothing draws anywhere may jump there to wherever it suits the others."""
    return any(cut.any() for cut in search.answer.selection.estimate.cuts)


def _promising(pairs):
    """Those to be estimated in full: where h enters as it is, which takes no further numbers, and the best of the others."""
    others = [pair for pair in pairs if pair.factor >= 0 and pair.left <= min(LEAST_CLOSED, FAR_BEHIND * pairs[0].left)]
    return [pair for pair in pairs if pair.factor < 0 and pair.left <= LEAST_CLOSED] + others[:MOST_PAIRS]


def _refused(plain, pairs, promising):
    """The model without a hidden state, and why there is none."""
    if plain.status in ENDED_EARLY:
        return plain
    if plain.status in (Status.FOUND, Status.UNDECIDED):
        said = "no hidden state is needed: equations of the measured states alone describe the data"
    elif promising:
        said = (f"no hidden state was found: of {promising} ways in which it may enter none led to equations that describe the "
                "data; bring longer or less noisy runs, or measure more")
    else:
        said = (f"no hidden state was found: with none of {pairs} ways in which it may enter do the other equations close; "
                "more than one may be missing, or it enters otherwise than times 1 or a measured state")
    return replace(plain, message="; ".join(filter(None, [said, plain.message])))


def _gauge(model, pair, name):
    """What of the hidden state cannot be seen, in words."""
    equation = model.polynomials[pair.equation].text()
    rest = ", ".join(model.state_names[:-1])
    return (f"the hidden state {name} is what {equation} makes it: a*{name} + q({rest}) with any number a and polynomial q, or "
            "another function with which equations close, would do as well, in equations that change with it")


# ------------------------------------------------------------------------------------------------------- where it enters

def _pairs(twice, lacking, degree):
    """All pairs of an equation that the measured states do not explain and a factor, with what they leave unexplained."""
    d = len(twice.targets)
    rows = np.linspace(0, len(twice) - 1, min(len(twice), POINTS)).astype(int)
    points = twice.points[rows]
    x, v, a = points[:, :d], points[:, d: 2 * d], points[:, twice.targets]
    sizes = column_sizes(x)
    for j in lacking:
        for factor in range(-1, d):
            look(len(rows) * degree)
            exponents = _own_terms(d, factor, degree)
            coefficients, left = _closed((x / sizes, v / sizes, a / sizes), j, factor, degree)
            scale = sizes[j] / monomials_at(sizes[None], exponents)[0] if len(exponents) else np.zeros(0)
            yield Pair(j, factor, exponents, coefficients * scale, left)


def _own_terms(d, factor, degree):
    """Exponents of p: those of polynomials in the states that the factor does not divide."""
    exponents = monomials(d, degree).exponents
    return exponents[:0] if factor < 0 else exponents[exponents[:, factor] == 0]


def _closed(states, j, factor, degree):
    """The numbers of p with which the other equations are explained best, and the share that is left."""
    x, v, a = states
    n, d = x.shape
    m, slope = (np.ones(n), np.zeros(n)) if factor < 0 else (x[:, factor], v[:, factor])
    own, own_slopes = evaluate_monomials(x, _own_terms(d, factor, degree))
    own_slopes = np.einsum("ndk,nd->nk", own_slopes, v)
    both = monomials(d + 1, degree).exponents
    outer = monomials_at(x, both[:, :d])

    def left(c: np.ndarray) -> np.ndarray:
        u, du = v[:, j] - own @ c, a[:, j] - own_slopes @ c
        columns = outer * u[:, None] ** both[:, d] * m[:, None] ** (degree - both[:, d])
        sides = np.c_[(m * du - slope * u) * m ** (degree - 2), np.delete(v, j, axis=1) * m[:, None] ** degree]
        columns = unit_columns(columns)[0]
        return ((sides - columns @ least_squares(columns, sides, RCOND)) / np.linalg.norm(sides, axis=0)).ravel()

    everything = monomials(d, degree).exponents
    mean = least_squares(monomials_at(x, everything), v[:, j])[everything[:, factor] == 0 if factor >= 0 else []]
    best, least = np.zeros(own.shape[1]), np.inf
    for start in (np.zeros(own.shape[1]), mean):
        c = start if not len(start) else scipy.optimize.least_squares(left, start, max_nfev=MOST_EVALUATIONS).x
        share = float(np.max(np.sum(left(c).reshape(n, d) ** 2, axis=0)))
        if share < least:
            best, least = c, share
    return best, least


# --------------------------------------------------------------------------------------------------------- the estimate

def _problem(data, twice, pair, name, options):
    """The identification with the hidden state as one all of whose values are missing."""
    known, degree = options
    d, arrays, times, inputs = len(data.names), [], [], []
    series = _first_series(twice, pair, d)
    for number in np.unique(twice.run):
        run, rows = twice.trajectories.runs[number], twice.row[twice.run == number]
        arrays.append(np.c_[run.states[rows], series[twice.run == number]])
        times.append(run.times[rows])
        inputs.append(run.inputs[rows])
    own = {"inputs": inputs, "input_names": data.input_names} if data.input_names else {}
    both = Trajectories(arrays, times, names=[*data.names, name], **own)
    sigma = np.r_[twice.sigma, FIRST_NOISE * np.std(series)]
    problem = problem_of(Flow().samples(both, sigma, None), Flow(), known, (), _told(data.names, name, pair, degree), degree)
    free = [replace(run, measured=np.vstack([run.measured[:d], np.full((1, run.measured.shape[1]), np.nan)]))
            for run in problem.runs]
    return replace(problem, runs=tuple(free), sigma=np.r_[problem.sigma[:d], np.nan])


def _told(names, name, pair, degree):
    """What settles the hidden state: the number 1, and no other term that its factor divides."""
    target = f"{names[pair.equation]}'"
    if pair.factor < 0:
        return Told(known={target: name})                                                   # p is part of h
    exponents = monomials(len(names), degree).exponents
    own = [_text(row, names) for row in exponents[exponents[:, pair.factor] == 0]]
    term = f"{names[pair.factor]}*{name}"
    return Told(fixed={target: {term: 1}}, only={target: [*own, term]})


def _text(row, names):
    return "*".join(f"{one}**{e}" for one, e in zip(names, row.tolist()) if e) or "1"


def _first_series(twice, pair, d):
    """h at all points: the smoothest with m h = x_j' - p, run by run."""
    x, v = twice.points[:, :d], twice.points[:, d: 2 * d]
    if pair.factor < 0:
        return v[:, pair.equation]
    u = v[:, pair.equation] - monomials_at(x, pair.exponents) @ pair.coefficients
    m, out = x[:, pair.factor], np.empty(len(x))
    stiffness = (max(twice.windows[pair.equation], 1) / SMOOTH_PARTS) ** 4 * np.mean(m**2)
    for number in np.unique(twice.run):
        rows = twice.run == number
        out[rows] = _bent(m[rows], u[rows], stiffness)
    return out


def _bent(m, u, stiffness):
    """The h of least sum of (m h - u)^2 and stiffness times its squared second differences."""
    n = len(m)
    bands = np.zeros((3, n))
    for k, one in enumerate((1.0, -2.0, 1.0)):
        for l, other in enumerate((1.0, -2.0, 1.0)):
            if l >= k:
                bands[l - k, k: n - 2 + k] += stiffness * one * other
    bands[0] += m**2 + RIDGE * np.mean(m**2)
    return scipy.linalg.solveh_banded(bands, m * u, lower=True)
