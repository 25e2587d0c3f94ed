r"""From the recursion to explicit sympy expressions in the user's variables.

Every polynomial of degree two or more is a polynomial in :math:`y = F_1(u)`, and y is
linear in the inside variables :math:`u = (x - c) / s`.  Coefficients are pushed through
these substitutions as arrays, and the expression is assembled once.  The last step,
undoing the centring, cancels digits when the data lie far from the origin, so it is
done in exact rational arithmetic on the floats as they are.
"""

from __future__ import annotations

import re
from fractions import Fraction
from math import comb

import numpy as np
import sympy

from .monomials import monomials

DIGITS = 17
"""Significant digits that identify a double."""


def safe_symbols(names):
    """One sympy symbol per variable name; names that are no identifiers get a safe one.

    Examples
    --------
    >>> safe_symbols(["x", "cell count", "2nd"])
    (x, cell_count, v2nd)
    """
    taken, symbols = set(), []
    for name in names:
        safe = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_") or "v"
        safe = safe if safe[0].isalpha() else "v" + safe
        base, number = safe, 2
        while safe in taken or (safe != name and safe in names):
            safe, number = f"{base}_{number}", number + 1
        taken.add(safe)
        symbols.append(sympy.Symbol(safe))
    return tuple(symbols)


def inside_coefficients(recursion):
    """Coefficients of all of G over the monomials in the inside variables u (columns: polynomials)."""
    u = monomials(recursion.dimension, max(recursion.degree, 1))
    count = len(recursion.G_degrees)
    out = np.zeros((len(u), count))
    if not count:
        return out
    first = recursion.layers[0]
    linear = np.zeros((1 + recursion.dimension, first.F.shape[1] + first.G.shape[1]))
    linear[:] = np.hstack([first.F, first.G])
    linear[0] *= recursion.constant
    ones = first.G.shape[1]
    out[: len(linear), :ones] = linear[:, first.F.shape[1]:]
    if count > ones:
        out[:, ones:] = _substituted(linear[:, : first.F.shape[1]], recursion.G_coefficients(), recursion.degree, u)
    return out


def _substituted(linear, coefficients, degree, u):
    """Polynomials in y, `coefficients` over the monomials, after y = linear forms in u."""
    y = monomials(linear.shape[1], degree)
    powers = np.zeros((len(u), len(y)))
    powers[0, 0] = 1.0
    done = {0}
    for a in range(y.times.shape[1]):
        lower = powers[: u.times.shape[1], a]
        for i in range(y.dimension):
            b = int(y.times[i, a])
            if b in done:
                continue
            done.add(b)
            powers[:, b] = linear[0, i] * powers[:, a]
            for j in range(u.dimension):
                powers[u.times[j], b] += linear[1 + j, i] * lower
    return powers @ coefficients


def outside_terms(coefficients, degree, center, scale, factor):
    """Exact coefficients in the user's variables of one polynomial in the inside variables.

    Returns
    -------
    dict
        Exponent tuple -> Fraction, without zeros.
    """
    d = len(center)
    u = monomials(d, degree)
    terms = {tuple(map(int, e)): Fraction(float(c)) * Fraction(float(factor))
             for e, c in zip(u.exponents, coefficients[: len(u)]) if c}
    for j in range(d):
        shift, stretch = -Fraction(float(center[j])), 1 / Fraction(float(scale[j]))
        moved = {}
        for exponents, value in terms.items():
            power = exponents[j]
            value *= stretch**power
            for k in range(power + 1) if shift else (power,):
                key = exponents[:j] + (k,) + exponents[j + 1:]
                moved[key] = moved.get(key, 0) + value * comb(power, k) * shift ** (power - k)
        terms = moved
    return {exponents: value for exponents, value in terms.items() if value}


def expression(terms, symbols):
    """The sympy expression of exact `terms`, with floating-point coefficients."""
    parts = []
    for exponents, value in terms.items():
        number = sympy.Float(sympy.Rational(value.numerator, value.denominator), DIGITS)
        parts.append(number * sympy.Mul(*[symbol**int(e) for symbol, e in zip(symbols, exponents)]))
    return sympy.Add(*parts)
