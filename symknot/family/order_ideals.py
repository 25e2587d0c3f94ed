r"""Order ideals that grow over points: what all methods of the family share.

A set :math:`\mathcal O` of monomials is an *order ideal* if it holds every divisor of its members.  Its *border* of
degree t has the monomials :math:`x_i o`, :math:`o \in \mathcal O_{t-1}`, outside of it; those all of whose divisors
lie in :math:`\mathcal O` are its *corners*.  Buchberger and Moeller's walk over points, on which the whole family is
built, is

1. start with :math:`\mathcal O = \{1\}`, t = 1;
2. take the border (or the corners) of degree t; stop when there is none;
3. a monomial whose values on the points are, up to a tolerance, a combination of those of :math:`\mathcal O` leads a
   polynomial of G; any other joins :math:`\mathcal O`;
4. raise t, go to 2.

The methods differ in step 3: in what "up to a tolerance" means, and in what makes a polynomial of unit size.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from ..ground.errors import Status
from ..polynomials.term_orders import order_key
from ..polynomials.terms import Exponents

ORDER = "grevlex"
"""Term order of the walk: degree-compatible, as every method asks for; the package's own default."""


class OrderIdeal:
    """Monomials, with their values on points.

    Attributes
    ----------
    points : (N, d) array
    terms : list of exponent tuples
        In the order in which they joined; the first is 1.

    Examples
    --------
    >>> ideal = OrderIdeal(np.array([[0.0, 1.0], [2.0, 3.0]]))
    >>> ideal.border(1)
    [(0, 1), (1, 0)]
    >>> ideal.add((0, 1))
    >>> ideal.border(2), ideal.border(2, corners=True), ideal.at((1, 1)).tolist()
    ([(0, 2), (1, 1)], [(0, 2)], [0.0, 6.0])
    """

    def __init__(self, points: np.ndarray) -> None:
        self.points = points
        self.terms: list[Exponents] = []
        self._place: dict[Exponents, int] = {}
        self._columns = np.empty((len(points), 8), order="F")
        self.add((0,) * points.shape[1], np.ones(len(points)))

    @property
    def values(self) -> np.ndarray:
        """(N, number of terms) array."""
        return self._columns[:, : len(self.terms)]

    def add(self, term: Exponents, column: np.ndarray | None = None) -> None:
        """Let a monomial of the border join; `column` are its values, where they are known."""
        column = self.at(term) if column is None else column
        if len(self.terms) == self._columns.shape[1]:
            grown = np.empty((len(self.points), 2 * len(self.terms)), order="F")
            grown[:, : len(self.terms)] = self._columns
            self._columns = grown
        self._columns[:, len(self.terms)] = column
        self._place[term] = len(self.terms)
        self.terms.append(term)

    def border(self, degree: int, corners: bool = False) -> list[Exponents]:
        """Monomials of this degree in the border, or the corners among them, the smallest first."""
        found = {raised(term, i) for term in self.terms if sum(term) == degree - 1 for i in range(len(term))}
        if corners:
            found = {term for term in found if all(lowered(term, i) in self._place for i, e in enumerate(term) if e)}
        return sorted(found - set(self.terms), key=order_key(ORDER))

    def at(self, term: Exponents) -> np.ndarray:
        """Values of a monomial of the border: of one of degree less, times a variable."""
        for i, exponent in enumerate(term):
            if exponent and lowered(term, i) in self._place:
                return self.points[:, i] * self._columns[:, self._place[lowered(term, i)]]
        raise KeyError(term)


def raised(term: Exponents, i: int) -> Exponents:
    """The monomial times variable i."""
    return term[:i] + (term[i] + 1,) + term[i + 1:]


def lowered(term: Exponents, i: int) -> Exponents:
    """The monomial over variable i."""
    return term[:i] + (term[i] - 1,) + term[i + 1:]


@dataclass
class Found:
    """What a walk found: polynomials, and the order ideal.

    Attributes
    ----------
    leads : list of exponent tuples
        The monomial that leads each polynomial.
    polynomials : list of dict
        Exponent tuple -> float (or Fraction), the leading one first.
    measures : list of float
        What the method compared with its tolerance.
    terms : list of exponent tuples
        The order ideal.
    status : Status
    zero_count : int
        Polynomials found besides that are zero everywhere.
    """

    leads: list[Exponents] = field(default_factory=list)
    polynomials: list[dict[Exponents, float | Fraction]] = field(default_factory=list)
    measures: list[float] = field(default_factory=list)
    terms: list[Exponents] = field(default_factory=list)
    status: Status = Status.COMPLETE
    zero_count: int = 0

    def add(self, lead: Exponents, terms: Sequence[Exponents], coefficients: np.ndarray, measure: float) -> None:
        """A polynomial: the coefficients of `lead` and of `terms`."""
        row = {lead: float(coefficients[0]), **dict(zip(terms, map(float, coefficients[1:])))}
        self.leads.append(lead)
        self.polynomials.append({exponents: value for exponents, value in row.items() if value})
        self.measures.append(float(measure))


Step = Callable[[OrderIdeal, list[Exponents], Found], None]
"""What a method does with the monomials of one degree: adds polynomials to what was found, the others to the ideal."""


def walk(points: np.ndarray, step: Step, max_degree: int, corners: bool) -> Found:
    """Steps 1 to 4 with a method's own third step."""
    ideal, found = OrderIdeal(points), Found(status=Status.MAX_DEGREE)
    for degree in range(1, max_degree + 1):
        candidates = ideal.border(degree, corners)
        if not candidates:
            found.status = Status.COMPLETE
            break
        step(ideal, candidates, found)
    else:
        if not ideal.border(max_degree + 1, corners):
            found.status = Status.COMPLETE
    found.terms = list(ideal.terms)
    return found


class Triangle:
    """The thin QR factorization of an order ideal's values, which grows by a column at a time.

    Attributes
    ----------
    Q : (N, m) array
        Orthonormal.
    R : (m, m) array
        Upper triangular: ``values = Q @ R``.
    """

    def __init__(self, column: np.ndarray) -> None:
        size = float(np.linalg.norm(column))
        self.Q = (column / size)[:, None]
        self.R = np.array([[size]])

    def split(self, column: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates of a column in Q, and what is left of it; twice, so that the rest is orthogonal to rounding."""
        inside = self.Q.T @ column
        rest = column - self.Q @ inside
        again = self.Q.T @ rest
        return inside + again, rest - self.Q @ again

    def extended(self, inside: np.ndarray, size: float) -> np.ndarray:
        """R with one more column, whose rest has this size."""
        m = len(self.R)
        R = np.zeros((m + 1, m + 1))
        R[:m, :m], R[:m, m], R[m, m] = self.R, inside, size
        return R

    def add(self, inside: np.ndarray, rest: np.ndarray) -> None:
        """Take a column in that `split` has split; a column with no rest adds nothing."""
        size = float(np.linalg.norm(rest))
        self.R = self.extended(inside, size)
        self.Q = np.column_stack([self.Q, rest / size if size else rest])
