"""Mathematica: ``wolframscript -file FILE``."""

from __future__ import annotations

from ..polynomials.infix import polynomial_text
from ..polynomials.numerals import rational_text
from .names import Rules
from .registry import target
from .script import DIGITS, DONE, FIELDS, NOT_SOUND, Comment, header, listed
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
    names = RULES.safe_names(system.names)
    top = header(system, names, COMMENT, field, digits)
    polynomials = [polynomial_text(terms, names) for terms in system.polynomials] or ["0"]
    rounded = f"skPolynomials = N[skPolynomials, {digits}];\n" * (field != "QQ")
    parts = [top,
             f"skVariables = {{{', '.join(names)}}};\n\n",
             f"skPolynomials = {{\n{listed(polynomials)}}};\n", rounded,
             f'Print["{NOT_SOUND}"];\n' * (not system.sound),
             f'Print["polynomials: {len(system.polynomials)}"];\n']
    if system.knots:
        rows = listed(["{" + ", ".join(map(rational_text, knot)) + "}" for knot in system.distinct_knots])
        parts.append(f"\n(* One knot per row. *)\nskKnots = {{\n{rows}}};\n" + VALUES
                     + (EXACT_KNOTS if field == "QQ" else REAL_KNOTS))
    if field == "QQ":
        parts.append(QUESTIONS + (COMPARISON if system.knots else "") + FACTORS)
    return "".join(parts) + f'Print["{DONE}"];\n'


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
If[Length[skG] <= 20, Print[skG]];
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

FACTORS = """
(* Mathematica has no primary decomposition; factors show components of hypersurfaces. *)
Print["factors: ", Map[Factor, skPolynomials]];
"""
