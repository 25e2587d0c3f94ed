"""LaTeX: a small document that compiles with pdflatex and amsmath."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction

from ..polynomials.numerals import height, integer_text, rounded, wide_context
from ..polynomials.terms import Terms
from .names import PLAIN, comment_text, one_word
from .registry import target
from .script import DIGITS, FIELDS, Comment, header
from .system import System

COMMENT = Comment("%")
# for comments, and for names that LaTeX cannot show
RULES = PLAIN
TERMS_PER_LINE = 4
"""Terms of a polynomial in one line: with numbers of some digits they fill a page of article class."""
LONGEST_NUMBER = 60
"""Decimal digits of a number printed in full: more run off the page of article class, very many are an error in TeX."""
SMALLEST_EXPONENT = -4
"""Of ten, in a number written without one: 0.0001 as it is, less as a product; the convention of C's ``%g``."""
ROWS_PER_BLOCK = 40
"""Lines of one align environment, about a page: TeX keeps a whole one in memory."""

SPECIAL = {"\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%",
           "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}",
           ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}", "`": r"\textasciigrave{}",
           "'": r"\textquotesingle{}", "-": "{-}"}


@target("latex", suffix=".tex", comment=COMMENT, fields=FIELDS, rules=RULES)
def to_latex(system: System, field: str = "QQ", digits: int = DIGITS) -> str:
    """A LaTeX document with the equations, in the user's names where LaTeX can show them.

    Parameters
    ----------
    system : System
    field : {"QQ", "real"}
        Fractions, or decimal numbers.
    digits : int
        Of the decimal numbers.

    Returns
    -------
    str

    Examples
    --------
    >>> from fractions import Fraction
    >>> from symknot.export import System
    >>> text = to_latex(System(("x1", "petal length"), ({(2, 0): Fraction(1), (0, 1): Fraction(-1, 2)},)))
    >>> print(next(line for line in text.splitlines() if line.startswith("0")))
    0 &= x_{1}^{2} - \\frac{1}{2}\\,\\textit{petal length} \\\\
    """
    names = RULES.safe_names(system.names)
    top = header(system, names, COMMENT, field, digits)
    symbols = [_symbol(name, safe) for name, safe in zip(system.names, names)]
    number = _fraction if field == "QQ" else lambda value: decimal_text(value, digits)
    numbers = [value for terms in system.polynomials for value in terms.values()]
    rounded = field == "QQ" and any(map(_is_long, [*numbers, *(value for knot in system.knots for value in knot)]))
    rows = [row for terms in system.polynomials for row in _rows(terms, symbols, number)]
    blocks = [rows[k:k + ROWS_PER_BLOCK] for k in range(0, len(rows), ROWS_PER_BLOCK)]
    title = f"\\section*{{{escaped(system.title)}}}\n" if system.title else ""
    knots = ["\\paragraph{Knots}", *(f"$({', '.join(map(number, knot))})$\\\\" for knot in system.distinct_knots), ""]
    return (top + "\\documentclass{article}\n\\usepackage[T1]{fontenc}\n\\usepackage{textcomp}\n\\usepackage{amsmath}\n"
            + "\\allowdisplaybreaks\n\\begin{document}\n" + title
            + f"Numbers of more than {LONGEST_NUMBER} digits are rounded to {DIGITS}.\n" * rounded
            + "".join("\\begin{align*}\n" + "".join(block) + "\\end{align*}\n" for block in blocks)
            + ("\n".join(knots) if system.knots else "")
            + ("" if rows else "No equations.\n")
            + "\\end{document}\n")


def _rows(terms: Terms, symbols: Sequence[str], number: Callable[[Fraction], str]) -> list[str]:
    """The lines of one equation."""
    pieces = []
    for exponents, value in terms.items():
        powers = [s if e == 1 else f"{s}^{{{e}}}" for s, e in zip(symbols, exponents) if e]
        size = abs(value)
        factors = powers if size == 1 and powers else [number(size), *powers]
        pieces.append(("-" if value < 0 else "+") + " " + r"\,".join(factors))
    pieces = pieces or ["+ 0"]
    lines = [" ".join(pieces[k:k + TERMS_PER_LINE]) for k in range(0, len(pieces), TERMS_PER_LINE)]
    first = lines[0].removeprefix("+ ")
    return [f"0 &= {first} \\\\\n", *(f"&\\quad {line} \\\\\n" for line in lines[1:])]


def _symbol(name: str, safe: str) -> str:
    """A name as a mathematical symbol: letter with index, or words in italics."""
    letter = re.fullmatch(r"([A-Za-z])(?:_?([0-9]{1,6}))?", name)
    if letter:
        return letter[1] + (f"_{{{letter[2]}}}" if letter[2] else "")
    if re.fullmatch(r"[ -~]+", name) and one_word(name):
        return rf"\textit{{{escaped(name)}}}"
    return rf"\textit{{{safe}}}"


def escaped(text: str) -> str:
    """Text that LaTeX prints as it is; what is not ASCII as its code.

    Examples
    --------
    >>> print(escaped("a_b {50%}"))
    a\\_b \\{50\\%\\}
    """
    return "".join(SPECIAL.get(character, character) for character in comment_text(text))


def _is_long(value: Fraction) -> bool:
    return height(value) >= 10**LONGEST_NUMBER


def _fraction(value: Fraction) -> str:
    if _is_long(value):
        return decimal_text(value, DIGITS)
    if value.denominator == 1:
        return integer_text(value.numerator)
    sign = "-" * (value < 0)
    return rf"{sign}\frac{{{integer_text(abs(value.numerator))}}}{{{integer_text(value.denominator)}}}"


def decimal_text(value: Fraction, digits: int) -> str:
    """A number to so many significant digits, as LaTeX writes it.

    Examples
    --------
    >>> from fractions import Fraction
    >>> decimal_text(Fraction(1, 3), 5), decimal_text(Fraction(10**40), 5)
    ('0.33333', '1\\\\cdot 10^{40}')
    """
    context = wide_context(digits)
    shown = rounded(value, context).normalize(context)
    if SMALLEST_EXPONENT <= shown.adjusted() <= digits:
        return f"{shown:f}"
    mantissa, _, exponent = f"{shown:e}".partition("e")
    return rf"{mantissa}\cdot 10^{{{int(exponent)}}}"
