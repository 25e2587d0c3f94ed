"""Cofactors by linear algebra: g as a combination of products of the generators with monomials.

Of degree after degree all products are put into echelon form, with a record of what each row is made of, until g is one
of their combinations.  For a polynomial of the ideal that is so at some degree.  Meant for small questions, where no
computer algebra system is at hand.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement

from ..ground.deadline import Deadline
from ..polynomials.terms import Exponents, Terms
from .arithmetic import add_multiple
from .conversion import Generators

Row = tuple[dict[Exponents, Fraction], dict[tuple[int, Exponents], Fraction]]
"""A polynomial, and what it is made of: (generator, monomial) -> coefficient."""


def lifted(generators: Generators, g: Terms, deadline: Deadline) -> list[dict[Exponents, Fraction]]:
    """One factor per generator; `g` must be in the ideal.

    Examples
    --------
    >>> x, y = {(1, 0): Fraction(1)}, {(0, 1): Fraction(1)}
    >>> lifted(Generators(2, (x, y)), {(2, 0): Fraction(1), (0, 1): Fraction(3)}, Deadline())
    [{(1, 0): Fraction(1, 1)}, {(0, 0): Fraction(3, 1)}]
    """
    pivots: dict[Exponents, Row] = {}
    lowest = [max(map(sum, terms)) for terms in generators.polynomials]
    degree = min(lowest)
    while True:
        for place, (terms, own) in enumerate(zip(generators.polynomials, lowest)):
            for factor in _monomials(generators.size, degree - own) if degree >= own else ():
                deadline.check("cofactors")
                moved = {tuple(map(int.__add__, e, factor)): value for e, value in terms.items()}
                polynomial, made = _reduced((moved, {(place, factor): Fraction(1)}), pivots, deadline)
                if polynomial:
                    pivots[max(polynomial)] = (polynomial, made)
        rest, made = _reduced((dict(g), {}), pivots, deadline)
        if not rest:
            factors: list[dict[Exponents, Fraction]] = [{} for _ in generators.polynomials]
            for (place, factor), value in made.items():
                factors[place][factor] = -value
            return factors
        degree += 1


def _reduced(row: Row, pivots: dict[Exponents, Row], deadline: Deadline) -> Row:
    """A row without the pivots' monomials."""
    polynomial, made = row
    waiting = True
    while waiting:
        deadline.check("cofactors")
        lead = max((e for e in polynomial if e in pivots), default=None)
        waiting = lead is not None
        if lead is not None:
            other, parts = pivots[lead]
            factor = -polynomial[lead] / other[lead]
            polynomial, made = add_multiple(polynomial, factor, other), add_multiple(made, factor, parts)
    return polynomial, made


def _monomials(size: int, degree: int) -> list[Exponents]:
    """All of exactly this degree."""
    return [tuple(chosen.count(k) for k in range(size)) for chosen in combinations_with_replacement(range(size), degree)]
