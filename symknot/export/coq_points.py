r"""Points ideals for Coq: that the zeros of a Groebner basis are exactly the points.

Coq multiplies each variable by the common denominator of its coordinates, so that the points become whole: otherwise every
value carries the denominators' powers of all variables.  Let T be the matrix of the standard monomials' values at the N
points then.  Coq is given a matrix X of whole numbers next to :math:`den\, T^{-1}` and checks that X T and T X
are near den I: that T is invertible.  With errors of 1/2 in the entries of X, the rows of X T - den I add up to at most
:math:`N^2 \max |T| / 2`; with `den` four times as large they are proved to be small enough.

The steps derive, at a common zero of the basis, every product of a variable and a standard monomial from standard ones: a
step multiplies an element of the basis, whose leading monomial divides the product, by what is missing, and its other
terms were derived before (they are smaller in the term order).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from ..ground.errors import InvalidOption
from ..ground.exact_linear import solve
from ..polynomials.term_orders import order_key
from ..polynomials.terms import Exponents, Terms, monomial_values
from .coq_text import data, listed, matrix
from .statements import PointsBasis
from .system import System

ROUNDING_ROOM = 4
"""Factor by which `den` exceeds the bound of the rounding errors: Coq asks for twice their sum to be at most den."""


POINTS = "(* Points: numerator and denominator of each coordinate, and the highest power of the variable that occurs. *)\n"


def in_order(terms: Terms, order: str) -> Terms:
    """The polynomial with its leading term first."""
    key = order_key(order)
    return dict(sorted(terms.items(), key=lambda term: key(term[0]), reverse=True))


def exact_points_text(system: System, statement: PointsBasis, place: int) -> str:
    """The points, and the theorem that the basis is zero exactly there; each skPk is made of the terms skPkTerms."""
    size = system.dimension
    basis = [in_order(system.polynomials[index], statement.order) for index in statement.polynomials]
    leading = [next(iter(terms)) for terms in basis]
    standard = _standard(leading, len(statement.points))
    if len(standard) != len(statement.points) or len(set(statement.points)) != len(statement.points):
        raise InvalidOption("statement", f"{len(standard)} standard monomials for {len(set(statement.points))} distinct points",
                            "true: a Groebner basis of the points has as many standard monomials as there are points")
    steps = _steps(basis, leading, standard)
    units = [lcm(*(x.denominator for x in column)) for column in zip(*statement.points)]
    top = [max(e[j] for terms in basis for e in terms) for j in range(size)]
    X, den = _near_inverse([[x * unit for x, unit in zip(point, units)] for point in statement.points], standard)
    ones = listed(["1"] * len(standard))
    polys, terms = ("; ".join(f"skP{index + 1}{end}" for index in statement.polynomials) for end in ("", "Terms"))
    return (f"{POINTS}Definition skPoints{place} : list (list (Z * Z * nat)) :=\n  {points_text(system, statement.points)}.\n"
            f"(* The common real zeros of the basis are exactly the points. *)\n"
            f"Theorem zeros_are_the_points_{place} : forall x,\n"
            f"  (forall p, In p [{polys}] -> eval p x = 0%R) <->\n"
            f"  (exists l, In l skPoints{place} /\\ forall i, (i < {size})%nat -> x i = point (coordinates l) i).\n"
            f"Proof.\n  apply (exact_rational_points_sound {size} {listed(map(data, units))} {_exponents(top)}\n"
            f"  skPoints{place} {listed(map(_exponents, standard))}\n  [{terms}]\n"
            f"  {listed(f'({_exponents(w)}, {k}%nat)' for w, k in steps)}\n  {matrix(X)}\n  {data(den)} {ones} {ones}).\n"
            "  vm_cast_no_check (eq_refl true).\nQed.\n")


def points_text(system: System, points: Sequence[Sequence[Fraction]]) -> str:
    """Rational points: numerator, denominator, and the highest power of each variable."""
    highest = [max((e[j] for terms in system.polynomials for e in terms), default=0) for j in range(system.dimension)]
    return listed(listed(f"({data(x.numerator)}, {data(x.denominator)}, {top}%nat)" for x, top in zip(point, highest))
                  for point in points)


def _exponents(exponents: Sequence[int]) -> str:
    return f"[{'; '.join(map(str, exponents))}]%nat"


def _divides(first: Exponents, second: Exponents) -> bool:
    return all(a <= b for a, b in zip(first, second))


def _standard(leading: Sequence[Exponents], most: int) -> list[Exponents]:
    """The monomials that no leading one divides; only some of them where they are more than `most`."""
    found: list[Exponents] = []
    last = {(0,) * len(leading[0])}
    while last and len(found) <= most:
        last = {e for e in last if not any(_divides(lead, e) for lead in leading)}
        found += sorted(last)
        last = {(*e[:j], e[j] + 1, *e[j + 1:]) for e in last for j in range(len(e))}
    return found


def _steps(basis, leading, standard) -> list[tuple[Exponents, int]]:
    """Factor and element of the basis, in an order in which all that a step needs is there."""
    known, steps = set(standard), []
    size = len(leading[0])
    waiting = [(*m[:j], m[j] + 1, *m[j + 1:]) for m in standard for j in range(size)]
    while waiting:
        product = waiting[-1]
        if product in known:
            waiting.pop()
            continue
        k = next(k for k, lead in enumerate(leading) if _divides(lead, product))
        factor = tuple(a - b for a, b in zip(product, leading[k]))
        needed = [tuple(map(int.__add__, factor, e)) for e in list(basis[k])[1:]]
        missing = [e for e in needed if e not in known]
        if missing:
            waiting += missing
        else:
            known.add(product)
            steps.append((factor, k))
            waiting.pop()
    return steps


def _near_inverse(points: Sequence[Sequence[Fraction]], standard: Sequence[Exponents]) -> tuple[list[list[int]], int]:
    T = [list(map(int, row)) for row in monomial_values(standard, points)]
    count = len(T)
    bound = count**2 * max(abs(value) for row in T for value in row)
    den = 1 << (ROUNDING_ROOM * bound).bit_length()
    identity = [[Fraction(int(i == j)) for j in range(count)] for i in range(count)]
    # rows of T here are points: Coq's T is the transpose, and so is the inverse
    inverse = solve([[Fraction(value) for value in column] for column in zip(*T)], identity)
    if inverse is None:
        raise InvalidOption("statement", "standard monomials that depend on each other on the points", "true")
    return [[round(value * den) for value in row] for row in inverse], den
