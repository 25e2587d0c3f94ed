r"""Proofs about ideals: two systems generate the same one; a basis is a Groebner basis.

Two systems generate the same ideal when each polynomial of one is a combination of the other's.  A set G is a Groebner basis
(Buchberger's criterion) when for every two elements the S-polynomial :math:`x^a f / lc(f) - x^b g / lc(g)`, in which the
leading terms cancel, is :math:`\sum_k q_k g_k` with no product that leads further than it: what division by G gives when
nothing is left.  It is enough that no product leads as far as the least common multiple of the leading monomials: for pairs
whose leading monomials have no variable in common, :math:`f = lc(f) x^a + r` and :math:`g = lc(g) x^b + s`, nothing need be
divided, since the S-polynomial is :math:`(r g - s f) / (lc(f)\, lc(g))` (Buchberger's first criterion).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

import sympy

from ..engines.arithmetic import add_multiple, divides, leading_monomial
from ..engines.process import DEFAULT_TIMEOUT
from ..export.methods import Exports
from ..export.statements import GroebnerBasis, Membership, Statement
from ..export.system import System
from ..ground.deadline import Deadline
from ..ground.errors import InvalidOption, NotProved
from ..ground.wording import counted, visible
from ..polynomials.conversion import expression_of, shown
from ..polynomials.term_orders import checked_order, order_key
from ..polynomials.terms import Exponents, Terms
from .checking import check_with_coq
from .proving import hypotheses_of, prove


@dataclass(frozen=True, eq=False)
class IdealProof(Exports):
    """Identities that prove something of ideals; made by `prove_same_ideal` and `prove_groebner`.

    Attributes
    ----------
    claim : str
        What is proved.
    names : tuple of str
    polynomials : tuple of dict
        Exponent tuple -> Fraction.
    identities : tuple of Membership
        Each polynomial with its cofactors.
    variables : tuple of sympy.Symbol
    order : str
        Of a Groebner basis the term order, else empty.
    """

    claim: str
    names: tuple[str, ...]
    polynomials: tuple[Terms, ...]
    identities: tuple[Membership, ...]
    variables: tuple[sympy.Symbol, ...]
    order: str = ""

    def check(self, timeout: float | None = DEFAULT_TIMEOUT) -> bool:
        """Whether Coq accepts the proof: every identity, and of a Groebner basis that it is one."""
        return all(finding.accepted for finding in check_with_coq(self._system(), timeout))

    def _system(self) -> System:
        places = tuple(range(len(self.polynomials)))
        claims: tuple[Statement, ...] = (GroebnerBasis(places, self.order, self.identities),) if self.order else self.identities
        return System(self.names, self.polynomials, title=self.claim, statements=claims)

    def __str__(self) -> str:
        lines = [self.claim]
        for identity in self.identities:
            places = identity.places(len(self.polynomials))
            parts = [f"({shown(terms, self.variables)}) * p{k + 1}"
                     for k, terms in zip(places, identity.cofactors) if terms]
            name = f"{identity.name}: " if identity.name else ""
            lines.append(f"  {name}{shown(identity.goal, self.variables)} = {' + '.join(parts) or '0'}")
        lines += ["where", *(f"  p{k} = {shown(terms, self.variables)}"
                             for k, terms in enumerate(self.polynomials, start=1))]
        return visible("\n".join(lines))


def prove_same_ideal(first: Any, second: Any, *, engine: str = "auto", timeout: float | None = DEFAULT_TIMEOUT) -> IdealProof:
    """Prove that two systems of polynomials generate the same ideal.

    Parameters
    ----------
    first, second : sequences of str or sympy.Expr, or results
    engine, timeout
        As in `prove`; the time is for all of it.

    Returns
    -------
    IdealProof

    Raises
    ------
    NotProved
        A polynomial of one is not a combination of the other's.

    Examples
    --------
    >>> print(prove_same_ideal(["x + y"], ["2*x + 2*y"], engine="sympy"))
    1 polynomial and 1 polynomial generate the same ideal
      2*x + 2*y = (2) * p1
      x + y = (1/2) * p2
    where
      p1 = x + y
      p2 = 2*x + 2*y
    """
    given = [_listed(system) for system in (first, second)]
    names, variables, laws = hypotheses_of([*given[0], *given[1]])
    count, deadline = len(given[0]), Deadline(timeout)
    sides = (tuple(range(count)), tuple(range(count, len(laws))))
    found = []
    for own, others in (sides, sides[::-1]):
        generators = [expression_of(laws[k], variables) for k in own]
        for k in others:
            proof = prove(expression_of(laws[k], variables), generators, engine=engine, timeout=deadline.left)
            if proof.power > 1:
                raise NotProved(f"{shown(laws[k], variables)} is not in the ideal of the other system, only its power "
                                f"{proof.power} is: they have the same zeros, but are different ideals")
            used = [proof.variables.index(v) if v in proof.variables else None for v in variables]
            cofactors = tuple({tuple(0 if p is None else e[p] for p in used): value for e, value in terms.items()}
                              for terms in proof.cofactors)
            found.append(Membership(laws[k], cofactors, generators=own))
    claim = f"{counted(count, 'polynomial')} and {counted(len(laws) - count, 'polynomial')} generate the same ideal"
    return IdealProof(claim, names, laws, tuple(found), variables)


def prove_groebner(basis: Any, order: str = "grevlex", *, timeout: float | None = DEFAULT_TIMEOUT) -> IdealProof:
    """Prove that polynomials are a Groebner basis of the ideal that they generate.

    Parameters
    ----------
    basis : sympy.GroebnerBasis, a sequence of str or sympy.Expr, or a result
    order : {"grevlex", "grlex", "lex"}
        Not needed for sympy's object, which knows its own.
    timeout : float or None
        Seconds.

    Returns
    -------
    IdealProof
        With the quotients of every S-polynomial that Buchberger's criterion asks for.

    Raises
    ------
    NotProved
        An S-polynomial does not reduce to zero; the message has what is left.

    Examples
    --------
    >>> print(prove_groebner(["x**2 - y", "x*y - x"], "lex"))
    Traceback (most recent call last):
    ...
    symknot.ground.errors.NotProved: no Groebner basis (lex): the S-polynomial of 1 and 2 leaves -y**2 + y
    """
    if isinstance(basis, sympy.GroebnerBasis):
        order = str(basis.order)
    key, deadline = order_key(checked_order(order)), Deadline(timeout)
    given = [poly.as_expr() for poly in basis.polys] if hasattr(basis, "polys") else _listed(basis)
    names, variables, laws = hypotheses_of(given)
    if not all(laws):
        raise InvalidOption("basis", basis, "polynomials other than zero")
    leads = [leading_monomial(terms, order) for terms in laws]
    found = []
    for i, j in combinations(range(len(laws)), 2):
        goal = _s_polynomial(laws[i], laws[j], leads[i], leads[j])
        if any(a and b for a, b in zip(leads[i], leads[j])):
            quotients, rest = _divided(goal, laws, leads, key, deadline)
        else:
            quotients, rest = _by_the_tails(laws, (i, leads[i]), (j, leads[j])), {}
        if rest:
            raise NotProved(f"no Groebner basis ({order}): the S-polynomial of {i + 1} and {j + 1} leaves "
                            f"{shown(rest, variables)}")
        found.append(Membership(goal, quotients, name=f"S-polynomial of {i + 1} and {j + 1}"))
    claim = f"{counted(len(laws), 'polynomial')} are a Groebner basis ({order}): S-polynomials reduce to zero"
    return IdealProof(claim, names, laws, tuple(found), variables, order)


def _listed(system: Any) -> list[Any]:
    if hasattr(system, "polys"):
        return [poly.as_expr() for poly in system.polys]
    return [system] if isinstance(system, (str, sympy.Basic)) else list(system)


def _s_polynomial(f: Terms, g: Terms, a: Exponents, b: Exponents) -> dict[Exponents, Fraction]:
    common = tuple(map(max, a, b))
    first: dict[Exponents, Fraction] = add_multiple({}, 1 / f[a], f, tuple(map(int.__sub__, common, a)))
    return add_multiple(first, -1 / g[b], g, tuple(map(int.__sub__, common, b)))


def _by_the_tails(basis: Sequence[Terms], *pair: tuple[int, Exponents]) -> tuple[Terms, ...]:
    """Quotients of the S-polynomial of two elements, place and leading monomial of each, that share no variable there."""
    (i, a), (j, b) = pair
    factor = 1 / (basis[i][a] * basis[j][b])
    tails = {i: {e: -value * factor for e, value in basis[j].items() if e != b},
             j: {e: value * factor for e, value in basis[i].items() if e != a}}
    return tuple(tails.get(k, {}) for k in range(len(basis)))


def _divided(terms: Terms, basis: Sequence[Terms], leads: Sequence[Exponents], key: Any,
             deadline: Deadline) -> tuple[tuple[Terms, ...], Terms]:
    """Quotients and remainder."""
    rest, left = dict(terms), {}
    quotients: list[dict[Exponents, Fraction]] = [{} for _ in basis]
    while rest:
        deadline.check("division")
        top = max(rest, key=key)
        k = next((k for k, lead in enumerate(leads) if divides(lead, top)), None)
        if k is None:
            left[top] = rest.pop(top)
            continue
        shift = tuple(map(int.__sub__, top, leads[k]))
        factor = rest[top] / basis[k][leads[k]]
        quotients[k][shift] = factor
        rest = add_multiple(rest, -factor, basis[k], shift)
    return tuple(quotients), left
