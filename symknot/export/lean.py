"""Lean 4 with Mathlib: the same claims as theorems, by ``norm_num``, ``ring`` and ``linear_combination``.

No Lean was at hand when this was written: the text keeps to constructs that Mathlib documents, and was never run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from ..ground.errors import InvalidOption
from ..polynomials.infix import Style, polynomial_text
from ..polynomials.numerals import integer_text, rational_text
from ..polynomials.terms import Exponents, Terms
from .coq import check_exact, check_vanishing, default_statements
from .names import Rules
from .registry import target
from .script import Comment, header
from .statements import Conservation, GroebnerBasis, Membership, PointsBasis, Vanishing
from .system import System

COMMENT = Comment("--")
RULES = Rules(frozenset("""
    abbrev axiom by calc class constant def deriving do else end example export extends false finally for forall from fun have
    hiding if import in include inductive infix instance let local macro match mut mutual namespace nat notation open opaque
    partial postfix prefix private protected rec return section set_option show structure suffices syntax termination_by then
    theorem true try universe unless unsafe variable where while with Prop Sort Type Real Nat Int Rat norm_num ring exp
    linear_combination at using this sorry lemma instance attribute deriving decreasing_by elab initialize noncomputable
    """.split()))
STYLE = Style(number=lambda value: _number(value))


@target("lean", suffix=".lean", comment=COMMENT, rules=RULES)
def to_lean(system: System) -> str:
    """A Lean 4 file for Mathlib, never run: zeros at points, cofactors, derivatives along a motion.

    Parameters
    ----------
    system : System

    Returns
    -------
    str

    Examples
    --------
    >>> from fractions import Fraction
    >>> from symknot.export import System
    >>> circle = System(("x", "y"), ({(2, 0): Fraction(1), (0, 2): Fraction(1), (0, 0): Fraction(-1)},),
    ...                 ((Fraction(3, 5), Fraction(4, 5)),))
    >>> print(*to_lean(circle).splitlines()[-3:], sep="\\n")
    theorem zero_1_1_1 : skP1 (3/5) (4/5) = 0 := by
      unfold skP1
      norm_num
    """
    check_exact(system, "lean")
    names = RULES.safe_names(system.names)
    statements = [s for s in system.statements or default_statements(system)
                  if isinstance(s, (Vanishing, PointsBasis, Membership, GroebnerBasis, Conservation))]
    if not statements:
        raise InvalidOption("system", "nothing that Lean is told",
                            "one with points, cofactors or invariants (boxes are for coq)")
    lines = [header(system, names, COMMENT), COMMENT.lines(
        "Written for Lean 4 with Mathlib; this text was never run."), "import Mathlib\n\n"]
    variables = " ".join(names)
    for k, terms in enumerate(system.polynomials, start=1):
        lines.append(f"noncomputable def skP{k} ({variables} : Real) : Real :=\n  {_algebra(terms, names)}\n\n")
    for place, statement in enumerate(statements, start=1):
        if isinstance(statement, (Vanishing, PointsBasis)):
            check_vanishing(system, statement)
            lines += _vanishing(statement, place)
        elif isinstance(statement, Membership):
            lines.append(_membership(system, statement, place, names))
        elif isinstance(statement, GroebnerBasis):
            lines += [_membership(system, identity, f"{place}_{k}", names)
                      for k, identity in enumerate(statement.pairs, start=1)]
        else:
            lines.append(_conservation(statement, place, names))
    return "".join(lines)


def _vanishing(statement, place):
    for number, point in enumerate(statement.points, start=1):
        arguments = " ".join(f"({rational_text(x)})" for x in point)
        for index in statement.polynomials:
            yield (f"theorem zero_{place}_{number}_{index + 1} : skP{index + 1} {arguments} = 0 := by\n"
                   f"  unfold skP{index + 1}\n  norm_num\n")


def _membership(system: System, statement: Membership, place: int | str, names: Sequence[str]) -> str:
    given = [(k + 1, system.polynomials[k]) for k in statement.places(len(system.polynomials))]
    hypotheses = "".join(f"    (h{k} : {_algebra(terms, names)} = 0)\n" for k, terms in given)
    parts = [f"({_algebra(terms, names)}) * h{k}" for (k, _), terms in zip(given, statement.cofactors) if terms]
    power = "" if statement.power == 1 else f"(exp := {statement.power}) "
    return (f"theorem goal_{place} ({' '.join(names)} : Real)\n{hypotheses}    : {_algebra(statement.goal, names)} = 0 := by\n"
            f"  linear_combination {power}{' + '.join(parts) or '0'}\n")


def _conservation(statement: Conservation, place: int, names: Sequence[str]) -> str:
    """The derivative along the motion, where it is zero without further laws, as an identity."""
    slopes = [f"(({_algebra(_derivative(statement.invariant, k), names)}) * (({_algebra(above, names)}) / "
              f"({_algebra(below, names)})))" for k, (above, below) in enumerate(statement.field)]
    conditions = "".join(f"    (b{k} : Ne ({_algebra(below, names)}) 0)\n"
                         for k, (_, below) in enumerate(statement.field, start=1) if any(map(any, below)))
    proof = "field_simp\n  ring" if conditions else "ring"
    return (f"theorem derivative_{place}_is_zero ({' '.join(names)} : Real)\n{conditions}    : "
            + " + ".join(slopes) + f" = 0 := by\n  {proof}\n")


def _derivative(terms: Terms, place: int) -> dict[Exponents, Fraction]:
    return {(*e[:place], e[place] - 1, *e[place + 1:]): value * e[place] for e, value in terms.items() if e[place]}


def _algebra(terms: Mapping[Exponents, Fraction], names: Sequence[str]) -> str:
    return polynomial_text(terms, names, STYLE) if terms else "0"


def _number(value):
    value = Fraction(value)
    return integer_text(value.numerator) if value.denominator == 1 else f"({rational_text(value)})"
