"""Python: a module that needs numpy only."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ..polynomials.numerals import literal_text, nearest_float
from . import reserved
from .names import Rules
from .registry import target
from .script import Comment, header, listed
from .system import System

COMMENT = Comment("#")
RULES = Rules(reserved.SAGE)


@target("python", suffix=".py", comment=COMMENT, rules=RULES)
def to_python(system: System) -> str:
    """A Python module with ``NAMES``, ``KNOTS``, ``POLYNOMIALS`` (exact) and ``evaluate(X)``.

    Parameters
    ----------
    system : System

    Returns
    -------
    str

    Examples
    --------
    >>> from fractions import Fraction
    >>> from symknot.export import System
    >>> module = {}
    >>> exec(to_python(System(("a b",), ({(2,): Fraction(1, 2), (0,): Fraction(-2)},))), module)
    >>> module["NAMES"], module["evaluate"]([[2.0], [4.0]]).tolist()
    (('a b',), [[0.0], [6.0]])
    """
    for k, terms in enumerate(system.polynomials, start=1):
        for value in terms.values():
            nearest_float(value, f"a coefficient of polynomial {k}")
    for value in (value for knot in system.knots for value in knot):
        nearest_float(value, "a coordinate of a knot")
    polynomials = ["(" + ", ".join(f"({exponents!r}, {_pair(value)})" for exponents, value in terms.items())
                   + "," * bool(terms) + ")" for terms in system.polynomials]
    knots = ["(" + ", ".join(map(_pair, knot)) + ",)" for knot in system.distinct_knots]
    return (header(system, RULES.safe_names(system.names), COMMENT) + IMPORTS
            + f"NAMES = ({', '.join(map(ascii, system.names))},)\n\n"
            + "# Per polynomial, its terms: exponents, then numerator and denominator.\n"
            + f"_TERMS = {_table(polynomials)}\n"
            + f"# One knot per row, as numerators and denominators.\n_KNOTS = {_table(knots)}\n" + CODE)


def _pair(value: Fraction) -> str:
    return f"({literal_text(value.numerator)}, {literal_text(value.denominator)})"


def _table(rows: Sequence[str]) -> str:
    return f"(\n{listed(rows, '    ')},\n)" if rows else "()"


IMPORTS = '''"""Polynomial equations: `evaluate` gives their values at points."""

from fractions import Fraction
from math import prod

import numpy as np

'''

CODE = '''
# Exact: one dict per polynomial, exponents -> Fraction; and the knots.
POLYNOMIALS = tuple({exponents: Fraction(*value) for exponents, value in terms} for terms in _TERMS)
EXACT_KNOTS = tuple(tuple(Fraction(*value) for value in knot) for knot in _KNOTS)
KNOTS = np.array([[float(value) for value in knot] for knot in EXACT_KNOTS]).reshape(-1, len(NAMES))

_MONOMIALS = tuple(dict.fromkeys(exponents for polynomial in POLYNOMIALS for exponents in polynomial))
_PLACES = {exponents: place for place, exponents in enumerate(_MONOMIALS)}
_COEFFICIENTS = tuple(([_PLACES[exponents] for exponents in polynomial],
                       np.array([float(value) for value in polynomial.values()])) for polynomial in POLYNOMIALS)


def evaluate(X):
    """Values (n, number of polynomials) at points X (n, number of variables), in doubles; exactly where these cancel."""
    X = np.asarray(X, dtype=float)
    if X.ndim != 2 or X.shape[1] != len(NAMES):
        raise ValueError(f"need points of shape (n, {len(NAMES)}), got {X.shape}")
    monomials = np.ones((len(X), len(_MONOMIALS)))
    for place, exponents in enumerate(_MONOMIALS):
        for column, power in enumerate(exponents):
            if power:
                monomials[:, place] *= X[:, column] ** power
    values = np.zeros((len(X), len(POLYNOMIALS)))
    for k, (places, coefficients) in enumerate(_COEFFICIENTS):
        values[:, k] = monomials[:, places] @ coefficients
        if len(X) and places:
            lost = np.finfo(float).eps * (np.abs(monomials[:, places]) @ np.abs(coefficients))
            for row in np.flatnonzero(lost > 1e-12 * np.abs(values[:, k]).max()) if np.isfinite(lost).all() else ():
                point = [Fraction(float(x)) for x in X[row]]
                values[row, k] = float(sum(value * prod(x**e for x, e in zip(point, exponents))
                                           for exponents, value in POLYNOMIALS[k].items()))
    return values
'''
