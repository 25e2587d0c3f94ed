"""The rules of Pyodide, laid on an ordinary Python: no processes, no threads, no sockets, and modules that are not there.

They are those that Pyodide 314 (Python 3.14) was seen to have in node; ``python -m tests.benchmarks.pyodide`` looks at them
again.  An audit hook refuses processes and sockets, which Python itself announces, so none can be started behind their back.
"""

from __future__ import annotations

import _thread
import errno
import os
import sys
import sysconfig
import threading
from typing import NoReturn

NOT_THERE = ("_multiprocessing", "resource", "flint", "rich")
"""Modules that Pyodide lacks, and extras that a page does not load."""
NO_PROCESSES = ("subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.exec", "os.system")
NO_SOCKETS = ("socket.connect", "socket.bind", "socket.getaddrinfo")
"""Audit events."""


def _refuse(event: str, arguments: tuple) -> None:
    if event in NO_PROCESSES or event in NO_SOCKETS:
        raise OSError(errno.ENOTSUP, f"emscripten does not support this: {event}")


def _no_thread(*arguments: object, **options: object) -> NoReturn:
    raise RuntimeError("can't start new thread")


def enforce() -> None:
    """From here on this Python is as Pyodide's is; to be called before anything else is imported."""
    sysconfig.get_config_vars()                              # are kept: those of Emscripten are not here
    sys.platform = "emscripten"
    for starter in ("start_new_thread", "start_new", "start_joinable_thread"):
        for module, name in ((_thread, starter), (threading, f"_{starter}")):
            if hasattr(module, name):                        # it depends on the version of Python
                setattr(module, name, _no_thread)
    for name in NOT_THERE:
        sys.modules[name] = None                             # importing it fails
    os.cpu_count = lambda: 1
    sys.addaudithook(_refuse)
