"""Matrices most of whose numbers are zero, where that saves time.

Very many products of two variables are written over a basis of products with two numbers each; a product of matrices that
does not know that takes as long as one of full ones.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csc_array

MANY_COLUMNS_OF_FEW = 500
"""Columns from which on zeros are looked for: a convention; below, a product of matrices takes some milliseconds."""
FEW_NUMBERS = 4
"""Numbers in a column, in the mean, up to which a matrix is taken as sparse: a convention; a product of two variables takes
two."""


def sparse(columns: np.ndarray) -> csc_array | None:
    """A matrix with very many columns of few numbers as a sparse one; None for others.

    Examples
    --------
    >>> sparse(np.eye(3)) is None, sparse(np.eye(600)).nnz
    (True, 600)
    """
    if columns.shape[1] < MANY_COLUMNS_OF_FEW or np.count_nonzero(columns) > FEW_NUMBERS * columns.shape[1]:
        return None
    return csc_array(columns)


def times_sparse(matrix: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """``matrix @ columns``, where the columns may be sparse.

    Examples
    --------
    >>> bool((times_sparse(np.ones((2, 600)), np.eye(600)) == 1).all())
    True
    """
    few = sparse(columns)
    return matrix @ columns if few is None else np.asarray((few.T @ matrix.T).T)


def sparse_times(columns: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """``columns @ matrix``, where the columns may be sparse.

    Examples
    --------
    >>> bool((sparse_times(np.eye(600), np.ones((600, 2))) == 1).all())
    True
    """
    few = sparse(columns) if matrix.shape[1] > FEW_NUMBERS else None
    return columns @ matrix if few is None else np.asarray(few @ matrix)
