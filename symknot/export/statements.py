"""What is claimed of exact polynomials, with the numbers that a proof of it needs: plain data.

A `System` carries statements to the targets that can prove things (Coq, Lean).  The polynomials of a statement are places
in the system's list, from 0; numbers are Fractions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from ..polynomials.terms import Terms

Vector = tuple[Fraction, ...]
Matrix = tuple[Vector, ...]


@dataclass(frozen=True)
class Vanishing:
    """The polynomials are zero at the points."""

    polynomials: tuple[int, ...]
    points: tuple[Vector, ...]


@dataclass(frozen=True)
class UniqueZero:
    """Exactly one common zero of the polynomials and of plane (x - center) = 0 lies in the box; see `exact.krawczyk`.

    `bounds` are largest absolute values of further polynomials on it.
    """

    knot: int
    polynomials: tuple[int, ...]
    center: Vector
    radii: Vector
    plane: Matrix
    preconditioner: Matrix
    bounds: Mapping[int, Fraction] = field(default_factory=dict)


@dataclass(frozen=True)
class AlsoZero:
    """The polynomials are zero at the zero of that knot's box, too; see `exact.syzygies`.

    Each syzygy has a multiplier for every polynomial of the system.
    """

    knot: int
    polynomials: tuple[int, ...]
    syzygies: tuple[tuple[Terms, ...], ...]
    preconditioner: Matrix


@dataclass(frozen=True)
class PointsBasis:
    """The polynomials are the reduced Groebner basis of all polynomials that vanish on the points."""

    polynomials: tuple[int, ...]
    order: str
    points: tuple[Vector, ...]


@dataclass(frozen=True)
class Membership:
    """goal^power is the sum of the cofactors times the polynomials: the goal vanishes wherever they do.

    `generators` are the places of these polynomials in the system; None for all of them.
    """

    goal: Terms
    cofactors: tuple[Terms, ...]
    power: int = 1
    name: str = ""
    generators: tuple[int, ...] | None = None

    def places(self, count: int) -> tuple[int, ...]:
        """The generators' places in a system of so many polynomials."""
        return tuple(range(count)) if self.generators is None else self.generators


@dataclass(frozen=True)
class GroebnerBasis:
    """The polynomials are a Groebner basis of the ideal that they generate.

    `pairs` has the S-polynomial of each pair, (0, 1), (0, 2), ..., (1, 2), ..., as a combination of the polynomials no product
    of which leads as far as the least common multiple of the pair's leading monomials.
    """

    polynomials: tuple[int, ...]
    order: str
    pairs: tuple[Membership, ...]


@dataclass(frozen=True)
class Conservation:
    """A polynomial keeps its value along solutions of x_i' = numerator_i / denominator_i.

    Its derivative along them, as one fraction, has a numerator that is the sum of the cofactors times the system's
    polynomials (none for an invariant of the equations alone).
    """

    invariant: Terms
    field: tuple[tuple[Terms, Terms], ...]
    cofactors: tuple[Terms, ...] = ()


Statement = Vanishing | UniqueZero | AlsoZero | PointsBasis | Membership | GroebnerBasis | Conservation
