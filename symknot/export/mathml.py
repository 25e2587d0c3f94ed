"""Content MathML: equations by meaning, not by look, as sympy prints them, and the way back.

The file is one ``math`` element with an ``apply`` of ``eq`` for each equation.  Reading takes numbers, names, sums,
products, quotients by numbers and whole powers, and nothing that XML can define (no document types, no entities).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from ..ground.errors import InvalidModel
from ..polynomials.numerals import integer_of, integer_text
from ..polynomials.plain import Plain, constant, product_of, quotient, raised, scaled, total, variable
from .names import PLAIN, mapping_lines, read_mapping
from .registry import target
from .script import Comment
from .system import System

NAMESPACE = "http://www.w3.org/1998/Math/MathML"
COMMENT = Comment("//")
INTEGER = re.compile(r"-?\d{1,100000}", re.ASCII)


@target("mathml", suffix=".mml")
def to_mathml(system: System) -> str:
    """The equations as content MathML.

    Parameters
    ----------
    system : System

    Returns
    -------
    str

    Examples
    --------
    >>> from fractions import Fraction
    >>> system = System(("x",), ({(2,): Fraction(1), (0,): Fraction(-1, 2)},))
    >>> print(*to_mathml(system).splitlines()[1:5], sep="\\n")
     <apply><eq/><apply><plus/>
      <apply><power/><ci>x</ci><cn>2</cn></apply>
      <cn type="rational">-1<sep/>2</cn>
     </apply><cn>0</cn></apply>
    >>> read_mathml(to_mathml(system)) == system
    True
    """
    names = PLAIN.safe_names(system.names)
    lines = [f'<math xmlns="{NAMESPACE}">']
    for terms in system.polynomials:
        parts = [_term(exponents, value, names) for exponents, value in terms.items()]
        lines += [" <apply><eq/><apply><plus/>", *(f"  {part}" for part in parts or ["<cn>0</cn>"])]
        lines.append(" </apply><cn>0</cn></apply>")
    own = "".join(COMMENT.lines(*mapping_lines(names, system.names)))
    lines += [f' <annotation encoding="text/plain">{_ascii(own)}</annotation>', "</math>", ""]
    return "\n".join(lines)


def read_mathml(text: str) -> System:
    """The equations of a file that `to_mathml` wrote, or of any ``apply`` of ``eq`` between polynomials.

    Raises
    ------
    InvalidModel
        When it holds something else.
    """
    try:
        if "<!" in text:
            raise ValueError("document types, entities and comments are not read")
        root = ElementTree.fromstring(text)
        equations = [node for node in root if _tag(node) == "apply"]
        notes = "".join(node.text or "" for node in root if _tag(node) == "annotation")
        own = read_mapping(notes)
        words = list(own) or sorted({(node.text or "").strip() for node in root.iter() if _tag(node) == "ci"})
        places = {word: k for k, word in enumerate(words)}
        return System(tuple(own.get(word, word) for word in words), tuple(_equation(node, places) for node in equations))
    except (ValueError, KeyError, IndexError, RecursionError, ElementTree.ParseError) as error:
        raise InvalidModel(f"not polynomial equations in content MathML: {error}") from None


def _ascii(text: str) -> str:
    """Text of an element in ASCII; what XML cannot hold at all was escaped by `mapping_lines` already."""
    return "".join(c if c.isascii() else f"&#{ord(c)};" for c in escape(text))


def _term(exponents, value, names):
    factors = [f"<ci>{name}</ci>" if e == 1 else f"<apply><power/><ci>{name}</ci><cn>{e}</cn></apply>"
               for name, e in zip(names, exponents) if e]
    if value != 1 or not factors:
        number = integer_text(value.numerator)
        factors.insert(0, f"<cn>{number}</cn>" if value.denominator == 1 else
                       f'<cn type="rational">{number}<sep/>{integer_text(value.denominator)}</cn>')
    return factors[0] if len(factors) == 1 else f"<apply><times/>{''.join(factors)}</apply>"


def _tag(node: ElementTree.Element) -> str:
    return node.tag.rpartition("}")[2]


def _equation(node, places):
    head, left, right = node
    if _tag(head) != "eq":
        raise ValueError("need equations")
    return total([_value(left, places), scaled(_value(right, places), -1)])


def _value(node: ElementTree.Element, places: Mapping[str, int]) -> Plain:
    size = len(places)
    if _tag(node) == "ci":
        return variable(places[(node.text or "").strip()], size)
    if _tag(node) == "cn":
        return constant(_number(node), size)
    if _tag(node) != "apply" or not len(node):
        raise ValueError(f"no polynomial: {_tag(node)[:40]}")
    head, *parts = _tag(node[0]), *(_value(part, places) for part in node[1:])
    if head == "plus":
        return total(parts)
    if head == "times":
        return product_of(parts, size)
    if head == "minus" and len(parts) in (1, 2):
        return total([*parts[:-1], scaled(parts[-1], -1)])
    if head == "divide" and len(parts) == 2:
        return quotient(parts[0], parts[1])
    if head == "power" and len(parts) == 2:
        return raised(parts[0], parts[1], size)
    raise ValueError(f"no polynomial: {head[:40]}")


def _number(node):
    texts = [(node.text or "").strip(), *((part.tail or "").strip() for part in node)]
    if not 1 <= len(texts) <= 2 or not all(INTEGER.fullmatch(text) for text in texts):
        raise ValueError("need whole or rational numbers")
    below = integer_of(texts[1]) if len(texts) == 2 else 1
    if not below:
        raise ValueError("need a denominator other than 0")
    return Fraction(integer_of(texts[0]), below)
