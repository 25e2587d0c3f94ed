"""Computations whose numbers leave the range of floating point end in words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from .errors import OutOfRange


@contextmanager
def within_range() -> Iterator[None]:
    """Numbers that become infinite, or none at all, in here end in `OutOfRange` (of integers as of floats).

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
    except (FloatingPointError, OverflowError):
        raise OutOfRange from None
