"""Variable names that a system accepts, and the way back to the user's own.

A column may be called anything.  Its own name is used where the system can take it without a
trap; otherwise a readable one is made from it, the same for all systems that accept it.  The
pairs are printed as comments, and `read_mapping` reads them back from a script.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

from ..ground.errors import InvalidModel
from ..polynomials.spelling import LISTS_KEPT, PREFIX, ascii_word, spellings

OWN = re.compile("sk(?:[A-Z]|$)")
"""How every identifier of our own begins in a script, and no variable."""
LONGEST_NAME = 31
"""Characters of a variable's name: what C99 promises to tell apart (5.2.4.1); the other systems allow more."""
LONGEST_SUFFIX = 5
"""Letters that tell equal words apart, kept free at the end of a word, beside one for `PREFIX`."""
LONGEST_END = 10
"""Characters kept of the end of a long word: a number with a unit."""
SUFFIXES = "BCDEFGHIJKLMNOPQRSTUVWXYZ"
"""What tells equal words apart: letters, since a digit would be read as an exponent by some systems."""
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
                and name not in self.words and not OWN.match(name)
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
        >>> Rules(words=frozenset(["std"])).safe_names(["x", "petal length (cm)", "std", "2nd", "α"])
        ('x', 'petalLength', 'vStd', 'v2nd', 'alpha')
        >>> Rules(juxtaposes=True).safe_names(["x", "x3"]), Rules(first="a-z").safe_names(["I", "e"])
        (('x', 'vX3'), ('vI', 'e'))
        """
        words = common_names(names)
        alone = {word for word in words if self.accept(word)}
        kept = {word for word in alone if self.accept_beside(word, alone - {word})}
        numbered = tuple(f"x{index}" for index in range(1, len(words) + 1))
        chosen: list[str] = []
        taken = set(kept)
        for index, common in enumerate(words, start=1):
            others = (word for word in _variants(common, index) if self.accept_beside(word, taken))
            word = common if common in kept else next(others, None)
            if word is None:
                return numbered
            chosen.append(word)
            taken.add(word)
        # a later name may be a part of an earlier one
        safe = all(self.accept_beside(name, taken - {name}) for name in chosen)
        return tuple(chosen) if safe else numbered


PLAIN = Rules()
"""Rules of a target that brings none: any word of letters and digits but our own."""
STRICTEST = Rules(juxtaposes=True)
"""Rules of a word with a suffix: it is made up, so it may as well be one that every target tells apart."""


def common_names(names: Iterable[str]) -> tuple[str, ...]:
    """What scripts for all targets call the variables, but for words that a target does not accept.

    A name of letters and digits in ASCII is kept; others are made of their spelling (`spelling.ascii_word`).

    Parameters
    ----------
    names : iterable of str
        Any strings.

    Returns
    -------
    tuple of str
        All different.

    Examples
    --------
    >>> common_names(["température (°C)", "α", "x 1", "lambda", "λ", "Δt", "速度"])
    ('temperature', 'alpha', 'x1', 'lambda', 'lambdaB', 'DeltaT', 'suDu')
    """
    return _common_names(tuple(names))


@lru_cache(maxsize=LISTS_KEPT)
def _common_names(names: tuple[str, ...]) -> tuple[str, ...]:
    count = Counter(names)
    own = {name for name in names if count[name] == 1 and PLAIN.accept(name)}
    taken = set(own)
    chosen = []
    for index, (name, spelled) in enumerate(zip(names, spellings(names)), start=1):
        if name in own:
            chosen.append(name)
            continue
        word = _shortened(ascii_word(spelled)) or f"{PREFIX}{index}"
        word = word if PLAIN.accept(word) else PREFIX + _capital(word)
        chosen.append(word if PLAIN.accept_beside(word, taken) else _told_apart(word, taken))
        taken.add(chosen[-1])
    return tuple(chosen)


def _shortened(word: str) -> str:
    """A word with room for a prefix and a suffix; both ends are kept, since numbers are at the end."""
    longest = LONGEST_NAME - LONGEST_SUFFIX - len(PREFIX)
    return word if len(word) <= longest else word[:longest - LONGEST_END] + word[-LONGEST_END:]


def _told_apart(word: str, taken: AbstractSet[str]) -> str:
    """A word with a suffix, unlike those that are taken."""
    lengths = range(1, LONGEST_SUFFIX + 1)
    longer = (word + "".join(letters) for length in lengths for letters in product(SUFFIXES, repeat=length))
    short = (word + letter for letter in SUFFIXES)
    return (next((one for one in short if STRICTEST.accept_beside(one, taken)), None)
            or next(one for one in longer if PLAIN.accept_beside(one, taken)))


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


def _variants(word: str, index: int) -> list[str]:
    """Other words for one that a target does not accept, the nicest first."""
    acronym = len(word) == 1 or re.match("[A-Z]{2}", word)
    small = [] if acronym else [word[:1].lower() + word[1:]]
    named = f"{PREFIX}{_capital(word)}"[:LONGEST_NAME]
    return [*small, named, f"{PREFIX}{index}{_capital(word)}"[:LONGEST_NAME], f"{PREFIX}{index}"]


def _capital(word: str) -> str:
    return word[:1].upper() + word[1:]


_PAIRS = re.compile(r"(?<=[*])[/)\-]|(?<=[/(\-])\*|(?<=/)/|(?<=-)-|(?<=\?)\?")


def comment_json(value: Any) -> str:
    """JSON of `value` in printable characters that ends no comment, in any system, and begins none.

    Examples
    --------
    >>> print(comment_json({"α": 'a*/ "b"\\n'}))
    {"α": "a*\\u002f \\"b\\"\\n"}
    """
    text = "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in json.dumps(value, ensure_ascii=False))
    return _PAIRS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def comment_text(text: str) -> str:
    """Free text in printable characters that ends no comment, in any system, and begins none.

    There is no backslash at its end either, which in Singular and C would swallow the next line.

    Examples
    --------
    >>> print(comment_text("50 µm; */ system(1)\\n"))
    50 µm; * / system(1)\\u000a
    """
    shown = "".join(c if c.isprintable() and c != "\\" else code(c) for c in text)
    return _PAIRS.sub(lambda match: " " + match[0], shown)


def code(character: str) -> str:
    """A character as its number: ``\\u00b5``."""
    number = ord(character)
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def mapping_lines(safe: Sequence[str], names: Sequence[str]) -> list[str]:
    """The names as lines for comments, one per variable."""
    return [f"{MARK} {short} stands for {comment_json(name)}" for short, name in zip(safe, names)]


_PAIR_OF_NAMES = re.compile(rf"^\W{{1,3}} {MARK} (?:(\w+) stands for (\".*\")|(\{{.*\}}))(?: \W{{2}})?$", re.MULTILINE)
"""Before version 0.2 a pair was written as a JSON object."""


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
    >>> read_mapping('// symknot-name temperature stands for "température (°C)"')
    {'temperature': 'température (°C)'}
    """
    mapping: dict[str, str] = {}
    for found in _PAIR_OF_NAMES.finditer(text):
        try:
            pair = json.loads(found[3]) if found[3] else {found[1]: json.loads(found[2])}
        except ValueError:
            pair = None
        if not isinstance(pair, dict) or len(pair) != 1 or not all(isinstance(name, str) for name in pair.values()):
            raise InvalidModel(f"not a name as an export writes it: {found[0][:80]!r}")
        if pair.keys() & mapping.keys():
            raise InvalidModel(f"a variable named twice: {found[0][:80]!r}")
        mapping.update(pair)
    return mapping
