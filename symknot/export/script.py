"""What all scripts begin with: comments on the variables, the numbers and what may be concluded."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log2

from ..ground.checks import whole_number
from ..ground.errors import InvalidOption
from .names import comment_text, mapping_lines

FIELDS = ("QQ", "real")
"""Fields of coefficients: exact rational numbers, and real ones of so many digits."""
DIGITS = 30
"""Decimal digits of real fields, unless given: twice what a double holds, a convention of ours."""
FEWEST_DIGITS = 2
"""Decimal digits that can be asked for; a real field of one is no use in any of the systems."""
DONE = "symknot: done"
"""The last line that a script prints."""
NOT_SOUND = "symknot: WARNING: the equations are not an exact system; read the comments of this script"
FLOATS = "a Groebner basis over rounded numbers is meaningless: none is computed; export with field QQ for one"


@dataclass(frozen=True)
class Comment:
    """How a system marks a comment of one line."""

    start: str
    end: str = ""

    def line(self, text):
        """`text`, which must be clean, as a comment."""
        return f"{self.start} {text}".rstrip() + self.end

    def lines(self, *texts):
        """Comments, one per line."""
        return "".join(self.line(text) + "\n" for text in texts)


def header(system, safe, comment, field="QQ", digits=DIGITS):
    """The comments at the top of an export.

    Parameters
    ----------
    system : System
    safe : tuple of str
        The variables' names in the script.
    comment : Comment
    field : {"QQ", "real"}
    digits : int

    Returns
    -------
    str
    """
    if field not in FIELDS:
        raise InvalidOption("field", field, " or ".join(map(repr, FIELDS)))
    whole_number("digits", digits, FEWEST_DIGITS)
    lines = ["Polynomial equations written by symknot."]
    lines += [f"title: {comment_text(system.title)}"] * bool(system.title)
    lines += ["Each variable here, and the column it stands for:", *mapping_lines(safe, system.names)]
    lines += [f"note: {comment_text(note)}" for note in system.notes]
    count, knots = len(system.polynomials), len(system.distinct_knots)
    lines.append(f"{count} polynomial(s), each to be zero, with exact rational coefficients p/q; {knots} knot(s)."
                 if field == "QQ" else
                 f"{count} polynomial(s), each to be zero, rounded to {digits} digits; {knots} knot(s).")
    lines += [FLOATS] * (field != "QQ")
    lines += [f"polynomial {k}: {comment_text(note)}" for k, note in enumerate(system.polynomial_notes, start=1)]
    if not system.sound:
        lines.append("WARNING: these polynomials are not an exact system with common zeros.")
    if system.warning:
        lines.append(f"WARNING: {comment_text(system.warning)}")
    lines += ["The approximate equations (for reading only):"] * bool(system.approximate)
    lines += [f"approximately: {comment_text(line)}" for line in system.approximate]
    return comment.lines(*lines)


def bits(digits):
    """Binary digits that hold `digits` decimal ones.

    Examples
    --------
    >>> bits(30)
    100
    """
    return ceil(digits * log2(10))


def listed(texts, indent="  "):
    """Texts separated by commas, one per line."""
    return ",\n".join(indent + text for text in texts)
