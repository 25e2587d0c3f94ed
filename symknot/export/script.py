"""What scripts have in common: comments, the header, and the order of their parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, log2

from ..ground.checks import whole_number
from ..ground.errors import InvalidOption
from ..polynomials.infix import polynomial_text
from ..polynomials.numerals import rational_text
from ..polynomials.terms import Terms
from .names import Rules, comment_text, mapping_lines
from .system import System

FIELDS = ("QQ", "real")
"""Fields of coefficients: exact rational numbers, and real ones of so many digits."""
DIGITS = 30
"""Decimal digits of real fields, unless given: twice what a double holds, a convention of ours."""
FEWEST_DIGITS = 2
"""Decimal digits that can be asked for; a real field of one is no use in any of the systems."""
MOST_SHOWN = 20
"""Elements of a Groebner basis that a script still prints: about a screenful.  The word stands for it in `questions`."""
DONE = "symknot: done"
"""The last line that a script prints."""
NOT_SOUND = "symknot: WARNING: the equations are not an exact system; read the comments of this script"
FLOATS = "a Groebner basis over rounded numbers is meaningless: none is computed; export with field QQ for one"

Around = tuple[str, str]
"""What comes before a text, and what comes after it."""


@dataclass(frozen=True)
class Comment:
    """How a system marks a comment of one line."""

    start: str
    end: str = ""

    def line(self, text: str) -> str:
        """`text`, which must be clean, as a comment."""
        return f"{self.start} {text}".rstrip() + self.end

    def lines(self, *texts: str) -> str:
        """Comments, one per line."""
        return "".join(self.line(text) + "\n" for text in texts)


@dataclass(frozen=True)
class Script:
    """A script for a computer algebra system: what differs between them; `text` has the order.

    Parameters
    ----------
    comment : Comment
    rules : Rules
        What its variables may be called.
    ring : callable
        ``(names, field, digits) -> str``: all that comes before the polynomials.
    ideal : two texts
        Around the polynomials.
    say : two texts
        Around words that it prints.
    row : two texts
        Around the coordinates of a knot.
    knots : callable
        ``(rows, number, dimension) -> str``: the table of the knots.
    exact_knots, real_knots : str
        What is asked about the knots over rational and over real numbers.
    questions, comparison, decomposition : str
        Groebner basis (shown up to ``MOST_SHOWN`` elements), dimension and degree; whether the ideal is that of
        the knots; its components.
    of_knots : str
        The comment before the knots.
    count : two texts, optional
        Around the number of polynomials; words to print by default.
    polynomial : callable
        ``(terms, names) -> str``.
    number : callable
        Text of a coordinate.
    nothing : tuple of str
        What stands in for the polynomials of a system that has none.
    rounded : callable, optional
        ``(digits) -> str``: rounds the polynomials, where no ring does.
    """

    comment: Comment
    rules: Rules
    ring: Callable[[Sequence[str], str, int], str]
    ideal: Around
    say: Around
    row: Around
    knots: Callable[[str, int, int], str]
    exact_knots: str
    questions: str
    comparison: str
    decomposition: str
    real_knots: str = ""
    of_knots: str = "One knot per row."
    count: Around | None = None
    polynomial: Callable[[Terms, Sequence[str]], str] = polynomial_text
    number: Callable[[Fraction], str] = rational_text
    nothing: tuple[str, ...] = ("0",)
    rounded: Callable[[int], str] | None = None

    def text(self, system: System, field: str = "QQ", digits: int = DIGITS) -> str:
        """The whole script of a system.

        Parameters
        ----------
        system : System
        field : {"QQ", "real"}
            Over real numbers only values at the knots are asked for.
        digits : int
            Of the real field.

        Returns
        -------
        str
        """
        names = self.rules.safe_names(system.names)
        polynomials = [self.polynomial(terms, names) for terms in system.polynomials] or self.nothing
        parts = [header(system, names, self.comment, field, digits),
                 self.ring(names, field, digits),
                 _framed(self.ideal, listed(polynomials)),
                 self.rounded(digits) if self.rounded and field != "QQ" else "",
                 "" if system.sound else _framed(self.say, NOT_SOUND),
                 self._counted(len(system.polynomials)),
                 self._knots(system.distinct_knots, field) if system.knots else ""]
        if field == "QQ":
            questions = self.questions.replace("MOST_SHOWN", str(MOST_SHOWN))
            parts += [questions, self.comparison if system.knots else "", self.decomposition]
        return "".join(parts) + _framed(self.say, DONE)

    def _counted(self, count: int) -> str:
        return _framed(self.count, str(count)) if self.count else _framed(self.say, f"polynomials: {count}")

    def _knots(self, knots: Sequence[Sequence[Fraction]], field: str) -> str:
        rows = listed(_framed(self.row, ", ".join(map(self.number, knot))) for knot in knots)
        return (f"\n{self.comment.line(self.of_knots)}\n{self.knots(rows, len(knots), len(knots[0]))}"
                + (self.exact_knots if field == "QQ" else self.real_knots))


def _framed(around: Around, text: str) -> str:
    return around[0] + text + around[1]


def header(system: System, safe: Sequence[str], comment: Comment, field: str = "QQ", digits: int = DIGITS) -> str:
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


def bits(digits: int) -> int:
    """Binary digits that hold `digits` decimal ones.

    Examples
    --------
    >>> bits(30)
    100
    """
    return ceil(digits * log2(10))


def listed(texts: Iterable[str], indent: str = "  ") -> str:
    """Texts separated by commas, one per line."""
    return ",\n".join(indent + text for text in texts)
