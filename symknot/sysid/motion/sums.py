"""Hypotheses, which are sums with denominators, as the fractions that the full estimate knows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...polynomials.monomials import monomials
from .fields import Field
from .functions import FunctionOf
from .screening import Hypothesis, Reciprocal, Screen


def field_of_hypothesis(found: Hypothesis, screen: Screen) -> tuple[Field, np.ndarray]:
    """The right-hand sides as fractions, and their coefficients.

    An equation's denominator is the product of those that it uses; what was p + q / d is (p d + q) / d.
    """
    chosen = tuple(one for one in found.factors if isinstance(one, FunctionOf))
    zeros, letters = (0,) * len(chosen), len(screen.letters)
    exponents = [(*row, *zeros) for row in monomials(letters, screen.degree).exponents.tolist()]
    parts = []
    for j in range(screen.found.field.equations):
        below = sorted({f for i, f, _, _ in found.terms if i == j and f >= 0 and isinstance(found.factors[f], Reciprocal)})
        above: dict[tuple[int, ...], float] = {}
        for f, k, value in ((f, k, value) for i, f, k, value in found.terms if i == j):
            power = exponents[k]
            if f >= 0 and f not in below:
                place = letters + chosen.index(found.factors[f])
                power = (*power[:place], 1, *power[place + 1:])
            for e, c in _product({power: value}, [found.factors[g] for g in below if g != f], zeros).items():
                above[e] = above.get(e, 0.0) + c
        parts.append((above, _product({(0,) * (letters + len(zeros)): 1.0}, [found.factors[g] for g in below], zeros)))
    return field_of_parts(parts, screen.found.field.arguments, (*screen.direct, *chosen))


def _product(polynomial, reciprocals, zeros):
    """A polynomial times the denominators of reciprocals."""
    for one in reciprocals:
        out = {}
        for e, c in polynomial.items():
            raised = tuple(a + b for a, b in zip(e, (*one.exponents, *zeros)))
            out[e] = out.get(e, 0.0) + one.offset * c
            out[raised] = out.get(raised, 0.0) + c
        polynomial = out
    return polynomial


def field_of_parts(parts: Sequence[Sequence[dict[tuple[int, ...], float]]], arguments: int,
                   functions: Sequence[FunctionOf]) -> tuple[Field, np.ndarray]:
    """The `Field` of numerators and denominators given as dictionaries; the largest exponents of each are its pivot."""
    degree = max(sum(e) for above, below in parts for e in (*above, *below, (1,)))
    places = {tuple(row): k for k, row in enumerate(monomials(arguments + len(functions), degree).exponents.tolist())}
    numerators, denominators_, pivots, coefficients = [], [], [], []
    for above, below in parts:
        pivot = max(below, key=lambda e: (sum(e), e))
        rest = {places[e]: c / below[pivot] for e, c in below.items() if e != pivot}
        top = {places[e]: c / below[pivot] for e, c in above.items()}
        numerators.append(np.array(sorted(top), dtype=int))
        denominators_.append(np.array(sorted(rest), dtype=int))
        pivots.append(places[pivot])
        coefficients += [top[k] for k in sorted(top)] + [rest[k] for k in sorted(rest)]
    field = Field(arguments, degree, tuple(numerators), tuple(denominators_), tuple(pivots), tuple(functions))
    return field, np.array(coefficients)
