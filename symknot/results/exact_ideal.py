"""The exact result: rational equations, rational or certified knots, and what was proved about them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ..polynomials.conversion import poly_of, terms_of
from ..engines import engine as find_engine
from ..ground.errors import InvalidOption
from ..export import System
from .exports import Exports
from ..ground.wording import counted
from ..polynomials.rational_json import rational_json, terms_json
from ..ground.storage import write_json
from ..polynomials.symbols import safe_symbols
from ..polynomials.terms import constant_apart, digits_of_long_numbers, shown_expression
from ..exact.certificate import Certificate, also_zero_statement, vanishing_statement, zero_statement
from ..exact.krawczyk import CertifiedZero
from .points_ideal import points_ideal

FORMAT, VERSION = "symknot exact ideal", 1
POINTS, EQUATIONS = "points", "equations"
MOST_SHOWN = 8


@dataclass(frozen=True, eq=False)
class ExactIdeal(Exports):
    """Rational polynomials with exact knots; made by `Ideal.exact`.

    Attributes
    ----------
    names : tuple of str
    route : {"points", "equations"}
        "points": `knots` are rational and every polynomial is zero at every one of them.
        "equations": each of `zeros` is a box proved to hold one true zero, or says why not.
    polynomials : tuple of ExactPolynomial
    left_out : tuple of ExactPolynomial
        Equations that do not agree exactly with `polynomials` (route "equations" only).
    knots : tuple of tuples of Fraction
        Route "points": the points.  Route "equations": the centres of the boxes (of a knot that
        was not certified: the float's exact value).
    zeros : tuple of CertifiedZero or Uncertified
        Route "equations": one per knot.
    also : tuple of AlsoZero
        Proofs that polynomials outside a zero's square system are zero there too.
    of_knot : tuple of int
        For each knot of the fit, its place in `knots`.
    epsilon : float or None
        The fit's tolerance on the data.
    notes : tuple of str
        What had to be decided on the way.
    symbols : tuple of sympy.Symbol or None
    """

    names: tuple
    route: str
    polynomials: tuple
    left_out: tuple
    knots: tuple
    zeros: tuple
    also: tuple
    of_knot: tuple
    epsilon: float | None
    notes: tuple
    symbols: tuple | None = None

    @cached_property
    def variables(self):
        """sympy symbols of the variables."""
        return self.symbols or safe_symbols(self.names)

    @cached_property
    def polys(self):
        """`polynomials` as `sympy.Poly` over QQ."""
        return tuple(poly_of(g.terms, self.variables) for g in self.polynomials)

    @property
    def exprs(self):
        """`polynomials` as sympy expressions."""
        return tuple(poly.as_expr() for poly in self.polys)

    @property
    def uncertified(self):
        """Places of the knots for which nothing is proved."""
        return tuple(k for k, zero in enumerate(self.zeros) if not isinstance(zero, CertifiedZero))

    @property
    def partly_certified(self):
        """Places of the knots whose box is proved to hold a zero of some of `polynomials`; the others are bounded there."""
        whole = {k for proof in self.also for k in proof.preconditioners}
        return tuple(k for k, zero in enumerate(self.zeros) if isinstance(zero, CertifiedZero) and k not in whole
                     and any(index < len(self.polynomials) for index in zero.bounds))

    @property
    def boxes(self):
        """For each knot its lower and upper ends, each a tuple of Fraction; None where it was not certified.

        A rational knot is a box of size zero.
        """
        if self.route == POINTS:
            return tuple((knot, knot) for knot in self.knots)
        return tuple(_ends(zero) if isinstance(zero, CertifiedZero) else None for zero in self.zeros)

    @cached_property
    def certificate(self):
        """`Certificate` of what was proved, to be saved and checked by anyone."""
        terms = [g.terms for g in self.polynomials + self.left_out]
        if self.route == POINTS:
            statements = [vanishing_statement(range(len(terms)), self.knots)]
        else:
            statements = [zero_statement(k, zero) for k, zero in enumerate(self.zeros) if isinstance(zero, CertifiedZero)]
            statements += map(also_zero_statement, self.also)
        return Certificate(self.names, terms, statements,
                           [{"knot": k, "reason": self.zeros[k].reason} for k in self.uncertified])

    def vanishing_ideal(self, order="grevlex", timeout=None, arithmetic=None):
        """The ideal of all polynomials that vanish on the rational knots; see `symknot.points_ideal`."""
        if self.route != POINTS:
            raise InvalidOption("route", self.route, "'points': knots on a curve are known by boxes, not as rational points "
                                "(Ideal.vanishing_ideal rounds them)")
        return points_ideal(self.knots, self.names, order, self.variables, timeout, arithmetic)

    def groebner(self, order="grevlex", engine="auto", timeout=60):
        """Reduced Groebner basis of `polynomials` as a list of `sympy.Poly`; `engine` as in `symknot.engines.engine`."""
        return self._ask("groebner", engine, timeout, order=order)

    def dimension(self, engine="auto", timeout=60):
        """Dimension of the variety of `polynomials`; -1 if it is empty."""
        return self._ask("dimension", engine, timeout)

    def degree(self, engine="auto", timeout=60):
        """Degree of that variety's part of highest dimension, multiplicities counted."""
        return self._ask("degree", engine, timeout)

    def is_radical(self, engine="auto", timeout=60):
        """Whether `polynomials` generate a radical ideal."""
        return self._ask("is_radical", engine, timeout)

    def contains(self, expression, engine="auto", timeout=60):
        """Whether a polynomial follows from `polynomials`: lies in the ideal that they generate."""
        return self._ask("contains", engine, timeout, self._poly(expression))

    def quotient(self, expression, engine="auto", timeout=60):
        """The ideal of what, times a polynomial, lies in the ideal; its Groebner basis."""
        return self._ask("quotient", engine, timeout, self._poly(expression))

    def saturate(self, expression, engine="auto", timeout=60):
        """The same for some power of the polynomial: the parts on which it does not vanish identically."""
        return self._ask("saturate", engine, timeout, self._poly(expression))

    def _poly(self, expression):
        return poly_of(terms_of(expression, self.variables), self.variables)

    def _ask(self, question, engine, timeout, *arguments, **options):
        if not self.polys:
            raise InvalidOption("ideal", self, "one with at least one polynomial")
        return getattr(find_engine(engine), question)(self.polys, *arguments, timeout=timeout, **options)

    @property
    def over_epsilon(self):
        """For each polynomial the factor by which its residual on the data exceeds epsilon (1 if it does not)."""
        if self.epsilon is None:
            return tuple(1.0 for _ in self.polynomials)
        return tuple(max(g.residual_after / self.epsilon, 1.0) for g in self.polynomials)

    def _system(self, approximate=()):
        """What is exported; `approximate` are lines for comments."""
        notes = [self._standing(), *self.notes]
        if self.left_out:
            notes.append(f"{counted(len(self.left_out), 'equation')} left out: no exact common zero with the others")
        return System(
            self.names, tuple(g.terms for g in self.polynomials), self.knots if self.route == POINTS else (),
            "exact equations of noisy points", tuple(notes), tuple(map(_polynomial_note, self.polynomials)), tuple(approximate))

    def save(self, path):
        """Write the exact ideal to `path` as JSON: numbers and names only, with the whole certificate.

        ``symknot verify`` checks the file, `symknot.load_exact` reads it back.
        """
        write_json(path, FORMAT, VERSION, {
            "names": list(self.names), "route": self.route, "kept": len(self.polynomials), "epsilon": self.epsilon,
            "notes": list(self.notes), "knots": [list(map(rational_json, knot)) for knot in self.knots],
            "of_knot": list(self.of_knot),
            "sources": [{"terms": terms_json(g.source), "support": g.support,
                         "residual_before": g.residual_before, "residual_after": g.residual_after}
                        for g in self.polynomials + self.left_out],
            "certificate": self.certificate.to_json()})

    def __str__(self):
        lines = []
        for g, over in list(zip(self.polynomials, self.over_epsilon))[:MOST_SHOWN]:
            digits = digits_of_long_numbers(g.terms)
            left, right = (shown_expression(side, digits, self.variables) for side in constant_apart(g.terms))
            lines.append(f"{left} = {right}   +/- {g.residual_after:.2g}{_remark(g, over)}")
        if len(self.polynomials) > MOST_SHOWN:
            lines.append(f"... {counted(len(self.polynomials) - MOST_SHOWN, 'more equation')}")
        lines.append(self._standing())
        return "\n".join(lines + [f"note: {note}" for note in self.notes])

    def _standing(self):
        """One sentence: what is exact about the knots."""
        knots = counted(len(self.knots), "knot")
        if self.route == POINTS:
            return f"exactly zero at each of {counted(len(self.knots), 'rational knot')}"
        failed, partly = self.uncertified, self.partly_certified
        proved = "true zero" if not partly else f"true zero (for {len(partly)} of them, of some of the equations only)"
        if not failed:
            return f"{knots}, each in a box proved to hold a {proved}"
        named = ", ".join(map(str, failed[:MOST_SHOWN])) + (", ..." if len(failed) > MOST_SHOWN else "")
        return (f"{len(self.knots) - len(failed)} of {knots} in boxes proved to hold a {proved}; NOT certified: {named} "
                f"({self.zeros[failed[0]].reason})")

    def __repr__(self):
        return (f"<ExactIdeal of {counted(len(self.polynomials), 'polynomial')} in {counted(len(self.names), 'variable')}, "
                f"{counted(len(self.knots), 'knot')}, route {self.route!r}>")


def _ends(zero):
    return (tuple(m - r for m, r in zip(zero.center, zero.radii)), tuple(m + r for m, r in zip(zero.center, zero.radii)))


def _polynomial_note(g):
    return (f"exact rational numbers; largest distance of a coefficient from the fitted one: {g.coefficient_change:.2g} of the "
            f"largest; distance of the data {g.residual_after:.3g} (fitted: {g.residual_before:.3g})")


def _remark(g, over):
    remarks = {"degree": ["new terms"], "raised": ["degree raised"]}.get(g.support, [])
    if over > 1 + 1e-9:
        remarks.append(f"{over:.2g} epsilon")
    return f"   ({', '.join(remarks)})" if remarks else ""
