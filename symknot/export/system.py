"""What is exported: exact polynomials, knots, and what is to be said about them."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from ..ground.errors import InvalidOption
from ..polynomials.terms import Terms
from .statements import Statement


@dataclass(frozen=True)
class FunctionLetter:
    """The variable at `place` is a function, by its name ("sin", ...), of the variable at `argument`."""

    place: int
    function: str
    argument: int


@dataclass(frozen=True)
class System:
    """Polynomial equations on their way to another system.

    Parameters
    ----------
    names : tuple of str
        The variables as the user calls them: any strings.
    polynomials : tuple of dict
        Exponent tuple -> Fraction, exact.
    knots : tuple of tuples of Fraction
        Points on which the polynomials are compared; may be empty.
    title : str
    notes : tuple of str
        Free lines for comments.
    polynomial_notes : tuple of str
        One per polynomial, or none: what its numbers are and how far from the fitted ones.
    approximate : tuple of str
        Approximate equations, shown in comments only.
    sound : bool
        Whether the polynomials are exact and have common zeros.
    warning : str or None
        What an engine will answer when they are not.
    statements : tuple
        What is claimed of the polynomials (`export.statements`), for targets that prove things; not compared.
    functions : tuple of FunctionLetter
        Variables that are functions of others, for targets that know functions; not compared.

    Examples
    --------
    >>> System(("x",), ({(2,): Fraction(1), (0,): Fraction(-2)},)).dimension
    1
    """

    names: tuple[str, ...]
    polynomials: tuple[Terms, ...]
    knots: tuple[tuple[Fraction, ...], ...] = ()
    title: str = ""
    notes: tuple[str, ...] = ()
    polynomial_notes: tuple[str, ...] = ()
    approximate: tuple[str, ...] = ()
    sound: bool = True
    warning: str | None = None
    statements: tuple[Statement, ...] = field(default=(), compare=False)
    functions: tuple[FunctionLetter, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        if not self.names or not all(isinstance(name, str) for name in self.names):
            raise InvalidOption("names", self.names, "one string or more")
        for terms in self.polynomials:
            for exponents, value in terms.items():
                if not _is_monomial(exponents, self.dimension):
                    raise InvalidOption("polynomials", exponents, f"of {self.dimension} whole exponents >= 0")
                if type(value) is not Fraction or not value:
                    raise InvalidOption("polynomials", value, "with Fractions other than zero as coefficients")
        for knot in self.knots:
            if len(knot) != self.dimension or not all(type(value) is Fraction for value in knot):
                raise InvalidOption("knots", knot, f"tuples of {self.dimension} Fractions")
        for letter in self.functions:
            if not (0 <= letter.place < self.dimension and 0 <= letter.argument < self.dimension):
                raise InvalidOption("functions", letter, f"about places below {self.dimension}")
        if len(self.polynomial_notes) not in (0, len(self.polynomials)):
            raise InvalidOption("polynomial_notes", len(self.polynomial_notes), "one per polynomial, or none")

    @property
    def dimension(self) -> int:
        """The number of variables."""
        return len(self.names)

    @property
    def distinct_knots(self) -> tuple[tuple[Fraction, ...], ...]:
        """The knots, each once."""
        return tuple(dict.fromkeys(self.knots))


def _is_monomial(exponents: object, dimension: int) -> bool:
    return (isinstance(exponents, tuple) and len(exponents) == dimension
            and all(type(power) is int and power >= 0 for power in exponents))
