"""Equations in pictures: typeset by matplotlib where it can, else as they are printed; long ones on several lines.

matplotlib sets a part of LaTeX.  What it cannot set, such as a name with letters that its fonts lack, is shown as plain text.
Lines are measured, and broken before a plus or minus outside of all brackets.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..polynomials.equation import Equation
from .style import MATH_FONT, MATH_LETTERS, TEXT_SIZE, plain

if TYPE_CHECKING:
    from matplotlib.font_manager import FontProperties

POINTS_PER_INCH = 72
MOST_LINES = 4
"""Lines of one equation; a longer one ends in dots, and is printed whole by `str`: a convention."""
INDENT = r"\quad "
"""Before the second and later lines."""
NOT_IN_MATPLOTLIB = r"\\text[a-z]"
"""LaTeX that matplotlib takes for something else: words such as ``\\textasciitilde``, of which it makes a tabulator."""


def equation_label(equation: Equation, inches: float) -> str:
    """An equation for a legend or a title no wider than that, typeset where possible."""
    lines = typeset_lines(equation.latex(), inches)
    if lines is None:
        return "\n".join(plain(line) for line in _filled(equation.text(), inches, _width_of_text(), "    ", "..."))
    return "\n".join(f"${line}$" for line in lines)


def typeset_lines(latex: str, inches: float) -> list[str] | None:
    """LaTeX on lines no wider than that, without dollars; None if matplotlib cannot set it."""
    measure = _width_of_math()
    if re.search(NOT_IN_MATPLOTLIB, latex.replace(r"\text{", "")) or not _has_letters(latex):
        return None
    try:
        return _filled(latex, inches, measure, INDENT, r"\ldots")
    except (ValueError, RuntimeError):         # whatever the grammar refuses
        return None


def set_in_math_font(texts: Sequence[Any]) -> None:
    """Give matplotlib texts the fonts of equations."""
    for text in texts:
        text.set_math_fontfamily(MATH_FONT)


def pieces_of(text: str) -> list[str]:
    """A sum as pieces that begin with its signs, brackets left whole.

    Examples
    --------
    >>> pieces_of("x - (y + 1) z + w = 2")
    ['x', ' - (y + 1) z', ' + w', ' = 2']
    """
    pieces, depth, start = [], 0, 0
    for match in re.finditer(r"[{(]|[})]| [-+=] ", text):
        if match.group() in "{(":
            depth += 1
        elif match.group() in "})":
            depth -= 1
        elif depth == 0 and match.start() > start:
            pieces.append(text[start:match.start()])
            start = match.start()
    return [*pieces, text[start:]]


def _filled(text: str, inches: float, width: Callable[[str], float], indent: str, dots: str) -> list[str]:
    lines, filled = [""], 0.0
    for piece in pieces_of(text):
        needed = width(piece)                     # each piece once: setting long lines again and again takes seconds
        if filled and filled + needed > inches * POINTS_PER_INCH:
            if len(lines) == MOST_LINES:
                lines[-1] += " " + dots
                break
            lines.append(indent)
            filled = width(indent)
        lines[-1] += piece
        filled += needed
    return lines


def _has_letters(text: str) -> bool:
    """Whether the fonts of equations have all letters; matplotlib would draw boxes in their place."""
    from matplotlib.font_manager import findfont, get_font

    font = get_font(findfont(MATH_LETTERS))
    return all(letter.isascii() or font.get_char_index(ord(letter)) for letter in text)


def _font() -> FontProperties:
    from matplotlib.font_manager import FontProperties

    return FontProperties(size=TEXT_SIZE, math_fontfamily=MATH_FONT)


def _width_of_math() -> Callable[[str], float]:
    """A function from LaTeX to its width in points; ValueError for what cannot be set."""
    from matplotlib.mathtext import MathTextParser

    parser, font = MathTextParser("path"), _font()
    return lambda latex: parser.parse(f"${latex}$", POINTS_PER_INCH, font)[0]


def _width_of_text() -> Callable[[str], float]:
    from matplotlib.textpath import TextToPath

    paths, font = TextToPath(), _font()

    def width(text: str) -> float:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)      # letters that the font lacks: said once, when they are drawn
            return paths.get_text_width_height_descent(text, font, ismath=False)[0]

    return width
