"""What every engine can be asked: one door for all of them.

The public calls check their input once, turn it into plain data, answer what needs no
program at all (the ideals (0) and (1), polynomial 0), and pass the rest to the private
method of the same name that each engine brings.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import sympy

from ..ground.errors import InvalidOption
from ..polynomials.conversion import exact_number, poly_of, terms_of
from ..polynomials.term_orders import checked_order
from ..polynomials.terms import Terms
from .arithmetic import constant_polynomial
from .conversion import Generators, Polynomials, Variables, as_basis, exact_points, read_generators, read_variables
from .process import DEFAULT_MEMORY, DEFAULT_TIMEOUT, Limits


class Engine:
    """A computer algebra system that answers questions about an ideal over the rational numbers.

    Every call takes the generators as a sequence of `sympy.Poly` over QQ or ZZ, or as sympy
    expressions together with `variables=`, and the limits `timeout` (seconds, None for none) and
    `memory` (MB per process, None for none).  Floats and strings are refused.  Bases are returned
    reduced and monic, as `sympy.Poly` over QQ, the largest leading monomial first.

    Attributes
    ----------
    name : str
    path : str or None
        The program's file.
    """

    name: str = ""
    path: str | None = None

    def __repr__(self) -> str:
        return f"<engine {self.name}>" if self.path is None else f"<engine {self.name}: {self.path}>"

    def groebner(self, polynomials: Polynomials, order: str = "grevlex", *, variables: Variables | None = None,
                 timeout: float | None = DEFAULT_TIMEOUT, memory: int | None = DEFAULT_MEMORY) -> list[sympy.Poly]:
        """Reduced Groebner basis in the order "grevlex", "grlex" or "lex".

        Returns
        -------
        list of sympy.Poly
            Empty for the ideal (0).
        """
        variables, generators = read_generators(polynomials, variables)
        basis = self._basis("groebner", (timeout, memory), generators, checked_order(order))
        return as_basis(basis, variables, order)

    def dimension(self, polynomials: Polynomials, *, variables: Variables | None = None,
                  timeout: float | None = DEFAULT_TIMEOUT, memory: int | None = DEFAULT_MEMORY) -> int:
        """Dimension of the variety over the complex numbers; -1 for the ideal (1), which has no zero."""
        _, generators = read_generators(polynomials, variables)
        limits = Limits.checked(timeout, memory)
        return self._answer("dimension", limits, generators) if generators.polynomials else generators.size

    def degree(self, polynomials: Polynomials, *, variables: Variables | None = None,
               timeout: float | None = DEFAULT_TIMEOUT, memory: int | None = DEFAULT_MEMORY) -> int:
        """Degree of the part of highest dimension, counted with multiplicity; 0 for the ideal (1)."""
        _, generators = read_generators(polynomials, variables)
        limits = Limits.checked(timeout, memory)
        return self._answer("degree", limits, generators) if generators.polynomials else 1

    def radical(self, polynomials: Polynomials, *, variables: Variables | None = None,
                timeout: float | None = DEFAULT_TIMEOUT, memory: int | None = DEFAULT_MEMORY) -> list[sympy.Poly]:
        """Grevlex basis of the radical: of all polynomials that vanish on the variety."""
        variables, generators = read_generators(polynomials, variables)
        return as_basis(self._basis("radical", (timeout, memory), generators), variables)

    def is_radical(self, polynomials: Polynomials, *, variables: Variables | None = None,
                   timeout: float | None = DEFAULT_TIMEOUT, memory: int | None = DEFAULT_MEMORY) -> bool:
        """Whether the ideal holds every polynomial that vanishes on its variety."""
        _, generators = read_generators(polynomials, variables)
        limits = Limits.checked(timeout, memory)
        return not generators.polynomials or self._answer("is_radical", limits, generators)

    def primary_decomposition(self, polynomials: Polynomials, *, variables: Variables | None = None,
                              timeout: float | None = DEFAULT_TIMEOUT,
                              memory: int | None = DEFAULT_MEMORY) -> list[tuple[list[sympy.Poly], list[sympy.Poly]]]:
        """Primary ideals whose intersection is the ideal, each with its prime.

        Returns
        -------
        list of (list of sympy.Poly, list of sympy.Poly)
            Primary and prime as grevlex bases, in a fixed order; empty for the ideal (1).
        """
        variables, generators = read_generators(polynomials, variables)
        limits = Limits.checked(timeout, memory)
        pairs = self._answer("primary_decomposition", limits, generators) if generators.polynomials else [([], [])]
        pairs = [tuple(as_basis(basis, variables) for basis in pair) for pair in pairs]
        return sorted(pairs, key=_prime_first)

    def eliminate(self, polynomials: Polynomials, eliminated: Variables, *, variables: Variables | None = None,
                  timeout: float | None = DEFAULT_TIMEOUT, memory: int | None = DEFAULT_MEMORY) -> list[sympy.Poly]:
        """Grevlex basis of the polynomials of the ideal that are free of the variables `eliminated`.

        Returns
        -------
        list of sympy.Poly
            In the variables that are left.
        """
        variables, generators = read_generators(polynomials, variables)
        eliminated = read_variables(eliminated)
        left = tuple(v for v in variables if v not in eliminated)
        if not set(eliminated) <= set(variables) or not left:
            raise InvalidOption("eliminated", eliminated, f"some but not all of {', '.join(map(str, variables))}")
        places = [k for k, v in enumerate(variables) if v in eliminated]
        return as_basis(self._basis("eliminate", (timeout, memory), generators, places), left)

    def contains(self, polynomials: Polynomials, g: sympy.Expr | sympy.Poly, *, variables: Variables | None = None,
                 timeout: float | None = DEFAULT_TIMEOUT, memory: int | None = DEFAULT_MEMORY) -> bool:
        """Whether polynomial `g` is in the ideal."""
        return self.normal_form(polynomials, g, variables=variables, timeout=timeout, memory=memory).is_zero

    def normal_form(self, polynomials: Polynomials, g: sympy.Expr | sympy.Poly, order: str = "grevlex", *,
                    variables: Variables | None = None, timeout: float | None = DEFAULT_TIMEOUT,
                    memory: int | None = DEFAULT_MEMORY) -> sympy.Poly:
        """What is left of polynomial `g` on division by the Groebner basis: zero exactly when g is in the ideal."""
        variables, generators = read_generators(polynomials, variables)
        g, limits = terms_of(g, variables, "g"), Limits.checked(timeout, memory)
        order = checked_order(order)
        rest = self._answer("normal_form", limits, generators, g, order) if g and generators.polynomials else g
        return poly_of(rest, variables)

    def cofactors(self, polynomials: Polynomials, g: sympy.Expr | sympy.Poly, *, variables: Variables | None = None,
                  timeout: float | None = DEFAULT_TIMEOUT, memory: int | None = DEFAULT_MEMORY) -> list[sympy.Poly] | None:
        """Factors h, one for each of the polynomials p, with g = sum of h p; None when g is not in the ideal."""
        polynomials = list(polynomials)
        variables, generators = read_generators(polynomials, variables)
        terms, limits = terms_of(g, variables, "g"), Limits.checked(timeout, memory)
        given = [terms_of(polynomial, variables, "polynomials") for polynomial in polynomials]
        if not terms or not generators.polynomials:
            return None if terms else [poly_of({}, variables) for _ in given]
        found = self._answer("cofactors", limits, generators, terms)
        if found is None:
            return None
        factors = iter(found)
        return [poly_of(next(factors) if p else {}, variables) for p in given]

    def quotient(self, polynomials: Polynomials, g: sympy.Expr | sympy.Poly, *, variables: Variables | None = None,
                 timeout: float | None = DEFAULT_TIMEOUT, memory: int | None = DEFAULT_MEMORY) -> list[sympy.Poly]:
        """Grevlex basis of all f for which f g is in the ideal."""
        return self._with_polynomial("quotient", polynomials, g, variables, (timeout, memory))

    def saturate(self, polynomials: Polynomials, g: sympy.Expr | sympy.Poly, *, variables: Variables | None = None,
                 timeout: float | None = DEFAULT_TIMEOUT, memory: int | None = DEFAULT_MEMORY) -> list[sympy.Poly]:
        """Grevlex basis of all f for which f g^k is in the ideal for some k: the variety without its part in g = 0."""
        return self._with_polynomial("saturate", polynomials, g, variables, (timeout, memory))

    def intersect(self, ideals: Iterable[Polynomials], *, variables: Variables | None = None,
                  timeout: float | None = DEFAULT_TIMEOUT, memory: int | None = DEFAULT_MEMORY) -> list[sympy.Poly]:
        """Grevlex basis of the intersection of several ideals, each given by its generators: the union of varieties."""
        ideals = list(ideals)
        if not ideals:
            raise InvalidOption("ideals", ideals, "at least one ideal")
        symbols, first = read_generators(ideals[0], variables)
        read = [first, *(read_generators(ideal, symbols)[1] for ideal in ideals[1:])]
        limits = Limits.checked(timeout, memory)
        whole = all(generators.polynomials for generators in read)
        return as_basis(self._answer("intersect", limits, read) if whole else [], symbols)

    def points_ideal(self, points: Iterable[Iterable[int | Fraction | sympy.Rational]], variables: Variables,
                     order: str = "grevlex", *, timeout: float | None = DEFAULT_TIMEOUT,
                     memory: int | None = DEFAULT_MEMORY) -> list[sympy.Poly]:
        """Groebner basis of all polynomials that vanish on some points.

        Parameters
        ----------
        points : sequence of rows
            Whole numbers, `fractions.Fraction` or `sympy.Rational`, one per variable; not floats.
        variables : sequence of sympy.Symbol or str

        Returns
        -------
        list of sympy.Poly
        """
        variables = read_variables(variables)
        points, limits = exact_points(points, len(variables)), Limits.checked(timeout, memory)
        basis = [constant_polynomial(len(variables))]
        order = checked_order(order)
        if points:
            basis = self._answer("points_ideal", limits, list(dict.fromkeys(points)), len(variables), order)
        return as_basis(basis, variables, order)

    def real_solutions(self, polynomials: Polynomials, *, variables: Variables | None = None,
                       timeout: float | None = DEFAULT_TIMEOUT,
                       memory: int | None = DEFAULT_MEMORY) -> list[tuple[tuple[Fraction, Fraction], ...]]:
        """All real zeros of an ideal with finitely many complex zeros.

        Returns
        -------
        list of tuple of (Fraction, Fraction)
            Per zero, counted once, and per variable an interval (low, high) that holds its coordinate, not wider
            than 2^-60 times the larger of 1 and its size; low = high where the coordinate is known exactly.  Sorted.
        """
        _, generators = read_generators(polynomials, variables)
        limits = Limits.checked(timeout, memory)
        boxes = self._answer("real_solutions", limits, generators) if generators.polynomials else None
        if boxes is None:
            raise InvalidOption("polynomials", list(polynomials), "with finitely many complex zeros "
                                                                  "(see dimension; add equations)")
        return sorted(tuple(tuple(interval) for interval in box) for box in boxes)

    def _with_polynomial(self, call: str, polynomials: Iterable[Any], g: Any, variables: Iterable[Any] | None,
                         limits: tuple[float | None, int | None]) -> list[sympy.Poly]:
        variables, generators = read_generators(polynomials, variables)
        g = terms_of(g, variables, "g")
        if not g:                                        # every f has f 0 in the ideal
            return as_basis([constant_polynomial(generators.size)], variables)
        return as_basis(self._basis(call, limits, generators, g), variables)

    def _basis(self, call: str, limits: tuple[float | None, int | None], generators: Generators,
               *rest: Any) -> list[Terms]:
        """Answer of a call that maps the ideal (0) to itself."""
        checked = Limits.checked(*limits)
        return self._answer(call, checked, generators, *rest) if generators.polynomials else []

    def _version(self, limits: Limits) -> str | None:
        """What the program says of its version; None where there is no one program."""
        return None

    def _answer(self, call: str, limits: Limits, *arguments: Any) -> Any:
        """The private method `_call` of this engine, on plain data."""
        return getattr(self, f"_{call}")(*arguments, limits)


def _prime_first(pair):
    """Sort key of a primary component: the terms of its prime, then its own."""
    return [[(exponents, exact_number(value)) for p in basis for exponents, value in p.terms()]
            for basis in reversed(pair)]
