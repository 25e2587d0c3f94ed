"""The linear algebra of a fit: reductions over blocks of points, spectra, splits.

Whatever touches all points is reduced block by block to a triangular factor: a QR of
the block stacked under the factor so far.  Singular values and right singular vectors
of the tall matrix are those of the factor, and nothing is squared (a Gram matrix
would lose half the digits).
"""

from __future__ import annotations

import numpy as np
import scipy.linalg

ROUNDING = 1e-13
"""Singular values below this share of the largest are rounding errors."""


class TallFactor:
    """The triangular factor R of a tall matrix that arrives in blocks of rows."""

    def __init__(self, columns):
        self.factor = np.zeros((0, columns))

    def add(self, rows):
        """Stack `rows` under what has come so far."""
        stacked = np.vstack([self.factor, rows]) if len(self.factor) else rows
        if len(stacked) > stacked.shape[1]:
            stacked = scipy.linalg.qr(stacked, mode="r", check_finite=False)[0][: stacked.shape[1]]
        self.factor = stacked


def ascending_svd(matrix):
    """Singular values in ascending order, with all right singular vectors as columns.

    Directions that the matrix has too few rows to see come first, with value 0.
    Each vector's largest entry is positive, so that the same matrix gives the same vectors.
    """
    columns = matrix.shape[1]
    if 0 in matrix.shape:
        return np.zeros(columns), np.eye(columns)
    if matrix.shape[0] > columns:        # "full" is wanted of the right vectors only
        matrix = scipy.linalg.qr(matrix, mode="r", check_finite=False)[0][:columns]
    _, values, vectors = scipy.linalg.svd(matrix, full_matrices=True, check_finite=False)
    padded = np.zeros(columns)
    padded[: len(values)] = values
    return padded[::-1], fix_signs(vectors.T[:, ::-1])


def fix_signs(columns):
    """Flip each column so that its entry of largest size is positive."""
    if columns.size == 0:
        return columns
    # a hair of preference for earlier rows keeps ties from being decided by rounding
    sizes = np.abs(columns) * (1 + 1e-9 * np.arange(len(columns), 0, -1)[:, None] / len(columns))
    leads = columns[sizes.argmax(axis=0), np.arange(columns.shape[1])]
    return columns * np.where(leads < 0, -1.0, 1.0)


def whitening(gram, tolerance=1e-11):
    """Matrix W with ``W.T @ gram @ W = I`` on all directions whose size is not zero."""
    if gram.size == 0:
        return np.zeros((len(gram), 0))
    sizes = np.sqrt(np.maximum(np.diag(gram), 0))
    scale = np.where(sizes > 0, 1 / np.where(sizes > 0, sizes, 1), 0)
    values, vectors = scipy.linalg.eigh(gram * np.outer(scale, scale), check_finite=False)
    kept = values > tolerance * max(values[-1], 0) if values[-1] > 0 else np.zeros(len(values), bool)
    return scale[:, None] * vectors[:, kept] / np.sqrt(values[kept])


def complement(columns):
    """Orthonormal basis of what is orthogonal to the span of `columns`."""
    if columns.shape[1] == 0:
        return np.eye(len(columns))
    values, vectors = ascending_svd(columns.T)
    rank = int(np.sum(values > ROUNDING * max(values[-1], 1e-300) * max(columns.shape)))
    return vectors[:, : len(columns) - rank]


def independent_rows(matrix, tolerance=1e-9):
    """Indices of rows that span all rows, and how every row is combined from them.

    Returns
    -------
    kept : (r,) int array, ascending
    combination : (rows, r) array with ``matrix = combination @ matrix[kept]``
    """
    sizes = np.linalg.norm(matrix, axis=1)
    unit = matrix / np.where(sizes > 0, sizes, 1)[:, None]
    _, triangle, pivots = scipy.linalg.qr(unit.T, mode="economic", pivoting=True, check_finite=False)
    diagonal = np.abs(np.diag(triangle))
    rank = int(np.sum(diagonal > tolerance * max(diagonal[:1].max(initial=0), 1e-300)))
    solved = scipy.linalg.solve_triangular(triangle[:rank, :rank], triangle[:rank], check_finite=False)
    order = np.argsort(pivots[:rank])
    kept = pivots[:rank][order]
    combination = np.zeros((len(matrix), rank))
    combination[pivots] = solved[order].T
    return kept, combination * sizes[:, None] / sizes[kept]


def root_of_gram(matrix):
    """Symmetric square root of ``matrix.T @ matrix``."""
    _, values, vectors = scipy.linalg.svd(matrix, full_matrices=False, check_finite=False)
    return (vectors.T * values) @ vectors
