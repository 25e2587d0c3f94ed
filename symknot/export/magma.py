"""Magma: ``magma FILE``."""

from __future__ import annotations

from ..polynomials.infix import polynomial_text
from ..polynomials.numerals import rational_text
from . import reserved
from .names import Rules
from .registry import target
from .script import DIGITS, DONE, FIELDS, NOT_SOUND, Comment, header, listed
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
    names = RULES.safe_names(system.names)
    top = header(system, names, COMMENT, field, digits)
    ground = "RationalField()" if field == "QQ" else f"RealField({digits})"
    polynomials = [polynomial_text(terms, names) for terms in system.polynomials]
    parts = [top,
             f"skF := {ground};\n",
             f'skR<{", ".join(names)}> := PolynomialRing(skF, {len(names)}, "grevlex");\n\n',
             f"skPolynomials := [ skR |\n{listed(polynomials)}];\n",
             f'print "{NOT_SOUND}";\n' * (not system.sound),
             f'print "polynomials: {len(system.polynomials)}";\n']
    if system.knots:
        rows = listed(["[ skF | " + ", ".join(map(rational_text, knot)) + " ]" for knot in system.distinct_knots])
        parts.append(f"\n// One knot per row.\nskKnots := [\n{rows}];\n"
                     + (EXACT_KNOTS if field == "QQ" else REAL_KNOTS))
    if field == "QQ":
        parts.append(QUESTIONS + (COMPARISON if system.knots else "") + DECOMPOSITION)
    return "".join(parts) + f'print "{DONE}";\n'


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
if #skG le 20 then print skG; end if;
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
