"""SMT-LIB 2: questions over the real numbers for z3, cvc5 and other solvers.

Every number is written in full, as a decimal ``3.0`` or a quotient ``(/ 3.0 7.0)``, powers as products: no solver needs more
than the logic QF_NRA, nonlinear arithmetic of real numbers without quantifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ..polynomials.numerals import integer_text
from ..polynomials.terms import Terms
from .names import Rules
from .registry import target
from .script import Comment, header
from .statements import UniqueZero
from .system import System

COMMENT = Comment(";")
RULES = Rules(frozenset("""
    BINARY DECIMAL HEXADECIMAL NUMERAL STRING as exists forall let match par assert and or not xor true false ite distinct Real
    Int Bool Array select store abs div mod exp sin cos tan pi sqrt to_real to_int is check push pop echo exit reset
    bvadd bvsub continued success sat unsat unknown model error""".split()))
SIGNS = {"=": "=", "<=": "<=", ">=": ">=", "<": "<", ">": ">", "!=": "distinct"}
"""Of a relation, and the function of SMT-LIB for it."""


@target("smtlib", suffix=".smt2", comment=COMMENT, rules=RULES)
def to_smtlib(system: System) -> str:
    """An SMT-LIB 2 script: have the equations a real common zero; is one in each box.

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
    >>> print(*to_smtlib(System(("x",), ({(2,): Fraction(1), (0,): Fraction(-2)},))).splitlines()[-5:], sep="\\n")
    (set-logic QF_NRA)
    (declare-const x Real)
    (assert (= (+ (* x x) (- 2.0)) 0.0))
    ; Is there a real point at which all equations hold?
    (check-sat)
    """
    names = RULES.safe_names(system.names)
    lines = [declarations(names, [relation(terms, "=", names) for terms in system.polynomials]),
             COMMENT.lines("Is there a real point at which all equations hold?"), "(check-sat)\n"]
    for statement in system.statements:
        if isinstance(statement, UniqueZero):
            lines += [COMMENT.lines(f"Is there one in the box of knot {statement.knot}?"), "(push 1)\n",
                      *(f"(assert {fact})\n" for fact in box_facts(statement.center, statement.radii, names)),
                      "(check-sat)\n(pop 1)\n"]
    return header(system, names, COMMENT) + "".join(lines)


def declarations(names: Sequence[str], facts: Sequence[str]) -> str:
    """The logic, the variables, and what is asserted of them."""
    return ("(set-logic QF_NRA)\n" + "".join(f"(declare-const {name} Real)\n" for name in names)
            + "".join(f"(assert {fact})\n" for fact in facts))


def relation(terms: Terms, sign: str, names: Sequence[str]) -> str:
    """``terms sign 0`` as a formula.

    Examples
    --------
    >>> relation({(1, 1): Fraction(-3, 7), (0, 0): Fraction(1)}, "<=", ["x", "y"])
    '(<= (+ (* (- (/ 3.0 7.0)) x y) 1.0) 0.0)'
    """
    return f"({SIGNS[sign]} {polynomial(terms, names)} 0.0)"


def polynomial(terms: Terms, names: Sequence[str]) -> str:
    """A polynomial as a sum of products."""
    parts = [_term(exponents, value, names) for exponents, value in terms.items()]
    return "0.0" if not parts else parts[0] if len(parts) == 1 else f"(+ {' '.join(parts)})"


def box_facts(center: Sequence[Fraction], radii: Sequence[Fraction], names: Sequence[str]) -> list[str]:
    """That the variables are in a box."""
    return [f"(<= {number(m - r)} {name} {number(m + r)})" for name, m, r in zip(names, center, radii)]


def _term(exponents, value, names):
    factors = [name for name, e in zip(names, exponents) for _ in range(e)]
    factors = factors if value == 1 and factors else [number(value), *factors]
    return factors[0] if len(factors) == 1 else f"(* {' '.join(factors)})"


def number(value: Fraction) -> str:
    """A rational number."""
    size = f"{integer_text(abs(value.numerator))}.0"
    if value.denominator > 1:
        size = f"(/ {size} {integer_text(value.denominator)}.0)"
    return f"(- {size})" if value < 0 else size
