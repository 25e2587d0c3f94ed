"""The exact result: rational equations, rational or certified knots, and what was proved about them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..exact.certificate import Certificate, zero_statement
from ..exact.krawczyk import CertifiedZero, Uncertified
from ..exact.numbers import EQUATIONS, POINTS, ExactNumbers
from ..exact.verify import TooCostly
from ..export.system import System
from ..ground.errors import InvalidOption, Status
from ..ground.storage import write_json
from ..ground.wording import counted
from ..polynomials.precise import value_at
from ..polynomials.rational_json import rational_json, terms_json
from ..proof.claims import claims_of_numbers
from ..showing.equations import equation_lines
from .checking import MOST_TERMS, SAMPLE_AT_ONCE, Check, exactly, numbered, refutation, sampled
from .drawn import Drawn
from .points_ideal import PointsIdeal, points_ideal

FORMAT, VERSION = "symknot exact ideal", 1
MOST_KNOTS_NAMED = 8
"""Knots that a sentence names one by one: a convention."""
STATEMENTS_AT_ONCE = 3
"""Statements of a certificate that are checked when it is made: a convention, some milliseconds each."""
NOTICEABLY_OVER = 1 + 1e-9
"""Factor over epsilon that is said: a convention; less is rounding."""

__all__ = ["EQUATIONS", "FORMAT", "POINTS", "VERSION", "ExactIdeal"]


@dataclass(frozen=True, eq=False, repr=False)
class ExactIdeal(Drawn, ExactNumbers):
    """Rational polynomials with exact knots; made by `Ideal.exact`.

    Its attributes are those of `symknot.exact.numbers.ExactNumbers`, its language that of every result.

    Attributes
    ----------
    unconfirmed : str
        What a second computation says against it; empty as it should be.
    """

    unconfirmed: str = ""

    @classmethod
    def of(cls, numbers: ExactNumbers) -> ExactIdeal:
        """The face of these numbers, of which a sample is computed again."""
        face = cls(**{field.name: getattr(numbers, field.name) for field in fields(numbers)})
        return replace(face, unconfirmed=refutation(face._sampled()))

    @cached_property
    def knots(self) -> np.ndarray:  # type: ignore[override]
        """(K, d) array: `rational_knots` as floats."""
        return np.array([[float(value) for value in knot] for knot in self.rational_knots]).reshape(-1, len(self.names))

    @property
    def status(self) -> Status:  # type: ignore[override]
        """Whether something is proved at every knot, and nothing speaks against it."""
        if self.unconfirmed:
            return Status.NOT_CONFIRMED
        return Status.PARTLY_PROVED if self.uncertified or self.partly_certified else Status.EXACT

    @property
    def message(self) -> str:  # type: ignore[override]
        """One sentence: what is exact about the knots."""
        if self.unconfirmed:
            return self.unconfirmed
        knots = counted(len(self.rational_knots), "knot")
        if self.route == POINTS:
            return f"exactly zero at each of {counted(len(self.rational_knots), 'rational knot')}"
        failed, partly = self.uncertified, self.partly_certified
        proved = "true zero" if not partly else f"true zero (for {len(partly)} of them, of some of the equations only)"
        if not failed:
            return f"{knots}, each in a box proved to hold a {proved}"
        named = ", ".join(map(str, failed[:MOST_KNOTS_NAMED])) + (", ..." if len(failed) > MOST_KNOTS_NAMED else "")
        reason = next(zero.reason for zero in self.zeros if isinstance(zero, Uncertified))
        return (f"{len(self.rational_knots) - len(failed)} of {knots} in boxes proved to hold a {proved}; NOT certified: "
                f"{named} ({reason})")

    def vanishing_ideal(self, order: str = "grevlex", timeout: float | None = None,
                        arithmetic: str | None = None) -> PointsIdeal:
        """The ideal of all polynomials that vanish on the rational knots; see `symknot.points_ideal`."""
        if self.route != POINTS:
            raise InvalidOption("route", self.route, "'points': knots on a curve are known by boxes, not as rational points "
                                "(Ideal.vanishing_ideal rounds them)")
        return points_ideal(self.rational_knots, self.names, order, self.variables, timeout, arithmetic)

    def text(self, digits: int | None = None) -> str:
        """Equations, what was proved about their knots, and what had to be decided on the way."""
        lines = equation_lines(self.polynomials, digits)
        remarks = [_remark(g, over) for g, over in zip(self.polynomials, self.over_epsilon)]
        lines = [line + remark for line, remark in zip(lines, remarks)] + lines[len(remarks):]
        return "\n".join(lines + self._last_lines())

    def _closing_lines(self) -> list[str]:
        return [self.message, *(f"note: {note}" for note in self.notes)]

    def _facts(self) -> list[tuple[str, str]]:
        what = {POINTS: "rational knots, and equations that are zero there", EQUATIONS: "rational equations, and proved boxes"}
        return [("route", f"{self.route}: {what[self.route]}")]

    def _checks(self, points: Any) -> Iterator[Check]:
        yield from super()._checks(points)
        if self.route == POINTS:
            for number, g in enumerate(self.polynomials):
                wrong = sum(value_at(g.terms, knot) != 0 for knot in self.rational_knots)
                yield exactly(numbered("zero at every rational knot", number), wrong)
        for number, finding in enumerate(self.certificate.check(), start=1):
            yield exactly(f"statement {number} of the certificate: {finding.words}", not finding.holds)

    def _sampled(self) -> Iterator[Check]:
        """Some of what `check` looks at, in milliseconds."""
        sizes = np.cumsum([len(g.terms) for g in self.polynomials])
        if self.route == POINTS:
            knots = [self.rational_knots[place] for place in sampled(len(self.rational_knots), SAMPLE_AT_ONCE)]
            for number, g in enumerate(self.polynomials[: int(np.sum(sizes <= MOST_TERMS))]):
                wrong = sum(value_at(g.terms, knot) != 0 for knot in knots)
                yield exactly(numbered("zero at every rational knot", number), wrong)
        elif self.polynomials and sizes[-1] <= MOST_TERMS:
            proved = [(k, zero) for k, zero in enumerate(self.zeros) if isinstance(zero, CertifiedZero)]
            statements = [zero_statement(*proved[place]) for place in sampled(len(proved), STATEMENTS_AT_ONCE)]
            terms = [g.terms for g in self.polynomials + self.left_out]
            with suppress(TooCostly):                            # for those who ask `check`, which says so
                for finding in Certificate(self.names, terms, statements).check():
                    yield exactly(f"a statement of the certificate: {finding.words}", not finding.holds)

    def _system(self, approximate: Sequence[str] = ()) -> System:
        """What is exported; `approximate` are lines for comments."""
        notes = [self.message, *self.notes]
        if self.left_out:
            notes.append(f"{counted(len(self.left_out), 'equation')} left out: no exact common zero with the others")
        return System(
            self.names, tuple(g.terms for g in self.polynomials), self.rational_knots if self.route == POINTS else (),
            "exact equations of noisy points", tuple(notes), tuple(map(_polynomial_note, self.polynomials)),
            tuple(approximate), statements=claims_of_numbers(self))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the exact ideal to `path` as JSON: numbers and names only, with the whole certificate.

        ``symknot verify`` checks the file, `symknot.load` opens it.
        """
        write_json(path, FORMAT, VERSION, {
            "names": list(self.names), "route": self.route, "kept": len(self.polynomials), "epsilon": self.epsilon,
            "notes": list(self.notes), "knots": [list(map(rational_json, knot)) for knot in self.rational_knots],
            "of_knot": list(self.of_knot),
            "sources": [{"terms": terms_json(g.source), "support": g.support,
                         "residual_before": g.residual_before, "residual_after": g.residual}
                        for g in self.polynomials + self.left_out],
            "certificate": self.certificate.to_json(), **({"unconfirmed": self.unconfirmed} if self.unconfirmed else {})})

    def __repr__(self) -> str:
        return (f"<ExactIdeal of {counted(len(self.polynomials), 'polynomial')} in {counted(len(self.names), 'variable')}, "
                f"{counted(len(self.rational_knots), 'knot')}, route {self.route!r}>")


def _polynomial_note(g):
    return (f"exact rational numbers; largest distance of a coefficient from the fitted one: {g.coefficient_change:.2g} of the "
            f"largest; distance of the data {g.residual:.3g} (fitted: {g.residual_before:.3g})")


def _remark(g, over):
    remarks = {"degree": ["new terms"], "raised": ["degree raised"]}.get(g.support, [])
    if over > NOTICEABLY_OVER:
        remarks.append(f"{over:.2g} epsilon")
    return f"   ({', '.join(remarks)})" if remarks else ""
