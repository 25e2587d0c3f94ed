"""Floating-point coefficients as sympy expressions, assembled once in sympy's canonical form.

Coefficients arrive as finished numbers; nothing is multiplied out or simplified.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cmp_to_key, lru_cache

import sympy
from mpmath import libmp

from .terms import Exponents, Terms

DOUBLE_DIGITS = 17
"""Significant digits that identify a double (IEEE 754)."""
PRECISION = libmp.dps_to_prec(DOUBLE_DIGITS)
"""The same in bits, as mpmath counts them."""
CACHED_VARIABLE_SETS = 16
"""Tuples of variables whose monomials are remembered; a convention: few are in use at a time."""

_canonical = cmp_to_key(sympy.Basic.compare)


def expression(terms: Terms, symbols: tuple[sympy.Symbol, ...]) -> sympy.Expr:
    """The sympy expression of `terms`, with floating-point coefficients of `DOUBLE_DIGITS` digits.

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


def assembled(numbers: Mapping[Exponents, tuple], symbols: tuple[sympy.Symbol, ...],
              precision: int = PRECISION) -> sympy.Expr:
    """`expression` for coefficients in mpmath's raw form, of so many bits."""
    factors_of, make_float, make_product = _monomial_factors(tuple(symbols)), sympy.Float._new, sympy.Mul._from_args
    constant, parts = [], []
    # sympy's own order compares lengths, then coefficients: nearly there before it is asked
    for exponents, raw in sorted(numbers.items(), key=lambda item: (len(factors_of(item[0])), item[1])):
        number, factors = make_float(raw, precision), factors_of(exponents)
        if factors:
            parts.append(make_product((number, *factors), True))
        else:
            constant.append(number)
    return sympy.Add._from_args(constant + sorted(parts, key=_canonical), True)


@lru_cache(maxsize=CACHED_VARIABLE_SETS)
def _monomial_factors(symbols):
    """A function from exponents to the factors of that monomial, which remembers them."""
    @cache
    def factors(exponents):
        product = sympy.Mul(*[symbol**e for symbol, e in zip(symbols, exponents) if e])
        return product.args if product.is_Mul else (product,) if product != 1 else ()
    return factors


def monomial_text(exponents: tuple[int, ...], symbols: tuple) -> str:
    """A monomial as text; ``1`` for the constant.

    Examples
    --------
    >>> monomial_text((2, 1), sympy.symbols("x y")), monomial_text((0, 0), sympy.symbols("x y"))
    ('x**2*y', '1')
    """
    return str(sympy.Mul(*[symbol**e for symbol, e in zip(symbols, exponents)]))
