r"""Equations as MathML, which browsers set by themselves: no script, no font and no network is needed.

It is made of the LaTeX of `polynomials.latex` by latex2mathml, so that a name looks the same on paper and on a page.  A
long equation is a row of pieces, each a formula of its own that begins with its sign: a browser breaks lines between them.
"""

from __future__ import annotations

import re
from html import unescape
from xml.etree import ElementTree

from latex2mathml.converter import convert_to_element

from ..polynomials.equation import Equation
from .typesetting import pieces_of

LONGEST_WHOLE = 6
"""Pieces up to which an equation is one formula, which a browser never breaks: a convention, what a narrow page holds."""

DASH = "\u2032"
"""What marks a derivative."""
SIGNS = ("=", "+", "\u2212", "-")
"""Between terms; the minus of formulas is none that is typed."""
_DASHES = re.compile(r"(\\text\{[^{}]*\})|('+)(?:\^\{([^{}]*)\})?")


def mathml_of(latex: str) -> str:
    r"""LaTeX as one formula in MathML, safe to be put into a page.

    Parameters
    ----------
    latex : str
        As `polynomials.latex` writes it.

    Examples
    --------
    >>> print(mathml_of("x_{2} < 1"))
    <math displaystyle="true"><mrow><msub><mi>x</mi><mrow><mn>2</mn></mrow></msub><mo>&lt;</mo><mn>1</mn></mrow></math>
    >>> print(mathml_of(r"\mathrm{speed}"))
    <math displaystyle="true"><mrow><mi>speed</mi></mrow></math>
    """
    formula = convert_to_element(_DASHES.sub(_dashes_above, latex))
    for node in formula.iter():
        # latex2mathml writes characters as references, and leaves it to its own printer not to escape them again
        node.text = unescape(node.text) if node.text else node.text
    for node in list(formula.iter()):
        _join_letters(node)
        _bind_signs(node)
        _lower_dashes(node)
        if node.tag == "mrow" and len(node) == 1 and node[0].tag == "mo":
            node[0].attrib |= {"lspace": "0", "rspace": "0"}                # a sign in braces is a letter of a name
    formula.attrib.clear()                              # in a page its namespace is known, and in a line is the default
    formula.set("displaystyle", "true")
    return ElementTree.tostring(formula, encoding="unicode", short_empty_elements=False)


def equation_mathml(equation: Equation) -> str:
    """An equation as MathML, a long one in pieces between which lines may be broken."""
    pieces = pieces_of(equation.latex())
    if len(pieces) <= LONGEST_WHOLE:
        return mathml_of(equation.latex())
    return " ".join(_with_sign(piece) for piece in pieces)


def _dashes_above(found: re.Match[str]) -> str:
    """Dashes of a derivative, and a power behind them, as one superscript, which latex2mathml wants; texts as they are."""
    text, dashes, power = found.groups()
    return text or "^{" + r"\prime " * len(dashes) + (power or "") + "}"


def _join_letters(node: ElementTree.Element) -> None:
    """Make one word of the letters that latex2mathml sets upright one by one."""
    for place, row in enumerate(list(node)):
        letters = list(row)
        if row.tag == "mrow" and letters and all(one.get("mathvariant") == "normal" for one in letters):
            word = ElementTree.Element("mi")
            word.text = "".join(one.text or "" for one in letters)
            if len(word.text) == 1:
                word.set("mathvariant", "normal")       # a single letter would be slanted
            node[place] = word


def _bind_signs(node: ElementTree.Element) -> None:
    """Tell signs in front of a number, behind another sign, from those between two terms."""
    for before, sign in zip(list(node), list(node)[1:]):
        if before.tag == sign.tag == "mo" and before.text in SIGNS and sign.text in SIGNS:
            sign.set("form", "prefix")


def _lower_dashes(node: ElementTree.Element) -> None:
    """Put the dashes of a derivative behind their letter: their character is raised already, and a power comes after them."""
    if node.tag not in ("msup", "msubsup") or len(node[-1]) == 0 or node[-1][0].text != DASH:
        return
    above = node[-1]
    row = ElementTree.Element("mrow")
    if node.tag == "msubsup":
        below = ElementTree.SubElement(row, "msub")
        below.extend(node[:2])
    else:
        row.append(node[0])
    while len(above) and above[0].text == DASH:
        dash = ElementTree.SubElement(row, "mo", {"lspace": "0", "rspace": "0"})
        dash.text = DASH
        above.remove(above[0])
    node[:] = [row, above] if len(above) else list(row)
    node.tag = "msup" if len(above) else "mrow"


def _with_sign(piece: str) -> str:
    """A piece of a sum; its sign stands between two terms, though nothing is in front of it in its own formula."""
    formula = mathml_of(piece.strip())
    return formula.replace("<mo>", '<mo form="infix">', 1) if piece.lstrip()[:1] in "+-=" else formula

