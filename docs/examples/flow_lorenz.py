"""A chaotic flow through 10 % noise: equations, path and an unseen run; then a picture and a script."""

import numpy as np
import sympy
from scipy.integrate import solve_ivp

import symknot


def lorenz(t, state):
    x, y, z = state
    return [10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z]


def run(start, end):
    times = np.arange(0, end, 0.005)
    return solve_ivp(lorenz, (0, end), start, t_eval=times, rtol=1e-10, atol=1e-10).y.T


truth, unseen = run((-8, 7, 27), 15), run((3, -2, 20), 5)
rng = np.random.default_rng(0)
noise = 0.1 * truth.std(axis=0)                       # about 0.8 in each variable
data = symknot.Trajectories(truth + noise * rng.normal(size=truth.shape), time=0.005, names=["x", "y", "z"])

# All we say is that polynomials of degree at most 3 describe the system: 60 coefficients are possible, 7 are right.
model = symknot.identify(data, max_degree=3)
print(model.report())

# The data knots are states that satisfy the equations.  The dynamics filter the noise, not an average over neighbours.
knots = model.runs[0].states
errors = [np.sqrt(np.mean((states - truth) ** 2, axis=0)) for states in (data.runs[0].states, knots)]
print("\nroot mean square error of the data: ", errors[0].round(3))
print("root mean square error of the knots:", errors[1].round(3))
print("noise as estimated:", ", ".join(f"{name} +/- {sigma:.3f}" for name, sigma in zip(model.state_names, model.state_noise)))

# A run that the model has not seen (clean, so that R2 could be 1).  Chaos lets errors grow by e each time unit:
# a simulation from its beginning can follow for a while only, the step to the next sample is always right.
score = model.score(symknot.Trajectories({"unseen": unseen}, time=0.005, names=["x", "y", "z"]))
print()
print(score)

# With the rounded numbers, algebra: where does the flow stand still?
x, y, z = model.variables[:3]
steady = sympy.solve(list(model.exact_right_hand_sides.values()), [x, y, z])
print("\nsteady states:", ", ".join(map(str, steady)))

model.plot("flow_lorenz.png")                         # data, knots, simulation, and what is left of the data
model.to_singular("lorenz.sing")                      # the same equations as an ideal: Singular lorenz.sing
assert {name: str(f) for name, f in model.exact_right_hand_sides.items()} == {
    "x'": "-10*x + 10*y", "y'": "-x*z + 28*x - y", "z'": "x*y - 8*z/3"}
assert (0, 0, 0) in steady and len(steady) == 3
assert (errors[1] < 0.1 * errors[0]).all()
assert score.overall > 0.99 and score.overall_next_sample > 0.9999
assert all(abs(term.estimate - true) < 4 * term.error for term, true in zip(
    model.estimates, [-10, 10, 28, -1, -1, -8 / 3, 1]))
