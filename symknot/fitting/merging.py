"""Knots that have come to coincide become one knot with a weight."""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

NEIGHBOURING_CELLS = 1.5
"""Distance, in cells of the size of the tolerance, within which two cells are neighbours.  Derived: 1 along an axis,
1.41 along a diagonal of the plane; cells that touch in a corner of space only, 1.73, are none."""

CELLS_ACROSS = 2.5
"""Tolerances by which knots of neighbouring cells can differ in a variable, and a bit.  Derived: two."""


def merge_coincident(knots: np.ndarray, weights: np.ndarray,
                     tolerance: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Knots that coincide become one, with their joint weight.

    They are gathered in cells of the size `tolerance`, and cells that are neighbours, of neighbours too, are joined: so
    knots nearer than about `tolerance` become one.

    Parameters
    ----------
    knots : (n, d) array
    weights : (n,) array
    tolerance : float

    Returns
    -------
    merged : (K, d) array
        Weighted means, in the order in which the first member appears.
    merged_weights : (K,) array
    member_of : (n,) int array
        Which merged knot each knot went to.
    """
    first_of = np.arange(len(knots))
    near = _with_neighbours(knots, CELLS_ACROSS * tolerance)
    if len(near):
        component = _components(knots[near], tolerance)
        first = np.full(component.max() + 1, len(knots))
        np.minimum.at(first, component, near)
        first_of[near] = first[component]
    is_first = first_of == np.arange(len(knots))
    member_of = (np.cumsum(is_first) - 1)[first_of]
    merged_weights = np.bincount(member_of, weights=weights)
    anchor = knots[is_first]
    if not len(near):
        return anchor, merged_weights, member_of
    into = member_of[near]
    shifts = weights[near, None] * (knots[near] - anchor[into])
    means = np.stack([np.bincount(into, weights=column, minlength=len(anchor)) for column in shifts.T], axis=1)
    return anchor + means / merged_weights[:, None], merged_weights, member_of


def _components(knots, tolerance):
    """To which of the joined cells each knot belongs."""
    # cells first: thousands of points on one spot would make a quadratic number of pairs
    places = np.round(knots / tolerance)
    order = np.lexsort(places.T)                        # np.unique of whole rows takes several times as long
    places = places[order]
    is_new = np.r_[True, (places[1:] != places[:-1]).any(axis=1)]
    cells, cell_of = places[is_new], np.empty(len(knots), int)
    cell_of[order] = np.cumsum(is_new) - 1
    pairs = cKDTree(cells).query_pairs(NEIGHBOURING_CELLS, output_type="ndarray")
    links = coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(len(cells), len(cells)))
    return connected_components(links, directed=False)[1][cell_of]


def _with_neighbours(knots, reach):
    """Places of the knots that may be within reach of another: sorted by one variable after the other, within what the ones
    before have left together, those that a step longer than that separates from both sides are alone."""
    near, group = np.arange(len(knots)), np.zeros(len(knots), int)
    for column in knots.T:
        order = np.lexsort((column[near], group)) if group.any() else np.argsort(column[near])
        near, group = near[order], group[order]
        starts = np.ones(len(near) + 1, bool)                       # and an end
        starts[1:-1] = (np.diff(column[near]) > reach) | (np.diff(group) > 0)
        company = np.flatnonzero(~(starts[:-1] & starts[1:]))
        near, group = near[company], np.cumsum(starts[:-1])[company]
    return np.sort(near)
