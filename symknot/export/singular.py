"""Singular: ``Singular FILE``."""

from __future__ import annotations

from collections.abc import Sequence

from . import reserved
from .names import Rules
from .registry import target
from .script import DIGITS, FIELDS, Comment, Script
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
    return SCRIPT.text(system, field, digits)


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
if (size(skG) <= MOST_SHOWN) { print(skG); }
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


def _ring(names: Sequence[str], field: str, digits: int) -> str:
    ground = "0" if field == "QQ" else f"(real,{digits})"
    return ('LIB "primdec.lib";\n' * (field == "QQ")
            + f"ring skR = {ground}, ({', '.join(names)}), dp;\nshort = 0;\n\n")


SCRIPT = Script(
    comment=COMMENT, rules=RULES, ring=_ring, ideal=("ideal skI =\n", ";\n"), say=('print("', '");\n'),
    row=("", ""), knots=lambda rows, number, dimension: f"matrix skKnots[{number}][{dimension}] =\n{rows};\n",
    exact_knots=EXACT_KNOTS, real_knots=REAL_KNOTS, questions=QUESTIONS, comparison=COMPARISON,
    decomposition=DECOMPOSITION)
