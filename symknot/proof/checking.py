"""Having Coq check what is claimed, statement by statement.

``coqc`` stops at the first theorem that it refuses.  What it refused is taken out, with what rests on it, and the rest is
checked again, so that in the end every statement was accepted or refused.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..engines.process import DEFAULT_TIMEOUT
from ..engines.provers import check_coq
from ..export.coq import CoqFile
from ..export.statements import AlsoZero, UniqueZero
from ..export.system import System
from ..ground.deadline import Deadline
from ..ground.errors import EngineError, InvalidOption


@dataclass(frozen=True)
class Checked:
    """What Coq said to a statement: its place in the system's list, whether it was accepted, else why not."""

    place: int
    accepted: bool
    words: str = ""


def check_with_coq(system: System, timeout: float | None = DEFAULT_TIMEOUT) -> list[Checked]:
    """Have Coq check every statement of a system.

    Parameters
    ----------
    system : System
    timeout : float or None
        Seconds, for all of them together.

    Returns
    -------
    list of Checked
        In the order of the statements.

    Raises
    ------
    EngineMissing, EngineError, TimeLimit
    """
    deadline = Deadline(timeout)
    refused: dict[int, str] = {}
    while len(refused) < len(system.statements):
        kept = [place for place in range(len(system.statements)) if place not in refused]
        try:
            file = CoqFile(replace(system, statements=tuple(system.statements[place] for place in kept)))
            text = file.text()
        except InvalidOption as error:                   # found to be false here, or incomplete
            if file_place := getattr(error, "statement", None):
                refused[kept[file_place - 1]] = f"false, before Coq was asked: {error}"
                continue
            raise
        answer = check_coq(text, deadline.left)
        if answer.accepted:
            break
        place = _statement_at(text, answer.line)
        if place is None:
            raise EngineError(f"coq: {answer.words}")
        _refuse(system, kept[place - 1], f"Coq refuses it: {answer.words.strip()}".replace("\n", " "), refused)
    return [Checked(place, place not in refused, refused.get(place, "")) for place in range(len(system.statements))]


def _refuse(system, place, words, refused):
    """Take out a statement, and those that rest on it: about zeros in a box that is not proved to hold one."""
    refused[place] = words
    statement = system.statements[place]
    if isinstance(statement, UniqueZero):
        for other, further in enumerate(system.statements):
            if isinstance(further, AlsoZero) and further.knot == statement.knot:
                refused.setdefault(other, f"rests on the box of knot {statement.knot}, which was refused")


def _statement_at(text, line):
    """The number of the statement that a line of the file belongs to; None if it comes before all of them."""
    if line is None:
        return None
    numbers = [int(row.split()[2].rstrip(".")) for row in text.splitlines()[:line] if row.startswith("(* Statement ")]
    return numbers[-1] if numbers else None
