r"""ABM, approximate border bases: Limbeck (2014), and with the gradient-weighted norm of Kera and Kehrein (2025).

In the walk of `symknot.family.order_ideals` over the *border*, monomial b is put beside the values of the order ideal,

.. math:: A = \bigl(\mathcal O(X), \; b(X)\bigr), \tag{1}

and the combination that is smallest for its size is found,

.. math:: \gamma = \min_{v} \frac{\|A v\|}{\sqrt N \, \|W v\|}, \tag{2}

with :math:`W = 1` for coefficient vectors of unit length (Limbeck's ABM: :math:`\gamma \sqrt N` is the smallest singular
value of A), or W the diagonal matrix of

.. math:: w_t = \Bigl(\tfrac1N \sum_{x \in X} \|\nabla t(x)\|^2\Bigr)^{1/2}, \tag{3}

the gradient-weighted semi-norm.  If :math:`\gamma \le \varepsilon`, b leads the polynomial with the coefficients v; if not,
b joins :math:`\mathcal O`.  As :math:`w_1 = 0`, the constant is free with (3): its best value centres the other columns.

Scaling of the points by c multiplies t(X) by :math:`c^{\deg t}` and :math:`w_t` by :math:`c^{\deg t - 1}`.  So with (3)
:math:`\gamma` is multiplied by c for every b: points and tolerance in other units give the same polynomials, in those
units.  With W = 1 they do not.

Promised: every polynomial has size 1 and root-mean-square at most epsilon on the points, and each monomial of the border
leads one.  Not promised: a common zero, near the points or anywhere.

J. Limbeck, *Computation of approximate border bases and applications*, PhD thesis, Passau (2014).  H. Kera, A. Kehrein,
*Gradient-weighted, data-driven normalization for approximate border bases* (2025).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..ground.calls import call_text, noted
from ..ground.errors import InvalidOption
from ..ground.linalg import ascending_svd
from ..ground.ranges import within_range
from ..polynomials.evaluation import evaluate_monomials
from ..polynomials.terms import Exponents
from ..results.ideal import Ideal
from .generators import MAX_DEGREE, Generators, generators, given
from .order_ideals import Found, OrderIdeal, Triangle, walk

NORMALIZATIONS = ("coefficient", "gradient")
COEFFICIENT = ("each polynomial, of unit coefficient vector, has root-mean-square at most epsilon on the points; "
               "a common zero is not promised")
GRADIENT = ("each polynomial, of unit gradient-weighted norm, has root-mean-square at most epsilon on the points, whatever "
            "their scale; a common zero is not promised")

Weigh = Callable[[Exponents], float]


@within_range()
def abm(points: Any, epsilon: float, *, normalization: str = "coefficient", max_degree: int = MAX_DEGREE,
        names: Sequence | None = None) -> Generators:
    """Approximate border basis of points, one monomial at a time: equations (1) to (3) of this module.

    Parameters
    ----------
    points : array, DataFrame or path of a data file
        As in `symknot.fit`; taken as they are, not centred or scaled.
    epsilon : float
        Largest root-mean-square over the points of a polynomial of unit size.  (The thesis bounds the norm: its epsilon is
        this one times the square root of the number of points.)
    normalization : {"coefficient", "gradient"}
        What unit size is: W = 1, or (3).
    max_degree : int
    names : sequence of str or sympy.Symbol, optional

    Returns
    -------
    Generators

    Examples
    --------
    >>> import numpy as np
    >>> t = np.linspace(0, 6.2, 50)
    >>> found = abm(np.c_[np.cos(t), np.sin(t)], 1e-9, max_degree=2, names=["x", "y"])
    >>> [g.lead for g in found.polynomials], found.order_ideal
    ([(2, 0)], ((0, 0), (0, 1), (1, 0), (0, 2), (1, 1)))
    >>> print(found.polynomials[0].text(3))
    0.577*x**2 + 0.577*y**2 = 0.577
    """
    call = call_text(abm, locals())
    if normalization not in NORMALIZATIONS:
        raise InvalidOption("normalization", normalization, f"one of {', '.join(map(repr, NORMALIZATIONS))}")
    data = given(points, epsilon, max_degree, names)
    gradient = normalization == NORMALIZATIONS[1]
    found = walk(data.points, _Step(data.points, data.epsilon, gradient), data.max_degree, corners=False)
    method, said = ("gradient-weighted ABM", GRADIENT) if gradient else ("ABM", COEFFICIENT)
    return noted(generators(data, found, method, said), call)


def border_basis(ideal: Ideal, epsilon: float | None = None, *, max_degree: int | None = None) -> Generators:
    """Approximate border basis of a fit: of its knots, gradient-weighted.

    On the knots the equations of the fit agree, so that their multiples vanish there too, and what ABM finds on them is
    the border basis of the fit's own ideal up to the tolerance; on the data it would be that of their noise.

    Parameters
    ----------
    ideal : Ideal
        As `symknot.fit` returns it.
    epsilon : float, optional
        As in `abm`; default the fit's epsilon over 100, above what its knots are known to and below the noise.
    max_degree : int, optional
        Default one more than the highest degree of the fit's equations.

    Returns
    -------
    Generators

    Examples
    --------
    >>> import symknot
    >>> square = symknot.vca([[0, 0], [1, 0], [0, 1], [1, 1]], epsilon=1e-8, names=["x", "y"])
    >>> basis = border_basis(square, 1e-6)
    >>> sorted(g.lead for g in basis.polynomials), len(basis.order_ideal)
    ([(0, 2), (1, 2), (2, 0), (2, 1)], 4)
    """
    if epsilon is None:
        if not ideal.epsilon:
            raise InvalidOption("epsilon", epsilon, "given for a fit that has none itself")
        epsilon = ideal.epsilon / SHARE_OF_NOISE
    highest = 1 + max((g.degree for g in ideal.polynomials), default=1)
    symbols = ideal.symbols or ideal.names
    return abm(ideal.knots, epsilon, normalization="gradient", max_degree=max_degree or highest, names=symbols)


SHARE_OF_NOISE = 100.0
"""What the noise is divided by for a tolerance on knots: two digits below it, a convention; knots are known to many more."""


class _Step:
    """Step 3 of the walk, with the factorization of A from one monomial to the next."""

    def __init__(self, points: np.ndarray, epsilon: float, gradient: bool) -> None:
        self.points = points
        self.bound = epsilon * np.sqrt(len(points))
        self.gradient = gradient
        self.triangle = Triangle(np.ones(len(points)))
        self.weights: list[float] = [0.0 if gradient else 1.0]

    def __call__(self, ideal: OrderIdeal, candidates: list[Exponents], found: Found) -> None:
        for term in candidates:
            column = ideal.at(term)
            inside, rest = self.triangle.split(column)
            weights = np.array([*self.weights, self._weight(term)])
            size, coefficients = _smallest(self.triangle.extended(inside, float(np.linalg.norm(rest))), weights)
            if size <= self.bound:
                ordered = np.concatenate([coefficients[-1:], coefficients[:-1]])
                found.add(term, ideal.terms, ordered * np.sign(ordered[0] or 1.0), size / np.sqrt(len(column)))
            else:
                ideal.add(term, column)
                self.triangle.add(inside, rest)
                self.weights.append(weights[-1])

    def _weight(self, term: Exponents) -> float:
        if not self.gradient:
            return 1.0
        slopes = evaluate_monomials(self.points, np.array([term]))[1][:, :, 0]
        return float(np.sqrt(np.mean(np.sum(slopes**2, axis=1))))


def _smallest(R: np.ndarray, weights: np.ndarray) -> tuple[float, np.ndarray]:
    """Minimum of ``|R v| / |W v|``, and v of unit size; the column of the constant, first, may have weight 0."""
    if weights[0]:
        sizes, vectors = ascending_svd(R)
        return float(sizes[0]), vectors[:, 0]
    own = R[1:, 1:]                       # R has the constant first, so its other rows are the centred columns
    if not weights[-1]:
        v = np.zeros(len(own))            # no slope at any point: a constant on them, of whatever size
        v[-1] = 1.0
        size = float(np.linalg.norm(own[:, -1]))
    else:
        usable = np.where(weights[1:] > 0, weights[1:], 1.0)
        sizes, vectors = ascending_svd(own / usable)
        size, v = float(sizes[0]), vectors[:, 0] / usable
    return size, np.concatenate([[-(R[0, 1:] @ v) / R[0, 0]], v])
