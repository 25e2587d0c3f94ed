"""Term orders as sort keys: which of two monomials leads."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..ground.errors import InvalidOption

ORDERS = ("grevlex", "grlex", "lex")


def order_key(order: str) -> Callable[[Sequence[int]], tuple]:
    """The sort key of a term order: of two exponent tuples the leading one has the larger key.

    Parameters
    ----------
    order : {"grevlex", "grlex", "lex"}
        The first variable is the largest.

    Returns
    -------
    callable
        Exponents (a sequence of int) -> key.

    Examples
    --------
    >>> monomials = [(1, 0, 1), (0, 2, 0), (0, 0, 3)]
    >>> max(monomials, key=order_key("grlex")), max(monomials, key=order_key("lex"))
    ((0, 0, 3), (1, 0, 1))
    """
    return _KEYS[checked_order(order)]


def checked_order(order: str) -> str:
    """`order`, which must be the name of one."""
    if not isinstance(order, str) or order not in ORDERS:
        raise InvalidOption("order", order, f"one of {', '.join(map(repr, ORDERS))}")
    return order


def _grlex(exponents):
    return (sum(exponents), *exponents)


def _grevlex(exponents):
    return (sum(exponents), *[-e for e in reversed(exponents)])


_KEYS: dict[str, Callable[[Sequence[int]], tuple]] = {"grevlex": _grevlex, "grlex": _grlex, "lex": tuple}
