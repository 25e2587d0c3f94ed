"""Looking at the spectrum before choosing epsilon."""

import numpy as np

import symknot

rng = np.random.default_rng(1)
angle = rng.uniform(0, 2 * np.pi, 400)
radius = rng.choice([1.0, 0.5], 400)
points = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]) + rng.normal(scale=0.01, size=(400, 2))

spectrum = symknot.spectrum(points)
print(spectrum)
assert spectrum.gap.degree == 4

print("\nwith the epsilon found there:")
ideal = symknot.fit(points)
print(ideal)
ideal.plot(points, "choosing_epsilon.png")

print("\na cloud without structure:")
cloud = symknot.fit(rng.normal(size=(400, 2)))
print(cloud)
assert not cloud.polynomials
