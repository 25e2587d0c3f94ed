r"""The lower end of a spectrum, where a whole decomposition would take long and only few directions are wanted.

Of a matrix R with m columns, a singular value decomposition takes some :math:`20\,m^3` operations, most of them at the pace
of memory.  The eigenvalues of :math:`R^T R` take a tenth of the time but are known to
:math:`\epsilon\,\sigma_{\max}^2` only, so their roots lose half the digits at the lower end.  Inverse iteration by R itself,

.. math:: V \leftarrow \operatorname{orth} (R^{-1} R^{-T} V),

started from the lowest eigenvectors brings these back: it needs two or three rounds of triangular solutions, and the values are
those of R on V (Rayleigh and Ritz), nothing squared.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg

from .deadline import look
from .lapack import triangle
from .linalg import MANY_COLUMNS, ROUNDING, ascending_svd, fix_signs

SLOW_COLUMNS = 500
"""Columns from which on only the lower end is decomposed: a convention; fewer take less than a tenth of a second (measured)."""
FEW = 0.25
"""Share of the directions that are few: a convention; more take as long as all of them."""
ITERATED_VECTORS = 8
"""Vectors that are iterated together, or beside those that are wanted, so that a cluster of values does not slow it down: a
convention."""
MOST_INVERSE_ITERATIONS = 40
"""Iterations at most before the whole decomposition is made after all: a convention; most end after 3 to 8."""
SETTLED_VALUE = 1e-6
"""Relative change of a value at which it is taken: a convention; its direction's error is of the order of the root, and values,
which are all that is asked of it, are of second order in that."""
SETTLED_DIRECTION = 1e-12
"""The same where the direction is wanted: by the same reasoning it is known to six digits more than any noise leaves."""
LEAST_SQUARE = 1e-9
"""Share of the largest squared value from which on the root of an eigenvalue is known to six digits.  Derived: its error is
some roundings of the largest."""


def smallest_direction(matrix: np.ndarray) -> np.ndarray:
    """A unit vector that a matrix makes as short as any: a right singular vector of its smallest singular value.

    Examples
    --------
    >>> smallest_direction(np.diag([3.0, 1e-9, 2.0])).round(6).tolist()
    [0.0, 1.0, 0.0]
    """
    columns = matrix.shape[1]
    if len(matrix) < columns or columns < MANY_COLUMNS:
        return ascending_svd(matrix)[1][:, 0]
    upper = np.asarray(np.linalg.qr(matrix, mode="r"))
    start = np.cos(np.outer(np.arange(1.0, columns + 1), np.arange(1.0, ITERATED_VECTORS + 1)))
    found = _iterated(upper, start, 1, SETTLED_VALUE)
    return (ascending_svd(upper) if found is None else found)[1][:, 0]


def lowest(matrix: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """All singular values in ascending order, and the right singular vectors of the `most` smallest, as columns.

    As `ascending_svd` has them; where columns are many, values that are not among these are known to six digits.

    Examples
    --------
    >>> values, directions = lowest(np.diag([3.0, 1e-9, 2.0]), 1)
    >>> values.tolist(), directions.ravel().tolist()
    ([1e-09, 2.0, 3.0], [0.0, 1.0, 0.0])
    """
    found = None
    if min(matrix.shape) >= SLOW_COLUMNS and len(matrix) >= matrix.shape[1] and most <= FEW * matrix.shape[1]:
        found = _of_squares(_upper(matrix), most)
    values, directions = ascending_svd(matrix) if found is None else found
    return values, directions[:, :most]


def within(matrix: np.ndarray, bound: float) -> tuple[np.ndarray, np.ndarray]:
    """The same with the vectors of all values up to `bound`.

    Examples
    --------
    >>> within(np.diag([3.0, 1e-9, 2.0]), 2.0)[1].round(9).tolist()
    [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
    """
    if min(matrix.shape) >= SLOW_COLUMNS and len(matrix) >= matrix.shape[1]:
        upper = _upper(matrix)
        count = int(np.sum(_roots(upper.T @ upper) <= bound * (1 + SETTLED_VALUE)))
        values, directions = lowest(upper, count)
    else:
        values, directions = ascending_svd(matrix)
    return values, directions[:, : int(np.sum(values <= bound))]


def _upper(matrix):
    """Its triangle; a matrix that is triangular already stays as it is."""
    square = matrix.shape[0] == matrix.shape[1]
    return matrix if square and not np.tril(matrix, -1).any() else triangle(matrix)


def _roots(squares):
    """Square roots of all eigenvalues, ascending."""
    look(len(squares) ** 3)
    return np.sqrt(np.maximum(scipy.linalg.eigvalsh(squares, check_finite=False), 0.0))


def _of_squares(upper, most):
    """Values and lowest directions by the eigenvalues of the squares; None where these do not tell."""
    squares = upper.T @ upper
    values, beside = _roots(squares), most + ITERATED_VECTORS
    if not values[min(most, len(values) - 1)] ** 2 > LEAST_SQUARE * values[-1] ** 2:
        return None
    if not most:
        return values, np.zeros((len(values), 0))
    look(len(squares) ** 3)
    start = scipy.linalg.eigh(squares, subset_by_index=[0, beside - 1], check_finite=False)[1]
    found = _iterated(upper, start, most, SETTLED_DIRECTION)
    return None if found is None else (np.sort(np.r_[found[0][:most], values[most:]]), found[1])


def _iterated(upper, start, most, tolerance):
    """Values and directions of the `most` smallest singular values, from a start; None where iteration does not serve."""
    diagonal = np.abs(np.diag(upper))
    if not diagonal.min() > ROUNDING * diagonal.max():
        return None
    space, before = np.linalg.qr(start)[0], np.zeros(most)
    for _ in range(MOST_INVERSE_ITERATIONS):
        look(2 * upper.size * space.shape[1])
        once = scipy.linalg.solve_triangular(upper, space, trans="T", check_finite=False)
        space = np.linalg.qr(scipy.linalg.solve_triangular(upper, once, check_finite=False))[0]
        values, turn = ascending_svd(upper @ space)
        if (np.abs(values[:most] - before) <= tolerance * values[:most]).all():
            return values, fix_signs(space @ turn[:, :most])
        before = values[:most]
    return None
