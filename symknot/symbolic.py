"""Polynomials as sympy objects in the user's variables: expanded, and nested as they were found.

Coefficients arrive as finished numbers from `expansion`; expressions are assembled from
them once, in sympy's canonical form, without multiplying out or simplifying anything.
"""

from __future__ import annotations

import re
from functools import cmp_to_key, lru_cache

import numpy as np
import sympy
from mpmath import libmp

DIGITS = 17
"""Significant digits that identify a double."""
PRECISION = libmp.dps_to_prec(DIGITS)
"""The same in bits."""

_canonical = cmp_to_key(sympy.Basic.compare)


def own_symbols(names):
    """`names` if they are sympy symbols, to be used as they are; else None.

    Examples
    --------
    >>> own_symbols(sympy.symbols("x y", positive=True)), own_symbols(["x", "y"])
    ((x, y), None)
    """
    if names is None or isinstance(names, str):
        return None
    names = tuple(names)
    return names if names and all(isinstance(name, sympy.Symbol) for name in names) else None


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


def expression(terms, symbols):
    """The sympy expression of `terms`, with floating-point coefficients of `DIGITS` digits.

    Parameters
    ----------
    terms : dict
        Exponent tuple -> Fraction.
    symbols : tuple of sympy symbols

    Returns
    -------
    sympy expression

    Examples
    --------
    >>> from fractions import Fraction
    >>> expression({(0, 0): Fraction(-1), (2, 1): Fraction(1, 4)}, sympy.symbols("x y"))
    0.25*x**2*y - 1.0
    """
    return assembled({e: libmp.from_rational(v.numerator, v.denominator, PRECISION, "n") for e, v in terms.items()},
                     symbols)


def assembled(numbers, symbols):
    """`expression` for coefficients in mpmath's raw form."""
    factors_of, make_float, make_product = _monomial_factors(tuple(symbols)), sympy.Float._new, sympy.Mul._from_args
    constant, parts = [], []
    # sympy's own order compares lengths, then coefficients: nearly there before it is asked
    for exponents, raw in sorted(numbers.items(), key=lambda item: (len(factors_of(item[0])), item[1])):
        number, factors = make_float(raw, PRECISION), factors_of(exponents)
        if factors:
            parts.append(make_product((number, *factors), True))
        else:
            constant.append(number)
    return sympy.Add._from_args(constant + sorted(parts, key=_canonical), True)


@lru_cache(maxsize=16)
def _monomial_factors(symbols):
    """A function from exponents to the factors of that monomial, which remembers them."""
    @lru_cache(maxsize=None)
    def factors(exponents):
        product = sympy.Mul(*[symbol**e for symbol, e in zip(symbols, exponents) if e])
        return product.args if product.is_Mul else (product,) if product != 1 else ()
    return factors


class Nested:
    """Expressions of the polynomials as the recursion builds them: sums of products of lower ones.

    Parameters
    ----------
    recursion : Recursion
    center, scale : (d,) array
    symbols : tuple of sympy symbols

    Notes
    -----
    Equal parts are one object, so an expression takes little memory; written out as text it
    grows by a factor of the number of products with every degree.
    """

    def __init__(self, recursion, center, scale, symbols):
        self.recursion = recursion
        self.variables = [_product(_float(1) / _float(s), _sum([symbol, _float(-c)] if c else [symbol]))
                          for symbol, c, s in zip(symbols, center.tolist(), scale.tolist())]
        self.F = [[_float(recursion.constant)]]

    def polynomial(self, index, unit):
        """`unit` times polynomial `index` of G."""
        degree = int(self.recursion.G_degrees[index])
        column = index - int(np.searchsorted(self.recursion.G_degrees, degree))
        while len(self.F) < degree:
            layer = self.recursion.layers[len(self.F) - 1]
            self.F.append([self._combination(len(self.F), layer.products, shares, 1.0) for shares in layer.F.T])
        layer = self.recursion.layers[degree - 1]
        return self._combination(degree, layer.products, layer.G[:, column], unit)

    def _combination(self, degree, products, shares, factor):
        lower = [f for part in self.F[:degree] for f in part]
        if degree == 1:
            basis = [(f,) for f in lower + self.variables]
        else:
            first, last = self.F[1], self.F[degree - 1]
            basis = [(f,) for f in lower] + [(first[i], last[j]) for i, j in zip(products.left, products.right)]
        return _sum([_product(_float(share) * _float(factor), *polynomials)
                     for share, polynomials in zip(shares.tolist(), basis) if share])


def _float(value):
    return sympy.Float(value, DIGITS)


def _sum(parts):
    return sympy.Add(*parts, evaluate=False) if parts else sympy.Float(0, DIGITS)


def _product(number, *polynomials):
    """`number` times the polynomials, not multiplied out; plain numbers are."""
    numbers = [f for f in polynomials if f.is_Float]
    others = [f for f in polynomials if not f.is_Float]
    return sympy.Mul(number * sympy.Mul(*numbers), *others, evaluate=False)
