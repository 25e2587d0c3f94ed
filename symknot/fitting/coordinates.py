"""Points in coordinates of unit spread, in which a search looks at them: units play no part there."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..reading.points import Points
from .sampled import Sample

LEAST_RELATIVE = 0.1
"""Noise proportional to the value does not vanish with it: it is that of a value of so many spreads at least.  A
convention."""


class Coordinates(NamedTuple):
    """Points in coordinates of unit spread.

    Attributes
    ----------
    values : (n, d) array
    centre, spreads : (d,) array
        ``values = (points.values - centre) / spreads``.
    pattern : (n, d) array
    copies : (n,) array
        How many equal points each stands for.
    metric : (d,) array or None
        Where the noise was given.
    """

    values: np.ndarray
    centre: np.ndarray
    spreads: np.ndarray
    pattern: np.ndarray
    copies: np.ndarray
    metric: np.ndarray | None

    @classmethod
    def of(cls, points: Points, noise: str, shares: np.ndarray) -> Coordinates:
        """Of points that have these shares of their weight.

        `noise` is "auto", "relative", or "given" for that of the points' own metric.
        """
        weights = points.weights * shares
        weights = weights / weights.sum()
        centre = weights @ points.values
        spreads = np.sqrt(weights @ (points.values - centre) ** 2)
        spreads = np.where(spreads > 0, spreads, 1.0)
        values = (points.values - centre) / spreads
        pattern = np.ones_like(values) if points.pattern is None else points.pattern
        if noise == "relative":
            raw = np.abs(points.outside(points.values)) / (spreads * points.scale)
            pattern = np.hypot(raw, LEAST_RELATIVE)
            pattern = pattern / np.sqrt(weights @ pattern**2)
        metric = 1 / spreads / np.sqrt(np.mean(1 / spreads**2)) if noise == "given" else None
        return cls(values, centre, spreads, pattern, points.copies, metric)

    def sample(self, rows: np.ndarray, weights: np.ndarray) -> Sample:
        """The rows of positive weight."""
        rows, weights = rows[weights > 0], weights[weights > 0]
        return Sample(self.values[rows], weights / weights.sum(), self.pattern[rows], self.copies[rows])
