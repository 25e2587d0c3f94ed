"""What an exact computation found, in rational numbers: equations, knots or boxes around them, proofs.

`results.exact_ideal.ExactIdeal` is the face on top of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import sympy

from .certificate import Certificate, also_zero_statement, vanishing_statement, zero_statement
from .krawczyk import CertifiedZero, Uncertified
from .nearest import ExactPolynomial
from .syzygies import AlsoZero

POINTS, EQUATIONS = "points", "equations"
"""The two routes: rational knots with polynomials that vanish on them, or rational equations with certified knots."""

RationalPoint = tuple[Fraction, ...]


@dataclass(frozen=True, eq=False)
class ExactNumbers:
    """Rational polynomials with exact knots.

    Attributes
    ----------
    names : tuple of str
    route : {"points", "equations"}
        "points": `knots` are rational and every polynomial is zero at every one of them.
        "equations": each of `zeros` is a box proved to hold one true zero, or says why not.
    polynomials : tuple of ExactPolynomial
    left_out : tuple of ExactPolynomial
        Equations that do not agree exactly with `polynomials` (route "equations" only).
    rational_knots : tuple of tuples of Fraction
        Route "points": the points.  Route "equations": the centres of the boxes (of a knot that
        was not certified: the float's exact value).
    zeros : tuple of CertifiedZero or Uncertified
        Route "equations": one per knot.
    also : tuple of AlsoZero
        Proofs that polynomials outside a zero's square system are zero there too.
    of_knot : tuple of int
        For each knot of the fit, its place in `rational_knots`.
    epsilon : float or None
        The fit's tolerance on the data.
    notes : tuple of str
        What had to be decided on the way.
    symbols : tuple of sympy.Symbol or None
    """

    names: tuple[str, ...]
    route: str
    polynomials: tuple[ExactPolynomial, ...]
    left_out: tuple[ExactPolynomial, ...]
    rational_knots: tuple[RationalPoint, ...]
    zeros: tuple[CertifiedZero | Uncertified, ...]
    also: tuple[AlsoZero, ...]
    of_knot: tuple[int, ...]
    epsilon: float | None
    notes: tuple[str, ...]
    symbols: tuple[sympy.Symbol, ...] | None = None

    @property
    def uncertified(self) -> tuple[int, ...]:
        """Places of the knots for which nothing is proved."""
        return tuple(k for k, zero in enumerate(self.zeros) if isinstance(zero, Uncertified))

    @property
    def partly_certified(self) -> tuple[int, ...]:
        """Places of the knots whose box is proved to hold a zero of some of `polynomials`; the rest are bounded there."""
        whole = {k for proof in self.also for k in proof.preconditioners}
        return tuple(k for k, zero in enumerate(self.zeros) if isinstance(zero, CertifiedZero) and k not in whole
                     and any(index < len(self.polynomials) for index in zero.bounds))

    @property
    def boxes(self) -> tuple[tuple[RationalPoint, RationalPoint] | None, ...]:
        """For each knot its lower and upper ends, each a tuple of Fraction; None where it was not certified.

        A rational knot is a box of size zero.
        """
        if self.route == POINTS:
            return tuple((knot, knot) for knot in self.rational_knots)
        return tuple(_ends(zero) if isinstance(zero, CertifiedZero) else None for zero in self.zeros)

    @cached_property
    def certificate(self) -> Certificate:
        """`Certificate` of what was proved, to be saved and checked by anyone."""
        terms = tuple(g.terms for g in self.polynomials + self.left_out)
        if self.route == POINTS:
            statements = [vanishing_statement(range(len(terms)), self.rational_knots)]
        else:
            certified = [(k, zero) for k, zero in enumerate(self.zeros) if isinstance(zero, CertifiedZero)]
            statements = [zero_statement(k, zero) for k, zero in certified] + [*map(also_zero_statement, self.also)]
        return Certificate(self.names, terms, tuple(statements),
                           tuple({"knot": k, "reason": zero.reason} for k, zero in enumerate(self.zeros)
                                 if isinstance(zero, Uncertified)))

    @property
    def over_epsilon(self) -> tuple[float, ...]:
        """For each polynomial the factor by which its residual on the data exceeds epsilon (1 if it does not)."""
        if self.epsilon is None:
            return tuple(1.0 for _ in self.polynomials)
        return tuple(max(g.residual / self.epsilon, 1.0) for g in self.polynomials)


def _ends(zero):
    sides = list(zip(zero.center, zero.radii))
    return tuple(m - r for m, r in sides), tuple(m + r for m, r in sides)
