"""Polynomials as sympy expressions that are nested as the recursion found them."""

from __future__ import annotations

import numpy as np
import sympy

from ..fitting.recursion import Recursion
from ..polynomials.expressions import DOUBLE_DIGITS


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

    def __init__(self, recursion: Recursion, center: np.ndarray, scale: np.ndarray,
                 symbols: tuple[sympy.Symbol, ...]) -> None:
        self.recursion = recursion
        self.variables = [_product(_float(1) / _float(s), _sum([symbol, _float(-c)] if c else [symbol]))
                          for symbol, c, s in zip(symbols, center.tolist(), scale.tolist())]
        self.F = [[_float(recursion.constant)]]

    def polynomial(self, index: int, unit: float) -> sympy.Expr:
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
    return sympy.Float(value, DOUBLE_DIGITS)


def _sum(parts):
    return sympy.Add(*parts, evaluate=False) if parts else sympy.Float(0, DOUBLE_DIGITS)


def _product(number, *polynomials):
    """`number` times the polynomials, not multiplied out; plain numbers are."""
    numbers = [f for f in polynomials if f.is_Float]
    others = [f for f in polynomials if not f.is_Float]
    return sympy.Mul(number * sympy.Mul(*numbers), *others, evaluate=False)
