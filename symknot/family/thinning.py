r"""Thinning out empirical points before their ideal is computed: Abbott, Fassino and Torrente (2007).

Points known up to tolerances :math:`\varepsilon_k` are measured in the weighted norm
:math:`\|x\|_E^2 = \sum_k (x_k / \varepsilon_k)^2`.  A set of them is *collapsable* if each lies within the tolerance of
their centroid q,

.. math:: \|x_i - q\|_E \le 1, \tag{1}

and is then replaced by q, with as many as its weight.

* *agglomerative*: each point is a set; of all pairs of sets whose union satisfies (1) the one with the nearest centroids is
  united, until there is none;
* *divisive*: all points are one set; while some point violates (1), the one farthest from its centroid founds a new set,
  and points move to the nearest centroid for as long as that lowers the sum of squares.

After that the ideal of all polynomials that vanish on the centroids, rounded to decimal numbers far below the tolerance, is
computed exactly (Buchberger and Moeller).

Promised: common zeros, each within the tolerance of the points that it stands for.  Not promised: few polynomials of low
degree; where the centroids go is decided before anyone asks which equations they satisfy.

J. Abbott, C. Fassino, M.-L. Torrente, *Thinning out redundant empirical data*, Mathematics in Computer Science 1 (2007).
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from scipy.spatial.distance import pdist, squareform

from ..ground.calls import call_text, noted
from ..ground.errors import InvalidOption, Status
from ..ground.ranges import within_range
from ..polynomials.vanishing import vanishing_on_points
from .generators import Generators, generators, given
from .order_ideals import Found

DECIMAL_SHARE = 1e-2
"""Share of the tolerance to which centroids are rounded: a convention, two digits below what is known of them."""
WAYS = ("agglomerative", "divisive")
MOST_POINTS = 3000
"""Points that are thinned out at most: all pairs of them are compared, 70 MB of doubles."""
ROUNDS = 100
"""Rounds in which points change sets after a division, at most: a convention; a handful is enough."""
GUARANTEE = "all vanish together, exactly, on the knots, each within epsilon of its points; low degrees are not promised"


class Thinned(NamedTuple):
    """Points that stand for others.

    Attributes
    ----------
    points : (K, d) array
        Centroids.
    weights : (K,) int array
        How many points each stands for.
    assignment : (N,) int array
        Which one stands for each point.
    """

    points: np.ndarray
    weights: np.ndarray
    assignment: np.ndarray


def thin(points: Any, epsilon: float | Sequence[float], *, way: str = "agglomerative") -> Thinned:
    """Replace points that are one within the tolerance by their centroid.

    Parameters
    ----------
    points : array, DataFrame or path of a data file
    epsilon : float or sequence of float
        Tolerance on the coordinates: of all, or of each variable.
    way : {"agglomerative", "divisive"}

    Returns
    -------
    Thinned

    Examples
    --------
    >>> thin([[0, 0], [0.2, 0], [5, 5], [5, 5.2], [9, 0]], 0.15).weights.tolist()
    [2, 2, 1]
    """
    if way not in WAYS:
        raise InvalidOption("way", way, f"one of {', '.join(map(repr, WAYS))}")
    data = given(points, epsilon, 1, None, each=True)
    return _thinned(data.points, data.tolerances, way)


@within_range()
def thinning(points: Any, epsilon: float | Sequence[float], *, way: str = "agglomerative",
             names: Sequence | None = None) -> Generators:
    """Thin the points out, then compute the exact ideal of what is left.

    Parameters
    ----------
    points, epsilon, way
        As in `thin`.
    names : sequence of str or sympy.Symbol, optional

    Returns
    -------
    Generators
        The reduced Groebner basis, in grevlex; `knots` are the centroids.

    Examples
    --------
    >>> found = thinning([[0, 0], [0.2, 0], [5, 5], [5, 5.2], [9, 0]], 0.15, names=["x", "y"])
    >>> found.knots.tolist(), [g.degree for g in found.polynomials]
    ([[0.1, 0.0], [5.0, 5.1], [9.0, 0.0]], [2, 2, 2])
    """
    call = call_text(thinning, locals())
    if way not in WAYS:
        raise InvalidOption("way", way, f"one of {', '.join(map(repr, WAYS))}")
    data = given(points, epsilon, 1, names, each=True)
    centroids = _thinned(data.points, data.tolerances, way).points
    exact = [tuple(map(_rounded, row, data.tolerances)) for row in centroids.tolist()]
    ideal = vanishing_on_points(list(dict.fromkeys(exact)), data.names)
    found = Found(terms=list(ideal.standard_monomials), status=Status.COMPLETE)
    for lead, terms in zip(ideal.corners, ideal.basis):
        found.leads.append(lead)
        found.polynomials.append({**terms})
        found.measures.append(0.0)
    knots = np.array([[float(value) for value in point] for point in ideal.points])
    return noted(generators(data, found, "thinning", GUARANTEE, knots), call)


def _rounded(value, tolerance):
    """A decimal number near `value`, as a Fraction."""
    places = int(np.floor(np.log10(DECIMAL_SHARE * tolerance)))
    return Fraction(round(Decimal(value).scaleb(-places))) * Fraction(10) ** places


def _thinned(points, tolerances, way):
    if len(points) > MOST_POINTS:
        raise InvalidOption("points", len(points), f"at most {MOST_POINTS}: all pairs of them are compared")
    scaled = points / tolerances
    assignment = (_agglomerate if way == "agglomerative" else _divide)(scaled)
    _, assignment = np.unique(assignment, return_inverse=True)
    weights = np.bincount(assignment)
    sums = np.zeros((len(weights), points.shape[1]))
    np.add.at(sums, assignment, points)
    return Thinned(sums / weights[:, None], weights, assignment)


def _agglomerate(points):
    """The set of each point, named by its first member."""
    members = {i: [i] for i in range(len(points))}
    centers = points.copy()
    distances = squareform(pdist(points))
    np.fill_diagonal(distances, np.inf)
    while len(members) > 1:
        place = int(np.argmin(distances))
        i, j = divmod(place, len(points))
        if not distances[i, j] <= 2.0:                   # two centroids in a set that satisfies (1) are not farther apart
            break
        both = members[i] + members[j]
        center = points[both].mean(axis=0)
        if np.linalg.norm(points[both] - center, axis=1).max() > 1.0:
            distances[i, j] = distances[j, i] = np.inf
            continue
        members[i], centers[i] = both, center
        del members[j]
        distances[j], distances[:, j] = np.inf, np.inf
        others = [k for k in members if k != i]
        distances[i, others] = distances[others, i] = np.linalg.norm(centers[others] - center, axis=1)
    assignment = np.empty(len(points), dtype=int)
    for own in members.values():
        assignment[own] = min(own)
    return assignment


def _divide(points):
    """The set of each point, numbered."""
    assignment = np.zeros(len(points), dtype=int)
    while True:
        centers = _means(points, assignment)
        away = np.linalg.norm(points - centers[assignment], axis=1)
        if away.max() <= 1.0:
            return assignment
        assignment[np.argmax(away)] = len(centers)
        for _ in range(ROUNDS):
            assignment = np.unique(assignment, return_inverse=True)[1]
            distances = ((points[:, None] - _means(points, assignment)[None]) ** 2).sum(axis=2)
            nearest = distances.argmin(axis=1)
            rows = np.arange(len(points))
            better = distances[rows, nearest] < distances[rows, assignment]
            if not better.any():
                break
            assignment = np.where(better, nearest, assignment)


def _means(points, assignment):
    sums = np.zeros((assignment.max() + 1, points.shape[1]))
    np.add.at(sums, assignment, points)
    return sums / np.bincount(assignment)[:, None]
