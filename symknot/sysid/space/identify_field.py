"""From a field measured on a grid to partial differential equations: `identify_field`.  A reader starts here.

1. The noise of each component, from differences along time (`runs.smoothing.noise_level`).
2. Rectangles: as wide as the windows of local polynomials that derive the field best, along x and along t, so that test
   functions average noise and still follow the field (`rectangles_for`).
3. Moments of all candidate terms (`moments`), and the field nearest to the data whose moments satisfy an equation with few of
   them (`estimating`).
4. Equations whose misfit noise does not explain are refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...ground.calls import call_text, noted
from ...ground.checks import is_real, number_list, positive_number, whole_number
from ...ground.deadline import Deadline
from ...ground.errors import EARLY_ENDS, InvalidOption, InvalidPoints, Status, ended_by
from ...ground.linalg import singular_values
from ...polynomials.monomials import count, monomials
from ...reading.names import checked_names
from ...reading.sources import read_table
from ...results.checking import confirmed
from ..motion.checks import unless_wrong
from ..motion.fields import Field
from ..motion.knotted import KnottedRun
from ..motion.model import Model
from ..motion.rejecting import LARGEST_MISFIT, MISFIT_ALLOWANCE
from ..motion.weak import Weak
from ..runs.sizes import LARGEST_VALUE
from ..runs.smoothing import best_window, noise_level
from ..runs.stencils import even_step
from .estimating import FieldEstimate, best_terms
from .moment_checks import moment_checks
from .moments import Moments, Rectangles, Term

HALF_PER_WINDOW = 1.3
"""Half width of a test function over the window of the best derivative: bumps are narrow in their middle.  Between 1 and 1.7
standard errors hardly change (measured on one field, Kuramoto and Sivashinsky's)."""
RECTANGLES_ACROSS = 3.0
"""Rectangles overlap: so many centres to a half width, or fewer ..."""
MOST_MOMENTS = 700
"""... so that there are not more moments than these in all: their covariance is decomposed in a tenth of a second."""
LEAST_ACROSS = 3
"""Rectangles without overlap that a grid must hold along x and along t."""
LINES = 40
"""Lines of the grid from which noise and windows are read: as good as all of them."""
SAME_SHARE = 1e-12
"""Share of a component that the others must leave of it: some thousands of roundings, a convention."""
SMALLEST_NOISE = 1e-6
"""Share of a component's size that its noise is taken to be at least: grids of simulations are no better."""


def identify_field(values: Any, x: Any = 1.0, t: Any = 1.0, max_degree: int = 2, max_order: int = 4, *,
                   noise: str | float | Sequence[float] = "estimate", names: Sequence[str] | None = None,
                   timeout: float | None = None) -> Model:
    """Partial differential equations of a field in one dimension of space.

    Candidate terms are derivatives by x, up to `max_order`, of the monomials up to `max_degree`.  Their names are words:
    ``u2`` is the square of u, ``u_xx`` its second derivative, and ``u2_x`` the derivative of the square, which is 2 u u_x.

    Parameters
    ----------
    values : (n_t, n_x) or (n_t, n_x, components) array, nested list, DataFrame, or path of a data file
        A row for each time; nothing may be missing.
    x, t : float or array
        Places and times on even grids, or their steps.
    max_degree, max_order : int
    noise : "estimate", float, or sequence of float
        Standard deviation of the noise of each component.
    names : sequence of str, optional
        Of the components; u, or u and v, by default.
    timeout : float, optional
        Seconds after which the search ends.

    Returns
    -------
    Model
        Its arguments are the terms, its targets such as ``u_t``; `values` is the misfit of the moments over what noise
        explains. Its runs hold the moments.

    Examples
    --------
    >>> x, t = np.linspace(0, 6, 80), np.linspace(0, 1, 60)
    >>> u = np.exp(-0.3 * t[:, None]) * np.sin(x - 2 * t[:, None])                       # a wave that decays
    >>> noisy = u + 0.01 * np.random.default_rng(0).normal(size=u.shape)
    >>> model = identify_field(noisy, x, t, max_degree=1, max_order=1)
    >>> [(str(one.monomial), round(one.estimate, 1)) for one in model.estimates]
    [('u', -0.3), ('u_x', -2.0)]
    """
    call, deadline = call_text(identify_field, locals()), Deadline(timeout)
    max_degree, max_order = whole_number("max_degree", max_degree, 1), whole_number("max_order", max_order, 0)
    data = _checked(values)
    usual = ["u", "v", "w"] if len(data) < 4 else [f"u{j + 1}" for j in range(len(data))]
    names = checked_names(usual[: len(data)] if names is None else names, None, len(data))
    steps = _step("x", x, data.shape[1]), _step("t", t, data.shape[2])
    _check_rates(data, steps, (max_order, 1))
    sigma = _noise(data, steps[1], noise)
    terms = tuple(Term(k, q) for k in range(count(len(data), max_degree)) for q in range(max_order + 1) if k or not q)
    moments = Moments(rectangles_for(data, steps, sigma, max_order), terms, max_degree, len(data))
    found, status = None, Status.NOTHING_FOUND
    try:
        with deadline.ruling("identify_field"):
            found = best_terms(moments, data, sigma)
    except EARLY_ENDS as end:
        status = ended_by(end)
    model = _model(moments, data, sigma, found, names, status)
    if found is not None and model.targets:
        used = [k for k, term in enumerate(terms) if term.monomial and found.kept[:, k].any()]
        model = confirmed(model, moment_checks(moments, data, found.field, model.runs[0], used, steps))
    return noted(unless_wrong(model), call)


def rectangles_for(data: np.ndarray, steps: tuple[float, float], sigma: np.ndarray, max_order: int) -> Rectangles:
    """Rectangles on the grid of `data` (components, x, t)."""
    shape, halves = data.shape[1:], []
    for axis in range(2):
        least, most = max_order + 3, (shape[axis] - 1) // (2 * LEAST_ACROSS)
        if most < least:
            raise InvalidPoints(f"a grid of {shape[axis]} {'places' if axis == 0 else 'times'} is too small: need "
                                f"{2 * LEAST_ACROSS * least + 1} or more for derivatives up to {max_order}")
        windows = [_window(one, axis, steps[axis], s) for one, s in zip(data, sigma)]
        halves.append(int(np.clip(round(HALF_PER_WINDOW * min(windows)), least, most)))
    room = [n - 2 * half for n, half in zip(shape, halves)]
    most = MOST_MOMENTS / len(data)
    spacing = [half / RECTANGLES_ACROSS for half in halves]
    wider = max(1.0, np.sqrt(room[0] / spacing[0] * room[1] / spacing[1] / most))
    centres = [np.unique(np.linspace(half, n - 1 - half, max(int(r / (s * wider)), 2)).astype(int))
               for half, n, r, s in zip(halves, shape, room, spacing)]
    return Rectangles.on_grid(shape, steps, (halves[0], halves[1]), (centres[0], centres[1]), max_order)


def _window(values, axis, step, sigma):
    """Samples in the window of the best derivative along an axis."""
    lines = values.T if axis == 0 else values
    clock = step * np.arange(lines.shape[1])
    return best_window([(clock, line) for line in _some(lines)], sigma).window


def _some(lines):
    return lines[np.linspace(0, len(lines) - 1, min(LINES, len(lines))).astype(int)]


def _checked(values):
    """The data as (components, x, t)."""
    data = np.stack([_numbers(one) for one in _components(values)]).transpose(0, 2, 1)
    bad = np.argwhere(~np.isfinite(data))
    if len(bad):
        j, place, time = bad[0]
        raise InvalidPoints(f"must be finite, got {data[j, place, time]} at time {time}, place {place}")
    scaled: list[np.ndarray] = []
    for j, one in enumerate(data):
        largest = float(np.abs(one).max())
        if np.ptp(one / (largest or 1.0)) == 0:
            raise InvalidPoints(f"component {j} is the same everywhere and has no equation; leave it out")
        if not 1 / LARGEST_VALUE <= largest <= LARGEST_VALUE:
            raise InvalidPoints(f"sizes must be between {1 / LARGEST_VALUE:g} and {LARGEST_VALUE:g}, or powers are lost, got "
                                f"{largest:.3g} in component {j}; use other units")
        scaled.append((one - one.mean()).ravel() / one.std())
        if singular_values(np.array(scaled))[-1] <= SAME_SHARE * np.sqrt(one.size):
            raise InvalidPoints(f"component {j} is a combination of those before it, and equations could be written with "
                                "either; leave it out")
    return np.ascontiguousarray(data)


def _components(values):
    """Tables, one for each component."""
    if isinstance(values, list | tuple):
        try:
            values = np.asarray(values)
        except (ValueError, OverflowError):
            raise InvalidPoints("need rows of equal length, with a row for each time and a column for each place") from None
    if not isinstance(values, np.ndarray):
        return [values]                                          # frames, paths, and what is refused in their words
    if values.ndim not in (2, 3) or not values.size or values.dtype.names:
        raise InvalidPoints(f"need shape (times, places) or (times, places, components), got {np.shape(values)}")
    return [values] if values.ndim == 2 else [values[:, :, j] for j in range(values.shape[2])]


def _numbers(table):
    """Of one component, a row for each time; what is missing is NaN."""
    with np.errstate(over="ignore"):
        return read_table(table).numbers()


def _step(name, given, size):
    """The step of an even grid."""
    if is_real(given):
        return positive_number(name, given)
    places = number_list(name, given, size, f"{size} numbers, or their step")
    step = even_step(places)
    if step is None or step <= 0:
        raise InvalidOption(name, "an uneven grid", "evenly spaced and increasing")
    return step


def _check_rates(data, steps, orders):
    """Complain about derivatives that leave the range of floats."""
    for name, step, order in zip("xt", steps, orders):
        with np.errstate(all="ignore"):
            rates = np.ptp(data, axis=(1, 2)) / np.float64(step) ** order
        if not ((rates >= 1 / LARGEST_VALUE) & (rates <= LARGEST_VALUE)).all():
            raise InvalidPoints(f"steps of {step:.3g} along {name} make derivatives that are not between {1 / LARGEST_VALUE:g} "
                                f"and {LARGEST_VALUE:g}; use another unit of {name}")


def _noise(data, step, noise):
    if isinstance(noise, str):
        if noise != "estimate":
            raise InvalidOption("noise", noise, "'estimate', a number, or one for each component")
        clock = step * np.arange(data.shape[2])
        sigma = np.array([noise_level([(clock, line) for line in _some(one)]) for one in data])
    else:
        sigma = number_list("noise", [noise] * len(data) if is_real(noise) else noise, len(data),
                            f"'estimate', a number, or {len(data)} of them")
        if (sigma < 0).any():
            raise InvalidOption("noise", float(sigma.min()), "not negative")
    return np.maximum(sigma, SMALLEST_NOISE * np.sqrt(np.mean(data**2, axis=(1, 2))))


def term_name(monomial: np.ndarray, order: int, names: Sequence[str]) -> str:
    """What a term is called: a word, since names of variables are.

    Examples
    --------
    >>> [term_name(np.array(e), q, "uv") for e, q in (([1, 0], 2), ([2, 0], 1), ([1, 2], 0))]
    ['u_xx', 'u2_x', 'uv2']
    """
    factors = [f"{name}{e}" if e > 1 else name for name, e in zip(names, monomial) if e]
    return ("" if max(map(len, names)) == 1 else "_").join(factors) + ("_" + "x" * order if order else "")


def _model(moments: Moments, data: np.ndarray, sigma: np.ndarray, found: FieldEstimate | None, names: Sequence[str],
           status: Status) -> Model:
    s, terms = len(data), moments.terms
    common: dict[str, Any] = {"state_names": tuple(names), "dynamics": Weak(), "state_noise": sigma, "guesses": {}}
    wrong = status.advice if status is not Status.NOTHING_FOUND else _refusal(moments, found)
    if wrong or found is None:
        return Model(input_names=(), arguments=(), targets=(), field=Field(0, 1, (), (), ()), coefficients=np.zeros(0),
                     information=np.zeros((0, 0)), values=np.full(s, np.nan), runs=(), status=status, message=wrong, **common)
    exponents = monomials(s, moments.degree).exponents
    constant = [k for k, term in enumerate(terms) if not term.monomial]
    used = [k for k in range(len(terms)) if k not in constant and found.kept[:, k].any()]
    letters = tuple(term_name(exponents[terms[k].monomial], terms[k].order, names) for k in used)
    own = [[k for k in (*constant, *used) if found.kept[j, k]] for j in range(s)]
    place = {k: i for i, k in enumerate([*constant, *used])}
    field = Field(len(letters), 1, tuple(np.array([place[k] for k in ks]) for ks in own), (np.zeros(0, dtype=int),) * s,
                  (0,) * s)
    flat = np.concatenate([[j * len(terms) + k for k in ks] for j, ks in enumerate(own)]).astype(int)
    theta = moments.of_terms(found.field)
    run = KnottedRun("0", np.arange(len(theta), dtype=float), moments.of_rates(data), theta @ found.coefficients.T,
                     theta[:, used], np.zeros(0, dtype=int))
    return Model(input_names=letters, arguments=letters, targets=Weak().target_names(names), field=field,
                 coefficients=found.coefficients.ravel()[flat], information=found.information[np.ix_(flat, flat)],
                 values=np.full(s, np.sqrt(found.misfit)), runs=(run,), status=Status.FOUND, message="", **common)


def _refusal(moments: Moments, found: FieldEstimate | None) -> str:
    """Why there is no equation, in words; empty if there is."""
    reason = ""
    if found is None:
        reason = "none of those tried could be estimated"
    elif found.misfit > LARGEST_MISFIT**2 + 2 * MISFIT_ALLOWANCE / np.sqrt(found.kept.shape[0] * len(moments.rectangles)):
        reason = f"the best one misses the moments by {np.sqrt(found.misfit):.3g} times the noise"
    elif not found.kept.any(axis=1).all():
        reason = "a component depends on none of the terms"
    highest = max(term.order for term in moments.terms)
    return reason and (f"no equation of degree <= {moments.degree} and order <= {highest}: {reason}; raise max_degree or "
                       "max_order, or measure what else there is")
