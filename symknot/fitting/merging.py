"""Knots that have come to coincide become one knot with a weight."""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

NEIGHBOURING_CELLS = 1.5
"""Distance, in cells of the size of the tolerance, within which two cells are neighbours.  Derived: 1 along an axis,
1.41 along a diagonal of the plane; cells that touch in a corner of space only, 1.73, are none."""


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
    # cells first: thousands of points on one spot would make a quadratic number of pairs
    cells, cell_of = np.unique(np.round(knots / tolerance), axis=0, return_inverse=True)
    pairs = cKDTree(cells).query_pairs(NEIGHBOURING_CELLS, output_type="ndarray")
    links = coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(len(cells), len(cells)))
    component = connected_components(links, directed=False)[1][cell_of]
    first = np.full(component.max() + 1, len(knots))
    np.minimum.at(first, component, np.arange(len(knots)))
    rank = np.empty(len(first), dtype=int)
    rank[np.argsort(first)] = np.arange(len(first))
    member_of = rank[component]
    merged_weights = np.bincount(member_of, weights=weights)
    anchor = knots[np.sort(first)]
    shifts = weights[:, None] * (knots - anchor[member_of])
    means = np.stack([np.bincount(member_of, weights=column) for column in shifts.T], axis=1)
    return anchor + means / merged_weights[:, None], merged_weights, member_of
