"""Singular: ``Singular FILE``."""

from __future__ import annotations

from ..polynomials.infix import polynomial_text
from ..polynomials.numerals import rational_text
from . import reserved
from .names import Rules
from .registry import target
from .script import DIGITS, DONE, FIELDS, NOT_SOUND, Comment, header, listed
from .system import System

COMMENT = Comment("//")
RULES = Rules(reserved.SINGULAR, juxtaposes=True)


@target("singular", suffix=".sing", comment=COMMENT, fields=FIELDS, rules=RULES)
def to_singular(system: System, field: str = "QQ", digits: int = DIGITS) -> str:
    """A Singular script: ring, ideal, knots, and the first questions.

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
    >>> circle = System(("x", "y"), ({(2, 0): Fraction(1), (0, 2): Fraction(1), (0, 0): Fraction(-1)},))
    >>> "x^2 + y^2 - 1" in to_singular(circle)
    True
    """
    names = RULES.safe_names(system.names)
    top = header(system, names, COMMENT, field, digits)
    ground = "0" if field == "QQ" else f"(real,{digits})"
    polynomials = [polynomial_text(terms, names) for terms in system.polynomials] or ["0"]
    parts = [top,
             'LIB "primdec.lib";\n' * (field == "QQ"),
             f"ring skR = {ground}, ({', '.join(names)}), dp;\nshort = 0;\n\n",
             f"ideal skI =\n{listed(polynomials)};\n",
             f'print("{NOT_SOUND}");\n' * (not system.sound),
             f'print("polynomials: {len(system.polynomials)}");\n']
    if system.knots:
        parts.append(_knots(system.distinct_knots, field))
    if field == "QQ":
        parts.append(QUESTIONS + (COMPARISON if system.knots else "") + DECOMPOSITION)
    return "".join(parts) + f'print("{DONE}");\n'


def _knots(knots, field):
    rows = listed([", ".join(map(rational_text, knot)) for knot in knots])
    return (f"\n// One knot per row.\nmatrix skKnots[{len(knots)}][{len(knots[0])}] =\n{rows};\n"
            + (EXACT_KNOTS if field == "QQ" else REAL_KNOTS))


REAL_KNOTS = """int skRow;
for (skRow = 1; skRow <= nrows(skKnots); skRow++)
{
  ideal skPoint = skKnots[skRow, 1..nvars(skR)];
  map skValues = skR, skPoint;
  print("values of the polynomials at knot " + string(skRow) + ": " + string(skValues(skI)));
  kill skValues, skPoint;
}
"""

EXACT_KNOTS = """// The ideal of all polynomials that vanish on the knots; slow for more than about 50 of them.
proc skKnotIdeal()
{
  ideal skAll = 1;
  int skRow, skColumn;
  for (skRow = 1; skRow <= nrows(skKnots); skRow++)
  {
    ideal skOne;
    for (skColumn = 1; skColumn <= nvars(basering); skColumn++)
    {
      skOne[skColumn] = var(skColumn) - skKnots[skRow, skColumn];
    }
    skAll = intersect(skAll, skOne);
    kill skOne;
  }
  return(std(skAll));
}
int skRow;
int skContained = 1;
for (skRow = 1; skRow <= nrows(skKnots); skRow++)
{
  ideal skPoint = skKnots[skRow, 1..nvars(skR)];
  map skValues = skR, skPoint;
  if (size(skValues(skI)) > 0) { skContained = 0; }
  kill skValues, skPoint;
}
// Contained in the ideal of the knots: every polynomial is zero on every knot.
if (skContained) { print("contained in the ideal of the knots: yes"); }
else { print("contained in the ideal of the knots: no"); }
"""

QUESTIONS = """
// Groebner basis (degree reverse lexicographic).
ideal skG = std(skI);
print("Groebner basis: " + string(size(skG)) + " element(s)");
if (size(skG) <= 20) { print(skG); }
// Dimension of the set of common zeros; -1 when there are none.
print("dimension: " + string(dim(skG)));
// Degree; for finitely many zeros their number with multiplicities.
print("degree: " + string(mult(skG)));
"""

COMPARISON = """// A contained ideal is equal when it has as many zeros, with multiplicities, as there are knots.
if (skContained and dim(skG) == 0 and vdim(skG) == nrows(skKnots)) { print("equal to the ideal of the knots: yes"); }
else { print("equal to the ideal of the knots: no"); }
"""

DECOMPOSITION = """
// Primary decomposition: each component is the pair (primary ideal, its radical).  May take long, so it is last.
if (dim(skG) >= 0)
{
  list skComponents = primdecGTZ(skI);
  print("components: " + string(size(skComponents)));
  int skNumber;
  for (skNumber = 1; skNumber <= size(skComponents); skNumber++)
  {
    print("component " + string(skNumber) + ": " + string(skComponents[skNumber][1]));
  }
}
else { print("components: 0"); }
"""
