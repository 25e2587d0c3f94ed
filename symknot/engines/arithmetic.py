"""Exact polynomial arithmetic on plain data (exponent tuple -> Fraction): sums, products, division by a basis."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ..ground.deadline import Deadline
from ..polynomials.term_orders import order_key
from ..polynomials.terms import Exponents, Terms

Headed = tuple[Exponents, dict[Exponents, Fraction]]
"""A monic polynomial after its leading monomial."""


def leading_monomial(terms: Terms, order: str = "grevlex") -> Exponents:
    """The largest exponent tuple."""
    return max(terms, key=order_key(order))


def add_multiple(terms: Mapping[Any, Fraction], factor: Fraction, other: Mapping[Any, Fraction],
                 shift: Exponents | None = None) -> dict[Any, Fraction]:
    """``terms + factor * x^shift * other``, without zero coefficients.

    Examples
    --------
    >>> add_multiple({(1,): Fraction(2)}, Fraction(-2), {(0,): Fraction(1)}, (1,))
    {}
    """
    total = dict(terms)
    for exponents, value in other.items():
        key = exponents if shift is None else tuple(map(int.__add__, exponents, shift))
        value = total.get(key, 0) + factor * value
        if value:
            total[key] = value
        else:
            total.pop(key, None)
    return total


def divides(left: Exponents, right: Exponents) -> bool:
    """Whether monomial `left` divides `right`."""
    return all(a <= b for a, b in zip(left, right))


def monic(terms: Terms, order: str = "grevlex") -> dict[Exponents, Fraction]:
    """The polynomial divided by its leading coefficient."""
    lead = terms[leading_monomial(terms, order)]
    return {exponents: value / lead for exponents, value in terms.items()}


def divide(terms: Terms, basis: Sequence[Headed], order: str, deadline: Deadline) -> dict[Exponents, Fraction]:
    """Remainder of a polynomial on division by `basis`, no term of it divisible by a leading monomial.

    Parameters
    ----------
    basis : list of (exponent tuple, polynomial)
        Monic polynomials with their leading monomials; the remainder is unique for a Groebner basis.
    deadline : Deadline

    Examples
    --------
    >>> from symknot.ground.deadline import Deadline
    >>> circle = {(2, 0): Fraction(1), (0, 2): Fraction(1), (0, 0): Fraction(-1)}
    >>> divide({(3, 0): Fraction(1)}, [((2, 0), circle)], "grevlex", Deadline())
    {(1, 0): Fraction(1, 1), (1, 2): Fraction(-1, 1)}
    """
    key = order_key(order)
    rest: dict[Exponents, Fraction] = dict(terms)
    remainder: dict[Exponents, Fraction] = {}
    while rest:
        deadline.check("division")
        lead = max(rest, key=key)
        for head, divisor in basis:
            if divides(head, lead):
                rest = add_multiple(rest, -rest[lead], divisor, tuple(map(int.__sub__, lead, head)))
                break
        else:
            remainder[lead] = rest.pop(lead)
    return dict(sorted(remainder.items(), key=lambda term: key(term[0])))


def headed(basis: Iterable[Terms], order: str) -> list[Headed]:
    """Each polynomial of a basis, monic, with its leading monomial; smallest first."""
    pairs, key = [(leading_monomial(terms, order), monic(terms, order)) for terms in basis], order_key(order)
    return sorted(pairs, key=lambda pair: key(pair[0]))


def exact_quotient(terms: Terms, divisor: Terms, deadline: Deadline) -> dict[Exponents, Fraction]:
    """``terms / divisor`` where the division has no remainder."""
    head = leading_monomial(divisor)
    lead = divisor[head]
    rest: dict[Exponents, Fraction] = dict(terms)
    quotient: dict[Exponents, Fraction] = {}
    while rest:
        deadline.check("division")
        top = leading_monomial(rest)
        shift = tuple(map(int.__sub__, top, head))
        quotient[shift] = rest[top] / lead
        rest = add_multiple(rest, -quotient[shift], divisor, shift)
    return quotient


def constant_polynomial(size: int, value: int = 1) -> dict[Exponents, Fraction]:
    """The constant as a polynomial in `size` variables."""
    return {(0,) * size: Fraction(value)}


def unit_exponents(size: int) -> list[Exponents]:
    """The exponents of each variable."""
    return [tuple(int(i == j) for i in range(size)) for j in range(size)]


def is_one(basis: Sequence[Terms]) -> bool:
    """Whether a Groebner basis is that of the ideal (1)."""
    return len(basis) == 1 and not any(map(any, basis[0]))


def without_places(terms: Terms, places: Collection[int]) -> dict[Exponents, Fraction]:
    """A polynomial that is free of the variables at `places`, as one in the others."""
    return {tuple(e for k, e in enumerate(exponents) if k not in places): value for exponents, value in terms.items()}
