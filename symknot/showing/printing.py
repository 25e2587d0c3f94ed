"""Ideals for the eye: text, LaTeX, HTML."""

from __future__ import annotations

from html import escape

import sympy

from ..ground.errors import InvalidOption
from ..ground.wording import counted
from ..polynomials.terms import constant_apart, equation_text, shown_expression

MOST_SHOWN = 20


def text_of(ideal, digits=None, simplify=True, most=MOST_SHOWN):
    """Equations with the distance of the data from them, knots, and how the fit ended.

    Parameters
    ----------
    ideal : Ideal
    digits : int, optional
        Significant digits of every number; by default as many as the data determine.
    simplify : bool
        Show the simplest numbers that the data do not reject, or the estimates.
    most : int
        Equations shown at most.
    """
    lines = equation_lines(ideal, digits, simplify, most)
    if ideal.polynomials:
        worst = max(g.knot_residual for g in ideal.polynomials)
        lines.append(f"{counted(len(ideal.knots), 'knot')} for {counted(len(ideal.assignment), 'point')}; "
                     f"the equations vanish on them within {worst:.1e}")
    lines.append(f"{ideal.status.value}: {ideal.message}")
    return "\n".join(lines)


def equation_lines(ideal, digits=None, simplify=True, most=MOST_SHOWN):
    """One line per equation."""
    _check_digits(digits)
    if not ideal.polynomials:
        return ["no equation"]
    shown = ideal.readable(simplify=simplify)
    lines = [equation_text(equation, ideal.variables, digits) for equation in shown.equations[:most]]
    return lines + _remainder(shown, most)


def latex_of(ideal, digits=None, simplify=True, most=None):
    """The equations as a LaTeX ``aligned`` block.

    Names that are not plain symbols appear as text.
    """
    _check_digits(digits)
    symbols = {variable: _latex_name(name) for variable, name in zip(ideal.variables, ideal.names)}
    lines = []
    for equation in ideal.readable(simplify=simplify).equations[:most]:
        left, right = (shown_expression(side, equation.digits, ideal.variables, digits)
                       for side in constant_apart(equation.terms))
        lines.append(f"{sympy.latex(left, symbol_names=symbols)} &= {sympy.latex(right, symbol_names=symbols)}")
    return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"


def html_of(ideal, most=MOST_SHOWN):
    """A small HTML table: equation, distance of the data, degree."""
    head = f"<p>{escape(ideal.status.value)}: {escape(ideal.message)}</p>"
    if not ideal.polynomials:
        return f"<p>no equation</p>{head}"
    shown = ideal.readable()
    rows = []
    for equation in shown.equations[:most]:
        sides = (shown_expression(side, equation.digits, ideal.variables) for side in constant_apart(equation.terms))
        rows.append(f"<tr><td><code>{escape(' = '.join(map(str, sides)))}</code></td>"
                    f"<td>{equation.residual_after:.2g}</td><td>{equation.degree}</td></tr>")
    more = "".join(f"<p>{escape(line)}</p>" for line in _remainder(shown, most))
    return ("<table><thead><tr><th>equation</th><th>distance of the data</th><th>degree</th></tr></thead>"
            f"<tbody>{''.join(rows)}</tbody></table>{more}"
            f"<p>{counted(len(ideal.knots), 'knot')} for {counted(len(ideal.assignment), 'point')}</p>{head}")


def _remainder(shown, most):
    left = len(shown) - most
    return [f"... and {left} more"] if left > 0 else []


def _check_digits(digits):
    if digits is not None and (isinstance(digits, bool) or not isinstance(digits, int) or digits < 1):
        raise InvalidOption("digits", digits, "a whole number >= 1, or None")


def _latex_name(name):
    plain = sympy.Symbol(name) if name.isidentifier() and name.isascii() else None
    if plain is not None:
        return sympy.latex(plain)
    specials = {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}"}
    specials.update({c: "\\" + c for c in "&%$#_{}"})
    return r"\text{" + "".join(specials.get(c, c) for c in name) + "}"
