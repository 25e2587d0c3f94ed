"""A map of which one variable is observed: earlier values stand for the one that is hidden.

Henon's map is x_next = 1 - 1.4 x^2 + y, y_next = 0.3 x.  Who sees only x sees a recurrence with memory,
x_next = 1 - 1.4 x^2 + 0.3 x_lag1.
"""

import numpy as np

import symknot


def henon(first, second, steps):
    values = [first, second]
    while len(values) < steps:
        values.append(1 - 1.4 * values[-1] ** 2 + 0.3 * values[-2])
    return np.array(values)


truth = henon(0.0, 0.1, 2000)
rng = np.random.default_rng(0)
noise = 0.1 * truth.std()                             # 10 %, or 0.07
measured = truth + noise * rng.normal(size=len(truth))
data = symknot.Trajectories(measured, names=["x"])

# From the present value alone some curve comes out, with all terms that there are.  The noise of a map cannot be read from
# its data (values do not follow each other smoothly), so whatever is not explained passes for noise: 0.14 of it.  Who
# knows that the instrument is better than that gives its noise, and gets no equation instead of a wrong one.
print("from the present value alone:")
print(symknot.identify(data, max_degree=3, kind="map"))
blind = symknot.identify(data, max_degree=3, kind="map", noise=noise)
print("\nthe same, knowing the noise:")
print(blind)

# With one earlier value it is all there, and nothing need be known about the noise.  Noise is in x_next, x and x_lag1
# alike, so regression of one on the others finds numbers that are too small; here coefficients and states are
# estimated together.
model = symknot.identify(data, max_degree=3, kind="map", lags=1)
print("\nwith the one before:")
print(model.report())
factors = np.c_[np.ones(len(measured) - 2), measured[1:-1] ** 2, measured[:-2]]
print("\nordinary regression would say", np.linalg.lstsq(factors, measured[2:], rcond=None)[0].round(3),
      "(truth: 1, -1.4, 0.3)")

# The knots follow the map: the noisy sequence is cleaned.
knots = model.runs[0].states
errors = [np.sqrt(np.mean((values.ravel() - truth) ** 2)) for values in (measured, knots)]
print("\nroot mean square error of the data {:.4f}, of the knots {:.4f}".format(*errors))

# Errors of a chaotic map double in about two steps.  No simulation stays with an unseen run for 300 steps (an R2 below
# zero is what a wrong path gives), but the next value is always right.
print()
score = model.score(symknot.Trajectories({"unseen": henon(0.3, -0.2, 300)}, names=["x"]))
print("R2 of the next values {:.4f}, of a simulation of 300 steps {}".format(
    score.overall_next_sample, "near 1" if score.overall > 0.9 else "far from 1"))
model.plot("map_henon.png")
assert not blind.targets
assert {name: str(f) for name, f in model.exact_right_hand_sides.items()} == {
    "x_next": "-7*x**2/5 + 3*x_lag1/10 + 1"}
assert errors[1] < 0.5 * errors[0]
assert score.overall_next_sample > 0.999
