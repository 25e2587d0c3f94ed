"""Programs that check proofs or decide questions over the real numbers: Coq, z3 and cvc5.

They are looked for as `finding` looks for engines: environment variable, PATH, then the wheels of this Python environment
(``z3-solver``, ``cvc5``); Coq comes from the operating system.  They run within the same limits.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import sys
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from ..ground.errors import EngineError, EngineMissing, InvalidOption, SymknotError
from ..ground.host import in_browser
from .finding import Availability, available_engines, search_path
from .process import DEFAULT_MEMORY, DEFAULT_TIMEOUT, LAST_LINES, LAST_WIDTH, Limits, check_end, outcome, run

FILE = "symknot.v"
AXIOMS_OF_THE_REALS = frozenset({
    "ClassicalDedekindReals.sig_not_dec", "ClassicalDedekindReals.sig_forall_dec",
    "FunctionalExtensionality.functional_extensionality_dep", "Classical_Prop.classic"})
"""What Coq's own theory of real numbers assumes; a proof that rests on anything else is refused."""
PLACE = re.compile(rf'File "\./{FILE}", line (\d+)')
AXIOM = re.compile(r"^([A-Za-z_][\w.']*)(?= *:|$)", re.MULTILINE)


@dataclass(frozen=True)
class Prover:
    """Where a program may be; `wheel` is its name for pip, `debian` its package."""

    file: str
    variable: str
    wheel: str
    debian: str


PROVERS = {
    "coq": Prover("coqc", "SYMKNOT_COQ", "", "coq"),
    "z3": Prover("z3", "SYMKNOT_Z3", "z3-solver", "z3"),
    "cvc5": Prover("cvc5", "SYMKNOT_CVC5", "cvc5", "cvc5"),
}
SOLVERS = ("z3", "cvc5")
"""Those that decide questions over the real numbers."""


@dataclass(frozen=True)
class CoqAnswer:
    """What ``coqc`` said: whether it accepts the file; else the line it stopped at, and its words."""

    accepted: bool
    line: int | None = None
    words: str = ""


def locate_prover(name: str) -> list[str]:
    """The command that starts a program.

    Raises
    ------
    EngineMissing
        With the ways to install it.
    """
    prover = PROVERS[name]
    if in_browser():
        raise EngineMissing(f"{prover.file} cannot run here: a browser starts no programs")
    given = os.environ.get(prover.variable)
    path = shutil.which(given or prover.file, path=search_path())
    if given and path is None:
        raise EngineMissing(f"{prover.variable}={given!r} is not a program; correct it or unset it")
    if path is None and prover.wheel:
        path = _program_in_wheel(prover)
        if path is None and name == "cvc5" and importlib.util.find_spec("cvc5") is not None:
            return [sys.executable, "-m", "symknot.engines.cvc5_worker"]     # its wheel holds a library, no program
    if path is None:
        wheel = f"`pip install {prover.wheel}`, or on " if prover.wheel else "on "
        raise EngineMissing(f"{prover.file} was not found: {wheel}Debian `apt-get install {prover.debian}`, "
                            f"or set {prover.variable}")
    return [os.path.abspath(path)]


def _program_in_wheel(prover):
    try:
        files = metadata.distribution(prover.wheel).files or []
    except metadata.PackageNotFoundError:
        return None
    found = (str(file.locate()) for file in files if file.parts[-2:] == ("bin", prover.file))
    return next(filter(None, map(shutil.which, found)), None)


def check_coq(text: str, timeout: float | None = DEFAULT_TIMEOUT,
              memory: int | None = DEFAULT_MEMORY) -> CoqAnswer:
    """Have ``coqc`` check a file that ends in ``Print Assumptions``.

    Returns
    -------
    CoqAnswer
        Not accepted, too, when the axioms printed are more than those of the real numbers.
    """
    limits, work = Limits.checked(timeout, memory), "coq"
    end = outcome([*locate_prover("coq"), "-q", "-noglob", FILE], limits, work=work, files={FILE: text})
    place = PLACE.search(end.complaint)
    if end.code == 1 and place:
        said = "\n".join(line[:LAST_WIDTH] for line in end.complaint[place.start():].splitlines()[1:LAST_LINES])
        return CoqAnswer(False, int(place[1]), said)
    check_end(end, limits, work)
    further = sorted(axioms(end.written) - AXIOMS_OF_THE_REALS)
    if further:
        return CoqAnswer(False, None, f"rests on axioms that are not those of the real numbers: {', '.join(further)}")
    return CoqAnswer(True)


def axioms(printed: str) -> set[str]:
    """The names that ``Print Assumptions`` printed.

    Examples
    --------
    >>> sorted(axioms("Axioms:\\nA.b : forall P,\\n  P\\nC.d\\n  : nat\\n"))
    ['A.b', 'C.d']
    >>> axioms("Closed under the global context\\n")
    set()
    """
    if "Axioms:" not in printed:
        if "Closed under the global context" not in printed:
            raise EngineError("coq: the file was accepted, but the list of its axioms is missing")
        return set()
    return set(AXIOM.findall(printed.partition("Axioms:\n")[2]))


def run_solver(name: str, script: str, limits: Limits) -> str:
    """What an SMT solver answers to a script in SMT-LIB 2."""
    if name not in SOLVERS:
        raise InvalidOption("engine", name, f"one of {', '.join(SOLVERS)}")
    command = locate_prover(name)
    options = {"z3": ["-in", "-smt2"], "cvc5": ["--lang", "smt2", "-"]}[name] if len(command) == 1 else []
    environment = {}
    if len(command) > 1:
        environment["PYTHONPATH"] = os.pathsep.join(str(Path(place).resolve()) for place in sys.path)
    end = outcome([*command, *options], limits, work=name, stdin=script, environment=environment)
    if "unknown" not in end.written and "sat" not in end.written:
        check_end(end, limits, name)
    return end.written


def probe_prover(name: str, timeout: float | None = DEFAULT_TIMEOUT) -> Availability:
    """Try a program on a small question."""
    path = version = None
    missing = False
    try:
        limits, command = Limits.checked(timeout), locate_prover(name)
        path = command[0] if len(command) == 1 else None
        if name == "coq":
            said = run([*command, "--version"], limits, work=name)
            right = check_coq("Theorem small : 1 + 1 = 2. Proof. reflexivity. Qed.\nPrint Assumptions small.\n",
                              timeout).accepted
        else:
            said = _solver_version(name, command, limits)
            right = run_solver(name, "(set-logic QF_NRA)(declare-const x Real)(assert (< (* x x) 0))(check-sat)\n",
                               limits).split() == ["unsat"]
        found = re.search(r"\d+\.\d+(\.\d+)?", said)
        version, problem = found and found[0], "" if right else "wrong answer to a small question"
    except SymknotError as error:
        problem = str(error)
        missing = isinstance(error, EngineMissing) and not os.environ.get(PROVERS[name].variable)
    return Availability(name, path, version, not problem, problem, missing)


def _solver_version(name, command, limits):
    if len(command) == 1:
        return run([*command, "--version"], limits, work=name)
    return metadata.version(PROVERS[name].wheel)


def available() -> list[Availability]:
    """Every engine and prover, whether it was found, and whether it really runs.

    Returns
    -------
    list of Availability
        The computer algebra systems, the best first, then Coq, z3 and cvc5.
    """
    return [*available_engines(), *map(probe_prover, PROVERS)]
