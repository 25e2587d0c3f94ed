"""Kepler's and Newton's laws from the real planets: the ephemeris DE421 of the Jet Propulsion Laboratory.

Planets disturb each other, so nothing here holds exactly.  What holds depends on how closely one looks, and `noise` is
the place to say how closely.
"""

import de421
import numpy as np
import pandas
import sympy
from jplephem.ephem import Ephemeris

import symknot

AU, YEAR, TILT = 149597870.7, 365.25, np.radians(23.43929)          # km; days; of the equator to the ecliptic
ephemeris = Ephemeris(de421)


def seen_from_the_sun(planet, years, start=2415000.0):
    """Times, places in AU and velocities in AU per year; z is the axis of the Earth, `start` a Julian day."""
    days = start + np.linspace(0, years * YEAR, 400)
    (place, velocity), (origin, drift) = (ephemeris.position_and_velocity(name, days) for name in (planet, "sun"))
    return (days - days[0]) / YEAR, (place - origin).T / AU, (velocity - drift).T / AU * YEAR


# 1. Kepler: Mars moves in a plane through the Sun, on an ellipse.  Two orbits from the year 2000 on, places alone.
times, places, _ = seen_from_the_sun("mars", 3.76, start=2451545.0)
mars = symknot.Trajectories(places, time=times, names=["x", "y", "z"])
orbit, closer = symknot.conserved(mars, 2, noise=0.001), symknot.conserved(mars, 2, noise=0.0001)
print(f"Mars, looked at to 0.001 AU:\n{orbit}\n")
print(f"to 0.0001 AU a plane is left; the other planets pull Mars off any one ellipse:\n{closer}\n")
orbit.plot("invariants_of_mars.png")

plane, conic = (invariant.estimate for invariant in orbit.invariants)
(level,) = (row.level for row in orbit.invariants[1].estimate_drift)
symbols, zero = sympy.symbols("x y z"), dict.fromkeys(sympy.symbols("x y z"), 0)
normal = np.array([plane.coeff(s) for s in symbols], dtype=float)
normal /= np.copysign(np.linalg.norm(normal), normal[2])
inclination = np.degrees(np.arccos(normal @ [0, -np.sin(TILT), np.cos(TILT)]))
within = np.linalg.svd(normal[None])[2][1:]                         # two directions in the plane, and the conic there
Q = within @ np.array(sympy.hessian(conic, symbols) / 2, dtype=float) @ within.T
middle = -np.linalg.solve(Q, within @ np.array([conic.diff(s).subs(zero) for s in symbols], dtype=float)) / 2
axis, minor = np.sqrt((level + middle @ Q @ middle) / np.linalg.eigvalsh(Q))
eccentricity = np.sqrt(1 - (minor / axis) ** 2)
print(f"inclination to the ecliptic = {inclination:.3f} degrees (tables: 1.850)")
print(f"semi-major axis = {axis:.4f} AU (tables: 1.5237), eccentricity = {eccentricity:.4f} (tables: 0.0934)")
print(f"from the middle of the ellipse to the Sun = {np.hypot(*middle) / axis:.4f} semi-major axes: it is in a focus\n")

# 2. What do all planets conserve, though each has its own ellipse?  Two orbits of each from 1900 on, or 300 years.
# The Sun, pulled about by Jupiter, is no firm place to stand; Pluto shows that most, so not too closely.
periods = {"mercury": 0.241, "venus": 0.615, "earthmoon": 1.0, "mars": 1.881, "jupiter": 11.86, "saturn": 29.46,
           "uranus": 84.0, "neptune": 164.8, "pluto": 247.9}
paths = {name: seen_from_the_sun(name, min(2 * period, 300)) for name, period in periods.items()}
planets = symknot.Trajectories({name: np.c_[place, velocity] for name, (_, place, velocity) in paths.items()},
                               time={name: t for name, (t, _, _) in paths.items()}, names=list("xyzuvw"))
momentum = symknot.conserved(planets, 2, noise=0.005)
print(f"all planets, places x, y, z and velocities u, v, w, to 0.005 AU and AU/year:\n{momentum}")
print("angular momentum, in three components.  For Mars:")
for invariant in momentum.invariants:
    (row,) = (row for row in invariant.drift if row.label == "mars")
    print(f"    {invariant.expr} = {row.level:.4f} +/- {row.error:.4f}")

# 3. Newton: with 1 / r^3 as an input the acceleration is a polynomial.  To 0.0001 AU no other force is seen.
table = pandas.DataFrame({"t": times, "inverse_r3": np.linalg.norm(places, axis=1) ** -3.0,
                          **dict(zip("xyz", places.T))})
newton = symknot.identify(symknot.Trajectories(table, time="t", inputs=["inverse_r3"]), 2, order=2, noise=0.0001)
print(f"\nwhat accelerates Mars:\n{newton}")
for term in newton.estimates:
    print(f"    G times the Sun's mass, from {term.target} = {-term.estimate:.4f} +/- {term.error:.4f} AU^3/year^2")
print("    tables: 39.4769")

assert abs(inclination - 1.85) < 0.01 and abs(axis - 1.5237) < 5e-4 and abs(eccentricity - 0.0934) < 1e-3
assert abs(np.hypot(*middle) / axis - eccentricity) < 1e-3 and len(closer) == 1
x, y, z, u, v, w = sympy.symbols("x y z u v w")
assert {g.expr for g in momentum.invariants} == {u * y - v * x, u * z - w * x, v * z - w * y}
assert not momentum.constraints
assert [str(term.monomial) for term in newton.estimates] == ["inverse_r3*x", "inverse_r3*y", "inverse_r3*z"]
assert all(abs(term.estimate + 39.476926) < 4 * term.error for term in newton.estimates)
