"""Answers that follow from Groebner bases and elimination, for engines that have nothing better.

With an extra variable t (Cox, Little and O'Shea, *Ideals, Varieties, and Algorithms*, chapter 4):
I and J meet in (t I + (1 - t) J) without t; the saturation of I by g is (I, 1 - t g) without t;
the quotient of I by g is (I and (g)) / g.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from ..ground.errors import NotSupported
from ..polynomials.conversion import poly_of, terms_of
from ..polynomials.vanishing import vanishing_on_points
from .arithmetic import (
    add_multiple,
    constant_polynomial,
    divide,
    exact_quotient,
    headed,
    leading_monomial,
)
from .base import Engine
from .conversion import Generators
from .finite import has_finitely_many_zeros, real_boxes, squarefree_parts
from .leading import dimension_and_degree
from .lifting import lifted


class DerivedEngine(Engine):
    """An engine that must bring `_groebner(generators, order, limits)` and `_eliminate(generators, places, limits)`."""

    def _dimension(self, generators, limits):
        return self._dimension_and_degree(generators, limits)[0]

    def _degree(self, generators, limits):
        return self._dimension_and_degree(generators, limits)[1]

    def _dimension_and_degree(self, generators, limits):
        basis = self._groebner(generators, "grevlex", limits)
        return dimension_and_degree([leading_monomial(terms) for terms in basis], generators.size)

    def _normal_form(self, generators, g, order, limits):
        return divide(g, headed(self._groebner(generators, order, limits), order), order, limits.deadline)

    def _saturate(self, generators, g, limits):
        longer = [_with_t(terms) for terms in generators.polynomials]
        longer.append(add_multiple(constant_polynomial(generators.size + 1), Fraction(-1), _with_t(g, 1)))
        return self._eliminate(Generators(generators.size + 1, tuple(longer)), [0], limits)

    def _cofactors(self, generators, g, limits):
        return None if self._normal_form(generators, g, "grevlex", limits) else lifted(generators, g, limits.deadline)

    def _intersect(self, ideals, limits):
        common = ideals[0]
        if len(ideals) == 1:
            return self._groebner(common, "grevlex", limits)
        for other in ideals[1:]:
            longer = [_with_t(terms, 1) for terms in common.polynomials]
            longer += [add_multiple(_with_t(terms), Fraction(-1), _with_t(terms, 1)) for terms in other.polynomials]
            basis = self._eliminate(Generators(common.size + 1, tuple(longer)), [0], limits)
            common = Generators(common.size, tuple(basis))
        return list(common.polynomials)

    def _quotient(self, generators, g, limits):
        multiples = self._intersect([generators, Generators(generators.size, (g,))], limits)
        quotients = [exact_quotient(terms, g, limits.deadline) for terms in multiples]
        return self._groebner(Generators(generators.size, tuple(quotients)), "grevlex", limits)

    def _points_ideal(self, points, size, order, limits):
        distinct, names = list(dict.fromkeys(map(tuple, points))), [f"x{j}" for j in range(size)]
        return list(vanishing_on_points(distinct, names, order, limits.deadline.left).basis)

    def _radical(self, generators, limits):
        basis = self._groebner(generators, "grevlex", limits)
        if len(basis) == 1:                              # principal
            variables = _plain_variables(generators.size)
            part = poly_of(basis[0], variables).sqf_part()
            return [terms_of(part, variables)]
        if not has_finitely_many_zeros(basis, generators.size):
            raise NotSupported(self.name, "radical of ideals that are neither principal nor zero-dimensional",
                               ("singular", "macaulay2"))
        parts = squarefree_parts(basis, generators.size, limits.deadline)
        return self._groebner(Generators(generators.size, tuple(basis) + tuple(parts)), "grevlex", limits)

    def _is_radical(self, generators, limits):
        heads = [{leading_monomial(terms) for terms in basis}
                 for basis in (self._groebner(generators, "grevlex", limits), self._radical(generators, limits))]
        return heads[0] == heads[1]                      # one ideal lies in the other

    def _primary_decomposition(self, generators, limits):
        basis = self._groebner(generators, "grevlex", limits)
        if len(basis) != 1:
            raise NotSupported(self.name, "primary decomposition of ideals that are not principal",
                               ("singular", "macaulay2"))
        variables = _plain_variables(generators.size)
        pairs = []
        for factor, power in poly_of(basis[0], variables).factor_list()[1]:
            pairs.append(tuple([terms_of(part, variables)] for part in (factor**power, factor)))
        return pairs

    def _real_solutions(self, generators, limits):
        """Boxes; None where there are infinitely many complex zeros."""
        basis = self._groebner(generators, "grevlex", limits)
        if not has_finitely_many_zeros(basis, generators.size):
            return None
        radical = self._radical(Generators(generators.size, tuple(basis)), limits)
        return real_boxes(radical, generators.size, limits.deadline)


def _with_t(terms, power=0):
    """The polynomial times t^power, t being a new first variable."""
    return {(power,) + exponents: value for exponents, value in terms.items()}


def _plain_variables(size):
    return sympy.symbols(f"x1:{size + 1}")
