"""What the running Python can do on its host: in a browser neither programs nor threads can be started."""

from __future__ import annotations

import sys

WITHOUT_PROCESSES = frozenset({"emscripten", "wasi"})
"""Values of `sys.platform` on which Python runs inside WebAssembly."""


def in_browser() -> bool:
    """Whether neither processes nor threads can be started, as in Pyodide.

    Examples
    --------
    >>> in_browser()
    False
    """
    return sys.platform in WITHOUT_PROCESSES
