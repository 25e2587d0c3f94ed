"""Macaulay2: ``M2 --script FILE``."""

from __future__ import annotations

from collections.abc import Sequence

from ..polynomials.infix import Style, polynomial_text
from ..polynomials.terms import Terms
from . import reserved
from .names import Rules
from .registry import target
from .script import DIGITS, FIELDS, Comment, Script, bits
from .system import System

COMMENT = Comment("--")
# a capital begins hundreds of types and packages; a single one begins none.  i3 and o3 are input and output lines
RULES = Rules(reserved.MACAULAY2, shape_of_others=r"[A-Z].+|[io]+\d+")
STYLE = Style(tree=True)
"""A flat sum of 30,000 terms takes minutes to read."""


@target("macaulay2", suffix=".m2", comment=COMMENT, fields=FIELDS, rules=RULES)
def to_macaulay2(system: System, field: str = "QQ", digits: int = DIGITS) -> str:
    """A Macaulay2 script: ring, ideal, knots, and the first questions.

    Parameters
    ----------
    system : System
    field : {"QQ", "real"}
    digits : int
        Of the real field.

    Returns
    -------
    str

    Examples
    --------
    >>> from fractions import Fraction
    >>> from symknot.export import System
    >>> line = System(("x", "pi"), ({(1, 0): Fraction(2, 3), (0, 1): Fraction(1)},))
    >>> "2/3*x + vPi" in to_macaulay2(line)
    True
    """
    return SCRIPT.text(system, field, digits)


REAL_KNOTS = """skField = coefficientRing skR;
skAt = skKnot -> (map(skField, skR, apply(skKnot, skNumber -> promote(skNumber, skField)))) gens skI;
scan(#skKnots, skRow -> print("values of the polynomials at knot " | toString(skRow + 1) | ": "
  | toString flatten entries skAt skKnots#skRow));
"""

EXACT_KNOTS = """-- The ideal of all polynomials that vanish on the knots; slow for more than about 50 of them.
skKnotIdeal = () -> intersect apply(skKnots, skKnot -> ideal(gens skR - skKnot));
-- Contained in the ideal of the knots: every polynomial is zero on every knot.
skContained = all(skKnots, skKnot -> (map(QQ, skR, skKnot)) gens skI == 0);
print("contained in the ideal of the knots: " | (if skContained then "yes" else "no"));
"""

QUESTIONS = """
-- Groebner basis (degree reverse lexicographic).
skG = flatten entries gens gb skI;
print("Groebner basis: " | toString(#skG) | " element(s)");
if #skG <= MOST_SHOWN then scan(skG, skElement -> print toString skElement);
-- Dimension of the set of common zeros; -1 when there are none.
print("dimension: " | toString dim skI);
-- Degree; for finitely many zeros their number with multiplicities.
print("degree: " | toString degree skI);
"""

COMPARISON = """-- A contained ideal is equal when it has as many zeros, with multiplicities, as there are knots.
skEqual = skContained and dim skI == 0 and degree skI == #skKnots;
print("equal to the ideal of the knots: " | (if skEqual then "yes" else "no"));
"""

DECOMPOSITION = """
-- Primary decomposition.  May take long, so it is last.
skComponents = if dim skI < 0 then {} else primaryDecomposition skI;
print("components: " | toString(#skComponents));
scan(#skComponents, skRow -> print("component " | toString(skRow + 1) | ": " | toString skComponents#skRow));
"""


def _ring(names: Sequence[str], field: str, digits: int) -> str:
    ground = "QQ" if field == "QQ" else f"RR_{bits(digits)}"
    return f"skR = {ground}[{', '.join(names)}, MonomialOrder => GRevLex];\n\n"


def _polynomial(terms: Terms, names: Sequence[str]) -> str:
    """A constant must be told its ring: ``ideal(1)`` is an ideal of the whole numbers."""
    if any(any(exponents) for exponents in terms):
        return polynomial_text(terms, names, STYLE)
    return f"({polynomial_text(terms, names)})_skR"


SCRIPT = Script(
    comment=COMMENT, rules=RULES, ring=_ring, ideal=("skI = ideal(\n", ");\n"), say=('print "', '";\n'),
    row=("{", "}"), knots=lambda rows, *_: f"skKnots = {{\n{rows}}};\n",
    exact_knots=EXACT_KNOTS, real_knots=REAL_KNOTS, questions=QUESTIONS, comparison=COMPARISON,
    decomposition=DECOMPOSITION, polynomial=_polynomial, nothing=("0_skR",))
