"""Noisy points to proved algebra: two circles are found as one quartic, made exact, and taken apart by Singular."""

import numpy as np
import sympy

import symknot
from symknot.engines import engine

rng = np.random.default_rng(1)
angle = rng.uniform(0, 2 * np.pi, 600)
radius = np.where(rng.random(600) < 0.5, 1.0, 0.5)
points = radius[:, None] * np.c_[np.cos(angle), np.sin(angle)] + rng.normal(scale=0.02, size=(600, 2))

ideal = symknot.fit(points, names=["x", "y"])
exact = ideal.exact(points=points)
print(exact)
print(exact.certificate)

singular = engine("singular")
print("\nSingular: dimension", singular.dimension(exact.polys), "degree", singular.degree(exact.polys))
circles = [prime for _, prime in singular.primary_decomposition(exact.polys)]
for prime in circles:
    print("component:", ", ".join(f"{g.as_expr()} = 0" for g in prime))

ideal.plot(points, "from_noise_to_singular.png")
exact.certificate.save("certificate.json")      # symknot verify certificate.json
exact.to_singular("circles.sing")               # Singular circles.sing
x, y = exact.variables
assert {g.as_expr() for (g,) in circles} == {x**2 + y**2 - 1, x**2 + y**2 - sympy.Rational(1, 4)}
