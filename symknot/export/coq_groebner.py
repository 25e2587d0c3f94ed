r"""Groebner bases for Coq: every S-polynomial with its quotients; the theorem is Buchberger's criterion (`coqlib`).

With the basis in whole numbers, :math:`G_k = D_k g_k`, Coq forms
:math:`lc(G_j)\, x^u G_i - lc(G_i)\, x^v G_j = lc(G_i)\, lc(G_j)\, S_{ij}` itself.  From :math:`S_{ij} = \sum_k q_k g_k` it is
:math:`\sum_k (lc(G_i)\, lc(G_j)\, q_k / D_k)\, G_k`; a whole number c makes these quotients whole.
"""

from __future__ import annotations

from itertools import combinations
from math import lcm

from ..ground.errors import InvalidOption
from .coq_points import in_order
from .coq_text import data, listed, terms_text, whole
from .statements import GroebnerBasis
from .system import System


def groebner_text(system: System, statement: GroebnerBasis, place: int) -> str:
    """The theorem; each skPk is made of the terms skPkTerms, the leading one first."""
    basis = [in_order(system.polynomials[index], statement.order) for index in statement.polynomials]
    factors = [lcm(*(value.denominator for value in terms.values())) for terms in basis]
    leads = [next(iter(whole(terms).values())) for terms in basis]
    pairs = list(combinations(range(len(basis)), 2))
    if len(statement.pairs) != len(pairs):
        raise InvalidOption("statement", f"{len(statement.pairs)} S-polynomials", f"complete: {len(pairs)}, one for each pair")
    rows = []
    for (i, j), identity in zip(pairs, statement.pairs):
        scaled = [{e: value * leads[i] * leads[j] / factor for e, value in terms.items()}
                  for terms, factor in zip(identity.cofactors, factors, strict=True)]
        c = lcm(*(value.denominator for terms in scaled for value in terms.values()))
        quotients = listed((terms_text({e: int(value * c) for e, value in terms.items()}) for terms in scaled), "     ")
        rows.append(f"    (* {i + 1} and {j + 1} *) ({data(c)}, {quotients})")
    terms = "; ".join(f"skP{index + 1}Terms" for index in statement.polynomials)
    body = "[\n" + ";\n".join(rows) + "]" if rows else "[]"
    return ("(* The leading monomial of every real polynomial in the ideal of these is a multiple of one of theirs:\n"
            "   S-polynomials reduce to zero, with the quotients that follow, pair by pair. *)\n"
            f"Theorem groebner_basis_{place} : groebner_basis {system.dimension} {statement.order} [{terms}].\n"
            f"Proof.\n  apply (buchberger_sound {system.dimension} {statement.order} [{terms}] {body}).\n"
            "  vm_cast_no_check (eq_refl true).\nQed.\n")
