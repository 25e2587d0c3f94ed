"""Work that is done once for an object and kept with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

Result = TypeVar("Result")
PLACE = "_remembered"


def remembered(function: Callable[..., Result]) -> Callable[..., Result]:
    """`function(owner, *options)`, whose results are kept in `owner` as long as that lives.

    For frozen objects whose class lies in a lower room than the work.  Options must be hashable.

    Examples
    --------
    >>> class Box: pass
    >>> @remembered
    ... def opened(box, side="top"):
    ...     print("opening", side)
    ...     return side
    >>> box = Box()
    >>> opened(box), opened(box)
    opening top
    ('top', 'top')
    """
    @wraps(function)
    def once(owner: Any, *options: Any, **named: Any) -> Result:
        kept = owner.__dict__.setdefault(PLACE, {})
        key = (function, options, tuple(sorted(named.items())))
        if key not in kept:
            kept[key] = function(owner, *options, **named)
        return kept[key]
    return once


class Forgetful:
    """Mixin: what was `remembered` for an object stays behind when it is pickled or copied."""

    def __getstate__(self) -> dict:
        return {name: value for name, value in self.__dict__.items() if name != PLACE}
