"""Options are checked once, at the door, by these."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np

from .errors import InvalidOption

Strategy = TypeVar("Strategy")


def positive_number(name: str, value: Any) -> float:
    """`value` as a float, which must be finite and larger than zero.

    Examples
    --------
    >>> positive_number("epsilon", np.float32(0.5))
    0.5
    """
    try:
        number = float(value) if is_real(value) else np.nan
    except OverflowError:
        number = np.inf
    if not 0 < number < np.inf:
        raise InvalidOption(name, value, "a positive number")
    return number


def fraction_of_one(name: str, value: Any) -> float:
    """`value` as a float strictly between 0 and 1."""
    if not is_real(value) or not 0 < value < 1:
        raise InvalidOption(name, value, "a number between 0 and 1")
    return float(value)


def whole_number(name: str, value: Any, least: int) -> int:
    """`value` as an int, which must be at least `least`.

    Examples
    --------
    >>> whole_number("max_degree", 3, 1)
    3
    """
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Integral) or value < least:
        raise InvalidOption(name, value, f"a whole number >= {least}")
    return int(value)


def number_list(name: str, value: Any, length: int, rule: str) -> np.ndarray:
    """`value` as an array of `length` finite floats; `rule` says what they are."""
    try:
        if np.iscomplexobj(value):
            raise TypeError
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise InvalidOption(name, value, rule) from None
    if array.shape != (length,) or not np.isfinite(array).all():
        raise InvalidOption(name, value if array.shape == (length,) else array.shape, rule)
    return array


def memory_for(name: str, value: Any, shape: tuple[int, ...]) -> None:
    """Refuse what results of this shape cannot be written into: `value` must be an array of doubles, one after the other.

    Examples
    --------
    >>> memory_for("out", np.empty((3, 2)), (3, 2))
    >>> memory_for("out", np.empty(3), (3, 2))
    Traceback (most recent call last):
        ...
    symknot.ground.errors.InvalidOption: out must be of shape (3, 2), got (3,)
    """
    if not isinstance(value, np.ndarray) or value.dtype != float:
        raise InvalidOption(name, value, "an array of float64")
    if value.shape != shape:
        raise InvalidOption(name, value.shape, f"of shape {shape}")
    if not (value.flags.c_contiguous and value.flags.writeable):
        raise InvalidOption(name, value.flags, "C-contiguous and writable")


def strategy(name: str, value: Any, base: type[Any], short_names: Mapping[str, Callable[[], Strategy]]) -> Strategy:
    """`value` as an object of the class `base`; one of `short_names` (name -> class) stands for its default object."""
    if isinstance(value, str) and value in short_names:
        return short_names[value]()
    if not isinstance(value, base):
        known = ", ".join(map(repr, short_names))
        raise InvalidOption(name, value, f"one of {known}, or an object of a class derived from {base.__module__}."
                            f"{base.__name__}")
    return value


def is_real(value: Any) -> bool:
    """Whether `value` is a real number (truth values are none)."""
    return isinstance(value, numbers.Real) and not isinstance(value, (bool, np.bool_))
