"""Equations as a person would write them, as a result of their own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import sympy

from ..export.system import System
from ..ground.errors import Status
from ..ground.storage import checked, different_names, floats, not_negative, plain, write_json
from ..polynomials.precise import precise_values
from ..polynomials.rational_json import terms_from_json, terms_json
from ..symbolic.readable import ReadableEquation
from .checking import Check, numbered, sampled
from .drawn import RESIDUALS, SHAPE, Drawn
from .saving import reader

FORMAT, VERSION = "symknot readable", 1
ZERO = 1e-4
"""Share of its terms' sizes up to which the value of an equation at a knot counts as zero: a convention.  Heavy-tailed data
have terms that cancel to 1e-5 of their sizes; values of wrong equations are of the sizes of their terms."""
HIGHEST_READ_DEGREE = 1000
"""Degree of an equation beyond which a file is damaged: a convention; no fit goes there."""


@dataclass(frozen=True, eq=False, repr=False)
class Readable(Drawn):
    """All equations of a fit in readable form, with knots moved onto them; made by `Ideal.readable`.

    It is a sequence of its `polynomials`.

    Attributes
    ----------
    names : tuple of str
    polynomials : tuple of ReadableEquation
    knots : (K, d) array
    noise : (d,) array
    status : Status
        Of the fit, with `message`.
    message : str
    symbols : tuple of sympy.Symbol or None
    """

    picture_kinds: ClassVar[tuple[str, ...]] = (SHAPE, RESIDUALS)

    names: tuple[str, ...]
    polynomials: tuple[ReadableEquation, ...]
    knots: np.ndarray
    noise: np.ndarray
    status: Status
    message: str
    symbols: tuple[sympy.Symbol, ...] | None = None

    def __iter__(self) -> Iterator[ReadableEquation]:
        return iter(self.polynomials)

    def __len__(self) -> int:
        return len(self.polynomials)

    def __getitem__(self, place: Any) -> Any:
        return self.polynomials[place]

    def _closing_lines(self) -> list[str]:
        return []

    def _checks(self, points: Any) -> Iterator[Check]:
        yield from super()._checks(points)
        at = self.knots[sampled(len(self.knots))]
        for place, g in enumerate(self.polynomials):
            precise = precise_values(g.terms, at)
            yield Check(numbered("zero on the knots, compared with its terms", place),
                        float(np.max(np.abs(precise.values), initial=0.0)), ZERO * float(precise.sizes.max(initial=0.0)))

    def _system(self) -> System:
        return System(self.names, tuple(equation.terms for equation in self), title="readable equations of noisy points",
                      sound=len(self) == 1, warning=None if len(self) < 2 else
                      "rounded one by one, several equations may have no common zero; those of Ideal.exact() have")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the equations to `path` as versioned JSON that holds numbers and names only; `symknot.load` opens it."""
        write_json(path, FORMAT, VERSION, {
            "names": list(self.names), "knots": plain(self.knots), "noise": plain(self.noise),
            "status": self.status.value, "message": self.message,
            "equations": [{"terms": terms_json(g.terms), "digits": _pairs(g.digits),
                           "standard_errors": [[list(e), float(v) if np.isfinite(v) else None]
                                               for e, v in g.standard_errors.items()],
                           "residual": g.residual, "residual_before": g.residual_before,
                           "knot_residual": g.knot_residual, "rounded": g.rounded} for g in self]})

    def __repr__(self) -> str:
        return f"<Readable: {len(self)} equation(s) in {', '.join(self.names)}>"


@reader(FORMAT, versions=(VERSION,))
def read_readable(content: dict) -> Readable:
    """The `Readable` of a file's content."""
    names = different_names(content["names"])
    blank = Readable(names, (), floats(content["knots"], (None, len(names))),
                     floats(content["noise"], (len(names),), not_negative),
                     Status(content["status"]), checked(content["message"], str))
    equations = tuple(_equation(row, blank) for row in checked(content["equations"], list))
    return Readable(names, equations, blank.knots, blank.noise, blank.status, blank.message)


def _equation(row, result):
    d = len(result.names)
    errors = {_exponents(e, d): np.inf if value is None else not_negative(value) for e, value in row["standard_errors"]}
    digits = {_exponents(e, d): checked(value, int) for e, value in row["digits"]}
    terms = terms_from_json(row["terms"], d, HIGHEST_READ_DEGREE)
    if not terms:
        raise ValueError("an equation without terms")
    return ReadableEquation(terms, digits, errors, not_negative(row["residual"]),
                            not_negative(row["residual_before"]), not_negative(row["knot_residual"]),
                            checked(row["rounded"], bool), result.variables, result.names)


def _exponents(value, d):
    if len(checked(value, list)) != d:
        raise ValueError(f"need {d} exponents, got {len(value)}")
    return tuple(checked(entry, int) for entry in value)


def _pairs(table):
    return [[list(exponents), value] for exponents, value in table.items()]
