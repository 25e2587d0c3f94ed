"""Ideals with finitely many zeros: linear algebra in the quotient ring.

The monomials that no leading monomial of a Groebner basis divides are a basis of the
quotient; multiplication by a polynomial u is a matrix there.  The minimal polynomial of u
is the first linear relation among 1, u, u^2, ...  Adding the squarefree part of each
variable's minimal polynomial makes the ideal radical (Seidenberg).  In a radical ideal with
D zeros some u = x_1 + c x_2 + c^2 x_3 + ... takes D different values, so 1, ..., u^(D-1)
is a basis as well and each variable is a polynomial in u: the real zeros are the real roots
of the minimal polynomial of u, and interval arithmetic encloses the other coordinates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import count
from typing import Any

import sympy

from ..ground.deadline import Deadline
from ..polynomials.conversion import exact_number, poly_of, terms_of
from ..polynomials.terms import Exponents, Terms
from .arithmetic import add_multiple, constant_polynomial, divide, divides, headed, unit_exponents
from .leading import dimension_and_degree

Box = tuple[tuple[Fraction, Fraction], ...]
"""One (low, high) per variable."""

_WIDTH = Fraction(1, 2**64)
"""Width of a box around a real solution, relative to a coordinate beyond 1: 2^-60 is promised, this is somewhat less."""
_NARROWER = 2**32
"""How much narrower the interval of u is made where a box is still too wide: two more words of digits, a convention."""


class Quotient:
    """The quotient ring of a grevlex Groebner basis with finitely many zeros.

    Attributes
    ----------
    monomials : list of tuple
        Its basis, smallest first.
    """

    def __init__(self, basis: Sequence[Terms], size: int, deadline: Deadline) -> None:
        self.size, self.deadline = size, deadline
        self.basis = headed(basis, "grevlex")
        self.monomials = _standard_monomials([head for head, _ in self.basis], size)

    def minimal_polynomial(self, element: Terms) -> list[Fraction]:
        """Coefficients, constant first and leading 1, of the minimal polynomial of an element."""
        powers = _Relations(self.deadline)
        power = constant_polynomial(self.size)
        while True:
            relation = powers.add(power)
            if relation is not None:
                return [-value for value in relation] + [Fraction(1)]
            power = self.times(power, element)

    def in_powers_of(self, element: Terms) -> list[list[Fraction]] | None:
        """Each variable as coefficients of 1, u, u^2, ...; None where the element u does not separate the zeros."""
        powers = _Relations(self.deadline)
        power = constant_polynomial(self.size)
        for _ in self.monomials:
            if powers.add(power) is not None:
                return None
            power = self.times(power, element)
        relations = (powers.add(self._reduced({unit: Fraction(1)})) for unit in unit_exponents(self.size))
        return [relation for relation in relations if relation is not None]      # all: the powers are a basis

    def times(self, left: Terms, element: Terms) -> dict[Exponents, Fraction]:
        """The product of two elements, reduced."""
        total: dict[Exponents, Fraction] = {}
        for exponents, value in element.items():
            total = add_multiple(total, value, left, exponents)
        return self._reduced(total)

    def _reduced(self, terms: Terms) -> dict[Exponents, Fraction]:
        return divide(terms, self.basis, "grevlex", self.deadline)


class _Relations:
    """Vectors (plain dictionaries) one after the other, each either independent or a combination of the earlier."""

    def __init__(self, deadline: Deadline) -> None:
        self.deadline = deadline
        # pivot, row with 1 there, its combination of the vectors
        self.rows: list[tuple[Any, dict[Any, Fraction], dict[int, Fraction]]] = []
        self.count = 0

    def add(self, vector: Mapping[Any, Fraction]) -> list[Fraction] | None:
        """None if `vector` is independent (it is kept), else its coefficients over the vectors kept so far."""
        self.deadline.check("linear algebra")
        rest: dict[Any, Fraction] = dict(vector)
        used: dict[int, Fraction] = {}
        for pivot, row, combination in self.rows:
            value = rest.get(pivot)
            if value:
                rest = add_multiple(rest, -value, row)
                used = add_multiple(used, value, combination)
        if not rest:
            return [used.get(k, Fraction(0)) for k in range(self.count)]
        pivot = max(rest)
        lead = rest[pivot]
        combination = {k: -value / lead for k, value in used.items()}
        combination[self.count] = 1 / lead
        self.rows.append((pivot, {k: value / lead for k, value in rest.items()}, combination))
        self.count += 1
        return None


def has_finitely_many_zeros(basis: Sequence[Terms], size: int) -> bool:
    """Whether a grevlex Groebner basis has a leading monomial that is a power of x_j, for each j."""
    return dimension_and_degree([head for head, _ in headed(basis, "grevlex")], size)[0] <= 0


def squarefree_parts(basis: Sequence[Terms], size: int, deadline: Deadline) -> list[dict[Exponents, Fraction]]:
    """The squarefree part of each variable's minimal polynomial: added to the ideal they make it radical."""
    quotient = Quotient(basis, size, deadline)
    parts = []
    for j, unit in enumerate(unit_exponents(size)):
        polynomial = _univariate(quotient.minimal_polynomial({unit: Fraction(1)})).sqf_part()
        deadline.check("squarefree part")
        parts.append({tuple(power * (k == j) for k in range(size)): value
                      for (power,), value in terms_of(polynomial, polynomial.gens).items()})
    return parts


def real_boxes(radical_basis: Sequence[Terms], size: int, deadline: Deadline) -> list[Box]:
    """The real zeros of a radical ideal with finitely many, each as one (low, high) per variable; sorted.

    Examples
    --------
    >>> from symknot.ground.deadline import Deadline
    >>> two = {(2,): Fraction(1), (0,): Fraction(-4)}
    >>> [[(str(low), str(high)) for low, high in box] for box in real_boxes([two], 1, Deadline())]
    [[('-2', '-2')], [('2', '2')]]
    """
    quotient = Quotient(radical_basis, size, deadline)
    if not quotient.monomials:
        return []
    for c in count(1):                                   # all but finitely many c separate the zeros
        separating = {unit: Fraction(c) ** j for j, unit in enumerate(unit_exponents(size))}
        variables = quotient.in_powers_of(separating)
        if variables is not None:
            break
    polynomial = _univariate(quotient.minimal_polynomial(separating))
    boxes = []
    for (low, high), _ in polynomial.intervals():
        boxes.append(_box(polynomial, low, high, variables, deadline))
    return sorted(boxes)


def _box(polynomial, low, high, variables, deadline):
    width = _WIDTH
    while True:                                          # narrower until every coordinate is narrow enough
        deadline.check("real solutions")
        low, high = polynomial.refine_root(low, high, eps=sympy.Rational(width.numerator, width.denominator))
        ends = exact_number(low), exact_number(high)
        box = tuple(_enclosure(coefficients, ends) for coefficients in variables)
        if all(b - a <= _WIDTH * max(1, abs(a), abs(b)) for a, b in box):
            return box
        width /= _NARROWER


def _enclosure(coefficients, ends):
    """Interval that holds the polynomial's values between two ends (Horner)."""
    low = high = Fraction(0)
    for value in reversed(coefficients):
        corners = [bound * end for bound in (low, high) for end in ends]
        low, high = min(corners) + value, max(corners) + value
    return low, high


def _univariate(coefficients):
    return poly_of({(power,): value for power, value in enumerate(coefficients) if value}, [sympy.Dummy("u")])


def _standard_monomials(heads, size):
    """Monomials that no head divides: finitely many."""
    found, front = [], [(0,) * size]
    while front:
        front = [m for m in front if not any(divides(head, m) for head in heads)]
        found += front
        front = sorted({tuple(map(int.__add__, m, unit)) for m in front for unit in unit_exponents(size)})
    return found
