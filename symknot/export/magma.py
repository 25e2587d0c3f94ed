"""Magma: ``magma FILE``."""

from __future__ import annotations

from collections.abc import Sequence

from . import reserved
from .names import Rules
from .registry import target
from .script import DIGITS, FIELDS, Comment, Script
from .system import System

COMMENT = Comment("//")
# functions of Magma begin with a capital
RULES = Rules(reserved.MAGMA, first="a-z")


@target("magma", suffix=".m", comment=COMMENT, fields=FIELDS, rules=RULES)
def to_magma(system: System, field: str = "QQ", digits: int = DIGITS) -> str:
    """A Magma script: ring, ideal, knots, and the first questions.

    Parameters
    ----------
    system : System
    field : {"QQ", "real"}
    digits : int
        Of the real field.

    Returns
    -------
    str
    """
    return SCRIPT.text(system, field, digits)


REAL_KNOTS = """for skRow in [1 .. #skKnots] do
  print "values of the polynomials at knot", skRow, ":", [ Evaluate(skP, skKnots[skRow]) : skP in skPolynomials ];
end for;
"""

EXACT_KNOTS = """// The ideal of all polynomials that vanish on the knots; slow for more than about 50 of them.
skKnotIdeal := func< | &meet[ ideal< skR | [ skR.skC - skKnot[skC] : skC in [1 .. Rank(skR)] ] >
  : skKnot in skKnots ] >;
// Contained in the ideal of the knots: every polynomial is zero on every knot.
skContained := forall{ skKnot : skKnot in skKnots | forall{ skP : skP in skPolynomials | Evaluate(skP, skKnot) eq 0 } };
print "contained in the ideal of the knots:", skContained;
"""

QUESTIONS = """
skI := ideal< skR | skPolynomials >;
// Groebner basis (degree reverse lexicographic).
skG := GroebnerBasis(skI);
print "Groebner basis:", #skG, "element(s)";
if #skG le MOST_SHOWN then print skG; end if;
// Dimension of the set of common zeros; -1 when there are none.
skDimension := Dimension(skI);
print "dimension:", skDimension;
// Degree; for finitely many zeros their number with multiplicities.
if skDimension gt 0 then
  skH := HilbertPolynomial(LeadingMonomialIdeal(skI));
  skDegree := Factorial(Degree(skH)) * LeadingCoefficient(skH);
elif skDimension eq 0 then
  skDegree := QuotientDimension(skI);
else
  skDegree := 0;
end if;
print "degree:", skDegree;
"""

COMPARISON = """// A contained ideal is equal when it has as many zeros, with multiplicities, as there are knots.
print "equal to the ideal of the knots:", skContained and skDimension eq 0 and skDegree eq #skKnots;
"""

DECOMPOSITION = """
// Primary decomposition.  May take long, so it is last.
if skDimension ge 0 then
  skComponents := PrimaryDecomposition(skI);
  print "components:", #skComponents;
  print skComponents;
else
  print "components: 0";
end if;
"""


def _ring(names: Sequence[str], field: str, digits: int) -> str:
    ground = "RationalField()" if field == "QQ" else f"RealField({digits})"
    return f'skF := {ground};\nskR<{", ".join(names)}> := PolynomialRing(skF, {len(names)}, "grevlex");\n\n'


SCRIPT = Script(
    comment=COMMENT, rules=RULES, ring=_ring, ideal=("skPolynomials := [ skR |\n", "];\n"), say=('print "', '";\n'),
    row=("[ skF | ", " ]"), knots=lambda rows, *_: f"skKnots := [\n{rows}];\n",
    exact_knots=EXACT_KNOTS, real_knots=REAL_KNOTS, questions=QUESTIONS, comparison=COMPARISON,
    decomposition=DECOMPOSITION, nothing=())
