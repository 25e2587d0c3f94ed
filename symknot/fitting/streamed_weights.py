"""Weights of points that are read in blocks: what the search found out about outliers, applied to all of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ground.blocks import blocks
from ..reading.points import Points
from ..reading.streams import Block
from .coordinates import LEAST_RELATIVE, Coordinates
from .finding import Finding
from .hypothesis import Hypothesis
from .outliers import distances_seen, far_away, tukey, usual_distance
from .settings import Options

RELATIVE = "relative"
"""Noise in proportion to the value."""


@dataclass(frozen=True, eq=False)
class Weighing:
    """Block -> the same block with the weights that a robust search gives its points.

    Attributes
    ----------
    found : Hypothesis
        What points are near to, or not.
    before : Points
        The sample; of it only the map inside is used.
    centre, spreads : (d,) array
        Of the search's coordinates.
    usual : float
        One standard deviation of the noise, by the sample.
    soft : bool
        Whether weights fade out, or are one up to the point where there are none.
    pattern_size : float or None
        Where noise is relative: what its pattern is divided by.
    """

    found: Hypothesis
    before: Points
    centre: np.ndarray
    spreads: np.ndarray
    usual: float
    soft: bool
    pattern_size: float | None

    @classmethod
    def of(cls, finding: Finding | None, options: Options) -> Weighing | None:
        """As `finding.find_equations` decides it for points in memory; None where every point counts."""
        if finding is None or options.loss == "squares" or finding.searched.found is None:
            return None
        found, at, before = finding.searched.found, finding.coordinates, finding.before
        size, freedom = distances_seen(found, at.values, at.pattern)
        usual = usual_distance(size, freedom)
        kept = finding.points.weights
        soft = len(kept) < len(before.values) or not np.allclose(kept, before.weights)
        if not soft and far_away(size / usual, freedom).any():
            return None                                      # distances do not tell errors from the rest
        own = cls(found, before, at.centre, at.spreads, usual, soft, None)
        return own if options.noise != RELATIVE else own._relative(at)

    def _relative(self, at: Coordinates) -> Weighing:
        raw = np.hypot(self._raw(self.before.outside(self.before.values)), LEAST_RELATIVE)
        return Weighing(self.found, self.before, self.centre, self.spreads, self.usual, self.soft,
                        float(raw[0, 0] / at.pattern[0, 0]))

    def _raw(self, X):
        return np.abs(X) / (self.spreads * self.before.scale)

    def __call__(self, block: Block) -> Block:
        shares = np.ones(len(block.values)) if block.weights is None else np.array(block.weights, dtype=float)
        width = len(self.found.at.problem.products.left) * len(self.centre)
        for rows in blocks(len(shares), width):
            X = block.values[rows]
            values = (self.before.inside(X) - self.centre) / self.spreads
            pattern = (np.ones_like(values) if self.pattern_size is None else
                       np.hypot(self._raw(X), LEAST_RELATIVE) / self.pattern_size)
            size, freedom = distances_seen(self.found, values, pattern)
            distances = size / self.usual
            shares[rows] *= tukey(distances, freedom) if self.soft else ~far_away(distances, freedom)
        return block._replace(weights=shares)
