"""The engine "auto": each call goes to the best program here that has it."""

from __future__ import annotations

from ..ground.errors import EngineMissing, NotSupported
from .base import Engine
from .finding import NAMES, locate, named_engine, runs


class Auto(Engine):
    """Singular, then Macaulay2, then msolve, then sympy: the first that is here, runs, and has the call."""

    name = "auto"

    def _answer(self, call, limits, *arguments):
        reasons = []
        for name in NAMES:
            try:
                if name == "sympy" or runs(name, locate(name)):
                    return named_engine(name)._answer(call, limits, *arguments)
            except EngineMissing:
                continue
            except NotSupported as error:
                reasons.append(error)
        raise NotSupported(" / ".join(error.engine for error in reasons), reasons[-1].what,
                           [f"{name} (symknot.engines.install())" for name in reasons[-1].instead])
