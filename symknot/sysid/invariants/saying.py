"""What `conserved` says of degrees at which nothing was found, or at which it cannot tell."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...ground.wording import counted
from .invariant_search import HeldOutValues


def nothing_found(seen: Sequence[tuple[int, HeldOutValues]], scaled: bool,
                  still_open: str | None = None) -> tuple[str, str]:
    """Why nothing was found, and what to do; `seen` has degrees and values, in units of the noise if that is known, and
    `still_open` is what `undecided` says."""
    for degree, found in seen if scaled else ():
        near, total = int(np.sum(found.values <= found.limit)), len(found.values)
        count, largest = found.apart()
        if largest is not None and largest <= found.limit:
            return ((f"{counted(count, 'polynomial')} of degree {degree} seem constant, but their coefficients "
                    "could not be determined"), "bring runs that differ more from each other, or longer ones")
        if largest is not None:
            one = count == 1
            return ((f"{counted(count, 'polynomial')} of degree {degree} {'stands' if one else 'stand'} clear of "
                    f"all others, but {'varies' if one else 'vary by up to'} {largest:.3g} times as much as noise "
                    f"explains, and {'is' if one else 'are'} not taken for constant"),
                    (f"if that is constant enough, give {largest:.2g} times the noise that was taken; else raise "
                    "max_degree, in case something is only approximated, or bring more or longer runs"))
        if near == total:
            return ((f"noise hides all motion: no polynomial of degree {degree} changes more than noise makes it "
                    "change"), "bring runs that differ more, or less noisy data")
        if near > 1:
            return ((f"too many polynomials are nearly constant to tell which are conserved: at degree {degree} "
                    f"{near} of {total} change no more than noise explains, and no gap sets them apart"),
                    "bring runs that differ more from each other, or lower max_degree")
    degree, found = min(seen, key=lambda row: row[1].values.min())
    least, more = f"{found.values.min():.3g} times", f"; {still_open}" if still_open else ""
    if scaled and found.values.min() <= found.limit:
        return ((f"no polynomial stands out as constant along the runs: one of degree {degree} varies {least} as "
                 "much as noise explains, but others hardly more, and no gap sets it apart"),
                f"raise max_degree, in case it only approximates something, or bring runs that differ more{more}")
    what = "makes" if scaled else "as large as each state's spread would make"
    return ((f"no polynomial stands out as constant along the runs: the smallest value is {least} what noise "
             f"{what} of an invariant, at degree {degree}"),
            f"raise max_degree, bring more or longer runs, or give noise if it is larger than was taken{more}")


def undecided(degree: int, most: int, runs: int) -> str:
    """That there may be more than was found, and what would tell.

    Examples
    --------
    >>> undecided(3, 2, 6)[:80]
    'degree 3 is undecided: up to 2 more polynomials change no more along the 6 runs '
    """
    what = "one more polynomial changes" if most == 1 else f"up to {most} more polynomials change"
    return (f"degree {degree} is undecided: {what} no more along the {counted(runs, 'run')} than noise explains, and no gap "
            "tells which are conserved; bring more runs, from other initial states")


def constraints_undecided(degree: int, most: int, runs: int) -> str:
    """That there may be more constraints than were found, and what would tell.

    Examples
    --------
    >>> constraints_undecided(2, 3, 3)[:76]
    'constraints of degree 2 are undecided: up to 3 more polynomials may be zero '
    """
    what = "one more polynomial" if most == 1 else f"up to {most} more polynomials"
    return (f"constraints of degree {degree} are undecided: {what} may be zero in all {counted(runs, 'run')}; bring runs "
            "from other initial states, that differ more")
