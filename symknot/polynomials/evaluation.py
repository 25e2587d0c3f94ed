"""Monomials in floats: their values and derivatives at many points."""

from __future__ import annotations

import numpy as np


def evaluate_monomials(points, exponents):
    """Values (n, m) and derivatives (n, d, m) of monomials at points."""
    n, d = points.shape
    highest = int(exponents.max(initial=0))
    powers = points[:, :, None] ** np.arange(highest + 1)
    factors = np.stack([powers[:, j, exponents[:, j]] for j in range(d)])
    values = factors.prod(axis=0)
    slopes = np.empty((n, d, len(exponents)))
    for j in range(d):
        lowered = exponents[:, j] * powers[:, j, np.maximum(exponents[:, j] - 1, 0)]
        others = np.delete(factors, j, axis=0).prod(axis=0) if d > 1 else 1.0
        slopes[:, j] = lowered * others
    return values, slopes
