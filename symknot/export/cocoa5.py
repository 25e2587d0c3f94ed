"""CoCoA-5."""

from __future__ import annotations

from . import reserved
from .names import Rules
from .registry import target
from .script import Comment, Script
from .system import System

COMMENT = Comment("--")
# keywords in any case
RULES = Rules(reserved.COCOA5, first="a-z", shape_of_others=reserved.COCOA5_KEYWORDS)


@target("cocoa5", suffix=".cocoa5", comment=COMMENT, rules=RULES)
def to_cocoa5(system: System) -> str:
    """A CoCoA-5 script: ring, ideal, knots, and the first questions; over the rational numbers only.

    Parameters
    ----------
    system : System

    Returns
    -------
    str
    """
    return SCRIPT.text(system)


EXACT_KNOTS = """-- The ideal of all polynomials that vanish on the knots.
skKnotIdeal := IdealOfPoints(skR, matrix(QQ, skKnots));
println "contained in the ideal of the knots: ", IsContained(skI, skKnotIdeal);
"""

QUESTIONS = """
-- Groebner basis (degree reverse lexicographic).
skG := ReducedGBasis(skI);
println "Groebner basis: ", len(skG), " element(s)";
if len(skG) <= MOST_SHOWN then println skG; endif;
-- Dimension of the set of common zeros, and degree.
if IsElem(one(skR), skI) then
  println "dimension: -1";
  println "degree: 0";
else
  println "dimension: ", dim(skR/skI);
  println "degree: ", multiplicity(skR/LT(skI));
endif;
"""

COMPARISON = """println "equal to the ideal of the knots: ", skI = skKnotIdeal;
"""

DECOMPOSITION = """
-- Primary decomposition, which CoCoA-5 has for finitely many zeros.  May take long, so it is last.
if not(IsElem(one(skR), skI)) and dim(skR/skI) = 0 then
  skComponents := PrimaryDecomposition(skI);
  println "components: ", len(skComponents);
  foreach skComponent in skComponents do println skComponent; endforeach;
endif;
"""

SCRIPT = Script(
    comment=COMMENT, rules=RULES, ring=lambda names, *_: f"use skR ::= QQ[{', '.join(names)}], DegRevLex;\n\n",
    ideal=("skPolynomials := [\n", "];\nskI := ideal(skR, [RingElem(skR, skP) | skP in skPolynomials]);\n"),
    say=('println "', '";\n'), row=("[", "]"), knots=lambda rows, *_: f"skKnots := [\n{rows}];\n",
    exact_knots=EXACT_KNOTS, questions=QUESTIONS, comparison=COMPARISON, decomposition=DECOMPOSITION)
