"""The kinds of dynamics by their short names."""

from __future__ import annotations

from typing import Any

from ...ground.errors import InvalidModel, InvalidOption
from ...ground.storage import checked
from ..runs.samples import Samples
from .dynamics import Dynamics, registered_kinds
from .flow import Flow
from .map import Map
from .static import Static
from .weak import Weak

__all__ = ["Flow", "Map", "Static", "Weak", "kind_from_json", "kind_of_options", "kind_of_samples"]


def kind_of_options(kind: str | Dynamics, order: int = 1, lags: int = 0) -> Dynamics:
    """The kind that `identify` was asked for.

    Parameters
    ----------
    kind : str or Dynamics
        A short name or the thing itself, which says order and lags by itself.
    order, lags : int
        1 and 0 where they were not given.

    Examples
    --------
    >>> kind_of_options("flow", order=2), kind_of_options(Map(lags=1))
    (Flow(order=2), Map(lags=1, ahead=1))
    """
    if isinstance(kind, Dynamics):
        for name, value, default in (("order", order, 1), ("lags", lags, 0)):
            if value != default:
                raise InvalidOption(name, value, f"left alone: kind={kind!r} says it")
        return kind
    return _registered(kind).from_options(order, lags)


def kind_of_samples(samples: Samples, kind: str | Dynamics) -> Dynamics:
    """The kind whose samples these are; `kind` itself where it is no short name."""
    return kind if isinstance(kind, Dynamics) else _registered(samples.kind).from_samples(samples)


def kind_from_json(content: dict) -> Dynamics:
    """The kind that a saved model names; an `InvalidModel` if there is none like it."""
    known = registered_kinds()
    if checked(content["kind"], str) not in known:
        raise InvalidModel(f"the model is of the kind {content['kind'][:80]!r}, which is not known here; make it known "
                           "first: symknot.sysid.motion.dynamics.register_kind")
    return known[content["kind"]].from_json(content)


def _registered(name: Any) -> type[Dynamics]:
    known = registered_kinds()
    if not isinstance(name, str) or name not in known:
        offered = ", ".join(repr(one) for one in known if one != Weak.kind)             # which is for fields, not for runs
        raise InvalidOption("kind", name, f"{offered}, or an object of class Dynamics")
    return known[name]
