"""Answers that follow from Groebner bases and elimination, for engines that have nothing better.

With an extra variable t (Cox, Little and O'Shea, *Ideals, Varieties, and Algorithms*, chapter 4):
I and J meet in (t I + (1 - t) J) without t; the saturation of I by g is (I, 1 - t g) without t;
the quotient of I by g is (I and (g)) / g.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from ..polynomials.conversion import poly_of, terms_of
from ..ground.errors import NotSupported
from .arithmetic import (add_multiple, constant_polynomial, divide, exact_quotient, headed, ideal_of_points,
                         leading_monomial)
from .base import Engine
from .conversion import System
from .finite import has_finitely_many_zeros, real_boxes, squarefree_parts
from .leading import dimension_and_degree


class DerivedEngine(Engine):
    """An engine that must bring `_groebner(system, order, limits)` and `_eliminate(system, places, limits)`."""

    def _dimension(self, system, limits):
        return self._dimension_and_degree(system, limits)[0]

    def _degree(self, system, limits):
        return self._dimension_and_degree(system, limits)[1]

    def _dimension_and_degree(self, system, limits):
        basis = self._groebner(system, "grevlex", limits)
        return dimension_and_degree([leading_monomial(terms) for terms in basis], system.size)

    def _normal_form(self, system, g, order, limits):
        return divide(g, headed(self._groebner(system, order, limits), order), order, limits.deadline)

    def _saturate(self, system, g, limits):
        longer = [_with_t(terms) for terms in system.polynomials]
        longer.append(add_multiple(constant_polynomial(system.size + 1), Fraction(-1), _with_t(g, 1)))
        return self._eliminate(System(system.size + 1, tuple(longer)), [0], limits)

    def _intersect(self, systems, limits):
        common = systems[0]
        if len(systems) == 1:
            return self._groebner(common, "grevlex", limits)
        for other in systems[1:]:
            longer = [_with_t(terms, 1) for terms in common.polynomials]
            longer += [add_multiple(_with_t(terms), Fraction(-1), _with_t(terms, 1)) for terms in other.polynomials]
            basis = self._eliminate(System(common.size + 1, tuple(longer)), [0], limits)
            common = System(common.size, tuple(basis))
        return list(common.polynomials)

    def _quotient(self, system, g, limits):
        multiples = self._intersect([system, System(system.size, (g,))], limits)
        quotients = [exact_quotient(terms, g, limits.deadline) for terms in multiples]
        return self._groebner(System(system.size, tuple(quotients)), "grevlex", limits)

    def _points_ideal(self, points, size, order, limits):
        return ideal_of_points(points, size, order, limits.deadline)

    def _radical(self, system, limits):
        basis = self._groebner(system, "grevlex", limits)
        if len(basis) == 1:                              # principal
            variables = _plain_variables(system.size)
            part = poly_of(basis[0], variables).sqf_part()
            return [terms_of(part, variables)]
        if not has_finitely_many_zeros(basis, system.size):
            raise NotSupported(self.name, "radical of ideals that are neither principal nor zero-dimensional",
                               ("singular", "macaulay2"))
        parts = squarefree_parts(basis, system.size, limits.deadline)
        return self._groebner(System(system.size, tuple(basis) + tuple(parts)), "grevlex", limits)

    def _is_radical(self, system, limits):
        heads = [{leading_monomial(terms) for terms in basis}
                 for basis in (self._groebner(system, "grevlex", limits), self._radical(system, limits))]
        return heads[0] == heads[1]                      # one ideal lies in the other

    def _primary_decomposition(self, system, limits):
        basis = self._groebner(system, "grevlex", limits)
        if len(basis) != 1:
            raise NotSupported(self.name, "primary decomposition of ideals that are not principal",
                               ("singular", "macaulay2"))
        variables = _plain_variables(system.size)
        pairs = []
        for factor, power in poly_of(basis[0], variables).factor_list()[1]:
            pairs.append(tuple([terms_of(part, variables)] for part in (factor**power, factor)))
        return pairs

    def _real_solutions(self, system, limits):
        """Boxes; None where there are infinitely many complex zeros."""
        basis = self._groebner(system, "grevlex", limits)
        if not has_finitely_many_zeros(basis, system.size):
            return None
        radical = self._radical(System(system.size, tuple(basis)), limits)
        return real_boxes(radical, system.size, limits.deadline)


def _with_t(terms, power=0):
    """The polynomial times t^power, t being a new first variable."""
    return {(power,) + exponents: value for exponents, value in terms.items()}


def _plain_variables(size):
    return sympy.symbols(f"x1:{size + 1}")
