"""Variable names that a system accepts, and the way back to the user's own.

A column may be called anything.  Its own name is used where the system can take it without a
trap; otherwise a readable one is made from it.  The pairs are printed as comments, as JSON,
and `read_mapping` reads them back from a script.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from ..ground.errors import InvalidModel

OWN_PREFIX = "sk"
"""How every identifier of our own begins in a script, and no variable."""
LONGEST_NAME = 31
"""Characters of a variable's name: what C99 promises to tell apart (5.2.4.1); the other systems allow more."""
LONGEST_NUMBERING = 6
"""Characters kept free in a readable name for ``v12345``, which tells equal ones apart in up to 99,999 variables."""
LONGEST_READ = 1000
"""Characters of a user's name that are looked at: far more than `LONGEST_NAME` needs, and a bound on the work."""
MARK = "symknot-name"
"""What a comment line that holds a pair of names begins with."""


@dataclass(frozen=True)
class Rules:
    """What a system's variable may be called.

    Parameters
    ----------
    words : frozenset of str
        Names that already mean something.
    first : str
        Characters a name may begin with.
    shape_of_others : str
        Regular expression of further names that already mean something.
    juxtaposes : bool
        Whether ``x3`` may be read as a power of ``x``, and ``xy`` as a product.
    """

    words: frozenset[str] = frozenset()
    first: str = "A-Za-z"
    shape_of_others: str = r"(?!)"
    juxtaposes: bool = False

    def accept(self, name: str) -> bool:
        """Whether `name` alone, next to no other, is safe."""
        return (re.fullmatch(rf"[{self.first}][A-Za-z0-9]{{0,{LONGEST_NAME - 1}}}", name) is not None
                and name not in self.words and not name.startswith(OWN_PREFIX)
                and re.fullmatch(self.shape_of_others, name) is None)

    def accept_beside(self, name: str, others: AbstractSet[str]) -> bool:
        """Whether `name` is safe among variables of the names `others`."""
        return self.accept(name) and name not in others and not (self.juxtaposes and _is_product(name, others))

    def safe_names(self, names: Iterable[str]) -> tuple[str, ...]:
        """One name per variable that these rules accept, all different.

        Parameters
        ----------
        names : iterable of str
            Any strings.

        Returns
        -------
        tuple of str

        Examples
        --------
        >>> Rules(words=frozenset(["std"])).safe_names(["x", "petal length (cm)", "std", "2nd", "alpha"])
        ('x', 'petalLengthCm', 'vStd', 'v2nd', 'alpha')
        >>> Rules(juxtaposes=True).safe_names(["x", "x3"]), Rules(first="a-z").safe_names(["I", "e"])
        (('x', 'vX3'), ('vI', 'e'))
        """
        names = list(names)
        count = Counter(names)
        alone = {name for name in names if count[name] == 1 and self.accept(name)}
        own = {name for name in alone if self.accept_beside(name, alone - {name})}
        numbered = tuple(f"x{index}" for index in range(1, len(names) + 1))
        chosen: list[str] = []
        taken = set(own)
        for index, name in enumerate(names, start=1):
            words = (word for word in _candidates(name, index) if self.accept_beside(word, taken))
            word = name if name in own else next(words, None)
            if word is None:
                return numbered
            chosen.append(word)
            taken.add(word)
        # a later name may be a part of an earlier one
        safe = all(self.accept_beside(name, taken - {name}) for name in chosen)
        return tuple(chosen) if safe else numbered


PLAIN = Rules()
"""Rules of a target that brings none: any word of letters and digits but our own."""


def _is_product(name: str, others: AbstractSet[str]) -> bool:
    """Whether `name` is made of names `others`, each with or without an exponent.

    Examples
    --------
    >>> _is_product("x3y", {"x", "y"}), _is_product("x3z", {"x", "y"}), _is_product("x12", {"x1"})
    (True, False, False)
    """
    ends, waiting = {0}, [0]
    while waiting:
        start = waiting.pop()
        for end in range(start + 1, len(name) + 1):
            if name[start:end] in others:
                rest = name[end:]
                digits = 0 if name[end - 1].isdigit() else len(rest) - len(rest.lstrip("0123456789"))
                found = {end + count for count in range(digits + 1)} - ends
                ends |= found
                waiting += found
    return len(name) in ends


def _candidates(name: str, index: int) -> list[str]:
    """Readable words for a name, the nicest first."""
    word = one_word(name)
    capital = word[:1].upper() + word[1:]
    return ([word] if len(word) > 1 else []) + [f"v{capital}"] * bool(word) + [f"v{index}{capital}", f"v{index}"]


def one_word(name: str) -> str:
    """Letters and digits of a name as one word, in ASCII.

    Examples
    --------
    >>> one_word("petal length (cm)"), one_word("α_1"), one_word("Größe"), one_word("CO2 (ppm)"), one_word("变量")
    ('petalLengthCm', 'alpha1', 'grosse', 'CO2Ppm', '')
    """
    words = re.findall(r"[A-Za-z0-9]+", "".join(map(_ascii, name[:LONGEST_READ])))
    joined = "".join(word[:1].upper() + word[1:] for word in words)
    acronym = words and re.match("[A-Z]{2}", words[0])
    return (joined if acronym else joined[:1].lower() + joined[1:])[: LONGEST_NAME - LONGEST_NUMBERING]


def _ascii(character: str) -> str:
    """A character in ASCII: Greek letters by name, others without their accents, the rest as a space."""
    if character.isascii():
        return character
    greek = re.fullmatch(r"GREEK (?:SMALL|CAPITAL) LETTER (?:FINAL )?([A-Z]+)", unicodedata.name(character, ""))
    if greek:
        return greek[1].lower() if character.islower() else greek[1].capitalize()
    if character == "ß":
        return "ss"
    plain = unicodedata.normalize("NFKD", character)[0]
    return plain if plain.isascii() else " "


_PAIRS = re.compile(r"(?<=[*])[/)\-]|(?<=[/(\-])\*|(?<=/)/|(?<=-)-|(?<=\?)\?")


def comment_json(value: Any) -> str:
    """JSON of `value` in printable ASCII that ends no comment, in any system, and begins none.

    Examples
    --------
    >>> print(comment_json({"x": 'a*/ "b"'}))
    {"x": "a*\\u002f \\"b\\""}
    """
    text = json.dumps(value).replace("\x7f", "\\u007f")
    return _PAIRS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def comment_text(text: str) -> str:
    """Free text in printable ASCII that ends no comment, in any system, and begins none.

    There is no backslash at its end either, which in Singular and C would swallow the next line.

    Examples
    --------
    >>> print(comment_text("50 µm; */ system(1)\\n"))
    50 \\u00b5m; * / system(1)\\u000a
    """
    shown = "".join(c if " " <= c <= "~" and c != "\\" else _code(c) for c in text)
    return _PAIRS.sub(lambda match: " " + match[0], shown)


def _code(character: str) -> str:
    number = ord(character)
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def mapping_lines(safe: Sequence[str], names: Sequence[str]) -> list[str]:
    """The names as lines for comments, one per variable."""
    return [f"{MARK} {comment_json({short: name})}" for short, name in zip(safe, names)]


def read_mapping(text: str) -> dict[str, str]:
    """The user's own names, from the comments of a script.

    Parameters
    ----------
    text : str
        What `export` wrote.

    Returns
    -------
    dict
        Name in the script -> the user's name, in the order of the variables.

    Examples
    --------
    >>> read_mapping('// symknot-name {"vStd": "std"}')
    {'vStd': 'std'}
    """
    mapping: dict[str, str] = {}
    for found in re.finditer(rf"^\W{{1,3}} {MARK} (\{{[ -~]*\}})(?: \W{{2}})?$", text, flags=re.MULTILINE):
        try:
            pair = json.loads(found[1])
        except ValueError:
            pair = None
        if not isinstance(pair, dict) or len(pair) != 1 or not all(isinstance(name, str) for name in pair.values()):
            raise InvalidModel(f"not a name as an export writes it: {found[0][:80]!r}")
        if pair.keys() & mapping.keys():
            raise InvalidModel(f"a variable named twice: {found[0][:80]!r}")
        mapping.update(pair)
    return mapping
