"""Noisy copies of four points: the knots are the points, the equations their ideal."""

import numpy as np

import symknot

corners = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.2], [0.0, 1.0, 0.3], [0.2, 0.1, 1.0]])
rng = np.random.default_rng(2)
points = corners[rng.integers(0, 4, 400)] + rng.normal(scale=0.02, size=(400, 3))

ideal = symknot.fit(points)
print(ideal)
print("\nknots, and how many points each stands for:")
for knot, weight in zip(ideal.knots, ideal.knot_weights):
    print("   ", np.round(knot, 4), round(weight))
ideal.plot(points, "blobs_and_knots.png")
assert len(ideal.knots) == 4 and len(ideal.polynomials) == 6
