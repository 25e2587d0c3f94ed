"""A pendulum in Cartesian coordinates: what holds at all times, what each swing keeps, and what moves it.

Its rod (length 1, gravity 1) is a constraint, x^2 + y^2 = 1, and so is what follows from it, x u + y v = 0 for the
velocities u and v.  On such data right-hand sides are not unique: whatever vanishes on the constraints may be added.
Algebra tells whether two of them are the same.
"""

import numpy as np
import sympy
from scipy.integrate import solve_ivp

import symknot

times = np.linspace(0, 12, 300)
rng = np.random.default_rng(0)


def swing(angle, speed):
    angle, speed = solve_ivp(lambda t, s: [s[1], -np.sin(s[0])], (0, 12), [angle, speed], t_eval=times, rtol=1e-9).y
    truth = np.c_[np.sin(angle), -np.cos(angle), np.cos(angle) * speed, np.sin(angle) * speed]
    return truth + rng.normal(scale=0.02, size=truth.shape)


swings = [swing(1, 0), swing(2, 0), swing(0.5, 1), swing(2.5, 0.2), swing(1.5, 0.5)]
data = symknot.Trajectories(swings, time=times, names=["x", "y", "u", "v"])

# What is the same in all runs is a constraint; what differs from run to run is an invariant: twice the energy.
kept = symknot.conserved(data, max_degree=2)
print(kept)

# Equations of motion.  With the rod's force eliminated they are
x, y, u, v = sympy.symbols("x y u v")
truth = {"x'": u, "y'": v, "u'": -x * (u**2 + v**2) + x * y, "v'": -y * (u**2 + v**2) - x**2}
model = symknot.identify(data, max_degree=3)
print(f"\nequations of motion:\n{model}")

# What was found may look different.  It is the same if the difference reduces to zero by a Groebner basis of the
# constraints, all of it in exact numbers.  (`kept.contains` and `kept.reduce` ask the same, each by itself.)
basis = kept.groebner()
print("\nGroebner basis of the constraints:", ", ".join(map(str, basis.exprs)))
differences = {name: sympy.expand(found - truth[name]) for name, found in model.exact_right_hand_sides.items()}
for name, difference in differences.items():
    print(f"{name}: found - true = {difference}, on the constraints {basis.reduce(difference)[1]}")

# The equations found keep the constraints and the energy: their derivatives along the flow are zero there, too.
for g in (*kept.constraints, *kept.invariants):
    rate = sum(g.expr.diff(s) * model.exact_right_hand_sides[f"{s}'"] for s in (x, y, u, v))
    print(f"d/dt ({g.expr}) = {basis.reduce(sympy.expand(rate))[1]}")
    assert basis.reduce(sympy.expand(rate))[1] == 0
kept.plot("pendulum_dae.png")
assert set(kept.exprs) == {x**2 + y**2 - 1, u * x + v * y}
assert [g.expr for g in kept.invariants] == [u**2 + v**2 + 2 * y]
assert model.targets == tuple(truth) and all(basis.reduce(d)[1] == 0 for d in differences.values())
