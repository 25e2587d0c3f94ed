"""Noisy copies of six points: rational knots, and the exact ideal of everything that vanishes on them."""

from fractions import Fraction

import numpy as np

import symknot

truth = [("0", "0"), ("1", "1/4"), ("1/5", "1"), ("-1", "1/2"), ("-1/2", "-1"), ("3/4", "-3/4")]
truth = [tuple(map(Fraction, point)) for point in truth]
rng = np.random.default_rng(0)
points = np.array(truth, dtype=float)[rng.integers(0, 6, 600)] + rng.normal(scale=0.02, size=(600, 2))

ideal = symknot.fit(points, names=["x", "y"])
exact = ideal.exact(points=points)
print(exact)
print("knots:", "  ".join(f"({x}, {y})" for x, y in exact.rational_knots))
ideal.plot(points, "exact_points.png")
assert set(exact.rational_knots) == set(truth)

everything = exact.vanishing_ideal("lex")
print("\nthe ideal of the knots, lexicographic Groebner basis:")
print(everything)
print("Hilbert function:", everything.hilbert_function)
print("a polynomial that is 1 at the first knot and 0 at the others:")
print("   ", everything.interpolate([1, 0, 0, 0, 0, 0]))
assert all(everything.contains(g) for g in exact.exprs) and everything.certificate.verify()
