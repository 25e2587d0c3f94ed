"""SageMath: ``sage FILE``; the same file runs as plain Python where Sage's modules can be imported."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ..polynomials.infix import Style, polynomial_text
from ..polynomials.numerals import literal_text
from ..polynomials.terms import Terms
from . import reserved
from .names import Rules
from .registry import target
from .script import DIGITS, FIELDS, Comment, Script, bits
from .system import System

COMMENT = Comment("#")
RULES = Rules(reserved.SAGE)


@target("sage", suffix=".sage", comment=COMMENT, fields=FIELDS, rules=RULES)
def to_sage(system: System, field: str = "QQ", digits: int = DIGITS) -> str:
    """A SageMath script: ring, ideal, knots, and the first questions.

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


IMPORTS = """from sage.arith.misc import factorial
from sage.rings.polynomial.polynomial_ring_constructor import PolynomialRing
from sage.rings.rational_field import QQ
from sage.rings.real_mpfr import RealField

"""

REAL_KNOTS = """for skRow, skKnot in enumerate(skKnots):
    print("values of the polynomials at knot", f"{skRow + 1}:", [skP(*skKnot) for skP in skI.gens()])
"""

EXACT_KNOTS = """

def skKnotIdeal():
    \"\"\"The ideal of all polynomials that vanish on the knots; slow for more than about 50 of them.\"\"\"
    skAll = skR.ideal(1)
    for skKnot in skKnots:
        skAll = skAll.intersection(skR.ideal([skV - skC for skV, skC in zip(skR.gens(), skKnot)]))
    return skAll


# Contained in the ideal of the knots: every polynomial is zero on every knot.
skContained = all(skP(*skKnot) == 0 for skKnot in skKnots for skP in skI.gens())
print("contained in the ideal of the knots:", "yes" if skContained else "no")
"""

QUESTIONS = """
# Groebner basis (degree reverse lexicographic).
skG = [skP for skP in skI.groebner_basis() if skP != 0]
print("Groebner basis:", len(skG), "element(s)")
if len(skG) <= MOST_SHOWN:
    print(skG)
# Dimension of the set of common zeros; -1 when there are none.
skDimension = skI.dimension()
print("dimension:", skDimension)
# Degree; for finitely many zeros their number with multiplicities.
if skDimension > 0:
    skH = skR.ideal([skP.lm() for skP in skG]).hilbert_polynomial() if skG else None
    skDegree = skH.leading_coefficient() * factorial(skH.degree()) if skG else 1
else:
    skDegree = skI.vector_space_dimension() if skDimension == 0 else 0
print("degree:", skDegree)
"""

COMPARISON = """# A contained ideal is equal when it has as many zeros, with multiplicities, as there are knots.
skEqual = skContained and skDimension == 0 and skDegree == len(skKnots)
print("equal to the ideal of the knots:", "yes" if skEqual else "no")
"""

DECOMPOSITION = """
# Primary decomposition.  May take long, so it is last.
skComponents = skI.primary_decomposition() if skDimension >= 0 else []
print("components:", len(skComponents))
for skRow, skComponent in enumerate(skComponents):
    print("component", f"{skRow + 1}:", skComponent.gens())
"""


def _ring(names: Sequence[str], field: str, digits: int) -> str:
    ground = "QQ" if field == "QQ" else f"RealField({bits(digits)})"
    return (f"{IMPORTS}skR = PolynomialRing({ground}, {len(names)}, {list(names)!r}, order=\"degrevlex\")\n"
            f"({', '.join(names)},) = skR.gens()\n\n")


def _rational(value: Fraction) -> str:
    """``3/7`` would be a float in plain Python."""
    if value.denominator == 1:
        return literal_text(value.numerator)
    return f"QQ(({literal_text(value.numerator)}, {literal_text(value.denominator)}))"


def _polynomial(terms: Terms, names: Sequence[str]) -> str:
    return f"skR({polynomial_text(terms, names, STYLE)})"


STYLE = Style(power="{}**{}".format, number=_rational, tree=True)
"""Python gives up on a flat sum of some thousand terms."""

SCRIPT = Script(
    comment=COMMENT, rules=RULES, ring=_ring, ideal=("skI = skR.ideal([\n", "])\n"), say=('print("', '")\n'),
    row=("(", ",)"), knots=lambda rows, *_: f"skKnots = [\n{rows}]\n",
    exact_knots=EXACT_KNOTS, real_knots=REAL_KNOTS, questions=QUESTIONS, comparison=COMPARISON,
    decomposition=DECOMPOSITION, polynomial=_polynomial, number=_rational, nothing=("skR(0)",))
