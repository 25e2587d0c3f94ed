"""What the tests of exact results share: evaluation by the definition, and noisy points with known answers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import sympy


def value(terms, point):
    """A polynomial (exponent tuple -> number) at a point, term by term, in the point's own arithmetic."""
    total = 0
    for exponents, coefficient in terms.items():
        for coordinate, power in zip(point, exponents):
            coefficient = coefficient * coordinate**power
        total = total + coefficient
    return total


def float_values(terms, points):
    """The same at rows of floats, with coefficients rounded to floats."""
    return value({exponents: float(number) for exponents, number in terms.items()}, np.asarray(points, dtype=float).T)


def vanishes(exact):
    """Whether every polynomial is the rational number 0 at every rational knot."""
    values = [value(g.terms, knot) for g in exact.polynomials for knot in exact.rational_knots]
    return bool(values) and all(isinstance(number, Fraction) and number == 0 for number in values)


def blobs(centres, sigma, seed=0, size=30):
    """So many points around each centre."""
    points = np.repeat(np.array(centres, dtype=float), size, axis=0)
    return points + sigma * np.random.default_rng(seed).normal(size=points.shape)


def rational_points(centres):
    """As a set of tuples of Fractions."""
    return {tuple(map(Fraction, centre)) for centre in centres}


def reduced_basis(expressions, variables, order="grevlex"):
    """sympy's reduced Groebner basis, as a set of expressions."""
    return set(sympy.groebner(list(expressions), *variables, order=order, domain=sympy.QQ).exprs)


def rms_distance(terms, points):
    """Root-mean-square value over root-mean-square gradient, by the definition, in floats."""
    points = np.asarray(points, dtype=float)
    slopes = []
    for j in range(points.shape[1]):
        derivative = {e[:j] + (e[j] - 1,) + e[j + 1:]: e[j] * number for e, number in terms.items() if e[j]}
        slopes.append(np.broadcast_to(float_values(derivative, points), len(points)))
    return float(np.sqrt(np.mean(float_values(terms, points) ** 2) / np.mean(np.sum(np.square(slopes), axis=0))))
