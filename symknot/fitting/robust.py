"""A search that does not trust every point: lonely points are left out first, then weights redescend (`outliers`).

Weights and equations follow each other until both stay: first with the number and degree of the equations as they were found,
which is quick, then with a search that may find others.
"""

from __future__ import annotations

import numpy as np

from ..reading.points import Points
from .coordinates import Coordinates
from .judging import MUCH_LOWER_NOISE, Searched
from .outliers import INNER_FENCE, far_away, lonely, standardised, tukey
from .search import refitted, search_sample

MOST_WEIGHINGS = 10
"""Searches with new weights at most: a convention; 2 to 4 settle."""
SETTLED_WEIGHTS = 0.1
"""Change of a weight below which weights have settled: a convention."""
SETTLED_LOUDNESS = 0.1
"""Relative change of the noise below which equations have settled, whatever single weights still do: a convention; weights that
go on changing it by less go on for ever."""
MAJORITY = 0.5
"""Share of the points that have neighbours, at least: a convention; nobody can tell more errors than points apart."""
COMPANY_KEPT = 0.95
"""Share of these that equations must keep: a convention; gross errors are alone.  Measured on circles, spheres and twisted
cubics with 1 to 20 % of gross errors: 99 to 100 %; where weights ran after a part of clean data, 50 to 85 %."""
MUCH_LOUDER = 1.5
"""Noise that lonely points may add before they are doubted, or another kind of noise before it explains nothing: a
convention."""


def robust_search(plain: Searched, coordinates: Coordinates, points: Points, noise: str, rows: np.ndarray,
                  max_degree: int | None, forced: bool) -> tuple[Searched, Coordinates] | None:
    """A search with redescending weights, and its coordinates; None where the plain one stands.

    Parameters
    ----------
    plain : Searched
        The search that trusts all points, in `coordinates`.
    coordinates : Coordinates
    points : Points
    noise : {"auto", "relative", "given"}
    rows : int array
        The points that are looked at.
    max_degree : int or None
    forced : bool
        Whether it is asked for, even where no point is far from all equations.
    """
    copies, with_all = coordinates.copies[rows], coordinates.spreads
    alone = lonely(coordinates.values[rows], copies)
    far = plain.found is not None and far_away(
        *standardised(plain.found, coordinates.values[rows], coordinates.pattern[rows])).any()
    if not (forced or far or alone.any()):
        return None
    in_company, shares = np.ones(len(rows), bool), np.zeros(len(points.values))
    shares[rows] = 1
    if alone.any():
        shares[rows] = ~alone
        own = Coordinates.of(points, noise, shares)
        doubted = forced or far or plain.found is None
        if not doubted and _is_alike_without(plain, with_all / own.spreads, own, points, rows, shares, max_degree):
            return None
        shares[rows] = in_company = _in_company(own.values[rows], copies)
        coordinates = Coordinates.of(points, noise, shares)
    found: Searched | None = None
    searched = None if alone.any() else plain
    for _ in range(MOST_WEIGHINGS):
        searched = searched or _search(coordinates, points, rows, shares, max_degree)
        if searched.found is None:
            break
        last, found, before = found, searched, shares[rows]
        shares[rows] = _settled_shares(searched, coordinates, points, rows)
        if np.mean(shares[rows][in_company] > 0) < COMPANY_KEPT:
            return None
        if np.abs(shares[rows] - before).max() < SETTLED_WEIGHTS or (last is not None and _has_settled(last, found)):
            break
        searched = None
    if found is None or found.found is None:
        return None
    # a point far out makes the spread, in which noise is measured, as large as one likes
    nearer = plain.found is not None and (
        MUCH_LOWER_NOISE * plain.found.typical_in(with_all / coordinates.spreads) < found.found.typical)
    return None if nearer else (found, coordinates)


def _settled_shares(searched, coordinates, points, rows):
    """Weights of the points that stay as they are while equations of the number and degree found follow them."""
    values, pattern = coordinates.values[rows], coordinates.pattern[rows]
    found, shares = searched.found, np.ones(len(rows))
    for _ in range(MOST_WEIGHINGS):
        before, shares = shares, tukey(*standardised(found, values, pattern))
        if np.abs(shares - before).max() < SETTLED_WEIGHTS:
            break
        again = refitted(searched, coordinates.sample(rows, points.weights[rows] * shares), coordinates.metric)
        if again is None:
            break
        found = again.found
    return shares


def _has_settled(last, found):
    """Whether another round of weights has changed neither the number of equations nor their noise."""
    return last.kind == found.kind and abs(np.log(found.found.loudness / last.found.loudness)) < SETTLED_LOUDNESS


def _is_alike_without(plain, units, own, points, rows, shares, max_degree):
    """Whether a search without lonely points comes to the same number of equations and to no less noise."""
    without = _search(own, points, rows, shares, plain.found.degree)           # lower degrees, too: they may show what is true
    if without.kind != plain.kind:
        without = _search(own, points, rows, shares, max_degree)
    return without.kind == plain.kind and plain.found.loudness_in(units) <= MUCH_LOUDER * without.found.loudness


def _in_company(values, copies):
    """Which points have neighbours among those that have neighbours, and so on."""
    kept = np.ones(len(values), bool)
    for _ in range(MOST_WEIGHINGS):
        alone = lonely(values[kept], copies[kept], INNER_FENCE)
        if not alone.any() or kept.sum() - alone.sum() < MAJORITY * len(values):
            break
        kept[np.flatnonzero(kept)[alone]] = False
    return kept


def _search(coordinates, points, rows, shares, max_degree):
    return search_sample(coordinates.sample(rows, (points.weights * shares)[rows]), max_degree, coordinates.metric)
