"""Maple: ``maple FILE``."""

from __future__ import annotations

from . import reserved
from .names import Rules
from .registry import target
from .script import DIGITS, FIELDS, Comment, Script
from .system import System

COMMENT = Comment("#")
RULES = Rules(reserved.MAPLE, first="a-z")


@target("maple", suffix=".mpl", comment=COMMENT, fields=FIELDS, rules=RULES)
def to_maple(system: System, field: str = "QQ", digits: int = DIGITS) -> str:
    """A Maple script: polynomials, knots, and the first questions.

    Parameters
    ----------
    system : System
    field : {"QQ", "real"}
    digits : int
        Of the real numbers.

    Returns
    -------
    str
    """
    return SCRIPT.text(system, field, digits)


VALUES = """skAssigned := [seq([seq(skVariables[skC] = skKnots[skRow][skC], skC = 1 .. nops(skVariables))],
  skRow = 1 .. nops(skKnots))]:
skValues := [seq(subs(skAssigned[skRow], skPolynomials), skRow = 1 .. nops(skKnots))]:
"""

REAL_KNOTS = """print("values of the polynomials at the knots", skValues);
"""

EXACT_KNOTS = """# Contained in the ideal of the knots: every polynomial is zero on every knot.
skSizes := [0, seq(seq(abs(skValues[skRow][skC]), skC = 1 .. nops(skPolynomials)), skRow = 1 .. nops(skKnots))]:
if max(op(skSizes)) > 0 then skContained := false else skContained := true end if:
print("contained in the ideal of the knots", skContained);
"""

QUESTIONS = """
# What follows needs Maple's packages Groebner and PolynomialIdeals.
skI := PolynomialIdeals:-PolynomialIdeal(skPolynomials, variables = {op(skVariables)}):
# Groebner basis (degree reverse lexicographic).
skG := Groebner:-Basis(skI, tdeg(op(skVariables))):
print("Groebner basis, elements", nops(skG));
if nops(skG) <= MOST_SHOWN then print(skG) end if;
# Dimension of the set of common zeros; -1 when there are none.
if skG = [1] then skDimension := -1
else skDimension := PolynomialIdeals:-HilbertDimension(skI) end if:
print("dimension", skDimension);
# Degree; for finitely many zeros their number with multiplicities.
if skDimension > 0 then
  skH := Groebner:-HilbertPolynomial(skI, tdeg(op(skVariables)), skT);
  skDegree := lcoeff(skH, skT) * degree(skH, skT)!
elif skDimension = 0 then skDegree := PolynomialIdeals:-NumberOfSolutions(skI)
else skDegree := 0 end if:
print("degree", skDegree);
"""

COMPARISON = """# The ideal of all polynomials that vanish on the knots.
skKnotIdeal := proc() PolynomialIdeals:-VanishingIdeal(skKnots, skVariables) end proc:
# A contained ideal is equal when it has as many zeros, with multiplicities, as there are knots.
print("equal to the ideal of the knots", evalb(skContained and skDimension = 0 and skDegree = nops(skKnots)));
"""

DECOMPOSITION = """
# Primary decomposition.  May take long, so it is last.
if skDimension >= 0 then
  skComponents := [PolynomialIdeals:-PrimaryDecomposition(skI)];
  print("components", nops(skComponents));
  print(skComponents)
else print("components", 0) end if;
"""

SCRIPT = Script(
    comment=COMMENT, rules=RULES, ring=lambda names, *_: f"skVariables := [{', '.join(names)}]:\n\n",
    ideal=("skPolynomials := [\n", "]:\n"), rounded="skPolynomials := evalf[{}](skPolynomials):\n".format,
    say=('print("', '");\n'), count=('print("polynomials", ', ");\n"), row=("[", "]"),
    of_knots="One knot per row; the values of the polynomials at each.",
    knots=lambda rows, *_: f"skKnots := [\n{rows}]:\n{VALUES}",
    exact_knots=EXACT_KNOTS, real_knots=REAL_KNOTS, questions=QUESTIONS, comparison=COMPARISON,
    decomposition=DECOMPOSITION)
