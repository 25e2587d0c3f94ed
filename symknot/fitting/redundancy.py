r"""Which new equations the earlier ones already generate.

A polynomial g of degree t lies in the ideal of :math:`g_1, \dots, g_s` *within degree t*
if it is a combination of the multiples :math:`m g_i`, m a monomial with
:math:`\deg m + \deg g_i \le t`.  That is linear algebra on coefficient vectors over the
monomials in y = F_1(x); equations of degree 1 take no part because y has none of the
directions they fix.

What noise alone makes of multiples does not count.  Nine points of a plan of experiments satisfy six quadrics, whose multiples
leave two cubics out; six quadrics through nine points that noise has moved leave out none, but reach the two only by
multipliers as large as the move was small.  With E for what noise has done to the multiples, no singular value of
theirs is moved by more than the largest of E (Weyl), so those below the error of the coefficients are taken for zero.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg

from ..ground.linalg import ascending_svd, complement, least_squares, orthonormal_span, svd
from ..polynomials.monomials import monomials, padded

DEPENDENT_MULTIPLES = 1e-9
"""Share of the largest singular value of all multiples below which a direction of theirs is rounding.  Measured on fits
of the cases of `tests.varieties` up to degree 6, 300 points, 1 % noise: those of dependent multiples (g h = h g) are
below 1e-10, all others above `INDEPENDENT_MULTIPLES`."""
INDEPENDENT_MULTIPLES = 0.1
"""The same above which a direction is one, however loud the noise; from the same fits."""


def essential_and_redundant(earlier: np.ndarray, earlier_degrees: np.ndarray, new: np.ndarray, degree: int,
                            dimension: int, tolerance: float, error: float = 0.0) -> tuple[np.ndarray, int]:
    """Turn the span of `new` into what is new and what `earlier` generates.

    Parameters
    ----------
    earlier : (., s) array
        Coefficients over the monomials in `dimension` variables, of degrees `earlier_degrees`.
    new : (., k) array
        Coefficients of polynomials of degree `degree`.
    tolerance : float
        Largest share of a redundant polynomial that the multiples may leave unexplained.
    error : float
        Standard error of the coefficients of an earlier polynomial, all together, as a share of their norm.

    Returns
    -------
    turn : (k, k) orthogonal array
        ``new @ turn`` has the new ones first, the generated ones after.
    count : int
        How many are new.
    """
    k = new.shape[1]
    if k == 0 or earlier.shape[1] == 0:
        return np.eye(k), k
    orthonormal, triangle = scipy.linalg.qr(new, mode="economic")
    span = _multiples(earlier, earlier_degrees, degree, dimension, min(max(error, DEPENDENT_MULTIPLES), INDEPENDENT_MULTIPLES))
    left_over = orthonormal - span @ (span.T @ orthonormal)
    unexplained, turn = ascending_svd(left_over)
    generated = least_squares(triangle, turn[:, unexplained <= tolerance])
    generated = orthonormal_span(generated) if generated.size else generated
    fresh = complement(generated)
    return np.hstack([fresh, generated]), fresh.shape[1]


def _multiples(polynomials, degrees, degree, dimension, least):
    """Orthonormal basis of all monomial multiples up to `degree`, but for directions of less than a share of the largest."""
    y = monomials(dimension, degree)
    columns = []
    for own, coefficients in zip(degrees, padded(polynomials[: len(y)], len(y)).T):
        layer = [coefficients[:, None] / np.linalg.norm(coefficients)]
        for _ in range(degree - own):
            short = layer[-1][: y.times.shape[1]]
            layer.append(np.hstack([y.product(i, short) for i in range(dimension)]))
        columns += layer
    basis, values, _ = svd(np.hstack(columns))
    return basis[:, values > least * values[0]]
