"""Equations of motion made by hand, for tests that need a model and no identification."""

import numpy as np

from symknot import Status
from symknot.polynomials.monomials import monomials
from symknot.sysid.motion.fields import Field
from symknot.sysid.motion.flow import Flow
from symknot.sysid.motion.knotted import KnottedRun
from symknot.sysid.motion.model import Model


def model_of(names, above, below=None, *, dynamics=None, inputs=(), runs=(), certain=1e8, **attributes):
    """A `Model` whose right-hand sides are fractions of polynomials: dictionaries from exponents to numbers.

    A denominator needs a coefficient 1.0, its pivot; without denominators the right-hand sides are polynomials.
    """
    names, inputs, dynamics = tuple(names), tuple(inputs), dynamics or Flow()
    arguments, targets = dynamics.argument_names(names) + inputs, dynamics.target_names(names)
    below = below or [{(0,) * len(arguments): 1.0} for _ in names]
    degree = max(1, *(sum(e) for polynomial in (*above, *below) for e in polynomial))
    places = {tuple(e): k for k, e in enumerate(monomials(len(arguments), degree).exponents.tolist())}
    pivots = [next(e for e in polynomial if polynomial[e] == 1.0) for polynomial in below]
    others = [[e for e in polynomial if e != pivot] for polynomial, pivot in zip(below, pivots)]
    field = Field(len(arguments), degree, tuple(np.array([places[e] for e in p], dtype=np.int64) for p in above),
                  tuple(np.array([places[e] for e in p], dtype=np.int64) for p in others),
                  tuple(places[e] for e in pivots))
    coefficients = np.array([value for a, b, rest in zip(above, below, others)
                             for value in (*a.values(), *(b[e] for e in rest))], dtype=float)
    attributes = {"state_noise": np.full(len(names), 0.01), "values": np.ones(len(names)), "guesses": {}, "message": "",
                  "status": Status.FOUND if targets else Status.NOTHING_FOUND, **attributes}
    return Model(state_names=names, input_names=inputs, arguments=arguments, targets=targets, dynamics=dynamics,
                 field=field, coefficients=coefficients, information=certain * np.eye(field.size), runs=tuple(runs),
                 **attributes)


def run_of(times, states, inputs=None, label="0", noise=0.01, cuts=()):
    """A `KnottedRun` whose knots are `states` and whose data have noise around them."""
    states = np.asarray(states, dtype=float)
    measured = states + noise * np.random.default_rng(0).normal(size=states.shape)
    inputs = np.empty((len(states), 0)) if inputs is None else np.asarray(inputs, dtype=float)
    return KnottedRun(label, np.asarray(times, dtype=float), measured, states, inputs, np.array(cuts, dtype=np.int64))


def rotation(runs=2):
    """x' = y, y' = -4 x, with runs."""
    t = np.linspace(0, 6, 200)
    paths = [run_of(t, a * np.c_[np.cos(2 * t), -2 * np.sin(2 * t)], label=f"{a:g}")
             for a in 1.0 + 0.5 * np.arange(runs)]
    return model_of("xy", [{(0, 1): 1.0}, {(1, 0): -4.0}], runs=paths, guesses={1: (1.0, 1.02), 2: (0.98, 1.01)})


def uptake():
    """x' = (0.18 - 0.9 x) / (0.3 + x)."""
    t = np.linspace(0, 4, 50)
    path = 0.2 + 0.4 * np.exp(-t)
    return model_of("x", [{(0,): 0.18, (1,): -0.9}], [{(0,): 0.3, (1,): 1.0}], runs=[run_of(t, path[:, None])])
