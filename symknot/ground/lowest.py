r"""The lower end of a spectrum, where a whole decomposition would take long and only few directions are wanted.

Of a matrix R with m columns, a singular value decomposition takes some :math:`20\,m^3` operations, most of them at the pace
of memory.  The eigenvalues of :math:`R^T R` take a tenth of the time but are known to
:math:`\epsilon\,\sigma_{\max}^2` only, so their roots lose half the digits at the lower end.  Inverse iteration by R itself,

.. math:: V \leftarrow \operatorname{orth} (R^{-1} R^{-T} V),

started from the lowest eigenvectors brings these back: it needs two or three rounds of triangular solutions, and the values are
those of R on V (Rayleigh and Ritz), nothing squared.

Of thousands of columns the eigenvalues alone take a minute, nearly all of it at the pace of memory.  There what is wanted, and
nothing else, comes out of the Krylov space of :math:`(R^T R)^{-1}`, of which the lower end of R is the upper, well
separated one: blocks of vectors, orthogonal to all before them, until the values stay.  R may be given as a quotient
:math:`R U^{-1}` of two triangles, which is never formed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.linalg
from scipy.linalg.blas import dtrmm, dtrsm
from scipy.linalg.lapack import dormqr

from .deadline import look
from .lapack import triangle
from .linalg import (
    DEPENDENT_ROW,
    MANY_COLUMNS,
    ROUNDING,
    ascending_svd,
    complement,
    fix_signs,
    singular_values,
    unit_columns,
)

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
KRYLOV_COLUMNS = 1500
"""Columns from which on values that are not wanted are not made: a convention; all of 2145 take half a second (measured), and
the time grows as the cube."""
KRYLOV_BLOCK = 16
"""Vectors of a block of a Krylov space: a convention, so many that a triangle is read once for them in the time of their
products."""
BLOCKS_BETWEEN_LOOKS = 6
"""Blocks after which values are compared with those before: a convention."""
SETTLED_SQUARE = 1e-7
"""Relative change of all squared values that are wanted, over so many blocks, at which they are taken: a convention; they are
known to seven digits then, and directions below a gap, which settle far sooner than the last of what has none, to all."""
ROOMY = 0.5
"""Share of the columns that a Krylov space may come to: a convention; a whole decomposition takes longer still."""


class Quotient(NamedTuple):
    """The matrix ``upper @ inv(root)`` of two triangles of the same size; ``upper`` alone where `root` is None.

    Examples
    --------
    >>> lowest(Quotient(np.diag([3.0, 2.0]), np.diag([1.0, 4.0])), 2)[0].tolist()
    [0.5, 3.0]
    """

    upper: np.ndarray
    root: np.ndarray | None = None

    @property
    def matrix(self) -> np.ndarray:
        """It, formed."""
        return self.upper if self.root is None else np.ascontiguousarray(dtrsm(1.0, self.root, self.upper, side=1))

    def times(self, columns: np.ndarray) -> np.ndarray:
        """The matrix times columns."""
        look(self.upper.size * columns.shape[1])
        return dtrmm(1.0, self.upper, columns if self.root is None else dtrsm(1.0, self.root, columns))

    def solved(self, columns: np.ndarray) -> np.ndarray:
        """Its inverse times columns."""
        look(self.upper.size * columns.shape[1])
        found = dtrsm(1.0, self.upper, columns)
        return found if self.root is None else dtrmm(1.0, self.root, found)

    def solved_transposed(self, columns: np.ndarray) -> np.ndarray:
        """The inverse of its transpose times columns."""
        look(self.upper.size * columns.shape[1])
        columns = columns if self.root is None else dtrmm(1.0, self.root, columns, trans_a=1)
        return dtrsm(1.0, self.upper, columns, trans_a=1)


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


def lowest(matrix: np.ndarray | Quotient, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Singular values in ascending order, and the right singular vectors of the `most` smallest, as columns.

    As `ascending_svd` has them; where columns are many, values that are not among these are known to six digits, and where they
    are very many (`KRYLOV_COLUMNS`) there is one more value, the next, and no other.

    Examples
    --------
    >>> values, directions = lowest(np.diag([3.0, 1e-9, 2.0]), 1)
    >>> values.tolist(), directions.ravel().tolist()
    ([1e-09, 2.0, 3.0], [0.0, 1.0, 0.0])
    """
    quotient = _quotient(matrix)
    if quotient is not None:
        found = _krylov(quotient, most)
        if found is not None:
            return found
    whole, found = _formed(matrix), None
    if min(whole.shape) >= SLOW_COLUMNS and len(whole) >= whole.shape[1] and most <= FEW * whole.shape[1]:
        found = _of_squares(_upper(whole), most)
    values, directions = ascending_svd(whole) if found is None else found
    return values, directions[:, :most]


def within(matrix: np.ndarray | Quotient, bound: float) -> tuple[np.ndarray, np.ndarray]:
    """The same with the vectors of all values up to `bound`; among the values is at least one beyond it, if there is one.

    Examples
    --------
    >>> within(np.diag([3.0, 1e-9, 2.0]), 2.0)[1].round(9).tolist()
    [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
    """
    quotient, most = _quotient(matrix), KRYLOV_BLOCK // 2
    while quotient is not None and most <= FEW * len(quotient.upper):
        found = _krylov(quotient, most)
        if found is None:
            break
        if found[0][-1] > bound:
            return found[0], found[1][:, : int(np.sum(found[0] <= bound))]
        most *= 4
    whole = _formed(matrix)
    if min(whole.shape) >= SLOW_COLUMNS and len(whole) >= whole.shape[1]:
        upper = _upper(whole)
        count = int(np.sum(_roots(upper.T @ upper) <= bound * (1 + SETTLED_VALUE)))
        values, directions = lowest(upper, count)
    else:
        values, directions = ascending_svd(whole)
    return values, directions[:, : int(np.sum(values <= bound))]


def _quotient(matrix):
    """A matrix of very many columns, and no fewer rows, as triangles in the order that BLAS likes; None for others."""
    upper, root = matrix if isinstance(matrix, Quotient) else (matrix, None)
    if upper.shape[1] < KRYLOV_COLUMNS or len(upper) < upper.shape[1]:
        return None
    return Quotient(np.asfortranarray(_upper(upper)), None if root is None else np.asfortranarray(root))


def _formed(matrix):
    return matrix.matrix if isinstance(matrix, Quotient) else matrix


def _krylov(quotient, most):
    """The `most` + 1 smallest values, and directions of all but the last; None where the space does not serve."""
    diagonal, columns = np.abs(np.diag(quotient.upper)), len(quotient.upper)
    if not diagonal.min() > ROUNDING * diagonal.max():
        return None
    block = np.linalg.qr(np.cos(np.outer(np.arange(1.0, columns + 1), np.arange(1.0, KRYLOV_BLOCK + 1))))[0]
    room = int(ROOMY * columns) // KRYLOV_BLOCK * KRYLOV_BLOCK
    space, images = np.empty((columns, room), order="F"), np.empty((columns, room), order="F")
    products, before = np.zeros((room, room)), np.zeros(most + 1)
    for count, start in enumerate(range(0, room, KRYLOV_BLOCK), start=1):
        end = start + KRYLOV_BLOCK
        space[:, start:end] = block
        images[:, start:end] = quotient.solved_transposed(np.asfortranarray(block))
        products[start:end, :end] = images[:, start:end].T @ images[:, :end]
        if count % BLOCKS_BETWEEN_LOOKS == 0 and end > 2 * most:
            wanted = [end - most - 1, end - 1]
            squares, turn = scipy.linalg.eigh(products[:end, :end], subset_by_index=wanted, check_finite=False)   # lower half
            if (np.abs(squares - before) <= SETTLED_SQUARE * squares).all():
                values, turned = ascending_svd(quotient.times(np.asfortranarray(space[:, :end] @ turn)))
                return values, fix_signs(space[:, :end] @ (turn @ turned[:, :most]))
            before = squares
        block = quotient.solved(images[:, start:end])
        for _ in range(2):                                    # once leaves rounding times what was taken off
            block = block - space[:, :end] @ (space[:, :end].T @ block)
        block = np.linalg.qr(block)[0]
    return None


def times_complement(matrix: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """``matrix @ complement(columns)``, by reflections where there are few columns, and long ones.

    Examples
    --------
    >>> abs(times_complement(np.diag([2.0, 3.0]), np.array([[1.0], [0.0]]))).tolist()
    [[0.0], [3.0]]
    """
    count = columns.shape[1]
    if not count or len(columns) < max(MANY_COLUMNS, 2 * count):
        return np.asarray(matrix @ complement(columns))
    (reflections, sizes), upper = scipy.linalg.qr(unit_columns(columns)[0], mode="raw", check_finite=False)
    if singular_values(upper[:count])[-1] <= DEPENDENT_ROW:
        return np.asarray(matrix @ complement(columns))
    look(2 * matrix.size * count)
    space = int(dormqr("R", "N", reflections, sizes, matrix, -1)[1][0])
    return np.asarray(dormqr("R", "N", reflections, sizes, matrix, space)[0][:, count:])


def times_triangle(matrix: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """``matrix @ columns``; of a large triangle, upper or lower, and many columns in half the time.

    Examples
    --------
    >>> times_triangle(np.diag([2.0, 3.0]), np.ones((2, 1))).tolist()
    [[2.0], [3.0]]
    """
    if columns.shape[1] < SLOW_COLUMNS or len(matrix) != matrix.shape[1]:
        return np.asarray(matrix @ columns)
    for lower, other in ((0, np.tril(matrix, -1)), (1, np.triu(matrix, 1))):
        if not other.any():
            look(matrix.size * columns.shape[1] / 2)
            return np.asarray(dtrmm(1.0, matrix, columns, lower=lower))
    return np.asarray(matrix @ columns)


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
