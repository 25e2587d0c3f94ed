r"""Proof that equations which outnumber the codimension hold at a certified zero as well.

A certified box holds one zero x* of a square system with r of the polynomials,
:math:`f_1, \dots, f_r`.  Of the others, :math:`h_1, \dots, h_s`, only a bound is known so far.  But
polynomials that define one variety are tied to each other by *syzygies*,

.. math:: \sum_i a_{ki} f_i + \sum_j u_{kj} h_j = 0 \quad\text{identically,}

and at x*, where the f are zero, this says :math:`U(x^*)\, h(x^*) = 0`.  If s syzygies have a matrix U that
is invertible at x*, all the h are zero there too.  In the box x = m + R t the entries of U are
:math:`u_{kj}(t) = u_{kj}(0) + \dots` with a rest of at most :math:`\rho_{kj}`, the sum of its absolute
coefficients; with any rational matrix C

.. math:: \sum_j \Bigl( |I - C U(0)|_{ij} + \sum_k |C_{ik}| \rho_{kj} \Bigr) < 1 \quad\text{for every } i

proves that C U(t) is invertible, and so is U(t), in the whole box.

For the three quadrics through a twisted cubic one syzygy with linear multipliers is enough.
Syzygies of low degree are a null space of rational numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy.linalg import qr

from ..ground.deadline import Deadline
from ..ground.exact_linear import null_space
from ..polynomials.monomials import monomials
from ..polynomials.terms import Exponents, Terms, substitute_affine
from .krawczyk import PRECONDITIONER_BITS, CertifiedZero, Uncertified

HIGHEST_MULTIPLIER_DEGREE = 2
"""Degrees from 1 up to this are tried.  1 was enough for the moment curves in 3 to 8 variables and for skew lines; from
the degree of the polynomials on there are syzygies between any two, f g - g f = 0, which say nothing."""
MOST_COLUMNS = 2000
"""Products of a polynomial and a monomial in one elimination, whose time grows with the third power: a minute for 1260
was measured (moment curve in 8 variables), some minutes for 2000.  Beyond it the bounds are all that is said."""
SMALLEST_PIVOT = 1e-6
"""A matrix of multipliers, each row scaled to 1, is not tried with a smaller pivot: with C rounded to
`PRECONDITIONER_BITS` its condition would come near to what the proof allows, as in `krawczyk.RANK_TOLERANCE`."""


@dataclass(frozen=True)
class AlsoZero:
    """Knots at whose zeros the remaining polynomials are zero too, for the same reason.

    Attributes
    ----------
    chosen, others : tuple of int
        The polynomials of the square system, and the remaining ones.
    syzygies : tuple
        One per remaining polynomial; each has a multiplier (exponent tuple -> Fraction, {} for zero) per polynomial.
    preconditioners : dict of int to matrix of Fraction
        For each knot the matrix C of the proof.
    """

    chosen: tuple[int, ...]
    others: tuple[int, ...]
    syzygies: tuple[tuple[Terms, ...], ...]
    preconditioners: dict[int, tuple[tuple[Fraction, ...], ...]]


def syzygies(polynomials: Sequence[Terms], degree: int, deadline: Deadline | None = None,
             arithmetic: str | None = None) -> list[tuple[dict[Exponents, Fraction], ...]]:
    """A basis of the syzygies whose multipliers have at most this degree.

    Parameters
    ----------
    polynomials : sequence of dict
        Exponent tuple -> Fraction.
    degree : int
    deadline : Deadline, optional
    arithmetic : str, optional
        As in `exact_linear.solve`.

    Returns
    -------
    list of tuple of dict
        Per syzygy one multiplier per polynomial.

    Examples
    --------
    >>> x, y = {(1, 0): Fraction(1)}, {(0, 1): Fraction(1)}
    >>> syzygies([x, y], 1)
    [({(0, 1): Fraction(-1, 1)}, {(1, 0): Fraction(1, 1)})]
    """
    factors = [tuple(e) for e in monomials(len(next(iter(polynomials[0]))), degree).exponents.tolist()]
    columns = [(place, factor) for place in range(len(polynomials)) for factor in factors]
    products = [{tuple(map(sum, zip(e, factor))): value for e, value in polynomials[place].items()}
                for place, factor in columns]
    rows = sorted(set().union(*products))
    matrix = [[product.get(row, Fraction(0)) for product in products] for row in rows]
    pivots, free, table = null_space(matrix, deadline, arithmetic)
    found = []
    for j, column in enumerate(free):
        multipliers: list[dict[Exponents, Fraction]] = [{} for _ in polynomials]
        entries = [(column, Fraction(1)), *((p, -line[j]) for p, line in zip(pivots, table) if line[j])]
        for (place, factor), value in ((columns[c], value) for c, value in entries):
            multipliers[place][factor] = value
        found.append(tuple(multipliers))
    return found


def also_zero(polynomials: Sequence[Terms], zeros: Sequence[CertifiedZero | Uncertified],
              deadline: Deadline | None = None, arithmetic: str | None = None) -> tuple[AlsoZero, ...]:
    """Prove for as many certified zeros as possible that all polynomials are zero there.

    Parameters
    ----------
    polynomials : sequence of dict
    zeros : sequence of CertifiedZero or Uncertified
    deadline : Deadline, optional
    arithmetic : str, optional
        As in `exact_linear.solve`.

    Returns
    -------
    tuple of AlsoZero
    """
    waiting = {k: zero for k, zero in enumerate(zeros) if isinstance(zero, CertifiedZero) and zero.bounds}
    groups: dict[tuple, tuple[tuple, dict]] = {}
    for degree in range(1, HIGHEST_MULTIPLIER_DEGREE + 1):
        size = len(polynomials) * len(monomials(len(next(iter(polynomials[0]))), degree).exponents)
        if not waiting or size > MOST_COLUMNS:
            break
        relations = syzygies(polynomials, degree, deadline, arithmetic)
        for k, zero in list(waiting.items()):
            if deadline is not None:
                deadline.check("syzygies")
            proof = _proof(zero, relations)
            if proof is not None:
                places, matrix = proof
                key = (degree, zero.chosen, tuple(zero.bounds), places)
                groups.setdefault(key, (tuple(relations[c] for c in places), {}))[1][k] = matrix
                del waiting[k]
    return tuple(AlsoZero(chosen, others, used, matrices)
                 for (_, chosen, others, _), (used, matrices) in groups.items())


def _proof(zero, relations):
    """Places of the syzygies and the matrix C that prove it for one zero; None if they do not."""
    others = tuple(zero.bounds)
    if len(relations) < len(others):
        return None
    center = np.array([float(x) for x in zero.center])
    values = np.array([[_value(relation[j], center) for j in others] for relation in relations])
    strength = np.abs(values).max(axis=1, keepdims=True)
    _, triangle, order = qr((values / np.where(strength > 0, strength, 1)).T, mode="economic", pivoting=True)
    if abs(triangle[len(others) - 1, len(others) - 1]) < SMALLEST_PIVOT:
        return None
    chosen = tuple(sorted(int(c) for c in order[: len(others)]))
    C = _rounded_inverse(values[list(chosen)])
    return (chosen, C) if _invertible(C, [[relations[c][j] for j in others] for c in chosen], zero) else None


def _invertible(C, U, zero):
    """Whether C proves that the matrix U of multipliers is invertible in the zero's box."""
    s = len(U)
    middle, rest = [[Fraction(0)] * s for _ in range(s)], [[Fraction(0)] * s for _ in range(s)]
    for k, row in enumerate(U):
        for j, terms in enumerate(row):
            for exponents, value in substitute_affine(terms, zero.radii, zero.center).items() if terms else ():
                if any(exponents):
                    rest[k][j] += abs(value)
                else:
                    middle[k][j] = value
    return all(sum(abs((i == j) - sum(C[i][k] * middle[k][j] for k in range(s)))
                   + sum(abs(C[i][k]) * rest[k][j] for k in range(s)) for j in range(s)) < 1 for i in range(s))


def _rounded_inverse(values):
    """The inverse, rounded to `PRECONDITIONER_BITS` below its largest entry."""
    inverse = np.linalg.inv(values)
    step = Fraction(2) ** (int(np.frexp(np.abs(inverse).max())[1]) - PRECONDITIONER_BITS)
    return tuple(tuple(round(Fraction(value) / step) * step for value in row) for row in inverse.tolist())


def _value(terms, point):
    return sum(float(value) * float(np.prod(point ** np.array(exponents))) for exponents, value in terms.items())
