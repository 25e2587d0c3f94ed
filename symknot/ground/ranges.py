"""Computations whose numbers leave the range of floating point end in words, or are done so that they do not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from .errors import OutOfRange, SymknotError


@contextmanager
def within_range() -> Iterator[None]:
    """Numbers that become infinite, or none at all, end in `OutOfRange` here, of integers as of floats; what has words stays.

    Examples
    --------
    >>> import numpy as np
    >>> with within_range():                                            # doctest: +IGNORE_EXCEPTION_DETAIL
    ...     np.array([1e200]) ** 2
    Traceback (most recent call last):
    symknot.ground.errors.OutOfRange
    """
    try:
        with np.errstate(over="raise", invalid="raise"):
            yield
    except (FloatingPointError, OverflowError) as error:
        if isinstance(error, SymknotError):
            raise
        raise OutOfRange from None


def root_mean_squares(values: np.ndarray) -> np.ndarray:
    """Root-mean-square along the first axis, also where squares would leave the range of floats; all digits as without that.

    Examples
    --------
    >>> import numpy as np
    >>> root_mean_squares(np.array([[1e-200, 3.0], [1e-200, 3.0]])).tolist()
    [1e-200, 3.0]
    """
    with np.errstate(under="ignore"):
        power = np.frexp(np.abs(values).max(axis=0, initial=0.0))[1]
        return np.ldexp(np.sqrt(np.mean(np.ldexp(values, -power) ** 2, axis=0)), power)
