r"""What else the data would allow: models whose cost is near that of the best.

A cost is minus twice the logarithm of a probability (up to a constant): likelihood, and a prior, which is what it takes to
write the model down (`code_length`).  A model that costs :math:`\Delta` more has the odds :math:`1 : e^{\Delta / 2}` against
the best.  Compared are all models that were estimated in full: other forms, and the neighbours of the best (`neighbourhood`).
"""

from __future__ import annotations

import numpy as np

from .fields import Field
from .forms import Search
from .neighbourhood import UNDECIDED_COST, key_of
from .rejecting import is_rejected
from .relations import same_modulo

MOST_ALTERNATIVES = 20
"""Alternatives that are kept, the nearest.  A convention."""


def alternatives_of(search: Search) -> list[tuple[Field, np.ndarray, float]]:
    """Other right-hand sides that the data do not reject clearly: field, coefficients, and how much more they cost."""
    best = search.answer
    if best is None:
        return []
    relations = search.problem.runs[0].relations
    known = {key_of(best.selection.field)}
    found: list[tuple[Field, np.ndarray, float]] = []
    for other in sorted(search.solutions, key=lambda one: one.cost):
        field = other.selection.field
        key = key_of(field)
        if key not in known and other.cost - best.cost < UNDECIDED_COST and not is_rejected(search.problem, other):
            known.add(key)
            if any(same_modulo(relations, field, one) for one in (best.selection.field, *(entry[0] for entry in found))):
                continue
            found.append((field, other.selection.estimate.coefficients, max(other.cost - best.cost, 0.0)))
    return found[:MOST_ALTERNATIVES]
