"""Variables in different units, with different noise; numbers with their standard errors."""

import numpy as np

import symknot

rng = np.random.default_rng(3)
angle = rng.uniform(0, 2 * np.pi, 800)
noise = [2.0, 0.01]                                   # millimetres, volts
points = np.column_stack([100 * np.cos(angle), np.sin(angle)]) + rng.normal(size=(800, 2)) * noise

ideal = symknot.fit(points, noise=noise, names=["length", "voltage"])
print(ideal)
print(f"\nresidual in units of the stated noise: {ideal.polynomials[0].residual:.2f}")

(equation,) = ideal.uncertainty()
for exponents, error in equation.standard_errors.items():
    print(f"    length^{exponents[0]} voltage^{exponents[1]}: {float(equation.terms[exponents]):.4g} +/- {error:.2g}")
ideal.plot(points, "uneven_noise.png")
assert abs(ideal.polynomials[0].residual - 1) < 0.1
