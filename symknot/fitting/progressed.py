"""How far a fit has come, and how that is kept in a file so that a fit which was killed goes on.

All there is between two degrees is a `Progressed`.  With a checkpoint every degree ends by writing it down, and goes on with
what was written, read back: memory then looks the same whether a fit went on or was taken up again, and so do the last
digits.  The search before the loop is not kept; it is repeated, and comes to the same.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from ..ground.errors import InvalidModel, Status
from ..ground.journal import Journal
from ..ground.storage import checked, flags, floats, number, plain, whole_numbers
from .fitted import DegreeRecord
from .recursion import Products, Recursion
from .seen import Seen
from .stored import stored_recursion


@dataclass(frozen=True, eq=False)
class Progressed:
    """How far a fit has come; every degree makes a new one, so an interruption finds it whole."""

    recursion: Recursion
    knots: np.ndarray
    weights: np.ndarray
    member_of: np.ndarray
    eta: float | None
    essential: tuple[bool, ...] = ()
    history: tuple[DegreeRecord, ...] = ()
    resets: int = 0
    idle: int = 0
    lost: int = 0
    seen: Seen | None = None


class Stage:
    """The records of one run of the loop: a fit has one, and one for each rival.

    Parameters
    ----------
    journal : Journal or None
        None keeps nothing.
    name : str
    """

    def __init__(self, journal: Journal | None, name: str) -> None:
        self.journal, self.name = journal, name

    def resumed(self, start: Progressed) -> tuple[Progressed, Status | None]:
        """Where to go on, and the status if the run had come to its end; `start` where nothing was kept."""
        own = [record for record in self.journal.records if record["stage"] == self.name] if self.journal else []
        return self._read(own[-1], start) if own else (start, None)

    def kept(self, state: Progressed, status: Status | None, start: Progressed) -> Progressed:
        """The state, written down if there is a file for it, and read back."""
        if self.journal is None:
            return state
        # knots that are the data still are not written, and stay the same array
        content: dict[str, Any] = {"stage": self.name, "status": plain(status), **plain(replace(state, seen=None))}
        if state.knots is start.knots:
            content["knots"] = None
        content["combinations"] = [{"shape": list(layer.products.combination.shape),
                                    "entries": layer.products.combination.ravel().tolist()} for layer in state.recursion.layers]
        self.journal.add(content)
        self.journal.records.append(content)
        return self._read(content, start)[0]

    def _read(self, content, start):
        try:
            state = _progressed(content, start)
            return state, None if content["status"] is None else Status(content["status"])
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise InvalidModel(f"{self.journal.path}: a record that is not one of this version ({error})") from None


def _progressed(content, start):
    recursion = stored_recursion(content["recursion"])
    layers = []
    for layer, combination in zip(recursion.layers, checked(content["combinations"], list), strict=True):
        rows, columns = (checked(size, int) for size in combination["shape"])
        if columns != len(layer.products.left):
            raise ValueError(f"combinations of {columns} products, need {len(layer.products.left)}")
        matrix = floats(combination["entries"], (rows * columns,)).reshape(rows, columns)
        layers.append(replace(layer, products=Products(layer.products.left, layer.products.right, matrix)))
    d = recursion.dimension
    knots = start.knots if content["knots"] is None else floats(content["knots"], (None, d))
    eta = content["eta"]
    return Progressed(
        replace(recursion, layers=tuple(layers)), knots, floats(content["weights"], (len(knots),)),
        whole_numbers(content["member_of"], 0, len(knots)),
        None if eta is None else number(eta), tuple(flags(content["essential"], len(recursion.G_degrees)).tolist()),
        tuple(map(read_record, checked(content["history"], list))), checked(content["resets"], int),
        checked(content["idle"], int), checked(content["lost"], int), start.seen)


def read_record(content: dict) -> DegreeRecord:
    """The `DegreeRecord` that `plain` wrote."""
    arrays, numbers = ("data_values", "knot_values"), ("eta", "seconds")
    found: dict[str, Any] = {field.name: floats(content[field.name], (None,)) if field.name in arrays
                             else number(content[field.name]) if field.name in numbers
                             else checked(content[field.name], int) for field in fields(DegreeRecord)}
    return DegreeRecord(**found)
