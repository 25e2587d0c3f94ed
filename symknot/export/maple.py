"""Maple: ``maple FILE``."""

from __future__ import annotations

from ..polynomials.infix import polynomial_text
from ..polynomials.numerals import rational_text
from . import reserved
from .names import Rules
from .registry import target
from .script import DIGITS, DONE, FIELDS, NOT_SOUND, Comment, header, listed
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
    names = RULES.safe_names(system.names)
    top = header(system, names, COMMENT, field, digits)
    polynomials = [polynomial_text(terms, names) for terms in system.polynomials] or ["0"]
    rounded = f"skPolynomials := evalf[{digits}](skPolynomials):\n" * (field != "QQ")
    parts = [top,
             f"skVariables := [{', '.join(names)}]:\n\n",
             f"skPolynomials := [\n{listed(polynomials)}]:\n", rounded,
             f'print("{NOT_SOUND}");\n' * (not system.sound),
             f'print("polynomials", {len(system.polynomials)});\n']
    if system.knots:
        rows = listed(["[" + ", ".join(map(rational_text, knot)) + "]" for knot in system.distinct_knots])
        parts.append(f"\n# One knot per row; the values of the polynomials at each.\nskKnots := [\n{rows}]:\n" + VALUES
                     + (EXACT_KNOTS if field == "QQ" else REAL_KNOTS))
    if field == "QQ":
        parts.append(QUESTIONS + (COMPARISON if system.knots else "") + DECOMPOSITION)
    return "".join(parts) + f'print("{DONE}");\n'


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
if nops(skG) <= 20 then print(skG) end if;
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
