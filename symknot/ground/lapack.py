"""LAPACK's routines for one matrix of doubles, without what numpy and scipy do around a call.

A fit makes some hundred decompositions of matrices with ten or twenty columns, and there the checks of types, shapes and
batches take longer than the decompositions.  The routines are those that scipy calls, with the same work space, so that
results are the same to the last bit.  Callers see to it that entries are finite; matrices may be empty only where it is said.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.linalg.lapack import (
    dgeqp3,
    dgeqrf,
    dgeqrf_lwork,
    dgesdd,
    dgesdd_lwork,
    dpocon,
    dpotrf,
    dsyevr,
    dsyevr_lwork,
    dtrtri,
    dtrtrs,
)

CACHED_SHAPES = 512
"""Shapes of matrices whose work space is remembered: some for each degree of several fits.  A convention."""


def divide_and_conquer(matrix: np.ndarray, full: bool = False) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Singular value decomposition (left, values, right) by gesdd.

    Raises
    ------
    LinAlgError
        If it does not converge.

    Examples
    --------
    >>> divide_and_conquer(np.diag([2.0, 3.0]))[1].round(9).tolist()
    [3.0, 2.0]
    """
    left, values, right, info = dgesdd(matrix, 1, full, _svd_space(*matrix.shape, full))
    if info:
        raise np.linalg.LinAlgError("SVD did not converge")
    return left, values, right


def triangle(matrix: np.ndarray) -> np.ndarray:
    """The triangular factor of a QR decomposition, with at most as many rows as columns.

    Examples
    --------
    >>> abs(triangle(np.array([[3.0, 0.0], [4.0, 0.0], [0.0, 2.0]]))).round(9).tolist()
    [[5.0, 0.0], [0.0, 2.0]]
    """
    rows, columns = matrix.shape
    factored = dgeqrf(matrix, _qr_space(rows, columns))[0][:columns]
    return np.where(_upper(*factored.shape), factored, 0.0)


def pivoted_triangle(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same with columns in an order in which the diagonal falls, and that order.

    Examples
    --------
    >>> pivoted_triangle(np.diag([1.0, 3.0, 2.0]))[1].tolist()
    [1, 2, 0]
    """
    rows, columns = matrix.shape
    factored, pivots, *_ = dgeqp3(matrix, _pivoted_space(rows, columns))
    factored = factored[:columns]
    return np.where(_upper(*factored.shape), factored, 0.0), pivots - 1


def solve_upper(upper: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Solution of a triangular system without zeros on its diagonal.

    Examples
    --------
    >>> solve_upper(np.array([[2.0, 1.0], [0.0, 4.0]]), np.array([[4.0], [8.0]])).ravel().tolist()
    [1.0, 2.0]
    """
    return dtrtrs(upper, right)[0] if len(upper) else np.zeros(right.shape)


def solve_lower(lower: np.ndarray, right: np.ndarray) -> np.ndarray:
    """The same with what is below the diagonal.

    Examples
    --------
    >>> solve_lower(np.array([[2.0, 0.0], [1.0, 4.0]]), np.array([4.0, 6.0])).tolist()
    [2.0, 1.0]
    """
    return dtrtrs(lower, right, lower=1)[0] if len(lower) else np.zeros(right.shape)


def inverse_triangle(upper: np.ndarray) -> np.ndarray | None:
    """Inverse of a triangle; None where there is a zero on its diagonal.

    Examples
    --------
    >>> inverse_triangle(np.array([[2.0, 1.0], [0.0, 4.0]])).tolist()
    [[0.5, -0.125], [0.0, 0.25]]
    """
    inverse, failed = dtrtri(upper)
    return None if failed else inverse


def symmetric_eigen(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Ascending eigenvalues and eigenvectors of a symmetric matrix by syevr.

    Examples
    --------
    >>> symmetric_eigen(np.diag([3.0, 2.0]))[0].round(9).tolist()
    [2.0, 3.0]
    """
    space, whole_numbers = _eigen_space(len(matrix))
    values, vectors, _, _, info = dsyevr(matrix, lower=1, lwork=space, liwork=whole_numbers)
    if info:
        raise np.linalg.LinAlgError("eigenvalues did not converge")
    return values, vectors


def root_of_definite(gram: np.ndarray, tolerance: float) -> np.ndarray | None:
    """Triangle U with ``U.T @ U = gram``; None where, in units of the diagonal, one over the condition is within a tolerance.

    Examples
    --------
    >>> root_of_definite(np.diag([4.0, 9.0]), 1e-9).tolist(), root_of_definite(np.ones((2, 2)), 1e-9) is None
    ([[2.0, 0.0], [0.0, 3.0]], True)
    """
    sizes = np.sqrt(np.diag(gram))
    if not (sizes > 0).all():
        return None
    scaled = gram / np.outer(sizes, sizes)
    root, failed = dpotrf(scaled)
    if failed or dpocon(root, float(np.linalg.norm(scaled, 1)))[0] <= tolerance:
        return None
    return np.asarray(root * sizes)


@lru_cache(maxsize=CACHED_SHAPES)
def _svd_space(rows, columns, full):
    return int(dgesdd_lwork(rows, columns, 1, full)[0])


@lru_cache(maxsize=CACHED_SHAPES)
def _qr_space(rows, columns):
    return int(dgeqrf_lwork(rows, columns)[0])


@lru_cache(maxsize=CACHED_SHAPES)
def _pivoted_space(rows, columns):
    return int(dgeqp3(np.zeros((rows, columns)), -1)[-2][0])


@lru_cache(maxsize=CACHED_SHAPES)
def _eigen_space(size):
    space, whole_numbers, _ = dsyevr_lwork(size, 1)
    return int(space), int(whole_numbers)


@lru_cache(maxsize=CACHED_SHAPES)
def _upper(rows, columns):
    return np.triu(np.ones((rows, columns), bool))
