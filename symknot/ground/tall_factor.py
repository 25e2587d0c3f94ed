"""Reductions over blocks of points.

Whatever touches all points is reduced block by block to a triangular factor: a QR of
the block stacked under the factor so far.  Singular values and right singular vectors
of the tall matrix are those of the factor, and nothing is squared (a Gram matrix
would lose half the digits).
"""

from __future__ import annotations

import numpy as np
from scipy.linalg.lapack import dtpqrt as tpqrt

from .deadline import look

QR_COLUMNS = 32
"""Columns that a triangular factor treats at a time: LAPACK's own choice for QR."""
TRIANGULAR = 0.4
"""Multiplications that could be done elsewhere in the time of one of a triangular factor's, so many at once: measured."""


class TallFactor:
    """The triangular factor R of a tall matrix that arrives in blocks of rows.

    Each block is worked into R by LAPACK's tpqrt, which knows that R is triangular; while there are fewer rows than
    columns they are only stacked.
    """

    def __init__(self, columns: int):
        self.factor = np.zeros((0, columns))
        self._triangular = False

    def add(self, rows: np.ndarray, overwrite: bool = False) -> None:
        """Work `rows` into what has come so far; `overwrite` allows to use their memory."""
        n, columns = len(self.factor), self.factor.shape[1]
        look(TRIANGULAR * len(rows) * columns**2)
        if not self._triangular and n + len(rows) <= columns:
            self.factor = np.vstack([self.factor, rows])
            return
        if not self._triangular:
            rows = np.vstack([self.factor, rows]) if n else rows
            self.factor, self._triangular = np.zeros((columns, columns), order="F"), True
        if len(rows) and columns:
            self.factor = tpqrt(0, min(QR_COLUMNS, columns), self.factor, rows, overwrite_a=1, overwrite_b=overwrite)[0]

    def merge(self, factor: np.ndarray) -> None:
        """Work in what is the triangular factor of other rows: a third of the work."""
        columns = self.factor.shape[1]
        if len(factor) != columns or not columns or np.tril(factor, -1).any() or (len(self.factor) and not self._triangular):
            self.add(factor)
            return
        look(TRIANGULAR * columns**3 / 3)
        if not self._triangular:
            self.factor, self._triangular = np.array(factor, order="F"), True
        else:
            self.factor = tpqrt(columns, min(QR_COLUMNS, columns), self.factor, factor, overwrite_a=1)[0]
