r"""What a person knows of equations of motion before the data are asked.

Whatever is said of terms ends as one of three things for each coefficient of right-hand sides: it is zero, it has a given
value, or it is a multiple of a number that other coefficients share (`ties`).  A symmetry replaces every variable by plus or
minus another one, :math:`z_i \to s_i z_{p(i)}`, and leaves the equations the same:

.. math:: s_i\, f_{p(i)}(z) = f_i(s_1 z_{p(1)}, s_2 z_{p(2)}, \dots),

so the coefficient of a monomial in :math:`f_i` is, up to sign, that of its image in :math:`f_{p(i)}`.  Terms that a chain of
such links leads back to themselves with another sign are zero.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from ...ground.errors import InvalidOption
from ...ground.linalg import solve_scaled
from ...polynomials.monomials import count, monomials
from .fields import Field
from .ties import Ties

Place = tuple[int, tuple[int, ...]]
"""A term: number of its target, exponents in the letters."""
Polynomial = Mapping[tuple[int, ...], Fraction]
Link = tuple[Place, Place, Fraction]
"""The coefficient of the second term is so many times that of the first."""


@dataclass(frozen=True, eq=False)
class Knowledge:
    """What is known of coefficients.

    Attributes
    ----------
    letters : int
        Of what terms are made: arguments, and functions of them.
    known : mapping
        Target -> numerator and denominator of its whole right-hand side.
    fixed, signs : mappings
        Term -> coefficient; its sign, 1 or -1.
    shared : tuple of links
    images : tuple of functions
        Symmetries: from a term to its image and the ratio of their coefficients.
    allowed : function
        Whether a term may occur at all.
    closed : frozenset of int
        Targets of whose terms something is known beyond which do not occur: they are sought as they are, not as fractions.
    """

    letters: int
    known: Mapping[int, tuple[Polynomial, Polynomial]]
    fixed: Mapping[Place, Fraction]
    signs: Mapping[Place, int]
    shared: tuple[Link, ...]
    images: tuple[Callable[[Place], tuple[Place, int]], ...]
    allowed: Callable[[Place], bool]
    closed: frozenset[int]

    def applied(self, field: Field, coefficients: np.ndarray) -> tuple[Field, np.ndarray]:
        """The field with what is known of it, and the nearest coefficients that agree with that."""
        terms, degree = self._terms(field, coefficients)
        relative = self._related({place for place, below in terms if not below and place[0] not in self.known})
        zero = {place for place, root in relative.items() if root is None}
        terms = {key: value for key, value in terms.items() if key[1] or key[0] not in zero}
        values = self._values(relative)
        places = {tuple(e): k for k, e in enumerate(monomials(field.factors, degree).exponents.tolist())}
        blocks: list[list[list[int]]] = [[[], []] for _ in range(field.equations)]
        pivots, entries = list(field.pivots), []
        for j in range(field.equations):
            for below in (False, True):
                own = sorted((places[self._padded(e, field)], e) for (i, e), part in terms if i == j and part == below)
                pivot = self._pivot(j) if below else None
                if pivot is not None:
                    pivots[j] = places[self._padded(pivot, field)]
                    own = [pair for pair in own if pair[1] != pivot]
                blocks[j][below] = [k for k, _ in own]
                entries += [((j, e), below, terms[(j, e), below]) for _, e in own]
        made = replace(field, degree=degree, pivots=tuple(pivots),
                       numerators=tuple(np.array(above, dtype=int) for above, _ in blocks),
                       denominators=tuple(np.array(under, dtype=int) for _, under in blocks))
        ties = self._ties(entries, relative, values)
        return replace(made, ties=ties), ties.coefficients(ties.numbers(np.array([value for *_, value in entries])))

    def _terms(self, field, coefficients):
        """(term, in a denominator) -> coefficient, of all that may occur; and the degree that they need."""
        exponents = [tuple(row) for row in field.exponents.tolist()]
        terms = {}
        for j, k, below, value in zip(field.owner.tolist(), field.monomial.tolist(), field.in_denominator.tolist(),
                                      coefficients.tolist()):
            place = j, exponents[k]
            if j not in self.known and (below or any(exponents[k][self.letters:]) or self.allowed(self._short(place))):
                terms[self._short(place), below] = value
        for place, value in self.fixed.items():
            terms[place, False] = float(value)
        for j, parts in self.known.items():
            terms |= {((j, e), below): float(value) for below, part in zip((False, True), parts) for e, value in part.items()}
        return terms, max([field.degree, *(sum(e) for (_, e), _ in terms)])

    def _short(self, place):
        """The term without letters that nothing is known of, unless it uses them."""
        j, e = place
        return place if any(e[self.letters:]) else (j, e[: self.letters])

    def _padded(self, e, field):
        return (*e, *(0,) * (field.factors - len(e)))

    def _pivot(self, j):
        """The term of a known denominator whose coefficient is 1."""
        return max(self.known[j][1], key=lambda e: (sum(e), e)) if j in self.known else None

    def _related(self, places):
        """Term -> (root, ratio to its coefficient), or None for terms that must be zero."""
        links: dict[Place, list[tuple[Place, Fraction]]] = {place: [] for place in places}
        lost = set()
        ways = [*self.shared, *((place, *image(place)) for image in self.images for place in places
                                if len(place[1]) == self.letters)]
        for one, other, ratio in ways:
            if one in links and other in links:
                links[one].append((other, Fraction(ratio)))
                links[other].append((one, 1 / Fraction(ratio)))
            else:
                lost |= {one, other}
        found: dict[Place, tuple[Place, Fraction] | None] = {}
        for root in sorted(places):
            if root in found:
                continue
            ratios, queue, zero = {root: Fraction(1)}, [root], root in lost
            while queue:
                here = queue.pop()
                for other, ratio in links[here]:
                    zero |= other in lost or ratios.setdefault(other, ratios[here] * ratio) != ratios[here] * ratio
                    if other not in found:
                        found[other] = (root, ratios[other])
                        queue.append(other)
            for one, ratio in ratios.items():
                found[one] = None if zero else (root, ratio)
        for place, value in self.fixed.items():
            if value and found[place] is None:
                raise InvalidOption("fixed", float(value), "0, or left out: symmetry, or what coefficients share, makes this "
                                    "coefficient zero")
        return found

    def _values(self, relative):
        """Root -> value, of terms that are fixed."""
        values: dict[Place, Fraction] = {}
        for place, value in self.fixed.items():
            if relative.get(place) is None:
                continue
            root, ratio = relative[place]
            if values.setdefault(root, value / ratio) != value / ratio:
                raise InvalidOption("fixed", float(value), f"{float(values[root] * ratio):g}, which follows from what else "
                                    "is known")
        return values

    def _ties(self, entries, relative, values):
        group, weight, offset, sign = [], [], [], []
        numbers: dict[Any, int] = {}
        for k, (place, below, value) in enumerate(entries):
            if place[0] in self.known:
                group.append(-1), weight.append(0.0), offset.append(value), sign.append(0)
                continue
            root, ratio = (k, Fraction(1)) if below else relative[place]
            fixed = not below and root in values
            group.append(-1 if fixed else numbers.setdefault(root, len(numbers)))
            weight.append(0.0 if fixed else float(ratio))
            offset.append(float(values[root] * ratio) if fixed else 0.0)
            sign.append(0 if below else self.signs.get(place, 0))
            if fixed and sign[-1] * offset[-1] < 0:
                raise InvalidOption("signs", "+" if sign[-1] > 0 else "-", f"that of the coefficient {offset[-1]:g}, which is "
                                    "known")
        return Ties(np.array(group, dtype=int), np.array(weight), np.array(offset), np.array(sign, dtype=int))

    def started(self, field: Field, coefficients: np.ndarray, points: np.ndarray, targets: np.ndarray) -> np.ndarray:
        """Coefficients that describe the targets (m, n) at arguments (a, n) best, in plain regression.

        Those of fractions stay what they are.
        """
        ties, rows = field.ties, field.rows(points)
        if ties is None or any(len(below) and j not in self.known for j, below in enumerate(field.denominators)):
            return coefficients
        information, right = np.zeros((field.size, field.size)), np.zeros(field.size)
        for j, y in enumerate(targets):
            own, size = np.flatnonzero(field.owner == j), np.mean(y**2) or 1.0
            if j not in self.known and len(own):
                columns = rows[field.monomial[own]]
                information[np.ix_(own, own)], right[own] = columns @ columns.T / size, columns @ y / size
        return ties.coefficients(solve_scaled(*ties.reduced(information, right)))

    def terms_of_target(self, target: int, factors: int, degree: int) -> int:
        """How many terms of this degree a right-hand side may have."""
        if target in self.known:
            return 1
        if self.letters != factors:
            return count(factors, degree)
        return sum(self.allowed((target, tuple(e))) for e in monomials(factors, degree).exponents.tolist())


def violates_signs(field: Field, coefficients: np.ndarray) -> bool:
    """Whether a coefficient has another sign than is known."""
    return field.ties is not None and bool((field.ties.sign * np.sign(coefficients) < 0).any())


def named(places: Sequence[Place], targets: Sequence[str], letters: Sequence[str]) -> str:
    """Terms in words.

    Examples
    --------
    >>> named([(0, (1, 2))], ["x'"], ["x", "y"])
    "x*y**2 in x'"
    """
    def word(e):
        parts = [letter if power == 1 else f"{letter}**{power}" for letter, power in zip(letters, e) if power]
        return "*".join(parts) or "1"

    return ", ".join(f"{word(e)} in {targets[j]}" for j, e in places)
