"""What a fit looks at: the residuals of the best polynomials of each degree, and knots next to the points."""

import matplotlib.pyplot as plt
import numpy as np

import symknot

rng = np.random.default_rng(0)
angle = rng.uniform(0, 2 * np.pi, 150)
points = np.column_stack([2 * np.cos(angle), np.sin(angle)]) + rng.normal(scale=0.08, size=(150, 2))

spectrum = symknot.spectrum(points, max_degree=2)
ideal = symknot.fit(points, names=["x", "y"])
print(spectrum)
print(ideal)

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
for row in spectrum.degrees:
    left.plot(np.full(len(row.values), row.degree), row.values, "o")
left.axhline(spectrum.gap.noise, linestyle=":", color="black")
left.set(title="residuals of the best polynomials", xlabel="degree", ylabel="distance of the data", yscale="log", xticks=[1, 2])
left.annotate("one stands clear:\nthe noise", (2, spectrum.gap.noise), (1.2, 1.3 * spectrum.gap.noise))

knots = ideal.knots[ideal.assignment]                 # the knot of each point
right.plot(*np.stack([points, knots, np.full_like(points, np.nan)], axis=1).reshape(-1, 2).T, color="0.6", linewidth=0.8)
right.plot(*points.T, ".", color="0.4", label="points")
right.plot(*knots.T, ".", color="tab:red", label="their knots: the nearest zeros")
right.set(title="points and knots", xlabel="x", ylabel="y", aspect="equal")
right.legend(loc="center")
figure.savefig("how_a_fit_is_read.png")
assert spectrum.gap.degree == 2 and str(ideal).startswith("x**2 + 4*y**2 = 4")
