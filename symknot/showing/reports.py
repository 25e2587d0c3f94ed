"""The sections that reports of all results have: equations, coefficients, noise, how it was made."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from html import escape
from importlib.metadata import version

import numpy as np
import sympy

from .._version import __version__
from ..ground.errors import Status
from ..polynomials.equation import Equation
from ..polynomials.expressions import monomial_text
from ..polynomials.latex import latex_of
from .equations import ERROR_DIGITS, MOST_EQUATIONS_SHOWN
from .mathml import equation_mathml, mathml_of
from .pages import Section, copy_buttons, paragraphs, table_html

LABELS = {"latex": "LaTeX", "python": "Python", "singular": "Singular", "macaulay2": "Macaulay2"}
"""Texts that a page lets its reader copy, and what their buttons say."""
COMPANIONS = ("numpy", "scipy", "sympy", "mpmath", "plotly")
"""Packages whose versions a page names."""
OPEN_ROWS = 12
"""Rows of a table of coefficients up to which it is open at first: a convention."""
NAMED_VARIABLES = 5
"""Variables that a title names: a convention."""
ESTIMATE_DIGITS = 8
"""Significant digits of an estimate whose standard error is not known: as in `showing.equations.report_of`."""


def head_html(status: Status, message: str, figures: Iterable[tuple[str, str]]) -> str:
    """How it ended, in a word and a sentence, and a few numbers: (what, value)."""
    kind = "status ok" if status.ok else "status"
    numbers = "".join(f"<li><b>{escape(value)}</b>{escape(what)}</li>" for what, value in figures)
    said = f'<p><span class="{kind}">{escape(status.value.replace("_", " "))}</span>{escape(message)}</p>'
    advice = "" if status.ok or status.advice in message else paragraphs([status.advice])
    return f'{said}{advice}<ul class="numbers">{numbers}</ul>'


def equations_section(equations: Sequence[Equation], remarks: Sequence[str], copied: Iterable[str],
                      title: str = "Equations") -> Section:
    """Typeset equations with the distance of the data from each, lines below them, and buttons to copy them."""
    parts = [equations_table(equations) if equations else paragraphs(["No equation was found."])]
    left = len(equations) - MOST_EQUATIONS_SHOWN
    more = [f"... and {left} more"] if left > 0 else []
    parts.append(f'<div class="remarks">{paragraphs([*more, *remarks])}</div>')
    return Section(title, [*parts, copy_buttons({name: LABELS[name] for name in copied})])


def equations_table(equations: Sequence[Equation]) -> str:
    """Typeset equations in a table, with what is known about each."""
    measured = all(hasattr(equation, "residual") for equation in equations)
    rows = []
    for number, equation in enumerate(equations[:MOST_EQUATIONS_SHOWN], start=1):
        distance = f"<td>{equation.residual:.3g}</td>" if measured else ""      # type: ignore[attr-defined]
        rows.append(f'<tr><td>{number}</td><td class="words equation" title="{escape(equation.text())}">'
                    f"{equation_mathml(equation)}</td>{distance}<td>{equation.degree}</td></tr>")
    head = '<th></th><th class="words">equation</th>' + "<th>distance of the data</th>" * measured + "<th>degree</th>"
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'


def coefficients_section(tables: Sequence[tuple[str, Sequence[Sequence[str]]]]) -> Section | None:
    """Coefficients with their standard errors: for each equation its formula (HTML) and rows of cells."""
    if not tables:
        return None
    total = sum(len(rows) for _, rows in tables)
    body = "".join(f"<h3>{formula}</h3>{table_html(['term', 'estimate', 'standard error'], rows)}" for formula, rows in tables)
    if total > OPEN_ROWS:
        body = f"<details><summary>{total} coefficients</summary>{body}</details>"
    return Section("Coefficients", [body])


def coefficient_rows(equation: Equation, values: Mapping | None = None) -> list[list[str]]:
    """Rows (term, estimate, standard error) of an equation that has standard errors."""
    errors = getattr(equation, "standard_errors", {})
    rows = []
    for exponents, value in (equation.terms if values is None else values).items():
        error = errors.get(exponents)
        monomial = sympy.Mul(*[symbol**power for symbol, power in zip(equation.variables, exponents)])
        term = mathml_of(latex_of(monomial, equation.variables, equation.names))
        said = "fixed" if not error and errors else "not determined" if error is not None and not np.isfinite(error) else (
            f"{error:.{ERROR_DIGITS}g}" if error else "")
        rows.append([f'<span title="{escape(monomial_text(exponents, equation.variables))}">{term}</span>',
                     estimate_text(float(value), error), said])
    return rows


def estimate_text(value: float, error: float | None) -> str:
    """An estimate with the digits that its standard error leaves.

    Examples
    --------
    >>> estimate_text(3.99712345, 0.0123), estimate_text(2.0, 0.0), estimate_text(0.5, None)
    ('3.9971', '2', '0.5')
    """
    if not error or not np.isfinite(error) or not value:
        return f"{value:.{ESTIMATE_DIGITS}g}"
    digits = 2 + ERROR_DIGITS - 1 + int(np.floor(np.log10(abs(value))) - np.floor(np.log10(error)))
    return f"{value:.{min(max(digits, ERROR_DIGITS), 15)}g}"


def noise_section(names: Sequence[str], noise: np.ndarray, errors: np.ndarray | None, remarks: Sequence[str]) -> Section | None:
    """Standard deviation of each variable's noise, with its standard error where that is known."""
    if not np.isfinite(noise).any():
        return None
    rows = []
    for place in np.flatnonzero(np.isfinite(noise)).tolist():
        error = np.nan if errors is None else errors[place]
        said = f"{error:.2g}" if np.isfinite(error) else ""
        rows.append([escape(names[place]), f"{noise[place]:.3g}", said])
    head = ["variable", "standard deviation of the noise", "standard error"]
    if not any(row[-1] for row in rows):
        head, rows = head[:-1], [row[:-1] for row in rows]
    return Section("Noise", [table_html(head, rows), paragraphs(remarks, "soft")])


def alternatives_section(rivals: Sequence[tuple[Sequence[Equation], str]]) -> Section | None:
    """Rival descriptions: the equations of each, and what speaks for and against them."""
    if not rivals:
        return None
    parts = [f'<p class="equation">{"<br>".join(map(equation_mathml, equations))}</p>{paragraphs([message], "soft")}'
             for equations, message in rivals]
    return Section("Alternatives", ["<p>Other descriptions, which the data do not rule out beyond doubt.</p>", *parts])


def made_section(made_by: str, facts: Iterable[tuple[str, str]]) -> Section:
    """The command or call, settings, and versions."""
    command = f"<pre>{escape(made_by)}</pre>" if made_by else ""
    versions = f"symknot {__version__}, Python {platform.python_version()}, " + ", ".join(
        f"{name} {version(name)}" for name in COMPANIONS)
    rows = [[escape(what), escape(value)] for what, value in (*facts, ("versions", versions))]
    body = "".join(f'<tr><td class="words soft">{what}</td><td class="words">{value}</td></tr>' for what, value in rows)
    return Section("How it was made", [command, f"<table><tbody>{body}</tbody></table>"])


def foot_html() -> str:
    """The last line of a page."""
    return f"written by symknot {__version__} on {datetime.now().astimezone():%Y-%m-%d at %H:%M}"


def tally(count: int, noun: str) -> tuple[str, str]:
    """A number for the top of a page, and what it counts.

    Examples
    --------
    >>> tally(1, "knot"), tally(2, "knot")
    (('knot', '1'), ('knots', '2'))
    """
    return noun if count == 1 else f"{noun}s", str(count)


def some_names(names: Sequence[str]) -> str:
    """A few names for a title.

    Examples
    --------
    >>> some_names(["x", "y"]), some_names(list("abcdefg"))
    ('x, y', 'a, b, c, d, e and 2 more')
    """
    left = len(names) - NAMED_VARIABLES
    return ", ".join(names[:NAMED_VARIABLES]) + (f" and {left} more" if left > 0 else "")
