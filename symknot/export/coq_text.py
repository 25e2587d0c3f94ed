"""Polynomials, numbers and matrices as text for Coq, and the library that its theorems rest on.

The library (`coqlib`) is proved by Coq from its standard library alone and becomes part of every file, so that a file
needs no other.  A polynomial is multiplied by its least common denominator: it is data in whole numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from importlib.resources import files
from math import lcm

from ..polynomials.infix import Style, polynomial_text
from ..polynomials.terms import Exponents, Terms, without_denominators
from .names import MARK, Rules
from .script import Comment

PARTS = {"polynomials": (), "contraction": (), "matrices": ("contraction",), "boxes": ("contraction", "matrices"),
         "also_zero": ("contraction", "matrices", "boxes"), "motion": (), "points": ("contraction", "matrices"),
         "rational_points": ("contraction", "matrices", "points"), "monomials": (), "terms": ("monomials",),
         "groebner": ("monomials", "terms")}
"""Files of the library, and those that each needs besides `polynomials`; in the order in which they are read."""
LONGEST_DECIMAL = 60
"""Decimal digits of a number that is written as such; longer ones are hexadecimal, which Coq reads in linear time."""
FEWEST_TWOS = 20
"""Factors of two in a number from which on they are written as a power: shorter ones are as quick to read in full."""
WIDTH = 118
"""Characters of a line before a list is broken; a convention."""

KEYWORDS = frozenset("""
    Axiom CoFixpoint Definition Fixpoint Hypothesis Parameter Prop SProp Set Theorem Type Variable as at by cofix discriminated
    else end exists exists2 fix for forall fun if in let match multimatch return then using where with lazymatch measure
    R Z Q N nat list bool IZR INR IPR In nil cons map nth length pow Rabs Rplus Rmult Rle Rlt eq not and or ex True False
    true false lex grlex grevlex S O fst snd pair Some None option point eval eq_refl Prop""".split())
"""Words of the language and of what statements are made of."""


class CoqComment(Comment):
    """A comment of one line: quotation marks, which open strings even there, are kept in pairs."""

    def line(self, text: str) -> str:
        """`text`, which must be clean, as a comment."""
        if text.startswith(MARK):
            text = re.sub(r'\\(["\\])', lambda found: f"\\u{ord(found[1]):04x}", text)
        else:
            text = text.replace('"', "\\u0022")
        return super().line(text)


COMMENT = CoqComment("(*", " *)")


@lru_cache
def library(*parts: str) -> str:
    """The text of these parts of the library, with what they need."""
    wanted = {"polynomials", *parts, *(need for part in parts for need in PARTS[part])}
    folder = files(__package__) / "coqlib"
    return "\n".join((folder / f"{part}.v").read_text(encoding="utf-8") for part in PARTS if part in wanted)


@lru_cache
def own_words() -> frozenset[str]:
    """Names that the library defines: no variable is called so."""
    text = library(*PARTS)
    return frozenset(re.findall(r"^(?:Definition|Fixpoint|Lemma|Theorem|Notation|Inductive) (\w+)", text, re.MULTILINE))


def rules() -> Rules:
    """What a variable may be called."""
    return Rules(KEYWORDS | own_words())


def number(value: int) -> str:
    """A whole number, in parentheses if it is negative.

    Examples
    --------
    >>> number(-12), number(10**70)[:5]
    ('(-12)', '0x172')
    """
    text = str(abs(value)) if abs(value) < 10**LONGEST_DECIMAL else hex(abs(value))
    return f"(-{text})" if value < 0 else text


def data(value: int) -> str:
    """A whole number among data, so that Coq reads it quickly: a power of two is written as such, and what is long in the
    library's notation `long`, which makes a number of its digits only when it is computed with.

    Examples
    --------
    >>> data(-12), data(3 * 2**100), data(2**100), data(-(10**70 + 1))[:5], data(10**70 + 1)[-7:]
    ('(-12)', '(3 * 2^100)', '(2^100)', '(-0x1', '1)%long')
    """
    twos = (value & -value).bit_length() - 1 if value else 0
    if twos < FEWEST_TWOS:
        return _digits(value)
    odd = value >> twos
    return f"(2^{twos})" if odd == 1 else f"({_digits(odd)} * 2^{twos})"


def _digits(value: int) -> str:
    return number(value) if abs(value) < 10**LONGEST_DECIMAL else f"({'-' * (value < 0)}{hex(abs(value))})%long"


def listed(texts: Iterable[str], indent: str = "   ") -> str:
    """A list, broken into lines where it is long.

    Examples
    --------
    >>> listed(["1", "2"])
    '[1; 2]'
    """
    lines, line = [], "["
    for place, text in enumerate(texts):
        piece = ("; " if place else "") + text
        if len(line) + len(piece) > WIDTH and place:
            lines.append(line + ";")
            line = indent + text
        else:
            line += piece
    return "\n".join([*lines, line + "]"])


def matrix(rows: Sequence[Sequence[int]]) -> str:
    """Whole numbers by rows."""
    return listed([listed(map(data, row)) for row in rows])


def terms_text(terms: Mapping[Exponents, int], write: Callable[[int], str] = data) -> str:
    """A polynomial in whole numbers, as its terms."""
    return listed(f"([{'; '.join(map(str, exponents))}]%nat, {write(value)})" for exponents, value in terms.items())


def whole(terms: Terms) -> dict[Exponents, int]:
    """The polynomial times its least common denominator."""
    return without_denominators(terms)[0] if terms else {}


def algebra(terms: Mapping[Exponents, Fraction | int], names: Sequence[str]) -> str:
    """A polynomial as Coq reads it.

    Examples
    --------
    >>> algebra({(2,): Fraction(-1, 3), (0,): Fraction(1)}, ["x"])
    '-1/3*x^2 + 1'
    """
    return polynomial_text(terms, names, Style(number=_rational)) if terms else "0"


def _rational(value):
    return number(value.numerator) + (f"/{number(value.denominator)}" if value.denominator > 1 else "")


def definition(name: str, size: int, terms: Mapping[Exponents, int], named: bool = False,
               write: Callable[[int], str] = data) -> str:
    """A polynomial as data; its terms by a name of their own if `named`."""
    if named:
        return (f"Definition {name}Terms : list (list nat * Z) :=\n  {terms_text(terms, write)}.\n"
                f"Definition {name} : poly {size} := of_terms {name}Terms.\n")
    return f"Definition {name} : poly {size} := of_terms\n  {terms_text(terms, write)}.\n"


def common_denominator(rows: Sequence[Sequence]) -> int:
    """Of all entries of a matrix."""
    return lcm(*(value.denominator for row in rows for value in row))
