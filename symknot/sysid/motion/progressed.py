"""How far an identification has come, and how that is kept in a file so that one which was killed goes on.

Nearly all of its time is spent in searches: terms are selected and estimated with states, for one form and one length of the
steps (`search.search`, `search.settled`).  Between them everything follows quickly from the data and from what they
found.  With a checkpoint every search ends by writing that down, and what was written, read back, is what goes on: memory
then looks the same whether an identification went on or was taken up again, and so do the last digits.  Taken up again, the
same searches come in the same order, and those that are in the file are not made.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...ground.deadline import look, operations_done
from ...ground.errors import InvalidModel
from ...ground.journal import Journal
from ...ground.storage import checked, flags
from .dynamics import Dynamics
from .fields import Field
from .joint import Estimate
from .measurements import Measurements
from .search import Selection


class Steps:
    """The searches of one identification, one after the other.

    Parameters
    ----------
    journal : Journal or None
        None keeps nothing.
    """

    def __init__(self, journal: Journal | None = None) -> None:
        self.journal, self.number = journal, 0

    def selection(self, make: Callable[..., Selection | None], given: tuple[Any, ...], **options: Any) -> Selection | None:
        """What a search finds, or found when it was made.

        Parameters
        ----------
        make : callable
            `search.search` or `search.settled`.
        given, options
            What it is given: dynamics, field, coefficients, runs and states; and by name.
        """
        if self.journal is None:
            return make(*given, **options)
        if made := self.number < len(self.journal.records):
            record = self.journal.records[self.number]
        else:
            before = operations_done()
            found = make(*given, **options)
            record = {"operations": operations_done() - before, "found": None if found is None else _content(found)}
            self.journal.add(record)
            self.journal.records.append(record)
        self.number += 1
        try:
            look(float(record["operations"]) if made else 0.0)
            return None if record["found"] is None else _selection(record["found"], given[0], given[1], given[3])
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise InvalidModel(f"{self.journal.path}: a record that is not one of this version ({error})") from None


def _content(found: Selection) -> dict[str, Any]:
    here = found.estimate
    return {"kept": found.kept.tolist(), "converged": here.converged,
            **{name: _written(getattr(here, name)) for name in ("coefficients", "information", "pull")},
            "states": [_written(states) for states in here.states], "cuts": [cut.tolist() for cut in here.cuts],
            "variances": [_written(run.variance) for run in found.runs]}


def _selection(content: dict[str, Any], dynamics: Dynamics, field: Field, runs: Sequence[Measurements]) -> Selection:
    kept = flags(content["kept"], field.size)
    chosen = field if kept.all() else field.restricted(kept)
    P, s = chosen.size, len(runs[0].variance)
    states = tuple(_read(part, (s, run.measured.shape[1])) for part, run in zip(content["states"], runs, strict=True))
    cuts = tuple(flags(cut, x.shape[1] - dynamics.reach) for cut, x in zip(content["cuts"], states, strict=True))
    estimate = Estimate(_read(content["coefficients"], (P,)), states, _read(content["information"], (P, P)),
                        _read(content["pull"], (P,)), checked(content["converged"], bool), cuts)
    with_noise = tuple(replace(run, variance=_read(part, (s,))) for part, run in zip(content["variances"], runs, strict=True))
    return Selection(dynamics, chosen, estimate, with_noise, kept, None)


def _written(values: np.ndarray) -> str:
    """The bytes of floats, as text."""
    return base64.b64encode(np.ascontiguousarray(values, dtype="<f8").tobytes()).decode()


def _read(text: Any, shape: tuple[int, ...]) -> np.ndarray:
    values = np.frombuffer(base64.b64decode(checked(text, str), validate=True), dtype="<f8")
    return values.reshape(shape).astype(float)
