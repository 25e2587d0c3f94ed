"""The call that made something, as text: for reports."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

Made = TypeVar("Made")
PLACE = "_made_by"
LONGEST_ARGUMENT = 80
"""Letters of an argument that are shown: a convention, a line."""
NOT_SHOWN = ("progress",)
"""Arguments that change nothing about a result."""


def call_text(function: Callable[..., Any], given: Mapping[str, Any]) -> str:
    """A call of a function of the package with the arguments that were given, those left at their defaults aside.

    Data are called by the name of their parameter, unless they are a path; of a method, ``self`` by the call that made it.

    Examples
    --------
    >>> def fit(points, epsilon="auto", *, names=None): pass
    >>> call_text(fit, {"points": [[0, 1]], "epsilon": 0.1, "names": None})
    'symknot.fit(points, epsilon=0.1)'
    >>> call_text(fit, {"points": "a.csv", "epsilon": "auto", "names": ["x", "y"]})
    "symknot.fit('a.csv', names=['x', 'y'])"
    """
    said, owner = [], "symknot"
    for name, parameter in inspect.signature(function).parameters.items():
        value = given[name]
        if name == "self":
            owner = made_by(value) or type(value).__name__.lower()
        elif parameter.default is parameter.empty:
            said.append(repr(os.fspath(value)) if isinstance(value, (str, os.PathLike)) else name)
        elif name not in NOT_SHOWN and not _is_default(value, parameter.default):
            said.append(f"{name}={_short(value)}")
    return f"{owner}.{function.__name__}({', '.join(said)})"


def _is_default(value: Any, default: Any) -> bool:
    return value is default or type(value) is type(default) and isinstance(value, (str, int, float, tuple)) and value == default


def _short(value: Any) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= LONGEST_ARGUMENT else text[:LONGEST_ARGUMENT] + "..."


def noted(result: Made, call: str) -> Made:
    """A result that remembers the call it was made by; `made_by` tells it, files do not hold it."""
    result.__dict__[PLACE] = call
    return result


def made_by(result: Any) -> str:
    """The call that a result was made by; empty where that is not known, as for those that were opened from a file."""
    return result.__dict__.get(PLACE, "")
