"""Mathematica: ``wolframscript -file FILE``."""

from __future__ import annotations

from .names import Rules
from .registry import target
from .script import DIGITS, FIELDS, Comment, Script
from .system import System

COMMENT = Comment("(*", " *)")
# everything of Mathematica begins with a capital
RULES = Rules(first="a-z")


@target("mathematica", suffix=".wl", comment=COMMENT, fields=FIELDS, rules=RULES)
def to_mathematica(system: System, field: str = "QQ", digits: int = DIGITS) -> str:
    """A Mathematica script: polynomials, knots, and the first questions.

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


VALUES = """skValues = Map[skPolynomials /. Thread[skVariables -> #] &, skKnots];
"""

REAL_KNOTS = """Print["values of the polynomials at the knots: ", skValues];
"""

EXACT_KNOTS = """(* Contained in the ideal of the knots: every polynomial is zero on every knot. *)
skContained = DeleteCases[Flatten[skValues], 0] === {};
Print["contained in the ideal of the knots: ", skContained];
"""

QUESTIONS = """
(* Groebner basis (degree reverse lexicographic). *)
skOrder = "DegreeReverseLexicographic";
skG = DeleteCases[GroebnerBasis[skPolynomials, skVariables, MonomialOrder -> DegreeReverseLexicographic], 0];
Print["Groebner basis: ", Length[skG], " element(s)"];
If[Length[skG] <= MOST_SHOWN, Print[skG]];
(* Dimension: the most variables of which no leading monomial is made; -1 when there are no common zeros. *)
(* Slow for more than about 15 variables. *)
skLead = Map[First[First[CoefficientRules[#, skVariables, skOrder]]] &, skG];
skFree = Select[Subsets[Range[Length[skVariables]]],
  Function[skS, Select[skLead, Function[skE, Total[Delete[skE, Map[List, skS]]] == 0]] === {}]];
skDimension = If[skFree === {}, -1, Max[Map[Length, skFree]]];
Print["dimension: ", skDimension];
(* Degree: monomials that no leading one divides, over each largest set of free variables. *)
skCount[skS_] := Module[{skRest, skPart, skBounds},
  skRest = Complement[Range[Length[skVariables]], skS];
  skPart = Map[Function[skE, Map[Function[skK, skE[[skK]]], skRest]], skLead];
  skBounds = Table[Min[Map[Total, Select[skPart, Function[skE, skE[[skK]] > 0 && Total[skE] == skE[[skK]]]]]],
    {skK, Length[skRest]}];
  Length[Select[Tuples[Map[Range[0, # - 1] &, skBounds]],
    Function[skT, Select[skPart, Function[skE, Min[Append[skT - skE, 0]] == 0]] === {}]]]];
skDegree = Total[Map[skCount, Select[skFree, Length[#] == skDimension &]]];
Print["degree: ", skDegree];
"""

COMPARISON = """(* A contained ideal is equal when it has as many zeros, with multiplicities, as there are knots. *)
Print["equal to the ideal of the knots: ", skContained && skDimension == 0 && skDegree == Length[skKnots]];
"""

DECOMPOSITION = """
(* Mathematica has no primary decomposition; factors show components of hypersurfaces. *)
Print["factors: ", Map[Factor, skPolynomials]];
"""

SCRIPT = Script(
    comment=COMMENT, rules=RULES, ring=lambda names, *_: f"skVariables = {{{', '.join(names)}}};\n\n",
    ideal=("skPolynomials = {\n", "};\n"), rounded="skPolynomials = N[skPolynomials, {}];\n".format,
    say=('Print["', '"];\n'), row=("{", "}"), knots=lambda rows, *_: f"skKnots = {{\n{rows}}};\n{VALUES}",
    exact_knots=EXACT_KNOTS, real_knots=REAL_KNOTS, questions=QUESTIONS, comparison=COMPARISON,
    decomposition=DECOMPOSITION)
