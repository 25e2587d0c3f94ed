r"""Other descriptions of the points, which the evidence does not rule out beyond doubt, with what speaks for and against them.

The first description is the simplest that is not rejected.  It has rivals of three kinds.

*Simpler, and rejected* by the test for structure, but at a chance above `other_noise.BEYOND_DOUBT`.

*Higher by one degree, and nearly needed*: the test nearly rejects the first (`search.bent_rival`), and bent by one degree it
has less structure.

*Overruled, or nearly overruling*: one with more surfaces, to which points are nearer, by a factor so near to the one that
decides (`judging.MUCH_LOWER_NOISE`) that noise of another kind explains it.
"""

from __future__ import annotations

from .hypothesis import Hypothesis
from .judging import MUCH_LOWER_NOISE, Searched, is_close
from .other_noise import BEYOND_DOUBT

MOST_RIVALS = 2
"""Rivals that are fitted, too: a convention."""


def runners_up(searched: Searched, bent: Searched | None) -> list[tuple[Searched, str]]:
    """Searches that end with other descriptions, the nearest first, and the evidence in words.

    Parameters
    ----------
    searched : Searched
    bent : Searched or None
        With equations of one degree more than those found, where these are nearly rejected.
    """
    found, degrees = searched.found, searched.degrees
    if found is None:
        return []
    rejected = [one for one in searched.rejected if one.structure.chance > BEYOND_DOUBT]
    others = [(Searched(degrees, one), _of_structure(one)) for one in reversed(rejected)]
    if bent is not None and bent.found is not None:
        others.append((bent, "the chance of residuals with so much structure is "
                             f"{bent.found.structure.chance:.1g} if this is true, and {found.structure.chance:.1g} if not"))
    if searched.overruled is not None and is_close(found, searched.overruled):
        others.append((Searched(degrees, searched.overruled), _of_noise(searched.overruled, found)))
    others += [(Searched(degrees, one), _of_noise(one, found)) for one in searched.rivals if found.degree < one.degree]
    return others[:MOST_RIVALS]


def _of_structure(rival: Hypothesis) -> str:
    structure = rival.structure
    if not structure.functions:
        return "its residuals could not be tested for structure"
    return (f"the chance of residuals with so much structure is {structure.chance:.1g} if this is true; "
            f"it is {max(structure.share, 0):.0%} of their variance")


def _of_noise(rival: Hypothesis, found: Hypothesis) -> str:
    return (f"the points are {rival.typical / found.typical:.3g} times as far from it; of two, the one of higher degree comes "
            f"first where they are {MUCH_LOWER_NOISE:g} times nearer to it and a variable has as much less noise")
