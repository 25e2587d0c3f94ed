"""How a variable is spelled: one readable word for each name, whatever the name is.

A name that is a word of letters, in any script, is its own spelling: ``α``, ``Größe``, ``速度``.  Others lose what
is no letter or digit, and a unit in brackets where they stay different without it: ``CO2 [ppm]`` is ``CO2``.  What
`identify` and `fit` print, sympy's symbols and Groebner bases have these spellings; `ascii_word` makes of each the
one that scripts for other systems use.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import count

from anyascii import anyascii

LONGEST_READ = 1000
"""Characters of a name that are looked at where it is respelled: far more than anyone reads, and a bound on the work."""
LISTS_KEPT = 64
"""Lists of names whose spellings are remembered: a convention, few are in use at a time."""
LONGEST_GREEK_SYMBOLS = 2
"""Greek letters in a row that are symbols, each with its own name (``Δθ``); more of them are a Greek word."""
PREFIX = "v"
"""What begins the spelling of a name that begins with no letter: ``v2nd``."""

_MARK = re.compile(r"'+\Z|_next\d*\Z|_lag\d+\Z")
_UNIT = re.compile(r"(.*\S)\s*(?:\([^()\[\]{}]*\)|\[[^()\[\]{}]*\]|\{[^()\[\]{}]*\})\s*", re.DOTALL)
_GREEK = re.compile("[\u0370-\u03ff\u1f00-\u1fff]+")
_SPELLED_BY_UNICODE = {"lamda": "lambda"}


def parted(name: str) -> tuple[str, str]:
    """A name without, and its mark of, a derivative, a later or an earlier state.

    Examples
    --------
    >>> parted("x''"), parted("T (K)_next"), parted("x_lag2"), parted("x")
    (('x', "''"), ('T (K)', '_next'), ('x', '_lag2'), ('x', ''))
    """
    mark = _MARK.search(name)
    return (name[:mark.start()], mark[0]) if mark and mark.start() else (name, "")


def spellings(names: Iterable[str]) -> tuple[str, ...]:
    """One spelling for each name, all different, each a word that Python takes as an identifier (but for dashes).

    Parameters
    ----------
    names : iterable of str
        Any strings.

    Returns
    -------
    tuple of str

    Examples
    --------
    >>> spellings(["température (°C)", "α", "x 1", "CO2 [ppm]", "2nd", "x_1'", "***"])
    ('température', 'α', 'x_1_2', 'CO2', 'v2nd', "x_1'", 'v7')
    >>> spellings(["T (°C)", "T (K)", "T (K)_next"])
    ('T_C', 'T_K', 'T_K_next')
    """
    return _spellings(tuple(names))


@lru_cache(maxsize=LISTS_KEPT)
def _spellings(names: tuple[str, ...]) -> tuple[str, ...]:
    seen: Counter[str] = Counter()
    marks: dict[tuple[str, int], list[str]] = {}              # name without mark, how often it came before -> its marks
    parts = []
    for name in names:
        base, mark = parted(name)
        parts.append(((base, seen[name]), mark))
        seen[name] += 1
        marks.setdefault(parts[-1][0], []).append(mark)
    shared = Counter(_without_unit(base) for base, _ in marks)
    spelled: dict[tuple[str, int], str] = {}
    taken: set[str] = set()
    places = {key: place for place, (key, _) in reversed(list(enumerate(parts, start=1)))}
    # names that are words come first, whatever marks they end with: they keep their own spelling
    words = {key for key in marks if key[1] == 0 and any((key[0] + mark).isidentifier() for mark in marks[key])}
    for key in sorted(marks, key=lambda key: (key not in words, not key[0].isidentifier() or key[1] > 0, places[key])):
        for word in _candidates(key[0], places[key], shared):
            whole = {_seen_as(word), *(_seen_as(word + mark) for mark in marks[key])}
            if not whole & taken:
                break
        spelled[key] = word
        taken |= whole
    return tuple(spelled[key] + mark for key, mark in parts)


def _candidates(base: str, place: int, shared: Counter[str]) -> Iterator[str]:
    """Spellings of a name without its mark, the nicest first; they never end."""
    if base.isidentifier():
        yield base
    short = _without_unit(base)
    if shared[short] == 1:
        yield _word(short, place)
    whole = _word(base, place)
    yield whole
    yield from (f"{whole}_{number}" for number in count(2))


def _seen_as(name: str) -> str:
    """What Python makes of an identifier: names that look alike, such as the two ``μ`` of Unicode, are one."""
    return unicodedata.normalize("NFKC", name)


def _without_unit(name: str) -> str:
    text = unicodedata.normalize("NFKC", name[:LONGEST_READ]).strip()
    unit = _UNIT.fullmatch(text)
    return unit[1] if unit else text


def _word(text: str, place: int) -> str:
    """Letters and digits of a text as an identifier; the place of the variable where there are none."""
    for form in (unicodedata.normalize("NFKC", text[:LONGEST_READ]), ascii_text(text)):
        shown = (c for c in form if unicodedata.category(c) not in ("Cf", "Cs"))
        word = re.sub("_+", "_", "".join(c if _goes_on(c) else "_" for c in shown)).strip("_")
        if word:
            return word if word[0].isidentifier() else PREFIX + word
    return f"{PREFIX}{place}"


def _goes_on(character: str) -> bool:
    """Whether an identifier may go on with a character; the dot in the middle of a line is no letter."""
    return ("a" + character).isidentifier() and character != "·"


def name_lines(names: Sequence[str], spelled: Sequence[str]) -> list[str]:
    """What names stand behind the spellings that differ from them, one printable line each; marked ones go with the unmarked.

    Examples
    --------
    >>> name_lines(["x 1", "α", "x 1'", "a\\nb"], ["x_1", "α", "x_1'", "a_b"])
    ['x_1 stands for x 1', "a_b stands for 'a\\\\nb'"]
    """
    return [f"{word} stands for {name if name.strip() and name.isprintable() else repr(name)}"
            for name, word in zip(names, spelled)
            if word != name and not (parted(name)[1] and parted(name)[0] in names)]


# ---------------------------------------------------------------------------------------------------------- ASCII


def ascii_text(text: str) -> str:
    """A text in ASCII: Greek symbols by their names, letters without accents, other scripts as they sound.

    Examples
    --------
    >>> ascii_text("température"), ascii_text("Größe"), ascii_text("скорость"), ascii_text("速度")
    ('temperature', 'Grosse', 'skorost', 'SuDu')
    >>> ascii_text("αβ").split(), ascii_text("Δt").split(), ascii_text("ταχύτητα"), ascii_text("µ").strip()
    (['alpha', 'beta'], ['Delta', 't'], 'tachytita', 'mu')
    """
    text = unicodedata.normalize("NFKC", text[:LONGEST_READ])
    pieces, end = [], 0
    for run in _GREEK.finditer(text):
        pieces += [_sounded(text[end:run.start()]), _greek(run[0])]
        end = run.end()
    return "".join(pieces) + _sounded(text[end:])


def _sounded(text: str) -> str:
    """Transliterated; the marks that stand for a soft sign or a glottal stop are no letters."""
    return "".join(c if c.isascii() else re.sub("['\"`]", "", anyascii(c)) for c in text if not "\ud800" <= c <= "\udfff")


def _greek(run: str) -> str:
    letters = [unicodedata.normalize("NFD", letter)[0] for letter in run]
    names = [greek_name(letter) for letter in letters]
    if len(names) > LONGEST_GREEK_SYMBOLS or "" in names:
        return _sounded(run)
    return " " + " ".join(names) + " "


def greek_name(letter: str) -> str:
    """The English name of a Greek letter, capital for a capital one; empty for other characters.

    Examples
    --------
    >>> greek_name("λ"), greek_name("Δ"), greek_name("x")
    ('lambda', 'Delta', '')
    """
    found = re.fullmatch(r"GREEK (?:SMALL|CAPITAL) LETTER (?:FINAL )?([A-Z]+)", unicodedata.name(letter, ""))
    if not found:
        return ""
    name = found[1].lower()
    name = _SPELLED_BY_UNICODE.get(name, name)
    return name if letter.islower() else name.capitalize()


def ascii_word(spelled: str) -> str:
    """Letters and digits of a spelling as one word in ASCII, such as every system takes.

    Examples
    --------
    >>> ascii_word("température"), ascii_word("petal_length"), ascii_word("Δt"), ascii_word("CO2"), ascii_word("速度")
    ('temperature', 'petalLength', 'DeltaT', 'CO2', 'suDu')
    >>> ascii_word("x_1"), ascii_word("Größe"), ascii_word("x''"), ascii_word("μ_next"), ascii_word("x_1_2")
    ('x1', 'grosse', 'xPrimePrime', 'muNext', 'x1v2')
    """
    base, mark = parted(spelled)
    if mark.startswith("'"):
        return ascii_word(base) + "Prime" * len(mark)
    words = re.findall("[A-Za-z0-9]+", ascii_text(spelled))
    joined = re.sub(r"(?<=\d) (?=\d)", PREFIX, " ".join(word[:1].upper() + word[1:] for word in words)).replace(" ", "")
    keeps_capital = words and (words[0] == words[0][:1] or re.match("[A-Z]{2}", words[0]) or greek_name(spelled[:1]))
    if keeps_capital:
        return words[0][:1] + joined[1:]
    return joined[:1].lower() + joined[1:]
