"""Three quadrics through a noisy space curve: found, made exact, handed to sympy.

Three quadrics over-determine a curve in space: fitted to noisy points they meet in eight points, not in a curve.
Knots and equations are therefore moved together until they agree.
"""

import numpy as np
import sympy

import symknot

rng = np.random.default_rng(0)
t = rng.uniform(-1, 1, 500)
points = np.column_stack([t, t**2, t**3]) + rng.normal(scale=0.03, size=(500, 3))

ideal = symknot.fit(points)
print(ideal)

print("\nreduced Groebner basis over the rational numbers, lexicographic:")
for element in ideal.groebner(order="lex").exprs:
    print("   ", element, "= 0")

x, y, z = ideal.variables
print("\nz**2 modulo the equations:", ideal.reduce(z**2))
ideal.plot(points, "twisted_cubic.png")
assert ideal.reduce(y**3 - z**2) == 0
assert {p.as_expr() for p in ideal.polys} == {x**2 - y, x * y - z, y**2 - x * z}
assert isinstance(ideal.polys[0], sympy.Poly)
