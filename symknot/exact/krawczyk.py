r"""Proof that a box holds exactly one zero, in whole numbers only.

A fit's knots lie near the variety of its equations; here each knot gets a box with rational
ends and a proof of what is in it.  Let r be the rank of the polynomials' Jacobian at the
knot and d the number of variables.  The r best-conditioned polynomials, and d - r linear
equations :math:`T (x - m) = 0` that ask for x - m to lie in the span of their gradients, make a
square system F.  Write the box around its center m as :math:`x = m + R t` with
:math:`t \in [-1, 1]^d`, R the diagonal matrix of the radii.  In t every polynomial is a finite
sum, expanded exactly, so that with J the Jacobian of F in t, and any rational matrix C,

.. math:: \lambda_i = |C F(0)|_i + \sum_j |I - C J(0)|_{ij} + \sum_k |C_{ik}| \rho_k,
          \qquad \rho_k = \sum_{|e| \ge 2} |e|\, |F_{k,e}|

is a number one can compute without any rounding; :math:`F_{k,e}` are the coefficients in t.

*Theorem (Krawczyk).* If every :math:`\lambda_i < 1`, F has exactly one zero in the box.

*Proof.* Row k of J(t) - J(0) holds the terms of degree 1 and more, whose absolute values add up
to at most :math:`\rho_k` for every t in the box.  So row i of I - C J(t) has absolute sum at most
:math:`\lambda_i - |C F(0)|_i < 1`.  The map :math:`N(t) = t - C F(t)` has the derivative I - C J(t); by the mean value
theorem it contracts distances in the maximum norm, and
:math:`|N(t)_i| \le |N(0)_i| + \lambda_i - |C F(0)|_i = \lambda_i < 1`: it maps the box into its interior.  By
Banach's theorem it has exactly one fixed point there.  C is invertible: from v C = 0 with a row v other than zero would
follow v (I - C J(0)) = v, against the norm being below 1.  So the fixed points are exactly the zeros of F.

The rank, the choice of polynomials, T, C and the center are found in floating point and
need no trust: the proof holds for whatever they are.  C is the inverse of J(0), rounded.
The center comes from Newton's method (least-norm steps, so that it ends next to the foot of
the knot) with exact values on a grid of `CENTER_BITS` bits below the scale.  The radii grow
(`RADIUS_BITS`), and the first box that passes is taken: as tight as can be proved, and never
wider than a millionth of the scale.  For the polynomials that were not
chosen, :math:`|h(t)| \le \sum_e |h_e|` bounds them over the whole box; that they have a zero there is not claimed.

F stands for the polynomials *multiplied by the least common denominator of their
coefficients*: the zeros are the same and all arithmetic is in whole numbers.

R. Krawczyk, Newton-Algorithmen zur Bestimmung von Nullstellen mit Fehlerschranken, Computing 4, 1969.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import frexp, lcm, ldexp
from typing import Any

import numpy as np
from scipy.linalg import qr

from ..ground.checks import positive_number, whole_number
from ..ground.deadline import Deadline
from ..ground.errors import InvalidOption
from ..ground.linalg import singular_values, svd
from ..polynomials.terms import Terms, substitute_in_integers

RADIUS_BITS = range(60, 19, -8)
"""Radii that are tried: 2**-bits of the scale.  The first is finer than doubles tell numbers apart (2**-53), and enough
at each of 2000 knots on the curves and surfaces of the tests (`tests/varieties.py`, 1% noise: the sides were below
1e-10).  Beyond the last, a millionth, a box would say little about its knot.  In steps of 8 bits a box is at most 256
times as wide as it must be."""
SETTLED_STEP = 2.0**-80
"""Of the scale: Newton's method has converged when it moves by less.  A millionth (2**-20) of the finest radius, so
that the error that is left does not decide whether a box passes."""
CENTER_BITS = 100
"""The grid of the centers is 2**-CENTER_BITS of the scale: for the same reason a millionth of a settled step."""
FARTHEST_MOVE = 0.25
"""Of the scale, in each coordinate: a center farther from its knot is another knot's.  A convention; knots of a fit,
which lie on its equations already, moved by 1e-14 at most."""
MOST_NEWTON_STEPS = 12
"""Twice what quadratic convergence needs from `FARTHEST_MOVE` to `SETTLED_STEP` (2**-2, 2**-4, ..., 2**-128); knots of
a fit need two.  At a double zero each step only halves the error: there it must give up."""
SMALLEST_GRADIENT = 1e-7
"""Of a polynomial's size: a smaller gradient is none.  At a double zero, which doubles know to the root of their
precision (1.5e-8) at best, it is about as small as that.  A hyperbola that comes within 1e-6 of its node still passes
(measured)."""
SMALLEST_NEWTON_SLOPE = 1e-14
"""The same for the smallest singular value of a matrix of gradients in Newton's method, all entries up to 1: below it
are only errors of rounding (45 times 2**-52)."""
RANK_TOLERANCE = 1e-6
"""Of the largest singular value of the gradients: smaller ones do not count for the rank.  On those curves and surfaces
true ones were above 1e-2 and false ones below 1e-15."""
FALSE_VALUE_PER_DISTANCE = 4.0
"""How fast false singular values grow when a knot leaves the variety, both in units of the largest one and of the
scale.  A quadric's gradient changes by 2 at most (its coefficients add up to 1); up to 2.2 was measured for several
equations together (twisted cubic, skew lines, rational quartic, moment curve in 4 variables, 60 knots each, noise 1e-10
to 0.03)."""
PRECONDITIONER_BITS = 40
"""Of each entry of C.  With gradients of condition 2**20 (that is 1 / `RANK_TOLERANCE`) rounding then adds some 2**-20
to the sides, which must stay below 1."""
PLANE_BITS = 20
"""Of the plane's rows, which may be any: so much turns them by a millionth and keeps the file short."""
BOUND_BITS = 24
"""Of a bound, rounded up: short, and at most 2**-23 too large, as a single-precision number is."""


@dataclass(frozen=True)
class CertifiedZero:
    """A box that is proved to hold exactly one zero of a square system.

    Attributes
    ----------
    center, radii : tuple of Fraction
        The box :math:`|x_j - center_j| \\le radii_j`.
    chosen : tuple of int
        The polynomials of the system.
    plane : tuple of tuple of Fraction
        Rows of its linear equations, plane (x - center) = 0.
    preconditioner : tuple of tuple of Fraction
        The matrix C of the proof.
    bounds : dict of int to Fraction
        For each polynomial that is not in the system, a bound of its absolute value on the box.
    margin : Fraction or None
        The largest left-hand side of the proof; below 1. None when the zero was read from a file.
    """

    center: tuple[Fraction, ...]
    radii: tuple[Fraction, ...]
    chosen: tuple[int, ...]
    plane: tuple[tuple[Fraction, ...], ...]
    preconditioner: tuple[tuple[Fraction, ...], ...]
    bounds: dict[int, Fraction]
    margin: Fraction | None = None


@dataclass(frozen=True)
class Uncertified:
    """A knot for which nothing could be proved, and why."""

    reason: str


def certify_knot(polynomials: Sequence[Terms], knot: Sequence[float], rank: int | None = None,
                 scale: float | Sequence[float] | np.ndarray | None = None) -> CertifiedZero | Uncertified:
    """Prove a box near `knot` that holds exactly one zero; see `certify_knots`.

    Examples
    --------
    >>> circle = {(2, 0): Fraction(1), (0, 2): Fraction(1), (0, 0): Fraction(-1)}
    >>> zero = certify_knot([circle], [0.6, 0.8])
    >>> zero.chosen, len(zero.plane), zero.margin < 1, max(zero.radii) < 1e-17
    ((0,), 1, True, True)
    >>> certify_knot([{(2,): Fraction(1)}], [0.0])
    Uncertified(reason='the Jacobian has rank 0 here (singular point?)')
    """
    return certify_knots(polynomials, [knot], scale, rank=rank)[0]


def certify_knots(polynomials: Sequence[Terms], knots: Any, scale: float | Sequence[float] | np.ndarray | None = None,
                  deadline: Deadline | None = None, rank: int | None = None,
                  first: int | None = None) -> list[CertifiedZero | Uncertified]:
    """Prove, for each knot, a box near it that holds exactly one zero.

    Parameters
    ----------
    polynomials : sequence of dict
        Exponent tuple -> Fraction.
    knots : array-like, K x d
        Points near common zeros of the polynomials.
    scale : float or sequence of d floats, optional
        The length over which the polynomials vary, in each variable. By default half of the knots'
        largest extent, or for a single knot its largest coordinate.
    deadline : Deadline, optional
    rank : int, optional
        Number of polynomials in the square system; by default the rank of the Jacobian at the knot.
    first : int, optional
        Only so many of the polynomials, from the first, may enter the system; the others are bounded.

    Returns
    -------
    list of CertifiedZero or Uncertified

    Raises
    ------
    TimeLimit
        When the deadline has passed.
    """
    knots = _checked_knots(knots)
    count, dimension = knots.shape
    _check_polynomials(polynomials, dimension)
    first = len(polynomials) if first is None else min(whole_number("first", first, 1), len(polynomials))
    if rank is not None and whole_number("rank", rank, 1) > min(dimension, first):
        raise InvalidOption("rank", rank, f"at most {min(dimension, first)} for {first} polynomial(s) in "
                                          f"{dimension} variable(s)")
    if not count:
        return []
    grid = _Grid(polynomials, _units(scale, knots))
    deadline = deadline or Deadline()
    found = []
    for knot in knots:
        deadline.check("certificate of the knots")
        found.append(_certify(grid, knot, rank, first))
    return found


def _checked_knots(knots):
    try:
        array = np.asarray(knots, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise InvalidOption("knots", knots, "an array of numbers") from None
    if array.ndim != 2 or not array.shape[1] or not np.isfinite(array).all():
        raise InvalidOption("knots", array, "K x d finite numbers")
    return array


def _check_polynomials(polynomials, dimension):
    if not len(polynomials):
        raise InvalidOption("polynomials", polynomials, "at least one")
    for terms in polynomials:
        if not terms or any(len(exponents) != dimension for exponents in terms):
            raise InvalidOption("polynomials", terms, f"non-zero and in {dimension} variable(s), as the knots are")


def _units(scale, knots):
    """For each variable the exponent of the power of two next below its scale."""
    if scale is None:
        scale = np.ptp(knots, axis=0).max() / 2 or np.abs(knots).max() or 1.0
    scales = np.broadcast_to(np.asarray(scale, dtype=object), knots.shape[1:])
    return [frexp(positive_number("scale", value))[1] - 1 for value in scales]


class _Grid:
    r"""The polynomials in the whole numbers u, where :math:`x_j = 2^{unit_j - CENTER_BITS} u_j`.

    Each is multiplied by its least common denominator (which is kept) and, all alike, by 2**shift.
    """

    def __init__(self, polynomials, units):
        self.units = units
        lowered = {e: sum(k * (CENTER_BITS - unit) for k, unit in zip(e, units))
                   for terms in polynomials for e in terms}
        self.shift = max(CENTER_BITS, *lowered.values())
        self.denominators = [lcm(*(value.denominator for value in terms.values())) for terms in polynomials]
        self.polynomials = [
            {e: value.numerator * (denominator // value.denominator) << (self.shift - lowered[e])
             for e, value in terms.items()}
            for terms, denominator in zip(polynomials, self.denominators)]

    def nearest(self, point):
        """The grid point next to `point`."""
        return [round(Fraction(float(x)) * _power(CENTER_BITS - unit)) for x, unit in zip(point, self.units)]

    def around(self, index, place):
        """A polynomial expanded around the grid point `place`."""
        return _Local(substitute_in_integers(self.polynomials[index], [1] * len(place), place)[0], len(place))


class _Local:
    """A polynomial around a grid point, and in floats its value and gradient there.

    The floats are in units of the scale and of 2**size, the polynomial's size: at least the
    sum of its coefficients, without the constant, over a box of the scale.
    """

    def __init__(self, terms, dimension):
        self.terms = terms
        self.constant = terms.get((0,) * dimension, 0)
        self.linear = [terms.get(unit, 0) for unit in _unit_exponents(dimension)]
        self.size = sum(abs(value) << CENTER_BITS * sum(e) for e, value in terms.items() if any(e)).bit_length()
        self.gradient = [(value << CENTER_BITS) / (1 << self.size) for value in self.linear]
        # more than 1 in size means that no zero is as near as the scale; 2 says so, too, and is surely a float
        clipped = max(min(self.constant, 2 << self.size), -2 << self.size)
        self.value = clipped / (1 << self.size)


def _certify(grid, knot, rank, first):
    start = grid.nearest(knot)
    chosen = _chosen([grid.around(index, start) for index in range(first)], rank)
    if isinstance(chosen, Uncertified):
        return chosen
    center = _polished(grid, chosen, start)
    if center is None:
        return Uncertified("Newton's method does not converge to a zero near the knot")
    local = [grid.around(index, center) for index in range(len(grid.polynomials))]
    system = _SquareSystem(grid, [local[index] for index in chosen])
    for bits in RADIUS_BITS:
        margin, preconditioner = system.margin(bits)
        if margin < 1:
            others = [index for index in range(len(local)) if index not in chosen]
            return CertifiedZero(
                tuple(value * _power(unit - CENTER_BITS) for value, unit in zip(center, grid.units)),
                tuple(_power(unit - bits) for unit in grid.units), chosen, system.rows_in_x(grid.units), preconditioner,
                {index: _bound(grid, index, local[index], bits) for index in others}, margin)
    return Uncertified(f"no box passes, up to 2**-{RADIUS_BITS[-1]} of the scale")


def _chosen(local, rank):
    """Indices of the best-conditioned polynomials, as many as the rank of the Jacobian."""
    jacobian = np.array([polynomial.gradient for polynomial in local])
    sizes = singular_values(jacobian)
    largest = sizes[0]
    if largest <= SMALLEST_GRADIENT:
        return Uncertified("the Jacobian has rank 0 here (singular point?)")
    # off the variety by this much, gradients that depend on each other on it seem independent
    off = max(abs(polynomial.value) for polynomial in local) / largest
    clear = sizes > largest * max(RANK_TOLERANCE, FALSE_VALUE_PER_DISTANCE * off if rank is None else 0)
    found = max(int(clear.sum()), 1)
    if rank is not None and found < rank:
        return Uncertified(f"the Jacobian has rank {found} here, not {rank} (singular point?)")
    _, _, order = qr(jacobian.T, mode="raw", pivoting=True)
    return tuple(sorted(int(index) for index in order[:rank or found]))


def _polished(grid, chosen, start):
    """The grid point at which Newton's method arrives from `start`; None if it does not settle nearby."""
    place = start
    for _ in range(MOST_NEWTON_STEPS):
        local = [grid.around(index, place) for index in chosen]
        jacobian = np.array([polynomial.gradient for polynomial in local])
        left, values, right = svd(jacobian)
        if values[-1] <= SMALLEST_NEWTON_SLOPE:
            return None
        step = right.T @ (left.T @ [polynomial.value for polynomial in local] / values)
        if not np.abs(step).max() <= FARTHEST_MOVE:
            return None
        place = [u - round(ldexp(float(move), CENTER_BITS)) for u, move in zip(place, step)]
        if max(abs(u - v) for u, v in zip(place, start)) > int(FARTHEST_MOVE * 2**CENTER_BITS):
            return None
        if np.abs(step).max() <= SETTLED_STEP:
            return place
    return None


class _SquareSystem:
    """Chosen polynomials around their center, and the plane equations that complete them."""

    def __init__(self, grid, chosen):
        dimension = len(grid.units)
        self.shift = grid.shift
        gradients = np.array([polynomial.gradient for polynomial in chosen])
        complement = svd(gradients, full_matrices=True)[2][len(chosen):]
        self.rows = [[round(ldexp(float(value), PLANE_BITS)) for value in row] for row in complement]
        linear = _unit_exponents(dimension)
        planes = [_Local({e: value << (grid.shift - CENTER_BITS) for e, value in zip(linear, row)}, dimension)
                  for row in self.rows]
        self.equations = chosen + planes
        self.sizes = [polynomial.size for polynomial in self.equations]
        matrix = np.array([polynomial.gradient for polynomial in self.equations])
        self.inverse = np.linalg.pinv(matrix).tolist()

    def margin(self, bits):
        """The largest left-hand side for the radius 2**-bits of the scale, and the matrix C."""
        exponents = [self.shift + bits - size for size in self.sizes]
        numbers = [[_dyadic(value, exponent) for value, exponent in zip(row, exponents)] for row in self.inverse]
        common = max(0, -min(exponent for row in numbers for _, exponent in row))
        C = [[mantissa << (exponent + common) for mantissa, exponent in row] for row in numbers]
        wide = CENTER_BITS - bits
        J = [[value << wide for value in polynomial.linear] for polynomial in self.equations]
        rho = [sum(sum(e) * abs(value) << wide * sum(e) for e, value in polynomial.terms.items() if sum(e) > 1)
               for polynomial in self.equations]
        one = 1 << (self.shift + common)
        worst = 0
        for i, row in enumerate(C):
            side = abs(sum(c * polynomial.constant for c, polynomial in zip(row, self.equations)))
            side += sum(abs((one if i == j else 0) - sum(c * J_k[j] for c, J_k in zip(row, J))) for j in range(len(C)))
            side += sum(abs(c) * value for c, value in zip(row, rho))
            worst = max(worst, side)
        return Fraction(worst, one), tuple(tuple(Fraction(c, 1 << common) for c in row) for row in C)

    def rows_in_x(self, units):
        """The plane's rows in the user's variables."""
        return tuple(tuple(value * _power(-unit) for value, unit in zip(row, units)) for row in self.rows)


def _bound(grid, index, polynomial, bits):
    """A bound of a polynomial's absolute value on the box, rounded up to a short number."""
    total = sum(abs(value) << (CENTER_BITS - bits) * sum(e) for e, value in polynomial.terms.items())
    bound = Fraction(total, grid.denominators[index] << grid.shift)
    unit = _power(bound.numerator.bit_length() - bound.denominator.bit_length() - BOUND_BITS)
    return -(-bound // unit) * unit


def _unit_exponents(dimension):
    return [tuple(int(i == j) for i in range(dimension)) for j in range(dimension)]


def _power(exponent):
    """2**exponent as a Fraction."""
    return Fraction(1 << exponent) if exponent >= 0 else Fraction(1, 1 << -exponent)


def _dyadic(value, exponent):
    """value * 2**exponent, rounded, as a whole number and an exponent of two."""
    mantissa, own = frexp(value)
    return round(ldexp(mantissa, PRECONDITIONER_BITS)), own - PRECONDITIONER_BITS + exponent
