"""Linear algebra in one place: spectra, and solutions that units cannot spoil.

Coefficients of x and of x**5 have different units, and their normal equations S differ by many orders of magnitude.
With d the square roots of S's diagonal, S / (d d^T) has ones on its diagonal, the same solutions in units of d,
and among all diagonal scalings nearly the least condition number (van der Sluis 1969: at most n times the least).  So
that comes before every solution, inverse or spectrum of such a matrix: `unit_diagonal`, `solve_scaled`,
`least_squares_scaled`, `inverse_scaled`.

All long numerical work comes by here again and again, so here it looks at the clock (`deadline.look`).
"""

from __future__ import annotations

from functools import lru_cache
from math import frexp, isfinite

import numpy as np
import scipy.linalg
from scipy.linalg.lapack import dpocon as pocon
from scipy.linalg.lapack import dpotrf as potrf

from .deadline import look
from .errors import OutOfRange
from .lapack import (
    CACHED_SHAPES,
    divide_and_conquer,
    inverse_triangle,
    pivoted_triangle,
    solve_lower,
    solve_upper,
    symmetric_eigen,
    triangle,
)

ROUNDING = 1e-13
"""Singular values below this share of the largest are rounding errors."""
NO_DIRECTION = 1e-11
"""Share of the largest eigenvalue of a Gram matrix with unit diagonal below which a direction is none: sums of
thousands of products leave about 1e-13 of rounding in it."""
DEPENDENT_ROW = 1e-9
"""Share of the largest pivot below which a row of unit size is a combination of others."""
TIE = 1e-9
"""Relative difference below which two entries of a vector are a tie, which the earlier one wins."""
SOLVE_RIDGE = 1e-11
"""Added to the unit diagonal of a system that is solved, so that what nothing determines stays small.  A convention: a
hundred times the rounding of sums over thousands of points, and far below what data determine."""
MANY_COLUMNS = 100
"""Columns from which on a whole decomposition is avoided where something cheaper serves: below, it takes a few
milliseconds at most (measured)."""
EMPTY = np.finfo(float).tiny
"""A diagonal entry or size not above this is nothing; it is not divided by."""
SMALLEST_DIVISOR = 1e-300
"""Takes the place of a norm that may be zero, where one divides by it: by convention a number whose inverse, too, is
far within the range of doubles."""


def svd(matrix: np.ndarray, full_matrices: bool = False) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Singular value decomposition (left, values, right) of any finite matrix, or of each of a stack of them.

    LAPACK's divide and conquer (gesdd), which numpy and scipy call, is fast but on rare finite matrices does not
    converge; QR iteration (gesvd) then does.  Each matrix is scaled by a power of two first, so that no square of an
    entry is lost or infinite.

    Examples
    --------
    >>> left, values, right = svd(np.diag([3.0, 2.0]))
    >>> values.round(9).tolist()
    [3.0, 2.0]
    >>> values = svd(np.array([[[3e-200, 0.0], [0.0, 4e-200]], [[1e300, 0.0], [0.0, 2e300]]]))[1]
    >>> (values / [[1e-200], [1e300]]).round(9).tolist()
    [[4.0, 3.0], [2.0, 1.0]]

    Raises
    ------
    OutOfRange
        If an entry is infinite or no number.
    """
    scaled, powers = _of_size_one(matrix)
    try:
        if matrix.ndim > 2 or not matrix.size:
            left, values, right = np.linalg.svd(scaled, full_matrices=full_matrices)
        else:
            left, values, right = divide_and_conquer(scaled, full_matrices)
    except np.linalg.LinAlgError:
        if matrix.ndim > 2:
            one_by_one = [svd(one, full_matrices) for one in matrix.reshape(-1, *matrix.shape[-2:])]
            return tuple(np.stack(part).reshape(*matrix.shape[:-2], *part[0].shape)     # type: ignore[return-value]
                         for part in zip(*one_by_one))
        left, values, right = scipy.linalg.svd(scaled, full_matrices=full_matrices, check_finite=False, lapack_driver="gesvd")
    return left, np.ldexp(values, powers), right


def singular_values(matrix: np.ndarray) -> np.ndarray:
    """Singular values alone, the largest first, of any finite matrix or of each of a stack of them.

    Examples
    --------
    >>> singular_values(np.diag([2.0, 3.0])).round(9).tolist()
    [3.0, 2.0]
    """
    scaled, powers = _of_size_one(matrix)
    try:
        values = np.linalg.svd(scaled, compute_uv=False)
    except np.linalg.LinAlgError:
        return svd(matrix)[1]
    return np.ldexp(values, powers)


def _of_size_one(matrix):
    """Each matrix divided by a power of two near its largest entry, and the exponents (..., 1) of these."""
    look()
    if matrix.ndim == 2:                         # one number: for small matrices this is half of the time of a call
        size = float(np.abs(matrix).max(initial=0.0))
        if not isfinite(size):
            raise OutOfRange
        power = frexp(size)[1]
        return np.ldexp(matrix, -power), power
    largest = np.abs(matrix).max(axis=(-2, -1), keepdims=True, initial=0.0)
    if not np.isfinite(largest).all():
        raise OutOfRange
    powers = np.frexp(largest)[1]
    return np.ldexp(matrix, -powers), powers[..., 0]


def least_squares(matrix: np.ndarray, right: np.ndarray, rcond: float | None = None) -> np.ndarray:
    """The shortest vector x (or matrix of them) that makes ``matrix @ x - right`` smallest.

    `rcond` is the share of the largest singular value below which others count as zero; by default the rounding of
    floats times the larger dimension.  Of a large triangle whose directions all count that is back substitution.

    Examples
    --------
    >>> least_squares(np.array([[1.0], [1.0]]), np.array([1.0, 3.0])).round(12).tolist()
    [2.0]
    """
    look()
    columns, least = matrix.shape[1], np.finfo(float).eps * max(matrix.shape) if rcond is None else rcond
    if MANY_COLUMNS <= columns <= len(matrix) and not np.tril(matrix, -1).any():
        inverse = inverse_triangle(matrix[:columns])
        if inverse is not None and columns * least * float(np.linalg.norm(matrix, 1)) * float(np.linalg.norm(inverse, 1)) < 1:
            return solve_upper(matrix[:columns], right[:columns])
    try:
        return np.linalg.lstsq(matrix, right, rcond=rcond)[0]
    except np.linalg.LinAlgError:                 # numpy's is by divide and conquer, too
        left, values, vectors = svd(matrix)
        kept = values > least * values[:1].max(initial=0)
        return vectors[kept].T @ ((left[:, kept].T @ right).T / values[kept]).T


def pseudo_inverse(matrix: np.ndarray, rcond: float) -> np.ndarray:
    """The inverse of a matrix on the directions whose singular values exceed `rcond` times the largest; zero on the others.

    Examples
    --------
    >>> pseudo_inverse(np.diag([2.0, 1e-20]), 1e-10).tolist()
    [[0.5, 0.0], [0.0, 0.0]]
    """
    left, values, right = svd(matrix)
    kept = values > rcond * values[:1].max(initial=0.0)
    return (right[kept].T / values[kept]) @ left[:, kept].T


def unit_diagonal(matrix: np.ndarray, negligible: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """A semidefinite matrix divided by the square roots of its diagonal on both sides, and these.

    Where a diagonal entry is nothing (at most `negligible` times the largest), the divisor is 1.

    Examples
    --------
    >>> scaled, sizes = unit_diagonal(np.array([[4e20, 2.0, 0.0], [2.0, 4e-20, 0.0], [0.0, 0.0, 0.0]]))
    >>> scaled.round(9).tolist()
    [[1.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 0.0]]
    """
    look()
    diagonal = np.diag(matrix)
    least = max(EMPTY, negligible * diagonal.max(initial=0.0))
    sizes = np.sqrt(np.where(diagonal > least, diagonal, 1.0))
    return matrix / np.outer(sizes, sizes), sizes


def unit_columns(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A matrix whose columns have norm 1, and their norms; empty columns are divided by 1.

    Examples
    --------
    >>> scaled, norms = unit_columns(np.array([[3.0, 0.0], [4.0, 0.0]]))
    >>> scaled.tolist(), norms.tolist()
    ([[0.6, 0.0], [0.8, 0.0]], [5.0, 1.0])
    """
    norms = np.linalg.norm(matrix, axis=0)
    norms = np.where(norms > 0, norms, 1.0)
    return matrix / norms, norms


def column_sizes(matrix: np.ndarray) -> np.ndarray:
    """Root-mean-square of each column; 1 where that is nothing, so that one can divide by it."""
    sizes = np.sqrt(np.mean(matrix**2, axis=0))
    return np.where(sizes > 0, sizes, 1.0)


def solve_scaled(matrix: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Solution of a positive semidefinite system whose diagonal may differ by many orders of magnitude."""
    if not len(right):
        return np.zeros(0)
    scaled, sizes = unit_diagonal(matrix)
    return scipy.linalg.solve(scaled + SOLVE_RIDGE * np.eye(len(right)), right / sizes, assume_a="pos") / sizes


def least_squares_scaled(matrix: np.ndarray, right: np.ndarray, rcond: float, negligible: float = 0.0) -> np.ndarray:
    """The same for a system that rounding may have left indefinite; what nothing determines is zero.

    `rcond` and `negligible` as in `least_squares` and `unit_diagonal`.
    """
    scaled, sizes = unit_diagonal(matrix, negligible)
    return least_squares(scaled, right / sizes, rcond) / sizes


def inverse_scaled(matrix: np.ndarray, rcond: float = 1e-15, negligible: float = 0.0) -> np.ndarray:
    """Inverse of such a matrix, as of an information the covariance; what is not determined has no part in it."""
    scaled, sizes = unit_diagonal(matrix, negligible)
    return np.linalg.pinv(scaled, rcond=rcond, hermitian=True) / np.outer(sizes, sizes)


def inverse_form(matrix: np.ndarray, vector: np.ndarray, rcond: float) -> float:
    """``vector @ inv(matrix) @ vector`` for a positive semidefinite matrix.

    Directions of singular values below `rcond` times the largest have no part in it; where there is none, a Cholesky root
    says it without a decomposition.

    Examples
    --------
    >>> round(inverse_form(np.diag([2.0, 4.0]), np.array([2.0, 2.0]), 1e-12), 12)
    3.0
    >>> inverse_form(np.diag([2.0, 0.0]), np.ones(2), 1e-12)
    0.5
    """
    look()
    root, failed = potrf(matrix)
    if not failed and pocon(root, float(np.linalg.norm(matrix, 1)))[0] > len(matrix) * rcond:
        half = solve_lower(root.T, vector)
        return float(half @ half)
    return float(vector @ least_squares(matrix, vector, rcond))


def standard_errors(information: np.ndarray) -> np.ndarray:
    """Of estimates with this information (inverse covariance), which may differ by many orders of magnitude.

    Examples
    --------
    >>> standard_errors(np.diag([1e-20, 4e20])).tolist()
    [10000000000.0, 5e-11]
    """
    scaled, sizes = unit_diagonal(information)
    covariance = np.linalg.pinv(scaled, hermitian=True)
    return np.sqrt(np.maximum(np.diag(covariance), 0)) / sizes


def ascending_svd(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Singular values in ascending order, with all right singular vectors as columns.

    Directions that the matrix has too few rows to see come first, with value 0.
    Each vector's largest entry is positive, so that the same matrix gives the same vectors.
    """
    columns = matrix.shape[1]
    if 0 in matrix.shape:
        return np.zeros(columns), np.eye(columns)
    if matrix.shape[0] > columns:        # "full" is wanted of the right vectors only
        matrix = triangle(matrix)
    _, values, vectors = svd(matrix, full_matrices=True)
    if len(values) < columns:
        values = np.r_[values, np.zeros(columns - len(values))]
    return values[::-1], fix_signs(vectors.T[:, ::-1])


def fix_signs(columns: np.ndarray) -> np.ndarray:
    """Flip each column so that its entry of largest size is positive."""
    if columns.size == 0:
        return columns
    # a hair of preference for earlier rows keeps ties from being decided by rounding
    sizes = np.abs(columns) * _preference(len(columns))
    leads = columns[sizes.argmax(axis=0), np.arange(columns.shape[1])]
    return columns * np.where(leads < 0, -1.0, 1.0)


@lru_cache(maxsize=CACHED_SHAPES)
def _preference(rows):
    return 1 + TIE * np.arange(rows, 0, -1)[:, None] / rows


def whitening(gram: np.ndarray, tolerance: float = NO_DIRECTION) -> np.ndarray:
    """Matrix W with ``W.T @ gram @ W = I`` on all directions whose size is not zero."""
    if gram.size == 0:
        return np.zeros((len(gram), 0))
    scaled, sizes = unit_diagonal(gram)
    if len(gram) >= MANY_COLUMNS:
        root, failed = potrf(scaled)
        if not failed:
            inverse = inverse_triangle(root)
            condition = np.inf if inverse is None else float(np.linalg.norm(root, 1)) * float(np.linalg.norm(inverse, 1))
            if len(gram) * tolerance * condition**2 < 1:                  # no direction is anywhere near to being none
                return inverse / sizes[:, None]
    values, vectors = symmetric_eigen(scaled)
    kept = values > tolerance * max(values[-1], 0) if values[-1] > 0 else np.zeros(len(values), bool)
    return vectors[:, kept] / sizes[:, None] / np.sqrt(values[kept])


def complement(columns: np.ndarray) -> np.ndarray:
    """Orthonormal basis of what is orthogonal to the span of `columns`.

    Of few long ones it is what a QR decomposition leaves over, if they are independent.

    Examples
    --------
    >>> complement(np.array([[1.0], [0.0]])).tolist()
    [[0.0], [1.0]]
    """
    if columns.shape[1] == 0:
        return np.eye(len(columns))
    if len(columns) >= max(MANY_COLUMNS, 2 * columns.shape[1]):
        turned, upper = scipy.linalg.qr(unit_columns(columns)[0], check_finite=False)
        if singular_values(upper[: columns.shape[1]])[-1] > DEPENDENT_ROW:
            return turned[:, columns.shape[1]:]
    values, vectors = ascending_svd(columns.T)
    rank = int(np.sum(values > ROUNDING * max(values[-1], EMPTY) * max(columns.shape)))
    return vectors[:, : len(columns) - rank]


def orthonormal_span(columns: np.ndarray) -> np.ndarray:
    """Orthonormal basis of the span of `columns`.

    Examples
    --------
    >>> orthonormal_span(np.array([[1.0, 2.0], [1.0, 2.0]])).shape
    (2, 1)
    """
    left, values, _ = svd(columns)
    return left[:, values > np.finfo(float).eps * max(columns.shape) * values[:1].max(initial=0.0)]


def independent_rows(matrix: np.ndarray, tolerance: float = DEPENDENT_ROW) -> tuple[np.ndarray, np.ndarray]:
    """Indices of rows that span all rows, and how every row is combined from them.

    Returns
    -------
    kept : (r,) int array, ascending
    combination : (rows, r) array with ``matrix = combination @ matrix[kept]``
    """
    unit, sizes = unit_columns(matrix.T)
    upper, pivots = pivoted_triangle(unit)
    diagonal = np.abs(np.diag(upper))
    rank = int(np.sum(diagonal > tolerance * max(diagonal[:1].max(initial=0), EMPTY)))
    solved = solve_upper(upper[:rank, :rank], upper[:rank])
    order = np.argsort(pivots[:rank])
    kept = pivots[:rank][order]
    combination = np.zeros((len(matrix), rank))
    combination[pivots] = solved[order].T
    return kept, combination * sizes[:, None] / sizes[kept]


def root_of_gram(matrix: np.ndarray) -> np.ndarray:
    """Symmetric square root of ``matrix.T @ matrix``."""
    _, values, vectors = svd(matrix)
    return (vectors.T * values) @ vectors
