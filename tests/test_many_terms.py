"""Equations of many terms: chosen by gradients, they are those of the estimate with all terms at once."""

import numpy as np

import symknot
from symknot.sysid.motion import forms, problem
from symknot.sysid.motion.fields import Field
from symknot.sysid.motion.flow import Flow
from symknot.sysid.motion.joint import multipliers, no_cuts, pull_of_all
from symknot.sysid.motion.measurements import Measurements

from .fresh_dynamics import Fresh

CHAIN = Fresh("two masses", ("a", "b", "u", "v"), ("u", "v", "b-2*a-a**3", "a-2*b-0.2*b**3"),
              ((1, 0, 0, 1), (0.5, -1.5, 1, 0), (2, 1, -1, 0)), 10, 150, 3)


def test_gradients_are_those_of_the_joint_estimate():
    rng = np.random.default_rng(0)
    field, t = Field.polynomial(3, 2, 2), np.linspace(0, 1, 12)             # two states and an input
    run = Measurements(rng.normal(size=(2, 12)), np.array([0.1, 0.2]), rng.normal(size=(1, 12)), np.diff(t))
    states, coefficients, cut = rng.normal(size=(2, 12)), 0.3 * rng.normal(size=field.size), np.zeros(11, dtype=bool)
    forces = multipliers(Flow(), field, coefficients, run, states, cut)
    found, sizes = Flow().pulls(field, coefficients, run, states, forces, 2)
    asked = pull_of_all(Flow(), field, coefficients, [run], [states], no_cuts(Flow(), [run]))
    assert np.allclose(found.ravel(), asked) and sizes.shape == (10,)


def test_few_terms_at_a_time_find_the_same_equations(monkeypatch):
    times, runs = CHAIN.data(1, 0)
    data = symknot.Trajectories(runs, time=times, names=list(CHAIN.names))
    monkeypatch.setattr(problem, "MOST_DENSE_TERMS", 100)
    monkeypatch.setattr(forms, "solution_of", None)                         # nobody estimates all terms at once
    model = symknot.identify(data, 3, form="polynomial")
    found = {(one.target, str(one.monomial)): (one.estimate, one.error) for one in model.estimates}
    true = {("a'", "u"): 1, ("b'", "v"): 1, ("u'", "a"): -2, ("u'", "b"): 1, ("u'", "a**3"): -1, ("v'", "a"): 1,
            ("v'", "b"): -2, ("v'", "b**3"): -0.2}
    assert set(found) == set(true) and all(abs(found[key][0] - true[key]) < 4 * found[key][1] for key in true)
    assert model.guesses == {}
