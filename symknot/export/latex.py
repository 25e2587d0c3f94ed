"""LaTeX: a small document that compiles with pdflatex and amsmath."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from fractions import Fraction

from ..polynomials.latex import has_words, latex_name, latex_names
from ..polynomials.numerals import height, integer_text, rounded, wide_context
from ..polynomials.terms import Terms
from .names import PLAIN, code, comment_text
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
ACCENTS = {"\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u", "\u0307": ".",
           "\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0327": "c", "\u0328": "k"}
"""Accents of Unicode, and the commands that put them on a letter."""
LETTERS = {"ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "dj",
           "Đ": "DJ", "ð": "dh", "Ð": "DH", "þ": "th", "Þ": "TH", "ı": "i"}
"""Further Latin letters, and the commands of the T1 encoding for them."""

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
    0 &= x_{1}^{2} - \\frac{1}{2}\\,\\text{petal length} \\\\
    """
    names = RULES.safe_names(system.names)
    top = header(system, names, COMMENT, field, digits)
    symbols = [in_ascii(shown) or latex_name(safe) for shown, safe in zip(latex_names(system.names), names)]
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
        product = (r" \cdot " if has_words(symbols) else r"\,").join(powers)
        factors = [product] if size == 1 and powers else [number(size), *filter(None, [product])]
        pieces.append(("-" if value < 0 else "+") + " " + r"\,".join(factors))
    pieces = pieces or ["+ 0"]
    lines = [" ".join(pieces[k:k + TERMS_PER_LINE]) for k in range(0, len(pieces), TERMS_PER_LINE)]
    first = lines[0].removeprefix("+ ")
    return [f"0 &= {first} \\\\\n", *(f"&\\quad {line} \\\\\n" for line in lines[1:])]


def in_ascii(text: str) -> str | None:
    """LaTeX with commands for the letters beyond ASCII; None where pdflatex has none.

    Examples
    --------
    >>> print(in_ascii(r"\\text{température}"), in_ascii(r"\\text{Größe}"), in_ascii(r"\\text{速度}"))
    \\text{temp\\'{e}rature} \\text{Gr\\"{o}\\ss{}e} None
    """
    pieces = []
    for character in text:
        parts = unicodedata.normalize("NFD", character)
        letter, accents = parts[0], parts[1:]
        if character in LETTERS:
            pieces.append(f"\\{LETTERS[character]}{{}}")
        elif letter.isascii() and len(accents) < 2 and set(accents) <= set(ACCENTS):
            pieces.append(f"\\{ACCENTS[accents[0]]}{{{letter}}}" if accents else letter)
        else:
            return None
    return "".join(pieces)


def escaped(text: str) -> str:
    """Text that LaTeX prints as it is; what is not ASCII as its code.

    Examples
    --------
    >>> print(escaped("a_b {50%}"))
    a\\_b \\{50\\%\\}
    """
    shown = (in_ascii(character) or code(character) for character in comment_text(text))
    return "".join(one if len(one) > 1 and one[1] != "u" else "".join(SPECIAL.get(c, c) for c in one) for one in shown)


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
