"""Dimension and degree of an ideal, read off the leading monomials of a grevlex basis.

For an order that compares degrees first, an ideal and its leading monomials have the same
(affine) Hilbert function.  Its generating series is N(t) / (1 - t)^n, and where
N(t) = (1 - t)^c M(t) with M(1) != 0, the dimension is n - c and the degree is M(1): the
degree of the part of highest dimension, counted with multiplicity.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..polynomials.terms import Exponents
from .arithmetic import divides


def dimension_and_degree(monomials: Iterable[Exponents], size: int) -> tuple[int, int]:
    """Dimension and degree of the ideal with these leading monomials in `size` variables.

    Examples
    --------
    >>> dimension_and_degree([(2, 0, 0), (1, 1, 0), (0, 2, 0)], 3)    # the twisted cubic
    (1, 3)
    >>> dimension_and_degree([(0, 0)], 2)                             # the ideal (1): no point at all
    (-1, 0)
    >>> dimension_and_degree([], 2)
    (2, 1)
    """
    numerator = _numerator([tuple(monomial) for monomial in monomials])
    if not any(numerator):
        return -1, 0
    codimension = 0
    while sum(numerator) == 0:                           # divide by 1 - t: partial sums
        total, quotient = 0, []
        for value in numerator[:-1]:
            total += value
            quotient.append(total)
        numerator = quotient
        codimension += 1
    return size - codimension, sum(numerator)


def _numerator(monomials):
    """Coefficients of N(t) for a monomial ideal: N(I) = N(I + p) + t^deg(p) N(I : p) for a pivot monomial p."""
    monomials = _minimal(monomials)
    shared = _most_shared_variable(monomials)
    if shared is None:                                   # coprime generators: a product
        result = [1]
        for monomial in monomials:
            result = _sum(result, [0] * sum(monomial) + [-value for value in result])
        return result
    powers = sorted(monomial[shared] for monomial in monomials if monomial[shared])
    power = powers[len(powers) // 2 - (len(powers) % 2 == 0)]
    pivot = tuple(power * (j == shared) for j in range(len(monomials[0])))
    inside = _numerator([m for m in monomials if not divides(pivot, m)] + [pivot])
    outside = _numerator([tuple(max(a - b, 0) for a, b in zip(m, pivot)) for m in monomials])
    return _sum(inside, [0] * power + outside)


def _minimal(monomials):
    """Generators that no other one divides."""
    kept = []
    for monomial in sorted(set(monomials), key=sum):
        if not any(divides(other, monomial) for other in kept):
            kept.append(monomial)
    return kept


def _most_shared_variable(monomials):
    counts = [sum(1 for e in exponents if e) for exponents in zip(*monomials)]
    return counts.index(max(counts)) if counts and max(counts) > 1 else None


def _sum(left, right):
    longer, shorter = (left, right) if len(left) >= len(right) else (right, left)
    return [a + (shorter[k] if k < len(shorter) else 0) for k, a in enumerate(longer)]
