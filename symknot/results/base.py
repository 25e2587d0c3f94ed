"""The language that all results speak: the same thing has the same name on each, and is of the same type.

| name | what it is |
|---|---|
| `names`, `variables` | the variables' names as given, and their sympy symbols, one for one |
| `polynomials` | a tuple of equations (`polynomials.equation.Equation`): `expr`, `poly`, `terms`, `degree`, `latex()` |
| `exprs`, `polys` | the same as sympy expressions, and exactly, as `sympy.Poly` over QQ |
| `status`, `message` | how it ended: a `Status`, and words |
| `knots` | (K, d) array, a column for each name: points on which the polynomials vanish |
| `noise` | (d,) array: standard deviation of the noise of each variable, NaN where it is not known |
| `project`, `distance`, `contains` | of a fit: new points and the variety, in units of the noise |
| `groebner`, `dimension`, `degree`, `contains`, `reduce`, `solve` | exact algebra on `polys`, by any engine |
| `ask`, `ask_near` | whether an inequality follows from `polys` over the real numbers; whether they have a real zero near \
points; by z3 or cvc5 |
| `latex`, `report`, `plot`, `str`, notebooks | for the eye; `plot(path=..., kind=...)` on every result |
| `check` | whether all that is said about the equations is so, recomputed in 50 digits or exactly |
| `save`, `export`, `to_...` | for files and other programs; `symknot.load` opens what `save` wrote |

Where one makes no sense for a class, the class does not have it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import sympy
from sympy.polys.polyoptions import build_options

from ..engines import engine as find_engine
from ..export.system import FunctionLetter
from ..ground.errors import InconsistentEquations, InvalidOption, Status
from ..ground.memory import Forgetful
from ..ground.wording import visible
from ..polynomials.conversion import expression_of, poly_of, terms_of
from ..polynomials.equation import Equation, aligned_equations
from ..polynomials.parsing import relation_from_text
from ..polynomials.spelling import name_lines
from ..polynomials.symbols import safe_symbols
from ..polynomials.term_orders import checked_order, order_key
from ..proof.asking import RealAnswer, ask_near, ask_real
from ..showing.equations import MOST_EQUATIONS_SHOWN, checked_digits, equation_lines
from ..showing.notebooks import block_html
from .checking import Check, Checks, numbered, same_expression, sampled
from .reported import Reported

ENGINE_SECONDS = 60.0
"""Default time limit, in seconds, of a question to a computer algebra system: a convention."""


class Result(Reported, Forgetful):
    """Base of all results.

    A subclass has `names` and `polynomials`, and what else of the language makes sense for it.
    """

    names: tuple[str, ...]
    polynomials: tuple[Any, ...]
    knots: np.ndarray
    noise: np.ndarray
    status: Status
    message: str
    symbols: tuple[sympy.Symbol, ...] | None = None

    @cached_property
    def variables(self) -> tuple[sympy.Symbol, ...]:
        """sympy symbols of the variables, one for each name."""
        return self.symbols or safe_symbols(self.names)

    @property
    def function_letters(self) -> tuple[FunctionLetter, ...]:
        """Variables that stand for functions of others, such as ``sin(x)``; only equations of motion have them."""
        return ()

    @property
    def exprs(self) -> tuple[sympy.Expr, ...]:
        """`polynomials` as sympy expressions."""
        return tuple(g.expr for g in self.polynomials)

    @property
    def polys(self) -> tuple[sympy.Poly, ...]:
        """The exact equations, as `sympy.Poly` over QQ: what `groebner` and the others compute with."""
        return tuple(g.rational for g in self._exact_equations())

    def _exact_equations(self) -> Sequence[Equation]:
        """Equations in rational numbers that have common zeros."""
        return self.polynomials

    def groebner(self, order: str = "grevlex", engine: str = "auto",
                 timeout: float | None = ENGINE_SECONDS) -> sympy.GroebnerBasis:
        """Reduced Groebner basis of the exact equations.

        Parameters
        ----------
        order : {"grevlex", "grlex", "lex"}
        engine : str
            Who computes; see `symknot.engines.engine`.
        timeout : float or None
            Seconds.

        Returns
        -------
        sympy.GroebnerBasis

        Raises
        ------
        InconsistentEquations
            When the equations have no common zero, not even a complex one.
        """
        checked_order(order)
        polys = self.polys
        if not polys:
            return sympy.groebner([0], *self.variables, order=order, domain=sympy.QQ)
        basis = find_engine(engine).groebner(polys, order=order, timeout=timeout)
        if any(poly.is_ground for poly in basis):
            raise InconsistentEquations(
                f"the {len(polys)} equations, as rational numbers, have no common zero: their ideal is (1)")
        return basis_object(basis, self.variables, order)

    def dimension(self, engine: str = "auto", timeout: float | None = ENGINE_SECONDS) -> int:
        """Dimension of the set of common zeros of the exact equations; -1 if it is empty."""
        return self._ask("dimension", engine, timeout) if self.polys else len(self.names)

    def degree(self, engine: str = "auto", timeout: float | None = ENGINE_SECONDS) -> int:
        """Degree of that set's part of highest dimension, multiplicities counted."""
        return self._ask("degree", engine, timeout) if self.polys else 1

    def is_radical(self, engine: str = "auto", timeout: float | None = ENGINE_SECONDS) -> bool:
        """Whether the exact equations generate a radical ideal."""
        return self._ask("is_radical", engine, timeout) if self.polys else True

    def contains(self, expr: Any, engine: str = "auto", timeout: float | None = ENGINE_SECONDS) -> bool:
        """Whether a polynomial follows from the exact equations: lies in the ideal that they generate.

        Parameters
        ----------
        expr : sympy.Expr, sympy.Poly, or dict of terms
            With rational coefficients, in `variables`.
        """
        terms = terms_of(expr, self.variables)
        return self._ask("contains", engine, timeout, poly_of(terms, self.variables)) if self.polys else not terms

    def reduce(self, expr: Any, order: str = "grevlex", engine: str = "auto",
               timeout: float | None = ENGINE_SECONDS) -> sympy.Expr:
        """A polynomial modulo the exact equations: its normal form, zero exactly when it follows from them.

        Parameters
        ----------
        expr : sympy.Expr, sympy.Poly, or dict of terms
            With rational coefficients, in `variables`.
        """
        expression = expression_of(terms_of(expr, self.variables), self.variables)
        if not self.polys or expression == 0:
            return expression
        return self.groebner(order, engine, timeout).reduce(expression)[1].as_expr()

    def ask(self, claim: str | sympy.Rel, engine: str = "auto", timeout: float | None = ENGINE_SECONDS,
            box: Sequence[tuple[Any, Any]] | None = None) -> RealAnswer:
        """Whether a relation holds at every real point at which the exact equations do.

        Parameters
        ----------
        claim : str or sympy relation
            Such as ``"x**2 + y**2 <= 4"``, in `variables`, with rational coefficients.
        engine : {"auto", "z3", "cvc5"}
            Who decides.
        timeout : float or None
            Seconds; without an answer by then, the status is "unknown".
        box : sequence of (low, high), optional
            Only points in it count: for each variable its lowest and highest value.  ``ask("0 = 1", box=...)`` is
            "proved" when no point in the box satisfies the equations.

        Returns
        -------
        RealAnswer
            Its `status` is "proved", "refuted" (with a `point`), or "unknown".
        """
        if isinstance(claim, str):
            terms, sign = relation_from_text(claim, [str(v) for v in self.variables], "claim")
        elif isinstance(claim, sympy.core.relational.Relational):
            terms, sign = terms_of(claim.lhs - claim.rhs, self.variables, "claim"), {"==": "="}.get(claim.rel_op, claim.rel_op)
        else:
            raise InvalidOption("claim", claim, "a text such as 'x**2 <= 4', or a relation of sympy")
        if box is not None and len(box) != len(self.names):
            raise InvalidOption("box", box, f"{len(self.names)} pairs (low, high), one for each variable")
        sides = None if box is None else [(Fraction(low), Fraction(high)) for low, high in box]
        equations = [terms_of(poly, self.variables) for poly in self.polys]
        return ask_real(self.names, equations, (terms, sign), engine, timeout, sides, self.function_letters)

    def ask_near(self, points: Any, radius: Any, engine: str = "auto", timeout: float | None = ENGINE_SECONDS) -> RealAnswer:
        """Whether the exact equations all hold at some real point near the data.

        Parameters
        ----------
        points : array_like, (d,) or (N, d)
            One point or many, finite.  Numbers count as they are: floats as the binary fractions that they are.
        radius : int, float or Fraction
            How far from at least one of the points: Euclidean distance, in the units of the data.
        engine, timeout
            As for `ask`.

        Returns
        -------
        RealAnswer
            "proved" with such a point as `point`, "refuted" when there is none, or "unknown".
        """
        rows = np.atleast_2d(np.asarray(points, dtype=object))
        if rows.ndim != 2 or rows.shape[1] != len(self.names) or not len(rows):
            raise InvalidOption("points", np.shape(points), f"a point, or rows, of {len(self.names)} coordinates: "
                                f"{', '.join(map(visible, self.names))}")
        numbers = [[_rational(x, "points") for x in row] for row in rows]
        distance = _rational(radius, "radius")
        if distance < 0:
            raise InvalidOption("radius", radius, "0 or more")
        equations = [terms_of(poly, self.variables) for poly in self.polys]
        return ask_near(self.names, equations, numbers, distance, engine, timeout, self.function_letters)

    def quotient(self, expr: Any, engine: str = "auto", timeout: float | None = ENGINE_SECONDS) -> list[sympy.Poly]:
        """The ideal of what, times a polynomial, lies in the ideal of the exact equations; its Groebner basis."""
        return self._ask("quotient", engine, timeout, poly_of(terms_of(expr, self.variables), self.variables))

    def saturate(self, expr: Any, engine: str = "auto", timeout: float | None = ENGINE_SECONDS) -> list[sympy.Poly]:
        """The same for some power of the polynomial: the parts on which it does not vanish identically."""
        return self._ask("saturate", engine, timeout, poly_of(terms_of(expr, self.variables), self.variables))

    def solve(self, *unknowns: sympy.Symbol) -> list[dict]:
        """Solve the exact equations with sympy, for all variables or for `unknowns`."""
        wrong = [symbol for symbol in unknowns if symbol not in self.variables]
        if wrong:
            raise InvalidOption("unknowns", wrong[0], f"among {', '.join(map(str, self.variables))}")
        self._needs_polynomial()
        return sympy.solve([poly.as_expr() for poly in self.polys], unknowns or self.variables, dict=True)

    def check(self, points: Any = None) -> Checks:
        """Recompute from the final terms, in 50 digits or exactly, what the result says about its equations.

        Parameters
        ----------
        points : (n, d) array, optional
            The data, where the result is about points: values there, and residuals on them, are recomputed, too.

        Returns
        -------
        Checks
            `ok` says whether all hold; ``print`` shows each.  Where points or knots are many, a sample of them is
            recomputed in 50 digits.
        """
        return Checks(tuple(self._checks(points)))

    def _checks(self, points: Any) -> Iterator[Check]:
        """What `check` looks at: by default that expressions are what the terms say."""
        if points is not None:
            raise InvalidOption("points", points, f"left out: a {type(self).__name__} says nothing about them")
        knots = getattr(self, "knots", np.zeros((0, len(self.names))))
        for number, g in enumerate(self.polynomials):
            yield same_expression(numbered("`expr` is what `terms` say", number), g.expr, self.variables, g.terms,
                                  knots[sampled(len(knots))])

    def _ask(self, question, engine, timeout, *arguments):
        self._needs_polynomial()
        return getattr(find_engine(engine), question)(self.polys, *arguments, timeout=timeout)

    def _needs_polynomial(self):
        if not self.polynomials:
            raise InvalidOption(type(self).__name__, repr(self), "one with at least one polynomial")

    def _shown_equations(self) -> tuple[Equation, ...]:
        """The equations as a person would write them: what text, LaTeX and HTML show."""
        return self.polynomials

    def latex(self, digits: int | None = None) -> str:
        """The equations in LaTeX; `digits` significant ones, by default as many as count."""
        checked_digits(digits)
        return aligned_equations(self._shown_equations(), digits)

    def text(self, digits: int | None = None) -> str:
        """What ``str`` shows; `digits` as in `latex`."""
        lines = equation_lines(self._shown_equations(), digits)
        return "\n".join(lines + self._last_lines())

    def _closing_lines(self) -> list[str]:
        """What is said below the equations."""
        return [f"{self.status.value}: {self.message}" if self.message else self.status.value]

    def _last_lines(self) -> list[str]:
        """The same, and what the variables stand for where they are not spelled like their names."""
        return self._closing_lines() + name_lines(self.names, tuple(map(str, self.variables)))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the result to `path` as versioned JSON that holds numbers and names only; `symknot.load` opens it."""
        raise NotImplementedError(f"{type(self).__name__} says nowhere how it is saved: define save")

    def __str__(self) -> str:
        return visible(self.text())

    def _repr_latex_(self) -> str | None:
        shown = self._shown_equations()[:MOST_EQUATIONS_SHOWN]
        return f"$\\displaystyle {aligned_equations(shown)}$" if shown else None

    def _repr_html_(self) -> str:
        return block_html(type(self).__name__, self._key_figures(), self._shown_equations(), self._last_lines(),
                          self._thumbnail())

    def _thumbnail(self) -> str:
        """A small picture for notebooks, as SVG; empty for none."""
        return ""


def basis_object(polys: Sequence[sympy.Poly], variables: Sequence[sympy.Symbol], order: str) -> sympy.GroebnerBasis:
    """A reduced Groebner basis that is known to be one, as sympy's object, without computing it again."""
    key = order_key(order)
    leading_first = sorted(polys, key=lambda poly: max(map(key, poly.monoms())), reverse=True)
    options = build_options(tuple(variables), {"order": order, "domain": sympy.QQ, "polys": False})
    return sympy.GroebnerBasis._new([poly.set_domain(sympy.QQ) for poly in leading_first], options)


def _rational(value, what):
    """A number as it is, as a fraction."""
    try:
        return Fraction(value)
    except (TypeError, ValueError, OverflowError):
        raise InvalidOption(what, value, "finite numbers") from None
