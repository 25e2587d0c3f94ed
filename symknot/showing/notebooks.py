"""A result in a notebook: typeset equations, a few lines, a small picture, as one block of HTML.

The block takes colours and ground from what is around it, so it suits light and dark notebooks; its style is its own, and
touches nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from importlib import resources

from ..polynomials.equation import Equation
from .equations import MOST_EQUATIONS_SHOWN
from .pages import paragraphs
from .reports import equations_table

KIND = "symknot-result"
"""Class of the block, which every rule of its style begins with."""
NOT_TEX = "tex2jax_ignore mathjax_ignore"
"""Classes that keep MathJax from taking dollars in names for formulas."""


def block_html(title: str, figures: Iterable[tuple[str, str]], equations: Sequence[Equation], lines: Sequence[str],
               picture: str) -> str:
    """A result for a notebook.

    Parameters
    ----------
    title : str
        What it is.
    figures : iterable of (str, str)
        Numbers about it: (what, value).
    equations : sequence of Equation
    lines : sequence of str
        Plain text below the equations.
    picture : str
        SVG, or nothing.

    Returns
    -------
    str
        HTML.
    """
    said = ", ".join(f"{value} {what}" for what, value in figures if value != "0")
    table = equations_table(equations) if equations else "<p>no equation</p>"
    left = len(equations) - MOST_EQUATIONS_SHOWN
    below = paragraphs([*([f"... and {left} more"] if left > 0 else []), *lines])
    text = (f'<p><b>{escape(title)}</b> <span class="symknot-soft">{escape(said)}</span></p>{table}'
            f'<div class="symknot-soft">{below}</div>')
    style = (resources.files("symknot") / "showing" / "notebook.css").read_text(encoding="utf-8")
    beside = f"<div>{picture}</div>" if picture else ""
    return f'<style>{style}</style><div class="{KIND} {NOT_TEX}"><div>{text}</div>{beside}</div>'
