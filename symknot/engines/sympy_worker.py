"""The child process of the sympy engine: one question in JSON on standard input, one answer on standard output.

Run as ``python -m symknot.engines.sympy_worker`` by `sympy_engine.py`; its limits are set from outside.
"""

from __future__ import annotations

import json
import sys

from ..ground.errors import NotSupported
from .process import Limits
from .sympy_engine import Sympy
from .wire import decoded, encoded


def answer(text: str) -> str:
    """The reply to a question, both as JSON text."""
    question = json.loads(text)
    try:
        result = Sympy()._answer(question["call"], Limits.checked(None, None), *decoded(question["arguments"]))
    except NotSupported as error:
        return json.dumps({"not_supported": error.what, "instead": error.instead})
    return json.dumps({"answer": encoded(result)})


if __name__ == "__main__":
    print(answer(sys.stdin.read()))
