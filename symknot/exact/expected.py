"""Is a certificate about what one expects?  A proof of other equations, or about few of the points, is a proof, too.

`verify` proves the statements of a file from its numbers alone, so it cannot know what they were to be about: names that were
exchanged, equations of other data, all statements but one left out.  Here the file is held against equations or data
that a reader has from elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from ..fitting.hypothesis import LOUDEST_NOISE
from ..polynomials.evaluation import evaluate_monomials
from ..polynomials.terms import Terms
from .verify import Content

COVERED = 0.5
"""Share of the data that must have a place about which something is stated in its neighbourhood: a convention, most."""
NEIGHBOURHOOD = LOUDEST_NOISE
"""How near that is, as a share of the spread of each variable: as near as points are to the equations of any fit."""


def against_equations(content: Content, names: Sequence[str], equations: Sequence[Terms]) -> list[str]:
    """In what a file differs from equations that one expects; they may be multiplied by numbers.

    Examples
    --------
    >>> x_squared = {(2, 0): Fraction(2)}
    >>> content = Content(["x", "y"], [{(2, 0): Fraction(1)}], [], None)
    >>> against_equations(content, ["x", "y"], [x_squared])
    ['nothing is stated about expected equation 1']
    >>> against_equations(content, ["y", "x"], [x_squared])
    ['its variables are x, y, expected are y, x']
    """
    if list(names) != content.names:
        return [f"its variables are {', '.join(content.names)}, expected are {', '.join(names)}"]
    own, wanted = ([_monic(terms) for terms in part] for part in (content.polynomials, equations))
    about = {place for statement in content.statements for place in statement["polynomials"]}
    lines = []
    for number, terms in enumerate(wanted, start=1):
        if terms not in own:
            lines.append(f"expected equation {number} is not in it")
        elif own.index(terms) not in about:
            lines.append(f"nothing is stated about expected equation {number}")
    return lines + [f"polynomial {place} is not expected" for place, terms in enumerate(own) if terms not in wanted]


def _monic(terms):
    lead = terms[max(terms)]
    return {exponents: Fraction(value) / lead for exponents, value in terms.items()}


def against_points(content: Content, names: Sequence[str], points: np.ndarray) -> list[str]:
    """In what a file differs from what data show, an (n, d) array with a column for each name."""
    missing = [name for name in content.names if name not in names]
    if missing:
        return [f"its variable {missing[0]} is no column of the data ({', '.join(names)})"]
    points = points[:, [list(names).index(name) for name in content.names]]
    spread = np.std(points, axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    lines = []
    for place, terms in enumerate(content.polynomials):
        share = _distance(terms, points, spread)
        if not share <= LOUDEST_NOISE:
            lines.append(f"polynomial {place}: the data are {share:.2g} of their spread away from it")
    places = _places(content)
    if not len(places):
        return lines
    near = np.array([(np.abs(places - point) <= NEIGHBOURHOOD * spread).all(axis=1).any() for point in points])
    if near.mean() < COVERED:
        lines.append(f"only {near.mean():.0%} of the data have a place near them about which something is stated")
    return lines


def _distance(terms, points, spread):
    """Root-mean-square distance of points from a polynomial's zeros, to first order, in units of their spread."""
    with np.errstate(all="ignore"):
        coefficients = np.array([float(value) for value in _monic(terms).values()])
        values, slopes = evaluate_monomials(points, np.array(list(terms)))
        steep = np.sqrt(np.mean(np.sum((slopes @ coefficients * spread) ** 2, axis=1)))
        return float(np.sqrt(np.mean((values @ coefficients) ** 2)) / steep)


def _places(content):
    """Points and centres of boxes that statements are about."""
    found = [statement["center"] for statement in content.statements if "center" in statement]
    found += [point for statement in content.statements for point in statement.get("points", ())]
    return np.array([[float(value) for value in place] for place in found]).reshape(-1, len(content.names))
