r"""Polynomials, equations and the names of variables in LaTeX that pdflatex, KaTeX and MathJax show alike.

A letter is a letter, a Greek one or its name is Greek, digits at the end are an index, words are upright.  Whatever
means something to LaTeX stands in math mode beside the text: inside of ``\text`` MathJax knows no commands.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import sympy

from .spelling import greek_name, parted, spellings
from .terms import constant_apart, shown_expression

SPECIAL = {"\\": r"\backslash ", "^": r"\wedge ", "~": r"\sim ", "<": "{<}", ">": "{>}", "|": r"\vert ",
           "°": r"{}^{\circ}", "·": r"\cdot ", "×": r"\times ", "±": r"\pm ", "→": r"\to ", "∂": r"\partial ",
           "∇": r"\nabla ", "∞": r"\infty ", "√": r"\surd ", "∑": r"{\Sigma}", "≤": r"{\leq}", "≥": r"{\geq}",
           "≈": r"{\approx}", "≠": r"{\neq}", "‖": r"\Vert ", "§": r"\S ",
           **{character: "\\" + character for character in "&%$#_{}"}}
"""Characters that LaTeX does not show as themselves in text, and how each is written in math mode."""
PLAINER = {"\u2044": "/", "\u2212": "-", "–": "-", "—": "-", "‐": "-", "‑": "-", "’": "'", "‘": "'", "“": '"', "”": '"',
           "…": "..."}
"""Typographic characters, and what is typed for them."""
GREEK_VARIANTS = {"ε": "varepsilon", "ϵ": "epsilon", "φ": "varphi", "ϕ": "phi", "ϑ": "vartheta", "ϖ": "varpi",
                  "ϱ": "varrho", "ς": "varsigma"}
"""Greek letters whose shape has a command other than their name."""
SMALL_GREEK = frozenset("""alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau
    upsilon phi chi psi omega""".split())
GREEK_COMMANDS = SMALL_GREEK | set(GREEK_VARIANTS.values()) | frozenset(
    "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega".split())
"""Names of Greek letters that are commands of LaTeX; the other capitals look like Latin ones, and so does omicron."""
LATIN_LOOKALIKES = {"Alpha": "A", "Beta": "B", "Epsilon": "E", "Zeta": "Z", "Eta": "H", "Iota": "I", "Kappa": "K",
                    "Mu": "M", "Nu": "N", "Omicron": "O", "Rho": "P", "Tau": "T", "Chi": "X", "omicron": "o"}
CLOCKS = "kntij"
"""Letters for the number of a step, the first that is no variable: a convention."""

_ATOM = r"[A-Za-z]|[Α-Ωα-ωϑϕϖϱϵ]|" + "|".join(sorted(GREEK_COMMANDS))
_INDEXED = re.compile(rf"({_ATOM}|[A-Za-z]+)_?(\d{{1,6}})")
_WITH_SUBSCRIPT = re.compile(rf"({_ATOM})_([^\W_]\w*)")
_POWER_OF_WORDS = re.compile(r"(\\text\{[^{}]*[ (\[][^{}]*\})\^")    # (kg)^2 would be a unit's
_SCRIPTS = re.compile(r"\^(-?\d+)|([⁻⁺]?[⁰¹²³⁴-⁹]+)|([₋₊]?[₀-₉]+)")


def latex_name(name: str) -> str:
    """A variable's name.

    Examples
    --------
    >>> print(*map(latex_name, ["x", "alpha", "α", "x2", "x_2", "speed", "v_max", "Δt", "x'"]))
    x \\alpha \\alpha x_{2} x_{2} \\mathrm{speed} v_{\\mathrm{max}} {\\Delta t} x'
    >>> print(latex_name("cell count"), latex_name("température (°C)"))
    \\text{cell count} {\\text{température (}{}^{\\circ}\\text{C)}}
    """
    return latex_names([name])[0]


def latex_names(names: Sequence[str]) -> tuple[str, ...]:
    """All the variables' names, such that different ones look different.

    States of discrete time, with their successors among the names, get the number of their step.

    Examples
    --------
    >>> print(*latex_names(["x", "u1", "x_next"]), *latex_names(["alpha", "α", "x"]))
    x_{k} u_{1,k} x_{k+1} \\text{alpha} {\\alpha } x
    """
    count = Counter(names)
    names = [name if count[name] == 1 and any(c.isprintable() and c != " " for c in name) else word
             for name, word in zip(names, spellings(names))]
    parts = [parted(name) for name in names]
    in_steps = any(mark.startswith("_next") and base in names for base, mark in parts)
    if not in_steps:
        parts = [(base, mark) if mark.startswith("'") else (name, "") for name, (base, mark) in zip(names, parts)]
    symbols = _symbols(dict.fromkeys(base for base, _ in parts))
    clock = next((letter for letter in CLOCKS if letter not in names), CLOCKS[0])
    shown = []
    for base, mark in parts:
        head, *indices = symbols[base]
        indices += [clock + _steps_of(mark)] * in_steps
        shown.append(head + f"_{{{','.join(indices)}}}" * bool(indices) + mark * mark.startswith("'"))
    return tuple(shown)


def _steps_of(mark: str) -> str:
    number = re.sub(r"\D", "", mark)
    return f"+{number or 1}" if mark.startswith("_next") else f"-{number}" if mark.startswith("_lag") else ""


def _symbols(bases: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Name without marks -> a symbol and its index, if there is one; all different."""
    bases = tuple(bases)
    shown = tuple(map(_symbol, bases))
    for other in (bases, spellings(bases)):
        count = Counter(shown)
        shown = tuple(symbol if count[symbol] == 1 else (_text(name),) for symbol, name in zip(shown, other))
    return dict(zip(bases, shown))


def _symbol(name: str) -> tuple[str, ...]:
    """A name without marks as a symbol, and its index."""
    name = unicodedata.normalize("NFC", name).replace("µ", "μ")
    indexed = _INDEXED.fullmatch(name)
    if indexed:
        return _letters(indexed[1]), indexed[2]
    subscript = _WITH_SUBSCRIPT.fullmatch(name)
    if subscript:
        return _letters(subscript[1]), _letters(subscript[2])
    # what has no letter would be read as a number or a sign
    return (_letters(name) if any(map(str.isalpha, name)) else _text(f'"{name}"'),)


def _letters(text: str) -> str:
    """A letter, a Greek one, Greek and Latin ones in a row, or a word."""
    if text in GREEK_COMMANDS:
        return f"\\{text}"
    if text in LATIN_LOOKALIKES:
        return rf"\mathrm{{{LATIN_LOOKALIKES[text]}}}"
    if re.fullmatch("[A-Za-z]", text):
        return text
    if re.fullmatch("[A-Za-z][A-Za-z0-9_]*", text):
        return r"\mathrm{" + text.replace("_", r"\_") + "}"
    greek = re.fullmatch("([Α-Ωα-ωϑϕϖϱϵ])([A-Za-zα-ω]?)", text)
    if greek:
        return _greek(greek[1]) if not greek[2] else f"{{{_greek(greek[1])} {_greek(greek[2]) or greek[2]}}}"
    return _text(text)


def _greek(letter: str) -> str:
    """A Greek letter, without its accent; nothing for other characters."""
    name = GREEK_VARIANTS.get(letter) or greek_name(unicodedata.normalize("NFD", letter or " ")[0])
    return _letters(name) if name in GREEK_COMMANDS or name in LATIN_LOOKALIKES else ""


def _text(name: str) -> str:
    """Any string as it is: text, and in math mode what text cannot show."""
    name = "".join(PLAINER.get(c, c) for c in unicodedata.normalize("NFC", name))
    pieces: list[str] = []
    run, end = "", 0
    while end < len(name):
        script, character = _SCRIPTS.match(name, end), name[end]
        end = script.end() if script else end + 1
        if script:
            digits = unicodedata.normalize("NFKC", script[0]).lstrip("^").replace("\u2212", "-")
            math = f"{{}}{'_' if script[3] else '^'}{{{digits}}}"
        else:
            letter = _greek(character)
            math = SPECIAL.get(character) or (letter and f"{letter} ")
        if math:
            pieces += [*_of_run(run), math]
            run = ""
        else:
            run += character if character.isprintable() else " "
    pieces += _of_run(run)
    return pieces[0] if len(pieces) == 1 and pieces[0].startswith(r"\text") else f"{{{''.join(pieces)}}}"


def _of_run(run: str) -> list[str]:
    """Characters that text can show."""
    return [r"\ " if run.isspace() else rf"\text{{{run}}}"] if run else []


def latex_of(expression: sympy.Expr, variables: Sequence[sympy.Symbol], names: Sequence[str]) -> str:
    """An expression in LaTeX, each variable by its name; a dot between factors where words would run together.

    Examples
    --------
    >>> x, y = sympy.symbols("x y")
    >>> print(latex_of(2 * x * y, [x, y], ["x", "y"]), latex_of(2 * x * y, [x, y], ["mass", "speed"]))
    2 x y 2 \\cdot \\mathrm{mass} \\cdot \\mathrm{speed}
    >>> print(latex_of(x**2, [x], ["mass (kg)"]))
    \\left(\\text{mass (kg)}\\right)^{2}
    """
    symbols = dict(zip(variables, latex_names(names)))
    shown = sympy.latex(expression, symbol_names=symbols, mul_symbol="dot" if has_words(symbols.values()) else None)
    return _POWER_OF_WORDS.sub(r"\\left(\1\\right)^", shown)


def has_words(symbols: Iterable[str]) -> bool:
    """Whether symbols in LaTeX, side by side, would run together."""
    return any(re.match(r"\{*\\(?:mathrm|text)\b", symbol) for symbol in symbols)


def latex_sides(terms: Mapping, digits_of: Mapping, variables: Sequence[sympy.Symbol], names: Sequence[str],
                digits: int | None = None, apart: Callable = constant_apart) -> tuple[str, str]:
    """The two sides of an equation, by default with the constant on the right; numbers as in `terms.shown_expression`."""
    left, right = (latex_of(shown_expression(side, digits_of, variables, digits), variables, names)
                   for side in apart(terms))
    return left, right


def aligned(sides: Iterable[tuple[str, str]]) -> str:
    """Equations below each other, their equality signs in line.

    Examples
    --------
    >>> print(aligned([("x", "1"), ("y^2", "2")]))
    \\begin{aligned}
    x &= 1 \\\\
    y^2 &= 2
    \\end{aligned}
    """
    return "\\begin{aligned}\n" + " \\\\\n".join(f"{left} &= {right}" for left, right in sides) + "\n\\end{aligned}"
