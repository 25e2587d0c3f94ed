"""Names of variables: those that data without names get, and the checks of those that were given."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..ground.errors import InvalidOption, InvalidPoints

LETTERS = ("x", "y", "z")
"""Names of up to three variables without names; of more they are x1, x2, ...: a convention."""


def default_names(d: int) -> tuple[str, ...]:
    """Names of `d` variables that have none.

    Examples
    --------
    >>> default_names(2), default_names(4)
    (('x', 'y'), ('x1', 'x2', 'x3', 'x4'))
    """
    return LETTERS[:d] if d <= len(LETTERS) else tuple(f"x{j + 1}" for j in range(d))


def checked_names(names: Iterable[object] | None, found: Sequence[str] | None, d: int) -> tuple[str, ...]:
    """The names of `d` variables: those given, else those found in the data, else the default ones.

    Parameters
    ----------
    names : sequence of str (or of what has a name as its text, such as symbols), or None
    found : sequence of str, or None
    d : int

    Raises
    ------
    InvalidOption
        If there are not `d` of them, or two are equal.

    Examples
    --------
    >>> checked_names(None, ["mass", "length"], 2), checked_names(["m", "l"], ["mass", "length"], 2)
    (('mass', 'length'), ('m', 'l'))
    """
    if names is None:
        names = default_names(d) if found is None else found
    if isinstance(names, str) or not hasattr(names, "__iter__") or getattr(names, "ndim", 1) == 0:
        raise InvalidOption("names", names, "a sequence of names, one for each variable")
    checked = tuple(str(name) for name in names)
    if len(checked) != d:
        raise InvalidOption("names", checked, f"{d} names, one for each variable")
    if len(set(checked)) != d:
        raise InvalidOption("names", checked, "different from each other")
    return checked


def check_columns_differ(columns: Sequence[str]) -> None:
    """Columns that are asked for by name must not share one."""
    for name in columns:
        if columns.count(name) > 1:
            raise InvalidPoints(f"column names must differ, but {name!r} occurs {columns.count(name)} times")
