"""Computations whose numbers leave the range of floating point end in words."""

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
